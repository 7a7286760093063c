//! The software reference of a core: the items that the core has to put out for the beats that it takes.

use std::cell::Cell;

use utfhdl_codec::{Codec, Decoder, Encoder, ErrorKind, Event, OnError, Slot, Status, System};
use utfhdl_hdl::core::{Bus, Core, CoreSpec, EndApart, ErrorMode, Role};

use super::beat::Item;
use super::counts::Counts;
use super::marks::Marker;
use super::opening::{Found, Opening};
use super::origin::Origin;
use super::timing::{cycles_of_slot, withholds};

/// One of the things that a beat makes, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// A slot is certain. The results up to the next slot come from this slot.
    Slot,
    /// A withheld slot is certain: the frame could have opened with the magic number of a document. The results up to
    /// the next slot come from this slot.
    WithheldSlot,
    /// The next step begins, and the results up to the step after that belong to it: the next slot, in an encoder that takes slots one by one; the next
    /// octets that were held back, or the units after those, in a core that holds octets back at the opening of a frame; the end of a frame that a
    /// decoder and an encoder in series take after its slots.
    Step,
    /// An item goes out.
    Item(Item, Origin),
    /// A slot is certain and goes out as this one item: [`Slot`](Self::Slot) and [`Item`](Self::Item) at once, as most of what decoders
    /// and validators make.
    SlotItem(Item, Origin),
    /// An encoder drops an error.
    Dropped,
    /// The frame ends on a beat of its own, without items. A validator has marks on it.
    BareEnd(u16),
}

/// A `tuser` that means no slot on any bus.
const NO_SLOT: u16 = 11;

/// The most lanes of a beat.
const MOST_LANES: usize = 64;

/// The software decoder, encoder, or both in series, with the state of the frame. Two references that are equal give
/// the same output for any further input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    decoder: Option<Decoder>,
    /// Finds the marks of units in a validator, which has neither decoder nor encoder.
    marker: Option<Marker>,
    encoder: Option<Encoder>,
    /// The slots of an encoder's input.
    bus: Bus,
    /// Whether the core drops errors.
    drops: bool,
    /// Whether the core withholds slots; see [`withholds`].
    withholds: bool,
    /// The octets that open a frame, where they decide how the others are decoded.
    opening_read: Option<Opening>,
    /// Lanes of a beat.
    lanes: usize,
    /// Limbs that the decoder has still to give of the code point whose head it gave last.
    limbs: u32,
    /// The units that open a frame, if they are not written with the frame's first slot: the magic number of a document. An encoder writes
    /// the magic number with the first beat of a frame, even an empty one. A transcoder that drops errors, or has several lanes, writes it
    /// with its first written slot, unless that is a head, or with the frame's end.
    opening: Vec<u32>,
    /// Units of the opening that are sent, and that the software encoder will write once more.
    sent_ahead: usize,
    /// The opening of the current frame is still to be sent by a transcoder.
    unopened: bool,
    /// Units that an encoder core writes for an error: none if it drops them.
    replacement: usize,
    /// The cycles of a slot in an encoder that takes slots one by one; used from a head or limb on.
    cycles_of_slot: Option<usize>,
    /// The last slot of the current frame was a head or a limb.
    after_long: bool,
    /// A dropped error is ordered after the units of the slots before it, so that those units do not carry the frame's
    /// end.
    drops_behind: bool,
    /// The frames whose end comes after all their units, in a step of its own.
    end_apart: EndApart,
    /// The current beat ends such a frame.
    is_apart: bool,
    /// Whether a beat of the current frame was taken.
    in_frame: bool,
    /// Units of the frame that were taken, or slots that an encoder took.
    taken: u64,
    /// Whether the frame held something that could not be written.
    amiss: bool,
}

/// Whether a slot is a part of a code point of 2^32 or more.
fn is_long(slot: Slot) -> bool {
    matches!(slot, Slot::Head(_) | Slot::Limb(_))
}

/// The slot as the core reads it: on the short bus, without the bits that its ports lack. The `tuser` of a head or limb
/// means no slot there.
pub(super) fn as_read(item: Item, bus: Bus) -> Item {
    match (bus, item.slot()) {
        (Bus::Long, _) => item,
        (Bus::Short, Some(Slot::Head(_) | Slot::Limb(_))) => Item { data: 0, user: NO_SLOT },
        (Bus::Short, _) => Item { data: item.data & ((1 << bus.data_bits()) - 1), ..item },
    }
}

