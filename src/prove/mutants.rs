//! The mutation score of a core: its [mutants], and what notices each.
//!
//! ```text
//! mutant ──> simulation ──> equivalence ──> properties ──> alive
//!            notices it?    none needs to   notice it, or are all proved?
//! ```
//!
//! A mutant is equivalent if no input with contiguous beats, after any reset, makes an output differ from that of the core; data may differ
//! while `tvalid` is low. A mutant that differs, and has the properties of the core, is a right core with other timing. A mutant that is alive is a
//! gap in the tests and the proofs, or superfluous logic that a checker cannot show to be superfluous.

use std::cell::Cell;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use utfhdl_codec::Slot;
use utfhdl_hdl::core::{Core, Role};
use utfhdl_hdl::netlist::{Fault, Mutant, mutants};
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;
use utfhdl_sim::tool::ToolError;

use super::checker::Checker;
use super::emitted::Form;
use super::equivalent::{PART, compared};
use super::program::Limits;
use super::property::Property;
use super::run::{Finding, prove};
use super::verdict::Verdict;
use crate::campaign::{Campaign, Inputs, Part};
use crate::cosim::{Cosim, CosimError, Framing, Source, Stalls};
use crate::engines::{self, EngineKind};
use crate::fault::SignalFault;
use crate::unknown_start::before_reset;

/// Items of a short run, and further ones for each lane.
const SHORT: (u64, u64) = (2_000, 100);
/// How much longer the last runs are.
const LONGER: u64 = 60;
/// The module that counts the limbs of a group, in encoders of one lane.
const LIMB_COUNTER: &str = "limb_counter";
/// The prefix of the names of registers that count the limbs of a group, in encoders of several lanes.
const LIMBS_LEFT: &str = "limbs_left";
/// Limbs of a group for which the upper part of the counter counts down twice, with one lane, or five times, with several. One step alone shows no
/// fault of its adder: a count of one goes to zero whatever the adder says. Four steps are none where two bits are counted by mistake.
pub const LONG_GROUP: u32 = (5 << 21) + 5;
/// Frames of a campaign.
const FRAMES: u64 = 1 << 16;

/// The check that notices a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// A simulation: the command that shows the failure, or which simulation it is.
    Simulation(String),
    /// A rule of a property.
    Proof(String),
    /// Nothing: a checker has proved that the mutant behaves as the core does.
    Equivalent(String),
    /// Nothing: it may differ from the core, but breaks no rule, and `spec` and `stream`, or `lanes`, are proved of it as a whole. What was asked is named.
    Conforms(String),
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

/// Chooses `count` of the mutants of a core by a seed, or all if there are fewer, in the order of the netlist.
pub fn choose(core: &Core, count: usize, seed: u64) -> Vec<Mutant> {
    let mut all: Vec<(usize, Mutant)> = mutants(&core.design).into_iter().enumerate().collect();
    all.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    all.truncate(count);
    all.sort_unstable_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, mutant)| mutant).collect()
}

