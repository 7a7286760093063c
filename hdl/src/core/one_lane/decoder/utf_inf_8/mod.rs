//! The decoder of UTF-∞-8, seed 000. The short forms are those of a prefix system. FF is followed by twelve more
//! octets, or by a length header and the number of storage octets that the header gives.
//!
//! ```text
//!   short   00..FE   prefix system
//!   FF ─> second ─┬─ 80..9F ──> thirteen (11 more)
//!                 ├─ A0..AF ───────────────────────────────┐
//!                 └─ B4 ──> before (B4 ...) ─> length (Ax) ─┴─> storage (until the last limb)
//! ```
//!
//! In all forms, trailing units shift six bits each into one register, and slots are cut out of it: a limb is complete
//! with 0, 2 or 4 bits left over below it. No code point is ever held whole.

mod breach;
mod format;
mod header;
mod limb_count;
mod stage_2;
mod stage_3;
mod storage;
mod thirteen;
mod unit;

use super::pipeline::DecodePipeline;
use super::prefix::classify;
use super::slots::{Offsets, UnitSlots, slots};
use super::unit::OneUnitBeat;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::netlist::Builder;
use stage_2::Stage2;
use stage_3::Stage3;
use unit::SixBits;

/// Cycles from a beat to the last register of its slots: two more than in a [two-stage decoder](super::two_stage).
const LATENCY: u32 = 4;

/// The decoder of code points of up to `digits` digits up to the last register of its slots.
pub(super) fn decode<'m>(
    m: &'m Builder,
    digits: u64,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
    offsets: Offsets,
) -> DecodePipeline<'m> {
    let Stages { tags, leads, stage_2, stage_3 } = Stages::new(m, digits, beat, style, pace);
    let unit_slots = stage_3.unit_slots(m, &leads, &tags);
    let plain = pace.slots().data("slot_is_plain_reg", !stage_3.counted);
    let plain = plain.note("the slot is no head after a length header");
    let slot = slots(m, unit_slots, SLOT_DATA_BITS, pace.slots(), offsets);
    m.stage_section(4, "a head after a length header gets its number of limbs");
    let data = slot.data.expect("slots have data");
    let data = plain.mux(data, stage_2.limbs.number(m, plain, pace.slots()));
    let slot = slot.register(data, pace.slots(), "counted");
    DecodePipeline { slot, latency: LATENCY }
}

/// The slots that each unit makes certain, in stage 3.
pub(super) fn unit_slots<'m>(
    m: &'m Builder,
    digits: u64,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> UnitSlots<'m> {
    let Stages { tags, leads, stage_3, .. } = Stages::new(m, digits, beat, style, pace);
    stage_3.unit_slots(m, &leads, &tags)
}

/// The stages up to the third.
struct Stages<'m> {
    tags: Tags<'m>,
    leads: Leads,
    stage_2: Stage2<'m>,
    stage_3: Stage3<'m>,
}

impl<'m> Stages<'m> {
    fn new(m: &'m Builder, digits: u64, beat: OneUnitBeat<'m>, style: TagStyle, pace: &Pace<'m>) -> Self {
        let leads = Leads::new(SequenceForms::hunks(8, 7), ErrorKind::Truncated).with_openers();
        let mut kinds = leads.kinds(style);
        kinds.extend([ErrorKind::Overlong, ErrorKind::Invalid]);
        if !style.drops_errors() {
            kinds.push(ErrorKind::Length);
        }
        kinds.sort_by_key(|kind| kind.code());
        kinds.dedup();
        let tags = Tags::new(m, style, &kinds, true);
        let class = classify(m, &leads, beat, &tags, pace);
        let six = SixBits::new(m, beat, class, pace.units());
        let stage_2 = Stage2::new(m, &leads, class, six, digits, &tags);
        let stage_3 = Stage3::new(m, class, &stage_2.state, stage_2.parts, pace.slots());
        Self { tags, leads, stage_2, stage_3 }
    }
}
