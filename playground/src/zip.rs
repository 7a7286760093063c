//! ZIP archives (PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16) of files that fit into 32 bits.

use miniz_oxide::deflate::compress_to_vec;

/// The version that can read compressed files, times ten.
const VERSION: u16 = 20;
/// Names are in UTF-8.
const UTF_8: u16 = 1 << 11;
const DEFLATE: u16 = 8;
/// The first of January 1980: the same files make the same archive.
const DATE: u16 = 1 << 5 | 1;
const LEVEL: u8 = 6;

/// An archive of these files, each with its path.
pub fn zip(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let (mut archive, mut directory, mut count) = (Vec::new(), Vec::new(), 0_u16);
    for (path, bytes) in files {
        let packed = compress_to_vec(&bytes, LEVEL);
        let start = archive.len() as u32;
        let mut entry = Vec::new();
        for field in [VERSION, UTF_8, DEFLATE, 0, DATE] {
            entry.extend_from_slice(&field.to_le_bytes());
        }
        for field in [crc_32(&bytes), packed.len() as u32, bytes.len() as u32] {
            entry.extend_from_slice(&field.to_le_bytes());
        }
        entry.extend_from_slice(&(path.len() as u16).to_le_bytes());
        entry.extend_from_slice(&[0; 2]);
        archive.extend_from_slice(b"PK\x03\x04");
        archive.extend_from_slice(&entry);
        archive.extend_from_slice(path.as_bytes());
        archive.extend_from_slice(&packed);
        directory.extend_from_slice(b"PK\x01\x02");
        directory.extend_from_slice(&VERSION.to_le_bytes());
        directory.extend_from_slice(&entry);
        // No comment, the first disk, no attributes.
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&start.to_le_bytes());
        directory.extend_from_slice(path.as_bytes());
        count += 1;
    }
    let (start, length) = (archive.len() as u32, directory.len() as u32);
    archive.extend_from_slice(&directory);
    archive.extend_from_slice(b"PK\x05\x06");
    archive.extend_from_slice(&[0; 4]);
    archive.extend_from_slice(&count.to_le_bytes());
    archive.extend_from_slice(&count.to_le_bytes());
    archive.extend_from_slice(&length.to_le_bytes());
    archive.extend_from_slice(&start.to_le_bytes());
    archive.extend_from_slice(&[0; 2]);
    archive
}

/// The checksum of ISO/HDLC, which ZIP uses.
fn crc_32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}
