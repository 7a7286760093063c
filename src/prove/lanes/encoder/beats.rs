//! The part `beats`: the output beats of a core, and those that the definition demands.

use utfhdl_hdl::core::{Core, ErrorMode};
use utfhdl_hdl::netlist::{Builder, Reg, Signal};

use super::cells::EncoderCells;
use super::encoding::Encoding;
use super::units::{Unit, UnitsMade};
use super::windows::{LeftOver, Window};
use crate::prove::bench::Side;
use crate::prove::lanes::SLOT_DATA_BITS;
use crate::prove::lanes::beat::Beat;
use crate::prove::lanes::boundary::Boundary;
use crate::prove::lanes::placed::Placed;
use crate::prove::lanes::reset::Reset;
use crate::prove::spec::Written;

/// The most slots of a beat with which the problem says in which lanes units may be left over.
const SLOTS_TOLD: usize = 8;

/// The window of a cycle, by its number.
///
/// A window is two output beats side by side, and the core makes the first one in that cycle. The second output beat begins with position 0 in window 0, with position
/// `lanes` in window 1, and so on. A beat begins with window 0 if the last output beat of the beat before is left, and otherwise with window 1.
///
/// The core presents the windows of a beat in order. Here, an input chooses the window after window 1, among those that are reached. The choices include the
/// order of the core, and a checker need not find which windows follow each other.
struct Windows<'m> {
    /// A bit for each window: this is the one.
    number: Vec<Signal<'m>>,
    /// Nothing is presented of the beat.
    is_new: Reg<'m>,
    /// An output beat is left of the beat before.
    is_left: Reg<'m>,
    /// Window 0 of the beat was presented last.
    follows_left: Reg<'m>,
}

impl<'m> Windows<'m> {
    /// Windows up to number `most`.
    fn new(m: &'m Builder, most: usize) -> Self {
        let number = (0..=most).map(|at| m.wire(&format!("window_{at}"), 1)).collect();
        let register = |name: &str, value| m.reg(name, 1).reset(value);
        Self {
            number,
            is_new: register("is_new_reg", 1),
            is_left: register("is_left_reg", 0),
            follows_left: register("follows_left_reg", 0),
        }
    }

    /// Presents a window that is reached, and returns whether the beat begins with that window. `goes_on_from` gets the number of a window, and tells
    /// whether another window follows.
    fn present(&self, m: &'m Builder, goes_on_from: impl Fn(usize) -> Signal<'m>) -> Signal<'m> {
        let most = self.number.len() - 1;
        let any = m.input("any_window", most as u32 + 1, "the window that is presented, if it is reached");
        let mut rest = !self.is_left.q;
        let is_further = !self.is_new.q & !self.follows_left.q;
        for at in (2..=most).rev() {
            let is = rest & any.bit(at as u32) & is_further & goes_on_from(at - 1);
            rest = rest & !is;
            m.drive(self.number[at], is);
        }
        m.drive(self.number[1], rest);
        m.drive(self.number[0], self.is_left.q);
        self.number[0] | self.number[1] & !(self.follows_left.q & goes_on_from(0))
    }

    /// The value for the window of the cycle. `of` gets the number of a window.
    fn select(&self, of: impl Fn(usize) -> Signal<'m>) -> Signal<'m> {
        let of = self.number.iter().enumerate().map(|(window, is)| of(window).when(*is));
        of.reduce(|a, b| a | b).expect("there are windows")
    }

    /// The value for the window of the cycle. In window 0, the last output beat of the beat before is made: `of_left`. `of` gets the number of the output beat
    /// that another window makes; the first one of the beat is number 0.
    fn select_made(&self, of_left: Signal<'m>, of: impl Fn(usize) -> Signal<'m>) -> Signal<'m> {
        self.select(|window| window.checked_sub(1).map_or(of_left, &of))
    }

    /// Presents another window of the beat in the next cycle, or, if the beat `moves` on, the first one of the next, after an output beat that `is_left` or
    /// none. Nothing changes if the window is not shown.
    fn next(&self, [moves, is_left, is_shown]: [Signal<'m>; 3]) {
        self.is_new.next(moves);
        self.is_left.next_when(is_shown, is_left);
        self.follows_left.next_when(is_shown, self.number[0] & !moves);
    }
}

