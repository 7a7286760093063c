//! Types that cores of several lanes are written with. Of each signal they know *when* it is valid, its pipeline stage, and *where*, its lane.
//!
//! - [`At`] is a signal with its stage. An operator delays the earlier of its operands; the delay is made once, shared, and named after
//!   its signal. `.at(n)` pins a signal to a stage. The latency of a core is the stage of its last signal.
//! - [`Lanes`] has a value for each lane of a beat: `map`, `zip`, `before`, `any`, and the scans of [`scan`].
//! - [`Lane`] builds the module of a lane. A [`Value`] is a named function of a unit and of the units before it. The module asks for that of
//!   its own unit or of the unit `n` before; [`Instances`] declares no port by hand and connects each to the lane below it, or, where that is
//!   in an earlier beat, to the same function of a unit in the [history](history()).
//!
//! ```text
//!            lane 0          lane 1          lane 2          lane 3
//!  history  ┌──────┐  fits  ┌──────┐  fits  ┌──────┐  fits  ┌──────┐
//!  ───────> │ lane │ ─────> │ lane │ ─────> │ lane │ ─────> │ lane │
//!   fits    └──────┘        └──────┘        └──────┘        └──────┘
//! ```

mod at;
mod beat;
mod history;
mod lane;
pub(super) mod scan;

pub(super) use at::At;
pub(super) use beat::{Beat, Lanes, number_of_first};
pub(super) use history::{history, history_stages};
pub(super) use lane::{Cell, Heard, History, Instances, Lane, LaneModule, Told, UnitHeard, Value, section};
