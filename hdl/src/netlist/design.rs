//! A design: a top module, and how its reset is wired.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::Module;

/// How the reset of a design is wired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResetStyle {
    /// Synchronous, active high: `rst` counts at the rising edge.
    #[default]
    SyncHigh,
    /// Synchronous, active low: `rst_n` counts at the rising edge.
    SyncLow,
    /// Asynchronous, active high: `rst` acts at once.
    AsyncHigh,
    /// Asynchronous, active low: `rst_n` acts at once.
    AsyncLow,
}

impl ResetStyle {
    /// Every style, in the order the command line lists them.
    pub const ALL: [Self; 4] = [Self::SyncHigh, Self::SyncLow, Self::AsyncHigh, Self::AsyncLow];

    /// Name of the reset port: `rst`, or `rst_n` where it is active low.
    pub fn port(self) -> &'static str {
        if self.active_level() { "rst" } else { "rst_n" }
    }

    /// Level of the port at which the design is in reset.
    pub fn active_level(self) -> bool {
        matches!(self, Self::SyncHigh | Self::AsyncHigh)
    }

    /// Whether reset acts at once rather than at the next rising edge.
    pub fn is_asynchronous(self) -> bool {
        matches!(self, Self::AsyncHigh | Self::AsyncLow)
    }
}

impl fmt::Display for ResetStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SyncHigh => "sync-high",
            Self::SyncLow => "sync-low",
            Self::AsyncHigh => "async-high",
            Self::AsyncLow => "async-low",
        })
    }
}

impl FromStr for ResetStyle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|style| style.to_string() == text)
            .ok_or_else(|| "expected sync-high, sync-low, async-high or async-low".to_owned())
    }
}

/// A top module with its reset style: the unit that an engine runs and the emitter writes.
#[derive(Clone, Debug)]
pub struct Design {
    /// The top module.
    pub top: Arc<Module>,
    /// How reset is wired, in the top and in every module below.
    pub reset: ResetStyle,
}

impl Design {
    /// The modules of the design without repetition, instantiated modules before the modules that instantiate them.
    pub fn modules(&self) -> Vec<&Arc<Module>> {
        fn visit<'d>(module: &'d Arc<Module>, seen: &mut Vec<&'d Arc<Module>>) {
            for instance in module.instances() {
                visit(&instance.module, seen);
            }
            if !seen.iter().any(|other| Arc::ptr_eq(other, module)) {
                seen.push(module);
            }
        }
        let mut seen = Vec::new();
        visit(&self.top, &mut seen);
        seen
    }

    /// The design as a part of a larger one: its top, to be [instantiated](super::Builder::instance), and below it copies of all
    /// other modules that carry the name of the top as prefix. Two designs may each have a module `lane`; their parts have no
    /// name in common. The reset is that of the larger design.
    pub fn part(&self) -> Arc<Module> {
        let mut copies = HashMap::new();
        with_prefix(&self.top, "", &format!("{}_", self.top.name()), &mut copies)
    }
}

/// A copy of `module` with `prefix` before its name, and with `below` before the names of all modules below it. Each
/// module is copied once.
fn with_prefix(
    module: &Arc<Module>,
    prefix: &str,
    below: &str,
    copies: &mut HashMap<*const Module, Arc<Module>>,
) -> Arc<Module> {
    if let Some(copy) = copies.get(&Arc::as_ptr(module)) {
        return Arc::clone(copy);
    }
    let mut copy = Module::clone(module);
    copy.name = format!("{prefix}{}", module.name());
    for instance in &mut copy.instances {
        instance.module = with_prefix(&instance.module, below, below, copies);
    }
    let copy = Arc::new(copy);
    copies.insert(Arc::as_ptr(module), Arc::clone(&copy));
    copy
}
