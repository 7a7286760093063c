//! What the reference makes of the beats that a core takes.

use utfhdl_hdl::core::{Core, ErrorMode, Role};

use super::beat::Item;
use super::counts::Counts;
use crate::cores::reference_system;
use utfhdl_codec::System;
use utfhdl_codec::{Decoder, Encoder, ErrorKind, Event, OnError, Slot, Status};

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
    /// The frame ends on a beat of its own, which holds nothing.
    BareEnd,
}

/// Lanes that a beat has at most.
const MOST_LANES: usize = 64;

/// Decoder, encoder, or one behind the other. Two that are equal say the same of whatever comes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    decoder: Option<Decoder>,
    encoder: Option<Encoder>,
    drops: bool,
    /// Limbs that a decoder has still to tell of the code point whose head it told.
    limbs: u32,
    /// What an encoder writes of a frame with nothing in it: certain with the first beat of a frame, whatever comes. Of a
    /// transcoder only if it goes out late.
    preamble: Vec<u16>,
    /// Units that an encoder writes for an error.
    replacement: usize,
    /// Units of the preamble that are told, and that the reference has still to write.
    told: usize,
    /// The preamble goes out late, with the first slot that is written or with the frame's end; and it is still to go out.
    opens_late: bool,
    unopened: bool,
    /// Whether a beat of the frame at hand was taken, and how many slots of an encoder's.
    in_frame: bool,
    taken: u64,
    /// Whether something of the frame could not be written.
    amiss: bool,
}

impl Reference {
    /// The reference for what `core` is.
    pub fn new(core: &Core) -> Self {
        let spec = core.spec;
        let system = reference_system(spec.system);
        let on_error = match spec.on_error {
            ErrorMode::Drop => OnError::Drop,
            ErrorMode::Flag | ErrorMode::Replace => OnError::Replace,
        };
        let (decoder, encoder) = match spec.role {
            Role::Decoder => (Some(system.decoder()), None),
            Role::Encoder => (None, Some(system.encoder(on_error))),
            Role::Transcoder { to } => (Some(system.decoder()), Some(reference_system(to).encoder(on_error))),
        };
        let drops = spec.on_error == ErrorMode::Drop;
        let empty =
            |system: System| system.encode::<Slot>(&[], on_error).expect("nothing can be written everywhere");
        let preamble = match spec.role {
            Role::Encoder => empty(system),
            // Behind a decoder a frame begins with its first slot; where errors are dropped, with the first that is written.
            Role::Transcoder { to } if drops => empty(reference_system(to)),
            Role::Decoder | Role::Transcoder { .. } => Vec::new(),
        };
        let replacement = match spec.role {
            Role::Encoder if !drops => {
                let error = Slot::Error(ErrorKind::Unencodable);
                let units = system.encode(&[error], on_error).expect("an error is replaced");
                units.len() - preamble.len()
            }
            _ => 0,
        };
        let opens_late = spec.role != Role::Encoder && !preamble.is_empty();
        Self {
            decoder,
            encoder,
            preamble,
            replacement,
            told: 0,
            opens_late,
            unopened: false,
            in_frame: false,
            drops,
            limbs: 0,
            taken: 0,
            amiss: false,
        }
    }

    /// Takes a beat, and adds to `made` what comes of it, and to `counts` what is in it. Of errors an encoder tells all that it
    /// could not write, a transcoder too: what it could not read is among that.
    pub fn take(&mut self, items: &[Item], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        let before = made.len();
        if !self.in_frame {
            self.amiss = false;
            self.unopened = self.opens_late;
            self.told = self.preamble.len();
        }
        if self.decoder.is_some() {
            self.decode(items, last, made, counts);
        } else {
            self.read_slots(items, last, made, counts);
        }
        self.in_frame = !last;
        if last {
            self.taken = 0;
            self.limbs = 0;
            if self.ends_bare(&made[before..]) {
                made.push(Made::BareEnd);
            }
        }
    }

    /// Whether something of the frame at hand, or of the one that has just ended, could not be written.
    pub fn frame_is_amiss(&self) -> bool {
        self.amiss
    }

