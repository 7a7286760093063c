//! Transcoders of `utf-8` to itself, held to Rust's standard library.

use utfhdl::promise::Item;

use super::hardware::Rig;

/// The octets at which something changes in Table 3-7 of the Unicode Standard, and some between them.
pub const TELLING_OCTETS: &[u8] =
    b"\0Az\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xf8\xff";

/// Ill-formed UTF-8 in, well-formed UTF-8 out, as `from_utf8_lossy` makes it, and the frame says whether anything was replaced.
#[track_caller]
pub fn assert_scrubs(rig: &mut Rig, text: &[u8]) {
    let items: Vec<Item> = text.iter().map(|&octet| Item::from(u16::from(octet))).collect();
    let frame = rig.frame(&items);
    let lossy = String::from_utf8_lossy(text);
    let expected: Vec<Item> = lossy.bytes().map(|octet| Item::from(u16::from(octet))).collect();
    assert_eq!(frame.items, expected, "{text:02x?}");
    assert_eq!(frame.amiss, std::str::from_utf8(text).is_err(), "{text:02x?}");
}
