//! Code points of two or three limbs: the lane of the last limb writes them, with the bits of the limb before it.
//!
//! The slots directly before the last limb of such a code point are a head that announces the number of limbs, and a first limb that leaves the
//! code point in the system. So no limbs are counted, and each lane needs its neighbour only. Registers keep the last slot of earlier beats
//! for the first lanes.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::lane::Lane;
use super::movement::Movement;
use super::plan::{Plan, levels};
use super::shape::Shape;
use crate::core::lanes::At;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, InstanceHandle, Reg, Signal};

/// The groups of limbs that are code points of the system, by the number of limbs.
fn groups_of(shape: &dyn Shape) -> std::ops::RangeInclusive<usize> {
    2..=shape.code_bits().div_ceil(SLOT_DATA_BITS) as usize
}

/// Bits of a limb that is not the last which a lane takes over: the middle one of three has all.
fn bits_before_last(shape: &dyn Shape) -> u32 {
    (shape.code_bits() - SLOT_DATA_BITS).min(SLOT_DATA_BITS)
}

/// The numbers of units that a code point of two limbs is more than if its first limb says so.
fn told_by_limb(shape: &dyn Shape) -> impl Iterator<Item = usize> {
    shape.fewest_units_of_limbs()..shape.most_units()
}

/// The name of what slot `number` of a group of `limbs` limbs is, 0 for the head.
fn name_of(number: usize, limbs: usize) -> String {
    match number {
        0 => format!("is_head_of_{limbs}"),
        _ => format!("is_limb_{number}_of_{limbs}"),
    }
}

