//! Observers of encoders: they classify the slots of a beat, and count what each of them is.
//!
//! ```text
//!  slots ──> class of  ──> groups: which limbs are  ──> what ends with  ──> sums of ──> tally
//!            each slot     awaited, and the last        each slot           the lanes
//! ```
//!
//! A group of limbs ends with its last limb, or with the last slot before the one that cuts the group short. Code points and errors therefore tile the
//! slots of a frame, as they tile the units of a decoder. A core of one lane is counted by the same logic.
//!
//! ```text
//!  lane        0      1     2     3     4     5      6     7        h3: head of a group of three limbs
//!  slot        limb   h3    limb  limb  limb  h5     limb  'A'
//!  awaited     no     -     more  more  last  -      more  -
//!  ends        error  -     -     -     code  -      error code     'A' cuts the group of lane 5
//! ```

use std::sync::Arc;

use super::shape::{Fit, Shape};
use super::{code_bits, shape};
use crate::core::lanes::scan::{Carries, Copies};
use crate::core::lanes::{At, Lanes, number_of_first, section};
use crate::core::many_lanes::logic::exceeds;
use crate::core::shared::code_points::{HIGH, LOW, SURROGATE_DATA};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::ports::{SLOT_DATA_BITS, SLOT_USER_BITS, SlotsIn, slots_in, slots_in_ready};
use crate::core::spec::ErrorMode;
use crate::core::status::{
    Counted, KIND_BITS, Place, Sums, TALLY_LATENCY, joined_lanes, lengths, observed, status_ready, tally,
};
use crate::core::{Bus, CoreSpec, System};
use crate::netlist::{Builder, Module, RegisterRole, Signal, Stage};

/// Bits of a hexadecimal digit.
const DIGIT_BITS: u64 = 4;

/// Builds the observer of the core's slots as a module called `name`; gives the cycles from a frame's last beat to its status, too.
pub(in crate::core) fn observer(name: &str, spec: &CoreSpec) -> (Arc<Module>, u32) {
    let m =
        Builder::new(name, format!("Counts the slots of each frame of a {} encoder", spec.system.title()));
    let input = slots_in(&m, spec.lanes, code_bits(spec.system) > SLOT_DATA_BITS, spec.bus);
    let status_tready = status_ready(&m);
    let ready = m.wire("tally_ready", 1);
    let flush = m.reg("flush_reg", 1).reset(1).note("the cycle after reset, which clears the stages");
    let flush = flush.role(RegisterRole::Flush);
    flush.next(m.lit(1, 0));
    let stage = m.stage((ready | flush.q).named("advance").note("all stages move")).flushed_by(flush.q);
    slots_in_ready(&m, ready);

    let beat = Beat::new(spec, &input, ready, stage);
    let Ends { slots, cut_before } = beat.ends(&m, spec);
    section(&m, slots[0].is.stage(), "sums of the lanes");
    // The tree has a power of two of leaves, and two at least.
    let none = Sums::of_slot(&m, m.lit(1, 0), None, m.lit(KIND_BITS, 0), None);
    let mut leaves: Vec<Sums> = slots.iter().map(|slot| slot.sums(&m)).collect();
    leaves.resize(leaves.len().max(2), none);
    let (sums, stages) = joined_lanes(&m, leaves, stage);
    let at = slots[0].is.stage() + stages;
    let cut = cut_before.map(|cut| cut.at(at).signal());
    let kind = m.lit(KIND_BITS, ErrorKind::Unencodable.code());
    let sums = cut.map_or(sums.clone(), |cut| sums.after_error(&m, cut, kind));
    let place = Place::InBeat {
        units: beat.count.at(at).signal(),
        cut: cut.unwrap_or(m.lit(1, 0)),
        before: sums.before.expect("there are two leaves"),
        end: [sums.ends.0, sums.ends.1.expect("there are two leaves")],
        words: None,
    };
    let counted = Counted {
        valid: beat.valid.at(at).signal(),
        last: beat.last.at(at).signal(),
        numbers: sums.numbers,
        error: sums.error,
        kind: sums.kind,
        place,
    };
    let status = tally(&m, counted, status_tready);
    m.drive(ready, status.ready);
    observed(&m, status.tdata, status.tvalid, status.loads);
    (m.built_trimmed(), at + TALLY_LATENCY)
}

