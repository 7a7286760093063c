//! A lane of an encoder: from a slot to the units of its sequence in a ring.
//!
//! ```text
//!  slot ──> tests ──> class, length ──> or replacement ──> units ──> ring ──> network
//!                                                            ^
//!                              end of the units ──> places ──┘
//! ```
//!
//! The ring has a position for each unit of the longest sequence, rounded up to a power of two. A unit is at the position in which it goes out,
//! modulo the ring's size. The bits above select the output beat: those of the position after the sequence, or one less for units in front of
//! a multiple of the ring's size.

use super::indexed::Indexed;
use super::limbs;
use super::movement::{pipeline, pipeline_of};
use super::places::{self, places};
use super::ring::{self, ring};
use super::shape::{Fit, Shape, some_bits};
use super::sizes::{Sizes, Source};
use super::surrogate_pairs;
use super::written::{Units, units};
use crate::core::lanes::{At, Heard, Lane, LaneModule, Told};
use crate::core::shared::error_kind::slot_labels;
use crate::core::shared::ports::{SLOT_DATA_BITS, SLOT_USER_BITS};
use crate::netlist::{Builder, Signal};

/// The ports of a lane.
pub(super) struct Ports {
    pub(super) slot: SlotPorts,
    pub(super) surrogates: Option<surrogate_pairs::Ports>,
    pub(super) limbs: Option<limbs::Ports>,
    pub(super) groups: Option<GroupPorts>,
    pub(super) refused: Option<RefusedPorts>,
    /// The replacement is written in place of the slot; for its number of units, and a stage later for the units. Where errors are replaced:
    /// the first of them where groups are followed.
    pub(super) replaced: Option<Heard>,
    pub(super) code_is_replaced: Option<Heard>,
    /// The number of units.
    pub(super) length: Told,
    /// Something is written of the slot; where the opening of a frame waits for that.
    pub(super) writes: Option<Told>,
    pub(super) places: places::Ports,
    pub(super) ring: Vec<ring::Ports>,
}

/// The ports that bring the slot.
pub(super) struct SlotPorts {
    /// `None` where nothing but the code point is read, which has been looked up.
    pub(super) data: Option<Heard>,
    /// What tables have for the code point, if it is looked up in front of the lanes.
    pub(super) found: Option<Heard>,
    /// The kind of the slot: `tuser`, or one bit for an error; `None` if no slot is an error.
    pub(super) kind: Option<Heard>,
    pub(super) valid: Heard,
}

/// The outputs of which groups are made.
pub(super) struct GroupPorts {
    pub(super) kept: Told,
    pub(super) is_limb: Told,
    pub(super) is_no_limb: Told,
    pub(super) opens: Told,
    pub(super) cuts: Told,
    pub(super) refused: Told,
    pub(super) number: Told,
    pub(super) number_is_far: Told,
    pub(super) number_is_high: Told,
}

/// The ports for the error of a slot where no groups are followed.
pub(super) struct RefusedPorts {
    /// The slot is a low surrogate that is refused.
    pub(super) ends_pair: Option<Heard>,
    /// The slot is an error.
    pub(super) is_error: Told,
}

/// The module of a lane.
pub(super) fn lane(shape: &dyn Shape, sizes: &Sizes) -> (LaneModule, Ports) {
    let (name, from) = match sizes.source {
        Source::Bus | Source::ShortBus => ("lane", "the bus"),
        Source::Half { .. } => ("encode_lane", "the decoding half"),
    };
    let m = Builder::new(name, format!("A slot on its way from {from} to its units."));
    LaneModule::of_slots(
        m,
        sizes.first,
        |m| {
            m.port_group("Which stages load");
            let enables: Vec<Signal> = pipeline(sizes).map(|enable| enable.input(m)).collect();
            pipeline_of(m, sizes.first, &enables)
        },
        |lane| ports(lane, shape, sizes),
    )
}

