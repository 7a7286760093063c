//! Errors that are found once a module is complete: every error of every kind, by its message.

use std::sync::Arc;

use utfhdl_hdl::netlist::{Builder, Module};

use crate::panic_message;

/// The messages of the module that `make` makes.
fn errors(make: impl FnOnce(&Builder)) -> Vec<String> {
    let m = Builder::new("m", "Wrong somewhere.");
    make(&m);
    m.finish().expect_err("something is wrong").iter().map(ToString::to_string).collect()
}

fn block(name: &str, make: impl FnOnce(&Builder)) -> Arc<Module> {
    let m = Builder::new(name, "A block.");
    make(&m);
    m.built()
}

#[test]
fn what_nothing_drives_is_told() {
    let pass = block("pass", |m| m.output("y", m.input("x", 2, ""), ""));
    let found = errors(|m| {
        m.output("w_out", m.wire("w", 3), "");
        m.output("r_out", m.reg("r", 3).q, "");
        m.output("y", m.instance("u", &pass).output("y"), "");
    });
    assert_eq!(
        found,
        [
            "module `m`: wire `w` is not driven",
            "module `m`: register `r` is not driven",
            "module `m`: input `x` of instance `u` is not driven",
        ]
    );
}

#[test]
fn what_decides_nothing_is_told() {
    let found = errors(|m| {
        let (a, b, c) = (m.input("a", 8, ""), m.input("b", 4, ""), m.input("c", 4, ""));
        m.input("idle", 2, "");
        (a & a).named("spare");
        m.output("low", a.bits(0..3), "");
        m.output("high", a.bit(7), "");
        m.output("three", b.bits(0..3), "");
        // An addition reads all of its operands, even where few bits of it are read.
        m.output("carry_free", (c + c).bit(1), "");
    });
    assert_eq!(
        found,
        [
            "module `m`: `a` (from bit 3 to bit 6) is never read",
            "module `m`: bit 3 of `b` is never read",
            "module `m`: `idle` is never read",
            "module `m`: `spare` is never read",
        ]
    );
}

#[test]
fn a_register_that_only_feeds_itself_is_never_read() {
    let found = errors(|m| {
        let count = m.reg("count", 4);
        count.next(count.q + m.lit(4, 1));
        m.output("y", m.input("a", 1, ""), "");
    });
    assert_eq!(found, ["module `m`: `count` is never read"]);
}

#[test]
fn a_name_that_stands_for_two_things_is_told() {
    let pass = block("pass", |m| m.output("y", m.input("x", 1, ""), ""));
    let found = errors(|m| {
        let a = m.input("a", 1, "");
        m.output("a", !a, "");
        m.output("b", a.named("b"), "");
        m.output("c", m.instance("b", &pass).input("x", a).output("y").named("a"), "");
    });
    assert_eq!(
        found,
        [
            "module `m`: the name `a` stands for an input and for an output",
            "module `m`: the name `b` stands for an output and for an instance",
            "module `m`: the name `b` stands for an instance and for a signal",
            "module `m`: the name `a` stands for an output and for a signal",
        ]
    );
}

/// An output of an instance is called after both, which may be a name that is taken.
#[test]
fn a_name_made_up_for_an_instance_output_can_clash_too() {
    let pass = block("pass", |m| m.output("y", m.input("x", 1, ""), ""));
    let found = errors(|m| {
        let taken = m.input("u_y", 1, "");
        m.output("z", m.instance("u", &pass).input("x", taken).output("y"), "");
    });
    assert_eq!(found, ["module `m`: the name `u_y` stands for an input and for a signal"]);
}

#[test]
fn names_that_verilog_does_not_allow_are_told() {
    let refused = [
        (&["", "a-b", "a b", "a.b", "ü", "$a"][..], "a name is made of ASCII letters, digits and _"),
        (&["2nd", "8"], "a name begins with a letter or _"),
        (&["wire", "always", "showcancelled"], "it is a keyword of Verilog or SystemVerilog"),
        (
            &["before", "class", "assert", "logic", "unique0", "s_until_with", "interconnect"],
            "it is a keyword of Verilog or SystemVerilog",
        ),
        (&["clk", "rst", "rst_n"], "clock and reset have it"),
    ];
    for (names, reason) in refused {
        for name in names {
            let message = [format!("module `m`: `{name}` cannot be a name: {reason}")];
            let one_bit = block("one_bit", |m| m.output("y", m.input("x", 1, ""), ""));
            assert_eq!(errors(|m| m.output("y", m.input(name, 1, ""), "")), message, "input `{name}`");
            assert_eq!(errors(|m| m.output(name, m.input("a", 1, ""), "")), message, "output `{name}`");
            let signal = errors(|m| m.output("y", (!m.input("a", 1, "")).named(name), ""));
            assert_eq!(signal, message, "signal `{name}`");
            let instance = errors(|m| {
                m.output(
                    "y",
                    m.instance(name, &one_bit).input("x", m.input("a", 1, "")).output("y").named("z"),
                    "",
                );
            });
            assert_eq!(instance, message, "instance `{name}`");
        }
    }
    let found = errors(|m| m.output("double", m.input("delete", 1, ""), ""));
    let cpp = "it is a keyword of C++, of which Verilator warns";
    assert_eq!(
        found,
        ["delete", "double"].map(|name| format!("module `m`: `{name}` cannot be a name: {cpp}"))
    );
    block("m", |m| m.output("y", (!m.input("a", 1, "")).named("delete"), ""));
    for name in ["_", "a1", "A_b", "Wire", "clk2", "classes"] {
        block("m", |m| m.output("y", m.input(name, 1, ""), ""));
    }
}

