//! The algorithm of the `utf-inf-8` decoders of several lanes, as docs/design.md has it, in software: whatever the beats of a
//! frame are, the lanes make the slots that the reference makes, each in the same beat.

mod model;

use model::Lanes;
use utfhdl_codec::{Decoder, Event, Slot, System};

/// Random numbers: xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end as u64) as usize
    }
}

/// The slots that each beat makes certain, as the reference has them.
struct Reference {
    decoder: Decoder,
    drops: bool,
    limbs: u32,
}

impl Reference {
    fn new(digits: u64, drops: bool) -> Self {
        let system: System = format!("utf-inf-8,digits={digits}").parse().expect("a system");
        Self { decoder: system.decoder(), drops, limbs: 0 }
    }

    fn take(&mut self, beat: &[u8], last: bool) -> Vec<Slot> {
        let mut input = beat;
        let mut slots = Vec::new();
        while let Some(Event { what, .. }) = self.decoder.next(&mut input, last) {
            let goes_out = match what {
                Slot::Error(_) => !self.drops || self.limbs > 0,
                _ => true,
            };
            self.limbs = match what {
                Slot::Head(limbs) => limbs,
                Slot::Limb(_) => self.limbs - 1,
                _ => 0,
            };
            slots.extend(goes_out.then_some(what));
        }
        slots
    }
}

/// Octets that begin a well-formed long sequence, or one near to it.
fn long(random: &mut Random, most: usize) -> Vec<u8> {
    let digits_of_header = 1 + random.below(most);
    let mut units = vec![0xff];
    let mut header: Vec<u8> = (0..digits_of_header).map(|_| 0xa0 | random.below(16) as u8).collect();
    if digits_of_header > 1 && random.below(8) > 0 {
        header[0] = 0xa1 + random.below(if digits_of_header == 2 { 3 } else { 15 }) as u8;
    }
    if random.below(3) == 0 {
        header.fill(0xaf);
        let at = random.below(digits_of_header);
        header[at] -= random.below(3) as u8;
    }
    units.extend((1..digits_of_header).map(|_| 0xb4));
    let nme = header.iter().fold(0u64, |nme, digit| nme << 4 | u64::from(digit & 15));
    units.extend(header);
    let octets = ((nme + 20) / 3 * 2).min(700) as usize;
    let pad = [0, 2, 1][(nme % 3) as usize] * 4;
    let storage = (0..octets).map(|at| {
        let zeros = (pad - (6 * at as i32).min(pad)).min(6);
        let mut six = random.below(64) as u8;
        if at < 2 && random.below(12) > 0 {
            six &= (0x3f_u16 >> zeros) as u8;
            if random.below(3) > 0 {
                six |= (0x20_u16 >> zeros) as u8;
            }
        }
        if random.below(9) == 0 { 0x80 } else { 0x80 | six }
    });
    units.extend(storage.collect::<Vec<u8>>());
    units
}

fn thirteen(random: &mut Random) -> Vec<u8> {
    let mut units = vec![0xff];
    let zeros = random.below(13);
    units.extend((0..12).map(|at| match at {
        _ if at < zeros => 0x80,
        0 => 0x80 | random.below(32) as u8,
        _ if random.below(3) == 0 => 0x80 | 1 << random.below(6),
        _ => 0x80 | random.below(64) as u8,
    }));
    units
}

fn short(random: &mut Random) -> Vec<u8> {
    let lead = match random.below(4) {
        0 => 0xfe,
        1 => [0x41, 0xc0, 0xc1, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xf8, 0xfc][random.below(10)],
        _ => random.below(255) as u8,
    };
    let follow = if lead < 0xc0 { 0 } else { lead.leading_ones() as usize - 1 };
    let mut units = vec![lead];
    units
        .extend((0..follow).map(|_| if random.below(4) == 0 { 0x80 } else { 0x80 | random.below(64) as u8 }));
    units
}

/// A frame that looks for trouble.
fn frame(random: &mut Random) -> Vec<u8> {
    let mut units = Vec::new();
    let most = 1 + random.below(9);
    for _ in 0..1 + random.below(20) {
        let mut part = match random.below(8) {
            0 | 1 => short(random),
            2 => thirteen(random),
            3 => vec![0xff; 1 + random.below(3)],
            4 => vec![0xb4; 1 + random.below(11)],
            5 => [&[0xff, 0xa0][..], &[0xff, 0xb4, 0xa1, 0xa0], &[0xff, 0xa7, 0x80, 0x88]][random.below(3)]
                .repeat(1 + random.below(8)),
            _ => long(random, most),
        };
        if random.below(3) == 0 {
            let keep = random.below(part.len() + 1);
            part.truncate(keep);
        }
        if random.below(4) == 0 && !part.is_empty() {
            let at = random.below(part.len());
            part[at] = match random.below(4) {
                0 => 0x80 | random.below(64) as u8,
                1 => 0xa0 | random.below(32) as u8,
                _ => random.below(256) as u8,
            };
        }
        units.extend(part);
    }
    units
}

/// Runs a frame in random beats.
fn check(
    random: &mut Random,
    lanes: &mut Lanes,
    reference: &mut Reference,
    count: usize,
    units: &[u8],
    what: &str,
) {
    let mut rest = units;
    let style = random.below(3);
    let mut beats: Vec<&[u8]> = Vec::new();
    loop {
        let most = count.min(rest.len());
        let size = match style {
            0 => most,
            1 => random.below(most + 1),
            _ => random.below(4).min(most),
        };
        let (beat, behind) = rest.split_at(size);
        rest = behind;
        beats.push(beat);
        let last = rest.is_empty() && random.below(3) > 0;
        let (found, due) = (lanes.take(beat, last), reference.take(beat, last));
        assert_eq!(found, due, "{what}: the last of {:02X?}", &beats[beats.len().saturating_sub(12)..]);
        if last {
            break;
        }
    }
}

fn run(count: usize, digits: u64, drops: bool, seed: u64, frames: usize) {
    let (mut lanes, mut reference) = (Lanes::new(count, digits, drops), Reference::new(digits, drops));
    let mut random = Random(seed);
    for number in 0..frames {
        let units = frame(&mut random);
        let what = format!("{count} lanes, digits={digits}, drops {drops}, frame {number}");
        check(&mut random, &mut lanes, &mut reference, count, &units, &what);
    }
}

#[test]
fn lanes_make_the_slots_of_the_reference() {
    let limits = [18, 19, 25, 33, 34, 255, 273, 274, 4096, 0xfff + 18, 1 << 20, 1 << 32, 34_359_738_360];
    for (seed, count) in (1..).zip([2, 4, 8, 16, 32, 64]) {
        for digits in limits {
            for drops in [false, true] {
                run(count, digits, drops, seed * 0x9e37_79b9, 12);
            }
        }
    }
}
