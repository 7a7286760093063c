//! A lane of an encoder: a slot on its way from the bus to the ring in which its units stand.
//!
//! The ring has a position for each unit of the longest sequence. Each unit stands in the position in which it goes out, by the low
//! bits of that. The bits above say which output beat it belongs to: they are those of the position behind the sequence, or one less
//! where a unit stands in front of a multiple of the ring's size.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::movement::load;
use super::places::places;
use super::plan::{Plan, Source, bits_for};
use super::ring::ring;
use super::shape::{Fit, Shape};
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
        self.m.stage(enable)
    }

    /// Registers that take `signal` from stage `from` to stage `to`.
    pub(super) fn delay(&self, name: &str, signal: Signal<'m>, from: u32, to: u32) -> Signal<'m> {
        (from + 1..=to).fold(signal, |signal, at| self.stage(at).data(&format!("{name}_{at}_reg"), signal))
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
    let (class, error) = class(&m, &lane, shape, plan);
    let written = written(&m, &lane, shape, plan, class, error);
    let places = places(&m, &lane, plan);
    ring(&m, &lane, shape, plan, &written, &places);
    m.built()
}

/// What the slot is by itself: what it writes as it stands, and unless that is for groups to say, whether it is an error.
fn class<'m>(
    m: &'m Builder,
    lane: &Lane<'m>,
    shape: &dyn Shape,
    plan: &Plan,
) -> (Written<'m>, Option<Signal<'m>>) {
    m.port_group("The slot");
    let data = m.input("slot_data", shape.slot_bits(), "its tdata");
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
    let code_bits = shape.code_bits().min(shape.slot_bits());
    let kinds = user.filter(|_| plan.has_groups()).map(|user| {
        let is_long = user.bits(1..SLOT_USER_BITS).all().named("is_head_or_limb");
        Kinds {
            is_limb: at_1("is_limb", valid & is_long & user.bit(0)),
            is_no_limb: at_1("is_no_limb", valid & !(is_long & user.bit(0))),
            is_head: at_1("is_head", valid & is_long & !user.bit(0)),
            is_many: at_1("is_many", data.bits(1..SLOT_DATA_BITS).any()).note("two limbs or more, in a head"),
            is_far: at_1("is_far", data.bits(plan.lane_bits() + 1..SLOT_DATA_BITS).any()),
        }
    });
    // Groups need a head's number in stage 1.
    let (data, code) = match plan.has_groups() {
        true => {
            let data = at_1("slot_data", data);
            (data, shape.stored(m, data.bits(0..code_bits)))
        }
        false => (data, at_1("code_point", shape.stored(m, data.bits(0..code_bits)))),
    };

    m.section("Stage 1: what the slot writes if it is a code point");
    let Fit { unfit, longer } = shape.fit(m, &tests);
    let is_always_fit = is_told.is_none() && unfit.is_none();
    let writes = unfit.map_or(is_code, |unfit| (is_code & !unfit).named("writes_code_point"));
    let at_class = |name: &str, signal| lane.delay(name, signal, 1, plan.class);
    let error = kinds.is_none().then(|| {
        let is_error = if is_always_fit { m.lit(1, 0) } else { kept & !writes };
        at_class("is_error", is_error)
    });
    match kinds {
        None => {
            m.port_group(format!("Stage {}", plan.class));
            let note = if plan.replaces { "the replacement is written" } else { "nothing is written" };
            m.output("is_error", error.expect("it is told"), &format!("{note} for the slot"));
        }
        Some(Kinds { is_limb, is_no_limb, is_head, is_many, is_far }) => {
            m.port_group("Stage 1");
            let opens = (is_head & is_many).named("is_long_head");
            m.output("number", data, "of limbs, if the slot is a head");
            m.output("number_is_far", is_far, "and that is more than any lane of the beat is away");
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
    (Written { code: lane.delay("code_point", code, 1, plan.class), longer }, error)
}

/// What kind of slot it is, in stage 1.
struct Kinds<'m> {
    is_limb: Signal<'m>,
    is_no_limb: Signal<'m>,
    is_head: Signal<'m>,
    is_many: Signal<'m>,
    is_far: Signal<'m>,
}

/// What the slot writes, as of stage `plan.written`: its code point, or the replacement.
fn written<'m>(
    m: &'m Builder,
    lane: &Lane<'m>,
    shape: &dyn Shape,
    plan: &Plan,
    Written { code, longer }: Written<'m>,
    error: Option<Signal<'m>>,
) -> Written<'m> {
    let before = plan.written - 1;
    let code = lane.delay("code_point", code, plan.class, before);
    let longer = longer
        .into_iter()
        .enumerate()
        .map(|(units, longer)| lane.delay(&format!("longer_than_{units}"), longer, plan.class, before));
    let mut longer: Vec<Signal> = longer.collect();
    let mut code = code;
    if plan.replaces {
        m.port_group(format!("Stage {before}"));
        let replaced = error
            .unwrap_or_else(|| m.input("replaced", 1, "the replacement is written in place of the slot"));
        m.section(format!("Stage {before}: what is written"));
        for longer in &mut longer[..plan.replacement_units] {
            *longer = *longer | replaced;
        }
        let (code_point, _) = shape.replacement();
        let bit = |index: u32| match code_point >> index & 1 {
            1 => code.bit(index) | replaced,
            _ => code.bit(index) & !replaced,
        };
        code = m.concat((0..code.width()).rev().map(bit));
    }
    let longer: Vec<Signal> = longer
        .into_iter()
        .enumerate()
        .map(|(units, longer)| longer.named(&format!("writes_more_than_{units}")))
        .collect();
    m.port_group(format!("Stage {}", plan.written));
    // The number of units, from how many it is more than.
    let bit = |bit: u32| {
        let runs = (1..=longer.len()).filter(|units| units >> bit & 1 == 1 && (units - 1) >> bit & 1 == 0);
        let run = |from: usize| {
            let to = (from..).find(|units| units >> bit & 1 == 0).expect("a run ends");
            longer.get(to - 1).map_or(longer[from - 1], |&behind| longer[from - 1] & !behind)
        };
        any_of(runs.map(run)).expect("some length has the bit")
    };
    let length = m.concat((0..bits_for(plan.most_units)).rev().map(bit));
    m.output("length", lane.delay("length", length, before, plan.written), "units that are written");
    let longer = longer
        .into_iter()
        .enumerate()
        .map(|(units, longer)| lane.delay(&format!("longer_than_{units}"), longer, before, plan.windows));
    Written { longer: longer.collect(), code: lane.delay("code_point", code, before, plan.windows) }
}
