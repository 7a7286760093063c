//! The systems by name: what they are called, what options they take, and how wide their units are.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Decoder, Encoder, Events, OnError, Refused, Slot, Unit};

/// The greatest value of the option `digits` of `utf-inf-8`: the head of a code point counts its limbs in 32 bits.
pub const MOST_DIGITS: u64 = 8 * u32::MAX as u64;

/// The least value of the option `digits` of `utf-inf-8`: the shortest form that has a length header has as many digits.
pub const FEWEST_DIGITS: u64 = 18;

/// A system and its options. As text, a system is a name, and options behind commas: `utf-9,max=7fffffff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// `utf-8`: one to four octets, U+0..U+10FFFF (RFC 3629).
    Utf8,
    /// `utf-8-rfc2279`: one to six octets, U+0..U+7FFFFFFF (RFC 2279; the manual of `recode`).
    Utf8Rfc2279,
    /// `utf-8-8byte`: one to eight octets, code points of up to 42 bits (Barber, *Extending UTF-8 to eight bytes*,
    /// §3).
    Utf8EightByte,
    /// `utf-8-65bit`: one to fourteen octets, code points of up to 65 bits (Barber, §9).
    Utf8SixtyFiveBit,
    /// `hunk-1` to `hunk-9`: UTF-8 made for units of 1 to 9 bits (Barber, §8).
    Hunk(HunkWidth),
    /// `utf-inf-8`: UTF-∞-8, code points of any size (Bishop and Cook, *Draft Proposal for UTF-∞-8
    /// Specification*).
    UtfInf8 {
        /// The most hexadecimal digits that a code point may have, [`FEWEST_DIGITS`] to [`MOST_DIGITS`].
        digits: u64,
    },
    /// `utf-9`: one to four nonets (RFC 4042, §3).
    Utf9 {
        /// The last code point.
        max: Utf9Max,
    },
    /// `utf-18`: pairs of nonets (RFC 4042, §4).
    Utf18,
    /// `corrected-utf-8`: the Corrected UTF-8 proposal.
    CorrectedUtf8 {
        /// Whether a stream is a document, with the magic number in front and without U+0000.
        document: bool,
    },
    /// `utf-8` with a byte order mark in front of streams: `utf-8,bom=strip` and `utf-8,bom=add`.
    Utf8Bom {
        /// What becomes of the mark.
        bom: Utf8Bom,
    },
    /// `utf-16`: one or two units of 16 bits (The Unicode Standard, §3.9).
    Utf16,
    /// `utf-16be` and `utf-16le`: units of two octets (The Unicode Standard, §3.10).
    Utf16Octets {
        /// The order of the octets of a unit.
        order: ByteOrder,
        /// Whether streams open with a byte order mark. Decoders take the order from the mark if there is one.
        bom: bool,
    },
    /// `utf-32`: units of 32 bits (The Unicode Standard, §3.9).
    Utf32,
    /// `utf-32be` and `utf-32le`: units of four octets (The Unicode Standard, §3.10).
    Utf32Octets {
        /// The order of the octets of a unit.
        order: ByteOrder,
        /// Whether streams open with a byte order mark. Decoders take the order from the mark if there is one.
        bom: bool,
    },
    /// `cesu-8`: UTF-8 in which supplementary code points are surrogate pairs of six octets (Unicode Technical Report #26).
    Cesu8,
    /// `mutf-8`: `cesu-8` without 00, in which U+0000 is C0 80 (The Java Virtual Machine Specification, §4.4.7).
    Mutf8,
    /// `wtf-8`: UTF-8 with surrogates, but without surrogate pairs (Sapin, *The WTF-8 encoding*).
    Wtf8,
    /// `latin-1`: an octet is a code point (ISO/IEC 8859-1).
    Latin1,
    /// `ascii`: octets 00..7F (RFC 20).
    Ascii,
}

/// The order of the octets of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The most significant octet first.
    Big,
    /// The least significant octet first.
    Little,
}

/// What `utf-8` does about a byte order mark, U+FEFF at the start of a stream. By default it is a code point as any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Utf8Bom {
    /// Decoders take the mark away, and encoders write none.
    Strip,
    /// Decoders take the mark away, and encoders write one in front of each stream.
    Add,
}

/// The width of a hunk: 1 to 9 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HunkWidth(u8);

impl HunkWidth {
    /// A width of 1 to 9 bits; `None` for others.
    pub const fn new(bits: u8) -> Option<HunkWidth> {
        if bits >= 1 && bits <= 9 { Some(HunkWidth(bits)) } else { None }
    }

