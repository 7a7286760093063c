//! Prefix systems: the systems whose lead units tell the length of a sequence. Decoders and encoders of all of them are
//! made from the tables in this file.
//!
//! A prefix system is a list of sequence forms, shortest first. A form is a lead unit, with a marker above bits of the
//! code point, and a number of trailing units; all trailing units of a system have the same marker. A code point takes
//! the first form that has room for it.

use std::ops::Range;

use super::error_kind::ErrorKind;
use crate::core::shared::code_points::{LAST_OF_UNICODE, REPLACEMENT};
use crate::core::{Max, System, decoded_only, software_only};

/// The surrogates.
const SURROGATES: Range<u128> = 0xd800..0xe000;

/// The layout of a lead or trailing unit: a marker in the upper bits, bits of the code point below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) struct UnitPattern {
    /// The marker in its place, with zeros in the bits of the code point.
    pub(in crate::core) marker: u64,
    /// How many bits of the code point the unit holds.
    pub(in crate::core) data_bits: u32,
}

/// The form of all sequences of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) struct SequenceForm {
    /// The lead unit.
    pub(in crate::core) lead: UnitPattern,
    /// How many trailing units follow.
    pub(in crate::core) trailing: u32,
    /// Bits of the code point in all units of a sequence together.
    pub(in crate::core) bits: u32,
    /// The first code point that takes this form.
    pub(in crate::core) first: u128,
    /// The last code point that takes this form; less than `first` where no code point takes it.
    pub(in crate::core) last: u128,
}

impl SequenceForm {
    /// Whether some code point takes this form.
    pub(in crate::core) fn is_used(&self) -> bool {
        self.first <= self.last
    }
}

/// The first trailing units that a lead accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Accepted {
    /// The data that may follow, in runs; none if no sequence begins with the lead.
    pub(in crate::core) data: Vec<Range<u64>>,
    /// The kind of error of all other data, if there is any.
    pub(in crate::core) otherwise: Option<ErrorKind>,
}

impl Accepted {
    /// Whether a trailing unit with this data may follow.
    pub(in crate::core) fn contains(&self, data: u64) -> bool {
        self.data.iter().any(|run| run.contains(&data))
    }
}

/// The sequence forms of a prefix system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct SequenceForms {
    /// Width of a unit.
    pub(in crate::core) unit_bits: u32,
    /// The forms, shortest first: the form at index n has n trailing units.
    pub(in crate::core) forms: Vec<SequenceForm>,
    /// The layout of trailing units, if some sequence has more than one unit.
    pub(in crate::core) trailing: Option<UnitPattern>,
    /// Further units that are code points by themselves, with the code point of the same number: those of the first form, and these.
    pub(in crate::core) more_singles: Option<UnitPattern>,
    /// Whether U+D800..U+DFFF are code points of the system.
    pub(in crate::core) surrogates: bool,
}

/// Whether a system has code points of 2^32 or more, which heads and limbs stand for.
pub fn is_long(system: System) -> bool {
    SequenceForms::of(system).is_some_and(|forms| forms.last() > u32::MAX.into())
}

impl SequenceForms {
    /// The forms of a prefix system; of `utf-inf-8`, the forms of up to seven octets. `None` for other systems.
    pub(in crate::core) fn of(system: System) -> Option<Self> {
        match system {
            System::Utf8 | System::Utf8Bom { .. } => {
                Some(Self::hunks(8, 4).without_surrogates().up_to(LAST_OF_UNICODE.into()))
            }
            System::Utf8Rfc2279 => Some(Self::hunks(8, 6).without_surrogates()),
            System::Utf8EightByte => Some(Self::hunks(8, 8)),
            System::Utf8SixtyFiveBit => Some(Self::sixty_five_bit()),
            System::Hunk(width) if width.is_wide() => Some(Self::wide_hunks(width.bits())),
            System::Hunk(width) => Some(Self::hunks(width.bits(), width.bits())),
            System::UtfInf8 { .. } => Some(Self::hunks(8, 7)),
            System::Wtf8 => Some(Self::hunks(8, 4).up_to(LAST_OF_UNICODE.into())),
            System::UtfEbcdicI8 { max } => Some(Self::utf_ebcdic_i8(max).without_surrogates()),
            System::Utf9 { .. }
            | System::Utf18
            | System::CorrectedUtf8 { .. }
            | System::Utf16
            | System::Utf16Octets { .. }
            | System::Utf32 { .. }
            | System::Utf32Octets { .. }
            | System::Ucs2
            | System::Ucs2Octets { .. }
            | decoded_only!()
            | software_only!()
            | System::Cesu8
            | System::Mutf8
            | System::Latin1
            | System::Ascii
            | System::Table(_)
            | System::MultiOctet(_)
            | System::Auto(_) => None,
        }
    }

