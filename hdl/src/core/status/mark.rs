//! The units at the start of a frame that are no text, for an observer.

use crate::core::shared::mark::MarkUnits;
use crate::core::shared::ports::UnitsIn;
use crate::netlist::{Builder, Signal};

/// The units of a mark in the beats that are `taken`. The register of the state has a name that begins with `name`.
pub(in crate::core) fn frame_mark<'m>(
    m: &'m Builder,
    name: &str,
    mark: Vec<u64>,
    input: &UnitsIn<'m>,
    taken: Signal<'m>,
) -> MarkUnits<'m> {
    m.section("The units at the start of a frame that are no text");
    let bits = MarkUnits::state_bits(&mark);
    let state = m.reg(&format!("{name}_reg"), bits).reset(0);
    let state = state.note("units of the mark before the beat; all ones: the frame has others");
    let units = MarkUnits::new(name, mark, state.q, input.tkeep, input.tdata);
    state.next_when(taken, units.next(m).when(!input.tlast).named(&format!("{name}_next")));
    units
}

/// Whether a beat that is `taken` completes the mark of its frame.
pub(in crate::core) fn ends_with_mark<'m>(
    m: &'m Builder,
    name: &str,
    mark: Vec<u64>,
    input: &UnitsIn<'m>,
    taken: Signal<'m>,
) -> Signal<'m> {
    let units = frame_mark(m, name, mark, input, taken);
    (units.is_whole() & taken).named(&format!("ends_with_{name}"))
}
