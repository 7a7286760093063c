//! Names, options and unit widths of the systems.
//!
//! The software reference and the hardware have these identities in common, and nothing else: how a system writes a code point is
//! described in each of them, and neither uses a description of the other's.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod auto;
mod error;
mod hunk;
mod multi_octet;
mod options;
mod table;
mod text;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use auto::{Auto, Choose};
pub use error::ParseSystemError;
pub use hunk::HunkWidth;
pub use multi_octet::MultiOctet;
pub use table::Table;

/// A pattern: the systems of which there are decoders of one lane, transcoders with such a decoder, and no encoders. A `match` over all systems has it where it is about cores.
#[macro_export]
macro_rules! decoded_only {
    () => {
        $crate::System::UtfEbcdic { .. } | $crate::System::Utf1 { .. } | $crate::System::Utf7 { .. }
    };
}

/// A pattern: the systems of software alone, of which there are no cores. A `match` over all systems has it where it is about cores.
#[macro_export]
macro_rules! software_only {
    () => {
        $crate::System::Scsu | $crate::System::Bocu1
    };
}

/// The greatest value of the option `digits` of `utf-inf-8`: the head of a code point counts its limbs in 32 bits.
pub const MOST_DIGITS: u64 = 8 * u32::MAX as u64;

/// The least value of the option `digits` of `utf-inf-8`: the shortest form that has a length header has as many digits.
pub const FEWEST_DIGITS: u64 = 18;

/// The option `digits` of `utf-inf-8` by default.
pub const DEFAULT_DIGITS: u64 = 1 << 32;

/// A system and its options. As text, a system is a name, and options after commas: `utf-9,max=7fffffff`.
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
    /// `hunk-1` to `hunk-18`: UTF-8 made for units of 1 to 18 bits (Barber, §8). Those of 10 bits and more have the sequences of code points
    /// below 2^32.
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
        max: Max,
    },
    /// `utf-18`: pairs of nonets (RFC 4042, §4).
    Utf18,
    /// `corrected-utf-8`: the Corrected UTF-8 proposal.
    CorrectedUtf8 {
        /// Whether a stream is a document, with the magic number in front and without U+0000.
        document: bool,
        /// Whether the code points that the system skips, C1 controls and surrogates, are written as private-use characters: those of
        /// the same number in plane 16, which are no code points of the system then.
        private: bool,
    },
    /// `utf-8` with a byte order mark in front of streams: `utf-8,bom=strip` and `utf-8,bom=add`.
    Utf8Bom {
        /// The treatment of the mark.
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
    Utf32 {
        /// The last code point.
        max: Max,
    },
    /// `utf-32be` and `utf-32le`: units of four octets (The Unicode Standard, §3.10).
    Utf32Octets {
        /// The order of the octets of a unit.
        order: ByteOrder,
        /// Whether streams open with a byte order mark. Decoders take the order from the mark if there is one.
        bom: bool,
        /// The last code point.
        max: Max,
    },
    /// `ucs-2`: units of 16 bits without surrogates (the manual of `recode`).
    Ucs2,
    /// `ucs-2be` and `ucs-2le`: units of two octets.
    Ucs2Octets {
        /// The order of the octets of a unit.
        order: ByteOrder,
        /// Whether streams open with a byte order mark. Decoders take the order from the mark if there is one.
        bom: bool,
    },
    /// `utf-ebcdic-i8`: one to seven octets, trailing octets hold five bits (Unicode Technical Report #16).
    UtfEbcdicI8 {
        /// The last code point.
        max: Max,
    },
    /// `utf-ebcdic`: the octets of `utf-ebcdic-i8`, each replaced by an octet of EBCDIC (Unicode Technical Report #16).
    UtfEbcdic {
        /// The last code point.
        max: Max,
    },
    /// `utf-1`: one, two, three or five octets (ISO/IEC 10646-1:1993, annex G).
    Utf1 {
        /// The last code point.
        max: Max,
    },
    /// `utf-7`: ASCII, with UTF-16 in a form of Base64 between `+` and `-` (RFC 2152).
    Utf7 {
        /// The form in which encoders write the characters of set O, which RFC 2152 leaves to them.
        set_o: SetO,
    },
    /// `scsu`: octets of windows that move over the code points, and UTF-16 (Unicode Technical Standard #6).
    Scsu,
    /// `bocu-1`: differences of code points, in one to four octets (Unicode Technical Note #6).
    Bocu1,
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
    /// `table:windows-1252` and others: single octets, by a table.
    Table(Table),
    /// `gbk`, `gb18030`, `shift-jis`, `euc-jp`, `euc-kr` and `big5`: octets and pairs of octets, by an index of the Encoding Standard.
    MultiOctet(MultiOctet),
    /// `auto:utf-8+utf-16le` and others: octets of one of several systems, which is chosen for each frame. By `choose=port`, a unit has
    /// the number of its system above the octet.
    Auto(Auto),
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
    pub const ALL: [ByteOrder; 2] = [ByteOrder::Big, ByteOrder::Little];
}

