//! The writer of prefix systems: stage 1 counts the trailing units of a code point, stage 2 cuts the code point into
//! units.

use super::surrogate_pairs::SurrogatePairs;
use super::writer::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::{above, past_last, surrogate};
use crate::core::shared::forms::{SequenceForm, SequenceForms};
use crate::netlist::{Builder, Signal};

/// The writer of a prefix system.
pub(super) struct PrefixWriter {
    forms: SequenceForms,
    /// The forms that some code point takes.
    used: Vec<SequenceForm>,
    /// A low surrogate directly after a high one is refused.
    refuses_surrogate_pairs: bool,
}

impl PrefixWriter {
    /// The writer of a system with these forms.
    pub(super) fn new(forms: SequenceForms) -> Self {
        let used = forms.forms.iter().filter(|form| form.is_used()).copied().collect();
        Self { forms, used, refuses_surrogate_pairs: false }
    }

    /// The same writer, which refuses a low surrogate directly after a high one.
    pub(super) fn without_surrogate_pairs(self) -> Self {
        Self { refuses_surrogate_pairs: true, ..self }
    }

    /// The form of a code point.
    fn form(&self, code_point: u128) -> Option<&SequenceForm> {
        self.used.iter().find(|form| code_point <= form.last)
    }

    /// The number of trailing units of a code point that has `bits` from bit `low` on, and no bits above. If `low` is
    /// not 0, some of `bits` must be set.
    fn trailing<'m>(&self, m: &'m Builder, bits: Signal<'m>, low: u32) -> Signal<'m> {
        let end = low + bits.width();
        let prefix = if low > 0 { "long_" } else { "" };
        let takes = |form: &&SequenceForm| form.last >> low > 0 && form.first >> end == 0;
        let forms: Vec<&SequenceForm> = self.used.iter().filter(takes).collect();
        // For each form but the first: the code point takes it or a longer one.
        let mut longer: Vec<Signal> = Vec::new();
        for pair in forms.windows(2).rev() {
            // Above the last code point of the form before; it ends in the middle of `bits`.
            let any = above(bits.bits(0..pair[1].bits.min(end) - low), pair[0].last >> low);
            let any = any.expect("the longer form has more bits");
            let at_least = longer.last().map_or(any, |&longer| any | longer);
            longer.push(at_least.named(&format!("{prefix}at_least_{}", pair[1].trailing + 1)));
        }
        longer.reverse();
        let bit = |bit: u32| {
            // For each run of forms in whose number this bit is set: the code point takes the first form of the run or
            // a longer one, and none after the run.
            let mut runs: Vec<Signal> = Vec::new();
            let has: Vec<bool> = forms.iter().map(|form| form.trailing >> bit & 1 == 1).collect();
            for from in (0..has.len()).filter(|&from| has[from] && (from == 0 || !has[from - 1])) {
                let behind = (from..has.len()).find(|&end| !has[end]).map(|end| !longer[end - 1]);
                let from = from.checked_sub(1).map(|from| longer[from]);
                let run = [from, behind].into_iter().flatten().reduce(|a, b| a & b);
                runs.push(run.unwrap_or_else(|| m.lit(1, 1)));
            }
            runs.into_iter().reduce(|a, b| a | b).unwrap_or_else(|| m.lit(1, 0))
        };
        m.concat((0..self.start_bits()).rev().map(bit)).named(&format!("{prefix}trailing_units"))
    }

    /// How many pieces `code` has.
    fn pieces(&self, code: Signal<'_>) -> u32 {
        self.most_units().max(code.width().div_ceil(self.forms.trailing_bits()))
    }

    /// The piece of `code` that every unit at a position holds, lead or trailing: as many bits as a trailing unit has.
    fn piece<'m>(&self, m: &'m Builder, code: Signal<'m>, position: u32) -> Signal<'m> {
        let bits = self.forms.trailing_bits();
        let low = position * bits;
        let piece = (low < code.width()).then(|| code.bits(low..(low + bits).min(code.width())));
        piece.map_or(m.lit(bits, 0), |piece| if piece.width() == bits { piece } else { piece.zext(bits) })
    }

    /// The [`piece`](Self::piece) at a position, for which `at` has a bit set.
    pub(super) fn piece_at<'m>(&self, m: &'m Builder, code: Signal<'m>, at: Signal<'m>) -> Signal<'m> {
        let pieces = (0..at.width()).map(|position| self.piece(m, code, position).when(at.bit(position)));
        let piece = pieces.reduce(|a, b| a | b).expect("a position");
        piece.named("piece").note("the bits of the code point in the unit")
    }

    /// The unit without its piece of the code point: its marker, and the bits in which a unit alone has more than a
    /// piece.
    pub(super) fn marker<'m>(
        &self,
        m: &'m Builder,
        code: Signal<'m>,
        position: UnitPosition<'m>,
    ) -> Signal<'m> {
        let width = self.forms.unit_bits;
        let trailing = self.forms.trailing.expect("a system with sequences of more than one unit");
        let trailing_bits = trailing.data_bits;
        let single = code.bits(trailing_bits..self.used[0].bits);
        let single = m.concat([single, m.lit(trailing_bits, 0)]).zext(width);
        let leads =
            self.used[1..].iter().map(|form| ([form.trailing.into()], m.lit(width, form.lead.marker)));
        let lead_marker = position.position.case_of(leads, single).named("lead_marker");
        let lead = position.lead.expect("lead units are marked");
        lead.mux(lead_marker, m.lit(width, trailing.marker)).named("marker")
    }
}

impl Writer for PrefixWriter {
    fn code_bits(&self) -> u32 {
        (u128::BITS - self.forms.last().leading_zeros()).max(1)
    }

    fn most_units(&self) -> u32 {
        self.used.last().expect("a system has a form").trailing + 1
    }

    fn marks_lead(&self) -> bool {
        true
    }

    fn refuses_surrogate_pairs(&self) -> bool {
        self.refuses_surrogate_pairs
    }

    fn replacement(&self) -> (u64, u64) {
        let code_point = self.forms.replacement();
        let form = self.form(code_point.into()).expect("a code point of the system");
        (code_point, form.trailing.into())
    }

    fn long_start<'m>(&self, m: &'m Builder, limb: Signal<'m>) -> Signal<'m> {
        self.trailing(m, limb, 32)
    }

    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let surrogate = (!self.forms.surrogates).then(|| surrogate(code));
        let start = (self.used.len() > 1).then(|| self.trailing(m, code, 0));
        Fit {
            code: (self.used[0].lead.data_bits > 0).then_some(code),
            start,
            hints: self.refuses_surrogate_pairs.then(|| SurrogatePairs::hints(m, code)),
            unfit: [surrogate, past_last(code, self.forms.last())].into_iter().flatten().reduce(|a, b| a | b),
        }
    }

    fn unit<'m>(
        &self,
        m: &'m Builder,
        code: Option<Signal<'m>>,
        position: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        let width = self.forms.unit_bits;
        let Some(code) = code else { return m.lit(width, 0) };
        let Some(position) = position else { return code.zext(width) };
        let pieces = (1..self.pieces(code)).map(|at| ([at.into()], self.piece(m, code, at)));
        let piece = position.position.case_of(pieces, self.piece(m, code, 0)).named("piece");
        let piece = piece.note("the bits of the code point in the unit");
        self.marker(m, code, position) | piece.zext(width)
    }
}
