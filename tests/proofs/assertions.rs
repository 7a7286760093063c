//! The assertions that `generate --assertions` writes, run by Verilator with `--assert`: they hold on noise with stalls and
//! resets, and for each assertion there is a fault that makes it fire.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use utfhdl::cosim::{Framing, Source, Stimulus};
use utfhdl::promise::Beat;
use utfhdl_hdl::core::{Axis, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Max, Passengers, Role, System};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::tool::{Cache, ToolError};

use crate::common::samples::{is_all, one_in};

/// Units or slots of noise that go into a core.
const ITEMS: u64 = 6000;

/// Faults at the ports: the assertion that fires in some core, the port, and the faulty value of the port, as an expression of the
/// correct value. `noise` counts cycles.
const FAULTS: &[(&str, &str, &str)] = &[
    ("m_axis_tvalid_stays", "m_axis_tvalid", "good_m_axis_tvalid && noise[1]"),
    ("m_axis_beat_is_stable", "m_axis_tdata", "good_m_axis_tdata ^ noise[1]"),
    ("no_empty_beat", "m_axis_tkeep", "0"),
    ("quiet_in_reset", "m_axis_tvalid", "good_m_axis_tvalid || in_reset"),
    ("unused_tdata_is_zero", "m_axis_tkeep", "0"),
    ("tkeep_of_a_lane_is_alike", "m_axis_tkeep", "good_m_axis_tkeep & 1"),
    ("unused_tuser_is_zero", "m_axis_tuser", "good_m_axis_tuser | !m_axis_tkeep"),
    ("unused_tuser_is_zero", "m_axis_tkeep", "0"),
    ("tuser_is_legal", "m_axis_tuser", "12"),
    ("tuser_is_legal", "m_axis_tuser", "good_m_axis_tuser == 6 ? 9 : good_m_axis_tuser"),
    (
        "code_point_is_not_past_the_last",
        "m_axis_tdata",
        "good_m_axis_tuser == 0 && good_m_axis_tdata != 0 ? 32'h110000 : good_m_axis_tdata",
    ),
    (
        "code_point_is_no_surrogate",
        "m_axis_tdata",
        "good_m_axis_tuser == 0 && good_m_axis_tdata != 0 ? 32'hD800 + noise : good_m_axis_tdata",
    ),
    ("error_is_replacement", "m_axis_tdata", "good_m_axis_tuser - 4'd1 < 10 ? 65 : good_m_axis_tdata"),
    ("head_announces_limbs", "m_axis_tdata", "good_m_axis_tuser == 14 ? 1 : good_m_axis_tdata"),
    ("limbs_are_whole", "m_axis_tuser", "good_m_axis_tuser == 15 ? 0 : good_m_axis_tuser"),
    ("limb_has_a_head", "m_axis_tuser", "good_m_axis_tuser == 14 ? 0 : good_m_axis_tuser"),
    ("first_limb_is_not_zero", "m_axis_tdata", "good_m_axis_tuser == 15 ? 0 : good_m_axis_tdata"),
    ("group_ends_in_its_frame", "m_axis_tlast", "good_m_axis_tlast || good_m_axis_tuser == 14"),
    ("error_only_in_a_group", "m_axis_tuser", "good_m_axis_tuser == 0 ? 1 : good_m_axis_tuser"),
    ("slots_never_outnumber_units", "s_axis_tready", "good_s_axis_tready && noise[3:0] == 0"),
    ("tlast_is_of_a_frame", "m_axis_tlast", "1"),
    ("every_frame_ends", "m_axis_tlast", "0"),
    ("tuser_only_with_tlast", "m_axis_tuser", "~0"),
    ("tuser_is_alike", "m_axis_tuser", "1"),
    ("padding_is_zero", "m_axis_tdata", "~0"),
    ("tid_is_of_its_frame", "m_axis_tid", "good_m_axis_tid ^ m_axis_tkeep"),
    ("tdest_is_of_its_frame", "m_axis_tdest", "good_m_axis_tdest ^ m_axis_tlast"),
    ("tuser_is_of_its_frame", "m_axis_tuser", "good_m_axis_tuser ^ (m_axis_tlast << 4)"),
    ("status_tvalid_stays", "status_tvalid", "good_status_tvalid && noise[1]"),
    ("status_is_stable", "status_tdata", "good_status_tdata ^ noise[1]"),
    ("ill_formed_has_errors", "status_tdata", "good_status_tdata ^ 1"),
    ("ill_formed_has_a_kind", "status_tdata", "good_status_tdata ^ 1"),
    ("status_is_quiet_in_reset", "status_tvalid", "good_status_tvalid || in_reset"),
    ("status_is_of_a_frame", "status_tvalid", "noise[0]"),
    ("status_is_in_time", "status_tvalid", "0"),
];

