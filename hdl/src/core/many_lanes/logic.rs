//! Small pieces of logic, written so that they become few LUTs: sums of a few bits, masks, and sets of values.

use std::cmp::Ordering;

use crate::netlist::{Builder, Signal};

/// The OR of all, if there are any.
pub(super) fn any_of<'m>(signals: impl IntoIterator<Item = Signal<'m>>) -> Option<Signal<'m>> {
    signals.into_iter().reduce(|a, b| a | b)
}

/// `value`, a number of a few bits, is greater than `limit`. No carry chain: an OR of comparisons of upper bits, two LUT levels up to 8 bits.
pub(super) fn exceeds<'m>(value: Signal<'m>, limit: u64) -> Signal<'m> {
    let blocks = blocks(value.width(), &|value| value > limit);
    let terms = blocks.into_iter().map(|(low, block)| value.bits(low..value.width()).is(block));
    any_of(terms).expect("some number is greater")
}

/// `a`, a number of a few bits, is less than `b`. One LUT a bit, in place of a carry chain.
pub(super) fn is_less<'m>(name: &str, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let complement = (!a).named(&format!("{name}_complement"));
    carry_out(complement, b, |bit| format!("{name}_from_bit_{bit}"))
}

/// The carry out of the highest bit of the sum of two numbers of equal width. `name` names the carry out of each bit.
pub(super) fn carry_out<'m>(a: Signal<'m>, b: Signal<'m>, name: impl Fn(u32) -> String) -> Signal<'m> {
    let carries = |carry: Option<Signal<'m>>, bit: u32| {
        let operands: Vec<Signal> = [a.bit(bit), b.bit(bit)].into_iter().chain(carry).collect();
        carry_of(&operands).map(|carry| carry.named(&name(bit)))
    };
    (0..a.width()).fold(None, carries).expect("numbers have bits")
}

/// A number of a few bits, minus 2^exponent. One or two LUT levels, in place of a carry chain.
pub(super) fn less_power<'m>(m: &'m Builder, value: Signal<'m>, exponent: u32) -> Signal<'m> {
    let bit = |bit: u32| match bit.cmp(&exponent) {
        Ordering::Less => value.bit(bit),
        Ordering::Equal => !value.bit(bit),
        Ordering::Greater => value.bit(bit) ^ !value.bits(exponent..bit).any(),
    };
    m.concat((0..value.width()).rev().map(bit))
}

/// A number as its bits, the lowest first. No bits are zero.
pub(super) type Number<'m> = Vec<Signal<'m>>;

/// The bits of a signal.
pub(super) fn bits_of(signal: Signal<'_>) -> Number<'_> {
    (0..signal.width()).map(|bit| signal.bit(bit)).collect()
}

/// The low `width` bits of the sum of two numbers and a carry: two LUT levels up to six bits, in place of a carry chain. The signals are named
/// after `name`.
pub(super) fn sum<'m>(
    name: &str,
    a: &[Signal<'m>],
    b: &[Signal<'m>],
    carry: Option<Signal<'m>>,
    width: usize,
) -> Number<'m> {
    let carries = carries(name, [a, b], carry, width);
    let bit = |(index, carry): (usize, Option<Signal<'m>>)| match operands([a, b], index, carry)[..] {
        [] => None,
        [x] => Some(x),
        [x, ref others @ ..] => {
            Some(others.iter().fold(x, |x, &y| x ^ y).named(&format!("{name}_bit_{index}")))
        }
    };
    (0..).zip(carries).map_while(bit).collect()
}

/// The bits of two numbers at an index, and a carry.
fn operands<'m>(numbers: [&[Signal<'m>]; 2], index: usize, carry: Option<Signal<'m>>) -> Vec<Signal<'m>> {
    numbers.into_iter().filter_map(|number| number.get(index).copied()).chain(carry).collect()
}

/// The carry into each of the low `width` bits of a sum; those into bits above `LOW` look ahead to that one.
fn carries<'m>(
    name: &str,
    numbers: [&[Signal<'m>]; 2],
    carry: Option<Signal<'m>>,
    width: usize,
) -> Vec<Option<Signal<'m>>> {
    const LOW: usize = 2;
    let mut carries = vec![carry];
    // The bits from LOW on have a carry out if they generate one (`own`), or if bit LOW has a carry in and every bit propagates it (`passes`).
    let (mut own, mut passes): (Option<Signal>, Option<Signal>) = (None, None);
    for index in 1..width {
        let named = |what: &str, signal: Signal<'m>| signal.named(&format!("{name}_{what}_{index}"));
        let with = |carry: Option<Signal<'m>>| operands(numbers, index - 1, carry);
        let carry = if index <= LOW {
            carry_of(&with(carries[index - 1]))
        } else {
            let low = carries[LOW];
            own = carry_of(&with(own)).map(|own| named("own_carry", own));
            passes = match (low, passes, &with(None)[..]) {
                (Some(_), None, &[only]) => Some(only),
                (Some(_), lower, of_bit) => any_of(of_bit.iter().copied())
                    .map(|of_bit| lower.map_or(of_bit, |lower| lower & of_bit))
                    .map(|passes| named("passes", passes)),
                (None, ..) => None,
            };
            any_of(own.into_iter().chain(passes.zip(low).map(|(passes, low)| passes & low)))
        };
        carries.push(carry.map(|carry| named("carry", carry)));
    }
    carries
}

