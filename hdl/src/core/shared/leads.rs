//! The units of a prefix system as a decoder sees them: what a unit means by the ones it begins with, and what a lead
//! unit says of its sequence.
//!
//! Some leads restrict the first trailing unit after them, as Table 3-7 of the Unicode Standard shows for UTF-8: after E0, anything
//! below A0 would be overlong; after ED, anything above 9F a surrogate. Which do, and what they exclude, is found by trying every lead
//! with every trailing unit ([`SequenceForms::accepted`]). A lead is *low-only* if it accepts the least trailing unit (ED, F4), and
//! not if that would be overlong (E0, F0).

use std::ops::Range;

use super::error_kind::ErrorKind;
use super::forms::{Accepted, SequenceForm, SequenceForms, UnitPattern};
use super::ports::SLOT_DATA_BITS;
use super::tags::{Tag, TagStyle};
use crate::core::System;
use crate::netlist::{Builder, Signal};

/// The meaning of a unit by its leading ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Meaning {
    /// The lead of the form with this number of trailing units.
    Lead(usize),
    Trailing,
    Neither,
}

/// The lead units of a prefix system, and how its decoder treats units that are neither lead nor trailing.
#[derive(Clone, Debug)]
pub(in crate::core) struct Leads {
    pub(in crate::core) forms: SequenceForms,
    /// The error of a unit that is neither lead nor trailing.
    neither: ErrorKind,
    /// A unit that is neither lead nor trailing opens a run or a sequence of another kind.
    opens: bool,
    /// The unit 0 is U+0000, which is an error.
    nul_is_error: bool,
    /// U+0000 has the form of two units, in which it would otherwise be overlong.
    nul_is_pair: bool,
    /// Two surrogates in the form of three units, a high one and a low one, are a supplementary code point.
    surrogate_pairs: bool,
    /// The low surrogate of such two is an error.
    pairs_are_errors: bool,
}

/// A lead that restricts the first trailing unit.
pub(in crate::core) struct Restricting {
    /// The form of the lead.
    pub(in crate::core) form: usize,
    /// The bits of the code point in the lead.
    data: u64,
    accepted: Accepted,
}

impl Restricting {
    /// Whether it accepts the least trailing unit.
    pub(in crate::core) fn is_low_only(&self) -> bool {
        self.accepted.contains(0)
    }

    /// Whether it excludes a trailing unit with this data.
    pub(in crate::core) fn excludes(&self, data: u64) -> bool {
        !self.accepted.contains(data)
    }
}

impl UnitPattern {
    /// Whether `unit` has the marker.
    pub(in crate::core) fn matches<'m>(self, unit: Signal<'m>) -> Signal<'m> {
        unit.bits(self.data_bits..unit.width()).is(self.marker >> self.data_bits)
    }
}

impl Leads {
    /// The leads of `forms`, in a system where a unit that is neither lead nor trailing is an error of the kind
    /// `neither`.
    pub(in crate::core) fn new(forms: SequenceForms, neither: ErrorKind) -> Self {
        Self {
            forms,
            neither,
            opens: false,
            nul_is_error: false,
            nul_is_pair: false,
            surrogate_pairs: false,
            pairs_are_errors: false,
        }
    }

    /// The leads of a prefix system.
    ///
    /// # Panics
    /// If it is no prefix system.
    pub(in crate::core) fn of(system: System) -> Self {
        let forms = SequenceForms::of(system).expect("a prefix system");
        Self { pairs_are_errors: system == System::Wtf8, ..Self::new(forms, ErrorKind::Invalid) }
    }

    /// Makes a unit that is neither lead nor trailing open a run or a sequence of another kind.
    pub(in crate::core) fn with_openers(self) -> Self {
        Self { opens: true, ..self }
    }

    /// Makes U+0000 an error.
    pub(in crate::core) fn without_nul(self) -> Self {
        Self { nul_is_error: true, ..self }
    }

    /// Makes two surrogates of three units each, a high one and a low one, a code point.
    pub(in crate::core) fn with_surrogate_pairs(self) -> Self {
        Self { surrogate_pairs: true, ..self }
    }

    /// Gives U+0000 two units, and makes it an error in one.
    pub(in crate::core) fn with_nul_of_two_units(self) -> Self {
        Self { nul_is_pair: true, nul_is_error: true, ..self }
    }

