//! An encoder of several lanes outputs the units that the definition of its system demands. The frames are those of code points and errors, as
//! in the `spec` of an encoder of one lane. A transcoder outputs the units for the slots that the definition of the system it reads makes of its
//! input.
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

use std::collections::BTreeMap;

use utfhdl_hdl::core::{Bus, Core, ErrorMode, Role};
use utfhdl_hdl::netlist::{Builder, Signal};

use self::cells::EncoderCells;
use self::placed::Placed;
use self::windows::Window;
use super::beat::{Beat, TDATA, TUSER};
use super::cells::Place;
use super::definition::Definition;
use super::reset::Reset;
use super::slots::{Candidate, Slots};
use super::{BUFFER, Part, SLOT_DATA_BITS, control, is_plain, part};
use crate::prove::bench::{SLOT_USER_BITS, Side, given};
use crate::prove::spec::{Writer, Writes, Written, limit};

/// The function of a core that writes units, by the second descriptions of its systems.
#[derive(Clone, Copy)]
pub(super) struct Encoding {
    writer: Writer,
    /// The function of the decoding half, in a transcoder.
    half: Option<Definition>,
}

impl Encoding {
    /// The function of a core, if the proof applies to the core.
    pub(super) fn of(core: &Core) -> Option<Self> {
        let spec = core.spec;
        let (to, half) = match spec.role {
            Role::Encoder => (spec.system, None),
            Role::Transcoder { to } => (to, Some(Definition::of(core)?)),
            Role::Decoder | Role::Validator(_) => return None,
        };
        Writer::of(to).filter(|_| is_plain(&spec)).map(|writer| Self { writer, half })
    }

    /// An unknown beat at the input of a core, with the wires of its loops.
    fn beat<'m>(
        self,
        m: &'m Builder,
        core: &Core,
        loops: BTreeMap<usize, Signal<'m>>,
    ) -> Result<Beat<'m>, String> {
        let spec = core.spec;
        if let Some(half) = self.half {
            return Ok(Beat::given(m, spec.lanes, half.lane_bits, None, loops));
        }
        let port = core.design.top.inputs().find(|port| port.name == TDATA);
        let lane_bits = port.ok_or("there is no s_axis_tdata")?.width / spec.lanes;
        let beat = Beat::given(m, spec.lanes, lane_bits, Some(SLOT_USER_BITS), loops);
        let tuser = beat.tuser.expect("slots have kinds");
        let kinds = (0..spec.lanes).rev().map(|lane| limit(Side::lane(tuser, lane, spec.lanes)));
        let tuser = match spec.bus {
            Bus::Long => m.concat(kinds.collect::<Vec<_>>()),
            Bus::Short => tuser,
        };
        m.output(&given(TUSER), tuser, "what the core is given");
        Ok(Beat { tuser: Some(tuser), ..beat })
    }

    /// The most slots of a beat. In a transcoder, one comes before the first lane, and one of octets that are left over with the end of the frame.
    fn most_slots(self, lanes: usize) -> usize {
        lanes + self.half.map_or(0, |half| 1 + usize::from(half.machine.leaves_over()))
    }

    /// The slots of a beat that `moves` on in this cycle, in their order, each with whether it is there, its data and its kind; and 1 where two are there of
    /// which one at most can be.
    fn slots<'m>(
        self,
        m: &'m Builder,
        beat: &Beat<'m>,
        moves: Signal<'m>,
    ) -> (Vec<[Signal<'m>; 3]>, Signal<'m>) {
        let Some(half) = self.half else {
            let lanes = beat.tkeep.width();
            let tuser = beat.tuser.expect("slots have kinds");
            let of_lane = |lane| {
                let [data, user] = [beat.tdata, tuser].map(|port| Side::lane(port, lane, lanes));
                [beat.has(lane), data, user]
            };
            return ((0..lanes).map(of_lane).collect(), m.lit(1, 0));
        };
        let state = half.state(m);
        let slots = Slots::of(m, half, state.q(), beat);
        state.next(slots.after, moves, beat.ends());
        let parted = |slot: &Candidate<'m>| {
            let (data, user) =
                (slot.shown.bits(0..SLOT_DATA_BITS), slot.shown.bits(SLOT_DATA_BITS..slot.shown.width()));
            [slot.is_there, data, user]
        };
        (slots.all.iter().map(parted).collect(), slots.is_two_in_one)
    }
}