fn ports(lane: &Lane<'_>, shape: &dyn Shape, sizes: &Sizes) -> Ports {
    let class = class(lane, shape, sizes);
    let Class { slot, surrogates, groups, error, code, longer, limbs } = class;
    let (upper, longer, limbs) = match limbs {
        Some(limbs) => {
            let (upper, longer, ports) = limbs.joined(lane, shape, sizes, code, &longer);
            (Some(upper), longer, Some(ports))
        }
        None => (None, longer, None),
    };
    let (error, refused) = error.unzip();
    let Units { written, replaced, code_is_replaced, length, writes } =
        units(lane, shape, sizes, code, upper, longer, error);
    let (positions, places) = places(lane, sizes);
    let ring = ring(lane, shape, sizes, &written, &positions);
    Ports {
        slot,
        surrogates,
        limbs,
        groups,
        refused,
        replaced,
        code_is_replaced,
        length,
        writes,
        places,
        ring,
    }
}

/// The slot at the inputs of the lane.
struct Input<'m> {
    data: Option<At<'m>>,
    /// What tables have for its code point.
    found: Option<At<'m>>,
    /// The `tuser` of the slot, on the bus.
    user: Option<At<'m>>,
    /// The slot is an error, from a decoding half that has errors.
    error: Option<At<'m>>,
    valid: At<'m>,
}

impl<'m> Input<'m> {
    fn new(lane: &Lane<'m>, shape: &dyn Shape, sizes: &Sizes) -> (Self, SlotPorts) {
        let found_bits = shape.indexed().map(Indexed::found_bits);
        let data = (found_bits.is_none() || sizes.has_groups())
            .then(|| lane.hear("slot_data", sizes.source.slot_bits(), sizes.first, "its tdata"));
        let found = found_bits.map(|bits| {
            lane.hear("slot_found", bits, sizes.first, "what the tables have for its code point")
        });
        let user = (!sizes.source.is_half()).then(|| {
            let (user, heard) = lane.hear("slot_user", SLOT_USER_BITS, sizes.first, "its tuser");
            (user.map(|user| user.labels(&slot_labels())), heard)
        });
        let error = matches!(sizes.source, Source::Half { has_errors: true, .. })
            .then(|| lane.hear("slot_error", 1, sizes.first, "it is an error"));
        let ((data, of_data), (found, of_found)) = (data.unzip(), found.unzip());
        let ((user, of_user), (error, of_error)) = (user.unzip(), error.unzip());
        let (valid, of_valid) = lane.hear("slot_valid", 1, sizes.first, "there is one");
        let ports = SlotPorts { data: of_data, found: of_found, kind: of_user.or(of_error), valid: of_valid };
        (Self { data, found, user, error, valid }, ports)
    }

    /// The slot is a limb, and a head, in stage 1.
    fn limb_and_head(&self, kinds: Option<&Kinds<'m>>) -> Option<[At<'m>; 2]> {
        if let Some(kinds) = kinds {
            return Some([kinds.is_limb, kinds.is_head]);
        }
        let user = self.user?;
        let is_long = user.bits(1..SLOT_USER_BITS).map(Signal::all).named("is_head_or_limb");
        let is = |name: &str, is: At<'m>| (self.valid & is_long & is).next(name);
        Some([is("is_limb", user.bit(0)), is("is_head", !user.bit(0))])
    }
}

/// The class of the slot, in stage [`Sizes::class`].
struct Class<'m> {
    slot: SlotPorts,
    surrogates: Option<surrogate_pairs::Ports>,
    groups: Option<GroupPorts>,
    /// The units of its code point.
    code: At<'m>,
    longer: Vec<At<'m>>,
    /// Its role in code points of several limbs; `None` in systems without them.
    limbs: Option<limbs::LongSlot<'m>>,
    /// The slot is an error, in the stage in which that is decided; `None` where groups are followed.
    error: Option<(At<'m>, RefusedPorts)>,
}

