//! Campaigns: random frames through every core, shards, and results and their sums.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use utfhdl::campaign::{Campaign, Counts, Inputs, Line, Part, Reader, ResultsError, Shard, Sum, Tally};
use utfhdl::fault::SignalFault;
use utfhdl_codec::{ErrorKind, Slot};
use utfhdl_hdl::core::{Core, CoreSpec, Max, Role, System};
use utfhdl_hdl::netlist::ResetStyle;

use crate::common::campaigns::{run, run_well, run_well_in};
use crate::common::hardware::{core, cores_of};

fn utf_8_decoder() -> Core {
    core(CoreSpec::new(System::Utf8, Role::Decoder))
}

/// Random frames, without stalls and with.
fn random_frames_through(core: &Core) {
    for stall in [0, 35] {
        let counts = run_well(core, Inputs::Random { count: 1000, seed: 1, stall });
        // Latin-1, and a table without gaps, has no ill-formed text; whether its code points can be written depends on the other system.
        let may_err = match (core.spec.system, core.spec.role) {
            (System::Latin1, Role::Decoder) => Some(false),
            (System::Latin1 | System::Table(_), Role::Transcoder { .. }) => None,
            (System::Table(table), Role::Decoder) => Some(table.stem() == "windows-1253"),
            _ => Some(true),
        };
        let errs = !counts.errors().is_empty();
        assert!(counts.code_points > 0 && may_err.is_none_or(|may_err| may_err == errs), "{}", core.spec);
    }
}

#[test]
fn random_frames_through_every_decoder_and_encoder() {
    [Role::Decoder, Role::Encoder]
        .into_iter()
        .flat_map(cores_of)
        .for_each(|core| random_frames_through(&core));
}

#[test]
fn random_frames_through_transcoders() {
    let all: Vec<CoreSpec> =
        CoreSpec::transcoders().into_iter().filter(|spec| spec.reset == ResetStyle::default()).collect();
    let some = match std::env::var("UTFHDL_PAIRS") {
        Ok(pairs) if pairs == "all" => all,
        _ => all.sample(&mut ChaCha8Rng::seed_from_u64(4), 40).copied().collect(),
    };
    some.into_iter().for_each(|spec| random_frames_through(&core(spec)));
}

/// In document mode slots are held back at the start of a frame, and with several lanes octets. Where there is no magic number, they and what follows
/// them must still come in time.
#[test]
fn random_openings_of_documents_are_in_time() {
    let system = System::CorrectedUtf8 { document: true, private: false };
    for role in [Role::Decoder, Role::Encoder, Role::Transcoder { to: System::Utf8 }] {
        for (lanes, stall) in [1, 2, 4, 8].into_iter().flat_map(|lanes| [(lanes, 0), (lanes, 30)]) {
            let inputs = Inputs::Random { count: if lanes == 1 { 30_000 } else { 5000 }, seed: 5, stall };
            run_well(&core(CoreSpec { lanes, ..CoreSpec::new(system, role) }), inputs);
        }
    }
}

#[test]
fn every_reset_starts_every_core() {
    for reset in ResetStyle::ALL {
        for role in
            [Role::Decoder, Role::Encoder, Role::Transcoder { to: System::Utf9 { max: Max::Unicode } }]
        {
            let core = core(CoreSpec { reset, ..CoreSpec::new(System::Utf8, role) });
            let campaign = Campaign::new(core, Inputs::Exhaustive { units: 1 }).unwrap();
            run_well_in(&campaign, 0..campaign.total().min(1 << 16));
        }
    }
}

/// The standard library decodes all pairs of octets, for comparison.
#[test]
fn what_is_counted_is_what_the_standard_library_says() {
    let (mut code_points, mut errors) = (0, 0);
    for pair in 0..=u16::MAX {
        for character in String::from_utf8_lossy(&pair.to_be_bytes()).chars() {
            // No two octets are U+FFFD itself.
            *if character == '\u{fffd}' { &mut errors } else { &mut code_points } += 1;
        }
    }
    let counts = run_well(&utf_8_decoder(), Inputs::Exhaustive { units: 2 });
    assert_eq!(counts.code_points, code_points);
    assert_eq!(counts.errors().values().sum::<u64>(), errors);
}

