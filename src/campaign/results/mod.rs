//! What a campaign leaves: a [`Line`] of JSON for each part that is done, and the [`Sum`] of many.
//!
//! Lines are read and added up one at a time, so that files of any length take little memory: a [`Tally`] keeps the sum, and
//! which inputs are covered as [ranges](coverage::Coverage).

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
