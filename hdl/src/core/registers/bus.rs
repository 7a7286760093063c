//! The slave of AXI4-Lite: one write and one read at a time, each output from a register.

use super::map::{ADDRESS_BITS, CONTROL, WORD};
use crate::netlist::{Builder, Signal};

const WRITE_ADDRESS: &str = "AXI4-Lite, write address";
const WRITE_DATA: &str = "AXI4-Lite, write data";
const WRITE_RESPONSE: &str = "AXI4-Lite, write response";
const READ_ADDRESS: &str = "AXI4-Lite, read address";
const READ_DATA: &str = "AXI4-Lite, read data";

/// The bits of an address within a word.
const BYTE_BITS: u32 = 2;

/// The low bit of CONTROL.
const CLEAR: u32 = 0;

/// A read that is under way.
pub(super) struct Reading<'m> {
    /// A register: the number of the word that is read.
    pub(super) word: Signal<'m>,
    /// A register: the data of the word is loaded in this cycle.
    pub(super) loads: Signal<'m>,
}

/// The read channels.
pub(in crate::core) struct Reads<'m> {
    /// The number of the word at the address that is offered, as long as it is offered.
    pub(in crate::core) word: Signal<'m>,
    /// A read begins: the word is looked up.
    pub(in crate::core) starts: Signal<'m>,
    /// A register: the cycle after, in which the data of the word is loaded, and the address taken.
    pub(in crate::core) loads: Signal<'m>,
}

/// The write channels.
pub(in crate::core) struct Writes<'m> {
    /// A register: address and data are taken in this cycle.
    pub(in crate::core) taken: Signal<'m>,
    /// The number of the word, the data, and the octets of the data that are written.
    pub(in crate::core) word: Signal<'m>,
    pub(in crate::core) data: Signal<'m>,
    pub(in crate::core) strobes: Signal<'m>,
}

/// The inputs that nothing reads, from the low bits up.
#[derive(Default)]
pub(in crate::core) struct Ignored<'m>(pub(in crate::core) Vec<Signal<'m>>);

/// Declares the ports of the read channels but the data, and follows a read.
pub(super) fn reads<'m>(m: &'m Builder, ignored: &mut Ignored<'m>) -> Reading<'m> {
    let Reads { word, starts, loads } =
        read_channels(m, ADDRESS_BITS, "address of a register, in bytes", ignored);
    let number = m.reg("read_word_reg", word.width()).note("the number of the register");
    number.next_when(starts, word);
    Reading { word: number.q, loads }
}

/// Declares the ports of the read channels but the data, for addresses of some bits.
pub(in crate::core) fn read_channels<'m>(
    m: &'m Builder,
    address_bits: u32,
    note: &str,
    ignored: &mut Ignored<'m>,
) -> Reads<'m> {
    m.port_group(READ_ADDRESS);
    let address = m.input("s_axil_araddr", address_bits, note);
    ignored.0.push(m.input("s_axil_arprot", 3, "ignored"));
    let offered = m.input("s_axil_arvalid", 1, "address is offered");
    m.port_group(READ_DATA);
    let taken = m.input("s_axil_rready", 1, "data is taken");

    m.section("AXI4-Lite: a read at a time");
    let ready = m.reg("arready_reg", 1).reset(0).note("the address is taken, and the data is loaded");
    let valid = m.reg("rvalid_reg", 1).reset(0).note("data is offered");
    let starts = (offered & !ready.q & !valid.q).named("read_starts");
    ready.next(starts);
    valid.next(ready.q | (valid.q & !taken));
    ignored.0.push(address.bits(0..BYTE_BITS));
    m.port_group(READ_ADDRESS);
    m.output("s_axil_arready", ready.q, "address is taken");
    m.port_group(READ_DATA);
    m.output("s_axil_rresp", m.lit(2, 0), "OKAY");
    m.output("s_axil_rvalid", valid.q, "data is offered");
    Reads { word: address.bits(BYTE_BITS..address_bits), starts, loads: ready.q }
}

/// Declares the port of the data that is read.
pub(in crate::core) fn read_data<'m>(m: &'m Builder, data: Signal<'m>, note: &str) {
    m.port_group(READ_DATA);
    m.output("s_axil_rdata", data, note);
}

/// Declares the ports of the write channels; gives a register that is 1 in the cycle in which everything is cleared.
pub(super) fn clears<'m>(m: &'m Builder) -> (Signal<'m>, Ignored<'m>) {
    let mut ignored = Ignored::default();
    let note = "address of a register, in bytes";
    let Writes { taken, word, data, strobes } = write_channels(m, ADDRESS_BITS, note, None, &mut ignored);
    let is_control = word.is(u64::from(CONTROL >> BYTE_BITS));
    let clear = m.reg("clear_reg", 1).reset(0).note("everything that was counted is cleared");
    clear.next(taken & is_control & strobes.bit(0) & data.bit(CLEAR));
    ignored.0.extend([data.bits(CLEAR + 1..WORD), strobes.bits(1..WORD / 8)]);
    (clear.q, ignored)
}

/// Declares the ports of the write channels, for addresses of some bits. No write begins while `waits` is 1.
pub(in crate::core) fn write_channels<'m>(
    m: &'m Builder,
    address_bits: u32,
    note: &str,
    waits: Option<Signal<'m>>,
    ignored: &mut Ignored<'m>,
) -> Writes<'m> {
    m.port_group(WRITE_ADDRESS);
    let address = m.input("s_axil_awaddr", address_bits, note);
    let protection = m.input("s_axil_awprot", 3, "ignored");
    let address_offered = m.input("s_axil_awvalid", 1, "address is offered");
    m.port_group(WRITE_DATA);
    let data = m.input("s_axil_wdata", WORD, "data");
    let strobes = m.input("s_axil_wstrb", WORD / 8, "octets of the data that are written");
    let data_offered = m.input("s_axil_wvalid", 1, "data is offered");
    m.port_group(WRITE_RESPONSE);
    let response_taken = m.input("s_axil_bready", 1, "response is taken");

    m.section("AXI4-Lite: a write at a time, when address and data are both there");
    let ready = m.reg("awready_reg", 1).reset(0).note("address and data are taken");
    let valid = m.reg("bvalid_reg", 1).reset(0).note("a response is offered");
    let starts = address_offered & data_offered & !ready.q & !valid.q;
    ready.next(waits.map_or(starts, |waits| starts & !waits).named("write_starts"));
    valid.next(ready.q | (valid.q & !response_taken));
    m.port_group(WRITE_ADDRESS);
    m.output("s_axil_awready", ready.q, "address is taken");
    m.port_group(WRITE_DATA);
    m.output("s_axil_wready", ready.q, "data is taken");
    m.port_group(WRITE_RESPONSE);
    m.output("s_axil_bresp", m.lit(2, 0), "OKAY");
    m.output("s_axil_bvalid", valid.q, "response is offered");
    ignored.0.extend([address.bits(0..BYTE_BITS), protection]);
    Writes { taken: ready.q, word: address.bits(BYTE_BITS..address_bits), data, strobes }
}

/// Names the inputs that nothing reads.
pub(in crate::core) fn ignore<'m>(m: &'m Builder, ignored: Ignored<'m>) {
    m.concat(ignored.0.into_iter().rev()).named("unused_bits").note("nothing depends on them");
}
