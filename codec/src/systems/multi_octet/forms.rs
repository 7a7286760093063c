//! The forms of the sets: which octets are characters, which lead, and what pairs are.
//!
//! The Encoding Standard, §10 to §13, and §6 for the pointers that encoders leave out.

use alloc::vec::Vec;
use core::array;

use utfhdl_systems::MultiOctet;

use super::index::{Index, NoRange, Ranges, Written};
use crate::ErrorKind;
use crate::bulk::Run;
use crate::lazy::Lazy;

/// Ranges of octets, each with its first and its last.
type Octets = &'static [(u8, u8)];

/// The class of an octet after no lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alone {
    CodePoint(u32),
    Lead,
    Invalid,
}

/// The meaning of a lead and the octet after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    CodePoint(u32),
    /// Two code points of `big5`.
    Two(u32, u32),
    Error(ErrorKind),
}

/// "If there is a row in the table below whose first column is pointer, then return the two code points": big5 decoder.
const TWO_CODE_POINTS: [(usize, u32, u32); 4] =
    [(1133, 0xCA, 0x304), (1135, 0xCA, 0x30C), (1164, 0xEA, 0x304), (1166, 0xEA, 0x30C)];

/// Code points of which big5 encoders write the last pair and not the first: "index Big5 pointer".
const LAST_IN_BIG5: [u32; 6] = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345];

/// The first pointer of a pair that big5 encoders write: lead A1, below which is the extension of Hong Kong.
const FIRST_WRITTEN_IN_BIG5: usize = (0xA1 - 0x81) * 157;

/// Pointers that Shift_JIS encoders leave out: characters of NEC that IBM has, too.
const LEFT_OUT_OF_SHIFT_JIS: core::ops::RangeInclusive<usize> = 8272..=8835;

/// The pointers of Shift_JIS that are private-use code points from U+E000 on: "end-user-defined characters".
const PRIVATE_IN_SHIFT_JIS: core::ops::RangeInclusive<usize> = 8836..=10715;

/// Code points of `gb18030` that GB 18030-2005 had in pairs whose characters Unicode has got since: gb18030 encoder. Runs of code points
/// and pairs: the first code point, the lead, and the first and last trailing octet.
const PRIVATE_IN_GB_18030: [(u32, u8, u8, u8); 10] = [
    (0xE78D, 0xA6, 0xD9, 0xDF),
    (0xE794, 0xA6, 0xEC, 0xED),
    (0xE796, 0xA6, 0xF3, 0xF3),
    (0xE81E, 0xFE, 0x59, 0x59),
    (0xE826, 0xFE, 0x61, 0x61),
    (0xE82B, 0xFE, 0x66, 0x67),
    (0xE832, 0xFE, 0x6D, 0x6D),
    (0xE843, 0xFE, 0x7E, 0x7E),
    (0xE854, 0xFE, 0x90, 0x90),
    (0xE864, 0xFE, 0xA0, 0xA0),
];

/// The first of the halfwidth katakana, and the octet that stands for it.
const KATAKANA: u32 = 0xFF61;
const OCTET_OF_KATAKANA: u8 = 0xA1;
const LAST_OCTET_OF_KATAKANA: u8 = 0xDF;

/// Leads of `euc-jp`: of halfwidth katakana, and of JIS X 0212.
const LEAD_OF_KATAKANA: u8 = 0x8E;
const LEAD_OF_JIS_0212: u8 = 0x8F;

/// The rank of an octet that leads or trails no pair, in [`Forms`].
const NO_RANK: u8 = u8::MAX;

/// The forms of a set.
#[derive(Debug)]
pub(super) struct Forms {
    pub(super) set: MultiOctet,
    /// For each octet, how many leads are below it.
    leads: [u8; 0x100],
    /// For each octet, how many trailing octets are below it.
    trails: [u8; 0x100],
    /// The number of trailing octets.
    trail_count: usize,
    index: Index,
    jis_0212: Option<Index>,
    written: Written,
    ranges: Option<Ranges>,
    whole: Whole,
}

/// The code points of all single octets and pairs, for the fast path.
#[derive(Debug)]
struct Whole {
    /// For each octet, its code point, or [`FIRST_ROW`] and up: the index of the row of a lead.
    firsts: [u32; 0x100],
    /// For each lead, the code points of the octets after it; [`NONE`] where there is not just one.
    pairs: Vec<[u32; 0x100]>,
    /// The octets below this one are their own code points.
    plain: u32,
}

/// The row of the first lead, in [`Whole::firsts`]. No code point is as great.
const FIRST_ROW: u32 = 0x11_0000;

/// No row.
const NO_ROW: u32 = u32::MAX;

/// No code point of a pair: no index has U+0000.
const NONE: u32 = 0;

