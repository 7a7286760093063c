//! What software reads and writes over AXI4-Lite: registers of totals, which are what the reference counts of the frames, and tables of
//! character sets.

use crate::common::campaigns::run_well;
use crate::common::hardware::{NATIVE, Rig, Verdicts, core, cosim, run, verdict};
use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Cosim, Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl::prove::stream;
use utfhdl_codec::{Codec as _, Counts, ErrorKind, Event, Table};
use utfhdl_hdl::core::{
    Axis, Core, CoreSpec, ErrorMode, Max, Passengers, Registers, Role, System, Verdict, registers,
};
use utfhdl_hdl::netlist::{Fault, ResetStyle};
use utfhdl_sim::Layout;

const VALIDATOR: Role = Role::Validator(Verdict { kinds: false, start: false, newline: false });

// The addresses of docs/interface.md.
const ID: u64 = 0x00;
const CORE: u64 = 0x04;
const CONTROL: u64 = 0x08;
const SATURATED: u64 = 0x0c;
const FIRST_ERROR: u64 = 0x10;
const FIRST_ERROR_OFFSET: u64 = 0x14;
const FIRST_ERROR_FRAME: u64 = 0x18;
const FRAMES: u64 = 0x20;
const ILL_FORMED_FRAMES: u64 = 0x28;
const UNITS: u64 = 0x30;
const CODE_POINTS: u64 = 0x38;
const ERRORS: u64 = 0x40;
const FIRST_KIND: u64 = 0x80;

fn with_registers(system: System, role: Role, lanes: u32) -> CoreSpec {
    CoreSpec { lanes, status: true, registers: Registers::AxiLite, ..CoreSpec::new(system, role) }
}

fn utf_8(lanes: u32) -> CoreSpec {
    with_registers(System::Utf8, Role::Decoder, lanes)
}

/// Cores of every role, with each kind of layer around them.
fn cores() -> Vec<CoreSpec> {
    let nonets = System::Utf9 { max: Max::Unicode };
    let passengers = Passengers { tid: 3, tdest: 0, tuser: 5 };
    vec![
        utf_8(1),
        CoreSpec { passengers, axis: Axis::Strict, reset: ResetStyle::AsyncLow, ..utf_8(4) },
        with_registers(System::Utf8, VALIDATOR, 8),
        with_registers(nonets, VALIDATOR, 1),
        with_registers(System::Utf8, Role::Encoder, 2),
        with_registers(System::Utf8, Role::Transcoder { to: System::Utf16 }, 1),
        with_registers(System::Latin1, Role::Transcoder { to: System::Utf8 }, 2),
    ]
}

/// A core with a master of AXI4-Lite beside its streams.
struct Master {
    rig: Rig,
    layout: Layout,
}

impl Master {
    fn new(core: &Core) -> Self {
        let mut rig = Rig::new(EngineKind::Native, core);
        if core.spec.status {
            rig.ports.take_status(&mut rig.inputs, true);
        }
        Self { rig, layout: Layout::new(&core.design) }
    }

    fn set(&mut self, signal: &str, value: u64) {
        let port = self.layout.input(&format!("s_axil_{signal}")).expect("an input");
        port.set(&mut self.rig.inputs, value);
    }

    fn get(&self, signal: &str) -> u64 {
        self.layout.output(&format!("s_axil_{signal}")).expect("an output").get(&self.rig.outputs)
    }

    /// Runs until a signal is 1.
    fn wait(&mut self, signal: &str) {
        for _ in 0..20 {
            self.rig.cycle();
            if self.get(signal) == 1 {
                return;
            }
        }
        panic!("{signal} stays low");
    }

    fn read(&mut self, address: u64) -> u64 {
        self.set("araddr", address);
        self.set("arvalid", 1);
        self.wait("arready");
        self.set("arvalid", 0);
        self.wait("rvalid");
        // A master that is not ready finds the data again.
        let data = self.get("rdata");
        self.rig.cycle();
        assert_eq!((self.get("rvalid"), self.get("rdata"), self.get("rresp")), (1, data, 0));
        self.set("rready", 1);
        self.rig.cycle();
        self.set("rready", 0);
        data
    }

    fn read_total(&mut self, address: u64) -> u64 {
        let low = self.read(address);
        low | self.read(address + 4) << 32
    }

