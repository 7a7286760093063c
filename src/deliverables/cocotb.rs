//! A bench in Python, for cocotb with the AXI4-Stream models of cocotbext-axi.

use serde::Serialize;
use utfhdl_hdl::core::{Passengers, Role, registers};

use super::frames::Frame;
use super::testbench::own_user_bits;
use super::{Package, TextFile};
use crate::promise::{Beat, Item};

const TEST: &str = include_str!("cocotb_test.py");

/// Versions that the bench is tested with; tools/test installs them.
const REQUIREMENTS: &str = include_str!("cocotb_requirements.txt");

/// A frame as the test reads it. Units and slots are pairs of tuser and tdata.
#[derive(Serialize)]
struct JsonFrame<'f> {
    about: &'f str,
    input: Vec<(u16, u32)>,
    output: Vec<(u16, u32)>,
    /// Whether the frame held something that could not be written.
    amiss: bool,
    /// The digits of the status.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
}

impl<'f> JsonFrame<'f> {
    fn new(frame: &'f Frame) -> Self {
        let pair = |item: &Item| (item.user, item.data);
        let of_beat = |beat: &Beat| beat.items.iter().map(pair).collect::<Vec<_>>();
        Self {
            about: &frame.about,
            input: frame.input.iter().flat_map(of_beat).collect(),
            output: frame.output.iter().map(pair).collect(),
            amiss: frame.amiss,
            status: frame.status_digits(),
        }
    }
}

pub fn files(package: &Package, frames: &[Frame]) -> Vec<TextFile> {
    let module = package.module;
    // The models of cocotbext-axi send no frame without items, and end a frame with its last item: never with an empty beat, on which a
    // validator marks a sequence that is still open.
    let frames: Vec<String> = frames
        .iter()
        .filter(|frame| frame.end_marks == 0)
        .map(JsonFrame::new)
        .filter(|frame| !frame.input.is_empty())
        .map(|frame| serde_json::to_string(&frame).expect("no map has keys that are no strings"))
        .collect();
    let about =
        format!("Frames through {module}, driven and taken by the AXI4-Stream models of cocotbext-axi.");
    let reset = package.core.design.reset;
    let test = package.head("#", &about)
        + &with_registers(package, with_status(package, with_passengers(package)))
            .replace("@CORE@", module)
            .replace("@STRIDE@", &package.core.spec.lane_user_stride().to_string())
            .replace("@LANES_IN@", &package.core.spec.lanes.to_string())
            .replace("@LANES_OUT@", &package.core.spec.lanes_out().to_string())
            .replace("@RESET@", reset.port())
            .replace("@ACTIVE@", if reset.active_level() { "True" } else { "False" })
            .replace("@SLOTS_IN@", if package.core.spec.role == Role::Encoder { "True" } else { "False" })
            .replace("@SLOTS_OUT@", if package.lanes_have_users() { "True" } else { "False" })
            .replace("@USER_MASK@", &((1_u32 << package.lane_user_bits()) - 1).to_string());
    let makefile = package.head("#", &format!("Runs test_{module}.py: `make`, or `make SIM=verilator`."))
        + &format!(
            "\nSIM ?= icarus\nTOPLEVEL_LANG = verilog\nVERILOG_SOURCES = $(CURDIR)/../{module}.v\n\
             COCOTB_TOPLEVEL = {module}\nCOCOTB_TEST_MODULES = test_{module}\n\
             COCOTB_HDL_TIMEUNIT = 1ns\nCOCOTB_HDL_TIMEPRECISION = 1ps\n\n\
             include $(shell cocotb-config --makefiles)/Makefile.sim\n"
        );
    vec![
        TextFile { path: "cocotb/Makefile".to_owned(), text: makefile, about: "runs the bench in Python" },
        TextFile {
            path: "cocotb/requirements.txt".to_owned(),
            text: package.head("#", "Versions that the bench was tested with.") + REQUIREMENTS,
            about: "the Python packages that it needs",
        },
        TextFile {
            path: format!("cocotb/test_{module}.py"),
            text: test,
            about: "a bench that checks itself, for cocotb",
        },
        TextFile {
            path: format!("cocotb/{module}_frames.json"),
            text: format!("[\n{}\n]\n", frames.join(",\n")),
            about: "the frames of that bench, with what the software reference makes of them",
        },
    ]
}

/// The test, with lines about the status if the core has one.
fn with_status(package: &Package, test: String) -> String {
    let lines = [
        ("ClockCycles, with_timeout", "ClockCycles, RisingEdge, with_timeout"),
        ("@STATUS_SINK@\n", STATUS_SINK),
        ("@TAKES_STATUSES@\n", TAKES_STATUSES),
        ("@STATUS_CHECK@\n", STATUS_CHECK),
    ];
    let is_there = package.core.spec.status;
    let lines = &lines[usize::from(!is_there)..];
    lines.iter().fold(test, |test, (mark, text)| test.replace(mark, if is_there { text } else { "" }))
}

/// The test, with lines about the registers if the core has some.
fn with_registers(package: &Package, test: String) -> String {
    let with_master = |check: &str| {
        test.replace("from cocotbext.axi import ", "from cocotbext.axi import AxiLiteBus, AxiLiteMaster, ")
            .replace("@MASTER@\n", MASTER)
            .replace("@REGISTER_CHECK@\n", check)
    };
    if package.core.spec.table_port.is_there() {
        return with_master(TABLE_CHECK);
    }
    if !package.core.spec.registers.is_there() {
        return test.replace("@MASTER@\n", "").replace("@REGISTER_CHECK@\n", "");
    }
    let address = |name: &str| {
        let all = registers(&package.core.spec);
        all.into_iter().find(|register| register.name == name).expect("a register").address
    };
    let totals = ["FRAMES", "ILL_FORMED_FRAMES", "UNITS", "CODE_POINTS", "ERRORS"];
    let addresses = totals.map(|name| address(&format!("{name}_LOW")).to_string()).join(", ");
    with_master(&REGISTER_CHECK.replace("@ADDRESSES@", &addresses))
}

