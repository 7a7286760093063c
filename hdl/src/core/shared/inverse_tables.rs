//! The tables of the sets of several octets for encoders: from a code point to its octets, in two steps.
//!
//! ```text
//!  code point ── upper bits ──> number of the page ──┬──> word of the code point
//!             └─ lower bits ─────────────────────────┘
//! ```
//!
//! Pages with the same words share a number, so that all pages without characters are one.

use std::collections::BTreeMap;

use super::code_points::OCTET;
use super::index_tables::{APART, Pairs, Words, entries, ranges};
use super::memory_look_up::{Found, look_up_all, port_name, read};
use crate::core::MultiOctet;
use crate::netlist::{Builder, Signal, Stage};

/// Bits of the code points that are looked up.
pub(in crate::core) const CODE_BITS: u32 = 21;

/// Bits of a word.
pub(in crate::core) const WORD_BITS: u32 = 16;

/// The bit of a word that says that the code point is a pair: leads have it.
pub(in crate::core) const IS_PAIR: u32 = WORD_BITS - 1;

/// The question mark, which is written for errors in sets without U+FFFD.
const QUESTION_MARK: u64 = 0x3f;

/// The four octets of U+FFFD in `gb18030`.
const REPLACEMENT_OF_GB_18030: u64 = 0x8431_a437;

/// Code points that shift-jis and euc-jp write as ASCII octets.
const AS_ASCII: [(u32, u64); 2] = [(0xa5, 0x5c), (0x203e, 0x7e)];

/// The halfwidth katakana, and the octet of the first of them.
const KATAKANA: std::ops::RangeInclusive<u32> = 0xff61..=0xff9f;
const OCTET_OF_KATAKANA: u64 = 0xa1;

/// The minus sign of JIS X 0208, and the code point that is written as the same pair.
const MINUS: (u32, u32) = (0x2212, 0xff0d);

/// Pointers that a Shift_JIS encoder leaves out: the characters of IBM that NEC selected.
const SELECTED_BY_NEC: std::ops::Range<usize> = 8272..8836;

/// Pointers below lead A1, which a Big5 encoder leaves out.
const LEADS_OF_HKSCS: usize = (0xa1 - 0x81) * 157;

/// Code points of which a Big5 encoder writes the last pair.
const LAST_PAIR: [u64; 6] = [0x2550, 0x255e, 0x2561, 0x256a, 0x5341, 0x5345];

/// Private-use code points whose pairs have been given to other characters, and these pairs: "gb18030 encoder".
const PRIVATE_PAIRS: [(u32, u64); 18] = [
    (0xe78d, 0xa6d9),
    (0xe78e, 0xa6da),
    (0xe78f, 0xa6db),
    (0xe790, 0xa6dc),
    (0xe791, 0xa6dd),
    (0xe792, 0xa6de),
    (0xe793, 0xa6df),
    (0xe794, 0xa6ec),
    (0xe795, 0xa6ed),
    (0xe796, 0xa6f3),
    (0xe81e, 0xfe59),
    (0xe826, 0xfe61),
    (0xe82b, 0xfe66),
    (0xe82c, 0xfe67),
    (0xe832, 0xfe6d),
    (0xe843, 0xfe7e),
    (0xe854, 0xfe90),
    (0xe864, 0xfea0),
];

/// The tables of a set.
pub(in crate::core) struct InverseTables {
    set: MultiOctet,
    /// For each page of code points, the number of its words, and in `gb18030` above it the pointer before the first of its four octets.
    pages: Vec<u64>,
    /// The words, page by page: a pair of octets; an octet; in `gb18030` a pointer less that of the page; 0 if the set does not have the
    /// code point, and for ASCII.
    words: Vec<u64>,
    /// Bits of a word.
    word_bits: u32,
    number_bits: u32,
    page_bits: u32,
}

/// The page of a code point, after the first step.
#[derive(Clone, Copy)]
pub(in crate::core) struct Page<'m> {
    /// The number of the page, and the position of the code point in it.
    address: Signal<'m>,
    /// The pointer before the first of the page; `None` without four octets.
    pub(in crate::core) pointer: Option<Signal<'m>>,
}

