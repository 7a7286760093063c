//! Encoders: replacements, groups of limbs that break the rules, buffers with little room.

use utfhdl_codec::ErrorKind::{Invalid, Overlong, Truncated, Unencodable, Unexpected};
use utfhdl_codec::{Codec, ErrorKind, OnError, Refused, Slot, Status, System, Transcoder};

use crate::common::{hex, system};

const A: Slot = Slot::CodePoint(0x41);

fn replaced(name: &str, slots: &[Slot]) -> Vec<u32> {
    system(name).encode(slots, OnError::Replace).unwrap()
}

#[test]
fn errors_become_u_fffd_or_u_3f_or_the_last_code_point() {
    let error = [Slot::Error(Overlong)];
    assert_eq!(replaced("utf-8", &error), hex("EF BF BD"));
    assert_eq!(replaced("utf-8-rfc2279", &error), hex("EF BF BD"));
    assert_eq!(replaced("utf-inf-8", &error), hex("EF BF BD"));
    // 0001 11111 11111 11101
    assert_eq!(replaced("utf-8-65bit", &error), hex("D1 9F 9F 9D"));
    assert_eq!(replaced("utf-9", &error), [0o777, 0o375]);
    assert_eq!(replaced("utf-18", &error), [0o177, 0o775]);
    // FFFD - 4256 is EF5D, 1110 111101 011101.
    assert_eq!(replaced("corrected-utf-8", &error), hex("EE BD 9D"));
    assert_eq!(replaced("hunk-5", &error), [0b11100, 0b10111, 0b10111]);
    assert_eq!(replaced("hunk-4", &error), [0b1111, 0b1011, 0b1011, 0b1011]);
    assert_eq!(replaced("hunk-3", &error), [0b011]);
    assert_eq!(replaced("hunk-2", &error), [0b01]);
    assert_eq!(replaced("hunk-1", &error), [0b0]);
}

/// In `utf-inf-8` with at most eighteen digits: the units, and what strict encoding says.
#[track_caller]
fn group(slots: &[Slot], units: &str, refused: (usize, ErrorKind)) {
    let system = System::UtfInf8 { digits: 18 };
    assert_eq!(system.encode(slots, OnError::Replace), Ok(hex(&units.replace("ERROR", "EF BF BD"))));
    assert_eq!(system.encode(slots, OnError::Drop), Ok(hex(&units.replace("ERROR", ""))));
    let (index, kind) = refused;
    assert_eq!(system.encode::<_, u32>(slots, OnError::Strict), Err(Refused { index, kind }));
}

#[test]
fn groups_that_break_the_rules_of_the_stream_are_one_error_each() {
    let error = Slot::Error(Overlong);
    let (head, limb) = (Slot::Head, Slot::Limb);
    group(&[A, limb(1), A], "41 ERROR 41", (1, Unexpected));
    group(&[head(0), A], "ERROR 41", (0, Invalid));
    group(&[head(1), limb(1), A], "ERROR ERROR 41", (0, Invalid));
    group(&[head(2), limb(0), limb(1), A], "ERROR 41", (2, Invalid));
    group(&[head(2), limb(1), A], "ERROR 41", (1, Truncated));
    group(&[head(2), limb(1)], "ERROR", (1, Truncated));
    group(&[head(2)], "ERROR", (0, Truncated));
    group(&[head(2), head(2), limb(1), limb(0)], "ERROR FE 84 80 80 80 80 80", (0, Truncated));
    group(&[head(2), limb(1), error, A], "ERROR 41", (2, Overlong));
    group(&[head(2), error, A], "ERROR 41", (1, Overlong));
}

#[test]
fn what_is_written_of_a_group_that_is_cut_stays() {
    let head = [Slot::Head(3), Slot::Limb(0x80)];
    // Eighteen digits, the first two of them in the first limb: FF A0, then 100000 00….
    group(&[head[0], head[1], A], "FF A0 A0 ERROR 41", (1, Truncated));
    group(&[head[0], head[1], Slot::Error(Overlong)], "FF A0 A0 ERROR", (2, Overlong));
}