const MASTER: &str = "    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, \"s_axil\"), dut.clk, **reset)
";

/// Compares the totals with the sums of the statuses: frames, ill-formed ones, units, code points and errors.
const REGISTER_CHECK: &str = "    word = lambda status, number: status >> 32 * number & 0xFFFFFFFF
    due = [len(statuses), sum(status & 1 for status in statuses)]
    due += [sum(word(status, number) for status in statuses) for number in (2, 3, 4)]
    assert [await master.read_qword(address) for address in (@ADDRESSES@)] == due
";

/// Writes words of the table, and reads them.
const TABLE_CHECK: &str = "    for octet, word in ((0x41, 0x20AC), (0xFF, 0x1F600), (0x00, 0x80000000)):
        await master.write_dword(4 * octet, word)
        assert await master.read_dword(4 * octet) == word
";

/// Takes the statuses, with pauses.
const STATUS_SINK: &str = "async def take_statuses(dut, statuses, pauses_of_sink):
    \"\"\"Takes a status in each cycle without a pause.\"\"\"
    for pause in pauses_of_sink:
        dut.status_tready.value = int(not pause)
        await RisingEdge(dut.clk)
        if dut.status_tvalid.value == 1 and not pause:
            statuses.append(int(dut.status_tdata.value))


";

const TAKES_STATUSES: &str = "    statuses = []
    cocotb.start_soon(take_statuses(dut, statuses, pauses(random.Random(3))))
";

const STATUS_CHECK: &str = "    assert statuses == [int(frame[\"status\"], 16) for frame in FRAMES]
";

/// The test, with lines about TID, TDEST and the user's bits of TUSER if the core has them: all of them are the number of the frame.
fn with_passengers(package: &Package) -> String {
    let Passengers { tid, tdest, tuser } = package.core.spec.passengers;
    if package.core.spec.passengers.is_empty() {
        let [constants, sends, checks] = ["@CONSTANTS@\n", "@SENDS@\n", "@CHECKS@\n"];
        let send = if package.system_bits() > 0 { SENDS_OF_SYSTEMS } else { SENDS };
        return TEST.replace(constants, "").replace(sends, send).replace(checks, "");
    }
    let [own_in, own_out] = ["s_axis", "m_axis"].map(|side| own_user_bits(package, side));
    let constants = format!(
        "# Bits of the user's: the number of the frame. Those of tuser are above OWN bits of the core's.\n\
         TID, TDEST, TUSER = {tid}, {tdest}, {tuser}\nOWN_IN, OWN_OUT = {own_in}, {own_out}\n{RIDE}"
    );
    let ride = "        sent = bus_in.frame(frame[\"input\"])\n        ride(sent, number, bus_in.bytes)\n        await source.send(sent)\n";
    let sends = format!("    for number, frame in enumerate(FRAMES):\n{ride}");
    let mut text =
        TEST.replace("@CONSTANTS@\n", &constants).replace("@SENDS@\n", &sends).replace("@CHECKS@\n", CHECKS);
    text = text.replace(
        "found, users = bus_out.items(await with_timeout(sink.recv(compact=False), 1, \"ms\"))",
        RECEIVES,
    );
    if tuser > 0 {
        text = text.replace("every_bit = (1 << len(dut.m_axis_tuser)) - 1", "every_bit = 1");
        text = text.replace("users.append(user)", "users.append(user & (1 << OWN_OUT) - 1)");
    }
    text
}

/// Sends the frames.
const SENDS: &str = "    for frame in FRAMES:\n        await source.send(bus_in.frame(frame[\"input\"]))\n";

/// Sends the frames one after the other, each with the number of its system, which is above the first octet.
const SENDS_OF_SYSTEMS: &str = "    for frame in FRAMES:
        dut.system.value = frame[\"input\"][0][1] >> 8
        await source.send(bus_in.frame(frame[\"input\"]))
        await source.wait()
";

/// Adds the passengers to a frame.
const RIDE: &str = "

def ride(frame, number, bytes_of_lane):
    \"\"\"Adds the number to a frame. On all beats but the last, the user's bits of tuser are wrong.\"\"\"
    if TID:
        frame.tid = number % (1 << TID)
    if TDEST:
        frame.tdest = number % (1 << TDEST)
    if TUSER:
        size = len(frame.tdata)
        last = (size - 1) // (LANES * bytes_of_lane) * LANES * bytes_of_lane
        for index in range(size):
            user = (number if index >= last else ~number) % (1 << TUSER)
            frame.tuser[index] = frame.tuser[index] % (1 << OWN_IN) | user << OWN_IN

";

/// Receives a frame, which is kept.
const RECEIVES: &str = "received = await with_timeout(sink.recv(compact=False), 1, \"ms\")\n        found, users = bus_out.items(received)";

/// Compares the passengers of a frame. The models join equal values.
const CHECKS: &str = "        for bits, value in ((TID, received.tid), (TDEST, received.tdest)):
            values = set(value) if isinstance(value, list) else {value}
            assert not bits or values == {number % (1 << bits)}, f\"{note}: tid or tdest is {values}\"
        if TUSER:
            user = [user >> OWN_OUT for user in received.tuser]
            last = (len(user) - 1) // (LANES * bus_out.bytes) * LANES * bus_out.bytes
            assert set(user[last:]) == {number % (1 << TUSER)}, f\"{note}: tuser is {user}\"
            assert not any(user[:last]), f\"{note}: tuser is {user}\"
";
