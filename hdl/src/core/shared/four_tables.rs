//! The code points of four octets of `gb18030` in the Basic Multilingual Plane.
//!
//! The pointer of four octets is their place among all such. In a range of pointers, a code point is the sum of the pointer and a number that
//! all of the range have. A block of 16 pointers has that number in a table; where a range ends inside, the block is listed in a second table.

use super::index_tables::{code_point_of, ranges};
use super::memory_look_up::{TablePorts, read};
use crate::netlist::{Builder, Signal, Stage};

/// Bits of the place of a pointer in its block.
const PLACE_BITS: u32 = 4;
/// Bits of the number of a listed block.
const LISTED_BITS: u32 = 7;
/// Bits of a word, and of a pointer.
pub(in crate::core) const POINTER_BITS: u32 = 16;
/// The number of pointers.
const POINTERS: u32 = 39420;

/// Stages from a pointer to its code point.
pub(in crate::core) const LATENCY: u32 = 5;

/// The tables.
pub(in crate::core) struct FourTables {
    /// For each block: the difference of code points and pointers, of which none is below 128, or the number of a listed block.
    differences: Vec<u64>,
    listed: Vec<u64>,
}

impl FourTables {
    pub(in crate::core) fn new() -> Self {
        let ranges = ranges();
        let (mut differences, mut listed) = (Vec::new(), Vec::new());
        for first in (0..POINTERS).step_by(1 << PLACE_BITS) {
            let pointers = first..(first + (1 << PLACE_BITS)).min(POINTERS);
            let code_points: Vec<u64> =
                pointers.clone().map(|pointer| code_point_of(&ranges, pointer)).collect();
            let difference = code_points[0] - u64::from(first);
            let is_one =
                pointers.zip(&code_points).all(|(pointer, &code)| code == u64::from(pointer) + difference);
            differences.push(if is_one {
                assert!(difference >> LISTED_BITS > 0, "a difference is no number of a block");
                difference
            } else {
                let number = listed.len() as u64 >> PLACE_BITS;
                assert!(number < 1 << LISTED_BITS, "there are more listed blocks than numbers");
                listed.extend(code_points);
                listed.resize((number as usize + 1) << PLACE_BITS, 0);
                number
            });
        }
        Self { differences, listed }
    }

    /// The code points of pointers in registers of stage `at`, in registers of a stage that is [`LATENCY`] later. `others`: a code
    /// point of another plane, of stage `at` + 3, and whether it is that. All pointers, at most two, read the same tables.
    pub(in crate::core) fn code_points<'m>(
        &self,
        m: &'m Builder,
        pointers: &[Signal<'m>],
        others: &[[Signal<'m>; 2]],
        at: u32,
        stage: Stage<'m>,
    ) -> Vec<Signal<'m>> {
        let ports = TablePorts { count: pointers.len(), stage, at };

        m.stage_section(at, "four octets: the difference of pointer and code point");
        let blocks = ports.all(|port| {
            pointers[port].bits(PLACE_BITS..POINTER_BITS).named(&ports.name("block_of_pointer", port))
        });
        let differences =
            read(m, "difference", &blocks, &self.differences, POINTER_BITS, [ports.next(1), ports.next(2)]);
        let pointers = ports.delayed("pointer_2", 2, &ports.delayed("pointer_1", 1, pointers));

        m.stage_section(at + 2, "four octets: the code point of a listed block, or of another");
        let listed = ports.all(|port| {
            let parts = [differences[port].bits(0..LISTED_BITS), pointers[port].bits(0..PLACE_BITS)];
            m.concat(parts).named(&ports.name("listed_address_of_four", port))
        });
        let listed =
            read(m, "listed_four", &listed, &self.listed, POINTER_BITS, [ports.next(3), ports.next(4)]);
        let sums = ports.all(|port| pointers[port] + differences[port]);
        let sums = ports.delayed("of_range", 3, &sums);
        let is_listed = ports.all(|port| !differences[port].bits(LISTED_BITS..POINTER_BITS).any());
        let is_listed = ports.delayed("is_listed_four", 3, &is_listed);

        m.stage_section(at + 3, "four octets: the code point, if its block is not listed");
        let unlisted = ports.all(|port| {
            let [code_point, is_other] = others[port];
            is_other.mux(code_point, sums[port].zext(code_point.width()))
        });
        let unlisted = ports.delayed("unlisted", 4, &unlisted);
        let is_listed = ports.all(|port| is_listed[port] & !others[port][1]);
        let is_listed = ports.delayed("four_is_listed", 4, &is_listed);

        m.stage_section(at + 4, "four octets: the code point");
        let found =
            ports.all(|port| is_listed[port].mux(listed[port].zext(unlisted[port].width()), unlisted[port]));
        ports.delayed("code_point", 5, &found)
    }
}
