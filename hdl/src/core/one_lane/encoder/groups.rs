//! Input: where in a group of limbs a slot stands, and what the limbs of a whole one come to.

use super::limb_counter::limb_counter;
use super::slot_stage::SlotStage;
use super::write::Writer;
use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::netlist::{Builder, Signal};

/// What a slot is to groups, by itself and, as it comes, by the number of limbs.
#[derive(Clone, Copy)]
pub(super) struct Marks<'m> {
    /// A slot comes.
    pub(super) arrives: Signal<'m>,
    /// It is a head of enough limbs, where not any head is.
    opens: Option<Signal<'m>>,
    /// It, if it is a limb, is the last; where that matters.
    final_limb: Option<Signal<'m>>,
    /// What is on its data is more than 3: in front of the cut.
    pub(super) above_3: Option<Signal<'m>>,
}

/// Marks slots. Unless it `counts` limbs, a group is open from any head up to what is no limb: enough to tell that there is an
/// error.
pub(super) fn marks<'m>(
    m: &'m Builder,
    (slots, cut): (OneSlotBeat<'m>, SlotStage<'m>),
    long: LongSlot<'m>,
    counts: bool,
) -> Marks<'m> {
    m.section("Groups of limbs: a code point of 2^32 or more is a head and at least two limbs");
    let OneSlotBeat { valid, keep, data, .. } = slots;
    let arrives = valid & keep & cut.ready;
    if !counts {
        return Marks { arrives, opens: None, final_limb: None, above_3: None };
    }
    let arrives = arrives.named("slot_arrives");
    let counter = m.instance("limb_counter", &limb_counter());
    counter.input("slot_taken", arrives).input("is_limb", long.limb).input("limbs", data);
    let final_limb = counter.output("final_limb").named("final_limb");
    let above_3 = data.bits(2..data.width()).any().named("above_3");
    let opens = (long.head & (data.bit(1) | above_3)).named("group_opens");
    Marks {
        arrives,
        opens: Some(cut.data("slot_opens_reg", opens)),
        final_limb: Some(cut.data("slot_final_reg", final_limb)),
        above_3: Some(above_3),
    }
}

/// Where in a group of limbs the slot stands.
#[derive(Clone, Copy)]
pub(super) struct Groups<'m> {
    /// In one that is not yet whole.
    pub(super) open: Signal<'m>,
    /// The slot is a head of enough limbs.
    pub(super) opens: Signal<'m>,
    /// The slot is a limb of it, and not the last.
    pub(super) limb_awaited: Signal<'m>,
    /// The slot, if it is a limb of it, is the last; where limbs are counted.
    pub(super) final_limb: Option<Signal<'m>>,
    /// The slot is taken.
    pub(super) taken: Signal<'m>,
}

/// Follows groups of limbs; `ready` says that beats are taken, and `taken` that one with a slot is.
pub(super) fn groups<'m>(
    m: &'m Builder,
    slots: OneSlotBeat<'m>,
    long: LongSlot<'m>,
    (ready, taken): (Signal<'m>, Signal<'m>),
    marks: Marks<'m>,
) -> Groups<'m> {
    m.section("Groups of limbs: which slots are in one");
    let (opens, final_limb) = (marks.opens.unwrap_or(long.head), marks.final_limb);
    let OneSlotBeat { valid, last, .. } = slots;
    let open = m.reg("group_open_reg", 1).reset(0).note("behind a head, and not all limbs are here");
    let limb_inside = open.q & long.limb;
    let limb_awaited = final_limb.map_or(limb_inside, |final_limb| limb_inside & !final_limb);
    let limb_awaited = limb_awaited.named("limb_awaited").note("more are to follow");
    let frame_ends = (valid & ready & last).named("frame_ends");
    open.next_when(taken | frame_ends, (opens | limb_awaited) & !last);
    Groups { open: open.q, opens, limb_awaited, final_limb, taken }
}

