//! Random units for cores that choose a system for each frame: each frame is of one system of the list.

use rand::{Rng, RngExt};

use super::units::RandomUnits;
use utfhdl_codec::{Auto, ByteOrder, Choose, System};

/// Bits of an octet; the number of a system is above them.
const OCTET: u32 = 8;

/// Random units of several systems.
pub struct UnitsAmong {
    auto: Auto,
    /// Those of each system of the list.
    of: Vec<RandomUnits>,
    /// The number of the system that the frame is of.
    current: usize,
    /// The next unit is its frame's first.
    begins: bool,
}

impl UnitsAmong {
    /// Random units for a core that chooses among the systems of a list and, if it is a transcoder, writes `to`.
    pub fn new(auto: Auto, to: Option<System>) -> Self {
        let of = auto.among().iter().map(|&system| RandomUnits::new(system, to)).collect();
        Self { auto, of, current: 0, begins: true }
    }

    /// Begins a frame; returns the units that it begins with: of a system with a mark, often the mark or a part of one.
    pub fn opening(&mut self, random: &mut impl Rng) -> Vec<u32> {
        self.current = random.random_range(0..self.of.len());
        self.begins = true;
        if self.auto.choose() == Choose::Port {
            return Vec::new();
        }
        let mark: &[u32] = match self.auto.among()[self.current] {
            System::Utf8 => &[0xef, 0xbb, 0xbf],
            System::Utf16Octets { order, .. } | System::Ucs2Octets { order, .. } => match order {
                ByteOrder::Big => &[0xfe, 0xff],
                ByteOrder::Little => &[0xff, 0xfe],
            },
            System::Utf32Octets { order, .. } => match order {
                ByteOrder::Big => &[0x00, 0x00, 0xfe, 0xff],
                ByteOrder::Little => &[0xff, 0xfe, 0x00, 0x00],
            },
            _ => return Vec::new(),
        };
        match random.random_range(0..8) {
            0 => Vec::new(),
            1 | 2 => mark[..random.random_range(1..mark.len())].to_vec(),
            _ => mark.to_vec(),
        }
    }

    /// A piece of units of the frame's system, which may be damaged, without a number; if `calm`, the sequence of a code point.
    pub fn piece(&mut self, random: &mut impl Rng, calm: bool) -> &[u32] {
        self.of[self.current].piece(random, calm)
    }

    /// The octet with the number above it that goes to the port with it: on a frame's first unit that of the system, or seldom any other;
    /// on other units any number, since they may have any.
    pub fn with_number(&mut self, random: &mut impl Rng, octet: u32) -> u32 {
        if self.auto.choose() == Choose::Mark {
            return octet;
        }
        let any = random.random_range(0..1 << self.auto.number_bits());
        let is_named = std::mem::replace(&mut self.begins, false) && random.random_range(0..16) > 0;
        octet | if is_named { self.current as u32 } else { any } << OCTET
    }
}
