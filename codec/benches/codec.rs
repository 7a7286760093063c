//! The speed of decoders, encoders and transcoders on text of many scripts, in units a second (Criterion calls them bytes),
//! and of the standard library.
//!
//! `cargo bench -p utfhdl-codec --bench codec`

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use utfhdl_codec::{Codec, Event, OnError, Slot, System, Transcoder, Unit};

/// "All human beings are born free and equal in dignity and rights", the first article of the Universal Declaration of
/// Human Rights, in ten languages and ten scripts, followed by emoji.
const TEXT: &str = "\
All human beings are born free and equal in dignity and rights.
Tous les êtres humains naissent libres et égaux en dignité et en droits.
Все люди рождаются свободными и равными в своем достоинстве и правах.
Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.
يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.
כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.
सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।
人人生而自由，在尊严和权利上一律平等。
すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。
모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.
👩🏽‍🚀🕊️⚖️🌍🎉
";

/// Text of about 64 KiB, which is more than the first-level cache holds, so that memory counts.
const LENGTH: usize = 64 * 1024;

/// The text over and over.
fn text() -> String {
    TEXT.repeat(LENGTH / TEXT.len())
}

/// The words of the text in random order, line by line of one script, so that a processor cannot learn where sequences end.
fn random_words() -> String {
    let lines: Vec<Vec<&str>> = TEXT.lines().map(|line| line.split(' ').collect()).collect();
    let mut state = 1_u64;
    let mut random = |end: usize| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (state >> 33) as usize % end
    };
    let mut text = String::new();
    while text.len() < LENGTH {
        let words = &lines[random(lines.len())];
        for _ in 0..5 + random(10) {
            text.push_str(words[random(words.len())]);
            text.push(' ');
        }
        text.push('\n');
    }
    text
}

/// A text in the slots of a system. Small hunks have few code points: they get the low bits of those of the text.
fn slots(system: System, text: &str) -> Vec<Slot> {
    let has = |code_point| system.encode::<_, u32>(&[Slot::CodePoint(code_point)], OnError::Strict).is_ok();
    let code_points = text.chars().map(u32::from).collect::<Vec<_>>().into_iter();
    let fitted = code_points.map(|code_point| {
        let mut masks = (0..=21).rev().map(|bits| code_point & ((1 << bits) - 1));
        masks.find(|&code_point| has(code_point)).expect("every system has U+0000")
    });
    fitted.map(Slot::CodePoint).collect()
}

fn decode<U: Unit>(group: &mut BenchmarkGroup<WallTime>, system: System) {
    decode_text::<U>(group, system, &text());
}

fn decode_random_words<U: Unit>(group: &mut BenchmarkGroup<WallTime>, system: System) {
    decode_text::<U>(group, system, &random_words());
}

fn decode_text<U: Unit>(group: &mut BenchmarkGroup<WallTime>, system: System, text: &str) {
    let units: Vec<U> = system.encode(&slots(system, text), OnError::Strict).expect("the text fits");
    let mut events = vec![Event { offset: 0, length: 0, what: Slot::CodePoint(0) }; 4096];
    let mut decoder = system.decoder();
    group.throughput(Throughput::Bytes(units.len() as u64));
    group.bench_function(system.to_string(), |bencher| {
        bencher.iter(|| {
            let mut rest = units.as_slice();
            loop {
                let progress = decoder.decode(rest, &mut events, true);
                black_box(&events[..progress.written]);
                rest = &rest[progress.read..];
                if progress.finished {
                    break;
                }
            }
        });
    });
}

/// Decodes like co-simulation: one unit a call, with the events that the unit makes certain.
fn decode_unit_by_unit<U: Unit>(group: &mut BenchmarkGroup<WallTime>, system: System) {
    let units: Vec<U> = system.encode(&slots(system, &text()), OnError::Strict).expect("the text fits");
    let mut decoder = system.decoder();
    group.throughput(Throughput::Bytes(units.len() as u64));
    group.bench_function(system.to_string(), |bencher| {
        bencher.iter(|| {
            for unit in &units {
                let mut unit = std::slice::from_ref(unit);
                while let Some(event) = decoder.next(&mut unit, false) {
                    black_box(event);
                }
            }
        });
    });
}

fn encode<U: Unit>(group: &mut BenchmarkGroup<WallTime>, system: System) {
    let slots = slots(system, &text());
    let mut units = vec![U::default(); slots.len() * 21];
    let mut encoder = system.encoder(OnError::Strict);
    let length = encoder.encode(&slots, &mut units, true).written;
    group.throughput(Throughput::Bytes(length as u64));
    group.bench_function(system.to_string(), |bencher| {
        bencher.iter(|| {
            encoder.encode(black_box(&slots), &mut units, true);
            black_box(&units);
        });
    });
}

