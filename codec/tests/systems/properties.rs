//! Properties that every system has, for random texts in pieces of any size.

use num_bigint::BigUint;
use proptest::prelude::*;
use utfhdl_codec::{ByteOrder, Codec, Event, OnError, Slot, Status, System, Whole, WholeEvent};

use crate::common::marks::{bare_of, is_marked};
use crate::common::strategy::{any_system, code_point, pieces, stream, text};
use crate::common::{encode, events, octets_of_unit, wholes};

fn system_and<T: std::fmt::Debug, S: Strategy<Value = T>>(
    strategy: impl Fn(System) -> S,
) -> impl Strategy<Value = (System, T)> {
    any_system().prop_flat_map(move |system| (Just(system), strategy(system)))
}

/// Decodes piece by piece, with a decoder that has read a stream before.
fn events_of_pieces(system: System, units: &[u32], cuts: &[usize], room: usize) -> Vec<Event> {
    let mut decoder = system.decoder();
    let mut before = units;
    while decoder.next(&mut before, true).is_some() {}
    let mut found = Vec::new();
    let mut buffer = vec![Event { offset: 0, length: 0, what: Slot::Limb(0) }; room];
    let mut start = 0;
    for (index, end) in cuts.iter().copied().chain([units.len()]).enumerate() {
        let last = index == cuts.len();
        let mut rest = &units[start..end];
        loop {
            let progress = decoder.decode(rest, &mut buffer, last);
            found.extend_from_slice(&buffer[..progress.written]);
            rest = &rest[progress.read..];
            if progress.finished {
                assert!(rest.is_empty());
                break;
            }
        }
        start = end;
    }
    found
}

/// Encodes piece by piece, with an encoder that has written a stream before.
fn units_of_pieces(system: System, slots: &[Slot], cuts: &[usize], room: usize) -> Vec<u32> {
    let mut encoder = system.encoder(OnError::Replace);
    let mut buffer = vec![0; room];
    let mut written = Vec::new();
    let whole_first = [slots.len()];
    for (cuts, keep) in [(&whole_first[..], false), (cuts, true)] {
        let mut start = 0;
        let ends = cuts.iter().map(|&cut| cut.min(slots.len())).chain([slots.len()]);
        for (index, end) in ends.enumerate() {
            let last = index == cuts.len();
            loop {
                let progress = encoder.encode(&slots[start..end], &mut buffer, last);
                start += progress.read;
                if keep {
                    written.extend_from_slice(&buffer[..progress.written]);
                }
                match progress.status {
                    Status::Finished => break,
                    Status::OutputFull => assert_eq!(progress.written, room),
                    Status::Refused(_) => unreachable!("errors are replaced"),
                }
            }
        }
    }
    written
}

/// The code points of a stream, each with the units it was read from.
fn well_formed(system: System, units: &[u32]) -> Vec<(Whole, &[u32])> {
    let slice = |event: WholeEvent| {
        let (start, end) = (event.offset as usize, (event.offset + event.length) as usize);
        (event.what, &units[start..end])
    };
    let all = events(system, units).into_iter().map(slice);
    all.filter(|(what, _)| !matches!(what, Whole::Error(_))).collect()
}

/// The systems whose texts sort as their code points do.
fn utf_8_family() -> impl Strategy<Value = System> {
    any_system().prop_filter("UTF-9, UTF-16, UTF-18, tables and some others do not", |system| match system {
        System::Utf1 { .. } | System::UtfEbcdic { .. } | System::Utf7 { .. } | System::Scsu => false,
        System::Utf9 { .. } | System::Utf18 | System::Utf16 | System::Utf16Octets { .. } => false,
        System::Utf32Octets { order, .. } | System::Ucs2Octets { order, .. } => *order == ByteOrder::Big,
        System::Cesu8 | System::Mutf8 | System::Table(_) => false,
        System::CorrectedUtf8 { private, .. } => !private,
        _ => true,
    })
}

