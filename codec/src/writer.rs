//! How each system writes code points.

use alloc::vec;

use crate::bulk::corrected_utf_8::CorrectedSequences;
use crate::bulk::none::NoSequences;
use crate::bulk::points::PlainText;
use crate::bulk::prefix::PrefixSequences;
use crate::bulk::utf_8::Utf8Sequences;
use crate::bulk::utf_16::{Utf16OctetSequences, Utf16Sequences};
use crate::bulk::utf_18::Utf18Sequences;
use crate::bulk::{self, Run, WholeSequences as _};
use crate::grammar::Grammar;
use crate::sequence::Sequence;
use crate::systems::auto;
use crate::systems::bocu_1::Bocu1Writer;
use crate::systems::cesu_8::{self, Null};
use crate::systems::multi_octet::Indexed;
use crate::systems::octets::InOctets;
use crate::systems::octets::{self, MARKS_OF_FOUR, MARKS_OF_TWO};
use crate::systems::one_octet::{ASCII, LATIN_1, OneOctet};
use crate::systems::opening::{MARK_OF_UTF_8, Mark};
use crate::systems::prefix::PrefixTables;
use crate::systems::scsu::ScsuWriter;
use crate::systems::table::OfTable;
use crate::systems::utf_1::Utf1;
use crate::systems::utf_7::Utf7Writer;
use crate::systems::utf_9::Utf9;
use crate::systems::utf_32::Utf32;
use crate::systems::utf_ebcdic::UtfEbcdic;
use crate::systems::utf_ebcdic_i8::UtfEbcdicI8;
use crate::systems::wtf_8::Wtf8Writer;
use crate::systems::{
    corrected_utf_8, hunk, ucs_2, utf_8, utf_8_8byte, utf_8_65bit, utf_8_rfc2279, utf_16, utf_18, utf_inf_8,
};
use crate::{ByteOrder, Slot, System, Unit, Utf8Bom};

/// The encoding side of each system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Writer {
    Utf8,
    Prefix(&'static PrefixTables),
    UtfInf8 { limit: u64 },
    Utf9(Utf9),
    Utf18,
    CorrectedUtf8 { document: bool, private: bool },
    Utf16,
    Utf16Octets(ByteOrder),
    Utf32(Utf32),
    Utf32Octets(Utf32, ByteOrder),
    Ucs2,
    Ucs2Octets(ByteOrder),
    UtfEbcdicI8(UtfEbcdicI8),
    UtfEbcdic(UtfEbcdic),
    Utf1(Utf1),
    Utf7(Utf7Writer),
    Scsu(ScsuWriter),
    Bocu1(Bocu1Writer),
    Cesu8(Null),
    Wtf8(Wtf8Writer),
    OneOctet(OneOctet),
    Table(OfTable),
    MultiOctet(Indexed),
}

/// Does the same with the fast path of any system; the code is compiled for each of them.
macro_rules! with_sequences {
    ($writer:expr, $sequences:ident => $do:expr) => {
        match $writer {
            Writer::Utf8 | Writer::Wtf8(_) => {
                let $sequences = Utf8Sequences;
                $do
            }
            Writer::Prefix(tables) => {
                let $sequences = PrefixSequences(&tables.whole);
                $do
            }
            Writer::UtfInf8 { .. } => {
                let $sequences = PrefixSequences(&utf_inf_8::SHORT_TABLES.whole);
                $do
            }
            Writer::Utf9(utf_9) => {
                let $sequences = utf_9.sequences();
                $do
            }
            Writer::Utf18 => {
                let $sequences = Utf18Sequences;
                $do
            }
            &Writer::CorrectedUtf8 { document, private } => {
                let $sequences = CorrectedSequences { document, private };
                $do
            }
            Writer::Utf16 => {
                let $sequences = Utf16Sequences;
                $do
            }
            &Writer::Utf16Octets(order) => {
                let $sequences = Utf16OctetSequences(order);
                $do
            }
            Writer::Utf32(utf_32) => {
                let $sequences = utf_32.sequences();
                $do
            }
            Writer::Utf32Octets(utf_32, order) => {
                let $sequences = utf_32.octet_sequences(*order);
                $do
            }
            Writer::Ucs2 => {
                let $sequences = ucs_2::SEQUENCES;
                $do
            }
            &Writer::Ucs2Octets(order) => {
                let $sequences = ucs_2::octet_sequences(order);
                $do
            }
            Writer::UtfEbcdicI8(i8) => {
                let $sequences = i8.sequences();
                $do
            }
            Writer::UtfEbcdic(ebcdic) => {
                let $sequences = ebcdic.sequences();
                $do
            }
            Writer::Utf1(utf_1) => {
                let $sequences = utf_1.sequences();
                $do
            }
            Writer::Utf7(utf_7) => {
                let $sequences = utf_7.sequences();
                $do
            }
            Writer::Scsu(scsu) => {
                let $sequences = scsu.sequences();
                $do
            }
            Writer::Bocu1(_) => {
                let $sequences = NoSequences;
                $do
            }
            Writer::Cesu8(null) => {
                let $sequences = null.sequences();
                $do
            }
            Writer::OneOctet(one_octet) => {
                let $sequences = one_octet.sequences();
                $do
            }
            Writer::Table(table) => {
                let $sequences = table.sequences();
                $do
            }
            Writer::MultiOctet(indexed) => {
                let $sequences = indexed.sequences();
                $do
            }
        }
    };
}

