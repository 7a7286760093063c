//! A decoder of several lanes outputs the slots that the definition of its system demands, an encoder or a transcoder the units, and a validator
//! the marks, for any cut into beats, any `tkeep` and any stalls. [`spec`](super::spec) proves the same of the core of one lane, so both output the same.
//!
//! The proof has parts. docs/verification.md combines them:
//!
//! | part | what is proved | by |
//! | --- | --- | --- |
//! | `pipeline` | every register is a function of one beat and the loops of that beat, and of no value from before a reset | the graph |
//! | `pace` | units and slots move together, except after a beat that overflows | a checker |
//! | `buffer` | every beat that enters the output buffer is output, once, in order and without delay | a checker |
//! | `slots` | of a decoder: what is made of a beat at the boundary is the slots of the machine | a checker |
//! | `gaps` | of a decoder: the core counts the gaps before each slot | a checker |
//! | `beats` | for any beats of a frame, the output is the slots that are made, or of a validator the marks of the machine | a checker |
//!
//! The parts of an encoder and of a transcoder are in the module `encoder`.

mod alike;
mod beat;
mod boundary;
mod cells;
mod codes;
mod compacted;
mod control;
mod copy;
mod counted;
mod decoder;
mod definition;
mod encoder;
mod gaps;
mod given;
mod placed;
mod reset;
mod slots;
mod step;
mod validator;

use std::collections::{BTreeMap, BTreeSet};

use utfhdl_hdl::core::{Axis, Core, CoreSpec, Packing, Role, Steps};
use utfhdl_hdl::netlist::{Builder, Design, Signal};

use self::cells::{Cells, Place, sources};
use self::definition::Definition;
use self::encoder::Encoding;
use self::reset::Reset;
use super::bench::BAD;
use super::checker::Merging;

/// Whether the proof applies to a core.
pub fn is_there(core: &Core) -> bool {
    match core.spec.role {
        Role::Decoder | Role::Validator(_) => Definition::of(core).is_some(),
        Role::Encoder | Role::Transcoder { .. } => Encoding::of(core).is_some(),
    }
}

/// Whether a core of several lanes has the stages, the ports and the output buffer that the proof is about.
fn is_plain(spec: &CoreSpec) -> bool {
    spec.lanes > 1
        && spec.axis == Axis::Lane
        && spec.pack == Packing::default()
        // If steps share stages, the output buffer does the work of a stage, and there are no registers between other stages.
        && matches!(spec.pipeline, Steps::Auto | Steps::Number(1))
        && spec.passengers.is_empty()
}

/// Bits of a slot's data.
const SLOT_DATA_BITS: u32 = 32;

/// A part that is a problem for a checker.
pub struct Part {
    /// Name of the part.
    pub name: &'static str,
    /// The property, in words.
    pub says: &'static str,
    /// The netlist.
    pub design: Design,
    /// How abc makes it smaller.
    pub merging: Merging,
}

/// The part on the output buffer.
const BUFFER: (&str, &str) =
    ("buffer", "every beat that enters the output buffer is output, once, in order and without delay");

/// A part: `bad` makes the signal that must always be 0, each of whose bits is a failure.
fn part<C>(
    core: &Core,
    cells: &C,
    (name, says): (&'static str, &'static str),
    bad: impl for<'m> Fn(&'m Builder, &'m C) -> Result<Signal<'m>, String>,
) -> Result<Part, String> {
    let m = Builder::new("problem", "A part of a proof.");
    let bad = bad(&m, cells)?;
    m.output(BAD, bad, "the property does not hold");
    let design = Design { top: m.built_with_unused(), reset: core.design.reset };
    Ok(Part { name, says, design, merging: Merging::Plain })
}

/// Checks that a beat passes as many registers on its way to the output as the latency has cycles.
fn check_latency(core: &Core, cells: &Cells) -> Result<(), String> {
    let (passed, latency) = (cells.last_stage + cells.shown, core.latency);
    if passed == latency {
        return Ok(());
    }
    Err(format!(
        "a beat passes {passed} registers on its way to the output, and the latency is {latency} cycles"
    ))
}

/// Checks that the registers of the output buffer are wires while the buffer has room: none reads itself, not even through others.
fn check_buffer(cells: &Cells) -> Result<(), String> {
    let reads = |index: usize| {
        let of = sources(&cells.moving.aig, cells.moving.next[index]).into_iter();
        of.filter_map(|(is_register, source)| is_register.then_some(source)).collect()
    };
    let buffer = cells.registers(|place| place == Place::Buffer).into_iter();
    let mut left: BTreeMap<usize, BTreeSet<usize>> = buffer.map(|index| (index, reads(index))).collect();
    while let Some(&first) = left.keys().next() {
        let waiting: BTreeSet<usize> = left.keys().copied().collect();
        left.retain(|_, reads| !reads.is_disjoint(&waiting));
        if left.len() == waiting.len() {
            return Err(format!("{} keeps its value while the buffer has room", cells.name(first)));
        }
    }
    Ok(())
}

/// The parts that are problems for checkers, after a text on the graph: the number of registers in the pipeline.
///
/// # Errors
/// The reason, if the core is no such pipeline.
pub fn parts(core: &Core) -> Result<(String, Vec<Part>), String> {
    if let Some(encoding) = Encoding::of(core) {
        return encoder::parts(core, encoding);
    }
    let definition = Definition::of(core).ok_or("there is nothing to prove of it")?;
    let cells = Cells::read(&core.design)?;
    check_latency(core, &cells)?;
    check_buffer(&cells)?;
    let reset = Reset::follow(&cells, None)?;
    let says = "units and slots move together, except after a beat that overflows";
    let pace = part(core, &cells, ("pace", says), |m, cells| control::pace(m, cells, &reset))?;
    let buffer = part(core, &cells, BUFFER, |m, cells| control::buffer(m, cells, &reset))?;
    let mut parts = vec![pace, buffer];
    parts.extend(match definition.verdict {
        None => decoder::parts(core, &cells, &reset, definition)?,
        Some(verdict) => vec![validator::beats(core, &cells, &reset, (definition, verdict))?],
    });
    let count = |is: fn(Place) -> bool| cells.registers(is).len();
    let how = format!(
        "{} bits of registers in {} stages, {} in {} more, {} in loops",
        count(|place| matches!(place, Place::Units { is_loop: false, .. })),
        cells.last_stage,
        count(|place| matches!(place, Place::Slots { .. })),
        cells.shown - 1,
        count(|place| matches!(place, Place::Units { is_loop: true, .. } | Place::State)),
    );
    Ok((how, parts))
}
