//! Decoders and encoders of every system, by the documents, by the standards, and by what must hold of all of them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../tests/common/samples.rs"]
mod samples;

mod auto;
mod bulk;
mod counts;
mod encoder;
mod encoding_standard;
mod exhaustive;
mod heads;
mod io;
mod kinds;
mod properties;
mod utf_8;
