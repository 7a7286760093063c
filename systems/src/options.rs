//! The options of systems: their values as text, and what they may be.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};

use crate::error::ParseSystemError;
use crate::{ByteOrder, DEFAULT_DIGITS, FEWEST_DIGITS, MOST_DIGITS, Max, SetO, System, Utf8Bom};

impl System {
    pub(crate) fn with_default_options(self) -> System {
        match self {
            System::UtfInf8 { .. } => System::UtfInf8 { digits: DEFAULT_DIGITS },
            System::Utf9 { .. } => System::Utf9 { max: Max::Unicode },
            System::CorrectedUtf8 { .. } => System::CorrectedUtf8 { document: false, private: false },
            System::Utf8Bom { .. } => System::Utf8,
            System::Utf16Octets { order, .. } => System::Utf16Octets { order, bom: false },
            System::Utf32 { .. } => System::Utf32 { max: Max::Unicode },
            System::Utf32Octets { order, .. } => System::Utf32Octets { order, bom: false, max: Max::Unicode },
            System::Ucs2Octets { order, .. } => System::Ucs2Octets { order, bom: false },
            System::UtfEbcdicI8 { .. } => System::UtfEbcdicI8 { max: Max::Unicode },
            System::UtfEbcdic { .. } => System::UtfEbcdic { max: Max::Unicode },
            System::Utf1 { .. } => System::Utf1 { max: Max::Unicode },
            System::Utf7 { .. } => System::Utf7 { set_o: SetO::Direct },
            System::Utf8
            | System::Utf8Rfc2279
            | System::Utf8EightByte
            | System::Utf8SixtyFiveBit
            | System::Hunk(_)
            | System::Utf18
            | System::Utf16
            | System::Ucs2
            | System::Scsu
            | System::Bocu1
            | System::Cesu8
            | System::Mutf8
            | System::Wtf8
            | System::Latin1
            | System::Ascii
            | System::Table(_)
            | System::MultiOctet(_)
            | System::Auto(_) => self,
        }
    }

    /// The options that the system takes, with their values: `[("digits", "4096")]`.
    pub fn options(self) -> Vec<(&'static str, String)> {
        let on_or_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        let of_max = |max: Max| ("max", format!("{:x}", max.code_point()));
        let native = || ("order", "native".to_owned());
        match self {
            System::UtfInf8 { digits } => vec![("digits", digits.to_string())],
            System::Utf9 { max }
            | System::UtfEbcdicI8 { max }
            | System::UtfEbcdic { max }
            | System::Utf1 { max } => vec![of_max(max)],
            System::Utf7 { set_o: SetO::Direct } => vec![("set-o", "direct".to_owned())],
            System::Utf7 { set_o: SetO::Base64 } => vec![("set-o", "base64".to_owned())],
            System::CorrectedUtf8 { document, private } => {
                let skipped = if private { "private" } else { "none" };
                vec![("document", on_or_off(document)), ("skipped", skipped.to_owned())]
            }
            System::Utf8 => vec![("bom", "keep".to_owned())],
            System::Utf8Bom { bom: Utf8Bom::Strip } => vec![("bom", "strip".to_owned())],
            System::Utf8Bom { bom: Utf8Bom::Add } => vec![("bom", "add".to_owned())],
            System::Utf16 | System::Ucs2 => vec![native(), ("bom", on_or_off(false))],
            System::Utf16Octets { bom, .. } | System::Ucs2Octets { bom, .. } => {
                vec![("bom", on_or_off(bom))]
            }
            System::Utf32 { max } => vec![native(), ("bom", on_or_off(false)), of_max(max)],
            System::Utf32Octets { bom, max, .. } => vec![("bom", on_or_off(bom)), of_max(max)],
            System::Utf8Rfc2279
            | System::Utf8EightByte
            | System::Utf8SixtyFiveBit
            | System::Hunk(_)
            | System::Utf18
            | System::Scsu
            | System::Bocu1
            | System::Cesu8
            | System::Mutf8
            | System::Wtf8
            | System::Latin1
            | System::Ascii
            | System::Table(_)
            | System::MultiOctet(_)
            | System::Auto(_) => vec![],
        }
    }

    /// The system of these words as octets, in an order and with or without a mark; `None` of a system without words.
    fn in_octets(self, order: ByteOrder, bom: bool) -> Option<System> {
        match self {
            System::Utf16 | System::Utf16Octets { .. } => Some(System::Utf16Octets { order, bom }),
            System::Ucs2 | System::Ucs2Octets { .. } => Some(System::Ucs2Octets { order, bom }),
            System::Utf32 { max } | System::Utf32Octets { max, .. } => {
                Some(System::Utf32Octets { order, bom, max })
            }
            _ => None,
        }
    }

