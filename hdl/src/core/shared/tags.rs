//! How a decoder tells what a slot is: by codes on `tuser`, or to an encoder behind it by marks.

use std::collections::BTreeMap;

use super::error_kind::{ErrorKind, slot_labels};
use super::ports::SLOT_USER_BITS;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal, Stage};

/// `tuser` of a head, and of a limb.
const HEAD: u64 = 14;
const LIMB: u64 = 15;

/// What is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum TagStyle {
    /// A core's slots: each error with its kind, or no errors at all but those in place of limbs.
    Codes(ErrorMode),
    /// The slots inside a transcoder: that there is an error, and which slots are heads and limbs.
    Marks,
}

/// What a slot is, as far as it is told.
#[derive(Clone, Copy)]
pub(in crate::core) struct Tag<'m> {
    /// One bit: an error; none in systems or cores that tell of none.
    pub(in crate::core) error: Option<Signal<'m>>,
    /// One bit each: a head, a limb; where there are any, and they are told by marks.
    pub(in crate::core) head: Option<Signal<'m>>,
    pub(in crate::core) limb: Option<Signal<'m>>,
    /// `tuser`, where slots are told by codes and there is more than one.
    pub(in crate::core) user: Option<Signal<'m>>,
}

impl<'m> Tag<'m> {
    /// `one` where `select` is 1, else `zero`.
    pub(in crate::core) fn mux(select: Signal<'m>, one: Self, zero: Self) -> Self {
        let mux = |one: Option<Signal<'m>>, zero| Some(select.mux(one?, zero?));
        Self {
            error: mux(one.error, zero.error),
            head: mux(one.head, zero.head),
            limb: mux(one.limb, zero.limb),
            user: mux(one.user, zero.user),
        }
    }

    /// Registers that load the tag, their names after `name`.
    pub(in crate::core) fn register(self, stage: Stage<'m>, name: &str) -> Self {
        let register = |part: &str, next: Option<Signal<'m>>| {
            // What never changes needs no register.
            next.map(|next| match next.is_constant() {
                true => next,
                false => stage.data(&format!("{name}_{part}_reg"), next),
            })
        };
        let user = register("user", self.user).map(|user| user.labels(&slot_labels()));
        Self {
            error: register("error", self.error),
            head: register("head", self.head),
            limb: register("limb", self.limb),
            user,
        }
    }

    /// Names its signals after `name`.
    pub(in crate::core) fn named(self, name: &str) -> Self {
        let named = |part: &str, signal: Option<Signal<'m>>| {
            signal.map(|signal| signal.named(&format!("{name}_{part}")))
        };
        Self {
            error: named("error", self.error),
            head: named("head", self.head),
            limb: named("limb", self.limb),
            user: named("user", self.user).map(|user| user.labels(&slot_labels())),
        }
    }
}

/// The tags a decoder needs, and the codes they have, by name.
pub(in crate::core) struct Tags<'m> {
    m: &'m Builder,
    errors: bool,
    drops: bool,
    marks: bool,
    long: bool,
    /// Codes on `tuser`, if slots are told by them.
    codes: BTreeMap<u64, Signal<'m>>,
    user_bits: u32,
}

impl<'m> Tags<'m> {
    /// The tags of a decoder with errors of these kinds, and with heads and limbs if it is `long`. Where errors are
    /// dropped, those in place of limbs remain.
    pub(in crate::core) fn new(m: &'m Builder, style: TagStyle, kinds: &[ErrorKind], long: bool) -> Self {
        let marks = style == TagStyle::Marks;
        let errors = style != TagStyle::Codes(ErrorMode::Drop) || long;
        let mut tags = Self {
            m,
            errors,
            drops: style == TagStyle::Codes(ErrorMode::Drop),
            marks,
            long,
            codes: BTreeMap::new(),
            user_bits: SLOT_USER_BITS,
        };
        if marks || !(errors || long) {
            return tags;
        }
        m.section("What a slot is: its tuser");
        let highest = if long { LIMB } else { kinds.iter().map(|kind| kind.code()).max().unwrap_or(0) };
        tags.user_bits = u64::BITS - highest.leading_zeros();
        let mut code = |code: u64, name: &str| {
            let signal = m.lit(tags.user_bits, code).named(name);
            tags.codes.insert(code, signal);
        };
        code(0, "CODE_POINT");
        kinds.iter().for_each(|kind| code(kind.code(), kind.constant()));
        if long {
            code(HEAD, "HEAD");
            code(LIMB, "LIMB");
        }
        tags
    }

    /// Whether errors are told at all.
    pub(in crate::core) fn has_errors(&self) -> bool {
        self.errors
    }

    /// Whether errors are dropped, but for those in place of limbs.
    pub(in crate::core) fn drops_errors(&self) -> bool {
        self.drops
    }

    /// Whether each error is told with its kind.
    pub(in crate::core) fn tells_kinds(&self) -> bool {
        !self.marks && !self.drops
    }

    /// A slot with this code.
    fn tag(&self, code: u64) -> Tag<'m> {
        let bit = |is: bool| self.m.lit(1, is.into());
        let mark = |is: bool| (self.marks && self.long).then(|| bit(is));
        Tag {
            error: self.errors.then(|| bit(![0, HEAD, LIMB].contains(&code))),
            head: mark(code == HEAD),
            limb: mark(code == LIMB),
            user: self.codes.get(&code).copied(),
        }
    }

    /// A code point.
    pub(in crate::core) fn code_point(&self) -> Tag<'m> {
        self.tag(0)
    }

    /// An error; its kind must be one of the decoder's.
    pub(in crate::core) fn error(&self, kind: ErrorKind) -> Tag<'m> {
        self.tag(kind.code())
    }

    /// A head.
    pub(in crate::core) fn head(&self) -> Tag<'m> {
        self.tag(HEAD)
    }

    /// A limb.
    pub(in crate::core) fn limb(&self) -> Tag<'m> {
        self.tag(LIMB)
    }
}
