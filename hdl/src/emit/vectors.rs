//! Vectors: signals whose names differ in one number only, such as those of the lanes of a beat, are the elements of a packed vector.
//!
//! ```text
//!  slot_9_0_reg, slot_9_1_reg, ...      reg [175:0] slot_9_reg;      slot_9_reg[22*3 +: 22] is the element of lane 3
//! ```
//!
//! Signals become a vector where one statement or one [loop](super::rolls) drives most of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::expression::{Expression, Select};
use crate::netlist::{Module, NodeId, Op};

/// The fewest signals that become a vector.
const FEWEST: usize = 4;

/// The kind of logic that drives the elements of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Driver {
    Register,
    Logic,
    Instances,
}

/// A packed vector of signals of one width.
#[derive(Clone, Debug)]
pub(super) struct Vector {
    pub(super) name: String,
    pub(super) driver: Driver,
    /// Width of an element. Element `index` is at bit `index * width`.
    pub(super) width: u32,
    /// The index of the first element.
    pub(super) first: u32,
    pub(super) elements: Vec<NodeId>,
    pub(super) section: usize,
}

impl Vector {
    /// The lowest bit, and the highest.
    pub(super) fn bits(&self) -> (u32, u32) {
        let end = self.first + self.elements.len() as u32;
        (self.first * self.width, end * self.width - 1)
    }

    /// Bits of the vector.
    pub(super) fn select(&self, low: u32, width: u32) -> Expression {
        Expression::Select(Select {
            name: self.name.clone(),
            bits: self.bits(),
            low: low.into(),
            width,
            step: 0,
            per: 1,
        })
    }
}

/// A name with a number taken out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Template {
    before: String,
    after: String,
}

impl Template {
    /// The templates of a name, each with the number that it lacks.
    fn of(name: &str) -> Vec<(Self, u32)> {
        let words: Vec<&str> = name.split('_').collect();
        let of_word = |(at, word): (usize, &&str)| {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty();
            let is_canonical = *word == "0" || !word.starts_with('0');
            let number = word.parse().ok().filter(|_| is_number && is_canonical && at > 0)?;
            Some((Self { before: words[..at].join("_"), after: words[at + 1..].join("_") }, number))
        };
        words.iter().enumerate().filter_map(of_word).collect()
    }

    /// Whether the number is that of the subject's lane or group: `x_of_lane_3`.
    fn is_of(&self) -> bool {
        self.before.rsplit_once("_of_").is_some_and(|(_, of)| !of.contains('_'))
    }

    /// Names for the vector, the best first. `x_of_lane_3` is element 3 of `x`.
    fn names(&self, first: u32, last: u32) -> Vec<String> {
        let joined = |before: &str, between: &str| -> String {
            let words = [before, between, &self.after];
            words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
        };
        let subject = self.before.rsplit_once("_of_").filter(|(_, of)| !of.contains('_'));
        let subject = subject.map(|(subject, _)| joined(subject, ""));
        let range = format!("{first}_to_{last}");
        subject.into_iter().chain([joined(&self.before, ""), joined(&self.before, &range)]).collect()
    }
}

/// What all elements of a vector have in common.
type Family = (usize, Driver, u32, Template);

