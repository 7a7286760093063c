//! The speed of transcoding between `utf-8` and `utf-16`, and of encoding_rs doing the same, by the octets of UTF-8.
//!
//! `cargo bench -p utfhdl-codec --bench encoding_rs`; `tools/utf-16-speeds` makes a table of it.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use encoding_rs::{CoderResult, UTF_8};
use utfhdl_codec::{OnError, Status, System, Transcoder};

/// The first article of the Universal Declaration of Human Rights, in languages whose letters have one, nearly one, two and
/// three octets of UTF-8.
const TEXTS: [(&str, &str); 4] = [
    (
        "English",
        "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and \
         should act towards one another in a spirit of brotherhood.",
    ),
    (
        "French",
        "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de \
         conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
    ),
    (
        "Russian",
        "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны \
         поступать в отношении друг друга в духе братства.",
    ),
    (
        "Chinese",
        "人人 生而自由， 在尊严 和权利上 一律平等。 他们 赋有理性 和良心， 并应以 兄弟关系的 精神 相对待。",
    ),
];

/// More than the first-level cache holds, so that memory counts.
const LENGTH: usize = 256 * 1024;

/// The words of a text in random order, so that a processor cannot learn where sequences end.
fn random_words(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut state = 1_u64;
    let mut random_text = String::new();
    while random_text.len() < LENGTH {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        random_text.push_str(words[(state >> 33) as usize % words.len()]);
        random_text.push(' ');
    }
    random_text
}

fn both_ways(criterion: &mut Criterion) {
    for (language, text) in TEXTS {
        let text = random_words(text);
        let octets = text.as_bytes();
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut wide = vec![0_u16; octets.len() + 16];
        let mut narrow = vec![0_u8; 3 * units.len() + 16];
        let mut group = criterion.benchmark_group(language);
        group.throughput(Throughput::Bytes(octets.len() as u64));

        let mut to_utf_16 = Transcoder::new(System::Utf8, System::Utf16, OnError::Replace);
        group.bench_function("utf-8 to utf-16", |bencher| {
            bencher.iter(|| {
                let progress = to_utf_16.transcode(black_box(octets), &mut wide, true);
                assert_eq!((progress.status, progress.written), (Status::Finished, units.len()));
            });
        });
        group.bench_function("encoding_rs to UTF-16", |bencher| {
            bencher.iter(|| {
                let mut decoder = UTF_8.new_decoder_without_bom_handling();
                let (result, _, written, _) = decoder.decode_to_utf16(black_box(octets), &mut wide, true);
                assert_eq!((result, written), (CoderResult::InputEmpty, units.len()));
            });
        });
        let mut to_utf_8 = Transcoder::new(System::Utf16, System::Utf8, OnError::Replace);
        group.bench_function("utf-16 to utf-8", |bencher| {
            bencher.iter(|| {
                let progress = to_utf_8.transcode(black_box(&units), &mut narrow, true);
                assert_eq!((progress.status, progress.written), (Status::Finished, octets.len()));
            });
        });
        group.bench_function("encoding_rs to UTF-8", |bencher| {
            bencher.iter(|| {
                let mut encoder = UTF_8.new_encoder();
                let (result, _, written, _) = encoder.encode_from_utf16(black_box(&units), &mut narrow, true);
                assert_eq!((result, written), (CoderResult::InputEmpty, octets.len()));
            });
        });
        group.finish();
    }
}

criterion_group!(benches, both_ways);
criterion_main!(benches);
