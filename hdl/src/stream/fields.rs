//! Taking the payload of a block apart.

use crate::netlist::Signal;

/// Takes a payload apart into its fields, from the high bits down: the reverse of
/// [`Builder::concat`](crate::netlist::Builder::concat).
pub struct Fields<'m> {
    payload: Signal<'m>,
    /// The bits below this one are still to be taken.
    end: u32,
}

impl<'m> Fields<'m> {
    /// The fields of `payload`.
    pub fn of(payload: Signal<'m>) -> Self {
        Self { payload, end: payload.width() }
    }

    /// The next field: as wide as `like`, and called `name`.
    ///
    /// # Panics
    /// If there are not as many bits left.
    #[track_caller]
    pub fn next(&mut self, like: Signal<'m>, name: &str) -> Signal<'m> {
        assert!(like.width() <= self.end, "`{name}` has {} bits, {} are left", like.width(), self.end);
        let start = self.end - like.width();
        let field = self.payload.bits(start..self.end).named(name);
        self.end = start;
        field
    }
}