/// A task that is preempted keeps the parts that are done, so a part must not take long, however slow a core is.
#[test]
fn parts_of_a_slow_core_are_short() {
    let core = core(CoreSpec { lanes: 64, ..CoreSpec::new(System::Utf8, Role::Decoder) });
    let chunk = Inputs::Random { count: 0, seed: 1, stall: 30 }.chunk();
    let campaign = Campaign::new(core, Inputs::Random { count: 16 * chunk, seed: 1, stall: 30 }).unwrap();
    let parts = run(&campaign, 0..campaign.total(), 1);
    assert!(parts.len() > 1, "{} inputs are one part", campaign.total());
    assert!(
        parts
            .iter()
            .all(|part| part.first % chunk == 0 && part.inputs % chunk == 0 && part.failure.is_none())
    );
}

/// What is counted beside a failure are the inputs up to it.
#[test]
fn inputs_up_to_a_failure_are_counted_and_no_others() {
    let fault: SignalFault = "inverted@slot_last_reg".parse().unwrap();
    let inputs = Inputs::Random { count: 5000, seed: 3, stall: 0 };
    let campaign = Campaign::with_fault(&utf_8_decoder(), fault, inputs).unwrap();
    let sound = Campaign::new(utf_8_decoder(), inputs).unwrap();
    let failed = run(&campaign, 0..campaign.total(), 1).pop().expect("a part that fails");
    assert!(failed.failure.is_some());
    let end = failed.first + failed.inputs;
    assert_eq!(failed.counts, run_well_in(&sound, failed.first..end));
}

/// The lines of all shards, those of empty ones left out.
fn lines(campaign: &Campaign, shards: u64) -> Vec<Line> {
    let shards = (1..=shards).filter_map(|index| Shard::new(index, shards));
    let lines = shards.flat_map(|shard| {
        let parts = campaign.range_of(shard).map_or(Vec::new(), |range| run(campaign, range, 1));
        parts.into_iter().map(move |part| Line::new(campaign, shard, &part))
    });
    lines.collect()
}

