//! What the units of a prefix system are, by the ones they begin with: the forms of the system, seen by a decoder.

use super::error_kind::ErrorKind;
use super::forms::{Form, Forms, Pattern};
use super::ports::SLOT_DATA_BITS;
use super::tags::Tag;
use crate::netlist::{Builder, Signal};

/// The surrogates, but for their last eleven bits.
const SURROGATE_BITS: u128 = 0xd800 >> 11;
const BELOW_SURROGATES: u32 = 11;

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Meaning {
    /// The lead of the form with so many trailing units.
    Lead(usize),
    Trailing,
    /// Neither.
    Nothing,
}

/// The forms of a system, seen by a decoder.
#[derive(Clone, Debug)]
pub(in crate::core) struct Leads {
    pub(in crate::core) forms: Forms,
    /// What is wrong with a unit that is neither lead nor trailing.
    nothing: ErrorKind,
    /// Such a unit opens something longer.
    opens: bool,
    /// The unit 0 is U+0000, and an error.
    nul_is_error: bool,
}

impl Pattern {
    /// Whether `unit` has the marker.
    pub(in crate::core) fn matches<'m>(self, unit: Signal<'m>) -> Signal<'m> {
        unit.bits(self.data_bits..unit.width()).is(self.marker >> self.data_bits)
    }
}

impl Leads {
    /// `nothing` is what is wrong with a unit that is neither lead nor trailing.
    pub(in crate::core) fn new(forms: Forms, nothing: ErrorKind) -> Self {
        Self { forms, nothing, opens: false, nul_is_error: false }
    }

    /// A unit that is neither lead nor trailing opens something longer.
    pub(in crate::core) fn with_openers(self) -> Self {
        Self { opens: true, ..self }
    }

    /// U+0000 is an error.
    pub(in crate::core) fn without_nul(self) -> Self {
        Self { nul_is_error: true, ..self }
    }

    pub(in crate::core) fn nul_is_error(&self) -> bool {
        self.nul_is_error
    }

    pub(in crate::core) fn has_openers(&self) -> bool {
        self.opens
    }

    pub(in crate::core) fn kind_of_nothing(&self) -> ErrorKind {
        self.nothing
    }

    /// Whether there are sequences of more than one unit.
    pub(in crate::core) fn has_sequences(&self) -> bool {
        self.longest() > 0
    }

    /// Whether there are code points of 2^32 or more.
    pub(in crate::core) fn is_long(&self) -> bool {
        self.forms.last() >> SLOT_DATA_BITS > 0
    }

    /// Bits of a slot's data.
    pub(in crate::core) fn code_bits(&self) -> u32 {
        (u128::BITS - self.forms.last().leading_zeros()).clamp(1, SLOT_DATA_BITS)
    }

    /// The kinds of error there are.
    pub(in crate::core) fn kinds(&self) -> Vec<ErrorKind> {
        let sequences = self.has_sequences();
        let overlong =
            self.forms.forms.iter().any(|form| !form.is_used() || self.telling_bits(form).is_some());
        let nothing = (0..=self.forms.unit_bits).any(|ones| self.meanings(ones)[0] == Meaning::Nothing);
        let kinds = [
            (ErrorKind::Unexpected, self.forms.trailing.is_some()),
            (ErrorKind::Truncated, sequences),
            (ErrorKind::Overlong, overlong),
            (ErrorKind::Surrogate, !self.forms.surrogates),
            (
                ErrorKind::OutOfRange,
                self.lower_kinds().iter().any(|(_, kind)| *kind == ErrorKind::OutOfRange),
            ),
            (self.nothing, nothing),
            (ErrorKind::Nul, self.nul_is_error),
        ];
        kinds.into_iter().filter(|(_, there)| *there).map(|(kind, _)| kind).collect()
    }

    /// The most trailing units of a sequence.
    pub(in crate::core) fn longest(&self) -> usize {
        self.forms.forms.iter().rposition(Form::is_used).expect("a system has a form")
    }

    /// Bits of the number of trailing units.
    pub(in crate::core) fn missing_bits(&self) -> u32 {
        usize::BITS - self.longest().leading_zeros()
    }

    pub(in crate::core) fn trailing_pattern(&self) -> Option<Pattern> {
        self.forms.trailing
    }

