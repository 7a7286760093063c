//! An evaluator of modules for unit tests of blocks: slow, and plain enough to be checked by reading.
//!
//! A value is a list of bits, least significant first. All instances are flattened into *scopes*; the value of a node is
//! computed when it is asked for and kept until an input changes or the clock ticks.
//!
//! ```text
//! let mut block = Evaluator::new(&module);
//! block.set("length_0", 3);          // an input
//! block.clock();                     // a rising edge
//! assert_eq!(block.get("end_0"), 3); // an output
//! ```

use std::rc::Rc;
use std::sync::Arc;

use super::module::{BinaryOp, Module, NodeId, Op, ReduceOp};

type Value = Rc<[bool]>;

/// A module that is evaluated cycle by cycle. All inputs and registers hold 0 at first.
pub(crate) struct Evaluator {
    /// The module itself, and all instances in it.
    scopes: Vec<Scope>,
    inputs: Vec<Value>,
}

struct Scope {
    module: Arc<Module>,
    /// The scope that holds the instance, and the index of the instance in its module.
    parent: Option<(usize, usize)>,
    /// The scope of each instance.
    children: Vec<usize>,
    registers: Vec<Value>,
    /// The nodes that have been computed in this cycle.
    known: Vec<Option<Value>>,
}

impl Evaluator {
    /// An evaluator of `module`.
    pub(crate) fn new(module: &Arc<Module>) -> Self {
        let inputs = module.inputs().map(|port| zeros(port.width)).collect();
        let mut evaluator = Self { scopes: Vec::new(), inputs };
        evaluator.scope(module, None);
        evaluator
    }

    fn scope(&mut self, module: &Arc<Module>, parent: Option<(usize, usize)>) -> usize {
        let index = self.scopes.len();
        let registers = module.registers().iter().map(|register| zeros(module.node(register.node).width));
        self.scopes.push(Scope {
            module: Arc::clone(module),
            parent,
            children: Vec::new(),
            registers: registers.collect(),
            known: vec![None; module.nodes().len()],
        });
        for (number, instance) in module.instances().iter().enumerate() {
            let child = self.scope(&instance.module, Some((index, number)));
            self.scopes[index].children.push(child);
        }
        index
    }

    /// Sets an input.
    ///
    /// # Panics
    /// If there is no such input, or `value` does not fit.
    #[track_caller]
    pub(crate) fn set(&mut self, name: &str, value: u64) {
        let width = {
            let module = &self.scopes[0].module;
            module
                .inputs()
                .find(|port| port.name == name)
                .unwrap_or_else(|| panic!("no input `{name}`"))
                .width
        };
        assert!(width >= 64 || value >> width == 0, "{value:#x} does not fit in `{name}` of {width} bits");
        self.set_bits(name, (0..width).map(|bit| bit < 64 && value >> bit & 1 == 1));
    }

    /// Sets an input of any width, by its bits, least significant first.
    ///
    /// # Panics
    /// If there is no such input, or it has another width.
    #[track_caller]
    pub(crate) fn set_bits(&mut self, name: &str, bits: impl IntoIterator<Item = bool>) {
        let index = self.scopes[0].module.inputs().position(|port| port.name == name);
        let index = index.unwrap_or_else(|| panic!("no input `{name}`"));
        let bits: Value = bits.into_iter().collect();
        assert_eq!(bits.len(), self.inputs[index].len(), "bits of input `{name}`");
        self.inputs[index] = bits;
        self.forget();
    }

    /// An output of up to 64 bits.
    ///
    /// # Panics
    /// If there is no such output, or it is wider.
    #[track_caller]
    pub(crate) fn get(&mut self, name: &str) -> u64 {
        let bits = self.get_bits(name);
        assert!(bits.len() <= 64, "output `{name}` has {} bits", bits.len());
        number(&bits)
    }

    /// The bits of an output, least significant first.
    ///
    /// # Panics
    /// If there is no such output.
    #[track_caller]
    pub(crate) fn get_bits(&mut self, name: &str) -> Vec<bool> {
        let node = self.scopes[0].module.outputs().find(|port| port.name == name).map(|port| port.node);
        self.value(0, node.unwrap_or_else(|| panic!("no output `{name}`"))).to_vec()
    }

    /// A rising edge of the clock.
    pub(crate) fn clock(&mut self) {
        self.edge(false);
    }

    /// A rising edge of the clock under reset.
    pub(crate) fn reset(&mut self) {
        self.edge(true);
    }

