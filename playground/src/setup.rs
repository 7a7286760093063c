//! What the page has chosen: a core, an input, stalls and a fault.

use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utfhdl::cores::nearest_names;
use utfhdl::cosim::{Cosim, Framing, Source, Stalls};
use utfhdl::deliverables::Settings;
use utfhdl::fault::{self, SignalFault};
use utfhdl::input::{slots_of_text, units_of_text, units_of_words};
use utfhdl::promise::Item;
use utfhdl::shell;
use utfhdl_codec::lines::whole;
use utfhdl_codec::units::{UnitFormat, UnitReader, UnitWriter};
use utfhdl_codec::{ParseSystemError, System};
use utfhdl_hdl::core::{
    Axis, Bus, Core, CoreSpec, ErrorMode, MOST_POSITION_BITS, MOST_TID_BITS, MOST_TUSER_BITS, Mark, Packing,
    Passengers, Role, Steps, TextOptions, Verdict,
};
use utfhdl_hdl::netlist::{Fault, ResetStyle};

/// The most units or slots of a run.
const MOST_ITEMS: usize = 100_000;
/// The most bytes of a file that a command has in itself.
const MOST_IN_COMMAND: usize = 2000;
/// The clock of the constraints in MHz, which is the default of `generate`.
const CLOCK_MHZ: f64 = 100.0;
/// The clocks that constraints can have, in MHz.
const CLOCKS_MHZ: RangeInclusive<f64> = 0.001..=100_000.0;
/// The most stalls, in percent.
const MOST_STALLS: u8 = 99;
/// The most random units.
const MOST_RANDOM: u64 = 20_000;

/// The inputs of the page, with the names of the command line. The content of the input follows the request.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct State {
    system: String,
    role: String,
    lanes: u32,
    on_error: String,
    reset: String,
    axis: String,
    bus: String,
    pack: String,
    pipeline: String,
    kinds: bool,
    mark: Vec<String>,
    position: u32,
    line: u32,
    column: u32,
    status: bool,
    tid: u32,
    tdest: u32,
    tuser: u32,
    /// The name of the module; empty for that of the core.
    name: String,
    timescale: String,
    x_interface: bool,
    clock_mhz: f64,
    input: InputKind,
    random: u64,
    stall: [u8; 2],
    seed: u64,
    /// How the input is cut into frames; empty for one frame, or random ones of noise.
    frames: String,
    fault: String,
}

impl Default for State {
    fn default() -> Self {
        let spec = CoreSpec::new(System::Utf8, Role::Decoder);
        Self {
            system: spec.system.to_string(),
            role: spec.role.to_string(),
            lanes: spec.lanes,
            on_error: String::new(),
            reset: spec.reset.to_string(),
            axis: spec.axis.to_string(),
            bus: spec.bus.to_string(),
            pack: spec.pack.to_string(),
            pipeline: spec.pipeline.to_string(),
            kinds: false,
            mark: Vec::new(),
            position: 0,
            line: 0,
            column: 0,
            status: false,
            tid: 0,
            tdest: 0,
            tuser: 0,
            name: String::new(),
            timescale: String::new(),
            x_interface: false,
            clock_mhz: CLOCK_MHZ,
            input: InputKind::Text,
            random: 200,
            stall: [0, 0],
            seed: 1,
            frames: String::new(),
            fault: String::new(),
        }
    }
}

/// The form of the input.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// A text, which is written in the system.
    #[default]
    Text,
    /// The digits of units; for an encoder code points or errors, one a line.
    Units,
    /// A file, as `cosim` reads it.
    File,
    /// Noise.
    Random,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{text}")]
pub struct Problem {
    /// The part of the page that it is about.
    pub about: About,
    /// The problem, in words.
    pub text: String,
}

/// A part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    /// The choice of the core.
    Core,
    /// The input.
    Input,
    /// The fault.
    Fault,
    /// The run.
    Run,
    /// The page itself.
    Page,
}

impl Problem {
    /// A problem of this part.
    pub fn new(about: About, text: impl ToString) -> Self {
        Self { about, text: text.to_string() }
    }

    /// A fault of the page, not of its user.
    pub fn page(text: impl ToString) -> Self {
        Self::new(About::Page, text)
    }
}

