//! Decoders of several lanes for the systems whose lead units tell the length.
//!
//! Every slot belongs to the *last* unit of what it stands for, so a unit ends one slot at most, and a window of the longest
//! sequence decides whether it does: no lane has to know what became of the lane before it.

mod before;
mod halves;
mod lane;
mod long;
mod offset;
mod pairs;
mod shape;
mod table;
mod unit;
mod value;
mod window;

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
use super::utf_inf_8::{Beat, Standing, Tails};
use crate::core::many_lanes::logic::{any_of, masked};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::UnitsIn;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, InstanceHandle, Module, Signal};
use before::Before;
use shape::{STAGES_OF_OFFSETS, Shape};
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
    /// The decoder of a system that is its leads, and where `has_offsets` says so, an offset for each length.
    pub(super) fn new(
        leads: Leads,
        on_error: ErrorMode,
        has_offsets: bool,
        lanes: usize,
        build: Build,
    ) -> Self {
        Self::of_shape(Shape::new(leads, on_error, has_offsets, build.placement, None), lanes, build)
    }

    /// The decoder of UTF-∞-8 with code points of up to `digits` digits: the leads are those of its short forms.
    pub(super) fn with_tails(
        leads: Leads,
        digits: u64,
        on_error: ErrorMode,
        lanes: usize,
        build: Build,
    ) -> Self {
        let tails = Tails::new(digits, on_error == ErrorMode::Drop, lanes);
        Self::of_shape(Shape::new(leads, on_error, false, build.placement, Some(tails)), lanes, build)
    }

    fn of_shape(shape: Shape, lanes: usize, build: Build) -> Self {
        let plan = Plan::new(lanes, build, stages(&shape, lanes));
        let unit = unit::unit(&shape);
        let lane = lane::lane(&shape, &plan, &unit);
        Self { shape, unit, lane, plan }
    }
}

/// The stages up to the one where it is known which units end a slot.
fn stages(shape: &Shape, lanes: usize) -> plan::Front {
    let history = if shape.has_sequences() { plan::history(lanes) } else { 1 };
    // How units stand behind FF takes longer than how they stand in a window.
    let class = shape.tails.as_ref().map_or(history + 1, |tails| tails.standing() - 1);
    // The units beside each other are compared in a stage of their own.
    let near = if shape.has_runs() { scan::stages(lanes) } else { u32::from(shape.has_sequences()) };
    let window = class + 1 + near;
    let ends = window + u32::from(shape.has_cuts());
    let ready = ends + if shape.has_offsets { STAGES_OF_OFFSETS } else { 0 };
    let farthest = shape.most_gaps(lanes - 1) + usize::from(shape.has_cuts());
    plan::Front { history, class, window, ends, ready, places: lanes, farthest }
}

/// The name of the signal that a unit is the first trailing unit of a sequence with so many at least.
fn first_of(least: usize) -> String {
    if least == 1 { "fits".to_owned() } else { format!("first_of_{least}") }
}

impl Front for Prefix {
    fn stages(&self) -> plan::Front {
        stages(&self.shape, self.plan.lanes)
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
        m.stage_section(1, "the beat");
        let valid = delay_flag(stage, "beat_valid", input.tvalid, 0, 1);
        let last = delay(stage, "last", input.tlast, 0, 1);
        let lanes = lanes(m, &self.lane, "unit", input, pipeline);
        let outputs = |name: &str| lanes.iter().map(|lane| lane.output(name)).collect::<Vec<_>>();
        let units = self.units_before(m, input, &lanes, pipeline);
        let before = self.before(m, &units, valid, pipeline);
        let standing = shape.tails.as_ref().map(|tails| {
            let beat = Beat {
                input,
                units: outputs("unit_1"),
                valids: outputs("unit_valid_1"),
                before: &units,
                valid,
                last,
            };
            tails.decode(m, beat, &Kinds::new(m, &shape.layout), pipeline)
        });
        let runs = shape.has_runs().then(|| self.runs(m, &lanes, last, valid, pipeline));
        let in_run = runs.as_ref().map(|runs| runs.before);
        let first = shape
            .has_cuts()
            .then(|| self.first(m, input, &lanes, &before, in_run, standing.as_ref(), pipeline));
        if shape.has_cuts() {
            connect_is_last(input, &lanes);
        }
        self.connect(m, &lanes, &before, runs.as_ref());
        if let Some(standing) = &standing {
            connect_tails(m, &lanes, standing);
        }
        m.stage_section(plan.ends, "which units end a slot");
        Places {
            first,
            ends: outputs("ends"),
            slots: outputs("slot"),
            last: delay(stage, "last", last, 1, plan.ends),
            valid: delay_flag(stage, "beat_valid", valid, 1, plan.ends),
        }
    }
}