    /// Whether U+0000 has two units.
    pub(in crate::core) fn nul_is_pair(&self) -> bool {
        self.nul_is_pair
    }

    /// Whether the sequences of two surrogates are code points.
    pub(super) fn has_surrogate_pairs(&self) -> bool {
        self.surrogate_pairs
    }

    /// Whether the low surrogate of a pair is an error, and all other surrogates are code points.
    pub(in crate::core) fn pairs_are_errors(&self) -> bool {
        self.pairs_are_errors
    }

    /// Whether the unit 0 is an error.
    pub(in crate::core) fn nul_is_error(&self) -> bool {
        self.nul_is_error
    }

    /// Whether a unit that is neither lead nor trailing opens a run or a sequence of another kind.
    pub(in crate::core) fn has_openers(&self) -> bool {
        self.opens
    }

    /// The error of a unit that is neither lead nor trailing.
    pub(in crate::core) fn kind_of_neither(&self) -> ErrorKind {
        self.neither
    }

    /// Whether some sequence has more than one unit.
    pub(in crate::core) fn has_sequences(&self) -> bool {
        self.longest() > 0
    }

    /// Whether there are code points of 2^32 or more.
    pub(in crate::core) fn is_long(&self) -> bool {
        self.forms.last() >> SLOT_DATA_BITS > 0
    }

    /// How many bits of a slot's data are in use.
    pub(in crate::core) fn code_bits(&self) -> u32 {
        (u128::BITS - self.forms.last().leading_zeros()).clamp(1, SLOT_DATA_BITS)
    }

    /// The kinds of error that a decoder with this kind of tags tells.
    pub(in crate::core) fn kinds(&self, style: TagStyle) -> Vec<ErrorKind> {
        if style.drops_errors() {
            // The only error slots are those in place of limbs.
            return vec![ErrorKind::Truncated];
        }
        let wrong: Vec<ErrorKind> = self.leads().filter_map(|(_, _, accepted)| accepted.otherwise).collect();
        let neither = (0..=self.forms.unit_bits).any(|ones| self.meanings(ones)[0] == Meaning::Neither);
        let kinds = [
            (ErrorKind::Unexpected, self.forms.trailing.is_some()),
            (ErrorKind::Truncated, self.has_sequences()),
            (ErrorKind::Overlong, wrong.contains(&ErrorKind::Overlong)),
            (ErrorKind::Surrogate, !self.forms.surrogates || self.pairs_are_errors),
            (ErrorKind::OutOfRange, wrong.contains(&ErrorKind::OutOfRange)),
            (self.neither, neither),
            (ErrorKind::Nul, self.nul_is_error),
        ];
        kinds.into_iter().filter(|(_, there)| *there).map(|(kind, _)| kind).collect()
    }

    /// The most trailing units of a sequence.
    pub(in crate::core) fn longest(&self) -> usize {
        self.forms.forms.iter().rposition(SequenceForm::is_used).expect("a system has a form")
    }

    /// Bits of the number of trailing units.
    pub(in crate::core) fn missing_bits(&self) -> u32 {
        usize::BITS - self.longest().leading_zeros()
    }

    fn form(&self, form: usize) -> &SequenceForm {
        &self.forms.forms[form]
    }

    /// Whether all sequences of the form are overlong.
    pub(in crate::core) fn is_never_used(&self, form: usize) -> bool {
        !self.form(form).is_used()
    }

    /// The data of leads that begin no sequence, by the error that such a lead is: below `from` it is overlong, from
    /// `from` on it is out of range. `None` if some sequence begins with every lead of the form.
    pub(super) fn bad_leads(&self, form: usize) -> Option<(ErrorKind, u64)> {
        let form = self.form(form);
        let data = form.lead.data_bits;
        let below = form.bits - data;
        let (least, most) = ((form.first >> below) as u64, (form.last >> below) as u64);
        if form.trailing > 0 && least > 0 {
            return Some((ErrorKind::Overlong, least));
        }
        (most + 1 < 1 << data).then_some((ErrorKind::OutOfRange, most + 1))
    }

    /// The leads of sequences of more than one unit: their form, their data, and what they say of the first trailing unit.
    fn leads(&self) -> impl Iterator<Item = (usize, u64, Accepted)> {
        let forms = self.forms.forms.iter().enumerate().filter(|(_, form)| form.trailing > 0);
        forms.flat_map(move |(index, form)| {
            (0..1 << form.lead.data_bits).map(move |data| (index, data, self.forms.accepted(form, data)))
        })
    }

