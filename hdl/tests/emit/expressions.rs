//! Parentheses, literals, and long lines.

use utfhdl_hdl::netlist::{Bits, Builder, Signal};

use crate::body;

/// One-bit inputs `a` to `d`, four-bit inputs `v` to `x`.
#[derive(Clone, Copy)]
struct Inputs<'m> {
    m: &'m Builder,
    a: Signal<'m>,
    b: Signal<'m>,
    c: Signal<'m>,
    d: Signal<'m>,
    v: Signal<'m>,
    w: Signal<'m>,
    x: Signal<'m>,
}

/// What an output is assigned.
fn expression(make: impl for<'m> FnOnce(Inputs<'m>) -> Signal<'m>) -> String {
    let text = body(|m| {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| m.input(name, 1, ""));
        let [v, w, x] = ["v", "w", "x"].map(|name| m.input(name, 4, ""));
        m.output("y", make(Inputs { m, a, b, c, d, v, w, x }), "");
        // Nothing is to be unused.
        m.output("all", m.concat([a, b, c, d, v, w, x]), "");
    });
    let assigned = text.split_once("assign y   = ").expect("the output").1;
    assigned.split_once(";\n").expect("its end").0.to_owned()
}

#[test]
fn chains_of_one_operator_need_no_parentheses() {
    assert_eq!(expression(|i| i.a & i.b & i.c), "a && b && c");
    assert_eq!(expression(|i| i.a & (i.b & i.c)), "a && b && c");
    assert_eq!(expression(|i| i.a | i.b | i.c), "a || b || c");
    assert_eq!(expression(|i| i.v + i.w + i.x), "v + w + x");
    assert_eq!(expression(|i| i.v ^ i.w ^ i.x), "v ^ w ^ x");
}

#[test]
fn different_operators_get_parentheses() {
    assert_eq!(expression(|i| i.a & i.b | i.c), "(a && b) || c");
    assert_eq!(expression(|i| i.a & (i.b | i.c)), "a && (b || c)");
    assert_eq!(expression(|i| i.v & i.w | i.x), "(v & w) | x");
    assert_eq!(expression(|i| (i.v + i.w) ^ i.x), "(v + w) ^ x");
    assert_eq!(expression(|i| i.v << i.w >> i.x), "(v << w) >> x");
    assert_eq!(expression(|i| (i.v & i.w).eq(i.x)), "(v & w) == x");
    assert_eq!(expression(|i| i.a ^ i.b), "a ^ b");
    assert_eq!(expression(|i| (i.a ^ i.b) & i.c), "(a ^ b) && c");
}

/// `a - (b - c)` is not `a - b - c`, and of shifts the same.
#[test]
fn operators_that_are_not_associative_keep_their_order() {
    assert_eq!(expression(|i| i.v - (i.w - i.x)), "v - (w - x)");
    assert_eq!(expression(|i| i.v - i.w - i.x), "(v - w) - x");
    assert_eq!(expression(|i| i.v - (i.w + i.x)), "v - (w + x)");
    assert_eq!(expression(|i| i.v << (i.w << i.x)), "v << (w << x)");
    assert_eq!(expression(|i| i.v.lt(i.w).eq(i.a)), "(v < w) == a");
}

#[test]
fn comparisons_stand_bare_between_logical_operators_only() {
    assert_eq!(expression(|i| i.v.eq(i.w) & i.w.lt(i.x)), "v == w && w < x");
    assert_eq!(expression(|i| i.v.le(i.w) | !i.a), "v <= w || !a");
    assert_eq!(expression(|i| i.v.eq(i.w) ^ i.a), "(v == w) ^ a");
    assert_eq!(expression(|i| i.v.ne(i.w).mux(i.a, i.b)), "v != w ? a : b");
}

#[test]
fn complements() {
    assert_eq!(expression(|i| !i.a), "!a");
    assert_eq!(expression(|i| !i.v), "~v");
    assert_eq!(expression(|i| !(i.a & i.b)), "!(a && b)");
    assert_eq!(expression(|i| !(i.v & i.w)), "~(v & w)");
    assert_eq!(expression(|i| !!i.a), "!(!a)");
    assert_eq!(expression(|i| !i.v & i.w), "~v & w");
    // Of a comparison in line, the opposite comparison; of an order, its complement.
    assert_eq!(expression(|i| !i.v.eq(i.w)), "v != w");
    assert_eq!(expression(|i| !i.v.ne(i.w)), "v == w");
    assert_eq!(expression(|i| !i.v.lt(i.w)), "!(v < w)");
}

/// `a & |b` is one slip away from `a || b`.
#[test]
fn reductions_get_parentheses_beside_other_operators() {
    assert_eq!(expression(|i| i.v.any()), "|v");
    assert_eq!(expression(|i| i.v.all() & i.a), "(&v) && a");
    assert_eq!(expression(|i| i.v.any() | i.a), "(|v) || a");
    assert_eq!(expression(|i| i.v.parity().eq(i.a)), "(^v) == a");
    assert_eq!(expression(|i| !i.v.any()), "!(|v)");
    assert_eq!(expression(|i| i.v.any().mux(i.w.all(), i.a)), "(|v) ? (&w) : a");
    assert_eq!(expression(|i| (i.v & i.w).any()), "|(v & w)");
    assert_eq!(expression(|i| i.m.concat([i.v.any(), i.a])), "{|v, a}");
}

