//! The systems that cores are made for.

use std::fmt;

/// The fewest digits that the option `digits` of `utf-inf-8` can be: the shortest form with a length header has as
/// many.
pub const FEWEST_DIGITS: u64 = 18;

/// The most digits that the option `digits` of `utf-inf-8` can be: the head of a code point counts its limbs in 32
/// bits.
pub const MOST_DIGITS: u64 = 8 * u32::MAX as u64;

/// The option `digits` of `utf-inf-8` by default.
pub const DEFAULT_DIGITS: u64 = 1 << 32;

/// The last code point of Unicode.
pub const LAST_OF_UNICODE: u32 = 0x10_ffff;

/// The last code point of UCS-4.
pub const LAST_OF_UCS_4: u32 = 0x7fff_ffff;

/// A system, with the options that change its cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// UTF-8 of up to four octets, RFC 3629.
    Utf8,
    /// UTF-8 of up to six octets, RFC 2279.
    Utf8Rfc2279,
    /// UTF-8 of up to eight octets, seed 001 §3.
    Utf8EightByte,
    /// UTF-8 of up to fourteen octets and 65 bits, seed 001 §9.
    Utf8SixtyFiveBit,
    /// UTF-8 for units of so many bits, 1 to 9, seed 001 §8.
    Hunk(u32),
    /// UTF-∞-8, seed 000.
    UtfInf8 {
        /// The most hexadecimal digits (NUD) of a code point, [`FEWEST_DIGITS`] to [`MOST_DIGITS`].
        digits: u64,
    },
    /// UTF-9, seed 003 §3.
    Utf9 {
        /// The last code point: [`LAST_OF_UNICODE`] or [`LAST_OF_UCS_4`].
        max: u32,
    },
    /// UTF-18, seed 003 §4.
    Utf18,
    /// Corrected UTF-8, seed 004.
    CorrectedUtf8 {
        /// A frame is a document, with the magic number in front and without U+0000.
        document: bool,
    },
    /// UTF-8 of up to four octets, with a byte order mark in front of frames.
    Utf8Bom {
        /// What becomes of the mark.
        bom: Utf8Bom,
    },
    /// UTF-16 of units of 16 bits, The Unicode Standard, §3.9.
    Utf16,
    /// UTF-16 of octets, two a unit, The Unicode Standard, §3.10.
    Utf16Octets {
        /// The order of the octets of a unit.
        order: ByteOrder,
        /// Frames open with a byte order mark; a decoder takes the order from it, if it is there.
        bom: bool,
    },
    /// UTF-32 of units of 32 bits, The Unicode Standard, §3.9.
    Utf32,
    /// UTF-32 of octets, four a unit, The Unicode Standard, §3.10.
    Utf32Octets {
        /// The order of the octets of a unit.
        order: ByteOrder,
        /// Frames open with a byte order mark; a decoder takes the order from it, if it is there.
        bom: bool,
    },
    /// CESU-8, Unicode Technical Report #26.
    Cesu8,
    /// The modified UTF-8 of The Java Virtual Machine Specification, §4.4.7.
    Mutf8,
    /// WTF-8: UTF-8 with surrogates, but without pairs of them.
    Wtf8,
    /// ISO/IEC 8859-1: an octet is a code point.
    Latin1,
    /// ASCII: an octet below 80 is a code point.
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

impl ByteOrder {
    /// Both.
    pub(super) const ALL: [Self; 2] = [Self::Big, Self::Little];
}

/// What cores of UTF-8 do about a byte order mark in front of a frame. By default it is a code point as any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Utf8Bom {
    /// Decoders take the mark away, and encoders write none.
    Strip,
    /// Decoders take the mark away, and encoders write one in front of each frame.
    Add,
}

