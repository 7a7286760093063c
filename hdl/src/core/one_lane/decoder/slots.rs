//! The slot register of a decoder. A unit makes at most two slots certain; the register passes one on in each cycle.
//!
//! The *early* slot belongs to the sequence before the unit, or to the sequence that the unit continues. The unit's
//! *own* slot follows the early slot, and is held for a beat. There is always room to hold it: a unit makes two slots
//! only if a unit before it made none.

use crate::core::System;
use crate::core::shared::single::of_word;
use crate::core::shared::tags::Tag;
use crate::netlist::{Builder, Signal, Stage};

/// The slots that a unit, or the end of a frame, makes certain.
pub(super) struct UnitSlots<'m> {
    /// One bit: the beat holds a unit. `None` where units are octets of words.
    pub(super) unit_valid: Option<Signal<'m>>,
    /// One bit: the frame ends with this beat.
    pub(super) frame_ends: Signal<'m>,
    /// The slot that comes before the unit's own; `None` if the system has no such slots.
    pub(super) early: Option<EarlySlot<'m>>,
    pub(super) own: OwnSlot<'m>,
    /// One bit: the unit begins a code point or an error; `None` if only a later unit decides.
    pub(super) begins: Option<Signal<'m>>,
}

/// The slot that comes before the unit's own.
#[derive(Clone, Copy)]
pub(super) struct EarlySlot<'m> {
    /// One bit: there is an early slot.
    pub(super) is: Signal<'m>,
    /// The tag of the slot that goes out first: of the early slot, or of the unit's own if there is no early one.
    pub(super) first: Tag<'m>,
    /// The data of an early slot, if it has data of its own.
    pub(super) data: Option<EarlyData<'m>>,
    /// The number of limbs of a head, if it replaces the low bits of data that is zero above them.
    pub(super) number: Option<EarlyData<'m>>,
    /// One bit: the frame ends with the slot that goes out first.
    pub(super) last: Signal<'m>,
    /// The registers that hold the unit's own slot while the early slot goes out. They load in each cycle in which both
    /// are valid. `None` if both are never valid together.
    pub(super) held: Option<Stage<'m>>,
}

/// Data that an early slot has in place of the bits of the unit and its sequence.
#[derive(Clone, Copy)]
pub(super) struct EarlyData<'m> {
    /// One bit: there is an early slot with this data.
    pub(super) is: Signal<'m>,
    pub(super) value: Signal<'m>,
}

impl<'m> EarlyData<'m> {
    /// `data` with its low bits replaced by this value, if the value is valid.
    pub(super) fn replace(self, m: &'m Builder, data: Signal<'m>) -> Signal<'m> {
        let (below, width) = (self.value.width(), data.width());
        let low = self.is.mux(self.value, data.bits(0..below));
        if below < width { m.concat([data.bits(below..width), low]) } else { low }
    }

    /// This data, invalid in a cycle in which a slot is `held`.
    fn unless(self, held: Signal<'m>, name: &str) -> Self {
        Self { is: (self.is & !held).named(name), ..self }
    }
}

/// The slot of the unit itself, or of a sequence that the end of the frame cuts short.
#[derive(Clone, Copy)]
pub(super) struct OwnSlot<'m> {
    /// One bit: there is such a slot, or the frame ends without a slot.
    pub(super) is: Signal<'m>,
    /// One bit: there is a slot, not only the end of a frame.
    pub(super) keep: Signal<'m>,
    /// The tag of the slot. If there may be early slots, the tag is valid only after an early slot or outside
    /// sequences.
    pub(super) tag: Tag<'m>,
    /// The upper bits of the slot's data, zero if the unit is in no sequence.
    pub(super) above: Option<Signal<'m>>,
    /// The lower bits of the slot's data. A bit that is in both is the or of the two.
    pub(super) low: Option<Signal<'m>>,
}

/// A slot in registers.
pub(in crate::core::one_lane) struct SlotRegister<'m> {
    pub(in crate::core::one_lane) valid: Signal<'m>,
    pub(in crate::core::one_lane) last: Signal<'m>,
    pub(in crate::core::one_lane) keep: Signal<'m>,
    pub(in crate::core::one_lane) tag: Tag<'m>,
    /// The data of the slot. In an error it is anything, also in one that is dropped. `None` if it is always zero.
    pub(in crate::core::one_lane) data: Option<Signal<'m>>,
    /// The offset in the frame of the slot's first unit; zero without a slot. `None` if slots have no positions.
    pub(in crate::core::one_lane) position: Option<Signal<'m>>,
    /// The unit that comes with the slot; `None` if nobody counts units.
    pub(in crate::core::one_lane) unit: Option<SlotUnit<'m>>,
    /// The units of the frame, in its last slot; `None` where nobody counts them, or where each comes with a slot.
    pub(in crate::core::one_lane) units: Option<Signal<'m>>,
}

