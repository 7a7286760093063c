//! Decoders of a system that is chosen for each frame.
//!
//! ```text
//!             system of the frame
//!                     │
//!  unit ──┬──> front of a system ──┐
//!         ├──> front of another ───┼──> slots of the chosen front ──> held slot ──> slot register
//!         └──> ...                 ┘
//! ```
//!
//! A *front* is a module that has the stages of one system up to the slots. A front sees only the units of frames of that system, so each of these
//! frames begins in the state after reset. All fronts take as many cycles, so frames follow one another without a gap, whatever their systems.
//! What follows the fronts is there once: held slot, slot register, output. A list with [sets of several octets](sets) has a queue of slots in
//! place of the held one.

mod sets;

use std::sync::Arc;

use super::Stages;
use super::pipeline::DecodePipeline;
use super::single::slots_of_words;
use super::slots::{EarlySlot, Offsets, OwnSlot, UnitSlots, slots};
use super::unit::OneUnitBeat;
use crate::core::shared::among::{Family, identifier, one_of};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::index_tables::CODE_BITS;
use crate::core::shared::pace::Pace;
use crate::core::shared::single::Words;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::core::{Auto, Choose, MultiOctet, System, error_kinds};
use crate::netlist::{Builder, InstanceHandle, Module, Signal};

/// Cycles from a beat to the slot register, as in a [two-stage decoder](super::two_stage).
const LATENCY: u32 = 2;

/// The decoder up to its slot register.
pub(super) fn decode<'m>(
    m: &'m Builder,
    auto: Auto,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
    offsets: Offsets,
) -> DecodePipeline<'m> {
    let families = Family::all(auto);
    if families.iter().any(|family| family.set().is_some()) {
        return sets::decode(m, auto, &families, beat, style, pace);
    }
    let bits = families.iter().map(Family::code_bits).max().expect("a list has systems");
    let chosen = chosen(m, auto, beat, pace);
    m.section("The fronts: each has the units of its own frames");
    let delayed = families.iter().any(|family| family.stages() == 1).then(|| {
        pace.units().data("unit_1_reg", beat.unit).note("the unit, for systems whose words are code points")
    });
    let kinds = error_kinds(System::Auto(auto));
    let fronts: Vec<FrontSlots> = families
        .iter()
        .map(|family| {
            let module = family.front(style, &kinds);
            let front = m.instance(&family.name(), &module).part();
            connect(family, front, (beat, delayed), &chosen, pace)
        })
        .collect();
    let unit_slots = merge(m, &fronts, bits, pace);
    let slot = slots(m, unit_slots, bits, pace.slots(), offsets);
    DecodePipeline { slot, latency: LATENCY }
}

/// A bit for each system of the list: it is that of the beat's frame.
fn chosen<'m>(m: &'m Builder, auto: Auto, beat: OneUnitBeat<'m>, pace: &Pace<'m>) -> Vec<Signal<'m>> {
    m.section("Input: the system of the frame");
    let OneUnitBeat { unit_valid, frame_ends, number, .. } = beat;
    let number = number.expect("the number of the system comes with the unit");
    if auto.choose() == Choose::Mark {
        // The number comes with every beat.
        return one_of(auto, number);
    }
    let in_frame = m.reg("in_frame_reg", 1).reset(0).note("a unit of the frame was taken");
    let reads = (pace.take & (unit_valid | frame_ends)).named("reads").note("a beat that holds something");
    in_frame.next_when(reads, !frame_ends);
    let kept = m.reg("system_reg", auto.number_bits()).note("number of the frame's system");
    kept.next_when((pace.take & unit_valid & !in_frame.q).named("frame_begins"), number);
    one_of(auto, in_frame.q.mux(kept.q, number).named("frame_system"))
}

impl Family {
    fn stages(&self) -> u32 {
        if Words::of(self.system.1).is_some() { 1 } else { 2 }
    }

    /// Bits of a code point.
    fn code_bits(&self) -> u32 {
        match Stages::of(self.system.1) {
            Stages::One(words) => words.code_bits(),
            Stages::Two(decoder) => decoder.code_bits(),
            Stages::Indexed(_) => CODE_BITS,
            _ => unreachable!("a list has no such systems"),
        }
    }

