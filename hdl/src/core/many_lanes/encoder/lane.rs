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

use std::collections::BTreeMap;
use std::sync::Arc;

use super::limbs;
use super::movement::{delay, load};
use super::places::places;
use super::plan::{Plan, Source, bits_for};
use super::ring::ring;
use super::shape::{Fit, Shape};
use super::surrogate_pairs;
use crate::core::lanes::At;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::error_kind::slot_labels;
use crate::core::shared::ports::{SLOT_DATA_BITS, SLOT_USER_BITS};
use crate::netlist::{Builder, Module, Signal, Stage};

/// The registers of a lane, by stage.
pub(super) struct Lane<'m> {
    m: &'m Builder,
    windows: u32,
    flow: Signal<'m>,
    loads: BTreeMap<u32, Signal<'m>>,
    /// The registers of all stages.
    registers: Stage<'m>,
}

impl<'m> Lane<'m> {
    fn new(m: &'m Builder, plan: &Plan) -> Self {
        m.port_group("Which stages load");
        let loads: BTreeMap<u32, Signal> =
            (1..=plan.windows).map(|stage| (stage, m.input(&load(stage), 1, "the stage loads"))).collect();
        let flow = m.input("flow", 1, "the later stages load");
        let enables: Vec<Signal> = loads.values().copied().chain([flow]).collect();
        Self { m, windows: plan.windows, flow, loads, registers: m.pipeline(&enables) }
    }

    /// The stage, up to the windows, loads.
    pub(super) fn loads(&self, stage: u32) -> Signal<'m> {
        self.loads[&stage]
    }

    /// A signal that is valid in stage `stage`.
    pub(super) fn at(&self, signal: Signal<'m>, stage: u32) -> At<'m> {
        At::new(self.registers, signal, stage)
    }

    /// The registers of a stage.
    pub(super) fn stage(&self, stage: u32) -> Stage<'m> {
        let enable = if stage > self.windows { self.flow } else { self.loads[&stage] };
        self.m.stage(enable).at(stage)
    }

    /// Registers that take `signal` from stage `from` to stage `to`.
    pub(super) fn delay(&self, name: &str, signal: Signal<'m>, from: u32, to: u32) -> Signal<'m> {
        delay(|at| self.stage(at), name, signal, from, to)
    }
}

/// The units of a slot; `S` is a [`Signal`], or one with its stage.
pub(super) struct Written<S> {
    pub(super) code: S,
    /// `longer[n]`: the slot has more than `n` units.
    pub(super) longer: Vec<S>,
}

/// The module of a lane.
pub(super) fn lane(shape: &dyn Shape, plan: &Plan) -> Arc<Module> {
    let (name, from) = match plan.source {
        Source::Bus | Source::ShortBus => ("lane", "the bus"),
        Source::Half { .. } => ("encode_lane", "the decoding half"),
    };
    let m = Builder::new(name, format!("A slot on its way from {from} to its units."));
    let lane = Lane::new(&m, plan);
    let class = class(&m, &lane, shape, plan);
    let written = written(&m, &lane, shape, plan, class);
    let places = places(&m, &lane, plan);
    ring(&m, &lane, shape, plan, &written, &places);
    m.built()
}

/// The slot at the inputs of the lane.
struct Input<'m> {
    data: Signal<'m>,
    /// Its `tuser`, on the bus.
    user: Option<Signal<'m>>,
    /// It is an error, from a decoding half that has errors.
    error: Option<Signal<'m>>,
    valid: Signal<'m>,
}

impl<'m> Input<'m> {
    fn new(m: &'m Builder, plan: &Plan) -> Self {
        m.port_group("The slot");
        let data = m.input("slot_data", plan.source.slot_bits(), "its tdata");
        let user = (!plan.source.is_half())
            .then(|| m.input("slot_user", SLOT_USER_BITS, "its tuser").labels(&slot_labels()));
        let error = matches!(plan.source, Source::Half { has_errors: true, .. })
            .then(|| m.input("slot_error", 1, "it is an error"));
        Self { data, user, error, valid: m.input("slot_valid", 1, "there is one") }
    }

