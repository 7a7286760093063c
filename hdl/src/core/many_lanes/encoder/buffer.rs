//! The output buffer: three registers, so that the stages upstream know one cycle early whether they move.
//!
//! ```text
//!  pipeline ──> third ──> second ──> first ──> m_axis      a beat skips the registers that are empty
//! ```
//!
//! Cost: a LUT a bit in front of the first and the second register; no path from `m_axis_tready` to the pipeline.

use std::sync::Arc;

use crate::netlist::{Builder, Module, Reg, RegisterRole, Signal};

/// A buffer after a pipeline that moves as a whole or not at all. `s_moves`: the pipeline moves, and a beat that it offers is taken; [`Room`]
/// gives the permission one cycle earlier. All outputs are registers.
pub(super) fn output_buffer(width: u32) -> Arc<Module> {
    let m = Builder::new(
        format!("output_buffer_w{width}"),
        "Three registers behind a pipeline that learns a cycle ahead whether it moves: every output is a register, so that no path \
         leads through. Holds three beats, adds one cycle, never a bubble.",
    );
    m.port_group("Upstream");
    let offered = m.input("s_valid", 1, "the pipeline offers a beat");
    let arriving = m.input("s_payload", width, "that beat");
    let moves = m.input("s_moves", 1, "the pipeline moves");
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "beat is taken");

    let held = Held::new(&m, RegisterRole::Buffer, RegisterRole::BufferSkid);
    let register = |name: &str| m.reg(name, width).role(RegisterRole::Buffer);
    let payload = register("payload_reg");
    let second = register("second_payload_reg");
    let third = register("third_payload_reg");
    let taken = (offered & moves).named("taken");
    let load =
        (!held.first.q | m_ready).named("load").note("the first register is empty, or emptied in this cycle");
    payload.next_when(load, held.second.q.mux(second.q, arriving));
    // Registers that hold no beat load whatever is on the bus: only flags say what counts.
    second.next_when(m_ready | !held.second.q, held.third.q.mux(third.q, arriving));
    third.next_when(!held.third.q, arriving);
    held.drive(taken, m_ready);
    m.output("m_valid", held.first.q, "beat is offered");
    m.output("m_payload", payload.q, "the beat");
    m.built()
}

/// Which registers of the buffer hold beats.
struct Held<'m> {
    first: Reg<'m>,
    second: Reg<'m>,
    third: Reg<'m>,
}

/// Flags of the second and third register in the next cycle.
struct HeldNext<'m> {
    second: Signal<'m>,
    third: Signal<'m>,
}

impl<'m> Held<'m> {
    /// `first` is the role of the flag of the first register, and `others` that of the second and the third.
    fn new(m: &'m Builder, first: RegisterRole, others: RegisterRole) -> Self {
        let flag = |name: &str, role| m.reg(name, 1).reset(0).role(role);
        Self {
            first: flag("valid_reg", first).note("a beat is offered"),
            second: flag("second_valid_reg", others).note("a second beat is held"),
            third: flag("third_valid_reg", others).note("a third beat is held"),
        }
    }

    /// Takes a beat from upstream, or none, and gives the first one where `m_ready`.
    fn drive(&self, taken: Signal<'m>, m_ready: Signal<'m>) -> HeldNext<'m> {
        let [first, second, third] = [self.first.q, self.second.q, self.third.q];
        let stays = (first & !m_ready).named("stays").note("the first beat is not taken");
        let next = HeldNext {
            second: stays.mux(second | taken, second & (third | taken)).named("second_valid_next"),
            third: (stays & (third | (second & taken))).named("third_valid_next"),
        };
        self.first.next(taken | stays | second);
        self.second.next(next.second);
        self.third.next(next.third);
        next
    }
}

/// Permission for the pipeline upstream of the buffer to move.
pub(super) struct Room<'m> {
    /// The pipeline moves in this cycle. A register.
    pub(super) moves: Signal<'m>,
    /// The pipeline moves in the next cycle. A register.
    pub(super) moves_next: Signal<'m>,
}

