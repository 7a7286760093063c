//! Many registers with few enables. The compiled engine writes registers that share an enable in a branch, in an
//! order in which no register is overwritten before it is read.

use proptest::prelude::*;
use utfhdl_hdl::netlist::{Builder, Design, Reg, ResetStyle, Signal};

use super::difference;
use crate::common::random_netlist::designs;

/// A register: width, reset value, enable, and the registers that its next value depends on.
#[derive(Clone, Debug)]
struct Recipe {
    width: u32,
    reset: Option<u64>,
    enable: usize,
    from: [usize; 2],
    operation: u8,
}

fn recipes() -> impl Strategy<Value = Vec<Recipe>> {
    let width = prop_oneof![4 => 1..=9_u32, 2 => 10..=64_u32, 1 => 65..=200_u32];
    let from = [any::<usize>(), any::<usize>()];
    let recipe = (width, any::<Option<u64>>(), 0..7_usize, from, 0..6_u8)
        .prop_map(|(width, reset, enable, from, operation)| Recipe { width, reset, enable, from, operation });
    prop::collection::vec(recipe, 2..60)
}

fn fit(signal: Signal<'_>, width: u32) -> Signal<'_> {
    if signal.width() > width { signal.bits(0..width) } else { signal.zext(width) }
}

/// Registers that read each other in circles. Some enables imply others, some are complements, some registers have
/// none.
fn design(recipes: &[Recipe], reset: ResetStyle) -> Design {
    let m = Builder::new("enables", "Registers that share enables.");
    let [first, second, data] = [("first", 1), ("second", 1), ("data", 16)].map(|(n, w)| m.input(n, w, ""));
    let registers: Vec<Reg> = recipes
        .iter()
        .enumerate()
        .map(|(index, recipe)| {
            let register = m.reg(&format!("r{index}"), recipe.width);
            match recipe.reset {
                Some(value) => register.reset(value & u64::MAX >> (64 - recipe.width.min(64))),
                None => register,
            }
        })
        .collect();
    let any_bit = registers[0].q.any();
    let enables = [first, second, first & second, !first, !(first | any_bit), any_bit];
    for (recipe, register) in recipes.iter().zip(&registers) {
        let [a, b] = recipe.from.map(|from| fit(registers[from % registers.len()].q, recipe.width));
        let next = match recipe.operation {
            0 => a ^ fit(data, recipe.width),
            1 => a + b,
            2 => first.mux(a, b),
            3 => !a | b,
            4 => a,
            _ => a.lt(b).zext(recipe.width),
        };
        match enables.get(recipe.enable) {
            Some(enable) => register.next_when(*enable, next),
            None => register.next(next),
        }
    }
    for (index, register) in registers.iter().enumerate() {
        m.output(&format!("q{index}"), register.q, "");
    }
    // Nothing may be unused, whatever the recipe.
    m.output("inputs", m.concat([first, second, data]), "");
    Design { top: m.finish().expect("a sound module"), reset }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: designs(256), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shared_enables_compiled_are_interpreted(
        recipes in recipes(),
        reset in prop::sample::select(&ResetStyle::ALL[..]),
        seed: u64,
    ) {
        prop_assert_eq!(difference(&design(&recipes, reset), 200, seed), None);
    }
}

/// The test above is not vacuous: every register of a large group changes, and holds.
#[test]
fn a_group_of_registers_holds_and_loads() {
    use crate::common::bench::{Bench, native};

    let m = Builder::new("chain", "Twelve registers in a row with one enable.");
    let (enable, data) = (m.input("enable", 1, ""), m.input("data", 8, ""));
    let last = (0..12).fold(data, |before, index| {
        let register = m.reg(&format!("r{index}"), 8).reset(0);
        register.next_when(enable, before);
        m.output(&format!("q{index}"), register.q, "");
        register.q
    });
    m.output("last", last, "");
    let design = Design { top: m.finish().expect("a sound module"), reset: ResetStyle::SyncHigh };
    let mut bench = Bench::new(native(&design));
    for value in 1..=12 {
        bench.cycle_with(&[("enable", 1), ("data", value)]);
        bench.cycle_with(&[("enable", 0), ("data", 0xff)]);
        let chain: Vec<u64> = (0..12).map(|index| bench.get(&format!("q{index}"))[0]).collect();
        let expected: Vec<u64> = (0..12).map(|index| value.saturating_sub(index)).collect();
        assert_eq!(chain, expected);
    }
}
