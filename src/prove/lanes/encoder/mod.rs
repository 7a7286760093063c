//! An encoder of several lanes outputs the units that the definition of its system demands. The frames are those of code points and errors, as
//! in the `spec` of an encoder of one lane.
//!
//! | part | what is proved | by |
//! | --- | --- | --- |
//! | `pipeline` | every register is a function of one beat, of its window and of the loops, and of no value from before a reset | the graph |
//! | `pace` | a stage loads if it holds no beat or if its beat moves on | a checker |
//! | `buffer` | every beat that enters the output buffer is output, once and in order | a checker |
//! | `beats` | for any beats of a frame, the output is the units that the system's [writer](Writer) makes of the code points | a checker |

mod cells;
mod pace;
mod placed;
mod windows;

use utfhdl_hdl::core::{Bus, Core, ErrorMode, Role};
use utfhdl_hdl::netlist::{Builder, Signal};

use self::cells::EncoderCells;
use self::placed::Placed;
use self::windows::Window;
use super::beat::{Beat, TDATA, TUSER};
use super::cells::Place;
use super::reset::Reset;
use super::{BUFFER, Part, SLOT_DATA_BITS, control, is_plain, part};
use crate::prove::bench::{SLOT_USER_BITS, Side, given};
use crate::prove::spec::{Writer, Writes, Written, limit};

/// The writer of a core, if the proof applies to the core.
pub(super) fn writer(core: &Core) -> Option<Writer> {
    let is_meant = core.spec.role == Role::Encoder && is_plain(&core.spec);
    Writer::of(core.spec.system).filter(|_| is_meant)
}

/// The parts that are problems for checkers, after a text on the graph.
///
/// # Errors
/// The reason, if the core is no such pipeline.
pub(super) fn parts(core: &Core, writer: Writer) -> Result<(String, Vec<Part>), String> {
    let encoder = EncoderCells::read(&core.design)?;
    let cells = &encoder.cells;
    let reset = Reset::follow(cells)?;
    let says = "a stage loads if it holds no beat or if its beat moves on";
    let pace = part(core, &encoder, ("pace", says), |m, encoder| pace::pace(m, encoder, &reset))?;
    let lanes = core.spec.lanes;
    let buffer = part(core, cells, BUFFER, |m, cells| control::buffer(m, cells, &reset, lanes))?;
    let says = "for any beats of a frame, the units of the definition go out";
    let beats = part(core, &encoder, ("beats", says), |m, encoder| beats(m, core, encoder, &reset, writer))?;
    let count = |is: fn(Place) -> bool| cells.registers(is).len();
    let how = format!(
        "{} bits of registers in {} stages, {} for the windows, {} in {} more, {} in loops",
        count(|place| matches!(place, Place::Units { is_loop: false, .. })),
        encoder.windows,
        count(|place| place == Place::Windows),
        count(|place| matches!(place, Place::Slots { .. })),
        cells.shown + cells.last_stage - encoder.windows - 1,
        count(|place| matches!(place, Place::Units { is_loop: true, .. } | Place::LeftOver { .. })),
    );
    Ok((how, vec![pace, buffer, beats]))
}

