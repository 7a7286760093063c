//! Decoders of several systems: the system is chosen for each frame, and each system has stages of its own up to the slots.
//!
//! ```text
//!              system of the frame
//!                      │
//!  beat ──┬──> front of a system ──┐
//!         ├──> front of another ───┼──> slots of the front that has the beat ──> gaps, compaction, output
//!         └──> ...                 ┘
//! ```
//!
//! A *front* is a module that has the stages of one system up to the slots. A front sees only the beats of frames of that system. The number of stages
//! differs from front to front, and the slots of the shorter ones are delayed. So all systems have the same latency, and frames follow one another
//! without a gap. Counting, compaction and the output, which need most of the logic of a decoder, are there once.
//!
//! Octets of sets of several can make several slots certain that are before those of the lanes, each in a place of its own. In a list with such a
//! set, the one slot that other systems can have before those of the lanes is in a place of its own, too.

use std::sync::Arc;

use super::front::{Build, First, Front, Spread};
use super::pipeline::Pipeline;
use super::slot::Layout;
use super::{front_of, spills};
use crate::core::lanes::{At, Beat, Lanes, section};
use crate::core::shared::among::{Family, one_of};
use crate::core::shared::ports::{UnitsIn, units_in};
use crate::core::spec::ErrorMode;
use crate::core::{Auto, System};
use crate::netlist::{Builder, Design, InstanceHandle, Module, ResetStyle, Signal};

/// The input of a front with both orders of octets.
const LITTLE_PORT: &str = "little";
/// The stage of the core in which a front takes a beat.
const FRONTS_AT: u32 = 1;

/// Decodes a beat up to the slots of its units.
pub(super) fn decode<'m>(
    auto: Auto,
    on_error: ErrorMode,
    build: Build,
    input: &UnitsIn<'m>,
    pipeline: &Pipeline<'m>,
) -> Front<'m> {
    let beat = Beat::new(input, |lane| pipeline.stage_at(lane));
    let m = beat.builder();
    section(m, 0, "the system of the frame");
    let number = input.system.expect("the core has the port");
    let chosen = chosen(auto, &beat, At::new(pipeline.stage(), number, 0));
    let octets = beat.units.at(FRONTS_AT).packed().named("octets");
    let (keep, last) = (beat.keep.called("keep"), beat.last);
    let shared = [octets, keep.at(FRONTS_AT), last.at(FRONTS_AT)];
    section(m, FRONTS_AT, "the fronts: each has the beats of its own frames");
    let spills = spills(System::Auto(auto), on_error);
    let fronts: Vec<FrontSlots> = Family::all(auto)
        .iter()
        .map(|family| {
            let made = made(family, on_error, build, spills);
            let is = At::new(pipeline.stage(), family.is_chosen(&chosen), 0);
            let valid = (beat.valid & is).called(&format!("{}_valid", family.name())).flag();
            let instance = m
                .instance(&family.name(), &made.module)
                .part()
                .input("s_axis_tdata", shared[0].signal())
                .input("s_axis_tkeep", shared[1].signal())
                .input("s_axis_tvalid", valid.at(FRONTS_AT).signal())
                .input("s_axis_tlast", shared[2].signal());
            if let Some(little) = family.little(&chosen) {
                let little =
                    At::new(pipeline.stage(), little, 0).registered(&format!("{}_little", family.name()));
                instance.input(LITTLE_PORT, little.signal());
            }
            for (port, lane) in &made.advances {
                instance.input(port, pipeline.stage_at(*lane).enable);
            }
            FrontSlots { name: family.name(), made, instance, pipeline }
        })
        .collect();
    merge(m, &fronts, build)
}

