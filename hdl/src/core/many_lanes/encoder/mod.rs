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
mod indexed;
mod lane;
mod limbs;
mod movement;
mod network;
mod observer;
mod opening;
mod output;
mod places;
mod prefix;
mod ring;
mod shape;
mod shared_windows;
mod single;
mod sizes;
mod sums;
mod surrogate_pairs;
mod utf_16;
mod utf_18;
mod utf_9;
mod utf_inf_8;
mod windows;
mod words;
mod written;

use std::sync::Arc;

use crate::core::lanes::{At, Instances};
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::opening::units;
use crate::core::shared::ports::{SLOT_DATA_BITS, SLOT_USER_BITS, slots_in, slots_in_ready, units_out_ready};
use crate::core::shared::single::Words;
use crate::core::{CoreSpec, System, decoded_only, software_only};
use crate::netlist::{Builder, Module, Signal};
use cesu_8::Cesu8;
use corrected_utf_8::CorrectedUtf8;
use indexed::Indexed;
use lane::{Ports, lane};
use movement::Movement;
pub(in crate::core) use observer::observer;
use opening::Opening;
use output::{InFront, Outside};
use prefix::Prefix;
use shape::Shape;
use single::Single;
use sizes::Sizes;
pub(super) use sizes::Source;
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
    sizes: Sizes,
    movement: Movement<'m>,
}

impl<'m> Stages<'m> {
    /// Makes the stages that write `system`, in a core of this specification.
    pub(super) fn new(m: &'m Builder, system: System, spec: &CoreSpec, source: Source) -> Self {
        Self::of_shape(m, shape(system, source), &units(system), spec, source, 0)
    }

    /// Makes the stages that write sequences of this shape, after the units that open a frame. Slots come in stage `first`.
    fn of_shape(
        m: &'m Builder,
        shape: Box<dyn Shape>,
        opening: &[u64],
        spec: &CoreSpec,
        source: Source,
        first: u32,
    ) -> Self {
        let lanes = spec.lanes as usize;
        let sizes = Sizes::new(lanes, shape.as_ref(), opening.len(), spec.on_error, spec.pipeline, source);
        let sizes = sizes.after(first);
        let opening = opening.to_vec();
        let movement = Movement::new(m, &sizes);
        Self { m, shape, opening, sizes, movement }
    }

    /// A beat of slots is taken.
    pub(super) fn takes(&self) -> Signal<'m> {
        self.movement.takes()
    }

    /// A beat of slots is taken in the next cycle, if one is offered, in an encoder with other stages in front of these.
    fn takes_next(&self) -> Signal<'m> {
        self.movement.takes_next().expect("other stages are in front of these")
    }

    /// The first stage loads: a beat of slots is taken, or an empty one in the cycle after reset.
    pub(super) fn loads_at(&self, lane: usize) -> Signal<'m> {
        self.movement.loads_first(lane)
    }

    /// The stages themselves, and the ports of units. Gives the cycles from a beat of slots to its units.
    pub(super) fn encode(self, input: Beat<'m>, m_axis_tready: Signal<'m>) -> u32 {
        let Self { m, shape, opening, sizes, movement } = self;
        let first = sizes.input;
        let found = shape.indexed().map(|indexed| indexed.looked_up(m, &input.slots, &sizes, &movement));
        let (module, ports) = lane(shape.as_ref(), &sizes);
        m.section("The lanes");
        let taken = movement.of_beat((input.offered & movement.takes()).named("beat_taken"), first);
        let offered = (input.offered & !movement.flushes(first).signal()).named("beat_offered");
        let connect = |instance, lane| movement.connect(instance, lane);
        let lanes = Instances::of_slots(m, &module, sizes.lanes, |lane| movement.lane(lane), connect);
        let of_lane = |name: &str, lane: usize, signal: Signal<'m>| {
            movement.of_lane(lane, signal, first).called(&format!("slot_{lane}_{name}"))
        };
        if let Some(heard) = &ports.slot.data {
            lanes.connect(heard, |lane| of_lane("data", lane, input.slots[lane].data));
        }
        if let Some((heard, found)) = ports.slot.found.as_ref().zip(found) {
            lanes.connect(heard, |lane| found[lane]);
        }
        lanes.connect(&ports.slot.valid, |lane| of_lane("valid", lane, input.slots[lane].keep & offered));
        if let Some(heard) = &ports.slot.kind {
            let kind = |lane: usize| input.slots[lane].what.expect("a lane with errors has their kind");
            lanes.connect(heard, |lane| of_lane("kind", lane, kind(lane)));
        }
        let cut = input.cut_before.map(|cut| movement.of_beat(cut & offered, first).called("cut_before"));
        let last = movement.of_beat(input.last, first);
        let outside = Outside { offered: input.offered, m_axis_tready };
        let encoder = Encoder { m, sizes: &sizes, movement: &movement, ports: &ports, lanes };
        encoder.encode(shape.as_ref(), &opening, [taken, last], cut, outside)
    }
}

