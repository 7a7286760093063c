//! How the ports of a design are packed into the words of a cycle's record.

use utfhdl_hdl::netlist::Design;

/// The position of a port in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortSlot {
    /// Name, as in Verilog.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// First word.
    pub word: usize,
    /// Lowest bit in that word; 0 for ports wider than a word.
    pub shift: u32,
}

impl PortSlot {
    /// Number of words that the port takes a part of.
    pub fn words(&self) -> usize {
        self.width.div_ceil(64) as usize
    }

    /// Value of a port of at most 64 bits.
    ///
    /// # Panics
    /// If it is wider.
    #[inline]
    pub fn get(&self, record: &[u64]) -> u64 {
        assert!(self.width <= 64, "port `{}` has {} bits", self.name, self.width);
        record[self.word] >> self.shift & u64::MAX >> (64 - self.width)
    }

    /// Sets a port of at most 64 bits.
    ///
    /// # Panics
    /// If it is wider. In debug builds also if `value` has bits past the width.
    #[inline]
    pub fn set(&self, record: &mut [u64], value: u64) {
        assert!(self.width <= 64, "port `{}` has {} bits", self.name, self.width);
        let mask = u64::MAX >> (64 - self.width);
        debug_assert!(value & !mask == 0, "{value:#x} does not fit port `{}`", self.name);
        let word = &mut record[self.word];
        *word = *word & !(mask << self.shift) | (value & mask) << self.shift;
    }

    /// Value of a port of any width, least significant word first, copied into `value`.
    pub fn read(&self, record: &[u64], value: &mut [u64]) {
        if self.width <= 64 {
            value[0] = self.get(record);
        } else {
            value.copy_from_slice(&record[self.word..self.word + self.words()]);
        }
    }

    /// Value of a port of any width, least significant word first.
    pub fn value(&self, record: &[u64]) -> Vec<u64> {
        let mut value = vec![0; self.words()];
        self.read(record, &mut value);
        value
    }

    /// Whether the port has the same value in both records.
    #[inline]
    pub fn is_same(&self, record: &[u64], other: &[u64]) -> bool {
        if self.width <= 64 {
            return self.get(record) == self.get(other);
        }
        let words = self.word..self.word + self.words();
        record[words.clone()] == other[words]
    }

    /// Sets a port of any width to `pattern`, over and over, up to its width.
    pub fn fill(&self, record: &mut [u64], pattern: u64) {
        let last = u64::MAX >> (self.words() as u32 * 64 - self.width);
        if self.width <= 64 {
            return self.set(record, pattern & last);
        }
        let words = &mut record[self.word..self.word + self.words()];
        words.fill(pattern);
        *words.last_mut().expect("more than one word") &= last;
    }

    /// Sets a port of any width, least significant word first.
    pub fn write(&self, record: &mut [u64], value: &[u64]) {
        if self.width <= 64 {
            self.set(record, value[0]);
        } else {
            record[self.word..self.word + self.words()].copy_from_slice(value);
        }
    }
}

/// The records of a design: inputs (reset first, if any; the clock is implied) and outputs, each in the order of
/// declaration. A port of at most 64 bits lies within one word, which it may share; a wider port begins at bit 0
/// of a word and shares no word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Input ports.
    pub inputs: Vec<PortSlot>,
    /// Output ports.
    pub outputs: Vec<PortSlot>,
    /// Words of an input record.
    pub input_words: usize,
    /// Words of an output record.
    pub output_words: usize,
}

impl Layout {
    /// The layout of `design`'s records.
    pub fn new(design: &Design) -> Self {
        let top = &design.top;
        let reset = top.has_reset().then(|| (design.reset.port().to_owned(), 1));
        let inputs = top.inputs().map(|port| (port.name.clone(), port.width));
        let (inputs, input_words) = pack(reset.into_iter().chain(inputs));
        let (outputs, output_words) = pack(top.outputs().map(|port| (port.name.clone(), port.width)));
        Self { inputs, outputs, input_words, output_words }
    }

    /// Words of an input record, and of an output record.
    pub fn words(&self) -> (usize, usize) {
        (self.input_words, self.output_words)
    }

