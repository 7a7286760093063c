//! Encoders against a second description of their systems.
//!
//! The state machine of the system's decoder reads the output of an encoder, and must find the input's code points in their order,
//! without an error. This determines the units, since each code point has one well-formed sequence: the problems of
//! [`inverse`](crate::prove::inverse) prove that with the writers of this file, which are typed from the documents.
//!
//! The proof covers frames of code points, errors, and, in systems that have code points of 2^32 and more, [groups](super::groups) of up
//! to three limbs. After any other head, limb or `tuser`, nothing is compared any more; on the short bus, these are errors, too.

use utfhdl_hdl::core::{Axis, Bus, Core, ErrorMode, Role};
use utfhdl_hdl::netlist::Signal;

use super::groups::Groups;
use super::later::Stages;
use super::machine::{Machine, Read, Unit};
use super::writer::{Writer, Writes};
use super::{LAST_KIND, MOST_HELD, any, machine_of};
use crate::prove::bench::{Bench, Side};
use crate::prove::pick::{Item, differs_by};

/// The writer of a core, if there is one.
fn writer(core: &Core) -> Option<Writer> {
    let spec = core.spec;
    // The statement reads lane 0 only, so it is false for several lanes.
    let is_plain = spec.role == Role::Encoder && spec.axis == Axis::Lane && spec.lanes == 1;
    Writer::of(spec.system).filter(|_| is_plain)
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

/// The failures, a bit each: the core's output differs from the writer's; `None` without a writer.
pub(super) fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let (writer, machine) = (writer(bench.core)?, machine_of(bench.core.spec.system)?);
    let (m, input) = (bench.m, &bench.input);
    let user = input.tuser.expect("slots have kinds");
    let slot = m.concat([input.tlast, input.tkeep, user, input.tdata]);
    let [taken, slot] = Stages::of(bench).read("slot", input.taken(), slot);
    let data_bits = input.tdata.width();
    let (tdata, user) = (slot.bits(0..data_bits), slot.bits(data_bits..data_bits + user.width()));
    let is_there = taken & slot.bit(slot.width() - 2);
    let ends = taken & slot.bit(slot.width() - 1);
    let is_error = match bench.core.spec.bus {
        Bus::Long => user.within(1, LAST_KIND),
        Bus::Short => user.any(),
    };
    let is_alone = is_there & (!user.any() | is_error);
    let (code_point, is_code, is_left) = if has_groups(bench.core) {
        let Groups { code_point, is_last, breaks } = Groups::new(m, [is_there, tdata, user], ends);
        (is_last.mux(code_point, tdata.zext(code_point.width())), is_alone | is_last, breaks)
    } else {
        // Other kinds come only in a problem without `limit`.
        (tdata, is_alone, is_there & !is_alone)
    };
    let left = m.reg("left_out_reg", 1).reset(0);
    let is_left = left.q | is_left;
    left.next(is_left);

    let drops = bench.core.spec.on_error == ErrorMode::Drop;
    let after_high = m.reg("after_high_reg", 1).reset(0);
    let user = user.when(is_alone);
    let Writes { is_written, code_point, is_error, is_after_high } =
        writer.writes(m, drops, [is_code, code_point, user], after_high.q);
    after_high.next(is_after_high & !ends);
    let spoilt = m.reg("frame_spoilt_reg", 1).reset(0);
    let is_spoilt = spoilt.q | is_error;
    spoilt.next(is_spoilt & !ends);

    // The decoder's machine reads the output, and must find no error.
    let output = &bench.output;
    let offered = output.tvalid & output.tkeep.bit(0);
    let bits = output.tdata.bits(0..bench.core.spec.system.unit_bits());
    let unit = Unit { is_there: offered, bits };
    let Read { step, after, .. } = machine.read(m, &unit, output.taken(), output.tlast);
    let is_whole = machine.ends_slot(m, &step);
    let wrong = step.cut.is_there
        | is_whole & step.own.is_error()
        | output.tvalid & output.tlast & machine.is_open(after);
    let too_soon = offered & !is_whole & (output.tlast | output.tuser.expect("an encoder has tuser").any());
    let ends_item = Side {
        passengers: [None; 3],
        tdata: m.lit(1, 0),
        tkeep: is_whole,
        tuser: output.tuser,
        tvalid: is_whole | output.tvalid & !output.tkeep.bit(0),
        tlast: output.tlast,
        tready: output.tready,
    };
    let written = writer.write(m, code_point.zext(writer.code_bits()));
    let count = written.len() as u32;
    let is_there = m.concat(written.iter().rev().map(|unit| unit.is_there)).when(is_written);
    let units = m.concat(written.iter().rev().map(|unit| unit.bits.when(unit.is_there))).when(is_written);
    // The number of the unit in its sequence, a bit each.
    let number = m.reg("unit_number_reg", count).reset(1);
    let following = m.concat([number.q, m.lit(1, 0)]).bits(0..count);
    number.next_when(offered & output.tready, is_whole.mux(m.lit(count, 1), following));
    let unit_bits = bits.width();
    let compare = |word: Signal<'m>| {
        let units = word.bits(0..count * unit_bits);
        let is_there = word.bits(units.width()..units.width() + count);
        let flags = word.bits(units.width() + count..word.width());
        let starts_at =
            |at: u32| if at == 0 { is_there.bit(0) } else { is_there.bit(at) & !is_there.bit(at - 1) };
        let is_at = |at: u32| any((0..=at).map(|start| starts_at(start) & number.q.bit(at - start)));
        let unit = |at: u32| units.bits(at * unit_bits..(at + 1) * unit_bits);
        let expected = any((0..count).map(|at| unit(at).when(is_at(at))));
        let of_unit = (bits ^ expected).when(offered);
        let of_length = offered & is_whole.ne(is_at(count - 1));
        let shown = m.concat([output.tlast, output.tuser.expect("an encoder has tuser"), is_whole]);
        let is_written = is_there.bit(count - 1);
        let of_end = (shown ^ m.concat([flags, is_written])).when(ends_item.tvalid);
        m.concat([of_end, of_length, of_unit])
    };
    let word = m.concat([ends, ends & is_spoilt, is_there, units]);
    let item = Item { is_there: is_written | ends, word };
    let differs = differs_by(m, &ends_item, offered, &[item], MOST_HELD, compare);
    let at_once = differs.bit(0) | wrong | too_soon;
    Some(m.concat([differs.bits(1..differs.width()), at_once]).when(!is_left))
}