/// Bits of a pointer of four octets in the Basic Multilingual Plane.
const POINTER_BITS: u32 = 16;

/// Whether a set has four octets for code points without a pair.
pub(in crate::core) fn has_four(set: MultiOctet) -> bool {
    set == MultiOctet::Gb18030
}

impl InverseTables {
    /// The tables with octets, or with a bit for each code point that is not ASCII, which says whether the set has it.
    pub(in crate::core) fn new(set: MultiOctet, words: Words) -> Self {
        // Smaller pages than 64 code points leave fewer words unused, and need a larger table of pages.
        let page_bits = match (words, set) {
            (Words::CodePoints, MultiOctet::EucKr | MultiOctet::Big5) => 4,
            _ => 6,
        };
        let mut octets = octets(set);
        let pointers = if has_four(set) { pointers(&octets) } else { BTreeMap::new() };
        let word_bits = match words {
            Words::CodePoints => WORD_BITS,
            Words::Presence => {
                octets.values_mut().for_each(|word| *word = 1);
                1
            }
        };
        let mut numbers = BTreeMap::from([(vec![0; 1 << page_bits], 0)]);
        let mut pages = Vec::new();
        let codes_of_key = key_bits(set);
        let mut words = vec![0; 1 << page_bits];
        for page in 0..1_u32 << (codes_of_key - page_bits) {
            let codes = (0..1_u32 << page_bits).map(|position| code_of_key(page << page_bits | position));
            let first = codes.clone().filter_map(|code| pointers.get(&code)).min().copied();
            let word = |code: u32| match (octets.get(&code), pointers.get(&code).zip(first)) {
                (Some(&octets), _) => octets,
                (None, Some((pointer, first))) => pointer - first + 1,
                (None, None) => 0,
            };
            let of_page: Vec<u64> = codes.map(word).collect();
            let number = match numbers.get(&of_page) {
                Some(&number) => number,
                None => {
                    let number = numbers.len() as u64;
                    words.extend(&of_page);
                    numbers.insert(of_page, number);
                    number
                }
            };
            // The pointer before the first one, modulo 2^16.
            let before = first.map_or(0, |first| first.wrapping_sub(1) & 0xffff);
            pages.push((number, before));
        }
        let number_bits = u64::BITS - (numbers.len() as u64 - 1).leading_zeros();
        let pages = pages.into_iter().map(|(number, before)| before << number_bits | number).collect();
        Self { set, pages, words, word_bits, number_bits, page_bits }
    }

    /// What is written for errors: its octets as a number, and the position of the first of them.
    pub(in crate::core) fn replacement(set: MultiOctet) -> (u64, u64) {
        if has_four(set) { (REPLACEMENT_OF_GB_18030, 3) } else { (QUESTION_MARK, 0) }
    }

    /// The first step, for the low 21 bits of slots, at most two. The first of two stages has the registers that memory is read into, and
    /// the second one more after them, since the output of a block RAM comes late in a cycle.
    pub(in crate::core) fn pages<'m>(
        &self,
        m: &'m Builder,
        codes: &[Signal<'m>],
        stages: [Stage<'m>; 2],
    ) -> Vec<Page<'m>> {
        let key = |code: &Signal<'m>| {
            let upper = code.bits(self.page_bits..WORD_BITS);
            let has_plane = key_bits(self.set) > WORD_BITS;
            if has_plane { m.concat([code.bit(WORD_BITS + 1), upper]) } else { upper }
        };
        let keys: Vec<Signal> = codes.iter().map(key).collect();
        let width = self.number_bits + if has_four(self.set) { POINTER_BITS } else { 0 };
        let found = read(m, "page", &keys, &self.pages, width, stages);
        let page = |(port, (found, code)): (usize, (Signal<'m>, &Signal<'m>))| {
            let name = |name: &str| port_name(name, port, codes.len());
            let [read, moved] = stages;
            let position = code.bits(0..self.page_bits);
            let position = read.data(&format!("{}_reg", name("in_page_read")), position);
            let position = moved.data(&format!("{}_reg", name("in_page")), position);
            let position = position.note("the position in the page");
            let address = m.concat([found.bits(0..self.number_bits), position]).named(&name("address"));
            let pointer = || found.bits(self.number_bits..width).named(&name("page_pointer"));
            Page { address, pointer: has_four(self.set).then(pointer) }
        };
        found.into_iter().zip(codes).enumerate().map(page).collect()
    }

    /// The second step, in three stages; see [`look_up_all`].
    pub(in crate::core) fn words<'m>(&self, pages: &[Page<'m>], stages: [Stage<'m>; 3]) -> Vec<Found<'m>> {
        let addresses: Vec<Signal> = pages.iter().map(|page| page.address).collect();
        look_up_all("word", &addresses, &self.words, self.word_bits, stages)
    }

    /// Whether a code point of 21 bits is in none of the planes that the tables have.
    pub(in crate::core) fn is_beyond<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Signal<'m> {
        let plane = code.bits(WORD_BITS..code.width());
        let others = match key_bits(self.set) > WORD_BITS {
            true => m.concat([plane.bits(2..plane.width()), plane.bit(0)]),
            false => plane,
        };
        others.any()
    }
}

