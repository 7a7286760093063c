//! Sets of several octets, by tables in block RAM, as the Encoding Standard has them.
//!
//! ```text
//!  octets ──> classes ──> scan of states ──> pairs, four octets ──> tables ──> what each octet ──> slots
//!                           ^    │                                             makes certain
//!                           └────┘ state before the beat
//! ```
//!
//! The state before an octet decides what the octet is: a lead, the second octet of a pair, one of four. An octet that breaks a sequence makes
//! slots certain for the octets before it, which have made no slot yet. Each of these slots stands at the place of its octet, and the octet
//! may have come before the beat. A beat therefore has a place for each octet that can be open before it, and one for each lane.
//!
//! ```text
//!  gb18030           81 30 81 | 20 41        three octets are open before the beat
//!  places            -3 -2 -1    0  1
//!  slots of the beat #  0  #   " "  A        two errors, the digit that the first leaves, and the octets of the beat
//! ```

mod automaton;
mod blocks;
mod four;
mod lane;
mod words;

use super::front::{Build, Front, Spread};
use super::slot::{Kinds, Layout, SlotTag};
use crate::core::MultiOctet;
use crate::core::lanes::{At, Beat, Instances, LaneModule, Lanes, history, section};
use crate::core::shared::code_points::OCTET;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::index_tables::{CODE_BITS, LEAD_BITS, PairTable, Words};
use crate::core::shared::octet_class::has_four;
use crate::core::spec::ErrorMode;
pub(in crate::core::many_lanes) use automaton::states;
pub(in crate::core::many_lanes) use lane::{Effect, Ports, effect};
use lane::{SlotPorts, slot_ports};
pub(in crate::core::many_lanes) use words::{Octets, fours, pairs};

/// The kinds of error of a set.
pub(in crate::core::many_lanes) fn kinds(set: MultiOctet) -> &'static [ErrorKind] {
    match has_four(set) {
        true => &[ErrorKind::Truncated, ErrorKind::OutOfRange, ErrorKind::Invalid],
        false => &[ErrorKind::Truncated, ErrorKind::Invalid],
    }
}

/// The number of places before a beat that can get slots by it.
pub(in crate::core::many_lanes) fn earlier_places(set: MultiOctet, drops: bool) -> usize {
    match (has_four(set), drops) {
        // A lead, a digit and a lead; without errors, the digit, which the fourth octet leaves.
        (true, false) => 3,
        (true, true) => 2,
        // A lead that is an error.
        (false, false) => 1,
        (false, true) => usize::from(set == MultiOctet::Big5),
    }
}

/// The number of octets before a beat that matter to four octets. To a pair, it is the lead.
const OCTETS_BEFORE_OF_FOUR: usize = 3;

/// The stages of a core.
#[derive(Clone, Copy)]
pub(in crate::core::many_lanes) struct Stages {
    /// The beat comes in.
    pub(in crate::core::many_lanes) first: u32,
    /// The state after each octet is known for each state before that octet.
    pub(in crate::core::many_lanes) class: u32,
    /// The state before each octet is known.
    pub(in crate::core::many_lanes) states: u32,
    /// It is known which pairs have a code point, and the faults of four octets.
    pub(in crate::core::many_lanes) found: u32,
    /// The words of pairs are known; and the code points of four octets, or of pairs where there are none.
    pub(in crate::core::many_lanes) word: u32,
    pub(in crate::core::many_lanes) four: u32,
    /// The effect of each octet on slots of earlier octets is known.
    pub(in crate::core::many_lanes) decided: u32,
    /// The places with slots are known.
    ends: u32,
    /// The slots are made.
    made: u32,
}

