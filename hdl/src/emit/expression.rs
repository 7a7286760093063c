//! Expressions, with the parentheses a reader needs and no others.

use crate::netlist::{Arm, BinaryOp, Bits, Module, NodeId, Op, Pattern, ReduceOp};

use super::LINE_WIDTH;
use super::plan::{Plan, is_repetition};

/// How tightly the outermost operator of an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Conditional,
    LogicalOr,
    LogicalAnd,
    /// `|bits` beside another operator is easily misread.
    Reduction,
    /// Bitwise, arithmetic and shifts: among each other they always get parentheses, for few know by heart how they
    /// bind.
    Operator,
    Comparison,
    Unary,
    Primary,
}

/// An expression in the making.
pub(super) struct Expression {
    binding: Binding,
    /// Operands of a chain (`a && b && c`), arms of a conditional or parts of a concatenation: where a line may be broken.
    parts: Vec<String>,
    /// What stands between the parts.
    joint: String,
}

impl Expression {
    fn primary(text: String) -> Self {
        Self { binding: Binding::Primary, parts: vec![text], joint: String::new() }
    }

    /// The expression on one line.
    pub(super) fn line(&self) -> String {
        self.parts.join(&self.joint)
    }

    /// The expression on as many lines as `width` columns ask for, further ones indented by `indent`.
    pub(super) fn wrapped(&self, first_width: usize, indent: usize) -> String {
        let line = self.line();
        if line.len() <= first_width || self.parts.len() == 1 {
            return line;
        }
        if self.joint == ", " {
            return filled(&self.parts, first_width, indent);
        }
        self.parts.join(&format!("\n{:indent$}{}", "", self.joint.trim_start()))
    }

    /// As an operand of something that binds like `outer`.
    fn within(&self, outer: Binding) -> String {
        let line = self.line();
        let bare = match (outer, self.binding) {
            (_, Binding::Primary) => true,
            (Binding::Unary, _) => false,
            (Binding::LogicalAnd | Binding::LogicalOr, Binding::Comparison | Binding::Unary) => true,
            // Few know by heart that `a && b ? c : d` is what they hope.
            (Binding::Conditional, inner) => {
                matches!(inner, Binding::Operator | Binding::Comparison | Binding::Unary)
            }
            (Binding::Comparison | Binding::Operator, Binding::Unary) => true,
            _ => false,
        };
        if bare { line } else { format!("({line})") }
    }
}

/// The parts of a concatenation, as many on a line as it has room for.
fn filled(parts: &[String], first_width: usize, indent: usize) -> String {
    let mut text = parts[0].clone();
    let mut column = LINE_WIDTH.saturating_sub(first_width) + text.len();
    for part in &parts[1..] {
        if column + ", ".len() + part.len() + ",".len() > LINE_WIDTH {
            text += &format!(",\n{:indent$}{part}", "");
            column = indent + part.len();
        } else {
            text += &format!(", {part}");
            column += ", ".len() + part.len();
        }
    }
    text
}

/// Writes the expressions of one module.
pub(super) struct Expressions<'m> {
    pub(super) module: &'m Module,
    pub(super) plan: &'m Plan,
}

