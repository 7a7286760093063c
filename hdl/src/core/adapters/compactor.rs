//! The compactor: beats with units in any lanes become beats that are full, but at the end of a frame.
//!
//! ```text
//!            ┌─ front ──────────────────┐                 ┌─ network ───────────┐
//!  s_axis ──>│ skid buffer ──> counts   │──> positions ──>│ a switch for each   │──> merge with the ──> skid buffer ──> m_axis
//!            └──────────────────────────┘    of blocks    │ bit of a lane       │    units left over
//!                                                         └─────────────────────┘
//! ```
//!
//! The unit of rank `n` in its beat goes to lane `(left over + n) mod LANES`. The switch of step `2^k` exchanges lanes whose numbers
//! differ in bit `k`, so that each unit is in a lane that has that bit of its target. The units of a block of `2^(k+1)` lanes have
//! targets that follow each other, so no two of them want the same lane: such a network compacts without conflicts (Narasimha, "A
//! recursive concentrator structure with applications to self-routing switching networks", 1994).
//!
//! In the *planes* of a beat, a plane has one bit of every lane, so that a switch is the same operations on each plane.
//!
//! Where the last beat of a frame overflows, the rest takes a beat of its own: the front waits for a cycle, in which a beat without
//! units passes.

use std::sync::Arc;

use super::beat::{Beat, OF_END, Shape};
use crate::netlist::{Builder, Module, Signal, Stage};
use crate::stream::{connect, skid_buffer};

/// Levels of the trees of counts and of positions that share a stage.
const LEVELS: u32 = 2;

/// Cycles from the beat that completes an output beat to that beat: buffer, counts, positions, network, buffer.
pub(super) fn latency(lanes: u32) -> u32 {
    let levels = lanes.ilog2();
    1 + 2 * levels.div_ceil(LEVELS) + levels + 1
}

/// A beat under way.
struct Moving<'m> {
    valid: Signal<'m>,
    /// The bits of units: a bit of every lane each.
    planes: Vec<Signal<'m>>,
    keep: Signal<'m>,
    last: Signal<'m>,
    /// TID and TDEST, and the user's bits.
    others: Vec<Signal<'m>>,
}

impl<'m> Moving<'m> {
    /// The beat after stage `number`; `others` pass in a stage of their own.
    fn after(&self, stage: Stage<'m>, others: Stage<'m>, number: u32) -> Self {
        let plane = |(index, &plane)| stage.data(&format!("plane_{index}_{number}_reg"), plane);
        let other = |(index, &other)| others.data(&format!("sideband_{index}_{number}_reg"), other);
        Self {
            valid: stage.flag(&format!("valid_{number}_reg"), self.valid),
            planes: self.planes.iter().enumerate().map(plane).collect(),
            keep: stage.data(&format!("keep_{number}_reg"), self.keep),
            last: stage.data(&format!("last_{number}_reg"), self.last),
            others: self.others.iter().enumerate().map(other).collect(),
        }
    }
}

/// The units in blocks of lanes, by level: blocks of level `k` have `2^k` lanes. Positions need the counts of every other block only.
type Counts<'m> = Vec<Vec<Option<Signal<'m>>>>;

/// The lane, modulo `2^(k+1)`, to which the first unit of each block of level `k` goes.
type Starts<'m> = Vec<Vec<Signal<'m>>>;

/// Facts of a beat for the merge.
#[derive(Clone, Copy)]
struct Merge<'m> {
    /// There is an output beat.
    emits: Signal<'m>,
    /// With the units left over, there are as many units as lanes.
    full: Signal<'m>,
    /// The lanes of the units left over.
    held: Signal<'m>,
}

impl<'m> Merge<'m> {
    fn after(self, stage: Stage<'m>, number: u32) -> Self {
        Self {
            emits: stage.flag(&format!("emits_{number}_reg"), self.emits),
            full: stage.data(&format!("full_{number}_reg"), self.full),
            held: stage.data(&format!("held_{number}_reg"), self.held),
        }
    }
}

