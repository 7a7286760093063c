//! The module of a lane, and its instances: what a unit knows of the units around it, without a port that is named twice.
//!
//! ```text
//!  Value "fits" = region & accepts of the unit 1 before
//!
//!  in lane 5:   own region & port accepts_before  <── port accepts_out of lane 4
//!  in lane 0:   own region & port accepts_before  <── "accepts" of the unit before the beat, by the same function
//! ```

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::{At, Beat, Lanes};
use crate::netlist::{Builder, InstanceHandle, Module, Signal, Stage};

/// How a [`Value`] is made from a unit and the units before it, in any module.
type Make = Rc<dyn for<'m> Fn(&dyn Cell<'m>) -> At<'m>>;

/// A value that each unit has: a named function of the unit and of those before it.
#[derive(Clone)]
pub(in crate::core) struct Value {
    name: Rc<str>,
    note: &'static str,
    /// The stage in which other lanes get the value; that in which the function yields it, where none is given.
    at: Option<u32>,
    /// The low bits that are asked for of the unit 1 before, 2 before, and so on; 0 where nothing is.
    widths: Vec<u32>,
    /// The history keeps no more bits of its units than those.
    is_trimmed: bool,
    /// The value is a signal with a name.
    is_named: bool,
    make: Make,
}

impl Value {
    /// A value, with a comment for its port.
    pub(in crate::core) fn new(
        name: impl Into<String>,
        note: &'static str,
        make: impl for<'m> Fn(&dyn Cell<'m>) -> At<'m> + 'static,
    ) -> Self {
        let (widths, make) = (vec![1], Rc::new(make));
        Self { name: name.into().into(), note, at: None, widths, is_trimmed: false, is_named: false, make }
    }

    /// The value in registers of stage `stage`.
    pub(in crate::core) fn at(self, stage: u32) -> Self {
        Self { at: Some(stage), ..self }
    }

    /// Says how many low bits lanes ask for of the unit 1 before, 2 before, and so on. Without this, it is one bit of the unit before.
    pub(in crate::core) fn widths(self, widths: impl IntoIterator<Item = u32>) -> Self {
        Self { widths: widths.into_iter().collect(), ..self }
    }

    /// The value, of which units of the history keep no more bits than lanes ask for.
    pub(in crate::core) fn trimmed(self) -> Self {
        Self { is_trimmed: true, ..self }
    }

    /// The value as a signal with a name.
    pub(in crate::core) fn named(self) -> Self {
        Self { is_named: true, ..self }
    }

    /// The value of a unit, whose registers and signals are named after `name`. `back` says how far before the beat the unit is.
    fn of<'m>(&self, cell: &dyn Cell<'m>, name: &str, back: usize) -> At<'m> {
        let value = (self.make)(cell);
        let asked = self.widths.iter().skip(back.saturating_sub(1)).max();
        let value = match asked {
            Some(&width) if self.is_trimmed && back > 0 => value.bits(0..width),
            _ => value,
        };
        let value = if self.is_named { value.named(name) } else { value.called(name) };
        self.at.map_or(value, |stage| value.at(stage))
    }
}

/// A unit and those before it: that of a lane, in its module, or one of the history, in the module of the core.
pub(in crate::core) trait Cell<'m> {
    /// The unit.
    fn unit(&self) -> At<'m>;

    /// The instance of a module that classifies the unit, where there is one.
    fn class(&self) -> InstanceHandle<'m>;

    /// `signal` where there is a unit, else 0. Units of the history are zeros where there are none.
    fn held(&self, signal: At<'m>) -> At<'m>;

    /// A value of the unit `back` before; of the unit itself where `back` is 0.
    fn of(&self, back: usize, value: &Value) -> At<'m>;
}

/// The module of a lane while it is being built.
pub(in crate::core) struct Lane<'m> {
    m: &'m Builder,
    registers: Stage<'m>,
    /// The stage whose inputs are a slot, in lanes of slots.
    slot_stage: Option<u32>,
    unit: RefCell<Option<At<'m>>>,
    valid: RefCell<Option<At<'m>>>,
    class: RefCell<Option<InstanceHandle<'m>>>,
    known: RefCell<BTreeMap<Rc<str>, At<'m>>>,
    /// Inputs from lanes below, and from the lane above.
    inputs: RefCell<BTreeMap<String, At<'m>>>,
    links: RefCell<Vec<Link>>,
    /// Stages from a unit to the input that says whether it is the last of its frame.
    end_delay: u32,
}

