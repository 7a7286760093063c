//! A lane: an octet from the bus to the slot that it ends, as a module.

use std::sync::Arc;

use super::link::{Half, Values, class_of};
use super::shape::{Shape, Stages, TRAILING};
use super::unit::{self, OCTET};
use crate::core::lanes::{At, Cell, Heard, Lane, Told, UnitHeard};
use crate::core::many_lanes::decoder::slot::{Kinds, SlotTag};
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::Module;

/// The ports of a lane.
pub(in crate::core::many_lanes) struct Ports {
    pub(in crate::core::many_lanes) unit: UnitHeard,
    /// The octet, a stage after it came in.
    pub(in crate::core::many_lanes) unit_1: Told,
    /// The octet sets the bit that runs through sequences with ED; the octet keeps that bit.
    pub(in crate::core::many_lanes) sets: Told,
    pub(in crate::core::many_lanes) keeps: Told,
    /// The octet continues a sequence with ED.
    pub(in crate::core::many_lanes) continues_ed: Heard,
    pub(in crate::core::many_lanes) cuts: Option<CutPorts>,
    pub(in crate::core::many_lanes) ends: Told,
    pub(in crate::core::many_lanes) slot: Told,
    /// The octets of the slot before the last, where they are asked for.
    pub(in crate::core::many_lanes) back: Option<Told>,
}

/// Ports of a decoder that outputs errors.
pub(in crate::core::many_lanes) struct CutPorts {
    pub(in crate::core::many_lanes) is_last: Heard,
    /// The octet does not continue the open sequence.
    pub(in crate::core::many_lanes) stops: Told,
    pub(in crate::core::many_lanes) trailing: Told,
}

/// How a unit ends a slot: stage `ends`.
struct Ending<'m> {
    ends: At<'m>,
    /// The slot is an error, and the kind of the error; `None` in a core that drops errors.
    error: Option<(At<'m>, At<'m>)>,
    /// Bits for a whole code point: two octets or more; three octets; six octets.
    longer: At<'m>,
    triple: At<'m>,
    pair: At<'m>,
}

/// The position of an octet in a sequence; stage `near`.
pub(in crate::core::many_lanes) struct Position<'m> {
    /// The octet continues a sequence that has ED in it.
    with_ed: At<'m>,
    /// The octet is the third of a high surrogate, given that `with_ed` is 1; it is the third octet of a sequence without ED.
    third_of_high: At<'m>,
    third: At<'m>,
    /// The octet completes a sequence of two octets; of three that are no surrogate; a pair of surrogates.
    second_of_two: At<'m>,
    triple: Option<At<'m>>,
    pair: Option<At<'m>>,
}

/// What an octet does to the sequence before it; stage `near`.
pub(in crate::core::many_lanes) struct Continuation<'m> {
    pub(in crate::core::many_lanes) trailing: At<'m>,
    /// The octet continues the sequence.
    pub(in crate::core::many_lanes) continues: At<'m>,
    /// The octet completes a high surrogate.
    pub(in crate::core::many_lanes) is_high: At<'m>,
    /// The octet is an error, whatever follows.
    pub(in crate::core::many_lanes) wrong: At<'m>,
    /// Its sequence continues after it, or else is an error.
    pub(in crate::core::many_lanes) open: At<'m>,
}

/// A lane that is being built.
pub(in crate::core::many_lanes) struct Making<'a, 'm> {
    pub(in crate::core::many_lanes) lane: &'a Lane<'m>,
    pub(in crate::core::many_lanes) shape: &'a Shape,
    pub(in crate::core::many_lanes) stages: Stages,
    pub(in crate::core::many_lanes) values: &'a Values,
}