/// The compactor, called `name`.
pub(super) fn compactor(name: &str, shape: &Shape) -> Arc<Module> {
    let (lanes, levels) = (shape.lanes, shape.lanes.ilog2());
    let says = format!(
        "Compacts beats of {lanes} lanes with units in any of them: all beats go out full, but the last one of a frame."
    );
    let m = Builder::new(name, says);
    let (offered, beat) = shape.inputs(&m, OF_END);
    m.port_group("AXI4-Stream output");
    let m_ready = m.input("m_axis_tready", 1, "the beat is taken");
    let moves = m.wire("moves", 1).note("the output buffer has room, and the pipeline moves");
    let flushes = m.wire("flushes", 1).note("the rest of a frame passes, and no beat of the front");
    let front = (moves & !flushes).named("front_moves");

    m.section("Lanes without a unit become zero");
    let beat = shape.masked(&m, beat);
    let payload = beat.packed(&m);
    let buffer = skid_buffer(payload.width());
    let input = connect(m.instance("input_buffer", &buffer), offered, payload, front);
    let held = beat.unpacked(input.payload, "arrived");
    let bits = shape.unit_bits;
    let plane = |bit| {
        m.concat((0..lanes).rev().map(|lane| held.data.bit(lane * bits + bit))).named(&format!("plane_{bit}"))
    };
    let others = held.of_frame.into_iter().chain(held.user).collect();
    let moving = Moving {
        valid: input.valid,
        planes: (0..bits).map(plane).collect(),
        keep: held.keep,
        last: held.last,
        others,
    };
    let (moving, counts) = counted(&m, m.stage(front), moving, levels);
    let (moving, merge, left) =
        overflowing(&m, moves, flushes, moving, counts[levels as usize][0].expect("the top is counted"));
    let (moving, merge, starts) = positioned(&m, (moves, flushes), (moving, merge), counts, left);
    let (moving, merge) = switched(&m, m.stage(moves), (moving, merge), &starts);
    let (valid, out) = merged(&m, moves, shape, &held, &moving, merge);
    let buffered = connect(m.instance("output_buffer", &buffer), valid, out.packed(&m), m_ready);
    m.drive(moves, buffered.ready);
    shape.outputs(&m, [input.ready, buffered.valid], out.unpacked(buffered.payload, "output"), OF_END);
    m.built()
}

/// The counts after a stage: of the newest level those of all blocks, of others those of every other block.
fn counts_after<'m>(
    stage: Stage<'m>,
    number: u32,
    level: usize,
    counts: &[Option<Signal<'m>>],
    all: bool,
) -> Vec<Option<Signal<'m>>> {
    let name = |block: usize| format!("count_{}_{block}_{number}_reg", 1 << level);
    let after = |(block, &count): (usize, &Option<Signal<'m>>)| {
        count.filter(|_| all || block % 2 == 0).map(|count| stage.data(&name(block), count))
    };
    counts.iter().enumerate().map(after).collect()
}

/// Counts the units of blocks, in stages of a few levels each.
fn counted<'m>(
    m: &'m Builder,
    stage: Stage<'m>,
    moving: Moving<'m>,
    levels: u32,
) -> (Moving<'m>, Counts<'m>) {
    let (mut moving, mut counts): (_, Counts) = (moving, vec![vec![]]);
    let mut newest: Vec<Signal> = (0..1 << levels).map(|lane| moving.keep.bit(lane)).collect();
    for number in 1..=levels.div_ceil(LEVELS) {
        m.stage_section(number, "Units in blocks of lanes are counted");
        let stage = stage.at(number);
        let level = |(level, of_level): (usize, &Vec<Option<Signal<'m>>>)| {
            counts_after(stage, number, level, of_level, false)
        };
        counts = counts.iter().enumerate().map(level).collect();
        let top = (number * LEVELS).min(levels);
        for level in counts.len() as u32..=top {
            let sum = |pair: &[Signal<'m>]| pair[0].zext(level + 1) + pair[1].zext(level + 1);
            newest = newest.chunks(2).map(sum).collect();
            let all: Vec<Option<Signal>> = newest.iter().copied().map(Some).collect();
            counts.push(counts_after(stage, number, level as usize, &all, level == top));
        }
        newest = counts[top as usize].iter().flatten().copied().collect();
        moving = moving.after(stage, stage, number);
    }
    (moving, counts)
}

/// The units left over, and the beat that enters the positions: that of the front, or the rest of a frame. Gives the units left over, too.
fn overflowing<'m>(
    m: &'m Builder,
    moves: Signal<'m>,
    flushes: Signal<'m>,
    front: Moving<'m>,
    count: Signal<'m>,
) -> (Moving<'m>, Merge<'m>, Signal<'m>) {
    m.section("The units left over, and the ends of frames");
    let lanes = front.keep.width();
    let bits = lanes.ilog2();
    let left =
        m.reg("left_over_reg", bits).reset(0).note("the number of units left over by the beats before");
    let flush = m.reg("flush_reg", 1).reset(0).note("the rest of a frame is left over");
    m.drive(flushes, flush.q);
    let units = (left.q.zext(bits + 1) + count).named("units").note("with those left over");
    let rest = units.bits(0..bits).named("rest");
    let overflows = (!flushes & front.valid & front.last & units.bit(bits) & rest.any()).named("overflows");
    let overflows = overflows.note("the rest of the frame takes a beat of its own");
    flush.next_when(moves, overflows);
    let valid = (flushes | front.valid).named("enters");
    let ends = (flushes | (front.last & !overflows)).named("ends").note("the frame ends with the beat");
    left.next_when(moves & valid, rest & (!ends).repeat(bits as usize));
    let full = (units.bit(bits) & !flushes).named("is_full");
    let held = m.concat((0..lanes).rev().map(|lane| is_above(left.q, lane))).named("left_lanes");
    let passes = (!flushes).repeat(lanes as usize).named("passes").note("the rest has no units of its own");
    let planes = front.planes.iter().map(|&plane| plane & passes).collect();
    let entering = Moving { valid, planes, keep: front.keep & passes, last: ends, others: front.others };
    (entering, Merge { emits: valid & (full | ends), full, held }, left.q)
}

