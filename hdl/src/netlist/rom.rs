//! Tables with ports to read: a module whose words never change.
//!
//! ```text
//!  address ──> words ──> register ──> word        the register loads in cycles in which `advance` is 1
//! ```
//!
//! A [look-up](Signal::lookup) with a register after it is a table with one port. Synthesis makes a block RAM of it, and another one of each
//! further look-up in the same table. Two ports of one block RAM take an array that two statements read.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Builder, Design, Memory, Module, RegisterRole};

/// A table in block RAM.
#[derive(Clone, Debug)]
pub struct Rom {
    /// The words; as many as addresses of their bits.
    pub words: Arc<[u64]>,
    /// Bits of a word.
    pub width: u32,
    /// Read ports. Names of those from the second one on end in their number.
    pub read_ports: usize,
}

/// The array that a module is.
#[derive(Clone, Debug)]
pub(super) enum Words {
    Written(Memory),
    Constant(Rom),
}

impl Design {
    /// The design with tables as cases in its Verilog, and not as arrays with initial contents.
    #[must_use]
    pub fn with_tables_in_logic(&self) -> Self {
        Self { top: in_logic(&self.top, &mut HashMap::new()), reset: self.reset }
    }
}

fn in_logic(module: &Arc<Module>, done: &mut HashMap<*const Module, Arc<Module>>) -> Arc<Module> {
    if let Some(known) = done.get(&Arc::as_ptr(module)) {
        return Arc::clone(known);
    }
    let mut new = Module::clone(module);
    new.memory = new.memory.filter(|memory| matches!(memory, Words::Written(_)));
    for instance in &mut new.instances {
        instance.module = in_logic(&instance.module, done);
    }
    let new = Arc::new(new);
    done.insert(Arc::as_ptr(module), Arc::clone(&new));
    new
}

/// The end of the names of a port.
pub(crate) fn suffix(port: usize) -> String {
    if port == 0 { String::new() } else { format!("_{port}") }
}

impl Rom {
    /// The table with zeros after `words`, up to a power of two of them.
    ///
    /// # Panics
    /// If a word does not fit in `width` bits, or there are not two words.
    pub fn new(words: &[u64], width: u32, read_ports: usize) -> Self {
        assert!(words.len() > 1, "a table of {} words: there can be 2 and more", words.len());
        let mut words = words.to_vec();
        words.resize(words.len().next_power_of_two(), 0);
        Self { words: words.into(), width, read_ports }
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> u32 {
        self.words.len().ilog2()
    }

    /// Makes the module in `m`, which has nothing yet: inputs `advance` and `address`, output `word`.
    pub fn module(self, m: Builder) -> Arc<Module> {
        let advance = m.input("advance", 1, "the words at the addresses are read");
        for port in 0..self.read_ports {
            let suffix = suffix(port);
            m.port_group(if port == 0 { "Read port".to_owned() } else { format!("Read port {port}") });
            let address = m.input(&format!("address{suffix}"), self.address_bits(), "the address of a word");
            let register = m.reg(&format!("word{suffix}_reg"), self.width).role(RegisterRole::Buffer);
            register.next_when(advance, address.lookup(&self.words, self.width));
            m.output(&format!("word{suffix}"), register.q, "that word, from the next cycle on");
        }
        let mut module = Arc::unwrap_or_clone(m.built());
        module.memory = Some(Words::Constant(self));
        Arc::new(module)
    }
}
