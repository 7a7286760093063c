//! The enables of an encoder's stages. All registers that do not decide which stages load are free inputs.

use std::collections::BTreeMap;

use std::collections::BTreeSet;

use utfhdl_hdl::netlist::{Builder, Reg, RegisterRole, Signal};

use super::cells::EncoderCells;
use crate::prove::lanes::control::Control;
use crate::prove::lanes::reset::Reset;
use crate::prove::unary::Unary;

/// 1 in cycles in which a register that counts empty stages is wrong. A checker would find that it is right, but takes minutes for many stages.
fn miscounted<'m>(
    m: &'m Builder,
    control: &Control<'m, 'm>,
    encoder: &'m EncoderCells,
    holds: &BTreeMap<u32, Reg<'m>>,
) -> Result<Signal<'m>, String> {
    // The bits of each register, the low ones first; and the copies of the register for groups of lanes.
    let mut counted: BTreeMap<(u32, &str), Vec<Signal<'m>>> = BTreeMap::new();
    for index in encoder.cells.of_role(RegisterRole::Empty) {
        let stage = encoder.stage(index).ok_or("a count of empty stages has no stage")?;
        let name = encoder.cells.name(index).split('[').next().unwrap_or_default();
        counted.entry((stage, name)).or_default().push(control.values[&index]);
    }
    let mut bad = m.lit(1, 0);
    for ((stage, _), bits) in counted {
        let none = Unary::zero(m, bits.len() as u64);
        let empty = holds.range(stage..).fold(none, |empty, (_, holds)| empty.plus(!holds.q));
        bad = bad | m.concat(bits.into_iter().rev()).ne(empty.bits());
    }
    Ok(bad)
}

/// 1 in cycles in which a wrong stage loads, or does so in some lanes alone. From the second cycle after a reset on, a stage must load if it holds no
/// beat or if its beat moves on; that of the windows moves on if its last window is presented in a cycle in which the later stages move. A beat must
/// be taken if the first stage loads.
pub(super) fn pace<'m>(
    m: &'m Builder,
    encoder: &'m EncoderCells,
    reset: &Reset,
) -> Result<Signal<'m>, String> {
    let cells = &encoder.cells;
    let control =
        Control::with(m, cells, reset, encoder.of_windows().into_iter().collect(), &BTreeSet::new());
    // The copies of each enable, by stage.
    let mut loads: BTreeMap<u32, Vec<Signal<'m>>> = BTreeMap::new();
    for index in cells.of_role(RegisterRole::EnableUnits) {
        let stage = encoder.stage(index).ok_or("an enable has no stage")?;
        loads.entry(stage).or_default().push(control.values[&index]);
    }
    let of_role = |role| cells.of_role(role).map(|index| control.values[&index]).collect::<Vec<_>>();
    let (flows, steps, takes) =
        (of_role(RegisterRole::Room), of_role(RegisterRole::EnableWindows), of_role(RegisterRole::Ready));
    let goes_on = encoder.goes_on(m, |index| control.values.get(&index).copied())?;
    let flow = flows[0];
    let offered = match encoder.offered {
        Some(offered) => control.now.register(offered),
        None => control.now.input("s_axis_tvalid"),
    };
    let offered = offered.ok_or("nothing reads whether a beat is offered")?;
    let ready = control.now.output("s_axis_tready");

    // Whether each stage holds a beat, and what the rule then says of the enables, from the windows to the first stage.
    let holds: BTreeMap<u32, _> =
        loads.keys().map(|&stage| (stage, m.reg(&format!("holds_{stage}_reg"), 1).reset(0))).collect();
    let mut moves_on = holds[&encoder.windows].q & flow & !goes_on;
    let mut expected = BTreeMap::new();
    for (&stage, holds) in holds.iter().rev() {
        moves_on = !holds.q | moves_on;
        expected.insert(stage, moves_on);
    }
    let miscounted = miscounted(m, &control, encoder, &holds)?;
    for (&stage, register) in &holds {
        let arrives = holds.get(&(stage - 1)).map_or(offered & takes[0], |before| before.q);
        register.next_when(expected[&stage], arrives);
    }
    let unlike = |values: &[Signal<'m>], expected: Signal<'m>| {
        values.iter().map(|&value| value ^ expected).reduce(|a, b| a | b).expect("there is an enable")
    };
    // In the cycle after a reset, no beat is taken, and the stages after the windows hold none: they may move or not.
    let started = m.reg("started_reg", 1).reset(0);
    started.next(m.lit(1, 1));
    let bad = loads.iter().map(|(stage, values)| unlike(values, expected[stage]));
    let bad = bad.chain([
        unlike(&steps, expected[&encoder.windows] | flow),
        started.q & unlike(&flows, flow),
        started.q & unlike(&takes, expected[&(encoder.half + 1)]),
        ready ^ takes[0],
        miscounted,
    ]);
    Ok(bad.reduce(|a, b| a | b).expect("there are stages"))
}
