//! The description of a code point of any length in an [event](crate::core::one_lane::encoder::event).

use crate::core::one_lane::encoder::event::{Event, EventWhat};
use crate::netlist::Signal;
use crate::stream::Fields;

/// The code point of an event, or one of the limbs in which it comes.
#[derive(Clone, Copy)]
pub(super) struct LimbEvent<'m> {
    /// The event writes nothing: it is a limb to be held, or a slot of a group that is no code point.
    pub(super) goes_by: Signal<'m>,
    /// The limb is the last of a code point that is held whole.
    pub(super) whole: Signal<'m>,
    /// The limb is of a code point that is streamed: written limb by limb.
    pub(super) streamed: Signal<'m>,
    /// The limb is the first of a streamed code point.
    pub(super) opens: Signal<'m>,
    /// The slot is a head, and `data` the number of limbs; `None` if streamed code points do not differ in length.
    pub(super) head: Option<Signal<'m>>,
    /// One bit each: a limb is for place 2, or 1. Where `whole`, there are limbs at these places.
    pub(super) places: Signal<'m>,
    /// The code point or the limb.
    pub(super) data: Signal<'m>,
}

/// An event of `utf-inf-8`. `start` is the position of the first unit; for the first limb of a streamed code point, it
/// is the number of leading zero digits. If an event is both a limb and an error, the error follows the limb.
pub(super) type StreamEvent<'m> = Event<'m, LimbEvent<'m>>;

impl<'m> StreamEvent<'m> {
    /// The position of the first unit, or the zero digits before a limb.
    pub(super) fn start_or_zeros(&self) -> Signal<'m> {
        self.start.expect("code points differ in length")
    }

    /// The event aborts a group.
    pub(super) fn aborts_group(&self) -> Signal<'m> {
        self.aborts.expect("there are groups")
    }

    /// The event, if it is the first limb of a streamed code point, has one digit.
    pub(super) fn one_digit(&self) -> Signal<'m> {
        self.start_or_zeros().bits(0..3).all()
    }
}

impl<'m> EventWhat<'m> for LimbEvent<'m> {
    fn fields(self) -> Vec<Signal<'m>> {
        let fields = [self.goes_by, self.whole, self.streamed, self.opens, self.places, self.data];
        self.head.into_iter().chain(fields).collect()
    }

    fn unpacked(self, fields: &mut Fields<'m>) -> Self {
        Self {
            head: self.head.map(|head| fields.next(head, "beat_head")),
            goes_by: fields.next(self.goes_by, "beat_goes_by"),
            whole: fields.next(self.whole, "beat_whole"),
            streamed: fields.next(self.streamed, "beat_streamed"),
            opens: fields.next(self.opens, "beat_opens"),
            places: fields.next(self.places, "beat_places"),
            data: fields.next(self.data, "beat_data"),
        }
    }
}
