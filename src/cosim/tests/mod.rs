//! The checks of co-simulation on traces and cores that are made for them.

mod fake;
mod handshake;
mod lanes;
mod rules;

use utfhdl_sim::Layout;

use crate::promise::{Beat, Carries, Ports};

/// Puts a beat, or none, on the outputs of a core.
fn set_outputs(
    layout: &Layout,
    ports: &Ports,
    outputs: &mut [u64],
    beat: Option<&Beat>,
    amiss: bool,
    ready: bool,
) {
    let port = |name: &str| layout.output(name).expect("a port of the contract");
    let set_lanes = |outputs: &mut [u64], name: &str, bits: usize, values: &[u64]| {
        let mut words = vec![0; port(name).words()];
        for (lane, value) in values.iter().enumerate() {
            for bit in 0..bits {
                let at = lane * bits + bit;
                words[at / 64] |= (value >> bit & 1) << (at % 64);
            }
        }
        port(name).write(outputs, &words);
    };
    outputs.fill(0);
    port("s_axis_tready").set(outputs, ready.into());
    let Some(beat) = beat else { return };
    let data: Vec<u64> = beat.items.iter().map(|item| item.data.into()).collect();
    match ports.carries_out() {
        Carries::Slots(_) => {
            let users: Vec<u64> = beat.items.iter().map(|item| item.user.into()).collect();
            set_lanes(outputs, "m_axis_tdata", 32, &data);
            set_lanes(outputs, "m_axis_tuser", 4, &users);
        }
        Carries::Marked { bits, verdict } => {
            let marks: Vec<u64> = beat.items.iter().map(|item| item.user.into()).collect();
            set_lanes(outputs, "m_axis_tdata", bits, &data);
            set_lanes(outputs, "m_axis_tuser", verdict.lane_bits() as usize, &marks);
        }
        Carries::Units(bits) => {
            set_lanes(outputs, "m_axis_tdata", bits, &data);
            port("m_axis_tuser").set(outputs, amiss.into());
        }
    }
    set_lanes(outputs, "m_axis_tkeep", 1, &vec![1; beat.items.len()]);
    port("m_axis_tlast").set(outputs, beat.last.into());
    port("m_axis_tvalid").set(outputs, 1);
}
