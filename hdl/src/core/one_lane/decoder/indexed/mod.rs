//! Decoders of the sets of several octets, by tables in block RAM.
//!
//! ```text
//!  unit ─┬─> stage 1: unit ──> stages 2, 3: unit ──> class, state ──> stage 4: its slots ──> slots that ──> slot
//!        └─> table, by the          word of                                                 wait           register
//!            unit before it         the pair
//! ```
//!
//! The table is read for every unit and the unit before it, in any state, so that the address does not depend on the state. The state in
//! stage 3 decides whether the word is used. In `gb18030` and `gbk`, three stages come before these, while [blocks] of pairs are read.
//!
//! The rules are those of the Encoding Standard. An ASCII octet that breaks a pair is read again; if four octets of `gb18030` break, their
//! second octet, a digit, is a code point, and the third leads again.

mod blocks;
mod four;
mod judge;
mod offsets;
mod queue;
mod slots;
mod state;
mod window;

use super::pipeline::DecodePipeline;
use super::slots::Offsets;
use super::unit::OneUnitBeat;
use crate::core::MultiOctet;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::index_tables::{PairTable, Words};
use crate::core::shared::memory_look_up::Found;
use crate::core::shared::octet_class::Class;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::netlist::{Builder, Signal};
use four::Four;
pub(super) use judge::judge;
use offsets::SlotOffsets;
pub(super) use queue::{Entry, queue};
use slots::Slots;
use state::State;
use window::Window;

/// Cycles from the beats that go into the window to the slot register.
const LATENCY: u32 = 5;

/// Stages from these beats to the words of tables with a word for each pair.
const LATENCY_OF_WORDS: u32 = 3;

/// Whether the code points of pairs are in tables in blocks.
fn has_blocks(set: MultiOctet) -> bool {
    matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030)
}

/// The tags of a set.
fn tags<'m>(m: &'m Builder, set: MultiOctet, style: TagStyle) -> Tags<'m> {
    let past = has_blocks(set).then_some(ErrorKind::OutOfRange);
    let kinds = [Some(ErrorKind::Truncated), past, Some(ErrorKind::Invalid)];
    Tags::new(m, style, &kinds.into_iter().flatten().collect::<Vec<_>>(), false)
}

/// The units in the stages, and what is known of them in the last stage of the window.
struct Units<'m> {
    window: Window<'m>,
    class: Class<'m>,
    state: State<'m>,
    four: Option<Four<'m>>,
    /// The word of the pair that ends with the unit; 0 if there is none.
    word: Found<'m>,
}

impl<'m> Units<'m> {
    /// Makes the stages after those of a window; `words` says what is read of the tables. `in_blocks` is the code point of a pair of `gb18030`,
    /// which has one for each pair; `None` where nobody reads code points.
    fn new(
        m: &'m Builder,
        set: MultiOctet,
        words: Words,
        window: Window<'m>,
        in_blocks: Option<Signal<'m>>,
        pace: &Pace<'m>,
    ) -> Self {
        let of_table = (!has_blocks(set)).then(|| window.word(&PairTable::of(set).with(words), "pair"));
        let word_of_8f = (set == MultiOctet::EucJp)
            .then(|| window.word(&PairTable::of_jis_0212().with(words), "pair_after_8f"));
        m.section("The class of the unit");
        let class = Class::new(m, set, window.middle).registered(window.chosen);
        let state = State::new(m, set, &window, &class, pace);
        let four = state.first.map(|first| Four::new(m, words, &window, first));
        let word = of_table
            .unwrap_or_else(|| Found { word: in_blocks.unwrap_or_else(|| m.lit(1, 0)), is: class.is_trail });
        let word = match state.after_8f.zip(word_of_8f) {
            Some((after, of_8f)) => Found::mux(after, of_8f, word),
            None => word,
        };
        Self { window, class, state, four, word }
    }

    fn slots<'s>(
        &'s self,
        m: &'m Builder,
        set: MultiOctet,
        tags: &'s Tags<'m>,
        offsets: Option<SlotOffsets<'m>>,
    ) -> Slots<'s, 'm> {
        let Self { window, class, state, four, word } = self;
        Slots { m, set, tags, window, class, state, four: four.as_ref(), word: *word, offsets }
    }
}

/// The decoder up to its slot register.
pub(super) fn decode<'m>(
    m: &'m Builder,
    set: MultiOctet,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
    offsets: Offsets,
) -> DecodePipeline<'m> {
    let tags = tags(m, set, style);
    let slots = entries(m, set, beat, &tags, pace, offsets);
    DecodePipeline { slot: queue(m, &slots, pace.slots()), latency: latency(set) }
}

/// Cycles from a beat to the slot register.
pub(super) fn latency(set: MultiOctet) -> u32 {
    LATENCY + if has_blocks(set) { blocks::STAGES } else { 0 }
}

/// The slots that each unit makes certain, in registers of the stage before the slot register.
pub(super) fn entries<'m>(
    m: &'m Builder,
    set: MultiOctet,
    beat: OneUnitBeat<'m>,
    tags: &Tags<'m>,
    pace: &Pace<'m>,
    offsets: Offsets,
) -> Vec<Entry<'m>> {
    let (beat, in_blocks, first) = match has_blocks(set) {
        true => {
            let (beat, words) = blocks::pairs(m, beat, pace);
            (beat, Some(words), blocks::STAGES)
        }
        false => (beat, None, 0),
    };
    let units = Units::new(m, set, Words::CodePoints, Window::new(m, beat, pace, first), in_blocks, pace);
    let offsets = SlotOffsets::new(m, offsets, &units.window, &units.state, pace);
    m.section("Slots that the unit makes certain");
    let slots = units.slots(m, set, tags, offsets).all();
    m.stage_section(first + 4, "the slots that the unit makes certain");
    let stage = pace.slots().at(first + 4);
    slots.iter().enumerate().map(|(at, slot)| slot.registered(stage, &format!("made_{at}"))).collect()
}