/// Builds what is in a lane. `classify` is the module that classifies its octet.
pub(in crate::core::many_lanes) fn ports(
    lane: &Lane<'_>,
    shape: &Shape,
    stages: Stages,
    values: &Values,
    classify: &Arc<Module>,
    has_back: bool,
) -> Ports {
    let Stages { first, history, made, .. } = stages;
    let (unit, valid, unit_heard) = lane.hear_unit(OCTET, first);
    lane.section(first + 1, "the octet");
    let unit_1 = lane.tell("unit_1", unit.at(first + 1), "the octet");
    lane.section(history, "the class of the octet");
    let unit = unit.at(history);
    let single = unit.bit(TRAILING) & !unit.bit(OCTET - 1);
    let payload = At::concat([single, unit.bits(0..TRAILING)]).called("payload");
    lane.set_unit(payload, valid);
    lane.set_class(unit::instance("unit_class", classify, unit, valid));

    let making = Making { lane, shape, stages, values };
    let (sets, keeps, position, continues_ed) = making.position(valid);
    let (ending, cuts) = making.ending(valid, &position);
    let ends = lane.tell("ends", ending.ends, "the octet ends a slot");

    let back = has_back.then(|| {
        let Ending { longer, triple, pair, .. } = ending;
        let back = At::concat([pair, triple, longer & !triple]).called("octets_back");
        lane.tell("octets_back", back, "the octets of its code point before it")
    });

    lane.section(made, "the slot");
    let slot = making.slot(lane.own(&values.bits), &ending);
    let slot = lane.tell("slot", slot.registered("slot"), "the slot that the octet ends");
    Ports { unit: unit_heard, unit_1, sets, keeps, continues_ed, cuts, ends, slot, back }
}

