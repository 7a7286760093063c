//! A lane: a unit from the bus to the slot that it ends, as a module.

use std::sync::Arc;

use super::shape::Shape;
use super::unit::Class;
use super::value::{Sources, value};
use super::window::{Near, Window};
use crate::core::many_lanes::decoder::pipeline::delay;
use crate::core::many_lanes::decoder::plan::Plan;
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::units::payload;
use crate::netlist::{Builder, Module, Signal, Stage};

/// How a unit's sequence ends, if it does: registers of the stage where that is known.
struct Ending<'m> {
    /// The unit ends a slot.
    ends: Signal<'m>,
    /// For n from 1 on: the slot is a sequence with n trailing units at least.
    whole: Vec<Signal<'m>>,
    /// If it ends a slot, that is an error; and what is wrong. Where errors are told.
    error: Option<(Signal<'m>, Signal<'m>)>,
}

/// The module. Inputs from lanes before it have the nearest lane in their low bits, or are named for how many lanes before it
/// they come from.
pub(super) fn lane(shape: &Shape, plan: &Plan, unit_module: &Arc<Module>) -> Arc<Module> {
    let m = Builder::new(
        "lane",
        "A unit on its way from the bus to the slot that it ends: what it is, how it stands to the units before it, \
         and whether the one behind it cuts its sequence short.",
    );
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group("The unit");
    let unit = m.input("unit", shape.leads.forms.unit_bits, "the unit");
    let unit_valid = m.input("unit_valid", 1, "there is one");

    m.section("Stage 1: the unit");
    let unit = delay(stage, "unit", unit, 0, 1);
    let valid = delay(stage, "unit_valid", unit_valid, 0, 1);
    if shape.has_sequences() {
        m.port_group("Stage 1");
        m.output("unit_1", unit, "the unit");
        m.output("unit_valid_1", valid, "there is one");
    }
    let is_last = shape.has_cuts().then(|| {
        let next_valid = m.input("next_unit_valid_1", 1, "there is a unit in the next lane");
        let frame_ends = m.input("frame_ends_1", 1, "the beat ends the frame");
        let is_last = (valid & !next_valid & frame_ends).named("is_last").note("no unit of the frame follows");
        delay(stage, "is_last", is_last, 1, plan.window)
    });
    let unit = delay(stage, "unit", unit, 1, plan.class - 1);
    let valid = delay(stage, "unit_valid", valid, 1, plan.class - 1);

    m.section(format!("Stage {}: what the unit is by itself", plan.class - 1));
    let class = Class::new(&m, "unit_class", unit_module, stage, unit, valid);
    let ending = match is_last {
        Some(is_last) => {
            let valid = delay(stage, "unit_valid", valid, plan.class - 1, plan.window - 1);
            with_cuts(&m, shape, plan, stage, class, valid, is_last)
        }
        None => without_cuts(&m, shape, plan, stage, class),
    };
    m.port_group(format!("Stage {}", plan.ends));
    m.output("ends", ending.ends, "the unit ends a slot");

    m.section(format!("Stage {}: the slot", plan.sums));
    let payload = payload(&m, &shape.leads, unit).map(|payload| {
        let payload = delay(stage, "payload", payload, plan.class - 1, plan.sums);
        if shape.has_sequences() {
            m.port_group(format!("Stage {}", plan.sums));
            m.output("bits", payload.bits(0..shape.bits_of_unit(1)), "of the code point: bits of a unit of a longer sequence");
        }
        payload
    });
    let later = |name: &str, signal| delay(stage, name, signal, plan.ends, plan.sums);
    let sources = Sources {
        payload,
        before: (1..=shape.longest)
            .map(|back| {
                let bits = shape.bits_of_unit(back);
                (bits > 0).then(|| m.input(&format!("bits_{back}"), bits, "of the unit so many lanes before"))
            })
            .collect(),
        whole: (1..).zip(ending.whole).map(|(back, is)| later(&format!("whole_{back}"), is)).collect(),
        error: ending.error.map(|(error, kind)| (later("error", error), later("kind", kind))),
    };
    let slot = delay(stage, "slot", value(&m, shape, &sources), plan.sums, plan.slots);
    m.port_group(format!("Stage {}", plan.slots));
    m.output("slot", slot, "the slot that the unit ends");
    m.built()
}

