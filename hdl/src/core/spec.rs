//! The specification of a core: system, role, lanes and options, and the names that follow from it.

use std::fmt;
use std::str::FromStr;

use super::shared::octet_table::OctetTable;
use super::shared::ports::SLOT_USER_BITS;
use super::shared::single::Words;
use super::verdict::has_line_feed;
use super::{
    Auto, Axis, Bus, Choose, DEFAULT_DIGITS, FEWEST_DIGITS, MOST_DIGITS, Max, MultiOctet, Packing,
    Passengers, Registers, Stall, Steps, Storage, System, Verdict, decoded_only, is_long,
};
use crate::netlist::ResetStyle;

/// The most digits that a code point of `utf-inf-8` can have in encoders of several lanes: its length header has eight.
const MOST_OF_SEVERAL_LANES: u64 = (1 << 32) + 17;
/// The most lanes of a beat.
const MOST_LANES: u32 = 64;

/// The most bits of a slot's position.
pub const MOST_POSITION_BITS: u32 = 32;

/// The most streams whose beats come in any order.
pub const MOST_STREAMS: u32 = 1024;

/// The role of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Units in, the UCS stream out.
    Decoder,
    /// The UCS stream in, units out.
    Encoder,
    /// Units in, units of another system out.
    Transcoder {
        /// The system of the output; the [`CoreSpec`] has the system of the input. The input may be ill-formed, the
        /// output is well-formed.
        to: System,
    },
    /// Units in, the same units out, with these marks.
    Validator(Verdict),
}

impl Role {
    /// The error modes of cores in this role, the default first.
    pub fn on_error(self) -> &'static [ErrorMode] {
        match self {
            Self::Decoder => &[ErrorMode::Flag, ErrorMode::Drop],
            Self::Encoder | Self::Transcoder { .. } => &[ErrorMode::Replace, ErrorMode::Drop],
            Self::Validator(_) => &[ErrorMode::Flag],
        }
    }

    /// `decoder`, `encoder`, `transcoder` or `validator`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Decoder => "decoder",
            Self::Encoder => "encoder",
            Self::Transcoder { .. } => "transcoder",
            Self::Validator(_) => "validator",
        }
    }

    /// Whether there is an encoder in the core: units go out that it has written, in beats that are full.
    pub fn has_encoder(self) -> bool {
        matches!(self, Self::Encoder | Self::Transcoder { .. })
    }

    /// The numbers of lanes that cores of a system in this role come in.
    pub fn lanes(self, system: System) -> &'static [u32] {
        match (self, system) {
            _ if !system.has_cores() => &[],
            (Self::Transcoder { to }, _) if !to.has_cores() => &[],
            (Self::Transcoder { to }, _) if Self::Encoder.lanes(to).is_empty() => &[],
            // Slots of code points of any size do not stay in the places of their units.
            (Self::Transcoder { .. }, System::UtfInf8 { .. }) => &[1],
            // Code points that take no head need no limit either.
            (Self::Transcoder { to: System::UtfInf8 { .. } }, _) => match is_long(system) {
                true => &[1],
                false => Self::Decoder.lanes(system),
            },
            (Self::Encoder | Self::Decoder | Self::Validator(_), System::MultiOctet(_)) => &[1, 2, 4, 8],
            (Self::Encoder, decoded_only!()) | (Self::Validator(_), System::Utf7 { .. }) => &[],
            (Self::Decoder | Self::Validator(_), decoded_only!()) => &[1],
            (Self::Encoder | Self::Validator(_), System::Auto(_)) => &[],
            // Three octets that were held back go on together.
            (Self::Decoder, System::Auto(auto)) if auto.choose() == Choose::Mark => &[1, 4, 8],
            (Self::Decoder, System::Auto(_)) => &[1, 2, 4, 8],
            // A transcoder has a decoder in it, and an encoder.
            (Self::Transcoder { to }, _) => {
                let [decoder, encoder] = [Self::Decoder.lanes(system), Self::Encoder.lanes(to)];
                if decoder.len() < encoder.len() { decoder } else { encoder }
            }
            // The mark that opens a frame is looked for in one lane only.
            (
                Self::Decoder,
                System::Utf8Bom { .. }
                | System::CorrectedUtf8 { document: true, .. }
                | System::Utf16Octets { bom: true, .. }
                | System::Utf32Octets { bom: true, .. }
                | System::Ucs2Octets { bom: true, .. },
            ) => &[1],
            (Self::Encoder, System::UtfInf8 { digits }) if digits > MOST_OF_SEVERAL_LANES => &[1],
            (Self::Decoder | Self::Encoder, _) => &[1, 2, 4, 8, 16, 32, 64],
            (Self::Validator(_), _) => &[1, 2, 4, 8, 16, 32, 64],
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun())?;
        if let Self::Transcoder { to } = self { write!(f, ":{to}") } else { Ok(()) }
    }
}

/// A core's treatment of errors, and of code points that its system does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorMode {
    /// Decoders: emits a slot that holds U+FFFD and the error's kind.
    Flag,
    /// Encoders and transcoders: writes U+FFFD, or U+003F where the system lacks that, or its last code point where it
    /// lacks both.
    Replace,
    /// Emits nothing, except, in a decoder, in place of a limb.
    Drop,
}