impl Reference {
    /// The reference for `core`.
    pub fn new(core: &Core) -> Self {
        Self::of_spec(core.spec)
    }

    /// The reference for a core of this specification.
    pub fn of_spec(spec: CoreSpec) -> Self {
        let system = spec.system;
        let drops = spec.on_error == ErrorMode::Drop;
        let on_error = if drops { OnError::Drop } else { OnError::Replace };
        let (decoder, encoder) = match spec.role {
            Role::Decoder => (Some(system.decoder()), None),
            Role::Encoder => (None, Some(system.encoder(on_error))),
            Role::Transcoder { to } => (Some(system.decoder()), Some(to.encoder(on_error))),
            Role::Validator(_) => (None, None),
        };
        let marker = match spec.role {
            Role::Validator(verdict) => Some(Marker::new(system, verdict)),
            _ => None,
        };
        let units = |system: System, slots: &[Slot]| {
            system.encode(slots, on_error).expect("only strict encoders refuse anything")
        };
        let opening = match spec.role {
            Role::Encoder => units(system, &[]),
            Role::Transcoder { to } if drops || spec.lanes > 1 => units(to, &[]),
            Role::Decoder | Role::Transcoder { .. } | Role::Validator(_) => Vec::new(),
        };
        let replacement = match spec.role {
            Role::Encoder => units(system, &[Slot::Error(ErrorKind::Unencodable)]).len() - opening.len(),
            Role::Decoder | Role::Transcoder { .. } | Role::Validator(_) => 0,
        };
        Self {
            decoder,
            marker,
            encoder,
            bus: spec.bus,
            drops,
            withholds: withholds(spec),
            lanes: spec.lanes as usize,
            opening_read: Opening::of(spec),
            limbs: 0,
            opening,
            sent_ahead: 0,
            unopened: false,
            replacement,
            cycles_of_slot: cycles_of_slot(spec),
            after_long: false,
            drops_behind: matches!(spec.role, Role::Transcoder { .. }) && spec.lanes == 1,
            end_apart: spec.end_apart(),
            is_apart: false,
            in_frame: false,
            taken: 0,
            amiss: false,
        }
    }

    /// Takes a beat. Adds the results to `made`, and the code points and errors in the beat to `counts`. An encoder
    /// counts as errors all items that it cannot write; a transcoder also counts ill-formed input.
    pub fn take(&mut self, items: &[Item], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        if self.marker.is_some() {
            return self.mark(items, last, made, counts);
        }
        let before = made.len();
        if !self.in_frame {
            self.begin_frame(made);
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
            if self.ends_bare(self.last_beat(&made[before..])) {
                made.push(Made::BareEnd(0));
            }
            self.is_apart = false;
        }
    }

    /// [Takes](Self::take) `items` in `beats`: the number of items of each, and whether the beat is the last of its frame. Calls
    /// `done` after every beat with the length of `made`, and whether the current frame holds something that could not be written.
    pub fn take_all(
        &mut self,
        items: &[Item],
        beats: impl Iterator<Item = (usize, bool)>,
        made: &mut Vec<Made>,
        counts: &mut Counts,
        mut done: impl FnMut(usize, bool),
    ) {
        if self.decoder.is_some() && self.encoder.is_none() && !self.withholds && self.opening_read.is_none()
        {
            return self.decode_all(items, beats, made, counts, done);
        }
        let mut rest = items;
        for (count, last) in beats {
            let (beat, behind) = rest.split_at(count);
            self.take(beat, last, made, counts);
            done(made.len(), self.amiss);
            rest = behind;
        }
    }

