//! Files that go with a core into other people's flows: a test bench, a package for build tools, constraints, and declarations
//! of the core in other languages.
//!
//! | file | what it is |
//! | --- | --- |
//! | `frames` | frames for the benches: what goes in, and what the software reference makes of it |
//! | `port_list` | the ports of a core with clock and reset, as all the others list them |
//! | `manifest`, `adapter_manifest` | the description of the core, or of an adapter, for tools |
//! | `register_map` | the registers of a core, for C and as SystemRDL |
//! | `testbench`, `cocotb` | benches that check themselves |
//! | `verification` | assertions, and the files of SymbiYosys |
//! | `fusesoc`, `bender` | packages |
//! | `constraints` | clocks |
//! | `vivado`, `quartus` | scripts for the tools of AMD and Intel |
//! | `vhdl`, `ipxact`, `instance` | the core for VHDL, for IP catalogues, and for copying into a design |
//! | `readme` | what is in the folder, and the commands for it |

mod adapter_manifest;
mod bender;
mod cocotb;
mod constraints;
mod frames;
mod fusesoc;
mod instance;
mod ipxact;
mod manifest;
mod port_list;
mod quartus;
mod readme;
mod register_map;
mod testbench;
mod verification;
mod vhdl;
mod vivado;

use std::collections::BTreeSet;

use utfhdl_hdl::core::{Core, Role, SlotKind, TextOptions};
use utfhdl_hdl::emit::comment;

pub use adapter_manifest::adapter_manifest;
pub use manifest::manifest;
pub use port_list::{PortEntry, port_list};
pub use readme::NAME as README;
pub use register_map::register_files;

/// Something that goes with a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deliverable {
    /// A bench in Verilog-2001.
    Testbench,
    /// Assertions that are bound to the core.
    Assertions,
    /// The files of SymbiYosys.
    Formal,
    /// A bench in Python.
    Cocotb,
    /// A package for FuseSoC.
    Fusesoc,
    /// A package for Bender.
    Bender,
    /// The clock, for the tools of several vendors.
    Constraints,
    /// Scripts for Vivado.
    Vivado,
    /// Scripts for Quartus.
    Quartus,
    /// A component declaration and an entity.
    Vhdl,
    /// A component of IEEE 1685-2014.
    Ipxact,
    /// A template for an instance.
    Instance,
}

impl Deliverable {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Testbench,
        Self::Assertions,
        Self::Formal,
        Self::Cocotb,
        Self::Fusesoc,
        Self::Bender,
        Self::Constraints,
        Self::Vivado,
        Self::Quartus,
        Self::Vhdl,
        Self::Ipxact,
        Self::Instance,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Testbench => "testbench",
            Self::Assertions => "assertions",
            Self::Formal => "formal",
            Self::Cocotb => "cocotb",
            Self::Fusesoc => "fusesoc",
            Self::Bender => "bender",
            Self::Constraints => "constraints",
            Self::Vivado => "vivado",
            Self::Quartus => "quartus",
            Self::Vhdl => "vhdl",
            Self::Ipxact => "ipxact",
            Self::Instance => "instance",
        }
    }

    /// The deliverable that this one needs: a package of a core has targets that run the bench, and scripts of vendors read the
    /// clock.
    fn needs(self) -> Option<Self> {
        match self {
            Self::Fusesoc | Self::Bender => Some(Self::Testbench),
            Self::Vivado | Self::Quartus => Some(Self::Constraints),
            _ => None,
        }
    }
}

/// A text file, by its path in the folder of the core.
#[derive(Clone, Debug)]
pub struct TextFile {
    /// The path, with `/` between its parts.
    pub path: String,
    /// Everything in it.
    pub text: String,
    /// The purpose of the file, in a few words.
    pub about: &'static str,
}

impl TextFile {
    /// Whether the path is the same for all cores.
    pub fn is_shared(&self, core: &Core) -> bool {
        !self.path.contains(core.design.top.name())
    }
}

/// The data that the files are written from.
struct Package<'c> {
    core: &'c Core,
    /// The name of the core's module.
    module: &'c str,
    /// The ports, with clock and reset.
    ports: Vec<PortEntry>,
    wanted: BTreeSet<Deliverable>,
    settings: Settings,
}

/// Bits of a slot's `tuser`.
const SLOT_USER_BITS: u32 = 4;

