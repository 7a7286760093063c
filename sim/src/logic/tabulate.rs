//! Replaces what depends on few bits of one word by a lookup in a table.
//!
//! The first pipeline stage of a core classifies the unit that comes in: dozens of values, each a function of the same eight or
//! nine bits of the input record. All of them are *columns* of one table of words, computed here for every *key*:
//!
//! ```text
//!   input record ──> key ──> table ──> word ──> column ──> register
//!                  (a field)         (64 bits)  (a field)
//! ```

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::{Id, Logic, Op, Table};

/// Bits of a key at most: a word of such a table for each key takes a fourth of a first-level cache.
const KEY_BITS: u32 = 10;

/// Bits of a column at most.
const COLUMN_BITS: u32 = 16;

/// A column takes the place of at least this many values, fields of the word not counted.
const COLUMN_VALUES: usize = 2;

/// Logic of more values is left alone: tables save a hundredth of its time, and finding them takes as long as compiling it.
const MOST_VALUES: usize = 8192;

/// A table pays if it saves at least this many values.
const ENOUGH: usize = 8;

/// Which bits a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    /// None: it is a constant.
    Nothing,
    /// Bits of one word of the inputs or the state; for a field of that word, by how many bits it is shifted to the right.
    Word { word: Id, bits: u64, shift: Option<i32> },
    /// Bits of several words.
    Several,
}

/// A table: the word that the key is a field of, the bits of the key, and the values that become columns.
struct Plan {
    word: Id,
    key: Range<u32>,
    columns: Vec<Id>,
    saved: usize,
}

impl Logic {
    /// Makes tables as long as they save values.
    pub(super) fn tabulate(mut self) -> Self {
        if self.values.len() > MOST_VALUES {
            return self;
        }
        while let Some(plan) = self.best_table() {
            let with_table = self.with_table(&plan);
            if with_table.values.len() + ENOUGH > self.values.len() {
                break;
            }
            self = with_table;
        }
        self
    }

    /// The table in place of the most values.
    fn best_table(&self) -> Option<Plan> {
        let wanted = self.wanted();
        let reads = self.reads(&wanted);
        let mut keys: HashMap<Id, Vec<u32>> = HashMap::new();
        for reads in &reads {
            // A value of which nobody reads a bit has no key.
            if let Reads::Word { word, bits: bits @ 1.., shift: None } = *reads {
                keys.entry(word).or_default().push(bits.trailing_zeros());
            }
        }
        keys.retain(|_, lows| lows.len() >= ENOUGH);
        let mut keys: Vec<(Id, u32)> =
            keys.into_iter().flat_map(|(word, lows)| lows.into_iter().map(move |low| (word, low))).collect();
        keys.sort_unstable();
        keys.dedup();
        let plans = keys.into_iter().map(|(word, low)| self.table(&reads, &wanted, word, low));
        plans.max_by_key(|plan| plan.saved).filter(|plan| plan.saved >= ENOUGH)
    }

    /// The bits on which each value depends, as far as other values read its bits.
    fn reads(&self, wanted: &[u64]) -> Vec<Reads> {
        let mut reads: Vec<Reads> = Vec::with_capacity(self.values.len());
        for (index, value) in self.values.iter().enumerate() {
            let bits = value.ones & wanted[index];
            let field = |word: Id, shift: i32| {
                let bits = if shift >= 0 { bits << shift } else { bits >> -shift };
                Reads::Word { word, bits, shift: Some(shift) }
            };
            let (of, by) = match value.op {
                Op::And(a, mask) if self.as_const(mask).is_some() => (Some(a), 0),
                Op::Shl(a, by) => (Some(a), -(by as i32)),
                Op::Shr(a, by) => (Some(a), by as i32),
                _ => (None, 0),
            };
            let found = match (value.op, of.map(|of| reads[of.index()])) {
                (Op::Input(_) | Op::State(_), _) => field(Id(index as u32), 0),
                (_, Some(Reads::Word { word, shift: Some(shift), .. })) => field(word, shift + by),
                (op, _) => op.operands().map(|id| reads[id.index()]).fold(Reads::Nothing, Reads::and),
            };
            reads.push(found);
        }
        reads
    }

    /// The table whose key begins with bit `low` of `word`.
    fn table(&self, reads: &[Reads], wanted: &[u64], word: Id, low: u32) -> Plan {
        let window = u64::MAX >> (64 - KEY_BITS) << low;
        let is_inside = |id: Id| matches!(reads[id.index()], Reads::Word { word: read, bits, shift: None } if read == word && bits & !window == 0);
        let ids = || (0..self.values.len() as u32).map(Id);
        let mut is_read_outside = vec![false; self.values.len()];
        self.roots().for_each(|id| is_read_outside[id.index()] = true);
        for id in ids().filter(|id| !is_inside(*id)) {
            self.op(id).operands().for_each(|id| is_read_outside[id.index()] = true);
        }
        let (mut columns, mut key, mut covered) = (Vec::new(), 0, vec![false; self.values.len()]);
        for id in ids().filter(|id| is_inside(*id) && is_read_outside[id.index()]) {
            let bits = self.ones(id) & wanted[id.index()];
            let cone = self.cone(&[id], is_inside);
            if bits != 0 && width(bits) <= COLUMN_BITS && cone.len() >= COLUMN_VALUES {
                columns.push(id);
                cone.iter().for_each(|id| covered[id.index()] = true);
                if let Reads::Word { bits, .. } = reads[id.index()] {
                    key |= bits;
                }
            }
        }
        let saved = covered.iter().filter(|covered| **covered).count().saturating_sub(2 * columns.len());
        let key = if key == 0 { low..low } else { key.trailing_zeros()..64 - key.leading_zeros() };
        Plan { word, key, columns, saved }
    }

