//! `utf-8-65bit`: one to fourteen octets, code points of up to 65 bits.
//!
//! Barber, *Extending UTF-8 to eight bytes*, §9.

use crate::lazy::Lazy;

use crate::systems::prefix::{Pattern, PrefixTables, SequenceForm, Surrogates, form};

/// Table ten, row by row; superscripts, which stand for repeated digits there, are written out.
const FORMS: [SequenceForm; 14] = [
    form("zddd'dddd", 0),
    form("wzwd'dddd", 1),
    form("wwzz'dddd", 2),
    form("wwzw'dddd", 3),
    form("wwwz'zddd", 4),
    form("wwwz'wddd", 5),
    form("wwww'zzdd", 6),
    form("wwww'zwdd", 7),
    form("wwww'wzzd", 8),
    form("wwww'wzwd", 9),
    form("wwww'wwzz", 10),
    form("wwww'wwzw", 11),
    form("wwww'wwwz", 12),
    form("wwww'wwww", 13),
];

/// The row "(extension byte itself)".
const TRAILING: Pattern = Pattern::new("wzzd'dddd");

pub(crate) static TABLES: Lazy<PrefixTables> =
    Lazy::new(|| PrefixTables::new(8, &FORMS, TRAILING, Surrogates::Allowed));
