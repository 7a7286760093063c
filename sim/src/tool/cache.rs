//! A cache of files that tools make.
//!
//! ```text
//!   FOLDER/KEY/CHECKSUM.so     KEY: hash of the ingredients; CHECKSUM: hash of the contents
//! ```
//!
//! A file whose contents do not have the checksum in its name, because it was cut short or changed, is made again.

use crate::shown::Shown as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::ToolError;
use super::private::{self, Refusal};
use crate::hash::hash;
use crate::scratch::{ScratchFolder, sweep};

/// A folder of files that tools have made, each under the hash of its ingredients. Any number of processes can share
/// it, since a file is built elsewhere and renamed into place when it is complete.
///
/// The folder must be one that nobody else can write, since files in it are loaded and run. If it is not, or if it
/// can't be written, files are kept in a temporary folder instead, and [`remark`](Self::remark) says so.
#[derive(Clone, Debug)]
pub struct Cache(Arc<Folders>);

#[derive(Debug)]
struct Folders {
    /// The folder that was asked for; `None` for a folder among the temporary files.
    named: Option<PathBuf>,
    opened: OnceLock<Result<PathBuf, Refusal>>,
    instead: OnceLock<Instead>,
    remark: OnceLock<String>,
}

/// The folder that is used instead of the one that was asked for.
#[derive(Debug)]
enum Instead {
    /// This user's folder among the temporary files, which stays.
    Kept(PathBuf),
    /// A folder that is removed with the cache.
    Scratch(ScratchFolder),
}

impl Instead {
    fn path(&self) -> &Path {
        match self {
            Self::Kept(path) => path,
            Self::Scratch(folder) => folder.path(),
        }
    }
}

impl Cache {
    /// The cache of the user: `$UTFHDL_CACHE`, or `utfhdl` in `$XDG_CACHE_HOME` or `$HOME/.cache`, or without these
    /// variables a folder of the user among the temporary files.
    pub fn of_user() -> Self {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let shared = || folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
        Self::new(folder("UTFHDL_CACHE").or_else(|| shared().map(|shared| shared.join("utfhdl"))))
    }

    /// A cache in `folder`, which is made when it is needed.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self::new(Some(folder.into()))
    }

    fn new(named: Option<PathBuf>) -> Self {
        let (opened, instead, remark) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self(Arc::new(Folders { named, opened, instead, remark }))
    }

    /// The file that `build` makes from `ingredients`, taken from the cache if possible. `build` gets an empty folder
    /// and returns the path of the new file in it. The file lives as long as the cache or a clone of it.
    ///
    /// # Errors
    /// If `build` fails, or if no folder can be written. Then nothing is kept.
    pub fn file<E: From<ToolError>>(
        &self,
        ingredients: &[&str],
        extension: &str,
        build: impl FnOnce(&Path) -> Result<PathBuf, E>,
    ) -> Result<PathBuf, E> {
        let key = hash(ingredients);
        match self.opened() {
            Ok(folder) => {
                if let Some(file) = found(folder, &key) {
                    return Ok(file);
                }
                match ScratchFolder::create_in(folder) {
                    Ok(scratch) => return kept(folder, &key, extension, &scratch, build),
                    Err(error) => {
                        self.warn(&format!("the cache {} can't be written ({error})", folder.shown()))
                    }
                }
            }
            Err(refusal) => self.warn(&refusal.to_string()),
        }
        let folder = self.instead()?;
        if let Some(file) = found(folder, &key) {
            return Ok(file);
        }
        let scratch = ScratchFolder::create_in(folder).map_err(|error| ToolError::io(folder, error))?;
        kept(folder, &key, extension, &scratch, build)
    }

    /// After [`file`](Self::file), a remark for the user if files are not kept in the folder that was asked for: why,
    /// and where they are.
    pub fn remark(&self) -> Option<String> {
        self.0.remark.get().cloned()
    }

    /// Removes a file of the cache that turned out to be useless.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn forget(&self, file: &Path) {
        if let Some(entry) = file.parent() {
            // If that fails, the file is found again, and is useless again.
            let _ = fs::remove_dir_all(entry);
        }
    }

    fn opened(&self) -> Result<&PathBuf, &Refusal> {
        let open = || {
            let folder = match &self.0.named {
                Some(named) => private::open(named)?,
                None => private::open_own_in(&std::env::temp_dir())?,
            };
            sweep(&folder);
            Ok(folder)
        };
        self.0.opened.get_or_init(open).as_ref()
    }

    /// A temporary folder, for this user alone.
    fn instead(&self) -> Result<&Path, ToolError> {
        if let Some(instead) = self.0.instead.get() {
            return Ok(instead.path());
        }
        let shared = std::env::temp_dir();
        let instead = match private::open_own_in(&shared) {
            Ok(folder) if self.0.named.is_some() && is_writable(&folder) => Instead::Kept(folder),
            _ => {
                let folder = ScratchFolder::create_in(&shared);
                Instead::Scratch(folder.map_err(|error| ToolError::io(&shared, error))?)
            }
        };
        Ok(self.0.instead.get_or_init(|| instead).path())
    }

    fn warn(&self, why: &str) {
        let place = match self.instead() {
            Ok(folder) => folder.shown(),
            Err(error) => error.to_string(),
        };
        self.0.remark.get_or_init(|| format!("{why}; what is built is in {place} for now"));
    }
}

fn is_writable(folder: &Path) -> bool {
    ScratchFolder::create_in(folder).is_ok()
}

