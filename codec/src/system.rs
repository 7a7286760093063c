//! The codec of each system.

use utfhdl_systems::System;

use crate::{Decoder, Encoder, Events, OnError, Refused, Slot, Unit};

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

    /// Decodes a whole stream.
    fn decode<U: Unit>(self, units: &[U]) -> Events<'_, U> {
        Events::new(self.decoder(), units)
    }
}

impl Codec for System {
    fn decoder(self) -> Decoder {
        Decoder::new(self)
    }

    fn encoder(self, on_error: OnError) -> Encoder {
        Encoder::new(self, on_error)
    }
}
