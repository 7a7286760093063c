//! The position that stage 1 counts down while the units of a sequence go out.

use super::half::{Load, OutputRegister};
use super::writer::{UnitPosition, Writer};
use crate::netlist::{Builder, Reg, Signal};

/// The position of the unit that is written; without registers if all sequences have one unit.
pub(super) struct Positions<'m> {
    registers: Option<PositionRegisters<'m>>,
    /// The output takes a unit.
    moves: Signal<'m>,
    /// The next pass is loaded.
    pub(super) load: Signal<'m>,
}

struct PositionRegisters<'m> {
    position: Reg<'m>,
    lead: Option<Reg<'m>>,
    goes_on: Reg<'m>,
    load: Load<'m>,
}

/// A sequence that begins at another position than that of its code point.
pub(super) struct OtherStart<'m> {
    /// One bit: it does.
    pub(super) is: Signal<'m>,
    pub(super) position: u64,
}

/// The position in stage 2.
pub(super) struct WrittenPosition<'m> {
    /// The position of the unit; `None` if all sequences have one unit.
    pub(super) unit: Option<UnitPosition<'m>>,
    /// The unit is the last of its sequence; `None` if every unit is.
    pub(super) is_last: Option<Signal<'m>>,
}

impl<'m> Positions<'m> {
    pub(super) fn new(m: &'m Builder, writer: &dyn Writer, output: OutputRegister<'m>) -> Self {
        let moves = output.advance;
        if writer.most_units() == 1 {
            return Self { registers: None, moves, load: moves };
        }
        let position =
            m.reg("position_reg", writer.start_bits()).note("units that follow the one being written");
        let lead =
            writer.marks_lead().then(|| m.reg("lead_reg", 1).note("the unit is the first of its sequence"));
        let goes_on = m.reg("goes_on_reg", 1).reset(0).note("the unit is not the last of its sequence");
        let load = Load::new(m, output, goes_on.q);
        let is_loaded = load.is;
        Self { registers: Some(PositionRegisters { position, lead, goes_on, load }), moves, load: is_loaded }
    }

    /// Drives the registers. A sequence begins at the position of the first of `others` whose bit is set, else at
    /// `start`. `written` says that there is a sequence, `valid` that a unit is being written.
    pub(super) fn drive(
        self,
        m: &'m Builder,
        start: Option<Signal<'m>>,
        others: impl DoubleEndedIterator<Item = OtherStart<'m>>,
        written: Signal<'m>,
        valid: Signal<'m>,
    ) -> WrittenPosition<'m> {
        let Some(PositionRegisters { position, lead, goes_on, load }) = self.registers else {
            return WrittenPosition { unit: None, is_last: None };
        };
        let start = start.expect("the first unit of a sequence has a position");
        let lit = |value| m.lit(position.q.width(), value);
        let start = others.rev().fold(start, |start, other| other.is.mux(lit(other.position), start));
        let start = start.named("start");
        position.next_when(self.moves, self.load.mux(start, position.q - lit(1)));
        if let Some(lead) = lead {
            lead.next_when(self.moves, self.load);
        }
        let begins = (written & start.any()).named("others_follow");
        goes_on.next_when(self.moves, self.load.mux(begins, !position.q.is(1)));
        load.drive(valid, begins);
        let unit = UnitPosition { position: position.q, lead: lead.map(|lead| lead.q) };
        WrittenPosition { unit: Some(unit), is_last: Some(!goes_on.q) }
    }
}