impl<'m> Making<'_, 'm> {
    pub(in crate::core::many_lanes) fn class(&self, name: &str) -> At<'m> {
        class_of(self.lane, name, self.stages.class)
    }

    /// The position of the octet, and the ports of the bit that runs through sequences with ED.
    pub(in crate::core::many_lanes) fn position(&self, valid: At<'m>) -> (Told, Told, Position<'m>, Heard) {
        let Self { lane, stages: Stages { class, link, near, .. }, values, .. } = *self;
        lane.section(class, "the position in a sequence");
        let third_of_ed = values.third_of_ed(lane).named("third_of_ed");
        let third_of_ed = third_of_ed.note("it is the third of three octets that begin with ED");
        let [sets, keeps] = values.carries(lane, third_of_ed);
        let sets = lane.tell("sets", sets.called("sets").at(link), "it sets the bit of sequences with ED");
        let keeps = (keeps | !valid).called("keeps").at(link);
        let keeps = lane.tell("keeps", keeps, "it keeps that bit; or, if it sets it too, inverts it");
        let trailing = values.is_trailing(lane);
        let third_of_low =
            self.shape.makes_slots.then(|| values.third_of(lane, Half::Low).called("third_of_low").at(near));
        let third_of_high = values.third_of(lane, Half::High).called("third_of_high").at(near);
        let (fits, fits_1) = (lane.own(&values.fits), lane.of(1, &values.fits));
        let [long_1, long_2] = [1, 2].map(|back| lane.of(back, &values.is_long));

        lane.section(link, "sequences without ED");
        let second_of_two = (fits & !long_1).called("second_of_two").at(near);
        let third = (trailing.at(link) & fits_1 & long_2).called("third").at(near);
        lane.section(near, "whether it continues a sequence");
        let (with_ed, heard) =
            lane.hear("continues_ed", 1, near, "it continues a sequence that has ED in it");
        let pair = third_of_low.map(|third_of_low| {
            (with_ed & third_of_low).named("is_pair").note("it makes a pair of surrogates whole")
        });
        let triple = third_of_low.map(|third_of_low| {
            let triple = third | with_ed & third_of_ed.at(near) & !third_of_high & !third_of_low;
            triple.named("is_triple").note("it makes three octets whole that are no surrogate")
        });
        (sets, keeps, Position { with_ed, third_of_high, third, second_of_two, triple, pair }, heard)
    }

    /// The effect of the octet on the sequence before it.
    pub(in crate::core::many_lanes) fn continuation(&self, position: &Position<'m>) -> Continuation<'m> {
        let Self { lane, stages: Stages { near, .. }, values, .. } = *self;
        let &Position { with_ed, third_of_high, third, second_of_two, .. } = position;
        let trailing = values.is_trailing(lane).at(near);
        let fits_three =
            (lane.own(&values.fits) & lane.of(1, &values.is_long)).called("second_of_three").at(near);
        let second_of_ed = values.second_of_ed(lane).called("second_of_ed").at(near);
        let continues = (with_ed | third | fits_three | second_of_two).named("continues");
        let continues = continues.note("the octet continues the sequence before it");
        let is_high = (with_ed & third_of_high).named("is_high").note("it makes a high surrogate whole");
        let wrong = (self.class("wrong").at(near) | trailing & !continues).named("is_wrong");
        let wrong = wrong.note("an error, whatever follows");
        let lead = values.is_lead(lane).called("is_lead").at(near);
        let open = (lead | fits_three | with_ed & (second_of_ed | third_of_high)).named("is_open");
        let open = open.note("its sequence continues after it, or else is an error");
        Continuation { trailing, continues, is_high, wrong, open }
    }

    /// Whether the octet is the lead of the second half of a pair.
    pub(in crate::core::many_lanes) fn is_second_lead(&self, position: &Position<'m>) -> At<'m> {
        let Self { lane, stages: Stages { near, .. }, values, .. } = *self;
        let is_second_lead = position.with_ed & lane.own(&values.lead_ed).at(near);
        is_second_lead.called("is_second_lead")
    }

    /// Whether the octet ends a slot, and of what.
    fn ending(&self, valid: At<'m>, position: &Position<'m>) -> (Ending<'m>, Option<CutPorts>) {
        let Self { lane, shape, stages, .. } = *self;
        let Stages { first, near, window, ends: ends_at, .. } = stages;
        let &Position { second_of_two, triple: Some(triple), pair: Some(pair), .. } = position else {
            unreachable!("a decoder makes slots")
        };
        let whole = (triple | pair | second_of_two).named("is_whole");
        let single = self.class("single").at(near);
        let later = |ends: At<'m>, error| Ending {
            ends: ends.called("ends").at(ends_at),
            error,
            longer: whole.called("is_longer").at(ends_at),
            triple: triple.at(ends_at),
            pair: pair.at(ends_at),
        };
        if shape.drops {
            return (later(single | whole, None), None);
        }
        let (is_last, is_last_heard) = lane.hear_end(first);
        let Continuation { trailing, continues, is_high, wrong, open } = self.continuation(position);
        let decided = (single | whole | wrong).registered("decided").note("it ends a slot, whatever follows");
        let error = (wrong | open).registered("error");
        let is_second_lead = self.is_second_lead(position);
        let stops = (valid & !continues).registered("stops");
        let (next_stops, stops) = lane.next_of("stops", stops, "it does not continue the sequence before it");
        let (next_trailing, trailing) =
            lane.next_of("is_trailing", trailing.at(window), "it is a trailing octet");

        lane.section(window, "whether it ends a slot");
        let cut = (open & (next_stops | is_last)).named("cut").note("its sequence is cut short after it");
        let kinds = Kinds::new(lane.registers(), &shape.layout);
        let truncated = (open & (!next_trailing | is_second_lead)).named("is_truncated");
        let kind = truncated.mux(kinds.code(ErrorKind::Truncated), self.class("kind").at(window));
        let kind = is_high.mux(kinds.code(ErrorKind::Surrogate), kind);
        let error = (error.at(ends_at), kind.called("kind_of_error").at(ends_at));
        let cuts = CutPorts { is_last: is_last_heard, stops, trailing };
        (later(decided | cut, Some(error)), Some(cuts))
    }

    /// The slot that the octet ends.
    fn slot(&self, payload: At<'m>, ending: &Ending<'m>) -> At<'m> {
        let Self { lane, shape, stages, values } = *self;
        let layout = &shape.layout;
        let later = |signal: At<'m>| signal.at(stages.made);
        let [nearest, second, third, fourth] = [1, 2, 3, 4].map(|back| lane.of(back, &values.bits));
        let [longer, triple, pair] = [ending.longer, ending.triple, ending.pair].map(later);
        let error = ending.error.map(|(error, kind)| (later(error), later(kind)));
        // A pair holds the code point less 10000.
        let top = (fourth.zext(5) + lane.lit(5, 1)).named("top").masked(pair);
        let lead = second.masked(triple) | third.bits(2..TRAILING).masked(pair);
        let middle = nearest.bits(4..TRAILING).masked(longer & !pair) | third.bits(0..2).masked(pair);
        let own = error.map_or(payload, |(error, _)| payload.masked(!error).named("own_bits"));
        let low = nearest.bits(0..4).masked(longer).named("low_bits");
        let code_point =
            [top, lead, middle, low.bits(1..4), low.bit(0) | own.bit(TRAILING), own.bits(0..TRAILING)];
        let code_point = At::concat(code_point);
        match error {
            Some((error, kind)) => {
                let data = code_point | layout.error_data(kind).masked(error);
                layout.slot(SlotTag { error: Some(error), part: None }, data)
            }
            None => code_point,
        }
    }
}
