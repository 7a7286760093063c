//! How many beats can come out of a frame: that many the bench has room for.

use utfhdl_hdl::core::{Core, Role};

use crate::cores::reference_system;
use crate::noise::{Form, forms};
use utfhdl_codec::System;

/// Units of a magic number.
const MAGIC: usize = 8;
/// A limb of UTF-∞-8 that comes first is behind its header, and those behind may carry a unit over: so many units more
/// than were read can be written of a code point that is then cut, with its replacement.
const CUT: usize = 4;

/// The most beats that come of a frame of so many units, or of an encoder so many slots.
pub fn most_beats(core: &Core, units: usize) -> usize {
    let system = reference_system(core.spec.system);
    match core.spec.role {
        // At most one slot a unit.
        Role::Decoder => units,
        Role::Encoder => magic(system) + slots(system, units),
        Role::Transcoder { to } => {
            let to = reference_system(to);
            magic(to) + transcoded(system, to, units)
        }
    }
}

fn magic(system: System) -> usize {
    if system == (System::CorrectedUtf8 { document: true }) { MAGIC } else { 0 }
}

/// The units of so many slots.
fn slots(system: System, slots: usize) -> usize {
    // A head and a limb with the longest header, cut, make no more than two code points that are held whole.
    let bits = if slots == 1 { u32::BITS } else { u128::BITS - 1 };
    slots * longest(system, |form| form.first >> bits == 0).max(replacement(system))
}

/// The units of `to` that so many units make.
fn transcoded(from: System, to: System, units: usize) -> usize {
    // Of the sequences up to each length what is longest on the other side; and of those, the best row of them.
    let is_cut = matches!((from, to), (System::UtfInf8 { .. }, System::UtfInf8 { .. }));
    let mut most = vec![0; units + 1];
    for total in 1..=units {
        for length in 1..=total {
            let of_length = forms(from).into_iter().filter(|form| (1..=length).contains(&form.units));
            let whole = of_length.map(|form| longest(to, |other| meets(*other, form))).max().unwrap_or(0);
            let cut = if is_cut { length + CUT } else { 0 };
            most[total] = most[total].max(most[total - length] + whole.max(cut).max(replacement(to)));
        }
    }
    most[units]
}

fn meets(a: Form, b: Form) -> bool {
    a.first <= b.last && b.first <= a.last
}

/// The units of the longest of some forms.
fn longest(system: System, of: impl Fn(&Form) -> bool) -> usize {
    forms(system).iter().filter(|form| of(form)).map(|form| form.units).max().unwrap_or(0)
}

fn replacement(system: System) -> usize {
    let units_of = |code_point: u128| longest(system, |form| (form.first..=form.last).contains(&code_point));
    // Whatever is taken: a system without U+FFFD may have another.
    match units_of(0xfffd) {
        0 => longest(system, |form| form.first <= 0x3f),
        units => units,
    }
}
