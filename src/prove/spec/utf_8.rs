//! UTF-8, as the Unicode Standard defines it: the rows of table 3-7, "Well-Formed UTF-8 Byte Sequences", and the bits of
//! table 3-6, "UTF-8 Bit Distribution". The kinds of errors are those of the table in docs/interface.md.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::{
    INVALID, Machine, OUT_OF_RANGE, OVERLONG, SURROGATE, Slot, State, Step, TRUNCATED, UNEXPECTED, Unit, any,
};

/// The machine. The low bits of the position say that the first byte of a row has been read, one bit a row; the two above them
/// count the bytes that are to come after the second.
pub(super) const MACHINE: Machine = Machine::new(ROWS + 2, 21, step).with_slots_of(4);

/// Rows of the table below.
const ROWS: u32 = TABLE.len() as u32;

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

/// Reads a byte.
pub(super) fn step<'m>(m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let byte = unit.bits;
    let within = |(first, last)| byte.within(first, last);

    let State { position, value } = state;
    let rows: Vec<(&Row, Signal<'m>)> =
        TABLE.iter().zip(0..).map(|(row, index)| (row, position.bit(index))).collect();
    let rest = position.bits(ROWS..ROWS + 2);

    let is_trailing = within((0x80, 0xBF));
    let at_second = position.bits(0..ROWS).any();
    let was_open = position.any();
    let fits_second = any(rows.iter().map(|&(row, is_in)| is_in & within(row.second)));
    let fits = fits_second | rest.any() & is_trailing;
    let cuts = unit.is_there & was_open & !fits;
    let leads = |row: &Row| within(row.first) & (!was_open | !fits);

    // The number of bytes that follow: after a second byte, by its row.
    let more = any(rows.iter().map(|&(row, is_in)| m.lit(2, row.more).when(is_in)));
    let left = at_second.mux(more, rest - m.lit(2, 1));
    let completes = fits & !left.any();
    let opened: Vec<Signal<'m>> = TABLE.iter().map(leads).collect();
    let next_position = m.concat([left.when(fits)].into_iter().chain(opened.into_iter().rev()));

    // The bits of the first byte by its length, then six of each.
    let first_bits = byte.within(0xF0, 0xFF).mux(
        byte.bits(0..3).zext(21),
        byte.within(0xE0, 0xEF).mux(byte.bits(0..4).zext(21), byte.bits(0..5).zext(21)),
    );
    let longer = m.concat([value.bits(0..15), byte.bits(0..6)]);

    // A byte that does not fit: outside of the range of its row, or no trailing byte at all.
    let outside = any(rows.iter().map(|&(row, is_in)| m.lit(4, row.outside).when(is_in)));
    let cut_by = is_trailing.mux(outside, m.lit(4, TRUNCATED));
    let no_lead = any(NO_LEADS.iter().map(|(range, kind)| m.lit(4, *kind).when(within(*range))));
    let alone = !fits & (within((0x00, 0x7F)) | no_lead.any());
    Step {
        cut: Slot { is_there: cuts, user: cut_by, value },
        own: Slot {
            is_there: unit.is_there & (completes | alone),
            user: no_lead.when(!fits),
            value: fits.mux(longer, byte.zext(21)),
        },
        next: State { position: next_position, value: fits.mux(longer, first_bits) },
    }
}
