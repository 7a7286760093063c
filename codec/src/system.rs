//! The codec of each system.

use alloc::string::String;
use alloc::vec::Vec;

use utfhdl_systems::System;

use crate::{Counts, Decoder, Encoder, Events, IllFormed, OnError, Refused, Slot, Status, Transcoder, Unit};

/// How many octets are written to a string at once.
const ROOM: usize = 8 * 1024;

/// Decoding and encoding, as methods of a [`System`].
pub trait Codec: Sized {
    /// A streaming decoder at the start of a stream.
    fn decoder(self) -> Decoder;

    /// A streaming encoder at the start of a stream.
    fn encoder(self, on_error: OnError) -> Encoder;

    /// Encodes a whole stream of slots.
    ///
    /// # Errors
    ///
    /// With [`OnError::Strict`], the first slot that cannot be encoded.
    fn encode<S: Copy + Into<Slot>, V: Unit>(
        self,
        slots: &[S],
        on_error: OnError,
    ) -> Result<Vec<V>, Refused> {
        self.encoder(on_error).encode_all(slots)
    }

    /// Looks for the first ill-formed sequence of a whole stream.
    ///
    /// ```
    /// # use utfhdl_codec::{Codec, ErrorKind, System};
    /// assert_eq!(System::Utf8.validate("€".as_bytes()), Ok(()));
    /// let error = System::Utf8.validate(b"A\xED\xA0\x80").unwrap_err();
    /// assert_eq!((error.offset, error.kind), (1, ErrorKind::Surrogate));
    /// ```
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence.
    fn validate<U: Unit>(self, units: &[U]) -> Result<(), IllFormed> {
        let mut rest = units;
        self.decoder().next_error(&mut rest, true).map_or(Ok(()), Err)
    }

    /// Counts the units, the code points and the errors of a whole stream, and the units that it would have in other encodings.
    ///
    /// ```
    /// # use utfhdl_codec::{Codec, System};
    /// let counts = System::Utf8.count("Zürich 😀".as_bytes());
    /// assert_eq!((counts.units, counts.code_points, counts.utf_16), (12, 8, 9));
    /// ```
    fn count<U: Unit>(self, units: &[U]) -> Counts {
        let mut counts = Counts::default();
        self.decoder().count(units, &mut counts, true);
        counts
    }

    /// Decodes a whole stream to a string, which has no code points but those of Unicode, and no surrogates.
    ///
    /// ```
    /// # use utfhdl_codec::{Codec, OnError, System};
    /// let system: System = "utf-9".parse()?;
    /// assert_eq!(system.decode_to_string(&[0o440_u16, 0o254, 0o400], OnError::Replace)?, "€\u{FFFD}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// With [`OnError::Strict`], the first sequence that is ill-formed or has no form in a string.
    fn decode_to_string<U: Unit>(self, units: &[U], on_error: OnError) -> Result<String, IllFormed>;

    /// Decodes a whole stream.
    fn decode<U: Unit>(self, units: &[U]) -> Events<'_, U> {
        Events::new(self.decoder(), units)
    }
}

impl Codec for System {
    fn decoder(self) -> Decoder {
        Decoder::new(self)
    }

    fn decode_to_string<U: Unit>(self, units: &[U], on_error: OnError) -> Result<String, IllFormed> {
        let mut transcoder = Transcoder::new(self, System::Utf8, on_error);
        let mut octets = Vec::with_capacity(units.len() + ROOM);
        let mut rest = units;
        loop {
            let used = octets.len();
            octets.resize(used + ROOM, 0);
            let progress = transcoder.transcode(rest, &mut octets[used..], true);
            octets.truncate(used + progress.written);
            rest = &rest[progress.read..];
            match progress.status {
                Status::Finished => {
                    return Ok(String::from_utf8(octets).expect("encoders make no ill-formed text"));
                }
                Status::OutputFull => {}
                Status::Refused(kind) => {
                    let event = transcoder.refused().expect("an event was refused");
                    return Err(IllFormed { offset: event.offset, length: event.length, kind });
                }
            }
        }
    }

    fn encoder(self, on_error: OnError) -> Encoder {
        Encoder::new(self, on_error)
    }
}
