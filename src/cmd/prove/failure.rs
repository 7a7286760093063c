//! The results of a counterexample: its cycles, its input as a file, and a co-simulation that fails, if there is one.

use std::fs;
use std::path::Path;
use utfhdl_sim::shown::Shown as _;

use anyhow::Context;
use utfhdl::cosim::{Cosim, CosimError, Source, Stalls};
use utfhdl::engines::EngineKind;
use utfhdl::fault::SignalFault;
use utfhdl::promise::{Beat, Carries, Item, Ports, marks_in_words};
use utfhdl::prove::property::Problem;
use utfhdl::prove::trace::{self, Cycle};
use utfhdl::prove::verdict::Counterexample;
use utfhdl::shell;
use utfhdl_hdl::core::Core;

use crate::cmd::output::message;
use crate::cmd::{cosim, items};

/// Stalls of source and sink, and seeds, with which co-simulation is tried.
const STALLS: [u8; 4] = [0, 30, 60, 90];
const SEEDS: u64 = 25;

/// Prints the cycles of a counterexample, writes the units or slots that the core takes to a file, and searches for a co-simulation with
/// that file as input that fails. Returns the command that repeats the failure.
pub(super) fn leave(
    core: &Core,
    problem: &Problem,
    found: &Counterexample,
    fault: Option<&SignalFault>,
    folder: &Path,
) -> anyhow::Result<Option<String>> {
    let cycles = trace::run(core, problem, found)?;
    message(drawn(&Ports::new(core), &cycles));
    let (given, framing) = trace::stimulus(&cycles);
    if given.is_empty() {
        message("the core takes nothing in this run, so there is no co-simulation of it");
        return Ok(None);
    }
    let failing = |source: &Source, stall: u8, seed: u64| {
        let stalls = Stalls { source: stall, sink: stall };
        let cosim = Cosim {
            core: core.clone(),
            source: source.clone(),
            framing: framing.clone(),
            stalls,
            resets: 0,
            seed,
        };
        let mut engines = vec![EngineKind::Native.start(core).ok()?];
        match cosim.run(&mut engines, None, &mut |_| ()) {
            Err(CosimError::Failure(failure)) => Some((cosim, failure)),
            _ => None,
        }
    };
    let given_source = Source::Given(given.clone());
    let runs = STALLS
        .into_iter()
        .flat_map(|stall| (1..=if stall == 0 { 1 } else { SEEDS }).map(move |seed| (stall, seed)));
    let Some((mut cosim, failure)) =
        runs.into_iter().find_map(|(stall, seed)| failing(&given_source, stall, seed))
    else {
        message(
            "co-simulation of this input does not fail: the stalls or the reset of the run above are needed",
        );
        return Ok(None);
    };
    message(format!("{}: {failure}", core.design.top.name()));
    if folder != Path::new("") {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.shown()))?;
    }
    let fault_name = fault.map_or(String::new(), |fault| format!("-{fault}"));
    let stem = format!("{}{fault_name}-{}.failure", core.design.top.name(), problem.name);
    let file = |extension: &str| folder.join(format!("{stem}.{extension}"));
    (_, cosim.source) = items::write(&given, core, file)?;
    let written =
        cosim::write_waves(&cosim, &[EngineKind::Native], &file("vcd"), 0).context("there are no waves")?;
    message(&written);
    let mut command = cosim.replay(&[EngineKind::Native]).context("a file was written")?;
    if let Some(fault) = fault {
        command += &format!(" --fault {}", shell::quoted(fault.to_string().as_ref()));
    }
    message(format!("to repeat it: {command}"));
    Ok(Some(command))
}

/// The cycles, a line each: what is offered to the core and what the core offers, in brackets where it is not taken.
fn drawn(ports: &Ports, cycles: &[Cycle]) -> String {
    let lines = cycles.iter().enumerate().map(|(index, cycle)| {
        let input = side(cycle.offered.as_ref(), cycle.takes, ports.carries_in());
        let output = side(cycle.out.as_ref(), cycle.sink_takes, ports.carries_out());
        format!("cycle {index:3}  s_axis {input:24}  m_axis {output}").trim_end().to_owned() + "\n"
    });
    lines.collect()
}

fn side(beat: Option<&Beat>, is_taken: bool, carries: Carries) -> String {
    let Some(beat) = beat else { return ".".to_owned() };
    let item = |item: &Item| match carries {
        Carries::Units(_) => format!("{:02X}", item.data),
        Carries::Marked { verdict, .. } => format!("{:02X}{}", item.data, marks_in_words(verdict, item.user)),
        Carries::Slots(_) => item.slot_in_words(),
    };
    let items: Vec<String> = beat.items.iter().map(item).collect();
    let items = if items.is_empty() { "empty".to_owned() } else { items.join("+") };
    let text = items + if beat.last { "|" } else { "" };
    if is_taken { text } else { format!("[{text}]") }
}
