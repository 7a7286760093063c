//! The sets of several octets by the indexes of the Encoding Standard: the same code points, the same errors with the same octets, and
//! the same octets of every code point as `encoding_rs`, which browsers have.

use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use utfhdl_codec::{Codec, Counts, ErrorKind, MultiOctet, OnError, Slot, Status, System, Transcoder};

/// An error with its first octet and its number of octets, or a code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    CodePoint(u32),
    Error { offset: u64, length: u64 },
}

fn theirs(system: System) -> &'static Encoding {
    Encoding::for_label(system.name().as_bytes()).unwrap()
}

/// The items of a stream that encoding_rs gives.
fn expected(system: System, octets: &[u8]) -> Vec<Item> {
    let mut decoder = theirs(system).new_decoder_without_bom_handling();
    let mut items = Vec::new();
    let mut read = 0;
    let mut text = [0_u8; 1024];
    loop {
        let (result, taken, written) =
            decoder.decode_to_utf8_without_replacement(&octets[read..], &mut text, true);
        read += taken;
        let chars = std::str::from_utf8(&text[..written]).unwrap().chars();
        items.extend(chars.map(|char| Item::CodePoint(char.into())));
        match result {
            DecoderResult::InputEmpty => return items,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(length, after) => {
                let length = u64::from(length);
                items.push(Item::Error { offset: read as u64 - u64::from(after) - length, length });
            }
        }
    }
}

/// The items of a stream, with every event checked to begin where the one before it ends.
fn decoded(system: System, octets: &[u8]) -> Vec<Item> {
    let mut end = 0;
    let item = |event: utfhdl_codec::Event| {
        assert_eq!(event.offset, end, "{system} {octets:02X?}");
        end += event.length;
        match event.what {
            Slot::CodePoint(code_point) => Item::CodePoint(code_point),
            Slot::Error(_) => Item::Error { offset: event.offset, length: event.length },
            Slot::Head(_) | Slot::Limb(_) => panic!("no code point is longer than 32 bits"),
        }
    };
    let items = system.decode(octets).map(item).collect();
    assert_eq!(end, octets.len() as u64, "{system} {octets:02X?}");
    items
}

#[track_caller]
fn agree(system: System, octets: &[u8]) {
    let (ours, expected) = (decoded(system, octets), expected(system, octets));
    if ours != expected {
        let at = ours.iter().zip(&expected).take_while(|(ours, expected)| ours == expected).count();
        let some = |items: &[Item]| items.iter().skip(at).take(4).copied().collect::<Vec<_>>();
        panic!("{system}, item {at}: {:X?}, not {:X?}", some(&ours), some(&expected));
    }
}

/// Each frame of octets by itself, with nothing after it; and after it, an ASCII letter and a lead.
fn agree_in_all_frames(system: System, octets: &[u8]) {
    agree(system, octets);
    agree(system, &[octets, b"a\xB0\xA1"].concat());
}

#[test]
fn every_octet_and_every_two_octets() {
    for system in System::multi_octet() {
        for first in 0..=0xFF {
            agree_in_all_frames(system, &[first]);
            for second in 0..=0xFF {
                agree_in_all_frames(system, &[first, second]);
            }
        }
    }
}

#[test]
fn three_octets_of_euc_jp() {
    let system = System::MultiOctet(MultiOctet::EucJp);
    for pair in 0..=0xFFFF_u16 {
        let [second, third] = pair.to_be_bytes();
        agree_in_all_frames(system, &[0x8F, second, third]);
        agree_in_all_frames(system, &[0x8E, second, third]);
    }
}

/// Every lead, digit, lead and digit, in one stream; and all that breaks off after a lead and a digit, or after another lead.
#[test]
fn four_octets_of_gb18030() {
    for set in [MultiOctet::Gbk, MultiOctet::Gb18030] {
        let system = System::MultiOctet(set);
        let (leads, digits) = (0x81..=0xFE_u8, b'0'..=b'9');
        let mut stream = Vec::new();
        for first in leads.clone() {
            for second in digits.clone() {
                for third in leads.clone() {
                    digits.clone().for_each(|fourth| stream.extend([first, second, third, fourth]));
                }
            }
        }
        assert_eq!(stream.len(), 4 * 126 * 10 * 126 * 10);
        agree(system, &stream);
        for pair in 0..=0xFFFF_u16 {
            let [third, fourth] = pair.to_be_bytes();
            agree_in_all_frames(system, &[0x81, b'0', third, fourth]);
            agree_in_all_frames(system, &[0xFE, b'9', third, fourth]);
        }
    }
}

