//! The beats that go into a core: items cut into frames and beats.

use std::io::Read;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_codec::units::UnitReader;
use utfhdl_hdl::core::{Core, System};

use super::source::{Items, Source, SourceError};
use crate::promise::{Beat, Item};

/// How units or slots are cut into frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One frame.
    Whole,
    /// Frames of any length, some of them empty, with empty beats anywhere.
    Random,
    /// Frames of these many units or slots, over and over.
    Lengths(Vec<u64>),
    /// Frames of beats of these many units or slots, over and over. A beat has at most as many as there are lanes; the rest of a
    /// frame goes into full beats. A frame whose last beat has 0 ends with an empty beat.
    Beats(Vec<Vec<u64>>),
}

/// The share of empty beats with [`Framing::Random`] is one in this number.
const EMPTY_BEATS: u32 = 16;

/// The beats of a source, one after the other.
pub struct Stimulus {
    items: Items,
    framing: Framing,
    /// Frames begun.
    frame: usize,
    /// Beats of the frame begun.
    beat: usize,
    in_frame: bool,
    /// Items that the frame still takes.
    left: u64,
    /// Whether the frame ends with an empty beat.
    late_end: bool,
    /// The most items of a random frame; one of these is picked for each frame.
    frame_limits: &'static [u64],
    random: ChaCha8Rng,
    lanes: usize,
}

impl Stimulus {
    /// The beats that `source` makes for the input of `core`. `seed` decides all that is random.
    ///
    /// # Errors
    /// If a file can't be opened.
    pub fn new(core: &Core, source: &Source, framing: Framing, seed: u64) -> Result<Self, SourceError> {
        // Even sequences that can be long fit into a frame now and then.
        let frame_limits: &[u64] = match core.spec.system {
            System::UtfInf8 { .. } => &[2, 2, 2, 8, 8, 8, 64, 64, 64, 1024, 8192],
            _ => &[2, 2, 8, 8, 64, 64, 1024],
        };
        let items = Items::open(core, source, seed)?;
        Ok(Self { frame_limits, ..Self::of(items, framing, core.spec.lanes as usize, seed) })
    }

    /// The units of `reader` in one frame; errors call the file `name`.
    pub fn from_reader(name: String, reader: UnitReader<Box<dyn Read + Send>>, lanes: usize) -> Self {
        Self::of(Items::units(name, reader), Framing::Whole, lanes, 0)
    }

    fn of(items: Items, framing: Framing, lanes: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(3);
        Self {
            items,
            framing,
            frame: 0,
            beat: 0,
            in_frame: false,
            left: 0,
            late_end: false,
            frame_limits: &[],
            random,
            lanes,
        }
    }

    /// Fills `beat` with the next one, and returns whether there is one. The last item of the source ends its frame.
    ///
    /// # Errors
    /// If the source can't be read.
    pub fn next_beat(&mut self, beat: &mut Beat) -> Result<bool, SourceError> {
        beat.items.clear();
        let drawn = self.add_beat(&mut beat.items)?;
        beat.last = drawn == Some(true);
        Ok(drawn.is_some())
    }

    /// Adds the items of the next beat to `items`. Returns whether the beat ends its frame; `None` if there is no further beat.
    ///
    /// # Errors
    /// If the source can't be read.
    #[inline(always)]
    pub(super) fn add_beat(&mut self, items: &mut Vec<Item>) -> Result<Option<bool>, SourceError> {
        if !self.in_frame {
            if self.items.is_at_end()? {
                return Ok(None);
            }
            self.begin_frame();
        }
        let room = match self.framing {
            Framing::Random if self.random.random_range(0..EMPTY_BEATS) == 0 => 0,
            Framing::Random => self.random.random_range(1..=self.lanes),
            Framing::Whole | Framing::Lengths(_) => self.lanes,
            Framing::Beats(ref frames) => {
                let frame = &frames[(self.frame - 1) % frames.len()];
                self.beat += 1;
                let room = frame.get(self.beat - 1).map_or(self.lanes, |&room| room as usize);
                room.min(self.lanes)
            }
        };
        let mut used = 0;
        while used < room && self.left > 0 && !self.items.is_at_end()? {
            items.push(self.items.next().expect("not at the end"));
            used += 1;
            self.left -= 1;
        }
        let is_all = self.left == 0 || self.items.is_at_end()?;
        let last = is_all && (used == 0 || !self.late_end);
        self.in_frame = !last;
        Ok(Some(last))
    }

    #[inline(never)]
    fn begin_frame(&mut self) {
        self.frame += 1;
        self.in_frame = true;
        self.late_end = false;
        self.beat = 0;
        self.items.open_frame();
        self.left = match &self.framing {
            Framing::Whole => u64::MAX,
            Framing::Lengths(lengths) => lengths[(self.frame - 1) % lengths.len()],
            Framing::Beats(frames) => {
                let beats = &frames[(self.frame - 1) % frames.len()];
                self.late_end = beats.last() == Some(&0);
                beats.iter().sum()
            }
            Framing::Random => {
                // Short frames are more frequent than long ones. Some frames end with an empty beat.
                self.late_end = self.random.random_range(0..4) == 0;
                let most = self.frame_limits[self.random.random_range(0..self.frame_limits.len())];
                self.random.random_range(0..=most)
            }
        };
    }
}