/// The treatment of a byte order mark in `utf-8`, U+FEFF at the start of a stream. By default it is a code point as any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Utf8Bom {
    /// Decoders take the mark away, and encoders write none.
    Strip,
    /// Decoders take the mark away, and encoders write one in front of each stream.
    Add,
}

/// The form of the characters of set O in `utf-7`: ASCII characters that some gateways of mail change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetO {
    /// Characters by themselves, as Python and ICU write them.
    Direct,
    /// Base64, as the C library of GNU writes them.
    Base64,
}

impl SetO {
    /// Both.
    pub const ALL: [SetO; 2] = [SetO::Direct, SetO::Base64];
}

/// The last code point of a system that has a choice: the option `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Max {
    /// U+10FFFF, the last of Unicode.
    Unicode,
    /// U+7FFFFFFF, the last of UCS-4 ("by obvious extension", RFC 4042, §2).
    Ucs4,
}

impl Max {
    /// The last code point.
    pub const fn code_point(self) -> u32 {
        match self {
            Max::Unicode => 0x10_FFFF,
            Max::Ucs4 => 0x7FFF_FFFF,
        }
    }
}

/// The names of the systems. Of a system with its default options, the first is the name and the others are aliases; of one with other
/// options, all are aliases.
const NAMES: [(System, &[&str]); 53] = [
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
    (System::Hunk(HunkWidth(10)), &["hunk-10"]),
    (System::Hunk(HunkWidth(11)), &["hunk-11"]),
    (System::Hunk(HunkWidth(12)), &["hunk-12"]),
    (System::Hunk(HunkWidth(13)), &["hunk-13"]),
    (System::Hunk(HunkWidth(14)), &["hunk-14"]),
    (System::Hunk(HunkWidth(15)), &["hunk-15"]),
    (System::Hunk(HunkWidth(16)), &["hunk-16"]),
    (System::Hunk(HunkWidth(17)), &["hunk-17"]),
    (System::Hunk(HunkWidth(18)), &["hunk-18"]),
    (System::UtfInf8 { digits: DEFAULT_DIGITS }, &["utf-inf-8", "utf-∞-8"]),
    (System::Utf9 { max: Max::Unicode }, &["utf-9"]),
    (System::Utf18, &["utf-18"]),
    (System::CorrectedUtf8 { document: false, private: false }, &["corrected-utf-8"]),
    (System::Utf16, &["utf-16", "utf16"]),
    (System::Utf16Octets { order: ByteOrder::Big, bom: false }, &["utf-16be"]),
    (System::Utf16Octets { order: ByteOrder::Little, bom: false }, &["utf-16le"]),
    (System::Utf32 { max: Max::Unicode }, &["utf-32", "utf32"]),
    (System::Utf32 { max: Max::Ucs4 }, &["ucs-4"]),
    (System::Utf32Octets { order: ByteOrder::Big, bom: false, max: Max::Unicode }, &["utf-32be"]),
    (System::Utf32Octets { order: ByteOrder::Little, bom: false, max: Max::Unicode }, &["utf-32le"]),
    (System::Ucs2, &["ucs-2"]),
    (System::Ucs2Octets { order: ByteOrder::Big, bom: false }, &["ucs-2be"]),
    (System::Ucs2Octets { order: ByteOrder::Little, bom: false }, &["ucs-2le"]),
    (System::UtfEbcdicI8 { max: Max::Unicode }, &["utf-ebcdic-i8", "utf-8-mod"]),
    (System::UtfEbcdic { max: Max::Unicode }, &["utf-ebcdic"]),
    (System::Utf1 { max: Max::Unicode }, &["utf-1", "iso-10646-utf-1"]),
    (System::Utf7 { set_o: SetO::Direct }, &["utf-7", "utf7"]),
    (System::Scsu, &["scsu"]),
    (System::Bocu1, &["bocu-1"]),
    (System::Cesu8, &["cesu-8"]),
    (System::Mutf8, &["mutf-8", "modified-utf-8"]),
    (System::Wtf8, &["wtf-8"]),
    (System::Latin1, &["latin-1", "iso-8859-1"]),
    (System::Ascii, &["ascii", "us-ascii"]),
    (System::MultiOctet(MultiOctet::Gbk), &["gbk", "x-gbk", "gb2312"]),
    (System::MultiOctet(MultiOctet::Gb18030), &["gb18030"]),
    (System::MultiOctet(MultiOctet::ShiftJis), &["shift-jis", "sjis", "x-sjis", "windows-31j", "ms932"]),
    (System::MultiOctet(MultiOctet::EucJp), &["euc-jp", "x-euc-jp"]),
    (System::MultiOctet(MultiOctet::EucKr), &["euc-kr", "windows-949", "ks-c-5601-1987"]),
    (System::MultiOctet(MultiOctet::Big5), &["big5", "big5-hkscs", "cn-big5"]),
];

