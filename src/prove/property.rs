//! The properties of a core that can be proved, and the problems of each.

use std::fmt;

use utfhdl_hdl::core::{Core, Role, Stall, System};
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::aig::Start;

use super::bench::problem;
use super::checker::Merging;
use super::spec::{Machine, Part};
use super::text_inputs::Text;
use super::{apart, elastic, inverse, lanes, spec, stream};

/// Whether the code points of a core's system can be groups of slots.
fn has_groups(core: &Core) -> bool {
    spec::machine_of(core.spec.system).is_some_and(Machine::has_groups)
}

/// The most lanes for which `lanes` is decided within a minute.
fn most_lanes(core: &Core) -> u32 {
    match core.spec.role {
        Role::Decoder if has_groups(core) => 4,
        Role::Decoder => 32,
        Role::Encoder => 16,
        Role::Validator(_) | Role::Transcoder { .. } => 8,
    }
}

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// The emitted Verilog does what the netlist does.
    Emitted,
    /// The handshake is as docs/interface.md has it.
    Stream,
    /// A core of one lane does what the second descriptions of its systems say.
    Spec,
    /// Stalls change nothing but time.
    Elastic,
    /// A core of several lanes does what the second descriptions of its systems say, too.
    Lanes,
    /// The output of one stream does not depend on the beats of the others.
    Apart,
    /// Decoding and encoding again gives back well-formed text, and encoding and decoding again what can be encoded.
    Inverse,
}

impl Property {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Emitted, Self::Stream, Self::Spec, Self::Elastic, Self::Lanes, Self::Apart, Self::Inverse];

    /// The properties of [`of`](Self::of) that checkers decide within about a minute.
    pub fn quick(core: &Core) -> Vec<Self> {
        let takes_minutes = |property: &Self| match property {
            Self::Elastic | Self::Apart | Self::Inverse => true,
            Self::Lanes => core.spec.lanes > most_lanes(core),
            Self::Spec => match core.spec.role {
                Role::Decoder => matches!(core.spec.system, System::UtfInf8 { .. }),
                Role::Transcoder { to } => has_groups(core) || matches!(to, System::CorrectedUtf8 { .. }),
                role => role == Role::Encoder,
            },
            Self::Emitted | Self::Stream => false,
        };
        Self::of(core).into_iter().filter(|property| !takes_minutes(property)).collect()
    }

    /// The property's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Emitted => "emitted",
            Self::Stream => "stream",
            Self::Spec => "spec",
            Self::Elastic => "elastic",
            Self::Lanes => "lanes",
            Self::Apart => "apart",
            Self::Inverse => "inverse",
        }
    }

    /// The properties that apply to a core.
    pub fn of(core: &Core) -> Vec<Self> {
        let is_for = |property: &Self| match property {
            Self::Emitted | Self::Stream => true,
            Self::Apart => apart::is_there(core),
            // The layer of the status holds up beats by logic that these do not describe.
            _ if core.spec.status => false,
            // The rules of these properties follow beats through stages that wait, and here no stage waits.
            _ if core.spec.stall != Stall::Enable => false,
            // The rules of these properties follow the beats of one stream.
            _ if core.spec.streams > 0 => false,
            Self::Spec => spec::is_there(core),
            Self::Elastic => elastic::is_there(core),
            Self::Lanes => lanes::is_there(core),
            Self::Inverse => inverse::is_there(core),
        };
        Self::ALL.into_iter().filter(is_for).collect()
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A problem for a checker: a netlist with one output, which must never be 1.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The rule's name.
    pub name: &'static str,
    /// The statement to be proved.
    pub says: &'static str,
    /// The netlist.
    pub design: Design,
    /// The state that it starts in.
    pub start: Start,
    /// How abc makes it smaller.
    pub merging: Merging,
    /// The text that shows what core and machine have in common, in a problem that compares both.
    pub text: Option<Text>,
}

/// The problems of a property of a core; none if the property is not about such a core, or is no matter of a netlist.
pub fn problems(core: &Core, property: Property) -> Vec<Problem> {
    match property {
        Property::Emitted => Vec::new(),
        Property::Stream => {
            let rules = stream::RULES.iter().filter_map(|rule| {
                let design = problem(core, |bench| (rule.bad)(bench))?;
                let start = Start::AfterReset { again: true };
                let merging =
                    if stream::HANDSHAKE.contains(&rule.name) { Merging::None } else { Merging::Plain };
                Some(Problem { name: rule.name, says: rule.says, design, start, merging, text: None })
            });
            rules.collect()
        }
        Property::Spec => {
            let problem = |part: Part| {
                // An encoder holds whole code points, of which its machine knows nothing.
                let is_read = core.spec.role != Role::Encoder && part.0 != "units";
                Problem { text: is_read.then(|| Text::of(core)), ..from_reset(part) }
            };
            spec::parts(core).into_iter().map(problem).collect()
        }
        Property::Elastic => {
            let says = "the same units make the same slots, however both sides stall";
            alone("elastic", says, problem(core, elastic::bad))
        }
        Property::Lanes => {
            let (_, parts) = lanes::parts(core).unwrap_or_default();
            let start = Start::AfterReset { again: false };
            let problem = |lanes::Part { name, says, design, merging }| {
                let text = (merging == Merging::Plain).then(|| Text::of(core));
                Problem { name, says, design, start, merging, text }
            };
            parts.into_iter().map(problem).collect()
        }
        Property::Apart => {
            let says = "what comes out of one stream does not depend on the beats of the others";
            alone("apart", says, apart::design(core))
        }
        Property::Inverse => inverse::parts(core).unwrap_or_default().into_iter().map(from_reset).collect(),
    }
}

/// The one problem of a property, from one reset on.
fn alone(name: &'static str, says: &'static str, design: Option<Design>) -> Vec<Problem> {
    design.map(|design| from_reset((name, says, design))).into_iter().collect()
}

/// A problem from one reset on.
fn from_reset((name, says, design): Part) -> Problem {
    let start = Start::AfterReset { again: false };
    Problem { name, says, design, start, merging: Merging::Plain, text: None }
}
