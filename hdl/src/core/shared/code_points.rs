//! Code points that a system does not have.

use crate::netlist::Signal;

/// Whether a code point is one of U+D800..U+DFFF.
pub(in crate::core) fn surrogate(code: Signal<'_>) -> Signal<'_> {
    code.bits(11..code.width()).is(0xd800 >> 11).named("surrogate")
}

/// Whether a code point is above `last`, where it can be.
pub(in crate::core) fn past_last(code: Signal<'_>, last: u128) -> Option<Signal<'_>> {
    above(code, last).map(|past| past.named("past_last"))
}

/// Whether `value` is above `limit`, where it can be.
///
/// A comparison would make a chain of carries; most limits are a few runs of equal bits, which need no more than a gate each.
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
