//! Runs on records that wait for the design: `native` follows the handshake by itself, and does what it does when it is run cycle by
//! cycle.

use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_sim::feed::{Bit, Fed, Feed, Handshakes};
use utfhdl_sim::native::Native;
use utfhdl_sim::{Engine, EngineError, Layout};

use crate::common::bench::{interpreted, native};
use crate::common::stimulus::stimulus;

/// An engine that is run cycle by cycle.
struct ByCycle(Native);

impl Engine for ByCycle {
    fn name(&self) -> &'static str {
        "by cycle"
    }

    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        assert_eq!(outputs.len(), self.layout().output_words, "one cycle");
        self.0.run(inputs, outputs)
    }
}

/// Blocks of any length, up to `most` cycles, over the same records; some end where records do.
fn blocks_agree(spec: CoreSpec, most: usize, engine: impl Fn() -> Native) {
    let core = Core::new(spec).expect("there is such a core");
    let layout = Layout::new(&core.design);
    let input = |name: &str| Bit::of(layout.input(name).expect("a port"));
    let handshakes = Handshakes {
        offers: input("s_axis_tvalid"),
        takes: Bit::of(layout.output("s_axis_tready").expect("a port")),
        sink_takes: input("m_axis_tready"),
        status_takes: None,
    };
    // A core in reset takes nothing, so only a record that offers nothing may reset it.
    let (reset, level) = (layout.inputs[0].clone(), u64::from(core.design.reset.active_level()));
    let mut records = stimulus(&layout, core.design.reset.active_level(), 3000, 7);
    for (index, record) in records.chunks_mut(layout.input_words).enumerate() {
        if index % 500 == 0 {
            layout.input("s_axis_tvalid").expect("a port").set(record, 0);
        }
        reset.set(record, if index % 500 == 0 { level } else { 1 - level });
    }
    let mut rest = &records[..];
    let (mut found, mut expected) = (engine(), ByCycle(engine()));
    let (mut of_found, mut of_expected) = (Fed::default(), Fed::default());
    let (mut waits, mut cycles, mut length) = (0, 0, 0);
    while !rest.is_empty() {
        length = length % most + 1;
        let sink_takes: Vec<bool> = (0..length).map(|cycle| (cycles + cycle) % 5 < 2).collect();
        // Every third block has fewer records than cycles.
        let count = if length % 3 == 0 { length / 2 + 1 } else { length };
        let records = &rest[..rest.len().min(count * layout.input_words)];
        let feed = Feed { handshakes, records, sink_takes: &sink_takes, status_takes: &[] };
        found.run_fed(&feed, &mut of_found).expect("it runs");
        expected.run_fed(&feed, &mut of_expected).expect("it runs");
        assert_eq!((of_found.cycles, of_found.records), (of_expected.cycles, of_expected.records));
        assert!(of_found.inputs == of_expected.inputs && of_found.outputs == of_expected.outputs);
        assert_eq!(of_found.inputs.len(), of_found.cycles * layout.input_words);
        assert!(of_found.cycles == length || of_found.records == records.len() / layout.input_words);
        let probes = [&found, &expected.0].map(|engine| engine.probe().expect("a probe"));
        assert!(probes[0].values() == probes[1].values(), "a signal of the last cycle differs");
        waits += of_found.cycles - of_found.records;
        cycles += of_found.cycles;
        assert!(cycles < 30_000, "the core hangs");
        rest = &rest[of_found.records * layout.input_words..];
    }
    assert!(waits > 100, "{waits} cycles in which a record waited");
}

#[test]
fn a_block_is_its_cycles() {
    let decoder = CoreSpec::new(System::Utf8, Role::Decoder);
    let encoder = CoreSpec::new(System::Utf8, Role::Encoder);
    for spec in [decoder, encoder, CoreSpec { lanes: 8, ..decoder }] {
        for most in [1, 2, 40] {
            let design = || Core::new(spec).expect("there is such a core").design;
            blocks_agree(spec, most, || native(&design()));
            blocks_agree(spec, most, || interpreted(&design()));
        }
    }
}