impl ErrorMode {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Flag, Self::Replace, Self::Drop];
}

impl fmt::Display for ErrorMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "flag",
            Self::Replace => "replace",
            Self::Drop => "drop",
        })
    }
}

impl FromStr for ErrorMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|choice| choice.to_string() == text)
            .ok_or_else(|| "expected flag (decoders), replace (encoders, transcoders), or drop".to_owned())
    }
}

/// The specification of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CoreSpec {
    /// The system; in a transcoder, the system of the input.
    pub system: System,
    /// The role.
    pub role: Role,
    /// Units a cycle.
    pub lanes: u32,
    /// How its reset is wired.
    pub reset: ResetStyle,
    /// The treatment of errors.
    pub on_error: ErrorMode,
    /// The layout of its lanes on its ports.
    pub axis: Axis,
    /// The slots on its decoded side; in a transcoder there is no choice.
    pub bus: Bus,
    /// How much logic is between two registers; with one lane there is no choice.
    pub pipeline: Steps,
    /// How it fills its output beats; with one lane, and in encoders, there is no choice.
    pub pack: Packing,
    /// The signals of the user's that go with each frame.
    pub passengers: Passengers,
    /// The streams whose beats come in any order, by TID; 0 where a frame's beats follow one another.
    pub streams: u32,
    /// Bits of the position of a slot, in `tuser` above the kind; 0 without positions.
    pub position: u32,
    /// Bits of the line of a slot in the text that goes out, above the position; 0 without lines.
    pub line: u32,
    /// Bits of the column of a slot in its line, above the line; 0 without columns.
    pub column: u32,
    /// A stream with a status for each frame.
    pub status: bool,
    /// Registers of totals that software reads, which need a status.
    pub registers: Registers,
    /// How software reads and writes the table of a character set.
    pub table_port: Registers,
    /// How a stall of its output reaches its input.
    pub stall: Stall,
    /// The form of tables that several lanes read. With [`Storage::Registers`] they are logic, for a flow without RAM.
    pub tables: Storage,
}

impl CoreSpec {
    /// A core of one lane, with default options.
    pub fn new(system: System, role: Role) -> Self {
        let on_error = role.on_error()[0];
        Self {
            system,
            role,
            lanes: 1,
            reset: ResetStyle::default(),
            on_error,
            axis: Axis::default(),
            bus: Bus::default(),
            pipeline: Steps::default(),
            pack: Packing::default(),
            passengers: Passengers::default(),
            streams: 0,
            position: 0,
            line: 0,
            column: 0,
            status: false,
            registers: Registers::default(),
            table_port: Registers::default(),
            stall: Stall::default(),
            tables: Storage::default(),
        }
    }

    /// Every decoder and encoder of one lane, in every error mode. Those of `utf-8` are there with every reset and both buses, and
    /// the others with the default ones, since all cores are reset in the same way, and all that fit the short bus have it alike.
    pub fn all() -> Vec<Self> {
        let roles = |system| [Role::Decoder, Role::Encoder].map(|role| (system, role));
        let short = configurations(roles(System::Utf8).into_iter())
            .filter(|spec| spec.reset == ResetStyle::default())
            .map(|spec| Self { bus: Bus::Short, ..spec });
        let decoders = System::decoded_only().map(|system| (system, Role::Decoder));
        configurations(System::variants().flat_map(roles).chain(decoders)).chain(short).collect()
    }

    /// Every decoder of several lanes, in every error mode, with the default reset; those of `utf-inf-8` with the default limit. They
    /// are many and large, so most tests run only a few of them.
    pub fn of_several_lanes() -> Vec<Self> {
        Self::several_lanes_in(Role::Decoder)
    }

    /// Every encoder of several lanes, as [`of_several_lanes`](Self::of_several_lanes) has decoders.
    pub fn encoders_of_several_lanes() -> Vec<Self> {
        Self::several_lanes_in(Role::Encoder)
    }

    /// Every transcoder of several lanes, as [`of_several_lanes`](Self::of_several_lanes) has decoders.
    pub fn transcoders_of_several_lanes() -> Vec<Self> {
        System::variants().flat_map(|to| Self::several_lanes_in(Role::Transcoder { to })).collect()
    }

    /// Validators of one lane: of every system, and with each choice of marks of some.
    pub fn validators() -> Vec<Self> {
        let has_one = |system: &System| !Role::Validator(Verdict::default()).lanes(*system).is_empty();
        let systems = System::variants().chain(System::decoded_only().filter(has_one));
        let plain = systems.map(|system| (system, Verdict::default()));
        let marked = [System::Utf8, System::Utf16, System::Utf9 { max: Max::Unicode }, System::hunk(4)];
        let marked = marked
            .into_iter()
            .flat_map(|system| Verdict::all().skip(1).map(move |verdict| (system, verdict)));
        plain.chain(marked).map(|(system, verdict)| Self::new(system, Role::Validator(verdict))).collect()
    }

