//! Encoders of several lanes: a beat of slots a cycle in, and a full beat of units a cycle out.
//!
//! ```text
//!  beat ──> what a slot  ──> groups   ──> numbers of   ──> windows: a beat of slots is shown
//!           is by itself     of limbs     units, summed    for as many cycles as it fills beats
//!                                         up                     │
//!                                                                v
//!  units <── skid <── what is   <── rings of two lanes   <── each lane turns its units
//!            buffer   left over     become one               in a ring
//! ```

mod cesu_8;
mod groups;
mod lane;
mod movement;
mod network;
mod output;
mod places;
mod plan;
mod prefix;
mod ring;
mod shape;
mod shared_windows;
mod single;
mod sums;
mod utf_16;
mod utf_18;
mod utf_9;
mod utf_inf_8;
mod windows;
mod words;

use std::sync::Arc;

use crate::core::shared::forms::SequenceForms;
use crate::core::shared::ports::{SLOT_DATA_BITS, SLOT_USER_BITS, slots_in, slots_in_ready, units_out_ready};
use crate::core::{CoreSpec, LAST_OF_UNICODE, System};
use crate::netlist::{Builder, InstanceHandle, Module, Signal};
use cesu_8::Cesu8;
use lane::lane;
use movement::Movement;
use output::Outside;
use plan::Plan;
pub(super) use plan::Source;
use prefix::Prefix;
use shape::Shape;
use single::Single;
use utf_9::Utf9;
use utf_16::Utf16;
use utf_18::Utf18;
use windows::OfBeat;

/// A beat of slots, as it stands in front of the stages of an encoder.
pub(super) struct Beat<'m> {
    /// One is offered.
    pub(super) offered: Signal<'m>,
    /// It ends its frame.
    pub(super) last: Signal<'m>,
    /// What each lane holds.
    pub(super) slots: Vec<Slot<'m>>,
    /// An error stands before the first lane, if it ever does.
    pub(super) cut_before: Option<Signal<'m>>,
}

/// What a lane holds.
pub(super) struct Slot<'m> {
    /// A slot.
    pub(super) keep: Signal<'m>,
    /// Its `tdata`.
    pub(super) data: Signal<'m>,
    /// What it is: its `tuser`, or inside a transcoder whether it is an error; `None` if it never is.
    pub(super) what: Option<Signal<'m>>,
}

/// Builds an encoder core as a module called `name`; gives its latency in cycles too.
pub(super) fn encoder(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    let lanes = spec.lanes as usize;
    let m = Builder::new(name, format!("{} encoder, {lanes} slots and units a cycle", spec.system.title()));
    if let System::UtfInf8 { digits } = spec.system {
        let latency = utf_inf_8::encode(&m, spec, digits);
        return (m.built(), latency);
    }
    let input = slots_in(&m, spec.lanes, false);
    let m_axis_tready = units_out_ready(&m);
    let stages = Stages::new(&m, spec.system, spec, Source::Bus);
    slots_in_ready(&m, stages.takes());
    let slot = |lane: u32| Slot {
        keep: input.tkeep.bit(lane),
        data: input.tdata.bits(lane * SLOT_DATA_BITS..(lane + 1) * SLOT_DATA_BITS),
        what: Some(input.tuser.bits(lane * SLOT_USER_BITS..(lane + 1) * SLOT_USER_BITS)),
    };
    let slots = (0..spec.lanes).map(slot).collect();
    let beat = Beat { offered: input.tvalid, last: input.tlast, slots, cut_before: None };
    let latency = stages.encode(beat, m_axis_tready);
    (m.built(), latency)
}

/// The stages of an encoder.
pub(super) struct Stages<'m> {
    m: &'m Builder,
    shape: Box<dyn Shape>,
    plan: Plan,
    movement: Movement<'m>,
}

impl<'m> Stages<'m> {
    /// Those that write `system`, in a core of this specification.
    pub(super) fn new(m: &'m Builder, system: System, spec: &CoreSpec, source: Source) -> Self {
        Self::of_shape(m, shape(system), spec, source)
    }

    /// Those that write what has this shape.
    fn of_shape(m: &'m Builder, shape: Box<dyn Shape>, spec: &CoreSpec, source: Source) -> Self {
        let lanes = spec.lanes as usize;
        let plan = Plan::new(lanes, shape.as_ref(), spec.on_error, spec.pipeline, source);
        let movement = Movement::new(m, lanes, plan.windows);
        Self { m, shape, plan, movement }
    }

    /// A beat of slots is taken.
    pub(super) fn takes(&self) -> Signal<'m> {
        self.movement.takes()
    }

    /// The first stage loads: a beat of slots is taken, or none in the cycle behind reset.
    pub(super) fn loads_at(&self, lane: usize) -> Signal<'m> {
        self.movement.stage_at(1, lane).enable
    }

    /// The stages themselves, and the ports of units. Gives the cycles from a beat of slots to its units.
    pub(super) fn encode(self, input: Beat<'m>, m_axis_tready: Signal<'m>) -> u32 {
        let Self { m, shape, plan, movement } = self;
        encode(m, shape.as_ref(), &plan, &movement, input, m_axis_tready);
        plan.latency()
    }
}