#[test]
fn a_module_needs_a_name_that_verilog_allows() {
    for (name, reason) in [
        ("utf-8", "a name is made of ASCII letters, digits and _"),
        ("checker", "it is a keyword of Verilog or SystemVerilog"),
    ] {
        let m = Builder::new(name, "Badly named.");
        m.output("y", m.input("a", 1, ""), "");
        let found: Vec<String> = m.finish().unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(found, [format!("module `{name}`: `{name}` cannot be a name: {reason}")]);
    }
}

#[test]
fn a_combinational_loop_is_told_with_the_way_round() {
    let found = errors(|m| {
        let a = m.input("a", 1, "");
        let round = m.wire("round", 1);
        let half = (round & a).named("half");
        m.drive(round, (!half).named("back"));
        m.output("y", half, "");
    });
    // The first name of the loop is not specified; the order of the names is.
    assert_eq!(found, ["module `m`: combinational loop through `round` -> `back` -> `half` -> `round`"]);
}

#[test]
fn a_loop_through_an_instance_is_found() {
    let either = block("either", |m| {
        let (a, b) = (m.input("a", 1, ""), m.input("b", 1, ""));
        m.output("both", a & b, "");
        let held = m.reg("held", 1);
        held.next(b);
        m.output("later", held.q, "");
    });
    let looped = |port: &str| {
        let m = Builder::new("m", "Feeds an output back.");
        let back = m.wire("back", 1);
        let instance = m.instance("u", &either).input("a", m.input("x", 1, "")).input("b", back);
        m.drive(back, instance.output(port));
        m.output("y", instance.output("both"), "");
        m.finish()
    };
    let found: Vec<String> = looped("both").unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(found, ["module `m`: combinational loop through `back` -> `u_both` -> `back`"]);
    // The register cuts it.
    assert!(looped("later").is_ok());
}

/// A signal that is ignored on purpose has a name that says so, and its operands need no other
/// reader.
#[test]
fn what_is_called_unused_may_be_unread() {
    let low_bit = |name: &str| {
        let m = Builder::new("m", "Takes the low bit.");
        let a = m.input("a", 4, "");
        a.bits(1..4).named(name);
        m.output("y", a.bit(0), "");
        m.finish()
    };
    assert!(low_bit("unused_bits").is_ok());
    let found: Vec<String> = low_bit("high_bits").unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        ["module `m`: `a` (from bit 1 to bit 3) is never read", "module `m`: `high_bits` is never read"]
    );
}

#[test]
fn two_modules_of_one_name_are_told() {
    let invert = || block("same", |m| m.output("y", !m.input("x", 1, ""), ""));
    let (one, other) = (invert(), invert());
    let found = errors(|m| {
        let a = m.input("a", 1, "");
        let between = m.instance("u", &one).input("x", a).output("y");
        m.output("y", m.instance("v", &other).input("x", between).output("y"), "");
    });
    assert_eq!(
        found,
        [
            "below module `m` two different modules are called `same`: rename one, or instantiate whole designs by Design::part"
        ]
    );
    // One module used twice is no clash.
    block("m", |m| {
        let a = m.input("a", 1, "");
        let between = m.instance("u", &one).input("x", a).output("y");
        m.output("y", m.instance("v", &one).input("x", between).output("y"), "");
    });
}

#[test]
fn a_module_built_without_asking_panics_with_all_that_is_wrong() {
    let message = panic_message(|| {
        let m = Builder::new("m", "Wrong twice.");
        m.input("reg", 1, "");
        m.output("y", m.wire("w", 1), "");
        m.built();
    });
    assert_eq!(
        message,
        "module `m`: wire `w` is not driven\n\
         module `m`: `reg` cannot be a name: it is a keyword of Verilog or SystemVerilog"
    );
}
