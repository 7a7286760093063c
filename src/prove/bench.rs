//! A core with free inputs, for properties. The ports of the core are those of the bench, so that a run of the bench is a run
//! of the core.

use utfhdl_hdl::core::{Core, Role, Verdict};
use utfhdl_hdl::netlist::{Builder, Design, InstanceHandle, Port, Signal};
use utfhdl_sim::aig::{Aiger, Lit, Logic, Start, TooLarge, blast};

use super::unary::UnaryRegister;

/// Bits of a slot's `tuser`.
pub(super) const SLOT_USER_BITS: u32 = 4;

/// The name of the output that must never be 1.
pub(super) const BAD: &str = "bad";

/// One side of a core.
#[derive(Clone, Copy)]
pub struct Side<'m> {
    /// The data of all lanes.
    pub tdata: Signal<'m>,
    /// The lanes that hold something, a bit each or several.
    pub tkeep: Signal<'m>,
    /// Kinds of the slots, or the error flag of an encoder's frame.
    pub tuser: Option<Signal<'m>>,
    /// TID, TDEST, and the whole of TUSER if bits of the user's are in it.
    pub passengers: Passengers<'m>,
    /// A beat is offered.
    pub tvalid: Signal<'m>,
    /// The beat ends its frame.
    pub tlast: Signal<'m>,
    /// The beat is taken.
    pub tready: Signal<'m>,
}

/// The status stream of a core.
#[derive(Clone, Copy)]
pub struct Status<'m> {
    /// The status.
    pub tdata: Signal<'m>,
    /// The stream of the frame, in a core of several.
    pub tid: Option<Signal<'m>>,
    /// A status is offered.
    pub tvalid: Signal<'m>,
    /// The status is taken.
    pub tready: Signal<'m>,
}

/// The ports of a side that have signals of the user's: `tid`, `tdest`, `tuser`.
pub type Passengers<'m> = [Option<(&'static str, Signal<'m>)>; 3];

/// Splits the ports of a side: `tuser` without places and the bits of the user's, and the ports that have signals of the user's. `find` finds a
/// port by its name without that of the side.
pub fn split<'m>(
    m: &'m Builder,
    core: &Core,
    carries_slots: bool,
    has_own: bool,
    find: impl Fn(&str) -> Option<Signal<'m>>,
) -> (Option<Signal<'m>>, Passengers<'m>) {
    let has_user = core.spec.passengers.tuser > 0 || carries_slots && core.spec.place_bits() > 0;
    let kind = |tuser: Signal<'m>, lane: u32| {
        let low = lane * core.spec.lane_user_stride();
        tuser.bits(low..low + SLOT_USER_BITS)
    };
    let own = find("tuser").filter(|_| has_own);
    let lanes = if core.spec.role == Role::Decoder { core.spec.lanes_out() } else { core.spec.lanes };
    let own = own.map(|tuser| match (has_user, carries_slots) {
        (false, _) => tuser,
        (true, false) => tuser.bits(0..core.spec.own_user_bits().1),
        (true, true) => m.concat((0..lanes).rev().map(|lane| kind(tuser, lane)).collect::<Vec<_>>()),
    });
    let passenger = |name: &'static str| find(name).map(|signal| (name, signal));
    (own, [passenger("tid"), passenger("tdest"), passenger("tuser").filter(|_| has_user)])
}

/// A core and its surroundings.
pub struct Bench<'m> {
    /// The builder of the problem's netlist.
    pub m: &'m Builder,
    /// The core.
    pub core: &'m Core,
    /// The input stream of the core.
    pub input: Side<'m>,
    /// The output stream of the core.
    pub output: Side<'m>,
    /// The status stream, if the core has one.
    pub status: Option<Status<'m>>,
    /// The number of the frame's system, if the core chooses among several.
    pub system: Option<Signal<'m>>,
    /// The output ports of the core, by their names.
    outputs: Vec<(String, Signal<'m>)>,
}

/// A core with a property around it: `property` makes the signal that must always be 0, if it is about such a core. Each of its bits is a
/// failure that is proved by itself.
pub fn problem(core: &Core, property: impl for<'m> Fn(&Bench<'m>) -> Option<Signal<'m>>) -> Option<Design> {
    limited_problem(core, |_, signal| signal, property)
}

/// The name of the output of a problem that has the value which drives an input port of the core. A problem that restricts the port changes the
/// value of its own input, so counterexamples show this output.
pub fn given(port: &str) -> String {
    format!("given_{port}")
}

/// Makes the problem of a property of a core with restricted inputs: `limit` maps the name of an input port and a free signal to the
/// signal that drives the port.
pub fn limited_problem(
    core: &Core,
    limit: impl for<'m> Fn(&str, Signal<'m>) -> Signal<'m>,
    property: impl for<'m> Fn(&Bench<'m>) -> Option<Signal<'m>>,
) -> Option<Design> {
    let m = Builder::new("problem", "A core, and a property of it.");
    let instance = m.instance("core", &core.design.top);
    let inputs = connected(&m, core, instance, limit);
    let outputs: Vec<(&str, Signal)> =
        core.design.top.outputs().map(|port| (port.name.as_str(), instance.output(&port.name))).collect();
    let bench = Bench::new(&m, core, &inputs, &outputs);
    let bad = property(&bench)?;
    let bad = if core.spec.lanes > 1 { bad & !has_left_out(&bench) } else { bad };
    m.output(BAD, bad, "the property does not hold");
    for (name, signal) in &inputs {
        m.output(&given(name), *signal, "what the core is given");
    }
    for (port, (name, signal)) in core.design.top.outputs().zip(outputs) {
        m.output(name, signal, &port.note);
    }
    Some(Design { top: m.built_with_unused(), reset: core.design.reset })
}

