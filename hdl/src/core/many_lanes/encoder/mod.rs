//! Encoders of several lanes: a beat of slots a cycle in, and a full beat of units a cycle out.
//!
//! ```text
//!  slots ──> class of  ──> groups   ──> sums of   ──> windows: a beat of slots stays for as
//!            each slot     of limbs     lengths       many cycles as it fills output beats
//!                                                                │
//!                                                                v
//!  units <── output <── units      <── rings of neighbours  <── each lane rotates its units
//!            buffer     left over      are joined               in a ring
//! ```

mod buffer;
mod cesu_8;
mod corrected_utf_8;
mod groups;
mod lane;
mod limbs;
mod movement;
mod network;
mod opening;
mod output;
mod places;
mod plan;
mod prefix;
mod ring;
mod shape;
mod shared_windows;
mod single;
mod sums;
mod surrogate_pairs;
mod utf_16;
mod utf_18;
mod utf_9;
mod utf_inf_8;
mod windows;
mod words;

use std::sync::Arc;

use crate::core::lanes::At;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::ports::{SLOT_DATA_BITS, SLOT_USER_BITS, slots_in, slots_in_ready, units_out_ready};
use crate::core::shared::single::Words;
use crate::core::{CoreSpec, System};
use crate::netlist::{Builder, InstanceHandle, Module, Signal};
use cesu_8::Cesu8;
use corrected_utf_8::CorrectedUtf8;
use lane::lane;
use movement::Movement;
use opening::Opening;
use output::{InFront, Outside};
use plan::Plan;
pub(super) use plan::Source;
use prefix::Prefix;
use shape::Shape;
use single::Single;
use sums::{Ends, Sums};
use utf_9::Utf9;
use utf_16::Utf16;
use utf_18::Utf18;
use windows::OfBeat;

/// A beat of slots at the first stage of an encoder.
pub(super) struct Beat<'m> {
    /// A beat is offered.
    pub(super) offered: Signal<'m>,
    /// The beat ends its frame.
    pub(super) last: Signal<'m>,
    /// The slot of each lane.
    pub(super) slots: Vec<Slot<'m>>,
    /// An error precedes the first lane; `None` from a source in which none can.
    pub(super) cut_before: Option<Signal<'m>>,
}

/// The slot of a lane.
pub(super) struct Slot<'m> {
    /// The lane holds a slot.
    pub(super) keep: Signal<'m>,
    /// The `tdata` of the slot.
    pub(super) data: Signal<'m>,
    /// The kind of the slot: its `tuser`, or in a transcoder one bit, an error; `None` if no slot is an error.
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
    let (bus, data_bits) = (spec.bus, spec.bus.data_bits());
    let input = slots_in(&m, spec.lanes, code_bits(spec.system) > SLOT_DATA_BITS, bus);
    let m_axis_tready = units_out_ready(&m);
    let stages = Stages::new(&m, spec.system, spec, bus.into());
    slots_in_ready(&m, stages.takes());
    let slot = |lane: u32| Slot {
        keep: input.tkeep.bit(lane),
        data: input.tdata.bits(lane * data_bits..(lane + 1) * data_bits),
        what: Some(input.tuser.bits(lane * SLOT_USER_BITS..(lane + 1) * SLOT_USER_BITS)),
    };
    let slots = (0..spec.lanes).map(slot).collect();
    let beat = Beat { offered: input.tvalid, last: input.tlast, slots, cut_before: None };
    let latency = stages.encode(beat, m_axis_tready);
    (m.built(), latency)
}

/// Bits of the code points of a system.
pub(super) fn code_bits(system: System) -> u32 {
    shape(system, Source::Bus).code_bits()
}

/// The stages of an encoder.
pub(super) struct Stages<'m> {
    m: &'m Builder,
    shape: Box<dyn Shape>,
    /// Units that open a frame.
    opening: Vec<u64>,
    plan: Plan,
    movement: Movement<'m>,
}

impl<'m> Stages<'m> {
    /// Makes the stages that write `system`, in a core of this specification.
    pub(super) fn new(m: &'m Builder, system: System, spec: &CoreSpec, source: Source) -> Self {
        Self::of_shape(m, shape(system, source), &opening::units(system), spec, source)
    }

