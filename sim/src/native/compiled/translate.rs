//! From the logic to Cranelift's intermediate form.
//!
//! ```text
//!   entry ──> cycle ──> [enabled] ... ──> [in reset] ──> edge ──> exit
//!               ^                                         │
//!               └─────────────────────────────────────────┘
//! ```
//!
//! A choice is a conditional move, so that the time of a cycle does not depend on how well the data can be guessed. There
//! are three kinds of branch: reset, which is the same for thousands of cycles, an enable that many registers share
//! ([`plan`](super::plan)), and what takes much and is chosen seldom ([`detours`](super::detours)).
//!
//! Values are made when something needs them, so that they are used soon after; words of the state are written in
//! place.

use std::collections::HashMap;

use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlags, Value};
use cranelift_frontend::FunctionBuilder;

use super::detours::detours;
use super::plan::{Group, Plan};
use super::values::{Made, state_type};
use crate::layout::Layout;
use crate::logic::{Id, Logic, Op, ResetPort};

/// Pointers of a cycle: its records, and the state.
#[derive(Clone, Copy)]
pub(super) struct Cycle {
    pub(super) inputs: Value,
    pub(super) outputs: Value,
    pub(super) state: Value,
}

/// Translates one design.
pub(super) struct Translator<'a> {
    pub(super) logic: &'a Logic,
    pub(super) builder: FunctionBuilder<'a>,
    pub(super) made: Vec<Made>,
    /// What there was instead of values made behind a branch, for when it ends.
    pub(super) made_before: Vec<(Id, Made)>,
    /// For each word of the state its value before the edge, if anything reads it, and what does.
    old: Vec<Option<Id>>,
    readers: Vec<Vec<Id>>,
    /// Whether another word takes that value as it is.
    is_moved: Vec<bool>,
    plan: Plan,
    detours: HashMap<Id, bool>,
}

impl<'a> Translator<'a> {
    pub(super) fn new(logic: &'a Logic, builder: FunctionBuilder<'a>) -> Self {
        let (mut old, mut readers) = (vec![None; logic.state.len()], vec![Vec::new(); logic.state.len()]);
        let mut is_read = vec![false; logic.values().len()];
        for (id, value) in (0..).map(Id).zip(logic.values()) {
            if let Op::State(word) = value.op {
                old[word as usize] = Some(id);
            }
            for operand in value.op.operands() {
                is_read[operand.index()] = true;
                if let Op::State(word) = logic.op(operand) {
                    readers[word as usize].push(id);
                }
            }
        }
        let plan = Plan::new(logic);
        // Behind a branch nothing chooses between the new value and the old one.
        for (word, next) in plan.groups.iter().flat_map(|group| &group.words) {
            let choice = logic.state[*word].next;
            if choice != *next && !is_read[choice.index()] {
                readers[*word].retain(|reader| *reader != choice);
            }
        }
        let mut is_moved = vec![false; logic.state.len()];
        for (_, next) in plan.groups.iter().flat_map(|group| &group.words).chain(&plan.always) {
            if let Op::State(word) = logic.op(*next) {
                is_moved[word as usize] = true;
            }
        }
        let made = vec![Made::default(); logic.values().len()];
        let detours = detours(logic);
        Self { logic, builder, made, made_before: Vec::new(), old, readers, is_moved, plan, detours }
    }

    /// Writes the whole function.
    pub(super) fn translate(mut self, layout: &Layout) {
        let [entry, head, edge, exit] = [(); 4].map(|()| self.builder.create_block());
        self.builder.append_block_params_for_function_params(entry);
        self.builder.switch_to_block(entry);
        let [inputs, outputs, cycles, state] = *self.builder.block_params(entry) else {
            unreachable!("the function has four parameters")
        };
        let start = arguments(&[inputs, outputs, cycles]);
        let [inputs, outputs, left] = [(); 3].map(|()| self.builder.append_block_param(head, I64));
        self.builder.ins().jump(head, &start);
        self.builder.switch_to_block(head);
        let cycle = Cycle { inputs, outputs, state };
        if let Some(reset) = self.logic.reset.clone().filter(|reset| reset.asynchronous) {
            let settled = self.builder.create_block();
            self.reset(&reset, &cycle, settled);
        }
        self.cycle(&cycle);
        match self.logic.reset.clone() {
            Some(reset) => self.reset(&reset, &cycle, edge),
            None => {
                self.builder.ins().jump(edge, &[]);
                self.builder.switch_to_block(edge);
            }
        }
        let inputs = self.builder.ins().iadd_imm(cycle.inputs, 8 * layout.input_words as i64);
        let outputs = self.builder.ins().iadd_imm(cycle.outputs, 8 * layout.output_words as i64);
        let left = self.builder.ins().iadd_imm(left, -1);
        let again = arguments(&[inputs, outputs, left]);
        self.builder.ins().brif(left, head, &again, exit, &[]);
        self.builder.switch_to_block(exit);
        self.builder.ins().return_(&[]);
        self.builder.seal_all_blocks();
        self.builder.finalize();
    }

    /// Where the design is in reset, sets words of the state; goes on in `then`.
    fn reset(&mut self, reset: &ResetPort, cycle: &Cycle, then: Block) {
        let in_reset = self.builder.create_block();
        self.builder.set_cold_block(in_reset);
        let word =
            self.builder.ins().load(I64, MemFlags::trusted(), cycle.inputs, 8 * reset.slot.word as i32);
        let level = self.builder.ins().band_imm(word, 1 << reset.slot.shift);
        let (active, inactive) = if reset.active_level == 1 { (in_reset, then) } else { (then, in_reset) };
        self.builder.ins().brif(level, active, &[], inactive, &[]);
        self.builder.switch_to_block(in_reset);
        for (index, word) in self.logic.state.iter().enumerate() {
            if let Some(value) = word.reset {
                let value = self.builder.ins().iconst(state_type(word), value as i64);
                self.builder.ins().store(MemFlags::trusted(), value, cycle.state, 8 * index as i32);
            }
        }
        self.builder.ins().jump(then, &[]);
        self.builder.switch_to_block(then);
    }

