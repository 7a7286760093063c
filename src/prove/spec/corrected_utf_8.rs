//! Corrected UTF-8, as its proposal has it in "Putting it all together". No sequence is overlong: the code points of each length follow
//! those of the shorter ones.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::{Machine, RESERVED, Slot, State, Step, TRUNCATED, UNEXPECTED, Unit, Written, any};

/// A row of the table.
struct Row {
    /// The first octet with zeros in the bits of data, and the number of these bits.
    lead: (u64, u32),
    /// The number of trailing octets.
    trailing: u32,
    /// The data.
    data: (u64, u64),
    /// The difference of code point and data.
    offset: u64,
}

const fn row(lead: (u64, u32), trailing: u32, first: u64, last: u64, offset: u64) -> Row {
    Row { lead, trailing, data: (first, last), offset }
}

const ROWS: [Row; 7] = [
    row((0, 7), 0, 0, 0x7F, 0),
    row((0xC0, 5), 1, 0, 0x7FF, 160),
    row((0xE0, 4), 2, 0, 0xCF5F, 2_208),
    row((0xE0, 4), 2, 0xCF60, 0xFFFF, 4_256),
    row((0xF0, 3), 3, 0, 0x1F_FFFF, 69_792),
    row((0xF8, 2), 4, 0, 0x3FF_FFFF, 2_166_944),
    row((0xFC, 1), 5, 0, 0x7FFF_FFFF, 69_275_808),
];

/// Bits of the data, of a number of trailing octets, and of a code point.
const DATA_BITS: u32 = 31;
const COUNT_BITS: u32 = 3;
const CODE_BITS: u32 = 32;
/// The octets FE and FF.
const NO_LEADS: (u64, u64) = (0xFE, 0xFF);

/// The machine. The position is the number of octets to come, and above it a bit that says that FE or FF has been read. The value is
/// the data, and above it the number of trailing octets of the sequence.
pub(super) const MACHINE: Machine = Machine {
    at_end,
    ..Machine::new(COUNT_BITS + 1, DATA_BITS + COUNT_BITS, step).with_slots_of_any_length()
};

/// FE and FF are an error by themselves.
fn at_end<'m>(m: &'m Builder, state: State<'m>) -> Signal<'m> {
    state.position.bit(COUNT_BITS).mux(m.lit(4, RESERVED), m.lit(4, TRUNCATED))
}

/// Reads an octet.
fn step<'m>(m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let octet = unit.bits;
    let (to_come, was_reserved) = (state.position.bits(0..COUNT_BITS), state.position.bit(COUNT_BITS));
    let (data, trailing) =
        (state.value.bits(0..DATA_BITS), state.value.bits(DATA_BITS..DATA_BITS + COUNT_BITS));
    let is_trailing = octet.within(0x80, 0xBF);
    let is_no_lead = octet.within(NO_LEADS.0, NO_LEADS.1);

    let fits = to_come.any() & is_trailing;
    let stays = was_reserved & (is_trailing | is_no_lead);
    let left = to_come - m.lit(COUNT_BITS, 1);
    let completes = fits & !left.any();
    let cuts = (to_come.any() | was_reserved) & !fits & !stays;
    let longer = m.concat([data.bits(0..DATA_BITS - 6), octet.bits(0..6)]);

    // The octet as the first one, of the rows with an octet of their own.
    let leads = || {
        let is_row = |row: &Row| octet.within(row.lead.0, row.lead.0 + (1 << row.lead.1) - 1);
        ROWS.iter().filter(|row| row.data.0 == 0).map(move |row| (row, is_row(row)))
    };
    let first = any(leads().map(|(row, is_row)| octet.bits(0..row.lead.1).zext(DATA_BITS).when(is_row)));
    let count = any(leads().map(|(row, is_row)| m.lit(COUNT_BITS, row.trailing.into()).when(is_row)));
    let alone = octet.within(0, 0x7F);
    let is_first = !fits & !stays;

    let code_points = ROWS[1..].iter().map(|row| {
        let is_row = trailing.is(row.trailing.into());
        let is_row = is_row & longer.within(row.data.0, row.data.1);
        (longer.zext(CODE_BITS) + m.lit(CODE_BITS, row.offset)).when(is_row)
    });
    let value = fits.mux(any(code_points), octet.zext(CODE_BITS));
    let position = fits.mux(left, count.when(is_first));
    Step {
        cut: Slot {
            is_there: unit.is_there & cuts,
            user: was_reserved.mux(m.lit(4, RESERVED), m.lit(4, TRUNCATED)),
            value,
        },
        own: Slot {
            is_there: unit.is_there & (completes | is_first & (alone | is_trailing)),
            user: m.lit(4, UNEXPECTED).when(is_first & is_trailing),
            value,
        },
        next: State {
            position: m.concat([stays | is_first & is_no_lead, position]),
            value: fits.mux(m.concat([trailing, longer]), m.concat([count, first])),
        },
    }
}

/// Writes a code point.
pub(super) fn write<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let rows: Vec<(&Row, Signal<'m>, Signal<'m>)> = ROWS
        .iter()
        .map(|row| {
            let is_row = code_point.within(row.data.0 + row.offset, row.data.1 + row.offset);
            (row, is_row, code_point - m.lit(CODE_BITS, row.offset))
        })
        .collect();
    // By the number of octets that come after it.
    let octets = (0..=5).rev().map(|after: u32| {
        let there = || rows.iter().filter(|(row, ..)| row.trailing >= after);
        let bits = there().map(|(row, is_row, data)| {
            let (lead, bits) = if row.trailing == after { row.lead } else { (0x80, 6) };
            (m.lit(8, lead) | data.bits(6 * after..6 * after + bits).zext(8)).when(*is_row)
        });
        let is_there = if after == 0 { m.lit(1, 1) } else { any(there().map(|&(_, is_row, _)| is_row)) };
        Written { is_there, bits: any(bits) }
    });
    octets.collect()
}
