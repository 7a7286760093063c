//! Systems in which every unit, or every word of octets, is a code point or an error by itself: Latin-1, ASCII,
//! UCS-2 and UTF-32.
//!
//! Each of them ends a slot, so there are no gaps between slots, unless errors are dropped.

use super::front::{Build, Front, Spread};
use super::offsets::Offsets;
use super::slot::{Kinds, Layout, SlotTag};
use super::words::{self, BeatOfWords};
use crate::core::lanes::{At, Beat, Heard, Instances, Lane, LaneModule, Told, UnitHeard};
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::single::{Single, Words};
use crate::core::spec::ErrorMode;

/// The ports of a lane.
struct Ports {
    unit: UnitHeard,
    cut: Option<Heard>,
    ends: Told,
    slot: Told,
}

/// Decodes a beat up to the slots of its units.
pub(super) fn decode(of: Words, on_error: ErrorMode, build: Build, beat: Beat<'_>) -> Front<'_> {
    let drops = on_error == ErrorMode::Drop;
    let BeatOfWords { beat, cut, mark } = match of.octets {
        Some(order) => words::Words::new(of.bits, order, !drops, build).beat(beat),
        None => BeatOfWords { beat, cut: None, mark: None },
    };
    let of_words = of.octets.map(|_| ErrorKind::Truncated);
    let told: Vec<ErrorKind> = of_words.into_iter().chain(of.kinds()).collect();
    let layout = Layout::new(of.code_bits(), if drops { &[] } else { &told }, false).of(build);
    let ends_at = beat.stage() + if told.is_empty() { 1 } else { 2 };
    let farthest = if drops && !told.is_empty() { beat.lanes() - 1 } else { 0 };
    let spread = Spread::new(build, beat.lanes(), farthest, move |place| place.min(farthest));
    let made_at = spread.counted(ends_at);

    let (module, ports) = LaneModule::build(&beat, "A unit on its way from the bus to its slot.", |lane| {
        ports(lane, of, &layout, [beat.stage(), ends_at, made_at], cut.is_some())
    });
    let lanes = Instances::new(&beat, &module, &ports.unit);
    if let Some((heard, cut)) = ports.cut.zip(cut) {
        lanes.connect(&heard, |lane| cut[lane]);
    }
    let shift = of.octets.map_or(0, |_| (of.bits / u8::BITS).ilog2());
    let offsets = Offsets::of(&beat, build.positions).map(|offsets| Offsets { shift, mark, ..offsets });
    Front {
        first: None,
        ends: lanes.all(&ports.ends),
        slots: lanes.all(&ports.slot),
        last: beat.last.at(ends_at),
        valid: beat.valid.at(ends_at),
        layout,
        spread,
        offsets,
    }
}

/// A lane, from the unit to its slot.
fn ports(
    lane: &Lane<'_>,
    of: Words,
    layout: &Layout,
    [first, ends_at, made_at]: [u32; 3],
    has_cuts: bool,
) -> Ports {
    let (unit, valid, unit_heard) = lane.hear_unit(of.bits, first);
    let (cut, cut_heard) =
        has_cuts.then(|| lane.hear("is_cut", 1, first, "the end of the frame cuts it short")).unzip();
    let at = first + 1;
    lane.section(at, "the unit, and what is wrong with it");
    let (unit, valid, cut) = (unit.at(at), valid.at(at), cut.map(|cut: At| cut.at(at)));
    let whole = cut.map_or(valid, |cut| (valid & !cut).named("is_whole"));
    let Single { code_point, faults } = of.single(unit.signal(), whole.signal());
    let of_cut = cut.map(|cut| (ErrorKind::Truncated, cut.signal()));
    let faults: Vec<_> = of_cut.into_iter().chain(faults).collect();
    let now = |signal| At::new(lane.registers(), signal, at);
    let wrong = any_of(faults.iter().map(|&(_, fault)| fault)).map(now);
    let code_point = now(code_point).called("code_point");
    let ends = match wrong {
        Some(wrong) if !layout.has_errors() => valid & !wrong,
        _ => valid,
    };
    let ends = lane.tell("ends", ends.called("ends").at(ends_at), "there is a slot");

    lane.section(made_at, "the slot");
    let slot = match wrong.filter(|_| layout.has_errors()) {
        Some(wrong) => {
            let kinds = Kinds::new(lane.registers(), layout);
            let error = wrong.called("error").at(made_at);
            let kind = || {
                let (last, others) = faults.split_last().expect("something is wrong");
                let other = |kind, &(other, fault): &_| now(fault).mux(kinds.code(other), kind);
                others.iter().fold(kinds.code(last.0), other).called("kind").at(made_at)
            };
            let data = layout.data_or_error(code_point, error, kind);
            layout.slot(SlotTag { error: Some(error), part: None }, data)
        }
        None => code_point.at(made_at),
    };
    let slot = lane.tell("slot", slot.registered("slot"), "the slot of the unit");
    Ports { unit: unit_heard, cut: cut_heard, ends, slot }
}
