//! Files of certificates.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::Context;
use utfhdl::prove::certificate::{Certificate, certify};
use utfhdl::prove::program::Limits;
use utfhdl::prove::run::Finding;
use utfhdl_sim::aig::Aiger;
use utfhdl_sim::scratch::ScratchFile;
use utfhdl_sim::shown::Shown as _;

use super::table::Row;
use crate::cmd::output::message;

/// Writes certificates of what was proved of a module into a folder, and enters them in the rows. Gives the number of problems that have
/// none, of which a message says why.
pub(super) fn certify_all(
    module: &str,
    proved: &[Finding],
    folder: &Path,
    limits: Limits,
    rows: &mut [Row],
) -> anyhow::Result<usize> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.shown()))?;
    let mut written = 0;
    for finding in proved {
        if limits.stop.load(Ordering::SeqCst) {
            break;
        }
        let problem = finding.problem.as_ref().expect("a checker proved a problem");
        match certify(problem, limits)? {
            Ok(certificates) => {
                let files = write_all(&certificates, &folder.join(format!("{module}-{}", finding.name)))?;
                written += 1;
                if let Some(row) = rows.iter_mut().find(|row| row.is_of(finding)) {
                    row.certificate = files;
                }
            }
            Err(why) => message(format!("{}: no certificate: {why}", finding.name)),
        }
    }
    message(format!("wrote certificates of {written} proofs to {}", folder.shown()));
    Ok(proved.len() - written)
}

/// Writes the certificates of a problem to files whose names begin alike, and gives the names.
fn write_all(certificates: &[Certificate], path: &Path) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    for (number, Certificate { problem, invariant }) in (1..).zip(certificates) {
        let part = if certificates.len() > 1 { format!("-part-{number}") } else { String::new() };
        for (file, of) in [(problem, ""), (invariant, ".invariant")] {
            let mut name = path.as_os_str().to_owned();
            name.push(format!("{part}{of}.aig"));
            let path = PathBuf::from(name);
            write(file, &path)?;
            files.push(path.shown().to_string());
        }
    }
    Ok(files)
}

/// Writes an AIGER file beside its place, and moves it there.
pub(super) fn write(file: &Aiger, path: &Path) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write {}", path.shown());
    let mut beside = BufWriter::new(ScratchFile::beside(path).with_context(cannot_write)?);
    file.write(&mut beside).and_then(|()| beside.flush()).with_context(cannot_write)?;
    let beside = beside.into_inner().map_err(|error| error.into_error()).with_context(cannot_write)?;
    beside.persist(path).with_context(cannot_write)?;
    Ok(())
}
