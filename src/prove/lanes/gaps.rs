//! How far slots are apart: the little that the stages after the boundary need to know of where slots are made.
//!
//! The proof of these stages leaves open where slots are, but for these rules. The proof of the stages before them shows that the machine keeps the rules.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::beat::Beat;

/// The rules for a core that has a word in each lane.
#[derive(Clone, Copy)]
pub(super) struct Gaps {
    /// The length of a run of words in which one word at least has a slot at its place. `None`: slots can be any distance apart.
    pub(super) words: Option<usize>,
    /// Slots can have a place before the words. Otherwise the slot of a beat without words has the place of the first word.
    pub(super) has_first_place: bool,
}

impl Gaps {
    /// The places at which a beat makes slots, if the rules allow those of a wish: a slot that must not be made is left out, and one that must be made
    /// is added. A wish that keeps the rules is met. `is_open`: words of the frame came before the beat, and the last of these has no slot at its place.
    pub(super) fn allowed<'m>(
        self,
        m: &'m Builder,
        beat: &Beat<'m>,
        is_open: Signal<'m>,
        wished: &[Signal<'m>],
    ) -> Vec<Signal<'m>> {
        let none = m.lit(1, 0);
        let any = |of: &[Signal<'m>]| of.iter().fold(none, |any, own| any | *own);
        let (before, of_words) = (wished[0], &wished[1..]);
        let [before_words, alone] = match self.has_first_place {
            true => [before & is_open & (beat.has(0) | beat.ends()), none],
            false => [none, of_words[0] & is_open & !beat.has(0) & beat.ends()],
        };
        let of_word = |(word, wished): (usize, &Signal<'m>)| {
            let others = self.words.and_then(|words| Some(&of_words[(word + 1).checked_sub(words)?..word]));
            let is_due = others.map_or(none, |others| !any(others));
            let alone = if word == 0 { alone } else { none };
            beat.has(word as u32) & (*wished | is_due) | alone
        };
        [before_words].into_iter().chain(of_words.iter().enumerate().map(of_word)).collect()
    }

    /// `is_open` for the beat after one that makes slots at the places that `are_made`.
    pub(super) fn is_open_after<'m>(
        self,
        m: &'m Builder,
        beat: &Beat<'m>,
        is_open: Signal<'m>,
        are_made: &[Signal<'m>],
    ) -> Signal<'m> {
        let lanes = are_made.len() as u32 - 1;
        let is_last = |lane: u32| match lane + 1 {
            next if next < lanes => beat.has(lane) & !beat.has(next),
            _ => beat.has(lane),
        };
        let closes = (0..lanes).zip(&are_made[1..]).map(|(lane, is_made)| is_last(lane) & *is_made);
        beat.has(0).mux(!m.concat(closes).any(), is_open) & !beat.ends()
    }
}
