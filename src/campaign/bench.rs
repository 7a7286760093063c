//! The test bench of a campaign, as a netlist around the core. So driver and checker run bit-sliced together with the core,
//! and are not what a campaign waits for.
//!
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
//! All units of a frame (for an encoder, slots) stand on the inputs, and so do all items that the reference says must come
//! out. Both stay the same until `frame_begins` is 1 again. The driver offers one unit in each cycle in which `offer` is 1. The
//! checker compares every beat that the core offers, taken or not, with the item that is due:
//!
//! - every bit of the beat has to be that of the item, `tkeep` and `tlast` included, and there has to be an item;
//! - `tvalid` has to stay while a beat waits.
//!
//! The bench does not check when beats come: it shows both handshakes, from which the `timing` module checks
//! that.

use utfhdl_hdl::core::{Core, Role};
use utfhdl_hdl::netlist::{Builder, Design, InstanceHandle, Reg, Signal};

use crate::promise::Item;

/// How many bits a lane of a stream has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Bits of `tdata`.
    pub data: u32,
    /// Bits of `tuser`; 0 where there is none.
    pub user: u32,
}

impl Lane {
    /// The lane of a stream of slots.
    const SLOT: Self = Self { data: 32, user: 4 };

    /// The lanes of a core's input and of its output.
    pub fn of(core: &Core) -> (Self, Self) {
        let unit = |bits, user| Self { data: bits, user };
        let system = core.spec.system;
        match core.spec.role {
            Role::Decoder => (unit(system.unit_bits(), 0), Self::SLOT),
            Role::Encoder => (Self::SLOT, unit(system.unit_bits(), 1)),
            Role::Transcoder { to } => (unit(system.unit_bits(), 0), unit(to.unit_bits(), 1)),
        }
    }

    /// Bits of `tdata` and `tuser` together.
    pub fn bits(self) -> u32 {
        self.data + self.user
    }

    /// An item as one word, `tdata` in the low bits.
    pub fn word(self, item: Item) -> u64 {
        u64::from(item.data) | u64::from(item.user) << self.data
    }
}

/// The size of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The most units of a frame, or for an encoder slots; at least 1.
    pub units: usize,
    /// The most beats that come out of a frame.
    pub items: usize,
    /// A lane of the core's input.
    pub input: Lane,
    /// A lane of the core's output.
    pub output: Lane,
    /// Whether either side can stall.
    pub stalls: bool,
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

    /// The item at an index: from the low bits up, the lane, `tkeep` and `tlast`.
    pub fn item(item: usize) -> String {
        format!("item{item}")
    }

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
    /// The core takes what it is offered: its `s_axis_tready`.
    Ready,
}

impl Output {
    /// How many outputs there are, each of one bit.
    pub const COUNT: usize = 4;
}

/// A bench around a core of one lane.
pub fn bench(core: &Core, shape: Shape) -> Design {
    let summary = "Offers a frame to a core and compares what comes out with what is due.";
    let m = Builder::new(format!("{}_bench", core.design.top.name()), summary);
    let begin = m.input("frame_begins", 1, "a frame begins");
    let inner = m.instance("core", &core.design.top);
    let still_offered = driver(&m, core, inner, begin, shape);
    let found = checker(&m, inner, begin, shape);
    let failed = m.reg("failed_reg", 1);
    let failed_now = (!begin & failed.q | found.wrong).named("failed_now");
    failed.next(failed_now);
    m.output("failed", failed_now, "a beat was wrong since the frame began");
    m.output(
        "open",
        still_offered | found.open,
        "after this cycle, units are still to be taken, or items to come",
    );
    m.output("valid", inner.output("m_axis_tvalid"), "the core offers a beat");
    m.output("ready", inner.output("s_axis_tready"), "the core takes what it is offered");
    Design { top: m.built(), reset: core.design.reset }
}

/// Offers the units of the frame, one after the other. The result says whether there is more to offer after this cycle.
fn driver<'m>(
    m: &'m Builder,
    core: &Core,
    inner: InstanceHandle<'m>,
    begin: Signal<'m>,
    shape: Shape,
) -> Signal<'m> {
    m.section("The driver: the one bit of `at` that is 1 is that of the unit to be offered");
    let units: Vec<Signal> =
        (0..shape.units).map(|unit| m.input(&port::unit(unit), shape.input.bits(), "")).collect();
    let ends: Vec<Signal> = (0..shape.units).map(|unit| m.input(&port::ends(unit), 1, "")).collect();
    let bare = m.input("bare", 1, "the frame has no unit, only an end");
    let offer = stall_input(m, "offer", shape.stalls);
    let at: Vec<Reg> = (0..shape.units).map(|unit| m.reg(&format!("at{unit}_reg"), 1)).collect();
    let at_now = first_at_begin(begin, &at);

    let valid = (any(&at_now) & offer).named("valid_in");
    let unit = at_now.iter().zip(&units).map(|(at, unit)| unit.when(*at)).reduce(|a, b| a | b);
    let unit = unit.expect("at least one unit").named("unit");
    let Lane { data, user } = shape.input;
    // A strict core has zeros above the unit, and a bit of TKEEP for each byte.
    let width =
        |name: &str| core.design.top.inputs().find(|port| port.name == name).map_or(0, |port| port.width);
    inner
        .input("s_axis_tdata", unit.bits(0..data).zext(width("s_axis_tdata")))
        .input("s_axis_tkeep", (!bare).repeat(width("s_axis_tkeep") as usize))
        .input("s_axis_tvalid", valid)
        .input("s_axis_tlast", any_of_both(&at_now, &ends));
    if user > 0 {
        inner.input("s_axis_tuser", unit.bits(data..data + user));
    }

    let accepted = (valid & inner.output("s_axis_tready")).named("accepted");
    let mut next = vec![!accepted & at_now[0]];
    for unit in 1..shape.units {
        next.push(accepted.mux(at_now[unit - 1] & !ends[unit - 1], at_now[unit]));
    }
    at.iter().zip(&next).for_each(|(at, next)| at.next(*next));
    any(&next)
}

