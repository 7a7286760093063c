//! `utfhdl completions`: scripts that complete commands in a shell.
//!
//! The scripts hold no list of options: while somebody types, they ask this program for candidates, by starting it with the
//! variable [`VARIABLE`] set. So they stay right when the program changes, and know the values of every argument.

use std::any::TypeId;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use clap_complete::{CompleteEnv, Shell};
use utfhdl::cosim::Framing;
use utfhdl::engines::EngineKind;
use utfhdl_hdl::core::adapters::AdapterName;
use utfhdl_hdl::core::{Axis, Bus, ErrorMode, Packing, Role, Stall, Steps, Storage, System, Verdict};
use utfhdl_hdl::netlist::ResetStyle;

use super::core::EngineChoice;
use super::{Outcome, output, program};

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  utfhdl completions bash > ~/.local/share/bash-completion/completions/utfhdl
  utfhdl completions fish > ~/.config/fish/completions/utfhdl.fish
  source <(utfhdl completions zsh)      in ~/.zshrc, behind compinit

The scripts ask the program itself for candidates while you type, so it must be on the path.")]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// The variable by which a script asks for candidates: it names the shell.
const VARIABLE: &str = "UTFHDL_COMPLETE";

/// The shells there are scripts for.
const SHELLS: Shells<'static> = Shells(&[&JoinedBash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Prints the script.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let shell = SHELLS.completer(&args.shell.to_string()).expect("there is a script for each shell");
    let mut script = Vec::new();
    shell.write_registration(
        VARIABLE,
        "utfhdl",
        "utfhdl",
        &program::path().to_string_lossy(),
        &mut script,
    )?;
    output::print(|out| out.write_all(&script))?;
    Ok(Outcome::Well)
}

/// Answers a script, if it is a script that started the program; says whether it was.
pub fn answer(command: fn() -> Command) -> io::Result<bool> {
    let complete = CompleteEnv::with_factory(command).var(VARIABLE).shells(SHELLS);
    complete.try_complete(env::args_os(), env::current_dir().ok().as_deref()).map_err(io::Error::other)
}

/// Lets the shells complete the values of an argument, by what they are. Where a system is expected, there may be an adapter.
pub fn with_candidates(arg: Arg, takes_adapters: bool) -> Arg {
    let of = arg.get_value_parser().type_id();
    let is = |known: TypeId| of == known;
    if is(TypeId::of::<PathBuf>()) {
        return arg.value_hint(ValueHint::AnyPath);
    }
    let candidates: fn() -> Vec<String> = match () {
        () if is(TypeId::of::<System>()) && takes_adapters => {
            || [systems(), texts(&AdapterName::ALL)].concat()
        }
        () if is(TypeId::of::<System>()) => systems,
        () if is(TypeId::of::<AdapterName>()) => || texts(&AdapterName::ALL),
        () if is(TypeId::of::<Role>()) => roles,
        () if is(TypeId::of::<EngineKind>()) => || texts(EngineKind::ALL),
        () if is(TypeId::of::<EngineChoice>()) => {
            || [vec!["reference".to_owned()], texts(EngineKind::ALL)].concat()
        }
        () if is(TypeId::of::<ResetStyle>()) => || texts(&ResetStyle::ALL),
        () if is(TypeId::of::<ErrorMode>()) => || texts(&ErrorMode::ALL),
        () if is(TypeId::of::<Axis>()) => || texts(&Axis::ALL),
        () if is(TypeId::of::<Bus>()) => || texts(&Bus::ALL),
        () if is(TypeId::of::<Packing>()) => || texts(&Packing::ALL),
        // Runs have percentages, too.
        () if is(TypeId::of::<Stall>()) || arg.get_id() == "stall" => || texts(&Stall::ALL),
        () if is(TypeId::of::<Storage>()) => || texts(&Storage::ALL),
        () if is(TypeId::of::<Steps>()) => || texts(&Steps::all().collect::<Vec<_>>()),
        () if is(TypeId::of::<Framing>()) => || ["whole", "random"].map(str::to_owned).to_vec(),
        () if arg.get_id() == "lanes" || arg.get_id() == "to_lanes" => lanes,
        // Arguments of `report`: systems and roles, in any order.
        () if arg.get_id() == "names" => || [systems(), roles(), vec!["transcoder".to_owned()]].concat(),
        () => return arg,
    };
    arg.add(ArgValueCandidates::new(move || {
        candidates().into_iter().map(CompletionCandidate::new).collect::<Vec<_>>()
    }))
}

/// The systems, and the options that make other cores of them.
fn systems() -> Vec<String> {
    let is_no_table = |system: &System| !matches!(system, System::Table(_));
    let systems = System::variants()
        .filter(is_no_table)
        .chain(System::tables())
        .chain(System::multi_octet())
        .chain(System::of_software())
        .chain(System::wide_hunks().filter(|hunk| !System::variants().any(|system| system == *hunk)));
    systems.map(|system| system.to_string()).collect()
}

fn roles() -> Vec<String> {
    let transcoders = System::variants().map(|to| Role::Transcoder { to });
    [Role::Decoder, Role::Encoder, Role::Validator(Verdict::default())]
        .into_iter()
        .chain(transcoders)
        .map(|role| role.to_string())
        .collect()
}

/// The numbers of lanes that some core comes in.
fn lanes() -> Vec<String> {
    let mut lanes: Vec<u32> = System::all()
        .flat_map(|system| {
            [
                Role::Decoder,
                Role::Encoder,
                Role::Transcoder { to: system },
                Role::Validator(Verdict::default()),
            ]
            .map(|role| role.lanes(system))
        })
        .flatten()
        .copied()
        .collect();
    lanes.sort();
    lanes.dedup();
    texts(&lanes)
}

fn texts(all: &[impl ToString]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

/// Bash, which ends words at each `:` and `=`: its script puts `transcoder:utf-8` together again.
struct JoinedBash;

impl EnvCompleter for JoinedBash {
    fn name(&self) -> &'static str {
        Bash.name()
    }

    fn is(&self, name: &str) -> bool {
        Bash.is(name)
    }

    fn write_registration(
        &self,
        variable: &str,
        _name: &str,
        _bin: &str,
        completer: &str,
        script: &mut dyn Write,
    ) -> io::Result<()> {
        let completer = utfhdl::shell::quoted(completer.as_ref());
        let text = include_str!("utfhdl.bash").replace("VARIABLE", variable).replace("COMPLETER", &completer);
        script.write_all(text.as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        candidates: &mut dyn Write,
    ) -> io::Result<()> {
        Bash.write_complete(command, words, folder, candidates)
    }
}
