//! Look-ups in tables of thousands of words, in three stages.
//!
//! ```text
//!  lower bits of the key ──> memories, each with a register ──> a register each ─┬─> register
//!  upper bits of the key ──> register ─────────────────────────> register ───────┘
//! ```
//!
//! The output of a block RAM comes late in a cycle: it can reach a register, and pass no logic before. So a table is cut into memories that
//! synthesis makes of block RAMs side by side, without a choice between them: in an ECP5, of 8192 words of 16 bits.

use crate::netlist::{Signal, Stage};

/// Bits of the words of a memory. What is above has memories of its own.
const MEMORY_WORD_BITS: u32 = 16;

/// Bits of the address of a memory, and of one of single bits.
const ADDRESS_BITS: u32 = 13;
const ADDRESS_BITS_OF_FLAGS: u32 = 14;

/// The word of a table at a key, in a register of the last of three stages; words past the end are 0. Registers are named after `name`.
pub(in crate::core) fn look_up<'m>(
    name: &str,
    key: Signal<'m>,
    words: &[u64],
    width: u32,
    [read, moved, chosen]: [Stage<'m>; 3],
) -> Signal<'m> {
    let m = read.builder();
    let address_bits = if width == 1 { ADDRESS_BITS_OF_FLAGS } else { ADDRESS_BITS }.min(key.width());
    let address = if address_bits < key.width() { key.bits(0..address_bits) } else { key };
    let upper = (address_bits < key.width()).then(|| {
        let upper = read.data(&format!("{name}_memory_read_reg"), key.bits(address_bits..key.width()));
        moved.data(&format!("{name}_memory_reg"), upper).note("the memory that has the word")
    });
    // From the high bits down.
    let mut slices: Vec<_> = (0..width)
        .step_by(MEMORY_WORD_BITS as usize)
        .map(|low| (low, MEMORY_WORD_BITS.min(width - low)))
        .collect();
    slices.reverse();
    let slices = slices.into_iter().map(|(low, bits)| {
        let slice = if low == 0 { name.to_owned() } else { format!("{name}_from_bit_{low}") };
        let of_memory = |(index, words): (usize, &[u64])| {
            let words: Vec<u64> = words.iter().map(|word| word >> low & ((1 << bits) - 1)).collect();
            let name = match upper {
                Some(_) => format!("{slice}_{index}"),
                None => slice.clone(),
            };
            words.iter().any(|&word| word > 0).then(|| {
                let found = address.lookup(&words, bits).named(&format!("{name}_found"));
                let found = read.data(&format!("{name}_read_reg"), found);
                (index as u64, moved.data(&format!("{name}_moved_reg"), found))
            })
        };
        let found: Vec<_> = words.chunks(1 << address_bits).enumerate().filter_map(of_memory).collect();
        match (upper, &found[..]) {
            (_, []) => m.lit(bits, 0),
            (None, &[(_, found)]) => found,
            (None, _) => unreachable!("keys without upper bits have one memory"),
            (Some(upper), found) => {
                // What no other memory has is in the first.
                let is_full = found.len() == 1 << upper.width();
                let (default, rest) =
                    if is_full { (found[0].1, &found[1..]) } else { (m.lit(bits, 0), found) };
                upper.case_of(rest.iter().map(|&(index, found)| ([index], found)), default)
            }
        }
    });
    let word = m.concat(slices.collect::<Vec<_>>()).or_named(&format!("{name}_chosen"));
    chosen.data(&format!("{name}_reg"), word)
}
