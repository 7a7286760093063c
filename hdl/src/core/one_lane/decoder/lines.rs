//! The line and the column of a slot: the number of U+000A in the frame before the slot, and the number of characters since.
//!
//! Characters are the code points and errors that go out. All slots of a code point of 2^32 or more, and an error in place of a limb,
//! are one character.

use super::slots::SlotRegister;
use crate::core::one_lane::limb_counter::limb_counter;
use crate::core::shared::code_points::LINE_FEED;
use crate::core::shared::tags::{HEAD, LIMB};
use crate::core::{CoreSpec, is_long};
use crate::netlist::{Builder, Reg, Signal};

/// Bits of a slot's data that the counter of limbs reads.
const LIMBS_BITS: u32 = 32;

/// The counters of lines and of columns.
pub(super) struct Lines<'m> {
    m: &'m Builder,
    is_long: bool,
    line: Option<Reg<'m>>,
    column: Option<Reg<'m>>,
}

impl<'m> Lines<'m> {
    pub(super) fn new(m: &'m Builder, spec: &CoreSpec) -> Self {
        let CoreSpec { line, column, .. } = *spec;
        if line + column > 0 {
            m.section("The line and the column of the slot, in the text that goes out");
        }
        let counter =
            |bits: u32, name: &str, note: &str| (bits > 0).then(|| m.reg(name, bits).reset(0).note(note));
        Self {
            m,
            is_long: is_long(spec.system),
            line: counter(line, "line_reg", "U+000A in the frame before the slot"),
            column: counter(
                column,
                "column_reg",
                "characters since the last U+000A, or since the frame began",
            ),
        }
    }

    /// The column of a slot, its line, and in the low bits its position; `None` without any of them.
    pub(super) fn place(&self, slot: &SlotRegister<'m>) -> Option<Signal<'m>> {
        let counters = [(self.column, "column"), (self.line, "line")];
        let of_slot = |(counter, name): (Option<Reg<'m>>, &str)| {
            Some(counter?.q.when(slot.keep).named(&format!("slot_{name}")))
        };
        let parts: Vec<Signal> = counters.into_iter().filter_map(of_slot).chain(slot.position).collect();
        (!parts.is_empty()).then(|| self.m.concat(parts))
    }

    /// Counts the slot, which goes out where it is valid and `ready`.
    pub(super) fn count(self, slot: &SlotRegister<'m>, ready: Signal<'m>) {
        let Self { m, is_long, line, column } = self;
        if line.is_none() && column.is_none() {
            return;
        }
        let moves = (slot.valid & ready).named("slot_moves");
        let is_code_point = slot.tag.user.map_or(slot.keep, |user| slot.keep & user.is(0));
        let is_line_feed = slot.data.expect("slots have data").is(LINE_FEED);
        let is_line_feed = (is_code_point & is_line_feed).named("is_line_feed");
        if let Some(line) = line {
            let next = line.q + is_line_feed.zext(line.q.width());
            line.next_when(moves, next.when(!slot.last));
        }
        if let Some(column) = column {
            let ends = match is_long {
                true => ends_character(m, slot, moves),
                false => slot.keep,
            };
            let next = column.q + ends.zext(column.q.width());
            column.next_when(moves, next.when(!(slot.last | is_line_feed)));
        }
    }
}

/// Whether the slot is the last of its character.
fn ends_character<'m>(m: &'m Builder, slot: &SlotRegister<'m>, moves: Signal<'m>) -> Signal<'m> {
    let user = slot.tag.user.expect("heads have a code");
    let is_limb = user.is(LIMB).named("slot_is_limb");
    let is_head = user.is(HEAD).named("slot_is_head");
    let counter = m.instance("limb_counter", &limb_counter());
    counter.input("slot_taken", (moves & slot.keep).named("slot_counts")).input("is_limb", is_limb);
    counter.input("is_head", is_head);
    counter.input("limbs", slot.data.expect("a head has a number").zext(LIMBS_BITS));
    let continues = is_head | is_limb & !counter.output("final_limb");
    (slot.keep & !continues).named("ends_character")
}
