//! UTF-9, seed 003 §3: octets of the code point, most significant first, all but the last with the continuation bit.
//!
//! A sequence ends at the first nonet without that bit, well-formed or not, so a unit alone decides whether it ends a slot. Of the units
//! before it as many matter as a code point has octets, and one bit more: whether its sequence began with a zero octet, however long ago.

use super::front::{Build, Front, Spread};
use super::offsets::Offsets;
use super::slot::{Kinds, Layout, SlotTag};
use crate::core::lanes::scan::{self, Carries};
use crate::core::lanes::{
    At, Beat, Cell, Heard, History, Instances, Lane, LaneModule, Told, UnitHeard, Value, history,
    history_stages, number_of_first, section,
};
use crate::core::shared::code_points::above;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::spec::ErrorMode;

/// The kinds of error there are.
pub(in crate::core::many_lanes) const KINDS: [ErrorKind; 4] =
    [ErrorKind::Truncated, ErrorKind::Overlong, ErrorKind::Surrogate, ErrorKind::OutOfRange];

pub(in crate::core::many_lanes) const NONET: u32 = 9;
pub(in crate::core::many_lanes) const OCTET: u32 = 8;

/// The first octet of surrogates without its last three bits.
const SURROGATE_OCTET: u64 = 0xd8 >> 3;

/// The options of a decoder, and sizes that follow from them.
#[derive(Clone, Copy)]
pub(in crate::core::many_lanes) struct Shape {
    max: u32,
    drops: bool,
    /// Octets of the longest code point.
    octets: u32,
    pub(in crate::core::many_lanes) code_bits: u32,
}

/// The stages of the decoder.
#[derive(Clone, Copy)]
pub(in crate::core::many_lanes) struct Stages {
    pub(in crate::core::many_lanes) first: u32,
    /// The units before the beat are known.
    pub(in crate::core::many_lanes) history: u32,
    /// The class of each unit is known.
    pub(in crate::core::many_lanes) class: u32,
    /// The position of each unit in its sequence is known.
    window: u32,
    ends: u32,
    /// The sequences that begin with a zero octet are known.
    pub(in crate::core::many_lanes) zero_first: u32,
    /// The slots are made.
    made: u32,
}

impl Shape {
    pub(in crate::core::many_lanes) fn new(max: u32, drops: bool) -> Self {
        let code_bits = u32::BITS - max.leading_zeros();
        Self { max, drops, octets: code_bits.div_ceil(OCTET), code_bits }
    }

