//! Facts about a decoder of CESU-8 or of modified UTF-8: its bits, its options and its stages.

use crate::core::lanes::{history_stages, scan};
use crate::core::many_lanes::decoder::front::{Build, Spread};
use crate::core::many_lanes::decoder::slot::Layout;

/// The most octets of a code point.
const LONGEST: usize = 6;

/// Bits of the code point in a trailing octet.
pub(super) const TRAILING: u32 = 6;
/// For each octet before one that ends a slot, the nearest first: the number of its bits that can be in the slot. The second octets of
/// surrogates hold four, and so does the lead of three octets.
pub(super) const BITS: [u32; 4] = [TRAILING, 4, TRAILING, 4];

/// The options of a decoder, and the layout of its slots.
pub(super) struct Shape {
    pub(super) layout: Layout,
    pub(super) drops: bool,
    /// U+0000 is C0 80, and 00 is an error.
    pub(super) nul_is_pair: bool,
}

/// The stages of the decoder.
#[derive(Clone, Copy)]
pub(super) struct Stages {
    /// The beat comes in.
    pub(super) first: u32,
    /// The octets before the beat are known.
    pub(super) history: u32,
    /// The class of each octet is known.
    pub(super) class: u32,
    /// Neighbours are compared.
    pub(super) link: u32,
    /// The octets that continue a sequence with ED in it are known.
    pub(super) near: u32,
    /// The position of each octet in its sequence is known.
    pub(super) window: u32,
    /// The octets that end a slot are known.
    pub(super) ends: u32,
    /// The slots are made.
    pub(super) made: u32,
}

impl Stages {
    /// The stages, and how far slots are apart.
    pub(super) fn new(first: u32, drops: bool, build: Build) -> (Self, Spread) {
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
