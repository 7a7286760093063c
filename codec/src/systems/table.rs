//! `table:NAME` and `table:FILE`: single octets, by a mapping file in the format of the Unicode Consortium.
//!
//! A line is an octet and its code point, `0xA4 0x20AC # EURO SIGN`. An octet without a code point, or without a line, is an error. Where
//! two octets have the same code point, the lower one is written, as the Encoding Standard has it for its indexes.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::array;
use core::hash::{Hash, Hasher};

use once_cell::race::OnceBox;
use thiserror::Error;
use utfhdl_systems::Table;

use crate::bulk::table::TableSequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::{ErrorKind, SURROGATES};

/// Why a text is no mapping file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MappingError {
    /// A line is none of a mapping file.
    #[error("line {line}: {wrong}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The problem, and what would be right.
        wrong: String,
    },
    /// No line has a code point.
    #[error("no octet has a code point: a line for each is needed, such as `0xA4 0x20AC # EURO SIGN`")]
    Empty,
}

/// Checks that `text` is a mapping file of single octets: lines of an octet and a code point, `0xA4 0x20AC # EURO SIGN`.
///
/// ```
/// # use utfhdl_codec::check_mapping;
/// assert!(check_mapping("# my set\n0x41\t0x0041\n0xA4 0x20AC # EURO SIGN\n").is_ok());
/// let error = check_mapping("0x141 0x0041").unwrap_err();
/// assert_eq!(error.to_string(), "line 1: \"0x141\" is no octet: write 0x00 to 0xFF");
/// ```
///
/// # Errors
/// The first line that is wrong.
pub fn check_mapping(text: &str) -> Result<(), MappingError> {
    read(text).map(|_| ())
}

/// The code points of the octets of a mapping file.
fn read(text: &str) -> Result<[Option<u32>; 0x100], MappingError> {
    let mut code_points = [None; 0x100];
    let mut lines = [0; 0x100];
    // A mark of UTF-8 at the start, and the end of a file of MS-DOS, are no text.
    let text = text.trim_start_matches('\u{FEFF}').trim_end_matches('\u{1A}');
    for (line, text) in (1..).zip(text.split('\n')) {
        let wrong = |wrong: String| MappingError::Line { line, wrong };
        let Some((octet, code_point)) = entry(text).map_err(wrong)? else { continue };
        if lines[octet] != 0 {
            let first = lines[octet];
            return Err(wrong(format!("octet 0x{octet:02X} is in line {first}, too: leave one of them out")));
        }
        lines[octet] = line;
        code_points[octet] = code_point;
    }
    if code_points.iter().all(Option::is_none) { Err(MappingError::Empty) } else { Ok(code_points) }
}

/// The octet of a line, and its code point if it has one; `None` for a line without an octet.
fn entry(line: &str) -> Result<Option<(usize, Option<u32>)>, String> {
    let text = line.split_once('#').map_or(line, |(text, _)| text);
    let mut fields = text.split_whitespace();
    let Some(octet) = fields.next() else { return Ok(None) };
    let octet = match number(octet) {
        Some(number @ 0..=0xFF) => number as usize,
        _ => return Err(format!("{:?} is no octet: write 0x00 to 0xFF", shortened(octet))),
    };
    let Some(code_point) = fields.next() else { return Ok(Some((octet, None))) };
    if let Some(more) = fields.next() {
        let more = shortened(more);
        return Err(format!(
            "{more:?} is too much: an octet has one code point, and # comes before a comment"
        ));
    }
    let number = match number(code_point) {
        Some(number) if SURROGATES.contains(&number.into()) => {
            return Err(format!("U+{number:X} is a surrogate, and no character: give another one"));
        }
        Some(number @ 0..=0x10_FFFF) => number,
        _ => {
            let text = shortened(code_point);
            return Err(format!("{text:?} is no code point: write 0x0000 to 0x10FFFF"));
        }
    };
    Ok(Some((octet, Some(number))))
}

/// A hexadecimal number such as `0x20AC`.
fn number(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

/// The start of a text, for a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 24;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => text[..end].to_owned() + "...",
        None => text.to_owned(),
    }
}

/// Code points of a block, which have their upper bits in common.
const BLOCK: usize = 0x100;

/// No code point, in [`CharacterSet::code_points`].
pub(crate) const NO_CODE_POINT: u32 = u32::MAX;

/// No octet, in [`CharacterSet::blocks`].
pub(crate) const NO_OCTET: u16 = u16::MAX;

