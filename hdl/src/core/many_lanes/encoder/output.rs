//! The output of an encoder: units of several beats come together in one, and a buffer makes registers of all outputs.
//!
//! Units that fill no beat yet are left over, in the lanes in which they will go out. So two units never meet in a lane.

use std::collections::BTreeMap;

use super::movement::{Movement, Moves};
use super::network::Ring;
use super::plan::Plan;
use super::windows::{Cut, Window};
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::ports::{UnitsOut, units_out};
use crate::netlist::{Builder, Signal};
use crate::stream::{Fields, skid_buffer};

/// Lanes that share an output buffer: what is taken or not decides over each bit of it, so the net that says so is short.
const LANES_OF_BUFFER: usize = 4;

/// What goes out beside the units.
struct Beat<'m> {
    present: Signal<'m>,
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

/// Merges `rings`, as of stage `plan.merged`, to output beats, and declares the ports. `replacement` are the units of that.
pub(super) fn output<'m>(
    m: &'m Builder,
    rings: &[Ring<'m>],
    window: Window<'m>,
    replacement: &[u64],
    Outside { offered, m_axis_tready }: Outside<'m>,
    plan: &Plan,
    movement: &Movement<'m>,
) {
    let final_next = window.final_next;
    let beat = merge(m, rings, window, replacement, plan, movement);
    m.section("Output: a buffer makes registers of all outputs");
    let groups = plan.lanes.div_ceil(LANES_OF_BUFFER);
    let lanes: Vec<usize> = (0..plan.lanes).collect();
    let (mut units, mut keep, mut closes, mut blocks) = (Vec::new(), Vec::new(), None, BTreeMap::new());
    for (index, lanes) in lanes.chunks(LANES_OF_BUFFER).enumerate() {
        let ends = (index == 0).then_some([beat.amiss, beat.last]);
        let fields = lanes.iter().rev().flat_map(|&lane| [beat.keep[lane], beat.units[lane]]);
        let payload = m.concat(ends.into_iter().flatten().chain(fields));
        let name = if groups == 1 { "output_skid".to_owned() } else { format!("output_skid_{index}") };
        let block = blocks.entry(payload.width()).or_insert_with(|| skid_buffer(payload.width()));
        let buffer = m.instance(&name, block);
        buffer.input("s_valid", beat.present).input("s_payload", payload).input("m_ready", m_axis_tready);
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
    movement.drive(&Moves { offered, final_next, beat: beat.present, m_axis_tready });
    let tkeep = m.concat(keep.into_iter().rev());
    units_out(m, UnitsOut { units, tkeep, tuser, tvalid, tlast });
}

/// Output beats, as of stage `plan.shown`.
fn merge<'m>(
    m: &'m Builder,
    rings: &[Ring<'m>],
    window: Window<'m>,
    replacement: &[u64],
    plan: &Plan,
    movement: &Movement<'m>,
) -> Beat<'m> {
    let Window { makes, is_full, fill, last, amiss, cut, .. } = window;
    let delay = |name: &str, signal, to| movement.delay(name, signal, plan.windows, to);
    m.section(format!("Stages {} to {}: what is known of the output beat", plan.windows, plan.merged));
    let before = plan.merged - 1;
    let present = delay("makes", makes, plan.merged);
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
        m.section(format!("Stage {at}: where the replacement of a group stands that the beat cuts"));
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
    if cut.is_some() {
        m.section(format!("Stage {before}: its units"));
    }
    let replacement_at = |position: usize| {
        cut.as_ref().and_then(|cut| replacement_at(m, cut, replacement, position, plan, movement))
    };
    let extra: Vec<Option<Signal>> = (0..2 * plan.lanes).map(replacement_at).collect();

    m.section(format!("Stage {}: the output beat, and the units that are left over", plan.merged));
    let all = |position: usize| {
        let units = rings.iter().map(|ring| ring[position]).chain(extra[position]);
        any_of(units).expect("there is a ring")
    };
    let unit = |lane: usize| {
        let stage = movement.stage_at(plan.shown, lane);
        let first = all(lane);
        let left = m.reg(&format!("left_over_{lane}_reg"), first.width());
        let out = (left.q | first).named(&format!("merged_{lane}"));
        let behind = all(plan.lanes + lane);
        left.next_when(stage.enable, stays[lane / LANES_OF_BUFFER].mux(out, behind));
        stage.data(&format!("unit_{lane}_reg"), out)
    };
    let units = (0..plan.lanes).map(unit).collect();
    let shown = movement.stage(plan.shown);
    let keep = keep.into_iter().enumerate().map(|(lane, keep)| {
        movement.stage_at(plan.shown, lane).data(&format!("keep_{lane}_{}_reg", plan.shown), keep)
    });
    // The buffer also takes a beat in the cycle behind reset, so none may be present there.
    let present_at_shown = m.reg("present_reg", 1).reset(0);
    present_at_shown.next_when(shown.enable, present & !movement.flushes(plan.merged));
    let at_shown = |name: &str, signal| shown.data(&format!("{name}_{}_reg", plan.shown), signal);
    Beat {
        present: present_at_shown.q,
        last: at_shown("output_last", last),
        amiss: at_shown("output_amiss", amiss),
        keep: keep.collect(),
        units,
    }
}

