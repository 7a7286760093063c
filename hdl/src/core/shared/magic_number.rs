//! The units that open a frame and are no text: the magic number of a document of Corrected UTF-8, and the byte order
//! mark of UTF-8.

use crate::netlist::{Builder, Signal};

/// The magic number: eight octets that are all different.
pub(in crate::core) const MAGIC: [u64; 8] = [0xef, 0xb7, 0x9d, 0xed, 0xb2, 0xae, 0x00, 0x0a];

/// The byte order mark of UTF-8: U+FEFF.
pub(in crate::core) const UTF_8_MARK: [u64; 3] = [0xef, 0xbb, 0xbf];

/// The index of a unit in the magic number with 8 added; 0 for all other units, and where none is `there`.
pub(in crate::core) fn magic_index<'m>(m: &'m Builder, unit: Signal<'m>, there: Signal<'m>) -> Signal<'m> {
    let arms = MAGIC.iter().zip(0..).map(|(&octet, index)| ([octet], m.lit(4, 8 | index)));
    let index = unit.case_of(arms, m.lit(4, 0)).named("octet_index");
    index.when(there).named("magic_index").note("8 + index of the octet in the magic number")
}
