//! The class of a unit by itself, which does not depend on units before it. The module is instantiated in each lane and for each
//! unit before the beat.

use std::sync::Arc;

use super::columns::Columns;
use super::halves::Unit;
use super::shape::Shape;
use super::table;
use crate::core::lanes::{At, Cell};
use crate::netlist::{Builder, InstanceHandle, Module, Signal, Stage};

/// The lead of surrogates.
const SURROGATE_LEAD: u64 = 0xed;

/// The upper half of the octet after the lead of surrogates: of a high one, and of a low one.
const SECOND_OF_SURROGATES: [(&str, u64); 2] = [("high", 0xa), ("low", 0xb)];

/// The outputs of an instance: registers of one stage.
#[derive(Clone, Copy)]
pub(in crate::core::many_lanes) struct Class<'m> {
    instance: InstanceHandle<'m>,
    registers: Stage<'m>,
    stage: u32,
}

/// An instance of the module, of stage `stage`.
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

impl<'m> Class<'m> {
    /// The class of a cell's unit, of stage `stage`.
    pub(in crate::core::many_lanes) fn of(cell: &dyn Cell<'m>, stage: u32) -> Self {
        Self { instance: cell.class(), registers: cell.unit().registers(), stage }
    }

    fn output(self, name: &str) -> At<'m> {
        At::new(self.registers, self.instance.output(name), self.stage)
    }

    /// The output `name`, or where the system tells no regions apart, `other`.
    fn region_or(self, name: &str, other: &str) -> At<'m> {
        let has_regions = self.instance.module().outputs().any(|port| port.name == name);
        self.output(if has_regions { name } else { other })
    }

    /// The unit is a code point by itself.
    pub(in crate::core::many_lanes) fn single(self) -> At<'m> {
        self.output("single")
    }

    /// The unit is an error, whatever follows.
    pub(in crate::core::many_lanes) fn wrong(self) -> At<'m> {
        self.output("wrong")
    }

    /// The unit opens a run that is one error.
    pub(in crate::core::many_lanes) fn opener(self) -> At<'m> {
        self.output("opener")
    }

    /// The unit is a lead that sequences begin with.
    pub(in crate::core::many_lanes) fn lead(self) -> At<'m> {
        self.output("lead")
    }

    /// A bit for each region of first trailing units: the lead accepts it.
    pub(in crate::core::many_lanes) fn accepts(self) -> At<'m> {
        self.region_or("accepts", "lead")
    }

    /// The unit is a trailing unit.
    pub(in crate::core::many_lanes) fn trailing(self) -> At<'m> {
        self.output("trailing")
    }

    /// A bit for each region: the unit is a trailing unit of that region.
    pub(in crate::core::many_lanes) fn region(self) -> At<'m> {
        self.region_or("region", "trailing")
    }

    /// A bit for a lead: its sequence has at least `least` trailing units, 2 or more.
    pub(in crate::core::many_lanes) fn longer(self, least: usize) -> At<'m> {
        self.output(&format!("longer_{least}"))
    }

    /// A bit for each region, for a lead: a first trailing unit there begins a code point with limbs; with three.
    pub(in crate::core::many_lanes) fn longs(self) -> At<'m> {
        self.output("longs")
    }

    pub(in crate::core::many_lanes) fn thirds(self) -> At<'m> {
        self.output("thirds")
    }

    /// A bit for a lead: its `due`-th trailing unit makes the last limb but one certain.
    pub(in crate::core::many_lanes) fn limb_due(self, due: usize) -> At<'m> {
        self.output(&format!("limb_{due}"))
    }

    /// The unit is the lead of surrogates; a trailing unit after that is of a high one, or of a low one.
    pub(in crate::core::many_lanes) fn lead_ed(self) -> At<'m> {
        self.output("lead_ed")
    }

    pub(in crate::core::many_lanes) fn high(self) -> At<'m> {
        self.output("high")
    }

    pub(in crate::core::many_lanes) fn low(self) -> At<'m> {
        self.output("low")
    }

    /// The kind of error of the unit alone; of a lead, with a trailing unit that it does not accept.
    pub(in crate::core::many_lanes) fn kind(self) -> At<'m> {
        self.output("kind")
    }
}

