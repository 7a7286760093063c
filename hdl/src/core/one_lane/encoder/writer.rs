//! Writers: the description of a system for an encoder.

use super::slot_stage::SlotInput;
use crate::netlist::{Builder, Signal};

/// How a system writes code points. The *position* of a unit is the number of units that follow it in its sequence, so
/// the last unit has position 0.
pub(super) trait Writer {
    /// Bits of the largest code point, at least 1.
    fn code_bits(&self) -> u32;

    /// The most units of a sequence.
    fn most_units(&self) -> u32;

    /// The replacement for errors: U+FFFD, or U+003F if the system lacks that, or its last code point if it lacks
    /// both. Returned are the [`stored`](Self::stored) form, and the position of the first unit.
    fn replacement(&self) -> (u64, u64);

    /// Bits of a position.
    fn start_bits(&self) -> u32 {
        u32::BITS - (self.most_units() - 1).leading_zeros()
    }

    /// Whether the first unit of a sequence differs from others at its position.
    fn marks_lead(&self) -> bool {
        false
    }

    /// Whether sequences differ in length.
    fn starts_differ(&self) -> bool {
        true
    }

    /// Whether a low surrogate is refused directly after a high one.
    fn refuses_surrogate_pairs(&self) -> bool {
        false
    }

    /// Classifies a code point by its low [`code_bits`](Self::code_bits) bits, or by 32 of them if there are more.
    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m>;

    /// Stages of registers that [`looked_up`](Self::looked_up) adds.
    fn look_up_stages(&self) -> u32 {
        0
    }

    /// Classifies code points in stages of its own, after which the slots go on.
    ///
    /// # Panics
    /// If the system has no [stages](Self::look_up_stages) of that kind: then [`fit`](Self::fit) classifies code points.
    fn looked_up<'m>(&self, _: &'m Builder, _: SlotInput<'m>) -> (SlotInput<'m>, Fit<'m>) {
        panic!("code points are classified without a table in memory")
    }

    /// The position of the first unit of a code point of two limbs, by the first of them.
    ///
    /// # Panics
    /// If the system has no such code points.
    fn long_start<'m>(&self, _: &'m Builder, _limb: Signal<'m>) -> Signal<'m> {
        panic!("a system of up to {} bits has no code points of two limbs", self.code_bits())
    }

    /// The hints for [`stored`](Self::stored), from the hints of [`fit`](Self::fit) and the position of the first
    /// unit.
    fn hints<'m>(
        &self,
        _: &'m Builder,
        _start: Option<Signal<'m>>,
        hints: Option<Signal<'m>>,
    ) -> Option<Signal<'m>> {
        hints
    }

    /// The bits that units are cut from, by the code point and its [`hints`](Self::hints).
    fn stored<'m>(&self, _: &'m Builder, code: Signal<'m>, _hints: Option<Signal<'m>>) -> Signal<'m> {
        code
    }

    /// The unit at a position. `code` is what was [`stored`](Self::stored), `None` if units hold no bits of it;
    /// `position` is `None` if all sequences have one unit.
    fn unit<'m>(
        &self,
        m: &'m Builder,
        code: Option<Signal<'m>>,
        position: Option<UnitPosition<'m>>,
    ) -> Signal<'m>;
}

/// A code point in a system.
pub(super) struct Fit<'m> {
    /// The code point as far as units hold bits of it; `None` if they hold none.
    pub(super) code: Option<Signal<'m>>,
    /// The position of the first unit; `None` if all sequences have one unit.
    pub(super) start: Option<Signal<'m>>,
    /// The further facts that [`Writer::hints`] needs.
    pub(super) hints: Option<Signal<'m>>,
    /// The system does not have the code point; `None` if it has all of these bits.
    pub(super) unfit: Option<Signal<'m>>,
}

/// The position of a unit in its sequence.
#[derive(Clone, Copy)]
pub(super) struct UnitPosition<'m> {
    /// How many units follow it.
    pub(super) position: Signal<'m>,
    /// The unit is the first of its sequence; `None` if first units do not differ from others.
    pub(super) lead: Option<Signal<'m>>,
}
