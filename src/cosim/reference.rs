//! What the reference makes of the beats that a core takes.

use std::collections::BTreeMap;

use utfhdl_hdl::core::{Core, OnError as CoreOnError, Role};

use super::beat::{Beat, Item};
use crate::codec::{Decoder, Encoder, ErrorKind, Event, OnError, Slot, Status};
use crate::cores::reference_system;

/// Where something comes from: a slot, and the units or slots of the frame that it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    offset: u64,
    length: u64,
    /// `None` for a `tuser` of no slot.
    slot: Option<Slot>,
    of_units: bool,
}

impl Origin {
    /// In words, as part of a failure: `units 5..9: U+1F600`.
    pub fn in_words(&self) -> String {
        let Self { offset, length, slot, of_units } = *self;
        let slot = slot.map_or("a tuser of no slot".to_owned(), in_words);
        if of_units {
            format!("units {offset}..{}: {slot}", offset + length)
        } else {
            format!("slot {offset}: {slot}")
        }
    }
}

/// A slot in words.
fn in_words(slot: Slot) -> String {
    match slot {
        Slot::CodePoint(code_point) => format!("U+{code_point:04X}"),
        Slot::Error(kind) => format!("error {kind}"),
        Slot::Head(limbs) => format!("head of {limbs} limbs"),
        Slot::Limb(limb) => format!("limb {limb:08X}"),
    }
}

/// Something that a beat makes.
#[derive(Clone, Copy, Debug)]
pub enum Made {
    /// A slot is certain: what follows, up to the next one, comes of it.
    Slot,
    /// This goes out.
    Item(Item, Origin),
    /// An error that an encoder drops, which takes the time of a unit.
    Dropped,
}

/// Decoder, encoder, or one behind the other.
#[derive(Clone, Debug)]
pub struct Reference {
    decoder: Option<Decoder>,
    encoder: Option<Encoder>,
    drops: bool,
    /// Limbs that a decoder has still to tell of the code point whose head it told.
    limbs: u32,
    /// What an encoder writes of a frame with nothing in it: certain with the first beat of a frame, whatever comes.
    preamble: Vec<u16>,
    /// Units of it that are told, and that the reference has still to write.
    told: usize,
    /// Whether a beat of the frame at hand was taken, and how many items.
    in_frame: bool,
    taken: u64,
    /// Code points.
    pub code_points: u64,
    /// What the decoder found wrong, by kind.
    errors: BTreeMap<ErrorKind, u64>,
    /// Errors of the encoder when the frame began.
    errors_before: u64,
    /// Room for the units of a beat.
    units: Vec<u16>,
}

impl Reference {
    /// The reference for a core.
    pub fn new(core: &Core) -> Self {
        let spec = core.spec;
        let system = reference_system(spec.system);
        let on_error = match spec.on_error {
            CoreOnError::Drop => OnError::Drop,
            CoreOnError::Flag | CoreOnError::Replace => OnError::Replace,
        };
        let (decoder, encoder) = match spec.role {
            Role::Decoder => (Some(system.decoder()), None),
            Role::Encoder => (None, Some(system.encoder(on_error))),
            Role::Transcoder { to } => (Some(system.decoder()), Some(reference_system(to).encoder(on_error))),
        };
        let preamble = match spec.role {
            Role::Encoder => system.encode::<Slot>(&[], on_error).expect("nothing can be written everywhere"),
            // Behind a decoder a frame begins with its first slot.
            Role::Decoder | Role::Transcoder { .. } => Vec::new(),
        };
        Self {
            decoder,
            encoder,
            preamble,
            told: 0,
            in_frame: false,
            drops: spec.on_error == CoreOnError::Drop,
            limbs: 0,
            taken: 0,
            code_points: 0,
            errors: BTreeMap::new(),
            errors_before: 0,
            units: Vec::new(),
        }
    }

