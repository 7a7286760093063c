//! What a bus carries in one beat.

use crate::codec::{ErrorKind, Slot};

/// The most lanes a core can have.
pub const MOST_LANES: usize = 64;

/// A beat of the encoded side: the units in its lanes, from lane 0 on.
#[derive(Clone, Debug)]
pub struct Beat {
    units: [u16; MOST_LANES],
    count: usize,
    /// Whether the beat ends its frame.
    pub last: bool,
}

impl Beat {
    /// A beat without units.
    pub fn empty(last: bool) -> Self {
        Self { units: [0; MOST_LANES], count: 0, last }
    }

    /// Puts a unit into the next lane.
    pub fn push(&mut self, unit: u16) {
        self.units[self.count] = unit;
        self.count += 1;
    }

    /// Its units.
    pub fn units(&self) -> &[u16] {
        &self.units[..self.count]
    }
}

/// The slot that `tuser` and `tdata` stand for, if there is such a `tuser`.
pub fn from_bus(user: u64, data: u64) -> Option<Slot> {
    let data = data as u32;
    match user {
        0 => Some(Slot::CodePoint(data)),
        14 => Some(Slot::Head(data)),
        15 => Some(Slot::Limb(data)),
        code => ErrorKind::from_code(code as u8).map(Slot::Error),
    }
}

/// What a slot is on the bus: its `tuser` and its `tdata`.
pub fn on_bus(slot: Slot) -> (u64, u64) {
    match slot {
        Slot::CodePoint(code_point) => (0, code_point.into()),
        Slot::Error(kind) => (kind.code().into(), 0xfffd),
        Slot::Head(limbs) => (14, limbs.into()),
        Slot::Limb(limb) => (15, limb.into()),
    }
}
