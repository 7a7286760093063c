//! Every short input through every core, against the reference: in campaigns, where each input is a frame of its own, and in
//! the native engine, where frames follow each other without a gap.

use std::collections::BTreeMap;

use utfhdl::campaign::{Campaign, Counts, Inputs, space};
use utfhdl::cosim::{Framing, Source};
use utfhdl::promise::Item;
use utfhdl_codec::{Codec, Slot};
use utfhdl_hdl::core::{ByteOrder, Core, CoreSpec, ErrorMode, Role, System, Utf8Bom};
use utfhdl_hdl::netlist::ResetStyle;

use crate::common::campaigns::{run_pairs_of_words, run_some_long_words, run_well, run_well_in};
use crate::common::hardware::{NATIVE, Verdicts, core, cores_of, cosim, error_keeping_cores_of};
use crate::common::samples::{is_all, one_in};

/// The most bits of the inputs that are all run.
const MOST_BITS: u32 = 24;

/// Runs every input of `units` units, in which nothing may fail. Where units are words, these are too many: then every input of one
/// word, or a sample of them.
#[track_caller]
fn run_every(core: &Core, units: usize) -> Counts {
    let bits = core.spec.system.unit_bits();
    if bits * units as u32 <= MOST_BITS {
        return run_well(core, Inputs::Exhaustive { units });
    }
    if bits <= MOST_BITS {
        run_well(core, Inputs::Exhaustive { units: 1 })
    } else {
        run_some_long_words(core)
    }
}

/// Every input of three octets, of two nonets, of four smaller units, and of one word, of a sample of the decoders.
#[test]
fn every_short_input_of_every_decoder() {
    for core in one_in(12, is_all("UTFHDL_INPUTS"), error_keeping_cores_of(Role::Decoder)) {
        let units = match core.spec.system {
            // Only the order, or the mark, differs from a system that is tested with three octets.
            System::Utf16Octets { order: ByteOrder::Little, .. } => 2,
            System::Utf8Bom { bom: Utf8Bom::Add } => 2,
            // No sequence has two or three.
            System::Latin1 | System::Ascii | System::Table(_) | System::Utf32Octets { .. } => 2,
            system => match system.unit_bits() {
                1..=6 => 4,
                7..=8 => 3,
                _ => 2,
            },
        };
        run_every(&core, units);
    }
}

#[test]
fn pairs_of_words_of_16_bits() {
    let words = System::variants().filter(|system| system.unit_bits() == 16);
    for (system, on_error) in
        words.flat_map(|system| Role::Decoder.on_error().iter().map(move |&on_error| (system, on_error)))
    {
        run_pairs_of_words(&core(CoreSpec { on_error, ..CoreSpec::new(system, Role::Decoder) }));
    }
}

/// The reference's result for every input, one after the other.
fn counted_one_by_one(system: System, units: usize) -> Counts {
    let bits = system.unit_bits();
    let mut counts = Counts::default();
    for number in 0..1_u64 << (units as u32 * bits) {
        let unit = |at: usize| (number >> (at as u32 * bits)) as u32 & ((1 << bits) - 1);
        let input: Vec<u32> = (0..units).rev().map(unit).collect();
        system.decode(&input).for_each(|event| counts.count(event.what));
    }
    counts
}

/// A campaign counts what the reference finds in the inputs, one after the other.
#[test]
fn every_pair_of_every_decoder_that_drops_errors() {
    let dropping = cores_of(Role::Decoder).filter(|core| core.spec.on_error == ErrorMode::Drop);
    for core in one_in(3, is_all("UTFHDL_INPUTS"), dropping) {
        let units = (MOST_BITS / core.spec.system.unit_bits()).min(2) as usize;
        if units == 0 {
            continue;
        }
        let counts = run_well(&core, Inputs::Exhaustive { units });
        let system = core.spec.system;
        assert_eq!(counts, counted_one_by_one(system, units), "{system}");
    }
}

/// All code points of Unicode, some beyond, and every `tuser` that stands for no code point, of a sample of the encoders.
#[test]
fn every_code_point_of_unicode_through_every_encoder() {
    for core in one_in(9, is_all("UTFHDL_INPUTS"), cores_of(Role::Encoder)) {
        let bus = core.spec.bus;
        let campaign = Campaign::new(core, Inputs::Exhaustive { units: 1 }).unwrap();
        let unicode = run_well_in(&campaign, 0..0x12_0000);
        assert_eq!(unicode.code_points, 0x12_0000);
        for exponent in 21..bus.data_bits() {
            run_well_in(&campaign, (1 << exponent) - 512..(1 << exponent) + 512);
        }
        let mut rest = Counts::default();
        for user in 0..15 {
            let first = (1 << bus.data_bits()) + user * 0x1_0000;
            rest.add(&run_well_in(&campaign, first..first + 512), 1);
        }
        assert_eq!(campaign.total(), space::every_slot(bus));
        // Each kind of error is counted separately; illegal slots, and heads that announce too few limbs, are `invalid`.
        let by_kind = rest.errors();
        assert!((by_kind.len() == 10) && by_kind.values().all(|count| *count >= 512), "{by_kind:?}");
    }
}