/// A file of results: its name, and its text.
type ResultsText = (&'static str, String);

fn file(name: &'static str, lines: &[Line]) -> ResultsText {
    (name, lines.iter().map(|line| line.to_text() + "\n").collect())
}

fn merge(files: &[ResultsText]) -> Result<Sum, ResultsError> {
    let mut tally = Tally::of_any();
    files.iter().try_for_each(|(name, text)| tally.add_file(name, text.as_bytes()))?;
    Ok(tally.whole()?.expect("there are files"))
}

#[test]
fn shards_add_up_to_the_whole_however_many_there_are() {
    for inputs in [Inputs::Exhaustive { units: 2 }, Inputs::Random { count: 5001, seed: 9, stall: 20 }] {
        let campaign = Campaign::new(utf_8_decoder(), inputs).unwrap();
        let whole = merge(&[file("whole", &lines(&campaign, 1))]).unwrap();
        assert_eq!(whole.inputs, campaign.total());
        assert!(whole.code_points > 0 && !whole.errors.is_empty());
        assert_eq!(Vec::from_iter(&whole.backends), [&campaign.backend().to_string()]);
        for shards in [2, 3, 7, 1000] {
            let files: Vec<ResultsText> =
                lines(&campaign, shards).into_iter().rev().map(|line| file("shard", &[line])).collect();
            assert_eq!(merge(&files).unwrap(), whole, "{shards} shards");
        }
    }
}

#[test]
fn shards_that_are_missing_doubled_or_of_something_else_are_told() {
    let pairs = Inputs::Exhaustive { units: 2 };
    let campaign = Campaign::new(utf_8_decoder(), pairs).unwrap();
    let all = lines(&campaign, 4);
    let error = |files: &[ResultsText]| merge(files).unwrap_err().to_string();
    assert_eq!(
        error(&[file("a", &all[..1]), file("b", &all[2..])]),
        "16384 of 65536 inputs are missing: 16384 to 32767; run shard 2/4"
    );
    let sixteen = lines(&campaign, 16);
    assert_eq!(
        error(&[file("a", &sixteen[..3]), file("b", &sixteen[9..10]), file("c", &sixteen[11..12])]),
        "45056 of 65536 inputs are missing: 12288 to 36863, 40960 to 45055, 49152 to 65535; run shards 4 to 9, 11, 13 to \
         16 of 16"
    );
    // Lines are cut in two ways, and neither division can name all missing inputs in shards.
    assert_eq!(
        error(&[file("a", &all[..1]), file("b", &sixteen[4..5])]),
        "45056 of 65536 inputs are missing: 20480 to 65535"
    );
    let many = lines(&campaign, 128);
    let odd: Vec<Line> = many.into_iter().step_by(2).collect();
    let message = error(&[file("a", &odd)]);
    assert!(message.ends_with("12, 14, 16 and 56 more ranges of 128"), "{message}");
    assert!(message.len() < 300, "{message}");
    assert_eq!(
        error(&[file("a", &all), file("b", &all[2..3])]),
        "b, line 1: inputs 32768 to 49151 are there twice, here and in a, lines 1 to 4"
    );
    let fault: SignalFault = "inverted@slot_last_reg".parse().unwrap();
    let other = Campaign::with_fault(&utf_8_decoder(), fault, pairs).unwrap();
    let part = Part { first: 0, inputs: 1, counts: Counts::default(), failure: None };
    let message = error(&[file("a", &all), file("b", &[Line::new(&other, Shard::WHOLE, &part)])]);
    assert_eq!(message, "b, line 1: this is of another campaign: --fault inverted@slot_last_reg, not none");
    let mut changed = all[0].clone();
    changed.netlist = "0123456789abcdef".to_owned();
    assert_eq!(
        error(&[file("a", &all[1..]), file("b", &[changed])]),
        format!("b, line 1: this is of another campaign: netlist 0123456789abcdef, not {}", all[0].netlist)
    );
    assert_eq!(error(&[file("a", &all), file("b", &[])]), "there are no results in b");
}

/// A fault that changes nothing is still another campaign: its results say nothing of the core itself.
#[test]
fn a_fault_is_part_of_the_name() {
    let core = utf_8_decoder();
    let pairs = Inputs::Exhaustive { units: 2 };
    let fault: SignalFault = "stuck-at-0@low_only".parse().unwrap();
    let (sound, faulty) =
        (Campaign::new(core.clone(), pairs).unwrap(), Campaign::with_fault(&core, fault, pairs).unwrap());
    assert!(!sound.name().contains("--fault"));
    assert!(faulty.name().contains(" --fault stuck-at-0@low_only --exhaustive 2"), "{}", faulty.name());
    assert_ne!(sound.netlist(), faulty.netlist());
    let unknown: SignalFault = "stuck-at-0@low_onyl".parse().unwrap();
    let error = Campaign::with_fault(&core, unknown, pairs).err().expect("there is no such signal");
    assert!(error.to_string().contains("(the nearest: low_only)"), "{error}");
}

/// The lines of a text, or the error.
fn read(text: impl AsRef<[u8]>) -> Result<Vec<Line>, String> {
    let lines: Result<Vec<(u64, Line)>, ResultsError> = Reader::new("f", text.as_ref()).collect();
    lines.map(|lines| lines.into_iter().map(|(_, line)| line).collect()).map_err(|error| error.to_string())
}

#[test]
fn a_line_that_was_cut_off_is_told_from_one_that_was_changed() {
    let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units: 1 }).unwrap();
    let lines = lines(&campaign, 1);
    let text = lines[0].to_text();
    assert_eq!(read(format!("{text}\n")), Ok(lines.clone()));
    assert_eq!(read(&text), Ok(lines.clone()), "killed before the line feed");
    assert_eq!(read(""), Ok(vec![]));
    let torn = |line: u32| {
        Err(format!(
            "f, line {line}: the line is cut off: whoever wrote it was stopped, or the disk was full"
        ))
    };
    for cut in 1..text.len() {
        let begun = &text[..cut];
        assert_eq!(read(format!("{text}\n{begun}")), torn(2), "cut off at {cut}");
        assert_eq!(read(begun), torn(1), "nothing but a line that is cut off at {cut}");
        // Some file systems leave zeros after a crash in a file that was being extended.
        assert_eq!(read(format!("{text}\n{begun}\0\0\0")), torn(2), "cut off at {cut}");
        let error = read(format!("{}\n{text}\n", &text[..cut])).unwrap_err();
        assert!(error.starts_with("f, line 1: this is no result of a campaign"), "{error}");
        let error = read(format!("{text}\n{}\n", &text[..cut])).unwrap_err();
        assert!(error.starts_with("f, line 2: this is no result of a campaign"), "{error}");
    }
    for (garbage, expected) in [
        ("nonsense\n", "f, line 1: this is no result of a campaign: expected ident"),
        ("nonsense", "f, line 1: this is no result of a campaign: expected ident"),
        ("\n", "f, line 1: this is no result of a campaign: EOF"),
        ("{}\n", "f, line 1: this is no result of a campaign"),
        ("7\n", "f, line 1: this is no result of a campaign"),
        ("\0\0\0", "f, line 1: the line is cut off"),
        // The beginning of somebody's own JSON.
        ("{\"versions\": [1,", "f, line 1: this is no result of a campaign: EOF"),
        ("{\"campaign\":\"utf-8 dec", "f, line 1: this is no result of a campaign: EOF"),
    ] {
        let error = read(garbage).unwrap_err();
        assert!(error.starts_with(expected), "{garbage:?}: {error}");
    }
    let error = read([text.as_bytes(), b"\n\xff\n"].concat()).unwrap_err();
    assert!(error.starts_with("f, line 2: this is no result of a campaign"), "{error}");
    let error = read(vec![b' '; 1 << 20]).unwrap_err();
    assert_eq!(error, "f, line 1: this is no result of a campaign: it has more than 65536 bytes");
}

