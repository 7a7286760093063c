//! Whether a mutant is equivalent to its core. A mistake is in one place, so three questions are asked, the smallest first:
//!
//! 1. Is the module with the mistake equivalent to its original, without the modules below it?
//! 2. Does the mistake never reach an output or a register that matters, from any state that the original reaches? This is asked of the module,
//!    then of the modules around it, up to the core: each gives its instances fewer inputs than the one before.
//! 3. Is the whole core equivalent?
//!
//! Registers that a reset leaves alone hold 0 at first. That nothing of what they hold reaches a port is left to
//! [simulation with unknown registers](crate::unknown_start).

use std::sync::Arc;

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Builder, Design, Module, Port, ResetStyle, Signal, alone, holdable};
use utfhdl_sim::aig::{Start, blast};
use utfhdl_sim::tool::ToolError;

use super::bench::{BAD, aiger, contiguous};
use super::checker::Checker;
use super::lemmas::with_lemmas;
use super::one_state::{Question, in_one_state};
use super::program::Limits;
use super::verdict::{Verdict, undecided};
use crate::fault::SignalFault;

/// The part of the time, one in this number, for a question of a part of the core, and for a rule.
pub(super) const PART: u32 = 3;
/// An input of the mutant that a checker looks at; always 1.
const RUN: &str = "mutant_runs";
/// The instances of a module and its mutant.
const SOUND: &str = "sound";
const MUTANT: &str = "mutant";

/// Asks the checkers whether a mutant is equivalent to the core.
///
/// # Errors
/// If a tool can't be started, or a file not be written.
pub(super) fn compared(
    core: &Core,
    mutant: &Core,
    fault: &SignalFault,
    limits: Limits,
    checkers: &[Checker],
) -> Result<Verdict, ToolError> {
    let in_part = Limits { time: limits.time / PART, ..limits };
    let [ours, theirs] = [core, mutant].map(|core| core.design.modules());
    let named = |name: &str| theirs.iter().find(|module| module.name() == name).expect("the same modules");
    let top = core.design.top.name();
    let of = |sound: &Arc<Module>, other: &Arc<Module>| {
        let lanes = Some(core.spec.lanes).filter(|_| fault.signal == top || sound.name() == top);
        miter(sound, other, core.design.reset, lanes)
    };
    let changed = ours.iter().find(|module| module.name() == fault.signal).expect("the module of a mutant");
    if !changed.instances().is_empty() {
        let [sound, other] = [changed, named(&fault.signal)].map(|module| Arc::new(alone(module)));
        let verdict = decided(&of(&sound, &other), in_part, checkers)?;
        if matches!(verdict, Verdict::Proved { .. }) {
            return Ok(verdict);
        }
    }
    for level in levels(&ours, &fault.signal) {
        let mut hows = Vec::new();
        for module in &level {
            let limits = if module.name() == top { limits } else { in_part };
            match equal_in_one_state(&of(module, named(module.name())), limits, checkers)? {
                Verdict::Proved { how } => hows.push(format!("{} in one state, {how}", module.name())),
                differs @ Verdict::Differs { .. } if module.name() == top => return Ok(differs),
                _ => break,
            }
        }
        if hows.len() == level.len() {
            return Ok(Verdict::Proved { how: hows.join("; ") });
        }
    }
    decided(&of(&core.design.top, &mutant.design.top), limits, checkers)
}

/// Asks the checkers whether two designs are equal in each state that the first reaches.
fn equal_in_one_state(miter: &Design, limits: Limits, checkers: &[Checker]) -> Result<Verdict, ToolError> {
    let logic = match blast(miter, Start::Cleared) {
        Ok(logic) => logic,
        Err(error) => return Ok(undecided(error.to_string())),
    };
    let problem = match in_one_state(&logic, SOUND, MUTANT) {
        Question::Answered(cycle) => {
            return Ok(Verdict::Differs { how: format!("differs in cycle {cycle} of random inputs") });
        }
        Question::Problem(problem) => problem,
    };
    let Some(problem) = with_lemmas(&problem, SOUND, MUTANT) else {
        return Ok(undecided("the states differ"));
    };
    let mut verdict = undecided("no checker is installed");
    for checker in checkers {
        verdict = checker.check_with_lemmas(&problem, limits)?;
        if matches!(verdict, Verdict::Proved { .. }) {
            break;
        }
    }
    Ok(verdict)
}