/// A core with its assertions as a program, in which a fault can be chosen at run time.
struct Program {
    folder: TempDir,
    labels: BTreeSet<String>,
}

impl Program {
    fn build(core: &Core) -> Self {
        let folder = TempDir::new().expect("a folder");
        let name = core.design.top.name();
        let write = |file: &str, text: &str| {
            std::fs::write(folder.path().join(file), text).expect("the file is written");
        };
        let assertions = core.assertions();
        write(&format!("{name}.v"), &with_faults(core));
        write(&format!("{name}_assertions.sv"), &assertions);
        write("beats.txt", &beats(core));
        write("main.cpp", &driver(core));
        let verilate =
            ["--cc", "--assert", "--quiet-exit", "-Wno-lint", "-O1", "--prefix", "Vcore", "--Mdir", "obj"];
        let [text, rules] = [format!("{name}.v"), format!("{name}_assertions.sv")];
        run(folder.path(), "verilator", &[&verilate[..], &["--top-module", name, &text, &rules]].concat());
        compile(folder.path());
        let labels = assertions.lines().filter_map(|line| {
            let (label, rest) = line.split_once(": ")?;
            (rest.starts_with("assert ") || rest.starts_with("assume "))
                .then(|| label.rsplit(' ').next().unwrap_or(label).to_owned())
        });
        Self { labels: labels.collect(), folder }
    }

    /// Runs it; gives the assertions that fired and the beats that went out.
    fn run(&self, arguments: &[String]) -> (BTreeSet<String>, u64) {
        let program: PathBuf = self.folder.path().join("Vcore");
        let output = Command::new(program)
            .current_dir(self.folder.path())
            .arg("+verilator+error+limit+1000000")
            .args(arguments)
            .output()
            .expect("the program runs");
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let fired = text.lines().filter_map(|line| {
            let (_, path) = line.split_once("Assertion failed in ")?;
            Some(path.split(':').next()?.rsplit('.').next()?.to_owned())
        });
        let beats = text.lines().find_map(|line| line.strip_prefix("beats: ")?.parse().ok());
        (fired.collect(), beats.unwrap_or(0))
    }
}

/// Compiles the bench and what Verilator wrote as one unit, without optimisation, since most of the time is the compiler's.
/// Verilator's runtime is compiled once for all programs.
fn compile(folder: &Path) {
    let root = run(folder, "verilator", &["--getenv", "VERILATOR_ROOT"]);
    let include = Path::new(root.trim()).join("include");
    let include = include.to_str().expect("a path in UTF-8");
    let version = run(folder, "verilator", &["--version"]);
    let compiler = |folder: &Path, arguments: &[&str]| {
        let vltstd = format!("{include}/vltstd");
        run(folder, "g++", &[&["-std=gnu++17", "-I", include, "-I", &vltstd][..], arguments].concat())
    };
    let archived = Cache::of_user().file(&["runtime of assertions", &version], "o", |scratch| {
        let sources = "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n";
        std::fs::write(scratch.join("runtime.cpp"), sources).expect("the file is written");
        compiler(scratch, &["-c", "-O1", "-o", "runtime.o", "runtime.cpp"]);
        Ok::<_, ToolError>(scratch.join("runtime.o"))
    });
    let archived = archived.expect("the runtime is kept");
    let entries = std::fs::read_dir(folder.join("obj")).expect("Verilator made the folder");
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let unity = names.filter(|name| name.ends_with(".cpp")).map(|name| format!("#include \"obj/{name}\"\n"));
    let unity = unity.collect::<String>() + "#include \"main.cpp\"\n";
    std::fs::write(folder.join("unity.cpp"), unity).expect("the file is written");
    let archived = archived.to_str().expect("a path in UTF-8");
    compiler(folder, &["-I", "obj", "-o", "Vcore", "unity.cpp", archived, "-pthread"]);
}