/// Ports that connect lanes.
struct Link {
    value: Value,
    input: String,
    stage: u32,
    /// Inputs are of the lane above, not of those below.
    is_of_next: bool,
}

/// An output of a lane to the core.
#[derive(Clone)]
pub(in crate::core) struct Told {
    port: String,
    stage: u32,
}

/// An input of a lane from the core.
#[derive(Clone)]
pub(in crate::core) struct Heard {
    port: String,
    stage: u32,
}

/// The inputs of a lane that bring its unit: the unit, and that there is one.
#[derive(Clone)]
pub(in crate::core) struct UnitHeard {
    unit: Heard,
    valid: Heard,
}

/// The finished module of a lane.
pub(in crate::core) struct LaneModule {
    module: Arc<Module>,
    links: Vec<Link>,
}

impl<'m> Lane<'m> {
    /// Begins a lane in module `m`. All its registers load where the input `advance` is 1.
    fn new(m: &'m Builder) -> Self {
        Self::of(m, m.stage(m.input("advance", 1, "all stages move")))
    }

    /// Begins a lane in module `m`, which has these registers.
    fn of(m: &'m Builder, registers: Stage<'m>) -> Self {
        Self {
            m,
            registers,
            slot_stage: None,
            unit: RefCell::default(),
            valid: RefCell::default(),
            class: RefCell::default(),
            known: RefCell::default(),
            inputs: RefCell::default(),
            links: RefCell::default(),
            end_delay: 0,
        }
    }

