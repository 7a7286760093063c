//! Helpers of the examples that write Verilog.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::scratch::ScratchFile;

/// Writes the Verilog of `design` to a file of the design's name in `folder`, and makes the folder if necessary. A file that is up to
/// date keeps its time, so that make rebuilds nothing.
///
/// # Errors
/// If the file can't be written.
pub fn write_verilog(
    design: &Design,
    command: String,
    facts: Vec<(String, String)>,
    folder: &Path,
) -> anyhow::Result<()> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let text = verilog(design, &Header { command, version, facts, ..Header::default() });
    let path = folder.join(format!("{}.v", design.top.name()));
    if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    let write = || {
        fs::create_dir_all(folder)?;
        let mut file = ScratchFile::beside(&path)?;
        file.write_all(text.as_bytes())?;
        file.persist(&path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}
