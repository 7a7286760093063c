//! The boundary in a decoder between the stages that make slots of units and the stages that put the slots into lanes. The netlist marks it.
//!
//! A proof of both at once takes a checker too long with many lanes. At the boundary it falls into two: that the right slots are made, and that
//! slots, whatever they hold, go out in order.

use std::collections::{BTreeMap, BTreeSet};

use utfhdl_hdl::netlist::{Builder, Design, Mark, Signal};
use utfhdl_sim::aig::{Leaf, Lit, Logic, Node};

use super::alike::Ways;
use super::cells::{Cells, Place, sources};
use super::copy::{Copy, Substitute, any, bits_of};
use super::counted::Counted;

/// The bits at the boundary, in cycles in which all stages move.
pub(super) struct Boundary {
    /// The bits of the places in the whole core.
    made: Vec<Bits>,
    /// The bits of the lanes in the whole core.
    out: Vec<Bits>,
    /// The numbers of gaps before lanes in the whole core.
    gaps: Gaps,
    /// The core after the boundary: the slots that are made are inputs.
    after: Marked,
    /// The core from the lanes to the ports, in a decoder: the slots that go out are inputs.
    shows: Option<Marked>,
}

/// The core, cut at marks.
struct Marked {
    logic: Logic,
    /// Whether each place makes a slot, and the slot.
    places: Vec<Bits>,
    /// Whether a slot goes out in each lane, and the slot.
    lanes: Vec<Bits>,
    /// The inputs that drive the numbers of gaps before lanes, if these are cut.
    gaps: Gaps,
}

/// The bits of the number of gaps before each lane, low bits first; none where the core does not count them.
type Gaps = Vec<Vec<Lit>>;

/// The bits of a place, or of a lane.
struct Bits {
    is_there: Lit,
    /// The slot, low bits first.
    slot: Vec<Lit>,
}

/// A slot that a place makes of a beat, or that goes out in a lane.
#[derive(Clone, Copy)]
pub(super) struct Made<'m> {
    /// There is a slot.
    pub(super) is_there: Signal<'m>,
    /// The slot as the core has it, and anything where there is none.
    pub(super) slot: Signal<'m>,
}

/// A bit of the number of gaps before a lane.
struct GapBit {
    lane: usize,
    bit: usize,
    /// The input that drives the bit, and the bit in the whole core.
    cut: Lit,
    own: Lit,
}

impl GapBit {
    /// The value of the bit in a copy: anything in a lane without a slot, which reads no number, and in a beat that is not there.
    fn value<'m>(&self, m: &'m Builder, copy: &str, counted: &Counted<'m>) -> Signal<'m> {
        let &Self { lane, bit, .. } = self;
        let any = m.input(&format!("{copy}_gaps_{lane}_{bit}"), 1, "anything");
        counted.made(lane).mux(counted.gaps_bit(lane, bit), any)
    }
}

/// The ports of a lane.
const OUTPUTS: [&str; 2] = ["m_axis_tuser", "m_axis_tdata"];

impl<'m> Made<'m> {
    /// One or the other.
    pub(super) fn pick(select: Signal<'m>, one: Self, other: Self) -> Self {
        let pick = |one: Signal<'m>, other| select.mux(one, other);
        Self { is_there: pick(one.is_there, other.is_there), slot: pick(one.slot, other.slot) }
    }
}

impl Bits {
    /// The slot that the bits hold in a copy of their logic.
    fn value<'m>(&self, m: &'m Builder, copy: &Copy<'_, 'm>) -> Made<'m> {
        let slot = m.concat(self.slot.iter().rev().map(|bit| copy.value(*bit)));
        Made { is_there: copy.value(self.is_there), slot }
    }

    /// Any slot that the bits can hold: an input, but for bits that are constants.
    fn any<'m>(&self, m: &'m Builder, name: &str) -> Signal<'m> {
        any(m, name, &self.slot, "any slot")
    }

    /// The bits, each with that of a value.
    fn with<'m>(&self, value: Made<'m>) -> Vec<(Lit, Signal<'m>)> {
        let slot = (0..).zip(&self.slot).map(|(at, bit)| (*bit, value.slot.bit(at)));
        slot.chain([(self.is_there, value.is_there)]).collect()
    }

    /// The nodes of the bits.
    fn nodes(&self) -> BTreeSet<usize> {
        self.slot.iter().chain([&self.is_there]).map(|bit| bit.node()).collect()
    }
}

