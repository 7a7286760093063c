//! Pictures of runs whose contents are known.

use utfhdl_hdl::core::{CoreSpec, Role, System};
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;

use super::*;
use crate::cosim::{Cosim, Framing, Source, Stalls};
use crate::promise::Item;

fn run(spec: CoreSpec, source: Source, stalls: Stalls) -> Trace {
    let core = Core::new(spec).expect("there is such a core");
    let framing = if matches!(source, Source::Given(_)) { Framing::Whole } else { Framing::Random };
    let cosim = Cosim { core, source, framing, stalls, resets: 0, seed: 5 };
    let mut recorder = Recorder::new(&cosim.core, 0..=u64::MAX).expect("a core of some size");
    let mut engines: Vec<Box<dyn Engine>> =
        vec![Box::new(Native::new(&cosim.core.design).expect("a core of some size"))];
    cosim.run(&mut engines, Some(&mut recorder), &mut |_| {}).expect("the core is right");
    Trace::new(&cosim.core, recorder, None).expect("a run that was recorded")
}

fn units(units: &[u32]) -> Source {
    Source::Given(units.iter().map(|&unit| Item::from(unit)).collect())
}

fn row<'t>(trace: &'t Trace, name: &str) -> &'t Row {
    let mut rows = trace.groups.iter().flat_map(|group| &group.rows);
    rows.find(|row| row.name == name).unwrap_or_else(|| panic!("there is no {name}"))
}

/// The sequences in a cell.
fn sequences_in(trace: &Trace, colour: u32) -> Vec<u32> {
    let parts = match colour.checked_sub(Cells::MIXED) {
        Some(mix) => trace.mixes[mix as usize].iter().map(|part| part.1).collect(),
        None => vec![colour],
    };
    parts.into_iter().filter_map(|colour| colour.checked_sub(Cells::FIRST)).collect()
}

/// Two octets, three, and a surrogate, which is three errors (The Unicode Standard, §3.9).
#[test]
fn sequences_are_named_with_their_units_and_cycles() {
    let text = units(&[0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0x80]);
    let trace = run(CoreSpec::new(System::Utf8, Role::Decoder), text, Stalls::default());
    let shown: Vec<_> = trace
        .sequences
        .iter()
        .map(|sequence| {
            (sequence.name.as_str(), sequence.character.as_str(), sequence.items.as_str(), sequence.offset)
        })
        .collect();
    let expected = [
        ("U+00E9", "é", "C3 A9", 0),
        ("U+20AC", "€", "E2 82 AC", 2),
        ("surrogate", "", "ED", 5),
        ("unexpected", "", "A0", 6),
        ("unexpected", "", "80", 7),
    ];
    assert_eq!(shown, expected);
    let surrogate = &trace.sequences[2];
    assert!(surrogate.reason.contains("U+D800 to U+DFFF"), "{}", surrogate.reason);
    for sequence in &trace.sequences[..2] {
        let ((first, last), (given, _)) = (sequence.taken.unwrap(), sequence.given.unwrap());
        assert_eq!(u64::from(last - first) + 1, sequence.length);
        assert_eq!(given, last + trace.latency);
    }
}

/// A unit is in the register of the first stage in the cycle after the core has taken the unit.
#[test]
fn the_first_stage_holds_what_was_taken_in_the_cycle_before() {
    let text = units(&[0xc3, 0xa9, 0xe2, 0x82, 0xac, 0x41]);
    let trace = run(CoreSpec::new(System::Utf8, Role::Decoder), text, Stalls::default());
    let start = trace.sequences[0].taken.unwrap().0 as usize;
    let payload = row(&trace, "payload_reg");
    let colour_at = |cycle: usize| {
        let cell = payload.cells.iter(trace.cycles).find(|cell| (cell.start..cell.end).contains(&cycle));
        sequences_in(&trace, cell.expect("a cell a cycle").colour)
    };
    // The lead of a sequence tells its length, which the payload of C3 and E2 does not: but they have digits of it, too.
    let of_units: [&[u32]; 6] = [&[0], &[0], &[1], &[1], &[1], &[2]];
    for (unit, expected) in of_units.into_iter().enumerate() {
        assert_eq!(colour_at(start + unit + 1), expected, "unit {unit}");
    }
    assert_eq!(colour_at(start), [] as [u32; 0]);
}

/// From its last unit until it comes out, some register holds a part of every sequence, in every core.
#[test]
fn no_sequence_is_lost_on_its_way() {
    let decoders = System::all().map(|system| CoreSpec::new(system, Role::Decoder));
    let encoders = System::all().map(|system| CoreSpec::new(system, Role::Encoder));
    let transcoders = System::all().map(|to| CoreSpec::new(System::Utf8, Role::Transcoder { to }));
    let wide = [2, 8].map(|lanes| CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) });
    for spec in decoders.chain(encoders).chain(transcoders).chain(wide) {
        let stalls = Stalls { source: 20, sink: 20 };
        let trace = run(spec, Source::Random { count: 120 }, stalls);
        let mut held = vec![Vec::new(); trace.sequences.len()];
        for row in trace.groups.iter().flat_map(|group| &group.rows).filter(|row| row.is_register) {
            for cell in row.cells.iter(trace.cycles) {
                for sequence in sequences_in(&trace, cell.colour) {
                    held[sequence as usize].extend(cell.start..cell.end);
                }
            }
        }
        let mut seen = 0;
        for (sequence, held) in trace.sequences.iter().zip(held) {
            let (Some((_, last)), Some((_, given))) = (sequence.taken, sequence.given) else { continue };
            seen += 1;
            for cycle in last + 1..given {
                assert!(held.contains(&(cycle as usize)), "{spec}: {sequence:?} in cycle {cycle}");
            }
        }
        assert!(seen > 10, "{spec}: {seen} sequences");
    }
}

