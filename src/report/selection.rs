//! Which cores a report is about: `utf-8 hunk-5 decoder --on-error drop`, or `adapter:fifo --depth 256`.

use std::str::FromStr;

use utfhdl_codec::ParseSystemError;
use utfhdl_hdl::core::adapters::{Adapter, AdapterName, AdapterOptions, PREFIX};
use utfhdl_hdl::core::{
    Axis, Bus, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Mark, Max, Packing, Passengers, Registers, Role,
    Stall, Steps, Storage, System, Verdict,
};
use utfhdl_hdl::netlist::ResetStyle;

use super::ReportError;
use super::block::Block;
use crate::cores::nearest_names;
use crate::tables::{self, SystemError};

/// A choice of cores: those of the systems that are named, or of all where none is, in the roles that are named, or in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    systems: Vec<System>,
    roles: Vec<Choice>,
    adapters: Vec<AdapterName>,
    /// The options of the cores.
    pub options: Variant,
}

/// Options that all cores of a selection have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Numbers of lanes: every core is selected with each. An empty list means one lane.
    pub lanes: Vec<u32>,
    /// How the reset is wired, unless that is as by default.
    pub reset: Option<ResetStyle>,
    /// How the cores treat errors, if not by default.
    pub on_error: Option<ErrorMode>,
    /// The layout of lanes on the ports, unless that is as by default.
    pub axis: Option<Axis>,
    /// The slots on the decoded side, unless they are as by default.
    pub bus: Option<Bus>,
    /// Steps that share a pipeline stage, unless that is as by default.
    pub pipeline: Option<Steps>,
    /// How they fill their output beats, unless that is as by default.
    pub pack: Option<Packing>,
    /// Bits of the position of a slot; 0 without positions.
    pub position: u32,
    /// Bits of the line of a slot, and of its column; 0 without.
    pub line: u32,
    /// See `line`.
    pub column: u32,
    /// A stream with a status for each frame.
    pub status: bool,
    /// Registers of totals, which make a status, too.
    pub registers: Registers,
    /// How software reads and writes the table of a character set.
    pub table_port: Registers,
    /// How a stall of the output reaches the input, unless that is as by default.
    pub stall: Option<Stall>,
    /// The form of the memory of a FIFO; a core with one has stalls by credits.
    pub memory: Option<Storage>,
    /// The signals of the user's.
    pub passengers: Passengers,
    /// Streams whose beats come in any order; 0 where there is one.
    pub streams: u32,
    /// The marks of validators.
    pub verdict: Verdict,
    /// The options that only adapters have.
    pub adapter: AdapterVariant,
}

/// Options that only adapters have; `None` where one is not given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterVariant {
    /// The lanes of the output.
    pub to_lanes: Option<u32>,
    /// Beats in the memory of a FIFO.
    pub depth: Option<u32>,
    /// A FIFO of whole frames.
    pub frames: bool,
    /// A FIFO that drops frames without room.
    pub drop: bool,
    /// Bits of a unit.
    pub unit_bits: Option<u32>,
}

