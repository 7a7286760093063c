//! The places of slots in their frame: the offset of the first unit, the line, and the column.

use super::beat::Item;

/// The end of the text that has gone out in a frame. The default is the beginning of the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Caret {
    line: u64,
    column: u64,
    /// The last character that has gone out: the offset of its first unit, and whether it is U+000A.
    last: Option<(u64, bool)>,
}

impl Caret {
    /// The position, line and column of the next slot, whose first unit is at `offset` in the frame. A head and the slots of the same
    /// offset after it are one character; two code points of a pair of `big5`, which have the same offset, are two.
    pub fn place(&mut self, item: Item, offset: u64) -> [u64; 3] {
        match self.last {
            Some((last, _)) if last == offset && item.user != 0 => {}
            Some((_, true)) => (self.line, self.column) = (self.line + 1, 0),
            Some((_, false)) => self.column += 1,
            None => {}
        }
        self.last = Some((offset, (item.user, item.data) == (0, 0xa)));
        [offset, self.line, self.column]
    }
}

/// The low bits of a number.
pub fn low_bits(number: u64, bits: u32) -> u64 {
    number & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `A`, a line feed, an error of two units, a code point of a head and two limbs, a limb of U+000A that is none, a line feed, `B`.
    #[test]
    fn lines_and_columns_are_those_of_an_editor() {
        let slots = [(0, 0x41), (0, 0xa), (2, 0xfffd), (14, 2), (15, 0xa), (15, 1), (0, 0xa), (0, 0x42)];
        let offsets = [0, 1, 2, 4, 4, 4, 17, 18];
        let expected = [[0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [1, 1], [1, 2], [2, 0]];
        let mut caret = Caret::default();
        for (((user, data), offset), [line, column]) in slots.into_iter().zip(offsets).zip(expected) {
            assert_eq!(caret.place(Item { data, user }, offset), [offset, line, column]);
        }
    }

    #[test]
    fn two_code_points_of_a_pair_are_two_characters() {
        let mut caret = Caret::default();
        let columns = [0xca, 0x304].map(|data| caret.place(Item { data, user: 0 }, 0)[2]);
        assert_eq!(columns, [0, 1]);
    }
}