    /// Every validator of several lanes, as [`of_several_lanes`](Self::of_several_lanes) has decoders: without options, and with one choice
    /// of marks, which differs from core to core.
    pub fn validators_of_several_lanes() -> Vec<Self> {
        let plain = Self::several_lanes_in(Role::Validator(Verdict::default()));
        let choices = Verdict::all().skip(1).collect::<Vec<_>>().into_iter().cycle();
        let marked =
            plain.iter().zip(choices).map(|(&spec, verdict)| Self { role: Role::Validator(verdict), ..spec });
        let marked = marked.filter(|spec| spec.check().is_ok());
        plain.iter().copied().chain(marked).collect()
    }

    fn several_lanes_in(role: Role) -> Vec<Self> {
        let of_lanes = |system: System| role.lanes(system)[1..].iter().map(move |&lanes| (system, lanes));
        let is_taken = |system: &System| match *system {
            System::UtfInf8 { digits } => digits == DEFAULT_DIGITS,
            _ => true,
        };
        let specs = System::variants().filter(is_taken).flat_map(of_lanes).flat_map(|(system, lanes)| {
            role.on_error().iter().map(move |&on_error| Self { lanes, on_error, ..Self::new(system, role) })
        });
        specs.collect()
    }

    /// The transcoders of all ordered pairs of systems, a system and itself included, in every error
    /// mode.
    pub fn transcoders() -> Vec<Self> {
        let pairs = |system| System::variants().map(move |to| (system, Role::Transcoder { to }));
        configurations(System::variants().flat_map(pairs)).collect()
    }

    /// Cores of one lane with strict ports: those between units of fewer than 8 bits, of 8, 9, 16 and 32, and slots, short ones too.
    pub fn strict() -> Vec<Self> {
        let nonets = System::Utf9 { max: Max::Unicode };
        let systems =
            [System::hunk(5), System::Utf8, nonets, System::Utf16, System::Utf32 { max: Max::Unicode }];
        let transcoders = systems.map(|to| Role::Transcoder { to });
        let roles = [Role::Decoder, Role::Encoder].into_iter().chain(transcoders);
        let cores = systems.into_iter().flat_map(|system| roles.clone().map(move |role| (system, role)));
        let short = [Role::Decoder, Role::Encoder]
            .map(|role| Self { bus: Bus::Short, ..Self::new(System::Utf8, role) });
        let cores = cores.map(|(system, role)| Self::new(system, role)).chain(short);
        cores.map(|spec| Self { axis: Axis::Strict, ..spec }).collect()
    }

    /// Checks that the generator has such a core.
    ///
    /// # Errors
    /// The first fault of the specification.
    pub(super) fn check(&self) -> Result<(), CoreError> {
        let Self { system, role, lanes, on_error, pipeline, pack, .. } = *self;
        let to = if let Role::Transcoder { to } = role { to } else { system };
        if let Some(system) = [system, to].into_iter().find(|system| !system.has_cores()) {
            return Err(CoreError::Software { system });
        }
        let to = if let Role::Transcoder { to } = role { to } else { system };
        for system in [system, to] {
            if let System::UtfInf8 { digits } = system
                && !(FEWEST_DIGITS..=MOST_DIGITS).contains(&digits)
            {
                let reason =
                    format!("digits={digits} is not possible: it can be {FEWEST_DIGITS} to {MOST_DIGITS}");
                return Err(CoreError::Option { system: system.name(), reason });
            }
            if let System::Table(table) = system
                && let Err(line) = OctetTable::read(table)
            {
                let reason =
                    format!("its mapping file is none: line {line} is not an octet and a code point");
                return Err(CoreError::Option { system: system.name(), reason });
            }
        }
        if let System::Auto(auto) = system {
            self.check_auto(auto)?;
        }
        if role.lanes(system).is_empty() {
            return Err(CoreError::None { system, role });
        }
        if !role.lanes(system).contains(&lanes) {
            return Err(CoreError::Lanes { system, role, lanes });
        }
        if let Some(option) = self.option_of_one_lane() {
            let reason = format!(
                "{}s of several lanes do not have {option} yet: leave it out, or use --lanes 1",
                role.noun()
            );
            return Err(CoreError::Option { system: system.name(), reason });
        }
        if let Role::Validator(verdict) = role
            && let Some(reason) = verdict.problem(system)
        {
            return Err(CoreError::Option { system: system.name(), reason: reason.to_owned() });
        }
        if !role.on_error().contains(&on_error) {
            return Err(CoreError::ErrorMode { role, on_error });
        }
        self.check_bus()?;
        if lanes == 1 && pipeline != Steps::Auto {
            return Err(CoreError::Pipeline { pipeline });
        }
        if (lanes == 1 || role != Role::Decoder) && pack != Packing::Beat {
            return Err(CoreError::Packing { pack });
        }
        for (option, bits) in self.places() {
            if let Some(reason) = self.place_problem(option, bits) {
                return Err(CoreError::Place { option, bits, reason });
            }
        }
        if let Some(reason) = self.stall_problem() {
            return Err(CoreError::Stall { stall: self.stall, reason });
        }
        if self.status && matches!(system, System::Utf7 { .. }) {
            let reason = "--status is not for it, since only a later octet decides where a code point begins: leave it out";
            return Err(CoreError::Option { system: system.name(), reason: reason.to_owned() });
        }
        if self.tables != Storage::default() && !self.has_tables_with_ports() {
            let reason = "--memory is for cores with a memory: those with --stall credit, and decoders and transcoders of several lanes from \
                          gb18030 and gbk; leave it out";
            return Err(CoreError::Option { system: system.name(), reason: reason.to_owned() });
        }
        if let Some(reason) = self.table_port_problem() {
            return Err(CoreError::Option { system: system.name(), reason: reason.to_owned() });
        }
        if self.registers.is_there() && !self.status {
            return Err(CoreError::Registers { registers: self.registers });
        }
        if let Some(reason) = self.streams_problem() {
            return Err(CoreError::Streams { streams: self.streams, reason });
        }
        for (option, bits, most) in self.passengers.with_limits() {
            if bits > most {
                return Err(CoreError::Passenger { option, bits, most });
            }
        }
        Ok(())
    }

