//! The ports of a core, by what they carry, and their positions in the records of an engine.

use utfhdl_hdl::core::{Bus, Core, Role, Verdict};
use utfhdl_sim::feed::{Bit, Handshakes};
use utfhdl_sim::{Layout, PortSlot};

use super::beat::{Beat, Item};
use super::beat_word::{BeatWord, Parts};
use super::fields::{field, ones, set_field};
use super::passengers::Passenger;
use super::status::StatusPorts;

/// Bits of a slot's kind in `tuser`.
pub(super) const SLOT_USER_BITS: usize = 4;

/// The kind of item that the lanes of one side of a core carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// Units of this many bits.
    Units(usize),
    /// Units of this many bits, each with marks.
    Marked {
        /// Bits of a unit.
        bits: usize,
        /// The marks of a unit.
        verdict: Verdict,
    },
    /// Slots of the UCS stream.
    Slots(Bus),
}

impl Carries {
    /// The kinds of item of a core's input and output.
    fn of(core: &Core) -> (Self, Self) {
        let units = Self::Units(core.spec.system.unit_bits() as usize);
        match core.spec.role {
            Role::Decoder => (units, Self::Slots(core.spec.bus)),
            Role::Encoder => (Self::Slots(core.spec.bus), units),
            Role::Transcoder { to } => (units, Self::Units(to.unit_bits() as usize)),
            Role::Validator(verdict) => {
                let bits = core.spec.system.unit_bits() as usize;
                (units, Self::Marked { bits, verdict })
            }
        }
    }

    /// Whether items are slots.
    pub fn is_slots(self) -> bool {
        matches!(self, Self::Slots(_))
    }

    /// The marks of an item.
    pub fn verdict(self) -> Option<Verdict> {
        if let Self::Marked { verdict, .. } = self { Some(verdict) } else { None }
    }

    /// Bits of a lane's `tdata`.
    pub fn data_bits(self) -> usize {
        match self {
            Self::Units(bits) | Self::Marked { bits, .. } => bits,
            Self::Slots(bus) => bus.data_bits() as usize,
        }
    }

    /// Bits of a lane's `tuser`, if it is about the item.
    pub fn user_bits(self) -> Option<usize> {
        match self {
            Self::Units(_) => None,
            Self::Marked { verdict, .. } => Some(verdict.lane_bits() as usize),
            Self::Slots(_) => Some(SLOT_USER_BITS),
        }
    }
}

/// The ports of a core. Finding them by name is done once, in [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct Ports {
    /// Lanes of a beat on the input.
    pub lanes_in: usize,
    /// Lanes of a beat on the output.
    pub lanes_out: usize,
    reset: PortSlot,
    reset_level: u64,
    reset_is_asynchronous: bool,
    /// The handshakes, whose bits are looked at in every cycle.
    handshakes: Handshakes,
    core_offers: Bit,
    /// Input beats as words, if the core has one lane and its records are small enough.
    word_in: Option<BeatWord>,
    input: Side,
    output: Side,
    /// Bits of the place of a slot that goes out, above its kind: its position, its line and its column. 0 of those that it has not.
    place_bits: [u32; 3],
    passengers: Vec<Passenger>,
    /// The bits of TID that say which stream a beat is of, where beats of several streams come in any order.
    stream_mask: Option<u64>,
    status: Option<StatusPorts>,
}

/// The ports of one AXI4-Stream. A lane may be wider than its item, with zeros above it, and may have several equal bits of
/// `tkeep`.
#[derive(Clone, Debug)]
struct Side {
    carries: Carries,
    /// Bits of a lane in `tdata` and in `tkeep`.
    lane_bits: usize,
    keep_bits: usize,
    tdata: PortSlot,
    tkeep: PortSlot,
    /// A field for each lane where items have a `tuser` each; where other units come out, bits that are all alike.
    tuser: Option<PortSlot>,
    /// Bits of a lane in `tuser`, if it is about the lane: the kind of a slot, and the place above it, or the marks of a unit.
    user_bits: usize,
    has_places: bool,
    tvalid: PortSlot,
    tlast: PortSlot,
    /// The port with the number of the frame's system, which is above the octet in a unit, and how many bits the octet has.
    system: Option<(PortSlot, usize)>,
}

