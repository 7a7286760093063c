//! In which form a design runs, and why not in the faster one.

/// How the engine runs a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// As machine code.
    Compiled,
    /// Interpreted until the compiler is done.
    Compiling,
    /// Interpreted throughout.
    Interpreted(Reason),
}

/// Why a design is interpreted throughout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Somebody wanted it so.
    #[error("as was asked for")]
    Asked,
    /// A build without a compiler.
    #[error("this build has no compiler, which is the feature `jit`")]
    NoCompiler,
    /// A processor that the compiler does not know.
    #[error("the compiler can't be used on this processor: {0}")]
    Processor(String),
    /// A design that would take too long to compile.
    #[error("the design has more than {most} words of 64 bits, and would take too long to compile")]
    TooLarge {
        /// How many there may be.
        most: usize,
    },
    /// What the compiler says.
    #[error("the compiler refuses the design: {0}")]
    Refused(String),
    /// The system gives no thread to compile in, or the compiler broke off.
    #[error("the compiler did not get done: {0}")]
    Unfinished(String),
}
