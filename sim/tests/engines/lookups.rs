//! A look-up with every key, in a register and not, in a narrow and in a wide table: the words are squares, and products with a large odd
//! number.

use std::sync::Arc;

use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle};
use utfhdl_sim::Engine;

use crate::common::bench::Bench;

/// Bits of the key, and the number of words: past the last of them, words are 0.
const KEY_BITS: u32 = 9;
const WORDS: u64 = 400;

/// An odd number whose multiples differ in all bits.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

fn lookups() -> Arc<Module> {
    let m = Builder::new("lookups", "Two tables for one key.");
    let key = m.input("key", KEY_BITS, "");
    let squares: Vec<u64> = (0..WORDS).map(|value| value * value).collect();
    let products: Vec<u64> = (0..WORDS).map(|value| value.wrapping_mul(FACTOR)).collect();
    let square = key.lookup(&squares, 18).named("square_found");
    let product = key.lookup(&products, 64).named("product_found");
    m.output("square", square, "");
    m.output("product", product, "");
    let every = m.stage(m.lit(1, 1));
    m.output("square_before", every.data("square_reg", square), "");
    m.output("product_before", every.data("product_reg", product), "");
    m.finish().expect("a sound module")
}

fn check<E: Engine>(name: &str, engine: impl Fn(&Design) -> E) {
    let design = Design { top: lookups(), reset: ResetStyle::SyncHigh };
    let mut bench = Bench::new(engine(&design));
    let of = |key: u64| if key < WORDS { [key * key, key.wrapping_mul(FACTOR)] } else { [0, 0] };
    let mut before = None;
    // An odd step goes through all keys.
    for key in (0..1 << KEY_BITS).map(|index: u64| index * 77 % (1 << KEY_BITS)) {
        bench.set("key", &[key]);
        bench.cycle();
        let found = |ports: [&str; 2]| ports.map(|port| bench.get(port)[0]);
        assert_eq!(found(["square", "product"]), of(key), "{name}: key {key}");
        if let Some(before) = before {
            assert_eq!(found(["square_before", "product_before"]), of(before), "{name}: key {before} before");
        }
        before = Some(key);
    }
}

in_every_engine!(check);