    /// An option that cores that read sets of several octets have with one lane only, if it is asked for with several.
    fn option_of_one_lane(&self) -> Option<&'static str> {
        let is_set = |system: &System| matches!(system, System::MultiOctet(_));
        let reads_set = match self.system {
            System::Auto(auto) => auto.among().iter().any(is_set),
            system => is_set(&system),
        };
        if self.lanes == 1 || self.role == Role::Encoder || !reads_set {
            return None;
        }
        let is_transcoder = matches!(self.role, Role::Transcoder { .. });
        let is_validator = matches!(self.role, Role::Validator(_));
        let options = [
            ("--status", self.status),
            ("--pack dense", self.pack == Packing::Dense),
            ("--pipeline", self.pipeline != Steps::Auto),
            ("--position, --line and --column", self.place_bits() > 0),
            ("--stall credit", self.stall != Stall::Enable && !is_validator),
            ("--on-error drop", self.on_error == ErrorMode::Drop && is_transcoder),
        ];
        options.into_iter().find(|&(_, is_there)| is_there).map(|(option, _)| option)
    }

    /// Checks that a core can choose among these systems.
    fn check_auto(&self, auto: Auto) -> Result<(), CoreError> {
        let failed = |reason: String| Err(CoreError::Option { system: "auto", reason });
        if auto.among().is_empty() {
            return failed("name the systems to choose among: --among utf-8,utf-16le,latin-1".to_owned());
        }
        if let Some(&system) = auto.among().iter().find(|system| !system.has_cores()) {
            return Err(CoreError::Software { system });
        }
        let lacks = auto.among().iter().find(|&&system| {
            let is_slow =
                matches!(system, System::CorrectedUtf8 { .. } | System::UtfInf8 { .. } | decoded_only!());
            is_slow || is_long(system)
        });
        if let Some(system) = lacks {
            return failed(format!(
                "cores that choose their system cannot read {system} yet, whose decoder has more stages than theirs: leave it out"
            ));
        }
        let options = [
            ("axis strict", self.axis != Axis::Lane),
            ("status", self.status),
            ("streams", self.streams > 0),
            ("tid, --tdest and --tuser", !self.passengers.is_empty()),
        ];
        if let Some((option, _)) = options.into_iter().find(|&(_, is_there)| is_there) {
            return failed(format!(
                "cores that choose their system do not have --{option} yet: leave it out"
            ));
        }
        if self.pipeline.number() > 1 {
            return failed(
                "cores that choose their system have a step in each stage: leave --pipeline out".to_owned(),
            );
        }
        Ok(())
    }

    /// What `tuser` says of the place of a slot, from the low bits up: the name of the option, and its bits, which can be 0.
    pub fn places(&self) -> [(&'static str, u32); 3] {
        [("position", self.position), ("line", self.line), ("column", self.column)]
    }

    /// The [`places`](Self::places) that slots have.
    pub(super) fn present_places(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.places().into_iter().filter(|&(_, bits)| bits > 0)
    }

    /// Bits of [`places`](Self::places) together.
    pub fn place_bits(&self) -> u32 {
        self.places().into_iter().map(|(_, bits)| bits).sum()
    }

    /// The reason why slots of this core cannot have a place of `bits` bits; `None` if they can, or if none is asked for.
    fn place_problem(&self, option: &str, bits: u32) -> Option<&'static str> {
        let is_position = option == "position";
        match (self.role, self.system) {
            _ if bits == 0 => None,
            _ if bits > MOST_POSITION_BITS => Some("it can be 1 to 32 bits"),
            (_, System::Auto(_)) => {
                Some("decoders that choose their system do not have it yet: leave it out")
            }
            (Role::Encoder | Role::Transcoder { .. } | Role::Validator(_), _) => {
                Some("it is for decoders, whose slots have offsets")
            }
            (_, System::CorrectedUtf8 { document: true, .. }) if is_position => {
                Some("decoders of documents do not have it yet")
            }
            (_, System::Utf7 { .. }) if is_position => Some(
                "a digit of Base64 can be of two code points, so that a later one decides where the second begins: leave it out",
            ),
            (_, System::UtfInf8 { .. })
                if is_position && self.lanes > 1 && self.on_error == ErrorMode::Drop =>
            {
                Some(
                    "utf-inf-8 decoders of several lanes that drop errors do not have it: use --on-error flag",
                )
            }
            (_, system) if !is_position && !has_line_feed(system) => {
                Some("the system has no U+000A, so a text has no lines: leave it out")
            }
            (_, system) if !is_position && self.lanes > 1 && is_long(system) => Some(
                "a code point of several slots has one column, which only decoders of one lane count: use --lanes 1",
            ),
            _ => None,
        }
    }

    /// The reason for which beats of several streams cannot come in any order, if they are to and cannot.
    fn streams_problem(&self) -> Option<String> {
        let says = |reason: &str| Some(reason.to_owned());
        match (self.role, self.system) {
            _ if self.streams == 0 => None,
            _ if !self.streams.is_power_of_two() || !(2..=MOST_STREAMS).contains(&self.streams) => {
                Some(format!("it can be 2, 4, 8 and so on, to {MOST_STREAMS}"))
            }
            _ if self.passengers.tid < self.streams.ilog2() => Some(format!(
                "the stream of a beat is in TID, which needs {0} bits: give --tid {0} or more",
                self.streams.ilog2()
            )),
            (Role::Encoder | Role::Transcoder { .. }, _) => says(
                "it is for validators and decoders, whose beats take as long whatever they hold; for other roles, use a core for each stream",
            ),
            (Role::Decoder, _) if self.pack == Packing::Dense => says(
                "a dense decoder fills beats with slots of later beats, which are of other streams: use --pack beat",
            ),
            (Role::Decoder, _) if self.pipeline != Steps::Auto => {
                says("decoders of several streams have a step in each stage: leave --pipeline out")
            }
            (Role::Decoder, system) if self.line + self.column > 0 && is_long(system) => says(
                "a code point of several slots has one column, which decoders of several streams do not count: leave --line and --column out",
            ),
            (Role::Decoder, _) if self.lanes_out() > MOST_LANES => says(
                "a beat of 64 units can make 65 slots certain, and a beat has 64 lanes at the most: use --lanes 32 or --on-error drop",
            ),
            (Role::Decoder, System::Utf8Bom { .. }) => {
                says("byte order marks of several streams are not followed: leave bom out")
            }
            (Role::Decoder, System::CorrectedUtf8 { .. } | System::MultiOctet(_) | System::Auto(_))
            | (_, decoded_only!()) => {
                says("cores of this system do not have it yet: use a core for each stream")
            }
            _ if self.status && self.status_of_streams_problem().is_some() => {
                self.status_of_streams_problem().map(|reason| format!("{reason}: leave --status out"))
            }
            (_, System::UtfInf8 { .. }) => {
                says("utf-inf-8 does not have it: a sequence has a state of many stages there")
            }
            (_, System::CorrectedUtf8 { document: true, .. }) => {
                says("validators of documents do not have it yet: leave document=on out")
            }
            (
                _,
                System::Utf16Octets { bom: true, .. }
                | System::Utf32Octets { bom: true, .. }
                | System::Ucs2Octets { bom: true, .. },
            ) => says("byte order marks of several streams are not followed: leave bom=on out"),
            (_, System::Utf16Octets { .. } | System::Utf32Octets { .. } | System::Ucs2Octets { .. })
                if self.lanes == 1 =>
            {
                says("with one lane, octets become words before the first stage: use --lanes 2 or more")
            }
            _ => None,
        }
    }

    /// The reason for which frames of several streams cannot have a status.
    fn status_of_streams_problem(&self) -> Option<&'static str> {
        match self.system {
            System::MultiOctet(_) => Some("the slots of a unit are counted in several cycles there"),
            System::CorrectedUtf8 { .. } if self.lanes == 1 => Some(
                "with one lane, a code point of the system is whole one stage later than a status counts it",
            ),
            System::Utf8Bom { .. } => {
                Some("a status does not count the mark of a frame, which is looked for in one stream only")
            }
            System::Utf16Octets { .. } | System::Utf32Octets { .. } | System::Ucs2Octets { .. } => Some(
                "a status counts words of octets as they come in, before the state of their stream is read",
            ),
            system if self.lanes == 1 && is_long(system) => {
                Some("with one lane, a status counts the limbs of a code point beat by beat")
            }
            _ => None,
        }
    }

    /// The reason for which software cannot write the core's table, if it is to and cannot.
    fn table_port_problem(&self) -> Option<&'static str> {
        let has_others = self.status || self.axis != Axis::Lane || !self.passengers.is_empty();
        match (self.role, self.system, self.lanes) {
            _ if !self.table_port.is_there() => None,
            (Role::Decoder, System::Table(_), 1) if !has_others => None,
            (Role::Decoder, System::Table(_), 1) => Some(
                "a core with --table-port does not have --status, --registers, --axis strict, --tid, --tdest and --tuser yet: leave them out",
            ),
            _ => Some(
                "--table-port is for decoders of character sets table:NAME and table:FILE of one lane: leave it out",
            ),
        }
    }

    /// Whether several lanes read one table.
    pub fn has_tables_with_ports(&self) -> bool {
        let is_in_blocks =
            |system: &System| matches!(system, System::MultiOctet(MultiOctet::Gb18030 | MultiOctet::Gbk));
        let reads = match self.system {
            System::Auto(auto) => auto.among().iter().any(is_in_blocks),
            system => is_in_blocks(&system),
        };
        let (decodes, written) = match self.role {
            Role::Decoder => (true, None),
            Role::Transcoder { to } => (true, Some(to)),
            Role::Encoder => (false, Some(self.system)),
            Role::Validator(_) => (false, None),
        };
        let writes = matches!(written, Some(System::MultiOctet(_)));
        self.lanes > 2 && decodes && reads || self.lanes > 1 && writes
    }

    /// Whether the core has a slave of AXI4-Lite.
    pub fn has_axi_lite(&self) -> bool {
        self.registers.is_there() || self.table_port.is_there()
    }

    /// The reason for which a stall cannot reach the core's input in this way, if it cannot.
    fn stall_problem(&self) -> Option<&'static str> {
        match self.role {
            _ if self.stall == Stall::Enable => None,
            Role::Encoder | Role::Transcoder { .. } => Some(
                "it is for decoders and validators, in which each beat takes as long: use --stall enable",
            ),
            _ if self.lanes == 1 => {
                Some("it is for cores of several lanes: with one lane, no enable is wide enough to be slow")
            }
            _ if self.status => Some("cores with a status do not have it yet: leave --status out"),
            Role::Validator(_) => None,
            Role::Decoder if self.pack == Packing::Dense => Some(
                "dense decoders do not have it yet, since their beats wait for each other: use --pack beat",
            ),
            Role::Decoder if self.position > 0 && self.streams == 0 => {
                Some("decoders with positions do not have it yet: leave --position out")
            }
            Role::Decoder if self.place_bits() > 0 && self.streams == 0 => {
                Some("decoders with lines or columns do not have it yet: leave --line and --column out")
            }
            Role::Decoder if self.pipeline.number() > 1 => {
                Some("it is for pipelines with a step a stage: leave --pipeline out")
            }
            Role::Decoder => None,
        }
    }

    /// Whether it is not known a cycle before when the core without a status takes a beat: the decoding half of a transcoder of one lane
    /// does when the encoding half moves, and a decoder of documents has a buffer at its input.
    pub(super) fn hides_ready(&self) -> bool {
        let is_transcoder = matches!(self.role, Role::Transcoder { .. });
        let is_document = matches!(self.system, System::CorrectedUtf8 { document: true, .. });
        self.lanes == 1 && (is_transcoder || (is_document && self.role == Role::Decoder))
    }

    /// Bits of a slot in `tuser`: the kind, and in a decoder the place above it.
    pub fn slot_user_bits(&self) -> u32 {
        SLOT_USER_BITS + self.place_bits()
    }

    /// Bits from a lane to the next in `tuser` on the core's ports, where it is about slots or marks: strict ports have a multiple of
    /// the bytes of a lane, unless bits of the user's follow the last lane.
    pub fn lane_user_stride(&self) -> u32 {
        let (bits, data_bits) = match self.role {
            Role::Validator(verdict) => (verdict.lane_bits(), self.system.unit_bits()),
            _ => (self.slot_user_bits(), self.bus.data_bits()),
        };
        match self.axis {
            Axis::Strict if self.passengers.tuser == 0 => bits.next_multiple_of(data_bits.div_ceil(8)),
            Axis::Lane | Axis::Strict => bits,
        }
    }

    /// Bits of the core's own in `tuser`, on the input and on the output: those below the user's.
    pub fn own_user_bits(&self) -> (u32, u32) {
        match self.role {
            Role::Decoder => (0, self.lanes_out() * self.slot_user_bits()),
            Role::Encoder => (self.lanes * self.slot_user_bits(), 1),
            Role::Transcoder { .. } => (0, 1),
            Role::Validator(verdict) => (0, self.lanes * verdict.lane_bits()),
        }
    }

    /// Whether the user's bits of `tuser` are of each beat, not of a frame's last: the beats that go out are those that came in.
    pub fn has_user_of_beats(&self) -> bool {
        matches!(self.role, Role::Validator(_)) || self.has_slots_of_streams()
    }

    /// Whether slots of several streams go out, those of a beat together.
    pub fn has_slots_of_streams(&self) -> bool {
        self.role == Role::Decoder && self.streams > 0
    }

    /// Lanes of the output. A decoder of several streams has one more than of the input, for all slots that a beat can make certain, unless no unit
    /// makes two.
    pub fn lanes_out(&self) -> u32 {
        let makes_two = self.has_slots_of_streams()
            && (self.on_error == ErrorMode::Flag || is_long(self.system))
            && !matches!(self.system, System::Utf9 { .. } | System::Utf18)
            && Words::of(self.system).is_none()
            // Of the octets of words, at least two make a slot.
            && !(matches!(self.system, System::Utf16Octets { .. }) && self.lanes > 2);
        self.lanes + u32::from(makes_two)
    }

    /// Why there is no core with this bus, if there is none.
    fn check_bus(&self) -> Result<(), CoreError> {
        let Self { system, role, bus, .. } = *self;
        let reason = match (bus, role) {
            (Bus::Long, _) => return Ok(()),
            (Bus::Short, Role::Transcoder { .. } | Role::Validator(_)) => {
                format!("a {} has no slots on its ports: leave the option out", role.noun())
            }
            (Bus::Short, _) if !bus.fits(system) => {
                format!(
                    "{system} has code points of more than 24 bits: leave the option out, or take another system"
                )
            }
            (Bus::Short, _) => return Ok(()),
        };
        Err(CoreError::Bus { reason })
    }

    /// The default name of the core's top module: system, role and lanes, then every option that is not as by default. No two specs
    /// have the same name.
    pub fn module_name(&self) -> String {
        let Self {
            system,
            role,
            lanes,
            reset,
            on_error,
            axis,
            bus,
            pipeline,
            pack,
            passengers,
            streams,
            position: _,
            line: _,
            column: _,
            status,
            registers,
            table_port,
            stall,
            tables,
        } = *self;
        let default = Self::new(system, role);
        let systems = match role {
            Role::Transcoder { to } => format!("{}_to_{}", word(system), word(to)),
            Role::Decoder | Role::Encoder | Role::Validator(_) => word(system),
        };
        let mut parts = vec![systems, role.noun().to_owned(), format!("x{lanes}")];
        match role {
            Role::Transcoder { to } => {
                parts.extend(system.changed_options().iter().map(|option| format!("from_{option}")));
                parts.extend(to.changed_options().iter().map(|option| format!("to_{option}")));
            }
            Role::Decoder | Role::Encoder | Role::Validator(_) => parts.extend(system.changed_options()),
        }
        if let Role::Validator(verdict) = role {
            parts.extend(verdict.options().iter().map(|(name, value)| value.unwrap_or(name).to_owned()));
        }
        parts.extend((on_error != default.on_error).then(|| on_error.to_string()));
        parts.extend((axis != default.axis).then(|| axis.to_string()));
        parts.extend((bus != default.bus).then(|| bus.to_string()));
        parts.extend((pack != default.pack).then(|| pack.to_string()));
        parts.extend((pipeline != default.pipeline).then(|| format!("pipeline_{pipeline}")));
        parts.extend(self.present_places().map(|(option, bits)| format!("{option}_{bits}")));
        parts.extend(status.then(|| "status".to_owned()));
        parts.extend(registers.is_there().then(|| format!("registers_{registers}")));
        parts.extend(table_port.is_there().then(|| format!("table_port_{table_port}")));
        parts.extend(stall.memory().map(|storage| match storage {
            Storage::Ram => stall.to_string(),
            Storage::Registers => format!("{stall}_{storage}"),
        }));
        parts.extend((tables != default.tables).then(|| format!("memory_{tables}")));
        parts.extend(passengers.present().map(|(option, bits)| format!("{option}_{bits}")));
        parts.extend((streams > 0).then(|| format!("streams_{streams}")));
        parts.extend((reset != default.reset).then(|| reset.to_string()));
        parts.join("_").replace(['-', '='], "_")
    }

    /// The options of the core, as the command line spells them. Those of the systems are part of their names.
    fn options(&self) -> Vec<String> {
        let mut options = vec![format!("lanes {}", self.lanes), format!("reset {}", self.reset)];
        match self.role {
            Role::Validator(verdict) => {
                options.extend(verdict.options().into_iter().map(|(name, value)| match value {
                    Some(value) => format!("{name} {value}"),
                    None => name.to_owned(),
                }))
            }
            _ => options.push(format!("on-error {}", self.on_error)),
        }
        options.push(format!("axis {}", self.axis));
        // Most cores have no choice of the bus.
        options.extend((self.bus != Bus::default()).then(|| format!("bus {}", self.bus)));
        if self.lanes > 1 {
            options.extend([format!("pipeline {}", self.pipeline), format!("pack {}", self.pack)]);
        }
        options.extend(self.present_places().map(|(option, bits)| format!("{option} {bits}")));
        options.extend(self.status.then(|| "status".to_owned()));
        options.extend(self.registers.is_there().then(|| format!("registers {}", self.registers)));
        options.extend(self.table_port.is_there().then(|| format!("table-port {}", self.table_port)));
        if let Some(storage) = self.stall.memory() {
            options.push(format!("stall {}", self.stall));
            options.extend((storage != Storage::default()).then(|| format!("memory {storage}")));
        }
        options.extend((self.tables != Storage::default()).then(|| format!("memory {}", self.tables)));
        options.extend(self.passengers.present().map(|(option, bits)| format!("{option} {bits}")));
        options.extend((self.streams > 0).then(|| format!("streams {}", self.streams)));
        options
    }

    /// The core as arguments of the command line, without the options that are as by default:
    /// `utf-8 decoder --on-error drop`. With all options, it is the spec's `Display`.
    pub fn in_short(&self) -> String {
        let role =
            if let Role::Validator(_) = self.role { Role::Validator(Verdict::default()) } else { self.role };
        let default = Self { lanes: self.lanes, ..Self::new(self.system, role) }.options();
        let is_changed = |option: &String| match option.starts_with("lanes ") {
            true => self.lanes != 1,
            false => !default.contains(option),
        };
        let changed = self.options().into_iter().filter(is_changed);
        let changed: String = changed.map(|option| format!(" --{option}")).collect();
        format!("{} {}{changed}", self.system, self.role)
    }
}

