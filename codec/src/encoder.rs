//! The streaming encoder of any system.

use alloc::vec::Vec;

use thiserror::Error;

use crate::bulk::Run;
use crate::bulk::points::{self, POINTS};
use crate::sequence::Sequence;
use crate::systems::opening::Mark;
use crate::systems::utf_inf_8::LongWriter;
use crate::writer::{Writer, fits, mark};
use crate::{Decoder, ErrorKind, Slot, System, Unit};

/// The encoder's action on an error in its input, and on a code point that its system does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnError {
    /// Write U+FFFD in place of the error; where the system lacks U+FFFD, U+003F; where it lacks both, its last code
    /// point
    Replace,
    /// Write nothing in their place
    Drop,
    /// Stop at the first of them
    Strict,
}

impl OnError {
    /// All three.
    pub const ALL: [OnError; 3] = [OnError::Replace, OnError::Drop, OnError::Strict];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OnError::Replace => "replace",
            OnError::Drop => "drop",
            OnError::Strict => "strict",
        }
    }
}

/// A streaming encoder: takes slots in pieces of any size, and writes units into buffers of any size.
///
/// An encoder holds a few units and up to three limbs, however long a code point is. At the end of a stream the encoder
/// starts afresh. Encoders that are equal write the same units for the same slots.
///
/// ```
/// # use utfhdl_codec::{Codec, OnError, Slot, Status, System};
/// let mut encoder = System::Utf8.encoder(OnError::Replace);
/// let mut units = [0_u8; 8];
/// let progress = encoder.encode(&[Slot::CodePoint(0x20AC)], &mut units, true);
/// assert_eq!(units[..progress.written], [0xE2, 0x82, 0xAC]);
/// assert_eq!(progress.status, Status::Finished);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Encoder {
    writer: Writer,
    /// The width of a unit of the system.
    unit_bits: u32,
    /// Whether the units of a code point depend on those written before.
    has_state: bool,
    on_error: OnError,
    replacement: Sequence,
    group: Option<Group>,
    /// Units that wait for room in the output, from `sent` on.
    pending: Sequence,
    sent: usize,
    /// The mark before a stream; no units if the system has none.
    mark: Mark,
    /// Whether the mark of this stream is written.
    opened: bool,
    /// Counts by kind, in the order of [`ErrorKind::ALL`].
    errors: [u64; ErrorKind::ALL.len()],
}

/// How far [`Encoder::encode`] came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// Slots read off the input.
    pub read: usize,
    /// Units written to the output.
    pub written: usize,
    /// Why it stopped.
    pub status: Status,
}

/// Why [`Encoder::encode`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The input is used up, and all of its units are written.
    Finished,
    /// The output is full: call again with the rest of the input and new room.
    OutputFull,
    /// [`OnError::Strict`] only: the last slot that was read is an error, or completes a code point that the system does not
    /// have.
    Refused(ErrorKind),
}

/// A slot that [`OnError::Strict`] stopped at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("slot {index}: {kind}")]
pub struct Refused {
    /// The index of the slot; of a code point of 2^32 or more, that of the last limb.
    pub index: usize,
    /// The kind of error.
    pub kind: ErrorKind,
}

/// A code point of 2^32 or more whose limbs are not all read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Group {
    /// How many limbs are still to come.
    missing: u32,
    state: GroupState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum GroupState {
    /// No limb has been read.
    Fresh,
    /// The code point is short enough to be held until it is complete.
    Held(u128),
    /// The units of each limb are written as the limb comes.
    Streamed(LongWriter),
    /// The code point is an error of this kind. The limbs that are left are ignored.
    Bad(ErrorKind),
}

/// Code points of at most this many bits (three limbs) are held until they are complete.
const MOST_BITS_HELD: u64 = 71;

impl Encoder {
    /// An encoder for `system`, at the start of a stream.
    ///
    /// # Panics
    /// If `system` is a user's table whose mapping file is none, which [`check_mapping`](crate::check_mapping) tells.
    pub fn new(system: System, on_error: OnError) -> Encoder {
        let writer = Writer::new(system);
        let replacement = writer.clone().replacement(u32::MAX);
        let (pending, group) = (Sequence::default(), None);
        Encoder {
            writer,
            unit_bits: system.unit_bits(),
            has_state: system.has_state(),
            on_error,
            replacement,
            group,
            pending,
            sent: 0,
            mark: mark(system),
            opened: false,
            errors: [0; ErrorKind::ALL.len()],
        }
    }

    /// How many errors, and code points that the system does not have, there were since the encoder was made or
    /// [`forget_errors`](Self::forget_errors) was called.
    pub fn errors(&self) -> u64 {
        self.errors.iter().sum()
    }