/// Any byte of a line that is another is noticed.
#[test]
fn a_line_that_was_changed_is_told() {
    let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units: 1 }).unwrap();
    let text = lines(&campaign, 1)[0].to_text();
    for at in 0..text.len() {
        let mut changed = text.clone().into_bytes();
        changed[at] ^= 1;
        changed.push(b'\n');
        let error = read(&changed).expect_err("it is not what was written");
        assert!(error.starts_with("f, line 1: "), "{error}");
    }
    let changed = "f, line 1: the checksum is wrong: the line was changed after it was written; without the line, \
                   --resume runs its part again";
    for (from, to) in
        [("\"code_points\":128", "\"code_points\":129"), ("\"shard\":\"1/1\"", "\"shard\":\"1/2\"")]
    {
        assert!(text.contains(from), "{text}");
        assert_eq!(read(text.replace(from, to) + "\n").unwrap_err(), changed);
    }
    let (content, _) = text.rsplit_once(",\"check\"").unwrap();
    assert_eq!(read(format!("{content}}}\n")).unwrap_err(), "f, line 1: the line has no checksum at its end");
}

/// Results of two versions are never added up, however small the difference between the versions.
#[test]
fn results_of_another_version_are_refused_with_both_versions() {
    let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units: 1 }).unwrap();
    let mut line = lines(&campaign, 1).remove(0);
    let this = env!("CARGO_PKG_VERSION");
    assert_eq!(line.version, this);
    line.version = "0.0.9".to_owned();
    let error = read(line.to_text() + "\n").unwrap_err();
    assert_eq!(error, format!("f, line 1: the result is of version 0.0.9, and this is version {this}"));
    // Versions before there were versions: `{"campaign":...,"check":"..."}`, with a checksum that is right.
    let content = r#"{"campaign":"utf-8 decoder --exhaustive 1"}"#;
    let digest = Sha256::digest(content);
    let check: String = digest[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let old = format!(r#"{},"check":"{check}"}}"#, &content[..content.len() - 1]);
    let error = read(old + "\n").unwrap_err();
    assert_eq!(error, format!("f, line 1: the line names no version, and this is version {this}"));
}

/// Lines that nobody's campaign leaves, with checksums that are right.
#[test]
fn a_line_that_contradicts_itself_is_told() {
    let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units: 2 }).unwrap();
    let line = lines(&campaign, 4).remove(1);
    assert_eq!((line.first, line.inputs), (16384, 16384));
    let error = |change: &dyn Fn(&mut Line)| {
        let mut line = line.clone();
        change(&mut line);
        read(line.to_text() + "\n").unwrap_err()
    };
    let outside = |inputs: u64, first: u64| {
        format!(
            "f, line 1: {inputs} inputs from {first} on are not in shard 2/4, which has inputs 16384 to 32767"
        )
    };
    assert_eq!(error(&|line| line.inputs = 0), outside(0, 16384));
    assert_eq!(error(&|line| line.inputs = 16385), outside(16385, 16384));
    assert_eq!(error(&|line| line.inputs = u64::MAX), outside(u64::MAX, 16384));
    assert_eq!(error(&|line| line.first = 0), outside(16384, 0));
    assert_eq!(
        error(&|line| (line.first, line.inputs) = (16385, 1)),
        "f, line 1: a part begins with a multiple of 512, not with input 16385"
    );
    let failure = |line: &mut Line| {
        line.failure = Some(utfhdl::campaign::FailureLine { input: 20000, frame: "00".to_owned() });
    };
    assert!(error(&failure).starts_with("f, line 1: a part ends with the input that failed"));
    let text = line.to_text().replace("2/4", "5/4");
    let text = with_its_checksum(&text);
    assert!(read(text).unwrap_err().contains("expected K/N, K from 1 to N"));
}

