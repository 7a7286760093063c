//! The rules that ill-formed sequences break, and their positions in the documents.

use std::fmt;

use utfhdl_codec::{ErrorKind, Max, MultiOctet, System};

/// A rule that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The broken rule, as a sentence without its end.
    pub breach: &'static str,
    /// The document that defines the system, with the section.
    pub source: &'static str,
}

impl Rule {
    /// The rule that an error of this kind breaks in a system.
    pub fn of(system: System, kind: ErrorKind) -> Self {
        Self { breach: breach(system, kind), source: source(system, kind) }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.breach, self.source)
    }
}

fn breach(system: System, kind: ErrorKind) -> &'static str {
    match (kind, system) {
        (ErrorKind::Unexpected, _) => "a trailing unit stands where a lead unit must stand",
        (ErrorKind::Truncated, System::Utf7 { .. }) => {
            "a run of Base64 has no digit, or ends within a unit of UTF-16 whose bits are not all zero"
        }
        (ErrorKind::Truncated, _) => {
            "the sequence is cut short by a unit that does not continue it, or by the end of the text"
        }
        (ErrorKind::Overlong, System::Bocu1) => {
            "control characters and the space are octets of their own, and no differences"
        }
        (ErrorKind::Overlong, _) => "the sequence is longer than the shortest one of its code point",
        (
            ErrorKind::Surrogate,
            System::Utf16
            | System::Utf16Octets { .. }
            | System::Utf7 { .. }
            | System::Scsu
            | System::Cesu8
            | System::Mutf8,
        ) => "a surrogate stands without the other one of its pair",
        (ErrorKind::Surrogate, System::Wtf8) => {
            "a low surrogate follows a high one: such a pair is written as one sequence of four octets"
        }
        (ErrorKind::Surrogate, _) => "surrogates, U+D800 to U+DFFF, are no characters and have no sequence",
        (ErrorKind::OutOfRange, System::Bocu1) => "the difference leads below U+0000, or past U+10FFFF",
        (ErrorKind::OutOfRange, _) => "the code point lies past the last one of the system",
        (ErrorKind::Invalid, System::UtfInf8 { .. }) => {
            "a unit that no sequence has, or one that is wrong in a length header or its padding"
        }
        (ErrorKind::Invalid, System::Utf7 { .. }) => {
            "the character is none that stands for itself, or the bits that end a run of Base64 are not all zero"
        }
        (ErrorKind::Invalid, System::MultiOctet(_)) => "no character of the set has these octets",
        (ErrorKind::Invalid, _) => "no sequence of the system has this unit",
        (ErrorKind::Length, _) => "the header announces more digits than the option `digits` allows",
        (ErrorKind::Reserved, System::Scsu) => "the tag, or the octet after it, is reserved",
        (ErrorKind::Reserved, _) => "the octets FE and FF are reserved",
        (ErrorKind::Nul, System::Mutf8) => "U+0000 is written as C0 80, and no octet is 00",
        (ErrorKind::Nul, _) => "a document has no U+0000",
        (ErrorKind::Unencodable, _) => "the system does not have the code point",
    }
}

fn source(system: System, kind: ErrorKind) -> &'static str {
    match system {
        System::Utf8 | System::Utf8Bom { .. } => "RFC 3629, §3 and §4; The Unicode Standard, §3.9, table 3-7",
        System::Utf8Rfc2279 => "RFC 2279, §2",
        System::Utf8EightByte | System::Utf8SixtyFiveBit | System::Hunk(_) if kind == ErrorKind::Overlong => {
            "Barber, Extending UTF-8 to eight bytes, §7"
        }
        System::Utf8EightByte => "Barber, Extending UTF-8 to eight bytes, §2 and §3",
        System::Hunk(_) => "Barber, Extending UTF-8 to eight bytes, §8",
        System::Utf8SixtyFiveBit => "Barber, Extending UTF-8 to eight bytes, §9",
        System::UtfInf8 { .. } => "Bishop and Cook, Draft Proposal for UTF-∞-8 Specification, §2 and §3",
        System::Utf9 { .. } => "RFC 4042, §3",
        System::Utf18 => "RFC 4042, §4",
        System::CorrectedUtf8 { .. } => "the Corrected UTF-8 proposal",
        System::Utf16 => "The Unicode Standard, §3.9, D91; RFC 2781, §2",
        System::Utf16Octets { .. } => "The Unicode Standard, §3.9, D91, and §3.10; RFC 2781, §2 and §3",
        System::Utf32 { max: Max::Unicode } => "The Unicode Standard, §3.9, D90",
        System::Utf32Octets { max: Max::Unicode, .. } => "The Unicode Standard, §3.9, D90, and §3.10",
        System::Utf32 { max: Max::Ucs4 }
        | System::Utf32Octets { max: Max::Ucs4, .. }
        | System::Ucs2
        | System::Ucs2Octets { .. } => "the manual of recode, Universal Transformation Format, 8 bits",
        System::UtfEbcdicI8 { .. } | System::UtfEbcdic { .. } => "Unicode Technical Report #16",
        System::Utf1 { .. } => "ISO/IEC 10646-1:1993, annex G; ISO-IR 178",
        System::Utf7 { .. } => "RFC 2152",
        System::Scsu => "Unicode Technical Standard #6",
        System::Bocu1 => "Unicode Technical Note #6",
        System::Cesu8 => "Unicode Technical Report #26, §2 to §4",
        System::Mutf8 => "The Java Virtual Machine Specification, §4.4.7",
        System::Wtf8 => "Sapin, The WTF-8 encoding, §3 and §4",
        System::Latin1 => "ISO/IEC 8859-1",
        System::Ascii => "RFC 20",
        System::Table(table) if table.is_of_user() => "the mapping file",
        System::Table(table) if table.stem().starts_with("ebcdic") => "the table of the code page, from ICU",
        System::MultiOctet(MultiOctet::Gbk | MultiOctet::Gb18030) => {
            "The Encoding Standard, §10.2.1, gb18030 decoder"
        }
        System::MultiOctet(MultiOctet::Big5) => "The Encoding Standard, §11.1.1, Big5 decoder",
        System::MultiOctet(MultiOctet::EucJp) => "The Encoding Standard, §12.1.1, EUC-JP decoder",
        System::MultiOctet(MultiOctet::ShiftJis) => "The Encoding Standard, §12.3.1, Shift_JIS decoder",
        System::MultiOctet(MultiOctet::EucKr) => "The Encoding Standard, §13.1.1, EUC-KR decoder",
        System::Auto(_) => "the document of the system that is chosen",
        System::Table(_) => "The Encoding Standard, §6, indexes, and §9, single-byte encodings",
    }
}