impl Ports {
    /// The ports of `core`.
    ///
    /// # Panics
    /// If the core lacks one of the ports that docs/interface.md names.
    pub fn new(core: &Core) -> Self {
        let layout = Layout::new(&core.design);
        let input = |name: &str| layout.input(name).unwrap_or_else(|| panic!("no input {name}")).clone();
        let output = |name: &str| layout.output(name).unwrap_or_else(|| panic!("no output {name}")).clone();
        let (carries_in, carries_out) = Carries::of(core);
        let [lanes_in, lanes_out] = [core.spec.lanes, core.spec.lanes_out()].map(|lanes| lanes as usize);
        let of_lane = |port: &PortSlot| port.width as usize / lanes_in;
        let of_lane_out = |port: &PortSlot| port.width as usize / lanes_out;
        let user_stride = core.spec.lane_user_stride() as usize;
        let mut ports = Self {
            lanes_in,
            lanes_out,
            reset: input(core.design.reset.port()),
            reset_level: u64::from(core.design.reset.active_level()),
            reset_is_asynchronous: core.design.reset.is_asynchronous(),
            handshakes: Handshakes {
                offers: Bit::of(&input("s_axis_tvalid")),
                takes: Bit::of(&output("s_axis_tready")),
                sink_takes: Bit::of(&input("m_axis_tready")),
                status_takes: core.spec.status.then(|| Bit::of(&input("status_tready"))),
            },
            core_offers: Bit::of(&output("m_axis_tvalid")),
            word_in: None,
            input: Side {
                carries: carries_in,
                lane_bits: of_lane(&input("s_axis_tdata")),
                keep_bits: of_lane(&input("s_axis_tkeep")),
                tdata: input("s_axis_tdata"),
                tkeep: input("s_axis_tkeep"),
                tuser: carries_in.is_slots().then(|| input("s_axis_tuser")),
                user_bits: user_stride,
                has_places: false,
                tvalid: input("s_axis_tvalid"),
                tlast: input("s_axis_tlast"),
                system: layout.input("system").map(|port| (port.clone(), of_lane(&input("s_axis_tdata")))),
            },
            output: Side {
                carries: carries_out,
                lane_bits: of_lane_out(&output("m_axis_tdata")),
                keep_bits: of_lane_out(&output("m_axis_tkeep")),
                tdata: output("m_axis_tdata"),
                tkeep: output("m_axis_tkeep"),
                tuser: Some(output("m_axis_tuser")),
                user_bits: match carries_out {
                    Carries::Slots(_) | Carries::Marked { .. } => user_stride,
                    Carries::Units(_) => 1,
                },
                has_places: core.spec.place_bits() > 0,
                tvalid: output("m_axis_tvalid"),
                tlast: output("m_axis_tlast"),
                system: None,
            },
            place_bits: core.spec.places().map(|(_, bits)| bits),
            status: core.spec.status.then(|| StatusPorts {
                tdata: output("status_tdata"),
                tvalid: output("status_tvalid"),
                tid: (core.spec.streams > 0).then(|| output("status_tid")),
                tready: Bit::of(&input("status_tready")),
            }),
            passengers: Passenger::all(core, input, output),
            stream_mask: u64::from(core.spec.streams).checked_sub(1),
        };
        ports.word_in = ports.input.beat_word(lanes_in);
        ports
    }

    /// The bits of the handshakes, for an engine that follows them.
    pub fn handshakes(&self) -> Handshakes {
        self.handshakes
    }

    /// Output beats as words, if the core has one lane and its records are small enough.
    pub fn beat_word(&self) -> Option<BeatWord> {
        // The user's bits of `tuser`, and places, are no part of such a word.
        let has_user = self.passengers.iter().any(|passenger| passenger.output_name() == "m_axis_tuser");
        if has_user || self.has_places() { None } else { self.output.beat_word(self.lanes_out) }
    }

