//! Validators of several lanes for words whose octets are units: UTF-16, UCS-2 and UTF-32 in either order.
//!
//! Which octet of a word a lane holds follows from one number, the octets of an open word before the beat. An error of a word is marked
//! at the word's last octet, where all octets of it are known.
//!
//! ```text
//!  octets before    00 00 D8             three octets of an open word
//!  octets           00 00 01 F6 00 | 00  the first ends D800, which is a surrogate; the last is cut short by the end of the frame
//!  ends a word      1  0  0  0  1  | 0
//!  bad              1  0  0  0  0  | 1
//! ```

use super::single::layout;
use super::{Marked, Marks, PassedPorts};
use crate::core::lanes::{
    At, Beat, Cell, Heard, History, Instances, Lane, LaneModule, Told, Value, history, history_stages,
    section,
};
use crate::core::many_lanes::decoder::slot::{Kinds, Layout};
use crate::core::many_lanes::marks::swapped;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::opening::mark_of_other_order;
use crate::core::shared::single::Words;
use crate::core::{ByteOrder, Verdict};

const OCTET: u32 = 8;
/// Bits of a word of UTF-16, and of a code point.
const UNIT: u32 = 16;
const CODE_BITS: u32 = 21;
/// The upper octets of high and of low surrogates, without the lower two bits.
const HIGH: u64 = 0xd8 >> 2;
const LOW: u64 = 0xdc >> 2;
/// The upper octet of all surrogates, without the lower three bits.
const SURROGATE: u64 = 0xd8 >> 3;

/// The words.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// Each is a code point or an error by itself.
    Single(Words),
    /// Words of UTF-16.
    Pairs,
}

impl Form {
    /// Octets of a word.
    fn octets(self) -> usize {
        let bits = match self {
            Self::Single(words) => words.bits,
            Self::Pairs => UNIT,
        };
        (bits / OCTET) as usize
    }

    fn layout(self) -> Layout {
        match self {
            Self::Single(words) => layout(words),
            Self::Pairs => Layout::new(CODE_BITS, &[ErrorKind::Truncated, ErrorKind::Surrogate], false),
        }
    }
}

/// The last code point of systems whose words of 32 bits have others.
const LAST_OF_31_BITS: u32 = 0x7fff_ffff;

/// Which octet of a word is how far before the octet that ends it.
#[derive(Clone, Copy)]
struct Order {
    octets: usize,
    order: ByteOrder,
    /// Frames can open with the byte order mark of the other order, and are then in that order.
    has_mark: bool,
}

impl Order {
    /// The orders in which frames can be: the first, and the other one if there is a mark of it.
    fn all(self) -> impl Iterator<Item = Self> {
        let other = match self.order {
            ByteOrder::Big => ByteOrder::Little,
            ByteOrder::Little => ByteOrder::Big,
        };
        [self].into_iter().chain(self.has_mark.then_some(Self { order: other, ..self }))
    }

    /// The value in the order of the frame, which `swapped` says is the other one.
    fn choose<'m>(self, swapped: Option<At<'m>>, value: impl Fn(Self) -> At<'m>) -> At<'m> {
        let mut all = self.all().map(value);
        let own = all.next().expect("an order");
        match (swapped, all.next()) {
            (Some(swapped), Some(other)) => swapped.mux(other, own),
            _ => own,
        }
    }

    /// From the last octet of a word to its octet `index`, the most significant of which is 0.
    fn back(self, index: usize) -> usize {
        match self.order {
            ByteOrder::Big => self.octets - 1 - index,
            ByteOrder::Little => index,
        }
    }

    /// From the last octet of a word to the most significant octet of the word before.
    fn back_to_word_before(self) -> usize {
        self.back(0) + self.octets
    }

    /// From the first octet of a word to the same.
    fn back_from_first(self) -> usize {
        self.back(0) + 1
    }
}

/// Tests of an octet, which the octet that ends its word asks for.
struct Values {
    is_zero: Value,
    is_line_feed: Value,
    /// D8 to DF.
    is_surrogate: Value,
    /// Above 10, or 80 and above where code points have 31 bits.
    is_past: Value,
    is_high: Value,
    is_low: Value,
}

