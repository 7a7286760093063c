//! The register map: names, addresses and fields. The hardware, the C header, the SystemRDL file and the manifest follow it.

use crate::core::{BitField, CoreSpec, ErrorKind, Role, error_kinds};

/// Bits of an address, which counts bytes.
pub const ADDRESS_BITS: u32 = 8;

/// Bits of a register.
pub(in crate::core) const WORD: u32 = 32;

/// The version of the map.
const MAP_VERSION: u32 = 1;

/// `UTFH` in ASCII, most significant octet first.
const ID_VALUE: u32 = 0x5554_4648;

pub(super) const ID: u32 = 0x00;
pub(super) const CORE: u32 = 0x04;
pub(super) const CONTROL: u32 = 0x08;
pub(super) const SATURATED: u32 = 0x0c;
pub(super) const FIRST_ERROR: u32 = 0x10;
pub(super) const FIRST_ERROR_OFFSET: u32 = 0x14;
pub(super) const FIRST_ERROR_FRAME: u32 = 0x18;
/// The first of the totals, each of two words, the low one first.
const TOTALS: u32 = 0x20;
/// The total of frames with a first error of the kind 0, which there is not.
const KINDS: u32 = 0x80;

/// The effect of software on a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Is read, and reading changes nothing.
    Read,
    /// Is read, and reading lets go of what it held.
    ReadReleases,
    /// Is written, and reads as zero.
    Write,
}

/// A register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The name, in capital letters with `_` between words.
    pub name: String,
    /// The address in bytes from the base.
    pub address: u32,
    /// The access of software to a register.
    pub access: Access,
    /// The value, of a register that never changes.
    pub constant: Option<u32>,
    /// The meaning of the register.
    pub meaning: String,
    /// The fields; none where the register is one number.
    pub fields: Vec<BitField>,
}

/// A total.
#[derive(Clone, Copy)]
pub(super) struct Total {
    /// The name, in small letters.
    pub(super) name: &'static str,
    /// The field of the status that it adds up; `None` if it counts frames.
    pub(super) of_status: Option<&'static str>,
    meaning: &'static str,
}

/// The totals, in the order of their addresses.
pub(super) const ALL_TOTALS: [Total; 5] = [
    Total { name: "frames", of_status: None, meaning: "frames" },
    Total { name: "ill_formed_frames", of_status: None, meaning: "frames with an error" },
    Total { name: "units", of_status: Some("units"), meaning: "units; slots in an encoder" },
    Total { name: "code_points", of_status: Some("code_points"), meaning: "code points" },
    Total { name: "errors", of_status: Some("errors"), meaning: "errors" },
];

/// The address of the low word of a total.
pub(super) fn address_of_total(index: usize) -> u32 {
    TOTALS + 8 * index as u32
}

/// The address of the number of frames whose first error is of a kind.
pub(super) fn address_of_kind(kind: ErrorKind) -> u32 {
    KINDS + 4 * kind.code() as u32
}

/// The kinds of error that the core can have.
pub(super) fn kinds(spec: &CoreSpec) -> Vec<ErrorKind> {
    match spec.role {
        // Slots come in with any kind, from a decoder of any system.
        Role::Encoder => ErrorKind::ALL.to_vec(),
        _ => error_kinds(spec.system),
    }
}

/// The value of the register that describes the core.
fn core_value(spec: &CoreSpec) -> u32 {
    let role = match spec.role {
        Role::Decoder => 0,
        Role::Encoder => 1,
        Role::Transcoder { .. } => 2,
        Role::Validator(_) => 3,
    };
    MAP_VERSION | role << 8 | spec.lanes << 16 | spec.system.unit_bits() << 24
}

/// The registers of the core of this specification, in the order of their addresses.
pub fn registers(spec: &CoreSpec) -> Vec<Register> {
    let mut all = fixed(spec);
    for (index, total) in ALL_TOTALS.iter().enumerate() {
        let (address, name) = (address_of_total(index), total.name.to_uppercase());
        all.push(register(
            format!("{name}_LOW"),
            address,
            format!("total of {}, bits 31 to 0", total.meaning),
        ));
        let high = format!("bits 63 to 32, as they were when {name}_LOW was read");
        all.push(register(format!("{name}_HIGH"), address + 4, high));
    }
    all.extend(kinds(spec).into_iter().map(|kind| {
        let name = format!("FIRST_{}_FRAMES", kind.name().to_uppercase().replace('-', "_"));
        let meaning = format!("frames whose first error is `{}`; stops at all ones", kind.name());
        register(name, address_of_kind(kind), meaning)
    }));
    all
}

/// A number that software reads.
fn register(name: impl Into<String>, address: u32, meaning: impl Into<String>) -> Register {
    let (name, meaning) = (name.into(), meaning.into());
    Register { name, address, access: Access::Read, constant: None, meaning, fields: Vec::new() }
}

/// The registers below the totals.
fn fixed(spec: &CoreSpec) -> Vec<Register> {
    let field = |name, low, bits, meaning| BitField { name, low, bits, meaning };
    let of_frame = |number| {
        format!("{number} of the frame that FIRST_ERROR is about, as it was when FIRST_ERROR was read")
    };
    vec![
        Register { constant: Some(ID_VALUE), ..register("ID", ID, "0x55544648, which is UTFH in ASCII") },
        Register {
            constant: Some(core_value(spec)),
            fields: vec![
                field("map", 0, 8, "version of the register map: 1"),
                field("role", 8, 8, "0 decoder, 1 encoder, 2 transcoder, 3 validator"),
                field("lanes", 16, 8, "units or slots a cycle"),
                field("unit_bits", 24, 8, "bits of a unit"),
            ],
            ..register("CORE", CORE, "the core")
        },
        Register {
            access: Access::Write,
            fields: vec![field("clear", 0, 1, "1 sets all totals to zero, and SATURATED and FIRST_ERROR")],
            ..register("CONTROL", CONTROL, "commands; reads as zero")
        },
        Register {
            fields: vec![
                field("units", 0, 1, "the total of units is too small"),
                field("code_points", 1, 1, "the total of code points is too small"),
                field("errors", 2, 1, "the total of errors is too small"),
            ],
            ..register(
                "SATURATED",
                SATURATED,
                "a number of a frame did not fit 32 bits, and 2^32 - 1 was added to the total; stays until clear",
            )
        },
        Register {
            access: Access::ReadReleases,
            fields: vec![
                field("valid", 0, 1, "there has been an error since this register was read or cleared"),
                field("kind", 4, 4, "kind of the first error"),
            ],
            ..register(
                "FIRST_ERROR",
                FIRST_ERROR,
                "the first error since this register was read or cleared; reading it lets the next error in",
            )
        },
        register(
            "FIRST_ERROR_OFFSET",
            FIRST_ERROR_OFFSET,
            of_frame("offset of the first unit of the error in the frame, or all ones,"),
        ),
        register(
            "FIRST_ERROR_FRAME",
            FIRST_ERROR_FRAME,
            of_frame("number since clear, modulo 2^32, the first frame being 0,"),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::System;

    #[test]
    fn addresses_are_apart_and_fit_the_bus() {
        for role in [Role::Decoder, Role::Encoder] {
            let all = registers(&CoreSpec::new(System::Utf8, role));
            assert!(all.windows(2).all(|pair| pair[0].address < pair[1].address));
            assert!(all.iter().all(|register| register.address.is_multiple_of(4)));
            assert!(all.iter().all(|register| register.address < 1 << ADDRESS_BITS));
        }
    }
}
