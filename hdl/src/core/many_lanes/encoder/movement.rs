//! The enables of an encoder's pipeline.
//!
//! The stages up to the *windows* hold beats of slots. The stage of the windows keeps a beat for as many cycles as output beats are made of it.
//! A stage loads where its beat moves on or where it has none, so a gap between two beats closes while the beat downstream waits. Each stage
//! has an enable of its own: a register, which follows from the stages that will hold beats in its cycle.
//!
//! ```text
//!  cycle      stage 1  stage 2  windows       three stages; output beats of b: two
//!    0           c        .        b          stages 1 and 2 load, the windows do not
//!    1           d        c        b          b makes its second output beat, and moves on: all load
//!    2           e        d        c
//! ```
//!
//! The stages after the windows hold units. All of them move together while the output buffer has room.
//!
//! Cost: two LUT levels from the output beat's flags to an enable's register.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::buffer::Room;
use super::sizes::Sizes;
use crate::core::lanes::At;
use crate::netlist::{Builder, InstanceHandle, Module, Reg, RegisterRole, Signal, Stage};

/// Lanes that share enables.
const GROUP: usize = 16;

/// The stages that load together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enable {
    /// The stage of this number, up to the windows.
    Load(u32),
    /// The stages after the windows.
    Flow,
    /// The stages after the windows, in the next cycle.
    FlowNext,
    /// The registers that say which window of the beat is presented.
    Step,
}

impl Enable {
    /// The name of the enable.
    pub(super) fn name(self) -> String {
        match self {
            Self::Load(stage) => format!("load_{stage}"),
            Self::Flow => "flow".to_owned(),
            Self::FlowNext => "flow_next".to_owned(),
            Self::Step => "step".to_owned(),
        }
    }

    /// The input of a lane.
    pub(super) fn input<'m>(self, m: &'m Builder) -> Signal<'m> {
        let note = match self {
            Self::Load(_) => "the stage loads",
            Self::Flow => "the later stages load",
            Self::FlowNext => "they do in the next cycle",
            Self::Step => "the stage loads, or shows the next window",
        };
        m.input(&self.name(), 1, note)
    }
}

/// The enables of the registers of an encoder: wires until the output [drives](Movement::drive) them.
pub(super) struct Movement<'m> {
    m: &'m Builder,
    sizes: Sizes,
    takes: Signal<'m>,
    /// A beat is taken in the next cycle, if one is offered. It is no register. `None` in an encoder without other stages in front of these.
    takes_next: Option<Signal<'m>>,
    flushes: RefCell<Vec<Signal<'m>>>,
    /// The enables in use, by group and name.
    enables: RefCell<BTreeMap<(usize, String), (Enable, Signal<'m>)>>,
    /// The registers of each group of lanes.
    registers: RefCell<BTreeMap<usize, Stage<'m>>>,
}

/// Inputs of the enables' logic.
pub(super) struct Moves<'m> {
    /// A beat is offered at the input.
    pub(super) offered: Signal<'m>,
    /// In the next cycle, the last output beat of the beat in the windows is made, if there is a beat.
    pub(super) final_next: Signal<'m>,
    /// There is a beat for the output buffer.
    pub(super) beat: Signal<'m>,
    pub(super) m_axis_tready: Signal<'m>,
}

impl<'m> Movement<'m> {
    pub(super) fn new(m: &'m Builder, sizes: &Sizes) -> Self {
        let (flushes, enables, registers) = (RefCell::default(), RefCell::default(), RefCell::default());
        let takes_next = (sizes.input > 0).then(|| m.wire("takes_next", 1));
        Self { m, sizes: *sizes, takes: m.wire("takes", 1), takes_next, flushes, enables, registers }
    }

