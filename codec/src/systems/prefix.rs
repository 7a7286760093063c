//! The systems whose lead units tell the length of a sequence by their first bits, as in UTF-8.
//!
//! Such a system is a table of [`SequenceForm`]s as the documents print it, shortest first. The rest follows: a code point
//! takes the first form that has room for it, and all other sequences are overlong.

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use crate::bulk::prefix::{PrefixSequences, WholeForm, WholeTables};
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::{ErrorKind, SURROGATES};

/// Units of one kind: bits that are always the same, then bits of the code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    fixed: u32,
    data_bits: u8,
}

impl Pattern {
    /// A pattern that no unit has.
    pub(crate) const NONE: Pattern = Pattern { fixed: u32::MAX, data_bits: 0 };

    /// Reads a pattern as Barber prints it: `w` is a 1, `z` a 0, `d` a bit of the code point; `'` only divides.
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

    /// A pattern that begins with `marker`, as Barber prints it, and has bits of the code point up to `unit_bits`.
    pub(crate) const fn beginning(marker: &str, unit_bits: u32) -> Pattern {
        let data_bits = unit_bits - marker.len() as u32;
        Pattern { fixed: Pattern::new(marker).fixed << data_bits, data_bits: data_bits as u8 }
    }

    pub(crate) fn data_bits(self) -> u32 {
        self.data_bits.into()
    }

    fn matches(self, unit: u32) -> bool {
        unit >> self.data_bits == self.fixed >> self.data_bits
    }

    fn data(self, unit: u32) -> u128 {
        u128::from(unit & !(u32::MAX << self.data_bits))
    }

    fn with_data(self, data: u128) -> u32 {
        self.fixed | self.data(data as u32) as u32
    }
}

/// Sequences of one length: a lead unit, and a number of trailing units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SequenceForm {
    lead: Pattern,
    trailing: u8,
}

impl SequenceForm {
    /// The form of a lead unit with this pattern and this many trailing units.
    pub(crate) const fn new(lead: Pattern, trailing: u8) -> SequenceForm {
        SequenceForm { lead, trailing }
    }
}

/// The form of a lead unit with the pattern of this text and this many trailing units.
pub(crate) const fn form(lead: &str, trailing: u8) -> SequenceForm {
    SequenceForm { lead: Pattern::new(lead), trailing }
}

/// Whether a system has code points U+D800..U+DFFF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surrogates {
    Allowed,
    Excluded,
}

/// The tables of a system: made once, and used by all its decoders and encoders.
#[derive(Debug)]
pub(crate) struct PrefixTables {
    forms: Vec<FormWithRange>,
    trailing: Pattern,
    surrogates: Surrogates,
    /// The role of each unit, by its value.
    roles: Vec<Role>,
    /// The tables of the fast path.
    pub(crate) whole: WholeTables,
}

#[derive(Clone, Copy, Debug)]
struct FormWithRange {
    form: SequenceForm,
    /// The least code point that takes this form: all shorter forms are too small for it.
    first: u128,
    /// The greatest code point that it has bits for.
    last: u128,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    /// The lead unit of the form with this index.
    Lead(u8),
    Trailing,
    Invalid,
}

impl PrefixTables {
    /// The system of these forms, shortest first, and these trailing units, of `unit_bits` bits each.
    pub(crate) fn new(
        unit_bits: u32,
        forms: &[SequenceForm],
        trailing: Pattern,
        surrogates: Surrogates,
    ) -> PrefixTables {
        let mut first = 0;
        let with_range = |&form: &SequenceForm| {
            let bits = form.lead.data_bits() + u32::from(form.trailing) * trailing.data_bits();
            let with_range = FormWithRange { form, first, last: (1 << bits) - 1 };
            first = first.max(1 << bits);
            with_range
        };
        let forms: Vec<FormWithRange> = forms.iter().map(with_range).collect();
        let role = |unit| match forms.iter().position(|known| known.form.lead.matches(unit)) {
            Some(index) => Role::Lead(index as u8),
            None if trailing.matches(unit) => Role::Trailing,
            None => Role::Invalid,
        };
        let roles: Vec<Role> = (0..1 << unit_bits).map(role).collect();
        let whole = whole_tables(&forms, trailing, surrogates, &roles);
        PrefixTables { forms, trailing, surrogates, roles, whole }
    }

