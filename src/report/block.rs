//! The blocks that a report measures: cores and adapters.

use utfhdl_hdl::core::Core;
use utfhdl_hdl::core::adapters::Adapter;
use utfhdl_hdl::netlist::Design;

/// A core or an adapter, as a report sees it.
#[derive(Clone, Debug)]
pub enum Block {
    /// A core of a system.
    Core(Core),
    /// An adapter of a stream.
    Adapter(Adapter),
}

impl Block {
    /// The arguments of `generate`, without options that are as by default.
    pub fn in_short(&self) -> String {
        match self {
            Self::Core(core) => core.spec.in_short(),
            Self::Adapter(adapter) => adapter.spec.in_short(),
        }
    }

    /// The system, of a transcoder that of the input; empty for an adapter, which has none.
    pub fn system(&self) -> String {
        match self {
            Self::Core(core) => core.spec.system.to_string(),
            Self::Adapter(_) => String::new(),
        }
    }

    /// The role: `decoder`, or `adapter`.
    pub fn role(&self) -> String {
        match self {
            Self::Core(core) => core.spec.role.to_string(),
            Self::Adapter(_) => "adapter".to_owned(),
        }
    }

    /// Bits of a unit that comes in.
    pub fn unit_bits(&self) -> u32 {
        match self {
            Self::Core(core) => core.spec.system.port_bits(),
            Self::Adapter(adapter) => adapter.spec.unit_bits,
        }
    }

    /// Units or slots of the widest beat.
    pub fn lanes(&self) -> u32 {
        match self {
            Self::Core(core) => core.spec.lanes,
            Self::Adapter(Adapter { spec, .. }) => spec.lanes.max(spec.lanes_out()),
        }
    }

    /// The most units, or slots of an encoder, that are taken in a cycle in the long run. The narrower side of a converter limits it.
    pub fn units_per_cycle(&self) -> u32 {
        match self {
            Self::Core(core) => core.spec.lanes,
            Self::Adapter(Adapter { spec, .. }) => spec.lanes.min(spec.lanes_out()),
        }
    }

    /// Cycles.
    pub fn latency(&self) -> u32 {
        match self {
            Self::Core(core) => core.latency,
            Self::Adapter(adapter) => adapter.latency,
        }
    }

    /// The netlist.
    pub fn design(&self) -> &Design {
        match self {
            Self::Core(core) => &core.design,
            Self::Adapter(adapter) => &adapter.design,
        }
    }

    /// The Verilog.
    pub fn verilog(&self) -> String {
        match self {
            Self::Core(core) => core.verilog(),
            Self::Adapter(adapter) => adapter.verilog(),
        }
    }
}

impl From<Core> for Block {
    fn from(core: Core) -> Self {
        Self::Core(core)
    }
}

impl From<Adapter> for Block {
    fn from(adapter: Adapter) -> Self {
        Self::Adapter(adapter)
    }
}
