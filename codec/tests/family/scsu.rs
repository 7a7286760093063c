//! Unicode Technical Standard #6.

use utfhdl_codec::ErrorKind::{Reserved, Surrogate, Truncated};

use super::{both_ways, error, events, octets, point, read, written};

/// §9.3: the text, and the octets of it.
const JAPANESE: (&str, &str) = (
    "　♪リンゴ可愛いや可愛いやリンゴ。半世紀も前に流行した「リンゴの歌」がぴったりするかもしれない。米アップルコンピュータ社のパソコン\
     「マック（マッキントッシュ）」を、こよなく愛する人たちのことだ。「アップル信者」なんて言い方まである。",
    "08 00 1B 4C EA 16 CA D3 94 0F 53 EF 61 1B E5 84 C4 0F 53 EF 61 1B E5 84 C4 16 CA D3 94 08 02 0F \
     53 4A 4E 16 7D 00 30 82 52 4D 30 6B 6D 41 88 4C E5 97 9F 08 0C 16 CA D3 94 15 AE 0E 6B 4C 08 0D \
     8C B4 A3 9F CA 99 CB 8B C2 97 CC AA 84 08 02 0E 7C 73 E2 16 A3 B7 CB 93 D3 B4 C5 DC 9F 0E 79 3E \
     06 AE B1 9D 93 D3 08 0C BE A3 8F 08 88 BE A3 8D D3 A8 A3 97 C5 17 89 08 0D 15 D2 08 01 93 C8 AA \
     8F 0E 61 1B 99 CB 0E 4E BA 9F A1 AE 93 A8 A0 08 02 08 0C E2 16 A3 B7 CB 0F 4F E1 80 05 EC 60 8D \
     EA 06 D3 E6 0F 8A 00 30 44 65 B9 E4 FE E7 C2 06 CB 82",
);

/// §9.4: all features, in code points and in octets.
const ALL_FEATURES: (&str, &str) = (
    "A\u{DF}\u{401}\u{15F}\u{DF}\u{1DF}\u{F000}\u{10FFFF}\r\nA\u{DF}\u{401}\u{15F}\u{DF}\u{1DF}\u{F000}\u{10FFFF}",
    "41 DF 12 81 03 5F 10 DF 1B 03 DF 1C 88 80 0B BF FF FF 0D 0A 41 10 DF 12 81 03 5F 10 DF 13 DF 14 80 15 FF",
);

/// §9.1 and §9.2, which leave no choice to an encoder of this kind.
#[test]
fn the_examples_of_one_window() {
    both_ways("scsu", "Öl fließt", &octets("D6 6C 20 66 6C 69 65 DF 74"));
    both_ways("scsu", "Москва", &octets("12 9C BE C1 BA B2 B0"));
}

#[test]
fn the_examples_of_many_windows() {
    for (text, compressed) in [JAPANESE, ALL_FEATURES] {
        let octets = octets(compressed);
        assert_eq!(read("scsu", &octets), text);
        assert_eq!(read("scsu", &written("scsu", text)), text);
    }
}

/// The octets of the document are as few as there can be. An encoder that does not look ahead takes a few more.
#[test]
fn the_size_of_the_examples() {
    for (text, compressed) in [JAPANESE, ALL_FEATURES] {
        let [best, size] = [octets(compressed).len(), written("scsu", text).len()];
        assert!(size <= best + best / 14, "{size} octets, not {best}");
    }
}

/// §8.3: the signature.
#[test]
fn the_signature() {
    assert_eq!(read("scsu", &octets("0E FE FF 41")), "\u{FEFF}A");
}

/// Table 1 and table 2: each tag.
#[test]
fn every_tag() {
    let cases = [
        // Single-byte mode: quotes of static and of dynamic windows.
        ("01 01", "\u{1}"),
        ("02 41 03 81", "\u{C1}\u{401}"),
        ("05 19 04 00", "\u{2019}\u{300}"),
        ("01 80 08 7F", "\u{80}\u{307F}"),
        ("0E D8 3D 0E DE 00 80", "\u{1F600}\u{80}"),
        // Windows: changed, placed, extended.
        ("15 83 80", "\u{3043}\u{3040}"),
        ("1F 68 80 FF", "\u{E000}\u{E07F}"),
        ("18 67 80 19 F9 80 FF", "\u{3380}\u{C0}\u{13F}"),
        ("1A FF 80 1B FA 80", "\u{FF60}\u{250}"),
        ("0B 60 00 80 07 80", "\u{10000}\u{30A0}"),
        // Unicode mode.
        ("0F 4E 00 E2 80", "\u{4E00}\u{400}"),
        ("0F F0 F2 00 F0 E0 01 4E 00", "\u{F200}\u{E001}\u{4E00}"),
        ("0F 00 41 ED 0A 80 81", "A\u{500}\u{501}"),
        ("0F F1 E3 FF 80 41", "\u{2FF80}A"),
        ("0F D8 3D DE 00 F3 00", "\u{1F600}\u{F300}"),
        // Tags between the halves of a pair.
        ("0F D8 3D E0 0E DE 00 80", "\u{1F600}\u{80}"),
        ("00 09 0A 0D 7F", "\0\t\n\r\u{7F}"),
    ];
    for (compressed, text) in cases {
        assert_eq!(read("scsu", &octets(compressed)), text, "{compressed}");
    }
}

#[test]
fn tags_count_to_the_sequence_that_follows() {
    events("scsu", &octets("41 12 9C BE"), &[(1, point('A')), (2, point('М')), (1, point('о'))]);
    // Nothing follows the last tag.
    events("scsu", &octets("41 12"), &[(1, point('A'))]);
}

#[test]
fn errors() {
    let a = point('A');
    events("scsu", &octets("0C 41"), &[(1, error(Reserved)), (1, a)]);
    events("scsu", &octets("18 00 41"), &[(2, error(Reserved)), (1, a)]);
    events("scsu", &octets("18 A8 41"), &[(2, error(Reserved)), (1, a)]);
    events("scsu", &octets("18 F8 80"), &[(2, error(Reserved)), (1, point('\u{80}'))]);
    events("scsu", &octets("0F F2 00 41"), &[(2, error(Reserved)), (2, a)]);
    for cut in ["01", "0B", "0B 60", "0E", "0E 30", "18", "0F 30", "0F F0 30", "0F F1 00"] {
        let octets = octets(cut);
        events("scsu", &octets, &[(octets.len() as u64, error(Truncated))]);
    }
    // A high surrogate, and another unit of UTF-16; a low one alone; tags and a character after a high one.
    events("scsu", &octets("0F D8 00 00 41"), &[(3, error(Surrogate)), (2, a)]);
    events("scsu", &octets("0F DC 00 00 41"), &[(3, error(Surrogate)), (2, a)]);
    events("scsu", &octets("0F D8 00 E0 41"), &[(3, error(Surrogate)), (2, a)]);
    events("scsu", &octets("0F D8 00 E0 0E 00 41"), &[(3, error(Surrogate)), (4, a)]);
    events("scsu", &octets("0E D8 00 41"), &[(3, error(Surrogate)), (1, a)]);
    events("scsu", &octets("0E D8 00 E1"), &[(3, error(Surrogate)), (1, point('á'))]);
    events("scsu", &octets("0F D8 00 E1"), &[(3, error(Surrogate))]);
    events("scsu", &octets("0F D8 00 DC"), &[(4, error(Truncated))]);
}
