//! The reference's expected output of a frame: beats, which the bench compares, and ticks, which the clock checks.

use std::hash::{Hash, Hasher};

use utfhdl_hdl::core::{Core, CoreSpec};

use super::bench::{Lane, placed};
use crate::promise::{Caret, Counts, Item, Made, Reference};

/// The bit of `tkeep`, counted from the end of the lane's data bits.
const KEEP: u32 = 0;
/// The bit of `tlast`.
const LAST: u32 = 1;
/// The bit that says that a beat is due.
const THERE: u32 = 2;

/// Bits of a beat in one word.
pub fn bits(output: Lane) -> u32 {
    output.bits() + THERE + 1
}

/// One event in time: a beat of the input, or a result of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    /// A beat is taken; the results that follow come from it.
    Beat,
    /// See [`Made`].
    Slot,
    /// See [`Made`].
    WithheldSlot,
    /// An encoder continues to its next step.
    Step,
    /// See [`Made`].
    Item,
    /// See [`Made`].
    Dropped,
    /// See [`Made`].
    BareEnd,
}

impl Tick {
    /// Bits that tell ticks apart.
    const BITS: u32 = 3;
    /// How many ticks fit into a word.
    const IN_A_WORD: usize = (u64::BITS / Self::BITS) as usize;
}

impl Hash for Tick {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(*self as u8);
    }

    /// Hashes a word of ticks at a time: a row of ticks is hashed for each group of frames.
    fn hash_slice<H: Hasher>(ticks: &[Self], state: &mut H) {
        for ticks in ticks.chunks(Self::IN_A_WORD) {
            state.write_u64(ticks.iter().fold(0, |word, tick| word << Self::BITS | *tick as u64));
        }
    }
}

/// The expected output of a frame, or of the beginning of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// The items, and the ends of frames that have no item, each in one word.
    pub beats: Vec<u64>,
    /// The events in time.
    pub ticks: Vec<Tick>,
}

impl Expected {
    /// Adds what comes behind it.
    pub fn add(&mut self, behind: &Self) {
        self.beats.extend_from_slice(&behind.beats);
        self.ticks.extend_from_slice(&behind.ticks);
    }

    /// Makes room for another.
    pub fn clear(&mut self) {
        self.beats.clear();
        self.ticks.clear();
    }
}

/// Asks the reference, beat by beat.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// The state of the reference.
    pub reference: Reference,
    spec: CoreSpec,
    output: Lane,
    made: Vec<Made>,
    /// The place of the next slot, if slots have places.
    pub caret: Caret,
    /// The items of a beat that is not complete yet.
    pub open_beat: Vec<Item>,
}

impl Oracle {
    /// At the start of a frame.
    pub fn new(core: &Core) -> Self {
        Self {
            reference: Reference::new(core),
            spec: core.spec,
            output: Lane::of(core).1,
            made: Vec::new(),
            caret: Caret::default(),
            open_beat: Vec::new(),
        }
    }

    /// Adds the results of a frame of these beats, from its beginning.
    pub fn read_frame(&mut self, frame: &[Vec<Item>], expected: &mut Expected, counts: &mut Counts) {
        for (index, beat) in frame.iter().enumerate() {
            self.read(beat, index + 1 == frame.len(), expected, counts);
        }
        if frame.is_empty() {
            self.read(&[], true, expected, counts);
        }
    }

    /// Takes an item of a beat. At the end of the beat, adds the beat's output. With `last`, the frame ends, too.
    pub fn push(
        &mut self,
        item: Item,
        beat_ends: bool,
        last: bool,
        expected: &mut Expected,
        counts: &mut Counts,
    ) {
        self.open_beat.push(item);
        if beat_ends {
            let mut beat = std::mem::take(&mut self.open_beat);
            self.read(&beat, last, expected, counts);
            beat.clear();
            self.open_beat = beat;
        }
    }

    /// Adds the results of a beat, which may be the last of its frame.
    pub fn read(&mut self, items: &[Item], last: bool, expected: &mut Expected, counts: &mut Counts) {
        let Self { reference, spec, output, made, caret, open_beat: _ } = self;
        reference.take(items, last, made, counts);
        let at = |bit| 1_u64 << (output.bits() + bit);
        expected.ticks.push(Tick::Beat);
        for made in made.drain(..) {
            if let Made::SlotItem(..) = made {
                expected.ticks.push(Tick::Slot);
            }
            expected.ticks.push(match made {
                Made::Slot => Tick::Slot,
                Made::Step => Tick::Step,
                Made::WithheldSlot => Tick::WithheldSlot,
                Made::Dropped => Tick::Dropped,
                Made::Item(item, origin) | Made::SlotItem(item, origin) => {
                    let place = match spec.place_bits() {
                        0 => 0,
                        _ => placed(*spec, caret.place(item, origin.offset)),
                    };
                    expected.beats.push(output.word(item) | place | at(KEEP) | at(THERE));
                    Tick::Item
                }
                Made::BareEnd(marks) => {
                    expected.beats.push(output.word(Item { data: 0, user: marks }) | at(THERE));
                    Tick::BareEnd
                }
            });
        }
        if last {
            let amiss = u16::from(reference.frame_is_amiss());
            let end = expected.beats.last_mut().expect("a frame has an end");
            *end |= at(LAST) | output.word(Item { data: 0, user: amiss });
            *caret = Caret::default();
        }
    }
}
