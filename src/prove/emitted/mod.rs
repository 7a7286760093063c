//! The emitted Verilog against the netlist, with Yosys as an independent front end.
//!
//! ```text
//! core ─┬─> Verilog ──> Yosys ──> BLIF ──> one cycle ──┐
//!       │                                  AIGER       ├─> abc: combinational equivalence
//!       └─> netlist ─────────────────────> one cycle ──┘
//! ```
//!
//! Registers are matched by the name that they have in the Verilog. All outputs, and the values that registers load, are compared for all inputs and all values of the
//! registers, reachable or not. Both sides therefore behave the same from any state on, for any number of cycles. Registers that no output
//! depends on, not even in later cycles, are left out.
//!
//! The synthesised [form](Form) of the Verilog, in cells of an FPGA or of a library, can be compared in the same way, which proves the
//! synthesis. Synthesis merges registers that load the same value, and removes registers that only ever load one value. Such a netlist is
//! equivalent from a state in which merged registers are equal and removed ones hold their value.

mod blif;
mod form;
mod text;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use utfhdl_hdl::core::Core;
use utfhdl_hdl::emit::register_names;
use utfhdl_sim::aig::{Aiger, NEXT, Start, blast};
use utfhdl_sim::scratch::ScratchFolder;
use utfhdl_sim::tool::ToolError;

use self::blif::{Blif, FALSE_NAME, Unreadable};
pub use self::form::{Cells, Form};
pub use self::text::{Ambiguous, ambiguous};
use super::program::{Ended, Limits, run};
use super::verdict::{Verdict, undecided};

/// Yosys reads the text, and converts it to gates without changing its function.
const YOSYS: &str = "yosys";
/// The checker of combinational equivalence.
const ABC: &str = "yosys-abc";

/// Compares a form of the Verilog of each core with its netlist.
///
/// # Errors
/// If a tool can't be started, or a file not be read or written.
pub fn prove(cores: &[Core], form: &Form, limits: Limits) -> Result<Vec<Verdict>, ToolError> {
    let text = |core: &Core| match form.file() {
        Some(path) => std::fs::read_to_string(path).map_err(|error| ToolError::io(path, error)),
        None => Ok(core.verilog()),
    };
    let texts: Vec<String> = cores.iter().map(text).collect::<Result<_, _>>()?;
    prove_texts(cores, &texts, form, limits)
}

/// Compares texts, which should be the Verilog of the cores, with the netlists.
///
/// # Errors
/// As [`prove`].
pub fn prove_texts(
    cores: &[Core],
    texts: &[String],
    form: &Form,
    limits: Limits,
) -> Result<Vec<Verdict>, ToolError> {
    let parent = std::env::temp_dir();
    let folder = ScratchFolder::create_in(&parent).map_err(|error| ToolError::io(&parent, error))?;
    let folder = folder.path();
    let mut script = String::new();
    for (index, (core, text)) in cores.iter().zip(texts).enumerate() {
        write(&folder.join(format!("{index}.v")), text)?;
        let top = core.design.top.name();
        let made = form.script(top, &format!("{index}.blif"));
        let _ = write!(script, "design -reset\nread_verilog {index}.v\n{made}");
    }
    write(&folder.join("read.ys"), &script)?;
    if let Some(said) = trouble(YOSYS, run(YOSYS, &["-q", "-s", "read.ys"], folder, limits)?) {
        return Ok(cores.iter().map(|_| undecided(said.clone())).collect());
    }
    let pairs: Vec<Result<Pair, Verdict>> =
        (0..).zip(cores).map(|(index, core)| pair(index, core, folder)).collect::<Result<_, _>>()?;
    let compared = (0..).zip(&pairs).filter(|(_, pair)| pair.is_ok());
    let commands: String = compared
        .map(|(index, _)| format!("echo pair {index}\ncec -n {index}.netlist.aig {index}.emitted.aig\n"))
        .collect();
    write(&folder.join("compare.abc"), &commands)?;
    let ended = run(ABC, &["-s", "-f", "compare.abc"], folder, limits)?;
    let said = match &ended {
        Ended::Well(said) => said.clone(),
        _ => String::new(),
    };
    let why = trouble(ABC, ended);
    let verdicts = (0..).zip(pairs).map(|(index, pair)| match pair {
        Err(verdict) => verdict,
        Ok(pair) => why.clone().map_or_else(|| verdict(&said, index, &pair), undecided),
    });
    Ok(verdicts.collect())
}

/// Both sides of a comparison.
struct Pair {
    /// The names of the compared bits: outputs, then next values of registers.
    compared: Vec<String>,
    /// How many of them are of outputs.
    outputs: usize,
}

