//! The words of UTF-16 and UTF-32 from octets, two or four a word, as a module in front of a decoder of words.
//!
//! Which octets are a word depends on nothing but how many octets of one stand before the beat. So there is a place for each word that a
//! beat can complete, and in it a choice between as many cuts as a word has octets. Words stand without gaps, and behind them octets that
//! the end of the frame leaves over.

use std::sync::Arc;

use super::history::history;
use super::pipeline::{delay, delay_flag};
use super::plan;
use crate::core::ByteOrder;
use crate::core::shared::ports::UnitsIn;
use crate::netlist::{Builder, Module, Signal, Stage};

/// Bits of an octet.
const OCTET: u32 = 8;
/// The fewest places for words, for decoders that compare words beside each other. There are as many lanes at least.
const FEWEST: usize = 2;

/// The words of a beat.
pub(super) struct WordsIn<'m> {
    /// They, as a beat that comes in.
    pub(super) beat: UnitsIn<'m>,
    /// For each of them: it is cut short by the end of the frame; where that is told.
    pub(super) cut: Option<Vec<Signal<'m>>>,
}

/// What makes words of octets.
pub(super) struct Words {
    module: Arc<Module>,
    bits: u32,
    /// Places for words, and for what the end of the frame leaves over, if that is told.
    pub(super) places: usize,
    tells_cut: bool,
    /// Cycles from octets to the words that they complete.
    pub(super) latency: u32,
}

impl Words {
    /// For words of so many bits, from beats of `lanes` octets.
    pub(super) fn new(bits: u32, order: ByteOrder, tells_cut: bool, lanes: usize) -> Self {
        let octets = (bits / OCTET) as usize;
        let places = lanes.div_ceil(octets) + usize::from(tells_cut);
        let places = places.max(FEWEST);
        let history = plan::history(lanes);
        let (module, latency) = (module(octets, order, tells_cut, places, lanes), history + 1);
        Self { module, bits, places, tells_cut, latency }
    }

    /// The words of a beat of octets.
    pub(super) fn beat<'m>(&self, m: &'m Builder, input: &UnitsIn<'m>, stage: Stage<'m>) -> WordsIn<'m> {
        m.section("Words of octets");
        let words = m.instance("words", &self.module).input("advance", stage.enable);
        words.input("flush", stage.flush().expect("stages are flushed"));
        words
            .input("octets", input.tdata)
            .input("octets_valid", input.tkeep)
            .input("beat_valid", input.tvalid)
            .input("frame_ends", input.tlast);
        let of_places = |name: &str| -> Vec<Signal<'m>> {
            (0..self.places).map(|place| words.output(&format!("{name}_{place}"))).collect()
        };
        let packed = |signals: Vec<Signal<'m>>| m.concat(signals.into_iter().rev());
        debug_assert_eq!(of_places("word")[0].width(), self.bits, "words are as wide as was said");
        WordsIn {
            beat: UnitsIn {
                tdata: packed(of_places("word")),
                tkeep: packed(of_places("there")),
                tvalid: words.output("words_valid"),
                tlast: words.output("words_last"),
            },
            cut: self.tells_cut.then(|| of_places("cut")),
        }
    }
}