/// A bit for each system of the list: it is that of the beat's frame. `number` is what the port says.
fn chosen<'m>(auto: Auto, beat: &Beat<'m>, number: At<'m>) -> Vec<Signal<'m>> {
    let stage = number.registers();
    let now = |signal| At::new(stage, signal, 0);
    let in_frame = stage.state("in_frame_reg", 1).note("a unit of the frame was taken");
    let kept = stage.state("system_reg", number.width()).note("number of the frame's system");
    let system = now(in_frame.q).mux(now(kept.q), number).named("frame_system");
    let began = (now(in_frame.q) | beat.holds(0)).named("has_begun") & !beat.last;
    stage.load(in_frame, beat.valid.mux(began, now(in_frame.q)).signal());
    let begins = (beat.valid & beat.holds(0)).named("reads_system");
    stage.load(kept, begins.mux(system, now(kept.q)).signal());
    one_of(auto, system.signal())
}

/// The module of a front, and what is known of its outputs.
struct Made {
    module: Arc<Module>,
    /// The inputs that move the stages, each with a lane of its group.
    advances: Vec<(String, usize)>,
    /// The stages of the module in which it is known which units end a slot, and whose registers hold the slots.
    ends_at: u32,
    slots_at: u32,
    layout: Layout,
    spread: Spread,
    /// A slot can come before those of the places.
    has_first: bool,
}

/// Builds the front of a family. `spills`: the slot before those of the lanes is in a place of its own.
fn made(family: &Family, on_error: ErrorMode, build: Build, spills: bool) -> Made {
    let system = family.system.1;
    let title = system.title();
    let m = Builder::new(family.name(), format!("{title}: beats of units up to the slots that they end"));
    let input = units_in(&m, build.lanes as u32, system.unit_bits());
    let little = family
        .other_order
        .map(|_| m.input(LITTLE_PORT, 1, "the octets of words come from the least significant on"));
    let pipeline = Pipeline::of_half(&m, build.lanes);
    let front = front_of(system, on_error, build, (&input, little), &pipeline);
    let front = if spills { front.with_first_as_place(build) } else { front };
    let (ends_at, slots_at) = (front.ends_at(), front.sums_at() + 1);
    m.port_group(format!("Stage {ends_at}: units that end a slot"));
    m.output("m_valid", front.valid.signal(), "there is a beat");
    m.output("m_last", front.last.signal(), "the beat ends its frame");
    m.output("m_ends", front.ends.packed().signal(), "bit per place: its unit ends a slot");
    if let Some(first) = &front.first {
        m.output("m_first_ends", first.ends.signal(), "a slot comes before those of the places");
    }
    m.port_group(format!("Stage {slots_at}: slots"));
    if let Some(first) = &front.first {
        let slot = first.slot.called("first_slot").at(slots_at - 1).registered("first_slot");
        m.output("m_first_slot", slot.signal(), "the slot before those of the places");
    }
    for (place, slot) in front.slots.iter().enumerate() {
        m.output(&format!("m_slot_{place}"), slot.signal(), "the slot of the place");
    }
    let (layout, spread, has_first) = (front.layout.clone(), front.spread.clone(), front.first.is_some());
    let advances = pipeline.advances_of_half();
    drop((front, pipeline));
    // Fronts have modules of the same names.
    let module = Design { top: m.built(), reset: ResetStyle::default() }.part();
    Made { module, advances, ends_at, slots_at, layout, spread, has_first }
}

/// The outputs of a front.
struct FrontSlots<'a, 'm> {
    name: String,
    made: Made,
    instance: InstanceHandle<'m>,
    pipeline: &'a Pipeline<'m>,
}

