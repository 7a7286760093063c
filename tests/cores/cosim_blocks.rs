//! Co-simulation in blocks of any length, in one thread or two, is the same run: the same records in every cycle, the same report,
//! and where a core is wrong, the same failure in the same cycle.

use std::cell::RefCell;
use std::rc::Rc;

use utfhdl::cosim::{Cosim, CosimError, Framing, Manner, Report, Source, Stalls};
use utfhdl::engines::EngineKind;
use utfhdl::fault::{SignalFault, signals};
use utfhdl_hdl::core::{Core, CoreSpec, Packing, Role, System, Utf8Bom};
use utfhdl_hdl::netlist::Fault;
use utfhdl_sim::{Engine, EngineError, Layout};

use crate::common::hardware::{core, cosim};

/// Blocks of one cycle, in which everything is checked before the next cycle is run.
const BY_CYCLE: Manner = Manner { block_cycles: 1, threads: 1 };

/// Blocks that end anywhere, and blocks in which many thousands of cycles are drawn ahead; in short blocks, a second thread begins
/// early.
const IN_BLOCKS: [Manner; 4] = [
    Manner { block_cycles: 2, threads: 1 },
    Manner { block_cycles: 61, threads: 2 },
    Manner { block_cycles: 1024, threads: 1 },
    Manner { block_cycles: 100_000, threads: 1 },
];

const STALLS: [Stalls; 6] = [
    Stalls { source: 0, sink: 0 },
    Stalls { source: 30, sink: 30 },
    Stalls { source: 0, sink: 60 },
    Stalls { source: 60, sink: 0 },
    Stalls { source: 5, sink: 95 },
    Stalls { source: 99, sink: 99 },
];

/// The records of the inputs and outputs of all cycles that an engine ran.
type Records = Rc<RefCell<(Vec<u64>, Vec<u64>)>>;

/// An engine that keeps its records, and fails in a cycle if one is given.
struct Recording {
    engine: Box<dyn Engine>,
    records: Records,
    cycles: u64,
    fails_in: Option<u64>,
}

impl Engine for Recording {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn layout(&self) -> &Layout {
        self.engine.layout()
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        if self.fails_in == Some(self.cycles) {
            return Err(EngineError::Unsettled { engine: "broken", iterations: 1 });
        }
        self.cycles += 1;
        self.engine.run(inputs, outputs)?;
        let mut records = self.records.borrow_mut();
        records.0.extend_from_slice(inputs);
        records.1.extend_from_slice(outputs);
        Ok(())
    }
}

/// How a run ended: its report, or what was wrong, with the cycle where that is known.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Agrees(Report),
    Fails { cycle: Option<u64>, text: String },
}

/// A run in this manner, and the records of the leader: those of all cycles that count. `followers` are the cores of other engines.
fn run(
    cosim: &Cosim,
    manner: Manner,
    followers: &[&Core],
    fails_in: Option<u64>,
) -> (End, (Vec<u64>, Vec<u64>)) {
    let start = |core: &Core| EngineKind::Native.start(core).expect("it needs nothing installed");
    let records = Records::default();
    let leader = Recording { engine: start(&cosim.core), records: Rc::clone(&records), cycles: 0, fails_in };
    let words = leader.layout().words();
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(leader)];
    engines.extend(followers.iter().map(|core| start(core)));
    let end = match cosim.run_as(manner, &mut engines, None, &mut |_| ()) {
        Ok(report) => End::Agrees(report),
        Err(CosimError::Failure(failure)) => {
            End::Fails { cycle: Some(failure.cycle), text: failure.to_string() }
        }
        Err(other) => End::Fails { cycle: None, text: other.to_string() },
    };
    let (mut inputs, mut outputs) = records.take();
    if let End::Fails { cycle: Some(cycle), .. } = end {
        // The leader has run to the end of the block.
        let cycles = cycle as usize + 1;
        inputs.truncate(cycles * words.0);
        outputs.truncate(cycles * words.1);
    }
    (end, (inputs, outputs))
}

/// Runs in all manners, which have to be the same run. Returns how it ends.
fn run_in_all_manners(cosim: &Cosim, followers: &[&Core], fails_in: Option<u64>) -> End {
    let expected = run(cosim, BY_CYCLE, followers, fails_in);
    for manner in IN_BLOCKS {
        let found = run(cosim, manner, followers, fails_in);
        let what = format!("{}, {:?}, seed {}, {manner:?}", cosim.core.spec, cosim.stalls, cosim.seed);
        assert_eq!(found.0, expected.0, "{what}");
        assert!(found.1 == expected.1, "{what}: other records");
    }
    expected.0
}

