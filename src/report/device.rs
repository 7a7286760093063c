//! The FPGAs that a report can be about besides those of the tables: `hx1k`, `ecp5-45k:7`.

use std::fmt;
use std::str::FromStr;

use super::family::Family;

/// A part, and what its name leaves open: the package, or the speed grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Device {
    /// Place in [`PARTS`].
    part: usize,
    /// Place in the options of the part.
    option: usize,
}

/// A part.
#[derive(Debug)]
struct Part {
    name: &'static str,
    family: Family,
    /// The noun for the option, such as a speed grade.
    what: &'static str,
    /// The options, the default first.
    options: &'static [&'static str],
    /// The options of nextpnr for the part; none if nextpnr does not know it.
    nextpnr: Nextpnr,
}

/// The options by which nextpnr knows a part.
#[derive(Debug)]
enum Nextpnr {
    /// Nothing places and routes it here.
    None,
    /// nextpnr gets the options of the list, and then the last one, followed by the option of the part.
    Options(&'static [&'static str], &'static str),
    /// The name of a device, which ends in the option, its family, and pins for the clock, the input and the output of the harness,
    /// since there are none without constraints.
    Himbaechel(&'static str, &'static str, [&'static str; 3]),
}

/// The file that says which port of the harness is at which pin.
pub(super) const CONSTRAINTS: &str = "pins.cst";

const UNCONSTRAINED_PCF: &str = "--pcf-allow-unconstrained";
const UNCONSTRAINED_LPF: &str = "--lpf-allow-unconstrained";

/// An iCE40 in its default package, with only the clock on a global net. nextpnr otherwise gives global nets to resets and enables, too: the wire from
/// the logic of an enable to the buffer of such a net is often the longest of a small core.
const LOCAL: &str = "local";

/// The clock of an iCE40 on a global net, from the pin of the harness.
const ICE40_CLOCK: &str =
    "SB_GB clock_buffer (.USER_SIGNAL_TO_GLOBAL_BUFFER(clk_pin), .GLOBAL_BUFFER_OUTPUT(clk));";

const PARTS: [Part; 10] = [
    ice40("hx1k", Family::Ice40, &["tq144", "cb132", "vq100", LOCAL], &["--hx1k", UNCONSTRAINED_PCF]),
    ice40(
        "hx8k",
        Family::Ice40,
        &["ct256", "bg121", "cb132", "cm225", LOCAL],
        &["--hx8k", UNCONSTRAINED_PCF],
    ),
    ice40("up5k", Family::Ice40Up, &["sg48", "uwg30", LOCAL], &["--up5k", UNCONSTRAINED_PCF]),
    ecp5("ecp5-25k", &["--25k", "--package", "CABGA381", UNCONSTRAINED_LPF]),
    ecp5("ecp5-45k", &["--45k", "--package", "CABGA381", UNCONSTRAINED_LPF]),
    ecp5("ecp5-85k", &["--85k", "--package", "CABGA381", UNCONSTRAINED_LPF]),
    gowin("gw1n-1", &["QN48C6/I5"], "GW1N-LV1", "GW1N-1", ["35", "16", "17"]),
    gowin("gw1nr-9", &["QN88PC6/I5"], "GW1NR-LV9", "GW1N-9C", ["52", "25", "26"]),
    gowin("gw2a-18", &["PG256C8/I7"], "GW2A-LV18", "GW2A-18", ["H11", "N16", "L14"]),
    Part { name: "xc7", family: Family::Xilinx7, what: "option", options: &[""], nextpnr: Nextpnr::None },
];

const fn ice40(
    name: &'static str,
    family: Family,
    packages: &'static [&'static str],
    nextpnr: &'static [&'static str],
) -> Part {
    Part { name, family, what: "package", options: packages, nextpnr: Nextpnr::Options(nextpnr, "--package") }
}

const fn ecp5(name: &'static str, nextpnr: &'static [&'static str]) -> Part {
    let (family, options) = (Family::Ecp5, &["8", "7", "6"]);
    Part { name, family, what: "speed grade", options, nextpnr: Nextpnr::Options(nextpnr, "--speed") }
}

const fn gowin(
    name: &'static str,
    options: &'static [&'static str],
    device: &'static str,
    family: &'static str,
    pins: [&'static str; 3],
) -> Part {
    let nextpnr = Nextpnr::Himbaechel(device, family, pins);
    Part { name, family: Family::Gowin, what: "package and speed grade", options, nextpnr }
}

/// A name that is no device's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseDeviceError {
    /// There is no such part.
    #[error("there is no device {name:?}: there are {}", Device::names().join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// The part does not come so.
    #[error("{part} has no {what} {option:?}: {}", allowed(options))]
    Option {
        /// The part.
        part: &'static str,
        /// The noun for the option.
        what: &'static str,
        /// The option asked for.
        option: String,
        /// The options that the part has.
        options: &'static [&'static str],
    },
}

fn allowed(options: &[&str]) -> String {
    match options {
        [""] => "it goes without".to_owned(),
        _ => format!("it can be {}", options.join(", ")),
    }
}

impl Device {
    /// Every device, with every option.
    pub fn all() -> impl Iterator<Item = Self> {
        let parts = PARTS.iter().enumerate();
        parts.flat_map(|(part, row)| (0..row.options.len()).map(move |option| Self { part, option }))
    }

