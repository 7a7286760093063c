//! `corrected-utf-8` as encoders of any number of lanes write it: sequences of UTF-8 of up to six octets, in which no code point has two. A
//! sequence holds the code point less an offset: the number of code points that shorter sequences hold, and of C1 controls and
//! surrogates below.

use crate::netlist::{Builder, Signal};

/// Bits of what a sequence holds. The top bit of a code point is not needed to find that.
pub(in crate::core) const DIFFERENCE: u32 = 31;
/// U+FFFD less its offset: 128 code points of one unit, 2048 of two, 32 C1 controls and 2048 surrogates.
pub(in crate::core) const REPLACEMENT: u64 = 0xfffd - 0x10a0;

/// The bits of a code point below its plane, and the plane in which those that are skipped can be private-use characters.
pub(in crate::core) const PLANE: u32 = 16;
pub(in crate::core) const PLANE_16: u64 = 0x10;
/// The code points that are skipped: how many low bits are free, and the bits above them up to the plane.
const C1_CONTROLS: (u32, u64) = (5, 0x80 >> 5);
const SURROGATES: (u32, u64) = (11, 0xd800 >> 11);

/// The bits of a code point below its plane are those of a skipped one: a C1 control, or a surrogate.
pub(in crate::core) fn are_skipped<'m>(code: Signal<'m>) -> [Signal<'m>; 2] {
    [C1_CONTROLS, SURROGATES].map(|(bits, value)| code.bits(bits..PLANE).is(value))
}

/// A code point, or the skipped one that it stands for in plane 16.
pub(in crate::core) fn without_private<'m>(m: &'m Builder, code: Signal<'m>) -> Signal<'m> {
    let [is_control, is_surrogate] = are_skipped(code);
    let plane = code.bits(PLANE..code.width());
    let stands = (plane.is(PLANE_16) & (is_control | is_surrogate)).named("stands_for_skipped");
    m.concat([plane.when(!stands), code.bits(0..PLANE)])
}

/// Comparisons of the low bits of a code point with bounds between lengths. The bounds are sums of powers of two, so that each comparison
/// is made of the one with the bound below.
pub(in crate::core) struct LowBits<'m> {
    /// Bits 7 to 0 are A0 or more.
    pub(in crate::core) from_a0: Signal<'m>,
    /// Bits 15 to 0 are 10A0 or more.
    pub(in crate::core) from_10a0: Signal<'m>,
    /// Bits 16 to 0 are 110A0 or more.
    pub(in crate::core) from_110a0: Signal<'m>,
    /// Bits 21 to 0 are 2110A0 or more.
    pub(in crate::core) from_2110a0: Signal<'m>,
}

impl<'m> LowBits<'m> {
    pub(in crate::core) fn of(code: Signal<'m>) -> Self {
        let any = |from: u32, to: u32| code.bits(from..to).any();
        let from_a0 = code.bit(7) & any(5, 7);
        let from_a0 = from_a0.named("low_from_a0").note("bits 7 to 0 are A0 or more");
        let from_10a0 = any(13, 16) | (code.bit(12) & (any(8, 12) | from_a0));
        let from_10a0 = from_10a0.named("low_from_10a0").note("bits 15 to 0 are 10A0 or more");
        let from_110a0 = code.bit(16) & from_10a0;
        let from_110a0 = from_110a0.named("low_from_110a0").note("bits 16 to 0 are 110A0 or more");
        let from_2110a0 = code.bit(21) & (any(17, 21) | from_110a0);
        Self { from_a0, from_10a0, from_110a0, from_2110a0 }
    }
}

/// The code point less an offset, the sum of 4000000, 200000, 20000, 10000, 1000, 800 and A0 where the bits of `offset` say so. It is
/// subtracted in two halves, so that no carry goes far; `offset` has the borrow of the lower half in it.
pub(in crate::core) fn less_offset<'m>(
    m: &'m Builder,
    code: Signal<'m>,
    offset: [Signal<'m>; 7],
) -> Signal<'m> {
    let [o_4000000, o_200000, o_20000, o_10000, o_1000, o_800, o_a0] = offset;
    let zero = |bits| m.lit(bits, 0);
    let low_offset = m.concat([o_1000, o_800, zero(3), o_a0, zero(1), o_a0, zero(5)]);
    let low = code.bits(0..16) - low_offset.named("low_offset").zext(16);
    let high_offset = m.concat([o_4000000, zero(4), o_200000, zero(3), o_20000, o_10000]);
    let high = code.bits(16..DIFFERENCE) - high_offset.named("high_offset").zext(DIFFERENCE - 16);
    m.concat([high.named("high"), low.named("low")])
}