    /// Takes a beat, and adds to `made` what comes of it.
    pub fn take(&mut self, beat: &Beat, made: &mut Vec<Made>) {
        if self.decoder.is_some() {
            self.decode(beat, made);
        } else {
            if !self.in_frame {
                let origin = Origin { offset: 0, length: 0, slot: None, of_units: false };
                made.extend(self.preamble.iter().map(|&unit| Made::Item(unit.into(), origin)));
                self.told = self.preamble.len();
            }
            for item in &beat.items {
                // What is on the bus and is no slot is an error like any other.
                let slot = item.slot();
                self.code_points += u64::from(matches!(slot, Some(Slot::CodePoint(_) | Slot::Head(_))));
                let origin = Origin { offset: self.taken, length: 1, slot, of_units: false };
                made.push(Made::Slot);
                self.encode(Some(slot.unwrap_or(Slot::Error(ErrorKind::Invalid))), origin, made);
                self.taken += 1;
            }
            let end = Origin { offset: self.taken, length: 0, slot: None, of_units: false };
            self.end(beat.last, end, made);
        }
        self.in_frame = !beat.last;
        if beat.last {
            self.taken = 0;
            self.limbs = 0;
        }
    }

    /// Whether the frame that has just ended held something that could not be written. A frame ends with each call.
    pub fn frame_was_amiss(&mut self) -> bool {
        let errors = self.encoder.as_ref().map_or(0, Encoder::errors);
        errors != std::mem::replace(&mut self.errors_before, errors)
    }

    /// What was wrong so far, by kind. An encoder tells of all that it could not write, a transcoder too: what it
    /// could not read is among that.
    pub fn errors(&self) -> BTreeMap<ErrorKind, u64> {
        match &self.encoder {
            Some(encoder) => encoder.errors_by_kind().filter(|(_, count)| *count > 0).collect(),
            None => self.errors.clone(),
        }
    }

    fn decode(&mut self, beat: &Beat, made: &mut Vec<Made>) {
        let mut units = std::mem::take(&mut self.units);
        units.extend(beat.items.iter().map(|item| item.unit()));
        let mut rest = &units[..];
        let mut last_origin = Origin { offset: 0, length: 0, slot: None, of_units: true };
        while let Some(event) = self.decoder.as_mut().and_then(|decoder| decoder.next(&mut rest, beat.last)) {
            let Event { offset, length, what } = event;
            last_origin = Origin { offset, length, slot: Some(what), of_units: true };
            let in_place_of_limb = self.limbs > 0;
            match what {
                Slot::Error(kind) => {
                    *self.errors.entry(kind).or_default() += 1;
                    self.limbs = 0;
                }
                Slot::CodePoint(_) => self.code_points += 1,
                Slot::Head(limbs) => {
                    self.code_points += 1;
                    self.limbs = limbs;
                }
                Slot::Limb(_) => self.limbs -= 1,
            }
            if self.encoder.is_some() {
                made.push(Made::Slot);
                self.encode(Some(what), last_origin, made);
            } else if !(self.drops && matches!(what, Slot::Error(_)) && !in_place_of_limb) {
                made.extend([Made::Slot, Made::Item(what.into(), last_origin)]);
            }
        }
        self.end(beat.last, last_origin, made);
        units.clear();
        self.units = units;
    }

    /// Ends the encoder's stream, if the beat ends the frame.
    fn end(&mut self, last: bool, origin: Origin, made: &mut Vec<Made>) {
        if last && self.encoder.is_some() {
            self.encode(None, origin, made);
        }
    }

    /// The units of a slot, or of the end of a frame.
    fn encode(&mut self, slot: Option<Slot>, origin: Origin, made: &mut Vec<Made>) {
        let encoder = self.encoder.as_mut().expect("it has one");
        let errors = encoder.errors();
        let mut room = [0; 64];
        let mut input = slot.as_slice();
        loop {
            let progress = encoder.encode(input, &mut room, slot.is_none());
            let told = self.told.min(progress.written);
            self.told -= told;
            made.extend(room[told..progress.written].iter().map(|&unit| Made::Item(unit.into(), origin)));
            input = &input[progress.read..];
            if progress.status == Status::Finished {
                break;
            }
        }
        if self.drops {
            made.extend((errors..encoder.errors()).map(|_| Made::Dropped));
        }
    }
}
