//! Temporary files and folders that do not outlive the process.
//!
//! A [`ScratchFile`] or [`ScratchFolder`] is removed when it is dropped. A process that is ended by a signal drops
//! nothing, so the thread that waits for signals calls [`remove_all`] first. A process that is killed outright cannot
//! do even that. Names therefore hold the machine and the process (`.utfhdl-HOST-PID-RANDOM`), and the next process
//! that uses the same folder removes files of ended processes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tempfile::{Builder, NamedTempFile, TempDir};

/// The prefix of the names of all scratch files and folders.
const PREFIX: &str = ".utfhdl-";

/// Age from which on scratch of another machine counts as abandoned, since there is no way to see its processes.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Everything of this process that is to be removed.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The folders that this process has swept.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A temporary file beside the place it is to take, removed when dropped unless it has taken it.
#[derive(Debug)]
pub struct ScratchFile {
    // Dropped in this order, so that the file is on the list for as long as it is there.
    file: NamedTempFile,
    registration: Registration,
}

impl ScratchFile {
    /// An empty file in the folder of `path`, with the permissions of any new file, unlike those of `tempfile`, which
    /// only their owner can read.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        sweep_once(folder);
        let (file, registration) = registered(|name| {
            let mut builder = Builder::new();
            builder.prefix(name);
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let file = builder.tempfile_in(folder)?;
            let path = file.path().to_owned();
            Ok((file, path))
        })?;
        Ok(Self { file, registration })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The open file.
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Moves the file to `path`, over a file that is there, and returns it open.
    ///
    /// # Errors
    /// If it cannot be moved. Then it is removed.
    pub fn persist(self, path: &Path) -> io::Result<File> {
        let Self { file, registration } = self;
        let persisted = file.persist(path).map_err(|error| error.error);
        drop(registration);
        persisted
    }
}

impl Write for ScratchFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.file.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for ScratchFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A temporary folder that only this user can read, removed with everything in it when dropped.
#[derive(Debug)]
pub struct ScratchFolder {
    // Dropped in this order, as in `ScratchFile`.
    folder: TempDir,
    #[expect(dead_code, reason = "kept to be dropped")]
    registration: Registration,
}

impl ScratchFolder {
    /// An empty folder in `parent`.
    ///
    /// # Errors
    /// If `parent` cannot be written.
    pub fn create_in(parent: &Path) -> io::Result<Self> {
        sweep_once(parent);
        let (folder, registration) = registered(|name| {
            let folder = TempDir::with_prefix_in(name, parent)?;
            let path = folder.path().to_owned();
            Ok((folder, path))
        })?;
        Ok(Self { folder, registration })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes every scratch file and folder of this process, which must end right after: from now on, a thread that
/// makes or drops one waits for ever.
///
/// Call it from an ordinary thread, not from a signal handler in the sense of the operating system, which may not take
/// locks.
pub fn remove_all() {
    let live = lock(&LIVE);
    for path in live.iter() {
        remove(path);
    }
    std::mem::forget(live);
}

/// Removes the scratch files and folders in `folder` of processes that are gone.
pub fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(maker) = name.to_str().and_then(Maker::of) else { continue };
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        if maker.is_gone(modified.ok()) {
            remove(&entry.path());
        }
    }
}

fn sweep_once(folder: &Path) {
    if lock(&SWEPT).insert(folder.to_owned()) {
        sweep(folder);
    }
}

/// An entry in the list of files and folders to be removed.
#[derive(Debug)]
struct Registration(PathBuf);

impl Drop for Registration {
    fn drop(&mut self) {
        lock(&LIVE).remove(&self.0);
    }
}

/// Makes a file or folder whose name begins with the text given to `make`, and puts its path on the list before
/// [`remove_all`] can run.
fn registered<T>(make: impl FnOnce(&str) -> io::Result<(T, PathBuf)>) -> io::Result<(T, Registration)> {
    let mut live = lock(&LIVE);
    let (made, path) = make(&format!("{PREFIX}{}-{}-", *HOST, std::process::id())).map_err(of_system)?;
    // The process may change its current folder.
    let path = std::path::absolute(&path).unwrap_or(path);
    live.insert(path.clone());
    Ok((made, Registration(path)))
}

/// What the system says, without the name of the file or folder that was to be made, which tells nobody anything.
fn of_system(error: io::Error) -> io::Error {
    let said = error.to_string();
    match said.split_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said),
        None => error,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a file or folder if that can be done. A symbolic link is removed, not followed.
fn remove(path: &Path) {
    let Ok(metadata) = fs::symlink_metadata(path) else { return };
    if !metadata.is_dir() {
        // An error here helps nobody: the next process tries again.
        let _ = fs::remove_file(path);
        return;
    }
    // A compiler that has not been stopped yet may put a file into the folder while it is emptied.
    for _ in 0..3 {
        if fs::remove_dir_all(path).is_ok() {
            return;
        }
    }
}