/// The code points and errors that end in a beat.
struct Ends<'m> {
    slots: Vec<End<'m>>,
    /// The beat cuts a group of earlier beats short before its first slot; `None` where there are no groups.
    cut_before: Option<At<'m>>,
}

/// A code point or an error that ends with a slot: all signals are of one stage.
struct End<'m> {
    /// A code point or an error ends.
    is: At<'m>,
    is_error: At<'m>,
    kind: At<'m>,
    /// The [lengths] of the code point.
    lengths: [At<'m>; 3],
}

impl<'m> End<'m> {
    fn sums(&self, m: &'m Builder) -> Sums<'m> {
        let lengths = self.lengths.map(|bit| Some(bit.signal()));
        Sums::of_lengths(m, self.is.signal(), Some(self.is_error.signal()), self.kind.signal(), lengths)
    }
}

/// A beat of slots.
struct Beat<'m> {
    slots: Vec<Slot<'m>>,
    /// There is a beat, which is taken.
    valid: At<'m>,
    /// The beat ends its frame.
    last: At<'m>,
    /// The number of slots.
    count: At<'m>,
}

/// A slot, by itself: stage 1.
struct Slot<'m> {
    /// The lane holds a slot.
    is: At<'m>,
    /// The slot is a code point, and the system has it.
    writes: At<'m>,
    /// The slot is a code point, or a head: it cuts an open group short.
    cuts: At<'m>,
    kind: At<'m>,
    /// The [lengths] of the code point, all that of U+FFFD in a limb.
    lengths: [At<'m>; 3],
    /// The code point is a high surrogate, and a low one; `None` where a pair of them is no error.
    surrogates: Option<[At<'m>; 2]>,
    /// The part of the slot in a group; `None` where there are no groups.
    group: Option<InGroup<'m>>,
}

/// The part of a slot in a group, by the slot itself: stage 1.
struct InGroup<'m> {
    is_limb: At<'m>,
    /// The slot is the head of two limbs or more, and their number.
    opens: At<'m>,
    number: At<'m>,
    /// The rules for the first limb; `None` where the system has no code points of several limbs.
    long: Option<Long<'m>>,
}

/// Whether the system has a code point of several limbs: by its number of limbs, and by the first limb.
struct Long<'m> {
    /// The slot is the head of fewer limbs than the longest code points have, and of as many.
    is_shorter: At<'m>,
    is_longest: At<'m>,
    /// The slot, as a first limb, is one after either head.
    fits_any: At<'m>,
    fits_longest: At<'m>,
}

