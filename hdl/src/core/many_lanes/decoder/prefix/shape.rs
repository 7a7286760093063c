//! Facts about a prefix system that shape the lanes of its decoder: the longest sequence, the regions of first trailing units that
//! leads distinguish, and the layout of a slot.

use std::collections::BTreeSet;
use std::ops::Range;

use super::long::{Limbs, limbs};
use crate::core::Verdict;
use crate::core::many_lanes::decoder::front::{Build, Placement};
use crate::core::many_lanes::decoder::slot::Layout;
use crate::core::many_lanes::decoder::utf_inf_8::Tails;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::{Accepted, SequenceForm};
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::shared::tags::TagStyle;
use crate::core::spec::ErrorMode;

/// Octets before the last one of a pair of surrogates.
const OCTETS_BEFORE_PAIR: usize = 5;

/// Stages in which offsets are chosen and added.
const STAGES_OF_OFFSETS: u32 = 2;

/// Facts about a system, with the options of its decoder.
pub(in crate::core::many_lanes) struct Shape {
    pub(in crate::core::many_lanes) leads: Leads,
    pub(in crate::core::many_lanes) layout: Layout,
    /// The kinds of error.
    kinds: Vec<ErrorKind>,
    pub(super) drops: bool,
    /// The forms have offsets, seed 004.
    pub(super) has_offsets: bool,
    /// Code points of 2^32 or more go out as a head and limbs.
    has_parts: bool,
    /// Bits of a code point, in a slot of its own.
    code_bits: u32,
    /// The most trailing units of a sequence.
    pub(in crate::core::many_lanes) longest: usize,
    /// The ranges of data of first trailing units, split where some lead accepts only one side.
    pub(in crate::core::many_lanes) regions: Vec<Range<u64>>,
    /// The units that are neither lead nor trailing open sequences of another kind.
    pub(in crate::core::many_lanes) tails: Option<Tails>,
    /// The marks of a validator, for which no slot is made.
    pub(super) verdict: Option<Verdict>,
    /// The units of the mark that makes no slot at the start of a frame.
    pub(super) mark: Option<Vec<u64>>,
}