    /// A beat is taken in the next cycle, if one is offered. It is no register. `None` in an encoder without other stages in front of these.
    pub(super) fn takes_next(&self) -> Option<Signal<'m>> {
        self.takes_next
    }

    /// A beat is taken.
    pub(super) fn takes(&self) -> Signal<'m> {
        self.takes
    }

    /// The registers of all stages, in the group of a lane.
    pub(super) fn registers(&self, lane: usize) -> Stage<'m> {
        let group = lane.min(self.sizes.lanes - 1) / GROUP;
        let make = || {
            let enables: Vec<Signal> = self.pipeline().map(|enable| self.enable(lane, enable)).collect();
            pipeline_of(self.m, self.sizes.input, &enables)
        };
        *self.registers.borrow_mut().entry(group).or_insert_with(make)
    }

    /// The registers of a lane.
    pub(super) fn lane(&self, lane: usize) -> Stage<'m> {
        self.registers(lane).lane(lane)
    }

    /// A signal of the whole beat, valid in stage `stage`.
    pub(super) fn of_beat(&self, signal: Signal<'m>, stage: u32) -> At<'m> {
        At::new(self.registers(0), signal, stage)
    }

    /// A signal of a lane, valid in stage `stage`.
    pub(super) fn of_lane(&self, lane: usize, signal: Signal<'m>, stage: u32) -> At<'m> {
        At::new(self.lane(lane), signal, stage)
    }

    /// The stage holds a beat from before reset, or the empty beat of the cycle after reset.
    pub(super) fn flushes(&self, stage: u32) -> At<'m> {
        let mut flushes = self.flushes.borrow_mut();
        let first = self.sizes.input;
        for at in first + flushes.len() as u32..=stage {
            let flush = self.m.reg(&format!("flush_{at}_reg"), 1).reset(1).role(RegisterRole::Flush);
            let flush = match at == first {
                true => flush.note("the cycle after reset, in which no beat is taken"),
                false => {
                    flush.at_stage(at).note(&format!("stage {at} holds no beat that was taken since reset"))
                }
            };
            flush.next(flushes.last().copied().unwrap_or_else(|| self.m.lit(1, 0)));
            flushes.push(flush.q);
        }
        self.of_beat(flushes[(stage - first) as usize], stage)
    }

    /// Lets a register that is kept from beat to beat load `next` with the registers of the next stage.
    pub(super) fn load(&self, register: Reg<'m>, next: At<'m>) {
        register.next_when(self.registers(0).at(next.stage() + 1).enable, next.signal());
    }

    /// The stage of the windows. Later stages hold units.
    pub(super) fn windows(&self) -> u32 {
        self.sizes.windows()
    }

    /// The enables of the stages, one by one.
    pub(super) fn pipeline(&self) -> impl Iterator<Item = Enable> + use<> {
        loads(self.sizes.input, &self.sizes)
    }

    /// The registers of the windows that load with each output beat.
    pub(super) fn steps(&self) -> Stage<'m> {
        self.m.stage(self.enable(0, Enable::Step)).at(self.windows())
    }

    /// The output beat that the windows show is made in this cycle.
    pub(super) fn flows(&self) -> Signal<'m> {
        self.enable(0, Enable::Flow)
    }

    /// The output beat that the windows present in the next cycle is made in it.
    pub(super) fn flows_next(&self) -> Signal<'m> {
        self.enable(0, Enable::FlowNext)
    }

    /// The stage of the windows loads.
    pub(super) fn loads_windows(&self) -> Signal<'m> {
        self.enable(0, Enable::Load(self.windows()))
    }

    /// The first stage loads, in the group of a lane.
    pub(super) fn loads_first(&self, lane: usize) -> Signal<'m> {
        self.enable(lane, Enable::Load(self.sizes.input + 1))
    }

    /// Connects the enables of a lane.
    pub(super) fn connect(&self, instance: InstanceHandle<'m>, lane: usize) {
        for enable in pipeline(&self.sizes).chain([Enable::Step]) {
            instance.input(&enable.name(), self.enable(lane, enable));
        }
    }

    /// An enable, in the group of a lane.
    pub(super) fn enable(&self, lane: usize, enable: Enable) -> Signal<'m> {
        let group = lane.min(self.sizes.lanes - 1) / GROUP;
        let name = enable.name();
        let make = || match self.sizes.lanes > GROUP {
            true => (enable, self.m.wire(&format!("{name}_of_group_{group}"), 1)),
            false => (enable, self.m.wire(&name, 1)),
        };
        self.enables.borrow_mut().entry((group, name.clone())).or_insert_with(make).1
    }

    /// Drives the enables, in tests of blocks.
    #[cfg(test)]
    pub(super) fn drive_by(&self, enable: impl Fn(Enable) -> Signal<'m>) {
        self.m.drive(self.takes, self.m.lit(1, 1));
        for &(of, wire) in self.enables.borrow().values() {
            self.m.drive(wire, enable(of));
        }
    }

    /// Drives the enables.
    pub(super) fn drive(&self, moves: &Moves<'m>) {
        let m = self.m;
        let module = pace(self.sizes.input, self.windows());
        for group in 0..self.sizes.lanes.div_ceil(GROUP) {
            let name = if self.sizes.lanes > GROUP { format!("pace_{group}") } else { "pace".to_owned() };
            let pace = m
                .instance(&name, &module)
                .lane(group * GROUP)
                .input("offered", moves.offered)
                .input("final_next", moves.final_next)
                .input("beat", moves.beat)
                .input("m_axis_tready", moves.m_axis_tready);
            if group == 0 {
                m.drive(self.takes, pace.output("takes"));
                if let Some(takes_next) = self.takes_next {
                    m.drive(takes_next, pace.output("takes_next"));
                }
            }
            for ((of, name), &(_, enable)) in &*self.enables.borrow() {
                if *of == group {
                    m.drive(enable, pace.output(name));
                }
            }
        }
    }
}

