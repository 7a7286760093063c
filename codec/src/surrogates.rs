//! Surrogates.

/// The surrogates of UTF-16, which most systems do not have.
pub(crate) const SURROGATES: core::ops::RangeInclusive<u128> = 0xD800..=0xDFFF;