impl Writer {
    pub(crate) fn new(system: System) -> Writer {
        match system {
            System::Utf8 | System::Utf8Bom { .. } => Writer::Utf8,
            System::Utf8Rfc2279 => Writer::Prefix(&utf_8_rfc2279::TABLES),
            System::Utf8EightByte => Writer::Prefix(&utf_8_8byte::TABLES),
            System::Utf8SixtyFiveBit => Writer::Prefix(&utf_8_65bit::TABLES),
            System::Hunk(width) => Writer::Prefix(hunk::tables(width)),
            System::UtfInf8 { digits } => Writer::UtfInf8 { limit: digits },
            System::Utf9 { max } => Writer::Utf9(Utf9::new(max.code_point())),
            System::Utf18 => Writer::Utf18,
            System::CorrectedUtf8 { document, private } => Writer::CorrectedUtf8 { document, private },
            System::Utf16 => Writer::Utf16,
            System::Utf16Octets { order, .. } => Writer::Utf16Octets(order),
            System::Utf32 { max } => Writer::Utf32(Utf32 { last: max.code_point() }),
            System::Utf32Octets { order, max, .. } => {
                Writer::Utf32Octets(Utf32 { last: max.code_point() }, order)
            }
            System::Ucs2 => Writer::Ucs2,
            System::Ucs2Octets { order, .. } => Writer::Ucs2Octets(order),
            System::UtfEbcdicI8 { max } => Writer::UtfEbcdicI8(UtfEbcdicI8::new(max.code_point())),
            System::UtfEbcdic { max } => Writer::UtfEbcdic(UtfEbcdic::new(max.code_point())),
            System::Utf1 { max } => Writer::Utf1(Utf1::new(max.code_point())),
            System::Utf7 { set_o } => Writer::Utf7(Utf7Writer::new(set_o)),
            System::Scsu => Writer::Scsu(ScsuWriter::default()),
            System::Bocu1 => Writer::Bocu1(Bocu1Writer::default()),
            System::Cesu8 => Writer::Cesu8(Null::Octet),
            System::Mutf8 => Writer::Cesu8(Null::Pair),
            System::Wtf8 => Writer::Wtf8(Wtf8Writer::default()),
            System::Latin1 => Writer::OneOctet(LATIN_1),
            System::Ascii => Writer::OneOctet(ASCII),
            System::Table(table) => Writer::Table(OfTable::new(table)),
            System::MultiOctet(set) => Writer::MultiOctet(Indexed::new(set)),
            System::Auto(auto) => Writer::new(auto::written(auto)),
        }
    }

    /// Writes the sequence of a code point, if the system has it and it is short enough to be held.
    #[inline]
    pub(crate) fn encode(&mut self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        match self {
            Writer::Utf8 => utf_8::encode(code_point, sequence),
            Writer::Prefix(prefix) => prefix.encode(code_point, sequence),
            Writer::UtfInf8 { .. } => utf_inf_8::encode(code_point, sequence),
            Writer::Utf9(utf_9) => utf_9.encode(code_point, sequence),
            Writer::Utf18 => utf_18::encode(code_point, sequence),
            &mut Writer::CorrectedUtf8 { document, private } => {
                corrected_utf_8::encode(document, private, code_point, sequence)
            }
            Writer::Utf16 => utf_16::encode(code_point, sequence),
            &mut Writer::Utf16Octets(order) => {
                let mut units = Sequence::default();
                utf_16::encode(code_point, &mut units)?;
                octets::encode::<2>(order, &units, sequence);
                Some(())
            }
            Writer::Utf32(utf_32) => utf_32.encode(code_point, sequence),
            &mut Writer::Utf32Octets(utf_32, order) => {
                let mut units = Sequence::default();
                utf_32.encode(code_point, &mut units)?;
                octets::encode::<4>(order, &units, sequence);
                Some(())
            }
            Writer::Ucs2 => ucs_2::encode(code_point, sequence),
            &mut Writer::Ucs2Octets(order) => {
                let mut units = Sequence::default();
                ucs_2::encode(code_point, &mut units)?;
                octets::encode::<2>(order, &units, sequence);
                Some(())
            }
            Writer::UtfEbcdicI8(i8) => i8.encode(code_point, sequence),
            Writer::UtfEbcdic(ebcdic) => ebcdic.encode(code_point, sequence),
            Writer::Utf1(utf_1) => utf_1.encode(code_point, sequence),
            Writer::Utf7(writer) => writer.encode(code_point, sequence),
            Writer::Scsu(writer) => writer.encode(code_point, sequence),
            Writer::Bocu1(writer) => writer.encode(code_point, sequence),
            &mut Writer::Cesu8(null) => cesu_8::encode(null, code_point, sequence),
            Writer::Wtf8(writer) => writer.encode(code_point, sequence),
            Writer::OneOctet(one_octet) => one_octet.encode(code_point, sequence),
            Writer::Table(table) => table.encode(code_point, sequence),
            Writer::MultiOctet(indexed) => indexed.encode(code_point, sequence),
        }
    }