    /// The set of several octets that the family is, if it is one.
    fn set(&self) -> Option<MultiOctet> {
        if let System::MultiOctet(set) = self.system.1 { Some(set) } else { None }
    }

    /// The inputs of a front in module `m`.
    fn units<'m>(&self, m: &'m Builder) -> (OneUnitBeat<'m>, Pace<'m>) {
        m.port_group("Units of frames of this system");
        let beat = OneUnitBeat {
            unit: m.input("unit", 8, "the unit"),
            unit_valid: m.input("unit_valid", 1, "there is a unit"),
            frame_ends: m.input("frame_ends", 1, "the frame ends"),
            magic_index: None,
            little: self
                .other_order
                .map(|_| m.input("little", 1, "the octets of words come from the least significant on")),
            number: None,
        };
        let pace = Pace::new(m, false);
        // A front without registers has nothing to move.
        let is_wiring = Words::of(self.system.1).is_some_and(|words| words.are_units());
        let moves = if is_wiring { m.lit(1, 1) } else { m.input("moves", 1, "all stages move") };
        m.drive(pace.advance, moves);
        (beat, pace)
    }

    /// The stages of the systems up to their slots, as a module.
    fn front(&self, style: TagStyle, kinds: &[ErrorKind]) -> Arc<Module> {
        let system = self.system.1;
        let m = Builder::new(
            self.name(),
            format!("{}: a unit and the slots that it makes certain", system.title()),
        );
        let (beat, pace) = self.units(&m);
        let tags = Tags::new(&m, style, kinds, false);
        let unit_slots = match Stages::of(system) {
            Stages::One(words) => slots_of_words(&m, words, beat, &tags, &pace),
            Stages::Two(decoder) => decoder.unit_slots(&m, beat, &tags, &pace),
            _ => unreachable!("a list has no such systems"),
        };
        outputs(&m, unit_slots);
        m.built_trimmed()
    }
}

/// Declares the outputs of a front: its slots.
fn outputs<'m>(m: &'m Builder, slots: UnitSlots<'m>) {
    let UnitSlots { frame_ends, early, own, .. } = slots;
    m.port_group("Slots");
    m.output("m_ends", frame_ends, "the frame ends with these slots");
    m.output("m_own", own.is, "there is a slot of the unit, or the end of the frame");
    m.output("m_own_keep", own.keep, "there is a slot, not only the end of a frame");
    let tag = |name: &str, tag: Tag<'m>, of: &str| {
        let parts = [("error", tag.error), ("user", tag.user)];
        for (part, signal) in parts {
            // Some units are code points, so a tag that is always the same is theirs: zero.
            if let Some(signal) = signal.filter(|signal| !signal.is_constant()) {
                m.output(&format!("m_{name}_{part}"), signal, &format!("{part} of {of}"));
            }
        }
    };
    tag("own", own.tag, "the unit's slot");
    for (port, data) in [("m_own_above", own.above), ("m_own_low", own.low)] {
        if let Some(data) = data {
            m.output(port, data, "bits of the code point of the unit's slot");
        }
    }
    if let Some(early) = early {
        m.output("m_early", early.is, "a slot comes before that of the unit");
        m.output("m_early_last", early.last, "the frame ends with the slot that goes out first");
        tag("first", early.first, "the slot that goes out first");
    }
}

/// The outputs of a front.
struct FrontSlots<'m> {
    front: InstanceHandle<'m>,
    module: Arc<Module>,
    name: String,
    /// Bits of a code point.
    code_bits: u32,
}

impl<'m> FrontSlots<'m> {
    /// The output, if the front has it.
    fn output(&self, port: &str) -> Option<Signal<'m>> {
        let name = format!("m_{port}");
        (self.width(&name) > 0).then(|| self.front.output(&name).named(&format!("{}_{port}", self.name)))
    }

    /// Bits of the output, 0 if the front does not have it.
    fn width(&self, port: &str) -> u32 {
        self.module.outputs().find(|output| output.name == port).map_or(0, |output| output.width)
    }

    /// The lowest of the upper bits of a code point.
    fn above_from(&self) -> Option<u32> {
        let width = self.width("m_own_above");
        (width > 0).then(|| self.code_bits - width)
    }

    /// The upper bits of a code point, in the bits from `lowest` up to `bits`.
    fn above(&self, m: &'m Builder, lowest: u32, bits: u32) -> Option<Signal<'m>> {
        let (from, above) = (self.above_from()?, self.output("own_above")?);
        let above = if from > lowest { m.concat([above, m.lit(from - lowest, 0)]) } else { above };
        Some(above.zext(bits - lowest))
    }

    fn has_early(&self) -> bool {
        self.width("m_early") > 0
    }

    fn tag(&self, name: &str) -> [Option<Signal<'m>>; 2] {
        ["error", "user"].map(|part| self.output(&format!("{name}_{part}")))
    }
}

