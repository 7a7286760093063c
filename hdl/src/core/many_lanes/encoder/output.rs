//! The output of an encoder: units of several beats come together in one, and a buffer makes registers of all outputs.
//!
//! Units that fill no beat yet are left over, in the lanes in which they will go out. So two units never meet in a lane.

use std::collections::BTreeMap;

use super::buffer::output_buffer;
use super::movement::{Movement, Moves};
use super::network::Ring;
use super::plan::Plan;
use super::windows::{Cut, Window};
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::ports::{UnitsOut, units_out};
use crate::netlist::{Builder, Signal};
use crate::stream::Fields;

/// Lanes that share an output buffer: what is taken or not decides over each bit of it, so the net that says so is short.
const LANES_OF_BUFFER: usize = 4;

/// What goes out beside the units.
struct Beat<'m> {
    present: Signal<'m>,
    /// It will be in the next cycle, if the stages of units move in this one.
    made: Signal<'m>,
    last: Signal<'m>,
    amiss: Signal<'m>,
    keep: Vec<Signal<'m>>,
    units: Vec<Signal<'m>>,
}

/// What comes from the neighbours of the core.
pub(super) struct Outside<'m> {
    /// A beat is offered at the input.
    pub(super) offered: Signal<'m>,
    /// The beat at the output is taken.
    pub(super) m_axis_tready: Signal<'m>,
}

/// What can stand before the units of a beat.
pub(super) struct InFront<'a, 'm> {
    /// The units of the replacement.
    pub(super) replacement: &'a [u64],
    pub(super) openings: Vec<Front<'m>>,
}

/// Merges `rings`, as of stage `plan.merged`, to output beats, and declares the ports.
pub(super) fn output<'m>(
    m: &'m Builder,
    rings: &[Ring<'m>],
    window: Window<'m>,
    in_front: &InFront<'_, 'm>,
    Outside { offered, m_axis_tready }: Outside<'m>,
    plan: &Plan,
    movement: &Movement<'m>,
) {
    let final_next = window.final_next;
    let beat = merge(m, rings, window, in_front, plan, movement);
    m.section("Output: a buffer makes registers of all outputs");
    let groups = plan.lanes.div_ceil(LANES_OF_BUFFER);
    let lanes: Vec<usize> = (0..plan.lanes).collect();
    let (mut units, mut keep, mut closes, mut blocks) = (Vec::new(), Vec::new(), None, BTreeMap::new());
    for (index, lanes) in lanes.chunks(LANES_OF_BUFFER).enumerate() {
        let ends = (index == 0).then_some([beat.amiss, beat.last]);
        let fields = lanes.iter().rev().flat_map(|&lane| [beat.keep[lane], beat.units[lane]]);
        let payload = m.concat(ends.into_iter().flatten().chain(fields));
        let name = if groups == 1 { "output_buffer".to_owned() } else { format!("output_buffer_{index}") };
        let block = blocks.entry(payload.width()).or_insert_with(|| output_buffer(payload.width()));
        let buffer = m.instance(&name, block);
        buffer
            .input("s_valid", beat.present)
            .input("s_payload", payload)
            .input("s_moves", movement.stage_at(plan.merged, lanes[0]).enable)
            .input("m_ready", m_axis_tready);
        let mut fields = Fields::of(buffer.output("m_payload").named(&format!("{name}_beat")));
        if let Some([amiss, last]) = ends {
            let amiss = fields.next(amiss, "output_amiss");
            let last = fields.next(last, "output_last");
            closes = Some((buffer.output("m_valid").named("output_valid"), last, amiss));
        }
        let taken = lanes.iter().rev().map(|&lane| {
            let keep = fields.next(beat.keep[lane], &format!("output_keep_{lane}"));
            (keep, fields.next(beat.units[lane], &format!("output_unit_{lane}")))
        });
        for (lane_keep, unit) in taken.collect::<Vec<_>>().into_iter().rev() {
            keep.push(lane_keep);
            units.push(unit);
        }
    }
    let (tvalid, tlast, tuser) = closes.expect("there are lanes");
    m.section("The pace");
    let Beat { present, made, .. } = beat;
    movement.drive(&Moves { offered, final_next, beat: present, beat_next: made, m_axis_tready });
    let tkeep = m.concat(keep.into_iter().rev());
    units_out(m, UnitsOut { units, tkeep, tuser, tvalid, tlast });
}

