//! The decoder of CESU-8, Unicode Technical Report #26, and of the modified UTF-8 of Java: UTF-8 of up to three octets,
//! with six octets for a supplementary code point, three for each surrogate.
//! ```text
//!  ED A0..AF 80..BF   ED B0..BF 80..BF
//!  high surrogate     low surrogate
//! ```
//!
//! Stage 1 is that of [prefix systems](super::prefix). Stage 2 reads three octets at a time and remembers that a high
//! surrogate waits for the low one.

use super::prefix::{SequencePart, UnitClass, classify};
use super::slots::{EarlySlot, OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::System;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::{Builder, Signal};

/// Bits of the code point in a trailing unit.
const TRAILING: u32 = 6;
/// Bits of a sequence of three octets that come before its last octet.
const GATHERED: u32 = 16 - TRAILING;
/// The position in these bits at which the last eleven bits of a surrogate end. The topmost of the eleven is 1 in a low
/// surrogate.
const BELOW_SURROGATES: u32 = 11 - TRAILING;
/// A surrogate without its last eleven bits.
const SURROGATE: u64 = 0xd800 >> 11;
/// The lead of U+0000 in modified UTF-8.
const LEAD_OF_NUL: u64 = 0xc0;

/// The decoder.
pub(super) struct Cesu8Decoder {
    leads: Leads,
}

impl Cesu8Decoder {
    /// The decoder of CESU-8 or of modified UTF-8.
    pub(super) fn of(system: System) -> Self {
        let forms = SequenceForms::hunks(8, 3).without_surrogates();
        let leads = Leads::new(forms, ErrorKind::Invalid).with_surrogate_pairs();
        Self { leads: if system == System::Mutf8 { leads.with_nul_of_two_units() } else { leads } }
    }
}

impl TwoStageDecoder for Cesu8Decoder {
    fn kinds(&self, style: TagStyle) -> Vec<ErrorKind> {
        self.leads.kinds(style)
    }

    fn code_bits(&self) -> u32 {
        21
    }

    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m> {
        let leads = &self.leads;
        let class = classify(m, leads, beat, tags, pace);
        let part = class.part.expect("there are sequences");
        let payload = class.payload.expect("octets have bits below their markers");
        let nul_lead = leads.nul_is_pair().then(|| {
            let is = beat.unit.is(LEAD_OF_NUL).named("is_lead_of_nul");
            pace.units().data("lead_of_nul_reg", is)
        });
        let open = Sequence::new(m, class, part, (payload, nul_lead), pace);
        m.section(tags.heading(
            "Slots: the error of a sequence that the unit breaks, and the unit's own slot",
            "Errors: of a sequence that the unit breaks, and of the unit itself",
        ));
        let own = own(class, &open, payload, tags);
        let early = tags.has_errors().then(|| early(class, part, &open, tags));
        let begins = class.unit_valid & !(open.continues | open.second_half);
        UnitSlots {
            unit_valid: Some(class.unit_valid),
            frame_ends: class.frame_ends,
            early,
            own,
            begins: Some(begins),
        }
    }
}

/// The sequence before the unit, and how the unit relates to it.
struct Sequence<'m> {
    /// Octets of a sequence of up to three are still to come.
    open: Signal<'m>,
    /// A high surrogate is whole, and waits for the low one.
    behind_high: Signal<'m>,
    /// The unit continues the three octets.
    continues: Signal<'m>,
    /// One octet of them is missing.
    last_missing: Signal<'m>,
    /// The unit is the lead of the low surrogate of a pair.
    second_half: Signal<'m>,
    /// The unit makes a high surrogate whole.
    ends_high: Signal<'m>,
    /// Octets are still to come after the unit.
    unfinished: Signal<'m>,
    /// The lead is ED; else, if it restricts the unit, the unit would make an overlong form.
    low_only: Signal<'m>,
    /// The bits of the code point above those of the unit: zero outside of sequences.
    above: Signal<'m>,
}