/// The module.
fn module(octets: usize, order: ByteOrder, tells_cut: bool, places: usize, lanes: usize) -> Arc<Module> {
    let m = Builder::new("words", format!("Words of {octets} octets, as beats of octets complete them."));
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    let stage = stage.flushed_by(m.input("flush", 1, "the cycle behind reset, which clears them"));
    m.port_group("Octets");
    let units = m.input("octets", lanes as u32 * OCTET, "the octet of each lane, lane 0 in the low bits");
    let valid = m.input("octets_valid", lanes as u32, "the lane holds an octet");
    let beat_valid = m.input("beat_valid", 1, "there is a beat");
    let last = m.input("frame_ends", 1, "the beat ends its frame");
    let at = plan::history(lanes);
    m.stage_section(1, "the octets");
    let input = UnitsIn { tdata: units, tkeep: valid, tvalid: beat_valid, tlast: last };
    let beat_valid = delay_flag(stage, "beat_valid", beat_valid, 0, 1);
    let last = delay(stage, "last", last, 0, 1);
    let of_lanes = (0..lanes as u32).map(|lane| units.bits(lane * OCTET..(lane + 1) * OCTET)).collect();
    let units = delay_all(stage, "octet", of_lanes, 0, 1);
    let of_lanes = (0..lanes as u32).map(|lane| valid.bit(lane)).collect();
    let valid = delay_all(stage, "octet_valid", of_lanes, 0, 1);
    let before = history(&m, &input, &units, &vec![OCTET; octets - 1], at, stage);

    m.stage_section(at - 1, "how many octets of a word stand before the beat");
    // Octets stand in the first lanes, so each bit of their number is the parity of every so many lanes.
    let count_bits = octets.ilog2();
    let bit = |bit: u32| {
        let step = 1 << bit;
        m.concat(valid.iter().skip(step - 1).step_by(step).rev().copied()).parity()
    };
    let count = m.concat((0..count_bits).rev().map(bit));
    let later = |name: &str, signal| delay(stage, name, signal, 1, at);
    let count = later("octet_count", count);
    let last = later("last", last);
    let beat_valid = delay_flag(stage, "beat_valid", beat_valid, 1, at);
    let open = stage.state("open_reg", count_bits).note("octets of a word that stand before the beat");
    let behind = (open.q + count).named("open_behind").note("the same of the next one");
    stage.load(open, beat_valid.mux(behind & !last.repeat(count_bits as usize), open.q));
    let units = delay_all(stage, "octet", units, 1, at);
    let valid = delay_all(stage, "octet_valid", valid, 1, at);

    m.stage_section(at, "the words");
    // The octet at some place, counted from the first of the beat, and whether there is one.
    let octet_at = |at: usize, open: usize| match at.checked_sub(open) {
        None => (before[open - at - 1], m.lit(1, 1)),
        Some(lane) if lane < lanes => (units[lane], valid[lane]),
        Some(_) => (m.lit(OCTET, 0), m.lit(1, 0)),
    };
    let at_words = |name: String, signal| delay(stage, &name, signal, at, at + 1);
    let mut cuts = Vec::new();
    m.port_group(format!("Stage {}: words", at + 1));
    for place in 0..places {
        let octet = |index: usize| choose(open.q, |open| octet_at(place * octets + index, open).0);
        let in_order: Vec<Signal> = (0..octets).map(octet).collect();
        let word = match order {
            ByteOrder::Big => m.concat(in_order),
            ByteOrder::Little => m.concat(in_order.into_iter().rev()),
        };
        let valid_at = |index: usize| choose(open.q, |open| octet_at(place * octets + index, open).1);
        let whole = valid_at(octets - 1).named(&format!("word_{place}_is_whole"));
        let cut = tells_cut.then(|| {
            let begins = valid_at(0) & !whole & last;
            begins.named(&format!("word_{place}_is_cut"))
        });
        let there = cut.map_or(whole, |cut| whole | cut);
        m.output(&format!("word_{place}"), at_words(format!("word_{place}"), word), "a word");
        m.output(&format!("there_{place}"), at_words(format!("there_{place}"), there), "there is one");
        cuts.extend(cut.map(|cut| (place, at_words(format!("cut_{place}"), cut))));
    }
    for (place, cut) in cuts {
        m.output(&format!("cut_{place}"), cut, "the end of the frame cuts it short");
    }
    m.output("words_valid", delay_flag(stage, "beat_valid", beat_valid, at, at + 1), "there is a beat");
    m.output("words_last", delay(stage, "last", last, at, at + 1), "the beat ends its frame");
    m.built()
}

/// Registers that take a signal of each lane from stage `from` to stage `to`.
fn delay_all<'m>(
    stage: Stage<'m>,
    name: &str,
    of_lanes: Vec<Signal<'m>>,
    from: u32,
    to: u32,
) -> Vec<Signal<'m>> {
    let delayed =
        |(lane, signal): (usize, Signal<'m>)| delay(stage, &format!("{name}_{lane}"), signal, from, to);
    of_lanes.into_iter().enumerate().map(delayed).collect()
}

/// One of as many signals as `select` has values: that of its value.
fn choose<'m>(select: Signal<'m>, of: impl FnMut(usize) -> Signal<'m>) -> Signal<'m> {
    let all: Vec<Signal> = (0..1 << select.width()).map(of).collect();
    (0..select.width())
        .fold(all, |all, bit| all.chunks(2).map(|pair| select.bit(bit).mux(pair[1], pair[0])).collect())[0]
}
