//! Pipeline stages that are one: the registers that begin a folded stage are left out, and its logic does its work in the stage before.
//!
//! ```text
//!  stage   1         2         3         4            stages 2 and 3 folded
//!          a ─[reg]─ b ─[reg]─ c ─[reg]─ d            a ─ b ─ c ─[reg]─ d     now stages 1 and 2
//! ```
//!
//! A module is written for all its stages. Registers that only delay, [`data`](super::Stage::data) and [`flag`](super::Stage::flag), are
//! left out as they are asked for. Registers that hold a state from beat to beat stay: their next value and their readers are of one stage.

use std::collections::HashSet;

use super::check::read_bits;
use super::graph::{Builder, Signal};
use super::module::{Module, NodeId, Op};

/// Stages of a pipeline whose logic is part of the stage before them. Stages are counted from 1, those after a folded one get lower numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folded(u64);

impl Folded {
    /// Whether `stage` is folded.
    pub fn has(self, stage: u32) -> bool {
        self.0.checked_shr(stage).is_some_and(|stages| stages & 1 == 1)
    }

    /// These stages and `stage`.
    pub fn with(self, stage: u32) -> Self {
        Self(self.0 | Self::from_iter([stage]).0)
    }

    /// The number of `stage` among those that are left; for a folded one, that of the stage whose part it is.
    pub fn number(self, stage: u32) -> u32 {
        let up_to = u64::MAX >> (u64::BITS - 1 - stage.min(u64::BITS - 1));
        stage - (self.0 & up_to).count_ones()
    }
}

impl FromIterator<u32> for Folded {
    /// # Panics
    /// If a stage is 0, which has no registers, or above 63.
    fn from_iter<I: IntoIterator<Item = u32>>(stages: I) -> Self {
        let bit = |stage: u32| {
            assert!((1..u64::BITS).contains(&stage), "stage {stage} cannot be folded");
            1 << stage
        };
        Self(stages.into_iter().map(bit).fold(0, |all, bit| all | bit))
    }
}

impl Builder {
    /// Folds stages of the module: for registers that are made from here on.
    pub fn fold(&self, folded: Folded) {
        self.folded.set(folded);
    }

    /// The stages that are folded.
    pub fn folded(&self) -> Folded {
        self.folded.get()
    }

    /// A new module for instances in this one, with the same stages.
    pub fn below(&self, name: impl Into<String>, summary: impl Into<String>) -> Self {
        let module = Self::new(name, summary);
        module.fold(self.folded());
        module
    }

    /// `signal` in place of a register `name` that is left out. The signal gets that name, where it has none and the name is free.
    pub(super) fn without_register<'m>(&'m self, name: &str, signal: Signal<'m>) -> Signal<'m> {
        let name = name.strip_suffix("_reg").unwrap_or(name);
        self.left_out.borrow_mut().push((signal.id, name.to_owned()));
        signal
    }
}

/// Gives signals the names of the registers in whose place they are.
pub(super) fn name_left_out(module: &mut Module, left_out: Vec<(NodeId, String)>) {
    if left_out.is_empty() {
        return;
    }
    let signals = module.nodes.iter().filter_map(|node| node.name.clone());
    let ports = module.ports.iter().map(|port| port.name.clone());
    let instances = module.instances.iter().map(|instance| instance.name.clone());
    let mut names: HashSet<String> = signals.chain(ports).chain(instances).collect();
    let read = read_bits(module);
    for (id, name) in left_out {
        let node = &mut module.nodes[id.index()];
        let is_value = !matches!(node.op, Op::Const(_)) && !read[id.index()].is_zero();
        if node.name.is_none() && is_value && names.insert(name.clone()) {
            node.name = Some(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_after_folded_ones_get_lower_numbers() {
        let folded = Folded::from_iter([2, 3, 5]);
        assert_eq!([1, 2, 3, 4, 5, 6, 70].map(|stage| folded.number(stage)), [1, 1, 1, 2, 2, 3, 67]);
        assert_eq!(
            [0, 1, 2, 4, 5, 63, 64].map(|stage| folded.has(stage)),
            [false, false, true, false, true, false, false]
        );
        assert_eq!(Folded::default().number(63), 63);
    }
}
