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

/// The first input of a campaign that fails.
pub fn first_failing(campaign: &Campaign) -> Option<Failing> {
    run(campaign, 0..campaign.total(), 2).into_iter().find_map(|part| part.failure)
}

/// The core with a fault.
pub fn with_fault(core: &Core, fault: Fault, path: &str) -> Core {
    let design = fault.inject(&core.design, path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Core { design, ..core.clone() }
}