    /// Whether an octet is too great for the first of the longest sequence.
    fn is_big(self, octet: At<'_>) -> At<'_> {
        let limit = u128::from(self.max >> (OCTET * (self.octets - 1)));
        octet.map(|octet| above(octet, limit).expect("there are greater octets"))
    }

    /// Bits of a code point in the nonet `back` before the last.
    fn bits_before(self, back: u32) -> u32 {
        OCTET.min(self.code_bits - OCTET * back)
    }

    /// Bits of the nonets before a unit that matter to it, the nearest first: the continuation bit, and above it the octet.
    pub(in crate::core::many_lanes) fn widths(self) -> Vec<u32> {
        (1..=self.octets).map(|back| if back < self.octets { NONET } else { 1 }).collect()
    }

    fn stages(self, first: u32, lanes: usize, spread: &Spread) -> Stages {
        let stages = self.stages_of_errors(first, lanes);
        let Stages { window, ends, zero_first, .. } = stages;
        // An error of a sequence is known once the bit for zero octets is, and only the slot needs it.
        let ready = if self.drops { window + 1 } else { zero_first.max(window) + 1 };
        Stages { made: spread.counted(ends).max(ready), ..stages }
    }

    /// The stages up to the errors of sequences.
    pub(in crate::core::many_lanes) fn stages_of_errors(self, first: u32, lanes: usize) -> Stages {
        let history = first + history_stages(lanes);
        let (class, window, ends) = (history + 1, history + 2, history + 3);
        let zero_first = class + scan::stages(lanes);
        Stages { first, history, class, window, ends, zero_first, made: zero_first }
    }
}

/// Values of a nonet that those after it need. The unit of a cell is the octet, and below it the continuation bit.
pub(in crate::core::many_lanes) struct Values {
    pub(in crate::core::many_lanes) continues: Value,
    pub(in crate::core::many_lanes) is_zero: Value,
    is_d8: Value,
    is_big: Value,
    octet: Value,
}

impl Values {
    pub(in crate::core::many_lanes) fn new(shape: Shape, stages: Stages) -> Self {
        fn octet<'m>(cell: &dyn Cell<'m>) -> At<'m> {
            // The furthest nonet before the beat is its continuation bit alone.
            cell.unit().bits(1..cell.unit().width())
        }
        let octets = shape.octets as usize;
        let value =
            |name: &str, note: &'static str, at: fn(&Stages) -> u32, make: fn(Shape, At<'_>) -> At<'_>| {
                Value::new(name, note, move |cell| make(shape, octet(cell))).at(at(&stages))
            };
        // The bits of the first octet of the longest sequence.
        let of_first = (1..octets).map(|back| u32::from(back == octets - 1));
        Self {
            continues: Value::new("continues", "the sequence continues after it", |cell| cell.unit().bit(0))
                .at(stages.class)
                .widths(vec![1; octets]),
            is_zero: value("is_zero", "its octet is zero", |stages| stages.class, |_, octet| !octet.any())
                .widths(vec![1; octets - 1]),
            is_d8: value(
                "is_d8",
                "its octet is D8 to DF",
                |stages| stages.class,
                |_, octet| octet.bits(3..OCTET).is(SURROGATE_OCTET),
            ),
            is_big: value(
                "is_big",
                "too great for the first octet of the longest sequence",
                |stages| stages.class,
                |shape, octet| shape.is_big(octet),
            )
            .widths(of_first),
            octet: value("octet", "the octet", |stages| stages.made, |_, octet| octet)
                .widths((1..shape.octets).map(|back| shape.bits_before(back)))
                .trimmed(),
        }
    }
}

/// The position of a nonet in its sequence, as of stage `class`.
pub(in crate::core::many_lanes) struct Position<'m> {
    /// Entry n: n + 1 nonets before it, at least, are of the sequence.
    pub(in crate::core::many_lanes) after: Vec<At<'m>>,
    /// If the nonet ends the sequence, that is a surrogate.
    pub(in crate::core::many_lanes) surrogate: At<'m>,
    /// If it ends the sequence, that is past the last code point.
    pub(in crate::core::many_lanes) too_great: At<'m>,
}

impl Values {
    /// The position of the nonet of a lane.
    pub(in crate::core::many_lanes) fn position<'m>(&self, lane: &Lane<'m>, shape: Shape) -> Position<'m> {
        let after: Vec<At> = (1..=shape.octets)
            .map(|octets| {
                let all = (1..=octets as usize).map(|back| lane.of(back, &self.continues));
                let all = all.reduce(|all, one| all & one).expect("a nonet");
                if octets == 1 { all } else { all.named(&format!("continues_{octets}")) }
            })
            .collect();
        let is_after = |octets: u32| after[octets as usize - 1];
        let surrogate = is_after(1) & !is_after(2) & lane.of(1, &self.is_d8);
        let surrogate = surrogate.named("is_surrogate").called("surrogate");
        let is_big = lane.of(shape.octets as usize - 1, &self.is_big);
        let too_great = is_after(shape.octets) | (is_after(shape.octets - 1) & is_big);
        let too_great = too_great.named("is_too_great").called("too_great");
        let too_great = too_great.note("more octets than a code point has, or too great a first one");
        Position { after, surrogate, too_great }
    }
}

/// The ports of a lane.
struct Ports {
    unit: UnitHeard,
    /// The octet, and below it the continuation bit.
    unit_1: Told,
    ends: Told,
    slot: Told,
    /// The octets of the slot before the last, in a decoder that drops errors and has positions.
    back: Option<Told>,
    errors: Option<ErrorPorts>,
}

