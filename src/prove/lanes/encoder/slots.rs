//! The part `slots` of a transcoder: what the decoding half makes of a beat.

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Builder, Signal};

use crate::prove::lanes::SLOT_DATA_BITS;
use crate::prove::lanes::beat::Beat;
use crate::prove::lanes::boundary::Boundary;
use crate::prove::lanes::cells::Cells;
use crate::prove::lanes::codes::Held;
use crate::prove::lanes::given::Making;
use crate::prove::lanes::reset::Reset;
use crate::prove::lanes::slots::Candidate;

/// The failures, a bit each: what is made of a beat differs from the slots of the machine, in each place, or breaks a rule that the part `beats` assumes. A beat
/// comes in each cycle.
pub(super) fn slots<'m>(
    m: &'m Builder,
    core: &Core,
    cells: &'m Cells,
    (reset, making, boundary): (&Reset, Making, &Boundary),
) -> Result<Signal<'m>, String> {
    let codes = making.codes.ok_or("a transcoder has a rule for what slots hold")?;
    let always = m.lit(1, 1);
    let wires = cells.loop_wires(m);
    let given = Beat::given(m, core.spec.lanes, making.definition.lane_bits, None, wires.clone());
    let start = |index| reset.of_loop(cells, index);
    let beat = Beat::registers(m, "beat", &given, always, Some(false), start);
    let stages = beat.stages(m, cells, "beat", None);
    for (index, next) in beat.next_loops(&stages) {
        m.drive(wires[&index], next);
    }
    m.output("s_axis_tready", always, "the beat is taken");
    let differs = |place, made: Signal<'m>, slot: &Candidate<'m>| {
        let Held { is_error, code_point } = codes.held(m, place, made);
        let due = slot.shown.bits(0..SLOT_DATA_BITS);
        let is_error_due = slot.shown.bits(SLOT_DATA_BITS..slot.shown.width()).any();
        let breaks = codes.allowed(m, place, made).ne(made);
        Ok(is_error ^ is_error_due | !is_error_due & code_point.ne(due) | breaks)
    };
    let bad = making.failures(m, (&beat, always), &boundary.made(m, &stages), differs)?;
    Ok(m.concat(bad.into_iter().map(|bad| beat.tvalid & bad).collect::<Vec<_>>()))
}