impl Variant {
    /// Sets an option by its name on the command line.
    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "--lanes" => {
                let lanes: Result<_, _> = value.split(',').map(str::parse).collect();
                self.lanes = lanes.map_err(|_| "expected numbers of lanes, with commas".to_owned())?;
            }
            "--reset" => self.reset = Some(value.parse()?),
            "--on-error" => self.on_error = Some(value.parse()?),
            "--axis" => self.axis = Some(value.parse()?),
            "--bus" => self.bus = Some(value.parse()?),
            "--pipeline" => self.pipeline = Some(value.parse()?),
            "--pack" => self.pack = Some(value.parse()?),
            "--registers" => self.registers = value.parse()?,
            "--table-port" => self.table_port = value.parse()?,
            "--stall" => self.stall = Some(value.parse()?),
            "--memory" => self.memory = Some(value.parse()?),
            "--position" => self.position = bits(value)?,
            "--line" => self.line = bits(value)?,
            "--column" => self.column = bits(value)?,
            "--to-lanes" => self.adapter.to_lanes = Some(number(value, "lanes")?),
            "--depth" => self.adapter.depth = Some(number(value, "beats")?),
            "--unit-bits" => self.adapter.unit_bits = Some(bits(value)?),
            "--tid" => self.passengers.tid = bits(value)?,
            "--tdest" => self.passengers.tdest = bits(value)?,
            "--tuser" => self.passengers.tuser = bits(value)?,
            "--streams" => self.streams = number(value, "streams")?,
            "--mark" => {
                for mark in value.split(',') {
                    match mark.parse()? {
                        Mark::Start => self.verdict.start = true,
                        Mark::Newline => self.verdict.newline = true,
                    }
                }
            }
            _ => {
                return Err(
                    "the options are --lanes, --reset, --on-error, --axis, --bus, --pipeline, --pack, --position, --line, --column, --status, --registers, --table-port, --stall, --memory, \
                     --tid, --tdest, --tuser, --streams, --kinds and --mark; of adapters also --to-lanes, --depth, --frames, --drop and --unit-bits"
                        .to_owned(),
                );
            }
        }
        Ok(())
    }

    /// A core with these options in place of its own.
    fn of(&self, spec: CoreSpec) -> impl Iterator<Item = CoreSpec> {
        let spec = CoreSpec {
            reset: self.reset.unwrap_or(spec.reset),
            on_error: self.on_error.unwrap_or(spec.on_error),
            axis: self.axis.unwrap_or(spec.axis),
            bus: self.bus.unwrap_or(spec.bus),
            pipeline: self.pipeline.unwrap_or(spec.pipeline),
            pack: self.pack.unwrap_or(spec.pack),
            position: self.position,
            line: self.line,
            column: self.column,
            status: self.status || self.registers.is_there(),
            registers: self.registers,
            table_port: self.table_port,
            stall: self.memory.map(Stall::Credit).or(self.stall).unwrap_or(spec.stall),
            passengers: self.passengers,
            streams: self.streams,
            ..spec
        };
        let lanes = if self.lanes.is_empty() { &[1][..] } else { &self.lanes };
        lanes.iter().map(move |&lanes| CoreSpec { lanes, ..spec })
    }
}

/// Parses a number of bits.
fn bits(value: &str) -> Result<u32, String> {
    number(value, "bits")
}

/// Parses a number of `things`.
fn number(value: &str, things: &str) -> Result<u32, String> {
    value.parse().map_err(|_| format!("expected a number of {things}"))
}

/// A role, or the transcoders that the tables show in place of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Decoder,
    Encoder,
    SomeTranscoders,
    TranscoderTo(System),
    Validator,
}

/// A word that chooses no cores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseSelectionError {
    /// The word names nothing.
    #[error(
        "{word:?} is neither a role (decoder, encoder, transcoder, transcoder:SYSTEM or validator) nor a system; {}",
        near(word)
    )]
    Unknown {
        /// The word.
        word: String,
    },
    /// The word names no adapter.
    #[error("{word:?}: {expected}")]
    Adapter {
        /// The word.
        word: String,
        /// The adapters that there are.
        expected: String,
    },
    /// The word names a system with options that the system cannot have.
    #[error(transparent)]
    System(SystemError),
    /// The word is an unknown option, or an option with an illegal value.
    #[error("{option} {value}: {reason}")]
    Option {
        /// The option.
        option: String,
        /// The value.
        value: String,
        /// The fault, and the remedy.
        reason: String,
    },
}

/// The suggestion for an unknown word.
fn near(word: &str) -> String {
    match nearest_names(word.strip_prefix("transcoder:").unwrap_or(word)).as_slice() {
        [] => "`utfhdl list` shows all systems".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    }
}

