//! The streaming decoder of any system, and the iterator over the events of a slice.

use core::iter::FusedIterator;

use crate::bulk::points::PlainText;
use crate::bulk::{Run, WholeSequences};
use crate::segmenter::Segmenter;
use crate::systems::auto::AutoDecoder;
use crate::systems::bocu_1::Bocu1;
use crate::systems::cesu_8::{Cesu8, Null};
use crate::systems::corrected_utf_8::{self, Corrected};
use crate::systems::multi_octet::Indexed;
use crate::systems::octets::{MARKS_OF_FOUR, MARKS_OF_TWO, Octets};
use crate::systems::one_octet::{ASCII, LATIN_1, OneOctet};
use crate::systems::opening::{MARK_OF_UTF_8, Mark, Opened};
use crate::systems::prefix::Prefix;
use crate::systems::scsu::Scsu;
use crate::systems::table::OfTable;
use crate::systems::ucs_2::Ucs2;
use crate::systems::utf_1::Utf1;
use crate::systems::utf_7::Utf7;
use crate::systems::utf_8::Utf8;
use crate::systems::utf_9::Utf9;
use crate::systems::utf_16::Utf16;
use crate::systems::utf_18::Utf18;
use crate::systems::utf_32::Utf32;
use crate::systems::utf_ebcdic::UtfEbcdic;
use crate::systems::utf_ebcdic_i8::UtfEbcdicI8;
use crate::systems::utf_inf_8::UtfInf8;
use crate::systems::wtf_8::Wtf8;
use crate::systems::{hunk, utf_8_8byte, utf_8_65bit, utf_8_rfc2279};
use crate::{Counts, Event, Gather, IllFormed, System, Unit, WholeEvent};

/// A streaming decoder: takes units in pieces of any size, and makes each event as soon as the event is certain.
///
/// A decoder has a few words of state, however long a sequence is. At the end of a stream the decoder starts afresh: it can
/// decode any number of streams, one after the other, and the offsets of each count from 0.
///
/// ```
/// # use utfhdl_codec::{Codec, Slot, System};
/// let mut decoder = System::Utf8.decoder();
/// let mut piece: &[u8] = &[0x41, 0xE2, 0x82];
/// assert_eq!(decoder.next(&mut piece, false).unwrap().what, Slot::CodePoint(0x41));
/// assert_eq!(decoder.next(&mut piece, false), None); // the sequence may go on in the next piece
///
/// let mut piece: &[u8] = &[0xAC];
/// assert_eq!(decoder.next(&mut piece, true).unwrap().what, Slot::CodePoint(0x20AC));
/// assert_eq!(decoder.next(&mut piece, true), None); // the stream has ended
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decoder(SystemDecoder);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum SystemDecoder {
    Utf8(Segmenter<Utf8>),
    Prefix(Segmenter<Prefix>),
    UtfInf8(Segmenter<UtfInf8>),
    Utf9(Segmenter<Utf9>),
    Utf18(Segmenter<Utf18>),
    CorrectedUtf8(Opened<Corrected>),
    Utf8Bom(Opened<Utf8>),
    Utf16(Segmenter<Utf16>),
    Utf16Octets(Opened<Octets<Utf16, 2>>),
    Utf32(Segmenter<Utf32>),
    Utf32Octets(Opened<Octets<Utf32, 4>>),
    Ucs2(Segmenter<Ucs2>),
    Ucs2Octets(Opened<Octets<Ucs2, 2>>),
    UtfEbcdicI8(Segmenter<UtfEbcdicI8>),
    UtfEbcdic(Segmenter<UtfEbcdic>),
    Utf1(Segmenter<Utf1>),
    Utf7(Segmenter<Utf7>),
    Scsu(Segmenter<Scsu>),
    Bocu1(Segmenter<Bocu1>),
    Cesu8(Segmenter<Cesu8>),
    Wtf8(Segmenter<Wtf8>),
    OneOctet(Segmenter<OneOctet>),
    Table(Segmenter<OfTable>),
    MultiOctet(Segmenter<Indexed>),
    Auto(AutoDecoder),
}

