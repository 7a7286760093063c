//! A signal with the pipeline stage in which it is valid.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Range, Sub};

use crate::netlist::{Builder, Signal, Stage};

/// A signal that is valid in pipeline stage `stage`: registers of that stage hold it, or logic makes it from such registers.
///
/// Operators of two signals delay the earlier one to the stage of the other. A constant is valid in all stages.
#[derive(Clone, Copy)]
pub(in crate::core) struct At<'m> {
    signal: Signal<'m>,
    stage: u32,
    /// The registers that delay the signal: their enable and their lane.
    registers: Stage<'m>,
    /// Reset clears those registers.
    is_flag: bool,
    /// The signal is made of constants, and valid in all stages.
    is_fixed: bool,
}

impl<'m> At<'m> {
    /// `signal`, valid in stage `stage`; `registers` delay it.
    pub(in crate::core) fn new(registers: Stage<'m>, signal: Signal<'m>, stage: u32) -> Self {
        Self { signal, stage, registers, is_flag: false, is_fixed: signal.is_constant() }
    }

    /// A constant of `width` bits.
    pub(in crate::core) fn constant(registers: Stage<'m>, width: u32, value: u64) -> Self {
        Self::new(registers, registers.builder().lit(width, value), 0)
    }

    /// The signal in the stage in which it is valid.
    pub(in crate::core) fn signal(self) -> Signal<'m> {
        self.signal
    }

    /// The stage in which the signal is valid.
    pub(in crate::core) fn stage(self) -> u32 {
        self.stage
    }

    /// Whether the signal is made of constants, and needs no registers.
    pub(in crate::core) fn is_fixed(self) -> bool {
        self.is_fixed
    }

    /// Width in bits.
    pub(in crate::core) fn width(self) -> u32 {
        self.signal.width()
    }

    /// The registers that delay the signal.
    pub(in crate::core) fn registers(self) -> Stage<'m> {
        self.registers
    }

    /// The module that the signal is in.
    pub(in crate::core) fn builder(self) -> &'m Builder {
        self.registers.builder()
    }

    /// The signal, delayed from here on by `registers`, which have another enable or lane.
    pub(in crate::core) fn on(self, registers: Stage<'m>) -> Self {
        Self { registers, ..self }
    }

    /// The signal, delayed from here on by registers that reset clears.
    pub(in crate::core) fn flag(self) -> Self {
        Self { is_flag: true, ..self }
    }

    /// The signal, delayed to stage `stage`.
    ///
    /// # Panics
    /// If the signal is not valid before a later stage.
    #[track_caller]
    pub(in crate::core) fn at(self, stage: u32) -> Self {
        if self.is_fixed {
            return self;
        }
        if let Some(operand) = self.signal.of_complement().filter(|_| self.stage < stage) {
            return !Self { signal: operand, ..self }.at(stage);
        }
        assert!(self.stage <= stage, "a signal of stage {} is asked for in stage {stage}", self.stage);
        let signal = (self.stage + 1..=stage)
            .fold(self.signal, |signal, at| self.registers.delayed(signal, at, self.is_flag));
        Self { signal, stage, ..self }
    }

    /// The signal as one of stage `stage` alone, also where it is made of constants.
    pub(in crate::core) fn pinned(self, stage: u32) -> Self {
        Self { stage, is_fixed: false, ..self }
    }

    /// The signal in a register of the next stage, which is named after `name`.
    pub(in crate::core) fn registered(self, name: &str) -> Self {
        self.called(name).at(self.stage + 1)
    }

    /// The signal in a register `name` of the next stage, which nothing else shares.
    pub(in crate::core) fn stored(self, name: &str) -> Self {
        let stage = self.stage + 1;
        let signal = self.registers.at(stage).data(name, self.signal);
        Self { signal, stage, is_flag: false, is_fixed: false, ..self }
    }

    /// The signal in stage `stage`, in registers that nothing else shares: `name` and the number of the stage.
    pub(in crate::core) fn delayed(self, name: &str, stage: u32) -> Self {
        (self.stage + 1..=stage).fold(self, |signal, at| signal.stored(&format!("{name}_{at}_reg")))
    }

    /// The signal in a register of the next stage that nothing else shares: `name` and the number of the stage.
    pub(in crate::core) fn next(self, name: &str) -> Self {
        self.delayed(name, self.stage + 1)
    }

    /// Names the registers that delay the signal after `name`.
    pub(in crate::core) fn called(self, name: &str) -> Self {
        self.signal.called(name);
        self
    }

    /// Names the signal, as [`Signal::named`] does.
    pub(in crate::core) fn named(self, name: &str) -> Self {
        Self { signal: self.signal.named(name), ..self }
    }

    /// Comments the signal, at its declaration.
    pub(in crate::core) fn note(self, note: &str) -> Self {
        Self { signal: self.signal.note(note), ..self }
    }

    /// The result of `make`, logic without registers.
    pub(in crate::core) fn map(self, make: impl FnOnce(Signal<'m>) -> Signal<'m>) -> Self {
        Self { signal: make(self.signal), is_flag: false, ..self }
    }

    /// Both in the later of their stages.
    #[track_caller]
    fn with(self, other: Self, make: impl FnOnce(Signal<'m>, Signal<'m>) -> Signal<'m>) -> Self {
        let stage = self.stage.max(other.stage);
        let signal = make(self.at(stage).signal, other.at(stage).signal);
        let is_fixed = self.is_fixed && other.is_fixed;
        Self { signal, stage, registers: self.registers, is_flag: false, is_fixed }
    }

    /// `one` where the signal, of one bit, is 1, else `zero`.
    #[track_caller]
    pub(in crate::core) fn mux(self, one: Self, zero: Self) -> Self {
        let stage = self.stage.max(one.stage).max(zero.stage);
        let signal = self.at(stage).signal.mux(one.at(stage).signal, zero.at(stage).signal);
        let is_fixed = self.is_fixed && one.is_fixed && zero.is_fixed;
        Self { signal, stage, registers: self.registers, is_flag: false, is_fixed }
    }

    /// The signal where `mask`, of one bit, is 1, else zero: by an AND, for some tools make a synchronous reset of a choice between a value
    /// and zero.
    #[track_caller]
    pub(in crate::core) fn masked(self, mask: Self) -> Self {
        self.with(mask, Signal::masked)
    }

    /// `one` where the signal, of one bit, is 1, else `zero`, where some bits of either are constants: by gates. Of a multiplexer, some tools
    /// make a synchronous reset of the next register, whose net waits for the register's enable.
    #[track_caller]
    pub(in crate::core) fn pick(self, one: Self, zero: Self) -> Self {
        one.masked(self) | zero.masked(!self)
    }

    /// The signals side by side, the first in the high bits, in the latest of their stages.
    ///
    /// # Panics
    /// If there are none.
    #[track_caller]
    pub(in crate::core) fn concat(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<Self> = parts.into_iter().collect();
        let stage = parts.iter().map(|part| part.stage).max().expect("a concatenation has parts");
        let signals: Vec<Signal> = parts.iter().map(|part| part.at(stage).signal).collect();
        let signal = parts[0].builder().concat(signals);
        let is_fixed = parts.iter().all(|part| part.is_fixed);
        Self { signal, stage, registers: parts[0].registers, is_flag: false, is_fixed }
    }

    /// The OR of all, if there are any.
    #[track_caller]
    pub(in crate::core) fn any_of(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        all.into_iter().reduce(|a, b| a | b)
    }

    /// Bits `range.start` up to, not including, `range.end`.
    #[track_caller]
    pub(in crate::core) fn bits(self, range: Range<u32>) -> Self {
        self.map(|signal| signal.bits(range))
    }

    /// One bit.
    #[track_caller]
    pub(in crate::core) fn bit(self, index: u32) -> Self {
        self.bits(index..index + 1)
    }

    /// Whether some bit is 1.
    pub(in crate::core) fn any(self) -> Self {
        self.map(Signal::any)
    }

    /// Whether the signal has the value `value`.
    #[track_caller]
    pub(in crate::core) fn is(self, value: u64) -> Self {
        self.map(|signal| signal.is(value))
    }

    /// Whether the signal is less than `other`.
    #[track_caller]
    pub(in crate::core) fn lt(self, other: Self) -> Self {
        self.with(other, Signal::lt)
    }

    /// The signal with zeros above, in `width` bits.
    pub(in crate::core) fn zext(self, width: u32) -> Self {
        self.map(|signal| signal.zext(width))
    }

    /// A constant in the module of the signal.
    pub(in crate::core) fn lit(self, width: u32, value: u64) -> Self {
        Self::constant(self.registers, width, value)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl $trait for At<'_> {
            type Output = Self;

            #[track_caller]
            fn $method(self, other: Self) -> Self {
                self.with(other, |a, b| $trait::$method(a, b))
            }
        }
    };
}

operator!(BitAnd, bitand);
operator!(BitOr, bitor);
operator!(BitXor, bitxor);
operator!(Add, add);
operator!(Sub, sub);

impl Not for At<'_> {
    type Output = Self;

    fn not(self) -> Self {
        self.map(|signal| !signal)
    }
}
