//! The timing rules: the cycle by which each item has to be on the output, and when a core may refuse its input.
//!
//! A core owes full throughput: between two items that are owed there is never a bubble. An item is on the output `latency`
//! cycles after the core took the beat that makes the item certain, or in the beat after that of the item before it. Each kind
//! of core has a model of its own, which gives the cycle of each item:
//!
//! | model | cores |
//! | --- | --- |
//! | [`Decoder`] | decoders of one lane or several, by beats or dense |
//! | [`Encoder`] | encoders of one lane, but for those below |
//! | [`Transcoder`] | transcoders of one lane, and encoders of sets of several octets |
//! | [`Validator`] | validators of one lane or several, and decoders of several streams |
//! | [`WideEncoder`] | encoders of several lanes |
//! | [`WideTranscoder`] | transcoders of several lanes |
//!
//! The models have this in common:
//!
//! - Time is counted by a [`Clock`] without the cycles in which the output waits for `tready`: such a cycle delays everything in
//!   the core by one.
//! - A beat *enters* the core in the cycle in which the core takes that beat, but in the cycle after the beat before at the
//!   earliest. Beats that were taken while the output waited enter one after the other.
//! - A core may refuse input up to `latency` cycles after its output waited, since a wait takes that long from one end of the
//!   pipeline to the other. It may refuse input where that delays no item. Any other cycle of refusal has to be granted by the
//!   model.
//!
//! The head of each model has a trace. Below the rows of ports, a row for each field holds the value after the cycle, counted in
//! cycles from the first column; `.` is a value that has not changed. The tests run these traces and compare all rows.

mod beats;
mod clock;
mod decoder;
#[cfg(test)]
mod drawing;
mod encoder;
mod model;
mod transcoder;
mod validator;
mod wide_encoder;
mod wide_transcoder;

use utfhdl_hdl::core::Role;

use self::clock::{Clock, Entry};
use self::decoder::Decoder;
use self::encoder::Encoder;
pub(super) use self::model::Due;
use self::model::Model as _;
use self::transcoder::Transcoder;
use self::validator::Validator;
use self::wide_encoder::WideEncoder;
use self::wide_transcoder::WideTranscoder;
use super::timing::Timing;

/// The model of a core, and the beat that entered the core last.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    at: Entry,
    kind: Kind,
}

/// The models.
#[derive(Clone, Debug)]
enum Kind {
    Decoder(Decoder),
    Encoder(Encoder),
    Transcoder(Transcoder),
    Validator(Validator),
    WideEncoder(WideEncoder),
    WideTranscoder(WideTranscoder),
}

/// Calls a method of the model.
macro_rules! of_model {
    ($pace:expr, $model:ident => $call:expr) => {
        match $pace {
            Kind::Decoder($model) => $call,
            Kind::Encoder($model) => $call,
            Kind::Transcoder($model) => $call,
            Kind::Validator($model) => $call,
            Kind::WideEncoder($model) => $call,
            Kind::WideTranscoder($model) => $call,
        }
    };
}

impl Pace {
    /// The model of a core that leaves reset in cycle `start`. Such a core is ready a cycle later.
    pub(super) fn new(timing: Timing, start: u64) -> Self {
        let kind = match (timing.role, timing.lanes) {
            (Role::Decoder, _) if timing.of_streams => Kind::Validator(Validator),
            (Role::Decoder, lanes) => Kind::Decoder(Decoder::new(lanes, timing.packing, timing.never_stops)),
            (Role::Encoder, 1) if timing.looks_up => Kind::Transcoder(Transcoder::new(false)),
            (Role::Encoder, 1) => Kind::Encoder(Encoder::default()),
            (Role::Encoder, lanes) => Kind::WideEncoder(WideEncoder::new(start, lanes)),
            (Role::Transcoder { .. }, 1) => Kind::Transcoder(Transcoder::new(timing.hides_stops)),
            (Role::Validator(_), _) => Kind::Validator(Validator),
            (Role::Transcoder { .. }, lanes) => {
                Kind::WideTranscoder(WideTranscoder::new(lanes, timing.slots_wait, timing.in_series))
            }
        };
        Self { at: Entry::new(Clock::new(timing.latency, start).swept(timing.sweep)), kind }
    }

    /// A cycle passes. `waits`: the core offers a beat that is not taken; `refuses`: its `tready` is low.
    #[inline]
    pub(super) fn cycle(&mut self, cycle: u64, waits: bool, refuses: bool) {
        of_model!(&mut self.kind, model => model.cycle(&mut self.at, cycle, waits, refuses));
    }

    /// Nothing is owed.
    #[inline]
    pub(super) fn owes_nothing(&mut self) {
        of_model!(&mut self.kind, model => model.owes_nothing());
    }

    /// Whether an item that is due in cycle `due` of the core's clock is late if it is not on the output now.
    #[inline]
    pub(super) fn is_late(&self, due: u64) -> bool {
        of_model!(&self.kind, model => due + model.delay(&self.at) <= self.at.clock.now)
    }

    /// The cycle in which `due` comes if the output never waits from now on.
    pub(super) fn cycle_of(&self, due: u64) -> u64 {
        self.at.clock.cycle_of(due)
    }

    /// Whether the core may refuse its input in this cycle, as it does. `owes`: some item has still to go out.
    #[inline]
    pub(super) fn may_refuse(&mut self, owes: bool) -> bool {
        let is_free = of_model!(&self.kind, model => model.refuses_freely(&self.at));
        self.at.clock.may_refuse(owes, is_free)
    }

    /// The core takes a beat in this cycle.
    #[inline]
    pub(super) fn beat(&mut self) {
        of_model!(&mut self.kind, model => model.beat(&mut self.at));
    }

    /// The beat releases a slot that was withheld.
    pub(super) fn withheld_slot(&mut self) {
        of_model!(&mut self.kind, model => model.withheld_slot(&mut self.at));
    }

    /// The beat makes a slot certain.
    #[inline]
    pub(super) fn slot(&mut self) {
        of_model!(&mut self.kind, model => model.slot(&mut self.at));
    }

    /// The slots that follow are the next step of the beat.
    pub(super) fn step(&mut self) {
        of_model!(&mut self.kind, model => model.step(&mut self.at));
    }

    /// The slot is an error, which is dropped. `first`: the slot has made no item yet.
    pub(super) fn dropped(&mut self, first: bool) {
        of_model!(&mut self.kind, model => model.dropped(&mut self.at, first));
    }

    /// The slot makes an item. `first`: the slot has made no item yet.
    #[inline]
    pub(super) fn item(&mut self, first: bool) -> Due {
        of_model!(&mut self.kind, model => model.item(&mut self.at, first))
    }

    /// The last beat of the frame made nothing that can carry the frame's end.
    pub(super) fn bare_end(&mut self) -> Due {
        of_model!(&mut self.kind, model => model.bare_end(&mut self.at))
    }

    /// The frame ends. Returns the cycle of the items that waited for others.
    pub(super) fn frame_ends(&mut self) -> Option<u64> {
        of_model!(&mut self.kind, model => model.frame_ends(&mut self.at))
    }

    /// The fields by name: those of all models, and those of the model's own.
    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, drawing::Value)> {
        let common =
            [drawing::cycle("entered", self.at.entered), drawing::cycle("busy_until", self.at.busy_until)];
        let spare = drawing::number("spare", self.at.clock.spare());
        of_model!(&self.kind, model => [&common[..], &model.fields(), &[spare]].concat())
    }
}