/// The stages follow each other, and in a stage the lanes of each register.
#[test]
fn groups_and_lanes_are_in_the_order_of_the_pipeline() {
    for lanes in [2, 8] {
        let spec = CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) };
        let trace = run(spec, Source::Random { count: 100 }, Stalls::default());
        let stages: Vec<u32> = trace
            .groups
            .iter()
            .filter_map(|group| group.title.strip_prefix("Stage ")?.split(':').next()?.parse().ok())
            .collect();
        assert!(stages.len() > 6 && stages.is_sorted_by(|one, other| one < other), "{stages:?}");
        let first = trace.groups.iter().find(|group| group.title.starts_with("Stage 1")).expect("a stage 1");
        let units: Vec<&str> = first
            .rows
            .iter()
            .map(|row| row.name.as_str())
            .filter(|name| name.starts_with("lane_") && name.ends_with("unit_1_reg"))
            .collect();
        let expected: Vec<String> = (0..lanes).map(|lane| format!("lane_{lane}.unit_1_reg")).collect();
        assert_eq!(units, expected);
        // The row of the stage shows in each lane what its unit is part of.
        let row = first.lanes.as_ref().expect("a row of the lanes");
        let held: Vec<Vec<u32>> =
            row.cells.iter(trace.cycles).map(|cell| sequences_in(&trace, cell.colour)).collect();
        assert!(held.iter().any(|held| held.len() > 1), "{held:?}");
        for sequence in 0..trace.sequences.len() as u32 {
            let is_seen = trace.sequences[sequence as usize].given.is_some();
            assert!(!is_seen || held.iter().flatten().any(|held| *held == sequence), "sequence {sequence}");
        }
    }
}

/// A window of a run shows what the whole run shows of these cycles.
#[test]
fn a_window_shows_the_same_as_the_whole_run() {
    let spec = CoreSpec::new(System::Utf8, Role::Decoder);
    let core = Core::new(spec).expect("there is such a core");
    let stalls = Stalls { source: 20, sink: 20 };
    let cosim = Cosim {
        core,
        source: Source::Random { count: 800 },
        framing: Framing::Random,
        stalls,
        resets: 0,
        seed: 5,
    };
    let traces = [0, 500].map(|first| {
        let mut recorder = Recorder::new(&cosim.core, first..=700).expect("a core of some size");
        let mut engines: Vec<Box<dyn Engine>> =
            vec![Box::new(Native::new(&cosim.core.design).expect("a core of some size"))];
        cosim.run(&mut engines, Some(&mut recorder), &mut |_| {}).expect("the core is right");
        Trace::new(&cosim.core, recorder, None).expect("a run that was recorded")
    });
    let [whole, part] = &traces;
    assert_eq!((whole.first, whole.cycles, part.first, part.cycles), (0, 701, 500, 201));
    let at = |trace: &Trace, name: &str, cycle: u64| {
        let cells = &row(trace, name).cells;
        let cycle = (cycle - trace.first) as usize;
        let cell =
            cells.iter(trace.cycles).find(|cell| (cell.start..cell.end).contains(&cycle)).expect("a cell");
        let place = |sequence: u32| {
            let sequence = &trace.sequences[sequence as usize];
            (sequence.frame, sequence.offset, sequence.name.clone())
        };
        let places: Vec<_> = sequences_in(trace, cell.colour).into_iter().map(place).collect();
        (cell.value.to_vec(), places)
    };
    // Sequences under way at the start of the window may have no colour there.
    for cycle in 530..700 {
        for name in ["s_axis_tdata", "payload_reg", "gathered_reg", "slot_data_reg", "m_axis_tdata"] {
            assert_eq!(at(whole, name, cycle), at(part, name, cycle), "{name} in cycle {cycle}");
        }
    }
}

/// Four octets of two code points, 41 and C3 A9, and one error, FF at offset 3.
#[test]
fn a_status_has_rows_for_its_handshake_and_its_fields() {
    let spec = CoreSpec { status: true, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    let trace = run(spec, units(&[0x41, 0xc3, 0xa9, 0xff]), Stalls::default());
    let shown = |name: &str| {
        let cells = &row(&trace, name).cells;
        let values = cells.iter(trace.cycles).filter(|cell| cell.colour == Cells::PLAIN);
        values.map(|cell| cell.value[0]).collect::<Vec<_>>()
    };
    assert!(shown("status_tvalid").contains(&1) && shown("status_tready").contains(&1));
    for (field, value) in
        [("ill_formed", 1), ("error_offset", 3), ("units", 4), ("code_points", 2), ("utf_8", 6)]
    {
        assert_eq!(shown(&format!("status_tdata {field}")), [value], "{field}");
    }
}

#[test]
fn a_drawing_has_a_limit_and_says_so() {
    let spec = CoreSpec::new(System::Utf8, Role::Decoder);
    let trace = run(spec, Source::Random { count: 1000 }, Stalls::default());
    assert!(matches!(trace.svg(false), Err(TraceError::TooLongToDraw { .. })));
}
