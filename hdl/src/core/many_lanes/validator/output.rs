//! The output of a validator: a buffer makes registers of all outputs.

use std::collections::BTreeMap;

use super::Marked;
use crate::core::Verdict;
use crate::core::lanes::{Beat, section};
use crate::core::many_lanes::decoder::{Pipeline, Waits};
use crate::core::shared::ports::{ValidatedOut, validated_out};
use crate::netlist::{Builder, Signal};
use crate::stream::{Fields, skid_buffer};

/// Lanes that share an output buffer: the net that says whether a beat is taken is short.
const LANES_OF_BUFFER: usize = 8;

/// Adds the output registers, and declares the ports. Gives the latency of the core.
pub(super) fn output<'m>(
    m: &'m Builder,
    verdict: Verdict,
    beat: &Beat<'m>,
    marked: &Marked<'m>,
    m_axis_tready: Signal<'m>,
    pipeline: &Pipeline<'m>,
) -> u32 {
    let at = marked.stage();
    section(m, 1, "whether there is a beat to pass on");
    let any = beat.holds(0).called("is_kept");
    let present = (beat.valid.at(1) & (any.at(1) | beat.last.at(1))).named("is_present");
    let present = present.note("an empty beat that ends no frame is left out").called("present").flag();
    let present = present.at(at).signal();
    let last = beat.last.at(at).signal();
    let keeps: Vec<Signal> = marked.keep.iter().map(|keep| keep.signal()).collect();

    section(m, at, "a buffer makes registers of all outputs");
    let lanes: Vec<usize> = (0..beat.lanes()).collect();
    let groups = lanes.len().div_ceil(LANES_OF_BUFFER);
    let (mut units, mut keep, mut marks, mut closes) = (Vec::new(), Vec::new(), Vec::new(), None);
    let mut blocks = BTreeMap::new();
    for (index, lanes) in lanes.chunks(LANES_OF_BUFFER).enumerate() {
        let ends = (index == 0).then_some(last);
        let fields = |&lane: &usize| [keeps[lane], marked.marks[lane].signal(), marked.units[lane].signal()];
        let payload = m.concat(ends.into_iter().chain(lanes.iter().rev().flat_map(fields)));
        let name = if groups == 1 { "output_skid".to_owned() } else { format!("output_skid_{index}") };
        let block = blocks.entry(payload.width()).or_insert_with(|| skid_buffer(payload.width()));
        let buffer = m.instance(&name, block).lane(lanes[0]);
        buffer.input("s_valid", present).input("s_payload", payload).input("m_ready", m_axis_tready);
        let mut fields = Fields::of(buffer.output("m_payload").named(&format!("{name}_beat")));
        if let Some(last) = ends {
            let last = fields.next(last, "output_last");
            closes = Some((buffer.output("m_valid").named("output_valid"), last));
        }
        let taken = lanes.iter().rev().map(|&lane| {
            let lane_keep = fields.next(keeps[lane], &format!("output_keep_{lane}"));
            let lane_marks = fields.next(marked.marks[lane].signal(), &format!("output_marks_{lane}"));
            (lane_keep, lane_marks, fields.next(marked.units[lane].signal(), &format!("output_unit_{lane}")))
        });
        for (lane_keep, lane_marks, unit) in taken.collect::<Vec<_>>().into_iter().rev() {
            keep.push(lane_keep);
            marks.push(lane_marks);
            units.push(unit);
        }
    }
    let (tvalid, tlast) = closes.expect("there are lanes");
    m.section("The pace");
    pipeline.drive(present, m_axis_tready, Waits::default());
    let [tdata, tkeep, tuser] = [units, keep, marks].map(|lanes| m.concat(lanes.into_iter().rev()));
    validated_out(m, ValidatedOut { tdata, tkeep, tuser, tvalid, tlast }, lanes.len() as u32, verdict);
    at + 1
}
