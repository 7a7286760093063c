//! Every core against the reference, in every engine.

use utfhdl::cosim::{Cosim, Framing, Report, Source, Stalls};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_codec::{Codec, OnError, Slot};
use utfhdl_hdl::core::{Core, CoreSpec, ErrorMode, Max, MultiOctet, Role, System, software_only};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::{Engine, EngineError, Layout};

use crate::common::hardware::{
    NATIVE, Verdicts, core, cores_of, cosim, error_keeping_cores_of, every_split, in_lockstep, run,
};
use crate::common::samples::{is_all, one_in};

/// The kinds of error that units of a system can hold. Noise has to bring all of them.
fn kinds(system: System) -> &'static [&'static str] {
    match system {
        System::Utf8 | System::Utf8Bom { .. } | System::Wtf8 => {
            &["invalid", "out-of-range", "overlong", "surrogate", "truncated", "unexpected"]
        }
        System::Utf8Rfc2279 => &["invalid", "overlong", "surrogate", "truncated", "unexpected"],
        System::Hunk(width) if width.bits() == 1 => &["invalid"],
        System::Hunk(width) if width.bits() < 4 => &["overlong", "unexpected"],
        System::Hunk(width) if width.is_wide() => &["invalid", "overlong", "truncated", "unexpected"],
        System::Utf8EightByte | System::Utf8SixtyFiveBit | System::Hunk(_) => {
            &["overlong", "truncated", "unexpected"]
        }
        System::UtfInf8 { .. } => &["invalid", "length", "overlong", "truncated", "unexpected"],
        System::Utf9 { .. } => &["out-of-range", "overlong", "surrogate", "truncated"],
        System::Utf18 => &["surrogate", "truncated"],
        System::CorrectedUtf8 { document: false, .. } => &["reserved", "truncated", "unexpected"],
        System::CorrectedUtf8 { document: true, .. } => &["nul", "reserved", "truncated", "unexpected"],
        System::Utf16 => &["surrogate"],
        System::Utf16Octets { .. } => &["surrogate", "truncated"],
        System::Utf32 { .. } => &["out-of-range", "surrogate"],
        System::Ucs2 => &["surrogate"],
        System::Ucs2Octets { .. } => &["surrogate", "truncated"],
        System::UtfEbcdicI8 { max: Max::Unicode } => {
            &["invalid", "out-of-range", "overlong", "surrogate", "truncated", "unexpected"]
        }
        System::UtfEbcdicI8 { max: Max::Ucs4 } => &["overlong", "surrogate", "truncated", "unexpected"],
        System::Utf32Octets { .. } => &["out-of-range", "surrogate", "truncated"],
        System::Cesu8 => &["invalid", "overlong", "surrogate", "truncated", "unexpected"],
        System::Mutf8 => &["invalid", "nul", "overlong", "surrogate", "truncated", "unexpected"],
        System::Latin1 => &[],
        // It has octets without code points; the other sets that are simulated have none.
        System::Table(table) if table.stem() == "windows-1253" => &["invalid"],
        System::Table(_) => &[],
        System::Ascii => &["invalid"],
        System::MultiOctet(MultiOctet::Gbk | MultiOctet::Gb18030) => {
            &["invalid", "out-of-range", "truncated"]
        }
        System::MultiOctet(_) => &["invalid", "truncated"],
        System::Auto(_) => &[],
        System::UtfEbcdic { .. } => {
            &["invalid", "out-of-range", "overlong", "surrogate", "truncated", "unexpected"]
        }
        System::Utf1 { .. } => &["out-of-range", "overlong", "surrogate", "truncated"],
        System::Utf7 { .. } => &["invalid", "surrogate", "truncated"],
        // They have no cores.
        software_only!() => &[],
    }
}

/// Runs `count` items of noise through every core of a role, without stalls and with stalls.
fn agree_under_noise(role: Role, count: u64) {
    let mut verdicts = Verdicts::default();
    for core in cores_of(role) {
        let mut found: Vec<&str> = Vec::new();
        for (stall, framing) in [(0, Framing::Whole), (30, Framing::Random), (80, Framing::Random)] {
            let cosim = cosim(core.clone(), Source::Random { count }, framing, stall);
            if let Some(report) = verdicts.run(&cosim, NATIVE) {
                assert_eq!(report.taken, count);
                found.extend(report.errors.keys());
            }
        }
        found.sort();
        found.dedup();
        let CoreSpec { system, role, .. } = core.spec;
        if role == Role::Decoder && !found.is_empty() {
            verdicts.hold(found == kinds(system), || format!("noise for {system} has {found:?}"));
        }
    }
    verdicts.finish();
}

