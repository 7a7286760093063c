//! The contents of a slot: the bits of a whole sequence, the kind of an error, or a head or limb of a code point whose sequence is
//! still coming in.

use super::shape::Shape;
use crate::core::lanes::{At, Lane};
use crate::core::many_lanes::decoder::slot::SlotTag;
use crate::core::many_lanes::decoder::utf_inf_8::PHASES;
use crate::core::shared::ports::SLOT_DATA_BITS;

/// The fields from which the slot of a unit is selected.
pub(super) struct Sources<'m> {
    /// The unit without its marker, where there is anything in it.
    pub(super) payload: Option<At<'m>>,
    /// The units before: the distance of each, and the bits that can be in the slot.
    pub(super) before: Vec<(usize, At<'m>)>,
    /// For each distance: the slot is a whole sequence that begins at that distance or earlier.
    pub(super) whole: Vec<(usize, At<'m>)>,
    /// The slot is an error.
    pub(super) error: Option<At<'m>>,
    /// The kind of the error, if it has data.
    pub(super) kind: Option<At<'m>>,
    /// The slot is a last limb.
    pub(super) limb: Option<At<'m>>,
    /// The slot is a code point of a sequence after FF, and its highest bit is 1.
    pub(super) endless: Option<At<'m>>,
    /// In place of all that, a slot that the next unit makes certain: that there is one, and what it is, else zero.
    pub(super) part: Option<(At<'m>, At<'m>)>,
}

/// A head or limb that a unit makes certain, other than the last limb: a bit each.
pub(super) struct Parts<'m> {
    /// There is one.
    pub(super) any: At<'m>,
    pub(super) head: At<'m>,
    /// With the head: there are three limbs; the first of these.
    pub(super) third: Option<(At<'m>, At<'m>)>,
    /// The last limb but one, which was complete with the head.
    pub(super) late: Option<At<'m>>,
    /// For each n: the limb that the n-th trailing unit completes.
    pub(super) limbs: Vec<(usize, At<'m>)>,
    /// The head or limb that a unit after FF makes certain.
    pub(super) tail: Option<TailParts<'m>>,
}

/// A head or limb that a unit after FF makes certain. Masks have a bit for each unit before, the nearest in the low bit.
#[derive(Clone, Copy)]
pub(super) struct TailParts<'m> {
    /// A head, and the units before it that are digits of its header.
    pub(super) counted: At<'m>,
    pub(super) digits: At<'m>,
    /// A head of two limbs or three.
    pub(super) head: At<'m>,
    pub(super) three: At<'m>,
    /// A limb of two bits, which waited for its head.
    pub(super) late: At<'m>,
    /// A limb, with a bit for each of [`PHASES`], and the units before that have bits in the limb.
    pub(super) limbs: At<'m>,
    pub(super) masks: At<'m>,
}

impl<'m> Parts<'m> {
    /// Adds the head or limb that a unit after FF makes certain. A unit never makes two certain.
    pub(super) fn with_tail(self, tail: TailParts<'m>) -> Self {
        let any = tail.counted | tail.head | tail.late | tail.limbs.any();
        Self { any: self.any | any, head: self.head | tail.head, tail: Some(tail), ..self }
    }

    /// The bits in stage `stage`.
    pub(super) fn at(self, stage: u32) -> Self {
        let at = |signal: At<'m>| signal.at(stage);
        Self {
            any: at(self.any),
            head: at(self.head),
            third: self.third.map(|(third, limb)| (at(third), at(limb))),
            late: self.late.map(at),
            limbs: self.limbs.into_iter().map(|(due, is)| (due, at(is))).collect(),
            tail: self.tail.map(|tail| TailParts {
                counted: at(tail.counted),
                digits: at(tail.digits),
                head: tail.head,
                three: at(tail.three),
                late: at(tail.late),
                limbs: at(tail.limbs),
                masks: at(tail.masks),
            }),
        }
    }
}

/// Bits of a unit at some place of a slot, where a mask is 1.
struct Field<'m> {
    at: u32,
    bits: At<'m>,
    mask: Option<At<'m>>,
}

