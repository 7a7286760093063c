//! Cores in engines: what several tests of the hardware share.

use utfhdl::cosim::{Cosim, CosimError, Failure, Framing, Report, Source, Stalls};
use utfhdl::engines::EngineKind;
use utfhdl::promise::{Beat, Item, Ports};
use utfhdl_hdl::core::{Core, CoreSpec, ErrorMode, Role};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::Engine;
use utfhdl_sim::flat::{Flat, Scope};

/// The engine that needs nothing installed.
pub const NATIVE: &[EngineKind] = &[EngineKind::Native];

pub fn core(spec: CoreSpec) -> Core {
    Core::new(spec).unwrap_or_else(|error| panic!("{error}"))
}

/// The cores of a role: every system, with both treatments of errors and the default reset.
pub fn cores_of(role: Role) -> impl Iterator<Item = Core> {
    let specs = CoreSpec::all().into_iter();
    specs.filter(move |spec| spec.role == role && spec.reset == ResetStyle::default()).map(core)
}

/// The cores of [`cores_of`] that flag or replace errors.
pub fn error_keeping_cores_of(role: Role) -> impl Iterator<Item = Core> {
    cores_of(role).filter(|core| core.spec.on_error != ErrorMode::Drop)
}

pub fn cosim(core: Core, source: Source, framing: Framing, stall: u8) -> Cosim {
    Cosim { core, source, framing, stalls: Stalls { source: stall, sink: stall }, resets: 0, seed: 1 }
}

/// Runs a co-simulation, and returns its failure, if any.
pub fn verdict(cosim: &Cosim, engines: &[EngineKind]) -> Result<Report, Failure> {
    let start = |engine: &EngineKind| engine.start(&cosim.core).unwrap_or_else(|error| panic!("{error}"));
    let mut engines: Vec<Box<dyn Engine>> = engines.iter().map(start).collect();
    match cosim.run(&mut engines, None, &mut |_| ()) {
        Ok(report) => Ok(report),
        Err(CosimError::Failure(failure)) => Err(*failure),
        Err(other) => panic!("{other}"),
    }
}

/// Runs a co-simulation in which nothing may be wrong. If something is, the panic says how to repeat it.
#[track_caller]
pub fn run(cosim: &Cosim, engines: &[EngineKind]) -> Report {
    verdict(cosim, engines).unwrap_or_else(|failure| panic!("{}", in_words(cosim, engines, &failure)))
}

/// Collects the failures of runs of many cores, so that one failure does not hide the others.
#[derive(Default)]
pub struct Verdicts(Vec<String>);

impl Verdicts {
    pub fn run(&mut self, cosim: &Cosim, engines: &[EngineKind]) -> Option<Report> {
        let verdict = verdict(cosim, engines);
        verdict.map_err(|failure| self.0.push(in_words(cosim, engines, &failure))).ok()
    }

    /// Adds a failure in words, unless `good`.
    pub fn hold(&mut self, good: bool, what: impl FnOnce() -> String) {
        if !good {
            self.0.push(what());
        }
    }

    #[track_caller]
    pub fn finish(self) {
        assert!(self.0.is_empty(), "{} runs went wrong\n{}", self.0.len(), self.0.join("\n"));
    }
}

fn in_words(cosim: &Cosim, engines: &[EngineKind], failure: &Failure) -> String {
    let replay = cosim.replay(engines).unwrap_or_else(|| cosim.core.spec.to_string());
    format!("{failure}\n    {replay}")
}

/// Sends items through a core in two frames and a rest, cut at every position, with an empty frame between.
pub fn every_split(core: &Core, items: Vec<Item>) {
    let length = items.len() as u64;
    for first in 0..=length {
        for second in 0..=length - first {
            let framing = Framing::Lengths(vec![first, second, 0, 99]);
            let report = run(&cosim(core.clone(), Source::Given(items.clone()), framing, 20), NATIVE);
            assert_eq!(report.taken, length);
        }
    }
}

/// Noise through cores in `native` and another engine, in lockstep.
pub fn in_lockstep(other: EngineKind, specs: impl Iterator<Item = CoreSpec>, count: u64) {
    let mut verdicts = Verdicts::default();
    for spec in specs {
        let cosim = cosim(core(spec), Source::Random { count }, Framing::Random, 30);
        verdicts.run(&cosim, &[EngineKind::Native, other]);
    }
    verdicts.finish();
}