    /// The slot is a limb, and a head, in stage 1.
    fn limb_and_head(&self, lane: &Lane<'m>, kinds: Option<&Kinds<'m>>) -> Option<[Signal<'m>; 2]> {
        if let Some(kinds) = kinds {
            return Some([kinds.is_limb, kinds.is_head]);
        }
        let user = self.user?;
        let is_long = user.bits(1..SLOT_USER_BITS).all().named("is_head_or_limb");
        let is = |name: &str, is: Signal<'m>| lane.delay(name, self.valid & is_long & is, 0, 1);
        Some([is("is_limb", user.bit(0)), is("is_head", !user.bit(0))])
    }
}

/// Classifies the slot.
fn class<'m>(m: &'m Builder, lane: &Lane<'m>, shape: &dyn Shape, plan: &Plan) -> Class<'m> {
    let input = Input::new(m, plan);
    let Input { data, user, error, valid } = input;
    m.section("Input: what kind of slot it is, and tests of the code point");
    let at_1 = |name: &str, signal| lane.delay(name, signal, 0, 1);
    let tests = shape.tests(m, data).into_iter().map(|(name, test)| at_1(&name, test));
    let tests: Vec<Signal> = tests.collect();
    // A source without errors has code points only.
    let is_no_error = user.map(|user| !user.any()).or(error.map(|error| !error));
    let kept = at_1("slot_valid", valid);
    let is_code = is_no_error.map_or(kept, |is_code| at_1("is_code_point", valid & is_code));
    let surrogates = plan.refuses_surrogate_pairs.then(|| surrogate_pairs::Marks::new(lane, data));
    let kinds = user.filter(|_| plan.has_groups()).map(|user| Kinds::new(lane, data, user, valid, plan));
    let code_bits = shape.code_bits().min(data.width());
    // Groups need a head's number in stage 1.
    let (number, code) = match plan.has_groups() {
        true => {
            let data = at_1("slot_data", data);
            (data, shape.stored(m, data.bits(0..code_bits)))
        }
        false => (data, at_1("code_point", shape.stored(m, data.bits(0..code_bits)))),
    };
    let limbs = plan.joins_limbs.then(|| input.limb_and_head(lane, kinds.as_ref())).flatten();
    let limbs = limbs.map(|limb_and_head| limbs::Marks::new(lane, shape, [data, code], limb_and_head));

    m.stage_section(1, "what the slot writes if it is a code point");
    let Fit { unfit, longer } = shape.fit(m, &tests);
    let code = lane.at(shape.hinted(m, code, &tests), 1).called("code_point");
    let is_always_fit = is_no_error.is_none() && unfit.is_none();
    let writes = unfit.map_or(is_code, |unfit| (is_code & !unfit).named("writes_code_point"));
    m.port_group("Stage 1");
    if let Some(surrogates) = surrogates {
        surrogates.output(m, plan, kept, writes);
    }
    let of_limbs = limbs.as_ref().map(|limbs| limbs.output(m, plan, kept));
    let error = match &kinds {
        None => {
            let fits = of_limbs.map_or(writes, |of_limbs| writes | of_limbs);
            let is_error = if is_always_fit { m.lit(1, 0) } else { kept & !fits };
            Some(refused(m, lane.at(is_error, 1), plan))
        }
        Some(kinds) => {
            kinds.output(m, plan, number, [kept, is_code, writes]);
            None
        }
    };
    let is_written = writes;
    let writes = lane.at(writes, 1).called("longer_than_0").at(plan.class);
    let longer = (1..).zip(longer).map(|(units, longer)| {
        let name = format!("longer_than_{units}");
        match longer.map(|longer| lane.at(longer, 1).called(&name)) {
            // The next stage masks the length, where there is one.
            Some(longer) if plan.has_groups() => (longer.at(plan.class) & writes).called(&name),
            Some(longer) => (longer & lane.at(is_written, 1)).called(&name).at(plan.class),
            None => writes,
        }
    });
    let longer = [writes].into_iter().chain(longer).collect();
    Class { written: Written { code, longer }, limbs, error }
}

/// Declares the error of a slot where no groups are followed. `is_error`: the slot alone is one.
fn refused<'m>(m: &'m Builder, is_error: At<'m>, plan: &Plan) -> At<'m> {
    let is_error = is_error.called("is_error").at(plan.groups);
    m.port_group(format!("Stage {}", plan.groups));
    let refused = match plan.refuses_surrogate_pairs {
        true => {
            let ends_pair = m.input("ends_pair", 1, "the slot is a low surrogate that is refused");
            is_error.map(|is_error| (is_error | ends_pair).named("is_refused"))
        }
        false => is_error,
    };
    let note = if plan.replaces { "the replacement is written" } else { "nothing is written" };
    m.output("is_error", refused.signal(), &format!("{note} for the slot"));
    refused
}

