//! The `batch` engine against the `native` engine on random designs, with other inputs in every stream.

use crate::common::bench::outputs;
use crate::common::designs::registers;
use crate::common::random_netlist::{recipe_from_seed, recipes};
use crate::common::stimulus::SplitMix;
use proptest::prelude::*;
use utfhdl_hdl::core::{Core, CoreSpec, DEFAULT_DIGITS, Role, System};
use utfhdl_hdl::netlist::{Builder, Design, Fault, ResetStyle};
use utfhdl_sim::batch::{Backend, Batch, BatchError, STREAMS, Slice};
use utfhdl_sim::native::Native;
use utfhdl_sim::{Layout, PortSlot};

const CYCLES: usize = 40;

/// The bits of a record, port by port, the lowest bit of each first.
fn bits<'a>(ports: &'a [PortSlot], record: &'a [u64]) -> impl Iterator<Item = bool> + 'a {
    ports.iter().flat_map(|port| {
        let value = port.value(record);
        (0..port.width as usize).map(move |bit| value[bit / 64] >> (bit % 64) & 1 == 1)
    })
}

/// Records of all streams at once. Slices are random, but often all zeros, all ones or as they were, and reset is active in
/// one stream of eight.
fn stimulus(layout: &Layout, design: &Design, seed: u64) -> Vec<Slice> {
    let mut random = SplitMix(seed);
    let mut record: Vec<Slice> =
        layout.inputs.iter().flat_map(|port| vec![Slice::ZERO; port.width as usize]).collect();
    let mut records = Vec::new();
    for _ in 0..CYCLES {
        let mut slices = record.iter_mut();
        for port in &layout.inputs {
            let way = random.next() % 8;
            for slice in slices.by_ref().take(port.width as usize) {
                let mut noise = || Slice(std::array::from_fn(|_| random.next()));
                *slice = match way {
                    _ if port.name == design.reset.port() => {
                        let [a, b, c] = [noise(), noise(), noise()];
                        let active = |word| a.0[word] & b.0[word] & c.0[word];
                        let level = if design.reset.active_level() { 0 } else { u64::MAX };
                        Slice(std::array::from_fn(|word| active(word) ^ level))
                    }
                    0 => *slice,
                    1 => Slice::ZERO,
                    2 => Slice::ONES,
                    _ => noise(),
                };
            }
        }
        records.extend_from_slice(&record);
    }
    records
}

/// The records of one stream, as other engines take them.
fn records_of(layout: &Layout, slices: &[Slice], stream: usize) -> Vec<u64> {
    let mut bits = slices.iter().map(|slice| slice.get(stream));
    let mut records = vec![0; CYCLES * layout.input_words];
    for record in records.chunks_exact_mut(layout.input_words) {
        for port in &layout.inputs {
            let mut value = vec![0; port.words()];
            for bit in 0..port.width as usize {
                value[bit / 64] |= u64::from(bits.next().expect("a bit for each")) << (bit % 64);
            }
            port.write(record, &value);
        }
    }
    records
}

/// The difference between `batch` and `native` on the streams `watched`.
fn difference(design: &Design, backend: Backend, seed: u64, watched: &[usize]) -> Option<String> {
    let layout = Layout::new(design);
    let inputs = stimulus(&layout, design, seed);
    let mut batch = Batch::with_backend(design, backend).expect("it is small");
    let mut planes = vec![Slice::ZERO; CYCLES * batch.output_planes()];
    batch.run(&inputs, &mut planes);
    for &stream in watched {
        let records = outputs(
            &mut Native::new(design).expect("a design that is small enough"),
            &records_of(&layout, &inputs, stream),
        );
        for (cycle, record) in records.chunks(layout.output_words).enumerate() {
            let planes = planes.chunks(batch.output_planes()).nth(cycle).expect("a record a cycle");
            if !planes.iter().map(|slice| slice.get(stream)).eq(bits(&layout.outputs, record)) {
                return Some(format!("{backend}, stream {stream}, cycle {cycle}"));
            }
        }
    }
    None
}

fn some_streams(seed: u64) -> [usize; 4] {
    let mut random = SplitMix(seed);
    std::array::from_fn(|_| random.next() as usize % STREAMS)
}

proptest! {
    #[test]
    fn agrees_with_native(recipe in recipes(), seed: u64) {
        for backend in Backend::available() {
            prop_assert_eq!(difference(&recipe.design(), backend, seed, &some_streams(seed)), None);
        }
    }
}

