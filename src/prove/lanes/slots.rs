//! The slots that the units of a beat make by the machine of the system.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::beat::Beat;
use super::definition::Definition;
use crate::prove::spec::{Read, Slot, State, Step, Unit};

/// A slot that may be present.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'m> {
    pub(super) is_there: Signal<'m>,
    /// The bits of the slot on the output lane.
    pub(super) shown: Signal<'m>,
}

impl<'m> Candidate<'m> {
    /// One or the other.
    fn pick(select: Signal<'m>, one: Self, other: Self) -> Self {
        Self { is_there: select.mux(one.is_there, other.is_there), shown: select.mux(one.shown, other.shown) }
    }

    /// This one, or the other where it is absent.
    fn or(self, other: Self) -> Self {
        Self { is_there: self.is_there | other.is_there, shown: self.is_there.mux(self.shown, other.shown) }
    }
}

/// The slots of a beat. A slot has the place of the word that ends its sequence; an error that the next word or the end of the frame shows has the place of
/// the last word before. A head, or a limb that is not the last, has the place of the word before the one that makes it certain. The place of that word is left for an
/// error that cuts the sequence short.
/// A word is a unit, or several: the octets of a word, or a pair of nonets.
pub(super) struct Slots<'m> {
    /// The slot of each place, if there is one.
    pub(super) all: Vec<Candidate<'m>>,
    /// Two are in one place.
    pub(super) is_two_in_one: Signal<'m>,
    /// The state of the machine after the beat, before the end of its frame.
    pub(super) after: State<'m>,
}

impl<'m> Slots<'m> {
    /// The slots of a beat that comes in a state of the machine.
    pub(super) fn of(m: &'m Builder, definition: Definition, state: State<'m>, beat: &Beat<'m>) -> Self {
        let Definition { machine, drops, .. } = definition;
        let (read, after) = definition.read(m, state, beat);
        let any = |signals: Vec<Signal<'m>>| signals.into_iter().reduce(|a, b| a | b).unwrap_or(m.lit(1, 0));
        // The slot on the output. `open` is the state of the sequence that the slot cuts short.
        let of = |slot: &Slot<'m>, open| Candidate {
            is_there: machine.goes_out(m, slot, drops, open),
            shown: slot.shown(m),
        };
        // One lane of a group ends a word.
        let groups: Vec<&[(Unit<'m>, Read<'m>)]> = read.chunks(machine.units_of_word()).collect();
        let ends_word =
            |(unit, read): &(Unit<'m>, Read<'m>)| unit.is_there & machine.is_between_words(m, read.after);
        let has_word: Vec<Signal<'m>> =
            groups.iter().map(|group| any(group.iter().map(ends_word).collect())).collect();
        let has = |word: usize| has_word.get(word).copied().unwrap_or(m.lit(1, 0));
        // Whether there are `count` words.
        let are = |count: usize| count.checked_sub(1).map_or(!has(count), |last| has(last) & !has(count));
        let is_whole = machine.is_between_words(m, after);
        let [before_end, at_end] = machine
            .cuts_at_end(m, after, beat.ends() & machine.is_open(after))
            .map(|slot| of(&slot, Some(after)));
        let place = |place: usize| {
            let own = place.checked_sub(1).and_then(|word| groups.get(word)).into_iter().copied().flatten();
            let next = groups.get(place).into_iter().copied().flatten();
            let when =
                |slot: Candidate<'m>, is: Signal<'m>| Candidate { is_there: slot.is_there & is, ..slot };
            let is_last = |step: &Step<'m>| machine.ends_slot(m, step);
            // Octets that are left over have the place of one more word.
            let left_over = place.checked_sub(1).map(|words| when(at_end, are(words) & !is_whole));
            let ends = [when(before_end, are(place)), when(at_end, are(place) & is_whole)];
            let own = own.map(|(_, Read { step, .. })| match machine.has_groups() {
                true => when(of(&step.own, None), is_last(step)),
                false => of(&step.own, None),
            });
            let of_next = next.flat_map(|(_, Read { step, before, .. })| {
                let part = machine.has_groups().then(|| when(of(&step.own, None), !is_last(step)));
                [of(&step.cut, Some(*before))].into_iter().chain(part)
            });
            own.chain(of_next).chain(ends).chain(left_over).collect::<Vec<_>>()
        };
        let all: Vec<Vec<Candidate<'m>>> = (0..definition.places(read.len())).map(place).collect();
        let two = all.iter().flat_map(|place| {
            let pairs = (0..place.len()).flat_map(|at| (0..at).map(move |before| (before, at)));
            pairs.map(|(a, b)| place[a].is_there & place[b].is_there)
        });
        let is_two_in_one = any(two.collect());
        let all: Vec<Candidate<'m>> =
            all.into_iter().filter_map(|place| place.into_iter().reduce(Candidate::or)).collect();
        // A mark is the first word of its beat and makes no slot: the words after it have the places before theirs.
        let is_mark =
            any(groups[0].iter().map(|(unit, read)| machine.ends_mark(m, read.before, unit)).collect());
        let none = Candidate { is_there: m.lit(1, 0), ..all[0] };
        let moved = |(place, own): (usize, &Candidate<'m>)| match place {
            0 => *own,
            _ => Candidate::pick(is_mark, all.get(place + 1).copied().unwrap_or(none), *own),
        };
        Self { is_two_in_one, all: all.iter().enumerate().map(moved).collect(), after }
    }

    /// The slots in a decoder without a place before the words: a slot that comes before the first word has the place of that word.
    pub(super) fn without_first_place(mut self, m: &'m Builder) -> Self {
        self.is_two_in_one = self.is_two_in_one | self.all[0].is_there & self.all[1].is_there;
        self.all[1] = self.all[0].or(self.all[1]);
        self.all[0].is_there = m.lit(1, 0);
        self
    }
}
