//! The files that the page offers for download: each with the bytes that the command line writes.

use std::path::Path;

use serde_json::{Value, json};
use utfhdl::cosim::{WaveChoice, WaveFormat, Waves};
use utfhdl::deliverables::{self, Deliverable};
use utfhdl_codec::lines::{LineFormat, LineWriter};
use utfhdl_codec::{Codec, Event, Slot};
use utfhdl_hdl::core::Role;

use crate::run;
use crate::setup::{About, Problem, Setup, file_of, input_name};
use crate::zip::zip as zipped;

/// Code points of more digits are written as their number of digits, as `decode` does.
const MOST_DIGITS: u64 = 1 << 20;

fn named(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> (Value, Vec<u8>) {
    let name: String = name.into();
    (json!({ "name": name }), bytes.into())
}

/// The Verilog, as `generate` writes it.
pub fn verilog(setup: &Setup) -> (Value, Vec<u8>) {
    named(format!("{}.v", setup.core.design.top.name()), setup.core.verilog_with(&setup.files.text))
}

/// The files of `generate --with all`, in a folder of the core's name.
pub fn zip(setup: &Setup) -> (Value, Vec<u8>) {
    let (core, text) = (&setup.core, setup.files.text);
    let name = core.design.top.name();
    let mut files = vec![
        (format!("{name}.v"), core.verilog_with(&text)),
        (format!("{name}.json"), deliverables::manifest(core, &text)),
    ];
    let others = deliverables::files(core, &Deliverable::ALL, setup.files);
    files.extend(others.into_iter().map(|file| (file.path, file.text)));
    let files = files.into_iter().map(|(path, text)| (format!("{name}/{path}"), text.into_bytes()));
    named(format!("{name}.zip"), zipped(files))
}

/// The waves of the run, as `cosim --wave` writes them, with the files of the viewers.
pub fn waves(setup: &Setup, format: WaveFormat) -> Result<(Value, Vec<u8>), Problem> {
    let wrong = |error: &dyn ToString| Problem::new(About::Run, error.to_string());
    let core = &setup.cosim.core;
    let name = format!("{}.{}", core.design.top.name(), format.extension());
    let choice = WaveChoice { format, ..WaveChoice::all_from(0) };
    let engine = utfhdl::engines::EngineKind::Native.start(core).map_err(|error| wrong(&error))?;
    let mut waves =
        Waves::in_memory(Path::new(&name), core, &[engine], &choice).map_err(|error| wrong(&error))?;
    if let (_, Some(failure)) = run::simulate(setup, &mut waves)? {
        waves.mark_failure(failure.cycle);
    }
    let files = waves.finish_in_memory().map_err(|error| wrong(&error))?;
    Ok(named(format!("{}.zip", core.design.top.name()), zipped(files)))
}

/// The page of `trace`.
pub fn page(setup: &Setup) -> Result<(Value, Vec<u8>), Problem> {
    let (trace, _) = run::trace(setup, None)?;
    Ok(named(format!("{}.html", trace.module), trace.page(&setup.command)))
}

/// The lines of `decode`.
pub fn events(setup: &Setup) -> Result<(Value, Vec<u8>), Problem> {
    if setup.core.spec.role == Role::Encoder {
        return Err(Problem::new(About::Input, "an encoder takes code points: there is nothing to decode"));
    }
    let units: Vec<u32> = setup.items()?.iter().map(|item| item.unit()).collect();
    let mut text = Vec::new();
    let mut lines = LineWriter::new(&mut text, LineFormat::Text, MOST_DIGITS);
    let mut decoder = setup.core.spec.system.decoder();
    let mut events = [Event { offset: 0, length: 0, what: Slot::CodePoint(0) }; 64];
    let mut rest = &units[..];
    loop {
        let progress = decoder.decode(rest, &mut events, true);
        rest = &rest[progress.read..];
        let written = events[..progress.written].iter().try_for_each(|&event| lines.event(event));
        written.map_err(Problem::page)?;
        if progress.finished {
            break;
        }
    }
    lines.flush().map_err(Problem::page)?;
    drop(lines);
    Ok(named("events.txt", text))
}

/// The input as a file of `cosim` and `trace`.
pub fn input(setup: &Setup) -> Result<(Value, Vec<u8>), Problem> {
    Ok(named(input_name(&setup.core), file_of(&setup.core, setup.items()?)?))
}
