//! How the engine runs a design, and why not faster.

use crate::EngineError;

/// How the engine runs a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Compiled to machine code.
    Compiled,
    /// Interpreted until it is compiled, which a run of a few cycles never is.
    Compiling,
    /// Interpreted throughout.
    Interpreted(Reason),
}

/// Why a design is interpreted throughout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The engine was made with [`Native::interpreted`](super::Native::interpreted).
    #[error("that was asked for")]
    Asked,
    /// The build has no compiler.
    #[error("this build has no compiler; build it with the feature `jit`")]
    NoCompiler,
    /// The compiler does not know the processor.
    #[error("the compiler can't be used on this processor: {0}")]
    Processor(String),
    /// The design would take too long to compile.
    #[error("it has more than {most} words of 64 bits, which would take too long to compile")]
    TooLarge {
        /// How many there may be.
        most: usize,
    },
    /// The compiler reported an error.
    #[error("the compiler failed: {0}")]
    Refused(String),
    /// The system gave no thread to compile in, or the compiler panicked.
    #[error("the compiler did not finish: {0}")]
    Unfinished(String),
}

/// A design with more words than there is room for.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge {
    /// How many there may be.
    pub(super) limit: usize,
}

impl From<TooLarge> for EngineError {
    fn from(TooLarge { limit }: TooLarge) -> Self {
        Self::TooLarge { engine: "native", limit, what: "words of 64 bits in all signals together" }
    }
}
