//! Pairs of surrogates, in three octets each. The low surrogate of a pair is an error in WTF-8.
//!
//! ```text
//!  ED A0..AF 80..BF   ED B0..BF 80..BF
//!  high surrogate     low surrogate
//! ```
//!
//! ED is a lead after any octets, so these six octets are a pair at any position.

use super::values::Values;
use crate::core::lanes::{At, Cell};

/// Whether the octet ends a pair.
pub(super) fn ends_pair<'m>(cell: &dyn Cell<'m>, values: &Values) -> At<'m> {
    let low = cell.of(1, &values.second_of_low);
    let high = cell.of(4, &values.second_of_high);
    let thirds = cell.of(0, &values.trailing) & low & cell.of(3, &values.trailing);
    (thirds & high).named("ends_pair")
}
