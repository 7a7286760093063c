//! `utfhdl list`: the systems, and the cores and signals there are.

use std::io::{self, Write};

use anyhow::bail;
use serde::Serialize;
use utfhdl::engines::EngineKind;
use utfhdl::fault;
use utfhdl_codec::{MultiOctet, System};
use utfhdl_hdl::core::adapters::AdapterName;
use utfhdl_hdl::core::{Core, Role, Verdict};

use super::core::{CoreOptions, parse_role};
use super::{Outcome, output, values};

const EXAMPLES: &str = "\
Examples:
  utfhdl list                                  all systems
  utfhdl list utf-9 --json                     one system, for machines
  utfhdl list --signals utf-8 decoder          what `utfhdl cosim --fault` can be given";

/// Show the systems: aliases, options, unit widths, and the cores there are for them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Show this system only
    #[arg(value_parser = values::system_of_core)]
    system: Option<System>,

    /// With --signals: what the core does, decoder, encoder, transcoder:SYSTEM or validator
    #[arg(value_parser = parse_role, requires = "signals")]
    role: Option<Role>,

    /// Show the named signals of the core of SYSTEM and ROLE: path and bits, with a tab between
    #[arg(long, requires = "system", requires = "role")]
    signals: bool,

    #[command(flatten)]
    options: CoreOptions,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Names of character sets in a line.
const TABLES_A_LINE: usize = 5;

#[derive(Serialize)]
struct ListedSignal {
    path: String,
    bits: u32,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    aliases: &'static [&'static str],
    /// Names that mean the system with options.
    names_with_options: Vec<ListedName>,
    unit_bits: u32,
    /// Options with their defaults.
    options: Vec<ListedOption>,
    /// Limits of the system's code points and options.
    limits: &'static str,
    cores: Vec<ListedCore>,
}

#[derive(Serialize)]
struct ListedName {
    name: &'static str,
    means: String,
}

#[derive(Serialize)]
struct ListedOption {
    name: &'static str,
    default: String,
}

/// A core without a system.
#[derive(Clone, Serialize)]
struct ListedAdapter {
    name: String,
    about: &'static str,
}

#[derive(Serialize)]
struct ListedCore {
    role: &'static str,
    lanes: &'static [u32],
}

/// Lists as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    if let (Some(system), Some(role)) = (args.system, args.role) {
        return list_signals(&Core::new(args.options.spec(system, role)?)?, args.json);
    }
    if args.options != CoreOptions::default() {
        bail!("options of a core are for --signals SYSTEM ROLE: leave them out, or add it");
    }
    let entries: Vec<Entry> = match args.system {
        Some(system @ (System::Table(_) | System::MultiOctet(_) | System::Auto(_))) => vec![entry(system)],
        Some(chosen) => System::all()
            .chain(System::wide_hunks())
            .chain(System::of_software())
            .filter(|system| chosen.name() == system.name())
            .map(entry)
            .collect(),
        None => {
            let others = System::wide_hunks().chain(System::multi_octet()).chain(System::of_software());
            let systems = System::all().chain(others);
            systems.map(entry).collect()
        }
    };
    let tables: Vec<&str> = match args.system {
        Some(_) => vec![],
        None => System::tables().map(System::name).collect(),
    };
    let engines: Vec<String> = std::iter::once("reference".to_owned())
        .chain(EngineKind::ALL.iter().map(ToString::to_string))
        .collect();
    let adapters = match args.system {
        Some(_) => vec![],
        None => {
            AdapterName::ALL.map(|kind| ListedAdapter { name: kind.to_string(), about: kind.says() }).to_vec()
        }
    };
    if args.json {
        let list = serde_json::json!({ "systems": entries, "tables": tables, "adapters": adapters, "engines": engines });
        output::print_json_indented(&list)?;
    } else {
        output::print(|out| print_text(out, &entries, &tables, &adapters, &engines))?;
    }
    Ok(Outcome::Well)
}

fn list_signals(core: &Core, json: bool) -> anyhow::Result<Outcome> {
    let signals = fault::signals(core).into_iter();
    let signals = signals.map(|site| ListedSignal { path: site.path, bits: site.width });
    let signals: Vec<ListedSignal> = signals.collect();
    if json {
        output::print_json_indented(&signals)?;
    } else {
        output::print(|out| {
            signals.iter().try_for_each(|signal| writeln!(out, "{}\t{}", signal.path, signal.bits))
        })?;
    }
    Ok(Outcome::Well)
}