/// The failures, a bit each: the output beat of a window differs from that of the definition, in each lane, or in what is of the whole beat.
fn beats<'m>(
    m: &'m Builder,
    core: &Core,
    encoder: &'m EncoderCells,
    reset: &Reset,
    writer: Writer,
) -> Result<Signal<'m>, String> {
    let spec = core.spec;
    let lanes = spec.lanes as usize;
    let port = core.design.top.inputs().find(|port| port.name == TDATA).ok_or("there is no s_axis_tdata")?;
    let units_of_slot = writer.write(m, m.lit(SLOT_DATA_BITS, 0)).len();
    let most = units_of_slot + 1;
    let window = Window::new(m, encoder, reset, most, |loops| {
        let beat = Beat::given(m, spec.lanes, port.width / spec.lanes, Some(SLOT_USER_BITS), loops);
        let tuser = beat.tuser.expect("slots have kinds");
        let kinds = (0..spec.lanes).rev().map(|lane| limit(Side::lane(tuser, lane, spec.lanes)));
        let tuser = match spec.bus {
            Bus::Long => m.concat(kinds.collect::<Vec<_>>()),
            Bus::Short => tuser,
        };
        m.output(&given(TUSER), tuser, "what the core is given");
        Beat { tuser: Some(tuser), ..beat }
    })?;
    let Window { beat, is_last: is_last_window, number, output, is_disturbed, is_assumed } = window;

    // The units of the beat.
    let after_high = m.reg("after_high_reg", 1).reset(0);
    let spoilt = m.reg("frame_spoilt_reg", 1).reset(0);
    let (mut is_after_high, mut is_spoilt) = (after_high.q, spoilt.q);
    let drops = spec.on_error == ErrorMode::Drop;
    let tuser = beat.tuser.expect("slots have kinds");
    let mut units = Vec::new();
    for lane in 0..spec.lanes {
        let [data, user] = [beat.tdata, tuser].map(|port| Side::lane(port, lane, spec.lanes));
        let writes: Writes = writer.writes(m, drops, [beat.has(lane), data, user], is_after_high);
        is_after_high = writes.is_after_high;
        is_spoilt = is_spoilt | writes.is_error;
        let of_slot = writer.write(m, writes.code_point.zext(SLOT_DATA_BITS)).into_iter();
        let of_slot = of_slot.map(|unit| Written { is_there: unit.is_there & writes.is_written, ..unit });
        units.push(of_slot.collect::<Vec<_>>());
    }
    after_high.next_when(is_last_window, is_after_high & !beat.ends());
    spoilt.next_when(is_last_window, is_spoilt & !beat.ends());

    // Units that fill no output beat are left over for the next beat.
    let count = m.reg("count_reg", lanes.ilog2()).reset(0);
    let placed = Placed::new(m, count.q, &units);
    count.next_when(is_last_window, placed.filled.bits(0..lanes.ilog2()).when(!beat.ends()));

    // Each window has flags: an output beat is made, and another window follows. A beat that is not full is made at the end of a frame only.
    let of_windows = |of: &dyn Fn(usize) -> Signal<'m>| {
        let of = number.iter().enumerate().map(|(window, is)| of(window).when(*is));
        of.reduce(|a, b| a | b).expect("there are windows")
    };
    let ends = beat.ends();
    let is_full = of_windows(&|window| placed.reaches((window + 1) * lanes));
    let goes_on = of_windows(&|window| {
        ends.mux(placed.reaches((window + 1) * lanes + 1), placed.reaches((window + 2) * lanes))
    });
    let makes = is_full | ends;
    let is_end = ends & !goes_on;
    let bits = placed.units[0][0].width();
    let mut bad = vec![
        output.tvalid ^ makes
            | makes
                & (output.tlast ^ is_end
                    | output.tuser.expect("an encoder has tuser").any() ^ is_end & is_spoilt)
            | is_last_window ^ !goes_on
            | is_disturbed,
    ];
    for lane in 0..lanes {
        let left = m.reg(&format!("left_over_{lane}_reg"), bits).reset(0);
        // The window before has presented the units of the first half, but those of the first window.
        let unit = left.q | placed.unit(&number[..1], |_| lane);
        left.next(makes.mux(placed.unit(&number, |window| (window + 1) * lanes + lane), unit));
        let is_held = of_windows(&|window| placed.reaches(window * lanes + lane + 1));
        let keep = output.tkeep.bit(lane as u32);
        let data = Side::lane(output.tdata, lane as u32, spec.lanes);
        bad.push(makes & (keep ^ is_held | data.ne(unit.zext(data.width()))));
    }
    Ok(m.concat(bad.into_iter().rev().map(|bad| is_assumed & bad).collect::<Vec<_>>()))
}
