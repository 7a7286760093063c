//! Folders into which only this user, or root, can put files.
//!
//! Files of a cache are loaded into the process and run, so whoever can write there can run code as the user. Root
//! can do that anyway, so folders and files of root are trusted.

use crate::shown::Shown as _;
use std::fs::{self, DirBuilder, Metadata};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Why a folder can't be trusted, or can't be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error("the cache {} can't be used ({error})", .folder.shown())]
    Io { folder: PathBuf, error: io::Error },
    #[error("the cache {} is not trusted, because {why}; name a folder of your own in UTFHDL_CACHE", .folder.shown())]
    Untrusted { folder: PathBuf, why: String },
}

/// Makes `named` if it is missing, and returns the folder to use. This is `named` itself; in a folder such as /tmp,
/// where all users have files but cannot touch those of others, it is this user's folder in it.
pub(super) fn open(named: &Path) -> Result<PathBuf, Refusal> {
    open_for(named, &trusted_owners())
}

/// The folder of this user in `shared`, made where it is missing.
pub(super) fn open_own_in(shared: &Path) -> Result<PathBuf, Refusal> {
    own_folder_in(shared, &trusted_owners())
}

/// Whether the file or folder at `path` was made by this user, or by root. A link was not.
pub(super) fn is_ours(path: &Path) -> bool {
    fs::symlink_metadata(path)
        .is_ok_and(|metadata| !metadata.is_symlink() && is_owner_trusted(&metadata, &trusted_owners()))
}

