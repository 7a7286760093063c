//! Random code points, texts and streams of any system.

use num_bigint::BigUint;
use proptest::prelude::*;
use utfhdl_codec::{ByteOrder, Codec, Max, SetO, Slot, System, Table, Utf8Bom, Whole};

use super::encode;

/// Every system, with every option that changes what it does.
pub fn systems() -> Vec<System> {
    let more = [
        System::UtfInf8 { digits: 18 },
        System::UtfInf8 { digits: 40 },
        System::Utf9 { max: Max::Ucs4 },
        System::Utf32 { max: Max::Ucs4 },
        System::UtfEbcdicI8 { max: Max::Ucs4 },
        System::UtfEbcdic { max: Max::Ucs4 },
        System::Utf1 { max: Max::Ucs4 },
        System::Utf7 { set_o: SetO::Base64 },
        System::CorrectedUtf8 { document: true, private: false },
        System::CorrectedUtf8 { document: false, private: true },
        System::Utf8Bom { bom: Utf8Bom::Strip },
        System::Utf8Bom { bom: Utf8Bom::Add },
    ];
    let orders = [ByteOrder::Big, ByteOrder::Little].into_iter();
    let marked = orders.flat_map(|order| {
        [
            System::Utf16Octets { order, bom: true },
            System::Ucs2Octets { order, bom: true },
            System::Utf32Octets { order, bom: true, max: Max::Unicode },
            System::Utf32Octets { order, bom: false, max: Max::Ucs4 },
        ]
    });
    let more = more.into_iter().chain(marked);
    let tables = ["windows-1253", "ebcdic-1026", "macintosh"].map(|name| Table::named(name).unwrap());
    let wide = System::wide_hunks();
    System::all()
        .chain(wide)
        .chain(System::of_software())
        .chain(more)
        .chain(tables.map(System::Table))
        .collect()
}

pub fn any_system() -> impl Strategy<Value = System> {
    prop::sample::select(systems())
}

/// How many bits the code points of `hunk-1` and so on have: table nine of Barber, and from 10 bits on the same pattern up to 32 bits.
pub const HUNK_BITS: [u32; 18] = [0, 1, 2, 6, 12, 20, 30, 42, 56, 29, 25, 28, 31, 23, 25, 27, 29, 31];

/// How many bits the code points of a system have, at most; of `utf-inf-8` this is what the tests go up to.
fn bits(system: System) -> u32 {
    match system {
        System::Hunk(width) => HUNK_BITS[width.bits() as usize - 1],
        System::Ascii => 7,
        System::Latin1 => 8,
        System::Utf8 | System::Utf8Bom { .. } | System::Utf18 => 21,
        System::Utf16 | System::Utf16Octets { .. } => 21,
        System::Ucs2 | System::Ucs2Octets { .. } => 16,
        System::Utf32 { max }
        | System::Utf32Octets { max, .. }
        | System::UtfEbcdicI8 { max }
        | System::UtfEbcdic { max }
        | System::Utf1 { max } => match max {
            Max::Unicode => 21,
            Max::Ucs4 => 31,
        },
        System::Cesu8 | System::Mutf8 | System::Wtf8 => 21,
        System::Utf7 { .. } | System::Scsu | System::Bocu1 => 21,
        System::Utf9 { .. } | System::Utf8Rfc2279 => 31,
        System::CorrectedUtf8 { .. } => 32,
        System::Utf8EightByte => 42,
        System::Utf8SixtyFiveBit => 65,
        System::UtfInf8 { .. } => 400,
        System::Table(_) => unreachable!("it has a list of code points"),
        System::MultiOctet(_) | System::Auto(_) => 21,
    }
}

/// Code points of all lengths that the system has.
pub fn code_point(system: System) -> BoxedStrategy<Whole> {
    if let System::Table(_) = system {
        let octets: Vec<u8> = (0..=0xFF).collect();
        let code_points = system.decode(&octets).filter_map(|event| match event.what {
            Slot::CodePoint(code_point) => Some(Whole::CodePoint(code_point)),
            _ => None,
        });
        return prop::sample::select(code_points.collect::<Vec<_>>()).boxed();
    }
    let number = (0..=bits(system)).prop_flat_map(|bits| {
        let limbs = prop::collection::vec(any::<u32>(), bits.div_ceil(32) as usize);
        limbs.prop_map(move |limbs| BigUint::new(limbs) & ((BigUint::from(1_u32) << bits) - 1_u32))
    });
    let has = move |whole: &Whole| encode(system, std::slice::from_ref(whole)).is_ok();
    number.prop_map(Whole::from).prop_filter("a code point of the system", has).boxed()
}

