//! The indexes of the Encoding Standard: from pointers to code points, and back to the octets of a pointer.

use alloc::vec::Vec;

/// The code points of an index, by pointer.
#[derive(Debug)]
pub(super) struct Index(Vec<u32>);

/// No code point, in an [`Index`]: no index has U+0000.
const NONE: u32 = 0;

impl Index {
    /// Reads the lines of an index file: a pointer, a tab, and the characters from this pointer on.
    pub(super) fn read(text: &str) -> Index {
        let mut code_points = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (pointer, characters) = line.split_once('\t').expect("a line has a tab");
            let pointer: usize = pointer.parse().expect("a line starts with a pointer");
            assert!(pointer >= code_points.len(), "pointers ascend");
            code_points.resize(pointer, NONE);
            code_points.extend(characters.chars().map(u32::from));
        }
        Index(code_points)
    }

    /// The code point of a pointer.
    #[inline(always)]
    pub(super) fn code_point(&self, pointer: usize) -> Option<u32> {
        self.0.get(pointer).copied().filter(|&code_point| code_point != NONE)
    }

    /// The pointers that have a code point, and the code points.
    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = (usize, u32)> + Clone {
        self.0.iter().copied().enumerate().filter(|&(_, code_point)| code_point != NONE)
    }
}

/// The octet, or the pair of octets, that each code point is written as.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The octets as a number, for each code point up to the last that has some; 0 where there are none, and for U+0000.
    numbers: Vec<u16>,
}

impl Written {
    /// Sets the octets of a code point, which take the place of those that have been set before. The first one is 0 where there is but one.
    pub(super) fn set(&mut self, code_point: u32, octets: [u8; 2]) {
        let index = code_point as usize;
        if index >= self.numbers.len() {
            self.numbers.resize(index + 1, 0);
        }
        self.numbers[index] = u16::from_be_bytes(octets);
    }

    /// The octets of a code point as a number; 0 where there are none, and for U+0000.
    #[inline(always)]
    pub(super) fn number(&self, code_point: u32) -> u16 {
        self.numbers.get(code_point as usize).copied().unwrap_or_default()
    }

    /// The octets of a code point, the first one 0 where there is but one.
    #[inline(always)]
    pub(super) fn get(&self, code_point: u32) -> Option<[u8; 2]> {
        let octets = self.number(code_point);
        (octets != 0 || code_point == 0).then_some(octets.to_be_bytes())
    }
}

/// The ranges of `gb18030`: code points that four octets give by arithmetic.
#[derive(Debug)]
pub(super) struct Ranges(Vec<(u32, u32)>);

/// The last pointer of four octets in the Basic Multilingual Plane.
const LAST_BELOW_SUPPLEMENTARY: u32 = 39419;
/// The pointers of the supplementary planes.
const FIRST_SUPPLEMENTARY: u32 = 189_000;
const LAST_SUPPLEMENTARY: u32 = 1_237_575;
/// A pointer that is in no range, and its code point.
const APART: (u32, u32) = (7457, 0xE7C7);

/// Why four octets have no code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRange {
    /// The four octets are between the Basic Multilingual Plane and the supplementary planes.
    Between,
    /// The four octets are past the last code point of Unicode.
    PastTheLast,
}

impl Ranges {
    /// Reads the lines of the file of ranges: the first pointer of a range and its code point.
    pub(super) fn read(text: &str) -> Ranges {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Ranges(lines.map(|line| range(line).expect("a line is a pointer and a code point")).collect())
    }

    /// The "index gb18030 ranges code point" for a pointer.
    pub(super) fn code_point(&self, pointer: u32) -> Result<u32, NoRange> {
        match pointer {
            _ if pointer == APART.0 => return Ok(APART.1),
            0..=LAST_BELOW_SUPPLEMENTARY | FIRST_SUPPLEMENTARY..=LAST_SUPPLEMENTARY => {}
            ..FIRST_SUPPLEMENTARY => return Err(NoRange::Between),
            _ => return Err(NoRange::PastTheLast),
        }
        let (offset, code_point) = self.0[self.0.partition_point(|&(first, _)| first <= pointer) - 1];
        Ok(code_point + (pointer - offset))
    }

    /// The "index gb18030 ranges pointer" for a code point.
    pub(super) fn pointer(&self, code_point: u32) -> u32 {
        if code_point == APART.1 {
            return APART.0;
        }
        let (pointer, offset) = self.0[self.0.partition_point(|&(_, first)| first <= code_point) - 1];
        pointer + (code_point - offset)
    }
}

/// The pointer and the code point of a line.
fn range(line: &str) -> Option<(u32, u32)> {
    let (pointer, code_point) = line.trim_start().split_once('\t')?;
    let code_point = u32::from_str_radix(code_point.strip_prefix("0x")?, 16).ok()?;
    Some((pointer.parse().ok()?, code_point))
}