/// Writes the files of both sides.
fn pair(index: usize, core: &Core, folder: &Path) -> Result<Result<Pair, Verdict>, ToolError> {
    let path = folder.join(format!("{index}.blif"));
    let text = std::fs::read_to_string(&path).map_err(|error| ToolError::io(&path, error))?;
    let said =
        |Unreadable(what): Unreadable| undecided(format!("Yosys wrote what is not understood: {what}"));
    let blif = match Blif::read(&text) {
        Ok(blif) => blif,
        Err(error) => return Ok(Err(said(error))),
    };
    let logic = match blast(&core.design, Start::Zero) {
        Ok(logic) => logic,
        Err(error) => return Ok(Err(undecided(error.to_string()))),
    };
    let mut netlist = Aiger::one_cycle(&logic);
    // A tool may leave out a register that nothing reads and put a constant in its place.
    let is_read: HashSet<String> =
        Aiger::one_cycle(&logic.clone().without_dead_registers()).inputs.into_iter().collect();
    netlist.outputs.retain(|output| output.name.strip_suffix(NEXT).is_none_or(|name| is_read.contains(name)));
    rename(&mut netlist, &register_names(&core.design), &blif);
    if let [beyond, ..] = blif.registers_beyond(&netlist)[..] {
        return Ok(Err(undecided(format!("the Verilog has a register {beyond}, which the netlist lacks"))));
    }
    netlist
        .outputs
        .retain(|output| output.name.strip_suffix(NEXT).is_none_or(|name| blif.stands_for(name).is_some()));
    merge(&mut netlist, |name| blif.stands_for(name));
    let emitted = match blif.one_cycle(&netlist) {
        Ok(emitted) => emitted,
        Err(error) => return Ok(Err(said(error))),
    };
    for (name, aiger) in [("netlist", &netlist), ("emitted", &emitted)] {
        let path = folder.join(format!("{index}.{name}.aig"));
        let cannot = |error| ToolError::io(&path, error);
        let mut file = BufWriter::new(File::create(&path).map_err(cannot)?);
        aiger.write(&mut file).and_then(|()| std::io::Write::flush(&mut file)).map_err(cannot)?;
    }
    let compared = netlist.outputs.into_iter().map(|output| output.name).collect();
    Ok(Ok(Pair { compared, outputs: logic.outputs.len() }))
}

/// Gives registers the names that they have in the Verilog, or in a netlist of bits. Tools that make such a netlist replace what is no letter
/// or digit: `buffer.valid[3]` becomes `buffer_valid_3_`.
fn rename(netlist: &mut Aiger, names: &HashMap<String, String>, blif: &Blif) {
    let in_blif = |name: &str| {
        let of_text = names.get(name).map_or(name, String::as_str);
        let plain = of_text.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
        let is_plain = blif.stands_for(of_text).is_none() && blif.stands_for(&plain).is_some();
        if is_plain { plain } else { of_text.to_owned() }
    };
    netlist.inputs.iter_mut().for_each(|name| *name = in_blif(name));
    for output in &mut netlist.outputs {
        if let Some(register) = output.name.strip_suffix(NEXT) {
            output.name = in_blif(register) + NEXT;
        }
    }
}

/// Merges the inputs that `of` maps to one register, or to its complement, into the first of them, and replaces registers that are
/// constant.
fn merge<'t>(netlist: &mut Aiger, of: impl Fn(&str) -> Option<(&'t str, bool)>) {
    let mut first = HashMap::from([(FALSE_NAME, 0)]);
    let mut stands: HashMap<u32, u32> = HashMap::new();
    for (name, variable) in netlist.inputs.iter().zip(1..) {
        if let Some((register, is_complement)) = of(name) {
            let is_complement = u32::from(is_complement);
            let one = *first.entry(register).or_insert(2 * variable + is_complement);
            stands.insert(variable, one ^ is_complement);
        }
    }
    let merged = |literal: &mut u32| {
        if let Some(one) = stands.get(&(*literal / 2)) {
            *literal = one ^ (*literal % 2);
        }
    };
    for (a, b) in &mut netlist.ands {
        merged(a);
        merged(b);
    }
    netlist.outputs.iter_mut().for_each(|output| merged(&mut output.literal));
}

/// Reads abc's verdict on a pair.
fn verdict(said: &str, index: usize, pair: &Pair) -> Verdict {
    let title = format!("pair {index}");
    let lines = said.lines().map(str::trim).skip_while(|line| *line != title).skip(1);
    let lines: Vec<&str> =
        lines.take_while(|line| !line.starts_with("pair ")).filter(|line| !line.is_empty()).collect();
    let equal = lines.iter().any(|line| line.starts_with("Networks are equivalent"));
    let differ = lines.iter().any(|line| line.starts_with("Networks are NOT EQUIVALENT"));
    let registers = pair.compared.len() - pair.outputs;
    match (equal, differ) {
        (true, false) => {
            Verdict::Proved { how: format!("{} bits of outputs, {registers} of registers", pair.outputs) }
        }
        (false, true) => Verdict::Differs { how: differing(&lines, pair) },
        _ => undecided(format!("abc said: {}", lines.join("; "))),
    }
}

/// The outputs and registers that differ, by the names that they have here: abc numbers them.
fn differing(lines: &[&str], pair: &Pair) -> String {
    let words =
        lines.iter().filter(|line| line.starts_with("Verification failed")).flat_map(|line| line.split(' '));
    let numbers = words.filter_map(|word| word.strip_prefix("po")?.parse::<usize>().ok());
    let names: Vec<&str> =
        numbers.filter_map(|number| pair.compared.get(number).map(String::as_str)).collect();
    if names.is_empty() { lines.join("; ") } else { names.join(", ") }
}

/// Why a program has nothing to say, if it hasn't.
fn trouble(program: &str, ended: Ended) -> Option<String> {
    match ended {
        Ended::Well(_) => None,
        Ended::Failed(failed) => Some(format!("{program} {failed}")),
        Ended::OutOfTime => Some(format!("{program} ran out of time")),
        Ended::Stopped => Some("stopped".to_owned()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), ToolError> {
    std::fs::write(path, text).map_err(|error| ToolError::io(path, error))
}
