//! An encoder or a transcoder of several lanes without its pipeline. Only cycles in which the stages after the windows move are counted. The window that is
//! presented in a cycle becomes an output beat in the same cycle, while the core needs some cycles more for that.
//!
//! A beat from which the decoding half of a transcoder makes nothing is not offered to the later stages. It may never be presented, as a
//! free input says.

use std::collections::BTreeMap;

use utfhdl_hdl::netlist::{Builder, Signal};
use utfhdl_sim::aig::Leaf;

use super::cells::EncoderCells;
use super::units::{Unit, UnitsMade};
use crate::prove::bench::Side;
use crate::prove::lanes::beat::Beat;
use crate::prove::lanes::boundary::Boundary;
use crate::prove::lanes::cells::Place;
use crate::prove::lanes::copy::{Copy, Substitute};
use crate::prove::lanes::reset::Reset;

/// Whether the registers of a lane may hold a unit that is left over. Where they may not, the problem takes the registers to hold none, and compares each load
/// with that: a checker need not find where units are left over.
#[derive(Clone, Copy)]
pub(super) struct LeftOver<'m> {
    /// A unit may be left over in the lane.
    pub(super) may_hold: Signal<'m>,
    /// A unit may be left over in the lane for the next window.
    pub(super) may_load: Signal<'m>,
}

/// The window of a cycle.
pub(super) struct Window<'m> {
    /// The beat in the windows.
    pub(super) beat: Beat<'m>,
    /// This is the last window of the beat.
    pub(super) is_last: Signal<'m>,
    /// The stages after the windows move. They do except if a beat that is not offered is never presented.
    pub(super) is_shown: Signal<'m>,
    /// The output.
    pub(super) output: Side<'m>,
    /// The units of the beat.
    pub(super) units: BTreeMap<(usize, usize), Unit<'m>>,
    /// 1 where a beat that is not there, or that the decoding half does not offer, has several windows, or changes what is carried from beat to beat.
    pub(super) is_disturbed: Signal<'m>,
}

