//! Restrictions: which first trailing units a lead allows (see [`leads`](crate::core::shared::leads)).

use std::ops::Range;

use super::class::SequencePart;
use crate::core::shared::leads::{Leads, Restricting};
use crate::netlist::{Builder, Signal};

/// The restriction of the first trailing unit by the lead before it, in registers.
pub(in super::super) enum Restriction<'m> {
    /// By bits at the top of the unit's data.
    Checked {
        /// The bits that are checked. If none is set, any trailing unit may follow.
        bits: Signal<'m>,
        /// None of the checked bits may be set; else one of them must be. `None` if no lead is low-only.
        low_only: Option<Signal<'m>>,
    },
    /// By regions of the unit's data, where some lead accepts more than checked bits can say.
    Regions {
        /// The regions that some lead excludes, the least first.
        regions: Vec<Vec<Range<u64>>>,
        /// A bit for each region: the lead before the unit excludes it.
        excluded: Signal<'m>,
        /// Whether some lead is low-only. Every other restricting lead excludes the least region.
        has_low_only: bool,
    },
}

impl<'m> Restriction<'m> {
    /// The restriction by a lead `part`, in registers that load where `load` is high.
    pub(in super::super) fn new(
        m: &'m Builder,
        leads: &Leads,
        part: SequencePart<'m>,
        load: Signal<'m>,
    ) -> Self {
        let restricts = part.restricts.map_or(part.lead, |restricts| part.lead & restricts);
        match leads.fewest_trailing_by_checked_bit() {
            Some(fewest) => Self::checked(m, leads, part, restricts, &fewest, load),
            None => Self::regions(m, leads, part, restricts, load),
        }
    }

    fn checked(
        m: &'m Builder,
        leads: &Leads,
        part: SequencePart<'m>,
        restricts: Signal<'m>,
        fewest: &[usize],
        load: Signal<'m>,
    ) -> Self {
        let bits = fewest.iter().map(|&fewest_trailing| {
            if fewest_trailing == fewest[0] {
                m.lit(1, 1)
            } else {
                leads.at_least(part.follow, fewest_trailing as u64)
            }
        });
        let restricts = if fewest.len() > 1 && part.restricts.is_some() {
            restricts.named("lead_restricts")
        } else {
            restricts
        };
        let stage = m.stage(load);
        let checked = stage.data("checked_bits_reg", m.concat(bits.map(|bit| bit.when(restricts))));
        let low_only = part.low_only.map(|low_only| {
            stage
                .data("checked_low_only_reg", low_only)
                .note("1: no checked bit may be set; 0: one of them must be")
        });
        let note = "after a restricting lead: the top bits of the unit that are checked";
        Self::Checked { bits: checked.note(note), low_only }
    }

    fn regions(
        m: &'m Builder,
        leads: &Leads,
        part: SequencePart<'m>,
        restricts: Signal<'m>,
        load: Signal<'m>,
    ) -> Self {
        let (restricting, regions) = (leads.restricting(), leads.excluded_regions());
        let restricts = restricts.named("lead_restricts");
        let excludes = |region: &Vec<Range<u64>>| {
            let by = |is_low_only: bool| {
                let all = restricting.iter().filter(|lead| lead.is_low_only() == is_low_only);
                excluding_form(leads, part.follow, all, region[0].start)
            };
            let by = match part.low_only {
                Some(low_only) => either(low_only, by(true), by(false)),
                None => by(false),
            };
            match by {
                By::All => restricts,
                By::Some(by) => by.when(restricts),
                By::None => unreachable!("some lead excludes the region"),
            }
        };
        let excluded = m.concat(regions.iter().rev().map(excludes));
        let stage = m.stage(load);
        let excluded = stage.data("excluded_reg", excluded).note(
            "after a restricting lead: the regions of trailing units that it excludes, the least first",
        );
        Self::Regions { regions, excluded, has_low_only: part.low_only.is_some() }
    }

