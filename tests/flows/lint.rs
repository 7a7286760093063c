//! No tool has anything to warn about in the text of any core or block. Of a long list a run takes a part, which the commit draws; all with
//! `UTFHDL_VERILOG=all`.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use utfhdl_hdl::core::adapters::{Adapter, AdapterSpec};
use utfhdl_hdl::core::{
    Core, CoreSpec, ErrorMode, MultiOctet, Packing, Role, Stall, Storage, System, Verdict,
};
use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::{Design, Module, ResetStyle};
use utfhdl_hdl::stream::{elastic_buffer, register_slice, skid_buffer, skid_buffer_ahead, skid_buffer_told};

use crate::common::samples::{is_all, one_in};

/// How far Yosys goes with a core.
#[derive(Clone, Copy)]
enum Synthesis {
    /// To gates.
    Whole,
    /// To adders, multiplexers and registers: from there on it is the size of a core that takes time.
    Coarse,
    /// Not at all: the text is read and checked.
    Checked,
}

/// The messages of the tools for the file `<top>.v` with `text`. Any output is a complaint.
fn complaints(top: &str, text: &str, synthesis: Synthesis) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = format!("{top}.v");
    std::fs::write(folder.path().join(&file), text).expect("the file is written");
    let synth = match synthesis {
        Synthesis::Whole => format!("synth -top {top}; check -assert"),
        Synthesis::Coarse => format!("synth -run begin:fine -top {top}; check -assert"),
        Synthesis::Checked => String::new(),
    };
    // A latch is no warning to yosys.
    let synthesis = format!(
        "read_verilog {file}; hierarchy -check -top {top}; proc; select -assert-none t:$dlatch t:$adlatch; \
         check -assert; {synth}"
    );
    let verilator = run(folder.path(), "verilator", &["--lint-only", "-Wall", &file]);
    let icarus = run(folder.path(), "iverilog", &["-g2001", "-Wall", "-o", "lint.vvp", &file]);
    let yosys = run(folder.path(), "yosys", &["-q", "-p", &synthesis]);
    [verilator, icarus, yosys].into_iter().flatten().collect()
}

/// The output of a tool, if there is any, or if the tool fails.
fn run(folder: &Path, tool: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; tools/test installs it"));
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let clean = output.status.success() && text.is_empty();
    (!clean).then(|| format!("{tool} ({}):\n{text}", output.status))
}

fn assert_clean(what: &str, top: &str, text: &str, synthesis: Synthesis) {
    let complaints = complaints(top, text, synthesis);
    assert!(complaints.is_empty(), "{what}:\n{}", complaints.join("\n"));
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn every_decoder_is_clean() {
    are_clean(one_of(16, CoreSpec::all().into_iter().filter(|spec| spec.role == Role::Decoder)));
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn every_encoder_is_clean() {
    are_clean(one_of(16, CoreSpec::all().into_iter().filter(|spec| spec.role == Role::Encoder)));
}

/// Cores with tables of pairs: those with four octets, with three, and with pairs of code points.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn cores_of_sets_of_several_octets_are_clean() {
    let of = |set, role| CoreSpec::new(System::MultiOctet(set), role);
    let decoder = of(MultiOctet::EucJp, Role::Decoder);
    for spec in one_of(
        9,
        [
            of(MultiOctet::Gb18030, Role::Decoder),
            of(MultiOctet::Gb18030, Role::Encoder),
            of(MultiOctet::EucJp, Role::Validator(Verdict::default())),
            of(MultiOctet::Big5, Role::Decoder),
            CoreSpec { lanes: 4, ..of(MultiOctet::Gb18030, Role::Decoder) },
            CoreSpec { lanes: 4, ..of(MultiOctet::Gb18030, Role::Encoder) },
            CoreSpec { lanes: 2, status: true, ..of(MultiOctet::Big5, Role::Encoder) },
            CoreSpec { lanes: 2, ..of(MultiOctet::EucJp, Role::Validator(Verdict::default())) },
            CoreSpec { position: 16, status: true, ..decoder },
        ],
    ) {
        is_clean(spec, Synthesis::Checked);
    }
}

/// Cores that choose their system for each frame, with each kind of front.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn cores_that_choose_their_system_are_clean() {
    let to_utf_8 = Role::Transcoder { to: System::Utf8 };
    let of_one_lane = [
        "auto:utf-8+utf-16le+utf-16be+latin-1",
        "auto:cesu-8+utf-32le+utf-32be+ucs-2le+wtf-8+ascii+table:windows-1252+utf-ebcdic-i8+mutf-8+utf-8-rfc2279",
    ];
    let of_one_lane = of_one_lane.into_iter().flat_map(|list| {
        let roles = [Role::Decoder, to_utf_8].into_iter();
        roles.flat_map(move |role| role.on_error().iter().map(move |&on_error| (list, 1, role, on_error)))
    });
    let of_several = [
        ("auto:utf-8+utf-16le+utf-16be+latin-1", 8),
        ("auto:cesu-8+utf-32le+utf-32be+ucs-2le+table:windows-1252", 2),
        ("auto:latin-1+utf-8+utf-16le+utf-16be+utf-32le+utf-32be,choose=bom", 4),
        ("auto:gb18030+utf-8+table:windows-1252", 4),
    ];
    let of_several = of_several.into_iter().flat_map(|(list, lanes)| {
        [(list, lanes, Role::Decoder, ErrorMode::Flag), (list, lanes, to_utf_8, ErrorMode::Replace)]
    });
    for (list, lanes, role, on_error) in one_of(8, of_one_lane.chain(of_several)) {
        is_clean(
            CoreSpec { lanes, on_error, ..CoreSpec::new(list.parse().unwrap(), role) },
            Synthesis::Checked,
        );
    }
}

