//! The origin of an expected item: the input units or slots that it comes from.

use utfhdl_codec::Slot;

/// The input of an item: a slot, and the units of the frame that the slot was decoded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Not as in an event, offset and length don't lie side by side: a copy of both at once would wait for the two writes before it.
#[repr(C)]
pub struct Origin {
    /// The first unit of the sequence; if slots come in, the number of the slot in its frame.
    pub offset: u64,
    /// The slot; `None` if a value of `tuser` came in that means no slot, and for a unit that goes through.
    pub slot: Option<Slot>,
    /// Units of the sequence; 0 for a head, or a limb that is not the last, whose sequence continues.
    pub length: u64,
    /// Whether units come in, not slots.
    pub of_units: bool,
}

impl Origin {
    /// The origin in words, as part of a failure: `units 5..9: U+1F600`.
    pub fn in_words(&self) -> String {
        let Self { offset, length, slot, of_units } = *self;
        let slot = slot.map_or("a tuser that means no slot".to_owned(), in_words);
        if of_units && self.slot.is_none() {
            format!("unit {offset}")
        } else if of_units {
            format!("units {offset}..{}: {slot}", offset + length)
        } else {
            format!("slot {offset}: {slot}")
        }
    }
}

/// A slot in words.
fn in_words(slot: Slot) -> String {
    match slot {
        Slot::CodePoint(code_point) => format!("U+{code_point:04X}"),
        Slot::Error(kind) => format!("error {kind}"),
        Slot::Head(limbs) => format!("head of {limbs} limbs"),
        Slot::Limb(limb) => format!("limb {limb:08X}"),
    }
}