    fn write(&mut self, address: u64, data: u64, strobes: u64) {
        self.set("awaddr", address);
        self.set("awvalid", 1);
        // The address alone is not taken.
        self.rig.cycle();
        self.rig.cycle();
        assert_eq!(self.get("awready"), 0);
        for (signal, value) in [("wdata", data), ("wstrb", strobes), ("wvalid", 1)] {
            self.set(signal, value);
        }
        self.wait("awready");
        assert_eq!(self.get("wready"), 1);
        for (signal, value) in [("awvalid", 0), ("wvalid", 0), ("bready", 1)] {
            self.set(signal, value);
        }
        self.wait("bvalid");
        assert_eq!(self.get("bresp"), 0);
        self.set("bready", 0);
        self.rig.cycle();
    }

    /// Sends a frame, and waits until it is counted.
    fn frame(&mut self, units: &[u8]) {
        let items: Vec<Item> = units.iter().map(|&unit| u32::from(unit).into()).collect();
        self.rig.frame(&items);
        (0..4).for_each(|_| self.rig.cycle());
    }

    /// Frames, ill-formed frames, units, code points and errors.
    fn totals(&mut self) -> [u64; 5] {
        [FRAMES, ILL_FORMED_FRAMES, UNITS, CODE_POINTS, ERRORS].map(|address| self.read_total(address))
    }
}

/// Octets of every kind, some of them text.
fn noise(frames: usize) -> Vec<Vec<u8>> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let text = "z\u{fc}rich \u{20ac}\u{1f600}".as_bytes();
    let octet = |random: u64| {
        if random & 3 == 0 { (random >> 8) as u8 } else { text[(random >> 8) as usize % text.len()] }
    };
    let mut frame = |_| (0..next() % 9).map(|_| octet(next())).collect();
    (0..frames).map(&mut frame).collect()
}

/// What the reference counts of frames: the totals, the numbers of first errors by kind, and the first error: its frame, offset and kind.
type Counted = ([u64; 5], [u64; 11], Option<(u64, u64, u64)>);

fn counted(frames: &[Vec<u8>]) -> Counted {
    let (mut totals, mut kinds, mut first) = ([0; 5], [0; 11], None);
    for (number, frame) in (0..).zip(frames) {
        let mut counts = Counts::default();
        let units: Vec<u32> = frame.iter().copied().map(u32::from).collect();
        System::Utf8.decoder().count(&units, &mut counts, true);
        let text = String::from_utf8_lossy(frame);
        assert_eq!(counts.code_points + counts.errors, text.chars().count() as u64);
        let of_frame = [1, u64::from(counts.errors > 0), counts.units, counts.code_points, counts.errors];
        totals.iter_mut().zip(of_frame).for_each(|(total, number)| *total += number);
        if let Some(error) = counts.first_error {
            let kind = u64::from(error.kind.code());
            kinds[kind as usize] += 1;
            first = first.or(Some((number, error.offset, kind)));
        }
    }
    (totals, kinds, first)
}

#[test]
fn totals_are_those_of_the_reference() {
    let frames = noise(300);
    let (totals, kinds, first) = counted(&frames);
    let first = first.expect("some frame is ill-formed");
    assert!(kinds.iter().filter(|&&count| count > 0).count() >= 5, "{kinds:?}");
    for spec in [utf_8(1), utf_8(4), with_registers(System::Utf8, VALIDATOR, 8)] {
        let mut master = Master::new(&core(spec));
        frames.iter().for_each(|frame| master.frame(frame));
        assert_eq!(master.totals(), totals, "{spec}");
        for (kind, &count) in (0..).zip(&kinds) {
            assert_eq!(master.read(FIRST_KIND + 4 * kind), count, "{spec}: kind {kind}");
        }
        assert_eq!(master.read(FIRST_ERROR), 1 | first.2 << 4, "{spec}");
        assert_eq!(
            (master.read(FIRST_ERROR_FRAME), master.read(FIRST_ERROR_OFFSET)),
            (first.0, first.1),
            "{spec}"
        );
        assert_eq!(master.read(FIRST_ERROR), 0, "{spec}: it was read");
        assert_eq!((master.read(SATURATED), master.read(0xfc), master.read(CONTROL)), (0, 0, 0));
    }
}

