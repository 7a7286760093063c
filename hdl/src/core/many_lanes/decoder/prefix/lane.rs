//! A lane: a unit from the bus to the slot that it ends, as a module.

use std::sync::Arc;

use super::offset::with_offset;
use super::pairs::ends_pair;
use super::shape::Shape;
use super::stages::Stages;
use super::table;
use super::tail::{Tail, TailHeard};
use super::unit::{Class, instance};
use super::value::{Parts, Sources, part_slot, slot};
use super::values::Values;
use super::window::{Window, has_more, is_nth_after_head, is_second_of_three_limbs};
use crate::core::lanes::{At, Cell, Heard, Lane, Told, UnitHeard, number_of_first};
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::units::payload;
use crate::netlist::Module;

/// The ports of a lane.
pub(super) struct Ports {
    pub(super) unit: UnitHeard,
    /// The unit, a stage after it came in, and that there is one.
    pub(super) unit_1: Option<Told>,
    pub(super) valid_1: Option<Told>,
    pub(super) cuts: Option<CutPorts>,
    /// The unit ends the mark that opens its frame, in a system with marks.
    pub(super) ends_mark: Option<Heard>,
    pub(super) ends: Told,
    pub(super) slot: Told,
    /// The trailing units of the slot, in a decoder that drops errors and has positions.
    pub(super) back: Option<Told>,
    /// The slot is a head or limb that others of its sequence follow, in a decoder that has positions.
    pub(super) gives_way: Option<Told>,
    /// The slot that the first unit makes certain for the unit before it.
    pub(super) part: Option<Told>,
}

/// Ports for sequences that are cut short, in decoders that output errors.
pub(super) struct CutPorts {
    pub(super) is_last: Heard,
    pub(super) runs: Option<RunPorts>,
    pub(super) tail: Option<TailHeard>,
    /// The unit does not continue the sequence before it.
    pub(super) stops: Told,
    /// The unit is a trailing unit.
    pub(super) trailing: Option<Told>,
    /// The unit makes a head or limb certain, which takes the slot position of the unit before it.
    pub(super) makes_part: Option<Told>,
    /// If the unit breaks a sequence after FF, the kind of error, in a decoder that outputs kinds.
    pub(super) breach_kind: Option<Told>,
}

/// Ports of runs of units that are one error.
pub(super) struct RunPorts {
    pub(super) opener: Told,
    pub(super) trailing: Told,
    pub(super) in_run: Heard,
    pub(super) before_in_run: Heard,
}

/// How a unit's sequence ends, if it does; stage `ends`.
struct Ending<'m> {
    /// The unit ends a slot.
    ends: At<'m>,
    /// For each n whose unit has bits in the slot: the slot is a sequence with at least n trailing units.
    whole: Vec<(usize, At<'m>)>,
    /// The number of trailing units of a whole sequence; `None` if none has any. Not read if the slot is an error.
    trailing: Option<At<'m>>,
    /// The slot is an error; `None` in a decoder that drops errors.
    error: Option<At<'m>>,
    /// The kind of the error, if it has data.
    kind: Option<At<'m>>,
    /// In systems with code points of 2^32 or more: the slot is a last limb; the slot is a head or limb that the next unit makes certain;
    /// the head or limb that this unit makes certain.
    long: Option<(At<'m>, At<'m>, Parts<'m>)>,
    /// The slot is the code point of a sequence after FF, where that has no limbs.
    endless: Option<At<'m>>,
}

/// Facts about a unit that do not depend on the units after it; stage `window`.
struct Sure<'m> {
    /// The unit ends a slot.
    ends: At<'m>,
    /// If it is a trailing unit: it is the last one of a sequence.
    whole: At<'m>,
    /// The slot that it ends is an error.
    error: At<'m>,
}

/// A lane that is being built.
struct Making<'a, 'm> {
    lane: &'a Lane<'m>,
    shape: &'a Shape,
    stages: Stages,
    values: &'a Values,
    /// A slot has the number of its trailing units.
    has_back: bool,
    /// The unit ends the mark that opens its frame.
    mark: Option<At<'m>>,
}