/// The lane to which the first unit of each block goes, from the whole beat down to single lanes.
fn positioned<'m>(
    m: &'m Builder,
    (moves, flushes): (Signal<'m>, Signal<'m>),
    (moving, merge): (Moving<'m>, Merge<'m>),
    counts: Counts<'m>,
    left: Signal<'m>,
) -> (Moving<'m>, Merge<'m>, Starts<'m>) {
    let levels = left.width();
    let stages = levels.div_ceil(LEVELS);
    let (mut moving, mut merge, mut counts) = (moving, merge, counts);
    let mut starts: Starts = vec![vec![]; levels as usize];
    let mut newest = vec![left];
    for number in stages + 1..=2 * stages {
        m.stage_section(number, "The lanes that blocks begin at");
        let stage = m.stage(moves).at(number);
        let bottom = levels.saturating_sub((number - stages) * LEVELS) as usize;
        let top = starts.iter().position(|of_level| !of_level.is_empty()).unwrap_or(levels as usize);
        for level in (bottom..top).rev() {
            let bits = level as u32 + 1;
            let count = |block: usize| match level {
                0 => moving.keep.bit(block as u32),
                _ => counts[level][block].expect("every other block is counted").bits(0..bits),
            };
            let pair = |(block, &start): (usize, &Signal<'m>)| {
                let start = start.bits(0..bits);
                [start, start + count(2 * block)]
            };
            newest = newest.iter().enumerate().flat_map(pair).collect();
            starts[level].clone_from(&newest);
        }
        for (level, of_level) in starts.iter_mut().enumerate() {
            starts_after(stage, number, level, of_level);
        }
        newest = starts[bottom].clone();
        let level = |(level, of_level): (usize, &Vec<Option<Signal<'m>>>)| match level < bottom {
            true => counts_after(stage, number, level, of_level, false),
            false => vec![],
        };
        counts = counts.iter().enumerate().map(level).collect();
        // The rest of a frame has the sideband of the beat before it.
        let others = if number == stages + 1 { m.stage(moves & !flushes).at(number) } else { stage };
        moving = moving.after(stage, others, number);
        merge = merge.after(stage, number);
    }
    (moving, merge, starts)
}

/// Puts the starts of the blocks of a level through a stage.
fn starts_after<'m>(stage: Stage<'m>, number: u32, level: usize, starts: &mut [Signal<'m>]) {
    for (block, start) in starts.iter_mut().enumerate() {
        *start = stage.data(&format!("start_{}_{block}_{number}_reg", 1 << level), *start);
    }
}