/// The error of a netlist without marks.
fn unmarked() -> String {
    "nothing marks where slots are made".to_owned()
}

impl Marked {
    /// The core, cut at some marks.
    fn cut(design: &Design, cells: &Cells, is_cut: fn(Mark) -> bool) -> Result<Self, String> {
        Self::new(cells.moving_cut(design, is_cut)?).ok_or_else(unmarked)
    }

    fn new(logic: Logic) -> Option<Self> {
        let [places, lanes] = bits_at_marks(&logic)?;
        let gaps = gaps_at_marks(&logic.cuts, places.len() - 1);
        Some(Self { logic, places, lanes, gaps })
    }
}

/// The bits of places and of lanes: those that signals have, or, where they are cut, the inputs.
fn bits_at_marks(logic: &Logic) -> Option<[Vec<Bits>; 2]> {
    let marks: BTreeMap<Mark, &Vec<Lit>> =
        logic.marks.iter().chain(&logic.cuts).map(|(mark, bits)| (*mark, bits)).collect();
    let bits = |is_there: Mark, slot: Mark| {
        Some(Bits { is_there: marks.get(&is_there)?[0], slot: (*marks.get(&slot)?).clone() })
    };
    let place = |place: usize| bits(Mark::MakesSlot(place), Mark::SlotMade(place));
    let lanes: Vec<Bits> = (0..).map_while(|lane| bits(Mark::HoldsSlot(lane), Mark::SlotOut(lane))).collect();
    let mut places: Vec<Bits> = (1..).map_while(place).collect();
    // In some decoders no slot comes before the lanes.
    let none = Bits { is_there: Lit::FALSE, slot: vec![Lit::FALSE; places.first()?.slot.len()] };
    places.insert(0, place(0).unwrap_or(none));
    Some([places, lanes])
}

/// The numbers of gaps before lanes that marks show.
fn gaps_at_marks(marks: &[(Mark, Vec<Lit>)], lanes: usize) -> Gaps {
    let marks: BTreeMap<Mark, Lit> = marks.iter().map(|(mark, bits)| (*mark, bits[0])).collect();
    let bits = |lane| (0..).map_while(|bit| marks.get(&Mark::GapsBefore { lane, bit }).copied()).collect();
    (0..lanes).map(bits).collect()
}

/// Marks of what is made.
fn is_made(mark: Mark) -> bool {
    matches!(mark, Mark::MakesSlot(_) | Mark::SlotMade(_))
}

/// Marks of what is made, and of numbers of gaps.
fn is_made_or_counted(mark: Mark) -> bool {
    is_made(mark) || matches!(mark, Mark::GapsBefore { .. })
}

/// Marks of what goes out.
fn is_out(mark: Mark) -> bool {
    matches!(mark, Mark::HoldsSlot(_) | Mark::SlotOut(_))
}

impl Boundary {
    /// The boundary of a decoder.
    ///
    /// # Errors
    /// If the netlist marks none.
    pub(super) fn of(design: &Design, cells: &Cells) -> Result<Self, String> {
        let [made, out] = bits_at_marks(&cells.moving).ok_or_else(unmarked)?;
        let shows = if out.is_empty() { None } else { Some(Marked::cut(design, cells, is_out)?) };
        let gaps = gaps_at_marks(&cells.moving.marks, made.len() - 1);
        Ok(Self { made, out, gaps, after: Marked::cut(design, cells, is_made)?, shows })
    }