    /// The lead is low-only; `None` if no lead is.
    pub(super) fn low_only(&self) -> Option<Signal<'m>> {
        match self {
            Self::Checked { low_only, .. } => *low_only,
            Self::Regions { excluded, has_low_only, .. } => has_low_only.then(|| !excluded.bit(0)),
        }
    }

    /// Whether a trailing unit with this data may not follow the lead.
    pub(in super::super) fn excludes(&self, data: Signal<'m>) -> Signal<'m> {
        match self {
            Self::Checked { bits, low_only } => {
                let above = data.bits(data.width() - bits.width()..data.width());
                let is_set = (above & *bits).any().named("checked_bit_set");
                let excluded = low_only.map_or(!is_set, |low_only| is_set.eq(low_only));
                bits.bit(bits.width() - 1) & excluded
            }
            Self::Regions { regions, excluded, .. } => {
                let is_in = |(bit, region): (u32, &Vec<Range<u64>>)| {
                    let is_in = region.iter().map(|run| in_run(data, run)).reduce(|a, b| a | b);
                    is_in.expect("a region has a run") & excluded.bit(bit)
                };
                (0..).zip(regions).map(is_in).reduce(|a, b| a | b).expect("some region is excluded")
            }
        }
    }
}

/// Which of some leads exclude a region.
enum By<'m> {
    All,
    None,
    Some(Signal<'m>),
}

/// Whether a lead that asks for `follow` trailing units is one of `all` that exclude `data`.
fn excluding_form<'a, 'm>(
    leads: &Leads,
    follow: Signal<'m>,
    all: impl Iterator<Item = &'a Restricting>,
    data: u64,
) -> By<'m> {
    let (by, others): (Vec<_>, Vec<_>) = all.partition(|lead| lead.excludes(data));
    let forms = |of: &[&Restricting]| of.iter().map(|lead| lead.form as u64).collect::<Vec<u64>>();
    let (by, others) = (forms(&by), forms(&others));
    let (Some(&least), Some(&most)) = (by.first(), by.last()) else { return By::None };
    if others.is_empty() {
        By::All
    } else if others.iter().all(|&other| other < least) {
        By::Some(leads.at_least(follow, least))
    } else if others.iter().all(|&other| other > most) {
        By::Some(!leads.at_least(follow, others[0]))
    } else {
        let is = by.iter().map(|&form| follow.is(form)).reduce(|a, b| a | b);
        By::Some(is.expect("some lead excludes it"))
    }
}

/// One or the other.
fn either<'m>(choice: Signal<'m>, one: By<'m>, other: By<'m>) -> By<'m> {
    match (one, other) {
        (By::All, By::All) => By::All,
        (By::None, By::None) => By::None,
        (By::All, By::None) => By::Some(choice),
        (By::None, By::All) => By::Some(!choice),
        (By::Some(one), By::None) => By::Some(choice & one),
        (By::None, By::Some(other)) => By::Some(!choice & other),
        (By::All, By::Some(other)) => By::Some(choice | other),
        (By::Some(one), By::All) => By::Some(!choice | one),
        (By::Some(one), By::Some(other)) => By::Some(choice.mux(one, other)),
    }
}

/// Whether data is in a run, by the upper bits of each aligned block in it: a comparison would make a chain of carries.
fn in_run<'m>(data: Signal<'m>, run: &Range<u64>) -> Signal<'m> {
    let width = data.width();
    let (mut at, mut found) = (run.start, None::<Signal>);
    while at < run.end {
        let fits = |bits: &u32| at.is_multiple_of(1 << bits) && at + (1 << bits) <= run.end;
        let bits = (0..width).rev().find(fits).expect("one fits");
        let block = data.bits(bits..width).is(at >> bits);
        found = Some(found.map_or(block, |found| found | block));
        at += 1 << bits;
    }
    found.expect("a run is not empty")
}
