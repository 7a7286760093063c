//! Splits signals of any width into words.

use std::sync::Arc;

use utfhdl_hdl::netlist::{BinaryOp, Bits, Design, Pattern, ReduceOp};

use super::{Id, Logic, Op, ResetPort, StateWord, Table};
use crate::flat::{Flat, FlatOp};
use crate::layout::{Layout, PortSlot};

/// Keys of a `case` of at most this many bits are looked up in a word that has a 1 for each label of an arm.
const MEMBER_BITS: u32 = 6;

/// The logic of a design as it comes from its signals, word by word.
pub(super) fn split(flat: &Flat, layout: &Layout, design: &Design) -> Logic {
    split_signals(flat, layout, design, &[]).0
}

/// The logic as [`split`] makes it, and the words of these signals, one after the other.
pub(super) fn split_signals(
    flat: &Flat,
    layout: &Layout,
    design: &Design,
    signals: &[usize],
) -> (Logic, Vec<Id>) {
    let (_, ports) = layout.split_reset(design);
    let mut logic = Logic { reset: ResetPort::of(design, layout), ..Logic::default() };
    let mut first_state = Vec::new();
    for (index, register) in flat.registers.iter().enumerate() {
        first_state.push(logic.state.len() as u32);
        let width = flat.signals[register.value].width;
        for word in 0..words(width) {
            let reset = register.reset.as_ref().map(|value| value.words()[word]);
            let ones = ones_of_word(width, word);
            logic.state.push(StateWord { register: index, word, ones, reset, next: Id(0) });
        }
    }
    let mut splitter =
        Splitter { flat, ports, first_state, signals: vec![Vec::new(); flat.signals.len()], logic };
    for &signal in &flat.order {
        splitter.signals[signal] = splitter.signal(signal);
    }
    splitter.edges();
    splitter.outputs(&layout.outputs, layout.output_words);
    let words = signals.iter().flat_map(|&signal| splitter.signals[signal].clone()).collect();
    (splitter.logic, words)
}

/// Words of a signal of `width` bits.
fn words(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// The bits of a word of a signal.
fn ones_of_word(width: u32, word: usize) -> u64 {
    u64::MAX >> (64 - (width - 64 * word as u32).min(64))
}

struct Splitter<'a> {
    flat: &'a Flat,
    ports: &'a [PortSlot],
    /// The first state word of each register.
    first_state: Vec<u32>,
    /// The words of the signals already split, least significant first.
    signals: Vec<Vec<Id>>,
    logic: Logic,
}