impl<'m> Beat<'m> {
    /// The beat that `input` offers, which is taken if `ready`.
    fn new(spec: &CoreSpec, input: &SlotsIn<'m>, ready: Signal<'m>, stage: Stage<'m>) -> Self {
        let m = stage.builder();
        let shape = shape(spec.system, spec.bus.into());
        let fits = fits(shape.as_ref(), spec.bus.data_bits());
        let valid = At::new(stage, (input.tvalid & ready).named("beat_taken"), 0).called("beat_valid").flag();
        let last = At::new(stage, input.tlast, 0).called("last");
        section(m, 0, "class of a slot");
        let slot = |lane: u32| {
            let of_lane = |signal: Signal<'m>, bits: u32| {
                At::new(stage.lane(lane as usize), signal.bits(lane * bits..(lane + 1) * bits), 0)
            };
            let is = of_lane(input.tkeep, 1) & valid;
            let [data, user] = [(input.tdata, spec.bus.data_bits()), (input.tuser, SLOT_USER_BITS)]
                .map(|(all, bits)| of_lane(all, bits));
            Slot::new(shape.as_ref(), spec, lane, [is, data, user], fits.as_ref())
        };
        let slots: Vec<Slot> = (0..spec.lanes).map(slot).collect();
        let held: Vec<At> = slots.iter().map(|slot| slot.is).collect();
        let count = number_of_first(&held).expect("there are lanes").called("slots");
        Self { slots, valid, last, count }
    }

    /// For each lane a signal of its slot.
    fn each(&self, name: &str, of: impl Fn(&Slot<'m>) -> At<'m>) -> Lanes<'m> {
        Lanes::new(name, self.slots.iter().map(of))
    }

    /// The slots, the groups and the pairs of surrogates put together.
    fn ends(&self, m: &'m Builder, spec: &CoreSpec) -> Ends<'m> {
        let groups = (spec.bus == Bus::Long).then(|| Groups::new(m, self, spec.lanes));
        let after_high = self.after_high(m, spec);
        let slot = |(lane, slot): (usize, &Slot<'m>)| {
            let is_low = slot.surrogates.map(|[_, is_low]| is_low);
            let written = match after_high.as_ref().zip(is_low) {
                Some((after_high, is_low)) => {
                    (slot.writes & !(is_low & after_high[lane])).named(&format!("slot_{lane}_is_written"))
                }
                None => slot.writes,
            };
            let Some(groups) = &groups else { return (slot.is, slot.is & !written) };
            let is_code = groups.is_whole.as_ref().map_or(written, |whole| written | whole[lane]);
            let is = (slot.is & !groups.goes_on(self, lane)).named(&format!("slot_{lane}_is_end"));
            (is, is & !is_code)
        };
        let found: Vec<(At, At)> = self.slots.iter().enumerate().map(slot).collect();
        let at = found.iter().map(|&(_, is_error)| is_error.stage()).max().expect("a lane");
        let end = |((is, is_error), slot): ((At<'m>, At<'m>), &Slot<'m>)| End {
            is: (is & self.valid.at(at)).at(at),
            is_error: is_error.at(at),
            kind: slot.kind.at(at),
            lengths: slot.lengths.map(|bit| bit.at(at)),
        };
        let slots = found.into_iter().zip(&self.slots).map(end).collect();
        Ends { slots, cut_before: groups.map(|groups| groups.cut_before(self)) }
    }

    /// For each lane: what is written before it in the frame ends with a high surrogate. `None` where that makes no difference.
    fn after_high(&self, m: &'m Builder, spec: &CoreSpec) -> Option<Lanes<'m>> {
        self.slots[0].surrogates?;
        section(m, 1, "surrogates");
        let replaces = spec.on_error == ErrorMode::Replace;
        let of = |slot: &Slot<'m>| slot.surrogates.expect("all lanes have them");
        let keeps = |slot: &Slot<'m>| match replaces {
            true => !slot.is,
            // A low surrogate is written where there is no high one, and refused where there is one.
            false => !slot.writes | of(slot)[1],
        };
        let carried = Carries {
            sets: self.each("is_high", |slot| of(slot)[0]),
            keeps: self.each("keeps_high", keeps),
            invert: false,
            valid: self.valid.at(1),
            last: self.last.at(1),
        }
        .carried("after_high");
        Some(carried.after.before(carried.before))
    }
}

