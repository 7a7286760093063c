//! CESU-8, Unicode Technical Report #26, and the modified UTF-8 of Java: UTF-8 of up to three octets, in which a supplementary code point
//! has six, those of a high surrogate and those of a low one.
//!
//! ```text
//!  ED A0..AF 80..BF   ED B0..BF 80..BF
//!  high surrogate     low surrogate
//! ```

mod lane;
mod link;
mod unit;

use std::sync::Arc;

use super::front::Front;
use super::history::history;
use super::lanes::{connect_is_last, ends_without_unit, lanes};
use super::lookahead::{Carried, Carries, look_ahead};
use super::pipeline::{Pipeline, delay, delay_flag};
use super::places::{First, Places};
use super::plan::{self, Build, Plan};
use super::scan;
use super::slot::{Kinds, Layout, SlotTag};
use crate::core::System;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::ports::UnitsIn;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, InstanceHandle, Module, Signal};
use lane::BITS;
use unit::OCTET;

/// Bits of a code point.
const CODE_BITS: u32 = 21;
/// The most octets of a code point.
const LONGEST: usize = 6;
/// Octets before one that tell how it stands to them.
const BEFORE: usize = 3;

/// The kinds of error there are.
const KINDS: [ErrorKind; 5] = [
    ErrorKind::Unexpected,
    ErrorKind::Truncated,
    ErrorKind::Overlong,
    ErrorKind::Surrogate,
    ErrorKind::Invalid,
];

/// What differs between decoders.
struct Shape {
    layout: Layout,
    drops: bool,
    /// U+0000 is C0 80, and 00 is an error.
    nul_is_pair: bool,
}

/// The decoder up to the slots of its octets.
pub(super) struct Cesu8 {
    shape: Shape,
    stages: plan::Front,
    plan: Plan,
    unit: Arc<Module>,
    lane: Arc<Module>,
}

impl Cesu8 {
    /// The decoder of CESU-8 or of modified UTF-8.
    pub(super) fn new(system: System, on_error: ErrorMode, lanes: usize, build: Build) -> Self {
        let drops = on_error == ErrorMode::Drop;
        let nul_is_pair = system == System::Mutf8;
        let kinds = KINDS.into_iter().chain(nul_is_pair.then_some(ErrorKind::Nul));
        let kinds: Vec<ErrorKind> = if drops { Vec::new() } else { kinds.collect() };
        let shape = Shape { layout: Layout::new(CODE_BITS, &kinds, false), drops, nul_is_pair };
        let history = plan::history(lanes);
        let class = history + 1;
        let window = Stages::new(class, lanes).near + 1;
        let ends = if drops { window } else { window + 1 };
        let farthest = shape.most_gaps(lanes - 1) + usize::from(!drops);
        let stages = plan::Front { history, class, window, ends, ready: ends, places: lanes, farthest };
        let plan = Plan::new(lanes, build, stages);
        let unit = unit::unit(&shape);
        let lane = lane::lane(&shape, &plan, &unit);
        Self { shape, stages, plan, unit, lane }
    }
}

/// The stages between what an octet is by itself and whether it ends a slot.
#[derive(Clone, Copy)]
struct Stages {
    /// How each octet stands to those before it is known.
    link: u32,
    /// Which octets go on with a sequence that has ED in it is known.
    near: u32,
}

impl Stages {
    fn new(class: u32, lanes: usize) -> Self {
        Self { link: class + 1, near: class + 1 + scan::stages(lanes) }
    }
}

impl Shape {
    /// Of so many octets one behind the other, how many end no slot at most.
    fn most_gaps(&self, octets: usize) -> usize {
        if self.drops { octets } else { octets - octets / LONGEST }
    }
}

impl Front for Cesu8 {
    fn stages(&self) -> plan::Front {
        self.stages
    }

    fn layout(&self) -> &Layout {
        &self.shape.layout
    }

    fn most_gaps(&self, place: usize) -> usize {
        self.shape.most_gaps(place)
    }

