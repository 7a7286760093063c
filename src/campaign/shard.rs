//! How the inputs of a campaign are cut into shards: by their numbers alone, so that every machine cuts them alike.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utfhdl_sim::batch::STREAMS;

/// Inputs that run at once. A shard holds whole blocks of them; only the last block of a campaign may be smaller.
pub const BLOCK: u64 = STREAMS as u64;

/// One of several shards of a campaign, which the command line calls `K/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// All inputs in one shard.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Shard `index` of `of`, counted from 1; `None` if there is no such shard.
    pub fn new(index: u64, of: u64) -> Option<Self> {
        (1..=of).contains(&index).then_some(Self { index, of })
    }

    /// Which shard this is, counted from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// How many shards there are.
    pub fn of(self) -> u64 {
        self.of
    }

    /// The inputs of the shard, of `total` inputs. Shards differ by one block at most, so where there are more shards than
    /// blocks, some shards are empty.
    pub fn range(self, total: u64) -> Range<u64> {
        let blocks = u128::from(total.div_ceil(BLOCK));
        let start = |index: u64| {
            let first_block = blocks * u128::from(index) / u128::from(self.of);
            // Below 2^64: at most `total`.
            (first_block * u128::from(BLOCK)).min(total.into()) as u64
        };
        start(self.index - 1)..start(self.index)
    }

    /// The shard, of `of` shards of `total` inputs, that holds `input`.
    pub fn of_input(input: u64, total: u64, of: u64) -> Self {
        let (mut low, mut high) = (1, of);
        while low < high {
            let middle = low + (high - low) / 2;
            if (Self { index: middle, of }).range(total).end > input {
                high = middle
            } else {
                low = middle + 1
            }
        }
        Self { index: low, of }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

/// Text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected K/N, K from 1 to N, such as 3/8")]
pub struct ParseShardError;

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, ParseShardError> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        numbers.and_then(|(index, of)| Self::new(index, of)).ok_or(ParseShardError)
    }
}

impl TryFrom<String> for Shard {
    type Error = ParseShardError;

    fn try_from(text: String) -> Result<Self, ParseShardError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_whole_blocks_and_hold_every_input_once() {
        for total in [1, 511, 512, 513, 5001, 1 << 48, u64::MAX - 1, u64::MAX] {
            for of in [1, 2, 3, 7, 1000] {
                let ranges: Vec<Range<u64>> =
                    (1..=of).map(|index| Shard { index, of }.range(total)).collect();
                assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, total));
                assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start), "{total} in {of}");
                assert!(ranges.iter().all(|range| range.start == total || range.start % BLOCK == 0));
                let sizes: Vec<u64> =
                    ranges.iter().map(|range| (range.end - range.start).div_ceil(BLOCK)).collect();
                assert!(sizes.iter().max() <= sizes.iter().min().map(|least| least + 1).as_ref());
            }
        }
        let last = Shard { index: u64::MAX, of: u64::MAX };
        assert_eq!(last.range(1024), 512..1024);
    }

    #[test]
    fn an_input_is_found_in_its_shard() {
        for (total, of) in [(5001, 3), (5001, 1000), (u64::MAX, 7), (1024, u64::MAX)] {
            for input in [0, 511, 512, total / 2, total - 1] {
                let shard = Shard::of_input(input.min(total - 1), total, of);
                assert!(shard.range(total).contains(&input.min(total - 1)), "{input} of {total}: {shard}");
            }
        }
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        assert_eq!("3/8".parse(), Ok(Shard { index: 3, of: 8 }));
        assert_eq!(Shard { index: 3, of: 8 }.to_string(), "3/8");
        for text in ["", "3", "0/8", "9/8", "5/4", "-1/4", "1/0", "3/8/9", "1/18446744073709551616"] {
            assert_eq!(text.parse::<Shard>(), Err(ParseShardError), "{text}");
        }
    }
}
