//! The decoder of several lanes as docs/design.md describes it: every step looks at all lanes at once, and hands a few small
//! numbers on to the next beat.

use utfhdl_codec::{ErrorKind, Slot};

/// Digits of the longest header that there can be: those of the most limbs that a head can count.
const MOST_HEADER: usize = 9;
/// Units before one that hold bits of its slot.
const WINDOW: usize = 8;
/// How far behind a header's end a unit is told from those further on.
const NEAR_HEADER: i32 = 7;

/// What is handed on from beat to beat.
#[derive(Clone, Debug)]
struct Between {
    /// The units before the beat, the nearest first; 0 where the frame has none.
    units: [u8; WINDOW],
    /// The last unit is FF, or B4 of a header.
    starts: bool,
    /// How many B4 there are so far.
    befores: i32,
    /// The last digit of the header that came last, from the last unit on: 0 is that unit.
    header: Header,
    /// The sum of the header's digits so far, modulo three.
    modulo_3: u8,
    pads: Pads,
    alive: bool,
    /// A sequence is open behind the last unit, and its head is out.
    open: bool,
    told: bool,
    /// Pairs of bits still to come, less one: negative behind the last unit.
    pairs: i64,
}

impl Default for Between {
    /// In front of a frame.
    fn default() -> Self {
        Self {
            units: [0; WINDOW],
            starts: false,
            befores: 0,
            header: Header { end: -NEAR_HEADER, thirteen: false, longest: false },
            modulo_3: 0,
            pads: Pads::default(),
            alive: false,
            open: false,
            told: false,
            pairs: -1,
        }
    }
}

/// Where the last length header ends, or in a sequence of thirteen octets, where FF stands.
#[derive(Clone, Copy, Debug)]
struct Header {
    end: i32,
    thirteen: bool,
    /// The header has as many digits as the limit.
    longest: bool,
}

/// What the next unit has to be, by the number of zero nybbles in front of the first digit.
#[derive(Clone, Copy, Debug, Default)]
struct Pads {
    of_18: bool,
    first_unpadded: bool,
    first_1: bool,
    first_2: bool,
    second_1: bool,
    second_2: bool,
    /// A limb that the phase says is complete has bits of the pad only.
    no_limb_first: bool,
    no_limb_second: bool,
}

/// Where a sequence ends, seen from the lanes: its last unit, and all that is further than any lane.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The lane modulo sixteen.
    phase: i32,
    /// The lane, unless it is too far.
    lane: Option<i32>,
}

impl End {
    /// Lanes that an end is told for: no fewer than sixteen, so that the phase is part of it.
    fn reach(lanes: i32) -> i32 {
        lanes.max(16)
    }

    fn at(lane: i32, lanes: i32) -> Self {
        Self { phase: lane.rem_euclid(16), lane: (lane < Self::reach(lanes)).then_some(lane) }
    }
}

/// What a unit does to a copy that runs through the lanes: the last one that has something counts.
fn copy_scan<T: Copy>(before: T, events: &[Option<T>]) -> Vec<T> {
    // By doubling, as the stages do.
    let mut found: Vec<Option<T>> = events.to_vec();
    let mut step = 1;
    while step < found.len() {
        found = (0..found.len())
            .map(|lane| found[lane].or(lane.checked_sub(step).and_then(|at| found[at])))
            .collect();
        step *= 2;
    }
    found.into_iter().map(|found| found.unwrap_or(before)).collect()
}

/// A bit that runs through the lanes.
fn bit_scan(before: bool, sets: &[bool], hands_on: &[bool]) -> Vec<bool> {
    let events: Vec<Option<bool>> = sets
        .iter()
        .zip(hands_on)
        .map(|(&set, &on)| if set { Some(true) } else { (!on).then_some(false) })
        .collect();
    copy_scan(before, &events)
}

/// The decoder.
pub struct Lanes {
    lanes: i32,
    drops: bool,
    /// The digits of the greatest NME, the most significant first.
    limit: Vec<u8>,
    between: Between,
}

fn is_trailing(unit: u8) -> bool {
    unit & 0xc0 == 0x80
}

fn is_digit(unit: u8) -> bool {
    unit & 0xf0 == 0xa0
}

