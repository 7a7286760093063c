//! What a campaign leaves: a [`Line`] of JSON for each part that is done, and the [`Sum`] of many.
//!
//! Lines are read and added up one at a time, so that files of any length take little memory: a [`Tally`] keeps the sum, and
//! which inputs are covered as [ranges](coverage::Coverage).

mod coverage;
mod error;
mod line;
mod reader;
mod tally;

pub use coverage::{Lines, Overlap};
pub use error::{MissingShards, ResultsError};
pub use line::{FailureLine, Line};
pub use reader::Reader;
pub use tally::{Sum, Tally};