    /// Makes the stages that write sequences of this shape, after the units that open a frame.
    fn of_shape(
        m: &'m Builder,
        shape: Box<dyn Shape>,
        opening: &[u64],
        spec: &CoreSpec,
        source: Source,
    ) -> Self {
        let lanes = spec.lanes as usize;
        let plan = Plan::new(lanes, shape.as_ref(), opening.len(), spec.on_error, spec.pipeline, source);
        let opening = opening.to_vec();
        let movement = Movement::new(m, lanes, plan.windows);
        Self { m, shape, opening, plan, movement }
    }

    /// A beat of slots is taken.
    pub(super) fn takes(&self) -> Signal<'m> {
        self.movement.takes()
    }

    /// The first stage loads: a beat of slots is taken, or an empty one in the cycle after reset.
    pub(super) fn loads_at(&self, lane: usize) -> Signal<'m> {
        self.movement.stage_at(1, lane).enable
    }

    /// The stages themselves, and the ports of units. Gives the cycles from a beat of slots to its units.
    pub(super) fn encode(self, input: Beat<'m>, m_axis_tready: Signal<'m>) -> u32 {
        let Self { m, shape, opening, plan, movement } = self;
        encode(m, shape.as_ref(), &opening, &plan, &movement, input, m_axis_tready);
        plan.latency()
    }
}

/// Puts the stages together.
fn encode<'m>(
    m: &'m Builder,
    shape: &dyn Shape,
    opening: &[u64],
    plan: &Plan,
    movement: &Movement<'m>,
    input: Beat<'m>,
    m_axis_tready: Signal<'m>,
) {
    m.section("The lanes");
    let taken = (input.offered & movement.takes()).named("beat_taken");
    let offered = (input.offered & !movement.flushes(0)).named("beat_offered");
    let encoder =
        Encoder { m, shape, plan, movement, lanes: lanes(m, shape, plan, movement, &input, offered) };

    m.section("The end of the frame");
    let taken = movement.of_beat(taken, 0);
    let last = (taken & movement.of_beat(input.last, 0)).called("last");
    let cut = input.cut_before.map(|cut| movement.of_beat(cut & offered, 0).called("cut_before"));
    let errors = if plan.has_groups() { encoder.errors_with_groups(last) } else { encoder.errors(last, cut) };
    let mut cut_written = errors.cut_before.filter(|_| plan.replaces).map(At::signal);
    let before = plan.written - 1;
    let opens = (plan.opening_units > 0).then(|| {
        let writes = || m.concat(encoder.all("writes")).any().named("beat_writes");
        let [present, last] = [taken, last].map(|signal| signal.at(before).signal());
        Opening::new(m, [present, last], plan.opening_waits().then(writes), &mut cut_written, plan, movement)
    });
    let extra = cut_written.map(|cut| (cut, plan.replacement_units)).into_iter();
    let extra: Vec<(Signal, usize)> =
        extra.chain(opens.iter().flat_map(|opens| opens.lengths(plan))).collect();
    // The windows of a transcoder cover the units left over of its beats, even where these make no output beat.
    let rounds = if plan.shares_windows() { m.lit(1, 1) } else { last.at(before).signal() };
    let sums = sums::sums(m, encoder.all("length"), &extra, rounds, plan, movement);
    let has_error = encoder.has_error(&errors);
    let cut_written = cut_written.filter(|_| plan.replacement_reach > 0);
    let cut_before = cut_written.map(|cut| movement.of_beat(cut, before).at(plan.ends).signal());

    let (ends, last, amiss) = encoder.ends(&sums, last, has_error);
    let beat = OfBeat { ends: &ends, last, amiss, cut_before };
    let window = match plan.shares_windows() {
        true => shared_windows::windows(m, &beat, plan, movement),
        false => windows::windows(m, &beat, plan, movement),
    };
    if let Some(ahead) = window.ahead {
        for lane in &encoder.lanes {
            lane.input("is_ahead", ahead);
        }
    }
    let rings = encoder.lanes.iter().map(|lane| network::of_lane(lane, plan)).collect();
    let rings = network::network(m, rings, plan, movement);
    let (_, replacement) = shape.replacement();
    let openings = opens.map(|opens| opens.shown(m, opening, &replacement, window.ahead, plan, movement));
    let in_front = InFront { replacement: &replacement, openings: openings.unwrap_or_default() };
    let outside = Outside { offered: input.offered, m_axis_tready };
    output::output(m, &rings, window, &in_front, outside, plan, movement);
}

