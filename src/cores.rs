//! The names of systems that are nearest to a text.

use utfhdl_codec::System;

/// The names and aliases of systems that are nearest to `name`: none if all are more than two typing errors away.
pub fn nearest_names(name: &str) -> Vec<&'static str> {
    let name = name.to_lowercase().replace('_', "-");
    // `koi8-r` is nearest to `table:koi8-r`.
    let of_table = |known: &'static str| known.strip_prefix("table:").filter(|_| !name.starts_with("table:"));
    let distance = |known| strsim::damerau_levenshtein(&name, of_table(known).unwrap_or(known));
    let distances: Vec<_> = System::names_and_aliases().map(|known| (distance(known), known)).collect();
    let least = distances.iter().map(|&(distance, _)| distance).min().filter(|&least| least <= 2);
    distances.into_iter().filter(|&(distance, _)| Some(distance) == least).map(|(_, known)| known).collect()
}
