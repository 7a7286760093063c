//! The arguments that say which core is meant, shared by the commands about hardware.

use std::io::Read;
use std::str::FromStr;

use anyhow::{Context, bail};
use utfhdl::clock::{Choice, fewest_stages};
use utfhdl::cosim::{Stalls, Stimulus, pipe};
use utfhdl::engines::{self, EngineKind, Start, UnknownEngine};
use utfhdl::promise::Beat;
use utfhdl::report::Device;
use utfhdl_codec::Slot;
use utfhdl_codec::units::UnitReader;
use utfhdl_codec::{Auto, Choose, System};
use utfhdl_hdl::core::{
    Axis, Bus, Core, CoreSpec, ErrorMode, MOST_POSITION_BITS, MOST_STREAMS, MOST_TID_BITS, MOST_TUSER_BITS,
    Mark, Packing, Passengers, Registers, Role, Stall, Steps, Storage, Verdict,
};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::Engine;

use super::output::message;
use super::values;

/// The most stalls of a run, in percent: with more, nothing would ever move.
const MOST_STALLS: u8 = 99;

/// Which core.
#[derive(clap::Args)]
pub struct CoreArgs {
    /// System, a name or an alias, with options after commas; `utfhdl list` shows them all. auto is one of several systems, which
    /// --among names
    #[arg(value_parser = values::system_of_core)]
    pub system: System,

    /// Role of the core: decoder (units in, code points out), encoder (the way back), transcoder:SYSTEM (units of
    /// another system out), or validator (the same units out, with marks at errors)
    #[arg(value_parser = parse_role)]
    pub role: Role,

    #[command(flatten)]
    options: CoreOptions,
}

/// The options of a core.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct CoreOptions {
    #[command(flatten)]
    shape: Shape,

    #[command(flatten)]
    marks: Marks,

    /// With the system auto: the systems of octets, with commas between them, of which the core chooses one for each frame
    #[arg(long, value_name = "SYSTEMS", value_parser = Among::from_str)]
    among: Option<Among>,

    /// With the system auto: how the system of a frame is chosen, port (the number of the system in the list, from 0 on, on the input port
    /// system) or bom (the byte order mark at the start of the frame) [default: port]
    #[arg(long, value_name = "C", requires = "among", value_parser = values::choose)]
    choose: Option<Choose>,

    /// Slots on the decoded side of decoders and encoders: long (32 bits of data, and heads and limbs for code points of 2^32 or
    /// more), or short (24 bits, and nothing but code points and errors)
    #[arg(long, value_name = "B", default_value_t = Bus::Long, value_parser = Bus::from_str)]
    bus: Bus,

    /// How the reset is wired
    #[arg(long, value_name = "R", default_value = "sync-high", value_parser = ResetStyle::from_str)]
    reset: ResetStyle,

    /// Treatment of errors: flag them in slots of their own (decoders), replace them (encoders, transcoders), or drop
    /// them [default: flag or replace]
    #[arg(long, value_name = "E", value_parser = ErrorMode::from_str)]
    on_error: Option<ErrorMode>,

    /// Steps that share a pipeline stage, with several lanes: 1 to 8, or auto. A step decides something about each unit, moves slots
    /// down by 1, 2, 4 and so on, or doubles the lanes over which gaps are summed up. More of them make the latency shorter and the
    /// clock slower
    #[arg(long, value_name = "N", default_value_t = Steps::Auto, value_parser = Steps::from_str)]
    pipeline: Steps,

    /// Clock to be reached, with several lanes: as many steps share a stage as leave time for, by measured delays of the device
    #[arg(long, value_name = "MHZ", conflicts_with = "pipeline", value_parser = megahertz)]
    clock: Option<u32>,

    /// Device for --clock: ecp5-85k or hx8k [default: ecp5-85k]
    #[arg(long, value_name = "NAME", requires = "clock", value_parser = Device::from_str)]
    device: Option<Device>,

    /// How a decoder of several lanes fills its output beats: beat (with what one input beat makes certain), or dense (to the
    /// last lane, but at the end of a frame)
    #[arg(long, value_name = "P", default_value_t = Packing::Beat, value_parser = Packing::from_str)]
    pack: Packing,

    /// Bits of a position above the kind of each slot that a decoder makes: the offset in the frame of the slot's first unit
    #[arg(long, value_name = "W", value_parser = bits(MOST_POSITION_BITS))]
    position: Option<u32>,

    /// Bits of a line above the position of each slot that a decoder makes: the number of U+000A in the frame before the slot
    #[arg(long, value_name = "W", value_parser = bits(MOST_POSITION_BITS))]
    line: Option<u32>,

    /// Bits of a column above the line of each slot that a decoder makes: the number of code points and errors since the last U+000A, or
    /// since the beginning of the frame
    #[arg(long, value_name = "W", value_parser = bits(MOST_POSITION_BITS))]
    column: Option<u32>,

    /// A stream with a status for each frame: whether the frame is well-formed, its first error, its length in units and code
    /// points, and the lengths that it would have in UTF-8, UTF-16 and UTF-32
    #[arg(long)]
    status: bool,

    /// Registers of totals that software reads: none, or axi-lite, a slave of AXI4-Lite (frames, ill-formed frames, units, code points, errors,
    /// frames by the kind of their first error, the first error since it was read, and a clear). They count the statuses of frames, so
    /// axi-lite is also --status
    #[arg(long, value_name = "R", default_value_t = Registers::None, value_parser = Registers::from_str)]
    registers: Registers,

    /// How software reads and writes the table of a decoder of table:SET: none, or axi-lite, a slave of AXI4-Lite with a word for each octet. The
    /// core begins with the set after reset, so that one core serves every set
    #[arg(long, value_name = "P", default_value_t = Registers::None, value_parser = Registers::from_str)]
    table_port: Registers,

    /// How a stall of the output reaches the input, with several lanes: enable (all stages stop), or credit (no stage stops: a memory
    /// at the end has room for all beats that are under way, and a beat is taken while that room is left) [default: enable, for every device]. In
    /// commands that run the core also, as an option of its own, the cycles in which each side stalls, in percent [default: 0], or those of
    /// the source and those of the sink, such as 90,0
    #[arg(long, value_name = "S", value_parser = StallArg::from_str)]
    stall: Vec<StallArg>,

    /// The form of the memory that --stall credit needs: ram (an array from which synthesis infers RAM), or registers. Of the tables that several
    /// lanes of gb18030 read: ram (an array with initial contents), or registers (cases, for a flow without RAM) [default: ram]
    #[arg(long, value_name = "M", value_parser = Storage::from_str)]
    memory: Option<Storage>,

    #[command(flatten)]
    sideband: Sideband,
}