/// The unit that the slot register takes in a cycle, whether it makes a slot or not.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane) struct SlotUnit<'m> {
    /// There is a unit.
    pub(in crate::core::one_lane) is: Signal<'m>,
    /// The unit begins a code point or an error.
    pub(in crate::core::one_lane) begins: Signal<'m>,
    /// The slot of the cycle is of a sequence that began before the unit.
    pub(in crate::core::one_lane) is_after: Signal<'m>,
    /// The unit is of the frame after that of the slot, if there is a unit, and the slot ends its frame.
    pub(in crate::core::one_lane) is_next: Signal<'m>,
}

/// The slots that are not of the unit that has just come.
#[derive(Clone, Copy)]
pub(super) enum Others<'m> {
    /// There are none.
    None,
    /// Early slots, each instead of one of the unit's own.
    Instead(Signal<'m>),
    /// Early and held slots, in front of the unit's own slots. The second signal: such a slot ends its frame, so the unit is the first of the
    /// next frame.
    Before(Signal<'m>, Signal<'m>),
}

impl<'m> SlotUnit<'m> {
    /// The registers of the unit in the stage of the slots, if units are counted.
    pub(super) fn new(
        m: &'m Builder,
        offsets: Offsets,
        slots: &UnitSlots<'m>,
        others: Others<'m>,
        stage: Stage<'m>,
    ) -> Option<Self> {
        let Offsets::Counted = offsets else { return None };
        let [is, begins] = [slots.unit_valid, slots.begins].map(|flag| flag.expect("units begin slots"));
        let (is_after, is_next) = match others {
            Others::None => (None, None),
            Others::Instead(early) => (Some(early), None),
            Others::Before(other, ends) => (Some(other), Some(ends)),
        };
        let data = |name: &str, flag: Option<Signal<'m>>| {
            flag.map_or(m.lit(1, 0), |flag| stage.data(&format!("unit_{name}_reg"), flag))
        };
        Some(Self {
            is: stage.flag("unit_counts_reg", is),
            begins: data("begins", Some(begins)),
            is_after: data("is_after", is_after),
            is_next: data("is_next", is_next),
        })
    }

    fn register(self, stage: Stage<'m>, name: &str) -> Self {
        let data = |signal: Signal<'m>, of: &str| match signal.is_constant() {
            true => signal,
            false => stage.data(&format!("{name}_{of}_reg"), signal),
        };
        Self {
            is: stage.flag(&format!("{name}_unit_counts_reg"), self.is),
            begins: data(self.begins, "unit_begins"),
            is_after: data(self.is_after, "unit_is_after"),
            is_next: data(self.is_next, "unit_is_next"),
        }
    }
}

impl<'m> SlotRegister<'m> {
    /// A stage of registers after this one, with names that begin with `name`, and with `data` as the data.
    pub(super) fn register(self, data: Signal<'m>, stage: Stage<'m>, name: &str) -> Self {
        Self {
            valid: stage.flag(&format!("{name}_valid_reg"), self.valid),
            last: stage.data(&format!("{name}_last_reg"), self.last),
            keep: stage.data(&format!("{name}_keep_reg"), self.keep),
            tag: self.tag.register(stage, name),
            data: Some(stage.data(&format!("{name}_data_reg"), data)),
            position: self.position.map(|position| stage.data(&format!("{name}_position_reg"), position)),
            unit: self.unit.map(|unit| unit.register(stage, name)),
            units: self.units.map(|units| stage.data(&format!("{name}_units_reg"), units)),
        }
    }
}