/// The enables of the stages of a lane.
pub(super) fn pipeline(sizes: &Sizes) -> impl Iterator<Item = Enable> + use<> {
    loads(sizes.first, sizes)
}

/// The enables of the stages of slots after stage `from`, and of the later ones.
fn loads(from: u32, sizes: &Sizes) -> impl Iterator<Item = Enable> + use<> {
    (from + 1..=sizes.windows()).map(Enable::Load).chain([Enable::Flow])
}

/// The registers of a pipeline whose stage `first + 1` has the first of `enables`, the next stage the second, and so on.
pub(super) fn pipeline_of<'m>(m: &'m Builder, first: u32, enables: &[Signal<'m>]) -> Stage<'m> {
    // Enables are those of stages from 1 on; no register is of a stage before these.
    let before = std::iter::repeat_n(enables[0], first as usize);
    m.pipeline(&before.chain(enables.iter().copied()).collect::<Vec<_>>())
}

/// Which stages load: one of these for each group of lanes. It follows which stages hold beats, and whether the output buffer has room.
fn pace(first: u32, windows: u32) -> Arc<Module> {
    let m = Builder::new(
        "pace",
        "Which stages load: a stage of slots where its beat goes on or where it has none, and the stages of units while the output \
         buffer has room.",
    );
    let offered = m.input("offered", 1, "a beat of slots is offered");
    let final_next = m.input("final_next", 1, "the windows will be through with their beat");
    let beat = m.input("beat", 1, "there is a beat for the output buffer");
    let m_axis_tready = m.input("m_axis_tready", 1, "what the buffer offers is taken");

    m.section("Output buffer: whether it has room");
    let Room { moves, moves_next } = Room::follow(&m, beat, m_axis_tready);

    m.section("Stages of slots: a stage loads if it will be empty, or if its beat and those downstream move");
    let takes = m
        .reg("takes_reg", 1)
        .reset(0)
        .role(RegisterRole::Ready)
        .note("a beat is taken: none during reset, nor in the cycle after it");
    let load = |stage: u32| {
        let load = m.reg(&format!("load_{stage}_reg"), 1).reset(1);
        load.at_stage(stage).role(RegisterRole::EnableUnits)
    };
    let loads: Vec<_> = (first + 1..=windows).map(load).collect();
    let leaves =
        m.reg("leaves_reg", 1).reset(0).role(RegisterRole::Pace).note("the beat of the windows moves on");
    let leaves_next = (final_next & moves_next).named("leaves_next").note("it does, if there is one");
    // Each stage before the windows has a register with a 1 for each empty stage from itself to the windows. Its next value is that of the stage
    // upstream, whose beat moves in; where no beat leaves the windows, the count is one less.
    let empty = |stage: u32| {
        let most = windows - stage + 1;
        let empty = m.reg(&format!("empty_from_{stage}_reg"), most).reset((1 << most) - 1);
        empty.at_stage(stage).role(RegisterRole::Empty)
    };
    let empty: Vec<_> = (first + 1..windows).map(empty).collect();
    let all = empty[0].q;
    // The wire of `offered` is long, so `offered` only selects one of two values.
    let of_first = (offered & takes.q).named("taken").mux(
        empty_next(leaves.q, all.zext(all.width() + 1)).named("empty_if_taken"),
        empty_next(leaves.q, m.concat([all, m.lit(1, 1)])).named("empty_if_none_is_taken"),
    );
    let befores = empty.iter().map(|empty| empty_next(leaves.q, empty.q));
    for ((stage, load), empty_next) in (first + 1..).zip(&loads).zip([of_first].into_iter().chain(befores)) {
        let empty_next = empty_next.named(&format!("empty_from_{stage}_next"));
        let next = (empty_next.bit(0) | leaves_next).named(&format!("load_{stage}_next"));
        load.next(next);
        if stage == first + 1 {
            takes.next(next);
            if first > 0 {
                m.output("takes_next", next, "a beat of slots is taken in the next cycle");
            }
        }
        if stage < windows {
            empty[(stage - first) as usize - 1].next(empty_next);
        } else {
            leaves.next(leaves_next & !empty_next);
            let step = m.reg("step_reg", 1).reset(1).role(RegisterRole::EnableWindows);
            step.next(empty_next | moves_next);
            m.output(&Enable::Step.name(), step.q, "the windows load or go on");
        }
    }
    for (stage, register) in (first + 1..).zip(&loads) {
        m.output(&Enable::Load(stage).name(), register.q, "the stage loads");
    }
    m.output(&Enable::Flow.name(), moves, "the stages of units move");
    m.output(&Enable::FlowNext.name(), moves_next, "they do in the next cycle");
    m.output("takes", takes.q, "a beat of slots is taken");
    m.built()
}

/// The empty stages from a stage to the windows in the next cycle, by those from the stage before on. `leaves`: the beat of the windows moves on.
fn empty_next<'m>(leaves: Signal<'m>, before: Signal<'m>) -> Signal<'m> {
    let most = before.width();
    leaves.mux(before.bits(0..most - 1), before.bits(1..most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::evaluator::{Evaluator, Random};

    /// Stages load by the rule that the module states: a stage is a place for a beat, which the beat leaves where the next stage loads.
    #[test]
    fn a_stage_loads_where_its_beat_moves_on_or_where_it_has_none() {
        for windows in [3_usize, 7, 12] {
            let mut random = Random::new(windows as u64);
            let mut pace = Evaluator::new(&pace(0, windows as u32));
            pace.reset();
            // Stage 1 is `holds[0]`.
            let mut holds = vec![false; windows];
            let mut is_final = false;
            for cycle in 0..2000 {
                let moves = pace.get("flow") == 1;
                let mut loads = vec![false; windows];
                loads[windows - 1] = !holds[windows - 1] || (is_final && moves);
                for stage in (0..windows - 1).rev() {
                    loads[stage] = !holds[stage] || loads[stage + 1];
                }
                for (stage, &expected) in (1..).zip(&loads) {
                    let load = pace.get(&format!("load_{stage}")) == 1;
                    assert_eq!(load, expected, "stage {stage} of {windows}, cycle {cycle}");
                }
                // None is taken in the cycle after reset.
                let takes = pace.get("takes") == 1;
                assert!(takes == loads[0] || cycle == 0, "takes in cycle {cycle}");
                assert_eq!(pace.get("step") == 1, loads[windows - 1] || moves, "step in cycle {cycle}");
                let offered = !random.one_in(3);
                let final_next = random.one_in(2);
                pace.set("offered", offered.into());
                pace.set("final_next", final_next.into());
                pace.set("beat", random.below(2));
                pace.set("m_axis_tready", random.below(2));
                let before = holds.clone();
                for stage in (0..windows).filter(|&stage| loads[stage]) {
                    holds[stage] = if stage == 0 { offered && takes } else { before[stage - 1] };
                }
                is_final = final_next;
                pace.clock();
            }
        }
    }
}
