//! The forms of the emitted Verilog that are compared with the netlist: as written, and mapped to the cells of an FPGA or of a
//! library, by Yosys or by others.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The Verilog as written
    #[default]
    Text,
    /// Verilog that somebody else wrote or changed, in this file
    Received(PathBuf),
    /// The netlist that Yosys synthesises in these cells
    Mapped(Cells),
    /// A netlist of these cells in this file, from another tool, such as one with the buffers of a layout
    Netlist(PathBuf, Cells),
}

/// Cells that a netlist is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Cells that `synth_ice40` uses
    Ice40,
    /// Cells that `synth_ecp5` uses
    Ecp5,
    /// Cells of this liberty file, which `synth`, `dfflibmap` and `abc` use
    Liberty(PathBuf),
}

impl Form {
    /// The statement that is proved.
    pub fn says(&self) -> &'static str {
        match self {
            Self::Text => "the emitted Verilog does what the netlist does",
            Self::Received(_) => "the Verilog in the file does what the netlist does",
            Self::Mapped(_) => "what Yosys has synthesised does what the netlist does",
            Self::Netlist(..) => "the cells in the file do what the netlist does",
        }
    }

    /// The name of the comparison, as the name of a rule.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text => "emitted",
            Self::Received(_) => "verilog",
            Self::Mapped(cells) | Self::Netlist(_, cells) => match cells {
                Cells::Ice40 => "ice40",
                Cells::Ecp5 => "ecp5",
                Cells::Liberty(_) => "liberty",
            },
        }
    }

    /// The file with the Verilog, if somebody else wrote it.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Received(file) | Self::Netlist(file, _) => Some(file),
            Self::Text | Self::Mapped(_) => None,
        }
    }

    /// The commands for Yosys that make gates of a module `top` that has been read, and leave them in a file.
    pub(super) fn script(&self, top: &str, out: &str) -> String {
        let flat = format!("hierarchy -top {top}\nproc\nflatten\n");
        let made = match self {
            Self::Text | Self::Received(_) => flat,
            // Wires that are kept keep their names, by which registers are found again; the cells are the same.
            Self::Mapped(cells) => {
                format!("{flat}setattr -set keep 1 w:*_reg\n{}{}", cells.synthesis(top), cells.functions(top))
            }
            Self::Netlist(_, cells) => {
                format!("setattr -set keep 1 w:*_reg w:*_reg_*_\n{}{flat}", cells.functions(top))
            }
        };
        format!(
            "{made}proc\nmemory_collect\nmemory_map\nopt_clean\ndffunmap\nsimplemap\ntechmap\nopt_clean\nwrite_blif {out}\n"
        )
    }
}

impl Cells {
    /// The commands for Yosys that synthesise a flat module.
    fn synthesis(&self, top: &str) -> String {
        match self {
            Self::Ice40 => format!("synth_ice40 -abc9 -device hx -top {top}\n"),
            Self::Ecp5 => format!("synth_ecp5 -abc9 -top {top}\n"),
            Self::Liberty(path) => {
                let path = path.display();
                format!(
                    "synth -flatten -noabc -top {top}\ndfflibmap -liberty \"{path}\"\nabc -liberty \"{path}\"\nopt_clean\n"
                )
            }
        }
    }

    /// The commands for Yosys that replace cells by what they compute: by the models of Yosys, or by the functions in the library.
    fn functions(&self, top: &str) -> String {
        match self {
            Self::Ice40 => "techmap -wb -D EQUIV -autoproc -map +/ice40/cells_sim.v\n".to_owned(),
            Self::Ecp5 => "techmap -wb -D EQUIV -autoproc -map +/ecp5/cells_sim.v\n".to_owned(),
            Self::Liberty(path) => {
                format!(
                    "read_liberty -ignore_miss_func \"{}\"\nhierarchy -top {top}\nflatten\n",
                    path.display()
                )
            }
        }
    }
}

/// The cells, or the file, as they are called on the command line.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Received(file) | Self::Netlist(file, _) => write!(f, "{}", file.display()),
            Self::Mapped(Cells::Liberty(path)) => write!(f, "{}", path.display()),
            form => f.write_str(form.name()),
        }
    }
}

/// `ice40`, `ecp5`, or else a liberty file.
impl FromStr for Cells {
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
