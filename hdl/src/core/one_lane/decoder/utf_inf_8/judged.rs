//! Stage 3: what stage 2 found of a unit, in registers, and the bits of its sequence, of which the unit's are the last.

use super::SIX;
use super::misfit::Misfit;
use crate::core::one_lane::decoder::prefix::{self, Class, Sequence};
use crate::core::one_lane::decoder::slots::{OwnSlot, UnitSlots};
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::shared::tags::Tags;
use crate::netlist::{Builder, Signal, Stage};

/// Bits of a unit alone.
const UNIT_BITS: u32 = SIX + 1;

/// How many of the bits so far are left over behind those that go out.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    None = 0,
    Two = 1,
    Four = 2,
    /// A number of limbs goes out, or a limb that waited for its head.
    Small = 3,
}

/// How the unit goes on with the sequence before it.
pub(super) struct State<'m> {
    /// A sequence has begun and is not whole yet.
    pub(super) open: Signal<'m>,
    /// Trailing units still to come, where they are counted.
    pub(super) missing: Signal<'m>,
    /// A register: bits of the code point, with those of the unit before.
    pub(super) gathered: Signal<'m>,
    /// The unit goes on with the sequence, if nothing is wrong with it.
    pub(super) goes_on: Signal<'m>,
    /// Registers: what was wrong with the unit before.
    pub(super) misfit: Misfit<'m>,
    /// With the unit the sequence is whole, if it goes on.
    pub(super) last_missing: Signal<'m>,
    /// The unit begins a sequence.
    pub(super) opens: Signal<'m>,
}

/// Heads and limbs that go out before a sequence is whole, if the unit goes on with it.
#[derive(Clone, Copy)]
pub(super) struct Parts<'m> {
    /// The unit makes a head certain.
    pub(super) head: Signal<'m>,
    /// A limb goes out that is not the last.
    pub(super) limb: Signal<'m>,
    /// The head of the sequence went out before the unit.
    pub(super) told: Signal<'m>,
    /// What goes out of the bits so far: a [`Cut`].
    pub(super) cut: Signal<'m>,
    /// A limb goes out that waited for its head;
    pub(super) small_limb: Signal<'m>,
    /// behind FE, four bits, else two.
    pub(super) of_fe: Signal<'m>,
    /// A head tells of three limbs, not two.
    pub(super) three: Signal<'m>,
    /// The number of limbs is in the length header.
    pub(super) counted: Signal<'m>,
}

pub(super) struct Judged<'m> {
    class: Class<'m>,
    sequence: Sequence<'m>,
    parts: prefix::Parts<'m>,
    misfit: Misfit<'m>,
    data: Signal<'m>,
    /// The unit ends a length header.
    pub(super) counted: Signal<'m>,
}

impl<'m> Judged<'m> {
    pub(super) fn new(
        m: &'m Builder,
        class: Class<'m>,
        state: &State<'m>,
        parts: Parts<'m>,
        stage: Stage<'m>,
    ) -> Self {
        m.section("Stage 3: what goes out of the bits so far");
        let data = |name: &str, signal| stage.data(&format!("judged_{name}_reg"), signal);
        let flag = |name: &str, signal| stage.flag(&format!("judged_{name}_reg"), signal);
        let small =
            [data("small_limb", parts.small_limb), data("of_fe", parts.of_fe), data("three", parts.three)];
        let cut = data("cut_by", parts.cut);
        let head = data("head", parts.head);
        let bits = cut_out(m, state.gathered, cut, small).named("bits_out");
        let fits = (flag("goes_on", state.goes_on) & !state.misfit.any()).named("fits");
        let last_missing = data("last_missing", state.last_missing);
        // Where errors are dropped, nothing asks.
        let unfinished = match class.single {
            None => (data("opens", state.opens) | fits & !last_missing)
                .named("unfinished")
                .note("open after the unit"),
            Some(_) => fits,
        };
        Self {
            class: Class {
                unit_valid: flag("unit_valid", class.unit_valid),
                frame_ends: flag("frame_ends", class.frame_ends),
                payload: Some(bits.bits(0..UNIT_BITS)),
                alone: class.alone.register(stage, "judged_alone"),
                single: class.single.map(|single| data("single", single)),
                part: class.part,
            },
            sequence: Sequence {
                stage,
                open: flag("open", state.open),
                missing: state.missing,
                gathered: state.gathered,
                fits,
                last_missing,
                unfinished,
                in_run: None,
                narrow: None,
            },
            parts: prefix::Parts {
                head,
                due: (head | data("limb", parts.limb)).named("part_due"),
                data: None,
                told: data("told", parts.told),
            },
            misfit: state.misfit,
            data: bits,
            counted: data("counted", parts.counted),
        }
    }

    /// What the unit, or the end of the frame, makes certain.
    pub(super) fn made(&self, m: &'m Builder, leads: &Leads, tags: &Tags<'m>) -> UnitSlots<'m> {
        let (parts, cut_tag) = (Some(self.parts), self.misfit.tag(tags));
        let made = prefix::made(m, leads, self.class, &self.sequence, parts, cut_tag, tags);
        let above = Some(self.data.bits(UNIT_BITS..SLOT_DATA_BITS));
        UnitSlots { own: OwnSlot { above, ..made.own }, ..made }
    }
}

/// What goes out of the bits so far.
fn cut_out<'m>(
    m: &'m Builder,
    gathered: Signal<'m>,
    cut: Signal<'m>,
    [small_limb, of_fe, three]: [Signal<'m>; 3],
) -> Signal<'m> {
    let from = |at: u32| gathered.bits(at..at + SLOT_DATA_BITS);
    // What fits in four bits, above the unit's six: a number of limbs, or a first limb that waited for its head.
    let late =
        m.concat([gathered.bits(10..12).when(of_fe), of_fe.mux(gathered.bits(8..10), gathered.bits(10..12))]);
    let number = m.concat([m.lit(3, 1), three]);
    let small = small_limb.mux(late, number).named("small_data").zext(SLOT_DATA_BITS);
    let [two, four] =
        [(Cut::Two as u64, from(2)), (Cut::Four as u64, from(4))].map(|(label, bits)| ([label], bits));
    cut.case_of([two, four, ([Cut::Small as u64], small)], from(0))
}