    /// The leads that restrict the first trailing unit, shorter forms first.
    pub(in crate::core) fn restricting(&self) -> Vec<Restricting> {
        let leads =
            self.leads().filter(|(_, _, accepted)| !accepted.data.is_empty() && accepted.otherwise.is_some());
        leads.map(|(form, data, accepted)| Restricting { form, data, accepted }).collect()
    }

    /// The code points whose sequences begin with a lead of a form, as ranges. `None` if the form has an offset.
    pub(super) fn code_points(&self, form: usize, lead: u64) -> Option<Vec<(u128, u128)>> {
        let form = self.form(form);
        if form.trailing == 0 {
            return Some(vec![(lead.into(), lead.into())]);
        }
        if form.first == 0 {
            return None;
        }
        if self.is_lead_of_nul(form, lead) {
            return Some(vec![(0, 0)]);
        }
        let data = lead - form.lead.marker;
        let below = form.bits - form.lead.data_bits;
        let edge = |second: u64| {
            (u128::from(data) << below) + (u128::from(second) << (below - self.forms.trailing_bits()))
        };
        let range = |run: &Range<u64>| (edge(run.start).max(form.first), (edge(run.end) - 1).min(form.last));
        Some(self.forms.accepted(form, data).data.iter().map(range).collect())
    }

    /// The units that may follow a lead that restricts the first trailing unit, as ranges. `None` for any other lead.
    pub(super) fn second_units(&self, form: usize, lead: u64) -> Option<Vec<(u64, u64)>> {
        let form = self.form(form);
        let trailing = self.forms.trailing?;
        if self.is_lead_of_nul(form, lead) {
            return Some(vec![(trailing.marker, trailing.marker)]);
        }
        let accepted = self.forms.accepted(form, lead - form.lead.marker);
        accepted.otherwise.filter(|_| !accepted.data.is_empty())?;
        let begins_pairs = self.surrogate_pairs && accepted.otherwise == Some(ErrorKind::Surrogate);
        // High surrogates are half of what lies past the edge.
        let end = |run: &Range<u64>| if begins_pairs { run.end + run.end / 2 } else { run.end };
        let range = |run: &Range<u64>| (trailing.marker + run.start, trailing.marker + end(run) - 1);
        Some(accepted.data.iter().map(range).collect())
    }

    /// Whether U+0000 has two units of which this is the first.
    fn is_lead_of_nul(&self, form: &SequenceForm, lead: u64) -> bool {
        self.nul_is_pair && form.trailing == 1 && lead == form.lead.marker
    }