/// Tries mutants of a core. `each` gets each of them.
///
/// # Errors
/// If a tool can't be started, or a file not be written.
pub fn score(
    core: &Core,
    chosen: &[Mutant],
    effort: Effort,
    checkers: &[Checker],
    mut each: impl FnMut(Trial),
) -> Result<(), ToolError> {
    for mutant in chosen {
        if effort.limits.stop.load(Ordering::SeqCst) {
            break;
        }
        each(trial(core, mutant, effort, checkers)?);
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
    let fate = fate(core, &with_mutant, &fault, &mutant.change, effort, checkers)?;
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
    change: &str,
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
    if (fault.signal == LIMB_COUNTER || change.contains(LIMBS_LEFT))
        && let Some(what) = fails_at_long_groups(mutant, effort.seed)
    {
        return Ok(Fate::Simulation(what));
    }
    Ok(match of_properties(mutant, effort.limits, checkers)? {
        Proofs::Broken(rule) => Fate::Proof(rule),
        Proofs::All(properties) => Fate::Conforms(properties),
        Proofs::Undecided => Fate::Alive(said),
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
        (short * LONGER, Framing::Random, Stalls { source: 0, sink: 60 }, 0),
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
    if tried(|| before_reset(mutant, seed)).is_none_or(|wrong| wrong.is_some()) {
        return Some(format!("simulation from unknown registers, seed {seed}"));
    }
    let inputs = Inputs::Random { count: FRAMES, seed, stall: 25 };
    let campaign = tried(|| Campaign::new(mutant.clone(), inputs))?.ok()?;
    campaign_fails(&campaign).then(|| format!("utfhdl campaign {} {inputs} --fault {fault}", mutant.spec))
}

/// Runs a mutant of a counter of limbs, with and without stalls, with groups that count in all of its parts. Noise has no such groups.
/// Returns what fails.
fn fails_at_long_groups(mutant: &Core, seed: u64) -> Option<String> {
    let (groups, named) = match mutant.spec.lanes {
        1 => (limb_groups(), "groups of many lengths".to_owned()),
        _ => (long_group(LONG_GROUP).collect(), format!("a group of {LONG_GROUP} limbs")),
    };
    [0, 30, 30, 30].into_iter().zip(seed..).find_map(|(percent, seed)| {
        let stalls = Stalls { source: percent, sink: percent };
        let source = Source::given(groups.clone());
        let cosim = Cosim { core: mutant.clone(), source, framing: Framing::Whole, stalls, resets: 0, seed };
        let what = format!("co-simulation of {named}, --stall {percent} --seed {seed}");
        fails(&cosim).then_some(what)
    })
}

/// Groups of many lengths, for the counter of an encoder of one lane. Some are whole. The others have long numbers of limbs, one for each
/// upper bit of the number, and are cut short: without that bit, the counter would take the group to end before the cut.
pub fn limb_groups() -> Vec<Slot> {
    const LIMBS_BEFORE_THE_CUT: u32 = 40;
    let whole = (2..=70).chain([255, 256, 257, 1025, 4095, 4099]);
    let cut = (6..u32::BITS).map(|bit| 1 << bit | 3);
    let cut = cut.flat_map(|limbs| {
        let group = (1..=LIMBS_BEFORE_THE_CUT).map(Slot::Limb);
        [Slot::Head(limbs)].into_iter().chain(group).chain([Slot::CodePoint(0)])
    });
    whole.flat_map(long_group).chain(cut).collect()
}

/// A group of `limbs` limbs, followed by a limb of no group and two code points, which show where the core takes the group to end.
pub fn long_group(limbs: u32) -> impl Iterator<Item = Slot> {
    let group = (1..=limbs).map(Slot::Limb);
    [Slot::Head(limbs)].into_iter().chain(group).chain([
        Slot::Limb(0),
        Slot::CodePoint(0),
        Slot::CodePoint(0),
    ])
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

/// The result of asking a mutant for the properties of its core.
enum Proofs {
    /// This rule is broken.
    Broken(String),
    /// No rule of these properties is broken, and those that say what goes out and when are all proved.
    All(String),
    /// No rule is broken. Some are not decided, or none is about values.
    Undecided,
}

/// Asks whether a mutant has the properties of its core. Its text is that of the mutant, so `emitted` holds.
fn of_properties(mutant: &Core, limits: Limits, checkers: &[Checker]) -> Result<Proofs, ToolError> {
    // The `spec` or `lanes` of a core that writes units takes minutes to prove, but a mutant may break it in seconds.
    let quick = Property::quick(mutant);
    let writes_units = matches!(mutant.spec.role, Role::Encoder | Role::Transcoder { .. });
    let is_of_values = |property: &Property| matches!(property, Property::Spec | Property::Lanes);
    let is_tried = |property: &Property| quick.contains(property) || writes_units && is_of_values(property);
    let properties: Vec<Property> = Property::of(mutant)
        .into_iter()
        .filter(|property| *property != Property::Emitted && is_tried(property))
        .collect();
    let mut is_decided = properties.iter().any(is_of_values);
    let has_lanes = properties.contains(&Property::Lanes);
    for &property in &properties {
        // A rule of the handshake that holds of the mutant, too, may take all the time that there is.
        let part = if is_of_values(&property) { 1 } else { PART };
        let limits = Limits { time: limits.time / part, ..limits };
        let mut broken = None;
        let ran = tried(|| {
            prove(mutant, &[property], &Form::Text, checkers, limits, &mut |finding: Finding| {
                // The parts of `lanes` are found in the netlist. If they are not there, that is the finding.
                let has_no_parts = finding.name == "pipeline";
                let is_broken = match finding.verdict {
                    Verdict::Proved { .. } => false,
                    Verdict::Refuted(_) | Verdict::Differs { .. } => true,
                    Verdict::Undecided { .. } => {
                        // `lanes` says of all beats what they hold and that none is lost or late.
                        is_decided &= property == Property::Stream && has_lanes;
                        has_no_parts
                    }
                };
                if is_broken && broken.is_none() {
                    broken = Some(format!("{property}: {}", finding.name));
                }
            })
        });
        match ran {
            Some(ran) => ran?,
            None => return Ok(Proofs::Broken("the netlist has another form".to_owned())),
        }
        if let Some(rule) = broken {
            return Ok(Proofs::Broken(rule));
        }
    }
    if !is_decided {
        return Ok(Proofs::Undecided);
    }
    let names: Vec<&str> = properties.iter().map(|property| property.name()).collect();
    Ok(Proofs::All(names.join(", ")))
}

/// The default limit of a checker in seconds: three times what the slowest equivalent mutants of cores of one lane take, for machines with
/// other work.
pub const SECONDS: NonZero<u32> = NonZero::new(60).unwrap();