impl<'m> Room<'m> {
    /// Follows how many beats the buffer holds. The pipeline offers a beat if `offered`. The permission is given as if the pipeline always offered
    /// one in the next cycle. The pipeline therefore waits more often than the buffer needs, but for no more cycles than the sink has waited.
    pub(super) fn follow(m: &'m Builder, offered: Signal<'m>, m_ready: Signal<'m>) -> Self {
        // No stage holds a beat in the cycle after reset, so this register needs no reset value.
        let moves = m.reg("moves_reg", 1).role(RegisterRole::Room).note("the pipeline moves");
        let ahead = m
            .reg("moves_next_reg", 1)
            .reset(1)
            .role(RegisterRole::Pace)
            .note("it will in the next cycle: the buffer has room even then");
        let waits = m
            .reg("waits_reg", 1)
            .reset(0)
            .role(RegisterRole::Pace)
            .note("the complement, for the logic here: the net of moves_reg is long, and equal registers are merged");
        waits.next(!ahead.q);
        let held = Held::new(m, RegisterRole::Pace, RegisterRole::Pace);
        let next = held.drive((offered & !waits.q).named("taken_by_buffer"), m_ready);
        ahead.next(!(next.third | (next.second & ahead.q)));
        moves.next(ahead.q);
        Self { moves: moves.q, moves_next: ahead.q }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::evaluator::{Evaluator, Random};

    /// A pipeline of one stage, the buffer, and the room that it follows: beats are 1, 2, 3 and so on.
    fn pipeline() -> Arc<Module> {
        let m = Builder::new("pipeline", "One stage and the buffer.");
        let (offered, ready) = (m.input("offered", 1, ""), m.input("m_ready", 1, ""));
        let valid = m.reg("stage_valid_reg", 1).reset(0);
        let count = m.reg("stage_reg", 16).reset(0);
        let Room { moves, .. } = Room::follow(&m, valid.q, ready);
        valid.next_when(moves, offered);
        count.next_when(moves & offered, count.q + m.lit(16, 1));
        let buffer = m.instance("output_buffer", &output_buffer(16));
        buffer.input("s_valid", valid.q).input("s_payload", count.q);
        buffer.input("s_moves", moves).input("m_ready", ready);
        m.output("m_valid", buffer.output("m_valid"), "");
        m.output("m_payload", buffer.output("m_payload"), "");
        m.output("moves", moves, "");
        m.built_with_unused()
    }

    #[test]
    fn every_beat_goes_out_once_and_in_order() {
        for (seed, sparse) in (0..).zip([1, 2, 4]) {
            let mut random = Random::new(seed);
            let mut block = Evaluator::new(&pipeline());
            block.reset();
            let (mut taken, mut given) = (0, 0);
            for _ in 0..3000 {
                let (offered, ready) = (random.one_in(sparse), random.one_in(2));
                block.set("offered", offered.into());
                block.set("m_ready", ready.into());
                taken += u64::from(offered && block.get("moves") == 1);
                if block.get("m_valid") == 1 && ready {
                    given += 1;
                    assert_eq!(block.get("m_payload"), given);
                }
                block.clock();
            }
            // The stage and three registers can hold beats.
            assert!(given > 300 && taken - given <= 4, "{given} of {taken}");
        }
    }

    #[test]
    fn a_beat_goes_out_every_cycle_while_all_are_taken() {
        let mut block = Evaluator::new(&pipeline());
        block.reset();
        // Whether the pipeline moves in the cycle after reset is not said.
        block.clock();
        block.set("offered", 1);
        block.set("m_ready", 1);
        let valid = |block: &mut Evaluator| {
            block.clock();
            block.get("m_valid")
        };
        let cycles: Vec<u64> = (0..40).map(|_| valid(&mut block)).collect();
        assert_eq!(cycles[0], 0, "the stage takes the first beat");
        assert!(cycles[1..].iter().all(|&valid| valid == 1), "{cycles:?}");
    }
}
