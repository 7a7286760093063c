//! The movement of a decoder's pipeline. All stages move together, except after a frame's last beat that overflows: then the stages up to
//! the carry wait for a cycle, in which the slot without room follows that beat.
//!
//! A net that enables thousands of registers is slow. Each group of lanes therefore has a copy of the enables.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::core::many_lanes::buffers::LANES_OF_BUFFER;
use crate::core::stall::Stall;
use crate::netlist::{Builder, Module, Reg, RegisterRole, Signal, Stage};
use crate::stream::fifo::{credits, most, words};

/// Lanes that share enables.
pub(in crate::core::many_lanes) const GROUP: usize = 2 * LANES_OF_BUFFER;

/// The stages that an enable is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    /// Stages up to the slots of the units, which move in cycles in which a beat is taken.
    Units,
    /// Later stages.
    Slots,
    /// Stages of a dense decoder in which slots of several beats are merged.
    Beats,
}

/// Bits that make stages wait in the next cycle, independent of the output.
#[derive(Clone, Copy, Default)]
pub(in crate::core::many_lanes) struct Waits<'m> {
    /// The stages of units wait: where the stages of slots move in this cycle, and where they do not; `None` if they never do.
    pub(in crate::core::many_lanes) units: Option<[Signal<'m>; 2]>,
    /// All stages before those that merge beats wait, in a dense decoder.
    pub(in crate::core::many_lanes) slots: Option<Signal<'m>>,
}

/// The registers of an output buffer that hold a beat.
#[derive(Clone, Copy)]
pub(in crate::core::many_lanes) struct Held<'m> {
    /// The first register holds a beat, which goes out.
    pub(in crate::core::many_lanes) first: Signal<'m>,
    /// The second register holds a beat.
    pub(in crate::core::many_lanes) second: Signal<'m>,
}

/// The enables of the registers of a pipeline: wires until the output [drives](Pipeline::drive) them.
pub(in crate::core::many_lanes) struct Pipeline<'m> {
    m: &'m Builder,
    lanes: usize,
    /// Slots of several beats come together.
    is_dense: bool,
    /// The encoding half of a transcoder moves all stages, by inputs of the module.
    is_half: bool,
    /// The cycle after reset, in which no beat is taken and all stages move. The bit clears the valid bits of the stages.
    flush: Signal<'m>,
    /// An input gives that bit, in a core of several streams, whose states are cleared one by one.
    is_swept: bool,
    /// A beat is taken, as the output says.
    takes: OnceCell<Signal<'m>>,
    /// The constant 1, in a pipeline that never waits: no register has an enable.
    always: Option<Signal<'m>>,
    /// The enables that are in use, by group.
    enables: RefCell<BTreeMap<(usize, Of), Signal<'m>>>,
}

impl<'m> Pipeline<'m> {
    pub(in crate::core::many_lanes) fn new(m: &'m Builder, lanes: usize, is_dense: bool) -> Self {
        Self::with(m, lanes, is_dense, false, flush(m))
    }

    /// The pipeline of the decoding half of a transcoder, up to the slots of the units. The encoding half moves it by the inputs
    /// [`advances_of_half`](Self::advances_of_half).
    pub(in crate::core::many_lanes) fn of_half(m: &'m Builder, lanes: usize) -> Self {
        Self::with(m, lanes, false, true, flush(m))
    }

    /// The pipeline of a core of several streams: as after reset as long as the input `sweeps` is 1.
    pub(in crate::core::many_lanes) fn of_streams(m: &'m Builder, lanes: usize, sweeps: Signal<'m>) -> Self {
        Self { is_swept: true, ..Self::with(m, lanes, false, false, sweeps) }
    }

    fn with(m: &'m Builder, lanes: usize, is_dense: bool, is_half: bool, flush: Signal<'m>) -> Self {
        let (takes, enables) = (OnceCell::new(), RefCell::default());
        Self { m, lanes, is_dense, is_half, flush, is_swept: false, takes, always: None, enables }
    }

