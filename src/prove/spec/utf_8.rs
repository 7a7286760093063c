//! UTF-8, as the Unicode Standard defines it: the rows of table 3-7, "Well-Formed UTF-8 Byte Sequences", and the bits of
//! table 3-6, "UTF-8 Bit Distribution". The kinds of errors are those of the table in docs/interface.md.

use utfhdl_hdl::netlist::Signal;

use super::{INVALID, OUT_OF_RANGE, OVERLONG, SURROGATE, Slot, Step, TRUNCATED, UNEXPECTED, Unit};
use crate::prove::bench::Bench;

/// A row of table 3-7 of more than one byte.
struct Row {
    first: (u64, u64),
    second: (u64, u64),
    /// How many bytes follow the second.
    more: u64,
    /// The kind of an error where a trailing byte is outside of the range of the second.
    outside: u64,
}

const fn row(first: (u64, u64), second: (u64, u64), more: u64, outside: u64) -> Row {
    Row { first, second, more, outside }
}

/// In the order of the table, from the second row on. Where the second byte can be any trailing byte, no kind is needed.
const TABLE: [Row; 8] = [
    row((0xC2, 0xDF), (0x80, 0xBF), 0, 0),
    row((0xE0, 0xE0), (0xA0, 0xBF), 1, OVERLONG),
    row((0xE1, 0xEC), (0x80, 0xBF), 1, 0),
    row((0xED, 0xED), (0x80, 0x9F), 1, SURROGATE),
    row((0xEE, 0xEF), (0x80, 0xBF), 1, 0),
    row((0xF0, 0xF0), (0x90, 0xBF), 2, OVERLONG),
    row((0xF1, 0xF3), (0x80, 0xBF), 2, 0),
    row((0xF4, 0xF4), (0x80, 0x8F), 2, OUT_OF_RANGE),
];

/// Bytes that begin no row, and the kind of their error.
const NO_LEADS: [((u64, u64), u64); 4] = [
    ((0x80, 0xBF), UNEXPECTED),
    ((0xC0, 0xC1), OVERLONG),
    ((0xF5, 0xF7), OUT_OF_RANGE),
    ((0xF8, 0xFF), INVALID),
];

fn any<'m>(signals: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    signals.into_iter().reduce(|a, b| a | b).expect("one at least")
}

/// Reads a byte.
pub(super) fn step<'m>(bench: &Bench<'m>, unit: &Unit<'m>) -> Step<'m> {
    let m = bench.m;
    let byte = unit.bits;
    let within = |(first, last)| byte.within(first, last);

    // The state: between sequences, behind the first byte of a row, or with so many bytes to come behind the second.
    let second_of: Vec<_> =
        (0..TABLE.len()).map(|row| m.reg(&format!("row_{row}_reg"), 1).reset(0)).collect();
    let rest = m.reg("rest_reg", 2).reset(0);
    let value = m.reg("value_reg", 21);

    let is_trailing = within((0x80, 0xBF));
    let at_second = any(second_of.iter().map(|row| row.q));
    let was_open = at_second | rest.q.any();
    let fits_second = any(TABLE.iter().zip(&second_of).map(|(row, state)| state.q & within(row.second)));
    let fits = fits_second | rest.q.any() & is_trailing;
    let cuts = unit.is_there & was_open & !fits;
    let leads = |row: &Row| within(row.first) & (!was_open | !fits);

    // What is left behind a second byte: how many follow.
    let more = any(TABLE.iter().zip(&second_of).map(|(row, state)| m.lit(2, row.more).when(state.q)));
    let left = at_second.mux(more, rest.q - m.lit(2, 1));
    let completes = fits & !left.any();
    let opens = any(TABLE.iter().map(leads));
    let open = unit.is_there.mux(opens | fits & left.any(), was_open);

    for (row, state) in TABLE.iter().zip(&second_of) {
        state.next((!unit.ends).mux(unit.is_there.mux(leads(row), state.q), m.lit(1, 0)));
    }
    let rest_next = unit.is_there.mux(left.when(fits), rest.q);
    rest.next(rest_next.when(!unit.ends));

    // The bits of the first byte by its length, then six of each.
    let first_bits = byte.within(0xF0, 0xFF).mux(
        byte.bits(0..3).zext(21),
        byte.within(0xE0, 0xEF).mux(byte.bits(0..4).zext(21), byte.bits(0..5).zext(21)),
    );
    let longer = m.concat([value.q.bits(0..15), byte.bits(0..6)]);
    value.next(unit.is_there.mux(fits.mux(longer, first_bits), value.q));

    // A byte that does not fit: outside of the range of its row, or no trailing byte at all.
    let outside = any(TABLE.iter().zip(&second_of).map(|(row, state)| m.lit(4, row.outside).when(state.q)));
    let cut_by = is_trailing.mux(outside, m.lit(4, TRUNCATED));
    let no_lead = any(NO_LEADS.iter().map(|(range, kind)| m.lit(4, *kind).when(within(*range))));
    let alone = !fits & (within((0x00, 0x7F)) | no_lead.any());
    Step {
        cut: Slot { is_there: cuts, user: cut_by, value: value.q },
        own: Slot {
            is_there: unit.is_there & (completes | alone),
            user: no_lead.when(!fits),
            value: fits.mux(longer, byte.zext(21)),
        },
        open,
    }
}
