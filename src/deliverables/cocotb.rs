//! A bench in Python, for cocotb with the AXI4-Stream models of cocotbext-axi.

use serde::Serialize;

use super::frames::Frame;
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
        }
    }
}

/// Bits of a lane in the `tuser` of slots.
fn user_bits(package: &Package) -> u32 {
    let of_slots = if package.slots_come() { "m_axis_tuser" } else { "s_axis_tuser" };
    (package.width(of_slots) / package.core.spec.lanes).max(4)
}

pub fn files(package: &Package, frames: &[Frame]) -> Vec<TextFile> {
    let module = package.module;
    // The models of cocotbext-axi send no frame without items.
    let frames: Vec<String> = frames
        .iter()
        .map(JsonFrame::new)
        .filter(|frame| !frame.input.is_empty())
        .map(|frame| serde_json::to_string(&frame).expect("no map has keys that are no strings"))
        .collect();
    let about =
        format!("Frames through {module}, driven and taken by the AXI4-Stream models of cocotbext-axi.");
    let reset = package.core.design.reset;
    let test = package.head("#", &about)
        + &TEST
            .replace("@CORE@", module)
            .replace("@LANES@", &package.core.spec.lanes.to_string())
            .replace("@RESET@", reset.port())
            .replace("@ACTIVE@", if reset.active_level() { "True" } else { "False" })
            .replace("@USER@", &user_bits(package).to_string())
            .replace("@SLOTS_IN@", if package.width("s_axis_tuser") > 0 { "True" } else { "False" })
            .replace("@SLOTS_OUT@", if package.slots_come() { "True" } else { "False" });
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
