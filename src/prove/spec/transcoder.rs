//! Transcoders of one lane against the second descriptions of both systems.
//!
//! Slots pass between the two halves of a transcoder. The first part of the proof compares these slots with the machine that reads the input. The second part
//! compares the output with the units that the writer of the other system makes of the same slots. Both parts are about the whole core.

use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::netlist::{Design, Signal, revealed};

use super::decoder::{Due, due};
use super::later::Stages;
use super::machine::shown;
use super::{
    HEAD, LAST_KIND, LIMB, LIMB_BITS, MOST_HELD, Machine, Part, UNEXPECTED, Writer, encoder, is_of_one_lane,
    machine_of,
};
use crate::prove::bench::{Bench, SLOT_USER_BITS, Side, limited_problem};
use crate::prove::pick::{Item, differs_in};

/// The instance that makes slots of units.
const DECODING_HALF: &str = "decode";

/// A transcoder with its second descriptions.
struct Transcoder {
    machine: Machine,
    to: System,
    writer: Writer,
    /// The core, with outputs that show the ports of its decoding half.
    core: Core,
    /// Cycles from the input to the slots, and from there to the output.
    latencies: [u32; 2],
}

impl Transcoder {
    fn of(core: &Core) -> Option<Self> {
        let spec = core.spec;
        let Role::Transcoder { to } = spec.role else { return None };
        let machine = machine_of(spec.system).filter(|_| !matches!(spec.system, System::UtfInf8 { .. }))?;
        let writer = Writer::of(to).filter(|_| is_of_one_lane(&spec))?;
        let top = revealed(&core.design.top, DECODING_HALF)?;
        // The slots of a decoder pass one more register, at its output.
        let to_slots = Core::new(CoreSpec::new(spec.system, Role::Decoder)).ok()?.latency - 1;
        let latencies = [to_slots, core.latency - to_slots];
        let core = Core { design: Design { top: top.into(), ..core.design }, ..core.clone() };
        Some(Self { machine, to, writer, core, latencies })
    }

    /// The slots between the halves of the core. An error has no kind, and anything as data.
    fn slots<'m>(bench: &Bench<'m>) -> Option<Side<'m>> {
        let m = bench.m;
        let port = |name: &str| bench.output_port(&format!("{DECODING_HALF}_m_{name}"));
        let (tvalid, tkeep, tlast) = (port("valid")?, port("keep")?, port("last")?);
        let kinds = [("error", UNEXPECTED), ("head", HEAD), ("limb", LIMB)];
        let kinds = kinds.map(|(name, kind)| port(name).map(|is| m.lit(SLOT_USER_BITS, kind).when(is)));
        let tuser = kinds.into_iter().flatten().fold(m.lit(SLOT_USER_BITS, 0), |one, other| one | other);
        let tdata = port("data").unwrap_or_else(|| m.lit(1, 0));
        // The encoding half takes a beat with neither a slot nor the end of a frame, and forgets it.
        let tvalid = tvalid & (tkeep | tlast);
        let tready = port("ready")?;
        Some(Side { tdata, tkeep, tuser: Some(tuser), passengers: [None; 3], tvalid, tlast, tready })
    }

    /// The failures, a bit each: the slots differ from those of the machine.
    fn slots_differ<'m>(&self, bench: &Bench<'m>) -> Option<Signal<'m>> {
        let (m, slots) = (bench.m, Self::slots(bench)?);
        let word = |is_last: Signal<'m>, has_slot: Signal<'m>, user: Signal<'m>, data: Signal<'m>| {
            let is_error = user.within(1, LAST_KIND);
            let user = is_error.mux(m.lit(SLOT_USER_BITS, UNEXPECTED), user);
            let data = data.zext(LIMB_BITS).when(!is_error);
            m.concat([is_last, m.concat([has_slot, user, data]).when(has_slot)])
        };
        let stages = Stages::new(m, &bench.input, self.latencies[0]);
        let items = due(bench, self.machine, stages, false).map(|due| {
            let Due { is_there, is_last, has_slot, user, value } = due;
            let slot = shown(m, user, value);
            Item { is_there, word: word(is_last, has_slot, user, slot.bits(0..LIMB_BITS)) }
        });
        let offered = word(slots.tlast, slots.tkeep, slots.tuser?, slots.tdata);
        Some(differs_in(m, &slots, offered, slots.tvalid, &items, MOST_HELD))
    }

    /// The failures, a bit each: the output differs from what the writer makes of the slots.
    fn units_differ<'m>(&self, bench: &Bench<'m>) -> Option<Signal<'m>> {
        let slots = Self::slots(bench)?;
        let stages = Stages::new(bench.m, &slots, self.latencies[1]);
        encoder::bad_of(bench, self.to, self.writer, (&slots, stages))
    }
}

/// Whether there are second descriptions for a core.
pub(super) fn is_there(core: &Core) -> bool {
    Transcoder::of(core).is_some()
}

/// The parts of the proof.
pub(super) fn parts(core: &Core) -> Option<Vec<Part>> {
    let transcoder = Transcoder::of(core)?;
    let problem = |bad: for<'m> fn(&Transcoder, &Bench<'m>) -> Option<Signal<'m>>| {
        limited_problem(&transcoder.core, |_, signal| signal, |bench| bad(&transcoder, bench))
    };
    let slots = "value, tlast and order of the slots between the halves are those of the system's definition";
    let units = "units, tlast and tuser are those of the other system's definition for these slots";
    Some(vec![
        ("slots", slots, problem(Transcoder::slots_differ)?),
        ("units", units, problem(Transcoder::units_differ)?),
    ])
}
