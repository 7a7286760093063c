//! Whether a set of several octets has a code point, for the observer of its encoder.

use crate::core::MultiOctet;
use crate::core::lanes::At;
use crate::core::shared::code_points::{LAST_OF_UNICODE, past_last, surrogate};
use crate::core::shared::index_tables::Words;
use crate::core::shared::inverse_tables::{CODE_BITS, InverseTables};

/// Bits of a code point that is ASCII.
const ASCII_BITS: u32 = 7;

/// The code point of the Basic Multilingual Plane that `gb18030` does not have.
const NOT_IN_GB_18030: u64 = 0xe5e5;

/// Whether the set has the code point in `data`. The tables take five stages.
pub(super) fn is_in_set<'m>(set: MultiOctet, data: At<'m>) -> At<'m> {
    let code = data.bits(0..CODE_BITS);
    let too_wide = data.bits(CODE_BITS..data.width()).any();
    if set == MultiOctet::Gb18030 {
        let past = code.map(|code| past_last(code, LAST_OF_UNICODE.into()).expect("21 bits are more"));
        return !(too_wide | past | code.map(surrogate) | code.is(NOT_IN_GB_18030));
    }
    let m = data.builder();
    let registers = data.registers();
    let tables = InverseTables::new(set, Words::Presence);
    let pages = tables.pages(m, &[code.signal()], [1, 2].map(|stage| registers.at(stage)));
    let words = tables.words(&pages, [3, 4, 5].map(|stage| registers.at(stage)));
    let found = At::new(registers, words[0].is, 5);
    let is_ascii = !data.bits(ASCII_BITS..data.width()).any();
    let is_beyond = code.map(|code| tables.is_beyond(m, code)) | too_wide;
    let [is_ascii, is_beyond] =
        [(is_ascii, "is_ascii"), (is_beyond, "is_beyond")].map(|(is, name)| is.next(name));
    is_ascii | found & !is_beyond
}
