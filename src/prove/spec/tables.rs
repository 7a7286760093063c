//! The tables of [prefix systems](super::prefix), from their documents.

use super::prefix::{Prefix, Row, row};
use super::{Machine, SURROGATES};

/// A system of octets whose trailing ones are 10xxxxxx, with one octet up to 7F.
const fn of_octets(rows: &'static [Row]) -> Prefix {
    Prefix { alone: 0x7F, rows, trailing: (0x80, 6), gap: Some(SURROGATES) }
}

/// RFC 2279, §2.
pub(super) const UTF_8_RFC_2279: Prefix = of_octets(&[
    row(0xC0, 5, 1, 0x80, 0x7FF),
    row(0xE0, 4, 2, 0x800, 0xFFFF),
    row(0xF0, 3, 3, 0x1_0000, 0x1F_FFFF),
    row(0xF8, 2, 4, 0x20_0000, 0x3FF_FFFF),
    row(0xFC, 1, 5, 0x400_0000, 0x7FFF_FFFF),
]);

/// Generalised UTF-8, by table 3-6 of the Unicode Standard: with surrogates.
pub(super) const GENERALISED_UTF_8: Prefix = Prefix {
    gap: None,
    ..of_octets(&[
        row(0xC0, 5, 1, 0x80, 0x7FF),
        row(0xE0, 4, 2, 0x800, 0xFFFF),
        row(0xF0, 3, 3, 0x1_0000, 0x10_FFFF),
    ])
};

/// CESU-8 without the second halves of pairs: a first half is a value here. Unicode Technical Report #26, §2.
pub(super) const HALVES: Prefix = Prefix {
    gap: Some((0xDC00, 0xDFFF)),
    ..of_octets(&[row(0xC0, 5, 1, 0x80, 0x7FF), row(0xE0, 4, 2, 0x800, 0xFFFF)])
};

/// Unicode Technical Report #16, "I8 Definition".
pub(super) const UTF_EBCDIC_I8: Prefix = Prefix {
    alone: 0x9F,
    rows: &[
        row(0xC0, 5, 1, 0xA0, 0x3FF),
        row(0xE0, 4, 2, 0x400, 0x3FFF),
        row(0xF0, 3, 3, 0x4000, 0x3_FFFF),
        row(0xF8, 2, 4, 0x4_0000, 0x10_FFFF),
    ],
    trailing: (0xA0, 5),
    gap: Some(SURROGATES),
};

/// UTF-EBCDIC-I8 with all lengths of the report.
pub(super) const UTF_EBCDIC_I8_UCS_4: Prefix = Prefix {
    rows: &[
        row(0xC0, 5, 1, 0xA0, 0x3FF),
        row(0xE0, 4, 2, 0x400, 0x3FFF),
        row(0xF0, 3, 3, 0x4000, 0x3_FFFF),
        row(0xF8, 2, 4, 0x4_0000, 0x3F_FFFF),
        row(0xFC, 1, 5, 0x40_0000, 0x3FF_FFFF),
        row(0xFE, 1, 6, 0x400_0000, 0x7FFF_FFFF),
    ],
    ..UTF_EBCDIC_I8
};

// Barber, "Extending UTF-8 to eight bytes", table nine.

/// The rows "zddd" to "wwww", the trailing unit "wzdd".
pub(super) const HUNK_4: Prefix = Prefix {
    alone: 7,
    rows: &[row(0b1100, 1, 1, 8, 7), row(0b1110, 0, 2, 8, 15), row(0b1111, 0, 3, 16, 63)],
    trailing: (0b1000, 2),
    gap: None,
};

/// The rows "z'dddd" to "w'wwww", the trailing unit "w'zddd".
pub(super) const HUNK_5: Prefix = Prefix {
    alone: 15,
    rows: &[
        row(0b1_1000, 2, 1, 16, 31),
        row(0b1_1100, 1, 2, 32, 127),
        row(0b1_1110, 0, 3, 128, 511),
        row(0b1_1111, 0, 4, 512, 4095),
    ],
    trailing: (0b1_0000, 3),
    gap: None,
};

/// The rows "zd'dddd" to "ww'wwww", the trailing unit "wz'dddd".
pub(super) const HUNK_6: Prefix = Prefix {
    alone: 31,
    rows: &[
        row(0b11_0000, 3, 1, 1 << 5, (1 << 7) - 1),
        row(0b11_1000, 2, 2, 1 << 7, (1 << 10) - 1),
        row(0b11_1100, 1, 3, 1 << 10, (1 << 13) - 1),
        row(0b11_1110, 0, 4, 1 << 13, (1 << 16) - 1),
        row(0b11_1111, 0, 5, 1 << 16, (1 << 20) - 1),
    ],
    trailing: (0b10_0000, 4),
    gap: None,
};

