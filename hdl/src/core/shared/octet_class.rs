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
        let (is_single, single) = single(m, set, unit, is_ascii);
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

/// Whether an octet, which may be `is_ascii`, is a code point by itself, and that code point; of any other octet, anything.
pub(in crate::core) fn single<'m>(
    m: &'m Builder,
    set: MultiOctet,
    unit: Signal<'m>,
    is_ascii: Signal<'m>,
) -> (Signal<'m>, Signal<'m>) {
    let own = unit.zext(CODE_BITS);
    match set {
        MultiOctet::Gbk | MultiOctet::Gb18030 => {
            let is_euro = unit.is(0x80).named("is_euro");
            (is_ascii | is_euro, is_euro.mux(m.lit(CODE_BITS, 0x20ac), own))
        }
        MultiOctet::ShiftJis => {
            let is_katakana = unit.within(0xa1, 0xdf).named("is_katakana");
            // A1 is U+FF61.
            let katakana = m.concat([m.lit(8, 0xff), unit - m.lit(8, 0x40)]).zext(CODE_BITS);
            (is_ascii | unit.is(0x80) | is_katakana, is_katakana.mux(katakana, own))
        }
        MultiOctet::EucJp | MultiOctet::EucKr | MultiOctet::Big5 => (is_ascii, own),
    }
}

/// Whether a set has sequences of four octets: a lead, a digit, a lead and a digit.
pub(in crate::core) fn has_four(set: MultiOctet) -> bool {
    matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030)
}
