//! Parentheses, normal forms, literals, and long lines.

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

/// The expression that is assigned to an output.
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
    assert_eq!(expression(|i| i.v - i.w - i.x), "v - w - x");
    assert_eq!(expression(|i| i.v - i.w + i.x), "v - w + x");
    assert_eq!(expression(|i| i.v + (i.w - i.x)), "v + w - x");
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
    assert_eq!(expression(|i| !!i.a), "a");
    assert_eq!(expression(|i| !!i.v), "v");
    assert_eq!(expression(|i| !i.v & i.w), "~v & w");
    assert_eq!(expression(|i| !(i.a ^ i.b)), "!(a ^ b)");
    assert_eq!(expression(|i| !(i.a & i.v.eq(i.w))), "!(a && v == w)");
    // A negated comparison becomes the opposite comparison, also in a chain.
    assert_eq!(expression(|i| !i.v.eq(i.w)), "v != w");
    assert_eq!(expression(|i| !i.v.ne(i.w)), "v == w");
    assert_eq!(expression(|i| !i.v.lt(i.w)), "v >= w");
    assert_eq!(expression(|i| !i.v.le(i.w)), "v > w");
    assert_eq!(expression(|i| !(!i.a & i.v.eq(i.w))), "a || v != w");
    assert_eq!(expression(|i| !(!i.a | (!i.b & i.v.any()))), "a && (b || v == 4'd0)");
}

#[test]
fn the_literal_stands_on_the_right() {
    assert_eq!(expression(|i| i.m.lit(4, 4).lt(i.v)), "v > 4'd4");
    assert_eq!(expression(|i| i.m.lit(4, 4).le(i.v)), "v >= 4'd4");
    assert_eq!(expression(|i| i.m.lit(4, 4).eq(i.v)), "v == 4'd4");
    assert_eq!(expression(|i| !i.m.lit(4, 4).lt(i.v)), "v <= 4'd4");
    assert_eq!(expression(|i| i.m.lit(4, 4) & i.v), "v & 4'h4");
    assert_eq!(expression(|i| i.m.lit(4, 4) ^ i.v ^ i.w), "v ^ w ^ 4'h4");
    assert_eq!(expression(|i| i.m.lit(4, 4) + i.v), "v + 4'd4");
    assert_eq!(expression(|i| i.m.lit(4, 4) - i.v), "4'd4 - v");
    assert_eq!(expression(|i| i.v.within(3, 9)), "v >= 4'd3 && v <= 4'd9");
}

#[test]
fn comparisons_with_the_ends_are_with_zero() {
    assert_eq!(expression(|i| i.v.lt(i.m.lit(4, 1))), "v == 4'd0");
    assert_eq!(expression(|i| i.m.lit(4, 1).le(i.v)), "v != 4'd0");
    assert_eq!(expression(|i| i.m.lit(4, 0).lt(i.v)), "v != 4'd0");
    assert_eq!(expression(|i| i.v.le(i.m.lit(4, 0))), "v == 4'd0");
    // A bit is what it is, or its complement.
    assert_eq!(expression(|i| i.a.is(1) & i.b.is(0) & i.c.ne(i.m.lit(1, 1))), "a && !b && !c");
}

#[test]
fn adding_a_negative_constant_is_subtracting() {
    assert_eq!(expression(|i| i.v + i.m.lit(4, 13)), "v - 4'd3");
    assert_eq!(expression(|i| i.v + i.m.lit(4, 15) + i.w), "v + w - 4'd1");
    assert_eq!(expression(|i| i.v + i.m.lit(4, 8)), "v + 4'd8");
    assert_eq!(expression(|i| i.v - i.m.lit(4, 13)), "v - 4'd13");
}

