//! Systems whose lead units tell the length of a sequence.

use super::shape::{Fit, Shape, some_bits};
use super::sizes::Source;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::{above, past_last, surrogate};
use crate::core::shared::forms::{SequenceForm, SequenceForms};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal};

/// A prefix system.
pub(super) struct Prefix {
    forms: SequenceForms,
    /// The forms that some code point takes, of those that come.
    used: Vec<SequenceForm>,
    /// The number of forms that a code point of one slot takes.
    of_slot: usize,
    /// Bits of the code points that come.
    code_bits: u32,
    /// A low surrogate directly after a high one is refused.
    refuses_surrogate_pairs: bool,
}

impl Prefix {
    pub(super) fn new(forms: SequenceForms, source: Source) -> Self {
        let all = (u128::BITS - forms.last().leading_zeros()).max(1);
        let slot_bits = source.slot_bits();
        // On the bus, further slots may hold the upper bits.
        let code_bits = if source == Source::Bus { all } else { all.min(slot_bits) };
        let is_taken = |form: &&SequenceForm| form.is_used() && form.first >> code_bits == 0;
        let used: Vec<SequenceForm> = forms.forms.iter().filter(is_taken).copied().collect();
        let of_slot = used.iter().filter(|form| form.first >> slot_bits == 0).count();
        Self { forms, used, of_slot, code_bits, refuses_surrogate_pairs: false }
    }

    /// A system that refuses a low surrogate directly after a high one.
    pub(super) fn without_surrogate_pairs(self) -> Self {
        Self { refuses_surrogate_pairs: true, ..self }
    }

    /// The bits of `code` that unit `number` of every sequence holds, lead or trailing.
    fn piece<'m>(&self, code: Signal<'m>, number: usize) -> Option<Signal<'m>> {
        let bits = self.forms.trailing_bits();
        let low = number as u32 * bits;
        (low < code.width()).then(|| code.bits(low..(low + bits).min(code.width())))
    }

    /// Units of a code point as the software of any reader would write them, the lead first.
    pub(super) fn units(&self, code_point: u64) -> Vec<u64> {
        let form = self.used.iter().find(|form| u128::from(code_point) <= form.last);
        let form = form.expect("a code point of the system");
        let Some(trailing) = self.forms.trailing.filter(|_| form.trailing > 0) else {
            return vec![code_point];
        };
        let piece = |number: u32| code_point >> (number * trailing.data_bits);
        let tail = |number| trailing.marker | (piece(number) & ((1 << trailing.data_bits) - 1));
        let lead = form.lead.marker | piece(form.trailing);
        [lead].into_iter().chain((0..form.trailing).rev().map(tail)).collect()
    }
}

impl Shape for Prefix {
    fn unit_bits(&self) -> u32 {
        self.forms.unit_bits
    }

    fn most_units(&self) -> usize {
        self.used.last().expect("a system has a form").trailing as usize + 1
    }

    fn most_units_of_slot(&self) -> usize {
        self.used[self.of_slot - 1].trailing as usize + 1
    }

    fn fewest_units_of_limbs(&self) -> usize {
        let form = self.used.iter().find(|form| form.last >> SLOT_DATA_BITS > 0);
        form.map_or(self.most_units(), |form| form.trailing as usize + 1)
    }

    fn is_longer_by_limb<'m>(&self, limb: Signal<'m>, units: usize) -> Signal<'m> {
        let form = self.used.iter().find(|form| form.trailing as usize + 1 == units);
        let from = form.expect("some form is as long").bits - SLOT_DATA_BITS;
        limb.bits(from..(self.code_bits - SLOT_DATA_BITS).min(SLOT_DATA_BITS)).any()
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        let code_point = self.forms.replacement();
        (code_point, self.units(code_point))
    }

    fn refuses_surrogate_pairs(&self) -> bool {
        self.refuses_surrogate_pairs
    }

    fn code_bits(&self) -> u32 {
        self.code_bits
    }

    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let bits = self.code_bits();
        let code = data.bits(0..bits.min(data.width()));
        let mut tests = Vec::new();
        for pair in self.used[..self.of_slot].windows(2) {
            let any = above(code.bits(0..pair[1].bits.min(code.width())), pair[0].last);
            let any = any.expect("the longer form has more bits");
            tests.push((format!("has_bits_of_{}", pair[1].trailing + 1), any));
        }
        tests.extend(some_bits(data, bits..data.width()));
        tests.extend(past_last(code, self.forms.last()).map(|past| ("past_last".to_owned(), past)));
        if !self.forms.surrogates {
            tests.push(("surrogate".to_owned(), surrogate(code)));
        }
        tests
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        let (lengths, unfit) = tests.split_at(self.of_slot - 1);
        // The test of a form says that the code point has bits that the form before it has no room for.
        let longer = |units: u32| {
            let from =
                self.used.iter().position(|form| form.trailing >= units).expect("some form is as long");
            any_of(lengths[from - 1..].iter().copied())
        };
        Fit {
            unfit: any_of(unfit.iter().copied()),
            longer: (1..self.most_units_of_slot() as u32).map(longer).collect(),
        }
    }

    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, longer: &[Signal<'m>]) -> Signal<'m> {
        let width = self.forms.unit_bits;
        let Some(trailing) = self.forms.trailing.filter(|_| self.most_units() > 1) else {
            return code.zext(width);
        };
        let piece = self.piece(code, number).map_or(m.lit(width, 0), |piece| piece.zext(width));
        let form = &self.forms.forms[number];
        // Bits in which a unit that stands alone has more than a piece.
        let rest =
            (number == 0 && form.bits > trailing.data_bits).then(|| code.bits(trailing.data_bits..form.bits));
        let is_lead = longer
            .get(number + 1)
            .filter(|_| form.lead.marker != trailing.marker)
            .map(|&longer| (!longer).named(&format!("unit_{number}_is_lead")));
        let bit = |bit: u32| {
            let (of_lead, of_trailing) = (form.lead.marker >> bit & 1, trailing.marker >> bit & 1);
            let of_rest = rest.and_then(|rest| {
                let at = bit.checked_sub(trailing.data_bits).filter(|&at| at < rest.width())?;
                Some(rest.bit(at))
            });
            match (is_lead, of_lead, of_trailing, of_rest) {
                (None, of_lead, _, None) => m.lit(1, of_lead),
                (Some(is_lead), 1, 0, None) => is_lead,
                (Some(is_lead), 0, 1, None) => !is_lead,
                (Some(_), both, _, None) => m.lit(1, both),
                (Some(is_lead), _, of_trailing, Some(rest)) => {
                    let alone = is_lead & rest;
                    if of_trailing == 1 { alone | !is_lead } else { alone }
                }
                (None, _, _, Some(rest)) => rest,
            }
        };
        let markers = m.concat((0..width).rev().map(bit));
        markers | piece
    }
}
