//! What co-simulation never does to a core: reset in mid-frame, and an output that nobody takes.

use utfhdl::cosim::{Beat, DecoderPorts};
use utfhdl::engines::EngineKind;
use utfhdl_hdl::core::{Core, CoreSpec, OnError, Role, System};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::Engine;

/// A core with its inputs at hand.
struct Rig {
    engine: Box<dyn Engine>,
    ports: DecoderPorts,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl Rig {
    /// Out of reset, with nothing offered and the output taken.
    fn new(engine: EngineKind, reset: ResetStyle) -> Self {
        let (system, role, lanes, on_error) = (System::Utf8, Role::Decoder, 1, OnError::Flag);
        let core = Core::new(CoreSpec { system, role, lanes, reset, on_error }).unwrap();
        let engine = engine.start(&core).unwrap();
        let (inputs, outputs) = (engine.layout().input_words, engine.layout().output_words);
        let mut rig = Self {
            engine,
            ports: DecoderPorts::new(&core),
            inputs: vec![0; inputs],
            outputs: vec![0; outputs],
        };
        rig.ports.take(&mut rig.inputs, true);
        rig.reset();
        rig
    }

    fn cycle(&mut self) {
        self.engine.run(&self.inputs, &mut self.outputs).unwrap();
    }

    /// Two cycles in reset, and one for ready to come up.
    fn reset(&mut self) {
        self.ports.set_reset(&mut self.inputs, true);
        self.ports.offer_nothing(&mut self.inputs, u64::MAX);
        self.cycle();
        self.cycle();
        assert!(!self.ports.takes(&self.outputs) && !self.ports.offers(&self.outputs), "low in reset");
        self.ports.set_reset(&mut self.inputs, false);
        self.cycle();
    }

    /// Offers units, the last of them as the end of a frame if asked for; gives the slots that come out meanwhile.
    fn offer(&mut self, units: &[u16], ends: bool) -> Vec<(u64, u64, bool)> {
        let mut slots = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            let mut beat = Beat::empty(ends && index + 1 == units.len());
            beat.push(*unit);
            self.ports.offer(&mut self.inputs, &beat);
            self.cycle();
            assert!(self.ports.takes(&self.outputs));
            slots.extend(self.slot());
        }
        slots
    }

    /// Waits for what is still to come.
    fn drain(&mut self) -> Vec<(u64, u64, bool)> {
        self.ports.offer_nothing(&mut self.inputs, 0x5a5a);
        let mut slots = Vec::new();
        for _ in 0..20 {
            self.cycle();
            slots.extend(self.slot());
        }
        slots
    }

    fn slot(&self) -> Option<(u64, u64, bool)> {
        let (user, data) = self.ports.slot(&self.outputs, 0);
        self.ports.offers(&self.outputs).then(|| (user, data, self.ports.last(&self.outputs)))
    }
}

const ENGINES: &[EngineKind] = &[
    EngineKind::Native,
    #[cfg(feature = "rust-hdl")]
    EngineKind::RustHdl,
];

/// However far the core had come with a frame, after a reset nothing of it is left.
#[test]
fn nothing_survives_a_reset_in_mid_frame() {
    let frame: &[u16] = &[0x41, 0xe1, 0xc3, 0xf0, 0x9f, 0x41, 0x80, 0xf4, 0x8f, 0xbf];
    for engine in ENGINES {
        for reset in ResetStyle::ALL {
            for cut in 0..=frame.len() {
                let mut rig = Rig::new(*engine, reset);
                rig.offer(&frame[..cut], false);
                rig.reset();
                let mut slots = rig.offer(&[0xbf, 0x42, 0xe2, 0x82, 0xac], true);
                slots.extend(rig.drain());
                let expected = [(1, 0xfffd, false), (0, 0x42, false), (0, 0x20ac, true)];
                assert_eq!(slots, expected, "{engine}, {reset}, reset after {cut} units");
            }
        }
    }
}

/// tvalid does not wait for tready, and what fits into the core is taken.
#[test]
fn an_output_that_nobody_takes_is_offered_all_the_same() {
    for engine in ENGINES {
        let mut rig = Rig::new(*engine, ResetStyle::SyncHigh);
        rig.ports.take(&mut rig.inputs, false);
        let mut beat = Beat::empty(false);
        beat.push(0x41);
        rig.ports.offer(&mut rig.inputs, &beat);
        let mut taken = 0;
        for _ in 0..50 {
            rig.cycle();
            taken += u32::from(rig.ports.takes(&rig.outputs));
        }
        assert_eq!(rig.slot(), Some((0, 0x41, false)), "{engine}");
        assert!(!rig.ports.takes(&rig.outputs), "{engine}: it is full");
        // One in each of three stages, and two in the skid buffer.
        assert_eq!(taken, 5, "{engine}");
    }
}