/// What a slot is to a system that has code points of 2^32 or more, by itself.
pub(super) struct Limbs<'m> {
    /// The slot is a head of two limbs.
    head_of_2: Signal<'m>,
    /// A first limb of two that the system has.
    fits_2: Signal<'m>,
    /// The position of the first unit of two limbs, by the first.
    start_of_2: Signal<'m>,
    /// The same of a head of three, and of the first of three limbs.
    of_3: Option<(Signal<'m>, Signal<'m>)>,
}

/// Tells what a slot is as a head and as a first limb.
pub(super) fn limbs_of<'m>(
    m: &'m Builder,
    (data, cut): (Signal<'m>, SlotStage<'m>),
    long: LongSlot<'m>,
    marks: Marks<'m>,
    writer: &dyn Writer,
) -> Limbs<'m> {
    let above_3 = marks.above_3.expect("limbs are counted");
    let head_of = |limbs: u64| {
        let head_of = long.head & !above_3 & data.bits(0..2).is(limbs);
        cut.data(&format!("slot_head_of_{limbs}_reg"), head_of)
    };
    let not_zero = (above_3 | data.bits(0..2).any()).named("limb_not_zero");
    let fits = |limbs: u32, bits: u32| {
        let fits = if bits < 32 { not_zero & !data.bits(bits..32).any() } else { not_zero };
        cut.data(&format!("slot_fits_{limbs}_reg"), fits)
    };
    let room = writer.code_bits() - 32;
    Limbs {
        head_of_2: head_of(2),
        fits_2: fits(2, room),
        start_of_2: cut.data("slot_long_start_reg", writer.long_start(m, data)),
        of_3: (room > 32).then(|| (head_of(3), fits(3, room - 32))),
    }
}

/// What the limbs of a group come to in a system that has code points of 2^32 or more.
#[derive(Clone, Copy)]
pub(super) struct Held<'m> {
    /// The slot is a limb to be held until the last is here.
    pub(super) more: Signal<'m>,
    /// The slot is a limb behind others of a code point that the system has.
    pub(super) joins: Signal<'m>,
    /// It is the last.
    pub(super) whole: Signal<'m>,
    /// The position of its first unit.
    pub(super) start: Signal<'m>,
}

/// Tells from the number of limbs and the first of them what becomes of a group.
pub(super) fn held<'m>(
    m: &'m Builder,
    slots: OneSlotBeat<'m>,
    long: LongSlot<'m>,
    groups: Groups<'m>,
    (limbs, writer): (Limbs<'m>, &dyn Writer),
) -> Held<'m> {
    m.section("Long code points: how many limbs there are, and the first, tell whether the system has it");
    let OneSlotBeat { last, keep, .. } = slots;
    let Groups { open, limb_awaited, final_limb, taken, .. } = groups;
    let behind = |name: &str, head: Signal<'m>| {
        let behind = m.reg(name, 1);
        behind.next_when(taken, head);
        behind.q
    };
    let start = m.reg("long_start_reg", writer.start_bits()).note("units that follow its first");
    let good = m.reg("long_good_reg", 1).note("in a group, behind its first limb: the system has it");

    let of_2 = behind("behind_head_of_2_reg", limbs.head_of_2);
    let (first_fits, start_here, first) = match limbs.of_3 {
        None => (of_2 & limbs.fits_2, limbs.start_of_2, of_2),
        Some((head_of_3, fits_3)) => {
            let of_3 = behind("behind_head_of_3_reg", head_of_3);
            let most = m.lit(writer.start_bits(), u64::from(writer.most_units()) - 1);
            (of_2 & limbs.fits_2 | of_3 & fits_3, of_3.mux(most, limbs.start_of_2), of_2 | of_3)
        }
    };
    good.next_when(taken, long.limb & (first_fits | good.q));
    start.next_when(taken & first, start_here);
    let joins = (open & keep & long.limb & good.q).named("limb_joins");
    Held {
        // A first limb that does not fit is held for nothing.
        more: (keep & limb_awaited & (first | good.q) & !last).named("limb_held"),
        joins,
        whole: (joins & final_limb.expect("limbs are counted")).named("event_whole"),
        start: start.q,
    }
}
