//! The mutation score of a core: its [mutants], and what notices each.
//!
//! ```text
//! mutant ──> simulation ──> equivalence ──> properties ──> alive
//!            notices it?    none needs to   notice it?
//! ```
//!
//! A mutant is equivalent if no input with contiguous beats, after any reset, makes an output differ from that of the core; data may differ
//! while `tvalid` is low. Registers that a reset leaves alone hold the same in both at first, and whatever they hold, the core is right. A mutant that is alive is a gap in the tests and the proofs, or superfluous logic that a checker cannot show to be superfluous.

use std::cell::Cell;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use utfhdl_codec::Slot;
use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{
    Builder, Design, Fault, Module, Mutant, Port, ResetStyle, Signal, alone, exposed, holdable, mutants,
};
use utfhdl_sim::Engine;
use utfhdl_sim::aig::{Aiger, Start, blast};
use utfhdl_sim::native::Native;
use utfhdl_sim::tool::ToolError;

use super::bench::{BAD, aiger, contiguous};
use super::checker::Checker;
use super::emitted::Form;
use super::lemmas::with_lemmas;
use super::one_state::in_one_state;
use super::program::Limits;
use super::property::Property;
use super::run::{Finding, prove};
use super::verdict::Verdict;
use crate::campaign::{Campaign, Inputs, Part};
use crate::cosim::{Cosim, CosimError, Framing, Source, Stalls};
use crate::engines::{self, EngineKind};
use crate::fault::SignalFault;

/// Items of a short run, and further ones for each lane.
const SHORT: (u64, u64) = (2_000, 100);
/// How much longer the last runs are.
const LONGER: u64 = 15;
/// The module that counts the limbs of a group.
const LIMB_COUNTER: &str = "limb_counter";
/// As many limbs as it takes for the upper part of the counter to count down twice: a count of one goes to zero whatever the adder says.
pub const LONG_GROUP: u32 = (2 << 22) + 5;
/// Frames of a campaign.
const FRAMES: u64 = 1 << 16;

/// An input of the mutant that a checker looks at; always 1.
const RUN: &str = "mutant_runs";
/// The instances of a module and its mutant.
const SOUND: &str = "sound";
const MUTANT: &str = "mutant";
/// An output of a core: the signal of a mistake would have another value.
const DIFFERS: &str = "mistake_differs";

/// What notices a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// A simulation: the command that shows it.
    Simulation(String),
    /// A rule of a property.
    Proof(String),
    /// Nothing: a checker has proved that the mutant behaves as the core does.
    Equivalent(String),
    /// Nothing: what the checker said.
    Alive(String),
}

/// A trial of one mutant.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// The fault, as the command line takes it.
    pub fault: String,
    /// The mistake in words.
    pub change: String,
    /// How the trial ended: what noticed the mutant, if anything did.
    pub fate: Fate,
    /// How long that took.
    pub seconds: f64,
}

/// How mutants are tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'s> {
    /// The seed that chooses mutants and stimulus.
    pub seed: u64,
    /// The limits of each checker.
    pub limits: Limits<'s>,
}

/// Tries `count` of the mutants of a core, or all if there are fewer, in the order of the netlist. `each` gets the number of mutants that
/// are tried, and each of them.
///
/// # Errors
/// If a tool can't be started, or a file not be written.
pub fn score(
    core: &Core,
    count: usize,
    effort: Effort,
    checkers: &[Checker],
    mut each: impl FnMut(usize, Trial),
) -> Result<(), ToolError> {
    let all = mutants(&core.design);
    let mut chosen: Vec<usize> = (0..all.len()).collect();
    chosen.shuffle(&mut ChaCha8Rng::seed_from_u64(effort.seed));
    chosen.truncate(count);
    chosen.sort_unstable();
    let total = chosen.len();
    for index in chosen {
        if effort.limits.stop.load(Ordering::SeqCst) {
            break;
        }
        each(total, trial(core, &all[index], effort, checkers)?);
    }
    Ok(())
}

