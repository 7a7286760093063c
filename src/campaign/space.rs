//! The slots in the inputs of exhaustive campaigns, and their numbers.
//!
//! There are few different units, so every row of N units is an input. There are 2^36 different slots (2^28 on the short bus), so
//! that is not possible for encoders. Inputs of one slot are all code points that fit into it, and a choice of the other slots, in whose `tdata` most
//! values make no difference. Longer inputs are rows of the 64 [telling] slots.

use crate::noise::{length_ranges, slots_of};
use crate::promise::Item;
use utfhdl_codec::System;
use utfhdl_codec::{ErrorKind, Slot};
use utfhdl_hdl::core::Bus;

/// How many patterns are tried in `tdata` for each other `tuser`.
const PATTERNS: u64 = 1 << 16;
/// The number of other values of `tuser`: errors, illegal values, heads and limbs.
const OTHER_USERS: u64 = 15;

/// How many code points fit into one slot.
pub fn code_points(bus: Bus) -> u64 {
    1 << bus.data_bits()
}

/// The number of every slot on its own: all code points in their order, then each other `tuser` with 65,536 patterns in `tdata`.
pub fn every_slot(bus: Bus) -> u64 {
    code_points(bus) + OTHER_USERS * PATTERNS
}

/// The slot of a number.
pub fn slot(bus: Bus, number: u64) -> Item {
    match number.checked_sub(code_points(bus)) {
        None => Slot::CodePoint(number as u32).into(),
        Some(other) => {
            let pattern = (other % PATTERNS) as u32;
            let data = u64::from(pattern << 16 | pattern) % code_points(bus);
            Item { data: data as u32, user: 1 + (other / PATTERNS) as u16 }
        }
    }
}

/// Bits of the number of a telling slot.
pub const TELLING_BITS: u32 = 6;

/// The 64 slots of longer inputs, chosen to test the differences between systems and the rules of the bus. A number always
/// means the same slot.
///
/// The slots are heads and limbs of short groups, limbs at the edges of the ranges that an encoder distinguishes, heads that
/// announce too few and too many limbs, errors, illegal values of `tuser`, and the first and last code points of each length
/// of the system with their neighbours; if there is room, also code points of every length in bits.
pub fn telling(system: System) -> Vec<Item> {
    let mut slots: Vec<Item> = vec![Slot::CodePoint(0).into(), Slot::CodePoint(0x41).into()];
    slots.extend([2, 3, 4, 0, 1, u32::MAX].map(|limbs| Item::from(Slot::Head(limbs))));
    slots.extend([0, 1, 0x7f, 0x80, 0xfff, 1 << 31, u32::MAX].map(|limb| Item::from(Slot::Limb(limb))));
    let errors = [ErrorKind::Unexpected, ErrorKind::Truncated, ErrorKind::Nul, ErrorKind::Unencodable];
    slots.extend(errors.map(|kind| Item::from(Slot::Error(kind))));
    // An error with any `tdata`.
    slots.push(Item { data: 0x41, user: ErrorKind::Invalid.code().into() });
    slots.extend((11..=13).map(|user| Item { data: 0x41, user }));
    if system == System::Wtf8 {
        // Their lengths do not tell surrogates from other code points.
        slots.extend([0xd800, 0xdbff, 0xdc00, 0xdfff].map(|point| Item::from(Slot::CodePoint(point))));
    }
    let ranges = length_ranges(system);
    let edges = ranges.iter().flat_map(|range| [range.first, range.last]);
    let beside = ranges.iter().flat_map(|range| [range.first + 1, range.last.saturating_sub(1)]);
    let lengths = (0..u32::BITS).flat_map(|bit| [1 << bit, 0x5555_5555_u128 & ((1 << bit) - 1) | 1 << bit]);
    for code_point in edges.chain([0x3f, 0xfffd, u32::MAX.into()]).chain(beside).chain(lengths) {
        if let [slot @ Slot::CodePoint(_)] = slots_of(code_point)[..]
            && !slots.contains(&slot.into())
        {
            slots.push(slot.into());
        }
    }
    slots.truncate(1 << TELLING_BITS);
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_there_once() {
        for (bus, bits) in [(Bus::Long, 32), (Bus::Short, 24)] {
            let last = u32::MAX >> (32 - bits);
            assert_eq!(slot(bus, 0x20ac), Slot::CodePoint(0x20ac).into());
            assert_eq!(slot(bus, last.into()), Slot::CodePoint(last).into());
            assert_eq!(slot(bus, 1 << bits), Item { data: 0, user: 1 });
            assert_eq!(slot(bus, (1 << bits) + 0x1_0041), Item { data: 0x41_0041, user: 2 });
            assert_eq!(slot(bus, every_slot(bus) - 1), Item { data: last, user: 15 });
        }
    }

    #[test]
    fn telling_slots_are_as_many_as_their_numbers_and_differ() {
        for system in System::all() {
            let slots = telling(system);
            assert_eq!(slots.len(), 1 << TELLING_BITS, "{system}");
            let differ = |at: usize| !slots[..at].contains(&slots[at]);
            assert!((0..slots.len()).all(differ), "{system}");
            for user in [0, 1, 2, 6, 9, 10, 11, 12, 13, 14, 15] {
                assert!(slots.iter().any(|slot| slot.user == user), "{system}: tuser {user}");
            }
        }
    }

    /// Every code point of the system in one slot at which the number of units changes is among them.
    #[test]
    fn telling_slots_have_the_edges_of_all_lengths() {
        for system in System::all() {
            let slots = telling(system);
            let edges = length_ranges(system).into_iter().flat_map(|range| [range.first, range.last]);
            for edge in edges.filter(|edge| *edge <= u32::MAX.into()) {
                assert!(slots.contains(&Slot::CodePoint(edge as u32).into()), "{system}: {edge:x}");
            }
        }
    }
}