    /// The width in bits.
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// The range of code points of `utf-9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Utf9Max {
    /// U+10FFFF, the last of Unicode.
    Unicode,
    /// U+7FFFFFFF, the last of UCS-4 ("by obvious extension", RFC 4042, §2).
    Ucs4,
}

impl Utf9Max {
    /// The last code point.
    pub const fn code_point(self) -> u32 {
        match self {
            Utf9Max::Unicode => 0x10_FFFF,
            Utf9Max::Ucs4 => 0x7FFF_FFFF,
        }
    }
}

/// The names of the systems. The first is the name, the others are aliases.
const NAMES: [(System, &[&str]); 28] = [
    (System::Utf8, &["utf-8", "utf8", "rfc3629"]),
    (System::Utf8Rfc2279, &["utf-8-rfc2279", "fss-utf", "utf-fss", "utf-2", "tf-8", "u8"]),
    (System::Utf8EightByte, &["utf-8-8byte", "barber-8"]),
    (System::Utf8SixtyFiveBit, &["utf-8-65bit", "barber-65"]),
    (System::Hunk(HunkWidth(1)), &["hunk-1"]),
    (System::Hunk(HunkWidth(2)), &["hunk-2"]),
    (System::Hunk(HunkWidth(3)), &["hunk-3"]),
    (System::Hunk(HunkWidth(4)), &["hunk-4"]),
    (System::Hunk(HunkWidth(5)), &["hunk-5"]),
    (System::Hunk(HunkWidth(6)), &["hunk-6"]),
    (System::Hunk(HunkWidth(7)), &["hunk-7"]),
    (System::Hunk(HunkWidth(8)), &["hunk-8"]),
    (System::Hunk(HunkWidth(9)), &["hunk-9"]),
    (System::UtfInf8 { digits: 1 << 32 }, &["utf-inf-8", "utf-∞-8"]),
    (System::Utf9 { max: Utf9Max::Unicode }, &["utf-9"]),
    (System::Utf18, &["utf-18"]),
    (System::CorrectedUtf8 { document: false }, &["corrected-utf-8"]),
    (System::Utf16, &["utf-16", "utf16"]),
    (System::Utf16Octets { order: ByteOrder::Big, bom: false }, &["utf-16be"]),
    (System::Utf16Octets { order: ByteOrder::Little, bom: false }, &["utf-16le"]),
    (System::Utf32, &["utf-32", "utf32", "ucs-4"]),
    (System::Utf32Octets { order: ByteOrder::Big, bom: false }, &["utf-32be"]),
    (System::Utf32Octets { order: ByteOrder::Little, bom: false }, &["utf-32le"]),
    (System::Cesu8, &["cesu-8"]),
    (System::Mutf8, &["mutf-8", "modified-utf-8"]),
    (System::Wtf8, &["wtf-8"]),
    (System::Latin1, &["latin-1", "iso-8859-1"]),
    (System::Ascii, &["ascii", "us-ascii"]),
];

impl System {
    /// Every system once, with its default options.
    pub fn all() -> impl Iterator<Item = System> {
        NAMES.iter().map(|&(system, _)| system)
    }

    /// The name, without options: `utf-inf-8`.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Other names that mean the same system.
    pub fn aliases(self) -> &'static [&'static str] {
        &self.names()[1..]
    }

    fn names(self) -> &'static [&'static str] {
        let found =
            NAMES.iter().find(|&&(system, _)| system.with_default_options() == self.with_default_options());
        found.expect("every system has a name").1
    }

    fn with_default_options(self) -> System {
        match self {
            System::UtfInf8 { .. } => System::UtfInf8 { digits: 1 << 32 },
            System::Utf9 { .. } => System::Utf9 { max: Utf9Max::Unicode },
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

    /// The width of a unit in bits: 1 to 9, 16 or 32.
    pub fn unit_bits(self) -> u8 {
        match self {
            System::Hunk(width) => width.bits(),
            System::Utf9 { .. } | System::Utf18 => 9,
            System::Utf16 => 16,
            System::Utf32 => 32,
            _ => 8,
        }
    }

    /// A streaming decoder at the start of a stream.
    pub fn decoder(self) -> Decoder {
        Decoder::new(self)
    }

    /// A streaming encoder at the start of a stream.
    pub fn encoder(self, on_error: OnError) -> Encoder {
        Encoder::new(self, on_error)
    }

    /// Encodes a whole stream of slots.
    ///
    /// # Errors
    ///
    /// With [`OnError::Strict`], the first slot that cannot be encoded.
    pub fn encode<S: Copy + Into<Slot>, V: Unit>(
        self,
        slots: &[S],
        on_error: OnError,
    ) -> Result<Vec<V>, Refused> {
        self.encoder(on_error).encode_all(slots)
    }

    /// Decodes a whole stream.
    pub fn decode<U: Unit>(self, units: &[U]) -> Events<'_, U> {
        Events::new(self.decoder(), units)
    }
}

