//! A component of IP-XACT, IEEE 1685-2014, with its AXI4-Stream interfaces and that of its registers.

use super::{Package, PortEntry, TextFile};
use crate::page::escaped;

const NAMESPACE: &str = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014";

pub fn files(package: &Package) -> Vec<TextFile> {
    let text = text(package);
    vec![TextFile {
        path: format!("{}.xml", package.module),
        text,
        about: "a component of IP-XACT (IEEE 1685-2014)",
    }]
}

/// Elements, indented as they are nested.
struct Writer {
    text: String,
    open: Vec<&'static str>,
}

impl Writer {
    fn indent(&self) -> String {
        "  ".repeat(self.open.len())
    }

    fn line(&mut self, line: &str) {
        self.text += &format!("{}{line}\n", self.indent());
    }

    /// An element with text in it.
    fn leaf(&mut self, name: &str, text: &str) {
        self.line(&format!("<ipxact:{name}>{}</ipxact:{name}>", escaped(text)));
    }

    fn inside(&mut self, name: &'static str, attributes: &str, fill: impl FnOnce(&mut Self)) {
        self.line(&format!("<ipxact:{name}{attributes}>"));
        self.open.push(name);
        fill(self);
        self.open.pop();
        self.line(&format!("</ipxact:{name}>"));
    }

    fn within(&mut self, name: &'static str, fill: impl FnOnce(&mut Self)) {
        self.inside(name, "", fill);
    }
}

fn text(package: &Package) -> String {
    let mut xml =
        Writer { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), open: Vec::new() };
    xml.line(&format!(
        "<!-- SPDX-License-Identifier: MIT OR Apache-2.0. Generator: utfhdl {} -->",
        env!("CARGO_PKG_VERSION")
    ));
    let attributes = format!(
        " xmlns:ipxact=\"{NAMESPACE}\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"{NAMESPACE} {NAMESPACE}/index.xsd\""
    );
    xml.inside("component", &attributes, |xml| {
        xml.leaf("vendor", "utfhdl");
        xml.leaf("library", "codec");
        xml.leaf("name", package.module);
        xml.leaf("version", env!("CARGO_PKG_VERSION"));
        xml.within("busInterfaces", |xml| {
            bus_interface(xml, package, ("s_axis", "slave"), "AXI4Stream");
            bus_interface(xml, package, ("m_axis", "master"), "AXI4Stream");
            if package.core.spec.status {
                bus_interface(xml, package, ("status", "master"), "AXI4Stream");
            }
            if package.core.spec.has_axi_lite() {
                bus_interface(xml, package, ("s_axil", "slave"), "AXI4");
            }
        });
        xml.within("model", |xml| model(xml, package));
        xml.within("fileSets", |xml| {
            xml.within("fileSet", |xml| {
                xml.leaf("name", "rtl");
                xml.within("file", |xml| {
                    xml.leaf("name", &format!("{}.v", package.module));
                    xml.leaf("fileType", "verilogSource-2001");
                });
            });
        });
        xml.leaf("description", package.description());
    });
    xml.text
}

fn bus_interface(xml: &mut Writer, package: &Package, (name, mode): (&str, &str), bus: &str) {
    let reference =
        |name: &str| format!(" vendor=\"amba.com\" library=\"AMBA4\" name=\"{name}\" version=\"r0p0_1\"");
    xml.within("busInterface", |xml| {
        xml.leaf("name", name);
        xml.line(&format!("<ipxact:busType{}/>", reference(bus)));
        xml.within("abstractionTypes", |xml| {
            xml.within("abstractionType", |xml| {
                xml.line(&format!("<ipxact:abstractionRef{}/>", reference(&format!("{bus}_rtl"))));
                xml.within("portMaps", |xml| {
                    let maps = [("ACLK", "clk"), ("ARESETn", package.core.design.reset.port())];
                    // The interface has a reset that is active low; another one is no part of it.
                    let is_low = !package.core.design.reset.active_level();
                    maps.iter().take(1 + usize::from(is_low)).for_each(|map| port_map(xml, map.0, map.1));
                    for port in package.ports.iter().filter(|port| port.name.starts_with(name)) {
                        let logical = port.name[name.len() + 1..].to_uppercase();
                        port_map(xml, &logical, &port.name);
                    }
                });
            });
        });
        xml.line(&format!("<ipxact:{mode}/>"));
    });
}

fn port_map(xml: &mut Writer, logical: &str, physical: &str) {
    xml.within("portMap", |xml| {
        xml.within("logicalPort", |xml| xml.leaf("name", logical));
        xml.within("physicalPort", |xml| xml.leaf("name", physical));
    });
}

fn model(xml: &mut Writer, package: &Package) {
    xml.within("views", |xml| {
        xml.within("view", |xml| {
            xml.leaf("name", "rtl");
            xml.leaf("envIdentifier", "verilogSource:any:any");
            xml.leaf("componentInstantiationRef", "verilog");
        });
    });
    xml.within("instantiations", |xml| {
        xml.within("componentInstantiation", |xml| {
            xml.leaf("name", "verilog");
            xml.leaf("language", "verilog");
            xml.leaf("moduleName", package.module);
            xml.within("fileSetRef", |xml| xml.leaf("localName", "rtl"));
        });
    });
    xml.within("ports", |xml| package.ports.iter().for_each(|each| port(xml, each)));
}

fn port(xml: &mut Writer, port: &PortEntry) {
    xml.within("port", |xml| {
        xml.leaf("name", &port.name);
        xml.leaf("description", &port.meaning);
        xml.within("wire", |xml| {
            xml.leaf("direction", if port.is_input() { "in" } else { "out" });
            if port.width > 1 {
                xml.within("vectors", |xml| {
                    xml.within("vector", |xml| {
                        xml.leaf("left", &(port.width - 1).to_string());
                        xml.leaf("right", "0");
                    });
                });
            }
        });
    });
}