/// The instances of the lane's module.
fn lanes<'m>(
    m: &'m Builder,
    shape: &dyn Shape,
    plan: &Plan,
    movement: &Movement<'m>,
    input: &Beat<'m>,
    offered: Signal<'m>,
) -> Vec<InstanceHandle<'m>> {
    let module = lane(shape, plan);
    let of_lane = |(lane, slot): (usize, &Slot<'m>)| {
        let handle = m.instance(&format!("lane_{lane}"), &module).lane(lane);
        movement.connect(handle, &module, lane);
        handle.input("slot_data", slot.data).input("slot_valid", slot.keep & offered);
        if let Some(what) = slot.what {
            handle.input(if plan.source.is_half() { "slot_error" } else { "slot_user" }, what);
        }
        handle
    };
    input.slots.iter().enumerate().map(of_lane).collect()
}

/// An encoder that is being built.
struct Encoder<'a, 'm> {
    m: &'m Builder,
    shape: &'a dyn Shape,
    plan: &'a Plan,
    movement: &'a Movement<'m>,
    lanes: Vec<InstanceHandle<'m>>,
}

/// The errors of a beat, valid in the stage before `plan.written`.
struct Errors<'m> {
    /// For each lane: the slot, or a group that ends with it, cannot be written.
    of_lanes: Vec<At<'m>>,
    /// For each lane: the slot breaks a code point of several limbs; the last one: the end of the frame does. Empty where groups are
    /// followed.
    broken: Vec<At<'m>>,
    /// The replacement belongs before the first lane, in systems and sources in which it can.
    cut_before: Option<At<'m>>,
}

impl<'m> Encoder<'_, 'm> {
    /// An output of each lane.
    fn all(&self, name: &str) -> Vec<Signal<'m>> {
        self.lanes.iter().map(|lane| lane.output(name)).collect()
    }

    /// The errors where each group of limbs that breaks the rules of the bus is one: the replacement is written for it.
    fn errors_with_groups(&self, last: At<'m>) -> Errors<'m> {
        let Self { m, shape, plan, movement, lanes } = self;
        let [before_heads, at_heads] = [plan.heads - 1, plan.heads].map(|stage| last.at(stage).signal());
        let groups = groups::groups(m, &groups::Slots::of(lanes), [before_heads, at_heads], plan, movement);
        // A head already cuts what precedes it, so what precedes the first lane needs no test.
        let ends_pair = plan
            .refuses_surrogate_pairs
            .then(|| surrogate_pairs::refused(m, lanes, at_heads, None, plan, movement));
        let joined = plan.joins_limbs.then(|| limbs::join(m, lanes, at_heads, *shape, plan, movement));
        let replaced = groups.replaced.into_iter().enumerate().map(|(lane, mut replaced)| {
            let name = format!("slot_{lane}_is_replaced");
            if let Some(joined) = &joined {
                replaced = (replaced & !joined.whole[lane]).named(&name);
            }
            if let Some(ends_pair) = &ends_pair {
                replaced = (replaced | ends_pair[lane]).named(&name);
            }
            lanes[lane].input("replaced", replaced);
            movement.of_lane(lane, replaced, plan.groups)
        });
        let cut_before = Some(movement.of_beat(groups.cut_before, plan.groups));
        Errors { of_lanes: replaced.collect(), broken: Vec::new(), cut_before }
    }

    /// The errors where no groups are followed: errors are dropped, or come from a decoding half.
    fn errors(&self, last: At<'m>, cut_before: Option<At<'m>>) -> Errors<'m> {
        let Self { m, shape, plan, movement, lanes } = self;
        if plan.refuses_surrogate_pairs {
            let last = last.at(plan.heads).signal();
            let cut = cut_before.filter(|_| plan.replaces).map(|cut| cut.at(plan.heads).signal());
            let ends_pair = surrogate_pairs::refused(m, lanes, last, cut, plan, movement);
            for (lane, ends_pair) in lanes.iter().zip(ends_pair) {
                lane.input("ends_pair", ends_pair);
            }
        }
        let broken = plan.joins_limbs.then(|| {
            let joined = limbs::join(m, lanes, last.at(plan.heads).signal(), *shape, plan, movement);
            let of_lane = |(lane, broken): (usize, Signal<'m>)| {
                let broken_at = movement.of_lane(lane.min(plan.lanes - 1), broken, plan.groups);
                broken_at.called(&format!("is_broken_{lane}"))
            };
            joined.broken.into_iter().enumerate().map(of_lane).collect()
        });
        let before = plan.written - 1;
        let of_lane = |(lane, error)| movement.of_lane(lane, error, before);
        Errors {
            of_lanes: self.all("is_error").into_iter().enumerate().map(of_lane).collect(),
            broken: broken.unwrap_or_default(),
            cut_before: cut_before.map(|cut| cut.at(before)),
        }
    }

    /// A bit: the beat has an error. The error of each lane is registered one stage later than the number of units, which other lanes
    /// wait for.
    fn has_error(&self, errors: &Errors<'m>) -> At<'m> {
        let Self { m, plan, lanes, .. } = self;
        m.section("Whether something cannot be written");
        let of_lane = |(lane, error): (usize, &At<'m>)| {
            let error = error.registered(&format!("cannot_write_{lane}"));
            if plan.replaces {
                lanes[lane].input("code_is_replaced", error.signal());
            }
            error
        };
        let of_lanes: Vec<At> = errors.of_lanes.iter().enumerate().map(of_lane).collect();
        let others = errors.broken.iter().chain(&errors.cut_before).map(|error| error.at(plan.written));
        At::concat(of_lanes.into_iter().chain(others)).any().registered("beat_amiss")
    }

    /// The positions in which units end, valid in stage `plan.ends`, with `last` and with: something in the frame so far cannot be written.
    fn ends(&self, sums: &Sums<'m>, last: At<'m>, has_error: At<'m>) -> (Ends<'m>, Signal<'m>, Signal<'m>) {
        let Self { m, plan, movement, lanes, .. } = self;
        let before_sums = last.at(plan.sums - 1);
        // The empty beat of the cycle after reset clears what is kept from beat to beat, as the end of a frame does.
        let continues = !before_sums & movement.of_beat(!movement.flushes(plan.sums - 1), plan.sums - 1);
        let continues = continues.registered("frame_goes_on").signal();
        let ends = sums::ends(m, sums, continues, plan, movement);
        for (lane, &end) in lanes.iter().zip(&ends.ends) {
            lane.input("units_end", end);
        }
        let amiss_before = m.reg("frame_amiss_reg", 1).note("something in the frame could not be written");
        let amiss = (amiss_before.q | has_error.at(plan.sums).signal()).named("amiss_so_far");
        amiss_before.next_when(movement.stage(plan.ends).enable, amiss & continues);
        let amiss = movement.of_beat(amiss, plan.sums).registered("amiss");
        (ends, last.at(plan.ends).signal(), amiss.signal())
    }
}

