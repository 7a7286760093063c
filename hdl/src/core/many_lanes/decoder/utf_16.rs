//! UTF-16, The Unicode Standard, §3.9: a code point is a unit, or a pair of surrogates, the high one first.
//!
//! A low surrogate ends the slot of its pair. Without a high one before it, it is an error, and so is a high one that no low one
//! follows.
//!
//! Where units are octets, they are put together to [words](super::words) first, of which there are half as many. So the slot that comes
//! before those of a beat has room in its lanes, but in a decoder of two.

use std::sync::Arc;

use super::front::Front;
use super::history::history;
use super::lanes::{connect_is_last, ends_without_unit, is_last, lanes};
use super::pipeline::{Pipeline, delay, delay_flag};
use super::places::{First, Places};
use super::plan::{self, Build, Plan};
use super::slot::{Kinds, Layout, SlotTag};
use super::words::Words;
use crate::core::ByteOrder;
use crate::core::many_lanes::logic::masked;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::ports::UnitsIn;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Module, Signal};

/// Bits of a code point, and of a unit.
const CODE_BITS: u32 = 21;
const UNIT: u32 = 16;
/// Bits of a code point that each surrogate of a pair holds.
const SURROGATE_DATA: u32 = 10;
/// A high surrogate and a low one without these.
const HIGH: u64 = 0xd800 >> SURROGATE_DATA;
const LOW: u64 = 0xdc00 >> SURROGATE_DATA;
/// The most units that end no slot before one that does, where errors are told: a high surrogate.
const GAPS_TO_A_SLOT: usize = 1;

/// The decoder up to the slots of its units.
pub(super) struct Utf16 {
    /// What makes words of octets, where units are octets of a word.
    words: Option<Words>,
    /// The slot that comes before those of a beat is one of its places.
    first_is_place: bool,
    layout: Layout,
    stages: plan::Front,
    plan: Plan,
    lane: Arc<Module>,
}

impl Utf16 {
    /// The decoder of words, or of octets in some order.
    pub(super) fn new(order: Option<ByteOrder>, on_error: ErrorMode, lanes: usize, build: Build) -> Self {
        let drops = on_error == ErrorMode::Drop;
        let words = order.map(|order| Words::new(UNIT, order, !drops, lanes));
        let kinds: &[ErrorKind] = match words {
            _ if drops => &[],
            None => &[ErrorKind::Surrogate],
            Some(_) => &[ErrorKind::Truncated, ErrorKind::Surrogate],
        };
        let layout = Layout::new(CODE_BITS, kinds, false);
        let first_is_place = words.is_some() && !drops && lanes > 2;
        let units = words.as_ref().map_or(lanes, |words| words.places);
        let history = plan::history(units);
        let class = history + 1;
        let ends = class + 1;
        let (places, farthest) = match (drops, first_is_place) {
            (true, _) => (units, units - 1),
            (false, true) => (units + 1, most_gaps(units - 1) + 1),
            (false, false) => (units, most_gaps(units - 1) + 1),
        };
        let stages = plan::Front { history, class, window: class, ends, ready: ends, places, farthest };
        let plan = Plan::new(lanes, build, stages);
        let lane = lane(&layout, words.is_some(), &plan);
        Self { words, first_is_place, layout, stages, plan, lane }
    }
}

/// Of so many units one behind the other, how many end no slot at most, where errors are told.
fn most_gaps(units: usize) -> usize {
    units - units / (GAPS_TO_A_SLOT + 1)
}

/// Whether a unit is a high surrogate, and whether it is a low one.
fn surrogates(unit: Signal<'_>) -> [Signal<'_>; 2] {
    [HIGH, LOW].map(|marker| unit.bits(SURROGATE_DATA..UNIT).is(marker))
}

/// The upper bits of a pair's code point, from those of its high surrogate: the pair holds the code point less 10000.
fn upper<'m>(m: &'m Builder, high: Signal<'m>) -> Signal<'m> {
    let top = m.concat([m.lit(1, 0), high.bits(6..SURROGATE_DATA)]) + m.lit(5, 1);
    m.concat([top, high.bits(0..6)])
}