    /// The module.
    pub(in crate::core) fn builder(&self) -> &'m Builder {
        self.m
    }

    /// The registers of the lane.
    pub(in crate::core) fn registers(&self) -> Stage<'m> {
        self.registers
    }

    /// Begins the section of a stage.
    pub(in crate::core) fn section(&self, stage: u32, title: &str) {
        section(self.m, stage, title);
    }

    /// A constant.
    pub(in crate::core) fn lit(&self, width: u32, value: u64) -> At<'m> {
        At::constant(self.registers, width, value)
    }

    /// Sets the unit, from which [values](Value) are made, and that there is one.
    pub(in crate::core) fn set_unit(&self, unit: At<'m>, valid: At<'m>) {
        *self.unit.borrow_mut() = Some(unit);
        *self.valid.borrow_mut() = Some(valid);
    }

    /// Sets the instance that classifies the unit.
    pub(in crate::core) fn set_class(&self, class: InstanceHandle<'m>) {
        *self.class.borrow_mut() = Some(class);
    }

    /// A signal of the lane, valid in stage `stage`.
    pub(in crate::core) fn at(&self, signal: Signal<'m>, stage: u32) -> At<'m> {
        At::new(self.registers, signal, stage)
    }

    /// The value of the unit itself.
    pub(in crate::core) fn own(&self, value: &Value) -> At<'m> {
        self.of(0, value)
    }

    /// An input from the core, valid in stage `stage`.
    pub(in crate::core) fn hear(&self, name: &str, width: u32, stage: u32, note: &str) -> (At<'m>, Heard) {
        self.group(stage);
        self.hear_among(name, width, stage, note)
    }

    /// The same in the group of ports of the port before it.
    pub(in crate::core) fn hear_among(
        &self,
        name: &str,
        width: u32,
        stage: u32,
        note: &str,
    ) -> (At<'m>, Heard) {
        let input = At::new(self.registers, self.m.input(name, width, note), stage);
        (input, Heard { port: name.to_owned(), stage })
    }

    /// The unit of the lane, of `bits` bits, and that there is one, as inputs of stage `stage`.
    pub(in crate::core) fn hear_unit(&self, bits: u32, stage: u32) -> (At<'m>, At<'m>, UnitHeard) {
        let (unit, unit_heard) = self.hear("unit", bits, stage, "the unit");
        let (valid, valid_heard) = self.hear("unit_valid", 1, stage, "there is one");
        (unit, valid, UnitHeard { unit: unit_heard, valid: valid_heard })
    }

    /// The input that says that the unit, which came in stage `stage`, is the last of its frame.
    pub(in crate::core) fn hear_end(&self, stage: u32) -> (At<'m>, Heard) {
        let stage = stage + self.end_delay;
        let (is_last, heard) = self.hear("ends_frame", 1, stage, "the unit is the last of its frame");
        (is_last.called("is_last"), heard)
    }

    /// An output to the core.
    pub(in crate::core) fn tell(&self, name: &str, signal: At<'m>, note: &str) -> Told {
        self.group(signal.stage());
        self.m.output(name, signal.signal(), note);
        Told { port: name.to_owned(), stage: signal.stage() }
    }

    /// The value of the unit in the next lane of the same beat; 0 where there is none.
    pub(in crate::core) fn next(&self, value: &Value) -> At<'m> {
        self.input(value, format!("{}_next", value.name), true)
    }

    /// `own` of the unit in the next lane of the same beat, 0 where there is none; and the port that tells the core of its own.
    pub(in crate::core) fn next_of(&self, name: &str, own: At<'m>, note: &'static str) -> (At<'m>, Told) {
        let value = Value::new(name, note, |_| unreachable!("units of the history have no next lane"));
        self.known.borrow_mut().insert(Rc::clone(&value.name), own);
        (self.next(&value), Told { port: format!("{name}_out"), stage: own.stage() })
    }

    /// The input that brings a value of other lanes, declared where it is first asked for.
    fn input(&self, value: &Value, input: String, is_of_next: bool) -> At<'m> {
        if let Some(&known) = self.inputs.borrow().get(&input) {
            return known;
        }
        let own = self.own(value);
        let is_first = self.links.borrow().iter().all(|link| link.value.name != value.name);
        if is_first {
            self.group(own.stage());
            let asked = value.widths.iter().copied().max().filter(|_| value.is_trimmed);
            let own = asked.map_or(own, |width| own.bits(0..width));
            self.m.output(&format!("{}_out", value.name), own.signal(), value.note);
        }
        let (width, note) = match is_of_next {
            true => (own.width(), "the same of the next lane"),
            false if value.widths.len() == 1 => (value.widths[0], "the same of the unit before"),
            false => (value.widths.iter().sum(), "the same of units before, the nearest in the low bits"),
        };
        let (signal, _) = self.hear(&input, width, own.stage(), note);
        self.links.borrow_mut().push(Link {
            value: value.clone(),
            input: input.clone(),
            stage: own.stage(),
            is_of_next,
        });
        self.inputs.borrow_mut().insert(input, signal);
        signal
    }

    fn group(&self, stage: u32) {
        self.m.port_group(match self.slot_stage == Some(stage) {
            true => "The slot".to_owned(),
            false => format!("Stage {}", self.m.folded().number(stage)),
        });
    }

    /// The links of the lane, for [`LaneModule::new`].
    fn links(&self) -> Vec<Link> {
        self.links.take()
    }
}

impl<'m> Cell<'m> for Lane<'m> {
    fn unit(&self) -> At<'m> {
        self.unit.borrow().expect("the unit is set before values are made of it")
    }

    fn class(&self) -> InstanceHandle<'m> {
        self.class.borrow().expect("the class is set before values are made of it")
    }

    fn held(&self, signal: At<'m>) -> At<'m> {
        signal & self.valid.borrow().expect("it is set before values are made that there is a unit")
    }

    fn of(&self, back: usize, value: &Value) -> At<'m> {
        if back == 0 {
            let known = self.known.borrow().get(&value.name).copied();
            return known.unwrap_or_else(|| {
                let own = value.of(self, &value.name, 0);
                self.known.borrow_mut().insert(Rc::clone(&value.name), own);
                own
            });
        }
        let all = self.input(value, format!("{}_before", value.name), false);
        let low: u32 = value.widths[..back - 1].iter().sum();
        all.bits(low..low + value.widths[back - 1])
    }
}

