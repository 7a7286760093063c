//! The words of UTF-16 and UTF-32 from octets, two or four a word, as a module upstream of a decoder of words.
//!
//! Which octets are a word depends on one number: the octets of an open word before the beat. So there is a place for each word that a
//! beat can complete, with a choice between as many cuts as a word has octets. Words have no gaps between them, and after them come octets
//! that the end of the frame leaves over.
//!
//! ```text
//!  octets           open   place 0   place 1   place 2      words of two octets, four lanes
//!  D8 3D DE 00      0      D83D      DE00      -
//!  00 41 00 42      1      xx00      4100      42           the open octet of the beat before is the first of place 0
//! ```

use std::sync::Arc;

use super::front::Build;
use super::offsets::Mark;
use crate::core::lanes::{At, Beat, Lanes, history, history_stages, section};
use crate::core::many_lanes::marks::{WordMarks, swapped};
use crate::core::shared::opening::{mark_of_order, mark_of_other_order};
use crate::core::shared::ports::UnitsIn;
use crate::core::shared::single;
use crate::core::{ByteOrder, System};
use crate::netlist::{Builder, Module};

/// Bits of an octet.
const OCTET: u32 = 8;
/// The fewest places for words, for decoders that compare words beside each other. There are as many lanes at least.
const FEWEST: usize = 2;

/// A module that makes words of octets.
pub(super) struct Words {
    octets: usize,
    order: ByteOrder,
    /// The byte order marks, if frames can open with them.
    marks: Option<WordMarks>,
    /// A mark is no word.
    drops_mark: bool,
    /// An output says whether the beat ends the mark, for positions.
    tells_mark: bool,
    /// A word that the end of the frame cuts short gives an error slot.
    tells_cut: bool,
}

/// A beat of words.
pub(super) struct BeatOfWords<'m> {
    pub(super) beat: Beat<'m>,
    /// For each word: the end of the frame cuts it short, where that gives an error slot.
    pub(super) cut: Option<Lanes<'m>>,
    /// The mark that can open a frame and is no word, in a decoder with positions.
    pub(super) mark: Option<Mark<'m>>,
}

/// The number of positions for words of `octets` octets in a beat of `lanes` octets; `tells_cut` adds one for a word that the end of the
/// frame cuts short.
fn places(octets: usize, tells_cut: bool, lanes: usize) -> usize {
    (lanes.div_ceil(octets) + usize::from(tells_cut)).max(FEWEST)
}

/// The lanes of a decoder after its units are put together to words: as many as there are, unless units are octets of words.
pub(super) fn lanes_of_words(system: System, tells_cut: bool, lanes: usize) -> usize {
    let of_octets = single::Words::of(system).filter(|words| words.octets.is_some());
    let bits = match system {
        System::Utf16Octets { .. } => Some(u16::BITS),
        _ => of_octets.map(|words| words.bits),
    };
    bits.map_or(lanes, |bits| places((bits / OCTET) as usize, tells_cut, lanes))
}

impl Words {
    /// For words of `bits` bits, whose octets are in an order, and in the other one where the frame opens with the mark of that.
    pub(super) fn new(
        bits: u32,
        (order, has_mark): (ByteOrder, bool),
        tells_cut: bool,
        build: Build,
    ) -> Self {
        let drops_mark = build.drops_mark && has_mark;
        let marks = has_mark
            .then(|| WordMarks { own: mark_of_order(order, bits), other: mark_of_other_order(order, bits) });
        let tells_mark = drops_mark && build.positions;
        Self { octets: (bits / OCTET) as usize, order, marks, drops_mark, tells_mark, tells_cut }
    }

