//! Proves properties of a core, one problem after the other.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use utfhdl_hdl::core::Core;
use utfhdl_hdl::core::adapters::Adapter;
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::aig::{Aiger, Logic, TooLarge};
use utfhdl_sim::tool::ToolError;

use super::bench::{failures, parts};
use super::checker::{Checker, Merging};
use super::emitted::Form;
use super::one_cycle::Questions;
use super::one_state::with_alike_once;
use super::program::Limits;
use super::property::{Problem, Property, problems};
use super::relations::Relations;
use super::verdict::{Verdict, undecided};
use super::{adapters, emitted, lanes, stream};

/// How many failures of a problem a checker decides at once in a part.
const FAILURES: usize = 4;
/// The part of the time, one in this number, for which a checker tries a problem as a whole.
pub(super) const WHOLE: u32 = 4;
/// The part of the time for a problem with relations.
const RELATED: u32 = 2;
/// The part of the time, one in this number, for which a checker tries a problem without relations.
pub(super) const QUICK: u32 = 16;
/// A checker that has no answer after less time than this has failed.
const FAILS_WITHIN: Duration = Duration::from_millis(500);

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

/// A problem that is being decided.
#[derive(Clone, Debug)]
pub struct Work {
    /// The property that it belongs to.
    pub property: Property,
    /// The rule's name.
    pub name: &'static str,
    /// The number of the problem among those of the property, from 1 on.
    pub number: usize,
    /// The problems of the property.
    pub total: usize,
    /// The program that works on it.
    pub by: String,
}

/// An observer of proofs. A function that takes a finding is an observer that ignores when programs start.
pub trait Watch {
    /// A program starts to work on a problem.
    fn begins(&mut self, _work: &Work) {}
    /// A problem is decided, or left undecided.
    fn found(&mut self, finding: Finding);
}

impl<F: FnMut(Finding)> Watch for F {
    fn found(&mut self, finding: Finding) {
        self(finding);
    }
}

/// Proves properties of a core; `form` says what `emitted` compares. Where a checker has no answer, the next one is asked.
///
/// # Errors
/// If a tool can't be started, or a file not be written.
pub fn prove(
    core: &Core,
    properties: &[Property],
    form: &Form,
    checkers: &[Checker],
    limits: Limits,
    watch: &mut impl Watch,
) -> Result<(), ToolError> {
    for &property in properties {
        let before = match property {
            Property::Emitted => {
                let by = YOSYS.to_owned();
                watch.begins(&Work { property, name: form.name(), number: 1, total: 1, by });
                watch.found(by_yosys(core, form, limits)?);
                1
            }
            Property::Stream => {
                watch.found(no_path(&core.design));
                1
            }
            Property::Lanes => {
                watch.found(is_pipeline(core));
                1
            }
            Property::Spec | Property::Elastic | Property::Apart | Property::Inverse => 0,
        };
        let decided = all_by_checkers(property, problems(core, property), before, checkers, limits, watch)?;
        if !decided {
            return Ok(());
        }
    }
    Ok(())
}

/// Proves the rules of an adapter.
///
/// # Errors
/// If a tool can't be started, or a file not be written.
pub fn prove_adapter(
    adapter: &Adapter,
    checkers: &[Checker],
    limits: Limits,
    watch: &mut impl Watch,
) -> Result<(), ToolError> {
    watch.found(no_path(&adapter.design));
    all_by_checkers(Property::Stream, adapters::problems(adapter), 1, checkers, limits, watch)?;
    Ok(())
}

/// Has checkers decide the problems of a property, `before` of which are already decided; gives whether all were asked.
fn all_by_checkers(
    property: Property,
    problems: Vec<Problem>,
    before: usize,
    checkers: &[Checker],
    limits: Limits,
    watch: &mut impl Watch,
) -> Result<bool, ToolError> {
    let total = before + problems.len();
    for (index, problem) in problems.into_iter().enumerate() {
        if limits.stop.load(Ordering::SeqCst) {
            return Ok(false);
        }
        let (name, number) = (problem.name, before + index + 1);
        let finding = by_checkers(property, problem, checkers, limits, |checker| {
            watch.begins(&Work { property, name, number, total, by: checker.to_string() });
        })?;
        watch.found(finding);
    }
    Ok(true)
}

/// The programs that decide `emitted`.
const YOSYS: &str = "Yosys, abc cec";

fn by_yosys(core: &Core, form: &Form, limits: Limits) -> Result<Finding, ToolError> {
    let start = Instant::now();
    let verdict = emitted::prove(std::slice::from_ref(core), form, limits)?.remove(0);
    Ok(Finding {
        property: Property::Emitted,
        name: form.name(),
        says: form.says(),
        verdict,
        by: YOSYS.to_owned(),
        seconds: start.elapsed().as_secs_f64(),
        problem: None,
    })
}