/// The slot register, for slots with `bits` bits of data.
pub(super) fn slots<'m>(
    m: &'m Builder,
    unit_slots: UnitSlots<'m>,
    bits: u32,
    stage: Stage<'m>,
    offsets: Offsets,
) -> SlotRegister<'m> {
    let positions = Positions::new(m, &unit_slots, offsets, stage);
    let unit = |others| SlotUnit::new(m, offsets, &unit_slots, others, stage);
    let UnitSlots { frame_ends, early, own, .. } = unit_slots;
    let Some(early) = early else {
        m.section("Slot register");
        return SlotRegister {
            valid: stage.flag("slot_valid_reg", own.is),
            last: stage.data("slot_last_reg", frame_ends),
            keep: stage.data("slot_keep_reg", own.keep),
            tag: own.tag.register(stage, "slot"),
            data: joined(m, own, bits).map(|data| stage.data("slot_data_reg", data)),
            position: positions.map(|positions| positions.register(None, stage)),
            unit: unit(Others::None),
            units: None,
        };
    };
    match early.held {
        Some(held) => {
            let (register, [held, ends]) =
                with_held(m, frame_ends, early, (own, positions), held, bits, stage);
            SlotRegister { unit: unit(Others::Before(held | early.is, held & ends)), ..register }
        }
        None => {
            let register = without_held(m, early, (own, positions), bits, stage);
            SlotRegister { unit: unit(Others::Instead(early.is)), ..register }
        }
    }
}

/// The positions of the slots that a unit makes: the offsets in the frame of their first units.
#[derive(Clone, Copy)]
pub(super) struct Positions<'m> {
    /// The position of an early slot: that of the sequence before the unit.
    early: Signal<'m>,
    /// The position of the unit's own slot, or zero if there is none.
    own: Signal<'m>,
}

/// What a slot says of its place in the frame.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane) enum Offsets {
    /// Nothing, or with some bits, the offset of its first unit modulo 2^bits.
    Position {
        bits: u32,
        /// The low bits of an offset that are 0 where a sequence begins.
        word: u32,
    },
    /// The [unit](SlotUnit) that comes with it, for a counter of units.
    Counted,
}

impl Offsets {
    /// Positions of some bits.
    pub(in crate::core::one_lane) fn position(bits: u32, system: System) -> Self {
        Self::Position { bits, word: Self::word(system) }
    }

    /// The low bits of an offset that are 0 where a sequence begins, if the units of a sequence are known only at the end of a word.
    pub(in crate::core::one_lane) fn word(system: System) -> u32 {
        u32::from(matches!(system, System::Utf16Octets { .. }))
    }

    /// Whether units are counted.
    pub(super) fn is_counted(self) -> bool {
        match self {
            Self::Position { bits, word } => bits > word,
            Self::Counted => true,
        }
    }
}

impl<'m> Positions<'m> {
    /// Counts the units of the frame in registers of `stage`; `None` if slots have no positions.
    pub(super) fn new(
        m: &'m Builder,
        slots: &UnitSlots<'m>,
        offsets: Offsets,
        stage: Stage<'m>,
    ) -> Option<Self> {
        let (bits, word) = match offsets {
            Offsets::Position { bits: 0, .. } | Offsets::Counted => return None,
            Offsets::Position { bits, word } => (bits, word),
        };
        if bits <= word {
            let zero = m.lit(bits, 0);
            return Some(Self { early: zero, own: zero });
        }
        m.section("Positions: the offset in the frame of each slot's first unit");
        let [unit_valid, begins] =
            [slots.unit_valid, slots.begins].map(|flag| flag.expect("units begin slots"));
        let count = m.reg("offset_reg", bits).reset(0).note("the offset of the unit in its frame");
        let next = (count.q + unit_valid.zext(bits)).named("offset_next");
        count.next_when(stage.enable, next.when(!slots.frame_ends));
        let start = m.reg("start_reg", bits).note("the offset of the open sequence's first unit");
        let here = of_word(m, count.q, word);
        start.next_when((stage.enable & begins).named("sequence_begins"), here);
        let own = begins.mux(here, start.q).named("own_start");
        Some(Self { early: start.q, own: own.when(slots.own.keep) })
    }

    /// The register of the position of the slot that goes out first, which is early or not.
    pub(super) fn register(self, early: Option<Signal<'m>>, stage: Stage<'m>) -> Signal<'m> {
        stage.data("slot_position_reg", self.first(early))
    }

    fn first(self, early: Option<Signal<'m>>) -> Signal<'m> {
        early.map_or(self.own, |early| early.mux(self.early, self.own))
    }
}

