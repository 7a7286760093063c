//! The handshake of docs/interface.md: properties of the ports of any core, under any inputs and with reset at any time.
//!
//! Counts have a limit, chosen so that it can only make a property harder to hold: a count of items still due saturates at its
//! greatest value, and items that go out are still subtracted.

use utfhdl_hdl::core::{Choose, Core, CoreSpec, ErrorMode, Packing, Role, System, Verdict, is_long};
use utfhdl_hdl::netlist::{Design, Signal};
use utfhdl_sim::aig::{Leaf, Node, Start, TooLarge, blast};

use super::bench::{Bench, Side};
use super::unary::UnaryRegister;

/// A property of the handshake.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The rule's name.
    pub name: &'static str,
    /// The statement of the rule.
    pub says: &'static str,
    /// Makes the signal that is 1 if the rule does not hold. `None` if the rule does not apply to the core.
    pub bad: for<'m> fn(&Bench<'m>) -> Option<Signal<'m>>,
}

/// All of them.
pub const RULES: &[Rule] = &[
    Rule {
        name: "stays-offered",
        says: "a beat that is offered stays offered until it is taken",
        bad: stays_offered,
    },
    Rule { name: "stable", says: "a beat that waits does not change", bad: stable },
    Rule { name: "no-empty-beat", says: "a beat that holds nothing ends a frame", bad: no_empty_beat },
    Rule { name: "contiguous", says: "the lanes that hold something are the first ones", bad: contiguous },
    Rule { name: "unused-zero", says: "lanes that hold nothing are zero", bad: unused_zero },
    Rule { name: "legal", says: "tuser has a value that it can have, and an error shows U+FFFD", bad: legal },
    Rule {
        name: "quiet-in-reset",
        says: "in reset nothing is offered and nothing taken",
        bad: quiet_in_reset,
    },
    Rule {
        name: "slots-of-units",
        says: "slots, or units that go through, never outnumber the units that came",
        bad: slots_of_units,
    },
    Rule {
        name: "tlast-of-a-frame",
        says: "no frame ends that has not ended on the input",
        bad: tlast_of_a_frame,
    },
    Rule {
        name: "comes-out",
        says: "where a frame has ended on the input and not on the output, a beat is offered within some cycles, whether the output is taken or not",
        bad: comes_out,
    },
    Rule {
        name: "nothing-left",
        says: "where the source rests and the output is taken, nothing comes out after some cycles",
        bad: nothing_left,
    },
    Rule {
        name: "takes",
        says: "where the output is taken, the input is taken within some cycles",
        bad: takes,
    },
    Rule {
        name: "full-rate",
        says: "after some cycles in which the other side keeps up, a decoder or validator takes a beat in every cycle, and an encoder offers one",
        bad: full_rate,
    },
    Rule {
        name: "status-stable",
        says: "a status that is offered stays offered, and does not change, until it is taken",
        bad: status_stable,
    },
    Rule {
        name: "status-of-a-frame",
        says: "no status is offered of a frame that has not ended on the input",
        bad: status_of_a_frame,
    },
    Rule {
        name: "status-in-time",
        says: "the status of a frame is offered no later than the frame's last beat is taken",
        bad: status_in_time,
    },
];

/// The rules that are about the handshake alone, not about what a beat holds.
pub const HANDSHAKE: [&str; 3] = ["stays-offered", "quiet-in-reset", "full-rate"];

fn waited<'m>(bench: &Bench<'m>) -> Signal<'m> {
    bench.state("waited_reg", 1, |_| bench.output.tvalid & !bench.output.tready)
}

fn stays_offered<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    Some(waited(bench) & !bench.output.tvalid)
}

fn stable<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let beat = bench.output.beat(bench.m);
    let before = bench.state("beat_before_reg", beat.width(), |_| beat);
    Some(waited(bench) & beat.ne(before))
}

fn no_empty_beat<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let output = &bench.output;
    Some(output.tvalid & !output.tkeep.any() & !output.tlast)
}

fn any<'m>(signals: impl IntoIterator<Item = Signal<'m>>) -> Option<Signal<'m>> {
    signals.into_iter().reduce(|a, b| a | b)
}

