//! Stage 3: what stage 2 found out about a unit, in registers, and the bits of its sequence that go out.

use super::breach::Breach;
use super::format::{LeftOver, SINGLE_BITS};
use crate::core::one_lane::decoder::prefix::{self, LongParts, OpenSequence, UnitClass};
use crate::core::one_lane::decoder::slots::{OwnSlot, UnitSlots};
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::shared::tags::Tags;
use crate::netlist::{Builder, Signal, Stage};

/// How the unit in stage 2 relates to the sequence before it.
pub(super) struct SequenceState<'m> {
    /// A sequence has begun and is not whole yet.
    pub(super) open: Signal<'m>,
    /// Trailing units still to come, in sequences where they are counted.
    pub(super) missing: Signal<'m>,
    /// Bits of the code point, those of the unit before the one in stage 2 included: a register.
    pub(super) gathered: Signal<'m>,
    /// The unit continues the sequence, if nothing is wrong with it.
    pub(super) trails: Signal<'m>,
    /// The faults of the unit before the one in stage 2: registers.
    pub(super) breach: Breach<'m>,
    /// If the unit continues the sequence, the sequence is whole.
    pub(super) last_missing: Signal<'m>,
    /// The unit begins a sequence.
    pub(super) opens: Signal<'m>,
}

/// The head or limb that goes out with the unit in stage 2 before its sequence is whole, if the unit continues the
/// sequence.
#[derive(Clone, Copy)]
pub(super) struct PartsDue<'m> {
    /// A head goes out.
    pub(super) head: Signal<'m>,
    /// A limb goes out that is not the last.
    pub(super) limb: Signal<'m>,
    /// The head of the sequence went out before the unit.
    pub(super) head_sent: Signal<'m>,
    /// Which of the gathered bits go out: a [`LeftOver`].
    pub(super) left_over: Signal<'m>,
    /// The limb waited for its head:
    pub(super) small_limb: Signal<'m>,
    /// the limb has four bits, after FE, else two.
    pub(super) of_fe: Signal<'m>,
    /// The head announces three limbs, not two.
    pub(super) three: Signal<'m>,
    /// The number of limbs that the head announces is in the length header.
    pub(super) counted: Signal<'m>,
}

/// The registers after stage 2, and their meaning.
pub(super) struct Stage3<'m> {
    class: UnitClass<'m>,
    sequence: OpenSequence<'m>,
    parts: LongParts<'m>,
    breach: Breach<'m>,
    data: Signal<'m>,
    /// The unit ends a length header, which has the number of limbs.
    pub(super) counted: Signal<'m>,
}

impl<'m> Stage3<'m> {
    pub(super) fn new(
        m: &'m Builder,
        class: UnitClass<'m>,
        state: &SequenceState<'m>,
        parts: PartsDue<'m>,
        stage: Stage<'m>,
    ) -> Self {
        m.stage_section(3, "the bits of the sequence that go out");
        let data = |name: &str, signal| stage.data(&format!("stage_3_{name}_reg"), signal);
        let flag = |name: &str, signal| stage.flag(&format!("stage_3_{name}_reg"), signal);
        let left_over = data("left_over", parts.left_over);
        let small = SmallData {
            small_limb: data("small_limb", parts.small_limb),
            of_fe: data("of_fe", parts.of_fe),
            three: data("three", parts.three),
        };
        let head = data("head", parts.head);
        let bits = bits_out(m, state.gathered, left_over, small).named("bits_out");
        let continues = (flag("trails", state.trails) & !state.breach.any()).named("continues");
        let last_missing = data("last_missing", state.last_missing);
        // In a core that drops errors, nothing reads whether a sequence is unfinished.
        let unfinished = match class.single {
            None => (data("opens", state.opens) | continues & !last_missing)
                .named("unfinished")
                .note("a sequence is open after the unit"),
            Some(_) => continues,
        };
        Self {
            class: UnitClass {
                unit_valid: flag("unit_valid", class.unit_valid),
                frame_ends: flag("frame_ends", class.frame_ends),
                payload: Some(bits.bits(0..SINGLE_BITS)),
                alone: class.alone.register(stage, "stage_3_alone"),
                single: class.single.map(|single| data("single", single)),
                part: class.part,
            },
            sequence: OpenSequence {
                stage,
                open: flag("open", state.open),
                missing: state.missing,
                gathered: state.gathered,
                continues,
                last_missing,
                unfinished,
                in_run: None,
                low_only: None,
            },
            parts: LongParts {
                head,
                due: (head | data("limb", parts.limb)).named("part_due"),
                data: None,
                head_sent: data("head_sent", parts.head_sent),
            },
            breach: state.breach,
            data: bits,
            counted: data("counted", parts.counted),
        }
    }

    /// The slots that the unit, or the end of the frame, makes certain.
    pub(super) fn unit_slots(&self, m: &'m Builder, leads: &Leads, tags: &Tags<'m>) -> UnitSlots<'m> {
        let (parts, broken_tag) = (tags.is_long().then_some(self.parts), self.breach.tag(tags));
        let slots = prefix::unit_slots(m, leads, self.class, &self.sequence, parts, broken_tag, tags);
        let above = Some(self.data.bits(SINGLE_BITS..SLOT_DATA_BITS));
        UnitSlots { own: OwnSlot { above, ..slots.own }, ..slots }
    }
}

/// Data of four bits, above the six of the unit.
struct SmallData<'m> {
    /// The data is the first limb, which waited for its head; else the number of limbs.
    small_limb: Signal<'m>,
    of_fe: Signal<'m>,
    three: Signal<'m>,
}

/// The bits that go out.
fn bits_out<'m>(
    m: &'m Builder,
    gathered: Signal<'m>,
    left_over: Signal<'m>,
    small: SmallData<'m>,
) -> Signal<'m> {
    let from = |at: u32| gathered.bits(at..at + SLOT_DATA_BITS);
    let SmallData { small_limb, of_fe, three } = small;
    let first_limb =
        m.concat([gathered.bits(10..12).when(of_fe), of_fe.mux(gathered.bits(8..10), gathered.bits(10..12))]);
    let number = m.concat([m.lit(3, 1), three]);
    let small = small_limb.mux(first_limb, number).named("small_data").zext(SLOT_DATA_BITS);
    let arm = |label: LeftOver, bits| ([label as u64], bits);
    let arms =
        [arm(LeftOver::TwoBits, from(2)), arm(LeftOver::FourBits, from(4)), arm(LeftOver::Small, small)];
    left_over.case_of(arms, from(LeftOver::None as u32))
}
