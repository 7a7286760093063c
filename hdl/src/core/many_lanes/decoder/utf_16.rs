//! UTF-16, The Unicode Standard, §3.9: a code point is a unit or a pair of surrogates, high surrogate first.
//!
//! A low surrogate ends the slot of its pair. A low surrogate without a high one before, and a high surrogate without a low one after,
//! is an error.
//!
//! Units that are octets are assembled to [words](super::words) first. A beat has half as many words as lanes, so the slot before those of
//! a beat has room in its lanes, except in a decoder of two lanes.

use super::front::{Build, First, Front, Spread};
use super::offsets::Offsets;
use super::slot::{Kinds, Layout, SlotTag};
use super::words::{BeatOfWords, Words};
use crate::core::ByteOrder;
use crate::core::lanes::{
    At, Beat, Cell, Heard, History, Instances, Lane, LaneModule, Lanes, Told, UnitHeard, Value, history,
    history_stages, section,
};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::spec::ErrorMode;

/// Bits of a code point, and of a unit.
const CODE_BITS: u32 = 21;
const UNIT: u32 = 16;
/// Bits of a code point that each surrogate of a pair holds.
const SURROGATE_DATA: u32 = 10;
/// A high surrogate and a low one without these.
const HIGH: u64 = 0xd800 >> SURROGATE_DATA;
const LOW: u64 = 0xdc00 >> SURROGATE_DATA;
/// The most units without a slot before a unit that ends one, in a decoder with error slots: a high surrogate.
const GAPS_TO_A_SLOT: usize = 1;

/// The most units of `units` neighbours that end no slot, in a decoder with error slots.
fn most_gaps(units: usize) -> usize {
    units - units / (GAPS_TO_A_SLOT + 1)
}

/// The stages of the decoder.
#[derive(Clone, Copy)]
struct Stages {
    /// The beat comes in.
    first: u32,
    /// The unit before the beat is known.
    history: u32,
    /// The units that are surrogates are known.
    class: u32,
    /// The units that end a slot are known.
    ends: u32,
    /// The slots are made.
    made: u32,
}

/// Values of a unit that the next lane needs.
struct Values {
    is_high: Value,
    /// The upper bits of the code point of a pair that begins with the unit.
    upper: Value,
}

impl Values {
    fn new(stages: Stages) -> Self {
        let is_high = Value::new("is_high", "it is a high surrogate", |cell| {
            cell.held(is_surrogate(cell.unit(), HIGH))
        });
        let upper = Value::new("upper", "the upper bits of a pair that begins here", |cell| {
            // The pair holds the code point less 10000.
            let high = cell.unit();
            let top = At::concat([high.lit(1, 0), high.bits(6..SURROGATE_DATA)]) + high.lit(5, 1);
            At::concat([top, high.bits(0..6)])
        });
        Self {
            is_high: is_high.at(stages.class),
            upper: upper.at(stages.made).widths([CODE_BITS - SURROGATE_DATA]),
        }
    }
}

/// Whether a unit is a high surrogate, or a low one.
fn is_surrogate(unit: At<'_>, marker: u64) -> At<'_> {
    unit.bits(SURROGATE_DATA..UNIT).is(marker)
}

/// The ports of a lane.
struct Ports {
    unit: UnitHeard,
    cut: Option<Heard>,
    is_last: Option<Heard>,
    /// The unit, a stage after it came in.
    unit_1: Told,
    /// The unit is no low surrogate; `None` in a decoder that drops errors.
    stops: Option<Told>,
    ends: Told,
    slot: Told,
    /// The unit is the second of a pair, in a decoder that drops errors and has positions.
    back: Option<Told>,
}

/// Decodes a beat up to the slots of its units, which are words, or octets in some order.
pub(super) fn decode(
    order: Option<(ByteOrder, bool)>,
    on_error: ErrorMode,
    build: Build,
    beat: Beat<'_>,
) -> Front<'_> {
    let drops = on_error == ErrorMode::Drop;
    let octets = beat.lanes();
    let BeatOfWords { beat, cut, mark } = match order {
        Some(order) => Words::new(UNIT, order, !drops, build).beat(beat),
        None => BeatOfWords { beat, cut: None, mark: None },
    };
    let kinds: &[ErrorKind] = match order {
        _ if drops => &[],
        None => &[ErrorKind::Surrogate],
        Some(_) => &[ErrorKind::Truncated, ErrorKind::Surrogate],
    };
    let layout = Layout::new(CODE_BITS, kinds, false).of(build);
    // The slot before those of a beat takes one of its positions.
    let first_is_place = order.is_some() && !drops && octets > 2;
    let (spread, stages) = plan(&beat, drops, first_is_place, build);
    let values = Values::new(stages);
    let (module, ports) =
        LaneModule::build(&beat, "A unit on its way from the bus to the slot that it ends.", |lane| {
            ports(lane, &layout, &values, stages, [cut.is_some(), build.positions && drops])
        });
    let lanes = Instances::new(&beat, &module, &ports.unit);
    if let Some((heard, cut)) = ports.cut.as_ref().zip(cut) {
        lanes.connect(heard, |lane| cut[lane]);
    }
    if let Some(heard) = &ports.is_last {
        lanes.connect(heard, |lane| beat.ends_frame(lane));
    }
    let before = history(&beat, &lanes.all(&ports.unit_1), &[UNIT])[0];
    section(beat.builder(), stages.history, "the unit before the beat");
    let past = History::new([(before, None)]);
    let first = ports.stops.as_ref().map(|stops| {
        let is_high = past.unit(1).of(0, &values.is_high);
        section(beat.builder(), stages.class, "whether that is a high surrogate without a low one");
        let cut = is_high & (lanes.first(stops) | beat.ends_without_unit().at(stages.class));
        let error = layout.error_data(Kinds::new(cut.registers(), &layout).code(ErrorKind::Surrogate));
        First {
            ends: cut.called("first_ends").at(stages.ends),
            slot: layout.slot(SlotTag { error: Some(cut.lit(1, 1)), part: None }, error),
        }
    });
    lanes.link(&past);
    section(beat.builder(), stages.ends, "which units end a slot");
    let (mut ends, mut slots) = (lanes.all(&ports.ends), lanes.all(&ports.slot));
    let first = match first {
        Some(first) if first_is_place => {
            ends = Lanes::new("ends", [first.ends].into_iter().chain(ends.iter().copied()));
            slots = Lanes::new("slot", [first.slot].into_iter().chain(slots.iter().copied()));
            None
        }
        other => other,
    };
    let (last, valid) = (beat.last.at(stages.ends), beat.valid.at(stages.ends));
    let back = ports.back.as_ref().map(|back| lanes.all(back));
    let offsets = Offsets::of(&beat, build.positions);
    let shift = u32::from(order.is_some());
    let offsets = offsets.map(|offsets| Offsets { shift, back, mark, ..offsets });
    let spread = spread.with_first_place(first_is_place);
    Front { first, ends, slots, last, valid, layout, spread, offsets }
}