impl Stages {
    pub(in crate::core::many_lanes) fn new(set: MultiOctet, first: u32, lanes: usize) -> Self {
        let class = first + 2;
        let states = class + crate::core::lanes::scan::stages(lanes) + 1;
        let [found, word, four] = match has_four(set) {
            true => [words::FAULTS_LATENCY, blocks::LATENCY, words::FOUR_LATENCY],
            false => [words::WORD_LATENCY, words::WORD_LATENCY, words::WORD_LATENCY + 1],
        }
        .map(|latency| states + latency);
        Self {
            first,
            class,
            states,
            found,
            word,
            four,
            decided: found + 1,
            ends: found + 2,
            made: four.max(found + 2),
        }
    }

    fn of_decoder(self, spread: &Spread) -> Self {
        Self { made: spread.counted(self.ends).max(self.made), ..self }
    }
}

/// The options of a decoder, and what follows from them.
pub(super) struct Shape {
    set: MultiOctet,
    drops: bool,
    layout: Layout,
    word_bits: u32,
    /// Places before the beat.
    earlier: usize,
}

/// The most places before `place` without a slot, where a place from `earlier` on has one.
fn most_gaps(set: MultiOctet, earlier: usize, drops: bool, place: usize) -> usize {
    let longest = if has_four(set) {
        4
    } else if set == MultiOctet::EucJp {
        3
    } else {
        2
    };
    match place.checked_sub(earlier) {
        Some(lane) if !drops => earlier + lane - lane / longest,
        _ => place,
    }
}

/// Decodes a beat up to the slots of its places.
pub(super) fn decode<'m>(set: MultiOctet, on_error: ErrorMode, build: Build, beat: &Beat<'m>) -> Front<'m> {
    let drops = on_error == ErrorMode::Drop;
    let m = beat.builder();
    let layout = Layout::new(CODE_BITS, if drops { &[] } else { kinds(set) }, false);
    let shape =
        Shape { set, drops, layout, word_bits: PairTable::of(set).bits, earlier: earlier_places(set, drops) };
    let places = beat.lanes() + shape.earlier;
    let earlier = shape.earlier;
    let build = Build { lanes: places, ..build };
    let farthest = most_gaps(set, earlier, drops, places - 1);
    let spread = Spread::new(build, places, farthest, move |place| most_gaps(set, earlier, drops, place));
    let stages = Stages::new(set, beat.stage(), beat.lanes()).of_decoder(&spread);

    let summary = "An octet on its way from the bus to the slot that it ends.";
    let (module, ports) = LaneModule::build_trimmed(beat, summary, |lane| slot_ports(lane, &shape, stages));
    let lanes = Instances::new(beat, &module, &ports.effect.unit);
    let Known { past, state_before } =
        connect(set, Words::CodePoints, beat, &lanes, &ports.effect, stages, |of_four| {
            let heard = ports.code_point_of_four.as_ref().expect("lanes hear it");
            lanes.connect_all(heard, of_four);
        });

    section(m, stages.decided, "slots of octets before those that make them certain");
    let later = LaterOf { lanes: &lanes, ports: &ports };
    if let Some([is, invalid]) = &ports.later.is_bad_lead {
        lanes.connect(is, |lane| later.rereads(lane as isize, 0));
        lanes.connect(invalid, |lane| later.rereads(lane as isize, 1));
    }
    if let Some(heard) = &ports.later.is_cut_off {
        lanes.connect(heard, |lane| later.cut_off(lane as isize));
    }
    if let Some(heard) = &ports.later.is_left {
        lanes.connect(heard, |lane| later.left(lane as isize));
    }
    if let Some([is, bit]) = &ports.later.two {
        lanes.connect(is, |lane| later.two(lane as isize, 0));
        lanes.connect(bit, |lane| later.two(lane as isize, 1));
    }
    let ends_before = (!drops).then(|| {
        let open = state_before.any().called("is_open_before").at(stages.decided);
        (open & beat.ends_without_unit().at(stages.decided)).named("is_cut_before")
    });
    let (mut ends, mut slots) = (Vec::new(), Vec::new());
    let kinds = (!drops).then(|| Kinds::new(beat.valid.registers(), &shape.layout));
    for place in 0..earlier {
        let back = earlier - place;
        let of_frame = ends_before.filter(|_| back == 1);
        let (is, slot) = later.slot(&shape, kinds.as_ref(), back, past[back - 1], of_frame, stages);
        ends.push(is);
        slots.push(slot);
    }
    ends.extend(lanes.all(&ports.ends).iter().copied());
    slots.extend(lanes.all(&ports.slot).iter().copied());
    Front {
        first: None,
        ends: Lanes::new("ends", ends),
        slots: Lanes::new("slot", slots),
        last: beat.last.at(stages.ends),
        valid: beat.valid.at(stages.ends),
        layout: shape.layout,
        spread,
        offsets: None,
    }
}

