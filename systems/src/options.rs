//! The options of systems: their values as text, and what they may be.

use crate::{ByteOrder, DEFAULT_DIGITS, FEWEST_DIGITS, MOST_DIGITS, Max, ParseSystemError, System, Utf8Bom};

impl System {
    pub(crate) fn with_default_options(self) -> System {
        match self {
            System::UtfInf8 { .. } => System::UtfInf8 { digits: DEFAULT_DIGITS },
            System::Utf9 { .. } => System::Utf9 { max: Max::Unicode },
            System::CorrectedUtf8 { .. } => System::CorrectedUtf8 { document: false },
            System::Utf8Bom { .. } => System::Utf8,
            System::Utf16Octets { order, .. } => System::Utf16Octets { order, bom: false },
            System::Utf32Octets { order, .. } => System::Utf32Octets { order, bom: false },
            other => other,
        }
    }

    /// The options that the system takes, with their values: `[("digits", "4096")]`.
    pub fn options(self) -> Vec<(&'static str, String)> {
        match self {
            System::UtfInf8 { digits } => vec![("digits", digits.to_string())],
            System::Utf9 { max } => vec![("max", format!("{:x}", max.code_point()))],
            System::CorrectedUtf8 { document } => {
                vec![("document", on_or_off(document).to_owned())]
            }
            System::Utf8 => vec![("bom", "keep".to_owned())],
            System::Utf8Bom { bom: Utf8Bom::Strip } => vec![("bom", "strip".to_owned())],
            System::Utf8Bom { bom: Utf8Bom::Add } => vec![("bom", "add".to_owned())],
            System::Utf16 | System::Utf32 => {
                vec![("order", "native".to_owned()), ("bom", on_or_off(false).to_owned())]
            }
            System::Utf16Octets { bom, .. } | System::Utf32Octets { bom, .. } => {
                vec![("bom", on_or_off(bom).to_owned())]
            }
            _ => vec![],
        }
    }

    /// The options that differ from the default: `["max=7fffffff"]`.
    pub fn changed_options(self) -> Vec<String> {
        let default = self.with_default_options().options();
        let changed = self.options().into_iter().filter(|option| !default.contains(option));
        changed.map(|(option, value)| format!("{option}={value}")).collect()
    }
}

fn on_or_off(value: bool) -> &'static str {
    if value { "on" } else { "off" }
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
        (System::Utf9 { .. }, "max") => match value.to_lowercase().as_str() {
            "10ffff" => Ok(System::Utf9 { max: Max::Unicode }),
            "7fffffff" => Ok(System::Utf9 { max: Max::Ucs4 }),
            _ => Err(bad("max", "10ffff or 7fffffff".to_owned())),
        },
        (System::CorrectedUtf8 { .. }, "document") => {
            let document = parse_on_or_off(value).ok_or_else(|| bad("document", "on or off".to_owned()))?;
            Ok(System::CorrectedUtf8 { document })
        }
        (System::Utf8 | System::Utf8Bom { .. }, "bom") => match value {
            "keep" => Ok(System::Utf8),
            "strip" => Ok(System::Utf8Bom { bom: Utf8Bom::Strip }),
            "add" => Ok(System::Utf8Bom { bom: Utf8Bom::Add }),
            _ => Err(bad("bom", "keep, strip or add".to_owned())),
        },
        (System::Utf16 | System::Utf32, "order") => {
            let octets = |order| match system {
                System::Utf16 => System::Utf16Octets { order, bom: false },
                _ => System::Utf32Octets { order, bom: false },
            };
            match value {
                "native" => Ok(system),
                "be" => Ok(octets(ByteOrder::Big)),
                "le" => Ok(octets(ByteOrder::Little)),
                _ => Err(bad("order", "native, be or le".to_owned())),
            }
        }
        (System::Utf16 | System::Utf32 | System::Utf16Octets { .. } | System::Utf32Octets { .. }, "bom") => {
            let bom = parse_on_or_off(value).ok_or_else(|| bad("bom", "on or off".to_owned()))?;
            Ok(match system {
                System::Utf16Octets { order, .. } => System::Utf16Octets { order, bom },
                System::Utf32Octets { order, .. } => System::Utf32Octets { order, bom },
                // A mark is of octets, and without a word on their order the most significant is first (RFC 2781, §4.3).
                System::Utf16 if bom => System::Utf16Octets { order: ByteOrder::Big, bom },
                System::Utf32 if bom => System::Utf32Octets { order: ByteOrder::Big, bom },
                native => native,
            })
        }
        _ => Err(ParseSystemError::UnknownOption {
            system: system.name(),
            option: key.to_owned(),
            known: system.options().into_iter().map(|(known, _)| known).collect(),
        }),
    }
}
