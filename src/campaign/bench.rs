//! The test bench of a campaign, as a netlist around the core: so it runs bit-sliced with it, and a checker is not what
//! a campaign waits for.
//!
//! ```text
//!            ┌──────── bench ────────────────────────────────────────┐
//!   begins ─>│ ┌────────┐ beats ┌──────┐ beats ┌─────────┐           │
//!   unit p ─>│ │ driver │ ────> │ core │ ────> │ checker │ ──────────│─> failed, open
//!   offer ──>│ └────────┘       └──────┘       └─────────┘           │
//!   take ───>│                                      ^                │
//!   item k ──│──────────────────────────────────────┘                │
//!            └───────────────────────────────────────────────────────┘
//! ```
//!
//! A frame is put on the inputs, unit by unit, with all that the reference says must come out, item by item; both stay as
//! they are until `frame_begins` is 1 again. The driver offers the units one a cycle where `offer` is 1. The checker holds every beat
//! the core offers, taken or not, against the item that is due:
//!
//! - the beat is the item, to the bit, `tkeep` and `tlast` included, and no beat comes but for an item;
//! - it does not come before the unit that makes it certain has been in for the core's latency;
//! - a beat that waits stays;
//! - where nothing stalls, an item comes no later either, or behind the one before it, and the core takes a unit each
//!   cycle. (Of a core that withholds slots, co-simulation knows when it has to.)

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Builder, Design, InstanceHandle, Reg, Signal};

/// Bits of a slot: `tdata`, then `tuser`.
pub const SLOT_BITS: u32 = 36;

/// What a bench is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The most units of a frame, at least 1.
    pub units: usize,
    /// The width of a unit, in bits.
    pub unit_bits: u32,
    /// Whether the streams stall.
    pub stalls: bool,
    /// Whether the core may make its source wait where nothing stalls: one that has to send several slots at once that
    /// it withheld.
    pub withholds: bool,
}

impl Shape {
    /// The most beats that come out of a frame: a slot for each unit, or an empty one that ends it.
    pub fn items(&self) -> usize {
        self.units
    }
}

/// Names of the inputs that hold a frame.
pub mod port {
    /// A unit, by its place in the frame.
    pub fn unit(unit: usize) -> String {
        format!("unit{unit}")
    }

    /// Whether that unit is the frame's last.
    pub fn ends(unit: usize) -> String {
        format!("ends{unit}")
    }

    /// An item, by its place: slot, keep, last, from the low bits up.
    pub fn item(item: usize) -> String {
        format!("item{item}")
    }

    /// Whether there is that item.
    pub fn there(item: usize) -> String {
        format!("there{item}")
    }

    /// Whether that item is certain once that unit is taken, and not before.
    pub fn certain(item: usize, unit: usize) -> String {
        format!("certain{item}_{unit}")
    }
}

/// A bench around a decoder of one lane.
pub fn decoder_bench(core: &Core, shape: Shape) -> Design {
    let summary = "Offers a frame to a decoder and holds what comes out against what is due.";
    let m = Builder::new(format!("{}_bench", core.design.top.name()), summary);
    let begin = m.input("frame_begins", 1, "a frame begins");
    let decoder = m.instance("core", &core.design.top);
    let offered = driver(&m, decoder, begin, shape);
    let found = checker(&m, decoder, begin, offered.accepted, core.latency, shape);
    let wrong = match shape.stalls || shape.withholds {
        true => found.wrong,
        false => found.wrong | (offered.valid & !offered.accepted).named("refused"),
    };
    let failed = m.reg("failed_reg", 1);
    let failed_now = (!begin & failed.q | wrong).named("failed_now");
    failed.next(failed_now);
    m.output("failed", failed_now, "something was wrong since the frame began");
    m.output("open", offered.open | found.open, "after this cycle something is still to come");
    Design { top: m.built(), reset: core.design.reset }
}

/// What the driver does in a cycle.
struct Offered<'m> {
    valid: Signal<'m>,
    accepted: Signal<'m>,
    /// There is more to offer after this cycle.
    open: Signal<'m>,
}

/// Offers the units of the frame, one after the other.
fn driver<'m>(m: &'m Builder, core: InstanceHandle<'m>, begin: Signal<'m>, shape: Shape) -> Offered<'m> {
    m.section("The driver: one of `at` is 1 while its unit is to be offered");
    let units: Vec<Signal> =
        (0..shape.units).map(|unit| m.input(&port::unit(unit), shape.unit_bits, "")).collect();
    let ends: Vec<Signal> = (0..shape.units).map(|unit| m.input(&port::ends(unit), 1, "")).collect();
    let bare = m.input("bare", 1, "the frame has no unit, only an end");
    let offer = stall_input(m, "offer", shape.stalls);
    let at: Vec<Reg> = (0..shape.units).map(|unit| m.reg(&format!("at{unit}_reg"), 1)).collect();
    let at_now = first_at_begin(begin, &at);

    let valid = (any(&at_now) & offer).named("valid");
    let unit = at_now.iter().zip(&units).map(|(at, unit)| unit.when(*at)).reduce(|a, b| a | b);
    let last = any_of_both(&at_now, &ends);
    core.input("s_axis_tdata", unit.expect("at least one unit"))
        .input("s_axis_tkeep", !bare)
        .input("s_axis_tvalid", valid)
        .input("s_axis_tlast", last);

    let accepted = (valid & core.output("s_axis_tready")).named("accepted");
    let mut next = vec![!accepted & at_now[0]];
    for unit in 1..shape.units {
        next.push(accepted.mux(at_now[unit - 1] & !ends[unit - 1], at_now[unit]));
    }
    at.iter().zip(&next).for_each(|(at, next)| at.next(*next));
    Offered { valid, accepted, open: any(&next) }
}

