//! The tables of the sets of several octets, from the index files of the Encoding Standard: words for an address of a lead and the octet
//! after it. A word is the code point, and 0 where the pair is an error.

use std::ops::RangeInclusive;

use super::memory_look_up::{Found, look_up};
use crate::core::MultiOctet;
use crate::netlist::{Builder, Signal, Stage};

/// Bits of a code point.
pub(in crate::core) const CODE_BITS: u32 = 21;

/// Bits of a lead in an address: all but the topmost, which is 1.
pub(in crate::core) const LEAD_BITS: u32 = 7;
/// Bits of the octet after it.
const OCTET_BITS: u32 = 8;

/// The words that are two code points: the topmost two bits are 1, bit 0 says U+00EA in place of U+00CA, and bit 1 U+030C in place of
/// U+0304.
const TWO_CODE_POINTS: u64 = 0b11 << 16;

/// Pairs of big5 that are two code points, each with its low bits in the table.
const PAIRS_OF_TWO: [(usize, u64); 4] = [(1133, 0b00), (1135, 0b10), (1164, 0b01), (1166, 0b11)];

/// The first octet of a row of four octets, the last row of the Basic Multilingual Plane and the number of digits.
const FIRST_LEAD: u32 = 0x81;
const FIRST_DIGIT: u32 = 0x30;
const DIGITS: u32 = 10;
const LEADS: u32 = 126;

/// The words that a core reads from the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Words {
    /// Code points.
    CodePoints,
    /// One bit, which says whether there is a code point: a validator needs no more.
    Presence,
}

/// A table for leads and the octets after them.
pub(in crate::core) struct PairTable {
    words: Vec<u64>,
    /// Bits of a word.
    pub(in crate::core) bits: u32,
}

/// The octets of pairs, as ranges.
pub(super) struct Pairs {
    leads: Vec<RangeInclusive<u32>>,
    trails: Vec<RangeInclusive<u32>>,
}

impl Pairs {
    pub(super) fn of(set: MultiOctet) -> Self {
        let (leads, trails) = match set {
            MultiOctet::Gbk | MultiOctet::Gb18030 => (vec![0x81..=0xfe], vec![0x40..=0x7e, 0x80..=0xfe]),
            MultiOctet::ShiftJis => (vec![0x81..=0x9f, 0xe0..=0xfc], vec![0x40..=0x7e, 0x80..=0xfc]),
            MultiOctet::EucJp => (vec![0xa1..=0xfe], vec![0xa1..=0xfe]),
            MultiOctet::EucKr => (vec![0x81..=0xfe], vec![0x41..=0xfe]),
            MultiOctet::Big5 => (vec![0x81..=0xfe], vec![0x40..=0x7e, 0xa1..=0xfe]),
        };
        Self { leads, trails }
    }

    /// The address of each pointer, in order.
    pub(super) fn addresses(&self) -> impl Iterator<Item = usize> {
        let leads = self.leads.iter().cloned().flatten();
        leads.flat_map(|lead| {
            self.trails.iter().cloned().flatten().map(move |trail| pair_address(lead, trail))
        })
    }
}

/// The address of a lead and an octet.
pub(super) fn pair_address(lead: u32, octet: u32) -> usize {
    ((lead & ((1 << LEAD_BITS) - 1)) << OCTET_BITS | octet) as usize
}

/// The code points of an index file, each with its pointer.
pub(super) fn entries(file: &str) -> impl Iterator<Item = (usize, u64)> {
    let lines = file.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.flat_map(|line| {
        let mut fields = line.splitn(2, '\t');
        let mut field = || fields.next().expect("a pointer, a tab and characters");
        let first: usize = field().parse().expect("a pointer in decimal");
        let characters = field().chars();
        characters.enumerate().map(move |(index, c)| (first + index, u64::from(u32::from(c))))
    })
}

impl PairTable {
    fn new(set: MultiOctet, file: &str) -> Self {
        let addresses: Vec<usize> = Pairs::of(set).addresses().collect();
        let mut words = vec![0; 1 << (LEAD_BITS + OCTET_BITS)];
        for (pointer, code_point) in entries(file) {
            if let Some(&address) = addresses.get(pointer) {
                words[address] = code_point;
            }
        }
        match set {
            MultiOctet::ShiftJis => {
                // "end-user-defined characters": U+E000 and up.
                (0xe000..).zip(8836..=10715).for_each(|(code_point, at)| words[addresses[at]] = code_point);
            }
            MultiOctet::EucJp => {
                let katakana = 0xa1..=0xdf;
                (0xff61..)
                    .zip(katakana)
                    .for_each(|(code_point, octet)| words[pair_address(0x8e, octet)] = code_point);
            }
            MultiOctet::Big5 => {
                PAIRS_OF_TWO.iter().for_each(|&(at, word)| words[addresses[at]] = TWO_CODE_POINTS | word);
            }
            MultiOctet::Gbk | MultiOctet::Gb18030 | MultiOctet::EucKr => {}
        }
        let most = words.iter().max().copied().unwrap_or_default();
        Self { words, bits: u64::BITS - most.leading_zeros() }
    }

