//! Systems in which every unit, or every word of octets, is a code point or an error by itself: Latin-1, ASCII,
//! UCS-2 and UTF-32.
//!
//! Each of them ends a slot, so there are no gaps between slots, unless errors are dropped.

use std::sync::Arc;

use super::front::Front;
use super::lanes::lanes;
use super::pipeline::{Pipeline, delay, delay_flag};
use super::places::Places;
use super::plan::{self, Build, Plan};
use super::slot::{Kinds, Layout, SlotTag};
use super::words;
use crate::core::many_lanes::logic::{any_of, masked};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::ports::UnitsIn;
use crate::core::shared::single::{Single, Words};
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Module};

/// The decoder up to the slots of its units.
pub(super) struct Singles {
    /// What makes words of octets, where units are octets of a word.
    words: Option<words::Words>,
    layout: Layout,
    stages: plan::Front,
    plan: Plan,
    lane: Arc<Module>,
}

impl Singles {
    pub(super) fn new(of: Words, on_error: ErrorMode, lanes: usize, build: Build) -> Self {
        let drops = on_error == ErrorMode::Drop;
        let words = of.octets.map(|(order, _)| words::Words::new(of.bits, order, !drops, lanes));
        let of_octets = words.as_ref().map(|_| ErrorKind::Truncated);
        let told: Vec<ErrorKind> = of_octets.into_iter().chain(of.kinds()).collect();
        let layout = Layout::new(of.code_bits(), if drops { &[] } else { &told }, false);
        let has_faults = !told.is_empty();
        let places = words.as_ref().map_or(lanes, |words| words.places);
        let ends = if has_faults { 2 } else { 1 };
        let farthest = if drops && has_faults { places - 1 } else { 0 };
        let (class, window, ready) = (ends, ends, ends);
        let stages = plan::Front { history: 1, class, window, ends, ready, places, farthest };
        let plan = Plan::new(lanes, build, stages);
        let lane = lane(of, &layout, &plan);
        Self { words, layout, stages, plan, lane }
    }
}

impl Front for Singles {
    fn stages(&self) -> plan::Front {
        self.stages
    }

    fn stages_before(&self) -> u32 {
        self.words.as_ref().map_or(0, |words| words.latency)
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn most_gaps(&self, place: usize) -> usize {
        place.min(self.stages.farthest)
    }

    fn decode<'m>(&'m self, m: &'m Builder, input: &UnitsIn<'m>, pipeline: &Pipeline<'m>) -> Places<'m> {
        let Self { plan, .. } = self;
        let stage = pipeline.stage();
        let words = self.words.as_ref().map(|words| words.beat(m, input, stage));
        let cut = words.as_ref().and_then(|words| words.cut.as_ref());
        let input = words.as_ref().map_or(input, |words| &words.beat);
        m.stage_section(1, "the beat");
        let valid = delay_flag(stage, "beat_valid", input.tvalid, 0, plan.ends);
        let last = delay(stage, "last", input.tlast, 0, plan.ends);
        let lanes = lanes(m, &self.lane, "unit", input, pipeline);
        for (lane, &is_cut) in lanes.iter().zip(cut.into_iter().flatten()) {
            lane.input("is_cut", is_cut);
        }
        let outputs = |name: &str| lanes.iter().map(|lane| lane.output(name)).collect::<Vec<_>>();
        Places { first: None, ends: outputs("ends"), slots: outputs("slot"), last, valid }
    }
}

/// The module of a lane.
fn lane(of: Words, layout: &Layout, plan: &Plan) -> Arc<Module> {
    let m = Builder::new("lane", "A unit on its way from the bus to its slot.");
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group("The unit");
    let unit = m.input("unit", of.bits, "the unit");
    let valid = m.input("unit_valid", 1, "there is one");
    let cut = (of.octets.is_some() && layout.has_errors())
        .then(|| m.input("is_cut", 1, "the end of the frame cuts it short"));
    m.stage_section(1, "the unit");
    let unit = delay(stage, "unit", unit, 0, 1);
    let valid = delay(stage, "unit_valid", valid, 0, 1);

    m.stage_section(1, "what is wrong with the unit");
    let cut = cut.map(|cut| delay(stage, "is_cut", cut, 0, 1));
    let whole = cut.map_or(valid, |cut| (valid & !cut).named("is_whole"));
    let Single { code_point, faults } = of.single(unit, whole);
    let of_cut = cut.map(|cut| (ErrorKind::Truncated, cut));
    let faults: Vec<_> = of_cut.into_iter().chain(faults).collect();
    let wrong = any_of(faults.iter().map(|&(_, fault)| fault));
    let at_ends = |name: &str, signal| delay(stage, name, signal, 1, plan.ends);
    let code_point = at_ends("code_point", code_point);
    let ends = wrong.filter(|_| !layout.has_errors()).map_or(valid, |wrong| valid & !wrong);
    m.port_group(format!("Stage {}", plan.ends));
    m.output("ends", at_ends("ends", ends), "there is a slot");

    m.stage_section(plan.sums, "the slot");
    let at_sums = |name: &str, signal| delay(stage, name, signal, plan.ends, plan.sums);
    let code_point = at_sums("code_point", code_point);
    let slot = match wrong.filter(|_| layout.has_errors()) {
        Some(wrong) => {
            let kinds = Kinds::new(&m, layout);
            let error = at_sums("error", at_ends("error", wrong));
            let (last, others) = faults.split_last().expect("something is wrong");
            let kind = others
                .iter()
                .fold(kinds.code(last.0), |kind, &(other, fault)| fault.mux(kinds.code(other), kind));
            let kind = if kind.is_constant() { kind } else { at_sums("kind", at_ends("kind", kind)) };
            let data = masked(code_point, !error) | masked(layout.error_data(&m, kind), error);
            layout.slot(&m, SlotTag { error: Some(error), part: None }, data)
        }
        None => code_point,
    };
    let slot = delay(stage, "slot", slot, plan.sums, plan.slots);
    m.port_group(format!("Stage {}", plan.slots));
    m.output("slot", slot, "the slot of the unit");
    m.built()
}
