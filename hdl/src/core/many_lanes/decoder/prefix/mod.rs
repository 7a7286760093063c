//! Decoders of several lanes for the systems whose lead units tell the length.
//!
//! Every slot belongs to the *last* unit of what it stands for, so a unit ends one slot at most, and a window of the longest
//! sequence decides whether it does: no lane has to know what became of the lane before it.

mod lane;
mod shape;
mod table;
mod unit;
mod value;
mod window;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::history::{Beat, history};
use super::pipeline::{Pipeline, delay, delay_flag};
use super::places::{First, Places};
use super::plan::Plan;
use super::slot::{Kinds, Layout};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::UnitsIn;
use crate::core::shared::units::payload;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, InstanceHandle, Module, Signal};
use shape::Shape;
use unit::Class;
use window::{Near, Window};

/// The decoder of a prefix system, up to the slots that its units end.
pub(super) struct Prefix {
    shape: Shape,
    unit: Arc<Module>,
    lane: Arc<Module>,
    plan: Plan,
}

impl Prefix {
    pub(super) fn new(leads: Leads, on_error: ErrorMode, lanes: usize) -> Self {
        let shape = Shape::new(leads, on_error);
        let plan = Plan::new(lanes, shape.has_sequences(), shape.has_cuts());
        let unit = unit::unit(&shape);
        let lane = lane::lane(&shape, &plan, &unit);
        Self { shape, unit, lane, plan }
    }

    pub(super) fn plan(&self) -> Plan {
        self.plan
    }

    /// How the slots are laid out.
    pub(super) fn layout(&self) -> &Layout {
        &self.shape.layout
    }

    /// Of so many units one behind the other, how many end no slot at most.
    pub(super) fn most_gaps(&self, units: usize) -> usize {
        self.shape.most_gaps(units)
    }