/// What the checker says in a cycle.
struct Found<'m> {
    /// The beat is wrong.
    wrong: Signal<'m>,
    /// Items are still to come after this cycle.
    open: Signal<'m>,
}

/// Compares what the core offers with the item that is due.
fn checker<'m>(m: &'m Builder, core: InstanceHandle<'m>, begin: Signal<'m>, shape: Shape) -> Found<'m> {
    m.section("The checker: the one bit of `due` that is 1 is that of the next item; the last bit stands for no item");
    let items: Vec<Signal> =
        (0..shape.items).map(|item| m.input(&port::item(item), shape.output.bits() + 2, "")).collect();
    let there: Vec<Signal> = (0..shape.items).map(|item| m.input(&port::there(item), 1, "")).collect();
    let take = stall_input(m, "take", shape.stalls);
    core.input("m_axis_tready", take);
    let due: Vec<Reg> = (0..=shape.items).map(|item| m.reg(&format!("due{item}_reg"), 1)).collect();
    let due_now = first_at_begin(begin, &due);

    let valid = core.output("m_axis_tvalid");
    let Lane { data, user } = shape.output;
    let fields = [("m_axis_tlast", 1), ("m_axis_tkeep", 1), ("m_axis_tuser", user), ("m_axis_tdata", data)];
    let fields = fields.map(|(name, bits)| Field::new(core.output(name), bits, name == "m_axis_tdata"));
    let beat = m.concat(fields.iter().map(|field| field.value));
    let uneven = fields.iter().filter_map(|field| field.uneven).reduce(|a, b| a | b);
    let differs: Vec<Signal> = items.iter().map(|item| differ(beat, *item)).collect();
    let wrong_item: Vec<Signal> =
        differs.iter().zip(&there).map(|(differ, there)| *differ | !*there).collect();
    let none_due = due_now[shape.items];
    let wrong_beat = any_of_both(&due_now, &wrong_item) | none_due;
    let wrong_beat = uneven.map_or(wrong_beat, |uneven| wrong_beat | uneven);
    let mismatch = (valid & wrong_beat).named("mismatch");
    let wrong = if shape.stalls {
        let waits = m.reg("waits_reg", 1);
        waits.next(valid & !take);
        mismatch | (!begin & waits.q & !valid).named("withdrawn")
    } else {
        mismatch
    };

    let taken = (valid & take).named("taken");
    let mut next = vec![!taken & due_now[0]];
    for item in 1..=shape.items {
        let stays = if item == shape.items { due_now[item] } else { !taken & due_now[item] };
        next.push(taken & due_now[item - 1] | stays);
    }
    due.iter().zip(&next).for_each(|(due, next)| due.next(*next));
    Found { wrong, open: any_of_both(&next, &there) }
}

/// What an output port of the core says, in as many bits as the checker compares.
struct Field<'m> {
    value: Signal<'m>,
    /// Whether the other bits, which only a strict core has, are wrong.
    uneven: Option<Signal<'m>>,
}

impl<'m> Field<'m> {
    /// The low `bits` of `port`. The others must be zero if the port carries data, and else equal to the lowest bit.
    fn new(port: Signal<'m>, bits: u32, is_data: bool) -> Self {
        if port.width() == bits {
            return Self { value: port, uneven: None };
        }
        let uneven = if is_data { port.bits(bits..port.width()).any() } else { port.any() & !port.all() };
        Self { value: port.bits(0..bits), uneven: Some(uneven) }
    }
}

/// An input that says in which cycles a side does not stall; a constant 1 where no side can stall.
fn stall_input<'m>(m: &'m Builder, name: &str, stalls: bool) -> Signal<'m> {
    if stalls { m.input(name, 1, "the stream goes on") } else { m.lit(1, 1) }
}

/// The values of one-hot registers in this cycle: where a frame begins, the first is 1 and the others are 0.
fn first_at_begin<'m>(begin: Signal<'m>, registers: &[Reg<'m>]) -> Vec<Signal<'m>> {
    let now = |(index, register): (usize, &Reg<'m>)| match index {
        0 => begin | register.q,
        _ => !begin & register.q,
    };
    registers.iter().enumerate().map(now).collect()
}

/// Whether two values differ, in a chain over their bits: each step is one function of three bits, so one gate.
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
