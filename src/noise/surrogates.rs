//! Random surrogates in the systems that write pairs of them, or refuse pairs: high and low ones in any order.

use rand::{Rng, RngExt};

use utfhdl_codec::{ByteOrder, System};
use utfhdl_hdl::core::software_only;

/// How a system writes a surrogate.
#[derive(Clone, Copy, Debug)]
pub enum Surrogates {
    /// One unit.
    Unit,
    /// Two octets in this order.
    Octets(ByteOrder),
    /// Four octets in this order.
    LongOctets(ByteOrder),
    /// The three octets of UTF-8's bit pattern.
    ThreeOctets,
    /// The four octets of I8's bit pattern.
    FourOctets,
    /// Those octets as UTF-EBCDIC writes them.
    EbcdicOctets,
    /// A lead and two digits of UTF-1.
    Digits,
    /// A run of Base64 of its own, in UTF-7, so that no two surrogates are a pair.
    Run,
}

impl Surrogates {
    /// How `system` writes surrogates; `None` if they are nothing special to it.
    pub fn of(system: System) -> Option<Self> {
        match system {
            System::Utf16 | System::Ucs2 => Some(Self::Unit),
            System::Utf16Octets { order, .. } | System::Ucs2Octets { order, .. } => Some(Self::Octets(order)),
            System::Utf32 { .. } => Some(Self::Unit),
            System::Utf32Octets { order, .. } => Some(Self::LongOctets(order)),
            System::Cesu8 | System::Mutf8 | System::Wtf8 => Some(Self::ThreeOctets),
            System::UtfEbcdicI8 { .. } => Some(Self::FourOctets),
            System::UtfEbcdic { .. } => Some(Self::EbcdicOctets),
            System::Utf1 { .. } => Some(Self::Digits),
            System::Utf7 { .. } => Some(Self::Run),
            System::Utf8
            | System::Utf8Bom { .. }
            | System::Utf8Rfc2279
            | System::Utf8EightByte
            | System::Utf8SixtyFiveBit
            | System::Hunk(_)
            | System::UtfInf8 { .. }
            | System::Utf9 { .. }
            | System::Utf18
            | System::CorrectedUtf8 { .. }
            | software_only!()
            | System::Latin1
            | System::Ascii
            | System::Table(_)
            | System::MultiOctet(_)
            | System::Auto(_) => None,
        }
    }

    /// Adds a few surrogates to `units`.
    pub fn write(self, random: &mut impl Rng, units: &mut Vec<u32>) {
        for _ in 0..random.random_range(1..4) {
            let surrogate = surrogate(random);
            match self {
                Self::Unit => units.push(surrogate),
                Self::Octets(order) => units.extend(octets(order, surrogate, 2)),
                Self::LongOctets(order) => units.extend(octets(order, surrogate, 4)),
                Self::ThreeOctets => {
                    units.extend([0xed, 0x80 | surrogate >> 6 & 0x3f, 0x80 | surrogate & 0x3f]);
                }
                Self::FourOctets => {
                    let trailing = [10, 5, 0].map(|shift| 0xa0 | surrogate >> shift & 0x1f);
                    units.extend([0xf1].into_iter().chain(trailing));
                }
                Self::EbcdicOctets => {
                    let trailing = [10, 5, 0].map(|shift| of_ebcdic(surrogate >> shift & 0x1f));
                    units.extend([0xdd].into_iter().chain(trailing));
                }
                Self::Run => {
                    let digits = [surrogate >> 10, surrogate >> 4 & 0x3f, surrogate << 2 & 0x3f];
                    let run = "+".chars().chain(digits.map(of_base64)).chain("-".chars());
                    units.extend(run.map(u32::from));
                }
                Self::Digits => {
                    let value = surrogate - 0x4016;
                    let digits = [value / 190 % 190, value % 190];
                    let octets = digits.map(|digit| digit + if digit < 0x5e { 0x21 } else { 0x42 });
                    units.extend([0xf6 + value / (190 * 190)].into_iter().chain(octets));
                }
            }
        }
    }
}

/// A high or a low surrogate; often the first or the last.
pub fn surrogate(random: &mut impl Rng) -> u32 {
    match random.random_range(0..8) {
        0 => 0xd800,
        1 => 0xdbff,
        2 => 0xdc00,
        3 => 0xdfff,
        _ => random.random_range(0xd800..0xe000),
    }
}

/// The digit of Base64 with this value.
fn of_base64(value: u32) -> char {
    let upper_and_lower = ('A'..='Z').chain('a'..='z');
    upper_and_lower.chain('0'..='9').chain(['+', '/']).nth(value as usize).expect("a digit has six bits")
}

/// The octet of EBCDIC for a trailing octet of I8 with these five bits.
fn of_ebcdic(bits: u32) -> u32 {
    match bits {
        0..10 => 0x41 + bits,
        10..19 => 0x51 + bits - 10,
        19..28 => 0x62 + bits - 19,
        _ => 0x70 + bits - 28,
    }
}

/// The last `count` octets of a word, in order.
fn octets(order: ByteOrder, word: u32, count: u32) -> impl Iterator<Item = u32> {
    (0..count).map(move |at| {
        let shift = if order == ByteOrder::Big { count - 1 - at } else { at };
        word >> (8 * shift) & 0xff
    })
}
