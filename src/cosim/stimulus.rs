//! Where units and slots come from, and how they are cut into frames and beats.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_hdl::core::{Core, Role};

use crate::cores::reference_system;
use crate::noise::RandomItems;
use crate::promise::Ports;
use crate::promise::{Beat, Item};
use utfhdl_codec::System;
use utfhdl_codec::lines::{LineReader, LinesError, whole};
use utfhdl_codec::units::{UnitFormat, UnitReader, UnitsError};

/// Where what goes into a core comes from: units, or of an encoder slots.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file of units.
    Units {
        /// Its path.
        path: PathBuf,
        /// How the units stand in it.
        format: UnitFormat,
    },
    /// A file of lines as `encode` reads them, for an encoder; or slots as they stand on the bus, `tuser:tdata`.
    Lines {
        /// Its path.
        path: PathBuf,
    },
    /// Seeded noise: valid text, boundaries, mutations and garbage.
    Random {
        /// How many units or slots.
        count: u64,
    },
    /// These.
    Given(Vec<Item>),
}

impl Source {
    /// These units or slots.
    pub fn given<T: Into<Item>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::Given(items.into_iter().map(Into::into).collect())
    }
}

/// How units or slots are cut into frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One frame.
    Whole,
    /// Frames of any length, some empty, and empty beats anywhere.
    Random,
    /// Frames of these many units or slots, over and over.
    Lengths(Vec<u64>),
}

/// Why there is no next beat.
#[derive(Debug, thiserror::Error)]
pub enum StimulusError {
    /// The file can't be opened.
    #[error("cannot open {path}")]
    Open {
        /// Its path.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file is a directory.
    #[error("{path} is a directory: name a file")]
    Directory {
        /// Its path.
        path: String,
    },
    /// What is in the file are no units.
    #[error("{path}")]
    Units {
        /// Its path.
        path: String,
        /// What is wrong.
        source: UnitsError,
    },
    /// What is in the file are no lines of code points.
    #[error("{path}")]
    Lines {
        /// Its path.
        path: String,
        /// What is wrong.
        source: LinesError,
    },
}

/// One beat in so many is empty where [`Framing::Random`] is asked for.
const EMPTY_BEATS: u32 = 16;

/// Beats, one after the other.
pub struct Stimulus {
    items: Items,
    framing: Framing,
    /// Frames begun.
    frame: usize,
    in_frame: bool,
    /// Items that the frame still takes.
    left: u64,
    /// The frame ends with an empty beat.
    late_end: bool,
    /// Most items that a random frame has, each of them with the same chance.
    frame_limits: &'static [u64],
    random: ChaCha8Rng,
    lanes: usize,
}

/// What reads a source.
enum Items {
    Units { path: String, reader: UnitReader<Box<dyn Read>>, units: Vec<u16>, used: usize },
    Lines { path: String, reader: LineReader<BufReader<File>>, slots: VecDeque<Item> },
    Random(Box<RandomItems>),
    Given(std::vec::IntoIter<Item>),
}

impl Stimulus {
    /// The beats that `source` makes for the input of `core`; `seed` decides all that is random.
    ///
    /// # Errors
    /// If a file can't be opened.
    pub fn new(core: &Core, source: &Source, framing: Framing, seed: u64) -> Result<Self, StimulusError> {
        let system = reference_system(core.spec.system);
        let items = match source {
            Source::Units { path, format } => {
                let (path, file) = open(path)?;
                let reader = UnitReader::new(Box::new(file) as Box<dyn Read>, *format, system.unit_bits())
                    .map_err(|source| StimulusError::Units { path: path.clone(), source })?;
                Items::units(path, reader)
            }
            Source::Lines { path } => {
                let (path, file) = open(path)?;
                Items::Lines { path, reader: LineReader::new(BufReader::new(file)), slots: VecDeque::new() }
            }
            Source::Random { count } => {
                let carries = Ports::new(core).carries_in();
                let to = match core.spec.role {
                    Role::Transcoder { to } => Some(reference_system(to)),
                    Role::Decoder | Role::Encoder => None,
                };
                Items::Random(Box::new(RandomItems::new(carries, system, to, *count, seed)))
            }
            Source::Given(items) => Items::Given(items.clone().into_iter()),
        };
        // What can be long should now and then fit into a frame.
        let frame_limits: &[u64] = match system {
            System::UtfInf8 { .. } => &[2, 2, 2, 8, 8, 8, 64, 64, 64, 1024, 8192],
            _ => &[2, 2, 8, 8, 64, 64, 1024],
        };
        let lanes = core.spec.lanes as usize;
        Ok(Self { frame_limits, ..Self::of(items, framing, lanes, seed) })
    }