impl fmt::Display for CoreSpec {
    /// The core as arguments of the command line, with every option:
    /// `utf-8 decoder --lanes 1 --reset sync-high --on-error flag --axis lane`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.system, self.role)?;
        self.options().iter().try_for_each(|option| write!(f, " --{option}"))
    }
}

/// Each system and role with one lane and every treatment of errors, and some with every reset.
fn configurations(of: impl Iterator<Item = (System, Role)>) -> impl Iterator<Item = CoreSpec> {
    of.flat_map(|(system, role)| {
        let in_every_reset = system == System::Utf8 && !matches!(role, Role::Transcoder { .. });
        let resets = if in_every_reset { &ResetStyle::ALL[..] } else { &[ResetStyle::SyncHigh] };
        resets.iter().flat_map(move |&reset| {
            role.on_error().iter().map(move |&on_error| CoreSpec {
                reset,
                on_error,
                ..CoreSpec::new(system, role)
            })
        })
    })
}

/// Why a core cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// An option of the system is out of its range.
    #[error("{system}: {reason}")]
    Option {
        /// The system.
        system: &'static str,
        /// The fault, and the remedy.
        reason: String,
    },
    /// There are no cores of the system.
    #[error(
        "there are no cores of {system}, which is a system of software: `utfhdl list` shows the systems with cores"
    )]
    Software {
        /// The system.
        system: System,
    },
    /// There is no such core at all.
    #[error(
        "there is no {system} {role} in hardware yet: `utfhdl list {system}` shows the cores that there are"
    )]
    None {
        /// The system.
        system: System,
        /// The role.
        role: Role,
    },
    /// There is no such number of lanes.
    #[error("there is no {system} {role} of {lanes} lanes: --lanes can be {}", choices(role.lanes(*system)))]
    Lanes {
        /// The system.
        system: System,
        /// The role.
        role: Role,
        /// The number asked for.
        lanes: u32,
    },
    /// Cores of the role do not have the error mode.
    #[error("--on-error {on_error} is not for {}s: it can be {}", role.noun(), choices(role.on_error()))]
    ErrorMode {
        /// The role.
        role: Role,
        /// The mode asked for.
        on_error: ErrorMode,
    },
    /// With one lane, there are no steps that could share a stage.
    #[error("--pipeline {pipeline} is for cores of several lanes: with one lane it can be auto")]
    Pipeline {
        /// The pipeline asked for.
        pipeline: Steps,
    },
    /// There is no such core with the bus.
    #[error("--bus short: {reason}")]
    Bus {
        /// Why not, and what to do.
        reason: String,
    },
    /// The core fills its beats in one way only.
    #[error("--pack {pack} is for decoders of several lanes: a beat of one lane is full anyway")]
    Packing {
        /// The packing asked for.
        pack: Packing,
    },
    /// The core cannot say the place of a slot in this way.
    #[error("--{option} {bits}: {reason}")]
    Place {
        /// The option.
        option: &'static str,
        /// The bits asked for.
        bits: u32,
        /// The reason, and the remedy.
        reason: &'static str,
    },
    /// A stall cannot reach the input of the core in this way.
    #[error("--stall {stall}: {reason}")]
    Stall {
        /// The way asked for.
        stall: Stall,
        /// The reason, and the remedy.
        reason: &'static str,
    },
    /// Beats of several streams cannot come in any order.
    #[error("--streams {streams}: {reason}")]
    Streams {
        /// The streams asked for.
        streams: u32,
        /// The reason, and the remedy.
        reason: String,
    },
    /// Registers have nothing to count.
    #[error("--registers {registers}: the registers add up the statuses of frames: add --status")]
    Registers {
        /// The registers asked for.
        registers: Registers,
    },
    /// A passenger has too many bits.
    #[error("--{option} {bits} is too wide: it can be 1 to {most} bits")]
    Passenger {
        /// The option.
        option: &'static str,
        /// The bits asked for.
        bits: u32,
        /// The most bits.
        most: u32,
    },
    /// The name cannot be that of the top module.
    #[error("the module cannot be called {name:?}: {reason}")]
    Name {
        /// The name asked for.
        name: String,
        /// The fault, and the remedy.
        reason: String,
    },
}