/// Code points of which an octet is found by one table. Those of most alphabets are among them.
pub(crate) const LOW: usize = 0x800;

/// The octets of the first code points, each above 0xFF where there is none.
pub(crate) type Low = [u16; LOW];

/// The sequence of a code point, as [`CharacterSet::utf_8`] has it.
fn utf_8(code_point: u32) -> u32 {
    let mut octets = [0; 4];
    let length = char::from_u32(code_point).map_or(0, |character| character.encode_utf8(&mut octets).len());
    match length {
        1..=3 => u32::from_le_bytes(octets) | (length as u32) << 24,
        _ => 0,
    }
}

/// A character set, both ways.
#[derive(Debug)]
pub(crate) struct CharacterSet {
    pub(crate) code_points: [u32; 0x100],
    /// For each block of Unicode, its index in `blocks`. The first of these is without octets.
    block_of: [u16; 0x11_0000 / BLOCK],
    blocks: Vec<[u16; BLOCK]>,
    /// The octets of the first code points.
    pub(crate) low: Low,
    /// The sequence of each octet in `utf-8`, as a number that starts with the low eight bits, and in the upper eight bits how many octets it
    /// has; 0 where the octet has no code point, or one past U+FFFF.
    pub(crate) utf_8: [u32; 0x100],
    /// The octets up to this one are their own code points.
    pub(crate) plain: u32,
    last: u32,
}

impl CharacterSet {
    fn new(code_points: [Option<u32>; 0x100]) -> CharacterSet {
        let mut block_of = [0; 0x11_0000 / BLOCK];
        let mut blocks = vec![[NO_OCTET; BLOCK]];
        for (octet, code_point) in (0..).zip(code_points) {
            let Some(code_point) = code_point else { continue };
            let block = &mut block_of[code_point as usize / BLOCK];
            if *block == 0 {
                *block = blocks.len() as u16;
                blocks.push([NO_OCTET; BLOCK]);
            }
            let of_code_point = &mut blocks[usize::from(*block)][code_point as usize % BLOCK];
            *of_code_point = (*of_code_point).min(octet);
        }
        let is_own = |&octet: &u32| code_points[octet as usize] == Some(octet);
        let plain = (0..0x100).find(|octet| !is_own(octet)).unwrap_or(0x100);
        let last = code_points.into_iter().flatten().max().expect("a set has some code point");
        let utf_8 = code_points.map(|code_point| code_point.map_or(0, utf_8));
        let code_points = code_points.map(|code_point| code_point.unwrap_or(NO_CODE_POINT));
        let mut set =
            CharacterSet { code_points, block_of, blocks, low: [NO_OCTET; LOW], utf_8, plain, last };
        set.low = array::from_fn(|code_point| set.octet_or_none(code_point as u32));
        set
    }

    /// The code point of an octet.
    #[inline(always)]
    pub(crate) fn code_point(&self, octet: u32) -> Option<u32> {
        self.code_points.get(octet as usize).copied().filter(|&code_point| code_point != NO_CODE_POINT)
    }

    /// The octet of a code point.
    #[inline(always)]
    pub(crate) fn octet(&self, code_point: u32) -> Option<u8> {
        u8::try_from(self.octet_or_none(code_point)).ok()
    }

    /// The octet of a code point, or [`NO_OCTET`].
    #[inline(always)]
    pub(crate) fn octet_or_none(&self, code_point: u32) -> u16 {
        let block = self.block_of.get(code_point as usize / BLOCK).copied().unwrap_or_default();
        self.blocks[usize::from(block)][code_point as usize % BLOCK]
    }
}

/// A set that has been read, and the sets read later.
struct Read {
    table: Table,
    set: CharacterSet,
    next: OnceBox<Read>,
}

static READ: OnceBox<Read> = OnceBox::new();

/// The character set of a table, which is read once.
///
/// # Panics
/// If the mapping file of the table is none, which [`check_mapping`] tells.
fn character_set(table: Table) -> &'static CharacterSet {
    let mut place = &READ;
    loop {
        let read = place.get_or_init(|| {
            let code_points = read(table.mapping()).expect("the mapping of a table has been checked");
            Box::new(Read { table, set: CharacterSet::new(code_points), next: OnceBox::new() })
        });
        if read.table == table {
            return &read.set;
        }
        place = &read.next;
    }
}

/// The grammar, which is the character set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfTable {
    table: Table,
    set: &'static CharacterSet,
}

