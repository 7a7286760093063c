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
    look_up_all(table, &[key], words, width, stages)[0]
}

/// The words of a table at several keys, each through a port of its own: at most two. See [`look_up`].
pub(in crate::core) fn look_up_all<'m>(
    table: &str,
    keys: &[Signal<'m>],
    words: &[u64],
    width: u32,
    [read, moved, chosen]: [Stage<'m>; 3],
) -> Vec<Found<'m>> {
    let ports = keys.len();
    let in_port = |name: &str, port: usize| port_name(name, port, ports);
    let memories_of = Memories { m: read.builder(), ports, stages: [read, moved] };
    let parts = memories(words.len());
    let count = parts.len();
    let mut addresses = BTreeMap::new();
    let mut all: Option<Vec<Found>> = None;
    for (index, (first, address_bits)) in parts.into_iter().enumerate().rev() {
        let words = &words[first..words.len().min(first + (1 << address_bits))];
        let name = if count == 1 { table.to_owned() } else { format!("{table}_{index}") };
        let addresses: &Vec<Signal> = addresses.entry(address_bits).or_insert_with(|| {
            let address = |(port, &key): (usize, &Signal<'m>)| {
                let address = if address_bits < key.width() { key.bits(0..address_bits) } else { key };
                address.or_named(&in_port(&format!("{table}_address_of_{address_bits}_bits"), port))
            };
            keys.iter().enumerate().map(address).collect()
        });
        let found = memories_of.words(&name, addresses, words, width).into_iter().enumerate();
        let found = found.map(|(port, word)| {
            let name = in_port(&format!("{name}_word"), port);
            let word = if word.is_constant() { word } else { word.or_named(&name) };
            Found { word, is: word.any() }
        });
        let found = found.collect::<Vec<_>>();
        all = Some(match all {
            None => found,
            Some(others) => {
                let choose = |(port, (found, others)): (usize, (Found<'m>, Found<'m>))| {
                    // Memories are aligned to their size, the largest first.
                    let upper = keys[port].bits(address_bits..keys[port].width());
                    let is_here = upper.is((first >> address_bits) as u64);
                    let is_here = memories_of.delayed(&in_port(&format!("is_in_{name}"), port), is_here);
                    Found { word: is_here.mux(found.word, others.word), is: is_here.mux(found.is, others.is) }
                };
                found.into_iter().zip(others).enumerate().map(choose).collect()
            }
        });
    }
    let found = all.expect("there are words").into_iter().enumerate();
    let register = |(port, Found { word, is }): (usize, Found<'m>)| {
        let [name, name_of_is] = [table.to_owned(), format!("is_{table}")].map(|name| in_port(&name, port));
        let word = word.or_named(&in_port(&format!("{table}_chosen"), port));
        let word = chosen.data(&format!("{name}_reg"), word);
        let is = is.or_named(&name_of_is);
        Found { word, is: chosen.data(&format!("{name_of_is}_reg"), is) }
    };
    found.map(register).collect()
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

/// The memories that a table is cut into.
struct Memories<'m> {
    m: &'m Builder,
    /// Ports that each is read through.
    ports: usize,
    /// The stages that words are read in, and move to.
    stages: [Stage<'m>; 2],
}

impl<'m> Memories<'m> {
    /// A signal in registers of both stages.
    fn delayed(&self, name: &str, signal: Signal<'m>) -> Signal<'m> {
        let [read, moved] = self.stages;
        let signal = read.data(&format!("{name}_read_reg"), signal);
        moved.data(&format!("{name}_moved_reg"), signal)
    }

    /// The words of a memory at the address of each port. It is cut into slices of an even number of bits that vary, and single bits.
    fn words(&self, name: &str, addresses: &[Signal<'m>], words: &[u64], width: u32) -> Vec<Signal<'m>> {
        let lit = |bits: u32, value: u64| vec![self.m.lit(bits, value); self.ports];
        let (ever, always) = words.iter().fold((0, u64::MAX), |(or, and), word| (or | word, and & word));
        let varying = ever & !always;
        if varying == 0 {
            return lit(width, always);
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
                return lit(bits, always >> low & mask);
            }
            let name = if low == 0 { name.to_owned() } else { format!("{name}_bit_{low}") };
            let words: Vec<u64> = words.iter().map(|word| word >> low & mask).collect();
            self.slice(&name, addresses, words, bits)
        };
        let slices: Vec<_> = slices.into_iter().rev().filter(|&(_, bits)| bits > 0).map(slice).collect();
        let of_port = |port: usize| self.m.concat(slices.iter().map(|slice| slice[port]));
        (0..self.ports).map(of_port).collect()
    }

    /// The words of a slice.
    fn slice(&self, name: &str, addresses: &[Signal<'m>], mut words: Vec<u64>, bits: u32) -> Vec<Signal<'m>> {
        if let &[address] = addresses {
            return vec![self.delayed(name, address.lookup(&words, bits).named(&format!("{name}_found")))];
        }
        words.resize(1 << addresses[0].width(), 0);
        let names = [name, &format!("{name}_moved")];
        read_ports(self.m, names, addresses, &words, bits, self.stages)
    }
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
    if let &[key] = keys {
        let found = key.lookup(words, width).named(&format!("{name}_found"));
        let found = read.data(&format!("{name}_read_reg"), found);
        return vec![moved.data(&format!("{name}_reg"), found)];
    }
    read_ports(m, [name, name], keys, words, width, [read, moved])
}

/// The words of a table with two ports: `names` are those of the table, and of the registers of the second stage.
fn read_ports<'m>(
    m: &'m Builder,
    [name, moved_name]: [&str; 2],
    keys: &[Signal<'m>],
    words: &[u64],
    width: u32,
    [read, moved]: [Stage<'m>; 2],
) -> Vec<Signal<'m>> {
    let register = |(port, word): (usize, Signal<'m>)| {
        moved.data(&format!("{}_reg", port_name(moved_name, port, keys.len())), word)
    };
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
