//! Patterns of bits: labels of a case, and rows of a table, of which some bits may be either 0 or 1.

use std::fmt;

use super::Bits;

/// A value in which some bits are left open.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// 1 for each bit that is compared.
    care: Bits,
    /// The required values of the compared bits; 0 in an open bit.
    value: Bits,
}

impl Pattern {
    /// The pattern that `text` spells, the most significant bit first: `0`, `1`, or `x` where either will do.
    /// Underscores are allowed between the bits.
    ///
    /// # Panics
    /// If `text` has another character, or no bit.
    #[track_caller]
    pub fn new(text: &str) -> Self {
        let bits: Vec<char> = text.chars().filter(|&character| character != '_').collect();
        let width = u32::try_from(bits.len()).expect("a pattern of fewer than 2^32 bits");
        assert!(width > 0, "the pattern `{text}` has no bits");
        let (mut care, mut value) = (Bits::zero(width), Bits::zero(width));
        for (bit, character) in (0..width).rev().zip(bits) {
            match character {
                '0' | '1' => {
                    care.set(bit, true);
                    value.set(bit, character == '1');
                }
                'x' => {}
                other => panic!("the pattern `{text}` holds `{other}`: its bits are 0, 1 or x"),
            }
        }
        Self { care, value }
    }

    /// The pattern that only `value` matches.
    pub fn exact(value: Bits) -> Self {
        Self { care: Bits::ones(value.width()), value }
    }

    /// Width in bits.
    pub fn width(&self) -> u32 {
        self.value.width()
    }

    /// 1 for each bit that is compared.
    pub fn care(&self) -> &Bits {
        &self.care
    }

    /// The required values of the compared bits; 0 in an open bit.
    pub fn value(&self) -> &Bits {
        &self.value
    }

    /// Whether one value only matches.
    pub fn is_exact(&self) -> bool {
        self.care == Bits::ones(self.width())
    }

    /// Whether the value in `words`, least significant word first, matches.
    pub fn matches(&self, words: &[u64]) -> bool {
        let pattern = self.care.words().iter().zip(self.value.words());
        pattern.zip(words).all(|((care, value), word)| word & care == *value)
    }

    /// The required value of this bit, unless the bit is open.
    pub fn bit(&self, index: u32) -> Option<bool> {
        self.care.bit(index).then(|| self.value.bit(index))
    }

    /// Whether some value matches both.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        (0..self.width()).all(|index| match (self.bit(index), other.bit(index)) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ => true,
        })
    }

    /// Disjoint patterns for the values that match this pattern and not `other`.
    fn without(&self, other: &Self) -> Vec<Self> {
        if !self.meets(other) {
            return vec![self.clone()];
        }
        let mut rest = self.clone();
        let mut parts = Vec::new();
        for index in (0..self.width()).rev() {
            if let (None, Some(theirs)) = (self.bit(index), other.bit(index)) {
                rest.care.set(index, true);
                let mut part = rest.clone();
                part.value.set(index, !theirs);
                parts.push(part);
                rest.value.set(index, theirs);
            }
        }
        parts
    }
}

/// Up to this width, overlapping rows are separated exactly. Verilator warns of overlapping labels up to the same
/// width, and the rest of a wider row could be very many patterns.
const PARTED_BITS: u32 = 16;

/// Removes from the patterns of each row the values that earlier rows match. The patterns are then disjoint, and the
/// order of the rows has no meaning. A row that is left without patterns is never reached. A pattern of more than 16
/// bits is removed only if a single earlier pattern covers it.
pub fn disjoint(rows: &[Vec<Pattern>]) -> Vec<Vec<Pattern>> {
    let mut seen: Vec<&Pattern> = Vec::new();
    let mut parted = Vec::new();
    for row in rows {
        let mut parts = Vec::new();
        for pattern in row {
            if pattern.width() > PARTED_BITS {
                let covered = seen.iter().any(|earlier| pattern.without(earlier).is_empty());
                parts.extend((!covered).then(|| pattern.clone()));
            } else {
                parts.extend(seen.iter().fold(vec![pattern.clone()], |left, earlier| {
                    left.iter().flat_map(|part| part.without(earlier)).collect()
                }));
            }
            seen.push(pattern);
        }
        parted.push(parts);
    }
    parted
}

/// The bits, most significant first, `x` for the open ones.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.width()).rev().try_for_each(|index| {
            f.write_str(match self.bit(index) {
                Some(true) => "1",
                Some(false) => "0",
                None => "x",
            })
        })
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(patterns: &[&str]) -> Vec<Pattern> {
        patterns.iter().map(|text| Pattern::new(text)).collect()
    }

    #[test]
    fn open_bits_match_either() {
        let pattern = Pattern::new("1_0xx");
        let matching: Vec<u64> = (0..16).filter(|&value| pattern.matches(&[value])).collect();
        assert_eq!(matching, [0b1000, 0b1001, 0b1010, 0b1011]);
        assert_eq!(pattern.to_string(), "10xx");
        assert!(!pattern.is_exact() && Pattern::new("1011").is_exact());
        assert_eq!(Pattern::new("101"), Pattern::exact(Bits::new(3, 5)));
    }

    #[test]
    fn a_pattern_of_several_words_is_matched_in_all() {
        let pattern = Pattern::new(&format!("1{}0", "x".repeat(68)));
        assert!(pattern.matches(&[0, 0x20]) && pattern.matches(&[!1, 0x3f]));
        assert!(!pattern.matches(&[1, 0x20]) && !pattern.matches(&[0, 0x1f]));
    }

    #[test]
    fn disjoint_rows_match_what_the_first_match_did() {
        let rows = [row(&["0xxx"]), row(&["1100", "x1x1"]), row(&["11xx"]), row(&["xx11", "1xx0"])];
        let parted = disjoint(&rows);
        for value in 0..16 {
            let first = rows.iter().position(|row| row.iter().any(|pattern| pattern.matches(&[value])));
            let matching: Vec<usize> = parted
                .iter()
                .enumerate()
                .flat_map(|(index, row)| row.iter().map(move |pattern| (index, pattern)))
                .filter(|(_, pattern)| pattern.matches(&[value]))
                .map(|(index, _)| index)
                .collect();
            assert_eq!(matching, first.into_iter().collect::<Vec<_>>(), "{value:04b}: {parted:?}");
        }
    }

    #[test]
    fn what_rows_before_it_cover_leaves_a_row_empty() {
        assert_eq!(disjoint(&[row(&["0x"]), row(&["x1"]), row(&["10", "01"])])[2], row(&["10"]));
        assert_eq!(disjoint(&[row(&["0x"]), row(&["1x"]), row(&["x1"])])[2], []);
        let wide = ["1_x", "1_1", "x_1"].map(|ends| row(&[&ends.replace('_', &"0".repeat(20))]));
        assert_eq!(disjoint(&wide), [wide[0].clone(), vec![], wide[2].clone()]);
    }

    #[test]
    #[should_panic(expected = "the pattern `11yx` holds `y`: its bits are 0, 1 or x")]
    fn other_characters_are_refused() {
        Pattern::new("11yx");
    }

    #[test]
    #[should_panic(expected = "the pattern `_` has no bits")]
    fn a_pattern_has_bits() {
        Pattern::new("_");
    }
}