/// The file under `key`, if it is there and has its checksum.
fn found(folder: &Path, key: &str) -> Option<PathBuf> {
    let entry = folder.join(key);
    if !private::is_ours(&entry) {
        return None;
    }
    let files = fs::read_dir(entry).ok()?.flatten().map(|file| file.path());
    files.into_iter().find(|file| {
        let checksum = file.file_stem().and_then(|name| name.to_str());
        private::is_ours(file) && fs::read(file).is_ok_and(|found| checksum == Some(&hash(&[found])))
    })
}

/// Builds a file in `scratch` and puts it under `key`.
fn kept<E: From<ToolError>>(
    folder: &Path,
    key: &str,
    extension: &str,
    scratch: &ScratchFolder,
    build: impl FnOnce(&Path) -> Result<PathBuf, E>,
) -> Result<PathBuf, E> {
    let built = build(scratch.path())?;
    let io = |error: io::Error| ToolError::io(folder, error);
    let [new, old] = ["new", "old"].map(|name| scratch.path().join(format!("{key}.{name}")));
    let name = format!("{}.{extension}", hash(&[fs::read(&built).map_err(io)?]));
    fs::create_dir(&new).map_err(io)?;
    fs::rename(built, new.join(&name)).map_err(io)?;
    let entry = folder.join(key);
    // A folder can be renamed to one that is missing or empty. If another process has built the file meanwhile, that
    // stays.
    if fs::rename(&new, &entry).is_err() {
        if let Some(file) = found(folder, key) {
            return Ok(file);
        }
        fs::rename(&entry, &old).map_err(io)?;
        fs::rename(&new, &entry).map_err(io)?;
    }
    Ok(entry.join(name))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn make(folder: &Path, text: &str) -> Result<PathBuf, ToolError> {
        let path = folder.join("made");
        fs::write(&path, text).unwrap();
        Ok(path)
    }

    fn not_again(_: &Path) -> Result<PathBuf, ToolError> {
        panic!("the file is in the cache already")
    }

    #[test]
    fn a_thing_is_built_once_for_its_ingredients() {
        let folder = TempDir::new().unwrap();
        let cache = Cache::in_folder(folder.path().join("new"));
        let first = cache.file(&["a", "bc"], "txt", |folder| make(folder, "1")).unwrap();
        let again = cache.file(&["a", "bc"], "txt", not_again).unwrap();
        let other = cache.file(&["ab", "c"], "txt", |folder| make(folder, "2")).unwrap();
        assert_eq!((first.clone(), "1"), (again, fs::read_to_string(first).unwrap().as_str()));
        assert_eq!(fs::read_to_string(other).unwrap(), "2");
        assert_eq!(cache.remark(), None);
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
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_cut_short_or_changed_is_built_again() {
        let folder = TempDir::new().unwrap();
        let cache = Cache::in_folder(folder.path());
        let file = cache.file(&["a"], "txt", |folder| make(folder, "whole")).unwrap();
        for harm in ["who", "other", ""] {
            fs::write(&file, harm).unwrap();
            let again = cache.file(&["a"], "txt", |folder| make(folder, "whole")).unwrap();
            assert_eq!(fs::read_to_string(again).unwrap(), "whole", "after {harm:?}");
        }
        fs::remove_file(&file).unwrap();
        let again = cache.file(&["a"], "txt", |folder| make(folder, "another whole")).unwrap();
        assert_eq!(fs::read_to_string(again).unwrap(), "another whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "one entry, and no scratch");
    }

    #[test]
    fn the_first_of_two_builders_wins() {
        let folder = TempDir::new().unwrap();
        let cache = Cache::in_folder(folder.path());
        let file = cache.file(&["a"], "txt", |scratch| {
            cache.clone().file(&["a"], "txt", |folder| make(folder, "first"))?;
            make(scratch, "second")
        });
        assert_eq!(fs::read_to_string(file.unwrap()).unwrap(), "first");
    }

    /// A cache that can't be written: not even root makes a folder in a file.
    #[test]
    fn without_a_folder_things_are_built_in_a_temporary_one() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = Cache::in_folder(file.join("cache"));
        let ingredients = [folder.path().to_str().unwrap()];
        let built = cache.file(&ingredients, "txt", |folder| make(folder, "1")).unwrap();
        assert_eq!(fs::read_to_string(&built).unwrap(), "1");
        assert_eq!(cache.file(&ingredients, "txt", not_again).unwrap(), built);
        let remark = cache.remark().expect("a word about it");
        assert!(remark.contains(file.to_str().unwrap()) && remark.contains("for now"), "{remark}");
        fs::remove_dir_all(built.parent().unwrap()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_others_could_have_put_there_is_not_used() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let cache = Cache::in_folder(folder.path());
        let ingredients = [folder.path().to_str().unwrap()];
        let file = cache.file(&ingredients, "txt", |folder| make(folder, "ours")).unwrap();
        // A symbolic link with the right name, to a file with the right contents.
        let planted = elsewhere.path().join("planted");
        fs::rename(&file, &planted).unwrap();
        symlink(&planted, &file).unwrap();
        let again = cache.file(&ingredients, "txt", |folder| make(folder, "ours")).unwrap();
        assert!(fs::symlink_metadata(&again).unwrap().is_file());
        // A folder that all can write.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let cache = Cache::in_folder(folder.path());
        let other = cache.file(&ingredients, "txt", |folder| make(folder, "anew")).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "anew");
        assert!(!other.starts_with(folder.path()));
        assert!(cache.remark().expect("a word about it").contains("chmod go-w"));
        fs::remove_dir_all(other.parent().unwrap()).unwrap();
    }
}
