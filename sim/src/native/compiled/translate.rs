//! Translates the logic to Cranelift's intermediate representation.
//!
//! ```text
//!   entry ──> cycle ──> [enabled] ... ──> [in reset] ──> edge ──> exit
//!               ^                                         │
//!               └─────────────────────────────────────────┘
//! ```
//!
//! A multiplexer is a conditional move, so that the time of a cycle does not depend on how well the data can be
//! predicted. There are three kinds of branch: on reset, which is the same for thousands of cycles; on an enable that
//! many registers share ([`plan`](super::plan)); and around values that take long and are seldom selected
//! ([`detours`](super::detours)).
//!
//! A value is made when something first needs it, so that it is used soon after. Words of the state are written in
//! place.

use std::collections::HashMap;

use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlags, Value};
use cranelift_frontend::{FuncInstBuilder, FunctionBuilder};

use super::detours::detours;
use super::plan::{Group, Plan};
use super::values::{Cycle, Made, Values, state_type};
use crate::layout::Layout;
use crate::logic::{Id, Logic, Op, ResetPort};

/// Translates one design.
pub(super) struct Translator<'a> {
    logic: &'a Logic,
    values: Values<'a>,
    /// For each word of the state, the value that loads it, if anything reads it, and the readers of that value.
    old: Vec<Option<Id>>,
    readers: Vec<Vec<Id>>,
    /// For each word of the state whether another word becomes a copy of it.
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
        // A branch has no multiplexer that reads the old value.
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
        let (values, detours) = (Values::new(logic, builder), detours(logic));
        Self { logic, values, old, readers, is_moved, plan, detours }
    }

    fn ins(&mut self) -> FuncInstBuilder<'_, 'a> {
        self.values.builder.ins()
    }

    fn block(&mut self) -> Block {
        self.values.builder.create_block()
    }

    fn switch_to(&mut self, block: Block) {
        self.values.builder.switch_to_block(block);
    }

    /// Writes the whole function.
    pub(super) fn translate(mut self, layout: &Layout) {
        let [entry, head, edge, exit] = [(); 4].map(|()| self.block());
        self.values.builder.append_block_params_for_function_params(entry);
        self.switch_to(entry);
        let [inputs, outputs, cycles, state] = *self.values.builder.block_params(entry) else {
            unreachable!("the function has four parameters")
        };
        let start = arguments(&[inputs, outputs, cycles]);
        let [inputs, outputs, left] = [(); 3].map(|()| self.values.builder.append_block_param(head, I64));
        self.ins().jump(head, &start);
        self.switch_to(head);
        let cycle = Cycle { inputs, outputs, state };
        if let Some(reset) = self.logic.reset.clone().filter(|reset| reset.asynchronous) {
            let settled = self.block();
            self.reset(&reset, &cycle, settled);
        }
        self.cycle(&cycle);
        match self.logic.reset.clone() {
            Some(reset) => self.reset(&reset, &cycle, edge),
            None => {
                self.ins().jump(edge, &[]);
                self.switch_to(edge);
            }
        }
        let inputs = self.ins().iadd_imm(cycle.inputs, 8 * layout.input_words as i64);
        let record = 8 * self.logic.outputs.len() as i64;
        let outputs = self.ins().iadd_imm(cycle.outputs, record);
        let left = self.ins().iadd_imm(left, -1);
        let again = arguments(&[inputs, outputs, left]);
        self.ins().brif(left, head, &again, exit, &[]);
        self.switch_to(exit);
        self.ins().return_(&[]);
        self.values.builder.seal_all_blocks();
        self.values.builder.finalize();
    }

    /// Sets words of the state if the design is in reset, and continues in the block `then`.
    fn reset(&mut self, reset: &ResetPort, cycle: &Cycle, then: Block) {
        let in_reset = self.block();
        self.values.builder.set_cold_block(in_reset);
        let word = self.ins().load(I64, MemFlags::trusted(), cycle.inputs, 8 * reset.slot.word as i32);
        let level = self.ins().band_imm(word, 1 << reset.slot.shift);
        let (active, inactive) = if reset.active_level == 1 { (in_reset, then) } else { (then, in_reset) };
        self.ins().brif(level, active, &[], inactive, &[]);
        self.switch_to(in_reset);
        for (index, word) in self.logic.state.iter().enumerate() {
            if let Some(value) = word.reset {
                let value = self.ins().iconst(state_type(word), value as i64);
                self.ins().store(MemFlags::trusted(), value, cycle.state, 8 * index as i32);
            }
        }
        self.ins().jump(then, &[]);
        self.switch_to(then);
    }

    /// Computes a cycle: the values that are always needed, then each group in its branch.
    fn cycle(&mut self, cycle: &Cycle) {
        let (logic, plan) = (self.logic, std::mem::take(&mut self.plan));
        for (index, id) in logic.outputs.iter().enumerate() {
            self.computed(*id, cycle);
            let value = self.values.word(*id);
            self.ins().store(MemFlags::trusted(), value, cycle.outputs, 8 * index as i32);
        }
        let conditions: Vec<Id> = plan.groups.iter().map(|group| group.condition.select).collect();
        conditions.iter().for_each(|id| self.computed(*id, cycle));
        self.shared(&plan, cycle);
        self.write_all(&plan.always, cycle);
        for Group { condition, words } in &plan.groups {
            let [inside, after] = [(); 2].map(|()| self.block());
            let select = self.values.byte(condition.select);
            let (one, zero) = if condition.level { (inside, after) } else { (after, inside) };
            self.ins().brif(select, one, &[], zero, &[]);
            self.switch_to(inside);
            let branch = self.values.begin_branch();
            self.write_all(words, cycle);
            self.ins().jump(after, &[]);
            self.switch_to(after);
            self.values.end_branch(branch);
        }
    }

    /// Computes the values that more than one group needs, and loads the words that a group writes and a later one
    /// reads.
    fn shared(&mut self, plan: &Plan, cycle: &Cycle) {
        let mut readers = vec![usize::MAX; self.logic.values().len()];
        let mut both = Vec::new();
        for (index, group) in plan.groups.iter().enumerate() {
            let mut rest: Vec<Id> = group.words.iter().map(|(_, next)| *next).collect();
            while let Some(id) = rest.pop() {
                let reader = &mut readers[id.index()];
                if self.values.is_made(id) || *reader == index {
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
            both.extend(old.filter(|old| readers[old.index()] != usize::MAX && readers[old.index()] > index));
        }
        for id in both {
            self.computed(id, cycle);
        }
    }

    /// Writes words of the state, one after the other. The old value of a word is loaded first if it is still needed.
    fn write_all(&mut self, words: &[(usize, Id)], cycle: &Cycle) {
        for &(word, next) in words {
            self.computed(next, cycle);
            if let Some(old) = self.old[word]
                && (self.is_moved[word]
                    || self.readers[word].iter().any(|reader| !self.values.is_made(*reader)))
            {
                self.computed(old, cycle);
            }
            let at = 8 * word as i32;
            let value = match state_type(&self.logic.state[word]) {
                I8 => self.values.byte(next),
                _ => self.values.word(next),
            };
            self.ins().store(MemFlags::trusted(), value, cycle.state, at);
        }
    }

    /// Makes a value, after all values that it reads.
    fn computed(&mut self, id: Id, cycle: &Cycle) {
        let mut stack = vec![id];
        while let Some(&id) = stack.last() {
            if self.values.is_made(id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let far = self.detours.get(&id).map(|level| arms(self.logic.op(id), *level).0);
            let operands = self.logic.op(id).operands().filter(|operand| Some(*operand) != far);
            stack.extend(operands.filter(|operand| !self.values.is_made(*operand)));
            if stack.len() == before {
                let made = match self.detours.get(&id) {
                    Some(&level) => self.detour(id, level, cycle),
                    None => self.values.make(id, cycle),
                };
                self.values.set(id, made);
                stack.pop();
            }
        }
    }

    /// Makes a multiplexer with one value that is computed only if the select has this level. The other value is
    /// computed already.
    fn detour(&mut self, id: Id, level: bool, cycle: &Cycle) -> Made {
        let Op::Mux(select, ..) = self.logic.op(id) else { unreachable!("a multiplexer") };
        let (far, near) = arms(self.logic.op(id), level);
        let [inside, after] = [(); 2].map(|()| self.block());
        let value = self.values.builder.append_block_param(after, I64);
        let (select, near) = (self.values.byte(select), arguments(&[self.values.word(near)]));
        if level {
            self.ins().brif(select, inside, &[], after, &near);
        } else {
            self.ins().brif(select, after, &near, inside, &[]);
        }
        self.switch_to(inside);
        let branch = self.values.begin_branch();
        self.computed(far, cycle);
        let far = arguments(&[self.values.word(far)]);
        self.ins().jump(after, &far);
        self.values.end_branch(branch);
        self.switch_to(after);
        Made::word(value)
    }
}

/// The values of a multiplexer: the one for this level of the select, and the other.
fn arms(op: Op, level: bool) -> (Id, Id) {
    match op {
        Op::Mux(_, one, zero) => {
            if level {
                (one, zero)
            } else {
                (zero, one)
            }
        }
        _ => unreachable!("a multiplexer"),
    }
}

fn arguments(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|value| BlockArg::Value(*value)).collect()
}
