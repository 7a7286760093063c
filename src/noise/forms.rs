//! Which code points a system has, found out by asking the reference.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;

use utfhdl_codec::{Encoder, OnError, Slot, Status, Whole};
use utfhdl_codec::{System, Utf9Max};

/// Bits of the code points that are asked for: those of all sequences without a length header.
const BITS: u32 = 73;

/// Code points in a row that all take as many units, or that the system does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    pub first: u128,
    pub last: u128,
    /// 0 where the system does not have them.
    pub units: usize,
}

/// The forms of a system, in order, without gaps. What was asked once is remembered: that takes longer than many a run.
pub fn forms(system: System) -> Vec<Form> {
    static KNOWN: Mutex<BTreeMap<String, Vec<Form>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(system.to_string()).or_insert_with(|| find(system)).clone()
}

fn find(system: System) -> Vec<Form> {
    let mut writer = Writer::new(system);
    let mut units_of = |code_point| writer.units(&slots_of(code_point)).map_or(0, |units| units.len());
    // Close enough to each other that no form lies between two of them; what changes in between is searched for.
    let between = |exponent: u32| (32..64_u128).map(move |part| (part << exponent) >> 5);
    let probes = (0..8).chain((3..BITS).flat_map(between)).chain([(1 << BITS) - 1]);
    let mut forms = vec![Form { first: 0, last: 0, units: units_of(0) }];
    for probe in probes {
        let end = units_of(probe);
        let mut form = *forms.last().expect("not empty");
        while form.units != end {
            form.last = last_like(&mut units_of, form, probe);
            *forms.last_mut().expect("not empty") = form;
            let first = form.last + 1;
            form = Form { first, last: first, units: units_of(first) };
            forms.push(form);
        }
        forms.last_mut().expect("not empty").last = probe;
    }
    forms
}

/// The last code point below `high` of which all up to it, from the last known one of `form` on, take as many units.
fn last_like(units_of: &mut impl FnMut(u128) -> usize, form: Form, mut high: u128) -> u128 {
    let mut low = form.last;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if units_of(middle) == form.units { low = middle } else { high = middle }
    }
    low
}

/// Writes code points as the reference does.
pub struct Writer {
    encoder: Encoder,
    units: Vec<u16>,
}

impl Writer {
    pub fn new(system: System) -> Self {
        Self { encoder: system.encoder(OnError::Drop), units: Vec::new() }
    }

    /// The units of a stream of these slots, if the system has them all.
    pub fn units(&mut self, slots: &[Slot]) -> Option<&[u16]> {
        let errors = self.encoder.errors();
        self.units.clear();
        let (mut rest, mut room) = (slots, [0; 64]);
        loop {
            let progress = self.encoder.encode(rest, &mut room, true);
            self.units.extend_from_slice(&room[..progress.written]);
            rest = &rest[progress.read..];
            if progress.status == Status::Finished {
                return (self.encoder.errors() == errors).then_some(&self.units[..]);
            }
        }
    }
}

/// The slots of a code point.
pub fn slots_of(code_point: u128) -> Vec<Slot> {
    Whole::from(BigUint::from(code_point)).slots()
}

/// A system that writes what this one has, and in the same way more: surrogates, code points past the limits of the system or
/// of its options. No magic number stands in front.
pub fn without_limits(system: System) -> System {
    match system {
        System::Utf8 | System::Utf8Rfc2279 => System::Utf8EightByte,
        System::UtfInf8 { .. } => System::UtfInf8 { digits: utfhdl_codec::MOST_DIGITS },
        System::Utf9 { .. } => System::Utf9 { max: Utf9Max::Ucs4 },
        System::CorrectedUtf8 { .. } => System::CorrectedUtf8 { document: false },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First code points and units of the forms of a system.
    fn of(name: &str) -> Vec<(u128, usize)> {
        forms(name.parse().unwrap()).iter().map(|form| (form.first, form.units)).collect()
    }

    #[test]
    fn forms_are_those_of_the_documents() {
        let utf_8 = [(0, 1), (0x80, 2), (0x800, 3), (0xd800, 0), (0xe000, 3), (0x1_0000, 4), (0x11_0000, 0)];
        assert_eq!(of("utf-8"), utf_8);
        let utf_18 = [(0, 2), (0xd800, 0), (0xe000, 2), (0x3_0000, 0), (0xe_0000, 2), (0xf_0000, 0)];
        assert_eq!(of("utf-18"), utf_18);
        let corrected = [
            (0, 1),
            (0x80, 0),
            (0xa0, 2),
            (0x8a0, 3),
            (0xd800, 0),
            (0xe000, 3),
            (0x1_10a0, 4),
            (0x21_10a0, 5),
            (0x421_10a0, 6),
            (0x8421_10a0, 0),
        ];
        assert_eq!(of("corrected-utf-8"), corrected);
        let utf_inf_8 = of("utf-inf-8");
        assert_eq!(utf_inf_8[6..9], [(1 << 31, 7), (1 << 36, 13), (1 << 71, 14)]);
        assert_eq!(of("hunk-1"), [(0, 1), (1, 0)]);
    }
}
