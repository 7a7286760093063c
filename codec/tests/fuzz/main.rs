//! Runs the bodies of the fuzz targets for a second each, on random inputs of a fixed seed.

use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

mod bodies;

/// How long each body runs.
const WHILE: Duration = Duration::from_secs(1);

/// Octets that decoders care about; any octet is as likely as all of these.
const TELLING: [u8; 24] = [
    0x00, 0x0A, 0x41, 0x7F, 0x80, 0x81, 0x9F, 0xA0, 0xA1, 0xAF, 0xB4, 0xB7, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0,
    0xED, 0xEF, 0xF0, 0xF4, 0xFD, 0xFE, 0xFF,
];

fn run(body: fn(&[u8])) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let start = Instant::now();
    let mut data = Vec::new();
    while start.elapsed() < WHILE {
        for _ in 0..100 {
            let length = random.next_u32() % 40;
            data.clear();
            data.extend((0..length).map(|_| {
                let [octet, kind, ..] = random.next_u32().to_le_bytes();
                if kind < 0x80 { octet } else { TELLING[usize::from(octet) % TELLING.len()] }
            }));
            body(&data);
        }
    }
}

#[test]
fn decode() {
    run(bodies::decode);
}

#[test]
fn utf_8() {
    run(bodies::utf_8);
}

#[test]
fn encode() {
    run(bodies::encode);
}

#[test]
fn units() {
    run(bodies::units_on_disk);
}

#[test]
fn names() {
    run(bodies::names);
}
