//! The register map of a core for software and for tools: a C header and a SystemRDL file.

use std::fmt::Write;

use utfhdl_hdl::core::{ADDRESS_BITS, Access, BitField, Core, Register, registers};

use super::TextFile;

/// The files that are written with every core that has registers; none for other cores.
pub fn register_files(core: &Core) -> Vec<TextFile> {
    if !core.spec.registers.is_there() {
        return Vec::new();
    }
    let (module, all) = (core.design.top.name(), registers(&core.spec));
    let header = TextFile {
        path: format!("{module}_registers.h"),
        text: c_header(core, &all),
        about: "the register map, for C and C++",
    };
    let rdl = TextFile {
        path: format!("{module}_registers.rdl"),
        text: system_rdl(core, &all),
        about: "the register map, in SystemRDL 2.0",
    };
    vec![header, rdl]
}

/// The lines at the head of both files.
fn head(core: &Core, what: &str) -> String {
    format!(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0\n *\n * {what} of {}.\n *\n * Generator  utfhdl {}\n * Command    {}\n */\n\n",
        core.design.top.name(),
        env!("CARGO_PKG_VERSION"),
        core.command()
    )
}

/// The access of software, in words.
fn access(access: Access) -> &'static str {
    match access {
        Access::Read => "read only",
        Access::ReadReleases => "read only; reading it clears `valid`",
        Access::Write => "write only",
    }
}

fn c_header(core: &Core, all: &[Register]) -> String {
    let prefix = core.design.top.name().to_uppercase();
    let mut text = head(core, "Registers");
    text += &format!(
        "#ifndef {prefix}_REGISTERS_H\n#define {prefix}_REGISTERS_H\n\n\
         /* Bytes of the address space. */\n#define {prefix}_SIZE 0x{:x}u\n",
        1 << ADDRESS_BITS
    );
    for register in all {
        let name = format!("{prefix}_{}", register.name);
        text += &format!("\n/* {} ({}). */\n", register.meaning, access(register.access));
        text += &format!("#define {name} 0x{:02x}u\n", register.address);
        if let Some(value) = register.constant {
            text += &format!("#define {name}_VALUE 0x{value:08x}u\n");
        }
        for &BitField { name: field, low, bits, meaning } in &register.fields {
            let field = format!("{name}_{}", field.to_uppercase());
            let mask = ((1_u64 << bits) - 1) << low;
            text += &format!(
                "#define {field}_SHIFT {low}u\n#define {field}_MASK 0x{mask:08x}u  /* {meaning} */\n"
            );
        }
    }
    text + &format!("\n#endif /* {prefix}_REGISTERS_H */\n")
}

fn system_rdl(core: &Core, all: &[Register]) -> String {
    let module = core.design.top.name();
    let mut text = head(core, "Register map");
    text += &format!(
        "addrmap {module}_registers {{\n    name = \"{module}\";\n    default regwidth = 32;\n    default accesswidth = 32;\n    \
         default sw = r;\n    default hw = w;\n"
    );
    for register in all {
        text += &format!("\n    reg {{\n        desc = \"{}\";\n", register.meaning);
        let whole = [BitField { name: "value", low: 0, bits: 32, meaning: "" }];
        let fields = if register.fields.is_empty() { &whole[..] } else { &register.fields };
        for field in fields {
            text += &rdl_field(register, field);
        }
        writeln!(text, "    }} {} @ 0x{:02x};", register.name, register.address).expect("a string takes it");
    }
    text + "};\n"
}

/// A field of a register in SystemRDL.
fn rdl_field(register: &Register, field: &BitField) -> String {
    let mut properties = String::new();
    if !field.meaning.is_empty() {
        properties += &format!(" desc = \"{}\";", field.meaning);
    }
    match register.access {
        Access::Read => {}
        Access::ReadReleases if field.name == "valid" => properties += " onread = rclr;",
        Access::ReadReleases => {}
        Access::Write => properties += " sw = w; hw = r; singlepulse;",
    }
    let reset = match (register.constant, register.access) {
        (Some(value), _) => {
            properties += " hw = na;";
            format!(" = {:#x}", u64::from(value) >> field.low & ((1 << field.bits) - 1))
        }
        (None, _) => " = 0x0".to_owned(),
    };
    let (high, low) = (field.low + field.bits - 1, field.low);
    format!("        field {{{properties} }} {}[{high}:{low}]{reset};\n", field.name)
}
