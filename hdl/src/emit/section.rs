//! The text of a section of a module: declarations, logic, instances, registers; and loops for what is alike.

use crate::netlist::{Instance, NodeId, Op, Register};

use super::alike::connections;
use super::case;
use super::comment::{LINE_WIDTH, heading};
use super::declaration::range;
use super::expression::{Expression, INDEX, Room, Select};
use super::literal::{Use, literal};
use super::module::Writer;
use super::module_name::module_name;
use super::names::Whole;
use super::paragraph::{Kind, Statement, statements};
use super::plan::{Item, is_declared_first};
use super::registers::{self, Load};
use super::rolls::{Roll, has_steps, side_by_side};
use super::vectors::{Driver, Vector};

/// Columns by which what is in a loop is indented.
const IN_LOOP: usize = 12;

/// A loop in the Verilog, and the work that it does for each element.
struct Loop<T> {
    first: i64,
    last: i64,
    label: String,
    work: T,
}

impl<T> Loop<T> {
    fn of(vector: &Vector, roll: &Roll, work: T) -> Self {
        Self { first: roll.first, last: roll.last(), label: label(vector, roll), work }
    }
}

impl Writer<'_> {
    /// The paragraphs of a section, the first under its heading: parameters and registers, the logic, and the
    /// assignments of registers.
    pub(super) fn section(&self, index: usize) -> Vec<String> {
        let items = self.plan.items(index);
        let mut paragraphs = vec![self.forward_declarations(index)];
        paragraphs.extend(self.declarations(index, items));
        let mut lines = Vec::new();
        let mut loops: Vec<Loop<String>> = Vec::new();
        for item in items {
            if let Item::Node(id) = item
                && let (Whole::Vector(of), _) = self.plan.names.whole(*id)
            {
                let (vector, rolls) = self.plan.vector(of);
                if vector.driver == Driver::Logic && vector.elements[0] == *id {
                    self.assign(vector, rolls, &mut lines, &mut loops);
                }
                continue;
            }
            let apart = match item {
                Item::Node(id) if is_declared_first(&self.module.node(*id).op) => continue,
                Item::Node(id) => {
                    paragraphs.extend(generated(std::mem::take(&mut loops)));
                    lines.push(self.definition(*id));
                    continue;
                }
                Item::Block(columns) => self.case(columns),
                Item::Instance(index) => self.instances(*index),
            };
            paragraphs.push(statements(&std::mem::take(&mut lines)));
            paragraphs.extend(generated(std::mem::take(&mut loops)));
            paragraphs.push(apart);
        }
        paragraphs.push(statements(&lines));
        paragraphs.extend(generated(loops));
        paragraphs.extend(self.registers(index));
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        let title = self.module.sections()[index].heading();
        if let Some(first) = paragraphs.first_mut().filter(|_| !title.is_empty()) {
            first.insert_str(0, &heading(&title));
        }
        paragraphs
    }

    /// Declarations of signals that a section is the first to read, and that are driven further down.
    fn forward_declarations(&self, section: usize) -> String {
        let forward = self.plan.read_first_in(section).into_iter();
        let mut lines: Vec<Statement> = forward
            .map(|whole| match whole {
                Whole::Vector(vector) => self.vector_declaration(vector),
                Whole::Node(id) => match self.module.node(id).op {
                    // A signal that is driven later without a second declaration has its note here.
                    Op::Register(_) => self.declaration("reg", id),
                    Op::Case(..) | Op::Lookup(..) if self.is_in_block(id) => self.declaration("reg", id),
                    Op::Const(_) => self.parameter(id),
                    _ => Statement { note: None, ..self.declaration("wire", id) },
                },
            })
            .collect();
        if lines.is_empty() {
            return String::new();
        }
        lines.sort_by_key(|line| (line.kind == Kind::Declaration, line.keyword));
        format!("    // Read here, and driven further down.\n{}", statements(&lines))
    }

    /// Whether a node is driven in an `always @*` block.
    fn is_in_block(&self, id: NodeId) -> bool {
        let items = self.plan.items(self.module.node(id).section);
        items.iter().any(|item| matches!(item, Item::Block(columns) if columns.contains(&id)))
    }

    /// Declarations under the heading: parameters, then registers, then vectors of wires.
    fn declarations(&self, section: usize, items: &[Item]) -> Vec<String> {
        let mut of_vectors: Vec<usize> = self
            .plan
            .vectors_of(section)
            .filter(|vector| !self.plan.is_forward(Whole::Vector(*vector)))
            .collect();
        let mut lines: Vec<Statement> = Vec::new();
        for item in items {
            let Item::Node(id) = item else { continue };
            let (whole, _) = self.plan.names.whole(*id);
            match whole {
                Whole::Node(id) if is_declared_first(&self.module.node(id).op) && !self.is_forward(id) => {
                    lines.push(self.definition(id));
                }
                Whole::Vector(vector) if of_vectors.contains(&vector) => {
                    of_vectors.retain(|other| *other != vector);
                    lines.push(self.vector_declaration(vector));
                }
                _ => {}
            }
        }
        lines.extend(of_vectors.into_iter().map(|vector| self.vector_declaration(vector)));
        lines.sort_by_key(|line| (line.kind == Kind::Declaration, line.keyword));
        let alike = |a: &Statement, b: &Statement| (a.kind, a.keyword) == (b.kind, b.keyword);
        lines.chunk_by(alike).map(statements).collect()
    }

    fn is_forward(&self, id: NodeId) -> bool {
        self.plan.is_forward(self.plan.names.whole(id).0)
    }

    /// Assigns the elements of a vector of wires.
    fn assign(
        &self,
        vector: &Vector,
        rolls: &[Roll],
        lines: &mut Vec<Statement>,
        loops: &mut Vec<Loop<String>>,
    ) {
        for roll in rolls {
            let targets = targets(vector, roll);
            let value = match roll.is_loop().then(|| bits_of_all(vector, roll)) {
                None => roll.expressions[0].clone(),
                Some(Some(value)) => value,
                Some(None) => {
                    let start = format!("{:IN_LOOP$}assign {} = ", "", targets[1]);
                    let room = Room { column: start.len(), indent: IN_LOOP + 4, tail: ";".len() };
                    let work = format!("{start}{};\n", roll.expressions[0].wrapped(room));
                    push(loops, Loop::of(vector, roll, work));
                    continue;
                }
            };
            let mut statement = Statement {
                kind: Kind::Logic,
                keyword: "assign",
                range: String::new(),
                name: targets[0].clone(),
                value: String::new(),
                note: None,
            };
            let room = Room { column: statement.column(), indent: 8, tail: ";".len() };
            statement.value = value.wrapped(room);
            lines.push(statement);
        }
    }

    /// The assignments of the registers of a section.
    fn registers(&self, section: usize) -> Vec<String> {
        let registers = self.module.registers().iter().filter(|register| register.section == section);
        let mut loads = Vec::new();
        let mut loops: Vec<Loop<Vec<Load>>> = Vec::new();
        for register in registers {
            let (Whole::Vector(of), _) = self.plan.names.whole(register.node) else {
                loads.push(self.load(register));
                continue;
            };
            let (vector, rolls) = self.plan.vector(of);
            // Registers of a vector may be driven in several sections.
            for roll in rolls.iter().filter(|roll| vector.elements[roll.begin] == register.node) {
                let targets = targets(vector, roll);
                let enable = roll.expressions.get(1).cloned();
                let load = |target: &String, next| Load { target: target.clone(), next, enable, reset: None };
                match roll.is_loop().then(|| bits_of_all(vector, roll)) {
                    None => loads.push(load(&targets[0], roll.expressions[0].clone())),
                    Some(Some(next)) => loads.push(load(&targets[0], next)),
                    Some(None) => {
                        let work = load(&targets[1], roll.expressions[0].clone());
                        push(&mut loops, Loop::of(vector, roll, work));
                    }
                }
            }
        }
        let reset = self.design.reset;
        let mut blocks = registers::blocks(reset, loads, 4);
        let loops = loops.into_iter().map(|of| Loop {
            first: of.first,
            last: of.last,
            label: of.label,
            work: registers::blocks(reset, of.work, IN_LOOP).concat(),
        });
        blocks.extend(generated(loops.collect()));
        blocks
    }

    /// What a register loads, and when.
    fn load(&self, register: &Register) -> Load {
        Load {
            target: self.plan.names.select(register.node).line(),
            next: self.expressions.read(register.next.expect("a finished module is driven")),
            enable: register.enable.map(|enable| self.expressions.read(enable)),
            reset: register.reset.as_ref().map(|value| literal(value, Use::Value)),
        }
    }

    /// Declares a named node and, unless that is done elsewhere, drives it.
    fn definition(&self, id: NodeId) -> Statement {
        match &self.module.node(id).op {
            Op::Register(_) => self.declaration("reg", id),
            Op::Const(_) => self.parameter(id),
            _ => {
                let mut statement = Statement { kind: Kind::Logic, ..self.declaration("wire", id) };
                if self.is_forward(id) {
                    (statement.keyword, statement.range) = ("assign", String::new());
                }
                let column = statement.column();
                let room = Room { column, indent: 8, tail: ";".len() };
                statement.value = self.expressions.define(id).wrapped(room);
                statement
            }
        }
    }

    /// Declares cases that share a block, and drives them.
    fn case(&self, columns: &[NodeId]) -> String {
        let declared: Vec<Statement> = columns
            .iter()
            .filter(|id| !self.is_forward(**id))
            .map(|id| self.declaration("reg", *id))
            .collect();
        statements(&declared) + &case::block(&self.expressions, columns)
    }

    /// The text of an instance. The first instance of an array stands for the whole array; the others have no text.
    fn instances(&self, index: usize) -> String {
        let Some(array) = self.plan.array_of(index) else {
            return self.instance(index);
        };
        if array.instances.iter().min() != Some(&index) {
            return String::new();
        }
        let of_roll = |roll: &Roll| {
            let first = array.instances[roll.begin];
            if !roll.is_loop() {
                return self.instance(first);
            }
            let instance = &self.module.instances()[first];
            let work = self.connected(instance, &array.name, &roll.expressions, IN_LOOP);
            generated(vec![Loop { first: roll.first, last: roll.last(), label: array.label(roll), work }])
                .concat()
        };
        array.rolls.iter().map(of_roll).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// An instance, with the declarations of the signals that it drives.
    fn instance(&self, index: usize) -> String {
        let instance = &self.module.instances()[index];
        let driven = instance.outputs.iter().flatten().flat_map(|id| match self.plan.names.fields(*id) {
            [] => vec![*id],
            fields => fields.to_vec(),
        });
        let driven =
            driven.filter(|id| !self.is_forward(*id) && self.plan.names.whole(*id).0 == Whole::Node(*id));
        let declarations: Vec<Statement> = driven.map(|id| self.declaration("wire", id)).collect();
        let connections = connections(self.module, &self.plan.names, index);
        statements(&declarations) + &self.connected(instance, &instance.name, &connections, 4)
    }

    /// An instance of this name with its connections, in the order of the ports.
    fn connected(
        &self,
        instance: &Instance,
        name: &str,
        connections: &[Expression],
        indent: usize,
    ) -> String {
        let module = &instance.module;
        let mut fixed: Vec<String> = Vec::new();
        if module.has_clock() {
            fixed.push("clk".to_owned());
        }
        if module.has_reset() {
            fixed.push(self.design.reset.port().to_owned());
        }
        let ports = module.ports().iter().map(|port| port.name.as_str());
        let widest = ports.clone().chain(fixed.iter().map(String::as_str)).map(str::len).max().unwrap_or(0);
        let inner = indent + 4;
        let line = |port: &str, driver: &str| format!("{:inner$}.{port:widest$} ({driver})", "");
        let mut lines: Vec<String> = fixed.iter().map(|port| line(port, port)).collect();
        let room = Room { column: inner + ". (".len() + widest, indent: inner + 4, tail: "),".len() };
        lines.extend(ports.zip(connections).map(|(port, driver)| line(port, &driver.wrapped(room))));
        let module = module_name(module, self.design);
        let mut start = format!("{:indent$}{module} {name} (", "");
        if start.len() > LINE_WIDTH {
            start = format!("{:indent$}{module}\n{:inner$}{name} (", "", "");
        }
        format!("{start}\n{}\n{:indent$});\n", lines.join(",\n"), "")
    }

    /// A named constant.
    fn parameter(&self, id: NodeId) -> Statement {
        let Op::Const(value) = &self.module.node(id).op else {
            unreachable!("only constants are parameters")
        };
        Statement {
            kind: Kind::Parameter,
            value: literal(value, Use::Value),
            ..self.declaration("localparam", id)
        }
    }

    /// The declaration of a named node, with its note.
    fn declaration(&self, keyword: &'static str, id: NodeId) -> Statement {
        let node = self.module.node(id);
        let name = self.plan.names.name(id).expect("only named nodes are declared").to_owned();
        let range = range(node.width);
        let (value, note) = (String::new(), node.note.clone());
        Statement { kind: Kind::Declaration, keyword, range, name, value, note }
    }

    /// The declaration of a vector, with the note of its first element.
    fn vector_declaration(&self, index: usize) -> Statement {
        let (vector, _) = self.plan.vector(index);
        let (low, high) = vector.bits();
        Statement {
            kind: Kind::Declaration,
            keyword: if vector.driver == Driver::Register { "reg" } else { "wire" },
            range: format!("[{high}:{low}]"),
            name: vector.name.clone(),
            value: String::new(),
            note: self.module.node(vector.elements[0]).note.clone(),
        }
    }
}