    /// The words of a beat of octets.
    pub(super) fn beat<'m>(&self, octets: Beat<'m>) -> BeatOfWords<'m> {
        let (m, registers) = (octets.builder(), octets.valid.registers());
        let places = places(self.octets, self.tells_cut, octets.lanes());
        let (module, latency) = self.module(m, octets.lanes(), places, octets.little.is_some());
        m.section("Words of octets");
        let words = m
            .instance("words", &module)
            .part()
            .input("advance", registers.enable)
            .input("flush", registers.flush().expect("stages are flushed"))
            .input("octets", octets.data.signal())
            .input("octets_valid", octets.keep.signal())
            .input("beat_valid", octets.valid.signal())
            .input("frame_ends", octets.last.signal());
        if let Some(little) = octets.little {
            words.input("little", little.signal());
        }
        let at = octets.stage() + latency;
        let of_places = |name: &str| {
            let place = |place: usize| {
                let registers = octets.units[place].registers();
                At::new(registers, words.output(&format!("{name}_{place}")), at)
            };
            Lanes::new(name, (0..places).map(place))
        };
        let units = of_places("word");
        let of_beat = |port: &str| At::new(registers, words.output(port), at);
        let (valid, last) = (of_beat("words_valid"), of_beat("words_last"));
        let beat = Beat::of(units.packed(), units, of_places("there").packed(), valid, last);
        let mark = || Mark { ends: of_beat("mark_ends"), units: 1, is_counted: false };
        BeatOfWords { beat, cut: self.tells_cut.then(|| of_places("cut")), mark: self.tells_mark.then(mark) }
    }

    /// The module, for an instance in `core`, and its latency.
    fn module(&self, core: &Builder, lanes: usize, places: usize, has_little: bool) -> (Arc<Module>, u32) {
        let summary = format!("Words of {} octets, as beats of octets complete them.", self.octets);
        let m = core.below("words", summary);
        let stage = m.stage(m.input("advance", 1, "all stages move"));
        let stage = stage.flushed_by(m.input("flush", 1, "the cycle after reset, which clears them"));
        m.port_group("Octets");
        let input = UnitsIn {
            system: None,
            tdata: m.input("octets", lanes as u32 * OCTET, "the octet of each lane, lane 0 in the low bits"),
            tkeep: m.input("octets_valid", lanes as u32, "the lane holds an octet"),
            tvalid: m.input("beat_valid", 1, "there is a beat"),
            tlast: m.input("frame_ends", 1, "the beat ends its frame"),
        };
        let beat = Beat::new(&input, |_| stage);
        let little = has_little.then(|| {
            let input = m.input("little", 1, "octets of words come from the least significant on");
            At::new(stage, input, beat.stage())
        });
        let at = history_stages(lanes);
        section(&m, 1, "the octets");
        let octets = Lanes::new("octet", beat.units.iter().copied()).at(1);
        let held = beat.held("octet_valid").at(1);
        let before = history(&beat, &octets, &vec![OCTET; self.octets - 1]);

        section(&m, at - 1, "how many octets of a word are before the beat");
        // Octets are in the first lanes, so bit n of their number is the parity of every 2^n-th lane.
        let count_bits = self.octets.ilog2();
        let bit = |bit: u32| {
            let step = 1 << bit;
            At::concat(held.iter().skip(step - 1).step_by(step).rev().copied()).map(|lanes| lanes.parity())
        };
        let count = At::concat((0..count_bits).rev().map(bit)).called("octet_count").at(at);
        let (valid, last) = (beat.valid.at(at), beat.last.at(at));
        let state = stage.at(at).state("open_reg", count_bits).carried(at);
        let state = state.note("octets of a word that are before the beat");
        let open = At::new(stage, state.q, at);
        let open_after = (open + count).named("open_after").note("the same of the next one");
        stage.load(state, valid.mux(open_after.masked(!last), open).signal());
        let (octets, held) = (octets.at(at), held.at(at));
        let found = self.marks.clone().map(|marks| match self.drops_mark {
            true => {
                let [swapped, ends_mark] = marks.found(&beat);
                (swapped.at(at), Some(ends_mark.called("is_mark").at(at + 1)))
            }
            false => (swapped(&beat, marks.other).at(at), None),
        });
        let (swapped, is_mark) = found.unzip();
        let is_mark = is_mark.flatten();
        let little = little.map(|little| little.called("is_little").at(at));

        let has_both = little.is_some() || swapped.is_some();
        section(&m, at, "the words");
        // The octet `index` of the beat, counted from the first of the open word, and whether there is one.
        let octet_at = |index: usize, open: usize| match index.checked_sub(open) {
            None => (before[open - index - 1], open_after.lit(1, 1)),
            Some(lane) if lane < lanes => (octets[lane], held[lane]),
            Some(_) => (open_after.lit(OCTET, 0), open_after.lit(1, 0)),
        };
        let out_at = at + 1 + u32::from(is_mark.is_some());
        let mut words = Vec::new();
        m.port_group(format!("Stage {}: words", m.folded().number(out_at)));
        let output = |name: String, signal: At<'_>, note: &str| {
            m.output(&name, signal.registered(&name).signal(), note);
        };
        let give = |place: usize, word: &Word<'_>| {
            output(format!("word_{place}"), word.word, "a word");
            output(format!("there_{place}"), word.there, "there is one");
        };
        for place in 0..places {
            let index = |octet: usize| place * self.octets + octet;
            let octet = |octet: usize| {
                let chosen = choose(open, |open| octet_at(index(octet), open).0);
                // Both orders read it.
                match has_both && !chosen.is_fixed() {
                    true => chosen.named(&format!("octet_{octet}_of_word_{place}")),
                    false => chosen,
                }
            };
            let in_order: Vec<At> = (0..self.octets).map(octet).collect();
            let in_other = || in_order.iter().rev().copied();
            let is_little = match (self.order, swapped) {
                (ByteOrder::Little, Some(swapped)) => Some(!swapped),
                (ByteOrder::Big, Some(swapped)) => Some(swapped),
                (_, None) => little,
            };
            let word = match (self.order, is_little) {
                (_, Some(is_little)) => {
                    let [big, little] = [At::concat(in_order.iter().copied()), At::concat(in_other())];
                    is_little.mux(little, big)
                }
                (ByteOrder::Big, None) => At::concat(in_order),
                (ByteOrder::Little, None) => At::concat(in_other()),
            };
            let holds = |octet: usize| choose(open, |open| octet_at(index(octet), open).1);
            let whole = holds(self.octets - 1).named(&format!("word_{place}_is_whole"));
            let cut =
                self.tells_cut.then(|| (holds(0) & !whole & last).named(&format!("word_{place}_is_cut")));
            let word = Word { word, there: cut.map_or(whole, |cut| whole | cut), cut };
            words.push(match is_mark {
                None => {
                    give(place, &word);
                    word
                }
                Some(_) => word.stored(place),
            });
        }
        if let Some(is_mark) = is_mark {
            section(&m, at + 1, "the words after the mark, which is the first one of its beat");
            let text = |place: usize| words[place].or_next(is_mark, words.get(place + 1));
            words = (0..places).map(text).collect();
            words.iter().enumerate().for_each(|(place, word)| give(place, word));
        }
        for (place, cut) in words.iter().enumerate().filter_map(|(place, word)| Some((place, word.cut?))) {
            output(format!("cut_{place}"), cut, "the end of the frame cuts it short");
        }
        if let Some(is_mark) = is_mark.filter(|_| self.tells_mark) {
            let note = "the beat ends the mark that opens its frame";
            m.output("mark_ends", is_mark.at(out_at).signal(), note);
        }
        m.output("words_valid", valid.at(out_at).signal(), "there is a beat");
        m.output("words_last", last.at(out_at).signal(), "the beat ends its frame");
        drop((octets, held, before, beat));
        (m.built(), out_at)
    }
}

