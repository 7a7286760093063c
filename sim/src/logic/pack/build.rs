//! Writes the logic with rows.

use super::plan::{Key, Made, Plan};
use super::{LANES, Packed, Place, Row, bytes_of, in_all};
use crate::logic::{Id, Logic, Op, StateWord};

/// The packed logic.
pub(super) fn build(plan: &Plan) -> Packed {
    let (state, places, words) = state(plan);
    let logic = Logic {
        tables: plan.logic.tables.clone(),
        state,
        reset: plan.logic.reset.clone(),
        ..Logic::default()
    };
    let mut builder = Builder {
        plan,
        new: logic,
        places,
        words,
        values: vec![None; plan.logic.values().len()],
        rows: vec![Progress::Open; plan.rows.len()],
    };
    for (family, &next) in plan.nexts.iter().enumerate() {
        let row = &plan.rows[next].0;
        let made = builder.row(next).unwrap_or_else(|| builder.gathered(row));
        let made = builder.new.and_mask(made, bytes_of(row));
        builder.new.state[builder.words[family] as usize].next = made;
    }
    let is_packed = |word: usize| plan.families.iter().flatten().any(|packed| *packed as usize == word);
    for (index, word) in plan.logic.state.iter().enumerate().filter(|(index, _)| !is_packed(*index)) {
        let next = builder.value(word.next);
        builder.new.state[builder.places[index].word as usize].next = next;
    }
    builder.new.outputs = plan.logic.outputs.iter().map(|id| builder.value(*id)).collect();
    let Builder { new, places, .. } = builder;
    Packed { logic: new.narrow(), places }
}

/// The words of the packed state, where each word of the plain one is, and the word of each family.
fn state(plan: &Plan) -> (Vec<StateWord>, Vec<Place>, Vec<u32>) {
    let plain = &plan.logic.state;
    let mut family_of = vec![None; plain.len()];
    for (index, family) in plan.families.iter().enumerate() {
        family.iter().enumerate().for_each(|(lane, word)| family_of[*word as usize] = Some((index, lane)));
    }
    let (mut state, mut words) = (Vec::new(), vec![0; plan.families.len()]);
    let mut places = vec![Place { word: 0, shift: 0, mask: u64::MAX }; plain.len()];
    for (index, word) in plain.iter().enumerate() {
        match family_of[index] {
            None => {
                places[index].word = state.len() as u32;
                state.push(*word);
            }
            Some((family, lane)) if lane + 1 == plan.families[family].len() => {
                words[family] = state.len() as u32;
                let members = || plan.families[family].iter().map(|word| &plain[*word as usize]).enumerate();
                let ones = members().map(|(lane, word)| word.ones << (8 * lane)).sum();
                let resets = members().map(|(lane, word)| word.reset.map(|reset| reset << (8 * lane)));
                let reset = resets.collect::<Option<Vec<u64>>>().map(|resets| resets.into_iter().sum());
                state.push(StateWord { ones, reset, ..*word });
            }
            Some(_) => {}
        }
    }
    for (index, family) in plan.families.iter().enumerate() {
        for (lane, &word) in family.iter().enumerate() {
            places[word as usize] =
                Place { word: words[index], shift: 8 * lane as u32, mask: plain[word as usize].ones };
        }
    }
    (state, places, words)
}

/// Whether a row is written.
#[derive(Clone, Copy)]
enum Progress {
    Open,
    AtWork,
    Done(Id),
    /// One of the row's values depends on a row that depends on another of them.
    Circular,
}

struct Builder<'p, 'l> {
    plan: &'p Plan<'l>,
    new: Logic,
    places: Vec<Place>,
    /// The word of each family.
    words: Vec<u32>,
    /// The values that are made by themselves.
    values: Vec<Option<Id>>,
    rows: Vec<Progress>,
}

impl Builder<'_, '_> {
    /// A value by itself.
    fn value(&mut self, id: Id) -> Id {
        if let Some(made) = self.values[id.index()] {
            return made;
        }
        let ones = self.plan.logic.ones(id);
        let made = match self.plan.logic.op(id) {
            Op::State(word) => {
                let place = self.places[word as usize];
                let word = self.new.state_word(place.word);
                let shifted = self.new.shr(word, place.shift);
                self.new.and_mask(shifted, place.mask)
            }
            op => match self.taken_out(id) {
                Some(made) => self.new.and_mask(made, ones),
                None => {
                    let operands: Vec<Id> = op.operands().map(|operand| self.value(operand)).collect();
                    let mut operands = operands.into_iter();
                    let op = op.map(|_| operands.next().expect("one for each"));
                    self.new.remake(op)
                }
            },
        };
        self.values[id.index()] = Some(made);
        made
    }

    /// A value from a row that holds it, in the low byte.
    fn taken_out(&mut self, id: Id) -> Option<Id> {
        let (row, lane) = self.plan.place(id)?;
        let row = self.row(row)?;
        Some(self.new.shr(row, 8 * lane as u32))
    }

    /// A row, unless that is circular. Bytes without a value hold anything.
    fn row(&mut self, number: usize) -> Option<Id> {
        match self.rows[number] {
            Progress::Done(made) => return Some(made),
            Progress::AtWork | Progress::Circular => return None,
            Progress::Open => self.rows[number] = Progress::AtWork,
        }
        let made = self.written(number);
        self.rows[number] = made.map_or(Progress::Circular, Progress::Done);
        made
    }