/// Cores are large enough to have spilled values, and displacements of every size.
#[test]
fn cores_agree_with_native() {
    for system in [
        System::Utf8,
        System::UtfInf8 { digits: DEFAULT_DIGITS },
        System::CorrectedUtf8 { document: true, private: false },
    ] {
        for role in [Role::Decoder, Role::Encoder] {
            let core = Core::new(CoreSpec::new(system, role)).expect("there is such a core");
            for backend in Backend::available() {
                assert_eq!(difference(&core.design, backend, 5, &some_streams(5)), None, "{system} {role}");
            }
        }
    }
}

/// The test above covers spilled values: machine code keeps values in memory.
#[test]
fn a_core_has_more_values_than_vector_registers() {
    let system = System::UtfInf8 { digits: DEFAULT_DIGITS };
    let core = Core::new(CoreSpec::new(system, Role::Decoder)).expect("there is such a core");
    for backend in Backend::available() {
        let size = Batch::with_backend(&core.design, backend).expect("it is small").size();
        assert_eq!(size.spills > 20, backend != Backend::Portable, "{backend}");
        assert_eq!(size.code_bytes > 10_000, backend != Backend::Portable, "{backend}");
    }
}

#[test]
fn every_stream_is_its_own() {
    let all: Vec<usize> = (0..STREAMS).collect();
    for backend in Backend::available() {
        for reset in ResetStyle::ALL {
            let design = Design { top: registers(), reset };
            assert_eq!(difference(&design, backend, 1, &all), None, "{reset}");
        }
        assert_eq!(difference(&recipe_from_seed(7).design(), backend, 1, &all), None);
    }
}

/// The comparison sees differences: a fault in one of two netlists changes the outputs.
#[test]
fn a_difference_between_designs_is_seen() {
    for backend in Backend::available() {
        let seen = (0..40).map(recipe_from_seed).filter(|recipe| {
            let faulty =
                Fault::Inverted.inject(&recipe.design(), "in0").expect("every design has an input `in0`");
            let run = |design: &Design| {
                let mut batch = Batch::with_backend(design, backend).expect("it is small");
                let inputs = stimulus(&Layout::new(design), design, 3);
                let mut outputs = vec![Slice::ZERO; CYCLES * batch.output_planes()];
                batch.run(&inputs, &mut outputs);
                outputs
            };
            run(&recipe.design()) != run(&faulty)
        });
        let seen = seen.count();
        assert!(seen > 30, "{backend}: an inverted input was seen in {seen} of 40 designs only");
    }
}

#[test]
fn a_restart_forgets_and_a_clone_goes_on_alone() {
    let design = Design { top: registers(), reset: ResetStyle::SyncHigh };
    for backend in Backend::available() {
        let mut batch = Batch::with_backend(&design, backend).expect("it is small");
        let mut inputs = vec![Slice::ZERO; batch.input_planes()];
        let port = batch.input("d").expect("an input `d`");
        inputs[port].fill(Slice::ONES);
        let plain = batch.output("plain_q").expect("an output `plain_q`");
        let mut outputs = vec![Slice::ZERO; batch.output_planes()];
        batch.run(&inputs, &mut outputs);
        assert!(outputs[plain.clone()].iter().all(Slice::is_zero), "registers hold 0 at first");
        let mut twin = batch.clone();
        batch.restart();
        batch.run(&inputs, &mut outputs);
        assert!(outputs[plain.clone()].iter().all(Slice::is_zero));
        twin.run(&inputs, &mut outputs);
        assert!(outputs[plain].iter().all(|slice| *slice == Slice::ONES));
    }
}

/// A hundred and twenty shifts of 2048 bits.
#[test]
fn a_design_past_the_limit_is_told_so() {
    let m = Builder::new("huge", "Too large to be cut into bits.");
    let (value, by) = (m.input("value", 2048, ""), m.input("by", 11, ""));
    let mut shifted = value;
    for stage in 0..120 {
        shifted = (shifted << (by + m.lit(11, stage))) ^ value;
    }
    m.output("shifted", shifted, "");
    let design = Design { top: m.built(), reset: ResetStyle::SyncHigh };
    let Err(error) = Batch::new(&design) else { panic!("it is too large") };
    assert!(matches!(error, BatchError::TooLarge(_)));
    let expected =
        "the design has more than 4194304 gates of two inputs: that is the limit of the batch engine";
    assert_eq!(error.to_string(), expected);
}
