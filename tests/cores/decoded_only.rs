//! Decoders of UTF-EBCDIC, UTF-1 and UTF-7, of which there are no encoders.

use utfhdl::cosim::{Framing, Source};
use utfhdl_codec::{Codec, Max, OnError, SetO, Slot, System};
use utfhdl_hdl::core::{CoreSpec, Mark, Role, Verdict};

use crate::common::hardware::{NATIVE, Verdicts, core, cosim, run};

/// The cores of the systems, with their options.
fn cores() -> Vec<CoreSpec> {
    let ucs_4 = Max::Ucs4;
    let systems = System::decoded_only().chain([
        System::UtfEbcdic { max: ucs_4 },
        System::Utf1 { max: ucs_4 },
        System::Utf7 { set_o: SetO::Base64 },
    ]);
    systems
        .flat_map(|system| {
            let decoder = CoreSpec::new(system, Role::Decoder);
            let validator = |kinds| {
                let verdict = Verdict::new(kinds, &[Mark::Start, Mark::Newline]);
                CoreSpec::new(system, Role::Validator(verdict))
            };
            let observing = [
                CoreSpec { position: 20, line: 8, column: 10, ..decoder },
                CoreSpec { status: true, ..decoder },
                validator(false),
                CoreSpec { status: true, ..validator(true) },
            ];
            let of_utf_7 = [CoreSpec { line: 8, column: 10, ..decoder }];
            match system {
                System::Utf7 { .. } => of_utf_7.to_vec(),
                _ => observing.to_vec(),
            }
        })
        .collect()
}

/// Octets at the edges of ranges, in frames of up to five octets.
#[test]
fn short_frames_through_the_cores() {
    for spec in cores() {
        let edges: &[u32] = match spec.system {
            // Leads, digits about the surrogates and the last code point, and others.
            System::Utf1 { .. } => &[0x0A, 0x21, 0x2F, 0x30, 0x39, 0x3A, 0x78, 0xA0, 0xC3, 0xC4, 0xF7, 0xFC],
            // 0, LF, a, and leads and trailing octets: A0, A1, BF, C5, E1, F1, F9, FE of I8.
            System::UtfEbcdic { .. } => {
                &[0x00, 0x15, 0x81, 0x41, 0x42, 0x73, 0x78, 0x90, 0xBB, 0xDD, 0xEE, 0xFD]
            }
            // 2, 3 and N make surrogates.
            _ => &[0x2B, 0x2D, 0x21, 0x0A, 0x5C, 0xE9, 0x32, 0x33, 0x41, 0x4E, 0x77, 0x44],
        };
        let count = edges.len();
        let fours: Vec<u32> = (0..count.pow(4))
            .flat_map(|number| [1, 12, 144, 1728].map(|place| edges[number / place % count]))
            .collect();
        for length in 1..=5 {
            let source = Source::given(fours.iter().copied());
            let lengths = vec![length; fours.len() / length as usize];
            let core = core(spec);
            run(&cosim(core, source, Framing::Lengths(lengths), 0), NATIVE);
        }
    }
}

/// Code points about the ends of the forms, the surrogates and the last code point, some of which are past it.
#[test]
fn edges_of_the_forms_of_utf_1_through_cores() {
    let ranges = [0..0x200, 0x3F00..0x4100, 0xD700..0xE100, 0x3_8D00..0x3_8F00, 0x10_0000..0x11_0100];
    let slots: Vec<Slot> = ranges.into_iter().flatten().map(Slot::CodePoint).collect();
    let writer = System::Utf1 { max: Max::Ucs4 };
    let octets: Vec<u8> = writer.encode(&slots, OnError::Drop).unwrap();
    // The lead of surrogates with every digit.
    let surrogates =
        (0x21..=0xFF).flat_map(|second| [0x21, 0x78, 0x79, 0xC3, 0xC4].map(|third| [0xF7, second, third]));
    let items: Vec<u32> = octets.into_iter().map(u32::from).chain(surrogates.flatten()).collect();
    for spec in cores() {
        if matches!(spec.system, System::Utf1 { .. }) {
            let source = Source::given(items.iter().copied());
            run(&cosim(core(spec), source, Framing::Whole, 0), NATIVE);
        }
    }
}

#[test]
fn noise_through_the_cores() {
    let mut verdicts = Verdicts::default();
    let transcoders = System::decoded_only().flat_map(|system| {
        [System::Utf8, System::Utf16].map(|to| CoreSpec::new(system, Role::Transcoder { to }))
    });
    for spec in cores().into_iter().chain(transcoders) {
        for &on_error in spec.role.on_error() {
            let core = core(CoreSpec { on_error, ..spec });
            for stall in [0, 30] {
                let source = Source::Random { count: 6_000 };
                verdicts.run(&cosim(core.clone(), source, Framing::Random, stall), NATIVE);
            }
        }
    }
    verdicts.finish();
}
