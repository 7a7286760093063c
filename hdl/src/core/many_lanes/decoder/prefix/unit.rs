//! What a unit is by itself, whatever stands before it: a module, one of which stands in each lane and for each unit before
//! the beat.

use std::sync::Arc;

use super::shape::Shape;
use crate::core::many_lanes::decoder::logic::within_set;
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Meaning;
use crate::netlist::{Builder, InstanceHandle, Module, Signal, Stage};

/// The outputs of an instance: registers.
#[derive(Clone, Copy)]
pub(super) struct Class<'m>(InstanceHandle<'m>);

impl<'m> Class<'m> {
    /// An instance of the module.
    pub(super) fn new(
        m: &'m Builder,
        name: &str,
        module: &Arc<Module>,
        stage: Stage<'m>,
        unit: Signal<'m>,
        valid: Signal<'m>,
    ) -> Self {
        let instance = m.instance(name, module);
        Self(instance.input("advance", stage.enable).input("unit", unit).input("unit_valid", valid))
    }

    /// The unit is a code point by itself.
    pub(super) fn single(self) -> Signal<'m> {
        self.0.output("single")
    }

    /// The unit is an error, whatever follows.
    pub(super) fn wrong(self) -> Signal<'m> {
        self.0.output("wrong")
    }

    pub(super) fn lead(self) -> Signal<'m> {
        self.0.output("lead")
    }

    /// A bit for each region of first trailing units: the lead accepts it.
    pub(super) fn accepts(self, shape: &Shape) -> Signal<'m> {
        self.0.output(if shape.regions.len() > 1 { "accepts" } else { "lead" })
    }

    pub(super) fn trailing(self) -> Signal<'m> {
        self.0.output("trailing")
    }

    /// A bit for each region: the unit is a trailing unit of that region.
    pub(super) fn region(self, shape: &Shape) -> Signal<'m> {
        self.0.output(if shape.regions.len() > 1 { "region" } else { "trailing" })
    }

    /// Of a lead: its sequence has at least so many trailing units, 2 or more.
    pub(super) fn longer(self, least: usize) -> Signal<'m> {
        self.0.output(&format!("longer_{least}"))
    }

    /// What is wrong with the unit alone; of a lead, with a trailing unit that it does not accept.
    pub(super) fn kind(self) -> Signal<'m> {
        self.0.output("kind")
    }
}

