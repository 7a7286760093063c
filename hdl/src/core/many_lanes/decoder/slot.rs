//! A slot on its way through the pipeline: what it holds, and that it is an error.
//!
//! An error has its kind in the low bits, and those of U+FFFD above them: only the bits of the kind are still to be replaced
//! where the slot goes out.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::front::Build;
use crate::core::lanes::At;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::tags::{HEAD, LIMB};
use crate::netlist::{Builder, Signal, Stage};

/// The code point of an error, and its width.
const REPLACEMENT: u64 = 0xfffd;
const REPLACEMENT_BITS: u32 = 16;

const USER_BITS: u32 = 4;

/// How the slots of a decoder are laid out: their data in the low bits, and above it what they are.
#[derive(Clone, Debug)]
pub(in crate::core::many_lanes) struct Layout {
    /// Bits of a code point, or of a kind where that is more.
    pub(in crate::core::many_lanes) data_bits: u32,
    /// Bits of an error's kind; 0 in a decoder without error slots.
    pub(in crate::core::many_lanes) kind_bits: u32,
    /// There are heads and limbs.
    pub(in crate::core::many_lanes) has_parts: bool,
    /// The data of an error is U+FFFD and its kind. In a transcoder it is anything, since the encoding half replaces or leaves out what is an error.
    pub(super) errors_have_data: bool,
}

/// The tag of a slot, a bit each.
#[derive(Clone, Copy)]
pub(in crate::core::many_lanes) struct SlotTag<'m> {
    /// The slot is an error, or if it is a part, a limb; where there are errors.
    pub(in crate::core::many_lanes) error: Option<At<'m>>,
    /// The slot is a head or a limb; where there are such.
    pub(in crate::core::many_lanes) part: Option<At<'m>>,
}

impl Layout {
    /// The layout for code points of `code_bits` bits and errors of these kinds.
    pub(in crate::core::many_lanes) fn new(code_bits: u32, kinds: &[ErrorKind], has_parts: bool) -> Self {
        let highest = kinds.iter().map(|kind| kind.code()).max().unwrap_or(0);
        let kind_bits = u64::BITS - highest.leading_zeros();
        Self { data_bits: code_bits.max(kind_bits), kind_bits, has_parts, errors_have_data: true }
    }

    /// This layout in the decoder of `build`.
    pub(super) fn of(self, build: Build) -> Self {
        Self { errors_have_data: build.kinds, ..self }
    }

