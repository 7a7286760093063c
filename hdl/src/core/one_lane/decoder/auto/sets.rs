//! Lists with sets of several octets, whose fronts have tables and so more stages than others.
//!
//! ```text
//!  unit ──┬──> front of a set: tables ──> its slots ───┐
//!         │                                            ├──> slots of the chosen front ──> slots that ──> slot
//!         └──> stages ──> front of a system ───────────┘                                  wait           register
//! ```
//!
//! The units of other systems wait in front of their fronts, for as many cycles as the tables take, and so do those of sets with fewer stages than
//! another set of the list has.

use std::sync::Arc;

use super::{FrontSlots, LATENCY, chosen, connect};
use crate::core::one_lane::decoder::indexed::{Entry, entries, latency, queue};
use crate::core::one_lane::decoder::pipeline::DecodePipeline;
use crate::core::one_lane::decoder::slots::{Offsets, OwnSlot, joined_as};
use crate::core::one_lane::decoder::unit::OneUnitBeat;
use crate::core::shared::among::Family;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::core::{Auto, MultiOctet, System, error_kinds};
use crate::netlist::{Builder, Module, Signal};

/// The decoder up to its slot register.
pub(super) fn decode<'m>(
    m: &'m Builder,
    auto: Auto,
    families: &[Family],
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> DecodePipeline<'m> {
    let kinds = error_kinds(System::Auto(auto));
    let bits = families.iter().map(Family::code_bits).max().expect("a list has systems");
    let like = Tags::new(m, style, &kinds, false).code_point();
    let of_frame = chosen(m, auto, beat, pace);
    let sets = families.iter().filter_map(Family::set);
    let most = sets.map(latency).max().expect("a list without sets has other stages");
    let waits = delayed(m, beat, of_frame, most - LATENCY, pace);
    let (later, later_chosen) = &waits[(most - LATENCY) as usize];
    let last = families.iter().any(|family| family.stages() == 1).then(|| {
        pace.units().data("unit_of_word_reg", later.unit).note("for systems whose words are code points")
    });
    m.section("The fronts: each has the units of its own frames");
    let fronts = families.iter().map(|family| {
        let slots = match family.set() {
            Some(set) => {
                let (module, count) = front(family, set, style, &kinds);
                let front = m.instance(&family.name(), &module).part();
                let (beat, chosen) = &waits[(most - latency(set)) as usize];
                let front = connect(family, front, (*beat, None), chosen, pace);
                (0..count).map(|slot| front.entry(slot, like)).collect()
            }
            None => {
                let front = m.instance(&family.name(), &family.front(style, &kinds)).part();
                let front = connect(family, front, (*later, last), later_chosen, pace);
                front.entries(m, like)
            }
        };
        let in_bits = |slot: Entry<'m>| Entry { data: slot.data.zext(bits), ..slot };
        slots.into_iter().map(in_bits).collect::<Vec<Entry>>()
    });
    let fronts: Vec<Vec<Entry>> = fronts.collect();
    m.section("The slots of the chosen front");
    let slots_of_unit = fronts.iter().map(Vec::len).max().expect("a list has systems");
    let slots = (0..slots_of_unit).map(|slot| {
        let all = fronts.iter().filter_map(|slots| slots.get(slot)).copied();
        let join = |(_, slots): (usize, Entry<'m>), (count, of_front): (usize, Entry<'m>)| {
            let is = slots.is.or_named(&format!("slot_{slot}_is_of_first_{count}"));
            (count, Entry { is, ..slots }.before(of_front))
        };
        let (_, slots) = all.enumerate().reduce(join).expect("some front has it");
        slots.or_named(&format!("slot_{slot}"))
    });
    let slots: Vec<Entry> = slots.collect();
    DecodePipeline { slot: queue(m, &slots, pace.slots()), latency: most }
}

