//! Properties of the core for other people's tools: assertions that are bound to the core, and the files of SymbiYosys.

use super::{Package, TextFile};
use crate::prove::formal::Formal;

/// The path of the assertions.
pub fn assertions_path(module: &str) -> String {
    format!("{module}_assertions.sv")
}

pub fn assertions(package: &Package) -> Vec<TextFile> {
    vec![TextFile {
        path: assertions_path(package.module),
        text: package.core.assertions(),
        about: "what the core promises, as SystemVerilog assertions that are bound to it",
    }]
}

pub fn formal(package: &Package) -> Vec<TextFile> {
    let module = package.module;
    let Formal { rules, tasks } = Formal::new(package.core);
    vec![
        TextFile {
            path: format!("{module}_formal.sv"),
            text: rules,
            about: "what `utfhdl prove` proves of the core, as modules beside it",
        },
        TextFile {
            path: format!("{module}_formal.sby"),
            text: tasks,
            about: "the same for SymbiYosys: its tasks",
        },
    ]
}