/// What the checker says in a cycle.
struct Found<'m> {
    wrong: Signal<'m>,
    /// There is more to come after this cycle.
    open: Signal<'m>,
}

/// Holds what the core offers against the item that is due.
fn checker<'m>(
    m: &'m Builder,
    core: InstanceHandle<'m>,
    begin: Signal<'m>,
    accepted: Signal<'m>,
    latency: u32,
    shape: Shape,
) -> Found<'m> {
    m.section("The checker: one of `due` is 1, that of the item that comes next; the last stands for none");
    let items: Vec<Signal> =
        (0..shape.items()).map(|item| m.input(&port::item(item), SLOT_BITS + 2, "")).collect();
    let there: Vec<Signal> = (0..shape.items()).map(|item| m.input(&port::there(item), 1, "")).collect();
    let take = stall_input(m, "take", shape.stalls);
    core.input("m_axis_tready", take);
    let due: Vec<Reg> = (0..=shape.items()).map(|item| m.reg(&format!("due{item}_reg"), 1)).collect();
    let due_now = first_at_begin(begin, &due);

    let valid = core.output("m_axis_tvalid");
    let fields = ["m_axis_tlast", "m_axis_tkeep", "m_axis_tuser", "m_axis_tdata"];
    let beat = m.concat(fields.map(|name| core.output(name)));
    let differs: Vec<Signal> = items.iter().map(|item| differ(beat, *item)).collect();
    let wrong_item: Vec<Signal> =
        differs.iter().zip(&there).map(|(differ, there)| *differ | !*there).collect();
    let none_due = due_now[shape.items()];
    let mismatch = (valid & (any_of_both(&due_now, &wrong_item) | none_due)).named("mismatch");

    let certain = any_of_both(&due_now, &certain(m, begin, accepted, latency, shape)).named("certain");
    let unpunctual = if shape.stalls || shape.withholds {
        let waits = m.reg("waits_reg", 1);
        waits.next(valid & !take);
        (valid & !certain).named("early") | (!begin & waits.q & !valid).named("withdrawn")
    } else {
        // What is certain and next comes now: there is no bubble between two beats that are owed.
        (valid ^ certain).named("unpunctual")
    };

    let taken = (valid & take).named("taken");
    let mut next = vec![!taken & due_now[0]];
    for item in 1..=shape.items() {
        let stays = if item == shape.items() { due_now[item] } else { !taken & due_now[item] };
        next.push(taken & due_now[item - 1] | stays);
    }
    due.iter().zip(&next).for_each(|(due, next)| due.next(*next));
    Found { wrong: mismatch | unpunctual, open: any_of_both(&next, &there) }
}

/// For each item, whether a beat may hold it: follows the units through the core's latency.
fn certain<'m>(
    m: &'m Builder,
    begin: Signal<'m>,
    accepted: Signal<'m>,
    latency: u32,
    shape: Shape,
) -> Vec<Signal<'m>> {
    m.section("The units that were taken a latency ago: they make their items certain");
    let mut echo = accepted;
    for cycle in 0..latency {
        let delayed = m.reg(&format!("echo{cycle}_reg"), 1);
        delayed.next(echo);
        echo = delayed.q;
    }
    let past: Vec<Reg> = (0..shape.units).map(|unit| m.reg(&format!("past{unit}_reg"), 1)).collect();
    let before: Vec<Signal> = past.iter().map(|past| !begin & past.q).collect();
    let mut now = vec![before[0] | echo];
    for unit in 1..shape.units {
        now.push(before[unit] | echo & before[unit - 1]);
    }
    past.iter().zip(&now).for_each(|(past, now)| past.next(*now));

    // At most one slot a unit: an item is not certain before as many units are taken.
    let inputs: Vec<Vec<Signal>> = (0..shape.items())
        .map(|item| (item..shape.units).map(|unit| m.input(&port::certain(item, unit), 1, "")).collect())
        .collect();
    let items = inputs.iter().enumerate();
    items.map(|(item, units)| any_of_both(units, &now[item..])).collect()
}

/// An input that says in which cycles a stream goes on; where nothing stalls, always.
fn stall_input<'m>(m: &'m Builder, name: &str, stalls: bool) -> Signal<'m> {
    if stalls { m.input(name, 1, "the stream goes on") } else { m.lit(1, 1) }
}

/// One-hot registers as they count in this cycle: at the begin of a frame the first is 1.
fn first_at_begin<'m>(begin: Signal<'m>, registers: &[Reg<'m>]) -> Vec<Signal<'m>> {
    let now = |(index, register): (usize, &Reg<'m>)| match index {
        0 => begin | register.q,
        _ => !begin & register.q,
    };
    registers.iter().enumerate().map(now).collect()
}

/// Whether two values differ, bit after bit: so each step is one function of three bits.
fn differ<'m>(a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let bits = (0..a.width()).map(|bit| a.bit(bit) ^ b.bit(bit));
    bits.reduce(|before, bit| before | bit).expect("at least one bit")
}

fn any<'m>(signals: &[Signal<'m>]) -> Signal<'m> {
    signals.iter().copied().reduce(|a, b| a | b).expect("at least one")
}

/// Whether some signal of the one list is 1 with its partner of the other.
fn any_of_both<'m>(a: &[Signal<'m>], b: &[Signal<'m>]) -> Signal<'m> {
    any(&a.iter().zip(b).map(|(a, b)| *a & *b).collect::<Vec<_>>())
}