/// Trailing units of a short form.
fn follow(unit: u8) -> usize {
    match unit {
        0xc0..=0xfe => unit.leading_ones() as usize - 1,
        _ => 0,
    }
}

/// Whether a short lead accepts this first trailing unit; if not, that is overlong.
fn accepts(lead: u8, first: u8) -> bool {
    match lead {
        0xc0 | 0xc1 => false,
        0xe0 => first >= 0xa0,
        0xf0 => first >= 0x90,
        0xf8 => first >= 0x88,
        0xfc => first >= 0x84,
        0xfe => first >= 0x82,
        _ => true,
    }
}

/// How a unit stands to the units before it, in short forms: the position in its sequence, and the lead.
fn short(units: &dyn Fn(usize) -> u8) -> Option<(usize, u8)> {
    (1..=6).find_map(|back| {
        let lead = units(back);
        let between = (0..back).all(|at| is_trailing(units(at)));
        (between && follow(lead) >= back && accepts(lead, units(back - 1))).then_some((back, lead))
    })
}

impl Lanes {
    pub fn new(lanes: usize, digits: u64, drops: bool) -> Self {
        let most = digits - 18;
        let hexadecimal = format!("{most:x}");
        let limit = hexadecimal.chars().map(|digit| digit.to_digit(16).expect("a digit") as u8).collect();
        Self { lanes: lanes as i32, drops, limit, between: Between::default() }
    }

