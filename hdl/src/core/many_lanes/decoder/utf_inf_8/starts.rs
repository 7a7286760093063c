//! Which units stand behind FF and nothing but B4, and how many B4 that are.

use super::Making;
use super::units::{is_b4, is_ff};
use crate::core::many_lanes::decoder::copies::{Copies, copies};
use crate::core::many_lanes::decoder::lookahead::{Carries, look_ahead};
use crate::netlist::Signal;

/// What is found, as of stage `firsts`.
pub(super) struct Starts<'m> {
    /// For each lane: it stands behind FF and nothing but B4, and what is in it does.
    pub(super) starts: Vec<Signal<'m>>,
    pub(super) behind: Vec<Signal<'m>>,
    /// B4 in front of it, modulo the least power of two above the most.
    pub(super) befores: Vec<Signal<'m>>,
}

/// The units that stand so.
pub(super) fn starts<'m>(making: &Making<'_, 'm>) -> Starts<'m> {
    let Making { m, pipeline, stage, stages, lanes, units, limit, .. } = making;
    let (class, at) = (stages.class, stages.starts);
    m.stage_section(class, "FF, and B4 behind it");
    let sets = making.all(|lane| {
        let is = units.flag("is_ff", lane as i32, class, is_ff);
        is & units.valid(lane, class)
    });
    let hands_on =
        making.all(|lane| units.flag("is_b4", lane as i32, class, is_b4) | !units.valid(lane, class));
    let [valid, last] = [making.valid_at("start", class), making.last_at("start", class)];
    let carries = Carries { sets: sets.clone(), hands_on, invert: false, valid, last };
    let run = look_ahead(m, "start", carries, class, pipeline);

    let bits = (u64::BITS - limit.most_befores().leading_zeros()).max(1);
    let modulo = (1u64 << bits) - 1;
    let lane_number = |lane: usize| m.lit(bits, lane as u64 & modulo);
    let values = making.all(lane_number);
    let last_ff = copies(m, "last_ff", Copies { some: sets, values }, class, pipeline);
    m.stage_section(at, "how many B4");
    let valid = making.valid_at("befores", at);
    let count = making.count_at("befores", at, bits);
    let before = m.reg("befores_reg", bits).note("B4 behind the last FF before the beat");
    let end = *lanes - 1;
    let of_beat = count - (last_ff.values[end] + m.lit(bits, 1));
    let next = last_ff.some[end].mux(of_beat, before.q + count);
    before.next_when(stage.enable & valid, next);
    let befores = making.all(|lane| {
        let carried = before.q + lane_number(lane);
        match lane.checked_sub(1) {
            None => carried,
            Some(of) => last_ff.some[of].mux(lane_number(of) - last_ff.values[of], carried),
        }
    });
    let starts = making.all(|lane| lane.checked_sub(1).map_or(run.before, |of| run.behind[of]));
    Starts {
        starts: making.all_later("starts", &starts, at, stages.firsts),
        behind: making.all_later("starts_behind", &run.behind, at, stages.firsts),
        befores: making.all_later("befores", &befores, at, stages.firsts),
    }
}
