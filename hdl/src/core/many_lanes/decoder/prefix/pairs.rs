//! Pairs of surrogates, each in three octets, of which the low one is an error in WTF-8.
//!
//! ```text
//!  ED A0..AF 80..BF   ED B0..BF 80..BF
//!  high surrogate     low surrogate
//! ```
//!
//! ED is a lead whatever stands before it, so these six octets are such a pair wherever they stand.

use super::unit::Class;
use crate::core::many_lanes::decoder::pipeline::delay;
use crate::core::many_lanes::decoder::plan::Plan;
use crate::netlist::{Builder, Signal, Stage};

/// The lead of surrogates, and the upper half of the octet behind it: of a high one, and of a low one.
pub(super) const LEAD: u64 = 0xed;
pub(super) const BEHIND_LEAD: [(&str, u64); 2] = [("high", 0xa), ("low", 0xb)];

/// Octets before the last of a pair.
pub(super) const OCTETS_BEFORE: usize = 5;

/// Whether the octet ends a pair, as of stage `plan.window - 1`, as of which `trailing` says that it is a trailing octet.
pub(super) fn ends_pair<'m>(
    m: &'m Builder,
    plan: &Plan,
    stage: Stage<'m>,
    class: Class<'m>,
    trailing: Signal<'m>,
) -> Signal<'m> {
    let near_at = plan.window - 1;
    m.port_group(format!("Stage {}", plan.class));
    m.output("lead_ed", class.output("lead_ed"), "it is the lead of surrogates");
    let behind_lead = m.input("lead_ed_1", 1, "of the octet before it");
    m.port_group(format!("Stage {near_at}"));
    for (half, _) in BEHIND_LEAD {
        let name = format!("second_of_{half}");
        let second = delay(stage, &name, class.output(half) & behind_lead, plan.class, near_at);
        m.output(&format!("{name}_now"), second, "the second octet of a surrogate");
    }
    let low = m.input("second_of_low_1", 1, "of the octet before it");
    let third_of_high = m.input("trailing_3", 1, "the octet so many before it is a trailing one");
    let high = m.input("second_of_high_4", 1, "of the octet so many before it");
    (trailing & low & third_of_high & high).named("ends_pair")
}