impl Values {
    fn new(form: Form, order: Order, verdict: Verdict, stage: u32) -> Self {
        type Back<'a> = &'a dyn Fn(Order) -> Vec<usize>;
        let value = |name: &str, note, backs: Back<'_>, test: fn(At<'_>) -> At<'_>| {
            let backs: Vec<usize> = order.all().flat_map(backs).collect();
            let farthest = backs.iter().copied().max().unwrap_or(0);
            let widths = (1..=farthest).map(|back| u32::from(backs.contains(&back)));
            Value::new(name, note, move |cell| test(cell.unit())).at(stage).widths(widths)
        };
        let octets = order.octets;
        let zeros = octets - if verdict.newline { 1 } else { 2 };
        let past = if let Form::Single(Words { last: LAST_OF_31_BITS, .. }) = form { 0 } else { 1 };
        let is_past = if past == 0 { has_highest_bit } else { exceeds_10 };
        let surrogate = octets.saturating_sub(2);
        let of_index = |index: usize| move |order: Order| vec![order.back(index)];
        let upper = |order: Order| (0..zeros).map(|index| order.back(index)).collect();
        let high = |order: Order| vec![order.back(0), order.back_from_first(), order.back_to_word_before()];
        Self {
            is_zero: value("is_zero", "the octet is zero", &upper, |octet| !octet.any()),
            is_line_feed: value("is_line_feed", "the octet is 0A", &of_index(octets - 1), |octet| {
                octet.is(0xa)
            }),
            is_surrogate: value("is_surrogate", "the octet is D8 to DF", &of_index(surrogate), |octet| {
                octet.bits(3..OCTET).is(SURROGATE)
            }),
            is_past: value("is_past", "past the last code point", &of_index(past), is_past),
            is_high: value("is_high", "the octet is D8 to DB", &high, |octet| octet.bits(2..OCTET).is(HIGH)),
            is_low: value("is_low", "the octet is DC to DF", &of_index(0), |octet| {
                octet.bits(2..OCTET).is(LOW)
            }),
        }
    }
}

fn has_highest_bit(octet: At<'_>) -> At<'_> {
    octet.bit(OCTET - 1)
}

/// Whether an octet is greater than 10, hexadecimal.
fn exceeds_10(octet: At<'_>) -> At<'_> {
    octet.bits(5..OCTET).any() | (octet.bit(4) & octet.bits(0..4).any())
}

/// The ports of a lane.
struct Ports {
    passed: PassedPorts,
    unit_1: Told,
    is_first: Option<Heard>,
    is_last: Heard,
    ends_frame: Heard,
    swapped: Option<Heard>,
    end: EndPorts,
}

/// Errors that a frame which ends in a beat without units makes certain.
struct EndPorts {
    cut: Heard,
    /// A second error, in UTF-16; and where kinds are given, whether the first is a surrogate.
    pair: Option<(Heard, Option<Heard>)>,
}

/// Errors at the end of a frame, in a lane.
struct End<'m> {
    cut: At<'m>,
    bad: Option<At<'m>>,
    is_surrogate: Option<At<'m>>,
}

/// A lane that is being built.
struct Making<'a, 'm> {
    lane: &'a Lane<'m>,
    form: Form,
    order: Order,
    values: &'a Values,
    verdict: Verdict,
    /// The stage in which the octets before the beat are known.
    history: u32,
}

/// Passes a beat on, with its marks.
pub(super) fn marked<'m>(
    form: Form,
    (order, has_mark): (ByteOrder, bool),
    verdict: Verdict,
    beat: &Beat<'m>,
) -> Marked<'m> {
    let history_at = beat.stage() + history_stages(beat.lanes());
    let order = Order { octets: form.octets(), order, has_mark };
    let values = Values::new(form, order, verdict, history_at + 1);
    let (module, ports) =
        LaneModule::build(beat, "An octet on its way from the bus to the output, and its marks.", |lane| {
            let making = Making { lane, form, order, values: &values, verdict, history: history_at };
            making.ports(beat.stage())
        });
    let lanes = Instances::new(beat, &module, &ports.passed.unit);
    let before = match form {
        Form::Single(_) => form.octets() - 1,
        Form::Pairs => order.all().map(Order::back_to_word_before).max().expect("an order"),
    };
    let units = history(beat, &lanes.all(&ports.unit_1), &vec![OCTET; before]);
    let past = History::new(units.into_iter().map(|unit| (unit, None)));
    lanes.link(&past);

    let octets = form.octets();
    let open = open_octets(octets, beat);
    // The lane holds the octet `at` of a word.
    let holds = |lane: usize, at: usize| open.is(((octets + at - lane % octets) % octets) as u64);
    if let Some(is_first) = &ports.is_first {
        lanes.connect(is_first, |lane| holds(lane, 0).called(&format!("lane_{lane}_begins_word")));
    }
    lanes.connect(&ports.is_last, |lane| holds(lane, octets - 1).called(&format!("lane_{lane}_ends_word")));
    lanes.connect(&ports.ends_frame, |lane| beat.ends_frame(lane));
    let swapped = ports.swapped.as_ref().map(|heard| {
        let swapped = swapped(beat, mark_of_other_order(order.order, octets as u32 * OCTET));
        let swapped = swapped.called("swapped").at(history_at + 1);
        lanes.connect(heard, |_| swapped);
        swapped
    });

    section(beat.builder(), history_at, "the end of a frame in a beat without units");
    let at = open.stage();
    let ends =
        (beat.ends_without_unit().at(at) & beat.valid.at(at)).named("is_empty_end").called("empty_end");
    let is_open = open.any().called("word_is_open");
    let of_first = |heard: &Heard, signal: At<'m>| {
        lanes.connect(heard, |lane| if lane == 0 { signal } else { signal.lit(1, 0) });
    };
    match &ports.end.pair {
        None => of_first(&ports.end.cut, (ends & is_open).called("cut_at_end")),
        Some((bad, is_surrogate)) => {
            let high = |more: usize| {
                order
                    .choose(swapped, |order| past.unit(order.back_from_first() + more).of(0, &values.is_high))
            };
            let pending = is_open.mux(high(1), high(0));
            let pending = pending.named("is_high_before").note("the last whole word is a high surrogate");
            of_first(&ports.end.cut, (ends & (is_open | pending)).called("cut_at_end"));
            of_first(bad, (ends & (is_open & pending)).called("bad_at_end"));
            if let Some(is_surrogate) = is_surrogate {
                of_first(is_surrogate, pending.called("surrogate_at_end"));
            }
        }
    }
    section(beat.builder(), history_at + 2, "the units, and their marks");
    ports.passed.marked(&lanes)
}