    /// Takes beats for a decoder that withholds nothing: each slot goes out, or is dropped.
    fn decode_all(
        &mut self,
        items: &[Item],
        beats: impl Iterator<Item = (usize, bool)>,
        made: &mut Vec<Made>,
        counts: &mut Counts,
        mut done: impl FnMut(usize, bool),
    ) {
        let mut decoder = self.decoder.take().expect("a reference without encoder has a decoder");
        let units: Vec<u32> = items.iter().map(|item| item.unit()).collect();
        let (mut rest, at_hand) = (&units[..], Cell::new((0, false)));
        let pieces = beats.map(|(count, last)| {
            at_hand.set((count, last));
            let (piece, behind) = rest.split_at(count);
            rest = behind;
            (piece, last)
        });
        let mut before = made.len();
        decoder.decode_pieces(pieces, |event| {
            if let Some(event) = event {
                counts.count(event.what);
                if self.goes_out(event.what) {
                    made.push(Made::SlotItem(event.what.into(), of_event(event)));
                }
                return;
            }
            let (count, last) = at_hand.get();
            self.in_frame = !last;
            self.taken = if last { 0 } else { self.taken + count as u64 };
            if last {
                self.limbs = 0;
                if made.len() == before {
                    made.push(Made::BareEnd(0));
                }
            }
            before = made.len();
            done(before, false);
        });
        self.decoder = Some(decoder);
    }

    /// Whether the current frame, or the one that has just ended, held something that could not be written.
    pub fn frame_is_amiss(&self) -> bool {
        self.amiss
    }

    /// Adds the units of a validator with their marks.
    fn mark(&mut self, items: &[Item], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        let marker = self.marker.as_mut().expect("only validators have marks");
        for (index, item) in items.iter().enumerate() {
            let ends = last && index + 1 == items.len();
            let marked = Item { user: marker.unit(item.unit(), ends, counts), ..*item };
            let origin = Origin { offset: self.taken, length: 1, slot: None, of_units: true };
            made.push(Made::SlotItem(marked, origin));
            self.taken += 1;
        }
        if last {
            self.taken = 0;
            if items.is_empty() {
                made.push(Made::BareEnd(marker.end(counts)));
            }
        }
    }

    fn begin_frame(&mut self, made: &mut Vec<Made>) {
        self.amiss = false;
        self.sent_ahead = self.opening.len();
        if self.decoder.is_some() {
            self.unopened = !self.opening.is_empty();
        } else {
            let origin = Origin { offset: 0, length: 0, slot: None, of_units: false };
            made.extend(self.opening.iter().map(|&unit| Made::Item(unit.into(), origin)));
        }
    }

