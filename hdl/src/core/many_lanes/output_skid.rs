//! The output buffer of a pipeline whose own control knows when the buffer has room: two registers.
//!
//! ```text
//!  pipeline ──> second ──> first ──> m_axis      a beat skips the second register while that is empty
//! ```
//!
//! Cost: a LUT a bit in front of the first register. `m_ready` reaches the payload through one LUT, which drives nothing else and can
//! therefore be placed beside its payload. Flags in the pace of the lanes say what the registers hold.

use std::sync::Arc;

use super::buffers::{Buffered, Field, LANES_OF_BUFFER, OUTPUT, buffered};
use super::decoder::Held;
use crate::netlist::{Builder, InstanceHandle, Module, RegisterRole, Signal};

/// Buffers beats; `of_beat` are the signals of the whole of one. `held` says for each buffer which registers hold a beat, and `offers` whether the
/// core offers one.
pub(super) fn skid_buffered<'m>(
    m: &'m Builder,
    (held, offers): (&[Held<'m>], Signal<'m>),
    m_axis_tready: Signal<'m>,
    of_beat: &[Field<'m>],
    lanes: &[Vec<Field<'m>>],
) -> Buffered<'m> {
    let connect = |buffer: InstanceHandle<'m>, lane: usize| {
        let Held { first, second } = held[lane / LANES_OF_BUFFER];
        buffer.input("first", first).input("second", second).input("m_ready", m_axis_tready);
    };
    buffered(m, ("output_skid", OUTPUT, &output_skid), of_beat, lanes, connect, |_| offers)
}

/// The payload of a buffer of two beats of `width` bits.
fn output_skid(width: u32) -> Arc<Module> {
    let m = Builder::new(
        format!("output_skid_w{width}"),
        "The payload of a buffer of two beats: the pace says what it holds. Every output is a register.",
    );
    m.port_group("Upstream");
    let arriving = m.input("s_payload", width, "the beat that the pipeline offers, if it does");
    m.port_group("Pace");
    let first = m.input("first", 1, "the first register holds a beat");
    let second = m.input("second", 1, "the second register holds one");
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "beat is taken");

    let payload = m.reg("payload_reg", width).role(RegisterRole::Buffer);
    let skid_payload = m.reg("skid_payload_reg", width).role(RegisterRole::Buffer);
    let load = (!first | m_ready).named("load").note("the first register is empty, or emptied in this cycle");
    payload.next_when(load, second.mux(skid_payload.q, arriving));
    // While the second register is empty, it loads the bus in every cycle; `second` says whether the data counts.
    skid_payload.next_when(!second, arriving);
    m.output("m_payload", payload.q, "the beat");
    m.built()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::many_lanes::decoder::{Pipeline, Waits};
    use crate::netlist::evaluator::{Evaluator, Random};

    /// The buffer of one lane of 16 bits, with its pace.
    fn block() -> Arc<Module> {
        let m = Builder::new("block", "");
        let (offered, ready) = (m.input("s_valid", 1, ""), m.input("m_ready", 1, ""));
        let payload = m.input("s_payload", 16, "");
        let (held, offers) = Pipeline::new(&m, 1, false).drive(&[offered], ready, Waits::default(), 1);
        let lanes = [vec![("data", payload)]];
        let Buffered { tvalid, lanes, .. } = skid_buffered(&m, (&held, offers), ready, &[], &lanes);
        m.output("m_valid", tvalid, "");
        m.output("m_payload", lanes[0][0], "");
        m.built_with_unused()
    }

    #[test]
    fn beats_that_are_offered_while_there_is_room_go_out_once_and_in_order() {
        let mut random = Random::new(7);
        let mut block = Evaluator::new(&block());
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