impl Default for Whole {
    fn default() -> Whole {
        Whole { firsts: [NO_ROW; 0x100], pairs: Vec::new(), plain: 0 }
    }
}

impl Whole {
    fn new(forms: &Forms) -> Whole {
        let mut whole = Whole::default();
        for octet in 0..=u8::MAX {
            whole.firsts[usize::from(octet)] = match forms.alone(octet) {
                Alone::CodePoint(code_point) => code_point,
                Alone::Lead if !forms.leads_three(octet) => {
                    whole.pairs.push(array::from_fn(|next| match forms.pair(octet, next as u8) {
                        Pair::CodePoint(code_point) => code_point,
                        Pair::Two(..) | Pair::Error(_) => NONE,
                    }));
                    FIRST_ROW + whole.pairs.len() as u32 - 1
                }
                Alone::Lead | Alone::Invalid => NO_ROW,
            };
        }
        let is_other = |octet: &u32| whole.firsts[*octet as usize] != *octet;
        whole.plain = (0..0x100).find(is_other).expect("every set has leads");
        whole
    }
}

/// The forms of a set, which are made when they are first used.
pub(super) fn forms(set: MultiOctet) -> &'static Forms {
    static GBK: Lazy<Forms> = Lazy::new(|| Forms::new(MultiOctet::Gbk));
    static GB_18030: Lazy<Forms> = Lazy::new(|| Forms::new(MultiOctet::Gb18030));
    static SHIFT_JIS: Lazy<Forms> = Lazy::new(|| Forms::new(MultiOctet::ShiftJis));
    static EUC_JP: Lazy<Forms> = Lazy::new(|| Forms::new(MultiOctet::EucJp));
    static EUC_KR: Lazy<Forms> = Lazy::new(|| Forms::new(MultiOctet::EucKr));
    static BIG_5: Lazy<Forms> = Lazy::new(|| Forms::new(MultiOctet::Big5));
    match set {
        MultiOctet::Gbk => &GBK,
        MultiOctet::Gb18030 => &GB_18030,
        MultiOctet::ShiftJis => &SHIFT_JIS,
        MultiOctet::EucJp => &EUC_JP,
        MultiOctet::EucKr => &EUC_KR,
        MultiOctet::Big5 => &BIG_5,
    }
}

/// The leads and the trailing octets of pairs.
fn octets(set: MultiOctet) -> (Octets, Octets) {
    match set {
        MultiOctet::Gbk | MultiOctet::Gb18030 => (&[(0x81, 0xFE)], &[(0x40, 0x7E), (0x80, 0xFE)]),
        MultiOctet::ShiftJis => (&[(0x81, 0x9F), (0xE0, 0xFC)], &[(0x40, 0x7E), (0x80, 0xFC)]),
        MultiOctet::EucJp => (&[(0xA1, 0xFE)], &[(0xA1, 0xFE)]),
        MultiOctet::EucKr => (&[(0x81, 0xFE)], &[(0x41, 0xFE)]),
        MultiOctet::Big5 => (&[(0x81, 0xFE)], &[(0x40, 0x7E), (0xA1, 0xFE)]),
    }
}

/// The octets of some ranges, and the rank of each octet among them.
fn ranks(octets: Octets) -> (Vec<u8>, [u8; 0x100]) {
    let all: Vec<u8> = octets.iter().flat_map(|&(first, last)| first..=last).collect();
    let mut ranks = [NO_RANK; 0x100];
    for (rank, &octet) in (0..).zip(&all) {
        ranks[usize::from(octet)] = rank;
    }
    (all, ranks)
}

