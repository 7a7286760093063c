//! A lane: an octet from the bus to what it does to the sequence before it, and to its slot.
//!
//! An octet can make a slot for an octet before it certain: a lead that turns out to be an error, a digit that an error leaves, or the first of
//! two code points of `big5`. That slot is at the place of the earlier octet, which has made none.

use super::automaton::{LEAD, THREE, TWO, has_three, moves, state_bits};
use super::{Shape, Stages};
use crate::core::MultiOctet;
use crate::core::lanes::{At, Heard, Lane, Told, UnitHeard};
use crate::core::many_lanes::decoder::slot::{Kinds, SlotTag};
use crate::core::shared::code_points::OCTET;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::index_tables::{CODE_BITS, LEAD_BITS};
use crate::core::shared::octet_class::{Class, has_four, single};

/// Bits of the word of a pair that is two code points, which say so.
const BITS_OF_TWO: std::ops::Range<u32> = 16..18;

/// The two code points of a pair of `big5`, each with the bit that the table gives.
pub(super) const FIRST_OF_TWO: u64 = 0xca;
pub(super) const BIT_OF_FIRST: u32 = 5;
const SECOND_OF_TWO: u64 = 0x304;
const BIT_OF_SECOND: u32 = 3;

/// The ports of a lane up to what its octet does.
pub(in crate::core::many_lanes) struct Ports {
    pub(in crate::core::many_lanes) unit: UnitHeard,
    /// The octet, a stage after it came in.
    pub(in crate::core::many_lanes) unit_1: Told,
    /// The state after the octet, by that before it; stage `class`.
    pub(in crate::core::many_lanes) moves: Vec<Told>,
    pub(in crate::core::many_lanes) held: Told,
    pub(in crate::core::many_lanes) is_last: Option<Heard>,
    /// Stage `states`.
    pub(in crate::core::many_lanes) state: Heard,
    pub(in crate::core::many_lanes) unit_of_states: Told,
    /// Stage `word`.
    pub(in crate::core::many_lanes) word: Option<Heard>,
    /// Stage `found`; every pair of `gb18030` has a word.
    pub(in crate::core::many_lanes) is_word: Option<Heard>,
    pub(in crate::core::many_lanes) faults: Option<[Heard; 2]>,
}

/// The effect of an octet, in stage `found`.
pub(in crate::core::many_lanes) struct Effect<'m> {
    pub(in crate::core::many_lanes) unit: At<'m>,
    pub(in crate::core::many_lanes) valid: At<'m>,
    pub(in crate::core::many_lanes) is_last: Option<At<'m>>,
    pub(in crate::core::many_lanes) state: At<'m>,
    /// The sequence is open after it.
    pub(in crate::core::many_lanes) continues: At<'m>,
    /// The octet ends a pair, of which there is a word; or four octets.
    pub(in crate::core::many_lanes) is_pair: At<'m>,
    pub(in crate::core::many_lanes) ends_four: Option<At<'m>>,
    /// The lead before it is an error, and the octet is read again.
    pub(in crate::core::many_lanes) rereads: At<'m>,
    /// The octet breaks four octets, as the third or the fourth of them.
    pub(in crate::core::many_lanes) breaks: Option<[At<'m>; 2]>,
    /// The slot of the octet, if there is one, is an error: `truncated` because the sequence is cut or the octet is no trail, `out-of-range`, or
    /// else `invalid`.
    pub(in crate::core::many_lanes) error: At<'m>,
    pub(in crate::core::many_lanes) is_truncated: At<'m>,
    pub(in crate::core::many_lanes) is_past: Option<At<'m>>,
    pub(in crate::core::many_lanes) is_trail: At<'m>,
    pub(in crate::core::many_lanes) word: Option<At<'m>>,
}

