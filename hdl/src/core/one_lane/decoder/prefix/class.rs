//! The class of a unit, the result of stage 1.

use crate::core::shared::tags::Tag;
use crate::netlist::{Signal, Stage};

/// The registers of stage 1: the class of the unit by itself.
#[derive(Clone, Copy)]
pub(in super::super) struct UnitClass<'m> {
    pub(in super::super) unit_valid: Signal<'m>,
    pub(in super::super) frame_ends: Signal<'m>,
    /// The bits below the marker, with zeros above; `None` if units have no such bits.
    pub(in super::super) payload: Option<Signal<'m>>,
    /// The tag of the unit outside sequences; for a lead, the error if nothing follows. In a core that drops errors,
    /// the tag is a code point.
    pub(in super::super) alone: Tag<'m>,
    /// The unit is a code point by itself; only in cores that drop errors.
    pub(in super::super) single: Option<Signal<'m>>,
    /// The part that the unit can have in a sequence; `None` if all sequences have one unit.
    pub(in super::super) part: Option<SequencePart<'m>>,
}

/// The part that a unit can have in a sequence.
#[derive(Clone, Copy)]
pub(in super::super) struct SequencePart<'m> {
    /// The registers of stage 2 that keep their values until a beat comes.
    pub(in super::super) stage: Stage<'m>,
    pub(in super::super) trailing: Signal<'m>,
    pub(in super::super) lead: Signal<'m>,
    /// How many trailing units the lead asks for.
    pub(in super::super) follow: Signal<'m>,
    /// The lead restricts the first trailing unit. `None` if all leads do, or none.
    pub(in super::super) restricts: Option<Signal<'m>>,
    /// A lead that restricts the first trailing unit is low-only. `None` if no lead is.
    pub(in super::super) low_only: Option<Signal<'m>>,
    /// The unit is neither lead nor trailing, and opens a run or a sequence of another kind. `None` if such units open
    /// nothing.
    pub(in super::super) opener: Option<Signal<'m>>,
    /// How long the code point is. `None` in a system without code points of 2^32 or more, and in one with openers.
    pub(in super::super) length: Option<LengthHints<'m>>,
}

/// The facts that a unit tells of the number of limbs of its code point.
#[derive(Clone, Copy)]
pub(in super::super) struct LengthHints<'m> {
    /// The lead of a code point of 2^32 or more.
    pub(super) long: Signal<'m>,
    /// The lead of a code point that is 2^32 or more if the first trailing unit says so; `None` if there is no such
    /// lead.
    pub(super) may_be_long: Option<Signal<'m>>,
    /// The unit, if it is the first trailing unit after such a lead, makes the code point long.
    pub(super) says_long: Option<Signal<'m>>,
    /// The lead of a code point that has a third limb if the first trailing unit says so; `None` if there is no such
    /// lead.
    pub(super) may_have_third: Option<Signal<'m>>,
}

impl<'m> LengthHints<'m> {
    /// Registers for them.
    pub(super) fn register(self, stage: Stage<'m>) -> Self {
        let data = |name: &'static str| move |signal| stage.data(name, signal);
        Self {
            long: stage.data("long_reg", self.long),
            may_be_long: self.may_be_long.map(data("may_be_long_reg")),
            says_long: self.says_long.map(data("says_long_reg")),
            may_have_third: self.may_have_third.map(data("may_have_third_reg")),
        }
    }
}