    fn written(&mut self, number: usize) -> Option<Id> {
        let (row, made) = &self.plan.rows[number];
        Some(match made {
            Made::Const(value) => self.new.constant(*value),
            Made::Same(id) => self.same(*id),
            Made::State(family) => {
                let word = self.words[*family];
                self.new.state_word(word)
            }
            Made::Field { of, shift, mask } => {
                let of = self.value(*of);
                let shifted = self.new.shr(of, *shift);
                self.new.and_mask(shifted, in_all(*mask))
            }
            Made::Moved { from, up, lanes, rest } => {
                let from = self.row(*from)?;
                let by = 8 * up.unsigned_abs();
                let moved = if *up >= 0 { self.new.shl(from, by) } else { self.new.shr(from, by) };
                self.with_rest(moved, row, *lanes, *rest)?
            }
            Made::Op { key, operands, lanes, rest } => {
                let made = self.computed(*key, operands, *lanes)?;
                self.with_rest(made, row, *lanes, *rest)?
            }
            Made::Gathered => self.gathered(row),
        })
    }

    /// A row of values that are made one by one.
    fn gathered(&mut self, row: &Row) -> Id {
        let zero = self.new.constant(0);
        (0..LANES).filter_map(|lane| Some((lane, row[lane]?))).fold(zero, |sum, (lane, id)| {
            let value = self.value(id);
            let value = self.new.and_mask(value, 0xff);
            let value = self.new.shl(value, 8 * lane as u32);
            self.new.or(sum, value)
        })
    }

    /// The bytes `lanes` of `made`, with the other bytes from the row `rest`.
    fn with_rest(&mut self, made: Id, row: &Row, lanes: u64, rest: Option<usize>) -> Option<Id> {
        let Some(rest) = rest else { return Some(made) };
        let others = self.row(rest)?;
        let (made, others) =
            (self.new.and_mask(made, lanes), self.new.and_mask(others, bytes_of(row) & !lanes));
        Some(self.new.or(made, others))
    }

    /// One value in all bytes.
    fn same(&mut self, id: Id) -> Id {
        let value = self.value(id);
        let value = self.new.and_mask(value, 0xff);
        if self.plan.logic.ones(id) == 1 {
            let (one, zero) = (self.new.constant(in_all(1)), self.new.constant(0));
            return self.new.mux(value, one, zero);
        }
        [8, 16, 32].into_iter().fold(value, |sum, by| {
            let shifted = self.new.shl(sum, by);
            self.new.or(sum, shifted)
        })
    }

    /// The bytes `lanes` of a row, computed from rows.
    fn computed(&mut self, key: Key, operands: &[usize], lanes: u64) -> Option<Id> {
        let made = operands.iter().map(|operand| self.row(*operand)).collect::<Option<Vec<Id>>>()?;
        // Bits that carry over the edge of a byte must not come from unused bytes.
        let clean = |builder: &mut Self, id: Id| builder.new.and_mask(id, lanes);
        Some(match key {
            Key::And => self.new.and(made[0], made[1]),
            Key::Or => self.new.or(made[0], made[1]),
            Key::Xor => self.new.xor(made[0], made[1]),
            Key::Add => {
                let [a, b] = [made[0], made[1]].map(|id| clean(self, id));
                self.new.add(a, b)
            }
            Key::Shl(by) => {
                let a = clean(self, made[0]);
                self.new.shl(a, by)
            }
            Key::Shr(by) => {
                let shifted = self.new.shr(made[0], by);
                self.new.and_mask(shifted, in_all(0xff >> by))
            }
            Key::Ne => self.differs(made[0], made[1]),
            Key::Eq => {
                let differs = self.differs(made[0], made[1]);
                let ones = self.new.constant(in_all(1));
                self.new.xor(differs, ones)
            }
            Key::Lt | Key::Le => {
                let [a, b] = [made[0], made[1]].map(|id| clean(self, id));
                let (less, more) = if key == Key::Le { (a, b) } else { (b, a) };
                // The upper bit of each byte stays where `less` is at most `more`.
                let upper = self.new.constant(in_all(0x80));
                let more = self.new.or(more, upper);
                let rest = self.new.sub(more, less);
                let rest = self.new.shr(rest, 7);
                let at_most = self.new.and_mask(rest, in_all(1));
                let ones = self.new.constant(in_all(1));
                if key == Key::Le { at_most } else { self.new.xor(at_most, ones) }
            }
            Key::Mux => {
                let select = clean(self, made[0]);
                let shifted = self.new.shl(select, 8);
                let mask = self.new.sub(shifted, select);
                let differing = self.new.xor(made[1], made[2]);
                let changed = self.new.and(differing, mask);
                self.new.xor(made[2], changed)
            }
            Key::MuxBy(select) => {
                let select = self.value(select);
                self.new.mux(select, made[0], made[1])
            }
        })
    }

    /// For each byte whether two rows differ.
    fn differs(&mut self, a: Id, b: Id) -> Id {
        let differing = self.new.xor(a, b);
        let low = self.new.and_mask(differing, in_all(0x7f));
        let most = self.new.constant(in_all(0x7f));
        let carried = self.new.add(low, most);
        let any = self.new.or(carried, differing);
        let shifted = self.new.shr(any, 7);
        self.new.and_mask(shifted, in_all(1))
    }
}