impl Shape {
    pub(in crate::core::many_lanes) fn new(leads: Leads, on_error: ErrorMode, placement: Placement) -> Self {
        let drops = on_error == ErrorMode::Drop;
        let kinds = leads.kinds(TagStyle::Codes(on_error));
        let kinds = if drops && !leads.is_long() { Vec::new() } else { kinds };
        let has_parts = leads.is_long() && placement != Placement::InPlace;
        let code_bits = match leads.is_long() && !has_parts {
            true => u128::BITS - leads.forms.last().leading_zeros(),
            false => leads.code_bits(),
        };
        let layout = Layout::new(code_bits, &kinds, has_parts);
        let longest = leads.longest();
        let mut edges: Vec<u64> = vec![0, 1 << leads.forms.trailing_bits()];
        for form in leads.forms.forms.iter().filter(|form| form.trailing > 0) {
            for lead in 0..1 << form.lead.data_bits {
                let data = leads.forms.accepted(form, lead).data;
                edges.extend(data.iter().flat_map(|run| [run.start, run.end]));
                if has_parts && form.is_used() {
                    let limbs = |data| limbs(form, leads.forms.trailing_bits(), lead, data);
                    let accepted = data.into_iter().flat_map(|run| run.skip(1));
                    edges.extend(accepted.filter(|&data| limbs(data) != limbs(data - 1)));
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let regions = edges.windows(2).map(|edges| edges[0]..edges[1]).collect();
        Self {
            leads,
            layout,
            kinds,
            drops,
            has_offsets: false,
            has_parts,
            code_bits,
            longest,
            regions,
            tails: None,
            verdict: None,
            mark: None,
        }
    }

    /// This shape with a mark that can open a frame and makes no slot.
    pub(in crate::core::many_lanes) fn with_mark(self, mark: &[u64]) -> Self {
        Self { mark: Some(mark.to_vec()), ..self }
    }

    /// This shape in the decoder of `build`.
    pub(super) fn of(self, build: Build) -> Self {
        Self { layout: self.layout.of(build), ..self }
    }

    /// This shape for a validator.
    pub(in crate::core::many_lanes) fn for_validator(self, verdict: Verdict) -> Self {
        Self { verdict: Some(verdict), ..self }
    }

    /// This shape with an offset for each form, as Corrected UTF-8 has them.
    pub(in crate::core::many_lanes) fn with_offsets(self) -> Self {
        let layout = Layout::new(SLOT_DATA_BITS, &self.kinds, self.has_parts);
        Self { layout, has_offsets: true, ..self }
    }

    /// This shape with the tails of UTF-∞-8; the leads are those of the short forms.
    pub(in crate::core::many_lanes) fn with_tails(self, tails: Tails) -> Self {
        let kinds: Vec<ErrorKind> = self.kinds.iter().copied().chain(tails.kinds()).collect();
        let layout = Layout::new(self.code_bits, &kinds, self.has_parts);
        Self { layout, kinds, tails: Some(tails), ..self }
    }

    /// Whether there are sequences of more than one unit.
    pub(in crate::core::many_lanes) fn has_sequences(&self) -> bool {
        self.longest > 0
    }

    /// Whether the low surrogate of a pair is an error.
    pub(in crate::core::many_lanes) fn has_pairs(&self) -> bool {
        self.leads.pairs_are_errors()
    }

    /// The number of units before a unit that decide which slot it ends.
    pub(super) fn units_before(&self) -> usize {
        let of_tails = self.tails.as_ref().map_or(0, Tails::units_before);
        self.units_before_windows().max(of_tails)
    }

    /// The number of units before, without the digits of headers.
    pub(super) fn units_before_windows(&self) -> usize {
        if self.has_pairs() { OCTETS_BEFORE_PAIR } else { self.longest }
    }

    /// Whether errors have more kinds than one, and the decoder outputs them.
    pub(super) fn tells_kinds(&self) -> bool {
        (!self.drops || self.tails.is_some()) && self.layout.errors_have_data
    }

    /// Whether the decoder outputs errors.
    pub(super) fn tells_errors(&self) -> bool {
        !self.drops
    }

    /// Whether the core outputs the kind of error of a unit.
    pub(super) fn tells_kinds_of_units(&self) -> bool {
        let are_told = self.layout.errors_have_data && self.verdict.is_none_or(|verdict| verdict.kinds);
        self.tells_errors() && are_told
    }

    /// Whether the lanes ask if a unit is a code point by itself. A decoder that outputs every error does not: each unit that leaves no sequence open ends
    /// a slot. Nor does a validator, in which such a unit is as any other that is no lead.
    pub(super) fn asks_for_single_units(&self) -> bool {
        self.verdict.is_none() && (self.drops || !self.has_sequences())
    }

    /// Whether a sequence can be cut short, and the decoder outputs that error.
    pub(super) fn has_cuts(&self) -> bool {
        self.has_sequences() && self.layout.has_errors()
    }

    /// The positions of limbs, in systems with code points of 2^32 or more.
    pub(super) fn limbs(&self) -> Option<Limbs> {
        self.has_parts.then(|| Limbs::new(&self.leads.forms))
    }

    /// The regions, a bit each: a first trailing unit there, after this lead, begins a code point of `least` limbs or more.
    pub(super) fn regions_of_limbs(&self, form: usize, lead: u64, least: u64) -> u64 {
        if !self.has_parts {
            return 0;
        }
        let form = &self.leads.forms.forms[form];
        let bits = self.leads.forms.trailing_bits();
        let accepted = self.leads.forms.accepted(form, lead);
        let tells = |region: &Range<u64>| {
            accepted.contains(region.start) && limbs(form, bits, lead, region.start) >= least
        };
        (0..).zip(&self.regions).filter(|(_, region)| tells(region)).map(|(bit, _)| 1 << bit).sum()
    }

    /// Whether some code point has a third limb.
    pub(super) fn has_third_limbs(&self) -> bool {
        self.has_parts && self.leads.forms.last() >> 64 > 0
    }

    /// The trailing units that make the last limb but one certain, in some form; 2 also for a limb that goes out one unit late.
    pub(super) fn limbs_due(&self) -> BTreeSet<usize> {
        let Some(limbs) = self.limbs() else { return BTreeSet::new() };
        self.leads.forms.forms.iter().filter_map(|form| limbs.due(form)).collect()
    }

    /// Whether units open runs that are one error, and the decoder outputs that error.
    pub(in crate::core::many_lanes) fn has_runs(&self) -> bool {
        self.tells_errors() && self.leads.has_openers() && self.tails.is_none()
    }

    /// Stages from the bits of a sequence to its slot, without the last: where code points have offsets, two stages add those, and where a
    /// header counts limbs, one stage makes that number.
    pub(super) fn stages_of_value(&self) -> u32 {
        let counts_limbs = self.has_parts && self.tails.is_some();
        if self.has_offsets { STAGES_OF_OFFSETS } else { u32::from(counts_limbs) }
    }

    /// Any number of neighbours may end no slot: those of a run, or where errors are dropped.
    pub(super) fn has_endless_gaps(&self) -> bool {
        self.drops || self.has_runs() || self.tails.is_some()
    }

    /// The first trailing units that the lead of a form with this data accepts.
    pub(super) fn accepted(&self, form: usize, lead: u64) -> Accepted {
        self.leads.forms.accepted(&self.leads.forms.forms[form], lead)
    }

    /// The most bits of a code point in the unit that is `back` units before the end of its sequence.
    fn data_bits(&self, back: usize) -> u32 {
        let bits = |form: &SequenceForm| match form.trailing as usize {
            trailing if trailing > back => self.leads.forms.trailing_bits(),
            // A unit by itself has all bits of its code point.
            0 if back == 0 => form.bits,
            trailing if trailing == back => form.lead.data_bits,
            _ => 0,
        };
        let used = self.leads.forms.forms.iter().filter(|form| form.is_used());
        used.map(bits).max().unwrap_or(0)
    }

    /// The number of these bits that are in the slot at the end of the sequence.
    pub(super) fn bits_in_slot(&self, back: usize) -> u32 {
        let below = back as u32 * self.leads.forms.trailing_bits();
        self.data_bits(back).min(self.code_bits.saturating_sub(below))
    }

    /// The most bits of a unit that can be in a slot which the unit `back` units later makes certain.
    pub(super) fn bits_of_unit(&self, back: usize) -> u32 {
        let Some(limbs) = self.limbs() else { return self.bits_in_slot(back) };
        if let Some(tails) = &self.tails {
            return tails.bits_of_unit(back);
        }
        let bits_of_limb = |due: usize| {
            let (due, below) = if due == 1 { (2, limbs.below(true)) } else { (due, limbs.below(false)) };
            let above = (back as u32 * self.leads.forms.trailing_bits()).saturating_sub(below);
            if back > due { 0 } else { self.data_bits(back).min(self.code_bits.saturating_sub(above)) }
        };
        let of_limbs = self.limbs_due().into_iter().map(bits_of_limb).max().unwrap_or(0);
        of_limbs.max(self.bits_in_slot(back))
    }

    /// The trailing units, from the second on, at which the decoder has to know whether the code point has limbs.
    pub(super) fn told_at(&self) -> BTreeSet<usize> {
        let Some(limbs) = self.limbs() else { return BTreeSet::new() };
        let due = self.limbs_due().into_iter().map(|due| due.max(2));
        let open = if self.drops { 1..self.longest } else { 1..1 };
        due.chain(limbs.shortest()..=self.longest).chain(open).collect()
    }
}
