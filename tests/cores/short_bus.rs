//! `--bus short`: slots of 24 bits without heads and limbs. The cores do what the reference says of such slots, in every engine that
//! needs nothing installed, and there are none where code points do not fit.

use crate::common::hardware::{NATIVE, core, cosim, verdict};
use utfhdl::cosim::{Framing, Source};
use utfhdl::promise::{Counts, Item, Made, Reference};
use utfhdl_hdl::core::{Bus, Core, CoreError, CoreSpec, ErrorMode, Packing, Role, System};

fn short(system: System, role: Role) -> CoreSpec {
    CoreSpec { bus: Bus::Short, ..CoreSpec::new(system, role) }
}

/// Runs a core on noise, without and with stalls.
fn agrees(spec: CoreSpec) {
    for stall in [0, 30] {
        let cosim = cosim(core(spec), Source::Random { count: 4000 }, Framing::Random, stall);
        if let Err(failure) = verdict(&cosim, NATIVE) {
            panic!("{spec}: {failure}");
        }
    }
}

#[test]
fn cores_of_one_lane_do_what_the_reference_says() {
    let mut count = 0;
    for system in System::variants() {
        for role in [Role::Decoder, Role::Encoder] {
            for &on_error in role.on_error() {
                let spec = CoreSpec { on_error, ..short(system, role) };
                if Core::new(spec).is_ok() {
                    agrees(spec);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 50, "only {count} cores have a short bus");
}

/// The first beat of a frame has a byte order mark written, even if the beat is empty.
#[test]
fn a_byte_order_mark_follows_an_empty_beat_at_once() {
    let mut count = 0;
    for system in System::variants().filter(|system| system.to_string().contains("bom=")) {
        for &on_error in Role::Encoder.on_error() {
            let Ok(core) = Core::new(CoreSpec { on_error, ..short(system, Role::Encoder) }) else { continue };
            let framing = Framing::Beats(vec![vec![0, 1], vec![2], vec![0, 0]]);
            let cosim = cosim(core, Source::Random { count: 200 }, framing, 0);
            verdict(&cosim, NATIVE).unwrap_or_else(|failure| panic!("{system}: {failure}"));
            count += 1;
        }
    }
    assert!(count >= 14, "only {count} encoders write a byte order mark");
}

#[test]
fn decoders_of_several_lanes_do_what_the_reference_says() {
    for lanes in [2, 8, 64] {
        agrees(CoreSpec { lanes, ..short(System::Utf8, Role::Decoder) });
    }
    agrees(CoreSpec { lanes: 4, on_error: ErrorMode::Drop, ..short(System::Utf16, Role::Decoder) });
    agrees(CoreSpec { lanes: 8, pack: Packing::Dense, ..short(System::Utf8, Role::Decoder) });
}

/// Encoders of every system in four lanes, which have the stages of any number, and of `utf-8` in the others.
#[test]
fn encoders_of_several_lanes_do_what_the_reference_says() {
    let systems = System::variants().map(|system| (system, 4));
    let mut count = 0;
    for (system, lanes) in systems.chain([2, 8, 16].map(|lanes| (System::Utf8, lanes))) {
        for &on_error in Role::Encoder.on_error() {
            let spec = CoreSpec { lanes, on_error, ..short(system, Role::Encoder) };
            if Core::new(spec).is_ok() {
                agrees(spec);
                count += 1;
            }
        }
    }
    assert!(count > 50, "only {count} cores have a short bus");
}

/// A slot has 24 bits of data; everything else stays, the latency included.
#[test]
fn slots_have_24_bits() {
    for (role, port) in [(Role::Decoder, "m_axis_tdata"), (Role::Encoder, "s_axis_tdata")] {
        let (short, long) = (core(short(System::Utf8, role)), core(CoreSpec::new(System::Utf8, role)));
        assert_eq!(short.latency, long.latency);
        for (of_short, of_long) in short.design.top.ports().iter().zip(long.design.top.ports()) {
            assert_eq!(of_short.name, of_long.name);
            let expected = if of_short.name == port { 24 } else { of_long.width };
            assert_eq!(of_short.width, expected, "{}", of_short.name);
        }
        assert_eq!(short.design.top.name(), format!("{}_short", long.design.top.name()));
    }
}

/// Each slot that is no code point is one U+FFFD (EF BF BD): errors, and what would be a group on the long bus.
#[test]
fn every_other_slot_is_a_replacement() {
    let slots = [(0, 0x41), (14, 2), (15, 1), (15, 1), (12, 0x41), (1, 0xfffd), (0, 0x20ac)];
    let items = slots.map(|(user, data)| Item { user, data });
    let mut made = Vec::new();
    Reference::new(&core(short(System::Utf8, Role::Encoder))).take(
        &items,
        true,
        &mut made,
        &mut Counts::default(),
    );
    let units: Vec<u32> = made
        .iter()
        .filter_map(|made| if let Made::Item(item, _) = made { Some(item.data) } else { None })
        .collect();
    let mut expected = vec![0x41];
    (0..5).for_each(|_| expected.extend([0xef, 0xbf, 0xbd]));
    expected.extend([0xe2, 0x82, 0xac]);
    assert_eq!(units, expected);
}

#[test]
fn cores_that_have_no_short_bus_are_refused_with_the_reason() {
    let to = System::Utf8;
    for (spec, reason) in [
        (short(System::Utf8Rfc2279, Role::Decoder), "utf-8-rfc2279 has code points of more than 24 bits"),
        (short(System::Utf8SixtyFiveBit, Role::Encoder), "utf-8-65bit has code points of more than 24 bits"),
        (short(System::Utf8, Role::Transcoder { to }), "a transcoder has no slots on its ports"),
    ] {
        let error = Core::new(spec).expect_err("a core that does not exist");
        assert!(matches!(error, CoreError::Bus { .. }) && error.to_string().contains(reason), "{error}");
    }
}