    /// The boundary with the numbers of gaps among what is given to the core after it.
    ///
    /// # Errors
    /// If the netlist marks no boundary.
    pub(super) fn with_gaps(self, design: &Design, cells: &Cells) -> Result<Self, String> {
        Ok(Self { after: Marked::cut(design, cells, is_made_or_counted)?, ..self })
    }

    /// The boundary with as few bits of slots as stand for all: each of the others goes the same way as one of them.
    pub(super) fn of_few_bits(mut self, cells: &Cells) -> Self {
        let Marked { logic, places, lanes, .. } = &mut self.after;
        let follows = |place| matches!(place, Place::Slots { .. } | Place::Units { is_loop: false, .. });
        let sources = places.iter().flat_map(|place| &place.slot).copied();
        let ways = Ways::new(logic, &cells.places, follows, sources);
        // A proof about a bit that is constant is about that constant alone.
        let are_one = |one: usize, other: usize| {
            let mut pairs = self.made.iter().map(|bits| (bits.slot[one], bits.slot[other]));
            pairs.all(|(one, other)| one == other || one.node() != 0 && other.node() != 0)
        };
        let pairs = |of: &[Bits], one: usize, other: usize| -> Vec<(Lit, Lit)> {
            of.iter().map(|bits| (bits.slot[one], bits.slot[other])).collect()
        };
        let few = ways.few(places[0].slot.len(), |one, other| {
            are_one(one, other).then(|| [pairs(places, one, other), pairs(lanes, one, other)])
        });
        for bits in places.iter_mut().chain(lanes).chain(&mut self.made) {
            bits.slot = few.iter().map(|&bit| bits.slot[bit]).collect();
        }
        self
    }

    /// The core after the boundary: the slots that are made are inputs.
    pub(super) fn after(&self) -> &Logic {
        &self.after.logic
    }