/// The options of the files.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The clock of the constraints.
    pub clock_mhz: f64,
    /// Options of the core's Verilog.
    pub text: TextOptions,
}

impl Package<'_> {
    /// The description of the core, in one sentence.
    fn description(&self) -> &str {
        self.core.design.top.summary()
    }

    /// Whether each lane of the output has a tuser of its own: a slot's, or the marks of a unit.
    fn lanes_have_users(&self) -> bool {
        !self.core.spec.role.has_encoder()
    }

    /// Bits of the tuser of an output lane; those of a slot where lanes have none.
    fn lane_user_bits(&self) -> u32 {
        match self.core.spec.role {
            Role::Validator(_) => self.core.spec.lane_user_stride(),
            _ => SLOT_USER_BITS,
        }
    }

    fn port(&self, name: &str) -> Option<&PortEntry> {
        self.ports.iter().find(|port| port.name == name)
    }

    /// The bits of a port, 0 if there is no port of that name.
    fn width(&self, name: &str) -> u32 {
        self.port(name).map_or(0, |port| port.width)
    }

    /// Bits of the port with the number of a frame's system, 0 if there is none.
    fn system_bits(&self) -> u32 {
        self.width("system")
    }

    fn clock_period_ns(&self) -> f64 {
        1000.0 / self.settings.clock_mhz
    }

    /// The subject of [`slot_constants`](Self::slot_constants).
    fn about_constants(&self) -> &'static str {
        match self.core.spec.role {
            Role::Validator(_) => "What cut and bad say of an error.",
            _ => "What the tuser of a slot says.",
        }
    }

    /// The values of a slot's `tuser`, or of an error's kind, as constants: name, value in four bits, and meaning.
    fn slot_constants(&self) -> Vec<(String, u8, &'static str)> {
        let prefix = if let Role::Validator(_) = self.core.spec.role { "ERROR" } else { "SLOT" };
        let constant = |kind: SlotKind| {
            let name = format!("{prefix}_{}", kind.name.replace('-', "_").to_uppercase());
            (name, *kind.codes.start(), kind.meaning)
        };
        self.core.slot_kinds().into_iter().map(constant).collect()
    }

    /// The first lines of a file: its purpose and its origin. `mark` opens a line of comment.
    fn head(&self, mark: &str, about: &str) -> String {
        let text = format!(
            "// SPDX-License-Identifier: MIT OR Apache-2.0\n//\n{}//\n// Generator  utfhdl {}\n// Core       {}\n",
            comment(about, 0),
            env!("CARGO_PKG_VERSION"),
            self.module,
        );
        let with_mark = |line: &str| format!("{mark}{}\n", &line["//".len()..]);
        text.lines().map(with_mark).collect()
    }
}

/// The files that go with `core`, and with them a README.md.
pub fn files(core: &Core, wanted: &[Deliverable], settings: Settings) -> Vec<TextFile> {
    let needed = wanted.iter().filter_map(|deliverable| deliverable.needs());
    let wanted: BTreeSet<Deliverable> = wanted.iter().copied().chain(needed).collect();
    let module = core.design.top.name();
    let package = Package { core, module, ports: port_list(core), wanted, settings };
    let benches = [Deliverable::Testbench, Deliverable::Cocotb];
    let frames = match benches.iter().any(|bench| package.wanted.contains(bench)) {
        true => frames::frames(core),
        false => Vec::new(),
    };
    let of = |deliverable: &Deliverable| match deliverable {
        Deliverable::Testbench => testbench::files(&package, &frames),
        Deliverable::Assertions => verification::assertions(&package),
        Deliverable::Formal => verification::formal(&package),
        Deliverable::Cocotb => cocotb::files(&package, &frames),
        Deliverable::Fusesoc => fusesoc::files(&package),
        Deliverable::Bender => bender::files(&package),
        Deliverable::Constraints => constraints::files(&package),
        Deliverable::Vivado => vivado::files(&package),
        Deliverable::Quartus => quartus::files(&package),
        Deliverable::Vhdl => vhdl::files(&package),
        Deliverable::Ipxact => ipxact::files(&package),
        Deliverable::Instance => instance::files(&package),
    };
    let mut files: Vec<TextFile> = package.wanted.iter().flat_map(of).collect();
    files.insert(0, readme::file(&package, &files));
    files
}
