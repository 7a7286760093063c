//! The results of a campaign: a [`Line`] of JSON for each finished part, and the [`Sum`] of many lines.
//!
//! Lines are read and added up one at a time, so that files of any length take little memory: a [`Tally`] keeps the sum, and
//! the covered inputs as [ranges](coverage::Coverage).

mod coverage;
mod difference;
mod error;
mod line;
mod reader;
mod status;
mod sum;
mod tally;

pub use coverage::{Lines, Overlap};
pub use difference::Difference;
pub use error::{MissingShards, ResultsError, numbers_in_words};
pub use line::{FailureLine, Line};
pub use reader::Reader;
pub use status::{Failed, Partial, Shards, Status};
pub use sum::Sum;
pub use tally::Tally;