impl System {
    /// `hunk-1` to `hunk-18`.
    ///
    /// # Panics
    /// If `bits` is not 1 to 18.
    pub const fn hunk(bits: u32) -> System {
        match HunkWidth::new(bits) {
            Some(width) => System::Hunk(width),
            None => panic!("the units of a hunk have 1 to 18 bits"),
        }
    }

    /// Every system once, with its default options, but for those of [tables](Self::tables), those of
    /// [several octets by an index](Self::multi_octet), those of [software](Self::of_software), and [wide hunks](Self::wide_hunks).
    pub fn all() -> impl Iterator<Item = System> {
        let systems = NAMES.iter().map(|&(system, _)| system);
        systems.filter(|&system| {
            system == system.with_default_options()
                && !system.is_of_software()
                && !matches!(system, System::MultiOctet(_))
                && !system.is_wide_hunk()
        })
    }

    /// `hunk-10` to `hunk-18`.
    pub fn wide_hunks() -> impl Iterator<Item = System> {
        NAMES.iter().map(|&(system, _)| system).filter(|system| system.is_wide_hunk())
    }

    fn is_wide_hunk(self) -> bool {
        matches!(self, System::Hunk(width) if width.is_wide())
    }

    /// Whether a sequence depends on those before it, so that a part of a stream means something else by itself. Units that only change
    /// the state of such a system are no sequence at the end of a stream.
    pub fn has_state(self) -> bool {
        matches!(self, System::Utf7 { .. } | System::Scsu | System::Bocu1)
    }

    /// The systems that software reads and writes, and cores at most read, once and with their default options.
    pub fn of_software() -> impl Iterator<Item = System> {
        let systems = NAMES.iter().map(|&(system, _)| system);
        systems.filter(|&system| system == system.with_default_options() && system.is_of_software())
    }

    /// The systems of which there are decoders and no encoders, once and with their default options.
    pub fn decoded_only() -> impl Iterator<Item = System> {
        System::of_software().filter(|system| system.has_cores())
    }

    /// Whether the system is one that cores at most read: those of [`decoded_only`] and [`software_only`].
    fn is_of_software(self) -> bool {
        matches!(self, decoded_only!() | software_only!())
    }