#[test]
fn decoders_agree_with_the_reference_under_noise() {
    agree_under_noise(Role::Decoder, 10_000);
}

#[test]
fn encoders_agree_with_the_reference_under_noise() {
    agree_under_noise(Role::Encoder, 10_000);
}

#[test]
fn every_wiring_of_reset_agrees() {
    let mut verdicts = Verdicts::default();
    for spec in CoreSpec::all().into_iter().filter(|spec| spec.reset != ResetStyle::default()) {
        verdicts.run(&cosim(core(spec), Source::Random { count: 1000 }, Framing::Random, 30), NATIVE);
    }
    verdicts.finish();
}

#[test]
fn one_sided_stalls_agree_too() {
    let mut verdicts = Verdicts::default();
    for core in error_keeping_cores_of(Role::Decoder).chain(error_keeping_cores_of(Role::Encoder)) {
        for (source, sink) in [(90, 0), (0, 90), (99, 99)] {
            let mut cosim = cosim(core.clone(), Source::Random { count: 500 }, Framing::Random, 0);
            cosim.stalls = Stalls { source, sink };
            verdicts.run(&cosim, NATIVE);
        }
    }
    verdicts.finish();
}

/// The scoreboard checks the cycle of every beat. This checks the scoreboard against the contract in plain numbers: a decoder takes
/// a unit in each cycle for ever, and an encoder writes one.
#[test]
fn without_stalls_cycles_are_units_and_a_constant() {
    let mut verdicts = Verdicts::default();
    let mut hold = |cosim: Cosim, units: fn(&Report) -> u64, most: u64| {
        if let Some(report) = verdicts.run(&cosim, NATIVE) {
            // One cycle for the ready that comes up after reset, and the latency.
            let constant = report.cycles - units(&report) - 1 - u64::from(report.latency);
            verdicts.hold(constant <= most, || format!("{report:?}"));
        }
    };
    for core in error_keeping_cores_of(Role::Decoder) {
        for (count, seed) in [(1, 1), (2, 2), (1000, 3), (20_000, 4), (20_000, 5)] {
            let mut cosim = cosim(core.clone(), Source::Random { count }, Framing::Whole, 0);
            cosim.seed = seed;
            // A slot that had no room in its beat comes in the next. One unit can make two slots; a unit that releases what was
            // withheld for the magic number makes four.
            let document = matches!(core.spec.system, System::CorrectedUtf8 { document: true, .. });
            hold(cosim, |report| report.taken, if document { 3 } else { 1 });
        }
    }
    for core in error_keeping_cores_of(Role::Encoder) {
        let text = text(&core, 5000);
        hold(cosim(core, Source::given(text), Framing::Whole, 0), |report| report.given, 0);
    }
    verdicts.finish();
}

/// Code points below 2^32 of all lengths that the system of an encoder has.
fn text(core: &Core, count: u32) -> Vec<Slot> {
    let mut encoder = core.spec.system.encoder(OnError::Drop);
    let mut has = |point: u32| {
        let errors = encoder.errors();
        encoder.encode(&[Slot::CodePoint(point)], &mut [0_u32; 32], true);
        encoder.errors() == errors
    };
    let points = (0..count).map(|index| index.wrapping_mul(0x9e37_79b9) >> (index % 33).min(31));
    points.filter(|&point| has(point)).map(Slot::CodePoint).collect()
}

/// The worst case for throughput: every second unit cuts a sequence and is a code point itself.
#[test]
fn errors_cost_no_cycles() {
    let core = core(CoreSpec::new(System::Utf8, Role::Decoder));
    let units = std::iter::repeat_n([0xe1, 0x41], 500).flatten();
    let report = run(&cosim(core, Source::given::<u16>(units), Framing::Whole, 0), NATIVE);
    assert_eq!((report.code_points, report.error_count()), (500, 500));
    assert!(report.cycles - report.taken - u64::from(report.latency) <= 2, "{report:?}");
}

