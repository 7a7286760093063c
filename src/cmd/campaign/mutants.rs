//! `utfhdl campaign --mutants`: what notices each of some mutants of a core.

use std::num::NonZero;
use std::time::Duration;

use anyhow::Context;
use serde_json::json;
use utfhdl::fault::SignalFault;
use utfhdl::prove::checker::Checker;
use utfhdl::prove::mutants::{Effort, Fate, Trial, choose, fault, is_tried, score};
use utfhdl::prove::program::Limits;
use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Mutant, mutants};

use super::{ProgressBar, ProgressStyle};
use crate::cmd::Outcome;
use crate::cmd::output::{self, message};
use crate::cmd::signals::Stop;

/// The mutants to try: `count` of all, or the one of a fault.
pub(super) fn chosen(
    core: &Core,
    count: usize,
    seed: u64,
    only: Option<&SignalFault>,
) -> anyhow::Result<Vec<Mutant>> {
    let Some(only) = only else { return Ok(choose(core, count, seed)) };
    let found = mutants(&core.design).into_iter().find(|mutant| fault(mutant) == *only);
    Ok(vec![found.with_context(|| format!("--fault {only}: the core has no such mutant"))?])
}

/// Tries mutants of a core, with a limit of `seconds` for each checker. The outcome is that of a failure if one is alive.
pub(super) fn run(
    core: &Core,
    chosen: &[Mutant],
    seed: u64,
    seconds: NonZero<u32>,
    is_json: bool,
) -> anyhow::Result<Outcome> {
    let stop = Stop::when_asked();
    let checkers = Checker::installed();
    if checkers.is_empty() {
        message(
            "warning: yosys-abc was not found: no mutant is proved to be equivalent; install the package `yosys`",
        );
    }
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} mutants, {eta} left");
    let bar = ProgressBar::new(chosen.len() as u64).with_style(style.expect("the template is well-formed"));
    let limits = Limits { time: Duration::from_secs(seconds.get().into()), stop: stop.flag() };
    let mut trials = Vec::new();
    // A mutant can make the bench panic, which is how it is noticed.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_tried() {
            hook(panic);
        }
    }));
    let ran = score(core, chosen, Effort { seed, limits }, &checkers, |trial| {
        bar.inc(1);
        if let Some(alive) = alive(core, &trial) {
            bar.suspend(|| message(alive));
        }
        trials.push(trial);
    });
    drop(std::panic::take_hook());
    bar.finish_and_clear();
    ran?;
    let alive = trials.iter().filter(|trial| matches!(trial.fate, Fate::Alive(_))).count();
    message(summary(core, &trials));
    if is_json {
        output::print_json_indented(
            &json!({ "core": core.spec.to_string(), "seed": seed, "trials": trials }),
        )?;
    }
    Ok(if alive > 0 { Outcome::Amiss } else { Outcome::Well })
}

/// The summary of the trials: how many mutants met each fate.
fn summary(core: &Core, trials: &[Trial]) -> String {
    let count = |is: fn(&Fate) -> bool| trials.iter().filter(|trial| is(&trial.fate)).count();
    format!(
        "{}: {} mutants: {} noticed by simulation, {} by proof, {} equivalent, {} with the properties of the core, {} alive",
        core.spec.in_short(),
        trials.len(),
        count(|fate| matches!(fate, Fate::Simulation(_))),
        count(|fate| matches!(fate, Fate::Proof(_))),
        count(|fate| matches!(fate, Fate::Equivalent(_))),
        count(|fate| matches!(fate, Fate::Conforms(_))),
        count(|fate| matches!(fate, Fate::Alive(_))),
    )
}

/// A mutant that is alive, with the command that runs the core with it; `None` for other mutants.
fn alive(core: &Core, trial: &Trial) -> Option<String> {
    let Trial { fault, change, fate: Fate::Alive(said), .. } = trial else { return None };
    let command = format!("utfhdl cosim {} --random 100000 --stall 30 --fault {fault}", core.spec);
    Some(format!("alive: {change} ({said})\n    {command}"))
}
