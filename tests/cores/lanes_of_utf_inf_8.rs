//! Decoders and transcoders of `utf-inf-8` of several lanes, on frames with difficult sequences of FF: headers of up to nine digits, pads,
//! limbs in every phase, misplaced B4s and digits, and all of these cut short.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl::cosim::{Framing, Source};
use utfhdl::promise::Item;
use utfhdl_hdl::core::{CoreSpec, DEFAULT_DIGITS, ErrorMode, Max, Packing, Role, System};

use crate::common::hardware::{NATIVE, Verdicts, core, cosim, run};
use crate::common::samples::{is_all, one_in};

/// Octets that begin a well-formed long sequence, or one near to it.
fn long(random: &mut ChaCha8Rng, most: usize) -> Vec<u8> {
    let digits_of_header = 1 + random.random_range(0..most);
    let mut units = vec![0xff];
    let mut header: Vec<u8> =
        (0..digits_of_header).map(|_| 0xa0 | random.random_range(0..16) as u8).collect();
    if digits_of_header > 1 && random.random_range(0..8) > 0 {
        header[0] = 0xa1 + random.random_range(0..if digits_of_header == 2 { 3 } else { 15 }) as u8;
    }
    if random.random_range(0..3) == 0 {
        header.fill(0xaf);
        let at = random.random_range(0..digits_of_header);
        header[at] -= random.random_range(0..3) as u8;
    }
    units.extend((1..digits_of_header).map(|_| 0xb4));
    let nme = header.iter().fold(0u64, |nme, digit| nme << 4 | u64::from(digit & 15));
    units.extend(header);
    let octets = ((nme + 20) / 3 * 2).min(700) as usize;
    let pad = [0, 2, 1][(nme % 3) as usize] * 4;
    let storage = (0..octets).map(|at| {
        let zeros = (pad - (6 * at as i32).min(pad)).min(6);
        let mut six = random.random_range(0..64) as u8;
        if at < 2 && random.random_range(0..12) > 0 {
            six &= (0x3f_u16 >> zeros) as u8;
            if random.random_range(0..3) > 0 {
                six |= (0x20_u16 >> zeros) as u8;
            }
        }
        if random.random_range(0..9) == 0 { 0x80 } else { 0x80 | six }
    });
    units.extend(storage.collect::<Vec<u8>>());
    units
}

fn thirteen(random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut units = vec![0xff];
    let zeros = random.random_range(0..13);
    units.extend((0..12).map(|at| match at {
        _ if at < zeros => 0x80,
        0 => 0x80 | random.random_range(0..32) as u8,
        _ if random.random_range(0..3) == 0 => 0x80 | 1 << random.random_range(0..6),
        _ => 0x80 | random.random_range(0..64) as u8,
    }));
    units
}

fn short(random: &mut ChaCha8Rng) -> Vec<u8> {
    let lead = match random.random_range(0..4) {
        0 => 0xfe,
        1 => [0x41, 0xc0, 0xc1, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xf8, 0xfc][random.random_range(0..10)],
        _ => random.random_range(0..255) as u8,
    };
    let follow = if lead < 0xc0 { 0 } else { lead.leading_ones() as usize - 1 };
    let mut units = vec![lead];
    units.extend((0..follow).map(|_| {
        if random.random_range(0..4) == 0 { 0x80 } else { 0x80 | random.random_range(0..64) as u8 }
    }));
    units
}

/// A frame that looks for trouble.
fn frame(random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut units = Vec::new();
    let most = 1 + random.random_range(0..9);
    for _ in 0..1 + random.random_range(0..20) {
        let mut part = match random.random_range(0..8) {
            0 | 1 => short(random),
            2 => thirteen(random),
            3 => vec![0xff; 1 + random.random_range(0..3)],
            4 => vec![0xb4; 1 + random.random_range(0..11)],
            5 => [&[0xff, 0xa0][..], &[0xff, 0xb4, 0xa1, 0xa0], &[0xff, 0xa7, 0x80, 0x88]]
                [random.random_range(0..3)]
            .repeat(1 + random.random_range(0..8)),
            _ => long(random, most),
        };
        if random.random_range(0..3) == 0 {
            let keep = random.random_range(0..part.len() + 1);
            part.truncate(keep);
        }
        if random.random_range(0..4) == 0 && !part.is_empty() {
            let at = random.random_range(0..part.len());
            part[at] = match random.random_range(0..4) {
                0 => 0x80 | random.random_range(0..64) as u8,
                1 => 0xa0 | random.random_range(0..32) as u8,
                _ => random.random_range(0..256) as u8,
            };
        }
        units.extend(part);
    }
    units
}

