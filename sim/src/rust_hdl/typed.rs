//! Connects ports of run-time width to signals whose widths are types, for [`netlist_block!`](crate::netlist_block).

use std::fmt;

use rust_hdl_core::bits::Bits;
use rust_hdl_core::block::Block;
use rust_hdl_core::clock::Clock;
use rust_hdl_core::direction::{In, Out};
use rust_hdl_core::logic::Logic;
use rust_hdl_core::signal::Signal;

use super::NetlistBlock;

/// Direction and width of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortKind {
    /// The clock.
    Clock,
    /// An input or the reset, with its width in bits.
    Input(u32),
    /// An output, with its width in bits.
    Output(u32),
}

impl fmt::Display for PortKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, width) = match self {
            Self::Clock => return f.write_str("the clock"),
            Self::Input(width) => ("input", *width),
            Self::Output(width) => ("output", *width),
        };
        write!(f, "an {what} of {width} bit{}", if width == 1 { "" } else { "s" })
    }
}

/// The declared signals are not the ports of the netlist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PortError {
    /// There is no port for a signal.
    #[error("module `{module}` has no port `{port}`")]
    Unknown {
        /// The module.
        module: String,
        /// The signal.
        port: String,
    },
    /// There is no signal for a port.
    #[error("no signal is declared for port `{port}` of module `{module}`")]
    Undeclared {
        /// The module.
        module: String,
        /// The port.
        port: String,
    },
    /// A signal has another direction or width than the port.
    #[error("port `{port}` of module `{module}` is {found}, but declared as {declared}")]
    Differs {
        /// The module.
        module: String,
        /// The port.
        port: String,
        /// The port in the netlist.
        found: PortKind,
        /// The port as it is declared.
        declared: PortKind,
    },
}

/// The port of a [`NetlistBlock`] that a signal is connected to.
#[derive(Clone, Copy, Debug)]
enum PortIndex {
    Clock,
    Reset,
    Input(usize),
    Output(usize),
}

/// A netlist with its ports in the order in which signals for them were declared.
#[derive(Debug)]
pub struct Adapter {
    block: NetlistBlock,
    ports: Vec<PortIndex>,
}

impl Adapter {
    /// An adapter for signals with these names and kinds.
    ///
    /// # Errors
    /// If they are not those of the ports of `block`.
    pub fn new(block: NetlistBlock, declared: &[(&str, PortKind)]) -> Result<Self, PortError> {
        let ports = ports(&block);
        let module = || block.name().to_owned();
        let mut chosen = Vec::new();
        for &(name, kind) in declared {
            let Some((_, found, index)) = ports.iter().find(|(port, ..)| port == name) else {
                return Err(PortError::Unknown { module: module(), port: name.to_owned() });
            };
            if *found != kind {
                let port = name.to_owned();
                return Err(PortError::Differs { module: module(), port, found: *found, declared: kind });
            }
            chosen.push(*index);
        }
        match ports.iter().find(|(port, ..)| declared.iter().all(|(name, _)| port != name)) {
            Some((port, ..)) => Err(PortError::Undeclared { module: module(), port: port.clone() }),
            None => Ok(Self { block, ports: chosen }),
        }
    }

    /// The netlist.
    pub fn block(&self) -> &NetlistBlock {
        &self.block
    }

    /// Updates the netlist.
    pub fn update(&mut self) {
        self.block.update_all();
    }

    fn drive(&mut self, index: usize, value: &[u64]) {
        match self.ports[index] {
            PortIndex::Clock => self.block.clk.next = Clock { clk: value[0] == 1 },
            PortIndex::Reset => self.block.rst.next = value[0] == 1,
            PortIndex::Input(port) => self.block.inputs[port].set_next(value),
            PortIndex::Output(port) => unreachable!("output {port} is not driven from outside"),
        }
    }

    fn sample(&self, index: usize) -> &[u64] {
        match self.ports[index] {
            PortIndex::Output(port) => self.block.outputs[port].val(),
            port => unreachable!("{port:?} is an input"),
        }
    }
}

/// All ports: name, kind, and which of the block's it is.
fn ports(block: &NetlistBlock) -> Vec<(String, PortKind, PortIndex)> {
    let clock = block.has_clock().then(|| ("clk".to_owned(), PortKind::Clock, PortIndex::Clock));
    let reset = block.reset_port().map(|name| (name.to_owned(), PortKind::Input(1), PortIndex::Reset));
    let inputs = block.inputs.iter().enumerate();
    let inputs = inputs.map(|(i, p)| (p.name().to_owned(), PortKind::Input(p.width()), PortIndex::Input(i)));
    let outputs = block.outputs.iter().enumerate();
    let outputs =
        outputs.map(|(i, p)| (p.name().to_owned(), PortKind::Output(p.width()), PortIndex::Output(i)));
    clock.into_iter().chain(reset).chain(inputs).chain(outputs).collect()
}

