//! The class of an octet of a set of several octets, which follows from the octet alone.

use super::index_tables::CODE_BITS;
use crate::core::MultiOctet;
use crate::netlist::{Builder, Signal, Stage};

/// The class of a unit.
pub(in crate::core) struct Class<'m> {
    pub(in crate::core) is_ascii: Signal<'m>,
    pub(in crate::core) is_digit: Signal<'m>,
    pub(in crate::core) is_lead: Signal<'m>,
    pub(in crate::core) is_trail: Signal<'m>,
    /// The unit is a code point by itself, and that code point.
    pub(in crate::core) is_single: Signal<'m>,
    pub(in crate::core) single: Signal<'m>,
}

/// Bits of the code points of single octets.
const BMP_BITS: u32 = 16;

/// The first and the last of a range of octets.
type Range = (u64, u64);

impl<'m> Class<'m> {
    pub(in crate::core) fn new(m: &'m Builder, set: MultiOctet, unit: Signal<'m>) -> Self {
        let is_ascii = (!unit.bit(7)).named("is_ascii");
        let within = |ranges: &[Range]| {
            let tests = ranges.iter().map(|&(first, last)| unit.within(first, last));
            tests.reduce(|one, other| one | other).expect("there are ranges")
        };
        let (leads, trails): (&[Range], &[Range]) = match set {
            MultiOctet::Gbk | MultiOctet::Gb18030 => (&[(0x81, 0xfe)], &[(0x40, 0x7e), (0x80, 0xfe)]),
            MultiOctet::ShiftJis => (&[(0x81, 0x9f), (0xe0, 0xfc)], &[(0x40, 0x7e), (0x80, 0xfc)]),
            MultiOctet::EucJp => (&[(0x8e, 0x8f), (0xa1, 0xfe)], &[(0xa1, 0xfe)]),
            MultiOctet::EucKr => (&[(0x81, 0xfe)], &[(0x41, 0xfe)]),
            MultiOctet::Big5 => (&[(0x81, 0xfe)], &[(0x40, 0x7e), (0xa1, 0xfe)]),
        };
        let apart = apart(set, unit).map(|(name, apart)| apart.named(name));
        let is_single = match set {
            MultiOctet::ShiftJis => is_ascii | unit.is(0x80),
            _ => is_ascii,
        };
        let is_single = apart.map_or(is_single, |apart| is_single | apart);
        let single = code_point(m, set, unit, apart);
        Self {
            is_ascii,
            is_digit: unit.within(0x30, 0x39).named("is_digit"),
            is_lead: within(leads).named("is_lead"),
            is_trail: within(trails).named("is_trail"),
            is_single: is_single.named("is_single"),
            single: single.named("single"),
        }
    }
}

impl<'m> Class<'m> {
    /// The class in the registers of a stage.
    pub(in crate::core) fn registered(self, stage: Stage<'m>) -> Self {
        Self {
            is_ascii: stage.data("is_ascii_reg", self.is_ascii),
            is_digit: stage.data("is_digit_reg", self.is_digit),
            is_lead: stage.data("is_lead_reg", self.is_lead),
            is_trail: stage.data("is_trail_reg", self.is_trail),
            is_single: stage.data("is_single_reg", self.is_single),
            single: stage.data("single_reg", self.single.bits(0..BMP_BITS)).zext(CODE_BITS),
        }
    }
}

/// Whether an octet is a code point by itself that has another number, and a name for that.
fn apart<'m>(set: MultiOctet, unit: Signal<'m>) -> Option<(&'static str, Signal<'m>)> {
    match set {
        MultiOctet::Gbk | MultiOctet::Gb18030 => Some(("is_euro", unit.is(0x80))),
        MultiOctet::ShiftJis => Some(("is_katakana", unit.within(0xa1, 0xdf))),
        MultiOctet::EucJp | MultiOctet::EucKr | MultiOctet::Big5 => None,
    }
}

/// The code point of an octet that is one by itself; of any other, anything. `apart`: it has another number than the octet.
fn code_point<'m>(
    m: &'m Builder,
    set: MultiOctet,
    unit: Signal<'m>,
    apart: Option<Signal<'m>>,
) -> Signal<'m> {
    let own = unit.zext(CODE_BITS);
    let Some(apart) = apart else { return own };
    let other = match set {
        // A1 is U+FF61.
        MultiOctet::ShiftJis => m.concat([m.lit(8, 0xff), unit - m.lit(8, 0x40)]).zext(CODE_BITS),
        _ => m.lit(CODE_BITS, 0x20ac),
    };
    apart.mux(other, own)
}

/// The code point of an octet that is one by itself; of any other, anything.
pub(in crate::core) fn single<'m>(m: &'m Builder, set: MultiOctet, unit: Signal<'m>) -> Signal<'m> {
    code_point(m, set, unit, apart(set, unit).map(|(_, apart)| apart))
}

/// Whether a set has sequences of four octets: a lead, a digit, a lead and a digit.
pub(in crate::core) fn has_four(set: MultiOctet) -> bool {
    matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030)
}