/// Does the same with the decoder of any system; the code is compiled for each of them.
macro_rules! with_decoder {
    ($kind:expr, $decoder:ident => $do:expr) => {
        match $kind {
            SystemDecoder::Utf8($decoder) => $do,
            SystemDecoder::Prefix($decoder) => $do,
            SystemDecoder::UtfInf8($decoder) => $do,
            SystemDecoder::Utf9($decoder) => $do,
            SystemDecoder::Utf18($decoder) => $do,
            SystemDecoder::CorrectedUtf8($decoder) => $do,
            SystemDecoder::Utf8Bom($decoder) => $do,
            SystemDecoder::Utf16($decoder) => $do,
            SystemDecoder::Utf16Octets($decoder) => $do,
            SystemDecoder::Utf32($decoder) => $do,
            SystemDecoder::Utf32Octets($decoder) => $do,
            SystemDecoder::Ucs2($decoder) => $do,
            SystemDecoder::Ucs2Octets($decoder) => $do,
            SystemDecoder::UtfEbcdicI8($decoder) => $do,
            SystemDecoder::UtfEbcdic($decoder) => $do,
            SystemDecoder::Utf1($decoder) => $do,
            SystemDecoder::Utf7($decoder) => $do,
            SystemDecoder::Scsu($decoder) => $do,
            SystemDecoder::Bocu1($decoder) => $do,
            SystemDecoder::Cesu8($decoder) => $do,
            SystemDecoder::Wtf8($decoder) => $do,
            SystemDecoder::OneOctet($decoder) => $do,
            SystemDecoder::Table($decoder) => $do,
            SystemDecoder::MultiOctet($decoder) => $do,
            SystemDecoder::Auto($decoder) => $do,
        }
    };
}

/// How far [`Decoder::decode`] came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Units read off the input.
    pub read: usize,
    /// Events written to the output.
    pub written: usize,
    /// Whether the input is used up and every event that is certain is written. If not, the output was too small: call
    /// again with the rest of the input and new room.
    pub finished: bool,
}

impl Decoder {
    /// A decoder for `system`, at the start of a stream.
    ///
    /// # Panics
    /// If `system` is a user's table whose mapping file is none, which [`check_mapping`](crate::check_mapping) tells.
    pub fn new(system: System) -> Decoder {
        let prefix = |tables| SystemDecoder::Prefix(Segmenter::new(Prefix::new(tables)));
        Decoder(match system {
            System::Utf8 => SystemDecoder::Utf8(Segmenter::new(Utf8::default())),
            System::Utf8Rfc2279 => prefix(&utf_8_rfc2279::TABLES),
            System::Utf8EightByte => prefix(&utf_8_8byte::TABLES),
            System::Utf8SixtyFiveBit => prefix(&utf_8_65bit::TABLES),
            System::Hunk(width) => prefix(hunk::tables(width)),
            System::UtfInf8 { digits } => SystemDecoder::UtfInf8(Segmenter::new(UtfInf8::new(digits))),
            System::Utf9 { max } => SystemDecoder::Utf9(Segmenter::new(Utf9::new(max.code_point()))),
            System::Utf18 => SystemDecoder::Utf18(Segmenter::new(Utf18::default())),
            System::CorrectedUtf8 { document, private } => {
                let marks: &[Mark] = if document { &[corrected_utf_8::MAGIC] } else { &[] };
                SystemDecoder::CorrectedUtf8(Opened::new(Corrected::new(document, private), marks))
            }
            System::Utf8Bom { .. } => SystemDecoder::Utf8Bom(Opened::new(Utf8::default(), &[MARK_OF_UTF_8])),
            System::Utf16 => SystemDecoder::Utf16(Segmenter::new(Utf16::default())),
            System::Utf16Octets { order, bom } => {
                let marks: &[Mark] = if bom { &MARKS_OF_TWO } else { &[] };
                SystemDecoder::Utf16Octets(Opened::new(Octets::new(Utf16::default(), order), marks))
            }
            System::Utf32 { max } => SystemDecoder::Utf32(Segmenter::new(Utf32 { last: max.code_point() })),
            System::Utf32Octets { order, bom, max } => {
                let marks: &[Mark] = if bom { &MARKS_OF_FOUR } else { &[] };
                let words = Utf32 { last: max.code_point() };
                SystemDecoder::Utf32Octets(Opened::new(Octets::new(words, order), marks))
            }
            System::Ucs2 => SystemDecoder::Ucs2(Segmenter::new(Ucs2)),
            System::Ucs2Octets { order, bom } => {
                let marks: &[Mark] = if bom { &MARKS_OF_TWO } else { &[] };
                SystemDecoder::Ucs2Octets(Opened::new(Octets::new(Ucs2, order), marks))
            }
            System::UtfEbcdicI8 { max } => {
                SystemDecoder::UtfEbcdicI8(Segmenter::new(UtfEbcdicI8::new(max.code_point())))
            }
            System::UtfEbcdic { max } => {
                SystemDecoder::UtfEbcdic(Segmenter::new(UtfEbcdic::new(max.code_point())))
            }
            System::Utf1 { max } => SystemDecoder::Utf1(Segmenter::new(Utf1::new(max.code_point()))),
            System::Utf7 { .. } => SystemDecoder::Utf7(Segmenter::new(Utf7::default())),
            System::Scsu => SystemDecoder::Scsu(Segmenter::new(Scsu::default())),
            System::Bocu1 => SystemDecoder::Bocu1(Segmenter::new(Bocu1::default())),
            System::Cesu8 => SystemDecoder::Cesu8(Segmenter::new(Cesu8::new(Null::Octet))),
            System::Mutf8 => SystemDecoder::Cesu8(Segmenter::new(Cesu8::new(Null::Pair))),
            System::Wtf8 => SystemDecoder::Wtf8(Segmenter::new(Wtf8::default())),
            System::Latin1 => SystemDecoder::OneOctet(Segmenter::new(LATIN_1)),
            System::Ascii => SystemDecoder::OneOctet(Segmenter::new(ASCII)),
            System::Table(table) => SystemDecoder::Table(Segmenter::new(OfTable::new(table))),
            System::MultiOctet(set) => SystemDecoder::MultiOctet(Segmenter::new(Indexed::new(set))),
            System::Auto(auto) => SystemDecoder::Auto(AutoDecoder::new(auto)),
        })
    }