/// The shape of a system; of `utf-inf-8`, that of code points below 2^32.
fn shape(system: System, source: Source) -> Box<dyn Shape> {
    let prefix = || Prefix::new(SequenceForms::of(system).expect("a prefix system"), source);
    match system {
        System::Utf9 { max } => Box::new(Utf9 { max: max.code_point() }),
        System::Utf18 => Box::new(Utf18),
        System::Utf16 => Box::new(Utf16 { order: None }),
        System::Utf16Octets { order, .. } => Box::new(Utf16 { order: Some(order) }),
        System::Latin1
        | System::Ascii
        | System::Ucs2
        | System::Ucs2Octets { .. }
        | System::Utf32 { .. }
        | System::Utf32Octets { .. } => {
            Box::new(Single(Words::of(system).expect("each word is a code point or an error")))
        }
        System::Cesu8 => Box::new(Cesu8 { long_nul: false }),
        System::CorrectedUtf8 { document } => Box::new(CorrectedUtf8::new(document, source)),
        System::Mutf8 => Box::new(Cesu8 { long_nul: true }),
        System::Wtf8 => Box::new(prefix().without_surrogate_pairs()),
        System::Utf8
        | System::Utf8Bom { .. }
        | System::Utf8Rfc2279
        | System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::UtfEbcdicI8 { .. }
        | System::UtfInf8 { .. } => Box::new(prefix()),
    }
}

/// A packed signal, taken apart into lanes.
fn split(signal: Signal<'_>, lanes: usize) -> Vec<Signal<'_>> {
    let bits = signal.width() / lanes as u32;
    (0..lanes as u32).map(|lane| signal.bits(lane * bits..(lane + 1) * bits)).collect()
}
