//! The rules of the handshake, which are the same for all cores.

use utfhdl_hdl::core::{CoreSpec, Role, System};
use utfhdl_sim::Layout;

use super::rules::judge;
use super::set_outputs;
use crate::cosim::monitor::Monitor;
use crate::promise::drawn::Drawn;
use crate::promise::rules::Rule;
use crate::promise::{Beat, Ports, hollow};

#[test]
fn what_waits_does_not_change() {
    let rule = Rule { says: "", core: "utf-8 decoder", latency: 2, kept: &[], broken: &[] };
    for (trace, port) in [
        (
            "s_axis         41   42   .    .    .
             m_axis         .    .    41   =    42
             m_axis_tready  1    1    0    1    1",
            None,
        ),
        (
            "s_axis         41   42   .    .
             m_axis         .    .    41   42
             m_axis_tready  1    1    0    1",
            Some("m_axis_tdata"),
        ),
        (
            "s_axis         41   42   .    .
             m_axis         .    .    41   .
             m_axis_tready  1    1    0    1",
            Some("m_axis_tvalid"),
        ),
        (
            "s_axis         41|  .    .    .
             m_axis         .    .    41   41|
             m_axis_tready  1    1    0    1",
            Some("m_axis_tlast"),
        ),
        (
            "s_axis         FF   .    .    .
             m_axis         .    .    #5   #6
             m_axis_tready  1    1    0    1",
            Some("m_axis_tuser"),
        ),
        // Also while it continues waiting.
        (
            "s_axis         41   42   .    .
             m_axis         .    .    41   42
             m_axis_tready  1    1    0    0",
            Some("m_axis_tdata"),
        ),
    ] {
        let found = judge(&rule, &Drawn::read(trace));
        let expected = port.map(|port| (3, port.to_owned()));
        assert_eq!(found.map(|(cycle, failure)| (cycle, failure.port)), expected, "{trace}");
    }
}

/// Bits that no beat has.
#[test]
fn lanes_are_used_from_the_first_and_unused_ones_are_zero() {
    let core = hollow::core(CoreSpec { lanes: 4, ..CoreSpec::new(System::Utf8, Role::Decoder) }, 2);
    let (ports, layout) = (Ports::new(&core), Layout::new(&core.design));
    let beat = Beat { items: [0x41_u16, 0x42].map(Into::into).to_vec(), last: false };
    let check = |port: &str, bits: u64| {
        let mut outputs = vec![0; layout.output_words];
        set_outputs(&layout, &ports, &mut outputs, Some(&beat), false, true);
        let slot = layout.output(port).expect("a port");
        let value: Vec<u64> = slot.value(&outputs).iter().map(|word| word ^ bits).collect();
        slot.write(&mut outputs, &value);
        Monitor::default().check(&ports, 0, &outputs, true, false).map_err(|failure| failure.port)
    };
    let wrong = |port: &str| Err(port.to_owned());
    assert_eq!(check("m_axis_tkeep", 0), Ok(()));
    assert_eq!(check("m_axis_tkeep", 0b0001), wrong("m_axis_tkeep"));
    assert_eq!(check("m_axis_tkeep", 0b1011), wrong("m_axis_tkeep"));
    // Fewer lanes in use than hold something, more than do: the latter is for the scoreboard.
    assert_eq!(check("m_axis_tkeep", 0b0010), wrong("m_axis_tdata"));
    assert_eq!(check("m_axis_tkeep", 0b0100), Ok(()));
    assert_eq!(check("m_axis_tkeep", 0b0011), wrong("m_axis_tlast"));
    assert_eq!(check("m_axis_tuser", 0x0100), wrong("m_axis_tdata"));
    assert_eq!(check("m_axis_tuser", 0x000b), wrong("m_axis_tuser"));
}

#[test]
fn nothing_is_offered_or_taken_in_reset() {
    let core = hollow::core(CoreSpec::new(System::Utf8, Role::Decoder), 2);
    let (ports, layout) = (Ports::new(&core), Layout::new(&core.design));
    let check = |beat: Option<&Beat>, ready| {
        let mut outputs = vec![0; layout.output_words];
        set_outputs(&layout, &ports, &mut outputs, beat, false, ready);
        Monitor::default().check_reset(&ports, 0, &outputs).map_err(|failure| failure.port)
    };
    assert_eq!(check(None, false), Ok(()));
    assert_eq!(check(None, true), Err("s_axis_tready".to_owned()));
    assert_eq!(check(Some(&Beat::of(0x41_u16, false)), false), Err("m_axis_tvalid".to_owned()));
}