/// The kind of a slot that is a head or a limb, in stage 1.
pub(super) struct Marks<'m> {
    is_limb: Signal<'m>,
    /// For each number of limbs: the slot is the head; the slot, as the first limb, leaves the code point in the system.
    of_groups: Vec<[Signal<'m>; 2]>,
    /// The slot, as the first of two limbs, makes the code point longer than `.0` units.
    longer: Vec<(usize, Signal<'m>)>,
}

impl<'m> Marks<'m> {
    /// Looks at the `tdata` of a slot, which is also there as of stage 1. `is_limb` and `is_head` are as of that stage.
    pub(super) fn new(
        lane: &Lane<'m>,
        shape: &dyn Shape,
        [data, at_1]: [Signal<'m>; 2],
        [is_limb, is_head]: [Signal<'m>; 2],
    ) -> Self {
        let test = |name: &str, test| lane.delay(name, test, 0, 1);
        let is_above_3 = test("is_above_3", data.bits(2..SLOT_DATA_BITS).any());
        let low = at_1.bits(0..2);
        let is = |number: u64| !is_above_3 & low.is(number);
        let of_group = |limbs: usize| {
            let room = shape.code_bits() - SLOT_DATA_BITS * (limbs as u32 - 1);
            let fits = match room {
                1 => is(1),
                _ => {
                    let is_some = (is_above_3 | low.any()).named("is_not_zero");
                    let past = (room < SLOT_DATA_BITS)
                        .then(|| test("is_past_room", data.bits(room..SLOT_DATA_BITS).any()));
                    past.map_or(is_some, |past| is_some & !past)
                }
            };
            [is_head & is(limbs as u64), is_limb & fits]
        };
        let longer = told_by_limb(shape).map(|units| {
            (units, test(&format!("limb_longer_than_{units}"), shape.is_longer_by_limb(data, units)))
        });
        Self { is_limb, of_groups: groups_of(shape).map(of_group).collect(), longer: longer.collect() }
    }

    /// Declares what [`join`] asks of a lane in stage 1, and says whether the slot may belong to a code point. Where limbs
    /// are counted, too, the lane tells its limbs and slots anyway.
    pub(super) fn output(&self, m: &'m Builder, plan: &Plan, kept: Signal<'m>) -> Signal<'m> {
        if !plan.has_groups() {
            m.output("is_kept", kept, "there is a slot");
            m.output("is_limb", self.is_limb, "a limb");
        }
        let mut of_code_point = self.is_limb;
        for (&[is_head, is_first], limbs) in self.of_groups.iter().zip(2..) {
            let is_head = is_head.named(&format!("opens_group_of_{limbs}"));
            of_code_point = of_code_point | is_head;
            m.output(&name_of(0, limbs), is_head, &format!("a head of {limbs} limbs"));
            let what = format!("a limb that can be the first of {limbs}");
            m.output(&format!("fits_first_of_{limbs}"), is_first, &what);
        }
        of_code_point
    }

    /// Joins the limbs of code points. `code` is the `tdata` of the slot, `longer` the length of its own code point. Gives the bits above those
    /// of a slot, and the length, in stage `plan.groups`.
    pub(super) fn joined(
        self,
        m: &'m Builder,
        lane: &Lane<'m>,
        shape: &dyn Shape,
        plan: &Plan,
        code: At<'m>,
        longer: &[At<'m>],
    ) -> (Option<At<'m>>, Vec<At<'m>>) {
        let bits = bits_before_last(shape);
        let test = |&(units, test): &(usize, Signal<'m>)| {
            (units, lane.at(test, 1).called(&format!("limb_longer_than_{units}")))
        };
        let tests: Vec<(usize, At)> = self.longer.iter().map(test).collect();
        for to in [plan.class, plan.heads] {
            m.port_group(format!("Stage {to}"));
            let limb = code.at(to).signal().bits(0..bits);
            m.output(&format!("limb_{to}"), limb, "bits for the lane of the next limb");
            for (units, test) in &tests {
                let name = format!("limb_longer_than_{units}_{to}");
                m.output(&name, test.at(to).signal(), "that limb writes more units, if it is the second");
            }
        }
        let at_heads = |signal| lane.at(signal, plan.heads);
        let before = at_heads(m.input("limb_before", bits, "the bits of the slot before this"));
        let is_whole = at_heads(m.input("is_whole", 1, "the slot is the last limb of a code point"));
        let is_longest = (groups_of(shape).count() > 1)
            .then(|| at_heads(m.input("is_whole_of_3", 1, "which is one of three limbs")));
        m.stage_section(plan.heads, "code points of several limbs");
        let more = |units: usize| {
            let of_limbs = match tests.iter().any(|&(number, _)| number == units) {
                false => is_whole,
                true => {
                    let name = format!("before_longer_than_{units}");
                    let longer = m.input(&name, 1, "the slot before this, as a first limb, says more units");
                    let of_two = is_whole & at_heads(longer);
                    is_longest.map_or(of_two, |is_longest| of_two | is_longest)
                }
            };
            let own = longer.get(units).map(|&own| own | of_limbs);
            own.unwrap_or(of_limbs).called(&format!("longer_than_{units}")).at(plan.groups)
        };
        let longer = (0..plan.most_units).map(more).collect();
        let upper = before.masked(is_whole);
        let upper = is_longest.map_or(upper, |is_longest| At::concat([is_longest, upper]));
        (Some(upper.called("upper").at(plan.groups)), longer)
    }
}

/// The code points of several limbs of a beat, in stage `plan.groups`.
pub(super) struct Joined<'m> {
    /// The slot is the last limb of a code point.
    pub(super) whole: Vec<Signal<'m>>,
    /// The slot is a limb of no code point, or cuts one; and last, the end of the frame does. Empty where limbs are counted.
    pub(super) broken: Vec<Signal<'m>>,
}

/// The beat, as it goes from stage `plan.class` to `plan.heads`.
struct Beat<'a, 'm> {
    plan: &'a Plan,
    movement: &'a Movement<'m>,
    kept: Vec<Signal<'m>>,
    limb: Vec<Signal<'m>>,
    /// Signals of stage `plan.heads` that have been made, by name.
    late: RefCell<BTreeMap<String, Signal<'m>>>,
}

impl<'m> Beat<'_, 'm> {
    /// A signal of a lane, delayed from stage `plan.class` to `plan.heads`.
    fn delayed(&self, name: &str, lane: usize, signal: Signal<'m>) -> Signal<'m> {
        let name = format!("{name}_{lane}");
        let delay = || self.movement.delay_at(lane, &name, signal, self.plan.class, self.plan.heads);
        self.named_once(format!("{name}_{}", self.plan.heads), delay)
    }

    fn named_once(&self, name: String, make: impl FnOnce() -> Signal<'m>) -> Signal<'m> {
        if let Some(&made) = self.late.borrow().get(&name) {
            return made;
        }
        let made = make();
        self.late.borrow_mut().insert(name, made);
        made
    }
}

/// The slots of code points of `limbs` limbs. The head is number 0. A slot is number n if the slot before it is number n - 1 and the slot meets
/// the condition of its number.
struct Chain<'m> {
    limbs: usize,
    /// The condition on the slot of a lane, by its number in the group; stage `plan.class`.
    asked: Vec<Vec<Signal<'m>>>,
    /// The slot of a lane has the number, as of that stage; `None` in the first lanes, where that depends on slots before the beat.
    is: Vec<Vec<Option<Signal<'m>>>>,
    /// The last slot before the beat has the number, as of stage `plan.heads`.
    before: Vec<Reg<'m>>,
}

impl<'m> Chain<'m> {
    fn new(m: &'m Builder, limbs: usize, asked: Vec<Vec<Signal<'m>>>, plan: &Plan) -> Self {
        let mut is: Vec<Vec<Option<Signal>>> = vec![asked[0].iter().copied().map(Some).collect()];
        for number in 1..=limbs {
            let of_lane = |lane: usize| {
                let before: Signal = is[number - 1][lane.checked_sub(1)?]?;
                let name = format!("{}_{lane}_{}", name_of(number, limbs), plan.class);
                Some((asked[number][lane] & before).named(&name))
            };
            let of_lanes = (0..plan.lanes).map(of_lane).collect();
            is.push(of_lanes);
        }
        let before = (0..limbs).map(|number| {
            let register = m.reg(&format!("before_{}_reg", name_of(number, limbs)), 1);
            register.note("of the last slot before the beat")
        });
        let before = before.collect();
        Self { limbs, asked, is, before }
    }

    /// The slot of the lane has the number, in stage `plan.class`: a lane in which it depends on the beat alone.
    fn early(&self, number: usize, lane: usize) -> Signal<'m> {
        self.is[number][lane].expect("it depends on the beat alone")
    }

    /// The slot of the lane has the number, in stage `plan.heads`: any lane.
    fn late(&self, beat: &Beat<'_, 'm>, number: usize, lane: usize) -> Signal<'m> {
        let name = name_of(number, self.limbs);
        if let Some(early) = self.is[number][lane] {
            return beat.delayed(&name, lane, early);
        }
        let asked_name = match number {
            1 => format!("fits_first_of_{}", self.limbs),
            _ => "slot_is_limb".to_owned(),
        };
        let asked = beat.delayed(&asked_name, lane, self.asked[number][lane]);
        let before = self.late_before(beat, number - 1, lane);
        let name = format!("{name}_{lane}_{}", beat.plan.heads);
        beat.named_once(name.clone(), || (asked & before).named(&name))
    }

    /// The slot before that of the lane has the number.
    fn late_before(&self, beat: &Beat<'_, 'm>, number: usize, lane: usize) -> Signal<'m> {
        lane.checked_sub(1).map_or(self.before[number].q, |lane| self.late(beat, number, lane))
    }
}