/// The octets before a beat, and the state after those.
pub(in crate::core::many_lanes) struct Known<'m> {
    /// The octets, the nearest first; stage `states`.
    pub(in crate::core::many_lanes) past: Vec<At<'m>>,
    pub(in crate::core::many_lanes) state_before: At<'m>,
}

/// Connects the lanes up to what their octets do: with the states, and the words of tables. `of_four` gets the code points of four octets.
pub(in crate::core::many_lanes) fn connect<'m>(
    set: MultiOctet,
    words: Words,
    beat: &Beat<'m>,
    lanes: &Instances<'_, 'm>,
    ports: &Ports,
    stages: Stages,
    of_four: impl FnOnce(&Lanes<'m>),
) -> Known<'m> {
    let m = beat.builder();
    if let Some(heard) = &ports.is_last {
        lanes.connect(heard, |lane| beat.ends_frame(lane));
    }
    let widths = if has_four(set) { vec![OCTET; OCTETS_BEFORE_OF_FOUR] } else { vec![LEAD_BITS] };
    let past = history(beat, &lanes.all(&ports.unit_1), &widths);
    let moves: Vec<Lanes> = ports.moves.iter().map(|told| lanes.all(told)).collect();
    let (state_before, states) = states(set, beat, &moves, &lanes.all(&ports.held));
    lanes.connect_all(&ports.state, &states);
    let past: Vec<At> = (1..)
        .zip(past)
        .map(|(back, unit)| unit.called(&format!("octet_{back}_before")).at(stages.states))
        .collect();
    section(m, stages.states, "the pairs and the four octets");
    let units = lanes.all(&ports.unit_of_states);
    let octets = Octets { past: &past, units: &units, states: &states };
    if let Some(is_word) = &ports.is_word {
        let of_pairs = pairs(m, set, words, &octets);
        if let Some(heard) = &ports.word {
            lanes.connect_all(heard, &of_pairs.word);
        }
        lanes.connect_all(is_word, &of_pairs.is);
    } else if let Some(heard) = &ports.word {
        lanes.connect_all(heard, &blocks::pairs(m, &octets));
    }
    if let Some([gap, past]) = &ports.faults {
        let found = fours(m, words, &octets);
        lanes.connect_all(gap, &found.is_gap);
        lanes.connect_all(past, &found.is_past);
        if let Some(code_point) = &found.code_point {
            of_four(code_point);
        }
    }
    Known { past, state_before }
}

/// The effects of a beat's octets on slots of earlier octets. Octets are numbered by lane, from below 0 before the beat.
struct LaterOf<'a, 'm> {
    lanes: &'a Instances<'a, 'm>,
    ports: &'a SlotPorts,
}

