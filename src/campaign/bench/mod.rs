//! The test bench of a campaign, as a netlist around the core. Driver and checker run bit-sliced together with the core, so
//! that they do not limit the speed of a campaign.
//! ```text
//!            ┌──────── bench ────────────────────────────────────────┐
//!   begins ─>│ ┌────────┐ beats ┌──────┐ beats ┌─────────┐           │
//!   unit p ─>│ │ driver │ ────> │ core │ ────> │ checker │ ──────────│─> failed, open
//!   offer ──>│ └────────┘       └──────┘       └─────────┘           │
//!   take ───>│                      │               ^                │
//!   item k ──│──────────────────────│───────────────┘                │
//!            │                      └────────────────────────────────│─> valid, ready
//!            └───────────────────────────────────────────────────────┘
//! ```
//!
//! All units of a frame (for an encoder, slots) and all items that the reference expects are inputs of the bench. They stay the
//! same until `frame_begins` is 1 again. The driver offers one unit in each cycle in which `offer` is 1. The checker compares
//! every beat that the core offers, taken or not, with the item that is due:
//!
//! - every bit of the beat has to be that of the item, `tkeep` and `tlast` included, and there has to be an item;
//! - `tvalid` has to stay while a beat waits.
//!
//! Cores with a status have another input for the status of the frame, and a second checker.
//!
//! The bench does not check when beats come: it shows both handshakes, from which the `timing` module checks
//! that.

mod many_lanes;
mod one_lane;
mod passengers;
mod status;

use utfhdl_hdl::core::{Core, CoreSpec, Packing, Role};
use utfhdl_hdl::netlist::{Builder, Design, Signal};

use self::passengers::OfFrame;
use crate::promise::{Item, low_bits};

/// How many bits a lane of a stream has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Bits of `tdata`.
    pub data: u32,
    /// Bits of `tuser`; 0 without `tuser`.
    pub user: u32,
}

/// Bits of `tuser` that hold the kind of a slot.
const SLOT_USER_BITS: u32 = 4;

/// Bits of all places of a slot in the word of an item.
const WORD_PLACE_BITS: u32 = 24;

/// Bits of the position, line and column of a slot that the word of an item has room for. Bits above must be zero.
fn place_bits(spec: CoreSpec) -> [u32; 3] {
    let places = spec.places();
    let most = most_place_bits(spec);
    places.map(|(_, bits)| bits.min(most))
}

/// The most bits of a position, line or column in the word of an item; no frame of a campaign has more units than they count.
fn most_place_bits(spec: CoreSpec) -> u32 {
    let present = spec.places().into_iter().filter(|&(_, bits)| bits > 0).count();
    WORD_PLACE_BITS / present.max(1) as u32
}

/// The place of a slot as bits of the word of its item.
pub fn placed(spec: CoreSpec, place: [u64; 3]) -> u64 {
    let mut low = spec.bus.data_bits() + SLOT_USER_BITS;
    let fields = place.into_iter().zip(place_bits(spec)).map(|(place, bits)| {
        let field = low_bits(place, bits) << low;
        low += bits;
        field
    });
    fields.fold(0, |word, field| word | field)
}

impl Lane {
    /// The lanes of a core's input and of its output.
    pub fn of(core: &Core) -> (Self, Self) {
        let unit = |bits, user| Self { data: bits, user };
        let user = SLOT_USER_BITS + place_bits(core.spec).into_iter().sum::<u32>();
        let slot = Self { data: core.spec.bus.data_bits(), user };
        let system = core.spec.system;
        match core.spec.role {
            Role::Decoder => (unit(system.unit_bits(), 0), slot),
            Role::Encoder => (slot, unit(system.unit_bits(), 1)),
            Role::Transcoder { to } => (unit(system.unit_bits(), 0), unit(to.unit_bits(), 1)),
            Role::Validator(verdict) => {
                (unit(system.unit_bits(), 0), unit(system.unit_bits(), verdict.lane_bits()))
            }
        }
    }

    /// Bits of `tdata` and `tuser` together.
    pub fn bits(self) -> u32 {
        self.data + self.user
    }

    /// An item as one word, `tdata` in the low bits.
    pub fn word(self, item: Item) -> u64 {
        u64::from(item.data) & (u64::MAX >> (64 - self.data)) | u64::from(item.user) << self.data
    }
}

/// The size of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The most units of a frame, or for an encoder slots; at least 1.
    pub units: usize,
    /// The most items that come out of a frame, its bare end included.
    pub items: usize,
    /// A lane of the core's input.
    pub input: Lane,
    /// A lane of the core's output.
    pub output: Lane,
    /// Whether either side can stall.
    pub stalls: bool,
    /// The lanes of the core's input.
    pub lanes: usize,
    /// The lanes of its output.
    pub lanes_out: usize,
}

/// Names of the inputs that hold a frame and its items.
pub mod port {
    /// The unit at an index in the frame.
    pub fn unit(unit: usize) -> String {
        format!("unit{unit}")
    }