/// Connects the lanes, and tells which slots are limbs of code points. `last` says in stage `plan.heads` that the beat ends its frame.
pub(super) fn join<'m>(
    m: &'m Builder,
    lanes: &[InstanceHandle<'m>],
    last: Signal<'m>,
    shape: &dyn Shape,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Joined<'m> {
    m.stage_section(plan.class, "limbs of code points");
    let flags = |name: &str, output: &str| -> Vec<Signal<'m>> {
        let flag = |(lane, handle): (usize, &InstanceHandle<'m>)| {
            let stage = movement.stage_at(plan.class, lane);
            stage.data(&format!("{name}_{lane}_{}_reg", plan.class), handle.output(output))
        };
        lanes.iter().enumerate().map(flag).collect()
    };
    let (kept, limb) = (flags("slot_is_kept", "is_kept"), flags("slot_is_limb", "is_limb"));
    let chain = |limbs: usize| {
        let [head, first] = [name_of(0, limbs), format!("fits_first_of_{limbs}")];
        let mut asked = vec![flags(&head, &head), flags(&first, &first)];
        asked.resize(limbs + 1, limb.clone());
        Chain::new(m, limbs, asked, plan)
    };
    let chains: Vec<Chain> = groups_of(shape).map(chain).collect();
    let beat = Beat { plan, movement, kept, limb, late: RefCell::default() };
    let most_limbs = chains.last().expect("there are groups").limbs;
    let early_broken: Vec<Option<Signal>> =
        (0..plan.lanes).map(|lane| beat.early_broken(&chains, lane)).collect();
    // A slot is the last one of the beat if the next lane holds none.
    let ends = (1..plan.lanes.min(most_limbs)).map(|next| beat.delayed("is_empty", next, !beat.kept[next]));
    let ends: Vec<Signal> = ends.collect();
    let last_slot = last_slot(m, lanes, &chains, &beat, shape);

    m.stage_section(plan.heads, "limbs of code points whose first slots are before the beat");
    let open = beat.follow(&chains, &last_slot, &ends, last);
    let whole: Vec<Signal> =
        (0..plan.lanes).map(|lane| beat.connect(lanes, lane, &chains, &last_slot, shape)).collect();
    let at_groups = |name: &str, lane: usize, signal: Signal<'m>| {
        movement.stage_at(plan.groups, lane).data(&format!("{name}_{lane}_{}_reg", plan.groups), signal)
    };
    if plan.has_groups() {
        let whole = (0..).zip(whole).map(|(lane, whole)| at_groups("is_whole", lane, whole));
        return Joined { whole: whole.collect(), broken: Vec::new() };
    }
    let of_lane = |(lane, early): (usize, Option<Signal<'m>>)| {
        at_groups("is_broken", lane, beat.late_broken(&chains, lane, early))
    };
    let broken = early_broken.into_iter().enumerate().map(of_lane).collect::<Vec<_>>();
    let cut = last & any_of(open).expect("a chain");
    let cut = movement.stage(plan.groups).data("is_cut_by_end_reg", cut);
    Joined { whole: Vec::new(), broken: broken.into_iter().chain([cut]).collect() }
}