    /// Slots for the places of a beat: inputs, so that the proof is about any slots at any places.
    pub(super) fn any_slots<'m>(&self, m: &'m Builder) -> Vec<Made<'m>> {
        let any = |(place, bits): (usize, &Bits)| Made {
            is_there: m.input(&format!("makes_{place}"), 1, "there is a slot at the place"),
            slot: bits.any(m, &format!("slot_{place}")),
        };
        self.made.iter().enumerate().map(any).collect()
    }

    /// The inputs at the boundary, each with the bit that it is to be in a copy: that of `made`, of a beat that `is_there` or not.
    pub(super) fn cuts<'m>(
        &self,
        m: &'m Builder,
        copy: &str,
        (is_there, made): (Signal<'m>, &[Made<'m>]),
    ) -> Vec<(Lit, Signal<'m>)> {
        let of_places = self.after.places.iter().zip(made).flat_map(|(bits, made)| bits.with(*made));
        let counted = Counted::new(m, is_there, &made[1..]);
        let of_gaps = self.gap_bits().map(|bit| (bit.cut, bit.value(m, copy, &counted)));
        of_places.chain(of_gaps).filter(|(bit, _)| bit.node() != 0).collect()
    }

    /// Whether the core counts gaps.
    pub(super) fn counts_gaps(&self) -> bool {
        self.gaps.iter().any(|bits| !bits.is_empty())
    }

    /// The bits of numbers of gaps that are cut.
    fn gap_bits(&self) -> impl Iterator<Item = GapBit> {
        let lanes = self.after.gaps.iter().zip(&self.gaps).enumerate();
        lanes.flat_map(|(lane, (cut, own))| {
            let bits = cut.iter().zip(own).enumerate();
            bits.map(move |(bit, (&cut, &own))| GapBit { lane, bit, cut, own })
        })
    }

    /// The failures, a bit each: the core counts other gaps before the slot of a lane than there are. `stages` is a copy of the core after the boundary.
    pub(super) fn gaps_differ<'m>(
        &self,
        m: &'m Builder,
        (is_there, made): (Signal<'m>, &[Made<'m>]),
        stages: &Copy<'_, 'm>,
    ) -> Vec<Signal<'m>> {
        let counted = Counted::new(m, is_there, &made[1..]);
        let gaps = gaps_at_marks(&self.after.logic.marks, made.len() - 1).into_iter().enumerate();
        // Bits that a core leaves out must be 0.
        let differs = |(lane, bits): (usize, Vec<Lit>)| {
            let own = |bit: usize| bits.get(bit).map_or(m.lit(1, 0), |own| stages.value(*own));
            let width = if bits.is_empty() { 0 } else { lane.ilog2() as usize + 1 };
            let differs = (0..width).map(|bit| own(bit) ^ counted.gaps_bit(lane, bit));
            differs.fold(m.lit(1, 0), |any, differs| any | differs) & counted.made(lane)
        };
        gaps.map(differs).collect()
    }

    /// The inputs at the boundary in place of logic of registers, each with the bit that it is to be. `made` gives the slot of a place, of the beat whose
    /// values the registers of a stage hold.
    pub(super) fn cuts_by_stage<'m>(
        &self,
        m: &'m Builder,
        copy: &str,
        cells: &Cells,
        made: impl Fn(u32, usize) -> Option<Made<'m>>,
        is_there: impl Fn(u32) -> Option<Signal<'m>>,
    ) -> Vec<(Lit, Signal<'m>)> {
        let stage_of = |bit: Lit| -> Option<u32> {
            let of = sources(&cells.moving.aig, bit);
            let stages = of.into_iter().map(|(is_register, index)| match cells.places[index] {
                Place::Units { stage, .. } if is_register => Some(stage),
                _ => None,
            });
            stages.reduce(|one, other| one.filter(|_| one == other)).flatten()
        };
        let cut_bits = |cut: &Bits, own: &Bits, place: usize| -> Vec<(Lit, Signal<'m>)> {
            // A constant is of every stage.
            let value = |bit: Lit, of: &dyn Fn(Made<'m>) -> Signal<'m>| match bit.node() {
                0 => Some(m.lit(1, bit.is_complement().into())),
                _ => Some(of(made(stage_of(bit)?, place)?)),
            };
            let is_there =
                value(own.is_there, &|made| made.is_there).map(|is_there| (cut.is_there, is_there));
            let slot = (0..).zip(cut.slot.iter().zip(&own.slot));
            let slot =
                slot.filter_map(|(at, (cut, own))| Some((*cut, value(*own, &|made| made.slot.bit(at))?)));
            slot.chain(is_there).filter(|(bit, _)| bit.node() != 0).collect()
        };
        let places = self.after.places.iter().zip(&self.made).enumerate();
        let of_places = places.flat_map(|(place, (cut, own))| cut_bits(cut, own, place));
        let loaded: BTreeSet<usize> = self.after.logic.next.iter().map(|next| next.node()).collect();
        let mut counted: BTreeMap<u32, Option<Counted<'m>>> = BTreeMap::new();
        let of_gaps = self.gap_bits().filter_map(|gap| {
            // A register that is cut loads the number.
            let stage = stage_of(gap.own)? - u32::from(loaded.contains(&gap.cut.node()));
            let counted = counted.entry(stage).or_insert_with(|| {
                let lanes: Option<Vec<Made<'m>>> =
                    (1..self.made.len()).map(|place| made(stage, place)).collect();
                Some(Counted::new(m, is_there(stage)?, &lanes?))
            });
            Some((gap.cut, gap.value(m, &format!("{copy}_{stage}"), counted.as_ref()?)))
        });
        of_places.chain(of_gaps).collect()
    }

    /// The slots that a copy of the stages of units makes.
    pub(super) fn made<'m>(&self, m: &'m Builder, stages: &Copy<'_, 'm>) -> Vec<Made<'m>> {
        self.made.iter().map(|bits| bits.value(m, stages)).collect()
    }

    /// Whether there is a place before the words.
    pub(super) fn has_first_place(&self) -> bool {
        self.after.places[0].is_there != Lit::FALSE
    }

    /// The slots that go out, in a copy of the last stages after the boundary.
    pub(super) fn out<'m>(&self, m: &'m Builder, outputs: &Copy<'_, 'm>) -> Vec<Made<'m>> {
        self.after.lanes.iter().map(|bits| bits.value(m, outputs)).collect()
    }

    /// Any slot that can go out in a lane.
    pub(super) fn any<'m>(&self, m: &'m Builder, lane: usize) -> Signal<'m> {
        self.out[lane].any(m, &format!("any_slot_{lane}"))
    }

    /// The lane whose slots have the fewest bits that are constants.
    pub(super) fn freest_lane(&self) -> usize {
        let constants = |&lane: &usize| self.out[lane].slot.iter().filter(|bit| bit.node() == 0).count();
        (0..self.out.len()).min_by_key(constants).expect("there are lanes")
    }

    /// The number of lanes that a slot can be in.
    pub(super) fn lanes(&self) -> usize {
        self.out.len()
    }

    /// The bits that the ports show of a slot that goes out in a lane of `lanes`: those of `tuser`, and below them those of `tdata`.
    ///
    /// # Errors
    /// If the ports show something else.
    pub(super) fn shown<'m>(
        &self,
        m: &'m Builder,
        cells: &Cells,
        (lane, lanes): (usize, u32),
        slot: Signal<'m>,
    ) -> Result<Signal<'m>, String> {
        let none = "nothing marks the slots that go out";
        let Marked { logic, lanes: bits, .. } = self.shows.as_ref().ok_or(none)?;
        let shown: Vec<Lit> =
            OUTPUTS.iter().flat_map(|port| lane_of(logic, port, lane, lanes as usize)).collect();
        check_shown(cells, logic, &bits[lane], &shown).map_err(|what| format!("lane {lane} shows {what}"))?;
        let copy = Copy::new(m, logic, |leaf| match leaf {
            Leaf::Register(_) => Substitute::Next,
            Leaf::Input(_) => unreachable!("the lane shows its slot alone"),
        });
        let copy = copy.cut(bits[lane].with(Made { is_there: m.lit(1, 1), slot }));
        Ok(m.concat(shown.into_iter().map(|bit| copy.value(bit)).collect::<Vec<_>>()))
    }
}

