//! Comparison with other people's software on the same octets: Python's codecs, ICU's converter and encoding_rs.
//!
//! If their results differ, the documents decide: docs/encodings.md lists these cases, and the inputs here avoid them.

use std::fmt::Write as _;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use utfhdl_codec::{Codec, ErrorKind, OnError, Slot, System};

use crate::common::programs::printed;
use crate::common::samples::{is_all, one_in};

/// Decodes, or encodes, a line each: the codec, how it handles errors, and octets or code points.
const PYTHON: &str = r#"
import sys
for line in sys.stdin:
    name, errors, what, data = line.rstrip("\n").split(":")
    if what == "decode":
        print(" ".join(f"{ord(c):X}" for c in bytes.fromhex(data).decode(name, errors)))
    else:
        print("".join(chr(int(p, 16)) for p in data.split()).encode(name, errors).hex(" ").upper())
"#;

fn system(name: &str) -> System {
    name.parse().unwrap()
}

fn words(numbers: impl IntoIterator<Item = u32>) -> String {
    let words: Vec<String> = numbers.into_iter().map(|number| format!("{number:X}")).collect();
    words.join(" ")
}

/// The code points of a stream, with U+FFFD for each error.
fn replaced(system: System, octets: &[u8]) -> Vec<u32> {
    let replaced = system.decode(octets).map(|event| match event.what {
        Slot::CodePoint(code_point) => code_point,
        _ => 0xFFFD,
    });
    replaced.collect()
}

/// Octets in the order of UTF-16 or UTF-32 that are mostly text, with surrogates and any octets in between.
fn octets(random: &mut ChaCha8Rng, width: usize, big: bool) -> Vec<u8> {
    let mut octets = Vec::new();
    for _ in 0..random.random_range(0..12) {
        let unit: u32 = match random.random_range(0..8) {
            0..=2 => random.random_range(0..0xD800),
            3..=4 => random.random_range(0xD800..0xDC00),
            5 => random.random_range(0xDC00..0xE000),
            6 => random.random_range(0..0x11_0100),
            _ => random.random(),
        };
        let bytes = unit.to_le_bytes();
        let mut bytes = bytes[..width].to_vec();
        if big {
            bytes.reverse();
        }
        octets.extend(bytes);
    }
    octets
}

/// Whether a stream of UTF-16 ends in a high surrogate followed by one octet. Python and the Encoding Standard make one
/// error of both.
fn ends_in_both(octets: &[u8], big: bool) -> bool {
    let (pairs, rest) = octets.as_chunks::<2>();
    let read = if big { u16::from_be_bytes } else { u16::from_le_bytes };
    let units = pairs.iter().map(|&pair| read(pair));
    let last = char::decode_utf16(units).last();
    matches!(last, Some(Err(unpaired)) if unpaired.unpaired_surrogate() < 0xDC00) && !rest.is_empty()
}

#[test]
#[ignore = "runs Python"]
fn python_decodes_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut cases = Vec::new();
    for _ in 0..4000 {
        for (name, codec, width, big, mark) in [
            ("utf-16be", "utf-16-be", 2, true, &[][..]),
            ("utf-16le", "utf-16-le", 2, false, &[]),
            ("utf-16be,bom=on", "utf-16", 2, true, &[0xFE, 0xFF]),
            ("utf-16be,bom=on", "utf-16", 2, false, &[0xFF, 0xFE]),
            ("utf-32be", "utf-32-be", 4, true, &[]),
            ("utf-32le", "utf-32-le", 4, false, &[]),
            ("utf-32le,bom=on", "utf-32", 4, true, &[0, 0, 0xFE, 0xFF]),
            ("utf-32le,bom=on", "utf-32", 4, false, &[0xFF, 0xFE, 0, 0]),
            ("latin-1", "latin-1", 2, true, &[]),
            ("ascii", "ascii", 2, true, &[]),
            ("utf-8,bom=strip", "utf-8-sig", 2, true, &[0xEF, 0xBB, 0xBF]),
            ("utf-8,bom=add", "utf-8-sig", 2, true, &[]),
        ] {
            let mut body = octets(&mut random, width, big);
            body.truncate(body.len() - random.random_range(0..=body.len().min(3)));
            if codec.starts_with("utf-16") && ends_in_both(&body, big) {
                continue;
            }
            cases.push((system(name), codec, [mark, &body].concat()));
        }
    }
    let mut input = String::new();
    for (_, codec, octets) in &cases {
        let hex: String = octets.iter().map(|octet| format!("{octet:02X}")).collect();
        writeln!(input, "{codec}:replace:decode:{hex}").unwrap();
    }
    let theirs = String::from_utf8(printed("python3", &["-c", PYTHON], input.as_bytes())).unwrap();
    assert_eq!(theirs.lines().count(), cases.len());
    for ((system, codec, octets), theirs) in cases.iter().zip(theirs.lines()) {
        assert_eq!(words(replaced(*system, octets)), theirs, "{system} and {codec}: {octets:02X?}");
    }
}

