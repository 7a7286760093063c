//! UTF-18, seed 003 §4: pairs of nonets, the high one first.
//!
//! Which units are a pair depends on nothing but whether a high nonet stands before the beat. So there is a place for each pair
//! that a beat can hold, with a choice between two units for each of its nonets; slots stand without gaps, unless errors
//! are dropped.

use std::sync::Arc;

use super::front::Front;
use super::history::history;
use super::pipeline::{Pipeline, delay, delay_flag};
use super::places::Places;
use super::plan::{self, Build, Plan};
use super::slot::{Kinds, Layout, SlotTag};
use crate::core::many_lanes::logic::masked;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::ports::UnitsIn;
use crate::core::shared::tags::TagStyle;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, InstanceHandle, Module, Signal};

/// The kinds of error there are.
const KINDS: [ErrorKind; 2] = [ErrorKind::Truncated, ErrorKind::Surrogate];
/// Bits of a code point, and of a nonet.
const CODE_BITS: u32 = 20;
const NONET: u32 = 9;

/// The high nonet of surrogates, without its last two bits.
const HIGH_OF_SURROGATES: u64 = 0xd800 >> 11;

/// The decoder up to the slots of its pairs.
pub(super) struct Utf18 {
    layout: Layout,
    drops: bool,
    plan: Plan,
    pair: Arc<Module>,
}

impl Utf18 {
    pub(super) fn new(on_error: ErrorMode, lanes: usize, build: Build) -> Self {
        let drops = TagStyle::Codes(on_error).drops_errors();
        let layout = Layout::new(CODE_BITS, if drops { &[] } else { &KINDS }, false);
        let plan = Plan::new(lanes, build, stages(lanes, drops));
        let pair = pair(&layout, &plan);
        Self { layout, drops, plan, pair }
    }
}

fn stages(lanes: usize, drops: bool) -> plan::Front {
    let history = plan::history(lanes);
    let ends = history + 1;
    let places = lanes / 2 + 1;
    let farthest = if drops { places - 1 } else { 0 };
    plan::Front { history, class: ends, window: ends, ends, ready: ends, places, farthest }
}