#[test]
fn conditionals_read_as_a_list_from_top_to_bottom() {
    assert_eq!(expression(|i| i.a.mux(i.v, i.b.mux(i.w, i.x))), "a ? v : b ? w : x");
    assert_eq!(expression(|i| i.a.mux(i.b.mux(i.v, i.w), i.x)), "a ? (b ? v : w) : x");
    assert_eq!(expression(|i| i.a.mux(i.b, i.c).mux(i.v, i.w)), "(a ? b : c) ? v : w");
    assert_eq!(expression(|i| i.a.mux(i.b, i.c) & i.d), "(a ? b : c) && d");
    assert_eq!(expression(|i| i.a.mux(i.v, i.w) + i.x), "(a ? v : w) + x");
    assert_eq!(expression(|i| i.v.when(i.a)), "a ? v : 4'd0");
    assert_eq!(expression(|i| (i.a & i.b).mux(i.c | i.d, i.a & i.c)), "(a && b) ? (c || d) : (a && c)");
    assert_eq!(expression(|i| i.v.eq(i.w).mux(i.v + i.w, !i.x)), "v == w ? v + w : ~x");
}

#[test]
fn bits_side_by_side() {
    assert_eq!(expression(|i| i.m.concat([i.a, i.v, i.b | i.c])), "{a, v, b || c}");
    assert_eq!(expression(|i| i.v.bits(1..3)), "v[2:1]");
    assert_eq!(expression(|i| i.v.bit(3)), "v[3]");
    assert_eq!(expression(|i| i.v.bits(1..4).bits(1..3)), "v[3:2]");
    assert_eq!(expression(|i| i.v.bits(0..4)), "v");
    assert_eq!(expression(|i| i.m.lit(12, 0xed5).bits(4..12)), "8'hED");
    assert_eq!(expression(|i| i.v.repeat(3)), "{3{v}}");
    assert_eq!(expression(|i| (i.a | i.b).repeat(2)), "{2{a || b}}");
    assert_eq!(expression(|i| i.v.zext(6)), "{2'd0, v}");
}

#[test]
fn literals_have_sizes_and_the_base_that_is_easiest_to_read() {
    let literal = |width, value| expression(|i| i.m.lit(width, value));
    assert_eq!(literal(1, 1), "1'b1");
    assert_eq!(literal(4, 9), "4'd9");
    assert_eq!(literal(5, 9), "5'h9");
    assert_eq!(literal(40, 0), "40'd0");
    assert_eq!(literal(21, 0xfffd), "21'hFFFD");
    assert_eq!(literal(8, 0xed), "8'hED");
    assert_eq!(expression(|i| i.m.constant(Bits::from_words(70, &[0xa, 1]))), "70'h1000000000000000A");
}

/// Verilator takes no constant amount of more than 32 bits.
#[test]
fn amounts_of_more_than_32_bits_are_compared_first() {
    let text = body(|m| {
        let (a, near, far) = (m.input("a", 4, ""), m.input("near", 32, ""), m.input("far", 40, ""));
        m.output("left", a << near, "");
        m.output("right", a >> far, "");
    });
    let expected = "    assign left  = a << near;\n    \
                    assign right = (|far[39:32]) ? 4'd0 : a >> far[31:0];\n";
    assert_eq!(text, expected);
}

/// What a few selected bits are compared with is a pattern of bits, not a number.
#[test]
fn selected_bits_are_compared_with_patterns() {
    assert_eq!(expression(|i| i.v.bits(1..4).is(0b010)), "v[3:1] == 3'b010");
    assert_eq!(expression(|i| i.m.concat([i.a, i.b]).is(0b01)), "{a, b} == 2'b01");
    assert_eq!(expression(|i| i.v.is(2)), "v == 4'd2");
    assert_eq!(expression(|i| i.v.bits(1..4).lt(i.m.lit(3, 2))), "v[3:1] < 3'd2");
    assert_eq!(expression(|i| i.m.concat([i.v, i.w, i.x]).is(5)), "{v, w, x} == 12'h5");
}

#[test]
fn long_chains_are_broken_before_the_operator() {
    let text = body(|m| {
        let inputs: Vec<Signal> =
            (0..4).map(|index| m.input(&format!("an_input_of_a_rather_long_name_{index}"), 1, "")).collect();
        let chain = inputs.iter().copied().reduce(|a, b| a & b).expect("four inputs");
        m.output("y", chain, "");
    });
    assert_eq!(
        text,
        "    assign y = an_input_of_a_rather_long_name_0\n        \
         && an_input_of_a_rather_long_name_1\n        \
         && an_input_of_a_rather_long_name_2\n        \
         && an_input_of_a_rather_long_name_3;\n"
    );
}

#[test]
fn long_conditionals_and_concatenations_are_broken_between_their_parts() {
    let text = body(|m| {
        let [a, b, c] = ["first", "second", "third"].map(|name| m.input(&name.repeat(6), 1, ""));
        m.output("y", a.mux(b, b.mux(c, a)), "");
        m.output("z", m.concat([a, b, c, a]), "");
    });
    let (a, b, c) = ("first".repeat(6), "second".repeat(6), "third".repeat(6));
    let expected = format!(
        "    assign y = {a} ? {b}\n        : {b} ? {c}\n        : {a};\n    \
         assign z = {{{a}, {b},\n        {c}, {a}}};\n"
    );
    assert_eq!(text, expected);
}

/// A line is full at 100 columns, no earlier and no later.
#[test]
fn a_line_of_a_hundred_columns_is_whole() {
    let line = |length: usize| {
        body(|m| {
            let (a, b) = (m.input("a", 1, ""), m.input(&"b".repeat(length), 1, ""));
            m.output("y", a & b, "");
        })
    };
    let fixed = "    assign y = a && ;".len();
    assert_eq!(line(100 - fixed).lines().map(str::len).collect::<Vec<_>>(), [100]);
    assert_eq!(line(101 - fixed).lines().count(), 2);
}