/// Builds what is in a lane. `classify` is the module that classifies its unit.
pub(super) fn ports<'m>(
    lane: &Lane<'m>,
    shape: &Shape,
    stages: Stages,
    values: &Values,
    classify: &Arc<Module>,
    has_positions: bool,
) -> Ports {
    let Stages { first, class, near, value, .. } = stages;
    let (unit, valid, unit_heard) = lane.hear_unit(shape.leads.forms.unit_bits, first);
    lane.section(first + 1, "the unit");
    let note = "the unit";
    let unit_1 = shape.has_sequences().then(|| lane.tell("unit_1", unit.at(first + 1), note));
    let is_scanned = shape.has_runs() || shape.tails.is_some();
    let valid_1 = is_scanned.then(|| lane.tell("unit_valid_1", valid.at(first + 1), "there is one"));
    lane.section(class - 1, "the class of the unit");
    let unit = unit.at(class - 1);
    lane.set_unit(unit, valid);
    lane.set_class(instance("unit_class", classify, unit, valid));

    let has_back = has_positions && shape.drops;
    let note = "it is the last one of the mark that opens its frame, which makes no slot";
    let mark = shape.mark.as_ref().map(|_| lane.hear("ends_mark", 1, near, note));
    let (mark, ends_mark) = mark.unzip();
    let making = Making { lane, shape, stages, values, has_back, mark };
    let (ending, cuts) = if shape.has_cuts() {
        let (ending, cuts) = making.with_cuts(valid);
        (ending, Some(cuts))
    } else {
        (making.without_cuts(), None)
    };
    let ends = lane.tell("ends", ending.ends, "the unit ends a slot");
    let back = ending.trailing.map(|trailing| {
        lane.tell("units_back", trailing.called("units_back"), "the trailing units of its slot")
    });

    let gives_way_told = ending.long.as_ref().filter(|_| has_positions).map(|&(_, gives_way, _)| {
        lane.tell("is_part", gives_way, "the slot is a part of a code point, and not the last")
    });

    lane.section(value, "the slot");
    let payload = if shape.has_sequences() {
        Some(lane.own(&values.bits))
    } else {
        let m = lane.builder();
        payload(m, &shape.leads, unit.signal()).map(|bits| unit.map(|_| bits).called("payload").at(value))
    };
    let has_bits = |back: &usize| shape.bits_of_unit(*back) > 0;
    let before: Vec<(usize, At)> =
        (1..=shape.units_before()).filter(has_bits).map(|back| (back, lane.of(back, &values.bits))).collect();
    let whole = ending.whole.iter().map(|&(back, is)| (back, is.at(value))).collect();
    let (limb, part, part_told) = match ending.long {
        Some((limb, gives_way, parts)) => {
            let bits = payload.expect("units of sequences have bits");
            let part = part_slot(lane, shape, bits, &before, &parts.at(value)).named("part_now");
            let note = "the slot of the unit before, if that is made certain here";
            let (next, told) = lane.next_of("part", part, note);
            (Some(limb.at(value)), Some((gives_way.at(value), next)), Some(told))
        }
        None => (None, None, None),
    };
    let [error, kind] =
        [ending.error, ending.kind].map(|of_error| of_error.map(|of_error| of_error.at(value)));
    let endless = ending.endless.map(|endless| endless.at(value));
    let sources = Sources { payload, before, whole, error, kind, limb, part, endless };
    let made = slot(lane, shape, &sources);
    let made = if shape.has_offsets { with_offset(lane, shape, &sources, made) } else { made };
    let slot = lane.tell("slot", made.pinned(stages.made).registered("slot"), "the slot that the unit ends");
    Ports {
        unit: unit_heard,
        unit_1,
        valid_1,
        cuts,
        ends_mark,
        ends,
        slot,
        part: part_told,
        back,
        gives_way: gives_way_told,
    }
}

/// The unit continues a sequence of the window, a run, or a sequence after FF.
fn continues<'m>(window: &Window<'m>, run: Option<[At<'m>; 2]>, tail: Option<Tail<'m>>) -> At<'m> {
    let continues = window.continues();
    let continues = run.map_or(continues, |[run, before]| continues | (run & before));
    tail.map_or(continues, |tail| continues.called("continues_in_window") | tail.continues)
}