/// Makes a folder for the user alone, if there is none.
fn make(folder: &Path, with_parents: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(with_parents);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn open_for(named: &Path, trusted: &[u32]) -> Result<PathBuf, Refusal> {
    let failed = |error| Refusal::Io { folder: named.to_owned(), error };
    make(named, true).map_err(failed)?;
    let metadata = fs::metadata(named).map_err(failed)?;
    if !metadata.is_dir() {
        return Err(failed(io::ErrorKind::NotADirectory.into()));
    }
    match distrust(&metadata, trusted) {
        None => Ok(named.to_owned()),
        Some(_) if is_shared(&metadata, trusted) => own_folder_in(named, trusted),
        Some(why) => Err(Refusal::Untrusted { folder: named.to_owned(), why }),
    }
}

/// The folder is refused where somebody else made it first, or a link in its place.
fn own_folder_in(shared: &Path, trusted: &[u32]) -> Result<PathBuf, Refusal> {
    let failed = |error| Refusal::Io { folder: shared.to_owned(), error };
    let metadata = fs::metadata(shared).map_err(failed)?;
    if let Some(why) = distrust(&metadata, trusted).filter(|_| !is_shared(&metadata, trusted)) {
        return Err(Refusal::Untrusted { folder: shared.to_owned(), why });
    }
    let folder = shared.join(format!("utfhdl-{}", trusted[0]));
    let failed = |error| Refusal::Io { folder: folder.clone(), error };
    make(&folder, false).map_err(failed)?;
    let metadata = fs::symlink_metadata(&folder).map_err(failed)?;
    let why = match metadata.is_dir() {
        true => distrust(&metadata, trusted),
        false => Some("something else was put in its place".to_owned()),
    };
    match why {
        None => Ok(folder),
        Some(why) => Err(Refusal::Untrusted { folder, why }),
    }
}

/// This user, and root.
fn trusted_owners() -> [u32; 2] {
    #[cfg(unix)]
    let user = rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    let user = 0;
    [user, 0]
}

#[cfg(unix)]
fn is_owner_trusted(metadata: &Metadata, trusted: &[u32]) -> bool {
    trusted.contains(&metadata.uid())
}

/// Whether everybody may have files in a folder and nobody can touch another's.
#[cfg(unix)]
fn is_shared(metadata: &Metadata, trusted: &[u32]) -> bool {
    const STICKY: u32 = 0o1000;
    metadata.mode() & STICKY != 0 && is_owner_trusted(metadata, trusted)
}

/// The fault of a folder in which other users can put files; `None` if they can't.
#[cfg(unix)]
fn distrust(metadata: &Metadata, trusted: &[u32]) -> Option<String> {
    const GROUP_WRITES: u32 = 0o020;
    const OTHERS_WRITE: u32 = 0o002;
    if !is_owner_trusted(metadata, trusted) {
        return Some(format!("it belongs to another user, number {}", metadata.uid()));
    }
    // On systems with a group for every user, that group has the user's number, and mostly it may write the user's
    // files.
    let is_users_group = metadata.gid() == metadata.uid();
    let others = if is_users_group { OTHERS_WRITE } else { GROUP_WRITES | OTHERS_WRITE };
    let mode = metadata.mode() & 0o7777;
    (mode & others != 0)
        .then(|| format!("other users can write there (mode {mode:03o}; `chmod go-w` takes that right away)"))
}

/// On systems without owners and modes, a user's folders count as the user's alone.
#[cfg(not(unix))]
fn is_owner_trusted(_metadata: &Metadata, _trusted: &[u32]) -> bool {
    true
}

#[cfg(not(unix))]
fn is_shared(_metadata: &Metadata, _trusted: &[u32]) -> bool {
    true
}

#[cfg(not(unix))]
fn distrust(_metadata: &Metadata, _trusted: &[u32]) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use tempfile::TempDir;

    use super::*;

    /// A folder with this mode.
    fn folder(mode: u32) -> TempDir {
        let folder = TempDir::new().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
        folder
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_folder_that_is_made_is_for_its_user_alone() {
        let parent = folder(0o755);
        let new = parent.path().join("a/b");
        assert_eq!(open(&new).unwrap(), new);
        assert_eq!(mode(&new), 0o700);
    }

    #[test]
    fn a_folder_that_only_its_user_can_write_is_used_as_it_is() {
        let folder = folder(0o755);
        assert_eq!(open(folder.path()).unwrap(), folder.path());
        let link = folder.path().join("link");
        let own = folder.path().join("own");
        fs::create_dir(&own).unwrap();
        symlink(&own, &link).unwrap();
        assert_eq!(open(&link).unwrap(), link, "a link that the user made, to a folder elsewhere");
    }

    #[test]
    fn a_folder_that_others_can_write_is_refused() {
        let folder = folder(0o777);
        let refusal = open(folder.path()).unwrap_err().to_string();
        assert!(refusal.contains("mode 777") && refusal.contains("chmod go-w"), "{refusal}");
        assert!(refusal.contains("UTFHDL_CACHE"), "{refusal}");
    }

    #[test]
    fn where_all_have_files_the_user_has_a_folder() {
        let shared = folder(0o1777);
        let own = open(shared.path()).unwrap();
        assert_eq!((own.parent().unwrap(), mode(&own)), (shared.path(), 0o700));
        assert_eq!(open(shared.path()).unwrap(), own, "again");
        fs::set_permissions(&own, Permissions::from_mode(0o733)).unwrap();
        assert!(open(shared.path()).unwrap_err().to_string().contains("mode 733"));
    }

    #[test]
    fn a_link_in_the_place_of_the_users_folder_is_refused() {
        let (shared, elsewhere) = (folder(0o1777), folder(0o700));
        let own = open(shared.path()).unwrap();
        fs::remove_dir(&own).unwrap();
        symlink(elsewhere.path(), &own).unwrap();
        assert!(open(shared.path()).unwrap_err().to_string().contains("put in its place"));
    }

    #[test]
    fn the_users_own_group_may_write() {
        let folder = folder(0o775);
        let metadata = fs::metadata(folder.path()).unwrap();
        assert_eq!(open(folder.path()).is_ok(), metadata.uid() == metadata.gid());
    }

    /// The test looks as another user, who trusts neither this user nor root.
    #[test]
    fn what_belongs_to_another_user_is_refused() {
        let (other, shared) = ([54321, 54321], folder(0o1777));
        let own = folder(0o755);
        let user = fs::metadata(own.path()).unwrap().uid();
        for folder in [&own, &shared] {
            let refusal = open_for(folder.path(), &other).unwrap_err().to_string();
            assert!(refusal.contains(&format!("another user, number {user}")), "{refusal}");
        }
        assert!(!is_owner_trusted(&fs::metadata(own.path()).unwrap(), &other));
    }
}