/// Octets in which those at the edges of ranges are frequent.
fn noise(random: &mut ChaCha8Rng, length: usize) -> Vec<u8> {
    const EDGES: [u8; 32] = [
        0x00, 0x2F, 0x30, 0x39, 0x3A, 0x3F, 0x40, 0x41, 0x5C, 0x7E, 0x7F, 0x80, 0x81, 0x84, 0x88, 0x8E, 0x8F,
        0x90, 0x9F, 0xA0, 0xA1, 0xA3, 0xC6, 0xDF, 0xE0, 0xE3, 0xF0, 0xF9, 0xFC, 0xFD, 0xFE, 0xFF,
    ];
    let mut octet = || match random.next_u32() {
        bits if bits & 0x100 == 0 => bits as u8,
        bits => EDGES[bits as usize % EDGES.len()],
    };
    (0..length).map(|_| octet()).collect()
}

/// How many octets of noise each set has: `UTFHDL_NOISE`, or 200000.
fn noise_length() -> usize {
    std::env::var("UTFHDL_NOISE").ok().map_or(200_000, |text| text.parse().expect("UTFHDL_NOISE is a number"))
}

/// Text of a set in which an octet in `every` is another one.
fn mutated(system: System, random: &mut ChaCha8Rng, length: usize, every: u32) -> Vec<u8> {
    let points = (0..length).map(|_| match random.next_u32() {
        bits if bits & 3 == 0 => Slot::CodePoint(bits >> 8 & 0x7F),
        bits if bits & 3 == 1 => Slot::CodePoint(bits >> 8 & 0xFFFF),
        bits if bits & 3 == 2 => Slot::CodePoint(0x4E00 + (bits >> 8) % 0x5000),
        bits => Slot::CodePoint((bits >> 8) % 0x11_0000),
    });
    let mut octets: Vec<u8> = system.encode(&points.collect::<Vec<_>>(), OnError::Drop).unwrap();
    for octet in &mut octets {
        let bits = random.next_u32();
        if bits.is_multiple_of(every) {
            *octet = (bits >> 16) as u8;
        }
    }
    octets
}

#[test]
fn noise_and_mutated_text() {
    let length = noise_length();
    for (system, seed) in System::multi_octet().zip(1..) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        agree(system, &noise(&mut random, length));
        agree(system, &mutated(system, &mut random, length / 2, 16));
        for length in 0..200 {
            agree(system, &noise(&mut random, length));
        }
    }
}

/// Counts, errors and transcoding, which have a fast path, and input in pieces, with rooms of all sizes.
#[test]
fn the_fast_path_and_pieces() {
    for (system, seed) in System::multi_octet().zip(1..) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let streams = [noise(&mut random, 4000), mutated(system, &mut random, 4000, 64), vec![b'a'; 300]];
        let octets = streams.concat();
        let (text, _) = theirs(system).decode_without_bom_handling(&octets);
        let mut counts = Counts { units: octets.len() as u64, ..Counts::default() };
        system.decode(&octets).for_each(|event| counts.add(event));
        assert_eq!(system.count(&octets), counts, "{system}");
        let errors = decoded(system, &octets).into_iter().filter(|item| matches!(item, Item::Error { .. }));
        assert_eq!(counts.errors, errors.count() as u64, "{system}");
        assert_eq!((counts.utf_8, counts.utf_16), (text.len() as u64, text.encode_utf16().count() as u64));

        let mut transcoder = Transcoder::new(system, System::Utf8, OnError::Replace);
        let (mut written, mut rest) = (Vec::new(), &octets[..]);
        loop {
            let mut room = [0; 64];
            let room = &mut room[..1 + random.next_u32() as usize % 64];
            let piece = rest.len().min(random.next_u32() as usize % 100);
            let last = piece == rest.len();
            let progress = transcoder.transcode(&rest[..piece], room, last);
            written.extend_from_slice(&room[..progress.written]);
            rest = &rest[progress.read..];
            if last && progress.status == Status::Finished {
                break;
            }
        }
        assert_eq!(String::from_utf8(written).unwrap(), text, "{system}");
    }
}

