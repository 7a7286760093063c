//! The output of an encoder: units of several beats are merged to one output beat, and a buffer makes registers of all outputs.
//!
//! Units that fill no output beat yet are left over, each in the lane in which it will go out. So no two units are ever in one lane.
//!
//! ```text
//!  left over            l m . . . . . .
//!  window, first half   . . a b c d e f      output beat  l m a b c d e f
//!  window, second half  g h i . . . . .      left over    g h i . . . . .
//! ```
//!
//! Cost: one OR of the left over unit, of one or two rings and of what precedes the units, one or two LUT levels.

use std::collections::BTreeMap;

use super::buffer::output_buffer;
use super::movement::{Movement, Moves};
use super::network::Ring;
use super::sizes::Sizes;
use super::windows::{Cut, Window};
use crate::core::lanes::At;
use crate::core::many_lanes::buffers::{Buffered, LANES_OF_BUFFER, OUTPUT, buffered};
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::ports::{UnitsOut, units_out};
use crate::netlist::{Builder, InstanceHandle, Signal};

/// An output beat.
struct Beat<'m> {
    present: Signal<'m>,
    last: Signal<'m>,
    amiss: Signal<'m>,
    keep: Vec<Signal<'m>>,
    units: Vec<Signal<'m>>,
}

/// Handshake inputs of the core.
pub(super) struct Outside<'m> {
    /// A beat is offered at the input.
    pub(super) offered: Signal<'m>,
    /// The beat at the output is taken.
    pub(super) m_axis_tready: Signal<'m>,
}

/// Units that can precede those of a beat.
pub(super) struct InFront<'a, 'm> {
    /// The units of the replacement.
    pub(super) replacement: &'a [u64],
    pub(super) openings: Vec<Front<'m>>,
}

/// Merges `rings` to output beats, and declares the ports. Gives the stage of the output beats.
pub(super) fn output<'m>(
    m: &'m Builder,
    rings: &[Ring<'m>],
    window: Window<'m>,
    in_front: &InFront<'_, 'm>,
    Outside { offered, m_axis_tready }: Outside<'m>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> u32 {
    let (at, final_next) = (rings[0][0].stage(), window.final_next);
    let beat = merge(m, rings, window, in_front, sizes, movement);
    m.section("Output: a buffer makes registers of all outputs");
    let fields = |lane: usize| vec![("keep", beat.keep[lane]), ("unit", beat.units[lane])];
    let lanes: Vec<_> = (0..sizes.lanes).map(fields).collect();
    let of_beat = [("amiss", beat.amiss), ("last", beat.last)];
    let buffer = ("output_buffer", output_buffer as fn(u32) -> _);
    let connect = |buffer: InstanceHandle<'m>, lane: usize| {
        let moves = movement.registers(lane).at(at).enable;
        buffer.input("s_valid", beat.present).input("s_moves", moves).input("m_ready", m_axis_tready);
    };
    let Buffered { tvalid, of_beat, lanes, .. } =
        buffered(m, (buffer.0, OUTPUT, &buffer.1), &of_beat, &lanes, connect, |buffer| {
            buffer.output("m_valid")
        });
    m.section("The pace");
    movement.drive(&Moves { offered, final_next, beat: beat.present, m_axis_tready });
    let tkeep = m.concat(lanes.iter().rev().map(|of| of[0]));
    let units = lanes.iter().map(|of| of[1]).collect();
    units_out(m, UnitsOut { units, tkeep, tuser: of_beat[0], tvalid, tlast: of_beat[1] });
    at
}

/// The output beats of the rings, in the same stage.
fn merge<'m>(
    m: &'m Builder,
    rings: &[Ring<'m>],
    window: Window<'m>,
    InFront { replacement, openings }: &InFront<'_, 'm>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Beat<'m> {
    let Window { makes, is_full, fill, last, amiss, cut, .. } = window;
    let at = rings[0][0].stage();
    m.stages_section(makes.stage(), at, "what is known of the output beat");
    let before = at - 1;
    // Beats that move in the cycle after reset are from before reset.
    let present = m.reg("present_reg", 1).reset(0);
    let made = makes.called("makes").at(before) & !movement.flushes(before);
    let made = made.named("output_made");
    movement.load(present, made);
    let [last, amiss] = [("output_last", last), ("output_amiss", amiss)]
        .map(|(name, signal)| signal.called(name).at(at).signal());
    let [is_full, fill] =
        [("is_full", is_full), ("fill", fill)].map(|(name, signal)| signal.called(name).at(before));
    let keep = (0..sizes.lanes).map(|lane| {
        let below = fill.lit(fill.width(), lane as u64).lt(fill);
        let keep = if lane + 1 < sizes.lanes { is_full | below } else { is_full };
        keep.on(movement.lane(lane)).delayed(&format!("keep_{lane}"), at).signal()
    });
    let keep: Vec<Signal> = keep.collect();
    // The empty beat of the cycle after reset has zeros, which replace the units left over from before.
    let stays = (0..sizes.lanes.div_ceil(LANES_OF_BUFFER)).map(|group| {
        let stays = !makes & !movement.flushes(makes.stage());
        let stays = stays.on(movement.registers(0).lane(group * LANES_OF_BUFFER));
        let stays = stays.called(&format!("stays_of_group_{group}")).at(at).signal();
        stays.note("no output beat is made: the units left over stay")
    });
    let stays: Vec<Signal> = stays.collect();
    let cut = cut.map(|cut| begins(m, &cut, before, sizes, movement));
    let cut = cut.map(|begins| Front { name: "replacement", begins, units: replacement.to_vec() });
    if cut.is_some() || !openings.is_empty() {
        m.stage_section(before, "its units");
    }
    let fronts_at = |position: usize| {
        let units = cut.iter().chain(openings).filter_map(|front| front.at(m, position, at, sizes, movement));
        any_of(units.collect::<Vec<_>>())
    };
    let extra: Vec<Option<Signal>> = (0..2 * sizes.lanes).map(fronts_at).collect();

    m.stage_section(at, "the output beat, and the units that are left over");
    let all = |position: usize| {
        let units = rings.iter().map(|ring| ring[position].signal()).chain(extra[position]);
        any_of(units).expect("there is a ring")
    };
    let unit = |lane: usize| {
        let first = all(lane);
        let left = m.reg(&format!("left_over_{lane}_reg"), first.width()).in_lane(lane);
        let out = (left.q | first).named(&format!("merged_{lane}"));
        let behind = all(sizes.lanes + lane);
        left.next_when(
            movement.registers(lane).at(at).enable,
            stays[lane / LANES_OF_BUFFER].mux(out, behind),
        );
        out
    };
    let units = (0..sizes.lanes).map(unit).collect();
    Beat { present: present.q, last, amiss, keep, units }
}