/// A word of a place.
struct Word<'m> {
    word: At<'m>,
    /// There is one.
    there: At<'m>,
    /// The end of the frame cuts it short, where that gives an error slot.
    cut: Option<At<'m>>,
}

impl<'m> Word<'m> {
    /// The word of a place in registers of the next stage.
    fn stored(self, place: usize) -> Self {
        let stored = |what: &str, signal: At<'m>| signal.registered(&format!("{what}_{place}_with_mark"));
        Self {
            word: stored("word", self.word),
            there: stored("there", self.there),
            cut: self.cut.map(|cut| stored("cut", cut)),
        }
    }

    /// The word, or the `next` one if `select` is 1; none if there is no next one.
    fn or_next(&self, select: At<'m>, next: Option<&Self>) -> Self {
        let bit = |own: At<'m>, next: Option<At<'m>>| match next {
            Some(next) => select.mux(next, own),
            None => own & !select,
        };
        Self {
            word: next.map_or(self.word, |next| select.mux(next.word, self.word)),
            there: bit(self.there, next.map(|next| next.there)),
            cut: self.cut.map(|cut| bit(cut, next.and_then(|next| next.cut))),
        }
    }
}

/// One of as many signals as `select` has values: that of its value.
fn choose<'m>(select: At<'m>, of: impl FnMut(usize) -> At<'m>) -> At<'m> {
    let all: Vec<At> = (0..1 << select.width()).map(of).collect();
    (0..select.width())
        .fold(all, |all, bit| all.chunks(2).map(|pair| select.bit(bit).mux(pair[1], pair[0])).collect())[0]
}
