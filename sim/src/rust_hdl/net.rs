//! Signals of run-time width, as rust-hdl's probes see them.

use rust_hdl_core::ast::VerilogLiteral;
use rust_hdl_core::atom::{Atom, AtomKind};
use rust_hdl_core::block::Block;
use rust_hdl_core::constraint::PinConstraint;
use rust_hdl_core::logic::Logic;
use rust_hdl_core::probe::Probe;
use rust_hdl_core::signal::get_signal_id;
use rust_hdl_core::synth::VCDValue;
use rust_hdl_core::type_descriptor::{TypeDescriptor, TypeKind};
use utfhdl_hdl::netlist::{self, Direction};

use super::words::{differ, words_of};

/// A signal of run-time width and its value, for the duration of a probe's visit.
pub(super) struct Net<'a> {
    pub kind: AtomKind,
    pub id: usize,
    /// Width in bits.
    pub width: u32,
    /// Value, least significant word first.
    pub value: &'a [u64],
    pub connected: bool,
    pub changed: bool,
}

impl Atom for Net<'_> {
    fn bits(&self) -> usize {
        self.width as usize
    }

    fn connected(&self) -> bool {
        self.connected
    }

    fn changed(&self) -> bool {
        self.changed
    }

    fn kind(&self) -> AtomKind {
        self.kind
    }

    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: format!("Bits::<{}>", self.width), kind: TypeKind::Bits(self.width as usize) }
    }

    fn vcd(&self) -> VCDValue {
        let bit = |index: u32| self.value[index as usize / 64] >> (index % 64) & 1 == 1;
        if self.width == 1 {
            return bit(0).into();
        }
        // rust-hdl does not export the crate with its type for a bit in a wave, so each bit is taken from a one-bit
        // value.
        let bits = (0..self.width).rev().map(|index| match bit(index).into() {
            VCDValue::Single(value) => value,
            _ => unreachable!("a bool is a single bit"),
        });
        VCDValue::Vector(bits.collect())
    }

    fn id(&self) -> usize {
        self.id
    }

    /// The lowest word only, since rust-hdl has no literal of run-time width. It is not used: rust-hdl writes only
    /// constants by value.
    fn verilog(&self) -> VerilogLiteral {
        self.value[0].into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}

/// A port of a [`NetlistBlock`](super::NetlistBlock): like rust-hdl's `Signal`, but with a width that is known only
/// at run time.
///
/// As with a `Signal`, a new value is seen after the next update of the block.
#[derive(Clone, Debug)]
pub struct Port {
    name: String,
    kind: AtomKind,
    id: usize,
    width: u32,
    next: Vec<u64>,
    value: Vec<u64>,
    /// Whether `next` has been set since the last update.
    is_set: bool,
    changed: bool,
    connected: bool,
}

impl Port {
    pub(super) fn new(port: &netlist::Port) -> Self {
        let kind = match port.direction {
            Direction::Input => AtomKind::InputParameter,
            Direction::Output => AtomKind::OutputParameter,
        };
        let zero = vec![0; words_of(port.width)];
        Self {
            name: port.name.clone(),
            kind,
            id: get_signal_id(),
            width: port.width,
            next: zero.clone(),
            value: zero,
            is_set: false,
            changed: false,
            connected: false,
        }
    }

    /// The port's name in Verilog.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value, least significant word first; bits past the width are zero.
    pub fn val(&self) -> &[u64] {
        &self.value
    }

    /// Sets the value that the port has from the next update on, least significant word first. On an output this has no
    /// effect.
    ///
    /// # Panics
    /// If the number of words of `value` is not that of the width, or a bit past the width is 1.
    pub fn set_next(&mut self, value: &[u64]) {
        self.is_set = true;
        self.next.copy_from_slice(value);
        let past = self.width % 64;
        let high = value[value.len() - 1];
        assert!(past == 0 || high >> past == 0, "{high:#x} does not fit port `{}`", self.name);
    }
}

impl Logic for Port {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.connected = true;
    }
}

impl Block for Port {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.changed = std::mem::take(&mut self.is_set) && differ(&self.value, &self.next);
        if self.changed {
            self.value.copy_from_slice(&self.next);
        }
    }

    fn has_changed(&self) -> bool {
        self.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        let net = Net {
            kind: self.kind,
            id: self.id,
            width: self.width,
            value: &self.value,
            connected: self.connected,
            changed: self.changed,
        };
        probe.visit_atom(name, &net);
    }
}
