//! The passengers of frames, TID, TDEST and the user's bits of TUSER: where they are in the records of an engine, and what a
//! core owes of them.

use std::collections::VecDeque;

use utfhdl_hdl::core::{Core, Passengers};
use utfhdl_sim::PortSlot;

use super::fields::{field, set_field};

/// A passenger: some bits of a port of each side.
#[derive(Clone, Debug)]
pub struct Passenger {
    name: &'static str,
    /// The input port, and the lowest of the bits in it.
    input: (PortSlot, usize),
    /// The output port, and the lowest of the bits in it. Bits above the passenger's are padding.
    output: (PortSlot, usize),
    bits: usize,
    rides: Rides,
}

/// The beats that a passenger is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rides {
    /// All beats of a frame: that of the first beat counts.
    Frame,
    /// The last beat of a frame.
    End,
    /// Each beat that goes out.
    Beat,
}

impl Passenger {
    /// The passengers of a core; `input` and `output` find ports by their names.
    pub(super) fn all(
        core: &Core,
        input: impl Fn(&str) -> PortSlot,
        output: impl Fn(&str) -> PortSlot,
    ) -> Vec<Self> {
        let Passengers { tid, tdest, tuser } = core.spec.passengers;
        let (low_in, low_out) = core.spec.own_user_bits();
        [("tid", tid, 0, 0), ("tdest", tdest, 0, 0), ("tuser", tuser, low_in, low_out)]
            .into_iter()
            .filter(|&(_, bits, ..)| bits > 0)
            .map(|(name, bits, low_in, low_out)| Self {
                name,
                input: (input(&format!("s_axis_{name}")), low_in as usize),
                output: (output(&format!("m_axis_{name}")), low_out as usize),
                bits: bits as usize,
                rides: match name {
                    "tuser" if core.spec.has_user_of_beats() => Rides::Beat,
                    "tid" | "tdest" if core.spec.streams > 0 => Rides::Beat,
                    "tuser" => Rides::End,
                    _ => Rides::Frame,
                },
            })
            .collect()
    }

    /// `tid`, `tdest` or `tuser`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many bits it has.
    pub fn bits(&self) -> u32 {
        self.bits as u32
    }

    /// The name of the output port.
    pub fn output_name(&self) -> &str {
        &self.output.0.name
    }

    /// The output port.
    pub fn output(&self) -> &PortSlot {
        &self.output.0
    }

    /// Sets it on the input: to the low bits of `of_frame`, or of `of_beat`, as it is of the frame or of a beat.
    pub(super) fn set(&self, inputs: &mut [u64], of_frame: u64, of_beat: u64) {
        let (port, low) = &self.input;
        let value = if self.rides == Rides::Frame { of_frame } else { of_beat };
        set_field(port, inputs, *low, self.bits, value & u64::MAX >> (64 - self.bits));
    }

    /// The value on the input.
    pub fn value_in(&self, inputs: &[u64]) -> u64 {
        field(&self.input.0, inputs, self.input.1, self.bits)
    }

    /// The value on the output.
    pub fn value_out(&self, outputs: &[u64]) -> u64 {
        field(&self.output.0, outputs, self.output.1, self.bits)
    }

    /// Whether the padding above it on the output is zero.
    fn has_clean_padding(&self, outputs: &[u64]) -> bool {
        let (port, low) = &self.output;
        (low + self.bits..port.width as usize).all(|bit| field(port, outputs, bit, 1) == 0)
    }
}

/// A passenger that differs from the one that a core owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongPassenger {
    /// The output port.
    pub port: String,
    /// The value that the frame came with, if a frame is due, or what else is wrong.
    pub expected: String,
    /// The value on the port.
    pub found: String,
}

/// Compares the passengers of the frames that come out with those of the frames that went in.
#[derive(Clone, Debug)]
pub struct PassengerBoard {
    /// Each passenger, and the values of the frames that still have to come out.
    due: Vec<(Passenger, VecDeque<u64>)>,
    /// Whether the next beat is a frame's first.
    begins: bool,
}

impl PassengerBoard {
    /// A board for a core out of reset.
    pub fn new(passengers: &[Passenger]) -> Self {
        let due = passengers.iter().map(|passenger| (passenger.clone(), VecDeque::new())).collect();
        Self { due, begins: true }
    }

    /// The core offers a beat, which is a frame's last or not.
    ///
    /// # Errors
    /// The first passenger that is wrong.
    pub fn check(&self, outputs: &[u64], last: bool) -> Result<(), WrongPassenger> {
        for (passenger, values) in &self.due {
            let found = passenger.value_out(outputs);
            let is_due = passenger.rides != Rides::End || last;
            let expected = if is_due { values.front().copied() } else { Some(0) };
            if expected != Some(found) || !passenger.has_clean_padding(outputs) {
                let expected = match expected {
                    Some(value) if value == found => {
                        format!("zeros above the passenger, which is {value:#x}")
                    }
                    Some(value) => format!("the passenger {value:#x}"),
                    None => "no frame".to_owned(),
                };
                let port = passenger.output_name().to_owned();
                return Err(WrongPassenger { port, expected, found: format!("{found:#x}") });
            }
        }
        Ok(())
    }

    /// A beat of the core was taken, which was a frame's last or not.
    pub fn given(&mut self, last: bool) {
        for (passenger, values) in &mut self.due {
            if last || passenger.rides == Rides::Beat {
                values.pop_front();
            }
        }
    }

    /// The core took a beat. `last`: the beat ends its frame. `goes_out`: the beat has an output beat of its own, in a core in which each
    /// output beat is of one input beat.
    pub fn taken(&mut self, inputs: &[u64], last: bool, goes_out: bool) {
        for (passenger, values) in &mut self.due {
            let is_read = match passenger.rides {
                Rides::Frame => self.begins,
                Rides::End => last,
                Rides::Beat => goes_out,
            };
            values.extend(is_read.then(|| passenger.value_in(inputs)));
        }
        self.begins = last;
    }
}