impl Expressions<'_> {
    /// What stands where `id` is read: its name, or its expression.
    pub(super) fn read(&self, id: NodeId) -> Expression {
        match self.plan.name(id) {
            Some(name) => Expression::primary(name.to_owned()),
            None => self.define(id),
        }
    }

    /// The expression of `id` itself, whether it has a name or not.
    pub(super) fn define(&self, id: NodeId) -> Expression {
        let node = self.module.node(id);
        match &node.op {
            Op::Input(_) | Op::Register(_) | Op::InstanceOutput(..) => unreachable!("read by name"),
            Op::Const(value) => Expression::primary(literal(value)),
            Op::Wire(driver) => self.read(driver.expect("a finished module is driven")),
            Op::Not(a) => self.not(*a, node.width),
            Op::Reduce(op, a) => {
                let symbol = match op {
                    ReduceOp::And => "&",
                    ReduceOp::Or => "|",
                    ReduceOp::Xor => "^",
                };
                Expression { binding: Binding::Reduction, ..self.unary(symbol, *a) }
            }
            Op::Binary(op, a, b) => self.binary(*op, *a, *b, node.width),
            Op::Mux(select, one, zero) => self.conditional(*select, *one, *zero),
            Op::Case(key, arms, default) => self.choice(*key, arms, *default),
            Op::Slice(of, low) => {
                let name = self.plan.name(*of).expect("what bits are taken of has a name");
                let high = low + node.width - 1;
                let range = if high == *low { format!("{low}") } else { format!("{high}:{low}") };
                Expression::primary(format!("{name}[{range}]"))
            }
            Op::Concat(parts) => self.concat(parts),
        }
    }

    /// A complement; of a comparison in line, the opposite comparison.
    fn not(&self, a: NodeId, width: u32) -> Expression {
        match self.module.node(a).op {
            Op::Binary(BinaryOp::Eq, x, y) if self.plan.name(a).is_none() => {
                self.binary(BinaryOp::Ne, x, y, 1)
            }
            Op::Binary(BinaryOp::Ne, x, y) if self.plan.name(a).is_none() => {
                self.binary(BinaryOp::Eq, x, y, 1)
            }
            _ => self.unary(if width == 1 { "!" } else { "~" }, a),
        }
    }

    fn unary(&self, symbol: &str, a: NodeId) -> Expression {
        let text = format!("{symbol}{}", self.read(a).within(Binding::Unary));
        Expression { binding: Binding::Unary, parts: vec![text], joint: String::new() }
    }

    fn binary(&self, op: BinaryOp, a: NodeId, b: NodeId, width: u32) -> Expression {
        let (binding, symbol) = match op {
            BinaryOp::And if width == 1 => (Binding::LogicalAnd, "&&"),
            BinaryOp::Or if width == 1 => (Binding::LogicalOr, "||"),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => (Binding::Comparison, op.symbol()),
            _ => (Binding::Operator, op.symbol()),
        };
        let associative = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add);
        let joint = format!(" {symbol} ");
        let mut parts = Vec::new();
        for operand in [a, b] {
            let inner = self.operand(op, operand, [a, b]);
            if associative && inner.binding == binding && inner.joint == joint {
                parts.extend(inner.parts);
            } else {
                parts.push(inner.within(binding));
            }
        }
        Expression { binding, parts, joint }
    }

    /// An operand of a binary operator; a constant that a few bits are compared with is a bit pattern.
    fn operand(&self, op: BinaryOp, id: NodeId, both: [NodeId; 2]) -> Expression {
        let compares = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let selects = |id: NodeId| {
            let node = self.module.node(id);
            node.name.is_none() && matches!(node.op, Op::Slice(..) | Op::Concat(..))
        };
        match &self.module.node(id).op {
            Op::Const(value)
                if self.plan.name(id).is_none()
                    && compares
                    && value.width() <= 8
                    && both.into_iter().any(selects) =>
            {
                Expression::primary(pattern(value))
            }
            _ => self.read(id),
        }
    }

    fn conditional(&self, select: NodeId, one: NodeId, zero: NodeId) -> Expression {
        let first = format!("{} ? {}", self.read(select).within(Binding::Conditional), self.arm(one));
        let rest = self.read(zero);
        let mut parts = vec![first];
        // `a ? x : b ? y : z` reads as a list; only a conditional between `?` and `:` needs parentheses.
        if rest.binding == Binding::Conditional {
            parts.extend(rest.parts);
        } else {
            parts.push(rest.within(Binding::Conditional));
        }
        Expression { binding: Binding::Conditional, parts, joint: " : ".to_owned() }
    }

    /// A case as a list of conditions.
    fn choice(&self, key: NodeId, arms: &[Arm], default: NodeId) -> Expression {
        let key = self.read(key).within(Binding::Comparison);
        let mut parts = Vec::new();
        for Arm { labels, value, .. } in arms {
            let test = |label: &Pattern| match label.is_exact() {
                true => format!("{key} == {}", literal(label.value())),
                false => format!("({key} & {}) == {}", literal(label.care()), literal(label.value())),
            };
            let is: Vec<String> = labels.iter().map(test).collect();
            let condition = if is.len() == 1 { is[0].clone() } else { format!("({})", is.join(" || ")) };
            parts.push(format!("{condition} ? {}", self.arm(*value)));
        }
        parts.push(self.arm(default));
        Expression { binding: Binding::Conditional, parts, joint: " : ".to_owned() }
    }

    fn arm(&self, id: NodeId) -> String {
        self.read(id).within(Binding::Conditional)
    }

    fn concat(&self, parts: &[NodeId]) -> Expression {
        if is_repetition(parts) {
            return Expression::primary(format!("{{{}{{{}}}}}", parts.len(), self.read(parts[0]).line()));
        }
        let mut texts: Vec<String> = parts.iter().map(|part| self.read(*part).line()).collect();
        texts[0].insert(0, '{');
        texts.last_mut().expect("at least one part").push('}');
        Expression { binding: Binding::Primary, parts: texts, joint: ", ".to_owned() }
    }
}

/// A sized literal: binary for one bit, decimal for zero and up to four bits, else hexadecimal without leading zeros.
pub(super) fn literal(value: &Bits) -> String {
    let width = value.width();
    match value.to_u64() {
        Some(value) if width == 1 => format!("1'b{value}"),
        Some(value) if width <= 4 || value == 0 => format!("{width}'d{value}"),
        _ => {
            let digits = format!("{value:x}").to_uppercase();
            format!("{width}'h{}", digits.trim_start_matches('0'))
        }
    }
}

/// A label of a case: a number, or a pattern with `?` for each open bit.
pub(super) fn label(pattern: &Pattern) -> String {
    match pattern.is_exact() {
        true => literal(pattern.value()),
        false => format!("{}'b{}", pattern.width(), pattern.to_string().replace('x', "?")),
    }
}

/// A sized literal of which every bit is shown.
fn pattern(value: &Bits) -> String {
    let bits: String = (0..value.width()).rev().map(|bit| if value.bit(bit) { '1' } else { '0' }).collect();
    format!("{}'b{bits}", value.width())
}
