//! The gearbox of a dense decoder, which fills every output beat but the last of a frame.
//!
//! Slots that fill no beat are left over, in the lanes in which they will go out. The slots of the next beat are rotated to the lanes
//! above those and around; slots that come to the lanes of slots left over are for the beat after. Two slots therefore never meet in
//! a lane, and each lane has one register for a slot left over.
//!
//! ```text
//!  left over   a b c .
//!  beat        d e f .    rotated by three  e f . d
//!  goes out    a b c d
//!  left over   e f . .
//! ```
//!
//! The number of slots left over is the only loop, a short sum of numbers of slots. If a frame ends with more slots than fill a beat, the
//! rest goes out in the next cycle. If the next beat has output for that cycle, too, that beat and all later ones wait.

use super::compaction::Placed;
use super::front::Spread;
use super::pipeline::Pipeline;
use crate::core::lanes::scan::levels;
use crate::core::lanes::{At, section};
use crate::core::many_lanes::logic::any_of;
use crate::netlist::{Builder, Signal, Stage};

/// A beat of slots.
pub(super) struct Beat<'m> {
    /// The beat is present.
    pub(super) present: At<'m>,
    /// The beat ends its frame.
    pub(super) last: At<'m>,
    /// The slot of each lane, in the stage of the others; lanes above those hold nothing.
    pub(super) slots: Vec<Placed<'m>>,
}

/// A beat as it goes out, and whether a beat has to wait in the next cycle.
pub(super) struct Packed<'m> {
    pub(super) beat: Beat<'m>,
    pub(super) waits_next: Signal<'m>,
}

/// How a beat is rotated and merged, two stages after the beat. Numbers are numbers of lanes.
struct Turn<'m> {
    /// The number of slots left over.
    by: At<'m>,
    /// The number of slots of the beat that are for the next output beat.
    over: At<'m>,
    /// The number of lanes of the output beat that hold slots, unless all do (`whole`).
    fill: At<'m>,
    whole: At<'m>,
    /// The output beat holds only slots left over at the end of the frame before.
    only_left: At<'m>,
    present: At<'m>,
    last: At<'m>,
}

/// Packs the slots of beats.
pub(super) fn pack<'m>(
    m: &'m Builder,
    beat: &Beat<'m>,
    spread: &Spread,
    pipeline: &Pipeline<'m>,
) -> Packed<'m> {
    let (turn, waits_next) = turn(m, beat, spread.lanes, pipeline);
    let lanes = spread.lanes;
    let mut at = turn.by.stage();
    let slots: Vec<Signal> = (0..)
        .zip(&beat.slots)
        .map(|(lane, &(_, slot))| {
            let slot = At::new(pipeline.stage_of_slots_at(lane), slot, at - 2);
            let slot = slot.registered(&format!("slot_of_lane_{lane}"));
            slot.on(pipeline.stage_of_beats_at(lane)).at(at).signal()
        })
        .collect();
    let width = slots[0].width();
    let mut now: Vec<Option<Signal>> = slots.into_iter().map(Some).collect();
    now.resize(lanes, None);
    for step in 0..levels(lanes) {
        section(m, at, &format!("slots are rotated by {}", 1 << step));
        let by = turn.by.bit(step).called(&format!("rotated_by_{}", 1 << step)).at(at).signal();
        let is_registered = spread.is_registered(step, levels(lanes));
        at += u32::from(is_registered);
        let turned = |lane: usize| {
            let (stays, comes) = (now[lane], now[(lane + lanes - (1 << step)) % lanes]);
            let slot = match (stays, comes) {
                (None, None) => return None,
                (Some(stays), None) => stays.masked(!by),
                (None, Some(comes)) => comes.masked(by),
                (Some(stays), Some(comes)) => by.mux(comes, stays),
            };
            Some(match is_registered {
                true => {
                    let number = m.folded().number(at);
                    pipeline
                        .stage_of_beats_at(lane)
                        .at(at)
                        .data(&format!("rotated_{number}_{lane}_reg"), slot)
                }
                false => slot.named(&format!("rotated_{}_{lane}_{step}", m.folded().number(at))),
            })
        };
        now = (0..lanes).map(turned).collect();
    }
    section(m, at - 1, "which lanes are filled from where");
    let numbers =
        [turn.by, turn.over, turn.fill, turn.whole, turn.only_left].map(|signal| signal.at(at - 1).signal());
    let masks: Vec<Fills> = (0..lanes)
        .map(|lane| fills(m, lane, lanes, numbers, pipeline.stage_of_beats_at(lane).at(at)))
        .collect();

    section(m, at, "the slots that go out, and those that are left over");
    let slots = (0..).zip(now).zip(masks).map(|((lane, slot), (stays, of_left, keep))| {
        let stage = pipeline.stage_of_beats_at(lane);
        let slot = slot.unwrap_or_else(|| m.lit(width, 0));
        let out = match stays.zip(of_left) {
            Some((stays, of_left)) => {
                let left = m.reg(&format!("left_{lane}_reg"), width).in_lane(lane);
                left.next_when(stage.enable, stays.mux(left.q, slot));
                of_left.mux(left.q, slot)
            }
            None => slot,
        };
        let at_merged =
            |what: &str, signal| stage.at(at + 1).data(&format!("packed_{what}_{lane}_reg"), signal);
        (at_merged("keep", keep), at_merged("slot", out.masked(keep)))
    });
    let slots = slots.collect();
    let beat = Beat { present: turn.present.at(at + 1), last: turn.last.at(at + 1), slots };
    Packed { beat, waits_next }
}

