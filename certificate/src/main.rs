//! `check-certificate`: whether an invariant proves that a circuit never reaches a bad state.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use utfhdl_certificate::{Circuit, check};

/// Check that an invariant proves that a circuit never reaches a bad state
///
/// Asks a SAT solver three questions: whether the circuit can start outside of the invariant, whether it can leave it, and whether the invariant
/// has a bad state. The exit code is 0 if the answer to each is no, 1 if one is yes, and 2 if a file cannot be read.
#[derive(Parser)]
#[command(version, about)]
struct Args {
    /// The circuit: a binary AIGER file with bad states, or with outputs that must never be 1
    problem: PathBuf,
    /// The invariant: a binary AIGER file with an input for each latch of the circuit, and one output
    invariant: PathBuf,
}

fn read(path: &Path) -> Result<Circuit, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Circuit::read(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn main() -> ExitCode {
    let Args { problem, invariant } = Args::parse();
    let files = read(&problem).and_then(|circuit| Ok((circuit, read(&invariant)?)));
    let (circuit, found) = match files {
        Ok(files) => files,
        Err(error) => {
            eprintln!("check-certificate: {error}");
            return ExitCode::from(2);
        }
    };
    match check(&circuit, &found) {
        Ok(()) => {
            let (latches, ands) = (circuit.latches.len(), found.ands.len());
            println!("{}: proved, by an invariant of {ands} ANDs on {latches} latches", problem.display());
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("check-certificate: {}: {fault}", invariant.display());
            ExitCode::from(1)
        }
    }
}
