//! Why the batch engine can't run a design.

use super::backend::BackendError;
use crate::aig::TooLarge;

/// Why the batch engine can't run a design.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The design is too large.
    #[error("{0}: that is the limit of the batch engine")]
    TooLarge(#[from] TooLarge),
    /// The backend that was asked for can't be used.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The system gives no memory for code.
    #[error("there is no memory that can hold machine code")]
    Memory(#[source] std::io::Error),
}
