//! A beat at the input, and the registers of the stages that hold such beats as functions of it.

use std::collections::BTreeMap;

use utfhdl_hdl::core::Bus;
use utfhdl_hdl::netlist::{Builder, Signal};
use utfhdl_sim::aig::Leaf;

use super::boundary::Boundary;
use super::cells::{Cells, Place};
use super::copy::{Copy, Substitute, any_bit};
use super::given::Given;
use super::placed::joined;
use crate::prove::bench::{self, SLOT_USER_BITS, Side};
use crate::prove::spec::limit;

/// A beat, and the loops in the state that the beat starts from.
#[derive(Clone)]
pub(super) struct Beat<'m> {
    pub(super) tdata: Signal<'m>,
    /// The kinds of slots: on a long bus, as is proved, those of code points and errors.
    pub(super) tuser: Option<Signal<'m>>,
    /// Any kinds, of which `tuser` has those of code points and errors.
    any_kinds: Option<(Bus, Signal<'m>)>,
    /// The lanes with units: as the contract demands, the first ones, without gaps.
    pub(super) tkeep: Signal<'m>,
    /// Any lanes, of which `tkeep` has those up to the first gap.
    any_lanes: Signal<'m>,
    pub(super) tlast: Signal<'m>,
    /// The beat is present.
    pub(super) tvalid: Signal<'m>,
    /// The loops, by number.
    pub(super) loops: BTreeMap<usize, Signal<'m>>,
    /// The slots of the beat at the boundary, if the stages before that are left out.
    pub(super) slots: Option<Given<'m>>,
}

/// The names of the ports.
pub(super) const TDATA: &str = "s_axis_tdata";
const TUSER: &str = "s_axis_tuser";
const TKEEP: &str = "s_axis_tkeep";
const TLAST: &str = "s_axis_tlast";
const TVALID: &str = "s_axis_tvalid";

impl<'m> Beat<'m> {
    /// An unknown beat: its fields are inputs. One of slots has their kinds, in the form of a bus.
    pub(super) fn given(
        m: &'m Builder,
        lanes: u32,
        lane_bits: u32,
        kinds: Option<Bus>,
        loops: BTreeMap<usize, Signal<'m>>,
    ) -> Self {
        let input = |name: &str, width| m.input(name, width, "of a beat");
        let any_lanes = input(TKEEP, lanes);
        let tkeep = without_gaps(m, any_lanes);
        m.output(&bench::given(TKEEP), tkeep, "what the core is given");
        let any_kinds = kinds.map(|bus| (bus, input(TUSER, lanes * SLOT_USER_BITS)));
        let tuser = any_kinds.map(|(bus, any)| of_code_points(m, bus, any, lanes));
        if let Some(tuser) = tuser {
            m.output(&bench::given(TUSER), tuser, "what the core is given");
        }
        Self {
            tdata: input(TDATA, lanes * lane_bits),
            tuser,
            any_kinds,
            tkeep,
            any_lanes,
            tlast: input(TLAST, 1),
            tvalid: input(TVALID, 1),
            loops,
            slots: None,
        }
    }