    /// The bits of a record of inputs, those of the first port first, the lowest bit of each first.
    pub fn input_bits(&self, record: &[u64]) -> Vec<bool> {
        let mut bits = Vec::new();
        for port in &self.inputs {
            let value = port.value(record);
            bits.extend((0..port.width as usize).map(|bit| value[bit / 64] >> (bit % 64) & 1 == 1));
        }
        bits
    }

    /// The reset, if `design` has one, and the other inputs.
    pub fn split_reset(&self, design: &Design) -> (Option<&PortSlot>, &[PortSlot]) {
        match self.inputs.split_first() {
            Some((reset, inputs)) if design.top.has_reset() => (Some(reset), inputs),
            _ => (None, &self.inputs),
        }
    }

    /// An input port by name.
    pub fn input(&self, name: &str) -> Option<&PortSlot> {
        self.inputs.iter().find(|slot| slot.name == name)
    }

    /// An output port by name.
    pub fn output(&self, name: &str) -> Option<&PortSlot> {
        self.outputs.iter().find(|slot| slot.name == name)
    }

    /// Number of records in `inputs` and in `outputs`.
    ///
    /// # Panics
    /// If they do not hold the same whole number.
    pub fn cycles(&self, inputs: &[u64], outputs: &[u64]) -> usize {
        let cycles = match (self.input_words, self.output_words) {
            (input_words @ 1.., _) => inputs.len() / input_words,
            (0, output_words) => outputs.len() / output_words.max(1),
        };
        assert_eq!(inputs.len(), cycles * self.input_words, "words of {cycles} input records");
        assert_eq!(outputs.len(), cycles * self.output_words, "words of {cycles} output records");
        cycles
    }
}

fn pack(ports: impl Iterator<Item = (String, u32)>) -> (Vec<PortSlot>, usize) {
    let (mut slots, mut word, mut used) = (Vec::new(), 0, 0);
    for (name, width) in ports {
        if used > 0 && used + width > 64 {
            (word, used) = (word + 1, 0);
        }
        slots.push(PortSlot { name, width, word, shift: used });
        used += width;
        if used >= 64 {
            (word, used) = (word + used.div_ceil(64) as usize, 0);
        }
    }
    (slots, word + usize::from(used > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_ports_share_words_and_wide_ones_stand_alone() {
        let ports = [("a", 1), ("b", 60), ("c", 4), ("d", 65), ("e", 64), ("f", 2)];
        let (slots, words) = pack(ports.into_iter().map(|(name, width)| (name.to_owned(), width)));
        let places: Vec<_> = slots.iter().map(|slot| (slot.word, slot.shift)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (1, 0), (2, 0), (4, 0), (5, 0)]);
        assert_eq!(words, 6);
    }

    #[test]
    fn what_is_set_is_read_back_and_neighbours_stay() {
        let (slots, words) =
            pack([("a", 3), ("b", 61), ("c", 64)].map(|(n, w)| (n.to_owned(), w)).into_iter());
        let mut record = vec![0; words];
        slots[1].set(&mut record, 0x1fff_ffff_ffff_ffff);
        slots[0].set(&mut record, 5);
        slots[2].set(&mut record, u64::MAX);
        assert_eq!(slots.iter().map(|s| s.get(&record)).collect::<Vec<_>>(), [5, (1 << 61) - 1, u64::MAX]);
    }

    #[test]
    fn a_pattern_fills_a_port_up_to_its_width() {
        let (slots, words) = pack([("a", 3), ("b", 70)].map(|(n, w)| (n.to_owned(), w)).into_iter());
        let (mut record, empty) = (vec![0; words], vec![0; words]);
        slots[0].fill(&mut record, 0xfd);
        assert!(slots[1].is_same(&record, &empty) && !slots[0].is_same(&record, &empty));
        slots[1].fill(&mut record, u64::MAX);
        assert_eq!((slots[0].value(&record), slots[1].value(&record)), (vec![5], vec![u64::MAX, 0x3f]));
        assert!(!slots[1].is_same(&record, &empty));
    }
}