/// The value of a code point, for comparison.
fn values(text: &[Whole]) -> Vec<BigUint> {
    let value = |whole: &Whole| match whole {
        Whole::CodePoint(code_point) => BigUint::from(*code_point),
        Whole::Long(value) => value.clone(),
        other => panic!("{other:?}"),
    };
    text.iter().map(value).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_encoded_is_decoded_again((system, text) in system_and(|system| text(system, 12))) {
        let units = encode(system, &text).unwrap();
        prop_assert!(units.iter().all(|&unit| u64::from(unit) >> system.unit_bits() == 0));
        prop_assert_eq!(wholes(system, &units), text);
    }

    #[test]
    fn what_is_decoded_is_encoded_again((system, units) in system_and(stream)) {
        prop_assume!(!system.has_state());
        // The mark is a matter of the whole stream, not of each sequence.
        let bare = bare_of(system, &units);
        for (what, sequence) in well_formed(system, &units) {
            let encoded = encode(bare, &[what]);
            prop_assert_eq!(encoded.as_deref(), Ok(sequence));
        }
    }

    #[test]
    fn events_tile_the_stream((system, units) in system_and(stream)) {
        // `events` holds them to follow one another.
        let events = events(system, &units);
        let start = events.first().map_or(units.len() as u64, |event| event.offset);
        let end = events.last().map_or(units.len() as u64, |event| event.offset + event.length);
        // Units that only change the state of a system may end the stream.
        prop_assert!(end == units.len() as u64 || system.has_state() && end < units.len() as u64);
        let mark = system.encode::<Slot, u8>(&[], OnError::Strict).unwrap().len() as u64;
        let is_mark = is_marked(system) && (start == mark || start == 3);
        prop_assert!(start == 0 || is_mark || system.has_state() && events.is_empty());
    }

    #[test]
    fn events_are_the_same_however_the_stream_is_cut(
        (system, (units, cuts)) in system_and(pieces),
        room in 1..5_usize,
    ) {
        let whole: Vec<Event> = system.decode(&units).collect();
        prop_assert_eq!(&events_of_pieces(system, &units, &cuts, room), &whole);
        let every: Vec<usize> = (0..units.len()).collect();
        prop_assert_eq!(&events_of_pieces(system, &units, &every, 1), &whole);
    }

    #[test]
    fn units_are_the_same_however_the_slots_are_cut(
        (from, (units, _)) in system_and(pieces),
        to in any_system(),
        cuts in prop::collection::vec(0..20_usize, 0..6).prop_map(|mut cuts| { cuts.sort(); cuts }),
        room in 1..5_usize,
    ) {
        let slots: Vec<Slot> = from.decode(&units).map(Slot::from).collect();
        let whole = to.encode(&slots, OnError::Replace).unwrap();
        prop_assert_eq!(&units_of_pieces(to, &slots, &cuts, room), &whole);
        prop_assert!(wholes(to, &whole).iter().all(|whole| !matches!(whole, Whole::Error(_)))
            || matches!(to, System::UtfInf8 { .. }), "only a long code point can be left half written");
    }

    #[test]
    fn slots_never_outnumber_units((system, units) in system_and(stream)) {
        let mut decoder = system.decoder();
        let mut slots = 0;
        for (index, unit) in units.iter().enumerate() {
            let mut one = std::slice::from_ref(unit);
            slots += std::iter::from_fn(|| decoder.next(&mut one, false)).count();
            prop_assert!(slots <= index + 1, "{} slots of {:X?}", slots, &units[..=index]);
        }
        let mut none: &[u32] = &[];
        slots += std::iter::from_fn(|| decoder.next(&mut none, true)).count();
        prop_assert!(slots <= units.len(), "{} slots of {:X?}", slots, units);
    }

    #[test]
    fn no_event_waits_for_more_units_than_it_needs((system, units) in system_and(stream)) {
        // Units that have given no event yet could still become a sequence: cut there, they are one error. In a system whose
        // units are made of octets, an incomplete unit is a second error.
        prop_assume!(!is_marked(system) && !system.has_state());
        let most = octets_of_unit(system).min(2);
        let mut decoder = system.decoder();
        let mut decided = 0;
        for end in 1..=units.len() {
            let mut unit = &units[end - 1..end];
            while let Some(event) = decoder.next(&mut unit, false) {
                decided += event.length;
            }
            prop_assert!(unit.is_empty());
            let open = &units[decided as usize..end];
            let cut = events(system, open);
            prop_assert!(cut.len() <= most, "{:?} of {:X?}", cut, open);
            prop_assert!(!matches!(cut.first(), Some(event) if !matches!(event.what, Whole::Error(_))));
        }
    }

    #[test]
    fn order_of_units_is_order_of_code_points(
        (system, texts) in utf_8_family().prop_flat_map(|system| (Just(system), [text(system, 3), text(system, 3)])),
        common in 0..3_usize,
    ) {
        let [one, mut other] = texts;
        // Texts that start alike are where order is hard.
        for (to, from) in other.iter_mut().zip(&one).take(common) {
            *to = from.clone();
        }
        let by_units = encode(system, &one).unwrap().cmp(&encode(system, &other).unwrap());
        prop_assert_eq!(by_units, values(&one).cmp(&values(&other)));
    }

    #[test]
    fn decoding_agrees_again_within_one_sequence_after_damage(
        (system, (before, after, damage)) in system_and(|system| {
            (text(system, 4), text(system, 6), stream(system))
        }),
    ) {
        prop_assume!(!is_marked(system) && !system.has_state());
        // Octets of UTF-1 look alike, whatever their place in a sequence is.
        prop_assume!(!matches!(system, System::Utf1 { .. }));
        // Pairs have nothing to fall in step by: the damage keeps it.
        let step = if system == System::Utf18 { 2 } else { octets_of_unit(system) };
        let damage = &damage[..damage.len() / step * step];
        let (before, clean) = (encode(system, &before).unwrap(), encode(system, &after).unwrap());
        let damaged = [&before, damage, &clean].concat();
        let shift = (before.len() + damage.len()) as u64;
        let second = events(system, &clean).into_iter().skip(1);
        let second: Vec<_> = second.map(|event| WholeEvent { offset: event.offset + shift, ..event }).collect();
        let found = events(system, &damaged);
        prop_assert!(found.ends_with(&second), "{:?} does not end with {:?}", found, second);
    }

    #[test]
    fn hunk_8_is_utf_8_8byte(units in stream(System::Utf8EightByte)) {
        let hunk_8 = crate::common::system("hunk-8");
        let events: Vec<Event> = hunk_8.decode(&units).collect();
        prop_assert_eq!(events, System::Utf8EightByte.decode(&units).collect::<Vec<_>>());
        let text = wholes(hunk_8, &units);
        let (one, other) = (encode(hunk_8, &text), encode(System::Utf8EightByte, &text));
        prop_assert_eq!(one, other);
    }

    #[test]
    fn the_limit_of_utf_inf_8_is_on_digits(point in code_point(crate::common::system("utf-inf-8")), limit in 18..110_u64) {
        let text = [point];
        let digits = values(&text)[0].to_str_radix(16).len() as u64;
        let limited = System::UtfInf8 { digits: limit };
        let units = encode(crate::common::system("utf-inf-8"), &text).unwrap();
        if digits <= limit {
            prop_assert_eq!(encode(limited, &text), Ok(units.clone()));
            prop_assert_eq!(wholes(limited, &units), text);
        } else {
            prop_assert!(encode(limited, &text).is_err());
            let first = &events(limited, &units)[0];
            prop_assert_eq!(&first.what, &Whole::Error(utfhdl_codec::ErrorKind::Length));
            // B4 or Ax that is too much is not part of the error: FF and no more digits than those of the limit.
            prop_assert!(first.length <= 3);
        }
    }

    #[test]
    fn utf_8_is_as_encoding_rs_reads_it(units in stream(System::Utf8)) {
        let octets: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        let replaced = System::Utf8.decode(&octets).map(|event| match event.what {
            Slot::CodePoint(code_point) => char::from_u32(code_point).unwrap(),
            _ => '\u{FFFD}',
        });
        let (theirs, _) = encoding_rs::UTF_8.decode_without_bom_handling(&octets);
        prop_assert_eq!(replaced.collect::<String>(), &*theirs);
        let ours: Vec<u8> = System::Utf8.encode(&System::Utf8.decode(&octets).collect::<Vec<_>>(), OnError::Replace).unwrap();
        prop_assert_eq!(ours.as_slice(), theirs.as_bytes());
    }

    #[test]
    fn any_units_are_read_and_any_slots_written(
        system in any_system(),
        units in prop::collection::vec(any::<u32>(), 0..40),
        raw in prop::collection::vec((0..4_u8, any::<u32>(), 1..=10_u8), 0..40),
        on_error in prop::sample::select(vec![OnError::Replace, OnError::Drop, OnError::Strict]),
    ) {
        let length: u64 = system.decode(&units).map(|event| event.length).sum();
        prop_assert!(length == units.len() as u64 || is_marked(system) || system.has_state());
        let slots: Vec<Slot> = raw.into_iter().map(|(kind, number, code)| match kind {
            0 => Slot::CodePoint(number),
            1 => Slot::Head(number % 6),
            2 => Slot::Limb(number),
            _ => Slot::Error(utfhdl_codec::ErrorKind::from_code(code).unwrap()),
        }).collect();
        let written: Result<Vec<u32>, _> = system.encode(&slots, on_error);
        prop_assert!(written.is_ok() || on_error == OnError::Strict);
    }
}

