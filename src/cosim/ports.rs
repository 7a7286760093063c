//! Where the ports of a decoder stand in the records of an engine.

use utfhdl_hdl::core::Core;
use utfhdl_sim::{Layout, PortSlot};

use super::beat::{Beat, MOST_LANES};

/// Bits of a slot's `tdata` and `tuser`.
const SLOT_DATA_BITS: usize = 32;
const SLOT_USER_BITS: usize = 4;

/// The ports of a decoder, found once by name.
#[derive(Clone, Debug)]
pub struct DecoderPorts {
    /// Units and slots a beat.
    pub lanes: usize,
    unit_bits: usize,
    reset: PortSlot,
    reset_level: u64,
    s_tdata: PortSlot,
    s_tkeep: PortSlot,
    s_tvalid: PortSlot,
    s_tlast: PortSlot,
    s_tready: PortSlot,
    m_tdata: PortSlot,
    m_tkeep: PortSlot,
    m_tuser: PortSlot,
    m_tvalid: PortSlot,
    m_tlast: PortSlot,
    m_tready: PortSlot,
}

impl DecoderPorts {
    /// The ports of `core`.
    ///
    /// # Panics
    /// If it has no such ports: the names are a contract.
    pub fn new(core: &Core) -> Self {
        let layout = Layout::new(&core.design);
        let input = |name: &str| layout.input(name).unwrap_or_else(|| panic!("no input {name}")).clone();
        let output = |name: &str| layout.output(name).unwrap_or_else(|| panic!("no output {name}")).clone();
        Self {
            lanes: core.spec.lanes as usize,
            unit_bits: core.spec.system.unit_bits() as usize,
            reset: input(core.design.reset.port()),
            reset_level: u64::from(core.design.reset.active_level()),
            s_tdata: input("s_axis_tdata"),
            s_tkeep: input("s_axis_tkeep"),
            s_tvalid: input("s_axis_tvalid"),
            s_tlast: input("s_axis_tlast"),
            s_tready: output("s_axis_tready"),
            m_tdata: output("m_axis_tdata"),
            m_tkeep: output("m_axis_tkeep"),
            m_tuser: output("m_axis_tuser"),
            m_tvalid: output("m_axis_tvalid"),
            m_tlast: output("m_axis_tlast"),
            m_tready: input("m_axis_tready"),
        }
    }

    /// Puts the core into reset, or takes it out.
    pub fn set_reset(&self, inputs: &mut [u64], reset: bool) {
        self.reset.set(inputs, if reset { self.reset_level } else { 1 - self.reset_level });
    }

    /// Offers `beat`.
    pub fn offer(&self, inputs: &mut [u64], beat: &Beat) {
        let mut data = [0u64; MOST_LANES * 9 / 64 + 1];
        for (lane, &unit) in beat.units().iter().enumerate() {
            let at = lane * self.unit_bits;
            data[at / 64] |= u64::from(unit) << (at % 64);
            if at % 64 + self.unit_bits > 64 {
                data[at / 64 + 1] |= u64::from(unit) >> (64 - at % 64);
            }
        }
        self.s_tdata.write(inputs, &data[..self.s_tdata.words()]);
        self.s_tkeep.set(inputs, ones(beat.units().len()));
        self.s_tlast.set(inputs, beat.last.into());
        self.s_tvalid.set(inputs, 1);
    }

    /// Offers nothing, and leaves `noise` on the other wires: a core may not look at them.
    pub fn offer_nothing(&self, inputs: &mut [u64], noise: u64) {
        self.s_tdata.fill(inputs, noise);
        self.s_tkeep.fill(inputs, noise >> 8);
        self.s_tlast.set(inputs, noise >> 63);
        self.s_tvalid.set(inputs, 0);
    }

    /// The units offered, if there is a beat.
    pub fn offered_units(&self, inputs: &[u64]) -> Vec<u16> {
        if self.s_tvalid.get(inputs) == 0 {
            return Vec::new();
        }
        let mut data = vec![0; self.s_tdata.words() + 1];
        self.s_tdata.read(inputs, &mut data[..self.s_tdata.words()]);
        let unit = |lane: usize| {
            let at = lane * self.unit_bits;
            let (low, high) = (data[at / 64], data[at / 64 + 1]);
            ((u128::from(high) << 64 | u128::from(low)) >> (at % 64)) as u16 & ones(self.unit_bits) as u16
        };
        let keep = self.s_tkeep.get(inputs);
        self.lanes_in(keep).map(unit).collect()
    }

    /// Says whether an output beat is taken.
    pub fn take(&self, inputs: &mut [u64], ready: bool) {
        self.m_tready.set(inputs, ready.into());
    }

    /// Whether the core takes the beat it is offered.
    pub fn takes(&self, outputs: &[u64]) -> bool {
        self.s_tready.get(outputs) == 1
    }

    /// Whether the core offers a beat.
    pub fn offers(&self, outputs: &[u64]) -> bool {
        self.m_tvalid.get(outputs) == 1
    }

    /// Which lanes of the beat hold a slot.
    pub fn keep(&self, outputs: &[u64]) -> u64 {
        self.m_tkeep.get(outputs)
    }

    /// The lanes of a `tkeep`.
    pub fn lanes_in(&self, keep: u64) -> impl Iterator<Item = usize> + use<> {
        (0..self.lanes).filter(move |lane| keep >> lane & 1 == 1)
    }

    /// Whether the beat ends its frame.
    pub fn last(&self, outputs: &[u64]) -> bool {
        self.m_tlast.get(outputs) == 1
    }

    /// `tuser` and `tdata` of the slot in `lane`.
    pub fn slot(&self, outputs: &[u64], lane: usize) -> (u64, u64) {
        let user = field(&self.m_tuser, outputs, lane * SLOT_USER_BITS, SLOT_USER_BITS);
        (user, field(&self.m_tdata, outputs, lane * SLOT_DATA_BITS, SLOT_DATA_BITS))
    }

    /// The outputs that a handshake must hold while it waits, by name.
    pub fn held_while_waiting(&self) -> [&PortSlot; 5] {
        [&self.m_tvalid, &self.m_tdata, &self.m_tkeep, &self.m_tuser, &self.m_tlast]
    }
}

/// The lowest `count` bits set.
fn ones(count: usize) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (64 - count) }
}

/// Bits of a port that do not cross a word: the widths of slots divide 64.
fn field(port: &PortSlot, record: &[u64], low: usize, width: usize) -> u64 {
    let at = port.shift as usize + low;
    record[port.word + at / 64] >> (at % 64) & ones(width)
}
