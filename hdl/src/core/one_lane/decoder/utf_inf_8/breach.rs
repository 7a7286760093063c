//! Breaches: what was wrong with a unit that would have continued its sequence. There is a register for each kind, so
//! that what finds one does not wait for the others.

use super::header::Header;
use super::storage::Storage;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Reg, Signal};

/// The breaches by the unit before the one in stage 2. They mean nothing if no sequence was open.
#[derive(Clone, Copy)]
pub(super) struct Breach<'m> {
    overlong: Reg<'m>,
    /// Another breach; it means nothing beside an overlong form.
    other: Reg<'m>,
    /// The other breach is too long a header; it means nothing if there is no other. `None` if slots do not have the
    /// kinds of errors.
    too_long: Option<Reg<'m>>,
}

impl<'m> Breach<'m> {
    /// The registers, which are still to be driven.
    pub(super) fn new(m: &'m Builder, tags: &Tags<'m>) -> Self {
        let too_long = || m.reg("breach_length_reg", 1).note("the unit before made too long a length header");
        Self {
            overlong: m.reg("breach_overlong_reg", 1).note("the unit before made an overlong form"),
            other: m.reg("breach_other_reg", 1).note("the unit before had another fault"),
            too_long: tags.has_kinds().then(too_long),
        }
    }

    /// Something was wrong.
    pub(super) fn any(&self) -> Signal<'m> {
        self.overlong.q | self.other.q
    }

    /// Drives the registers with the faults of the unit in stage 2. Units that are not trailing units continue no
    /// sequence.
    pub(super) fn drive(
        &self,
        load: Signal<'m>,
        trailing: Signal<'m>,
        overlong: Signal<'m>,
        header: &Header<'m>,
        storage: &Storage<'m>,
    ) {
        self.overlong.next_when(load, trailing & overlong);
        let other = header.too_long | storage.invalid;
        let other = header.invalid.map_or(other, |invalid| other | invalid);
        self.other.next_when(load, trailing & other);
        if let Some(too_long) = self.too_long {
            too_long.next_when(load, header.too_long);
        }
    }

    /// The tag of the sequence that ended with the unit before the one in stage 2.
    pub(super) fn tag(&self, tags: &Tags<'m>) -> Tag<'m> {
        let invalid = tags.error(ErrorKind::Invalid);
        // In a core without kinds, all error slots are in place of limbs, and after its header a sequence is never too
        // long.
        let other = match self.too_long {
            Some(too_long) => Tag::mux(too_long.q, tags.error(ErrorKind::Length), invalid),
            None => invalid,
        };
        let broken = Tag::mux(self.other.q, other, tags.error(ErrorKind::Truncated));
        Tag::mux(self.overlong.q, tags.error(ErrorKind::Overlong), broken)
    }
}