#[test]
fn runs_of_equalities_are_ranges() {
    let any =
        |m: &'static [u64]| expression(move |i| m.iter().map(|&x| i.v.is(x)).reduce(|a, b| a | b).unwrap());
    assert_eq!(any(&[6, 5, 4, 3, 2, 1, 0]), "v <= 4'd6");
    assert_eq!(any(&[0, 1]), "v <= 4'd1");
    assert_eq!(any(&[13, 15, 14]), "v >= 4'd13");
    assert_eq!(any(&[3, 4, 5, 9]), "(v >= 4'd3 && v <= 4'd5) || v == 4'd9");
    assert_eq!(any(&[3, 4]), "v == 4'd3 || v == 4'd4");
    let none = |m: &'static [u64]| {
        expression(move |i| m.iter().map(|&x| !i.v.is(x)).chain([i.a]).reduce(|a, b| a & b).unwrap())
    };
    assert_eq!(none(&[2, 1, 0]), "v != 4'd2 && v != 4'd1 && v != 4'd0 && a");
    let none = |m: &'static [u64]| {
        expression(move |i| {
            m.iter().map(|&x| i.v.ne(i.m.lit(4, x))).chain([i.a]).reduce(|a, b| a & b).unwrap()
        })
    };
    assert_eq!(none(&[2, 1, 0]), "v > 4'd2 && a");
    assert_eq!(none(&[7, 8, 9]), "(v < 4'd7 || v > 4'd9) && a");
    // Bits that are selected each time anew are the same bits.
    let bits = expression(|i| i.v.bits(0..3).is(5) | i.v.bits(0..3).is(6) | i.v.bits(0..3).is(7));
    assert_eq!(bits, "v[2:0] >= 3'd5");
}

/// Neighbouring bits that are tested together are compared together.
#[test]
fn tests_of_bits_are_comparisons() {
    assert_eq!(expression(|i| i.v.bit(3) & i.v.bit(2) & !i.v.bit(1)), "v[3:1] == 3'b110");
    assert_eq!(expression(|i| i.v.bit(1) & i.a & !i.v.bit(2)), "v[2:1] == 2'b01 && a");
    assert_eq!(expression(|i| i.v.bit(3) & i.v.bits(0..3).is(2)), "v == 4'b1010");
    assert_eq!(expression(|i| !i.v.bit(3) | !i.v.bit(2)), "v[3:2] != 2'b11");
    assert_eq!(expression(|i| i.v.bit(3) | i.v.bits(1..3).any() | i.a), "v[3:1] != 3'd0 || a");
    assert_eq!(expression(|i| !(i.v.bit(3) & i.v.bit(2))), "v[3:2] != 2'b11");
    assert_eq!(expression(|i| i.v.bit(3) & i.v.bit(1)), "v[3] && v[1]");
    assert_eq!(expression(|i| i.v.bit(3) & (i.v.bit(1) | i.v.bit(0))), "v[3] && v[1:0] != 2'd0");
}

#[test]
fn whether_all_bits_are_alike_is_a_comparison() {
    assert_eq!(expression(|i| i.v.any()), "v != 4'd0");
    assert_eq!(expression(|i| !i.v.any()), "v == 4'd0");
    assert_eq!(expression(|i| i.v.all() & i.a), "v == 4'b1111 && a");
    assert_eq!(expression(|i| !i.v.all()), "v != 4'b1111");
    assert_eq!(expression(|i| i.v.any().mux(i.w.all(), i.a)), "v != 4'd0 ? w == 4'b1111 : a");
    assert_eq!(expression(|i| (i.v & i.w).any()), "(v & w) != 4'd0");
    assert_eq!(expression(|i| i.m.concat([i.v.any(), i.a])), "{v != 4'd0, a}");
    // A reduction of a concatenation is split into its parts.
    assert_eq!(expression(|i| i.m.concat([i.a, i.v, i.b]).any()), "a || v != 4'd0 || b");
    assert_eq!(expression(|i| !i.m.concat([i.a, i.v, i.b]).any()), "!a && v == 4'd0 && !b");
    assert_eq!(expression(|i| !i.m.concat([i.a, i.v.bit(1), i.v.bit(0)]).all()), "!a || v[1:0] != 2'b11");
}

/// `a & ^b` is one slip away from `a ^ b`.
#[test]
fn reductions_get_parentheses_beside_other_operators() {
    assert_eq!(expression(|i| i.v.parity().eq(i.a)), "(^v) == a");
    assert_eq!(expression(|i| !i.v.parity()), "!(^v)");
    assert_eq!(expression(|i| i.m.concat([i.v, i.v, i.a]).parity() & i.a), "(^{v, v, a}) && a");
    assert_eq!(expression(|i| i.m.concat([i.v.parity(), i.a])), "{^v, a}");
}