/// Classifies the slot.
fn class<'m>(lane: &Lane<'m>, shape: &dyn Shape, sizes: &Sizes) -> Class<'m> {
    let m = lane.builder();
    let (input, slot) = Input::new(lane, shape, sizes);
    let Input { data, found, user, error, valid } = input;
    let tested = found.or(data).expect("a slot has a code point");
    let data = data.unwrap_or(tested);
    m.section("Input: what kind of slot it is, and tests of the code point");
    let tests = shape.tests(m, tested.signal()).into_iter();
    let tests: Vec<Signal> =
        tests.map(|(name, test)| lane.at(test, sizes.first).next(&name).signal()).collect();
    // A source without errors has code points only.
    let is_no_error = user.map(|user| !user.any()).or(error.map(|error| !error));
    let kept = valid.next("slot_valid");
    let is_code = is_no_error.map_or(kept, |is_code| (valid & is_code).next("is_code_point"));
    let surrogates = sizes.refuses_surrogate_pairs.then(|| surrogate_pairs::Marks::new(data));
    let code_bits = shape.code_bits().min(data.width());
    let kinds =
        user.filter(|_| sizes.has_groups()).map(|user| Kinds::new(data, code_bits, user, valid, sizes));
    let stored = |data: At<'m>| data.map(|data| shape.stored(m, data.bits(0..code_bits)));
    // Groups need a head's number in stage 1.
    let (number, code) = match sizes.has_groups() {
        true => {
            let data = data.next("slot_data");
            (data, (!shape.is_by_table()).then(|| stored(data)))
        }
        false => (data, (!shape.is_by_table()).then(|| stored(data).next("code_point"))),
    };
    let limbs = sizes.joins_limbs.then(|| input.limb_and_head(kinds.as_ref())).flatten();
    let limbs =
        limbs.zip(code).map(|(limb_and_head, code)| limbs::Marks::new(shape, [data, code], limb_and_head));

    m.stage_section(sizes.first + 1, "what the slot writes if it is a code point");
    let (Fit { unfit, longer }, found) = match shape.looked_up(m, &tests) {
        Some((fit, found)) => (fit, Some(found)),
        None => (shape.fit(m, &tests), None),
    };
    let found = found.map(|found| lane.at(found, sizes.first + 1));
    let code = code.or(found).expect("units are of the code point, or found by the tests");
    let code = code.map(|code| shape.hinted(m, code, &tests)).called("code_point");
    let is_always_fit = is_no_error.is_none() && unfit.is_none();
    let writes = unfit.map_or(is_code, |unfit| is_code.map(|is| (is & !unfit).named("writes_code_point")));
    let surrogates = surrogates.map(|surrogates| surrogates.output(lane, sizes, kept, writes));
    let limbs = limbs.map(|limbs| limbs.output(lane, sizes, kept));
    let (groups, error) = match &kinds {
        None => {
            let fits = limbs.as_ref().map_or(writes, |limbs| writes | limbs.of_code_point);
            let is_error = if is_always_fit { lane.at(m.lit(1, 0), sizes.decided()) } else { kept & !fits };
            (None, Some(refused(lane, is_error, sizes)))
        }
        Some(kinds) => (Some(kinds.output(lane, sizes, number, [kept, is_code, writes])), None),
    };
    let is_written = writes;
    let writes = writes.called("longer_than_0").at(sizes.class());
    let longer = (1..).zip(longer).map(|(units, longer)| {
        let name = format!("longer_than_{units}");
        match longer.map(|longer| lane.at(longer, sizes.first + 1).called(&name)) {
            // The next stage masks the length, where there is one.
            Some(longer) if sizes.has_groups() => (longer.at(sizes.class()) & writes).called(&name),
            Some(longer) => (longer & is_written).called(&name).at(sizes.class()),
            None => writes,
        }
    });
    let longer = [writes].into_iter().chain(longer).collect();
    Class { slot, surrogates, groups, code, longer, limbs, error }
}