/// Also, that the bits of a lane are alike.
fn contiguous<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let lanes = bench.lanes_out();
    let held = bench.output.held(bench, lanes);
    let gaps = (1..lanes).map(|lane| held.bit(lane) & !held.bit(lane - 1));
    let keep = |lane| Side::lane(bench.output.tkeep, lane, lanes);
    let unlike = (0..lanes).map(keep).filter(|keep| keep.width() > 1).map(|keep| keep.any() & !keep.all());
    any(gaps.chain(unlike)).map(|bad| bench.output.tvalid & bad)
}

fn unused_zero<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let lanes = bench.lanes_out();
    let held = bench.output.held(bench, lanes);
    let user = bench.output.tuser.filter(|_| bench.is_decoder());
    let ports = [Some(bench.output.tdata), user].into_iter().flatten();
    let used = ports.flat_map(|port| (0..lanes).map(move |lane| (lane, Side::lane(port, lane, lanes))));
    let used = used.map(|(lane, value)| !held.bit(lane) & value.any());
    // The end of a frame without units can have errors in lane 0.
    let marks = bench.output.tuser.zip(bench.verdict()).map(|(tuser, verdict)| {
        let of_lane = |lane: u32| {
            let marks = Side::lane(tuser, lane, lanes);
            let errors = if lane == 0 { 2 * verdict.error_bits() } else { 0 };
            (errors < marks.width()).then(|| !held.bit(lane) & marks.bits(errors..marks.width()).any())
        };
        any((0..lanes).filter_map(of_lane))
    });
    any(used.chain(marks.flatten())).map(|bad| bench.output.tvalid & bad)
}

/// The last kind of an error of a decoder, and the codes of a head and a limb.
const LAST_KIND: u64 = 9;
const HEAD: u64 = 14;
const REPLACEMENT: u64 = 0xfffd;

fn legal<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let (output, lanes) = (&bench.output, bench.lanes_out());
    let users = output.tuser?;
    if let Some(verdict) = bench.verdict() {
        return legal_marks(bench, users, verdict);
    }
    if !bench.is_decoder() {
        // `tuser` of units may be set at the end of the frame only.
        return Some(output.tvalid & !output.tlast & users.any());
    }
    let held = output.held(bench, lanes);
    let bad = (0..lanes).map(|lane| {
        let (user, data) = (Side::lane(users, lane, lanes), Side::lane(output.tdata, lane, lanes));
        let is_error = user.within(1, LAST_KIND);
        let no_kind = user.within(LAST_KIND + 1, HEAD - 1);
        // With errors dropped, only an error in place of a limb goes out.
        let dropped = if bench.core.spec.on_error == ErrorMode::Drop && !is_long(bench.core.spec.system) {
            user.any()
        } else {
            bench.m.lit(1, 0)
        };
        held.bit(lane) & (no_kind | dropped | is_error & !data.is(REPLACEMENT))
    });
    any(bad).map(|bad| output.tvalid & bad)
}

/// Kinds are those of a decoder, and the bits above the marks are zero.
fn legal_marks<'m>(bench: &Bench<'m>, users: Signal<'m>, verdict: Verdict) -> Option<Signal<'m>> {
    let lanes = bench.lanes_out();
    let of_lane = |lane: u32| {
        let marks = Side::lane(users, lane, lanes);
        let kinds = [0, verdict.error_bits()].map(|low| marks.bits(low..low + verdict.error_bits()));
        let is_illegal = |kind: Signal<'m>| kind.within(LAST_KIND + 1, 15);
        let illegal = verdict.kinds.then(|| any(kinds.map(is_illegal))).flatten();
        let padding = (verdict.lane_bits() < marks.width())
            .then(|| marks.bits(verdict.lane_bits()..marks.width()).any());
        any(illegal.into_iter().chain(padding))
    };
    any((0..lanes).filter_map(of_lane)).map(|bad| bench.output.tvalid & bad)
}

/// The register is 1 only in the first cycle after a reset.
fn quiet_in_reset<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let register = bench.m.reg("was_in_reset_reg", 1).reset(1);
    register.next(bench.m.lit(1, 0));
    let busy = bench.output.tvalid | bench.input.tready;
    Some(register.q & bench.status.map_or(busy, |status| busy | status.tvalid))
}

/// More than what can be on its way through a core.
fn in_flight(bench: &Bench) -> u64 {
    (u64::from(bench.core.latency) + 6) * u64::from(bench.lanes_out())
}

