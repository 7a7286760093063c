//! What is told of an input that fails.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use utfhdl::campaign::{self, Campaign, Failing};
use utfhdl::cosim::Source;
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_codec::units::{UnitFormat, UnitWriter};
use utfhdl_hdl::core::Role;

use crate::cmd::cosim;
use crate::cmd::output::message;

/// Looks for the shortest input that fails, co-simulates it with waves, and says how to do that again.
pub(super) fn show(campaign: &Campaign, failing: &Failing) -> anyhow::Result<()> {
    let module = campaign.core.design.top.name();
    let Some(shrunk) = campaign::shrink(campaign, failing)? else {
        message(format!(
            "{module}: co-simulation finds nothing wrong with it: this is a mistake of the batch engine"
        ));
        return Ok(());
    };
    let frames: Vec<String> = shrunk.frames.iter().map(|frame| campaign.in_words(frame)).collect();
    let shortest =
        if shrunk.is_shortest { "the shortest input that fails" } else { "what fails, less what can go" };
    message(format!("{shortest}: {}", frames.join(" | ")));
    message(format!("{module}: {}", shrunk.failure));
    let mut cosim = shrunk.cosim;
    if let Source::Given(items) = &cosim.source {
        // From a file the same can be run again.
        cosim.source = write(items, campaign)?;
    }
    let engines = [EngineKind::Native];
    let path = PathBuf::from(format!("{module}.failure.vcd"));
    let waves = cosim::waves(&path, &cosim, &engines, 0)?;
    if let (_, Some(files)) = cosim::run_engines(&cosim, &engines, Some(waves))? {
        message(files);
    }
    if let Some(command) = cosim.replay(&engines) {
        message(format!("to repeat it: {command}"));
    }
    Ok(())
}

/// Writes units, or of an encoder slots, to a file that `cosim` reads.
fn write(items: &[Item], campaign: &Campaign) -> anyhow::Result<Source> {
    let module = campaign.core.design.top.name();
    let mut bytes = Vec::new();
    let source = if campaign.core.spec.role == Role::Encoder {
        items
            .iter()
            .for_each(|item| bytes.extend_from_slice(format!("{}\n", item.slot_in_words()).as_bytes()));
        Source::Lines { path: PathBuf::from(format!("{module}.failure.slots")) }
    } else {
        let unit_bits = campaign.system.unit_bits();
        let format = UnitFormat::default_for(unit_bits);
        let mut writer = UnitWriter::new(&mut bytes, format, unit_bits)?;
        writer.write(&items.iter().map(|item| item.unit()).collect::<Vec<_>>())?;
        writer.finish()?;
        Source::Units { path: PathBuf::from(format!("{module}.failure.units")), format }
    };
    if let Source::Lines { path } | Source::Units { path, .. } = &source {
        fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(source)
}