/// The systems that a core chooses among.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Among(Vec<System>);

impl FromStr for Among {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        values::among(text).map(Self)
    }
}

/// The signals of the user's that go through a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Sideband {
    /// Bits of TID: what comes in with a frame's first beat goes out with all beats of the frame
    #[arg(long, value_name = "N", value_parser = bits(MOST_TID_BITS))]
    tid: Option<u32>,

    /// Bits of TDEST, as of TID
    #[arg(long, value_name = "N", value_parser = bits(MOST_TID_BITS))]
    tdest: Option<u32>,

    /// Bits of the user's in TUSER, above those of the core: what comes in with a frame's last beat goes out with the frame's
    /// last beat
    #[arg(long, value_name = "N", value_parser = bits(MOST_TUSER_BITS))]
    tuser: Option<u32>,

    /// Streams whose beats come in any order, beat by beat, in a validator: 2, 4, 8 and so on, to 1024. The low bits of TID say which
    /// stream a beat is of; --tid has as many bits or more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_STREAMS)))]
    pub streams: Option<u32>,

    /// Refused, with the reason
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "", value_parser = no_tstrb)]
    tstrb: Option<u32>,
}

impl Sideband {
    /// The passengers of a core with these options.
    pub fn passengers(self) -> Passengers {
        let Self { tid, tdest, tuser, .. } = self;
        let [tid, tdest, tuser] = [tid, tdest, tuser].map(Option::unwrap_or_default);
        Passengers { tid, tdest, tuser }
    }
}

/// A parser of a number of bits.
pub fn bits(most: u32) -> impl clap::builder::TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=i64::from(most))
}

fn no_tstrb(_: &str) -> Result<u32, String> {
    let reason = "TSTRB marks position bytes, and a unit or slot is there or not: there is nothing in a text that could hold the                   position of a unit that is not. Leave TSTRB unconnected, as a copy of TKEEP, which AXI4-Stream takes it for";
    Err(reason.to_owned())
}

/// The marks of a validator.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Marks {
    /// Validators: tell the kinds of errors, in four bits each, not only that there is an error
    #[arg(long)]
    kinds: bool,

    /// Validators: mark units with a bit more, start (the unit begins a code point or an error) or newline (it completes
    /// U+000A); both with a comma
    #[arg(long, value_name = "M", value_delimiter = ',', value_parser = Mark::from_str)]
    mark: Vec<Mark>,
}

impl Marks {
    /// The marks, whatever the role.
    pub fn verdict(&self) -> Verdict {
        Verdict::new(self.kinds, &self.mark)
    }

    /// The role with these marks.
    ///
    /// # Errors
    /// If there are marks, and the role has none.
    pub fn of(&self, role: Role) -> anyhow::Result<Role> {
        match role {
            Role::Validator(_) => Ok(Role::Validator(self.verdict())),
            _ if self.kinds => {
                bail!("--kinds is for validators, and this is a core of the role {role}: leave it out")
            }
            _ if !self.mark.is_empty() => {
                bail!("--mark is for validators, and this is a core of the role {role}: leave it out")
            }
            _ => Ok(role),
        }
    }
}