fn specs() -> Vec<CoreSpec> {
    let utf_inf_8 = System::UtfInf8 { digits: 4096 };
    let document = System::CorrectedUtf8 { document: true, private: false };
    let utf_8 = |role| CoreSpec::new(System::Utf8, role);
    vec![
        utf_8(Role::Decoder),
        utf_8(Role::Encoder),
        utf_8(Role::Transcoder { to: System::Utf18 }),
        CoreSpec::new(System::Utf8Bom { bom: Utf8Bom::Strip }, Role::Decoder),
        CoreSpec::new(utf_inf_8, Role::Decoder),
        CoreSpec::new(utf_inf_8, Role::Encoder),
        CoreSpec::new(document, Role::Decoder),
        CoreSpec::new(document, Role::Transcoder { to: System::Utf8 }),
        CoreSpec { lanes: 4, ..utf_8(Role::Decoder) },
        CoreSpec { lanes: 8, pack: Packing::Dense, ..utf_8(Role::Decoder) },
        CoreSpec { lanes: 2, ..CoreSpec::new(System::Utf16, Role::Decoder) },
    ]
}

#[test]
fn sound_cores_run_alike() {
    for core in specs().into_iter().map(core) {
        let framings = [Framing::Whole, Framing::Random, Framing::Lengths(vec![3, 0, 1])];
        for ((stalls, framing), seed) in STALLS.into_iter().zip(framings.into_iter().cycle()).zip(1..) {
            // With few stalls, the second of two threads begins after some 2000 cycles.
            let count = if stalls.source < 90 { 3000 } else { 300 };
            let cosim = Cosim {
                core: core.clone(),
                source: Source::Random { count },
                framing,
                stalls,
                resets: 0,
                seed,
            };
            let end = run_in_all_manners(&cosim, &[], None);
            assert!(matches!(&end, End::Agrees(report) if report.taken == count), "{end:?}");
        }
    }
}

/// Faults in many signals of each core. Most are found, in whatever manner.
#[test]
fn faults_are_found_in_the_same_cycle() {
    let kinds = [Fault::StuckAtZero, Fault::StuckAtOne, Fault::Inverted];
    for core in specs().into_iter().map(core) {
        let all = signals(&core);
        let (step, mut found, mut injected) = (all.len() / 12 + 1, 0, 0);
        for (index, site) in all.iter().step_by(step).enumerate() {
            let fault = SignalFault { kind: kinds[index % 3], signal: site.path.clone() };
            let Ok(faulty) = fault.inject(&core) else { continue };
            let cosim = Cosim {
                core: faulty,
                source: Source::Random { count: 2000 },
                framing: Framing::Random,
                stalls: STALLS[index % 3],
                resets: 0,
                seed: index as u64,
            };
            injected += 1;
            found += u32::from(matches!(run_in_all_manners(&cosim, &[], None), End::Fails { .. }));
        }
        assert!(2 * found > injected && injected > 5, "{}: {found} of {injected}", core.spec);
    }
}

/// If the engines differ, a second pass over the block finds the item that was due.
#[test]
fn engines_differ_in_the_same_cycle() {
    for core in specs().into_iter().map(core) {
        let all = signals(&core);
        let mut differ = 0;
        for (index, site) in all.iter().step_by(all.len() / 6 + 1).enumerate() {
            let fault = SignalFault { kind: Fault::Inverted, signal: site.path.clone() };
            let Ok(faulty) = fault.inject(&core) else { continue };
            let mut cosim = cosim(core.clone(), Source::Random { count: 2000 }, Framing::Random, 0);
            cosim.stalls = STALLS[index % 3];
            let end = run_in_all_manners(&cosim, &[&core, &faulty], None);
            if let End::Fails { text, .. } = end {
                assert!(text.contains("the engines differ"), "{text}");
                differ += 1;
            }
            // With the roles exchanged, the core is wrong in the same cycle or later, and the difference between the engines
            // is reported.
            cosim.core = faulty;
            run_in_all_manners(&cosim, &[&core], None);
        }
        assert!(differ > 2, "{}: {differ}", core.spec);
    }
}

/// An engine that breaks, and an input that can't be read on: what was wrong before that is still found.
#[test]
fn runs_break_off_in_the_same_cycle() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("points");
    let lines: String = (0..3000).map(|line| if line == 2500 { "none\n" } else { "41\n" }).collect();
    std::fs::write(&path, lines).expect("the file is written");
    let core = core(CoreSpec::new(System::Utf8, Role::Encoder));
    let sound = cosim(core.clone(), Source::Lines { path }, Framing::Whole, 20);
    let unread = run_in_all_manners(&sound, &[], None);
    assert!(matches!(&unread, End::Fails { cycle: None, .. }), "{unread:?}");
    let fault = |signal: &str| SignalFault { kind: Fault::Inverted, signal: signal.to_owned() };
    let faulty = Cosim { core: fault("s_axis_tlast").inject(&core).expect("a signal"), ..sound.clone() };
    for fails_in in [0, 3, 4, 5, 100, 1030, 2000] {
        let broken = run_in_all_manners(&sound, &[], Some(fails_in));
        assert!(matches!(&broken, End::Fails { cycle: None, .. }), "{broken:?}");
        run_in_all_manners(&faulty, &[], Some(fails_in));
    }
}
