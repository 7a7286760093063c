//! `hunk-1` to `hunk-9`: UTF-8 made for units of 1 to 9 bits.
//!
//! Barber, *Extending UTF-8 to eight bytes*, §8.

use crate::lazy::Lazy;

use crate::HunkWidth;
use crate::systems::prefix::{Pattern, PrefixTables, SequenceForm, Surrogates, form};

/// Table nine, part by part and row by row, with the trailing unit of each part. The part for 1 bit has one row and no
/// trailing unit.
const TABLE_NINE: [(&[SequenceForm], Pattern); 9] = [
    (&[form("z", 0)], Pattern::NONE),
    (&[form("zd", 0), form("ww", 1)], Pattern::new("wz")),
    (&[form("zdd", 0), form("wwz", 1), form("www", 2)], Pattern::new("wzd")),
    (&[form("zddd", 0), form("wwzd", 1), form("wwwz", 2), form("wwww", 3)], Pattern::new("wzdd")),
    (
        &[form("z'dddd", 0), form("w'wzdd", 1), form("w'wwzd", 2), form("w'wwwz", 3), form("w'wwww", 4)],
        Pattern::new("w'zddd"),
    ),
    (
        &[
            form("zd'dddd", 0),
            form("ww'zddd", 1),
            form("ww'wzdd", 2),
            form("ww'wwzd", 3),
            form("ww'wwwz", 4),
            form("ww'wwww", 5),
        ],
        Pattern::new("wz'dddd"),
    ),
    (
        &[
            form("zdd'dddd", 0),
            form("wwz'dddd", 1),
            form("www'zddd", 2),
            form("www'wzdd", 3),
            form("www'wwzd", 4),
            form("www'wwwz", 5),
            form("www'wwww", 6),
        ],
        Pattern::new("wzd'dddd"),
    ),
    (
        &[
            form("zddd'dddd", 0),
            form("wwzd'dddd", 1),
            form("wwwz'dddd", 2),
            form("wwww'zddd", 3),
            form("wwww'wzdd", 4),
            form("wwww'wwzd", 5),
            form("wwww'wwwz", 6),
            form("wwww'wwww", 7),
        ],
        Pattern::new("wzdd'dddd"),
    ),
    (
        &[
            form("z'dddd'dddd", 0),
            form("w'wzdd'dddd", 1),
            form("w'wwzd'dddd", 2),
            form("w'wwwz'dddd", 3),
            form("w'wwww'zddd", 4),
            form("w'wwww'wzdd", 5),
            form("w'wwww'wwzd", 6),
            form("w'wwww'wwwz", 7),
            form("w'wwww'wwww", 8),
        ],
        Pattern::new("w'zddd'dddd"),
    ),
];

static TABLES: Lazy<[PrefixTables; 9]> = Lazy::new(|| {
    core::array::from_fn(|index| {
        let (forms, trailing) = TABLE_NINE[index];
        PrefixTables::new(index as u32 + 1, forms, trailing, Surrogates::Allowed)
    })
});

pub(crate) fn tables(width: HunkWidth) -> &'static PrefixTables {
    &TABLES[width.bits() as usize - 1]
}
