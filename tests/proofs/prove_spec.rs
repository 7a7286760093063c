//! The properties of cores, and proofs by the second descriptions of systems; faults that they have to find.

use std::time::Duration;

use utfhdl::prove::checker::Checker;
use utfhdl::prove::program::Limits;
use utfhdl::prove::property::{Property, problems};
use utfhdl::prove::run::decide;
use utfhdl::prove::verdict::Verdict;
use utfhdl_hdl::core::{self, ByteOrder, Core, CoreSpec, ErrorMode, Max, Role, System, Table, Utf8Bom};

use super::prove::{NEVER, core, faulty, in_parallel, is_recorded, takes_all, utf_8_decoder, verdict};
use crate::common::samples::one_in;

/// A character set of single octets.
fn of_table(name: &str) -> System {
    System::Table(Table::named(name).expect("a set"))
}

/// The properties that are offered for a core besides `emitted` and `stream`, which are about every core. Each is a statement about
/// the bus of the cores in its row only: offered for another one, it would call a correct core wrong.
#[test]
fn properties_are_offered_where_they_are_statements_about_the_core() {
    use ErrorMode::{Drop, Flag, Replace};
    let utf_9 = System::Utf9 { max: Max::Unicode };
    type Row<'r> = (&'r [System], Role, &'r [u32], ErrorMode, &'r [Property]);
    let with_machine = [
        System::Utf8,
        System::Utf8Rfc2279,
        System::UtfEbcdicI8 { max: Max::Unicode },
        System::UtfEbcdicI8 { max: Max::Ucs4 },
        System::Wtf8,
        System::Cesu8,
        System::Mutf8,
        System::CorrectedUtf8 { document: false, private: false },
        utf_9,
        System::Utf9 { max: Max::Ucs4 },
        System::Utf18,
        System::Utf16,
        System::Utf32 { max: Max::Unicode },
        System::Utf32 { max: Max::Ucs4 },
        System::Ucs2,
        System::Latin1,
        System::Ascii,
        System::hunk(1),
        System::hunk(4),
        System::hunk(7),
    ];
    let in_octets = [
        System::Utf16Octets { order: ByteOrder::Big, bom: false },
        System::Utf16Octets { order: ByteOrder::Little, bom: false },
        System::Utf32Octets { order: ByteOrder::Big, bom: false, max: Max::Unicode },
        System::Ucs2Octets { order: ByteOrder::Little, bom: false },
    ];
    // Their encoders are not described.
    let tables = ["windows-1252", "windows-1253", "ebcdic-037"].map(of_table);
    let opened = [
        System::Utf8Bom { bom: Utf8Bom::Strip },
        System::Utf16Octets { order: ByteOrder::Big, bom: true },
        System::Utf32Octets { order: ByteOrder::Little, bom: true, max: Max::Ucs4 },
    ];
    // Their code points can be groups of slots.
    let of_groups = [System::Utf8EightByte, System::hunk(9), System::Utf8SixtyFiveBit];
    let few_digits = [System::UtfInf8 { digits: 18 }, System::UtfInf8 { digits: 48 }];
    let without = [System::CorrectedUtf8 { document: true, private: false }, System::UtfInf8 { digits: 49 }];
    let validator = Role::Validator(core::Verdict::default());
    let to_utf_8 = Role::Transcoder { to: System::Utf8 };
    let alone = [Property::Spec, Property::Elastic];
    let rows: &[Row] = &[
        (&with_machine, Role::Decoder, &[1], Flag, &alone),
        (&with_machine, Role::Decoder, &[1], Drop, &alone),
        (&with_machine, validator, &[1], Flag, &alone),
        (&tables, Role::Decoder, &[1], Flag, &alone),
        (&tables, validator, &[1], Flag, &alone),
        (&tables, Role::Encoder, &[1], Replace, &[]),
        (&in_octets, Role::Decoder, &[1], Flag, &alone),
        (&in_octets, Role::Decoder, &[1], Drop, &alone),
        (&in_octets, validator, &[1], Flag, &alone),
        (&opened, Role::Decoder, &[1], Flag, &alone),
        (&opened, Role::Decoder, &[1], Drop, &alone),
        (&opened, validator, &[1], Flag, &alone),
        (&opened, Role::Encoder, &[1], Replace, &[]),
        (&in_octets, Role::Encoder, &[1], Replace, &[Property::Spec, Property::Inverse]),
        (&without, Role::Decoder, &[1], Flag, &[Property::Elastic]),
        (&without[1..], validator, &[1], Flag, &alone),
        (&without[1..], validator, &[2], Flag, &[]),
        (&of_groups, Role::Decoder, &[1], Flag, &alone),
        (&of_groups, Role::Decoder, &[1], Drop, &alone),
        (&of_groups, Role::Decoder, &[4], Flag, &[Property::Lanes]),
        (&of_groups, Role::Decoder, &[4], Drop, &[Property::Lanes]),
        (&of_groups, validator, &[1], Flag, &alone),
        (&of_groups, validator, &[2, 8], Flag, &[Property::Lanes]),
        (&of_groups, Role::Encoder, &[1], Replace, &[Property::Spec, Property::Inverse]),
        (&of_groups, Role::Encoder, &[2], Replace, &[]),
        (&of_groups, to_utf_8, &[2], Replace, &[]),
        (&few_digits, Role::Decoder, &[1], Flag, &alone),
        (&few_digits, Role::Decoder, &[1], Drop, &alone),
        (&few_digits, Role::Decoder, &[2], Flag, &[Property::Lanes]),
        (&without[1..], Role::Decoder, &[2], Flag, &[]),
        (&few_digits, validator, &[1], Flag, &alone),
        (&few_digits, validator, &[2], Flag, &[Property::Lanes]),
        (&few_digits, Role::Encoder, &[1, 4], Replace, &[]),
        (&[System::Utf8], Role::Decoder, &[8, 64], Flag, &[Property::Lanes]),
        (&with_machine, Role::Decoder, &[2], Flag, &[Property::Lanes]),
        (&with_machine, Role::Decoder, &[2], Drop, &[Property::Lanes]),
        (&with_machine, validator, &[2], Flag, &[Property::Lanes]),
        (&in_octets, Role::Decoder, &[4], Flag, &[Property::Lanes]),
        (&tables, validator, &[4], Flag, &[Property::Lanes]),
        (&opened[1..], validator, &[4], Flag, &[Property::Lanes]),
        (&without[1..], Role::Decoder, &[2], Flag, &[]),
        (&with_machine, Role::Encoder, &[1], Replace, &[Property::Spec, Property::Inverse]),
        (&with_machine, Role::Encoder, &[1], Drop, &[Property::Spec, Property::Inverse]),
        (&with_machine, Role::Encoder, &[2, 4], Replace, &[Property::Lanes]),
        (&[System::Utf8], Role::Encoder, &[16], Replace, &[Property::Lanes]),
        (&without, Role::Encoder, &[1, 4], Replace, &[]),
        (&with_machine, to_utf_8, &[1], Replace, &[Property::Spec]),
        (&with_machine, to_utf_8, &[1], Drop, &[Property::Spec]),
        (&tables, to_utf_8, &[1], Replace, &[Property::Spec]),
        (&in_octets, to_utf_8, &[1], Replace, &[Property::Spec]),
        (&opened, to_utf_8, &[1], Replace, &[Property::Spec]),
        (&of_groups, to_utf_8, &[1], Replace, &[Property::Spec]),
        (&few_digits, to_utf_8, &[1], Replace, &[]),
        (&[System::Utf8], Role::Transcoder { to: in_octets[0] }, &[1], Replace, &[Property::Spec]),
        (&[System::Utf8], Role::Transcoder { to: of_groups[0] }, &[1], Replace, &[Property::Spec]),
        (&[System::Utf8], Role::Transcoder { to: tables[0] }, &[1], Replace, &[]),
        (&[System::Utf8, System::Utf16], to_utf_8, &[4, 8], Replace, &[Property::Lanes]),
        (&with_machine, to_utf_8, &[2], Drop, &[Property::Lanes]),
        (&tables, to_utf_8, &[2], Replace, &[Property::Lanes]),
        (&in_octets, to_utf_8, &[4], Replace, &[Property::Lanes]),
        (&opened, to_utf_8, &[2], Replace, &[Property::Lanes]),
        (&[System::Utf8], Role::Transcoder { to: tables[0] }, &[2], Replace, &[]),
        (&without, to_utf_8, &[4], Replace, &[]),
    ];
    for &(systems, role, lanes, on_error, expected) in rows {
        for &system in systems {
            for &lanes in lanes {
                let core = core(CoreSpec { lanes, on_error, ..CoreSpec::new(system, role) });
                let offered = Property::of(&core);
                let (every, own) = offered.split_at(2);
                assert_eq!(every, [Property::Emitted, Property::Stream]);
                assert_eq!(own, expected, "{system} {role} of {lanes} lanes, {on_error}");
                for &property in offered.iter().filter(|property| **property != Property::Emitted) {
                    assert!(
                        !problems(&core, property).is_empty(),
                        "{property} of {system} {role} proves nothing"
                    );
                }
            }
        }
    }
}