impl OfTable {
    pub(crate) fn new(table: Table) -> OfTable {
        OfTable { table, set: character_set(table) }
    }

    /// The greatest code point of the set.
    pub(crate) fn last(self) -> u32 {
        self.set.last
    }

    /// Writes the sequence of a code point, if the set has it.
    pub(crate) fn encode(self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        let octet = self.set.octet(u32::try_from(code_point).ok()?)?;
        sequence.push(octet.into());
        Some(())
    }
}

impl PartialEq for OfTable {
    fn eq(&self, other: &OfTable) -> bool {
        self.table == other.table
    }
}

impl Eq for OfTable {}

impl Hash for OfTable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.table.hash(state);
    }
}

impl Grammar for OfTable {
    type Sequences = TableSequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match self.set.code_point(unit) {
            Some(code_point) => Verdict::Whole(code_point),
            None => Verdict::Refused(ErrorKind::Invalid),
        }
    }

    fn reset(&mut self) {}

    fn sequences(&self) -> TableSequences {
        TableSequences(self.set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The forms of the files on the site of the Unicode Consortium: `8859-1.TXT`, `CP1252.TXT`, `ROMAN.TXT`, `KOI8-R.TXT`.
    #[test]
    fn files_as_the_consortium_has_them_are_read() {
        let text = "\u{FEFF}#\tName:     cp1252 to Unicode table\r\n\r\n0x41\t0x0041\t# LATIN CAPITAL LETTER A\r\n\
            0x80\t0x20ac\t#EURO SIGN\r\n0x81\t      \t#UNDEFINED\r\n0XFF 0x1F600\r\n\u{1A}";
        let code_points = read(text).unwrap();
        let of = |octet: usize| code_points[octet];
        assert_eq!([of(0x41), of(0x80), of(0x81), of(0xFF)], [Some(0x41), Some(0x20AC), None, Some(0x1F600)]);
        assert_eq!(code_points.iter().flatten().count(), 3);
    }

    #[test]
    fn lines_that_are_wrong_are_named() {
        for (text, message) in [
            ("0x41 0x41\n0x100 0x42", "line 2: \"0x100\" is no octet: write 0x00 to 0xFF"),
            ("65 0x41", "line 1: \"65\" is no octet: write 0x00 to 0xFF"),
            ("0x+1 0x41", "line 1: \"0x+1\" is no octet: write 0x00 to 0xFF"),
            ("0x 0x41", "line 1: \"0x\" is no octet: write 0x00 to 0xFF"),
            ("0x41 U+41", "line 1: \"U+41\" is no code point: write 0x0000 to 0x10FFFF"),
            ("0x41 0x110000", "line 1: \"0x110000\" is no code point: write 0x0000 to 0x10FFFF"),
            ("0x41 0xD800", "line 1: U+D800 is a surrogate, and no character: give another one"),
            (
                "0xD3 0x05D3 0x05B9",
                "line 1: \"0x05B9\" is too much: an octet has one code point, and # comes before a comment",
            ),
            ("0x41 0x41\n\n0x41 0x42", "line 3: octet 0x41 is in line 1, too: leave one of them out"),
            ("0x81\n0x81 0x42", "line 2: octet 0x81 is in line 1, too: leave one of them out"),
            (
                "# nothing",
                "no octet has a code point: a line for each is needed, such as `0xA4 0x20AC # EURO SIGN`",
            ),
        ] {
            assert_eq!(check_mapping(text).unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn the_first_of_two_octets_is_written() {
        let set = CharacterSet::new(read("0x42 0x20AC\n0x41 0x20AC\n0x43 0x10FFFF").unwrap());
        assert_eq!([0x20AC, 0x10_FFFF].map(|code_point| set.octet(code_point)), [Some(0x41), Some(0x43)]);
        assert_eq!([0x20AD, 0, 0x11_0000, u32::MAX].map(|code_point| set.octet(code_point)), [None; 4]);
        assert_eq!((set.plain, set.last), (0, 0x10_FFFF));
    }

    #[test]
    fn each_octet_can_have_a_block_of_its_own() {
        use core::fmt::Write;
        let mut text = String::new();
        (0..0x100)
            .for_each(|octet| writeln!(text, "0x{octet:02X} 0x{:04X}", octet << 8 & 0x7FFF | octet).unwrap());
        let set = CharacterSet::new(read(&text).unwrap());
        for octet in 0..0x100 {
            assert_eq!(set.octet(octet << 8 & 0x7FFF | octet), Some(octet as u8));
        }
    }
}