    fn edge(&mut self, in_reset: bool) {
        let next = |this: &mut Self, scope: usize| -> Vec<Value> {
            let module = Arc::clone(&this.scopes[scope].module);
            let registers = module.registers().iter().enumerate();
            let next = registers.map(|(index, register)| match &register.reset {
                Some(value) if in_reset => (0..value.width()).map(|bit| value.bit(bit)).collect(),
                _ if register.enable.is_some_and(|enable| !this.value(scope, enable)[0]) => {
                    Rc::clone(&this.scopes[scope].registers[index])
                }
                _ => this.value(scope, register.next.expect("a finished module")),
            });
            next.collect()
        };
        let next: Vec<Vec<Value>> = (0..self.scopes.len()).map(|scope| next(self, scope)).collect();
        self.scopes.iter_mut().zip(next).for_each(|(scope, next)| scope.registers = next);
        self.forget();
    }

    fn forget(&mut self) {
        self.scopes.iter_mut().for_each(|scope| scope.known.fill(None));
    }

    fn value(&mut self, scope: usize, id: NodeId) -> Value {
        if let Some(known) = &self.scopes[scope].known[id.index()] {
            return Rc::clone(known);
        }
        let value = self.computed(scope, id);
        self.scopes[scope].known[id.index()] = Some(Rc::clone(&value));
        value
    }

    fn computed(&mut self, scope: usize, id: NodeId) -> Value {
        let module = Arc::clone(&self.scopes[scope].module);
        let node = module.node(id);
        let mut of = |id: &NodeId| self.value(scope, *id);
        match &node.op {
            Op::Input(index) => match self.scopes[scope].parent {
                None => Rc::clone(&self.inputs[*index]),
                Some((parent, instance)) => {
                    let driver = self.scopes[parent].module.instances()[instance].inputs[*index];
                    self.value(parent, driver.expect("a connected input"))
                }
            },
            Op::Register(index) => Rc::clone(&self.scopes[scope].registers[*index]),
            Op::InstanceOutput(instance, output) => {
                let child = self.scopes[scope].children[*instance];
                let node = self.scopes[child].module.outputs().nth(*output).expect("an output").node;
                self.value(child, node)
            }
            Op::Const(value) => (0..node.width).map(|bit| value.bit(bit)).collect(),
            Op::Wire(driver) => of(&driver.expect("a driven wire")),
            Op::Not(a) => of(a).iter().map(|bit| !bit).collect(),
            Op::Binary(op, a, b) => binary(*op, &of(a), &of(b)),
            Op::Reduce(op, a) => {
                let ones = of(a).iter().filter(|&&bit| bit).count();
                let width = of(a).len();
                [match op {
                    ReduceOp::And => ones == width,
                    ReduceOp::Or => ones > 0,
                    ReduceOp::Xor => ones % 2 == 1,
                }]
                .into()
            }
            Op::Mux(select, one, zero) => {
                let chosen = if of(select)[0] { one } else { zero };
                of(chosen)
            }
            Op::Case(key, arms, default) => {
                let key = of(key);
                let words: Vec<u64> = key.chunks(64).map(number).collect();
                let arm = arms.iter().find(|arm| arm.matches(&words));
                of(arm.map_or(default, |arm| &arm.value))
            }
            Op::Lookup(key, words) => {
                let word = words[number(&of(key)) as usize];
                (0..node.width).map(|bit| word >> bit & 1 == 1).collect()
            }
            Op::Slice(from, low) => {
                let low = *low as usize;
                of(from)[low..low + node.width as usize].into()
            }
            Op::Concat(parts) => parts.iter().rev().flat_map(|part| of(part).to_vec()).collect(),
        }
    }
}

/// Numbers that look random, the same in each run.
pub(crate) struct Random(u64);

