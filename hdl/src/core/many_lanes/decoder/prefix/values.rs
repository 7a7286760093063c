//! Values of a unit that the units after it need.

use std::rc::Rc;

use super::shape::Shape;
use super::stages::Stages;
use super::unit::Class;
use crate::core::lanes::{At, Value};
use crate::core::shared::units::payload;

/// The values, of stage `near` if nothing else is said.
pub(super) struct Values {
    /// The unit is a trailing unit.
    pub(super) trailing: Value,
    /// Entry n: the unit is the first trailing unit of a sequence with n + 1 trailing units at least.
    first_of: Vec<Value>,
    /// The unit is the first trailing unit of a code point with limbs; with three.
    pub(super) head: Value,
    pub(super) has_third: Value,
    /// The trailing unit after a lead that makes the last limb but one certain.
    pub(super) limbs_due: Vec<(usize, Value)>,
    /// The unit is the second of a high surrogate, and of a low one.
    pub(super) second_of_high: Value,
    pub(super) second_of_low: Value,
    /// The bits of the unit. Stage `value`.
    pub(super) bits: Value,
}

/// One bit of each of these units before.
fn of_units(units: impl IntoIterator<Item = usize>) -> Vec<u32> {
    let units: Vec<usize> = units.into_iter().collect();
    let farthest = units.iter().copied().max().unwrap_or(0);
    (1..=farthest).map(|back| u32::from(units.contains(&back))).collect()
}

/// Values that are being made for a system.
struct Making<'a> {
    shape: &'a Rc<Shape>,
    stages: Stages,
    /// The unit is a trailing unit that the lead before it accepts.
    fits: Value,
}

/// A value of the unit's class, in registers of the stages up to `at`; `class` is the stage of the class.
fn of_class(name: &str, note: &'static str, [class, at]: [u32; 2], make: fn(Class<'_>) -> At<'_>) -> Value {
    Value::new(name, note, move |cell| make(Class::of(cell, class))).at(at)
}

/// The region of a trailing unit is one of those that `of_lead` says of the lead before it.
fn of_lead(name: &str, note: &'static str, class: u32, of_lead: &Value) -> Value {
    let of_lead = of_lead.clone();
    Value::new(name, note, move |cell| (Class::of(cell, class).region() & cell.of(1, &of_lead)).any())
}

impl<'a> Making<'a> {
    fn new(shape: &'a Rc<Shape>, stages: Stages) -> Self {
        let class = stages.class;
        let note = "of a lead: the trailing units that it accepts";
        let accepts = of_class("accepts", note, [class, class], |class| class.accepts());
        let accepts = accepts.widths([shape.regions.len() as u32]);
        let fits = of_lead("fits", "a trailing unit that the lead before accepts", class, &accepts).named();
        Self { shape, stages, fits }
    }

    fn first_of(&self, least: usize) -> Value {
        let note = "the first trailing unit of a sequence with that number at least";
        let (class, fits) = (self.stages.class, self.fits.clone());
        let first = match least {
            1 => Value::new("first_of_1", note, move |cell| cell.of(0, &fits)),
            _ => {
                let note = "of a lead: that number of trailing units at least";
                let longer = Value::new(format!("longer_{least}"), note, move |cell| {
                    Class::of(cell, class).longer(least)
                });
                Value::new(format!("first_of_{least}"), note, move |cell| {
                    cell.of(0, &fits) & cell.of(1, &longer)
                })
            }
        };
        let further = [least - 1, least.saturating_sub(2)].into_iter().filter(|&back| back > 0);
        first.at(self.stages.near).widths(of_units(further))
    }

    /// A trailing unit begins a code point with limbs, by the regions that `value` says of its lead.
    fn of_limbs(&self, name: &str, note: &'static str, value: Value) -> Value {
        let value = value.widths([self.shape.regions.len() as u32]);
        of_lead(name, note, self.stages.class, &value).at(self.stages.near)
    }

    fn limb_due(&self, due: usize) -> (usize, Value) {
        let class = self.stages.class;
        let note = "of a lead: which trailing unit makes the last limb but one certain";
        let value = Value::new(format!("limb_{due}"), note, move |cell| Class::of(cell, class).limb_due(due));
        (due, value.at(self.stages.near).widths(of_units([due.max(2)])))
    }

    /// The second octet of one half of a pair of surrogates, which a unit `back` before is asked for.
    fn second(&self, name: &str, half: fn(Class<'_>) -> At<'_>, back: usize) -> Value {
        let class = self.stages.class;
        let note = "it is the lead of surrogates";
        let lead_ed = of_class("lead_ed", note, [class, class], |class| class.lead_ed());
        let value = Value::new(name, "the second octet of a surrogate", move |cell| {
            half(Class::of(cell, class)) & cell.of(1, &lead_ed)
        });
        value.at(self.stages.near).widths(of_units([back]))
    }

    fn bits(&self) -> Value {
        let (class, shape) = (self.stages.class, Rc::clone(self.shape));
        let bits = Value::new("bits", "bits of the unit that may be in a slot of a later one", move |cell| {
            let unit = cell.unit().at(class - 1);
            unit.map(|unit| {
                let m = cell.unit().builder();
                payload(m, &shape.leads, unit).expect("a unit of a sequence has bits")
            })
        });
        let of_units = (1..=self.shape.units_before()).map(|back| self.shape.bits_of_unit(back));
        bits.at(self.stages.value).widths(of_units).trimmed()
    }
}

impl Values {
    pub(super) fn new(shape: &Rc<Shape>, stages: Stages) -> Self {
        let making = Making::new(shape, stages);
        let (class, near, longest) = (stages.class, stages.near, shape.longest);
        let trailing = of_class("trailing", "a trailing unit", [class, near], |class| class.trailing());
        let trailing_from = (1..longest.saturating_sub(1)).chain(shape.has_pairs().then_some(3));
        let note = "of a lead: the trailing units after which it has limbs";
        let longs = of_class("longs", note, [class, class], |class| class.longs());
        let note = "of a lead: those after which it has three";
        let thirds = of_class("thirds", note, [class, class], |class| class.thirds());
        let told_at = shape.told_at().into_iter().filter(|&n| n > 1).map(|n| n - 1);
        Self {
            trailing: trailing.widths(of_units(trailing_from)),
            first_of: (1..=longest).map(|least| making.first_of(least)).collect(),
            head: making
                .of_limbs("head", "the first trailing unit of a code point with limbs", longs)
                .widths(of_units(told_at)),
            has_third: making.of_limbs(
                "has_third",
                "the first trailing unit of a code point with three limbs",
                thirds,
            ),
            limbs_due: shape.limbs_due().into_iter().map(|due| making.limb_due(due)).collect(),
            second_of_high: making.second("second_of_high", |class| class.high(), 4),
            second_of_low: making.second("second_of_low", |class| class.low(), 1),
            bits: making.bits(),
        }
    }

    /// The unit is the first trailing unit of a sequence with `least` trailing units at least.
    pub(super) fn first_of(&self, least: usize) -> &Value {
        &self.first_of[least - 1]
    }
}
