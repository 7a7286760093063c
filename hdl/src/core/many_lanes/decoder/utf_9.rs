//! UTF-9, seed 003 §3: octets of the code point, most significant first, all but the last with the continuation bit.
//!
//! A sequence ends at the first nonet without that bit, well-formed or not, so a unit knows by itself whether it ends a slot. Of
//! the units before it as many matter as a code point has octets, and one bit more: whether its sequence began with a zero
//! octet, however long ago.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::front::Front;
use super::history::history;
use super::lanes::{connect_is_last, ends_without_unit, is_last, lanes};
use super::lookahead::{Carries, look_ahead};
use super::pipeline::{Pipeline, delay, delay_flag};
use super::places::Places;
use super::plan::{self, Build, Plan};
use super::scan;
use super::slot::{Kinds, Layout, SlotTag};
use crate::core::many_lanes::logic::{any_of, masked};
use crate::core::shared::code_points::above;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::ports::UnitsIn;
use crate::core::shared::tags::TagStyle;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Module, Signal};

/// The kinds of error there are.
const KINDS: [ErrorKind; 4] =
    [ErrorKind::Truncated, ErrorKind::Overlong, ErrorKind::Surrogate, ErrorKind::OutOfRange];

const NONET: u32 = 9;
const OCTET: u32 = 8;

/// The first octet of surrogates without its last three bits.
const SURROGATE_OCTET: u64 = 0xd8 >> 3;

/// The decoder up to the slots of its units.
pub(super) struct Utf9 {
    shape: Shape,
    layout: Layout,
    plan: Plan,
    lane: Arc<Module>,
}

/// What the lanes are made from.
#[derive(Clone, Copy)]
struct Shape {
    max: u32,
    drops: bool,
    /// Octets of the longest code point.
    octets: u32,
    code_bits: u32,
}

impl Utf9 {
    pub(super) fn new(max: u32, on_error: ErrorMode, lanes: usize, build: Build) -> Self {
        let drops = TagStyle::Codes(on_error).drops_errors();
        let code_bits = u32::BITS - max.leading_zeros();
        let shape = Shape { max, drops, octets: code_bits.div_ceil(OCTET), code_bits };
        let layout = Layout::new(code_bits, if drops { &[] } else { &KINDS }, false);
        let plan = Plan::new(lanes, build, shape.stages(lanes));
        let lane = lane(shape, &layout, &plan);
        Self { shape, layout, plan, lane }
    }
}

impl Shape {
    fn stages(self, lanes: usize) -> plan::Front {
        let history = plan::history(lanes);
        let class = history + 1;
        let window = class + 1;
        // What is wrong with a sequence is known once the bit for zero octets is, and only the slot needs it.
        let ready = if self.drops { window + 1 } else { (class + scan::stages(lanes)).max(window) + 1 };
        plan::Front { history, class, window, ends: window + 1, ready, places: lanes, farthest: lanes - 1 }
    }