/// A sample: validators with all marks, which `tools/prove` does not have, and a decoder whose record is not asked for.
#[test]
#[ignore = "needs yosys, and takes minutes: tools/test installs it and runs it"]
fn cores_are_what_their_systems_are_defined_as() {
    let marks = core::Verdict { kinds: true, start: true, newline: true };
    let decoder = |system| CoreSpec::new(system, Role::Decoder);
    let validator = |system| CoreSpec::new(system, Role::Validator(marks));
    let (utf_9, utf_32) = (System::Utf9 { max: Max::Unicode }, System::Utf32 { max: Max::Unicode });
    let corrected = System::CorrectedUtf8 { document: false, private: false };
    let systems = [
        System::Utf8,
        utf_9,
        System::Utf18,
        System::Ucs2,
        utf_32,
        System::Latin1,
        System::Ascii,
        System::Utf16,
        corrected,
        System::hunk(4),
        System::Utf8SixtyFiveBit,
        System::UtfInf8 { digits: 18 },
        System::Utf32Octets { order: ByteOrder::Little, bom: true, max: Max::Unicode },
    ];
    let is_new = |spec: &CoreSpec| !is_recorded(&core(*spec), Property::Spec);
    let mut specs: Vec<CoreSpec> = systems.map(validator).into_iter().filter(is_new).collect();
    specs.extend([utf_32, System::Utf8SixtyFiveBit].map(decoder));
    specs.push(CoreSpec::new(System::Utf8, Role::Transcoder { to: System::Utf18 }));
    if takes_all() {
        let of_all = [Role::Decoder, Role::Encoder, Role::Validator(marks)].into_iter().flat_map(|role| {
            let specs = System::variants().map(move |system| CoreSpec::new(system, role));
            let has_spec = |core: Core| Property::of(&core).contains(&Property::Spec);
            specs.filter(move |spec| Core::new(*spec).is_ok_and(has_spec))
        });
        specs = of_all.collect();
    }
    in_parallel(&one_in(2, takes_all(), specs), |spec| {
        for problem in problems(&core(*spec), Property::Spec) {
            let limits = Limits { time: Duration::from_secs(1200), stop: &NEVER };
            let (verdict, _) = decide(&problem, &[Checker::Abc], limits, |_| ()).expect("abc runs");
            assert!(matches!(verdict, Verdict::Proved { .. }), "{spec}, {}: {verdict:?}", problem.name);
        }
    });
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn decoders_that_do_something_else_are_found() {
    for fault in [
        "stuck-at-0@low_only",
        "inverted@follow",
        "stuck-at-0@restricts",
        "stuck-at-1@held_user_reg",
        "stuck-at-0@breaks",
        "stuck-at-0@frame_ends_reg",
        "shifted@gathered_reg",
    ] {
        let verdict = verdict(&faulty(utf_8_decoder(), fault), Property::Spec, "spec", 100);
        assert!(matches!(verdict, Verdict::Refuted(_)), "{fault}: {verdict:?}");
    }
}

/// The second description of each kind of system finds another order of bits, and a frame that does not end.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn decoders_and_validators_of_other_systems_that_do_something_else_are_found() {
    let systems = [
        System::Utf8Rfc2279,
        System::UtfEbcdicI8 { max: Max::Unicode },
        System::Wtf8,
        System::Cesu8,
        System::Mutf8,
        System::CorrectedUtf8 { document: false, private: false },
        System::Utf16,
        System::Utf32 { max: Max::Unicode },
        System::hunk(5),
        System::Utf8EightByte,
        System::Utf8SixtyFiveBit,
        System::UtfInf8 { digits: 18 },
        of_table("windows-1253"),
    ];
    let validator = Role::Validator(core::Verdict::default());
    let with_marks = systems.map(|system| CoreSpec::new(system, validator));
    // Octets that are left over at the end of a frame are an error of their own.
    let in_octets = System::Utf16Octets { order: ByteOrder::Little, bom: false };
    let decoders = systems.into_iter().chain([in_octets]).map(|system| CoreSpec::new(system, Role::Decoder));
    let specs: Vec<_> = decoders.chain(with_marks).collect();
    in_parallel(&specs, |&spec| {
        for fault in ["shifted@s_axis_tdata", "stuck-at-0@s_axis_tlast"] {
            let verdict = verdict(&faulty(spec, fault), Property::Spec, "spec", 100);
            assert!(matches!(verdict, Verdict::Refuted(_)), "{spec}, {fault}: {verdict:?}");
        }
    });
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn encoders_that_write_something_else_are_found() {
    let encoder = CoreSpec::new(System::Utf18, Role::Encoder);
    for fault in ["stuck-at-0@s_axis_tlast", "shifted@s_axis_tdata"] {
        for (property, name) in [(Property::Spec, "spec"), (Property::Inverse, "encoder")] {
            let verdict = verdict(&faulty(encoder, fault), property, name, 100);
            assert!(matches!(verdict, Verdict::Refuted(_)), "{fault}: {verdict:?}");
        }
    }
}

/// Faults in each half of a transcoder break the part of the proof that is about it, and not the other.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn transcoders_that_do_something_else_are_found() {
    let to = |system| Role::Transcoder { to: system };
    let scrubber = CoreSpec::new(System::Utf8, to(System::Utf8));
    let to_utf_16 = CoreSpec::new(System::Utf8, to(System::Utf16));
    let faults = [
        (scrubber, "slots", "stuck-at-0@decode.low_only"),
        (scrubber, "slots", "stuck-at-0@s_axis_tlast"),
        (scrubber, "units", "stuck-at-0@fault_reg"),
        (to_utf_16, "slots", "inverted@decode.follow"),
        (to_utf_16, "units", "stuck-at-0@pair"),
        (to_utf_16, "units", "shifted@slot_data"),
        (CoreSpec { on_error: ErrorMode::Drop, ..to_utf_16 }, "units", "stuck-at-0@beat_error"),
    ];
    in_parallel(&faults, |&(spec, part, fault)| {
        let verdict = |name| verdict(&faulty(spec, fault), Property::Spec, name, 100);
        let found = verdict(part);
        assert!(matches!(found, Verdict::Refuted(_)), "{spec}, {fault}, {part}: {found:?}");
        if part == "units" {
            let other = verdict("slots");
            assert!(matches!(other, Verdict::Proved { .. }), "{spec}, {fault}, slots: {other:?}");
        }
    });
}