    fn decode<'m>(&'m self, m: &'m Builder, input: &UnitsIn<'m>, pipeline: &Pipeline<'m>) -> Places<'m> {
        let Self { shape, plan, .. } = self;
        let stage = pipeline.stage();
        let stages = Stages::new(plan.class, plan.lanes);
        m.stage_section(1, "the beat");
        let valid = delay_flag(stage, "beat_valid", input.tvalid, 0, 1);
        let last = delay(stage, "last", input.tlast, 0, 1);
        let lanes = lanes(m, &self.lane, "unit", input, pipeline);
        let outputs = |name: &str| lanes.iter().map(|lane| lane.output(name)).collect::<Vec<_>>();
        let widths: Vec<u32> =
            (1..=BITS.len()).map(|back| if back <= BEFORE { OCTET } else { BITS[back - 1] }).collect();
        let units = history(m, input, &outputs("unit_1"), &widths, plan.history, stage);
        let before = self.before(m, &units, valid, pipeline);

        let at_link = |name: &str, signal| delay(stage, name, signal, 1, stages.link);
        let carries = Carries {
            sets: outputs("sets"),
            hands_on: outputs("hands_on"),
            invert: true,
            valid: delay_flag(stage, "ed_valid", valid, 1, stages.link),
            last: at_link("ed_last", last),
        };
        let with_ed = look_ahead(m, "ed", carries, stages.link, pipeline);
        let first = (!shape.drops).then(|| {
            m.stage_section(stages.near, "the sequence that the beats before left open");
            self.first(m, input, &lanes, &before, &with_ed, pipeline)
        });
        if !shape.drops {
            connect_is_last(input, &lanes);
        }
        self.connect(m, &lanes, &before, &with_ed);
        m.stage_section(plan.ends, "which octets end a slot");
        Places {
            first,
            ends: outputs("ends"),
            slots: outputs("slot"),
            last: delay(stage, "last", last, 1, plan.ends),
            valid: delay_flag(stage, "beat_valid", valid, 1, plan.ends),
        }
    }
}

/// The octets before the beat, the nearest first.
struct Before<'m> {
    classes: Vec<InstanceHandle<'m>>,
    /// Of the nearest one, as of stage `link`.
    fits: Signal<'m>,
    /// Of the nearest two: two trailing octets follow a lead.
    is_long: [Signal<'m>; 2],
    /// The bits that may be part of a slot, as of stage `plan.sums`.
    bits: Vec<Signal<'m>>,
}

