//! Cores and adapters drawn from all that there are, with all options, against the reference: other ones for every commit.
//!
//! `UTFHDL_SEED` sets the seed, which a run prints. `UTFHDL_DRAWN` sets how many cores are drawn.

use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl::adapters::AdapterRun;
use utfhdl::cosim::{Cosim, CosimError, Framing, Source, Stalls};
use utfhdl::engines::{EngineKind, Start};
use utfhdl::unknown_start::before_reset;
use utfhdl_hdl::core::adapters::{Adapter, AdapterError, AdapterName, AdapterOptions, LANES, MOST_UNIT_BITS};
use utfhdl_hdl::core::{
    Auto, Axis, Bus, Choose, Core, CoreSpec, Mark, Packing, Passengers, Registers, Role, Stall, Steps,
    Storage, System, Verdict,
};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;

use crate::common::clock::processor_time;
use crate::common::samples::{number, seed};

/// Cores that are drawn.
const CORES: usize = 60;
/// The least number of cores, whatever the time.
const FEWEST: usize = 12;
/// Processor time after which no more cores are drawn, in seconds.
const SECONDS: f64 = 45.0;
/// Units or slots of a run, and further ones for each lane.
const ITEMS: (u64, u64) = (600, 24);

/// A list of systems of octets of which one is chosen for each frame, or one that cores cannot choose among.
fn list(random: &mut ChaCha8Rng) -> System {
    let of_octets =
        || System::variants().filter(|system| system.unit_bits() == 8).chain(System::multi_octet());
    loop {
        let count = random.random_range(2..=6);
        let among = of_octets().sample(random, count);
        if let Ok(auto) = Auto::new(among, Choose::Port) {
            return System::Auto(auto);
        }
    }
}

/// Any system.
fn system(random: &mut ChaCha8Rng) -> System {
    let sets = System::multi_octet().chain(System::decoded_only());
    System::variants().chain(sets).choose(random).unwrap()
}

/// Any core, or options that do not go together.
fn draw(random: &mut ChaCha8Rng) -> CoreSpec {
    let system_of_core = match random.random_ratio(1, 20) {
        true => list(random),
        false => system(random),
    };
    let marks = [Mark::Start, Mark::Newline].into_iter().filter(|_| random.random()).collect::<Vec<_>>();
    let role = match random.random_range(0..4) {
        0 => Role::Decoder,
        1 => Role::Encoder,
        2 => Role::Transcoder { to: system(random) },
        _ => Role::Validator(Verdict::new(random.random(), &marks)),
    };
    let role = if role.lanes(system_of_core).is_empty() { Role::Decoder } else { role };
    let mut spec = CoreSpec::new(system_of_core, role);
    spec.lanes = *role.lanes(system_of_core).choose(random).unwrap();
    spec.on_error = *role.on_error().choose(random).unwrap();
    spec.reset = *ResetStyle::ALL.choose(random).unwrap();
    let mut chance = || random.random_ratio(1, 3);
    let [axis, bus, pack, pipeline, position, passengers] = std::array::from_fn(|_| chance());
    if axis {
        spec.axis = Axis::Strict;
    }
    if bus {
        spec.bus = Bus::Short;
    }
    if pack {
        spec.pack = Packing::Dense;
    }
    if pipeline {
        spec.pipeline = Steps::all().choose(random).unwrap();
    }
    if position {
        for place in [&mut spec.position, &mut spec.line, &mut spec.column] {
            *place = if random.random() { random.random_range(1..=32) } else { 0 };
        }
    }
    if passengers {
        let mut bits = |most| random.random_range(0..=most);
        spec.passengers = Passengers { tid: bits(8), tdest: bits(8), tuser: bits(12) };
    }
    if matches!(role, Role::Validator(_) | Role::Decoder) && random.random_ratio(1, 6) {
        spec.streams = 1 << random.random_range(1..=5);
        spec.passengers.tid = spec.passengers.tid.max(spec.streams.ilog2());
    }
    spec.status = random.random_ratio(1, 4);
    if spec.status && random.random() {
        spec.registers = Registers::AxiLite;
    }
    if random.random_ratio(1, 3) {
        spec.stall = Stall::Credit(*Storage::ALL.choose(random).unwrap());
    }
    spec
}

/// A run of a core, with any stalls and frames.
fn run_of(core: Core, random: &mut ChaCha8Rng) -> Cosim {
    let count = ITEMS.0 + ITEMS.1 * u64::from(core.spec.lanes);
    let framing = match random.random_range(0..4) {
        0 => Framing::Whole,
        1 => Framing::Lengths((0..4).map(|_| random.random_range(0..40)).chain([1]).collect()),
        _ => Framing::Random,
    };
    let mut percent = || *[0, 0, 20, 50, 90].choose(random).unwrap();
    let stalls = Stalls { source: percent(), sink: percent() };
    let resets = *[0, 1, 4].choose(random).unwrap();
    Cosim { core, source: Source::Random { count }, framing, stalls, resets, seed: random.random() }
}

