//! The systems of [`crate::systems::prefix`], by tables made of theirs.

use alloc::vec::Vec;

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// The sequences of one such system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrefixSequences(pub(crate) &'static WholeTables);

/// Forms of up to 32 bits, by their lead units and by the code points that take them.
#[derive(Debug)]
pub(crate) struct WholeTables {
    /// Indexed by the value of a unit.
    leads: Vec<Option<Lead>>,
    /// Indexed by the number of bits of a code point; `None` if code points of that many bits take several forms.
    forms: [Option<WholeForm>; 33],
    plain: PlainUnits,
    /// The bits of a trailing unit that are always the same.
    trailing: u32,
    trailing_bits: u32,
    has_surrogates: bool,
}

/// A form of up to 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WholeForm {
    /// The bits of the lead unit that are always the same.
    pub(crate) lead: u32,
    pub(crate) lead_bits: u32,
    /// How many trailing units there are.
    pub(crate) trailing: usize,
    /// The least code point that takes this form.
    pub(crate) first: u32,
    /// The greatest code point that it has bits for.
    pub(crate) last: u32,
}

/// The facts about a sequence that its lead unit tells.
#[derive(Clone, Copy, Debug)]
struct Lead {
    bits: u32,
    trailing: u8,
    first: u32,
}

impl WholeTables {
    /// The tables of a system of these forms, shortest first. A trailing unit holds `trailing_bits` bits of the code
    /// point, below the fixed bits of `trailing`. `form_of` is the index of the form of a lead unit.
    pub(crate) fn new(
        units: u32,
        forms: &[WholeForm],
        form_of: impl Fn(u32) -> Option<usize>,
        trailing: u32,
        trailing_bits: u32,
        has_surrogates: bool,
    ) -> WholeTables {
        let lead = |unit| {
            let form = forms.get(form_of(unit)?)?;
            let bits = unit & !(u32::MAX << form.lead_bits);
            Some(Lead { bits, trailing: form.trailing as u8, first: form.first })
        };
        let form = |bits: usize| {
            let (least, most) = ((1_u64 << bits) / 2, (1_u64 << bits) - 1);
            let has_room = |form: &&WholeForm| most <= u64::from(form.last);
            forms.iter().find(has_room).copied().filter(|form| u64::from(form.first) <= least)
        };
        let single = forms.first().filter(|form| form.trailing == 0);
        WholeTables {
            leads: (0..units).map(lead).collect(),
            forms: core::array::from_fn(form),
            plain: single
                .map_or(PlainUnits::NONE, |form| PlainUnits::new(0, (1 << form.lead_bits).min(0x1_0000))),
            trailing,
            trailing_bits,
            has_surrogates,
        }
    }
}

impl WholeSequences for PrefixSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        self.0.plain
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let tables = self.0;
        let unit: u32 = (*units.first()?).into();
        if tables.plain.holds(unit) {
            return Some((unit, 1));
        }
        let lead = (*tables.leads.get(unit as usize)?)?;
        let length = 1 + usize::from(lead.trailing);
        let mut code_point = lead.bits;
        // Bits that a trailing unit may not have, or lacks.
        let mut wrong = 0;
        for &unit in units.get(1..length)? {
            let bits = unit.into() ^ tables.trailing;
            wrong |= bits >> tables.trailing_bits;
            code_point = code_point << tables.trailing_bits | bits;
        }
        let has_form = code_point >= lead.first;
        let is_allowed = tables.has_surrogates || !matches!(code_point, 0xD800..=0xDFFF);
        (wrong == 0 && has_form && is_allowed).then_some((code_point, length))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let tables = self.0;
        let bits = u32::BITS - code_point.leading_zeros();
        let form = tables.forms[bits as usize]?;
        if !tables.has_surrogates && matches!(code_point, 0xD800..=0xDFFF) {
            return None;
        }
        let mut shift = tables.trailing_bits * form.trailing as u32;
        let mask = !(u32::MAX << tables.trailing_bits);
        room[0] = V::of_low_bits(form.lead | code_point >> shift);
        // Three units are always written; the surplus ones lie after the sequence.
        for unit in &mut room[1..4] {
            shift = shift.wrapping_sub(tables.trailing_bits);
            *unit = V::of_low_bits(tables.trailing | code_point.wrapping_shr(shift) & mask);
        }
        if form.trailing > 3 {
            for unit in &mut room[4..=form.trailing] {
                shift -= tables.trailing_bits;
                *unit = V::of_low_bits(tables.trailing | code_point >> shift & mask);
            }
        }
        Some(1 + form.trailing)
    }
}
