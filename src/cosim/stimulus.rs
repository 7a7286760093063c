//! Where units come from, and how they are cut into frames and beats.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::beat::Beat;
use super::random::RandomUnits;
use crate::system::System;
use crate::units::{UnitFormat, UnitReader, UnitsError};

/// Where the units come from.
#[derive(Clone, Debug)]
pub enum Units {
    /// A file of units.
    File {
        /// Its path.
        path: PathBuf,
        /// How the units stand in it.
        format: UnitFormat,
    },
    /// Seeded noise: valid text, boundaries, mutations and garbage.
    Random {
        /// How many.
        count: u64,
    },
    /// These.
    Given(Vec<u16>),
}

/// How units are cut into frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One frame.
    Whole,
    /// Frames of any length, some empty, and beats without a unit anywhere.
    Random,
    /// Frames of these many units, over and over.
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
}

/// One beat in so many is without a unit where [`Framing::Random`] is asked for.
const EMPTY_BEATS: u32 = 16;

/// Beats, one after the other.
pub struct Stimulus {
    source: Source,
    /// Units read ahead, and how many of them are used.
    units: Vec<u16>,
    used: usize,
    ended: bool,
    framing: Framing,
    /// Frames begun.
    frame: usize,
    in_frame: bool,
    /// Units that the frame still takes.
    left: u64,
    /// The frame ends with a beat without units.
    late_end: bool,
    random: ChaCha8Rng,
    lanes: usize,
}

enum Source {
    File { path: String, reader: UnitReader<Box<dyn Read>> },
    Random(Box<RandomUnits>),
    Given(Vec<u16>),
}

impl Stimulus {
    /// The beats that `units` make on a bus of `lanes`; `seed` decides all that is random.
    ///
    /// # Errors
    /// If a file can't be opened.
    pub fn new(
        system: System,
        units: &Units,
        framing: Framing,
        lanes: usize,
        seed: u64,
    ) -> Result<Self, StimulusError> {
        let source = match units {
            Units::File { path, format } => open(path, *format, system.unit_bits())?,
            Units::Random { count } => Source::Random(Box::new(RandomUnits::new(system, *count, seed))),
            Units::Given(units) => Source::Given(units.clone()),
        };
        Ok(Self::from_source(source, framing, lanes, seed))
    }

    /// The beats that a reader's units make, in one frame; `name` is what to call it in an error.
    pub fn from_reader(name: String, reader: UnitReader<Box<dyn Read>>, lanes: usize) -> Self {
        Self::from_source(Source::File { path: name, reader }, Framing::Whole, lanes, 0)
    }

    fn from_source(source: Source, framing: Framing, lanes: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(3);
        Self {
            source,
            units: Vec::new(),
            used: 0,
            ended: false,
            framing,
            frame: 0,
            in_frame: false,
            left: 0,
            late_end: false,
            random,
            lanes,
        }
    }

    /// The next beat; `None` at the end, which is the end of a frame too.
    ///
    /// # Errors
    /// If the units can't be read.
    pub fn next_beat(&mut self) -> Result<Option<Beat>, StimulusError> {
        if !self.in_frame {
            if self.at_end()? {
                return Ok(None);
            }
            self.begin_frame();
        }
        let mut beat = Beat::empty(false);
        let room = match self.framing {
            Framing::Random if self.random.random_range(0..EMPTY_BEATS) == 0 => 0,
            Framing::Random => self.random.random_range(1..=self.lanes),
            Framing::Whole | Framing::Lengths(_) => self.lanes,
        };
        while beat.units().len() < room && self.left > 0 {
            let Some(unit) = self.next_unit()? else { break };
            beat.push(unit);
            self.left -= 1;
        }
        let all = self.left == 0 || self.at_end()?;
        beat.last = all && (beat.units().is_empty() || !self.late_end);
        self.in_frame = !beat.last;
        Ok(Some(beat))
    }

    fn begin_frame(&mut self) {
        self.frame += 1;
        self.in_frame = true;
        self.late_end = false;
        self.left = match &self.framing {
            Framing::Whole => u64::MAX,
            Framing::Lengths(lengths) => lengths[(self.frame - 1) % lengths.len()],
            Framing::Random => {
                // As many short frames as long ones; of some the end comes after the last unit, alone.
                self.late_end = self.random.random_range(0..4) == 0;
                let most = [2, 8, 64, 1024][self.random.random_range(0..4)];
                self.random.random_range(0..=most)
            }
        };
    }

    fn next_unit(&mut self) -> Result<Option<u16>, StimulusError> {
        if self.at_end()? {
            return Ok(None);
        }
        self.used += 1;
        Ok(Some(self.units[self.used - 1]))
    }

    /// Whether all units are used; reads ahead to know.
    fn at_end(&mut self) -> Result<bool, StimulusError> {
        while self.used == self.units.len() && !self.ended {
            self.units.clear();
            self.used = 0;
            self.ended = match &mut self.source {
                Source::File { path, reader } => !reader
                    .read(&mut self.units)
                    .map_err(|source| StimulusError::Units { path: path.clone(), source })?,
                Source::Random(random) => !random.read(&mut self.units),
                Source::Given(units) => {
                    self.units = std::mem::take(units);
                    true
                }
            };
        }
        Ok(self.used == self.units.len())
    }
}

fn open(path: &Path, format: UnitFormat, unit_bits: u8) -> Result<Source, StimulusError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| StimulusError::Open { path: name.clone(), source })?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(StimulusError::Directory { path: name });
    }
    let reader = UnitReader::new(Box::new(file) as Box<dyn Read>, format, unit_bits)
        .map_err(|source| StimulusError::Units { path: name.clone(), source })?;
    Ok(Source::File { path: name, reader })
}
