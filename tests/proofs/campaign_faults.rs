//! Campaigns over cores with faults: they find an input that fails and shrink it, and co-simulation shows the same failure.

use utfhdl::campaign::{Campaign, Inputs, Shrunk, shrink};
use utfhdl::cosim::CosimError;
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_codec::Slot;
use utfhdl_hdl::core::{Core, CoreSpec, DEFAULT_DIGITS, Role, System};
use utfhdl_hdl::netlist::{Builder, Design, Fault};

use crate::common::campaigns::{first_failing, run_well, with_fault};
use crate::common::hardware::core;

const TRANSCODER: Role = Role::Transcoder { to: System::Utf18 };

fn utf_8(role: Role) -> Core {
    core(CoreSpec::new(System::Utf8, role))
}

/// A frame of these units, a beat each.
fn units(units: &[u16]) -> Vec<Vec<Item>> {
    units.iter().map(|&unit| vec![Item::from(unit)]).collect()
}

/// The first input that fails, and the shrunk input, which must fail in the same way when it is co-simulated again.
fn found_and_shrunk(core: Core, inputs: Inputs) -> (Vec<Vec<Item>>, Shrunk) {
    let campaign = Campaign::new(core, inputs).unwrap();
    let failing = first_failing(&campaign).unwrap_or_else(|| panic!("{}: no failure", campaign.name()));
    let shrunk = shrink(&campaign, &failing).unwrap().expect("co-simulation shows it too");
    let mut engines = [EngineKind::Native.start(&shrunk.cosim.core).unwrap()];
    let again = shrunk.cosim.run(&mut engines, None, &mut |_| ());
    assert!(matches!(again, Err(CosimError::Failure(failure)) if *failure == shrunk.failure));
    (failing.frame, shrunk)
}

#[test]
fn a_fault_of_a_decoder_is_shrunk_to_the_shortest_input() {
    // ED and F4 then take the upper trailing octets, not the lower; of three octets 00 ED 80 is the first that shows it.
    let core = with_fault(&utf_8(Role::Decoder), Fault::StuckAtZero, "low_only");
    let (failing, shrunk) = found_and_shrunk(core, Inputs::Exhaustive { units: 3 });
    assert_eq!(failing, units(&[0x00, 0xED, 0x80]));
    assert_eq!(shrunk.frames, [units(&[0xED, 0x80])]);
    assert!(shrunk.is_shortest);
    assert_eq!(shrunk.failure.port, "m_axis_tuser");
}

#[test]
fn a_fault_of_a_transcoder_is_shrunk_to_the_shortest_input() {
    // In a transcoder as in a decoder, ED 80 is then two errors, each U+FFFD, instead of one.
    let faulty = with_fault(&utf_8(TRANSCODER), Fault::StuckAtZero, "decode.low_only");
    let (failing, shrunk) = found_and_shrunk(faulty, Inputs::Exhaustive { units: 3 });
    assert_eq!(failing, units(&[0x00, 0xED, 0x80]));
    assert_eq!(shrunk.frames, [units(&[0xED, 0x80])]);
    assert!(shrunk.is_shortest);
    // In the half that encodes, code points of UTF-∞-8 that UTF-8 lacks are then written: U+D800 is the first.
    let spec =
        CoreSpec::new(System::UtfInf8 { digits: DEFAULT_DIGITS }, Role::Transcoder { to: System::Utf8 });
    let core = with_fault(&core(spec), Fault::StuckAtZero, "surrogate");
    let (failing, shrunk) = found_and_shrunk(core, Inputs::Exhaustive { units: 3 });
    assert_eq!(failing, units(&[0xED, 0xA0, 0x80]));
    assert_eq!(shrunk.frames, [failing]);
    assert!(shrunk.is_shortest);
}

