//! The error of a report.

use utfhdl_hdl::core::CoreError;
use utfhdl_hdl::core::adapters::AdapterError;
use utfhdl_sim::tool::ToolError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A core that cannot be built.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// An adapter that cannot be built.
    #[error(transparent)]
    Adapter(#[from] AdapterError),
    /// Names or options of a selection that do not go together.
    #[error("{0}")]
    Selection(String),
    /// A tool that failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A tool that succeeded, but whose output has no figure in it.
    #[error("{tool} did not say {what}; it said:\n{said}")]
    Silent {
        /// The tool.
        tool: &'static str,
        /// The figure that is missing in the output.
        what: &'static str,
        /// The output.
        said: String,
    },
    /// A liberty file that cannot be used.
    #[error("{file}: {what}")]
    Library {
        /// The file.
        file: String,
        /// The fault, and the remedy.
        what: String,
    },
    /// A page whose tables cannot be understood.
    #[error("{path}:{line}: {what}")]
    Page {
        /// The file.
        path: String,
        /// The line, counted from 1.
        line: usize,
        /// The fault, and the remedy.
        what: String,
    },
}
