//! The position of a unit in a sequence after FF, as inputs of its lane.

use super::value::TailParts;
use crate::core::lanes::{At, Heard, Instances, Lane, Lanes};
use crate::core::many_lanes::decoder::utf_inf_8::{MASKS, PHASES, Position, Tails};

/// Picks the signals of an input.
type OfPosition = for<'p, 'm> fn(&'p Position<'m>) -> &'p Lanes<'m>;

/// The inputs.
#[derive(Clone, Copy)]
pub(super) struct Tail<'m> {
    /// The unit continues such a sequence.
    pub(super) continues: At<'m>,
    /// A sequence continues after the unit, or is cut short there in a decoder that outputs errors.
    pub(super) open: At<'m>,
    /// The unit is the last of one.
    pub(super) last: At<'m>,
    /// If the unit breaks one, the kind of error, in a decoder that outputs kinds.
    pub(super) kind: Option<At<'m>>,
    /// The head or limb that the unit makes certain, in a decoder that has such.
    pub(super) parts: Option<TailParts<'m>>,
}

/// The ports of the inputs.
pub(super) struct TailHeard(Vec<(Heard, OfPosition)>);

impl TailHeard {
    /// Connects the inputs of all lanes.
    pub(super) fn connect<'m>(&self, lanes: &Instances<'_, 'm>, position: &Position<'m>) {
        for (heard, of) in &self.0 {
            lanes.connect_all(heard, of(position));
        }
    }
}

impl<'m> Tail<'m> {
    /// Declares the inputs, of stage `stage`. The kind of an error has `kind_bits` bits, in a decoder that outputs kinds. Only a decoder that
    /// `has_parts` makes heads and limbs.
    pub(super) fn new(
        lane: &Lane<'m>,
        tails: &Tails,
        kind_bits: Option<u32>,
        has_parts: bool,
        stage: u32,
    ) -> (Self, TailHeard) {
        let mut ports = Vec::new();
        let mut hear = |name: &str, width: usize, of: OfPosition, note: &str| {
            let (signal, heard) = lane.hear(&format!("tail_{name}"), width as u32, stage, note);
            ports.push((heard, of));
            signal
        };
        let open_note = "one continues after it, or is cut short, and that is told";
        let tail = Self {
            continues: hear("continues", 1, |all| &all.continues, "it continues a sequence after FF"),
            open: hear("open", 1, |all| &all.open, open_note),
            last: hear("last", 1, |all| &all.last, "it is the last of one"),
            kind: kind_bits.map(|bits| {
                hear("kind", bits as usize, |all| &all.kind, "if it breaks one, the kind of error")
            }),
            parts: has_parts.then(|| parts(tails, &mut hear)),
        };
        (tail, TailHeard(ports))
    }
}

/// Declares the inputs for a head or limb.
fn parts<'m>(tails: &Tails, hear: &mut impl FnMut(&str, usize, OfPosition, &str) -> At<'m>) -> TailParts<'m> {
    let digits = tails.header_digits().max(2) - 1;
    let counted = "it ends the header that counts a head's limbs";
    let late = "a limb of two bits, which waited for its head, is certain";
    let masks = "bit n: the limb has bits of the unit n + 1 before";
    let of_header = "bit n: the unit n + 1 before is a digit of its header";
    TailParts {
        counted: hear("counted", 1, |all| &all.counted, counted),
        head: hear("head", 1, |all| &all.head, "it makes a head certain of two or three limbs"),
        three: hear("three", 1, |all| &all.three, "that has three"),
        late: hear("late", 1, |all| &all.late, late),
        limbs: hear("limbs", PHASES.len(), |all| &all.limbs, "a limb is certain; a bit for each phase"),
        masks: hear("masks", MASKS, |all| &all.masks, masks),
        digits: hear("digits", digits, |all| &all.digits, of_header),
    }
}