/// A signal that can be connected to a port of a netlist.
pub trait TypedPort {
    /// The kind of port that it fits.
    const KIND: PortKind;

    /// Gives port `index` its value if that is an input.
    fn drive(&self, _adapter: &mut Adapter, _index: usize) {}

    /// Takes the value of port `index` if that is an output.
    fn sample(&mut self, _adapter: &Adapter, _index: usize) {}

    /// Tells rust-hdl's checks that the netlist drives it, if it is an output.
    fn connect_output(&mut self) {}
}

impl TypedPort for Signal<In, Clock> {
    const KIND: PortKind = PortKind::Clock;

    fn drive(&self, adapter: &mut Adapter, index: usize) {
        adapter.drive(index, &[self.val().clk.into()]);
    }
}

impl TypedPort for Signal<In, bool> {
    const KIND: PortKind = PortKind::Input(1);

    fn drive(&self, adapter: &mut Adapter, index: usize) {
        adapter.drive(index, &[self.val().into()]);
    }
}

impl TypedPort for Signal<Out, bool> {
    const KIND: PortKind = PortKind::Output(1);

    fn sample(&mut self, adapter: &Adapter, index: usize) {
        self.next = adapter.sample(index)[0] == 1;
    }

    fn connect_output(&mut self) {
        self.connect();
    }
}

impl<const N: usize> TypedPort for Signal<In, Bits<N>> {
    const KIND: PortKind = PortKind::Input(N as u32);

    fn drive(&self, adapter: &mut Adapter, index: usize) {
        let value = self.val();
        if N <= 64 {
            return adapter.drive(index, &[value.into()]);
        }
        let mut words = vec![0; N.div_ceil(64)];
        (0..N).for_each(|bit| words[bit / 64] |= u64::from(value.get_bit(bit)) << (bit % 64));
        adapter.drive(index, &words);
    }
}

impl<const N: usize> TypedPort for Signal<Out, Bits<N>> {
    const KIND: PortKind = PortKind::Output(N as u32);

    fn sample(&mut self, adapter: &Adapter, index: usize) {
        let words = adapter.sample(index);
        self.next = match N {
            0..=64 => words[0].into(),
            _ => Bits::Long(std::array::from_fn(|bit| words[bit / 64] >> (bit % 64) & 1 == 1).into()),
        };
    }

    fn connect_output(&mut self) {
        self.connect();
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};

    use super::*;

    fn block() -> NetlistBlock {
        let m = Builder::new("register", "Holds.");
        let held = m.reg("held", 8).reset(0);
        held.next(m.input("d", 8, ""));
        m.output("q", held.q, "");
        NetlistBlock::new(&Design { top: m.built(), reset: ResetStyle::SyncLow }, "")
    }

    fn error(declared: &[(&str, PortKind)]) -> String {
        Adapter::new(block(), declared).expect_err("they are not its ports").to_string()
    }

    #[test]
    fn signals_must_be_the_ports() {
        use PortKind::{Clock, Input, Output};
        let all = [("q", Output(8)), ("d", Input(8)), ("rst_n", Input(1)), ("clk", Clock)];
        assert!(Adapter::new(block(), &all).is_ok());
        assert_eq!(error(&all[1..]), "no signal is declared for port `q` of module `register`");
        assert_eq!(error(&[("rst", Input(1))]), "module `register` has no port `rst`");
        assert_eq!(
            error(&[("d", Input(9))]),
            "port `d` of module `register` is an input of 8 bits, but declared as an input of 9 bits"
        );
        assert_eq!(
            error(&[("clk", Input(1))]),
            "port `clk` of module `register` is the clock, but declared as an input of 1 bit"
        );
    }

    #[test]
    fn wide_values_keep_every_bit() {
        let m = Builder::new("inverter", "Inverts.");
        let a = m.input("a", 100, "");
        m.output("b", !a, "");
        let block = NetlistBlock::new(&Design { top: m.built(), reset: ResetStyle::default() }, "");
        let declared = [("a", Signal::<In, Bits<100>>::KIND), ("b", Signal::<Out, Bits<100>>::KIND)];
        let mut adapter = Adapter::new(block, &declared).expect("its ports");
        let mut a: Signal<In, Bits<100>> = Signal::default();
        a.next = Bits::from(0x0123_4567_89ab_cdef) << Bits::<6>::from(36);
        a.update_all();
        a.drive(&mut adapter, 0);
        (0..3).for_each(|_| adapter.update());
        assert_eq!(adapter.block().inputs[0].val(), [0x9abc_def0_0000_0000, 0x1234_5678]);
        let mut b: Signal<Out, Bits<100>> = Signal::default();
        b.sample(&adapter, 1);
        assert_eq!(b.val(), !a.val());
    }
}