impl LaneModule {
    /// Builds a module `lane` for units of `beat`. `make` builds what is in it, and gives its ports to and from the core.
    pub(in crate::core) fn build<P>(
        beat: &Beat<'_>,
        summary: &str,
        make: impl FnOnce(&Lane<'_>) -> P,
    ) -> (Self, P) {
        Self::finish(beat, summary, make, Builder::built)
    }

    /// The same, without what no output of the lane needs.
    pub(in crate::core) fn build_trimmed<P>(
        beat: &Beat<'_>,
        summary: &str,
        make: impl FnOnce(&Lane<'_>) -> P,
    ) -> (Self, P) {
        Self::finish(beat, summary, make, Builder::built_trimmed)
    }

    fn finish<P>(
        beat: &Beat<'_>,
        summary: &str,
        make: impl FnOnce(&Lane<'_>) -> P,
        finish: fn(Builder) -> Arc<Module>,
    ) -> (Self, P) {
        let m = beat.builder().below("lane", summary);
        let lane = Lane { end_delay: beat.end_delay(), ..Lane::new(&m) };
        let ports = make(&lane);
        let links = lane.links();
        drop(lane);
        (Self { module: finish(m), links }, ports)
    }

    /// Builds in `m` a module for slots, which come in stage `stage`, and whose registers `declare` declares.
    pub(in crate::core) fn of_slots<P>(
        m: Builder,
        stage: u32,
        declare: impl FnOnce(&Builder) -> Stage<'_>,
        make: impl FnOnce(&Lane<'_>) -> P,
    ) -> (Self, P) {
        let lane = Lane { slot_stage: Some(stage), ..Lane::of(&m, declare(&m)) };
        let ports = make(&lane);
        let links = lane.links();
        drop(lane);
        (Self { module: m.built(), links }, ports)
    }
}

/// The instances of a lane's module, one for each lane of a beat.
pub(in crate::core) struct Instances<'a, 'm> {
    module: &'a LaneModule,
    lanes: Vec<(InstanceHandle<'m>, Stage<'m>)>,
}

impl<'a, 'm> Instances<'a, 'm> {
    /// An instance for each unit of the beat.
    pub(in crate::core) fn new(beat: &Beat<'m>, module: &'a LaneModule, heard: &UnitHeard) -> Self {
        section(beat.builder(), beat.stage() + 1, "the beat");
        let instance = |(lane, unit): (usize, &At<'m>)| {
            let instance = beat.builder().instance(&format!("lane_{lane}"), &module.module).lane(lane);
            (instance.input("advance", unit.registers().enable), unit.registers())
        };
        let lanes = Self { module, lanes: beat.units.iter().enumerate().map(instance).collect() };
        lanes.connect(&heard.unit, |lane| beat.units[lane]);
        lanes.connect(&heard.valid, |lane| beat.holds(lane));
        lanes
    }

    /// `lanes` instances in module `m`, with these registers; `enable` connects the enables of the registers.
    pub(in crate::core) fn of_slots(
        m: &'m Builder,
        module: &'a LaneModule,
        lanes: usize,
        registers: impl Fn(usize) -> Stage<'m>,
        enable: impl Fn(InstanceHandle<'m>, usize),
    ) -> Self {
        let instance = |lane: usize| {
            let instance = m.instance(&format!("lane_{lane}"), &module.module).lane(lane);
            enable(instance, lane);
            (instance, registers(lane))
        };
        Self { module, lanes: (0..lanes).map(instance).collect() }
    }

    /// The number of lanes.
    pub(in crate::core) fn len(&self) -> usize {
        self.lanes.len()
    }

    /// The output of a lane.
    pub(in crate::core) fn output(&self, lane: usize, told: &Told) -> At<'m> {
        let (instance, registers) = self.lanes[lane];
        At::new(registers, instance.output(&told.port), told.stage)
    }

    /// The outputs of all lanes.
    pub(in crate::core) fn all(&self, told: &Told) -> Lanes<'m> {
        let of = |(instance, registers): &(InstanceHandle<'m>, Stage<'m>)| {
            At::new(*registers, instance.output(&told.port), told.stage)
        };
        Lanes::new(&told.port, self.lanes.iter().map(of))
    }

    /// The outputs of all lanes, without names for their registers.
    pub(in crate::core) fn each(&self, told: &Told) -> Vec<At<'m>> {
        (0..self.len()).map(|lane| self.output(lane, told)).collect()
    }

    /// The output of lane 0.
    pub(in crate::core) fn first(&self, told: &Told) -> At<'m> {
        self.output(0, told)
    }

    /// Connects an input of the lanes with the signal for each of them.
    #[track_caller]
    pub(in crate::core) fn connect(&self, heard: &Heard, of_lane: impl Fn(usize) -> At<'m>) {
        for lane in 0..self.lanes.len() {
            self.connect_lane(lane, heard, of_lane(lane));
        }
    }

    /// Connects an input of one lane.
    #[track_caller]
    pub(in crate::core) fn connect_lane(&self, lane: usize, heard: &Heard, signal: At<'m>) {
        self.lanes[lane].0.input(&heard.port, signal.at(heard.stage).signal());
    }

    /// Connects an input of the lanes with a signal for each lane.
    #[track_caller]
    pub(in crate::core) fn connect_all(&self, heard: &Heard, signals: &Lanes<'m>) {
        self.connect(heard, |lane| signals[lane]);
    }

    /// Connects the lanes with each other, and the first ones with zeros.
    pub(in crate::core) fn link_within_beat(&self) {
        self.link_to(None);
    }

    /// Connects the lanes with each other, and the first ones with the history.
    pub(in crate::core) fn link(&self, history: &History<'m>) {
        self.link_to(Some(history));
    }

    fn link_to(&self, history: Option<&History<'m>>) {
        for link in &self.module.links {
            let output = format!("{}_out", link.value.name);
            let name = &link.value.name;
            for (lane, (instance, registers)) in self.lanes.iter().enumerate() {
                let signal = if link.is_of_next {
                    match self.lanes.get(lane + 1) {
                        Some((next, _)) => next.output(&output),
                        None => {
                            let (own, _) = self.lanes[lane - 1];
                            registers.builder().lit(own.output(&output).width(), 0)
                        }
                    }
                } else {
                    let asked = (1..).zip(&link.value.widths).filter(|(_, width)| **width > 0);
                    let of = |(back, &width): (usize, &u32)| {
                        let signal = match (lane.checked_sub(back), history) {
                            (Some(below), _) => self.lanes[below].0.output(&output),
                            (None, Some(history)) => {
                                history.unit(back - lane).of(0, &link.value).at(link.stage).signal()
                            }
                            (None, None) => registers.builder().lit(width, 0),
                        };
                        assert!(signal.width() >= width, "`{name}` has the bits that are asked for");
                        signal.bits(0..width)
                    };
                    let parts: Vec<_> = asked.map(of).collect();
                    registers.builder().concat(parts.into_iter().rev())
                };
                instance.input(&link.input, signal);
            }
        }
    }
}

/// The units before a beat, of which values are made as in lanes.
pub(in crate::core) struct History<'m> {
    units: Vec<Past<'m>>,
}

