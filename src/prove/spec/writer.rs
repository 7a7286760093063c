//! How systems write code points: the units of each, typed from the documents that define the systems.

use utfhdl_hdl::core::{Max, System};
use utfhdl_hdl::netlist::{Builder, Signal};

use super::octets::Octets;
use super::tables::{
    GENERALISED_UTF_8, HUNK_4, HUNK_5, HUNK_6, HUNK_7, HUNK_8, HUNK_9, UTF_8_65_BIT, UTF_8_RFC_2279,
    UTF_EBCDIC_I8, UTF_EBCDIC_I8_UCS_4,
};
use super::utf_16::{HIGH, LOW};
use super::{REPLACEMENT, any, cesu_8, corrected_utf_8, is_within, utf_16};

/// A unit of a written sequence.
#[derive(Clone, Copy)]
pub struct Written<'m> {
    pub is_there: Signal<'m>,
    pub bits: Signal<'m>,
}

/// The code point that an encoder writes for a slot, and what the slot means for its frame.
#[derive(Clone, Copy)]
pub struct Writes<'m> {
    /// A code point is written.
    pub is_written: Signal<'m>,
    /// The code point that is written.
    pub code_point: Signal<'m>,
    /// The slot is an error, or what the system cannot write.
    pub is_error: Signal<'m>,
    /// The last code point of the frame, up to this slot, is a high surrogate that is written.
    pub is_after_high: Signal<'m>,
}

/// How a system writes code points.
#[derive(Clone, Copy)]
pub struct Writer {
    /// The code points of the system, in ranges.
    has: Ranges,
    /// A low surrogate directly after a high one cannot be written.
    refuses_pairs: bool,
    /// The units in their order. The last is always present; the others are present from some index on.
    write: for<'m> fn(&'m Builder, Signal<'m>) -> Vec<Written<'m>>,
    /// How what `write` gives is cut into octets, where units are octets of words.
    octets: Option<Octets>,
}

/// Bits of a code point that is one slot.
const CODE_BITS: u32 = 32;

/// U+003F, which takes the place of what cannot be written where a system has no U+FFFD.
const QUESTION_MARK: u64 = 0x3F;

/// Code points in ranges.
type Ranges = &'static [(u128, u128)];

/// The scalar values of Unicode, and of UCS-4.
const UNICODE: Ranges = &[(0, 0xD7FF), (0xE000, 0x10_FFFF)];
const UCS_4: Ranges = &[(0, 0xD7FF), (0xE000, 0x7FFF_FFFF)];
/// The planes 0 to 2 and 14, as RFC 4042, §4, has them.
const UTF_18: Ranges = &[(0, 0xD7FF), (0xE000, 0x2_FFFF), (0xE_0000, 0xE_FFFF)];
const BELOW_2_42: Ranges = &[(0, (1 << 42) - 1)];
const CORRECTED: Ranges = &[(0, 0x7F), (0xA0, 0xD7FF), (0xE000, 0x8421_109F)];