/// Tries one mutant of a core.
///
/// # Errors
/// If a tool can't be started, or a file not be written.
pub fn trial(core: &Core, mutant: &Mutant, effort: Effort, checkers: &[Checker]) -> Result<Trial, ToolError> {
    let began = Instant::now();
    let fault = fault(mutant);
    let with_mutant = fault.inject(core).expect("a mutant of the core");
    let fate = fate(core, &with_mutant, &fault, effort, checkers)?;
    let (change, seconds) = (mutant.change.clone(), began.elapsed().as_secs_f64());
    Ok(Trial { fault: fault.to_string(), change, fate, seconds })
}

/// A mutant as a fault.
pub fn fault(mutant: &Mutant) -> SignalFault {
    SignalFault { kind: Fault::Mutant(mutant.number), signal: mutant.module.clone() }
}

fn fate(
    core: &Core,
    mutant: &Core,
    fault: &SignalFault,
    effort: Effort,
    checkers: &[Checker],
) -> Result<Fate, ToolError> {
    if let Some(command) = simulated(mutant, fault, effort.seed) {
        return Ok(Fate::Simulation(command));
    }
    let said = match compared(core, mutant, fault, effort.limits, checkers)? {
        Verdict::Proved { how } => return Ok(Fate::Equivalent(how)),
        Verdict::Refuted(found) => format!("differs {} cycles after a reset", found.cycle),
        Verdict::Differs { how } => how,
        Verdict::Undecided { why } => why,
    };
    if fault.signal == LIMB_COUNTER
        && let Some(what) = fails_at_long_groups(mutant, effort.seed)
    {
        return Ok(Fate::Simulation(what));
    }
    Ok(match proved(mutant, effort.limits, checkers)? {
        Some(rule) => Fate::Proof(rule),
        None => Fate::Alive(said),
    })
}

/// Runs a mutant in co-simulations and a campaign. Returns the command that shows the first failure.
fn simulated(mutant: &Core, fault: &SignalFault, seed: u64) -> Option<String> {
    let short = SHORT.0 + SHORT.1 * u64::from(mutant.spec.lanes);
    let both = |percent| Stalls { source: percent, sink: percent };
    let runs = [
        (short, Framing::Whole, both(0), 0),
        (short, Framing::Random, both(35), 0),
        (short, Framing::Random, both(20), 3),
        (short, Framing::Random, Stalls { source: 0, sink: 60 }, 0),
        (short * LONGER, Framing::Random, both(30), 0),
        (short * LONGER, Framing::Random, both(0), 0),
    ];
    for (count, framing, stalls, resets) in runs {
        let source = Source::Random { count };
        let cosim = Cosim { core: mutant.clone(), source, framing, stalls, resets, seed };
        if fails(&cosim) {
            let command = cosim.replay(&[EngineKind::Native]).expect("random runs can be repeated");
            return Some(format!("{command} --fault {fault}"));
        }
    }
    let inputs = Inputs::Random { count: FRAMES, seed, stall: 25 };
    let campaign = tried(|| Campaign::new(mutant.clone(), inputs))?.ok()?;
    campaign_fails(&campaign).then(|| format!("utfhdl campaign {} {inputs} --fault {fault}", mutant.spec))
}

/// Runs a mutant of the counter of limbs with groups so long that its upper part counts, with and without stalls. Noise has no such
/// groups. Returns what fails.
fn fails_at_long_groups(mutant: &Core, seed: u64) -> Option<String> {
    [0, 30, 30, 30].into_iter().zip(seed..).find_map(|(percent, seed)| {
        let stalls = Stalls { source: percent, sink: percent };
        let source = Source::given(long_group(LONG_GROUP));
        let cosim = Cosim { core: mutant.clone(), source, framing: Framing::Whole, stalls, resets: 0, seed };
        let what = format!("co-simulation of a group of {LONG_GROUP} limbs, --stall {percent} --seed {seed}");
        fails(&cosim).then_some(what)
    })
}