    /// Everything that is computed in a cycle: what is always needed, then each group behind its branch.
    fn cycle(&mut self, cycle: &Cycle) {
        let (logic, plan) = (self.logic, std::mem::take(&mut self.plan));
        for (index, id) in logic.outputs.iter().enumerate() {
            self.computed(*id, cycle);
            let value = self.word(*id);
            self.builder.ins().store(MemFlags::trusted(), value, cycle.outputs, 8 * index as i32);
        }
        let conditions: Vec<Id> = plan.groups.iter().map(|group| group.condition.select).collect();
        conditions.iter().for_each(|id| self.computed(*id, cycle));
        self.shared(&plan, cycle);
        self.write_all(&plan.always, cycle);
        for Group { condition, words } in &plan.groups {
            let [inside, after] = [(); 2].map(|()| self.builder.create_block());
            let select = self.byte(condition.select);
            let (one, zero) = if condition.level { (inside, after) } else { (after, inside) };
            self.builder.ins().brif(select, one, &[], zero, &[]);
            self.builder.switch_to_block(inside);
            self.made_before.clear();
            self.write_all(words, cycle);
            self.builder.ins().jump(after, &[]);
            self.builder.switch_to_block(after);
            self.unmake(0);
        }
    }

    /// Forgets all but the first so many changes to what is made: what is made behind a branch is not there after it.
    fn unmake(&mut self, changes: usize) {
        while self.made_before.len() > changes {
            let (id, made) = self.made_before.pop().expect("there are more");
            self.made[id.index()] = made;
        }
    }

    /// Computes what more than one group needs, and loads what one group reads and another writes.
    fn shared(&mut self, plan: &Plan, cycle: &Cycle) {
        let mut readers = vec![usize::MAX; self.logic.values().len()];
        let mut both = Vec::new();
        for (index, group) in plan.groups.iter().enumerate() {
            let mut rest: Vec<Id> = group.words.iter().map(|(_, next)| *next).collect();
            while let Some(id) = rest.pop() {
                let reader = &mut readers[id.index()];
                if self.is_made(id) || *reader == index {
                    continue;
                }
                if *reader != usize::MAX {
                    both.push(id);
                }
                *reader = index;
                rest.extend(self.logic.op(id).operands());
            }
        }
        for (index, group) in plan.groups.iter().enumerate() {
            let old = group.words.iter().filter_map(|(word, _)| self.old[*word]);
            both.extend(old.filter(|old| ![usize::MAX, index].contains(&readers[old.index()])));
        }
        for id in both {
            self.computed(id, cycle);
        }
    }

    /// Writes words of the state, one after the other. What still has to read an old value gets it first.
    fn write_all(&mut self, words: &[(usize, Id)], cycle: &Cycle) {
        for &(word, next) in words {
            self.computed(next, cycle);
            if let Some(old) = self.old[word]
                && (self.is_moved[word] || self.readers[word].iter().any(|reader| !self.is_made(*reader)))
            {
                self.computed(old, cycle);
            }
            let at = 8 * word as i32;
            let value = match state_type(&self.logic.state[word]) {
                I8 => self.byte(next),
                _ => self.word(next),
            };
            self.builder.ins().store(MemFlags::trusted(), value, cycle.state, at);
        }
    }

    /// Computes a value, after all it needs.
    fn computed(&mut self, id: Id, cycle: &Cycle) {
        let mut stack = vec![id];
        while let Some(&id) = stack.last() {
            if self.is_made(id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let far = self.detours.get(&id).map(|level| arms(self.logic.op(id), *level).0);
            let operands = self.logic.op(id).operands().filter(|operand| Some(*operand) != far);
            stack.extend(operands.filter(|operand| !self.is_made(*operand)));
            if stack.len() == before {
                let made = match self.detours.get(&id) {
                    Some(&level) => self.detour(id, level, cycle),
                    None => self.make(id, cycle),
                };
                self.set(id, made);
                stack.pop();
            }
        }
    }

    /// A choice of which one value is computed only where the select has this level; the other is made.
    fn detour(&mut self, id: Id, level: bool, cycle: &Cycle) -> Made {
        let Op::Mux(select, ..) = self.logic.op(id) else { unreachable!("a choice") };
        let (far, near) = arms(self.logic.op(id), level);
        let [inside, after] = [(); 2].map(|()| self.builder.create_block());
        let value = self.builder.append_block_param(after, I64);
        let (select, near) = (self.byte(select), arguments(&[self.word(near)]));
        if level {
            self.builder.ins().brif(select, inside, &[], after, &near);
        } else {
            self.builder.ins().brif(select, after, &near, inside, &[]);
        }
        self.builder.switch_to_block(inside);
        let changes = self.made_before.len();
        self.computed(far, cycle);
        let far = arguments(&[self.word(far)]);
        self.builder.ins().jump(after, &far);
        self.unmake(changes);
        self.builder.switch_to_block(after);
        Made::word(value)
    }
}

/// The values of a choice: that at `level` of the select, and the other.
fn arms(op: Op, level: bool) -> (Id, Id) {
    match op {
        Op::Mux(_, one, zero) => {
            if level {
                (one, zero)
            } else {
                (zero, one)
            }
        }
        _ => unreachable!("a choice"),
    }
}

fn arguments(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|value| BlockArg::Value(*value)).collect()
}