/// Checks that bits depend on a slot alone. The error says what else they depend on.
fn check_shown(cells: &Cells, logic: &Logic, slot: &Bits, shown: &[Lit]) -> Result<(), String> {
    let mut seen = slot.nodes();
    let mut left: Vec<usize> = shown.iter().map(|bit| bit.node()).collect();
    while let Some(node) = left.pop() {
        if !seen.insert(node) {
            continue;
        }
        match logic.aig.nodes()[node] {
            Node::False => {}
            Node::And(a, b) => left.extend([a.node(), b.node()]),
            Node::Leaf(Leaf::Register(index)) => match cells.places[index as usize] {
                Place::Buffer | Place::Slots { .. } | Place::Units { is_loop: false, .. } => {
                    left.push(logic.next[index as usize].node());
                }
                _ => return Err(format!("{} besides its slot", cells.name(index as usize))),
            },
            Node::Leaf(Leaf::Input(_)) => return Err("more than its slot".to_owned()),
        }
    }
    Ok(())
}

/// The bits of a lane of an output, the highest first; none if there is no such output.
pub(super) fn lane_of(logic: &Logic, output: &str, lane: usize, lanes: usize) -> Vec<Lit> {
    let bits: Vec<Lit> = bits_of(logic, output).map(|bit| logic.outputs[bit]).collect();
    let width = bits.len() / lanes;
    bits[lane * width..(lane + 1) * width].iter().rev().copied().collect()
}