/// A group of `limbs` limbs, and two code points behind it, which show where the core takes the group to end.
pub fn long_group(limbs: u32) -> impl Iterator<Item = Slot> {
    let group = (1..=limbs).map(Slot::Limb);
    [Slot::Head(limbs)].into_iter().chain(group).chain([Slot::CodePoint(0), Slot::CodePoint(0)])
}

thread_local! {
    static IS_TRIED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs a mutant, which may break an assumption of a bench: a panic is then a way to notice it.
pub fn is_tried() -> bool {
    IS_TRIED.get()
}

/// Runs a mutant. `None` if that panics.
fn tried<T>(run: impl FnOnce() -> T) -> Option<T> {
    IS_TRIED.set(true);
    let ran = catch_unwind(AssertUnwindSafe(run));
    IS_TRIED.set(false);
    ran.ok()
}

/// Whether a run fails.
fn fails(cosim: &Cosim) -> bool {
    let ran = tried(|| {
        let design = &cosim.core.design;
        let native = match cosim.start() {
            engines::Start::Zero => Native::interpreted(design),
            engines::Start::Random(seed) => Native::with_random_start(design, seed),
        };
        let mut engines: [Box<dyn Engine>; 1] = [Box::new(native?)];
        cosim.run(&mut engines, None, &mut |_| ())
    });
    matches!(ran, None | Some(Err(CosimError::Failure(_))))
}

fn campaign_fails(campaign: &Campaign) -> bool {
    let mut failed = false;
    let taker = |part: Part| {
        failed |= part.failure.is_some();
        Ok::<(), ()>(())
    };
    let whole = 0..campaign.total();
    let ran = tried(|| campaign.run(std::slice::from_ref(&whole), 1, &AtomicBool::new(false), taker));
    failed || ran.is_none()
}

/// Asks the checkers whether a mutant is equivalent to the core: whether the module with the mistake is, without the modules below it,
/// which is a small problem, and if it is not, whether the signal with the mistake never differs, or the whole core is equivalent.
fn compared(
    core: &Core,
    mutant: &Core,
    fault: &SignalFault,
    limits: Limits,
    checkers: &[Checker],
) -> Result<Verdict, ToolError> {
    let reset = core.design.reset;
    let [sound, other] = [core, mutant].map(|core| {
        let modules = core.design.modules();
        Arc::new(alone(
            modules.into_iter().find(|found| found.name() == fault.signal).expect("the module of a mutant"),
        ))
    });
    let is_core = core.design.top.name() == fault.signal;
    let lanes = Some(core.spec.lanes);
    let of_module = decided(&miter(&sound, &other, reset, lanes.filter(|_| is_core)), limits, checkers)?;
    let is_all = is_core && core.design.top.instances().is_empty();
    if is_all || matches!(of_module, Verdict::Proved { .. }) {
        return Ok(of_module);
    }
    if let Some(verdict) = same_in_one_state(core, mutant, fault, limits, checkers)? {
        return Ok(verdict);
    }
    if let Some(verdict) = never_differs(core, fault, limits, checkers)? {
        return Ok(verdict);
    }
    decided(&miter(&core.design.top, &mutant.design.top, reset, lanes), limits, checkers)
}

/// Asks whether the mistake never reaches an output or a register, from any state that is reached without it: first of the module with the
/// mistake, then of those around it, up to the core. `None` if it may, or if there is no answer in a part of the time.
fn same_in_one_state(
    core: &Core,
    mutant: &Core,
    fault: &SignalFault,
    limits: Limits,
    checkers: &[Checker],
) -> Result<Option<Verdict>, ToolError> {
    let [ours, theirs] = [core, mutant].map(|core| core.design.modules());
    let named = |name: &str| theirs.iter().find(|module| module.name() == name).expect("the same modules");
    let limits = Limits { time: limits.time / 3, ..limits };
    for level in levels(&ours, &fault.signal) {
        let mut hows = Vec::new();
        for module in &level {
            let lanes = Some(core.spec.lanes).filter(|_| module.name() == core.design.top.name());
            let miter = miter(module, named(module.name()), core.design.reset, lanes);
            let Some(how) = equal_in_one_state(&miter, limits, checkers)? else { break };
            hows.push(format!("{} in one state, {how}", module.name()));
        }
        if hows.len() == level.len() {
            return Ok(Some(Verdict::Proved { how: hows.join("; ") }));
        }
    }
    Ok(None)
}

/// The module of this name, then the modules that have it as an instance, then those that have these, up to the top alone, which is the last
/// of `modules`.
fn levels<'d>(modules: &[&'d Arc<Module>], name: &str) -> Vec<Vec<&'d Arc<Module>>> {
    let is_in = |level: &[&Arc<Module>], module: &Arc<Module>| level.iter().any(|own| Arc::ptr_eq(own, module));
    let is_top = |module: &Arc<Module>| modules.last().is_some_and(|top| Arc::ptr_eq(top, module));
    let around = |level: &Vec<&'d Arc<Module>>| {
        let is_around = |module: &Arc<Module>| {
            let has = module.instances().iter().any(|instance| is_in(level, &instance.module));
            has || is_top(module) && is_in(level, module)
        };
        let is_done = level.iter().all(|module| is_top(module));
        (!is_done).then(|| modules.iter().copied().filter(|module| is_around(module)).collect())
    };
    let first = modules.iter().copied().filter(|module| module.name() == name).collect();
    std::iter::successors(Some(first), around).collect()
}