    fn form(&self, form: usize) -> &Form {
        &self.forms.forms[form]
    }

    /// Whether all sequences of the form are overlong.
    pub(in crate::core) fn is_always_wrong(&self, form: usize) -> bool {
        !self.form(form).is_used()
    }

    /// What the lead of a form says that no sequence begins with, and what is wrong with it.
    pub(in crate::core) fn wrong_data<'m>(
        &self,
        m: &'m Builder,
        form: usize,
        unit: Signal<'m>,
    ) -> Option<(Signal<'m>, ErrorKind)> {
        let form = *self.form(form);
        let data = form.lead.data_bits;
        let below = form.bits - data;
        let (least, most) = (form.first >> below, form.last >> below);
        if form.trailing > 0 && least > 0 {
            let zeros = least.trailing_zeros();
            return Some((!unit.bits(zeros..data).any(), ErrorKind::Overlong));
        }
        (most + 1 < 1 << data)
            .then(|| (m.lit(data, most as u64).lt(unit.bits(0..data)), ErrorKind::OutOfRange))
    }

    /// How many bits at the top of the first trailing unit tell an overlong form, if that unit is to tell it.
    fn telling_bits(&self, form: &Form) -> Option<u32> {
        let below = form.bits - form.lead.data_bits;
        if form.trailing == 0 || !form.is_used() || form.first == 0 || form.first >> below > 0 {
            return None;
        }
        let trailing_bits = self.forms.trailing_bits();
        Some(trailing_bits - (form.first >> (below - trailing_bits)).trailing_zeros())
    }

    /// What the lead of a form says if only the lower trailing units may follow: those with zeros where [`telling_bits`] look.
    fn lower_data(&self, form: &Form) -> Option<u64> {
        let below = form.bits - form.lead.data_bits;
        let edge = form.bits - form.lead.data_bits - self.telling_bits(form)?;
        if !self.forms.surrogates && edge == BELOW_SURROGATES {
            return Some((SURROGATE_BITS << BELOW_SURROGATES >> below) as u64);
        }
        let last = form.last >> edge;
        (form.last + 1 < 1 << form.bits).then(|| {
            assert_eq!(
                (last + 1) << edge,
                form.last + 1,
                "the first trailing unit tells what is past the last"
            );
            (form.last >> below) as u64
        })
    }

    /// What the lead of a form says if not every trailing unit may follow it.
    pub(in crate::core) fn narrow_data<'m>(
        &self,
        m: &'m Builder,
        form: usize,
        unit: Signal<'m>,
    ) -> Option<Signal<'m>> {
        let form = self.form(form);
        self.telling_bits(form)?;
        let data = form.lead.data_bits;
        if data == 0 {
            return Some(m.lit(1, 1));
        }
        let zeros = !unit.bits(0..data).any();
        Some(match self.lower_data(form) {
            Some(lower) => zeros | unit.bits(0..data).is(lower),
            None => zeros,
        })
    }

    /// Whether there are leads that not every trailing unit may follow.
    pub(in crate::core) fn any_narrows(&self) -> bool {
        self.forms.forms.iter().any(|form| self.telling_bits(form).is_some())
    }

    /// Whether all leads are such.
    pub(in crate::core) fn all_narrow(&self) -> bool {
        let leads = || self.forms.forms.iter().filter(|form| form.trailing > 0 && form.is_used());
        leads().all(|form| form.lead.data_bits == 0 && self.telling_bits(form).is_some())
    }

    /// A bit that tells leads that only lower trailing units may follow from those that only upper ones may.
    pub(in crate::core) fn lower_bit(&self) -> Option<u32> {
        let narrowing = || self.forms.forms.iter().filter(|form| self.telling_bits(form).is_some());
        let lower = narrowing().filter_map(|form| Some(form.lead.marker | self.lower_data(form)?));
        let common = lower.reduce(|a, b| a & b)?;
        let upper = narrowing().fold(0, |any, form| any | form.lead.marker);
        let bit = (0..self.forms.unit_bits).rev().find(|bit| (common & !upper) >> bit & 1 == 1);
        Some(bit.expect("some bit is theirs alone"))
    }

    /// What is wrong with an upper trailing unit behind a lead that only lower ones may follow, by the number of trailing units.
    pub(in crate::core) fn lower_kinds(&self) -> Vec<(usize, ErrorKind)> {
        let of = self.forms.forms.iter().enumerate();
        of.filter(|(_, form)| self.lower_data(form).is_some())
            .map(|(trailing, form)| {
                let cut_short = form.last + 1 < 1 << form.bits;
                (trailing, if cut_short { ErrorKind::OutOfRange } else { ErrorKind::Surrogate })
            })
            .collect()
    }

    /// For each bit that tells overlong forms in the first trailing unit, the topmost first: the fewest trailing units of
    /// forms where it does.
    pub(in crate::core) fn telling(&self) -> Vec<usize> {
        let telling: Vec<(usize, u32)> = (0..self.forms.forms.len())
            .filter_map(|form| Some((form, self.telling_bits(self.form(form))?)))
            .collect();
        let most = telling.iter().map(|(_, bits)| *bits).max().unwrap_or(0);
        assert!(telling.is_sorted_by_key(|(_, bits)| *bits), "longer forms are told by more bits");
        let fewest = |bit| telling.iter().find(|(_, bits)| *bits >= bit).expect("one has the most").0;
        (1..=most).map(fewest).collect()
    }

    /// The fewest ones that a lead of more than one unit begins with.
    pub(in crate::core) fn fewest_ones_of_a_lead(&self) -> u32 {
        self.forms.forms[1..].iter().map(|form| self.ones(form.lead)).min().expect("there are sequences")
    }

    /// How many ones the marker begins with.
    fn ones(&self, pattern: Pattern) -> u32 {
        (!(pattern.marker << (64 - self.forms.unit_bits))).leading_zeros()
    }

    /// Beginning with how many ones, a unit has this bit in its marker.
    pub(in crate::core) fn ones_that_claim(&self, bit: u32) -> Option<u32> {
        let leads = self.forms.forms.iter().map(|form| form.lead);
        let patterns = leads.chain(self.forms.trailing);
        patterns.filter(|pattern| pattern.data_bits <= bit).map(|pattern| self.ones(pattern)).min()
    }

    /// What units are that begin with so many ones; two meanings if the bit behind the zero tells them apart, that for 0
    /// first.
    fn meanings(&self, ones: u32) -> Vec<Meaning> {
        let leads = self.forms.forms.iter().enumerate();
        let leads = leads.map(|(form, sized)| (Meaning::Lead(form), sized.lead));
        let trailing = self.forms.trailing.map(|pattern| (Meaning::Trailing, pattern));
        let mut found: Vec<(Meaning, Pattern)> =
            trailing.into_iter().chain(leads).filter(|(_, pattern)| self.ones(*pattern) == ones).collect();
        found.sort_by_key(|(_, pattern)| pattern.marker);
        assert!(found.len() <= 2, "one bit tells two meanings apart");
        if found.is_empty() { vec![Meaning::Nothing] } else { found.into_iter().map(|(m, _)| m).collect() }
    }

    /// Whether so many trailing units are missing at least, of those that there can be.
    pub(in crate::core) fn at_least<'m>(&self, missing: Signal<'m>, least: u64) -> Signal<'m> {
        if self.longest() as u64 == least {
            return missing.is(least);
        }
        missing.within(least, (1 << missing.width()) - 1)
    }

    /// Chooses by the number of ones a unit begins with, `fewest` at least: fewer are as many.
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

    /// A signal by what the unit is, from the number of ones it begins with, `fewest` at least: fewer are as many.
    pub(in crate::core) fn by_ones<'m>(
        &self,
        unit: Signal<'m>,
        fewest: u32,
        leaf: &dyn Fn(Meaning) -> Signal<'m>,
    ) -> Signal<'m> {
        self.by_ones_of(unit, fewest, leaf, Signal::mux)
    }

    /// A tag by what the unit is.
    pub(in crate::core) fn by_ones_tag<'m>(
        &self,
        unit: Signal<'m>,
        leaf: &dyn Fn(Meaning) -> Tag<'m>,
    ) -> Tag<'m> {
        self.by_ones_of(unit, 0, leaf, Tag::mux)
    }
}