/// The text of a line with the checksum that it should have.
fn with_its_checksum(text: &str) -> String {
    use sha2::{Digest, Sha256};
    let content = text.rsplit_once(",\"check\"").unwrap().0.to_owned() + "}";
    let hash = Sha256::digest(&content);
    let checksum: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{},\"check\":\"{checksum}\"}}\n", &content[..content.len() - 1])
}

/// Counts that no longer fit are an error, not a smaller sum.
#[test]
fn counts_that_wrap_are_told() {
    let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units: 2 }).unwrap();
    let [mut first, mut second] = [0, 1].map(|at| lines(&campaign, 2).remove(at));
    (first.code_points, second.code_points) = (u64::MAX, 1);
    let error = merge(&[file("a", &[first.clone(), second.clone()])]).unwrap_err().to_string();
    assert_eq!(error, "a, line 2: the counts add up to more than 2^64 here");
    (first.code_points, second.code_points) = (0, 0);
    first.errors = BTreeMap::from([("nul".to_owned(), 1 << 63)]);
    second.errors = first.errors.clone();
    let error = merge(&[file("a", &[first]), file("b", &[second])]).unwrap_err().to_string();
    assert_eq!(error, "b, line 1: the counts add up to more than 2^64 here");
}

/// A failure ends a campaign: missing inputs after it do not matter.
#[test]
fn the_first_failure_of_all_shards_is_the_one_that_is_told() {
    let fault: SignalFault = "stuck-at-0@low_only".parse().unwrap();
    let campaign = Campaign::with_fault(&utf_8_decoder(), fault, Inputs::Exhaustive { units: 3 }).unwrap();
    let failing: Vec<Line> = lines(&campaign, 64).into_iter().filter(|line| line.failure.is_some()).collect();
    assert!(failing.len() > 1);
    let sum = merge(&[file("b", &failing[1..]), file("a", &failing[..1])]).unwrap();
    assert_eq!(sum.failure, failing[0].failure);
    assert_eq!(sum.failed_in, Some(failing[0].shard));
}

