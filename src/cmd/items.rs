//! Files of units or slots that `utfhdl cosim` reads.

use std::io::Write;
use std::path::PathBuf;
use utfhdl_sim::shown::Shown as _;

use anyhow::Context;
use utfhdl::cosim::Source;
use utfhdl::promise::Item;
use utfhdl_codec::units::{UnitFormat, UnitWriter};
use utfhdl_hdl::core::{Core, Role};
use utfhdl_sim::scratch::ScratchFile;

/// Writes units, or for an encoder slots, to a file. `file` gives its path by the extension.
pub fn write(
    items: &[Item],
    core: &Core,
    file: impl Fn(&str) -> PathBuf,
) -> anyhow::Result<(PathBuf, Source)> {
    let mut bytes = Vec::new();
    let (path, source) = if core.spec.role == Role::Encoder {
        for item in items {
            writeln!(bytes, "{}", item.slot_in_words())?;
        }
        let path = file("slots");
        (path.clone(), Source::Lines { path })
    } else {
        let unit_bits = core.spec.system.unit_bits();
        let format = UnitFormat::default_for(unit_bits);
        let mut writer = UnitWriter::new(&mut bytes, format, unit_bits)?;
        writer.write(&items.iter().map(|item| item.unit()).collect::<Vec<_>>())?;
        writer.finish()?;
        let path = file("units");
        (path.clone(), Source::Units { path, format })
    };
    let cannot_write = || format!("cannot write {}", path.shown());
    let mut beside = ScratchFile::beside(&path).with_context(cannot_write)?;
    beside.write_all(&bytes).with_context(cannot_write)?;
    beside.persist(&path).with_context(cannot_write)?;
    Ok((path, source))
}