#[test]
fn every_code_point_is_written_the_same() {
    for system in System::multi_octet() {
        let mut encoder = theirs(system).new_encoder();
        let mut ours = system.encoder(OnError::Strict);
        for char in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let mut text = [0; 4];
            let mut octets = [0; 16];
            let (result, _, written) =
                encoder.encode_from_utf8_without_replacement(char.encode_utf8(&mut text), &mut octets, false);
            let expected = match result {
                EncoderResult::InputEmpty => Some(&octets[..written]),
                EncoderResult::Unmappable(_) => None,
                EncoderResult::OutputFull => panic!("16 octets are enough"),
            };
            let mut room = [0_u8; 8];
            let progress = ours.encode(&[Slot::CodePoint(char.into())], &mut room, false);
            let written = (progress.status == Status::Finished).then_some(&room[..progress.written]);
            assert_eq!(written, expected, "{system} {char:?}");
        }
    }
}

/// Surrogates, and what is past Unicode, are in no set. U+FFFD is in `gb18030` only, as the standard's arithmetic has it.
#[test]
fn what_sets_lack_is_replaced() {
    let slots = [0xD800, 0xDFFF, 0x11_0000, u32::MAX].map(Slot::CodePoint);
    for system in System::multi_octet() {
        let replacement: &[u8] = match system {
            System::MultiOctet(MultiOctet::Gb18030) => &[0x84, 0x31, 0xA4, 0x37],
            _ => b"?",
        };
        assert_eq!(
            system.encode::<_, u8>(&slots, OnError::Replace).unwrap(),
            replacement.repeat(4),
            "{system}"
        );
    }
}

/// The kinds of error, by the rules of docs/encodings.md.
#[test]
fn errors_have_kinds() {
    use ErrorKind::{Invalid, OutOfRange, Truncated};
    let (point, error) = (Slot::CodePoint, Slot::Error);
    for (name, octets, slots) in [
        ("gbk", &b"\xFF"[..], &[error(Invalid)][..]),
        ("gbk", b"\x81", &[error(Truncated)]),
        ("gbk", b"\x81\xFF", &[error(Truncated)]),
        ("gbk", b"\x81\x20", &[error(Truncated), point(0x20)]),
        ("gbk", b"\x81\x300", &[error(Truncated), point(0x30), point(0x30)]),
        ("gb18030", b"\x81\x30\x81", &[error(Truncated)]),
        ("gb18030", b"\x81\x30\x81a", &[error(Truncated), point(0x30), point(0x4E64)]),
        ("gb18030", b"\x81\x30\x81\xFF", &[error(Truncated), point(0x30), error(Truncated)]),
        ("gb18030", b"\x84\x31\xA5\x30", &[error(Invalid)]),
        ("gb18030", b"\xE3\x32\x9A\x36", &[error(OutOfRange)]),
        ("shift_jis", b"\xA0\xFD", &[error(Invalid), error(Invalid)]),
        ("shift_jis", b"\x81\xAD", &[error(Invalid)]),
        ("shift_jis", b"\xEB\x40", &[error(Invalid), point(0x40)]),
        ("euc-jp", b"\x8F\xA1\xA1", &[error(Invalid)]),
        ("euc-jp", b"\x8F\xA1A", &[error(Truncated), point(0x41)]),
        ("euc-jp", b"\x8E\xE0", &[error(Invalid)]),
        ("euc-kr", b"\xC9\xA1", &[error(Invalid)]),
        ("big5", b"\x88\x62", &[point(0xCA), point(0x304)]),
        ("big5", b"\x80\x81\x40", &[error(Invalid), error(Invalid), point(0x40)]),
    ] {
        let system: System = name.parse().unwrap();
        let decoded: Vec<Slot> = system.decode(octets).map(Slot::from).collect();
        assert_eq!(decoded, slots, "{name} {octets:02X?}");
    }
}