/// The ports of a lane that only a core that flags errors has.
struct ErrorPorts {
    is_last: Heard,
    /// The frame ends before the lane.
    ends_before: Heard,
    /// The unit begins its sequence with a zero octet; it does not begin a sequence, or is none.
    begins_with_zero: Told,
    keeps_zero: Told,
    /// The sequence of the unit begins with a zero octet.
    zero_first: Heard,
}

/// Decodes a beat up to the slots of its units.
pub(super) fn decode<'m>(max: u32, on_error: ErrorMode, build: Build, beat: &Beat<'m>) -> Front<'m> {
    let drops = on_error == ErrorMode::Drop;
    let shape = Shape::new(max, drops);
    let layout = Layout::new(shape.code_bits, if drops { &[] } else { &KINDS }, false).of(build);
    let lanes = beat.lanes();
    let spread = Spread::new(build, lanes, lanes - 1, |place| place);
    let stages = shape.stages(beat.stage(), lanes, &spread);
    let values = Values::new(shape, stages);
    let (module, ports) =
        LaneModule::build(beat, "A nonet on its way from the bus to the slot that it ends.", |lane| {
            ports(lane, shape, &layout, &values, stages, build.positions && drops)
        });
    let lanes = Instances::new(beat, &module, &ports.unit);
    let past = history(beat, &lanes.all(&ports.unit_1), &shape.widths());
    section(beat.builder(), stages.history, "the classes of the units before the beat");
    let past = History::new(past.into_iter().map(|unit| (unit, None)));
    if let Some(errors) = &ports.errors {
        lanes.connect(&errors.is_last, |lane| beat.ends_frame(lane));
        let ends_before = beat.ends_without_unit();
        lanes
            .connect(&errors.ends_before, |lane| if lane == 0 { ends_before } else { ends_before.lit(1, 0) });
        // The bit runs from a zero octet at the start of a sequence to that sequence's end.
        let carries = Carries {
            sets: lanes.all(&errors.begins_with_zero),
            keeps: lanes.all(&errors.keeps_zero),
            invert: false,
            valid: beat.valid,
            last: beat.last,
        };
        let zeros = carries.carried("zero_first");
        lanes.connect(&errors.zero_first, |lane| zeros.after[lane]);
    }
    lanes.link(&past);
    section(beat.builder(), stages.ends, "which units end a slot");
    let back = ports.back.as_ref().map(|back| lanes.all(back));
    let offsets = Offsets::of(beat, build.positions);
    Front {
        first: None,
        ends: lanes.all(&ports.ends),
        slots: lanes.all(&ports.slot),
        last: beat.last.at(stages.ends),
        valid: beat.valid.at(stages.ends),
        layout,
        spread,
        offsets: offsets.map(|offsets| Offsets { back, ..offsets }),
    }
}