fn encode<'m>(
    m: &'m Builder,
    shape: &dyn Shape,
    plan: &Plan,
    movement: &Movement<'m>,
    input: Beat<'m>,
    m_axis_tready: Signal<'m>,
) {
    m.section("The lanes");
    let module = lane(shape, plan);
    let taken = (input.offered & movement.takes()).named("beat_taken");
    let offered = (input.offered & !movement.flushes(0)).named("beat_offered");
    let of_lane = |(lane, slot): (usize, &Slot<'m>)| {
        let handle = m.instance(&format!("lane_{lane}"), &module);
        movement.connect(handle, &module, lane);
        handle.input("slot_data", slot.data).input("slot_valid", slot.keep & offered);
        if let Some(what) = slot.what {
            handle.input(if plan.source == Source::Bus { "slot_user" } else { "slot_error" }, what);
        }
        handle
    };
    let handles: Vec<InstanceHandle> = input.slots.iter().enumerate().map(of_lane).collect();
    let all = |name: &str| handles.iter().map(|lane| lane.output(name)).collect::<Vec<Signal>>();
    let delay = |name: &str, signal, from, to| movement.delay(name, signal, from, to);
    m.section("The end of the frame");
    let last = delay("last", taken & input.last, 0, plan.class);
    let (amiss, cut_before, last) = if plan.has_groups() {
        let before_heads = delay("last", last, plan.class, plan.heads - 1);
        let at_heads = delay("last", before_heads, plan.heads - 1, plan.heads);
        let groups = groups::groups(m, &handles, [before_heads, at_heads], plan, movement);
        let replaced = groups.replaced.iter().enumerate().map(|(lane, &replaced)| {
            handles[lane].input("replaced", replaced);
            movement.stage_at(plan.written, lane).data(&format!("replaced_{lane}_reg"), replaced)
        });
        let cut = delay("cut_before", groups.cut_before, plan.groups, plan.written);
        let replaced: Vec<Signal> = replaced.chain([cut]).collect();
        (replaced, Some(cut), delay("last", at_heads, plan.heads, plan.written))
    } else {
        let last = delay("last", last, plan.class, plan.written);
        let is_error = all("is_error").into_iter().enumerate().map(|(lane, is_error)| {
            movement
                .stage_at(plan.written, lane)
                .data(&format!("is_error_{lane}_{}_reg", plan.written), is_error)
        });
        let cut = input.cut_before.map(|cut| delay("cut_before", cut & offered, 0, plan.written));
        (is_error.chain(cut).collect(), cut.filter(|_| plan.replaces), last)
    };
    m.section(format!("Stage {}: whether something cannot be written", plan.written));
    let amiss = movement.stage(plan.written + 1).data("beat_amiss_reg", m.concat(amiss).any());
    let amiss = delay("beat_amiss", amiss, plan.written + 1, plan.sums);
    let sums = sums::sums(m, all("length"), cut_before, plan, movement);
    let cut_before = cut_before.filter(|_| plan.replacement_reach > 0);
    let cut_before = cut_before.map(|cut| delay("cut_before", cut, plan.written, plan.ends));
    let before_sums = delay("last", last, plan.written, plan.sums - 1);
    let last = delay("last", before_sums, plan.sums - 1, plan.sums);
    // What is kept from beat to beat is cleared by the empty beat of the cycle behind reset, as by the end of a frame.
    let goes_on = !before_sums & !movement.flushes(plan.sums - 1);
    let goes_on = movement.stage(plan.sums).data("frame_goes_on_reg", goes_on);
    let ends = sums::ends(m, &sums, goes_on, plan, movement);
    for (handle, &end) in handles.iter().zip(&ends.ends) {
        handle.input("units_end", end);
    }
    let stage = movement.stage(plan.ends);
    let before = m.reg("frame_amiss_reg", 1).note("something in the frame could not be written");
    let amiss = (before.q | amiss).named("amiss_so_far");
    before.next_when(stage.enable, amiss & goes_on);
    let amiss = stage.data("amiss_reg", amiss);
    let last = stage.data(&format!("last_{}_reg", plan.ends), last);
    let beat = OfBeat { ends: &ends, last, amiss, cut_before };
    let window = match plan.shares_windows() {
        true => shared_windows::windows(m, &beat, plan, movement),
        false => windows::windows(m, &beat, plan, movement),
    };
    for (handle, ahead) in handles.iter().flat_map(|handle| window.ahead.map(|ahead| (handle, ahead))) {
        handle.input("is_ahead", ahead);
    }
    let rings = network::network(m, &handles, plan, movement);
    let (_, replacement) = shape.replacement();
    let outside = Outside { offered: input.offered, m_axis_tready };
    output::output(m, &rings, window, &replacement, outside, plan, movement);
}

/// What the system is to its encoder; of `utf-inf-8`, code points below 2^32.
fn shape(system: System) -> Box<dyn Shape> {
    let single = |last, unit_bits, order| Box::new(Single { last, unit_bits, order });
    match system {
        System::Utf9 { max } => Box::new(Utf9 { max }),
        System::Utf18 => Box::new(Utf18),
        System::Utf16 => Box::new(Utf16 { order: None }),
        System::Utf16Octets { order, .. } => Box::new(Utf16 { order: Some(order) }),
        System::Utf32 => single(LAST_OF_UNICODE, 32, None),
        System::Utf32Octets { order, .. } => single(LAST_OF_UNICODE, 8, Some(order)),
        System::Latin1 => single(0xff, 8, None),
        System::Ascii => single(0x7f, 8, None),
        System::Cesu8 => Box::new(Cesu8 { long_nul: false }),
        System::Mutf8 => Box::new(Cesu8 { long_nul: true }),
        _ => Box::new(Prefix::new(SequenceForms::of(system).expect("a prefix system"))),
    }
}

/// The parts of all lanes in a signal.
fn split(signal: Signal<'_>, lanes: usize) -> Vec<Signal<'_>> {
    let bits = signal.width() / lanes as u32;
    (0..lanes as u32).map(|lane| signal.bits(lane * bits..(lane + 1) * bits)).collect()
}
