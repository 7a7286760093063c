//! The words of tables for the pairs and the four octets that end in a beat.
//!
//! Of two neighbouring octets, at most one ends a pair, and of four neighbours, at most one ends four octets. So two lanes share the tables
//! of pairs, and four lanes those of four octets. Those of `gb18030` have two ports, and serve twice as many lanes.

use std::ops::Range;
use std::sync::Arc;

use super::automaton::{THREE, state_bits};
use super::four;
use crate::core::MultiOctet;
use crate::core::lanes::{At, Lanes, section};
use crate::core::shared::code_points::OCTET;
use crate::core::shared::index_tables::{LEAD_BITS, PairTable, Words};
use crate::core::shared::memory_look_up::{Found, port_name};
use crate::core::shared::terms_of_four::{Faults, faults};
use crate::netlist::{Builder, InstanceHandle, Module};

/// Lanes that share the tables of pairs, and of four octets.
pub(super) const LANES_OF_PAIR: usize = 2;
const LANES_OF_FOUR: usize = 4;

/// Bits of a digit that tell it from the others.
const DIGIT: u32 = 4;

/// The bits of the fourth octet that are read: whether four octets are past the last code point, 5 and 4 at their end do not decide.
fn digit(words: Words) -> Range<u32> {
    match words {
        Words::CodePoints => 0..DIGIT,
        Words::Presence => 1..DIGIT,
    }
}

/// Stages from the octets and states to the word of a pair, to the faults of four octets, and to their code point.
pub(in crate::core::many_lanes) const WORD_LATENCY: u32 = 4;
pub(in crate::core::many_lanes) const FAULTS_LATENCY: u32 = 2;
pub(in crate::core::many_lanes) const FOUR_LATENCY: u32 = 1 + four::LATENCY;

/// The octets that can be in a sequence with those of a beat, all of one stage.
pub(in crate::core::many_lanes) struct Octets<'a, 'm> {
    /// The octets before the beat, the nearest first.
    pub(in crate::core::many_lanes) past: &'a [At<'m>],
    pub(in crate::core::many_lanes) units: &'a Lanes<'m>,
    /// The state before each lane.
    pub(in crate::core::many_lanes) states: &'a Lanes<'m>,
}

impl<'m> Octets<'_, 'm> {
    /// The octet that is `back` octets before that of a lane.
    pub(super) fn at(&self, lane: usize, back: usize) -> At<'m> {
        match lane.checked_sub(back) {
            Some(lane) => self.units[lane],
            None => self.past[back - lane - 1],
        }
    }

    pub(super) fn stage(&self) -> u32 {
        self.states.end().stage()
    }

    /// An output of the instance that a lane shares with others.
    fn output(&self, of: &[InstanceHandle<'m>], shared: usize, name: &'static str, stage: u32) -> Lanes<'m> {
        let output = |(lane, unit): (usize, &At<'m>)| {
            At::new(unit.registers(), of[lane / shared].output(name), self.stage() + stage)
        };
        Lanes::new(name, self.units.iter().enumerate().map(output))
    }
}

/// The word of the pair that ends with the octet of each lane, of those that end one.
pub(in crate::core::many_lanes) struct PairWords<'m> {
    pub(in crate::core::many_lanes) word: Lanes<'m>,
    /// The word is not 0.
    pub(in crate::core::many_lanes) is: Lanes<'m>,
}

/// Reads the words of pairs.
pub(in crate::core::many_lanes) fn pairs<'m>(
    m: &'m Builder,
    set: MultiOctet,
    words: Words,
    octets: &Octets<'_, 'm>,
) -> PairWords<'m> {
    let module = pair_module(m, set, words, octets.stage());
    let instances: Vec<InstanceHandle> = (0..octets.units.len())
        .step_by(LANES_OF_PAIR)
        .map(|lane| {
            let registers = octets.units[lane].registers();
            let instance = m.instance(&format!("words_{}", lane / LANES_OF_PAIR), &module).lane(lane);
            instance
                .input("advance", registers.enable)
                .input("lead_before", octets.at(lane, 1).bits(0..LEAD_BITS).signal())
                .input("first", octets.units[lane].signal())
                .input("second", octets.units[lane + 1].signal())
                .input("state_of_second", octets.states[lane + 1].signal());
            match set == MultiOctet::EucJp {
                true => instance.input("state_of_first", octets.states[lane].signal()),
                false => instance,
            }
        })
        .collect();
    PairWords {
        word: octets.output(&instances, LANES_OF_PAIR, "pair_word", WORD_LATENCY),
        is: octets.output(&instances, LANES_OF_PAIR, "is_pair_word", WORD_LATENCY),
    }
}