fn on_or_off(value: bool) -> &'static str {
    if value { "on" } else { "off" }
}

impl fmt::Display for System {
    /// The name, and the options that differ from the default: `utf-9,max=7fffffff`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (option, default) in self.options().iter().zip(self.with_default_options().options()) {
            if *option != default {
                write!(f, ",{}={}", option.0, option.1)?;
            }
        }
        Ok(())
    }
}

/// Why a text names no system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseSystemError {
    /// No system has this name.
    #[error("there is no system {name:?}")]
    Unknown {
        /// The name as it was written.
        name: String,
    },
    /// The system has no such option.
    #[error("{system} has no option {option:?}{}", options_of(.known))]
    UnknownOption {
        /// The system.
        system: &'static str,
        /// The option as it was written.
        option: String,
        /// The options the system has.
        known: Vec<&'static str>,
    },
    /// The option is given more than once.
    #[error("{system} has the option {option:?} twice: give it once")]
    OptionTwice {
        /// The system.
        system: &'static str,
        /// The option.
        option: String,
    },
    /// The option cannot have this value.
    #[error("{option}={value:?} is not a value for {system}: use {allowed}")]
    BadValue {
        /// The system.
        system: &'static str,
        /// The option.
        option: &'static str,
        /// The value as it was written.
        value: String,
        /// What it may be.
        allowed: String,
    },
}

fn options_of(known: &[&str]) -> String {
    match known {
        [] => ": it has none".to_owned(),
        known => format!(": it has {}", known.join(", ")),
    }
}

impl System {
    /// As [`str::parse`], but `corrected-utf-8` is a document unless the option says otherwise, as files of it are.
    ///
    /// # Errors
    ///
    /// Unknown names and options, as for [`str::parse`].
    pub fn parse_for_files(text: &str) -> Result<System, ParseSystemError> {
        parse(text, |system| match system {
            System::CorrectedUtf8 { .. } => System::CorrectedUtf8 { document: true },
            other => other,
        })
    }
}

impl FromStr for System {
    type Err = ParseSystemError;

    /// Reads a name or an alias, and options behind commas. Case does not matter, and `_` stands for `-`.
    fn from_str(text: &str) -> Result<System, ParseSystemError> {
        parse(text, |system| system)
    }
}

/// Reads a name and options behind commas. `defaults` sets the options that the text does not name.
fn parse(text: &str, defaults: impl Fn(System) -> System) -> Result<System, ParseSystemError> {
    let (name, options) = text.split_once(',').unwrap_or((text, ""));
    let system = defaults(find(name)?);
    // The order of octets tells which system the other options are of.
    let options = options.split(',').filter(|_| text.len() > name.len());
    let mut keys = BTreeSet::new();
    let key_of = |option: &str| option.split('=').next().unwrap_or_default().to_owned();
    if let Some(option) = options.clone().map(key_of).find(|key| !keys.insert(key.clone())) {
        return Err(ParseSystemError::OptionTwice { system: system.name(), option });
    }
    let (orders, others): (Vec<&str>, Vec<&str>) = options.partition(|option| option.starts_with("order="));
    orders.into_iter().chain(others).try_fold(system, set_option)
}

fn find(name: &str) -> Result<System, ParseSystemError> {
    let folded = name.to_lowercase().replace('_', "-");
    let found = NAMES.iter().find(|(_, names)| names.contains(&folded.as_str()));
    found.map(|&(system, _)| system).ok_or_else(|| ParseSystemError::Unknown { name: name.to_owned() })
}

