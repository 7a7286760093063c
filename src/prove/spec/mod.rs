//! Decoders against a second description of their systems: a plain state machine that is typed from the documents that define
//! them, in a file of its own for each, and shares nothing with the cores or with the software reference.
//!
//! The machine reads each unit in the cycle in which the core takes it, and says at once which slots come of it. A *pick*, free
//! inputs of the problem, chooses one of them, and remembers it and how many slots have to come out before it. When it is due,
//! the beat that the core offers has to be it: `tdata`, `tuser`, `tkeep` and `tlast`. Since any slot can be picked, and every
//! run is tried, that is a proof for all slots of all runs, their order included.

mod utf_18;
mod utf_8;
mod utf_9;

use utfhdl_hdl::core::{Core, ErrorMode, LAST_OF_UNICODE, Role, System};
use utfhdl_hdl::netlist::Signal;

use super::bench::Bench;
use super::pick::{Item, differs};

/// Kinds of errors, as docs/interface.md numbers them.
const UNEXPECTED: u64 = 1;
const TRUNCATED: u64 = 2;
const OVERLONG: u64 = 3;
const SURROGATE: u64 = 4;
const OUT_OF_RANGE: u64 = 5;
const INVALID: u64 = 6;

/// U+FFFD, which stands in the slot of an error.
const REPLACEMENT: u64 = 0xfffd;

/// More slots than a decoder of one lane holds beside those in its stages.
const MOST_HELD: u64 = 5;

/// The unit that the core takes in a cycle.
struct Unit<'m> {
    /// There is one.
    is_there: Signal<'m>,
    /// Its bits.
    bits: Signal<'m>,
    /// The frame ends behind it, or without it.
    ends: Signal<'m>,
}

/// A slot that comes of a unit.
struct Slot<'m> {
    is_there: Signal<'m>,
    /// 0 for a code point, else the kind of the error.
    user: Signal<'m>,
    /// The code point; what it is does not matter where there is an error.
    value: Signal<'m>,
}

/// What a unit does.
struct Step<'m> {
    /// The error of the sequence that it cuts short.
    cut: Slot<'m>,
    /// The slot that it ends itself.
    own: Slot<'m>,
    /// A sequence is open behind it.
    open: Signal<'m>,
}

/// A machine.
type Machine = for<'m> fn(&Bench<'m>, &Unit<'m>) -> Step<'m>;

/// The machine of a core, if there is one.
fn machine(core: &Core) -> Option<Machine> {
    let spec = core.spec;
    let is_plain = spec.role == Role::Decoder && spec.on_error == ErrorMode::Flag && spec.lanes == 1;
    match spec.system {
        _ if !is_plain => None,
        System::Utf8 => Some(utf_8::step),
        System::Utf9 { max: LAST_OF_UNICODE } => Some(utf_9::step),
        System::Utf18 => Some(utf_18::step),
        _ => None,
    }
}

/// Whether there is a machine for a core.
pub fn is_there(core: &Core) -> bool {
    machine(core).is_some()
}

/// The unit that is taken.
fn unit<'m>(bench: &Bench<'m>) -> Unit<'m> {
    let input = &bench.input;
    let taken = input.taken();
    // A unit of fewer bits than its lane stands in the low ones.
    let bits = input.tdata.bits(0..bench.core.spec.system.unit_bits());
    Unit { is_there: (taken & input.tkeep.bit(0)).named("unit_taken"), bits, ends: taken & input.tlast }
}

/// Whether the input stops being well-formed text of the system of `decoder`.
pub fn spoils<'m>(bench: &Bench<'m>, decoder: &Core) -> Option<Signal<'m>> {
    let unit = unit(bench);
    let Step { cut, own, open } = machine(decoder)?(bench, &unit);
    // What a machine computes has to be read by something.
    bench.m.output("slot_value", own.value, "the code point");
    bench.m.output("cut_value", cut.value, "what there is of the code point of a sequence that is cut short");
    Some(cut.is_there | own.is_there & own.user.any() | unit.ends & open)
}

/// Where the core does not do what the machine says, if there is a machine for it.
pub fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let machine = machine(bench.core)?;
    let m = bench.m;
    let unit = unit(bench);
    let Step { cut, own, open } = machine(bench, &unit);
    let truncated = (unit.ends & open).named("ends_inside");
    let slot = |user: Signal<'m>, value: Signal<'m>, is_last: Signal<'m>| {
        let data = user.any().mux(m.lit(32, REPLACEMENT), value.zext(32));
        Item::of_slot(m, data, user, is_last)
    };
    // A unit that ends a slot leaves nothing open, so a second slot is its own or that of the frame's end.
    let has_second = own.is_there | truncated;
    let user = own.is_there.mux(own.user, m.lit(4, TRUNCATED));
    let second = slot(user, own.value, unit.ends).when(has_second);
    let bare_end = Item::bare_end(m);
    let items = [
        Item { is_there: cut.is_there, word: slot(cut.user, cut.value, unit.ends & !has_second) },
        Item { is_there: has_second | unit.ends & !cut.is_there, word: has_second.mux(second, bare_end) },
    ];
    Some(differs(bench, &items, u64::from(bench.core.latency) + MOST_HELD))
}
