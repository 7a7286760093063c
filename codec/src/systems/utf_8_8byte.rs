//! `utf-8-8byte`: one to eight octets, code points of up to 42 bits.
//!
//! Barber, *Extending UTF-8 to eight bytes*, §2 and §3.

use crate::lazy::Lazy;

use crate::systems::prefix::{Pattern, PrefixTables, SequenceForm, Surrogates, form};

/// Table one, row by row.
const FORMS: [SequenceForm; 8] = [
    form("zddd'dddd", 0),
    form("wwzd'dddd", 1),
    form("wwwz'dddd", 2),
    form("wwww'zddd", 3),
    form("wwww'wzdd", 4),
    form("wwww'wwzd", 5),
    form("wwww'wwwz", 6),
    form("wwww'wwww", 7),
];

/// "The format of any extension byte is wzdd'dddd."
const TRAILING: Pattern = Pattern::new("wzdd'dddd");

pub(crate) static TABLES: Lazy<PrefixTables> =
    Lazy::new(|| PrefixTables::new(8, &FORMS, TRAILING, Surrogates::Allowed));
