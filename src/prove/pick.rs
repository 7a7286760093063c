//! A freely picked item: the problem remembers one of the items that a core owes, and the number of items due before the picked one. When
//! the item is due, the problem compares the core's output with it. A free input chooses the item, so a proof covers all items.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::bench::Side;
use super::unary::UnaryRegister;

/// An item that is owed: all bits of the beat that brings it.
#[derive(Clone, Copy)]
pub struct Item<'m> {
    /// The item exists.
    pub is_there: Signal<'m>,
    /// The bits, in the order of [`Side::beat`].
    pub word: Signal<'m>,
}

impl<'m> Item<'m> {
    /// The word of a slot.
    pub fn of_slot(m: &'m Builder, data: Signal<'m>, user: Signal<'m>, is_last: Signal<'m>) -> Signal<'m> {
        m.concat([is_last, user, m.lit(1, 1), data])
    }

    /// The word of a beat with the end of a frame, and nothing else. Slots have `data_bits` bits of data.
    pub fn bare_end(m: &'m Builder, data_bits: u32) -> Signal<'m> {
        m.concat([m.lit(1, 1), m.lit(data_bits + 5, 0)])
    }
}

/// The failures, a bit each:
///
/// - bit 0: `output` offers a beat that is not owed, or owes `most` items;
/// - each further bit stands for a bit of the picked item: when the item is due, `output` offers another value of it.
///
/// `part` says that the core offers part of an item. `items` become owed in this cycle, in this order; a core never owes `most`.
pub fn differs<'m>(
    m: &'m Builder,
    output: &Side<'m>,
    part: Signal<'m>,
    items: &[Item<'m>],
    most: u64,
) -> Signal<'m> {
    differs_in(m, output, output.items(m), part, items, most)
}

/// The failures of [`differs`], of some bits of items. `offered` are these bits of what `output` offers.
pub fn differs_in<'m>(
    m: &'m Builder,
    output: &Side<'m>,
    offered: Signal<'m>,
    part: Signal<'m>,
    items: &[Item<'m>],
    most: u64,
) -> Signal<'m> {
    differs_by(m, output, part, items, most, |word| (offered ^ word).when(output.tvalid))
}

/// The failures of [`differs`], where `compare` gives those of what the core offers of an item, or of a part of it.
pub fn differs_by<'m>(
    m: &'m Builder,
    output: &Side<'m>,
    part: Signal<'m>,
    items: &[Item<'m>],
    most: u64,
    compare: impl FnOnce(Signal<'m>) -> Signal<'m>,
) -> Signal<'m> {
    let taken = output.taken();

    // Items that are owed, and of these the ones before the picked item.
    let owed = UnaryRegister::new(m, "owed_reg", most);
    let before = UnaryRegister::new(m, "before_reg", most);
    let picked = m.reg("picked_reg", 1).reset(0);
    let word = m.reg("picked_item_reg", items[0].word.width());

    let due = (picked.q & before.q.is_zero()).named("picked_is_due");
    let nothing_owed = (output.tvalid | part) & owed.q.is_zero();
    let too_many = owed.q.is_most();

    let mut left = owed.q.minus(taken);
    let mut picks = m.lit(1, 0);
    let (mut picked_before, mut picked_word) = (before.q.minus(taken), word.q);
    for (index, item) in items.iter().enumerate() {
        let wish = m.input(&format!("pick_{index}"), 1, "this item is picked, if none is");
        let pick = wish & item.is_there & !picked.q & !picks;
        picked_before = left.or(pick, picked_before);
        picked_word = pick.mux(item.word, picked_word);
        picks = picks | pick;
        left = left.plus(item.is_there);
    }
    owed.next(left);
    before.next(picked_before);
    word.next(picked_word);
    picked.next(picks | picked.q & !(due & taken));
    m.concat([compare(word.q).when(due), nothing_owed | too_many])
}
