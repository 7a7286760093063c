//! `hunk-1` to `hunk-18`: UTF-8 made for units of 1 to 18 bits.
//!
//! Barber, *Extending UTF-8 to eight bytes*, §8, whose table nine has "some examples [...], starting with nine bits per hunk and working
//! down". Wider hunks follow the same pattern, as far as code points are below 2^32.

use alloc::vec::Vec;

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

/// The first rows of hunks of 10 bits and more: a lead has as many ones as the sequence has units, then a zero, and trailing units begin
/// with 10.
fn wide(unit_bits: u32) -> PrefixTables {
    let trailing = Pattern::beginning("wz", unit_bits);
    let single = Pattern::beginning("z", unit_bits);
    let leads = ["wwz", "wwwz", "wwwwz"].into_iter().zip(1..);
    let longer = leads.map(|(marker, trailing)| (Pattern::beginning(marker, unit_bits), trailing));
    let forms = [(single, 0)].into_iter().chain(longer);
    let is_short = |&(lead, count): &(Pattern, u8)| {
        lead.data_bits() + u32::from(count) * trailing.data_bits() <= u32::BITS
    };
    let forms: Vec<SequenceForm> =
        forms.take_while(is_short).map(|(lead, count)| SequenceForm::new(lead, count)).collect();
    PrefixTables::new(unit_bits, &forms, trailing, Surrogates::Allowed)
}

/// A table for the width of `WIDTH` bits.
fn made<const WIDTH: usize>() -> PrefixTables {
    if let Some((forms, trailing)) = TABLE_NINE.get(WIDTH - 1) {
        return PrefixTables::new(WIDTH as u32, forms, *trailing, Surrogates::Allowed);
    }
    wide(WIDTH as u32)
}

/// The tables, by the width less one. A table is made when it is first used: that of `hunk-18` has an entry for each of 2^18 units.
static TABLES: [Lazy<PrefixTables>; HunkWidth::MOST as usize] = [
    Lazy::new(made::<1>),
    Lazy::new(made::<2>),
    Lazy::new(made::<3>),
    Lazy::new(made::<4>),
    Lazy::new(made::<5>),
    Lazy::new(made::<6>),
    Lazy::new(made::<7>),
    Lazy::new(made::<8>),
    Lazy::new(made::<9>),
    Lazy::new(made::<10>),
    Lazy::new(made::<11>),
    Lazy::new(made::<12>),
    Lazy::new(made::<13>),
    Lazy::new(made::<14>),
    Lazy::new(made::<15>),
    Lazy::new(made::<16>),
    Lazy::new(made::<17>),
    Lazy::new(made::<18>),
];

pub(crate) fn tables(width: HunkWidth) -> &'static PrefixTables {
    &TABLES[width.bits() as usize - 1]
}
