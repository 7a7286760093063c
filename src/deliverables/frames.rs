//! Frames for the benches that go with a core. The inputs are chosen here; the software reference gives the expected outputs.

use std::collections::BTreeMap;

use utfhdl_codec::{Codec, OnError, Slot};
use utfhdl_hdl::core::{Core, Packing};

use crate::cosim::{Framing, Source, Stimulus};
use crate::noise::RandomItems;
use crate::promise::{Beat, Carries, Counts, Item, Made, Ports, Reference, STATUS_WORDS, StatusModel};

/// Text with code points of every length that UTF-8 has, and some of those at the limits of the lengths.
const TEXT: &str = "utfhdl: A Ω € 😀 中文, \u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\n";

/// Draws of short frames among which an example of each kind of error is looked for, and the most units of a draw.
const DRAWS: u64 = 20_000;
const LONGEST_DRAW: u64 = 8;

/// Units or slots of noise, for each lane and beyond that.
const NOISE: u64 = 1200;
const NOISE_OF_LANE: u64 = 40;

/// A frame.
pub struct Frame {
    /// The purpose of the frame, in a few words.
    pub about: String,
    /// The beats of the input.
    pub input: Vec<Beat>,
    /// The items of the output, in order, however they are divided into beats.
    pub output: Vec<Item>,
    /// Whether the frame ends on a beat of its own, without items.
    pub ends_bare: bool,
    /// The marks of a validator on that beat.
    pub end_marks: u16,
    /// Whether the frame held something that could not be written.
    pub amiss: bool,
    /// The status of the frame, of cores that have one, the low word first.
    pub status: Option<[u64; STATUS_WORDS]>,
}

/// Text, an empty frame, a short example of each kind of error that the core can meet, and noise.
pub fn frames(core: &Core) -> Vec<Frame> {
    let mut maker = Maker::new(core);
    let text = maker.text();
    let mut frames = vec![maker.frame("text", maker.beats(&text))];
    frames.push(maker.frame("an empty frame", vec![Beat { items: Vec::new(), last: true }]));
    frames.extend(maker.errors());
    frames.extend(maker.noise());
    frames
}

struct Maker<'c> {
    core: &'c Core,
    reference: Reference,
    carries_in: Carries,
}

impl Frame {
    /// The digits of the status, if there is one.
    pub fn status_digits(&self) -> Option<String> {
        self.status.map(|words| words.iter().rev().map(|word| format!("{word:016x}")).collect())
    }
}

impl<'c> Maker<'c> {
    fn new(core: &'c Core) -> Self {
        Self { core, reference: Reference::new(core), carries_in: Ports::new(core).carries_in() }
    }

    /// The text, as far as the core's system has it.
    fn text(&self) -> Vec<Item> {
        let system = self.core.spec.system;
        let units = |slots: &[Slot]| system.encode::<_, u32>(slots, OnError::Strict);
        let slots: Vec<Slot> = TEXT.chars().map(|character| Slot::CodePoint(character.into())).collect();
        let slots: Vec<Slot> = slots.into_iter().filter(|&slot| units(&[slot]).is_ok()).collect();
        match self.carries_in {
            Carries::Slots(_) => slots.into_iter().map(Item::from).collect(),
            Carries::Units(_) | Carries::Marked { .. } => {
                let units = units(&slots).expect("each can be encoded");
                units.into_iter().map(Item::from).collect()
            }
        }
    }

    /// Full beats of one frame.
    fn beats(&self, items: &[Item]) -> Vec<Beat> {
        let mut beats: Vec<Beat> = items
            .chunks(self.core.spec.lanes as usize)
            .map(|items| Beat { items: items.to_vec(), last: false })
            .collect();
        match beats.last_mut() {
            Some(beat) => beat.last = true,
            None => beats.push(Beat { items: Vec::new(), last: true }),
        }
        beats
    }

