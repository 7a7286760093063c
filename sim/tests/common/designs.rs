//! Small designs with every operation and kind of register that an engine must support.

use std::sync::Arc;

use utfhdl_hdl::netlist::{Bits, Builder, Module, Row};

/// Every operation on two operands of `width` bits and a shift amount.
pub fn operators(width: u32) -> Arc<Module> {
    let m = Builder::new("operators", "Every operation.");
    let (a, b, by) = (m.input("a", width, ""), m.input("b", width, ""), m.input("by", 8, ""));
    let ones = m.constant(Bits::ones(width));
    let [row_value, row_number] = by.table(
        ["value_of_row", "number_of_row"],
        [
            Row::new("0000xx11", "first of all", [a, m.lit(2, 1)]),
            Row::new("000xxxx1, 00000100", "", [b, m.lit(2, 2)]),
            Row::new("x0xxxxxx", "what is left below 128", [!a, m.lit(2, 3)]),
        ],
        [ones, m.lit(2, 0)],
    );
    let open = |count: u32| "x".repeat(count as usize);
    let [ends] = a.table(
        ["ends_of_a"],
        [
            Row::new(&format!("1{}1", open(width - 2)), "", [m.lit(2, 3)]),
            Row::new(&format!("1{}", open(width - 1)), "", [m.lit(2, 2)]),
            Row::new(&format!("{}00x1, {}1", open(width - 4), open(width - 1)), "", [m.lit(2, 1)]),
        ],
        [m.lit(2, 0)],
    );
    for (name, value) in [
        ("and_", a & b),
        ("or_", a | b),
        ("xor_", a ^ b),
        ("not_", !a),
        ("add", a + b),
        ("sub", a - b),
        ("sub_back", b - a),
        ("eq", a.eq(b)),
        ("ne", a.ne(b)),
        ("lt", a.lt(b)),
        ("le", a.le(b)),
        ("le_self", a.le(a)),
        ("shl", a << by),
        ("shr", a >> by),
        ("all", a.all()),
        ("any", a.any()),
        ("parity", a.parity()),
        ("slice", a.bits(2..width - 1)),
        ("concat", m.concat([b, a])),
        ("zext", a.zext(width + 60)),
        ("mux", by.bit(0).mux(a, b)),
        ("case_", by.case([(&[3, 5], a), (&[4], b)], ones)),
        ("row_value", row_value),
        ("row_number", row_number),
        ("ends", ends),
    ] {
        m.output(name, value, "");
    }
    m.finish().expect("a sound module")
}

/// Registers with and without enable and reset value, and two that swap.
pub fn registers() -> Arc<Module> {
    let m = Builder::new("registers", "Every kind of register.");
    let (d, enable) = (m.input("d", 8, ""), m.input("enable", 1, ""));
    let (plain, enabled) = (m.reg("plain", 8), m.reg("enabled", 8));
    let (cleared, both) = (m.reg("cleared", 8).reset(0xa5), m.reg("both", 8).reset(0x5a));
    plain.next(d);
    enabled.next_when(enable, d);
    cleared.next(d);
    both.next_when(enable, d);
    let (left, right) = (m.reg("left", 70).reset(1), m.reg("right", 70).reset(2));
    left.next(right.q);
    right.next(left.q);
    for (name, register) in [
        ("plain_q", plain),
        ("enabled_q", enabled),
        ("cleared_q", cleared),
        ("both_q", both),
        ("left_q", left),
        ("right_q", right),
    ] {
        m.output(name, register.q, "");
    }
    m.finish().expect("a sound module")
}
