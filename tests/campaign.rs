//! Campaigns: every short input through every decoder, and what they make of a core that is wrong.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use utfhdl::campaign::{self, Campaign, Counts, Failing, Inputs, Line, Part, Shard, merge, shrink};
use utfhdl::codec::Slot;
use utfhdl::cosim::{CosimError, Item};
use utfhdl::system::System;
use utfhdl_hdl::core::{Core, CoreSpec, OnError, Role, System as CoreSystem};
use utfhdl_hdl::netlist::{Fault, ResetStyle};

/// The decoders of one lane that there are.
fn decoders(reset: ResetStyle, on_error: OnError) -> Vec<Core> {
    let specs = CoreSpec::all().into_iter().filter(|spec| {
        (spec.role, spec.lanes, spec.reset, spec.on_error) == (Role::Decoder, 1, reset, on_error)
    });
    specs.map(|spec| Core::new(spec).unwrap()).collect()
}

fn decoder(system: CoreSystem) -> Core {
    Core::new(CoreSpec::new(system, Role::Decoder)).unwrap()
}

fn utf_8_decoder() -> Core {
    decoder(CoreSystem::Utf8)
}

/// Runs a range; gives the parts in order.
fn run(campaign: &Campaign, range: Range<u64>, threads: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let Ok(()) = campaign.run(&[range], threads, &AtomicBool::new(false), |part| {
        parts.push(part);
        Ok::<(), Infallible>(())
    });
    parts.sort_by_key(|part| part.first);
    parts
}

/// Runs all of a campaign, which must go well; gives what was in its inputs.
fn run_well(campaign: &Campaign) -> Counts {
    let parts = run(campaign, 0..campaign.total(), 2);
    let mut counts = Counts::default();
    for part in &parts {
        assert_eq!(part.failure, None, "{}", campaign.name());
        counts.add(&part.counts, 1);
    }
    assert_eq!(parts.iter().map(|part| part.inputs).sum::<u64>(), campaign.total());
    counts
}

/// What the reference makes of every input, one after the other.
fn counted_one_by_one(system: System, units: usize) -> Counts {
    let bits = u32::from(system.unit_bits());
    let mut counts = Counts::default();
    for number in 0..1_u64 << (units as u32 * bits) {
        let unit = |at: usize| (number >> (at as u32 * bits)) as u16 & ((1 << bits) - 1);
        let input: Vec<u16> = (0..units).rev().map(unit).collect();
        system.decode(&input).for_each(|event| counts.count(event.what));
    }
    counts
}

/// Every input of three octets, of two nonets, and of four smaller units.
#[test]
fn every_short_input_of_every_decoder() {
    let decoders = decoders(ResetStyle::SyncHigh, OnError::Flag);
    let has = |bits| decoders.iter().any(|core| core.spec.system.unit_bits() == bits);
    assert!(has(5) && has(6) && has(8), "hunk-5, hunk-6 and utf-8 are among them");
    for core in decoders {
        let units = match core.spec.system.unit_bits() {
            1..=6 => 4,
            7..=8 => 3,
            _ => 2,
        };
        let campaign = Campaign::new(core, Inputs::Exhaustive { units }).unwrap();
        run_well(&campaign);
    }
}

/// What is counted is what there is, one input after the other.
#[test]
fn every_decoder_takes_every_pair_and_random_frames() {
    for on_error in Role::Decoder.on_error() {
        for core in decoders(ResetStyle::SyncHigh, on_error) {
            let all = Campaign::new(core.clone(), Inputs::Exhaustive { units: 2 }).unwrap();
            assert_eq!(run_well(&all), counted_one_by_one(all.system, 2), "{}", all.name());
            for stall in [0, 35] {
                let inputs = Inputs::Random { count: 1000, seed: 1, stall };
                run_well(&Campaign::new(core.clone(), inputs).unwrap());
            }
        }
    }
}

#[test]
fn every_reset_starts_every_decoder() {
    for reset in ResetStyle::ALL {
        for core in decoders(reset, OnError::Flag) {
            run_well(&Campaign::new(core, Inputs::Exhaustive { units: 1 }).unwrap());
        }
    }
}

/// Of all pairs of octets, what others' software makes of them.
#[test]
fn what_is_counted_is_what_the_standard_library_says() {
    let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units: 2 }).unwrap();
    let (mut code_points, mut errors) = (0, 0);
    for pair in 0..=u16::MAX {
        for character in String::from_utf8_lossy(&pair.to_be_bytes()).chars() {
            // No two octets are U+FFFD itself.
            *if character == '\u{fffd}' { &mut errors } else { &mut code_points } += 1;
        }
    }
    let counts = run_well(&campaign);
    assert_eq!(counts.code_points, code_points);
    assert_eq!(counts.errors().values().sum::<u64>(), errors);
}

fn units(units: &[u16]) -> Vec<Item> {
    units.iter().map(|&unit| Item::from(unit)).collect()
}

