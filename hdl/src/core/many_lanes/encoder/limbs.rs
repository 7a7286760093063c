//! Code points of two or three limbs: the lane of the last limb writes them, with the bits of the limb before it.
//!
//! The slots directly before the last limb of such a code point are a head that announces the number of limbs, and a first limb that leaves the
//! code point in the system. So no limbs are counted, and each lane needs its neighbour only. Registers keep the last slot of earlier beats
//! for the first lanes.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::movement::Movement;
use super::shape::Shape;
use super::sizes::Sizes;
use crate::core::lanes::{At, Heard, Instances, Lane, Told};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Reg};

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
    is_limb: At<'m>,
    /// For each number of limbs: the slot is the head; the slot, as the first limb, leaves the code point in the system.
    of_groups: Vec<[At<'m>; 2]>,
    /// The slot, as the first of two limbs, makes the code point longer than `.0` units.
    longer: Vec<(usize, At<'m>)>,
}

/// A lane whose slot may be of a code point of several limbs, with the outputs of stage 1.
pub(super) struct LongSlot<'m> {
    /// The slot may belong to such a code point.
    pub(super) of_code_point: At<'m>,
    longer: Vec<(usize, At<'m>)>,
    kept_and_limb: Option<[Told; 2]>,
    chains: Vec<[Told; 2]>,
}

/// The ports of a lane.
pub(super) struct Ports {
    /// There is a slot, and it is a limb; `None` where groups are followed, which have the same outputs.
    pub(super) kept_and_limb: Option<[Told; 2]>,
    /// For each number of limbs: the slot is the head; it fits as the first limb.
    chains: Vec<[Told; 2]>,
    /// The fields of a limb for the lane of the next limb: its bits, and then tests of them.
    handed: Vec<Handed>,
    /// The slot is the last limb of a code point; of one of three limbs.
    is_whole: Heard,
    is_whole_of_3: Option<Heard>,
}

/// A field of a limb for the lane of the next limb.
struct Handed {
    name: String,
    /// The outputs in stage [`Sizes::class`] and in that in which the beat has been searched.
    early: Told,
    late: Told,
    /// The input: the field of the slot before.
    before: Heard,
}

impl<'m> Marks<'m> {
    /// Looks at the `tdata` of a slot, which is also there as of stage 1. `is_limb` and `is_head` are as of that stage.
    pub(super) fn new(shape: &dyn Shape, [data, at_1]: [At<'m>; 2], [is_limb, is_head]: [At<'m>; 2]) -> Self {
        let test = |name: &str, test: At<'m>| test.next(name);
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
            let longer = data.map(|data| shape.is_longer_by_limb(data, units));
            (units, test(&format!("limb_longer_than_{units}"), longer))
        });
        Self { is_limb, of_groups: groups_of(shape).map(of_group).collect(), longer: longer.collect() }
    }

    /// Declares the outputs of stage 1 for [`join`].
    pub(super) fn output(self, lane: &Lane<'m>, sizes: &Sizes, kept: At<'m>) -> LongSlot<'m> {
        let kept_and_limb = (!sizes.has_groups()).then(|| {
            let kept = lane.tell("is_kept", kept, "there is a slot");
            [kept, lane.tell("is_limb", self.is_limb, "a limb")]
        });
        let mut of_code_point = self.is_limb;
        let mut chains = Vec::new();
        for (&[is_head, is_first], limbs) in self.of_groups.iter().zip(2..) {
            let is_head = is_head.named(&format!("opens_group_of_{limbs}"));
            of_code_point = of_code_point | is_head;
            let head = lane.tell(&name_of(0, limbs), is_head, &format!("a head of {limbs} limbs"));
            let note = format!("a limb that can be the first of {limbs}");
            chains.push([head, lane.tell(&format!("fits_first_of_{limbs}"), is_first, &note)]);
        }
        LongSlot { of_code_point, longer: self.longer, kept_and_limb, chains }
    }
}

