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
use crate::netlist::{Builder, InstanceHandle, Module, Stage};

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
    make: Make,
}

impl Value {
    /// A value, with a comment for its port.
    pub(in crate::core) fn new(
        name: impl Into<String>,
        note: &'static str,
        make: impl for<'m> Fn(&dyn Cell<'m>) -> At<'m> + 'static,
    ) -> Self {
        Self { name: name.into().into(), note, at: None, widths: vec![1], make: Rc::new(make) }
    }

    /// The value in registers of stage `stage`.
    pub(in crate::core) fn at(self, stage: u32) -> Self {
        Self { at: Some(stage), ..self }
    }

    /// Says how many low bits lanes ask for of the unit 1 before, 2 before, and so on. Without this, it is one bit of the unit before.
    pub(in crate::core) fn widths(self, widths: impl IntoIterator<Item = u32>) -> Self {
        Self { widths: widths.into_iter().collect(), ..self }
    }

    /// The value of a unit, whose registers and signals are named after `name`.
    fn of<'m>(&self, cell: &dyn Cell<'m>, name: &str) -> At<'m> {
        let value = (self.make)(cell).called(name);
        self.at.map_or(value, |stage| value.at(stage))
    }
}

/// A unit and those before it: that of a lane, in its module, or one of the history, in the module of the core.
pub(in crate::core) trait Cell<'m> {
    /// The unit.
    fn unit(&self) -> At<'m>;

    /// The instance of a module that classifies the unit, where there is one.
    fn class(&self) -> InstanceHandle<'m>;

    /// A value of the unit `back` before; of the unit itself where `back` is 0.
    fn of(&self, back: usize, value: &Value) -> At<'m>;
}

/// The module of a lane while it is being built.
pub(in crate::core) struct Lane<'m> {
    m: &'m Builder,
    registers: Stage<'m>,
    unit: RefCell<Option<At<'m>>>,
    class: RefCell<Option<InstanceHandle<'m>>>,
    known: RefCell<BTreeMap<Rc<str>, At<'m>>>,
    /// Inputs from lanes below, and from the lane above.
    inputs: RefCell<BTreeMap<String, At<'m>>>,
    links: RefCell<Vec<Link>>,
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

/// The finished module of a lane.
pub(in crate::core) struct LaneModule {
    module: Arc<Module>,
    links: Vec<Link>,
}

impl<'m> Lane<'m> {
    /// Begins a lane in module `m`. All its registers load where the input `advance` is 1.
    pub(in crate::core) fn new(m: &'m Builder) -> Self {
        let registers = m.stage(m.input("advance", 1, "all stages move"));
        Self {
            m,
            registers,
            unit: RefCell::default(),
            class: RefCell::default(),
            known: RefCell::default(),
            inputs: RefCell::default(),
            links: RefCell::default(),
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

    /// Says what the unit is, from which [values](Value) are made.
    pub(in crate::core) fn set_unit(&self, unit: At<'m>) {
        *self.unit.borrow_mut() = Some(unit);
    }

    /// Says which instance classifies the unit.
    pub(in crate::core) fn set_class(&self, class: InstanceHandle<'m>) {
        *self.class.borrow_mut() = Some(class);
    }

    /// The value of the unit itself.
    pub(in crate::core) fn own(&self, value: &Value) -> At<'m> {
        self.of(0, value)
    }

    /// An input from the core, valid in stage `stage`.
    pub(in crate::core) fn hear(&self, name: &str, width: u32, stage: u32, note: &str) -> (At<'m>, Heard) {
        self.group(stage);
        let input = At::new(self.registers, self.m.input(name, width, note), stage);
        (input, Heard { port: name.to_owned(), stage })
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

    /// The input that brings a value of other lanes, declared where it is first asked for.
    fn input(&self, value: &Value, input: String, is_of_next: bool) -> At<'m> {
        if let Some(&known) = self.inputs.borrow().get(&input) {
            return known;
        }
        let own = self.own(value);
        let is_first = self.links.borrow().iter().all(|link| link.value.name != value.name);
        if is_first {
            self.group(own.stage());
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
        self.m.port_group(format!("Stage {stage}"));
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

    fn of(&self, back: usize, value: &Value) -> At<'m> {
        if back == 0 {
            let known = self.known.borrow().get(&value.name).copied();
            return known.unwrap_or_else(|| {
                let own = value.of(self, &value.name);
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
    /// Builds a module `lane`. `make` builds what is in it, and gives its ports to and from the core.
    pub(in crate::core) fn build<P>(summary: &str, make: impl FnOnce(&Lane<'_>) -> P) -> (Self, P) {
        let m = Builder::new("lane", summary);
        let lane = Lane::new(&m);
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
    pub(in crate::core) fn new(m: &'m Builder, module: &'a LaneModule, beat: &Beat<'m>) -> Self {
        let instance = |(lane, unit): (usize, &At<'m>)| {
            let instance = m.instance(&format!("lane_{lane}"), &module.module);
            (instance.input("advance", unit.registers().enable), unit.registers())
        };
        Self { module, lanes: beat.units.iter().enumerate().map(instance).collect() }
    }

    /// What the lanes tell.
    pub(in crate::core) fn all(&self, told: &Told) -> Lanes<'m> {
        let of = |(instance, registers): &(InstanceHandle<'m>, Stage<'m>)| {
            At::new(*registers, instance.output(&told.port), told.stage)
        };
        Lanes::new(&told.port, self.lanes.iter().map(of))
    }

    /// What lane 0 tells.
    pub(in crate::core) fn first(&self, told: &Told) -> At<'m> {
        let (instance, registers) = self.lanes[0];
        At::new(registers, instance.output(&told.port), told.stage)
    }

    /// Connects an input of the lanes with the signal for each of them.
    #[track_caller]
    pub(in crate::core) fn connect(&self, heard: &Heard, of_lane: impl Fn(usize) -> At<'m>) {
        for (lane, (instance, _)) in self.lanes.iter().enumerate() {
            instance.input(&heard.port, of_lane(lane).at(heard.stage).signal());
        }
    }

    /// Connects the lanes with each other, and the first ones with the history.
    pub(in crate::core) fn link(&self, history: &History<'m>) {
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
                        let signal = match lane.checked_sub(back) {
                            Some(below) => self.lanes[below].0.output(&output),
                            None => history.unit(back - lane).of(0, &link.value).at(link.stage).signal(),
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

    fn of(&self, back: usize, value: &Value) -> At<'m> {
        let back = self.back + back;
        let known = &self.history.units[back - 1].known;
        let found = known.borrow().get(&value.name).copied();
        found.unwrap_or_else(|| {
            let name = format!("{}_of_unit_{back}_before", value.name);
            let made = value.of(&self.history.unit(back), &name);
            known.borrow_mut().insert(Rc::clone(&value.name), made);
            made
        })
    }
}

/// Begins the section of a stage in module `m`.
pub(in crate::core) fn section(m: &Builder, stage: u32, title: &str) {
    m.section(format!("Stage {stage}: {title}"));
}