    /// The kind of item on the input.
    pub fn carries_in(&self) -> Carries {
        self.input.carries
    }

    /// The kind of item on the output.
    pub fn carries_out(&self) -> Carries {
        self.output.carries
    }

    /// Sets the reset port: puts the core into reset, or takes it out.
    pub fn set_reset(&self, inputs: &mut [u64], reset: bool) {
        self.reset.set(inputs, if reset { self.reset_level } else { 1 - self.reset_level });
    }

    /// Whether the core is in reset.
    pub fn is_in_reset(&self, inputs: &[u64]) -> bool {
        self.reset.get(inputs) == self.reset_level
    }

    /// Offers `beat` to the core. The lanes that the beat does not use carry `noise`: a core may not look at them.
    #[inline]
    pub fn offer(&self, inputs: &mut [u64], beat: &Beat, noise: u64) {
        self.offer_items(inputs, &beat.items, beat.last, noise);
    }

    /// Offers the beat of `items` to the core, as [`offer`](Self::offer) does.
    #[inline]
    pub fn offer_items(&self, inputs: &mut [u64], items: &[Item], last: bool, noise: u64) {
        if let Some(word) = &self.word_in {
            let item = items.first().copied();
            let end = if last { word.end(false) } else { 0 };
            return word.put(inputs, word.of(item) | end | word.unused(item.is_some(), noise));
        }
        self.offer_in_lanes(inputs, items, last, noise);
    }

    fn offer_in_lanes(&self, inputs: &mut [u64], items: &[Item], last: bool, noise: u64) {
        let side = &self.input;
        side.fill(inputs, noise);
        for (lane, item) in items.iter().enumerate() {
            let bits = side.carries.data_bits();
            let data = u64::from(item.data) & ones(bits);
            let octet = side.system.as_ref().map_or(bits, |(port, octet)| {
                // The port goes with the first unit.
                if lane == 0 {
                    port.set(inputs, data >> octet);
                }
                *octet
            });
            set_field(&side.tdata, inputs, lane * side.lane_bits, octet, data & ones(octet));
            if let Some(tuser) = &side.tuser {
                set_field(tuser, inputs, lane * side.user_bits, SLOT_USER_BITS, item.user.into());
            }
        }
        side.set_keep(inputs, ones(items.len()));
        side.tlast.set(inputs, last.into());
        side.tvalid.set(inputs, 1);
    }

    /// Whether the core's reset acts at once, and not with the clock.
    pub fn has_asynchronous_reset(&self) -> bool {
        self.reset_is_asynchronous
    }

    /// Offers nothing. All wires of the input but `tvalid` carry `noise`.
    #[inline]
    pub fn offer_nothing(&self, inputs: &mut [u64], noise: u64) {
        match &self.word_in {
            Some(word) => word.put(inputs, word.none(noise)),
            None => self.offer_nothing_in_lanes(inputs, noise),
        }
    }

    fn offer_nothing_in_lanes(&self, inputs: &mut [u64], noise: u64) {
        let side = &self.input;
        side.fill(inputs, noise);
        side.tkeep.fill(inputs, noise >> 8);
        side.tlast.set(inputs, noise >> 63);
        side.tvalid.set(inputs, 0);
    }

    /// The passengers of frames.
    pub fn passengers(&self) -> &[Passenger] {
        &self.passengers
    }

    /// Sets the passengers on the input: those of the frame, and those of the beat.
    pub fn set_passengers(&self, inputs: &mut [u64], of_frame: u64, of_beat: u64) {
        self.passengers.iter().for_each(|passenger| passenger.set(inputs, of_frame, of_beat));
    }

    /// The stream that a beat on the input is of, where beats of several streams come in any order; else 0.
    pub fn stream_in(&self, inputs: &[u64]) -> u64 {
        let Some(mask) = self.stream_mask else { return 0 };
        let tid = self.passengers.iter().find(|passenger| passenger.name() == "tid");
        tid.map_or(0, |tid| tid.value_in(inputs) & mask)
    }

