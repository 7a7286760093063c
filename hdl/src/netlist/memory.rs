//! Memories: a module with ports to write and to read words.
//!
//! ```text
//!  write, write_address, write_data ──> words ──> read_data      while read_address is given: an asynchronous read,
//!                                                                or a cycle later: a registered read
//! ```
//!
//! To all that reads a netlist, engines, checkers and faults, a memory is logic: a register for each word, and multiplexers. Only the
//! emitter knows more. It writes an array without reset and with one process, from which synthesis infers a RAM; the array has the
//! behaviour of the logic. [`Memory::registers`] gives the logic to synthesis, too.

use std::sync::Arc;

use super::rom::Words;
use super::{Builder, Module, RegisterRole, Signal};

/// The data of a registered read of the word that is written at the same edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collision {
    /// The word before the edge.
    Old,
    /// The word after the edge.
    New,
    /// Anything: the module around the memory reads no such data. In simulation, it is the word before the edge.
    Undefined,
}

/// When the word at an address is on the output of a read port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    /// In the cycle of the address: distributed RAM.
    Asynchronous,
    /// In the next cycle: block RAM.
    Registered(Collision),
}

/// The shape of a memory with one write port, which writes at the clock's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    /// The number of words, a power of two from 2 on.
    pub words: u32,
    /// Bits of a word.
    pub width: u32,
    /// How words are read.
    pub read: Read,
    /// Read ports: 1 or 2. Ports of the second one end in `_1`.
    pub read_ports: u32,
}

impl Memory {
    /// A memory with one asynchronous read port.
    pub fn new(words: u32, width: u32) -> Self {
        Self { words, width, read: Read::Asynchronous, read_ports: 1 }
    }

    /// Bits of an address.
    pub fn address_bits(self) -> u32 {
        self.words.ilog2()
    }

    /// The memory as a module that synthesis maps to RAM: inputs `write`, `write_address`, `write_data` and `read_address`, output
    /// `read_data`.
    ///
    /// # Panics
    /// If there is no memory of the shape.
    pub fn module(self) -> Arc<Module> {
        let mut module = Arc::unwrap_or_clone(self.logic("memory"));
        module.memory = Some(Words::Written(self));
        Arc::new(module)
    }

    /// The module as registers and multiplexers in the Verilog, too, for a flow without RAM.
    ///
    /// # Panics
    /// If there is no memory of the shape.
    pub fn registers(self) -> Arc<Module> {
        self.logic("registers")
    }

    fn logic(self, kind: &str) -> Arc<Module> {
        let Self { words, width, read, read_ports } = self;
        assert!(
            words >= 2 && words.is_power_of_two(),
            "a memory of {words} words: it can be 2, 4, 8 and so on"
        );
        assert!((1..=2).contains(&read_ports), "a memory with {read_ports} read ports: it can be 1 or 2");
        let of_read = match read {
            Read::Asynchronous => "",
            Read::Registered(Collision::Old) => "_registered",
            Read::Registered(Collision::New) => "_transparent",
            Read::Registered(Collision::Undefined) => "_unchecked",
        };
        let ports = if read_ports == 2 { "_2r" } else { "" };
        let m = Builder::new(
            format!("{kind}_{words}x{width}{of_read}{ports}"),
            format!("{words} words of {width} bits. {}", read.says()),
        );
        m.port_group("Write port");
        let write = m.input("write", 1, "the word is written at the edge");
        let write_address = m.input("write_address", self.address_bits(), "the address of the word");
        let write_data = m.input("write_data", width, "the word");
        let word = |index: u32| {
            let word = m.reg(&format!("word_{index}_reg"), width).role(RegisterRole::Buffer);
            word.next_when(write & write_address.is(index.into()), write_data);
            word.q
        };
        let all: Vec<Signal> = (0..words).map(word).collect();
        for port in 0..read_ports {
            let suffix = if port == 0 { "" } else { "_1" };
            m.port_group(if port == 0 { "Read port" } else { "Second read port" });
            let address =
                m.input(&format!("read_address{suffix}"), self.address_bits(), "the address of a word");
            let register = |name: &str, next| {
                let next: Signal = next;
                let register = m.reg(&format!("{name}{suffix}_reg"), next.width()).role(RegisterRole::Buffer);
                register.next(next);
                register.q
            };
            let data = match read {
                Read::Asynchronous => select(address, &all),
                Read::Registered(Collision::New) => select(register("read_address", address), &all),
                Read::Registered(_) => register("read_data", select(address, &all)),
            };
            m.output(&format!("read_data{suffix}"), data, "that word");
        }
        m.built()
    }
}

impl Read {
    /// The sentence that the head of the module has.
    fn says(self) -> &'static str {
        match self {
            Self::Asynchronous => "A read gives a word in the cycle of its address.",
            Self::Registered(Collision::Old) => {
                "A read gives a word in the cycle after its address: as it was before a write at the same edge."
            }
            Self::Registered(Collision::New) => {
                "A read gives a word in the cycle after its address: as it is after a write at the same edge."
            }
            Self::Registered(Collision::Undefined) => {
                "A read gives a word in the cycle after its address. No word is read and written at the same edge."
            }
        }
    }
}

/// The word at `address`.
fn select<'m>(address: Signal<'m>, words: &[Signal<'m>]) -> Signal<'m> {
    let (&last, others) = words.split_last().expect("a memory has words");
    address.case_of((0..).zip(others).map(|(index, &word)| ([index], word)), last)
}
