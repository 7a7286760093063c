//! Driver and checker of a core of several lanes. Each has a number, that of the first unit or item of the next beat, and shifts
//! all units or items down by that many places.

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Builder, InstanceHandle, Reg, Signal};

use super::passengers::own_user;
use super::{Found, Lane, OfFrame, Shape, any, differ, port, stall_input};

/// Bits of a number up to `most`.
pub fn bits_for(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

/// A register that is 0 where a frame begins, and its value in this cycle.
fn zero_at_begin<'m>(m: &'m Builder, name: &str, bits: u32, begin: Signal<'m>) -> (Reg<'m>, Signal<'m>) {
    let register = m.reg(&format!("{name}_reg"), bits);
    (register, register.q.when(!begin).named(&format!("{name}_now")))
}

/// The `lanes` words from number `at` on; words beyond the last are zero.
fn window<'m>(m: &'m Builder, words: Vec<Signal<'m>>, at: Signal<'m>, lanes: usize) -> Vec<Signal<'m>> {
    let zero = m.lit(words[0].width(), 0);
    (0..at.width()).rev().fold(words, |words, bit| {
        let (step, moves) = (1 << bit, at.bit(bit));
        let word = |index: usize| words.get(index).copied().unwrap_or(zero);
        // At this step, the shift still to come is less than `step`.
        let needed = (lanes + step - 1).min(words.len().max(lanes));
        (0..needed).map(|index| moves.mux(word(index + step), word(index))).collect()
    })
}

/// The number of lanes that are set; the set lanes are contiguous from lane 0.
fn count<'m>(m: &'m Builder, kept: &[Signal<'m>]) -> Signal<'m> {
    let bits = bits_for(kept.len());
    let of = |lane: usize| {
        let is_last = kept.get(lane + 1).map_or(kept[lane], |next| kept[lane] & !*next);
        m.lit(bits, lane as u64 + 1).when(is_last)
    };
    any(&(0..kept.len()).map(of).collect::<Vec<_>>())
}

/// The bits of each lane of a port.
fn lanes_of<'m>(port: Signal<'m>, lanes: usize) -> impl Iterator<Item = Signal<'m>> {
    let bits = port.width() / lanes as u32;
    (0..lanes as u32).map(move |lane| port.bits(lane * bits..(lane + 1) * bits))
}

/// Offers the units of the frame, beat by beat. The result says whether there is more to offer after this cycle.
pub(super) fn driver<'m>(
    m: &'m Builder,
    core: &Core,
    inner: InstanceHandle<'m>,
    begin: Signal<'m>,
    shape: Shape,
    passengers: Option<OfFrame<'m>>,
) -> Signal<'m> {
    m.section("The driver: `unit_at` is the number of the first unit of the beat");
    let Lane { data, user } = shape.input;
    let bits = shape.input.bits();
    let words: Vec<Signal> = (0..shape.units)
        .map(|unit| {
            let ends = [port::ends(unit), port::beat_ends(unit)].map(|name| m.input(&name, 1, ""));
            m.concat(ends.into_iter().chain([m.input(&port::unit(unit), bits, "")]))
        })
        .collect();
    let bare = m.input("bare", 1, "the frame has no unit, only an end");
    let offer = stall_input(m, "offer", shape.stalls);
    let (at, at_now) = zero_at_begin(m, "unit_at", bits_for(shape.units), begin);
    let offers = m.reg("offers_reg", 1);
    let offers_now = (begin | offers.q).named("offers_now");

    let window = window(m, words, at_now, shape.lanes);
    let mut kept = vec![!bare];
    for lane in 1..shape.lanes {
        kept.push(kept[lane - 1] & !window[lane - 1].bit(bits));
    }
    let ends = kept.iter().zip(&window).map(|(kept, word)| *kept & word.bit(bits + 1));
    let last = (ends.reduce(|a, b| a | b).expect("a lane") | bare).named("last_in");
    let valid = (offers_now & offer).named("valid_in");
    // A strict core has zeros above the unit, and a bit of TKEEP for each byte.
    let width = |name: &str| {
        let port = core.design.top.inputs().find(|port| port.name == name);
        port.map_or(0, |port| port.width / if name == "system" { 1 } else { shape.lanes as u32 })
    };
    // The number of a frame's system is above the octet, and has a port of its own, which goes with the first unit.
    let numbers = width("system");
    let system = (numbers > 0).then(|| window[0].bits(data - numbers..data));
    let units = window.iter().rev();
    let units = units.map(|word| word.bits(0..data - numbers).zext(width("s_axis_tdata")));
    let keep = kept.iter().rev().map(|kept| kept.repeat(width("s_axis_tkeep") as usize));
    inner
        .input("s_axis_tdata", m.concat(units.collect::<Vec<_>>()))
        .input("s_axis_tkeep", m.concat(keep.collect::<Vec<_>>()))
        .input("s_axis_tvalid", valid)
        .input("s_axis_tlast", last);
    let user = (user > 0).then(|| {
        let of_lane = |word: &Signal<'m>| word.bits(data..bits).zext(core.spec.lane_user_stride());
        let users = window.iter().take(shape.lanes).rev().map(of_lane);
        m.concat(users.collect::<Vec<_>>())
    });
    match passengers {
        Some(passengers) => passengers.drive(user, last, valid),
        None => drop(user.map(|user| inner.input("s_axis_tuser", user))),
    }

    if let Some(system) = system {
        inner.input("system", system);
    }

    let accepted = (valid & inner.output("s_axis_tready")).named("accepted");
    at.next(accepted.mux(add(at_now, count(m, &kept)), at_now));
    let still_offers = offers_now & !(accepted & last);
    offers.next(still_offers);
    still_offers
}