/// The rows of docs/interface.md, step by step.
#[test]
fn the_first_error_waits_until_it_is_read_and_a_clear_clears() {
    let mut master = Master::new(&core(utf_8(1)));
    assert_eq!(master.read(ID), 0x5554_4648);
    assert_eq!(master.read(CORE), 0x0801_0001, "8 bits, 1 lane, a decoder, map 1");
    assert_eq!(master.read(FIRST_ERROR), 0);
    for frame in [&b"ab"[..], b"abc\xff", b"\xe2\x82", b"x"] {
        master.frame(frame);
    }
    assert_eq!(master.totals(), [4, 2, 9, 6, 2]);
    assert_eq!(master.read(FIRST_ERROR), 0x61, "invalid");
    // The words beside it stay, whatever comes.
    master.frame(b"\xc0");
    assert_eq!((master.read(FIRST_ERROR_OFFSET), master.read(FIRST_ERROR_FRAME)), (3, 1));
    assert_eq!(master.read(FIRST_ERROR), 0x31, "overlong, which came after the read");
    assert_eq!((master.read(FIRST_ERROR_OFFSET), master.read(FIRST_ERROR_FRAME)), (0, 4));
    let kinds = [ErrorKind::Truncated, ErrorKind::Overlong, ErrorKind::Invalid];
    assert_eq!(kinds.map(|kind| master.read(FIRST_KIND + 4 * u64::from(kind.code()))), [1, 1, 1]);

    master.frame(b"\x80");
    // No other register is written, and none without the strobe or the bit.
    for (address, data, strobes) in
        [(CONTROL, 1, 0xe), (CONTROL, 0xffff_fffe, 0xf), (FRAMES, 1, 0xf), (CONTROL + 4, 1, 0xf)]
    {
        master.write(address, data, strobes);
        assert_eq!(master.read_total(FRAMES), 6);
    }
    master.write(CONTROL, 1, 1);
    assert_eq!(master.totals(), [0; 5]);
    assert_eq!((master.read(FIRST_ERROR), master.read(FIRST_KIND + 4)), (0, 0));
    master.frame(b"\xe9\xff");
    assert_eq!(master.totals(), [1, 1, 2, 0, 2]);
    assert_eq!(
        (master.read(FIRST_ERROR), master.read(FIRST_ERROR_FRAME)),
        (0x21, 0),
        "frames count from the clear"
    );
}

/// The streams are those of the core without registers, whatever is on the bus.
#[test]
fn streams_are_as_without_registers() {
    let mut verdicts = Verdicts::default();
    for spec in cores() {
        let plain = Core::new(CoreSpec { registers: Registers::None, ..spec }).unwrap();
        let core = core(spec);
        assert_eq!(core.latency, plain.latency, "{spec}");
        assert_eq!(stream::combinational(&core), Ok(Vec::new()), "{spec}");
        let cosim = cosim(core, Source::Random { count: 1500 }, Framing::Random, 25);
        run_well(&cosim.core, Inputs::Random { count: 300, seed: 1, stall: 20 });
        verdicts.run(&Cosim { resets: 1, ..cosim }, NATIVE);
    }
    verdicts.finish();
    let wrong = core(utf_8(1));
    let design = Fault::Inverted.inject(&wrong.design, "streaming.gate_opens").unwrap();
    let of = |core| cosim(core, Source::Random { count: 500 }, Framing::Random, 25);
    verdict(&of(Core { design, ..wrong.clone() }), NATIVE).expect_err("a fault is seen through the layer");
    run(&of(wrong), NATIVE);
}

/// Carries between the two words of a total. A register of the frame that is stuck at one makes numbers of 2^32 - 1 a frame.
#[test]
fn totals_have_64_bits() {
    let mut right = core(utf_8(1));
    right.design = Fault::StuckAtOne.inject(&right.design, "totals.units_of_frame_reg").unwrap();
    let mut master = Master::new(&right);
    for frames in 1..=5 {
        master.frame(b"a");
        assert_eq!(master.totals(), [frames, 0, frames * u64::from(u32::MAX), frames, 0]);
    }
    master.write(CONTROL, 1, 1);
    master.frame(b"a");
    assert_eq!(master.read_total(UNITS), u64::from(u32::MAX));
}

