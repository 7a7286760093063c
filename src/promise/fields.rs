//! Fields of ports in the record of a cycle.

use utfhdl_sim::PortSlot;

/// The lowest `count` bits set.
pub(super) fn ones(count: usize) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (64 - count) }
}

/// Some bits of a port, which may cross a word of the record.
pub(super) fn field(port: &PortSlot, record: &[u64], low: usize, width: usize) -> u64 {
    let at = port.shift as usize + low;
    let (word, shift) = (port.word + at / 64, at % 64);
    let mut value = record[word] >> shift;
    if shift + width > 64 {
        value |= record[word + 1] << (64 - shift);
    }
    value & ones(width)
}

/// Sets some bits of a port, which may cross a word of the record.
pub(super) fn set_field(port: &PortSlot, record: &mut [u64], low: usize, width: usize, value: u64) {
    debug_assert!(value <= ones(width), "{value:#x} does not fit {width} bits of `{}`", port.name);
    let at = port.shift as usize + low;
    let (word, shift) = (port.word + at / 64, at % 64);
    record[word] = record[word] & !(ones(width) << shift) | value << shift;
    if shift + width > 64 {
        let over = shift + width - 64;
        record[word + 1] = record[word + 1] & !ones(over) | value >> (64 - shift);
    }
}