/// The carry of a sum of up to three bits; `None` if there can be none.
pub(super) fn carry_of<'m>(operands: &[Signal<'m>]) -> Option<Signal<'m>> {
    match *operands {
        [x, y, z] => Some((x & y) | (z & (x | y))),
        [x, y] => Some(x & y),
        _ => None,
    }
}

/// The largest aligned blocks of values in a set: how many low bits are free, and the bits above them.
pub(super) fn blocks(width: u32, set: &dyn Fn(u64) -> bool) -> Vec<(u32, u64)> {
    fn collect(low: u32, block: u64, set: &dyn Fn(u64) -> bool, found: &mut Vec<(u32, u64)>) {
        let mut values = block << low..(block + 1) << low;
        if values.clone().all(set) {
            found.push((low, block));
        } else if values.any(set) {
            [0, 1].into_iter().for_each(|half| collect(low - 1, block << 1 | half, set, found));
        }
    }
    let mut found = Vec::new();
    [0, 1].into_iter().for_each(|half| collect(width - 1, half, set, &mut found));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::evaluator::Evaluator;

    /// Calls `check` with all pairs of numbers of up to six bits, and an evaluator that has them as inputs `a` and `b`.
    fn for_all(
        name: &str,
        make: impl for<'m> Fn(&'m Builder, Signal<'m>, Signal<'m>) -> Signal<'m>,
        expected: impl Fn(u32, u64, u64) -> u64,
    ) {
        for width in 1..=6 {
            let m = Builder::new(name, "");
            let (a, b) = (m.input("a", width, ""), m.input("b", width, ""));
            m.output("result", make(&m, a, b), "");
            let mut block = Evaluator::new(&m.built_with_unused());
            for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
                block.set("a", a);
                block.set("b", b);
                assert_eq!(block.get("result"), expected(width, a, b), "{name}({a}, {b}), {width} bits");
            }
        }
    }

    #[test]
    fn comparisons_are_those_of_numbers() {
        for_all("is_less", |_, a, b| is_less("less", a, b), |_, a, b| u64::from(a < b));
        let carry = |width: u32, a: u64, b: u64| (a + b) >> width;
        for_all("carry_out", |_, a, b| carry_out(a, b, |bit| format!("carry_{bit}")), carry);
        for limit in 0..31 {
            for_all(
                "exceeds",
                // No number of fewer bits is greater.
                |m, a, _| {
                    if limit >> a.width() == 0 {
                        exceeds(m.concat([m.lit(1, 0), a]), limit)
                    } else {
                        m.lit(1, 0)
                    }
                },
                |_, a, _| u64::from(a > limit),
            );
        }
    }

    #[test]
    fn sums_are_those_of_numbers() {
        for_all(
            "sum",
            |m, a, b| {
                let width = a.width() as usize + 1;
                let bits = sum("total", &bits_of(a), &bits_of(b), Some(a.bit(0)), width);
                m.concat(bits.into_iter().rev())
            },
            |_, a, b| a + b + (a & 1),
        );
        let less = |width: u32, a: u64| a.wrapping_sub(1 << (width - 1)) & ((1 << width) - 1);
        for_all("less_power", |m, a, _| less_power(m, a, a.width() - 1), |width, a, _| less(width, a));
        for_all(
            "less_one",
            |m, a, _| less_power(m, a, 0),
            |width, a, _| a.wrapping_sub(1) & ((1 << width) - 1),
        );
    }

    #[test]
    fn blocks_cover_a_set_and_nothing_else() {
        for set in 0..1_u64 << 16 {
            let is_in = |value: u64| set >> value & 1 == 1;
            let blocks = blocks(4, &is_in);
            for value in 0..16 {
                let covers = blocks.iter().filter(|&&(low, block)| value >> low == block).count();
                assert_eq!(covers, usize::from(is_in(value)), "{value} of the set {set:#06x}");
            }
        }
    }
}