/// The module of the tables of two lanes, whose inputs are of stage `at`.
fn pair_module(core: &Builder, set: MultiOctet, words: Words, at: u32) -> Arc<Module> {
    let m = core.below("words", "The word of the pair that ends in one of two lanes.");
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group(format!("Stage {}", m.folded().number(at)));
    let before = m.input("lead_before", LEAD_BITS, "the octet before the two lanes, without its topmost bit");
    let first = m.input("first", OCTET, "the octet of the first lane");
    let second = m.input("second", OCTET, "the octet of the second lane");
    let bits = state_bits(set);
    let state_of_second = m.input("state_of_second", bits, "the state before the second lane");
    let state_of_first = (set == MultiOctet::EucJp)
        .then(|| m.input("state_of_first", bits, "the state before the first lane"));
    section(&m, at, "the pair");
    let is_second =
        state_of_second.any().named("is_second").note("the second lane can end a pair, not the first");
    let lead = stage.at(at + 1).data("lead_reg", is_second.mux(first.bits(0..LEAD_BITS), before));
    let octet = stage.at(at + 1).data("octet_reg", is_second.mux(second, first));
    section(&m, at + 1, "its word");
    let stages = [2, 3, 4].map(|after| stage.at(at + after));
    let table = PairTable::of(set).with(words);
    let Found { word, is } = table.word("pair", [lead, octet], stages);
    let found = match state_of_first {
        None => Found { word, is },
        Some(state_of_first) => {
            let of_8f = PairTable::of_jis_0212().with(words).word("pair_after_8f", [lead, octet], stages);
            let after = is_second.mux(state_of_second.is(THREE), state_of_first.is(THREE));
            let after = At::new(stage, after.named("is_after_8f"), at).at(at + WORD_LATENCY).signal();
            Found::mux(after, of_8f, Found { word, is })
        }
    };
    m.port_group(format!("Stage {}", m.folded().number(at + WORD_LATENCY)));
    let (word_note, is_note) = match words {
        Words::CodePoints => ("the word of the pair", "there is one"),
        Words::Presence => ("the word of the pair, of one bit", "there is one"),
    };
    m.output("pair_word", found.word, word_note);
    m.output("is_pair_word", found.is, is_note);
    m.built_trimmed()
}

/// For each lane: the four octets that its octet ends, if it ends four.
pub(in crate::core::many_lanes) struct Fours<'m> {
    pub(in crate::core::many_lanes) is_gap: Lanes<'m>,
    pub(in crate::core::many_lanes) is_past: Lanes<'m>,
    /// `None` where nobody reads code points.
    pub(in crate::core::many_lanes) code_point: Option<Lanes<'m>>,
}

/// Reads the code points of four octets.
pub(in crate::core::many_lanes) fn fours<'m>(
    m: &'m Builder,
    words: Words,
    octets: &Octets<'_, 'm>,
) -> Fours<'m> {
    let lanes = octets.units.len();
    let module = four_module(m, words, lanes, octets.stage());
    let digit = digit(words);
    let registers = octets.units[0].registers();
    let instance = m.instance("fours", &module).input("advance", registers.enable);
    for index in 0..lanes + 3 {
        let octet = match index.checked_sub(3) {
            Some(lane) => octets.units[lane],
            None => octets.at(0, 3 - index),
        };
        let octet = if index == lanes + 2 { octet.bits(digit.clone()) } else { octet };
        instance.input(&format!("octet_{index}"), octet.signal());
    }
    for lane in (0..lanes).filter(|&lane| is_asked(lane)) {
        instance.input(&format!("state_{lane}"), octets.states[lane].signal());
    }
    if words == Words::Presence {
        // No pair is looked up by the last octet.
        let last = octets.units[lanes - 1].signal();
        let unused = m.concat([last.bits(DIGIT..OCTET), last.bits(0..digit.start)]);
        unused.named("unused_bits").note("nothing depends on them");
    }
    let of = |name: &'static str, stage: u32| {
        let output = |(lane, unit): (usize, &At<'m>)| {
            let name = port_name(name, lane / LANES_OF_FOUR, lanes.div_ceil(LANES_OF_FOUR));
            At::new(unit.registers(), instance.output(&name), octets.stage() + stage)
        };
        Lanes::new(name, octets.units.iter().enumerate().map(output))
    };
    Fours {
        is_gap: of("four_is_gap", FAULTS_LATENCY),
        is_past: of("four_is_past", FAULTS_LATENCY),
        code_point: (words == Words::CodePoints).then(|| of("code_point", FOUR_LATENCY)),
    }
}

