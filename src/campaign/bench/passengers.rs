//! The passengers of frames in a bench: each frame has others, and comes out with its own.

use std::ops::Range;

use utfhdl_hdl::core::{Core, CoreSpec, Passengers, Role};
use utfhdl_hdl::netlist::{Builder, InstanceHandle, Reg, Signal};

use super::{SLOT_USER_BITS, differ, place_bits};

/// Bits of the number of a frame, which repeat in its passengers.
const NUMBER_BITS: u32 = 4;

/// The passengers of the frame under way.
#[derive(Clone, Copy)]
pub(super) struct OfFrame<'m> {
    m: &'m Builder,
    core: InstanceHandle<'m>,
    passengers: Passengers,
    /// Bits of TUSER below the user's in the output.
    own: u32,
    /// The user's bits are of every beat.
    of_beats: bool,
    /// TID and TDEST are, too.
    ids_of_beats: bool,
    /// A number of the frame.
    number: Signal<'m>,
    /// No beat of the frame was taken yet, and the register that says so; `None` if no passenger is of the first beat.
    first: Option<(Signal<'m>, Reg<'m>)>,
}

impl<'m> OfFrame<'m> {
    /// Numbers frames, each of which begins where `begin` is 1.
    pub(super) fn new(
        m: &'m Builder,
        core: &Core,
        inner: InstanceHandle<'m>,
        begin: Signal<'m>,
    ) -> Option<Self> {
        let passengers = core.spec.passengers;
        if passengers.is_empty() {
            return None;
        }
        m.section("The passengers: the number of the frame, repeated");
        let number = m.reg("frame_number_reg", NUMBER_BITS);
        // Odd, so that all numbers come.
        let number_now = begin.mux(number.q + m.lit(NUMBER_BITS, 5), number.q).named("frame_number");
        number.next(number_now);
        let ids_of_beats = core.spec.streams > 0;
        let first = (passengers.tid + passengers.tdest > 0 && !ids_of_beats).then(|| {
            let first = m.reg("first_beat_reg", 1);
            ((begin | first.q).named("first_beat"), first)
        });
        let (_, own) = core.spec.own_user_bits();
        let of_beats = core.spec.has_user_of_beats();
        Some(Self { m, core: inner, passengers, own, of_beats, ids_of_beats, number: number_now, first })
    }

    /// The number in `bits` bits.
    fn value(&self, bits: u32) -> Signal<'m> {
        self.number.repeat(bits.div_ceil(NUMBER_BITS) as usize).bits(0..bits)
    }

    /// Drives the passengers of the input, where a beat is `valid`. `own` are the bits of TUSER below the user's. On all beats but the
    /// first, or the last, the passengers are others.
    pub(super) fn drive(&self, own: Option<Signal<'m>>, last: Signal<'m>, valid: Signal<'m>) {
        let Passengers { tid, tdest, tuser } = self.passengers;
        if let Some((first_now, first)) = self.first {
            first.next(first_now & !(valid & self.core.output("s_axis_tready")));
            for (name, bits) in [("s_axis_tid", tid), ("s_axis_tdest", tdest)] {
                if bits > 0 {
                    let value = self.value(bits);
                    self.core.input(name, (first_now & valid).mux(value, !value));
                }
            }
        }
        if self.ids_of_beats {
            // All frames are of the stream of their number.
            for (name, bits) in [("s_axis_tid", tid), ("s_axis_tdest", tdest)] {
                if bits > 0 {
                    self.core.input(name, self.value(bits));
                }
            }
        }
        if tuser > 0 {
            let value = self.value(tuser);
            let user = if self.of_beats { value } else { last.mux(value, !value) };
            let all = self.m.concat([Some(user), own].into_iter().flatten().collect::<Vec<_>>());
            let inputs = self.core.module();
            let width = inputs.inputs().find(|port| port.name == "s_axis_tuser").map_or(0, |port| port.width);
            self.core.input("s_axis_tuser", all.zext(width));
        } else if let Some(own) = own {
            self.core.input("s_axis_tuser", own);
        }
    }

    /// Whether a passenger is wrong on the output, if a beat is offered there.
    pub(super) fn wrong(&self) -> Signal<'m> {
        let Passengers { tid, tdest, tuser } = self.passengers;
        let of_frame =
            [("m_axis_tid", tid), ("m_axis_tdest", tdest)].into_iter().filter(|&(_, bits)| bits > 0);
        let of_frame = of_frame.map(|(name, bits)| differ(self.core.output(name), self.value(bits)));
        let of_end = (tuser > 0).then(|| {
            let found = self.core.output("m_axis_tuser");
            let (low, high) = (self.own, found.width());
            let value = self.value(tuser);
            let due = if self.of_beats { value } else { value.when(self.core.output("m_axis_tlast")) };
            differ(found.bits(low..high), due.zext(high - low))
        });
        let wrong = of_frame.chain(of_end).reduce(|a, b| a | b).expect("there are passengers");
        (self.core.output("m_axis_tvalid") & wrong).named("wrong_passenger")
    }
}

/// The bits of TUSER that a bench compares: kinds and places of slots, and above them a bit that must be zero; or what is said of a frame; without the bits of the user's.
pub(super) fn own_user<'m>(m: &'m Builder, core: &Core, inner: InstanceHandle<'m>) -> Signal<'m> {
    let (spec, tuser) = (core.spec, inner.output("m_axis_tuser"));
    let stride = spec.lane_user_stride();
    match spec.role {
        Role::Decoder if spec.place_bits() > 0 || spec.passengers.tuser > 0 => {
            let slot = |lane: u32| compared(m, spec, tuser.bits(lane * stride..(lane + 1) * stride));
            m.concat((0..spec.lanes_out()).rev().map(slot).collect::<Vec<_>>())
        }
        _ if spec.passengers.tuser > 0 => tuser.bits(0..spec.own_user_bits().1),
        _ => tuser,
    }
}

/// The bits of a lane that an item has room for, and above them whether any other bit is set, if there are others.
fn compared<'m>(m: &'m Builder, spec: CoreSpec, user: Signal<'m>) -> Signal<'m> {
    let kind = [(SLOT_USER_BITS, SLOT_USER_BITS)];
    let places = spec.places().map(|(_, bits)| bits).into_iter().zip(place_bits(spec));
    let (mut low, mut kept, mut others) = (0, Vec::new(), Vec::new());
    for (bits, compared) in kind.into_iter().chain(places) {
        kept.push(low..low + compared);
        others.push(low + compared..low + bits);
        low += bits;
    }
    others.push(low..user.width());
    let of = |ranges: Vec<Range<u32>>| {
        let ranges: Vec<Signal> = ranges
            .into_iter()
            .rev()
            .filter(|range| !range.is_empty())
            .map(|range| user.bits(range))
            .collect();
        (!ranges.is_empty()).then(|| m.concat(ranges))
    };
    m.concat(of(others).map(Signal::any).into_iter().chain(of(kept)))
}