/// Output beats, as of stage `plan.merged`.
fn merge<'m>(
    m: &'m Builder,
    rings: &[Ring<'m>],
    window: Window<'m>,
    InFront { replacement, openings }: &InFront<'_, 'm>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Beat<'m> {
    let Window { makes, is_full, fill, last, amiss, cut, .. } = window;
    let delay = |name: &str, signal, to| movement.delay(name, signal, plan.windows, to);
    m.stages_section(plan.windows, plan.merged, "what is known of the output beat");
    let before = plan.merged - 1;
    // What moves in the cycle behind reset was under way before.
    let present = m.reg("present_reg", 1).reset(0);
    let made = (delay("makes", makes, before) & !movement.flushes(before)).named("output_made");
    present.next_when(movement.stage(plan.merged).enable, made);
    let (last, amiss) = (delay("output_last", last, plan.merged), delay("output_amiss", amiss, plan.merged));
    let (is_full, fill) = (delay("is_full", is_full, before), delay("fill", fill, before));
    let stage = |lane: usize| movement.stage_at(plan.merged, lane);
    let keep = (0..plan.lanes).map(|lane| {
        let below = m.lit(fill.width(), lane as u64).lt(fill);
        let keep = if lane + 1 < plan.lanes { is_full | below } else { is_full };
        stage(lane).data(&format!("keep_{lane}_{}_reg", plan.merged), keep)
    });
    let keep: Vec<Signal> = keep.collect();
    // Behind reset, what is left over is replaced by what the empty beat of the cycle behind reset has: zeros.
    let advances = (0..plan.lanes.div_ceil(LANES_OF_BUFFER)).map(|group| {
        let stays = !makes & !movement.flushes(plan.windows);
        let stays = delay(&format!("stays_{group}"), stays, plan.merged);
        stays.note("no output beat is made: what is left over stays")
    });
    let stays: Vec<Signal> = advances.collect();
    let cut = cut.map(|Cut { shown, ahead, begin }| {
        let at = plan.merged - 2;
        let begin = delay("begin", begin, at);
        m.stage_section(at, "where the replacement of a group stands that the beat cuts");
        // Where it begins, if the window shows it and can do so from there.
        let stands_in = |window: &str, cut: Signal<'m>, reaches: &dyn Fn(usize) -> bool| {
            let cut = delay(&format!("cut_in_{window}"), cut, at);
            let stands = |position: usize| {
                let here = cut & begin.is(position as u64);
                let name = format!("cut_in_{window}_at_{position}_reg");
                movement.stage_at(before, position).data(&name, here)
            };
            (0..plan.lanes).map(|position| reaches(position).then(|| stands(position))).collect::<Vec<_>>()
        };
        let in_window = |(window, cut): (usize, Signal<'m>)| {
            // From the other positions, the replacement does not reach into this window.
            let reaches = |position: usize| {
                window == 0 || position + plan.replacement_reach > (window + 1) * plan.lanes
            };
            stands_in(&format!("window_{window}"), cut, &reaches)
        };
        Begins {
            in_window: shown.into_iter().enumerate().map(in_window).collect(),
            // What reaches further is shown in the first window, too.
            ahead: ahead.map(|ahead| {
                stands_in("window_ahead", ahead, &|position| position + plan.replacement_units <= plan.lanes)
            }),
        }
    });
    let cut = cut.map(|begins| Front { name: "replacement", begins, units: replacement.to_vec() });
    if cut.is_some() || !openings.is_empty() {
        m.stage_section(before, "its units");
    }
    let fronts_at = |position: usize| {
        let units = cut.iter().chain(openings).filter_map(|front| front.at(m, position, plan, movement));
        any_of(units.collect::<Vec<_>>())
    };
    let extra: Vec<Option<Signal>> = (0..2 * plan.lanes).map(fronts_at).collect();

    m.stage_section(plan.merged, "the output beat, and the units that are left over");
    let all = |position: usize| {
        let units = rings.iter().map(|ring| ring[position]).chain(extra[position]);
        any_of(units).expect("there is a ring")
    };
    let unit = |lane: usize| {
        let first = all(lane);
        let left = m.reg(&format!("left_over_{lane}_reg"), first.width());
        let out = (left.q | first).named(&format!("merged_{lane}"));
        let behind = all(plan.lanes + lane);
        left.next_when(stage(lane).enable, stays[lane / LANES_OF_BUFFER].mux(out, behind));
        out
    };
    let units = (0..plan.lanes).map(unit).collect();
    Beat { present: present.q, made, last, amiss, keep, units }
}