/// A text that `system` has, with code points of all lengths.
fn text(random: &mut ChaCha8Rng, system: System) -> Vec<Slot> {
    let mut text = Vec::new();
    for _ in 0..random.random_range(0..12) {
        let point = Slot::CodePoint(random.random::<u32>() >> random.random_range(11..32));
        text.push(point);
        if system.encode::<_, u8>(&text, OnError::Strict).is_err() {
            text.pop();
        }
    }
    text
}

fn code_point(slot: &Slot) -> u32 {
    let Slot::CodePoint(code_point) = *slot else { panic!("{slot:?}") };
    code_point
}

#[test]
#[ignore = "runs Python"]
fn python_encodes_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let codecs = [
        ("utf-16be", "utf-16-be", "strict"),
        ("utf-16le", "utf-16-le", "strict"),
        ("utf-32be", "utf-32-be", "strict"),
        ("utf-32le", "utf-32-le", "strict"),
        ("latin-1", "latin-1", "strict"),
        ("ascii", "ascii", "strict"),
        ("utf-8,bom=add", "utf-8-sig", "strict"),
        ("wtf-8", "utf-8", "surrogatepass"),
    ];
    let cases = (0..4000).flat_map(|_| codecs);
    let cases: Vec<_> = cases.map(|case| (case, text(&mut random, system(case.0)))).collect();
    let mut input = String::new();
    for ((_, codec, errors), text) in &cases {
        writeln!(input, "{codec}:{errors}:encode:{}", words(text.iter().map(code_point))).unwrap();
    }
    let theirs = String::from_utf8(printed("python3", &["-c", PYTHON], input.as_bytes())).unwrap();
    assert_eq!(theirs.lines().count(), cases.len());
    for (((name, ..), text), theirs) in cases.iter().zip(theirs.lines()) {
        let octets: Vec<u8> = system(name).encode(text, OnError::Strict).unwrap();
        let ours: Vec<String> = octets.iter().map(|octet| format!("{octet:02X}")).collect();
        assert_eq!(ours.join(" "), theirs, "{name}: {text:X?}");
        let again: Vec<Slot> = system(name).decode(&octets).map(Slot::from).collect();
        assert_eq!(&again, text, "{name}");
    }
}

#[test]
#[ignore = "runs uconv of ICU"]
fn icu_converts_cesu_8_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let text: Vec<Slot> = (0..4000).flat_map(|_| text(&mut random, System::Cesu8)).collect();
    let cesu_8: Vec<u8> = System::Cesu8.encode(&text, OnError::Strict).unwrap();
    let utf_32: Vec<u8> = system("utf-32be").encode(&text, OnError::Strict).unwrap();
    assert_eq!(printed("uconv", &["-f", "UTF-32BE", "-t", "CESU-8"], &utf_32), cesu_8);
    assert_eq!(printed("uconv", &["-f", "CESU-8", "-t", "UTF-32BE"], &cesu_8), utf_32);
}

#[test]
fn encoding_rs_reads_utf_16_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for (name, theirs, big) in
        [("utf-16be", encoding_rs::UTF_16BE, true), ("utf-16le", encoding_rs::UTF_16LE, false)]
    {
        for _ in 0..20_000 {
            let mut octets = octets(&mut random, 2, big);
            octets.truncate(octets.len() - random.random_range(0..=octets.len().min(1)));
            if ends_in_both(&octets, big) {
                continue;
            }
            let (text, _) = theirs.decode_without_bom_handling(&octets);
            let ours: Vec<char> = replaced(system(name), &octets)
                .into_iter()
                .map(|point| char::from_u32(point).unwrap())
                .collect();
            assert_eq!(ours, text.chars().collect::<Vec<char>>(), "{name}: {octets:02X?}");
        }
    }
}

