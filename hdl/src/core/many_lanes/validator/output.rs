//! The output of a validator: a buffer makes registers of all outputs.

use super::Marked;
use crate::core::lanes::{Beat, section};
use crate::core::many_lanes::buffers::Buffered;
use crate::core::many_lanes::decoder::{Pipeline, Waits};
use crate::core::many_lanes::output_fifo::fifo_buffered;
use crate::core::many_lanes::output_skid::skid_buffered;
use crate::core::shared::ports::{ValidatedOut, validated_out};
use crate::core::{Stall, Verdict};
use crate::netlist::{Builder, Signal};

/// Adds the output registers, and declares the ports. Gives the latency of the core.
pub(super) fn output<'m>(
    m: &'m Builder,
    (verdict, stall): (Verdict, Stall),
    beat: &Beat<'m>,
    marked: &Marked<'m>,
    [tvalid, m_axis_tready]: [Signal<'m>; 2],
    pipeline: &Pipeline<'m>,
) -> u32 {
    let at = marked.stage();
    section(m, 1, "whether there is a beat to pass on");
    let any = beat.holds(0).called("is_kept");
    let goes_out = any.at(1) | beat.last.at(1);
    let gone = stall.memory().map(|_| beat.valid.at(1) & !goes_out);
    let present = (beat.valid.at(1) & goes_out).named("is_present");
    let present =
        present.note("an empty beat that ends no frame is left out").called("present").flag().at(at - 1);
    let present = pipeline.present(
        "beat_present",
        beat.lanes(),
        |lane| pipeline.stage_at(lane).at(at),
        present.signal(),
    );
    let last = beat.last.at(at).signal();
    let keeps: Vec<Signal> = marked.keep.iter().map(|keep| keep.signal()).collect();

    let buffers = || section(m, at, "a buffer makes registers of all outputs");
    let fields = |lane: usize| {
        vec![
            ("keep", keeps[lane]),
            ("marks", marked.marks[lane].signal()),
            ("unit", marked.units[lane].signal()),
        ]
    };
    let lanes: Vec<_> = (0..beat.lanes()).map(fields).collect();
    let of_beat = [("last", last)];
    let (Buffered { tvalid: given, of_beat, lanes, .. }, latency) = match stall {
        Stall::Enable => {
            m.section("The pace");
            let (held, offers) = pipeline.drive(&present, m_axis_tready, Waits::default(), lanes.len());
            buffers();
            (skid_buffered(m, (&held, offers), m_axis_tready, &of_beat, &lanes), at + 1)
        }
        Stall::Credit(storage) => {
            buffers();
            let arriving = [present[0], m_axis_tready];
            (fifo_buffered(m, (storage, at + 3), arriving, &of_beat, None, &lanes), at + 3)
        }
    };
    if let Some(gone) = gone {
        m.section("The pace");
        let gone =
            (gone.signal() & !pipeline.flush()).named("beat_gone").note("an empty beat that ends no frame");
        pipeline.drive_by_credits(latency, [tvalid, m_axis_tready, gone], (given, None));
    }
    let [tkeep, tuser, tdata] = [0, 1, 2].map(|field| m.concat(lanes.iter().rev().map(|of| of[field])));
    let out = ValidatedOut { tdata, tkeep, tuser, tvalid: given, tlast: of_beat[0] };
    validated_out(m, out, beat.lanes() as u32, verdict);
    latency
}