/// A core with its input.
pub struct Setup {
    /// The core, without a fault.
    pub core: Core,
    /// The options of its text, and the clock of its constraints.
    pub files: Settings,
    /// The co-simulation: the core with its fault, and the input.
    pub cosim: Cosim,
    /// The command that makes the same picture.
    pub command: String,
    /// The command that generates the core.
    pub generate: String,
    /// A remark on the input.
    pub note: Option<String>,
    /// Whether the input is cut to what the first cycles can take.
    pub is_cut: bool,
    is_faulty: bool,
}

impl Setup {
    /// Builds what the page has chosen, with as much input as the first `cycles` cycles can take.
    ///
    /// # Errors
    /// If there is no such core, input or fault.
    pub fn new(state: State, input: &[u8], cycles: Option<usize>) -> Result<Self, Problem> {
        let wrong = |error| Problem::new(About::Core, error);
        // The commands that run a core know no names.
        let anonymous = Core::new(spec(&state)?).map_err(|error| wrong(error.to_string()))?;
        let core = match state.name.as_str() {
            "" => anonymous.clone(),
            name => Core::named(anonymous.spec, name).map_err(|error| wrong(format!("name: {error}")))?,
        };
        let files = settings(&state, &core)?;
        let mut generate = format!("{}{}", core.command(), files.text);
        if state.clock_mhz != CLOCK_MHZ {
            generate += &format!(" --with all --clock-mhz {}", state.clock_mhz);
        }
        let fault = fault_of(&state)?;
        let faulty = match &fault {
            None => anonymous,
            Some(fault) => fault.inject(&anonymous).map_err(|error| Problem::new(About::Fault, error))?,
        };
        let most = cycles.map_or(usize::MAX, |cycles| cycles * core.spec.lanes as usize);
        let [source, sink] = state.stall.map(|percent| percent.min(MOST_STALLS));
        let mut command = format!("utfhdl trace {}", core.spec);
        let (mut note, mut framing) = (None, Framing::Whole);
        let is_cut;
        let source_of_run = if state.input == InputKind::Random {
            let count = state.random.clamp(1, MOST_RANDOM);
            command += &format!(" --random {count}");
            framing = Framing::Random;
            is_cut = count > most as u64;
            Source::Random { count: count.min(most as u64) }
        } else {
            let mut items = items_of(&core, state.input, input)?;
            if items.is_empty() {
                return Err(Problem::new(About::Input, "the input is empty: there is nothing to run"));
            }
            if items.len() > MOST_ITEMS {
                note = Some(format!(
                    "the first {MOST_ITEMS} of {} units or slots are run: the command runs all",
                    items.len()
                ));
                items.truncate(MOST_ITEMS);
            }
            command = with_input(&core, &command, state.input, input, &items)?;
            is_cut = items.len() > most;
            items.truncate(most);
            Source::Given(items)
        };
        if (source, sink) != (0, 0) {
            command += &format!(" --stall {}", shell::quoted(format!("{source},{sink}").as_ref()));
        }
        if state.seed != 1 {
            command += &format!(" --seed {}", state.seed);
        }
        if !state.frames.is_empty() {
            framing = state
                .frames
                .parse()
                .map_err(|error| Problem::new(About::Input, format!("frames: {error}")))?;
            command += &format!(" --frames {}", shell::quoted(framing.to_string().as_ref()));
        }
        if let Some(fault) = &fault {
            command += &format!(" --fault {}", shell::quoted(fault.to_string().as_ref()));
        }
        command += " -o run.html";
        let stalls = Stalls { source, sink };
        let cosim =
            Cosim { core: faulty, source: source_of_run, framing, stalls, resets: 0, seed: state.seed };
        Ok(Self { core, files, cosim, command, generate, note, is_cut, is_faulty: fault.is_some() })
    }

    /// The core whose Verilog is shown: with the fault, or with its name.
    pub fn shown(&self) -> &Core {
        if self.is_faulty { &self.cosim.core } else { &self.core }
    }

    /// The units or slots of an input that is not noise.
    pub fn items(&self) -> Result<&[Item], Problem> {
        match &self.cosim.source {
            Source::Given(items) => Ok(items),
            _ => Err(Problem::new(About::Input, "the input is random: choose a text or units")),
        }
    }

    /// The signals of the core that can have a fault: path and bits.
    pub fn signals(&self) -> Vec<(String, u32)> {
        fault::signals(&self.core).into_iter().map(|site| (site.path, site.width)).collect()
    }
}

fn system(name: &str) -> Result<System, Problem> {
    name.parse().map_err(|error: ParseSystemError| {
        let near = nearest_names(name);
        let near =
            if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
        Problem::new(About::Core, format!("{error}{near}"))
    })
}