    /// Whether an octet is too great for the first of the longest sequence.
    fn is_big(self, octet: Signal<'_>) -> Signal<'_> {
        let limit = u128::from(self.max >> (OCTET * (self.octets - 1)));
        above(octet, limit).expect("there are greater octets")
    }

    /// Bits of a code point in the nonet that stands so many nonets before the last.
    fn bits_before(self, back: u32) -> u32 {
        OCTET.min(self.code_bits - OCTET * back)
    }

    /// Bits of the nonets before a unit that matter to it, the nearest first: the continuation bit, and above it the octet.
    fn widths(self) -> Vec<u32> {
        (1..=self.octets).map(|back| if back < self.octets { NONET } else { 1 }).collect()
    }
}

/// Whether an octet is the first of a surrogate of two.
fn is_d8(octet: Signal<'_>) -> Signal<'_> {
    octet.bits(3..OCTET).is(SURROGATE_OCTET)
}

impl Front for Utf9 {
    fn stages(&self) -> plan::Front {
        self.shape.stages(self.plan.lanes)
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn most_gaps(&self, place: usize) -> usize {
        place
    }

    fn decode<'m>(&'m self, m: &'m Builder, input: &UnitsIn<'m>, pipeline: &Pipeline<'m>) -> Places<'m> {
        let Self { shape, plan, .. } = self;
        let stage = pipeline.stage();
        m.stage_section(1, "the beat");
        let valid = delay_flag(stage, "beat_valid", input.tvalid, 0, 1);
        let last = delay(stage, "last", input.tlast, 0, 1);
        let lanes = lanes(m, &self.lane, "nonet", input, pipeline);
        let outputs = |name: &str| lanes.iter().map(|lane| lane.output(name)).collect::<Vec<_>>();
        let before = history(m, input, &outputs("nonet_1"), &shape.widths(), plan.history, stage);

        m.stage_section(plan.history, "what the units before the beat are");
        let at_class = |back: usize, name: &str, signal| {
            delay(stage, &format!("before_{back}_{name}"), signal, plan.history, plan.class)
        };
        let continues: Vec<Signal> =
            (1..).zip(&before).map(|(back, unit)| at_class(back, "continues", unit.bit(0))).collect();
        let octets =
            || (1..).zip(&before[..before.len() - 1]).map(|(back, unit)| (back, unit.bits(1..NONET)));
        let is_zero: Vec<Signal> = match shape.drops {
            true => octets().map(|(back, octet)| at_class(back, "is_zero", !octet.any())).collect(),
            false => Vec::new(),
        };
        // Of those that stand as far before a lane as the first octet of the longest sequence.
        let first = shape.octets as usize - 1;
        let is_big: BTreeMap<usize, Signal> = octets()
            .filter(|(back, _)| back + plan.lanes > first)
            .map(|(back, octet)| (back, at_class(back, "is_big", shape.is_big(octet))))
            .collect();
        let is_d8 = at_class(1, "is_d8", is_d8(before[0].bits(1..NONET)));
        let at_slot = plan.sums;
        let octets_at_slot: Vec<Signal> = octets()
            .map(|(back, octet)| {
                let bits = shape.bits_before(back as u32);
                delay(stage, &format!("before_{back}_octet"), octet.bits(0..bits), plan.history, at_slot)
            })
            .collect();
        let ends_before = (!shape.drops).then(|| {
            connect_is_last(input, &lanes);
            ends_without_unit(stage, input, plan.class)
        });

        // The bit runs from a zero octet at the start of a sequence to that sequence's end.
        let last_at_class = delay(stage, "last", last, 1, plan.class);
        let valid_at_class = delay_flag(stage, "beat_valid", valid, 1, plan.class);
        let zeros = (!shape.drops).then(|| {
            let starts: Vec<Signal> = (0..plan.lanes)
                .map(|lane| match lane.checked_sub(1) {
                    None => !continues[0],
                    Some(before) => !lanes[before].output("continues_now"),
                })
                .enumerate()
                .map(|(lane, starts)| starts.named(&format!("starts_at_{lane}")))
                .collect();
            let is_valid = outputs("valid_now");
            let is_zero = outputs("is_zero_now");
            let sets = (0..plan.lanes).map(|lane| starts[lane] & is_valid[lane] & is_zero[lane]).collect();
            let hands_on = (0..plan.lanes).map(|lane| !starts[lane] | !is_valid[lane]).collect();
            let carries =
                Carries { sets, hands_on, invert: false, valid: valid_at_class, last: last_at_class };
            look_ahead(m, "zero_first", carries, plan.class, pipeline)
        });

        m.stage_section(at_slot, "the slots");
        let found = plan.class + scan::stages(plan.lanes);
        for (index, &lane) in lanes.iter().enumerate() {
            // Of the unit so many before this one.
            let of = |back: usize, port: &str, other: &[Signal<'m>]| match back.checked_sub(index + 1) {
                None => lanes[index - back].output(port),
                Some(further) => other[further],
            };
            let packed = |signals: Vec<Signal<'m>>| m.concat(signals.into_iter().rev());
            let continued = (1..=shape.octets as usize).map(|back| of(back, "continues_now", &continues));
            lane.input("continues_before", packed(continued.collect()));
            for back in 1..shape.octets as usize {
                let octet = of(back, "octet", &octets_at_slot);
                lane.input(&format!("octet_{back}"), octet.bits(0..shape.bits_before(back as u32)));
                if shape.drops {
                    lane.input(&format!("is_zero_{back}"), of(back, "is_zero_now", &is_zero));
                }
            }
            lane.input("is_d8_1", of(1, "is_d8_now", &[is_d8]));
            lane.input(
                &format!("is_big_{first}"),
                match first.checked_sub(index + 1) {
                    None => lanes[index - first].output("is_big_now"),
                    Some(further) => is_big[&(further + 1)],
                },
            );
            if let Some(ends_before) = ends_before {
                lane.input("ends_before", if index == 0 { ends_before } else { m.lit(1, 0) });
            }
            if let Some(zeros) = &zeros {
                let name = format!("zero_first_{index}");
                lane.input("zero_first", delay(stage, &name, zeros.behind[index], found, at_slot));
            }
        }
        m.stage_section(plan.ends, "which units end a slot");
        Places {
            first: None,
            ends: outputs("ends"),
            slots: outputs("slot"),
            last: delay(stage, "last", last_at_class, plan.class, plan.ends),
            valid: delay_flag(stage, "beat_valid", valid_at_class, plan.class, plan.ends),
        }
    }
}

/// The module of a lane.
fn lane(shape: Shape, layout: &Layout, plan: &Plan) -> Arc<Module> {
    let m = Builder::new("lane", "A nonet on its way from the bus to the slot that it ends.");
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group("The nonet");
    let nonet = m.input("nonet", NONET, "the nonet");
    let valid = m.input("nonet_valid", 1, "there is one");
    m.stage_section(1, "the nonet");
    let nonet = delay(stage, "nonet", nonet, 0, 1);
    let valid = delay(stage, "nonet_valid", valid, 0, 1);
    m.port_group("Stage 1");
    m.output(
        "nonet_1",
        m.concat([nonet.bits(0..OCTET), nonet.bit(OCTET)]),
        "the octet, and below it the continuation bit",
    );
    let is_last = (!shape.drops).then(|| is_last(&m, stage, plan.window));
    let nonet = delay(stage, "nonet", nonet, 1, plan.history);
    let valid = delay(stage, "nonet_valid", valid, 1, plan.class);

    m.stage_section(plan.history, "what the nonet is by itself");
    let octet = nonet.bits(0..OCTET);
    let at_class = |name: &str, signal| delay(stage, name, signal, plan.history, plan.class);
    let continues = at_class("continues", nonet.bit(OCTET));
    let is_zero = at_class("is_zero", !octet.any());
    let is_d8 = at_class("is_d8", is_d8(octet));
    let is_big = at_class("is_big", shape.is_big(octet));
    m.port_group(format!("Stage {}", plan.class));
    m.output("continues_now", continues, "the sequence goes on behind it");
    if !shape.drops {
        m.output("valid_now", valid, "there is one");
    }
    m.output("is_zero_now", is_zero, "its octet is zero");
    m.output("is_d8_now", is_d8, "its octet is D8 to DF");
    m.output("is_big_now", is_big, "too great for the first octet of the longest sequence");

    m.stage_section(plan.class, "how it stands to the nonets before it");
    let before = m.input("continues_before", shape.octets, "of nonets before it, the nearest in the low bit");
    let d8_before = m.input("is_d8_1", 1, "of the nonet before it");
    let big_before =
        m.input(&format!("is_big_{}", shape.octets - 1), 1, "of the first octet of the longest sequence");
    let behind: Vec<Signal> = (1..=shape.octets)
        .map(|octets| before.bits(0..octets).all().named(&format!("is_behind_{octets}")))
        .collect();
    let is_behind = |octets: u32| behind[octets as usize - 1];
    let surrogate = (is_behind(1) & !is_behind(2) & d8_before).named("is_surrogate");
    let too_great = is_behind(shape.octets) | (is_behind(shape.octets - 1) & big_before);
    let too_great =
        too_great.named("is_too_great").note("more octets than a code point has, or too great a first one");
    let overlong = shape.drops.then(|| {
        let begins_with_zero = |octets: u32| {
            let zero = m.input(&format!("is_zero_{octets}"), 1, "of a nonet before it");
            is_behind(octets) & !is_behind(octets + 1) & zero
        };
        any_of((1..shape.octets).map(begins_with_zero)).expect("a code point has octets").named("is_overlong")
    });
    let at_window = |name: &str, signal| delay(stage, name, signal, plan.class, plan.window);
    let masks: Vec<Signal> =
        (1..shape.octets).map(|octets| at_window(&format!("behind_{octets}"), is_behind(octets))).collect();
    let valid = at_window("nonet_valid", valid);
    let continues = at_window("continues", continues);
    let surrogate = at_window("surrogate", surrogate);
    let too_great = at_window("too_great", too_great);

    m.stage_section(plan.window, "whether it ends a slot");
    let at_ends = |name: &str, signal| delay(stage, name, signal, plan.window, plan.ends);
    let (ends, truncated) = match (is_last, overlong) {
        (Some(is_last), _) => {
            m.port_group(format!("Stage {}", plan.class));
            let ends_before = m.input("ends_before", 1, "the frame ends before the lane");
            let cut = at_window("cut_before", ends_before & is_behind(1));
            (valid & (!continues | is_last) | cut, Some(at_ends("truncated", continues | cut)))
        }
        (None, Some(overlong)) => {
            let wrong = at_window("overlong", overlong) | surrogate | too_great;
            (valid & !continues & !wrong, None)
        }
        (None, None) => unreachable!("errors are told or dropped"),
    };
    let ends = at_ends("ends", ends);
    m.port_group(format!("Stage {}", plan.ends));
    m.output("ends", ends, "the nonet ends a slot");

    m.stage_section(plan.sums, "the slot");
    let octet = delay(stage, "octet", octet, plan.history, plan.sums);
    m.port_group(format!("Stage {}", plan.sums));
    m.output("octet", octet, "the octet");
    let from_window = |name: &str, signal| delay(stage, name, signal, plan.window, plan.sums);
    let masks: Vec<Signal> =
        (1..).zip(masks).map(|(back, mask)| from_window(&format!("behind_{back}"), mask)).collect();
    let parts: Vec<Signal> = (1..)
        .zip(&masks)
        .map(|(back, &mask)| {
            masked(m.input(&format!("octet_{back}"), shape.bits_before(back), "of a nonet before it"), mask)
        })
        .collect();
    let code_point = m.concat(parts.iter().rev().copied().chain([octet]));
    let slot = match truncated {
        None => code_point,
        Some(truncated) => {
            let truncated = delay(stage, "truncated", truncated, plan.ends, plan.sums);
            let zero_first = m.input("zero_first", 1, "its sequence begins with a zero octet");
            let is_longer = masks[0];
            let overlong = (zero_first & is_longer).named("is_overlong");
            let surrogate = from_window("surrogate", surrogate);
            let error = truncated | overlong | surrogate | from_window("too_great", too_great);
            let error = error.named("is_error");
            let kinds = Kinds::new(&m, layout);
            let [cut, long, pair, range] = KINDS.map(|kind| kinds.code(kind));
            let kind = truncated.mux(cut, overlong.mux(long, surrogate.mux(pair, range)));
            let data = masked(code_point, !error) | masked(layout.error_data(&m, kind), error);
            layout.slot(&m, SlotTag { error: Some(error), part: None }, data)
        }
    };
    let slot = delay(stage, "slot", slot, plan.sums, plan.slots);
    m.port_group(format!("Stage {}", plan.slots));
    m.output("slot", slot, "the slot that the nonet ends");
    m.built()
}
