//! What a slot holds: the bits of the units of a whole sequence, or the kind of an error.

use super::shape::Shape;
use crate::core::many_lanes::decoder::logic::masked;
use crate::netlist::{Builder, Signal};

/// What the slot of a unit is made of.
pub(super) struct Sources<'m> {
    /// The unit without its marker, where there is anything in it.
    pub(super) payload: Option<Signal<'m>>,
    /// Of the units before it, the nearest first: their bits that can be part of the slot.
    pub(super) before: Vec<Option<Signal<'m>>>,
    /// For n from 1 on: the slot is a sequence with n trailing units at least.
    pub(super) whole: Vec<Signal<'m>>,
    /// The slot is an error, and its kind.
    pub(super) error: Option<(Signal<'m>, Signal<'m>)>,
}

/// The slot.
pub(super) fn value<'m>(m: &'m Builder, shape: &Shape, sources: &Sources<'m>) -> Signal<'m> {
    let layout = &shape.layout;
    // Where each contribution begins, and what it is.
    let trailing_bits = shape.leads.forms.trailing_bits();
    let mut parts: Vec<(u32, Signal, Option<Signal>)> = Vec::new();
    parts.extend(sources.payload.map(|payload| (0, payload, None)));
    for (index, bits) in sources.before.iter().enumerate() {
        let at = (index as u32 + 1) * trailing_bits;
        parts.extend(bits.map(|bits| (at, bits, Some(sources.whole[index]))));
    }
    let mut edges = vec![0, layout.kind_bits, 16, layout.data_bits];
    edges.extend(parts.iter().flat_map(|(at, bits, _)| [*at, at + bits.width()]));
    edges.retain(|&edge| edge <= layout.data_bits);
    edges.sort_unstable();
    edges.dedup();
    let field = |low: u32, high: u32| {
        let inside = parts.iter().filter(|(at, bits, _)| *at <= low && high <= at + bits.width());
        let bits = inside.map(|&(at, bits, whole)| {
            let bits = bits.bits(low - at..high - at);
            whole.map_or(bits, |whole| masked(bits, whole))
        });
        let bits = bits.reduce(|a, b| a | b);
        let width = high - low;
        match sources.error {
            Some((error, kind)) if high <= layout.kind_bits => {
                let kind = kind.bits(low..high);
                bits.map_or(kind, |bits| error.mux(kind, bits))
            }
            Some((error, _)) if layout.is_one_in_errors(low) => {
                let ones = error.repeat(width as usize);
                bits.map_or(ones, |bits| bits | ones)
            }
            _ => bits.unwrap_or_else(|| m.lit(width, 0)),
        }
    };
    let fields: Vec<Signal> = edges.windows(2).map(|edge| field(edge[0], edge[1])).collect();
    m.concat(sources.error.map(|(error, _)| error).into_iter().chain(fields.into_iter().rev()))
}
