//! Character sets of single octets, by a table: from octets to code points, and back in two steps.
//!
//! ```text
//!  code point ── upper bits ──> number of the page ──┬──> octet, and whether there is one
//!             └─ lower bits ─────────────────────────┘
//! ```
//!
//! A page is 64 code points. Pages without an octet share the number 0.

use std::collections::BTreeMap;

use super::code_points::REPLACEMENT;
use crate::core::Table;
use crate::netlist::Signal;

/// Bits of a code point within its page. Larger and smaller pages take more LUTs in most sets that were measured; see docs/encodings.md.
const PAGE_BITS: u32 = 6;
/// Bits of an octet.
const OCTET: u32 = 8;

/// A character set: the code point of each octet, `None` if it has none.
pub(in crate::core) struct OctetTable {
    code_points: Vec<Option<u32>>,
}

/// The octet of a code point.
#[derive(Clone, Copy)]
pub(in crate::core) struct Octet<'m> {
    /// The octet; 0 if there is none.
    pub(in crate::core) octet: Signal<'m>,
    /// There is one.
    pub(in crate::core) is_mapped: Signal<'m>,
}

impl OctetTable {
    /// Reads the mapping file of a set.
    ///
    /// # Errors
    /// The first line that is none of a mapping file, from 1; 0 if no octet has a code point.
    pub(in crate::core) fn read(table: Table) -> Result<Self, usize> {
        let mut code_points = vec![None; 1 << OCTET];
        let mut seen = [false; 1 << OCTET];
        let text = table.mapping();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            let fields: Vec<&str> = line
                .split('#')
                .next()
                .unwrap_or_default()
                .split(|c: char| c.is_whitespace() || c == '\u{1a}')
                .filter(|field| !field.is_empty())
                .collect();
            let (octet, code_point) = match fields[..] {
                [] => continue,
                [octet] => (hexadecimal(octet), None),
                [octet, code_point] => (hexadecimal(octet), Some(hexadecimal(code_point))),
                _ => return Err(index + 1),
            };
            let octet = octet.filter(|&octet| octet >> OCTET == 0).ok_or(index + 1)? as usize;
            let is_character = |code_point: &u32| char::from_u32(*code_point).is_some();
            if let Some(code_point) = code_point {
                code_points[octet] = Some(code_point.filter(is_character).ok_or(index + 1)?);
            }
            if std::mem::replace(&mut seen[octet], true) {
                return Err(index + 1);
            }
        }
        if code_points.iter().flatten().next().is_none() { Err(0) } else { Ok(Self { code_points }) }
    }

    /// The set of a core whose specification has been checked.
    pub(in crate::core) fn of(table: Table) -> Self {
        Self::read(table).expect("the specification of the core is checked")
    }

    /// The octets that have a code point, each with it.
    pub(in crate::core) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.code_points).filter_map(|(octet, code_point)| Some((octet, (*code_point)?)))
    }

    /// The octet that is written for each code point: the first of those that have it.
    pub(in crate::core) fn octets(&self) -> BTreeMap<u32, u32> {
        let mut octets = BTreeMap::new();
        for (octet, code_point) in self.pairs() {
            octets.entry(code_point).or_insert(octet);
        }
        octets
    }

    /// Whether some octet has no code point.
    pub(in crate::core) fn has_gaps(&self) -> bool {
        self.code_points.iter().any(Option::is_none)
    }

    /// The greatest code point.
    pub(in crate::core) fn last(&self) -> u32 {
        self.pairs().map(|(_, code_point)| code_point).max().expect("a set has some code point")
    }

    /// The octet that is written for errors: of U+FFFD, of a question mark, or of the last code point.
    pub(in crate::core) fn replacement(&self) -> u32 {
        let octets = self.octets();
        let candidates = [REPLACEMENT as u32, 0x3f, self.last()];
        candidates.iter().find_map(|code_point| octets.get(code_point).copied()).expect("it has the last one")
    }

    /// The word of each octet: its code point, or `gap`.
    pub(in crate::core) fn words(&self, gap: u64) -> Vec<u64> {
        self.code_points.iter().map(|code_point| code_point.map_or(gap, u64::from)).collect()
    }

    /// The code point of an octet; anything if it has none.
    pub(in crate::core) fn code_point<'m>(&self, octet: Signal<'m>) -> Signal<'m> {
        let bits = u32::BITS - self.last().leading_zeros();
        let mapped = octet.lookup(&self.words(0), bits.max(1)).named("mapped");
        mapped.note("the code point of the octet, by the table")
    }

    /// Whether an octet has no code point.
    pub(in crate::core) fn is_gap<'m>(&self, octet: Signal<'m>) -> Option<Signal<'m>> {
        self.is_one_of(octet, |code_point| code_point.is_none())
    }

    /// Whether the octet is one for U+000A.
    pub(in crate::core) fn is_line_feed<'m>(&self, octet: Signal<'m>) -> Option<Signal<'m>> {
        self.is_one_of(octet, |code_point| code_point == Some(0xa))
    }

    /// Whether the code point of an octet is one of these; `None` if that of none is.
    fn is_one_of<'m>(&self, octet: Signal<'m>, is: impl Fn(Option<u32>) -> bool) -> Option<Signal<'m>> {
        let octets = (0..).zip(&self.code_points).filter(|&(_, &code_point)| is(code_point));
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for (value, _) in octets {
            match runs.last_mut().filter(|(_, last)| last + 1 == value) {
                Some((_, last)) => *last = value,
                None => runs.push((value, value)),
            }
        }
        let is_in = |(first, last): (u64, u64)| match first == last {
            true => octet.is(first),
            false => octet.within(first, last),
        };
        runs.into_iter().map(is_in).reduce(|a, b| a | b)
    }

    /// The numbers of pages that have octets, from 1.
    fn pages(&self) -> BTreeMap<u32, u32> {
        let mut pages = BTreeMap::new();
        for code_point in self.octets().into_keys() {
            let next = pages.len() as u32 + 1;
            pages.entry(code_point >> PAGE_BITS).or_insert(next);
        }
        pages
    }

    /// The first step: the number of the page of a code point, and the position in the page.
    pub(in crate::core) fn in_page<'m>(&self, code: Signal<'m>) -> [Signal<'m>; 2] {
        let code = if code.width() <= PAGE_BITS { code.zext(PAGE_BITS + 1) } else { code };
        let pages = self.pages();
        let bits = u32::BITS - (pages.len() as u32).leading_zeros();
        let upper = code.bits(PAGE_BITS..code.width());
        let arms = pages.iter().map(|(&page, &number)| ([u64::from(page)], u64::from(number)));
        let page = looked_up(upper, arms, bits).named("page").note("of 64 code points; 0 has no octet");
        [page, code.bits(0..PAGE_BITS)]
    }

    /// The second step: the octet of a page and a position, side by side.
    pub(in crate::core) fn octet<'m>(&self, of: Signal<'m>) -> Octet<'m> {
        let pages = self.pages();
        let key = |code_point: u32| {
            let position = code_point & ((1 << PAGE_BITS) - 1);
            u64::from(pages[&(code_point >> PAGE_BITS)] << PAGE_BITS | position)
        };
        let octets = self.octets().into_iter();
        let arms = octets.map(|(code_point, octet)| ([key(code_point)], u64::from(1 << OCTET | octet)));
        let found = looked_up(of, arms, OCTET + 1).named("found").note("there is an octet, and the octet");
        Octet { octet: found.bits(0..OCTET), is_mapped: found.bit(OCTET) }
    }
}

/// A sparse table: the value for each key, 0 for others. Where a register follows, as after the octets, Yosys makes a block RAM of it. In logic,
/// an encoder of koi8-r with eight lanes would have twice the LUTs in an ECP5, and 122 MHz in place of 157.
fn looked_up<'m>(key: Signal<'m>, arms: impl Iterator<Item = ([u64; 1], u64)>, bits: u32) -> Signal<'m> {
    key.case_of(arms.map(|(label, value)| (label, key.lit(bits, value))), key.lit(bits, 0))
}

/// A number such as `0x20AC`.
fn hexadecimal(text: &str) -> Option<u32> {
    let (zero, digits) = text.split_at_checked(2)?;
    let is_number = zero.eq_ignore_ascii_case("0x") && digits.chars().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
}