/// The module.
pub(super) fn unit(shape: &Shape) -> Arc<Module> {
    let m = Builder::new("unit", "What a unit is by itself, whatever stands before it.");
    let leads = &shape.leads;
    let unit = m.input("unit", leads.forms.unit_bits, "the unit");
    let valid = m.input("unit_valid", 1, "there is one");
    let stage = m.stage(m.input("advance", 1, "the stage moves"));
    let bit = |is: bool| m.lit(1, is.into());
    let accepts = |form: usize, lead: u64, region: usize| {
        shape.accepted(form, lead).data.contains(&shape.regions[region].start)
    };
    // Of leads: those for whose data `holds` holds.
    let of_leads = |holds: &dyn Fn(usize, u64) -> bool| {
        leads.by_ones(unit, 0, &|meaning| match meaning {
            Meaning::Lead(form) if form > 0 => match leads.forms.forms[form].lead.data_bits {
                0 => bit(holds(form, 0)),
                bits => within_set(&m, unit.bits(0..bits), &|data| holds(form, data)),
            },
            _ => bit(false),
        })
    };
    let is_begun = |form: usize, lead: u64| !shape.accepted(form, lead).data.is_empty();

    let names: Vec<String> = (0..=shape.longest).map(|least| format!("longer_{least}")).collect();
    let mut outputs: Vec<(&str, Signal, &str)> = Vec::new();
    let single = leads.by_ones(unit, 0, &|meaning| bit(meaning == Meaning::Lead(0)));
    outputs.push(("single", single & valid, "a code point by itself"));
    if leads.has_sequences() {
        let lead = of_leads(&is_begun).named("is_lead");
        outputs.push(("lead", lead & valid, "a lead that sequences begin with"));
        let is_trailing = leads.trailing_pattern().expect("sequences have trailing units").matches(unit);
        let is_trailing = (is_trailing & valid).named("is_trailing");
        outputs.push(("trailing", is_trailing, "a trailing unit"));
        if shape.regions.len() > 1 {
            let each = (0..shape.regions.len()).rev();
            let accepts = each.clone().map(|region| of_leads(&|form, lead| accepts(form, lead, region)));
            outputs.push(("accepts", m.concat(accepts), "of a lead: regions of trailing units it accepts"));
            let data = unit.bits(0..leads.forms.trailing_bits());
            let region = |index: usize| {
                is_trailing & within_set(&m, data, &|data| shape.regions[index].contains(&data))
            };
            outputs.push(("region", m.concat(each.map(region)), "of a trailing unit: its region"));
        }
        for least in 2..=shape.longest {
            let longer = leads.by_ones(unit, leads.fewest_ones_of_a_lead(), &|meaning| match meaning {
                Meaning::Lead(form) => bit(form >= least),
                _ => bit(false),
            });
            outputs.push((&names[least], longer, "of a lead: so many trailing units at least"));
        }
    }
    if !shape.drops {
        let wrong = leads.by_ones(unit, 0, &|meaning| match meaning {
            Meaning::Lead(form) if form > 0 => match leads.forms.forms[form].lead.data_bits {
                0 => bit(!is_begun(form, 0)),
                bits => within_set(&m, unit.bits(0..bits), &|data| !is_begun(form, data)),
            },
            Meaning::Nothing => bit(true),
            Meaning::Trailing => bit(!leads.has_sequences()),
            Meaning::Lead(_) => bit(false),
        });
        if shape.has_wrong_units() {
            outputs.push(("wrong", wrong & valid, "an error, whatever follows"));
        }
        outputs.push(("kind", kind(&m, shape, unit), "what is wrong with it, or with what a lead is followed by"));
    }
    for (name, signal, note) in outputs {
        let register = stage.data(&format!("{name}_reg"), signal);
        m.output(name, register, note);
    }
    m.built()
}

/// What is wrong with a unit alone, or with a trailing unit that a lead does not accept; of units with which nothing can be,
/// anything.
fn kind<'m>(m: &'m Builder, shape: &Shape, unit: Signal<'m>) -> Signal<'m> {
    let kinds = Kinds::new(m, &shape.layout);
    let leads = &shape.leads;
    let any = kinds.code(leads.kinds()[0]);
    let fewest = if leads.trailing_pattern().is_some() { 1 } else { 0 };
    leads.by_ones(unit, fewest, &|meaning| match meaning {
        Meaning::Trailing => kinds.code(ErrorKind::Unexpected),
        Meaning::Nothing => kinds.code(leads.kind_of_nothing()),
        Meaning::Lead(0) => any,
        Meaning::Lead(form) => of_lead(shape, form, unit, &kinds).unwrap_or(any),
    })
}

/// The kind of a lead, by its data; none where nothing can be wrong.
fn of_lead<'m>(shape: &Shape, form: usize, unit: Signal<'m>, kinds: &Kinds<'m>) -> Option<Signal<'m>> {
    let bits = shape.leads.forms.forms[form].lead.data_bits;
    let known: Vec<(u64, ErrorKind)> = (0..1u64 << bits)
        .filter_map(|lead| Some((lead, shape.accepted(form, lead).otherwise?)))
        .collect();
    let of = |value: u64, bit: u32| -> Vec<ErrorKind> {
        let mut found: Vec<ErrorKind> = known.iter().filter(|(lead, _)| lead >> bit & 1 == value).map(|(_, kind)| *kind).collect();
        found.dedup();
        found
    };
    let mut all: Vec<ErrorKind> = known.iter().map(|(_, kind)| *kind).collect();
    all.dedup();
    Some(match all[..] {
        [] => return None,
        [only] => kinds.code(only),
        _ => {
            let bit = (0..bits).rev().find(|&bit| of(0, bit).len() == 1 && of(1, bit).len() == 1);
            let bit = bit.expect("one bit of the lead tells what is wrong");
            unit.bit(bit).mux(kinds.code(of(1, bit)[0]), kinds.code(of(0, bit)[0]))
        }
    })
}