/// Counts items still due: items of the input are added, items that go out are subtracted. The count saturates at its greatest
/// value. The result is 1 if more items go out than are due.
fn outnumbered<'m>(bench: &Bench<'m>, came: &[Signal<'m>], goes: &[Signal<'m>]) -> Signal<'m> {
    let register = UnaryRegister::new(bench.m, "left_reg", in_flight(bench));
    let (mut left, mut more) = (register.q, bench.m.lit(1, 0));
    for &one in goes {
        more = more | one & left.is_zero();
        left = left.minus(one);
    }
    register.next(came.iter().fold(left, |left, one| left.plus(*one)));
    more
}

fn slots_of_units<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    if bench.core.spec.role.has_encoder() {
        return None;
    }
    let moved = |side: &Side<'m>, lanes: u32| -> Vec<Signal<'m>> {
        let held = side.held(bench, lanes);
        (0..held.width()).map(|lane| held.bit(lane) & side.taken()).collect()
    };
    Some(outnumbered(
        bench,
        &moved(&bench.input, bench.core.spec.lanes),
        &moved(&bench.output, bench.lanes_out()),
    ))
}

fn tlast_of_a_frame<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let ends = |side: &Side<'m>| side.taken() & side.tlast;
    Some(outnumbered(bench, &[ends(&bench.input)], &[ends(&bench.output)]))
}

/// Whether some frame has ended on the input and not on the output. The second result is 1 where there are too many to count.
fn open_frames<'m>(bench: &Bench<'m>) -> (Signal<'m>, Signal<'m>) {
    let ends = |side: &Side<'m>| side.taken() & side.tlast;
    let open = UnaryRegister::new(bench.m, "open_frames_reg", in_flight(bench));
    let count = open.q;
    open.next(count.minus(ends(&bench.output)).plus(ends(&bench.input)));
    (!count.is_zero(), count.is_most())
}

/// The most cycles until a core without input has written all that it holds, if its output is always taken.
fn cycles_to_end(core: &Core) -> u64 {
    let writes = match core.spec.role {
        Role::Decoder | Role::Validator(_) => 8,
        Role::Encoder | Role::Transcoder { .. } => 110,
    };
    u64::from(core.latency) + u64::from(core.sweep) + writes
}

/// Whether all that the core offers is taken.
fn is_taken<'m>(bench: &Bench<'m>) -> Signal<'m> {
    let ready = bench.output.tready;
    bench.status.map_or(ready, |status| ready & status.tready)
}

fn at_rest<'m>(bench: &Bench<'m>) -> Signal<'m> {
    let most = cycles_to_end(bench.core);
    bench.held_for("cycles_at_rest_reg", !bench.input.tvalid & is_taken(bench), most)
}

/// Cycles beyond its latency that a core may take to offer a beat of a frame whose end it has taken: beats before it may hold
/// errors that are dropped.
const PATIENCE: u64 = 8;

fn comes_out<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let (some, too_many) = open_frames(bench);
    let CoreSpec { system, role, lanes, .. } = bench.core.spec;
    // The encoder of several lanes of `utf-inf-8` takes beats slot by slot.
    let is_slot_by_slot = matches!((system, role), (System::UtfInf8 { .. }, Role::Encoder));
    let most = u64::from(bench.core.latency) + PATIENCE * if is_slot_by_slot { lanes.into() } else { 1 };
    let without = some & !bench.output.tvalid;
    // A frame's last beat may wait for the status of the frame before to be taken.
    let without = bench.status_waits().map_or(without, |waits| without & !waits);
    let is_late = bench.held_for("cycles_without_reg", without, most);
    Some(is_late | too_many)
}

fn nothing_left<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let offers = bench.status.map_or(bench.output.tvalid, |status| bench.output.tvalid | status.tvalid);
    Some(at_rest(bench) & offers)
}

fn takes<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    if takes_all(&bench.core.spec) {
        return None;
    }
    let most = cycles_to_end(bench.core);
    let refuses = is_taken(bench) & !bench.input.tready;
    Some(bench.held_for("cycles_refused_reg", refuses, most))
}