/// Moves units to their lanes, modulo the number of lanes.
fn switched<'m>(
    m: &'m Builder,
    stage: Stage<'m>,
    (moving, merge): (Moving<'m>, Merge<'m>),
    starts: &Starts<'m>,
) -> (Moving<'m>, Merge<'m>) {
    let lanes = moving.keep.width();
    let (mut moving, mut merge, mut starts) = (moving, merge, starts.clone());
    let first = 2 * (starts.len() as u32).div_ceil(LEVELS) + 1;
    // What the switch of single lanes wants are the starts themselves.
    let mut wants = m.concat(starts[0].iter().rev().copied()).named("wants_1");
    for (level, number) in (0..starts.len()).zip(first..) {
        m.stage_section(number, format!("Units move by {} lanes, or stay", 1 << level));
        let stage = stage.at(number);
        let by = 1 << level;
        let up = |plane: Signal<'m>| m.concat([plane.bits(0..lanes - by), m.lit(by, 0)]);
        let down = |plane: Signal<'m>| m.concat([m.lit(by, 0), plane.bits(by..lanes)]);
        let lower = m.lit(lanes, (0..lanes).filter(|lane| lane & by == 0).map(|lane| 1 << lane).sum());
        let rises = moving.keep & wants & lower;
        let falls = down(moving.keep) & !down(wants) & lower;
        let swaps =
            (rises | falls).named(&format!("swaps_{by}")).note("the lower lanes of pairs that change places");
        let upper = up(swaps).named(&format!("upper_{by}")).note("their upper lanes");
        let stays = (!(swaps | upper)).named(&format!("stays_{by}"));
        let exchanged = |plane: Signal<'m>| (plane & stays) | (up(plane) & upper) | (down(plane) & swaps);
        moving.planes.iter_mut().for_each(|plane| *plane = exchanged(*plane));
        moving.keep = exchanged(moving.keep);
        if let Some(next) = starts.get(level + 1) {
            let next = wanted(m, next, level as u32 + 1).named(&format!("wants_{}", 2 * by));
            wants = stage.data(&format!("wants_{}_{number}_reg", 2 * by), next);
        }
        for (later, of_level) in starts.iter_mut().enumerate().skip(level + 2) {
            starts_after(stage, number, later, of_level);
        }
        moving = moving.after(stage, stage, number);
        merge = merge.after(stage, number);
    }
    (moving, merge)
}

/// Whether a number is above `bound`; no number is above the largest of its bits, which tools would say of a comparison.
fn is_above(number: Signal<'_>, bound: u32) -> Signal<'_> {
    let bits = number.width();
    if bound == (1 << bits) - 1 { number.lit(1, 0) } else { number.lit(bits, bound.into()).lt(number) }
}

/// Whether the unit in each lane belongs in a lane with bit `level` set. The units of a block are in lanes of their targets, modulo the
/// block: those below its first one have gone around.
fn wanted<'m>(m: &'m Builder, starts: &[Signal<'m>], level: u32) -> Signal<'m> {
    let lanes = (starts.len() as u32) << level;
    let wants = |lane: u32| {
        let start = starts[(lane >> level) as usize];
        let around = is_above(start.bits(0..level), lane & ((1 << level) - 1));
        start.bit(level) ^ around
    };
    m.concat((0..lanes).rev().map(wants))
}

/// Merges the units that arrive with those left over; gives the output beat, and whether there is one.
fn merged<'m>(
    m: &'m Builder,
    moves: Signal<'m>,
    shape: &Shape,
    like: &Beat<'m>,
    moving: &Moving<'m>,
    merge: Merge<'m>,
) -> (Signal<'m>, Beat<'m>) {
    m.section("Units left over come before those of the beat");
    let loads = (moves & moving.valid).named("merges");
    let full = merge.full.repeat(shape.lanes as usize).named("all_full");
    let plane = |(index, &arriving): (usize, &Signal<'m>)| {
        let left = m.reg(&format!("left_{index}_reg"), shape.lanes);
        let out = ((arriving & !merge.held) | (left.q & merge.held)).named(&format!("out_{index}"));
        // Units that went around are the ones left over by a full beat.
        left.next_when(loads, (arriving & full) | (out & !full));
        out
    };
    let planes: Vec<Signal> = moving.planes.iter().enumerate().map(plane).collect();
    let lane = |lane: u32| planes.iter().rev().map(move |plane| plane.bit(lane));
    let mut others = moving.others.iter().copied();
    let of_frame = like.of_frame.and_then(|_| others.next());
    let user = like.user.and_then(|_| others.next());
    let out = Beat {
        data: m.concat((0..shape.lanes).rev().flat_map(lane)).named("out_data"),
        keep: (moving.keep | merge.held).named("out_keep"),
        last: moving.last,
        of_frame,
        user: user.map(|user| user & moving.last.repeat(user.width() as usize)),
    };
    (merge.emits, out)
}
