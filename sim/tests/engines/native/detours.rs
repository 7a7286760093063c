//! Multiplexers with a value that takes many operations that nothing else needs. The compiled engine computes this
//! value in a branch.

use proptest::prelude::*;
use utfhdl_hdl::netlist::{Builder, Design, ResetStyle, Signal};

use super::difference;
use crate::common::bench::{Bench, native};
use crate::common::random_netlist::designs;

/// Number of operations of an arm: enough for a branch, or too few.
const MOST: usize = 60;

/// A multiplexer: the operations of its arms, the number of its select, and the number of its register.
#[derive(Clone, Debug)]
struct Choice {
    arms: [Vec<u8>; 2],
    select: usize,
    enabled: bool,
    width: u32,
}

fn choices() -> impl Strategy<Value = Vec<Choice>> {
    let arm = || prop_oneof![2 => prop::collection::vec(any::<u8>(), 25..MOST), 1 => prop::collection::vec(any::<u8>(), 0..4)];
    let width = prop_oneof![3 => 1..=8_u32, 2 => 9..=64_u32, 1 => 65..=130_u32];
    let choice = ([arm(), arm()], 0..4_usize, any::<bool>(), width)
        .prop_map(|(arms, select, enabled, width)| Choice { arms, select, enabled, width });
    prop::collection::vec(choice, 1..5)
}

/// A chain of operations that the compiler cannot simplify.
fn arm<'m>(m: &'m Builder, start: Signal<'m>, other: Signal<'m>, operations: &[u8]) -> Signal<'m> {
    let width = start.width();
    operations.iter().enumerate().fold(start, |value, (index, operation)| {
        let constant =
            m.lit(width.min(8), (index as u64 * 37 + 1) & (0xff >> (8 - width.min(8)))).zext(width);
        match operation % 4 {
            0 => (value + other) ^ constant,
            1 => (value ^ constant) - other,
            2 => (value | constant) + (other & value),
            _ => value.lt(other).mux(value + constant, other ^ value),
        }
    })
}

/// Registers that select between arms made from each other. An arm of one is the select of the next, so that there are
/// branches within branches.
fn design(choices: &[Choice], reset: ResetStyle) -> Design {
    let m = Builder::new("detours", "Choices between much and little.");
    let [first, second, enable] = ["first", "second", "enable"].map(|name| m.input(name, 1, ""));
    let data = m.input("data", 130, "");
    let mut before = data;
    for (index, Choice { arms, select, enabled, width }) in choices.iter().enumerate() {
        let register = m.reg(&format!("r{index}"), *width).reset(0);
        let own = data.bits(0..*width);
        let other = if before.width() >= *width { before.bits(0..*width) } else { before.zext(*width) };
        let [one, zero] = arms.each_ref().map(|operations| arm(&m, own, other ^ register.q, operations));
        let inner = first.mux(one, register.q);
        let chosen = match select {
            0 => first.mux(one, zero),
            1 => second.mux(zero, one),
            2 => second.mux(inner, zero),
            _ => register.q.any().mux(inner, zero),
        };
        if *enabled {
            register.next_when(enable, chosen)
        } else {
            register.next(chosen)
        }
        m.output(&format!("q{index}"), register.q, "");
        before = chosen;
    }
    m.output("last", before, "");
    m.output("inputs", m.concat([first, second, enable, data]), "");
    Design { top: m.finish().expect("a sound module"), reset }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: designs(256), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn detours_compiled_are_interpreted(
        choices in choices(),
        reset in prop::sample::select(&ResetStyle::ALL[..]),
        seed: u64,
    ) {
        prop_assert_eq!(difference(&design(&choices, reset), 200, seed), None);
    }
}

/// Worked out by hand: `x * 2 + 1` thirty times if it is selected, else the input.
#[test]
fn a_detour_is_taken_when_it_is_chosen() {
    let m = Builder::new("doubling", "Thirty steps, or none.");
    let (far, data) = (m.input("far", 1, ""), m.input("data", 48, ""));
    let one = m.lit(48, 1);
    let doubled = (0..30).fold(data, |value, _| value + value + one);
    m.output("y", far.mux(doubled, data), "");
    let design = Design { top: m.finish().expect("a sound module"), reset: ResetStyle::SyncHigh };
    let mut bench = Bench::new(native(&design));
    for (far, expected) in [(0, 5), (1, 6 * (1 << 30) - 1), (0, 5), (1, 6 * (1 << 30) - 1)] {
        bench.cycle_with(&[("far", far), ("data", 5)]);
        assert_eq!(bench.get("y"), [expected]);
    }
}