#[test]
fn all_code_points_of_unicode_in_every_system() {
    for system in crate::common::strategy::systems() {
        if is_marked(system) {
            continue;
        }
        let mut encoder = system.encoder(OnError::Strict);
        let mut has = |code_point| {
            let progress = encoder.encode(&[Slot::CodePoint(code_point)], &mut [0_u32; 32], true);
            progress.status == Status::Finished
        };
        let has: Vec<u32> = (0..=0x10_FFFF).filter(|&code_point| has(code_point)).collect();
        let mut slots: Vec<Slot> = has.iter().copied().map(Slot::CodePoint).collect();
        if system == System::Wtf8 {
            // The last high surrogate and the first low one would be a pair; the A keeps them apart.
            slots.insert(0xDC00, Slot::CodePoint(0x41));
        }
        let units: Vec<u32> = system.encode(&slots, OnError::Strict).unwrap();
        assert!(system.decode(&units).map(Slot::from).eq(slots), "{system}");
        let surrogates = has.iter().filter(|code_point| (0xD800..=0xDFFF).contains(*code_point)).count();
        let expected = match system {
            System::Utf8 | System::Utf8Rfc2279 | System::Utf9 { .. } => (0x11_0000 - 0x800, 0),
            System::Utf18 => (0x4_0000 - 0x800, 0),
            System::CorrectedUtf8 { private: true, .. } => (0x11_0000 - 0x800 - 0x20, 0x800),
            System::CorrectedUtf8 { .. } => (0x11_0000 - 0x800 - 0x20, 0),
            System::Utf16 | System::Utf16Octets { .. } => (0x11_0000 - 0x800, 0),
            System::Utf32 { .. } | System::Utf32Octets { .. } | System::UtfEbcdicI8 { .. } => {
                (0x11_0000 - 0x800, 0)
            }
            System::UtfEbcdic { .. } | System::Utf1 { .. } => (0x11_0000 - 0x800, 0),
            System::Utf7 { .. } | System::Scsu | System::Bocu1 => (0x11_0000 - 0x800, 0),
            System::Ucs2 | System::Ucs2Octets { .. } => (0x1_0000 - 0x800, 0),
            System::Cesu8 | System::Mutf8 => (0x11_0000 - 0x800, 0),
            System::Latin1 => (0x100, 0),
            System::Ascii => (0x80, 0),
            System::Table(table) => (table.mapping().matches("\n0x").count(), 0),
            System::Hunk(width) if width.bits() < 7 => {
                (1 << [0, 1, 2, 6, 12, 20][width.bits() as usize - 1], 0)
            }
            _ => (0x11_0000, 0x800),
        };
        let expected = if system == crate::common::system("hunk-6") { (1 << 20, 0x800) } else { expected };
        assert_eq!((has.len(), surrogates), expected, "{system}");
    }
}

#[test]
fn one_text_through_every_system_and_back() {
    let slots: Vec<Slot> =
        "Grüße, Γειά, 你好, 👋🏽".chars().map(|character| Slot::CodePoint(character.into())).collect();
    for system in crate::common::strategy::systems() {
        let Ok(units) = system.encode::<_, u32>(&slots, OnError::Strict) else { continue };
        assert!(system.decode(&units).map(Slot::from).eq(slots.iter().copied()), "{system}");
    }
}
