//! The file of results: what is done already, and what is added to it.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};
use utfhdl::campaign::{self, Campaign, Line};

use super::Args;

/// The results there are, and the file that they go to.
pub(super) struct Results {
    pub(super) lines: Vec<Line>,
    /// A line of this campaign with nothing in it.
    pub(super) like: Line,
    file: Option<BufWriter<File>>,
    /// The inputs that are still to run.
    pub(super) missing: Vec<std::ops::Range<u64>>,
}

impl Results {
    pub(super) fn open(args: &Args, campaign: &Campaign) -> anyhow::Result<Self> {
        let range = campaign.range_of(args.shard);
        let nothing =
            campaign::Part { first: range.start, inputs: 0, counts: Default::default(), failure: None };
        let like = campaign.line(&nothing, args.shard);
        let mut lines = match &args.out {
            Some(out) if args.resume && out.exists() => read(out)?,
            Some(out) if out.exists() => {
                bail!("{} is there already: go on with it by --resume, or name another file", out.display())
            }
            _ => Vec::new(),
        };
        if let Some(line) = lines.iter().find(|line| !is_of(line, &like)) {
            let out = args.out.as_deref().unwrap_or(Path::new("")).display().to_string();
            bail!(
                "{out} is of another campaign, `{}` of netlist {}, shard {}: this one is `{}` of netlist {}, shard {}",
                line.campaign,
                line.netlist,
                line.shard,
                like.campaign,
                like.netlist,
                like.shard
            );
        }
        // What failed is run again: perhaps the program is another.
        lines.retain(|line| line.failure.is_none());
        lines.sort_by_key(|line| line.first);
        let missing = campaign::gaps(&lines.iter().collect::<Vec<_>>(), range);
        let missing = missing.into_iter().map(|(from, to)| from..to).collect();
        let file = args.out.as_deref().map(|out| rewrite(out, &lines)).transpose()?;
        Ok(Self { lines, like, file, missing })
    }

    pub(super) fn add(&mut self, line: Line) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", serde_json::to_string(&line)?).context("the results can't be written")?;
        }
        self.lines.push(line);
        // Whoever is killed loses the parts at hand, no more.
        self.flush()
    }

    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush).context("the results can't be written")
    }

    pub(super) fn done(&self) -> u64 {
        self.lines.iter().map(|line| line.inputs).sum()
    }

    /// Inputs of the shard.
    pub(super) fn wanted(&self) -> u64 {
        let missing: u64 = self.missing.iter().map(|range| range.end - range.start).sum();
        let there: u64 = self.lines.iter().filter(|line| !self.is_new(line)).map(|line| line.inputs).sum();
        missing + there
    }

    fn is_new(&self, line: &Line) -> bool {
        self.missing.iter().any(|range| range.contains(&line.first))
    }
}

/// Whether a line is of the campaign and the shard of another.
fn is_of(line: &Line, other: &Line) -> bool {
    let of = |line: &Line| (line.campaign.clone(), line.netlist.clone(), line.total, line.shard.clone());
    of(line) == of(other)
}

pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Line>> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    Ok(campaign::read(&name, BufReader::new(file))?)
}

/// A file with these lines, open for more. The old one stays until the new one is whole.
fn rewrite(path: &Path, lines: &[Line]) -> anyhow::Result<BufWriter<File>> {
    let context = || format!("cannot write {}", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    for line in lines {
        writeln!(file, "{}", serde_json::to_string(line)?).with_context(context)?;
    }
    Ok(BufWriter::new(file.persist(path).map_err(|error| error.error).with_context(context)?))
}
