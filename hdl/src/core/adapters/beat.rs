//! The beat of an adapter: lanes, the end of a frame, and the signals of the user's.

use crate::core::Passengers;
use crate::netlist::{Builder, Signal};
use crate::stream::Fields;

const IN: &str = "AXI4-Stream input";
const OUT: &str = "AXI4-Stream output";

/// The shape of a beat.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) lanes: u32,
    pub(super) unit_bits: u32,
    pub(super) passengers: Passengers,
}

/// All signals of a beat but `tvalid` and `tready`.
#[derive(Clone, Copy)]
pub(super) struct Beat<'m> {
    pub(super) data: Signal<'m>,
    pub(super) keep: Signal<'m>,
    pub(super) last: Signal<'m>,
    /// TID and TDEST side by side, where there are any.
    pub(super) of_frame: Option<Signal<'m>>,
    /// The user's bits.
    pub(super) user: Option<Signal<'m>>,
}

impl Shape {
    /// Declares the inputs of a beat; gives its `tvalid`, too. `of_user` is the meaning of the user's bits.
    pub(super) fn inputs<'m>(&self, m: &'m Builder, of_user: &str) -> (Signal<'m>, Beat<'m>) {
        let Self { lanes, unit_bits, passengers: Passengers { tid, tdest, tuser } } = *self;
        m.port_group(IN);
        let data = m.input("s_axis_tdata", lanes * unit_bits, DATA);
        let keep = m.input("s_axis_tkeep", lanes, KEEP);
        let valid = m.input("s_axis_tvalid", 1, "a beat is offered");
        let last = m.input("s_axis_tlast", 1, "the beat ends its frame");
        let input = |name, bits, note: &str| (bits > 0).then(|| m.input(name, bits, note));
        let of_frame = [input("s_axis_tdest", tdest, OF_FRAME), input("s_axis_tid", tid, OF_FRAME)];
        let of_frame: Vec<Signal> = of_frame.into_iter().flatten().collect();
        let of_frame = (!of_frame.is_empty()).then(|| m.concat(of_frame));
        let user = input("s_axis_tuser", tuser, of_user);
        (valid, Beat { data, keep, last, of_frame, user })
    }

    /// Declares the outputs of a beat, and both sides' `tvalid` and `tready`.
    pub(super) fn outputs<'m>(
        &self,
        m: &'m Builder,
        [ready, valid]: [Signal<'m>; 2],
        beat: Beat<'m>,
        of_user: &str,
    ) {
        let Passengers { tid, tdest, .. } = self.passengers;
        m.port_group(IN);
        m.output("s_axis_tready", ready, "the beat is taken");
        m.port_group(OUT);
        m.output("m_axis_tdata", beat.data, DATA);
        m.output("m_axis_tkeep", beat.keep, KEEP);
        m.output("m_axis_tvalid", valid, "a beat is offered");
        m.output("m_axis_tlast", beat.last, "the beat ends its frame");
        for (name, bits, low) in [("m_axis_tid", tid, 0), ("m_axis_tdest", tdest, tid)] {
            if let Some(of_frame) = beat.of_frame.filter(|_| bits > 0) {
                m.output(name, of_frame.bits(low..low + bits), OF_FRAME);
            }
        }
        if let Some(user) = beat.user {
            m.output("m_axis_tuser", user, of_user);
        }
    }

    /// The beat with zeros in lanes that hold nothing.
    pub(super) fn masked<'m>(&self, m: &'m Builder, beat: Beat<'m>) -> Beat<'m> {
        let mask =
            m.concat((0..self.lanes).rev().map(|lane| beat.keep.bit(lane).repeat(self.unit_bits as usize)));
        let mask = mask.named("input_mask").note("all bits of the lanes that hold a unit");
        Beat { data: (beat.data & mask).named("input_data"), ..beat }
    }
}

impl<'m> Beat<'m> {
    /// The signals in the order of [`unpacked`](Self::unpacked), that of the lanes last.
    fn fields(&self) -> Vec<(Signal<'m>, &'static str)> {
        let of_user = self.user.map(|user| (user, "user"));
        let of_frame = self.of_frame.map(|of_frame| (of_frame, "of_frame"));
        let others = [(self.last, "last"), (self.keep, "keep"), (self.data, "data")];
        of_user.into_iter().chain(of_frame).chain(others).collect()
    }

    /// The beat as the payload of a block.
    pub(super) fn packed(&self, m: &'m Builder) -> Signal<'m> {
        m.concat(self.fields().into_iter().map(|(signal, _)| signal))
    }

    /// The beat of a block's `payload`, with the fields of this beat. Names begin with `prefix`.
    pub(super) fn unpacked(&self, payload: Signal<'m>, prefix: &str) -> Self {
        let mut fields = Fields::of(payload.named(&format!("{prefix}_beat")));
        let mut next = |like, name| fields.next(like, &format!("{prefix}_{name}"));
        let user = self.user.map(|like| next(like, "user"));
        let of_frame = self.of_frame.map(|like| next(like, "of_frame"));
        let last = next(self.last, "last");
        let keep = next(self.keep, "keep");
        Self { data: next(self.data, "data"), keep, last, of_frame, user }
    }
}

const DATA: &str = "the unit of each lane, lane 0 first in time and in the low bits";
const KEEP: &str = "the lane holds a unit";
const OF_FRAME: &str = "of the frame, on all its beats";
/// The user's bits in an adapter whose output beats are its input beats.
pub(super) const OF_BEAT: &str = "the user's bits of the beat";
/// The user's bits in an adapter that makes other beats.
pub(super) const OF_END: &str = "with tlast: the user's bits of the frame";