impl<'m> Slot<'m> {
    /// The slot of a lane: whether there is one, its `tdata` and its `tuser`.
    fn new(
        shape: &dyn Shape,
        spec: &CoreSpec,
        lane: u32,
        [is, data, user]: [At<'m>; 3],
        fits: Option<&Arc<Module>>,
    ) -> Self {
        let m = is.builder();
        let registers = is.registers();
        let next = |signal: At<'m>, name: &str| signal.next(&format!("slot_{lane}_{name}"));
        let has_groups = spec.bus == Bus::Long;
        let is_long = user.bits(1..SLOT_USER_BITS).map(Signal::all);
        let [is_head, is_limb] = [!user.bit(0), user.bit(0)].map(|low| is_long & low);
        if !has_groups {
            Sums::unused(data.signal(), 0, &format!("unused_data_{lane}"));
        }
        let is_code = !user.any();
        let is_fit = fits.map(|fits| {
            let fits = m.instance(&format!("slot_{lane}_fits"), fits).lane(lane as usize);
            At::new(registers, fits.input("tdata", data.signal()).output("is_fit"), 0)
        });
        let writes = is_fit.map_or(is & is_code, |is_fit| is & is_code & is_fit);
        let cuts = if has_groups { is_code | is_head } else { is_code };
        let most = ErrorKind::Unencodable.code();
        let unencodable = data.lit(SLOT_USER_BITS, most);
        let is_kind = !is_code & !user.map(|user| exceeds(user, most));
        let [octets_2, octets_3, is_pair] =
            lengths(data.signal()).map(|bit| At::new(registers, bit.expect("slots have more bits"), 0));
        // A code point of several limbs is past Unicode: as long as U+FFFD.
        let [octets_2, octets_3, is_pair] = match has_groups {
            true => [octets_2 | is_limb, octets_3 | is_limb, is_pair & !is_limb],
            false => [octets_2, octets_3, is_pair],
        };
        let lengths = [(octets_2, "has_2_octets"), (octets_3, "has_3_octets"), (is_pair, "is_pair")];
        let is_surrogate = |marker: u64| {
            let bits = data.bits(SURROGATE_DATA..data.width());
            bits.map(|bits| bits.is(marker)) & is & is_code
        };
        let surrogates = shape.refuses_surrogate_pairs().then(|| {
            [(HIGH, "is_high"), (LOW, "is_low")].map(|(marker, name)| next(is_surrogate(marker), name))
        });
        Self {
            is: next(is, "is"),
            writes: next(writes, "writes"),
            cuts: next(is & cuts, "cuts"),
            kind: next(is_kind.mux(user, unencodable), "kind"),
            lengths: lengths.map(|(bit, name)| next(bit, name)),
            surrogates,
            group: has_groups.then(|| InGroup::new(spec.system, lane, data, [is & is_head, is & is_limb])),
        }
    }
}

/// A module that says whether the system has a code point; `None` if it has all.
fn fits(shape: &dyn Shape, bits: u32) -> Option<Arc<Module>> {
    let m = Builder::new("code_point_fits", "Whether the system has a code point.");
    let data = m.input("tdata", bits, "code point");
    let tests = shape.tests(&m, data).into_iter().map(|(name, test)| test.named(&name));
    let tests: Vec<Signal> = tests.collect();
    let Fit { unfit, .. } = shape.fit(&m, &tests);
    for (range, name) in [(0..bits / 2, "unused_low_tdata"), (bits / 2..bits, "unused_high_tdata")] {
        data.bits(range).named(name).note("limits are round numbers");
    }
    m.output("is_fit", !unfit?, "the system has the code point");
    Some(m.built_trimmed())
}

/// The most bits of a code point.
fn most_bits(system: System) -> u64 {
    match system {
        System::UtfInf8 { digits } => DIGIT_BITS * digits,
        _ => code_bits(system).into(),
    }
}

impl<'m> InGroup<'m> {
    fn new(system: System, lane: u32, data: At<'m>, [is_head, is_limb]: [At<'m>; 2]) -> Self {
        let next = |signal: At<'m>, name: &str| signal.next(&format!("slot_{lane}_{name}"));
        let bits = most_bits(system);
        let limb_bits = u64::from(SLOT_DATA_BITS);
        let long = (bits > limb_bits).then(|| {
            // The longest code points have that number of limbs, and as many bits in the first.
            let longest = bits.div_ceil(limb_bits);
            let first = (bits - limb_bits * (longest - 1)) as u32;
            let fits_any = data.any();
            let fits = match first {
                SLOT_DATA_BITS => fits_any,
                _ => fits_any & !data.bits(first..SLOT_DATA_BITS).any(),
            };
            Long {
                is_shorter: next(data.lt(data.lit(SLOT_DATA_BITS, longest)), "is_shorter"),
                is_longest: next(data.is(longest), "is_longest"),
                fits_any: next(fits_any, "fits_any"),
                fits_longest: next(fits, "fits_longest"),
            }
        });
        Self {
            is_limb: next(is_limb, "is_limb"),
            opens: next(is_head & data.bits(1..SLOT_DATA_BITS).any(), "opens"),
            number: next(data, "number"),
            long,
        }
    }
}

/// The groups of a beat.
struct Groups<'m> {
    /// For each lane: a group is open after its slot, and limbs of the group are still to come.
    is_inside: Lanes<'m>,
    /// For each lane: its slot is the last limb of a group, of a code point that the system has; `None` if there are none.
    is_whole: Option<Lanes<'m>>,
    /// A group is open before the beat.
    is_open: At<'m>,
}

