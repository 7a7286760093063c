//! An encoder of several lanes without its pipeline. Only cycles in which the stages after the windows move are counted. The window that is
//! presented in a cycle becomes an output beat in the same cycle, while the encoder needs some cycles more for that.

use std::collections::BTreeMap;

use utfhdl_hdl::netlist::{Builder, RegisterRole, Signal};
use utfhdl_sim::aig::Leaf;

use super::cells::EncoderCells;
use crate::prove::bench::Side;
use crate::prove::lanes::beat::Beat;
use crate::prove::lanes::cells::Place;
use crate::prove::lanes::copy::{Copy, Substitute};
use crate::prove::lanes::reset::Reset;

/// The window of a cycle.
pub(super) struct Window<'m> {
    /// The beat in the windows.
    pub(super) beat: Beat<'m>,
    /// This is the last window of the beat.
    pub(super) is_last: Signal<'m>,
    /// A bit for each window of a beat: this is the one.
    pub(super) number: Vec<Signal<'m>>,
    /// The output.
    pub(super) output: Side<'m>,
    /// 1 where a beat that is not there is presented in more than one window, or changes what is carried from beat to beat.
    pub(super) is_disturbed: Signal<'m>,
    /// No beat up to this one has a gap between its slots.
    pub(super) is_assumed: Signal<'m>,
}

impl<'m> Window<'m> {
    /// `given` makes the beat that arrives, with the wires of its loops; a beat is presented in `most` windows at most.
    pub(super) fn new(
        m: &'m Builder,
        encoder: &'m EncoderCells,
        reset: &Reset,
        most: usize,
        given: impl FnOnce(BTreeMap<usize, Signal<'m>>) -> Beat<'m>,
    ) -> Result<Self, String> {
        let EncoderCells { cells, shifting, windows } = encoder;
        let wires = cells.loop_wires(m);
        let is_last = m.wire("is_last_window", 1);
        let start = |index| reset.of_loop(cells, index);
        let beat = Beat::registers(m, "beat", &given(wires.clone()), is_last, Some(false), start);
        let stages = beat.stages(m, cells);
        let next_loops = beat.next_loops(&stages);
        let changed = next_loops.iter().map(|(index, next)| *next ^ beat.loops[index]);
        let changed = changed.fold(m.lit(1, 0), |any, changed| any | changed);
        for (index, next) in next_loops {
            m.drive(wires[&index], next);
        }

        let window = m.reg("window_reg", most as u32).reset(1);
        let number: Vec<Signal<'m>> = (0..most as u32).map(|at| window.q.bit(at)).collect();
        // The registers that say which window is presented follow from the beat and the number of the window.
        let of_windows = cells.registers(|place| place == Place::Windows);
        let mut in_window: BTreeMap<usize, Signal<'m>> =
            of_windows.iter().map(|&index| (index, stages.next(index))).collect();
        let mut now: BTreeMap<usize, Signal<'m>> =
            in_window.iter().map(|(&index, &value)| (index, value & number[0])).collect();
        for &is_presented in &number[1..] {
            let before = in_window.clone();
            let further = Copy::new(m, shifting, |leaf| {
                let Leaf::Register(index) = leaf else { unreachable!("windows depend on no input") };
                let index = index as usize;
                Substitute::Signal(match cells.places[index] {
                    Place::Windows => before[&index],
                    Place::Units { .. } => stages.next(index),
                    place => unreachable!("windows depend on no register of {place:?}"),
                })
            });
            in_window = of_windows.iter().map(|&index| (index, further.next(index))).collect();
            for (index, value) in &mut now {
                *value = *value | in_window[index] & is_presented;
            }
        }
        let goes_on =
            cells.of_role(RegisterRole::Waits).next().ok_or("no register says whether a beat waits")?;
        let goes_on = now[&goes_on];
        m.drive(is_last, !goes_on);
        let further = m.concat([window.q.bits(0..most as u32 - 1), m.lit(1, 0)]);
        window.next(goes_on.mux(further, m.lit(most as u32, 1)));

        let left: BTreeMap<usize, _> = cells
            .registers(|place| matches!(place, Place::LeftOver { .. }))
            .into_iter()
            .map(|index| {
                let register = m.reg(&format!("left_{index}_reg"), 1);
                let start = reset.of_loop(cells, index);
                (index, start.map_or(register, |value| register.reset(value.into())))
            })
            .collect();
        let flow = Copy::new(m, &cells.moving, |leaf| {
            let Leaf::Register(index) = leaf else {
                unreachable!("stages after the windows depend on no input")
            };
            let index = index as usize;
            match cells.places[index] {
                Place::LeftOver { .. } => Substitute::Signal(left[&index].q),
                Place::Slots { .. } | Place::Buffer => Substitute::Next,
                Place::Windows => Substitute::Signal(now[&index]),
                Place::Units { stage, .. } if stage == *windows => Substitute::Signal(stages.next(index)),
                place => unreachable!("stages after the windows depend on no register of {place:?}"),
            }
        });
        for (index, register) in &left {
            register.next(flow.next(*index));
        }
        let output = Side::of_outputs(|name| flow.output(name), m.lit(1, 1));

        let assumed = m.reg("is_assumed_reg", 1).reset(1);
        let is_assumed = assumed.q & beat.is_contiguous();
        assumed.next(is_assumed);
        m.output("s_axis_tready", is_last, "the beat is taken");
        let is_disturbed = !beat.tvalid & (goes_on | changed);
        Ok(Self { beat, is_last, number, output, is_disturbed, is_assumed })
    }
}
