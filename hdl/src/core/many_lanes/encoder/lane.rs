//! A lane of an encoder: a slot on its way from the bus to the ring in which its units stand.
//!
//! The ring has a position for each unit of the longest sequence. Each unit stands in the position in which it goes out, by the low
//! bits of that. The bits above say which output beat it belongs to: they are those of the position behind the sequence, or one less
//! where a unit stands in front of a multiple of the ring's size.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::limbs;
use super::movement::{delay, load};
use super::places::places;
use super::plan::{Plan, Source, bits_for};
use super::ring::ring;
use super::shape::{Fit, Shape};
use super::surrogate_pairs;
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
}

impl<'m> Lane<'m> {
    fn new(m: &'m Builder, plan: &Plan) -> Self {
        m.port_group("Which stages load");
        let loads =
            (1..=plan.windows).map(|stage| (stage, m.input(&load(stage), 1, "the stage loads"))).collect();
        let flow = m.input("flow", 1, "the stages behind those load");
        Self { m, windows: plan.windows, flow, loads }
    }

    /// The stage, up to the windows, loads.
    pub(super) fn loads(&self, stage: u32) -> Signal<'m> {
        self.loads[&stage]
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

/// What a slot writes.
pub(super) struct Written<'m> {
    pub(super) code: Signal<'m>,
    /// More units than so many.
    pub(super) longer: Vec<Signal<'m>>,
}