impl<'m> LaterOf<'_, 'm> {
    /// The output of a lane, if there is such a lane.
    fn said(&self, lane: isize, told: &crate::core::lanes::Told) -> Option<At<'m>> {
        let lane = usize::try_from(lane).ok().filter(|&lane| lane < self.lanes.len())?;
        Some(self.lanes.output(lane, told))
    }

    fn or_no(&self, said: impl IntoIterator<Item = Option<At<'m>>>) -> At<'m> {
        let no = self.lanes.output(0, &self.ports.ends).lit(1, 0);
        At::any_of(said.into_iter().flatten()).unwrap_or(no)
    }

    /// The lead of a lane is an error, or the kind of that is `invalid`.
    fn rereads(&self, lane: isize, port: usize) -> At<'m> {
        let told = self.ports.earlier.rereads.as_ref().expect("errors have slots");
        self.or_no([self.said(lane + 1, &told[port])])
    }

    fn two(&self, lane: isize, port: usize) -> At<'m> {
        let told = self.ports.earlier.two.as_ref().expect("pairs can be two code points");
        self.or_no([self.said(lane + 1, &told[port])])
    }

    /// The octet is the first of four that a later one breaks.
    fn cut_off(&self, lane: isize) -> At<'m> {
        let [third, fourth] = self.ports.earlier.breaks.as_ref().expect("there are four octets");
        self.or_no([self.said(lane + 2, third), self.said(lane + 3, fourth)])
    }

    /// The octet is the digit that is left of them.
    fn left(&self, lane: isize) -> At<'m> {
        let [third, fourth] = self.ports.earlier.breaks.as_ref().expect("there are four octets");
        self.or_no([self.said(lane + 1, third), self.said(lane + 2, fourth)])
    }

    /// Whether the octet `back` before the beat gets a slot, and that slot. `of_frame`: the frame ends before the beat's first octet, and cuts the
    /// sequence.
    fn slot(
        &self,
        shape: &Shape,
        kinds: Option<&Kinds<'m>>,
        back: usize,
        octet: At<'m>,
        of_frame: Option<At<'m>>,
        stages: Stages,
    ) -> (At<'m>, At<'m>) {
        let Shape { set, drops, layout, .. } = shape;
        let lane = -(back as isize);
        let name = |what: &str| format!("{what}_{back}_before");
        let named = |is: At<'m>, what: &str| is.named(&name(what));
        let rereads = (!drops && back == 1).then(|| [self.rereads(lane, 0), self.rereads(lane, 1)]);
        let cut_off = (!drops && has_four(*set)).then(|| self.cut_off(lane));
        let left = (has_four(*set) && back < 3).then(|| named(self.left(lane), "is_left"));
        let two = (*set == MultiOctet::Big5).then(|| [self.two(lane, 0), self.two(lane, 1)]);
        let truncated = At::any_of([cut_off, of_frame].into_iter().flatten());
        let truncated = truncated.map(|truncated| named(truncated, "is_truncated"));
        let all = [rereads.map(|[is, _]| is), truncated, left, two.map(|[is, _]| is)];
        let is = At::any_of(all.into_iter().flatten()).expect("it can get a slot");
        let is = is.called(&name("has_slot")).at(stages.ends);
        let made = |signal: At<'m>, what: &str| signal.called(&name(what)).at(stages.made);
        let none = is.lit(CODE_BITS, 0);
        let code_point = match (left, two) {
            (Some(left), _) => {
                octet.called(&name("octet")).at(stages.made).zext(CODE_BITS).masked(made(left, "left"))
            }
            (None, Some([is, bit])) => {
                let bit = At::concat([bit, is.lit(lane::BIT_OF_FIRST, 0)]).zext(CODE_BITS);
                let first = is.lit(CODE_BITS, lane::FIRST_OF_TWO) | made(bit, "first_of_two");
                first.masked(made(is, "is_first_of_two"))
            }
            (None, None) => none,
        };
        let Some(kinds) = kinds else {
            return (is, code_point.registered(&name("slot")));
        };
        let [of_truncated, invalid] = [ErrorKind::Truncated, ErrorKind::Invalid].map(|kind| kinds.code(kind));
        let error = At::any_of([rereads.map(|[is, _]| is), truncated].into_iter().flatten());
        let error = made(error.expect("it can be an error"), "is_error");
        let kind = match rereads {
            Some([is, is_invalid]) => made(is & is_invalid, "is_invalid").mux(invalid, of_truncated),
            None => of_truncated,
        };
        let data = code_point | layout.error_data(kind).masked(error);
        let slot = layout.slot(SlotTag { error: Some(error), part: None }, data);
        (is, slot.registered(&name("slot")))
    }
}
