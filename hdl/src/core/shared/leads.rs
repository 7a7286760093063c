//! The units of a prefix system as a decoder sees them: what a unit means by the ones it begins with, and what a lead
//! unit says of its sequence.
//!
//! Some leads restrict the first trailing unit behind them, as Table 3-7 of the Unicode Standard shows for UTF-8:
//! behind E0, anything below A0 would be overlong; behind ED, anything above 9F a surrogate. In all prefix systems such
//! a restriction is about a few *checked bits* at the top of the trailing unit's data. Either one of them must be set
//! (E0, F0), or, behind a *low-only* lead, none may be (ED, F4).

use super::error_kind::ErrorKind;
use super::forms::{SequenceForm, SequenceForms, UnitPattern};
use super::ports::SLOT_DATA_BITS;
use super::tags::{Tag, TagStyle};
use crate::core::System;
use crate::netlist::{Builder, Signal};

/// The surrogates without their last eleven bits.
const SURROGATE_BITS: u128 = 0xd800 >> 11;
const BELOW_SURROGATES: u32 = 11;

/// What a unit means by the ones it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Meaning {
    /// The lead of the form with so many trailing units.
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

    /// The same leads where a unit that is neither lead nor trailing opens a run or a sequence of another kind.
    pub(in crate::core) fn with_openers(self) -> Self {
        Self { opens: true, ..self }
    }

    /// The same leads where U+0000 is an error.
    pub(in crate::core) fn without_nul(self) -> Self {
        Self { nul_is_error: true, ..self }
    }

    /// The same leads where two surrogates of three units each, a high one and a low one, are a code point.
    pub(in crate::core) fn with_surrogate_pairs(self) -> Self {
        Self { surrogate_pairs: true, ..self }
    }

    /// The same leads where U+0000 has two units, and is an error in one.
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
        let overlong =
            self.forms.forms.iter().any(|form| !form.is_used() || self.checked_bits(form).is_some());
        let neither = (0..=self.forms.unit_bits).any(|ones| self.meanings(ones)[0] == Meaning::Neither);
        let out_of_range = self.low_only_kinds().iter().any(|(_, kind)| *kind == ErrorKind::OutOfRange);
        let kinds = [
            (ErrorKind::Unexpected, self.forms.trailing.is_some()),
            (ErrorKind::Truncated, self.has_sequences()),
            (ErrorKind::Overlong, overlong),
            (ErrorKind::Surrogate, !self.forms.surrogates || self.pairs_are_errors),
            (ErrorKind::OutOfRange, out_of_range),
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
            assert!(least.is_power_of_two(), "the leads of overlong forms are those below a power of two");
            return Some((ErrorKind::Overlong, least));
        }
        (most + 1 < 1 << data).then_some((ErrorKind::OutOfRange, most + 1))
    }

    /// The first and last code point whose sequences begin with a lead of a form. `None` if the form has an offset.
    pub(super) fn code_points(&self, form: usize, lead: u64) -> Option<(u128, u128)> {
        let form = self.form(form);
        if form.trailing > 0 && form.first == 0 {
            return None;
        }
        if self.is_lead_of_nul(form, lead) {
            return Some((0, 0));
        }
        let (below, data) = (form.bits - form.lead.data_bits, u128::from(lead - form.lead.marker));
        let first = form.first.max(data << below);
        let edge = match self.low_only_data(form) {
            Some(low_only) if u128::from(low_only) == data => below - self.checked_bits(form)?,
            _ => below,
        };
        Some((first, form.last.min((data << below) + (1 << edge) - 1)))
    }

    /// The first and last unit that may follow a lead that restricts the first trailing unit. `None` for any other
    /// lead.
    pub(super) fn second_units(&self, form: usize, lead: u64) -> Option<(u64, u64)> {
        let form = self.form(form);
        if self.is_lead_of_nul(form, lead) {
            let trailing = self.forms.trailing?;
            return Some((trailing.marker, trailing.marker));
        }
        let (trailing, checked) = (self.forms.trailing?, self.checked_bits(form)?);
        let (all, edge) = ((1 << trailing.data_bits) - 1, 1 << (trailing.data_bits - checked));
        match lead - form.lead.marker {
            0 => Some((trailing.marker + edge, trailing.marker + all)),
            data if Some(data) == self.low_only_data(form) => {
                // High surrogates are half of what lies past the edge.
                let high = if self.surrogate_pairs { edge / 2 } else { 0 };
                Some((trailing.marker, trailing.marker + edge + high - 1))
            }
            _ => None,
        }
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
            ErrorKind::Overlong => !data.bits(from.trailing_zeros()..data.width()).any(),
            _ => m.lit(data.width(), from - 1).lt(data),
        })
    }

    /// How many bits of the first trailing unit are checked against an overlong form. `None` if the lead alone tells
    /// overlong forms.
    fn checked_bits(&self, form: &SequenceForm) -> Option<u32> {
        let below = form.bits - form.lead.data_bits;
        if form.trailing == 0 || !form.is_used() || form.first == 0 || form.first >> below > 0 {
            return None;
        }
        let trailing_bits = self.forms.trailing_bits();
        Some(trailing_bits - (form.first >> (below - trailing_bits)).trailing_zeros())
    }

    /// The data of the form's low-only lead. `None` if the form has none.
    fn low_only_data(&self, form: &SequenceForm) -> Option<u64> {
        let below = form.bits - form.lead.data_bits;
        let edge = form.bits - form.lead.data_bits - self.checked_bits(form)?;
        if !self.forms.surrogates && edge == BELOW_SURROGATES {
            return Some((SURROGATE_BITS << BELOW_SURROGATES >> below) as u64);
        }
        let last = form.last >> edge;
        (form.last + 1 < 1 << form.bits).then(|| {
            assert_eq!(
                (last + 1) << edge,
                form.last + 1,
                "the first trailing unit tells what is past the last code point"
            );
            (form.last >> below) as u64
        })
    }

    /// Whether a lead of the form restricts the first trailing unit. `None` if none does.
    pub(in crate::core) fn restricting_data<'m>(
        &self,
        m: &'m Builder,
        form: usize,
        unit: Signal<'m>,
    ) -> Option<Signal<'m>> {
        let form = self.form(form);
        self.checked_bits(form)?;
        let data = form.lead.data_bits;
        if data == 0 {
            return Some(m.lit(1, 1));
        }
        let zeros = !unit.bits(0..data).any();
        Some(match self.low_only_data(form) {
            Some(low_only) => zeros | unit.bits(0..data).is(low_only),
            None => zeros,
        })
    }

    /// Whether some lead restricts the first trailing unit.
    pub(in crate::core) fn some_restrict(&self) -> bool {
        self.forms.forms.iter().any(|form| self.checked_bits(form).is_some())
    }

    /// Whether all leads do.
    pub(in crate::core) fn all_restrict(&self) -> bool {
        let leads = || self.forms.forms.iter().filter(|form| form.trailing > 0 && form.is_used());
        leads().all(|form| form.lead.data_bits == 0 && self.checked_bits(form).is_some())
    }

    /// The bit of a restricting lead that says that it is low-only. `None` if no lead is.
    pub(in crate::core) fn low_only_bit(&self) -> Option<u32> {
        let restricting = || self.forms.forms.iter().filter(|form| self.checked_bits(form).is_some());
        let low_only = restricting().filter_map(|form| Some(form.lead.marker | self.low_only_data(form)?));
        let common = low_only.reduce(|a, b| a & b)?;
        let others = restricting().fold(0, |any, form| any | form.lead.marker);
        let bit = (0..self.forms.unit_bits).rev().find(|bit| (common & !others) >> bit & 1 == 1);
        Some(bit.expect("some bit is set in low-only leads alone"))
    }

    /// The error of a trailing unit with a checked bit behind a low-only lead, by the number of trailing units that the
    /// lead asks for.
    pub(in crate::core) fn low_only_kinds(&self) -> Vec<(usize, ErrorKind)> {
        let of = self.forms.forms.iter().enumerate();
        of.filter(|(_, form)| self.low_only_data(form).is_some())
            .map(|(trailing, form)| {
                let cut_short = form.last + 1 < 1 << form.bits;
                (trailing, if cut_short { ErrorKind::OutOfRange } else { ErrorKind::Surrogate })
            })
            .collect()
    }

    /// For each bit at the top of the first trailing unit that is ever checked, the topmost first: the fewest trailing
    /// units of forms where it is.
    pub(in crate::core) fn fewest_trailing_by_checked_bit(&self) -> Vec<usize> {
        let checked: Vec<(usize, u32)> = (0..self.forms.forms.len())
            .filter_map(|form| Some((form, self.checked_bits(self.form(form))?)))
            .collect();
        let most = checked.iter().map(|(_, bits)| *bits).max().unwrap_or(0);
        assert!(checked.is_sorted_by_key(|(_, bits)| *bits), "longer forms have more bits checked");
        let fewest = |bit| checked.iter().find(|(_, bits)| *bits >= bit).expect("one has the most").0;
        (1..=most).map(fewest).collect()
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

    /// The layouts of lead and trailing units that begin with so many ones, with what they mean.
    pub(super) fn defined(&self, ones: u32) -> impl Iterator<Item = (Meaning, UnitPattern)> {
        self.meanings(ones).into_iter().filter_map(|meaning| match meaning {
            Meaning::Lead(form) => Some((meaning, self.form(form).lead)),
            Meaning::Trailing => Some((meaning, self.forms.trailing?)),
            Meaning::Neither => None,
        })
    }

    /// What units mean that begin with so many ones. There are two meanings if the bit behind the zero tells them
    /// apart; that of a 0 is the first.
    fn meanings(&self, ones: u32) -> Vec<Meaning> {
        let leads = self.forms.forms.iter().enumerate();
        let leads = leads.map(|(form, sized)| (Meaning::Lead(form), sized.lead));
        let trailing = self.forms.trailing.map(|pattern| (Meaning::Trailing, pattern));
        let mut found: Vec<(Meaning, UnitPattern)> =
            trailing.into_iter().chain(leads).filter(|(_, pattern)| self.ones(*pattern) == ones).collect();
        found.sort_by_key(|(_, pattern)| pattern.marker);
        assert!(found.len() <= 2, "one bit tells two meanings apart");
        if found.is_empty() { vec![Meaning::Neither] } else { found.into_iter().map(|(m, _)| m).collect() }
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
