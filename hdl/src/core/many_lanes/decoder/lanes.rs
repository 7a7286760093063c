//! The lanes of a decoder: an instance of one module for each unit of the beat.

use std::sync::Arc;

use super::pipeline::{Pipeline, delay};
use crate::core::shared::ports::UnitsIn;
use crate::netlist::{Builder, InstanceHandle, Module, Signal, Stage};

/// An instance of `lane` for each unit of `input`. The unit goes to its port `unit`, and whether there is one to `unit`_valid.
pub(super) fn lanes<'m>(
    m: &'m Builder,
    lane: &Arc<Module>,
    unit: &str,
    input: &UnitsIn<'m>,
    pipeline: &Pipeline<'m>,
) -> Vec<InstanceHandle<'m>> {
    let count = input.tkeep.width();
    let bits = input.tdata.width() / count;
    let instance = |index: u32| {
        m.instance(&format!("lane_{index}"), lane)
            .lane(index as usize)
            .input("advance", pipeline.stage_at(index as usize).enable)
            .input(unit, input.tdata.bits(index * bits..(index + 1) * bits))
            .input(&format!("{unit}_valid"), input.tkeep.bit(index))
    };
    (0..count).map(instance).collect()
}

/// Connects what [`is_last`] declares in a lane.
pub(super) fn connect_is_last<'m>(input: &UnitsIn<'m>, lanes: &[InstanceHandle<'m>]) {
    for (lane, index) in lanes.iter().zip(0..) {
        let kept = input.tkeep.bit(index) & input.tlast;
        let next = (index + 1 < input.tkeep.width()).then(|| input.tkeep.bit(index + 1));
        lane.input("ends_frame", next.map_or(kept, |next| kept & !next));
    }
}

/// In a lane: no unit of the frame follows, as of stage `at`.
pub(super) fn is_last<'m>(m: &'m Builder, stage: Stage<'m>, at: u32) -> Signal<'m> {
    delay(stage, "is_last", m.input("ends_frame", 1, "it is the last of its frame"), 0, at)
}

/// The frame ends with a beat without units, as of stage `at`.
pub(super) fn ends_without_unit<'m>(stage: Stage<'m>, input: &UnitsIn<'m>, at: u32) -> Signal<'m> {
    delay(stage, "ends_without_unit", input.tlast & !input.tkeep.bit(0), 0, at)
}
