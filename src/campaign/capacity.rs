//! How many beats can come out of a frame: the bench is made with room for that many.

use utfhdl_codec::{Codec, OnError, Slot, System};
use utfhdl_hdl::core::{Core, Role};

use crate::noise::{LengthRange, length_ranges};

/// The most units, beyond the units read, that a transcoder from UTF-∞-8 to itself writes for a code point that is then
/// cut, with its replacement. A first limb comes after the header, and later limbs may carry a unit over.
const MORE_UNITS_IF_CUT: usize = 4;

/// The most beats that a frame of `units` units makes, or in an encoder a frame of `units` slots.
pub fn most_beats(core: &Core, units: usize) -> usize {
    let system = core.spec.system;
    match core.spec.role {
        // At most one slot for each unit.
        Role::Decoder | Role::Validator(_) => units,
        Role::Encoder => opening(system) + units_of_slots(system, units),
        Role::Transcoder { to } => opening(to) + transcoded_units(system, to, units),
    }
}

/// Units at the start of every frame.
fn opening(system: System) -> usize {
    let nothing: &[Slot] = &[];
    system.encode(nothing, OnError::Drop).map_or(0, |units: Vec<u32>| units.len())
}

/// The most units of `slots` slots.
fn units_of_slots(system: System, slots: usize) -> usize {
    // A head and a limb with the longest header, cut, make no more units than two code points that are held whole.
    let bits = if slots == 1 { u32::BITS } else { u128::BITS - 1 };
    slots * longest(system, |range| range.first >> bits == 0).max(replacement(system))
}

/// The most units of `to` that `units` units of `from` make.
fn transcoded_units(from: System, to: System, units: usize) -> usize {
    // For sequences of up to each length, the longest output in the other system; then the longest output of a row of
    // sequences.
    let is_cut = matches!((from, to), (System::UtfInf8 { .. }, System::UtfInf8 { .. }));
    let mut most = vec![0; units + 1];
    for total in 1..=units {
        for length in 1..=total {
            let of_length =
                length_ranges(from).into_iter().filter(|range| (1..=length).contains(&range.units));
            let whole = of_length.map(|range| longest(to, |other| overlap(*other, range))).max().unwrap_or(0);
            let cut = if is_cut { length + MORE_UNITS_IF_CUT } else { 0 };
            most[total] = most[total].max(most[total - length] + whole.max(cut).max(replacement(to)));
        }
    }
    most[units]
}

fn overlap(a: LengthRange, b: LengthRange) -> bool {
    a.first <= b.last && b.first <= a.last
}

/// The units of the longest sequence in some ranges of code points.
fn longest(system: System, of: impl Fn(&LengthRange) -> bool) -> usize {
    length_ranges(system).iter().filter(|range| of(range)).map(|range| range.units).max().unwrap_or(0)
}

/// The units of the replacement for an error.
fn replacement(system: System) -> usize {
    let units_of =
        |code_point: u128| longest(system, |range| (range.first..=range.last).contains(&code_point));
    match units_of(0xfffd) {
        // A system without U+FFFD takes another replacement, at most U+003F.
        0 => longest(system, |range| range.first <= 0x3f),
        units => units,
    }
}