/// Decoders of more lanes differ from these only in their number of lanes.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn every_decoder_of_a_few_lanes_is_clean() {
    let few = CoreSpec::of_several_lanes().into_iter().filter(|spec| match spec.on_error {
        ErrorMode::Drop => spec.lanes == 4,
        _ => spec.lanes == 2,
    });
    are_clean_coarsely(one_of(16, few));
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn some_decoders_of_many_lanes_are_clean() {
    let many = CoreSpec::of_several_lanes().into_iter().filter(|spec| spec.lanes > 4);
    let many = many.filter(|spec| spec.lanes <= 16 || spec.system == System::Utf8);
    are_clean_coarsely(one_of(40, many));
}

/// The encoders of 2 and 4 lanes of some systems, and those of `utf-8` of 8 lanes.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn some_encoders_of_several_lanes_are_clean() {
    let few = CoreSpec::encoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 4);
    let utf_8 = CoreSpec { lanes: 8, ..CoreSpec::new(System::Utf8, Role::Encoder) };
    are_clean_coarsely(one_of(18, few).chain([utf_8]));
}

/// A sample of the transcoders of 2 to 8 lanes, and the one from `utf-8` to itself of 8 lanes.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn some_transcoders_of_several_lanes_are_clean() {
    let few = CoreSpec::transcoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 8);
    let scrubber =
        CoreSpec { lanes: 8, ..CoreSpec::new(System::Utf8, Role::Transcoder { to: System::Utf8 }) };
    are_clean_coarsely(one_of(1600, few).chain([scrubber]));
}

/// A sample of the validators of 2 and 4 lanes, and that of `utf-8` of 8 lanes.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn some_validators_of_several_lanes_are_clean() {
    let few = CoreSpec::validators_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 4);
    let utf_8 = CoreSpec { lanes: 8, ..CoreSpec::new(System::Utf8, Role::Validator(Verdict::default())) };
    are_clean_coarsely(one_of(22, few).chain([utf_8]));
}

/// A sample of the dense decoders: the dense output comes after the parts in which systems differ.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn some_dense_decoders_are_clean() {
    let few = CoreSpec::of_several_lanes().into_iter().filter(|spec| spec.lanes <= 8);
    are_clean_coarsely(one_of(40, few).map(|spec| CoreSpec { pack: Packing::Dense, ..spec }));
}