/// The positions in which the replacement begins that precedes the units of a beat, in stage `to`.
fn begins<'m>(m: &'m Builder, cut: &Cut<'m>, to: u32, sizes: &Sizes, movement: &Movement<'m>) -> Begins<'m> {
    let begin = cut.begin.called("begin").at(to - 1);
    m.stage_section(to - 1, "the position of the replacement of a group that the beat cuts");
    // For each position: the replacement begins there and the window presents it; `None` where that cannot be.
    let begins_in = |window: &str, cut: At<'m>, reaches: &dyn Fn(usize) -> bool| {
        let cut = cut.called(&format!("cut_in_{window}")).at(to - 1);
        let begins = |position: usize| {
            let here = (cut & begin.is(position as u64)).on(movement.lane(position));
            here.stored(&format!("cut_in_{window}_at_{position}_reg"))
        };
        (0..sizes.lanes).map(|position| reaches(position).then(|| begins(position))).collect::<Vec<_>>()
    };
    let in_window = |(window, &cut): (usize, &At<'m>)| {
        // From the other positions, the replacement does not reach into this window.
        let reaches =
            |position: usize| window == 0 || position + sizes.replacement_reach > (window + 1) * sizes.lanes;
        begins_in(&format!("window_{window}"), cut, &reaches)
    };
    let in_window = cut.shown.iter().enumerate().map(in_window).collect();
    // A replacement that extends further is presented in the first window, too.
    let fits = |position: usize| position + sizes.replacement_units <= sizes.lanes;
    Begins { in_window, ahead: cut.ahead.map(|ahead| begins_in("window_ahead", ahead, &fits)) }
}

/// Units that precede those of a beat: the replacement, or the opening of a frame.
pub(super) struct Front<'m> {
    pub(super) name: &'static str,
    pub(super) begins: Begins<'m>,
    pub(super) units: Vec<u64>,
}

/// Flags for each position of the first window: the units begin at the position; `None` where none are needed.
pub(super) struct Begins<'m> {
    /// Flags for the first window, for the second, and so on.
    pub(super) in_window: Vec<Vec<Option<At<'m>>>>,
    /// Flags for the window ahead of the first; `None` where windows are not shared.
    pub(super) ahead: Option<Vec<Option<At<'m>>>>,
}

impl<'m> Front<'m> {
    /// The unit at a position of the window, in stage `at`; `None` if none can be there.
    fn at(
        &self,
        m: &'m Builder,
        position: usize,
        at: u32,
        sizes: &Sizes,
        movement: &Movement<'m>,
    ) -> Option<Signal<'m>> {
        let Self { name, begins: Begins { in_window, ahead }, units } = self;
        // Later windows have presented their first half before.
        let windows = if position < sizes.lanes { 1 } else { in_window.len() };
        let begins = |unit: usize| -> Vec<At<'m>> {
            let begin = |window: usize| {
                let begin = (position + window * sizes.lanes).checked_sub(unit)?;
                in_window[window].get(begin).copied().flatten()
            };
            let ahead = || {
                let begin = position.checked_sub(sizes.lanes + unit)?;
                ahead.as_ref()?.get(begin).copied().flatten()
            };
            (0..windows).filter_map(begin).chain(ahead()).collect()
        };
        // Bits that are set in the same units share a register.
        let mut registers: BTreeMap<Vec<usize>, Option<Signal<'m>>> = BTreeMap::new();
        let bit = |bit: u32| {
            let is_set = |&unit: &usize| units[unit] >> bit & 1 == 1;
            let set: Vec<usize> =
                (0..units.len()).filter(is_set).filter(|&unit| !begins(unit).is_empty()).collect();
            let register = || {
                let units: Vec<String> = set.iter().map(usize::to_string).collect();
                let of = match position.checked_sub(sizes.lanes) {
                    None => format!("of_lane_{position}"),
                    Some(lane) => format!("ahead_{lane}"),
                };
                format!("{name}_unit_{}_{of}_reg", units.join("_or_"))
            };
            let make = || {
                let here = At::any_of(set.iter().flat_map(|&unit| begins(unit)))?;
                debug_assert_eq!(here.stage() + 1, at, "the flags are of the stage before");
                Some(here.on(movement.lane(position % sizes.lanes)).stored(&register()).signal())
            };
            *registers.entry(set.clone()).or_insert_with(make)
        };
        let of_bits: Vec<Option<Signal>> = (0..sizes.unit_bits).rev().map(bit).collect();
        of_bits
            .iter()
            .any(Option::is_some)
            .then(|| m.concat(of_bits.into_iter().map(|bit| bit.unwrap_or_else(|| m.lit(1, 0)))))
    }
}
