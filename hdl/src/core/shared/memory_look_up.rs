//! Look-ups in tables of thousands of words, in three stages.
//!
//! ```text
//!  lower bits of the key ──> memories, each with a register ──> a register each ─┬─> register
//!  upper bits of the key ──> register ─────────────────────────> register ───────┘
//! ```
//!
//! The output of a block RAM comes late in a cycle: it can reach a register, and pass no logic before. So a table is cut into memories that
//! synthesis makes of block RAMs side by side, without a choice between them. In those of an ECP5, which hold 8192 pairs of bits, this is so
//! with an even number of bits, up to 16.

use std::collections::BTreeMap;

use crate::netlist::{Builder, Rom, Signal, Stage, rom_suffix};

/// The most bits of a word of a memory, and of its address.
const WORD_BITS: u32 = 16;
const ADDRESS_BITS: u32 = 13;

/// The fewest bits of the address of a memory: a block RAM of an ECP5 has 1024 words of 18 bits.
const FEWEST_ADDRESS_BITS: u32 = 10;

/// A word of a table, in registers.
#[derive(Clone, Copy)]
pub(in crate::core) struct Found<'m> {
    pub(in crate::core) word: Signal<'m>,
    /// The word is not 0.
    pub(in crate::core) is: Signal<'m>,
}

impl<'m> Found<'m> {
    /// `one` where `select` is 1, else `zero`, whose words have as many bits or more.
    pub(in crate::core) fn mux(select: Signal<'m>, one: Self, zero: Self) -> Self {
        let word = select.mux(one.word.zext(zero.word.width()), zero.word);
        Self { word: word.named("word"), is: select.mux(one.is, zero.is).named("is_word") }
    }
}

/// The word of a table at a key, in registers of the last of three stages; anything past the end. Registers are named after `table`.
pub(in crate::core) fn look_up<'m>(
    table: &str,
    key: Signal<'m>,
    words: &[u64],
    width: u32,
    stages: [Stage<'m>; 3],
) -> Found<'m> {
    let [read, moved, chosen] = stages;
    let delayed = |name: &str, signal: Signal<'m>| {
        let signal = read.data(&format!("{name}_read_reg"), signal);
        moved.data(&format!("{name}_moved_reg"), signal)
    };
    let parts = memories(words.len());
    let count = parts.len();
    let mut addresses = BTreeMap::new();
    let mut all: Option<Found> = None;
    for (index, (first, address_bits)) in parts.into_iter().enumerate().rev() {
        let words = &words[first..words.len().min(first + (1 << address_bits))];
        let name = if count == 1 { table.to_owned() } else { format!("{table}_{index}") };
        let address = *addresses.entry(address_bits).or_insert_with(|| {
            let address = if address_bits < key.width() { key.bits(0..address_bits) } else { key };
            address.or_named(&format!("{table}_address_of_{address_bits}_bits"))
        });
        let word = memory(read.builder(), &name, address, words, width, &delayed);
        let word = if word.is_constant() { word } else { word.or_named(&format!("{name}_word")) };
        let found = Found { word, is: word.any() };
        all = Some(match all {
            None => found,
            Some(others) => {
                // Memories are aligned to their size, the largest first.
                let upper = key.bits(address_bits..key.width());
                let is_here = delayed(&format!("is_in_{name}"), upper.is((first >> address_bits) as u64));
                Found { word: is_here.mux(word, others.word), is: is_here.mux(found.is, others.is) }
            }
        });
    }
    let Found { word, is } = all.expect("there are words");
    let word = chosen.data(&format!("{table}_reg"), word.or_named(&format!("{table}_chosen")));
    Found { word, is: chosen.data(&format!("is_{table}_reg"), is.or_named(&format!("is_{table}"))) }
}

/// The memories of a number of words: the first word of each, and the bits of its address.
fn memories(words: usize) -> Vec<(usize, u32)> {
    let mut memories = Vec::new();
    let mut first = 0;
    while first < words {
        let left = words - first;
        // All but the last are full: of others, synthesis makes fewer block RAMs, with a choice between them.
        let bits = left.ilog2().clamp(FEWEST_ADDRESS_BITS, ADDRESS_BITS);
        memories.push((first, bits));
        first += 1 << bits;
    }
    memories
}