/// The beat, and the bits that say which system its frame is of: now, and after each number of stages up to `most`.
fn delayed<'m>(
    m: &'m Builder,
    beat: OneUnitBeat<'m>,
    chosen: Vec<Signal<'m>>,
    most: u32,
    pace: &Pace<'m>,
) -> Vec<(OneUnitBeat<'m>, Vec<Signal<'m>>)> {
    m.section("The units of systems with fewer stages wait");
    let mut all = vec![(beat, chosen)];
    for at in 1..=most {
        let stage = pace.units().at(at);
        let (beat, chosen) = &all[at as usize - 1];
        let next = OneUnitBeat {
            unit: stage.data(&format!("unit_{at}_reg"), beat.unit),
            unit_valid: stage.flag(&format!("unit_valid_{at}_reg"), beat.unit_valid),
            frame_ends: stage.flag(&format!("frame_ends_{at}_reg"), beat.frame_ends),
            ..*beat
        };
        let chosen = chosen.iter().enumerate();
        let chosen = chosen.map(|(number, &is)| stage.data(&format!("is_system_{number}_{at}_reg"), is));
        let chosen = chosen.collect();
        all.push((next, chosen));
    }
    all
}

/// The stages of a set up to its slots, as a module, and the number of slots that a unit can make certain.
fn front(family: &Family, set: MultiOctet, style: TagStyle, kinds: &[ErrorKind]) -> (Arc<Module>, usize) {
    let summary = format!("{}: a unit and the slots that it makes certain", family.system.1.title());
    let m = Builder::new(family.name(), summary);
    let (beat, pace) = family.units(&m);
    let tags = Tags::new(&m, style, kinds, false);
    let slots = entries(&m, set, beat, &tags, &pace, Offsets::position(0, family.system.1));
    m.port_group("Slots, those that are there first");
    for (slot, entry) in slots.iter().enumerate() {
        let Entry { is, keep, last, tag, data, .. } = *entry;
        let parts = [
            ("is", Some(is), "there is a slot, or the end of the frame"),
            ("keep", Some(keep), "there is a slot, not only the end of a frame"),
            ("last", Some(last), "the frame ends with it"),
            ("error", tag.error, "it is an error"),
            ("user", tag.user, "its kind"),
            ("data", Some(data), "its code point; anything in an error"),
        ];
        for (part, signal, note) in parts {
            if let Some(signal) = signal {
                m.output(&format!("m_{slot}_{part}"), signal, note);
            }
        }
    }
    let count = slots.len();
    (m.built_trimmed(), count)
}

impl<'m> FrontSlots<'m> {
    /// A slot of the front of a set. `like`: the tag of a code point.
    fn entry(&self, slot: usize, like: Tag<'m>) -> Entry<'m> {
        let part = |name: &str| self.output(&format!("{slot}_{name}")).expect("the front has it");
        Entry {
            is: part("is"),
            keep: part("keep"),
            last: part("last"),
            tag: self.tag_like(&slot.to_string(), like),
            data: part("data"),
            offset: None,
            units: None,
        }
    }

    /// The slots of a unit of another system: an early one and the unit's own, or the unit's own alone.
    fn entries(&self, m: &'m Builder, like: Tag<'m>) -> Vec<Entry<'m>> {
        let part = |name: &str| self.output(name);
        let need = |name: &str| part(name).expect("units have slots");
        let (is, keep) = (need("own"), need("own_keep"));
        let (last, tag) = (need("ends"), self.tag_like("own", like));
        let of_unit = OwnSlot { is, keep, tag, above: part("own_above"), low: part("own_low") };
        let bits = self.code_bits;
        let data =
            joined_as(m, of_unit, bits, &format!("{}_own_data", self.name)).unwrap_or_else(|| m.lit(bits, 0));
        let own = Entry { is, keep, last, tag, data, offset: None, units: None };
        let Some(early) = part("early") else { return vec![own] };
        let first = Entry {
            is: early | is,
            keep: early | keep,
            last: need("early_last"),
            tag: self.tag_like("first", like),
            ..own
        };
        // After an early slot no sequence is open, so the upper bits of the code point are zero.
        let low = of_unit.low.map_or_else(|| m.lit(bits, 0), |low| low.zext(bits));
        vec![first, Entry { is: early & is, data: low, ..own }]
    }

    /// The tag of a slot, with the fields of `like`, the tag of a code point.
    fn tag_like(&self, name: &str, like: Tag<'m>) -> Tag<'m> {
        let [error, user] = self.tag(name);
        let or =
            |signal: Option<Signal<'m>>, like: Option<Signal<'m>>| like.map(|like| signal.unwrap_or(like));
        Tag { error: or(error, like.error), user: or(user, like.user), ..like }
    }
}