    /// The forms of seed 001 §8 for units of `unit_bits` bits and sequences of up to `longest` units. The marker of a lead
    /// unit has as many ones as the sequence has units, then a zero if there is room for one. The marker of a sequence
    /// of one unit is 0, that of a trailing unit is 10.
    pub(in crate::core) fn hunks(unit_bits: u32, longest: u32) -> Self {
        let ones_above = |data_bits: u32, ones: u32| ((1u64 << ones) - 1) << data_bits;
        let lead = |length: u32| match length {
            1 => UnitPattern { marker: 0, data_bits: unit_bits - 1 },
            _ if length == unit_bits => UnitPattern { marker: ones_above(0, length), data_bits: 0 },
            _ => {
                let data_bits = unit_bits - length - 1;
                UnitPattern { marker: ones_above(data_bits + 1, length), data_bits }
            }
        };
        let trailing = (unit_bits > 1)
            .then(|| UnitPattern { marker: ones_above(unit_bits - 1, 1), data_bits: unit_bits - 2 });
        Self::new(unit_bits, (1..=longest).map(lead), trailing)
    }

    /// The forms of wide hunks, which are [`hunks`](Self::hunks) of code points below 2^32.
    fn wide_hunks(unit_bits: u32) -> Self {
        let bits = |length: u32| unit_bits - length - 1 + (length - 1) * (unit_bits - 2);
        let longest = (2..unit_bits).rev().find(|&length| bits(length) <= u32::BITS);
        Self::hunks(unit_bits, longest.expect("two units have fewer bits"))
    }

    /// The 65-bit variant, seed 001 §9, table ten: the number of leading ones gives a pair of lengths, and the bit after the zero
    /// selects one of the two.
    pub(in crate::core) fn sixty_five_bit() -> Self {
        let lead = |trailing: u32| match trailing {
            0 => UnitPattern { marker: 0, data_bits: 7 },
            13 => UnitPattern { marker: 0xff, data_bits: 0 },
            12 => UnitPattern { marker: 0xfe, data_bits: 0 },
            _ => {
                let ones = 1 + trailing / 2;
                let data_bits = 6 - ones;
                let pair = (((1 << ones) - 1) << 2) | u64::from(trailing % 2);
                UnitPattern { marker: pair << data_bits, data_bits }
            }
        };
        Self::new(8, (0..=13).map(lead), Some(UnitPattern { marker: 0x80, data_bits: 5 }))
    }

    /// The I8 form of Unicode Technical Report #16: 00..9F alone, trailing units 101, and a lead with as many ones as the sequence
    /// has units, up to seven; the eighth bit of those is one of the code point.
    fn utf_ebcdic_i8(max: Max) -> Self {
        let lead = |length: u32| match length {
            1 => UnitPattern { marker: 0, data_bits: 7 },
            7 => UnitPattern { marker: 0xfe, data_bits: 1 },
            _ => UnitPattern { marker: 0xff << (8 - length) & 0xff, data_bits: 7 - length },
        };
        let longest = if max == Max::Unicode { 5 } else { 7 };
        let mut forms =
            Self::new(8, (1..=longest).map(lead), Some(UnitPattern { marker: 0xa0, data_bits: 5 }));
        forms.more_singles = Some(UnitPattern { marker: 0x80, data_bits: 5 });
        forms.forms[0] = SequenceForm { bits: 8, last: 0x9f, ..forms.forms[0] };
        forms.forms[1].first = 0xa0;
        forms.up_to(max.code_point().into())
    }

    /// The layouts of units that are code points by themselves.
    pub(in crate::core) fn singles(&self) -> impl Iterator<Item = UnitPattern> {
        [self.forms[0].lead].into_iter().chain(self.more_singles)
    }

    fn new(unit_bits: u32, leads: impl Iterator<Item = UnitPattern>, trailing: Option<UnitPattern>) -> Self {
        let mut first = 0;
        let forms = leads.zip(0..).map(|(lead, count)| {
            let bits = lead.data_bits + count * trailing.map_or(0, |trailing| trailing.data_bits);
            let last = (1 << bits) - 1;
            let form = SequenceForm { lead, trailing: count, bits, first, last };
            first = first.max(last + 1);
            form
        });
        Self { unit_bits, forms: forms.collect(), trailing, more_singles: None, surrogates: true }
    }

