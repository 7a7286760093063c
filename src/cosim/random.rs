//! Seeded noise that looks for trouble: valid text, sequences at the edges of what is well-formed, mutations of
//! both, and garbage.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::system::System;

/// Units made at a time.
const CHUNK: usize = 4096;

/// Lead units and trailing units at the edges of their ranges.
const EDGES: [u16; 24] = [
    0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xef, 0xf0,
    0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfe, 0xff,
];

/// First and last code point of each length, and the neighbours of the surrogates.
const BOUNDARIES: [char; 11] = [
    '\u{0}',
    '\u{7f}',
    '\u{80}',
    '\u{7ff}',
    '\u{800}',
    '\u{d7ff}',
    '\u{e000}',
    '\u{ffff}',
    '\u{10000}',
    '\u{fffff}',
    '\u{10ffff}',
];

/// A stream of `count` units.
pub struct RandomUnits {
    unit_mask: u16,
    left: u64,
    random: ChaCha8Rng,
}

impl RandomUnits {
    /// Noise for `system`; the same seed gives the same units.
    pub fn new(system: System, count: u64, seed: u64) -> Self {
        let unit_mask = (1 << system.unit_bits()) - 1;
        Self { unit_mask, left: count, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Adds units to `units`; gives `false` when they were the last.
    pub fn read(&mut self, units: &mut Vec<u16>) -> bool {
        let start = units.len();
        while units.len() - start < CHUNK {
            let at = units.len();
            match self.random.random_range(0..8) {
                0..4 => self.valid(units),
                4 => self.boundary(units),
                5 => {
                    if self.random.random() {
                        self.valid(units);
                    } else {
                        self.boundary(units);
                    }
                    self.mutate(units, at);
                }
                6 => units.push(EDGES[self.random.random_range(0..EDGES.len())]),
                _ => units.push(self.random.random()),
            }
        }
        units[start..].iter_mut().for_each(|unit| *unit &= self.unit_mask);
        units.truncate(start + usize::try_from(self.left).unwrap_or(usize::MAX).min(CHUNK));
        self.left -= (units.len() - start) as u64;
        self.left > 0
    }

    /// A code point of each length with the same chance.
    fn valid(&mut self, units: &mut Vec<u16>) {
        let (first, last) = match self.random.random_range(0..4) {
            0 => (0, 0x7f),
            1 => (0x80, 0x7ff),
            2 => (0x800, 0xffff),
            _ => (0x10000, 0x10_ffff),
        };
        let code_point = self.random.random_range(first..=last);
        push(units, char::from_u32(code_point).unwrap_or('\u{fffd}'));
    }

    fn boundary(&mut self, units: &mut Vec<u16>) {
        push(units, BOUNDARIES[self.random.random_range(0..BOUNDARIES.len())]);
    }

    /// Damages the sequence that starts at `at`.
    fn mutate(&mut self, units: &mut Vec<u16>, at: usize) {
        let victim = self.random.random_range(at..units.len());
        match self.random.random_range(0..5) {
            0 => units[victim] = self.random.random(),
            1 => units[victim] ^= 1 << self.random.random_range(0..8),
            2 => units.truncate(victim),
            3 => units.insert(victim, units[victim]),
            _ => units[victim] = EDGES[self.random.random_range(0..EDGES.len())],
        }
    }
}

fn push(units: &mut Vec<u16>, character: char) {
    units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u16::from));
}