impl Random {
    /// The sequence that begins with `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, below `limit`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// The next number is 0, which is so once in `times`.
    pub(crate) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

fn zeros(width: u32) -> Value {
    vec![false; width as usize].into()
}

fn number(bits: &[bool]) -> u64 {
    bits.iter().rev().fold(0, |number, &bit| number << 1 | u64::from(bit))
}

fn binary(op: BinaryOp, a: &[bool], b: &[bool]) -> Value {
    let bitwise = |f: fn(bool, bool) -> bool| a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect::<Value>();
    let difference = sum(a, &b.iter().map(|bit| !bit).collect::<Vec<_>>(), true);
    let is_less = a.iter().rev().lt(b.iter().rev());
    // An amount of 64 bits at most; where the rest is not zero, all is shifted out.
    let amount = match b.iter().skip(32).any(|&bit| bit) {
        true => a.len(),
        false => a.len().min(number(&b[..b.len().min(32)]) as usize),
    };
    match op {
        BinaryOp::And => bitwise(|a, b| a & b),
        BinaryOp::Or => bitwise(|a, b| a | b),
        BinaryOp::Xor => bitwise(|a, b| a ^ b),
        BinaryOp::Add => sum(a, b, false),
        BinaryOp::Sub => difference,
        BinaryOp::Eq => [a == b].into(),
        BinaryOp::Ne => [a != b].into(),
        BinaryOp::Lt => [is_less].into(),
        BinaryOp::Le => [is_less || a == b].into(),
        BinaryOp::Shl => std::iter::repeat_n(&false, amount).chain(&a[..a.len() - amount]).copied().collect(),
        BinaryOp::Shr => a[amount..].iter().chain(std::iter::repeat_n(&false, amount)).copied().collect(),
    }
}

/// The sum of two numbers and a carry, as wide as the first.
fn sum(a: &[bool], b: &[bool], mut carry: bool) -> Value {
    let bits = a.iter().zip(b).map(|(&a, &b)| {
        let bit = a ^ b ^ carry;
        carry = (a & b) | (carry & (a | b));
        bit
    });
    bits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::{Builder, Signal};

    /// A module of two operands of eight bits and a counter in an instance.
    fn operations() -> Arc<Module> {
        let counter = Builder::new("counter", "Counts.");
        let by = counter.input("by", 4, "");
        let count = counter.reg("count_reg", 4).reset(5);
        count.next_when(by.any(), count.q + by);
        counter.output("count", count.q, "");
        counter.output("next", count.q + by, "");
        let counter = counter.built();

        let m = Builder::new("operations", "Does all that a netlist can.");
        let (a, b) = (m.input("a", 8, ""), m.input("b", 8, ""));
        let instance = m.instance("counter", &counter).input("by", a.bits(0..4));
        let out = |name: &str, signal: Signal<'_>| m.output(name, signal.named(&format!("{name}_wire")), "");
        out("conjunction", a & b);
        out("sum", a + b);
        out("difference", a - b);
        out("lt", a.lt(b));
        out("le", a.le(b));
        out("eq", a.eq(b));
        out("shl", a << b);
        out("shr", a >> b);
        out("all", a.all());
        out("parity", a.parity());
        out("mux", b.bit(0).mux(a, !a));
        out("chosen", a.case([(&[1, 2], b), (&[3], m.lit(8, 9))], m.lit(8, 7)));
        out("swapped", m.concat([a.bits(0..4), a.bits(4..8)]));
        out("count", instance.output("count"));
        out("next", instance.output("next"));
        m.built()
    }

    #[test]
    fn operations_are_those_of_rust() {
        let mut block = Evaluator::new(&operations());
        for (a, b) in (0..256).flat_map(|a| [0_u64, 1, 3, 7, 8, 127, 128, 254, 255].map(|b| (a as u64, b))) {
            block.set("a", a);
            block.set("b", b);
            let byte = |value: u64| value & 0xff;
            let expected = [
                ("conjunction", a & b),
                ("sum", byte(a + b)),
                ("difference", byte(a.wrapping_sub(b))),
                ("lt", u64::from(a < b)),
                ("le", u64::from(a <= b)),
                ("eq", u64::from(a == b)),
                ("shl", if b < 8 { byte(a << b) } else { 0 }),
                ("shr", if b < 8 { a >> b } else { 0 }),
                ("all", u64::from(a == 255)),
                ("parity", u64::from(a.count_ones() % 2)),
                ("mux", if b % 2 == 1 { a } else { byte(!a) }),
                ("chosen", if a == 1 || a == 2 { b } else { [7, 9][usize::from(a == 3)] }),
                ("swapped", a >> 4 | byte(a << 4)),
            ];
            for (port, value) in expected {
                assert_eq!(block.get(port), value, "{port} of {a} and {b}");
            }
        }
    }

    #[test]
    fn registers_load_at_the_edge_where_they_are_enabled() {
        let mut block = Evaluator::new(&operations());
        block.set("a", 2);
        assert_eq!((block.get("count"), block.get("next")), (0, 2));
        block.clock();
        assert_eq!((block.get("count"), block.get("next")), (2, 4));
        block.set("a", 16);
        block.clock();
        assert_eq!(block.get("count"), 2);
        block.reset();
        assert_eq!(block.get("count"), 5);
    }
}