#[test]
fn every_row_of_three_telling_slots_through_every_encoder() {
    for core in cores_of(Role::Encoder) {
        let counts = run_well(&core, Inputs::Exhaustive { units: 3 });
        assert!(counts.errors().contains_key("truncated") && counts.errors().contains_key("unexpected"));
    }
}

#[test]
fn every_pair_of_units_through_transcoders() {
    let all = CoreSpec::transcoders().into_iter().filter(|spec| spec.reset == ResetStyle::default());
    for spec in one_in(200, is_all("UTFHDL_PAIRS"), all) {
        run_every(&core(spec), 2);
    }
}

/// From a system to itself well-formed text comes out unchanged.
#[test]
fn every_pair_of_units_through_systems_to_themselves() {
    for system in one_in(3, is_all("UTFHDL_INPUTS"), utfhdl_hdl::core::System::variants()) {
        let role = Role::Transcoder { to: system };
        for &on_error in role.on_error() {
            run_every(&core(CoreSpec { on_error, ..CoreSpec::new(system, role) }), 2);
        }
    }
}

/// The last unit of a frame may make two slots that are both dropped: then the magic number carries the frame's end, or, where a
/// code point that is being written is cut, an empty beat.
#[test]
fn frames_that_end_in_two_errors_through_transcoders_that_drop_them() {
    use utfhdl_hdl::core::{DEFAULT_DIGITS, FEWEST_DIGITS};
    let document = System::CorrectedUtf8 { document: true, private: false };
    let longest = System::UtfInf8 { digits: DEFAULT_DIGITS };
    for (from, to) in [
        (System::Utf8, document),
        (System::Utf8SixtyFiveBit, document),
        (longest, document),
        (document, longest),
        (longest, System::UtfInf8 { digits: FEWEST_DIGITS }),
        (longest, longest),
        (document, document),
        (System::Utf8, System::Utf8),
        (System::Utf16Octets { order: ByteOrder::Little, bom: true }, document),
        (System::Cesu8, System::Utf16Octets { order: ByteOrder::Big, bom: true }),
        (System::Utf8, System::Utf8Bom { bom: Utf8Bom::Add }),
        (System::Wtf8, System::Wtf8),
    ] {
        let spec = CoreSpec { on_error: ErrorMode::Drop, ..CoreSpec::new(from, Role::Transcoder { to }) };
        let core = core(spec);
        run_well(&core, Inputs::Exhaustive { units: 2 });
        for stall in [0, 30] {
            run_well(&core, Inputs::Random { count: 5000, seed: 2, stall });
        }
    }
}

/// Errors in the input are counted apart from code points that cannot be written. The numbers are worked out by hand.
#[test]
fn what_a_transcoder_finds_is_counted_for_what_it_is() {
    let spec = CoreSpec::new(System::Utf8, Role::Transcoder { to: System::hunk(1) });
    let counts = run_well(&core(spec), Inputs::Exhaustive { units: 1 });
    // The 256 octets are 128 code points, of which hunk-1 has the first; C0, C1, F5..F7 and F8..FF are errors at once, 64 are
    // trailing octets, and 51 leads are cut by the end of the frame.
    let expected = [
        ("invalid", 8),
        ("out-of-range", 3),
        ("overlong", 2),
        ("truncated", 51),
        ("unencodable", 127),
        ("unexpected", 64),
    ];
    assert_eq!((counts.code_points, counts.errors()), (128, BTreeMap::from(expected)));
}

/// Bits of all inputs of a decoder of small units.
const BITS: u32 = 16;

/// Every input of two units, or for smaller and larger units of sixteen bits or of one unit, one frame after another.
#[test]
fn every_pair_of_every_decoder_without_a_gap() {
    let mut verdicts = Verdicts::default();
    for core in error_keeping_cores_of(Role::Decoder) {
        let bits = core.spec.system.unit_bits();
        let length = if bits == 8 || bits == 9 { 2 } else { (BITS / bits).max(1) };
        // Words of 32 bits with ones in the upper bits would all be out of range.
        let bits = bits.min(21);
        let unit = move |number: u32, index| number >> (index * bits) & ((1 << bits) - 1);
        let inputs = (0..1 << (bits * length)).flat_map(|number| (0..length).map(move |at| unit(number, at)));
        let units: Vec<Item> = inputs.map(Item::from).collect();
        let frames = units.len() as u64 / u64::from(length);
        let framing = Framing::Lengths(vec![length.into()]);
        if let Some(report) = verdicts.run(&cosim(core, Source::Given(units), framing, 0), NATIVE) {
            assert_eq!(report.frames, frames);
        }
    }
    verdicts.finish();
}

/// The code points around which the number of units changes, in one frame.
#[test]
fn code_points_in_a_row_through_every_encoder() {
    let mut verdicts = Verdicts::default();
    for core in error_keeping_cores_of(Role::Encoder) {
        for points in [0..=0xfff, 0xd700..=0xe0ff, 0xff00..=0x1_00ff, 0x10_ff00..=0x11_00ff] {
            let count = u64::from(points.end() - points.start()) + 1;
            let slots = Source::given(points.map(Slot::CodePoint));
            let run = cosim(core.clone(), slots, Framing::Whole, 0);
            if let Some(report) = verdicts.run(&run, NATIVE) {
                assert_eq!(report.taken, count);
            }
        }
    }
    verdicts.finish();
}