fn transcode<U: Unit>(group: &mut BenchmarkGroup<WallTime>, system: System) {
    let units: Vec<U> = system.encode(&slots(system, &text()), OnError::Strict).expect("the text fits");
    let mut transcoder = Transcoder::new(system, System::Utf8, OnError::Strict);
    let mut output = vec![U::default(); units.len() * 4];
    group.throughput(Throughput::Bytes(units.len() as u64));
    group.bench_function(system.to_string(), |bencher| {
        bencher.iter(|| {
            transcoder.transcode(black_box(&units), &mut output, true);
            black_box(&output);
        });
    });
}

fn validate<U: Unit>(group: &mut BenchmarkGroup<WallTime>, system: System) {
    measure::<U, _>(group, system, |units| system.validate(units).is_ok());
}

fn count<U: Unit>(group: &mut BenchmarkGroup<WallTime>, system: System) {
    measure::<U, _>(group, system, |units| system.count(units));
}

/// Measures a function of the units of the text in random words.
fn measure<U: Unit, R>(group: &mut BenchmarkGroup<WallTime>, system: System, of: impl Fn(&[U]) -> R) {
    let units: Vec<U> =
        system.encode(&slots(system, &random_words()), OnError::Strict).expect("the text fits");
    group.throughput(Throughput::Bytes(units.len() as u64));
    group.bench_function(system.to_string(), |bencher| {
        bencher.iter(|| black_box(of(black_box(&units))));
    });
}

fn standard_library(criterion: &mut Criterion) {
    for (name, text) in [("decode", text()), ("decode random words", random_words())] {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        let mut characters = Vec::with_capacity(text.len());
        group.bench_function("from_utf8 and chars", |bencher| {
            bencher.iter(|| {
                characters.clear();
                characters.extend(str::from_utf8(black_box(text.as_bytes())).expect("UTF-8").chars());
                black_box(&characters);
            });
        });
        group.finish();
    }
    let mut group = criterion.benchmark_group("validate");
    let text = random_words();
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("from_utf8 and chars", |bencher| {
        bencher.iter(|| str::from_utf8(black_box(text.as_bytes())).is_ok());
    });
    group.finish();
}

fn octets(criterion: &mut Criterion) {
    let text = text();
    let mut group = criterion.benchmark_group("decode u8");
    group.throughput(Throughput::Bytes(text.len() as u64));
    let mut events = vec![Event { offset: 0, length: 0, what: Slot::CodePoint(0) }; 4096];
    let mut decoder = System::Utf8.decoder();
    group.bench_function("utf-8", |bencher| {
        bencher.iter(|| {
            let mut rest = black_box(text.as_bytes());
            loop {
                let progress = decoder.decode(rest, &mut events, true);
                black_box(&events[..progress.written]);
                rest = &rest[progress.read..];
                if progress.finished {
                    break;
                }
            }
        });
    });
    group.finish();
}

fn systems(criterion: &mut Criterion) {
    type Bench = fn(&mut BenchmarkGroup<WallTime>, System);
    // Units are held in 16 bits where they fit; those that are only looked at, in octets where they fit.
    for (name, octets, narrow, wide) in [
        ("validate", validate::<u8> as Bench, validate::<u16> as Bench, validate::<u32> as Bench),
        ("count", count::<u8>, count::<u16>, count::<u32>),
    ] {
        let mut group = criterion.benchmark_group(name);
        for system in System::all().chain(System::of_software()) {
            let bench = match system.unit_bits() {
                0..=8 => octets,
                9..=16 => narrow,
                _ => wide,
            };
            bench(&mut group, system);
        }
        group.finish();
    }
    let benches: [(&str, Bench, Bench); 5] = [
        ("decode", decode::<u16>, decode::<u32>),
        ("decode unit by unit", decode_unit_by_unit::<u16>, decode_unit_by_unit::<u32>),
        ("encode", encode::<u16>, encode::<u32>),
        ("transcode", transcode::<u16>, transcode::<u32>),
        ("decode random words", decode_random_words::<u16>, decode_random_words::<u32>),
    ];
    for (name, narrow, wide) in benches {
        let mut group = criterion.benchmark_group(name);
        for system in System::all().chain(System::of_software()) {
            let bench = if system.unit_bits() <= 16 { narrow } else { wide };
            bench(&mut group, system);
        }
        group.finish();
    }
}

criterion_group!(benches, standard_library, octets, systems);
criterion_main!(benches);
