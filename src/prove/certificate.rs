//! Certificates: an invariant that a checker found, as an AIGER file, for a problem that it proved.
//!
//! abc writes an invariant as the states that it excludes, a product of latches each. The certificate has an input for each latch of the problem
//! and one output, which is 1 in all other states. The package `utfhdl-certificate`, which shares no code with the rest, checks it.

use std::collections::HashMap;

use utfhdl_certificate::{Circuit, check};
use utfhdl_sim::aig::{Aiger, Named};
use utfhdl_sim::tool::ToolError;

use super::checker::{Found, invariant};
use super::program::Limits;
use super::property::Problem;
use super::relations::Relations;
use super::run::{WHOLE, whole_and_parts};

/// A problem that is proved, and its invariant.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The problem.
    pub problem: Aiger,
    /// The invariant, with an input for each latch of the problem.
    pub invariant: Aiger,
}

/// Certificates of a problem, one for each of its parts; or why there are none.
pub type Certified = Result<Vec<Certificate>, String>;

/// Finds certificates of a problem, and checks each. A problem with several failures is tried as a whole for a part of the time, and then in parts.
///
/// # Errors
/// If abc can't be started, or a file not be written.
pub fn certify(problem: &Problem, limits: Limits) -> Result<Certified, ToolError> {
    let (whole, parts) = match whole_and_parts(problem) {
        Ok(files) => files,
        Err(error) => return Ok(Err(error.to_string())),
    };
    if parts.len() > 1
        && let Ok(certificate) = of(&whole, &whole, Limits { time: limits.time / WHOLE, ..limits })?
    {
        return Ok(Ok(vec![certificate]));
    }
    let relations = problem.text.map(|text| Relations::seen(&whole, text));
    if let Some(relations) = relations.filter(|relations| !relations.is_empty())
        && let Ok(certificate) = of(&whole, &relations.added(&whole), limits)?
    {
        return Ok(Ok(vec![certificate]));
    }
    parts.iter().map(|part| of(part, part, limits)).collect()
}

/// The certificate of one problem, after its check: an invariant that abc finds of `asked`, the problem with more bad states or as it is.
fn of(problem: &Aiger, asked: &Aiger, limits: Limits) -> Result<Result<Certificate, String>, ToolError> {
    let excluded = match invariant(asked, limits)? {
        Found::Excluded(text) => match products(&text, problem) {
            Some(products) => products,
            None => return Ok(Err("the invariant that abc wrote cannot be read".to_owned())),
        },
        Found::AllStates => Vec::new(),
        Found::None(why) => return Ok(Err(why)),
    };
    let certificate = Certificate { problem: problem.clone(), invariant: outside(&excluded, problem) };
    let circuit = |file: &Aiger| {
        let mut bytes = Vec::new();
        file.write(&mut bytes).expect("a vector takes everything");
        Circuit::read(&bytes).map_err(|error| error.to_string())
    };
    let checked = circuit(problem).and_then(|problem| {
        check(&problem, &circuit(&certificate.invariant)?).map_err(|fault| fault.to_string())
    });
    Ok(checked.map(|()| certificate).map_err(|fault| format!("the invariant of abc is none: {fault}")))
}

/// Literals of the inputs of a certificate that are 1 together.
type Product = Vec<u32>;

/// Reads the products in a file of abc: `.ilb` has the names of latches, and each line of `0`, `1` and `-` is a product of them.
fn products(text: &str, problem: &Aiger) -> Option<Vec<Product>> {
    let numbers: HashMap<&str, u32> =
        (1..).zip(&problem.latches).map(|(number, latch)| (latch.name.as_str(), number)).collect();
    if numbers.len() < problem.latches.len() {
        return None;
    }
    let latches = text.lines().find_map(|line| line.strip_prefix(".ilb "))?;
    let latches: Vec<u32> =
        latches.split_whitespace().map(|name| numbers.get(name).copied()).collect::<Option<_>>()?;
    let lines = text.lines().filter(|line| line.starts_with(['0', '1', '-']));
    lines
        .map(|line| {
            let (values, _) = line.split_once(' ')?;
            (values.len() == latches.len()).then(|| {
                let read = latches.iter().zip(values.bytes()).filter(|&(_, value)| value != b'-');
                read.map(|(&latch, value)| 2 * latch + u32::from(value == b'0')).collect()
            })
        })
        .collect()
}

/// The states in none of the products.
fn outside(products: &[Product], problem: &Aiger) -> Aiger {
    let inputs = problem.latches.iter().map(|latch| latch.name.clone()).collect();
    let mut invariant = Aiger { inputs, ..Aiger::default() };
    let mut all = |literals: Vec<u32>| literals.into_iter().reduce(|a, b| invariant.and(a, b)).unwrap_or(1);
    let outside = products.iter().map(|product| all(product.clone()) ^ 1).collect();
    let literal = all(outside);
    invariant.outputs.push(Named { name: "invariant".to_owned(), literal });
    invariant
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(latches: &[&str]) -> Aiger {
        let latch = |name: &&str| Named { name: (*name).to_owned(), literal: 0 };
        Aiger { latches: latches.iter().map(latch).collect(), ..Aiger::default() }
    }

    /// The file that abc wrote for a rule of a decoder.
    #[test]
    fn an_invariant_excludes_the_states_of_its_file() {
        let text = "# Inductive invariant for \"takes\"\n.i 3\n.o 1\n.p 2\n.ilb waits[9] waits[10] ready\n.ob inv\n-1- 1\n1-0 1\n.e\n\n";
        let problem = problem(&["ready", "waits[9]", "other", "waits[10]"]);
        let invariant = outside(&products(text, &problem).unwrap(), &problem);
        let holds = |ready, nine, ten| {
            let state = [ready, nine, 0, ten].map(|bit: u64| bit);
            invariant.run(&mut [], &state)[0] & 1
        };
        assert_eq!([holds(1, 1, 0), holds(0, 0, 0), holds(0, 1, 0), holds(1, 0, 1)], [1, 1, 0, 0]);
    }

    #[test]
    fn a_file_of_other_latches_is_not_read() {
        let text = ".ilb waits\n1 1\n";
        assert_eq!(products(text, &problem(&["ready"])), None);
        assert_eq!(products(".ilb ready\n11 1\n", &problem(&["ready"])), None);
        assert_eq!(products(".ilb ready\n1 1\n", &problem(&["ready", "ready"])), None);
        assert_eq!(products(".ilb ready\n0 1\n", &problem(&["ready"])), Some(vec![vec![3]]));
    }
}
