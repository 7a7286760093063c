//! Chooses the multiplexers that become branches.
//!
//! A multiplexer is compiled to a conditional move, for which both values are computed. A value that needs many other
//! values, which nothing else needs, is mostly selected seldom, such as the count in a long header. Such a value is
//! computed in a branch, which the processor predicts well as long as the value is not selected.

use std::collections::HashMap;

use crate::logic::{Id, Logic, Op};

/// A branch pays if it saves at least this many values. A mispredicted branch costs the time of 24 or more, but most of these are
/// selected so seldom that branches around fewer pay too.
const ENOUGH: usize = 8;

/// The multiplexers with a value that is computed in a branch, and whether it is the value for a select of 1.
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

/// How many values are computed only for one reader of `arm`.
fn only_for(logic: &Logic, readers: &mut [u32], arm: Id) -> usize {
    // A value falls when its last reader does. Readers are taken away, and given back at the end.
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
