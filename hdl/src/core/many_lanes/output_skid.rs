//! The output buffer of a pipeline whose own control knows when the buffer has room: two registers.
//!
//! ```text
//!  pipeline ──> second ──> first ──> m_axis      a beat skips the second register while that is empty
//! ```
//!
//! Cost: a LUT a bit in front of the first register. `m_ready` reaches the payload through one LUT, which drives nothing else and can
//! therefore be placed beside its payload.

use std::sync::Arc;

use super::buffers::{Buffered, Field, buffered};
use crate::netlist::{Builder, Module, RegisterRole, Signal};

/// Lanes that share a buffer: the net that says whether a beat is taken decides over each of their bits.
pub(super) const LANES_OF_BUFFER: usize = 4;

/// Buffers a beat, which is `present`; `of_beat` are the signals of the whole of it. No beat may be present in the first cycle after reset.
pub(super) fn skid_buffered<'m>(
    m: &'m Builder,
    [present, m_axis_tready]: [Signal<'m>; 2],
    of_beat: &[Field<'m>],
    lanes: &[Vec<Field<'m>>],
) -> Buffered<'m> {
    buffered(m, ("output_skid", &output_skid), LANES_OF_BUFFER, of_beat, lanes, |buffer, _| {
        buffer.input("s_valid", present).input("m_ready", m_axis_tready);
    })
}

/// A buffer of two beats of `width` bits. A beat that is offered while the second register is empty is taken, even in the first cycle
/// after reset. All outputs are registers.
fn output_skid(width: u32) -> Arc<Module> {
    let m = Builder::new(
        format!("output_skid_w{width}"),
        "Two registers behind a pipeline that moves while the second of them is empty: every output is a register. Holds two beats, \
         adds one cycle, never a bubble.",
    );
    m.port_group("Upstream");
    let offered = m.input("s_valid", 1, "the pipeline offers a beat");
    let arriving = m.input("s_payload", width, "that beat");
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "beat is taken");

    let valid = m.reg("valid_reg", 1).reset(0).role(RegisterRole::Buffer).note("a beat is offered");
    let full = m.reg("full_reg", 1).role(RegisterRole::Buffer).note("the same, for the payload alone");
    let payload = m.reg("payload_reg", width).role(RegisterRole::Buffer);
    let skid_valid =
        m.reg("skid_valid_reg", 1).reset(0).role(RegisterRole::BufferSkid).note("a second beat is held");
    let skid_payload = m.reg("skid_payload_reg", width).role(RegisterRole::Buffer);

    let stays = (valid.q & !m_ready).named("stays").note("the first beat is not taken");
    let follows = (skid_valid.q | offered).named("follows").note("there is a beat after it");
    let valid_next = (stays | follows).named("valid_next");
    valid.next(valid_next);
    // This copy has no reset: synthesis would merge two registers that are equal in everything.
    full.next(valid_next);
    skid_valid.next(stays & follows);
    let load =
        (!full.q | m_ready).named("load").note("the first register is empty, or emptied in this cycle");
    payload.next_when(load, skid_valid.q.mux(skid_payload.q, arriving));
    // While the second register is empty, it loads the bus in every cycle; `skid_valid_reg` says whether the data counts.
    skid_payload.next_when(!skid_valid.q, arriving);
    m.output("m_valid", valid.q, "beat is offered");
    m.output("m_payload", payload.q, "the beat");
    m.built()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::evaluator::{Evaluator, Random};

    #[test]
    fn beats_that_are_offered_while_there_is_room_go_out_once_and_in_order() {
        let mut random = Random::new(7);
        let mut block = Evaluator::new(&output_skid(16));
        block.reset();
        let (mut held, mut offered, mut given, mut stayed) = (0, 0, 0, 0);
        for cycle in 0..3000 {
            // Beats are 1, 2, 3 and so on; a buffer that holds two takes none.
            let offers = held < 2 && (cycle >= 2000 || random.one_in(2));
            let ready = cycle >= 2000 || random.one_in(2);
            block.set("s_valid", offers.into());
            block.set("s_payload", offered + 1);
            block.set("m_ready", ready.into());
            let valid = block.get("m_valid") == 1;
            assert_eq!(valid, held > 0, "cycle {cycle}");
            if valid {
                assert_eq!(block.get("m_payload"), given + 1, "cycle {cycle}");
            }
            let taken = valid && ready;
            stayed += u32::from(valid && !ready);
            given += u64::from(taken);
            offered += u64::from(offers);
            held = held + u32::from(offers) - u32::from(taken);
            block.clock();
        }
        assert!(stayed > 300 && given > 1400, "{given} beats, {stayed} cycles of waiting");
    }
}