    /// Makes a frame with the reference's output for it, and counts its code points and errors.
    fn answer(&mut self, about: String, input: Vec<Beat>) -> (Frame, Counts) {
        let (mut made, mut counts) = (Vec::new(), Counts::default());
        for beat in &input {
            self.reference.take(&beat.items, beat.last, &mut made, &mut counts);
        }
        let item = |made: &Made| match made {
            Made::Item(item, _) | Made::SlotItem(item, _) => Some(*item),
            _ => None,
        };
        let output: Vec<Item> = made.iter().filter_map(item).collect();
        // In dense packing, which encoders and transcoders always have, a beat that still waits for items takes the end of the frame.
        let spec = self.core.spec;
        let is_dense = spec.pack == Packing::Dense || spec.role.has_encoder();
        let waits = is_dense && !output.len().is_multiple_of(spec.lanes as usize);
        let ends_bare = matches!(made.last(), Some(Made::BareEnd(_))) && !waits;
        let end_marks = if let Some(Made::BareEnd(marks)) = made.last() { *marks } else { 0 };
        let amiss = self.reference.frame_is_amiss();
        let of_status = |mut model: StatusModel| model.of_frame(input.iter().map(|beat| &beat.items[..]));
        let status = spec.status.then(|| of_status(StatusModel::new(self.core)));
        (Frame { about, input, output, ends_bare, end_marks, amiss, status }, counts)
    }

    fn frame(&mut self, about: impl Into<String>, input: Vec<Beat>) -> Frame {
        self.answer(about.into(), input).0
    }

    fn random(&self, count: u64, seed: u64) -> RandomItems {
        RandomItems::new(self.core.spec, count, seed)
    }

    /// The shortest of many frames drawn, for each kind of error.
    fn errors(&mut self) -> Vec<Frame> {
        let mut found: BTreeMap<&'static str, Vec<Item>> = BTreeMap::new();
        let mut random = self.random(0, 0);
        for seed in 0..DRAWS {
            random.restart(1 + seed % LONGEST_DRAW, seed);
            random.open_frame();
            let items: Vec<Item> = random.by_ref().collect();
            let (_, counts) = self.answer(String::new(), self.beats(&items));
            for kind in counts.errors().into_keys() {
                let shortest = found.entry(kind).or_insert_with(|| items.clone());
                if items.len() < shortest.len() {
                    shortest.clone_from(&items);
                }
            }
        }
        let mut frame = |(kind, items): (&str, Vec<Item>)| {
            let about = format!("{kind}: {}", self.in_words(&items));
            self.frame(about, self.beats(&items))
        };
        found.into_iter().map(&mut frame).collect()
    }

    fn in_words(&self, items: &[Item]) -> String {
        let words: Vec<String> = items
            .iter()
            .map(|item| match self.carries_in {
                Carries::Units(bits) | Carries::Marked { bits, .. } => {
                    format!("{:0digits$X}", item.data, digits = bits.div_ceil(4))
                }
                Carries::Slots(_) => item.slot_in_words(),
            })
            .collect();
        words.join(" ")
    }

    /// Frames of any length, with beats that are not full, or empty.
    fn noise(&mut self) -> Vec<Frame> {
        let count = NOISE + NOISE_OF_LANE * u64::from(self.core.spec.lanes);
        let mut stimulus = Stimulus::new(self.core, &Source::Random { count }, Framing::Random, 0)
            .expect("noise comes from no file");
        let (mut frames, mut input, mut beat) = (Vec::new(), Vec::new(), Beat::default());
        while stimulus.next_beat(&mut beat).expect("noise comes from no file") {
            input.push(beat.clone());
            if beat.last {
                frames.push(self.frame("noise", std::mem::take(&mut input)));
            }
        }
        frames
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{CoreSpec, Role, System};

    use super::*;

    fn abouts(system: System, role: Role) -> Vec<String> {
        let core = Core::new(CoreSpec::new(system, role)).unwrap();
        frames(&core).into_iter().map(|frame| frame.about).filter(|about| about != "noise").collect()
    }

    /// The shortest sequences that are ill-formed in each way, by chapter 3 of the Unicode Standard, table 3-7.
    #[test]
    fn there_is_a_short_example_of_each_error() {
        let kinds = ["invalid", "out-of-range", "overlong", "surrogate", "truncated", "unexpected"];
        let examples = abouts(System::Utf8, Role::Decoder);
        assert_eq!(examples[..2], ["text", "an empty frame"]);
        for (kind, example) in kinds.iter().zip(&examples[2..]) {
            let (name, units) = example.split_once(": ").unwrap();
            assert_eq!(name, *kind);
            assert!(units.split(' ').count() <= 2, "{example}");
        }
    }

    #[test]
    fn an_encoder_is_given_what_it_cannot_write() {
        let examples = abouts(System::Utf8, Role::Encoder);
        assert!(examples.iter().any(|about| about.starts_with("unencodable: ")), "{examples:?}");
    }
}
