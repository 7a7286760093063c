//! How fast the software reference decodes and encodes text of many scripts, in bytes (units, for the systems of nonets
//! and hunks) a second, beside what the standard library does.
//!
//! `cargo bench --no-default-features --bench codec`

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use utfhdl_codec::{Event, OnError, Slot, System};

/// "All human beings are born free and equal in dignity and rights", the first article of the Universal Declaration of
/// Human Rights, in ten languages and as many scripts, with some emoji behind.
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

/// About 64 KiB of it: more than fits in the first cache, so that memory counts as it does in life.
fn text() -> String {
    TEXT.repeat(48)
}

/// The text in the slots of a system: small hunks have few code points, and get the low bits of the text's.
fn slots(system: System) -> Vec<Slot> {
    let has = |code_point| system.encode(&[Slot::CodePoint(code_point)], OnError::Strict).is_ok();
    let code_points = text().chars().map(u32::from).collect::<Vec<_>>().into_iter();
    let fitted = code_points.map(|code_point| {
        let mut masks = (0..=21).rev().map(|bits| code_point & ((1 << bits) - 1));
        masks.find(|&code_point| has(code_point)).expect("every system has U+0000")
    });
    fitted.map(Slot::CodePoint).collect()
}

fn decode(group: &mut BenchmarkGroup<WallTime>, system: System) {
    let units = system.encode(&slots(system), OnError::Strict).expect("the text fits");
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

/// As the co-simulation does it: a unit, and the events it makes certain.
fn decode_unit_by_unit(group: &mut BenchmarkGroup<WallTime>, system: System) {
    let units = system.encode(&slots(system), OnError::Strict).expect("the text fits");
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

fn encode(group: &mut BenchmarkGroup<WallTime>, system: System) {
    let slots = slots(system);
    let mut units = vec![0_u16; slots.len() * 21];
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

fn standard_library(criterion: &mut Criterion) {
    let text = text();
    let mut group = criterion.benchmark_group("standard library");
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
    let benches: [(&str, Bench); 3] =
        [("decode", decode), ("decode unit by unit", decode_unit_by_unit), ("encode", encode)];
    for (name, bench) in benches {
        let mut group = criterion.benchmark_group(name);
        for system in System::all() {
            bench(&mut group, system);
        }
        group.finish();
    }
}

criterion_group!(benches, standard_library, octets, systems);
criterion_main!(benches);