/// Declares the error of a slot where no groups are followed. `is_error`: the slot alone is one.
fn refused<'m>(lane: &Lane<'m>, is_error: At<'m>, sizes: &Sizes) -> (At<'m>, RefusedPorts) {
    let is_error = is_error.called("is_error").at(sizes.decided());
    let (refused, ends_pair) = match sizes.refuses_surrogate_pairs {
        true => {
            let note = "the slot is a low surrogate that is refused";
            let (ends_pair, heard) = lane.hear("ends_pair", 1, sizes.decided(), note);
            ((is_error | ends_pair).named("is_refused"), Some(heard))
        }
        false => (is_error, None),
    };
    let note = if sizes.replaces { "the replacement is written" } else { "nothing is written" };
    let is_error = lane.tell("is_error", refused, &format!("{note} for the slot"));
    (refused, RefusedPorts { ends_pair, is_error })
}

/// The kind of the slot, in stage 1.
struct Kinds<'m> {
    is_limb: At<'m>,
    is_no_limb: At<'m>,
    is_head: At<'m>,
    /// Some bits of the low part of a number of limbs but the lowest are not zero.
    has_low: At<'m>,
    /// Some bits of the high part are not zero: a test for each few of them.
    has_high: Vec<At<'m>>,
}

impl<'m> Kinds<'m> {
    /// Looks at the `tdata` of a slot, in which a code point has `code_bits` bits.
    fn new(data: At<'m>, code_bits: u32, user: At<'m>, valid: At<'m>, sizes: &Sizes) -> Self {
        let low_bits = sizes.low_bits_of_limbs();
        let is_long = user.bits(1..SLOT_USER_BITS).map(Signal::all).named("is_head_or_limb");
        // The bits above a code point have a test anyway.
        let middle = code_bits.max(low_bits);
        let has_high = [low_bits..middle, middle..SLOT_DATA_BITS];
        let has_high = has_high.into_iter().flat_map(|bits| some_bits(data.signal(), bits));
        Self {
            is_limb: (valid & is_long & user.bit(0)).next("is_limb"),
            is_no_limb: (valid & !(is_long & user.bit(0))).next("is_no_limb"),
            is_head: (valid & is_long & !user.bit(0)).next("is_head"),
            has_low: data.bits(1..low_bits).any().next("has_low_bits").note("two limbs or more, in a head"),
            has_high: has_high
                .map(|(name, some)| data.map(|_| some).next(&format!("number_{name}")))
                .collect(),
        }
    }

    /// Declares the outputs of which groups are made. `number` is the `tdata` in stage 1.
    fn output(
        &self,
        lane: &Lane<'m>,
        sizes: &Sizes,
        number: At<'m>,
        [kept, is_code, writes]: [At<'m>; 3],
    ) -> GroupPorts {
        let Self { is_limb, is_no_limb, is_head, has_low, ref has_high } = *self;
        let is_high = At::any_of(has_high.iter().copied()).expect("a number has a high part");
        let is_high = is_high.named("number_has_high_part");
        let is_far = number.bits(sizes.lane_bits() + 1..sizes.low_bits_of_limbs()).any() | is_high;
        let opens = (is_head & (has_low | is_high)).named("is_long_head");
        let number_note = "and that is greater than the distance of any two lanes";
        GroupPorts {
            number: lane.tell("number", number, "of limbs, if the slot is a head"),
            number_is_far: lane.tell("number_is_far", is_far, number_note),
            number_is_high: lane.tell("number_is_high", is_high, "and its high part is not zero"),
            kept: lane.tell("is_kept", kept, "there is a slot"),
            is_limb: lane.tell("is_limb", is_limb, "a limb"),
            is_no_limb: lane.tell("is_no_limb", is_no_limb, "anything else"),
            opens: lane.tell("opens_group", opens, "the head of a group of limbs"),
            cuts: lane.tell(
                "cuts_group",
                is_code | is_head,
                "an open group is an error of its own before it",
            ),
            refused: lane.tell(
                "refused",
                kept & !(writes | is_limb | opens),
                "the replacement is written for it",
            ),
        }
    }
}
