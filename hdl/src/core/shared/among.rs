//! The systems of a list that a core chooses from for each frame, and those among them that share the stages of a decoder.
//!
//! Systems of words that differ only in the order of octets share them.

use crate::core::{Auto, ByteOrder, System};
use crate::netlist::Signal;

/// Systems with stages in common.
pub(in crate::core) struct Family {
    /// The first of the systems, and its number in the list.
    pub(in crate::core) system: (usize, System),
    /// The number of the same system in the other order of octets.
    pub(in crate::core) other_order: Option<usize>,
}

impl Family {
    /// The families of a list, in the order of their first systems.
    pub(in crate::core) fn all(auto: Auto) -> Vec<Self> {
        let mut families: Vec<Self> = Vec::new();
        for (at, &system) in auto.among().iter().enumerate() {
            let other = families.iter_mut().find(|family| is_other_order(family.system.1, system));
            match other {
                Some(family) => family.other_order = Some(at),
                None => families.push(Self { system: (at, system), other_order: None }),
            }
        }
        families
    }

    /// The name of the instance and module, without the name of the core.
    pub(in crate::core) fn name(&self) -> String {
        let name = self.system.1.to_string();
        let (word, options) = name.split_at(name.find(',').unwrap_or(name.len()));
        // Without the byte order, if the family has both.
        let word = &word[..word.len() - if self.other_order.is_some() { 2 } else { 0 }];
        format!("front_{}", plain(&format!("{word}{options}")))
    }

    /// The frame is of a system of the family, if `chosen` has a bit for each system of the list.
    pub(in crate::core) fn is_chosen<'m>(&self, chosen: &[Signal<'m>]) -> Signal<'m> {
        let own = chosen[self.system.0];
        self.other_order.map_or(own, |other| (own | chosen[other]).named(&format!("is_{}", self.name())))
    }

    /// The octets of words come from the least significant on, in a family with both orders.
    pub(in crate::core) fn little<'m>(&self, chosen: &[Signal<'m>]) -> Option<Signal<'m>> {
        self.other_order.map(|other| match is_little(self.system.1) {
            true => chosen[self.system.0],
            false => chosen[other],
        })
    }
}

/// A bit for each system of the list: it has this number. A number past the end of the list is that of the first system.
pub(in crate::core) fn one_of(auto: Auto, number: Signal<'_>) -> Vec<Signal<'_>> {
    let systems = auto.among().iter().enumerate().skip(1);
    let others: Vec<Signal> = systems
        .map(|(at, &system)| number.is(at as u64).named(&format!("is_{}", identifier(system))))
        .collect();
    let first = !others.iter().copied().reduce(|a, b| a | b).expect("a list has two systems or more");
    let first = first.named(&format!("is_{}", identifier(auto.among()[0])));
    std::iter::once(first).chain(others).collect()
}

/// A byte order mark, and the number of the system that it chooses.
pub(in crate::core) struct Mark {
    /// The octets, the first one first.
    pub(in crate::core) octets: &'static [u64],
    pub(in crate::core) number: u64,
}

impl Mark {
    /// The marks of the systems of a list that have one.
    pub(in crate::core) fn all(auto: Auto) -> Vec<Self> {
        auto.among().iter().enumerate().filter_map(Self::of).collect()
    }

    /// The mark of a system of the list.
    fn of((number, &system): (usize, &System)) -> Option<Self> {
        let octets: &[u64] = match system {
            System::Utf8 => &[0xef, 0xbb, 0xbf],
            System::Utf16Octets { order, .. } | System::Ucs2Octets { order, .. } => match order {
                ByteOrder::Big => &[0xfe, 0xff],
                ByteOrder::Little => &[0xff, 0xfe],
            },
            System::Utf32Octets { order, .. } => match order {
                ByteOrder::Big => &[0x00, 0x00, 0xfe, 0xff],
                ByteOrder::Little => &[0xff, 0xfe, 0x00, 0x00],
            },
            _ => return None,
        };
        Some(Self { octets, number: number as u64 })
    }

    /// Whether the mark is longer than `other`, and begins with it.
    pub(in crate::core) fn begins_with(&self, other: &Self) -> bool {
        self.octets.len() > other.octets.len() && self.octets.starts_with(other.octets)
    }

    /// The name of the mark in Verilog: `mark_ff_fe`.
    pub(in crate::core) fn name(&self) -> String {
        let octets: Vec<String> = self.octets.iter().map(|octet| format!("{octet:02x}")).collect();
        format!("mark_{}", octets.join("_"))
    }
}

/// Whether two systems differ only in the order of octets.
fn is_other_order(one: System, other: System) -> bool {
    use System::{Ucs2Octets, Utf16Octets, Utf32Octets};
    match (one, other) {
        (Utf16Octets { .. }, Utf16Octets { .. }) | (Ucs2Octets { .. }, Ucs2Octets { .. }) => true,
        (Utf32Octets { max, .. }, Utf32Octets { max: other, .. }) => max == other,
        _ => false,
    }
}

fn is_little(system: System) -> bool {
    matches!(
        system,
        System::Utf16Octets { order: ByteOrder::Little, .. }
            | System::Ucs2Octets { order: ByteOrder::Little, .. }
            | System::Utf32Octets { order: ByteOrder::Little, .. }
    )
}

/// The name of a system as a part of names in Verilog.
pub(in crate::core) fn identifier(system: System) -> String {
    plain(&system.to_string())
}

/// A name with letters, digits and `_` alone.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
