//! The forms of the emitted Verilog that are compared with the netlist: as written, and mapped to the cells of an FPGA or of a
//! library by Yosys.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The Verilog as written
    #[default]
    Text,
    /// Verilog that somebody else wrote or changed, in this file
    Received(PathBuf),
    /// The netlist that `synth_ice40` makes
    Ice40,
    /// The netlist that `synth_ecp5` makes
    Ecp5,
    /// The netlist that `synth`, `dfflibmap` and `abc` make, in the cells of this liberty file
    Liberty(PathBuf),
}

impl Form {
    /// The statement that is proved.
    pub fn says(&self) -> &'static str {
        match self {
            Self::Text => "the emitted Verilog does what the netlist does",
            Self::Received(_) => "the Verilog in the file does what the netlist does",
            Self::Ice40 | Self::Ecp5 | Self::Liberty(_) => {
                "what Yosys has synthesised does what the netlist does"
            }
        }
    }

    /// The name of the comparison, as the name of a rule.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text => "emitted",
            Self::Received(_) => "verilog",
            Self::Ice40 => "ice40",
            Self::Ecp5 => "ecp5",
            Self::Liberty(_) => "liberty",
        }
    }

    /// The commands for Yosys that make gates of a module `top` that has been read, and leave them in a file.
    pub(super) fn script(&self, top: &str, out: &str) -> String {
        // Wires that are kept keep their names, by which registers are found again; the cells are the same.
        let named = format!("hierarchy -top {top}\nproc\nflatten\nsetattr -set keep 1 w:*_reg\n");
        // The models of Yosys, or the library, define what the cells compute.
        let made = match self {
            Self::Text | Self::Received(_) => format!("hierarchy -top {top}\nproc\nflatten"),
            Self::Ice40 => format!(
                "{named}synth_ice40 -abc9 -device hx -top {top}\n\
                 techmap -wb -D EQUIV -autoproc -map +/ice40/cells_sim.v"
            ),
            Self::Ecp5 => {
                format!(
                    "{named}synth_ecp5 -abc9 -top {top}\ntechmap -wb -D EQUIV -autoproc -map +/ecp5/cells_sim.v"
                )
            }
            Self::Liberty(path) => {
                let path = path.display();
                format!(
                    "{named}synth -flatten -noabc -top {top}\ndfflibmap -liberty \"{path}\"\nabc -liberty \"{path}\"\n\
                     opt_clean\nread_liberty -ignore_miss_func \"{path}\"\nhierarchy -top {top}\nflatten"
                )
            }
        };
        format!(
            "{made}\nproc\nmemory_collect\nmemory_map\nopt_clean\ndffunmap\nsimplemap\ntechmap\nopt_clean\nwrite_blif {out}\n"
        )
    }
}

/// The cells, as they are called on the command line.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Liberty(path) | Self::Received(path) => write!(f, "{}", path.display()),
            form => f.write_str(form.name()),
        }
    }
}

/// A mapped form: `ice40`, `ecp5`, or else a file.
impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "ice40" => Ok(Self::Ice40),
            "ecp5" => Ok(Self::Ecp5),
            _ if text.contains(['"', '\n']) => {
                Err("Yosys reads no file whose name has a quote or a line end in it".to_owned())
            }
            _ => match PathBuf::from(text) {
                path if path.is_file() => std::path::absolute(path)
                    .map(Self::Liberty)
                    .map_err(|error| format!("cannot tell where it is: {error}")),
                _ => Err("neither `ice40` nor `ecp5` nor a liberty file that is there".to_owned()),
            },
        }
    }
}