/// The class of the slot, in stage `plan.class`.
struct Class<'m> {
    /// The units of its code point.
    written: Written<At<'m>>,
    /// Its role in code points of several limbs; `None` in systems without them.
    limbs: Option<limbs::Marks<'m>>,
    /// The slot is an error, in stage `plan.groups`; `None` where groups are followed.
    error: Option<At<'m>>,
}

/// The kind of the slot, in stage 1.
struct Kinds<'m> {
    is_limb: Signal<'m>,
    is_no_limb: Signal<'m>,
    is_head: Signal<'m>,
    /// Some bits of the `tdata` are not zero: those of the low part of a number of limbs but the lowest; the others of the lower half; those of
    /// the upper half. A test of all bits at once would be deeper than the other tests of the input.
    has_low: Signal<'m>,
    has_middle: Signal<'m>,
    has_upper: Signal<'m>,
}

impl<'m> Kinds<'m> {
    fn new(lane: &Lane<'m>, data: Signal<'m>, user: Signal<'m>, valid: Signal<'m>, plan: &Plan) -> Self {
        let at_1 = |name: &str, signal| lane.delay(name, signal, 0, 1);
        let low_bits = plan.low_bits_of_limbs();
        let is_long = user.bits(1..SLOT_USER_BITS).all().named("is_head_or_limb");
        let has_bits = |name: &str, from: u32, to: u32| at_1(name, data.bits(from..to).any());
        Self {
            is_limb: at_1("is_limb", valid & is_long & user.bit(0)),
            is_no_limb: at_1("is_no_limb", valid & !(is_long & user.bit(0))),
            is_head: at_1("is_head", valid & is_long & !user.bit(0)),
            has_low: has_bits("has_low_bits", 1, low_bits).note("two limbs or more, in a head"),
            has_middle: has_bits("has_middle_bits", low_bits, SLOT_DATA_BITS / 2),
            has_upper: has_bits("has_upper_bits", SLOT_DATA_BITS / 2, SLOT_DATA_BITS),
        }
    }