/// Decoders and validators that stall by credits, in both forms of their memory.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn some_cores_with_credits_are_clean() {
    let of = |system, role, lanes, storage| {
        let stall = Stall::Credit(storage);
        CoreSpec { lanes, stall, ..CoreSpec::new(system, role) }
    };
    let validator = Role::Validator(Verdict::default());
    are_clean_coarsely(
        [
            of(System::Utf8, Role::Decoder, 2, Storage::Registers),
            of(System::Utf8, Role::Decoder, 8, Storage::Ram),
            of(System::Utf8, validator, 8, Storage::Ram),
            of(System::Latin1, Role::Decoder, 4, Storage::Ram),
        ]
        .into_iter(),
    );
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn strict_cores_are_clean() {
    are_clean(one_of(16, CoreSpec::strict()));
}

/// A sample of all pairs: the halves are those of the decoders and encoders.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn transcoders_are_clean() {
    are_clean(one_of(400, CoreSpec::transcoders()));
}

/// One in `parts` of the items.
fn one_of<T>(parts: usize, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    one_in(parts, is_all("UTFHDL_VERILOG"), items).into_iter()
}

fn are_clean(specs: impl Iterator<Item = CoreSpec>) {
    are_clean_after(specs, Synthesis::Whole);
}

fn are_clean_coarsely(specs: impl Iterator<Item = CoreSpec>) {
    are_clean_after(specs, Synthesis::Coarse);
}

/// All of them as text, and some as what Yosys makes of them in `synthesis`: the others are made of the same parts. With
/// `UTFHDL_VERILOG=all` Yosys synthesises all, which takes minutes.
fn are_clean_after(specs: impl Iterator<Item = CoreSpec>, synthesis: Synthesis) {
    let takes_all = is_all("UTFHDL_VERILOG");
    let systems = [
        System::Utf8,
        System::Utf18,
        System::hunk(4),
        System::CorrectedUtf8 { document: true, private: false },
    ];
    for spec in specs {
        let is_synthesised = takes_all || systems.contains(&spec.system);
        is_clean(spec, if is_synthesised { synthesis } else { Synthesis::Checked });
    }
}

fn is_clean(spec: CoreSpec, synthesis: Synthesis) {
    let core = Core::new(spec).expect("a core that is listed");
    assert_clean(&core.command(), core.design.top.name(), &core.verilog(), synthesis);
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn cores_with_chosen_names_are_clean() {
    let spec = CoreSpec::new(System::Utf8, Role::Transcoder { to: System::Utf18 });
    for name in ["Text_In", "elastic_buffer_w23"] {
        let core = Core::named(spec, name).expect("a name that can be");
        assert_clean(&core.command(), name, &core.verilog(), Synthesis::Whole);
    }
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn adapters_are_clean() {
    for spec in one_of(16, AdapterSpec::sample()) {
        let adapter = Adapter::new(spec).expect("an adapter that is listed");
        let synthesis =
            if spec.lanes.max(spec.lanes_out()) > 16 { Synthesis::Coarse } else { Synthesis::Whole };
        assert_clean(&adapter.command(), adapter.design.top.name(), &adapter.verilog(), synthesis);
    }
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn blocks_are_clean_by_themselves() {
    let blocks: [fn(u32) -> Arc<Module>; 5] =
        [elastic_buffer, register_slice, skid_buffer, skid_buffer_ahead, skid_buffer_told];
    for (block, width) in blocks.into_iter().flat_map(|block| [1, 70].map(|width| (block, width))) {
        let design = Design { top: block(width), reset: ResetStyle::AsyncLow };
        let header = Header { command: "none".to_owned(), version: "0".to_owned(), ..Header::default() };
        let name = design.top.name();
        assert_clean(name, name, &verilog(&design, &header), Synthesis::Whole);
    }
}

/// The tools do look: each mistake must be seen by the named tool at least.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn mistakes_are_seen() {
    for (tool, mistake) in [
        ("verilator", "assign y = {a, a};"),
        ("verilator", "wire unused = a; assign y = a;"),
        ("iverilog", "assign y = undeclared;"),
        ("yosys", "reg held; always @* if (a) held = b; assign y = held;"),
        ("yosys", "assign y = a; assign y = b;"),
    ] {
        let text = format!(
            "`default_nettype none\nmodule top (input wire a, input wire b, output wire y);\n{mistake}\nendmodule\n"
        );
        let found = complaints("top", &text, Synthesis::Coarse);
        assert!(found.iter().any(|text| text.starts_with(tool)), "{tool}: {mistake}: {found:?}");
    }
}
