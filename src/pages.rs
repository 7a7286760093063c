//! The Rust code on the pages of the documentation, as tests.

#[doc = include_str!("../README.md")]
mod readme {}
#[doc = include_str!("../docs/design.md")]
mod design {}
#[doc = include_str!("../docs/verification.md")]
mod verification {}
