//! The words that choose a core.

use utfhdl_hdl::core::{Core, CoreSpec, ErrorMode, Role, System};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_verilated::choice::{core, ports, DEFAULT};

#[test]
fn words_are_those_of_generate() {
    let utf_8 = CoreSpec::new(System::Utf8, Role::Decoder);
    assert_eq!(core(DEFAULT).unwrap().spec, utf_8);
    let spec = CoreSpec { lanes: 2, reset: ResetStyle::AsyncLow, on_error: ErrorMode::Drop, ..utf_8 };
    assert_eq!(core("utf-8 decoder --lanes 2 --reset async-low --on-error drop").unwrap().spec, spec);
    let spec = CoreSpec::new(System::hunk(5), Role::Transcoder { to: System::Utf18 });
    assert_eq!(core("hunk-5 transcoder:utf-18").unwrap().spec, spec);
    for spec in CoreSpec::strict() {
        assert_eq!(core(&spec.to_string()).unwrap().spec, spec);
    }
}

#[test]
fn other_words_are_errors_that_say_what_is_allowed() {
    for (words, said) in [
        ("", "\"\" is no system: it can be utf-8, "),
        ("utf-8", "\"\" is no role: it can be decoder, encoder or transcoder:SYSTEM"),
        ("utf-8 decoder --lanes", "--lanes : expected a number"),
        ("utf-8 decoder --lanes 3", "there is no utf-8 decoder of 3 lanes: --lanes can be 1, 2, 4"),
        ("utf-8 decoder --name x", "there is no option \"--name\": there are --lanes, "),
        ("utf-8 encoder --on-error flag", "--on-error flag is not for encoders: it can be replace or drop"),
    ] {
        let error = core(words).unwrap_err();
        assert!(error.starts_with(said), "{error}");
    }
}

#[test]
fn ports_wider_than_64_bits_are_refused() {
    let decoder =
        |lanes| Core::new(CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) }).unwrap();
    let widths: Vec<u32> = ports(&decoder(2)).unwrap().iter().map(|&(_, _, width)| width).collect();
    assert_eq!(widths.iter().max(), Some(&64));
    let error = ports(&decoder(4)).unwrap_err();
    assert!(error.starts_with("port `m_axis_tdata` of `utf-8 decoder --lanes 4` has 128 bits"), "{error}");
}