/// The OR of fields between each two edges, the lowest first; none where no field is. Gives the range too.
fn overlay<'m>(fields: &[Field<'m>], width: u32, edges: &[u32]) -> Vec<(u32, u32, Option<At<'m>>)> {
    let mut all = vec![0, width];
    all.extend(edges);
    all.extend(fields.iter().flat_map(|field| [field.at, field.at + field.bits.width()]));
    all.retain(|&edge| edge <= width);
    all.sort_unstable();
    all.dedup();
    let range = |edge: &[u32]| {
        let (low, high) = (edge[0], edge[1]);
        let inside = fields.iter().filter(|field| field.at <= low && high <= field.at + field.bits.width());
        let bits = inside.map(|field| {
            let bits = field.bits.bits(low - field.at..high - field.at);
            field.mask.map_or(bits, |mask| bits.masked(mask))
        });
        (low, high, At::any_of(bits))
    };
    all.windows(2).map(range).collect()
}

/// The slot of a unit.
pub(super) fn slot<'m>(lane: &Lane<'m>, shape: &Shape, sources: &Sources<'m>) -> At<'m> {
    let layout = &shape.layout;
    let trailing_bits = shape.leads.forms.trailing_bits();
    let gives_way = sources.part.as_ref().map(|(is_part, _)| *is_part);
    let mut fields = Vec::new();
    fields.extend(sources.payload.map(|bits| Field {
        at: 0,
        bits,
        mask: gives_way.map(|part| (!part).named("has_no_part")),
    }));
    for &(back, bits) in &sources.before {
        let width = shape.bits_in_slot(back).min(bits.width());
        if width > 0 {
            let mask = sources.whole.iter().find(|(of, _)| *of == back).map(|(_, is)| *is);
            fields.push(Field { at: back as u32 * trailing_bits, bits: bits.bits(0..width), mask });
        }
    }
    fields.extend(sources.endless.map(|bits| Field { at: layout.data_bits - 1, bits, mask: None }));
    let part = |low: u32, high: u32| sources.part.as_ref().map(|(_, part)| part.bits(low..high));
    let parts =
        overlay(&fields, layout.data_bits, &[layout.kind_bits, 16]).into_iter().map(|(low, high, bits)| {
            let bits = match sources.error.zip(sources.kind) {
                Some((error, kind)) if high <= layout.kind_bits => {
                    let kind = kind.bits(low..high);
                    Some(bits.map_or(kind.masked(error), |bits| error.mux(kind, bits)))
                }
                Some((error, _)) if layout.is_one_in_errors(low) => {
                    let ones = error.map(|error| error.repeat((high - low) as usize));
                    Some(bits.map_or(ones, |bits| bits | ones))
                }
                _ => bits,
            };
            let bits = bits.map(|bits| bits.called(&format!("slot_from_bit_{low}")));
            At::any_of([bits, part(low, high)].into_iter().flatten())
                .unwrap_or_else(|| lane.lit(high - low, 0))
        });
    let data = At::concat(parts.collect::<Vec<_>>().into_iter().rev());
    let error = sources.error;
    let tag = match (sources.limb, &sources.part) {
        (Some(limb), Some((_, part))) => {
            let (limb_part, is_part) = (part.bit(layout.data_bits), part.bit(layout.data_bits + 1));
            SlotTag {
                error: error.map(|error| (error | limb).called("slot_tag") | limb_part),
                part: Some(limb | is_part),
            }
        }
        _ => SlotTag { error, part: None },
    };
    layout.slot(tag, data)
}

