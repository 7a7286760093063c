//! The names of a core: that of its module, and its arguments on the command line.

use std::fmt;

use super::{CoreSpec, Role};
use crate::core::{Bus, Choose, Storage, System, Verdict};

/// The most characters of a list of systems that a name of a module has.
const LONGEST_LIST: usize = 40;

/// The most characters of a file name that a name of a module has.
const LONGEST_STEM: usize = 40;

impl CoreSpec {
    /// The default name of the core's top module: system, role and lanes, then every option that is not as by default. No two specs
    /// have the same name.
    pub fn module_name(&self) -> String {
        let Self {
            system,
            role,
            lanes,
            reset,
            on_error,
            axis,
            bus,
            pipeline,
            pack,
            passengers,
            streams,
            position: _,
            line: _,
            column: _,
            status,
            registers,
            table_port,
            stall,
            tables,
        } = *self;
        let default = Self::new(system, role);
        let systems = match role {
            Role::Transcoder { to } => format!("{}_to_{}", word(system), word(to)),
            Role::Decoder | Role::Encoder | Role::Validator(_) => word(system),
        };
        let mut parts = vec![systems, role.noun().to_owned(), format!("x{lanes}")];
        match role {
            Role::Transcoder { to } => {
                parts.extend(system.changed_options().iter().map(|option| format!("from_{option}")));
                parts.extend(to.changed_options().iter().map(|option| format!("to_{option}")));
            }
            Role::Decoder | Role::Encoder | Role::Validator(_) => parts.extend(system.changed_options()),
        }
        if let Role::Validator(verdict) = role {
            parts.extend(verdict.options().iter().map(|(name, value)| value.unwrap_or(name).to_owned()));
        }
        parts.extend((on_error != default.on_error).then(|| on_error.to_string()));
        parts.extend((axis != default.axis).then(|| axis.to_string()));
        parts.extend((bus != default.bus).then(|| bus.to_string()));
        parts.extend((pack != default.pack).then(|| pack.to_string()));
        parts.extend((pipeline != default.pipeline).then(|| format!("pipeline_{pipeline}")));
        parts.extend(self.present_places().map(|(option, bits)| format!("{option}_{bits}")));
        parts.extend(status.then(|| "status".to_owned()));
        parts.extend(registers.is_there().then(|| format!("registers_{registers}")));
        parts.extend(table_port.is_there().then(|| format!("table_port_{table_port}")));
        parts.extend(stall.memory().map(|storage| match storage {
            Storage::Ram => stall.to_string(),
            Storage::Registers => format!("{stall}_{storage}"),
        }));
        parts.extend((tables != default.tables).then(|| format!("memory_{tables}")));
        parts.extend(passengers.present().map(|(option, bits)| format!("{option}_{bits}")));
        parts.extend((streams > 0).then(|| format!("streams_{streams}")));
        parts.extend((reset != default.reset).then(|| reset.to_string()));
        parts.join("_").replace(['-', '='], "_")
    }

    /// The options of the core, as the command line spells them. Those of the systems are part of their names.
    fn options(&self) -> Vec<String> {
        let mut options = vec![format!("lanes {}", self.lanes), format!("reset {}", self.reset)];
        match self.role {
            Role::Validator(verdict) => {
                options.extend(verdict.options().into_iter().map(|(name, value)| match value {
                    Some(value) => format!("{name} {value}"),
                    None => name.to_owned(),
                }))
            }
            _ => options.push(format!("on-error {}", self.on_error)),
        }
        options.push(format!("axis {}", self.axis));
        // Most cores have no choice of the bus.
        options.extend((self.bus != Bus::default()).then(|| format!("bus {}", self.bus)));
        if self.lanes > 1 {
            options.extend([format!("pipeline {}", self.pipeline), format!("pack {}", self.pack)]);
        }
        options.extend(self.present_places().map(|(option, bits)| format!("{option} {bits}")));
        options.extend(self.status.then(|| "status".to_owned()));
        options.extend(self.registers.is_there().then(|| format!("registers {}", self.registers)));
        options.extend(self.table_port.is_there().then(|| format!("table-port {}", self.table_port)));
        if let Some(storage) = self.stall.memory() {
            options.push(format!("stall {}", self.stall));
            options.extend((storage != Storage::default()).then(|| format!("memory {storage}")));
        }
        options.extend((self.tables != Storage::default()).then(|| format!("memory {}", self.tables)));
        options.extend(self.passengers.present().map(|(option, bits)| format!("{option} {bits}")));
        options.extend((self.streams > 0).then(|| format!("streams {}", self.streams)));
        options
    }

    /// The core as arguments of the command line, without the options that are as by default:
    /// `utf-8 decoder --on-error drop`. With all options, it is the spec's `Display`.
    pub fn in_short(&self) -> String {
        let role =
            if let Role::Validator(_) = self.role { Role::Validator(Verdict::default()) } else { self.role };
        let default = Self { lanes: self.lanes, ..Self::new(self.system, role) }.options();
        let is_changed = |option: &String| match option.starts_with("lanes ") {
            true => self.lanes != 1,
            false => !default.contains(option),
        };
        let changed = self.options().into_iter().filter(is_changed);
        let changed: String = changed.map(|option| format!(" --{option}")).collect();
        format!("{} {}{changed}", self.system, self.role)
    }
}

impl fmt::Display for CoreSpec {
    /// The core as arguments of the command line, with every option:
    /// `utf-8 decoder --lanes 1 --reset sync-high --on-error flag --axis lane`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.system, self.role)?;
        self.options().iter().try_for_each(|option| write!(f, " --{option}"))
    }
}

/// The name of a system in names of modules. That of a user's table is of its file: `table_own_set` of `table:sets/own-set.txt`.
fn word(system: System) -> String {
    match system {
        System::Table(table) => {
            let stem = table.stem().chars().take(LONGEST_STEM);
            let stem: String = stem.map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            format!("table_{}", stem.to_ascii_lowercase())
        }
        System::Auto(auto) => {
            let systems: Vec<String> = auto.among().iter().map(ToString::to_string).collect();
            let by = match auto.choose() {
                Choose::Mark => "_by_mark",
                Choose::Port => "",
            };
            let systems = systems.join("_");
            // Verilator and others cut long names.
            let systems = match systems.len() {
                0..=LONGEST_LIST => systems,
                _ => format!("of_{}_{:08x}", auto.among().len(), digest(&systems)),
            };
            let name = format!("auto_{systems}{by}");
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
        }
        _ => system.name().to_owned(),
    }
}

/// A number that tells texts apart: FNV-1a of 32 bits.
fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, octet| (hash ^ u32::from(octet)).wrapping_mul(0x0100_0193))
}
