//! The writer of a dump, cycle after cycle, and at its end of the viewers' files.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use super::catalogue::{Folder, Variable, selects};
use super::changes::Changes;
use super::error::WaveError;
use super::files::{PendingFile, WaveFiles, beside};
use super::format::WaveFormat;
use super::plan::{WavePlan, Window};
use super::signals::Signals;
use super::source::{CYCLE_NS, WaveCycle, WaveSource};
use super::{gtkwave, surfer};
use crate::Layout;

/// Paths that an error shows of those that a glob could have matched.
const PATHS_SHOWN: usize = 6;

/// Writes a run into a dump, cycle by cycle, and at the end the files that viewers open it with.
///
/// The files take their names in [`finish`](Self::finish). A writer that is dropped before leaves no files.
pub struct WaveWriter {
    dump: PendingFile,
    gtkw: PendingFile,
    sucl: PendingFile,
    root: Folder,
    plan: WavePlan,
    layout: Layout,
    engines: usize,
    texts: usize,
    signals: Signals,
    changes: Changes,
    /// First and last cycle written.
    cycles: Option<(u64, u64)>,
    /// A cycle to be marked, and the name of the marker.
    mark: Option<(u64, String)>,
    /// The cycle that the viewers open with.
    open_at: Option<u64>,
}

impl WaveWriter {
    /// Begins a dump of `source` at `path`, to be shown as `plan` says. What can be wrong with the path is found out
    /// here, before a long run.
    ///
    /// # Errors
    /// If the folder does not exist, the path is a folder, or either can't be written to; if a glob of the source selects
    /// nothing; and if the plan has a signal that the dump does not.
    ///
    /// # Panics
    /// If two signals of the dump have the same name, such as a text and a port.
    pub fn create(
        path: &Path,
        format: WaveFormat,
        source: &WaveSource,
        plan: &WavePlan,
    ) -> Result<Self, WaveError> {
        Self::begin(path, format, source, plan, PendingFile::create)
    }

    /// Begins a dump in memory, for [`finish_in_memory`](Self::finish_in_memory). `path` gives the files their names.
    ///
    /// # Errors
    /// If a glob of the source selects nothing, or the plan has a signal that the dump does not.
    ///
    /// # Panics
    /// As [`create`](Self::create) does.
    pub fn in_memory(
        path: &Path,
        format: WaveFormat,
        source: &WaveSource,
        plan: &WavePlan,
    ) -> Result<Self, WaveError> {
        Self::begin(path, format, source, plan, |path| Ok(PendingFile::in_memory(path)))
    }

    fn begin(
        path: &Path,
        format: WaveFormat,
        source: &WaveSource,
        plan: &WavePlan,
        open: impl Fn(&Path) -> Result<PendingFile, WaveError>,
    ) -> Result<Self, WaveError> {
        source.globs.iter().try_for_each(|glob| check_glob(glob, source))?;
        let root = Folder::of(source);
        plan.resolve(&by_path(&root))?;
        let mut dump = open(path)?;
        let gtkw = open(&beside(path, "gtkw"))?;
        let sucl = open(&beside(path, "sucl"))?;
        let declared = Changes::declare(format, &root, &mut dump);
        let (changes, ids) = declared.map_err(|error| dump.error(error))?;
        let signals = Signals::new(&root, &ids, source.layout);
        let (layout, engines, texts) = (source.layout.clone(), source.engines.len(), source.texts.len());
        Ok(Self {
            dump,
            gtkw,
            sucl,
            root,
            plan: plan.clone(),
            layout,
            engines,
            texts,
            signals,
            changes,
            cycles: None,
            mark: None,
            open_at: None,
        })
    }

    /// Writes a cycle: of what changed since the last one, the new values.
    ///
    /// # Errors
    /// If the file can't be written to.
    ///
    /// # Panics
    /// If the cycle does not follow on the last one, or does not hold what the [`WaveSource`] announced.
    pub fn cycle(&mut self, cycle: &WaveCycle) -> Result<(), WaveError> {
        assert_eq!(cycle.outputs.len(), self.engines, "records of outputs, one an engine");
        assert_eq!(cycle.texts.len(), self.texts, "texts");
        let first = match self.cycles {
            None => cycle.cycle,
            Some((first, last)) => {
                assert_eq!(cycle.cycle, last + 1, "cycles follow on one another");
                first
            }
        };
        let written = self.write_cycle(cycle);
        self.cycles = Some((first, cycle.cycle));
        written.map_err(|error| self.dump.error(error))
    }