    /// The beats that a reader's units make, in one frame; `name` is what to call it in an error.
    pub fn from_reader(name: String, reader: UnitReader<Box<dyn Read>>, lanes: usize) -> Self {
        Self::of(Items::units(name, reader), Framing::Whole, lanes, 0)
    }

    fn of(items: Items, framing: Framing, lanes: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(3);
        Self {
            items,
            framing,
            frame: 0,
            in_frame: false,
            left: 0,
            late_end: false,
            frame_limits: &[],
            random,
            lanes,
        }
    }

    /// Fills `beat` with the next one; tells whether there is one. The end is the end of a frame, too.
    ///
    /// # Errors
    /// If the source can't be read.
    pub fn next_beat(&mut self, beat: &mut Beat) -> Result<bool, StimulusError> {
        beat.items.clear();
        if !self.in_frame {
            if self.items.is_at_end()? {
                return Ok(false);
            }
            self.begin_frame();
        }
        let room = match self.framing {
            Framing::Random if self.random.random_range(0..EMPTY_BEATS) == 0 => 0,
            Framing::Random => self.random.random_range(1..=self.lanes),
            Framing::Whole | Framing::Lengths(_) => self.lanes,
        };
        while beat.items.len() < room && self.left > 0 && !self.items.is_at_end()? {
            beat.items.extend(self.items.next());
            self.left -= 1;
        }
        let all = self.left == 0 || self.items.is_at_end()?;
        beat.last = all && (beat.items.is_empty() || !self.late_end);
        self.in_frame = !beat.last;
        Ok(true)
    }

    fn begin_frame(&mut self) {
        self.frame += 1;
        self.in_frame = true;
        self.late_end = false;
        if let Items::Random(random) = &mut self.items {
            random.open_frame();
        }
        self.left = match &self.framing {
            Framing::Whole => u64::MAX,
            Framing::Lengths(lengths) => lengths[(self.frame - 1) % lengths.len()],
            Framing::Random => {
                // More short frames than long ones; of some the end comes behind the last item, alone.
                self.late_end = self.random.random_range(0..4) == 0;
                let most = self.frame_limits[self.random.random_range(0..self.frame_limits.len())];
                self.random.random_range(0..=most)
            }
        };
    }
}

impl Items {
    fn units(path: String, reader: UnitReader<Box<dyn Read>>) -> Self {
        Self::Units { path, reader, units: Vec::new(), used: 0 }
    }

    /// Whether all items are used; reads ahead to know.
    fn is_at_end(&mut self) -> Result<bool, StimulusError> {
        Ok(match self {
            Self::Units { path, reader, units, used } => {
                while *used == units.len() {
                    units.clear();
                    *used = 0;
                    let read = reader.read(units);
                    if !read.map_err(|source| StimulusError::Units { path: path.clone(), source })? {
                        return Ok(units.is_empty());
                    }
                }
                false
            }
            Self::Lines { path, reader, slots } => {
                while slots.is_empty() {
                    let read = reader.read_as(slots_of_line);
                    match read.map_err(|source| StimulusError::Lines { path: path.clone(), source })? {
                        Some(of_line) => slots.extend(of_line),
                        None => return Ok(true),
                    }
                }
                false
            }
            Self::Random(random) => random.is_at_end(),
            Self::Given(items) => items.len() == 0,
        })
    }

    /// The next item, where they are not [at their end](Self::is_at_end).
    fn next(&mut self) -> Option<Item> {
        match self {
            Self::Units { units, used, .. } => {
                *used += 1;
                units.get(*used - 1).map(|&unit| unit.into())
            }
            Self::Lines { slots, .. } => slots.pop_front(),
            Self::Random(random) => random.next(),
            Self::Given(items) => items.next(),
        }
    }
}

/// The slots of a code point or an error, or one slot as it stands on the bus.
fn slots_of_line(line: &str) -> Option<Vec<Item>> {
    match Item::from_words(line) {
        Some(slot) => Some(vec![slot]),
        None => whole(line).map(|whole| whole.slots().into_iter().map(Item::from).collect()),
    }
}

fn open(path: &Path) -> Result<(String, File), StimulusError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| StimulusError::Open { path: name.clone(), source })?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(StimulusError::Directory { path: name });
    }
    Ok((name, file))
}
