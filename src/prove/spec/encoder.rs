//! Encoders against a second description of their systems.
//!
//! The state machine of the system's decoder reads the output of an encoder, and must find the input's code points in their order,
//! without an error. This determines the units, since each code point has one well-formed sequence: the problems of
//! [`inverse`](crate::prove::inverse) prove that with the writers of this file, which are typed from the documents.
//!
//! The proof covers frames of code points and errors. After a head, a limb or an illegal `tuser`, nothing is compared any more;
//! on the short bus, these are errors, too.

use utfhdl_hdl::core::{Axis, Bus, Core, ErrorMode, LAST_OF_UNICODE, Max, Role, System};
use utfhdl_hdl::netlist::{Builder, Signal};

use super::{REPLACEMENT, Unit, machine_of};
use crate::prove::bench::{Bench, Side};
use crate::prove::pick::{Item, differs};

/// More slots than an encoder holds beside those in its stages.
const MOST_HELD: u64 = 4;

/// The last kind of an error on the bus, as docs/interface.md numbers them.
const LAST_KIND: u64 = 10;

/// The surrogates, which no system here can write.
const SURROGATES: (u64, u64) = (0xD800, 0xDFFF);

/// A unit of a written sequence.
#[derive(Clone, Copy)]
pub struct Written<'m> {
    pub is_there: Signal<'m>,
    pub bits: Signal<'m>,
}

/// How a system writes code points of 21 bits.
#[derive(Clone, Copy)]
pub struct Writer {
    /// Whether the system can encode a value of 32 bits.
    can: for<'m> fn(Signal<'m>) -> Signal<'m>,
    /// The units in their order. The last is always present; the others are present from some index on.
    write: for<'m> fn(&'m Builder, Signal<'m>) -> Vec<Written<'m>>,
}

/// Bits of a code point.
const CODE_BITS: u32 = 21;

impl Writer {
    /// The writer of a system, if there is one.
    pub fn of(system: System) -> Option<Self> {
        match system {
            System::Utf8 => Some(Self { can: is_unicode, write: utf_8 }),
            System::Utf9 { max: Max::Unicode } => Some(Self { can: is_unicode, write: utf_9 }),
            System::Utf18 => Some(Self { can: is_of_utf_18, write: utf_18 }),
            _ => None,
        }
    }

    pub fn can<'m>(self, data: Signal<'m>) -> Signal<'m> {
        (self.can)(data)
    }

    pub fn write<'m>(self, m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
        (self.write)(m, code_point.bits(0..CODE_BITS))
    }
}

/// A scalar value of Unicode.
fn is_unicode<'m>(data: Signal<'m>) -> Signal<'m> {
    data.within(0, LAST_OF_UNICODE.into()) & !data.within(SURROGATES.0, SURROGATES.1)
}

/// One of the planes 0 to 2 and 14, as RFC 4042, §4, has it.
fn is_of_utf_18<'m>(data: Signal<'m>) -> Signal<'m> {
    (data.within(0, 0x2FFFF) | data.within(0xE0000, 0xEFFFF)) & !data.within(SURROGATES.0, SURROGATES.1)
}

/// Table 3-6 of the Unicode Standard, "UTF-8 Bit Distribution".
fn utf_8<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let bits = |range| code_point.bits(range);
    let within = |first, last| code_point.within(first, last);
    let (two, three, four) = (within(0x80, 0x7FF), within(0x800, 0xFFFF), within(0x10000, 0x10FFFF));
    let trailing = |low: u32| m.concat([m.lit(2, 0b10), bits(low..low + 6)]);
    let first = two.mux(
        m.concat([m.lit(3, 0b110), bits(6..11)]),
        three.mux(
            m.concat([m.lit(4, 0b1110), bits(12..16)]),
            four.mux(m.concat([m.lit(5, 0b11110), bits(18..21)]), m.concat([m.lit(1, 0), bits(0..7)])),
        ),
    );
    vec![
        Written { is_there: four, bits: first },
        Written { is_there: three | four, bits: three.mux(first, trailing(12)) },
        Written { is_there: two | three | four, bits: two.mux(first, trailing(6)) },
        Written { is_there: m.lit(1, 1), bits: (two | three | four).mux(trailing(0), first) },
    ]
}