/// A property as a module beside a core, whose ports are all inputs of the module.
pub fn beside(
    core: &Core,
    name: &str,
    says: &str,
    property: impl for<'m> Fn(&Bench<'m>) -> Option<Signal<'m>>,
) -> Option<Design> {
    let m = Builder::new(name, says);
    let given = |port: &'_ Port| m.input(&port.name, port.width, &port.note);
    m.port_group("The ports of the core");
    let inputs: Vec<(&str, Signal)> =
        core.design.top.inputs().map(|port| (port.name.as_str(), given(port))).collect();
    let outputs: Vec<(&str, Signal)> =
        core.design.top.outputs().map(|port| (port.name.as_str(), given(port))).collect();
    m.port_group("The property");
    let bad = property(&Bench::new(&m, core, &inputs, &outputs))?;
    m.output(BAD, bad.any(), "the property does not hold");
    Some(Design { top: m.built_with_unused(), reset: core.design.reset })
}

/// A problem as checkers read it, with a bad state for each failure.
///
/// # Errors
/// If the design is too large.
pub fn aiger(design: &Design, start: Start) -> Result<Aiger, TooLarge> {
    Ok(parts(design, start, usize::MAX)?.remove(0))
}

/// The logic of a problem. Its outputs are the failures.
///
/// # Errors
/// If the design is too large.
pub(super) fn failures(design: &Design, start: Start) -> Result<Logic, TooLarge> {
    let mut logic = blast(design, start)?;
    let outputs = std::mem::take(&mut logic.output_names).into_iter().zip(std::mem::take(&mut logic.outputs));
    let is_bad = |name: &str| name.split('[').next() == Some(BAD);
    (logic.output_names, logic.outputs) = outputs.filter(|(name, _)| is_bad(name)).unzip();
    assert!(!logic.outputs.is_empty(), "a problem has an output for its failures");
    Ok(logic)
}

/// A problem in parts, each about `most` of its failures, which are bad states. A checker needs an invariant for each bit that a core stores of an item,
/// and may find the invariants of a few bits sooner than those of all bits.
///
/// # Errors
/// If the design is too large.
pub fn parts(design: &Design, start: Start, most: usize) -> Result<Vec<Aiger>, TooLarge> {
    let logic = failures(design, start)?;
    let bad: Vec<(String, Lit)> =
        logic.output_names.iter().cloned().zip(logic.outputs.iter().copied()).collect();
    let part = |bad: &[(String, Lit)]| {
        let (output_names, outputs) = bad.iter().cloned().unzip();
        Aiger::sequential(&Logic { output_names, outputs, ..logic.clone() }.without_dead_registers())
    };
    Ok(bad.chunks(most).map(part).collect())
}

/// The `tkeep` that has the bits of `signal` up to the first lane that holds nothing. Beats of the input are contiguous: a core takes a beat
/// whose first lane holds nothing for an empty one, whatever the other lanes hold.
pub fn contiguous(signal: Signal<'_>, lanes: u32) -> Signal<'_> {
    let (width, bits) = (signal.width(), signal.width() / lanes);
    let mut held = signal.bit(0);
    let mut keep = held.repeat(bits as usize).zext(width);
    for lane in 1..lanes {
        held = held & signal.bit(lane * bits);
        keep = keep | (held.repeat(bits as usize).zext(width) << signal.lit(9, (lane * bits).into()));
    }
    keep
}

/// Whether the source left a lane out in some beat up to now: the core owes nothing from then on.
fn has_left_out<'m>(bench: &Bench<'m>) -> Signal<'m> {
    let keep = bench.input.held(bench, bench.core.spec.lanes);
    let gap = |lane: u32| keep.bit(lane) & !keep.bit(lane - 1);
    let gap = (1..keep.width()).map(gap).reduce(|a, b| a | b).expect("there are several lanes");
    let gap = bench.input.tvalid & gap;
    let before = bench.state("left_out_reg", 1, |before| before | gap);
    before | gap
}

/// Connects the inputs of a core to inputs of the same names, by way of `limit`.
fn connected<'m>(
    m: &'m Builder,
    core: &'m Core,
    instance: InstanceHandle<'m>,
    limit: impl for<'s> Fn(&str, Signal<'s>) -> Signal<'s>,
) -> Vec<(&'m str, Signal<'m>)> {
    let inputs = core.design.top.inputs().map(|port| {
        let signal = m.input(&port.name, port.width, &port.note);
        let signal = limit(&port.name, signal);
        instance.input(&port.name, signal);
        (port.name.as_str(), signal)
    });
    inputs.collect()
}

