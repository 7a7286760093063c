//! The kinds of slots of a core, and the kinds of error that its decoder makes.

use std::ops::RangeInclusive;

use super::shared::octet_table::OctetTable;
use super::{Core, ErrorKind, ErrorMode, Max, MultiOctet, Role, System, is_long};

/// A value, or range of values, of a slot's `tuser`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotKind {
    /// The values.
    pub codes: RangeInclusive<u8>,
    /// A name, in small letters with `-` between words.
    pub name: &'static str,
    /// A description of such a slot.
    pub meaning: &'static str,
}

impl SlotKind {
    fn new(codes: RangeInclusive<u8>, name: &'static str, meaning: &'static str) -> Self {
        Self { codes, name, meaning }
    }

    fn error(kind: ErrorKind) -> Self {
        let code = kind.code() as u8;
        Self::new(code..=code, kind.name(), kind.meaning())
    }

    /// The values in words: `4`, or `1 to 13`.
    pub fn values(&self) -> String {
        match (self.codes.start(), self.codes.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first} to {last}"),
        }
    }
}

impl Core {
    /// The values of a slot's `tuser`, on the side of the core that has slots, or of `cut` and `bad` of a validator that tells kinds. Empty
    /// for transcoders and other validators.
    pub fn slot_kinds(&self) -> Vec<SlotKind> {
        let spec = self.spec;
        let is_long = is_long(spec.system);
        let mut kinds = vec![SlotKind::new(0..=0, "code-point", "tdata is the code point")];
        let last_of_errors = if is_long { 13 } else { 15 };
        match spec.role {
            Role::Decoder if spec.on_error == ErrorMode::Drop && !is_long => {}
            // Software decides which octets have no code point.
            Role::Decoder if spec.table_port.is_there() => kinds.push(SlotKind::error(ErrorKind::Invalid)),
            Role::Decoder => kinds.extend(error_kinds(spec.system).into_iter().map(SlotKind::error)),
            Role::Encoder => {
                kinds.push(SlotKind::new(1..=last_of_errors, "error", "an error, whatever tdata holds"));
            }
            Role::Validator(verdict) if verdict.kinds => {
                let none = SlotKind::new(0..=0, "none", "no error");
                let errors = error_kinds(spec.system).into_iter().map(SlotKind::error);
                return std::iter::once(none).chain(errors).collect();
            }
            Role::Transcoder { .. } | Role::Validator(_) => return Vec::new(),
        }
        if is_long {
            let head =
                "head of a code point of 2^32 or more: tdata is the number of limbs that follow, 2 or more";
            let limb = "32 bits of such a code point, most significant limb first, and the first not zero";
            kinds.extend([SlotKind::new(14..=14, "head", head), SlotKind::new(15..=15, "limb", limb)]);
        }
        kinds
    }
}

/// The kinds of error that decoders make, in the order of their codes.
pub fn error_kinds(system: System) -> Vec<ErrorKind> {
    use ErrorKind::{Invalid, Length, Nul, OutOfRange, Overlong, Reserved, Surrogate, Truncated, Unexpected};
    let kinds: &[ErrorKind] = match system {
        System::Utf8 | System::Utf8Bom { .. } | System::Wtf8 => {
            &[Unexpected, Truncated, Overlong, Surrogate, OutOfRange, Invalid]
        }
        System::Utf8Rfc2279 | System::Cesu8 => &[Unexpected, Truncated, Overlong, Surrogate, Invalid],
        System::Mutf8 => &[Unexpected, Truncated, Overlong, Surrogate, Invalid, Nul],
        System::Utf8EightByte | System::Utf8SixtyFiveBit => &[Unexpected, Truncated, Overlong],
        System::Ascii => &[Invalid],
        System::Table(table) => match OctetTable::of(table).has_gaps() {
            true => &[Invalid],
            false => &[],
        },
        System::Hunk(width) => match width.bits() {
            1 => &[Invalid],
            2 | 3 => &[Unexpected, Overlong],
            _ if width.is_wide() => &[Unexpected, Truncated, Overlong, Invalid],
            _ => &[Unexpected, Truncated, Overlong],
        },
        System::UtfInf8 { .. } => &[Unexpected, Truncated, Overlong, Invalid, Length],
        System::Utf9 { .. } => &[Truncated, Overlong, Surrogate, OutOfRange],
        System::Utf16 => &[Surrogate],
        System::Utf18 | System::Utf16Octets { .. } => &[Truncated, Surrogate],
        System::CorrectedUtf8 { document: false, .. } => &[Unexpected, Truncated, Reserved],
        System::CorrectedUtf8 { document: true, .. } => &[Unexpected, Truncated, Reserved, Nul],
        System::Ucs2 => &[Surrogate],
        System::Ucs2Octets { .. } => &[Truncated, Surrogate],
        System::UtfEbcdicI8 { max: Max::Unicode } => {
            &[Unexpected, Truncated, Overlong, Surrogate, OutOfRange, Invalid]
        }
        System::UtfEbcdicI8 { max: Max::Ucs4 } => &[Unexpected, Truncated, Overlong, Surrogate],
        System::Utf32 { .. } => &[Surrogate, OutOfRange],
        System::Utf32Octets { .. } => &[Truncated, Surrogate, OutOfRange],
        System::MultiOctet(MultiOctet::Gbk | MultiOctet::Gb18030) => &[Truncated, OutOfRange, Invalid],
        System::MultiOctet(_) => &[Truncated, Invalid],
        System::Auto(auto) => {
            let of_all = auto.among().iter().flat_map(|&system| error_kinds(system));
            let mut kinds: Vec<ErrorKind> = of_all.collect();
            kinds.sort_by_key(|kind| kind.code());
            kinds.dedup();
            return kinds;
        }
        System::Latin1 => &[],
        System::UtfEbcdic { max } => return error_kinds(System::UtfEbcdicI8 { max }),
        System::Utf1 { .. } => &[Truncated, Overlong, Surrogate, OutOfRange],
        System::Utf7 { .. } => &[Truncated, Surrogate, Invalid],
        System::Scsu => &[Truncated, Surrogate, Reserved],
        System::Bocu1 => &[Truncated, Overlong, Surrogate, OutOfRange],
    };
    kinds.to_vec()
}
