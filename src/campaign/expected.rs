//! What the reference says must come out of a decoder, beat by beat.

use utfhdl_hdl::core::OnError;

use super::bench::SLOT_BITS;
use super::results::Counts;
use crate::codec::{Decoder, Slot};
use crate::cosim::Item as OnBus;

/// A beat that must come, in one word: the slot as the bench compares it, its `tkeep` and its `tlast`; then that it is
/// there at all; then, one-hot, the place in its frame of the unit that makes it certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item(pub u64);

impl Item {
    /// Where `tkeep` stands, and `tlast`, whether the item is there, and the first unit.
    pub const KEEP: u32 = SLOT_BITS;
    /// See [`KEEP`](Self::KEEP).
    pub const LAST: u32 = SLOT_BITS + 1;
    /// See [`KEEP`](Self::KEEP).
    pub const THERE: u32 = SLOT_BITS + 2;
    /// See [`KEEP`](Self::KEEP).
    pub const CERTAIN: u32 = SLOT_BITS + 3;
    /// The most units a frame can have: what is left of the word.
    pub const MOST_UNITS: u32 = u64::BITS - Self::CERTAIN;

    fn slot(slot: Slot, unit: usize) -> Self {
        let OnBus { data, user } = slot.into();
        Self(u64::from(data) | u64::from(user) << 32 | 1 << Self::KEEP).there(unit)
    }

    /// The end of a frame whose last unit makes no slot.
    fn bare_end(unit: usize) -> Self {
        Self(1 << Self::LAST).there(unit)
    }

    fn there(self, unit: usize) -> Self {
        Self(self.0 | 1 << Self::THERE | 1 << (Self::CERTAIN as usize + unit))
    }

    fn last(self) -> Self {
        Self(self.0 | 1 << Self::LAST)
    }
}

/// The reference on its way through a frame. Two that are equal say the same of whatever comes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    decoder: Decoder,
    on_error: OnError,
    /// Units read.
    units: usize,
    /// Limbs of the code point at hand that are still to come.
    limbs: u32,
}

impl Reference {
    /// At the start of a frame.
    pub fn new(decoder: Decoder, on_error: OnError) -> Self {
        Self { decoder, on_error, units: 0, limbs: 0 }
    }

    /// Reads the next unit, which may be the frame's last, and adds the items it makes certain.
    pub fn read(&mut self, unit: u16, last: bool, items: &mut Vec<Item>, counts: &mut Counts) {
        self.beat(&[unit], last, items, counts);
    }

    /// Reads the end of a frame of no units.
    pub fn read_bare_end(&mut self, items: &mut Vec<Item>, counts: &mut Counts) {
        self.beat(&[], true, items, counts);
    }

    fn beat(&mut self, mut rest: &[u16], last: bool, items: &mut Vec<Item>, counts: &mut Counts) {
        let before = items.len();
        while let Some(event) = self.decoder.next(&mut rest, last) {
            counts.count(event.what);
            if self.is_told(event.what) {
                items.push(Item::slot(event.what, self.units));
            }
        }
        if last {
            match items.get_mut(before..).and_then(<[Item]>::last_mut) {
                Some(item) => *item = item.last(),
                None => items.push(Item::bare_end(self.units)),
            }
        }
        self.units += 1;
    }

    /// Whether a core says so: one that drops errors tells those in place of a limb.
    fn is_told(&mut self, slot: Slot) -> bool {
        let in_group = self.limbs > 0;
        self.limbs = match slot {
            Slot::Head(limbs) => limbs,
            Slot::Limb(_) => self.limbs - 1,
            Slot::CodePoint(_) | Slot::Error(_) => 0,
        };
        in_group || self.on_error != OnError::Drop || !matches!(slot, Slot::Error(_))
    }
}
