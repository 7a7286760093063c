//! A FIFO at the end of a pipeline that never waits, and the count of beats that keeps the FIFO from overflowing.
//!
//! ```text
//!            ┌──────────── beats under way, at most `most` ────────────┐
//!  s_valid ──┴──> pipeline without enables ──> memory ──> head ──> payload ──> m_valid
//!      ^                                                             │ taken
//!      └── ready, a register ── credits <────────────────────────────┘
//! ```
//!
//! No stage of the pipeline has an enable. A beat is taken while the FIFO has room for all beats that are under way, so a stall of the
//! output reaches the input only through the count. With room for the beats that come in until a credit counts, the count never stops a
//! stream that is taken at once ([`words`]).

use std::sync::Arc;

use super::ports::{downstream, upstream};
use crate::netlist::{Builder, Memory, Module, RegisterRole, Signal};

/// Free credits below which no beat is taken. The count is of the cycle before the last one: two beats may have been taken since.
const FEWEST_FREE: u64 = 3;

/// Beats that a FIFO holds in registers after the memory.
const AFTER_MEMORY: u32 = 2;

/// The number of words of the FIFO at the end of a pipeline that gives a beat `latency` cycles after it took the beat, the FIFO
/// included: with the registers, room for the beats that come in up to the cycle in which the first one leaves. Where entries have second beats, `has_second`,
/// each of these stops the input for as many cycles as it takes itself, and no more, since there is room for the beats that come in until the
/// count knows.
pub fn words(latency: u32, has_second: bool) -> u32 {
    let until_known = if has_second { FEWEST_FREE as u32 - 1 } else { 0 };
    (latency + FEWEST_FREE as u32 + until_known - AFTER_MEMORY).next_power_of_two()
}

/// The most beats that can be under way with a FIFO of `words` words.
pub fn most(words: u32) -> u32 {
    words + AFTER_MEMORY
}

/// The second beat of an entry, which a FIFO gives after the payload: bits at the high end of the payload, and at the low end. All other bits
/// are zero in a second beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Second {
    /// Bits at the high end.
    pub high: u32,
    /// Bits at the low end.
    pub low: u32,
}

/// The shape of a [`fifo`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fifo {
    /// Entries in the memory; two more are in registers.
    pub words: u32,
    /// Bits of a beat.
    pub width: u32,
    /// The memory is RAM.
    pub is_ram: bool,
    /// An entry may have a second beat.
    pub second: Option<Second>,
}