#[test]
fn conditionals_read_as_a_list_from_top_to_bottom() {
    assert_eq!(expression(|i| i.a.mux(i.v, i.b.mux(i.w, i.x))), "a ? v : b ? w : x");
    // The shorter way first, and nothing complemented that need not be.
    assert_eq!(expression(|i| i.a.mux(i.b.mux(i.v, i.w), i.x)), "!a ? x : b ? v : w");
    assert_eq!(expression(|i| (!i.a).mux(i.v, i.w)), "a ? w : v");
    assert_eq!(expression(|i| (!i.a).mux(i.v, i.b.mux(i.w, i.x))), "!a ? v : b ? w : x");
    assert_eq!(expression(|i| i.v.ne(i.w).mux(i.v, i.w)), "v != w ? v : w");
    let both = expression(|i| i.a.mux(i.b.mux(i.v, i.w), i.c.mux(i.w, i.x)));
    assert_eq!(both, "a ? (b ? v : w) : c ? w : x");
    assert_eq!(expression(|i| (i.a & i.b).mux(i.c.mux(i.v, i.w), i.x)), "(a && b) ? (c ? v : w) : x");
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
    // A slice of a concatenation is made from the selected parts.
    assert_eq!(expression(|i| i.m.concat([i.v, i.w]).bits(2..6)), "{v[1:0], w[3:2]}");
    assert_eq!(expression(|i| i.m.concat([i.v, i.a, i.w]).bits(4..5)), "a");
    assert_eq!(expression(|i| i.m.concat([i.v + i.w, i.x]).bits(4..8)), "v + w");
    assert_eq!(expression(|i| i.m.concat([i.v, i.a, i.w]).bits(5..9).bit(3)), "v[3]");
    assert_eq!(expression(|i| i.m.lit(12, 0xed5).bits(4..12)), "8'hED");
    assert_eq!(expression(|i| i.v.repeat(3)), "{3{v}}");
    assert_eq!(expression(|i| (i.a | i.b).repeat(2)), "{2{a || b}}");
    assert_eq!(expression(|i| i.v.zext(6)), "{2'd0, v}");
    // Neighbouring slices are written as one.
    assert_eq!(
        expression(|i| i.m.concat([i.v.bit(3), i.v.bit(2), i.w.bit(1), i.w.bit(3)])),
        "{v[3:2], w[1], w[3]}"
    );
    assert_eq!(expression(|i| i.m.concat([i.v.bits(2..4), i.v.bits(0..2)])), "v");
    assert_eq!(expression(|i| i.m.concat([i.m.lit(5, 0), i.m.lit(16, 0xfffd)])), "21'hFFFD");
    assert_eq!(
        expression(|i| i.m.concat([i.a, i.m.concat([i.v, i.m.lit(2, 1)]).zext(8)])),
        "{a, 2'd0, v, 2'd1}"
    );
    assert_eq!(expression(|i| i.m.concat([i.a, i.b, i.b, i.b])), "{a, {3{b}}}");
    assert_eq!(expression(|i| i.m.concat([i.a, i.b, i.b])), "{a, b, b}");
}

#[test]
fn constants_that_decide_nothing_are_left_out() {
    assert_eq!(expression(|i| i.a & i.m.lit(1, 1) & i.b), "a && b");
    assert_eq!(expression(|i| i.m.lit(1, 0) | i.a), "a");
    assert_eq!(expression(|i| i.m.lit(1, 1) & i.m.lit(1, 1)), "1'b1");
}

#[test]
fn literals_have_sizes_and_the_base_that_is_easiest_to_read() {
    let literal = |width, value| expression(|i| i.m.lit(width, value));
    assert_eq!(literal(1, 1), "1'b1");
    assert_eq!(literal(4, 9), "4'd9");
    assert_eq!(literal(5, 9), "5'd9");
    assert_eq!(literal(7, 100), "7'd100");
    assert_eq!(expression(|i| i.v.zext(12) & i.m.lit(12, 0xf)), "{8'd0, v} & 12'h00F");
    assert_eq!(expression(|i| i.v.zext(12) + i.m.lit(12, 12)), "{8'd0, v} + 12'd12");
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
                    assign right = far[39:32] != 8'd0 ? 4'd0 : a >> far[31:0];\n";
    assert_eq!(text, expected);
}