    /// The values inside that some values need, these among them.
    fn cone(&self, of: &[Id], is_inside: impl Fn(Id) -> bool) -> Vec<Id> {
        let (mut cone, mut next) = (of.to_vec(), 0);
        let mut found: HashSet<Id> = of.iter().copied().collect();
        while next < cone.len() {
            cone.extend(self.op(cone[next]).operands().filter(|id| is_inside(*id) && found.insert(*id)));
            next += 1;
        }
        cone
    }

    /// The logic with a table.
    fn with_table(&self, plan: &Plan) -> Self {
        let wanted = self.wanted();
        let needed = self.needed(&plan.columns);
        let mut values = vec![0; self.values.len()];
        let of_keys: Vec<Vec<u64>> = (0..1_u64 << plan.key.len())
            .map(|key| {
                self.evaluate(&needed, plan.word, key << plan.key.start, &mut values);
                plan.columns.iter().map(|id| values[id.index()]).collect()
            })
            .collect();
        let mut logic = Self {
            tables: self.tables.clone(),
            state: self.state.clone(),
            reset: self.reset.clone(),
            ..Self::default()
        };
        // For each column, the index of the table, the first bit in a word of the table, and the bits of the value.
        let mut places = vec![None; self.values.len()];
        let (mut words, mut used) = (vec![0; of_keys.len()], 0);
        for (column, id) in plan.columns.iter().enumerate() {
            let bits = self.ones(*id) & wanted[id.index()];
            if used + width(bits) > 64 {
                logic.tables.push(std::mem::replace(&mut words, vec![0; of_keys.len()]).into());
                used = 0;
            }
            for (word, values) in words.iter_mut().zip(&of_keys) {
                *word |= (values[column] & bits) >> bits.trailing_zeros() << used;
            }
            places[id.index()] = Some((logic.tables.len(), used, bits));
            used += width(bits);
        }
        logic.tables.push(words.into());
        let mut made: Vec<Id> = Vec::with_capacity(self.values.len());
        for (index, value) in self.values.iter().enumerate() {
            let new = match places[index] {
                Some((table, from, bits)) => {
                    let key = logic.shr(made[plan.word.index()], plan.key.start);
                    let key = logic.and_mask(key, (1 << plan.key.len()) - 1);
                    let ones = logic.tables[table].iter().fold(0, |ones, word| ones | word);
                    let word = logic.add_op(Op::Lookup(key, Table { index: table as u32, ones }));
                    let column = logic.shr(word, from);
                    let column = logic.and_mask(column, bits >> bits.trailing_zeros());
                    logic.shl(column, bits.trailing_zeros())
                }
                None => logic.remake(value.op.map(|id| made[id.index()])),
            };
            made.push(new);
        }
        logic.outputs = self.outputs.iter().map(|id| made[id.index()]).collect();
        logic.state.iter_mut().for_each(|word| word.next = made[word.next.index()]);
        logic.narrow()
    }

    /// The values on which the columns depend, operands first.
    fn needed(&self, columns: &[Id]) -> Vec<Id> {
        let mut needed = self.cone(columns, |_| true);
        needed.sort_unstable();
        needed
    }

    /// Computes the needed values for one value of the input or state word on which all of them depend.
    fn evaluate(&self, needed: &[Id], word: Id, of_word: u64, values: &mut [u64]) {
        for &id in needed {
            values[id.index()] = match self.op(id) {
                _ if id == word => of_word & self.ones(id),
                Op::Lookup(key, table) => self.tables[table.index as usize][values[key.index()] as usize],
                op => op.apply(|id| values[id.index()]).expect("neither another input nor state"),
            };
        }
    }
}

impl Reads {
    /// The bits on which a value depends that is computed from two others.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, Self::Word { word, bits, .. })
            | (Self::Word { word, bits, .. }, Self::Nothing) => Self::Word { word, bits, shift: None },
            (Self::Nothing, Self::Nothing) => Self::Nothing,
            (Self::Word { word, bits, .. }, Self::Word { word: other, bits: more, .. }) if word == other => {
                Self::Word { word, bits: bits | more, shift: None }
            }
            _ => Self::Several,
        }
    }
}

/// The number of bits from the lowest 1 of a value to the highest.
fn width(bits: u64) -> u32 {
    64 - bits.leading_zeros() - bits.trailing_zeros()
}