/// The vectors that there could be. `named` gives the name of each node in the text, and whether an instance drives it.
pub(super) fn candidates(
    module: &Module,
    names: &[Option<String>],
    of_instances: &HashSet<NodeId>,
) -> Vec<Vector> {
    let lanes: HashMap<NodeId, u32> =
        module.registers().iter().filter_map(|register| Some((register.node, register.lane?))).collect();
    let reset: HashSet<NodeId> =
        module.registers().iter().filter(|r| r.reset.is_some()).map(|r| r.node).collect();
    let mut families: BTreeMap<Family, BTreeMap<u32, NodeId>> = BTreeMap::new();
    let mut of_node: Vec<(NodeId, Vec<Family>)> = Vec::new();
    for id in (0..names.len() as u32).map(NodeId) {
        let node = module.node(id);
        // A name that the source did not give has a number that means nothing.
        let (Some(name), true) = (&names[id.index()], node.name.is_some()) else { continue };
        let driver = match node.op {
            Op::Register(_) if reset.contains(&id) || !lanes.contains_key(&id) => continue,
            Op::Register(_) => Driver::Register,
            Op::Input(_) | Op::Const(_) | Op::Case(..) | Op::Lookup(..) => continue,
            Op::InstanceOutput(..) => Driver::Instances,
            _ if of_instances.contains(&id) => Driver::Instances,
            _ => Driver::Logic,
        };
        let of_name = Template::of(name).into_iter().map(|(template, number)| {
            let family = (node.section, driver, node.width, template);
            families.entry(family.clone()).or_default().insert(number, id);
            family
        });
        of_node.push((id, of_name.collect()));
    }
    // Lanes grow with the number, if it is one of lanes.
    families.retain(|(_, driver, ..), elements| {
        let of: Vec<u32> = elements.values().filter_map(|id| lanes.get(id).copied()).collect();
        elements.len() >= FEWEST
            && (*driver != Driver::Register
                || of.windows(2).all(|pair| pair[0] <= pair[1]) && of.first() < of.last())
    });
    // Each signal belongs to its largest family.
    let mut chosen: BTreeMap<Family, BTreeMap<u32, NodeId>> = BTreeMap::new();
    for (id, of) in of_node {
        let size = |family: &Family| families.get(family).map_or(0, BTreeMap::len);
        // A family of lanes or groups comes first.
        let rank = |family: &Family| (size(family) > 0 && family.3.is_of(), size(family));
        let Some(best) = of.into_iter().rev().max_by_key(rank).filter(|family| size(family) > 0) else {
            continue;
        };
        let number = families[&best].iter().find(|(_, of)| **of == id).map(|(number, _)| *number);
        chosen.entry(best).or_default().insert(number.expect("an element of the family"), id);
    }
    let mut taken: HashSet<String> = names.iter().flatten().cloned().collect();
    taken.extend(module.ports().iter().map(|port| port.name.clone()));
    taken.extend(module.instances().iter().map(|instance| instance.name.clone()));
    let mut vectors = Vec::new();
    for ((section, driver, width, template), elements) in chosen {
        let elements: Vec<(u32, NodeId)> = elements.into_iter().collect();
        for run in elements.chunk_by(|a, b| a.0 + 1 == b.0).filter(|run| run.len() >= FEWEST) {
            let (first, last) = (run[0].0, run[run.len() - 1].0);
            let names = template.names(first, last).into_iter();
            let Some(name) = names.into_iter().find(|name| taken.insert(name.clone())) else { continue };
            let elements = run.iter().map(|(_, id)| *id).collect();
            vectors.push(Vector { name, driver, width, first, elements, section });
        }
    }
    vectors
}

/// The vectors, by index, that are on a combinational loop if each is one signal. Some simulators find no good order for such a vector.
pub(super) fn looped(module: &Module, vectors: &[Vector]) -> HashSet<usize> {
    let mut whole: Vec<usize> = (0..module.nodes().len()).collect();
    for vector in vectors {
        vector.elements.iter().for_each(|id| whole[id.index()] = vector.elements[0].index());
    }
    let mut paths: HashMap<(*const Module, usize), Vec<usize>> = HashMap::new();
    let mut reads: Vec<(usize, usize)> = Vec::new();
    for (index, node) in module.nodes().iter().enumerate() {
        let operands = match node.op {
            Op::InstanceOutput(instance, port) => {
                let instance = &module.instances()[instance];
                let inside = &*instance.module;
                let through = paths
                    .entry((std::ptr::from_ref(inside), port))
                    .or_insert_with(|| inside.combinational_inputs(port));
                through.iter().filter_map(|input| instance.inputs[*input]).collect()
            }
            ref op => op.operands(),
        };
        reads.extend(operands.into_iter().map(|operand| (whole[operand.index()], whole[index])));
    }
    // Nodes that no loop leads to are removed first, then nodes that lead to no loop.
    let forth = rest(whole.len(), &reads, &|_| true);
    let back: Vec<(usize, usize)> = reads.iter().map(|&(from, to)| (to, from)).collect();
    let both = rest(whole.len(), &back, &|node| forth[node]);
    (0..vectors.len()).filter(|at| both[vectors[*at].elements[0].index()]).collect()
}

/// The nodes that remain if those without a predecessor are removed one after the other.
fn rest(nodes: usize, edges: &[(usize, usize)], is_in: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut before = vec![0; nodes];
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &(from, to) in edges.iter().filter(|(from, to)| is_in(*from) && is_in(*to)) {
        before[to] += 1;
        after[from].push(to);
    }
    let mut remains: Vec<bool> = (0..nodes).map(is_in).collect();
    let mut free: Vec<usize> = (0..nodes).filter(|&node| remains[node] && before[node] == 0).collect();
    while let Some(node) = free.pop() {
        remains[node] = false;
        for &next in &after[node] {
            before[next] -= 1;
            if before[next] == 0 {
                free.push(next);
            }
        }
    }
    remains
}
