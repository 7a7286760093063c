//! Pieces of sequences, as the lanes see them.

use crate::core::many_lanes::encoder::shape::{Fit, Shape};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal};

/// Units of a piece.
pub(super) const UNITS: usize = 8;
/// Units of the longest code point of one slot.
pub(super) const CODE_UNITS: usize = 7;
/// Bits of the code point in a unit.
pub(super) const UNIT_DATA: u32 = 6;
/// Bits of the code point in a piece.
pub(super) const DATA: u32 = UNITS as u32 * UNIT_DATA;
/// Flags of a piece: its first unit is a trailing unit; its first unit is FF.
const TRAILS: u32 = DATA;
const OPENS: u32 = DATA + 1;
/// Bit n - 1: the piece has more than n units.
const LONGER: u32 = DATA + 2;
/// Bits of a piece.
pub(super) const PIECE_BITS: u32 = LONGER + UNITS as u32 - 1;

/// The system: a piece is a sequence.
pub(super) struct Pieces;

/// A piece that is made: zeros where there is none.
#[derive(Clone, Copy)]
pub(super) struct Piece<'m> {
    pub(super) data: Signal<'m>,
    pub(super) trails: Signal<'m>,
    pub(super) opens: Signal<'m>,
    /// Bit n: the piece has more than n units.
    pub(super) longer: Signal<'m>,
}

impl<'m> Piece<'m> {
    /// The fields packed for a lane; the highest bit: there is a piece.
    pub(super) fn packed(self, m: &'m Builder) -> Signal<'m> {
        let longer = self.longer;
        m.concat([longer.bit(0), longer.bits(1..longer.width()), self.opens, self.trails, self.data])
    }
}

/// A code point of one slot, or zeros: the piece of a lane that has no others.
#[derive(Clone, Copy)]
pub(super) struct CodePoint<'m> {
    pub(super) data: Signal<'m>,
    /// Bit n: it has more than n units.
    pub(super) longer: Signal<'m>,
}

impl<'m> CodePoint<'m> {
    /// Bits of a packed code point.
    const BITS: u32 = CODE_UNITS as u32 + SLOT_DATA_BITS;

    /// The fields packed.
    pub(super) fn packed(self, m: &'m Builder) -> Signal<'m> {
        m.concat([self.longer, self.data])
    }

    /// The fields packed as those of a [`Piece`], from a packed piece or code point.
    pub(super) fn widened(m: &'m Builder, packed: Signal<'m>) -> Signal<'m> {
        if packed.width() != Self::BITS {
            return packed;
        }
        let (data, longer) = (packed.bits(0..SLOT_DATA_BITS), packed.bits(SLOT_DATA_BITS..Self::BITS));
        let no = m.lit(1, 0);
        Piece { data: data.zext(DATA), trails: no, opens: no, longer: longer.zext(UNITS as u32) }.packed(m)
    }
}

impl Shape for Pieces {
    fn unit_bits(&self) -> u32 {
        8
    }

    fn most_units(&self) -> usize {
        UNITS
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        (0xfffd, vec![0xef, 0xbf, 0xbd])
    }

    fn code_bits(&self) -> u32 {
        LONGER
    }

    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let test = |units: u32| (format!("has_more_than_{units}"), data.bit(LONGER + units - 1));
        (1..UNITS as u32).map(test).collect()
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        Fit { unfit: None, longer: tests.iter().map(|&test| Some(test)).collect() }
    }

    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, longer: &[Signal<'m>]) -> Signal<'m> {
        let low = number as u32 * UNIT_DATA;
        let bits = code.bits(low..low + UNIT_DATA);
        let (trails, opens) = (code.bit(TRAILS), code.bit(OPENS));
        // FF is the lead of eight units.
        let is_first =
            longer.get(number + 1).map(|&longer| (!longer).named(&format!("unit_{number}_is_first")));
        let first = |what: Signal<'m>| is_first.map_or(what, |is| is & what);
        let is_ff = first(opens).named(&format!("unit_{number}_is_ff"));
        let is_lead = first(!trails).named(&format!("unit_{number}_is_lead"));
        let marker = !(0xff_u64 >> (number + 1)) & 0xff;
        let bit = |bit: u32| {
            let own = (bit < UNIT_DATA).then(|| bits.bit(bit));
            let of_trailing = bit == 7;
            let of_lead = if number == 0 { false } else { marker >> bit & 1 == 1 };
            let marked = match (of_lead, of_trailing) {
                (true, true) => return m.lit(1, 1),
                (true, false) => is_lead,
                (false, true) => !is_lead,
                (false, false) => is_ff,
            };
            // A unit that stands alone has a bit more.
            let alone = (number == 0 && bit == UNIT_DATA).then(|| is_lead & code.bit(UNIT_DATA));
            [Some(is_ff), own, alone].into_iter().flatten().fold(marked, |all, one| all | one)
        };
        m.concat((0..8).rev().map(bit).collect::<Vec<_>>())
    }
}