/// The head or limb that a unit makes certain, for the slot of the unit before it; zero if there is none.
pub(super) fn part_slot<'m>(
    lane: &Lane<'m>,
    shape: &Shape,
    payload: At<'m>,
    before: &[(usize, At<'m>)],
    parts: &Parts<'m>,
) -> At<'m> {
    let layout = &shape.layout;
    let trailing_bits = shape.leads.forms.trailing_bits();
    let limbs = shape.limbs().expect("there are limbs");
    let own = (0, payload.bits(0..trailing_bits));
    let units = || [own].into_iter().chain(before.iter().copied());
    let mut fields = Vec::new();
    let mut add = |back: usize, bits: At<'m>, below: u32, mask: At<'m>| {
        let at = back as u32 * trailing_bits;
        let dropped = below.saturating_sub(at);
        let at = at.saturating_sub(below);
        if dropped < bits.width() && at < layout.data_bits {
            let end = bits.width().min(dropped + layout.data_bits - at);
            fields.push(Field { at, bits: bits.bits(dropped..end), mask: Some(mask) });
        }
    };
    // For each distance: a limb with bits of the unit at that distance is certain. Distances with equal limbs share a signal.
    let of_limbs: Vec<(usize, At)> = (0..parts.limbs.len())
        .map(|first| {
            let some = At::any_of(parts.limbs[first..].iter().map(|(_, is)| *is)).expect("a limb");
            let due = parts.limbs[first].0;
            let is_alone = first + 1 == parts.limbs.len();
            (due, if is_alone { some } else { some.named(&format!("some_limb_from_{due}")) })
        })
        .collect();
    let reaching = |back: usize| of_limbs.iter().find(|(due, _)| *due >= back).map(|(_, some)| *some);
    for (back, bits) in units() {
        if let Some(mask) = reaching(back) {
            add(back, bits, limbs.below(false), mask);
        }
        if let Some(late) = parts.late.filter(|_| (1..=2).contains(&back)) {
            add(back, bits, limbs.below(true), late);
        }
    }
    // A head counts two limbs or three; a third limb is 1.
    fields.push(Field { at: 1, bits: parts.head, mask: None });
    if let Some((has_third, third)) = parts.third {
        fields.push(Field { at: 0, bits: (parts.head & has_third) | third, mask: None });
    }
    if let Some(tail) = &parts.tail {
        fields.extend(tail_fields(payload, before, tail));
    }
    let data = overlay(&fields, layout.data_bits, &[]).into_iter();
    let data =
        data.map(|(low, high, bits)| bits.unwrap_or_else(|| lane.lit(high - low, 0))).collect::<Vec<_>>();
    let data = At::concat(data.into_iter().rev()).called("part_data");
    let third = parts.third.map(|(_, third)| third);
    let limb =
        At::any_of([third, parts.late].into_iter().flatten().chain(parts.limbs.iter().map(|(_, is)| *is)));
    let limb = limb.expect("some unit makes a limb certain");
    let limb = parts.tail.as_ref().map_or(limb, |tail| limb | tail.late | tail.limbs.any());
    let tag = SlotTag { error: Some(limb.called("part_is_limb")), part: Some(parts.any) };
    // The sum is a carry chain, so it has a stage by itself.
    let number = parts.tail.as_ref().map(|tail| {
        let number = limbs_counted(payload, before, tail);
        number.registered("limbs_counted").zext(layout.data_bits)
    });
    layout.slot(tag, number.map_or(data, |number| data | number))
}

/// The bits of the unit that is `back` units before, where it has any in a slot.
fn unit_before<'m>(before: &[(usize, At<'m>)], back: usize) -> Option<At<'m>> {
    before.iter().find(|(of, _)| *of == back).map(|(_, bits)| *bits)
}

/// The bits of a head or limb that a unit after FF makes certain.
fn tail_fields<'m>(payload: At<'m>, before: &[(usize, At<'m>)], tail: &TailParts<'m>) -> Vec<Field<'m>> {
    let mut fields = vec![Field { at: 0, bits: tail.three, mask: None }];
    let nearest = unit_before(before, 1).expect("units stand before it");
    fields.push(Field { at: 0, bits: nearest.bits(4..6), mask: Some(tail.late) });

    // Six bits of each unit, without those after the limb.
    let masks = (0..tail.masks.width()).map(|bit| tail.masks.bit(bit));
    let bits =
        (1..).zip(masks).map(|(back, mask)| unit_before(before, back).expect("it has bits").masked(mask));
    let own = payload.bits(0..6);
    let gathered = At::concat([own].into_iter().chain(bits).collect::<Vec<_>>().into_iter().rev());
    let gathered = gathered.named("limb_bits");
    for (bit, (left_over, _)) in (0..).zip(PHASES) {
        let end = (left_over + SLOT_DATA_BITS).min(gathered.width());
        let bits = gathered.bits(left_over..end);
        fields.push(Field { at: 0, bits, mask: Some(tail.limbs.bit(bit)) });
    }
    fields
}

/// The number of limbs that a header counts, if the unit ends one, else zero: three and one for every eight digits, and one more where seven
/// are left.
fn limbs_counted<'m>(payload: At<'m>, before: &[(usize, At<'m>)], tail: &TailParts<'m>) -> At<'m> {
    let masks = (0..tail.digits.width()).map(|bit| tail.digits.bit(bit));
    let digits = (1..).zip(masks).map_while(|(back, mask)| {
        let bits = unit_before(before, back)?;
        Some(bits.bits(0..bits.width().min(4)).masked(mask))
    });
    let eighth =
        [payload.bit(3) & tail.counted].into_iter().chain(digits).collect::<Vec<_>>().into_iter().rev();
    let eighth = At::concat(eighth);
    let width = (eighth.width() + 1).clamp(3, SLOT_DATA_BITS);
    let is_7 = payload.bits(0..3).map(|digit| digit.all()).named("seven_left");
    let few = At::concat([is_7, !is_7, !is_7]).masked(tail.counted);
    eighth.zext(width) + few.zext(width)
}