#[test]
fn names_and_limits() {
    let spec = utf_8(1);
    assert_eq!(spec.module_name(), "utf_8_decoder_x1_status_registers_axi_lite");
    assert_eq!(spec.in_short(), "utf-8 decoder --status --registers axi-lite");
    let error = Core::new(CoreSpec { status: false, ..spec }).expect_err("no status").to_string();
    assert!(error.starts_with("--registers axi-lite: ") && error.ends_with("add --status"), "{error}");
    let names = |spec| registers(&spec).into_iter().map(|register| register.name).collect::<Vec<_>>();
    assert!(names(spec).contains(&"FIRST_OUT_OF_RANGE_FRAMES".to_owned()));
    let latin_1 = with_registers(System::Latin1, Role::Decoder, 1);
    assert!(!names(latin_1).iter().any(|name| name.ends_with("INVALID_FRAMES")), "it has no errors");
}

fn with_table_port(set: &str) -> CoreSpec {
    let table = Table::named(set).expect("a set that comes with the package");
    CoreSpec { table_port: Registers::AxiLite, ..CoreSpec::new(System::Table(table), Role::Decoder) }
}

/// Before software writes anything, the table is that of the set.
#[test]
fn a_written_table_begins_as_the_set() {
    let mut verdicts = Verdicts::default();
    // A set with octets that have no code point, and one without. Engines have a register for each word, so that runs are short.
    let [with_gaps, without] = ["windows-1253", "koi8-r"].map(with_table_port);
    let places = CoreSpec { on_error: ErrorMode::Drop, position: 12, line: 8, ..with_gaps };
    for (spec, resets) in [(with_gaps, 1), (places, 0), (without, 0)] {
        let cosim = cosim(core(spec), Source::Random { count: 300 }, Framing::Random, 25);
        verdicts.run(&Cosim { resets, ..cosim }, NATIVE);
    }
    verdicts.finish();
}

/// One core reads every set that comes with the package, once its words are written.
#[test]
fn software_writes_tables() {
    let mut master = Master::new(&core(with_table_port("windows-1252")));
    // Software waits for the words of the set, too.
    (0..256).for_each(|_| master.rig.cycle());
    assert_eq!(master.read(4 * 0x80), 0x20AC, "the euro sign of windows-1252");
    let octets: Vec<u8> = (0..=255).collect();
    for system in System::tables().step_by(8) {
        let slots: Vec<Item> = system.decode(&octets).map(|Event { what, .. }| Item::from(what)).collect();
        for (octet, slot) in (0..).zip(&slots) {
            // Bit 31: the octet has no code point.
            let word = if slot.user == 0 { u64::from(slot.data) } else { 1 << 31 };
            master.write(4 * octet, word, 0xf);
            assert_eq!(master.read(4 * octet), word, "{system}");
        }
        let items: Vec<Item> = octets.iter().map(|&octet| u32::from(octet).into()).collect();
        assert_eq!(master.rig.frame(&items).items, slots, "{system}");
    }
    // A word is written as a whole, and its other bits are not there.
    let before = master.read(4);
    master.write(4, 0x41, 0x7);
    assert_eq!(master.read(4), before);
    master.write(4, 0x7fff_ffff, 0xf);
    assert_eq!(master.read(4), 0x001f_ffff);
}

#[test]
fn limits_of_written_tables() {
    let spec = with_table_port("windows-1252");
    assert_eq!(spec.module_name(), "table_windows_1252_decoder_x1_table_port_axi_lite");
    assert_eq!(spec.in_short(), "table:windows-1252 decoder --table-port axi-lite");
    for (spec, message) in [
        (
            CoreSpec { lanes: 2, ..spec },
            "is for decoders of character sets table:NAME and table:FILE of one lane",
        ),
        (CoreSpec { role: Role::Encoder, on_error: ErrorMode::Replace, ..spec }, "is for decoders"),
        (CoreSpec { system: System::Latin1, ..spec }, "is for decoders"),
        (CoreSpec { status: true, ..spec }, "does not have --status"),
        (CoreSpec { axis: Axis::Strict, ..spec }, "does not have --status, --registers, --axis strict"),
    ] {
        let error = Core::new(spec).expect_err("there is none").to_string();
        assert!(error.contains(message), "{error}");
    }
}
