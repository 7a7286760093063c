//! A width that does not fit is a panic where the signal is made, with both names and both widths.

use std::sync::Arc;

use utfhdl_hdl::netlist::{Bits, Builder, Module, Signal};

use crate::panic_message;

/// The message of `make` on `a` of three bits and `b` of five.
fn message(make: impl for<'m> FnOnce(&'m Builder, Signal<'m>, Signal<'m>)) -> String {
    let m = Builder::new("narrow", "Too narrow.");
    panic_message(|| make(&m, m.input("a", 3, ""), m.input("b", 5, "")))
}

#[test]
fn operands_of_different_width_are_refused() {
    type Make = for<'m> fn(Signal<'m>, Signal<'m>) -> Signal<'m>;
    let operators: [(&str, Make); 9] = [
        ("&", |a, b| a & b),
        ("|", |a, b| a | b),
        ("^", |a, b| a ^ b),
        ("+", |a, b| a + b),
        ("-", |a, b| a - b),
        ("==", |a, b| a.eq(b)),
        ("!=", |a, b| a.ne(b)),
        ("<", |a, b| a.lt(b)),
        ("<=", |a, b| a.le(b)),
    ];
    for (symbol, make) in operators {
        assert_eq!(
            message(|_, a, b| _ = make(a, b)),
            format!("width mismatch in `{symbol}` of module `narrow`: `a` has 3 bits, `b` has 5")
        );
    }
}

#[test]
fn arms_of_different_width_are_refused() {
    assert_eq!(
        message(|_, a, b| _ = a.bit(0).mux(a, b)),
        "width mismatch in `mux` of module `narrow`: `a` has 3 bits, `b` has 5"
    );
    assert_eq!(
        message(|_, a, b| _ = a.case([(&[1], a), (&[2], b)], a)),
        "width mismatch in `case` of module `narrow`: `a` has 3 bits, `b` has 5"
    );
}

#[test]
fn a_driver_of_another_width_is_refused() {
    assert_eq!(
        message(|m, a, _| m.drive(m.wire("w", 7), a)),
        "width mismatch in `drive` of module `narrow`: `w` has 7 bits, `a` has 3"
    );
    assert_eq!(
        message(|m, _, b| m.reg("r", 4).next(b)),
        "width mismatch in `next` of module `narrow`: `r` has 4 bits, `b` has 5"
    );
    assert_eq!(
        message(|m, a, b| m.reg("r", 4).next_when(a.bit(0), b)),
        "width mismatch in `next` of module `narrow`: `r` has 4 bits, `b` has 5"
    );
}

/// `y` is `x`, both of two bits.
fn pass() -> Arc<Module> {
    let m = Builder::new("pass", "Passes on.");
    m.output("y", m.input("x", 2, ""), "");
    m.built()
}

#[test]
fn an_instance_input_of_another_width_is_refused() {
    assert_eq!(
        message(|m, a, _| _ = m.instance("u", &pass()).input("x", a)),
        "width mismatch at port `x` of instance `u` (module `pass`): the port has 2 bits, `a` has 3"
    );
}

#[test]
fn selects_and_enables_have_one_bit() {
    assert_eq!(
        message(|_, a, b| _ = a.mux(b, b)),
        "the select of a mux is one bit, `a` has 3 (module `narrow`)"
    );
    assert_eq!(
        message(|m, a, b| m.reg("r", 5).next_when(a, b)),
        "the enable is one bit, `a` has 3 (module `narrow`)"
    );
}

#[test]
fn bits_past_the_end_are_refused() {
    assert_eq!(message(|_, a, _| _ = a.bits(1..4)), "bits 1..4 of `a`, which has 3");
    assert_eq!(message(|_, a, _| _ = a.bit(3)), "bits 3..4 of `a`, which has 3");
    assert_eq!(message(|_, a, _| _ = a.bits(2..2)), "bits 2..2 of `a`, which has 3");
}

#[test]
fn a_range_of_values_is_not_empty() {
    assert_eq!(message(|_, a, _| _ = a.within(5, 4)), "no value of `a` is within 0x5 to 0x4");
}

#[test]
fn nothing_is_narrowed_by_an_extension() {
    assert_eq!(message(|_, _, b| _ = b.zext(4)), "`b` has 5 bits and can't be zero-extended to 4");
}