/// The bits of a vector that a roll drives, in two forms: those of all its statements as one range, and those of one turn of a loop.
fn targets(vector: &Vector, roll: &Roll) -> [String; 2] {
    let first = vector.first + roll.begin as u32;
    let bits = vector.select(first * vector.width, roll.count as u32 * vector.width);
    let Expression::Select(of_all) = bits.clone() else { unreachable!("bits are selected") };
    let step = i64::from(vector.width) * roll.stride as i64;
    let low = i64::from(first * vector.width) - step * roll.first;
    let of_one = Select { low, width: vector.width, step, ..of_all };
    [bits.line(), Expression::Select(of_one).line()]
}

/// The label of a loop over elements of a vector.
fn label(vector: &Vector, roll: &Roll) -> String {
    let is_all = roll.count == vector.elements.len();
    if is_all { format!("each_{}", vector.name) } else { format!("each_{}_from_{}", vector.name, roll.begin) }
}

/// The value for all elements side by side, where they are bits.
fn bits_of_all(vector: &Vector, roll: &Roll) -> Option<Expression> {
    let is_range = vector.width == 1 && roll.stride == 1 && !roll.expressions[1..].iter().any(has_steps);
    side_by_side(&roll.expressions[0], roll.first..roll.last() + 1).filter(|_| is_range)
}

/// Adds a loop, or to the loop over the same elements.
fn push<W, T>(loops: &mut Vec<Loop<T>>, new: Loop<W>)
where
    T: Extend<W> + FromIterator<W>,
{
    match loops.iter_mut().find(|of| (of.first, of.last) == (new.first, new.last)) {
        Some(of) => of.work.extend([new.work]),
        None => loops.push(Loop {
            first: new.first,
            last: new.last,
            label: new.label,
            work: [new.work].into_iter().collect(),
        }),
    }
}

/// A paragraph for each loop.
fn generated(loops: Vec<Loop<String>>) -> Vec<String> {
    let paragraph = |Loop { first, last, label, work }: Loop<String>| {
        format!(
            "    generate\n        for ({INDEX} = {first}; {INDEX} <= {last}; {INDEX} = {INDEX} + 1) begin : {label}\n\
             {work}        end\n    endgenerate\n"
        )
    };
    loops.into_iter().map(paragraph).collect()
}
