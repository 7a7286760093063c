//! A recipe: the files and the commands that give figures of a core, as data.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utfhdl_sim::tool::{Cache, ToolError, run};

use super::error::ReportError;
use super::longest_path::LongestPath;
use super::table::{Column, Figures};
use super::tools::Tool;

/// Figures, and a path, that were found in the output of the tools.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Findings {
    pub(super) figures: Figures,
    /// The longest path, under the column of the clock that it allows.
    pub(super) path: Option<(Column, LongestPath)>,
}

impl From<Figures> for Findings {
    fn from(figures: Figures) -> Self {
        Self { figures, path: None }
    }
}

/// A part of the hash of every recipe. Change it when the output of the tools is read in another way, so that older figures in the
/// cache are not used.
const READING: &str = "report 3";

/// Files, and commands that run on the files one after the other, in a separate folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    /// The files in the folder before the first command runs: name and text.
    files: Vec<(&'static str, Arc<str>)>,
    steps: Vec<Step>,
    name: Option<String>,
}

#[derive(Clone, Debug)]
struct Step {
    tool: Tool,
    arguments: Vec<String>,
    /// The file that gets the tool's output.
    log: Option<&'static str>,
}

impl Recipe {
    /// Puts a file into the folder.
    pub(super) fn file(mut self, name: &'static str, text: impl Into<Arc<str>>) -> Self {
        self.files.push((name, text.into()));
        self
    }

    /// Sets the figures apart from those of the same files and commands under another name, which are kept in other columns.
    pub(super) fn named(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    /// Runs a tool.
    pub(super) fn run(mut self, tool: &Tool, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        self.steps.push(Step { tool: tool.clone(), arguments, log: None });
        self
    }

    /// Writes the output of the last command to a file.
    pub(super) fn log(mut self, name: &'static str) -> Self {
        self.steps.last_mut().expect("a command runs before it is logged").log = Some(name);
        self
    }

    /// The findings of `read` in the folder after the last command; none if the design does not fit into the device. If
    /// the same recipe was run before, they come from `cache` and nothing is run.
    pub(super) fn findings(
        &self,
        cache: &Cache,
        read: impl FnOnce(&Path) -> Result<Findings, ReportError>,
    ) -> Result<Findings, ReportError> {
        let path = cache.file(&self.ingredients(), "json", |folder| {
            let found = match self.execute(folder) {
                Ok(()) => read(folder)?,
                Err(error) if is_too_large(&error) => Findings::default(),
                Err(error) => return Err(error.into()),
            };
            let found = serde_json::to_string(&found).expect("findings are numbers and names");
            let path = folder.join("found.json");
            write(&path, &found)?;
            Ok::<PathBuf, ReportError>(path)
        })?;
        let text = contents(&path)?;
        serde_json::from_str(&text).map_err(|error| ToolError::io(&path, error.into()).into())
    }

    fn execute(&self, folder: &Path) -> Result<(), ToolError> {
        for (name, text) in &self.files {
            write(&folder.join(name), text)?;
        }
        for step in &self.steps {
            let printed = run(Command::new(step.tool.program).args(&step.arguments).current_dir(folder))?;
            if let Some(log) = step.log {
                write(&folder.join(log), &printed)?;
            }
        }
        Ok(())
    }

    fn ingredients(&self) -> Vec<&str> {
        let mut ingredients = vec![READING];
        for (name, text) in &self.files {
            ingredients.extend([*name, text]);
        }
        for step in &self.steps {
            ingredients.extend([step.tool.name, &step.tool.version]);
            ingredients.extend(step.arguments.iter().map(String::as_str));
        }
        ingredients.extend(self.name.as_deref());
        ingredients
    }
}

/// Whether a tool failed because the device has fewer cells than the design. nextpnr finds that out when it places them.
fn is_too_large(error: &ToolError) -> bool {
    matches!(error, ToolError::Failed { output, .. }
        if output.to_ascii_lowercase().contains("no bels remaining to implement cell type"))
}

/// The text of a file that a tool left.
pub(super) fn contents(path: &Path) -> Result<String, ToolError> {
    std::fs::read_to_string(path).map_err(|error| ToolError::io(path, error))
}

fn write(path: &Path, text: &str) -> Result<(), ToolError> {
    std::fs::write(path, text).map_err(|error| ToolError::io(path, error))
}

#[cfg(all(test, unix))]
mod tests {
    use tempfile::tempdir;

    use super::*;

    fn shell(version: &str) -> Tool {
        Tool { name: "sh", program: "sh", version: version.to_owned() }
    }

    fn latency(folder: &Path) -> Result<Findings, ReportError> {
        let text = contents(&folder.join("out"))?;
        Ok(Figures::from([(Column::Latency, text.trim().parse().unwrap())]).into())
    }

    fn never(_: &Path) -> Result<Findings, ReportError> {
        panic!("the recipe was run, though its result is in the cache");
    }

    fn recipe(version: &str, input: &str) -> Recipe {
        Recipe::default().file("in", input).run(&shell(version), &["-c", "cat in; cat in"]).log("out")
    }

    #[test]
    fn the_same_is_run_once() {
        let folder = tempdir().unwrap();
        let cache = Cache::in_folder(folder.path());
        let found = recipe("1", "4").findings(&cache, latency).unwrap();
        assert_eq!(found, Figures::from([(Column::Latency, 44.0)]).into());
        assert_eq!(recipe("1", "4").findings(&cache, never).unwrap(), found);
        assert_eq!(recipe("1", "5").findings(&cache, latency).unwrap().figures[&Column::Latency], 55.0);
        assert_eq!(recipe("2", "4").findings(&cache, latency).unwrap(), found);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn what_does_not_fit_has_no_figures_and_is_tried_once() {
        let folder = tempdir().unwrap();
        let cache = Cache::in_folder(folder.path());
        // The message of nextpnr-ice40 0.4.
        let said =
            "ERROR: Unable to place cell 'held_0_LC', no BELs remaining to implement cell type 'ICESTORM_LC'";
        let script = format!("echo \"{said}\" >&2; exit 255");
        let recipe = Recipe::default().run(&shell("1"), &["-c", &script]);
        for _ in 0..2 {
            assert_eq!(recipe.findings(&cache, never).unwrap(), Findings::default());
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_failed_is_shown_and_not_kept() {
        let folder = tempdir().unwrap();
        let cache = Cache::in_folder(folder.path());
        let recipe = Recipe::default().run(&shell("1"), &["-c", "echo no room >&2; exit 3"]);
        let error = recipe.findings(&cache, never).unwrap_err().to_string();
        assert!(error.contains("exit status: 3") && error.contains("no room"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