pub fn text(system: System, most: usize) -> impl Strategy<Value = Vec<Whole>> {
    prop::collection::vec(code_point(system), 0..=most)
        .prop_filter("a text of the system", move |text| encode(system, text).is_ok())
        // A system that strips a mark does not write one.
        .prop_filter("a text without a mark", |text| text.first() != Some(&Whole::CodePoint(0xFEFF)))
}

/// Streams of which much is well-formed, much nearly, and some not at all.
pub fn stream(system: System) -> impl Strategy<Value = Vec<u32>> {
    let sequence = code_point(system).prop_map(move |whole| encode(system, &[whole]).unwrap());
    let unit = 0..=u32::MAX >> (32 - system.unit_bits());
    let piece = prop_oneof![
        4 => sequence.clone(),
        2 => (sequence.clone(), any::<prop::sample::Index>()).prop_map(|(mut units, cut)| {
            units.truncate(cut.index(units.len()));
            units
        }),
        2 => (sequence, any::<prop::sample::Index>(), unit.clone()).prop_map(|(mut units, place, unit)| {
            let place = place.index(units.len());
            units[place] = unit;
            units
        }),
        1 => prop::collection::vec(unit, 1..4),
        // Lead units, long ones above all.
        1 => Just(vec![u32::MAX >> (32 - system.unit_bits())]),
        1 => surrogate(system),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// A surrogate where it can be written as other code points are.
fn surrogate(system: System) -> impl Strategy<Value = Vec<u32>> {
    (0xD800..=0xDFFF_u16).prop_map(move |unit| match system {
        System::Utf16 | System::Ucs2 | System::Utf32 { .. } => vec![unit.into()],
        System::Utf16Octets { order: ByteOrder::Big, .. }
        | System::Ucs2Octets { order: ByteOrder::Big, .. } => unit.to_be_bytes().map(u32::from).to_vec(),
        System::Utf16Octets { order: ByteOrder::Little, .. }
        | System::Ucs2Octets { order: ByteOrder::Little, .. } => unit.to_le_bytes().map(u32::from).to_vec(),
        System::UtfEbcdicI8 { .. } => {
            [0xF1, 0xA0 | unit >> 10 & 0x1F, 0xA0 | unit >> 5 & 0x1F, 0xA0 | unit & 0x1F]
                .map(u32::from)
                .to_vec()
        }
        // A change to Unicode mode, and one back.
        System::Scsu => {
            [&[0x0F][..], &unit.to_be_bytes(), &[0xE0]].concat().into_iter().map(u32::from).collect()
        }
        System::Utf7 { .. } => {
            let digit = |value: u16| {
                u32::from(
                    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[usize::from(value)],
                )
            };
            vec![0x2B, digit(unit >> 10), digit(unit >> 4 & 0x3F), digit(unit << 2 & 0x3F), 0x2D]
        }
        System::Utf32Octets { order: ByteOrder::Big, .. } => {
            u32::from(unit).to_be_bytes().map(u32::from).to_vec()
        }
        System::Utf32Octets { order: ByteOrder::Little, .. } => {
            u32::from(unit).to_le_bytes().map(u32::from).to_vec()
        }
        System::Cesu8 | System::Mutf8 | System::Wtf8 => {
            [0xED, 0x80 | unit >> 6 & 0x3F, 0x80 | unit & 0x3F].map(u32::from).to_vec()
        }
        _ => vec![],
    })
}

/// A stream, and places to cut it.
pub fn pieces(system: System) -> impl Strategy<Value = (Vec<u32>, Vec<usize>)> {
    (stream(system), prop::collection::vec(any::<prop::sample::Index>(), 0..6)).prop_map(|(units, cuts)| {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(units.len() + 1)).collect();
        cuts.sort();
        (units, cuts)
    })
}