    /// Forgets the code points that are written, and writes as at the start of a stream.
    pub(crate) fn start_afresh(&mut self) {
        match self {
            Writer::Wtf8(writer) => *writer = Wtf8Writer::default(),
            Writer::Utf7(writer) => writer.start_afresh(),
            Writer::Scsu(writer) => *writer = ScsuWriter::default(),
            Writer::Bocu1(writer) => *writer = Bocu1Writer::default(),
            _ => {}
        }
    }

    /// Whether the end of the stream needs units.
    pub(crate) fn is_unclosed(&self) -> bool {
        matches!(self, Writer::Utf7(writer) if !writer.is_direct())
    }

    /// Writes the units that the end of the stream needs.
    pub(crate) fn close(&mut self, sequence: &mut Sequence) {
        if let Writer::Utf7(writer) = self {
            writer.close(sequence);
        }
    }

    /// Whether the fast path can write the next code point, whatever the code points before it are.
    #[inline]
    pub(crate) fn is_afresh(&self) -> bool {
        match self {
            Writer::Wtf8(writer) => *writer == Wtf8Writer::default(),
            Writer::Utf7(writer) => writer.is_direct(),
            Writer::Scsu(writer) => writer.is_settled(),
            _ => true,
        }
    }

    /// The plain text of the system.
    pub(crate) fn plain_text(&self) -> PlainText {
        with_sequences!(self, sequences => PlainText::of(sequences))
    }

    /// Writes the sequences of code points on the fast path. It may stop before the last of them.
    pub(crate) fn write_points<V: Unit>(&self, code_points: &[u32], units: &mut [V]) -> Run {
        with_sequences!(self, sequences => sequences.write_points(code_points, units))
    }

    /// Writes the sequences of the code points of `utf-8`, where the system has a way of its own. It may stop before the last of them.
    pub(crate) fn write_from_utf_8<U: Unit, V: Unit>(&self, units: &[U], room: &mut [V]) -> Run {
        let (Some(octets), Some(room)) = (U::octets(units), V::octets_mut(room)) else {
            return Run::default();
        };
        with_sequences!(self, sequences => sequences.write_from_utf_8(octets, room))
    }

    /// Writes the code points of slots on the fast path. It may stop before the last of them.
    pub(crate) fn write_run<S: Copy + Into<Slot>, V: Unit>(&self, slots: &[S], units: &mut [V]) -> Run {
        with_sequences!(self, sequences => bulk::write_run(sequences, slots, units))
    }

    /// The sequence of U+FFFD, or of U+003F where the system lacks that, or of the last code point where it lacks both;
    /// without units above `most`.
    pub(crate) fn replacement(mut self, most: u32) -> Sequence {
        // Without U+003F, the systems but those of tables have no code point after it.
        let others = match &self {
            Writer::Table(table) => vec![0x3F, table.last().into()],
            _ => (0..=0x3F).rev().collect(),
        };
        let mut candidates = [0xFFFD].into_iter().chain(others).filter_map(|code_point| {
            let mut sequence = Sequence::default();
            self.encode(code_point, &mut sequence).map(|()| sequence)
        });
        let found = candidates.find(|sequence| fits(sequence, most));
        found.expect("every system has some code point, of octets or of one unit")
    }

    /// Up to how many digits code points are written that are too long to be held; 0 where the system has none.
    pub(crate) fn digits_streamed(&self) -> u64 {
        match self {
            Writer::UtfInf8 { limit, .. } => *limit,
            _ => 0,
        }
    }
}

/// Whether no unit is above `most`.
pub(crate) fn fits(sequence: &Sequence, most: u32) -> bool {
    sequence.as_slice().iter().all(|&unit| unit <= most)
}

/// The mark before the streams of a system.
pub(crate) fn mark(system: System) -> Mark {
    match system {
        System::CorrectedUtf8 { document: true, .. } => corrected_utf_8::MAGIC,
        System::Utf8Bom { bom: Utf8Bom::Add } => MARK_OF_UTF_8,
        System::Utf16Octets { order, bom: true } | System::Ucs2Octets { order, bom: true } => {
            octets::mark_of(order, &MARKS_OF_TWO)
        }
        System::Utf32Octets { order, bom: true, .. } => octets::mark_of(order, &MARKS_OF_FOUR),
        _ => &[],
    }
}
