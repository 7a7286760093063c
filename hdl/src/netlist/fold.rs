//! Fewer pipeline stages: a copy of a module in which neighbouring stages are one, without the registers between them.
//!
//! ```text
//!  stage   1         2         3         4            without the registers of stages 2 and 3
//!          a ─[reg]─ b ─[reg]─ c ─[reg]─ d            a ─ b ─ c ─[reg]─ d     stages 1 and 2
//! ```
//!
//! Registers that hold a state from beat to beat stay, since that state is of the beats before, however many stages there are.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::check::{CheckErrors, check, read_bits};
use super::module::{Direction, Module, NodeId, Op, Port};
use super::{Bits, trim};

/// `module` without the registers that begin the stages `folded`, in it and in all modules below but those that are parts of their
/// own. The stages after them get lower numbers.
///
/// All registers of a stage in `folded` that do not hold a state must load together with those of the stage before.
///
/// # Panics
/// If the module that is made has an error.
pub fn folded(module: &Arc<Module>, folded: &BTreeSet<u32>) -> Arc<Module> {
    if folded.is_empty() {
        return Arc::clone(module);
    }
    let mut fold = Fold { folded, done: HashMap::new() };
    let top = fold.without_registers(module);
    fold.finished(top)
}

struct Fold<'a> {
    folded: &'a BTreeSet<u32>,
    /// Modules that are done, each with the inputs that it still has.
    done: HashMap<*const Module, (Arc<Module>, Vec<bool>)>,
}

impl Fold<'_> {
    /// The number of a stage among those that are left.
    fn number(&self, stage: u32) -> u32 {
        stage - self.folded.range(..=stage).count() as u32
    }

    /// A module below the top. The enable of registers that are gone is no input any more.
    fn below(&mut self, old: &Arc<Module>) -> (Arc<Module>, Vec<bool>) {
        if let Some(done) = self.done.get(&Arc::as_ptr(old)) {
            return done.clone();
        }
        let mut new = self.without_registers(old);
        let kept = remove_unread_inputs(&mut new);
        let done = (self.finished(new), kept);
        self.done.insert(Arc::as_ptr(old), done.clone());
        done
    }

    fn without_registers(&mut self, old: &Module) -> Module {
        let mut new = old.clone();
        for instance in new.instances.iter_mut().filter(|instance| !instance.is_part) {
            let (module, kept) = self.below(&instance.module);
            instance.module = module;
            let mut kept = kept.into_iter();
            instance.inputs.retain(|_| kept.next() == Some(true));
        }
        self.remove_registers(&mut new);
        self.renumber(&mut new);
        new
    }

    fn finished(&self, module: Module) -> Arc<Module> {
        let module = trim::trimmed(module);
        let errors = check(&module);
        assert!(errors.is_empty(), "{}", CheckErrors::new(errors));
        Arc::new(module)
    }

    /// Makes wires of the registers of folded stages. What comes to such a register gets its name, where it has none.
    fn remove_registers(&self, module: &mut Module) {
        let states = states(module);
        let mut names = names(module);
        for index in (0..module.registers.len()).filter(|index| !states.contains(index)) {
            let register = &module.registers[index];
            if !register.stage.is_some_and(|stage| self.folded.contains(&stage)) {
                continue;
            }
            let (node, next) = (register.node, register.next.expect("a finished module"));
            let name = module.nodes[node.index()].name.take();
            module.nodes[node.index()].op = Op::Wire(Some(next));
            let Some(name) = name else { continue };
            names.remove(&name);
            let source = source(module, next);
            let base = name.strip_suffix("_reg").unwrap_or(&name).to_owned();
            let node = &mut module.nodes[source.index()];
            let is_constant = matches!(node.op, Op::Const(_));
            if node.name.is_none() && !is_constant && names.insert(base.clone()) {
                node.name = Some(base);
            }
        }
    }

    /// Gives registers, sections and groups of ports the numbers of their stages.
    fn renumber(&self, module: &mut Module) {
        for section in &mut module.sections {
            section.stages = section.stages.map(|(first, last)| (self.number(first), self.number(last)));
        }
        for port in &mut module.ports {
            if let Some(stage) = port.group.strip_prefix("Stage ").and_then(|stage| stage.parse().ok()) {
                port.group = format!("Stage {}", self.number(stage));
            }
        }
        let mut names = names(module);
        let mut by_stage: Vec<usize> = (0..module.registers.len()).collect();
        by_stage.sort_by_key(|&index| module.registers[index].stage);
        for index in by_stage {
            let Some(old) = module.registers[index].stage else { continue };
            let new = self.number(old);
            module.registers[index].stage = Some(new);
            let node = module.registers[index].node;
            let Some(name) = &mut module.nodes[node.index()].name else { continue };
            let renamed = match name.strip_suffix(&format!("_{old}_reg")) {
                Some(base) => format!("{base}_{new}_reg"),
                None => name.replacen(&format!("_{old}_"), &format!("_{new}_"), 1),
            };
            if names.insert(renamed.clone()) {
                names.remove(name.as_str());
                *name = renamed;
            }
        }
    }
}

/// Removes the inputs that nothing reads. Gives for each input whether it is kept.
fn remove_unread_inputs(module: &mut Module) -> Vec<bool> {
    let read = read_bits(module);
    let kept: Vec<bool> = module.inputs().map(|port| !read[port.node.index()].is_zero()).collect();
    let mut is_kept = kept.iter();
    let is_input = |port: &Port| port.direction == Direction::Input;
    module.ports.retain(|port| !is_input(port) || is_kept.next() == Some(&true));
    for node in &mut module.nodes {
        if let Op::Input(index) = node.op {
            node.op = match kept[index] {
                true => Op::Input(kept[..index].iter().filter(|kept| **kept).count()),
                false => Op::Const(Bits::zero(node.width)),
            };
            node.name = node.name.take().filter(|_| kept[index]);
        }
    }
    kept
}

/// All names in a module.
fn names(module: &Module) -> HashSet<String> {
    let signals = module.nodes.iter().filter_map(|node| node.name.clone());
    let ports = module.ports.iter().map(|port| port.name.clone());
    signals.chain(ports).chain(module.instances.iter().map(|instance| instance.name.clone())).collect()
}

/// The node that a wire stands for.
fn source(module: &Module, node: NodeId) -> NodeId {
    match &module.node(node).op {
        Op::Wire(Some(driver)) if module.node(node).name.is_none() => source(module, *driver),
        _ => node,
    }
}

/// The registers whose next value depends on their own, through any number of others.
fn states(module: &Module) -> HashSet<usize> {
    let before: Vec<Vec<usize>> =
        module.registers.iter().map(|register| registers_read(module, register.next)).collect();
    let depends_on_itself = |&register: &usize| {
        let (mut seen, mut left) = (HashSet::new(), before[register].clone());
        while let Some(other) = left.pop() {
            if other == register {
                return true;
            }
            if seen.insert(other) {
                left.extend(&before[other]);
            }
        }
        false
    };
    (0..module.registers.len()).filter(depends_on_itself).collect()
}

/// The registers that decide a value in its own cycle.
fn registers_read(module: &Module, node: Option<NodeId>) -> Vec<usize> {
    let (mut seen, mut left, mut found) = (HashSet::new(), Vec::from_iter(node), Vec::new());
    while let Some(node) = left.pop() {
        if !seen.insert(node) {
            continue;
        }
        match &module.node(node).op {
            Op::Register(index) => found.push(*index),
            op => left.extend(op.operands()),
        }
    }
    found
}
