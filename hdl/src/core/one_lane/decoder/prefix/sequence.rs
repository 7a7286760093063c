//! Stage 2, first half: how the unit goes on with the sequence before it.

use super::classify::{Class, Part};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal, Stage};

/// What is known of the sequence before the unit, and of the unit in it.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane::decoder) struct Sequence<'m> {
    /// The registers of the sequence.
    pub(in crate::core::one_lane::decoder) stage: Stage<'m>,
    /// A sequence has begun and is not whole yet.
    pub(in crate::core::one_lane::decoder) open: Signal<'m>,
    /// Trailing units still to come; without meaning in no sequence.
    pub(in crate::core::one_lane::decoder) missing: Signal<'m>,
    /// Bits of the code point so far; without meaning in no sequence.
    pub(in crate::core::one_lane::decoder) gathered: Signal<'m>,
    /// The unit goes on with the sequence.
    pub(in crate::core::one_lane::decoder) fits: Signal<'m>,
    /// With the unit it is whole, if the unit fits.
    pub(in crate::core::one_lane::decoder) last_missing: Signal<'m>,
    /// A sequence is open after the unit.
    pub(in crate::core::one_lane::decoder) unfinished: Signal<'m>,
    /// The sequence is a run that is an error at its end; where there are such.
    pub(in crate::core::one_lane::decoder) in_run: Option<Signal<'m>>,
    /// What the lead said of the unit, if that was the first trailing unit.
    pub(in crate::core::one_lane::decoder) narrow: Option<Narrow<'m>>,
}

/// `gathered_bits` is how many bits of a code point are kept while more come.
pub(super) fn sequence<'m>(
    m: &'m Builder,
    leads: &Leads,
    class: Class<'m>,
    part: Part<'m>,
    gathered_bits: u32,
) -> Sequence<'m> {
    m.section("Stage 2: the sequence that the unit stands in");
    let payload = class.payload.expect("trailing units are no wider than others");
    let trailing_bits = leads.forms.trailing_bits();
    let open = m.reg("open_reg", 1).reset(0).note("in a sequence; what follows means nothing elsewhere");
    let missing = m.reg("missing_reg", leads.missing_bits()).note("trailing units still to come");
    let load = part.stage.enable;

    let narrow = leads.any_narrows().then(|| narrow(m, leads, part, load));
    let goes_on = open.q & part.trailing;
    let fits = match narrow {
        Some(narrow) => goes_on & !narrow.misfit(payload.bits(0..trailing_bits)).named("misfit"),
        None => goes_on,
    };
    let in_run = part.opener.map(|_| m.reg("in_run_reg", 1).note("in a run that is an error at its end"));
    let (fits, last_missing, opens) = match (in_run, part.opener) {
        (Some(in_run), Some(opener)) => {
            in_run.next_when(load, opener | in_run.q & part.trailing & open.q);
            let fits = open.q & (part.trailing | in_run.q & opener);
            (fits, missing.q.is(1) & !in_run.q, part.lead | opener)
        }
        _ => (fits, missing.q.is(1), part.lead),
    };
    let fits = fits.named("fits");
    let last_missing = last_missing.named("last_missing");
    let unfinished = (opens | fits & !last_missing).named("unfinished").note("open after the unit");

    open.next_when(load, unfinished & !class.frame_ends);
    missing.next_when(load, part.lead.mux(part.follow, one_less(m, missing.q)));
    let gathered = m.reg("gathered_reg", gathered_bits).note("bits of the code point");
    let below = payload.bits(0..trailing_bits.min(gathered_bits));
    gathered.next_when(
        load,
        if gathered_bits > trailing_bits {
            let above = gathered.q.bits(0..gathered_bits - trailing_bits).when(!part.lead);
            m.concat([above, below])
        } else {
            below
        },
    );
    Sequence {
        stage: part.stage,
        open: open.q,
        missing: missing.q,
        gathered: gathered.q,
        fits,
        last_missing,
        unfinished,
        in_run: in_run.map(|in_run| in_run.q),
        narrow,
    }
}

impl<'m> Sequence<'m> {
    /// What is wrong with the sequence if it is cut short here.
    pub(super) fn truncated(&self, leads: &Leads, tags: &Tags<'m>) -> Tag<'m> {
        let truncated = tags.error(ErrorKind::Truncated);
        match self.in_run {
            Some(in_run) => Tag::mux(in_run, tags.error(leads.kind_of_nothing()), truncated),
            None => truncated,
        }
    }
}

/// What a lead says of the first trailing unit.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane::decoder) struct Narrow<'m> {
    /// The bits at its top that tell overlong forms; if none is set, any trailing unit may follow.
    telling: Signal<'m>,
    /// None of these bits may be set; else some bit must be.
    lower: Option<Signal<'m>>,
}

impl<'m> Narrow<'m> {
    /// Whether a trailing unit with this data may not follow.
    pub(in crate::core::one_lane::decoder) fn misfit(self, data: Signal<'m>) -> Signal<'m> {
        let above = data.bits(data.width() - self.telling.width()..data.width());
        let is_upper = (above & self.telling).any().named("is_upper");
        let wrong = self.lower.map_or(!is_upper, |lower| is_upper.eq(lower));
        self.telling.bit(self.telling.width() - 1) & wrong
    }
}

pub(in crate::core::one_lane::decoder) fn narrow<'m>(
    m: &'m Builder,
    leads: &Leads,
    part: Part<'m>,
    load: Signal<'m>,
) -> Narrow<'m> {
    let fewest = leads.telling();
    let bits = fewest.iter().map(|&fewest_trailing| {
        if fewest_trailing == fewest[0] {
            m.lit(1, 1)
        } else {
            leads.at_least(part.follow, fewest_trailing as u64)
        }
    });
    let narrows = || part.narrows.map_or(part.lead, |narrows| part.lead & narrows);
    let next = m.concat(bits.map(|bit| bit.when(narrows())));
    let telling = m.reg("telling_reg", next.width()).note("bits of the next unit that tell an overlong form");
    telling.next_when(load, next);
    let lower = part.lower.map(|lower| {
        let register = m.reg("lower_only_reg", 1).note("these bits must be zeros, else not all of them");
        register.next_when(load, lower);
        register.q
    });
    Narrow { telling: telling.q, lower }
}

/// One less; from 0 anything.
fn one_less<'m>(m: &'m Builder, missing: Signal<'m>) -> Signal<'m> {
    if missing.width() == 1 {
        return m.lit(1, 0);
    }
    missing - m.lit(missing.width(), 1)
}

/// Why the sequence before the unit is none: cut by a trailing unit that may not follow, or by another unit.
pub(super) fn cut_tag<'m>(
    leads: &Leads,
    part: Part<'m>,
    sequence: &Sequence<'m>,
    tags: &Tags<'m>,
) -> Tag<'m> {
    let truncated = sequence.truncated(leads, tags);
    if tags.drops_errors() {
        // Errors are told in place of limbs only, and by then the first trailing unit is past.
        return truncated;
    }
    let Some(narrow) = sequence.narrow else { return truncated };
    let overlong = tags.error(ErrorKind::Overlong);
    let narrow = match narrow.lower {
        None => overlong,
        Some(lower) => {
            let kinds = leads.lower_kinds();
            let (_, last) = kinds[kinds.len() - 1];
            let upper = kinds.iter().rev().skip(1).fold(tags.error(last), |longer, &(trailing, kind)| {
                Tag::mux(sequence.missing.is(trailing as u64), tags.error(kind), longer)
            });
            Tag::mux(lower, upper, overlong)
        }
    };
    Tag::mux(part.trailing, narrow, truncated)
}
