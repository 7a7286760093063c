//! The run that is drawn: a few octets through the decoder, with one stall on each side.

use anyhow::{Context, ensure};
use utfhdl::promise::{Beat, Ports};
use utfhdl_codec::System;
use utfhdl_codec::{Event, Slot};
use utfhdl_hdl::core::{Core, CoreSpec, Role, System as CoreSystem};
use utfhdl_sim::native::Native;
use utfhdl_sim::{Engine, Layout};

/// Two, three and four octets, and a surrogate, which is three errors.
const TEXT: &[u8] = b"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xED\xA0\x80";

/// The cycle in which the source begins.
const START: usize = 1;
/// The cycle in which the source has no octet.
pub const SOURCE_STALL: usize = 4;
/// The last octet of the slot that the sink does not take at once.
const STALLED: usize = 4;
/// Cycles before the first that is recorded: in reset, and until the core is ready.
const BEFORE: usize = 3;

const PORTS: [&str; 9] = [
    "s_axis_tvalid",
    "s_axis_tready",
    "s_axis_tdata",
    "s_axis_tlast",
    "m_axis_tvalid",
    "m_axis_tready",
    "m_axis_tdata",
    "m_axis_tuser",
    "m_axis_tlast",
];
const INNER: [&str; 9] = [
    "advance",
    "unit_valid_reg",
    "payload_reg",
    "open_reg",
    "missing_reg",
    "gathered_reg",
    "held_reg",
    "slot_valid_reg",
    "slot_data_reg",
];

/// A recorded run.
pub struct Trace {
    /// The events that the reference makes of the text.
    pub events: Vec<Event>,
    /// Cycles from the last octet of a sequence to its slot.
    pub latency: usize,
    /// The signals of each cycle, by name.
    cycles: Vec<Vec<(&'static str, u64)>>,
}

impl Trace {
    /// Runs the decoder, and checks what comes out against the reference.
    pub fn record() -> anyhow::Result<Self> {
        let core = Core::new(CoreSpec::new(CoreSystem::Utf8, Role::Decoder))?;
        let events: Vec<Event> = System::Utf8.decode(TEXT).collect();
        let trace = Self { events, latency: core.latency as usize, cycles: run(&core)? };
        let expected: Vec<Slot> = trace.events.iter().map(|event| event.what).collect();
        ensure!(trace.slots() == expected, "the core says {:?}, not {expected:?}", trace.slots());
        Ok(trace)
    }

    /// How many cycles were recorded.
    pub fn cycles(&self) -> usize {
        self.cycles.len()
    }

    /// A signal's value in a cycle.
    pub fn value(&self, signal: &str, cycle: usize) -> u64 {
        let found = self.cycles[cycle].iter().find(|(name, _)| *name == signal);
        found.unwrap_or_else(|| panic!("{signal} is not recorded")).1
    }

    fn slots(&self) -> Vec<Slot> {
        let taken = (0..self.cycles())
            .filter(|&cycle| self.value("m_axis_tvalid", cycle) & self.value("m_axis_tready", cycle) == 1);
        let slot = |cycle| match self.value("m_axis_tuser", cycle) {
            0 => Slot::CodePoint(self.value("m_axis_tdata", cycle) as u32),
            code => Slot::Error(utfhdl_codec::ErrorKind::from_code(code as u8).expect("a kind of error")),
        };
        taken.map(slot).collect()
    }
}

fn run(core: &Core) -> anyhow::Result<Vec<Vec<(&'static str, u64)>>> {
    let ports = Ports::new(core);
    let mut engine = Native::new(&core.design)?;
    let mut inputs = vec![0; engine.layout().input_words];
    let mut outputs = vec![0; engine.layout().output_words];
    let mut cycles = Vec::new();
    let latency = core.latency as usize;
    // Each stall delays the stream by a cycle, and so does the error that makes two slots at once.
    let end = BEFORE + START + TEXT.len() + 3 + latency + 1;
    let sink_stall = BEFORE + START + STALLED + 1 + latency;
    let mut sent = 0;
    for cycle in 0..end {
        ports.set_reset(&mut inputs, cycle + 1 < BEFORE);
        let offers = cycle >= BEFORE + START && cycle != BEFORE + SOURCE_STALL && sent < TEXT.len();
        if offers {
            ports.offer(&mut inputs, &Beat::of(u16::from(TEXT[sent]), sent + 1 == TEXT.len()), 0);
        } else {
            ports.offer_nothing(&mut inputs, 0);
        }
        ports.take(&mut inputs, cycle != sink_stall);
        engine.run(&inputs, &mut outputs)?;
        sent += usize::from(offers && ports.takes(&outputs));
        if cycle >= BEFORE {
            cycles.push(record(&engine, &inputs, &outputs)?);
        }
    }
    Ok(cycles)
}

/// The signals of the cycle just run.
fn record(engine: &Native, inputs: &[u64], outputs: &[u64]) -> anyhow::Result<Vec<(&'static str, u64)>> {
    let layout: &Layout = engine.layout();
    let port = |name| match (layout.input(name), layout.output(name)) {
        (Some(slot), _) => Ok((name, slot.get(inputs))),
        (_, Some(slot)) => Ok((name, slot.get(outputs))),
        _ => anyhow::bail!("no port {name}"),
    };
    let probe = engine.probe().context("the native engine has sight of its signals")?;
    let inner = |name| {
        let found = probe.scope().signals.iter().find(|signal| signal.name == name);
        Ok((name, probe.value(found.with_context(|| format!("no signal {name}"))?.signal)[0]))
    };
    PORTS.into_iter().map(port).chain(INNER.into_iter().map(inner)).collect()
}