/// Adapters that are drawn.
const ADAPTERS: usize = 30;
/// Beats of a run of an adapter.
const BEATS: u64 = 300;

/// Any adapter, or options that do not go together.
fn draw_adapter(random: &mut ChaCha8Rng) -> Result<Adapter, AdapterError> {
    let mut options =
        AdapterOptions { reset: ResetStyle::ALL.choose(random).copied(), ..AdapterOptions::default() };
    let name = *AdapterName::ALL.choose(random).unwrap();
    match name {
        AdapterName::Fifo => {
            // A frame has to be longer than the memory now and then.
            options.depth = Some(1 << random.random_range(2..=6));
            options.frames = random.random();
            options.drop = options.frames && random.random();
            options.memory = Storage::ALL.choose(random).copied();
        }
        AdapterName::Width => options.to_lanes = LANES.choose(random).copied(),
        AdapterName::Compactor => {}
    }
    if random.random() {
        options.unit_bits = Some(random.random_range(1..=MOST_UNIT_BITS));
        let mut bits = |most| random.random_range(0..=most);
        options.passengers = Passengers { tid: bits(8), tdest: bits(8), tuser: bits(12) };
    }
    Adapter::new(options.spec(name, *LANES.choose(random).unwrap())?)
}

#[test]
fn drawn_adapters_agree_with_the_model() {
    let seed = seed();
    println!("UTFHDL_SEED={seed}");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut run, mut refused, mut failures) = (0, 0, Vec::new());
    while run < number("UTFHDL_DRAWN").map_or(ADAPTERS, |count| count as usize) {
        let Ok(adapter) = draw_adapter(&mut random) else {
            refused += 1;
            assert!(refused < 10_000, "most of what is drawn is an adapter");
            continue;
        };
        println!("{}", adapter.spec);
        let mut percent = || *[0, 0, 20, 50, 90].choose(&mut random).unwrap();
        let stalls = Stalls { source: percent(), sink: percent() };
        let seed = random.random();
        let native = Native::with_random_start(&adapter.design, seed).unwrap();
        let mut engines: [Box<dyn Engine>; 1] = [Box::new(native)];
        let spec = adapter.spec;
        match (AdapterRun { adapter, beats: BEATS, seed, stalls }.run(&mut engines)) {
            Ok(report) => assert!(report.taken > 0, "{spec}"),
            Err(error) => {
                let Stalls { source, sink } = stalls;
                let replay =
                    format!("utfhdl cosim {spec} --random {BEATS} --seed {seed} --stall {source},{sink}");
                failures.push(format!("{error}\n    {replay}"));
            }
        }
        run += 1;
    }
    assert!(
        failures.is_empty(),
        "UTFHDL_SEED={seed}: {} of {run} went wrong\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn drawn_cores_agree_with_the_reference() {
    let seed = seed();
    let wanted = number("UTFHDL_DRAWN").map(|count| count as usize);
    println!("UTFHDL_SEED={seed}");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let began = processor_time();
    let (mut run, mut refused, mut failures) = (0, 0, Vec::new());
    while run < wanted.unwrap_or(CORES) {
        if wanted.is_none() && run >= FEWEST && processor_time() - began > SECONDS {
            break;
        }
        let spec = draw(&mut random);
        // The last line is the core that cannot be built, should one panic.
        println!("{spec}");
        let Ok(core) = Core::new(spec) else {
            refused += 1;
            assert!(refused < 100_000, "most of what is drawn is a core");
            continue;
        };
        let cosim = run_of(core, &mut random);
        // A compiler would take longer than the run.
        let design = &cosim.core.design;
        let native = match cosim.start() {
            Start::Zero => Native::interpreted(design),
            Start::Random(seed) => Native::with_random_start(design, seed),
        };
        let mut engines: [Box<dyn Engine>; 1] = [Box::new(native.unwrap())];
        let replay = cosim.replay(&[EngineKind::Native]).unwrap();
        failures.extend(before_reset(&cosim.core, cosim.seed));
        match cosim.run(&mut engines, None, &mut |_| ()) {
            Ok(report) => assert!(report.taken > 0, "{replay}"),
            Err(CosimError::Failure(failure)) => failures.push(format!("{failure}\n    {replay}")),
            Err(error) => panic!("{replay}: {error}"),
        }
        run += 1;
    }
    println!("{run} cores, {refused} refused, {:.1} s", processor_time() - began);
    assert!(
        failures.is_empty(),
        "UTFHDL_SEED={seed}: {} of {run} went wrong\n{}",
        failures.len(),
        failures.join("\n")
    );
}
