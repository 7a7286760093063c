//! Which core is verilated, as the build script and the library read it.

use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::netlist::Direction;

/// The environment variable that chooses the core, in the words of `utfhdl generate`: `utf-8 decoder --lanes 2`.
pub const VARIABLE: &str = "UTFHDL_CORE";

/// The core without a choice.
pub const DEFAULT: &str = "utf-8 decoder";

/// Bits of the widest port that the crate `verilator` has a type for.
pub const WIDEST: u32 = 64;

/// The core of these words: a system, a role, and options before their values.
///
/// # Errors
/// If a word is none of these, or there is no such core; with what is allowed.
pub fn core(words: &str) -> Result<Core, String> {
    let mut words = words.split_whitespace();
    let system = system(words.next().unwrap_or_default())?;
    let role = match words.next().unwrap_or_default() {
        "decoder" => Role::Decoder,
        "encoder" => Role::Encoder,
        word => match word.strip_prefix("transcoder:") {
            Some(to) => Role::Transcoder { to: self::system(to)? },
            None => {
                return Err(format!("{word:?} is no role: it can be decoder, encoder or transcoder:SYSTEM"))
            }
        },
    };
    let mut spec = CoreSpec::new(system, role);
    while let Some(option) = words.next() {
        let value = words.next().unwrap_or_default();
        let wrong = |reason| format!("{option} {value}: {reason}");
        match option {
            "--lanes" => spec.lanes = value.parse().map_err(|_| wrong("expected a number".to_owned()))?,
            "--reset" => spec.reset = value.parse().map_err(wrong)?,
            "--on-error" => spec.on_error = value.parse().map_err(wrong)?,
            "--axis" => spec.axis = value.parse().map_err(wrong)?,
            "--pipeline" => spec.pipeline = value.parse().map_err(wrong)?,
            "--pack" => spec.pack = value.parse().map_err(wrong)?,
            "--bus" => spec.bus = value.parse().map_err(wrong)?,
            "--stall" => spec.stall = value.parse().map_err(wrong)?,
            _ => {
                return Err(format!(
                    "there is no option {option:?}: there are --lanes, --reset, --on-error, --axis, --bus, --pipeline, --pack and --stall"
                ));
            }
        }
    }
    Core::new(spec).map_err(|error| error.to_string())
}

fn system(name: &str) -> Result<System, String> {
    System::variants().chain(System::tables()).find(|system| system.to_string() == name).ok_or_else(|| {
        let names: Vec<String> = System::variants().map(|system| system.to_string()).collect();
        format!("{name:?} is no system: it can be {}", names.join(", "))
    })
}

/// The ports besides the clock, as records have them: name, direction and width in bits.
///
/// # Errors
/// If one is wider than [`WIDEST`].
pub fn ports(core: &Core) -> Result<Vec<(String, Direction, u32)>, String> {
    let reset = (core.spec.reset.port().to_owned(), Direction::Input, 1);
    let top = &core.design.top;
    let ports = top.inputs().chain(top.outputs()).map(|port| (port.name.clone(), port.direction, port.width));
    let ports: Vec<_> = [reset].into_iter().chain(ports).collect();
    match ports.iter().find(|(_, _, width)| *width > WIDEST) {
        Some((name, _, width)) => Err(format!(
            "port `{name}` of `{}` has {width} bits, but the crate `verilator` has no type for more than {WIDEST}: \
             choose fewer lanes, or take the engine `verilator` of utfhdl-sim, which has no such limit",
            core.spec.in_short()
        )),
        None => Ok(ports),
    }
}
