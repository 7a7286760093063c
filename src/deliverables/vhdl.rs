//! The core for designs in VHDL: a component declaration in a package, and an entity around the component.

use super::{Package, PortEntry, TextFile};

/// Reserved words of VHDL-93, VHDL-2002 and VHDL-2008.
const RESERVED: &str = "abs access after alias all and architecture array assert assume assume_guarantee attribute begin \
    block body buffer bus case component configuration constant context cover default disconnect downto else elsif end \
    entity exit fairness file for force function generate generic group guarded if impure in inertial inout is label \
    library linkage literal loop map mod nand new next nor not null of on open or others out package parameter port \
    postponed procedure process property protected pure range record register reject release rem report restrict \
    restrict_guarantee return rol ror select sequence severity shared signal sla sll sra srl strong subtype then to \
    transport type unaffected units until use variable vmode vprop vunit wait when while with xnor xor";

pub fn files(package: &Package) -> Vec<TextFile> {
    let module = package.module;
    let about = format!(
        "{module} for VHDL-93: its component, in the package {module}_component, and the entity {module}_vhdl, which has the \
         same ports. Compile it with {module}.v in a tool that takes both languages."
    );
    let (component, entity) = (format!("{module}_component"), format!("{module}_vhdl"));
    let (component, entity, core) = (identifier(&component), identifier(&entity), identifier(module));
    let names: Vec<&str> = package.ports.iter().map(|port| port.name.as_str()).collect();
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let map: Vec<String> =
        names.iter().map(|name| format!("            {name:longest$} => {name}")).collect();
    let text = format!(
        "{head}
library ieee;
use ieee.std_logic_1164.all;

package {component} is
{constants}
    component {core} is
        port (
{ports_of_component}
        );
    end component;

end package;

library ieee;
use ieee.std_logic_1164.all;

use work.{component}.all;

entity {entity} is
    port (
{ports_of_entity}
    );
end entity;

architecture structural of {entity} is
begin

    core : {core}
        port map (
{map}
        );

end architecture;
",
        head = package.head("--", &about),
        constants = constants(package),
        ports_of_component = ports(&package.ports, 12),
        ports_of_entity = ports(&package.ports, 8),
        map = map.join(",\n"),
    );
    vec![TextFile { path: format!("vhdl/{module}.vhd"), text, about: "a component and an entity in VHDL" }]
}

/// The values of the `tuser` of a slot, as constants.
fn constants(package: &Package) -> String {
    let constants = package.slot_constants();
    let longest = constants.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let lines = constants.iter().map(|(name, value, meaning)| {
        format!(
            "    constant {name:longest$} : std_logic_vector(3 downto 0) := \"{value:04b}\";  -- {meaning}\n"
        )
    });
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("\n    -- {}\n{lines}", package.about_constants()) }
}

/// A name in VHDL: a name that is no basic identifier is put between backslashes.
fn identifier(name: &str) -> String {
    let is_basic = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        && !name.ends_with('_')
        && !name.contains("__");
    let is_reserved = RESERVED.split_whitespace().any(|word| name.eq_ignore_ascii_case(word));
    if is_basic && !is_reserved { name.to_owned() } else { format!("\\{name}\\") }
}

fn ports(ports: &[PortEntry], indent: usize) -> String {
    let longest = ports.iter().map(|port| port.name.len()).max().unwrap_or(0);
    let declared = ports.iter().map(|port| {
        let direction = if port.is_input() { "in " } else { "out" };
        let kind = match port.width {
            1 => "std_logic".to_owned(),
            width => format!("std_logic_vector({} downto 0)", width - 1),
        };
        format!("{:indent$}{:longest$} : {direction} {kind}", "", port.name)
    });
    declared.collect::<Vec<_>>().join(";\n")
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_that_vhdl_lacks_are_extended() {
        assert_eq!(identifier("utf_8_decoder_x1"), "utf_8_decoder_x1");
        for name in ["_in", "out_", "a__b", "Entity", "a$b"] {
            assert_eq!(identifier(name), format!("\\{name}\\"));
        }
    }
}