/// Whether a core refuses beats while it compares the first units of a frame with a magic number or a byte order mark, which it holds meanwhile.
fn holds_back(system: System) -> bool {
    match system {
        System::CorrectedUtf8 { document, .. } => document,
        System::Auto(auto) => auto.choose() == Choose::Mark,
        _ => false,
    }
}

/// Whether a core takes a beat in every cycle while its output is taken. At the end of a frame, a decoder of several lanes may need a cycle for one slot more
/// than there are lanes. One that fills its beats, or reads a set of several octets, may need two in a row.
fn takes_all(spec: &CoreSpec) -> bool {
    let may_need_two = spec.pack == Packing::Dense || matches!(spec.system, System::MultiOctet(_));
    !(spec.role.has_encoder() || holds_back(spec.system) || spec.lanes > 1 && may_need_two)
}

/// After some cycles in which the other side keeps up, a decoder or validator takes a beat in every cycle, and an encoder offers one. In the first
/// cycles, a core may still write what it took before, and then what came after a pause of the source.
fn full_rate<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let CoreSpec { system, role, on_error, lanes, .. } = bench.core.spec;
    let (input, most) = (&bench.input, cycles_to_end(bench.core));
    let kept_up = |keeps_up| bench.held_for("cycles_at_rate_reg", keeps_up, most);
    match role {
        Role::Decoder | Role::Validator(_) if takes_all(&bench.core.spec) => {
            let refuses = kept_up(is_taken(bench)) & !input.tready;
            let has_extra = role == Role::Decoder && bench.lanes_out() > 1;
            Some(if has_extra { refuses & bench.state("refused_reg", 1, |_| refuses) } else { refuses })
        }
        // A code point or an error is at least one unit.
        Role::Encoder if lanes == 1 && on_error == ErrorMode::Replace && !holds_back(system) => {
            let writes = input.tkeep.bit(0) & input.tuser?.within(0, LAST_KIND);
            Some(kept_up(input.tvalid & writes & is_taken(bench)) & !bench.output.tvalid)
        }
        _ => None,
    }
}

fn status_stable<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let (status, waits) = (bench.status?, bench.status_waits()?);
    let waited = bench.state("status_waited_reg", 1, |_| waits);
    let before = bench.state("status_before_reg", status.tdata.width(), |_| status.tdata);
    Some(waited & (!status.tvalid | status.tdata.ne(before)))
}

fn status_of_a_frame<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let (status, input) = (bench.status?, &bench.input);
    let taken = status.tvalid & status.tready;
    Some(outnumbered(bench, &[input.taken() & input.tlast], &[taken]))
}

/// Frames that leave are no more than the statuses offered, that of this cycle included.
fn status_in_time<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let (status, waits) = (bench.status?, bench.status_waits()?);
    let waited = bench.state("status_waited_reg", 1, |_| waits);
    let leaves = bench.output.taken() & bench.output.tlast;
    let offered = UnaryRegister::new(bench.m, "statuses_reg", in_flight(bench));
    let now = offered.q.plus(status.tvalid & !waited);
    offered.next(now.minus(leaves));
    Some(leaves & now.is_zero())
}

/// The outputs of a core to which a combinational path leads from an input. An asynchronous reset does not count, since it is
/// not data.
///
/// # Errors
/// If the core is too large.
pub fn combinational(core: &Core) -> Result<Vec<String>, TooLarge> {
    combinational_of(&core.design)
}

/// The combinational paths of a design, as [`combinational`] gives those of a core.
///
/// # Errors
/// If the design is too large.
pub fn combinational_of(design: &Design) -> Result<Vec<String>, TooLarge> {
    let logic = blast(design, Start::Zero)?;
    let is_reset = |input: u32| design.reset.is_asynchronous() && input == 0;
    let mut reached = Vec::with_capacity(logic.aig.nodes().len());
    for node in logic.aig.nodes() {
        let is_reached = match *node {
            Node::Leaf(Leaf::Input(input)) => !is_reset(input),
            Node::And(a, b) => reached[a.node()] || reached[b.node()],
            Node::False | Node::Leaf(Leaf::Register(_)) => false,
        };
        reached.push(is_reached);
    }
    let outputs = logic.outputs.iter().zip(logic.output_names);
    Ok(outputs.filter(|(lit, _)| reached[lit.node()]).map(|(_, name)| name).collect())
}
