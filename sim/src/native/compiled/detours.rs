//! Which choices are branches.
//!
//! A choice is a conditional move, for which both values are computed. But where one of them takes many values that nothing
//! else needs, it is mostly something seldom, such as the count in a long header: it is computed behind a branch, which
//! is foreseen as long as it stays away.

use std::collections::HashMap;

use crate::logic::{Id, Logic, Op};

/// Values that make a branch worth it: about as many as the processor loses with one that was not foreseen.
const ENOUGH: usize = 24;

/// The choices of which one value is computed behind a branch, and whether that is the one where the select is 1.
pub(super) fn detours(logic: &Logic) -> HashMap<Id, bool> {
    let mut readers = vec![0_u32; logic.values().len()];
    let roots = logic.outputs.iter().copied().chain(logic.state.iter().map(|word| word.next));
    let operands = logic.values().iter().flat_map(|value| value.op.operands());
    roots.chain(operands).for_each(|id| readers[id.index()] += 1);
    let mut detours = HashMap::new();
    for (id, value) in (0..).map(Id).zip(logic.values()) {
        let Op::Mux(_, one, zero) = value.op else { continue };
        let [at_one, at_zero] = [one, zero].map(|arm| only_for(logic, &mut readers, arm));
        if at_one.max(at_zero) >= ENOUGH {
            detours.insert(id, at_one >= at_zero);
        }
    }
    detours
}

/// How many values are there for one reader of `arm` and nothing else.
fn only_for(logic: &Logic, readers: &mut [u32], arm: Id) -> usize {
    // Takes readers away as values fall, and gives them back at the end.
    let (mut fallen, mut taken, mut rest) = (0, Vec::new(), vec![arm]);
    while let Some(id) = rest.pop() {
        readers[id.index()] -= 1;
        taken.push(id);
        let op = logic.op(id);
        if readers[id.index()] == 0 && !matches!(op, Op::Const(_) | Op::Input(_) | Op::State(_)) {
            fallen += 1;
            rest.extend(op.operands());
        }
    }
    taken.into_iter().for_each(|id| readers[id.index()] += 1);
    fallen
}
