//! A block of changes: a chain of changes for each signal, then the moments.

use std::collections::HashMap;

use super::super::absent::Absent;
use super::encoding::{deflated, deflated_or_plain, signed_varint, varint};

/// A chain of fewer bytes is not compressed, since that gains nothing.
const SHORT: usize = 32;

/// How the chains are compressed: by zlib.
const ZLIB: u8 = b'Z';

/// The code of a bit without a value: 1, and the place of its digit in `xzhuwl-?` above that.
fn code(absent: Absent) -> u64 {
    match absent {
        Absent::Unknown => 1,
        Absent::Idle => 0b11,
    }
}

/// The changes since the last block.
pub(super) struct ChangeBlock {
    signals: Vec<Signal>,
    /// The moments, each as the time since the one before.
    times: Vec<u8>,
    /// How many moments there are.
    moments: u32,
    /// The first moment and the current one.
    first: u64,
    now: u64,
    /// Bytes in all chains.
    bytes: usize,
}

/// A signal and its changes.
struct Signal {
    /// Width in bits; of text, 0.
    width: u32,
    /// The changes. Each has the number of moments since the last change, and the value.
    chain: Vec<u8>,
    /// The moment of the last change.
    moment: u32,
    /// The value at the start of the block, a character for each bit.
    start: Vec<u8>,
    /// The position of the last value in the chain, and whether there is none.
    value: usize,
    absent: Option<Absent>,
}

impl ChangeBlock {
    pub(super) fn new(widths: &[u32]) -> Self {
        let signal = |&width: &u32| Signal {
            width,
            chain: Vec::new(),
            moment: 0,
            start: vec![b'x'; width as usize],
            value: 0,
            absent: Some(Absent::Unknown),
        };
        let signals = widths.iter().map(signal).collect();
        Self { signals, times: Vec::new(), moments: 0, first: 0, now: 0, bytes: 0 }
    }

    /// The number of bytes gathered, about.
    pub(super) fn size(&self) -> usize {
        self.bytes + self.times.len()
    }

    /// Begins a moment. The times of a block begin at zero, not at its first moment.
    pub(super) fn time(&mut self, time: u64) {
        let before = if self.moments == 0 { 0 } else { self.now };
        if self.moments == 0 {
            self.first = time;
        }
        varint(&mut self.times, time - before);
        self.moments += 1;
        self.now = time;
    }

    /// Appends to the chain of a signal how many moments went by since its last change, shifted left to make room for `low`.
    #[inline]
    fn change(&mut self, signal: usize, low_bits: u32, low: u64) -> &mut Signal {
        let signal = &mut self.signals[signal];
        let moment = self.moments - 1;
        let since = moment - signal.moment;
        signal.moment = moment;
        signal.value = signal.chain.len();
        varint(&mut signal.chain, u64::from(since) << low_bits | low);
        signal
    }

    #[inline]
    pub(super) fn bit(&mut self, signal: usize, value: bool) {
        let signal = self.change(signal, 2, u64::from(value) << 1);
        signal.absent = None;
        self.bytes += 1;
    }

    /// The bytes of a value begin with its most significant bit; the low bits of the last one are not used.
    #[inline]
    pub(super) fn vector(&mut self, signal: usize, value: &[u64]) {
        let signal = self.change(signal, 1, 0);
        signal.value = signal.chain.len();
        signal.absent = None;
        let bytes = signal.width.div_ceil(8) as usize;
        if let [value] = value {
            let aligned = value << (64 - signal.width);
            signal.chain.extend_from_slice(&aligned.to_be_bytes()[..bytes]);
        } else {
            let unused = 8 * bytes as u32 - signal.width;
            let byte = |at: usize| (value[at / 8] >> (8 * (at % 8))) as u8;
            for at in (0..bytes).rev() {
                let below = if at == 0 { 0 } else { byte(at - 1) };
                let both = u16::from(byte(at)) << 8 | u16::from(below);
                signal.chain.push((both << unused >> 8) as u8);
            }
        }
        self.bytes += bytes + 1;
    }