/// Asks the checkers whether two designs are equal in each state that the first reaches; gives how that is proved.
fn equal_in_one_state(miter: &Design, limits: Limits, checkers: &[Checker]) -> Result<Option<String>, ToolError> {
    let Ok(logic) = blast(miter, Start::Twins) else { return Ok(None) };
    let Some(logic) = in_one_state(&logic, SOUND, MUTANT) else { return Ok(None) };
    let Some(problem) = with_lemmas(&Aiger::sequential(&logic)) else { return Ok(None) };
    for checker in checkers {
        if let Verdict::Proved { how } = checker.check_with_lemmas(&problem, limits)? {
            return Ok(Some(how));
        }
    }
    Ok(None)
}

/// Asks whether the signal with the mistake always has the value that it has without: a problem of one core. `None` if not, or if there is no
/// answer in a part of the time.
fn never_differs(
    core: &Core,
    fault: &SignalFault,
    limits: Limits,
    checkers: &[Checker],
) -> Result<Option<Verdict>, ToolError> {
    let Fault::Mutant(number) = fault.kind else { return Ok(None) };
    let Some(top) = exposed(&core.design, &fault.signal, number, DIFFERS) else { return Ok(None) };
    let m = Builder::new("problem", "A core, and a signal that never differs.");
    let instance = m.instance("core", &top);
    for port in top.inputs() {
        instance.input(&port.name, legal_input(&m, port, Some(core.spec.lanes)));
    }
    m.output(BAD, instance.output(DIFFERS), "the signal differs");
    let design = Design { top: m.built_with_unused(), reset: core.design.reset };
    let Ok(problem) = aiger(&design, Start::AfterReset { again: true }) else { return Ok(None) };
    for checker in checkers {
        let verdict = checker.check(&problem, Limits { time: limits.time / 3, ..limits })?;
        if let Verdict::Proved { how } = verdict {
            return Ok(Some(Verdict::Proved { how: format!("the signal never differs, {how}") }));
        }
    }
    Ok(None)
}