/// The part that `decode` has too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct Shape {
    /// Units a cycle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_lanes)]
    lanes: u32,

    /// How lanes stand on the ports: lane (as many bits as a unit or slot has), or strict (the widths of AXI4-Stream to the
    /// letter: whole bytes, a bit of TKEEP for each byte, TUSER a multiple of the bytes)
    #[arg(long, value_name = "A", default_value_t = Axis::Lane, value_parser = Axis::from_str)]
    axis: Axis,
}

impl Default for Shape {
    fn default() -> Self {
        Self { lanes: 1, axis: Axis::default() }
    }
}

impl Shape {
    /// Options for ports of `lanes` lanes.
    pub fn of_lanes(lanes: u32) -> Self {
        Self { lanes, ..Self::default() }
    }
}

/// Parses a clock.
fn megahertz(text: &str) -> Result<u32, String> {
    let clock = text.parse().ok().filter(|clock| (1..=10_000).contains(clock));
    clock.ok_or_else(|| "expected a clock in MHz, 1 to 10000, without a unit".to_owned())
}

/// Parses a number of lanes.
pub fn parse_lanes(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a number of lanes; `utfhdl list` shows which there are".to_owned())
}

/// Parses a role: `decoder`, `encoder`, `transcoder:SYSTEM` or `validator`.
pub fn parse_role(text: &str) -> Result<Role, String> {
    match text.split_once(':') {
        None if text == "decoder" => Ok(Role::Decoder),
        None if text == "encoder" => Ok(Role::Encoder),
        None if text == "validator" => Ok(Role::Validator(Verdict::default())),
        Some(("transcoder", to)) => Ok(Role::Transcoder { to: values::system(to)? }),
        _ => Err("expected decoder, encoder, transcoder:SYSTEM, or validator".to_owned()),
    }
}

/// The only value, if there is one.
fn only<T>(mut values: impl Iterator<Item = T>) -> anyhow::Result<Option<T>> {
    let first = values.next();
    if values.next().is_some() {
        bail!("--stall is given twice for the same: once is enough");
    }
    Ok(first)
}

impl CoreArgs {
    /// Builds the core, for a command that runs it; gives the stalls of the run, too, if there are any.
    pub fn core_and_stalls(&self) -> anyhow::Result<(Core, Option<Stalls>)> {
        Ok((Core::new(self.options.spec_of_run(self.system, self.role)?)?, self.options.stalls()?))
    }

    /// Builds the core.
    pub fn core(&self) -> anyhow::Result<Core> {
        Ok(Core::new(self.spec()?)?)
    }

    /// The core that is meant, which may be none that can be built.
    ///
    /// # Errors
    /// If an option is not for the role.
    pub fn spec(&self) -> anyhow::Result<CoreSpec> {
        self.options.spec(self.system, self.role)
    }
}

/// A value of `--stall`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StallArg {
    /// An option of the core.
    Way(Stall),
    /// The stalls of a run.
    Run(Stalls),
}

impl FromStr for StallArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(way) = text.parse() {
            return Ok(Self::Way(way));
        }
        parse_stalls(text).map(Self::Run).map_err(|_| {
            format!(
                "expected enable or credit, for the core; or a percentage from 0 to {MOST_STALLS}, or two for source and sink, such as \
                 30 or 90,0, for a run"
            )
        })
    }
}

/// Parses the stalls of a run: a percentage for both sides, or one for each.
pub fn parse_stalls(text: &str) -> Result<Stalls, String> {
    let (source, sink) = text.split_once(',').unwrap_or((text, text));
    let percent = |text: &str| text.parse().ok().filter(|percent| *percent <= MOST_STALLS);
    match (percent(source), percent(sink)) {
        (Some(source), Some(sink)) => Ok(Stalls { source, sink }),
        _ => Err(format!(
            "expected a percentage from 0 to {MOST_STALLS}, or two for source and sink, such as 30 or 90,0"
        )),
    }
}

impl CoreOptions {
    /// How stalls reach the input of the core.
    fn way_of_stalls(&self) -> anyhow::Result<Stall> {
        let ways =
            self.stall.iter().filter_map(|arg| if let StallArg::Way(way) = arg { Some(*way) } else { None });
        Ok(only(ways)?.unwrap_or_default())
    }

    /// The stalls of a run, if they are given.
    fn stalls(&self) -> anyhow::Result<Option<Stalls>> {
        only(
            self.stall
                .iter()
                .filter_map(|arg| if let StallArg::Run(stalls) = arg { Some(*stalls) } else { None }),
        )
    }

