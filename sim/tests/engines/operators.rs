//! Every operation at 8, 65, 128 and 200 bits, with expected values from `data/operators.txt`, which
//! `data/operators.py` computes.

use utfhdl_hdl::netlist::{Design, ResetStyle};
use utfhdl_sim::Engine;

use crate::common::bench::Bench;
use crate::common::designs::operators;

const TABLE: &str = include_str!("../data/operators.txt");

/// A hexadecimal number in as many words as `width` bits take, least significant first.
fn words(digits: &str, width: u32) -> Vec<u64> {
    let mut words: Vec<u64> = digits
        .as_bytes()
        .rchunks(16)
        .map(|word| u64::from_str_radix(str::from_utf8(word).expect("digits"), 16).expect("a number"))
        .collect();
    words.resize(width.div_ceil(64) as usize, 0);
    words
}

fn check<E: Engine>(name: &str, engine: impl Fn(&Design) -> E) {
    let mut lines = TABLE.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let mut vectors = 0;
    for line in lines {
        let width: u32 = line[0].parse().expect("a width");
        let design = Design { top: operators(width), reset: ResetStyle::SyncHigh };
        assert!(design.top.outputs().map(|port| port.name.as_str()).eq(head[4..].iter().copied()));
        let mut bench = Bench::new(engine(&design));
        bench.set("a", &words(line[1], width));
        bench.set("b", &words(line[2], width));
        bench.set("by", &[line[3].parse().expect("an amount")]);
        bench.cycle();
        for (port, expected) in design.top.outputs().zip(&line[4..]) {
            let (found, expected) = (bench.get(&port.name), words(expected, port.width));
            assert!(
                found == expected,
                "{name}: `{}` of {} bits, a {}, b {}, by {}: {found:x?}, not {expected:x?}",
                port.name,
                width,
                line[1],
                line[2],
                line[3]
            );
        }
        vectors += 1;
    }
    assert!(vectors >= 11, "{vectors} vectors");
}

in_every_engine!(check);