/// A free input. That of a core, which has `lanes`, is contiguous.
fn legal_input<'m>(m: &'m Builder, port: &Port, lanes: Option<u32>) -> Signal<'m> {
    let signal = m.input(&port.name, port.width, &port.note);
    match lanes {
        Some(lanes) if port.name == "s_axis_tkeep" => contiguous(signal, lanes),
        _ => signal,
    }
}

/// The first answer of a checker to a miter.
fn decided(miter: &Design, limits: Limits, checkers: &[Checker]) -> Result<Verdict, ToolError> {
    let problem = match aiger(miter, Start::Twins) {
        Ok(problem) => problem,
        Err(error) => return Ok(Verdict::Undecided { why: error.to_string() }),
    };
    let mut verdict = Verdict::Undecided { why: "no checker is installed".to_owned() };
    for checker in checkers {
        verdict = checker.compare(&problem, limits)?;
        if !matches!(verdict, Verdict::Undecided { .. }) {
            break;
        }
    }
    Ok(verdict)
}

/// A module and its mutant on the same inputs, and whether their outputs differ. Outputs of a core, which has `lanes`, may differ where data
/// is not valid, and its input is contiguous.
fn miter(module: &Arc<Module>, mutant: &Arc<Module>, reset: ResetStyle, lanes: Option<u32>) -> Design {
    let m = Builder::new("problem", "A module and its mutant.");
    // No two modules have one name: those of the copy have names of their own.
    let [sound, other] = [m.instance(SOUND, module), m.instance(MUTANT, &holdable(mutant, RUN))];
    other.input(RUN, m.lit(1, 1));
    for port in module.inputs() {
        let signal = legal_input(&m, port, lanes);
        sound.input(&port.name, signal);
        other.input(&port.name, signal);
    }
    let differ = module.outputs().map(|port| {
        let differ = sound.output(&port.name).ne(other.output(&port.name));
        let valid = match port.name.rsplit_once('_') {
            Some((stream, signal)) if lanes.is_some() && !["tvalid", "tready"].contains(&signal) => {
                let valid = format!("{stream}_tvalid");
                module.outputs().any(|port| port.name == valid).then(|| sound.output(&valid))
            }
            _ => None,
        };
        valid.map_or(differ, |valid| differ & valid)
    });
    let bad = differ.reduce(|some, other| some | other).expect("a module has outputs");
    m.output(BAD, bad, "the outputs differ");
    Design { top: m.built_with_unused(), reset }
}

/// The first rule of the properties of a core that a mutant breaks. Its text is that of the mutant, so `emitted` holds.
fn proved(mutant: &Core, limits: Limits, checkers: &[Checker]) -> Result<Option<String>, ToolError> {
    // The `spec` of an encoder takes minutes to prove, but a mutant may break it in seconds.
    let quick = Property::quick(mutant);
    let is_tried = |property: &Property| quick.contains(property) || *property == Property::Spec;
    let properties: Vec<Property> = Property::of(mutant)
        .into_iter()
        .filter(|property| *property != Property::Emitted && is_tried(property))
        .collect();
    let mut broken = None;
    let ran = tried(|| {
        prove(mutant, &properties, &Form::Text, checkers, limits, &mut |finding: Finding| {
            // The parts of `lanes` are found in the netlist. If they are not there, that is the finding.
            let has_no_parts = finding.name == "pipeline";
            let is_broken = match finding.verdict {
                Verdict::Proved { .. } => false,
                Verdict::Refuted(_) | Verdict::Differs { .. } => true,
                Verdict::Undecided { .. } => has_no_parts,
            };
            if is_broken && broken.is_none() {
                broken = Some(format!("{}: {}", finding.property, finding.name));
            }
        })
    });
    match ran {
        Some(ran) => ran.map(|()| broken),
        None => Ok(Some("the netlist has another form".to_owned())),
    }
}

/// The default limit of a checker in seconds: three times what the slowest equivalent mutants of cores of one lane take, for machines with
/// other work.
pub const SECONDS: NonZero<u32> = NonZero::new(60).unwrap();