impl<'m> Bench<'m> {
    fn new(
        m: &'m Builder,
        core: &'m Core,
        inputs: &[(&str, Signal<'m>)],
        outputs: &[(&str, Signal<'m>)],
    ) -> Self {
        let find = |name: &str| {
            let mut ports = inputs.iter().chain(outputs);
            ports.find(|(port, _)| *port == name).map(|(_, signal)| *signal)
        };
        let side = |name: &str, carries_slots: bool, has_own: bool| {
            let (tuser, passengers) =
                split(m, core, carries_slots, has_own, |what| find(&format!("{name}_{what}")));
            let port = |what: &str| {
                find(&format!("{name}_{what}")).unwrap_or_else(|| panic!("no port {name}_{what}"))
            };
            Side {
                tdata: port("tdata"),
                tkeep: port("tkeep"),
                tuser,
                passengers,
                tvalid: port("tvalid"),
                tlast: port("tlast"),
                tready: port("tready"),
            }
        };
        let role = core.spec.role;
        let [takes_slots, gives_slots] = [Role::Encoder, Role::Decoder].map(|of| role == of);
        let input = side("s_axis", takes_slots, takes_slots);
        let status = find("status_tdata").zip(find("status_tvalid")).zip(find("status_tready"));
        let status =
            status.map(|((tdata, tvalid), tready)| Status { tdata, tid: find("status_tid"), tvalid, tready });
        let output = side("m_axis", gives_slots, true);
        let system = find("system");
        let outputs = outputs.iter().map(|(name, signal)| ((*name).to_owned(), *signal)).collect();
        Self { m, core, input, output, status, system, outputs }
    }

    /// An output port that not every core has.
    pub fn output_port(&self, name: &str) -> Option<Signal<'m>> {
        self.outputs.iter().find(|(port, _)| port == name).map(|(_, signal)| *signal)
    }

    /// The lanes of the core's output.
    pub fn lanes_out(&self) -> u32 {
        self.core.spec.lanes_out()
    }

    /// Whether slots come out.
    pub fn is_decoder(&self) -> bool {
        self.core.spec.role == Role::Decoder
    }

    /// The marks of a validator.
    pub fn verdict(&self) -> Option<Verdict> {
        if let Role::Validator(verdict) = self.core.spec.role { Some(verdict) } else { None }
    }

    /// Whether a status is offered and not taken; `None` for a core without a status.
    pub fn status_waits(&self) -> Option<Signal<'m>> {
        self.status.map(|status| (status.tvalid & !status.tready).named("status_is_left"))
    }

    /// A register that reset clears, with its next value.
    pub fn state(&self, name: &str, width: u32, next: impl FnOnce(Signal<'m>) -> Signal<'m>) -> Signal<'m> {
        let register = self.m.reg(name, width).reset(0);
        register.next(next(register.q));
        register.q
    }

    /// Whether `holds` was 1 in each of the `most` cycles before this one.
    pub fn held_for(&self, name: &str, holds: Signal<'m>, most: u64) -> Signal<'m> {
        let count = UnaryRegister::new(self.m, name, most);
        let before = count.q;
        count.next(before.plus(holds).when(holds));
        before.is_most()
    }
}

impl<'m> Side<'m> {
    /// The output of a core without passengers: `output` finds a port by its name, and `tready` drives the core's `m_axis_tready`.
    pub fn of_outputs(output: impl Fn(&str) -> Signal<'m>, tready: Signal<'m>) -> Self {
        Self {
            tdata: output("m_axis_tdata"),
            tkeep: output("m_axis_tkeep"),
            tuser: Some(output("m_axis_tuser")),
            passengers: [None; 3],
            tvalid: output("m_axis_tvalid"),
            tlast: output("m_axis_tlast"),
            tready,
        }
    }

    /// The beat moves in this cycle.
    pub fn taken(&self) -> Signal<'m> {
        self.tvalid & self.tready
    }

    /// Whether each of the `lanes` of the side holds something: one bit a lane.
    pub fn held(&self, bench: &Bench<'m>, lanes: u32) -> Signal<'m> {
        let bits = self.tkeep.width() / lanes;
        bench.m.concat((0..lanes).rev().map(|lane| self.tkeep.bit(lane * bits)).collect::<Vec<_>>())
    }

    /// The bits of a lane in a port.
    pub fn lane(port: Signal<'m>, lane: u32, lanes: u32) -> Signal<'m> {
        let bits = port.width() / lanes;
        port.bits(lane * bits..(lane + 1) * bits)
    }

    /// The items of a beat and the end of its frame.
    pub fn items(&self, m: &'m Builder) -> Signal<'m> {
        m.concat([Some(self.tlast), self.tuser, Some(self.tkeep), Some(self.tdata)].into_iter().flatten())
    }

    /// All of a beat but the handshake.
    pub fn beat(&self, m: &'m Builder) -> Signal<'m> {
        let passengers = self.passengers.into_iter().flatten().map(|(_, signal)| signal);
        m.concat(passengers.chain([self.items(m)]).collect::<Vec<_>>())
    }
}
