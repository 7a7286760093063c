//! Beats, and how they stand on the ports.

use std::fmt;

use utfhdl_hdl::core::adapters::AdapterSpec;
use utfhdl_sim::{Layout, PortSlot};

/// A beat: the unit of each lane that holds one, and the signals that go with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// The unit of each lane.
    pub lanes: Vec<Option<u64>>,
    /// The beat ends its frame.
    pub last: bool,
    /// TID.
    pub tid: u64,
    /// TDEST.
    pub tdest: u64,
    /// The user's bits.
    pub tuser: u64,
}

impl Beat {
    /// Whether no lane holds a unit.
    pub fn is_empty(&self) -> bool {
        self.lanes.iter().all(Option::is_none)
    }
}

impl fmt::Display for Beat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lane = |lane: &Option<u64>| lane.map_or("-".to_owned(), |unit| format!("{unit:02X}"));
        let lanes: Vec<String> = self.lanes.iter().map(lane).collect();
        write!(f, "{}{}", lanes.join("+"), if self.last { "|" } else { "" })?;
        for (name, value) in [("tid", self.tid), ("tdest", self.tdest), ("tuser", self.tuser)] {
            if value > 0 {
                write!(f, " {name} {value:X}")?;
            }
        }
        Ok(())
    }
}

/// The ports of one side.
pub(super) struct Side {
    data: PortSlot,
    keep: PortSlot,
    last: PortSlot,
    others: [Option<PortSlot>; 3],
    lanes: u32,
    unit_bits: u32,
}

impl Side {
    /// The input of an adapter.
    pub(super) fn input(layout: &Layout, spec: &AdapterSpec) -> Self {
        Self::new(|port| layout.input(&format!("s_axis_{port}")).cloned(), spec.lanes, spec.unit_bits)
    }

    /// The output of an adapter.
    pub(super) fn output(layout: &Layout, spec: &AdapterSpec) -> Self {
        Self::new(|port| layout.output(&format!("m_axis_{port}")).cloned(), spec.lanes_out(), spec.unit_bits)
    }

    fn new(port: impl Fn(&str) -> Option<PortSlot>, lanes: u32, unit_bits: u32) -> Self {
        let needed = |name: &str| port(name).expect("each side of an adapter has it");
        Self {
            data: needed("tdata"),
            keep: needed("tkeep"),
            last: needed("tlast"),
            others: ["tid", "tdest", "tuser"].map(port),
            lanes,
            unit_bits,
        }
    }

    /// Puts a beat into a record; lanes that hold nothing have bits of `noise`.
    pub(super) fn write(&self, record: &mut [u64], beat: &Beat, noise: u64) {
        let mut words = vec![0; self.data.words()];
        for (lane, unit) in beat.lanes.iter().enumerate() {
            put(
                &mut words,
                lane as u32 * self.unit_bits,
                self.unit_bits,
                unit.unwrap_or(noise.rotate_left(lane as u32)),
            );
        }
        self.data.write(record, &words);
        self.keep
            .set(record, (0..).zip(&beat.lanes).map(|(lane, unit)| u64::from(unit.is_some()) << lane).sum());
        self.last.set(record, beat.last.into());
        for (port, value) in self.others.iter().zip([beat.tid, beat.tdest, beat.tuser]) {
            if let Some(port) = port {
                port.set(record, value);
            }
        }
    }

    /// The beat of a record, and the bits of lanes that hold nothing, one lane after the other.
    pub(super) fn read(&self, record: &[u64]) -> (Beat, Vec<u64>) {
        let (words, keep) = (self.data.value(record), self.keep.get(record));
        let unit = |lane: u32| get(&words, lane * self.unit_bits, self.unit_bits);
        let lanes = (0..self.lanes).map(|lane| (keep >> lane & 1 == 1).then(|| unit(lane))).collect();
        let unused = (0..self.lanes).filter(|lane| keep >> lane & 1 == 0).map(unit).collect();
        let [tid, tdest, tuser] =
            [0, 1, 2].map(|index: usize| self.others[index].as_ref().map_or(0, |port| port.get(record)));
        (Beat { lanes, last: self.last.get(record) == 1, tid, tdest, tuser }, unused)
    }
}

/// Sets `bits` bits from bit `at` on; those of `value` above are left out.
fn put(words: &mut [u64], at: u32, bits: u32, value: u64) {
    for bit in 0..bits {
        let at = at + bit;
        words[(at / 64) as usize] |= (value >> bit & 1) << (at % 64);
    }
}

/// The `bits` bits from bit `at` on.
fn get(words: &[u64], at: u32, bits: u32) -> u64 {
    (0..bits).map(|bit| (words[((at + bit) / 64) as usize] >> ((at + bit) % 64) & 1) << bit).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_side_by_side_across_words() {
        let mut words = [0, 0];
        put(&mut words, 60, 9, 0x1a5);
        assert_eq!(words, [0x5 << 60, 0x1a]);
        assert_eq!((get(&words, 60, 9), get(&words, 69, 9)), (0x1a5, 0));
    }
}
