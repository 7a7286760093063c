//! `scsu`: octets of windows that move over the code points, and UTF-16, with tags that change between them.
//!
//! Unicode Technical Standard #6, *A Standard Compression Scheme for Unicode*.
//!
//! Tags that make no code point count to the sequence that follows them; at the end of a stream, they are part of none. An error has the
//! reserved octet and the tag that it belongs to. Errors change no more of the state than their tags do.

mod reader;
mod windows;
mod writer;

pub(crate) use reader::Scsu;
pub(crate) use writer::ScsuWriter;

/// The tags of single-byte mode, §5.1 and table 1. Those of windows are eight each.
mod single {
    pub(super) const QUOTE: u8 = 0x01;
    pub(super) const DEFINE_EXTENDED: u8 = 0x0B;
    pub(super) const RESERVED: u8 = 0x0C;
    pub(super) const QUOTE_UNICODE: u8 = 0x0E;
    pub(super) const CHANGE_TO_UNICODE: u8 = 0x0F;
    pub(super) const CHANGE: u8 = 0x10;
    pub(super) const DEFINE: u8 = 0x18;
}

/// The tags of Unicode mode, §5.2 and table 2.
mod unicode {
    pub(super) const CHANGE: u8 = 0xE0;
    pub(super) const DEFINE: u8 = 0xE8;
    pub(super) const QUOTE_UNICODE: u8 = 0xF0;
    pub(super) const DEFINE_EXTENDED: u8 = 0xF1;
    pub(super) const RESERVED: u8 = 0xF2;
}

/// Whether an octet of single-byte mode is the control character itself, and no tag.
fn is_plain_control(octet: u8) -> bool {
    matches!(octet, 0x00 | b'\t' | b'\n' | b'\r')
}
