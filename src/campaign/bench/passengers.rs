//! The passengers of frames in a bench: each frame has others, and comes out with its own.

use utfhdl_hdl::core::{Core, Passengers};
use utfhdl_hdl::netlist::{Builder, InstanceHandle, Signal};

use super::{Shape, differ};

/// Bits of the number of a frame, which repeat in its passengers.
const NUMBER_BITS: u32 = 4;

/// The passengers of the frame under way.
#[derive(Clone, Copy)]
pub(super) struct OfFrame<'m> {
    m: &'m Builder,
    core: InstanceHandle<'m>,
    passengers: Passengers,
    /// Bits of TUSER below the user's, on either side.
    own: (u32, u32),
    /// A number of the frame.
    number: Signal<'m>,
}

impl<'m> OfFrame<'m> {
    /// Numbers frames, each of which begins where `begin` is 1.
    pub(super) fn new(
        m: &'m Builder,
        core: &Core,
        inner: InstanceHandle<'m>,
        begin: Signal<'m>,
        shape: Shape,
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
        let lanes = shape.lanes as u32;
        // A `tuser` of one bit belongs to the whole beat.
        let of_output = if shape.output.user == 1 { 1 } else { lanes * shape.output.user };
        let own = (lanes * shape.input.user, of_output);
        Some(Self { m, core: inner, passengers, own, number: number_now })
    }

    /// The number in `bits` bits.
    fn value(&self, bits: u32) -> Signal<'m> {
        self.number.repeat(bits.div_ceil(NUMBER_BITS) as usize).bits(0..bits)
    }

    /// Drives the passengers of the input. `own` are the bits of TUSER below the user's. On all beats but the last, those of the
    /// user's are wrong.
    pub(super) fn drive(&self, own: Option<Signal<'m>>, last: Signal<'m>) {
        let Passengers { tid, tdest, tuser } = self.passengers;
        for (name, bits) in [("s_axis_tid", tid), ("s_axis_tdest", tdest)] {
            if bits > 0 {
                self.core.input(name, self.value(bits));
            }
        }
        if tuser > 0 {
            let user = last.mux(self.value(tuser), !self.value(tuser));
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
            let (low, high) = (self.own.1, found.width());
            let due = self.value(tuser).when(self.core.output("m_axis_tlast"));
            differ(found.bits(low..high), due.zext(high - low))
        });
        let wrong = of_frame.chain(of_end).reduce(|a, b| a | b).expect("there are passengers");
        (self.core.output("m_axis_tvalid") & wrong).named("wrong_passenger")
    }

    /// The bits of TUSER of the output below the user's.
    pub(super) fn own_user(&self) -> Signal<'m> {
        let user = self.core.output("m_axis_tuser");
        if self.passengers.tuser > 0 { user.bits(0..self.own.1) } else { user }
    }
}
