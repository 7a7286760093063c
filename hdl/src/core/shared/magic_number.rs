//! The units that open a frame and are no text: the magic number of a document of Corrected UTF-8, and the byte order
//! mark of UTF-8.

use crate::netlist::{Builder, Signal};

/// The magic number: eight octets that are all different.
pub(in crate::core) const MAGIC: [u64; 8] = [0xef, 0xb7, 0x9d, 0xed, 0xb2, 0xae, 0x00, 0x0a];

/// The byte order mark of UTF-8: U+FEFF.
pub(in crate::core) const UTF_8_MARK: [u64; 3] = [0xef, 0xbb, 0xbf];

/// The index of a unit in the magic number with 8 added; 0 for all other units, and where none is `there`.
pub(in crate::core) fn magic_index<'m>(m: &'m Builder, unit: Signal<'m>, there: Signal<'m>) -> Signal<'m> {
    // A `case` on the octet became a chain of six LUTs.
    let is_octet = |(index, &octet): (usize, &u64)| {
        (unit.is(octet) & there).named(&format!("is_octet_{index}")).note("of the magic number")
    };
    let is: Vec<Signal> = MAGIC.iter().enumerate().map(is_octet).collect();
    let any = |known: &dyn Fn(usize) -> bool| {
        let of_these = (0..MAGIC.len()).filter(|&index| known(index)).map(|index| is[index]);
        of_these.reduce(|a, b| a | b).expect("an octet")
    };
    let bits = (0..MAGIC.len().ilog2()).rev().map(|bit| any(&|index| index >> bit & 1 == 1));
    m.concat([any(&|_| true)].into_iter().chain(bits))
        .named("magic_index")
        .note("8 + index of the octet in the magic number")
}