    /// The pipeline as one that stalls in this way. By credits, [`drive_by_credits`](Self::drive_by_credits) drives it.
    pub(in crate::core::many_lanes) fn stalled_by(self, stall: Stall) -> Self {
        Self { always: stall.memory().map(|_| self.m.lit(1, 1)), ..self }
    }

    /// Whether no stage ever waits.
    pub(in crate::core::many_lanes) fn never_waits(&self) -> bool {
        self.always.is_some()
    }

    /// Whether beats of several streams come in any order.
    pub(in crate::core::many_lanes) fn is_of_streams(&self) -> bool {
        self.is_swept
    }

    /// The valid bit of the beat that comes in, which the first stage loads.
    pub(in crate::core::many_lanes) fn accepted(&self, tvalid: Signal<'m>) -> Signal<'m> {
        // A stage that waits does not load the bit of a beat that is not taken.
        match self.always.is_none() && !self.is_swept {
            true => tvalid,
            false => (tvalid & self.takes()).named("accepted"),
        }
    }

    /// A beat is taken.
    pub(in crate::core::many_lanes) fn takes(&self) -> Signal<'m> {
        *self.takes.get_or_init(|| self.m.wire("takes", 1))
    }

    /// 1 in the cycle after reset.
    pub(in crate::core::many_lanes) fn flush(&self) -> Signal<'m> {
        self.flush
    }

    /// 1 if the stages after the slots of the units move.
    pub(in crate::core::many_lanes) fn advances(&self) -> Signal<'m> {
        self.enable(0, Of::Slots)
    }

    /// The registers of a stage up to the slots of the units.
    pub(in crate::core::many_lanes) fn stage(&self) -> Stage<'m> {
        self.stage_of(0, Of::Units)
    }

    /// The registers of a lane, in stages of units.
    pub(in crate::core::many_lanes) fn stage_at(&self, lane: usize) -> Stage<'m> {
        self.stage_of(lane, Of::Units).lane(lane)
    }

    /// The registers of a stage in which slots move to their lanes, or of a later one.
    pub(in crate::core::many_lanes) fn stage_of_slots(&self) -> Stage<'m> {
        self.stage_of(0, Of::Slots)
    }

    /// The registers of a slot position, in stages of slots.
    pub(in crate::core::many_lanes) fn stage_of_slots_at(&self, place: usize) -> Stage<'m> {
        self.stage_of(place, Of::Slots).lane(place)
    }

    /// The registers of a stage in which slots of several beats come together, or of a later one.
    pub(in crate::core::many_lanes) fn stage_of_beats(&self) -> Stage<'m> {
        self.stage_of(0, self.beats())
    }

    /// The registers of one lane in such a stage.
    pub(in crate::core::many_lanes) fn stage_of_beats_at(&self, lane: usize) -> Stage<'m> {
        self.stage_of(lane, self.beats()).lane(lane)
    }

    fn beats(&self) -> Of {
        if self.is_dense { Of::Beats } else { Of::Slots }
    }

    fn stage_of(&self, lane: usize, of: Of) -> Stage<'m> {
        self.m.stage(self.enable(lane, of)).flushed_by(self.flush)
    }

    fn enable(&self, lane: usize, of: Of) -> Signal<'m> {
        if let Some(always) = self.always {
            return always;
        }
        let group = lane.min(self.lanes - 1) / GROUP;
        let make = || {
            let (name, note) = match of {
                Of::Units => ("take", "the stages up to the slots of the units move"),
                Of::Slots => ("advance", "those behind them move"),
                Of::Beats => ("flow", "those in which slots of several beats come together move"),
            };
            if self.is_half {
                debug_assert!(of == Of::Units, "a half has no other stages");
                self.m.port_group("Pace");
                return self.m.input(&advance(lane, self.lanes), 1, "all stages move");
            }
            self.m.wire(&self.of_group(name, group), 1).note(note)
        };
        *self.enables.borrow_mut().entry((group, of)).or_insert_with(make)
    }

    /// Takes beats while the FIFO at the end of a core of this latency has room for all that are under way. `gone`: a beat ended in the
    /// pipeline; `is_first`: the beat on the output is the first of two.
    pub(in crate::core::many_lanes) fn drive_by_credits(
        &self,
        latency: u32,
        [s_axis_tvalid, m_axis_tready, gone]: [Signal<'m>; 3],
        (m_axis_tvalid, is_first): (Signal<'m>, Option<Signal<'m>>),
    ) {
        let left = m_axis_tvalid & m_axis_tready;
        let left = is_first.map_or(left, |is_first| left & !is_first).named("beat_left");
        let most = most(words(latency, is_first.is_some()));
        let credits = self.m.instance("credits", &credits(most, self.is_swept));
        let credits = credits.input("s_valid", s_axis_tvalid).input("left", left).input("gone", gone);
        if self.is_swept {
            credits.input("sweeps", self.flush);
        }
        self.m.drive(self.takes(), credits.output("s_ready"));
    }

    /// The names of the inputs that move the stages of a decoding half, and for each the first lane of the group that it moves.
    pub(in crate::core::many_lanes) fn advances_of_half(&self) -> Vec<(String, usize)> {
        let enables = self.enables.borrow();
        let groups = enables.keys().map(|&(group, _)| group * GROUP);
        groups.map(|lane| (advance(lane, self.lanes), lane)).collect()
    }

    /// Copies of a bit, one register for each group of the first `lanes` lanes, since a bit that all lanes read is slow. `stage` gives the stage of a lane; each
    /// copy comes with the stage of its group.
    pub(in crate::core::many_lanes) fn copies(
        &self,
        name: &str,
        lanes: usize,
        stage: impl Fn(usize) -> Stage<'m>,
    ) -> Vec<(Stage<'m>, Reg<'m>)> {
        let copy = |group: usize| {
            let stage = stage(group * GROUP);
            (stage, stage.state(&format!("{}_reg", self.of_group(name, group)), 1))
        };
        (0..lanes.min(self.lanes).div_ceil(GROUP)).map(copy).collect()
    }

    /// Copies of the bit that says that a beat is there for the output buffer, from `next` in the stage before. The buffer also takes a beat in the
    /// cycle after reset, so none may be there in that cycle.
    pub(in crate::core::many_lanes) fn present(
        &self,
        name: &str,
        lanes: usize,
        stage: impl Fn(usize) -> Stage<'m>,
        next: Signal<'m>,
    ) -> Vec<Signal<'m>> {
        let load = |(stage, copy): (Stage<'m>, Reg<'m>)| {
            let copy = copy.reset(0);
            copy.next_when(stage.enable, next & !self.flush);
            copy.q
        };
        self.copies(name, lanes, stage).into_iter().map(load).collect()
    }

    /// The name of a signal that each group of lanes has.
    fn of_group(&self, name: &str, group: usize) -> String {
        if self.lanes > GROUP { format!("{name}_{group}") } else { name.to_owned() }
    }

    /// Drives the enables. `beats` say for each group of lanes, or for all, that there is a beat for the output buffers. Gives what each of these,
    /// of [`LANES_OF_BUFFER`] of the `shown` lanes, holds, and whether the core offers a beat.
    pub(in crate::core::many_lanes) fn drive(
        &self,
        beats: &[Signal<'m>],
        m_axis_tready: Signal<'m>,
        waits: Waits<'m>,
        shown: usize,
    ) -> (Vec<Held<'m>>, Signal<'m>) {
        let m = self.m;
        let mut offers = None;
        let mut held: Vec<Held<'m>> = Vec::new();
        // Lanes past those of the last group are in its buffers.
        let groups = self.lanes.div_ceil(GROUP);
        let group_of = |buffer: usize| (buffer * LANES_OF_BUFFER / GROUP).min(groups - 1);
        let buffers_of =
            |group| (0..shown.div_ceil(LANES_OF_BUFFER)).filter(|&buffer| group_of(buffer) == group).count();
        let mut modules: BTreeMap<(bool, usize), Arc<Module>> = BTreeMap::new();
        let enables = self.enables.borrow();
        for group in 0..groups {
            let of_group = [Of::Units, Of::Slots, Of::Beats].map(|of| enables.get(&(group, of)));
            let buffers = buffers_of(group);
            if let Some(&last) = held.last().filter(|_| of_group.iter().all(Option::is_none)) {
                held.extend(vec![last; buffers]);
                continue;
            }
            let is_first = group == 0;
            let module = modules
                .entry((is_first, buffers))
                .or_insert_with(|| pace(&waits, is_first, is_first && self.is_swept, buffers));
            let pace = m
                .instance(&self.of_group("pace", group), module)
                .lane(group * GROUP)
                .input("beat", beats[group.min(beats.len() - 1)])
                .input("m_axis_tready", m_axis_tready);
            let of_units = waits.units.into_iter().flat_map(|units| UNITS_WAIT.into_iter().zip(units));
            for (name, wait) in of_units.chain(waits.slots.map(|wait| ("slots_wait_next", wait))) {
                pace.input(name, wait);
            }
            if is_first {
                if self.is_swept {
                    pace.input("sweeps", self.flush);
                }
                m.drive(self.takes(), pace.output("takes"));
                offers = Some(pace.output("offers"));
            }
            for (enable, port) in of_group.into_iter().zip(["take", "advance", "flow"]) {
                if let Some(&enable) = enable {
                    m.drive(enable, pace.output(port));
                }
            }
            let of_buffer = |at: usize| {
                let [first, second] = ["first", "second"].map(|name| pace.output(&format!("{name}_{at}")));
                Held { first, second }
            };
            held.extend((0..buffers).map(of_buffer));
        }
        (held, offers.expect("there is a first group"))
    }
}