fn role(state: &State) -> Result<Role, Problem> {
    match state.role.split_once(':') {
        None if state.role == "decoder" => Ok(Role::Decoder),
        None if state.role == "encoder" => Ok(Role::Encoder),
        None if state.role == "validator" => {
            let marks: Result<Vec<Mark>, _> = state.mark.iter().map(|mark| mark.parse()).collect();
            let marks = marks.map_err(|error| Problem::new(About::Core, format!("mark: {error}")))?;
            Ok(Role::Validator(Verdict::new(state.kinds, &marks)))
        }
        Some(("transcoder", to)) => Ok(Role::Transcoder { to: system(to)? }),
        _ => {
            let text = format!("there is no role {:?}", state.role);
            Err(Problem::new(About::Core, text))
        }
    }
}

fn spec(state: &State) -> Result<CoreSpec, Problem> {
    fn choice<T: FromStr<Err = String>>(option: &str, text: &str) -> Result<T, Problem> {
        text.parse().map_err(|error| Problem::new(About::Core, format!("{option} {text:?}: {error}")))
    }
    let (system, role) = (system(&state.system)?, role(state)?);
    let default = CoreSpec::new(system, role);
    let on_error: ErrorMode = match state.on_error.as_str() {
        "" => default.on_error,
        text => choice("on-error", text)?,
    };
    let (lanes, reset): (u32, ResetStyle) = (state.lanes, choice("reset", &state.reset)?);
    let (axis, bus) = (choice("axis", &state.axis)?, choice("bus", &state.bus)?);
    let (pack, pipeline) = (choice("pack", &state.pack)?, choice("pipeline", &state.pipeline)?);
    let State { position, line, column, status, tid, tdest, tuser, .. } = *state;
    let passengers = Passengers { tid, tdest, tuser };
    Ok(CoreSpec {
        lanes,
        on_error,
        reset,
        axis,
        bus,
        pack,
        pipeline,
        passengers,
        position,
        line,
        column,
        status,
        ..default
    })
}

/// The options of the core's files.
fn settings(state: &State, core: &Core) -> Result<Settings, Problem> {
    let wrong = |text: String| Problem::new(About::Core, text);
    let timescale = match state.timescale.as_str() {
        "" => None,
        text => Some(text.parse().map_err(|error| wrong(format!("timescale: {error}")))?),
    };
    if state.x_interface && !core.counts_in_bytes() {
        return Err(wrong(
            "interfaces of Vivado count tdata and tkeep in bytes, and these ports do not: choose strict ports".to_owned(),
        ));
    }
    if !CLOCKS_MHZ.contains(&state.clock_mhz) {
        return Err(wrong(format!("the clock can be {} to {} MHz", CLOCKS_MHZ.start(), CLOCKS_MHZ.end())));
    }
    let text = TextOptions { timescale, x_interface: state.x_interface };
    Ok(Settings { clock_mhz: state.clock_mhz, text })
}

fn fault_of(state: &State) -> Result<Option<SignalFault>, Problem> {
    match state.fault.as_str() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|error| Problem::new(About::Fault, error)),
    }
}

/// The systems, and the choices that a core of this system and role has for each option.
///
/// # Errors
/// If there is no such system or role.
pub fn choices(state: &State) -> Result<Value, Problem> {
    fn names<T: ToString>(all: impl IntoIterator<Item = T>) -> Vec<String> {
        all.into_iter().map(|choice| choice.to_string()).collect()
    }
    let (system, role) = (system(&state.system)?, role(state)?);
    let several = state.lanes > 1;
    let packs = if several && role == Role::Decoder { &Packing::ALL[..] } else { &[Packing::Beat] };
    let steps = if several { Steps::all().collect() } else { vec![Steps::Auto] };
    let has_bus = |bus: &Bus| Core::new(CoreSpec { bus: *bus, ..CoreSpec::new(system, role) }).is_ok();
    Ok(json!({
        "systems": names(with_tables(System::variants())).into_iter().chain(LISTS.map(str::to_owned)).collect::<Vec<_>>(),
        "unit-bits": system.unit_bits(),
        "lanes": role.lanes(system),
        "on-error": names(role.on_error()),
        "reset": names(ResetStyle::ALL),
        "axis": names(Axis::ALL),
        "bus": names(Bus::ALL.into_iter().filter(has_bus)),
        "pack": names(packs),
        "pipeline": names(steps),
        "most": {
            "position": MOST_POSITION_BITS, "line": MOST_POSITION_BITS, "column": MOST_POSITION_BITS, "tid": MOST_TID_BITS, "tdest": MOST_TID_BITS, "tuser": MOST_TUSER_BITS,
        },
        "faults": Fault::ALL.map(fault::kind_name),
    }))
}