/// Where the replacement begins that stands before the units of a beat: for each position of the first window whether it begins there,
/// if that matters.
struct Begins<'m> {
    /// It is shown, and the window is the first, the second, and so on.
    in_window: Vec<Vec<Option<Signal<'m>>>>,
    /// The window is the one ahead of the first, if that is ever shown.
    ahead: Option<Vec<Option<Signal<'m>>>>,
}

/// The unit of the replacement at a position of the window, as of stage `plan.merged`; `None` if none can stand there.
fn replacement_at<'m>(
    m: &'m Builder,
    cut: &Begins<'m>,
    replacement: &[u64],
    position: usize,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Option<Signal<'m>> {
    // Behind the first window, what stands in the first half has been shown.
    let windows = if position < plan.lanes { 1 } else { cut.in_window.len() };
    let begins = |unit: usize| -> Vec<Signal<'m>> {
        let begin = |window: usize| {
            let begin = (position + window * plan.lanes).checked_sub(unit)?;
            cut.in_window[window].get(begin).copied().flatten()
        };
        let ahead = || {
            let begin = position.checked_sub(plan.lanes + unit)?;
            cut.ahead.as_ref()?.get(begin).copied().flatten()
        };
        (0..windows).filter_map(begin).chain(ahead()).collect()
    };
    // Bits that are set in the same units share a register.
    let mut registers: BTreeMap<Vec<usize>, Option<Signal<'m>>> = BTreeMap::new();
    let bit = |bit: u32| {
        let is_set = |&unit: &usize| replacement[unit] >> bit & 1 == 1;
        let units: Vec<usize> =
            (0..replacement.len()).filter(is_set).filter(|&unit| !begins(unit).is_empty()).collect();
        let name = || {
            let units: Vec<String> = units.iter().map(usize::to_string).collect();
            format!("replacement_{position}_unit_{}_reg", units.join("_or_"))
        };
        let make = || {
            let here = any_of(units.iter().flat_map(|&unit| begins(unit)))?;
            Some(movement.stage_at(plan.merged, position % plan.lanes).data(&name(), here))
        };
        *registers.entry(units.clone()).or_insert_with(make)
    };
    let of_bits: Vec<Option<Signal>> = (0..plan.unit_bits).rev().map(bit).collect();
    of_bits
        .iter()
        .any(Option::is_some)
        .then(|| m.concat(of_bits.into_iter().map(|bit| bit.unwrap_or_else(|| m.lit(1, 0)))))
}