impl Splitter<'_> {
    fn signal(&mut self, signal: usize) -> Vec<Id> {
        let flat = self.flat;
        let width = flat.signals[signal].width;
        let of = |splitter: &Self, id: usize| splitter.signals[id].clone();
        match &flat.signals[signal].op {
            FlatOp::Input(index) => self.input(&self.ports[*index].clone()),
            FlatOp::Const(value) => self.constant(value),
            FlatOp::Register(index) => {
                let first = self.first_state[*index];
                (0..words(width) as u32).map(|word| self.logic.state_word(first + word)).collect()
            }
            FlatOp::Not(a) => {
                let (a, ones) = (of(self, *a), self.constant(&Bits::ones(width)));
                self.zip(&a, &ones, Logic::xor)
            }
            FlatOp::Binary(op, a, b) => self.binary(*op, &of(self, *a), &of(self, *b), width),
            FlatOp::Reduce(op, a) => vec![self.reduce(*op, &of(self, *a), flat.signals[*a].width)],
            FlatOp::Mux(select, one, zero) => {
                let select = self.signals[*select][0];
                self.mux(select, &of(self, *one), &of(self, *zero))
            }
            FlatOp::Case(key, arms, default) => self.case(*key, arms, *default),
            FlatOp::Lookup(key, words) => {
                let ones = words.iter().fold(0, |ones, word| ones | word);
                let table = Table { index: self.logic.tables.len() as u32, ones };
                self.logic.tables.push(Arc::clone(words));
                vec![self.logic.remake(Op::Lookup(self.signals[*key][0], table))]
            }
            FlatOp::Slice(from, low) => {
                let from = of(self, *from);
                self.slice(&from, *low, width)
            }
            FlatOp::Concat(parts) => self.concat(parts, width),
        }
    }

    fn input(&mut self, port: &PortSlot) -> Vec<Id> {
        let word = |splitter: &mut Self, word: usize| splitter.logic.input((port.word + word) as u32);
        (0..port.words())
            .map(|index| {
                let word = word(self, index);
                let word = self.logic.shr(word, port.shift);
                self.logic.and_mask(word, ones_of_word(port.width, index))
            })
            .collect()
    }

    fn constant(&mut self, value: &Bits) -> Vec<Id> {
        value.words().iter().map(|word| self.logic.constant(*word)).collect()
    }

    fn zip(&mut self, a: &[Id], b: &[Id], op: fn(&mut Logic, Id, Id) -> Id) -> Vec<Id> {
        a.iter().zip(b).map(|(a, b)| op(&mut self.logic, *a, *b)).collect()
    }

    fn mux(&mut self, select: Id, one: &[Id], zero: &[Id]) -> Vec<Id> {
        one.iter().zip(zero).map(|(one, zero)| self.logic.mux(select, *one, *zero)).collect()
    }

    fn binary(&mut self, op: BinaryOp, a: &[Id], b: &[Id], width: u32) -> Vec<Id> {
        match op {
            BinaryOp::And => self.zip(a, b, Logic::and),
            BinaryOp::Or => self.zip(a, b, Logic::or),
            BinaryOp::Xor => self.zip(a, b, Logic::xor),
            BinaryOp::Add => self.sum(a, b, width),
            BinaryOp::Sub => self.difference(a, b, width),
            BinaryOp::Eq => vec![self.equal(a, b)],
            BinaryOp::Ne => {
                let equal = self.equal(a, b);
                vec![self.logic.not(equal)]
            }
            BinaryOp::Lt => vec![self.less(a, b)],
            BinaryOp::Le => {
                let greater = self.less(b, a);
                vec![self.logic.not(greater)]
            }
            BinaryOp::Shl => self.shift(a, b, width, Direction::Up),
            BinaryOp::Shr => self.shift(a, b, width, Direction::Down),
        }
    }

    /// A sum, with the carry from word to word.
    fn sum(&mut self, a: &[Id], b: &[Id], width: u32) -> Vec<Id> {
        let logic = &mut self.logic;
        let mut carry = logic.constant(0);
        let mut sums = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = logic.add(a, b);
            let over = logic.lt(half, a);
            let sum = logic.add(half, carry);
            let more = logic.lt(sum, half);
            carry = logic.or(over, more);
            sums.push(sum);
        }
        self.cut(sums, width)
    }

    /// A difference, with the borrow from word to word.
    fn difference(&mut self, a: &[Id], b: &[Id], width: u32) -> Vec<Id> {
        let logic = &mut self.logic;
        let mut borrow = logic.constant(0);
        let mut differences = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = logic.sub(a, b);
            let under = logic.lt(a, b);
            let difference = logic.sub(half, borrow);
            let more = logic.lt(half, borrow);
            borrow = logic.or(under, more);
            differences.push(difference);
        }
        self.cut(differences, width)
    }

    /// Clears the bits past the width.
    fn cut(&mut self, mut value: Vec<Id>, width: u32) -> Vec<Id> {
        let last = value.len() - 1;
        value[last] = self.logic.and_mask(value[last], ones_of_word(width, last));
        value
    }

    fn equal(&mut self, a: &[Id], b: &[Id]) -> Id {
        if let ([a], [b]) = (a, b) {
            return self.logic.eq(*a, *b);
        }
        let differences = self.zip(a, b, Logic::xor);
        let any = self.any(&differences);
        self.logic.not(any)
    }

    fn any(&mut self, words: &[Id]) -> Id {
        let all = balanced(words, &mut |a, b| self.logic.or(*a, *b));
        self.logic.any(all)
    }

    fn less(&mut self, a: &[Id], b: &[Id]) -> Id {
        let mut less = self.logic.constant(0);
        for (&a, &b) in a.iter().zip(b) {
            let (here, equal) = (self.logic.lt(a, b), self.logic.eq(a, b));
            let below = self.logic.and(equal, less);
            less = self.logic.or(here, below);
        }
        less
    }

    fn reduce(&mut self, op: ReduceOp, a: &[Id], width: u32) -> Id {
        match op {
            ReduceOp::And => {
                let ones = self.constant(&Bits::ones(width));
                self.equal(a, &ones)
            }
            ReduceOp::Or => self.any(a),
            ReduceOp::Xor => {
                let all = balanced(a, &mut |a, b| self.logic.xor(*a, *b));
                self.logic.parity(all)
            }
        }
    }

    fn slice(&mut self, from: &[Id], low: u32, width: u32) -> Vec<Id> {
        let (first, shift) = ((low / 64) as usize, low % 64);
        let word = |splitter: &mut Self, index: usize| {
            let lower = splitter.logic.shr(from[first + index], shift);
            let bits = match from.get(first + index + 1) {
                Some(&upper) if shift > 0 => {
                    let upper = splitter.logic.shl(upper, 64 - shift);
                    splitter.logic.or(lower, upper)
                }
                _ => lower,
            };
            splitter.logic.and_mask(bits, ones_of_word(width, index))
        };
        (0..words(width)).map(|index| word(self, index)).collect()
    }

    /// First part in the high bits.
    fn concat(&mut self, parts: &[usize], width: u32) -> Vec<Id> {
        let zero = self.logic.constant(0);
        let mut whole = vec![zero; words(width)];
        let mut low = 0;
        for parts in parts.chunk_by(|one, next| one == next).rev() {
            let (part, count) = (parts[0], parts.len() as u32);
            let value = self.signals[part].clone();
            if self.flat.signals[part].width == 1 && count > 1 {
                let copies = self.copies(value[0], count);
                self.place(&mut whole, &copies, low);
                low += count;
                continue;
            }
            for _ in 0..count {
                self.place(&mut whole, &value, low);
                low += self.flat.signals[part].width;
            }
        }
        whole
    }

    /// Repeats a bit `count` times, as for a mask: a choice between two constants is one operation for any width.
    fn copies(&mut self, bit: Id, count: u32) -> Vec<Id> {
        let zero = self.logic.constant(0);
        let word = |index| {
            let ones = self.logic.constant(ones_of_word(count, index));
            self.logic.mux(bit, ones, zero)
        };
        (0..words(count)).map(word).collect()
    }

    /// Puts a value into bits that are still 0, its lowest bit at `low`.
    fn place(&mut self, whole: &mut [Id], value: &[Id], low: u32) {
        let (first, shift) = ((low / 64) as usize, low % 64);
        for (index, &word) in value.iter().enumerate() {
            let lower = self.logic.shl(word, shift);
            whole[first + index] = self.logic.or(whole[first + index], lower);
            if shift > 0 && first + index + 1 < whole.len() {
                let upper = self.logic.shr(word, 64 - shift);
                whole[first + index + 1] = self.logic.or(whole[first + index + 1], upper);
            }
        }
    }

    /// Shifts by whole words as the upper bits of the amount say, then by fewer than 64 bits as its lower six say.
    fn shift(&mut self, a: &[Id], amount: &[Id], width: u32, direction: Direction) -> Vec<Id> {
        let zero = self.logic.constant(0);
        let amount_width = 64 * amount.len() as u32;
        let mut value = a.to_vec();
        // Bits 6 and up count words. Those that shift out every word are tested together.
        let steps = value.len().next_power_of_two().trailing_zeros();
        for step in 0..steps {
            let bit = self.slice(amount, 6 + step, 1)[0];
            let moved: Vec<Id> = (0..value.len())
                .map(|index| direction.from(index, 1 << step).and_then(|from| value.get(from)).copied())
                .map(|word| word.unwrap_or(zero))
                .collect();
            value = self.mux(bit, &moved, &value);
        }
        let bits = self.slice(amount, 0, 6)[0];
        value = self.funnel(&value, bits, direction);
        let far = self.slice(amount, 6 + steps, amount_width - 6 - steps);
        let far = self.any(&far);
        let zeros = vec![zero; value.len()];
        let value = self.mux(far, &zeros, &value);
        self.cut(value, width)
    }

    /// Shifts by fewer than 64 bits.
    fn funnel(&mut self, value: &[Id], bits: Id, direction: Direction) -> Vec<Id> {
        let logic = &mut self.logic;
        let all = logic.constant(63);
        let rest = logic.xor(bits, all);
        let mut moved = Vec::with_capacity(value.len());
        for (index, &word) in value.iter().enumerate() {
            let neighbour = direction.from(index, 1).and_then(|from| value.get(from)).copied();
            moved.push(match (direction, neighbour) {
                (Direction::Up, None) => logic.shl_by(word, bits),
                (Direction::Down, None) => logic.shr_by(word, bits),
                (Direction::Up, Some(below)) => {
                    let (here, there) = (logic.shl_by(word, bits), logic.shr(below, 1));
                    let there = logic.shr_by(there, rest);
                    logic.or(here, there)
                }
                (Direction::Down, Some(above)) => {
                    let (here, there) = (logic.shr_by(word, bits), logic.shl(above, 1));
                    let there = logic.shl_by(there, rest);
                    logic.or(here, there)
                }
            });
        }
        moved
    }

    /// The tests of all arms, then a balanced tree of multiplexers.
    fn case(&mut self, key: usize, arms: &[(Vec<Pattern>, usize)], default: usize) -> Vec<Id> {
        let key_width = self.flat.signals[key].width;
        let key = self.signals[key].clone();
        let mut choices: Vec<(Id, Vec<Id>)> = Vec::new();
        for (labels, value) in arms {
            let test = self.member(&key, key_width, labels);
            choices.push((test, self.signals[*value].clone()));
        }
        let always = self.logic.constant(1);
        choices.push((always, self.signals[default].clone()));
        let chosen = balanced(&choices, &mut |first, second| {
            let either = self.logic.or(first.0, second.0);
            (either, self.mux(first.0, &first.1, &second.1))
        });
        chosen.1
    }

    /// Whether the key matches one of the labels.
    fn member(&mut self, key: &[Id], key_width: u32, labels: &[Pattern]) -> Id {
        if labels.len() > 1 && key_width <= MEMBER_BITS {
            let member = |key: &u64| labels.iter().any(|label| label.matches(&[*key]));
            let ones = (0..1 << key_width).filter(member).fold(0, |ones, key| ones | 1 << key);
            let ones = self.logic.constant(ones);
            let found = self.logic.shr_by(ones, key[0]);
            return self.logic.and_mask(found, 1);
        }
        let tests: Vec<Id> = labels
            .iter()
            .map(|label| {
                let (care, value) = (self.constant(label.care()), self.constant(label.value()));
                let compared = self.zip(key, &care, Logic::and);
                self.equal(&compared, &value)
            })
            .collect();
        balanced(&tests, &mut |a, b| self.logic.or(*a, *b))
    }

    /// Computes the values that registers load.
    fn edges(&mut self) {
        for index in 0..self.logic.state.len() {
            let StateWord { register, word, .. } = self.logic.state[index];
            let register = &self.flat.registers[register];
            let (next, held) = (self.signals[register.next][word], self.signals[register.value][word]);
            self.logic.state[index].next = match register.enable {
                Some(enable) => self.logic.mux(self.signals[enable][0], next, held),
                None => next,
            };
        }
    }

    fn outputs(&mut self, ports: &[PortSlot], record_words: usize) {
        let zero = self.logic.constant(0);
        let mut record = vec![zero; record_words];
        for (port, &signal) in ports.iter().zip(&self.flat.outputs) {
            let value = self.signals[signal].clone();
            self.place(&mut record[port.word..port.word + port.words()], &value, port.shift);
        }
        self.logic.outputs = record;
    }
}

/// Direction of a shift.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Up,
    Down,
}

impl Direction {
    /// Index of the word that a shift by `by` words moves to `index`.
    fn from(self, index: usize, by: usize) -> Option<usize> {
        match self {
            Self::Up => index.checked_sub(by),
            Self::Down => index.checked_add(by),
        }
    }
}

/// Joins all items in a tree of the least depth, in their order.
fn balanced<T: Clone>(items: &[T], join: &mut impl FnMut(&T, &T) -> T) -> T {
    match items {
        [one] => one.clone(),
        _ => {
            let (first, second) = items.split_at(items.len() / 2);
            let (first, second) = (balanced(first, join), balanced(second, join));
            join(&first, &second)
        }
    }
}