    /// Registers that load `next` in cycles in which `moves` is 1. Their first values are free, except those of `tvalid` and of loops if
    /// `start_valid` and `start` give one.
    pub(super) fn registers(
        m: &'m Builder,
        name: &str,
        next: &Beat<'m>,
        moves: Signal<'m>,
        start_valid: Option<bool>,
        start: impl Fn(usize) -> Option<bool>,
    ) -> Self {
        let register = |what: &str, next: Signal<'m>, start: Option<bool>| {
            let register = m.reg(&format!("{name}_{what}_reg"), next.width());
            let register = start.map_or(register, |value| register.reset(value.into()));
            register.next_when(moves, next);
            register.q
        };
        let loops = next.loops.iter();
        let any_lanes = register("tkeep", next.any_lanes, None);
        let any_kinds = next.any_kinds.map(|(bus, any)| (bus, register("tuser", any, None)));
        let lanes = next.tkeep.width();
        let beat = Self {
            tdata: register("tdata", next.tdata, None),
            tuser: any_kinds.map(|(bus, any)| of_code_points(m, bus, any, lanes)),
            any_kinds,
            tkeep: without_gaps(m, any_lanes),
            any_lanes,
            tlast: register("tlast", next.tlast, None),
            tvalid: register("tvalid", next.tvalid, start_valid),
            loops: loops
                .map(|(&index, &next)| (index, register(&format!("loop_{index}"), next, start(index))))
                .collect(),
            slots: None,
        };
        let slots = next.slots.as_ref();
        let slots = slots.map(|slots| slots.registers(m, &beat, |what, next| register(what, next, None)));
        Self { slots, ..beat }
    }

    /// The units of `bits`, lane 0 first.
    pub(super) fn units(&self, bits: u32) -> Vec<Signal<'m>> {
        let lanes = self.tkeep.width();
        let lane_bits = self.tdata.width() / lanes;
        (0..lanes).map(|lane| self.tdata.bits(lane * lane_bits..lane * lane_bits + bits)).collect()
    }

    /// Whether there is a unit in a lane.
    pub(super) fn has(&self, lane: u32) -> Signal<'m> {
        self.tvalid & self.tkeep.bit(lane)
    }

    /// Whether the beat ends a frame.
    pub(super) fn ends(&self) -> Signal<'m> {
        self.tvalid & self.tlast
    }

    /// The registers of the stages of units, each at the time at which the beat is in its stage. At a boundary, there are the slots of the beat.
    pub(super) fn stages<'c>(
        &self,
        m: &'m Builder,
        cells: &'c Cells,
        name: &'c str,
        boundary: Option<&'c Boundary>,
    ) -> Copy<'c, 'm>
    where
        'm: 'c,
    {
        let beat = self.clone();
        let cuts = boundary.zip(self.slots.as_ref());
        let cuts = cuts
            .map(|(boundary, slots)| boundary.cuts(m, name, (self.tvalid, &slots.made)))
            .unwrap_or_default();
        let copy = Copy::new(m, boundary.map_or(&cells.moving, Boundary::after), move |leaf| match leaf {
            Leaf::Input(index) => Substitute::Signal(match cells.moving.inputs.get(index as usize) {
                Some(name) => beat.input(name),
                None => any_bit(m, name, index),
            }),
            Leaf::Register(index) => match cells.places[index as usize] {
                Place::Units { is_loop: true, .. } => Substitute::Signal(beat.loops[&(index as usize)]),
                Place::Units { is_loop: false, .. } => Substitute::Next,
                place => unreachable!("stages of beats depend on no register of {place:?}"),
            },
        });
        copy.cut(cuts)
    }

    /// The loops after the beat.
    pub(super) fn next_loops(&self, stages: &Copy<'_, 'm>) -> BTreeMap<usize, Signal<'m>> {
        self.loops.keys().map(|&index| (index, stages.next(index))).collect()
    }

    fn input(&self, bit: &str) -> Signal<'m> {
        let (port, index) = match bit.split_once('[') {
            Some((port, index)) => (port, index.trim_end_matches(']').parse().expect("a number")),
            None => (bit, 0),
        };
        match port {
            TDATA => self.tdata.bit(index),
            TUSER => self.tuser.expect("a beat of slots").bit(index),
            TKEEP => self.tkeep.bit(index),
            TLAST => self.tlast,
            TVALID => self.tvalid,
            other => unreachable!("stages of beats depend on no input {other}"),
        }
    }
}

/// The kinds of slots, without those of heads and limbs, which only a long bus has.
fn of_code_points<'m>(m: &'m Builder, bus: Bus, any: Signal<'m>, lanes: u32) -> Signal<'m> {
    let kinds = (0..lanes).rev().map(|lane| limit(Side::lane(any, lane, lanes)));
    match bus {
        Bus::Long => m.concat(kinds.collect::<Vec<_>>()),
        Bus::Short => any,
    }
}

/// The first lanes of those that are given, up to the first gap.
fn without_gaps<'m>(m: &'m Builder, lanes: Signal<'m>) -> Signal<'m> {
    let all: Vec<Signal<'m>> = (0..lanes.width()).map(|lane| lanes.bit(lane)).collect();
    m.concat(joined(&all, &|one, other| one & other).into_iter().rev())
}