/// A few selected bits are compared with a pattern of bits, not with a number.
#[test]
fn selected_bits_are_compared_with_patterns() {
    assert_eq!(expression(|i| i.v.bits(1..4).is(0b010)), "v[3:1] == 3'b010");
    assert_eq!(expression(|i| i.m.concat([i.a, i.b]).is(0b01)), "{a, b} == 2'b01");
    assert_eq!(expression(|i| i.v.is(2)), "v == 4'd2");
    assert_eq!(expression(|i| i.v.bits(1..4).lt(i.m.lit(3, 2))), "v[3:1] < 3'd2");
    assert_eq!(expression(|i| i.m.concat([i.v, i.w, i.x]).is(5)), "{v, w, x} == 12'd5");
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

/// A long expression is broken at the outermost operator, and then inside each operand that is still
/// too long.
#[test]
fn long_lines_are_broken_at_any_depth() {
    let text = body(|m| {
        let bit = |name: &str| m.input(&format!("{name}_of_a_rather_long_name"), 1, "");
        let [a, b, c, d, e] = ["first", "second", "third", "fourth", "fifth"].map(bit);
        let inner = (c & d) | (d & e) | (!c & !d & !e & b);
        m.output("y", a & b & !(inner | (e & a)), "");
        m.output("z", m.concat([a, (a | b | c | d) & e, (a ^ b).mux(a & b & c, c & d & e)]), "");
    });
    let expected = "    assign y = first_of_a_rather_long_name\n        \
                    && second_of_a_rather_long_name\n        \
                    && !((third_of_a_rather_long_name && fourth_of_a_rather_long_name)\n            \
                    || (fourth_of_a_rather_long_name && fifth_of_a_rather_long_name)\n            \
                    || (!third_of_a_rather_long_name\n                \
                    && !fourth_of_a_rather_long_name\n                \
                    && !fifth_of_a_rather_long_name\n                \
                    && second_of_a_rather_long_name)\n            \
                    || (fifth_of_a_rather_long_name && first_of_a_rather_long_name));\n    \
                    assign z = {first_of_a_rather_long_name,\n        \
                    (first_of_a_rather_long_name\n                \
                    || second_of_a_rather_long_name\n                \
                    || third_of_a_rather_long_name\n                \
                    || fourth_of_a_rather_long_name)\n            \
                    && fifth_of_a_rather_long_name,\n        \
                    first_of_a_rather_long_name ^ second_of_a_rather_long_name\n            \
                    ? (first_of_a_rather_long_name\n                \
                    && second_of_a_rather_long_name\n                \
                    && third_of_a_rather_long_name)\n            \
                    : (third_of_a_rather_long_name\n                \
                    && fourth_of_a_rather_long_name\n                \
                    && fifth_of_a_rather_long_name)};\n";
    assert_eq!(text, expected);
}

#[test]
fn long_choices_have_a_line_a_case() {
    let text = body(|m| {
        let bit = |name: &str| m.input(&format!("{name}_of_a_rather_long_name"), 1, "");
        let [a, b, c, d] = ["first", "second", "third", "fourth"].map(bit);
        let [v, w] = ["some", "other"].map(|name| m.input(&format!("{name}_value_of_many_bits"), 8, ""));
        m.output("y", a.mux(v, b.mux(w, (a & b & c & d).mux((a & d).mux(v + w, v - w), c.mux(v, w)))), "");
    });
    let expected = "    assign y = first_of_a_rather_long_name ? some_value_of_many_bits\n        \
                    : second_of_a_rather_long_name ? other_value_of_many_bits\n        \
                    : (first_of_a_rather_long_name\n                \
                    && second_of_a_rather_long_name\n                \
                    && third_of_a_rather_long_name\n                \
                    && fourth_of_a_rather_long_name)\n            \
                    ? ((first_of_a_rather_long_name && fourth_of_a_rather_long_name)\n                \
                    ? some_value_of_many_bits + other_value_of_many_bits\n                \
                    : some_value_of_many_bits - other_value_of_many_bits)\n        \
                    : third_of_a_rather_long_name ? some_value_of_many_bits\n        \
                    : other_value_of_many_bits;\n";
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
