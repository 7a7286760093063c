//! The position of an octet in a sequence, as far as the few octets before it decide that.
//!
//! The octets before ED do not decide whether ED begins a sequence or is the lead of a low surrogate. In `ED A0 80 ED A0 80 ED B0 80`
//! the first three octets are a high surrogate, so the second ED is the lead of a low one; the A0 after that breaks the pair. The third
//! ED therefore begins a sequence, and the B0 after that is not allowed. Such a row can begin any number of octets earlier. One bit
//! therefore runs through the lanes. The bit is 1 for each octet that *continues* a sequence with ED:
//!
//! | octet | bit |
//! | --- | --- |
//! | ED after the three octets of a high surrogate | kept: ED is the lead of the low surrogate if the three octets are a high one |
//! | 80..AF after ED | inverted: the octet continues if ED begins a sequence |
//! | B0..BF after ED | kept: the octet continues if ED is the lead of a low surrogate |
//! | the trailing octet after either of these | kept |
//! | any other | cleared |

use super::shape::{BITS, Stages};
use super::unit::OCTET;
use crate::core::lanes::{At, Cell, Value};

/// Values of an octet that those after it need.
pub(in crate::core::many_lanes) struct Values {
    trailing: Value,
    lead: Value,
    lead_e0: Value,
    pub(in crate::core::many_lanes) lead_ed: Value,
    high: Value,
    low: Value,
    /// The octet is C0, in modified UTF-8.
    lead_of_nul: Option<Value>,
    /// The octet is the first trailing one after a lead other than ED, which accepts it.
    pub(in crate::core::many_lanes) fits: Value,
    /// The lead is followed by two trailing octets.
    pub(in crate::core::many_lanes) is_long: Value,
    /// Bits that may be in a slot.
    pub(in crate::core::many_lanes) bits: Value,
    class: u32,
}

/// The half of a pair of surrogates.
#[derive(Clone, Copy)]
pub(in crate::core::many_lanes) enum Half {
    High,
    Low,
}

/// An output of an octet's class.
pub(in crate::core::many_lanes) fn class_of<'m>(cell: &dyn Cell<'m>, name: &str, class: u32) -> At<'m> {
    At::new(cell.unit().registers(), cell.class().output(name), class)
}

impl Values {
    pub(in crate::core::many_lanes) fn new(stages: Stages, nul_is_pair: bool) -> Self {
        let class = stages.class;
        let of_class = |name: &'static str, widths: &[u32]| {
            let value = Value::new(name, "the class of the octet", move |cell| class_of(cell, name, class));
            value.at(class).widths(widths.iter().copied())
        };
        let (trailing, lead, lead_e0) =
            (of_class("trailing", &[1]), of_class("lead", &[1]), of_class("lead_e0", &[1]));
        let (high, low) = (of_class("high", &[1, 1]), of_class("low", &[1]));
        let lead_of_nul = nul_is_pair.then(|| of_class("lead_of_nul", &[1]));
        let fits = {
            let (trailing, lead, lead_e0) = (trailing.clone(), lead.clone(), lead_e0.clone());
            let (high, low, lead_of_nul) = (high.clone(), low.clone(), lead_of_nul.clone());
            let note = "the first trailing octet after a lead that accepts it";
            Value::new("fits", note, move |cell| {
                let is_upper = cell.of(0, &high) | cell.of(0, &low);
                let accepted = cell.of(1, &lead) | cell.of(1, &lead_e0) & is_upper;
                let accepted = match &lead_of_nul {
                    Some(lead) => accepted | cell.of(1, lead) & class_of(cell, "is_80", class),
                    None => accepted,
                };
                cell.of(0, &trailing) & accepted
            })
        };
        let is_long = Value::new("is_long", "of a lead: two trailing octets follow", move |cell| {
            class_of(cell, "is_long", class)
        });
        let bits = Value::new("bits", "of the code point: bits of an octet of a longer sequence", |cell| {
            // The history holds only the bits of octets whose class is not needed.
            cell.unit().bits(0..cell.unit().width().min(OCTET - 1))
        });
        Self {
            trailing,
            lead,
            lead_e0,
            lead_ed: of_class("lead_ed", &[1, 1, 1]),
            high,
            low,
            lead_of_nul,
            fits: fits.at(stages.link),
            is_long: is_long.at(stages.link).widths([1, 1]),
            bits: bits.at(stages.made).widths(BITS).trimmed(),
            class,
        }
    }

    /// The octet is a lead.
    pub(in crate::core::many_lanes) fn is_lead<'m>(&self, cell: &dyn Cell<'m>) -> At<'m> {
        let leads = [&self.lead, &self.lead_e0, &self.lead_ed].into_iter().chain(&self.lead_of_nul);
        At::any_of(leads.map(|lead| cell.of(0, lead))).expect("there are leads")
    }

    /// The octet is a trailing one after ED.
    pub(in crate::core::many_lanes) fn second_of_ed<'m>(&self, cell: &dyn Cell<'m>) -> At<'m> {
        cell.of(0, &self.trailing) & cell.of(1, &self.lead_ed)
    }

    /// The octet is the third of three that ED begins.
    pub(in crate::core::many_lanes) fn third_of_ed<'m>(&self, cell: &dyn Cell<'m>) -> At<'m> {
        cell.of(0, &self.trailing) & cell.of(1, &self.trailing) & cell.of(2, &self.lead_ed)
    }

    /// The octet is the third of a high surrogate, or of a low one.
    pub(in crate::core::many_lanes) fn third_of<'m>(&self, cell: &dyn Cell<'m>, half: Half) -> At<'m> {
        let half = match half {
            Half::High => &self.high,
            Half::Low => &self.low,
        };
        cell.of(0, &self.trailing) & cell.of(1, half) & cell.of(2, &self.lead_ed)
    }

    /// The effect of an octet on the bit that runs through sequences with ED: set, keep; both together invert.
    pub(in crate::core::many_lanes) fn carries<'m>(
        &self,
        cell: &dyn Cell<'m>,
        third_of_ed: At<'m>,
    ) -> [At<'m>; 2] {
        let second = self.second_of_ed(cell).named("second_of_ed");
        let after_high = cell.of(0, &self.lead_ed)
            & cell.of(1, &self.trailing)
            & cell.of(2, &self.high)
            & cell.of(3, &self.lead_ed);
        [second & !cell.of(0, &self.low), second | third_of_ed | after_high]
    }

    /// The octet is a trailing one.
    pub(in crate::core::many_lanes) fn is_trailing<'m>(&self, cell: &dyn Cell<'m>) -> At<'m> {
        class_of(cell, "trailing", self.class)
    }
}