/// A FIFO of entries in a memory, and two more in registers: the head, and the payload, which holds the beat that is offered. The memory is
/// wide, and its read address goes far, so nothing but the choice of a word stands between that address and the head. The FIFO has no ready: its
/// source knows that there is room. A beat is offered three cycles after it came, or after the beat before it. Module name
/// `fifo_<words>x<width>`.
///
/// With a [`Second`], an entry comes with `s_two`, there is a second beat, and `s_second`, its bits; and `m_first` says that the beat
/// that is offered is the first of two.
///
/// # Panics
/// If there is no memory of that shape.
pub fn fifo(Fifo { words, width, is_ram, second }: Fifo) -> Arc<Module> {
    let m = Builder::new(
        format!("fifo_{words}x{width}"),
        format!(
            "{words} beats in a memory, and two in registers, of which one is offered. The source offers a beat only where there is \
             room: there is no ready. Adds three cycles, never a bubble."
        ),
    );
    let input = upstream(&m, width);
    let of_second = second.map(|Second { high, low }| {
        let two = m.input("s_two", 1, "a second beat follows");
        let bits = high + low;
        (two, (bits > 0).then(|| m.input("s_second", bits, "bits of that beat; the others are zero")))
    });
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "beat is taken");

    let entry = [Some(input.payload), of_second.and_then(|(_, bits)| bits), of_second.map(|(two, _)| two)];
    let entry = m.concat(entry.into_iter().flatten().collect::<Vec<_>>().into_iter().rev());
    let memory = Memory::new(words, entry.width());
    let bits = memory.address_bits();
    let [write, read] = ["write_address", "read_address"]
        .map(|name| m.reg(&format!("{name}_reg"), bits).reset(0).role(RegisterRole::Buffer));
    let after = m.reg("address_after_reg", bits).reset(1).role(RegisterRole::Buffer);
    after.note("the read address after this one");
    let some =
        m.reg("some_reg", 1).reset(0).role(RegisterRole::Buffer).note("there is an entry in the memory");
    let head_valid = m.reg("head_valid_reg", 1).reset(0).role(RegisterRole::Buffer).note("there is a head");
    let head_full = m.reg("head_full_reg", 1).role(RegisterRole::Buffer).note("the same, for the head alone");
    let head = m.reg("head_reg", entry.width()).role(RegisterRole::Buffer).note("the first entry");
    let valid = m.reg("valid_reg", 1).reset(0).role(RegisterRole::Buffer).note("the register holds a beat");
    let full = m.reg("full_reg", 1).role(RegisterRole::Buffer).note("the same, for the payload alone");
    let payload = m.reg("payload_reg", width).role(RegisterRole::Buffer);
    let two = second.map(|_| {
        m.reg("two_reg", 1)
            .reset(0)
            .role(RegisterRole::Buffer)
            .note("the second beat of the entry is still to come")
    });

    let stays = (valid.q & !m_ready).named("stays").note("the beat in the register is not taken");
    let waits =
        two.map_or(stays, |two| (stays | two.q).named("waits").note("no entry moves into the register"));
    let valid_next = two.map_or(stays | head_valid.q, |two| stays | head_valid.q | two.q).named("valid_next");
    valid.next(valid_next);
    // This copy has no reset: synthesis would merge two registers that are equal in everything.
    full.next(valid_next);
    let fetches =
        (some.q & !(head_valid.q & waits)).named("fetches").note("an entry of the memory becomes the head");
    let head_next = (some.q | (head_valid.q & waits)).named("head_next");
    head_valid.next(head_next);
    head_full.next(head_next);
    // `m_ready` arrives late, from far away, so it decides enables and single bits only.
    let only_one = write.q.eq(after.q).named("only_one").note("an entry that is there is the only one");
    let more =
        (input.valid | (some.q & !only_one)).named("more").note("an entry is there even if one leaves");
    some.next(more | (some.q & !fetches));
    write.next_when(input.valid, write.q + m.lit(bits, 1));
    read.next_when(fetches, after.q);
    after.next_when(fetches, after.q + m.lit(bits, 1));
    let module = if is_ram { memory.module() } else { memory.registers() };
    let entries = m
        .instance("entries", &module)
        .input("write", input.valid)
        .input("write_address", write.q)
        .input("write_data", entry)
        .input("read_address", read.q);
    let load_head =
        (!head_full.q | !waits).named("load_head").note("there is no head, or it moves in this cycle");
    head.next_when(load_head, entries.output("read_data"));
    let load = (!full.q | m_ready).named("load").note("the register is empty, or emptied in this cycle");
    let next = match (second, two) {
        (Some(second), Some(two)) => {
            let moves = (head_valid.q & !waits).named("moves").note("the head moves into the register");
            two.next((stays & two.q) | (moves & head.q.bit(entry.width() - 1)));
            let bits = second.high + second.low;
            let held = (bits > 0).then(|| {
                let held =
                    m.reg("second_reg", bits).role(RegisterRole::Buffer).note("the bits of the second beat");
                held.next_when(load, head.q.bits(width..width + bits));
                held.q
            });
            of_two(&m, head.q.bits(0..width), second, held, two.q)
        }
        _ => head.q,
    };
    payload.next_when(load, next);

    m.port_group("Downstream");
    downstream(&m, valid.q, payload.q);
    if let (Some(two), Some(Second { low: 1.., .. })) = (two, second) {
        m.output("m_first", two.q, "beat is the first of two");
    }
    m.built()
}

/// The next payload: the first beat of an entry, or where `two`, the second beat that is `held`. By AND and OR, since a choice between a value
/// and zero becomes a synchronous reset in some tools.
fn of_two<'m>(
    m: &'m Builder,
    first: Signal<'m>,
    Second { high, low }: Second,
    held: Option<Signal<'m>>,
    two: Signal<'m>,
) -> Signal<'m> {
    let masked = |value: Signal<'m>, mask: Signal<'m>| value & mask.repeat(value.width() as usize);
    let first = masked(first, !two);
    let Some(held) = held else { return first };
    let held = masked(held, two).named("second_beat");
    let middle = first.width() - high - low;
    let zeros = (middle > 0).then(|| m.lit(middle, 0));
    let above = (high > 0).then(|| held.bits(low..low + high));
    first | m.concat([above, zeros, Some(held.bits(0..low))].into_iter().flatten())
}