    /// Reads units off the front of `input` up to the next event, and gives the event.
    ///
    /// `None` means that all of `input` is read and no further event is certain. A unit that ends an ill-formed sequence
    /// without being part of the sequence stays in `input`, so call until `None`. `last` says that the stream ends with
    /// `input`; `None` is then the end of the stream, and the decoder is ready for the next stream.
    #[inline]
    pub fn next<U: Unit>(&mut self, input: &mut &[U], last: bool) -> Option<Event> {
        with_decoder!(&mut self.0, decoder => decoder.next(input, last))
    }

    /// Reads pieces of units, each with whether the stream ends with it, as [`next`](Self::next) does. Calls `each` with every event,
    /// and with `None` after each piece.
    ///
    /// ```
    /// # use utfhdl_codec::{Codec, Slot, System};
    /// let pieces: [(&[u8], bool); 2] = [(&[0x41, 0xE2], false), (&[0x82, 0xAC], true)];
    /// let mut slots = Vec::new();
    /// System::Utf8.decoder().decode_pieces(pieces.into_iter(), |event| slots.push(event.map(|event| event.what)));
    /// assert_eq!(slots, [Some(Slot::CodePoint(0x41)), None, Some(Slot::CodePoint(0x20AC)), None]);
    /// ```
    pub fn decode_pieces<'u, U: Unit + 'u>(
        &mut self,
        pieces: impl Iterator<Item = (&'u [U], bool)>,
        mut each: impl FnMut(Option<Event>),
    ) {
        with_decoder!(&mut self.0, decoder => {
            for (mut piece, last) in pieces {
                loop {
                    let event = decoder.next(&mut piece, last);
                    let is_last = event.is_none();
                    each(event);
                    if is_last {
                        break;
                    }
                }
            }
        })
    }

    /// Decodes `input` into `output` until one of them is used up; `last` says that the stream ends with `input`.
    ///
    /// Room for one event in `output` is enough to continue. `output` can hold slots instead of events, where offsets do not
    /// matter.
    pub fn decode<U: Unit, E: From<Event>>(&mut self, input: &[U], output: &mut [E], last: bool) -> Progress {
        with_decoder!(&mut self.0, decoder => {
            let mut rest = input;
            let mut written = 0;
            let mut finished = false;
            while written < output.len() {
                written += decoder.read_run(&mut rest, &mut output[written..]);
                let Some(room) = output.get_mut(written) else { break };
                let Some(event) = decoder.next(&mut rest, last) else {
                    finished = true;
                    break;
                };
                *room = event.into();
                written += 1;
            }
            Progress { read: input.len() - rest.len(), written, finished }
        })
    }

    /// Reads units off the front of `input` up to the next error, and gives the error.
    ///
    /// `None` means that all of `input` is read, and `last` that the stream ends with `input`, as for [`next`](Self::next).
    ///
    /// ```
    /// # use utfhdl_codec::{Codec, ErrorKind, IllFormed, System};
    /// let mut decoder = System::Utf8.decoder();
    /// let mut piece: &[u8] = b"A\xC0B\xE2\x82";
    /// let overlong = IllFormed { offset: 1, length: 1, kind: ErrorKind::Overlong };
    /// assert_eq!(decoder.next_error(&mut piece, false), Some(overlong));
    /// assert_eq!(decoder.next_error(&mut piece, false), None); // the sequence may go on in the next piece
    /// ```
    pub fn next_error<U: Unit>(&mut self, input: &mut &[U], last: bool) -> Option<IllFormed> {
        with_decoder!(&mut self.0, decoder => {
            let mut pace = Pace::default();
            loop {
                pace.after(decoder.skip_run(input, &mut ()));
                for _ in 0..pace.steps {
                    let event = decoder.next(input, last)?;
                    if let Some(error) = IllFormed::of_event(event) {
                        return Some(error);
                    }
                }
            }
        })
    }

    /// Adds the numbers of `input` to `counts`; `last` says that the stream ends with `input`.
    ///
    /// ```
    /// # use utfhdl_codec::{Codec, Counts, System};
    /// let mut counts = Counts::default();
    /// let mut decoder = System::Utf8.decoder();
    /// decoder.count(b"A\xE2\x82", &mut counts, false);
    /// decoder.count(b"\xAC", &mut counts, true);
    /// assert_eq!((counts.units, counts.code_points, counts.utf_16), (4, 2, 2));
    /// ```
    pub fn count<U: Unit>(&mut self, input: &[U], counts: &mut Counts, last: bool) {
        counts.units += input.len() as u64;
        let mut rest = input;
        with_decoder!(&mut self.0, decoder => {
            let mut pace = Pace::default();
            loop {
                pace.after(decoder.skip_run(&mut rest, counts));
                for _ in 0..pace.steps {
                    let Some(event) = decoder.next(&mut rest, last) else { return };
                    counts.add(event);
                }
            }
        })
    }

    /// The plain text of the system, if the fast path can read the next unit.
    pub(crate) fn plain_text(&self) -> Option<PlainText> {
        with_decoder!(&self.0, decoder => decoder.sequences().map(PlainText::of))
    }

    /// Reads well-formed sequences at the front of `units` as code points, on the fast path. It may stop before the last of them. The
    /// decoder is not changed: [`skip`](Self::skip) tells it which units count as read.
    pub(crate) fn peek_points<U: Unit>(&self, units: &[U], code_points: &mut [u32]) -> Run {
        with_decoder!(&self.0, decoder => {
            decoder.sequences().map_or(Run::default(), |sequences| sequences.read_points(units, code_points))
        })
    }

    /// Reads well-formed sequences at the front of `units` as those of `utf-8`, where the system has a way of its own. It may stop before the
    /// last of them, as [`peek_points`](Self::peek_points) does.
    pub(crate) fn peek_as_utf_8<U: Unit, V: Unit>(&self, units: &[U], room: &mut [V]) -> Run {
        let (Some(octets), Some(room)) = (U::octets(units), V::octets_mut(room)) else {
            return Run::default();
        };
        with_decoder!(&self.0, decoder => {
            decoder.sequences().map_or(Run::default(), |sequences| sequences.read_as_utf_8(octets, room))
        })
    }

    /// How many units the first sequences of `units` have, which [`peek_points`](Self::peek_points) has read.
    pub(crate) fn units_of<U: Unit>(&self, units: &[U], sequences: usize) -> usize {
        with_decoder!(&self.0, decoder => {
            let Some(from) = decoder.sequences() else { return 0 };
            (0..sequences).fold(0, |read, _| {
                read + from.read(&units[read..]).expect("the sequence was read").1
            })
        })
    }

    /// Passes over units of well-formed sequences.
    pub(crate) fn skip(&mut self, units: usize) {
        with_decoder!(&mut self.0, decoder => decoder.skip(units as u64));
    }
}

/// How many events are read one by one before well-formed text is looked for again: the more the shorter its last pieces were, so
/// that text full of errors does not pay for the search.
struct Pace {
    steps: usize,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { steps: 1 }
    }
}