impl<'m> Groups<'m> {
    fn new(m: &'m Builder, beat: &Beat<'m>, lanes: u32) -> Self {
        let of = |slot: &Slot<'m>| slot.group.as_ref().map(|group| (group.is_limb, group.opens));
        let of = |slot: &Slot<'m>| of(slot).expect("slots of the long bus have groups");
        let is_limb = beat.each("is_limb", |slot| of(slot).0);
        let opens = beat.each("opens", |slot| of(slot).1);
        section(m, 1, "the lane of a group's last limb");
        let head = last_heads(beat, lanes);
        let bits = lanes.ilog2();
        let end = |head: At<'m>| head.bits(1..bits + 2);
        let found = head.some.end().stage();
        let left = Left::new(m, beat, &head, lanes);
        let good = good(m, beat);
        let at = left.is_open.stage();
        let good = good.map(|good| good.at(at));
        let each = |lane: usize| {
            let value = head.values[lane];
            let in_beat = head.some[lane] & value.bit(0);
            let at = lane as u64;
            let goes_on = in_beat & end(value).map(|end| exceeds(end, at));
            let ends = in_beat & end(value).is(at);
            let other = |name: &str, here: At<'m>, before: At<'m>| {
                let here = here.called(&format!("{name}_by_head_{lane}"));
                let before = before & !head.some[lane].at(found);
                (is_limb[lane] & (here | before)).named(&format!("limb_{lane}_{name}"))
            };
            let [more, last] = left.of_lane(lane);
            let inside = opens[lane] | other("is_awaited", goes_on, more);
            (inside, other("is_last", ends, last))
        };
        let (inside, last): (Vec<At>, Vec<At>) = (0..lanes as usize).map(each).unzip();
        let whole = good.map(|good| last.iter().zip(good.iter()).map(|(&last, &good)| last & good).collect());
        let registered = |name: &str, lanes: Vec<At<'m>>| {
            let lanes = Lanes::new(name, lanes);
            lanes.at(lanes[0].stage() + 1)
        };
        Self {
            is_inside: registered("is_inside", inside),
            is_whole: whole.map(|whole| registered("is_whole", whole)),
            is_open: left.is_open,
        }
    }

    /// The slot of a lane ends nothing, since its group goes on.
    fn goes_on(&self, beat: &Beat<'m>, lane: usize) -> At<'m> {
        let cut = match beat.slots.get(lane + 1) {
            Some(next) => (next.cuts | !next.is & beat.last).called(&format!("group_is_cut_after_{lane}")),
            None => beat.last,
        };
        self.is_inside[lane] & !cut
    }

    /// The beat cuts a group of earlier beats short before its first slot.
    fn cut_before(&self, beat: &Beat<'m>) -> At<'m> {
        let first = &beat.slots[0];
        let cuts = (beat.valid.at(1) & (first.cuts | !first.is & beat.last)).called("beat_cuts");
        (self.is_open & cuts).named("cut_before")
    }
}

/// For each lane the last slot up to it that is no limb: from the low bits up, whether it opens a group, the lane of the group's last limb,
/// its own lane, and the number of limbs.
fn last_heads<'m>(beat: &Beat<'m>, lanes: u32) -> Copies<'m> {
    let bits = lanes.ilog2();
    let each = |(lane, slot): (usize, &Slot<'m>)| {
        let InGroup { is_limb, opens, number, .. } =
            *slot.group.as_ref().expect("slots of the long bus have groups");
        let lit = |width: u32, value: u64| opens.lit(width, value);
        // All ones are past the beat: a group that the lane before the last opens, or the last one, ends there at the earliest.
        let end = match lane + 2 < lanes as usize {
            false => lit(bits + 1, (2 << bits) - 1),
            true => {
                let is_far = number.bits(bits..SLOT_DATA_BITS).any();
                let near = number.bits(0..bits).zext(bits + 1);
                let near = if lane > 0 { near + lit(bits + 1, lane as u64) } else { near };
                is_far.mux(lit(bits + 1, (2 << bits) - 1), near)
            }
        };
        let own = (bits > 0).then(|| lit(bits, lane as u64));
        (slot.is & !is_limb, At::concat([number].into_iter().chain(own).chain([end, opens])))
    };
    let (some, values): (Vec<At>, Vec<At>) = beat.slots.iter().enumerate().map(each).unzip();
    Copies { some: Lanes::new("is_no_limb", some), values: Lanes::new("head", values) }.copied("last_head")
}