/// The process that made a file or folder, as its name says.
#[derive(Debug, PartialEq, Eq)]
struct Maker<'n> {
    host: &'n str,
    process: u32,
}

impl<'n> Maker<'n> {
    fn of(name: &'n str) -> Option<Self> {
        let mut parts = name.strip_prefix(PREFIX)?.split('-');
        let (host, process, _random) = (parts.next()?, parts.next()?, parts.next()?);
        parts.next().is_none().then_some(Self { host, process: process.parse().ok()? })
    }

    fn is_gone(&self, modified: Option<SystemTime>) -> bool {
        if cfg!(unix) && self.host == *HOST {
            return !is_alive(self.process);
        }
        modified.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > ABANDONED)
    }
}

/// Eight digits for this machine or container, within which a number stands for one process.
static HOST: LazyLock<String> = LazyLock::new(|| {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_bytes().to_owned();
    #[cfg(not(unix))]
    let name = Vec::new();
    let processes = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let mut text = crate::hash::hash(&[&name, processes.as_os_str().as_encoded_bytes()]);
    text.truncate(8);
    text
});

#[cfg(unix)]
fn is_alive(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    process.is_some_and(|process| {
        // A process of somebody else may not be signalled, but it is there.
        rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH)
    })
}

#[cfg(not(unix))]
fn is_alive(_process: u32) -> bool {
    unreachable!("there is no way to ask: only age tells")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ffi::OsString;

    use super::*;

    fn names(folder: &Path) -> HashSet<OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn what_is_dropped_is_removed_and_what_is_persisted_stays() {
        let folder = TempDir::new().unwrap();
        let (kept, dropped) = (folder.path().join("kept"), folder.path().join("dropped"));
        let mut file = ScratchFile::beside(&kept).unwrap();
        file.write_all(b"whole").unwrap();
        drop(ScratchFile::beside(&dropped).unwrap());
        let scratch = ScratchFolder::create_in(folder.path()).unwrap();
        fs::write(scratch.path().join("inside"), "").unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(scratch);
        file.persist(&kept).unwrap();
        assert_eq!(names(folder.path()), HashSet::from(["kept".into()]));
        assert_eq!(fs::read(&kept).unwrap(), b"whole");
        assert!(!lock(&LIVE).iter().any(|path| path.starts_with(folder.path())));
    }

    #[test]
    fn errors_do_not_name_what_was_to_be_made() {
        let folder = TempDir::new().unwrap();
        let missing = folder.path().join("missing");
        for error in [
            ScratchFile::beside(&missing.join("file")).unwrap_err(),
            ScratchFolder::create_in(&missing).unwrap_err(),
        ] {
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            assert!(!error.to_string().contains(PREFIX), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = TempDir::new().unwrap();
        let (ours, any) = (folder.path().join("ours"), folder.path().join("any"));
        ScratchFile::beside(&ours).unwrap().persist(&ours).unwrap();
        fs::write(&any, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&any));
    }

    /// A number that no process has any more.
    #[cfg(unix)]
    fn dead_process() -> u32 {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    }

    #[cfg(unix)]
    #[test]
    fn what_dead_processes_left_is_swept_and_nothing_else() {
        let folder = TempDir::new().unwrap();
        let (dead, alive) = (dead_process(), std::process::id());
        let name = |host: &str, process: u32| format!("{PREFIX}{host}-{process}-AbCdEf");
        let swept = [name(&HOST, dead), format!("{PREFIX}{}-{dead}-folder", *HOST), name("elsewhere", 1)];
        let others = ["user", ".utfhdl-notes", ".utfhdl-a-b-c", ".utfhdl-a-1-c-d"].map(str::to_owned);
        let kept = [name(&HOST, alive), name("elsewhere", dead)].into_iter().chain(others);
        let kept: HashSet<OsString> = kept.map(OsString::from).collect();
        for file in kept.iter().chain(&[swept[0].clone().into(), swept[2].clone().into()]) {
            fs::write(folder.path().join(file), "").unwrap();
        }
        fs::create_dir_all(folder.path().join(&swept[1]).join("inside")).unwrap();
        let old = SystemTime::now() - ABANDONED - Duration::from_secs(60);
        File::open(folder.path().join(&swept[2])).unwrap().set_modified(old).unwrap();
        sweep(folder.path());
        assert_eq!(names(folder.path()), kept);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_removed_and_what_it_leads_to_stays() {
        let folder = TempDir::new().unwrap();
        let target = folder.path().join("target");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("file"), "").unwrap();
        let link = folder.path().join(format!("{PREFIX}{}-{}-link", *HOST, dead_process()));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        sweep(folder.path());
        assert_eq!(names(folder.path()), HashSet::from(["target".into()]));
        assert!(target.join("file").exists());
    }
}
