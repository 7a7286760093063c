//! Names of modules in the text.

use crate::netlist::{Design, Module};

/// Name of `module` in the text of `design`: sub-modules carry the top's as prefix.
pub(super) fn module_name(module: &Module, design: &Design) -> String {
    let top = &*design.top;
    match std::ptr::eq(module, top) {
        true => top.name().to_owned(),
        false => format!("{}_{}", top.name(), module.name()),
    }
}
