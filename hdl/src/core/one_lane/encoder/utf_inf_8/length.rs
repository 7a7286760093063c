//! The length of a streamed code point, in digits.

use super::event::StreamEvent;
use super::passes::Passes;
use crate::core::FEWEST_DIGITS;
use crate::netlist::{Builder, Signal};

/// Bits of each part in which fours of limbs are counted down.
const PART_BITS: u32 = 6;

/// The number of digits of a code point of up to `limit` digits less [`FEWEST_DIGITS`], valid from the cycle after the
/// load of its opener to the next such load. `beat` has the number of limbs when it is a head; `next` is the event of
/// the first limb, whose opener is loaded in `load`.
pub(super) fn length<'m>(
    m: &'m Builder,
    limit: u64,
    beat: StreamEvent<'m>,
    next: &Passes<'m>,
    load: Signal<'m>,
) -> Signal<'m> {
    // If the limit is eighteen digits, all streamed code points have as many.
    let Some(head) = beat.what.head else { return m.lit(3, 0) };
    m.section("Length of a streamed code point");
    let bits = (u64::BITS - ((limit - FEWEST_DIGITS) >> 3).leading_zeros()).max(1);
    let head_here = (beat.valid & head & !next.holds).named("head_here");
    let limbs = m.stage(head_here).data("limbs_reg", beat.what.data.bits(0..bits));
    let limbs = limbs.note("the number of limbs that the last head announced");
    // The length is eight digits a limb, less the leading zeros, less eighteen: 8 (limbs - 3) + 6 - zeros. Therefore
    // four limbs are subtracted, and one is added unless there are seven zeros. Fours of limbs are counted down in
    // parts. The parts that are zero, and so borrow from the next part, are known a cycle before, and so is whether
    // there is one four less.
    let low = limbs.bits(0..bits.min(2));
    let one_more = !beat.one_digit();
    let less = (bits > 2).then(|| {
        m.stage(next.free)
            .data("fours_less_reg", !(low.all() & one_more))
            .note("one four of limbs is borrowed")
    });
    let mut digits = vec![m.lit(3, 6) - next.zeros, low + (!next.one_digit).zext(low.width())];
    let mut borrows = less;
    let mut from = 2;
    while let Some(less) = borrows.filter(|_| from < bits) {
        let to = (from + PART_BITS).min(bits);
        let part = limbs.bits(from..to);
        digits.push(part - less.zext(part.width()));
        if to < bits {
            let zero = m.reg(&format!("limbs_{from}_zero_reg"), 1);
            zero.next(!part.any());
            borrows = Some((less & zero.q).named(&format!("limbs_{to}_less")));
        }
        from = to;
    }
    digits.reverse();
    let length = m.stage(load & next.opener).data("length_reg", m.concat(digits));
    length.note("digits of the code point less eighteen")
}
