//! The streaming transcoder from any system to any other.

use alloc::boxed::Box;
use alloc::vec;
use core::ops::Range;

use crate::bulk::points::POINTS;
use crate::{Decoder, Encoder, ErrorKind, Event, OnError, Slot, Status, System, Unit};

/// How many events are decoded, where there is something else than plain text, before plain text is looked for again.
const EVENTS: usize = 32;

/// A decoder and an encoder in one: takes units of one system in any pieces, and writes units of another into whatever room
/// there is.
///
/// At the end of a stream it starts afresh.
///
/// ```
/// # use utfhdl_codec::{Codec, OnError, Status, System, Transcoder};
/// let mut transcoder = Transcoder::new(System::Utf8, System::Utf18, OnError::Replace);
/// let mut units = [0_u16; 8];
/// let progress = transcoder.transcode("A€".as_bytes(), &mut units, true);
/// assert_eq!(units[..progress.written], [0, 0o101, 0o20, 0o254]);
/// assert_eq!(progress.status, Status::Finished);
/// ```
#[derive(Clone, Debug)]
pub struct Transcoder {
    decoder: Decoder,
    encoder: Encoder,
    /// Code points of plain text on the way from the decoder to the encoder.
    points: Box<[u32; POINTS]>,
    events: Box<[Event]>,
    /// The events that are not encoded yet.
    pending: Range<usize>,
    /// Whether the decoder is at the end of the stream.
    ended: bool,
    /// The event that [`Status::Refused`] is about.
    refused: Option<Event>,
}

/// How far [`Transcoder::transcode`] came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transcoded {
    /// Units read off the input.
    pub read: usize,
    /// Units written to the output.
    pub written: usize,
    /// Why it stopped.
    pub status: Status,
}

impl Transcoder {
    /// A transcoder at the start of a stream.
    pub fn new(from: System, to: System, on_error: OnError) -> Transcoder {
        Transcoder {
            decoder: Decoder::new(from),
            encoder: Encoder::new(to, on_error),
            points: Box::new([0; POINTS]),
            events: vec![Event { offset: 0, length: 0, what: Slot::CodePoint(0) }; EVENTS].into(),
            pending: 0..0,
            ended: false,
            refused: None,
        }
    }

    /// The encoder, which counts [errors](Encoder::errors).
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The event that [`OnError::Strict`] stopped at, after [`Status::Refused`].
    pub fn refused(&self) -> Option<Event> {
        self.refused
    }

    /// Transcodes `input` into `output` until one of them is used up, or, with [`OnError::Strict`], up to the first error.
    /// `last` says that the stream ends with `input`. The contents of `output` after the last unit written have no meaning.
    pub fn transcode<U: Unit, V: Unit>(&mut self, input: &[U], output: &mut [V], last: bool) -> Transcoded {
        let mut progress = Transcoded { read: 0, written: 0, status: Status::OutputFull };
        let mut drained = self.ended;
        loop {
            let events = &self.events[self.pending.clone()];
            let encoded = self.encoder.encode(events, &mut output[progress.written..], self.ended);
            self.pending.start += encoded.read;
            progress.written += encoded.written;
            match encoded.status {
                Status::Finished => {}
                Status::OutputFull => return progress,
                Status::Refused(kind) => return self.refuse(kind, progress),
            }
            if drained {
                self.ended = false;
                progress.status = Status::Finished;
                return progress;
            }
            // Plain text takes the fast path. The first sequence that is not plain ends it, and is decoded into events.
            let room = &mut output[progress.written..];
            let run = self.encoder.transcode_run(
                &mut self.decoder,
                &mut self.points,
                &input[progress.read..],
                room,
            );
            progress.read += run.read;
            progress.written += run.written;

            let decoded = self.decoder.decode(&input[progress.read..], &mut self.events, last);
            progress.read += decoded.read;
            self.pending = 0..decoded.written;
            drained = decoded.finished;
            self.ended = last && drained;
        }
    }

    fn refuse(&mut self, kind: ErrorKind, progress: Transcoded) -> Transcoded {
        let index = self.pending.start.checked_sub(1);
        self.refused = index.and_then(|index| self.events.get(index)).copied();
        Transcoded { status: Status::Refused(kind), ..progress }
    }
}