/// A unit before a beat.
struct Past<'m> {
    unit: At<'m>,
    class: Option<InstanceHandle<'m>>,
    known: RefCell<BTreeMap<Rc<str>, At<'m>>>,
}

/// A unit of a history.
pub(in crate::core) struct PastUnit<'h, 'm> {
    history: &'h History<'m>,
    /// How many units before the beat it is: 1 is the nearest.
    back: usize,
}

impl<'m> History<'m> {
    /// The units, the nearest first, and the instances that classify them.
    pub(in crate::core) fn new(
        units: impl IntoIterator<Item = (At<'m>, Option<InstanceHandle<'m>>)>,
    ) -> Self {
        let past = |(unit, class)| Past { unit, class, known: RefCell::default() };
        Self { units: units.into_iter().map(past).collect() }
    }

    /// The unit `back` before the first of the beat, from 1 on.
    pub(in crate::core) fn unit(&self, back: usize) -> PastUnit<'_, 'm> {
        PastUnit { history: self, back }
    }
}

impl<'m> Cell<'m> for PastUnit<'_, 'm> {
    fn unit(&self) -> At<'m> {
        self.history.units[self.back - 1].unit
    }

    fn class(&self) -> InstanceHandle<'m> {
        self.history.units[self.back - 1].class.expect("the unit's class is asked for")
    }

    fn held(&self, signal: At<'m>) -> At<'m> {
        signal
    }

    fn of(&self, back: usize, value: &Value) -> At<'m> {
        let back = self.back + back;
        let known = &self.history.units[back - 1].known;
        let found = known.borrow().get(&value.name).copied();
        found.unwrap_or_else(|| {
            let name = format!("{}_of_unit_{back}_before", value.name);
            let made = value.of(&self.history.unit(back), &name, back);
            known.borrow_mut().insert(Rc::clone(&value.name), made);
            made
        })
    }
}

/// Begins the section of a stage in module `m`.
pub(in crate::core) fn section(m: &Builder, stage: u32, title: &str) {
    m.stage_section(stage, title);
}
