//! Random frames for an adapter.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use utfhdl_hdl::core::adapters::{AdapterKind, AdapterSpec, Fifo};

use super::beat::Beat;

/// Frames of random lengths and forms: of full beats, of beats that are full up to a lane, with holes, and with few units.
pub(super) struct Frames {
    spec: AdapterSpec,
    /// Beats left of the frame.
    left: u64,
    form: Form,
    tid: u64,
    tdest: u64,
}

#[derive(Clone, Copy)]
enum Form {
    Full,
    Contiguous,
    Holes,
    Sparse,
}

impl Frames {
    pub(super) fn new(spec: AdapterSpec) -> Self {
        Self { spec, left: 0, form: Form::Full, tid: 0, tdest: 0 }
    }

    /// The most beats of a frame. A FIFO of whole frames gets longer ones than it holds.
    fn longest(&self) -> u64 {
        match self.spec.kind {
            AdapterKind::Fifo(Fifo { whole: Some(_), depth, .. }) => u64::from(depth) * 3 / 2 + 2,
            _ => 12,
        }
    }

    pub(super) fn next(&mut self, random: &mut ChaCha8Rng) -> Beat {
        if self.left == 0 {
            let longest = if random.random() { self.longest() } else { 3 };
            self.left = random.random_range(1..=longest);
            self.form = [Form::Full, Form::Contiguous, Form::Holes, Form::Sparse][random.random_range(0..4)];
            self.tid = bits(random, self.spec.passengers.tid);
            self.tdest = bits(random, self.spec.passengers.tdest);
        }
        self.left -= 1;
        let (lanes, last) = (self.spec.lanes, self.left == 0);
        let used = match self.form {
            Form::Full if !last => lanes,
            _ => random.random_range(0..=lanes),
        };
        let holds = |lane: u32, random: &mut ChaCha8Rng| match self.form {
            Form::Full | Form::Contiguous => lane < used,
            Form::Holes => random.random(),
            Form::Sparse => random.random_range(0..lanes + 1) == 0,
        };
        let mut unit = |lane| holds(lane, random).then(|| bits(random, self.spec.unit_bits));
        let lanes = (0..lanes).map(&mut unit).collect();
        Beat {
            lanes,
            last,
            tid: self.tid,
            tdest: self.tdest,
            tuser: bits(random, self.spec.passengers.tuser),
        }
    }
}

/// A random number of `bits` bits.
fn bits(random: &mut ChaCha8Rng, bits: u32) -> u64 {
    let value: u64 = random.random();
    if bits == 0 { 0 } else { value >> (64 - bits) }
}