impl<'m> Making<'_, 'm> {
    fn class(&self) -> Class<'m> {
        Class::of(self.lane, self.stages.class)
    }

    /// The end of a slot in a decoder that outputs errors of sequences cut short.
    fn with_cuts(&self, valid: At<'m>) -> (Ending<'m>, CutPorts) {
        let Self { lane, shape, stages, values, .. } = *self;
        let Stages { first, window: window_at, ends: ends_at, .. } = stages;
        let (class, kinds) = (self.class(), Kinds::new(lane.registers(), &shape.layout));
        let (is_last, is_last_heard) = lane.hear_end(first);
        lane.section(stages.class, "the position in a sequence");
        let trailing = lane.own(&values.trailing);
        let window = Window::new(lane, values, shape.longest);
        let (run, runs) = shape.has_runs().then(|| self.runs()).unzip();
        let (tail, tail_heard) = self.tail().unzip();
        let continues = continues(&window, run, tail);
        let pair = shape.has_pairs().then(|| ends_pair(lane, values));
        let continues = continues.named("continues").note("the unit continues the sequence before it");
        let reached = window.reached(trailing);
        let long = shape.limbs().map(|_| self.long(tail));
        // The error of a cut sequence is output only if its head is out: in place of a limb.
        let told = long.as_ref().filter(|_| shape.drops);
        let told = told.map(|long| long.told_open.expect("errors are told in place of limbs"));
        let open = told.unwrap_or_else(|| self.open(&window, run, tail));
        let open =
            open.named("open").note("if the sequence is cut after the unit, that is told").at(window_at);
        let stops = (valid & !continues).registered("stops");
        let (next_stops, stops_told) =
            lane.next_of("stops", stops, "it does not continue the sequence before it");
        let (next_part, makes_part) = long
            .as_ref()
            .map(|long| {
                let note = "it makes a head or limb certain in place of the unit before it";
                lane.next_of("makes_part", long.parts.any.at(window_at), note)
            })
            .unzip();
        let (breach, breach_kind) = tail
            .and_then(|tail| tail.kind)
            .map(|kind| {
                let note = "if it breaks a sequence after FF, the kind of error";
                lane.next_of("breach_kind", kind.called("breach_kind").at(window_at), note)
            })
            .unzip();
        let (next_trailing, trailing_told) = shape
            .tells_kinds()
            .then(|| lane.next_of("is_trailing", trailing.at(window_at), "it is a trailing unit"))
            .unzip();

        lane.section(window_at, "whether it ends a slot");
        let Sure { ends: sure, whole, error } = match told {
            Some(_) => {
                let whole = window.is_whole();
                let whole = tail.map_or(whole, |tail| whole.called("is_whole_in_window") | tail.last);
                let whole = whole.named("is_whole").at(window_at);
                Sure { ends: class.single().at(window_at) | whole, whole, error: open }
            }
            None => self.sure([valid, trailing, stops, open], pair),
        };
        let cut = (open & (next_stops | is_last)).named("cut").note("its sequence is cut short after it");
        let truncated = shape.layout.errors_have_data.then(|| kinds.code(ErrorKind::Truncated));
        let ends = next_part.map_or(sure | cut, |part| sure | cut | part);
        let error = next_part.map_or(error, |part| error & !part);
        let kind = next_trailing.zip(truncated).map(|(next_trailing, truncated)| {
            let kind = if shape.drops { truncated } else { self.kind(run, pair, &kinds) };
            let kind = match (breach, tail) {
                (Some(breach), Some(tail)) => tail.open.at(window_at).mux(breach, kind),
                _ => kind,
            };
            let is_truncated = self.is_truncated(open & !next_trailing, run).named("is_truncated");
            is_truncated.pick(truncated, kind).called("kind_of_error").at(ends_at)
        });
        let (trailing_units, with_units) = self.trailing_units(&reached, |n, reached| {
            // A last limb has bits of every unit before that a limb can have bits of.
            let reached = match tail {
                Some(tail) if n > 1 => (reached | tail.last).called(&format!("reached_{n}_or_last_limb")),
                _ => reached,
            };
            reached.at(window_at) & whole
        });
        let ending = Ending {
            ends: ends.called("ends").at(ends_at),
            trailing: trailing_units,
            whole: with_units,
            error: Some(error.called("error").at(ends_at)),
            kind: kind.or(truncated),
            endless: tail.filter(|tail| tail.parts.is_none()).map(|tail| tail.last.called("ends_endless")),
            long: long.zip(next_part).map(|(long, next_part)| {
                (long.limb.called("is_limb"), next_part.called("gives_way").at(ends_at), long.parts)
            }),
        };
        let (is_last, tail, stops, trailing) = (is_last_heard, tail_heard, stops_told, trailing_told);
        let cuts = CutPorts { is_last, runs, tail, stops, trailing, makes_part, breach_kind };
        (ending, cuts)
    }

    /// A sequence is `whole`, and is not the mark that opens the frame.
    fn no_mark(&self, whole: At<'m>) -> At<'m> {
        self.mark.map_or(whole, |mark| (whole & !mark).named("ends_text"))
    }

    /// The position of the unit in a sequence after FF, and the ports.
    fn tail(&self) -> Option<(Tail<'m>, TailHeard)> {
        let Self { lane, shape, stages, .. } = *self;
        let kind_bits = shape.tells_kinds().then_some(shape.layout.kind_bits);
        let has_parts = shape.limbs().is_some();
        let tail = |tails| Tail::new(lane, tails, kind_bits, has_parts, stages.joined);
        shape.tails.as_ref().map(tail)
    }

    /// A sequence is open after the unit.
    fn open(&self, window: &Window<'m>, run: Option<[At<'m>; 2]>, tail: Option<Tail<'m>>) -> At<'m> {
        let lead = self.class().lead().at(self.stages.near);
        let others = [window.is_open(), run.map(|[run, _]| run)];
        let open = others.into_iter().flatten().fold(lead, |open, other| open | other);
        tail.map_or(open, |tail| open.called("open_in_window") | tail.open)
    }

    /// Finds what a decoder that outputs every error knows of a unit. `valid`: the lane holds a unit; `trailing`: a trailing unit; `stops`: the unit does not
    /// continue the sequence before it, so a trailing unit is an error; `open`: a sequence is open after the unit. A unit that leaves none open ends a slot.
    fn sure(&self, [valid, trailing, stops, open]: [At<'m>; 4], pair: Option<At<'m>>) -> Sure<'m> {
        let at = self.stages.window;
        let is_text = self.mark.map_or(valid, |mark| (valid & !mark).named("is_text"));
        let stray =
            (trailing.at(at) & stops).named("is_stray").note("a trailing unit with no sequence before it");
        let wrong = table::has_wrong_units(self.shape).then(|| self.class().wrong().at(at));
        let pair = pair.map(|pair| pair.at(at));
        let error = [wrong, pair].into_iter().flatten().fold(stray | open, |error, other| error | other);
        let whole = (!open & !stops).named("is_whole");
        Sure { ends: is_text.at(at) & !open, whole, error }
    }

    /// A sequence is truncated after the unit, and not a run, which is an error anyway.
    fn is_truncated(&self, is_cut: At<'m>, run: Option<[At<'m>; 2]>) -> At<'m> {
        match run {
            Some([run, _]) if !self.shape.drops => is_cut & !run.called("is_run").at(self.stages.window),
            _ => is_cut,
        }
    }

    /// The kind of error if no sequence is cut short after the unit; stage `window`.
    fn kind(&self, run: Option<[At<'m>; 2]>, pair: Option<At<'m>>, kinds: &Kinds<'m>) -> At<'m> {
        let Self { shape, stages, .. } = *self;
        let kind = self.class().kind().at(stages.near);
        let kind = run.map_or(kind, |[run, _]| run.mux(kinds.code(shape.leads.kind_of_neither()), kind));
        let kind = pair.map_or(kind, |pair| pair.mux(kinds.code(ErrorKind::Surrogate), kind));
        kind.called("kind_of_unit").at(stages.window)
    }

    /// Decides whether a unit ends a slot without the next unit: no sequence is cut short, or the core drops that error.
    fn without_cuts(&self) -> Ending<'m> {
        let Self { lane, shape, stages, values, .. } = *self;
        let class = self.class();
        if !shape.has_sequences() {
            let wrong = table::has_wrong_units(shape).then(|| class.wrong());
            let ends = wrong.map_or(class.single(), |wrong| class.single() | wrong);
            let error = wrong.map(|wrong| wrong.called("error"));
            return Ending {
                ends: ends.called("ends").at(stages.ends),
                whole: Vec::new(),
                trailing: None,
                error,
                kind: error.filter(|_| shape.layout.errors_have_data).map(|_| class.kind()),
                long: None,
                endless: None,
            };
        }
        lane.section(stages.class, "the position in a sequence");
        let window = Window::new(lane, values, shape.longest);
        let ends = match shape.has_pairs() {
            true => window.is_whole() & !ends_pair(lane, values),
            false => self.no_mark(window.is_whole()),
        };
        let reached = window.reached(lane.own(&values.trailing));
        let (trailing, whole) = self.trailing_units(&reached, |_, reached| reached);
        let ends = (class.single().at(stages.near) | ends).called("ends").at(stages.ends);
        Ending { ends, trailing, whole, error: None, kind: None, long: None, endless: None }
    }

    /// The trailing units of a slot that is a sequence: their number, where a slot has it; and for each n whose unit has bits in a slot, that there are n
    /// or more. `of_slot` gets n and whether the unit is the n-th trailing unit or a later one; it makes of them that the slot has n trailing units or more.
    fn trailing_units(
        &self,
        reached: &[At<'m>],
        of_slot: impl Fn(usize, At<'m>) -> At<'m>,
    ) -> (Option<At<'m>>, Vec<(usize, At<'m>)>) {
        let number = || {
            let of_slots = (1..).zip(reached).map(|(n, &reached)| of_slot(n, reached));
            number_of_first(&of_slots.collect::<Vec<_>>())
        };
        let has_bits = |&(back, _): &(usize, &At<'m>)| self.shape.bits_in_slot(back) > 0;
        let called = |(back, &reached): (usize, &At<'m>)| {
            (back, of_slot(back, reached).called(&format!("has_{}_units", back + 1)))
        };
        let number = if self.has_back { number() } else { None };
        (number, (1..).zip(reached).filter(has_bits).map(called).collect())
    }

    /// Bits for runs that are one error: the unit is in a run; the unit before is.
    fn runs(&self) -> ([At<'m>; 2], RunPorts) {
        let Self { lane, stages, .. } = *self;
        let class = self.class();
        let opener = lane.tell("opener", class.opener(), "it opens a run that is one error");
        let trailing = lane.tell("trailing_at_class", class.trailing(), "it is a trailing unit");
        let (run, in_run) = lane.hear("in_run", 1, stages.near, "it is in a run that is one error");
        let (before, before_in_run) = lane.hear("before_in_run", 1, stages.near, "the unit before it is");
        ([run, before], RunPorts { opener, trailing, in_run, before_in_run })
    }

    /// The head or limb of a code point of 2^32 or more that the unit makes certain.
    fn long(&self, tail: Option<Tail<'m>>) -> Long<'m> {
        let Self { lane, shape, values, .. } = *self;
        let told_at = shape.told_at();
        let told: Vec<Option<At>> = (0..=shape.longest)
            .map(|n| {
                let told = told_at.contains(&n).then(|| is_nth_after_head(lane, values, n));
                told.map(|told| told.named(&format!("told_{n}")))
            })
            .collect();
        let told = |n: usize| told[n].expect("it is asked for");
        let head = lane.own(&values.head);
        let due = |&(due, ref is): &(usize, _)| (due, lane.of(due.max(2), is));
        let dues: Vec<(usize, At)> = values.limbs_due.iter().map(due).collect();
        let late = dues.iter().find(|(due, _)| *due == 1).map(|&(_, is)| (told(2) & is).named("late_limb"));
        let limbs: Vec<(usize, At)> = dues
            .iter()
            .filter(|(due, _)| *due > 1)
            .map(|&(due, is)| (due, (told(due) & is).named(&format!("makes_limb_{due}"))))
            .collect();
        let third = shape.has_third_limbs().then(|| {
            (lane.own(&values.has_third), is_second_of_three_limbs(lane, values).named("third_limb"))
        });
        let third_limb = third.map(|(_, limb)| limb);
        let any = [Some(head), late, third_limb].into_iter().flatten().chain(limbs.iter().map(|(_, is)| *is));
        let any = At::any_of(any).expect("there are heads").named("part_is_certain");
        let shortest = shape.limbs().expect("there are limbs").shortest();
        let is_last = |n: usize| match n < shape.longest {
            true => told(n) & !has_more(lane, values, n),
            false => told(n),
        };
        let limb = At::any_of((shortest..=shape.longest).map(is_last)).expect("some sequence has limbs");
        let told_open = shape.drops.then(|| {
            At::any_of((1..shape.longest).map(|n| told(n) & has_more(lane, values, n)))
                .expect("limbs take more units than one")
        });
        let parts = Parts { any, head, third, late, limbs, tail: None };
        match tail {
            None => Long { parts, limb, told_open },
            Some(tail) => {
                let parts = parts.with_tail(tail.parts.expect("limbs have parts"));
                let any = parts.any.called("makes_part");
                let head = parts.head.called("makes_head");
                Long {
                    parts: Parts { any, head, ..parts },
                    limb: limb.called("is_limb_in_window") | tail.last,
                    told_open: told_open.map(|told| told.called("open_in_window") | tail.open),
                }
            }
        }
    }
}

/// The head or limb of a code point of 2^32 or more that a unit makes certain.
struct Long<'m> {
    parts: Parts<'m>,
    /// If a sequence is whole with the unit, its last limb is there.
    limb: At<'m>,
    /// The head of the sequence is out, and the sequence continues after the unit; only in a core that drops errors.
    told_open: Option<At<'m>>,
}
