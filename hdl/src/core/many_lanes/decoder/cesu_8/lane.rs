//! A lane: an octet from the bus to the slot that it ends, as a module. Inputs that end in a number are of the octet so many before it,
//! unless they are of stage 1.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::link::{self, ClassOf};
use super::unit::{self, OCTET};
use super::{Shape, Stages};
use crate::core::many_lanes::decoder::lanes::is_last;
use crate::core::many_lanes::decoder::pipeline::delay;
use crate::core::many_lanes::decoder::plan::Plan;
use crate::core::many_lanes::decoder::slot::{Kinds, SlotTag};
use crate::core::many_lanes::logic::{any_of, masked};
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::{Builder, InstanceHandle, Module, Signal, Stage};

/// Bits of the code point in a trailing octet.
const TRAILING: u32 = 6;
/// For each octet before one that ends a slot, the nearest first: how many of its bits can be in the slot. The second octets of
/// surrogates hold four, and so does the lead of three octets.
pub(super) const BITS: [u32; 4] = [TRAILING, 4, TRAILING, 4];

/// What a lane asks of the octets before it: how far before, and which output of their class.
pub(super) fn classes_asked_for(shape: &Shape) -> Vec<(usize, &'static str)> {
    let mut all = vec![
        (1, "trailing"),
        (1, "lead"),
        (1, "lead_e0"),
        (1, "lead_ed"),
        (1, "high"),
        (1, "low"),
        (2, "lead_ed"),
        (2, "high"),
        (3, "lead_ed"),
    ];
    all.extend(shape.nul_is_pair.then_some((1, "lead_of_nul")));
    all
}

/// Whether an octet is a lead, from its class.
pub(super) fn lead_of<'m>(class: &dyn Fn(&str) -> Signal<'m>, shape: &Shape) -> Signal<'m> {
    let leads = ["lead", "lead_e0", "lead_ed"].into_iter();
    any_of(leads.chain(shape.nul_is_pair.then_some("lead_of_nul")).map(class)).expect("there are leads")
}

/// How a unit ends a slot: registers of stage `plan.ends`.
struct Ending<'m> {
    ends: Signal<'m>,
    /// That is an error, and what is wrong; where errors are told.
    error: Option<(Signal<'m>, Signal<'m>)>,
    /// Of a whole code point: it has bits of the octet before; it has three octets; it has six.
    longer: Signal<'m>,
    triple: Signal<'m>,
    pair: Signal<'m>,
}

/// The module.
pub(super) fn lane(shape: &Shape, plan: &Plan, unit_module: &Arc<Module>) -> Arc<Module> {
    let m = Builder::new(
        "lane",
        "An octet on its way from the bus to the slot that it ends: what it is, how it stands to the octets before it, \
         and whether the one behind it cuts its sequence short.",
    );
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group("The octet");
    let unit = m.input("unit", OCTET, "the octet");
    let valid = m.input("unit_valid", 1, "there is one");
    m.stage_section(1, "the octet");
    let unit = delay(stage, "unit", unit, 0, 1);
    let valid = delay(stage, "unit_valid", valid, 0, 1);
    m.port_group("Stage 1");
    m.output("unit_1", unit, "the octet");
    let is_last = (!shape.drops).then(|| is_last(&m, stage, plan.window));
    let unit = delay(stage, "unit", unit, 1, plan.history);
    let valid = delay(stage, "unit_valid", valid, 1, plan.history);

    m.stage_section(plan.history, "what the octet is by itself");
    let class = unit::instance(&m, "unit_class", unit_module, stage, unit, valid);
    let valid = delay(stage, "unit_valid", valid, plan.history, plan.class);
    let lane = Lane { m: &m, shape, plan, stages: Stages::new(plan.class, plan.lanes), stage, class };
    let ending = lane.ending(valid, is_last);
    m.port_group(format!("Stage {}", plan.ends));
    m.output("ends", ending.ends, "the octet ends a slot");

    m.stage_section(plan.sums, "the slot");
    let single = unit.bit(TRAILING) & !unit.bit(OCTET - 1);
    let payload = m.concat([single, unit.bits(0..TRAILING)]);
    let payload = delay(stage, "payload", payload, plan.history, plan.sums);
    m.port_group(format!("Stage {}", plan.sums));
    m.output("bits", payload.bits(0..TRAILING), "of the code point: bits of an octet of a longer sequence");
    let slot = lane.slot(payload, &ending);
    let slot = delay(stage, "slot", slot, plan.sums, plan.slots);
    m.port_group(format!("Stage {}", plan.slots));
    m.output("slot", slot, "the slot that the octet ends");
    m.built()
}

