//! `utfhdl completions`: scripts that complete commands in a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Outcome, output};

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  utfhdl completions bash > ~/.local/share/bash-completion/completions/utfhdl"
)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    // Into memory first: the generator takes a closed pipe for a reason to panic.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "utfhdl", &mut script);
    output::print(|out| out.write_all(&script))?;
    Ok(Outcome::Well)
}