/// Bits of a code point that the tables tell apart: big5 has code points of plane 2.
fn key_bits(set: MultiOctet) -> u32 {
    if set == MultiOctet::Big5 { WORD_BITS + 1 } else { WORD_BITS }
}

/// The code point of a key: its highest bit, if there are 17, is that of plane 2.
fn code_of_key(key: u32) -> u32 {
    key & 0xffff | (key >> WORD_BITS) << (WORD_BITS + 1)
}

/// The octets of each code point but for ASCII, as a number.
fn octets(set: MultiOctet) -> BTreeMap<u32, u64> {
    let pair_of = |address: usize| 1 << IS_PAIR | address as u64;
    let pairs: Vec<u64> = Pairs::of(set).addresses().map(pair_of).collect();
    let mut octets = BTreeMap::new();
    for (pointer, code_point) in entries(set.index()) {
        let Some(&pair) = pairs.get(pointer) else { continue };
        let code = code_point as u32;
        match set {
            MultiOctet::ShiftJis if SELECTED_BY_NEC.contains(&pointer) => {}
            MultiOctet::Big5 if pointer < LEADS_OF_HKSCS => {}
            MultiOctet::Big5 if LAST_PAIR.contains(&code_point) => {
                octets.insert(code, pair);
            }
            _ => {
                octets.entry(code).or_insert(pair);
            }
        }
    }
    match set {
        MultiOctet::Gbk | MultiOctet::Gb18030 => octets.extend(PRIVATE_PAIRS),
        MultiOctet::ShiftJis | MultiOctet::EucJp => {
            octets.extend(AS_ASCII);
            let (is_octet, lead) = (set == MultiOctet::ShiftJis, 0x8e << OCTET);
            let first = if is_octet { OCTET_OF_KATAKANA } else { lead | OCTET_OF_KATAKANA };
            octets.extend(KATAKANA.zip(first..));
            octets.insert(MINUS.0, octets[&MINUS.1]);
        }
        MultiOctet::EucKr | MultiOctet::Big5 => {}
    }
    match set {
        MultiOctet::Gbk => octets.insert(0x20ac, 0x80),
        MultiOctet::ShiftJis => octets.insert(0x80, 0x80),
        _ => None,
    };
    octets
}

/// The pointers of the code points of the Basic Multilingual Plane that have no pair.
fn pointers(octets: &BTreeMap<u32, u64>) -> BTreeMap<u32, u64> {
    let ranges = ranges();
    let others = (0x80..=0xffff)
        .filter(|code| !octets.contains_key(code) && !(0xd800..=0xdfff).contains(code) && *code != 0xe5e5);
    let pointer = |code: u32| match code {
        _ if code == APART.1 => APART.0,
        _ => {
            let in_range = ranges.iter().rev().find(|range| range.1 <= code);
            let &(pointer, first) = in_range.expect("U+0080 begins a range");
            pointer + code - first
        }
    };
    others.map(|code| (code, pointer(code).into())).collect()
}
