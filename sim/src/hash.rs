//! The hash by which caches and names of files know their ingredients.

use sha2::{Digest, Sha256};

/// The hash of all ingredients, each with its length.
pub(crate) fn hash<T: AsRef<[u8]>>(ingredients: &[T]) -> String {
    let mut hasher = Sha256::new();
    for ingredient in ingredients.iter().map(AsRef::as_ref) {
        hasher.update((ingredient.len() as u64).to_le_bytes());
        hasher.update(ingredient);
    }
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
