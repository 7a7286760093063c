//! `corrected-utf-8,skipped=private`: private-use characters of plane 16 that stand for code points that the system skips.

use std::sync::Arc;

use super::front::{First, Front};
use crate::core::lanes::{Lanes, section};
use crate::core::shared::corrected_utf_8::without_private;
use crate::netlist::{Builder, Module};

/// Reads the code points that private-use characters stand for, in a stage of its own. An error has its kind in place of a code point, below plane 16.
pub(super) fn with_skipped<'m>(m: &'m Builder, front: Front<'m>) -> Front<'m> {
    let (at, bits) = (front.sums_at() + 1, front.layout.data_bits);
    section(m, at, "private-use characters that stand for code points that are skipped");
    let module = reader(m, bits);
    let slots = front.slots.iter().enumerate().map(|(place, &slot)| {
        let read = slot.map(|slot| {
            let reader = m.instance(&format!("read_{place}"), &module).lane(place);
            let code_point = reader.input("code", slot.bits(0..bits)).output("code_point");
            match slot.width() > bits {
                true => m.concat([slot.bits(bits..slot.width()), code_point]),
                false => code_point,
            }
        });
        read.registered(&format!("read_slot_{place}"))
    });
    let slots = Lanes::new("read_slot", slots);
    let first =
        front.first.map(|First { ends, slot }| First { ends, slot: slot.called("first_slot").at(at) });
    Front { first, slots, ..front }
}

/// A module that reads a code point.
fn reader(m: &Builder, bits: u32) -> Arc<Module> {
    let m = m.below("read_private", "The code point that a private-use character stands for.");
    let code = m.input("code", bits, "a code point as it was written");
    m.output("code_point", without_private(&m, code), "that code point, or the skipped one");
    m.built()
}