impl<'m> LongSlot<'m> {
    /// Joins the limbs of code points. `code` is the `tdata` of the slot, `longer` the length of its own code point. Gives the bits above those
    /// of a slot, and the length.
    pub(super) fn joined(
        self,
        lane: &Lane<'m>,
        shape: &dyn Shape,
        sizes: &Sizes,
        code: At<'m>,
        longer: &[At<'m>],
    ) -> (At<'m>, Vec<At<'m>>, Ports) {
        let (bits, at) = (bits_before_last(shape), sizes.searched());
        let limb = |to: u32| code.at(to).bits(0..bits);
        let tests: Vec<(String, At)> = self
            .longer
            .iter()
            .map(|&(units, test)| {
                let name = format!("limb_longer_than_{units}");
                let test = test.called(&name);
                (name, test)
            })
            .collect();
        let [early, late] = [sizes.class(), at].map(|to| {
            let limb = lane.tell(&format!("limb_{to}"), limb(to), "bits for the lane of the next limb");
            let test = |(name, test): &(String, At<'m>)| {
                let note = "that limb writes more units, if it is the second";
                lane.tell(&format!("{name}_{to}"), test.at(to), note)
            };
            [limb].into_iter().chain(tests.iter().map(test)).collect::<Vec<Told>>()
        });
        let (before, limb_before) = lane.hear("limb_before", bits, at, "the bits of the slot before this");
        let (is_whole, whole) = lane.hear("is_whole", 1, at, "the slot is the last limb of a code point");
        let (is_longest, whole_of_3) = (groups_of(shape).count() > 1)
            .then(|| lane.hear("is_whole_of_3", 1, at, "which is one of three limbs"))
            .unzip();
        lane.section(at, "code points of several limbs");
        let mut befores = vec![limb_before];
        let more = |units: usize| {
            let of_limbs = match self.longer.iter().any(|&(number, _)| number == units) {
                false => is_whole,
                true => {
                    let name = format!("before_longer_than_{units}");
                    let note = "the slot before this, as a first limb, says more units";
                    let (longer, heard) = lane.hear(&name, 1, at, note);
                    befores.push(heard);
                    let of_two = is_whole & longer;
                    is_longest.map_or(of_two, |is_longest| of_two | is_longest)
                }
            };
            let own = longer.get(units).map(|&own| own | of_limbs);
            own.unwrap_or(of_limbs).called(&format!("longer_than_{units}")).at(at + 1)
        };
        let longer = (0..sizes.most_units).map(more).collect();
        let upper = before.masked(is_whole);
        let upper = is_longest.map_or(upper, |is_longest| At::concat([is_longest, upper]));
        let names = ["limb".to_owned()].into_iter().chain(tests.into_iter().map(|(name, _)| name));
        let handed = names.zip(early).zip(late).zip(befores);
        let handed = handed.map(|(((name, early), late), before)| Handed { name, early, late, before });
        let ports = Ports {
            kept_and_limb: self.kept_and_limb,
            chains: self.chains,
            handed: handed.collect(),
            is_whole: whole,
            is_whole_of_3: whole_of_3,
        };
        (upper.called("upper").at(at + 1), longer, ports)
    }
}

/// The code points of several limbs of a beat.
pub(super) struct Joined<'m> {
    /// The slot is the last limb of a code point.
    pub(super) whole: Vec<At<'m>>,
    /// The slot is a limb of no code point, or cuts one; and last, the end of the frame does. Empty where limbs are counted.
    pub(super) broken: Vec<At<'m>>,
}

/// The slots of code points of `limbs` limbs. The head is number 0. A slot is number n if the slot before it is number n - 1 and the slot meets
/// the condition of its number.
struct Chain<'m> {
    limbs: usize,
    /// The condition on the slot of a lane, by its number in the group; stage [`Sizes::class`].
    asked: Vec<Vec<At<'m>>>,
    /// The slot of a lane has the number, as of that stage; `None` in the first lanes, where that depends on slots before the beat.
    is: Vec<Vec<Option<At<'m>>>>,
    /// The last slot before the beat has the number, as of the stage in which the beat has been searched.
    before: Vec<Reg<'m>>,
}

impl<'m> Chain<'m> {
    fn new(m: &'m Builder, limbs: usize, asked: Vec<Vec<At<'m>>>, lanes: usize) -> Self {
        let mut is: Vec<Vec<Option<At>>> = vec![asked[0].iter().copied().map(Some).collect()];
        for number in 1..=limbs {
            let of_lane = |lane: usize| {
                let before: At = is[number - 1][lane.checked_sub(1)?]?;
                let name = format!("{}_{lane}_{}", name_of(number, limbs), asked[number][lane].stage());
                Some((asked[number][lane] & before).named(&name))
            };
            let of_lanes = (0..lanes).map(of_lane).collect();
            is.push(of_lanes);
        }
        let before = (0..limbs).map(|number| {
            let register = m.reg(&format!("before_{}_reg", name_of(number, limbs)), 1);
            register.note("of the last slot before the beat")
        });
        let before = before.collect();
        Self { limbs, asked, is, before }
    }