/// RFC 4042, §3: octets, the most significant that is not zero first, each but the last with the high bit of its nonet set.
fn utf_9<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let octets = [code_point.bits(16..21).zext(8), code_point.bits(8..16), code_point.bits(0..8)];
    let (is_third, is_second) = (octets[0].any(), octets[0].any() | octets[1].any());
    let nonet = |goes_on: u64, octet| m.concat([m.lit(1, goes_on), octet]);
    vec![
        Written { is_there: is_third, bits: nonet(1, octets[0]) },
        Written { is_there: is_second, bits: nonet(1, octets[1]) },
        Written { is_there: m.lit(1, 1), bits: nonet(0, octets[2]) },
    ]
}

/// RFC 4042, §4: two nonets. The code for plane 14 is plane 3.
fn utf_18<'m>(m: &'m Builder, code_point: Signal<'m>) -> Vec<Written<'m>> {
    let plane = code_point.bits(16..21);
    let plane = plane.is(14).mux(m.lit(2, 3), plane.bits(0..2));
    let value = m.concat([plane, code_point.bits(0..16)]);
    [9, 0].map(|low| Written { is_there: m.lit(1, 1), bits: value.bits(low..low + 9) }).to_vec()
}

/// The writer of a core, if there is one.
fn writer(core: &Core) -> Option<Writer> {
    let spec = core.spec;
    // The statement reads lane 0 only, so it is false for several lanes.
    let is_plain = spec.role == Role::Encoder
        && spec.on_error == ErrorMode::Replace
        && spec.axis == Axis::Lane
        && spec.lanes == 1;
    Writer::of(spec.system).filter(|_| is_plain)
}

/// Whether there is a writer for a core.
pub(super) fn is_there(core: &Core) -> bool {
    writer(core).is_some()
}

/// `tuser` of a code point or an error, with any bits of the user's above it.
pub(super) fn limit<'m>(user: Signal<'m>) -> Signal<'m> {
    user.when(user.bits(0..4).within(0, LAST_KIND))
}

/// The statement that is proved of an encoder.
pub const SAYS: &str =
    "in frames of code points and errors, units, tlast and tuser are those of the system's definition";

/// The failure: the core's output differs from the writer's; `None` without a writer.
pub(super) fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    let (writer, machine) = (writer(bench.core)?, machine_of(bench.core.spec.system)?);
    let (m, input) = (bench.m, &bench.input);
    let user = input.tuser.expect("slots have kinds");
    let taken = input.taken();
    let is_there = taken & input.tkeep.bit(0);
    let ends = taken & input.tlast;
    let is_error = match bench.core.spec.bus {
        Bus::Long => user.within(1, LAST_KIND),
        Bus::Short => user.any(),
    };
    // Other kinds come only in a problem without `limit`.
    let is_other = is_there & user.any() & !is_error;
    let left = m.reg("left_out_reg", 1).reset(0);
    let is_left = left.q | is_other;
    left.next(is_left);

    let is_replaced = user.any() | !writer.can(input.tdata);
    let code_point = is_replaced.mux(m.lit(CODE_BITS, REPLACEMENT), input.tdata.bits(0..CODE_BITS));
    let spoilt = m.reg("frame_spoilt_reg", 1).reset(0);
    let is_spoilt = spoilt.q | is_there & is_replaced;
    spoilt.next(is_spoilt & !ends);

    // The decoder's machine reads the output, and must find no error.
    let output = &bench.output;
    let offered = output.tvalid & output.tkeep.bit(0);
    let bits = output.tdata.bits(0..bench.core.spec.system.unit_bits());
    let (step, behind) = machine.read(m, &Unit { is_there: offered, bits }, output.taken(), output.tlast);
    let is_whole = step.own.is_there;
    let wrong = step.cut.is_there | is_whole & step.own.user.any() | output.tvalid & output.tlast & behind;
    let too_soon = offered & !is_whole & (output.tlast | output.tuser.expect("an encoder has tuser").any());
    let read = Side {
        passengers: [None; 3],
        tdata: step.own.value.when(is_whole),
        tkeep: is_whole,
        tuser: output.tuser,
        tvalid: is_whole | output.tvalid & !output.tkeep.bit(0),
        tlast: output.tlast,
        tready: output.tready,
    };
    // In the order of a beat: tlast, tuser, tkeep, tdata.
    let word = m.concat([ends, ends & is_spoilt, is_there, code_point.when(is_there)]);
    let item = Item { is_there: is_there | ends, word };
    let most = u64::from(bench.core.latency) + MOST_HELD;
    Some(!is_left & (wrong | too_soon | differs(m, &read, offered, &[item], most)))
}
