//! The class of an octet of CESU-8 or of modified UTF-8 by itself, which does not depend on octets before it. The module is
//! instantiated in each lane and for each unit before the beat.

use std::sync::Arc;

use super::shape::Shape;
use crate::core::lanes::At;
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::{Builder, InstanceHandle, Module, Row, Signal};

/// Bits of an octet.
pub(in crate::core::many_lanes) const OCTET: u32 = 8;

/// The classes of octets, a bit each, with name and note.
const WHATS: [(What, &str, &str); 7] = [
    (What::Single, "single", "a code point by itself"),
    (What::Trailing, "trailing", "a trailing octet"),
    (What::Lead, "lead", "a lead that accepts every trailing octet"),
    (What::LeadE0, "lead_e0", "E0, which accepts A0..BF"),
    (What::LeadEd, "lead_ed", "ED, which accepts 80..AF, or B0..BF behind a high surrogate"),
    (What::LeadOfNul, "lead_of_nul", "C0, which accepts 80"),
    (What::Wrong, "wrong", "an error, whatever follows"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Single,
    Trailing,
    Lead,
    LeadE0,
    LeadEd,
    LeadOfNul,
    Wrong,
}

/// A row of the table: a pattern of octets, a note on the pattern, its class, and its kind of error. For a lead, that is the kind of a
/// trailing octet that the lead does not accept.
type OctetRow = (&'static str, &'static str, What, Option<ErrorKind>);

/// The rows of the table; units of rows further up are not meant.
fn rows(shape: &Shape) -> Vec<OctetRow> {
    let mut rows: Vec<OctetRow> = Vec::new();
    if shape.nul_is_pair {
        rows.push(("00000000", "U+0000, which is C0 80", What::Wrong, Some(ErrorKind::Nul)));
    }
    rows.push(("0xxxxxxx", "a code point", What::Single, None));
    rows.push(("10xxxxxx", "trailing", What::Trailing, Some(ErrorKind::Unexpected)));
    if shape.nul_is_pair {
        rows.push(("11000000", "lead of U+0000", What::LeadOfNul, Some(ErrorKind::Overlong)));
    }
    rows.extend([
        ("1100000x", "overlong", What::Wrong, Some(ErrorKind::Overlong)),
        ("110xxxxx", "lead of 2 units", What::Lead, None),
        ("11100000", "lead of 3 units, some of them overlong", What::LeadE0, Some(ErrorKind::Overlong)),
        ("11101101", "lead of 3 units, some of them surrogates", What::LeadEd, Some(ErrorKind::Surrogate)),
        ("1110xxxx", "lead of 3 units", What::Lead, None),
        ("1111xxxx", "none of the system", What::Wrong, Some(ErrorKind::Invalid)),
    ]);
    rows
}

/// An instance of the module.
pub(in crate::core::many_lanes) fn instance<'m>(
    name: &str,
    module: &Arc<Module>,
    unit: At<'m>,
    valid: At<'m>,
) -> InstanceHandle<'m> {
    let instance = unit.builder().instance(name, module);
    if module.inputs().any(|port| port.name == "advance") {
        instance.input("advance", unit.registers().enable);
    }
    let (unit, valid) = (unit.signal(), valid.at(unit.stage()).signal());
    instance.input("unit", unit).input("unit_valid", valid)
}

/// The module, for instances in `core`. Its outputs are registers of stage `class`, unless that is folded.
pub(in crate::core::many_lanes) fn unit(core: &Builder, shape: &Shape, class: u32) -> Arc<Module> {
    let m = core.below("unit", "What an octet is by itself, whatever stands before it.");
    let unit = m.input("unit", OCTET, "the octet");
    let valid = m.input("unit_valid", 1, "there is one");
    let advance = match m.folded().has(class) {
        true => m.lit(1, 1),
        false => m.input("advance", 1, "the stage moves"),
    };
    let stage = m.stage(advance).at(class);
    m.section("The octets of the system");
    let whats: Vec<_> = WHATS
        .into_iter()
        .filter(|(what, ..)| match what {
            What::LeadOfNul => shape.nul_is_pair,
            What::Wrong => !shape.drops,
            _ => true,
        })
        .collect();
    let bits = whats.len() as u32;
    let constants: Vec<Signal> = (0..)
        .zip(&whats)
        .map(|(bit, (_, name, _))| m.lit(bits, 1 << bit).named(&name.to_uppercase()))
        .collect();
    let what_of = |what: What| {
        let at = whats.iter().position(|(of, ..)| *of == what);
        at.map_or(m.lit(bits, 0), |at| constants[at])
    };
    let output = |name: &str, signal: Signal<'_>, note: &str| {
        m.output(name, stage.data(&format!("{name}_reg"), signal), note);
    };
    let rows = rows(shape);
    let (_, _, others, of_others) = *rows.last().expect("there are octets");
    let what = if shape.drops {
        let all = rows.iter().map(|&(octets, note, what, _)| Row::new(octets, note, [what_of(what)]));
        unit.table(["what"], all, [what_of(others)])[0]
    } else {
        let kinds = Kinds::new(stage, &shape.layout);
        // The kind of octets that cannot be wrong is never read.
        let kind_of = |kind: Option<ErrorKind>| kinds.code(kind.unwrap_or(ErrorKind::Unexpected)).signal();
        let all = rows
            .iter()
            .map(|&(octets, note, what, kind)| Row::new(octets, note, [what_of(what), kind_of(kind)]));
        let [what, kind] = unit.table(["what", "wrong_kind"], all, [what_of(others), kind_of(of_others)]);
        output("kind", kind, "what is wrong with it, or behind it");
        what
    };
    let what = what.masked(valid).named("what_valid");
    for (bit, (_, name, note)) in (0..).zip(whats) {
        output(name, what.bit(bit), note);
    }
    output("is_long", unit.bits(4..OCTET).is(0xe), "of a lead: two trailing octets follow");
    output("high", unit.bits(4..OCTET).is(0xa), "A0..AF: behind ED, of a high surrogate");
    output("low", unit.bits(4..OCTET).is(0xb), "B0..BF: behind ED, of a low surrogate");
    if shape.nul_is_pair {
        output("is_80", !unit.bits(0..OCTET - 1).any(), "80, if it is a trailing octet");
    }
    m.built()
}