#[test]
fn code_points_past_the_limit_of_digits_are_one_error() {
    let nineteen = [Slot::Head(3), Slot::Limb(0x100), Slot::Limb(0), Slot::Limb(0)];
    group(&[&nineteen[..], &[A]].concat(), "ERROR 41", (3, Unencodable));
    let units = "FF A1 80 81 80 80 80 80 80 80 80 80 80 80 80 80";
    assert_eq!(System::UtfInf8 { digits: 19 }.encode(&nineteen, OnError::Strict), Ok(hex(units)));
}

#[test]
fn long_code_points_are_errors_where_a_system_has_none() {
    let long = [Slot::Head(2), Slot::Limb(1), Slot::Limb(0)];
    for system in System::all().chain(System::of_software()) {
        let strict = system.encode::<_, u32>(&long, OnError::Strict);
        let has = match system {
            System::Hunk(width) => width.bits() >= 8,
            System::Utf8EightByte | System::Utf8SixtyFiveBit | System::UtfInf8 { .. } => true,
            _ => false,
        };
        assert_eq!(strict.is_ok(), has, "{system}");
        if !has {
            assert_eq!(strict, Err(Refused { index: 2, kind: Unencodable }));
        }
    }
}

#[test]
fn errors_are_counted_over_streams() {
    let mut encoder = System::Utf8.encoder(OnError::Drop);
    let mut room = [0_u8; 8];
    for expected in [2, 4] {
        let progress = encoder.encode(&[Slot::CodePoint(0xD800), A, Slot::Error(Overlong)], &mut room, true);
        assert_eq!((progress.read, progress.written, progress.status), (3, 1, Status::Finished));
        assert_eq!(encoder.errors(), expected);
    }
}

#[test]
fn strict_encoding_can_go_on_behind_what_it_stopped_at() {
    let mut encoder = System::Utf8.encoder(OnError::Strict);
    let mut room = [0_u8; 8];
    let slots = [A, Slot::CodePoint(0x11_0000), A];
    let progress = encoder.encode(&slots, &mut room, true);
    assert_eq!((progress.read, progress.written, progress.status), (2, 1, Status::Refused(Unencodable)));
    let progress = encoder.encode(&slots[2..], &mut room, true);
    assert_eq!((progress.read, progress.written, progress.status), (1, 1, Status::Finished));
}

/// A type of units that is narrower than those of the system loses no bits: what it has no room for is an error.
#[test]
fn units_that_a_type_has_no_room_for_are_refused() {
    let refused = |index| Refused { index, kind: ErrorKind::Unencodable };
    for (name, fits, is_too_wide) in
        [("utf-16", 'é', '€'), ("utf-32", 'é', '€'), ("utf-9", 'é', 'Ā'), ("utf-18", 'é', '\u{1FF}')]
    {
        let slots = [fits, is_too_wide, fits].map(|character| Slot::CodePoint(character.into()));
        let system = system(name);
        let encoded = system.encode::<_, u32>(&slots, OnError::Strict).unwrap();
        assert!(encoded.iter().any(|&unit| unit > 0xFF), "{name}");
        assert_eq!(system.encode::<_, u8>(&slots, OnError::Strict).err(), Some(refused(1)), "{name}");
        let of = |slots: &[Slot]| system.encode::<_, u8>(slots, OnError::Strict).unwrap();
        let one = of(&slots[..1]);
        let question = of(&[Slot::CodePoint('?'.into())]);
        let replaced = system.encode::<_, u8>(&slots, OnError::Replace);
        assert_eq!(replaced, Ok([&one[..], &question, &one].concat()), "{name}");
        assert_eq!(system.encode::<_, u8>(&slots, OnError::Drop), Ok([&one[..], &one].concat()), "{name}");
        let text = String::from_iter([fits, is_too_wide, fits]);
        let mut transcoder = Transcoder::new(System::Utf8, system, OnError::Strict);
        let status = transcoder.transcode(text.as_bytes(), &mut [0_u8; 64], true).status;
        assert_eq!(status, Status::Refused(ErrorKind::Unencodable), "{name}");
    }
    let emoji = [Slot::CodePoint(0x1_F600)];
    assert_eq!(system("utf-32").encode::<_, u16>(&emoji, OnError::Strict).err(), Some(refused(0)));
}