/// The slot register, where `held_stage` holds the unit's own slot while an early slot goes out, and whether a slot is held, and ends its frame.
fn with_held<'m>(
    m: &'m Builder,
    frame_ends: Signal<'m>,
    early: EarlySlot<'m>,
    (own, positions): (OwnSlot<'m>, Option<Positions<'m>>),
    held_stage: Stage<'m>,
    bits: u32,
    stage: Stage<'m>,
) -> (SlotRegister<'m>, [Signal<'m>; 2]) {
    m.section("Held slot: the unit's own slot waits here while an early one goes out");
    let held = m.reg("held_reg", 1).reset(0).note("a slot is held");
    held.next_when(stage.enable, own.is & (early.is | held.q));
    let held_low = own.low.map(|low| held_stage.data("held_low_reg", low));
    let held_keep = held_stage.data("held_keep_reg", own.keep);
    let held_last = held_stage.data("held_last_reg", frame_ends);
    let held_tag = own.tag.register(held_stage, "held");
    let position = positions.map(|positions| {
        let held_position = held_stage.data("held_position_reg", positions.own);
        held.q.mux(held_position, positions.first(Some(early.is)))
    });

    m.section("Slot register: the held slot goes out first, then an early slot, then the unit's own");
    // While a slot is held no sequence is open, so the upper bits of the data are zero.
    let low = own.low.zip(held_low).map(|(low, held_low)| held.q.mux(held_low, low).named("low_bits"));
    let data = joined(m, OwnSlot { low, ..own }, bits).map(|data| {
        let number = early.number.map(|number| number.unless(held.q, "is_number"));
        let data = number.map_or(data, |number| number.replace(m, data));
        let early = early.data.map(|early| early.unless(held.q, "is_early_data"));
        early.map_or(data, |early| early.replace(m, data))
    });
    let tag = Tag::mux(held.q, held_tag, early.first);
    let register = SlotRegister {
        valid: stage.flag("slot_valid_reg", held.q | early.is | own.is),
        last: stage.data("slot_last_reg", held.q.mux(held_last, early.last)),
        keep: stage.data("slot_keep_reg", held.q.mux(held_keep, early.is | own.keep)),
        tag: tag.register(stage, "slot"),
        data: data.map(|data| stage.data("slot_data_reg", data)),
        position: position.map(|position| stage.data("slot_position_reg", position)),
        unit: None,
        units: None,
    };
    (register, [held.q, held_last])
}

/// The slot register, where an early slot and the unit's own are never there together.
fn without_held<'m>(
    m: &'m Builder,
    early: EarlySlot<'m>,
    (own, positions): (OwnSlot<'m>, Option<Positions<'m>>),
    bits: u32,
    stage: Stage<'m>,
) -> SlotRegister<'m> {
    m.section("Slot register: the early slot, if there is one, or the unit's own");
    let data = joined(m, own, bits);
    let data = data.map(|data| early.data.map_or(data, |early| early.replace(m, data)));
    SlotRegister {
        valid: stage.flag("slot_valid_reg", early.is | own.is),
        last: stage.data("slot_last_reg", early.last),
        keep: stage.data("slot_keep_reg", early.is | own.keep),
        tag: early.first.register(stage, "slot"),
        data: data.map(|data| stage.data("slot_data_reg", data)),
        position: positions.map(|positions| positions.register(Some(early.is), stage)),
        unit: None,
        units: None,
    }
}

/// The upper and the lower bits of a slot's data, in `bits` bits; `None` if it has neither.
pub(super) fn joined<'m>(m: &'m Builder, own: OwnSlot<'m>, bits: u32) -> Option<Signal<'m>> {
    joined_as(m, own, bits, "own_data")
}

/// The bits that [`joined`] gives. If the data has both parts, the signal is called `name`.
pub(super) fn joined_as<'m>(m: &'m Builder, own: OwnSlot<'m>, bits: u32, name: &str) -> Option<Signal<'m>> {
    let (Some(above), Some(low)) = (own.above, own.low) else {
        return own.above.or(own.low).map(|some| some.zext(bits));
    };
    let (at, end) = (bits - above.width(), low.width());
    let mut parts = Vec::new();
    if end < bits {
        parts.push(above.bits(end - at..above.width()));
    }
    if end > at {
        parts.push(above.bits(0..end - at) | low.bits(at..end));
    }
    if at > 0 {
        parts.push(low.bits(0..at));
    }
    Some(m.concat(parts).named(name))
}
