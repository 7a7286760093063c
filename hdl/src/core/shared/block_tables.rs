//! The pairs of `gb18030` in half of the block RAM of a table with a word for each pair.
//!
//! Pairs with one lead that follow each other make a block of 32. Most leads have code points in ascending order, since the set leaves out those
//! that GB 2312 has in another order: in such a block, half a block is a base, and six bits for each pair that are added to it. The other
//! blocks are listed.
//!
//! ```text
//!  lead ──┐
//!  octet ─┴─> number of the block ─┬─> words of listed blocks ──────┬─> code point
//!                                  ├─> bases of other blocks ──> + ─┘
//!                                  └─> their offsets ──────────> ^
//! ```
//!
//! Every pair of a lead and a trailing octet has a code point. So there is no word without one.

use super::index_tables::{LEAD_BITS, PairTable, pair_address};
use super::memory_look_up::{TablePorts, read};
use crate::core::MultiOctet;
use crate::netlist::{Builder, Signal, Stage};

/// Bits of the place of a pair in its block, and in its half of that.
const PLACE_BITS: u32 = 5;
const HALF_BITS: u32 = 4;
/// Bits of the numbers of blocks that are listed, and of others.
const LISTED_BITS: u32 = 8;
const NUMBER_BITS: u32 = 9;
/// Bits of a word.
const WORD_BITS: u32 = 16;
const OFFSET_BITS: u32 = 6;

/// Stages from the octets of a pair to its code point.
pub(in crate::core) const LATENCY: u32 = 5;

/// The tables.
pub(in crate::core) struct BlockTables {
    /// The number of each block, and above it, whether the block is listed.
    numbers: Vec<u64>,
    listed: Vec<u64>,
    bases: Vec<u64>,
    offsets: Vec<u64>,
}

/// The octet after a lead, without the gap at 7F: trailing octets without a gap between them.
pub(in crate::core) fn place(octet: Signal<'_>) -> Signal<'_> {
    octet - octet.bit(7).zext(octet.width())
}

/// The base of half a block, and the offsets of its words, if they are as small; 0 is no word.
fn offsets(half: &[u64]) -> Option<(u64, Vec<u64>)> {
    let words = || half.iter().copied().filter(|&word| word > 0);
    let base = words().min().unwrap_or(0);
    let is_small = words().all(|word| word - base < 1 << OFFSET_BITS);
    is_small.then(|| (base, half.iter().map(|word| word.saturating_sub(base)).collect()))
}

impl BlockTables {
    /// Makes the tables of `gb18030`, which are those of `gbk`.
    pub(in crate::core) fn new() -> Self {
        let table = PairTable::of(MultiOctet::Gb18030);
        let word = |lead: u32, place: u32| match place {
            0x40..0x7f => table.word_at(pair_address(lead, place)),
            0x7f..0xfe => table.word_at(pair_address(lead, place + 1)),
            _ => 0,
        };
        let mut tables = Self {
            numbers: vec![0; 1 << (LEAD_BITS + 3)],
            listed: Vec::new(),
            bases: Vec::new(),
            offsets: Vec::new(),
        };
        for index in 0..tables.numbers.len() as u32 {
            let (lead, first) = (index >> 3, (index & 7) << PLACE_BITS);
            let words: Vec<u64> = (first..first + (1 << PLACE_BITS)).map(|place| word(lead, place)).collect();
            if words.iter().any(|&word| word > 0) {
                tables.numbers[index as usize] = tables.add(&words);
            }
        }
        tables
    }

    /// Adds a block; gives its number.
    fn add(&mut self, words: &[u64]) -> u64 {
        let halves: Option<Vec<_>> = words.chunks(1 << HALF_BITS).map(offsets).collect();
        let Some(halves) = halves else {
            let number = self.listed.len() >> PLACE_BITS;
            assert!(number < 1 << LISTED_BITS, "there are more listed blocks than numbers");
            self.listed.extend(words);
            return (number | 1 << NUMBER_BITS) as u64;
        };
        let number = self.offsets.len() >> PLACE_BITS;
        assert!(number < 1 << NUMBER_BITS, "there are more blocks than numbers");
        for (base, offsets) in halves {
            self.bases.push(base);
            self.offsets.extend(offsets);
        }
        number as u64
    }

    /// The code points of pairs, each a lead without its topmost bit and the [`place`] of the octet after it, in registers of stage `at`;
    /// in registers of a stage that is [`LATENCY`] later. The pairs read the same tables: at most two.
    pub(in crate::core) fn words<'m>(
        &self,
        m: &'m Builder,
        pairs: &[[Signal<'m>; 2]],
        at: u32,
        stage: Stage<'m>,
    ) -> Vec<Signal<'m>> {
        let ports = TablePorts { count: pairs.len(), stage, at };

        m.stage_section(at, "the block of the pair");
        let blocks = ports.all(|port| {
            let [lead, place] = pairs[port];
            m.concat([lead, place.bits(PLACE_BITS..8)]).named(&ports.name("block_address", port))
        });
        let blocks =
            read(m, "block", &blocks, &self.numbers, NUMBER_BITS + 1, [ports.next(1), ports.next(2)]);
        let places = ports.all(|port| pairs[port][1].bits(0..PLACE_BITS));
        let places = ports.delayed("place_2", 2, &ports.delayed("place_1", 1, &places));

        m.stage_section(at + 2, "the word of a listed block, the base and the offset of another");
        let addresses = |what: &str, bits: u32, low: u32| {
            ports.all(|port| {
                let parts = [blocks[port].bits(0..bits), places[port].bits(low..PLACE_BITS)];
                m.concat(parts).named(&ports.name(what, port))
            })
        };
        let of_read = [ports.next(3), ports.next(4)];
        let listed = addresses("listed_address", LISTED_BITS, 0);
        let listed = read(m, "listed", &listed, &self.listed, WORD_BITS, of_read);
        let bases = addresses("base_address", NUMBER_BITS, HALF_BITS);
        let bases = read(m, "base", &bases, &self.bases, WORD_BITS, of_read);
        let offsets = addresses("offset_address", NUMBER_BITS, 0);
        let offsets = read(m, "offset_of_pair", &offsets, &self.offsets, OFFSET_BITS, of_read);
        let is_listed = ports.all(|port| blocks[port].bit(NUMBER_BITS));
        let is_listed = ports.delayed("is_listed_2", 4, &ports.delayed("is_listed_1", 3, &is_listed));

        m.stage_section(at + 4, "the code point of the pair");
        let words = ports.all(|port| {
            let sum =
                (bases[port] + offsets[port].zext(WORD_BITS)).named(&ports.name("base_and_offset", port));
            is_listed[port].mux(listed[port], sum)
        });
        ports.delayed("word", 5, &words)
    }
}
