//! Random input records.

use utfhdl_sim::Layout;

/// `cycles` input records. Ports are random, but often all zeros, all ones or unchanged, and reset is active in one
/// cycle of eight.
pub fn stimulus(layout: &Layout, reset_level: bool, cycles: usize, seed: u64) -> Vec<u64> {
    let mut random = SplitMix(seed);
    let mut records = vec![0; cycles * layout.input_words];
    let mut values: Vec<Vec<u64>> = layout.inputs.iter().map(|slot| vec![0; slot.words()]).collect();
    for record in records.chunks_exact_mut(layout.input_words.max(1)) {
        for (slot, value) in layout.inputs.iter().zip(&mut values) {
            match random.next() % 8 {
                _ if slot.name == "rst" || slot.name == "rst_n" => {
                    value[0] = u64::from(random.next().is_multiple_of(8) == reset_level);
                }
                0 | 1 => {}
                2 => value.fill(0),
                3 => value.fill(u64::MAX),
                _ => value.fill_with(|| random.next()),
            }
            if !slot.width.is_multiple_of(64) {
                *value.last_mut().expect("at least one word") &= u64::MAX >> (64 - slot.width % 64);
            }
            slot.write(record, value);
        }
    }
    records
}

/// The generator SplitMix64, by Steele, Lea and Flood: good enough to vary inputs, and the same on every platform.
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
