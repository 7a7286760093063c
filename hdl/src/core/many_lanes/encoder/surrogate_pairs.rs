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

use super::movement::Movement;
use super::sizes::Sizes;
use crate::core::lanes::{At, Instances, Lane, Told};
use crate::core::shared::code_points::{HIGH, LOW, SURROGATE_DATA};
use crate::netlist::Builder;

/// Whether a slot holds a surrogate, in stage 1.
pub(super) struct Marks<'m> {
    is_high: At<'m>,
    is_low: At<'m>,
}

/// The outputs of a lane that [`refused`] reads.
pub(super) struct Ports {
    decides: Told,
    is_high: Told,
    is_low: Told,
}

impl<'m> Marks<'m> {
    /// Looks at the `tdata` of a slot.
    pub(super) fn new(data: At<'m>) -> Self {
        let marker = data.bits(SURROGATE_DATA..data.width());
        let is = |name: &str, value| marker.is(value).next(name);
        Self { is_high: is("is_high", HIGH), is_low: is("is_low", LOW) }
    }

    /// Declares the outputs of a lane, whose slot is `kept`, and `writes` a code point.
    pub(super) fn output(self, lane: &Lane<'m>, sizes: &Sizes, kept: At<'m>, writes: At<'m>) -> Ports {
        let decides = if sizes.replaces { kept } else { writes & !self.is_low };
        Ports {
            decides: lane.tell(
                "decides",
                decides,
                "the next slot follows this slot, not the surrogate before it",
            ),
            is_high: lane.tell("is_high", writes & self.is_high, "a high surrogate"),
            is_low: lane.tell("is_low", writes & self.is_low, "a low surrogate"),
        }
    }
}

/// The last slot that decides, of some lanes.
#[derive(Clone, Copy)]
struct LastWritten<'m> {
    /// There is one.
    is: At<'m>,
    /// The last slot that decides is a high surrogate.
    is_high: At<'m>,
}

impl<'m> LastWritten<'m> {
    /// The last of those lanes, or of others before them.
    fn or_before(self, before: At<'m>) -> At<'m> {
        self.is_high | (!self.is & before)
    }
}

/// For each lane: its slot is a low surrogate that is refused. `last`: the beat ends its frame. `cut_before`: the replacement precedes the
/// first lane.
pub(super) fn refused<'m>(
    m: &'m Builder,
    lanes: &Instances<'_, 'm>,
    ports: &Ports,
    last: At<'m>,
    cut_before: Option<At<'m>>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Vec<At<'m>> {
    m.stage_section(sizes.class(), "surrogates");
    let of_lane = |lane: usize| {
        let flag = |name: &str, told: &Told, to: u32| {
            lanes.output(lane, told).delayed(&format!("{name}_{lane}"), to)
        };
        let (is, is_high) =
            (flag("decides", &ports.decides, sizes.class()), flag("is_high", &ports.is_high, sizes.class()));
        (LastWritten { is, is_high }, flag("is_low", &ports.is_low, sizes.searched()))
    };
    let (mut written, is_low): (Vec<LastWritten>, Vec<At>) = (0..sizes.lanes).map(of_lane).unzip();
    let title = |step| format!("whether the last of {} lanes that is written is a high surrogate", 2 << step);
    for step in sizes.search(sizes.class()).begin(m, title) {
        let size = 1usize << step.number;
        let joined = |lane: usize| {
            let mut joined = written[lane];
            if lane & size > 0 {
                let before = written[(lane & !(size - 1)) - 1];
                joined = LastWritten { is: before.is | joined.is, is_high: joined.or_before(before.is_high) };
            } else if !step.is_registered {
                return joined;
            }
            let put = |what: &str, signal: At<'m>| {
                step.put(&format!("{what}_up_to_{lane}"), signal.on(movement.lane(lane)))
            };
            LastWritten { is: put("decides", joined.is), is_high: put("is_high", joined.is_high) }
        };
        written = (0..sizes.lanes).map(joined).collect();
    }
    let at = written[0].is.stage();
    m.stage_section(at, "low surrogates after a high one");
    let behind_high =
        m.reg("behind_high_reg", 1).note("what was written last in the frame is a high surrogate");
    let of_earlier = movement.of_beat(behind_high.q, at);
    let of_earlier = cut_before.map_or(of_earlier, |cut| (of_earlier & !cut).named("beat_is_behind_high"));
    let goes_on = !last.at(at) & !movement.flushes(at);
    let up_to_last = written[sizes.lanes - 1].or_before(of_earlier);
    movement.load(behind_high, up_to_last & goes_on);
    let is_refused = |(lane, is_low): (usize, At<'m>)| {
        let behind_high = match lane {
            0 => of_earlier,
            _ => written[lane - 1].or_before(of_earlier),
        };
        (is_low & behind_high).delayed(&format!("ends_pair_{lane}"), at + 1)
    };
    is_low.into_iter().enumerate().map(is_refused).collect()
}