/// Octets that Windows leaves undefined and the Encoding Standard maps to the C1 controls of the same number; and CA of windows-1255,
/// which the Standard has as U+05BA. Python and glibc have no code points for them.
const UNDEFINED_IN_WINDOWS: [(&str, &str); 9] = [
    ("windows-874", "81 82 83 84 86 87 88 89 8A 8B 8C 8D 8E 8F 90 98 99 9A 9B 9C 9D 9E 9F"),
    ("windows-1250", "81 83 88 90 98"),
    ("windows-1251", "98"),
    ("windows-1252", "81 8D 8F 90 9D"),
    ("windows-1253", "81 88 8A 8C 8D 8E 8F 90 98 9A 9C 9D 9E 9F"),
    ("windows-1254", "81 8D 8E 8F 90 9D 9E"),
    ("windows-1255", "81 8A 8C 8D 8E 8F 90 9A 9C 9D 9E 9F CA"),
    ("windows-1257", "81 83 88 8A 8C 90 98 9A 9C 9F"),
    ("windows-1258", "81 8A 8D 8E 8F 90 9A 9D 9E"),
];

/// Octets for which others have another code point. Letters of Belarusian in koi8-u, by the Encoding Standard; the older currency sign,
/// increment and Apple's logo in Mac OS; an overline for a macron, and an ogonek and a dash in EBCDIC.
const OTHERS_DIFFER: [(&str, &str, u8, u32); 11] = [
    ("koi8-u", "Python", 0xAE, 0x255D),
    ("koi8-u", "Python", 0xBE, 0x256C),
    ("koi8-u", "glibc", 0xAE, 0x255D),
    ("koi8-u", "glibc", 0xBE, 0x256C),
    ("macintosh", "glibc", 0xC6, 0x394),
    ("macintosh", "glibc", 0xF0, 0xE01E),
    ("x-mac-cyrillic", "glibc", 0xFF, 0xA4),
    ("ebcdic-273", "Python", 0xBC, 0x203E),
    ("ebcdic-1026", "glibc", 0x9D, 0x2DB),
    ("ebcdic-1026", "glibc", 0xBC, 0x2014),
    ("ebcdic-1026", "ICU", 0x9A, 0x20BA),
];

/// The name of a set in Python, if there is one, and in glibc.
fn names_of_others(set: &str) -> (Option<String>, String) {
    let (kind, number) = set.rsplit_once('-').unwrap_or((set, ""));
    match (set, kind) {
        ("macintosh", _) => (Some("mac_roman".to_owned()), "MACINTOSH".to_owned()),
        ("x-mac-cyrillic", _) => (Some("mac_cyrillic".to_owned()), "MAC-CYRILLIC".to_owned()),
        ("ebcdic-1047", _) => (None, "IBM1047".to_owned()),
        (_, "windows" | "ebcdic") => {
            let theirs = if kind == "windows" { "CP" } else { "IBM" };
            (Some(format!("cp{number}")), format!("{theirs}{number}"))
        }
        _ => (Some(set.to_owned()), set.to_uppercase()),
    }
}

/// The code points of the octets of a set; with what another has for them.
fn code_points(system: System, other: Option<&str>) -> Vec<(u8, u32)> {
    let set = system.name().strip_prefix("table:").unwrap();
    let missing = UNDEFINED_IN_WINDOWS.iter().filter(|(name, _)| other.is_some() && *name == set);
    let missing: Vec<&str> = missing.flat_map(|(_, octets)| octets.split(' ')).collect();
    let differs = |octet| {
        let found =
            OTHERS_DIFFER.iter().find(|&&(name, of, at, _)| (name, Some(of), at) == (set, other, octet));
        found.map(|&(.., theirs)| theirs)
    };
    let all: Vec<u8> = (0..=0xFF).collect();
    let events = system.decode(&all).zip(0..=0xFF).filter_map(|(event, octet)| match event.what {
        Slot::CodePoint(code_point) => Some((octet, differs(octet).unwrap_or(code_point))),
        _ => None,
    });
    events.filter(|(octet, _)| !missing.contains(&format!("{octet:02X}").as_str())).collect()
}

/// The code points in `utf_32be` that a set of Windows has in glibc.
fn own_of(name: &str, utf_32be: &[u8]) -> Vec<u8> {
    let set = system(&format!("table:{name}"));
    let own: Vec<[u8; 4]> =
        code_points(set, Some("glibc")).iter().map(|&(_, point)| point.to_be_bytes()).collect();
    let has = utf_32be.as_chunks().0.iter().filter(|octets: &&[u8; 4]| own.contains(octets));
    has.flatten().copied().collect()
}

/// The code points of Unicode's first two planes but surrogates, in the order of UTF-32BE.
fn two_planes() -> Vec<u8> {
    (0..0x2_0000_u32).filter_map(char::from_u32).flat_map(|char| u32::from(char).to_be_bytes()).collect()
}