    /// The options that differ from the default: `["max=7fffffff"]`.
    pub fn changed_options(self) -> Vec<String> {
        let default = self.with_default_options().options();
        let changed = self.options().into_iter().filter(|option| !default.contains(option));
        changed.map(|(option, value)| format!("{option}={value}")).collect()
    }
}

fn parse_on_or_off(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

pub(crate) fn set_option(system: System, option: &str) -> Result<System, ParseSystemError> {
    let (key, value) = option.split_once('=').unwrap_or((option, ""));
    let bad = |option, allowed: String| ParseSystemError::BadValue {
        system: system.name(),
        option,
        value: value.to_owned(),
        allowed,
    };
    match (system, key) {
        (System::UtfInf8 { .. }, "digits") => {
            let digits = value.parse().ok().filter(|digits| (FEWEST_DIGITS..=MOST_DIGITS).contains(digits));
            let digits = digits
                .ok_or_else(|| bad("digits", format!("a number from {FEWEST_DIGITS} to {MOST_DIGITS}")))?;
            Ok(System::UtfInf8 { digits })
        }
        (
            System::Utf9 { .. }
            | System::UtfEbcdicI8 { .. }
            | System::UtfEbcdic { .. }
            | System::Utf1 { .. }
            | System::Utf32 { .. }
            | System::Utf32Octets { .. },
            "max",
        ) => {
            let max = match value.to_lowercase().as_str() {
                "10ffff" => Max::Unicode,
                "7fffffff" => Max::Ucs4,
                _ => return Err(bad("max", "10ffff or 7fffffff".to_owned())),
            };
            Ok(match system {
                System::UtfEbcdicI8 { .. } => System::UtfEbcdicI8 { max },
                System::UtfEbcdic { .. } => System::UtfEbcdic { max },
                System::Utf1 { .. } => System::Utf1 { max },
                System::Utf32 { .. } => System::Utf32 { max },
                System::Utf32Octets { order, bom, .. } => System::Utf32Octets { order, bom, max },
                _ => System::Utf9 { max },
            })
        }
        (System::Utf7 { .. }, "set-o") => match value {
            "direct" => Ok(System::Utf7 { set_o: SetO::Direct }),
            "base64" => Ok(System::Utf7 { set_o: SetO::Base64 }),
            _ => Err(bad("set-o", "direct or base64".to_owned())),
        },
        (System::CorrectedUtf8 { private, .. }, "document") => {
            let document = parse_on_or_off(value).ok_or_else(|| bad("document", "on or off".to_owned()))?;
            Ok(System::CorrectedUtf8 { document, private })
        }
        (System::CorrectedUtf8 { document, .. }, "skipped") => match value {
            "none" => Ok(System::CorrectedUtf8 { document, private: false }),
            "private" => Ok(System::CorrectedUtf8 { document, private: true }),
            _ => Err(bad("skipped", "none or private".to_owned())),
        },
        (System::Utf8 | System::Utf8Bom { .. }, "bom") => match value {
            "keep" => Ok(System::Utf8),
            "strip" => Ok(System::Utf8Bom { bom: Utf8Bom::Strip }),
            "add" => Ok(System::Utf8Bom { bom: Utf8Bom::Add }),
            _ => Err(bad("bom", "keep, strip or add".to_owned())),
        },
        (System::Utf16 | System::Utf32 { .. } | System::Ucs2, "order") => match value {
            "native" => Ok(system),
            "be" => Ok(system.in_octets(ByteOrder::Big, false).expect("it has words")),
            "le" => Ok(system.in_octets(ByteOrder::Little, false).expect("it has words")),
            _ => Err(bad("order", "native, be or le".to_owned())),
        },
        (System::Utf16 | System::Utf32 { .. } | System::Ucs2, "bom") => {
            let bom = parse_on_or_off(value).ok_or_else(|| bad("bom", "on or off".to_owned()))?;
            // A mark is of octets, and without a word on their order the most significant is first (RFC 2781, §4.3).
            Ok(system.in_octets(ByteOrder::Big, true).filter(|_| bom).unwrap_or(system))
        }
        (
            System::Utf16Octets { order, .. }
            | System::Utf32Octets { order, .. }
            | System::Ucs2Octets { order, .. },
            "bom",
        ) => {
            let bom = parse_on_or_off(value).ok_or_else(|| bad("bom", "on or off".to_owned()))?;
            Ok(system.in_octets(order, bom).expect("it has words"))
        }
        _ => Err(ParseSystemError::UnknownOption {
            system: system.name(),
            option: key.to_owned(),
            known: system.options().into_iter().map(|(known, _)| known).collect(),
        }),
    }
}
