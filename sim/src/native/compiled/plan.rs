//! Plans under which condition each word of the state is written.
//!
//! Most registers of a pipeline share an enable, since a pipeline stalls as a whole. Words that share an enable are
//! computed and stored in one branch, which is cheaper than a conditional move for each word, even if the branch is
//! hard to predict.

use std::collections::HashMap;

use crate::logic::{Id, Logic, Op};

/// A branch is worth it for at least this many words.
const ENOUGH: usize = 8;

/// A condition: a value of one bit, and the level that it has to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Condition {
    pub(super) select: Id,
    pub(super) level: bool,
}

/// Words of the state that are written under the same condition.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) condition: Condition,
    /// Each word, and its next value if the condition holds.
    pub(super) words: Vec<(usize, Id)>,
}

/// How the state is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Words that are written in every cycle, and their next values.
    pub(super) always: Vec<(usize, Id)>,
    pub(super) groups: Vec<Group>,
}

impl Plan {
    pub(super) fn new(logic: &Logic) -> Self {
        let mut rest: Vec<(usize, Id, Vec<Condition>)> = Vec::new();
        // The last pipeline stage comes first: it must be written after it was read, and it reads the stage before
        // it.
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

/// The condition that most words have, if enough of them do.
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

/// The conditions that all hold in a cycle in which a word of the state changes.
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

/// The value of `next` if the condition holds.
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
