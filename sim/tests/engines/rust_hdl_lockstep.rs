//! The `rust-hdl` engine compared with the `native` engine on random designs.

use std::collections::BTreeSet;

use crate::common::bench::native;
use crate::common::random_netlist::{Recipe, recipe_from_seed, recipes};
use crate::common::stimulus::stimulus;
use proptest::prelude::*;
use utfhdl_hdl::netlist::{Arm, Design, Fault, Module, Op};
use utfhdl_sim::rust_hdl::RustHdl;
use utfhdl_sim::{Engine, Layout};

/// The first cycle in which the engines differ, with both records.
fn difference(design: &Design, seed: u64) -> Option<(usize, Vec<u64>, Vec<u64>)> {
    const CYCLES: usize = 60;
    let layout = Layout::new(design);
    let inputs = stimulus(&layout, design.reset.active_level(), CYCLES, seed);
    let run = |engine: &mut dyn Engine| {
        let mut outputs = vec![0; CYCLES * layout.output_words];
        engine.run(&inputs, &mut outputs).expect("the engine runs");
        outputs
    };
    let (native, rust_hdl) = (run(&mut native(design)), run(&mut RustHdl::new(design)));
    let cycles = native.chunks(layout.output_words).zip(rust_hdl.chunks(layout.output_words));
    let found = cycles.enumerate().find(|(_, (native, rust_hdl))| native != rust_hdl);
    found.map(|(cycle, (native, rust_hdl))| (cycle, native.to_vec(), rust_hdl.to_vec()))
}

proptest! {
    #[test]
    fn agrees_with_native(recipe in recipes(), seed: u64) {
        prop_assert_eq!(difference(&recipe.design(), seed), None);
    }

    #[test]
    fn agrees_with_native_where_readers_stand_before_what_they_read(
        recipe in recipes(),
        seed: u64,
        fault in prop::sample::select(&Fault::ALL[..]),
    ) {
        prop_assert_eq!(difference(&faulty(&recipe, fault), seed), None);
    }
}

/// A fault at the first input is a node after all others.
fn faulty(recipe: &Recipe, fault: Fault) -> Design {
    fault.inject(&recipe.design(), "in0").expect("every design has an input `in0`")
}

/// The test above is not vacuous: an inverted input is seen in nearly every design, since outputs depend on inputs.
#[test]
fn a_difference_between_designs_is_seen() {
    let outputs = |design: &Design| {
        let layout = Layout::new(design);
        let inputs = stimulus(&layout, design.reset.active_level(), 60, 1);
        let mut outputs = vec![0; 60 * layout.output_words];
        RustHdl::new(design).run(&inputs, &mut outputs).expect("the engine runs");
        outputs
    };
    let seen = (0..50)
        .map(recipe_from_seed)
        .filter(|recipe| outputs(&recipe.design()) != outputs(&faulty(recipe, Fault::Inverted)));
    let seen = seen.count();
    assert!(seen > 40, "an inverted input was seen in {seen} of 50 designs only");
}

/// Nor is it so for want of variety: the designs have every operation at every kind of width, every kind of register,
/// and paths that run against the order of the source.
#[test]
fn random_designs_have_everything() {
    let mut found = BTreeSet::new();
    for seed in 0..300 {
        recipe_from_seed(seed).design().modules().iter().for_each(|module| features(module, &mut found));
    }
    let binary = ["And", "Or", "Xor", "Add", "Sub", "Eq", "Ne", "Lt", "Le", "Shl", "Shr"];
    let unary =
        ["Not", "Reduce(And", "Reduce(Or", "Reduce(Xor", "Slice", "Concat", "Mux", "Case", "Table", "Wire"];
    let operations = binary.map(|op| format!("Binary({op}")).into_iter().chain(unary.map(str::to_owned));
    let widths = operations.flat_map(|op| ["narrow", "wide"].map(|width| format!("{op} {width}")));
    let registers = [false, true]
        .map(|enable| [false, true].map(|reset| format!("register, enable {enable}, reset {reset}")));
    let others = ["named constant", "a wire driven later", "an instance driven by its own output"];
    let expected = widths.chain(registers.into_iter().flatten()).chain(others.map(str::to_owned));
    let missing: Vec<String> = expected.filter(|feature| !found.contains(feature)).collect();
    assert!(missing.is_empty(), "not in 300 designs: {missing:?}");
}

fn features(module: &Module, found: &mut BTreeSet<String>) {
    for (index, node) in module.nodes().iter().enumerate() {
        let widest = node.op.operands().iter().map(|id| module.node(*id).width).fold(node.width, u32::max);
        let name = format!("{:?}", node.op);
        let is_table = |arms: &[Arm]| arms.iter().flat_map(|arm| &arm.labels).any(|label| !label.is_exact());
        let name = match &node.op {
            Op::Binary(..) | Op::Reduce(..) => name.split(',').next(),
            Op::Case(_, arms, _) if is_table(arms) => Some("Table"),
            _ => name.split('(').next(),
        };
        let width = if widest > 64 { "wide" } else { "narrow" };
        found.insert(format!("{} {width}", name.expect("a name")));
        match node.op {
            Op::Const(_) if node.name.is_some() => found.insert("named constant".to_owned()),
            Op::Wire(Some(driver)) if driver.index() > index => {
                found.insert("a wire driven later".to_owned())
            }
            _ => false,
        };
    }
    for register in module.registers() {
        let (enable, reset) = (register.enable.is_some(), register.reset.is_some());
        found.insert(format!("register, enable {enable}, reset {reset}"));
    }
    for (index, instance) in module.instances().iter().enumerate() {
        // A wire as input, driven by an output of the same instance: sound only if no path inside joins the two.
        let loops = instance.inputs.iter().flatten().any(|input| {
            let Op::Wire(Some(driver)) = module.node(*input).op else { return false };
            matches!(module.node(driver).op, Op::InstanceOutput(from, _) if from == index)
        });
        if loops {
            found.insert("an instance driven by its own output".to_owned());
        }
    }
}
