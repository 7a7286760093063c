//! Finds how each row is made.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::families::Family;
use super::{LANE_BITS, LANES, Row};
use crate::logic::{Id, Logic, Op};

/// The least number of values for which a row is computed or moved.
const FEWEST: usize = 4;

/// Deeper logic is not packed, since rows are found by recursion.
const MOST_LEVELS: u32 = 1000;

/// The least number of row operations for which a row of eight-bit parts of wider values pays for extracting the parts.
const PARTS_WORTH_A_ROW: usize = 3;

/// Finds the operation that makes a value; the last argument is the select that all multiplexers of the row share, if they do.
type FindKey<'a> = dyn Fn(&Plan<'a>, Id, Option<Id>) -> Option<Key>;

/// How a row is made.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Made {
    /// A word of constants.
    Const(u64),
    /// One value, in all bytes.
    Same(Id),
    /// A word of the packed state, by its family.
    State(usize),
    /// The bits of each byte of a value from `shift` on: the value is shifted right by `shift`, and all bytes are masked with `mask`.
    Field { of: Id, shift: u32, mask: u64 },
    /// The bytes `lanes` are those of another row, `up` bytes further up; the others are from the row `rest`.
    Moved { from: usize, up: i32, lanes: u64, rest: Option<usize> },
    /// The bytes `lanes` are computed by one operation on rows; the others are from the row `rest`.
    Op { key: Key, operands: Vec<usize>, lanes: u64, rest: Option<usize> },
    /// Each value by itself.
    Gathered,
}

/// The operation that values have in common, which one operation on rows computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    And,
    Or,
    Xor,
    Add,
    Shl(u32),
    Shr(u32),
    Eq,
    Ne,
    Lt,
    Le,
    Mux,
    /// With one select for all of the row.
    MuxBy(Id),
}

/// How rows are made.
pub(super) struct Plan<'a> {
    pub(super) logic: &'a Logic,
    pub(super) families: &'a [Family],
    /// Every row, and how it is made.
    pub(super) rows: Vec<(Row, Made)>,
    known: HashMap<Row, usize>,
    /// The row of each family's registers, and of what they load.
    pub(super) states: Vec<usize>,
    pub(super) nexts: Vec<usize>,
    /// Rows of values of which wider ones are made.
    parts: Vec<usize>,
    /// A row that holds the value, and in which byte.
    members: HashMap<Id, (usize, usize)>,
    /// For each value a number that is the same for values computed alike from registers of the same families.
    shapes: Vec<u64>,
}

impl<'a> Plan<'a> {
    /// The plan for these families; `None` if there are none, or if the logic is too deep. What the families `wide` load is made one
    /// by one, but may have parts that are worth a row.
    pub(super) fn new(logic: &'a Logic, families: &'a [Family], wide: &[Family]) -> Option<Self> {
        if families.is_empty() || levels(logic) > MOST_LEVELS {
            return None;
        }
        let mut plan = Self {
            logic,
            families,
            rows: Vec::new(),
            known: HashMap::new(),
            states: Vec::new(),
            nexts: Vec::new(),
            parts: Vec::new(),
            members: HashMap::new(),
            shapes: shapes(logic, families),
        };
        let loads: HashMap<u32, Id> = (0..)
            .map(Id)
            .zip(logic.values())
            .filter_map(|(id, value)| if let Op::State(word) = value.op { Some((word, id)) } else { None })
            .collect();
        for (index, family) in families.iter().enumerate() {
            let mut row = [None; LANES];
            for (lane, word) in family.iter().enumerate() {
                row[lane] = loads.get(word).copied();
            }
            let number = plan.rows.len();
            plan.rows.push((row, Made::State(index)));
            plan.known.insert(row, number);
            plan.states.push(number);
            plan.remember(&row, number);
        }
        let next = |family: &Family| {
            let mut row = [None; LANES];
            for (lane, word) in family.iter().enumerate() {
                row[lane] = Some(logic.state[*word as usize].next);
            }
            row
        };
        for family in families {
            let next = plan.row(next(family));
            plan.nexts.push(next);
        }
        let mut seen = HashSet::new();
        wide.iter().for_each(|family| plan.parts_of(next(family), &mut seen));
        plan.forget_unused();
        Some(plan)
    }

    /// The row, if any, that holds a value, and in which byte.
    pub(super) fn place(&self, id: Id) -> Option<(usize, usize)> {
        self.members.get(&id).copied()
    }

