//! The units of standard input.

use utfhdl_codec::System;

use crate::cmd::files;

/// Reads the units of standard input, in the format that files of the system have. Calls `each` with every piece that comes,
/// and with whether it is the last.
pub(super) fn read(
    system: System,
    mut each: impl FnMut(&[u32], bool) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let input = files::open(None)?;
    let name = input.name.clone();
    let mut reader = input.units(system, None)?;
    let mut units = Vec::new();
    loop {
        units.clear();
        let read = reader.read(&mut units);
        each(&units, matches!(read, Ok(false)))?;
        if !read.map_err(|error| files::in_file(&name, error))? {
            return Ok(());
        }
    }
}