/// The slot of a code point, or of the first of [`KINDS`] that is an error.
fn slot_or_error<'m>(layout: &Layout, code_point: At<'m>, errors: [At<'m>; 4]) -> At<'m> {
    let [truncated, overlong, surrogate, too_great] = errors;
    let error = (truncated | overlong | surrogate | too_great).named("is_error");
    let kind = || {
        let kinds = Kinds::new(code_point.registers(), layout);
        let [cut, long, pair, range] = KINDS.map(|kind| kinds.code(kind));
        let surrogate = surrogate.at(code_point.stage());
        truncated.mux(cut, overlong.mux(long, surrogate.mux(pair, range)))
    };
    let data = layout.data_or_error(code_point, error, kind);
    layout.slot(SlotTag { error: Some(error), part: None }, data)
}

/// A lane, from the nonet to the slot that it ends.
fn ports(
    lane: &Lane<'_>,
    shape: Shape,
    layout: &Layout,
    values: &Values,
    stages: Stages,
    has_back: bool,
) -> Ports {
    let Stages { first, history, class, window, ends: ends_at, made, .. } = stages;
    let (nonet, valid, unit_heard) = lane.hear_unit(NONET, first);
    lane.section(first + 1, "the nonet");
    let nonet = nonet.at(first + 1);
    let both = At::concat([nonet.bits(0..OCTET), nonet.bit(OCTET)]);
    let unit_1 = lane.tell("unit_1", both, "the octet, and below it the continuation bit");
    lane.section(history, "the class of the nonet");
    let nonet = nonet.at(history);
    lane.set_unit(At::concat([nonet.bits(0..OCTET), nonet.bit(OCTET)]), valid.at(history));
    let continues = lane.own(&values.continues);

    lane.section(class, "the position in the sequence");
    let Position { after, surrogate, too_great } = values.position(lane, shape);
    let is_after = |octets: u32| after[octets as usize - 1];
    let (surrogate, too_great) = (surrogate.at(window), too_great.at(window));
    let masks: Vec<At> = (1..shape.octets)
        .map(|octets| is_after(octets).called(&format!("has_{}_octets", octets + 1)).at(window))
        .collect();

    lane.section(window, "whether it ends a slot");
    let (ends, truncated, errors) = if shape.drops {
        let overlong = (1..shape.octets).map(|octets| {
            is_after(octets) & !is_after(octets + 1) & lane.of(octets as usize, &values.is_zero)
        });
        let overlong = At::any_of(overlong).expect("a code point has octets").named("is_overlong");
        let wrong = overlong.called("overlong").at(window) | surrogate | too_great;
        (valid & !wrong & !continues, None, None)
    } else {
        let (is_last, is_last_heard) = lane.hear_end(first);
        let (ends_before, ends_before_heard) =
            lane.hear("ends_before", 1, first, "the frame ends before the lane");
        let cut = (ends_before & is_after(1)).called("cut_before").at(window);
        let ends = valid & (!continues.at(window) | is_last) | cut;
        let truncated = (continues | cut).called("truncated").at(ends_at);
        let begins = (!lane.of(1, &values.continues)).named("begins_sequence");
        let valid = valid.at(class);
        let begins_with_zero = begins & valid & lane.own(&values.is_zero);
        let (zero_first, zero_first_heard) =
            lane.hear("zero_first", 1, stages.zero_first, "its sequence begins with a zero octet");
        let errors = ErrorPorts {
            is_last: is_last_heard,
            ends_before: ends_before_heard,
            begins_with_zero: lane.tell("begins_with_zero", begins_with_zero, "a zero octet begins here"),
            keeps_zero: lane.tell("keeps_zero", !begins | !valid, "it begins no sequence, or is none"),
            zero_first: zero_first_heard,
        };
        (ends, Some((truncated, zero_first)), Some(errors))
    };
    let ends = lane.tell("ends", ends.called("ends").at(ends_at), "the nonet ends a slot");
    let back = has_back.then(|| {
        let back = number_of_first(&masks).expect("a code point has octets").called("octets_back");
        lane.tell("octets_back", back, "the octets of its code point before it")
    });

    lane.section(made, "the slot");
    let octet = lane.own(&values.octet);
    let masks: Vec<At> = masks.iter().map(|mask| mask.at(made)).collect();
    let parts: Vec<At> =
        (1..).zip(&masks).map(|(back, &mask)| lane.of(back, &values.octet).masked(mask)).collect();
    let code_point = At::concat(parts.into_iter().rev().chain([octet]));
    let slot = match truncated {
        None => code_point,
        Some((truncated, zero_first)) => {
            let overlong = (zero_first.at(made) & masks[0]).named("is_overlong");
            slot_or_error(layout, code_point, [truncated, overlong, surrogate, too_great])
        }
    };
    let slot = lane.tell("slot", slot.registered("slot"), "the slot that the nonet ends");
    Ports { unit: unit_heard, unit_1, ends, slot, back, errors }
}