    /// The results of the last beat that the stages get. Before that beat, octets that were held back may come in beats of their own. An end that comes after
    /// the slots is such a last beat.
    fn last_beat<'a>(&self, made: &'a [Made]) -> &'a [Made] {
        if !self.is_apart && (self.opening_read.is_none() || self.lanes == 1) {
            return made;
        }
        let begin = made.iter().rposition(|made| *made == Made::Step);
        &made[begin.unwrap_or(0)..]
    }

    /// Whether the last beat of a frame made nothing that can carry the frame's end.
    fn ends_bare(&self, made: &[Made]) -> bool {
        let (mut bare, mut slot_is_written) = (true, false);
        for made in made {
            match made {
                Made::Slot | Made::WithheldSlot => slot_is_written = false,
                Made::Item(..) | Made::SlotItem(..) => (bare, slot_is_written) = (false, true),
                // In a transcoder of one lane, the units of an earlier slot are gone by the time that an error is dropped.
                Made::Dropped => bare |= self.drops_behind && !slot_is_written,
                Made::Step | Made::BareEnd(_) => {}
            }
        }
        bare
    }

    fn read_slots(&mut self, items: &[Item], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        let is_long = |item: &Item| item.slot().is_some_and(is_long);
        let steps = self.cycles_of_slot.filter(|_| self.after_long || items.iter().any(is_long));
        let mut begins = Vec::new();
        let bus = self.bus;
        for item in items.iter().map(|&item| as_read(item, bus)) {
            if steps.is_some() {
                begins.push(made.len());
            }
            // A tuser that means no slot is an error like any other.
            let slot = item.slot();
            if let Some(slot @ (Slot::CodePoint(_) | Slot::Head(_))) = slot {
                counts.count(slot);
            }
            let origin = Origin { offset: self.taken, length: 1, slot, of_units: false };
            made.push(Made::Slot);
            self.encode(Some(slot.unwrap_or(Slot::Error(ErrorKind::Invalid))), origin, made, counts);
            self.taken += 1;
        }
        if let Some(cycles) = steps {
            self.one_by_one(made, &begins, cycles, last);
        }
        self.after_long = items.last().map_or(self.after_long, is_long);
        if last {
            self.after_long = false;
            let end = Origin { offset: self.taken, length: 0, slot: None, of_units: false };
            self.encode(None, end, made, counts);
        }
    }

    /// Puts `cycles` steps before each slot of a beat. `begins` are the places in `made` where the slots begin.
    fn one_by_one(&self, made: &mut Vec<Made>, begins: &[usize], cycles: usize, last: bool) {
        let steps = || std::iter::repeat_n(Made::Step, cycles);
        let Some(&first) = begins.first() else { return made.extend(steps()) };
        let slots = made.split_off(first);
        // The place of the last slot that writes something, if it waits for later slots, which write nothing.
        let waits = last && self.drops;
        let mut waiting = None;
        let ends = begins[1..].iter().copied().chain([first + slots.len()]);
        for (&begin, end) in begins.iter().zip(ends) {
            let slot = &slots[begin - first..end - first];
            made.extend(steps());
            let place = made.len();
            made.extend_from_slice(slot);
            if slot.iter().any(|made| matches!(made, Made::Item(..))) {
                waiting = waits.then_some(place);
            } else if let Some(waiting) = waiting {
                made[waiting..place].rotate_right(cycles);
            }
        }
    }

    fn decode(&mut self, items: &[Item], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        if let [item] = items {
            return self.decode_units(&[item.unit()], last, made, counts);
        }
        let mut units = [0; MOST_LANES];
        units.iter_mut().zip(items).for_each(|(unit, item)| *unit = item.unit());
        self.decode_units(&units[..items.len()], last, made, counts);
    }

    #[inline]
    fn decode_units(&mut self, units: &[u32], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        match self.opening_read.is_some() {
            true => self.decode_from_opening(units, last, made, counts),
            false => self.decode_chosen(units, last, made, counts),
        }
        self.taken += units.len() as u64;
    }

    /// The next event of the software decoder, as the core has it.
    fn next_event(&mut self, units: &mut &[u32], last: bool) -> Option<Event> {
        let event = self.decoder.as_mut()?.next(units, last)?;
        Some(self.opening_read.as_ref().map_or(event, |opening| opening.event(event)))
    }

    fn decode_chosen(&mut self, units: &[u32], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        if self.encoder.is_some() {
            self.transcode(units, last, made, counts);
        } else {
            self.decode_slots(units, last, made, counts);
        }
    }

    /// Decodes a beat in a core that looks at the opening of frames. Octets that were held back, and are of no mark, come before the beat, in steps
    /// of as many as there are lanes. With one lane, the octets of the beat are a step each, too.
    fn decode_from_opening(&mut self, units: &[u32], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        let opening = self.opening_read.as_mut().expect("the core looks at the opening of frames");
        if opening.is_past() {
            self.decode_chosen(units, last, made, counts);
        } else {
            let Some(Found { system, held, octets }) = opening.take(units, last) else { return };
            self.decoder = Some(system.decoder());
            let (held, beat) = octets.split_at(held);
            let beat = if self.lanes == 1 { beat.chunks(1) } else { beat.chunks(beat.len().max(1)) };
            let mut steps: Vec<&[u32]> = held.chunks(self.lanes).chain(beat).collect();
            if steps.is_empty() {
                steps.push(&[]);
            }
            for (index, step) in steps.iter().enumerate() {
                if index > 0 {
                    made.push(Made::Step);
                }
                self.decode_chosen(step, last && index + 1 == steps.len(), made, counts);
            }
        }
        if last {
            self.opening_read.as_mut().expect("it was there").end_frame();
        }
    }

    /// Adds the slots of a decoder.
    fn decode_slots(&mut self, mut units: &[u32], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        while let Some(event) = self.next_event(&mut units, last) {
            counts.count(event.what);
            if self.goes_out(event.what) {
                let (item, origin) = (event.what.into(), self.origin(event));
                match self.kind_of_slot(event) {
                    Made::Slot => made.push(Made::SlotItem(item, origin)),
                    withheld => made.extend([withheld, Made::Item(item, origin)]),
                }
            }
        }
    }

    /// Adds the units that a transcoder writes for the slots of `units`.
    fn transcode(&mut self, mut units: &[u32], last: bool, made: &mut Vec<Made>, counts: &mut Counts) {
        let mut last_origin = Origin { offset: 0, length: 0, slot: None, of_units: true };
        let mut has_long = self.after_long;
        let mut begins = Vec::new();
        while let Some(event) = self.next_event(&mut units, last) {
            last_origin = self.origin(event);
            if !matches!(event.what, Slot::Error(_)) {
                counts.count(event.what);
            }
            if self.cycles_of_slot.is_some() {
                begins.push(made.len());
                self.after_long = is_long(event.what);
                has_long |= self.after_long;
            }
            made.push(self.kind_of_slot(event));
            self.encode(Some(event.what), last_origin, made, counts);
        }
        self.is_apart = last
            && match self.end_apart {
                EndApart::Never => false,
                EndApart::AfterError => matches!(last_origin.slot, Some(Slot::Error(_))),
                EndApart::Always => last_origin.slot.is_some(),
            };
        if let Some(cycles) = self.cycles_of_slot.filter(|_| has_long) {
            let first = begins.first().copied().unwrap_or(made.len());
            self.one_by_one(made, &begins, cycles, last && !self.is_apart);
            // The first slot enters with the beat.
            made.remove(first);
        }
        if last {
            self.after_long = false;
            made.extend(self.is_apart.then_some(Made::Step));
            self.encode(None, last_origin, made, counts);
        }
    }

    /// The units that an event comes from; octets of a mark that opens the frame count.
    fn origin(&self, event: Event) -> Origin {
        let mark = self.opening_read.as_ref().map_or(0, Opening::mark);
        of_event(Event { offset: event.offset + mark, ..event })
    }

    /// A slot was withheld if it was certain at its last unit and that unit came in an earlier beat. In the opening of a
    /// document, code points and U+0000 are certain at their last unit; other errors only at the unit after it.
    fn kind_of_slot(&self, Event { offset, length, what }: Event) -> Made {
        let is_certain_at_its_end = matches!(what, Slot::CodePoint(_) | Slot::Error(ErrorKind::Nul));
        let came_before = offset + length <= self.taken;
        if self.withholds && is_certain_at_its_end && came_before { Made::WithheldSlot } else { Made::Slot }
    }

    /// Whether a decoder puts this slot out. One that drops errors puts out those in place of a limb.
    fn goes_out(&mut self, slot: Slot) -> bool {
        let in_group = self.limbs > 0;
        self.limbs = match slot {
            Slot::Head(limbs) => limbs,
            Slot::Limb(_) => self.limbs - 1,
            Slot::CodePoint(_) | Slot::Error(_) => 0,
        };
        in_group || !self.drops || !matches!(slot, Slot::Error(_))
    }

    /// Adds the units of a slot, or, without one, of the end of a frame.
    fn encode(&mut self, slot: Option<Slot>, origin: Origin, made: &mut Vec<Made>, counts: &mut Counts) {
        let encoder = self.encoder.as_mut().expect("only encoders and transcoders encode");
        let before = made.len();
        let cuts_group = encoder.is_in_group() && matches!(slot, Some(Slot::CodePoint(_) | Slot::Head(_)));
        let mut room = [0_u32; 64];
        let mut input = slot.as_slice();
        loop {
            let progress = encoder.encode(input, &mut room, slot.is_none());
            let again = self.sent_ahead.min(progress.written);
            self.sent_ahead -= again;
            made.extend(room[again..progress.written].iter().map(|&unit| Made::Item(unit.into(), origin)));
            input = &input[progress.read..];
            if progress.status == Status::Finished {
                break;
            }
        }
        if cuts_group {
            // The replacement of the group comes first, and in time it is a slot of its own.
            made.insert(before + self.replacement, Made::Slot);
        }
        let errors = encoder.errors();
        if errors > 0 {
            self.amiss = true;
            encoder.errors_by_kind().for_each(|(kind, errors)| counts.count_errors(kind, errors));
            encoder.forget_errors();
        }
        if self.unopened && (made.len() > before || slot.is_none()) {
            self.unopened = false;
            made.splice(before..before, self.opening.iter().map(|&unit| Made::Item(unit.into(), origin)));
        }
        if self.drops {
            made.extend((0..errors).map(|_| Made::Dropped));
        }
    }
}

fn of_event(Event { offset, length, what }: Event) -> Origin {
    Origin { offset, length, slot: Some(what), of_units: true }
}
