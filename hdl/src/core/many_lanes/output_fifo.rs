//! The output of a pipeline that never waits: FIFOs with room for all beats that are under way.

use super::buffers::{Buffered, Field, LANES_OF_BUFFER, OUTPUT, buffered};
use crate::core::stall::Storage;
use crate::netlist::{Builder, InstanceHandle, Signal};
use crate::stream::fifo::{self, Fifo, fifo, words};

/// The second beat of an entry, which has a slot in the first lane at most.
pub(super) struct Second<'m> {
    /// There is one.
    pub(super) follows: Signal<'m>,
    /// The beat ends its frame.
    pub(super) last: Signal<'m>,
    /// The fields of the first lane.
    pub(super) slot: Vec<Signal<'m>>,
}

/// Buffers beats. A beat is there in cycles in which `present` is high, and goes out `latency` cycles later. `of_beat` are the signals of the
/// beat as a whole, and `lanes` those of each lane. With `second`, a beat can be followed by a second one, and `of_beat` has one signal
/// alone: the beat ends its frame. No beat may be present in the first cycle after reset.
pub(super) fn fifo_buffered<'m>(
    m: &'m Builder,
    (storage, latency): (Storage, u32),
    [present, m_axis_tready]: [Signal<'m>; 2],
    of_beat: &[Field<'m>],
    second: Option<Second<'m>>,
    lanes: &[Vec<Field<'m>>],
) -> Buffered<'m> {
    let lane_bits = |lane: &Vec<Field<'m>>| lane.iter().map(|(_, field)| field.width()).sum::<u32>();
    let low = lane_bits(&lanes[0]);
    // The first group has the signals of the beat, too, and so another width than all others.
    let beat_bits = of_beat.iter().map(|(_, field)| field.width()).sum::<u32>();
    let first_bits = beat_bits + lanes.iter().take(LANES_OF_BUFFER).map(lane_bits).sum::<u32>();
    let block = |width| {
        let of_first = if width == first_bits { (1, low) } else { (0, 0) };
        let second = second.as_ref().map(|_| fifo::Second { high: of_first.0, low: of_first.1 });
        fifo(Fifo { words: words(latency, second.is_some()), width, is_ram: storage == Storage::Ram, second })
    };
    let is_first = std::cell::Cell::new(None);
    let connect = |buffer: InstanceHandle<'m>, lane: usize| {
        buffer.input("s_valid", present).input("m_ready", m_axis_tready);
        let Some(Second { follows, last, slot }) = &second else { return };
        buffer.input("s_two", *follows);
        if lane == 0 {
            buffer.input("s_second", m.concat([*last].into_iter().chain(slot.iter().copied())));
            is_first.set(Some(buffer.output("m_first")));
        }
    };
    let buffered = buffered(m, ("output_fifo", OUTPUT, &block), of_beat, lanes, connect, |buffer| {
        buffer.output("m_valid")
    });
    Buffered { is_first: is_first.get(), ..buffered }
}