    /// The slot of the lane has the number, in stage [`Sizes::class`]: a lane in which it depends on the beat alone.
    fn early(&self, number: usize, lane: usize) -> At<'m> {
        self.is[number][lane].expect("it depends on the beat alone")
    }
}

/// The slots of a beat that is searched.
struct Beat<'a, 'm> {
    lanes: &'a Instances<'a, 'm>,
    ports: &'a Ports,
    sizes: &'a Sizes,
    movement: &'a Movement<'m>,
    chains: Vec<Chain<'m>>,
    /// For each lane: there is a slot; it is a limb. Stage [`Sizes::class`].
    kept: Vec<At<'m>>,
    limb: Vec<At<'m>>,
    /// The stage in which the beat has been searched.
    searched: u32,
    /// Signals of that stage that have been made, by name.
    late: RefCell<BTreeMap<String, At<'m>>>,
}

/// Connects the lanes, and tells which slots are limbs of code points. `kept_and_limb` are outputs of a lane. `last`: the beat ends its frame.
pub(super) fn join<'m>(
    m: &'m Builder,
    lanes: &Instances<'_, 'm>,
    ports: &Ports,
    [kept, is_limb]: [&Told; 2],
    last: At<'m>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Joined<'m> {
    m.stage_section(sizes.class(), "limbs of code points");
    let flags = |name: &str, told: &Told| -> Vec<At<'m>> {
        let flag = |(lane, signal): (usize, At<'m>)| signal.delayed(&format!("{name}_{lane}"), sizes.class());
        lanes.each(told).into_iter().enumerate().map(flag).collect()
    };
    let (kept, limb) = (flags("slot_is_kept", kept), flags("slot_is_limb", is_limb));
    let chain = |(limbs, [head, first]): (usize, &[Told; 2])| {
        let mut asked =
            vec![flags(&name_of(0, limbs), head), flags(&format!("fits_first_of_{limbs}"), first)];
        asked.resize(limbs + 1, limb.clone());
        Chain::new(m, limbs, asked, sizes.lanes)
    };
    let chains: Vec<Chain> = (2..).zip(&ports.chains).map(chain).collect();
    let (searched, late) = (sizes.searched(), RefCell::default());
    let beat = Beat { lanes, ports, sizes, movement, chains, kept, limb, searched, late };
    let most_limbs = beat.most_limbs();
    let early_broken: Vec<Option<At>> = (0..sizes.lanes).map(|lane| beat.early_broken(lane)).collect();
    // A slot is the last one of the beat if the next lane holds none.
    let ends = (1..sizes.lanes.min(most_limbs)).map(|next| beat.delayed("is_empty", next, !beat.kept[next]));
    let ends: Vec<At> = ends.collect();
    let last_slot = beat.last_slot(m);
    let last = last.at(searched);

    m.stage_section(searched, "limbs of code points whose first slots are before the beat");
    let open = beat.follow(&last_slot, &ends, last);
    let whole: Vec<At> = (0..sizes.lanes).map(|lane| beat.connect(lane, &last_slot)).collect();
    let next_stage =
        |name: &str, lane: usize, signal: At<'m>| signal.delayed(&format!("{name}_{lane}"), searched + 1);
    if sizes.has_groups() {
        let whole = (0..).zip(whole).map(|(lane, whole)| next_stage("is_whole", lane, whole));
        return Joined { whole: whole.collect(), broken: Vec::new() };
    }
    let of_lane =
        |(lane, early): (usize, Option<At<'m>>)| next_stage("is_broken", lane, beat.late_broken(lane, early));
    let broken = early_broken.into_iter().enumerate().map(of_lane).collect::<Vec<_>>();
    let cut = last & At::any_of(open).expect("a chain");
    let cut = cut.stored("is_cut_by_end_reg").on(movement.lane(sizes.lanes - 1));
    Joined { whole: Vec::new(), broken: broken.into_iter().chain([cut]).collect() }
}

impl<'m> Beat<'_, 'm> {
    fn most_limbs(&self) -> usize {
        self.chains.last().expect("there are groups").limbs
    }

    /// A signal of a lane, delayed to the stage in which the beat has been searched.
    fn delayed(&self, name: &str, lane: usize, signal: At<'m>) -> At<'m> {
        signal.on(self.movement.lane(lane)).called(&format!("{name}_{lane}")).at(self.searched)
    }

    /// The slot of the lane has the number, in the stage in which the beat has been searched: any lane.
    fn late(&self, chain: &Chain<'m>, number: usize, lane: usize) -> At<'m> {
        let name = name_of(number, chain.limbs);
        if let Some(early) = chain.is[number][lane] {
            return self.delayed(&name, lane, early);
        }
        let asked_name = match number {
            1 => format!("fits_first_of_{}", chain.limbs),
            _ => "slot_is_limb".to_owned(),
        };
        let asked = self.delayed(&asked_name, lane, chain.asked[number][lane]);
        let before = self.late_before(chain, number - 1, lane);
        let name = format!("{name}_{lane}_{}", self.searched);
        let known = self.late.borrow().get(&name).copied();
        known.unwrap_or_else(|| {
            let made = (asked & before).named(&name);
            self.late.borrow_mut().insert(name, made);
            made
        })
    }

    /// The slot before that of the lane has the number.
    fn late_before(&self, chain: &Chain<'m>, number: usize, lane: usize) -> At<'m> {
        match lane.checked_sub(1) {
            Some(lane) => self.late(chain, number, lane),
            None => self.movement.of_beat(chain.before[number].q, self.searched),
        }
    }

    /// The slot of the lane is broken, in stage [`Sizes::class`]: a lane whose groups are all in the beat.
    fn early_broken(&self, lane: usize) -> Option<At<'m>> {
        (lane >= self.most_limbs() && !self.sizes.has_groups()).then(|| {
            let is = |chain: &Chain<'m>, number: usize| chain.early(number, lane);
            let was = |chain: &Chain<'m>, number: usize| chain.early(number, lane - 1);
            broken(&self.chains, [self.limb[lane], self.kept[lane]], is, was)
        })
    }

    /// The slot of any lane is broken, in the stage in which the beat has been searched.
    fn late_broken(&self, lane: usize, early: Option<At<'m>>) -> At<'m> {
        if let Some(early) = early {
            return self.delayed("is_broken", lane, early);
        }
        let is = |chain: &Chain<'m>, number: usize| self.late(chain, number, lane);
        let was = |chain: &Chain<'m>, number: usize| self.late_before(chain, number, lane);
        let limb = self.delayed("slot_is_limb", lane, self.limb[lane]);
        let kept = self.delayed("slot_is_kept", lane, self.kept[lane]);
        broken(&self.chains, [limb, kept], is, was)
    }

    /// Keeps the number of the last slot for the next beat. Gives the numbers but the last of each chain, any of which leaves a code point
    /// open. `ends`: the slot of a lane is the last one of the beat.
    fn follow(&self, last_slot: &LastSlot<'m>, ends: &[At<'m>], last: At<'m>) -> Vec<At<'m>> {
        let goes_on = (!last & !self.movement.flushes(self.searched)).named("group_can_go_on");
        let mut open = Vec::new();
        for (chain, of_last) in self.chains.iter().zip(&last_slot.is) {
            for (number, (&register, &of_last)) in chain.before.iter().zip(of_last).enumerate() {
                // In the first lanes the number depends on slots before the beat.
                let here = (0..number.min(self.sizes.lanes)).map(|lane| {
                    let is = self.late(chain, number, lane);
                    ends.get(lane).map_or(is, |&ends| ends & is)
                });
                let here = At::any_of(here.chain([of_last])).expect("a lane");
                let name = format!("last_{}", name_of(number, chain.limbs));
                let kept = self.movement.of_beat(register.q, self.searched);
                let now = last_slot.is_some.mux(here, kept).named(&name);
                self.movement.load(register, now & goes_on);
                open.push(now);
            }
        }
        open
    }

    /// Connects a lane with the limb before its own. Gives: the slot of the lane is the last limb of a code point.
    fn connect(&self, lane: usize, last_slot: &LastSlot<'m>) -> At<'m> {
        let Self { lanes, ports, .. } = self;
        let whole_of = |chain: &Chain<'m>| self.late(chain, chain.limbs, lane);
        let whole = At::any_of(self.chains.iter().map(whole_of)).expect("a chain");
        let whole = whole.named(&format!("is_whole_{lane}"));
        lanes.connect_lane(lane, &ports.is_whole, whole);
        if let Some((heard, longest)) = ports.is_whole_of_3.as_ref().zip(self.chains.get(1)) {
            lanes.connect_lane(lane, heard, whole_of(longest));
        }
        for (handed, &before_beat) in ports.handed.iter().zip(&last_slot.before) {
            let before = match lane {
                0 => before_beat,
                _ => lanes.output(lane - 1, &handed.late),
            };
            lanes.connect_lane(lane, &handed.before, before);
        }
        whole
    }

    /// Finds the last slot of the beat.
    fn last_slot(&self, m: &'m Builder) -> LastSlot<'m> {
        let Self { lanes, ports, sizes, movement, chains, .. } = self;
        let numbers = || chains.iter().flat_map(|chain| (0..chain.limbs).map(move |number| (chain, number)));
        // For each block of lanes: it has a slot, and the fields of its last slot.
        let block = |lane: usize| -> (At<'m>, Vec<At<'m>>) {
            let no = || movement.of_lane(lane, m.lit(1, 0), sizes.class());
            let is = numbers().map(|(chain, number)| chain.is[number][lane].unwrap_or_else(no));
            let as_limb = ports.handed.iter().map(|handed| lanes.output(lane, &handed.early));
            (self.kept[lane], is.chain(as_limb).collect())
        };
        let names: Vec<String> = numbers()
            .map(|(chain, number)| name_of(number, chain.limbs))
            .chain(ports.handed.iter().map(|handed| handed.name.clone()))
            .collect();
        let mut blocks: Vec<(At, Vec<At>)> = (0..sizes.lanes).map(block).collect();
        let title = |step| format!("the last slot of {} lanes", 2 << step);
        for step in sizes.search(sizes.class()).begin(m, title) {
            let joined = |(index, pair): (usize, &[(At<'m>, Vec<At<'m>>)])| {
                let [(is_first, first), (is_second, second)] = pair else {
                    unreachable!("lanes are a power of two")
                };
                let lane = index << (step.number + 1);
                let fields = names.iter().zip(first).zip(second).map(|((name, &first), &second)| {
                    let field = is_second.mux(second, first).on(movement.lane(lane));
                    step.put(&format!("last_{name}_{lane}"), field)
                });
                let fields = fields.collect();
                let is_some = match step.is_registered {
                    true => is_first.delayed(&format!("some_slot_{lane}"), step.to()),
                    false => *is_first,
                };
                (is_some, fields)
            };
            blocks = blocks.chunks(2).enumerate().map(joined).collect();
        }
        let (is_some, fields) = blocks.remove(0);
        let mut fields = fields.into_iter();
        let is = chains.iter().map(|chain| fields.by_ref().take(chain.limbs).collect()).collect();
        let before = ports.handed.iter().zip(fields).map(|(handed, last)| {
            let before = m.reg(&format!("before_{}_reg", handed.name), last.width()).at_stage(last.stage());
            let kept = movement.of_beat(before.q, last.stage());
            movement.load(before, is_some.mux(last, kept));
            kept
        });
        LastSlot { is_some, is, before: before.collect() }
    }
}

/// The slot is a `limb` of no code point, or is `kept` and cuts one. `is`: the slot has a number in a chain. `was`: the slot before it has.
fn broken<'m>(
    chains: &[Chain<'m>],
    [limb, kept]: [At<'m>; 2],
    is: impl Fn(&Chain<'m>, usize) -> At<'m>,
    was: impl Fn(&Chain<'m>, usize) -> At<'m>,
) -> At<'m> {
    let belongs = chains.iter().flat_map(|chain| (1..=chain.limbs).map(|number| is(chain, number)));
    let belongs = At::any_of(belongs.collect::<Vec<_>>()).expect("a chain");
    let open = chains.iter().flat_map(|chain| (0..chain.limbs).map(|number| was(chain, number)));
    let open = At::any_of(open.collect::<Vec<_>>()).expect("a chain");
    !belongs & (limb | (kept & open))
}

/// The last slot of the beat.
struct LastSlot<'m> {
    /// There is one.
    is_some: At<'m>,
    /// The last slot has each number of each chain, by the slots of the beat alone.
    is: Vec<Vec<At<'m>>>,
    /// The fields that a lane hands to the next lane, of the last slot before the beat.
    before: Vec<At<'m>>,
}
