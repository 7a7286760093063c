//! Finds registers of one kind that a word can hold eight of.

use std::collections::{BTreeMap, HashMap};

use super::{LANE_BITS, LANES};
use crate::flat::{Flat, FlatRegister, Template};
use crate::logic::{Logic, StateWord};

/// Fewer registers are not worth a row.
const FEWEST: usize = 4;

/// Words of the state that belong to registers alike, eight at most.
pub(super) type Family = Vec<u32>;

/// The registers of at most eight bits that are alike in different lanes, or in different stages, in the order of these.
pub(super) fn narrow(logic: &Logic, flat: &Flat) -> Vec<Family> {
    families(logic, flat, |ones| ones != 0 && ones >> LANE_BITS == 0)
}

/// The registers of more than eight bits that are alike in different lanes, or in different stages, in the order of these.
pub(super) fn wide(logic: &Logic, flat: &Flat) -> Vec<Family> {
    families(logic, flat, |ones| ones >> LANE_BITS != 0)
}

/// Registers with the same key are alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    template: Template,
    /// The stage, in a family of registers in lanes.
    stage: Option<u32>,
    /// The lane, in a family of registers within one lane.
    lane: Option<u32>,
    /// The number of the register among those of its template in its lane, in a family across lanes.
    index: usize,
    /// The word of the register.
    word: usize,
}

fn families(logic: &Logic, flat: &Flat, fits: impl Fn(u64) -> bool) -> Vec<Family> {
    let of_registers = keys(flat);
    // For each word: its keys, and its position among the words of each.
    let of_word = |word: &StateWord| {
        let keys = of_registers[word.register].iter().filter(|_| fits(word.ones));
        keys.map(|&(key, number)| (Key { word: word.word, ..key }, number)).collect::<Vec<_>>()
    };
    let keys: Vec<Vec<(Key, u32)>> = logic.state.iter().map(of_word).collect();
    let mut sizes: HashMap<Key, usize> = HashMap::new();
    keys.iter().flatten().for_each(|(key, _)| *sizes.entry(*key).or_default() += 1);
    // Each word belongs to the largest of its families.
    let mut chosen: BTreeMap<Key, Vec<(u32, u32)>> = BTreeMap::new();
    for (index, keys) in (0..).zip(keys) {
        if let Some((key, number)) = keys.into_iter().max_by_key(|(key, _)| sizes[key]) {
            chosen.entry(key).or_default().push((number, index));
        }
    }
    let mut families = Vec::new();
    for mut family in chosen.into_values() {
        family.sort_unstable();
        let words: Vec<u32> = family.into_iter().map(|(_, word)| word).collect();
        families.extend(words.chunks(LANES).filter(|row| row.len() >= FEWEST).map(<[u32]>::to_vec));
    }
    families.retain(|family| {
        let has_reset = |word: &u32| logic.state[*word as usize].reset.is_some();
        family.iter().all(has_reset) || !family.iter().any(has_reset)
    });
    families
}

/// The keys of each register, each with the position of the register among those of that key. A register in a lane has two keys: for
/// registers alike in other lanes, and for registers alike in its own lane. A register in no lane has one: for registers alike in other
/// stages.
fn keys(flat: &Flat) -> Vec<Vec<(Key, u32)>> {
    let mut counts: HashMap<Key, u32> = HashMap::new();
    let keys = |register: &FlatRegister| {
        let FlatRegister { template, stage, lane, .. } = *register;
        let any = Key { template, stage: None, lane: None, index: 0, word: 0 };
        let Some(number) = lane else { return vec![(any, stage.unwrap_or_default())] };
        let of_lane = Key { stage, lane, ..any };
        let count = counts.entry(of_lane).or_default();
        *count += 1;
        let of_lanes = Key { stage, index: *count as usize, ..any };
        vec![(of_lanes, number), (of_lane, *count)]
    };
    flat.registers.iter().map(keys).collect()
}