    /// Takes a beat, and gives the slots that it makes.
    pub fn take(&mut self, beat: &[u8], last: bool) -> Vec<Slot> {
        let count = beat.len();
        let before = self.between.clone();
        let most_befores = self.limit.len() as i32 - 1;
        let unit_at = |lane: i32| match usize::try_from(lane) {
            Ok(lane) => beat[lane],
            Err(_) => before.units.get((-1 - lane) as usize).copied().unwrap_or(0),
        };
        let all = |f: &dyn Fn(i32) -> bool| (0..count as i32).map(f).collect::<Vec<bool>>();
        let six = |lane: i32| unit_at(lane) & 0x3f;

        // Stages 3 and 4: FF and the B4 behind it.
        let is_ff = all(&|lane| unit_at(lane) == 0xff);
        let starts_behind = bit_scan(before.starts, &is_ff, &all(&|lane| unit_at(lane) == 0xb4));
        let events: Vec<Option<i32>> = (0..count).map(|lane| is_ff[lane].then_some(lane as i32)).collect();
        let last_ff = copy_scan(-1 - before.befores, &events);
        let starts = |lane: i32| if lane == 0 { before.starts } else { starts_behind[lane as usize - 1] };
        // B4 in front of the unit.
        let befores =
            |lane: i32| lane - 1 - if lane == 0 { -1 - before.befores } else { last_ff[lane as usize - 1] };
        let is_second = |lane: i32| unit_at(lane - 1) == 0xff;

        // Stages 5 and 6: where headers end, and what their digits add up to modulo three.
        let begins_thirteen = all(&|lane| is_second(lane) && unit_at(lane) & 0xe0 == 0x80);
        let is_first_digit = all(&|lane| starts(lane) && is_digit(unit_at(lane)));
        let events: Vec<Option<Header>> = (0..count as i32)
            .map(|lane| {
                if begins_thirteen[lane as usize] {
                    return Some(Header { end: lane - 1, thirteen: true, longest: false });
                }
                let count = befores(lane).min(MOST_HEADER as i32 - 1);
                is_first_digit[lane as usize].then(|| Header {
                    end: lane + count,
                    thirteen: false,
                    longest: count == most_befores,
                })
            })
            .collect();
        let end_before = (before.header.end - 1).max(-NEAR_HEADER);
        let headers = copy_scan(Header { end: end_before, ..before.header }, &events);
        let mut modulo_3 = before.modulo_3;
        let sums: Vec<u8> = (0..count)
            .map(|lane| {
                let digit = beat[lane] % 16 % 3;
                modulo_3 = if is_first_digit[lane] { digit } else { (modulo_3 + digit) % 3 };
                modulo_3
            })
            .collect();

        // Stage 7: what each unit is behind FF, if the sequence is alive.
        let in_header =
            |lane: i32| !starts(lane) && headers[lane as usize].end >= lane || is_first_digit[lane as usize];
        let ends_header =
            |lane: i32| in_header(lane) && is_digit(unit_at(lane)) && headers[lane as usize].end == lane;
        // The digits of the header so far: those in front of it are no digits.
        let digits_up_to = |lane: i32| -> Vec<u8> {
            let all = (0..=WINDOW as i32).take_while(|&back| is_digit(unit_at(lane - back)));
            let mut digits: Vec<u8> = all.map(|back| unit_at(lane - back) & 0xf).collect();
            digits.reverse();
            digits
        };
        let nme = |lane: i32| digits_up_to(lane).iter().fold(0u64, |nme, digit| nme << 4 | u64::from(*digit));
        let storage = |lane: i32| (lane - headers[lane as usize].end).min(NEAR_HEADER);
        let mut pads = vec![Pads::default(); count];
        let mut breaches: Vec<Option<ErrorKind>> = vec![None; count];
        for lane in 0..count as i32 {
            let (at, unit) = (lane as usize, unit_at(lane));
            let (top, middle, low) = (unit & 0x30 != 0, unit & 0x0c != 0, unit & 3 != 0);
            let behind = if lane == 0 { before.pads } else { pads[at - 1] };
            let trails = is_trailing(unit);
            if ends_header(lane) {
                let (nme, rest) = (nme(lane), sums[at]);
                let is_zero = unit == 0xa0 && is_second(lane);
                pads[at] = Pads {
                    of_18: is_zero,
                    first_unpadded: rest == 0 && !is_zero,
                    first_1: rest == 2,
                    first_2: rest == 1,
                    no_limb_first: nme % 8 == 6 && rest != 0 || nme % 8 == 5 && rest == 1,
                    ..Pads::default()
                };
            } else {
                pads[at] = Pads {
                    second_1: trails && behind.first_1 && !low,
                    second_2: trails && behind.first_2,
                    no_limb_second: trails && behind.no_limb_first,
                    ..Pads::default()
                };
            }
            if !trails {
                continue;
            }
            let is_b4 = unit == 0xb4;
            let bad_start = starts(lane) && !is_digit(unit) && !is_b4 && !begins_thirteen[at];
            let bad_digit = in_header(lane) && !is_digit(unit);
            let bad_pad = behind.first_2 && (top || middle || low)
                || behind.first_1 && (top || middle)
                || behind.second_2 && top;
            let small = behind.of_18 && unit & 0x20 == 0
                || behind.first_unpadded && !(top || middle)
                || behind.second_1 && !top
                || behind.second_2 && !(top || middle || low);
            let zero_digit = starts(lane) && !is_second(lane) && unit == 0xa0;
            let few_bits = headers[at].thirteen
                && !starts(lane)
                && storage(lane) == 6
                && (0..6).all(|back| six(lane - back) == 0);
            let digits = digits_up_to(lane);
            let past_limit = headers[at].longest
                && in_header(lane)
                && is_digit(unit)
                && digits.len() <= self.limit.len()
                && digits[..] > self.limit[..digits.len()];
            let too_long = starts(lane) && is_b4 && befores(lane) >= most_befores || past_limit;
            breaches[at] = if zero_digit || small || few_bits {
                Some(ErrorKind::Overlong)
            } else if bad_start || bad_digit || bad_pad {
                Some(ErrorKind::Invalid)
            } else if too_long {
                Some(ErrorKind::Length)
            } else {
                None
            };
        }

        // Stages 8 and 9: whether the sequence is alive, and where it ends.
        let hands_on: Vec<bool> =
            (0..count).map(|lane| is_trailing(beat[lane]) && breaches[lane].is_none()).collect();
        let alive = bit_scan(before.alive, &is_ff, &hands_on);
        let octets_of = |lane: i32| -> i64 {
            let digits = nme(lane) + 18;
            (digits.div_ceil(3) * 2) as i64
        };
        // A header of three digits or more has more octets than there are lanes: only the phase of its end counts.
        let end_events: Vec<Option<End>> = (0..count as i32)
            .map(|lane| {
                if begins_thirteen[lane as usize] {
                    return Some(End::at(lane + 11, self.lanes));
                }
                ends_header(lane).then(|| {
                    let end = End::at((i64::from(lane) + octets_of(lane)).min(1 << 20) as i32, self.lanes);
                    // By the last digit and the sum modulo three alone.
                    let (low, rest) = (i32::from(unit_at(lane) & 7), i32::from(sums[lane as usize]));
                    let modulo_24 = (0..24).find(|n| n % 8 == low && n % 3 == rest).expect("a remainder");
                    End { phase: (lane + (modulo_24 + 20) / 3 * 2).rem_euclid(16), ..end }
                })
            })
            .collect();
        let left = (before.pairs + 1).max(0) / 3;
        let end_before = if before.pairs < 0 {
            End { phase: 15, lane: Some(-1) }
        } else {
            // By the low bits of the pairs.
            let phase = ((before.pairs + 1) * 11 - 1).rem_euclid(16) as i32;
            End { phase, ..End::at((left - 1).min(1 << 20) as i32, self.lanes) }
        };
        let ends = copy_scan(end_before, &end_events);

        // Stage 10: how each unit stands in its sequence.
        let window = |lane: i32| short(&|back| unit_at(lane - back as i32));
        let at_head = |lane: i32| starts_behind[lane as usize] || headers[lane as usize].end >= lane;
        let in_storage = |lane: i32| alive[lane as usize] && is_trailing(unit_at(lane)) && !at_head(lane);
        let is_past = |lane: i32| ends[lane as usize].lane.is_some_and(|end| end < lane);
        let is_end = |lane: i32| in_storage(lane) && ends[lane as usize].lane == Some(lane);
        let goes_on_long = |lane: i32| {
            alive[lane as usize] && is_trailing(unit_at(lane)) && (at_head(lane) || !is_past(lane))
        };
        let goes_on = |lane: i32| goes_on_long(lane) || window(lane).is_some();
        let short_open = |lane: i32| window(lane).is_some_and(|(at, lead)| at < follow(lead));
        let is_open = |lane: i32| {
            let unit = unit_at(lane);
            unit == 0xff
                || follow(unit) > 0 && unit > 0xc1
                || short_open(lane)
                || goes_on_long(lane) && !is_end(lane)
        };
        // Six bits of each of the units up to this one, those of other sequences masked.
        let gathered = |lane: i32, units: i32| -> u64 {
            (0..6).fold(0, |bits, back| {
                bits | if back < units { u64::from(six(lane - back)) << (6 * back) } else { 0 }
            })
        };

        let is_thirteen = |lane: i32| headers[lane as usize].thirteen && in_storage(lane);
        let told = |lane: i32| {
            let fe = window(lane)
                .is_some_and(|(at, lead)| lead == 0xfe && unit_at(lane - at as i32 + 1) & 0x3c != 0);
            let thirteen = is_thirteen(lane) && (storage(lane) > 1 || six(lane) != 0);
            let header = !headers[lane as usize].thirteen
                && !starts_behind[lane as usize]
                && headers[lane as usize].end <= lane
                && goes_on_long(lane);
            fe || thirteen || header
        };
        // The head or limb that a unit makes certain.
        let part = |lane: i32| -> Option<Slot> {
            let at = lane as usize;
            if let Some((position, 0xfe)) = window(lane) {
                let is_long = unit_at(lane - position as i32 + 1) & 0x3c != 0;
                return match position {
                    1 if is_long => Some(Slot::Head(2)),
                    2 if is_long => Some(Slot::Limb(u32::from(six(lane - 1) >> 2))),
                    _ => None,
                };
            }
            if alive[at] && ends_header(lane) {
                return Some(Slot::Head(((nme(lane) + 25) >> 3) as u32));
            }
            if !in_storage(lane) || is_past(lane) || is_end(lane) {
                return None;
            }
            let is_zero = |lane: i32| six(lane) == 0;
            if headers[at].thirteen {
                let top = |lane: i32| six(lane) >> 4;
                match storage(lane) {
                    1 => return (!is_zero(lane)).then_some(Slot::Head(3)),
                    2 if is_zero(lane - 1) => return Some(Slot::Head(if top(lane) > 0 { 3 } else { 2 })),
                    3 if is_zero(lane - 2) && top(lane - 1) > 0 => {
                        return Some(Slot::Limb(top(lane - 1).into()));
                    }
                    _ => {}
                }
            }
            let behind = if lane == 0 { before.pads } else { pads[at - 1] };
            if behind.no_limb_first || behind.no_limb_second {
                return None;
            }
            let left_over = match (ends[at].phase - lane).rem_euclid(16) {
                5 => 2,
                10 => 4,
                0 => 0,
                _ => return None,
            };
            Some(Slot::Limb((gathered(lane, storage(lane)) >> left_over) as u32))
        };
        let own = |lane: i32| -> Option<Slot> {
            let unit = unit_at(lane);
            match unit {
                0x00..=0x7f => Some(Slot::CodePoint(unit.into())),
                0xc0 | 0xc1 => Some(Slot::Error(ErrorKind::Overlong)),
                _ if is_end(lane) => Some(Slot::Limb(gathered(lane, 6) as u32)),
                0x80..=0xbf if !goes_on(lane) => Some(Slot::Error(ErrorKind::Unexpected)),
                _ => {
                    let (position, lead) = window(lane)?;
                    let mask = if lead == 0xfe { 0 } else { 0x3f >> position };
                    let value = gathered(lane, position as i32) as u32
                        | if position < 6 { u32::from(lead & mask) << (6 * position) } else { 0 };
                    let is_long = lead == 0xfe && unit_at(lane - 5) & 0x3c != 0;
                    (follow(lead) == position).then_some(if is_long {
                        Slot::Limb(value)
                    } else {
                        Slot::CodePoint(value)
                    })
                }
            }
        };
        // The error of a sequence that is cut behind the unit.
        let cut = |lane: i32| -> Option<Slot> {
            let next = (lane + 1 < count as i32).then(|| unit_at(lane + 1));
            let was_open = if lane < 0 { before.open } else { is_open(lane) };
            let is_told = !self.drops || if lane < 0 { before.told } else { told(lane) };
            let is_cut = match next {
                Some(_) => !goes_on(lane + 1),
                None => last,
            };
            if !was_open || !is_cut || !is_told {
                return None;
            }
            let kind = match next {
                Some(next) if is_trailing(next) => {
                    let is_long = if lane < 0 { before.alive } else { alive[lane as usize] };
                    let breach = breaches[(lane + 1) as usize].filter(|_| is_long);
                    breach.unwrap_or(ErrorKind::Overlong)
                }
                _ => ErrorKind::Truncated,
            };
            Some(Slot::Error(kind))
        };
        let mut slots = Vec::new();
        for place in -1..count as i32 {
            let of_next = (place + 1 < count as i32).then(|| part(place + 1)).flatten();
            let own = if place < 0 { None } else { own(place) }
                .filter(|slot| !(self.drops && matches!(slot, Slot::Error(_))));
            let all = [own, of_next, cut(place)];
            assert!(all.iter().flatten().count() <= 1, "one slot a place: {all:?}");
            slots.extend(all.into_iter().flatten());
        }
        assert!(slots.len() <= self.lanes as usize + 1);

        // What is handed on.
        if count > 0 {
            let end = count as i32 - 1;
            let at = end as usize;
            let mut units = [0; WINDOW];
            for (back, unit) in units.iter_mut().enumerate() {
                *unit = unit_at(end - back as i32);
            }
            let event = (0..count as i32)
                .rev()
                .find(|&lane| end_events[lane as usize].is_some())
                .map(|lane| (lane, if begins_thirteen[lane as usize] { 11 } else { octets_of(lane) }));
            let pairs = match event {
                Some((lane, octets)) => 3 * (octets - i64::from(end - lane)) - 1,
                None if before.pairs < 0 => before.pairs,
                None => before.pairs - 3 * count as i64,
            };
            let header = Header { end: (headers[at].end - end).max(-NEAR_HEADER), ..headers[at] };
            self.between = Between {
                units,
                starts: starts_behind[at],
                befores: (end - last_ff[at]).min(most_befores + 1).max(0),
                header,
                modulo_3: sums[at],
                pads: pads[at],
                alive: alive[at],
                open: is_open(end),
                told: told(end),
                pairs,
            };
        }
        if last {
            self.between = Between::default();
        }
        slots
    }
}