    pub(super) fn absent(&mut self, signal: usize, width: u32, absent: Absent) {
        let signal = if width == 1 {
            self.change(signal, 4, code(absent))
        } else {
            let signal = self.change(signal, 1, 1);
            signal.value = signal.chain.len();
            signal.chain.resize(signal.value + width as usize, absent as u8);
            signal
        };
        signal.absent = Some(absent);
        self.bytes += width as usize;
    }

    pub(super) fn string(&mut self, signal: usize, text: &[u8]) {
        let signal = self.change(signal, 1, 0);
        varint(&mut signal.chain, text.len() as u64);
        signal.chain.extend_from_slice(text);
        self.bytes += text.len() + 2;
    }

    /// Returns the contents of the block after the length, if any, and starts the next block.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        if self.moments == 0 {
            return None;
        }
        let mut contents = Vec::new();
        // GTKWave takes the third number as the room for all chains, and ends where they need more.
        let chains: usize = self.signals.iter().map(|signal| signal.chain.len()).sum();
        for number in [self.first, self.now, chains as u64] {
            contents.extend(number.to_be_bytes());
        }
        // All signals at the start of the block.
        let start: Vec<u8> = self.signals.iter().flat_map(|signal| &signal.start).copied().collect();
        packed(&mut contents, &start, self.signals.len());
        self.write_chains(&mut contents);
        let times = deflated_or_plain(&self.times);
        contents.extend_from_slice(&times);
        for number in [self.times.len(), times.len(), self.moments as usize] {
            contents.extend((number as u64).to_be_bytes());
        }
        self.signals.iter_mut().for_each(Signal::start_anew);
        self.times.clear();
        (self.moments, self.bytes) = (0, 0);
        Some(contents)
    }

    /// Writes the chains, then the position of each. A chain equal to an earlier one is not written again.
    fn write_chains(&self, contents: &mut Vec<u8>) {
        varint(contents, self.signals.len() as u64);
        let chains = contents.len();
        contents.push(ZLIB);
        let mut places = Vec::new();
        let mut written: HashMap<&[u8], usize> = HashMap::new();
        let (mut before, mut without) = (0, 0);
        for (index, signal) in self.signals.iter().enumerate() {
            if signal.chain.is_empty() {
                without += 1;
                continue;
            }
            if without > 0 {
                varint(&mut places, without << 1);
                without = 0;
            }
            if let Some(&like) = written.get(&signal.chain[..]) {
                signed_varint(&mut places, -(like as i64 + 1) << 1 | 1);
                continue;
            }
            written.insert(&signal.chain, index);
            let place = contents.len() - chains;
            signed_varint(&mut places, ((place - before) as i64) << 1 | 1);
            before = place;
            let deflated = if signal.chain.len() < SHORT { Vec::new() } else { deflated(&signal.chain) };
            if !deflated.is_empty() && deflated.len() < signal.chain.len() {
                varint(contents, signal.chain.len() as u64);
                contents.extend_from_slice(&deflated);
            } else {
                contents.push(0);
                contents.extend_from_slice(&signal.chain);
            }
        }
        if without > 0 {
            varint(&mut places, without << 1);
        }
        contents.extend_from_slice(&places);
        contents.extend((places.len() as u64).to_be_bytes());
    }
}

/// Appends the length, the compressed length, and the bytes.
fn packed(contents: &mut Vec<u8>, bytes: &[u8], signals: usize) {
    let deflated = deflated_or_plain(bytes);
    for number in [bytes.len(), deflated.len(), signals] {
        varint(contents, number as u64);
    }
    contents.extend_from_slice(&deflated);
}

impl Signal {
    /// Takes the last value as the one at the start, and forgets the changes.
    fn start_anew(&mut self) {
        if !self.chain.is_empty() && self.width > 0 {
            let last = &self.chain[self.value..];
            match (self.absent, self.width) {
                (Some(absent), _) => self.start.fill(absent as u8),
                (None, 1) => self.start[0] = b'0' + (last[0] >> 1 & 1),
                (None, _) => {
                    for (bit, digit) in self.start.iter_mut().enumerate() {
                        *digit = b'0' + (last[bit / 8] >> (7 - bit % 8) & 1);
                    }
                }
            }
        }
        self.chain.clear();
        self.moment = 0;
    }
}
