//! From the first input that failed to the shortest that does, shown by co-simulation.

use std::sync::atomic::AtomicBool;

use utfhdl_hdl::core::Role;
use utfhdl_sim::Engine;

use super::cuts::AllCuts;
use super::inputs::Inputs;
use super::part::Failing;
use super::setup::{Campaign, CampaignError};
use super::{exhaustive, space};
use crate::cosim::{Cosim, CosimError, Failure, Framing, Source, Stalls};
use crate::engines::EngineKind;
use crate::promise::Item;

/// The most bits of the inputs that are all tried for a shorter one: that takes a fraction of a second.
const MOST_TRIED_BITS: u32 = 24;
/// The code points that are tried on their own: those of up to 21 bits.
const TRIED_CODE_POINTS: u64 = 1 << 21;
/// Seeds of the stalls that are tried.
const SEEDS: u64 = 32;

/// A failure as co-simulation shows it.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The frames that go through the core, the last of which fails.
    pub frames: Vec<Vec<Vec<Item>>>,
    /// Whether no shorter input fails where neither side stalls: all were tried.
    pub is_shortest: bool,
    /// The run that fails.
    pub cosim: Cosim,
    /// How it fails.
    pub failure: Failure,
}

/// Why a failure could not be looked into.
#[derive(Debug, thiserror::Error)]
pub enum ShrinkError {
    /// A campaign of shorter inputs can't be run.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// A co-simulation can't be run.
    #[error(transparent)]
    Cosim(#[from] CosimError),
}

/// A co-simulation that fails, and how.
struct FailingRun {
    cosim: Cosim,
    failure: Failure,
}

impl FailingRun {
    fn shrunk(self, frames: Vec<Vec<Vec<Item>>>, is_shortest: bool) -> Shrunk {
        Shrunk { frames, is_shortest, cosim: self.cosim, failure: self.failure }
    }
}

/// Looks for the shortest input that fails as `failing` does.
///
/// All shorter inputs are tried, as long as that is quick (for an encoder, only [some](space) are). Where none of them
/// fails, units are left out of the input one after the other. The result is `None` if co-simulation finds nothing wrong with
/// the input: then the batch engine or the bench is at fault, not the core.
///
/// # Errors
/// If a bench can't be compiled, or a co-simulation can't be run.
pub fn shrink(campaign: &Campaign, failing: &Failing) -> Result<Option<Shrunk>, ShrinkError> {
    if let Some(frame) = shorter(campaign, failing)?
        && let Some(run) = failing_run(campaign, std::slice::from_ref(&frame), 0)?
    {
        let is_shortest = all_are_tried(campaign, units_of(&frame));
        return Ok(Some(run.shrunk(vec![frame], is_shortest)));
    }
    let stall = campaign.inputs.stall();
    let alone = vec![failing.frame.clone()];
    let with_before = failing.before.iter().map(|before| vec![before.clone(), failing.frame.clone()]);
    for frames in std::iter::once(alone).chain(with_before) {
        let Some(run) = failing_run(campaign, &frames, stall)? else { continue };
        let is_shortest =
            frames.len() == 1 && stall == 0 && all_are_tried(campaign, units_of(&failing.frame));
        return Ok(Some(match is_shortest {
            true => run.shrunk(frames, is_shortest),
            false => leave_out(campaign, frames, run, stall)?,
        }));
    }
    Ok(None)
}

/// The units of a frame.
fn units_of(frame: &[Vec<Item>]) -> usize {
    frame.iter().map(Vec::len).sum()
}

/// Whether all inputs of `units` units are tried.
fn is_tried(campaign: &Campaign, units: usize) -> bool {
    let ways = AllCuts::new(campaign.core.spec.lanes as usize, units).count();
    units as u32 * exhaustive::symbol_bits(&campaign.core) + ways.ilog2() <= MOST_TRIED_BITS
}

/// Whether all inputs of fewer than `units` units are tried.
fn all_are_tried(campaign: &Campaign, units: usize) -> bool {
    units <= 1 || campaign.core.spec.role != Role::Encoder && is_tried(campaign, units - 1)
}

/// The first input that fails among those of fewer units, the shortest first.
fn shorter(campaign: &Campaign, failing: &Failing) -> Result<Option<Vec<Vec<Item>>>, CampaignError> {
    for units in (1..units_of(&failing.frame)).take_while(|units| is_tried(campaign, *units)) {
        let shorter = Campaign::new(campaign.core.clone(), Inputs::Exhaustive { units })?;
        let all = 0..shorter.total();
        let others = space::code_points(campaign.core.spec.bus)..shorter.total();
        let tried_slots = [0..TRIED_CODE_POINTS, others];
        let ranges = match (campaign.core.spec.role, units) {
            // Every slot that is no code point.
            (Role::Encoder, 1) => &tried_slots[..],
            _ => std::slice::from_ref(&all),
        };
        let mut first = None;
        let Ok(()) = shorter.run(ranges, 1, &AtomicBool::new(false), |part| {
            first = first.take().or(part.failure);
            Ok::<(), std::convert::Infallible>(())
        });
        if let Some(failing) = first {
            return Ok(Some(failing.frame));
        }
    }
    Ok(None)
}

/// Runs frames through the core, with several seeds where the sides stall; gives the first run that fails.
fn failing_run(
    campaign: &Campaign,
    frames: &[Vec<Vec<Item>>],
    stall: u8,
) -> Result<Option<FailingRun>, CosimError> {
    let mut frames = frames.to_vec();
    if frames.last().is_some_and(Vec::is_empty) {
        // A frame without units can't be the last of a stimulus.
        frames.push(vec![vec![Item::default()]]);
    }
    let items: Vec<Item> = frames.iter().flatten().flatten().copied().collect();
    let lengths = |frame: &Vec<Vec<Item>>| frame.iter().map(|beat| beat.len() as u64).collect::<Vec<_>>();
    let framing = match campaign.core.spec.lanes {
        1 => Framing::Lengths(frames.iter().map(|frame| lengths(frame).iter().sum()).collect()),
        _ => Framing::Beats(frames.iter().map(lengths).collect()),
    };
    let cosim = |seed| Cosim {
        core: campaign.core.clone(),
        source: Source::given(items.iter().copied()),
        framing: framing.clone(),
        stalls: Stalls { source: stall, sink: stall },
        resets: 0,
        seed,
    };
    for seed in 1..=if stall > 0 { SEEDS } else { 1 } {
        let cosim = cosim(seed);
        let mut engines: Vec<Box<dyn Engine>> =
            vec![EngineKind::Native.start(&cosim.core).map_err(CosimError::from)?];
        match cosim.run(&mut engines, None, &mut |_| ()) {
            Ok(_) => {}
            Err(CosimError::Failure(failure)) => return Ok(Some(FailingRun { cosim, failure: *failure })),
            Err(other) => return Err(other),
        }
    }
    Ok(None)
}

/// Leaves out the units that the failure does not need, one after the other from the first on.
fn leave_out(
    campaign: &Campaign,
    mut frames: Vec<Vec<Vec<Item>>>,
    mut run: FailingRun,
    stall: u8,
) -> Result<Shrunk, CosimError> {
    let mut frame = 0;
    while frame < frames.len() {
        let mut unit = 0;
        while unit < units_of(&frames[frame]) {
            let mut fewer = frames.clone();
            leave_out_unit(&mut fewer[frame], unit);
            match failing_run(campaign, &fewer, stall)? {
                Some(again) => (frames, run) = (fewer, again),
                None => unit += 1,
            }
        }
        frame += 1;
    }
    Ok(run.shrunk(frames, false))
}

/// Leaves out a unit of a frame, and the beat that has no other.
fn leave_out_unit(frame: &mut Vec<Vec<Item>>, unit: usize) {
    let mut before = unit;
    for beat in frame.iter_mut() {
        if before < beat.len() {
            beat.remove(before);
            break;
        }
        before -= beat.len();
    }
    frame.retain(|beat| !beat.is_empty());
}
