//! What holds of the text of every core there is.

use utfhdl_hdl::core::{Core, CoreSpec};

/// Every core that `utfhdl list` allows, with its text.
fn cores() -> impl Iterator<Item = (String, String)> {
    let specs = CoreSpec::all().into_iter().chain(CoreSpec::transcoders());
    specs.map(|spec| {
        let core = Core::new(spec).expect("a core that is listed");
        (core.command(), core.verilog())
    })
}

/// A line can be broken between words, not in the name of a module, which has all options of both systems in it.
#[test]
fn every_line_fits_in_a_hundred_columns() {
    for (command, text) in cores() {
        let is_name = |line: &str| {
            let line = line.trim_start();
            !line.strip_prefix("module ").unwrap_or(line).contains(' ')
        };
        let long = text.lines().find(|line| line.chars().count() > 100 && !is_name(line));
        assert_eq!(long, None, "{command}");
    }
}
