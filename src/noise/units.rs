//! Random units: sequences of all lengths, those at the edges of ranges, damaged sequences, and garbage.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use rand::{Rng, RngExt};

use super::headers;
use super::length_ranges::{LengthRange, length_ranges};
use super::marks::{MAGIC, marks};
use super::surrogates::Surrogates;
use super::writer::{Writer, slots_of, without_limits};
use utfhdl_codec::{MultiOctet, Slot, System, Whole};

/// The sequence of U+0000 in `mutf-8`, and octets similar to it: 00, and octets that begin with C0 or C0 80.
const LIKE_NUL: [&[u32]; 5] = [&[0x00], &[0xc0], &[0xc0, 0x80], &[0xc0, 0x81], &[0xc1]];

/// Makes pieces of units for a system. A piece is a sequence, or a few units.
pub struct RandomUnits {
    system: System,
    unit_mask: u32,
    /// The code points of the system.
    ranges: Vec<LengthRange>,
    /// Code points that the system lacks, although a sequence could be written for them.
    strange: Vec<LengthRange>,
    /// Sequences of the first and last code points of all ranges, and of those beside them.
    boundaries: Vec<Vec<u32>>,
    /// The units of the boundaries, and their neighbours.
    edges: Vec<u32>,
    writer: Writer,
    piece: Vec<u32>,
}

impl RandomUnits {
    /// Random units for a core that reads `system` and, if it is a transcoder, writes `to`.
    pub fn new(system: System, to: Option<System>) -> Self {
        let known: Vec<LengthRange> =
            [Some(system), to].into_iter().flatten().flat_map(length_ranges).collect();
        let beyond = without_limits(system);
        let mut writer = Writer::new(beyond);
        let mut sequence = |code_point| Some(writer.units(&slots_of(code_point))?.to_vec());
        let boundaries: Vec<Vec<u32>> = around(&known).into_iter().filter_map(&mut sequence).collect();
        let mut own = Writer::new(system);
        let mut has = |code_point| own.units(&slots_of(code_point)).is_some();
        let mut is_own = |range: &LengthRange| has(range.first) && has(range.last);
        let mut is_written =
            |range: &LengthRange| sequence(range.first).is_some() && sequence(range.last).is_some();
        let strange = known.iter().copied().chain(length_ranges(beyond));
        let strange = strange.filter(|range| is_written(range) && !is_own(range)).collect();
        let ranges = known.into_iter().filter(|range| is_written(range) && is_own(range)).collect();
        let unit_mask = u32::MAX >> (32 - system.unit_bits());
        let beside =
            |unit: u32| [unit.wrapping_sub(1), unit, unit.wrapping_add(1)].map(|unit| unit & unit_mask);
        let mut edges: Vec<u32> = boundaries.iter().flatten().flat_map(|&unit| beside(unit)).collect();
        edges.extend([unit_mask, unit_mask - 1]);
        edges.sort();
        edges.dedup();
        Self { system, unit_mask, ranges, strange, boundaries, edges, writer, piece: Vec::new() }
    }

    /// The units that a frame begins with: of a system with marks before frames, sometimes a mark or a part of it.
    pub fn opening(&self, random: &mut impl Rng) -> Vec<u32> {
        let marks = marks(self.system);
        if marks.is_empty() {
            return Vec::new();
        }
        let part = random.random_range(0..4);
        // A single mark needs no random choice.
        let mark = if let [only] = marks { only } else { *pick(random, marks) };
        match part {
            0 => Vec::new(),
            1 | 2 => mark.to_vec(),
            _ => mark[..random.random_range(1..mark.len())].to_vec(),
        }
    }

    /// A piece, which may be damaged; if `calm`, the sequence of a code point.
    pub fn piece(&mut self, random: &mut impl Rng, calm: bool) -> &[u32] {
        self.piece.clear();
        match random.random_range(0..16) {
            _ if calm => self.valid(random),
            0..4 => self.valid(random),
            4..9 => self.boundary(random),
            9..12 => {
                match random.random_range(0..3) {
                    0 => self.valid(random),
                    1 => self.boundary(random),
                    _ => self.special(random),
                }
                self.mutate(random);
            }
            12 => self.special(random),
            13 => self.piece.push(*pick(random, &self.edges)),
            14 => {
                let unit = *pick(random, &self.edges);
                self.piece.extend(std::iter::repeat_n(unit, random.random_range(1..6)));
            }
            _ => self.piece.push(random.random::<u32>() & self.unit_mask),
        }
        &self.piece
    }

    /// A code point of each range with the same chance.
    fn valid(&mut self, random: &mut impl Rng) {
        let range = *pick(random, &self.ranges);
        self.in_range(random, range);
    }

    fn in_range(&mut self, random: &mut impl Rng, range: LengthRange) {
        let code_point = random.random_range(range.first..=range.last);
        self.write(&slots_of(code_point));
    }

    fn write(&mut self, slots: &[Slot]) {
        self.piece.extend_from_slice(self.writer.units(slots).unwrap_or_default());
    }

    fn boundary(&mut self, random: &mut impl Rng) {
        let sequence = pick(random, &self.boundaries);
        self.piece.extend_from_slice(sequence);
    }

