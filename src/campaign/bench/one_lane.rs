//! Driver and checker of a core of one lane: a unit and an item at a time, each picked by one of many bits.

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Builder, InstanceHandle, Reg, Signal};

use super::passengers::own_user;
use super::{Found, Lane, OfFrame, Shape, any, any_of_both, differ, port, stall_input};

/// Offers the units of the frame, one after the other. The result says whether there is more to offer after this cycle.
pub(super) fn driver<'m>(
    m: &'m Builder,
    core: &Core,
    inner: InstanceHandle<'m>,
    begin: Signal<'m>,
    shape: Shape,
    passengers: Option<OfFrame<'m>>,
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
    let last = any_of_both(&at_now, &ends);
    // A strict core has zeros above the unit, and a bit of TKEEP for each byte.
    let width =
        |name: &str| core.design.top.inputs().find(|port| port.name == name).map_or(0, |port| port.width);
    // The number of a frame's system is above the octet, and has a port of its own.
    let tdata = match width("system") {
        0 => unit.bits(0..data).zext(width("s_axis_tdata")),
        bits => {
            inner.input("system", unit.bits(data - bits..data));
            unit.bits(0..data - bits)
        }
    };
    inner
        .input("s_axis_tdata", tdata)
        .input("s_axis_tkeep", (!bare).repeat(width("s_axis_tkeep") as usize))
        .input("s_axis_tvalid", valid)
        .input("s_axis_tlast", last);
    // A strict core may have zeros above a kind, too.
    let user = (user > 0).then(|| unit.bits(data..data + user).zext(core.spec.lane_user_stride()));
    match passengers {
        Some(passengers) => passengers.drive(user, last, valid),
        None => drop(user.map(|user| inner.input("s_axis_tuser", user))),
    }

    let accepted = (valid & inner.output("s_axis_tready")).named("accepted");
    let mut next = vec![!accepted & at_now[0]];
    for unit in 1..shape.units {
        next.push(accepted.mux(at_now[unit - 1] & !ends[unit - 1], at_now[unit]));
    }
    at.iter().zip(&next).for_each(|(at, next)| at.next(*next));
    any(&next)
}

/// Compares the core's output with the item that is due.
pub(super) fn checker<'m>(
    m: &'m Builder,
    (spec, core): (&Core, InstanceHandle<'m>),
    begin: Signal<'m>,
    shape: Shape,
) -> Found<'m> {
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
    let port = |name: &str| if name == "m_axis_tuser" { own_user(m, spec, core) } else { core.output(name) };
    // The one bit of an encoder's tuser is repeated in a strict core; marks have zeros above.
    let is_padded = |name: &str, bits: u32| name == "m_axis_tdata" || name == "m_axis_tuser" && bits > 1;
    let fields = fields.map(|(name, bits)| Field::new(port(name), bits, is_padded(name, bits)));
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
    let last_taken = taken & core.output("m_axis_tlast");
    Found { wrong, open: any_of_both(&next, &there), last_taken, count: None }
}

/// The value of an output port of the core, in as many bits as the checker compares.
struct Field<'m> {
    value: Signal<'m>,
    /// Whether the other bits, which only a strict core has, are wrong.
    uneven: Option<Signal<'m>>,
}

impl<'m> Field<'m> {
    /// The low `bits` of `port`. The others must be zero if the port is padded, and else equal to the lowest bit.
    fn new(port: Signal<'m>, bits: u32, is_padded: bool) -> Self {
        if port.width() == bits {
            return Self { value: port, uneven: None };
        }
        let uneven = if is_padded { port.bits(bits..port.width()).any() } else { port.any() & !port.all() };
        Self { value: port.bits(0..bits), uneven: Some(uneven) }
    }
}

/// The values of one-hot registers in this cycle: where a frame begins, the first is 1 and the others are 0.
fn first_at_begin<'m>(begin: Signal<'m>, registers: &[Reg<'m>]) -> Vec<Signal<'m>> {
    let now = |(index, register): (usize, &Reg<'m>)| match index {
        0 => begin | register.q,
        _ => !begin & register.q,
    };
    registers.iter().enumerate().map(now).collect()
}