    /// The pairs of a set.
    pub(in crate::core) fn of(set: MultiOctet) -> Self {
        Self::new(set, set.index())
    }

    /// The word at an address.
    pub(super) fn word_at(&self, address: usize) -> u64 {
        self.words[address]
    }

    /// The table with these words.
    pub(in crate::core) fn with(self, words: Words) -> Self {
        match words {
            Words::CodePoints => self,
            Words::Presence => {
                Self { words: self.words.iter().map(|&word| u64::from(word > 0)).collect(), bits: 1 }
            }
        }
    }

    /// The octets after 8F in euc-jp.
    pub(in crate::core) fn of_jis_0212() -> Self {
        let mut table = Self::new(MultiOctet::EucJp, MultiOctet::JIS_0212);
        table.words[pair_address(0x8e, 0)..pair_address(0x8f, 0)].fill(0);
        table
    }

    /// The word of a lead and an octet, in registers of the last of three stages; see [`look_up`].
    pub(in crate::core) fn word<'m>(
        &self,
        name: &str,
        [lead, octet]: [Signal<'m>; 2],
        stages: [Stage<'m>; 3],
    ) -> Found<'m> {
        let key = stages[0].builder().concat([lead.bits(0..LEAD_BITS), octet]);
        look_up(name, key, &self.words, self.bits, stages)
    }
}

/// The one pointer that is in no range, and its code point.
pub(super) const APART: (u32, u32) = (7457, 0xe7c7);

/// The ranges of four octets of the Encoding Standard: the first pointer of each, and its code point.
pub(super) fn ranges() -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for line in MultiOctet::GB_18030_RANGES.split('\n') {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if let ([pointer, code_point], false) = (&fields[..], line.starts_with('#')) {
            let code_point = u32::from_str_radix(&code_point[2..], 16).expect("a code point");
            ranges.push((pointer.parse().expect("a pointer"), code_point));
        }
    }
    ranges
}

/// The code point of a pointer of four octets in the Basic Multilingual Plane.
pub(super) fn code_point_of(ranges: &[(u32, u32)], pointer: u32) -> u64 {
    if pointer == APART.0 {
        return APART.1.into();
    }
    let range = ranges.iter().rev().find(|range| range.0 <= pointer);
    let &(first, code_point) = range.expect("0 begins a range");
    u64::from(code_point + pointer - first)
}

/// The rows of four octets in the Basic Multilingual Plane: ten code points for the three octets before the last digit.
pub(in crate::core) struct RowTables {
    /// For an address of two bits of the first octet, four of the second and seven of the third: the first code point of a row of
    /// successive ones, or below [`FIRST`](Self::FIRST) the number of a row in `listed`; 0 without code points.
    rows: Vec<u64>,
    /// The code points of the other rows, 16 words for each.
    listed: Vec<u64>,
}

impl RowTables {
    /// The first code point of all rows. A smaller word is the number of a listed row, of which there are fewer.
    const FIRST: u64 = 1 << Self::NUMBER_BITS;
    const NUMBER_BITS: u32 = 7;

    /// Makes the rows of the ranges of the Encoding Standard.
    pub(in crate::core) fn new() -> Self {
        let ranges = ranges();
        let code_point = |pointer: u32| code_point_of(&ranges, pointer);
        let (mut rows, mut listed) = (vec![0; 1 << 13], Vec::new());
        for row in 0..39420 / DIGITS {
            let (first, second, third) =
                (row / (DIGITS * LEADS), row / LEADS % DIGITS, row % LEADS + FIRST_LEAD);
            let (first, second) = ((first + FIRST_LEAD) % 4, (second + FIRST_DIGIT) % 16);
            let at = (first << 11) | (second << 7) | (third % 128);
            let points: Vec<u64> = (0..DIGITS).map(|digit| code_point(row * DIGITS + digit)).collect();
            let is_successive = points.iter().zip(points[0]..).all(|(&point, next)| point == next);
            rows[at as usize] = match is_successive {
                true => points[0],
                false => {
                    let number = listed.len() as u64 / 16;
                    assert!(number < Self::FIRST, "a number is no code point");
                    listed.extend(points.iter().chain(&[0; 16]).take(16).copied());
                    number
                }
            };
        }
        Self { rows, listed }
    }

    /// The row of three octets.
    pub(in crate::core) fn row<'m>(
        &self,
        m: &'m Builder,
        [first, second, third]: [Signal<'m>; 3],
    ) -> Signal<'m> {
        let address = m.concat([first.bits(0..2), second.bits(0..4), third.bits(0..7)]);
        address.lookup(&self.rows, 16)
    }

    /// Whether the word of a row says that it is listed.
    pub(in crate::core) fn is_listed(row: Signal<'_>) -> Signal<'_> {
        !row.bits(Self::NUMBER_BITS..row.width()).any()
    }

    /// The code point of a listed row and a digit.
    pub(in crate::core) fn listed<'m>(
        &self,
        m: &'m Builder,
        row: Signal<'m>,
        digit: Signal<'m>,
    ) -> Signal<'m> {
        m.concat([row.bits(0..Self::NUMBER_BITS), digit.bits(0..4)]).lookup(&self.listed, 16)
    }
}