/// For each lane: its slot is a limb after a first limb that fits, if it is one of a group; `None` where there are no code points of several
/// limbs. In the stage of a scan after the slots.
fn good<'m>(m: &'m Builder, beat: &Beat<'m>) -> Option<Lanes<'m>> {
    let group = |slot: &'_ Slot<'m>| slot.group.as_ref().expect("slots of the long bus have groups").opens;
    beat.slots[0].group.as_ref()?.long.as_ref()?;
    section(m, 1, "first limbs that the system has");
    let head = |slot: &Slot<'m>| {
        let of = slot.group.as_ref().and_then(|group| group.long.as_ref()).expect("all lanes have it");
        At::concat([of.is_longest, of.is_shorter, group(slot)])
    };
    let registers = beat.valid.registers().at(1);
    let before = registers.state("head_before_reg", 3);
    let slots = &beat.slots;
    let last = slots.iter().enumerate().map(|(lane, slot)| {
        let is_last = slots.get(lane + 1).map_or(slot.is, |next| slot.is & !next.is);
        head(slot).masked(is_last)
    });
    let last = At::any_of(last).expect("a lane").named("head_of_beat");
    let earlier = At::new(registers, before.q, 1);
    let moves = beat.valid.at(1) & slots[0].is;
    registers.load(before, moves.mux(last, earlier).signal());
    let heads = beat.each("head_class", head).before(earlier);
    let (sets, keeps): (Vec<At>, Vec<At>) = slots
        .iter()
        .zip(heads.iter())
        .map(|(slot, head)| {
            let of = slot.group.as_ref().expect("slots of the long bus have groups");
            let long = of.long.as_ref().expect("all lanes have it");
            let fits = head.bit(1) & long.fits_any | head.bit(2) & long.fits_longest;
            (of.is_limb & head.bit(0) & fits, !slot.is | of.is_limb & !head.bit(0))
        })
        .unzip();
    let [sets, keeps] =
        [("starts_good", sets), ("keeps_good", keeps)].map(|(name, all)| Lanes::new(name, all));
    let (valid, last) = (beat.valid.at(1), beat.last.at(1));
    Some(Carries { sets, keeps, invert: false, valid, last }.carried("group_is_good").after)
}

/// The limbs that groups of earlier beats still await.
struct Left<'m> {
    /// There are some.
    is_open: At<'m>,
    /// The number is greater than that of any lane of the beat, and its low bits.
    is_many: At<'m>,
    low: At<'m>,
}

impl<'m> Left<'m> {
    /// Counts the limbs, two stages after the last `heads` are known.
    fn new(m: &'m Builder, beat: &Beat<'m>, heads: &Copies<'m>, lanes: u32) -> Self {
        let bits = lanes.ilog2();
        let (is_head, head) = (heads.some.end(), heads.values.end());
        let found = head.stage();
        section(m, found, "limbs that are awaited after the beat");
        let number = head.bits(head.width() - SLOT_DATA_BITS..head.width());
        let wide = SLOT_DATA_BITS + 1;
        let count = |stage: u32| beat.count.at(stage).zext(wide);
        // The limbs after the head are those after its lane.
        let own = if bits > 0 { head.bits(bits + 2..2 * bits + 2).zext(wide) } else { head.lit(wide, 0) };
        let behind = (count(found) - own - head.lit(wide, 1)).called("limbs_after_head").at(found + 1);
        let number = number.zext(wide).called("limbs_of_head").at(found + 1) - behind;
        let awaits = head.at(found + 1).bit(0) & !number.bit(SLOT_DATA_BITS);
        let at = found + 2;
        let from_head = number.bits(0..SLOT_DATA_BITS).masked(awaits).called("awaited_after_head").at(at);

        section(m, at, "limbs that are awaited by a head of an earlier beat");
        let registers = beat.valid.registers().at(at);
        let left = registers.state("limbs_left_reg", SLOT_DATA_BITS);
        let before = At::new(registers, left.q, at);
        let less = (before.zext(wide) - count(at)).named("limbs_left_less_beat");
        let rest = less.bits(0..SLOT_DATA_BITS).masked(!less.bit(SLOT_DATA_BITS));
        let next = is_head.mux(from_head, rest).masked(!beat.last);
        registers.load(left, beat.valid.at(at).mux(next, before).signal());
        Self {
            is_open: before.any().named("group_is_open"),
            is_many: before.bits(bits + 1..SLOT_DATA_BITS).any().named("many_limbs_are_left"),
            low: before.bits(0..bits + 1),
        }
    }

    /// A limb of this lane, with nothing but limbs below, is awaited and not the last; and it is the last.
    fn of_lane(&self, lane: usize) -> [At<'m>; 2] {
        let limbs = lane as u64 + 1;
        let most = (1 << self.low.width()) - 1;
        let more =
            if limbs < most { self.is_many | self.low.map(|low| exceeds(low, limbs)) } else { self.is_many };
        [more, !self.is_many & self.low.is(limbs)]
    }
}