    /// For each family whether what it loads is made as a row.
    pub(super) fn worth(&self) -> Vec<bool> {
        let is_made = |(state, next): (&usize, &usize)| {
            let made = match &self.rows[*next].1 {
                Made::Op { key: Key::MuxBy(_), operands, .. } => {
                    let loads = operands.iter().filter(|operand| *operand != state);
                    loads.map(|operand| &self.rows[*operand].1).next()
                }
                made => Some(made),
            };
            made.is_some_and(|made| *made != Made::Gathered)
        };
        self.states.iter().zip(&self.nexts).map(is_made).collect()
    }

    /// Only rows that something is made of may give values to others.
    fn forget_unused(&mut self) {
        let mut used = vec![false; self.rows.len()];
        let mut rest: Vec<usize> =
            self.states.iter().chain(&self.nexts).chain(&self.parts).copied().collect();
        while let Some(row) = rest.pop() {
            if !std::mem::replace(&mut used[row], true) {
                match &self.rows[row].1 {
                    Made::Moved { from, rest: others, .. } => rest.extend([*from].iter().chain(others)),
                    Made::Op { operands, rest: others, .. } => rest.extend(operands.iter().chain(others)),
                    Made::Const(_) | Made::Same(_) | Made::State(_) | Made::Field { .. } | Made::Gathered => {
                    }
                }
            }
        }
        self.members.retain(|_, (row, _)| used[*row]);
    }

    /// Finds rows that wider values are made of.
    fn parts_of(&mut self, values: Row, seen: &mut HashSet<Row>) {
        if !seen.insert(values) {
            return;
        }
        let is_byte = |id: &Id| self.logic.ones(*id) >> LANE_BITS == 0;
        if values.iter().flatten().all(is_byte) {
            let before = self.rows.len();
            let row = self.row(values);
            let computed = self.rows[before..].iter().filter(|(_, made)| matches!(made, Made::Op { .. }));
            if computed.count() >= PARTS_WORTH_A_ROW {
                self.parts.push(row);
            }
            return;
        }
        if let Some((_, _, operands)) = self.of_one_kind(&values, &Self::wide_key) {
            operands.into_iter().for_each(|operands| self.parts_of(operands, seen));
        }
    }

    fn remember(&mut self, row: &Row, number: usize) {
        for (lane, id) in row.iter().enumerate() {
            if let Some(id) = id.filter(|id| !matches!(self.logic.op(*id), Op::Const(_))) {
                self.members.entry(id).or_insert((number, lane));
            }
        }
    }

    /// The number of a row.
    fn row(&mut self, row: Row) -> usize {
        if let Some(&number) = self.known.get(&row) {
            return number;
        }
        let made = self.simple(&row).or_else(|| self.moved(&row)).or_else(|| self.alike(&row));
        let number = self.rows.len();
        if let Some(Made::Op { lanes, .. }) = made {
            let mut computed = row;
            let is_computed = |lane: usize| lanes >> (8 * lane) & 1 == 1;
            (0..LANES).filter(|lane| !is_computed(*lane)).for_each(|lane| computed[lane] = None);
            self.remember(&computed, number);
        }
        self.rows.push((row, made.unwrap_or(Made::Gathered)));
        self.known.insert(row, number);
        number
    }

    /// Rows that take no row.
    fn simple(&self, row: &Row) -> Option<Made> {
        let present: Vec<(usize, Id)> =
            row.iter().enumerate().filter_map(|(lane, id)| Some((lane, (*id)?))).collect();
        let constant = |&(lane, id): &(usize, Id)| match self.logic.op(id) {
            Op::Const(value) => Some((value & 0xff) << (8 * lane)),
            _ => None,
        };
        if let Some(words) = present.iter().map(constant).collect::<Option<Vec<u64>>>() {
            return Some(Made::Const(words.into_iter().sum()));
        }
        let (first_lane, first) = *present.first()?;
        if present.iter().all(|(_, id)| *id == first) {
            return Some(Made::Same(first));
        }
        let (of, shift, mask) = self.field(first)?;
        let shift = shift.checked_sub(8 * first_lane as u32)?;
        let is_next = |&(lane, id): &(usize, Id)| self.field(id) == Some((of, shift + 8 * lane as u32, mask));
        present.iter().all(is_next).then_some(Made::Field { of, shift, mask })
    }

