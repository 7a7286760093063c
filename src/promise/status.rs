//! The status of frames: where it is in the records of an engine, and what a core owes of it.

use std::collections::{HashMap, VecDeque};

use utfhdl_codec::{Codec as _, Counts, Decoder, Encoder, ErrorKind, Event, OnError, Slot, Status};
use utfhdl_hdl::core::{BitField, Bus, Core, CoreSpec, ErrorMode, Role, STATUS_BITS, status_fields};
use utfhdl_sim::PortSlot;
use utfhdl_sim::feed::Bit;

use super::beat::Item;
use super::fields::field;
use super::passengers::WrongPassenger as WrongStatus;
use super::reference::as_read;

/// The ports of the status.
#[derive(Clone, Debug)]
pub(super) struct StatusPorts {
    pub(super) tdata: PortSlot,
    pub(super) tvalid: PortSlot,
    /// The stream of the frame, in a core of several.
    pub(super) tid: Option<PortSlot>,
    pub(super) tready: Bit,
}

/// A status: the values of its fields, in the order of [`status_fields`].
type Values = Vec<u64>;

impl StatusPorts {
    /// The status that is offered, if there is one.
    pub(super) fn offered(&self, outputs: &[u64]) -> Option<Values> {
        let value = |part: BitField| field(&self.tdata, outputs, part.low as usize, part.bits as usize);
        (self.tvalid.get(outputs) == 1).then(|| status_fields().into_iter().map(value).collect())
    }
}

/// The status that the software decoder counts.
fn values_of(counts: &Counts) -> Values {
    let error = counts.first_error;
    let offset = error.map_or(0, |error| error.offset);
    let Counts { units, code_points, errors, utf_8, utf_16, utf_32, .. } = *counts;
    let numbers = [offset, units, code_points, errors, utf_8, utf_16, utf_32];
    let most = u64::from(u32::MAX);
    let of_field = |name: &str| match name {
        "ill_formed" => u64::from(error.is_some()),
        "kind" => error.map_or(0, |error| error.kind.code().into()),
        "saturated" => (0..).zip(numbers).map(|(bit, number)| u64::from(number > most) << bit).sum(),
        "error_offset" => offset.min(most),
        "units" => units.min(most),
        "code_points" => code_points.min(most),
        "errors" => errors.min(most),
        "utf_8" => utf_8.min(most),
        "utf_16" => utf_16.min(most),
        "utf_32" => utf_32.min(most),
        other => unreachable!("a field called {other}"),
    };
    status_fields().iter().map(|field| of_field(field.name)).collect()
}

/// A status in words: the fields that are not zero.
fn in_words(values: &[u64]) -> String {
    let fields = status_fields().into_iter().zip(values).filter(|&(_, &value)| value != 0);
    let fields: Vec<String> = fields.map(|(field, value)| format!("{} {value}", field.name)).collect();
    if fields.is_empty() { "all zero".to_owned() } else { fields.join(", ") }
}

/// Counts what goes into a core, for the statuses of its frames.
#[derive(Clone, Debug)]
pub struct StatusModel {
    source: Source,
    counts: Counts,
}

/// The counter of a core's input.
#[derive(Clone, Debug)]
enum Source {
    /// Units, and the bits of an item that a core looks at: a strict one ignores those above.
    Units(Box<Decoder>, u32),
    Slots(Box<SlotCounter>),
}

impl StatusModel {
    /// A model of a core with a status, before a frame.
    pub fn new(core: &Core) -> Self {
        let spec = core.spec;
        let source = match spec.role {
            Role::Encoder => Source::Slots(Box::new(SlotCounter::new(spec))),
            _ => {
                let mask = u32::MAX >> (u32::BITS - spec.system.unit_bits());
                Source::Units(Box::new(spec.system.decoder()), mask)
            }
        };
        Self { source, counts: Counts::default() }
    }

    /// Takes a beat; gives the status if the beat is the last of its frame.
    fn values_after(&mut self, items: &[Item], last: bool) -> Option<Values> {
        match &mut self.source {
            Source::Units(decoder, mask) => {
                let units: Vec<u32> = items.iter().map(|item| item.data & *mask).collect();
                decoder.count(&units, &mut self.counts, last);
            }
            Source::Slots(counter) => counter.count(items, &mut self.counts, last),
        }
        last.then(|| values_of(&std::mem::take(&mut self.counts)))
    }

    /// The status of a frame of these beats, as it is on the port: the low word first.
    pub fn of_frame<'b>(&mut self, beats: impl IntoIterator<Item = &'b [Item]>) -> [u64; STATUS_WORDS] {
        for beat in beats {
            self.values_after(beat, false);
        }
        let values = self.values_after(&[], true).expect("the frame ends");
        let mut words = [0; STATUS_WORDS];
        for (field, value) in status_fields().iter().zip(values) {
            words[(field.low / u64::BITS) as usize] |= value << (field.low % u64::BITS);
        }
        words
    }
}

/// Counts the slots that go into an encoder, by what the software encoder says of each.
#[derive(Clone, Debug)]
struct SlotCounter {
    encoder: Encoder,
    bus: Bus,
    /// The number of the head of the group that is open.
    head: u64,
}

impl SlotCounter {
    fn new(spec: CoreSpec) -> Self {
        let on_error = if spec.on_error == ErrorMode::Drop { OnError::Drop } else { OnError::Replace };
        Self { encoder: spec.system.encoder(on_error), bus: spec.bus, head: 0 }
    }

