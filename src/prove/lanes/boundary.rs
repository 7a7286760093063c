//! The boundary in a decoder between the stages that make slots of units and the stages that put the slots into lanes. The netlist marks it.
//!
//! A proof of both at once takes a checker too long with many lanes. At the boundary it falls into two: that the right slots are made, and that
//! slots, whatever they hold, go out in order.

use std::collections::{BTreeMap, BTreeSet};

use utfhdl_hdl::netlist::{Builder, Mark, Signal};
use utfhdl_sim::aig::{Leaf, Lit, Logic, Node};

use super::alike::Ways;
use super::cells::{Cells, Place};
use super::copy::{Copy, Substitute};

/// The bits at the boundary.
pub(super) struct Boundary {
    /// Whether each place makes a slot.
    makes: Vec<Lit>,
    /// The slot of each place, low bits first.
    slots: Vec<Vec<Lit>>,
    /// Whether a slot goes out in each lane.
    holds: Vec<Lit>,
    /// The slot that goes out in each lane.
    out: Vec<Vec<Lit>>,
}

/// What a place makes of a beat, or what goes out in a lane.
#[derive(Clone, Copy)]
pub(super) struct Made<'m> {
    /// There is a slot.
    pub(super) is_there: Signal<'m>,
    /// The slot as the core has it, and anything where there is none.
    pub(super) slot: Signal<'m>,
}

/// The ports of a lane.
const OUTPUTS: [&str; 2] = ["m_axis_tuser", "m_axis_tdata"];

impl Boundary {
    /// The boundary of a decoder, if the netlist marks it.
    pub(super) fn of(logic: &Logic) -> Option<Self> {
        let marks: BTreeMap<Mark, &Vec<Lit>> = logic.marks.iter().map(|(mark, bits)| (*mark, bits)).collect();
        let all = |mark: fn(usize) -> Mark, first| {
            (first..)
                .map_while(|number| marks.get(&mark(number)))
                .map(|bits| (*bits).clone())
                .collect::<Vec<_>>()
        };
        let (mut makes, mut slots) = (all(Mark::MakesSlot, 1), all(Mark::SlotMade, 1));
        let bits = slots.first()?.len();
        // In some decoders no slot comes before the lanes.
        let first = |mark: Mark, bits: usize| {
            marks.get(&mark).map_or_else(|| vec![Lit::FALSE; bits], |bits| (*bits).clone())
        };
        makes.insert(0, first(Mark::MakesSlot(0), 1));
        slots.insert(0, first(Mark::SlotMade(0), bits));
        let holds = all(Mark::HoldsSlot, 0).concat();
        Some(Self { makes: makes.concat(), slots, holds, out: all(Mark::SlotOut, 0) })
    }

    /// Whether there is a place before the words.
    pub(super) fn has_first_place(&self) -> bool {
        self.makes[0] != Lit::FALSE
    }

    /// The number of lanes that a slot can be in.
    pub(super) fn lanes(&self) -> usize {
        self.out.len()
    }

    /// The boundary with as few bits of slots as stand for all: each of the others goes the same way as one of them.
    pub(super) fn of_few_bits(&self, cells: &Cells) -> Self {
        let follows = |place| matches!(place, Place::Slots { .. } | Place::Units { is_loop: false, .. });
        let ways = Ways::new(&cells.moving, &cells.places, follows, self.slots.iter().flatten().copied());
        let pairs =
            |slots: &[Vec<Lit>], one, other| slots.iter().map(|slot| (slot[one], slot[other])).collect();
        let few = ways.few(self.slots[0].len(), |one, other| {
            [pairs(&self.slots, one, other), pairs(&self.out, one, other)]
        });
        let of = |slots: &[Vec<Lit>]| {
            slots.iter().map(|slot| few.iter().map(|&bit| slot[bit]).collect()).collect()
        };
        Self {
            makes: self.makes.clone(),
            slots: of(&self.slots),
            holds: self.holds.clone(),
            out: of(&self.out),
        }
    }

    /// What is made in the places of a beat. The slots are any: inputs. A place makes one where `is_there` says so, and in a beat that is not
    /// there, anything.
    pub(super) fn given<'m>(
        &self,
        m: &'m Builder,
        tvalid: Signal<'m>,
        is_there: &[Signal<'m>],
    ) -> Vec<Made<'m>> {
        let given = |(place, (bits, is_there)): (usize, (&Vec<Lit>, &Signal<'m>))| {
            let free = m.input(&format!("makes_{place}"), 1, "of a beat that is not there");
            let slot = any_word(m, &format!("slot_{place}"), bits);
            Made { is_there: tvalid.mux(*is_there, free), slot }
        };
        self.slots.iter().zip(is_there).enumerate().map(given).collect()
    }

