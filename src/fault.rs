//! A fault put into a core on purpose, to see that co-simulation and campaigns notice it: `KIND@SIGNAL`.
//!
//! `mutant-17@MODULE` is the 17th [mutant](utfhdl_hdl::netlist::mutants) of a module.
//!
//! A signal is named by its path: the instances from the top module down, then the signal's own name, with dots between
//! (`output_skid.load`). [`signals`] lists the paths of a core.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use utfhdl_hdl::core::{Core, CoreSpec};
use utfhdl_hdl::netlist::{Fault, FaultError, Module};

/// The most edits between a mistyped path and one that is suggested in its place.
const MOST_EDITS: usize = 4;
/// The most paths that are suggested.
const MOST_SUGGESTED: usize = 3;

/// A fault of some kind at one signal of a core.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SignalFault {
    /// The kind of the fault.
    pub kind: Fault,
    /// The path of the signal.
    pub signal: String,
}

/// A signal of a core that a fault can be put at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSite {
    /// The path of the signal.
    pub path: String,
    /// The signal's width in bits.
    pub width: u32,
}

/// Text that is not `KIND@SIGNAL`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected KIND@SIGNAL, such as stuck-at-0@output_skid.load, or mutant-N@MODULE; KIND is one of {}",
    Fault::ALL.map(kind_name).join(", ")
)]
pub struct ParseFaultError;

/// A fault that the core cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownSignal {
    /// A path that names no signal of the core.
    #[error(
        "there is no signal {signal:?} in the {} {}{}; `utfhdl list --signals {} {}` shows them all",
        spec.system, spec.role, in_brackets(near), spec.system, spec.role
    )]
    Signal {
        /// The path.
        signal: String,
        /// The core.
        spec: Box<CoreSpec>,
        /// Paths of the core that differ little from it, the nearest first.
        near: Vec<String>,
    },
    /// A module that the core does not have.
    #[error("there is no module {module:?} in the {} {}: there are {}", spec.system, spec.role, known.join(", "))]
    Module {
        /// The module.
        module: String,
        /// The core.
        spec: Box<CoreSpec>,
        /// The names of its modules.
        known: Vec<String>,
    },
    /// A number that is too large.
    #[error("there is no mutant {number} of module {module:?}: there are {count}, numbered from 0 on")]
    Mutant {
        /// The module.
        module: String,
        /// The number.
        number: u32,
        /// How many mutants the module has.
        count: usize,
    },
}

impl SignalFault {
    /// The core with this fault in it.
    ///
    /// # Errors
    /// If the core has no such signal.
    pub fn inject(&self, core: &Core) -> Result<Core, UnknownSignal> {
        match self.kind.inject(&core.design, &self.signal) {
            Ok(design) => Ok(Core { design, ..core.clone() }),
            Err(error) => Err(match (error, self.kind) {
                (FaultError::NoMutant { module, count }, Fault::Mutant(number)) if count > 0 => {
                    UnknownSignal::Mutant { module, number, count }
                }
                (FaultError::NoMutant { module, .. }, _) => {
                    let known = core.design.modules().iter().map(|module| module.name().to_owned()).collect();
                    UnknownSignal::Module { module, spec: Box::new(core.spec), known }
                }
                _ => {
                    let (signal, near) = (self.signal.clone(), nearest(&self.signal, core));
                    UnknownSignal::Signal { signal, spec: Box::new(core.spec), near }
                }
            }),
        }
    }
}

impl fmt::Display for SignalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", kind_name(self.kind), self.signal)
    }
}

impl FromStr for SignalFault {
    type Err = ParseFaultError;

    fn from_str(text: &str) -> Result<Self, ParseFaultError> {
        let (name, signal) = text.split_once('@').ok_or(ParseFaultError)?;
        let mutant = || Some(Fault::Mutant(name.strip_prefix("mutant-")?.parse().ok()?));
        let kind = Fault::ALL.into_iter().find(|kind| kind_name(*kind) == name);
        let kind = kind.or_else(mutant).ok_or(ParseFaultError)?;
        if signal.is_empty() {
            return Err(ParseFaultError);
        }
        Ok(Self { kind, signal: signal.to_owned() })
    }
}

/// The name of a kind of fault on the command line.
pub fn kind_name(kind: Fault) -> Cow<'static, str> {
    match kind {
        Fault::StuckAtZero => "stuck-at-0".into(),
        Fault::StuckAtOne => "stuck-at-1".into(),
        Fault::Inverted => "inverted".into(),
        Fault::ShiftedLeft => "shifted".into(),
        Fault::Mutant(number) => format!("mutant-{number}").into(),
    }
}

