//! Co-simulation of cores of several lanes, which there are not yet as hardware: the bench is ready for them.

use utfhdl_hdl::core::{Core, CoreSpec, Max, Role, System};
use utfhdl_sim::Engine;

use super::fake::{Fake, Wrong};
use crate::cosim::{Cosim, CosimError, Failure, Framing, Report, Source, Stalls};
use crate::promise::hollow;

const LATENCY: u32 = 5;

fn core(system: System, role: Role, lanes: u32) -> Core {
    hollow::core(CoreSpec { lanes, ..CoreSpec::new(system, role) }, LATENCY)
}

fn cosim(core: Core, framing: Framing, stall: u8) -> Cosim {
    let stalls = Stalls { source: stall, sink: stall };
    Cosim { core, source: Source::Random { count: 20_000 }, framing, stalls, resets: 0, seed: 1 }
}

fn verdict(cosim: &Cosim, wrong: Wrong) -> Result<Report, Failure> {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Fake::new(&cosim.core, wrong))];
    match cosim.run(&mut engines, None, &mut |_| ()) {
        Ok(report) => Ok(report),
        Err(CosimError::Failure(failure)) => Err(*failure),
        Err(other) => panic!("{other}"),
    }
}

const FRAMINGS: [(u8, Framing); 3] = [(0, Framing::Whole), (0, Framing::Random), (30, Framing::Random)];

#[test]
fn cores_of_any_number_of_lanes_agree() {
    let mut wrong = Vec::new();
    for (system, role) in [
        (System::Utf8, Role::Decoder),
        (System::Utf9 { max: Max::Unicode }, Role::Decoder),
        (System::Utf8, Role::Encoder),
        (System::hunk(4), Role::Encoder),
    ] {
        for lanes in [2, 4, 8, 64] {
            for (stall, framing) in FRAMINGS {
                let cosim = cosim(core(system, role, lanes), framing, stall);
                match verdict(&cosim, Wrong::Nothing) {
                    Ok(report) => assert_eq!(report.taken, 20_000),
                    Err(failure) => wrong.push(format!("{}, {stall} %: {failure}", cosim.core.spec)),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Without stalls a beat of four units goes in each cycle, whatever they are: a frame costs a beat more at most.
#[test]
fn four_lanes_take_four_units_a_cycle() {
    let cosim = cosim(core(System::Utf8, Role::Decoder, 4), Framing::Whole, 0);
    let report = verdict(&cosim, Wrong::Nothing).unwrap_or_else(|failure| panic!("{failure}"));
    // One cycle for the ready that comes up after reset, and the latency.
    let least = 20_000 / 4 + 1 + u64::from(LATENCY);
    assert!((least..=least + 1).contains(&report.cycles), "{report:?}");
}

#[test]
fn what_is_wrong_with_several_lanes_is_found() {
    // Many of the short frames end with a slot that has no room.
    let (short, long, any) = (Framing::Lengths(vec![8]), Framing::Whole, Framing::Random);
    let cases = [
        (Role::Decoder, Wrong::SwapsLanes, &short, "m_axis_t"),
        (Role::Decoder, Wrong::LosesCarry, &short, "m_axis_t"),
        (Role::Decoder, Wrong::LateCarry, &long, "m_axis_t"),
        (Role::Decoder, Wrong::JoinsFrames, &short, "m_axis_tkeep"),
        (Role::Encoder, Wrong::SwapsLanes, &short, "m_axis_t"),
        (Role::Encoder, Wrong::JoinsFrames, &short, "m_axis_tkeep"),
        (Role::Encoder, Wrong::Hurries, &any, "m_axis_tvalid"),
        (Role::Encoder, Wrong::Dawdles, &any, "m_axis_tvalid"),
    ];
    for (role, wrong, framing, port) in cases {
        let mut cosim = cosim(core(System::Utf8, role, 4), framing.clone(), 0);
        if wrong == Wrong::Dawdles {
            // Nothing comes that could push the beat out.
            cosim.stalls.source = 80;
        }
        let failure = verdict(&cosim, wrong).expect_err(&format!("{role}, {wrong:?}"));
        assert!(failure.port.starts_with(port), "{role}, {wrong:?}: {failure}");
    }
}