    /// The value of which a value is some bits, from which bit on, and which.
    fn field(&self, id: Id) -> Option<(Id, u32, u64)> {
        let logic = self.logic;
        let (shifted, mask) = match logic.op(id) {
            Op::And(a, mask) => match logic.op(mask) {
                Op::Const(mask) => (a, mask),
                _ => return None,
            },
            _ => (id, logic.ones(id)),
        };
        let (of, shift) = match logic.op(shifted) {
            Op::Shr(of, by) => (of, by),
            _ => (shifted, 0),
        };
        let is_wide = logic.ones(of) >> LANE_BITS != 0;
        is_wide.then_some((of, shift, mask & 0xff))
    }

    /// A row of which most values stand in another, in bytes further up or down.
    fn moved(&mut self, row: &Row) -> Option<Made> {
        let mut votes: HashMap<(usize, i32), u64> = HashMap::new();
        let mut present = 0;
        for (lane, id) in row.iter().enumerate().filter_map(|(lane, id)| Some((lane, (*id)?))) {
            present += 1;
            if let Some((from, at)) = self.place(id) {
                *votes.entry((from, lane as i32 - at as i32)).or_default() |= 0xff << (8 * lane);
            }
        }
        let (&(from, up), &lanes) = votes.iter().max_by_key(|(place, lanes)| (lanes.count_ones(), *place))?;
        let count = lanes.count_ones() as usize / 8;
        let enough = count >= FEWEST || count == present && present > 1;
        enough.then(|| Made::Moved { from, up, lanes, rest: self.rest(row, lanes) })
    }

    /// The row of the values that stand in none of these bytes.
    fn rest(&mut self, row: &Row, lanes: u64) -> Option<usize> {
        let mut rest = *row;
        (0..LANES).filter(|lane| lanes >> (8 * lane) & 1 == 1).for_each(|lane| rest[lane] = None);
        rest.iter().any(Option::is_some).then(|| self.row(rest))
    }

    /// A row of which most values are computed alike, if that is worth it.
    fn alike(&mut self, row: &Row) -> Option<Made> {
        let (key, lanes, operands) = self.of_one_kind(row, &Self::key)?;
        let operands: Vec<usize> = operands.into_iter().map(|row| self.row(row)).collect();
        let gathered = operands.iter().filter(|operand| self.rows[**operand].1 == Made::Gathered).count();
        if gathered > 1 {
            return None;
        }
        Some(Made::Op { key, operands, lanes, rest: self.rest(row, lanes) })
    }

    /// The operation that computes most values of a row, the bytes of those values, and rows of operands, ordered so that operands match.
    fn of_one_kind(&self, row: &Row, key: &FindKey<'a>) -> Option<(Key, u64, Vec<Row>)> {
        let one_select = self.one_select(row);
        let keys = row.map(|id| id.and_then(|id| key(self, id, one_select)));
        let count = |key: &Key| keys.iter().filter(|other| **other == Some(*key)).count();
        let key = keys.iter().flatten().copied().max_by_key(|key| count(key))?;
        if count(&key) < FEWEST {
            return None;
        }
        let alike: Vec<(usize, Id)> = (0..LANES)
            .filter(|lane| keys[*lane] == Some(key))
            .map(|lane| (lane, row[lane].expect("it has a key")))
            .collect();
        let lanes = alike.iter().map(|(lane, _)| 0xff << (8 * lane)).sum();
        // The order of operands is that of a value that has the same shape as most.
        let shape = |id: Id| self.shapes[id.index()];
        let like = |id: Id| alike.iter().filter(|(_, other)| shape(*other) == shape(id)).count();
        let model = alike.iter().map(|(_, id)| *id).max_by_key(|id| like(*id)).expect("there are some");
        let model = operands(self.logic.op(model), key);
        let mut rows = vec![[None; LANES]; model.len()];
        for &(lane, id) in &alike {
            let mut of_lane = operands(self.logic.op(id), key);
            if matches!(key, Key::And | Key::Or | Key::Xor | Key::Add | Key::Eq | Key::Ne) {
                let score = |a: usize, b: usize| {
                    self.likeness(model[0], of_lane[a]) + self.likeness(model[1], of_lane[b])
                };
                if score(1, 0) > score(0, 1) {
                    of_lane.swap(0, 1);
                }
            }
            rows.iter_mut().zip(of_lane).for_each(|(row, operand)| row[lane] = Some(operand));
        }
        Some((key, lanes, rows))
    }

    /// The select of all multiplexers of a row, if they have the same.
    fn one_select(&self, row: &Row) -> Option<Id> {
        let mut selects = row.iter().flatten().filter_map(|id| match self.logic.op(*id) {
            Op::Mux(select, ..) => Some(select),
            _ => None,
        });
        let first = selects.next()?;
        selects.all(|select| select == first).then_some(first)
    }

