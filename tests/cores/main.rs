//! Cores against the software reference, in every engine, with noise, resets and stalls.

#[path = "../common/mod.rs"]
mod common;

mod adapters;
mod auto;
mod axis;
mod cosim;
mod cosim_blocks;
mod decoded_only;
mod drawn;
mod exhaustive_cores;
mod lanes_of_utf_inf_8;
mod limb_groups;
mod multi_octet;
mod passengers;
mod positions;
mod registers;
mod reset;
mod several_lanes;
mod short_bus;
mod stalls;
mod status;
mod stream_options;
mod streams;
mod tables;
mod transcoders;
mod unknown_start;
mod validators;
mod wide_encoders;
mod wide_endless;
mod wide_transcoders;
mod wide_validators;