    fn write_cycle(&mut self, cycle: &WaveCycle) -> io::Result<()> {
        let Self { changes, signals, layout, .. } = self;
        let time = cycle.cycle * CYCLE_NS;
        changes.time(time);
        if self.cycles.is_some() {
            changes.bit(signals.clock, true);
            changes.signals(signals, layout, cycle, false);
            changes.time(time + CYCLE_NS / 2);
            changes.bit(signals.clock, false);
            return changes.write_enough(&mut self.dump);
        }
        // The clock is low before its first edge: no edge in the dump made the first values.
        changes.begin_first();
        changes.bit(signals.clock, false);
        changes.signals(signals, layout, cycle, true);
        changes.end_first();
        Ok(())
    }

    /// Whether the dump has the caller's text with this index: any other need not be made.
    pub fn has_text(&self, index: usize) -> bool {
        self.signals.texts.has(index)
    }

    /// The first and the last cycle written.
    pub fn cycles(&self) -> Option<(u64, u64)> {
        self.cycles
    }

    /// Sets the marker: the viewers open at this cycle, and show the marker under this name.
    pub fn mark(&mut self, cycle: u64, name: &str) {
        self.mark = Some((cycle, name.to_owned()));
    }

    /// Makes the viewers open at this cycle, with the cycles before it in view in which its data came in. The first call decides.
    pub fn open_at(&mut self, cycle: u64) {
        self.open_at.get_or_insert(cycle);
    }

    /// Ends the dump with the last cycle's rising edge, writes the viewers' files, and moves all to their places.
    ///
    /// # Errors
    /// If a file can't be written to or moved.
    pub fn finish(self) -> Result<WaveFiles, WaveError> {
        let [dump, gtkw, sucl] = self.whole_files()?;
        Ok(WaveFiles { gtkw: gtkw.persist()?, sucl: sucl.persist()?, dump: dump.persist()? })
    }

    /// Ends a dump in memory, and gives the dump, GTKWave's save file and Surfer's command file, each with its name.
    ///
    /// # Errors
    /// If the plan has a signal that the dump does not.
    pub fn finish_in_memory(self) -> Result<[(String, Vec<u8>); 3], WaveError> {
        Ok(self.whole_files()?.map(|file| (file.name(), file.into_bytes())))
    }

    /// Ends the files: the dump, and those of the viewers.
    fn whole_files(mut self) -> Result<[PendingFile; 3], WaveError> {
        if let Some((_, last)) = self.cycles {
            self.changes.time((last + 1) * CYCLE_NS);
            self.changes.bit(self.signals.clock, true);
        }
        self.changes.finish(&mut self.dump).map_err(|error| self.dump.error(error))?;
        let groups = self.plan.resolve(&by_path(&self.root))?;
        let (first, end) = self.cycles.map_or((0, 0), |(first, last)| (first, last + 1));
        let Self { mark, open_at, plan: WavePlan { is_dense, .. }, .. } = self;
        let window = Window { first, end, mark, open_at, is_dense };
        let gtkw = gtkwave::save_file(&self.dump.name(), &self.gtkw.name(), &window, &groups);
        let sucl = surfer::command_file(&window, &groups);
        self.gtkw.write_all(gtkw.as_bytes()).map_err(|error| self.gtkw.error(error))?;
        self.sucl.write_all(sucl.as_bytes()).map_err(|error| self.sucl.error(error))?;
        // All are whole before the first takes its place.
        for file in [&mut self.dump, &mut self.gtkw, &mut self.sucl] {
            file.flush().map_err(|error| file.error(error))?;
        }
        Ok([self.dump, self.gtkw, self.sucl])
    }
}

/// Refuses a glob that matches no signal.
fn check_glob(glob: &str, source: &WaveSource) -> Result<(), WaveError> {
    let (mut paths, mut is_used) = (Vec::new(), false);
    Folder::of_all(source).for_each(&mut |path, _| {
        is_used |= selects(glob, &path);
        paths.push(path);
    });
    if is_used {
        return Ok(());
    }
    // From all over the hierarchy.
    let some = paths.iter().step_by(paths.len().div_ceil(PATHS_SHOWN)).cloned().collect();
    Err(WaveError::NoSignal { glob: glob.to_owned(), count: paths.len(), some })
}

fn by_path(root: &Folder) -> HashMap<String, &Variable> {
    let mut variables = HashMap::new();
    root.for_each(&mut |path, variable| {
        assert!(!variables.contains_key(&path), "two signals are called {path}");
        variables.insert(path, variable);
    });
    variables
}