    /// The [`errors`](Self::errors) by kind. An error slot counts by its own kind, and a code point that the system does not
    /// have as `unencodable`. Groups that break the rules count as `unexpected` (a limb without a head), `truncated` (a
    /// group that another slot cuts short) or `invalid` (a head of fewer than two limbs, a first limb of zero).
    pub fn errors_by_kind(&self) -> impl Iterator<Item = (ErrorKind, u64)> {
        ErrorKind::ALL.into_iter().zip(self.errors)
    }

    /// Whether limbs of a code point are still to come, so that any other slot would cut the code point short.
    pub fn is_in_group(&self) -> bool {
        self.group.is_some()
    }

    /// Counts [`errors`](Self::errors) from 0 again.
    pub fn forget_errors(&mut self) {
        self.errors = [0; ErrorKind::ALL.len()];
    }

    /// Transcodes well-formed sequences from the front of `input`, read by `decoder`, on the fast path. It may stop before
    /// the last of them. `code_points` is room for what is on the way.
    pub(crate) fn transcode_run<U: Unit, V: Unit>(
        &self,
        decoder: &mut Decoder,
        code_points: &mut [u32; POINTS],
        input: &[U],
        output: &mut [V],
    ) -> Run {
        let mut run = Run::default();
        let is_idle = self.is_between_code_points() && self.sent == self.pending.as_slice().len();
        if !is_idle || !self.fits_in::<V>() {
            return run;
        }
        let Some(from) = decoder.plain_text() else { return run };
        let to = self.writer.plain_text();
        let mut most = 1;
        loop {
            let copied = from.copy(to, &input[run.read..], &mut output[run.written..]);
            run = run + copied;
            most = points::next_most(most, copied.read.min(copied.written));

            let (input, output) = (&input[run.read..], &mut output[run.written..]);
            let few = &input[..most.min(input.len())];
            let direct = match (from.is_utf_8(), to.is_utf_8()) {
                (_, true) => decoder.peek_as_utf_8(few, output),
                (true, _) => self.writer.write_from_utf_8(few, output),
                _ => Run::default(),
            };
            if direct.read > 0 {
                run = run + direct;
                continue;
            }
            let room = most.min(points::room(output.len()));
            let read = decoder.peek_points(input, &mut code_points[..room]);
            let code_points_read = &code_points[..read.written];
            let written = self.writer.write_points(code_points_read, output);
            run.written += written.written;
            if written.read < read.written || read.written == 0 {
                run.read += decoder.units_of(input, written.read);
                decoder.skip(run.read);
                return run;
            }
            run.read += read.read;
        }
    }

    /// Encodes `input` into `output` until one of them is used up, or, with [`OnError::Strict`], up to the first error.
    /// `last` says that the stream ends with `input`. The contents of `output` after the last unit written have no meaning.
    pub fn encode<S: Copy + Into<Slot>, V: Unit>(
        &mut self,
        input: &[S],
        output: &mut [V],
        last: bool,
    ) -> Encoded {
        let mut progress = Encoded { read: 0, written: 0, status: Status::OutputFull };
        while self.drain(output, &mut progress.written) {
            if self.is_between_code_points() && self.fits_in::<V>() {
                let run = self.writer.write_run(&input[progress.read..], &mut output[progress.written..]);
                progress.read += run.read;
                progress.written += run.written;
            }
            let slot = input.get(progress.read).map(|&slot| slot.into());
            if slot.is_none() && !(last && self.has_end()) {
                progress.status = Status::Finished;
                if last {
                    self.opened = false;
                    self.writer.start_afresh();
                }
                break;
            }
            let mut step = self.step(slot);
            progress.read += usize::from(step.read);
            if !self.fits_in::<V>() && !fits(&self.pending, V::MOST) {
                self.pending.clear();
                step.made = Err(ErrorKind::Unencodable);
            }
            if let Err(kind) = step.made {
                self.errors[usize::from(kind.code()) - 1] += 1;
                match self.on_error {
                    // The units of a replacement depend on those before it, too.
                    OnError::Replace if self.has_state => {
                        self.pending.clear();
                        self.writer.encode(0xFFFD, &mut self.pending);
                    }
                    OnError::Replace => {
                        self.pending = match self.fits_in::<V>() {
                            true => self.replacement,
                            false => self.writer.clone().replacement(V::MOST),
                        };
                        self.writer.start_afresh();
                    }
                    OnError::Drop => {}
                    OnError::Strict => {
                        progress.status = Status::Refused(kind);
                        break;
                    }
                }
            }
        }
        progress
    }

    /// Encodes a whole stream.
    pub(crate) fn encode_all<S: Copy + Into<Slot>, V: Unit>(
        &mut self,
        slots: &[S],
    ) -> Result<Vec<V>, Refused> {
        let mut units = Vec::new();
        let mut index = 0;
        let mut room = [V::default(); 1024];
        loop {
            let progress = self.encode(&slots[index..], &mut room, true);
            units.extend_from_slice(&room[..progress.written]);
            index += progress.read;
            match progress.status {
                Status::Finished => return Ok(units),
                Status::OutputFull => {}
                Status::Refused(kind) => return Err(Refused { index: index.saturating_sub(1), kind }),
            }
        }
    }