    /// Whether the unit at that index is the frame's last.
    pub fn ends(unit: usize) -> String {
        format!("ends{unit}")
    }

    /// The port that says whether the unit at that index is the last of its beat; for cores of several lanes.
    pub fn beat_ends(unit: usize) -> String {
        format!("beat_ends{unit}")
    }

    /// The item at an index: from the low bits up, the lane, `tkeep` and `tlast`.
    pub fn item(item: usize) -> String {
        format!("item{item}")
    }

    /// The status of the frame, for cores that have one.
    pub const STATUS: &str = "status";

    /// Whether the sink of the status does not stall.
    pub const TAKE_STATUS: &str = "take_status";

    /// Whether there is an item at that index.
    pub fn there(item: usize) -> String {
        format!("there{item}")
    }
}

/// The outputs of a bench, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A beat was wrong since the frame began.
    Failed,
    /// After this cycle, units are still to be taken, or items to come.
    Open,
    /// The core offers a beat: its `m_axis_tvalid`.
    Valid,
    /// The core takes the offered beat: its `s_axis_tready`.
    Ready,
}

impl Output {
    /// The number of outputs of one bit. For a core with a status, a further output says that the core offers a status. For a core of several
    /// lanes, the last outputs give the number of items of the beat, the lowest bit first.
    pub const COUNT: usize = 4;
}

/// A bench around a core.
pub fn bench(core: &Core, shape: Shape) -> Design {
    let summary = "Offers a frame to a core and compares what comes out with what is due.";
    assert!(shape.units < 1 << most_place_bits(core.spec), "an item has room for the position of every unit");
    let m = Builder::new(format!("{}_bench", core.design.top.name()), summary);
    let begin = m.input("frame_begins", 1, "a frame begins");
    let inner = m.instance("core", &core.design.top);
    // Nobody reads the registers of the core, if it has some.
    for port in core.design.top.inputs().filter(|port| port.name.starts_with("s_axil_")) {
        inner.input(&port.name, m.lit(port.width, 0));
    }
    let passengers = OfFrame::new(&m, core, inner, begin);
    let found = match shape.lanes_out {
        1 => one_lane::checker(&m, (core, inner), begin, shape),
        _ => {
            let is_dense = core.spec.role.has_encoder() || core.spec.pack == Packing::Dense;
            many_lanes::checker(&m, (core, inner), begin, shape, is_dense)
        }
    };
    let still_offered = match shape.lanes {
        1 => one_lane::driver(&m, core, inner, begin, shape, passengers),
        _ => many_lanes::driver(&m, core, inner, begin, shape, passengers),
    };
    let wrong = passengers.map_or(found.wrong, |passengers| found.wrong | passengers.wrong());
    let failed = m.reg("failed_reg", 1);
    let status = status::checker(&m, (core, inner), begin, found.last_taken, shape.stalls);
    let wrong = status.as_ref().map_or(wrong, |status| wrong | status.wrong);
    let open = status.as_ref().map_or(found.open, |status| found.open | status.open);
    let failed_now = (!begin & failed.q | wrong).named("failed_now");
    failed.next(failed_now);
    m.output("failed", failed_now, "a beat was wrong since the frame began");
    m.output("open", still_offered | open, "after this cycle, units are still to be taken, or items to come");
    m.output("valid", inner.output("m_axis_tvalid"), "the core offers a beat");
    m.output("ready", inner.output("s_axis_tready"), "the core takes what it is offered");
    if let Some(status) = status {
        m.output("status_valid", status.valid, "the core offers a status");
    }
    if let Some(count) = found.count {
        m.output("count", count, "how many items the beat holds");
    }
    Design { top: m.built(), reset: core.design.reset }
}

/// The checker's findings in a cycle.
struct Found<'m> {
    /// The beat is wrong.
    wrong: Signal<'m>,
    /// Items are still to come after this cycle.
    open: Signal<'m>,
    /// The frame's last beat is taken.
    last_taken: Signal<'m>,
    /// How many items the beat holds, of a core of several lanes.
    count: Option<Signal<'m>>,
}

/// An input that says in which cycles a side does not stall; a constant 1 where no side can stall.
fn stall_input<'m>(m: &'m Builder, name: &str, stalls: bool) -> Signal<'m> {
    if stalls { m.input(name, 1, "the stream goes on") } else { m.lit(1, 1) }
}

/// Compares two values, in a chain over their bits: each step is a function of three bits, and therefore one gate.
fn differ<'m>(a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let bits = (0..a.width()).map(|bit| a.bit(bit) ^ b.bit(bit));
    bits.reduce(|before, bit| before | bit).expect("at least one bit")
}

fn any<'m>(signals: &[Signal<'m>]) -> Signal<'m> {
    signals.iter().copied().reduce(|a, b| a | b).expect("at least one")
}

/// Whether two signals at the same index of both lists are 1.
fn any_of_both<'m>(a: &[Signal<'m>], b: &[Signal<'m>]) -> Signal<'m> {
    any(&a.iter().zip(b).map(|(a, b)| *a & *b).collect::<Vec<_>>())
}
