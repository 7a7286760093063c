//! How numbers and bytes stand in an FST file.

use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

/// How much work is put into compression, from 0 to 10. Level 3 takes twice as long as level 2, and saves a twelfth.
const LEVEL: u8 = 2;

/// The header of a gzip stream: its two bytes, deflate, no flags, no time, nothing special, an unknown system.
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Appends a number, seven bits a byte, least significant first; all bytes but the last have the top bit set.
#[inline]
pub(super) fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends a signed number, like [`varint`]; the second highest bit of the last byte is the sign.
pub(super) fn signed_varint(bytes: &mut Vec<u8>, mut value: i64) {
    while !(-64..64).contains(&value) {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8 & 0x7f);
}

/// Appends a text and a zero.
pub(super) fn c_string(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
}

/// The bytes as zlib compresses them, or as they are, where that is not shorter: a reader knows by the lengths.
pub(super) fn deflated_or_plain(bytes: &[u8]) -> Vec<u8> {
    let deflated = deflated(bytes);
    if deflated.len() < bytes.len() { deflated } else { bytes.to_vec() }
}

/// The bytes as zlib compresses them.
pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(bytes, LEVEL)
}

/// The bytes as gzip compresses them.
pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut stream = GZIP.to_vec();
    stream.extend(compress_to_vec(bytes, LEVEL));
    stream.extend(crc_32(bytes).to_le_bytes());
    stream.extend((bytes.len() as u32).to_le_bytes());
    stream
}

/// The checksum of gzip.
fn crc_32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ (0xedb8_8320 * (crc & 1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples are of the definition of LEB128 in the DWARF standard, and of the catalogue of CRCs.
    #[test]
    fn numbers_and_checksums_are_those_of_their_definitions() {
        let unsigned = |value| {
            let mut bytes = Vec::new();
            varint(&mut bytes, value);
            bytes
        };
        assert_eq!(
            [2, 127, 128, 129, 12857].map(unsigned),
            [vec![2], vec![127], vec![0x80, 1], vec![0x81, 1], vec![0xb9, 0x64]]
        );
        let signed = |value| {
            let mut bytes = Vec::new();
            signed_varint(&mut bytes, value);
            bytes
        };
        assert_eq!(
            [2, -2, 127, -127, 128, -128].map(signed),
            [vec![2], vec![0x7e], vec![0xff, 0], vec![0x81, 0x7f], vec![0x80, 1], vec![0x80, 0x7f]]
        );
        assert_eq!(crc_32(b"123456789"), 0xcbf4_3926);
    }
}
