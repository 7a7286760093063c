//! Faults: where they can be put, and that only what reads the signal changes.

use utfhdl_hdl::netlist::{
    BinaryOp, Bits, Builder, Design, Fault, FaultError, Module, NodeId, Op, ResetStyle,
};

/// A counter below a top that adds to it.
fn design() -> Design {
    let counter = Builder::new("counter", "Counts.");
    let step = counter.input("step", 4, "");
    let count = counter.reg("count", 4).reset(0);
    count.next_when(step.any().named("moves"), count.q + step);
    counter.output("value", count.q, "");
    let counter = counter.built();

    let m = Builder::new("top", "Counts and adds.");
    let a = m.input("a", 4, "");
    let value = m.instance("u", &counter).input("step", a).output("value");
    let sum = (value + a).named("sum");
    m.output("y", sum, "");
    m.output("odd", sum.parity(), "");
    Design { top: m.built(), reset: ResetStyle::SyncHigh }
}

fn node(module: &Module, name: &str) -> NodeId {
    let index = module.nodes().iter().position(|node| node.name.as_deref() == Some(name));
    NodeId(index.expect("a signal of that name") as u32)
}

#[test]
fn a_fault_stands_between_the_signal_and_all_its_readers() {
    for fault in Fault::ALL {
        let faulty = fault.inject(&design(), "sum").unwrap();
        let (top, sum) = (&faulty.top, node(&faulty.top, "sum"));
        let outputs: Vec<_> = top.outputs().collect();
        let instead = outputs[0].node;
        assert_ne!(instead, sum, "{fault}");
        assert_eq!(
            top.node(outputs[1].node).op.operands(),
            [instead],
            "{fault}: the parity reads the faulty value too"
        );
        // The signal itself is as it was.
        assert!(matches!(top.node(sum).op, Op::Binary(BinaryOp::Add, ..)), "{fault}");
        let expected = match (fault, &top.node(instead).op) {
            (Fault::StuckAtZero, Op::Const(value)) => *value == Bits::new(4, 0),
            (Fault::StuckAtOne, Op::Const(value)) => *value == Bits::new(4, 15),
            (Fault::Inverted, Op::Not(of)) => *of == sum,
            (Fault::ShiftedLeft, Op::Binary(BinaryOp::Shl, of, by)) => {
                *of == sum && top.node(*by).op == Op::Const(Bits::new(4, 1))
            }
            _ => false,
        };
        assert!(expected, "{fault}: {:?}", top.node(instead));
    }
}

#[test]
fn enables_next_values_and_instance_inputs_read_the_fault() {
    let faulty = Fault::StuckAtOne.inject(&design(), "u.moves").unwrap();
    let counter = &faulty.top.instances()[0].module;
    let enable = counter.registers()[0].enable.expect("it has an enable");
    assert_eq!(counter.node(enable).op, Op::Const(Bits::new(1, 1)));

    let faulty = Fault::Inverted.inject(&design(), "u.count").unwrap();
    let counter = &faulty.top.instances()[0].module;
    let count = node(counter, "count");
    let next = counter.registers()[0].next.expect("it has a next value");
    let inverted = counter.node(next).op.operands()[0];
    assert_eq!(counter.node(inverted).op, Op::Not(count), "the register's own next value reads it inverted");
    assert_eq!(counter.registers()[0].node, count, "but it is the register that loads");

    assert_eq!(counter.name(), "counter_with_fault", "another instance of the module would have no fault");

    let faulty = Fault::StuckAtZero.inject(&design(), "a").unwrap();
    let driver = faulty.top.instances()[0].inputs[0].expect("it is connected");
    assert_eq!(faulty.top.node(driver).op, Op::Const(Bits::zero(4)));
}

#[test]
fn the_design_itself_stays_as_it_was() {
    let design = design();
    let before = format!("{design:?}");
    Fault::Inverted.inject(&design, "u.count").unwrap();
    assert_eq!(format!("{design:?}"), before);
}

#[test]
fn a_path_that_leads_nowhere_is_an_error() {
    let inject = |path: &str| Fault::Inverted.inject(&design(), path).unwrap_err();
    let no_signal = FaultError::NoSignal { module: "top".to_owned(), signal: "carry".to_owned() };
    assert_eq!(inject("carry"), no_signal);
    assert_eq!(inject("carry").to_string(), "module `top` has no signal `carry`");
    assert_eq!(inject("v.count").to_string(), "module `top` has no instance `v`");
    assert_eq!(inject("u.carry").to_string(), "module `counter` has no signal `carry`");
    assert_eq!(inject("u.v.count").to_string(), "module `counter` has no instance `v`");
    assert_eq!(inject("").to_string(), "module `top` has no signal ``");
}
