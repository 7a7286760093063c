//! What the systems have in common whose lead units tell the length of a sequence by their first bits: the forms of
//! sequences, and the rule by which one is refused.
//!
//! Such a system is a table of [`SequenceForm`]s as the seeds print it, shortest first. The rest follows: a code point takes the
//! first form that has room for it, and all other sequences are overlong.

use std::hash::{Hash, Hasher};

use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::{ErrorKind, SURROGATES};

/// Units of one kind: bits that are always the same, then bits of the code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    fixed: u16,
    data_bits: u8,
}

impl Pattern {
    /// A pattern that no unit has.
    pub(crate) const NONE: Pattern = Pattern { fixed: u16::MAX, data_bits: 0 };

    /// Reads a pattern as seed 001 prints it: `w` is a 1, `z` a 0, `d` a bit of the code point; `'` only divides.
    pub(crate) const fn new(text: &str) -> Pattern {
        let mut pattern = Pattern { fixed: 0, data_bits: 0 };
        let mut index = 0;
        while index < text.len() {
            match text.as_bytes()[index] {
                b'w' => pattern.fixed = pattern.fixed << 1 | 1,
                b'z' => pattern.fixed <<= 1,
                b'd' => {
                    pattern.fixed <<= 1;
                    pattern.data_bits += 1;
                }
                b'\'' => {}
                _ => panic!("patterns are made of w, z, d and '"),
            }
            index += 1;
        }
        pattern
    }

    fn matches(self, unit: u16) -> bool {
        unit >> self.data_bits == self.fixed >> self.data_bits
    }

    fn data(self, unit: u16) -> u128 {
        u128::from(unit & !(u16::MAX << self.data_bits))
    }

    fn with_data(self, data: u128) -> u16 {
        self.fixed | self.data(data as u16) as u16
    }
}

/// Sequences of one length: a lead unit, and a number of trailing units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SequenceForm {
    lead: Pattern,
    trailing: u8,
}

/// The form of a lead unit with this pattern and this many trailing units.
pub(crate) const fn form(lead: &str, trailing: u8) -> SequenceForm {
    SequenceForm { lead: Pattern::new(lead), trailing }
}

/// A system made of forms, and where in a sequence its decoder stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    forms: Vec<FormWithRange>,
    trailing: Pattern,
    surrogates: Surrogates,
    /// What each unit can be, by its value.
    roles: Vec<Role>,
    /// The bits of the code point so far.
    value: u128,
    /// The least code point that takes the form at hand.
    first: u128,
    /// Trailing units still to come: 0 where a lead unit must stand.
    missing: u8,
}

/// Whether a system has code points U+D800..U+DFFF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surrogates {
    Allowed,
    Excluded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FormWithRange {
    form: SequenceForm,
    /// The least code point that takes this form: all shorter forms are too small for it.
    first: u128,
    /// The greatest code point that it has bits for.
    last: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The lead unit of the form with this index.
    Lead(u8),
    Trailing,
    Invalid,
}

/// Where in a sequence it stands; the rest is the same in all decoders of a system.
impl Hash for Prefix {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.value, self.first, self.missing).hash(state);
    }
}

impl Prefix {
    /// The system of these forms, shortest first, and these trailing units, of `unit_bits` bits each.
    pub(crate) fn new(
        unit_bits: u8,
        forms: &[SequenceForm],
        trailing: Pattern,
        surrogates: Surrogates,
    ) -> Prefix {
        let mut first = 0;
        let forms: Vec<FormWithRange> = forms
            .iter()
            .map(|&form| {
                let bits =
                    u32::from(form.lead.data_bits) + u32::from(form.trailing) * u32::from(trailing.data_bits);
                let ranged = FormWithRange { form, first, last: (1 << bits) - 1 };
                first = first.max(1 << bits);
                ranged
            })
            .collect();
        let role = |unit| match forms.iter().position(|ranged| ranged.form.lead.matches(unit)) {
            Some(index) => Role::Lead(index as u8),
            None if trailing.matches(unit) => Role::Trailing,
            None => Role::Invalid,
        };
        let roles = (0..1 << unit_bits).map(role).collect();
        Prefix { forms, trailing, surrogates, roles, value: 0, first: 0, missing: 0 }
    }

    /// Whether a lead unit must come next.
    pub(crate) fn at_lead(&self) -> bool {
        self.missing == 0
    }

    /// Writes the sequence of a code point, if the system has it.
    pub(crate) fn encode(&self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        if self.surrogates == Surrogates::Excluded && SURROGATES.contains(&code_point) {
            return None;
        }
        let ranged = self.forms.iter().find(|ranged| code_point <= ranged.last)?;
        let mut open = u32::from(ranged.form.trailing) * u32::from(self.trailing.data_bits);
        sequence.push(ranged.form.lead.with_data(code_point >> open));
        for _ in 0..ranged.form.trailing {
            open -= u32::from(self.trailing.data_bits);
            sequence.push(self.trailing.with_data(code_point >> open));
        }
        Some(())
    }
}

impl Grammar for Prefix {
    const LONG: bool = true;

    #[inline(always)]
    fn step(&mut self, unit: u16) -> Verdict {
        let role = self.roles.get(usize::from(unit)).copied().unwrap_or(Role::Invalid);
        match (self.missing, role) {
            (0, Role::Lead(index)) => {
                let FormWithRange { form, first, .. } = self.forms[usize::from(index)];
                if form.trailing == 0 {
                    // Nothing is shorter, and no surrogate is as short.
                    return Verdict::Whole(form.lead.data(unit) as u32);
                }
                self.value = form.lead.data(unit);
                self.first = first;
                self.missing = form.trailing;
            }
            (0, Role::Trailing) => return Verdict::Refused(ErrorKind::Unexpected),
            (0, Role::Invalid) => return Verdict::Refused(ErrorKind::Invalid),
            (_, Role::Trailing) => {
                self.value = self.value << self.trailing.data_bits | self.trailing.data(unit);
                self.missing -= 1;
            }
            (_, Role::Lead(_) | Role::Invalid) => return Verdict::Refused(ErrorKind::Truncated),
        }
        let open = u32::from(self.missing) * u32::from(self.trailing.data_bits);
        on_bits(self.value, open, self.first, self.surrogates)
    }

    fn reset(&mut self) {
        self.missing = 0;
    }
}

/// The verdict on the code points that start with the bits of `value` and have `open` more, in a form that `first` is the
/// least code point of: refused where none of them will do.
#[inline]
pub(crate) fn on_bits(value: u128, open: u32, first: u128, surrogates: Surrogates) -> Verdict {
    let least = value << open;
    let most = least | !(u128::MAX << open);
    if most < first {
        return Verdict::Refused(ErrorKind::Overlong);
    }
    if surrogates == Surrogates::Excluded && SURROGATES.contains(&least) && SURROGATES.contains(&most) {
        return Verdict::Refused(ErrorKind::Surrogate);
    }
    Verdict::on_range(least, most, open, first)
}