    /// The layout that has room for slots of all these.
    pub(super) fn of_all<'a>(all: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let most = |bits: fn(&Self) -> u32| all.clone().map(bits).max().unwrap_or(0);
        Self {
            data_bits: most(|layout| layout.data_bits),
            kind_bits: most(|layout| layout.kind_bits),
            has_parts: false,
            errors_have_data: all.clone().any(|layout| layout.errors_have_data),
        }
    }

    /// A slot of another layout, of fewer or as many bits and without parts, in this one.
    pub(super) fn of_other<'m>(&self, other: &Self, slot: At<'m>) -> At<'m> {
        let zero = slot.lit(1, 0);
        let error = if other.has_errors() { slot.bit(other.data_bits) } else { zero };
        let has_data = self.errors_have_data && other.has_errors();
        let bit = |bit: u32| match bit < other.data_bits {
            // Here a bit of the kind, there one of U+FFFD.
            true if has_data && (other.kind_bits..self.kind_bits).contains(&bit) => slot.bit(bit) & !error,
            true => slot.bit(bit),
            false if has_data && bit >= self.kind_bits && self.is_one_in_errors(bit) => error,
            false => zero,
        };
        let data = At::concat((0..self.data_bits).rev().map(bit));
        self.slot(SlotTag { error: self.has_errors().then_some(error), part: None }, data)
    }

    /// Whether the decoder has error slots.
    pub(in crate::core::many_lanes) fn has_errors(&self) -> bool {
        self.kind_bits > 0
    }

    /// Whether bit `bit` of the data of an error, above the kind, is 1.
    pub(in crate::core::many_lanes) fn is_one_in_errors(&self, bit: u32) -> bool {
        debug_assert!(bit >= self.kind_bits, "a bit of the kind");
        self.has_errors() && bit < REPLACEMENT_BITS && REPLACEMENT >> bit & 1 == 1
    }

    /// A slot.
    pub(in crate::core::many_lanes) fn slot<'m>(&self, tag: SlotTag<'m>, data: At<'m>) -> At<'m> {
        At::concat([tag.part, tag.error, Some(data)].into_iter().flatten())
    }

    /// The data of a slot: `code_point`, or where `error`, that of an error of this kind, where errors have data.
    pub(in crate::core::many_lanes) fn data_or_error<'m>(
        &self,
        code_point: At<'m>,
        error: At<'m>,
        kind: impl FnOnce() -> At<'m>,
    ) -> At<'m> {
        if !self.errors_have_data {
            return code_point;
        }
        let kind = kind();
        code_point.masked(!error) | self.error_data(kind).masked(error)
    }

    /// The data of an error of this kind.
    pub(in crate::core::many_lanes) fn error_data<'m>(&self, kind: At<'m>) -> At<'m> {
        let bits = self.kind_bits..self.data_bits;
        let ones =
            bits.clone().filter(|&bit| self.is_one_in_errors(bit)).map(|bit| 1 << (bit - self.kind_bits));
        let above = (!bits.is_empty()).then(|| kind.lit(bits.len() as u32, ones.sum()));
        At::concat([above, Some(kind)].into_iter().flatten())
    }

    /// The `tuser` and `tdata` of a lane for its slot.
    pub(in crate::core::many_lanes) fn shown<'m>(
        &self,
        m: &'m Builder,
        lane: &str,
        slot: Signal<'m>,
    ) -> (Option<Signal<'m>>, Signal<'m>) {
        if !self.has_errors() {
            return (None, slot);
        }
        let part = self.has_parts.then(|| slot.bit(self.data_bits + 1));
        let tag = slot.bit(self.data_bits);
        let error = part.map_or(tag, |part| (tag & !part).named(&format!("out_{lane}_is_error")));
        let kind = slot.bits(0..self.kind_bits);
        let user = kind.masked(error);
        let user = match part {
            Some(part) => {
                part.mux(tag.mux(m.lit(USER_BITS, LIMB), m.lit(USER_BITS, HEAD)), user.zext(USER_BITS))
            }
            None => user,
        };
        // An error's code point in place of its kind, and above the bits that are there.
        let low = m.lit(self.kind_bits, REPLACEMENT & ((1 << self.kind_bits) - 1));
        let low = error.pick(low, kind);
        let middle = (self.data_bits > self.kind_bits).then(|| slot.bits(self.kind_bits..self.data_bits));
        let above = (self.data_bits < REPLACEMENT_BITS)
            .then(|| error.repeat((REPLACEMENT_BITS - self.data_bits) as usize));
        (Some(user), m.concat([above, middle, Some(low)].into_iter().flatten()))
    }
}

/// The kinds of error by name: a constant for each that is used.
pub(in crate::core::many_lanes) struct Kinds<'m> {
    registers: Stage<'m>,
    bits: u32,
    constants: RefCell<BTreeMap<u64, At<'m>>>,
}

impl<'m> Kinds<'m> {
    /// The kinds in a module; `registers` are any of it.
    pub(in crate::core::many_lanes) fn new(registers: Stage<'m>, layout: &Layout) -> Self {
        Self { registers, bits: layout.kind_bits, constants: RefCell::default() }
    }

    /// The code of a kind.
    pub(in crate::core::many_lanes) fn code(&self, kind: ErrorKind) -> At<'m> {
        let mut constants = self.constants.borrow_mut();
        *constants
            .entry(kind.code())
            .or_insert_with(|| At::constant(self.registers, self.bits, kind.code()).named(kind.constant()))
    }
}