/// A core with direct access to its ports, for tests that go beyond co-simulation.
pub struct Rig {
    engine: Box<dyn Engine>,
    lanes: usize,
    pub ports: Ports,
    pub inputs: Vec<u64>,
    pub outputs: Vec<u64>,
}

/// A frame that came out of a core. If it holds units, `amiss` says whether something could not be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub items: Vec<Item>,
    pub amiss: bool,
}

impl Rig {
    /// A core out of reset. Nothing is offered to it, and its output is taken.
    pub fn new(engine: EngineKind, core: &Core) -> Self {
        let engine = engine.start(core).unwrap_or_else(|error| panic!("{error}"));
        let (inputs, outputs) = (engine.layout().input_words, engine.layout().output_words);
        let mut rig = Self {
            engine,
            lanes: core.spec.lanes as usize,
            ports: Ports::new(core),
            inputs: vec![0; inputs],
            outputs: vec![0; outputs],
        };
        rig.ports.take(&mut rig.inputs, true);
        rig.reset();
        rig
    }

    pub fn cycle(&mut self) {
        self.engine.run(&self.inputs, &mut self.outputs).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Two cycles in reset, and one in which ready comes up.
    pub fn reset(&mut self) {
        self.ports.set_reset(&mut self.inputs, true);
        self.ports.offer_nothing(&mut self.inputs, u64::MAX);
        self.cycle();
        self.cycle();
        assert!(!self.ports.takes(&self.outputs) && !self.ports.offers(&self.outputs), "low in reset");
        self.ports.set_reset(&mut self.inputs, false);
        self.cycle();
    }

    /// Offers the items in full beats; if `ends`, the last beat ends its frame, and is empty where there is no item. Returns the
    /// beats that come out meanwhile.
    pub fn offer(&mut self, items: &[Item], ends: bool) -> Vec<Beat> {
        let mut beats = Vec::new();
        let mut offered: Vec<Beat> =
            items.chunks(self.lanes).map(|items| Beat { items: items.to_vec(), last: false }).collect();
        if ends && items.is_empty() {
            offered.push(Beat::default());
        }
        if let Some(last) = offered.last_mut() {
            last.last = ends;
        }
        for beat in offered {
            self.offer_beat(&beat, 0x5a5a, &mut beats);
        }
        self.ports.offer_nothing(&mut self.inputs, 0x5a5a);
        beats
    }

    /// Offers a beat, with `noise` where it has no item, until it is taken. Adds the beats that come out meanwhile to `beats`.
    fn offer_beat(&mut self, beat: &Beat, noise: u64, beats: &mut Vec<Beat>) {
        self.ports.offer(&mut self.inputs, beat, noise);
        for waited in 0.. {
            assert!(waited < 1000, "a beat is not taken");
            self.cycle();
            beats.extend(self.ports.beat(&self.outputs));
            if self.ports.takes(&self.outputs) {
                break;
            }
        }
    }

    /// Sends a frame, and returns the frame that comes out.
    pub fn frame(&mut self, items: &[Item]) -> Frame {
        let beats = self.offer(items, true);
        self.rest_of_frame(beats)
    }

    /// Sends a frame of one item that ends with an empty beat with `noise` on its data, and returns the output frame.
    pub fn frame_that_ends_bare(&mut self, item: Item, noise: u64) -> Frame {
        let mut beats = self.offer(&[item], false);
        self.offer_beat(&Beat { items: vec![], last: true }, noise, &mut beats);
        self.ports.offer_nothing(&mut self.inputs, noise);
        self.rest_of_frame(beats)
    }

    /// The frame of which `beats` have come out.
    fn rest_of_frame(&mut self, mut beats: Vec<Beat>) -> Frame {
        for waited in 0.. {
            if beats.last().is_some_and(|beat| beat.last) {
                break;
            }
            assert!(waited < 1000, "a frame does not end");
            self.cycle();
            beats.extend(self.ports.beat(&self.outputs));
        }
        let amiss = self.ports.amiss(&self.outputs) == Some(true);
        Frame { items: beats.into_iter().flat_map(|beat| beat.items).collect(), amiss }
    }
}

/// The paths of all signals of a core: instances and name, with dots between.
pub fn signal_paths(core: &Core) -> Vec<String> {
    fn collect(scope: &Scope, above: &str, found: &mut Vec<String>) {
        found.extend(scope.signals.iter().map(|signal| format!("{above}{}", signal.name)));
        for child in &scope.children {
            collect(child, &format!("{above}{}.", child.name), found);
        }
    }
    let mut found = Vec::new();
    collect(&Flat::new(&core.design).scope, "", &mut found);
    found
}