    /// The ports of the status, if the core has one.
    pub(super) fn status(&self) -> Option<&StatusPorts> {
        self.status.as_ref()
    }

    /// Whether a status is offered and not taken.
    #[inline]
    pub fn status_waits(&self, inputs: &[u64], outputs: &[u64]) -> bool {
        self.status
            .as_ref()
            .is_some_and(|status| status.tvalid.get(outputs) == 1 && !status.tready.is_set(inputs))
    }

    /// Whether the core offers a status.
    pub fn offers_status(&self, outputs: &[u64]) -> bool {
        self.status.as_ref().is_some_and(|status| status.tvalid.get(outputs) == 1)
    }

    /// The values of the fields of the status that the core offers, if it offers one.
    pub fn status_fields(&self, outputs: &[u64]) -> Option<Vec<u64>> {
        self.status.as_ref()?.offered(outputs)
    }

    /// The port with the stream of a status, if the core has one.
    pub fn status_tid(&self) -> Option<&PortSlot> {
        self.status.as_ref()?.tid.as_ref()
    }

    /// The `tready` of the status, if the core has one: whether a status is taken in this cycle.
    pub fn takes_status(&self, inputs: &[u64]) -> Option<bool> {
        self.status.as_ref().map(|status| status.tready.is_set(inputs))
    }

    /// Sets the `tready` of the status, if the core has one: whether a status is taken in this cycle.
    pub fn take_status(&self, inputs: &mut [u64], ready: bool) {
        if let Some(status) = &self.status {
            status.tready.set(inputs, ready);
        }
    }

    /// Whether a beat is offered to the core.
    #[inline]
    pub fn is_offered(&self, inputs: &[u64]) -> bool {
        self.handshakes.offers.is_set(inputs)
    }

    /// Whether the beat that is offered to the core ends its frame.
    pub fn last_in(&self, inputs: &[u64]) -> bool {
        self.input.tlast.get(inputs) == 1
    }

    /// The beat that is offered to the core, if any: its items without the bits above them, which may have any value.
    pub fn offered(&self, inputs: &[u64]) -> Option<Beat> {
        let mut beat = self.input.beat(inputs, self.lanes_in)?;
        let carries = self.input.carries;
        let user = carries.user_bits().map_or(0, |bits| ones(bits) as u16);
        for item in &mut beat.items {
            item.data &= ones(carries.data_bits()) as u32;
            item.user &= user;
        }
        Some(beat)
    }

    /// Sets the `tready` of the output: whether an output beat is taken in this cycle.
    pub fn take(&self, inputs: &mut [u64], ready: bool) {
        self.handshakes.sink_takes.set(inputs, ready);
    }

    /// The `tready` of the output: whether an output beat is taken in this cycle.
    #[inline]
    pub fn sink_takes(&self, inputs: &[u64]) -> bool {
        self.handshakes.sink_takes.is_set(inputs)
    }

    /// The `tready` of the input: whether the core takes the beat it is offered.
    #[inline]
    pub fn takes(&self, outputs: &[u64]) -> bool {
        self.handshakes.takes.is_set(outputs)
    }

    /// Whether the core offers a beat.
    #[inline]
    pub fn offers(&self, outputs: &[u64]) -> bool {
        self.core_offers.is_set(outputs)
    }

    /// The beat that the core offers, if any.
    pub fn beat(&self, outputs: &[u64]) -> Option<Beat> {
        self.output.beat(outputs, self.lanes_out)
    }

    /// The `tkeep` of the core's beat: which lanes hold an item.
    pub fn keep(&self, outputs: &[u64]) -> u64 {
        self.output.keep(outputs)
    }

