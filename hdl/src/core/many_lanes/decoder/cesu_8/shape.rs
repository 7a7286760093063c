//! Facts about a decoder of CESU-8 or of modified UTF-8: its bits, its options and its stages.

use crate::core::System;
use crate::core::lanes::{history_stages, scan};
use crate::core::many_lanes::decoder::front::{Build, Spread};
use crate::core::many_lanes::decoder::slot::Layout;
use crate::core::shared::error_kind::ErrorKind;

/// The most octets of a code point.
const LONGEST: usize = 6;

/// Bits of the code point in a trailing octet.
pub(in crate::core::many_lanes) const TRAILING: u32 = 6;
/// For each octet before one that ends a slot, the nearest first: the number of its bits that can be in the slot. The second octets of
/// surrogates hold four, and so does the lead of three octets.
pub(in crate::core::many_lanes) const BITS: [u32; 4] = [TRAILING, 4, TRAILING, 4];

/// Bits of a code point.
const CODE_BITS: u32 = 21;
/// The kinds of error there are.
const KINDS: [ErrorKind; 5] = [
    ErrorKind::Unexpected,
    ErrorKind::Truncated,
    ErrorKind::Overlong,
    ErrorKind::Surrogate,
    ErrorKind::Invalid,
];

/// The options of a decoder, and the layout of its slots.
pub(in crate::core::many_lanes) struct Shape {
    pub(in crate::core::many_lanes) layout: Layout,
    pub(in crate::core::many_lanes) drops: bool,
    /// U+0000 is C0 80, and 00 is an error.
    pub(in crate::core::many_lanes) nul_is_pair: bool,
    /// Slots are made; a validator makes none.
    pub(super) makes_slots: bool,
}

impl Shape {
    pub(in crate::core::many_lanes) fn new(system: System, drops: bool) -> Self {
        let nul_is_pair = system == System::Mutf8;
        let kinds = KINDS.into_iter().chain(nul_is_pair.then_some(ErrorKind::Nul));
        let kinds: Vec<ErrorKind> = if drops { Vec::new() } else { kinds.collect() };
        Self { layout: Layout::new(CODE_BITS, &kinds, false), drops, nul_is_pair, makes_slots: true }
    }

    /// This shape for a validator.
    pub(in crate::core::many_lanes) fn without_slots(self) -> Self {
        Self { makes_slots: false, ..self }
    }
}

/// The stages of the decoder.
#[derive(Clone, Copy)]
pub(in crate::core::many_lanes) struct Stages {
    /// The beat comes in.
    pub(in crate::core::many_lanes) first: u32,
    /// The octets before the beat are known.
    pub(in crate::core::many_lanes) history: u32,
    /// The class of each octet is known.
    pub(in crate::core::many_lanes) class: u32,
    /// Neighbours are compared.
    pub(in crate::core::many_lanes) link: u32,
    /// The octets that continue a sequence with ED in it are known.
    pub(in crate::core::many_lanes) near: u32,
    /// The position of each octet in its sequence is known.
    pub(in crate::core::many_lanes) window: u32,
    /// The octets that end a slot are known.
    pub(in crate::core::many_lanes) ends: u32,
    /// The slots are made.
    pub(in crate::core::many_lanes) made: u32,
}

impl Stages {
    /// The stages, and how far slots are apart.
    pub(in crate::core::many_lanes) fn new(first: u32, drops: bool, build: Build) -> (Self, Spread) {
        let lanes = build.lanes;
        let history = first + history_stages(lanes);
        let (class, link) = (history + 1, history + 2);
        let near = link + scan::stages(lanes);
        let window = near + 1;
        let ends = window + u32::from(!drops);
        let most_gaps = move |octets: usize| if drops { octets } else { octets - octets / LONGEST };
        let farthest = most_gaps(lanes - 1) + usize::from(!drops);
        let spread = Spread::new(build, lanes, farthest, most_gaps);
        let made = spread.counted(ends);
        (Self { first, history, class, link, near, window, ends, made }, spread)
    }
}
