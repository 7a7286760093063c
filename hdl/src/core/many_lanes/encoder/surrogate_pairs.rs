//! Pairs of surrogates that a system refuses: a low surrogate is an error if the code point written before it is a high surrogate.
//!
//! A slot *decides* for the next one if it writes something. Where errors are replaced, each slot writes something, or its group does; so does a
//! low surrogate that is refused. Where errors are dropped, they write nothing. A low surrogate does not decide there either: after a high
//! surrogate it is dropped, and after another code point the next slot follows no high surrogate anyway.
//!
//! ```text
//!  lane      0     1     2     3        errors dropped
//!  slot      D800  err   DC00  DC01
//!  decides   yes   no    no    no
//!  refused   no    -     yes   yes      the last slot that decides is D800
//! ```
//!
//! Cost: log2(lanes) levels of one LUT and two bits a lane.

use super::lane::Lane;
use super::movement::Movement;
use super::plan::{Plan, levels};
use crate::netlist::{Builder, InstanceHandle, Signal};

/// Surrogates without their last ten bits.
const HIGH: u64 = 0xd800 >> 10;
const LOW: u64 = 0xdc00 >> 10;
/// Bits of a surrogate that tell it from another of its kind.
const OWN_BITS: u32 = 10;

/// Whether a slot holds a surrogate, as of stage 1.
pub(super) struct Marks<'m> {
    is_high: Signal<'m>,
    is_low: Signal<'m>,
}

impl<'m> Marks<'m> {
    /// Looks at the `tdata` of a slot.
    pub(super) fn new(lane: &Lane<'m>, data: Signal<'m>) -> Self {
        let marker = data.bits(OWN_BITS..data.width());
        let is = |name: &str, value| lane.delay(name, marker.is(value), 0, 1);
        Self { is_high: is("is_high", HIGH), is_low: is("is_low", LOW) }
    }

    /// Declares what [`refused`] asks of a lane, whose slot is `kept`, and `writes` a code point.
    pub(super) fn output(self, m: &'m Builder, plan: &Plan, kept: Signal<'m>, writes: Signal<'m>) {
        let decides = if plan.replaces { kept } else { writes & !self.is_low };
        m.output("decides", decides, "the next slot follows this slot, not the surrogate before it");
        m.output("is_high", writes & self.is_high, "a high surrogate");
        m.output("is_low", writes & self.is_low, "a low surrogate");
    }
}

/// The last slot that decides, of some lanes.
#[derive(Clone, Copy)]
struct LastWritten<'m> {
    /// There is one.
    is: Signal<'m>,
    /// The last slot that decides is a high surrogate.
    is_high: Signal<'m>,
}

impl<'m> LastWritten<'m> {
    /// The last of those lanes, or of others before them.
    fn or_before(self, before: Signal<'m>) -> Signal<'m> {
        self.is_high | (!self.is & before)
    }
}

/// For each lane: its slot is a low surrogate that is refused, in stage `plan.groups`. `last`: the beat ends its frame. `cut_before`: the
/// replacement precedes the first lane. Both in stage `plan.heads`.
pub(super) fn refused<'m>(
    m: &'m Builder,
    lanes: &[InstanceHandle<'m>],
    last: Signal<'m>,
    cut_before: Option<Signal<'m>>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Vec<Signal<'m>> {
    let of_lane = |(lane, handle): (usize, &InstanceHandle<'m>)| {
        let stage = movement.stage_at(plan.class, lane);
        let flag = |name: &str| stage.data(&format!("{name}_{lane}_{}_reg", plan.class), handle.output(name));
        let written = LastWritten { is: flag("decides"), is_high: flag("is_high") };
        (written, movement.delay_at(lane, &format!("is_low_{lane}"), flag("is_low"), plan.class, plan.heads))
    };
    m.stage_section(plan.class, "surrogates");
    let (mut written, is_low): (Vec<LastWritten>, Vec<Signal>) =
        lanes.iter().enumerate().map(of_lane).unzip();
    let mut at = plan.class;
    let steps = levels(plan.lanes);
    for step in 0..steps {
        m.stage_section(
            at,
            format!("whether the last of {} lanes that is written is a high surrogate", 2 << step),
        );
        let is_registered = plan.is_short_registered(step, steps);
        at += u32::from(is_registered);
        let size = 1usize << step;
        let joined = |lane: usize| {
            let is_joined = lane & size > 0;
            let put = |what: &str, signal: Signal<'m>| {
                let name = format!("{what}_up_to_{lane}_{at}");
                match is_registered {
                    true => movement.stage_at(at, lane).data(&format!("{name}_reg"), signal),
                    false if is_joined => signal.named(&format!("{name}_{step}")),
                    false => signal,
                }
            };
            let mut joined = written[lane];
            if is_joined {
                let before = written[(lane & !(size - 1)) - 1];
                joined = LastWritten { is: before.is | joined.is, is_high: joined.or_before(before.is_high) };
            }
            LastWritten { is: put("decides", joined.is), is_high: put("is_high", joined.is_high) }
        };
        written = (0..plan.lanes).map(joined).collect();
    }
    assert_eq!(at, plan.heads, "the surrogates are known when the plan says so");
    m.stage_section(at, "low surrogates after a high one");
    let behind_high =
        m.reg("behind_high_reg", 1).note("what was written last in the frame is a high surrogate");
    let of_earlier =
        cut_before.map_or(behind_high.q, |cut| (behind_high.q & !cut).named("beat_is_behind_high"));
    let goes_on = !last & !movement.flushes(plan.heads);
    let up_to_last = written[plan.lanes - 1].or_before(of_earlier);
    behind_high.next_when(movement.stage(plan.groups).enable, up_to_last & goes_on);
    let is_refused = |(lane, is_low): (usize, Signal<'m>)| {
        let behind_high = match lane {
            0 => of_earlier,
            _ => written[lane - 1].or_before(of_earlier),
        };
        movement
            .stage_at(plan.groups, lane)
            .data(&format!("ends_pair_{lane}_{}_reg", plan.groups), is_low & behind_high)
    };
    is_low.into_iter().enumerate().map(is_refused).collect()
}
