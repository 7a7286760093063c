//! Cases and tables that make no sense are refused where they are made.

use utfhdl_hdl::netlist::{Builder, Row, Signal};

use crate::panic_message;

/// The message of `make` on `key` of three bits and `value` of five, in the module `chooser`.
fn message(make: impl for<'m> FnOnce(Signal<'m>, Signal<'m>)) -> String {
    let m = Builder::new("chooser", "Chooses.");
    panic_message(|| make(m.input("key", 3, ""), m.input("value", 5, "")))
}

#[test]
fn a_case_has_arms_and_an_arm_has_labels() {
    let none: [(&[u64], Signal); 0] = [];
    assert_eq!(
        message(|key, value| _ = key.case(none, value)),
        "case on `key` (module `chooser`): there is no arm"
    );
    assert_eq!(
        message(|key, value| _ = key.case([(&[1], value), (&[], value)], value)),
        "case on `key` (module `chooser`): an arm has no label"
    );
    assert_eq!(
        message(|key, value| _ = key.case_of([(vec![], value)], value)),
        "case on `key` (module `chooser`): an arm has no label"
    );
}

#[test]
fn labels_are_different_and_fit_the_key() {
    assert_eq!(
        message(|key, value| _ = key.case([(&[1, 2], value), (&[2], value)], value)),
        "case on `key` (module `chooser`): the label 0x2 occurs twice"
    );
    assert_eq!(
        message(|key, value| _ = key.case([(&[8], value)], value)),
        "case on `key` (module `chooser`): the label 0x8 does not fit in 3 bits"
    );
    // A key of 64 bits or more has room for every label.
    let m = Builder::new("wide", "Chooses by many bits.");
    let key = m.input("key", 64, "");
    _ = key.case([(&[u64::MAX], key)], key);
    _ = key.zext(65).case([(&[u64::MAX], key)], key);
}

#[test]
fn a_table_has_columns_and_rows() {
    assert_eq!(
        message(|key, _| _ = key.table([], [Row::new("1xx", "", [])], [])),
        "table of  by `key` (module `chooser`): there is no column"
    );
    assert_eq!(
        message(|key, value| _ = key.table(["one", "other"], [], [value, key])),
        "table of one, other by `key` (module `chooser`): there is no row"
    );
}

#[test]
fn patterns_are_as_wide_as_the_key_and_values_as_their_column() {
    assert_eq!(
        message(|key, value| _ = key.table(["one"], [Row::new("1xx, 01", "", [value])], [value])),
        "table of one by `key` (module `chooser`): the pattern 01 has 2 bits, `key` has 3"
    );
    assert_eq!(
        message(|key, value| _ = key.table(["one"], [Row::new("1xx", "", [key])], [value])),
        "width mismatch in `table` of module `chooser`: `value` has 5 bits, `key` has 3"
    );
}

#[test]
fn every_row_is_reached() {
    fn row<'m>(patterns: &str, value: Signal<'m>) -> Row<'m, 1> {
        Row::new(patterns, "", [value])
    }
    assert_eq!(
        message(|key, value| {
            let rows = [row("0x1", value), row("1x1", value), row("111, xx1", value)];
            _ = key.table(["one"], rows, [value]);
        }),
        "table of one by `key` (module `chooser`): the row 111, xx1 is never reached, since rows before it match all \
         that it matches"
    );
    // Rows may meet, as long as something is left of each.
    let m = Builder::new("chooser", "Chooses.");
    let key = m.input("key", 3, "");
    let [one] = key.table(["one"], [row("0x1", key), row("1x1", key), row("xxx", key)], [!key]);
    m.output("y", one, "");
    m.built();
}