/// The output of a tool that must succeed.
fn run(folder: &Path, tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; tools/test installs it"));
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text of a core in which `+fault=N` puts fault N - 1 of [`FAULTS`] at its port.
fn with_faults(core: &Core) -> String {
    let mut text = core.verilog();
    let reset = core.design.reset;
    let in_reset = if reset.active_level() { reset.port().to_owned() } else { format!("!{}", reset.port()) };
    let chosen = format!(
        "\n    integer fault;\n    initial if (!$value$plusargs(\"fault=%d\", fault)) fault = 0;\n    \
         reg [7:0] noise = 8'd0;\n    always @(posedge clk) noise <= noise + 8'd1;\n    \
         wire in_reset = {in_reset};\n"
    );
    let mut wires = String::new();
    for port in core.design.top.outputs() {
        let (before, rest) = text
            .split_once(&format!("    assign {:<13} = ", port.name))
            .unwrap_or_else(|| panic!("{} is assigned", port.name));
        let (value, after) = rest.split_once(";\n").expect("an assignment ends");
        let good = format!("good_{}", port.name);
        let faults = FAULTS.iter().enumerate().filter(|(_, (_, at, _))| *at == port.name);
        let shown: String =
            faults.map(|(index, (.., fault))| format!("fault == {} ? ({fault}) : ", index + 1)).collect();
        wires += &format!("    wire [{}:0] {good};\n", port.width - 1);
        text = format!(
            "{before}    assign {good} = {value};\n    assign {} = {shown}{good};\n{after}",
            port.name
        );
    }
    let ports_end = text.find("\n);\n").expect("the ports end") + "\n);\n".len();
    text.insert_str(ports_end, &(chosen + &wires));
    text
}

/// The beats that go in, a line each: data, user and last.
fn beats(core: &Core) -> String {
    let source = Source::Random { count: ITEMS };
    let mut stimulus = Stimulus::new(core, &source, Framing::Random, 11).expect("noise can be read");
    let mut beat = Beat::default();
    let mut text = String::new();
    while stimulus.next_beat(&mut beat).expect("noise can be read") {
        let item = beat.items.first().copied().unwrap_or_default();
        text += &format!("{:x} {} {:x} {}\n", item.data, beat.items.len(), item.user, u8::from(beat.last));
    }
    text
}

/// A bench in C++: it offers the beats with stalls on both sides, resets the core twice, and rests in the end. With the
/// argument `impatient` it takes beats back that are not taken at once.
fn driver(core: &Core) -> String {
    let reset = core.design.reset;
    let (port, active) = (reset.port(), u8::from(reset.active_level()));
    let has = |name: &str| core.design.top.inputs().any(|port| port.name == name);
    // Verilator wants the bits above a port to be zero.
    let drive = |signal: &str, value: &str| {
        let name = format!("s_axis_{signal}");
        let port = core.design.top.inputs().find(|port| port.name == name).expect("an input of every core");
        format!("top->{name} = ({value}) & {:#x}u;", u32::MAX >> (32 - port.width))
    };
    // Those of a frame: on a frame's later beats, only the source's promise to change nothing while it waits counts.
    let passengers: String = ["tid", "tdest"]
        .into_iter()
        .filter(|name| has(&format!("s_axis_{name}")))
        .map(|name| drive(name, "next * 2654435761u >> 7"))
        .collect();
    let data = drive("tdata", "offered ? beat.data : next_random()");
    let keep = drive("tkeep", "offered ? (beat.keep ? ~0u : 0u) : next_random()");
    let last = drive("tlast", "offered ? beat.last : next_random()");
    // Bits of the user's are above those of a slot.
    let user = "offered ? beat.user | (next * 2654435761u >> 9 << 4) : next_random()";
    let user = if has("s_axis_tuser") { drive("tuser", user) } else { String::new() };
    let status =
        if has("status_tready") { "top->status_tready = done || next_random() % 3 != 0;" } else { "" };
    format!(
        r#"
#include "Vcore.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

struct Beat {{ unsigned data, keep, user, last; }};

static uint32_t state = 1;
static uint32_t next_random() {{
    state ^= state << 13; state ^= state >> 17; state ^= state << 5;
    return state;
}}

int main(int argc, char** argv) {{
    VerilatedContext context;
    context.commandArgs(argc, argv);
    bool impatient = argc > 1 && !strcmp(argv[argc - 1], "impatient");
    Vcore* top = new Vcore(&context);
    std::vector<Beat> beats;
    FILE* file = fopen("beats.txt", "r");
    for (Beat beat; fscanf(file, "%x %u %x %u", &beat.data, &beat.keep, &beat.user, &beat.last) == 4;)
        beats.push_back(beat);
    size_t next = 0;
    unsigned long out = 0;
    bool offered = false;
    for (unsigned long cycle = 0, rest = 0; rest < 1000; cycle++) {{
        bool in_reset = cycle < 3 || (cycle >= 2000 && cycle < 2004);
        bool done = next == beats.size();
        if (done) rest++;
        if (in_reset) offered = false;
        else if (!offered || impatient) offered = !done && next_random() % 4 != 0;
        Beat beat = done ? Beat() : beats[next];
        top->{port} = in_reset ? {active} : !{active};
        top->s_axis_tvalid = offered || (in_reset && next_random() % 2);
        {data}
        {keep}
        {last}
        {user}
        {passengers}
        top->m_axis_tready = done || next_random() % 3 != 0;
        {status}
        top->clk = 0;
        top->eval();
        bool taken = offered && top->s_axis_tready;
        if (!in_reset && top->m_axis_tvalid && top->m_axis_tready) out++;
        top->clk = 1;
        top->eval();
        if (taken) {{ next++; offered = false; }}
        if (cycle > 40 * beats.size() + 4000) break;
    }}
    printf("beats: %lu\n", out);
    top->final();
    return 0;
}}
"#
    )
}

/// The assertions hold on noise, and each fires at some fault.
fn check(spec: CoreSpec) -> Program {
    let core = Core::new(spec).expect("a core");
    let program = Program::build(&core);
    let (fired, beats) = program.run(&[]);
    assert!(fired.is_empty() && beats > ITEMS / 8, "{spec}: {fired:?} fired, {beats} beats went out");
    assert!(program.labels.len() > 5, "{spec}: {:?}", program.labels);
    for label in &program.labels {
        let faults = (1..).zip(FAULTS).filter(|(_, (fires, ..))| fires == label);
        let mut arguments: Vec<String> = faults.map(|(number, _)| format!("+fault={number}")).collect();
        if label == "s_axis_waits" {
            arguments.push("impatient".to_owned());
        }
        assert!(!arguments.is_empty(), "{spec}: there is no fault that makes {label} fire");
        let fired: Vec<BTreeSet<String>> =
            arguments.into_iter().map(|argument| program.run(&[argument]).0).collect();
        assert!(
            fired.iter().any(|fired| fired.contains(label)),
            "{spec}: {label} did not fire, but {fired:?}"
        );
    }
    program
}

/// Checks one of up to three cores, or all with `UTFHDL_VERILOG=all`.
fn check_one_of(specs: impl IntoIterator<Item = CoreSpec>) {
    for spec in one_in(3, is_all("UTFHDL_VERILOG"), specs) {
        check(spec);
    }
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn of_a_decoder_they_hold_and_fire() {
    let decoder = CoreSpec::new(System::Utf8, Role::Decoder);
    let program = check(CoreSpec { reset: ResetStyle::AsyncLow, ..decoder });
    // Every fault about what a slot may be is one in UTF-8: each of its limits is asserted, and a 9 where the core has six kinds.
    for (number, (label, ..)) in (1..).zip(FAULTS) {
        if label.starts_with("tuser_is_legal") || label.starts_with("code_point_") {
            let (fired, _) = program.run(&[format!("+fault={number}")]);
            assert!(fired.contains(*label), "fault {number}: {label} did not fire, but {fired:?}");
        }
    }
    check(CoreSpec { on_error: ErrorMode::Drop, ..decoder });
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn of_a_decoder_of_long_code_points_they_hold_and_fire() {
    let decoder = CoreSpec::new(System::UtfInf8 { digits: DEFAULT_DIGITS }, Role::Decoder);
    check_one_of([decoder, CoreSpec { on_error: ErrorMode::Drop, ..decoder }]);
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn of_encoders_and_transcoders_they_hold_and_fire() {
    let to = System::Utf9 { max: Max::Unicode };
    check_one_of([
        CoreSpec::new(System::Utf8, Role::Encoder),
        CoreSpec::new(System::UtfInf8 { digits: DEFAULT_DIGITS }, Role::Encoder),
        CoreSpec { on_error: ErrorMode::Drop, ..CoreSpec::new(System::Utf8, Role::Transcoder { to }) },
    ]);
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn of_passengers_they_hold_and_fire() {
    let passengers = Passengers { tid: 4, tdest: 1, tuser: 9 };
    check_one_of([
        CoreSpec { passengers, on_error: ErrorMode::Drop, ..CoreSpec::new(System::Utf8, Role::Decoder) },
        CoreSpec { passengers, axis: Axis::Strict, ..CoreSpec::new(System::Utf8, Role::Encoder) },
    ]);
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn of_a_status_they_hold_and_fire() {
    check(CoreSpec { status: true, ..CoreSpec::new(System::Utf8, Role::Decoder) });
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn of_strict_ports_they_hold_and_fire() {
    let nonets = |role| CoreSpec::new(System::Utf9 { max: Max::Unicode }, role);
    check_one_of([Role::Decoder, Role::Encoder].map(|role| CoreSpec { axis: Axis::Strict, ..nonets(role) }));
}
