//! Decoders of several lanes for the systems whose lead units tell the length.
//!
//! Every slot belongs to the *last* unit of its sequence or error. A unit therefore ends one slot at most, and a window as long as the
//! longest sequence decides whether it does: no lane depends on the state of the lane below.

mod columns;
mod halves;
mod lane;
mod long;
mod offset;
mod pairs;
mod shape;
mod stages;
mod table;
mod tail;
mod unit;
mod value;
mod values;
mod window;

use std::rc::Rc;
use std::sync::Arc;

use super::front::{Build, First, Front};
use super::offsets::{Mark, Offsets, Parts};
use super::slot::{Kinds, SlotTag};
use super::utf_inf_8::{Position, Units};
use crate::core::lanes::scan::{Carried, Carries};
use crate::core::lanes::{At, Beat, Heard, History, Instances, LaneModule, Lanes, history, section};
use crate::core::many_lanes::marks::mark_units;
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::Module;
use lane::{CutPorts, Ports, RunPorts};
pub(in crate::core::many_lanes) use shape::Shape;
use stages::Stages;
pub(in crate::core::many_lanes) use table::has_wrong_units;
pub(in crate::core::many_lanes) use unit::{Class, unit};
use values::Values;
use window::{Window, has_more, is_nth_after_head};

/// Decodes a beat up to the slots that its units end.
pub(super) fn decode<'m>(shape: Shape, build: Build, beat: &Beat<'m>) -> Front<'m> {
    let shape = Rc::new(shape.of(build));
    let (stages, spread) = Stages::new(&shape, beat.stage(), build);
    let values = Values::new(&shape, stages);
    let classify = unit(beat.builder(), &shape, stages.class);
    let (module, ports) = LaneModule::build(
        beat,
        "A unit on its way from the bus to the slot that it ends: its class, its position in a sequence, and whether the \
         next one cuts that sequence short.",
        |lane| lane::ports(lane, &shape, stages, &values, &classify, build.positions),
    );
    let lanes = Instances::new(beat, &module, &ports.unit);
    let decoder = Decoder { shape: &shape, stages, values: &values, beat, lanes, ports: &ports };
    let (units, past) = decoder.history(&classify);
    let first = ports.cuts.as_ref().map(|cuts| decoder.connect_cuts(cuts, &units, &past));
    decoder.lanes.link(&past);
    let ends_mark = ports.ends_mark.as_ref();
    let mark =
        ends_mark.map(|ends_mark| decoder.connect_mark(ends_mark, build.positions)).unwrap_or_default();
    section(beat.builder(), stages.ends, "which units end a slot");
    let (ends, slots) = (decoder.lanes.all(&ports.ends), decoder.lanes.all(&ports.slot));
    let offsets = Offsets::of(beat, build.positions);
    let offsets = offsets.map(|offsets| Offsets { mark, ..decoder.with_parts(offsets) });
    drop(decoder);
    let layout = shape.layout.clone();
    let (last, valid) = (beat.last.at(stages.ends), beat.valid.at(stages.ends));
    Front { first, ends, slots, last, valid, layout, spread, offsets }
}

/// A decoder that is being built.
struct Decoder<'a, 'm> {
    shape: &'a Shape,
    stages: Stages,
    values: &'a Values,
    beat: &'a Beat<'m>,
    lanes: Instances<'a, 'm>,
    ports: &'a Ports,
}