/// The module of a lane.
pub(super) fn lane(shape: &dyn Shape, plan: &Plan) -> Arc<Module> {
    let (name, from) = match plan.source {
        Source::Bus => ("lane", "the bus"),
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

/// Finds out what the slot is by itself.
fn class<'m>(m: &'m Builder, lane: &Lane<'m>, shape: &dyn Shape, plan: &Plan) -> Class<'m> {
    m.port_group("The slot");
    let data = m.input("slot_data", plan.source.slot_bits(), "its tdata");
    let user = (plan.source == Source::Bus)
        .then(|| m.input("slot_user", SLOT_USER_BITS, "its tuser").labels(&slot_labels()));
    let error = matches!(plan.source, Source::Half { has_errors: true, .. })
        .then(|| m.input("slot_error", 1, "it is an error"));
    let valid = m.input("slot_valid", 1, "there is one");

    m.section("Input: what kind of slot it is, and tests of the code point");
    let at_1 = |name: &str, signal| lane.delay(name, signal, 0, 1);
    let tests = shape.tests(m, data).into_iter().map(|(name, test)| at_1(&name, test));
    let tests: Vec<Signal> = tests.collect();
    // Where no slot is an error, every one is a code point.
    let is_told = user.map(|user| !user.any()).or(error.map(|error| !error));
    let kept = lane.delay("slot_valid", valid, 0, 1);
    let is_code = is_told.map_or(kept, |is_code| at_1("is_code_point", valid & is_code));
    let surrogates = plan.refuses_surrogate_pairs.then(|| surrogate_pairs::Marks::new(lane, data));
    let code_bits = shape.code_bits().min(data.width());
    let low_bits = plan.low_bits_of_limbs();
    let kinds = user.filter(|_| plan.has_groups()).map(|user| {
        let is_long = user.bits(1..SLOT_USER_BITS).all().named("is_head_or_limb");
        let has_bits = |name: &str, from: u32, to: u32| at_1(name, data.bits(from..to).any());
        Kinds {
            is_limb: at_1("is_limb", valid & is_long & user.bit(0)),
            is_no_limb: at_1("is_no_limb", valid & !(is_long & user.bit(0))),
            is_head: at_1("is_head", valid & is_long & !user.bit(0)),
            has_low: has_bits("has_low_bits", 1, low_bits).note("two limbs or more, in a head"),
            has_middle: has_bits("has_middle_bits", low_bits, SLOT_DATA_BITS / 2),
            has_upper: has_bits("has_upper_bits", SLOT_DATA_BITS / 2, SLOT_DATA_BITS),
        }
    });
    let in_front = data;
    // Groups need a head's number in stage 1.
    let (data, code) = match plan.has_groups() {
        true => {
            let data = at_1("slot_data", data);
            (data, shape.stored(m, data.bits(0..code_bits)))
        }
        false => (data, at_1("code_point", shape.stored(m, data.bits(0..code_bits)))),
    };

    let limbs = user.filter(|_| plan.joins_limbs).map(|user| {
        let is_limb_and_head = match &kinds {
            Some(kinds) => [kinds.is_limb, kinds.is_head],
            None => {
                let is_long = user.bits(1..SLOT_USER_BITS).all().named("is_head_or_limb");
                let is = |name: &str, is: Signal<'m>| at_1(name, valid & is_long & is);
                [is("is_limb", user.bit(0)), is("is_head", !user.bit(0))]
            }
        };
        limbs::Marks::new(lane, shape, [in_front, code], is_limb_and_head)
    });

    m.stage_section(1, "what the slot writes if it is a code point");
    let Fit { unfit, longer } = shape.fit(m, &tests);
    let code = shape.hinted(m, code, &tests);
    let is_always_fit = is_told.is_none() && unfit.is_none();
    let writes = unfit.map_or(is_code, |unfit| (is_code & !unfit).named("writes_code_point"));
    let at_class = |name: &str, signal| lane.delay(name, signal, 1, plan.class);
    if let Some(surrogates) = surrogates {
        m.port_group("Stage 1");
        surrogates.output(m, plan, kept, writes);
    }
    let of_limbs = limbs.as_ref().map(|limbs| {
        m.port_group("Stage 1");
        limbs.output(m, plan, kept)
    });
    let error = kinds.is_none().then(|| {
        let fits = of_limbs.map_or(writes, |of_limbs| writes | of_limbs);
        let is_error = if is_always_fit { m.lit(1, 0) } else { kept & !fits };
        let is_error = lane.delay("is_error", is_error, 1, plan.groups);
        let ends_pair = plan.refuses_surrogate_pairs.then(|| {
            m.port_group(format!("Stage {}", plan.groups));
            m.input("ends_pair", 1, "the slot is a low surrogate that is refused")
        });
        ends_pair.map_or(is_error, |ends_pair| (is_error | ends_pair).named("is_refused"))
    });
    match kinds {
        None => {
            m.port_group(format!("Stage {}", plan.groups));
            let note = if plan.replaces { "the replacement is written" } else { "nothing is written" };
            m.output("is_error", error.expect("it is told"), &format!("{note} for the slot"));
        }
        Some(Kinds { is_limb, is_no_limb, is_head, has_low, has_middle, has_upper }) => {
            m.port_group("Stage 1");
            let is_high = (has_middle | has_upper).named("number_has_high_part");
            let is_far = data.bits(plan.lane_bits() + 1..low_bits).any() | is_high;
            let opens = (is_head & (has_low | is_high)).named("is_long_head");
            m.output("number", data, "of limbs, if the slot is a head");
            m.output("number_is_far", is_far, "and that is more than any lane of the beat is away");
            m.output("number_is_high", is_high, "and its high part is not zero");
            m.output("is_kept", kept, "there is a slot");
            m.output("is_limb", is_limb, "a limb");
            m.output("is_no_limb", is_no_limb, "anything else");
            m.output("opens_group", opens, "the head of a group of limbs");
            m.output("cuts_group", is_code | is_head, "an open group is an error of its own before it");
            m.output("refused", kept & !(writes | is_limb | opens), "the replacement is written for it");
        }
    }
    let writes_at_class = at_class("longer_than_0", writes);
    let longer = (1..).zip(longer).map(|(units, longer)| {
        let name = format!("longer_than_{units}");
        match longer {
            // Where more stages follow, the next one says whether anything is written.
            Some(longer) if plan.has_groups() => at_class(&name, longer) & writes_at_class,
            Some(longer) => at_class(&name, longer & writes),
            None => at_class(&name, writes),
        }
    });
    let longer = [writes_at_class].into_iter().chain(longer).collect();
    Class { written: Written { code: lane.delay("code_point", code, 1, plan.class), longer }, limbs, error }
}

/// What the slot is by itself, as of stage `plan.class`.
struct Class<'m> {
    /// What it writes as it stands.
    written: Written<'m>,
    /// What it is to code points of several limbs, if there are any.
    limbs: Option<limbs::Marks<'m>>,
    /// Whether it is an error, as of stage `plan.groups`, unless that is for groups to say.
    error: Option<Signal<'m>>,
}

/// What kind of slot it is, in stage 1.
struct Kinds<'m> {
    is_limb: Signal<'m>,
    is_no_limb: Signal<'m>,
    is_head: Signal<'m>,
    /// Of its `tdata`, some bits are not zero: those of the low part of a number of limbs but the lowest, others of the lower half, and
    /// those of the upper half. Tests of all bits would take more levels of LUTs than others of the input.
    has_low: Signal<'m>,
    has_middle: Signal<'m>,
    has_upper: Signal<'m>,
}