    /// Whether there are cores of the system, in some role.
    pub fn has_cores(self) -> bool {
        !matches!(self, software_only!())
    }

    /// The systems among which that of a frame is chosen: those of a list; of any other, this one alone.
    pub fn among(self) -> impl Iterator<Item = System> {
        let list = if let System::Auto(auto) = self { auto.among() } else { &[] };
        list.iter().copied().chain(list.is_empty().then_some(self))
    }

    /// Whether the system is a set of several octets, or a list with one.
    pub fn has_multi_octet(self) -> bool {
        self.among().any(|system| matches!(system, System::MultiOctet(_)))
    }

    /// The character sets of octets and pairs of octets.
    pub fn multi_octet() -> impl Iterator<Item = System> {
        MultiOctet::ALL.into_iter().map(System::MultiOctet)
    }

    /// The character sets of single octets that come with the package.
    pub fn tables() -> impl Iterator<Item = System> {
        Table::all().map(System::Table)
    }

    /// [`all`](Self::all) systems, and those systems again with options that change their cores; two character sets of a table, one
    /// with ASCII and octets that are errors, and one in which every octet is some other code point; one wide hunk.
    pub fn variants() -> impl Iterator<Item = System> {
        let of_octets = ByteOrder::ALL.into_iter().flat_map(|order| {
            [
                System::Utf16Octets { order, bom: true },
                System::Utf32Octets { order, bom: true, max: Max::Unicode },
                System::Utf32Octets { order, bom: false, max: Max::Ucs4 },
                System::Ucs2Octets { order, bom: true },
            ]
        });
        let options = [
            System::UtfInf8 { digits: FEWEST_DIGITS },
            System::UtfInf8 { digits: 4096 },
            System::UtfInf8 { digits: MOST_DIGITS },
            System::Utf9 { max: Max::Ucs4 },
            System::Utf32 { max: Max::Ucs4 },
            System::UtfEbcdicI8 { max: Max::Ucs4 },
            System::CorrectedUtf8 { document: true, private: false },
            System::CorrectedUtf8 { document: false, private: true },
            System::Utf8Bom { bom: Utf8Bom::Strip },
            System::Utf8Bom { bom: Utf8Bom::Add },
        ];
        let tables = ["windows-1253", "ebcdic-1140"].into_iter().filter_map(Table::named);
        let others = tables.map(System::Table).chain([System::hunk(12)]);
        System::all().chain(options).chain(of_octets).chain(others)
    }

