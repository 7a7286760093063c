//! Which words of the state are written under which condition.
//!
//! Most registers of a pipeline share an enable: it stalls as a whole. Where many words do, they are computed and
//! stored behind one branch: that is cheaper than a conditional move for each, even where the branch can't be
//! foreseen.

use std::collections::HashMap;

use crate::logic::{Id, Logic, Op};

/// Words that make a branch worth it.
const ENOUGH: usize = 8;

/// A condition: a value of one bit, and what it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Condition {
    pub(super) select: Id,
    pub(super) level: bool,
}

/// Words of the state with one condition in common.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) condition: Condition,
    /// Word, and what it becomes where the condition holds.
    pub(super) words: Vec<(usize, Id)>,
}

/// How the state is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Words written in every cycle, and what they become.
    pub(super) always: Vec<(usize, Id)>,
    pub(super) groups: Vec<Group>,
}

impl Plan {
    pub(super) fn new(logic: &Logic) -> Self {
        let mut rest: Vec<(usize, Id, Vec<Condition>)> = Vec::new();
        // Later registers first: a pipeline mostly reads what stands before it, and what is read should be written last.
        for (index, word) in logic.state.iter().enumerate().rev() {
            if logic.op(word.next) != Op::State(index as u32) {
                let conditions = gate(logic, index as u32, word.next);
                rest.push((index, word.next, conditions));
            }
        }
        let mut groups = Vec::new();
        while let Some(condition) = most_frequent(&rest) {
            let (inside, outside) = rest.into_iter().partition(|(_, _, all)| all.contains(&condition));
            let inside: Vec<(usize, Id, Vec<Condition>)> = inside;
            let words =
                inside.into_iter().map(|(word, next, _)| (word, under(logic, next, condition))).collect();
            groups.push(Group { condition, words });
            rest = outside;
        }
        Self { always: rest.into_iter().map(|(word, next, _)| (word, next)).collect(), groups }
    }
}

/// The condition that most words have, if they are enough.
fn most_frequent(words: &[(usize, Id, Vec<Condition>)]) -> Option<Condition> {
    let mut counts: HashMap<Condition, usize> = HashMap::new();
    words
        .iter()
        .flat_map(|(_, _, all)| all)
        .for_each(|condition| *counts.entry(*condition).or_default() += 1);
    let most =
        counts.into_iter().max_by_key(|(condition, count)| (*count, condition.select, condition.level))?;
    (most.1 >= ENOUGH).then_some(most.0)
}

/// All that holds where a word of the state changes.
fn gate(logic: &Logic, word: u32, next: Id) -> Vec<Condition> {
    let Op::Mux(select, one, zero) = logic.op(next) else { return Vec::new() };
    let is_held = |id: Id| logic.op(id) == Op::State(word);
    let level = match (is_held(one), is_held(zero)) {
        (false, true) => true,
        (true, false) => false,
        _ => return Vec::new(),
    };
    let (mut all, mut rest) = (Vec::new(), vec![Condition { select, level }]);
    while let Some(condition) = rest.pop() {
        let Condition { select, level } = condition;
        match logic.op(select) {
            Op::And(a, b) if level => rest.extend([a, b].map(|select| Condition { select, level })),
            Op::Or(a, b) if !level => rest.extend([a, b].map(|select| Condition { select, level })),
            _ => {}
        }
        let is_bit = logic.ones(select) == 1 && !matches!(logic.op(select), Op::Const(_));
        if is_bit && !all.contains(&condition) {
            all.push(condition);
        }
    }
    all
}

/// What `next` is where the condition holds.
fn under(logic: &Logic, next: Id, condition: Condition) -> Id {
    match logic.op(next) {
        Op::Mux(select, one, zero) if select == condition.select => {
            if condition.level {
                one
            } else {
                zero
            }
        }
        _ => next,
    }
}
