//! The kinds of error of every decoder.

use utfhdl_hdl::core::{Axis, Core, CoreSpec, ErrorKind, Role, System, error_kinds};
use utfhdl_hdl::netlist::Module;

/// Whether the core of one lane has a constant for the kind; the codes of `tuser` are named in it.
fn is_named(module: &Module, kind: ErrorKind) -> bool {
    module.nodes().iter().any(|node| node.name.as_deref() == Some(kind.constant()))
}

#[test]
fn the_kinds_are_those_that_decoders_have_codes_for() {
    for system in System::variants().chain(System::decoded_only()) {
        let core = Core::new(CoreSpec { axis: Axis::Lane, ..CoreSpec::new(system, Role::Decoder) }).unwrap();
        let kinds = ErrorKind::ALL.into_iter();
        let named: Vec<ErrorKind> = kinds.filter(|&kind| is_named(&core.design.top, kind)).collect();
        assert_eq!(error_kinds(system), named, "{system}");
    }
}
