//! Parts of cores with any number of lanes: ports, tags, error kinds, the forms of prefix systems, and the classes of
//! single units and code points.
//!
//! Nothing here depends on the number of units in a cycle. Ports take the number of lanes as an argument. The rest is logic for one
//! unit, one slot or one code point, which a core of several lanes has once a lane.

pub(super) mod among;
pub(super) mod block_tables;
pub(super) mod code_points;
pub(super) mod corrected_utf_8;
pub(super) mod error_kind;
pub(super) mod forms;
pub(super) mod four_octets;
pub(super) mod four_tables;
pub(super) mod index_tables;
pub(super) mod inverse_tables;
pub(super) mod leads;
pub(super) mod limbs;
pub(super) mod magic_number;
pub(super) mod mark;
pub(super) mod memory_look_up;
pub(super) mod octet_class;
pub(super) mod octet_table;
pub(super) mod opening;
pub(super) mod pace;
pub(super) mod ports;
pub(super) mod shown;
pub(super) mod single;
pub(super) mod tags;
pub(super) mod terms_of_four;
pub(super) mod unit_table;
pub(super) mod units;
pub(super) mod written_octets;