impl<'m> Decoder<'_, 'm> {
    /// The units before the beat, and values of them.
    fn history(&self, classify: &Arc<Module>) -> (Vec<At<'m>>, History<'m>) {
        let Self { shape, stages, beat, lanes, ports, .. } = self;
        let Some(unit_1) = &ports.unit_1 else { return (Vec::new(), History::new([])) };
        let widths = vec![shape.leads.forms.unit_bits; shape.units_before()];
        let units = history(beat, &lanes.all(unit_1), &widths);
        section(beat.builder(), stages.class, "the classes of the units before the beat");
        let of_windows = shape.units_before_windows();
        let past = (1..).zip(&units).map(|(back, &unit)| {
            let name = format!("unit_{back}_before_class");
            let class = (back <= of_windows)
                .then(|| unit::instance(&name, classify, unit.at(stages.class - 1), beat.valid));
            (unit, class)
        });
        let past = History::new(past);
        (units, past)
    }

    /// The offsets, with the lengths of slots and with heads and limbs, where there are such.
    fn with_parts(&self, offsets: Offsets<'m>) -> Offsets<'m> {
        let Self { lanes, ports, .. } = self;
        let parts = ports.gives_way.as_ref().map(|gives_way| {
            let cuts = ports.cuts.as_ref().expect("heads and limbs are cut short");
            let makes_part = cuts.makes_part.as_ref().expect("there are parts");
            let of_first = lanes.first(makes_part).called("first_is_part");
            Parts { of_places: lanes.all(gives_way), of_first }
        });
        Offsets { back: ports.back.as_ref().map(|back| lanes.all(back)), parts, ..offsets }
    }

    /// Tells the first lanes whether they end the mark that opens the frame. The mark is given if `asked`.
    fn connect_mark(&self, ends_mark: &Heard, asked: bool) -> Option<Mark<'m>> {
        let Self { shape, beat, lanes, .. } = self;
        let mark = shape.mark.clone().expect("lanes hear of it");
        let (units, at) = (mark.len() as u32, beat.stage() + 1);
        let found = mark_units(beat, mark);
        lanes.connect(ends_mark, |lane| match found.ends(units, lane as u32) {
            Some(is) => At::new(beat.valid.registers(), is, at).called(&format!("lane_{lane}_ends_mark")),
            None => beat.valid.lit(1, 0),
        });
        asked.then(|| {
            let ends = At::new(beat.valid.registers(), found.is_whole(), at).called("ends_mark");
            Mark { ends, units: units.into(), is_counted: true }
        })
    }

    /// Connects the ports for sequences that are cut short. Returns the slot before those of the lanes.
    fn connect_cuts(&self, cuts: &CutPorts, units: &[At<'m>], past: &History<'m>) -> First<'m> {
        let Self { shape, beat, lanes, .. } = self;
        lanes.connect(&cuts.is_last, |lane| beat.ends_frame(lane));
        let position = shape.tails.as_ref().map(|tails| {
            let told = |told: &Option<_>| lanes.all(told.as_ref().expect("lanes tell their units"));
            let units = Units::new(told(&self.ports.unit_1), told(&self.ports.valid_1), units);
            tails.decode(beat, units, &Kinds::new(beat.valid.registers(), &shape.layout))
        });
        if let Some((heard, position)) = cuts.tail.as_ref().zip(position.as_ref()) {
            heard.connect(lanes, position);
        }
        let runs = cuts.runs.as_ref().map(|ports| self.runs(ports));
        self.first(cuts, past, runs.as_ref(), position.as_ref())
    }

    /// The units that are in runs which are one error.
    fn runs(&self, ports: &RunPorts) -> Carried<'m> {
        let Self { lanes, beat, .. } = self;
        let valid = lanes.all(self.ports.valid_1.as_ref().expect("lanes tell their units"));
        let trailing = lanes.all(&ports.trailing);
        let keeps = trailing.iter().zip(valid.iter()).enumerate();
        let keeps = Lanes::new(
            "run_keeps",
            keeps.map(|(lane, (&is, &valid))| (is | !valid).named(&format!("keeps_run_of_lane_{lane}"))),
        );
        let sets = lanes.all(&ports.opener);
        let carries = Carries { sets, keeps, invert: false, valid: beat.valid, last: beat.last };
        let runs = carries.carried("run");
        lanes.connect_all(&ports.in_run, &runs.after);
        lanes.connect_all(&ports.before_in_run, &runs.after.before(runs.before));
        runs
    }

    /// The slot before those of the lanes: the error of a sequence that is cut short before the first unit of the beat, or a head or limb
    /// that this unit makes certain.
    fn first(
        &self,
        cuts: &CutPorts,
        past: &History<'m>,
        runs: Option<&Carried<'m>>,
        position: Option<&Position<'m>>,
    ) -> First<'m> {
        let Self { shape, stages, values, beat, lanes, .. } = self;
        section(beat.builder(), stages.near, "the sequence that the beats before left open");
        let nearest = past.unit(1);
        let class = Class::of(&nearest, stages.class);
        let in_run = runs.map(|runs| runs.before);
        let in_tail = position.map(|position| position.open_before);
        let open = if shape.drops {
            let told = |n: usize| is_nth_after_head(&nearest, values, n) & has_more(&nearest, values, n);
            At::any_of((1..shape.longest).map(told)).expect("some sequence has limbs")
        } else {
            let lead = class.lead().called("unit_1_before_is_lead").at(stages.near);
            let open = Window::open(&nearest, values, shape.longest).map_or(lead, |open| lead | open);
            in_run.map_or(open, |in_run| open | in_run)
        };
        let open = in_tail.map_or(open, |in_tail| open.called("open_in_window_before") | in_tail);
        let open = open.called("open_before").at(stages.window);

        section(beat.builder(), stages.window, "whether it is cut short before the beat");
        let stops = lanes.first(&cuts.stops) | beat.ends_without_unit();
        let cut = (open & stops).named("is_cut_before");
        let kinds = Kinds::new(cut.registers(), &shape.layout);
        let truncated = kinds.code(ErrorKind::Truncated);
        let first_of = |told: &Option<_>| lanes.first(told.as_ref().expect("lanes tell it"));
        let broken = in_tail
            .zip(cuts.breach_kind.as_ref())
            .map(|(in_tail, kind)| (in_tail.called("in_tail_before").at(stages.window), lanes.first(kind)));
        let kind = if !shape.tells_kinds() {
            truncated
        } else if shape.drops {
            broken.map_or(truncated, |(in_tail, kind)| {
                (in_tail & first_of(&cuts.trailing)).mux(kind, truncated)
            })
        } else {
            let kind = class.kind().called("unit_1_before_kind").at(stages.window);
            let kind = broken.map_or(kind, |(in_tail, broken)| in_tail.mux(broken, kind));
            let kind = first_of(&cuts.trailing).pick(kind, truncated);
            in_run.map_or(kind, |in_run| {
                let is_run = in_run.called("in_run_before").at(stages.window);
                is_run.mux(kinds.code(shape.leads.kind_of_neither()), kind)
            })
        };
        let error = shape.layout.error_data(kind.called("first_kind").at(stages.made));
        let one = cut.lit(1, 1);
        if shape.limbs().is_none() {
            let slot = shape.layout.slot(SlotTag { error: Some(one), part: None }, error);
            return First { ends: cut.called("first_ends").at(stages.ends), slot };
        }
        let error = shape.layout.slot(SlotTag { error: Some(one), part: Some(cut.lit(1, 0)) }, error);
        let ends = (cut | first_of(&cuts.makes_part)).called("first_ends").at(stages.ends);
        let error = error.masked(cut.called("first_is_cut").at(stages.made));
        First { ends, slot: error | first_of(&self.ports.part) }
    }
}