/// The parts that are problems for checkers, after a text on the graph.
///
/// # Errors
/// The reason, if the core is no such pipeline.
pub(super) fn parts(core: &Core, encoding: Encoding) -> Result<(String, Vec<Part>), String> {
    let encoder = EncoderCells::read(&core.design)?;
    let cells = &encoder.cells;
    let reset = Reset::follow(cells, encoder.offered()?)?;
    let says = "a stage loads if it holds no beat or if its beat moves on";
    let pace = part(core, &encoder, ("pace", says), |m, encoder| pace::pace(m, encoder, &reset))?;
    let lanes = core.spec.lanes;
    let buffer = part(core, cells, BUFFER, |m, cells| control::buffer(m, cells, &reset, lanes))?;
    let says = "for any beats of a frame, the units of the definition go out";
    let beats =
        part(core, &encoder, ("beats", says), |m, encoder| beats(m, core, encoder, &reset, encoding))?;
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
    encoding: Encoding,
) -> Result<Signal<'m>, String> {
    let (spec, writer) = (core.spec, encoding.writer);
    let lanes = spec.lanes as usize;
    let units_of_slot = writer.write(m, m.lit(SLOT_DATA_BITS, 0)).len();
    // A beat has windows: two output beats side by side, of which the first is made. The second begins with the units at position 0 in window 0,
    // which comes first where the last output beat of the beat before is left, at position `lanes` in window 1, and so on.
    let most = (encoding.most_slots(lanes) * units_of_slot + lanes - 1).div_ceil(lanes);
    let window = m.reg("window_reg", most as u32 + 1).reset(0b10);
    let number: Vec<Signal<'m>> = (0..=most as u32).map(|at| window.q.bit(at)).collect();
    let of_beat = Window::new(m, encoder, reset, &number, |loops| encoding.beat(m, core, loops))?;
    let Window { beat, is_first, is_last: moves, is_shown, output, is_disturbed, is_assumed } = of_beat;

    // The units of the beat.
    let (slots, is_two_in_one) = encoding.slots(m, &beat, moves);
    let after_high = m.reg("after_high_reg", 1).reset(0);
    let spoilt = m.reg("frame_spoilt_reg", 1).reset(0);
    let (mut is_after_high, mut is_spoilt) = (after_high.q, spoilt.q);
    let drops = spec.on_error == ErrorMode::Drop;
    let mut units = Vec::new();
    for slot in slots {
        let writes: Writes = writer.writes(m, drops, slot, is_after_high);
        is_after_high = writes.is_after_high;
        is_spoilt = is_spoilt | writes.is_error;
        let of_slot = writer.write(m, writes.code_point.zext(SLOT_DATA_BITS)).into_iter();
        let of_slot = of_slot.map(|unit| Written { is_there: unit.is_there & writes.is_written, ..unit });
        units.push(of_slot.collect::<Vec<_>>());
    }
    after_high.next_when(moves, is_after_high & !beat.ends());
    spoilt.next_when(moves, is_spoilt & !beat.ends());

    // Units that fill no output beat are left over for the next beat.
    let count = m.reg("count_reg", lanes.ilog2()).reset(0);
    let placed = Placed::new(m, count.q, &units);
    count.next_when(moves, placed.filled.bits(0..lanes.ilog2()).when(!beat.ends()));

    let of_windows = |of: &dyn Fn(usize) -> Signal<'m>| {
        let of = number.iter().enumerate().map(|(window, is)| of(window).when(*is));
        of.reduce(|a, b| a | b).expect("there are windows")
    };
    // In an encoder, an output beat that is full goes out in the last window of its beat, unless units of the beat follow in the same frame.
    let ends = beat.ends();
    let shares_windows = encoding.half.is_some();
    let goes_on = of_windows(&|window| {
        let reaches = |count: usize| placed.reaches(window * lanes + count);
        if shares_windows { reaches(lanes + 1) } else { ends.mux(reaches(1), reaches(lanes)) }
    });
    let is_left = of_windows(&|window| {
        let reaches = |count: usize| placed.reaches(window * lanes + count);
        let is_beyond = if window == 0 { m.lit(1, 1) } else { reaches(1) };
        is_beyond & (ends | reaches(lanes))
    });
    let is_left = if shares_windows { is_left & !goes_on } else { m.lit(1, 0) };
    let further = m.concat([window.q.bits(0..most as u32), m.lit(1, 0)]);
    let start = m.concat([m.lit(most as u32 - 1, 0), !is_left, is_left]);
    window.next_when(is_shown, goes_on.mux(further, start));

    // Each window makes an output beat, or none. One that is not full is made at the end of a frame only.
    let kept = |name: String, signal: Signal<'m>| {
        let kept = m.reg(&name, signal.width()).reset(0);
        kept.next_when(is_shown, signal);
        kept.q
    };
    let was_end = kept("ended_reg".to_owned(), ends);
    let was_spoilt = kept("ended_spoilt_reg".to_owned(), ends & is_spoilt);
    let of_window = |window: usize, of_first: Signal<'m>, of_other: &dyn Fn(usize) -> Signal<'m>| {
        if window == 0 { of_first } else { of_other((window - 1) * lanes) }
    };
    let one = m.lit(1, 1);
    let makes = of_windows(&|window| of_window(window, one, &|from| placed.reaches(from + lanes) | ends));
    let is_end =
        of_windows(&|window| of_window(window, was_end, &|from| ends & !placed.reaches(from + lanes + 1)));
    let is_spoilt = of_windows(&|window| {
        of_window(window, was_spoilt, &|from| ends & !placed.reaches(from + lanes + 1) & is_spoilt)
    });
    let bits = placed.units[0][0].width();
    let mut bad = vec![
        output.tvalid ^ makes
            | makes & (output.tlast ^ is_end | output.tuser.expect("an encoder has tuser").any() ^ is_spoilt)
            | moves ^ !goes_on
            | is_two_in_one
            | is_disturbed,
    ];
    for lane in 0..lanes {
        let left = m.reg(&format!("left_over_{lane}_reg"), bits).reset(0);
        // The window before has presented the units of the first half, but those of window 1 where that is the first one.
        let unit = left.q | placed.unit(&[number[1] & is_first], |_| lane);
        left.next_when(is_shown, makes.mux(placed.unit(&number, |window| window * lanes + lane), unit));
        let is_next = of_windows(&|window| placed.reaches(window * lanes + lane + 1));
        let was_next = kept(format!("left_over_{lane}_is_held_reg"), is_next);
        let is_held =
            of_windows(&|window| of_window(window, was_next, &|from| placed.reaches(from + lane + 1)));
        let keep = output.tkeep.bit(lane as u32);
        let data = Side::lane(output.tdata, lane as u32, spec.lanes);
        bad.push(makes & (keep ^ is_held | data.ne(unit.zext(data.width()))));
    }
    Ok(m.concat(bad.into_iter().rev().map(|bad| is_assumed & bad).collect::<Vec<_>>()))
}
