//! Runs of sequences on the fast paths: the same as unit by unit, wherever they start and stop.

use proptest::prelude::*;
use utfhdl_codec::{Codec, Event, OnError, Slot, Status, System, Transcoder, Unit};

use crate::common::strategy::{any_system, pieces, stream, systems, text};
use crate::common::{encode, system};

const NO_EVENT: Event = Event { offset: 0, length: 0, what: Slot::Limb(0) };

/// Decodes with the iterator, which has no fast path.
fn unit_by_unit<U: Unit>(system: System, units: &[U]) -> Vec<Event> {
    system.decode(units).collect()
}

/// Decodes `pieces` with the decoder, into a buffer of `room` events.
fn in_runs<U: Unit>(system: System, pieces: &[&[U]], room: usize) -> Vec<Event> {
    let mut decoder = system.decoder();
    let mut buffer = vec![NO_EVENT; room];
    let mut events = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let mut rest = *piece;
        loop {
            let progress = decoder.decode(rest, &mut buffer, index + 1 == pieces.len());
            events.extend_from_slice(&buffer[..progress.written]);
            rest = &rest[progress.read..];
            if progress.finished {
                assert!(rest.is_empty());
                break;
            }
            assert_eq!(progress.written, room);
        }
    }
    events
}

/// Encodes with an encoder that has too little room for its fast path.
fn slot_by_slot(system: System, slots: &[Slot], on_error: OnError) -> (Vec<u32>, Option<usize>, u64) {
    in_rooms(system, slots, on_error, 3)
}

/// The units, how many slots were read up to what was refused, and how many errors there were.
fn in_rooms(
    system: System,
    slots: &[Slot],
    on_error: OnError,
    room: usize,
) -> (Vec<u32>, Option<usize>, u64) {
    let mut encoder = system.encoder(on_error);
    let mut buffer = vec![0; room];
    let (mut units, mut read) = (Vec::new(), 0);
    loop {
        let progress = encoder.encode(&slots[read..], &mut buffer, true);
        units.extend_from_slice(&buffer[..progress.written]);
        read += progress.read;
        match progress.status {
            Status::Finished => return (units, None, encoder.errors()),
            Status::OutputFull => assert_eq!(progress.written, room),
            Status::Refused(_) => return (units, Some(read), encoder.errors()),
        }
    }
}

/// The units, the event that was refused, and how many errors there were.
fn transcoded<U: Unit>(
    transcoder: &mut Transcoder,
    pieces: &[&[U]],
    room: usize,
) -> (Vec<u32>, Option<Event>, u64) {
    let before = transcoder.encoder().errors();
    let errors = |transcoder: &Transcoder| transcoder.encoder().errors() - before;
    let mut buffer = vec![0; room];
    let mut units = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let mut rest = *piece;
        loop {
            let progress = transcoder.transcode(rest, &mut buffer, index + 1 == pieces.len());
            units.extend_from_slice(&buffer[..progress.written]);
            rest = &rest[progress.read..];
            match progress.status {
                Status::Finished => break,
                Status::OutputFull => assert_eq!(progress.written, room),
                Status::Refused(_) => return (units, transcoder.refused(), errors(transcoder)),
            }
        }
        assert!(rest.is_empty());
    }
    (units, None, errors(transcoder))
}

/// The reference for [`transcoded`].
fn decoded_and_encoded(
    from: System,
    to: System,
    on_error: OnError,
    units: &[u32],
) -> (Vec<u32>, Option<Event>, u64) {
    let events = unit_by_unit(from, units);
    let slots: Vec<Slot> = events.iter().map(|&event| event.into()).collect();
    let (units, read, errors) = slot_by_slot(to, &slots, on_error);
    (units, read.map(|read| events[read - 1]), errors)
}

/// Plain text, longer sequences, errors, and plain text again, so that runs start and stop everywhere.
const MIXED: &str = "The quick brown fox jumps over the lazy dog, \
    Größe déjà-vu naïveté, Съешь же ещё этих мягких французских булок, \
    人人生而自由，在尊严和权利上一律平等。 👩🏽‍🚀🕊️⚖️🌍🎉 and plain text at the end of it all";

/// The text in a system, with units broken here and there.
fn broken(system: System) -> Vec<u32> {
    let slots: Vec<Slot> = MIXED.chars().map(|character| Slot::CodePoint(character.into())).collect();
    let mut units = system.encode(&slots, OnError::Replace).unwrap();
    let mask = u32::MAX >> (32 - system.unit_bits());
    for index in (40..units.len()).step_by(61) {
        units[index] = (units[index] ^ 0xC1) & mask;
    }
    units
}

#[test]
fn events_are_the_same_at_every_split() {
    for system in systems() {
        let units = broken(system);
        let expected = unit_by_unit(system, &units);
        for room in [1, 2, 7, 8, 9, 16, 17, 1000] {
            assert_eq!(in_runs(system, &[&units], room), expected, "{system}");
        }
        for split in 0..=units.len() {
            let (one, other) = units.split_at(split);
            assert_eq!(in_runs(system, &[one, other], 1000), expected, "{system}, split at {split}");
            assert_eq!(in_runs(system, &[one, other, &[]], 33), expected, "{system}, split at {split}");
        }
    }
}