/// The units of a beat by the definition.
struct Units<'m> {
    /// The units of each slot that a beat may have.
    of_slots: Vec<Vec<Written<'m>>>,
    /// Something in the frame, up to this beat, could not be written.
    is_spoilt: Signal<'m>,
    /// Two slots are there that exclude each other.
    is_two_in_one: Signal<'m>,
}

impl<'m> Units<'m> {
    /// The units of a beat that `moves` on in this cycle.
    fn of(m: &'m Builder, core: &Core, encoding: Encoding, beat: &Beat<'m>, moves: Signal<'m>) -> Self {
        let (slots, is_two_in_one) = encoding.slots(m, beat, moves);
        let after_high = m.reg("after_high_reg", 1).reset(0);
        let spoilt = m.reg("frame_spoilt_reg", 1).reset(0);
        let (mut is_after_high, mut is_spoilt) = (after_high.q, spoilt.q);
        let drops = core.spec.on_error == ErrorMode::Drop;
        let mut of_slots = Vec::new();
        for slot in slots {
            let writes = encoding.writer.writes(m, drops, slot, is_after_high);
            is_after_high = writes.is_after_high;
            is_spoilt = is_spoilt | writes.is_error;
            let of_slot = encoding.writer.write(m, writes.code_point.zext(SLOT_DATA_BITS)).into_iter();
            let of_slot = of_slot.map(|unit| Written { is_there: unit.is_there & writes.is_written, ..unit });
            of_slots.push(of_slot.collect());
        }
        after_high.next_when(moves, is_after_high & !beat.ends());
        spoilt.next_when(moves, is_spoilt & !beat.ends());
        Self { of_slots, is_spoilt, is_two_in_one }
    }
}