/// Builds what is in a lane up to what its octet does. `has_word`: somebody reads the words of pairs; `has_end`: the end of the frame makes an error.
pub(in crate::core::many_lanes) fn effect<'m>(
    lane: &Lane<'m>,
    set: MultiOctet,
    stages: Stages,
    word_bits: Option<u32>,
    has_end: bool,
) -> (Effect<'m>, Ports) {
    let Stages { first, class: class_at, states, found, word: word_at, .. } = stages;
    let (unit, valid, unit_heard) = lane.hear_unit(OCTET, first);
    let (is_last, is_last_heard) = has_end.then(|| lane.hear_end(first)).unzip();
    lane.section(first + 1, "the class of the octet");
    let now = unit.at(first + 1);
    // To a pair, the octet before the beat is the lead.
    let kept = if has_four(set) { now } else { now.bits(0..LEAD_BITS) };
    let unit_1 = lane.tell("unit_1", kept, "the octet, as far as those of the next beat need it");
    let class = Class::new(lane.builder(), set, now.signal());
    let told = |(name, to): (&str, At<'m>)| {
        lane.tell(name, to.called(name).at(class_at), "the state after the octet, from that state on")
    };
    let names = ["from_start", "from_lead", "from_two"];
    let moves = names.into_iter().zip(moves(set, now, &class)).map(told).collect();
    let held = lane.tell("held", valid.at(class_at), "there is one");
    let later = |name: &str, signal| lane.at(signal, first + 1).called(name).at(found);
    let is_ascii = later("is_ascii", class.is_ascii);
    let is_lead = later("is_lead", class.is_lead);
    let is_trail = later("is_trail", class.is_trail);
    let is_single = later("is_single", class.is_single);
    let is_digit = has_four(set).then(|| later("is_digit", class.is_digit));

    let unit_of_states = lane.tell("unit_of_states", unit.at(states), "the octet");
    let (state, state_heard) = lane.hear("state", state_bits(set), states, "the state before the octet");
    let state = state.called("state").at(found);
    let (word, word_heard) =
        word_bits.map(|bits| lane.hear("word", bits, word_at, "the word of the pair that ends here")).unzip();
    let (is_word, is_word_heard) = match has_four(set) {
        true => (is_trail, None),
        false => {
            let (is_word, heard) = lane.hear("is_word", 1, found, "there is one");
            (is_word, Some(heard))
        }
    };
    let (faults, faults_heard) = has_four(set)
        .then(|| {
            let [gap, past] = [("is_gap", "between the planes"), ("is_past", "past the last code point")]
                .map(|(name, note)| {
                    lane.hear(name, 1, found, &format!("the four octets that end here are {note}"))
                });
            ([gap.0, past.0], [gap.1, past.1])
        })
        .unzip();

    lane.section(found, "what the octet does");
    let valid = valid.at(found);
    let now = |code: u64| state.is(code);
    let after_lead = now(LEAD).named("after_lead");
    let begins = (!state.any() & is_lead).named("begins");
    let [after_two, after_three] = match has_three(set) {
        true => [Some(now(TWO).named("after_two")), Some(now(THREE).named("after_three"))],
        false => [None; 2],
    };
    let both = |one: Option<At<'m>>, other: Option<At<'m>>| Some(one? & other?);
    let (continues, ends_pair) = match (is_digit, after_two, after_three) {
        (Some(digit), Some(two), Some(three)) => {
            let continues = begins | after_lead & digit | two & is_lead;
            (continues, after_lead & !digit | three & !digit)
        }
        (None, Some(two), Some(three)) => (begins | two & is_trail, after_lead | two & !is_trail | three),
        _ => (begins, after_lead),
    };
    let continues = (valid & continues).named("continues").note("its sequence is open after it");
    let ends_pair = (valid & ends_pair).named("ends_pair").note("the octet is the second one of a pair");
    let is_pair = (ends_pair & is_word).named("is_pair").note("the pair has a code point");
    let bad_pair = (ends_pair & !is_word).named("is_bad_pair");
    let rereads = (bad_pair & is_ascii).named("rereads");
    let rereads = rereads.note("the lead before it is an error, and the octet is read again");
    let takes_unit = (bad_pair & !is_ascii).named("takes_octet").note("the error of the pair has the octet");
    let ends_four = both(after_three, is_digit).map(|four| (valid & four).named("ends_four"));
    let breaks = after_two.zip(after_three).zip(is_digit).map(|((two, three), digit)| {
        let by_third = (valid & two & !is_lead).named("breaks_as_third");
        let by_fourth = (valid & three & !digit).named("breaks_as_fourth");
        [by_third.note("the octet breaks four octets, of which a digit is left"), by_fourth]
    });
    let is_alone = !(ends_pair | continues);
    let is_alone = ends_four.map_or(is_alone, |four| is_alone & !four);
    let is_wrong = (valid & is_alone & !is_single).named("is_wrong").note("no code point, and no lead");
    let cut = is_last.map(|is_last: At| (is_last.at(found) & continues).named("is_cut"));
    let mut error = takes_unit | is_wrong;
    let mut is_truncated = takes_unit & !is_trail;
    if let Some(cut) = cut {
        (error, is_truncated) = (error | cut, is_truncated | cut);
    }
    let mut is_past = None;
    if let (Some([gap, past]), Some(four)) = (faults, ends_four) {
        error = error | four & (gap | past);
        is_past = Some((four & past & !gap).named("is_past_last"));
    }
    let effect = Effect {
        unit: unit.at(found),
        valid,
        is_last: is_last.map(|is_last| is_last.at(found)),
        state,
        continues,
        is_pair,
        ends_four,
        rereads,
        breaks,
        error: error.named("is_error"),
        is_truncated: is_truncated.named("is_truncated"),
        is_past,
        is_trail,
        word,
    };
    let ports = Ports {
        unit: unit_heard,
        unit_1,
        moves,
        held,
        is_last: is_last_heard,
        state: state_heard,
        unit_of_states,
        word: word_heard,
        is_word: is_word_heard,
        faults: faults_heard,
    };
    (effect, ports)
}

