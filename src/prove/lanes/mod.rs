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
//! | `beats` | for any beats of a frame, the output is the slots or the marks of the machine | a checker |
//!
//! The parts of an encoder and of a transcoder are in the module `encoder`.

mod beat;
mod cells;
mod control;
mod copy;
mod definition;
mod encoder;
mod placed;
mod reset;
mod slots;
mod step;

use utfhdl_hdl::core::{Axis, Core, CoreSpec, Packing, Role, Steps, Verdict};
use utfhdl_hdl::netlist::{Builder, Design, Signal};

use self::cells::{Cells, Place};
use self::definition::Definition;
use self::encoder::Encoding;
use self::placed::Placed;
use self::reset::Reset;
use self::slots::Slots;
use self::step::Step;
use super::bench::{BAD, Side};
use super::checker::Merging;
use super::spec::{Written, marks};

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
    let reset = Reset::follow(&cells, None)?;
    let says = "units and slots move together, except after a beat that overflows";
    let pace = part(core, &cells, ("pace", says), |m, cells| control::pace(m, cells, &reset))?;
    let lanes = core.spec.lanes;
    let buffer = part(core, &cells, BUFFER, |m, cells| control::buffer(m, cells, &reset, lanes))?;
    let beats = match definition.verdict {
        None => {
            let says = "for any beats of a frame, the slots of the machine go out";
            part(core, &cells, ("beats", says), |m, cells| beats(m, cells, &reset, definition, lanes))?
        }
        Some(verdict) => {
            let says = "for any beats of a frame, the same beats go out with the marks of the machine";
            part(core, &cells, ("beats", says), |m, cells| {
                marked(m, cells, &reset, (definition, verdict), lanes)
            })?
        }
    };
    let count = |is: fn(Place) -> bool| cells.registers(is).len();
    let how = format!(
        "{} bits of registers in {} stages, {} in {} more, {} in loops",
        count(|place| matches!(place, Place::Units { is_loop: false, .. })),
        cells.last_stage,
        count(|place| matches!(place, Place::Slots { .. })),
        cells.shown - 1,
        count(|place| matches!(place, Place::Units { is_loop: true, .. } | Place::State)),
    );
    Ok((how, vec![pace, buffer, beats]))
}

/// The failures, a bit each: the output for a beat differs from the slots of the machine, in each lane, in their number, or in the end of the
/// frame.
fn beats<'m>(
    m: &'m Builder,
    cells: &'m Cells,
    reset: &Reset,
    definition: Definition,
    lanes: u32,
) -> Result<Signal<'m>, String> {
    let step = Step::new(m, cells, reset, lanes, definition.lane_bits)?;
    let [of_beat, of_beat_before] = Slots::of_both(m, definition, &step);
    let Step { beat, waits, output, is_assumed, .. } = step;

    // Owed are the slot for which the beat before had no lane, and then the slots of this beat, unless this beat waits.
    let rides = m.reg("rides_reg", 1).reset(0);
    let goes = !waits;
    let is_two_in_one = of_beat.is_two_in_one & goes;
    let riding = of_beat_before.last(lanes).shown.when(rides.q);
    let is_last_there = of_beat.last(lanes).is_there;
    let of_beat =
        of_beat.all.iter().map(|slot| vec![Written { is_there: slot.is_there & goes, bits: slot.shown }]);
    let placed = Placed::new(m, rides.q, &of_beat.collect::<Vec<_>>());
    let owes = |count: u32| placed.reaches(count as usize);
    let stays_over = owes(lanes + 1);
    // The slot in excess must be the last one: that is the slot that rides in the next beat.
    let too_many = owes(lanes + 2) | stays_over & !is_last_there;

    // All are output in one beat, except one slot in excess of the lanes.
    let of_lane = (0..lanes).map(|lane| {
        let owed = placed.at(lane as usize);
        let shown = if lane == 0 { owed | riding } else { owed };
        let keep = output.tkeep.bit(lane) & output.tvalid;
        let user = Side::lane(output.tuser.expect("there are kinds"), lane, lanes);
        let data = Side::lane(output.tdata, lane, lanes);
        let shown = m.concat([shown.bits(SLOT_DATA_BITS..shown.width()), shown.bits(0..data.width())]);
        owes(lane + 1) ^ keep | keep & m.concat([user, data]).ne(shown)
    });
    let of_lane: Vec<Signal<'m>> = of_lane.collect();
    rides.next(stays_over);

    // The end of the frame is output with or after the last slot of the frame, before the next beat.
    let owes_end = m.reg("owes_end_reg", 1).reset(0);
    let due = owes_end.q | beat.ends() & goes;
    let is_out = output.tvalid & output.tlast;
    owes_end.next(due & !is_out);
    let of_end = is_out & (!due | stays_over) | owes_end.q & goes & beat.tvalid;
    Ok(m.concat(
        of_lane
            .into_iter()
            .chain([too_many | is_two_in_one | of_end])
            .map(|bad| is_assumed & bad)
            .collect::<Vec<_>>(),
    ))
}

/// The failures, a bit each: the output of a validator for a beat differs from the beat with the marks of the machine, in each lane, or in what is
/// of the whole beat.
fn marked<'m>(
    m: &'m Builder,
    cells: &'m Cells,
    reset: &Reset,
    (definition, verdict): (Definition, Verdict),
    lanes: u32,
) -> Result<Signal<'m>, String> {
    let step = Step::new(m, cells, reset, lanes, definition.lane_bits)?;
    let state = definition.state(m);
    let (read, after) = definition.read(m, state.q(), &step.beat);
    let Step { beat, output, is_assumed, waits, .. } = step;
    state.next(after, !waits, beat.ends());
    let goes_out = beat.has(0) | beat.ends();
    let none = m.lit(1, 0);
    let of_lane = read.iter().zip(0..).map(|((unit, read), lane)| {
        // The frame ends with the last unit of the beat, or in lane 0 without one.
        let next = if lane + 1 < lanes { beat.has(lane + 1) } else { none };
        let is_last = if lane == 0 { !next } else { unit.is_there & !next };
        let marks = marks(m, (definition.machine, verdict), unit, read, beat.ends() & is_last);
        let [data, user] =
            [output.tdata, output.tuser.expect("there are marks")].map(|port| Side::lane(port, lane, lanes));
        let bits = unit.bits.when(unit.is_there).zext(data.width());
        goes_out
            & (output.tkeep.bit(lane) ^ unit.is_there | data.ne(bits) | user.ne(marks.zext(user.width())))
    });
    let of_lane: Vec<Signal<'m>> = of_lane.collect();
    let of_beat = output.tvalid ^ goes_out | goes_out & (output.tlast ^ beat.tlast);
    Ok(m.concat(of_lane.into_iter().chain([of_beat]).map(|bad| is_assumed & bad).collect::<Vec<_>>()))
}
