//! Modules that are made with a part of the logic that was written for another.

use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};

/// Register by register, in bits.
fn registers(module: &utfhdl_hdl::netlist::Module) -> Vec<(String, u32)> {
    let name = |index: usize| {
        let node = module.node(module.registers()[index].node);
        (node.name.clone().expect("a register has a name"), node.width)
    };
    (0..module.registers().len()).map(name).collect()
}

#[test]
fn a_trimmed_module_has_what_its_outputs_depend_on() {
    let m = Builder::new("part", "Shows some bits of what it read.");
    let unit = m.input("unit", 8, "");
    let unit_reg = m.reg("unit_reg", 8).reset(0xa5);
    unit_reg.next(unit);
    let next = m.reg("next_reg", 8);
    next.next(unit_reg.q ^ m.lit(8, 0x3c));
    // A register that reads itself and that no output reads, and an adder of which an output reads some bits.
    let count = m.reg("count_reg", 4);
    count.next(count.q + unit.bits(0..4));
    let sum = (next.q + unit).named("sum");
    let alias = next.q.named("other_name");
    m.output("bits", alias.bits(2..5), "");
    m.output("ends", m.concat([alias.bit(7), alias.bit(0)]), "");
    m.output("carry", sum.bit(7), "");
    let module = m.built_trimmed();
    assert_eq!(registers(&module), [("unit_reg".to_owned(), 8), ("next_reg".to_owned(), 8)]);

    let m = Builder::new("part", "Shows some bits of what it read.");
    let unit = m.input("unit", 8, "");
    let unit_reg = m.reg("unit_reg", 8).reset(0xa5);
    unit_reg.next(unit);
    let next = m.reg("next_reg", 8);
    next.next(unit_reg.q ^ m.lit(8, 0x3c));
    let alias = next.q.named("other_name");
    m.output("bits", alias.bits(2..5), "");
    m.output("top", alias.bit(7), "");
    m.output("unit_again", unit, "");
    let module = m.built_trimmed();
    assert_eq!(registers(&module), [("unit_reg".to_owned(), 4), ("next_reg".to_owned(), 4)]);
    // Bits 2 to 4 and 7: of A5 they are 1001 from the highest down, and of 3C 0111.
    let text = verilog(&Design { top: module, reset: ResetStyle::SyncHigh }, &Header::default());
    for line in ["unit_reg <= 4'd9;", "next_reg <= unit_reg ^ 4'h7;", "unit_reg <= {unit[7], unit[4:2]};"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("other_name"), "{text}");
}

/// Two instances, of whose outputs different bits are read: the module keeps the bits that some instance is asked for, and signals of
/// which slices are read keep their names.
#[test]
fn outputs_of_instances_have_the_bits_that_are_read() {
    let inner = Builder::new("inner", "Holds a unit.");
    let held = inner.reg("held_reg", 8);
    let unit = inner.input("unit", 8, "");
    held.next(unit);
    inner.output("held", held.q, "");
    inner.output("some", unit.any(), "");
    let inner = inner.built();
    let m = Builder::new("outer", "Shows some bits of two units.");
    let units = [0, 1].map(|at| {
        let instance = m.instance(&format!("inner_{at}"), &inner);
        let instance = instance.input("unit", m.input(&format!("unit_{at}"), 8, ""));
        m.output(&format!("some_{at}"), instance.output("some"), "");
        instance.output("held").named(&format!("held_{at}"))
    });
    m.output("ends", m.concat(units.map(|unit| m.concat([unit.bit(7), unit.bit(0)]))), "");
    m.output("middle", units[1].bits(3..5), "");
    let module = m.built_trimmed();
    let narrow = &module.instances()[0].module;
    assert!(std::sync::Arc::ptr_eq(narrow, &module.instances()[1].module));
    assert_eq!(registers(narrow), [("held_reg".to_owned(), 4)]);
    let text = verilog(&Design { top: module, reset: ResetStyle::SyncHigh }, &Header::default());
    // Bits 0, 3, 4 and 7, of which the second instance is asked for all.
    for line in ["{unit[7], unit[4:3], unit[0]};", "wire [3:0] held_1;", "held_1[2:1];"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}
