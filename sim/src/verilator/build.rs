//! Builds a shared object from the Verilog of a design.

use std::fmt::Write;
use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use utfhdl_hdl::netlist::Design;

use super::Effort;
use super::shim;
use super::tool::Toolchain;
use crate::layout::Layout;
use crate::tool::{Cache, ToolError, run};

/// Sources of Verilator's runtime, which is compiled once for all models.
const RUNTIME: [&str; 2] = ["verilated.cpp", "verilated_threads.cpp"];

/// Options for all C++: position-independent code, and no symbol that could be confused with another model's.
const COMPILE: [&str; 6] =
    ["-std=gnu++17", "-fPIC", "-fvisibility=hidden", "-fno-gnu-unique", "-pthread", "-DVM_TRACE=0"];

/// Options for Verilator: fast code, and no warnings, which are for the tests of the emitter. Registers start at 0,
/// as in the netlist, because a fresh `VerilatedContext` has random reset off; the shim switches it on for a seed.
const VERILATE: [&str; 8] =
    ["--cc", "--quiet-exit", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--x-assign", "fast", "-O3"];

impl Effort {
    fn flag(self) -> &'static str {
        match self {
            Self::Quick => "-O1",
            Self::Full => "-O3",
        }
    }
}

/// The shared object of a design.
pub(super) fn model(
    design: &Design,
    layout: &Layout,
    text: &str,
    cache: &Cache,
    effort: Effort,
) -> Result<PathBuf, ToolError> {
    let tools = Toolchain::find()?;
    let shim = shim::source(design, layout);
    let versions = [tools.verilator_version.as_str(), tools.compiler_version.as_str()];
    let options = [VERILATE.join(" "), COMPILE.join(" "), effort.flag().to_owned()].join("\n");
    let ingredients = [versions[0], versions[1], &options, text, &shim];
    cache.file(&ingredients, "so", |scratch| {
        // The first model waits for both, on two processors no longer than for one.
        let (runtime, headers) = thread::scope(|scope| {
            let headers = scope.spawn(|| headers(&tools, cache, effort));
            (runtime(&tools, cache), headers.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        verilate(&tools, design, text, scratch)?;
        compile(&tools, &shim, effort, &runtime?, headers?, scratch)
    })
}

/// The archive of Verilator's runtime.
fn runtime(tools: &Toolchain, cache: &Cache) -> Result<PathBuf, ToolError> {
    let options = COMPILE.join(" ");
    let ingredients = ["runtime", &tools.verilator_version, &tools.compiler_version, &options];
    cache.file(&ingredients, "a", |scratch| {
        for source in RUNTIME {
            run(compiler(tools)
                .args(["-O2", "-c"])
                .arg(tools.include.join(source))
                .arg("-o")
                .arg(scratch.join(source).with_extension("o")))?;
        }
        let archive = scratch.join("runtime.a");
        let objects = RUNTIME.map(|source| scratch.join(source).with_extension("o"));
        run(Command::new("ar").arg("rcs").arg(&archive).args(objects))?;
        Ok(archive)
    })
}

/// The headers of Verilator's runtime, compiled once for all models of an effort: to read them takes three quarters of the time of a small
/// model. Not for Clang, which refuses headers that it finds under another name than it compiled them under.
fn headers(tools: &Toolchain, cache: &Cache, effort: Effort) -> Result<Option<PathBuf>, ToolError> {
    if tools.compiler_version.contains("clang") {
        return Ok(None);
    }
    let options = COMPILE.join(" ");
    let versions = [&tools.verilator_version, &tools.compiler_version];
    let ingredients = ["headers", versions[0], versions[1], &options, effort.flag()];
    let compiled = cache.file(&ingredients, "gch", |scratch| {
        let compiled = scratch.join("headers.gch");
        run(compiler(tools)
            .args([effort.flag(), "-x", "c++-header"])
            .arg(tools.include.join("verilated.h"))
            .arg("-o")
            .arg(&compiled))?;
        Ok::<_, ToolError>(compiled)
    })?;
    Ok(Some(compiled))
}

fn compiler(tools: &Toolchain) -> Command {
    let mut command = Command::new(&tools.compiler);
    command.args(COMPILE).arg("-I").arg(&tools.include).arg("-I").arg(tools.include.join("vltstd"));
    command
}

fn verilate(tools: &Toolchain, design: &Design, text: &str, scratch: &Path) -> Result<(), ToolError> {
    let source = scratch.join(format!("{}.v", design.top.name()));
    write(&source, text)?;
    run(Command::new(&tools.verilator)
        .args(VERILATE)
        .args(["--prefix", shim::CLASS, "--top-module", design.top.name(), "--Mdir"])
        .arg(scratch)
        .arg(&source))?;
    Ok(())
}

/// Compiles the whole model and the shim as one unit and links it with the runtime.
fn compile(
    tools: &Toolchain,
    shim: &str,
    effort: Effort,
    runtime: &Path,
    headers: Option<PathBuf>,
    scratch: &Path,
) -> Result<PathBuf, ToolError> {
    let io = |error| ToolError::io(scratch, error);
    let mut compiler = compiler(tools);
    if let Some(compiled) = headers {
        // A compiler that does not take the compiled headers after all reads the plain ones.
        let plain = scratch.join("headers.h");
        write(&plain, "#include \"verilated.h\"\n")?;
        fs::hard_link(&compiled, scratch.join("headers.h.gch"))
            .or_else(|_| fs::copy(&compiled, scratch.join("headers.h.gch")).map(|_| ()))
            .map_err(io)?;
        compiler.arg("-include").arg(plain);
    }
    let mut sources: Vec<String> = Vec::new();
    for entry in fs::read_dir(scratch).map_err(io)? {
        let name = entry.map_err(io)?.file_name().to_string_lossy().into_owned();
        if name.starts_with(shim::CLASS) && name.ends_with(".cpp") {
            sources.push(name);
        }
    }
    sources.sort();
    let mut unity = String::new();
    for source in sources {
        writeln!(unity, "#include \"{source}\"").expect("writing to a string");
    }
    let unit = scratch.join("unity.cpp");
    write(&unit, &(unity + shim))?;
    let object = scratch.join("model.so");
    run(compiler
        .args([effort.flag(), "-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-I"])
        .args([scratch, &unit, runtime])
        .args(["-latomic", "-o"])
        .arg(&object))?;
    Ok(object)
}

fn write(path: &Path, text: &str) -> Result<(), ToolError> {
    fs::write(path, text).map_err(|error| ToolError::io(path, error))
}
