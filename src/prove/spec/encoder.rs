//! Encoders against a second description of their systems.
//!
//! The state machine of the system's decoder reads the output of an encoder, and must find whole sequences without an error. Each belongs to a
//! code point of the input, in their order. The units of a picked code point must be those that the [writer](super::writer) gives.
//!
//! The proof covers frames of code points, errors, and, in systems that have code points of 2^32 and more, [groups](super::groups) of up
//! to three limbs, whole or cut by an error. After any other head, limb or `tuser`, nothing is compared any more; on the short bus, these are errors, too.

use utfhdl_hdl::core::{Bus, Core, ErrorMode, Role, System};
use utfhdl_hdl::netlist::{Builder, Signal};

use super::groups::Groups;
use super::later::Stages;
use super::machine::{Machine, Read, Unit};
use super::writer::{Writer, Writes};
use super::{LAST_KIND, MOST_HELD, any, is_of_one_lane, machine_of};
use crate::prove::bench::{Bench, Side};
use crate::prove::pick::{Item, differs_by};

/// The writer of a core, if there is one.
fn writer(core: &Core) -> Option<Writer> {
    let spec = core.spec;
    Writer::of(spec.system).filter(|_| spec.role == Role::Encoder && is_of_one_lane(&spec))
}

/// Whether there is a writer for a core.
pub(super) fn is_there(core: &Core) -> bool {
    writer(core).is_some()
}

/// `tuser` of a code point or an error, with any bits of the user's above it.
pub fn limit<'m>(user: Signal<'m>) -> Signal<'m> {
    user.when(user.bits(0..4).within(0, LAST_KIND))
}

/// The statement that is proved of an encoder.
pub(super) fn says(core: &Core) -> &'static str {
    if has_groups(core) {
        "in frames of code points, errors and groups of 2 or 3 limbs, units, tlast and tuser are those of the system's definition"
    } else {
        "in frames of code points and errors, units, tlast and tuser are those of the system's definition"
    }
}

/// Whether code points can be groups of slots.
pub(super) fn has_groups(core: &Core) -> bool {
    core.spec.bus == Bus::Long && machine_of(core.spec.system).is_some_and(Machine::has_groups)
}

/// The units that an encoder owes for a slot of its input.
struct Owed<'m> {
    /// The code point that is written, or the end of a frame without one. The word has `tlast`, `tuser`, a flag for each unit of the writer that
    /// is there, and these units.
    item: Item<'m>,
    /// The number of units of the writer.
    units: u32,
    /// The frame holds what the proof is not about, in this slot or before.
    is_left: Signal<'m>,
}

impl<'m> Owed<'m> {
    fn new(bench: &Bench<'m>, writer: Writer, (input, stages): (&Side<'m>, Stages<'m>)) -> Self {
        let m = bench.m;
        let user = input.tuser.expect("slots have kinds");
        let slot = m.concat([input.tlast, input.tkeep, user, input.tdata]);
        let [taken, slot] = stages.read("slot", input.taken(), slot);
        let (data_bits, user_bits) = (input.tdata.width(), user.width());
        let (data, user) = (slot.bits(0..data_bits), slot.bits(data_bits..data_bits + user_bits));
        let [is_there, ends] = [0, 1].map(|above| taken & slot.bit(data_bits + user_bits + above));
        let (slot, is_left) = if has_groups(bench.core) {
            let Groups { code_point, is_last, is_alone, breaks } =
                Groups::new(m, [is_there, data, user], ends);
            let code_point = is_last.mux(code_point, data.zext(code_point.width()));
            ([is_alone | is_last, code_point, user.when(is_alone)], breaks)
        } else {
            let is_error = match bench.core.spec.bus {
                Bus::Long => user.within(1, LAST_KIND),
                Bus::Short => user.any(),
            };
            let is_alone = is_there & (!user.any() | is_error);
            // Other kinds come only in a problem without `limit`.
            ([is_alone, data, user.when(is_alone)], is_there & !is_alone)
        };
        let left = m.reg("left_out_reg", 1).reset(0);
        let is_left = left.q | is_left;
        left.next(is_left);

        let drops = bench.core.spec.on_error == ErrorMode::Drop;
        let after_high = m.reg("after_high_reg", 1).reset(0);
        let Writes { is_written, code_point, is_error, is_after_high } =
            writer.writes(m, drops, slot, after_high.q);
        after_high.next(is_after_high & !ends);
        let spoilt = m.reg("frame_spoilt_reg", 1).reset(0);
        let is_spoilt = spoilt.q | is_error;
        spoilt.next(is_spoilt & !ends);

        let units = writer.write(m, code_point.zext(writer.code_bits()));
        let are_there = m.concat(units.iter().rev().map(|unit| unit.is_there)).when(is_written);
        let bits = m.concat(units.iter().rev().map(|unit| unit.bits.when(unit.is_there))).when(is_written);
        let word = m.concat([ends, ends & is_spoilt, are_there, bits]);
        Self { item: Item { is_there: is_written | ends, word }, units: units.len() as u32, is_left }
    }
}