impl Cesu8 {
    fn before<'m>(
        &'m self,
        m: &'m Builder,
        units: &[Signal<'m>],
        valid: Signal<'m>,
        pipeline: &Pipeline<'m>,
    ) -> Before<'m> {
        let Self { shape, plan, .. } = self;
        let stage = pipeline.stage();
        // Without a beat nobody asks.
        let there = delay_flag(stage, "before_valid", valid, 1, plan.history);
        let classes: Vec<InstanceHandle> = (1..)
            .zip(&units[..BEFORE])
            .map(|(back, &unit)| {
                unit::instance(m, &format!("before_{back}_class"), &self.unit, stage, unit, there)
            })
            .collect();
        m.stage_section(plan.class, "what the octets before the beat are");
        let of = |back: usize, name: &str| classes[back].output(name);
        let at_link = |name: &str, signal| delay(stage, name, signal, plan.class, plan.class + 1);
        Before {
            fits: at_link("before_1_fits", link::fits(&of, shape.nul_is_pair)),
            is_long: [1, 2].map(|back| at_link(&format!("before_{back}_is_long"), of(back - 1, "is_long"))),
            bits: (1..)
                .zip(units)
                .map(|(back, unit)| {
                    let most = BITS[back - 1..].iter().copied().max().expect("some octet has bits of it");
                    delay(stage, &format!("before_{back}_bits"), unit.bits(0..most), plan.history, plan.sums)
                })
                .collect(),
            classes,
        }
    }

    /// The error of a sequence that the beat cuts short before its first octet.
    fn first<'m>(
        &self,
        m: &'m Builder,
        input: &UnitsIn<'m>,
        lanes: &[InstanceHandle<'m>],
        before: &Before<'m>,
        with_ed: &Carried<'m>,
        pipeline: &Pipeline<'m>,
    ) -> First<'m> {
        let Self { shape, plan, .. } = self;
        let stage = pipeline.stage();
        let stages = Stages::new(plan.class, plan.lanes);
        let nearest = before.classes[0];
        let of = |back: usize, name: &str| before.classes[back].output(name);
        let from_class =
            |name: &str, signal| delay(stage, &format!("before_1_{name}"), signal, plan.class, stages.near);
        let lead = lane::lead_of(&|name| nearest.output(name), shape);
        let lead = from_class("is_lead", lead);
        let is_ed = from_class("is_ed", nearest.output("lead_ed"));
        let kind = from_class("kind", nearest.output("kind"));
        let second_of_ed = from_class("second_of_ed", link::second_of_ed(&of));
        let third_of_high = from_class("third_of_high", link::third_of(&of, "high"));
        let goes_on = before.fits & before.is_long[1];
        let goes_on = delay(stage, "before_1_goes_on", goes_on, stages.link, stages.near);
        let at_window = |name: &str, signal| delay(stage, name, signal, stages.near, plan.window);
        let open = lead | goes_on | with_ed.before & (second_of_ed | third_of_high);
        let open = at_window("before_open", open);
        let is_high = at_window("before_is_high", with_ed.before & third_of_high);
        let is_second_lead = at_window("before_is_second_lead", with_ed.before & is_ed);
        let kind = at_window("before_kind", kind);
        let no_unit = ends_without_unit(stage, input, plan.window);

        m.stage_section(plan.window, "whether it is cut short before the beat");
        let cut = (open & (lanes[0].output("stops") | no_unit)).named("is_cut_before");
        let kinds = Kinds::new(m, &shape.layout);
        let refused = (lanes[0].output("trailing") & !is_second_lead).named("first_is_refused");
        let kind = refused.mux(kind, kinds.code(ErrorKind::Truncated));
        let kind = is_high.mux(kinds.code(ErrorKind::Surrogate), kind);
        let kind = delay(stage, "first_kind", kind, plan.window, plan.sums);
        let error = shape.layout.error_data(m, kind);
        First {
            ends: delay(stage, "first_ends", cut, plan.window, plan.ends),
            slot: shape.layout.slot(m, SlotTag { error: Some(m.lit(1, 1)), part: None }, error),
        }
    }

    /// Connects the lanes among each other.
    fn connect<'m>(
        &self,
        m: &'m Builder,
        lanes: &[InstanceHandle<'m>],
        before: &Before<'m>,
        with_ed: &Carried<'m>,
    ) {
        for (index, &lane) in lanes.iter().enumerate() {
            // Of the octet so many before this one: what its lane says, or what stands for it before the beat.
            let of = |back: usize, port: &str, before: &dyn Fn(usize) -> Signal<'m>| match back
                .checked_sub(index + 1)
            {
                None => lanes[index - back].output(port),
                Some(further) => before(further),
            };
            for (back, name) in lane::classes_asked_for(&self.shape) {
                let class = |further: usize| before.classes[further].output(name);
                lane.input(&format!("{name}_{back}"), of(back, &format!("{name}_now"), &class));
            }
            lane.input("fits_1", of(1, "fits", &|_| before.fits));
            for back in [1, 2] {
                lane.input(
                    &format!("is_long_{back}"),
                    of(back, "is_long", &|further| before.is_long[further]),
                );
            }
            lane.input("goes_on_with_ed", with_ed.behind[index]);
            for (back, bits) in (1..).zip(BITS) {
                let bits_before = of(back, "bits", &|further| before.bits[further]);
                lane.input(&format!("bits_{back}"), bits_before.bits(0..bits));
            }
            if !self.shape.drops {
                let next = |name: &str| lanes.get(index + 1).map_or(m.lit(1, 0), |next| next.output(name));
                lane.input("next_stops", next("stops")).input("next_trailing", next("trailing"));
            }
        }
    }
}
