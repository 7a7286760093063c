//! Every short input through every decoder, and every code point of Unicode through every encoder, against the reference.
//!
//! The larger spaces are for the batch engine; here is what the native one does in a minute.

mod common;

use std::ops::RangeInclusive;

use utfhdl::codec::Slot;
use utfhdl::cosim::{Framing, Item, Source};
use utfhdl_hdl::core::{Core, CoreSpec, Role, System};

use common::hardware::{NATIVE, Verdicts, core, cosim, telling_cores_of};

/// Bits of all inputs of a decoder of small units.
const BITS: u32 = 16;

/// Inputs of some length, each a frame.
fn frames(verdicts: &mut Verdicts, core: &Core, inputs: impl Iterator<Item = Vec<u16>>, length: u32) {
    let units: Vec<Item> = inputs.flatten().map(Item::from).collect();
    let count = units.len() as u64 / u64::from(length);
    let framing = Framing::Lengths(vec![length.into()]);
    if let Some(report) = verdicts.run(&cosim(core.clone(), Source::Given(units), framing, 0), NATIVE) {
        assert_eq!(report.frames, count);
    }
}

/// All inputs of one unit and of two; of smaller units, all of sixteen bits.
#[test]
fn decoders_agree_on_all_inputs_of_two_units() {
    let mut verdicts = Verdicts::default();
    for core in telling_cores_of(Role::Decoder) {
        let bits = core.spec.system.unit_bits();
        for length in if bits >= 8 { 1..=2 } else { BITS / bits..=BITS / bits } {
            let unit = move |number: u32, index| (number >> (index * bits) & ((1 << bits) - 1)) as u16;
            let input = move |number| (0..length).map(|index| unit(number, index)).collect();
            frames(&mut verdicts, &core, (0..1 << (bits * length)).map(input), length);
        }
    }
    verdicts.finish();
}

/// Leads of sequences of three octets or more of which the second unit decides, or of which one can be the last.
fn interesting_leads(system: System) -> &'static [u16] {
    match system {
        System::Utf8 => &[0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3, 0xf4],
        System::Utf8Rfc2279 => &[0xe0, 0xed, 0xf0, 0xf8, 0xfc, 0xfd],
        System::Utf8EightByte => &[0xe0, 0xf0, 0xf8, 0xfc, 0xfe, 0xff],
        System::Utf8SixtyFiveBit => &[0xd0, 0xd8, 0xe0, 0xf8, 0xfe, 0xff],
        System::UtfInf8 { .. } => &[0xe0, 0xfc, 0xfe, 0xff],
        System::CorrectedUtf8 { .. } => &[0xe0, 0xec, 0xef, 0xfd, 0xfe, 0xff],
        _ => &[],
    }
}

#[test]
fn decoders_agree_on_all_pairs_behind_interesting_leads() {
    let mut verdicts = Verdicts::default();
    for core in telling_cores_of(Role::Decoder) {
        for &lead in interesting_leads(core.spec.system) {
            let pairs = (0..0x1_0000_u32).map(|pair| vec![lead, (pair >> 8) as u16, (pair & 0xff) as u16]);
            frames(&mut verdicts, &core, pairs, 3);
        }
    }
    verdicts.finish();
}

/// Sends code points, and as many errors as there are that the system lacks.
fn code_points(core: Core, points: RangeInclusive<u32>, verdicts: &mut Verdicts) {
    let slots = Source::given(points.clone().map(Slot::CodePoint));
    if let Some(report) = verdicts.run(&cosim(core, slots, Framing::Whole, 0), NATIVE) {
        assert_eq!(report.taken, u64::from(points.end() - points.start()) + 1);
    }
}

/// To the end of the plane in which three octets become four, and what is around the last code point of Unicode.
#[test]
fn encoders_agree_on_the_first_planes_and_around_the_last() {
    let mut verdicts = Verdicts::default();
    for core in telling_cores_of(Role::Encoder) {
        for points in [0..=0x1_1fff, 0x2_ff00..=0x3_00ff, 0xd_ff00..=0xf_00ff, 0x10_ff00..=0x11_00ff] {
            code_points(core.clone(), points, &mut verdicts);
        }
    }
    verdicts.finish();
}

#[test]
fn the_encoder_of_utf_8_agrees_on_all_code_points() {
    let mut verdicts = Verdicts::default();
    code_points(core(CoreSpec::new(System::Utf8, Role::Encoder)), 0..=0x11_0000, &mut verdicts);
    verdicts.finish();
}

#[test]
#[ignore = "takes minutes; run it with --ignored"]
fn encoders_agree_on_all_code_points() {
    let mut verdicts = Verdicts::default();
    for core in telling_cores_of(Role::Encoder) {
        code_points(core, 0..=0x11_0000, &mut verdicts);
    }
    verdicts.finish();
}
