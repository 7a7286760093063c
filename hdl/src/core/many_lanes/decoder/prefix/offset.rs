//! The offsets of Corrected UTF-8, seed 004. The code points of a form begin after those of the form before, so that no two sequences
//! are one code point.
//!
//! The offsets in the table of the seed are A0, 8A0 or 10A0, 110A0, 2110A0 and 42110A0, for two to six octets. The ones of an offset
//! are ones of the next offset, too, except in 8A0, the offset of three octets below the surrogates.

use super::shape::Shape;
use super::value::Sources;
use crate::core::lanes::{At, Lane};
use crate::core::many_lanes::decoder::slot::SlotTag;
use crate::core::shared::code_points::above;

/// In sequences of three octets, the first bits past U+D7FF: from EC BD A0 on, the offset skips the surrogates.
const FIRST_PAST_SURROGATES: u64 = 0xcf60;
/// Bits of three octets, and the bits at their end that are zeros in that.
const BITS_OF_THREE: u32 = 16;
const ZEROS: u32 = 5;

/// The slot with its offset, two stages later, from its bits as they are in the units.
pub(super) fn with_offset<'m>(
    lane: &Lane<'m>,
    shape: &Shape,
    sources: &Sources<'m>,
    value: At<'m>,
) -> At<'m> {
    let width = shape.layout.data_bits;
    // Whether the sequence has at least that number of trailing units; an error has none.
    let whole = |trailing: usize| {
        let (_, is) = sources.whole.iter().find(|(of, _)| *of == trailing).expect("units hold bits");
        is.called(&format!("of_{}", trailing + 1))
    };
    let at = value.stage() + 1;
    let data = value.bits(0..width - 1).registered("bits");
    let tag = (value.width() > width).then(|| value.bit(width).called("is_error"));

    lane.section(at, "which offset the sequence has");
    let past = data
        .bits(ZEROS..BITS_OF_THREE)
        .map(|bits| {
            above(bits, u128::from((FIRST_PAST_SURROGATES >> ZEROS) - 1))
                .expect("three octets reach past the surrogates")
        })
        .named("is_past")
        .note("of three octets: past the surrogates");
    let [two, three, four, five, six] = [1, 2, 3, 4, 5].map(|trailing| whole(trailing).at(at));
    let below_surrogates = (three & !four & !past).registered("below_surrogates");
    let past_surrogates = (four | three & past).registered("past_surrogates");

    lane.section(at + 1, "the offset is added");
    let [two, four, five, six] = [two, four, five, six].map(|is| is.at(at + 1));
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
        parts.extend((bit > end).then(|| lane.lit(bit - end, 0)));
        parts.push(is);
        end = bit + 1;
    }
    parts.push(lane.lit(width - end, 0));
    let offset = At::concat(parts.into_iter().rev()).named("offset");
    let sum = data.at(at + 1).zext(width) + offset;
    shape.layout.slot(SlotTag { error: tag.map(|tag| tag.at(at + 1)), part: None }, sum)
}
