//! Faults put into every signal of cores: co-simulation has to notice each of them.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl::cosim::{Failure, Framing, Source};
use utfhdl::prove::mutants::{fault, limb_groups};
use utfhdl_hdl::core::{
    ByteOrder, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Max, MultiOctet, Role, System, Utf8Bom, Verdict,
};
use utfhdl_hdl::netlist::{Fault, mutants};

use crate::common::hardware::{NATIVE, core, cores_of, cosim, signal_paths, verdict};
use crate::common::samples;

fn with_fault(core: &Core, fault: Fault, path: &str) -> Core {
    let design = fault.inject(&core.design, path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Core { design, ..core.clone() }
}

/// The failure that co-simulation finds in a core with a fault at `path`. Co-simulation runs noise without stalls and with stalls;
/// then, for a fault in a counter of limbs, groups in which each of its bits counts; then much more noise.
fn failure(core: &Core, path: &str) -> Option<Failure> {
    let fails = |source, framing, stall| verdict(&cosim(core.clone(), source, framing, stall), NATIVE).err();
    let noise = |count| {
        let source = Source::Random { count };
        fails(source.clone(), Framing::Whole, 0).or_else(|| fails(source, Framing::Random, 35))
    };
    let groups = || {
        let source = || Source::given(limb_groups());
        path.starts_with("limb_counter.").then(|| fails(source(), Framing::Whole, 0)).flatten()
    };
    let rare = || bare_end_behind_carry(core).or_else(|| slot_too_many_at_the_end(core));
    noise(2000).or_else(groups).or_else(rare).or_else(|| noise(200_000))
}

/// The failure for a frame whose last beat makes a slot more than it has lanes, so that a second beat follows it: a lead that the beat cuts
/// short, and an ASCII unit in each lane. Noise in many lanes hardly contains one.
fn slot_too_many_at_the_end(core: &Core) -> Option<Failure> {
    let CoreSpec { system, role, lanes, .. } = core.spec;
    let lanes = lanes as usize;
    let is_concerned = system == System::Utf8 && role == Role::Decoder && lanes > 1;
    let frame = [vec![0x41_u16; lanes - 1], vec![0xe2], vec![0x41; lanes]].concat();
    let source = || Source::given(frame.repeat(4));
    let run = || cosim(core.clone(), source(), Framing::Beats(vec![vec![lanes as u64; 2]]), 0);
    is_concerned.then(|| verdict(&run(), NATIVE).err()).flatten()
}

/// The failure for a slot that had no room in its beat and comes before the empty beat that ends the frame, which noise of UTF-16
/// hardly contains.
fn bare_end_behind_carry(core: &Core) -> Option<Failure> {
    let is_concerned = core.spec.system == System::Utf16 && core.spec.lanes == 2;
    let source = || Source::given([0x41, 0xd800, 0x41, 0x42_u16].repeat(3));
    let run = || cosim(core.clone(), source(), Framing::Beats(vec![vec![2, 2, 0]]), 0);
    is_concerned.then(|| verdict(&run(), NATIVE).err()).flatten()
}

/// The paths of all signals that faults can be put at. The driver of an output has a name of its own.
fn paths(core: &Core) -> Vec<String> {
    let mut found = signal_paths(core);
    found.retain(|path| Fault::Inverted.inject(&core.design, path).is_ok());
    found
}

/// Faults without effect on the output, in logic that a core does not need, and has because all systems share a design: the
/// cores with their treatment of errors, the prefixes of the faults' names, and the reason.
const SUPERFLUOUS: [(&[&str], &[&str], &str); 16] = [
    (
        &[
            "hunk-1 encoder --on-error drop",
            "utf-32 encoder --on-error drop",
            "latin-1 encoder --on-error drop",
            "ascii encoder --on-error drop",
        ],
        &[
            "slot_long stuck at 0",
            "slot_long shifted left by one",
            "buffer_ready stuck at 1",
            "limb_awaited stuck at 0",
            "limb_awaited shifted left by one",
        ],
        "all events are of one unit, so a group may be dropped as one error or as several",
    ),
    (
        &["utf-18 encoder --on-error drop", "utf-16 encoder --on-error drop"],
        &["limb_awaited stuck at 0", "limb_awaited shifted left by one"],
        "the buffer hides the delay of two units, so here, too, it may be several",
    ),
    (
        &[
            "utf-16be decoder --on-error drop",
            "utf-16le decoder --on-error drop",
            "utf-16be,bom=on decoder --on-error drop",
            "utf-16le,bom=on decoder --on-error drop",
        ],
        &["present_reg stuck at 1", "advance_next stuck at 1", "output_ready_next stuck at 1"],
        "no slot is made for four octets in front of the first one behind a high surrogate, so no stage waits there",
    ),
    (
        &["utf-16 decoder --lanes 2 --on-error flag", "utf-16 decoder --lanes 2 --on-error drop"],
        &["lane_1.upper_", "lane_1.stops_next stuck at 0", "lane_1.stops_next shifted left by one"],
        "no lane stands behind the last one",
    ),
    (&["utf-16 decoder --lanes 2 --on-error drop"], &["lane_1.is_high_3_reg "], "the same"),
    (
        &[
            "utf-16 decoder --lanes 2 --on-error drop",
            "utf-32 decoder --lanes 2 --on-error drop",
            "ascii decoder --lanes 2 --on-error drop",
        ],
        &["beat_valid_4_reg stuck at 1", "beat_valid_6_reg stuck at 1"],
        "where there is no beat, none goes out, whatever slots it holds",
    ),
    (&["utf-16 decoder --lanes 2 --on-error flag"], &["beat_valid_6_reg stuck at 1"], "the same"),
    (
        &["wtf-8 encoder --lanes 2 --on-error replace"],
        &["decides_up_to_0_3_reg stuck at 1"],
        "the slots of a beat stand in its first lanes, and where errors are replaced each of them decides",
    ),
    (
        &[
            "utf-8 validator --on-error flag",
            "hunk-4 validator --on-error flag",
            "utf-16 validator --on-error flag",
        ],
        &["own_keep stuck at 1"],
        "the end of a frame without an open sequence is a slot that is no error",
    ),
    (
        &["utf-inf-8 decoder --lanes 4"],
        &["end_said_of_lane_0_"],
        "lane 0 reads only whether its own unit ends the sequence, which the last unit of a header never does",
    ),
    (
        &["utf-18 validator --on-error flag"],
        &["high_reg shifted left by one", "plane_14 stuck at 0", "plane_14 shifted left by one"],
        "only U+000A, U+2000A and U+3000A differ, of which noise has few: tests/cores/validators.rs has U+2000A",
    ),
    (
        &["gb18030 decoder --on-error flag"],
        &[
            "is_trail stuck at 0",
            "is_trail shifted left by one",
            "is_trail_reg stuck at 0",
            "is_trail_reg shifted left by one",
        ],
        "each pair of a lead and a trailing octet is a code point",
    ),
    (
        &[
            "gb18030 decoder --on-error flag",
            "euc-jp decoder --on-error flag",
            "big5 decoder --on-error flag",
        ],
        &[
            "slot_1_keep stuck at 1",
            "slot_1_error stuck at 0",
            "slot_1_error shifted left by one",
            "slot_1_user stuck at 0",
            "slot_1_user shifted left by one",
            "slot_3_keep stuck at 1",
            "slot_3_error stuck at 0",
            "slot_3_error shifted left by one",
            "slot_3_user stuck at 0",
            "slot_3_user shifted left by one",
            "made_1_keep_reg stuck at 1",
            "made_1_error_reg stuck at 0",
            "made_1_error_reg shifted left by one",
            "made_1_user_reg stuck at 0",
            "made_1_user_reg shifted left by one",
            "made_3_keep_reg stuck at 1",
            "made_3_error_reg stuck at 0",
            "made_3_error_reg shifted left by one",
            "made_3_user_reg stuck at 0",
            "made_3_user_reg shifted left by one",
            "made_2_keep_reg stuck at 1",
            "waiting_3_keep stuck at 1",
        ],
        "the second and the fourth slot that a unit makes certain are code points, and three slots seldom wait",
    ),
    (
        &["euc-jp decoder --on-error flag"],
        &["is_in_pair_after_8f_0_"],
        "no octet below A1 follows 8F in a sequence, so the word is not used",
    ),
    (
        &["euc-jp decoder --on-error flag"],
        &["ends_pair_here stuck at 1"],
        "a lead is the last octet in beats without a unit, and is not read again",
    ),
    (
        &["euc-kr encoder --on-error replace"],
        &["word_6_", "is_in_word_5_"],
        "the last memory has few code points: tests/cores/multi_octet.rs has all",
    ),
];

/// Faults that co-simulation does not show in cores of several lanes. Some are in logic that clears the stages after reset:
/// co-simulation resets a core only at the start, when its registers are zero anyway (tests/cores/reset.rs resets in mid-frame). Some are in
/// logic that keeps a beat out of a full buffer, whose stages do not move then. The kind of error of the units before the beat matters
/// only for the nearest unit.
const OF_SEVERAL_LANES: [&str; 9] = [
    "words.flush stuck at 0",
    "words.flush shifted left by one",
    "remains_",
    "words.remains_",
    "unit_2_before_class.wrong_kind",
    "unit_2_before_class.kind_reg",
    "unit_3_before_class.lower_below_4",
    "unit_3_before_class.wrong_kind",
    "unit_3_before_class.kind_reg",
];

fn is_superfluous(core: &str, fault: &str) -> bool {
    let begins = |begin: &&str| fault.starts_with(begin);
    // Each stage of an encoder has such a register.
    let flushes_nothing = fault.starts_with("flush_")
        && [Fault::StuckAtZero, Fault::ShiftedLeft].iter().any(|kind| fault.ends_with(&kind.to_string()));
    // The lane of the next unit reads what a unit accepts; that of the last lane comes with the next beat, before which the units are
    // classified once more.
    let lanes = core.split("--lanes ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    let of_last_lane =
        |lanes| fault.starts_with(&format!("lane_{}.unit_class.accepted_of_others", lanes - 1));
    // Whether a lead has N trailing units or more decides at the unit N - 1 places further, which reads it within a beat only.
    let is_of_next_beat = |lanes: usize| {
        let (lane, rest) = fault.strip_prefix("lane_")?.split_once("_longer_")?;
        let (units, _) = rest.split_once("_out ")?;
        Some(lane.parse::<usize>().ok()? + units.parse::<usize>().ok()? > lanes)
    };
    if lanes.is_some_and(|lanes| of_last_lane(lanes) || is_of_next_beat(lanes) == Some(true)) {
        return true;
    }
    if lanes.is_some() && (flushes_nothing || OF_SEVERAL_LANES.iter().any(begins)) {
        return true;
    }
    SUPERFLUOUS.iter().any(|(of, faults, _)| of.contains(&core) && faults.iter().any(begins))
}

/// Whether the faults of a core are tried. `UTFHDL_FAULTS` names a system, or `all`. By default a choice of cores is tried:
/// systems of similar construction stand for each other, and the faults of an encoder take a minute.
fn is_chosen(core: &Core) -> bool {
    let CoreSpec { system, role, on_error, .. } = core.spec;
    match std::env::var("UTFHDL_FAULTS").as_deref() {
        Ok("all") => true,
        Ok(only) => system.to_string() == only,
        Err(_) if role == Role::Encoder => {
            [System::Utf8, System::Utf18].contains(&system) && on_error == ErrorMode::Replace
        }
        Err(_) if on_error == ErrorMode::Drop => [System::Utf8, System::Utf16].contains(&system),
        Err(_) => match system {
            System::UtfInf8 { digits } => digits == DEFAULT_DIGITS,
            System::Hunk(width) => width.bits() == 4,
            System::CorrectedUtf8 { private, .. } => !private,
            System::Utf16Octets { bom, .. } | System::Ucs2Octets { bom, .. } => bom,
            System::Utf32Octets { bom, max, .. } => bom || max == Max::Ucs4,
            _ => true,
        },
    }
}

/// Tries a sample of the faults of cores, or all where `UTFHDL_FAULTS` is set: a signal in which no fault shows is one that a core does not
/// need.
fn every_signal_matters(cores: impl Iterator<Item = Core>) {
    let mut missed = Vec::new();
    for core in cores {
        let (CoreSpec { system, role, lanes, on_error, .. }, paths) = (core.spec, paths(&core));
        assert!(paths.len() > 20, "{} signals", paths.len());
        let lanes = if lanes > 1 { format!(" --lanes {lanes}") } else { String::new() };
        let name = format!("{system} {role}{lanes} --on-error {on_error}");
        let faults = paths.iter().flat_map(|path| Fault::ALL.map(|fault| (path, fault)));
        for (path, fault) in samples::one_in(8, std::env::var_os("UTFHDL_FAULTS").is_some(), faults) {
            let in_words = format!("{path} {fault}");
            if !is_superfluous(&name, &in_words) && failure(&with_fault(&core, fault, path), path).is_none() {
                missed.push(format!("{name}: {in_words}"));
            }
        }
    }
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}

#[test]
fn every_signal_of_decoders_matters() {
    every_signal_matters(cores_of(Role::Decoder).filter(is_chosen));
}

#[test]
fn every_signal_of_encoders_matters() {
    every_signal_matters(cores_of(Role::Encoder).filter(is_chosen));
}

/// Decoders and encoders of sets of several octets: with four octets, with three, and with pairs of code points.
#[test]
fn every_signal_of_sets_of_several_octets_matters() {
    let of = |set, role| core(CoreSpec::new(System::MultiOctet(set), role));
    let decoders =
        [MultiOctet::Gb18030, MultiOctet::EucJp, MultiOctet::Big5].map(|set| of(set, Role::Decoder));
    let encoders = [MultiOctet::Gb18030, MultiOctet::EucKr].map(|set| of(set, Role::Encoder));
    every_signal_matters(decoders.into_iter().chain(encoders));
}

/// One of each construction, with every mark there is.
#[test]
fn every_signal_of_validators_matters() {
    let verdict = Verdict { kinds: true, start: true, newline: true };
    let systems = [System::Utf8, System::hunk(4), System::Utf18, System::Utf16, System::Ascii];
    let cores = systems.map(|system| core(CoreSpec::new(system, Role::Validator(verdict))));
    every_signal_matters(cores.into_iter());
}

/// The systems are those whose lanes have a design of their own.
#[test]
fn every_signal_of_decoders_of_2_lanes_matters() {
    let systems = [System::Utf16, System::Utf32 { max: Max::Unicode }, System::Latin1, System::Ascii];
    let of_2_lanes = CoreSpec::of_several_lanes().into_iter().filter(|spec| spec.lanes == 2);
    every_signal_matters(of_2_lanes.filter(|spec| systems.contains(&spec.system)).map(core));
}

/// Faults at signals drawn by a seed, which `UTFHDL_SEED` changes: of many lanes there are too many to try all. A run tries some of the
/// faults that are drawn, or all where `UTFHDL_FAULTS` is set.
#[test]
fn faults_of_many_lanes_are_noticed() {
    const FAULTS_OF_EACH: usize = 12;
    let seed = std::env::var("UTFHDL_SEED").map_or(1, |seed| seed.parse().expect("a seed is a number"));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let endless = System::UtfInf8 { digits: DEFAULT_DIGITS };
    let decoders = [(System::Utf8, 16), (System::Utf8, 64), (System::Utf9 { max: Max::Unicode }, 16)];
    let encoders = [(System::Utf8, 8), (System::Utf16, 4)];
    let decoders = decoders.map(|(system, lanes)| (system, Role::Decoder, lanes));
    let encoders = encoders.map(|(system, lanes)| (system, Role::Encoder, lanes));
    let mut missed = Vec::new();
    for (system, role, lanes) in decoders.into_iter().chain(encoders).chain([(endless, Role::Decoder, 4)]) {
        let core = core(CoreSpec { lanes, ..CoreSpec::new(system, role) });
        let mut paths = paths(&core);
        if system == endless {
            // Only signals outside of instances are the decoder's own.
            paths.retain(|path| !path.contains('.'));
        }
        let mut draw =
            || (&paths[rng.random_range(0..paths.len())], Fault::ALL[rng.random_range(0..Fault::ALL.len())]);
        let drawn: Vec<_> = (0..FAULTS_OF_EACH).map(|_| draw()).collect();
        for (path, fault) in samples::one_in(6, std::env::var_os("UTFHDL_FAULTS").is_some(), drawn) {
            let in_words = format!("{path} {fault}");
            let name = format!("{system} {role} --lanes {lanes}");
            if !is_superfluous(&name, &in_words) && failure(&with_fault(&core, fault, path), path).is_none() {
                missed.push(format!("{name}: {in_words}"));
            }
        }
    }
    assert!(missed.is_empty(), "not noticed with seed {seed}: {missed:#?}");
}

#[test]
fn the_faults_that_people_make_are_noticed_for_what_they_are() {
    let core = core(CoreSpec::new(System::Utf8, Role::Decoder));
    let cases = [
        (
            "the checks for surrogates and overlong forms are dropped",
            "restricts",
            Fault::StuckAtZero,
            "m_axis_t",
        ),
        ("tlast is lost", "slot_last_reg", Fault::StuckAtZero, "m_axis_tlast"),
        ("the code point is shifted by one", "slot_data_reg", Fault::ShiftedLeft, "m_axis_tdata"),
        ("the skid is forgotten", "output_skid.skid_valid_reg", Fault::StuckAtZero, "m_axis_t"),
        ("the held slot is forgotten", "held_reg", Fault::StuckAtZero, "m_axis_t"),
        ("a beat is not held while it waits", "output_skid.load", Fault::StuckAtOne, "m_axis_t"),
        ("ready never comes", "output_skid.ready_reg", Fault::StuckAtZero, "s_axis_tready"),
    ];
    for (what, path, fault, port) in cases {
        let failure =
            failure(&with_fault(&core, fault, path), path).unwrap_or_else(|| panic!("{what}: not noticed"));
        assert!(failure.port.starts_with(port), "{what}: {failure}");
    }
}

/// Logic that a transcoder of several lanes has in addition to a decoder and an encoder: windows of two beats in one cycle, and errors
/// before the first lane.
#[test]
fn faults_between_the_halves_of_wide_transcoders_are_noticed() {
    let role = Role::Transcoder { to: System::Utf8 };
    let core = core(CoreSpec { lanes: 4, ..CoreSpec::new(System::Utf8, role) });
    let cases = [
        ("no windows are shared", "is_ahead_reg", Fault::StuckAtZero, "m_axis_t"),
        ("what is left goes out for ever", "last_is_left", Fault::StuckAtOne, "m_axis_t"),
        ("the end of a frame is forgotten that was left", "rest_last_reg", Fault::StuckAtZero, "m_axis_t"),
        ("the units that were left are not counted", "rest_in_part_reg", Fault::StuckAtZero, "m_axis_t"),
        ("an error before the first lane is lost", "is_cut_before", Fault::StuckAtZero, "m_axis_t"),
        ("its replacement is lost in shared windows", "cut_is_ahead", Fault::StuckAtZero, "m_axis_tdata"),
        (
            "units are lost in shared windows",
            "lane_0.second_shows_before_0",
            Fault::StuckAtZero,
            "m_axis_tdata",
        ),
    ];
    for (what, path, fault, port) in cases {
        let failure =
            failure(&with_fault(&core, fault, path), path).unwrap_or_else(|| panic!("{what}: not noticed"));
        assert!(failure.port.starts_with(port), "{what}: {failure}");
    }
}

/// Tries all faults of a core at the signals with a word of some in their paths.
fn signals_matter(spec: CoreSpec, words: &[&str]) {
    let CoreSpec { system, role, lanes, on_error, .. } = spec;
    let name = format!("{system} {role} --lanes {lanes} --on-error {on_error}");
    let core = core(spec);
    let mut paths = paths(&core);
    paths.retain(|path| words.iter().any(|word| path.contains(word)));
    assert!(!paths.is_empty(), "{name}");
    let mut missed = Vec::new();
    for (path, fault) in paths.iter().flat_map(|path| Fault::ALL.map(|fault| (path, fault))) {
        let in_words = format!("{path} {fault}");
        if !is_superfluous(&name, &in_words) && failure(&with_fault(&core, fault, path), path).is_none() {
            missed.push(in_words);
        }
    }
    assert!(missed.is_empty(), "{name}: not noticed: {missed:#?}");
}

/// Which surrogates an encoder of several lanes of WTF-8 refuses.
#[test]
fn signals_that_tell_pairs_of_surrogates_matter() {
    let encoder = CoreSpec { lanes: 2, ..CoreSpec::new(System::Wtf8, Role::Encoder) };
    signals_matter(encoder, &["decides_up_to", "behind_high", "is_replaced"]);
    let drops = CoreSpec { on_error: ErrorMode::Drop, ..encoder };
    signals_matter(
        drops,
        &["decides", "behind_high", "is_low_1", "ends_pair_0", "lane_1.is_high", "lane_0.is_refused"],
    );
}

/// The opening of a frame must be at the right position, and come with the right beat.
#[test]
fn signals_of_openings_matter() {
    let mark = System::Utf8Bom { bom: Utf8Bom::Add };
    let encoder = CoreSpec { lanes: 2, ..CoreSpec::new(mark, Role::Encoder) };
    signals_matter(encoder, &["open", "units_before"]);
    let transcoder = CoreSpec { lanes: 2, ..CoreSpec::new(System::Utf8, Role::Transcoder { to: mark }) };
    signals_matter(transcoder, &["opening_and_cut_in_first", "cut_behind_opening", "opens_with_cut"]);
    signals_matter(CoreSpec { on_error: ErrorMode::Drop, ..transcoder }, &["beat_writes"]);
}

/// Which limbs make a code point in an encoder of several lanes.
#[test]
fn signals_that_join_limbs_matter() {
    let encoder = CoreSpec { lanes: 2, ..CoreSpec::new(System::Utf8SixtyFiveBit, Role::Encoder) };
    signals_matter(encoder, &["before_is_limb_1_of_2", "is_whole_0"]);
    let drops = CoreSpec { on_error: ErrorMode::Drop, ..encoder };
    signals_matter(drops, &["is_broken_0", "is_empty", "is_cut_by_end"]);
}

/// Surrogates and words in octets, with two lanes: faults that show only if several octets are right.
#[test]
fn faults_in_what_puts_octets_together_are_noticed() {
    let flag = ErrorMode::Flag;
    let utf_16 = System::Utf16Octets { order: ByteOrder::Big, bom: false };
    let utf_32 = System::Utf32Octets { order: ByteOrder::Little, bom: false, max: Max::Unicode };
    let of = |system, on_error| core(CoreSpec { lanes: 2, on_error, ..CoreSpec::new(system, Role::Decoder) });
    let cases = [
        (
            System::Cesu8,
            flag,
            "a low surrogate in another beat than its high one",
            "ed_reg",
            Fault::StuckAtZero,
        ),
        (System::Cesu8, flag, "the pairs of a frame go on in the next", "ed_reg", Fault::StuckAtOne),
        (System::Cesu8, flag, "what goes on behind ED", "lane_0.sets_4_reg", Fault::StuckAtZero),
        (System::Cesu8, flag, "the kind of a high surrogate alone", "lane_0.is_high", Fault::StuckAtZero),
        (System::Cesu8, flag, "a pair is no code point", "lane_0.is_pair", Fault::StuckAtZero),
        (System::Cesu8, flag, "the upper bits of a pair", "lane_1.top", Fault::Inverted),
        (
            System::Mutf8,
            flag,
            "C0 accepts every trailing octet",
            "lane_0.unit_class.is_80_reg",
            Fault::StuckAtOne,
        ),
        (System::Wtf8, flag, "a pair is two code points", "lane_0.ends_pair", Fault::StuckAtZero),
        (System::Wtf8, ErrorMode::Drop, "the same", "lane_1.ends_pair", Fault::StuckAtZero),
        (
            System::Wtf8,
            flag,
            "a low surrogate behind any octets",
            "lane_0.second_of_high_before",
            Fault::StuckAtOne,
        ),
        (System::Wtf8, flag, "the end of the high surrogate", "lane_1.trailing_before", Fault::StuckAtOne),
        (utf_16, flag, "an octet before the beat is forgotten", "words.open_reg", Fault::StuckAtZero),
        (
            utf_16,
            flag,
            "a high surrogate before the beat is forgotten",
            "is_high_of_unit_1_before_6_reg",
            Fault::StuckAtZero,
        ),
        (utf_32, flag, "an octet that is left over is not told", "words.word_0_is_cut", Fault::StuckAtZero),
        (utf_32, ErrorMode::Drop, "a word is shifted", "words.word_0_3_reg", Fault::ShiftedLeft),
    ];
    for (system, on_error, what, path, fault) in cases {
        let core = of(system, on_error);
        let failure = failure(&with_fault(&core, fault, path), path);
        assert!(failure.is_some(), "{system}: {what}: not noticed");
    }
}

/// A mutant of a module is in all its instances, and leaves all other modules as they are: no two modules have one name.
#[test]
fn modules_of_a_mutant_have_names_of_their_own() {
    let scrubber = Role::Transcoder { to: System::Utf8 };
    for role in [Role::Decoder, Role::Encoder, scrubber, Role::Validator(Verdict::default())] {
        let sound = core(CoreSpec { lanes: 2, ..CoreSpec::new(System::Utf8, role) });
        let all = mutants(&sound.design);
        for mutant in all.iter().step_by(all.len() / 60) {
            let with_mutant = fault(mutant).inject(&sound).unwrap();
            let modules = with_mutant.design.modules();
            let names: HashSet<&str> = modules.iter().map(|module| module.name()).collect();
            assert_eq!(names.len(), sound.design.modules().len(), "{}: {mutant:?}", sound.spec);
            assert_eq!(modules.len(), names.len(), "{}: {mutant:?}", sound.spec);
        }
    }
}
