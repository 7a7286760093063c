//! The slots of a beat at the boundary, in a proof of the stages after that.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::beat::Beat;
use super::boundary::Made;
use super::gaps::Gaps;

/// The slots of a beat: where they are is by the machine, or anything by rules.
#[derive(Clone)]
pub(super) struct Given<'m> {
    /// The slots that the core is given, by place.
    pub(super) made: Vec<Made<'m>>,
    /// The slots that the rules are to allow.
    wished: Vec<Made<'m>>,
    rules: Option<Rules<'m>>,
}

/// Rules, and what they need to know of the beats before.
#[derive(Clone, Copy)]
struct Rules<'m> {
    gaps: Gaps,
    is_open: Signal<'m>,
}

impl<'m> Given<'m> {
    /// Slots at places that the machine gives.
    pub(super) fn by_machine(made: Vec<Made<'m>>) -> Self {
        Self { made: made.clone(), wished: made, rules: None }
    }

    /// Any slots of a beat at any places that rules allow. The beat `moves` on in this cycle.
    pub(super) fn by_rules(
        m: &'m Builder,
        gaps: Gaps,
        beat: &Beat<'m>,
        moves: Signal<'m>,
        wished: Vec<Made<'m>>,
    ) -> Self {
        let open = m.reg("is_open_reg", 1).reset(0);
        let given = Self::new(m, beat, wished, Some(Rules { gaps, is_open: open.q }));
        let are_made: Vec<Signal<'m>> = given.made.iter().map(|made| made.is_there).collect();
        open.next_when(moves, gaps.is_open_after(m, beat, open.q, &are_made));
        given
    }

    fn new(m: &'m Builder, beat: &Beat<'m>, wished: Vec<Made<'m>>, rules: Option<Rules<'m>>) -> Self {
        let made = match rules {
            None => wished.clone(),
            Some(Rules { gaps, is_open }) => {
                let are_wished: Vec<Signal<'m>> = wished.iter().map(|made| made.is_there).collect();
                let allowed = gaps.allowed(m, beat, is_open, &are_wished);
                // There are no rules for a beat that is not there.
                let made = wished.iter().zip(allowed);
                let made = made.map(|(wished, allowed)| Made {
                    is_there: beat.tvalid.mux(allowed, wished.is_there),
                    ..*wished
                });
                made.collect()
            }
        };
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
        let rules = self.rules.map(|rules| Rules { is_open: register("is_open", rules.is_open), ..rules });
        Self::new(m, beat, wished.collect(), rules)
    }
}