/// Counting goes up to the greatest number of inputs: parts are cut one at a time, and a sum has room for all.
#[test]
fn the_most_inputs_there_can_be_take_no_memory() {
    let random = Inputs::Random { count: u64::MAX, seed: 1, stall: 0 };
    let campaign = Campaign::new(utf_8_decoder(), random).unwrap();
    assert_eq!(campaign.total(), u64::MAX);
    let last = Shard::new(1 << 54, 1 << 54).unwrap();
    let range = campaign.range_of(last).unwrap();
    assert_eq!(range, u64::MAX - 1023..u64::MAX);
    let parts = run(&campaign, range.clone(), 2);
    assert_eq!(parts.iter().map(|part| part.inputs).sum::<u64>(), range.end - range.start);
    assert!(parts.iter().all(|part| part.failure.is_none()));
    // All of them: stopped after the first part.
    let stop = std::sync::atomic::AtomicBool::new(false);
    let mut ran = 0;
    let result = campaign.run(std::slice::from_ref(&(0..u64::MAX)), 1, &stop, |part| {
        ran += part.inputs;
        Err("enough")
    });
    // A part is whole chunks of 2^12 inputs, and ends after a quarter of a second on a busy machine.
    assert!(ran > 0 && ran <= 1 << 17 && ran.is_multiple_of(1 << 12), "{ran}");
    assert_eq!(result, Err("enough"));
}

#[test]
fn a_run_that_is_stopped_drops_the_parts_at_hand() {
    let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units: 6 }).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(true);
    let Ok(()) = campaign.run(std::slice::from_ref(&(0..campaign.total())), 2, &stop, |part| {
        panic!("{} inputs were run", part.inputs);
        #[expect(unreachable_code)]
        Ok::<(), std::convert::Infallible>(())
    });
}

#[test]
fn what_there_is_no_campaign_of_is_told() {
    let error = |role, units| {
        let campaign = Campaign::new(core(CoreSpec::new(System::Utf8, role)), Inputs::Exhaustive { units });
        campaign.err().expect("there is no such campaign").to_string()
    };
    let expected = "for utf-8, choose 1 to 6 units (6 units are already 2^48 inputs)";
    assert_eq!(error(Role::Decoder, 0), format!("cannot run every input of 0 units: {expected}"));
    assert_eq!(error(Role::Decoder, 7), format!("cannot run every input of 7 units: {expected}"));
    let most = usize::MAX;
    assert_eq!(error(Role::Decoder, most), format!("cannot run every input of {most} units: {expected}"));
    let expected = "cannot run every input of 10 slots: for utf-8, choose 1 to 9 slots (9 slots are already 2^54 inputs)";
    assert_eq!(error(Role::Encoder, 10), expected);
}

#[test]
fn an_empty_shard_is_told() {
    let pairs = Inputs::Exhaustive { units: 9 };
    let campaign = Campaign::new(core(CoreSpec::new(System::hunk(1), Role::Decoder)), pairs).unwrap();
    assert_eq!(campaign.range_of(Shard::new(3, 3).unwrap()).unwrap(), 0..512);
    let error = campaign.range_of(Shard::new(1, 3).unwrap()).unwrap_err().to_string();
    assert_eq!(
        error,
        "shard 1/3 has nothing to run: the 512 inputs of this campaign are cut into blocks of 512, so N can be at most 1"
    );
}

#[test]
fn a_code_point_and_an_error_are_counted_for_what_they_are() {
    let mut counts = Counts::default();
    let slots = [Slot::CodePoint(0x41), Slot::Head(2), Slot::Limb(1), Slot::Limb(2)];
    slots.into_iter().for_each(|slot| counts.count(slot));
    counts.count(Slot::Error(ErrorKind::Nul));
    assert_eq!(counts.code_points, 2);
    assert_eq!(counts.errors(), BTreeMap::from([("nul", 1)]));
}