#[test]
fn a_fault_of_an_encoder_is_shrunk_to_the_first_slot() {
    // The encoder then writes surrogates.
    let core = with_fault(&utf_8(Role::Encoder), Fault::StuckAtZero, "surrogate");
    let (failing, shrunk) = found_and_shrunk(core.clone(), Inputs::Exhaustive { units: 1 });
    let first = vec![vec![Item::from(Slot::CodePoint(0xD800))]];
    assert_eq!(failing, first);
    assert_eq!(shrunk.frames, std::slice::from_ref(&first));
    assert!(shrunk.is_shortest);
    assert_eq!(shrunk.failure.port, "m_axis_tdata");
    // Longer frames and random ones shrink to the same.
    for inputs in [Inputs::Exhaustive { units: 3 }, Inputs::Random { count: 5000, seed: 1, stall: 0 }] {
        let (_, shrunk) = found_and_shrunk(core.clone(), inputs);
        assert_eq!((shrunk.frames, shrunk.is_shortest), (vec![first.clone()], true));
    }
}

#[test]
fn a_fault_that_needs_a_group_is_shrunk_to_one() {
    // The error of a group that is cut is then lost, and only what cuts it is written: a head and a code point show that.
    let core = with_fault(&utf_8(Role::Encoder), Fault::StuckAtZero, "slot_breaks");
    let (_, shrunk) = found_and_shrunk(core, Inputs::Exhaustive { units: 4 });
    let [frame] = &shrunk.frames[..] else { panic!("one frame shows it: {:?}", shrunk.frames) };
    let slots: Vec<Option<Slot>> = frame.iter().flatten().map(|item| item.slot()).collect();
    assert!(
        matches!(slots[..], [Some(Slot::Head(2..)), Some(Slot::CodePoint(_) | Slot::Head(_))]),
        "{slots:?}"
    );
}

#[test]
fn faults_that_only_stalls_show_are_found_by_random_frames() {
    for (role, path, fault) in [
        (Role::Decoder, "output_skid.skid_valid_reg", Fault::StuckAtZero),
        (Role::Encoder, "output_slice.load", Fault::StuckAtOne),
        (TRANSCODER, "output_slice.load", Fault::StuckAtOne),
    ] {
        let core = with_fault(&utf_8(role), fault, path);
        run_well(&core, Inputs::Exhaustive { units: 2 });
        let (failing, shrunk) = found_and_shrunk(core, Inputs::Random { count: 2000, seed: 3, stall: 40 });
        let units = shrunk.frames.iter().map(Vec::len).sum::<usize>();
        assert!(!shrunk.is_shortest && units <= failing.len(), "{shrunk:?}");
    }
}

#[test]
fn every_fault_that_people_make_is_found() {
    let cases = [
        (Role::Decoder, "tlast is lost", "slot_last_reg", Fault::StuckAtZero),
        (Role::Decoder, "tlast is always there", "slot_last_reg", Fault::StuckAtOne),
        (Role::Decoder, "the code point is shifted by one", "slot_data_reg", Fault::ShiftedLeft),
        (Role::Decoder, "the held slot is forgotten", "held_reg", Fault::StuckAtZero),
        (Role::Decoder, "the end of a frame is forgotten", "frame_ends_reg", Fault::StuckAtZero),
        (Role::Decoder, "a beat is not held while it waits", "output_skid.load", Fault::StuckAtOne),
        (Role::Decoder, "ready never comes", "output_skid.ready_reg", Fault::StuckAtZero),
        (Role::Decoder, "the sequence is never open", "open_reg", Fault::StuckAtZero),
        (Role::Encoder, "tlast is lost", "last_reg", Fault::StuckAtZero),
        (Role::Encoder, "a replacement is not told", "fault_reg", Fault::StuckAtZero),
        (Role::Encoder, "the code point is shifted by one", "code_reg", Fault::ShiftedLeft),
        (Role::Encoder, "a group is never open", "group_open_reg", Fault::StuckAtZero),
        (Role::Encoder, "an error is no error", "slot_error", Fault::StuckAtZero),
        (Role::Encoder, "a limb is one more or less", "group_continues", Fault::Inverted),
        (
            Role::Encoder,
            "the second beat of the buffer is lost",
            "input_buffer.second_reg",
            Fault::StuckAtZero,
        ),
        (TRANSCODER, "tlast is lost", "last_reg", Fault::StuckAtZero),
        (TRANSCODER, "a replacement is not told", "fault_reg", Fault::StuckAtZero),
        (TRANSCODER, "the held slot is forgotten", "decode.held_reg", Fault::StuckAtZero),
        (TRANSCODER, "the decoder does not wait", "decode.advance", Fault::StuckAtOne),
    ];
    for (role, what, path, fault) in cases {
        let random = Inputs::Random { count: 4000, seed: 1, stall: 30 };
        let campaign = Campaign::new(with_fault(&utf_8(role), fault, path), random).unwrap();
        assert!(first_failing(&campaign).is_some(), "{role}: {what}: not found");
    }
}