#[test]
fn octets_are_as_words() {
    for system in systems().into_iter().filter(|system| system.unit_bits() <= 8) {
        let units = broken(system);
        let octets: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        assert_eq!(in_runs(system, &[&octets], 100), unit_by_unit(system, &units), "{system}");
    }
}

#[test]
fn slots_hold_what_events_hold() {
    let units = broken(System::Utf8);
    let mut slots = [Slot::Limb(0); 1000];
    let progress = System::Utf8.decoder().decode(&units, &mut slots, true);
    let events = unit_by_unit(System::Utf8, &units);
    assert!(slots[..progress.written].iter().copied().eq(events.into_iter().map(Slot::from)));
}

#[test]
fn units_are_the_same_in_any_room() {
    for to in systems() {
        let slots: Vec<Slot> =
            unit_by_unit(System::Utf8, &broken(System::Utf8)).into_iter().map(Slot::from).collect();
        for on_error in OnError::ALL {
            let expected = slot_by_slot(to, &slots, on_error);
            for room in (1..40).chain([1000]) {
                assert_eq!(in_rooms(to, &slots, on_error, room), expected, "{to}, {on_error:?}, {room}");
            }
        }
    }
}

#[test]
fn transcoders_do_what_decoder_and_encoder_do() {
    for from in systems() {
        let units = broken(from);
        for to in systems() {
            for on_error in OnError::ALL {
                let expected = decoded_and_encoded(from, to, on_error, &units);
                let mut transcoder = Transcoder::new(from, to, on_error);
                for room in [5, 8, 1000] {
                    let found = transcoded(&mut transcoder, &[&units], room);
                    assert_eq!(found, expected, "{from} to {to}, {on_error:?}, {room}");
                    if found.1.is_some() {
                        // The transcoder stopped in the middle of a stream.
                        transcoder = Transcoder::new(from, to, on_error);
                    }
                }
            }
        }
    }
}

/// In KOI8-R (RFC 1489), the letters are C4 and C1, and there is no ideograph. SCSU has to change its state for the ideograph.
#[test]
fn a_run_ends_at_a_code_point_that_the_fast_path_does_not_write() {
    for letters in 0..300 {
        let text = format!("{}中abc", "да".repeat(letters));
        let mut room = vec![0_u8; 2000];
        let mut transcoder = Transcoder::new(System::Utf8, system("table:koi8-r"), OnError::Replace);
        let progress = transcoder.transcode(text.as_bytes(), &mut room, true);
        let expected = [[0xC4, 0xC1].repeat(letters), b"?abc".to_vec()].concat();
        assert!(room[..progress.written] == expected, "{letters}: {:X?}", &room[..progress.written]);

        let mut transcoder = Transcoder::new(System::Utf8, System::Scsu, OnError::Replace);
        let progress = transcoder.transcode(text.as_bytes(), &mut room, true);
        assert_eq!(System::Scsu.decode_to_string(&room[..progress.written], OnError::Strict), Ok(text));
    }
}

#[test]
fn transcoders_are_the_same_at_every_split() {
    for (from, to) in [
        ("utf-8", "utf-8"),
        ("utf-8", "utf-9"),
        ("utf-9", "corrected-utf-8,document=on"),
        ("corrected-utf-8,document=on", "utf-18"),
    ] {
        let (from, to) = (system(from), system(to));
        let units = broken(from);
        let expected = decoded_and_encoded(from, to, OnError::Replace, &units);
        for split in 0..=units.len() {
            let (one, other) = units.split_at(split);
            let mut transcoder = Transcoder::new(from, to, OnError::Replace);
            for room in [1000, 9] {
                assert_eq!(transcoded(&mut transcoder, &[one, other], room), expected, "split at {split}");
            }
        }
    }
}

/// Units that are mostly well-formed: texts and any units in turns.
fn mostly_well_formed(system: System) -> impl Strategy<Value = Vec<u32>> {
    let text = text(system, 30).prop_map(move |text| encode(system, &text).unwrap());
    prop::collection::vec(prop_oneof![3 => text, 1 => stream(system)], 0..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn runs_are_as_unit_by_unit(
        (system, units) in any_system().prop_flat_map(|system| (Just(system), mostly_well_formed(system))),
        split in any::<prop::sample::Index>(),
        room in 1..40_usize,
    ) {
        let (one, other) = units.split_at(split.index(units.len() + 1));
        prop_assert_eq!(in_runs(system, &[one, other], room), unit_by_unit(system, &units));
    }

    #[test]
    fn transcoders_are_as_decoder_and_encoder(
        (from, (units, cuts)) in any_system().prop_flat_map(|system| (Just(system), pieces(system))),
        to in any_system(),
        on_error in prop::sample::select(OnError::ALL.to_vec()),
        room in 1..40_usize,
    ) {
        let ends = cuts.iter().copied().chain([units.len()]);
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let pieces: Vec<&[u32]> = starts.zip(ends).map(|(start, end)| &units[start..end]).collect();
        let found = transcoded(&mut Transcoder::new(from, to, on_error), &pieces, room);
        prop_assert_eq!(found, decoded_and_encoded(from, to, on_error, &units));
    }
}