impl Selection {
    /// Reads a selection from words: systems, roles and options in any order, each option before its value.
    ///
    /// # Errors
    /// If a word is none of these.
    pub fn of(words: &[impl AsRef<str>]) -> Result<Self, ParseSelectionError> {
        let mut selection = Self::default();
        let mut words = words.iter().map(AsRef::as_ref);
        while let Some(word) = words.next() {
            let flag = match word {
                "--kinds" => Some(&mut selection.options.verdict.kinds),
                "--status" => Some(&mut selection.options.status),
                "--frames" => Some(&mut selection.options.adapter.frames),
                "--drop" => Some(&mut selection.options.adapter.drop),
                _ => None,
            };
            if let Some(flag) = flag {
                *flag = true;
                continue;
            }
            if word.starts_with("--") {
                let value = words.next().unwrap_or_default();
                let (option, value_text) = (word.to_owned(), value.to_owned());
                let wrong = |reason| ParseSelectionError::Option { option, value: value_text, reason };
                selection.options.set(word, value).map_err(wrong)?;
                continue;
            }
            if word.starts_with(PREFIX) {
                let name = word
                    .parse()
                    .map_err(|expected| ParseSelectionError::Adapter { word: word.to_owned(), expected })?;
                selection.adapters.push(name);
                continue;
            }
            let system = |name: &str| match tables::system(name) {
                Ok(system) => Ok(system),
                Err(SystemError::Parse(ParseSystemError::Unknown { .. })) => {
                    Err(ParseSelectionError::Unknown { word: word.to_owned() })
                }
                Err(error) => Err(ParseSelectionError::System(error)),
            };
            match (word, word.strip_prefix("transcoder:")) {
                ("decoder", _) => selection.roles.push(Choice::Decoder),
                ("encoder", _) => selection.roles.push(Choice::Encoder),
                ("validator", _) => selection.roles.push(Choice::Validator),
                ("transcoder", _) => selection.roles.push(Choice::SomeTranscoders),
                (_, Some(to)) => selection.roles.push(Choice::TranscoderTo(system(to)?)),
                (_, None) => selection.systems.push(system(word)?),
            }
        }
        Ok(selection)
    }

    /// The cores there are, in the order of the tables: decoders, encoders, transcoders; or the adapters that are named.
    ///
    /// # Errors
    /// If a core or an adapter does not exist with these options.
    pub fn cores(&self) -> Result<Vec<Block>, ReportError> {
        if !self.adapters.is_empty() {
            return self.adapters();
        }
        if self.options.adapter != AdapterVariant::default() {
            let message = "--to-lanes, --depth, --frames, --drop and --unit-bits are for adapters: name one, such as adapter:fifo";
            return Err(ReportError::Selection(message.to_owned()));
        }
        self.specs().into_iter().map(|spec| Ok(Core::new(spec)?.into())).collect()
    }

    /// The adapters that are named, with each number of lanes.
    fn adapters(&self) -> Result<Vec<Block>, ReportError> {
        if !self.systems.is_empty() || !self.roles.is_empty() {
            let message = "adapters have no system and no role: name either adapters or cores";
            return Err(ReportError::Selection(message.to_owned()));
        }
        let Variant { reset, memory, passengers, ref lanes, adapter, .. } = self.options;
        let of_adapters =
            Variant { reset, memory, passengers, adapter, lanes: lanes.clone(), ..Variant::default() };
        if self.options != of_adapters {
            let message = "adapters have --lanes, --to-lanes, --depth, --frames, --drop, --memory, --unit-bits, --reset, --tid, --tdest and --tuser: \
                           leave other options out";
            return Err(ReportError::Selection(message.to_owned()));
        }
        let AdapterVariant { to_lanes, depth, frames, drop, unit_bits } = adapter;
        let options = AdapterOptions { to_lanes, depth, frames, drop, memory, unit_bits, reset, passengers };
        let lanes = if lanes.is_empty() { &[1][..] } else { lanes };
        let of_name = |&name| lanes.iter().map(move |&lanes| (name, lanes));
        let named = self.adapters.iter().flat_map(of_name);
        named.map(|(name, lanes)| Ok(Adapter::new(options.spec(name, lanes)?)?.into())).collect()
    }