    /// The stages up to the slots, each still in the lane of the unit that ends it.
    pub(super) fn decode<'m>(&self, m: &'m Builder, input: &UnitsIn<'m>, pipeline: &Pipeline<'m>) -> Places<'m> {
        let Self { shape, plan, .. } = self;
        let stage = pipeline.stage();
        let bits = shape.leads.forms.unit_bits;
        m.section("Stage 1: the beat");
        let valid = delay_flag(stage, "beat_valid", input.tvalid, 0, 1);
        let last = delay(stage, "last", input.tlast, 0, 1);
        let lanes: Vec<InstanceHandle> = (0..plan.lanes as u32)
            .map(|lane| {
                let instance = m.instance(&format!("lane_{lane}"), &self.lane).input("advance", stage.enable);
                let unit = input.tdata.bits(lane * bits..(lane + 1) * bits);
                instance.input("unit", unit).input("unit_valid", input.tkeep.bit(lane))
            })
            .collect();
        let outputs = |name: &str| lanes.iter().map(|lane| lane.output(name)).collect::<Vec<_>>();
        let before = self.before(m, &lanes, last, valid, pipeline);
        let first = shape.has_cuts().then(|| self.cut_by_beat(m, &lanes, &before, last, pipeline));
        self.connect(m, &lanes, &before, last);
        m.section(format!("Stage {}: which units end a slot", plan.ends));
        Places {
            first,
            ends: outputs("ends"),
            slots: outputs("slot"),
            last: delay(stage, "last", last, 1, plan.ends),
            valid: delay_flag(stage, "beat_valid", valid, 1, plan.ends),
        }
    }

    /// The units before the beat, the nearest first.
    fn before<'m>(
        &self,
        m: &'m Builder,
        lanes: &[InstanceHandle<'m>],
        last: Signal<'m>,
        valid: Signal<'m>,
        pipeline: &Pipeline<'m>,
    ) -> Vec<Before<'m>> {
        let Self { shape, plan, .. } = self;
        if !shape.has_sequences() {
            return Vec::new();
        }
        let stage = pipeline.stage();
        let outputs = |name: &str| lanes.iter().map(|lane| lane.output(name)).collect::<Vec<_>>();
        let beat = Beat { units: outputs("unit_1"), unit_valid: outputs("unit_valid_1"), last, valid };
        let units = history(m, &beat, shape.longest, plan, pipeline);
        let there = m.lit(1, 1);
        let classes: Vec<Class> = (1..)
            .zip(&units)
            .map(|(back, &unit)| Class::new(m, &format!("before_{back}_class"), &self.unit, stage, unit, there))
            .collect();
        m.section(format!("Stage {}: what the units before the beat are", plan.class));
        let near_at = plan.window - 1;
        let before = |(index, class): (usize, &Class<'m>)| {
            let name = |part: &str| format!("before_{}_{part}", index + 1);
            let fits = classes.get(index + 1).map(|lead| {
                let fits = (class.region(shape) & lead.accepts(shape)).any().named(&name("fits"));
                delay(stage, &name("fits"), fits, plan.class, near_at)
            });
            let is_between = index + 2 < shape.longest;
            // A sequence that only reaches up to the beat matters where the beat can cut it.
            let shortest = if shape.has_cuts() { index } else { index + 1 };
            let longer = |least: usize| {
                delay(stage, &name(&format!("longer_{least}")), class.longer(least), plan.class, near_at)
            };
            let bits = shape.bits_of_unit(index + 1);
            Before {
                class: *class,
                fits,
                trailing: is_between.then(|| delay(stage, &name("trailing"), class.trailing(), plan.class, near_at)),
                longer: (shortest.max(2)..=shape.longest).map(|least| (least, longer(least))).collect(),
                bits: (bits > 0).then(|| {
                    let payload = payload(m, &shape.leads, units[index]).expect("a unit of a sequence");
                    delay(stage, &name("bits"), payload.bits(0..bits), plan.class - 1, plan.sums)
                }),
            }
        };
        classes.iter().enumerate().map(before).collect()
    }

    /// The slot of a sequence that the beat cuts short before its first unit.
    fn cut_by_beat<'m>(
        &self,
        m: &'m Builder,
        lanes: &[InstanceHandle<'m>],
        before: &[Before<'m>],
        last: Signal<'m>,
        pipeline: &Pipeline<'m>,
    ) -> First<'m> {
        let Self { shape, plan, .. } = self;
        let stage = pipeline.stage();
        m.section(format!("Stage {}: the sequence that the beats before left open", plan.window));
        let [nearest, further @ ..] = before else { unreachable!("there are sequences") };
        let lead = delay(stage, "before_1_lead", nearest.class.lead(), plan.class, plan.window - 1);
        let open = if further.is_empty() {
            lead
        } else {
            let near = Near {
                trailing: nearest.trailing.expect("it may stand between others"),
                fits: before.iter().filter_map(|unit| unit.fits).collect(),
                trailing_before: further.iter().filter_map(|unit| unit.trailing).collect(),
                asks: (2..).zip(&further[1..]).map(|(n, unit)| unit.asks_for(n)).collect(),
                asks_more: (1..).zip(further).map(|(n, unit)| unit.asks_for(n + 1)).collect(),
            };
            Window::new(&near).is_open().map_or(lead, |open| lead | open)
        };
        let open = delay(stage, "before_open", open, plan.window - 1, plan.window);
        let no_unit = (last & !lanes[0].output("unit_valid_1")).named("ends_without_unit");
        let no_unit = delay(stage, "ends_without_unit", no_unit, 1, plan.window);
        let cut = open & (lanes[0].output("stops") | no_unit);
        let kind = delay(stage, "before_kind", nearest.class.kind(), plan.class, plan.window);
        let truncated = Kinds::new(m, &shape.layout).code(ErrorKind::Truncated);
        let kind = lanes[0].output("trailing").mux(kind, truncated);
        First {
            ends: delay(stage, "first_ends", cut, plan.window, plan.ends),
            slot: shape.layout.error(m, delay(stage, "first_kind", kind, plan.window, plan.sums)),
        }
    }

    /// Connects the lanes among each other.
    fn connect<'m>(&self, m: &'m Builder, lanes: &[InstanceHandle<'m>], before: &[Before<'m>], last: Signal<'m>) {
        let shape = &self.shape;
        if !shape.has_sequences() {
            return;
        }
        let longest = shape.longest;
        for (index, &lane) in lanes.iter().enumerate() {
            // The n-th unit before this one: an output of its lane, or what stands for it before the beat.
            let output = |name: &str, back: usize, other: &dyn Fn(&Before<'m>) -> Option<Signal<'m>>| {
                if back <= index {
                    lanes[index - back].output(name)
                } else {
                    other(&before[back - index - 1]).expect("a unit before the beat has what is asked of it")
                }
            };
            let packed = |signals: Vec<Signal<'m>>| m.concat(signals.into_iter().rev());
            lane.input("accepts_1", output("accepts", 1, &|unit| Some(unit.class.accepts(shape))));
            for back in 1..=longest {
                let bits = shape.bits_of_unit(back);
                if bits > 0 {
                    let of_unit = output("bits", back, &|unit| unit.bits);
                    lane.input(&format!("bits_{back}"), of_unit.bits(0..bits));
                }
            }
            if longest > 1 {
                let longer = |back: usize, least: usize| {
                    output(&format!("longer_{least}_now"), back, &|unit| unit.longer.get(&least).copied())
                };
                lane.input("fits_before", packed((1..longest).map(|back| output("fits_now", back, &|unit| unit.fits)).collect()));
                lane.input("asks", packed((2..=longest).map(|back| longer(back, back)).collect()));
                lane.input("asks_more", packed((1..longest).map(|back| longer(back, back + 1)).collect()));
            }
            if longest > 2 {
                let trailing = (1..longest - 1).map(|back| output("trailing_now", back, &|unit| unit.trailing));
                lane.input("trailing_before", packed(trailing.collect()));
            }
            if shape.has_cuts() {
                let next = |name: &str| lanes.get(index + 1).map_or(m.lit(1, 0), |next| next.output(name));
                lane.input("next_unit_valid_1", next("unit_valid_1")).input("frame_ends_1", last);
                lane.input("next_stops", next("stops")).input("next_trailing", next("trailing"));
            }
        }
    }
}

/// A unit before the beat.
struct Before<'m> {
    class: Class<'m>,
    /// It is a trailing unit that the lead before it accepts.
    fits: Option<Signal<'m>>,
    trailing: Option<Signal<'m>>,
    /// If it is a lead: it asks for at least so many trailing units.
    longer: BTreeMap<usize, Signal<'m>>,
    /// Its bits that may be part of a slot, when slots are made.
    bits: Option<Signal<'m>>,
}

impl<'m> Before<'m> {
    /// If it is a lead, it asks for so many trailing units, 2 at least.
    fn asks_for(&self, trailing: usize) -> Signal<'m> {
        self.longer[&trailing]
    }
}
