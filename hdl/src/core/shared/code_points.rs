//! Checks of a code point: whether it is a surrogate, and whether it is above a limit.

use crate::netlist::Signal;

/// The last code point of Unicode.
pub const LAST_OF_UNICODE: u32 = 0x10_ffff;

/// The character that ends a line.
pub(in crate::core) const LINE_FEED: u64 = 0xa;

/// The replacement character.
pub(in crate::core) const REPLACEMENT: u64 = 0xfffd;

/// Bits of a supplementary code point that each surrogate of a pair holds.
pub(in crate::core) const SURROGATE_DATA: u32 = 10;

/// High and low surrogates without those bits.
pub(in crate::core) const HIGH: u64 = 0xd800 >> SURROGATE_DATA;
pub(in crate::core) const LOW: u64 = 0xdc00 >> SURROGATE_DATA;

/// Bits of an octet, and of a nonet.
pub(in crate::core) const OCTET: u32 = 8;
pub(in crate::core) const NONET: u32 = 9;

/// Whether a code point is in U+D800..U+DFFF.
pub(in crate::core) fn surrogate(code: Signal<'_>) -> Signal<'_> {
    code.bits(11..code.width()).is(0xd800 >> 11).named("surrogate")
}

/// Whether a code point is above `last`; `None` if it has too few bits to be.
pub(in crate::core) fn past_last(code: Signal<'_>, last: u128) -> Option<Signal<'_>> {
    above(code, last).map(|past| past.named("past_last"))
}

/// Whether `value` is above `limit`; `None` if it has too few bits to be.
///
/// The comparison takes one gate for each run of equal bits in `limit`. A comparison operator would make a chain of
/// carries.
pub(in crate::core) fn above(value: Signal<'_>, limit: u128) -> Option<Signal<'_>> {
    let bit = |index: u32| limit >> index & 1;
    let mut above: Option<Signal> = None;
    let mut from = 0;
    while from < value.width() {
        let to = (from..value.width()).find(|&to| bit(to) != bit(from)).unwrap_or(value.width());
        let run = value.bits(from..to);
        above = match (bit(from), above) {
            (0, None) => Some(run.any()),
            (0, Some(above)) => Some(run.any() | above),
            (_, above) => above.map(|above| run.all() & above),
        };
        from = to;
    }
    above
}