impl<'m> Beat<'_, 'm> {
    /// The slot of the lane is broken, in stage `plan.class`: a lane whose groups are all in the beat.
    fn early_broken(&self, chains: &[Chain<'m>], lane: usize) -> Option<Signal<'m>> {
        let most_limbs = chains.last().expect("there are groups").limbs;
        (lane >= most_limbs && !self.plan.has_groups()).then(|| {
            let is = |chain: &Chain<'m>, number: usize| chain.early(number, lane);
            let was = |chain: &Chain<'m>, number: usize| chain.early(number, lane - 1);
            broken(chains, [self.limb[lane], self.kept[lane]], is, was)
        })
    }

    /// The same in stage `plan.heads`, of any lane.
    fn late_broken(&self, chains: &[Chain<'m>], lane: usize, early: Option<Signal<'m>>) -> Signal<'m> {
        if let Some(early) = early {
            return self.delayed("is_broken", lane, early);
        }
        let is = |chain: &Chain<'m>, number: usize| chain.late(self, number, lane);
        let was = |chain: &Chain<'m>, number: usize| chain.late_before(self, number, lane);
        let limb = self.delayed("slot_is_limb", lane, self.limb[lane]);
        let kept = self.delayed("slot_is_kept", lane, self.kept[lane]);
        broken(chains, [limb, kept], is, was)
    }

    /// Keeps the number of the last slot for the next beat. Gives the numbers but the last of each chain, any of which leaves a code point
    /// open. `ends`: the slot of a lane is the last one of the beat.
    fn follow(
        &self,
        chains: &[Chain<'m>],
        last_slot: &LastSlot<'m>,
        ends: &[Signal<'m>],
        last: Signal<'m>,
    ) -> Vec<Signal<'m>> {
        let Self { plan, movement, .. } = *self;
        let goes_on = (!last & !movement.flushes(plan.heads)).named("group_can_go_on");
        let enable = movement.stage(plan.groups).enable;
        let mut open = Vec::new();
        for (chain, of_last) in chains.iter().zip(&last_slot.is) {
            for (number, (register, &of_last)) in chain.before.iter().zip(of_last).enumerate() {
                // In the first lanes the number depends on slots before the beat.
                let here = (0..number.min(plan.lanes)).map(|lane| {
                    let is = chain.late(self, number, lane);
                    ends.get(lane).map_or(is, |&ends| ends & is)
                });
                let here = any_of(here.chain([of_last])).expect("a lane");
                let name = format!("last_{}", name_of(number, chain.limbs));
                let now = last_slot.is_some.mux(here, register.q).named(&name);
                register.next_when(enable, now & goes_on);
                open.push(now);
            }
        }
        open
    }

    /// Connects a lane with the limb before its own. Gives: the slot of the lane is the last limb of a code point.
    fn connect(
        &self,
        lanes: &[InstanceHandle<'m>],
        lane: usize,
        chains: &[Chain<'m>],
        last_slot: &LastSlot<'m>,
        shape: &dyn Shape,
    ) -> Signal<'m> {
        let whole_of = |chain: &Chain<'m>| chain.late(self, chain.limbs, lane);
        let whole = any_of(chains.iter().map(whole_of)).expect("a chain").named(&format!("is_whole_{lane}"));
        let handle = lanes[lane].input("is_whole", whole);
        if let [_, longest] = chains {
            handle.input("is_whole_of_3", whole_of(longest));
        }
        let of_before = |name: &str| match lane {
            0 => last_slot.before[name],
            _ => lanes[lane - 1].output(&format!("{name}_{}", self.plan.heads)),
        };
        handle.input("limb_before", of_before("limb"));
        for units in told_by_limb(shape) {
            let longer = of_before(&format!("limb_longer_than_{units}"));
            handle.input(&format!("before_longer_than_{units}"), longer);
        }
        whole
    }
}

/// The slot is a `limb` of no code point, or is `kept` and cuts one. `is`: the slot has a number in a chain. `was`: the slot before it has.
fn broken<'m>(
    chains: &[Chain<'m>],
    [limb, kept]: [Signal<'m>; 2],
    is: impl Fn(&Chain<'m>, usize) -> Signal<'m>,
    was: impl Fn(&Chain<'m>, usize) -> Signal<'m>,
) -> Signal<'m> {
    let belongs = chains.iter().flat_map(|chain| (1..=chain.limbs).map(|number| is(chain, number)));
    let belongs = any_of(belongs.collect::<Vec<_>>()).expect("a chain");
    let open = chains.iter().flat_map(|chain| (0..chain.limbs).map(|number| was(chain, number)));
    let open = any_of(open.collect::<Vec<_>>()).expect("a chain");
    !belongs & (limb | (kept & open))
}

/// The last slot of the beat, as of stage `plan.heads`.
struct LastSlot<'m> {
    /// There is one.
    is_some: Signal<'m>,
    /// The last slot has each number of each chain, by the slots of the beat alone.
    is: Vec<Vec<Signal<'m>>>,
    /// The outputs that a lane gives to the next lane, of the last slot before the beat, by name.
    before: BTreeMap<String, Signal<'m>>,
}

/// Finds the last slot of the beat.
fn last_slot<'m>(
    m: &'m Builder,
    lanes: &[InstanceHandle<'m>],
    chains: &[Chain<'m>],
    beat: &Beat<'_, 'm>,
    shape: &dyn Shape,
) -> LastSlot<'m> {
    let Beat { plan, movement, .. } = *beat;
    let numbers: Vec<(usize, usize)> = (0..)
        .zip(chains)
        .flat_map(|(index, chain)| (0..chain.limbs).map(move |number| (index, number)))
        .collect();
    let of_limb: Vec<String> = [("limb".to_owned())]
        .into_iter()
        .chain(told_by_limb(shape).map(|units| format!("limb_longer_than_{units}")))
        .collect();
    // For each block of lanes: it has a slot, and the fields of its last slot.
    let block = |lane: usize| -> (Signal<'m>, Vec<Signal<'m>>) {
        let is = numbers
            .iter()
            .map(|&(chain, number)| chains[chain].is[number][lane].unwrap_or_else(|| m.lit(1, 0)));
        let as_limb = of_limb.iter().map(|name| lanes[lane].output(&format!("{name}_{}", plan.class)));
        (beat.kept[lane], is.chain(as_limb).collect())
    };
    let names: Vec<String> = numbers
        .iter()
        .map(|&(chain, number)| name_of(number, chains[chain].limbs))
        .chain(of_limb.iter().cloned())
        .collect();
    let mut blocks: Vec<(Signal, Vec<Signal>)> = (0..plan.lanes).map(block).collect();
    let mut at = plan.class;
    let steps = levels(plan.lanes);
    for step in 0..steps {
        m.stage_section(at, format!("the last slot of {} lanes", 2 << step));
        let is_registered = plan.is_short_registered(step, steps);
        at += u32::from(is_registered);
        let joined = |(index, pair): (usize, &[(Signal<'m>, Vec<Signal<'m>>)])| {
            let [(is_first, first), (is_second, second)] = pair else {
                unreachable!("lanes are a power of two")
            };
            let lane = index << (step + 1);
            let put = |name: &str, signal: Signal<'m>| {
                let name = format!("last_{name}_{lane}_{at}");
                match is_registered {
                    true => movement.stage_at(at, lane).data(&format!("{name}_reg"), signal),
                    false => signal.named(&format!("{name}_{step}")),
                }
            };
            let fields = names.iter().zip(first).zip(second);
            let fields = fields.map(|((name, &first), &second)| put(name, is_second.mux(second, first)));
            let fields = fields.collect();
            let is_some = match is_registered {
                true => movement.stage_at(at, lane).data(&format!("some_slot_{lane}_{at}_reg"), *is_first),
                false => *is_first,
            };
            (is_some, fields)
        };
        blocks = blocks.chunks(2).enumerate().map(joined).collect();
    }
    assert_eq!(at, plan.heads, "the last slot is there when the plan says so");
    let (is_some, fields) = blocks.remove(0);
    let mut fields = fields.into_iter();
    let is = chains.iter().map(|chain| fields.by_ref().take(chain.limbs).collect()).collect();
    let enable = movement.stage(plan.groups).enable;
    let before = of_limb.into_iter().zip(fields).map(|(name, last)| {
        let before = m.reg(&format!("before_{name}_reg"), last.width()).at_stage(plan.heads);
        before.next_when(enable, is_some.mux(last, before.q));
        (name, before.q)
    });
    LastSlot { is_some, is, before: before.collect() }
}
