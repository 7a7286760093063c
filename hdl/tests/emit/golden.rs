//! Text pinned by golden files. After a change that is meant, look at what it changes:
//! `UPDATE_EXPECT=1 cargo test -p utfhdl-hdl --test emit`, then `git diff`.

use expect_test::expect_file;
use utfhdl_hdl::core::{Core, CoreSpec, ErrorMode, Role, System};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_hdl::stream::fifo::{Fifo, Second, credits, fifo};
use utfhdl_hdl::stream::{elastic_buffer, register_slice, skid_buffer};

use crate::samples::{is_all, one_in};
use crate::text;

fn decoder(reset: ResetStyle, on_error: ErrorMode) -> String {
    let spec = CoreSpec { reset, on_error, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    Core::new(spec).expect("there is such a core").verilog()
}

#[test]
fn decoder_by_default() {
    let text = decoder(ResetStyle::default(), ErrorMode::Flag);
    expect_file!["../golden/utf_8_decoder_x1.v"].assert_eq(&text);
}

#[test]
fn decoder_with_asynchronous_reset_that_drops_errors() {
    let text = decoder(ResetStyle::AsyncLow, ErrorMode::Drop);
    expect_file!["../golden/utf_8_decoder_x1_drop_async_low.v"].assert_eq(&text);
}

#[test]
fn encoder_by_default() {
    let core = Core::new(CoreSpec::new(System::Utf8, Role::Encoder)).expect("there is such a core");
    expect_file!["../golden/utf_8_encoder_x1.v"].assert_eq(&core.verilog());
}

#[test]
fn decoder_of_four_lanes() {
    let spec = CoreSpec { lanes: 4, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    let core = Core::new(spec).expect("there is such a core");
    expect_file!["../golden/utf_8_decoder_x4.v"].assert_eq(&core.verilog());
}

#[test]
fn encoder_of_two_lanes() {
    let spec = CoreSpec { lanes: 2, ..CoreSpec::new(System::Utf8, Role::Encoder) };
    let core = Core::new(spec).expect("there is such a core");
    expect_file!["../golden/utf_8_encoder_x2.v"].assert_eq(&core.verilog());
}

#[test]
fn handshake_blocks() {
    let slice = text(&register_slice(10), ResetStyle::SyncHigh);
    expect_file!["../golden/register_slice_w10.v"].assert_eq(&slice);
    let skid = text(&skid_buffer(10), ResetStyle::SyncHigh);
    expect_file!["../golden/skid_buffer_w10.v"].assert_eq(&skid);
    let elastic = text(&elastic_buffer(10), ResetStyle::SyncHigh);
    expect_file!["../golden/elastic_buffer_w10.v"].assert_eq(&elastic);
    let second = Some(Second { high: 1, low: 4 });
    let entries = fifo(Fifo { words: 16, width: 10, is_ram: true, second });
    expect_file!["../golden/fifo_16x10.v"].assert_eq(&text(&entries, ResetStyle::SyncHigh));
    expect_file!["../golden/credits_17.v"].assert_eq(&text(&credits(17, false), ResetStyle::SyncHigh));
}

/// Each hash map of a process has a different order, so a text that depended on it would differ between two
/// builds.
#[test]
fn two_builds_give_the_same_bytes() {
    let encoders = CoreSpec::encoders_of_several_lanes().into_iter().step_by(13);
    let several = CoreSpec::of_several_lanes().into_iter().step_by(7).chain(encoders);
    let transcoders = CoreSpec::transcoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 8);
    let specs = CoreSpec::all().into_iter().chain(several).chain(transcoders.step_by(301));
    for spec in one_in(4, is_all("UTFHDL_VERILOG"), specs) {
        let build = || Core::new(spec).expect("a core that is listed").verilog();
        assert_eq!(build(), build(), "{spec:?}");
    }
}
