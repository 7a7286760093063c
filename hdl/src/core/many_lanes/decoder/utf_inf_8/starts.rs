//! Which units come after FF and nothing but B4, and how many B4 that are.

use super::Making;
use crate::core::lanes::Lanes;
use crate::core::lanes::scan::{Carries, Copies};

/// The units after FF and B4s alone; stage `firsts`.
pub(super) struct Starts<'m> {
    /// For each lane: only B4s are between FF and the unit (`starts`), or the next unit (`starts_after`).
    pub(super) starts: Lanes<'m>,
    pub(super) starts_after: Lanes<'m>,
    /// The number of B4s before the unit, modulo the least power of two above the greatest number.
    pub(super) befores: Lanes<'m>,
}

/// Finds these units.
pub(super) fn starts<'m>(making: &Making<'_, 'm>) -> Starts<'m> {
    let Making { stages, units, limit, beat, .. } = making;
    let (class, at) = (stages.class, stages.starts);
    making.section(class, "FF, and B4 after it");
    let is_ff = |lane: usize| {
        (units.is_ff(lane as i32) & units.valid(lane)).named(&format!("is_valid_ff_of_lane_{lane}"))
    };
    let is_ff = making.all("is_ff_of_beat", is_ff).at(class);
    let keeps = |lane: usize| {
        (units.is_b4(lane as i32) | !units.valid(lane)).named(&format!("keeps_start_of_lane_{lane}"))
    };
    let keeps = making.all("keeps_start", keeps).at(class);
    let carries = Carries { sets: is_ff.clone(), keeps, invert: false, valid: beat.valid, last: beat.last };
    let run = carries.carried("start");

    let bits = (u64::BITS - limit.most_befores().leading_zeros()).max(1);
    let modulo = (1u64 << bits) - 1;
    let lane_number = |lane: usize| making.lit(bits, lane as u64 & modulo);
    let values = making.all("lane_number", lane_number);
    let last_ff = Copies { some: is_ff, values }.copied("last_ff");
    making.section(at, "the number of B4");
    let count = making.count(bits).at(at);
    let (before, register) = making.state("befores_reg", bits, at, "B4 after the last FF before the beat");
    let of_beat = count - (last_ff.values.end() + making.lit(bits, 1));
    making.load(register, last_ff.some.end().mux(of_beat, before + count));
    let befores = making.all("befores", |lane| {
        let carried = before + lane_number(lane);
        match lane.checked_sub(1) {
            None => carried,
            Some(of) => last_ff.some[of].mux(lane_number(of) - last_ff.values[of], carried),
        }
    });
    Starts {
        starts: run.after.before(run.before).at(stages.firsts),
        starts_after: run.after.at(stages.firsts),
        befores: befores.at(stages.firsts),
    }
}
