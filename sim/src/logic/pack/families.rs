//! Finds registers of which a word can hold eight.

use std::collections::{BTreeMap, HashMap};

use super::{LANE_BITS, LANES};
use crate::flat::{Flat, Scope};
use crate::logic::Logic;

/// Fewer registers are not worth a row.
const FEWEST: usize = 4;

/// Words of the state that belong to registers alike, eight at most.
pub(super) type Family = Vec<u32>;

/// The registers of at most eight bits whose names differ in one number only, in the order of that number.
pub(super) fn narrow(logic: &Logic, flat: &Flat) -> Vec<Family> {
    families(logic, flat, |ones| ones != 0 && ones >> LANE_BITS == 0)
}

/// The same of more than eight bits.
pub(super) fn wide(logic: &Logic, flat: &Flat) -> Vec<Family> {
    families(logic, flat, |ones| ones >> LANE_BITS != 0)
}

fn families(logic: &Logic, flat: &Flat, fits: impl Fn(u64) -> bool) -> Vec<Family> {
    let mut names = HashMap::new();
    name_registers(&flat.scope, &mut Vec::new(), &mut names);
    // For each word: its name without one of its numbers, which of the numbers that is, and the number.
    let mut keys: Vec<Vec<((String, usize), u64)>> = Vec::new();
    let mut sizes: HashMap<(String, usize), usize> = HashMap::new();
    for word in &logic.state {
        let name = names.get(&flat.registers[word.register].value).filter(|_| fits(word.ones));
        let of_word: Vec<_> = name.into_iter().flat_map(|name| without_a_number(name)).collect();
        of_word.iter().for_each(|(key, _)| *sizes.entry(key.clone()).or_default() += 1);
        keys.push(of_word);
    }
    // Each word belongs to the largest of its families.
    let mut chosen: BTreeMap<(String, usize), Vec<(u64, u32)>> = BTreeMap::new();
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

/// The full name of each register, by its signal.
fn name_registers<'f>(scope: &'f Scope, path: &mut Vec<&'f str>, names: &mut HashMap<usize, String>) {
    path.push(&scope.name);
    for signal in scope.signals.iter().filter(|signal| signal.register) {
        names.entry(signal.signal).or_insert_with(|| format!("{}.{}", path.join("."), signal.name));
    }
    scope.children.iter().for_each(|child| name_registers(child, path, names));
    path.pop();
}

/// For each number in `name`: the name without it and how many numbers stand before it, and the number.
fn without_a_number(name: &str) -> Vec<((String, usize), u64)> {
    let is_digit = |at: &usize| name.as_bytes()[*at].is_ascii_digit();
    let starts = (0..name.len()).filter(|at| is_digit(at) && (*at == 0 || !is_digit(&(at - 1))));
    let number = |(position, start): (usize, usize)| {
        let end = (start..name.len()).find(|at| !is_digit(at)).unwrap_or(name.len());
        let number = name[start..end].parse().ok()?;
        Some(((format!("{}*{}", &name[..start], &name[end..]), position), number))
    };
    starts.enumerate().filter_map(number).collect()
}