/// The sum of two numbers of any widths, in as many bits as the first has.
fn add<'m>(number: Signal<'m>, other: Signal<'m>) -> Signal<'m> {
    let width = number.width();
    number + if other.width() > width { other.bits(0..width) } else { other.zext(width) }
}

/// Compares the core's output with the items that are due. If a core `is_dense`, an end that comes without an item goes out with the items
/// that wait in a beat that is not full.
pub(super) fn checker<'m>(
    m: &'m Builder,
    (spec, core): (&Core, InstanceHandle<'m>),
    begin: Signal<'m>,
    shape: Shape,
    is_dense: bool,
) -> Found<'m> {
    m.section("The checker: `item_at` is the number of the first item of the beat");
    let Lane { data, user } = shape.output;
    let bits = data + user;
    // The fields of a word from the low bits up: tdata, tuser, a bit for an item as opposed to a bare end, tlast, and a
    // valid bit.
    let words: Vec<Signal> = (0..shape.items)
        .map(|item| {
            let word = m.input(&port::item(item), bits + 2, "");
            m.concat([m.input(&port::there(item), 1, ""), word])
        })
        .collect();
    let take = stall_input(m, "take", shape.stalls);
    core.input("m_axis_tready", take);
    let (at, at_now) = zero_at_begin(m, "item_at", bits_for(shape.items), begin);
    let ended = m.reg("ended_reg", 1);
    let due = window(m, words, at_now, shape.lanes_out);

    let valid = core.output("m_axis_tvalid");
    let keep: Vec<Signal> = lanes_of(core.output("m_axis_tkeep"), shape.lanes_out).collect();
    let kept: Vec<Signal> = keep.iter().map(|keep| keep.bit(0)).collect();
    let tdata: Vec<Signal> = lanes_of(core.output("m_axis_tdata"), shape.lanes_out).collect();
    // `tuser` of units belongs to the whole beat.
    let of_units = user == 1;
    let compared = if of_units { data } else { bits };
    let tuser = own_user(m, spec, core);
    let mut tuser_of_lanes: Vec<Option<Signal>> = vec![None; shape.lanes_out];
    if !of_units {
        tuser_of_lanes = lanes_of(tuser, shape.lanes_out).map(Some).collect();
    }
    let (mut wrong, mut last) = (Vec::new(), Vec::new());
    for (lane, due) in due.iter().enumerate() {
        let is_item = due.bit(bits) & due.bit(bits + 2);
        // Lanes that are not kept are zero; lane 0 has the marks of the end of a frame.
        let of_lane = due.bits(0..compared);
        let of_lane = if lane == 0 { of_lane } else { of_lane.when(kept[lane]) };
        wrong.push(differ(tdata[lane], of_lane.bits(0..data).zext(tdata[lane].width())));
        wrong.extend(
            tuser_of_lanes[lane].map(|tuser| differ(tuser, of_lane.bits(data..bits).zext(tuser.width()))),
        );
        wrong.push(kept[lane] & !is_item);
        if keep[lane].width() > 1 {
            wrong.push(keep[lane].any() & !keep[lane].all());
        }
        if lane > 0 {
            wrong.push(kept[lane] & !kept[lane - 1]);
        }
        last.push(kept[lane] & due.bit(bits + 1));
    }
    // After the last item of a beat that is not full, only an end may be due.
    let takes_end = |lane: usize| {
        let end = due[lane];
        kept[lane - 1] & !kept[lane] & end.bit(bits + 2) & !end.bit(bits)
    };
    let takes_end = is_dense.then(|| any(&(1..shape.lanes_out).map(takes_end).collect::<Vec<_>>()));
    let takes_end = takes_end.map(|takes_end| takes_end.named("takes_end"));
    last.extend(takes_end);
    // An empty beat only ends its frame.
    let is_bare_end = due[0].bit(bits + 2) & !due[0].bit(bits);
    wrong.push(!kept[0] & !is_bare_end);
    last.push(!kept[0]);
    if of_units {
        let amiss = |(lane, due): (usize, &Signal<'m>)| {
            // The bit is set at the end of a frame only.
            if lane == 0 {
                due.bit(data)
            } else {
                kept[lane - 1] & due.bit(data) & !due.bit(bits) | kept[lane] & due.bit(data)
            }
        };
        let amiss = any(&due.iter().enumerate().map(amiss).collect::<Vec<_>>());
        wrong.push(differ(tuser, amiss.repeat(tuser.width() as usize)));
    }
    let last = any(&last).named("last_out");
    wrong.push(core.output("m_axis_tlast") ^ last);
    let mut found = (valid & any(&wrong)).named("mismatch");
    if shape.stalls {
        let (waits, kept_before) = (m.reg("waits_reg", 1), m.reg("kept_reg", shape.lanes_out as u32));
        let kept = m.concat(kept.iter().rev().copied());
        waits.next(valid & !take);
        kept_before.next(kept);
        found = found | (!begin & waits.q & (!valid | kept.ne(kept_before.q))).named("changed");
    }

    let taken = (valid & take).named("taken");
    let count = count(m, &kept).named("count_out");
    let step = count | m.lit(count.width(), 1).when(!kept[0]);
    let step = takes_end.map_or(step, |takes_end| step + takes_end.zext(step.width()));
    at.next(taken.mux(add(at_now, step), at_now));
    let ended_next = !begin & ended.q | taken & last;
    ended.next(ended_next);
    let last_taken = taken & core.output("m_axis_tlast");
    Found { wrong: found, open: !ended_next, last_taken, count: Some(count) }
}