/// The number of octets of a word that are before the beat.
fn open_octets<'m>(octets: usize, beat: &Beat<'m>) -> At<'m> {
    let bits = octets.ilog2();
    let count = beat.count();
    let count = count.bits(0..bits.min(count.width())).zext(bits).called("octet_count");
    let at = beat.stage() + 1;
    section(beat.builder(), at, "the octets of a word that are before the beat");
    let registers = beat.valid.registers();
    let register = registers.state("open_reg", bits).carried(at);
    let open = At::new(registers, register.q, at).called("open_octets");
    let (valid, last) = (beat.valid.at(at), beat.last.at(at));
    let after = (open + count.at(at)).named("open_after");
    registers.load(register, valid.mux(after.masked(!last), open).signal());
    open
}

impl<'m> Making<'_, 'm> {
    fn ports(&self, first: u32) -> Ports {
        let Self { lane, form, order, values, verdict, history } = *self;
        let flags = history + 1;
        let (unit, valid, heard) = lane.hear_unit(OCTET, first);
        lane.section(first + 1, "the octet");
        let unit_1 = lane.tell("unit_1", unit.at(first + 1), "the octet");
        let hear_octet = |name: &str, note| lane.hear(name, 1, first + 1, note);
        let first_octet = verdict.start.then(|| hear_octet("is_first_octet", "a word begins with the octet"));
        let (first_octet, is_first) = first_octet.unzip();
        let (last_octet, is_last) = hear_octet("is_last_octet", "a word ends with the octet");
        let (ends_frame, ends_heard) = lane.hear_end(first);
        let swapped = order.has_mark.then(|| {
            lane.hear(
                "swapped",
                1,
                flags,
                "the octets of words are in the order of a mark that is not the system's",
            )
        });
        let (swapped, swapped_heard) = swapped.unzip();
        let (end, end_ports) = self.end();

        lane.section(history, "the word that the octet ends");
        lane.set_unit(unit.at(history), valid);
        let there = (valid.at(history) & last_octet.at(history)).named("is_end_of_word").called("ends_word");
        let there = there.at(flags);
        let cut_short = (ends_frame.at(history) & !last_octet.at(history)).named("is_cut_short");
        let cut_short = cut_short.called("cut_short").at(flags);

        lane.section(flags, "the marks");
        let octet =
            |index: usize, value: &Value| order.choose(swapped, |order| lane.of(order.back(index), value));
        let are_zero = |count: usize| At::any_of((0..count).map(|index| !octet(index, &values.is_zero)));
        let newline = verdict.newline.then(|| {
            let lowest = there & octet(order.octets - 1, &values.is_line_feed);
            let above = are_zero(order.octets - 1).expect("words have upper octets");
            lowest & !above.named("has_upper_bits")
        });
        let kinds = Kinds::new(lane.registers(), &form.layout());
        let code = |kind: ErrorKind| verdict.kinds.then(|| kinds.code(kind));
        let truncated = code(ErrorKind::Truncated);
        let (cut, bad) = match form {
            Form::Single(words) => {
                let last = order.octets - 2;
                let is_surrogate = octet(last, &values.is_surrogate);
                let is_surrogate = match are_zero(last) {
                    Some(above) => is_surrogate & !above,
                    None => is_surrogate,
                };
                let past = match (words.bits, words.last) {
                    (UNIT, _) => None,
                    (_, LAST_OF_31_BITS) => Some(octet(0, &values.is_past)),
                    _ => Some(octet(1, &values.is_past) | !octet(0, &values.is_zero)),
                };
                let past = past.map(|past| past.named("is_past_last"));
                let wrong = past.map_or(is_surrogate, |past| is_surrogate | past);
                let bad = ((there & wrong) | cut_short).named("is_bad");
                let kind = truncated.zip(code(ErrorKind::Surrogate)).map(|(truncated, surrogate)| {
                    let of_word =
                        past.map_or(surrogate, |past| past.mux(kinds.code(ErrorKind::OutOfRange), surrogate));
                    cut_short.mux(truncated, of_word)
                });
                ((end.cut, truncated), (bad, kind))
            }
            Form::Pairs => self.pairs([there, cut_short, ends_frame], swapped, &end, &kinds),
        };
        let start = first_octet.map(|is| (is & valid).called("begins_word").at(flags));
        let marks = Marks { cut, bad, start, newline };
        let passed = PassedPorts::new(lane, heard, [unit, valid], marks, verdict, flags);
        Ports {
            passed,
            unit_1,
            is_first,
            is_last,
            ends_frame: ends_heard,
            swapped: swapped_heard,
            end: end_ports,
        }
    }

    /// The inputs for a frame that ends in a beat without units.
    fn end(&self) -> (End<'m>, EndPorts) {
        let Self { lane, form, verdict, history, .. } = *self;
        let hear = |name: &str, note| lane.hear(name, 1, history + 1, note);
        let (cut, cut_heard) = hear("cut_at_end", "the frame ends before it, and an error is certain");
        let Form::Pairs = form else {
            return (End { cut, bad: None, is_surrogate: None }, EndPorts { cut: cut_heard, pair: None });
        };
        let (bad, bad_heard) = hear("bad_at_end", "and a second error");
        let kind = verdict.kinds.then(|| hear("surrogate_at_end", "the first is a high surrogate"));
        let (is_surrogate, is_heard) = kind.unzip();
        let end = End { cut, bad: Some(bad), is_surrogate };
        (end, EndPorts { cut: cut_heard, pair: Some((bad_heard, is_heard)) })
    }

    /// The marks `cut` and `bad` of an octet of UTF-16, with their kinds.
    fn pairs(
        &self,
        [there, cut_short, ends_frame]: [At<'m>; 3],
        swapped: Option<At<'m>>,
        end: &End<'m>,
        kinds: &Kinds<'m>,
    ) -> ((At<'m>, Option<At<'m>>), (At<'m>, Option<At<'m>>)) {
        let Self { lane, order, values, verdict, history, .. } = *self;
        let high =
            |back: fn(Order) -> usize| order.choose(swapped, |order| lane.of(back(order), &values.is_high));
        let is_high = high(|order| order.back(0));
        // A choice between two octet orders is a new signal, which has no name yet.
        let chosen = |at: At<'m>, name| if swapped.is_some() { at.named(name) } else { at };
        let is_low = order.choose(swapped, |order| lane.of(order.back(0), &values.is_low));
        let is_low = chosen(is_low, "is_low_word");
        let (high_before, pending) = (high(Order::back_to_word_before), high(Order::back_from_first));
        let high_before = chosen(high_before, "high_word_before");
        let cut = (there & high_before & !is_low) | (cut_short & pending) | end.cut;
        let unpaired = there & ((is_low & !high_before) | (is_high & ends_frame.at(history + 1)));
        let bad_at_end = end.bad.expect("a frame of pairs can end in two errors");
        let bad = unpaired.named("is_unpaired") | cut_short | bad_at_end;
        let [truncated, surrogate] =
            [ErrorKind::Truncated, ErrorKind::Surrogate].map(|kind| verdict.kinds.then(|| kinds.code(kind)));
        let kinds = truncated.zip(surrogate);
        let cut_kind = kinds.zip(end.is_surrogate).map(|((truncated, surrogate), is_surrogate)| {
            (end.cut & !is_surrogate).mux(truncated, surrogate)
        });
        let bad_kind = kinds.map(|(cut, surrogate)| (cut_short | bad_at_end).mux(cut, surrogate));
        ((cut.named("is_cut"), cut_kind), (bad.named("is_bad"), bad_kind))
    }
}