/// Cores of every role, among them some that withhold slots or write a magic number before a frame.
fn cores_that_differ_in_time() -> [Core; 5] {
    let document = System::CorrectedUtf8 { document: true, private: false };
    [
        utf_8(Role::Decoder),
        utf_8(Role::Encoder),
        utf_8(TRANSCODER),
        core(CoreSpec::new(document, Role::Decoder)),
        core(CoreSpec::new(document, Role::Encoder)),
    ]
}

/// A core whose output comes a cycle before or after its latency says is not in time, whether a side stalls or not.
#[test]
fn a_wrong_latency_is_found() {
    for core in cores_that_differ_in_time() {
        for latency in [core.latency - 1, core.latency + 1] {
            for stall in [0, 30] {
                let core = Core { latency, ..core.clone() };
                let campaign = Campaign::new(core, Inputs::Random { count: 2000, seed: 1, stall }).unwrap();
                assert!(first_failing(&campaign).is_some(), "{}: latency {latency}", campaign.name());
            }
        }
        let core = Core { latency: core.latency + 1, ..core };
        found_and_shrunk(core, Inputs::Exhaustive { units: 2 });
    }
}

/// The core with logic around it that makes it take nothing in every eighth cycle.
fn that_rests(core: &Core) -> Core {
    let top = &core.design.top;
    let m = Builder::new(format!("{}_that_rests", top.name()), "takes nothing in every eighth cycle");
    let count = m.reg("count_reg", 3).reset(0);
    count.next(count.q + m.lit(3, 1));
    let works = count.q.any();
    let inner = m.instance("inner", top);
    for port in top.inputs() {
        let signal = m.input(&port.name, port.width, "");
        inner.input(&port.name, if port.name == "s_axis_tvalid" { signal & works } else { signal });
    }
    for port in top.outputs() {
        let signal = inner.output(&port.name);
        m.output(&port.name, if port.name == "s_axis_tready" { signal & works } else { signal }, "");
    }
    Core { design: Design { top: m.built(), reset: core.design.reset }, ..core.clone() }
}

/// The output is correct and in time, but the core makes its source wait without need.
#[test]
fn a_core_that_rests_is_found() {
    for core in cores_that_differ_in_time() {
        let rests = that_rests(&core);
        for stall in [0, 30] {
            let random = Inputs::Random { count: 2000, seed: 1, stall };
            let (_, shrunk) = found_and_shrunk(rests.clone(), random);
            assert_eq!(shrunk.failure.port, "s_axis_tready", "{}", shrunk.failure);
        }
    }
}

/// Without the beat that a frame needs more, or without the carry, only beats that are full go wrong.
#[test]
fn a_fault_of_several_lanes_is_shrunk_to_its_beats() {
    let decoder = core(CoreSpec { lanes: 2, ..CoreSpec::new(System::Utf8, Role::Decoder) });
    for (path, inputs) in [
        ("second_reg", Inputs::Exhaustive { units: 3 }),
        ("rides_reg", Inputs::Random { count: 5000, seed: 1, stall: 30 }),
    ] {
        let (_, shrunk) = found_and_shrunk(with_fault(&decoder, Fault::StuckAtZero, path), inputs);
        assert!(shrunk.frames.iter().flatten().any(|beat| beat.len() == 2), "{path}: {shrunk:?}");
    }
}
