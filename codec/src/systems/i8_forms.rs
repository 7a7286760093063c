//! The forms of `utf-ebcdic-i8`, which its grammar and its fast path read.

/// Trailing octets are 101x'xxxx.
pub(crate) const TRAILING: u32 = 0xA0;
pub(crate) const TRAILING_BITS: u32 = 5;

/// The first code point of each number of trailing octets: code points take the shortest form.
pub(crate) const FIRST: [u32; 7] = [0, 0xA0, 0x400, 0x4000, 0x4_0000, 0x40_0000, 0x400_0000];

/// The lead octets with their bits of the code point zero, by the number of trailing octets; of one octet, there is no marker.
pub(crate) const LEADS: [u32; 7] =
    [0, 0b1100_0000, 0b1110_0000, 0b1111_0000, 0b1111_1000, 0b1111_1100, 0b1111_1110];
