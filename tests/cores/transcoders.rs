//! Transcoders of pairs of systems: generated, co-simulated, and, where there is Verilator, run as Verilog.
//!
//! There are some hundreds of ordered pairs. A run takes a seeded sample; with `UTFHDL_PAIRS=all` it takes all.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use utfhdl::cosim::{Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl_hdl::core::{CoreSpec, DEFAULT_DIGITS, ErrorMode, FEWEST_DIGITS, Max, Role, System};
use utfhdl_hdl::netlist::ResetStyle;

use crate::common::hardware::{NATIVE, Rig, Verdicts, core, cosim};
use crate::common::samples::{is_all, one_in};
use crate::common::scrubbers::{TELLING_OCTETS, assert_scrubs};

/// The pairs of a system with itself that every run includes: a prefix system, a system without a length in its lead units, one
/// of documents, one with code points of any size, and two systems with different sets of code points.
fn scrubbers() -> Vec<CoreSpec> {
    let document = System::CorrectedUtf8 { document: true, private: false };
    let longest = System::UtfInf8 { digits: DEFAULT_DIGITS };
    let pairs = [
        (System::Utf8, System::Utf8),
        (System::Utf9 { max: Max::Unicode }, System::Utf9 { max: Max::Ucs4 }),
        (System::Utf9 { max: Max::Ucs4 }, System::Utf9 { max: Max::Unicode }),
        (System::Utf18, System::Utf18),
        (document, document),
        (longest, longest),
        (longest, System::UtfInf8 { digits: FEWEST_DIGITS }),
        (System::UtfInf8 { digits: FEWEST_DIGITS }, longest),
    ];
    let specs = pairs.map(|(from, to)| CoreSpec::new(from, Role::Transcoder { to }));
    specs.into_iter().flat_map(|spec| [spec, CoreSpec { on_error: ErrorMode::Drop, ..spec }]).collect()
}

/// Whether a run of all pairs was asked for.
fn takes_all() -> bool {
    is_all("UTFHDL_PAIRS")
}

/// The [`scrubbers`] and as many pairs as asked for, or all pairs; each in both treatments of errors.
fn pairs(most: usize, seed: u64) -> Vec<CoreSpec> {
    let all: Vec<CoreSpec> =
        CoreSpec::transcoders().into_iter().filter(|spec| spec.reset == ResetStyle::default()).collect();
    let scrubbers = scrubbers();
    assert!(scrubbers.iter().all(|spec| all.contains(spec)), "a system and itself are a pair");
    if takes_all() {
        return all;
    }
    let sample = all.sample(&mut ChaCha8Rng::seed_from_u64(seed), most).copied();
    scrubbers.into_iter().chain(sample).collect()
}

#[test]
fn utf_8_to_itself_is_what_from_utf8_lossy_makes() {
    let scrubber = core(CoreSpec::new(System::Utf8, Role::Transcoder { to: System::Utf8 }));
    assert_eq!(scrubber.design.top.name(), "utf_8_to_utf_8_transcoder_x1");
    let mut rig = Rig::new(EngineKind::Native, &scrubber);
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for text in ["", "Aa", "\u{fffd}\u{10ffff}\u{7ff}z"] {
        assert_scrubs(&mut rig, text.as_bytes());
    }
    assert_scrubs(&mut rig, b"\xf0\x9f\x98");
    for length in 0..400 {
        let octet = |_| *TELLING_OCTETS.choose(&mut random).expect("there are octets");
        assert_scrubs(&mut rig, &(0..length % 40).map(octet).collect::<Vec<u8>>());
    }
}

#[test]
fn transcoders_agree_with_the_reference() {
    let mut verdicts = Verdicts::default();
    for spec in pairs(60, 1) {
        let core = core(spec);
        for (stall, framing) in [(0, Framing::Whole), (30, Framing::Random)] {
            let cosim = cosim(core.clone(), Source::Random { count: 3000 }, framing, stall);
            if let Some(report) = verdicts.run(&cosim, NATIVE) {
                assert_eq!(report.taken, 3000);
            }
        }
    }
    verdicts.finish();
}

#[test]
fn pairs_are_generated() {
    let specs = CoreSpec::transcoders().into_iter().filter(|spec| spec.reset == ResetStyle::default());
    for spec in one_in(4, takes_all(), specs) {
        let core = core(spec);
        // The ports of a module with a long name begin on the next line.
        let (text, head) = (core.verilog(), format!("\nmodule {}", core.design.top.name()));
        assert!([" (", "\n("].iter().any(|ports| text.contains(&(head.clone() + ports))), "{spec:?}");
    }
}

#[test]
#[cfg(feature = "rust-hdl")]
fn transcoders_are_the_same_in_rust_hdl() {
    in_lockstep(EngineKind::RustHdl, pairs(10, 2), 1000);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn transcoders_are_the_same_in_verilator() {
    // Building a model takes seconds: every third of the sample.
    let step = if takes_all() { 1 } else { 3 };
    in_lockstep(EngineKind::Verilator, pairs(8, 2).into_iter().step_by(step), 10_000);
}

fn in_lockstep(other: EngineKind, specs: impl IntoIterator<Item = CoreSpec>, count: u64) {
    let mut verdicts = Verdicts::default();
    for spec in specs {
        let cosim = cosim(core(spec), Source::Random { count }, Framing::Random, 30);
        verdicts.run(&cosim, &[EngineKind::Native, other]);
    }
    verdicts.finish();
}