/// What is at hand where a lane is built.
struct Lane<'a, 'm> {
    m: &'m Builder,
    shape: &'a Shape,
    plan: &'a Plan,
    stages: Stages,
    stage: Stage<'m>,
    class: InstanceHandle<'m>,
}

impl<'m> Lane<'_, 'm> {
    /// Whether the octet ends a slot, and what is in it. `is_last` says that the frame ends with the octet, where errors are told.
    fn ending(&self, valid: Signal<'m>, is_last: Option<Signal<'m>>) -> Ending<'m> {
        let Self { m, shape, plan, stages: Stages { link: link_at, near: near_at }, stage, class } = *self;
        m.stage_section(plan.class, "how it stands to the octets before it");
        m.port_group(format!("Stage {}", plan.class));
        for name in ["trailing", "lead", "lead_e0", "lead_ed", "high", "low"] {
            m.output(&format!("{name}_now"), class.output(name), "what the octet is");
        }
        if shape.nul_is_pair {
            m.output("lead_of_nul_now", class.output("lead_of_nul"), "what the octet is");
        }
        let ports = RefCell::new(BTreeMap::new());
        let of = |back: usize, name: &str| match back {
            0 => class.output(name),
            _ => {
                let port = format!("{name}_{back}");
                *ports
                    .borrow_mut()
                    .entry(port.clone())
                    .or_insert_with(|| m.input(&port, 1, "what that octet is"))
            }
        };
        let of: ClassOf<'_, 'm> = &of;
        let third_of_ed =
            link::third_of_ed(of).named("third_of_ed").note("it is the third of three octets behind ED");
        let [sets, hands_on] = link::carries(of, third_of_ed);
        let at_link = |name: &str, signal| delay(stage, name, signal, plan.class, link_at);
        let from_class = |name: &str, signal| delay(stage, name, signal, plan.class, near_at);
        let fits = at_link("fits", link::fits(of, shape.nul_is_pair));
        let is_long = at_link("is_long", class.output("is_long"));
        let trailing = at_link("trailing", class.output("trailing"));
        m.port_group(format!("Stage {link_at}"));
        m.output("sets", at_link("sets", sets), "to the bit that runs through sequences with ED");
        m.output(
            "hands_on",
            at_link("hands_on", hands_on | !valid),
            "the same: it sets it, hands it on, or inverts it",
        );
        m.output("fits", fits, "the first trailing octet behind a lead that accepts it");
        m.output("is_long", is_long, "of a lead: two trailing octets follow");
        let [long_1, long_2] =
            [1, 2].map(|back| m.input(&format!("is_long_{back}"), 1, "what that octet is"));
        let fits_1 = m.input("fits_1", 1, "what that octet is");

        m.stage_section(link_at, "sequences without ED");
        let from_link = |name: &str, signal| delay(stage, name, signal, link_at, near_at);
        let second_of_two = from_link("second_of_two", fits & !long_1);
        let third = from_link("third", trailing & fits_1 & long_2);
        // What only matters where a sequence is cut short, or where no sequence goes on.
        let cut_short = is_last.map(|is_last| {
            let second_of_three = from_link("second_of_three", fits & long_1);
            let trailing = from_link("trailing", trailing);
            (is_last, second_of_three, trailing, from_class("second_of_ed", link::second_of_ed(of)))
        });
        let third_of_ed = from_class("third_of_ed", third_of_ed);
        let third_of_high = from_class("third_of_high", link::third_of(of, "high"));
        let third_of_low = from_class("third_of_low", link::third_of(of, "low"));
        let single = from_class("single", class.output("single"));

        m.stage_section(near_at, "whether it goes on with a sequence");
        m.port_group(format!("Stage {near_at}"));
        let with_ed = m.input("goes_on_with_ed", 1, "it goes on with a sequence that has ED in it");
        let pair = (with_ed & third_of_low).named("is_pair").note("it makes a pair of surrogates whole");
        let triple = third | with_ed & third_of_ed & !third_of_high & !third_of_low;
        let triple = triple.named("is_triple").note("it makes three octets whole that are no surrogate");
        let whole = (triple | pair | second_of_two).named("is_whole");
        let at_window = |name: &str, signal| delay(stage, name, signal, near_at, plan.window);
        let later = |ends, error, [longer, triple, pair]: [Signal<'m>; 3], from| {
            let at_ends = |name: &str, signal| delay(stage, name, signal, from, plan.ends);
            Ending {
                ends: at_ends("ends", ends),
                error,
                longer: at_ends("longer", longer),
                triple: at_ends("triple", triple),
                pair: at_ends("pair", pair),
            }
        };
        let Some((is_last, second_of_three, trailing, second_of_ed)) = cut_short else {
            return later(single | whole, None, [whole, triple, pair], near_at);
        };
        let goes_on = (with_ed | third | second_of_three | second_of_two)
            .named("goes_on")
            .note("the octet goes on with the sequence before it");
        let is_high = (with_ed & third_of_high).named("is_high").note("it makes a high surrogate whole");
        let wrong = from_class("wrong", class.output("wrong")) | trailing & !goes_on;
        let wrong = wrong.named("is_wrong").note("an error, whatever follows");
        let lead = from_class("is_lead", lead_of(&|name| class.output(name), shape));
        let open = lead | second_of_three | with_ed & (second_of_ed | third_of_high);
        let open = open.named("is_open").note("its sequence goes on behind it, or else is an error");
        let valid = delay(stage, "unit_valid", valid, plan.class, near_at);
        let kind = from_class("kind", class.output("kind"));
        let is_second_lead = with_ed & from_class("is_ed", class.output("lead_ed"));
        let sure = at_window("sure", single | whole | wrong).note("it ends a slot, whatever follows");
        let error = at_window("error", wrong | open);
        let open = at_window("open", open);
        let is_high = at_window("is_high", is_high);
        let is_second_lead = at_window("is_second_lead", is_second_lead);
        let kind = at_window("kind", kind);
        let stops = at_window("stops", valid & !goes_on);
        let trailing = at_window("trailing", trailing);
        let longer = at_window("longer", whole);
        let [triple, pair] = [at_window("triple", triple), at_window("pair", pair)];
        m.port_group(format!("Stage {}", plan.window));
        m.output("stops", stops, "it does not go on with the sequence before it");
        m.output("trailing", trailing, "it is a trailing octet");
        let next_stops = m.input("next_stops", 1, "of the octet behind it");
        let next_trailing = m.input("next_trailing", 1, "of the octet behind it");

        m.stage_section(plan.window, "whether it ends a slot");
        let cut = (open & (next_stops | is_last)).named("cut").note("its sequence is cut short behind it");
        let kinds = Kinds::new(m, &shape.layout);
        let truncated = (open & (!next_trailing | is_second_lead)).named("is_truncated");
        let kind = truncated.mux(kinds.code(ErrorKind::Truncated), kind);
        let kind = is_high.mux(kinds.code(ErrorKind::Surrogate), kind);
        let at_ends = |name: &str, signal| delay(stage, name, signal, plan.window, plan.ends);
        let error = (at_ends("error", error), at_ends("kind", kind));
        later(sure | cut, Some(error), [longer, triple, pair], plan.window)
    }

    /// The slot that the octet ends.
    fn slot(&self, payload: Signal<'m>, ending: &Ending<'m>) -> Signal<'m> {
        let Self { m, shape, plan, stage, .. } = *self;
        let layout = &shape.layout;
        let later = |name: &str, signal| delay(stage, name, signal, plan.ends, plan.sums);
        let before: Vec<Signal> = (1..)
            .zip(BITS)
            .map(|(back, bits)| m.input(&format!("bits_{back}"), bits, "of the octet so many before it"))
            .collect();
        let longer = later("longer", ending.longer);
        let triple = later("triple", ending.triple);
        let pair = later("pair", ending.pair);
        let error = ending.error.map(|(error, kind)| (later("error", error), later("kind", kind)));
        // A pair holds the code point less 10000.
        let top = masked((before[3].zext(5) + m.lit(5, 1)).named("top"), pair);
        let (second, third) = (before[0], before[2]);
        let lead = masked(before[1], triple) | masked(third.bits(2..TRAILING), pair);
        let middle = masked(second.bits(4..TRAILING), longer & !pair) | masked(third.bits(0..2), pair);
        let own = error.map_or(payload, |(error, _)| masked(payload, !error).named("own_bits"));
        let low = masked(second.bits(0..4), longer).named("low_bits");
        let low = m.concat([low.bits(1..4), low.bit(0) | own.bit(TRAILING), own.bits(0..TRAILING)]);
        let code_point = m.concat([top, lead, middle, low]);
        match error {
            Some((error, kind)) => {
                let data = code_point | masked(layout.error_data(m, kind), error);
                layout.slot(m, SlotTag { error: Some(error), part: None }, data)
            }
            None => code_point,
        }
    }
}
