//! The sources of the units and slots that go into a core.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use utfhdl_sim::shown::Shown as _;

use utfhdl_codec::lines::{LineReader, LinesError, whole};
use utfhdl_codec::units::{UnitFormat, UnitReader, UnitsError};
use utfhdl_hdl::core::{Bus, Core};

use crate::noise::RandomItems;
use crate::promise::Item;

/// A source of items for a core: units, or slots for an encoder.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file of units.
    Units {
        /// The path of the file.
        path: PathBuf,
        /// The format of the units in the file.
        format: UnitFormat,
    },
    /// A file of lines, for an encoder: code points as `utfhdl encode` reads them, or slots as on the bus,
    /// `tuser:tdata`.
    Lines {
        /// The path of the file.
        path: PathBuf,
    },
    /// Seeded noise: well-formed text, sequences at the boundaries, mutations of both, and garbage.
    Random {
        /// How many units or slots.
        count: u64,
    },
    /// The items themselves.
    Given(Vec<Item>),
}

impl Source {
    /// A source of these units or slots.
    pub fn given<T: Into<Item>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::Given(items.into_iter().map(Into::into).collect())
    }

    /// The source in words, as part of an error that says that it has nothing.
    pub(super) fn in_words(&self) -> String {
        match self {
            Self::Units { path, .. } => format!("{} holds no units", path.shown()),
            Self::Lines { path } => format!("{} holds no lines", path.shown()),
            Self::Random { count } => format!("{count} random units or slots were asked for"),
            Self::Given(_) => "no units or slots were given".to_owned(),
        }
    }
}

/// Why a source can't be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The file can't be opened.
    #[error("cannot open {name}")]
    Open {
        /// The name of the file.
        name: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The path is that of a directory.
    #[error("{name} is a directory: name a file, or - for standard input")]
    Directory {
        /// The name of the directory.
        name: String,
    },
    /// The file holds something else than units.
    #[error("{name}")]
    Units {
        /// The name of the file.
        name: String,
        /// The fault.
        source: UnitsError,
    },
    /// The file holds something else than lines of code points or slots.
    #[error("{name}")]
    Lines {
        /// The name of the file.
        name: String,
        /// The fault.
        source: LinesError,
    },
    /// The file holds a slot for which the bus has too few bits.
    #[error(
        "{name}: slot {slot}: slots have {bits} bits of data with --bus short: leave it out, or the option"
    )]
    Wide {
        /// The name of the file.
        name: String,
        /// The slot, as on the bus.
        slot: String,
        /// The bits of the bus.
        bits: u32,
    },
}

impl SourceError {
    /// Replaces the name of the file by `new`.
    pub fn of(mut self, new: &str) -> Self {
        match &mut self {
            Self::Open { name, .. }
            | Self::Directory { name }
            | Self::Units { name, .. }
            | Self::Lines { name, .. }
            | Self::Wide { name, .. } => *name = new.to_owned(),
        }
        self
    }
}

/// The items of a source, one after the other.
pub(super) enum Items {
    /// Units from a file, read in blocks.
    Units { name: String, reader: UnitReader<Box<dyn Read + Send>>, units: Vec<u32>, used: usize },
    /// Slots from lines.
    Lines { name: String, reader: LineReader<BufReader<File>>, slots: VecDeque<Item>, bus: Bus },
    /// Noise.
    Random(Box<RandomItems>),
    /// Items in memory.
    Given(std::vec::IntoIter<Item>),
}

impl Items {
    /// Opens `source`, for the input of `core`. `seed` decides all that is random.
    pub(super) fn open(core: &Core, source: &Source, seed: u64) -> Result<Self, SourceError> {
        let system = core.spec.system;
        Ok(match source {
            Source::Units { path, format } => {
                let (name, file) = open(path)?;
                let reader =
                    UnitReader::new(Box::new(file) as Box<dyn Read + Send>, *format, system.unit_bits())
                        .map_err(|source| SourceError::Units { name: name.clone(), source })?;
                Self::units(name, reader)
            }
            Source::Lines { path } => {
                let (name, file) = open(path)?;
                let (reader, bus) = (LineReader::new(BufReader::new(file)), core.spec.bus);
                Self::Lines { name, reader, slots: VecDeque::new(), bus }
            }
            Source::Random { count } => Self::Random(Box::new(RandomItems::new(core.spec, *count, seed))),
            Source::Given(items) => Self::Given(items.clone().into_iter()),
        })
    }

    /// The units of `reader`; errors call the file `name`.
    pub(super) fn units(name: String, reader: UnitReader<Box<dyn Read + Send>>) -> Self {
        Self::Units { name, reader, units: Vec::new(), used: 0 }
    }

    /// A frame begins: noise opens it with what suits the start of a frame.
    pub(super) fn open_frame(&mut self) {
        if let Self::Random(random) = self {
            random.open_frame();
        }
    }

    /// Whether all items are used. Reads ahead to know.
    #[inline]
    pub(super) fn is_at_end(&mut self) -> Result<bool, SourceError> {
        // Noise is what long runs are made of.
        if let Self::Random(random) = self { Ok(random.is_at_end()) } else { self.is_read() }
    }

    /// Whether all items are used of what is not noise. Reads ahead to know.
    fn is_read(&mut self) -> Result<bool, SourceError> {
        let is_at_hand = match self {
            Self::Units { units, used, .. } => *used < units.len(),
            Self::Lines { slots, .. } => !slots.is_empty(),
            Self::Random(random) => !random.is_at_end(),
            Self::Given(items) => items.len() > 0,
        };
        if is_at_hand { Ok(false) } else { self.read_on() }
    }

    /// Reads more items if none is left. Returns whether the source has ended.
    fn read_on(&mut self) -> Result<bool, SourceError> {
        match self {
            Self::Units { name, reader, units, used } => {
                units.clear();
                *used = 0;
                // A read may bring nothing and yet not be the last.
                while units.is_empty() {
                    let more = reader.read(units);
                    if !more.map_err(|source| SourceError::Units { name: name.clone(), source })? {
                        break;
                    }
                }
                Ok(units.is_empty())
            }
            Self::Lines { name, reader, slots, bus } => {
                while slots.is_empty() {
                    let line = reader.read_as(slots_of_line);
                    match line.map_err(|source| SourceError::Lines { name: name.clone(), source })? {
                        Some(of_line) => {
                            let is_wide = |slot: &&Item| u64::from(slot.data) >> bus.data_bits() > 0;
                            if let Some(slot) = of_line.iter().find(is_wide) {
                                let (slot, bits) = (slot.slot_in_words(), bus.data_bits());
                                return Err(SourceError::Wide { name: name.clone(), slot, bits });
                            }
                            slots.extend(of_line);
                        }
                        None => return Ok(true),
                    }
                }
                Ok(false)
            }
            Self::Random(_) | Self::Given(_) => Ok(true),
        }
    }

    /// The next item, where they are not [at their end](Self::is_at_end).
    #[inline]
    pub(super) fn next(&mut self) -> Option<Item> {
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

/// The slots of a code point or an error, or one slot as on the bus.
fn slots_of_line(line: &str) -> Option<Vec<Item>> {
    match Item::from_words(line) {
        Some(slot) => Some(vec![slot]),
        None => whole(line).map(|whole| whole.slots().into_iter().map(Item::from).collect()),
    }
}

fn open(path: &Path) -> Result<(String, File), SourceError> {
    let name = path.shown();
    let file = File::open(path).map_err(|source| SourceError::Open { name: name.clone(), source })?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(SourceError::Directory { name });
    }
    Ok((name, file))
}
