//! A decoder of several lanes outputs the slots that the definition of its system demands, for any cut into beats, any `tkeep` and any
//! stalls. [`spec`](super::spec) proves the same of the decoder of one lane, so both output the same slots.
//!
//! The proof has parts. docs/verification.md combines them:
//!
//! | part | what is proved | by |
//! | --- | --- | --- |
//! | `pipeline` | every register is a function of one beat and the loops of that beat, and of no value from before a reset | the graph |
//! | `pace` | units and slots move together, except after a beat that overflows | a checker |
//! | `buffer` | every beat that enters the output buffer is output, once and in order | a checker |
//! | `before` | the history registers hold the last units of the frame | a checker |
//! | `window` | the last units determine the state of the machine | a checker |
//! | `beats` | for any beat after any units, the output is the slots of the machine | a checker |

mod beat;
mod cells;
mod control;
mod copy;
mod memory;
mod reset;
mod slots;
mod step;
mod window;

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Builder, Design, Signal};

use self::beat::Beat;
use self::cells::{Cells, Place};
use self::memory::Before;
use self::reset::Reset;
use self::slots::{Candidate, Slots, slots};
use self::step::Step;
use self::window::{Memory, Window};
use super::bench::{BAD, Side};

/// Whether the proof applies to a core.
pub fn is_there(core: &Core) -> bool {
    Window::of(core).is_some()
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
}

/// The parts that are problems for checkers, after a text on the graph: the number of registers in the pipeline.
///
/// # Errors
/// The reason, if the core is no such pipeline.
pub fn parts(core: &Core) -> Result<(String, Vec<Part>), String> {
    let window = Window::of(core).ok_or("there is nothing to prove of it")?;
    let cells = Cells::read(&core.design)?;
    let reset = Reset::follow(&cells)?;
    let part = |name, says, build: &dyn for<'m> Fn(&'m Builder, &'m Cells) -> Result<Signal<'m>, String>| {
        let m = Builder::new("problem", "A part of a proof.");
        let bad = build(&m, &cells)?;
        m.output(BAD, bad, "the property does not hold");
        Ok::<_, String>(Part {
            name,
            says,
            design: Design { top: m.built_with_unused(), reset: core.design.reset },
        })
    };
    let mut parts = vec![
        part("pace", "units and slots move together, except after a beat that overflows", &|m, cells| {
            control::pace(m, cells, &reset)
        })?,
        part(
            "buffer",
            "every beat that enters the output buffer is output, once and in order",
            &|m, cells| control::buffer(m, cells, &reset),
        )?,
    ];
    let lanes = core.spec.lanes;
    if let Memory::Units(units) = window.memory {
        parts.extend([
            part("before", "the units before a beat are the last ones of the frame", &|m, cells| {
                memory::bad(m, cells, &reset, window, (lanes, units))
            })?,
            part("window", "the last units decide the state of the machine", &|m, _| {
                Ok(window.bad(m, units))
            })?,
        ]);
    }
    parts.push(part(
        "beats",
        "for any beat and any units before it, the slots of the machine go out",
        &|m, cells| beats(m, cells, &reset, window, lanes),
    )?);
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

/// 1 in cycles in which the output of a decoder for a beat differs from the slots of the machine.
fn beats<'m>(
    m: &'m Builder,
    cells: &'m Cells,
    reset: &Reset,
    window: Window,
    lanes: u32,
) -> Result<Signal<'m>, String> {
    let step = Step::new(m, cells, reset, lanes, window.lane_bits)?;
    let remembered = memory::before(m, cells, window, &step);
    let Step { beat, before, waits, output, is_assumed } = step;
    let made = |beat: &Beat<'m>, before: &Before<'m>| slots(m, window, before, beat);
    let Slots { first, lanes: of_lanes, is_two_in_one } = made(&beat, &remembered.of_beat);
    let last_of_before = *made(&before, &remembered.of_beat_before).lanes.last().expect("there are lanes");

    // Owed are the slot for which the beat before had no lane, and then the slots of this beat, unless this beat waits.
    let rides = m.reg("rides_reg", 1).reset(0);
    let goes = !waits;
    let with = |candidate: Candidate<'m>| Candidate { is_there: candidate.is_there & goes, ..candidate };
    let first = with(first);
    let of_lanes: Vec<Candidate<'m>> = of_lanes.into_iter().map(with).collect();
    let both = rides.q & first.is_there;
    let head = Candidate {
        is_there: rides.q | first.is_there,
        shown: rides.q.mux(last_of_before.shown, first.shown),
    };
    // The number of slots owed up to each lane, one-hot; `owed[n]` lists the candidates for output lane `n`.
    let mut number: Vec<Signal<'m>> = vec![!head.is_there, head.is_there];
    let mut owed: Vec<Vec<(Signal<'m>, Signal<'m>)>> = vec![Vec::new(); lanes as usize + 1];
    owed[0].push((head.is_there, head.shown));
    for slot in &of_lanes {
        for (at, is) in number.iter().enumerate() {
            owed[at].push((*is & slot.is_there, slot.shown));
        }
        let none = m.lit(1, 0);
        let one_more = |at: usize| {
            let stays = number.get(at).copied().unwrap_or(none) & !slot.is_there;
            let comes = at.checked_sub(1).map_or(none, |below| number[below] & slot.is_there);
            stays | comes
        };
        number = (0..=number.len().min(lanes as usize)).map(one_more).collect();
    }
    let any =
        |of: &[(Signal<'m>, Signal<'m>)]| of.iter().map(|(is, _)| *is).reduce(|a, b| a | b).expect("some");
    let too_many = any(&owed[lanes as usize]);

    // All are output in one beat, except one slot in excess of the lanes.
    let mut bad = is_two_in_one & goes | both;
    for (lane, candidates) in (0..lanes).zip(&owed) {
        let shown = candidates.iter().map(|(is, shown)| shown.when(*is)).reduce(|a, b| a | b).expect("some");
        let keep = output.tkeep.bit(lane) & output.tvalid;
        let is_there = any(candidates);
        let user = Side::lane(output.tuser.expect("there are kinds"), lane, lanes);
        let data = Side::lane(output.tdata, lane, lanes);
        let shown = m.concat([shown.bits(SLOT_DATA_BITS..shown.width()), shown.bits(0..data.width())]);
        let out = m.concat([user, data]);
        bad = bad | is_there ^ keep | keep & out.ne(shown);
    }
    rides.next(too_many);

    // The end of the frame is output with or after the last slot of the frame, before the next beat.
    let owes_end = m.reg("owes_end_reg", 1).reset(0);
    let ends = beat.ends() & goes;
    let due = owes_end.q | ends;
    let is_out = output.tvalid & output.tlast;
    owes_end.next(due & !is_out);
    let bad = bad | is_out & (!due | too_many) | owes_end.q & goes & beat.tvalid;
    Ok(is_assumed & bad)
}
