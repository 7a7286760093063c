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

mod groups;
mod indexed;

use std::sync::Arc;

use super::shape::{Fit, Shape};
use super::{code_bits, shape};
use crate::core::lanes::scan::Carries;
use crate::core::lanes::{At, Lanes, number_of_first, section};
use crate::core::many_lanes::logic::exceeds;
use crate::core::shared::code_points::{HIGH, LOW, SURROGATE_DATA};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::ports::{SLOT_DATA_BITS, SLOT_USER_BITS, SlotsIn, slots_in, slots_in_ready};
use crate::core::spec::ErrorMode;
use crate::core::status::{
    Counted, KIND_BITS, Place, Sums, TALLY_LATENCY, joined_lanes, lengths, observed, status_ready, tally,
};
use crate::core::{Bus, CoreSpec, MultiOctet, System};
use crate::netlist::{Builder, Module, RegisterRole, Signal, Stage};
use groups::{Groups, InGroup};
use indexed::{are_in_set, fits_gb_18030};

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
        clears: None,
        place,
    };
    let status = tally(&m, counted, None, status_tready);
    m.drive(ready, status.ready);
    observed(&m, &status);
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

impl<'m> Beat<'m> {
    /// The beat that `input` offers, which is taken if `ready`.
    fn new(spec: &CoreSpec, input: &SlotsIn<'m>, ready: Signal<'m>, stage: Stage<'m>) -> Self {
        let m = stage.builder();
        let fits = Fits::new(spec);
        let valid = At::new(stage, (input.tvalid & ready).named("beat_taken"), 0).called("beat_valid").flag();
        let last = At::new(stage, input.tlast, 0).called("last");
        section(m, 0, "class of a slot");
        let of_lane = |signal: Signal<'m>, lane: u32, bits: u32| {
            At::new(stage.lane(lane as usize), signal.bits(lane * bits..(lane + 1) * bits), 0)
        };
        let data: Vec<At> =
            (0..spec.lanes).map(|lane| of_lane(input.tdata, lane, spec.bus.data_bits())).collect();
        let are_fit = fits.of_slots(m, &data);
        let slot = |lane: u32| {
            let is = of_lane(input.tkeep, lane, 1) & valid;
            let user = of_lane(input.tuser, lane, SLOT_USER_BITS);
            let (data, is_fit) = (data[lane as usize], are_fit.as_ref().map(|are| are[lane as usize]));
            Slot::new(spec, lane, [is, data, user], is_fit, &fits)
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
    /// The slot of a lane: whether there is one, its `tdata` and its `tuser`. `is_fit`: the system has the code point; `None` if it has all.
    fn new(
        spec: &CoreSpec,
        lane: u32,
        [is, data, user]: [At<'m>; 3],
        is_fit: Option<At<'m>>,
        fits: &Fits,
    ) -> Self {
        let registers = is.registers();
        let next = |signal: At<'m>, name: &str| signal.next(&format!("slot_{lane}_{name}"));
        let has_groups = spec.bus == Bus::Long;
        let is_long = user.bits(1..SLOT_USER_BITS).map(Signal::all);
        let [is_head, is_limb] = [!user.bit(0), user.bit(0)].map(|low| is_long & low);
        if !has_groups {
            Sums::unused(data.signal(), 0, &format!("unused_data_{lane}"));
        }
        let is_code = !user.any();
        let has_code = (is & is_code).called(&format!("slot_{lane}_has_code"));
        let writes = is_fit.map_or(has_code, |is_fit| has_code & is_fit);
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
        let surrogates = fits.refuses_surrogate_pairs.then(|| {
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

/// How the code points of a system are known.
struct Fits {
    test: Test,
    /// A low surrogate is refused after a high one.
    refuses_surrogate_pairs: bool,
}

/// The test of a code point by itself.
enum Test {
    /// The system has all.
    None,
    /// A module without registers.
    Logic(Arc<Module>),
    /// Tables of the set in memory.
    Tables(MultiOctet),
}

impl Fits {
    fn new(spec: &CoreSpec) -> Self {
        if let System::MultiOctet(set) = spec.system {
            let test = match set {
                MultiOctet::Gb18030 => Test::Logic(fits_gb_18030(spec.bus.data_bits())),
                _ => Test::Tables(set),
            };
            return Self { test, refuses_surrogate_pairs: false };
        }
        let shape = shape(spec.system, spec.bus.into());
        let test = fits(shape.as_ref(), spec.bus.data_bits()).map_or(Test::None, Test::Logic);
        Self { test, refuses_surrogate_pairs: shape.refuses_surrogate_pairs() }
    }

    /// Whether the system has the code points of slots, by their `tdata`; `None` if it has all.
    fn of_slots<'m>(&self, m: &'m Builder, data: &[At<'m>]) -> Option<Vec<At<'m>>> {
        match &self.test {
            Test::None => None,
            Test::Logic(fits) => {
                let of_lane = |(lane, data): (usize, &At<'m>)| {
                    let fits = m.instance(&format!("slot_{lane}_fits"), fits).lane(lane);
                    At::new(data.registers(), fits.input("tdata", data.signal()).output("is_fit"), 0)
                };
                Some(data.iter().enumerate().map(of_lane).collect())
            }
            Test::Tables(set) => Some(are_in_set(m, *set, data)),
        }
    }
}

/// A module that says whether the system has a code point; `None` if it has all.
fn fits(shape: &dyn Shape, bits: u32) -> Option<Arc<Module>> {
    let m = Builder::new("code_point_fits", "Whether the system has a code point.");
    let data = m.input("tdata", bits, "code point");
    let tests = shape.tests(&m, data).into_iter().map(|(name, test)| test.named(&name));
    let tests: Vec<Signal> = tests.collect();
    let Fit { unfit, .. } = shape.looked_up(&m, &tests).map_or_else(|| shape.fit(&m, &tests), |(fit, _)| fit);
    for (range, name) in [(0..bits / 2, "unused_low_tdata"), (bits / 2..bits, "unused_high_tdata")] {
        data.bits(range).named(name).note("limits are round numbers");
    }
    m.output("is_fit", !unfit?, "the system has the code point");
    Some(m.built_trimmed())
}
