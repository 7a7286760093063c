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
    let input = slots_in(&m, spec.lanes, code_bits(spec.system) > SLOT_DATA_BITS, spec.bus);
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
    /// Those that write `system`, in a core of this specification.
    pub(super) fn new(m: &'m Builder, system: System, spec: &CoreSpec, source: Source) -> Self {
        Self::of_shape(m, shape(system, source), &opening::units(system), spec, source)
    }

    /// Those that write what has this shape, behind the units that open a frame.
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

    /// The first stage loads: a beat of slots is taken, or none in the cycle behind reset.
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
    let module = lane(shape, plan);
    let taken = (input.offered & movement.takes()).named("beat_taken");
    let offered = (input.offered & !movement.flushes(0)).named("beat_offered");
    let of_lane = |(lane, slot): (usize, &Slot<'m>)| {
        let handle = m.instance(&format!("lane_{lane}"), &module).lane(lane);
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
    let before = plan.written - 1;
    let (mut amiss, broken, cut_before, last) = if plan.has_groups() {
        let before_heads = delay("last", last, plan.class, plan.heads - 1);
        let at_heads = delay("last", before_heads, plan.heads - 1, plan.heads);
        let groups = groups::groups(m, &handles, [before_heads, at_heads], plan, movement);
        // A head cuts what stands before it already, so what stands before the first lane needs no look.
        let ends_pair = plan
            .refuses_surrogate_pairs
            .then(|| surrogate_pairs::refused(m, &handles, at_heads, None, plan, movement));
        let joined = plan.joins_limbs.then(|| limbs::join(m, &handles, at_heads, shape, plan, movement));
        let mut replaced = groups.replaced;
        for (lane, replaced) in replaced.iter_mut().enumerate() {
            if let Some(joined) = &joined {
                let alone = *replaced & !joined.whole[lane];
                *replaced = alone.named(&format!("slot_{lane}_is_replaced"));
            }
            if let Some(ends_pair) = &ends_pair {
                *replaced = (*replaced | ends_pair[lane]).named(&format!("slot_{lane}_is_replaced"));
            }
            handles[lane].input("replaced", *replaced);
        }
        (replaced, Vec::new(), Some(groups.cut_before), delay("last", at_heads, plan.heads, before))
    } else {
        let looks_back = plan.refuses_surrogate_pairs || plan.joins_limbs;
        let seen = if looks_back { plan.heads } else { before };
        let last = delay("last", last, plan.class, seen);
        let cut = input.cut_before.map(|cut| delay("cut_before", cut & offered, 0, seen));
        if plan.refuses_surrogate_pairs {
            let cut = cut.filter(|_| plan.replaces);
            let ends_pair = surrogate_pairs::refused(m, &handles, last, cut, plan, movement);
            for (handle, ends_pair) in handles.iter().zip(ends_pair) {
                handle.input("ends_pair", ends_pair);
            }
        }
        let broken = plan.joins_limbs.then(|| limbs::join(m, &handles, last, shape, plan, movement).broken);
        let cut = cut.map(|cut| delay("cut_before", cut, seen, before));
        (all("is_error"), broken.unwrap_or_default(), cut, delay("last", last, seen, before))
    };
    let mut cut_shown = cut_before.filter(|_| plan.replaces);
    let opens = (plan.opening_units > 0).then(|| {
        let present = delay("beat_taken", taken, 0, before);
        let writes = plan.opening_waits().then(|| m.concat(all("writes")).any().named("beat_writes"));
        Opening::new(m, [present, last], writes, &mut cut_shown, plan, movement)
    });
    let extra = cut_shown.map(|cut| (cut, plan.replacement_units)).into_iter();
    let extra: Vec<(Signal, usize)> =
        extra.chain(opens.iter().flat_map(|opens| opens.lengths(plan))).collect();
    // The windows of a transcoder reach over what is left of its beats, whether output beats are made of that or not.
    let rounds = if plan.shares_windows() { m.lit(1, 1) } else { last };
    let sums = sums::sums(m, all("length"), &extra, rounds, plan, movement);
    m.section("Whether something cannot be written");
    for (lane, amiss) in amiss.iter_mut().enumerate() {
        let name = format!("cannot_write_{lane}_reg");
        *amiss = movement.stage_at(plan.written, lane).data(&name, *amiss);
        if plan.replaces {
            handles[lane].input("code_is_replaced", *amiss);
        }
    }
    let broken = broken.into_iter().enumerate().map(|(lane, broken)| {
        let name = format!("is_broken_{lane}");
        movement.delay_at(lane.min(plan.lanes - 1), &name, broken, before, plan.written)
    });
    let cut_before = cut_before.map(|cut| delay("cut_before", cut, before, plan.written));
    let amiss = m.concat(amiss.into_iter().chain(broken).chain(cut_before)).any();
    let cut_before = match opens {
        Some(_) => cut_shown.map(|cut| delay("cut_shown", cut, before, plan.written)),
        None => cut_before.filter(|_| plan.replaces),
    };
    let amiss = movement.stage(plan.written + 1).data("beat_amiss_reg", amiss);
    let amiss = delay("beat_amiss", amiss, plan.written + 1, plan.sums);
    let last = delay("last", last, before, plan.written);
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
    let ahead = window.ahead;
    let rings = network::network(m, &handles, plan, movement);
    let (_, replacement) = shape.replacement();
    let openings = opens.map(|opens| opens.shown(m, opening, &replacement, ahead, plan, movement));
    let in_front = InFront { replacement: &replacement, openings: openings.unwrap_or_default() };
    let outside = Outside { offered: input.offered, m_axis_tready };
    output::output(m, &rings, window, &in_front, outside, plan, movement);
}

/// What the system is to its encoder; of `utf-inf-8`, code points below 2^32.
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

/// The parts of all lanes in a signal.
fn split(signal: Signal<'_>, lanes: usize) -> Vec<Signal<'_>> {
    let bits = signal.width() / lanes as u32;
    (0..lanes as u32).map(|lane| signal.bits(lane * bits..(lane + 1) * bits)).collect()
}
