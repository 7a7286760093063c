//! UTF-16, as the Unicode Standard defines it: table 3-5, "UTF-16 Bit Distribution".

use utfhdl_hdl::netlist::{Builder, Signal};

use super::{Machine, SURROGATE, SURROGATES, Slot, State, Step, Unit, Written};

/// The machine. The position says that a high surrogate is open, and the value has its low bits.
pub(super) const MACHINE: Machine =
    Machine { at_end: |m, _| m.lit(4, SURROGATE), ..Machine::new(1, HALF_BITS, step).with_slots_of(2) };

/// High and low surrogates.
pub(super) const HIGH: (u64, u64) = (0xD800, 0xDBFF);
pub(super) const LOW: (u64, u64) = (0xDC00, 0xDFFF);
/// Bits of a surrogate that are those of the code point.
pub(super) const HALF_BITS: u32 = 10;

/// The code point of a pair, by the low bits of its halves.
pub(super) fn pair<'m>(m: &'m Builder, high: Signal<'m>, low: Signal<'m>) -> Signal<'m> {
    m.concat([m.lit(1, 0), high, low]) + m.lit(21, 0x1_0000)
}

/// The halves of a supplementary code point: units of 16 bits.
pub(super) fn halves<'m>(m: &'m Builder, code_point: Signal<'m>) -> [Signal<'m>; 2] {
    let rest = code_point.bits(0..21) - m.lit(21, 0x1_0000);
    let half = |mark: u64, low: u32| m.concat([m.lit(6, mark), rest.bits(low..low + HALF_BITS)]);
    [half(0b11_0110, HALF_BITS), half(0b11_0111, 0)]
}

/// Reads a unit.
fn step<'m>(m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let within = |(first, last)| unit.bits.within(first, last);
    let was_open = state.position;
    let completes = was_open & within(LOW);
    let surrogate = m.lit(4, SURROGATE);
    let half = unit.bits.bits(0..HALF_BITS);
    Step {
        cut: Slot { is_there: unit.is_there & was_open & !completes, user: surrogate, value: half },
        own: Slot {
            is_there: unit.is_there & !within(HIGH),
            user: surrogate.when(within(SURROGATES) & !completes),
            value: completes.mux(pair(m, state.value, half), unit.bits.zext(21)),
        },
        next: State { position: within(HIGH), value: half },
    }
}

/// Writes a code point.
pub(super) fn write<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let is_pair = code_point.within(0x1_0000, 0x10_FFFF);
    let [high, low] = halves(m, code_point);
    vec![
        Written { is_there: is_pair, bits: high },
        Written { is_there: m.lit(1, 1), bits: is_pair.mux(low, code_point.bits(0..16)) },
    ]
}
