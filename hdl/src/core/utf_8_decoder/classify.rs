//! Stage 1: what a unit is, whatever stands before it.

use super::{Kinds, slot_labels};
use crate::netlist::{Builder, Signal};

/// The registers of the stage.
#[derive(Clone, Copy)]
pub(super) struct Class<'m> {
    /// There is a unit, or the end of a frame.
    pub(super) present: Signal<'m>,
    pub(super) unit_valid: Signal<'m>,
    pub(super) frame_ends: Signal<'m>,
    /// Seven bits: those of an ASCII unit, or the payload of a lead or trailing unit.
    pub(super) payload: Signal<'m>,
    pub(super) trailing: Signal<'m>,
    pub(super) lead: Signal<'m>,
    /// Two bits: how many trailing units a lead asks for.
    pub(super) follow: Signal<'m>,
    /// Not every trailing unit may follow the lead: above would be surrogates (ED) or code points past U+10FFFF (F4), below
    /// overlong forms (E0, F0).
    pub(super) narrows: Signal<'m>,
    /// If so: the lower trailing units may follow, not the upper.
    pub(super) lower: Signal<'m>,
    /// Kind of error of the unit in no sequence (of a lead, if nothing follows); where errors are dropped, one bit.
    pub(super) alone: Signal<'m>,
}

pub(super) fn classify<'m>(
    m: &'m Builder,
    unit: Signal<'m>,
    unit_valid: Signal<'m>,
    frame_ends: Signal<'m>,
    advance: Signal<'m>,
    kinds: Option<&Kinds<'m>>,
) -> Class<'m> {
    m.section("Stage 1: what the unit is by itself");
    let trailing = unit.bits(6..8).is(0b10).named("trailing");
    let past_c1 = unit.bits(1..5).any().named("past_c1").note("of C0..DF: C2..DF");
    let past_f4 =
        (unit.bit(3) | unit.bit(2) & unit.bits(0..2).any()).named("past_f4").note("of F0..FF: F5..FF");
    let lead = (unit.bits(6..8).is(0b11) & unit.bit(5).mux(!(unit.bit(4) & past_f4), past_c1)).named("lead");
    // What a lead says is only read where the unit is one: the bits that tell leads from each other suffice.
    let of_4 = unit.bit(4);
    let follow =
        m.concat([unit.bit(5), !unit.bit(5) | of_4]).named("follow").note("C2..DF 1, E0..EF 2, F0..F4 3");
    let low_is_d = unit.bits(0..4).is(0xd).named("low_is_d").note("of E0..EF: ED, lest surrogates follow");
    let narrows_3 = unit.bits(0..4).is(0x0) | low_is_d;
    let narrows_4 = unit.bits(0..2).is(0b00);
    let narrows = (unit.bit(5) & of_4.mux(narrows_4, narrows_3)).named("narrows").note("E0, ED, F0 and F4");
    let lower = unit.bit(2).named("lower").note("of these, ED and F4");
    // One expression for leads and trailing units: their markers are 110, 1110, 11110 and 10.
    let payload = m
        .concat([
            unit.bit(6) & !unit.bit(7),
            unit.bit(5) & !(unit.bit(7) & unit.bit(6)),
            unit.bit(4) & !(unit.bits(5..8).all()),
            unit.bits(0..4),
        ])
        .named("payload")
        .note("the unit without its marker");
    let alone = match kinds {
        Some(kinds) => {
            // The first bit that is zero tells leads and trailing units apart.
            let from_f5 = unit.bit(3).mux(kinds.invalid, kinds.out_of_range);
            let from_e0 = (unit.bit(4) & past_f4).mux(from_f5, kinds.truncated).named("from_e0");
            let from_c0 =
                unit.bit(5).mux(from_e0, past_c1.mux(kinds.truncated, kinds.overlong)).named("from_c0");
            let from_80 = unit.bit(6).mux(from_c0, kinds.unexpected);
            unit.bit(7).mux(from_80, kinds.none).named("alone").labels(&slot_labels())
        }
        None => unit.bit(7).named("alone"),
    };

    let register = |name: &str, next: Signal<'m>| {
        let register = m.reg(name, next.width());
        register.next_when(advance, next);
        register.q
    };
    let flag = |name: &str, next: Signal<'m>| {
        let register = m.reg(name, 1).reset(0);
        register.next_when(advance, next);
        register.q
    };
    Class {
        present: flag("present_reg", unit_valid | frame_ends),
        unit_valid: flag("unit_valid_reg", unit_valid),
        frame_ends: flag("frame_ends_reg", frame_ends),
        payload: register("payload_reg", payload),
        trailing: register("trailing_reg", trailing),
        lead: register("lead_reg", lead),
        follow: register("follow_reg", follow),
        narrows: register("narrows_reg", narrows),
        lower: register("lower_reg", lower),
        alone: register("alone_reg", alone),
    }
}