    /// Writes the sequence of a code point, if the system has it.
    pub(crate) fn encode(&self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        if self.surrogates == Surrogates::Excluded && SURROGATES.contains(&code_point) {
            return None;
        }
        let FormWithRange { form, .. } = self.forms.iter().find(|known| code_point <= known.last)?;
        let mut open = u32::from(form.trailing) * self.trailing.data_bits();
        sequence.push(form.lead.with_data(code_point >> open));
        for _ in 0..form.trailing {
            open -= self.trailing.data_bits();
            sequence.push(self.trailing.with_data(code_point >> open));
        }
        Some(())
    }
}

/// Makes the tables of the fast path, which knows the forms of up to 32 bits.
fn whole_tables(
    forms: &[FormWithRange],
    trailing: Pattern,
    surrogates: Surrogates,
    roles: &[Role],
) -> WholeTables {
    let whole_form = |known: &FormWithRange| {
        let FormWithRange { form, first, last } = *known;
        let (first, last) = (u32::try_from(first).ok()?, u32::try_from(last).ok()?);
        let (lead, trailing) = (form.lead, usize::from(form.trailing));
        Some(WholeForm { lead: lead.fixed, lead_bits: lead.data_bits(), trailing, first, last })
    };
    let whole_forms: Vec<WholeForm> = forms.iter().map_while(whole_form).collect();
    let form_of = |unit| match roles[unit as usize] {
        Role::Lead(index) => Some(usize::from(index)),
        Role::Trailing | Role::Invalid => None,
    };
    let has_surrogates = surrogates == Surrogates::Allowed;
    let units = roles.len() as u32;
    WholeTables::new(units, &whole_forms, form_of, trailing.fixed, trailing.data_bits(), has_surrogates)
}

/// Each system has one static value, so two tables are equal only if they are the same value.
impl PartialEq for PrefixTables {
    fn eq(&self, other: &PrefixTables) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for PrefixTables {}

impl Hash for PrefixTables {
    fn hash<H: Hasher>(&self, state: &mut H) {
        core::ptr::hash(self, state);
    }
}

/// The grammar of such a system: its tables, and how far into a sequence the decoder is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Prefix {
    pub(crate) tables: &'static PrefixTables,
    /// The bits read of the code point.
    value: u128,
    /// The least code point that takes the form of the sequence.
    first: u128,
    /// How many trailing units are still to come; 0 where a lead unit is expected.
    missing: u8,
}

impl Prefix {
    /// The grammar at the start of a sequence.
    pub(crate) fn new(tables: &'static PrefixTables) -> Prefix {
        Prefix { tables, value: 0, first: 0, missing: 0 }
    }

    /// Whether a lead unit is expected.
    pub(crate) fn at_lead(&self) -> bool {
        self.missing == 0
    }
}

impl Grammar for Prefix {
    type Sequences = PrefixSequences;

    const LONG: bool = true;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        let PrefixTables { forms, trailing, surrogates, roles, .. } = self.tables;
        let role = roles.get(unit as usize).copied().unwrap_or(Role::Invalid);
        match (self.missing, role) {
            (0, Role::Lead(index)) => {
                let FormWithRange { form, first, .. } = forms[usize::from(index)];
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
                self.value = self.value << trailing.data_bits() | trailing.data(unit);
                self.missing -= 1;
            }
            (_, Role::Lead(_) | Role::Invalid) => return Verdict::Refused(ErrorKind::Truncated),
        }
        let open = u32::from(self.missing) * trailing.data_bits();
        on_bits(self.value, open, self.first, *surrogates)
    }

    fn reset(&mut self) {
        self.missing = 0;
    }

    fn sequences(&self) -> PrefixSequences {
        PrefixSequences(&self.tables.whole)
    }
}

/// The verdict on units that begin the sequences of all code points with the bits of `value` and `open` more. `first` is the
/// least code point that takes the form. The units are refused if the system has none of these code points in this form.
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