impl Pace {
    /// Takes the number of units that the search found.
    fn after(&mut self, found: usize) {
        self.steps = if found > 64 { 1 } else { (2 * self.steps).min(64) };
    }
}

/// An iterator over the events of a whole stream. See [`Codec::decode`](crate::Codec::decode).
#[derive(Clone, Debug)]
pub struct Events<'a, U> {
    decoder: Decoder,
    input: &'a [U],
}

impl<'a, U: Unit> Events<'a, U> {
    pub(crate) fn new(decoder: Decoder, input: &'a [U]) -> Events<'a, U> {
        Events { decoder, input }
    }

    /// The events with code points of any size as one value. Code points of more than `limit` hexadecimal digits become
    /// [`Whole::TooLong`](crate::Whole::TooLong).
    pub fn whole(self, limit: u64) -> impl Iterator<Item = WholeEvent> + use<'a, U> {
        let mut gather = Gather::with_limit(limit);
        self.filter_map(move |Event { offset, length, what }| {
            let what = gather.push(what).expect("decoders put limbs behind their heads");
            what.map(|what| WholeEvent { offset, length, what })
        })
    }
}

impl<U: Unit> Iterator for Events<'_, U> {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        self.decoder.next(&mut self.input, true)
    }
}

/// The iterator is fused: after the end of the stream the decoder reads empty streams.
impl<U: Unit> FusedIterator for Events<'_, U> {}
