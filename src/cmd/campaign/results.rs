//! The file of results: what is done already, and what is added to it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, anyhow, bail};
use utfhdl::campaign::{Campaign, Line, Part, Reader, ResultsError, Shard, Sum, Tally};
use utfhdl_sim::scratch::ScratchFile;

use super::args::Args;
use crate::cmd::files::{self, Locked};
use crate::cmd::output::warn_of;

/// The results there are, and the file that they go to.
pub(super) struct Results {
    tally: Tally,
    shard: Shard,
    /// The inputs of the shard.
    range: Range<u64>,
    /// The inputs that were not there at the start.
    missing: Vec<Range<u64>>,
    /// The name of the file in errors.
    name: Arc<str>,
    file: Option<ResultsFile>,
    /// The number of lines written or read.
    lines: u64,
}

impl Results {
    /// Reads the results there are, if the arguments say so, and makes the file.
    pub(super) fn open(args: &Args, campaign: &Campaign) -> anyhow::Result<Self> {
        let range = campaign.range_of(args.shard)?;
        let mut tally = Tally::of_shard(campaign, args.shard);
        let mut lines = 0;
        let file = match &args.out {
            Some(out) if args.resume && out.exists() => Some(resume(out, &mut tally, &mut lines)?),
            Some(out) => Some(ResultsFile::create(out)?),
            None => None,
        };
        let name = args.out.as_ref().map_or("this run".to_owned(), |out| out.shown());
        let missing = tally.missing(range.clone());
        Ok(Self { tally, shard: args.shard, range, missing, name: name.into(), file, lines })
    }

    /// Adds a part that is done, and writes it to the file.
    pub(super) fn add(&mut self, campaign: &Campaign, part: &Part) -> anyhow::Result<()> {
        let line = Line::new(campaign, self.shard, part);
        self.lines += 1;
        self.tally.add(&self.name, self.lines, &line)?;
        match &mut self.file {
            Some(file) => file.append(&line).with_context(|| format!("cannot write {}", self.name)),
            None => Ok(()),
        }
    }

    /// Waits until the file is on the disk. Some file systems, such as NFS, say only then that there was no room.
    pub(super) fn sync(&self) -> anyhow::Result<()> {
        match &self.file {
            Some(file) => file.file.sync_all().with_context(|| format!("cannot write {}", self.name)),
            None => Ok(()),
        }
    }

    /// The inputs that were still to run at the start.
    pub(super) fn missing(&self) -> &[Range<u64>] {
        &self.missing
    }

    /// How many inputs are done.
    pub(super) fn done(&self) -> u64 {
        self.tally.inputs()
    }

    /// How many inputs the shard has.
    pub(super) fn wanted(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// The sum of all results.
    pub(super) fn sum(&self) -> &Sum {
        self.tally.sum().expect("a tally of a shard has a sum from the start")
    }
}

/// A file that lines are added to, locked for this process.
struct ResultsFile {
    file: File,
    /// Bytes of the lines that are written.
    length: u64,
}

impl ResultsFile {
    /// A new file.
    fn create(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            bail!(
                "--out needs a file for the results of each part; --json prints their sum to standard output"
            );
        }
        match File::create_new(path) {
            Ok(file) => {
                lock(&file, path)?;
                Ok(Self { file, length: 0 })
            }
            Err(_) if path.is_dir() => bail!("{} is a directory: name a file", path.shown()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                bail!("{} is there already: go on with it by --resume, or name another file", path.shown())
            }
            Err(error) => Err(error).with_context(|| format!("cannot write {}", path.shown())),
        }
    }

    /// Adds a line in one call, so that whoever is killed loses the parts at hand, no more. Where there is no room for it, none
    /// of it stays.
    fn append(&mut self, line: &Line) -> io::Result<()> {
        let text = line.to_text() + "\n";
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // If this fails, too, a line is left that is cut off, which the next run passes over.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

/// Adds up the lines of a file and rewrites the file without a line that was cut off and without failures, which are run again. The old
/// file remains until the new one is complete.
fn resume(path: &Path, tally: &mut Tally, lines: &mut u64) -> anyhow::Result<ResultsFile> {
    let name: Arc<str> = path.shown().into();
    let cannot_write = || format!("cannot write {name}");
    let old = open_locked(path)?;
    let rights = old.metadata().with_context(|| format!("cannot open {name}"))?.permissions();
    // Not a link to it, which has to stay one.
    let place = fs::canonicalize(path).with_context(|| format!("cannot open {name}"))?;
    let mut new = BufWriter::new(ScratchFile::beside(&place).with_context(cannot_write)?);
    for line in Reader::new(&*name, BufReader::new(&old)) {
        let (number, line) = match line {
            Err(torn @ ResultsError::Torn { .. }) => {
                warn_of(Err(anyhow!("{torn}; its part is run again")));
                break;
            }
            line => line?,
        };
        if line.failure.is_none() {
            tally.add(&name, number, &line)?;
            writeln!(new, "{}", line.to_text()).with_context(cannot_write)?;
            *lines += 1;
        }
    }
    let new = new.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot_write)?;
    fs::set_permissions(new.path(), rights).with_context(cannot_write)?;
    new.as_file().sync_all().with_context(cannot_write)?;
    // A process that opens the new file finds a lock. A process that waits for the old file sees that the file at the path has changed.
    lock(new.as_file(), path)?;
    let mut file = new.persist(&place).with_context(cannot_write)?;
    let length = file.stream_position().with_context(cannot_write)?;
    Ok(ResultsFile { file, length })
}

/// Opens a file of results and locks it.
fn open_locked(path: &Path) -> anyhow::Result<File> {
    let name = path.shown();
    loop {
        let metadata = fs::metadata(path).with_context(|| format!("cannot open {name}"))?;
        if !metadata.is_file() {
            bail!("{name} is no regular file: results can't be read from it and written to it");
        }
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let file = opened.with_context(|| format!("cannot open {name}"))?;
        lock(&file, path)?;
        // Another process may have replaced the file before releasing this lock.
        if files::is_at(&file, path) {
            return Ok(file);
        }
    }
}

/// Locks a file of results, or says who must end first.
fn lock(file: &File, path: &Path) -> anyhow::Result<()> {
    let name = path.shown();
    match files::lock(file) {
        Ok(Locked::ByUs) => {}
        Ok(Locked::ByOther) => {
            bail!(
                "{name} is in use: another process writes results to it; wait for its end, or name another file"
            )
        }
        Err(error) => {
            let unlocked = anyhow!(error)
                .context(format!("{name} can't be locked, so see to it that no other process writes to it"));
            warn_of(Err(unlocked));
        }
    }
    Ok(())
}
