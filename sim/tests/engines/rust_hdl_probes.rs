//! A netlist as rust-hdl's probes, waves, checks and Verilog writer see it.

use std::io::Cursor;
use std::sync::Arc;

use rust_hdl::core::prelude::*;
use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle};
use utfhdl_sim::rust_hdl::NetlistBlock;

fn counter() -> Arc<Module> {
    let m = Builder::new("counter", "Counts where it is enabled.");
    let enable = m.input("enable", 1, "");
    let count = m.reg("count", 70).reset(3);
    let more = (count.q + m.lit(70, 1)).named("more");
    count.next_when(enable, more);
    m.output("value", count.q, "");
    m.finish().expect("a sound module")
}

fn two_counters() -> Design {
    let m = Builder::new("two_counters", "Counts all cycles and, of those, some.");
    let some = m.input("some", 1, "");
    let counter = counter();
    for (name, enable) in [("every", m.lit(1, 1)), ("few", some)] {
        let value = m.instance(name, &counter).input("enable", enable).output("value");
        m.output(&format!("{name}_count"), value, "");
    }
    Design { top: m.finish().expect("a sound module"), reset: ResetStyle::SyncLow }
}

fn block() -> NetlistBlock {
    NetlistBlock::new(&two_counters(), "module two_counters(); endmodule\n")
}

/// A top as rust-hdl's users write it: a testbench toggles its clock and drives it.
fn simulation() -> Simulation<NetlistBlock> {
    let mut simulation = Simulation::new();
    simulation.add_clock(5, |x: &mut Box<NetlistBlock>| x.clk.next = !x.clk.val());
    simulation.add_testbench(|mut bench: Sim<NetlistBlock>| {
        let mut x = bench.init()?;
        x.rst.next = false;
        wait_clock_cycle!(bench, clk, x);
        x.rst.next = true;
        for cycle in 0..6 {
            x.inputs[0].set_next(&[cycle % 2]);
            wait_clock_cycle!(bench, clk, x);
        }
        sim_assert_eq!(bench, x.outputs[0].val(), [3 + 6, 0], x);
        sim_assert_eq!(bench, x.outputs[1].val(), [3 + 3, 0], x);
        bench.done(x)
    });
    simulation
}

#[test]
fn runs_in_the_simulation_of_rust_hdl_and_dumps_its_hierarchy() {
    let mut wave = Vec::new();
    simulation().run_traced(Box::new(block()), 1000, &mut wave).expect("the testbench is content");
    let mut wave = wellen::simple::read_from_reader(Cursor::new(wave)).expect("a wave file");
    let names = wave.hierarchy().all_vars().map(|var| wave.hierarchy()[var].full_name(wave.hierarchy()));
    let names: Vec<String> = names.collect();
    let counters = ["every", "few"].map(|instance| {
        ["clk", "rst_n", "enable", "value", "count", "more"].map(|name| format!("uut.{instance}.{name}"))
    });
    let ports = ["clk", "rst_n", "some", "every_count", "few_count"].map(|name| format!("uut.{name}"));
    for name in counters.as_flattened().iter().chain(&ports) {
        assert!(names.contains(name), "{name} is not among {names:?}");
    }

    let more = wave.hierarchy().lookup_var(&["uut", "few"], "more").expect("just seen");
    let signal = wave.hierarchy()[more].signal_ref();
    wave.load_signals(&[signal]);
    let signal = wave.get_signal(signal).expect("just loaded");
    let last = signal.iter_changes().last().expect("it has a value").1.to_bit_string().expect("bits");
    assert_eq!((last.len(), u128::from_str_radix(&last, 2)), (70, Ok(7)));
}

#[test]
fn passes_the_checks_of_rust_hdl() {
    let mut block = block();
    block.connect_all();
    assert_eq!(check_all(&block), Ok(()));
}

#[test]
fn an_input_that_nothing_drives_is_found_below_the_top() {
    let mut top = TopWrap::new(block());
    top.connect_all();
    let Err(rust_hdl::core::check_error::CheckError::OpenSignal(open)) = check_all(&top) else {
        panic!("`some` is open")
    };
    let mut names: Vec<&str> = open.values().map(|found| found.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["clk", "rst_n", "some"]);
}

#[test]
fn rust_hdl_writes_a_module_around_the_text() {
    let mut block = block();
    block.connect_all();
    let text = generate_verilog(&block);
    let instance =
        "two_counters two_counters$inst (\n        .clk(clk),\n        .rst_n(rst_n),\n        .some(some),";
    assert!(text.contains(instance), "{text}");
    assert!(text.contains("module top(clk,rst_n,some,every_count,few_count);"), "{text}");
    assert!(text.contains("output wire  [69:0] every_count;"), "{text}");
    let modules = text.matches("endmodule").count();
    assert_eq!(modules, 2, "the wrapper and the text it was given, nothing for the instances: {text}");
}
