//! Lists of systems of which each stream has one: by the byte order mark, or by a number.

use utfhdl_codec::{Codec, Event, Slot, System};

fn system(text: &str) -> System {
    text.parse().unwrap()
}

fn slots(system: System, units: &[u32]) -> Vec<Slot> {
    system.decode(units).map(|event| event.what).collect()
}

fn octets(text: &[u8]) -> Vec<u32> {
    text.iter().map(|&octet| octet.into()).collect()
}

/// Marks of the Unicode Standard, core specification, table 2-4, and the text after them.
#[test]
fn a_mark_chooses_the_system() {
    let all = system("auto:utf-8+utf-16be+utf-16le+utf-32be+utf-32le,choose=bom");
    for (text, expected) in [
        (&b"\xEF\xBB\xBF\xE2\x82\xAC"[..], "€"),
        (b"\xFE\xFF\x20\xAC", "€"),
        (b"\xFF\xFE\xAC\x20", "€"),
        (b"\x00\x00\xFE\xFF\x00\x00\x20\xAC", "€"),
        (b"\xFF\xFE\x00\x00\xAC\x20\x00\x00", "€"),
        (b"\xE2\x82\xAC", "€"),
        (b"\xFF\xFE\x00\x41", "\u{4100}"),
        (b"\xFE\xFF\xFE\xFF", "\u{FEFF}"),
        (b"\x00\x00A", "\0\0A"),
        (b"\xEF\xBB\xBF", ""),
        (b"", ""),
    ] {
        let expected: Vec<Slot> = expected.chars().map(|c| Slot::CodePoint(c.into())).collect();
        assert_eq!(slots(all, &octets(text)), expected, "{text:x?}");
    }
    let offsets = |text: &[u8]| -> Vec<(u64, u64)> {
        all.decode(&octets(text)).map(|Event { offset, length, .. }| (offset, length)).collect()
    };
    assert_eq!(offsets(b"\xEF\xBB\xBFA\xC3\xA9"), [(3, 1), (4, 2)]);
    assert_eq!(offsets(b"\xEF\xBBA"), [(0, 2), (2, 1)]);
}

/// Without a mark, the first system of the list has the stream, units that began one included.
#[test]
fn without_a_mark_it_is_the_first_system() {
    let latin_1 = system("auto:latin-1+utf-8+utf-16le,choose=bom");
    for text in [&b"\xE9"[..], b"\xEF", b"\xEF\xBB", b"\xEF\xBBA", b"\xFFA", b"\xFF"] {
        let expected: Vec<Slot> = text.iter().map(|&octet| Slot::CodePoint(octet.into())).collect();
        assert_eq!(slots(latin_1, &octets(text)), expected, "{text:x?}");
    }
}

#[test]
fn the_number_above_the_first_octet_chooses_the_system() {
    let list = system("auto:utf-8+utf-16le+latin-1,choose=port");
    let of = |number: u32, text: &[u8]| -> Vec<Slot> {
        let units: Vec<u32> = octets(text);
        // Numbers above other octets say nothing.
        let units: Vec<u32> =
            units.iter().enumerate().map(|(at, unit)| (number + at as u32) << 8 & 0x300 | unit).collect();
        slots(list, &units)
    };
    let text = b"\xC3\xA9";
    assert_eq!(of(0, text), [Slot::CodePoint(0xE9)]);
    assert_eq!(of(1, text), [Slot::CodePoint(0xA9C3)]);
    assert_eq!(of(2, text), [Slot::CodePoint(0xC3), Slot::CodePoint(0xA9)]);
    // There is no fourth system.
    assert_eq!(of(3, text), [Slot::CodePoint(0xE9)]);
}

/// Streams of all short texts, each cut at every position and followed by another, are those of the chosen system.
#[test]
fn streams_are_those_of_the_chosen_system() {
    let list = system("auto:utf-8+utf-16le+gb18030+utf-inf-8,choose=port");
    let System::Auto(auto) = list else { unreachable!() };
    let parts = [0x41, 0xE2, 0x82, 0xD8, 0x81, 0x30, 0xFF];
    let texts = (0..parts.len().pow(4) as u32)
        .map(|index| [0, 1, 2, 3].map(|at| parts[index as usize / parts.len().pow(at) % parts.len()]));
    let mut decoder = list.decoder();
    for (index, text) in texts.enumerate() {
        let number = index % 4;
        let expected: Vec<Event> = auto.among()[number].decode(&text[..]).collect();
        let units: Vec<u32> = octets(&text).iter().map(|unit| (number as u32) << 8 | unit).collect();
        let cut = index % 5;
        let mut found = Vec::new();
        for (mut piece, last) in [(&units[..cut], false), (&units[cut..], true)] {
            while let Some(event) = decoder.next(&mut piece, last) {
                found.push(event);
            }
        }
        assert_eq!(found, expected, "{text:x?} of {}", auto.among()[number]);
    }
}