impl<'m> Window<'m> {
    /// Presents a window of a beat.
    ///
    /// - `made` is the core, cut where it has made its units.
    /// - `number` has a bit for each window, which is 1 for the window of the cycle; `is_first` says that the beat begins with it.
    /// - `left_over` has the lanes, lane 0 first.
    /// - With a `boundary`, the beat has slots there.
    /// - `given` makes the beat that arrives. It gets the wires of the beat's loops, and whether the beat moves on.
    pub(super) fn new(
        m: &'m Builder,
        (encoder, made): (&'m EncoderCells, &'m UnitsMade),
        reset: &Reset,
        (number, is_first): (&[Signal<'m>], Signal<'m>),
        left_over: &[LeftOver<'m>],
        boundary: Option<&'m Boundary>,
        given: impl FnOnce(BTreeMap<usize, Signal<'m>>, Signal<'m>) -> Result<Beat<'m>, String>,
    ) -> Result<Self, String> {
        let EncoderCells { cells, windows, half, .. } = encoder;
        let wires = cells.loop_wires(m);
        let is_last = m.wire("is_last_window", 1);
        let start = |index| reset.of_loop(cells, index);
        let beat = Beat::registers(m, "beat", &given(wires.clone(), is_last)?, is_last, Some(false), start);
        let stages = beat.stages(m, cells, "beat", boundary);
        let next_loops = beat.next_loops(&stages);
        let changed = |is_of_half: bool| {
            let is_in_part = |index: usize| cells.whole.registers[index].is_in_part;
            let of = next_loops.iter().filter(|(index, _)| is_in_part(**index) == is_of_half);
            of.map(|(index, next)| *next ^ beat.loops[index]).fold(m.lit(1, 0), |any, changed| any | changed)
        };
        // At a boundary, what the half carries is left to the part on the stages before that.
        let is_half_changed = if boundary.is_some() { m.lit(1, 0) } else { changed(true) };
        let is_changed = changed(false);
        let offered = encoder.offered.map_or(beat.tvalid, |offered| stages.next(offered));
        let is_skipped = match half {
            0 => m.lit(1, 0),
            _ => !offered & m.input("is_skipped", 1, "a beat that is not offered is not presented"),
        };
        for (index, next) in next_loops {
            m.drive(wires[&index], next);
        }

        let left: BTreeMap<usize, _> = cells
            .registers(|place| matches!(place, Place::LeftOver { .. }))
            .into_iter()
            .map(|index| {
                let register = m.reg(&format!("left_{index}_reg"), 1);
                let start = reset.of_loop(cells, index);
                (index, start.map_or(register, |value| register.reset(value.into())))
            })
            .collect();
        let ahead = encoder.of_windows();
        let (mut now, mut is_wrong) = registers(m, encoder, &stages, number, is_first);
        for index in &ahead {
            is_wrong = is_wrong | left[index].q ^ number[0];
            now.insert(*index, number[0]);
        }
        let goes_on = encoder.goes_on(m, |index| now.get(&index).copied())?;
        m.drive(is_last, !goes_on);

        let of_lane = |index: usize| Some(&left_over[cells.whole.registers[index].lane? as usize]);
        let in_windows = |leaf| match leaf {
            Leaf::Register(index) => Substitute::Signal(stages.next(index as usize)),
            Leaf::Input(_) => unreachable!("what the windows hold is of no input"),
        };
        let units = made.any(m, &Copy::new(m, &cells.moving, in_windows));
        let flow = Copy::new(m, &made.after, |leaf| {
            let Leaf::Register(index) = leaf else {
                unreachable!("stages after the windows depend on no input but units")
            };
            let index = index as usize;
            match cells.places[index] {
                Place::LeftOver { .. } if !ahead.contains(&index) => {
                    let value = left[&index].q;
                    Substitute::Signal(of_lane(index).map_or(value, |lane| value & lane.may_hold))
                }
                Place::Slots { .. } | Place::Buffer => Substitute::Next,
                Place::Windows | Place::LeftOver { .. } => Substitute::Signal(now[&index]),
                Place::Units { stage, .. } if stage == *windows => Substitute::Signal(stages.next(index)),
                place => unreachable!("stages after the windows depend on no register of {place:?}"),
            }
        });
        let flow = flow.cut(made.cuts(&units));
        for (index, register) in &left {
            let next = flow.next(*index);
            register.next_when(!is_skipped, next);
            if let Some(lane) = of_lane(*index) {
                is_wrong = is_wrong | !is_skipped & next & !lane.may_load;
            }
        }
        let output = Side::of_outputs(|name| flow.output(name), m.lit(1, 1));

        m.output("s_axis_tready", is_last, "the beat is taken");
        let is_disturbed = is_wrong | !beat.tvalid & is_half_changed | !offered & (goes_on | is_changed);
        Ok(Self { beat, is_last, is_shown: !is_skipped, output, units, is_disturbed })
    }
}

/// The registers that say which window is presented, as functions of the beat and the number of the window; and 1 where window 2 is not the
/// same after both windows with which a beat may begin.
fn registers<'m>(
    m: &'m Builder,
    encoder: &EncoderCells,
    stages: &Copy<'_, 'm>,
    number: &[Signal<'m>],
    is_first: Signal<'m>,
) -> (BTreeMap<usize, Signal<'m>>, Signal<'m>) {
    let EncoderCells { cells, shifting, .. } = encoder;
    let further = |now: &BTreeMap<usize, Signal<'m>>, is_ahead: u64| -> BTreeMap<usize, Signal<'m>> {
        let copy = Copy::new(m, shifting, |leaf| {
            let Leaf::Register(index) = leaf else { unreachable!("windows depend on no input") };
            let index = index as usize;
            match cells.places[index] {
                Place::Windows => Substitute::Signal(now[&index]),
                Place::LeftOver { .. } => Substitute::Signal(m.lit(1, is_ahead)),
                Place::Units { .. } => Substitute::Signal(stages.next(index)),
                place => unreachable!("windows depend on no register of {place:?}"),
            }
        });
        now.keys().map(|&index| (index, copy.next(index))).collect()
    };
    let of_windows = cells.registers(|place| place == Place::Windows);
    let mut in_window: BTreeMap<usize, Signal<'m>> =
        of_windows.iter().map(|&index| (index, stages.next(index))).collect();
    let behind_ahead = further(&in_window, 1);
    // Window 1 follows window 0 if it is not the first one.
    let (begins, follows) = (number[0] | number[1] & is_first, number[1] & !is_first);
    let mut now: BTreeMap<usize, Signal<'m>> = in_window
        .iter()
        .map(|(&index, &value)| (index, value & begins | behind_ahead[&index] & follows))
        .collect();
    let (one, other) = (further(&in_window, 0), further(&behind_ahead, 0));
    let unlike = one.iter().map(|(index, value)| *value ^ other[index]);
    let is_unlike = follows & unlike.fold(m.lit(1, 0), |any, unlike| any | unlike);
    for &is_presented in &number[2..] {
        in_window = further(&in_window, 0);
        for (index, value) in &mut now {
            *value = *value | in_window[index] & is_presented;
        }
    }
    (now, is_unlike)
}