    /// Removes overlong sequences, as in `corrected-utf-8`: the code points of a form begin after those of the form before. `first` and
    /// `last` are then values of the bits in a sequence.
    pub(in crate::core) fn with_offsets(mut self) -> Self {
        for form in &mut self.forms {
            form.first = 0;
        }
        self
    }

    /// Removes U+D800..U+DFFF.
    pub(in crate::core) fn without_surrogates(self) -> Self {
        Self { surrogates: false, ..self }
    }

    /// Adds the form of `utf-inf-8` with thirteen octets to those of up to seven, seed 000 §3.4: FF and twelve trailing octets, the upper bit of
    /// which is 0. No code point takes the lengths between: their leads are those of trailing octets.
    pub(in crate::core) fn with_thirteen_octets(mut self) -> Self {
        let (first, trailing) = (self.last() + 1, self.trailing.expect("sequences have trailing octets"));
        let octets = self.forms.len() as u32;
        self.forms.extend((octets..=12).map(|count| SequenceForm {
            lead: if count < 12 { trailing } else { UnitPattern { marker: 0xff, data_bits: 0 } },
            trailing: count,
            bits: count * trailing.data_bits,
            first,
            last: if count < 12 { first - 1 } else { (1 << (12 * trailing.data_bits - 1)) - 1 },
        }));
        self
    }

    /// Limits the forms to code points up to `last`, which takes the longest form.
    pub(in crate::core) fn up_to(mut self, last: u128) -> Self {
        let longest = self.forms.last_mut().expect("a system has a form");
        assert!((longest.first..=longest.last).contains(&last), "{last:x} is not of the longest form");
        longest.last = last;
        self
    }

    /// The last code point of the system.
    pub(in crate::core) fn last(&self) -> u128 {
        self.forms.iter().map(|form| form.last).max().expect("a system has a form")
    }

    /// The code point that is written for errors: U+FFFD, or a question mark in systems that lack it, or the last one.
    pub(in crate::core) fn replacement(&self) -> u64 {
        let last = u64::try_from(self.last()).unwrap_or(u64::MAX);
        [REPLACEMENT, 0x3f].into_iter().find(|&code_point| code_point <= last).unwrap_or(last)
    }

    /// The first trailing units that the lead of a form with this data accepts, found by trying all of them unless all are.
    pub(in crate::core) fn accepted(&self, form: &SequenceForm, lead: u64) -> Accepted {
        let trailing_bits = self.trailing_bits();
        let below = form.bits - form.lead.data_bits - trailing_bits;
        let wrong = |data: u64| {
            let first = ((u128::from(lead) << trailing_bits) | u128::from(data)) << below;
            let last = first + (1 << below) - 1;
            if last < form.first || !form.is_used() {
                Some(ErrorKind::Overlong)
            } else if !self.surrogates && SURROGATES.contains(&first) && SURROGATES.contains(&last) {
                Some(ErrorKind::Surrogate)
            } else {
                (first > form.last).then_some(ErrorKind::OutOfRange)
            }
        };
        let all = 0..1u64 << trailing_bits;
        let edge_of = |data: u64| (u128::from(lead) << (trailing_bits + below)) + (u128::from(data) << below);
        let range = edge_of(all.start)..edge_of(all.end);
        let has_surrogates = !self.surrogates && range.start < SURROGATES.end && range.end > SURROGATES.start;
        if form.is_used() && range.start >= form.first && range.end <= form.last + 1 && !has_surrogates {
            return Accepted { data: Vec::from([all]), otherwise: None };
        }
        let mut kinds: Vec<ErrorKind> = all.clone().filter_map(wrong).collect();
        kinds.dedup();
        assert!(kinds.len() <= 1, "one thing at most is wrong after a lead");
        let mut data: Vec<Range<u64>> = Vec::new();
        for right in all.filter(|&data| wrong(data).is_none()) {
            match data.last_mut() {
                Some(run) if run.end == right => run.end += 1,
                _ => data.push(right..right + 1),
            }
        }
        Accepted { data, otherwise: kinds.first().copied() }
    }

    /// How many bits of the code point a trailing unit holds; 0 if there are no trailing units.
    pub(in crate::core) fn trailing_bits(&self) -> u32 {
        self.trailing.map_or(0, |trailing| trailing.data_bits)
    }
}