/// Faults in heads and limbs, which the slots of other systems do not have.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn cores_that_make_other_groups_are_found() {
    let few_digits = System::UtfInf8 { digits: 18 };
    let faults = [
        (System::Utf8EightByte, Role::Decoder, "stuck-at-0@head_sent_reg"),
        (System::Utf8EightByte, Role::Decoder, "stuck-at-0@late_reg"),
        (System::Utf8SixtyFiveBit, Role::Decoder, "stuck-at-0@third_reg"),
        (few_digits, Role::Decoder, "stuck-at-1@needs_some_reg"),
        (few_digits, Role::Decoder, "stuck-at-0@late_limb_reg"),
        (few_digits, Role::Validator(core::Verdict::default()), "stuck-at-0@first_of_18_reg"),
        (System::Utf8EightByte, Role::Encoder, "stuck-at-0@group_open_reg"),
        (System::Utf8EightByte, Role::Encoder, "stuck-at-0@long_start_reg"),
    ];
    in_parallel(&faults, |&(system, role, fault)| {
        let verdict = verdict(&faulty(CoreSpec::new(system, role), fault), Property::Spec, "spec", 100);
        assert!(matches!(verdict, Verdict::Refuted(_)), "{system} {role}, {fault}: {verdict:?}");
    });
}

/// The descriptions of a system's decoder and encoder, connected in both orders.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn descriptions_lead_there_and_back() {
    let utf_9 = System::all().find(|system| system.name() == "utf-9").expect("there is utf-9");
    for system in [System::Utf8, utf_9, System::Utf18] {
        let encoder = core(CoreSpec::new(system, Role::Encoder));
        for name in ["there", "back"] {
            let verdict = verdict(&encoder, Property::Inverse, name, 100);
            assert!(matches!(verdict, Verdict::Proved { .. }), "{system}, {name}: {verdict:?}");
        }
    }
}