    /// The output port whose bits must be equal and are not, if any: `tkeep` of a lane, or `tuser` of units where no bits of the
    /// user's are in it.
    pub fn uneven(&self, outputs: &[u64]) -> Option<&PortSlot> {
        let side = &self.output;
        let bit = |port: &PortSlot, bit| field(port, outputs, bit, 1);
        let is_even = |port: &PortSlot, bits: usize| {
            (0..port.width as usize).all(|at| bit(port, at) == bit(port, at - at % bits))
        };
        let has_user = self.passengers.iter().any(|passenger| passenger.output_name() == "m_axis_tuser");
        let tuser = side.tuser.as_ref().filter(|_| side.carries.user_bits().is_none() && !has_user);
        [Some((&side.tkeep, side.keep_bits)), tuser.map(|tuser| (tuser, tuser.width as usize))]
            .into_iter()
            .flatten()
            .find(|&(port, bits)| bits > 1 && !is_even(port, bits))
            .map(|(port, _)| port)
    }

    /// Whether the core's beat ends its frame.
    pub fn last(&self, outputs: &[u64]) -> bool {
        self.output.tlast.get(outputs) == 1
    }

    /// The item in `lane` of the core's beat.
    pub fn item(&self, outputs: &[u64], lane: usize) -> Item {
        self.output.item(outputs, lane)
    }

    /// Whether slots that go out have a place: a position, a line or a column.
    pub fn has_places(&self) -> bool {
        self.output.has_places
    }

    /// The position, line and column of the slot in `lane` of the core's beat, with their bits; 0 bits where slots have none.
    pub fn places(&self, outputs: &[u64], lane: usize) -> [(u64, u32); 3] {
        let mut low = lane * self.output.user_bits + SLOT_USER_BITS;
        self.place_bits.map(|bits| {
            let place =
                self.output.tuser.as_ref().map_or(0, |tuser| field(tuser, outputs, low, bits as usize));
            low += bits as usize;
            (place, bits)
        })
    }

    /// The marks on the core's beat that ends a frame without a unit; 0 for a core that has no marks.
    pub fn marks_of_end(&self, outputs: &[u64]) -> u16 {
        self.output.item(outputs, 0).user
    }

    /// The `tuser` of a core that writes units: whether the frame held something that could not be written. `None` for other cores.
    pub fn amiss(&self, outputs: &[u64]) -> Option<bool> {
        let tuser = self.output.tuser.as_ref().filter(|_| self.output.carries.user_bits().is_none());
        tuser.map(|tuser| field(tuser, outputs, 0, 1) == 1)
    }

    /// Sets the ports of a beat, or of a status, that is not offered to zero: they may have any value.
    pub fn blank_idle(&self, outputs: &mut [u64]) {
        if !self.offers(outputs) {
            self.held_while_waiting().for_each(|port| port.write(outputs, &vec![0; port.words()]));
        }
        if let Some(status) = &self.status
            && status.tvalid.get(outputs) == 0
        {
            for port in [Some(&status.tdata), status.tid.as_ref()].into_iter().flatten() {
                port.write(outputs, &vec![0; port.words()]);
            }
        }
    }

    /// The output ports that may not change while a beat waits for `tready`.
    pub fn held_while_waiting(&self) -> impl Iterator<Item = &PortSlot> {
        let side = &self.output;
        let passengers = self.passengers.iter().map(Passenger::output);
        let of_beat = [&side.tvalid, &side.tdata, &side.tkeep, &side.tlast];
        of_beat.into_iter().chain(&side.tuser).chain(passengers)
    }
}

impl Side {
    fn beat_word(&self, lanes: usize) -> Option<BeatWord> {
        let Self { carries, tvalid, tdata, tkeep, tlast, tuser, .. } = self;
        let (tuser, item_bits) = (tuser.as_ref(), carries.data_bits());
        let has_users = carries.user_bits().is_some();
        let parts = Parts { tvalid, tdata, tkeep, tlast, tuser, item_bits, has_users };
        if lanes == 1 && self.system.is_none() { BeatWord::new(parts) } else { None }
    }

    /// Fills all lanes with a pattern.
    fn fill(&self, record: &mut [u64], pattern: u64) {
        self.tdata.fill(record, pattern);
        if let Some(tuser) = &self.tuser {
            tuser.fill(record, pattern.rotate_right(24));
        }
        if let Some((system, _)) = &self.system {
            system.fill(record, pattern.rotate_right(40));
        }
    }