impl Forms {
    fn new(set: MultiOctet) -> Forms {
        let (of_leads, of_trails) = octets(set);
        let (all_leads, leads) = ranks(of_leads);
        let (all_trails, trails) = ranks(of_trails);
        let trail_count = all_trails.len();
        let index = Index::read(set.index());
        let written = written(set, &index, all_leads.len() * trail_count, |pointer| {
            [all_leads[pointer / trail_count], all_trails[pointer % trail_count]]
        });
        let jis_0212 = (set == MultiOctet::EucJp).then(|| Index::read(MultiOctet::JIS_0212));
        let has_ranges = matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030);
        let ranges = has_ranges.then(|| Ranges::read(MultiOctet::GB_18030_RANGES));
        let whole = Whole::default();
        let mut forms = Forms { set, leads, trails, trail_count, index, jis_0212, written, ranges, whole };
        forms.whole = Whole::new(&forms);
        forms
    }

    /// How many octets, from 0 on, are their own code points.
    #[inline(always)]
    pub(super) fn plain(&self) -> u32 {
        self.whole.plain
    }

    /// The code point of one or two octets, and their number; `None` of all else.
    #[inline(always)]
    pub(super) fn read(&self, octet: u8, next: impl FnOnce() -> Option<u8>) -> Option<(u32, usize)> {
        let first = self.whole.firsts[usize::from(octet)];
        let Some(row) = first.checked_sub(FIRST_ROW) else { return Some((first, 1)) };
        let code_point = self.whole.pairs.get(row as usize)?[usize::from(next()?)];
        (code_point != NONE).then_some((code_point, 2))
    }

    /// Reads octets and pairs off the front of `octets` as code points, up to what is neither.
    pub(super) fn read_points(&self, octets: &[u8], code_points: &mut [u32]) -> Run {
        let (mut rest, mut written) = (octets, 0);
        for room in code_points {
            let Some((&octet, after)) = rest.split_first() else { break };
            let Some((code_point, count)) = self.read(octet, || after.first().copied()) else { break };
            *room = code_point;
            rest = &rest[count..];
            written += 1;
        }
        Run { read: octets.len() - rest.len(), written }
    }

    /// The octet or the pair of octets of a code point, as a number; 0 where the code point has neither, and for U+0000.
    #[inline(always)]
    pub(super) fn octet_or_pair(&self, code_point: u32) -> u16 {
        self.written.number(code_point)
    }

    /// The class of an octet after no lead.
    #[inline(always)]
    pub(super) fn alone(&self, octet: u8) -> Alone {
        match (octet, self.set) {
            (0..=0x7F, _) | (0x80, MultiOctet::ShiftJis) => Alone::CodePoint(octet.into()),
            (0x80, MultiOctet::Gbk | MultiOctet::Gb18030) => Alone::CodePoint(0x20AC),
            (OCTET_OF_KATAKANA..=LAST_OCTET_OF_KATAKANA, MultiOctet::ShiftJis) => {
                Alone::CodePoint(katakana(octet))
            }
            (LEAD_OF_KATAKANA | LEAD_OF_JIS_0212, MultiOctet::EucJp) => Alone::Lead,
            _ if self.leads[usize::from(octet)] != NO_RANK => Alone::Lead,
            _ => Alone::Invalid,
        }
    }

    /// The code points of a lead and an octet, or the kind of error.
    #[inline(always)]
    pub(super) fn pair(&self, lead: u8, octet: u8) -> Pair {
        let trail = self.trails[usize::from(octet)];
        if trail == NO_RANK {
            return Pair::Error(ErrorKind::Truncated);
        }
        if lead == LEAD_OF_KATAKANA && self.set == MultiOctet::EucJp {
            return match octet {
                ..=LAST_OCTET_OF_KATAKANA => Pair::CodePoint(katakana(octet)),
                _ => Pair::Error(ErrorKind::Invalid),
            };
        }
        let pointer = usize::from(self.leads[usize::from(lead)]) * self.trail_count + usize::from(trail);
        match self.index.code_point(pointer) {
            Some(code_point) => Pair::CodePoint(code_point),
            None => self.not_in_index(pointer),
        }
    }

    /// The code points of a pointer that the index lacks.
    #[cold]
    fn not_in_index(&self, pointer: usize) -> Pair {
        match self.set {
            MultiOctet::ShiftJis if PRIVATE_IN_SHIFT_JIS.contains(&pointer) => {
                Pair::CodePoint(0xE000 + (pointer - PRIVATE_IN_SHIFT_JIS.start()) as u32)
            }
            MultiOctet::Big5 => {
                let found = TWO_CODE_POINTS.iter().find(|&&(of, ..)| of == pointer);
                found.map_or(Pair::Error(ErrorKind::Invalid), |&(_, first, second)| Pair::Two(first, second))
            }
            _ => Pair::Error(ErrorKind::Invalid),
        }
    }

    /// The code point of the two octets after the lead of JIS X 0212.
    pub(super) fn of_jis_0212(&self, lead: u8, octet: u8) -> Pair {
        let trail = self.trails[usize::from(octet)];
        if trail == NO_RANK {
            return Pair::Error(ErrorKind::Truncated);
        }
        let pointer = usize::from(self.leads[usize::from(lead)]) * self.trail_count + usize::from(trail);
        let found = self.jis_0212.as_ref().and_then(|index| index.code_point(pointer));
        found.map_or(Pair::Error(ErrorKind::Invalid), Pair::CodePoint)
    }

    /// Whether an octet leads three: those of JIS X 0212.
    #[inline(always)]
    pub(super) fn leads_three(&self, octet: u8) -> bool {
        octet == LEAD_OF_JIS_0212 && self.set == MultiOctet::EucJp
    }

    /// Whether an octet leads a pair of the index.
    pub(super) fn leads_pair(&self, octet: u8) -> bool {
        self.leads[usize::from(octet)] != NO_RANK
    }

    /// Whether the set has sequences of four octets: a lead, a digit, a lead and a digit.
    #[inline(always)]
    pub(super) fn has_four(&self) -> bool {
        self.ranges.is_some()
    }

    /// The code point of four octets.
    pub(super) fn four(&self, octets: [u8; 4]) -> Result<u32, ErrorKind> {
        let [first, second, third, fourth] = octets.map(u32::from);
        let pointer = ((first - 0x81) * 10 + second - 0x30) * 1260 + (third - 0x81) * 10 + fourth - 0x30;
        let ranges = self.ranges.as_ref().expect("sets of four octets have ranges");
        ranges.code_point(pointer).map_err(|no_range| match no_range {
            NoRange::Between => ErrorKind::Invalid,
            NoRange::PastTheLast => ErrorKind::OutOfRange,
        })
    }

    /// The octets that a code point is written as, and their number.
    #[inline(always)]
    pub(super) fn write(&self, code_point: u32) -> Option<([u8; 4], usize)> {
        let Some([first, last]) = self.written.get(code_point) else { return self.write_four(code_point) };
        let is_pair = first != 0;
        Some(([if is_pair { first } else { last }, last, 0, 0], 1 + usize::from(is_pair)))
    }

    /// The four octets of a code point of `gb18030` that has no pair.
    #[cold]
    fn write_four(&self, code_point: u32) -> Option<([u8; 4], usize)> {
        let is_scalar = char::from_u32(code_point).is_some();
        // A pair that was U+E5E5 is U+3000, and U+E5E5 has none.
        if self.set != MultiOctet::Gb18030 || !is_scalar || code_point == 0xE5E5 {
            return None;
        }
        let pointer = self.ranges.as_ref()?.pointer(code_point);
        let digits = [pointer / 12600, pointer / 1260 % 10, pointer / 10 % 126, pointer % 10];
        let octets = [0x81, 0x30, 0x81, 0x30].into_iter().zip(digits);
        let mut four = [0; 4];
        four.iter_mut().zip(octets).for_each(|(four, (base, digit))| *four = (base + digit) as u8);
        Some((four, 4))
    }
}