    /// Whether no sequence begins with a lead of the form. `None` if some sequence begins with every such lead.
    pub(in crate::core) fn bad_data<'m>(
        &self,
        m: &'m Builder,
        form: usize,
        unit: Signal<'m>,
    ) -> Option<Signal<'m>> {
        let (kind, from) = self.bad_leads(form)?;
        let data = unit.bits(0..self.form(form).lead.data_bits);
        Some(match kind {
            ErrorKind::Overlong if self.nul_is_pair => data.within(1, from - 1),
            ErrorKind::Overlong if from.is_power_of_two() => {
                !data.bits(from.trailing_zeros()..data.width()).any()
            }
            ErrorKind::Overlong => data.lt(m.lit(data.width(), from)),
            _ => m.lit(data.width(), from - 1).lt(data),
        })
    }

    /// Whether a lead of the form restricts the first trailing unit. `None` if none does.
    pub(in crate::core) fn restricting_data<'m>(
        &self,
        m: &'m Builder,
        form: usize,
        unit: Signal<'m>,
    ) -> Option<Signal<'m>> {
        let bits = self.form(form).lead.data_bits;
        let is = |lead: &Restricting| match lead.data {
            _ if bits == 0 => m.lit(1, 1),
            0 => !unit.bits(0..bits).any(),
            data => unit.bits(0..bits).is(data),
        };
        self.restricting().iter().filter(|lead| lead.form == form).map(is).reduce(|a, b| a | b)
    }

    /// Whether some lead restricts the first trailing unit.
    pub(in crate::core) fn some_restrict(&self) -> bool {
        !self.restricting().is_empty()
    }

    /// Whether all leads do.
    pub(in crate::core) fn all_restrict(&self) -> bool {
        let mut leads = self.leads().filter(|(_, _, accepted)| !accepted.data.is_empty());
        leads.all(|(_, _, accepted)| accepted.otherwise.is_some())
    }

    /// The bit of a restricting lead that says that it is low-only. `None` if no lead is.
    pub(in crate::core) fn low_only_bit(&self) -> Option<u32> {
        let unit = |lead: &Restricting| self.form(lead.form).lead.marker | lead.data;
        let (low_only, others): (Vec<_>, Vec<_>) =
            self.restricting().into_iter().partition(Restricting::is_low_only);
        let common = low_only.iter().map(unit).reduce(|a, b| a & b)?;
        let others = others.iter().map(unit).fold(0, |any, unit| any | unit);
        let bit = (0..self.forms.unit_bits).rev().find(|bit| (common & !others) >> bit & 1 == 1);
        Some(bit.expect("some bit is set in low-only leads alone"))
    }

    /// The error of a trailing unit that a low-only lead excludes, by the number of trailing units that the lead asks for.
    pub(in crate::core) fn low_only_kinds(&self) -> Vec<(usize, ErrorKind)> {
        let low_only = self.restricting().into_iter().filter(Restricting::is_low_only);
        low_only.filter_map(|lead| Some((lead.form, lead.accepted.otherwise?))).collect()
    }

    /// For each bit at the top of the first trailing unit that is ever checked, the topmost first: the fewest trailing units of forms
    /// in which it is. A lead that is low-only accepts a trailing unit if none of its checked bits is set, and any other restricting
    /// lead if one is. `None` if the leads of some form accept more than that can say.
    pub(in crate::core) fn fewest_trailing_by_checked_bit(&self) -> Option<Vec<usize>> {
        let trailing_bits = self.forms.trailing_bits();
        let checked = |lead: &Restricting| {
            let edge = match lead.accepted.data[..] {
                [Range { start: 0, end }] => end,
                [Range { start, end }] if end == 1 << trailing_bits => start,
                _ => return None,
            };
            edge.is_power_of_two().then(|| (lead.form, trailing_bits - edge.trailing_zeros()))
        };
        let mut forms: Vec<(usize, u32)> = self.restricting().iter().map(checked).collect::<Option<_>>()?;
        forms.dedup();
        // Each form has a number of checked bits, and longer forms have more.
        let is_growing = forms.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1);
        let most = forms.last().filter(|_| is_growing)?.1;
        let fewest = |bit| forms.iter().find(|(_, bits)| *bits >= bit).expect("one has the most").0;
        Some((1..=most).map(fewest).collect())
    }

    /// The data of trailing units that some lead excludes, in regions; each lead excludes all of a region or none. The least first.
    pub(in crate::core) fn excluded_regions(&self) -> Vec<Vec<Range<u64>>> {
        let leads = self.restricting();
        let excluding = |data| leads.iter().map(|lead| lead.excludes(data)).collect::<Vec<bool>>();
        let mut regions: Vec<(Vec<bool>, Vec<Range<u64>>)> = Vec::new();
        for data in 0..1 << self.forms.trailing_bits() {
            let by = excluding(data);
            let known = regions.iter_mut().find(|(of, _)| *of == by).map(|(_, runs)| runs);
            let run = data..data + 1;
            match known {
                Some(runs) if runs[runs.len() - 1].end == data => {
                    runs.last_mut().expect("a region has a run").end += 1;
                }
                Some(runs) => runs.push(run),
                None => regions.push((by, Vec::from([run]))),
            }
        }
        regions.into_iter().filter(|(by, _)| by.contains(&true)).map(|(_, runs)| runs).collect()
    }

    /// The fewest ones that a lead of more than one unit begins with.
    pub(in crate::core) fn fewest_ones_of_a_lead(&self) -> u32 {
        self.forms.forms[1..].iter().map(|form| self.ones(form.lead)).min().expect("there are sequences")
    }

    /// How many ones the marker begins with.
    fn ones(&self, pattern: UnitPattern) -> u32 {
        (!(pattern.marker << (64 - self.forms.unit_bits))).leading_zeros()
    }

    /// The fewest ones that a unit begins with whose marker includes this bit. `None` if the bit is never part of a
    /// marker.
    pub(in crate::core) fn ones_above(&self, bit: u32) -> Option<u32> {
        let leads = self.forms.forms.iter().map(|form| form.lead);
        let patterns = leads.chain(self.forms.trailing);
        patterns.filter(|pattern| pattern.data_bits <= bit).map(|pattern| self.ones(pattern)).min()
    }

    /// The most ones that a lead or trailing unit begins with.
    pub(super) fn most_defined_ones(&self) -> u32 {
        let is_defined = |&ones: &u32| self.meanings(ones)[0] != Meaning::Neither;
        (0..=self.forms.unit_bits).rev().find(is_defined).expect("a system has a form")
    }

    /// The layouts of units that begin with `ones` ones, and what those mean. There are two if the bit after the zero distinguishes
    /// them; that of a 0 is the first.
    pub(super) fn defined(&self, ones: u32) -> Vec<(Meaning, UnitPattern)> {
        let width = self.forms.unit_bits;
        let begins = |pattern: UnitPattern| {
            let first = self.ones(pattern);
            // A marker of ones alone can have further ones below it.
            let last = if first + pattern.data_bits == width { width } else { first };
            (first..=last).contains(&ones)
        };
        let leads = self.forms.forms.iter().enumerate().skip(1);
        let leads = leads.map(|(form, sized)| (Meaning::Lead(form), sized.lead));
        let singles = self.forms.singles().map(|single| (Meaning::Lead(0), single));
        let trailing = self.forms.trailing.map(|pattern| (Meaning::Trailing, pattern));
        let all = trailing.into_iter().chain(singles).chain(leads);
        let mut found: Vec<(Meaning, UnitPattern)> = all.filter(|&(_, pattern)| begins(pattern)).collect();
        found.sort_by_key(|(_, pattern)| pattern.marker);
        assert!(found.len() <= 2, "one bit distinguishes two meanings");
        found
    }

    /// The meanings of units that begin with `ones` ones, in the order of [`defined`](Self::defined).
    fn meanings(&self, ones: u32) -> Vec<Meaning> {
        let found = self.defined(ones);
        if found.is_empty() { vec![Meaning::Neither] } else { found.into_iter().map(|(m, _)| m).collect() }
    }

    /// Whether a unit is no code point by itself, unless it is U+0000.
    pub(in crate::core) fn is_no_single<'m>(&self, unit: Signal<'m>) -> Signal<'m> {
        let top = unit.bit(unit.width() - 1);
        self.forms.more_singles.map_or(top, |more| top & !more.matches(unit))
    }

    /// Whether `missing`, a number of trailing units, is at least `least`.
    pub(in crate::core) fn at_least<'m>(&self, missing: Signal<'m>, least: u64) -> Signal<'m> {
        if self.longest() as u64 == least {
            return missing.is(least);
        }
        missing.within(least, (1 << missing.width()) - 1)
    }

    /// Chooses by the number of ones that a unit begins with. A unit that begins with fewer than `fewest` counts as one
    /// of `fewest`.
    fn by_ones_of<'m, T: Copy>(
        &self,
        unit: Signal<'m>,
        fewest: u32,
        leaf: &dyn Fn(Meaning) -> T,
        mux: fn(Signal<'m>, T, T) -> T,
    ) -> T {
        let width = unit.width();
        let choose = |ones: u32| match self.meanings(ones)[..] {
            [zero, one] => mux(unit.bit(width - 2 - ones), leaf(one), leaf(zero)),
            [only] => leaf(only),
            _ => unreachable!("one or two"),
        };
        (fewest..width)
            .rev()
            .fold(choose(width), |more, ones| mux(!unit.bit(width - 1 - ones), choose(ones), more))
    }

    /// A signal by what the unit means. A unit that begins with fewer than `fewest` ones counts as one of `fewest`.
    pub(in crate::core) fn by_ones<'m>(
        &self,
        unit: Signal<'m>,
        fewest: u32,
        leaf: &dyn Fn(Meaning) -> Signal<'m>,
    ) -> Signal<'m> {
        self.by_ones_of(unit, fewest, leaf, Signal::mux)
    }

    /// A tag by what the unit means.
    pub(in crate::core) fn by_ones_tag<'m>(
        &self,
        unit: Signal<'m>,
        leaf: &dyn Fn(Meaning) -> Tag<'m>,
    ) -> Tag<'m> {
        self.by_ones_of(unit, 0, leaf, Tag::mux)
    }
}