/// Levels of modules: the module of this name, the modules with an instance of the level before, and so on, up to the top alone. The top is
/// the last of `modules`.
fn levels<'d>(modules: &[&'d Arc<Module>], name: &str) -> Vec<Vec<&'d Arc<Module>>> {
    let is_in =
        |level: &[&Arc<Module>], module: &Arc<Module>| level.iter().any(|own| Arc::ptr_eq(own, module));
    let is_top = |module: &Arc<Module>| modules.last().is_some_and(|top| Arc::ptr_eq(top, module));
    let around = |level: &Vec<&'d Arc<Module>>| {
        let is_around = |module: &Arc<Module>| {
            let has = module.instances().iter().any(|instance| is_in(level, &instance.module));
            has || is_top(module) && is_in(level, module)
        };
        let is_done = level.iter().all(|module| is_top(module));
        (!is_done).then(|| modules.iter().copied().filter(|module| is_around(module)).collect())
    };
    let first = modules.iter().copied().filter(|module| module.name() == name).collect();
    std::iter::successors(Some(first), around).collect()
}

/// A free input. That of a core, which has `lanes`, is contiguous.
fn legal_input<'m>(m: &'m Builder, port: &Port, lanes: Option<u32>) -> Signal<'m> {
    let signal = m.input(&port.name, port.width, &port.note);
    match lanes {
        Some(lanes) if port.name == "s_axis_tkeep" => contiguous(signal, lanes),
        _ => signal,
    }
}

/// The first answer of a checker to a miter.
fn decided(miter: &Design, limits: Limits, checkers: &[Checker]) -> Result<Verdict, ToolError> {
    let problem = match aiger(miter, Start::Cleared) {
        Ok(problem) => problem,
        Err(error) => return Ok(undecided(error.to_string())),
    };
    let mut verdict = undecided("no checker is installed");
    for checker in checkers {
        verdict = checker.compare(&problem, limits)?;
        if !matches!(verdict, Verdict::Undecided { .. }) {
            break;
        }
    }
    Ok(verdict)
}

/// A module and its mutant on the same inputs, and whether their outputs differ. Outputs of a core, which has `lanes`, may differ where data
/// is not valid, and its input is contiguous.
fn miter(module: &Arc<Module>, mutant: &Arc<Module>, reset: ResetStyle, lanes: Option<u32>) -> Design {
    let m = Builder::new("problem", "A module and its mutant.");
    // No two modules have one name: those of the copy have names of their own.
    let [sound, other] = [m.instance(SOUND, module), m.instance(MUTANT, &holdable(mutant, RUN))];
    other.input(RUN, m.lit(1, 1));
    for port in module.inputs() {
        let signal = legal_input(&m, port, lanes);
        sound.input(&port.name, signal);
        other.input(&port.name, signal);
    }
    let differ = module.outputs().map(|port| {
        let differ = sound.output(&port.name).ne(other.output(&port.name));
        let valid = match port.name.rsplit_once('_') {
            Some((stream, signal)) if lanes.is_some() && !["tvalid", "tready"].contains(&signal) => {
                let valid = format!("{stream}_tvalid");
                module.outputs().any(|port| port.name == valid).then(|| sound.output(&valid))
            }
            _ => None,
        };
        valid.map_or(differ, |valid| differ & valid)
    });
    let bad = differ.reduce(|some, other| some | other).expect("a module has outputs");
    m.output(BAD, bad, "the outputs differ");
    Design { top: m.built_with_unused(), reset }
}