/// Lists of systems of which one is chosen for each frame: by its mark, and by a port. Others can be typed.
const LISTS: [&str; 2] = ["auto:utf-8+utf-16le+utf-16be,choose=bom", "auto:utf-8+latin-1"];

/// The systems, with all character sets of single octets in place of those among them, and those of several octets.
fn with_tables(systems: impl Iterator<Item = System>) -> impl Iterator<Item = System> {
    let others = systems.filter(|system| !matches!(system, System::Table(_)));
    others.chain(System::multi_octet()).chain(System::tables())
}

fn items_of(core: &Core, kind: InputKind, input: &[u8]) -> Result<Vec<Item>, Problem> {
    let wrong = |error: &dyn ToString| Problem::new(About::Input, error.to_string());
    let (system, is_encoder) = (core.spec.system, core.spec.role == Role::Encoder);
    let as_items = |units: Vec<u32>| units.into_iter().map(Item::from).collect();
    let text = || std::str::from_utf8(input).map_err(|error| wrong(&error));
    match kind {
        InputKind::Text if is_encoder => Ok(slots_of_text(text()?).into_iter().map(Item::from).collect()),
        InputKind::Text => units_of_text(system, text()?).map(as_items).map_err(|error| wrong(&error)),
        InputKind::Units | InputKind::File if is_encoder => slots_of_lines(text()?),
        InputKind::Units => {
            let words =
                text()?.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
            units_of_words(system, words).map(as_items).map_err(|error| wrong(&error))
        }
        InputKind::File | InputKind::Random => {
            let mut reader = UnitReader::new(input, format_of(system), system.unit_bits())
                .map_err(|error| wrong(&error))?;
            let mut units: Vec<u32> = Vec::new();
            while reader.read(&mut units).map_err(|error| wrong(&error))? {}
            Ok(as_items(units))
        }
    }
}

fn slots_of_lines(text: &str) -> Result<Vec<Item>, Problem> {
    let mut slots = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match (Item::from_words(line.trim()), whole(line.trim())) {
            (Some(slot), _) => slots.push(slot),
            (None, Some(whole)) => slots.extend(whole.slots().into_iter().map(Item::from)),
            (None, None) => {
                let text = format!(
                    "line {}: expected a code point, such as U+20AC, the name of an error, or a slot, such as 0:20AC",
                    number + 1
                );
                return Err(Problem::new(About::Input, text));
            }
        }
    }
    Ok(slots)
}

fn format_of(system: System) -> UnitFormat {
    UnitFormat::default_for(system.unit_bits())
}

/// Items as a file of `cosim`.
pub fn file_of(core: &Core, items: &[Item]) -> Result<Vec<u8>, Problem> {
    if core.spec.role == Role::Encoder {
        return Ok(items.iter().map(|item| item.slot_in_words() + "\n").collect::<String>().into_bytes());
    }
    let system = core.spec.system;
    let units: Vec<u32> = items.iter().map(|item| item.unit()).collect();
    let written =
        UnitWriter::new(Vec::new(), format_of(system), system.unit_bits()).and_then(|mut writer| {
            writer.write(&units)?;
            writer.finish()
        });
    written.map_err(Problem::page)
}

/// The command with its input: a short text in the command, other input through a pipe, and long input in a file.
fn with_input(
    core: &Core,
    command: &str,
    kind: InputKind,
    input: &[u8],
    items: &[Item],
) -> Result<String, Problem> {
    let text = std::str::from_utf8(input).unwrap_or_default();
    if kind == InputKind::Text && input.len() <= MOST_IN_COMMAND && !text.starts_with('-') {
        return Ok(format!("{command} --text {}", shell::quoted(text.as_ref())));
    }
    let bytes = file_of(core, items)?;
    if bytes.len() > MOST_IN_COMMAND {
        return Ok(format!("{command} {}", input_name(core)));
    }
    let octal: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
    Ok(format!("printf '{octal}' | {command} -"))
}

/// The name of the input as a file.
pub fn input_name(core: &Core) -> &'static str {
    if core.spec.role == Role::Encoder { "input.slots" } else { "input.units" }
}