impl Writer {
    /// The writer of a system, if there is one.
    pub fn of(system: System) -> Option<Self> {
        let writer = |has, write| Self { has, write, refuses_pairs: false, octets: None };
        let in_octets = |words, bits, order| {
            Self::of(words).map(|writer| Self { octets: Some(Octets::new(bits, order)), ..writer })
        };
        Some(match system {
            System::Utf8 => writer(UNICODE, utf_8),
            System::Utf8Rfc2279 => writer(UCS_4, |m, code_point| UTF_8_RFC_2279.write(m, code_point)),
            System::UtfEbcdicI8 { max: Max::Unicode } => {
                writer(UNICODE, |m, code_point| UTF_EBCDIC_I8.write(m, code_point))
            }
            System::UtfEbcdicI8 { max: Max::Ucs4 } => {
                writer(UCS_4, |m, code_point| UTF_EBCDIC_I8_UCS_4.write(m, code_point))
            }
            System::Wtf8 => Self {
                refuses_pairs: true,
                ..writer(&[(0, 0x10_FFFF)], |m, code_point| GENERALISED_UTF_8.write(m, code_point))
            },
            System::Cesu8 => writer(UNICODE, cesu_8::write_cesu_8),
            System::Mutf8 => writer(UNICODE, cesu_8::write_mutf_8),
            System::CorrectedUtf8 { document: false, private: false } => {
                writer(CORRECTED, corrected_utf_8::write)
            }
            System::Utf9 { max: Max::Unicode } => writer(UNICODE, utf_9),
            System::Utf9 { max: Max::Ucs4 } => writer(UCS_4, utf_9),
            System::Utf18 => writer(UTF_18, utf_18),
            System::Utf16 => writer(UNICODE, utf_16::write),
            System::Utf32 { max: Max::Unicode } => writer(UNICODE, |m, code_point| alone(m, code_point, 32)),
            System::Utf32 { max: Max::Ucs4 } => writer(UCS_4, |m, code_point| alone(m, code_point, 32)),
            System::Ucs2 => {
                writer(&[(0, 0xD7FF), (0xE000, 0xFFFF)], |m, code_point| alone(m, code_point, 16))
            }
            System::Utf16Octets { order, bom: false } => in_octets(System::Utf16, 16, order)?,
            System::Utf32Octets { order, bom: false, max } => in_octets(System::Utf32 { max }, 32, order)?,
            System::Ucs2Octets { order, bom: false } => in_octets(System::Ucs2, 16, order)?,
            System::Latin1 => writer(&[(0, 0xFF)], |m, code_point| alone(m, code_point, 8)),
            System::Ascii => writer(&[(0, 0x7F)], |m, code_point| alone(m, code_point, 8)),
            System::Hunk(width) => match width.bits() {
                1 => writer(&[(0, 0)], |m, code_point| alone(m, code_point, 1)),
                2 => writer(&[(0, 1)], |m, code_point| alone(m, code_point, 2)),
                3 => writer(&[(0, 3)], |m, code_point| alone(m, code_point, 3)),
                4 => writer(&[(0, (1 << 6) - 1)], |m, code_point| HUNK_4.write(m, code_point)),
                5 => writer(&[(0, (1 << 12) - 1)], |m, code_point| HUNK_5.write(m, code_point)),
                6 => writer(&[(0, (1 << 20) - 1)], |m, code_point| HUNK_6.write(m, code_point)),
                7 => writer(&[(0, (1 << 30) - 1)], |m, code_point| HUNK_7.write(m, code_point)),
                8 => writer(BELOW_2_42, |m, code_point| HUNK_8.write(m, code_point)),
                9 => writer(&[(0, (1 << 56) - 1)], |m, code_point| HUNK_9.write(m, code_point)),
                _ => return None,
            },
            System::Utf8EightByte => writer(BELOW_2_42, |m, code_point| HUNK_8.write(m, code_point)),
            System::Utf8SixtyFiveBit => {
                writer(&[(0, (1 << 65) - 1)], |m, code_point| UTF_8_65_BIT.write(m, code_point))
            }
            _ => return None,
        })
    }

    /// Whether the system has a code point.
    pub fn has<'m>(self, m: &'m Builder, code_point: Signal<'m>) -> Signal<'m> {
        any(self.has.iter().map(|&range| is_within(m, code_point, range)))
    }