/// Where a unit can cut the sequence before it short, and that is told.
fn with_cuts<'m>(
    m: &'m Builder,
    shape: &Shape,
    plan: &Plan,
    stage: Stage<'m>,
    class: Class<'m>,
    valid: Signal<'m>,
    is_last: Signal<'m>,
) -> Ending<'m> {
    let wrong = shape.has_wrong_units().then(|| class.wrong());
    let single = delay(stage, "single", class.single(), plan.class, plan.window - 1);
    let wrong = wrong.map(|wrong| delay(stage, "wrong", wrong, plan.class, plan.window - 1));
    let lead = delay(stage, "lead", class.lead(), plan.class, plan.window - 1);
    let (trailing, window) = window(m, shape, plan, stage, class);
    let goes_on = window.goes_on().named("goes_on").note("the unit goes on with the sequence before it");
    let whole = window.whole();
    let stray = trailing & !goes_on;
    let wrong = wrong.map_or(stray, |wrong| wrong | stray).named("is_wrong").note("an error, whatever follows");
    let open = window.is_open().map_or(lead, |open| lead | open);
    let open = open.named("open").note("a sequence goes on behind the unit");
    let at_window = |name: &str, signal| delay(stage, name, signal, plan.window - 1, plan.window);
    let sure = at_window("sure", single | whole[0] | wrong).note("it ends a slot, whatever follows");
    let error = at_window("error", wrong | open);
    let stops = at_window("stops", valid & !goes_on);
    let trailing = at_window("trailing", trailing);
    let open = at_window("open", open);
    let whole = (1..).zip(whole).map(|(back, is)| at_window(&format!("whole_{back}"), is)).collect::<Vec<_>>();
    let kind = delay(stage, "kind", class.kind(), plan.class, plan.window);
    m.port_group(format!("Stage {}", plan.window));
    m.output("stops", stops, "it does not go on with the sequence before it");
    m.output("trailing", trailing, "it is a trailing unit");
    let next_stops = m.input("next_stops", 1, "of the unit behind it");
    let next_trailing = m.input("next_trailing", 1, "of the unit behind it");

    m.section(format!("Stage {}: whether it ends a slot", plan.window));
    let at_ends = |name: &str, signal| delay(stage, name, signal, plan.window, plan.ends);
    let cut = (open & (next_stops | is_last)).named("cut").note("its sequence is cut short behind it");
    let truncated = Kinds::new(m, &shape.layout).code(ErrorKind::Truncated);
    Ending {
        ends: at_ends("ends", sure | cut),
        whole: (1..).zip(whole).map(|(back, is)| at_ends(&format!("whole_{back}"), is)).collect(),
        error: Some((at_ends("error", error), at_ends("kind", (open & !next_trailing).mux(truncated, kind)))),
    }
}

/// Where a unit ends a slot, if it does, whatever follows: no sequence is cut short, or it is not told.
fn without_cuts<'m>(m: &'m Builder, shape: &Shape, plan: &Plan, stage: Stage<'m>, class: Class<'m>) -> Ending<'m> {
    let single = delay(stage, "single", class.single(), plan.class, plan.window - 1);
    let wrong = (shape.tells_errors() && shape.has_wrong_units()).then(|| class.wrong());
    let wrong = wrong.map(|wrong| delay(stage, "wrong", wrong, plan.class, plan.window - 1));
    let at_ends = |name: &str, signal| delay(stage, name, signal, plan.window - 1, plan.ends);
    if !shape.has_sequences() {
        let kind = wrong.map(|wrong| {
            (at_ends("error", wrong), delay(stage, "kind", class.kind(), plan.class, plan.ends))
        });
        let ends = wrong.map_or(single, |wrong| single | wrong);
        return Ending { ends: at_ends("ends", ends), whole: Vec::new(), error: kind };
    }
    let (_, window) = window(m, shape, plan, stage, class);
    let whole = window.whole();
    Ending {
        ends: at_ends("ends", single | whole[0]),
        whole: (1..).zip(whole).map(|(back, is)| at_ends(&format!("whole_{back}"), is)).collect(),
        error: None,
    }
}

/// How the unit stands to those before it; and whether it is a trailing unit.
fn window<'m>(
    m: &'m Builder,
    shape: &Shape,
    plan: &Plan,
    stage: Stage<'m>,
    class: Class<'m>,
) -> (Signal<'m>, Window<'m>) {
    m.section(format!("Stage {}: how it stands to the units before it", plan.class));
    let near_at = plan.window - 1;
    m.port_group(format!("Stage {}", plan.class));
    m.output("accepts", class.accepts(shape), "of a lead: the trailing units that it accepts");
    let accepts = m.input("accepts_1", shape.regions.len() as u32, "of the unit before it");
    let fits = (class.region(shape) & accepts).any().named("fits").note("a trailing unit that the lead before accepts");
    let fits = delay(stage, "fits", fits, plan.class, near_at);
    let trailing = delay(stage, "trailing", class.trailing(), plan.class, near_at);
    m.port_group(format!("Stage {near_at}"));
    let longest = shape.longest as u32;
    let before = |name: &str, width: u32, note: &str| -> Vec<Signal<'m>> {
        if width == 0 {
            return Vec::new();
        }
        let port = m.input(name, width, note);
        (0..width).map(|bit| port.bit(bit)).collect()
    };
    if longest > 1 {
        m.output("fits_now", fits, "a trailing unit that the lead before it accepts");
        for least in 2..=shape.longest {
            let longer = delay(stage, &format!("longer_{least}"), class.longer(least), plan.class, near_at);
            m.output(&format!("longer_{least}_now"), longer, "of a lead: so many trailing units at least");
        }
    }
    if longest > 2 {
        m.output("trailing_now", trailing, "a trailing unit");
    }
    let near = Near {
        trailing,
        fits: [fits].into_iter().chain(before("fits_before", longest - 1, "of units before it")).collect(),
        trailing_before: before("trailing_before", longest.saturating_sub(2), "of units before it"),
        asks: before("asks", longest - 1, "bit n: of the lead n + 2 units before: at least n + 2 trailing units"),
        asks_more: before("asks_more", longest - 1, "bit n: of the lead n + 1 units before: at least n + 2"),
    };
    (trailing, Window::new(&near))
}