fn print_text(
    out: &mut dyn Write,
    entries: &[Entry],
    tables: &[&str],
    adapters: &[ListedAdapter],
    engines: &[String],
) -> io::Result<()> {
    for entry in entries {
        writeln!(out, "{}", entry.name)?;
        let mut line = |subject: &str, text: String| match text.is_empty() {
            true => Ok(()),
            false => writeln!(out, "    {subject:8}  {text}"),
        };
        let with_options = entry.names_with_options.iter().map(|of| format!("{} ({})", of.name, of.means));
        let aliases = entry.aliases.iter().map(ToString::to_string).chain(with_options);
        line("aliases", aliases.collect::<Vec<_>>().join(", "))?;
        line("unit", format!("{} bit{}", entry.unit_bits, if entry.unit_bits == 1 { "" } else { "s" }))?;
        line("holds", entry.limits.to_owned())?;
        let options = entry.options.iter().map(|option| format!("{}={}", option.name, option.default));
        line("options", options.collect::<Vec<_>>().join(", "))?;
        let cores = entry.cores.iter().map(|core| {
            let lanes: Vec<String> = core.lanes.iter().map(ToString::to_string).collect();
            format!("{} (lanes {})", core.role, lanes.join(", "))
        });
        let cores = cores.collect::<Vec<_>>().join(", ");
        line("cores", if cores.is_empty() { "none: software only".to_owned() } else { cores })?;
    }
    if !tables.is_empty() {
        writeln!(out, "table:FILE")?;
        writeln!(out, "    a set of single octets by a mapping file of lines such as `0xA4 0x20AC`")?;
        for names in tables.chunks(TABLES_A_LINE) {
            writeln!(out, "{}", names.join(" "))?;
        }
        writeln!(out, "    unit      8 bits")?;
        writeln!(out, "    cores     those of latin-1")?;
    }
    for ListedAdapter { name, about } in adapters {
        writeln!(out, "{name}\n    {about}")?;
    }
    writeln!(out, "engines: {}", engines.join(", "))
}

fn entry(system: System) -> Entry {
    // A system with cores of every number of lanes: what there is depends on the other system, too.
    let other = Role::Transcoder { to: System::Utf8 };
    let roles = [
        ("decoder", Role::Decoder),
        ("encoder", Role::Encoder),
        ("transcoder:SYSTEM", other),
        ("validator", Role::Validator(Verdict::default())),
    ];
    let cores = roles.into_iter().map(|(role, of)| ListedCore { role, lanes: of.lanes(system) });
    let cores = cores.filter(|core| !core.lanes.is_empty());
    let variants = System::variants().filter(|of| of.name() == system.name() && *of != system);
    let names_with_options = variants
        .flat_map(|of| of.aliases().iter().map(move |&name| ListedName { name, means: of.to_string() }));
    let options = system.options().into_iter().map(|(name, default)| ListedOption { name, default });
    Entry {
        name: system.name(),
        aliases: system.aliases(),
        names_with_options: names_with_options.collect(),
        unit_bits: system.unit_bits(),
        options: options.collect(),
        limits: limits(system),
        cores: cores.collect(),
    }
}

fn limits(system: System) -> &'static str {
    match system {
        System::Utf8 => "U+0..U+10FFFF, no surrogates",
        System::Utf8Rfc2279 => "U+0..U+7FFFFFFF, no surrogates",
        System::Utf8EightByte => "0..2^42-1",
        System::Utf8SixtyFiveBit => "0..2^65-1",
        System::Hunk(width) => match width.bits() {
            1 => "0",
            2 => "0..1",
            3 => "0..3",
            4 => "0..2^6-1",
            5 => "0..2^12-1",
            6 => "0..2^20-1",
            7 => "0..2^30-1",
            8 => "0..2^42-1",
            9 => "0..2^56-1",
            14 => "0..2^23-1",
            11 | 15 => "0..2^25-1",
            16 => "0..2^27-1",
            12 => "0..2^28-1",
            10 | 17 => "0..2^29-1",
            _ => "0..2^31-1",
        },
        System::UtfInf8 { .. } => {
            "any code point of at most `digits` hexadecimal digits; digits is 18 or more"
        }
        System::Utf9 { .. }
        | System::Utf32 { .. }
        | System::Utf32Octets { .. }
        | System::UtfEbcdicI8 { .. }
        | System::UtfEbcdic { .. }
        | System::Utf1 { .. } => "U+0..U+10FFFF, or U+7FFFFFFF with max=7fffffff, no surrogates",
        System::Ucs2 | System::Ucs2Octets { .. } => "U+0..U+FFFF, no surrogates",
        System::Utf18 => "U+0..U+2FFFF, U+E0000..U+EFFFF, no surrogates",
        System::CorrectedUtf8 { .. } => "U+0..U+8421109F, no C1 controls, no surrogates",
        System::Utf8Bom { .. }
        | System::Utf16
        | System::Utf16Octets { .. }
        | System::Utf7 { .. }
        | System::Scsu
        | System::Bocu1
        | System::Cesu8
        | System::Mutf8 => "U+0..U+10FFFF, no surrogates",
        System::Wtf8 => "U+0..U+10FFFF, no surrogate pairs",
        System::Latin1 => "U+0..U+FF",
        System::Ascii => "U+0..U+7F",
        System::Table(table) if table.is_of_user() => "the code points of the mapping file",
        System::Table(_) => "the code points of the table",
        System::MultiOctet(MultiOctet::Gb18030) => "U+0..U+10FFFF, no surrogates, not U+E5E5",
        System::Auto(_) => "the code points of each system of the list",
        System::MultiOctet(_) => "the code points of its index in the Encoding Standard",
    }
}
