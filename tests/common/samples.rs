//! The part that a run takes of a long list. The commit draws it, so that runs of other commits take other parts.

use std::process::Command;
use std::sync::LazyLock;
use std::time::UNIX_EPOCH;

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

/// A number that the environment may set.
pub fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: expected a number")))
}

/// The seed of a run: `UTFHDL_SEED`, or the commit, so that the run of a commit can be repeated; without Git, the time.
pub fn seed() -> u64 {
    static SEED: LazyLock<u64> = LazyLock::new(|| {
        let of_commit = || {
            let git = Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
            u64::from_str_radix(str::from_utf8(&git.stdout).ok()?.get(..8)?, 16).ok()
        };
        let of_time = || UNIX_EPOCH.elapsed().unwrap().subsec_nanos().into();
        number("UTFHDL_SEED").or_else(of_commit).unwrap_or_else(of_time)
    });
    *SEED
}

/// Whether the environment asks for all of what a test takes a part of.
pub fn is_all(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| value == "all")
}

/// One in `parts` of the items, in their order, or all of them. Prints the seed.
pub fn one_in<T>(parts: usize, takes_all: bool, items: impl IntoIterator<Item = T>) -> Vec<T> {
    let items: Vec<T> = items.into_iter().collect();
    if takes_all {
        return items;
    }
    println!("UTFHDL_SEED={}: one in {parts} of {} is tried", seed(), items.len());
    let mut random = ChaCha8Rng::seed_from_u64(seed());
    let mut taken = index::sample(&mut random, items.len(), items.len().div_ceil(parts)).into_vec();
    taken.sort_unstable();
    let mut taken = taken.into_iter().peekable();
    items.into_iter().enumerate().filter_map(|(at, item)| taken.next_if_eq(&at).map(|_| item)).collect()
}
