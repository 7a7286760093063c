//! Validators against the machines of their systems: the marks of each unit, and the units themselves.

use utfhdl_hdl::core::{Core, Role, Verdict};
use utfhdl_hdl::netlist::{Builder, Signal};

use super::later::Stages;
use super::{MOST_HELD, Machine, Read, Slot, Unit, is_of_one_lane, machine_of};
use crate::prove::bench::Bench;
use crate::prove::pick::{Item, differs};

pub(super) const SAYS: &str =
    "units, marks, tlast and order are those of the system's definition, and beats stay as they are";

/// U+000A.
const LINE_FEED: u64 = 0xa;

/// The machine of a validator, and its marks.
fn machine(core: &Core) -> Option<(Machine, Verdict)> {
    let spec = core.spec;
    let Role::Validator(verdict) = spec.role else { return None };
    machine_of(spec.system).filter(|_| is_of_one_lane(&spec)).map(|machine| (machine, verdict))
}

pub(super) fn is_there(core: &Core) -> bool {
    machine(core).is_some()
}

/// An error in as many bits as the marks have for it.
fn error<'m>(verdict: Verdict, kind: Signal<'m>) -> Signal<'m> {
    if verdict.kinds { kind } else { kind.any() }
}

/// The kind of a slot's error; 0 for none.
fn kind<'m>(slot: &Slot<'m>) -> Signal<'m> {
    slot.user.when(slot.is_there & slot.is_error())
}

/// The marks of a lane; `ends`: the frame ends with its unit, or without one.
pub(in crate::prove) fn marks<'m>(
    m: &'m Builder,
    (machine, verdict): (Machine, Verdict),
    unit: &Unit<'m>,
    Read { step, before, after }: &Read<'m>,
    ends: Signal<'m>,
) -> Signal<'m> {
    let [before_end, at_end] = machine.cuts_at_end(m, *after, ends & machine.is_open(*after));
    // The error of a beat without a unit is that of the sequence before, and a second error is `bad`.
    let is_own = unit.is_there | before_end.is_there;
    let cut = kind(&step.cut) | kind(&before_end) | kind(&at_end).when(!is_own);
    let bad = kind(&step.own) | kind(&at_end).when(is_own);
    // The octet that cuts a sequence short of words is the last of a word.
    let cuts = if machine.units_before_cut() == 0 { step.cut.is_there } else { m.lit(1, 0) };
    let starts = unit.is_there & (!machine.is_open(*before) | cuts);
    let ends_line = step.own.is_there & step.own.is(LINE_FEED);
    let fields = [
        verdict.newline.then_some(ends_line),
        verdict.start.then_some(starts),
        Some(error(verdict, bad)),
        Some(error(verdict, cut)),
    ];
    m.concat(fields.into_iter().flatten())
}

/// The failures, a bit each: a beat differs from that of the machine.
pub(super) fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let (machine, verdict) = machine(bench.core)?;
    let (m, stages) = (bench.m, Stages::of(bench));
    let (taken, unit, ends) = stages.unit(bench);
    let read = machine.read(m, &unit, taken, ends);
    let marks = marks(m, (machine, verdict), &unit, &read, ends);
    let word = m.concat([ends, marks, unit.is_there, unit.bits.when(unit.is_there)]);
    let item = Item { is_there: unit.is_there | ends, word };
    Some(differs(m, &bench.output, bench.output.tvalid, &stages.made([item]), MOST_HELD))
}