/// Units and the lengths of frames.
fn frames(seed: u64, units: usize) -> (Vec<Item>, Framing) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut items, mut lengths) = (Vec::new(), Vec::new());
    while items.len() < units {
        let frame = frame(&mut random);
        lengths.push(frame.len() as u64);
        items.extend(frame.into_iter().map(|unit| Item::from(u16::from(unit))));
    }
    (items, Framing::Lengths(lengths))
}

/// Frames through one in `parts` of these cores: in full beats, and in beats and frames of any length between stalls.
fn agree(specs: impl Iterator<Item = CoreSpec>, parts: usize, units: usize) {
    let mut verdicts = Verdicts::default();
    for (seed, spec) in one_in(parts, is_all("UTFHDL_LANES"), (0..).zip(specs)) {
        let core = core(spec);
        let (items, lengths) = frames(seed, units);
        let count = items.len() as u64;
        for (framing, stall) in [(lengths, 0), (Framing::Random, 0), (Framing::Random, 40)] {
            let cosim = cosim(core.clone(), Source::Given(items.clone()), framing, stall);
            let report = verdicts.run(&cosim, NATIVE);
            verdicts
                .hold(report.is_none_or(|report| report.taken == count), || format!("{spec}: not all taken"));
        }
    }
    verdicts.finish();
}

fn decoder(digits: u64, lanes: u32, on_error: ErrorMode) -> CoreSpec {
    CoreSpec { lanes, on_error, ..CoreSpec::new(System::UtfInf8 { digits }, Role::Decoder) }
}

/// The choice of lanes and treatment of errors whose `turn` it is; with `UTFHDL_LANES=all` every choice.
fn choices(role: Role, lanes: &[u32], turn: usize) -> Vec<(u32, ErrorMode)> {
    let of_lanes = |&lanes: &u32| role.on_error().iter().map(move |&mode| (lanes, mode));
    let all: Vec<(u32, ErrorMode)> = lanes.iter().flat_map(of_lanes).collect();
    if is_all("UTFHDL_LANES") { all } else { vec![all[turn % all.len()]] }
}

/// Limits at which headers have one to nine digits, and of these few or many can be greater.
#[test]
fn headers_of_every_limit_agree() {
    let limits = [18, 19, 25, 33, 34, 255, 273, 274, 4096, 4113, 1 << 20, 1 << 32, 34_359_738_360];
    let specs = limits.into_iter().enumerate().flat_map(|(turn, digits)| {
        let choices = choices(Role::Decoder, &[2, 4, 8], turn);
        choices.into_iter().map(move |(lanes, mode)| decoder(digits, lanes, mode))
    });
    agree(specs, 2, 4000);
}

#[test]
fn decoders_of_many_lanes_agree() {
    let flag = [16, 64].map(|lanes| decoder(DEFAULT_DIGITS, lanes, ErrorMode::Flag));
    agree(flag.into_iter().chain([decoder(18, 32, ErrorMode::Drop)]), 1, 6000);
}

/// Transcoders to systems with code points below 2^32, where the code point of a sequence after FF cannot be written, to such with longer ones, and to
/// `utf-inf-8` itself.
#[test]
fn transcoders_agree() {
    let pairs = [
        (System::Utf8, 18),
        (System::Utf16, 34),
        (System::Utf32 { max: Max::Ucs4 }, 273),
        (System::hunk(6), DEFAULT_DIGITS),
        (System::CorrectedUtf8 { document: true, private: false }, 34_359_738_360),
        (System::Utf8SixtyFiveBit, DEFAULT_DIGITS),
        (System::hunk(9), 33),
        (System::Utf8EightByte, 4096),
        (System::UtfInf8 { digits: 40 }, DEFAULT_DIGITS),
        (System::UtfInf8 { digits: DEFAULT_DIGITS }, 273),
    ];
    let specs = pairs.into_iter().enumerate().flat_map(|(index, (to, digits))| {
        let core = CoreSpec::new(System::UtfInf8 { digits }, Role::Transcoder { to });
        // Steps of five through twelve choices: few and many lanes, and both treatments.
        let choices = choices(core.role, &[2, 4, 8, 16, 32, 64], 5 * index);
        choices.into_iter().map(move |(lanes, on_error)| CoreSpec { lanes, on_error, ..core })
    });
    agree(specs, 3, 4000);
}