    fn specs(&self) -> Vec<CoreSpec> {
        let systems =
            if self.systems.is_empty() { System::variants().collect() } else { self.systems.clone() };
        let all = [Choice::Decoder, Choice::Encoder, Choice::SomeTranscoders];
        let roles = if self.roles.is_empty() { all.to_vec() } else { self.roles.clone() };
        let mut specs = Vec::new();
        for role in roles {
            for &from in &systems {
                match role {
                    Choice::Decoder => specs.push(CoreSpec::new(from, Role::Decoder)),
                    Choice::Encoder => specs.push(CoreSpec::new(from, Role::Encoder)),
                    Choice::SomeTranscoders => specs.extend(transcoders(from)),
                    Choice::Validator => {
                        specs.push(CoreSpec::new(from, Role::Validator(self.options.verdict)))
                    }
                    Choice::TranscoderTo(to) => specs.push(CoreSpec::new(from, Role::Transcoder { to })),
                }
                if (from, role) == (System::Utf8, Choice::Decoder) && self.options == Variant::default() {
                    specs.extend(options_of_one());
                }
            }
        }
        specs.into_iter().flat_map(|spec| self.options.of(spec).collect::<Vec<_>>()).collect()
    }
}

impl FromStr for Selection {
    type Err = ParseSelectionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::of(&text.split_whitespace().collect::<Vec<_>>())
    }
}

/// The transcoders from `from` that the tables show in place of all: those to and from `utf-8`, and `utf-8` to itself.
fn transcoders(from: System) -> Vec<CoreSpec> {
    let partners = [
        System::Utf8,
        System::Utf8Rfc2279,
        System::hunk(5),
        System::UtfInf8 { digits: DEFAULT_DIGITS },
        System::Utf9 { max: Max::Unicode },
        System::Utf18,
        System::CorrectedUtf8 { document: false, private: false },
    ];
    let to: &[System] = match from {
        System::Utf8 => &partners,
        _ if partners.contains(&from) => &[System::Utf8],
        _ => &[],
    };
    to.iter().map(|&to| CoreSpec::new(from, Role::Transcoder { to })).collect()
}

