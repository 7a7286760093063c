//! A lane: a unit from the bus to the slot that it ends, as a module.

use std::sync::Arc;

use super::offset::with_offset;
use super::pairs::ends_pair;
use super::shape::Shape;
use super::unit::Class;
use super::value::{Parts, Sources, TailParts, part_slot, slot};
use super::window::{Near, Window};
use crate::core::many_lanes::decoder::lanes::is_last;
use crate::core::many_lanes::decoder::pipeline::delay;
use crate::core::many_lanes::decoder::plan::Plan;
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::many_lanes::decoder::utf_inf_8::{MASKS, PHASES, Tails};
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::units::payload;
use crate::netlist::{Builder, Module, Signal, Stage};

/// What is at hand where a lane is built.
struct Lane<'a, 'm> {
    m: &'m Builder,
    shape: &'a Shape,
    plan: &'a Plan,
    stage: Stage<'m>,
    class: Class<'m>,
}

/// How a unit's sequence ends, if it does: registers of the stage where that is known.
struct Ending<'m> {
    /// The unit ends a slot.
    ends: Signal<'m>,
    /// The slot is a sequence with so many trailing units at least, of which the first has bits in the slot.
    whole: Vec<(usize, Signal<'m>)>,
    /// If it ends a slot, that is an error, and what is wrong; where errors are told.
    error: Option<(Signal<'m>, Signal<'m>)>,
    /// Where there are code points of 2^32 or more: the slot is a last limb; it is a head or limb that the next unit makes
    /// certain; and the one that this unit makes certain.
    long: Option<(Signal<'m>, Signal<'m>, Parts<'m>)>,
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

    m.stage_section(1, "the unit");
    let unit = delay(stage, "unit", unit, 0, 1);
    let valid = delay(stage, "unit_valid", unit_valid, 0, 1);
    if shape.has_sequences() {
        m.port_group("Stage 1");
        m.output("unit_1", unit, "the unit");
    }
    if shape.has_runs() || shape.tails.is_some() {
        m.output("unit_valid_1", valid, "there is one");
    }
    let is_last = shape.has_cuts().then(|| is_last(&m, stage, plan.window));
    let unit = delay(stage, "unit", unit, 1, plan.class - 1);
    let valid = delay(stage, "unit_valid", valid, 1, plan.class - 1);

    m.stage_section(plan.class - 1, "what the unit is by itself");
    let class = Class::new(&m, "unit_class", unit_module, stage, unit, valid);
    let lane = Lane { m: &m, shape, plan, stage, class };
    let ending = match is_last {
        Some(is_last) => {
            let valid = delay(stage, "unit_valid", valid, plan.class - 1, plan.window - 1);
            lane.with_cuts(valid, is_last)
        }
        None => lane.without_cuts(),
    };
    m.port_group(format!("Stage {}", plan.ends));
    m.output("ends", ending.ends, "the unit ends a slot");

    let value_at = shape.value_at(plan);
    m.stage_section(value_at, "the slot");
    let payload = payload(&m, &shape.leads, unit).map(|payload| {
        let payload = delay(stage, "payload", payload, plan.class - 1, value_at);
        if shape.has_sequences() {
            m.port_group(format!("Stage {value_at}"));
            let note = "of the code point: bits of a unit of a longer sequence";
            m.output("bits", payload.bits(0..shape.bits_of_unit(1)), note);
        }
        payload
    });
    let later = |name: &str, signal| delay(stage, name, signal, plan.ends, value_at);
    let has_bits = |back: &usize| shape.bits_of_unit(*back) > 0;
    let before: Vec<(usize, Signal)> = (1..=shape.units_before())
        .filter(has_bits)
        .map(|back| {
            (
                back,
                m.input(
                    &format!("bits_{back}"),
                    shape.bits_of_unit(back),
                    "of the unit so many lanes before",
                ),
            )
        })
        .collect();
    let whole = ending.whole.iter().map(|&(back, is)| (back, later(&format!("whole_{back}"), is))).collect();
    let (limb, part) = match ending.long {
        Some((limb, gives_way, parts)) => {
            let parts = parts.map(&mut |name, signal| later(name, signal));
            let part = part_slot(&m, shape, payload.expect("units of sequences have bits"), &before, &parts);
            m.output(
                "part",
                part.named("part_now"),
                "the slot of the unit before, if that is made certain here",
            );
            let next = m.input("next_part", part.width(), "of the unit behind it");
            (Some(later("is_limb", limb)), Some((later("gives_way", gives_way), next)))
        }
        None => (None, None),
    };
    let sources = Sources {
        payload,
        before,
        whole,
        error: ending.error.map(|(error, kind)| {
            let kind = if kind.is_constant() { kind } else { later("kind", kind) };
            (later("error", error), kind)
        }),
        limb,
        part,
    };
    let value = slot(&m, shape, &sources);
    let slot = if shape.has_offsets {
        with_offset(&m, shape, &sources, value, plan, stage)
    } else {
        delay(stage, "slot", value, value_at, plan.slots)
    };
    m.port_group(format!("Stage {}", plan.slots));
    m.output("slot", slot, "the slot that the unit ends");
    m.built()
}

impl<'m> Lane<'_, 'm> {
    /// Where a unit can cut the sequence before it short, and that is told.
    fn with_cuts(&self, valid: Signal<'m>, is_last: Signal<'m>) -> Ending<'m> {
        let Self { m, shape, plan, stage, class } = *self;
        let near_at = plan.window - 1;
        let kinds = Kinds::new(m, &shape.layout);
        let single = delay(stage, "single", class.single(), plan.class, near_at);
        let near = self.near();
        let window = Window::new(&near);
        let run = shape.has_runs().then(|| self.run());
        let tail = shape.tails.as_ref().map(|tails| Tail::new(m, tails, shape.layout.kind_bits, near_at));
        let goes_on = run.map_or(window.goes_on(), |[run, before]| window.goes_on() | (run & before));
        let goes_on = tail.map_or(goes_on, |tail| goes_on | tail.goes_on);
        let pair = self.ends_pair(&near);
        let goes_on = goes_on.named("goes_on").note("the unit goes on with the sequence before it");
        let whole = window.whole();
        let whole: Vec<Signal> = match tail {
            // A last limb has bits of as many units as a code point below 2^32.
            Some(tail) => {
                let of_any = |(back, whole): (usize, Signal<'m>)| match back {
                    0 => (whole | tail.last).named("ends_whole"),
                    _ => whole | tail.last,
                };
                whole.into_iter().enumerate().map(of_any).collect()
            }
            None => whole,
        };
        let long = shape.limbs().map(|_| {
            let long = self.long(&near);
            match tail {
                Some(tail) => Long {
                    parts: long.parts.with_tail(tail.parts),
                    limb: long.limb | tail.last,
                    told_open: long.told_open.map(|told| told | tail.open),
                },
                None => long,
            }
        });
        let (sure, open, error) = if shape.drops {
            // What is cut is told where its head is out, in place of a limb.
            let told =
                long.as_ref().and_then(|long| long.told_open).expect("errors are told in place of limbs");
            (single | whole[0], told, told)
        } else {
            let wrong = shape.has_wrong_units().then(|| class.wrong());
            let wrong = wrong.map(|wrong| delay(stage, "wrong", wrong, plan.class, near_at));
            let lead = delay(stage, "lead", class.lead(), plan.class, near_at);
            let stray = near.trailing & !goes_on;
            let wrong = wrong
                .map_or(stray, |wrong| wrong | stray)
                .named("is_wrong")
                .note("an error, whatever follows");
            let open = window.is_open().map_or(lead, |open| lead | open);
            let open = run.map_or(open, |[run, _]| open | run);
            let open = tail.map_or(open, |tail| open | tail.open);
            let error = pair.map_or(wrong | open, |pair| wrong | open | pair);
            (single | whole[0] | wrong, open, error)
        };
        let open = open.named("open").note("if the sequence is cut behind the unit, that is told");
        let at_window = |name: &str, signal| delay(stage, name, signal, near_at, plan.window);
        let sure = at_window("sure", sure).note("it ends a slot, whatever follows");
        let error = at_window("error", error);
        let stops = at_window("stops", valid & !goes_on);
        let open = at_window("open", open);
        let whole = self.whole((1..).zip(whole), near_at, plan.window);
        let long = long.map(|long| {
            let parts = long.parts.map(&mut |name, signal| at_window(name, signal));
            (at_window("is_limb", long.limb), parts)
        });
        m.port_group(format!("Stage {}", plan.window));
        m.output("stops", stops, "it does not go on with the sequence before it");
        let next_stops = m.input("next_stops", 1, "of the unit behind it");
        let next_part = long.as_ref().map(|(_, parts)| {
            m.output(
                "makes_part",
                parts.any,
                "it makes a head or limb certain in place of the unit before it",
            );
            m.input("next_makes_part", 1, "of the unit behind it")
        });
        let breach = tail.map(|tail| {
            let kind = at_window("breach_kind", tail.kind);
            m.output("breach_kind", kind, "if it breaks a sequence behind FF, the kind of error");
            let next = m.input("next_breach_kind", kind.width(), "of the unit behind it");
            (at_window("tail_open", tail.open), next)
        });
        let kind = shape.tells_kinds().then(|| {
            let trailing = at_window("trailing", near.trailing);
            m.output("trailing", trailing, "it is a trailing unit");
            let next_trailing = m.input("next_trailing", 1, "of the unit behind it");
            if shape.drops {
                return (kinds.code(ErrorKind::Truncated), next_trailing, None);
            }
            let kind = delay(stage, "kind", class.kind(), plan.class, near_at);
            let kind = run.map_or(kind, |[run, _]| run.mux(kinds.code(shape.leads.kind_of_neither()), kind));
            let kind = pair.map_or(kind, |pair| pair.mux(kinds.code(ErrorKind::Surrogate), kind));
            let is_run = run.map(|[run, _]| at_window("is_run", run));
            (at_window("kind", kind), next_trailing, is_run)
        });
        let kind = kind.map(|(kind, next_trailing, is_run)| {
            let kind = breach.map_or(kind, |(open, breach)| open.mux(breach, kind));
            (kind, next_trailing, is_run)
        });

        m.stage_section(plan.window, "whether it ends a slot");
        let at_ends = |name: &str, signal| delay(stage, name, signal, plan.window, plan.ends);
        let cut = (open & (next_stops | is_last)).named("cut").note("its sequence is cut short behind it");
        let truncated = kinds.code(ErrorKind::Truncated);
        let ends = next_part.map_or(sure | cut, |part| sure | cut | part);
        let error = next_part.map_or(error, |part| error & !part);
        let kind = kind.map(|(kind, next_trailing, is_run)| {
            let is_truncated = open & !next_trailing;
            let is_truncated = is_run.map_or(is_truncated, |is_run| is_truncated & !is_run);
            at_ends("kind", is_truncated.mux(truncated, kind))
        });
        Ending {
            ends: at_ends("ends", ends),
            whole: self.whole(whole, plan.window, plan.ends),
            error: Some((at_ends("error", error), kind.unwrap_or(truncated))),
            long: long.zip(next_part).map(|((limb, parts), next_part)| {
                let parts = parts.map(&mut |name, signal| at_ends(name, signal));
                (at_ends("is_limb", limb), at_ends("gives_way", next_part), parts)
            }),
        }
    }

    /// Where a unit ends a slot, if it does, whatever follows: no sequence is cut short, or it is not told.
    fn without_cuts(&self) -> Ending<'m> {
        let Self { shape, plan, stage, class, .. } = *self;
        let near_at = plan.window - 1;
        let single = delay(stage, "single", class.single(), plan.class, near_at);
        if !shape.has_sequences() {
            let at_ends = |name: &str, signal| delay(stage, name, signal, plan.class, plan.ends);
            let wrong = shape.has_wrong_units().then(|| class.wrong());
            let ends = at_ends("ends", wrong.map_or(single, |wrong| single | wrong));
            let error = wrong.map(|wrong| (at_ends("error", wrong), at_ends("kind", class.kind())));
            return Ending { ends, whole: Vec::new(), error, long: None };
        }
        let near = self.near();
        let whole = Window::new(&near).whole();
        let ends = self.ends_pair(&near).map_or(whole[0], |pair| whole[0] & !pair);
        let ends = delay(stage, "ends", single | ends, near_at, plan.ends);
        let whole = self.whole((1..).zip(whole), near_at, plan.ends);
        Ending { ends, whole, error: None, long: None }
    }

    /// Whether the sequence is whole and reaches so far, later on, for units that have bits in a slot.
    fn whole(
        &self,
        whole: impl IntoIterator<Item = (usize, Signal<'m>)>,
        from: u32,
        to: u32,
    ) -> Vec<(usize, Signal<'m>)> {
        let told = whole.into_iter().filter(|(back, _)| self.shape.bits_in_slot(*back) > 0);
        told.map(|(back, is)| (back, delay(self.stage, &format!("whole_{back}"), is, from, to))).collect()
    }

    /// Whether the unit is in a run that is one error, and whether the one before it is.
    fn run(&self) -> [Signal<'m>; 2] {
        let Self { m, plan, class, .. } = *self;
        m.port_group(format!("Stage {}", plan.class));
        m.output("opener", class.opener(), "it opens a run that is one error");
        m.output("trailing_at_class", class.trailing(), "it is a trailing unit");
        m.port_group(format!("Stage {}", plan.window - 1));
        [
            m.input("in_run", 1, "it is in a run that is one error"),
            m.input("before_in_run", 1, "the unit before it is"),
        ]
    }

    /// A bus from lanes before this one, the nearest in its low bit.
    fn before(&self, name: &str, width: usize, note: &str) -> Vec<Signal<'m>> {
        if width == 0 {
            return Vec::new();
        }
        let port = self.m.input(name, width as u32, note);
        (0..width as u32).map(|bit| port.bit(bit)).collect()
    }

    /// How the unit stands to those before it.
    fn near(&self) -> Near<'m> {
        let Self { m, shape, plan, stage, class } = *self;
        m.stage_section(plan.class, "how it stands to the units before it");
        let (near_at, longest) = (plan.window - 1, shape.longest);
        m.port_group(format!("Stage {}", plan.class));
        m.output("accepts", class.accepts(shape), "of a lead: the trailing units that it accepts");
        let accepts = m.input("accepts_1", shape.regions.len() as u32, "of the unit before it");
        let fits = (class.region(shape) & accepts)
            .any()
            .named("fits")
            .note("a trailing unit that the lead before accepts");
        let trailing = delay(stage, "trailing", class.trailing(), plan.class, near_at);
        let first_of = |least: usize| {
            if least == 1 {
                return delay(stage, "fits", fits, plan.class, near_at);
            }
            let name = format!("longer_{least}");
            m.port_group(format!("Stage {}", plan.class));
            m.output(&name, class.longer(least), "of a lead: so many trailing units at least");
            let longer = m.input(&format!("{name}_1"), 1, "of the unit before it");
            let name = format!("first_of_{least}");
            let first = delay(stage, &name, fits & longer, plan.class, near_at);
            m.port_group(format!("Stage {near_at}"));
            m.output(
                &format!("{name}_now"),
                first,
                "the first trailing unit of a sequence with so many at least",
            );
            first
        };
        let own: Vec<Signal> = (1..=longest).map(first_of).collect();
        if longest > 2 {
            m.port_group(format!("Stage {near_at}"));
            m.output("trailing_now", trailing, "a trailing unit");
        }
        let with_own =
            |first: Option<&Signal<'m>>, before| first.copied().into_iter().chain(before).collect();
        Near {
            trailing,
            trailing_before: self.before("trailing_before", longest.saturating_sub(2), "of units before it"),
            first_of: with_own(
                own.first(),
                self.before(
                    "first_before",
                    longest - 1,
                    "bit n: the unit n + 1 before is the first trailing one of a sequence with n + 2 at least",
                ),
            ),
            first_of_more: with_own(
                own.get(1),
                self.before(
                    "first_of_more_before",
                    longest.saturating_sub(2),
                    "bit n: of a sequence with n + 3 at least",
                ),
            ),
        }
    }

    /// Whether the unit ends a pair of surrogates, where that is an error.
    fn ends_pair(&self, near: &Near<'m>) -> Option<Signal<'m>> {
        let Self { m, shape, plan, stage, class } = *self;
        shape.has_pairs().then(|| ends_pair(m, plan, stage, class, near.trailing))
    }

    /// What the unit makes certain of a code point of 2^32 or more.
    fn long(&self, near: &Near<'m>) -> Long<'m> {
        let Self { m, shape, plan, stage, class } = *self;
        let near_at = plan.window - 1;
        let tells = |name: &str, what: &str, note: &str| {
            m.port_group(format!("Stage {}", plan.class));
            m.output(name, class.output(name), note);
            let before = m.input(&format!("{name}_1"), shape.regions.len() as u32, "of the unit before it");
            let tells = (class.output("region") & before).any().named(&format!("tells_{what}"));
            delay(stage, &format!("tells_{what}"), tells, plan.class, near_at)
        };
        let head = tells("longs", "head", "of a lead: the trailing units behind which it has limbs");
        let third = shape
            .has_third_limbs()
            .then(|| tells("thirds", "third", "of a lead: those behind which it has three"));
        m.port_group(format!("Stage {near_at}"));
        m.output("head_now", head, "the first trailing unit of a code point with limbs");
        let due = |due: usize| {
            let limb = delay(
                stage,
                &format!("limb_{due}"),
                class.output(&format!("limb_{due}")),
                plan.class,
                near_at,
            );
            m.output(
                &format!("limb_{due}_now"),
                limb,
                "of a lead: which trailing unit makes the last limb but one certain",
            );
            let note = "of the lead so many units before it";
            (due, m.input(&format!("limb_{due}_before"), 1, note))
        };
        let dues: Vec<(usize, Signal)> = shape.limbs_due().into_iter().map(due).collect();
        // Of the n-th trailing unit of a code point with limbs, what its first one says.
        let head_of = |n: usize| {
            if n == 1 { head } else { m.input(&format!("head_{}", n - 1), 1, "of a unit before it") }
        };
        let mut told: Vec<Option<Signal>> = vec![None; shape.longest + 1];
        for n in shape.told_at() {
            told[n] = Some(near.is_nth_behind(n, head_of(n)).named(&format!("told_{n}")));
        }
        let told = |n: usize| told[n].expect("it is asked for");
        let late = dues.iter().find(|(due, _)| *due == 1).map(|&(_, is)| (told(2) & is).named("late_limb"));
        let limbs: Vec<(usize, Signal)> = dues
            .iter()
            .filter(|(due, _)| *due > 1)
            .map(|&(due, is)| (due, (told(due) & is).named(&format!("limb_{due}"))))
            .collect();
        let third_limb = third.map(|third| {
            m.output("third_now", third, "the first trailing unit of a code point with three limbs");
            near.is_nth_behind(2, m.input("third_1", 1, "of the unit before it")).named("third_limb")
        });
        let any = [Some(head), late, third_limb].into_iter().flatten().chain(limbs.iter().map(|(_, is)| *is));
        let any = any_of(any).expect("there are heads").named("part_is_certain");
        let shortest = shape.limbs().expect("there are limbs").shortest();
        let limb = any_of((shortest..=shape.longest).map(|n| told(n) & !self.more_than(near, n)));
        let told_open = shape.drops.then(|| {
            any_of((1..shape.longest).map(|n| told(n) & near.first_of_more[n - 1]))
                .expect("limbs take more units than one")
        });
        Long {
            parts: Parts { any, head, third: third.zip(third_limb), late, limbs, tail: None },
            limb: limb.expect("some sequence has limbs"),
            told_open,
        }
    }

    fn more_than(&self, near: &Near<'m>, n: usize) -> Signal<'m> {
        near.first_of_more.get(n - 1).copied().unwrap_or_else(|| self.m.lit(1, 0))
    }
}

/// How a unit stands in a sequence behind FF: inputs of the lane.
#[derive(Clone, Copy)]
struct Tail<'m> {
    goes_on: Signal<'m>,
    open: Signal<'m>,
    last: Signal<'m>,
    kind: Signal<'m>,
    parts: TailParts<'m>,
}

impl<'m> Tail<'m> {
    fn new(m: &'m Builder, tails: &Tails, kind_bits: u32, near_at: u32) -> Self {
        m.port_group(format!("Stage {near_at}: how it stands in a sequence behind FF"));
        let input = |name: &str, width: u32, note: &str| m.input(&format!("tail_{name}"), width, note);
        Self {
            goes_on: input("goes_on", 1, "it goes on with one"),
            open: input("open", 1, "one goes on behind it, or is cut short there, and that is told"),
            last: input("last", 1, "it is the last of one"),
            kind: input("kind", kind_bits, "if it breaks one, the kind of error"),
            parts: TailParts {
                counted: input("counted", 1, "it makes a head certain that its header counts"),
                head: input("head", 1, "it makes a head certain of two or three limbs"),
                three: input("three", 1, "that has three"),
                late: input("late", 1, "it makes a limb of two bits certain, which waited for its head"),
                limbs: input("limbs", PHASES.len() as u32, "it makes a limb certain; a bit for each phase"),
                masks: input("masks", MASKS as u32, "bit n: the limb has bits of the unit n + 1 before"),
                digits: input(
                    "digits",
                    tails.header_digits().max(2) as u32 - 1,
                    "bit n: the unit n + 1 before is a digit of its header",
                ),
            },
        }
    }
}

/// What a unit makes certain of a code point of 2^32 or more.
struct Long<'m> {
    parts: Parts<'m>,
    /// If a sequence is whole with the unit, its last limb stands there.
    limb: Signal<'m>,
    /// Where errors are dropped: the head of the sequence is out, and it goes on behind the unit.
    told_open: Option<Signal<'m>>,
}