/// Units that stand before those of a beat: the replacement, or the opening of a frame.
pub(super) struct Front<'m> {
    pub(super) name: &'static str,
    pub(super) begins: Begins<'m>,
    pub(super) units: Vec<u64>,
}

/// Where units begin that stand before those of a beat: for each position of the first window whether they begin there, if that matters.
pub(super) struct Begins<'m> {
    /// They are shown, and the window is the first, the second, and so on.
    pub(super) in_window: Vec<Vec<Option<Signal<'m>>>>,
    /// The window is the one ahead of the first, if that is ever shown.
    pub(super) ahead: Option<Vec<Option<Signal<'m>>>>,
}

impl<'m> Front<'m> {
    /// The unit at a position of the window, as of stage `plan.merged`; `None` if none can stand there.
    fn at(
        &self,
        m: &'m Builder,
        position: usize,
        plan: &Plan,
        movement: &Movement<'m>,
    ) -> Option<Signal<'m>> {
        let Self { name, begins: Begins { in_window, ahead }, units } = self;
        // Behind the first window, what stands in the first half has been shown.
        let windows = if position < plan.lanes { 1 } else { in_window.len() };
        let begins = |unit: usize| -> Vec<Signal<'m>> {
            let begin = |window: usize| {
                let begin = (position + window * plan.lanes).checked_sub(unit)?;
                in_window[window].get(begin).copied().flatten()
            };
            let ahead = || {
                let begin = position.checked_sub(plan.lanes + unit)?;
                ahead.as_ref()?.get(begin).copied().flatten()
            };
            (0..windows).filter_map(begin).chain(ahead()).collect()
        };
        // Bits that are set in the same units share a register.
        let mut registers: BTreeMap<Vec<usize>, Option<Signal<'m>>> = BTreeMap::new();
        let bit = |bit: u32| {
            let is_set = |&unit: &usize| units[unit] >> bit & 1 == 1;
            let set: Vec<usize> =
                (0..units.len()).filter(is_set).filter(|&unit| !begins(unit).is_empty()).collect();
            let register = || {
                let units: Vec<String> = set.iter().map(usize::to_string).collect();
                format!("{name}_{position}_unit_{}_reg", units.join("_or_"))
            };
            let make = || {
                let here = any_of(set.iter().flat_map(|&unit| begins(unit)))?;
                Some(movement.stage_at(plan.merged, position % plan.lanes).data(&register(), here))
            };
            *registers.entry(set.clone()).or_insert_with(make)
        };
        let of_bits: Vec<Option<Signal>> = (0..plan.unit_bits).rev().map(bit).collect();
        of_bits
            .iter()
            .any(Option::is_some)
            .then(|| m.concat(of_bits.into_iter().map(|bit| bit.unwrap_or_else(|| m.lit(1, 0)))))
    }
}
