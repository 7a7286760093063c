//! What was wrong with a unit that would have gone on with its sequence: registers, a flag for each kind, so that what finds
//! one of them does not wait for the others.

use super::header::Header;
use super::storage::Storage;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Reg, Signal};

/// Of the unit before the one in stage 2. Without meaning where no sequence was open.
#[derive(Clone, Copy)]
pub(super) struct Misfit<'m> {
    overlong: Reg<'m>,
    /// Something else; without meaning where it is overlong.
    other: Reg<'m>,
    /// The other is too long a header; where kinds are told. Without meaning where there is no other.
    too_long: Option<Reg<'m>>,
}

impl<'m> Misfit<'m> {
    pub(super) fn new(m: &'m Builder, tags: &Tags<'m>) -> Self {
        Self {
            overlong: m.reg("misfit_overlong_reg", 1).note("the unit before made an overlong form"),
            other: m.reg("misfit_reg", 1).note("something else was wrong with it"),
            too_long: tags
                .tells_kinds()
                .then(|| m.reg("misfit_length_reg", 1).note("that was too long a header")),
        }
    }

    /// Something was wrong.
    pub(super) fn any(&self) -> Signal<'m> {
        self.overlong.q | self.other.q
    }

    /// Drives the registers. Units that do not trail go on with nothing.
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

    /// Why the sequence before the unit is none, the unit being that before the one in stage 2.
    pub(super) fn tag(&self, tags: &Tags<'m>) -> Tag<'m> {
        let invalid = tags.error(ErrorKind::Invalid);
        // Behind its header a sequence is too long no more: where errors are told only in place of limbs, there is no such.
        let other = match self.too_long {
            Some(too_long) => Tag::mux(too_long.q, tags.error(ErrorKind::Length), invalid),
            None => invalid,
        };
        let cut = Tag::mux(self.other.q, other, tags.error(ErrorKind::Truncated));
        Tag::mux(self.overlong.q, tags.error(ErrorKind::Overlong), cut)
    }
}
