//! The number of words in a beat of octets.

use crate::core::System;
use crate::netlist::{Builder, Signal};

/// A word of the system has 2 to that power units.
pub(super) fn bits_of_word(system: System) -> u32 {
    match system {
        System::Utf16Octets { .. } | System::Ucs2Octets { .. } => 1,
        System::Utf32Octets { .. } => 2,
        _ => 0,
    }
}

/// The number of words that a beat of `octets` octets completes.
pub(super) fn words<'m>(
    m: &'m Builder,
    octets: Signal<'m>,
    bits: u32,
    taken: Signal<'m>,
    last: Signal<'m>,
) -> Signal<'m> {
    let open = m.reg("open_octets_reg", bits).reset(0).note("octets of a word that are before the beat");
    let width = octets.width().max(bits) + 1;
    let sum = (octets.zext(width) + open.q.zext(width)).named("octets_of_words");
    open.next_when(taken, sum.bits(0..bits).when(!last));
    sum.bits(bits..width)
}
