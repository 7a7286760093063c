//! The class of a unit by itself, which does not depend on units before it. The module is instantiated in each lane and for each
//! unit before the beat.

use std::sync::Arc;

use super::halves;
use super::shape::Shape;
use super::table::{self, Class as Alike, What};
use crate::core::lanes::{At, Cell};
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::many_lanes::logic::masked;
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::{Builder, InstanceHandle, Module, Row, Signal, Stage};

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
    // A validator masks marks alone.
    let valid = shape.verdict.is_none().then(|| m.input("unit_valid", 1, "there is one"));
    let masked = |signal| valid.map_or(signal, |valid| masked(signal, valid));
    let advance = match m.folded().has(class) {
        true => m.lit(1, 1),
        false => m.input("advance", 1, "the stage moves"),
    };
    let stage = m.stage(advance).at(class);
    m.section("The units of the system");
    let whats = table::classes(shape);
    let bits = whats.len() as u32;
    let constants: Vec<Signal> =
        (0..).zip(&whats).map(|(bit, (_, name))| m.lit(bits, 1 << bit).named(&name.to_uppercase())).collect();
    let kinds = Kinds::new(stage, &shape.layout);
    let is_parted = shape.regions.len() > 1;
    let dues: Vec<usize> = shape.limbs_due().into_iter().collect();
    let length_bits = table::length_bits(shape);
    let named = [
        Some("what"),
        is_parted.then_some("accepted"),
        (is_parted && valid.is_some()).then_some("own_region"),
        (shape.longest > 1 && length_bits.is_none()).then_some("is_longer"),
        shape.limbs().map(|_| "tells_long"),
        shape.has_third_limbs().then_some("tells_third"),
        shape.limbs().map(|_| "second_last"),
        shape.tells_kinds_of_units().then_some("wrong_kind"),
    ];
    let names: Vec<&str> = named.into_iter().flatten().collect();
    // The value of a column for a class of units, as a number; `None` where the value has no meaning.
    let number = |column: &str, class: &Alike| {
        let is_lead = class.what == What::Lead;
        match column {
            "what" => Some(whats.iter().position(|(what, _)| *what == class.what).map_or(0, |at| 1 << at)),
            "accepted" => Some(if is_lead { class.regions } else { 0 }),
            "own_region" => Some(if class.what == What::Trailing { class.regions } else { 0 }),
            "tells_long" => Some(if is_lead { class.long } else { 0 }),
            "tells_third" => Some(if is_lead { class.third } else { 0 }),
            "second_last" => {
                let due = class.due.and_then(|due| dues.iter().position(|other| *other == due));
                is_lead.then_some(due.map_or(0, |at| 1 << at))
            }
            "is_longer" => is_lead.then_some((1 << (class.follow.max(1) - 1)) - 1),
            _ => class.kind.map(ErrorKind::code),
        }
    };
    let table = halves::rows(shape);
    let signal = |column: &str, number: u64| match column {
        "what" if number == 0 => m.lit(bits, 0),
        "what" => constants[number.trailing_zeros() as usize],
        "accepted" | "own_region" | "tells_long" | "tells_third" => m.lit(shape.regions.len() as u32, number),
        "second_last" => m.lit(dues.len() as u32, number),
        "is_longer" => m.lit(shape.longest as u32 - 1, number),
        _ => {
            let mut all =
                table.iter().flat_map(|row| row.classes.iter().flatten()).filter_map(|class| class.kind);
            let kind = all.find(|kind| kind.code() == number);
            kind.map_or(m.lit(shape.layout.kind_bits, number), |kind| kinds.code(kind).signal())
        }
    };
    let lower = halves::Lower::of(&m, unit);
    let row_bits = halves::row_bits(unit.width());
    let upper = unit.bits(row_bits..unit.width());
    // A row in which no unit has a meaning gets the value of a row next to it: the fewer values, the less logic.
    let near = |column: &str, index: usize| {
        let known = |row: &halves::Row| row.classes.iter().flatten().find_map(|class| number(column, class));
        table[..index].iter().rev().chain(&table[index..]).find_map(known)
    };
    let rows: Vec<(&halves::Row, Vec<Signal>)> = table
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let value = |column: &&str| {
                let of_half = |half: &Vec<Alike>| half.iter().map(|class| number(column, class)).collect();
                let mut halves: Vec<Vec<Option<u64>>> = row.classes.iter().map(of_half).collect();
                halves.retain(|numbers| numbers.iter().any(Option::is_some));
                halves.dedup();
                let choose =
                    |numbers: &[Option<u64>]| lower.choose(numbers, &|number| signal(column, number));
                let value = match &halves[..] {
                    [] => choose(&[near(column, index)]),
                    [both] => choose(both),
                    [low, high, ..] => unit.bit(row_bits - 1).mux(choose(high), choose(low)),
                };
                // The last row is the table's default, whose values stand before the table.
                let is_named = index + 1 == table.len() && !value.is_constant();
                if is_named { value.named(&format!("{column}_of_others")) } else { value }
            };
            let values = names.iter().map(value).collect();
            (row, values)
        })
        .collect();
    let found = match names.len() {
        1 => look_up::<1>(upper, &names, &rows),
        2 => look_up::<2>(upper, &names, &rows),
        3 => look_up::<3>(upper, &names, &rows),
        4 => look_up::<4>(upper, &names, &rows),
        5 => look_up::<5>(upper, &names, &rows),
        6 => look_up::<6>(upper, &names, &rows),
        7 => look_up::<7>(upper, &names, &rows),
        _ => look_up::<8>(upper, &names, &rows),
    };
    let column = |name: &str| names.iter().position(|column| *column == name).map(|at| found[at]);
    let output = |name: &str, signal: Signal<'_>, note: &str| {
        m.output(name, stage.data(&format!("{name}_reg"), signal), note);
    };
    // A lane without a unit must neither end nor continue a sequence; its other outputs are not read.
    let what = column("what").expect("a unit is something");
    for (bit, (_, name)) in (0..).zip(whats) {
        let note = match name {
            "single" => "a code point by itself",
            "trailing" => "a trailing unit",
            "lead" => "a lead that sequences begin with",
            "opener" => "it opens a run that is one error",
            _ => "an error, whatever follows",
        };
        output(name, masked(what.bit(bit)), note);
    }
    if let Some(accepts) = column("accepted") {
        output("accepts", accepts, "of a lead: the regions of trailing units that it accepts");
    }
    if let Some(region) = column("own_region") {
        output("region", masked(region), "of a trailing unit: its region");
    }
    if shape.has_pairs() {
        output("lead_ed", masked(unit.is(SURROGATE_LEAD)), "the lead of surrogates");
        for (half, upper) in SECOND_OF_SURROGATES {
            output(
                half,
                unit.bits(4..8).is(upper),
                "of a trailing unit behind that: of which surrogate it is",
            );
        }
    }
    for least in 2..=shape.longest {
        let longer = match &length_bits {
            Some(bits) => {
                bits[least - 2].iter().map(|&bit| unit.bit(bit)).reduce(|a, b| a & b).expect("a bit")
            }
            None => column("is_longer").expect("a column of the table").bit(least as u32 - 2),
        };
        output(&format!("longer_{least}"), longer, "of a lead: that number of trailing units at least");
    }
    if let (Some(long), Some(second_last)) = (column("tells_long"), column("second_last")) {
        output("longs", long, "of a lead: the regions of trailing units that tell of limbs");
        if let Some(third) = column("tells_third") {
            output("thirds", third, "of a lead: those that tell of a third limb");
        }
        for (bit, due) in (0..).zip(&dues) {
            let note = "of a lead: which trailing unit makes the last limb but one certain";
            output(&format!("limb_{due}"), second_last.bit(bit), note);
        }
    }
    if let Some(kind) = column("wrong_kind") {
        output("kind", kind, "what is wrong with it, or behind it");
    }
    m.built()
}

/// The columns of the table, looked up.
fn look_up<'m, const N: usize>(
    unit: Signal<'m>,
    names: &[&str],
    rows: &[(&halves::Row, Vec<Signal<'m>>)],
) -> Vec<Signal<'m>> {
    let values = |values: &[Signal<'m>]| -> [Signal<'m>; N] { std::array::from_fn(|at| values[at]) };
    let (_, default) = rows.last().expect("a system has units");
    let all = rows.iter().map(|(row, of_row)| Row::new(&row.patterns, &row.note, values(of_row)));
    unit.table(std::array::from_fn::<_, N, _>(|at| names[at]), all, values(default)).to_vec()
}
