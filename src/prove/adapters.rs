//! Adapters: the handshake, and a proof that the same units go out as came in.
//!
//! A beat has *items*: the unit of each lane that holds one, and the end of its frame. An adapter keeps items and their order, and
//! changes only how items are cut into beats. A free input picks an item. The problem remembers the value of the item, and how many items are due before it, and compares
//! the item that goes out in its place.

use utfhdl_hdl::core::adapters::{Adapter, AdapterKind, Fifo};
use utfhdl_hdl::netlist::{Builder, Design, InstanceHandle, Signal};
use utfhdl_sim::aig::Start;

use super::bench::BAD;
use super::checker::Merging;
use super::property::Problem;
use super::unary::UnaryRegister;

/// An adapter with free inputs.
struct Bench<'m> {
    m: &'m Builder,
    adapter: &'m Adapter,
    instance: InstanceHandle<'m>,
    inputs: Vec<(&'m str, Signal<'m>)>,
}

impl<'m> Bench<'m> {
    /// An input of the adapter.
    fn input(&self, name: &str) -> Signal<'m> {
        self.inputs.iter().find(|(port, _)| *port == name).expect("an adapter has this input").1
    }

    /// An output of the adapter.
    fn output(&self, name: &str) -> Signal<'m> {
        self.instance.output(name)
    }

    /// The value of `signal` in the cycle before, and 0 in the first cycle after a reset.
    fn before(&self, name: &str, signal: Signal<'m>) -> Signal<'m> {
        let register = self.m.reg(name, signal.width()).reset(0);
        register.next(signal);
        register.q
    }

    /// A beat was offered and not taken in the cycle before.
    fn waited(&self) -> Signal<'m> {
        self.before("waited_reg", self.output("m_axis_tvalid") & !self.input("m_axis_tready"))
    }

    /// The units of the lanes of a side, from lane 0 on, each with whether it is there, and then the end of the frame.
    fn items(&self, [data, keep, last]: [Signal<'m>; 3]) -> Vec<(Signal<'m>, Signal<'m>)> {
        let (m, bits) = (self.m, self.adapter.spec.unit_bits);
        let unit = |lane: u32| {
            let unit = data.bits(lane * bits..(lane + 1) * bits);
            (keep.bit(lane), m.concat([m.lit(1, 0), unit]))
        };
        let end = (last, m.concat([m.lit(1, 1), m.lit(bits, 0)]));
        (0..keep.width()).map(unit).chain([end]).collect()
    }
}

/// A rule: name, statement, and the signal that is 1 where the rule does not hold.
type Rule = (&'static str, &'static str, for<'m> fn(&Bench<'m>) -> Signal<'m>);

const HANDSHAKE: [Rule; 3] = [
    ("stays-offered", "a beat that is offered stays offered until it is taken", |bench| {
        bench.waited() & !bench.output("m_axis_tvalid")
    }),
    ("stable", "a beat that waits does not change", stable),
    ("quiet-in-reset", "in reset nothing is offered and nothing taken", |bench| {
        let awake = bench.before("awake_reg", bench.m.lit(1, 1));
        !awake & (bench.output("m_axis_tvalid") | bench.output("s_axis_tready"))
    }),
];

const UNUSED_ZERO: Rule = ("unused-zero", "lanes that hold nothing are zero", unused_zero);

const UNITS: Rule = (
    "units",
    "the units and the ends of frames that go out are those that came in, in their order, and no others",
    units,
);

fn stable<'m>(bench: &Bench<'m>) -> Signal<'m> {
    let ports = bench.adapter.design.top.outputs().map(|port| port.name.as_str());
    let ports = ports.filter(|name| name.starts_with("m_axis_") && *name != "m_axis_tvalid");
    let beat = bench.m.concat(ports.map(|name| bench.output(name)).collect::<Vec<_>>());
    bench.waited() & beat.ne(bench.before("beat_before_reg", beat))
}

fn unused_zero<'m>(bench: &Bench<'m>) -> Signal<'m> {
    let (data, keep) = (bench.output("m_axis_tdata"), bench.output("m_axis_tkeep"));
    let bits = bench.adapter.spec.unit_bits;
    let lanes =
        (0..keep.width()).map(|lane| !keep.bit(lane) & data.bits(lane * bits..(lane + 1) * bits).any());
    let used = lanes.reduce(|a, b| a | b).expect("there are lanes");
    bench.output("m_axis_tvalid") & used
}