/// What the slot writes, as of stage `plan.windows`: its code point, or the replacement.
fn written<'m>(
    m: &'m Builder,
    lane: &Lane<'m>,
    shape: &dyn Shape,
    plan: &Plan,
    Class { written: Written { code, longer }, limbs, error }: Class<'m>,
) -> Written<'m> {
    let before = plan.written - 1;
    let delay_all = |longer: Vec<Signal<'m>>, from: u32, to: u32| -> Vec<Signal<'m>> {
        let delay = |(units, longer)| lane.delay(&format!("longer_than_{units}"), longer, from, to);
        longer.into_iter().enumerate().map(delay).collect()
    };
    let (upper, longer, mut code, from) = match limbs {
        Some(limbs) => {
            let at_heads = lane.delay("code_point", code, plan.class, plan.heads);
            let (upper, longer) = limbs.joined(m, lane, shape, plan, [code, at_heads], &longer);
            let upper = lane.delay("upper", upper, plan.groups, plan.written);
            (Some(upper), longer, lane.delay("code_point", at_heads, plan.heads, plan.written), plan.groups)
        }
        None => (None, longer, lane.delay("code_point", code, plan.class, plan.written), plan.class),
    };
    let refused = error.filter(|_| !plan.replaces && plan.refuses_surrogate_pairs);
    let (mut longer, mut length) = match before > from && refused.is_none() {
        true => {
            let longer = delay_all(longer, from, before - 1);
            let length = lane.delay("units", number(m, &longer, plan), before - 1, before);
            (delay_all(longer, before - 1, before), length)
        }
        false => {
            let mut longer = delay_all(longer, from, before);
            if let Some(refused) = refused {
                for (units, longer) in longer.iter_mut().enumerate() {
                    *longer = (*longer & !refused).named(&format!("writes_more_than_{units}"));
                }
            }
            let length = number(m, &longer, plan);
            (longer, length)
        }
    };
    if plan.replaces {
        m.port_group(format!("Stage {before}"));
        let replaced = error
            .unwrap_or_else(|| m.input("replaced", 1, "the replacement is written in place of the slot"));
        m.stage_section(before, "how much is written");
        for longer in &mut longer[..plan.replacement_units] {
            *longer = *longer | replaced;
        }
        // By itself, a slot that is replaced writes nothing, or if it is a surrogate as many units.
        let bit = |bit: u32| match plan.replacement_units >> bit & 1 {
            1 => length.bit(bit) | replaced,
            _ => length.bit(bit),
        };
        length = m.concat((0..length.width()).rev().map(bit));
    }
    m.output("length", length, "units that are written");
    if plan.opening_waits() {
        m.output("writes", longer[0], "something is written of the slot");
    }
    if plan.replaces {
        m.port_group(format!("Stage {}", plan.written));
        // One stage later than the number of units, which is waited for.
        let replaced = m.input("code_is_replaced", 1, "those are of the replacement");
        m.stage_section(plan.written, "what is written");
        let (code_point, _) = shape.replacement();
        let bit = |index: u32| match u128::from(code_point) >> index & 1 {
            1 => code.bit(index) | replaced,
            _ => code.bit(index) & !replaced,
        };
        code = m.concat((0..code.width()).rev().map(bit));
    }
    let mut code = upper.map_or(code, |upper| m.concat([upper, code]));
    let mut longer = delay_all(longer, before, plan.written);
    let mut at = plan.written;
    if shape.has_offsets() {
        longer = delay_all(longer, at, at + 1);
        code = lane.delay("code_point", code, at, at + 1);
        at += 1;
        m.stage_section(at, "what sequences hold of the code point");
        code = shape.less_offset(m, code, &longer);
    }
    Written {
        longer: delay_all(longer, at, plan.windows),
        code: lane.delay("code_point", code, at, plan.windows),
    }
}

/// The number of units, from how many it is more than.
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
