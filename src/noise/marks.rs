//! The marks that a frame may open with: units that are no text.

use utfhdl_codec::System;
use utfhdl_hdl::core::{decoded_only, software_only};

/// The magic number of Corrected UTF-8.
pub const MAGIC: &[u32] = &[0xef, 0xb7, 0x9d, 0xed, 0xb2, 0xae, 0x00, 0x0a];

/// The marks of a system. A frame may open with one of them, or with none.
pub fn marks(system: System) -> &'static [&'static [u32]] {
    match system {
        System::CorrectedUtf8 { document: true, .. } => &[MAGIC],
        System::Utf8Bom { .. } => &[&[0xef, 0xbb, 0xbf]],
        System::Utf16Octets { bom: true, .. } | System::Ucs2Octets { bom: true, .. } => {
            &[&[0xfe, 0xff], &[0xff, 0xfe]]
        }
        System::Utf32Octets { bom: true, .. } => &[&[0x00, 0x00, 0xfe, 0xff], &[0xff, 0xfe, 0x00, 0x00]],
        System::Utf8
        | System::Utf8Rfc2279
        | System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::UtfInf8 { .. }
        | System::Utf9 { .. }
        | System::Utf18
        | System::CorrectedUtf8 { document: false, .. }
        | System::Utf16
        | System::Utf16Octets { bom: false, .. }
        | System::Utf32 { .. }
        | System::Utf32Octets { bom: false, .. }
        | System::Ucs2
        | System::Ucs2Octets { bom: false, .. }
        | System::UtfEbcdicI8 { .. }
        | decoded_only!()
        | software_only!()
        | System::Cesu8
        | System::Mutf8
        | System::Wtf8
        | System::Latin1
        | System::Ascii
        | System::Table(_)
        | System::MultiOctet(_)
        | System::Auto(_) => &[],
    }
}