impl Prefix {
    /// The units before the beat, the nearest first, as of stage `plan.history`.
    fn units_before<'m>(
        &self,
        m: &'m Builder,
        input: &UnitsIn<'m>,
        lanes: &[InstanceHandle<'m>],
        pipeline: &Pipeline<'m>,
    ) -> Vec<Signal<'m>> {
        let Self { shape, plan, .. } = self;
        if !shape.has_sequences() {
            return Vec::new();
        }
        let units: Vec<Signal> = lanes.iter().map(|lane| lane.output("unit_1")).collect();
        let widths = vec![shape.leads.forms.unit_bits; shape.units_before()];
        history(m, input, &units, &widths, plan.history, pipeline.stage())
    }

    /// What these units are.
    fn before<'m>(
        &'m self,
        m: &'m Builder,
        units: &[Signal<'m>],
        valid: Signal<'m>,
        pipeline: &Pipeline<'m>,
    ) -> Vec<Before<'m>> {
        let Self { shape, plan, .. } = self;
        if !shape.has_sequences() {
            return Vec::new();
        }
        let stage = pipeline.stage();
        let later = |(back, &unit): (usize, &Signal<'m>)| {
            delay(stage, &format!("before_{back}"), unit, plan.history, plan.class - 1)
        };
        let units: Vec<Signal> = (1..).zip(units).map(later).collect();
        // Without a beat nobody asks.
        let there = delay_flag(stage, "before_valid", valid, 1, plan.class - 1);
        let class = |(back, &unit): (usize, &Signal<'m>)| {
            Class::new(m, &format!("before_{back}_class"), &self.unit, stage, unit, there)
        };
        let of_windows = units.len().min(shape.units_before_windows());
        let classes: Vec<Class> = (1..).zip(&units[..of_windows]).map(class).collect();
        m.stage_section(plan.class, "what the units before the beat are");
        (0..units.len())
            .map(|index| {
                Before::new(
                    m,
                    shape,
                    plan,
                    stage,
                    index + 1,
                    units[index],
                    classes.get(index).copied(),
                    classes.get(index + 1).copied(),
                )
            })
            .collect()
    }

    /// Which units are in runs that are one error.
    fn runs<'m>(
        &self,
        m: &'m Builder,
        lanes: &[InstanceHandle<'m>],
        last: Signal<'m>,
        valid: Signal<'m>,
        pipeline: &Pipeline<'m>,
    ) -> Carried<'m> {
        let stage = pipeline.stage();
        let at = self.plan.class;
        let outputs = |name: &str| lanes.iter().map(|lane| lane.output(name)).collect::<Vec<_>>();
        let unit_valid = outputs("unit_valid_1");
        let hands_on =
            (0..).zip(outputs("trailing_at_class")).zip(unit_valid).map(|((lane, trailing), valid)| {
                trailing | !delay(stage, &format!("unit_valid_{lane}"), valid, 1, at)
            });
        let carries = Carries {
            sets: outputs("opener"),
            hands_on: hands_on.collect(),
            invert: false,
            valid: delay_flag(stage, "runs_valid", valid, 1, at),
            last: delay(stage, "runs_last", last, 1, at),
        };
        look_ahead(m, "run", carries, at, pipeline)
    }

    /// The slot that stands before those of the lanes: of a sequence that the beat cuts short before its first unit, or a head or
    /// limb that its first unit makes certain.
    #[allow(clippy::too_many_arguments)]
    fn first<'m>(
        &self,
        m: &'m Builder,
        input: &UnitsIn<'m>,
        lanes: &[InstanceHandle<'m>],
        before: &[Before<'m>],
        in_run: Option<Signal<'m>>,
        standing: Option<&Standing<'m>>,
        pipeline: &Pipeline<'m>,
    ) -> First<'m> {
        let Self { shape, plan, .. } = self;
        let stage = pipeline.stage();
        m.stage_section(plan.window - 1, "the sequence that the beats before left open");
        let (nearest, further) = before.split_first().expect("there are sequences");
        let near = (shape.longest > 1).then(|| Near {
            trailing: nearest.near("trailing"),
            trailing_before: further[..shape.longest.saturating_sub(3)]
                .iter()
                .map(|unit| unit.near("trailing"))
                .collect(),
            // Where errors are dropped, nothing but heads is asked for.
            first_of: (1..shape.longest)
                .map(|n| {
                    before[n - 1].near(&if shape.drops && n == 1 { "head".to_owned() } else { first_of(n) })
                })
                .collect(),
            first_of_more: (1..shape.longest).map(|n| before[n - 1].near(&first_of(n + 1))).collect(),
        });
        let open = if shape.drops {
            let near = near.expect("limbs take more units than one");
            let told =
                |n: usize| near.is_nth_behind(n, before[n - 1].near("head")) & near.first_of_more[n - 1];
            let told = any_of((1..shape.longest).map(told)).expect("some sequence has limbs");
            standing.map_or(told, |standing| told | standing.open_before)
        } else {
            let lead = nearest.near("lead");
            let open = near.and_then(|near| Window::new(&near).is_open()).map_or(lead, |open| lead | open);
            let open = in_run.map_or(open, |in_run| open | in_run);
            standing.map_or(open, |standing| open | standing.open_before)
        };
        let is_tail = standing
            .map(|tails| delay(stage, "before_is_tail", tails.open_before, plan.window - 1, plan.window));
        let is_run = in_run.map(|in_run| delay(stage, "before_is_run", in_run, plan.window - 1, plan.window));
        let open = delay(stage, "before_open", open, plan.window - 1, plan.window);
        let no_unit = ends_without_unit(stage, input, plan.window);

        m.stage_section(plan.window, "whether it is cut short before the beat");
        let cut = (open & (lanes[0].output("stops") | no_unit)).named("is_cut_before");
        let kinds = Kinds::new(m, &shape.layout);
        let truncated = kinds.code(ErrorKind::Truncated);
        let broken = is_tail.map(|is_tail| (is_tail, lanes[0].output("breach_kind")));
        let kind = if shape.drops {
            let kind = broken.map(|(is_tail, kind)| {
                let broken = is_tail & lanes[0].output("trailing");
                delay(stage, "first_kind", broken.mux(kind, truncated), plan.window, plan.sums)
            });
            kind.unwrap_or(truncated)
        } else {
            let kind = delay(stage, "before_kind", nearest.class().kind(), plan.class, plan.window);
            let kind = broken.map_or(kind, |(is_tail, broken)| is_tail.mux(broken, kind));
            let kind = lanes[0].output("trailing").mux(kind, truncated);
            let of_run = |is_run: Signal<'m>| is_run.mux(kinds.code(shape.leads.kind_of_neither()), kind);
            let kind = is_run.map_or(kind, of_run);
            delay(stage, "first_kind", kind, plan.window, plan.sums)
        };
        let error = shape.layout.error_data(m, kind);
        let slot = |error_tag: Signal<'m>, part: Option<Signal<'m>>| {
            shape.layout.slot(m, SlotTag { error: Some(error_tag), part }, error)
        };
        if shape.limbs().is_none() {
            let ends = delay(stage, "first_ends", cut, plan.window, plan.ends);
            return First { ends, slot: slot(m.lit(1, 1), None) };
        }
        let ends = cut | lanes[0].output("makes_part");
        let is_cut = delay(stage, "first_is_cut", cut, plan.window, plan.sums);
        let error = masked(slot(m.lit(1, 1), Some(m.lit(1, 0))), is_cut);
        First {
            ends: delay(stage, "first_ends", ends, plan.window, plan.ends),
            slot: error | lanes[0].output("part"),
        }
    }

    /// Connects the lanes among each other.
    fn connect<'m>(
        &self,
        m: &'m Builder,
        lanes: &[InstanceHandle<'m>],
        before: &[Before<'m>],
        runs: Option<&Carried<'m>>,
    ) {
        let shape = &self.shape;
        if !shape.has_sequences() {
            return;
        }
        let longest = shape.longest;
        for (index, &lane) in lanes.iter().enumerate() {
            // Of the unit so many before this one: an output of its lane, or what stands for it before the beat.
            let of = |back: usize, port: &str, name: &str| match back.checked_sub(index + 1) {
                None => lanes[index - back].output(port),
                Some(further) => before[further].near(name),
            };
            let same = |back: usize, name: &str| of(back, &format!("{name}_now"), name);
            let packed = |signals: Vec<Signal<'m>>| m.concat(signals.into_iter().rev());
            lane.input("accepts_1", of(1, "accepts", "accepts"));
            for back in (1..=shape.units_before()).filter(|&back| shape.bits_of_unit(back) > 0) {
                let bits = match back.checked_sub(index + 1) {
                    None => lanes[index - back].output("bits"),
                    Some(further) => before[further].bits(),
                };
                lane.input(&format!("bits_{back}"), bits.bits(0..shape.bits_of_unit(back)));
            }
            for least in 2..=longest {
                let name = format!("longer_{least}");
                lane.input(&format!("{name}_1"), of(1, &name, &name));
            }
            if longest > 1 {
                let first = |back: usize, least: usize| same(back, &first_of(least));
                lane.input("first_before", packed((1..longest).map(|back| first(back, back + 1)).collect()));
            }
            if longest > 2 {
                let more = (1..longest - 1).map(|back| same(back, &first_of(back + 2)));
                lane.input("first_of_more_before", packed(more.collect()));
            }
            if longest > 2 {
                lane.input(
                    "trailing_before",
                    packed((1..longest - 1).map(|back| same(back, "trailing")).collect()),
                );
            }
            if shape.has_pairs() {
                lane.input("lead_ed_1", of(1, "lead_ed", "lead_ed"));
                for (back, name) in [(1, "second_of_low"), (3, "trailing"), (4, "second_of_high")] {
                    lane.input(&format!("{name}_{back}"), same(back, name));
                }
            }
            if shape.has_cuts() {
                let next = |name: &str| lanes.get(index + 1).map_or(m.lit(1, 0), |next| next.output(name));
                lane.input("next_stops", next("stops"));
                if shape.tells_kinds() {
                    lane.input("next_trailing", next("trailing"));
                }
            }
            if let Some(runs) = runs {
                let before = index.checked_sub(1).map_or(runs.before, |before| runs.behind[before]);
                lane.input("in_run", runs.behind[index]).input("before_in_run", before);
            }
            if shape.limbs().is_some() {
                lane.input("longs_1", of(1, "longs", "longs"));
                if shape.has_third_limbs() {
                    lane.input("thirds_1", of(1, "thirds", "thirds"))
                        .input("third_1", of(1, "third_now", "has_third"));
                }
                for due in shape.limbs_due() {
                    lane.input(&format!("limb_{due}_before"), same(due.max(2), &format!("limb_{due}")));
                }
                for n in shape.told_at().into_iter().filter(|&n| n > 1) {
                    lane.input(&format!("head_{}", n - 1), same(n - 1, "head"));
                }
                let next = lanes.get(index + 1);
                lane.input("next_makes_part", next.map_or(m.lit(1, 0), |next| next.output("makes_part")));
                let none = || m.lit(shape.layout.width(), 0);
                lane.input("next_part", next.map_or_else(none, |next| next.output("part")));
            }
        }
    }
}

/// Connects how units stand in sequences behind FF.
fn connect_tails<'m>(m: &'m Builder, lanes: &[InstanceHandle<'m>], standing: &Standing<'m>) {
    for (index, lane) in lanes.iter().enumerate() {
        for (name, signals) in standing.ports() {
            lane.input(&format!("tail_{name}"), signals[index]);
        }
        let next = lanes.get(index + 1).map(|next| next.output("breach_kind"));
        let kind = standing.kind[index];
        lane.input("next_breach_kind", next.unwrap_or_else(|| m.lit(kind.width(), 0)));
    }
}