/// Frames that end in an error that is dropped, and that the decoding half may have carried: the end comes after all units, however the sides stall.
#[test]
fn frames_that_end_in_a_dropped_error_agree() {
    let given: [&[u8]; 3] = [
        &[0x0b, 0xff, 0x24, 0xb0],
        &[0xfd, 0xc0, 0xbf, 0xbf, 0xbf, 0xfe, 0xbf, 0xbf],
        &[0x81, 0x82, 0x86, 0xb4, 0xb4, 0xb4, 0xb4, 0xb4, 0xb4],
    ];
    let lengths = (0..40).flat_map(|_| given.map(|frame| frame.len() as u64)).collect();
    let units = (0..40).flat_map(|_| given.concat()).map(|unit| Item::from(u16::from(unit))).collect();
    let difficult = [3, 4, 13, 16, 21].map(|seed| frames(seed, 2000));
    let sources: Vec<_> = difficult.into_iter().chain([(units, Framing::Lengths(lengths))]).collect();
    let mut verdicts = Verdicts::default();
    for to in [System::Utf8SixtyFiveBit, System::hunk(9), System::UtfInf8 { digits: DEFAULT_DIGITS }] {
        let decoder = decoder(DEFAULT_DIGITS, 2, ErrorMode::Drop);
        let core = core(CoreSpec { role: Role::Transcoder { to }, ..decoder });
        for ((items, framing), stall) in sources.iter().flat_map(|source| [(source, 0), (source, 40)]) {
            let cosim = cosim(core.clone(), Source::Given(items.clone()), framing.clone(), stall);
            verdicts.run(&cosim, NATIVE);
        }
    }
    verdicts.finish();
}

#[test]
fn dense_decoders_agree() {
    let dense = |lanes, mode| CoreSpec { pack: Packing::Dense, ..decoder(DEFAULT_DIGITS, lanes, mode) };
    agree([dense(2, ErrorMode::Drop), dense(8, ErrorMode::Flag)].into_iter(), 1, 4000);
}

/// A code point of thousands of digits, whose header has five: it ends where the header says, and the next one begins there.
#[test]
fn a_long_code_point_ends_where_its_header_says() {
    const DIGITS_ABOVE_18: usize = 0x1_2345;
    let octets = (DIGITS_ABOVE_18 + 20) / 3 * 2;
    let pad = [0, 2, 1][DIGITS_ABOVE_18 % 3] * 4;
    let header = [0xff, 0xb4, 0xb4, 0xb4, 0xb4, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0x80 | 0x3f >> pad];
    let storage = (1..octets).map(|at| 0x80 | (at as u16).wrapping_mul(11) & 0x3f);
    let units: Vec<u16> = header.into_iter().chain(storage).chain([0xff, 0x41, 0x41]).collect();
    for (lanes, mode) in [(2, ErrorMode::Drop), (4, ErrorMode::Flag), (8, ErrorMode::Flag)] {
        let given = Source::given(units.iter().copied());
        let report =
            run(&cosim(core(decoder(DEFAULT_DIGITS, lanes, mode)), given, Framing::Whole, 0), NATIVE);
        assert_eq!(report.code_points, 3, "the sequence is well-formed: {report:?}");
    }
}

/// A beat a cycle, whatever follows FF: only the end of the frame may take one cycle more.
#[test]
fn cycles_are_beats_and_a_constant() {
    let header_of_18 = [&[0xff, 0xa0][..], &[0xb0], &[0x80; 11]].concat();
    let thirteen = [&[0xff, 0x80, 0x88][..], &[0x80; 10]].concat();
    let long = [&[0xff, 0xb4, 0xb4, 0xa1, 0xa0, 0xa0], &[0xbf_u16; 182][..]].concat();
    let rows: [&[u16]; 7] =
        [&[0xff], &[0xff, 0xa0], &[0xff, 0xb4, 0xa1], &[0xff, 0xa0, 0x41], &header_of_18, &thirteen, &long];
    for (lanes, mode) in [(2, ErrorMode::Flag), (4, ErrorMode::Drop), (8, ErrorMode::Flag)] {
        let core = core(decoder(DEFAULT_DIGITS, lanes, mode));
        for row in rows {
            let units = row.iter().copied().cycle().take(2400);
            let report = run(&cosim(core.clone(), Source::given(units), Framing::Whole, 0), NATIVE);
            let beats = report.taken.div_ceil(lanes.into());
            let more = report.cycles - beats - 1 - u64::from(report.latency);
            assert!(more <= 1, "{}, {row:x?}: {report:?}", core.spec);
        }
    }
}
