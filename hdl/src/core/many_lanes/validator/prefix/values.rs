//! Values of units from which the values and marks of later units follow.

use std::rc::Rc;

use super::Stages;
use crate::core::lanes::{At, Value};
use crate::core::many_lanes::decoder::prefix::{Class, Shape};

/// Values of a unit that the units after it need.
pub(super) struct Values {
    pub(super) trailing: Value,
    /// Bit per region: a trailing unit of it.
    pub(super) region: Value,
    pub(super) accepts: Value,
    pub(super) lead: Value,
    /// Entry n: of a lead, that n + 2 trailing units at least follow.
    pub(super) longer: Vec<Value>,
    /// A trailing unit that the lead before it accepts.
    pub(super) fits: Value,
    /// Entry n: after the unit, which is a trailing unit, n + 1 further ones at least are due.
    pub(super) due: Vec<Value>,
    pub(super) kind: Value,
}

/// A value that one unit asks for of the unit `back` before.
fn asked(value: Value, back: usize) -> Value {
    value.widths((1..=back).map(|at| u32::from(at == back)))
}

impl Values {
    pub(super) fn new(shape: &Rc<Shape>, stages: Stages) -> Self {
        let Stages { class, near, .. } = stages;
        let regions = shape.regions.len() as u32;
        let of_class = |name: &str, note: &'static str, make: fn(Class<'_>) -> At<'_>| {
            Value::new(name, note, move |cell| make(Class::of(cell, class))).at(class)
        };
        let trailing = of_class("trailing", "a trailing unit", |class| class.trailing());
        let accepts =
            of_class("accepts", "of a lead: the trailing units that it accepts", |class| class.accepts())
                .widths([regions]);
        let lead = of_class("lead", "a lead that sequences begin with", |class| class.lead());
        let region = of_class("region", "bit per region: a trailing unit of it", |class| class.region());
        let fits = {
            let (region, accepts) = (region.clone(), accepts.clone());
            Value::new("fits", "a trailing unit that the lead before accepts", move |cell| {
                (cell.of(0, &region) & cell.of(1, &accepts)).any()
            })
            .named()
        };
        let longer = |least: usize| {
            let note = "of a lead: that number of trailing units at least";
            Value::new(format!("longer_{least}"), note, move |cell| Class::of(cell, class).longer(least))
                .at(class)
        };
        let longer: Vec<Value> = (2..=shape.longest).map(longer).collect();
        let due = due(&fits, &longer, &trailing, near);
        let kind =
            of_class("kind", "of a lead: the kind of error with a unit that it does not accept", |class| {
                class.kind()
            })
            .widths([shape.layout.kind_bits]);
        Self { trailing, region, accepts, lead, longer, fits, due, kind }
    }
}

/// How many trailing units are due after a unit, as far as its beat decides that.
fn due(fits: &Value, longer: &[Value], trailing: &Value, near: u32) -> Vec<Value> {
    let note = "after it, that number of trailing units at least is due";
    let first = |(index, longer): (usize, &Value)| {
        let (fits, longer) = (fits.clone(), longer.clone());
        let value = Value::new(format!("due_{}", index + 1), note, move |cell| {
            cell.of(0, &fits) & cell.of(1, &longer)
        });
        asked(value.at(near), 1)
    };
    let mut due: Vec<Value> = longer.iter().enumerate().map(first).collect();
    let mut run = {
        let trailing = trailing.clone();
        let value = Value::new("run_of_1", "a trailing unit", move |cell| cell.of(0, &trailing));
        asked(value.at(near), 1)
    };
    let mut reach = 1;
    let mut at = near;
    while reach < due.len() {
        let next = |index: usize| {
            let (own, before, run) = (due[index].clone(), due.get(index + reach).cloned(), run.clone());
            let name = format!("due_{}_of_{}", index + 1, 2 * reach);
            let value = Value::new(name, note, move |cell| match &before {
                Some(before) => cell.of(0, &own) | (cell.of(0, &run) & cell.of(reach, before)),
                None => cell.of(0, &own),
            });
            asked(value.at(at + 1), 2 * reach)
        };
        let doubled: Vec<Value> = (0..due.len()).map(next).collect();
        let value = {
            let run = run.clone();
            Value::new(format!("run_of_{}", 2 * reach), "so are the units before it", move |cell| {
                cell.of(0, &run) & cell.of(reach, &run)
            })
        };
        run = asked(value.at(at + 1), 2 * reach);
        due = doubled;
        reach *= 2;
        at += 1;
    }
    due
}
