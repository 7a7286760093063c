//! The backends, which evaluate the gates, and how one is chosen.

use std::fmt;
use std::str::FromStr;

#[cfg(target_arch = "x86_64")]
use super::x86_64::instruction_set::InstructionSet;

/// The environment variable that names the backend; without it, the fastest is taken.
const VARIABLE: &str = "UTFHDL_BATCH";

/// Why a backend can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// This machine can't run it.
    #[error("this machine can't run the backend {backend} of the batch engine: choose {}", names(available))]
    Unavailable {
        /// The backend.
        backend: Backend,
        /// The backends that it can run.
        available: Vec<Backend>,
    },
    /// A word that names no backend.
    #[error("there is no backend {name:?} of the batch engine: choose {}", names(&Backend::ALL))]
    Unknown {
        /// The word.
        name: String,
    },
}

/// The evaluator of the gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Machine code for x86-64 with AVX-512F.
    Avx512,
    /// Machine code for x86-64 with AVX2.
    Avx2,
    /// An interpreter, on any machine.
    Portable,
}

impl Backend {
    /// Every backend, the fastest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// The backends that this machine can run, the fastest first.
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|backend| backend.is_available()).collect()
    }

    /// The fastest backend that this machine can run.
    pub fn best() -> Self {
        Self::available()[0]
    }

    /// The backend that `UTFHDL_BATCH` in the environment names, if it is set.
    ///
    /// # Errors
    /// If there is no backend of that name.
    pub fn of_environment() -> Result<Option<Self>, BackendError> {
        match std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
            Some(name) => name.to_string_lossy().parse().map(Some),
            None => Ok(None),
        }
    }

    /// Whether this machine can run it.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.instruction_set().is_none_or(InstructionSet::is_available);
        #[cfg(not(target_arch = "x86_64"))]
        return self == Self::Portable;
    }

    /// The backend itself, if it is among those that are available.
    pub(super) fn among(self, available: &[Self]) -> Result<Self, BackendError> {
        if available.contains(&self) {
            return Ok(self);
        }
        Err(BackendError::Unavailable { backend: self, available: available.to_vec() })
    }

    /// The instruction set of its machine code; `None` where gates are interpreted.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn instruction_set(self) -> Option<InstructionSet> {
        match self {
            Self::Avx512 => Some(InstructionSet::Avx512),
            Self::Avx2 => Some(InstructionSet::Avx2),
            Self::Portable => None,
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Portable => "portable",
        })
    }
}

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Self, BackendError> {
        let found = Self::ALL.into_iter().find(|backend| backend.to_string() == name);
        found.ok_or_else(|| BackendError::Unknown { name: name.to_owned() })
    }
}

/// Names with commas between.
fn names(backends: &[Backend]) -> String {
    backends.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_goes_by_its_name() {
        for backend in Backend::ALL {
            assert_eq!(
                backend.to_string().parse::<Backend>().expect("a backend is found by its name"),
                backend
            );
        }
        let error = "AVX2".parse::<Backend>().expect_err("names are in lower case");
        let expected = "there is no backend \"AVX2\" of the batch engine: choose avx512, avx2, portable";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn what_the_processor_lacks_is_refused() {
        let error = Backend::Avx512.among(&[Backend::Avx2, Backend::Portable]).expect_err("it is not there");
        let expected = "this machine can't run the backend avx512 of the batch engine: choose avx2, portable";
        assert_eq!(error.to_string(), expected);
        for backend in Backend::available() {
            assert_eq!(backend.among(&Backend::available()).expect("the backend is available"), backend);
        }
        assert_eq!(Backend::available().last(), Some(&Backend::Portable));
    }
}