/// The failures, a bit each: the output beat of a window differs from that of the definition, in each lane, or in what is of the whole beat.
pub(super) fn beats<'m>(
    m: &'m Builder,
    core: &Core,
    (encoder, made): (&'m EncoderCells, &'m UnitsMade),
    reset: &Reset,
    encoding: Encoding,
    boundary: Option<&'m Boundary>,
) -> Result<Signal<'m>, String> {
    let lanes = core.spec.lanes as usize;
    let units_of_slot = encoding.writer.write(m, m.lit(SLOT_DATA_BITS, 0)).len();
    let most = (encoding.most_slots(lanes) * units_of_slot + lanes - 1).div_ceil(lanes);
    let windows = Windows::new(m, most);
    let number = windows.number.clone();
    let is_first = m.wire("is_first_window", 1);
    let wire = |name: &str, lane| m.wire(&format!("{name}_{lane}"), 1);
    let left_over = (0..lanes)
        .map(|lane| LeftOver { may_hold: wire("may_hold", lane), may_load: wire("may_load", lane) });
    let left_over: Vec<LeftOver> = left_over.collect();
    let given = |loops, moves| {
        let mut beat = encoding.beat(m, core, loops)?;
        beat.slots =
            boundary.and_then(|boundary| Some(encoding.making(boundary)?.given(m, boundary, &beat, moves)));
        Ok(beat)
    };
    let of_beat = Window::new(m, (encoder, made), reset, (&number, is_first), &left_over, boundary, given)?;
    let Window { beat, is_last: moves, is_shown, output, units, is_disturbed } = of_beat;
    let Units { of_slots, is_spoilt, is_two_in_one } = Units::of(m, core, encoding, &beat, moves);
    let of_slots = of_slots.iter().enumerate().map(|(slot, written)| Unit::of_slot(m, &units, slot, written));
    let (of_slots, differ): (Vec<_>, Vec<_>) = of_slots.unzip();

    // Units that fill no output beat are left over for the next beat.
    let count = m.reg("count_reg", lanes.ilog2()).reset(0);
    let rounds = if encoding.half.is_some() { m.lit(1, 1) } else { beat.ends() };
    let placed = Placed::new(m, count.q, (&of_slots, made.before), rounds);
    let next_count = placed.filled.bits(0..lanes.ilog2()).when(!beat.ends());
    count.next_when(moves, next_count);

    let ends = beat.ends();
    // In an encoder, an output beat that is full goes out in the last window of its beat, unless units of the beat follow in the same frame. In a
    // transcoder, the last output beat of a beat is left where its units are all presented before.
    let goes_on_from = |window| placed.makes(window + if encoding.half.is_some() { 2 } else { 1 });
    let goes_on = windows.select(goes_on_from);
    let is_left = match encoding.half {
        None => m.lit(1, 0),
        Some(_) => {
            let is_beyond = windows.select_made(m.lit(1, 1), |made| placed.makes(made + 2));
            let is_whole = windows.select(|window| ends | placed.fills(window + 1));
            !goes_on & is_beyond & is_whole
        }
    };
    m.drive(is_first, windows.present(m, goes_on_from));
    windows.next([moves, is_left, is_shown]);

    // Each window makes an output beat, or none. One that is not full is made at the end of a frame only.
    let kept = |name: &str, signal: Signal<'m>| {
        let kept = m.reg(name, signal.width()).reset(0);
        kept.next_when(is_shown, signal);
        kept.q
    };
    let of_left = [kept("ended_reg", ends), kept("ended_spoilt_reg", ends & is_spoilt)];
    let of_made = [ends, ends & is_spoilt];
    let [is_end, is_spoilt] =
        [0, 1].map(|at| windows.select_made(of_left[at], |made| of_made[at] & !placed.makes(made + 2)));
    // The windows after window 1 are presented only if there are output beats to be made.
    let makes = windows.select_made(m.lit(1, 1), |made| match made {
        0 => placed.fills(1) | ends,
        _ => m.lit(1, 1),
    });
    let bits = placed.units[0][0].width();
    let mut bad = vec![
        output.tvalid ^ makes,
        makes & (output.tlast ^ is_end),
        makes & (output.tuser.expect("an encoder has tuser").any() ^ is_spoilt),
        moves ^ !goes_on,
        is_two_in_one,
        is_disturbed,
    ];
    bad.extend(differ);
    // A core may rely on where units are left over, for example to combine units by XOR. With more slots, a checker has no answer to that, since it depends
    // on the sums of all lengths: such a core is then refused.
    let is_told = m.lit(1, (encoding.most_slots(lanes) <= SLOTS_TOLD).into());
    for (lane, LeftOver { may_hold, may_load }) in left_over.into_iter().enumerate() {
        let is_before = |count: Signal<'m>| m.lit(count.width(), lane as u64).lt(count);
        let is_held = |beat: usize| placed.reaches(beat * lanes + lane + 1);
        let in_first = number[0] | number[1] & is_first & is_before(count.q);
        let in_later = (1..number.len()).map(|at| number[at] & !(number[1] & is_first) & is_held(at - 1));
        m.drive(may_hold, !is_told | in_later.fold(in_first, |some, is| some | is));
        m.drive(may_load, !is_told | moves.mux(is_left | is_before(next_count), windows.select(is_held)));
        let left = m.reg(&format!("left_over_{lane}_reg"), bits).reset(0);
        // The window before has presented the units of the first half, but those of window 1 where that is the first one.
        let unit = left.q.when(may_hold) | placed.unit(&[number[1] & is_first], |_| lane);
        let next = makes.mux(placed.unit(&number, |window| window * lanes + lane), unit);
        left.next_when(is_shown, next);
        bad.push(is_shown & next.any() & !may_load);
        let was_held = kept(&format!("left_over_{lane}_is_held_reg"), windows.select(is_held));
        let is_held = windows.select_made(was_held, is_held);
        let keep = output.tkeep.bit(lane as u32);
        let data = Side::lane(output.tdata, lane as u32, core.spec.lanes);
        bad.push(makes & (keep ^ is_held));
        let differs = data ^ unit.zext(data.width());
        bad.extend((0..data.width()).map(|bit| makes & differs.bit(bit)));
    }
    Ok(m.concat(bad.into_iter().rev()))
}