#[test]
fn encoding_rs_has_the_same_tables() {
    let tables: Vec<System> = System::tables().filter(|system| !system.name().contains("ebcdic")).collect();
    assert_eq!(tables.len(), 27);
    for system in tables {
        let name = system.name().strip_prefix("table:").unwrap();
        let theirs = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
        for octet in 0..=0xFF {
            let octets = [octet];
            let ours: Vec<Slot> = system.decode(&octets).map(Slot::from).collect();
            let text = theirs.decode_without_bom_handling_and_without_replacement(&octets);
            let text = text.and_then(|text| text.chars().next());
            let expected = text.map_or(Slot::Error(ErrorKind::Invalid), |char| Slot::CodePoint(char.into()));
            assert_eq!(ours, [expected], "{name}: {octet:02X}");
        }
        for char in (0..0x2_0000_u32).filter_map(char::from_u32) {
            let ours = system.encode::<_, u8>(&[Slot::CodePoint(char.into())], OnError::Strict);
            let mut text = [0; 4];
            let (octets, _, is_lacking) = theirs.encode(char.encode_utf8(&mut text));
            assert_eq!(ours.ok().as_deref(), (!is_lacking).then_some(&*octets), "{name}: {char:?}");
        }
    }
}

/// A conversion by a program for a set: its arguments, and the input.
type Conversion<'a> = &'a dyn Fn(&str, &str, &[u8]) -> Vec<u8>;

/// Holds tables to those of `other`, which `convert` asks: from one character set to another.
fn tables_are_those_of(other: &str, name_of: impl Fn(&str) -> Option<String>, convert: Conversion) {
    let all: Vec<u8> = (0..=0xFF).collect();
    let planes = two_planes();
    for system in one_in(3, is_all("UTFHDL_PAIRS"), System::tables()) {
        let set = system.name().strip_prefix("table:").unwrap();
        let Some(name) = name_of(set) else { continue };
        let mut expected = code_points(system, Some(other));
        let theirs = convert(&name, "UTF-32BE", &all);
        let theirs: Vec<u32> =
            theirs.as_chunks().0.iter().map(|&octets| u32::from_be_bytes(octets)).collect();
        assert_eq!(words(theirs), words(expected.iter().map(|&(_, point)| point)), "{set} of {other}");
        expected.sort_by_key(|&(_, code_point)| code_point);
        let octets: Vec<u8> = expected.iter().map(|&(octet, _)| octet).collect();
        assert_eq!(convert("UTF-32BE", &name, &planes), octets, "{set} of {other}, written");
        let points = expected.iter().map(|&(_, point)| Slot::CodePoint(point));
        let is_of_other =
            |octet| OTHERS_DIFFER.iter().any(|&(name, of, at, _)| (name, of, at) == (set, other, octet));
        for (point, &octet) in points.zip(&octets).filter(|&(_, &octet)| !is_of_other(octet)) {
            assert_eq!(system.encode(&[point], OnError::Strict), Ok(vec![octet]), "{set}: {point:?}");
        }
    }
}

#[test]
#[ignore = "runs Python"]
fn python_has_the_same_tables() {
    const CONVERT: &str = "import sys; read, write = sys.argv[1:]
sys.stdout.buffer.write(sys.stdin.buffer.read().decode(read, 'ignore').encode(write, 'ignore'))";
    tables_are_those_of("Python", |set| names_of_others(set).0, &|from, to, input| {
        printed("python3", &["-c", CONVERT, from, to], input)
    });
}

/// Pairs that another program decodes otherwise.
struct OtherPairs {
    system: &'static str,
    codec: &'static str,
    /// Pairs, and their code points there.
    differ: &'static [(u16, u32)],
    /// The number of pairs that are errors there.
    missing: usize,
}

