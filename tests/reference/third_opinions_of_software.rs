//! Comparison of the systems of software alone with other people's software: Python's codec, ICU's converter and glibc's.
//!
//! If their results differ, the documents decide: docs/encodings-in-software.md lists these cases.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use utfhdl_codec::{Codec, OnError, Slot, System};

use crate::common::programs::printed;
use crate::common::samples::{is_all, one_in};

fn system(name: &str) -> System {
    name.parse().unwrap()
}

fn encoded(name: &str, text: &str) -> Vec<u8> {
    let slots: Vec<Slot> = text.chars().map(|character| Slot::CodePoint(character.into())).collect();
    system(name).encode(&slots, OnError::Strict).unwrap()
}

fn decoded(name: &str, octets: &[u8]) -> String {
    system(name).decode_to_string(octets, OnError::Strict).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The octets that Python writes.
fn python(codec: &str, text: &str) -> Vec<u8> {
    let script = format!(
        "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode('utf-8').encode('{codec}'))"
    );
    printed("python3", &["-c", &script], text.as_bytes())
}

/// The octets that ICU writes in the encoding of this name.
fn to_icu(name: &str, text: &str) -> Vec<u8> {
    printed("uconv", &["-f", "UTF-8", "-t", name], text.as_bytes())
}

fn from_icu(name: &str, octets: &[u8]) -> String {
    String::from_utf8(printed("uconv", &["-f", name, "-t", "UTF-8"], octets)).unwrap()
}

/// Every character, in order. ICU takes U+FEFF at the start for a mark, so it is not the first.
fn all_characters() -> String {
    ('\0'..=char::MAX).collect()
}

/// Blocks of characters that texts are of.
const BLOCKS: [(u32, u32); 14] = [
    (0x20, 0x7E),
    (0x20, 0x7E),
    (0xA0, 0xFF),
    (0x100, 0x17F),
    (0x391, 0x3C9),
    (0x410, 0x44F),
    (0x5D0, 0x5EA),
    (0xE01, 0xE3A),
    (0x2010, 0x20AC),
    (0x3041, 0x30FE),
    (0x4E00, 0x9FA5),
    (0xAC00, 0xD7A3),
    (0xE000, 0xFFFD),
    (0x1_F300, 0x1_F9FF),
];

/// Runs of characters of different blocks, and characters of any.
fn mixed(random: &mut ChaCha8Rng, runs: usize) -> String {
    let mut text = String::new();
    for _ in 0..runs {
        let &(first, last) = match random.random_range(0..8) {
            0 => &(0, 0x10_FFFF),
            _ => BLOCKS.choose(random).unwrap(),
        };
        let length = 1 + random.random_range(0..6) * random.random_range(0..6);
        let characters = (0..length).map(|_| random.random_range(first..=last));
        text.extend(characters.filter_map(char::from_u32));
        if random.random() {
            text.push(*[' ', '\n', '-', '+', 'A', '.'].choose(random).unwrap());
        }
    }
    text
}

/// Texts for a comparison, with all characters among them.
fn texts(seed: u64) -> Vec<String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mixed = (0..60).map(|_| mixed(&mut random, 40));
    let some = one_in(3, is_all("UTFHDL_PAIRS"), mixed).into_iter();
    some.chain([all_characters(), String::new()]).collect()
}

#[test]
#[ignore = "runs Python"]
fn python_writes_the_same_utf_7() {
    for text in texts(1) {
        let ours = encoded("utf-7", &text);
        assert!(ours == python("utf-7", &text), "{text:?}");
        assert!(decoded("utf-7", &ours) == text, "{text:?}");
    }
}

#[test]
#[ignore = "runs iconv of glibc"]
fn glibc_writes_the_same_utf_7_with_set_o_in_base64() {
    for text in texts(2) {
        let theirs = printed("iconv", &["-f", "UTF-8", "-t", "UTF-7"], text.as_bytes());
        assert!(encoded("utf-7,set-o=base64", &text) == theirs, "{text:?}");
        assert!(decoded("utf-7", &theirs) == text, "{text:?}");
    }
}

#[test]
#[ignore = "runs uconv of ICU"]
fn icu_converts_utf_7_the_same() {
    for text in texts(3) {
        assert!(encoded("utf-7", &text) == to_icu("UTF-7", &text), "{text:?}");
        assert!(from_icu("UTF-7", &encoded("utf-7,set-o=base64", &text)) == text, "{text:?}");
    }
}

#[test]
#[ignore = "runs uconv of ICU"]
fn icu_converts_bocu_1_the_same() {
    for text in texts(4) {
        let ours = encoded("bocu-1", &text);
        assert!(ours == to_icu("BOCU-1", &text), "{text:?}");
        assert!(decoded("bocu-1", &ours) == text, "{text:?}");
    }
}

/// An encoder is free to choose, so that each reads what the other writes.
#[test]
#[ignore = "runs uconv of ICU"]
fn icu_reads_and_writes_scsu_that_is_read_and_written_here() {
    for text in texts(5) {
        assert!(from_icu("SCSU", &encoded("scsu", &text)) == text, "{text:?}");
        assert!(decoded("scsu", &to_icu("SCSU", &text)) == text, "{text:?}");
    }
}

/// The first sentences of the Universal Declaration of Human Rights in some languages, and quotation marks and emoji.
const SENTENCES: [&str; 10] = [
    "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.",
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "Все люди рождаются свободными и равными в своем достоинстве и правах.",
    "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "モデルすべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.",
    "It’s “quoted” — and that’s all… Zürich 5 €, “naïve” 😀😀 and 😀.",
];

/// ICU looks at the next characters, and this encoder does not.
#[test]
#[ignore = "runs uconv of ICU"]
fn scsu_takes_about_as_many_octets_as_that_of_icu() {
    for text in SENTENCES {
        let [ours, theirs] = [encoded("scsu", text), to_icu("SCSU", text)].map(|octets| octets.len());
        assert!(ours <= theirs + theirs / 10, "{text}: {ours} octets, and {theirs} of ICU");
    }
    let text = SENTENCES.concat();
    let [ours, theirs] = [encoded("scsu", &text), to_icu("SCSU", &text)].map(|octets| octets.len());
    assert!(ours <= theirs + theirs / 30, "{ours} octets, and {theirs} of ICU");
}

/// The rule of UTR #16: octets of I8 below A0 become those of code page 1047 as z/OS has it, and the others the octets that are left, in
/// order. The octets of I8 are those of `utf-ebcdic-i8`.
#[test]
#[ignore = "runs uconv of ICU"]
fn icu_has_the_octets_of_utf_ebcdic() {
    let single: String = ('\0'..='\u{9F}').collect();
    let mut of_i8 = to_icu("ibm-1047_P100-1995,swaplfnl", &single);
    assert_eq!(of_i8.len(), 0xA0);
    of_i8.extend((0..=0xFF).filter(|octet| !of_i8.contains(octet)).collect::<Vec<u8>>());
    for text in texts(6) {
        let expected: Vec<u8> =
            encoded("utf-ebcdic-i8", &text).iter().map(|&octet| of_i8[usize::from(octet)]).collect();
        assert!(encoded("utf-ebcdic", &text) == expected, "{text:?}");
        assert!(decoded("utf-ebcdic", &expected) == text, "{text:?}");
    }
}
