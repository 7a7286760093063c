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

/// One unit in 1024 is followed by the end of its frame.
const MEAN_FRAME: u32 = 1024;
/// One beat in 16 is without a unit where [`Framing::Random`] is asked for.
const EMPTY_BEATS: u32 = 16;

/// Beats, one after the other.
pub struct Stimulus {
    source: Source,
    /// Units read ahead, and how many of them are used.
    units: Vec<u16>,
    used: usize,
    ended: bool,
    framing: Framing,
    /// Which frame is being cut, and what is left of it.
    frame: usize,
    left: u64,
    random: ChaCha8Rng,
    lanes: usize,
    in_frame: bool,
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
        let left = if let Framing::Lengths(lengths) = &framing { lengths[0] } else { 0 };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(3);
        let (units, used, ended, frame) = (Vec::new(), 0, false, 0);
        Self { source, units, used, ended, framing, frame, left, random, lanes, in_frame: false }
    }

    /// The next beat; `None` at the end, which is the end of a frame too.
    ///
    /// # Errors
    /// If the units can't be read.
    pub fn next_beat(&mut self) -> Result<Option<Beat>, StimulusError> {
        let mut beat = Beat::empty(false);
        let room = match self.framing {
            Framing::Random if self.random.random_range(0..EMPTY_BEATS) == 0 => 0,
            Framing::Random => self.random.random_range(1..=self.lanes),
            Framing::Whole | Framing::Lengths(_) => self.lanes,
        };
        while beat.units().len() < room && !self.frame_is_full() {
            let Some(unit) = self.next_unit()? else { break };
            beat.push(unit);
            self.left = self.left.saturating_sub(1);
        }
        if self.at_end()? {
            if beat.units().is_empty() && !self.in_frame {
                return Ok(None);
            }
            beat.last = true;
        } else {
            beat.last = match self.framing {
                Framing::Whole => false,
                Framing::Random => self.random.random_range(0..MEAN_FRAME) < beat.units().len().max(1) as u32,
                Framing::Lengths(_) => self.frame_is_full(),
            };
        }
        self.in_frame = !beat.last;
        if let (true, Framing::Lengths(lengths)) = (beat.last, &self.framing) {
            self.frame += 1;
            self.left = lengths[self.frame % lengths.len()];
        }
        Ok(Some(beat))
    }

    fn frame_is_full(&self) -> bool {
        matches!(self.framing, Framing::Lengths(_)) && self.left == 0
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
