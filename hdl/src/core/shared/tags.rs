//! Tags: the kinds of a decoder's slots. At the output of a decoder core, tags are the codes of `tuser`. Inside a transcoder they are
//! marks of one bit each, which is all that the encoder needs.

use std::collections::BTreeMap;

use super::error_kind::{ErrorKind, slot_labels};
use super::ports::SLOT_USER_BITS;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal, Stage};

/// `tuser` of a head, and of a limb.
pub(in crate::core) const HEAD: u64 = 14;
pub(in crate::core) const LIMB: u64 = 15;

/// The kind of tags that a decoder's slots carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum TagStyle {
    /// Codes of `tuser`, in a decoder core: every error has its kind, or there are no errors but those in place of
    /// limbs.
    Codes(ErrorMode),
    /// Marks of one bit for errors, heads and limbs, inside a transcoder.
    Marks,
    /// Errors alone, in a validator: codes of their kinds, or marks of one bit. There are no heads and limbs.
    Errors {
        /// Every error has its kind.
        kinds: bool,
    },
}

impl TagStyle {
    /// Whether errors are dropped, except in place of limbs.
    pub(in crate::core) fn drops_errors(self) -> bool {
        self == Self::Codes(ErrorMode::Drop)
    }
}

/// The kind of a slot.
#[derive(Clone, Copy)]
pub(in crate::core) struct Tag<'m> {
    /// One bit: the slot is an error; `None` in a decoder without error slots.
    pub(in crate::core) error: Option<Signal<'m>>,
    /// One bit each: the slot is a head, or a limb; `None` without marks or without long code points.
    pub(in crate::core) head: Option<Signal<'m>>,
    pub(in crate::core) limb: Option<Signal<'m>>,
    /// The code of the slot on `tuser`; `None` without codes, or if all slots are code points.
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

    /// Registers that load the tag, with names that begin with `name`.
    pub(in crate::core) fn register(self, stage: Stage<'m>, name: &str) -> Self {
        let register = |part: &str, next: Option<Signal<'m>>| {
            // A constant needs no register.
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

    /// The tag with names that begin with `name`.
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

/// Makes the tags of one decoder, whose codes are named constants of its module.
pub(in crate::core) struct Tags<'m> {
    m: &'m Builder,
    style: TagStyle,
    /// Some slots are errors.
    has_errors: bool,
    /// Some slots are heads and limbs.
    is_long: bool,
    /// The named codes of `tuser`, if the tags are codes.
    codes: BTreeMap<u64, Signal<'m>>,
    user_bits: u32,
}

impl<'m> Tags<'m> {
    /// The tags of a decoder with errors of these kinds, and with heads and limbs if it `is_long`.
    pub(in crate::core) fn new(m: &'m Builder, style: TagStyle, kinds: &[ErrorKind], is_long: bool) -> Self {
        // Errors in place of limbs are never dropped.
        let is_long = is_long && !matches!(style, TagStyle::Errors { .. });
        let has_errors = !style.drops_errors() && !kinds.is_empty() || is_long;
        let mut tags =
            Self { m, style, has_errors, is_long, codes: BTreeMap::new(), user_bits: SLOT_USER_BITS };
        if matches!(style, TagStyle::Marks | TagStyle::Errors { kinds: false }) || !has_errors {
            return tags;
        }
        m.section("Codes of tuser");
        let highest = if is_long { LIMB } else { kinds.iter().map(|kind| kind.code()).max().unwrap_or(0) };
        tags.user_bits = u64::BITS - highest.leading_zeros();
        let mut code = |code: u64, name: &str| {
            let signal = m.lit(tags.user_bits, code).named(name);
            tags.codes.insert(code, signal);
        };
        code(0, "CODE_POINT");
        kinds.iter().for_each(|kind| code(kind.code(), kind.constant()));
        if is_long {
            code(HEAD, "HEAD");
            code(LIMB, "LIMB");
        }
        tags
    }

    /// Whether some slots are errors.
    pub(in crate::core) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Whether some slots are heads and limbs.
    pub(in crate::core) fn is_long(&self) -> bool {
        self.is_long
    }

    /// Whether errors are dropped, except in place of limbs.
    pub(in crate::core) fn drops_errors(&self) -> bool {
        self.style.drops_errors()
    }

    /// The title of a section: `of_slots` in a decoder, `of_errors` in a validator.
    pub(in crate::core) fn heading<'t>(&self, of_slots: &'t str, of_errors: &'t str) -> &'t str {
        if let TagStyle::Errors { .. } = self.style { of_errors } else { of_slots }
    }

    /// Whether every error has its kind.
    pub(in crate::core) fn has_kinds(&self) -> bool {
        match self.style {
            TagStyle::Codes(mode) => mode != ErrorMode::Drop,
            TagStyle::Errors { kinds } => kinds,
            TagStyle::Marks => false,
        }
    }

    /// The tag of a slot with this code.
    fn tag(&self, code: u64) -> Tag<'m> {
        let bit = |is: bool| self.m.lit(1, is.into());
        let mark = |is: bool| (self.style == TagStyle::Marks && self.is_long).then(|| bit(is));
        Tag {
            error: self.has_errors.then(|| bit(![0, HEAD, LIMB].contains(&code))),
            head: mark(code == HEAD),
            limb: mark(code == LIMB),
            user: self.codes.get(&code).copied(),
        }
    }

    /// The tag of a code point.
    pub(in crate::core) fn code_point(&self) -> Tag<'m> {
        self.tag(0)
    }

    /// The tag of an error, whose kind must be one of the decoder's.
    pub(in crate::core) fn error(&self, kind: ErrorKind) -> Tag<'m> {
        self.tag(kind.code())
    }

    /// The tag of a head.
    pub(in crate::core) fn head(&self) -> Tag<'m> {
        self.tag(HEAD)
    }

    /// The tag of a limb.
    pub(in crate::core) fn limb(&self) -> Tag<'m> {
        self.tag(LIMB)
    }
}
