//! `utf-8-rfc2279`: one to six octets, U+0..U+7FFFFFFF without surrogates.
//!
//! Seed 002 (recode's "Universal Transformation Format, 8 bits"); the rows A to K of seed 001 §3, up to "six-byte UTF-8
//! stops here".

use std::sync::LazyLock;

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

pub(crate) static TABLES: LazyLock<PrefixTables> =
    LazyLock::new(|| PrefixTables::new(8, &FORMS, TRAILING, Surrogates::Excluded));