/// How far slots are apart, and the stages that follow from it.
fn plan(beat: &Beat<'_>, drops: bool, first_is_place: bool, build: Build) -> (Spread, Stages) {
    let units = beat.lanes();
    let places = units + usize::from(first_is_place);
    let farthest = if drops { units - 1 } else { most_gaps(units - 1) + 1 };
    let spread = Spread::new(build, places, farthest, move |place| match place.checked_sub(1) {
        Some(before) if first_is_place => most_gaps(before) + 1,
        _ if drops => place,
        _ => most_gaps(place),
    });
    let first = beat.stage();
    let history = first + history_stages(units);
    let ends = history + 2;
    let stages = Stages { first, history, class: history + 1, ends, made: spread.counted(ends) };
    (spread, stages)
}

/// A lane, from the unit to the slot that it ends.
fn ports(
    lane: &Lane<'_>,
    layout: &Layout,
    values: &Values,
    stages: Stages,
    [has_cuts, has_back]: [bool; 2],
) -> Ports {
    let Stages { first, history, class, ends: ends_at, made } = stages;
    let (unit, valid, unit_heard) = lane.hear_unit(UNIT, first);
    let (cut, cut_heard) =
        has_cuts.then(|| lane.hear("is_cut", 1, first, "the end of the frame cuts it short")).unzip();
    lane.section(first + 1, "the unit");
    let unit_1 = lane.tell("unit_1", unit.at(first + 1), "the unit");
    let (is_last, is_last_heard) = layout.has_errors().then(|| lane.hear_end(first)).unzip();

    lane.section(history, "the class of the unit");
    let (unit, valid) = (unit.at(history), valid.at(history));
    let cut: Option<At> = cut.map(|cut: At| cut.at(history));
    let whole = cut.map_or(valid, |cut| (valid & !cut).named("is_whole"));
    lane.set_unit(unit, whole);
    let low = (whole & is_surrogate(unit, LOW)).named("low");
    let single = (!((whole & is_surrogate(unit, HIGH)) | low)).named("is_no_surrogate");
    let top = unit.bits(SURROGATE_DATA..UNIT).masked(single);
    let payload = At::concat([top, unit.bits(0..SURROGATE_DATA)]).called("payload");
    let is_low = low.called("is_low").at(class);
    let is_high = lane.own(&values.is_high);
    let high_before = lane.of(1, &values.is_high);

    lane.section(class, "whether it ends a slot");
    let pair = (is_low & high_before).named("is_pair");
    let (ends, error, stops) = match is_last {
        Some(is_last) => {
            let stops = (valid & !low).called("stops").at(class);
            let (next_stops, stops) = lane.next_of("stops", stops, "it is no low surrogate");
            let continues = (is_high & !(next_stops | is_last)).named("continues");
            let error = is_high | is_low & !high_before;
            let error = cut.map_or(error, |cut| error | cut);
            (valid.at(class) & !continues, Some(error), Some(stops))
        }
        None => ((valid & single).called("is_single").at(class) | pair, None, None),
    };
    let back = has_back.then(|| {
        lane.tell("pair_back", pair.called("of_pair").at(ends_at), "the unit before it is of its slot")
    });
    let ends = lane.tell("ends", ends.called("ends").at(ends_at), "the unit ends a slot");

    lane.section(made, "the slot");
    let upper_before = lane.of(1, &values.upper);
    let above = upper_before.masked(pair.at(made));
    let payload = payload.at(made);
    let own_top = payload.bits(SURROGATE_DATA..UNIT).zext(above.width());
    let code_point = At::concat([above | own_top, payload.bits(0..SURROGATE_DATA)]);
    let slot = match error {
        Some(error) => {
            let error = error.called("error").at(made);
            let kinds = Kinds::new(lane.registers(), layout);
            let kind = || {
                let surrogate = kinds.code(ErrorKind::Surrogate);
                cut.map_or(surrogate, |cut| cut.at(made).mux(kinds.code(ErrorKind::Truncated), surrogate))
            };
            let data = layout.data_or_error(code_point, error, kind);
            layout.slot(SlotTag { error: Some(error), part: None }, data)
        }
        None => code_point,
    };
    let slot = lane.tell("slot", slot.registered("slot"), "the slot that the unit ends");
    Ports { unit: unit_heard, cut: cut_heard, is_last: is_last_heard, unit_1, stops, ends, slot, back }
}