/// The `utf-8` decoder with other options, which show what options cost.
fn options_of_one() -> [CoreSpec; 2] {
    let core = CoreSpec::new(System::Utf8, Role::Decoder);
    [CoreSpec { on_error: ErrorMode::Drop, ..core }, CoreSpec { reset: ResetStyle::AsyncLow, ..core }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(words: &str) -> Vec<CoreSpec> {
        words.parse::<Selection>().unwrap().specs()
    }

    #[test]
    fn names_narrow_the_choice() {
        let decoder = |system| CoreSpec::new(system, Role::Decoder);
        let encoder = |system| CoreSpec::new(system, Role::Encoder);
        let (hunk, utf_18) = (System::hunk(3), System::Utf18);
        assert_eq!(specs("hunk-3 encoder"), [encoder(hunk)]);
        assert_eq!(
            specs("decoder utf-18 encoder hunk-3"),
            [utf_18, hunk].map(decoder).into_iter().chain([utf_18, hunk].map(encoder)).collect::<Vec<_>>()
        );
        assert_eq!(
            specs("utf-18 transcoder"),
            [CoreSpec::new(utf_18, Role::Transcoder { to: System::Utf8 })]
        );
        assert_eq!(specs("hunk-3 transcoder:utf-18"), [CoreSpec::new(hunk, Role::Transcoder { to: utf_18 })]);
        assert_eq!(specs("hunk-3 transcoder"), []);
        let scrubber = CoreSpec::new(System::Utf8, Role::Transcoder { to: System::Utf8 });
        assert_eq!(specs("utf-8 transcoder:utf-8"), [scrubber]);
        assert!(specs("utf-8 transcoder").contains(&scrubber));
    }

    #[test]
    fn without_names_every_system_is_there_in_both_roles() {
        let all = specs("");
        for system in System::variants() {
            for role in [Role::Decoder, Role::Encoder] {
                assert!(all.contains(&CoreSpec::new(system, role)), "{system} {role}");
            }
        }
        assert!(all.iter().any(|spec| matches!(spec.role, Role::Transcoder { .. })));
    }

    #[test]
    fn options_are_those_of_every_core() {
        let drops = CoreSpec { on_error: ErrorMode::Drop, ..CoreSpec::new(System::Utf8, Role::Decoder) };
        assert_eq!(specs("utf-8 decoder --on-error drop"), [drops]);
        let strict = CoreSpec { axis: Axis::Strict, reset: ResetStyle::AsyncLow, lanes: 4, ..drops };
        assert_eq!(
            specs("--lanes 1,4 utf-8 decoder --axis strict --on-error drop --reset async-low"),
            [CoreSpec { lanes: 1, ..strict }, strict]
        );
        let counted = CoreSpec { position: 16, status: true, ..CoreSpec::new(System::Utf8, Role::Decoder) };
        assert_eq!(specs("utf-8 --status decoder --position 16"), [counted]);
    }

    #[test]
    fn adapters_are_chosen_by_name() {
        let names = |words: &str| -> Vec<String> {
            let cores = words.parse::<Selection>().unwrap().cores();
            cores.unwrap_or_else(|error| panic!("{words}: {error}")).iter().map(Block::in_short).collect()
        };
        assert_eq!(
            names("adapter:fifo --lanes 1,8 --depth 16 --frames --drop --memory registers --unit-bits 9"),
            ["", " --lanes 8"].map(|lanes| {
                format!("adapter:fifo{lanes} --depth 16 --frames --drop --memory registers --unit-bits 9")
            })
        );
        assert_eq!(
            names("adapter:width --lanes 8 --to-lanes 64 --tid 4"),
            ["adapter:width --lanes 8 --to-lanes 64 --tid 4"]
        );
        assert_eq!(
            names("adapter:compactor adapter:fifo --lanes 2"),
            ["adapter:compactor --lanes 2", "adapter:fifo --lanes 2"]
        );
        for (words, said) in [
            ("adapter:fifo utf-8", "adapters have no system and no role"),
            ("adapter:fifo --stall credit", "leave other options out"),
            ("adapter:compactor --lanes 2 --depth 4", "--depth is not for adapter:compactor: leave it out"),
            ("adapter:fifo --drop", "--drop is for a FIFO of whole frames: add --frames"),
            ("utf-8 --depth 16", "are for adapters: name one, such as adapter:fifo"),
            ("adapter:fifo --depth 3", "--depth 3 is not possible"),
        ] {
            let error = words.parse::<Selection>().unwrap().cores().unwrap_err().to_string();
            assert!(error.contains(said), "{words}: {error}");
        }
    }

    #[test]
    fn what_is_no_name_is_an_error() {
        for (words, said) in [
            (
                "utf-8 decodr",
                "\"decodr\" is neither a role (decoder, encoder, transcoder, transcoder:SYSTEM or validator) nor a system; `utfhdl list` shows all systems",
            ),
            (
                "utf-81",
                "\"utf-81\" is neither a role (decoder, encoder, transcoder, transcoder:SYSTEM or validator) nor a system; did you mean utf-8 or utf-18 or utf-1?",
            ),
            (
                "adapter:fofi",
                "\"adapter:fofi\": expected one of adapter:fifo, adapter:width, adapter:compactor",
            ),
            ("utf-8,max=1", "utf-8 has no option \"max\": it has bom"),
            ("--lanes x utf-8", "--lanes x: expected numbers of lanes, with commas"),
            ("utf-8 --reset", "--reset : expected sync-high, sync-low, async-high or async-low"),
            (
                "utf-8 --name x",
                "--name x: the options are --lanes, --reset, --on-error, --axis, --bus, --pipeline, --pack, --position, --line, --column, --status, --registers, --table-port, --stall, --memory, --tid, --tdest, --tuser, --streams, --kinds and --mark; of adapters also --to-lanes, --depth, --frames, --drop and --unit-bits",
            ),
        ] {
            assert_eq!(words.parse::<Selection>().unwrap_err().to_string(), said);
        }
        assert!("transcoder:utf-5".parse::<Selection>().is_err());
    }
}