impl System {
    /// Every system once, with its default options.
    pub fn all() -> impl Iterator<Item = Self> {
        let octets = [Self::Utf8, Self::Utf8Rfc2279, Self::Utf8EightByte, Self::Utf8SixtyFiveBit];
        let others = [
            Self::UtfInf8 { digits: DEFAULT_DIGITS },
            Self::Utf9 { max: LAST_OF_UNICODE },
            Self::Utf18,
            Self::CorrectedUtf8 { document: false },
            Self::Utf16,
            Self::Utf16Octets { order: ByteOrder::Big, bom: false },
            Self::Utf16Octets { order: ByteOrder::Little, bom: false },
            Self::Utf32,
            Self::Utf32Octets { order: ByteOrder::Big, bom: false },
            Self::Utf32Octets { order: ByteOrder::Little, bom: false },
            Self::Cesu8,
            Self::Mutf8,
            Self::Wtf8,
            Self::Latin1,
            Self::Ascii,
        ];
        octets.into_iter().chain((1..=9).map(Self::Hunk)).chain(others)
    }

    /// [`all`](Self::all) systems, and those systems again with options that change their cores.
    pub fn variants() -> impl Iterator<Item = Self> {
        let with_marks = ByteOrder::ALL.into_iter().flat_map(|order| {
            [Self::Utf16Octets { order, bom: true }, Self::Utf32Octets { order, bom: true }]
        });
        let options = [
            Self::UtfInf8 { digits: FEWEST_DIGITS },
            Self::UtfInf8 { digits: 4096 },
            Self::UtfInf8 { digits: MOST_DIGITS },
            Self::Utf9 { max: LAST_OF_UCS_4 },
            Self::CorrectedUtf8 { document: true },
            Self::Utf8Bom { bom: Utf8Bom::Strip },
            Self::Utf8Bom { bom: Utf8Bom::Add },
        ];
        Self::all().chain(options).chain(with_marks)
    }