    /// The row operation that could compute a value.
    fn key(&self, id: Id, one_select: Option<Id>) -> Option<Key> {
        let logic = self.logic;
        let most = |id: Id, bits: u32| logic.ones(id) >> bits == 0;
        let byte = |id: Id| most(id, LANE_BITS);
        if !byte(id) {
            return None;
        }
        Some(match logic.op(id) {
            Op::And(a, b) if byte(a) || byte(b) => Key::And,
            Op::Or(..) => Key::Or,
            Op::Xor(a, b) if byte(a) && byte(b) => Key::Xor,
            Op::Add(a, b) if byte(a) && byte(b) => Key::Add,
            Op::Shl(a, by) if byte(a) => Key::Shl(by),
            Op::Shr(a, by) if byte(a) => Key::Shr(by),
            Op::Eq(a, b) if byte(a) && byte(b) => Key::Eq,
            Op::Ne(a, b) if byte(a) && byte(b) => Key::Ne,
            Op::Lt(a, b) if most(a, LANE_BITS - 1) && most(b, LANE_BITS - 1) => Key::Lt,
            Op::Le(a, b) if most(a, LANE_BITS - 1) && most(b, LANE_BITS - 1) => Key::Le,
            Op::Mux(select, one, zero) if byte(one) && byte(zero) => match one_select {
                Some(_) => Key::MuxBy(select),
                None => Key::Mux,
            },
            _ => return None,
        })
    }

    /// The operation that makes a value of any width.
    fn wide_key(&self, id: Id, one_select: Option<Id>) -> Option<Key> {
        Some(match self.logic.op(id) {
            Op::And(..) => Key::And,
            Op::Or(..) => Key::Or,
            Op::Xor(..) => Key::Xor,
            Op::Shl(_, by) => Key::Shl(by),
            Op::Shr(_, by) => Key::Shr(by),
            Op::Mux(select, ..) if one_select.is_some() => Key::MuxBy(select),
            Op::Mux(..) => Key::Mux,
            _ => return None,
        })
    }

    /// How much one value is like another.
    fn likeness(&self, a: Id, b: Id) -> u32 {
        let is_same = |same: bool, points: u32| if same { points } else { 0 };
        let kind = |id: Id| std::mem::discriminant(&self.logic.op(id));
        is_same(a == b, 3)
            + is_same(self.shapes[a.index()] == self.shapes[b.index()], 4)
            + is_same(kind(a) == kind(b), 1)
            + is_same(self.field(a).is_some() == self.field(b).is_some(), 1)
    }
}

/// The operands of an operation that are rows.
fn operands(op: Op, key: Key) -> Vec<Id> {
    match (op, key) {
        (Op::Mux(_, one, zero), Key::MuxBy(_)) => vec![one, zero],
        _ => op.operands().collect(),
    }
}

/// How many operations follow one another at most.
fn levels(logic: &Logic) -> u32 {
    let mut levels: Vec<u32> = Vec::with_capacity(logic.values().len());
    for value in logic.values() {
        let below = value.op.operands().map(|id| levels[id.index()]).max();
        levels.push(below.map_or(0, |below| below + 1));
    }
    levels.into_iter().max().unwrap_or(0)
}

/// For each value a number that is the same for values computed alike from registers of the same families.
fn shapes(logic: &Logic, families: &[Family]) -> Vec<u64> {
    let mut family_of = HashMap::new();
    for (index, family) in families.iter().enumerate() {
        family_of.extend(family.iter().map(|word| (*word, index)));
    }
    let mut shapes: Vec<u64> = Vec::with_capacity(logic.values().len());
    for value in logic.values() {
        let of = |id: Id| shapes[id.index()];
        let sorted = |a: Id, b: Id| (of(a).min(of(b)), of(a).max(of(b)));
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(&value.op).hash(&mut hasher);
        match value.op {
            Op::Const(value) => value.hash(&mut hasher),
            Op::Input(_) => {}
            Op::State(word) => family_of.get(&word).hash(&mut hasher),
            Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) | Op::Add(a, b) | Op::Eq(a, b) | Op::Ne(a, b) => {
                sorted(a, b).hash(&mut hasher);
            }
            // The bits of each part of an input have places of their own.
            Op::Shr(a, by) if logic.ones(a) >> LANE_BITS != 0 => (of(a), by % 8).hash(&mut hasher),
            Op::Shl(a, by) | Op::Shr(a, by) => (of(a), by).hash(&mut hasher),
            op => op.operands().for_each(|id| of(id).hash(&mut hasher)),
        }
        shapes.push(hasher.finish());
    }
    shapes
}