fn with_fault(fault: Fault, path: &str) -> Core {
    let core = utf_8_decoder();
    let design = fault.inject(&core.design, path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Core { design, ..core }
}

fn first_failing(campaign: &Campaign) -> Failing {
    let parts = run(campaign, 0..campaign.total(), 2);
    parts
        .into_iter()
        .find_map(|part| part.failure)
        .unwrap_or_else(|| panic!("{}: no failure", campaign.name()))
}

#[test]
fn a_fault_is_found_and_shrunk_to_the_shortest_input() {
    // ED and F4 then take the upper trailing octets, not the lower; of three octets 00 ED 80 is the first that shows it.
    let core = with_fault(Fault::StuckAtZero, "lower");
    let campaign = Campaign::new(core, Inputs::Exhaustive { units: 3 }).unwrap();
    let failing = first_failing(&campaign);
    assert_eq!((failing.input, failing.frame.clone()), (0x00_ED80, units(&[0x00, 0xED, 0x80])));
    let shrunk = shrink(&campaign, &failing).unwrap().expect("co-simulation shows it too");
    assert_eq!(shrunk.frames, [units(&[0xED, 0x80])]);
    assert!(shrunk.is_shortest);
    assert_eq!(shrunk.failure.port, "m_axis_tuser");
    let again = shrunk.cosim.run(
        &mut [utfhdl::engines::EngineKind::Native.start(&shrunk.cosim.core).unwrap()],
        None,
        &mut |_| (),
    );
    assert!(matches!(again, Err(CosimError::Failure(failure)) if *failure == shrunk.failure));
}

#[test]
fn a_fault_that_only_stalls_show_is_found_by_random_frames() {
    let core = with_fault(Fault::StuckAtZero, "output_skid.skid_valid_reg");
    let all = Campaign::new(core.clone(), Inputs::Exhaustive { units: 2 }).unwrap();
    run_well(&all);
    let random = Inputs::Random { count: 2000, seed: 3, stall: 40 };
    let campaign = Campaign::new(core, random).unwrap();
    let failing = first_failing(&campaign);
    let shrunk = shrink(&campaign, &failing).unwrap().expect("co-simulation shows it too");
    let units = shrunk.frames.iter().map(Vec::len).sum::<usize>();
    assert!(!shrunk.is_shortest && units <= failing.frame.len(), "{shrunk:?}");
}

#[test]
fn every_fault_that_people_make_is_found() {
    let cases = [
        ("tlast is lost", "slot_last_reg", Fault::StuckAtZero),
        ("tlast is always there", "slot_last_reg", Fault::StuckAtOne),
        ("the code point is shifted by one", "slot_data_reg", Fault::ShiftedLeft),
        ("the held slot is forgotten", "held_reg", Fault::StuckAtZero),
        ("the end of a frame is forgotten", "frame_ends_reg", Fault::StuckAtZero),
        ("a beat is not held while it waits", "output_skid.load", Fault::StuckAtOne),
        ("ready never comes", "output_skid.ready_reg", Fault::StuckAtZero),
        ("the sequence is never open", "open_reg", Fault::StuckAtZero),
    ];
    for (what, path, fault) in cases {
        let random = Inputs::Random { count: 4000, seed: 1, stall: 30 };
        let campaign = Campaign::new(with_fault(fault, path), random).unwrap();
        let failure = run(&campaign, 0..campaign.total(), 2).into_iter().find_map(|part| part.failure);
        assert!(failure.is_some(), "{what}: not found");
    }
}

/// A core that comes a cycle before or after it says is not punctual.
#[test]
fn a_wrong_latency_is_found() {
    let core = utf_8_decoder();
    for (latency, stall) in [(core.latency - 1, 0), (core.latency + 1, 0), (core.latency + 1, 30)] {
        let core = Core { latency, ..core.clone() };
        let inputs = match stall {
            0 => Inputs::Exhaustive { units: 2 },
            stall => Inputs::Random { count: 2000, seed: 1, stall },
        };
        let campaign = Campaign::new(core, inputs).unwrap();
        first_failing(&campaign);
    }
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
    let faulty = with_fault(Fault::Inverted, "slot_last_reg");
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
    let error = |units| {
        let campaign = Campaign::new(utf_8_decoder(), Inputs::Exhaustive { units });
        campaign.err().expect("there is no such campaign").to_string()
    };
    let expected = "units are not 1 to 6: the inputs of 6 units of utf-8 are 2^48, the most there can be";
    assert_eq!(error(0), format!("0 {expected}"));
    assert_eq!(error(7), format!("7 {expected}"));
}

#[test]
fn a_code_point_and_an_error_are_counted_for_what_they_are() {
    let mut counts = Counts::default();
    let slots = [Slot::CodePoint(0x41), Slot::Head(2), Slot::Limb(1), Slot::Limb(2)];
    slots.into_iter().for_each(|slot| counts.count(slot));
    counts.count(Slot::Error(utfhdl::codec::ErrorKind::Nul));
    assert_eq!(counts.code_points, 2);
    assert_eq!(counts.errors(), BTreeMap::from([("nul", 1)]));
}
