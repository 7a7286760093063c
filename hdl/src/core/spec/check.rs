//! Checks that the options of a core go together. The error of a check says what to do about the problem.

use super::{CoreError, CoreSpec, ErrorMode, MOST_POSITION_BITS, MOST_STREAMS, Role};
use crate::core::shared::octet_table::OctetTable;
use crate::core::verdict::has_line_feed;
use crate::core::{
    Auto, Axis, Bus, FEWEST_DIGITS, MOST_DIGITS, Packing, Stall, Steps, Storage, System, decoded_only,
    is_long,
};

/// The most lanes of a beat.
const MOST_LANES: u32 = 64;

impl CoreSpec {
    /// Checks that the generator has such a core.
    ///
    /// # Errors
    /// The first fault of the specification.
    pub(in crate::core) fn check(&self) -> Result<(), CoreError> {
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

    /// The first of the options asked for that cores do not have if they read a set of several octets in several lanes.
    fn option_of_one_lane(&self) -> Option<&'static str> {
        if self.lanes == 1 || self.role == Role::Encoder || !self.system.has_multi_octet() {
            return None;
        }
        let is_validator = matches!(self.role, Role::Validator(_));
        let options = [
            ("--status", self.status),
            ("--pack dense", self.pack == Packing::Dense),
            ("--pipeline", self.pipeline != Steps::Auto),
            ("--position, --line and --column", self.place_bits() > 0),
            ("--stall credit", self.stall != Stall::Enable && !is_validator),
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
}