fn parse_on_or_off(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

fn set_option(system: System, option: &str) -> Result<System, ParseSystemError> {
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
            "10ffff" => Ok(System::Utf9 { max: Utf9Max::Unicode }),
            "7fffffff" => Ok(System::Utf9 { max: Utf9Max::Ucs4 }),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_are_all_different_and_name_their_system() {
        let mut seen = std::collections::HashSet::new();
        for (system, names) in NAMES {
            for name in names {
                assert!(seen.insert(name), "{name} twice");
                assert_eq!(find(name), Ok(system));
                assert_eq!(find(&name.to_uppercase().replace('-', "_")), Ok(system));
            }
        }
    }

    #[test]
    fn recodes_names_for_utf_8_are_the_six_octet_form() {
        for name in ["UTF-2", "UTF-FSS", "FSS_UTF", "TF-8", "u8"] {
            assert_eq!(find(name), Ok(System::Utf8Rfc2279), "{name}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let message = |name: &str| name.parse::<System>().unwrap_err().to_string();
        assert_eq!(message("utf-88"), r#"there is no system "utf-88""#);
        assert_eq!(message("utf-8,max=1"), r#"utf-8 has no option "max": it has bom"#);
        assert_eq!(message("utf-18,max=1"), r#"utf-18 has no option "max": it has none"#);
    }

    #[test]
    fn options_are_read_and_printed() {
        let set = |system, option| set_option(find(system).unwrap(), option).map(|system| system.to_string());
        assert_eq!(set("utf-9", "max=7FFFFFFF").as_deref(), Ok("utf-9,max=7fffffff"));
        assert_eq!(set("utf-9", "max=10ffff").as_deref(), Ok("utf-9"));
        assert_eq!(set("utf-∞-8", "digits=4096").as_deref(), Ok("utf-inf-8,digits=4096"));
        assert_eq!(set("corrected-utf-8", "document=on").as_deref(), Ok("corrected-utf-8,document=on"));
        for (text, name) in [
            ("utf-16,order=le", "utf-16le"),
            ("utf-16,order=native", "utf-16"),
            ("utf-16,bom=on,order=le", "utf-16le,bom=on"),
            ("UTF-16,bom=on", "utf-16be,bom=on"),
            ("utf-16,bom=off", "utf-16"),
            ("ucs-4,order=be", "utf-32be"),
            ("utf-32,bom=on", "utf-32be,bom=on"),
            ("utf-32le,bom=on", "utf-32le,bom=on"),
            ("utf-8,bom=keep", "utf-8"),
            ("utf-8,bom=strip", "utf-8,bom=strip"),
            ("iso_8859_1", "latin-1"),
            ("US-ASCII", "ascii"),
            ("modified-utf-8", "mutf-8"),
        ] {
            assert_eq!(
                text.parse::<System>().map(|system| system.to_string()).as_deref(),
                Ok(name),
                "{text}"
            );
        }
        for (text, name, option) in [
            ("utf-8,bom=strip,bom=add", "utf-8", "bom"),
            ("utf-16,bom=on,order=le,bom=on", "utf-16", "bom"),
            ("utf-16,order=le,order=be", "utf-16", "order"),
            ("utf-inf-8,digits=18,digits=19", "utf-inf-8", "digits"),
        ] {
            let expected = format!("{name} has the option {option:?} twice: give it once");
            assert_eq!(text.parse::<System>().map_err(|error| error.to_string()), Err(expected), "{text}");
        }
        assert_eq!("corrected-utf-8".parse(), Ok(System::CorrectedUtf8 { document: false }));
        let for_files = System::parse_for_files;
        assert_eq!(for_files("corrected-utf-8"), Ok(System::CorrectedUtf8 { document: true }));
        assert_eq!(for_files("corrected-utf-8,document=off"), Ok(System::CorrectedUtf8 { document: false }));
        let message = |system, option| set(system, option).unwrap_err().to_string();
        assert_eq!(message("utf-9", "max=1"), r#"max="1" is not a value for utf-9: use 10ffff or 7fffffff"#);
        assert_eq!(
            message("utf-16", "order=x"),
            r#"order="x" is not a value for utf-16: use native, be or le"#
        );
        assert_eq!(message("utf-16be", "order=le"), r#"utf-16be has no option "order": it has bom"#);
        assert_eq!(message("utf-32le", "bom=add"), r#"bom="add" is not a value for utf-32le: use on or off"#);
        assert_eq!(
            message("utf-8", "bom=on"),
            r#"bom="on" is not a value for utf-8: use keep, strip or add"#
        );
        assert_eq!(message("utf-9", "mix=1"), r#"utf-9 has no option "mix": it has max"#);
        assert!(message("utf-inf-8", "digits=17").contains("from 18 to 34359738360"));
        assert!(message("utf-inf-8", "digits=34359738361").contains("from 18 to 34359738360"));
    }
}
