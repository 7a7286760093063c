//! Proves properties of a core, one problem after the other.

use std::sync::atomic::Ordering;
use std::time::Instant;

use utfhdl_hdl::core::Core;
use utfhdl_sim::tool::ToolError;

use super::bench::aiger;
use super::checker::Checker;
use super::emitted::Form;
use super::program::Limits;
use super::property::{Problem, Property, problems};
use super::verdict::{Verdict, undecided};
use super::{emitted, lanes, stream};

/// The result of a problem.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The property that it belongs to.
    pub property: Property,
    /// The rule's name.
    pub name: &'static str,
    /// The statement that was to be proved.
    pub says: &'static str,
    /// The checker's decision.
    pub verdict: Verdict,
    /// The checker, or the tool, that decided the problem.
    pub by: String,
    /// How long that took.
    pub seconds: f64,
    /// The netlist with the property, if the rule is a problem for a checker.
    pub problem: Option<Problem>,
}

/// Proves properties of a core; `form` says what `emitted` compares. Each finding is given to `each` as soon as it is there. Where a checker has no answer, the next
/// one is asked.
///
/// # Errors
/// If a tool can't be started, or a file not be written.
pub fn prove(
    core: &Core,
    properties: &[Property],
    form: &Form,
    checkers: &[Checker],
    limits: Limits,
    mut each: impl FnMut(Finding),
) -> Result<(), ToolError> {
    for &property in properties {
        match property {
            Property::Emitted => each(by_yosys(core, form, limits)?),
            Property::Stream => each(no_path(core)),
            Property::Lanes => each(is_pipeline(core)),
            Property::Spec | Property::Elastic | Property::Inverse => {}
        }
        for problem in problems(core, property) {
            if limits.stop.load(Ordering::SeqCst) {
                return Ok(());
            }
            each(by_checkers(property, problem, checkers, limits)?);
        }
    }
    Ok(())
}

fn by_yosys(core: &Core, form: &Form, limits: Limits) -> Result<Finding, ToolError> {
    let start = Instant::now();
    let verdict = emitted::prove(std::slice::from_ref(core), form, limits)?.remove(0);
    Ok(Finding {
        property: Property::Emitted,
        name: form.name(),
        says: form.says(),
        verdict,
        by: "Yosys, abc cec".to_owned(),
        seconds: start.elapsed().as_secs_f64(),
        problem: None,
    })
}

/// Whether every output comes from a register.
fn no_path(core: &Core) -> Finding {
    let start = Instant::now();
    let verdict = match stream::combinational(core) {
        Ok(outputs) if outputs.is_empty() => {
            Verdict::Proved { how: "every output is logic of registers".to_owned() }
        }
        Ok(outputs) => Verdict::Differs { how: format!("inputs reach {}", outputs.join(", ")) },
        Err(error) => undecided(error.to_string()),
    };
    Finding {
        property: Property::Stream,
        name: "no-path",
        says: "no combinational path leads from an input to an output",
        verdict,
        by: "the graph".to_owned(),
        seconds: start.elapsed().as_secs_f64(),
        problem: None,
    }
}

/// Checks that the registers of a decoder of several lanes form pipeline stages.
fn is_pipeline(core: &Core) -> Finding {
    let start = Instant::now();
    let verdict = match lanes::parts(core) {
        Ok((how, _)) => Verdict::Proved { how },
        Err(why) => undecided(why),
    };
    Finding {
        property: Property::Lanes,
        name: "pipeline",
        says: "all paths to a register pass through the same number of registers, and no value survives a reset",
        verdict,
        by: "the graph".to_owned(),
        seconds: start.elapsed().as_secs_f64(),
        problem: None,
    }
}

fn by_checkers(
    property: Property,
    problem: Problem,
    checkers: &[Checker],
    limits: Limits,
) -> Result<Finding, ToolError> {
    let start = Instant::now();
    let (mut verdict, mut by) = (undecided("there is no checker"), String::new());
    match aiger(&problem.design, problem.start) {
        Err(error) => verdict = undecided(error.to_string()),
        Ok(file) => {
            for checker in checkers {
                (verdict, by) = (checker.check(&file, limits)?, checker.to_string());
                if !matches!(verdict, Verdict::Undecided { .. }) {
                    break;
                }
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let Problem { name, says, .. } = problem;
    Ok(Finding { property, name, says, verdict, by, seconds, problem: Some(problem) })
}
