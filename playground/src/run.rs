//! A run, as the page shows it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utfhdl::cosim::{CosimError, Failure, Observer, Report};
use utfhdl::engines::EngineKind;
use utfhdl::explain::{Explanation, html};
use utfhdl::trace::{Recorder, Trace};
use utfhdl_hdl::core::Role;
use utfhdl_hdl::netlist::Module;

use crate::setup::{About, Problem, Setup};

/// The most units of a sequence that is explained.
const MOST_EXPLAINED: usize = 64;

/// The Verilog and the run, or its first `cycles` cycles: a JSON text, and the words of the trace.
pub fn answer(setup: &Setup, cycles: Option<usize>) -> Result<(Value, Vec<u8>), Problem> {
    let core = setup.shown();
    let mut instances = BTreeMap::new();
    add_instances(&core.design.top, "", &mut instances);
    let mut answer = json!({
        "module": core.design.top.name(),
        "verilog": core.verilog_with(&setup.files.text),
        "instances": instances,
        "latency": core.latency,
        "command": setup.command,
        "generate": setup.generate,
        "note": setup.note,
    });
    // Without a run there is Verilog all the same.
    match trace(setup, cycles) {
        Ok((trace, report)) => {
            let is_part = setup.is_cut || cycles == Some(trace.cycles);
            answer["part"] = json!(is_part && trace.failure.is_none());
            answer["report"] = json!(report);
            Ok((answer, trace.words(&setup.command)))
        }
        Err(problem) => {
            answer["problem"] = json!(problem);
            Ok((answer, Vec::new()))
        }
    }
}

/// The run, or its first `cycles` cycles, as a picture, and the counts of a run without a failure.
pub fn trace(setup: &Setup, cycles: Option<usize>) -> Result<(Trace, Option<Report>), Problem> {
    let wrong = |error: &dyn ToString| Problem::new(About::Run, error.to_string());
    let core = &setup.cosim.core;
    let last = cycles.map_or(u64::MAX, |cycles| (cycles as u64).saturating_sub(1));
    let mut recorder = Recorder::new(core, 0..=last).map_err(|error| wrong(&error))?;
    let (report, failure) = simulate(setup, &mut recorder)?;
    let trace = Trace::new(core, recorder, failure.as_deref()).map_err(|error| wrong(&error))?;
    Ok((trace, report))
}

/// Runs the core, and gives its report, or its failure.
pub fn simulate(
    setup: &Setup,
    observer: &mut dyn Observer,
) -> Result<(Option<Report>, Option<Box<Failure>>), Problem> {
    let wrong = |error: &dyn ToString| Problem::new(About::Run, error.to_string());
    let mut engines = [EngineKind::Native.start(&setup.cosim.core).map_err(|error| wrong(&error))?];
    match setup.cosim.run(&mut engines, Some(observer), &mut |_| ()) {
        Ok(report) => Ok((Some(report), None)),
        Err(CosimError::Failure(failure)) => Ok((None, Some(failure))),
        Err(error) => Err(wrong(&error)),
    }
}

/// The module of each instance, by its path.
fn add_instances(module: &Module, path: &str, instances: &mut BTreeMap<String, String>) {
    instances.insert(path.to_owned(), module.name().to_owned());
    for instance in module.instances() {
        let separator = if path.is_empty() { "" } else { "." };
        add_instances(&instance.module, &format!("{path}{separator}{}", instance.name), instances);
    }
}

/// The input bit by bit, as HTML: of a decoder, transcoder or validator, whose input is units.
pub fn explain(setup: &Setup) -> Result<String, Problem> {
    let (core, items) = (&setup.core, setup.items()?);
    if core.spec.role == Role::Encoder {
        return Err(Problem::new(
            About::Input,
            "an encoder takes code points, which have no bits to explain",
        ));
    }
    let units: Vec<u32> = items.iter().take(MOST_EXPLAINED).map(|item| item.unit()).collect();
    let system = core.spec.system;
    let sequences = Explanation::new(system, &units).sequences;
    Ok(sequences.iter().map(|sequence| html::sequence(sequence, system.unit_bits())).collect())
}