    /// A core with these options, which may be none that can be built.
    ///
    /// # Errors
    /// If an option is not for the role.
    pub fn spec(&self, system: System, role: Role) -> anyhow::Result<CoreSpec> {
        if let Some(Stalls { source, sink }) = self.stalls()? {
            bail!(
                "--stall {source},{sink}: this command runs nothing that could stall: --stall is enable or credit here"
            );
        }
        self.spec_of_run(system, role)
    }

    /// The system, with the list of those that the core chooses among, if it is `auto`.
    fn chosen(&self, system: System) -> anyhow::Result<System> {
        let is_open = system == System::Auto(Auto::open());
        match &self.among {
            Some(Among(among)) if is_open => {
                let choose = self.choose.unwrap_or(Choose::Port);
                let auto = Auto::new(among.clone(), choose).map_err(anyhow::Error::msg).context("--among")?;
                Ok(System::Auto(auto))
            }
            Some(_) => {
                bail!("--among is for the system auto, and this is {system}: leave it out, or write auto")
            }
            None => Ok(system),
        }
    }

    fn spec_of_run(&self, system: System, role: Role) -> anyhow::Result<CoreSpec> {
        let role = self.marks.of(role)?;
        let system = self.chosen(system)?;
        let on_error = self.on_error.unwrap_or(role.on_error()[0]);
        let Shape { lanes, axis } = self.shape;
        let Self {
            bus,
            reset,
            pipeline,
            pack,
            position,
            line,
            column,
            status,
            registers,
            table_port,
            sideband,
            memory,
            ..
        } = *self;
        let (stall, tables) = match (self.way_of_stalls()?, memory.unwrap_or_default()) {
            (Stall::Enable, memory) => (Stall::Enable, memory),
            (Stall::Credit(_), memory) => (Stall::Credit(memory), Storage::default()),
        };
        let [position, line, column] = [position, line, column].map(Option::unwrap_or_default);
        let passengers = sideband.passengers();
        let spec = CoreSpec {
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
            streams: sideband.streams.unwrap_or_default(),
            position,
            line,
            column,
            status: status || registers.is_there(),
            registers,
            table_port,
            stall,
            tables,
        };
        if memory.is_some() && stall == Stall::Enable && !spec.has_tables_with_ports() {
            bail!(
                "--memory {tables}: there is no memory in this core; cores with --stall credit have one, decoders and transcoders of \
                 gb18030 and gbk with four and eight lanes, and encoders of sets of several octets with two and more"
            )
        }
        let Some(mhz) = self.clock else { return Ok(spec) };
        let device = self.device.unwrap_or_default();
        let Choice { pipeline, mhz: reached } =
            fewest_stages(spec, device, mhz).with_context(|| format!("--clock {mhz}"))?;
        message(format!("--clock {mhz} is --pipeline {pipeline}: about {reached:.0} MHz in {device}"));
        Ok(CoreSpec { pipeline, ..spec })
    }
}

/// The decoder, in commands that have a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// The software reference.
    Reference,
    /// A core, in an engine.
    Engine(EngineKind),
}

impl FromStr for EngineChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "reference" {
            return Ok(Self::Reference);
        }
        name.parse().map(Self::Engine).map_err(|error: UnknownEngine| format!("{error}, and reference"))
    }
}

/// Starts an engine for a core.
pub fn start(kind: EngineKind, core: &Core, start: Start) -> anyhow::Result<Box<dyn Engine>> {
    kind.start_from(core, start).with_context(|| format!("--engine {kind}"))
}

/// A decoder core in an engine, as `decode` and `convert` run it.
pub struct CoreDecoder {
    core: Core,
    engine: Box<dyn Engine>,
}

impl CoreDecoder {
    /// Builds the core and starts the engine.
    pub fn start(system: System, shape: Shape, kind: EngineKind) -> anyhow::Result<Self> {
        let Shape { lanes, axis } = shape;
        let core = Core::new(CoreSpec { lanes, axis, ..CoreSpec::new(system, Role::Decoder) })?;
        let engine = start(kind, &core, Start::Zero)?;
        Ok(Self { core, engine })
    }

    /// Runs all of `units`, of a file called `name`, through the core as one frame, and hands every slot to `sink`.
    pub fn decode(
        mut self,
        name: String,
        units: UnitReader<Box<dyn Read + Send>>,
        mut sink: impl FnMut(Slot) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let stimulus = Stimulus::from_reader(name, units, self.core.spec.lanes as usize);
        pipe::run(&self.core, &mut *self.engine, stimulus, |Beat { items, .. }, _| {
            items
                .into_iter()
                .try_for_each(|item| sink(item.slot().context("the core made a slot of no kind")?))
        })?;
        if let Some(remark) = engines::remark(&*self.engine) {
            message(remark);
        }
        Ok(())
    }
}