/// The choices as a sentence lists them: `1, 2 or 4`.
fn choices(all: &[impl fmt::Display]) -> String {
    let words: Vec<String> = all.iter().map(ToString::to_string).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The name of a system in names of modules. That of a user's table is of its file: `table_own_set` of `table:sets/own-set.txt`.
fn word(system: System) -> String {
    match system {
        System::Table(table) => {
            let stem = table.stem().chars().take(LONGEST_STEM);
            let stem: String = stem.map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            format!("table_{}", stem.to_ascii_lowercase())
        }
        System::Auto(auto) => {
            let systems: Vec<String> = auto.among().iter().map(ToString::to_string).collect();
            let by = match auto.choose() {
                Choose::Mark => "_by_mark",
                Choose::Port => "",
            };
            let systems = systems.join("_");
            // Verilator and others cut long names.
            let systems = match systems.len() {
                0..=LONGEST_LIST => systems,
                _ => format!("of_{}_{:08x}", auto.among().len(), digest(&systems)),
            };
            let name = format!("auto_{systems}{by}");
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
        }
        _ => system.name().to_owned(),
    }
}

/// The most characters of a list of systems that a name of a module has.
const LONGEST_LIST: usize = 40;

/// A number that tells texts apart: FNV-1a of 32 bits.
fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, octet| (hash ^ u32::from(octet)).wrapping_mul(0x0100_0193))
}

/// The most characters of a file name that a name of a module has.
const LONGEST_STEM: usize = 40;
