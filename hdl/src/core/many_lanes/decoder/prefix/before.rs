//! A unit before the beat: what the lanes ask of it, made where it is asked for.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::shape::Shape;
use super::unit::Class;
use crate::core::many_lanes::decoder::pipeline::delay;
use crate::core::many_lanes::decoder::plan::Plan;
use crate::core::shared::units::payload;
use crate::netlist::{Builder, Signal, Stage};

pub(super) struct Before<'m> {
    m: &'m Builder,
    shape: &'m Shape,
    plan: &'m Plan,
    stage: Stage<'m>,
    /// How many units before the first of the beat it stands.
    back: usize,
    unit: Signal<'m>,
    /// What it is; none of those that matter only for their bits.
    class: Option<Class<'m>>,
    /// The class of the unit before it.
    class_before: Option<Class<'m>>,
    made: RefCell<BTreeMap<String, Signal<'m>>>,
}

impl<'m> Before<'m> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        m: &'m Builder,
        shape: &'m Shape,
        plan: &'m Plan,
        stage: Stage<'m>,
        back: usize,
        unit: Signal<'m>,
        class: Option<Class<'m>>,
        class_before: Option<Class<'m>>,
    ) -> Self {
        Self { m, shape, plan, stage, back, unit, class, class_before, made: RefCell::default() }
    }

    fn made(&self, name: &str, make: impl FnOnce(&str) -> Signal<'m>) -> Signal<'m> {
        let known = self.made.borrow().get(name).copied();
        known.unwrap_or_else(|| {
            let signal = make(&format!("before_{}_{name}", self.back));
            self.made.borrow_mut().insert(name.to_owned(), signal);
            signal
        })
    }

    /// What it is by itself.
    pub(super) fn class(&self) -> Class<'m> {
        self.class.expect("its class matters")
    }

    /// It is a trailing unit of one of these regions.
    fn is_in(&self, regions: Signal<'m>) -> Signal<'m> {
        (self.class().region(self.shape) & regions).any()
    }

    /// It is a trailing unit that the lead before it accepts.
    fn fits_lead(&self) -> Signal<'m> {
        let lead = self.class_before.expect("a unit stands before it");
        self.made("fits_lead", |full| self.is_in(lead.accepts(self.shape)).named(full))
    }

    /// What the lanes need of it for their windows, by name: an output of its class, or how it stands to the unit before it.
    pub(super) fn near(&self, name: &str) -> Signal<'m> {
        let Self { shape, plan, .. } = self;
        let class = self.class();
        let lead = || self.class_before.expect("a unit stands before it");
        self.made(name, |full| match name {
            "accepts" => class.accepts(shape),
            "longs" | "thirds" | "lead_ed" => class.output(name),
            _ if name.starts_with("longer_") => class.output(name),
            _ => {
                let signal = match name {
                    "fits" => self.fits_lead(),
                    "head" => self.is_in(lead().output("longs")).named(full),
                    "has_third" => self.is_in(lead().output("thirds")).named(full),
                    "second_of_high" => (class.output("high") & lead().output("lead_ed")).named(full),
                    "second_of_low" => (class.output("low") & lead().output("lead_ed")).named(full),
                    other => match other.strip_prefix("first_of_") {
                        Some(least) => self.fits_lead() & lead().output(&format!("longer_{least}")),
                        None => class.output(other),
                    },
                };
                delay(self.stage, full, signal, plan.class, plan.window - 1)
            }
        })
    }

    /// Its bits that may be part of a slot, when slots are made.
    pub(super) fn bits(&self) -> Signal<'m> {
        let Self { m, shape, plan, .. } = self;
        self.made("bits", |full| {
            let bits = payload(m, &shape.leads, self.unit).expect("a unit of a sequence has bits");
            delay(
                self.stage,
                full,
                bits.bits(0..shape.bits_of_unit(self.back)),
                plan.class - 1,
                shape.value_at(plan),
            )
        })
    }
}
