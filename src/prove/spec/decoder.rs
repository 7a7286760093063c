//! Decoders against the machines of their systems.

use utfhdl_hdl::core::{Core, ErrorMode, Role};
use utfhdl_hdl::netlist::Signal;

use super::later::Stages;
use super::machine::{Machine, Read, Slot, Step, shown};
use super::{MOST_HELD, has_few_limbs, is_of_one_lane, machine_of};
use crate::prove::bench::Bench;
use crate::prove::pick::{Item, differs};

/// The machine of a core, if there is one.
fn machine(core: &Core) -> Option<Machine> {
    let spec = core.spec;
    let is_decoder = spec.role == Role::Decoder && is_of_one_lane(&spec) && has_few_limbs(spec.system);
    machine_of(spec.system).filter(|_| is_decoder)
}

/// Whether there is a machine for a core.
pub(super) fn is_there(core: &Core) -> bool {
    machine(core).is_some()
}

/// A slot that is owed, or the end of a frame without one.
pub(super) struct Due<'m> {
    pub(super) is_there: Signal<'m>,
    /// The frame ends here.
    pub(super) is_last: Signal<'m>,
    /// There is a slot, its kind, and its value.
    pub(super) has_slot: Signal<'m>,
    pub(super) user: Signal<'m>,
    pub(super) value: Signal<'m>,
}

/// The slots that the machine makes of the units that a core takes, in order, at the time at which they reach the last of `stages`.
pub(super) fn due<'m>(bench: &Bench<'m>, machine: Machine, stages: Stages<'m>, drops: bool) -> [Due<'m>; 2] {
    let m = bench.m;
    let (taken, unit, ends) = stages.unit(bench);
    let Read { step: Step { cut, own, .. }, before, after } = machine.read(m, &unit, taken, ends);
    let ends_inside = (ends & machine.is_open(after)).named("ends_inside");
    let [before_end, at_end] = machine.cuts_at_end(m, after, ends_inside);
    let own_goes_out = machine.goes_out(m, &own, drops, None);
    let cut_goes_out = machine.goes_out(m, &cut, drops, Some(before));
    let [before_end_goes_out, at_end_goes_out] =
        [&before_end, &at_end].map(|slot| machine.goes_out(m, slot, drops, Some(after)));
    // A unit that ends a slot leaves nothing open, so a second slot is its own or that of the frame's end. Only the slot of
    // a unit within a group comes before that.
    let is_part = machine.is_in_group(m, after);
    let (part_goes_out, whole_goes_out) = (own_goes_out & is_part, own_goes_out & !is_part);
    // Octets that are left over come after an octet that ended none.
    let has_first = cut_goes_out | before_end_goes_out | part_goes_out;
    let value_bits = own.value.width();
    let raw = |slot: &Slot<'m>| m.concat([slot.user, slot.value.zext(value_bits)]);
    let first = part_goes_out.mux(raw(&own), cut.is_there.mux(raw(&cut), raw(&before_end)));
    let has_second = whole_goes_out | at_end_goes_out;
    let second = whole_goes_out.mux(raw(&own), raw(&at_end)).when(has_second);
    let items = [
        Item { is_there: has_first, word: m.concat([ends & !has_second, m.lit(1, 1), first]) },
        Item { is_there: has_second | ends & !has_first, word: m.concat([ends, has_second, second]) },
    ];
    stages.made(items).map(|Item { is_there, word }| {
        let [has_slot, is_last] = [4, 5].map(|above| word.bit(value_bits + above));
        let (user, value) = (word.bits(value_bits..value_bits + 4), word.bits(0..value_bits));
        Due { is_there, is_last, has_slot, user, value }
    })
}

/// The failures, a bit each: the core's output differs from the machine's; `None` without a machine.
pub(super) fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let machine = machine(bench.core)?;
    let m = bench.m;
    let data_bits = bench.core.spec.bus.data_bits();
    // A beat that ends a frame may have no slot.
    let item = |Due { is_there, is_last, has_slot, user, value }: Due<'m>| {
        let slot = shown(m, user, value);
        let slot = Item::of_slot(m, slot.bits(0..data_bits), slot.bits(32..36), is_last);
        Item { is_there, word: has_slot.mux(slot, Item::bare_end(m, data_bits)) }
    };
    let drops = bench.core.spec.on_error == ErrorMode::Drop;
    let items = due(bench, machine, Stages::of(bench), drops).map(item);
    Some(differs(m, &bench.output, bench.output.tvalid, &items, MOST_HELD))
}
