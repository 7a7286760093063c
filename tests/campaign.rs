//! Campaigns: random frames through every core, shards, results, and what they add up to.

mod common;

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use utfhdl::campaign::{self, Campaign, Counts, Inputs, Line, Part, Shard, merge};
use utfhdl_codec::{ErrorKind, Slot};
use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::netlist::{Fault, ResetStyle};

use common::campaigns::{run, run_well, run_well_in, with_fault};
use common::hardware::{core, cores_of};

fn utf_8_decoder() -> Core {
    core(CoreSpec::new(System::Utf8, Role::Decoder))
}

/// Random frames, without stalls and with.
fn random_frames_through(core: &Core) {
    for stall in [0, 35] {
        let counts = run_well(core, Inputs::Random { count: 1000, seed: 1, stall });
        assert!(counts.code_points > 0 && !counts.errors().is_empty());
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

/// In document mode slots are held back at the start of a frame: where that is not the magic number, they are to come in
/// time all the same, and so is what is behind them.
#[test]
fn random_openings_of_documents_are_in_time() {
    let system = System::CorrectedUtf8 { document: true };
    for role in [Role::Decoder, Role::Encoder, Role::Transcoder { to: System::Utf8 }] {
        for stall in [0, 30] {
            let inputs = Inputs::Random { count: 30_000, seed: 5, stall };
            run_well(&core(CoreSpec::new(system, role)), inputs);
        }
    }
}

#[test]
fn every_reset_starts_every_core() {
    for reset in ResetStyle::ALL {
        for role in [Role::Decoder, Role::Encoder, Role::Transcoder { to: System::Utf9 { max: 0x10_ffff } }] {
            let core = core(CoreSpec { reset, ..CoreSpec::new(System::Utf8, role) });
            let campaign = Campaign::new(core, Inputs::Exhaustive { units: 1 }).unwrap();
            run_well_in(&campaign, 0..campaign.total().min(1 << 16));
        }
    }
}

/// Of all pairs of octets, what others' software makes of them.
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

fn lines(campaign: &Campaign, shards: u64) -> Vec<Line> {
    let shards = (1..=shards).map(|index| Shard { index, of: shards });
    let lines = shards.flat_map(|shard| {
        let parts = run(campaign, campaign.range_of(shard), 1);
        parts.into_iter().map(move |part| campaign.line(&part, shard))
    });
    lines.collect()
}

#[test]
fn shards_add_up_to_the_whole_however_many_there_are() {
    for inputs in [Inputs::Exhaustive { units: 2 }, Inputs::Random { count: 5001, seed: 9, stall: 20 }] {
        let campaign = Campaign::new(utf_8_decoder(), inputs).unwrap();
        let whole = merge(&[("whole".to_owned(), lines(&campaign, 1))]).unwrap();
        assert_eq!(whole.inputs, campaign.total());
        assert!(whole.code_points > 0 && !whole.errors.is_empty());
        for shards in [2, 3, 7, 1000] {
            let files: Vec<(String, Vec<Line>)> = lines(&campaign, shards)
                .into_iter()
                .rev()
                .map(|line| (line.shard.clone(), vec![line]))
                .collect();
            assert_eq!(merge(&files).unwrap(), whole, "{shards} shards");
        }
    }
}

#[test]
fn shards_that_are_missing_doubled_or_of_something_else_are_told() {
    let pairs = Inputs::Exhaustive { units: 2 };
    let campaign = Campaign::new(utf_8_decoder(), pairs).unwrap();
    let all = lines(&campaign, 4);
    let file = |name: &str, lines: &[Line]| (name.to_owned(), lines.to_vec());
    let error = |files: &[(String, Vec<Line>)]| merge(files).unwrap_err().to_string();
    assert_eq!(
        error(&[file("a", &all[..1]), file("b", &all[2..])]),
        "16384 of 65536 inputs are missing: 16384 to 32767; there is nothing of shard 2/4"
    );
    assert_eq!(
        error(&[file("a", &all), file("b", &all[2..3])]),
        "inputs 32768 to 49151 are there twice, of shard 3/4 and of shard 3/4"
    );
    let faulty = with_fault(&utf_8_decoder(), Fault::Inverted, "slot_last_reg");
    let other = Campaign::new(faulty, pairs).unwrap();
    let part = Part { first: 0, inputs: 1, counts: Counts::default(), failure: None };
    let message = error(&[file("a", &all), file("b", &[other.line(&part, Shard::WHOLE)])]);
    assert!(message.starts_with("b is of another campaign: `utf-8 decoder "), "{message}");
    assert_eq!(error(&[file("a", &[])]), "there are no results in a");
}

#[test]
fn results_are_read_back_but_for_a_line_that_was_cut_off() {
    let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units: 1 }).unwrap();
    let lines = lines(&campaign, 1);
    let text = serde_json::to_string(&lines[0]).unwrap();
    assert_eq!(campaign::read("f", text.as_bytes()).unwrap(), lines);
    let cut_off = format!("{text}\n{}", &text[..40]);
    assert_eq!(campaign::read("f", cut_off.as_bytes()).unwrap(), lines);
    let broken = format!("{}\n{text}\n", &text[..40]);
    let error = campaign::read("f", broken.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("f, line 1: this is no result of a campaign: "), "{error}");
    assert!(campaign::read("f", "nonsense\n".as_bytes()).is_err());
}

#[test]
fn what_there_is_no_campaign_of_is_told() {
    let error = |role, units| {
        let campaign = Campaign::new(core(CoreSpec::new(System::Utf8, role)), Inputs::Exhaustive { units });
        campaign.err().expect("there is no such campaign").to_string()
    };
    let expected = "units are not 1 to 6: the inputs of 6 units of utf-8 are 2^48, the most there can be";
    assert_eq!(error(Role::Decoder, 0), format!("0 {expected}"));
    assert_eq!(error(Role::Decoder, 7), format!("7 {expected}"));
    let expected = "10 slots are not 1 to 9: the inputs of 9 slots of utf-8 are 2^54, the most there can be";
    assert_eq!(error(Role::Encoder, 10), expected);
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