/// The ports of a lane of a decoder.
pub(super) struct SlotPorts {
    pub(super) effect: Ports,
    pub(super) code_point_of_four: Option<Heard>,
    pub(super) earlier: Earlier,
    pub(super) later: Later,
    pub(super) ends: Told,
    pub(super) slot: Told,
}

/// The effects of the octet on slots of earlier octets; stage `decided`.
pub(super) struct Earlier {
    /// The lead before it is an error, if errors are not dropped; its kind is `invalid` if the octet can be a trail.
    pub(super) rereads: Option<[Told; 2]>,
    pub(super) breaks: Option<[Told; 2]>,
    /// The pair is two code points, and the bit of the first.
    pub(super) two: Option<[Told; 2]>,
}

/// The effects of later octets on the slot of the lane; stage `decided`.
pub(super) struct Later {
    pub(super) is_bad_lead: Option<[Heard; 2]>,
    /// The first octet of four is an error, and the digit is left.
    pub(super) is_cut_off: Option<Heard>,
    pub(super) is_left: Option<Heard>,
    pub(super) two: Option<[Heard; 2]>,
}

/// Builds a lane of a decoder.
pub(super) fn slot_ports<'m>(lane: &Lane<'m>, shape: &Shape, stages: Stages) -> SlotPorts {
    let Stages { decided, ends: ends_at, made, .. } = stages;
    let Shape { set, drops, layout, word_bits, .. } = shape;
    let (effect, ports) = effect(lane, *set, stages, Some(*word_bits), !drops);
    let at_decided =
        |name: &str, signal: At<'m>, note: &str| lane.tell(name, signal.called(name).at(decided), note);
    let is_two = (*set == MultiOctet::Big5).then(|| {
        let word = effect.word.expect("words are read");
        ((word.bits(BITS_OF_TWO).map(|bits| bits.all()) & effect.is_pair).named("is_two"), word)
    });
    let earlier = Earlier {
        rereads: (!drops).then(|| {
            [
                at_decided("lead_is_bad", effect.rereads, "the lead before it is an error"),
                at_decided("lead_is_invalid", effect.is_trail, "the kind of that error is invalid"),
            ]
        }),
        breaks: effect.breaks.map(|[third, fourth]| {
            [
                at_decided("third_breaks", third, "it breaks four octets as the third of them"),
                at_decided("fourth_breaks", fourth, "it breaks four octets as the last of them"),
            ]
        }),
        two: is_two.map(|(is_two, word)| {
            [
                at_decided("pair_is_two", is_two, "its pair is two code points"),
                at_decided("pair_bit", word.bit(0), "which the first of them is"),
            ]
        }),
    };
    let own_ends = match (drops, effect.is_last) {
        (true, _) => effect.valid & !(effect.continues | effect.error),
        (false, Some(is_last)) => effect.valid & (!effect.continues | is_last),
        (false, None) => unreachable!("the end of a frame is an error"),
    };
    let own_ends = own_ends.called("ends_own").at(decided);

    lane.section(decided, "what later octets make certain");
    let hear = |name: &str, note: &str| lane.hear(name, 1, decided, note);
    let bad_lead = (!drops).then(|| {
        let (is, of_is) = hear("is_bad_lead", "the octet is a lead, and an error");
        let (invalid, of_invalid) = hear("is_invalid_lead", "the kind of that error is invalid");
        ([is, invalid], [of_is, of_invalid])
    });
    let (bad_lead, of_bad_lead) = bad_lead.unzip();
    let (cut_off, of_cut_off) = (!drops && has_four(*set))
        .then(|| hear("is_cut_off", "the octet is the first of four that break"))
        .unzip();
    let (left, of_left) =
        has_four(*set).then(|| hear("is_left", "the octet is the digit of four that break")).unzip();
    let two = (*set == MultiOctet::Big5).then(|| {
        let (is, of_is) = hear("is_first_of_two", "the octet is the lead of two code points");
        let (bit, of_bit) = hear("bit_of_first", "which the first of them is");
        ([is, bit], [of_is, of_bit])
    });
    let (two, of_two) = two.unzip();
    let later = [bad_lead.map(|[is, _]| is), cut_off, left, two.map(|[is, _]| is)];
    let later = later.into_iter().flatten().fold(own_ends, |ends, later| ends | later);
    let ends = lane.tell("ends", later.called("ends").at(ends_at), "the octet ends a slot");

    let (of_four, of_four_heard) = has_four(*set)
        .then(|| lane.hear("code_point_of_four", CODE_BITS, stages.four, "the code point of the four octets"))
        .unzip();
    lane.section(stages.four, "the slot");
    let own = effect.unit.at(stages.four).map(|unit| single(lane.builder(), *set, unit));
    let word = effect.word.expect("words are read");
    let of_pair = match is_two {
        Some((is_two, word)) => {
            let bit = At::concat([word.bit(1), lane.lit(BIT_OF_SECOND, 0)]).zext(CODE_BITS);
            is_two.mux(lane.lit(CODE_BITS, SECOND_OF_TWO) | bit, word.zext(CODE_BITS)).named("of_pair")
        }
        None => word.zext(CODE_BITS),
    };
    let mut code_point = effect.is_pair.mux(of_pair.called("word"), own);
    if let (Some(four), Some(of_four)) = (effect.ends_four, of_four) {
        code_point = four.mux(of_four, code_point);
    }
    if let Some([is, bit]) = two {
        let bit = At::concat([bit, lane.lit(BIT_OF_FIRST, 0)]).zext(CODE_BITS);
        code_point = is.mux(lane.lit(CODE_BITS, FIRST_OF_TWO) | bit, code_point);
    }
    let slot = match (drops, bad_lead) {
        (false, Some([is_bad_lead, is_invalid_lead])) => {
            let kinds = Kinds::new(lane.registers(), layout);
            let [truncated, invalid] =
                [ErrorKind::Truncated, ErrorKind::Invalid].map(|kind| kinds.code(kind));
            let mut error = effect.error | is_bad_lead;
            let mut is_truncated = is_bad_lead.mux(!is_invalid_lead, effect.is_truncated);
            if let Some(cut_off) = cut_off {
                (error, is_truncated) = (error | cut_off, is_truncated | cut_off);
            }
            let mut kind = is_truncated.mux(truncated, invalid);
            if let Some(past) = effect.is_past {
                kind = past.mux(kinds.code(ErrorKind::OutOfRange), kind);
            }
            let error = error.named("slot_is_error").at(stages.four);
            let kind = kind.named("kind").at(stages.four);
            let data = layout.data_or_error(code_point.named("code_point"), error, || kind);
            layout.slot(SlotTag { error: Some(error), part: None }, data)
        }
        _ => code_point,
    };
    let slot = lane.tell("slot", slot.called("slot").at(made + 1), "the slot that the octet ends");
    SlotPorts {
        effect: ports,
        code_point_of_four: of_four_heard,
        earlier,
        later: Later { is_bad_lead: of_bad_lead, is_cut_off: of_cut_off, is_left: of_left, two: of_two },
        ends,
        slot,
    }
}