/// An encoder that is being built.
struct Encoder<'a, 'm> {
    m: &'m Builder,
    sizes: &'a Sizes,
    movement: &'a Movement<'m>,
    ports: &'a Ports,
    lanes: Instances<'a, 'm>,
}

/// The errors of a beat, in the stage in which it is decided what is written.
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
    /// Puts the stages together. Gives the cycles from a beat of slots to its units. `taken`: a beat is taken, which ends its frame if
    /// `last`. `cut`: an error precedes its first lane.
    fn encode(
        &self,
        shape: &dyn Shape,
        opening: &[u64],
        [taken, last]: [At<'m>; 2],
        cut: Option<At<'m>>,
        outside: Outside<'m>,
    ) -> u32 {
        let Self { m, sizes, movement, ports, lanes } = self;
        m.section("The end of the frame");
        let last = (taken & last).called("last");
        let errors = if sizes.has_groups() { self.errors_with_groups(last) } else { self.errors(last, cut) };
        let mut cut_written = errors.cut_before.filter(|_| sizes.replaces);
        let before = sizes.decided();
        let opens = (sizes.opening_units > 0).then(|| {
            let writes =
                ports.writes.as_ref().map(|told| At::concat(lanes.each(told)).any().named("beat_writes"));
            let of_beat = [taken, last].map(|signal| signal.at(before));
            Opening::new(m, of_beat, writes, &mut cut_written, sizes, movement)
        });
        let extra = cut_written.map(|cut| (cut, sizes.replacement_units)).into_iter();
        let extra: Vec<(At, usize)> =
            extra.chain(opens.iter().flat_map(|opens| opens.lengths(sizes))).collect();
        // The windows of a transcoder cover the units left over of its beats, even where these make no output beat.
        let rounds = match sizes.shares_windows() {
            true => movement.of_beat(m.lit(1, 1), before),
            false => last.at(before),
        };
        let sums = sums::sums(m, &lanes.each(&ports.length), &extra, rounds, sizes, movement);
        let has_error = self.has_error(&errors);
        let cut_written = cut_written.filter(|_| sizes.replacement_reach > 0);
        let cut_before = cut_written.map(|cut| cut.at(sums.stage() + 1));

        let (ends, amiss) = self.ends(&sums, last, has_error);
        let beat = OfBeat { ends: &ends, last: last.at(amiss.stage()), amiss, cut_before };
        let window = match sizes.shares_windows() {
            true => shared_windows::windows(m, &beat, sizes, movement),
            false => windows::windows(m, &beat, sizes, movement),
        };
        let ahead = window.ahead;
        if let Some((heard, ahead)) = ports.places.ahead.as_ref().zip(ahead) {
            lanes.connect(heard, |_| ahead);
        }
        let rings = network::network(m, network::of_lanes(lanes, &ports.ring), sizes, movement);
        let (_, replacement) = shape.replacement();
        let begins = rings[0][0].stage() - 1;
        let openings =
            opens.map(|opens| opens.shown(m, [opening, &replacement], ahead, begins, sizes, movement));
        let in_front = InFront { replacement: &replacement, openings: openings.unwrap_or_default() };
        output::output(m, &rings, window, &in_front, outside, sizes, movement) + 1
    }

    /// The errors where each group of limbs that breaks the rules of the bus is one: the replacement is written for it.
    fn errors_with_groups(&self, last: At<'m>) -> Errors<'m> {
        let Self { m, sizes, movement, ports, lanes } = self;
        let of_groups = ports.groups.as_ref().expect("lanes tell of groups");
        let at_end = last.at(sizes.searched());
        let groups = groups::groups(m, &groups::Slots::of(lanes, of_groups), last, sizes, movement);
        // A head already cuts what precedes it, so what precedes the first lane needs no test.
        let ends_pair = ports
            .surrogates
            .as_ref()
            .map(|ports| surrogate_pairs::refused(m, lanes, ports, at_end, None, sizes, movement));
        let joined = ports.limbs.as_ref().map(|ports| {
            limbs::join(m, lanes, ports, [&of_groups.kept, &of_groups.is_limb], at_end, sizes, movement)
        });
        let heard = ports.replaced.as_ref().expect("groups are replaced");
        let replaced = groups.replaced.into_iter().enumerate().map(|(lane, mut replaced)| {
            let name = format!("slot_{lane}_is_replaced");
            if let Some(joined) = &joined {
                replaced = (replaced & !joined.whole[lane]).named(&name);
            }
            if let Some(ends_pair) = &ends_pair {
                replaced = (replaced | ends_pair[lane]).named(&name);
            }
            lanes.connect_lane(lane, heard, replaced);
            replaced
        });
        Errors { of_lanes: replaced.collect(), broken: Vec::new(), cut_before: Some(groups.cut_before) }
    }

    /// The errors where no groups are followed: errors are dropped, or come from a decoding half.
    fn errors(&self, last: At<'m>, cut_before: Option<At<'m>>) -> Errors<'m> {
        let Self { m, sizes, movement, ports, lanes } = self;
        let refused = ports.refused.as_ref().expect("lanes tell of errors");
        if let Some((of_pairs, heard)) = ports.surrogates.as_ref().zip(refused.ends_pair.as_ref()) {
            let last = last.at(sizes.searched());
            let cut = cut_before.filter(|_| sizes.replaces).map(|cut| cut.at(sizes.searched()));
            let ends_pair = surrogate_pairs::refused(m, lanes, of_pairs, last, cut, sizes, movement);
            lanes.connect(heard, |lane| ends_pair[lane]);
        }
        let broken = ports.limbs.as_ref().map(|of_limbs| {
            let [kept, is_limb] = of_limbs.kept_and_limb.as_ref().expect("lanes tell of limbs");
            let last = last.at(sizes.searched());
            let joined = limbs::join(m, lanes, of_limbs, [kept, is_limb], last, sizes, movement);
            let called = |(lane, broken): (usize, At<'m>)| broken.called(&format!("is_broken_{lane}"));
            joined.broken.into_iter().enumerate().map(called).collect()
        });
        Errors {
            of_lanes: lanes.each(&refused.is_error),
            broken: broken.unwrap_or_default(),
            cut_before: cut_before.map(|cut| cut.at(sizes.decided())),
        }
    }

    /// A bit: the beat has an error. The error of each lane is registered one stage later than the number of units, which other lanes
    /// wait for.
    fn has_error(&self, errors: &Errors<'m>) -> At<'m> {
        let Self { m, ports, lanes, .. } = self;
        m.section("Whether something cannot be written");
        let of_lane = |(lane, error): (usize, &At<'m>)| {
            let error = error.registered(&format!("cannot_write_{lane}"));
            if let Some(heard) = &ports.code_is_replaced {
                lanes.connect_lane(lane, heard, error);
            }
            error
        };
        let of_lanes: Vec<At> = errors.of_lanes.iter().enumerate().map(of_lane).collect();
        let others = errors.broken.iter().chain(&errors.cut_before).map(|error| error.at(error.stage() + 1));
        At::concat(of_lanes.into_iter().chain(others)).any().registered("beat_amiss")
    }

    /// The positions in which units end, and in their stage: something in the frame up to the beat cannot be written.
    fn ends(&self, sums: &Sums<'m>, last: At<'m>, has_error: At<'m>) -> (Ends<'m>, At<'m>) {
        let Self { m, sizes, movement, ports, lanes } = self;
        let before_sums = last.at(sums.stage() - 1);
        // The empty beat of the cycle after reset clears what is kept from beat to beat, as the end of a frame does.
        let continues = !before_sums & !movement.flushes(sums.stage() - 1);
        let continues = continues.registered("frame_goes_on");
        let ends = sums::ends(m, sums, continues, sizes, movement);
        lanes.connect(&ports.places.end, |lane| ends.ends[lane]);
        let register = m.reg("frame_amiss_reg", 1).note("something in the frame could not be written");
        let amiss_before = movement.of_beat(register.q, sums.stage());
        let amiss = (amiss_before | has_error.at(sums.stage())).named("amiss_so_far");
        movement.load(register, amiss & continues);
        (ends, amiss.registered("amiss"))
    }
}

/// The shape of a system; of `utf-inf-8`, that of code points that need no length header.
fn shape(system: System, source: Source) -> Box<dyn Shape> {
    let prefix = || Prefix::new(SequenceForms::of(system).expect("a prefix system"), source);
    match system {
        System::Utf9 { max } => Box::new(Utf9 { max: max.code_point() }),
        System::Utf18 => Box::new(Utf18),
        System::Utf16 => Box::new(Utf16 { order: None }),
        System::Utf16Octets { order, .. } => Box::new(Utf16 { order: Some(order) }),
        System::Latin1
        | System::Ascii
        | System::Table(_)
        | System::Ucs2
        | System::Ucs2Octets { .. }
        | System::Utf32 { .. }
        | System::Utf32Octets { .. } => {
            Box::new(Single(Words::of(system).expect("each word is a code point or an error")))
        }
        System::MultiOctet(set) => Box::new(Indexed { set }),
        System::Auto(_) | decoded_only!() | software_only!() => {
            unreachable!("there are no such cores of several lanes")
        }
        System::Cesu8 => Box::new(Cesu8 { long_nul: false }),
        System::CorrectedUtf8 { document, private } => {
            Box::new(CorrectedUtf8::new(document, private, source))
        }
        System::Mutf8 => Box::new(Cesu8 { long_nul: true }),
        System::Wtf8 => Box::new(prefix().without_surrogate_pairs()),
        System::Utf8
        | System::Utf8Bom { .. }
        | System::Utf8Rfc2279
        | System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::UtfEbcdicI8 { .. } => Box::new(prefix()),
        System::UtfInf8 { .. } => {
            Box::new(Prefix::new(SequenceForms::hunks(8, 7).with_thirteen_octets(), source))
        }
    }
}

/// A packed signal, taken apart into lanes.
fn split(signal: Signal<'_>, lanes: usize) -> Vec<Signal<'_>> {
    let bits = signal.width() / lanes as u32;
    (0..lanes as u32).map(|lane| signal.bits(lane * bits..(lane + 1) * bits)).collect()
}
