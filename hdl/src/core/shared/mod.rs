//! What the cores of any number of lanes are made of: ports, tags, error kinds, the forms of prefix systems, and what a
//! unit or a code point is by itself.
//!
//! Nothing in here knows how many units a cycle has: ports take the number of lanes, and the rest is about one unit,
//! one slot or one code point, so that a core of several lanes has it once a lane.

pub(super) mod code_points;
pub(super) mod error_kind;
pub(super) mod forms;
pub(super) mod leads;
pub(super) mod limbs;
pub(super) mod magic_number;
pub(super) mod pace;
pub(super) mod ports;
pub(super) mod shown;
pub(super) mod single;
pub(super) mod tags;
pub(super) mod unit_table;
pub(super) mod units;