    /// The names of the parts.
    pub fn names() -> Vec<&'static str> {
        PARTS.iter().map(|part| part.name).collect()
    }

    pub(super) fn family(self) -> Family {
        PARTS[self.part].family
    }

    /// Whether the clock in the device can be measured at all.
    pub(super) fn has_clock(self) -> bool {
        !matches!(PARTS[self.part].nextpnr, Nextpnr::None)
    }

    /// The options of nextpnr that name the device.
    pub(super) fn options(self) -> Vec<String> {
        let Part { options: of_part, nextpnr, .. } = &PARTS[self.part];
        let option = of_part[self.option];
        match *nextpnr {
            Nextpnr::None => Vec::new(),
            Nextpnr::Options(options, last) => {
                let (option, local) = if self.is_local() {
                    (of_part[0], Some(&"--no-promote-globals"))
                } else {
                    (option, None)
                };
                options.iter().chain([&last, &option]).chain(local).map(|&word| word.to_owned()).collect()
            }
            Nextpnr::Himbaechel(device, family, _) => {
                let (device, family) = (format!("{device}{option}"), format!("family={family}"));
                let constraints = format!("cst={CONSTRAINTS}");
                vec![
                    "--device".to_owned(),
                    device,
                    "--vopt".to_owned(),
                    family,
                    "--vopt".to_owned(),
                    constraints,
                ]
            }
        }
    }

    /// Whether only the clock is on a global net.
    fn is_local(self) -> bool {
        PARTS[self.part].options[self.option] == LOCAL
    }

    /// An instance that drives the clock of the harness, where nextpnr puts no signal on a global net by itself.
    pub(super) fn clock_buffer(self) -> Option<&'static str> {
        self.is_local().then_some(ICE40_CLOCK)
    }

    /// The text of [`CONSTRAINTS`], where nextpnr needs it.
    pub(super) fn constraints(self) -> Option<String> {
        match PARTS[self.part].nextpnr {
            Nextpnr::Himbaechel(_, _, pins) => {
                let lines = ["clk", "din", "dout"].iter().zip(pins);
                Some(lines.map(|(port, pin)| format!("IO_LOC \"{port}\" {pin};\n")).collect())
            }
            Nextpnr::None | Nextpnr::Options(..) => None,
        }
    }

    /// The name, as a key of JSON and CSV has it: `ecp5_45k_7`.
    pub(super) fn key(self) -> String {
        let part = &PARTS[self.part];
        let text = format!("{}_{}", part.name, part.options[self.option]).to_lowercase();
        text.trim_end_matches('_').replace(['-', '/'], "_")
    }
}

impl Default for Device {
    /// The one of the tables of several lanes.
    fn default() -> Self {
        let part = PARTS.iter().position(|part| part.name == "ecp5-85k").expect("it is a part");
        Self { part, option: 0 }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PARTS[self.part].name)?;
        if self.option == 0 { Ok(()) } else { write!(f, ":{}", PARTS[self.part].options[self.option]) }
    }
}

impl FromStr for Device {
    type Err = ParseDeviceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, option) = text.split_once(':').map_or((text, None), |(name, option)| (name, Some(option)));
        let part = PARTS.iter().position(|part| part.name.eq_ignore_ascii_case(name));
        let part = part.ok_or_else(|| ParseDeviceError::Unknown { name: name.to_owned() })?;
        let Some(option) = option else { return Ok(Self { part, option: 0 }) };
        let Part { name, what, options, .. } = PARTS[part];
        let place = options.iter().position(|known| !known.is_empty() && known.eq_ignore_ascii_case(option));
        let wrong = || ParseDeviceError::Option { part: name, what, option: option.to_owned(), options };
        Ok(Self { part, option: place.ok_or_else(wrong)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(text: &str) -> Device {
        text.parse().unwrap()
    }

    #[test]
    fn every_device_is_found_by_its_name() {
        let mut keys = std::collections::BTreeSet::new();
        for all in Device::all() {
            assert_eq!(device(&all.to_string()), all);
            assert!(keys.insert(all.key()), "{all}");
        }
        assert_eq!(device("UP5K:UWG30"), device("up5k:uwg30"));
        assert_eq!(device("hx1k:tq144"), device("hx1k"));
    }

    #[test]
    fn nextpnr_is_told_of_part_and_option() {
        let options = |text| device(text).options().join(" ");
        assert_eq!(options("hx1k:vq100"), "--hx1k --pcf-allow-unconstrained --package vq100");
        let local = "--hx8k --pcf-allow-unconstrained --package ct256 --no-promote-globals";
        assert_eq!(options("hx8k:local"), local);
        assert!(device("hx8k").clock_buffer().is_none() && device("hx8k:local").clock_buffer().is_some());
        assert_eq!(options("ecp5-45k:7"), "--45k --package CABGA381 --lpf-allow-unconstrained --speed 7");
        assert_eq!(
            options("gw1nr-9"),
            "--device GW1NR-LV9QN88PC6/I5 --vopt family=GW1N-9C --vopt cst=pins.cst"
        );
        let pins = "IO_LOC \"clk\" 52;\nIO_LOC \"din\" 25;\nIO_LOC \"dout\" 26;\n";
        assert_eq!(device("gw1nr-9").constraints().as_deref(), Some(pins));
        assert!(!device("xc7").has_clock());
    }

    #[test]
    fn what_is_no_device_is_told_what_is() {
        let error = |text: &str| text.parse::<Device>().unwrap_err().to_string();
        let parts = "hx1k, hx8k, up5k, ecp5-25k, ecp5-45k, ecp5-85k, gw1n-1, gw1nr-9, gw2a-18, xc7";
        assert_eq!(error("hx2k"), format!("there is no device \"hx2k\": there are {parts}"));
        assert_eq!(error("ecp5-25k:9"), "ecp5-25k has no speed grade \"9\": it can be 8, 7, 6");
        assert_eq!(error("up5k:"), "up5k has no package \"\": it can be sg48, uwg30, local");
        assert_eq!(error("xc7:2"), "xc7 has no option \"2\": it goes without");
    }
}
