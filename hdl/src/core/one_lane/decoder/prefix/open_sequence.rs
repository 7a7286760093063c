//! Stage 2, first half: the sequence that is open before the unit, and whether the unit continues it.

use super::class::{SequencePart, UnitClass};
use super::restriction::Restriction;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal, Stage};

/// The sequence before the unit, and how the unit relates to it.
#[derive(Clone, Copy)]
pub(in super::super) struct OpenSequence<'m> {
    /// The registers of the sequence.
    pub(in super::super) stage: Stage<'m>,
    /// A sequence has begun and is not whole yet.
    pub(in super::super) open: Signal<'m>,
    /// How many trailing units are still to come; anything if no sequence is open.
    pub(in super::super) missing: Signal<'m>,
    /// Bits read of the code point; without meaning if no sequence is open.
    pub(in super::super) gathered: Signal<'m>,
    /// The unit continues the sequence.
    pub(in super::super) continues: Signal<'m>,
    /// One trailing unit is missing: if the unit continues the sequence, the sequence is whole.
    pub(in super::super) last_missing: Signal<'m>,
    /// A sequence is open after the unit.
    pub(in super::super) unfinished: Signal<'m>,
    /// The sequence is a run of units that makes one error; `None` in a system without such runs.
    pub(in super::super) in_run: Option<Signal<'m>>,
    /// A lead before the unit that restricts the first trailing unit is low-only; `None` if no lead is.
    pub(in super::super) low_only: Option<Signal<'m>>,
}

impl<'m> OpenSequence<'m> {
    /// The registers of the sequence, which keep `gathered_bits` bits of its code point.
    pub(super) fn new(
        m: &'m Builder,
        leads: &Leads,
        class: UnitClass<'m>,
        part: SequencePart<'m>,
        gathered_bits: u32,
    ) -> Self {
        m.stage_section(2, "the open sequence");
        let payload = class.payload.expect("trailing units are no wider than others");
        let trailing_bits = leads.forms.trailing_bits();
        let open = m
            .reg("open_reg", 1)
            .reset(0)
            .note("a sequence is open; else the rest of its registers mean nothing");
        let missing = m.reg("missing_reg", leads.missing_bits()).note("trailing units still to come");
        let load = part.stage.enable;

        let restriction = leads.some_restrict().then(|| Restriction::new(m, leads, part, load));
        let trails = open.q & part.trailing;
        let continues = match &restriction {
            Some(restriction) => {
                let excluded = restriction.excludes(payload.bits(0..trailing_bits)).named("excluded");
                trails & !excluded.note("the lead does not allow this unit as the next one")
            }
            None => trails,
        };
        let in_run =
            part.opener.map(|_| m.reg("in_run_reg", 1).note("the sequence is a run that is one error"));
        let (continues, last_missing, opens) = match (in_run, part.opener) {
            (Some(in_run), Some(opener)) => {
                in_run.next_when(load, opener | in_run.q & part.trailing & open.q);
                let continues = open.q & (part.trailing | in_run.q & opener);
                (continues, missing.q.is(1) & !in_run.q, part.lead | opener)
            }
            _ => (continues, missing.q.is(1), part.lead),
        };
        let continues = continues.named("continues").note("the unit continues the open sequence");
        let last_missing = last_missing.named("last_missing");
        let unfinished =
            (opens | continues & !last_missing).named("unfinished").note("a sequence is open after the unit");

        open.next_when(load, unfinished & !class.frame_ends);
        missing.next_when(load, part.lead.mux(part.follow, one_less(m, missing.q)));
        let gathered = m.reg("gathered_reg", gathered_bits).note("bits of the code point so far");
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
        Self {
            stage: part.stage,
            open: open.q,
            missing: missing.q,
            gathered: gathered.q,
            continues,
            last_missing,
            unfinished,
            in_run: in_run.map(|in_run| in_run.q),
            low_only: restriction.and_then(|restriction| restriction.low_only()),
        }
    }

    /// The tag of the sequence if it is cut short before the unit.
    pub(super) fn truncated_tag(&self, leads: &Leads, tags: &Tags<'m>) -> Tag<'m> {
        let truncated = tags.error(ErrorKind::Truncated);
        match self.in_run {
            Some(in_run) => Tag::mux(in_run, tags.error(leads.kind_of_neither()), truncated),
            None => truncated,
        }
    }

    /// The tag of the sequence if the unit does not continue it: the unit is no trailing unit, or one that the lead
    /// excludes.
    pub(super) fn broken_tag(&self, leads: &Leads, part: SequencePart<'m>, tags: &Tags<'m>) -> Tag<'m> {
        let truncated = self.truncated_tag(leads, tags);
        if tags.drops_errors() {
            // Error slots are only those in place of limbs, and by then the first trailing unit is past.
            return truncated;
        }
        if !leads.some_restrict() {
            return truncated;
        }
        let overlong = tags.error(ErrorKind::Overlong);
        let excluded = match self.low_only {
            None => overlong,
            Some(low_only) => {
                let kinds = leads.low_only_kinds();
                let (_, last) = kinds[kinds.len() - 1];
                let too_high =
                    kinds.iter().rev().skip(1).fold(tags.error(last), |longer, &(trailing, kind)| {
                        Tag::mux(self.missing.is(trailing as u64), tags.error(kind), longer)
                    });
                Tag::mux(low_only, too_high, overlong)
            }
        };
        Tag::mux(part.trailing, excluded, truncated)
    }
}

/// One less; from 0 anything.
fn one_less<'m>(m: &'m Builder, missing: Signal<'m>) -> Signal<'m> {
    if missing.width() == 1 {
        return m.lit(1, 0);
    }
    missing - m.lit(missing.width(), 1)
}