impl Front for Utf16 {
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
        match place.checked_sub(1) {
            Some(before) if self.first_is_place => most_gaps(before) + 1,
            _ if self.layout.has_errors() => most_gaps(place),
            _ => place,
        }
    }

    fn decode<'m>(&'m self, m: &'m Builder, input: &UnitsIn<'m>, pipeline: &Pipeline<'m>) -> Places<'m> {
        let Self { plan, layout, .. } = self;
        let stage = pipeline.stage();
        let words = self.words.as_ref().map(|words| words.beat(m, input, stage));
        let cut = words.as_ref().and_then(|words| words.cut.as_ref());
        let input = words.as_ref().map_or(input, |words| &words.beat);
        m.stage_section(1, "the beat");
        let valid = delay_flag(stage, "beat_valid", input.tvalid, 0, 1);
        let last = delay(stage, "last", input.tlast, 0, 1);
        let lanes = lanes(m, &self.lane, "unit", input, pipeline);
        for (lane, &is_cut) in lanes.iter().zip(cut.into_iter().flatten()) {
            lane.input("is_cut", is_cut);
        }
        let outputs = |name: &str| lanes.iter().map(|lane| lane.output(name)).collect::<Vec<_>>();
        let before = history(m, input, &outputs("unit_1"), &[UNIT], plan.history, stage)[0];

        m.stage_section(plan.history, "the unit before the beat");
        let [high, _] = surrogates(before);
        let before_is_high = delay(stage, "before_is_high", high, plan.history, plan.class);
        let before_upper = delay(stage, "before_upper", upper(m, before), plan.history, plan.sums);

        let first = layout.has_errors().then(|| {
            m.stage_section(plan.class, "whether it is a high surrogate that stays alone");
            connect_is_last(input, &lanes);
            let no_unit = ends_without_unit(stage, input, plan.class);
            let cut = before_is_high & (lanes[0].output("stops") | no_unit);
            let error = layout.error_data(m, Kinds::new(m, layout).code(ErrorKind::Surrogate));
            First {
                ends: delay(stage, "first_ends", cut, plan.class, plan.ends),
                slot: layout.slot(m, SlotTag { error: Some(m.lit(1, 1)), part: None }, error),
            }
        });
        for (index, &lane) in lanes.iter().enumerate() {
            let of_lane_before = |port: &str| index.checked_sub(1).map(|before| lanes[before].output(port));
            lane.input("is_high_1", of_lane_before("is_high").unwrap_or(before_is_high))
                .input("upper_1", of_lane_before("upper").unwrap_or(before_upper));
            if layout.has_errors() {
                let next = |name: &str| lanes.get(index + 1).map_or(m.lit(1, 0), |next| next.output(name));
                lane.input("next_stops", next("stops"));
            }
        }
        m.stage_section(plan.ends, "which units end a slot");
        let (mut ends, mut slots) = (outputs("ends"), outputs("slot"));
        let first = match first {
            Some(first) if self.first_is_place => {
                ends.insert(0, first.ends);
                slots.insert(0, first.slot);
                None
            }
            other => other,
        };
        Places {
            first,
            ends,
            slots,
            last: delay(stage, "last", last, 1, plan.ends),
            valid: delay_flag(stage, "beat_valid", valid, 1, plan.ends),
        }
    }
}