    /// Whether the type has room for every unit of the system.
    #[inline]
    fn fits_in<V: Unit>(&self) -> bool {
        V::MOST >> (self.unit_bits - 1) != 0
    }

    /// Moves pending units to the output, and tells whether there was room for all of them.
    #[inline]
    fn drain<V: Unit>(&mut self, output: &mut [V], written: &mut usize) -> bool {
        for &unit in &self.pending.as_slice()[self.sent..] {
            let Some(room) = output.get_mut(*written) else {
                return false;
            };
            *room = V::of_low_bits(unit);
            *written += 1;
            self.sent += 1;
        }
        self.pending.clear();
        self.sent = 0;
        true
    }

    /// Whether the fast path can write the next code point: there is no group, the mark is written, and the code points in
    /// front do not matter.
    #[inline]
    fn is_between_code_points(&self) -> bool {
        self.group.is_none() && self.is_open() && self.writer.is_afresh()
    }

    /// Whether the end of the stream still makes something: the mark of an empty stream, the error of a group that is cut short, or the
    /// end of a run.
    fn has_end(&self) -> bool {
        self.group.is_some() || !self.is_open() || self.writer.is_unclosed()
    }

    fn is_open(&self) -> bool {
        self.opened || self.mark.is_empty()
    }

    /// Takes a slot, or the end of the stream, and puts the units it makes into `pending`.
    #[inline]
    fn step(&mut self, slot: Option<Slot>) -> Taken {
        if !self.is_open() {
            self.opened = true;
            self.pending.extend(self.mark.iter().copied());
            return Taken { read: false, made: Ok(()) };
        }
        match (slot, self.group.take()) {
            (Some(Slot::Limb(limb)), Some(group)) => Taken { read: true, made: self.limb(group, limb) },
            // In place of a limb, the error and the group are one error.
            (Some(Slot::Error(kind)), _) => Taken { read: true, made: Err(kind) },
            // The slot that cuts a group short is read again, on its own.
            (_, Some(_)) => Taken { read: false, made: Err(ErrorKind::Truncated) },
            (Some(Slot::CodePoint(code_point)), None) => {
                Taken { read: true, made: self.code_point(code_point.into()) }
            }
            (Some(Slot::Head(0 | 1)), None) => Taken { read: true, made: Err(ErrorKind::Invalid) },
            (Some(Slot::Head(limbs)), None) => {
                self.group = Some(Group { missing: limbs, state: GroupState::Fresh });
                Taken { read: true, made: Ok(()) }
            }
            (Some(Slot::Limb(_)), None) => Taken { read: true, made: Err(ErrorKind::Unexpected) },
            (None, None) => {
                self.writer.close(&mut self.pending);
                Taken { read: false, made: Ok(()) }
            }
        }
    }

    fn code_point(&mut self, code_point: u128) -> Result<(), ErrorKind> {
        self.writer.encode(code_point, &mut self.pending).ok_or(ErrorKind::Unencodable)
    }

    fn limb(&mut self, group: Group, limb: u32) -> Result<(), ErrorKind> {
        let state = match group.state {
            GroupState::Fresh => self.first_limb(group.missing, limb),
            GroupState::Held(value) => GroupState::Held(value << u32::BITS | u128::from(limb)),
            GroupState::Streamed(mut writer) => {
                writer.limb(limb, &mut self.pending);
                GroupState::Streamed(writer)
            }
            bad @ GroupState::Bad(_) => bad,
        };
        let missing = group.missing - 1;
        if missing > 0 {
            self.group = Some(Group { missing, state });
            return Ok(());
        }
        match state {
            GroupState::Held(value) => self.code_point(value),
            GroupState::Bad(kind) => Err(kind),
            GroupState::Streamed(_) | GroupState::Fresh => Ok(()),
        }
    }

    /// The state of a group of limbs after its first limb, which tells how long the code point is.
    fn first_limb(&mut self, limbs: u32, limb: u32) -> GroupState {
        let bits = u64::from(limbs) * u64::from(u32::BITS) - u64::from(limb.leading_zeros());
        let digits = bits.div_ceil(4);
        if limb == 0 {
            GroupState::Bad(ErrorKind::Invalid)
        } else if bits <= MOST_BITS_HELD {
            GroupState::Held(limb.into())
        } else if digits <= self.writer.digits_streamed() {
            GroupState::Streamed(LongWriter::start(digits, limb, &mut self.pending))
        } else {
            GroupState::Bad(ErrorKind::Unencodable)
        }
    }
}

/// The outcome of one slot.
struct Taken {
    /// Whether the slot is used up. If not, the slot is to be read again.
    read: bool,
    /// The kind of error that the slot is, if it is one.
    made: Result<(), ErrorKind>,
}
