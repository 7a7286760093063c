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

impl Values {
    pub(super) fn new(shape: &Rc<Shape>, stages: Stages) -> Self {
        let Stages { class, near, value, .. } = stages;
        let (longest, regions) = (shape.longest, shape.regions.len() as u32);
        // A value of the unit's class, in registers of the stages up to `at`.
        let of_class = |name: &str, note: &'static str, at: u32, make: fn(Class<'_>) -> At<'_>| {
            Value::new(name, note, move |cell| make(Class::of(cell, class))).at(at)
        };
        // Some region of the unit is one that the lead before it names.
        let of_lead = |name: &str, note: &'static str, of_lead: &Value| {
            let of_lead = of_lead.clone();
            Value::new(name, note, move |cell| (Class::of(cell, class).region() & cell.of(1, &of_lead)).any())
        };
        let accepts = of_class("accepts", "of a lead: the trailing units that it accepts", class, |class| {
            class.accepts()
        })
        .widths([regions]);
        let fits = of_lead("fits", "a trailing unit that the lead before accepts", &accepts).named();
        let trailing_from = (1..longest.saturating_sub(1)).chain(shape.has_pairs().then_some(3));
        let trailing = of_class("trailing", "a trailing unit", near, |class| class.trailing())
            .widths(of_units(trailing_from));
        let first_of = |least: usize| {
            let note = "the first trailing unit of a sequence with that number at least";
            let fits = fits.clone();
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
            first
                .at(near)
                .widths(of_units([least - 1, least.saturating_sub(2)].into_iter().filter(|&back| back > 0)))
        };
        let first_of = (1..=longest).map(first_of).collect();
        let longs =
            of_class("longs", "of a lead: the trailing units after which it has limbs", class, |class| {
                class.longs()
            })
            .widths([regions]);
        let thirds =
            of_class("thirds", "of a lead: those after which it has three", class, |class| class.thirds())
                .widths([regions]);
        let head = of_lead("head", "the first trailing unit of a code point with limbs", &longs)
            .at(near)
            .widths(of_units(shape.told_at().into_iter().filter(|&n| n > 1).map(|n| n - 1)));
        let has_third =
            of_lead("has_third", "the first trailing unit of a code point with three limbs", &thirds)
                .at(near);
        let limb_due = |due: usize| {
            let note = "of a lead: which trailing unit makes the last limb but one certain";
            let value =
                Value::new(format!("limb_{due}"), note, move |cell| Class::of(cell, class).limb_due(due));
            (due, value.at(near).widths(of_units([due.max(2)])))
        };
        let limbs_due = shape.limbs_due().into_iter().map(limb_due).collect();
        let lead_ed = of_class("lead_ed", "it is the lead of surrogates", class, |class| class.lead_ed());
        let second = |name: &str, half: fn(Class<'_>) -> At<'_>, back: usize| {
            let lead_ed = lead_ed.clone();
            let value = Value::new(name, "the second octet of a surrogate", move |cell| {
                half(Class::of(cell, class)) & cell.of(1, &lead_ed)
            });
            value.at(near).widths(of_units([back]))
        };
        let of_shape = Rc::clone(shape);
        let bits = Value::new("bits", "bits of the unit that may be in a slot of a later one", move |cell| {
            let unit = cell.unit().at(class - 1);
            unit.map(|unit| {
                let m = cell.unit().builder();
                payload(m, &of_shape.leads, unit).expect("a unit of a sequence has bits")
            })
        });
        Self {
            second_of_high: second("second_of_high", |class| class.high(), 4),
            second_of_low: second("second_of_low", |class| class.low(), 1),
            bits: bits
                .at(value)
                .widths((1..=shape.units_before()).map(|back| shape.bits_of_unit(back)))
                .trimmed(),
            trailing,
            first_of,
            head,
            has_third,
            limbs_due,
        }
    }

    /// The unit is the first trailing unit of a sequence with `least` trailing units at least.
    pub(super) fn first_of(&self, least: usize) -> &Value {
        &self.first_of[least - 1]
    }
}
