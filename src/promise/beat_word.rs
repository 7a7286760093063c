//! Beats as single words, for cores of one lane: a beat is put together, and compared, at once.

use utfhdl_sim::PortSlot;

use super::beat::Item;

/// The positions of a beat's fields in the one word of the record that holds all of them.
#[derive(Clone, Copy, Debug)]
pub struct BeatWord {
    word: usize,
    /// The bits that are part of a beat.
    mask: u64,
    valid: u64,
    last: u64,
    data: Field,
    keep: Field,
    /// The `tuser` of an item.
    user: Field,
    /// The bits of `tuser` where units are carried, all of which say that something could not be written.
    amiss: u64,
    /// The bits of `tdata` that belong to an item.
    item: u64,
}

/// The bits of a port, of which there may be none.
#[derive(Clone, Copy, Debug, Default)]
struct Field {
    mask: u64,
    shift: u32,
}

impl Field {
    fn of(port: &PortSlot) -> Self {
        Self { mask: u64::MAX >> (64 - port.width) << port.shift, shift: port.shift }
    }

    /// The port with this value, as far as it fits.
    #[inline]
    fn at(self, value: u64) -> u64 {
        value << self.shift & self.mask
    }
}

/// The ports of a beat of one lane.
pub(super) struct Parts<'p> {
    pub(super) tvalid: &'p PortSlot,
    pub(super) tdata: &'p PortSlot,
    pub(super) tkeep: &'p PortSlot,
    pub(super) tlast: &'p PortSlot,
    pub(super) tuser: Option<&'p PortSlot>,
    /// How many bits of `tdata` an item has.
    pub(super) item_bits: usize,
    /// Whether each item has a `tuser`.
    pub(super) has_users: bool,
}

impl BeatWord {
    /// The word of beats with these fields; `None` if the fields are spread over several words.
    pub(super) fn new(parts: Parts) -> Option<Self> {
        let Parts { tvalid, tdata, tkeep, tlast, tuser, item_bits, has_users } = parts;
        let ports = [tvalid, tdata, tkeep, tlast].into_iter().chain(tuser);
        let in_one_word = |port: &PortSlot| port.width <= 64 && port.word == tvalid.word;
        if !ports.clone().all(in_one_word) {
            return None;
        }
        let of_user = tuser.map_or(Field::default(), Field::of);
        Some(Self {
            word: tvalid.word,
            mask: ports.fold(0, |mask, port| mask | Field::of(port).mask),
            valid: Field::of(tvalid).mask,
            last: Field::of(tlast).mask,
            data: Field::of(tdata),
            keep: Field::of(tkeep),
            user: if has_users { of_user } else { Field::default() },
            amiss: if has_users { 0 } else { of_user.mask },
            item: Field::of(tdata).at(u64::MAX >> (64 - item_bits)),
        })
    }

    /// A beat with this item, or one without items. All other bits are zero.
    #[inline]
    pub fn of(&self, item: Option<Item>) -> u64 {
        let of_item = item.map_or(0, |Item { data, user }| {
            self.keep.mask | self.data.at(data.into()) & self.item | self.user.at(user.into())
        });
        self.valid | of_item
    }

    /// A beat without items that ends its frame, with these marks.
    #[inline]
    pub fn bare_end(&self, marks: u16) -> u64 {
        self.valid | self.user.at(marks.into())
    }

    /// The bits to add to the word of the last beat of a frame. `amiss` says that the frame held something that could not be
    /// written.
    #[inline]
    pub fn end(&self, amiss: bool) -> u64 {
        self.last | if amiss { self.amiss } else { 0 }
    }

    /// The bits to add to the word of a beat with an item, or without one, so that its unused bits carry `noise`.
    #[inline]
    pub(super) fn unused(&self, has_item: bool, noise: u64) -> u64 {
        let noise_of_all = self.data.at(noise) | self.user.at(noise.rotate_right(24));
        noise_of_all & if has_item { self.data.mask & !self.item } else { u64::MAX }
    }

    /// No beat: all bits but that of `tvalid` carry `noise`.
    #[inline]
    pub(super) fn none(&self, noise: u64) -> u64 {
        let last = if noise >> 63 == 1 { self.last } else { 0 };
        self.unused(false, noise) | self.keep.at(noise >> 8) | last
    }

    /// The beat in a record.
    #[inline]
    pub fn found(&self, record: &[u64]) -> u64 {
        record[self.word] & self.mask
    }

    /// Puts a beat into a record.
    #[inline]
    pub(super) fn put(&self, record: &mut [u64], beat: u64) {
        record[self.word] = record[self.word] & !self.mask | beat;
    }
}