    /// The lanes that hold something: a bit each.
    fn keep(&self, record: &[u64]) -> u64 {
        if self.keep_bits == 1 {
            return self.tkeep.get(record);
        }
        let lanes = self.tkeep.width as usize / self.keep_bits;
        (0..lanes).fold(0, |keep, lane| keep | field(&self.tkeep, record, lane * self.keep_bits, 1) << lane)
    }

    fn set_keep(&self, record: &mut [u64], keep: u64) {
        if self.keep_bits == 1 {
            return self.tkeep.set(record, keep);
        }
        for lane in 0..self.tkeep.width as usize / self.keep_bits {
            let value = if keep >> lane & 1 == 1 { ones(self.keep_bits) } else { 0 };
            set_field(&self.tkeep, record, lane * self.keep_bits, self.keep_bits, value);
        }
    }

    fn beat(&self, record: &[u64], lanes: usize) -> Option<Beat> {
        (self.tvalid.get(record) == 1).then(|| {
            let keep = self.keep(record);
            let items = lanes_in(keep, lanes).map(|lane| self.item(record, lane)).collect();
            Beat { items, last: self.tlast.get(record) == 1 }
        })
    }

    fn item(&self, record: &[u64], lane: usize) -> Item {
        // All bits of the lane: those above a unit have to be zero.
        let data = field(&self.tdata, record, lane * self.lane_bits, self.lane_bits) as u32;
        let tuser = self.tuser.as_ref().filter(|_| self.carries.user_bits().is_some());
        // All bits of the lane but those of a place: bits above a kind or above marks have to be zero.
        let bits = if self.has_places { SLOT_USER_BITS } else { self.user_bits };
        let user = tuser.map_or(0, |tuser| field(tuser, record, lane * self.user_bits, bits) as u16);
        let number = self.system.as_ref().map_or(0, |(port, octet)| (port.get(record) as u32) << octet);
        Item { data: data | number, user }
    }
}

/// The lanes in use by a `tkeep`, lowest first.
pub fn lanes_in(keep: u64, lanes: usize) -> impl Iterator<Item = usize> {
    (0..lanes).filter(move |lane| keep >> lane & 1 == 1)
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{CoreSpec, Max, System};

    use super::*;
    use crate::promise::hollow;

    /// Beats of any number of items, in any number of lanes: fields cross words, and lanes that are not used hold noise.
    #[test]
    fn what_is_offered_is_read_back_in_any_number_of_lanes() {
        for (system, role, mask) in [
            (System::Utf9 { max: Max::Unicode }, Role::Decoder, 0x1ff),
            (System::hunk(5), Role::Decoder, 0x1f),
            (System::Utf8, Role::Encoder, u32::MAX),
        ] {
            for lanes in [1, 2, 3, 4, 8, 16, 32, 64] {
                let core = hollow::core(CoreSpec { lanes, ..CoreSpec::new(system, role) }, 1);
                let ports = Ports::new(&core);
                let mut inputs = vec![0; Layout::new(&core.design).input_words];
                for count in [0, 1, lanes / 2, lanes] {
                    let user = |lane| if role == Role::Encoder { (lane % 16) as u16 } else { 0 };
                    let item = |lane: u32| Item {
                        data: (lane + 1).wrapping_mul(0x9e37_79b9) & mask,
                        user: user(lane),
                    };
                    let beat = Beat { items: (0..count).map(item).collect(), last: count % 2 == 0 };
                    ports.set_reset(&mut inputs, false);
                    ports.take(&mut inputs, true);
                    ports.offer(&mut inputs, &beat, 0x0123_4567_89ab_cdef);
                    assert_eq!(ports.offered(&inputs), Some(beat), "{system}, {count} of {lanes} lanes");
                    ports.offer_nothing(&mut inputs, u64::MAX);
                    assert_eq!(ports.offered(&inputs), None, "{system}, {lanes} lanes");
                }
            }
        }
    }
}
