//! Verilates the core that `UTFHDL_CORE` chooses, and has `verilator` write the Rust and C++ between the model and this crate.

// The library uses the rest of it.
#[allow(dead_code)]
#[path = "src/choice.rs"]
mod choice;

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};
use std::{env, fs};

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::Direction;
use verilator::module::ModuleGenerator;

fn main() {
    for path in ["build.rs", "src/choice.rs", "include"] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed={}", choice::VARIABLE);
    if let Err(error) = build() {
        eprintln!("utfhdl-verilated: {error}");
        exit(1);
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let words = env::var(choice::VARIABLE).ok().filter(|words| !words.trim().is_empty());
    let words = words.unwrap_or_else(|| choice::DEFAULT.to_owned());
    let named = |error: String| format!("{}={words:?}: {error}", choice::VARIABLE);
    let core = choice::core(&words).map_err(named)?;
    let ports = choice::ports(&core).map_err(named)?;
    println!("cargo::rustc-env=UTFHDL_VERILATED={words}");

    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: run it with cargo")?);
    fs::write(out.join("module.rs"), module(&core, &ports))?;
    ModuleGenerator::default().out_dir(&out).generate(out.join("module.rs"));
    fs::write(out.join("ports.rs"), tables(&ports))?;
    verilate(&core, &out)
}

/// The declaration that `verilator` reads: a struct with a field a port.
fn module(core: &Core, ports: &[(String, Direction, u32)]) -> String {
    let mut text = format!("#[module({})]\npub struct Core {{\n", core.design.top.name());
    text += "    #[port(clock)]\n    pub clk: bool,\n";
    for (name, direction, width) in ports {
        let direction = match direction {
            Direction::Input => "input",
            Direction::Output => "output",
        };
        writeln!(text, "    #[port({direction})]\n    pub {name}: [bool; {width}],").expect("a string");
    }
    text + "}\n"
}

/// The tables of all inputs and of all outputs: name, width, and the function that sets or reads it.
fn tables(ports: &[(String, Direction, u32)]) -> String {
    let (mut inputs, mut outputs) = (String::new(), String::new());
    for (name, direction, width) in ports {
        match direction {
            Direction::Input => {
                writeln!(inputs, "    ({name:?}, {width}, |core, value| core.set_{name}(value as _)),")
            }
            Direction::Output => writeln!(outputs, "    ({name:?}, {width}, |core| core.{name}() as u64),"),
        }
        .expect("a string");
    }
    format!("const INPUTS: &[Input] = &[\n{inputs}];\n\nconst OUTPUTS: &[Output] = &[\n{outputs}];\n")
}

/// Has Verilator translate the core, and compiles what it writes into the library. `verilator::gen` does that for the file
/// names of Verilator 4.
fn verilate(core: &Core, out: &Path) -> Result<(), Box<dyn Error>> {
    let root = verilator::find_verilator_root()
        .ok_or("Verilator was not found; install the package `verilator`, version 5.002 or later")?;
    let name = core.design.top.name();
    let (source, folder) = (out.join(format!("{name}.v")), out.join("model"));
    fs::write(&source, core.verilog())?;
    let status = Command::new("verilator")
        .args([
            "--cc",
            "--trace",
            "--quiet-exit",
            "-O3",
            "--timescale",
            "1ns/1ns",
            "--top-module",
            name,
            "--Mdir",
        ])
        .args([&folder, &source])
        .status()
        .map_err(|error| format!("cannot run verilator: {error}"))?;
    if !status.success() {
        return Err(format!("verilator failed on {}: {status}", source.display()).into());
    }
    // One unit, since the headers of the runtime take longer to compile than the model.
    let classes = fs::read_to_string(folder.join(format!("V{name}_classes.mk")))?;
    let unit = classes_of(&classes).map(|class| format!("#include \"{class}.cpp\"\n")).collect::<String>()
        + &format!("#include \"{name}.cpp\"\n");
    fs::write(folder.join("unit.cpp"), unit)?;
    cc::Build::new()
        .cpp(true)
        .std("gnu++17")
        .opt_level(1)
        .warnings(false)
        .define("VM_TRACE", "1")
        .include(root.join("include"))
        .include(root.join("include/vltstd"))
        .include(&folder)
        .include(out)
        .file(folder.join("unit.cpp"))
        // The runtime of Verilator 5 needs it, and `verilated` does not compile it.
        .file(root.join("include/verilated_threads.cpp"))
        // The library of `verilated` has the runtime. The linker takes it after this library, to which it refers back.
        .link_lib_modifier("+whole-archive")
        .try_compile("model")?;
    Ok(())
}

/// The C++ files of the model in `V*_classes.mk`, without their ending: all but those of the runtime (`VM_GLOBAL_FAST`).
fn classes_of(text: &str) -> impl Iterator<Item = &str> {
    let mut is_model = false;
    text.lines().filter_map(move |line| match line.strip_prefix('\t') {
        Some(class) if is_model => Some(class.trim_end_matches('\\').trim()),
        Some(_) => None,
        None => {
            is_model = line.starts_with("VM_CLASSES") || line.starts_with("VM_SUPPORT");
            None
        }
    })
}