impl<'m> Sequence<'m> {
    fn new(
        m: &'m Builder,
        class: UnitClass<'m>,
        part: SequencePart<'m>,
        (payload, nul_lead): (Signal<'m>, Option<Signal<'m>>),
        pace: &Pace<'m>,
    ) -> Self {
        m.stage_section(2, "the open sequence");
        let stage = part.stage;
        let (data, restricts) = (payload.bits(0..TRAILING), part.restricts.expect("E0 and ED restrict"));
        let low_only = part.low_only.expect("ED is low-only");
        let open = m
            .reg("open_reg", 1)
            .reset(0)
            .note("octets are still to come; else the rest of their registers mean nothing");
        let missing = m.reg("missing_reg", 2).note("number of octets still to come");
        let behind_high = m.reg("behind_high_reg", 1).reset(0).note("a high surrogate waits for the low one");
        let restricted = stage.data("restricted_reg", (part.lead & restricts).named("lead_restricts"));
        let restricted = restricted.note("after E0 or ED");
        let open_low_only = stage.data("low_only_checked_reg", low_only).note("if so, after ED");
        let open_nul = nul_lead.map(|nul_lead| {
            stage.data("open_nul_reg", part.lead & nul_lead).note("after C0, the lead of U+0000")
        });

        let is_low = data.bits(4..TRAILING).all().named("from_b0").note("B0..BF: of a low surrogate");
        let wrong_half = is_low ^ behind_high.q;
        let below_a0 = !data.bit(TRAILING - 1);
        let excluded = restricted & open_low_only.mux(wrong_half, below_a0);
        let excluded = match open_nul {
            Some(open_nul) => excluded | open_nul & data.any(),
            None => excluded,
        };
        let excluded = excluded.named("excluded").note("the lead does not allow this unit as the next one");
        let continues = (open.q & part.trailing & !excluded).named("continues");
        let continues = continues.note("the unit continues the open sequence");
        let last_missing = missing.q.is(1).named("last_missing");

        let gathered = m.reg("gathered_reg", GATHERED).note("bits of the three octets so far");
        gathered.next_when(stage.enable, m.concat([gathered.q.bits(0..4).when(!part.lead), data]));
        let surrogate = gathered.q.bits(BELOW_SURROGATES..GATHERED).is(SURROGATE);
        let ends_high = continues & last_missing & surrogate & !behind_high.q;
        let ends_high = ends_high.named("ends_high").note("the unit makes a high surrogate whole");
        let second_half = (behind_high.q & !open.q & part.lead & restricts & low_only).named("second_half");
        let second_half = second_half.note("the unit is ED after a high surrogate");
        let unfinished = (part.lead | continues & !last_missing).named("unfinished");
        let unfinished = unfinished.note("octets are still to come after the unit");
        open.next_when(stage.enable, unfinished & !class.frame_ends);
        missing.next_when(stage.enable, part.lead.mux(part.follow, missing.q - m.lit(2, 1)));
        let waits = behind_high.q & (second_half | continues & !last_missing);
        behind_high.next_when(stage.enable, (ends_high | waits) & !class.frame_ends);

        // A pair holds the code point less 10000.
        let top = m.concat([m.lit(1, 0), gathered.q.bits(0..4)]) + m.lit(5, 1);
        let upper = m.reg("upper_reg", 5 + TRAILING).note("upper bits of the pair's code point");
        let fresh = m.concat([top.named("top"), data]);
        if pace.is_of_streams() {
            // The states of a stage are loaded together.
            upper.next_when(stage.enable, behind_high.q.mux(upper.q, fresh));
        } else {
            upper.next_when((stage.enable & !behind_high.q).named("upper_loads"), fresh);
        }
        let pair = m.concat([upper.q, gathered.q.bits(0..4)]);
        let above = behind_high.q.mux(pair, gathered.q.zext(5 + GATHERED));
        Self {
            open: open.q,
            behind_high: behind_high.q,
            continues,
            last_missing,
            second_half,
            ends_high,
            unfinished,
            low_only: open_low_only,
            above: above.when(open.q & part.trailing).named("above"),
        }
    }
}

/// The early slot: the error of a sequence that the unit breaks.
fn early<'m>(
    class: UnitClass<'m>,
    part: SequencePart<'m>,
    sequence: &Sequence<'m>,
    tags: &Tags<'m>,
) -> EarlySlot<'m> {
    let Sequence { open, behind_high, continues, last_missing, second_half, ends_high, low_only, .. } =
        *sequence;
    let (code_point, truncated) = (tags.code_point(), tags.error(ErrorKind::Truncated));
    let (surrogate, overlong) = (tags.error(ErrorKind::Surrogate), tags.error(ErrorKind::Overlong));
    let goes_on = (continues | second_half).named("goes_on").note("the unit continues its code point");
    let breaks = class.unit_valid & (open | behind_high) & !goes_on;
    let breaks = breaks.named("breaks").note("the unit breaks a sequence, which is an error");
    // Within the octets of a low surrogate, whatever breaks them cuts the pair short.
    let excluded = Tag::mux(low_only, surrogate, overlong);
    let broken = Tag::mux(part.trailing & !behind_high, excluded, truncated);
    let whole = Tag::mux(ends_high, surrogate, code_point);
    let inside = Tag::mux(continues, Tag::mux(last_missing, whole, truncated), broken).named("inside");
    let alone = Tag::mux(class.unit_valid, class.alone, code_point);
    let stays_alone = (behind_high & !second_half).named("stays_alone");
    let outside = Tag::mux(stays_alone, surrogate, alone).named("outside");
    EarlySlot {
        is: breaks,
        first: Tag::mux(open, inside, outside),
        data: None,
        number: None,
        last: class.frame_ends & !breaks,
        held: Some(part.stage),
    }
}

/// The slot of the unit itself, or of a sequence that the end of the frame cuts short.
fn own<'m>(
    class: UnitClass<'m>,
    sequence: &Sequence<'m>,
    payload: Signal<'m>,
    tags: &Tags<'m>,
) -> OwnSlot<'m> {
    let UnitClass { unit_valid, frame_ends, .. } = class;
    let Sequence { open, behind_high, continues, last_missing, ends_high, unfinished, .. } = *sequence;
    let (is, keep) = match class.single {
        None => {
            let keep = (unit_valid | open | behind_high).named("own_keep");
            let keep = keep.note("there is a slot, not only the end of a frame");
            (unit_valid & !(unfinished | ends_high) | frame_ends, keep)
        }
        Some(single) => {
            let whole = last_missing & !ends_high;
            let keep = continues.mux(whole, single & unit_valid).named("own_keep");
            (keep | frame_ends, keep.note("there is a slot that is not dropped"))
        }
    };
    OwnSlot {
        is: is.named("own").note("the unit, or the end of the frame, makes a slot"),
        keep,
        tag: Tag::mux(unit_valid, class.alone, tags.code_point()).named("own"),
        above: Some(sequence.above),
        low: Some(payload),
    }
}
