//! The value of a slot on `tdata` at a decoder's output: the code point, or U+FFFD for an error.

use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal};

/// The code point that an error slot shows.
const REPLACEMENT: u64 = 0xfffd;
/// Bits of [`REPLACEMENT`].
const REPLACEMENT_BITS: u32 = 16;
/// From this bit on, all bits of [`REPLACEMENT`] are ones.
const LOWEST_ONES: u32 = 2;

/// The data of one slot in as few bits as tell it; [`code_point`](Self::code_point) makes `tdata` of them.
#[derive(Clone, Copy)]
pub(in crate::core) struct Shown<'m> {
    /// The low bits of `tdata`; `None` if they are always zero.
    pub(in crate::core) data: Option<Signal<'m>>,
    /// The slot is an error; `None` if `data` has room for all bits of U+FFFD.
    pub(in crate::core) error: Option<Signal<'m>>,
    /// The lane, as a part of names before others; empty where there is one.
    pub(in crate::core) lane: &'static str,
}

impl<'m> Shown<'m> {
    /// The output for a slot with `data`, which is an error if `error` is high. In a core that drops errors, `data`
    /// is without meaning while `keep` is low.
    pub(in crate::core) fn new(
        (m, lane): (&'m Builder, &'static str),
        data: Option<Signal<'m>>,
        error: Option<Signal<'m>>,
        keep: Signal<'m>,
        on_error: ErrorMode,
    ) -> Self {
        let name = format!("{lane}shown_data");
        let data = data.map(|data| {
            let data = if on_error == ErrorMode::Drop { data.when(keep) } else { data };
            let Some(error) = error else { return data.named(&name) };
            let replacement = m.lit(REPLACEMENT_BITS, REPLACEMENT);
            let replacement = match data.width() < REPLACEMENT_BITS {
                true => replacement.bits(0..data.width()),
                false => replacement.zext(data.width()),
            };
            error.mux(replacement, data).named(&name)
        });
        let is_narrow = data.map_or(0, Signal::width) < REPLACEMENT_BITS;
        Self { data, error: error.filter(|_| is_narrow), lane }
    }

    /// The slot's `tdata` without the zeros above: the low bits, and the bits of U+FFFD for which they have no room.
    pub(in crate::core) fn code_point(&self, m: &'m Builder) -> Signal<'m> {
        let low = self.data.map_or(0, Signal::width);
        let above = self.error.into_iter().flat_map(|error| {
            let ones = error
                .repeat((REPLACEMENT_BITS - low.max(LOWEST_ONES)) as usize)
                .named(&format!("{}replacement", self.lane));
            let others = (low..LOWEST_ONES).rev().map(move |bit| match REPLACEMENT >> bit & 1 {
                1 => error,
                _ => m.lit(1, 0),
            });
            [ones].into_iter().chain(others)
        });
        let parts: Vec<Signal> = above.chain(self.data).collect();
        if parts.is_empty() { m.lit(1, 0) } else { m.concat(parts) }
    }
}