/// Whether the state before a lane decides which four octets are those of its lanes: they end in the first one if in no other.
fn is_asked(lane: usize) -> bool {
    !lane.is_multiple_of(LANES_OF_FOUR)
}

/// The module of the tables of all lanes, whose inputs are of stage `at`.
fn four_module(core: &Builder, words: Words, lanes: usize, at: u32) -> Arc<Module> {
    let m = core.below("fours", "The code points of four octets that end in a lane, of each four lanes.");
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group(format!("Stage {}", m.folded().number(at)));
    let octets: Vec<_> = (0..lanes + 3)
        .map(|index| {
            let note = if index < 3 { "an octet before the lanes" } else { "the octet of a lane" };
            let bits = if index == lanes + 2 { digit(words).len() as u32 } else { OCTET };
            m.input(&format!("octet_{index}"), bits, note)
        })
        .collect();
    let ends: Vec<_> = (0..lanes)
        .map(|lane| {
            is_asked(lane).then(|| {
                let state = m.input(&format!("state_{lane}"), 2, "the state before a lane");
                state.is(THREE).named(&format!("ends_in_{lane}"))
            })
        })
        .collect();
    section(&m, at, "the four octets");
    let groups: Vec<usize> = (0..lanes).step_by(LANES_OF_FOUR).collect();
    let name = |name: &str, group: usize| port_name(name, group, groups.len());
    let fours = groups.iter().enumerate().map(|(group, &first_lane)| {
        let digit = digit(words);
        let four = [0, 1, 2, 3].map(|index| {
            let octet = |at: usize| match index {
                3 if at + 1 < octets.len() => octets[at].bits(digit.clone()),
                _ => octets[at],
            };
            let of_group = (first_lane..lanes.min(first_lane + LANES_OF_FOUR)).skip(1);
            let octet = of_group.fold(octet(first_lane + index), |other, lane| {
                ends[lane].expect("no group begins here").mux(octet(lane + index), other)
            });
            stage.at(at + 1).data(&format!("{}_reg", name(&format!("octet_of_four_{index}"), group)), octet)
        });
        let [first, second, third, digit] = four;
        let unread = (digit.width() < DIGIT).then(|| m.lit(DIGIT - digit.width(), 0));
        [first, second, third, m.concat([digit].into_iter().chain(unread))]
    });
    let fours: Vec<_> = fours.collect();
    section(&m, at + 1, "whether they have a code point");
    let all = fours.iter().enumerate().map(|(group, &four)| faults(&m, four, |what| name(what, group)));
    let all: Vec<Faults> = all.collect();
    m.port_group(format!("Stage {}", m.folded().number(at + FAULTS_LATENCY)));
    for (group, Faults { is_gap, is_past }) in all.into_iter().enumerate() {
        for (what, fault, note) in [
            ("four_is_gap", is_gap, "they are between the planes"),
            ("four_is_past", is_past, "past the last code point"),
        ] {
            let what = name(what, group);
            m.output(&what, stage.at(at + FAULTS_LATENCY).data(&format!("{what}_reg"), fault), note);
        }
    }
    if words == Words::CodePoints {
        let code_points = four::code_points(&m, &fours, at + 1, stage);
        m.port_group(format!("Stage {}", m.folded().number(at + FOUR_LATENCY)));
        for (group, code_point) in code_points.into_iter().enumerate() {
            m.output(&name("code_point", group), code_point, "their code point");
        }
    }
    m.built_trimmed()
}
