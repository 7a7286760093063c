//! The beats of a validator: those that it takes, with the marks of the machine.

use utfhdl_hdl::core::{Core, Verdict};
use utfhdl_hdl::netlist::{Builder, Signal};

use super::cells::Cells;
use super::definition::Definition;
use super::reset::Reset;
use super::step::{Extent, Step};
use super::{Part, part};
use crate::prove::bench::Side;
use crate::prove::spec::marks;

/// The part on the beats.
pub(super) fn beats(
    core: &Core,
    cells: &Cells,
    reset: &Reset,
    definition: (Definition, Verdict),
) -> Result<Part, String> {
    let says = "for any beats of a frame, the same beats go out with the marks of the machine";
    part(core, cells, ("beats", says), |m, cells| Ok(marked(m, cells, reset, definition, core.spec.lanes)))
}

/// The failures, a bit each: the output of a validator for a beat differs from the beat with the marks of the machine, in each lane, or in what is
/// of the whole beat.
fn marked<'m>(
    m: &'m Builder,
    cells: &'m Cells,
    reset: &Reset,
    (definition, verdict): (Definition, Verdict),
    lanes: u32,
) -> Signal<'m> {
    let step = Step::new(m, cells, reset, lanes, definition.lane_bits, &Extent::All);
    let state = definition.state(m);
    let (read, after) = definition.read(m, state.q(), &step.beat);
    let Step { beat, output, has_begun, is_disturbed, waits, .. } = step;
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
    let of_beat = output.tvalid ^ goes_out | goes_out & (output.tlast ^ beat.tlast) | is_disturbed;
    m.concat(of_lane.into_iter().chain([of_beat]).map(|bad| has_begun & bad).collect::<Vec<_>>())
}
