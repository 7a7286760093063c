//! `utf-8-rfc2279`: one to six octets, U+0..U+7FFFFFFF without surrogates.
//!
//! RFC 2279. Quotations are from the manual of `recode`, "Universal Transformation Format, 8 bits"; Barber, *Extending UTF-8
//! to eight bytes*, has the same system in rows A to K of the table in §3.

use crate::lazy::Lazy;

use crate::systems::prefix::{Pattern, PrefixTables, SequenceForm, Surrogates, form};

/// "It contains many '1' bits in successions starting with the most significant one, at least two. The length of this '1'
/// sequence equals the byte size of the character."
const FORMS: [SequenceForm; 6] = [
    form("zddd'dddd", 0),
    form("wwzd'dddd", 1),
    form("wwwz'dddd", 2),
    form("wwww'zddd", 3),
    form("wwww'wzdd", 4),
    form("wwww'wwzd", 5),
];

/// "All succeeding bytes start by '10'."
const TRAILING: Pattern = Pattern::new("wzdd'dddd");

pub(crate) static TABLES: Lazy<PrefixTables> =
    Lazy::new(|| PrefixTables::new(8, &FORMS, TRAILING, Surrogates::Excluded));
