//! CESU-8, as Unicode Technical Report #26 defines it, and modified UTF-8, by the Java Virtual Machine Specification, §4.4.7: units of
//! UTF-16 in one to three octets each.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::tables::HALVES;
use super::utf_16::{HALF_BITS, HIGH, halves, pair};
use super::{Machine, NUL, OVERLONG, SURROGATE, Slot, State, Step, TRUNCATED, Unit, Written};

/// Bits of the position of a unit of UTF-16.
const UNIT_BITS: u32 = HALVES.position_bits();

/// The machine of CESU-8. Above the position in a unit of UTF-16 are bits that say: a high surrogate is complete; the first octet of the
/// low one has been read, or the second; and C0. The high surrogate is in the upper bits of the value.
pub(super) const CESU_8: Machine = Machine {
    at_end,
    ..Machine::new(UNIT_BITS + 4, 16 + HALF_BITS, |m, state, unit| step(m, false, state, unit))
        .with_slots_of(6)
};

/// The machine of modified UTF-8.
pub(super) const MUTF_8: Machine = Machine {
    at_end,
    ..Machine::new(UNIT_BITS + 4, 16 + HALF_BITS, |m, state, unit| step(m, true, state, unit))
        .with_slots_of(6)
};

/// A high surrogate that is complete is an error by itself.
fn at_end<'m>(m: &'m Builder, state: State<'m>) -> Signal<'m> {
    state.position.bit(UNIT_BITS).mux(m.lit(4, SURROGATE), m.lit(4, TRUNCATED))
}

/// Reads an octet; `is_modified` is of modified UTF-8.
fn step<'m>(m: &'m Builder, is_modified: bool, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let octet = unit.bits;
    let after = |index: u32| state.position.bit(UNIT_BITS + index);
    let [after_high, after_ed, after_second, after_c0] = [0, 1, 2, 3].map(after);
    let (low_bits, high) = (state.value.bits(0..16), state.value.bits(16..16 + HALF_BITS));

    // The octets of a low surrogate, and 80 after C0.
    let is_trailing = octet.within(0x80, 0xBF);
    let is_ed = after_high & octet.is(0xED);
    let is_second = after_ed & octet.within(0xB0, 0xBF);
    let is_last = after_second & is_trailing;
    let is_nul = after_c0 & octet.is(0x80);
    let fits = is_ed | is_second | is_last | is_nul;
    let is_special = after_high | after_ed | after_second | after_c0;
    let kind = after_high
        .mux(m.lit(4, SURROGATE), (after_c0 & is_trailing).mux(m.lit(4, OVERLONG), m.lit(4, TRUNCATED)));
    let low = m.concat([low_bits.bits(0..4), octet.bits(0..6)]);

    // Any other octet, in a unit of UTF-16 or as the first of one.
    let position = state.position.bits(0..UNIT_BITS);
    let value = low_bits.zext(super::prefix::VALUE_BITS);
    let other = HALVES.step(m, State { position, value }, unit);
    let opens_c0 = m.lit(1, is_modified.into()) & octet.is(0xC0) & (other.own.is_there & !fits);
    let is_zero = m.lit(1, is_modified.into()) & octet.is(0);
    let is_high = other.own.is_there & !other.own.user.any() & other.own.value.within(HIGH.0, HIGH.1) & !fits;
    let other_user = is_zero.mux(m.lit(4, NUL), other.own.user);
    let own_value = is_last.mux(pair(m, high, low), is_nul.mux(m.lit(21, 0), other.own.value.bits(0..21)));

    let position = m.concat([opens_c0, is_second, is_ed, is_high, other.next.position.when(!fits)]);
    let low_bits = is_second.mux(octet.bits(0..6).zext(16), other.next.value.bits(0..16));
    let high = is_high.mux(other.own.value.bits(0..HALF_BITS), high);
    Step {
        cut: Slot {
            is_there: other.cut.is_there | unit.is_there & is_special & !fits,
            user: is_special.mux(kind, other.cut.user),
            value: own_value,
        },
        own: Slot {
            is_there: unit.is_there & (is_last | is_nul) | other.own.is_there & !fits & !is_high & !opens_c0,
            user: other_user.when(!fits),
            value: own_value,
        },
        next: State { position, value: m.concat([high, low_bits]) },
    }
}

/// Writes a code point in CESU-8.
pub(super) fn write_cesu_8<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let is_pair = code_point.within(0x1_0000, 0x10_FFFF);
    let [high, low] = halves(m, code_point).map(|half| half.zext(32));
    let high =
        HALVES.write(m, high).into_iter().map(|Written { bits, .. }| Written { is_there: is_pair, bits });
    high.chain(HALVES.write(m, is_pair.mux(low, code_point))).collect()
}

/// Writes a code point in modified UTF-8.
pub(super) fn write_mutf_8<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let mut units = write_cesu_8(m, code_point);
    let is_zero = code_point.is(0);
    let last = units.len() - 1;
    for (index, octet) in [(last - 1, 0xC0), (last, 0x80)] {
        let Written { is_there, bits } = units[index];
        units[index] = Written { is_there: is_there | is_zero, bits: is_zero.mux(m.lit(8, octet), bits) };
    }
    units
}