    /// A piece for a special rule of the system, such as a code point that the system lacks.
    fn special(&mut self, random: &mut impl Rng) {
        if let Some(surrogates) = Surrogates::of(self.system).filter(|_| random.random()) {
            return surrogates.write(random, &mut self.piece);
        }
        match self.system {
            System::UtfInf8 { .. } if random.random() => self.long(random),
            System::UtfInf8 { digits } => headers::broken(random, digits, &mut self.piece),
            System::CorrectedUtf8 { .. } if random.random() => self.piece.extend(MAGIC),
            System::Utf8Bom { .. }
            | System::Utf16Octets { bom: true, .. }
            | System::Utf32Octets { bom: true, .. }
            | System::Ucs2Octets { bom: true, .. }
                if random.random_range(0..4) == 0 =>
            {
                let mark = *pick(random, marks(self.system));
                self.piece.extend(mark);
            }
            System::Mutf8 if random.random_range(0..4) == 0 => {
                let nul = *pick(random, &LIKE_NUL);
                self.piece.extend(nul);
            }
            System::CorrectedUtf8 { .. } => {
                let lead = if random.random() { 0xfe } else { 0xff };
                let behind = random.random_range(0..6);
                self.piece.push(lead);
                self.piece.extend((0..behind).map(|_| random.random_range(0x80..0xc0)));
            }
            System::MultiOctet(MultiOctet::Gb18030) => self.four_octets(random),
            System::Utf9 { .. } if random.random() => {
                // A sequence can be of any length.
                let behind = random.random_range(0..8);
                self.piece.extend((0..behind).map(|_| 0o400 | random.random_range(0..0o400)));
                self.piece.push(random.random_range(0..0o400));
            }
            _ if self.strange.is_empty() => self.boundary(random),
            _ => {
                let range = *pick(random, &self.strange);
                self.in_range(random, range);
            }
        }
    }

    /// A code point with a length header, of up to thousands of bits.
    fn long(&mut self, random: &mut impl Rng) {
        let most =
            *pick(random, &[80, 80, 80, 80, 80, 80, 150, 150, 150, 150, 300, 300, 300, 600, 1200, 6000]);
        let bits = random.random_range(69..=most);
        let limbs: Vec<u32> = (0..=bits / 32).map(|_| random.random()).collect();
        let mut point: BigUint = BigUint::new(limbs) & ((BigUint::from(1_u32) << bits) - 1_u32);
        point.set_bit(bits - 1, true);
        if random.random_range(0..4) == 0 {
            // The first or the last code point of this length.
            point = BigUint::from(1_u32) << bits;
            point -= u32::from(random.random::<bool>());
        }
        self.write(&Whole::from(point).slots());
        // A system with fewer digits does not write the code point.
        if !self.piece.is_empty() && random.random_range(0..4) == 0 {
            let at = random.random_range(0..self.piece.len());
            headers::misplaced(random, &mut self.piece[at..]);
        }
    }

    /// Four octets of `gb18030`, many beside the last row of the Basic Multilingual Plane, 84 31 A4, the first of the other planes, 90 30 81, and
    /// the last, E3 32 9A. In some, an octet beside the digits takes the place of the fourth: then the three octets before it are two errors and a digit.
    fn four_octets(&mut self, random: &mut impl Rng) {
        let [one, other] = [(); 2].map(|()| random.random_range(0x81..=0xfe));
        let first = *pick(random, &[0x81, 0x84, 0x85, 0x8f, 0x90, 0xe2, 0xe3, 0xe4, one]);
        let third = *pick(random, &[0x81, 0x99, 0x9a, 0x9b, 0xa3, 0xa4, 0xa5, other]);
        let [digit, fourth] = [(); 2].map(|()| random.random_range(0x30..=0x39));
        let second = *pick(random, &[0x31, 0x32, digit]);
        let fourth = *pick(random, &[0x2f, 0x3a, fourth, fourth, fourth, fourth]);
        self.piece.extend([first, second, third, fourth]);
    }

    /// Damages the current piece; a long sequence mostly near its start.
    fn mutate(&mut self, random: &mut impl Rng) {
        let length = self.piece.len();
        if length == 0 {
            return;
        }
        let reach = if random.random() { length.min(8) } else { length };
        let at = random.random_range(0..reach);
        let unit = self.piece[at];
        match random.random_range(0..9) {
            0 => self.piece[at] = random.random::<u32>() & self.unit_mask,
            1 => self.piece[at] ^= 1 << random.random_range(0..self.system.unit_bits()),
            2 => self.piece.truncate(at),
            3 => self.piece.insert(at, unit),
            4 => {
                self.piece.remove(at);
            }
            5 => self.piece[at] = *pick(random, &self.edges),
            6 => self.piece[at] = unit.wrapping_add(1) & self.unit_mask,
            7 => self.piece[at] = unit.wrapping_sub(1) & self.unit_mask,
            _ => {
                let end = random.random_range(at..length) + 1;
                let edge = *pick(random, &self.edges);
                self.piece[at..end].fill(edge);
            }
        }
    }
}

/// The first and last code points of ranges, and those beside them.
pub fn around(ranges: &[LengthRange]) -> BTreeSet<u128> {
    let edges =
        |range: &LengthRange| [range.first.saturating_sub(1), range.first, range.last, range.last + 1];
    ranges.iter().flat_map(edges).collect()
}

/// One element, each with the same chance.
pub fn pick<'a, T>(random: &mut impl Rng, from: &'a [T]) -> &'a T {
    &from[random.random_range(0..from.len())]
}
