//! The text of an adapter: its Verilog, with what a user has to know in the head of the file.

use std::collections::BTreeMap;

use super::{Adapter, AdapterKind, Whole};
use crate::core::text::reset_fact;
use crate::emit::{Header, verilog};
use crate::netlist::Port;

impl Adapter {
    /// The Verilog of the adapter, as one file.
    pub fn verilog(&self) -> String {
        let ports = self.design.top.ports().iter();
        let lane_bits = ports.filter_map(|port| Some((port.name.clone(), self.lane_bits(port)?)));
        let header = Header {
            command: self.command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            facts: self.facts().into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect(),
            lane_bits: if self.spec.lanes.max(self.spec.lanes_out()) > 1 {
                lane_bits.collect()
            } else {
                BTreeMap::new()
            },
            ..Header::default()
        };
        verilog(&self.design, &header)
    }

    /// Facts that a user needs beyond the ports: pairs of a subject and a sentence or two.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let spec = self.spec;
        let latency = match spec.kind {
            AdapterKind::Fifo(fifo) if fifo.whole.is_some() => {
                "cycles, from a frame's last beat to its first one on the output; a beat a cycle after that"
            }
            AdapterKind::Width { to_lanes } if spec.lanes < to_lanes => {
                "cycles, from the beat that completes an output beat, or ends the frame"
            }
            AdapterKind::Width { .. } => "cycles; the further parts of a beat follow one a cycle",
            AdapterKind::Compactor => {
                "cycles, from the beat that completes an output beat, or ends the frame; one more for what has no room in that beat"
            }
            AdapterKind::Fifo(_) => "cycles",
        };
        let frames = match spec.kind {
            AdapterKind::Fifo(fifo) => match fifo.whole {
                None => "beats pass one by one, whatever tkeep and tlast are",
                Some(Whole::Waits) => {
                    "a frame goes out when all of it is in. One of more beats than the memory has is dropped: dropped is 1 in the cycle \
                     after its end"
                }
                Some(Whole::Drops) => {
                    "a frame goes out when all of it is in. One that has no room is dropped: dropped is 1 in the cycle after its end. \
                     s_axis_tready never falls"
                }
            },
            AdapterKind::Compactor => {
                "each frame that comes in makes one that goes out, with one tlast. All its beats are full but the last one, which is \
                 empty where the beat with tlast has no unit, and none is left over"
            }
            AdapterKind::Width { .. } => {
                "each frame that comes in makes one that goes out, with one tlast. A part of a beat in which tkeep is 0 takes no place, \
                 but for the tlast of a frame that has nothing else to end with"
            }
        };
        let lanes = match spec.kind {
            AdapterKind::Fifo(_) => "tkeep is as it came in",
            AdapterKind::Compactor => "any lanes of the input may hold a unit; units keep their order",
            AdapterKind::Width { .. } => {
                "units keep their order, and lanes without a unit between others are left as they are. A frame of full beats, but for \
                 its last one, goes out as such"
            }
        };
        let reset = reset_fact(spec.reset, 0);
        vec![
            ("Latency", format!("{} {latency}", self.latency)),
            ("Frames", frames.to_owned()),
            ("Lanes", lanes.to_owned()),
            ("Reset", reset),
        ]
    }

    /// Bits of each lane in a port; none where the port is about the whole beat.
    pub fn lane_bits(&self, port: &Port) -> Option<u32> {
        let (side, signal) = port.name.rsplit_once('_')?;
        let lanes = if side == "s_axis" { self.spec.lanes } else { self.spec.lanes_out() };
        matches!(signal, "tdata" | "tkeep").then(|| port.width / lanes)
    }
}
