//! Campaigns, as several tests run them.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use utfhdl::campaign::{Campaign, Counts, Failing, Inputs, Part};
use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::Fault;

/// Runs a range; gives the parts in order.
pub fn run(campaign: &Campaign, range: Range<u64>, threads: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let Ok(()) = campaign.run(&[range], threads, &AtomicBool::new(false), |part| {
        parts.push(part);
        Ok::<(), Infallible>(())
    });
    parts.sort_by_key(|part| part.first);
    parts
}

/// Runs a range, in which nothing may fail; gives what was in its inputs.
#[track_caller]
pub fn run_well_in(campaign: &Campaign, range: Range<u64>) -> Counts {
    let parts = run(campaign, range.clone(), 2);
    let mut counts = Counts::default();
    for part in &parts {
        let failing = part.failure.as_ref().map(|failing| campaign.in_words(&failing.frame));
        assert_eq!(failing, None, "{}", campaign.name());
        counts.add(&part.counts, 1);
    }
    assert_eq!(parts.iter().map(|part| part.inputs).sum::<u64>(), range.end - range.start);
    counts
}

/// Runs a whole campaign, in which nothing may fail; gives what was in its inputs.
#[track_caller]
pub fn run_well(core: &Core, inputs: Inputs) -> Counts {
    let campaign = Campaign::new(core.clone(), inputs).unwrap();
    run_well_in(&campaign, 0..campaign.total())
}

/// Inputs of a campaign that are run at once.
const BLOCK: u64 = 512;

/// Runs pairs of words of 16 bits, in every way in which they can lie in the lanes: those with a first word around which something
/// changes.
#[track_caller]
pub fn run_pairs_of_words(core: &Core) {
    let pairs = Campaign::new(core.clone(), Inputs::Exhaustive { units: 2 }).unwrap();
    for way in 0..pairs.total() >> 32 {
        for first in [0x0000, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff] {
            let pair = way << 32 | first << 16;
            run_well_in(&pairs, pair..pair + (1 << 16));
        }
    }
}

/// Runs words of 32 bits, beginning in every lane: the code points up to the last one, some words above, and words around powers of
/// two.
#[track_caller]
pub fn run_some_long_words(core: &Core) -> Counts {
    let words = Campaign::new(core.clone(), Inputs::Exhaustive { units: 1 }).unwrap();
    let mut counts = Counts::default();
    for lane in 0..words.total() >> 32 {
        let mut run = |range: Range<u64>| {
            counts.add(&run_well_in(&words, lane << 32 | range.start..lane << 32 | range.end), 1);
        };
        run(0..0x12_0000);
        (24..32).for_each(|exponent| run((1 << exponent) - BLOCK..(1 << exponent) + BLOCK));
    }
    counts
}

/// The first input of a campaign that fails.
pub fn first_failing(campaign: &Campaign) -> Option<Failing> {
    run(campaign, 0..campaign.total(), 2).into_iter().find_map(|part| part.failure)
}

/// The core with a fault.
pub fn with_fault(core: &Core, fault: Fault, path: &str) -> Core {
    let design = fault.inject(&core.design, path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Core { design, ..core.clone() }
}
