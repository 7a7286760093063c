//! `--axis strict`: the same cores with whole bytes on their ports, in every engine and every command.

use assert_cmd::Command;
use tempfile::TempDir;
use utfhdl::campaign::{Campaign, Inputs};
use utfhdl::cosim::{Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Ports;
use utfhdl_hdl::core::{Axis, Core, CoreSpec, Max, Role, System};
use utfhdl_hdl::netlist::{Builder, Design, Direction, Signal};
use utfhdl_sim::Layout;

use crate::common::campaigns::{first_failing, run_well};
use crate::common::hardware::{NATIVE, Verdicts, core, cosim, verdict};
use crate::common::samples::{is_all, one_in};

const UTF_9: System = System::Utf9 { max: Max::Unicode };

fn strict(system: System, role: Role) -> Core {
    core(CoreSpec { axis: Axis::Strict, ..CoreSpec::new(system, role) })
}

fn width(core: &Core, port: &str) -> Option<u32> {
    core.design.top.ports().iter().find(|known| known.name == port).map(|port| port.width)
}

#[test]
fn ports_have_whole_bytes() {
    // Bits of tdata, tkeep and tuser, in and out.
    for (system, role, input, output) in [
        (System::Utf8, Role::Decoder, [8, 1, 0], [32, 4, 4]),
        (System::hunk(5), Role::Decoder, [8, 1, 0], [32, 4, 4]),
        (UTF_9, Role::Decoder, [16, 2, 0], [32, 4, 4]),
        (System::Utf8, Role::Encoder, [32, 4, 4], [8, 1, 1]),
        (UTF_9, Role::Encoder, [32, 4, 4], [16, 2, 2]),
        (System::Utf16, Role::Decoder, [16, 2, 0], [32, 4, 4]),
        (System::Utf32 { max: Max::Unicode }, Role::Encoder, [32, 4, 4], [32, 4, 4]),
        (System::hunk(1), Role::Transcoder { to: UTF_9 }, [8, 1, 0], [16, 2, 2]),
    ] {
        let core = strict(system, role);
        for (side, widths) in [("s_axis", input), ("m_axis", output)] {
            let found =
                ["tdata", "tkeep", "tuser"].map(|name| width(&core, &format!("{side}_{name}")).unwrap_or(0));
            assert_eq!(found, widths, "{system} {role} {side}");
        }
    }
}

#[test]
fn nothing_else_differs() {
    for spec in CoreSpec::strict() {
        let (strict, lane) = (core(spec), core(CoreSpec { axis: Axis::Lane, ..spec }));
        assert_eq!(strict.latency, lane.latency, "{spec}");
        let registers = |core: &Core| {
            let modules = core.design.modules();
            modules.iter().map(|module| module.registers().len()).sum::<usize>()
        };
        assert_eq!(registers(&strict), registers(&lane), "{spec}");
        let names = |core: &Core| -> Vec<(String, Direction)> {
            core.design.top.ports().iter().map(|port| (port.name.clone(), port.direction)).collect()
        };
        assert_eq!(names(&strict), names(&lane), "{spec}");
    }
}

fn agree(specs: impl IntoIterator<Item = CoreSpec>, engines: &[EngineKind], count: u64) {
    let mut verdicts = Verdicts::default();
    for spec in specs {
        for (stall, framing) in [(0, Framing::Whole), (40, Framing::Random)] {
            verdicts.run(&cosim(core(spec), Source::Random { count }, framing, stall), engines);
        }
    }
    verdicts.finish();
}

#[test]
fn strict_cores_agree_with_the_reference() {
    agree(CoreSpec::strict(), NATIVE, 5000);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn some_strict_cores_agree_in_every_engine() {
    // Building a model takes seconds.
    agree(one_in(6, is_all("UTFHDL_VERILOG"), CoreSpec::strict()), EngineKind::ALL, 2000);
}

#[test]
fn campaigns_run_through_strict_cores() {
    for spec in CoreSpec::strict() {
        for stall in [0, 35] {
            run_well(&core(spec), Inputs::Random { count: 1000, seed: 1, stall });
        }
    }
    run_well(&strict(UTF_9, Role::Decoder), Inputs::Exhaustive { units: 1 });
}

/// A strict core whose output `port` is made from the inner core's by `wrong`.
fn wrong(
    system: System,
    role: Role,
    port: &str,
    wrong: impl for<'m> Fn(&'m Builder, Signal<'m>) -> Signal<'m>,
) -> Core {
    let right = strict(system, role);
    let m = Builder::new("wrong", "A strict core with a mistake.");
    let inner = m.instance("core", &right.design.top);
    for known in right.design.top.ports() {
        match known.direction {
            Direction::Input => drop(inner.input(&known.name, m.input(&known.name, known.width, ""))),
            Direction::Output if known.name == port => {
                let right = inner.output(port);
                right.named("unused_right");
                m.output(port, wrong(&m, right), "")
            }
            Direction::Output => m.output(&known.name, inner.output(&known.name), ""),
        }
    }
    Core { design: Design { top: m.built(), reset: right.design.reset }, ..right }
}

/// Mistakes in bits that only strict ports have do not pass.
#[test]
fn mistakes_in_the_padding_are_found() {
    let keep_of_one_byte =
        wrong(System::Utf8, Role::Decoder, "m_axis_tkeep", |_, keep| keep.bits(0..1).zext(4));
    let noise_above_units =
        wrong(UTF_9, Role::Encoder, "m_axis_tdata", |m, data| m.concat([data.bit(0), data.bits(0..15)]));
    let user_of_one_byte =
        wrong(UTF_9, Role::Encoder, "m_axis_tuser", |m, user| m.concat([m.lit(1, 0), user.bit(0)]));
    for (core, port) in [
        (keep_of_one_byte, "m_axis_tkeep"),
        (noise_above_units, "m_axis_tdata"),
        (user_of_one_byte, "m_axis_tuser"),
    ] {
        let cosim = cosim(core.clone(), Source::Random { count: 1000 }, Framing::Random, 30);
        let failure = verdict(&cosim, NATIVE).expect_err(port);
        assert_eq!(failure.port, port, "{failure}");
        for stall in [0, 35] {
            let inputs = Inputs::Random { count: 1000, seed: 1, stall };
            let campaign = Campaign::new(core.clone(), inputs).unwrap();
            assert!(first_failing(&campaign).is_some(), "{port}");
        }
    }
}

#[test]
fn ports_are_read_and_set_by_lanes() {
    let core = strict(UTF_9, Role::Encoder);
    let (layout, ports) = (Layout::new(&core.design), Ports::new(&core));
    let mut inputs = vec![0; layout.input_words];
    ports.offer(&mut inputs, &utfhdl::promise::Beat::of(utfhdl_codec::Slot::Head(2), true), u64::MAX);
    let input = |name: &str| layout.input(name).unwrap().get(&inputs);
    assert_eq!((input("s_axis_tdata"), input("s_axis_tkeep"), input("s_axis_tuser")), (2, 0b1111, 14));

    let mut outputs = vec![0; layout.output_words];
    let mut set = |name: &str, value| layout.output(name).unwrap().set(&mut outputs, value);
    set("m_axis_tvalid", 1);
    set("m_axis_tkeep", 0b11);
    set("m_axis_tdata", 0o777);
    set("m_axis_tuser", 0b11);
    assert_eq!((ports.keep(&outputs), ports.amiss(&outputs)), (1, Some(true)));
    assert_eq!(ports.item(&outputs, 0).data, 0o777);
    assert_eq!(ports.uneven(&outputs).map(|port| port.name.as_str()), None);
    layout.output("m_axis_tkeep").unwrap().set(&mut outputs, 0b01);
    assert_eq!(ports.uneven(&outputs).map(|port| port.name.as_str()), Some("m_axis_tkeep"));
}

#[test]
fn every_command_about_cores_takes_it() {
    let folder = TempDir::new().unwrap();
    let utfhdl = |arguments: &str| {
        let mut command = Command::cargo_bin("utfhdl").unwrap();
        let command = command.current_dir(folder.path()).args(arguments.split(' ')).write_stdin("A€");
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let (code, out, err) = utfhdl("generate utf-9 decoder --axis strict --json");
    assert_eq!(code, 0, "{err}");
    let manifest: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(manifest["module"], "utf_9_decoder_x1_strict");
    assert_eq!(manifest["options"]["axis"], "strict");
    assert!(manifest["command"].as_str().unwrap().ends_with(" --axis strict"), "{out}");
    let ports = manifest["ports"].as_array().unwrap();
    let tdata = ports.iter().find(|port| port["name"] == "s_axis_tdata").unwrap();
    assert_eq!(tdata["width"], 16);

    for run in
        ["cosim utf-9 encoder --random 1000 --stall 30", "campaign utf-9 encoder --random 1000 --stall 30"]
    {
        let (code, _, err) = utfhdl(&format!("{run} --axis strict"));
        assert_eq!(code, 0, "{err}");
    }
    let decoded = utfhdl("decode utf-8 --engine native --axis strict");
    assert_eq!((decoded.0, decoded.1.as_str()), (0, "U+41\nU+20AC\n"), "{}", decoded.2);
    let (code, _, err) = utfhdl("decode utf-8 --axis strict");
    assert_eq!(code, 2);
    assert!(err.contains("add --engine native"), "{err}");
    let (code, _, err) = utfhdl("generate utf-8 decoder --axis narrow");
    assert_eq!(code, 2);
    assert!(err.contains("expected lane or strict"), "{err}");
}