/// The module, for instances in `core`. Its outputs are registers of stage `class`, unless that is folded.
pub(in crate::core::many_lanes) fn unit(core: &Builder, shape: &Shape, class: u32) -> Arc<Module> {
    let m = core.below("unit", "What a unit is by itself, whatever stands before it.");
    let unit = m.input("unit", shape.leads.forms.unit_bits, "the unit");
    // A validator masks marks alone, and takes two stages.
    let is_validator = shape.verdict.is_some();
    let valid = (!is_validator).then(|| m.input("unit_valid", 1, "there is one"));
    let first = if is_validator { class - 1 } else { class };
    let advance = match (first..=class).all(|stage| m.folded().has(stage)) {
        true => m.lit(1, 1),
        false => m.input("advance", 1, "the stage moves"),
    };
    let stages = m.stage(advance);
    let stage = stages.at(class);
    m.section("The units of the system");
    let unit = Unit::new(unit, is_validator.then(|| stages.at(first)));
    let columns = Columns::new(&m, shape, stage, &unit);
    let outputs = Outputs { m: &m, stage, shape, unit, valid, columns };
    outputs.class();
    outputs.pairs();
    outputs.lengths();
    outputs.limbs();
    if let Some(kind) = outputs.columns.get("wrong_kind") {
        outputs.put("kind", kind, "what is wrong with it, or behind it");
    }
    m.built()
}

/// The outputs of the module.
struct Outputs<'a, 'm> {
    m: &'m Builder,
    stage: Stage<'m>,
    shape: &'a Shape,
    unit: Unit<'m>,
    valid: Option<Signal<'m>>,
    columns: Columns<'m>,
}

impl<'m> Outputs<'_, 'm> {
    fn put(&self, name: &str, signal: Signal<'m>, note: &str) {
        self.m.output(name, self.stage.data(&format!("{name}_reg"), signal), note);
    }

    /// The signal, zero where there is no unit: a lane without one must neither end nor continue a sequence. Other outputs are not read then.
    fn masked(&self, signal: Signal<'m>) -> Signal<'m> {
        self.valid.map_or(signal, |valid| signal.masked(valid))
    }

    /// The class of the unit, and its regions.
    fn class(&self) {
        let what = self.columns.get("what").expect("a unit is something");
        for (bit, (_, name)) in (0..).zip(table::classes(self.shape)) {
            let note = match name {
                "single" => "a code point by itself",
                "trailing" => "a trailing unit",
                "lead" => "a lead that sequences begin with",
                "opener" => "it opens a run that is one error",
                _ => "an error, whatever follows",
            };
            self.put(name, self.masked(what.bit(bit)), note);
        }
        if let Some(accepts) = self.columns.get("accepted") {
            self.put("accepts", accepts, "of a lead: the regions of trailing units that it accepts");
        }
        if let Some(region) = self.columns.get("own_region") {
            self.put("region", self.masked(region), "of a trailing unit: its region");
        }
    }

    /// Surrogates, where two of them are a code point.
    fn pairs(&self) {
        if !self.shape.has_pairs() {
            return;
        }
        let is_lead = self.unit.bits(0..self.unit.width()).is(SURROGATE_LEAD);
        self.put("lead_ed", self.masked(is_lead), "the lead of surrogates");
        for (half, upper) in SECOND_OF_SURROGATES {
            let note = "of a trailing unit behind that: of which surrogate it is";
            self.put(half, self.unit.bits(4..8).is(upper), note);
        }
    }

    /// The length of the sequence of a lead.
    fn lengths(&self) {
        let length_bits = table::length_bits(self.shape);
        for least in 2..=self.shape.longest {
            let longer = match &length_bits {
                Some(bits) => {
                    let bits = bits[least - 2].iter().map(|&bit| self.unit.bit(bit));
                    bits.reduce(|a, b| a & b).expect("a bit")
                }
                None => {
                    let longer = self.columns.get("is_longer").expect("a column of the table");
                    longer.bit(least as u32 - 2)
                }
            };
            self.put(&format!("longer_{least}"), longer, "of a lead: that number of trailing units at least");
        }
    }

    /// The limbs of the code point of a lead.
    fn limbs(&self) {
        let of_limbs = self.columns.get("tells_long").zip(self.columns.get("second_last"));
        let Some((long, second_last)) = of_limbs else { return };
        self.put("longs", long, "of a lead: the regions of trailing units that tell of limbs");
        if let Some(third) = self.columns.get("tells_third") {
            self.put("thirds", third, "of a lead: those that tell of a third limb");
        }
        for (bit, due) in (0..).zip(self.shape.limbs_due()) {
            let note = "of a lead: which trailing unit makes the last limb but one certain";
            self.put(&format!("limb_{due}"), second_last.bit(bit), note);
        }
    }
}
