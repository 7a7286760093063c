//! Parts that are alike, such as lanes. The compiled engine packs eight of their registers to a word, and computes what they load
//! side by side.

use proptest::prelude::*;
use utfhdl_hdl::netlist::{Builder, Design, Reg, ResetStyle, Signal};

use super::difference;
use crate::common::random_netlist::designs;

/// A computation that each part does on three values, its own or those of a neighbour.
#[derive(Clone, Debug)]
struct Step {
    operation: u8,
    width: u32,
    from: [usize; 3],
    /// The registers read are those of the part before, of this part, or of the next one.
    beside: i32,
    /// The value is the next of a register, under one of a few enables.
    register: Option<usize>,
    reset: Option<u64>,
    /// The parts from this one on compute something else.
    unlike: u8,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let from = [any::<usize>(), any::<usize>(), any::<usize>()];
    let register = prop::option::of(0..3_usize);
    let reset = prop::option::of(any::<u64>());
    let step = (0..12_u8, 1..=9_u32, from, -1..=1_i32, register, reset, any::<u8>()).prop_map(
        |(operation, width, from, beside, register, reset, unlike)| Step {
            operation,
            width,
            from,
            beside,
            register,
            reset,
            unlike,
        },
    );
    prop::collection::vec(step, 2..24)
}

fn fit(signal: Signal<'_>, width: u32) -> Signal<'_> {
    if signal.width() > width { signal.bits(0..width) } else { signal.zext(width) }
}

fn design(steps: &[Step], parts: usize, reset: ResetStyle) -> Design {
    let m = Builder::new("alike", "Parts that are alike.");
    let (data, keep) = (m.input("data", 8 * parts as u32, ""), m.input("keep", parts as u32, ""));
    let enable = m.input("enable", 1, "");
    let registers: Vec<Vec<Option<Reg>>> = (0..parts)
        .map(|part| {
            let register = |(index, step): (usize, &Step)| {
                step.register.map(|_| {
                    let register = m.reg(&format!("part_{part}_r{index}_reg"), step.width);
                    match step.reset {
                        Some(value) => register.reset(value & ((1 << step.width) - 1)),
                        None => register,
                    }
                })
            };
            steps.iter().enumerate().map(register).collect()
        })
        .collect();
    for part in 0..parts {
        let (unit, kept) = (data.bits(8 * part as u32..8 * part as u32 + 8), keep.bit(part as u32));
        let mut values = vec![unit, kept, enable];
        for (index, step) in steps.iter().enumerate() {
            let [a, b, c] = step.from.map(|from| values[from % values.len()]);
            let beside = (part as i32 + step.beside).clamp(0, parts as i32 - 1) as usize;
            let near = registers[beside].iter().flatten().nth(step.from[1] % 5).map(|register| register.q);
            let b = near.unwrap_or(b);
            let select = c.bit(0);
            let [a, b] = [a, b].map(|value| fit(value, step.width));
            let operation =
                if part >= step.unlike as usize % 40 { step.operation ^ 1 } else { step.operation };
            let value = match operation {
                0 => a & b,
                1 => a | b,
                2 => a ^ b,
                3 => a + b,
                4 => a.eq(b).zext(step.width),
                5 => a.lt(b).zext(step.width),
                6 => select.mux(a, b),
                7 => enable.mux(a, b),
                8 => fit(a.bits(step.width / 2..step.width), step.width),
                9 => m.concat([a.bits(0..1), b]).bits(1..step.width + 1),
                10 => !a & select.repeat(step.width as usize),
                _ => !a,
            };
            values.push(match (step.register, registers[part][index]) {
                (Some(0), Some(register)) => {
                    register.next(value);
                    register.q
                }
                (Some(1), Some(register)) => {
                    register.next_when(enable, value);
                    register.q
                }
                (Some(_), Some(register)) => {
                    register.next_when(kept, value);
                    register.q
                }
                _ => value,
            });
        }
        for (index, value) in values.iter().enumerate().skip(3) {
            m.output(&format!("y{part}_{index}"), *value, "");
        }
    }
    m.output("inputs", m.concat([data, keep, enable]), "");
    Design { top: m.finish().expect("a sound module"), reset }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: designs(128), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_that_are_alike_compiled_are_interpreted(
        steps in steps(),
        parts in 4..20_usize,
        reset in prop::sample::select(&ResetStyle::ALL[..]),
        seed: u64,
    ) {
        prop_assert_eq!(difference(&design(&steps, parts, reset), 100, seed), None);
    }
}