    /// Whether the last beat of a frame made nothing that can carry the frame's end.
    fn ends_bare(&self, made: &[Made]) -> bool {
        let (mut bare, mut slot_is_written) = (true, false);
        for made in made {
            match made {
                Made::Slot => slot_is_written = false,
                Made::Item(..) => (bare, slot_is_written) = (false, true),
                // Behind a decoder, what an earlier slot made is gone by the time that an error is dropped.
                Made::Dropped => bare |= self.decoder.is_some() && !slot_is_written,
                Made::BareEnd => {}
            }
        }
        bare
    }

    fn read_slots(&mut self, items: &[Item], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        if !self.in_frame {
            let origin = Origin { offset: 0, length: 0, slot: None, of_units: false };
            made.extend(self.preamble.iter().map(|&unit| Made::Item(unit.into(), origin)));
        }
        for item in items {
            // What is on the bus and is no slot is an error like any other.
            let slot = item.slot();
            if let Some(slot @ (Slot::CodePoint(_) | Slot::Head(_))) = slot {
                counts.count(slot);
            }
            let origin = Origin { offset: self.taken, length: 1, slot, of_units: false };
            made.push(Made::Slot);
            self.encode(Some(slot.unwrap_or(Slot::Error(ErrorKind::Invalid))), origin, made, counts);
            self.taken += 1;
        }
        if last {
            let end = Origin { offset: self.taken, length: 0, slot: None, of_units: false };
            self.encode(None, end, made, counts);
        }
    }

    fn decode(&mut self, items: &[Item], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        let mut units = [0; MOST_LANES];
        units.iter_mut().zip(items).for_each(|(unit, item)| *unit = item.unit());
        let mut rest = &units[..items.len()];
        let mut last_origin = Origin { offset: 0, length: 0, slot: None, of_units: true };
        while let Some(event) = self.decoder.as_mut().and_then(|decoder| decoder.next(&mut rest, last)) {
            let Event { offset, length, what } = event;
            last_origin = Origin { offset, length, slot: Some(what), of_units: true };
            if self.encoder.is_some() {
                if !matches!(what, Slot::Error(_)) {
                    counts.count(what);
                }
                made.push(Made::Slot);
                self.encode(Some(what), last_origin, made, counts);
            } else {
                counts.count(what);
                if self.is_told(what) {
                    made.extend([Made::Slot, Made::Item(what.into(), last_origin)]);
                }
            }
        }
        if last && self.encoder.is_some() {
            self.encode(None, last_origin, made, counts);
        }
    }

    /// Whether a decoder says so: one that drops errors tells those in place of a limb.
    fn is_told(&mut self, slot: Slot) -> bool {
        let in_group = self.limbs > 0;
        self.limbs = match slot {
            Slot::Head(limbs) => limbs,
            Slot::Limb(_) => self.limbs - 1,
            Slot::CodePoint(_) | Slot::Error(_) => 0,
        };
        in_group || !self.drops || !matches!(slot, Slot::Error(_))
    }

    /// The units of a slot, or of the end of a frame.
    fn encode(&mut self, slot: Option<Slot>, origin: Origin, made: &mut Vec<Made>, counts: &mut Counts) {
        let encoder = self.encoder.as_mut().expect("it has one");
        let before = made.len();
        let cuts = encoder.is_in_group() && matches!(slot, Some(Slot::CodePoint(_) | Slot::Head(_)));
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
        if cuts {
            // What is cut comes first, and in time is a slot of its own.
            made.insert(before + self.replacement, Made::Slot);
        }
        let errors = encoder.errors();
        if errors > 0 {
            self.amiss = true;
            counts.count_errors_of(encoder);
            encoder.forget_errors();
        }
        if self.unopened && (made.len() > before || slot.is_none()) {
            self.unopened = false;
            made.splice(before..before, self.preamble.iter().map(|&unit| Made::Item(unit.into(), origin)));
        }
        if self.drops {
            made.extend((0..errors).map(|_| Made::Dropped));
        }
    }
}