    /// All names and aliases.
    pub fn names_and_aliases() -> impl Iterator<Item = &'static str> {
        let of_tables = Table::all().flat_map(|set| set.names().iter().copied());
        NAMES.iter().flat_map(|(_, names)| names.iter().copied()).chain(of_tables)
    }

    /// The name, without options: `utf-inf-8`.
    pub fn name(self) -> &'static str {
        self.with_default_options().names().expect("every system has a name")[0]
    }

    /// Other names that mean the same system with the same options.
    pub fn aliases(self) -> &'static [&'static str] {
        let names = self.names().unwrap_or_default();
        names.strip_prefix(&[self.name()]).unwrap_or(names)
    }

    fn names(self) -> Option<&'static [&'static str]> {
        if let System::Table(set) = self {
            return Some(set.names());
        }
        if let System::Auto(auto) = self {
            return Some(auto.names());
        }
        NAMES.iter().find(|&&(system, _)| system == self).map(|&(_, names)| names)
    }

    /// The system as a reader knows it: `UTF-8 (RFC 3629)`.
    pub fn title(self) -> String {
        match self {
            System::Utf8 => "UTF-8 (RFC 3629)".to_owned(),
            System::Utf8Rfc2279 => "UTF-8 (RFC 2279)".to_owned(),
            System::Utf8EightByte => "UTF-8 of up to eight octets".to_owned(),
            System::Utf8SixtyFiveBit => "UTF-8 of up to 65 bits".to_owned(),
            System::Hunk(width) => format!("UTF-8 for units of {} bits", width.bits()),
            System::UtfInf8 { digits } => format!("UTF-inf-8 (up to {digits} digits)"),
            System::Utf9 { max } => format!("UTF-9 (up to U+{:X})", max.code_point()),
            System::Utf18 => "UTF-18".to_owned(),
            System::CorrectedUtf8 { document, private } => {
                let of_documents = if document { " (documents)" } else { "" };
                let with_skipped = if private { ", C1 controls and surrogates in plane 16" } else { "" };
                format!("Corrected UTF-8{of_documents}{with_skipped}")
            }
            System::Utf8Bom { .. } => "UTF-8 (RFC 3629) with a byte order mark".to_owned(),
            System::Utf16 => "UTF-16 (units of 16 bits)".to_owned(),
            System::Utf16Octets { order, bom } => titled("UTF-16", order, bom),
            System::Utf32 { max: Max::Unicode } => "UTF-32 (units of 32 bits)".to_owned(),
            System::Utf32 { max: Max::Ucs4 } => "UCS-4 (units of 32 bits)".to_owned(),
            System::Utf32Octets { order, bom, max: Max::Unicode } => titled("UTF-32", order, bom),
            System::Utf32Octets { order, bom, max: Max::Ucs4 } => titled("UCS-4", order, bom),
            System::Ucs2 => "UCS-2 (units of 16 bits)".to_owned(),
            System::Ucs2Octets { order, bom } => titled("UCS-2", order, bom),
            System::UtfEbcdicI8 { max } => {
                format!("UTF-EBCDIC, I8 form (up to U+{:X})", max.code_point())
            }
            System::UtfEbcdic { max } => format!("UTF-EBCDIC (up to U+{:X})", max.code_point()),
            System::Utf1 { max } => format!("UTF-1 (up to U+{:X})", max.code_point()),
            System::Utf7 { set_o: SetO::Direct } => "UTF-7 (RFC 2152)".to_owned(),
            System::Utf7 { set_o: SetO::Base64 } => "UTF-7 (RFC 2152), set O in Base64".to_owned(),
            System::Scsu => "SCSU".to_owned(),
            System::Bocu1 => "BOCU-1".to_owned(),
            System::Cesu8 => "CESU-8".to_owned(),
            System::Mutf8 => "Modified UTF-8 (Java)".to_owned(),
            System::Wtf8 => "WTF-8".to_owned(),
            System::Latin1 => "ISO/IEC 8859-1".to_owned(),
            System::Ascii => "ASCII".to_owned(),
            System::Table(set) => set.title(),
            System::MultiOctet(set) => set.title().to_owned(),
            System::Auto(auto) => {
                let titles: Vec<String> = auto.among().iter().map(|system| system.title()).collect();
                titles.join(" or ")
            }
        }
    }

    /// The width of a unit on the data port of a core: that of the unit, without the number of a system above an octet.
    pub fn port_bits(self) -> u32 {
        if let System::Auto(_) = self { 8 } else { self.unit_bits() }
    }

    /// The width of a unit in bits: 1 to 18, or 32; 9 to 12 where the number of a system is above an octet.
    pub fn unit_bits(self) -> u32 {
        match self {
            System::Hunk(width) => width.bits(),
            System::Utf9 { .. } | System::Utf18 => 9,
            System::Utf16 | System::Ucs2 => 16,
            System::Utf32 { .. } => 32,
            System::Utf8
            | System::Utf8Bom { .. }
            | System::Utf8Rfc2279
            | System::Utf8EightByte
            | System::Utf8SixtyFiveBit
            | System::UtfInf8 { .. }
            | System::CorrectedUtf8 { .. }
            | System::Utf16Octets { .. }
            | System::Utf32Octets { .. }
            | System::Ucs2Octets { .. }
            | System::UtfEbcdicI8 { .. }
            | decoded_only!()
            | software_only!()
            | System::Cesu8
            | System::Mutf8
            | System::Wtf8
            | System::Latin1
            | System::Ascii
            | System::Table(_)
            | System::MultiOctet(_) => 8,
            System::Auto(auto) => match auto.choose() {
                Choose::Mark => 8,
                Choose::Port => 8 + auto.number_bits(),
            },
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
