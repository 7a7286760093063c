//! The output of a pipeline that never waits: FIFOs with room for all beats that are under way.

use super::buffers::{Buffered, Field, buffered};
use super::output_skid::LANES_OF_BUFFER;
use crate::core::stall::Storage;
use crate::netlist::{Builder, Memory, Signal};
use crate::stream::fifo::{fifo, words};

/// Buffers a beat, which is `present` and ends its frame if `last`, and which goes out `latency` cycles after it came in. No beat may be
/// present in the first cycle after reset.
pub(super) fn fifo_buffered<'m>(
    m: &'m Builder,
    (storage, latency): (Storage, u32),
    [present, last, m_axis_tready]: [Signal<'m>; 3],
    lanes: &[Vec<Field<'m>>],
) -> Buffered<'m> {
    let block = |width| fifo(Memory::new(words(latency), width), storage == Storage::Ram);
    buffered(m, ("output_fifo", &block), LANES_OF_BUFFER, &[("last", last)], lanes, |buffer, _| {
        buffer.input("s_valid", present).input("m_ready", m_axis_tready);
    })
}