/// Whether every output comes from a register.
fn no_path(design: &Design) -> Finding {
    let start = Instant::now();
    let verdict = match stream::combinational_of(design) {
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

/// Checks that the registers of a core of several lanes form pipeline stages.
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
    asks: impl FnMut(&Checker),
) -> Result<Finding, ToolError> {
    let start = Instant::now();
    let (verdict, by) = decide(&problem, checkers, limits, asks)?;
    let seconds = start.elapsed().as_secs_f64();
    let Problem { name, says, .. } = problem;
    Ok(Finding { property, name, says, verdict, by, seconds, problem: Some(problem) })
}

/// A problem with all its failures, and its parts.
pub(super) fn whole_and_parts(problem: &Problem) -> Result<(Aiger, Vec<Aiger>), TooLarge> {
    let in_parts = |most| parts(&problem.design, problem.start, most);
    Ok((in_parts(usize::MAX)?.remove(0), in_parts(FAILURES)?))
}

/// Decides a problem in which registers that are alike are there once: failures that one cycle rules out first, and then the others.
fn decide_once(checker: Checker, once: &Logic, limits: Limits) -> Result<Verdict, ToolError> {
    let began = Instant::now();
    let left = || Limits { time: limits.time.saturating_sub(began.elapsed()), ..limits };
    let questions = Questions::new(once);
    let mut zeros = Vec::new();
    for problem in &questions.problems {
        zeros.extend(checker.zeros(problem, left())?);
    }
    let may_happen = questions.may_happen(&zeros);
    let failures = once.output_names.iter().cloned().zip(once.outputs.iter().copied());
    let (output_names, outputs): (Vec<_>, Vec<_>) =
        failures.zip(may_happen).filter_map(|(failure, may_happen)| may_happen.then_some(failure)).unzip();
    if outputs.is_empty() {
        return Ok(Verdict::Proved { how: "one cycle is enough".to_owned() });
    }
    let others = Logic { output_names, outputs, ..once.clone() }.without_dead_registers();
    checker.check(&Aiger::sequential(&others), Merging::InOneState, left())
}

/// Has checkers decide a problem. A problem with several failures is tried as a whole first, for a part of the time, and then in parts. Returns
/// the verdict and the last checker that was asked; `asks` is called with each.
///
/// # Errors
/// If a tool can't be started, or a file not be written.
pub fn decide(
    problem: &Problem,
    checkers: &[Checker],
    limits: Limits,
    mut asks: impl FnMut(&Checker),
) -> Result<(Verdict, String), ToolError> {
    let (whole, parts) = match whole_and_parts(problem) {
        Err(error) => return Ok((undecided(error.to_string()), String::new())),
        Ok(files) => files,
    };
    let once = match problem.merging {
        Merging::InOneState => {
            failures(&problem.design, problem.start).ok().and_then(|logic| with_alike_once(&logic))
        }
        Merging::None | Merging::Plain | Merging::Swept | Merging::Collapsed => None,
    };
    let (mut verdict, mut by) = (undecided("there is no checker"), String::new());
    for checker in checkers {
        asks(checker);
        by = checker.to_string();
        let began = Instant::now();
        if let Some(once) = &once {
            verdict = decide_once(*checker, once, Limits { time: limits.time / 2, ..limits })?;
            if matches!(verdict, Verdict::Proved { .. }) {
                break;
            }
            verdict = undecided("random inputs do not tell all registers apart");
        }
        let is_left = |verdict: &Verdict| matches!(verdict, Verdict::Undecided { .. });
        let mut relations = Relations::default();
        if let Some(text) = problem.text {
            // Most problems are quick to prove without relations, which don't help a checker that fails.
            let time = limits.time / QUICK;
            verdict = checker.check(&whole, problem.merging, Limits { time, ..limits })?;
            if is_left(&verdict) && began.elapsed() >= (time / 2).max(FAILS_WITHIN) {
                relations = Relations::seen(&whole, text);
            }
        }
        if parts.len() > 1 && is_left(&verdict) {
            // Each part would need the sweep of the whole again.
            let is_whole_best = !relations.is_empty() || problem.merging == Merging::Swept;
            let part = if is_whole_best { RELATED } else { WHOLE };
            let limits = Limits { time: limits.time / part, ..limits };
            verdict = relations.check(*checker, &whole, problem.merging, limits)?;
        }
        if is_left(&verdict) {
            // Relations are about latches of the whole.
            let of_whole = whole.bad.chunks(FAILURES).map(|bad| Aiger { bad: bad.to_vec(), ..whole.clone() });
            let of_whole = (!relations.is_empty()).then(|| of_whole.collect());
            for part in of_whole.as_ref().unwrap_or(&parts) {
                let spent = if parts.len() > 1 { began.elapsed() } else { Duration::ZERO };
                let limits = Limits { time: limits.time.saturating_sub(spent), ..limits };
                verdict = relations.check(*checker, part, problem.merging, limits)?;
                match &mut verdict {
                    Verdict::Proved { how } if parts.len() > 1 => *how = format!("{} parts", parts.len()),
                    Verdict::Proved { .. } => {}
                    _ => break,
                }
            }
        }
        if !matches!(verdict, Verdict::Undecided { .. }) {
            break;
        }
        if parts.len() > 1 && began.elapsed() >= limits.time && !limits.stop.load(Ordering::SeqCst) {
            verdict = undecided(format!("no answer in {} s", limits.time.as_secs()));
        }
    }
    Ok((verdict, by))
}
