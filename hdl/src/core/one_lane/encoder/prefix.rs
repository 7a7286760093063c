//! Systems whose lead units tell the length: stage 1 counts the trailing units, stage 2 cuts the code point up.

use super::write::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::{past_last, surrogate};
use crate::core::shared::forms::{SequenceForm, SequenceForms};
use crate::netlist::{Builder, Signal};

/// The writer of a system that is made of forms.
pub(super) struct Prefix {
    forms: SequenceForms,
    /// Those that code points take.
    used: Vec<SequenceForm>,
}

impl Prefix {
    pub(super) fn new(forms: SequenceForms) -> Self {
        let used = forms.forms.iter().filter(|form| form.is_used()).copied().collect();
        Self { forms, used }
    }

    /// The form of a code point.
    fn form(&self, code_point: u128) -> Option<&SequenceForm> {
        self.used.iter().find(|form| code_point <= form.last)
    }

    /// How many trailing units a code point takes of which `bits` are the bits from `low` on; those above are zero, and where
    /// `low` is not 0 they are not.
    fn trailing<'m>(&self, m: &'m Builder, bits: Signal<'m>, low: u32) -> Signal<'m> {
        let end = low + bits.width();
        let prefix = if low > 0 { "long_" } else { "" };
        let takes = |form: &&SequenceForm| form.last >> low > 0 && form.first >> end == 0;
        let forms: Vec<&SequenceForm> = self.used.iter().filter(takes).collect();
        // For each of these forms but the first, whether the code point takes it or a longer one.
        let mut longer: Vec<Signal> = Vec::new();
        for pair in forms.windows(2).rev() {
            let any = bits.bits(pair[0].bits - low..pair[1].bits.min(end) - low).any();
            let at_least = longer.last().map_or(any, |&longer| any | longer);
            longer.push(at_least.named(&format!("{prefix}at_least_{}", pair[1].trailing + 1)));
        }
        longer.reverse();
        let bit = |bit: u32| {
            // SequenceForms next to each other that have the bit: from the first of them on, and not from behind the last.
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

    /// The bits of `code` that stand in every unit at a position: as many as a trailing unit has.
    fn piece<'m>(&self, m: &'m Builder, code: Signal<'m>, at: u32) -> Signal<'m> {
        let bits = self.forms.trailing_bits();
        let low = at * bits;
        let piece = (low < code.width()).then(|| code.bits(low..(low + bits).min(code.width())));
        piece.map_or(m.lit(bits, 0), |piece| if piece.width() == bits { piece } else { piece.zext(bits) })
    }

    /// [`piece`](Self::piece) for a position that `at` has a bit for.
    pub(super) fn piece_at<'m>(&self, m: &'m Builder, code: Signal<'m>, at: Signal<'m>) -> Signal<'m> {
        let pieces = (0..at.width()).map(|position| self.piece(m, code, position).when(at.bit(position)));
        pieces.reduce(|a, b| a | b).expect("a position").named("piece").note("of the code point")
    }

    /// The rest of the unit.
    pub(super) fn marker<'m>(&self, m: &'m Builder, code: Signal<'m>, place: UnitPosition<'m>) -> Signal<'m> {
        let width = self.forms.unit_bits;
        let trailing = self.forms.trailing.expect("a system with sequences of more than one unit");
        let trailing_bits = trailing.data_bits;
        // A single unit has more bits of the code point than a trailing one.
        let single = code.bits(trailing_bits..self.used[0].lead.data_bits);
        let single = m.concat([single, m.lit(trailing_bits, 0)]).zext(width);
        let leads =
            self.used[1..].iter().map(|form| ([form.trailing.into()], m.lit(width, form.lead.marker)));
        let lead_marker = place.position.case_of(leads, single).named("lead_marker");
        let lead = place.lead.expect("lead units are marked");
        lead.mux(lead_marker, m.lit(width, trailing.marker)).named("marker")
    }
}

impl Writer for Prefix {
    fn code_bits(&self) -> u32 {
        (u128::BITS - self.forms.last().leading_zeros()).max(1)
    }

    fn most_units(&self) -> u32 {
        self.used.last().expect("a system has a form").trailing + 1
    }

    fn marks_lead(&self) -> bool {
        true
    }

    fn replacement(&self) -> (u64, u64) {
        let code_point = [0xfffd, 0x3f].into_iter().find(|&code_point| code_point <= self.forms.last());
        let code_point = code_point.unwrap_or(self.forms.last());
        let form = self.form(code_point).expect("a code point of the system");
        (u64::try_from(code_point).expect("at most U+FFFD"), form.trailing.into())
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
            hints: None,
            unfit: [surrogate, past_last(code, self.forms.last())].into_iter().flatten().reduce(|a, b| a | b),
        }
    }

    fn unit<'m>(
        &self,
        m: &'m Builder,
        code: Option<Signal<'m>>,
        place: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        let width = self.forms.unit_bits;
        let Some(code) = code else { return m.lit(width, 0) };
        let Some(place) = place else { return code.zext(width) };
        let pieces = (1..self.pieces(code)).map(|at| ([at.into()], self.piece(m, code, at)));
        let piece =
            place.position.case_of(pieces, self.piece(m, code, 0)).named("piece").note("of the code point");
        self.marker(m, code, place) | piece.zext(width)
    }
}
