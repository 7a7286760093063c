//! Widths of ports, and what else follows from a specification.

use super::{CoreSpec, ErrorMode, Role};
use crate::core::shared::ports::SLOT_USER_BITS;
use crate::core::shared::single::Words;
use crate::core::{Axis, MultiOctet, System, is_long};

impl CoreSpec {
    /// What `tuser` says of the place of a slot, from the low bits up: the name of the option, and its bits, which can be 0.
    pub fn places(&self) -> [(&'static str, u32); 3] {
        [("position", self.position), ("line", self.line), ("column", self.column)]
    }

    /// The [`places`](Self::places) that slots have.
    pub(in crate::core) fn present_places(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.places().into_iter().filter(|&(_, bits)| bits > 0)
    }

    /// Bits of [`places`](Self::places) together.
    pub fn place_bits(&self) -> u32 {
        self.places().into_iter().map(|(_, bits)| bits).sum()
    }

    /// Whether several lanes read one table.
    pub fn has_tables_with_ports(&self) -> bool {
        let is_in_blocks =
            |system| matches!(system, System::MultiOctet(MultiOctet::Gb18030 | MultiOctet::Gbk));
        let reads = self.system.among().any(is_in_blocks);
        let (decodes, written) = match self.role {
            Role::Decoder => (true, None),
            Role::Transcoder { to } => (true, Some(to)),
            Role::Encoder => (false, Some(self.system)),
            Role::Validator(_) => (false, None),
        };
        let writes = matches!(written, Some(System::MultiOctet(_)));
        self.lanes > 2 && decodes && reads || self.lanes > 1 && writes
    }

    /// Whether the core has a slave of AXI4-Lite.
    pub fn has_axi_lite(&self) -> bool {
        self.registers.is_there() || self.table_port.is_there()
    }

    /// Whether it is not known a cycle before when the core without a status takes a beat: the decoding half of a transcoder of one lane
    /// does when the encoding half moves, and a decoder of documents has a buffer at its input.
    pub(in crate::core) fn hides_ready(&self) -> bool {
        let is_transcoder = matches!(self.role, Role::Transcoder { .. });
        let is_document = matches!(self.system, System::CorrectedUtf8 { document: true, .. });
        self.lanes == 1 && (is_transcoder || (is_document && self.role == Role::Decoder))
    }

    /// Bits of a slot in `tuser`: the kind, and in a decoder the place above it.
    pub fn slot_user_bits(&self) -> u32 {
        SLOT_USER_BITS + self.place_bits()
    }

    /// Bits from a lane to the next in `tuser` on the core's ports, where it is about slots or marks: strict ports have a multiple of
    /// the bytes of a lane, unless bits of the user's follow the last lane.
    pub fn lane_user_stride(&self) -> u32 {
        let (bits, data_bits) = match self.role {
            Role::Validator(verdict) => (verdict.lane_bits(), self.system.unit_bits()),
            _ => (self.slot_user_bits(), self.bus.data_bits()),
        };
        match self.axis {
            Axis::Strict if self.passengers.tuser == 0 => bits.next_multiple_of(data_bits.div_ceil(8)),
            Axis::Lane | Axis::Strict => bits,
        }
    }

    /// Bits of the core's own in `tuser`, on the input and on the output: those below the user's.
    pub fn own_user_bits(&self) -> (u32, u32) {
        match self.role {
            Role::Decoder => (0, self.lanes_out() * self.slot_user_bits()),
            Role::Encoder => (self.lanes * self.slot_user_bits(), 1),
            Role::Transcoder { .. } => (0, 1),
            Role::Validator(verdict) => (0, self.lanes * verdict.lane_bits()),
        }
    }

    /// Whether the user's bits of `tuser` are of each beat, not of a frame's last: the beats that go out are those that came in.
    pub fn has_user_of_beats(&self) -> bool {
        matches!(self.role, Role::Validator(_)) || self.has_slots_of_streams()
    }

    /// Whether slots of several streams go out, those of a beat together.
    pub fn has_slots_of_streams(&self) -> bool {
        self.role == Role::Decoder && self.streams > 0
    }

    /// Lanes of the output. A decoder of several streams has one more than of the input, for all slots that a beat can make certain, unless no unit
    /// makes two.
    pub fn lanes_out(&self) -> u32 {
        let makes_two = self.has_slots_of_streams()
            && (self.on_error == ErrorMode::Flag || is_long(self.system))
            && !matches!(self.system, System::Utf9 { .. } | System::Utf18)
            && Words::of(self.system).is_none()
            // Of the octets of words, at least two make a slot.
            && !(matches!(self.system, System::Utf16Octets { .. }) && self.lanes > 2);
        self.lanes + u32::from(makes_two)
    }
}