#[test]
fn frames_of_every_split_agree() {
    let core = core(CoreSpec::new(System::Utf8, Role::Decoder));
    let text: Vec<u16> =
        "aé€😀\u{10ffff}z".bytes().map(u16::from).chain([0xe2, 0x82, 0xf0, 0x9f, 0x41]).collect();
    every_split(&core, text.into_iter().map(Item::from).collect());
}

/// Frames that end after a head, between limbs, and anywhere around a group.
#[test]
fn frames_of_every_split_of_a_group_agree() {
    let long = [Slot::Head(3), Slot::Limb(0x80), Slot::Limb(0x1234_5678), Slot::Limb(9)];
    let slots: Vec<Slot> =
        [Slot::CodePoint(0x20ac)].into_iter().chain(long).chain([Slot::Limb(1), Slot::Head(2)]).collect();
    for core in error_keeping_cores_of(Role::Encoder) {
        every_split(&core, slots.iter().map(|&slot| slot.into()).collect());
    }
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_one_another() {
    for role in [Role::Decoder, Role::Encoder] {
        let core = core(CoreSpec::new(System::Utf8, role));
        let mut cosim = cosim(core, Source::Random { count: 10_000 }, Framing::Random, 30);
        let first = run(&cosim, NATIVE);
        assert_eq!(run(&cosim, NATIVE), first);
        cosim.seed = 2;
        assert_ne!(run(&cosim, NATIVE), first);
    }
}

fn decoders_and_encoders() -> impl Iterator<Item = CoreSpec> {
    CoreSpec::all().into_iter()
}

#[test]
#[cfg(feature = "rust-hdl")]
fn rust_hdl_agrees_on_every_core() {
    in_lockstep(
        EngineKind::RustHdl,
        decoders_and_encoders().filter(|spec| spec.reset == ResetStyle::default()),
        1000,
    );
    // The wiring of reset is the same in all systems.
    let of_one = |spec: &CoreSpec| spec.system == System::Utf8 && spec.on_error != ErrorMode::Drop;
    in_lockstep(EngineKind::RustHdl, decoders_and_encoders().filter(of_one), 1000);
}

/// One in eight of the cores, and with `UTFHDL_VERILOG=all` all of them: most of the time goes into building models.
fn verilated(role: Role) -> Vec<CoreSpec> {
    one_in(16, is_all("UTFHDL_VERILOG"), decoders_and_encoders().filter(|spec| spec.role == role))
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_on_decoders() {
    in_lockstep(EngineKind::Verilator, verilated(Role::Decoder).into_iter(), 20_000);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_on_encoders() {
    in_lockstep(EngineKind::Verilator, verilated(Role::Encoder).into_iter(), 20_000);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn a_million_noisy_bytes_are_the_same_in_every_engine() {
    let core = core(CoreSpec::new(System::Utf8, Role::Decoder));
    let cosim = cosim(core, Source::Random { count: 1_000_000 }, Framing::Random, 30);
    let report = run(&cosim, EngineKind::ALL);
    assert_eq!(report.taken, 1_000_000);
    assert!(report.code_points > 100_000 && report.error_count() > 100_000, "{report:?}");
}

/// An engine with a remark.
struct Remarking(Box<dyn Engine>);

impl Engine for Remarking {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        self.0.run(inputs, outputs)
    }

    fn remark(&self) -> Option<String> {
        Some("it is slow today".to_owned())
    }
}

#[test]
fn what_an_engine_remarks_is_reported() {
    let cosim = cosim(
        core(CoreSpec::new(System::Utf8, Role::Decoder)),
        Source::Random { count: 100 },
        Framing::Whole,
        0,
    );
    let native = || EngineKind::Native.start(&cosim.core).expect("it needs nothing installed");
    let mut engines: Vec<Box<dyn Engine>> = vec![native(), Box::new(Remarking(native()))];
    let report = cosim.run(&mut engines, None, &mut |_| ()).expect("a sound core");
    assert_eq!(report.remarks.last().expect("a remark"), "native: it is slow today");
    assert_eq!(report.remarks.len(), if cfg!(feature = "jit") { 1 } else { 2 });
}