/// The count of beats that may still be taken: a beat is taken while fewer than `most` are under way. Module name `credits_<most>`.
///
/// Inputs `left`, a beat is taken from the output, and `gone`, a beat ended inside, give a credit back each. If `is_swept`, no beat is taken
/// while the input `sweeps` is 1.
pub fn credits(most: u32, is_swept: bool) -> Arc<Module> {
    let m = Builder::new(
        format!("credits_{most}"),
        format!(
            "Takes beats while fewer than {most} are under way, so that there is room for each at the end."
        ),
    );
    let offered = m.input("s_valid", 1, "beat is offered");
    let left = m.input("left", 1, "a beat has left");
    let gone = m.input("gone", 1, "a beat has ended inside");
    let sweeps = is_swept.then(|| m.input("sweeps", 1, "the states of streams are cleared one by one"));
    let bits = u32::BITS - most.leading_zeros();
    let taken = m.reg("taken_reg", 1).reset(0).role(RegisterRole::Pace).note("a beat was taken");
    let back = m.reg("back_reg", 2).reset(0).role(RegisterRole::Pace).note("beats that were counted out");
    let free = m
        .reg("free_reg", bits)
        .reset(most.into())
        .role(RegisterRole::Pace)
        .note("beats that could be taken two cycles ago");
    let ready = m.reg("ready_reg", 1).reset(0).role(RegisterRole::Ready).note("a beat is taken");
    // The count comes after registers, and ready after the count: no path leads from ready through a sum to ready.
    taken.next(offered & ready.q);
    back.next(m.concat([left & gone, left ^ gone]));
    free.next(free.q + back.q.zext(bits) - taken.q.zext(bits));
    let has_room = !free.q.within(0, FEWEST_FREE - 1);
    ready.next(sweeps.map_or(has_room, |sweeps| has_room & !sweeps));
    m.output("s_ready", ready.q, "beat is taken");
    m.built()
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::netlist::evaluator::{Evaluator, Random};

    const STAGES: usize = 5;
    const LATENCY: u32 = STAGES as u32 + 3;

    /// A pipeline of a few stages between the blocks. A beat is a number of eight bits; of each number whose lowest bit is set, a second beat
    /// has the high bit and the low two bits. Zero ends inside.
    fn pipeline() -> Arc<Module> {
        let m = Builder::new("pipeline", "");
        let (valid, number) = (m.input("valid", 1, ""), m.input("number", 8, ""));
        let m_ready = m.input("ready", 1, "");
        let credits =
            m.instance("credits", &credits(most(words(LATENCY, true)), false)).input("s_valid", valid);
        let takes = credits.output("s_ready");
        m.output("takes", takes, "");
        let mut stage = (valid & takes, number);
        for index in 1..=STAGES {
            let there = m.reg(&format!("valid_{index}_reg"), 1).reset(0);
            let number = m.reg(&format!("number_{index}_reg"), 8);
            there.next(stage.0);
            number.next(stage.1);
            stage = (there.q, number.q);
        }
        let (there, number) = stage;
        let present = there & number.any();
        let second = Some(Second { high: 1, low: 2 });
        let block = fifo(Fifo { words: words(LATENCY, true), width: 8, is_ram: true, second });
        let block = m.instance("fifo", &block).input("s_valid", present).input("s_payload", number);
        let bits = m.concat([number.bit(7), number.bits(0..2)]);
        block.input("s_two", number.bit(0)).input("s_second", bits).input("m_ready", m_ready);
        let given = block.output("m_valid") & m_ready & !block.output("m_first");
        credits.input("left", given).input("gone", there & !number.any());
        m.output("m_valid", block.output("m_valid"), "");
        m.output("m_payload", block.output("m_payload"), "");
        m.built()
    }

    /// Runs beats through the pipeline, with these chances in percent that either side is there; returns the cycles.
    fn run(beats: usize, [source, sink]: [u64; 2], number: impl Fn(&mut Random) -> u64) -> usize {
        let mut random = Random::new(source * 100 + sink);
        let mut block = Evaluator::new(&pipeline());
        block.reset();
        let (mut expected, mut offered, mut held) = (VecDeque::new(), None, None);
        let (mut taken, mut cycles) = (0, 0);
        while taken < beats || !expected.is_empty() {
            let offers = random.below(100) < source && taken < beats;
            offered = offered.or_else(|| offers.then(|| number(&mut random)));
            block.set("valid", offered.is_some().into());
            block.set("number", offered.unwrap_or_else(|| random.below(256)));
            let ready = random.below(100) < sink;
            block.set("ready", ready.into());
            let found = (block.get("m_valid") == 1).then(|| block.get("m_payload"));
            assert!(held.is_none() || held == found, "{held:?} waits, and then there is {found:?}");
            if let Some(found) = found.filter(|_| ready) {
                assert_eq!(Some(found), expected.pop_front(), "cycle {cycles}");
            }
            held = found.filter(|_| !ready);
            if block.get("takes") == 1
                && let Some(number) = offered.take()
            {
                taken += 1;
                expected.extend((number > 0).then_some(number));
                expected.extend((number & 1 == 1).then_some(number & 0x83));
            }
            block.clock();
            cycles += 1;
            assert!(cycles < 40 * beats + 100, "beats are still inside");
        }
        assert_eq!(block.get("m_valid"), 0);
        cycles
    }

    #[test]
    fn beats_come_out_once_and_in_order_whatever_waits() {
        for chances in [[100, 100], [100, 20], [20, 100], [50, 50], [90, 60]] {
            run(600, chances, |random| if random.one_in(5) { 0 } else { random.below(256) });
        }
    }

    #[test]
    fn nothing_waits_for_credits_while_beats_are_taken() {
        // A cycle in which ready rises, and the latency.
        assert_eq!(run(300, [100, 100], |_| 2), 300 + 1 + LATENCY as usize);
        assert_eq!(run(300, [100, 100], |random| 2 * random.below(2)) / 10, 30);
        // Two beats each.
        assert_eq!(run(300, [100, 100], |_| 3), 600 + 1 + LATENCY as usize);
    }
}
