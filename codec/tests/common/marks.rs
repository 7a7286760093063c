//! Systems whose streams may open with a mark that is no text.

use utfhdl_codec::{ByteOrder, System};

/// The system without marks before its streams.
pub fn bare(system: System) -> System {
    match system {
        System::CorrectedUtf8 { private, .. } => System::CorrectedUtf8 { document: false, private },
        System::Utf8Bom { .. } => System::Utf8,
        System::Utf16Octets { order, .. } => System::Utf16Octets { order, bom: false },
        System::Utf32Octets { order, max, .. } => System::Utf32Octets { order, bom: false, max },
        System::Ucs2Octets { order, .. } => System::Ucs2Octets { order, bom: false },
        other => other,
    }
}

/// The system that reads the units after the mark of the stream `units`, if it has one.
pub fn bare_of(system: System, units: &[u32]) -> System {
    let order = match (system, units) {
        (System::Utf16Octets { bom: true, .. } | System::Ucs2Octets { bom: true, .. }, [0xFE, 0xFF, ..]) => {
            ByteOrder::Big
        }
        (System::Utf16Octets { bom: true, .. } | System::Ucs2Octets { bom: true, .. }, [0xFF, 0xFE, ..]) => {
            ByteOrder::Little
        }
        (System::Utf32Octets { bom: true, .. }, [0, 0, 0xFE, 0xFF, ..]) => ByteOrder::Big,
        (System::Utf32Octets { bom: true, .. }, [0xFF, 0xFE, 0, 0, ..]) => ByteOrder::Little,
        _ => return bare(system),
    };
    match system {
        System::Utf32Octets { max, .. } => System::Utf32Octets { order, bom: false, max },
        System::Ucs2Octets { .. } => System::Ucs2Octets { order, bom: false },
        _ => System::Utf16Octets { order, bom: false },
    }
}

/// Whether streams may open with a mark: what is the same in the middle of a stream need not be so at its start.
pub fn is_marked(system: System) -> bool {
    bare(system) != system
}