const PAIRS_OF_PYTHON: [OtherPairs; 6] = [
    OtherPairs {
        system: "gb18030",
        codec: "gb18030",
        differ: &[
            (0xA3A0, 0xE5E5),
            (0xA6D9, 0xE78D),
            (0xA6DA, 0xE78E),
            (0xA6DB, 0xE78F),
            (0xA6DC, 0xE790),
            (0xA6DD, 0xE791),
            (0xA6DE, 0xE792),
            (0xA6DF, 0xE793),
            (0xA6EC, 0xE794),
            (0xA6ED, 0xE795),
            (0xA6F3, 0xE796),
            (0xA8BC, 0xE7C7),
            (0xFE59, 0xE81E),
            (0xFE61, 0xE826),
            (0xFE66, 0xE82B),
            (0xFE67, 0xE82C),
            (0xFE6D, 0xE832),
            (0xFE7E, 0xE843),
            (0xFE90, 0xE854),
            (0xFEA0, 0xE864),
        ],
        missing: 0,
    },
    OtherPairs { system: "gbk", codec: "gbk", differ: &[], missing: 2149 },
    OtherPairs { system: "shift-jis", codec: "cp932", differ: &[], missing: 0 },
    OtherPairs {
        system: "euc-jp",
        codec: "euc_jp",
        differ: &[
            (0xA1C1, 0x301C),
            (0xA1C2, 0x2016),
            (0xA1DD, 0x2212),
            (0xA1F1, 0xA2),
            (0xA1F2, 0xA3),
            (0xA2CC, 0xAC),
        ],
        missing: 457,
    },
    OtherPairs { system: "euc-kr", codec: "cp949", differ: &[], missing: 0 },
    OtherPairs {
        system: "big5",
        codec: "big5hkscs",
        differ: &[
            (0xA145, 0x2022),
            (0xA14E, 0xFF64),
            (0xA1C2, 0x203E),
            (0xA1E3, 0x223C),
            (0xA1F2, 0x2641),
            (0xA1F3, 0x2609),
            (0xA241, 0xFF0F),
            (0xA242, 0xFF3C),
            (0xA244, 0xA5),
            (0xA246, 0xA2),
            (0xA247, 0xA3),
        ],
        missing: 192,
    },
];

/// Every pair of octets whose first one is not ASCII, that is one character or a few of them in either.
#[test]
#[ignore = "runs Python"]
fn python_has_the_same_pairs() {
    let pairs: Vec<u16> = (0x8040..=0xFFFE).collect();
    for OtherPairs { system: name, codec, differ, missing } in PAIRS_OF_PYTHON {
        let lines: String = pairs.iter().map(|pair| format!("{codec}:ignore:decode:{pair:04X}\n")).collect();
        let printed = String::from_utf8(printed("python3", &["-c", PYTHON], lines.as_bytes())).unwrap();
        let mut lacking = 0;
        let mut others = Vec::new();
        for (&pair, theirs) in pairs.iter().zip(printed.lines()) {
            let events: Vec<_> = system(name).decode(&pair.to_be_bytes()).collect();
            // A character of one octet, or an error, is not of a pair.
            let is_pair =
                events.iter().all(|event| matches!(event.what, Slot::CodePoint(_)) && event.length != 1);
            if !is_pair {
                continue;
            }
            let ours = words(events.iter().filter_map(|event| match event.what {
                Slot::CodePoint(code_point) => Some(code_point),
                _ => None,
            }));
            // A pair that is an error leaves its second octet to be read again if that is ASCII.
            let is_error = theirs.is_empty() || theirs == format!("{:X}", pair & 0xFF) && pair & 0x80 == 0;
            match is_error {
                true => lacking += 1,
                false if theirs != ours => others.push((pair, u32::from_str_radix(theirs, 16).unwrap())),
                false => {}
            }
        }
        assert_eq!(others, differ, "{name}");
        assert_eq!(lacking, missing, "{name}");
    }
}

#[test]
#[ignore = "runs iconv of glibc"]
fn glibc_has_the_same_tables() {
    tables_are_those_of("glibc", |set| Some(names_of_others(set).1), &|from, to, input| {
        // Letters with marks are written as letter and mark in these two, where those are what the set has.
        let composes = ["CP1255", "CP1258"].contains(&to);
        let input: Vec<u8> = match composes {
            true => own_of(to, input),
            false => input.to_vec(),
        };
        // U+203E is written as the octet of U+00AF, which is not read as U+203E.
        let is_one_way = |point: &[u8]| to.ends_with("1140") && point == [0, 0, 0x20, 0x3E];
        let input: Vec<u8> = input.chunks(4).filter(|point| !is_one_way(point)).flatten().copied().collect();
        // Its status is not 0 if something is left out.
        let script = "iconv -c -f \"$0\" -t \"$1\" || true";
        let convert = |input: &[u8]| printed("sh", &["-c", script, from, to], input);
        match from {
            // A letter and the mark after it are read as one, so octets are read one by one.
            "CP1258" => input.iter().flat_map(|octet| convert(&[*octet])).collect(),
            _ => convert(&input),
        }
    });
}

#[test]
#[ignore = "runs uconv of ICU"]
fn icu_has_the_same_tables_of_ebcdic() {
    let name_of = |set: &str| match set.strip_prefix("ebcdic-") {
        Some("037") => Some("ibm-37".to_owned()),
        number => number.map(|number| format!("ibm-{number}")),
    };
    tables_are_those_of("ICU", name_of, &|from, to, input| {
        printed("uconv", &["-f", from, "-t", to, "--callback", "skip", "--no-fallback"], input)
    });
}
