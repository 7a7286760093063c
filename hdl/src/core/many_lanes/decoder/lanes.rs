//! The lanes of a decoder: an instance of one module for each unit of the beat.

use std::sync::Arc;

use super::pipeline::Pipeline;
use crate::core::shared::ports::UnitsIn;
use crate::netlist::{Builder, InstanceHandle, Module};

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
            .input("advance", pipeline.stage_at(index as usize).enable)
            .input(unit, input.tdata.bits(index * bits..(index + 1) * bits))
            .input(&format!("{unit}_valid"), input.tkeep.bit(index))
    };
    (0..count).map(instance).collect()
}