/// More items than an adapter holds.
fn most(adapter: &Adapter) -> u64 {
    let spec = &adapter.spec;
    let beats = match spec.kind {
        AdapterKind::Fifo(fifo) => fifo.depth + 4,
        AdapterKind::Width { .. } | AdapterKind::Compactor => adapter.latency + 5,
    };
    u64::from(beats * (spec.lanes.max(spec.lanes_out()) + 1))
}

fn units<'m>(bench: &Bench<'m>) -> Signal<'m> {
    let (m, most) = (bench.m, most(bench.adapter));
    let side = |name: &str, port: &dyn Fn(&str) -> Signal<'m>| {
        ["tdata", "tkeep", "tlast"].map(|what| port(&format!("{name}_axis_{what}")))
    };
    let taken = bench.input("s_axis_tvalid") & bench.output("s_axis_tready");
    let given = bench.output("m_axis_tvalid") & bench.input("m_axis_tready");
    let come = bench.items(side("s", &|name| bench.input(name)));
    let go = bench.items(side("m", &|name| bench.output(name)));

    // Items that are due, and of these the ones before the picked item.
    let owed = UnaryRegister::new(m, "owed_reg", most);
    let before = UnaryRegister::new(m, "before_reg", most);
    let picked = m.reg("picked_reg", 1).reset(0);
    let word = m.reg("picked_item_reg", come[0].1.width());
    let (mut left, mut in_front, mut is_picked) = (owed.q, before.q, picked.q);
    let mut bad = owed.q.is_most();
    for (is_there, item) in go {
        let goes = given & is_there;
        let due = goes & is_picked & in_front.is_zero();
        bad = bad | goes & left.is_zero() | due & item.ne(word.q);
        is_picked = is_picked & !due;
        left = left.minus(goes);
        in_front = in_front.minus(goes);
    }
    let mut held = word.q;
    for (index, (is_there, item)) in come.into_iter().enumerate() {
        let comes = taken & is_there;
        let wish = m.input(&format!("pick_{index}"), 1, "this item is picked, if none is");
        let picks = wish & comes & !is_picked;
        in_front = left.or(picks, in_front);
        held = picks.mux(item, held);
        is_picked = is_picked | picks;
        left = left.plus(comes);
    }
    owed.next(left);
    before.next(in_front);
    picked.next(is_picked);
    word.next(held);
    bad
}

/// The problems of an adapter. A FIFO gives lanes that hold nothing as they came in. Of a FIFO of whole frames, which can drop a frame, the rule
/// of units is left out.
pub fn problems(adapter: &Adapter) -> Vec<Problem> {
    let (is_fifo, drops) = match adapter.spec.kind {
        AdapterKind::Fifo(Fifo { whole, .. }) => (true, whole.is_some()),
        AdapterKind::Width { .. } | AdapterKind::Compactor => (false, false),
    };
    let handshake = HANDSHAKE.into_iter().chain((!is_fifo).then_some(UNUSED_ZERO));
    let rules = handshake.map(|rule| (rule, Start::AfterReset { again: true }));
    let units = (!drops).then_some((UNITS, Start::AfterReset { again: false }));
    let rules = rules.chain(units);
    let problems = rules.map(|((name, says, bad), start)| {
        let m = Builder::new("problem", "An adapter, and a property of it.");
        let instance = m.instance("adapter", &adapter.design.top);
        let inputs = adapter.design.top.inputs().map(|port| {
            let signal = m.input(&port.name, port.width, &port.note);
            instance.input(&port.name, signal);
            (port.name.as_str(), signal)
        });
        let bench = Bench { m: &m, adapter, instance, inputs: inputs.collect() };
        m.output(BAD, bad(&bench), "the property does not hold");
        for port in adapter.design.top.outputs() {
            m.output(&port.name, instance.output(&port.name), &port.note);
        }
        let design = Design { top: m.built_with_unused(), reset: adapter.design.reset };
        Problem { name, says, design, start, merging: Merging::Plain, text: None }
    });
    problems.collect()
}