/// Registers of a lane: the slot left over stays; the slot of the output beat is one left over; the output beat has one. `None` where no
/// slot can be left over.
type Fills<'m> = (Option<Signal<'m>>, Option<Signal<'m>>, Signal<'m>);

/// Which slots fill a lane, by the fields of [`Turn`].
fn fills<'m>(
    m: &'m Builder,
    lane: usize,
    lanes: usize,
    [by, over, fill, whole, only_left]: [Signal<'m>; 5],
    stage: Stage<'m>,
) -> Fills<'m> {
    let register = |name: &str, signal| stage.data(&format!("{name}_{lane}_reg"), signal);
    // No number is as large as to reach the last lane.
    let below =
        |number: Signal<'m>| (lane + 1 < lanes).then(|| m.lit(number.width(), lane as u64).lt(number));
    let is_left = below(by).map(|is_left| is_left.named(&format!("is_left_{lane}")));
    let stays = is_left.zip(below(over)).map(|(is_left, over)| register("stays", is_left & !over));
    let of_left = is_left.map(|is_left| register("of_left", is_left | only_left));
    let keep = any_of([Some(whole), below(fill)].into_iter().flatten()).expect("one");
    (stays, of_left, register("fills", keep))
}

/// The loop of what is left over; and whether a beat has to wait in the next cycle.
fn turn<'m>(
    m: &'m Builder,
    beat: &Beat<'m>,
    lanes: usize,
    pipeline: &Pipeline<'m>,
) -> (Turn<'m>, Signal<'m>) {
    let at = beat.present.stage() + 1;
    section(m, at - 1, "the number of slots");
    let of_slots = pipeline.stage_of_slots();
    let bits = levels(lanes);
    let keep = |lane: usize| beat.slots.get(lane).map(|&(keep, _)| keep);
    // The slots are in the first lanes, so bit n of their number is the parity of every 2^n-th lane.
    let bit_of = |bit: u32| {
        let step = 1usize << bit;
        let of_lanes: Vec<Signal> =
            (step..=lanes).step_by(step).filter_map(|count| keep(count - 1)).collect();
        let parts = of_lanes.chunks(2).map(|pair| match *pair {
            [low, high] => low & !high,
            _ => pair[0],
        });
        let is_set = any_of(parts).unwrap_or_else(|| m.lit(1, 0));
        of_slots.at(at).data(&format!("count_bit_{bit}_reg"), is_set)
    };
    let count = m.concat((0..=bits).rev().map(bit_of));
    let fills_alone = keep(lanes - 1);
    let ends = (beat.present & beat.last).signal();
    let sends_alone = any_of([Some(ends), fills_alone].into_iter().flatten())
        .expect("a frame ends")
        .named("sends_alone")
        .note("something goes out with this beat, even if nothing is left over");
    let (present, last) = (beat.present.at(at).signal(), beat.last.at(at).signal());

    section(m, at, "the number of slots that are left over");
    let stage = pipeline.stage_of_beats();
    let left = stage.state("left_over_reg", bits).note("slots that have not filled a beat yet");
    let rest = stage.state("rest_reg", 1).note("those of a frame that has ended go out now");
    let rest_count = m.reg("rest_count_reg", bits).note("so many");
    let waits = stage.state("waits_reg", 1).note("the beat waits for them");
    let goes = (present & !waits.q).named("goes_on");
    let sum = (left.q.zext(bits + 1) + count.masked(goes)).named("slots_up_to_beat");
    let (whole, over) = (sum.bit(bits), sum.bits(0..bits));
    let ends = (goes & last).named("ends");
    let has_rest = (whole & ends & over.any()).named("has_rest").note("the frame ends with more than a beat");
    stage.load(left, over.masked(!ends));
    stage.load(rest, has_rest);
    rest_count.next_when(stage.enable, over);
    let waits_next = (has_rest & sends_alone).named("next_waits");
    stage.load(waits, waits_next);
    let waits_next = stage.enable.mux(waits_next, waits.q) & !pipeline.flush();
    let at_turn = |name: &str, signal| At::new(stage, signal, at).registered(name);
    let turn = Turn {
        by: at_turn("by", left.q),
        over: at_turn("over", over.masked(whole)),
        fill: at_turn("fill", rest.q.mux(rest_count.q, over)),
        whole: at_turn("is_whole", whole),
        only_left: at_turn("only_left", rest.q),
        present: At::new(stage, rest.q | whole | ends, at).flag().registered("packed_present"),
        last: at_turn("packed_last", rest.q | (ends & !has_rest)),
    };
    (turn, waits_next.named("beat_waits_next"))
}
