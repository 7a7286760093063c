//! Slots that wait: a unit of these sets makes up to four slots certain, and one goes out in a cycle.
//!
//! A unit makes several slots only if as many units before it made none, so that there is always room.

use crate::core::one_lane::decoder::slots::SlotRegister;
use crate::core::shared::tags::Tag;
use crate::netlist::{Builder, Signal, Stage};
use crate::stream::Fields;

/// A slot, or the end of a frame without a slot.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane::decoder) struct Entry<'m> {
    /// One bit: there is one.
    pub(in crate::core::one_lane::decoder) is: Signal<'m>,
    /// One bit: it is a slot, not only the end of a frame.
    pub(in crate::core::one_lane::decoder) keep: Signal<'m>,
    pub(in crate::core::one_lane::decoder) last: Signal<'m>,
    pub(in crate::core::one_lane::decoder) tag: Tag<'m>,
    pub(in crate::core::one_lane::decoder) data: Signal<'m>,
    /// The offset of the slot's first unit; `None` without offsets.
    pub(in crate::core::one_lane::decoder) offset: Option<Signal<'m>>,
    /// The units of the frame, if it ends with the slot; `None` where nobody counts them.
    pub(in crate::core::one_lane::decoder) units: Option<Signal<'m>>,
}

impl<'m> Entry<'m> {
    /// `one` where `select` is 1, else `zero`.
    pub(super) fn mux(select: Signal<'m>, one: Self, zero: Self) -> Self {
        let mux = |one: Option<Signal<'m>>, zero| Some(select.mux(one?, zero?));
        Self {
            is: select.mux(one.is, zero.is),
            keep: select.mux(one.keep, zero.keep),
            last: select.mux(one.last, zero.last),
            tag: Tag::mux(select, one.tag, zero.tag),
            data: select.mux(one.data, zero.data),
            offset: mux(one.offset, zero.offset),
            units: mux(one.units, zero.units),
        }
    }

    /// Names the fields that have no name.
    pub(in crate::core::one_lane::decoder) fn or_named(self, name: &str) -> Self {
        let named = |signal: Signal<'m>, part: &str| signal.or_named(&format!("{name}_{part}"));
        let tag = Tag {
            error: self.tag.error.map(|error| named(error, "error")),
            user: self.tag.user.map(|user| named(user, "user")),
            ..self.tag
        };
        Self {
            is: named(self.is, "is"),
            keep: named(self.keep, "keep"),
            last: named(self.last, "last"),
            tag,
            data: named(self.data, "data"),
            offset: self.offset.map(|offset| named(offset, "offset")),
            units: self.units.map(|units| named(units, "units")),
        }
    }

    /// The entry in registers of a stage, which are named after `name`.
    pub(super) fn registered(self, stage: Stage<'m>, name: &str) -> Self {
        let data = |part: &str, signal: Signal<'m>| match signal.is_constant() {
            true => signal,
            false => stage.data(&format!("{name}_{part}_reg"), signal),
        };
        Self {
            is: stage.flag(&format!("{name}_is_reg"), self.is),
            keep: data("keep", self.keep),
            last: data("last", self.last),
            tag: Tag {
                error: self.tag.error.map(|error| data("error", error)),
                user: self.tag.user.map(|user| data("user", user)),
                ..self.tag
            },
            data: data("data", self.data),
            offset: self.offset.map(|offset| data("offset", offset)),
            units: self.units.map(|units| data("units", units)),
        }
    }

    /// This entry if there is one, else `other`.
    pub(in crate::core::one_lane::decoder) fn before(self, other: Self) -> Self {
        Self { is: self.is | other.is, ..Self::mux(self.is, self, other) }
    }

    /// This entry where `mask` is 1, else none.
    pub(super) fn when(self, mask: Signal<'m>) -> Self {
        Self { is: self.is & mask, ..self }
    }

    /// All but whether there is one, side by side.
    fn payload(&self, m: &'m Builder) -> Signal<'m> {
        let Tag { error, user, .. } = self.tag;
        let flags = [Some(self.keep), Some(self.last), error, user];
        m.concat(flags.into_iter().chain([self.offset, self.units, Some(self.data)]).flatten())
    }

    /// Takes a [`payload`](Self::payload) apart, in the shape of this entry.
    fn of_payload(&self, is: Signal<'m>, payload: Signal<'m>, name: &str) -> Self {
        let mut fields = Fields::of(payload);
        let mut next = |like, part: &str| fields.next(like, &format!("{name}_{part}"));
        let (keep, last) = (next(self.keep, "keep"), next(self.last, "last"));
        let error = self.tag.error.map(|error| next(error, "error"));
        let user = self.tag.user.map(|user| next(user, "user"));
        let offset = self.offset.map(|offset| next(offset, "offset"));
        let units = self.units.map(|units| next(units, "units"));
        let tag = Tag { error, user, ..self.tag };
        Self { is, keep, last, tag, offset, units, data: next(self.data, "data") }
    }
}

/// The slot register, and registers for the slots that wait. `new` are the slots that a unit makes, those that are there first.
pub(in crate::core::one_lane::decoder) fn queue<'m>(
    m: &'m Builder,
    new: &[Entry<'m>],
    stage: Stage<'m>,
) -> SlotRegister<'m> {
    let depth = new.len() - 1;
    let waiting: Vec<_> = (1..=depth)
        .map(|index| {
            let is = m.reg(&format!("waits_{index}_reg"), 1).reset(0).note("a slot waits");
            let payload = m.reg(&format!("waiting_{index}_reg"), new[0].payload(m).width());
            (is, payload)
        })
        .collect();
    let held: Vec<Entry<'m>> = (1..)
        .zip(&waiting)
        .map(|(index, (is, payload))| new[0].of_payload(is.q, payload.q, &format!("waiting_{index}")))
        .collect();
    // Slots that wait come first, without gaps, and the new ones after them.
    let at = |index: usize| {
        let moved = (1..=index.min(depth))
            .fold(new[index], |entry, count| Entry::mux(held[count - 1].is, new[index - count], entry));
        held.get(index).map_or(moved, |held| held.before(moved))
    };
    for (index, (is, payload)) in (1..).zip(&waiting) {
        let next = at(index);
        is.next_when(stage.enable, next.is);
        payload.next_when(stage.enable, next.payload(m));
    }
    let first = at(0);
    let keep = first.keep.or_named("next_keep");
    SlotRegister {
        valid: stage.flag("slot_valid_reg", first.is),
        last: stage.data("slot_last_reg", first.last),
        keep: stage.data("slot_keep_reg", keep),
        tag: first.tag.register(stage, "slot"),
        data: Some(stage.data("slot_data_reg", first.data)),
        position: first.offset.map(|offset| stage.data("slot_position_reg", offset.when(keep))),
        unit: None,
        units: first.units.map(|units| stage.data("slot_units_reg", units)),
    }
}