impl<'m> FrontSlots<'_, 'm> {
    /// The stage of the core in which the units that end a slot are known.
    fn ends_at(&self) -> u32 {
        FRONTS_AT + self.made.ends_at
    }

    /// The stage of the core whose registers hold the slots.
    fn slots_at(&self) -> u32 {
        FRONTS_AT + self.made.slots_at
    }

    /// An output of a beat that tells of slots.
    fn of_beat(&self, port: &str) -> At<'m> {
        let signal = self.instance.output(&format!("m_{port}"));
        At::new(self.pipeline.stage(), signal, self.ends_at()).called(&format!("{}_{port}", self.name))
    }

    /// Whether the front has a beat.
    fn valid(&self) -> At<'m> {
        self.of_beat("valid").flag()
    }

    /// Whether the unit of a place ends a slot; none of places that the front does not have.
    fn ends(&self, place: usize) -> Option<At<'m>> {
        let registers = self.pipeline.stage_at(place);
        (place < self.made.spread.places).then(|| {
            let ends = At::new(registers, self.instance.output("m_ends"), self.ends_at());
            ends.bit(place as u32).called(&format!("{}_ends_{place}", self.name))
        })
    }

    /// An output that is a slot, in stage `at` and in the layout of all.
    fn slot(&self, port: &str, place: usize, (at, layout): (u32, &Layout)) -> At<'m> {
        let slot = self.instance.output(&format!("m_{port}"));
        let slot = At::new(self.pipeline.stage_at(place), slot, self.slots_at());
        layout.of_other(&self.made.layout, slot.called(&format!("{}_{port}", self.name)).at(at))
    }
}

/// The slots of the front that has the beat.
fn merge<'m>(m: &'m Builder, fronts: &[FrontSlots<'_, 'm>], build: Build) -> Front<'m> {
    let ends_at = fronts.iter().map(FrontSlots::ends_at).max().expect("a list has systems");
    let layout = Layout::of_all(fronts.iter().map(|front| &front.made.layout));
    let places = fronts.iter().map(|front| front.made.spread.places).max().unwrap_or(0);
    // Slots of places past the lanes wait for the next beat.
    let build = Build { lanes: build.lanes.max(places), ..build };
    let spread = Spread::of_all(build, fronts.iter().map(|front| &front.made.spread));
    let has_first = fronts.iter().any(|front| front.made.has_first);
    section(m, ends_at, "which units end a slot, of the front that has the beat");
    let valid: Vec<At> = fronts.iter().map(FrontSlots::valid).collect();
    // Fronts without a beat may say anything.
    let any = |at: u32, of: &dyn Fn(&FrontSlots<'_, 'm>) -> Option<At<'m>>| {
        let of = |(front, valid): (_, &At<'m>)| Some(of(front)?.at(at).masked(valid.at(at)));
        At::any_of(fronts.iter().zip(&valid).filter_map(of)).expect("some front has it")
    };
    let ends = |place: usize| any(ends_at, &|front| front.ends(place)).registered(&format!("ends_{place}"));
    let ends = Lanes::new("ends", (0..spread.places).map(ends));
    let last = any(ends_at, &|front| Some(front.of_beat("last"))).registered("frame_ends");
    let is_there = At::any_of(valid.iter().map(|valid| valid.at(ends_at))).expect("a list has systems");
    let is_there = is_there.called("has_beat").flag().at(ends_at + 1);
    let first_ends = has_first.then(|| {
        let first = any(ends_at, &|front| front.made.has_first.then(|| front.of_beat("first_ends")));
        first.registered("first_ends")
    });

    let shortest = fronts.iter().map(FrontSlots::slots_at).max().expect("a list has systems");
    let slots_at = shortest.max(spread.counted(ends_at + 1));
    section(m, slots_at, "the slots of the front that has the beat");
    let of_place = |place: usize| {
        any(slots_at, &|front| {
            let has = place < front.made.spread.places;
            has.then(|| front.slot(&format!("slot_{place}"), place, (slots_at, &layout)))
        })
    };
    let first_slot = first_ends.map(|_| {
        let of = |front: &FrontSlots<'_, 'm>| {
            front.made.has_first.then(|| front.slot("first_slot", 0, (slots_at, &layout)))
        };
        any(slots_at, &of)
    });
    let slots = (0..spread.places).map(|place| of_place(place).registered(&format!("slot_{place}")));
    let slots = Lanes::new("slot", slots);
    let first = first_ends.zip(first_slot).map(|(ends, slot)| First { ends, slot });
    Front { first, ends, slots, last, valid: is_there, layout, spread, offsets: None }
}