    /// The code point that an encoder writes for a slot. `user` is 0 for a code point, and otherwise the kind of an error. `is_after_high`: the
    /// code point before the slot, in the same frame, is a high surrogate that is written.
    pub fn writes<'m>(
        self,
        m: &'m Builder,
        drops: bool,
        [is_there, data, user]: [Signal<'m>; 3],
        is_after_high: Signal<'m>,
    ) -> Writes<'m> {
        let data = data.zext(self.code_bits().max(data.width()));
        let within = |(first, last)| data.within(first, last);
        let refuses_pairs = m.lit(1, self.refuses_pairs.into());
        let is_replaced = user.any() | !self.has(m, data) | refuses_pairs & is_after_high & within(LOW);
        let is_written = if drops { is_there & !is_replaced } else { is_there };
        let bits = self.bits();
        Writes {
            is_written,
            code_point: is_replaced.mux(m.lit(bits, self.replacement()), data.bits(0..bits)),
            is_error: is_there & is_replaced,
            is_after_high: is_written.mux(!is_replaced & within(HIGH), is_after_high),
        }
    }

    /// The code point in place of what cannot be written.
    fn replacement(self) -> u64 {
        let has = |code_point: u64| {
            self.has.iter().any(|(first, last)| (first..=last).contains(&&code_point.into()))
        };
        let last = self.has.last().map_or(0, |&(_, last)| last as u64);
        [REPLACEMENT, QUESTION_MARK].into_iter().find(|&code_point| has(code_point)).unwrap_or(last)
    }

    /// Bits of the last code point.
    pub fn bits(self) -> u32 {
        self.has.last().map_or(1, |&(_, last)| last.max(1).ilog2() + 1)
    }

    /// Bits of what [`write`](Self::write) reads: a slot, or the last code point.
    pub fn code_bits(self) -> u32 {
        self.bits().max(CODE_BITS)
    }

    /// The units of a code point of [`code_bits`](Self::code_bits).
    pub fn write<'m>(self, m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
        let words = (self.write)(m, code_point);
        match self.octets {
            Some(octets) => octets.write(m, words),
            None => words,
        }
    }
}

/// A unit with the number of the code point.
fn alone<'m>(m: &'m Builder, code_point: Signal<'m>, bits: u32) -> Vec<Written<'m>> {
    vec![Written { is_there: m.lit(1, 1), bits: code_point.bits(0..bits) }]
}

/// Table 3-6 of the Unicode Standard, "UTF-8 Bit Distribution".
fn utf_8<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let bits = |range| code_point.bits(range);
    let within = |first, last| code_point.within(first, last);
    let (two, three, four) = (within(0x80, 0x7FF), within(0x800, 0xFFFF), within(0x10000, 0x10FFFF));
    let trailing = |low: u32| m.concat([m.lit(2, 0b10), bits(low..low + 6)]);
    let first = two.mux(
        m.concat([m.lit(3, 0b110), bits(6..11)]),
        three.mux(
            m.concat([m.lit(4, 0b1110), bits(12..16)]),
            four.mux(m.concat([m.lit(5, 0b11110), bits(18..21)]), m.concat([m.lit(1, 0), bits(0..7)])),
        ),
    );
    vec![
        Written { is_there: four, bits: first },
        Written { is_there: three | four, bits: three.mux(first, trailing(12)) },
        Written { is_there: two | three | four, bits: two.mux(first, trailing(6)) },
        Written { is_there: m.lit(1, 1), bits: (two | three | four).mux(trailing(0), first) },
    ]
}

/// RFC 4042, §3: octets, the most significant that is not zero first, each but the last with the high bit of its nonet set.
fn utf_9<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let nonet = |goes_on: u64, low: u32| m.concat([m.lit(1, goes_on), code_point.bits(low..low + 8)]);
    let goes_on = |low: u32| Written { is_there: code_point.bits(low..CODE_BITS).any(), bits: nonet(1, low) };
    vec![goes_on(24), goes_on(16), goes_on(8), Written { is_there: m.lit(1, 1), bits: nonet(0, 0) }]
}

/// RFC 4042, §4: two nonets. The code for plane 14 is plane 3.
fn utf_18<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let plane = code_point.bits(16..21);
    let plane = plane.is(14).mux(m.lit(2, 3), plane.bits(0..2));
    let value = m.concat([plane, code_point.bits(0..16)]);
    [9, 0].map(|low| Written { is_there: m.lit(1, 1), bits: value.bits(low..low + 9) }).to_vec()
}
