//! CESU-8, Unicode Technical Report #26, and the modified UTF-8 of Java: UTF-8 of up to three octets. A supplementary code point has six
//! octets: three of its high surrogate, then three of its low surrogate.
//!
//! ```text
//!  ED A0..AF 80..BF   ED B0..BF 80..BF
//!  high surrogate     low surrogate
//! ```

pub(in crate::core::many_lanes) mod lane;
pub(in crate::core::many_lanes) mod link;
pub(in crate::core::many_lanes) mod shape;
pub(in crate::core::many_lanes) mod unit;

use super::front::{Build, First, Front};
use super::offsets::Offsets;
use super::slot::{Kinds, SlotTag};
use crate::core::System;
use crate::core::lanes::scan::{Carried, Carries};
use crate::core::lanes::{Beat, Cell, History, Instances, LaneModule, history, section};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::spec::ErrorMode;
use lane::CutPorts;
use link::{Half, Values, class_of};
use shape::BITS;
pub(in crate::core::many_lanes) use shape::{Shape, Stages};
use unit::OCTET;

/// The number of octets before an octet that decide its position in a sequence.
pub(in crate::core::many_lanes) const BEFORE: usize = 3;

/// Decodes a beat of CESU-8 or of modified UTF-8 up to the slots of its octets.
pub(super) fn decode<'m>(system: System, on_error: ErrorMode, build: Build, beat: &Beat<'m>) -> Front<'m> {
    let drops = on_error == ErrorMode::Drop;
    let shape = Shape::new(system, drops);
    let nul_is_pair = shape.nul_is_pair;
    let (stages, spread) = Stages::new(beat.stage(), drops, build);
    let values = Values::new(stages, nul_is_pair);
    let classify = unit::unit(beat.builder(), &shape, stages.class);
    let (module, ports) = LaneModule::build(
        beat,
        "An octet on its way from the bus to the slot that it ends: its class, its position in a sequence, and whether the \
         next one cuts that sequence short.",
        |lane| lane::ports(lane, &shape, stages, &values, &classify, build.positions && drops),
    );
    let lanes = Instances::new(beat, &module, &ports.unit);
    // Octets that only matter for their bits have no class.
    let widths: Vec<u32> =
        (1..).zip(BITS).map(|(back, bits)| if back <= BEFORE { OCTET } else { bits }).collect();
    let units = history(beat, &lanes.all(&ports.unit_1), &widths);
    section(beat.builder(), stages.class, "the classes of the octets before the beat");
    let past = History::new((1..).zip(&units).map(|(back, &unit)| {
        let name = format!("unit_{back}_before_class");
        (unit, (back <= BEFORE).then(|| unit::instance(&name, &classify, unit, beat.valid)))
    }));
    let carries = Carries {
        sets: lanes.all(&ports.sets),
        keeps: lanes.all(&ports.keeps),
        invert: true,
        valid: beat.valid,
        last: beat.last,
    };
    let with_ed = carries.carried("ed");
    lanes.connect_all(&ports.continues_ed, &with_ed.after);
    let first = ports.cuts.as_ref().map(|cuts| {
        lanes.connect(&cuts.is_last, |lane| beat.ends_frame(lane));
        let making = Opening { shape: &shape, stages, values: &values, beat };
        making.first(cuts, &lanes, &past, &with_ed)
    });
    lanes.link(&past);
    section(beat.builder(), stages.ends, "which octets end a slot");
    let back = ports.back.as_ref().map(|back| lanes.all(back));
    let offsets = Offsets::of(beat, build.positions);
    Front {
        first,
        ends: lanes.all(&ports.ends),
        slots: lanes.all(&ports.slot),
        last: beat.last.at(stages.ends),
        valid: beat.valid.at(stages.ends),
        layout: shape.layout,
        spread,
        offsets: offsets.map(|offsets| Offsets { back, ..offsets }),
    }
}

/// The sequence that the beats before left open.
struct Opening<'a, 'm> {
    shape: &'a Shape,
    stages: Stages,
    values: &'a Values,
    beat: &'a Beat<'m>,
}

impl<'m> Opening<'_, 'm> {
    /// The error of that sequence, if the beat cuts it short before its first octet.
    fn first(
        &self,
        cuts: &CutPorts,
        lanes: &Instances<'_, 'm>,
        past: &History<'m>,
        with_ed: &Carried<'m>,
    ) -> First<'m> {
        let Self { shape, values, beat, stages: Stages { class, near, window, ends, made, .. }, .. } = *self;
        section(beat.builder(), near, "the sequence that the beats before left open");
        let nearest = &past.unit(1);
        let lead = values.is_lead(nearest).called("unit_1_before_is_lead").at(near);
        let is_ed = nearest.of(0, &values.lead_ed).called("unit_1_before_is_ed");
        let second_of_ed = values.second_of_ed(nearest).called("unit_1_before_is_second_of_ed").at(near);
        let third_of_high =
            values.third_of(nearest, Half::High).called("unit_1_before_is_third_of_high").at(near);
        let continues = nearest.of(0, &values.fits) & nearest.of(1, &values.is_long);
        let continues = continues.called("unit_1_before_continues").at(near);
        let open = lead | continues | with_ed.before & (second_of_ed | third_of_high);
        let open = open.called("open_before").at(window);
        let is_high = (with_ed.before & third_of_high).called("is_high_before").at(window);
        let is_second_lead = (with_ed.before & is_ed).called("is_second_lead_before").at(window);
        let kind = class_of(nearest, "kind", class).called("unit_1_before_kind").at(window);

        section(beat.builder(), window, "whether it is cut short before the beat");
        let cut = (open & (lanes.first(&cuts.stops) | beat.ends_without_unit())).named("is_cut_before");
        let kinds = Kinds::new(cut.registers(), &shape.layout);
        let refused = (lanes.first(&cuts.trailing) & !is_second_lead).named("first_is_refused");
        let kind = refused.mux(kind, kinds.code(ErrorKind::Truncated));
        let kind = is_high.mux(kinds.code(ErrorKind::Surrogate), kind);
        let error = shape.layout.error_data(kind.called("first_kind").at(made));
        First {
            ends: cut.called("first_ends").at(ends),
            slot: shape.layout.slot(SlotTag { error: Some(cut.lit(1, 1)), part: None }, error),
        }
    }
}