/// The word of a memory, which is cut into slices of an even number of bits that vary, and single bits.
fn memory<'m>(
    m: &'m Builder,
    name: &str,
    address: Signal<'m>,
    words: &[u64],
    width: u32,
    delayed: &dyn Fn(&str, Signal<'m>) -> Signal<'m>,
) -> Signal<'m> {
    let (ever, always) = words.iter().fold((0, u64::MAX), |(or, and), word| (or | word, and & word));
    let varying = ever & !always;
    if varying == 0 {
        return m.lit(width, always);
    }
    let mut slices = Vec::new();
    for low in (0..width).step_by(WORD_BITS as usize) {
        let bits = WORD_BITS.min(width - low);
        let of_slice = varying >> low & ((1 << bits) - 1);
        let used = u64::BITS - of_slice.leading_zeros();
        match used > 1 && of_slice.count_ones() % 2 == 1 {
            true => slices.extend([(low, used - 1), (low + used - 1, 1)]),
            false => slices.push((low, used)),
        }
        slices.push((low + used, bits - used));
    }
    let slice = |(low, bits): (u32, u32)| {
        let mask = (1 << bits) - 1;
        if varying >> low & mask == 0 {
            return m.lit(bits, always >> low & mask);
        }
        let name = if low == 0 { name.to_owned() } else { format!("{name}_bit_{low}") };
        let words: Vec<u64> = words.iter().map(|word| word >> low & mask).collect();
        delayed(&name, address.lookup(&words, bits).named(&format!("{name}_found")))
    };
    m.concat(slices.into_iter().rev().filter(|&(_, bits)| bits > 0).map(slice))
}

/// The name of a signal of one of several ports: with the number of the port, if there are several.
pub(in crate::core) fn port_name(name: &str, port: usize, ports: usize) -> String {
    if ports > 1 { format!("{name}_of_{port}") } else { name.to_owned() }
}

/// The ports of tables that are read together, each with its own key, and the registers of their signals.
#[derive(Clone, Copy)]
pub(in crate::core) struct TablePorts<'m> {
    /// The number of ports.
    pub(in crate::core) count: usize,
    /// A stage of the pipeline.
    pub(in crate::core) stage: Stage<'m>,
    /// The number of the stage of the keys.
    pub(in crate::core) at: u32,
}

impl<'m> TablePorts<'m> {
    /// The stage `after` stages later than that of the keys.
    pub(in crate::core) fn next(self, after: u32) -> Stage<'m> {
        self.stage.at(self.at + after)
    }

    /// The name of a signal of a port.
    pub(in crate::core) fn name(self, name: &str, port: usize) -> String {
        port_name(name, port, self.count)
    }

    /// A signal for each port.
    pub(in crate::core) fn all(self, of: impl Fn(usize) -> Signal<'m>) -> Vec<Signal<'m>> {
        (0..self.count).map(of).collect()
    }

    /// The signal of a port in a register `after` stages later than the keys.
    pub(in crate::core) fn register(
        self,
        name: &str,
        after: u32,
        port: usize,
        signal: Signal<'m>,
    ) -> Signal<'m> {
        self.next(after).data(&format!("{}_reg", self.name(name, port)), signal)
    }

    /// The signals of the ports in registers `after` stages later than the keys.
    pub(in crate::core) fn delayed(self, name: &str, after: u32, signals: &[Signal<'m>]) -> Vec<Signal<'m>> {
        self.all(|port| self.register(name, after, port, signals[port]))
    }
}

/// The words of a table at several keys, each through a port of its own: at most two. Each is read into registers of the first of two stages, and moves
/// on to registers of the second, since the output of a block RAM comes late. Tables are as long as they can be with the bits of a key, at most.
pub(in crate::core) fn read<'m>(
    m: &'m Builder,
    name: &str,
    keys: &[Signal<'m>],
    words: &[u64],
    width: u32,
    [read, moved]: [Stage<'m>; 2],
) -> Vec<Signal<'m>> {
    let register = |(port, word): (usize, Signal<'m>)| {
        moved.data(&format!("{}_reg", port_name(name, port, keys.len())), word)
    };
    if let &[key] = keys {
        let found = key.lookup(words, width).named(&format!("{name}_found"));
        return vec![register((0, read.data(&format!("{name}_read_reg"), found)))];
    }
    let rom = Rom::new(words, width, keys.len());
    let summary = format!("{} words of {width} bits, read through {} ports.", words.len(), keys.len());
    let module = rom.module(m.below(format!("{name}_table"), summary));
    let table = m.instance(&format!("{name}_table"), &module).input("advance", read.enable);
    let word = |(port, &key): (usize, &Signal<'m>)| {
        let suffix = rom_suffix(port);
        table.input(&format!("address{suffix}"), key);
        let word = table.output(&format!("word{suffix}"));
        word.named(&format!("{}_read", port_name(name, port, keys.len())))
    };
    keys.iter().enumerate().map(word).enumerate().map(register).collect()
}
