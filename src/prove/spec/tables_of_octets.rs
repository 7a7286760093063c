//! Character sets of single octets, by their mapping files.
//!
//! A line of a mapping file is an octet and its code point, `0xA4 0x20AC # EURO SIGN`. Octets without a code point are errors.

use utfhdl_hdl::core::Table;
use utfhdl_hdl::netlist::{Builder, Signal};

use super::machine::Reads;
use super::{INVALID, Machine, Slot, State, Step, Unit};

/// Bits of a code point.
const CODE_BITS: u32 = 21;

pub(super) const fn machine(table: Table) -> Machine {
    Machine::reading(1, 1, Reads::Table(table))
}

/// An octet and its code point.
fn row(line: &str) -> Option<(u64, u64)> {
    let mut numbers = line.split('#').next()?.split_whitespace().map(|word| {
        let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))?;
        u64::from_str_radix(digits, 16).ok()
    });
    Some((numbers.next()??, numbers.next()??))
}

/// Reads an octet.
pub(super) fn step<'m>(m: &'m Builder, table: Table, unit: &Unit<'m>) -> Step<'m> {
    let rows: Vec<(u64, u64)> = table.mapping().lines().filter_map(row).collect();
    let octets: Vec<u64> = rows.iter().map(|&(octet, _)| octet).collect();
    let code_points = rows.iter().map(|&(octet, code_point)| ([octet], m.lit(CODE_BITS, code_point)));
    let value = unit.bits.case_of(code_points, m.lit(CODE_BITS, 0));
    let user = unit.bits.case_of([(octets, m.lit(4, 0))], m.lit(4, INVALID));
    let never: Signal<'m> = m.lit(1, 0);
    Step {
        cut: Slot { is_there: never, user, value },
        own: Slot { is_there: unit.is_there, user, value },
        next: State { position: never, value: never },
    }
}