/// A register that is 1 in the cycle after reset.
fn flush(m: &Builder) -> Signal<'_> {
    let flush = m
        .reg("flush_reg", 1)
        .reset(1)
        .note("the cycle behind reset, which clears the stages")
        .role(RegisterRole::Flush);
    flush.next(m.lit(1, 0));
    flush.q
}

/// The input of a decoding half that moves the stages of a lane.
fn advance(lane: usize, lanes: usize) -> String {
    if lanes > GROUP { format!("advance_{}", lane.min(lanes - 1) / GROUP) } else { "advance".to_owned() }
}

/// Two groups of ports of the pace.
const OF_BUFFER: &str = "Output buffer";
const OF_STAGES: &str = "Stages";

/// Inputs of the pace: stages of units wait in the next cycle.
const UNITS_WAIT: [&str; 2] = ["units_wait_if_moved", "units_wait_if_not"];

/// The control of `buffers` output buffers and of the stages: a copy for each group of lanes. The copy of the first group also outputs whether
/// the core takes a beat.
fn pace(waits: &Waits, is_first: bool, is_swept: bool, buffers: usize) -> Arc<Module> {
    let name = match (is_first, buffers * LANES_OF_BUFFER) {
        (true, _) => "pace".to_owned(),
        (false, GROUP) => "pace_of_group".to_owned(),
        (false, _) => format!("pace_of_{buffers}_buffers"),
    };
    let m = Builder::new(name, "Whether the pipeline moves: it does while the output buffer has room.");
    m.port_group(OF_BUFFER);
    let beat = m.input("beat", 1, "there is one for the output buffer");
    let m_axis_tready = m.input("m_axis_tready", 1, "what the buffer offers is taken");
    m.port_group(OF_STAGES);
    let units_wait = waits.units.map(|_| {
        let notes =
            ["if slots move, a second beat goes on in the next cycle", "the same, if they do not move"];
        [0, 1].map(|at| m.input(UNITS_WAIT[at], 1, notes[at]))
    });
    let sweeps = is_swept.then(|| m.input("sweeps", 1, "the states of streams are cleared one by one"));
    let slots_wait = waits.slots.map(|_| m.input("slots_wait_next", 1, "the rest of a frame goes on in it"));
    let room = m
        .reg("room_reg", 1)
        .reset(1)
        .note("the second register of the buffer is empty")
        .role(RegisterRole::Room);
    let second = m
        .reg("second_reg", 1)
        .reset(0)
        .note("the complement, for the logic here: the net of room_reg is long")
        .role(RegisterRole::BufferSkid);
    let first = m.reg("first_reg", 1).reset(0).note("the buffer offers a beat").role(RegisterRole::Buffer);
    let stays = (first.q & !m_axis_tready).named("stays").note("that beat is not taken");
    let follows = (beat | second.q).named("follows").note("there is one behind it");
    let first_next = (stays | follows).named("first_holds");
    let second_next = (stays & follows).named("second_holds");
    first.next(first_next);
    second.next(second_next);
    // Each buffer has copies, which follow reset a cycle later, when no beat is present: the net of a copy is long. Synthesis would merge
    // copies that are equal, so the second buffer has the complements.
    let copy = |name: String, role, next| {
        let copy = m.reg(&name, 1).role(role);
        copy.next(next);
        copy.q
    };
    let held = (0..buffers).map(|at| match at {
        0 => [
            copy("first_of_buffer_reg".to_owned(), RegisterRole::Buffer, first_next),
            copy("second_of_buffer_reg".to_owned(), RegisterRole::BufferSkid, second_next),
        ],
        _ => [
            !copy(format!("first_free_of_buffer_{at}_reg"), RegisterRole::Buffer, !first_next),
            !copy(format!("second_free_of_buffer_{at}_reg"), RegisterRole::BufferReady, !second_next),
        ],
    });
    let held: Vec<[Signal; 2]> = held.collect();
    let room_next = (!second_next).named("room_next");
    room.next(room_next);
    let advance = match slots_wait {
        Some(waits) => {
            let advance = m.reg("advance_reg", 1).reset(1).role(RegisterRole::EnableSlots);
            advance.next(room_next & !waits);
            m.output("flow", room.q, "stages move");
            advance.q
        }
        None => room.q,
    };
    // The enable of the slots has a long net. Without `slots_wait` it has a copy here, which is the complement of `second`.
    let moves = if slots_wait.is_some() { advance } else { !second.q };
    let units_wait =
        units_wait.map(|[if_moved, if_not]| moves.mux(if_moved, if_not).named("units_wait_next"));
    let take_next = match [units_wait, slots_wait].into_iter().flatten().reduce(|a, b| a | b) {
        Some(waits) => (room_next & !waits).named("take_next"),
        None => room_next,
    };
    let take = m
        .reg("take_reg", 1)
        .reset(1)
        .note("behind reset all stages are cleared")
        .role(RegisterRole::EnableUnits);
    take.next(take_next);
    m.output("advance", advance, "the stages of slots move");
    m.output("take", take.q, "those up to the slots of the units, too");
    if is_first {
        let takes = m
            .reg("takes_reg", 1)
            .reset(0)
            .note("none during reset, nor in the cycle behind it")
            .role(RegisterRole::Ready);
        takes.next(sweeps.map_or(take_next, |sweeps| take_next & !sweeps));
        m.output("takes", takes.q, "a beat is taken");
    }
    m.port_group(OF_BUFFER);
    for (at, [first, second]) in held.into_iter().enumerate() {
        let of = match at {
            0 => String::new(),
            _ => format!(" of lanes {} and up", at * LANES_OF_BUFFER),
        };
        m.output(&format!("first_{at}"), first, &format!("the first register{of} holds a beat"));
        m.output(&format!("second_{at}"), second, &format!("the second register{of} holds a beat"));
    }
    if is_first {
        m.output("offers", first.q, "the core offers a beat");
    }
    m.built()
}
