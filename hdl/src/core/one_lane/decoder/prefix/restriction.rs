//! Restrictions: which first trailing units a lead allows (see [`leads`](crate::core::shared::leads)).

use super::class::SequencePart;
use crate::core::shared::leads::Leads;
use crate::netlist::{Builder, Signal};

/// The restriction of the first trailing unit by the lead before it, in registers.
#[derive(Clone, Copy)]
pub(in super::super) struct Restriction<'m> {
    /// The bits at the top of the unit's data that are checked. If none is set, any trailing unit may follow.
    checked: Signal<'m>,
    /// None of the checked bits may be set; else one of them must be. `None` if no lead is low-only.
    pub(super) low_only: Option<Signal<'m>>,
}

impl<'m> Restriction<'m> {
    /// The restriction by a lead `part`, in registers that load where `load` is high.
    pub(in super::super) fn new(
        m: &'m Builder,
        leads: &Leads,
        part: SequencePart<'m>,
        load: Signal<'m>,
    ) -> Self {
        let fewest = leads.fewest_trailing_by_checked_bit();
        let bits = fewest.iter().map(|&fewest_trailing| {
            if fewest_trailing == fewest[0] {
                m.lit(1, 1)
            } else {
                leads.at_least(part.follow, fewest_trailing as u64)
            }
        });
        let restricts = part.restricts.map_or(part.lead, |restricts| part.lead & restricts);
        let restricts = if fewest.len() > 1 && part.restricts.is_some() {
            restricts.named("lead_restricts")
        } else {
            restricts
        };
        let stage = m.stage(load);
        let checked = stage.data("checked_bits_reg", m.concat(bits.map(|bit| bit.when(restricts))));
        let checked = checked.note("behind a restricting lead: the top bits of the unit that are checked");
        let low_only = part.low_only.map(|low_only| {
            stage
                .data("checked_low_only_reg", low_only)
                .note("1: no checked bit may be set; 0: one of them must be")
        });
        Self { checked, low_only }
    }

    /// Whether a trailing unit with this data may not follow the lead.
    pub(in super::super) fn excludes(self, data: Signal<'m>) -> Signal<'m> {
        let above = data.bits(data.width() - self.checked.width()..data.width());
        let is_set = (above & self.checked).any().named("checked_bit_set");
        let excluded = self.low_only.map_or(!is_set, |low_only| is_set.eq(low_only));
        self.checked.bit(self.checked.width() - 1) & excluded
    }
}