    /// Declares the outputs of which groups are made. `number` is the `tdata` in stage 1.
    fn output(
        &self,
        m: &'m Builder,
        plan: &Plan,
        number: Signal<'m>,
        [kept, is_code, writes]: [Signal<'m>; 3],
    ) {
        let Self { is_limb, is_no_limb, is_head, has_low, has_middle, has_upper } = *self;
        let is_high = (has_middle | has_upper).named("number_has_high_part");
        let is_far = number.bits(plan.lane_bits() + 1..plan.low_bits_of_limbs()).any() | is_high;
        let opens = (is_head & (has_low | is_high)).named("is_long_head");
        m.output("number", number, "of limbs, if the slot is a head");
        m.output("number_is_far", is_far, "and that is greater than the distance of any two lanes");
        m.output("number_is_high", is_high, "and its high part is not zero");
        m.output("is_kept", kept, "there is a slot");
        m.output("is_limb", is_limb, "a limb");
        m.output("is_no_limb", is_no_limb, "anything else");
        m.output("opens_group", opens, "the head of a group of limbs");
        m.output("cuts_group", is_code | is_head, "an open group is an error of its own before it");
        m.output("refused", kept & !(writes | is_limb | opens), "the replacement is written for it");
    }
}

/// The units of the slot, in stage `plan.windows`: those of its code point, or of the replacement.
fn written<'m>(
    m: &'m Builder,
    lane: &Lane<'m>,
    shape: &dyn Shape,
    plan: &Plan,
    Class { written: Written { code, longer }, limbs, error }: Class<'m>,
) -> Written<Signal<'m>> {
    let before = plan.written - 1;
    let (upper, longer) = match limbs {
        Some(limbs) => limbs.joined(m, lane, shape, plan, code, &longer),
        None => (None, longer),
    };
    let code = code.at(plan.written);
    let refused = error.filter(|_| !plan.replaces && plan.refuses_surrogate_pairs);
    let unless_refused = |(units, longer): (usize, At<'m>)| match refused {
        Some(refused) => (longer & !refused).named(&format!("writes_more_than_{units}")),
        None => longer,
    };
    let longer: Vec<At> = longer.into_iter().enumerate().map(unless_refused).collect();
    // Units are counted a stage early where one is left for that.
    let counted = if longer[0].stage() < before { before - 1 } else { before };
    let longer: Vec<At> = longer.into_iter().map(|longer| longer.at(counted)).collect();
    let length = lane.at(number(m, &signals(&longer), plan), counted).called("units").at(before);
    let mut longer: Vec<At> = longer.into_iter().map(|longer| longer.at(before)).collect();
    let mut length = length.signal();
    if plan.replaces {
        m.port_group(format!("Stage {before}"));
        let input = || m.input("replaced", 1, "the replacement is written in place of the slot");
        let replaced = error.map_or_else(input, At::signal);
        m.stage_section(before, "how much is written");
        for (units, longer) in longer[..plan.replacement_units].iter_mut().enumerate() {
            *longer = longer.map(|longer| longer | replaced).called(&format!("longer_than_{units}"));
        }
        // A slot that is replaced would write nothing, or, if it is a surrogate, as many units as the replacement.
        let bit = |bit: u32| match plan.replacement_units >> bit & 1 {
            1 => length.bit(bit) | replaced,
            _ => length.bit(bit),
        };
        length = m.concat((0..length.width()).rev().map(bit));
    }
    m.output("length", length, "units that are written");
    if plan.opening_waits() {
        m.output("writes", longer[0].signal(), "something is written of the slot");
    }
    let code = if plan.replaces { or_replacement(m, shape, plan, code) } else { code };
    let code = upper.map_or(code, |upper| At::concat([upper, code])).called("code_point");
    let code = match shape.has_offsets() {
        true => less_offset(m, shape, code, &longer, plan.written + 1),
        false => code,
    };
    let at_windows = |signal: &At<'m>| signal.at(plan.windows).signal();
    Written { longer: longer.iter().map(at_windows).collect(), code: at_windows(&code) }
}

/// The code point, or that of the replacement. The input is one stage later than the number of units, which other lanes wait for.
fn or_replacement<'m>(m: &'m Builder, shape: &dyn Shape, plan: &Plan, code: At<'m>) -> At<'m> {
    m.port_group(format!("Stage {}", plan.written));
    let replaced = m.input("code_is_replaced", 1, "the units are those of the replacement");
    m.stage_section(plan.written, "what is written");
    let (code_point, _) = shape.replacement();
    code.map(|code| {
        let bit = |index: u32| match u128::from(code_point) >> index & 1 {
            1 => code.bit(index) | replaced,
            _ => code.bit(index) & !replaced,
        };
        m.concat((0..code.width()).rev().map(bit))
    })
}

/// The code point less the offset of its length, in stage `at`.
fn less_offset<'m>(m: &'m Builder, shape: &dyn Shape, code: At<'m>, longer: &[At<'m>], at: u32) -> At<'m> {
    let longer: Vec<At> = longer.iter().map(|longer| longer.at(at)).collect();
    let code = code.at(at);
    m.stage_section(at, "what sequences hold of the code point");
    code.map(|code| shape.less_offset(m, code, &signals(&longer))).called("code_point")
}

/// The signals themselves, of a stage that they all are valid in.
pub(super) fn signals<'m>(all: &[At<'m>]) -> Vec<Signal<'m>> {
    all.iter().map(|signal| signal.signal()).collect()
}

/// The number of units: `longer[n]` is whether there are more than n.
fn number<'m>(m: &'m Builder, longer: &[Signal<'m>], plan: &Plan) -> Signal<'m> {
    let bit = |bit: u32| {
        let runs = (1..=longer.len()).filter(|units| units >> bit & 1 == 1 && (units - 1) >> bit & 1 == 0);
        let run = |from: usize| {
            let to = (from..).find(|units| units >> bit & 1 == 0).expect("a run ends");
            longer.get(to - 1).map_or(longer[from - 1], |&behind| longer[from - 1] & !behind)
        };
        any_of(runs.map(run)).expect("some length has the bit")
    };
    m.concat((0..bits_for(plan.most_units)).rev().map(bit))
}
