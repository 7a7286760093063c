//! The slots of a beat at the boundary, in a proof of the stages after that.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::beat::Beat;
use super::boundary::{Boundary, Made};
use super::codes::Codes;
use super::definition::Definition;
use super::gaps::Gaps;
use super::slots::{Candidate, Slots};
use crate::prove::spec::{State, WordsOfSlot};

/// The rules for the slots of a decoder, or of the decoding half of a transcoder.
#[derive(Clone, Copy)]
pub(super) struct Making {
    pub(super) definition: Definition,
    /// Slots can have a place before the words.
    pub(super) has_first_place: bool,
    /// The rule for what slots hold, in a transcoder. In a decoder, they hold anything.
    pub(super) codes: Option<Codes>,
}

impl Making {
    /// The slots of a beat by the place that each has in the core.
    fn slots<'m>(self, m: &'m Builder, state: State<'m>, beat: &Beat<'m>) -> Slots<'m> {
        let slots = Slots::of(m, self.definition, state, beat);
        if self.has_first_place { slots } else { slots.without_first_place(m) }
    }

    /// The rules for where slots are, if that is all that the stages after the boundary need to know.
    fn gaps(self) -> Option<Gaps> {
        let words = match self.definition.machine.words_of_slot()? {
            WordsOfSlot::UpTo(words) if !self.definition.drops => Some(words),
            // A word of an error that is dropped has no slot.
            WordsOfSlot::UpTo(_) | WordsOfSlot::Any => None,
        };
        Some(Gaps { words, has_first_place: self.has_first_place })
    }

    /// Whether there are rules for where slots are, so that the machine is not asked.
    pub(super) fn has_rules(self) -> bool {
        self.gaps().is_some()
    }

    /// The failures, a bit each: a place `made` something else of a beat than the machine, or the machine breaks the rules for places. The beat `moves` on in this
    /// cycle. `differs` compares what a place holds.
    pub(super) fn failures<'m>(
        self,
        m: &'m Builder,
        (beat, moves): (&Beat<'m>, Signal<'m>),
        made: &[Made<'m>],
        differs: impl Fn(usize, Signal<'m>, &Candidate<'m>) -> Result<Signal<'m>, String>,
    ) -> Result<Vec<Signal<'m>>, String> {
        let state = self.definition.state(m);
        let slots = self.slots(m, state.q(), beat);
        state.next(slots.after, moves, beat.ends());
        let mut failures = vec![slots.is_two_in_one];
        if let Some(gaps) = self.gaps() {
            let open = m.reg("is_open_reg", 1).reset(0);
            let are_made: Vec<Signal<'m>> = slots.all.iter().map(|slot| slot.is_there).collect();
            let allowed = gaps.allowed(m, beat, open.q, &are_made);
            open.next_when(moves, gaps.is_open_after(m, beat, open.q, &are_made));
            failures.extend(allowed.into_iter().zip(&are_made).map(|(allowed, is_made)| allowed ^ *is_made));
        }
        for (place, slot) in slots.all.iter().enumerate() {
            failures.push(match made.get(place) {
                None => slot.is_there,
                Some(made) => {
                    made.is_there ^ slot.is_there | slot.is_there & differs(place, made.slot, slot)?
                }
            });
        }
        Ok(failures)
    }

    /// The slots of a beat for the stages after the boundary. The beat `moves` on in this cycle.
    pub(super) fn given<'m>(
        self,
        m: &'m Builder,
        boundary: &Boundary,
        beat: &Beat<'m>,
        moves: Signal<'m>,
    ) -> Given<'m> {
        let any = boundary.any_slots(m);
        let Self { definition, codes, .. } = self;
        if let Some(gaps) = self.gaps() {
            let open = m.reg("is_open_reg", 1).reset(0);
            let rules = Rules { codes, places: Some((gaps, open.q)) };
            let given = Given::new(m, beat, any, rules);
            let are_made: Vec<Signal<'m>> = given.made.iter().map(|made| made.is_there).collect();
            open.next_when(moves, gaps.is_open_after(m, beat, open.q, &are_made));
            return given;
        }
        let state = definition.state(m);
        let Slots { all, after, .. } = self.slots(m, state.q(), beat);
        state.next(after, moves, beat.ends());
        // In a beat that is not there, anything may be made.
        let made = any
            .into_iter()
            .zip(&all)
            .map(|(any, slot)| Made { is_there: beat.tvalid.mux(slot.is_there, any.is_there), ..any });
        Given::new(m, beat, made.collect(), Rules { codes, places: None })
    }
}

/// The slots of a beat: where they are is by the machine, or anything that rules allow.
#[derive(Clone)]
pub(super) struct Given<'m> {
    /// The slots that the core is given, by place.
    pub(super) made: Vec<Made<'m>>,
    /// The slots that the rules are to allow.
    wished: Vec<Made<'m>>,
    rules: Rules<'m>,
}

/// The rules for the slots of a beat.
#[derive(Clone, Copy)]
struct Rules<'m> {
    codes: Option<Codes>,
    /// The rules for the places, and what they need to know of the beats before.
    places: Option<(Gaps, Signal<'m>)>,
}

impl<'m> Given<'m> {
    fn new(m: &'m Builder, beat: &Beat<'m>, wished: Vec<Made<'m>>, rules: Rules<'m>) -> Self {
        let mut made = wished.clone();
        if let Some((gaps, is_open)) = rules.places {
            let are_wished: Vec<Signal<'m>> = wished.iter().map(|made| made.is_there).collect();
            // There are no rules for a beat that is not there.
            for (made, allowed) in made.iter_mut().zip(gaps.allowed(m, beat, is_open, &are_wished)) {
                made.is_there = beat.tvalid.mux(allowed, made.is_there);
            }
        }
        if let Some(codes) = rules.codes {
            for (place, made) in made.iter_mut().enumerate() {
                made.slot = codes.allowed(m, place, made.slot);
            }
        }
        Self { made, wished, rules }
    }

    /// The slots in registers that `register` makes, of the beat in the registers. The rules are for what the registers hold: a checker need not find
    /// that what they hold keeps the rules.
    pub(super) fn registers(
        &self,
        m: &'m Builder,
        beat: &Beat<'m>,
        register: impl Fn(&str, Signal<'m>) -> Signal<'m>,
    ) -> Self {
        let wished = self.wished.iter().enumerate().map(|(place, made)| Made {
            is_there: register(&format!("makes_{place}"), made.is_there),
            slot: register(&format!("slot_{place}"), made.slot),
        });
        let places = self.rules.places.map(|(gaps, is_open)| (gaps, register("is_open", is_open)));
        Self::new(m, beat, wished.collect(), Rules { places, ..self.rules })
    }
}