/// The beat that an encoder offers.
struct Offered<'m> {
    /// There is a unit, and its bits.
    is_unit: Signal<'m>,
    bits: Signal<'m>,
    /// The number of the unit in its sequence, a bit each.
    number: Signal<'m>,
    /// The unit ends its sequence.
    is_whole: Signal<'m>,
    /// An item ends here, and the bits of `tlast` and `tuser`.
    ends_item: Signal<'m>,
    flags: Signal<'m>,
}

impl<'m> Offered<'m> {
    /// The failures, if part of the item with this word is offered: bits of the unit and of the flags, and the length of the sequence.
    fn differs(&self, m: &'m Builder, word: Signal<'m>) -> Signal<'m> {
        let Self { is_unit, bits, number, is_whole, ends_item, flags } = *self;
        let (units, unit_bits) = (number.width(), bits.width());
        let are_there = word.bits(units * unit_bits..units * (unit_bits + 1));
        let is_first =
            |at: u32| if at == 0 { are_there.bit(0) } else { are_there.bit(at) & !are_there.bit(at - 1) };
        let is_at = |at: u32| any((0..=at).map(|first| is_first(first) & number.bit(at - first)));
        let unit = |at: u32| word.bits(at * unit_bits..(at + 1) * unit_bits);
        let expected = any((0..units).map(|at| unit(at).when(is_at(at))));
        let due = m.concat([word.bits(word.width() - 2..word.width()), are_there.bit(units - 1)]);
        m.concat([
            (m.concat([flags, is_whole]) ^ due).when(ends_item),
            is_unit & is_whole.ne(is_at(units - 1)),
            (bits ^ expected).when(is_unit),
        ])
    }
}

/// The failures, a bit each: the core's output differs from the writer's; `None` without a writer.
pub(super) fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let given = (&bench.input, Stages::of(bench));
    bad_of(bench, bench.core.spec.system, writer(bench.core)?, given)
}

/// The failures of a core that writes the slots of an input in a system.
pub(super) fn bad_of<'m>(
    bench: &Bench<'m>,
    system: System,
    writer: Writer,
    given: (&Side<'m>, Stages<'m>),
) -> Option<Signal<'m>> {
    let machine = machine_of(system)?;
    let (m, output) = (bench.m, &bench.output);
    let Owed { item, units, is_left } = Owed::new(bench, writer, given);

    // The decoder's machine reads the output, and must find no error.
    let is_unit = output.tvalid & output.tkeep.bit(0);
    let bits = output.tdata.bits(0..system.unit_bits());
    let unit = Unit { is_there: is_unit, bits };
    let Read { step, after, .. } = machine.read(m, &unit, output.taken(), output.tlast);
    let is_whole = machine.ends_slot(m, &step);
    let flags = m.concat([output.tlast, output.tuser.expect("an encoder has tuser")]);
    let wrong = step.cut.is_there
        | is_whole & step.own.is_error()
        | output.tvalid & output.tlast & machine.is_open(after)
        | is_unit & !is_whole & flags.any();

    let number = m.reg("unit_number_reg", units).reset(1);
    let following = m.concat([number.q, m.lit(1, 0)]).bits(0..units);
    number.next_when(is_unit & output.tready, is_whole.mux(m.lit(units, 1), following));
    let ends_item = is_whole | output.tvalid & !output.tkeep.bit(0);
    let offered = Offered { is_unit, bits, number: number.q, is_whole, ends_item, flags };
    let ends = Side { tvalid: ends_item, ..*output };
    let differs = differs_by(m, &ends, is_unit, &[item], MOST_HELD, |word| offered.differs(m, word));
    let at_once = differs.bit(0) | wrong;
    Some(m.concat([differs.bits(1..differs.width()), at_once]).when(!is_left))
}
