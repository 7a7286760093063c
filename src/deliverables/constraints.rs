//! The clock of a core for the tools of several vendors, with what helps to meet it.

use super::{Package, TextFile};

pub fn files(package: &Package) -> Vec<TextFile> {
    let module = package.module;
    let file = |extension: &str, text: String, about: &'static str| TextFile {
        path: format!("constraints/{module}.{extension}"),
        text,
        about,
    };
    vec![
        file(
            "sdc",
            sdc(package),
            "the clock and the delays of the ports, in SDC: Quartus, Diamond, OpenSTA, ASIC flows",
        ),
        file("xdc", xdc(package), "the clock, for Vivado"),
        file("pcf", pcf(package), "the clock, for nextpnr-ice40"),
    ]
}

/// The period in nanoseconds, as SDC takes it.
fn period(package: &Package) -> String {
    format!("{:.3}", package.clock_period_ns())
}

/// Notes for the designer on the paths through the ports.
fn notes(package: &Package) -> String {
    let reset = package.core.design.reset;
    let of_reset = match reset.is_asynchronous() {
        true => {
            "The reset is asynchronous: its end has to be synchronous to the clock, so put a synchroniser in front of it."
        }
        false => "The reset is synchronous, and is a path like others.",
    };
    format!(
        "Every output comes from a register, and no path leads from an input to an output: each path across the border of the \
         core has all of its logic on one side. {of_reset} What limits the clock of a wide core is m_axis_tready, which holds up \
         all of its output register: drive it from a register nearby."
    )
}

fn head(package: &Package, what: &str) -> String {
    let about =
        format!("{what} of {}, {} MHz. {}", package.module, package.settings.clock_mhz, notes(package));
    package.head("#", &about)
}

fn sdc(package: &Package) -> String {
    let list = |direction: bool| {
        let ports = package.ports[1..].iter().filter(|port| port.is_input() == direction);
        let name = |width: u32, name: &str| if width == 1 { name.to_owned() } else { format!("{name}[*]") };
        ports.map(|port| name(port.width, &port.name)).collect::<Vec<_>>().join(" ")
    };
    let period = period(package);
    // A share of the period that is left to the neighbours when the core is a design of its own.
    let outside = format!("{:.3}", package.clock_period_ns() * 0.3);
    let mut text = head(package, "Clock and delays of the ports");
    text += &format!("\ncreate_clock -name clk -period {period} [get_ports {{clk}}]\n\n");
    text += "# If the core is the top of a design: the neighbours take three tenths of the period.\n";
    text += &format!("set_input_delay  -clock clk {outside} [get_ports {{{}}}]\n", list(true));
    text += &format!("set_output_delay -clock clk {outside} [get_ports {{{}}}]\n", list(false));
    if package.core.design.reset.is_asynchronous() {
        let reset = package.core.design.reset.port();
        text += &format!(
            "\n# Its beginning may come at any time.\nset_false_path -from [get_ports {{{reset}}}]\n"
        );
    }
    text
}

fn xdc(package: &Package) -> String {
    let period = period(package);
    let mut text = head(package, "Clock");
    text += "\n# For synthesis of the core alone, out of context. In a design, the clock is constrained where it enters the device.\n";
    text += &format!("create_clock -name clk -period {period} [get_ports {{clk}}]\n");
    text
}

fn pcf(package: &Package) -> String {
    let mut text = head(package, "Clock");
    text += &format!("\nset_frequency clk {}\n\n", package.settings.clock_mhz);
    text + "# Pins of a board, one line each. Without them nextpnr chooses.\n# set_io clk 35\n"
}