/// The octets that encoders write for each code point of a set. `octets` gives those of a pointer, of which there are `pointers`.
fn written(set: MultiOctet, index: &Index, pointers: usize, octets: impl Fn(usize) -> [u8; 2]) -> Written {
    let mut written = Written::default();
    let is_written = |pointer: usize| match set {
        MultiOctet::ShiftJis => !LEFT_OUT_OF_SHIFT_JIS.contains(&pointer),
        MultiOctet::Big5 => pointer >= FIRST_WRITTEN_IN_BIG5,
        _ => true,
    };
    let entries = index.entries().filter(|&(pointer, _)| pointer < pointers && is_written(pointer));
    // The first pointer is the one that is written, so it is set last.
    entries.clone().rev().for_each(|(pointer, code_point)| written.set(code_point, octets(pointer)));
    if set == MultiOctet::Big5 {
        let last = entries.filter(|(_, code_point)| LAST_IN_BIG5.contains(code_point));
        last.for_each(|(pointer, code_point)| written.set(code_point, octets(pointer)));
    }
    if matches!(set, MultiOctet::ShiftJis | MultiOctet::EucJp) {
        // U+2212 is written as U+FF0D.
        let minus = written.get(0xFF0D).expect("JIS X 0208 has a minus");
        let lead = if set == MultiOctet::EucJp { LEAD_OF_KATAKANA } else { 0 };
        let katakana =
            (OCTET_OF_KATAKANA..=LAST_OCTET_OF_KATAKANA).map(|octet| (katakana(octet), [lead, octet]));
        let others = [(0x2212, minus), (0xA5, [0, 0x5C]), (0x203E, [0, 0x7E])];
        katakana.chain(others).for_each(|(code_point, octets)| written.set(code_point, octets));
    }
    if matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030) {
        for (code_point, lead, first, last) in PRIVATE_IN_GB_18030 {
            (code_point..).zip(first..=last).for_each(|(of, trail)| written.set(of, [lead, trail]));
        }
    }
    match set {
        MultiOctet::Gbk => written.set(0x20AC, [0, 0x80]),
        MultiOctet::ShiftJis => written.set(0x80, [0, 0x80]),
        _ => {}
    }
    (0..0x80).for_each(|octet| written.set(octet.into(), [0, octet]));
    written
}

/// The halfwidth katakana of an octet.
fn katakana(octet: u8) -> u32 {
    KATAKANA + u32::from(octet - OCTET_OF_KATAKANA)
}