    /// What a copy of the stages of units makes.
    pub(super) fn made<'m>(&self, m: &'m Builder, stages: &Copy<'_, 'm>) -> Vec<Made<'m>> {
        let slots = words(m, &self.slots, stages).into_iter();
        slots.zip(&self.makes).map(|(slot, makes)| Made { is_there: stages.value(*makes), slot }).collect()
    }

    /// Any slot that can go out in a lane.
    pub(super) fn any<'m>(&self, m: &'m Builder, lane: usize) -> Signal<'m> {
        any_word(m, &format!("any_slot_{lane}"), &self.out[lane])
    }

    /// The lane whose slots have the most bits that are not constants or the same.
    pub(super) fn freest_lane(&self) -> usize {
        let bits = |&lane: &usize| {
            let bits: BTreeSet<usize> = self.out[lane].iter().map(|bit| bit.node()).collect();
            bits.iter().filter(|&&node| node != 0).count()
        };
        (0..self.out.len()).max_by_key(bits).expect("there are lanes")
    }

    /// The bits of the boundary, each with what is `made` there.
    pub(super) fn cuts<'m>(&self, made: &[Made<'m>]) -> Vec<(Lit, Signal<'m>)> {
        let makes = self.makes.iter().zip(made).map(|(bit, made)| (*bit, made.is_there));
        let slots = self.slots.iter().zip(made).flat_map(|(bits, made)| cut(bits, made.slot));
        makes.chain(slots).collect()
    }

    /// The slots that go out, in a copy of the last stages.
    pub(super) fn out<'m>(&self, m: &'m Builder, outputs: &Copy<'_, 'm>) -> Vec<Made<'m>> {
        let slots = words(m, &self.out, outputs).into_iter();
        slots.zip(&self.holds).map(|(slot, holds)| Made { is_there: outputs.value(*holds), slot }).collect()
    }

    /// What the ports show of a slot that goes out in a lane of `lanes`: the bits of `tuser`, and below them those of `tdata`.
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
        let shown: Vec<Lit> =
            OUTPUTS.iter().flat_map(|port| cells.lane_of(port, lane, lanes as usize)).collect();
        self.check_shown(cells, lane, &shown)?;
        let copy = Copy::new(m, &cells.moving, |leaf| match leaf {
            Leaf::Register(_) => Substitute::Next,
            Leaf::Input(_) => unreachable!("the lane shows its slot alone"),
        });
        let copy = copy.cut(cut(&self.out[lane], slot).into_iter().chain([(self.holds[lane], m.lit(1, 1))]));
        Ok(m.concat(shown.into_iter().map(|bit| copy.value(bit)).collect::<Vec<_>>()))
    }

    /// Checks that the bits of a lane depend on its slot alone.
    fn check_shown(&self, cells: &Cells, lane: usize, shown: &[Lit]) -> Result<(), String> {
        let mut seen: BTreeSet<usize> =
            self.out[lane].iter().chain([&self.holds[lane]]).map(|bit| bit.node()).collect();
        let mut left: Vec<usize> = shown.iter().map(|bit| bit.node()).collect();
        while let Some(node) = left.pop() {
            if !seen.insert(node) {
                continue;
            }
            match cells.moving.aig.nodes()[node] {
                Node::False => {}
                Node::And(a, b) => left.extend([a.node(), b.node()]),
                Node::Leaf(Leaf::Register(index))
                    if matches!(
                        cells.places[index as usize],
                        Place::Buffer | Place::Slots { .. } | Place::Units { is_loop: false, .. }
                    ) =>
                {
                    left.push(cells.moving.next[index as usize].node());
                }
                Node::Leaf(Leaf::Register(index)) => {
                    return Err(format!("lane {lane} shows {} besides its slot", cells.name(index as usize)));
                }
                Node::Leaf(Leaf::Input(_)) => return Err(format!("lane {lane} shows an input")),
            }
        }
        Ok(())
    }
}

/// Bits, each with that of a value.
fn cut<'m>(bits: &[Lit], value: Signal<'m>) -> Vec<(Lit, Signal<'m>)> {
    (0..).zip(bits).map(|(at, bit)| (*bit, value.bit(at))).collect()
}

/// The values of some bits of each, in a copy.
fn words<'m>(m: &'m Builder, bits: &[Vec<Lit>], copy: &Copy<'_, 'm>) -> Vec<Signal<'m>> {
    bits.iter().map(|bits| m.concat(bits.iter().rev().map(|bit| copy.value(*bit)))).collect()
}

/// An input for any word that some bits can hold: of bits that are one, or are constants, it has no more than there is.
fn any_word<'m>(m: &'m Builder, name: &str, bits: &[Lit]) -> Signal<'m> {
    let any = m.input(name, bits.len() as u32, "any slot");
    let bit = |lit: &Lit| {
        let first = bits.iter().position(|other| other.node() == lit.node()).expect("it is one of them");
        let plain = if lit.node() == 0 { m.lit(1, 0) } else { any.bit(first as u32) };
        if lit.is_complement() { !plain } else { plain }
    };
    m.concat(bits.iter().rev().map(bit).collect::<Vec<_>>())
}
