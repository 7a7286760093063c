//! The offsets of Corrected UTF-8, seed 004: each form begins where the one before it ends, so that no two sequences are one code
//! point.
//!
//! The offsets of the seed's table are A0, 8A0 or 10A0, 110A0, 2110A0 and 42110A0, for two to six octets: the bits of each are
//! among those of the next, but for 8A0, that of three octets below the surrogates.

use super::shape::Shape;
use super::value::Sources;
use crate::core::many_lanes::decoder::pipeline::delay;
use crate::core::many_lanes::decoder::plan::Plan;
use crate::core::many_lanes::decoder::slot::SlotTag;
use crate::core::shared::code_points::above;
use crate::netlist::{Builder, Signal, Stage};

/// In sequences of three octets, the first bits past U+D7FF: from EC BD A0 on, the offset skips the surrogates.
const FIRST_PAST_SURROGATES: u64 = 0xcf60;
/// Bits of three octets, and the bits at their end that are zeros in that.
const BITS_OF_THREE: u32 = 16;
const ZEROS: u32 = 5;

/// The slot with its offset, from its bits as they stand in the units.
pub(super) fn with_offset<'m>(
    m: &'m Builder,
    shape: &Shape,
    sources: &Sources<'m>,
    value: Signal<'m>,
    plan: &Plan,
    stage: Stage<'m>,
) -> Signal<'m> {
    let at = shape.value_at(plan);
    let width = shape.layout.data_bits;
    // Whether the sequence has so many trailing units at least; an error has none.
    let whole =
        |trailing: usize| sources.whole.iter().find(|(of, _)| *of == trailing).expect("units hold bits").1;
    let next = |name: &str, signal, at: u32| delay(stage, name, signal, at, at + 1);
    let data = next("bits", value.bits(0..width - 1), at);
    let tag = (value.width() > width).then(|| next("is_error", value.bit(width), at));
    let whole: Vec<Signal> = (1..=shape.longest)
        .map(|trailing| next(&format!("of_{}", trailing + 1), whole(trailing), at))
        .collect();

    m.stage_section(at + 1, "which offset the sequence has");
    let at = at + 1;
    let past = above(data.bits(ZEROS..BITS_OF_THREE), u128::from((FIRST_PAST_SURROGATES >> ZEROS) - 1));
    let past = past
        .expect("three octets reach past the surrogates")
        .named("is_past")
        .note("of three octets: past the surrogates");
    let [two, three, four, five, six] = whole[..] else { unreachable!("sequences of two to six octets") };
    let below_surrogates = next("below_surrogates", three & !four & !past, at);
    let past_surrogates = next("past_surrogates", four | three & past, at);
    let data = next("bits", data, at);
    let tag = tag.map(|tag| next("is_error", tag, at));
    let [two, four, five, six] =
        [("of_2", two), ("of_4", four), ("of_5", five), ("of_6", six)].map(|(name, is)| next(name, is, at));

    m.stage_section(at + 1, "the offset is added");
    let at = at + 1;
    let bits = [
        (5, two),
        (7, two),
        (11, below_surrogates),
        (12, past_surrogates),
        (16, four),
        (21, five),
        (26, six),
    ];
    let mut parts = Vec::new();
    let mut end = 0;
    for (bit, is) in bits {
        parts.extend((bit > end).then(|| m.lit(bit - end, 0)));
        parts.push(is);
        end = bit + 1;
    }
    parts.push(m.lit(width - end, 0));
    let offset = m.concat(parts.into_iter().rev()).named("offset");
    let sum = data.zext(width) + offset;
    let slot = shape.layout.slot(m, SlotTag { error: tag, part: None }, sum);
    delay(stage, "slot", slot, at, plan.slots)
}
