//! Where what tools make is kept.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::ToolError;

/// A folder of files that tools made, each under the hash of what it was made from. Any number of processes can share
/// it: what is built elsewhere is renamed into place, whole.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The user's: `$UTFHDL_CACHE`, or `utfhdl` in `$XDG_CACHE_HOME` or `$HOME/.cache`, or in the folder for temporary
    /// files.
    pub fn of_user() -> Self {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let shared = || folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
        let folder = folder("UTFHDL_CACHE")
            .unwrap_or_else(|| shared().unwrap_or_else(std::env::temp_dir).join("utfhdl"));
        Self { folder }
    }

    /// In `folder`, which is made when it is needed.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The file that `build` makes of `ingredients`: from the cache, or built now in a scratch folder that it is given
    /// (it gives the name of the file it made there).
    ///
    /// # Errors
    /// Those of `build`, and if the folder can't be written; then nothing is kept.
    pub fn file<E: From<ToolError>>(
        &self,
        ingredients: &[&str],
        extension: &str,
        build: impl FnOnce(&Path) -> Result<PathBuf, E>,
    ) -> Result<PathBuf, E> {
        let path = self.folder.join(format!("{}.{extension}", hash(ingredients)));
        if path.exists() {
            return Ok(path);
        }
        let io = |error: io::Error| ToolError::io(&self.folder, error);
        std::fs::create_dir_all(&self.folder).map_err(io)?;
        let scratch = TempDir::with_prefix_in("build-", &self.folder).map_err(io)?;
        let built = build(scratch.path())?;
        std::fs::rename(built, &path).map_err(io)?;
        Ok(path)
    }
}

/// The hash of all ingredients and of where each ends.
pub(crate) fn hash<T: AsRef<[u8]>>(ingredients: &[T]) -> String {
    let mut hasher = Sha256::new();
    for ingredient in ingredients.iter().map(AsRef::as_ref) {
        hasher.update((ingredient.len() as u64).to_le_bytes());
        hasher.update(ingredient);
    }
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(folder: &Path, text: &str) -> Result<PathBuf, ToolError> {
        let path = folder.join("made");
        std::fs::write(&path, text).unwrap();
        Ok(path)
    }

    #[test]
    fn a_thing_is_built_once_for_its_ingredients() {
        let folder = TempDir::new().unwrap();
        let cache = Cache::in_folder(folder.path().join("new"));
        let first = cache.file(&["a", "bc"], "txt", |folder| make(folder, "1")).unwrap();
        let again = cache.file::<ToolError>(&["a", "bc"], "txt", |_| panic!("it is there")).unwrap();
        let other = cache.file(&["ab", "c"], "txt", |folder| make(folder, "2")).unwrap();
        assert_eq!((first.clone(), "1"), (again, std::fs::read_to_string(first).unwrap().as_str()));
        assert_eq!(std::fs::read_to_string(other).unwrap(), "2");
    }

    #[test]
    fn a_failed_build_leaves_nothing() {
        let folder = TempDir::new().unwrap();
        let cache = Cache::in_folder(folder.path());
        let failed = cache.file(&["a"], "txt", |scratch| {
            make(scratch, "half")?;
            Err(ToolError::Missing { tool: "a tool", hint: "get it" })
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
