//! What is generated, in the tools and the projects of others: browsers, benches, boards, clusters.

#[path = "../common/mod.rs"]
mod common;

mod browser;
mod cocotb;
mod deliverables;
mod icebreaker;
mod integration;
mod lint;
mod packet_filter;
mod playground;
mod slurm;
mod text;
mod tiny_tapeout;
