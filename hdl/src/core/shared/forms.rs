//! The forms of sequences of the systems whose lead units tell the length: what decoders and encoders are made from.
//!
//! Such a system is a list of forms, shortest first. A form is a lead unit, a marker with bits of the code point below it, and
//! a number of trailing units, which all have the one marker of the system. A code point takes the first form with room
//! for it.

use crate::core::system::{LAST_OF_UNICODE, System};

/// Units of one kind: a marker, and under it bits of the code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) struct Pattern {
    /// The marker in its place, zeros below.
    pub(in crate::core) marker: u64,
    /// Bits of the code point.
    pub(in crate::core) data_bits: u32,
}

/// Sequences of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) struct Form {
    /// The lead unit.
    pub(in crate::core) lead: Pattern,
    /// How many trailing units follow.
    pub(in crate::core) trailing: u32,
    /// Bits of the code point, in all of its units.
    pub(in crate::core) bits: u32,
    /// The first code point that takes this form.
    pub(in crate::core) first: u128,
    /// The last code point that takes this form; less than `first` where it adds none.
    pub(in crate::core) last: u128,
}

impl Form {
    /// Whether a code point takes this form.
    pub(in crate::core) fn is_used(&self) -> bool {
        self.first <= self.last
    }
}

/// The forms of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Forms {
    pub(in crate::core) unit_bits: u32,
    /// Shortest first; the one at index n has n trailing units.
    pub(in crate::core) forms: Vec<Form>,
    /// The trailing unit, where there are sequences of more than one.
    pub(in crate::core) trailing: Option<Pattern>,
    /// U+D800..U+DFFF are code points.
    pub(in crate::core) surrogates: bool,
}

impl Forms {
    /// The forms of a system, if its lead units tell the length; of `utf-inf-8`, those that do.
    pub(in crate::core) fn of(system: System) -> Option<Self> {
        match system {
            System::Utf8 => Some(Self::hunks(8, 4).without_surrogates().up_to(LAST_OF_UNICODE.into())),
            System::Utf8Rfc2279 => Some(Self::hunks(8, 6).without_surrogates()),
            System::Utf8EightByte => Some(Self::hunks(8, 8)),
            System::Utf8SixtyFiveBit => Some(Self::sixty_five_bit()),
            System::Hunk(width) => Some(Self::hunks(width, width)),
            System::UtfInf8 { .. } => Some(Self::hunks(8, 7)),
            System::Utf9 { .. } | System::Utf18 | System::CorrectedUtf8 { .. } => None,
        }
    }

    /// Units of `unit_bits` bits, 1 to 9, and sequences of up to `longest` units, seed 001 §8: as many ones as there are units in
    /// the sequence, then a zero where there is room for one. A single unit starts with the zero, a trailing one with one 1.
    pub(in crate::core) fn hunks(unit_bits: u32, longest: u32) -> Self {
        let ones_above = |data_bits: u32, ones: u32| ((1u64 << ones) - 1) << data_bits;
        let lead = |length: u32| match length {
            1 => Pattern { marker: 0, data_bits: unit_bits - 1 },
            _ if length == unit_bits => Pattern { marker: ones_above(0, length), data_bits: 0 },
            _ => {
                let data_bits = unit_bits - length - 1;
                Pattern { marker: ones_above(data_bits + 1, length), data_bits }
            }
        };
        let trailing = (unit_bits > 1)
            .then(|| Pattern { marker: ones_above(unit_bits - 1, 1), data_bits: unit_bits - 2 });
        Self::new(unit_bits, (1..=longest).map(lead), trailing)
    }

    /// The 65-bit variant, seed 001 §9, table ten: the number of leading ones counts pairs of lengths, the bit behind their zero
    /// tells the longer from the shorter.
    pub(in crate::core) fn sixty_five_bit() -> Self {
        let lead = |trailing: u32| match trailing {
            0 => Pattern { marker: 0, data_bits: 7 },
            13 => Pattern { marker: 0xff, data_bits: 0 },
            12 => Pattern { marker: 0xfe, data_bits: 0 },
            _ => {
                let ones = 1 + trailing / 2;
                let data_bits = 6 - ones;
                let pair = (((1 << ones) - 1) << 2) | u64::from(trailing % 2);
                Pattern { marker: pair << data_bits, data_bits }
            }
        };
        Self::new(8, (0..=13).map(lead), Some(Pattern { marker: 0x80, data_bits: 5 }))
    }

    fn new(unit_bits: u32, leads: impl Iterator<Item = Pattern>, trailing: Option<Pattern>) -> Self {
        let mut first = 0;
        let forms = leads.zip(0..).map(|(lead, count)| {
            let bits = lead.data_bits + count * trailing.map_or(0, |trailing| trailing.data_bits);
            let last = (1 << bits) - 1;
            let form = Form { lead, trailing: count, bits, first, last };
            first = first.max(last + 1);
            form
        });
        Self { unit_bits, forms: forms.collect(), trailing, surrogates: true }
    }

    /// Where every sequence counts, since each form begins where the one before it ends: none is overlong. `first` and `last`
    /// are then of the bits in the sequence.
    pub(in crate::core) fn with_offsets(mut self) -> Self {
        for form in &mut self.forms {
            form.first = 0;
        }
        self
    }

    /// Without U+D800..U+DFFF.
    pub(in crate::core) fn without_surrogates(self) -> Self {
        Self { surrogates: false, ..self }
    }

    /// Up to a last code point, in the longest form.
    pub(in crate::core) fn up_to(mut self, last: u128) -> Self {
        let longest = self.forms.last_mut().expect("a system has a form");
        assert!((longest.first..=longest.last).contains(&last), "{last:x} is not of the longest form");
        longest.last = last;
        self
    }

    /// The last code point.
    pub(in crate::core) fn last(&self) -> u128 {
        self.forms.iter().map(|form| form.last).max().expect("a system has a form")
    }

    /// Bits of the trailing unit's data; 0 where there is none.
    pub(in crate::core) fn trailing_bits(&self) -> u32 {
        self.trailing.map_or(0, |trailing| trailing.data_bits)
    }
}