    /// The name of the system, without options.
    pub fn name(self) -> &'static str {
        const HUNKS: [&str; 9] =
            ["hunk-1", "hunk-2", "hunk-3", "hunk-4", "hunk-5", "hunk-6", "hunk-7", "hunk-8", "hunk-9"];
        match self {
            Self::Utf8 | Self::Utf8Bom { .. } => "utf-8",
            Self::Utf8Rfc2279 => "utf-8-rfc2279",
            Self::Utf8EightByte => "utf-8-8byte",
            Self::Utf8SixtyFiveBit => "utf-8-65bit",
            Self::Hunk(width @ 1..=9) => HUNKS[width as usize - 1],
            Self::Hunk(_) => "hunk",
            Self::UtfInf8 { .. } => "utf-inf-8",
            Self::Utf9 { .. } => "utf-9",
            Self::Utf18 => "utf-18",
            Self::CorrectedUtf8 { .. } => "corrected-utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf16Octets { order: ByteOrder::Big, .. } => "utf-16be",
            Self::Utf16Octets { order: ByteOrder::Little, .. } => "utf-16le",
            Self::Utf32 => "utf-32",
            Self::Utf32Octets { order: ByteOrder::Big, .. } => "utf-32be",
            Self::Utf32Octets { order: ByteOrder::Little, .. } => "utf-32le",
            Self::Cesu8 => "cesu-8",
            Self::Mutf8 => "mutf-8",
            Self::Wtf8 => "wtf-8",
            Self::Latin1 => "latin-1",
            Self::Ascii => "ascii",
        }
    }

    /// The system in the title of a core.
    pub(super) fn title(self) -> String {
        match self {
            Self::Utf8 => "UTF-8 (RFC 3629)".to_owned(),
            Self::Utf8Rfc2279 => "UTF-8 (RFC 2279)".to_owned(),
            Self::Utf8EightByte => "UTF-8 of up to eight octets".to_owned(),
            Self::Utf8SixtyFiveBit => "UTF-8 of up to 65 bits".to_owned(),
            Self::Hunk(width) => format!("UTF-8 for units of {width} bits"),
            Self::UtfInf8 { digits } => format!("UTF-inf-8 (up to {digits} digits)"),
            Self::Utf9 { max } => format!("UTF-9 (up to U+{max:X})"),
            Self::Utf18 => "UTF-18".to_owned(),
            Self::CorrectedUtf8 { document: false } => "Corrected UTF-8".to_owned(),
            Self::CorrectedUtf8 { document: true } => "Corrected UTF-8 (documents)".to_owned(),
            Self::Utf8Bom { .. } => "UTF-8 (RFC 3629) with a byte order mark".to_owned(),
            Self::Utf16 => "UTF-16 (units of 16 bits)".to_owned(),
            Self::Utf16Octets { order, bom } => titled("UTF-16", order, bom),
            Self::Utf32 => "UTF-32 (units of 32 bits)".to_owned(),
            Self::Utf32Octets { order, bom } => titled("UTF-32", order, bom),
            Self::Cesu8 => "CESU-8".to_owned(),
            Self::Mutf8 => "Modified UTF-8 (Java)".to_owned(),
            Self::Wtf8 => "WTF-8".to_owned(),
            Self::Latin1 => "ISO/IEC 8859-1".to_owned(),
            Self::Ascii => "ASCII".to_owned(),
        }
    }

    /// Width of a unit, in bits.
    pub fn unit_bits(self) -> u32 {
        match self {
            Self::Hunk(width) => width,
            Self::Utf9 { .. } | Self::Utf18 => 9,
            Self::Utf16 => 16,
            Self::Utf32 => 32,
            _ => 8,
        }
    }

    /// Its option and the value, where that is not the default: `max=7fffffff`.
    pub(super) fn changed_option(self) -> Option<String> {
        match self {
            Self::UtfInf8 { digits } if digits != DEFAULT_DIGITS => Some(format!("digits={digits}")),
            Self::Utf9 { max } if max != LAST_OF_UNICODE => Some(format!("max={max:x}")),
            Self::CorrectedUtf8 { document: true } => Some("document=on".to_owned()),
            Self::Utf8Bom { bom: Utf8Bom::Strip } => Some("bom=strip".to_owned()),
            Self::Utf8Bom { bom: Utf8Bom::Add } => Some("bom=add".to_owned()),
            Self::Utf16Octets { bom: true, .. } | Self::Utf32Octets { bom: true, .. } => {
                Some("bom=on".to_owned())
            }
            _ => None,
        }
    }

    /// What is wrong with the options, and what they can be. `None` if they are right.
    pub(super) fn wrong_option(self) -> Option<String> {
        match self {
            Self::Hunk(width) if !(1..=9).contains(&width) => {
                Some(format!("a unit of {width} bits is not possible: it can have 1 to 9"))
            }
            Self::UtfInf8 { digits } if !(FEWEST_DIGITS..=MOST_DIGITS).contains(&digits) => {
                Some(format!("digits={digits} is not possible: it can be {FEWEST_DIGITS} to {MOST_DIGITS}"))
            }
            Self::Utf9 { max } if ![LAST_OF_UNICODE, LAST_OF_UCS_4].contains(&max) => Some(format!(
                "max={max:x} is not possible: it can be {LAST_OF_UNICODE:x} or {LAST_OF_UCS_4:x}"
            )),
            _ => None,
        }
    }
}

/// The title of a system of octets.
fn titled(name: &str, order: ByteOrder, bom: bool) -> String {
    let order = match order {
        ByteOrder::Big => "big-endian",
        ByteOrder::Little => "little-endian",
    };
    let mark = if bom { ", with a byte order mark" } else { "" };
    format!("{name} ({order}{mark})")
}

impl fmt::Display for System {
    /// The name, and the option that is not as by default: `utf-9,max=7fffffff`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.changed_option().map_or(Ok(()), |option| write!(f, ",{option}"))
    }
}