/// The module of a lane. Inputs from the lane before it end in `_1`, unless they are of stage 1.
fn lane(layout: &Layout, of_octets: bool, plan: &Plan) -> Arc<Module> {
    let m = Builder::new("lane", "A unit on its way from the bus to the slot that it ends.");
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group("The unit");
    let unit = m.input("unit", UNIT, "the unit");
    let valid = m.input("unit_valid", 1, "there is one");
    let cut = (of_octets && layout.has_errors())
        .then(|| m.input("is_cut", 1, "the end of the frame cuts it short"));
    m.stage_section(1, "the unit");
    let cut = cut.map(|cut| delay(stage, "is_cut", cut, 0, plan.history));
    let unit = delay(stage, "unit", unit, 0, 1);
    let valid = delay(stage, "unit_valid", valid, 0, 1);
    m.port_group("Stage 1");
    m.output("unit_1", unit, "the unit");
    let is_last = layout.has_errors().then(|| is_last(&m, stage, plan.class));
    let unit = delay(stage, "unit", unit, 1, plan.history);
    let valid = delay(stage, "unit_valid", valid, 1, plan.history);

    m.stage_section(plan.history, "what the unit is by itself");
    let at_class = |name: &str, signal| delay(stage, name, signal, plan.history, plan.class);
    let [high, low] = surrogates(unit);
    let whole = cut.map_or(valid, |cut| (valid & !cut).named("is_whole"));
    let (high, low) = ((whole & high).named("high"), (whole & low).named("low"));
    let cut = cut.map(|cut| at_class("is_cut", cut));
    let top = masked(unit.bits(SURROGATE_DATA..UNIT), !(high | low));
    let payload = at_class("payload", m.concat([top, unit.bits(0..SURROGATE_DATA)]));
    let upper = at_class("upper", upper(&m, unit));
    let is_high = at_class("is_high", high);
    let is_low = at_class("is_low", low);
    m.port_group(format!("Stage {}", plan.class));
    m.output("is_high", is_high, "it is a high surrogate");
    let high_before = m.input("is_high_1", 1, "of the unit before it");

    m.stage_section(plan.class, "whether it ends a slot");
    let pair = (is_low & high_before).named("is_pair");
    let at_ends = |name: &str, signal| delay(stage, name, signal, plan.class, plan.ends);
    let (ends, error) = match is_last {
        Some(is_last) => {
            let stops = at_class("stops", valid & !low);
            m.output("stops", stops, "it is no low surrogate");
            let next_stops = m.input("next_stops", 1, "of the unit behind it");
            let goes_on = is_high & !(next_stops | is_last);
            let ends = at_class("unit_valid", valid) & !goes_on.named("goes_on");
            let error = is_high | is_low & !high_before;
            (ends, Some(at_ends("error", cut.map_or(error, |cut| error | cut))))
        }
        None => (at_class("is_single", valid & !high & !low) | pair, None),
    };
    m.port_group(format!("Stage {}", plan.ends));
    m.output("ends", at_ends("ends", ends), "the unit ends a slot");

    m.stage_section(plan.sums, "the slot");
    let at_sums = |name: &str, signal, from| delay(stage, name, signal, from, plan.sums);
    m.port_group(format!("Stage {}", plan.sums));
    m.output("upper", at_sums("upper", upper, plan.class), "the upper bits of a pair that begins here");
    let upper_before = m.input("upper_1", CODE_BITS - SURROGATE_DATA, "of the unit before it");
    let above = masked(upper_before, at_sums("pair", pair, plan.class));
    let payload = at_sums("payload", payload, plan.class);
    let own_top = payload.bits(SURROGATE_DATA..UNIT).zext(above.width());
    let code_point = m.concat([above | own_top, payload.bits(0..SURROGATE_DATA)]);
    let slot = match error {
        Some(error) => {
            let error = at_sums("error", error, plan.ends);
            let kinds = Kinds::new(&m, layout);
            let surrogate = kinds.code(ErrorKind::Surrogate);
            let kind = cut.map_or(surrogate, |cut| {
                at_sums("is_cut", cut, plan.class).mux(kinds.code(ErrorKind::Truncated), surrogate)
            });
            let data = masked(code_point, !error) | masked(layout.error_data(&m, kind), error);
            layout.slot(&m, SlotTag { error: Some(error), part: None }, data)
        }
        None => code_point,
    };
    let slot = delay(stage, "slot", slot, plan.sums, plan.slots);
    m.port_group(format!("Stage {}", plan.slots));
    m.output("slot", slot, "the slot that the unit ends");
    m.built()
}