impl Front for Utf18 {
    fn stages(&self) -> plan::Front {
        stages(self.plan.lanes, self.drops)
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn most_gaps(&self, place: usize) -> usize {
        if self.drops { place } else { 0 }
    }

    fn decode<'m>(&'m self, m: &'m Builder, input: &UnitsIn<'m>, pipeline: &Pipeline<'m>) -> Places<'m> {
        let Self { plan, .. } = self;
        let stage = pipeline.stage();
        let lanes = plan.lanes as u32;
        m.stage_section(1, "the beat");
        let valid = delay_flag(stage, "beat_valid", input.tvalid, 0, 1);
        let last = delay(stage, "last", input.tlast, 0, 1);
        let nonet = |lane: u32| input.tdata.bits(lane * NONET..(lane + 1) * NONET);
        let units: Vec<Signal> =
            (0..lanes).map(|lane| delay(stage, &format!("nonet_{lane}"), nonet(lane), 0, 1)).collect();
        let unit_valid: Vec<Signal> = (0..lanes)
            .map(|lane| delay(stage, &format!("nonet_valid_{lane}"), input.tkeep.bit(lane), 0, 1))
            .collect();
        let before = history(m, input, &units, &[NONET], plan.history, stage)[0];

        m.stage_section(plan.history - 1, "whether a high nonet stands before the beat");
        let odd = m.concat(unit_valid.iter().rev().copied()).parity();
        let at_history = |name: &str, signal| delay(stage, name, signal, 1, plan.history);
        let odd = at_history("odd", odd);
        let last = at_history("last", last);
        let valid = delay_flag(stage, "beat_valid", valid, 1, plan.history);
        let open = stage.state("open_reg", 1).note("a high nonet stands before the beat");
        stage.load(open, valid.mux((open.q ^ odd) & !last, open.q));
        let units: Vec<Signal> =
            (0..).zip(units).map(|(lane, unit)| at_history(&format!("nonet_{lane}"), unit)).collect();
        let unit_valid: Vec<Signal> = (0..)
            .zip(unit_valid)
            .map(|(lane, valid)| at_history(&format!("nonet_valid_{lane}"), valid))
            .collect();

        m.stage_section(plan.history, "the pairs");
        let unit = |at: Option<u32>| match at {
            None => (before, open.q),
            Some(at) if at < lanes => (units[at as usize], unit_valid[at as usize]),
            Some(_) => (m.lit(NONET, 0), m.lit(1, 0)),
        };
        let pairs: Vec<InstanceHandle> = (0..=lanes / 2)
            .map(|place| {
                let pair = m
                    .instance(&format!("pair_{place}"), &self.pair)
                    .lane(2 * place as usize)
                    .input("advance", pipeline.stage_at(place as usize).enable);
                let of = [(2 * place).checked_sub(1), Some(2 * place), Some(2 * place + 1)].map(unit);
                for (name, (nonet, valid)) in ["first", "second", "third"].into_iter().zip(of) {
                    pair.input(name, nonet).input(&format!("{name}_valid"), valid);
                }
                if !self.drops {
                    pair.input("frame_ends", last);
                }
                pair.input("begins_with_first", open.q)
            })
            .collect();
        let outputs = |name: &str| pairs.iter().map(|pair| pair.output(name)).collect::<Vec<_>>();
        Places {
            first: None,
            ends: outputs("ends"),
            slots: outputs("slot"),
            last: delay(stage, "last", last, plan.history, plan.ends),
            valid: delay_flag(stage, "beat_valid", valid, plan.history, plan.ends),
        }
    }
}

/// The module of a pair.
fn pair(layout: &Layout, plan: &Plan) -> Arc<Module> {
    let m = Builder::new("pair", "A pair of nonets, of three that stand one behind the other, and its slot.");
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group(format!("Stage {}", plan.history));
    let inputs = ["first", "second", "third"]
        .map(|name| (m.input(name, NONET, "a nonet"), m.input(&format!("{name}_valid"), 1, "there is one")));
    let begins_with_first = m.input("begins_with_first", 1, "the pair is the first two, not the last two");
    let [first, second, third] = inputs;
    m.stage_section(plan.history, "the pair");
    let at_ends = |name: &str, signal| delay(stage, name, signal, plan.history, plan.ends);
    let high_valid = begins_with_first.mux(first.1, second.1).named("high_valid");
    let low_valid = begins_with_first.mux(second.1, third.1).named("low_valid");
    let high = at_ends("high", begins_with_first.mux(first.0, second.0));
    let low = at_ends("low", begins_with_first.mux(second.0, third.0));
    let whole = high_valid & low_valid;
    let (ends, truncated) = if layout.has_errors() {
        let frame_ends = m.input("frame_ends", 1, "the beat ends the frame");
        let ends = at_ends("is_pair", high_valid & (low_valid | frame_ends));
        (ends, Some(at_ends("is_truncated", !low_valid)))
    } else {
        (at_ends("is_pair", whole), None)
    };

    m.stage_section(plan.ends, "the slot");
    let surrogate = high.bits(2..NONET).is(HIGH_OF_SURROGATES).named("is_surrogate");
    let plane_14 =
        high.bits(7..NONET).all().named("plane_14").note("values from 30000 on are U+E0000 and up");
    let above = m.concat([plane_14, plane_14, high.bit(8), high.bit(7) & !plane_14, high.bits(0..7)]);
    let code_point = m.concat([above, low]);
    m.port_group(format!("Stage {}", plan.ends));
    let slot = match truncated {
        Some(truncated) => {
            m.output("ends", ends, "there is a slot");
            let kinds = Kinds::new(&m, layout);
            let kind = truncated.mux(kinds.code(ErrorKind::Truncated), kinds.code(ErrorKind::Surrogate));
            let error = (truncated | surrogate).named("is_error");
            let data = masked(code_point, !error) | masked(layout.error_data(&m, kind), error);
            layout.slot(&m, SlotTag { error: Some(error), part: None }, data)
        }
        None => {
            m.output("ends", ends & !surrogate, "there is a slot");
            code_point
        }
    };
    let slot = delay(stage, "slot", slot, plan.ends, plan.slots);
    m.port_group(format!("Stage {}", plan.slots));
    m.output("slot", slot, "the slot of the pair");
    m.built()
}