#[test]
fn a_value_that_does_not_fit_is_refused() {
    assert_eq!(message(|m, _, _| _ = m.lit(3, 8)), "the value 0x8 does not fit in 3 bits");
    assert_eq!(message(|_, a, _| _ = a.is(8)), "the value 0x8 does not fit in 3 bits");
    assert_eq!(message(|_, a, _| _ = a.within(1, 9)), "the value 0x9 does not fit in 3 bits");
    assert_eq!(message(|m, _, _| _ = m.reg("r", 3).reset(8)), "the value 0x8 does not fit in 3 bits");
}

#[test]
fn an_operand_without_a_name_is_told_by_what_it_is_made_of() {
    assert_eq!(
        message(|m, a, b| _ = (!a & m.lit(3, 5)) | b.bits(1..5)),
        "width mismatch in `|` of module `narrow`: `(!a & 3'h5)` has 3 bits, `b[4:1]` has 4"
    );
    assert_eq!(
        message(|m, a, b| _ = m.concat([a, b]) ^ a.any().mux(a, a + a)),
        "width mismatch in `^` of module `narrow`: `{a, b}` has 8 bits, `(Or of a ? a : (a + a))` has 3"
    );
}

#[test]
fn no_signal_has_no_bits() {
    let message = panic_message(|| _ = Bits::zero(0));
    assert_eq!(message, "a value of width 0 has no meaning in hardware");
    let m = Builder::new("none", "No bits.");
    assert_eq!(panic_message(|| _ = m.input("a", 0, "")), "`a` of module `none` has no bits");
    assert_eq!(panic_message(|| _ = m.reg("r", 0)), "`r` of module `none` has no bits");
    assert_eq!(panic_message(|| _ = m.wire("w", 0)), "`w` of module `none` has no bits");
}

#[test]
fn signals_of_two_modules_do_not_meet() {
    let (m, other) = (Builder::new("mine", "Mine."), Builder::new("other", "Another's."));
    let (a, b) = (m.input("a", 1, ""), other.input("b", 1, ""));
    assert_eq!(panic_message(|| _ = a & b), "`b` belongs to module `other`, not to `mine`");
    assert_eq!(panic_message(|| m.output("y", b, "")), "`b` belongs to module `other`, not to `mine`");
    assert_eq!(panic_message(|| _ = m.concat([a, b])), "`b` belongs to module `other`, not to `mine`");
    let elsewhere = panic_message(|| m.reg("r", 1).next_when(b, a));
    assert_eq!(elsewhere, "`b` belongs to module `other`, not to `mine`");
    assert_eq!(panic_message(|| _ = a << b), "`b` belongs to module `other`, not to `mine`");
}

#[test]
fn nothing_is_driven_twice() {
    let m = Builder::new("twice", "Driven twice.");
    let a = m.input("a", 2, "");
    let wire = m.wire("w", 2);
    m.drive(wire, a);
    let no_wire = " can't be driven: it is driven already, or is no wire";
    assert_eq!(panic_message(|| m.drive(wire, a)), format!("`w`{no_wire}"));
    assert_eq!(panic_message(|| m.drive(a, wire)), format!("`a`{no_wire}"));
    let register = m.reg("r", 2);
    register.next(a);
    assert_eq!(panic_message(|| register.next(wire)), "register `r` has a next value already");
    let instance = m.instance("u", &pass()).input("x", a);
    assert_eq!(
        panic_message(|| _ = instance.input("x", wire)),
        "port `x` of instance `u` (module `pass`) is connected already"
    );
}

#[test]
fn ports_that_are_not_there_are_told() {
    let m = Builder::new("top", "Looks for ports.");
    let (instance, a) = (m.instance("u", &pass()), m.input("a", 2, ""));
    assert_eq!(panic_message(|| _ = instance.input("y", a)), "module `pass` has no Input port `y`");
    assert_eq!(panic_message(|| _ = instance.output("x")), "module `pass` has no Output port `x`");
}

#[test]
fn a_concatenation_has_parts() {
    assert_eq!(message(|m, _, _| _ = m.concat([])), "a concatenation of nothing in module `narrow`");
    assert_eq!(message(|_, a, _| _ = a.repeat(0)), "a concatenation of nothing in module `narrow`");
}
