//! The identity of a core's netlist, which a record of a proof keeps: if it is another one today, the proof was of another core.

use sha2::{Digest, Sha256};
use utfhdl_hdl::core::Core;
use utfhdl_sim::aig::{Aiger, Start, TooLarge, blast};

/// Bytes of the hash that are shown.
const BYTES: usize = 8;

/// A hash of what a core does: its registers and gates, without their names.
///
/// # Errors
/// If the core is too large.
pub fn fingerprint(core: &Core) -> Result<String, TooLarge> {
    let logic = blast(&core.design, Start::AfterReset { again: true })?;
    let mut file = Aiger::sequential(&logic);
    file.inputs.iter_mut().for_each(String::clear);
    file.latches.iter_mut().chain(&mut file.bad).for_each(|named| named.name.clear());
    let mut bytes = Vec::new();
    file.write(&mut bytes).expect("writing to memory");
    let hash = Sha256::digest(&bytes);
    Ok(hash[..BYTES].iter().map(|byte| format!("{byte:02x}")).collect())
}