/// The rows "zdd'dddd" to "www'wwww", the trailing unit "wzd'dddd".
pub(super) const HUNK_7: Prefix = Prefix {
    alone: 63,
    rows: &[
        row(0b110_0000, 4, 1, 1 << 6, (1 << 9) - 1),
        row(0b111_0000, 3, 2, 1 << 9, (1 << 13) - 1),
        row(0b111_1000, 2, 3, 1 << 13, (1 << 17) - 1),
        row(0b111_1100, 1, 4, 1 << 17, (1 << 21) - 1),
        row(0b111_1110, 0, 5, 1 << 21, (1 << 25) - 1),
        row(0b111_1111, 0, 6, 1 << 25, (1 << 30) - 1),
    ],
    trailing: (0b100_0000, 5),
    gap: None,
};

/// The rows "zddd'dddd" to "wwww'wwww", the trailing unit "wzdd'dddd".
pub(super) const HUNK_8: Prefix = Prefix {
    alone: 127,
    rows: &[
        row(0b1100_0000, 5, 1, 1 << 7, (1 << 11) - 1),
        row(0b1110_0000, 4, 2, 1 << 11, (1 << 16) - 1),
        row(0b1111_0000, 3, 3, 1 << 16, (1 << 21) - 1),
        row(0b1111_1000, 2, 4, 1 << 21, (1 << 26) - 1),
        row(0b1111_1100, 1, 5, 1 << 26, (1 << 31) - 1),
        row(0b1111_1110, 0, 6, 1 << 31, (1 << 36) - 1),
        row(0b1111_1111, 0, 7, 1 << 36, (1 << 42) - 1),
    ],
    trailing: (0b1000_0000, 6),
    gap: None,
};

/// The rows "z'dddd'dddd" to "w'wwww'wwww", the trailing unit "w'zddd'dddd".
pub(super) const HUNK_9: Prefix = Prefix {
    alone: 255,
    rows: &[
        row(0b1_1000_0000, 6, 1, 1 << 8, (1 << 13) - 1),
        row(0b1_1100_0000, 5, 2, 1 << 13, (1 << 19) - 1),
        row(0b1_1110_0000, 4, 3, 1 << 19, (1 << 25) - 1),
        row(0b1_1111_0000, 3, 4, 1 << 25, (1 << 31) - 1),
        row(0b1_1111_1000, 2, 5, 1 << 31, (1 << 37) - 1),
        row(0b1_1111_1100, 1, 6, 1 << 37, (1 << 43) - 1),
        row(0b1_1111_1110, 0, 7, 1 << 43, (1 << 49) - 1),
        row(0b1_1111_1111, 0, 8, 1 << 49, (1 << 56) - 1),
    ],
    trailing: (0b1_0000_0000, 7),
    gap: None,
};

/// Table ten, "65-bit variant": the rows "w1zw d5" to "w8", the extension byte "w1zz d5".
pub(super) const UTF_8_65_BIT: Prefix = Prefix {
    alone: 0x7F,
    rows: &[
        row(0xA0, 5, 1, 1 << 7, (1 << 10) - 1),
        row(0xC0, 4, 2, 1 << 10, (1 << 14) - 1),
        row(0xD0, 4, 3, 1 << 14, (1 << 19) - 1),
        row(0xE0, 3, 4, 1 << 19, (1 << 23) - 1),
        row(0xE8, 3, 5, 1 << 23, (1 << 28) - 1),
        row(0xF0, 2, 6, 1 << 28, (1 << 32) - 1),
        row(0xF4, 2, 7, 1 << 32, (1 << 37) - 1),
        row(0xF8, 1, 8, 1 << 37, (1 << 41) - 1),
        row(0xFA, 1, 9, 1 << 41, (1 << 46) - 1),
        row(0xFC, 0, 10, 1 << 46, (1 << 50) - 1),
        row(0xFD, 0, 11, 1 << 50, (1 << 55) - 1),
        row(0xFE, 0, 12, 1 << 55, (1 << 60) - 1),
        row(0xFF, 0, 13, 1 << 60, (1 << 65) - 1),
    ],
    trailing: (0x80, 5),
    gap: None,
};

/// The machines of the systems that are nothing but a table.
macro_rules! machine {
    ($table:expr) => {
        $table.machine(|m, state, unit| $table.step(m, state, unit))
    };
}

pub(super) const OF_UTF_8_RFC_2279: Machine = machine!(UTF_8_RFC_2279);
pub(super) const OF_UTF_EBCDIC_I8: Machine = machine!(UTF_EBCDIC_I8);
pub(super) const OF_UTF_EBCDIC_I8_UCS_4: Machine = machine!(UTF_EBCDIC_I8_UCS_4);
pub(super) const OF_HUNK_4: Machine = machine!(HUNK_4);
pub(super) const OF_HUNK_5: Machine = machine!(HUNK_5);
pub(super) const OF_HUNK_6: Machine = machine!(HUNK_6);
pub(super) const OF_HUNK_7: Machine = machine!(HUNK_7);
pub(super) const OF_HUNK_8: Machine = machine!(HUNK_8);
pub(super) const OF_HUNK_9: Machine = machine!(HUNK_9);
pub(super) const OF_UTF_8_65_BIT: Machine = machine!(UTF_8_65_BIT);