/// Connects a front to the units of its frames.
fn connect<'m>(
    family: &Family,
    front: InstanceHandle<'m>,
    (beat, delayed): (OneUnitBeat<'m>, Option<Signal<'m>>),
    chosen: &[Signal<'m>],
    pace: &Pace<'m>,
) -> FrontSlots<'m> {
    let units = pace.units();
    let system = identifier(family.system.1);
    let (is, little) = (family.is_chosen(chosen), family.little(chosen));
    let unit_valid = (beat.unit_valid & is).named(&format!("{system}_unit_valid"));
    let frame_ends = (beat.frame_ends & is).named(&format!("{system}_frame_ends"));
    let (unit, unit_valid, frame_ends, little) = match delayed.filter(|_| family.stages() == 1) {
        None => (beat.unit, unit_valid, frame_ends, little),
        Some(unit) => (
            unit,
            units.flag(&format!("{system}_unit_valid_reg"), unit_valid),
            units.flag(&format!("{system}_frame_ends_reg"), frame_ends),
            little.map(|little| units.data(&format!("{system}_little_reg"), little)),
        ),
    };
    let module = front.module();
    for (port, signal) in [
        ("unit", Some(unit)),
        ("unit_valid", Some(unit_valid)),
        ("frame_ends", Some(frame_ends)),
        ("little", little),
        ("moves", Some(pace.take)),
    ] {
        if let Some(signal) = signal.filter(|_| module.inputs().any(|input| input.name == port)) {
            front.input(port, signal);
        }
    }
    FrontSlots { front, module, name: system, code_bits: family.code_bits() }
}

/// The slots of the chosen front. The others have no unit and no open sequence, so all their signals are zero.
fn merge<'m>(m: &'m Builder, fronts: &[FrontSlots<'m>], bits: u32, pace: &Pace<'m>) -> UnitSlots<'m> {
    m.section("The slots of the chosen front");
    let any = |ports: &[&str]| {
        let flags = fronts.iter().filter_map(|front| ports.iter().find_map(|port| front.output(port)));
        flags.reduce(|a, b| a | b)
    };
    let picked = |of: &dyn Fn(&FrontSlots<'m>) -> Option<Signal<'m>>| {
        let all = fronts.iter().filter_map(of);
        all.reduce(|a, b| a | b)
    };
    let tag = |name: &'static str| {
        let part = |index: usize| {
            picked(&move |front| {
                let name = if front.has_early() { name } else { "own" };
                front.tag(name)[index]
            })
        };
        Tag { error: part(0), user: part(1), head: None, limb: None }
    };
    let lowest = fronts.iter().filter_map(FrontSlots::above_from).min().unwrap_or(bits);
    let low_bits = fronts.iter().map(|front| front.width("m_own_low")).max().unwrap_or(0);
    let frame_ends = any(&["ends"]).expect("frames end").named("ends");
    let own = OwnSlot {
        is: any(&["own"]).expect("units have slots").named("own"),
        keep: any(&["own_keep"]).expect("units have slots").named("own_keep"),
        tag: tag("own").named("own"),
        above: picked(&|front| front.above(m, lowest, bits)).map(|above| above.named("own_above")),
        low: picked(&|front| Some(front.output("own_low")?.zext(low_bits))).map(|low| low.named("own_low")),
    };
    let early = any(&["early"]).map(|is| EarlySlot {
        is: is.named("early"),
        first: tag("first").named("first"),
        data: None,
        number: None,
        last: any(&["early_last", "ends"]).expect("frames end").named("first_last"),
        held: Some(pace.units()),
    });
    UnitSlots { unit_valid: None, frame_ends, early, own, begins: None }
}
