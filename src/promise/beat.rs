//! The contents of a beat: items, and the end of the frame.

use utfhdl_codec::{ErrorKind, Slot};

/// An item: the contents of one lane of a beat. A unit on an encoded side, a slot on a decoded side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Item {
    /// The unit, or the `tdata` of the slot.
    pub data: u32,
    /// The `tuser` of the slot, or the marks of a validator; 0 for any other unit.
    pub user: u16,
}

impl Item {
    /// The item as a unit.
    pub fn unit(self) -> u32 {
        self.data
    }

    /// The item as a slot; `None` for 11, 12 and 13, values of `tuser` that mean no slot.
    #[inline]
    pub fn slot(self) -> Option<Slot> {
        match self.user {
            0 => Some(Slot::CodePoint(self.data)),
            14 => Some(Slot::Head(self.data)),
            15 => Some(Slot::Limb(self.data)),
            code => ErrorKind::from_code(u8::try_from(code).ok()?).map(Slot::Error),
        }
    }

    /// The slot as on the bus, as `tuser:tdata`: `14:2`, `0:20AC`.
    pub fn slot_in_words(self) -> String {
        format!("{}:{:X}", self.user, self.data)
    }

    /// Reads what [`slot_in_words`](Self::slot_in_words) writes.
    pub fn from_words(text: &str) -> Option<Self> {
        let (user, data) = text.split_once(':')?;
        let is_hexadecimal = data.bytes().all(|digit| digit.is_ascii_hexdigit());
        let data = u32::from_str_radix(data, 16).ok().filter(|_| is_hexadecimal)?;
        let user = user.bytes().all(|digit| digit.is_ascii_digit()).then(|| user.parse().ok())??;
        (user < 16).then_some(Self { data, user })
    }
}

impl From<u16> for Item {
    fn from(unit: u16) -> Self {
        Self { data: unit.into(), user: 0 }
    }
}

impl From<u32> for Item {
    fn from(unit: u32) -> Self {
        Self { data: unit, user: 0 }
    }
}

impl From<Slot> for Item {
    fn from(slot: Slot) -> Self {
        let (user, data) = match slot {
            Slot::CodePoint(code_point) => (0, code_point),
            Slot::Error(kind) => (kind.code().into(), 0xfffd),
            Slot::Head(limbs) => (14, limbs),
            Slot::Limb(limb) => (15, limb),
        };
        Self { data, user }
    }
}

/// A beat of either side. Its items use the lanes from lane 0 on; the lanes above are unused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// The items, lane 0 first. A beat without items is legal: its `tkeep` is 0.
    pub items: Vec<Item>,
    /// The `tlast` of the beat: whether it ends its frame.
    pub last: bool,
}

impl Beat {
    /// A beat with one item, in lane 0.
    pub fn of(item: impl Into<Item>, last: bool) -> Self {
        Self { items: vec![item.into()], last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_read_as_they_are_written() {
        for (text, user, data) in
            [("0:20AC", 0, 0x20ac), ("14:2", 14, 2), ("15:FFFFFFFF", 15, u32::MAX), ("3:41", 3, 0x41)]
        {
            let item = Item { data, user };
            assert_eq!(item.slot_in_words(), text);
            assert_eq!(Item::from_words(text), Some(item));
        }
        for text in
            ["", ":", "0:", ":1", "16:0", "-1:0", "+1:0", "1:+0", "0:100000000", "0:x", "0:1:2", " 0:1"]
        {
            assert_eq!(Item::from_words(text), None, "{text:?}");
        }
    }
}
