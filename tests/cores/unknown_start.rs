//! Nothing from before a reset reaches a port of a core: every core of the whole space of systems, roles, lanes, error modes, forms of
//! resets and packings, from unknown registers.
//!
//! By default a run takes cores at random, other ones for every commit, as many as fit into some seconds; `UTFHDL_RESETS=all` takes all of them.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use utfhdl::unknown_start::before_reset;
use utfhdl_hdl::core::{Core, CoreSpec, Packing, Role, System, Verdict};
use utfhdl_hdl::netlist::ResetStyle;

use crate::common::clock::processor_time;
use crate::common::samples::seed;

/// Processor time of a run that does not take all cores, in seconds.
const SECONDS: f64 = 8.0;
/// The most lanes of most of its cores: wider ones take a second each.
const FEW_LANES: u32 = 8;

/// All cores that differ in more than the width of a bus or the marks of users.
fn space() -> Vec<CoreSpec> {
    let mut space = Vec::new();
    for system in System::variants() {
        let transcoders = System::variants().map(|to| Role::Transcoder { to });
        let roles = [Role::Decoder, Role::Encoder, Role::Validator(Verdict::default())]
            .into_iter()
            .chain(transcoders);
        for role in roles {
            for &lanes in role.lanes(system) {
                for &on_error in role.on_error() {
                    let spec = CoreSpec { lanes, on_error, ..CoreSpec::new(system, role) };
                    space.push(spec);
                    if role == Role::Decoder && lanes > 1 {
                        space.push(CoreSpec { pack: Packing::Dense, ..spec });
                    }
                    if !matches!(role, Role::Transcoder { .. }) {
                        let styles = ResetStyle::ALL.into_iter().filter(|style| *style != spec.reset);
                        space.extend(styles.map(|reset| CoreSpec { reset, ..spec }));
                    }
                }
            }
        }
    }
    space
}

#[test]
fn nothing_from_before_a_reset_reaches_a_port() {
    let seed = seed();
    let all = match std::env::var("UTFHDL_RESETS").as_deref() {
        Ok("all") => true,
        Ok(other) => panic!("UTFHDL_RESETS={other}: expected all"),
        Err(_) => false,
    };
    println!("UTFHDL_SEED={seed}");
    let mut space = space();
    let count = space.len();
    space.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    if !all {
        // One wide core for each sixteen others.
        let (wide, narrow): (Vec<_>, Vec<_>) = space.into_iter().partition(|spec| spec.lanes > FEW_LANES);
        let wide: Vec<CoreSpec> = wide.into_iter().take(narrow.len() / 16).collect();
        space = narrow
            .chunks(16)
            .zip(wide.iter().map(Some).chain(std::iter::repeat(None)))
            .flat_map(|(narrow, wide)| narrow.iter().chain(wide))
            .copied()
            .collect();
    }
    let began = processor_time();
    let (mut seen, mut failures) = (0, Vec::new());
    for spec in space {
        if !all && processor_time() - began > SECONDS {
            break;
        }
        let core = Core::new(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        failures.extend(before_reset(&core, seed));
        seen += 1;
    }
    println!("{seen} of {count} cores, {:.1} s", processor_time() - began);
    assert!(seen > 20, "{seen} cores in {SECONDS} s");
    assert!(failures.is_empty(), "{} cores:\n{}", failures.len(), failures.join("\n"));
}