    fn count(&mut self, items: &[Item], counts: &mut Counts, last: bool) {
        for &item in items {
            // Strict ports have bits above the kind, which a core ignores.
            let item = Item { user: item.user & 0xf, ..item };
            let slot = as_read(item, self.bus).slot().unwrap_or(Slot::Error(ErrorKind::Unencodable));
            let offset = counts.units;
            counts.units += 1;
            let was_open = self.encoder.is_in_group();
            let first = if was_open { self.head } else { offset };
            let mut errors = self.errors_of(Some(slot));
            let kind = match slot {
                Slot::Error(kind) => kind,
                _ => ErrorKind::Unencodable,
            };
            let mut add = |offset, what| counts.add(Event { offset, length: 1, what });
            if was_open && errors > 0 && matches!(slot, Slot::CodePoint(_) | Slot::Head(_)) {
                add(first, Slot::Error(kind));
                errors -= 1;
                if errors > 0 {
                    add(offset, Slot::Error(kind));
                }
            } else if errors > 0 {
                add(first, Slot::Error(kind));
            }
            let is_open = self.encoder.is_in_group();
            match slot {
                Slot::Head(_) if is_open => self.head = offset,
                Slot::CodePoint(_) | Slot::Limb(_) if errors == 0 && !is_open => add(offset, slot),
                _ => {}
            }
        }
        if last && self.errors_of(None) > 0 {
            counts.add(Event { offset: self.head, length: 1, what: Slot::Error(ErrorKind::Unencodable) });
        }
    }

    /// Encodes a slot, or, without one, the end of the frame; gives the number of errors.
    fn errors_of(&mut self, slot: Option<Slot>) -> u64 {
        let mut room = [0_u32; 64];
        let mut input = slot.as_slice();
        loop {
            let progress = self.encoder.encode(input, &mut room, slot.is_none());
            input = &input[progress.read..];
            if progress.status == Status::Finished {
                break;
            }
        }
        let errors = self.encoder.errors();
        self.encoder.forget_errors();
        errors
    }
}

/// Words of a status.
pub const STATUS_WORDS: usize = (STATUS_BITS / u64::BITS) as usize;

/// Compares the statuses that come out with those of the frames that went in.
#[derive(Clone, Debug)]
pub struct StatusBoard {
    ports: StatusPorts,
    fresh: StatusModel,
    /// The model of each stream; in a core of one stream, of stream 0.
    streams: HashMap<u64, StatusModel>,
    /// The statuses that are due, each with its stream.
    due: VecDeque<(u64, Values)>,
    /// Frames whose last beat was taken on the output, less those whose status was taken.
    ahead: i64,
    /// A status was offered in the cycle before, and not taken.
    waited: bool,
}

impl StatusBoard {
    /// A board for a core out of reset; `None` for one without a status.
    pub fn new(core: &Core, ports: &super::Ports) -> Option<Self> {
        let ports = ports.status()?.clone();
        let (fresh, streams) = (StatusModel::new(core), HashMap::new());
        Some(Self { ports, fresh, streams, due: VecDeque::new(), ahead: 0, waited: false })
    }

    /// Whether the core owes no status.
    pub fn is_empty(&self) -> bool {
        self.due.is_empty()
    }

    /// The core took a beat of a stream, the last of a frame or not.
    pub fn taken(&mut self, items: &[Item], last: bool, stream: u64) {
        let model = self.streams.entry(stream).or_insert_with(|| self.fresh.clone());
        self.due.extend(model.values_after(items, last).map(|values| (stream, values)));
    }

    /// Checks a cycle. `last_leaves`: the last beat of a frame is taken on the output.
    ///
    /// # Errors
    /// The port that is wrong.
    pub fn check(&mut self, inputs: &[u64], outputs: &[u64], last_leaves: bool) -> Result<(), WrongStatus> {
        let offered = self.ports.offered(outputs);
        let offers = offered.is_some();
        let wrong = |port: &PortSlot, expected: &str, found: String| {
            Err(WrongStatus { port: port.name.clone(), expected: expected.to_owned(), found })
        };
        if let Some(found) = offered {
            let tdata = &self.ports.tdata;
            match self.due.front() {
                None => return wrong(tdata, "no status, since no frame has ended", in_words(&found)),
                Some((_, due)) if *due != found => return wrong(tdata, &in_words(due), in_words(&found)),
                Some((stream, _)) => {
                    let tid = self.ports.tid.as_ref().map(|port| (port, port.get(outputs)));
                    if let Some((port, found)) = tid.filter(|(_, found)| found != stream) {
                        return wrong(port, &format!("the stream {stream}"), found.to_string());
                    }
                }
            }
        } else if self.waited {
            return wrong(&self.ports.tvalid, "stable until status_tready", "it fell".to_owned());
        }
        self.ahead += i64::from(last_leaves);
        if self.ahead > i64::from(offers) {
            let expected = "the status of the frame, no later than the frame's last beat";
            return wrong(&self.ports.tvalid, expected, "it is low".to_owned());
        }
        let is_taken = offers && self.ports.tready.is_set(inputs);
        self.waited = offers && !is_taken;
        if is_taken {
            self.due.pop_front();
            self.ahead -= 1;
        }
        Ok(())
    }
}
