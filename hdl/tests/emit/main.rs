//! The emitted text, as a reader sees it.

mod expressions;
mod golden;
mod layout;
mod loops;
#[path = "../../../tests/common/samples.rs"]
mod samples;

use std::sync::Arc;

use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle};

/// The text of a design with a head that says nothing.
fn text(top: &Arc<Module>, reset: ResetStyle) -> String {
    let header = Header { command: "none".to_owned(), version: "0".to_owned(), ..Header::default() };
    verilog(&Design { top: Arc::clone(top), reset }, &header)
}

/// The body of the module `m` that `make` makes: what stands between its ports and `endmodule`.
fn body(make: impl FnOnce(&Builder)) -> String {
    let m = Builder::new("m", "A module.");
    make(&m);
    let text = text(&m.built(), ResetStyle::SyncHigh);
    let module = text.split_once("\nmodule m (").expect("the module").1;
    let body = module.split_once("\n);\n\n").expect("the end of the ports").1;
    body.split_once("\nendmodule\n").expect("its end").0.to_owned()
}