/// The signals of a core that can have a fault: all named ones, with those of a module before those of its instances.
pub fn signals(core: &Core) -> Vec<FaultSite> {
    let mut sites = Vec::new();
    collect(&core.design.top, "", &mut sites);
    sites
}

fn collect(module: &Module, above: &str, sites: &mut Vec<FaultSite>) {
    let named = module.nodes().iter().filter_map(|node| Some((node.name.as_deref()?, node.width)));
    sites.extend(named.map(|(name, width)| FaultSite { path: format!("{above}{name}"), width }));
    for instance in module.instances() {
        collect(&instance.module, &format!("{above}{}.", instance.name), sites);
    }
}

/// The paths of a core that differ least from `wrong`, if that is little; also those that end in it.
fn nearest(wrong: &str, core: &Core) -> Vec<String> {
    let edits = |path: &str| {
        let ends_alike = path.rsplit('.').next() == Some(wrong);
        if ends_alike { 0 } else { strsim::damerau_levenshtein(wrong, path) }
    };
    let near: Vec<(usize, String)> =
        signals(core).into_iter().map(|site| (edits(&site.path), site.path)).collect();
    let least = near.iter().map(|(edits, _)| *edits).min();
    let least = least.filter(|least| *least <= MOST_EDITS.min(wrong.len() / 2));
    let nearest = near.into_iter().filter(|(edits, _)| Some(*edits) == least).map(|(_, path)| path);
    nearest.take(MOST_SUGGESTED).collect()
}

fn in_brackets(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!(" (the nearest: {})", near.join(", ")) }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{Role, System};

    use super::*;

    fn decoder() -> Core {
        Core::new(CoreSpec::new(System::Utf8, Role::Decoder)).expect("there is such a core")
    }

    #[test]
    fn faults_are_read_as_they_are_written() {
        for (text, kind, signal) in [
            ("stuck-at-0@low_only", Fault::StuckAtZero, "low_only"),
            ("stuck-at-1@output_skid.load", Fault::StuckAtOne, "output_skid.load"),
            ("inverted@a", Fault::Inverted, "a"),
            ("shifted@slot_data_reg", Fault::ShiftedLeft, "slot_data_reg"),
            ("mutant-17@utf_8_decoder_x1", Fault::Mutant(17), "utf_8_decoder_x1"),
        ] {
            let fault: SignalFault = text.parse().expect("a fault");
            assert_eq!(fault, SignalFault { kind, signal: signal.to_owned() });
            assert_eq!(fault.to_string(), text);
        }
        for text in ["", "low_only", "stuck-at-0", "stuck-at-0@", "stuck-at-2@a", "@a", "Inverted@a"] {
            let error = text.parse::<SignalFault>().expect_err(text).to_string();
            assert!(error.starts_with("expected KIND@SIGNAL, such as "), "{error}");
            assert!(error.ends_with("KIND is one of stuck-at-0, stuck-at-1, inverted, shifted"), "{error}");
        }
    }

    /// Ports, registers and logic, of the top module and of the modules in it.
    #[test]
    fn every_signal_that_is_listed_takes_a_fault() {
        let core = decoder();
        let sites = signals(&core);
        for path in ["s_axis_tdata", "slot_data_reg", "low_only", "output_skid.load"] {
            assert!(sites.iter().any(|site| site.path == path), "{path}");
        }
        let width = |path: &str| sites.iter().find(|site| site.path == path).map(|site| site.width);
        assert_eq!((width("s_axis_tdata"), width("s_axis_tvalid")), (Some(8), Some(1)));
        for site in sites {
            let fault = SignalFault { kind: Fault::Inverted, signal: site.path };
            let faulty = fault.inject(&core).unwrap_or_else(|error| panic!("{error}"));
            assert_ne!(faulty.verilog(), core.verilog(), "{fault}");
        }
    }

    #[test]
    fn a_signal_that_is_not_there_is_answered_with_those_that_look_like_it() {
        let message = |signal: &str| {
            let fault = SignalFault { kind: Fault::Inverted, signal: signal.to_owned() };
            fault.inject(&decoder()).expect_err("there is no such signal").to_string()
        };
        assert_eq!(
            message("slot_dta_reg"),
            "there is no signal \"slot_dta_reg\" in the utf-8 decoder (the nearest: slot_data_reg); \
             `utfhdl list --signals utf-8 decoder` shows them all"
        );
        assert!(message("skid_valid_reg").contains("(the nearest: output_skid.skid_valid_reg)"));
        assert!(message("output_slice.load").contains("(the nearest: output_skid.load)"));
        for far in ["x", "nothing_of_the_kind", "clk"] {
            let expected = format!("there is no signal {far:?} in the utf-8 decoder; `utfhdl list --signals");
            assert!(message(far).starts_with(&expected), "{}", message(far));
        }
    }
}
