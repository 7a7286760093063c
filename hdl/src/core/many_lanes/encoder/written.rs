//! The units of a slot: those of its code point, or of the replacement.

use super::shape::Shape;
use super::sizes::{Sizes, bits_for};
use crate::core::lanes::{At, Heard, Lane, Told};
use crate::core::many_lanes::logic::any_of;
use crate::netlist::{Builder, Signal};

/// The units of a slot.
pub(super) struct Written<'m> {
    pub(super) code: At<'m>,
    /// `longer[n]`: the slot has more than `n` units.
    pub(super) longer: Vec<At<'m>>,
}

/// The units of the slot, in the stage of the windows, and the ports for them.
pub(super) struct Units<'m> {
    pub(super) written: Written<'m>,
    pub(super) replaced: Option<Heard>,
    pub(super) code_is_replaced: Option<Heard>,
    pub(super) length: Told,
    pub(super) writes: Option<Told>,
}

/// The units of the slot: those of its code point, or of the replacement. `upper`: bits above those of a slot.
pub(super) fn units<'m>(
    lane: &Lane<'m>,
    shape: &dyn Shape,
    sizes: &Sizes,
    code: At<'m>,
    upper: Option<At<'m>>,
    longer: Vec<At<'m>>,
    error: Option<At<'m>>,
) -> Units<'m> {
    let m = lane.builder();
    let before = sizes.decided();
    let code = code.at(before + 1);
    let refused = error.filter(|_| !sizes.replaces && sizes.refuses_surrogate_pairs);
    let unless_refused = |(units, longer): (usize, At<'m>)| match refused {
        Some(refused) => (longer & !refused).named(&format!("writes_more_than_{units}")),
        None => longer,
    };
    let longer: Vec<At> = longer.into_iter().enumerate().map(unless_refused).collect();
    // Units are counted a stage early where one is left for that.
    let counted = if longer[0].stage() < before { before - 1 } else { before };
    let longer: Vec<At> = longer.into_iter().map(|longer| longer.at(counted)).collect();
    let length = lane.at(number(m, &signals(&longer), sizes), counted).called("units").at(before);
    let mut longer: Vec<At> = longer.into_iter().map(|longer| longer.at(before)).collect();
    let mut length = length.signal();
    let mut replaced_heard = None;
    if sizes.replaces {
        let replaced = error.unwrap_or_else(|| {
            let note = "the replacement is written in place of the slot";
            let (replaced, heard) = lane.hear("replaced", 1, before, note);
            replaced_heard = Some(heard);
            replaced
        });
        m.stage_section(before, "how much is written");
        for (units, longer) in longer[..sizes.replacement_units].iter_mut().enumerate() {
            *longer = (*longer | replaced).called(&format!("longer_than_{units}"));
        }
        // A slot that is replaced would write nothing, or, if it is a surrogate, as many units as the replacement.
        let bit = |bit: u32| match sizes.replacement_units >> bit & 1 {
            1 => length.bit(bit) | replaced.signal(),
            _ => length.bit(bit),
        };
        length = m.concat((0..length.width()).rev().map(bit));
    }
    let length = lane.tell("length", lane.at(length, before), "units that are written");
    let writes =
        sizes.opening_waits().then(|| lane.tell("writes", longer[0], "something is written of the slot"));
    let (code, code_is_replaced) = match sizes.replaces {
        true => or_replacement(lane, shape, code),
        false => (code, None),
    };
    let code = upper.map_or(code, |upper| At::concat([upper, code])).called("code_point");
    let code = match shape.has_offsets() {
        true => less_offset(m, shape, code, &longer, before + 2),
        false => code,
    };
    let windows = sizes.windows();
    let longer = longer.iter().map(|longer| longer.at(windows)).collect();
    let written = Written { longer, code: code.at(windows) };
    Units { written, replaced: replaced_heard, code_is_replaced, length, writes }
}

/// The code point, or that of the replacement. The input is one stage later than the number of units, which other lanes wait for.
fn or_replacement<'m>(lane: &Lane<'m>, shape: &dyn Shape, code: At<'m>) -> (At<'m>, Option<Heard>) {
    let note = "the units are those of the replacement";
    let (replaced, heard) = lane.hear("code_is_replaced", 1, code.stage(), note);
    lane.section(code.stage(), "what is written");
    let (code_point, _) = shape.replacement();
    let replaced = replaced.signal();
    let code = code.map(|code| {
        let bit = |index: u32| match u128::from(code_point) >> index & 1 {
            1 => code.bit(index) | replaced,
            _ => code.bit(index) & !replaced,
        };
        lane.builder().concat((0..code.width()).rev().map(bit))
    });
    (code, Some(heard))
}

/// The code point less the offset of its length, in stage `at`.
fn less_offset<'m>(m: &'m Builder, shape: &dyn Shape, code: At<'m>, longer: &[At<'m>], at: u32) -> At<'m> {
    let longer: Vec<At> = longer.iter().map(|longer| longer.at(at)).collect();
    let code = code.at(at);
    m.stage_section(at, "what sequences hold of the code point");
    code.map(|code| shape.less_offset(m, code, &signals(&longer))).called("code_point")
}

/// The signals themselves, of a stage that they all are valid in.
pub(super) fn signals<'m>(all: &[At<'m>]) -> Vec<Signal<'m>> {
    all.iter().map(|signal| signal.signal()).collect()
}

/// The number of units: `longer[n]` is whether there are more than n.
fn number<'m>(m: &'m Builder, longer: &[Signal<'m>], sizes: &Sizes) -> Signal<'m> {
    let bit = |bit: u32| {
        let runs = (1..=longer.len()).filter(|units| units >> bit & 1 == 1 && (units - 1) >> bit & 1 == 0);
        let run = |from: usize| {
            let to = (from..).find(|units| units >> bit & 1 == 0).expect("a run ends");
            longer.get(to - 1).map_or(longer[from - 1], |&next| longer[from - 1] & !next)
        };
        any_of(runs.map(run)).expect("some length has the bit")
    };
    m.concat((0..bits_for(sizes.most_units)).rev().map(bit))
}
