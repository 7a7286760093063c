//! What a viewer shows of a dump, and in which order.

use std::collections::HashMap;

use super::catalogue::{Folder, Origin, ROOT, Variable};
use super::{WaveError, WaveSource};

/// The groups that a viewer opens with, from top to bottom.
///
/// [`new`](Self::new) derives them from what there is to see; change, add or take away what a run needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WavePlan {
    /// The groups.
    pub groups: Vec<WaveGroup>,
}

/// Signals under a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveGroup {
    /// The title. Surfer takes one word: what is not a letter, a digit or `_` becomes `_` there.
    pub title: String,
    /// Whether its signals are hidden until the reader opens it.
    pub folded: bool,
    /// What is in it.
    pub items: Vec<WaveItem>,
}

/// A line of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaveItem {
    /// A signal by its path in the dump, such as `tb.s_axis_tvalid` ([the hierarchy](super)).
    Signal(String),
    /// A heading over the signals that follow.
    Heading(String),
}

/// What a handshake consists of, in the order in which it is read. A port `x_tvalid` (or `x_valid`) with its ready
/// makes a handshake of all ports that begin with `x_`.
const HANDSHAKE: [&str; 6] = ["valid", "ready", "last", "keep", "data", "user"];

impl WavePlan {
    /// The plan that suits `source`: text; clock, reset and cycle; a group a handshake; the other ports; the outputs
    /// of all engines port by port, where there are several; a group an instance, its signals under the headings of
    /// its sections. Signals with labels are shown by name. Instances two or more levels below the top are folded.
    pub fn new(source: &WaveSource) -> Self {
        let root = Folder::of(source);
        let mut groups = vec![
            group("text", source.texts.iter().map(|text| format!("{ROOT}.{text}"))),
            group("clock_and_reset", clock_and_reset(&root)),
        ];
        let ports = Ports::of(&root);
        groups.extend(ports.groups());
        if let [_, _, ..] = source.engines {
            groups.push(side_by_side(&root));
        }
        root.walk("", &mut |path, folder| {
            if folder.module {
                groups.push(instance(path, folder, &ports));
            }
        });
        groups.retain(|group| !group.items.is_empty());
        Self { groups }
    }

    /// The variables the plan names, by path.
    ///
    /// # Errors
    /// If the dump does not have one of them.
    pub(super) fn resolve<'v>(
        &self,
        variables: &HashMap<String, &'v Variable>,
    ) -> Result<Vec<Resolved<'v>>, WaveError> {
        let line = |group: &WaveGroup, item: &WaveItem| match item {
            WaveItem::Heading(title) => Ok(Line::Heading(title.clone())),
            WaveItem::Signal(path) => match variables.get(path) {
                Some(variable) => Ok(Line::Signal(path.clone(), variable)),
                None => Err(WaveError::UnknownSignal { group: group.title.clone(), signal: path.clone() }),
            },
        };
        let groups = self.groups.iter().map(|group| {
            let lines = group.items.iter().map(|item| line(group, item)).collect::<Result<_, _>>()?;
            Ok(Resolved { title: group.title.clone(), folded: group.folded, lines })
        });
        groups.collect()
    }
}

/// A group with its signals found.
pub(super) struct Resolved<'v> {
    pub(super) title: String,
    pub(super) folded: bool,
    pub(super) lines: Vec<Line<'v>>,
}

impl<'v> Resolved<'v> {
    /// Its signals with their paths.
    pub(super) fn signals(&self) -> impl Iterator<Item = (&str, &'v Variable)> {
        self.lines.iter().filter_map(|line| match line {
            Line::Signal(path, variable) => Some((path.as_str(), *variable)),
            Line::Heading(_) => None,
        })
    }
}

/// A line with its signal found.
pub(super) enum Line<'v> {
    Heading(String),
    Signal(String, &'v Variable),
}

/// What a viewer sets off by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Clock, cycle and the like.
    Frame,
    /// Something is wrong where it is 1.
    Alarm,
    Text,
    Input,
    Output,
    Register,
    Wire,
}

impl Variable {
    pub(super) fn kind(&self) -> Kind {
        match self.origin {
            _ if self.register => Kind::Register,
            Origin::Clock | Origin::Cycle => Kind::Frame,
            Origin::Differ => Kind::Alarm,
            Origin::Text(_) | Origin::Utf8(_) => Kind::Text,
            Origin::Input(_) => Kind::Input,
            Origin::Output(..) => Kind::Output,
            Origin::Signal(_) | Origin::Label(..) => Kind::Wire,
        }
    }
}

fn group(title: &str, paths: impl IntoIterator<Item = String>) -> WaveGroup {
    let items = paths.into_iter().map(WaveItem::Signal).collect();
    WaveGroup { title: title.to_owned(), folded: false, items }
}

fn is_reset(name: &str) -> bool {
    matches!(name, "rst" | "rst_n")
}

fn clock_and_reset(root: &Folder) -> Vec<String> {
    let frame = |v: &&Variable| matches!(v.kind(), Kind::Frame | Kind::Alarm) || is_reset(&v.name);
    root.variables.iter().filter(frame).map(|variable| format!("{ROOT}.{}", variable.name)).collect()
}

/// The design's ports but for clock and reset, and where the dump has them: the outputs as the first engine gave
/// them.
struct Ports {
    /// Name and path, in order of declaration.
    ports: Vec<(String, String)>,
}

impl Ports {
    fn of(root: &Folder) -> Self {
        let is_port = |v: &&Variable| {
            let is_number = matches!(v.origin, Origin::Input(_) | Origin::Output(..));
            (is_number || matches!(v.origin, Origin::Label(..))) && !v.has_label() && !is_reset(&v.of)
        };
        let mut ports = Vec::new();
        let engine = root.children.first().filter(|child| !child.module);
        for (path, folder) in [(ROOT.to_owned(), root)]
            .into_iter()
            .chain(engine.map(|engine| (format!("{ROOT}.{}", engine.name), engine)))
        {
            let shown = folder.variables.iter().filter(is_port);
            ports.extend(shown.map(|port| (port.of.clone(), format!("{path}.{}", port.name))));
        }
        Self { ports }
    }

    /// A group a handshake, and one of what is left.
    fn groups(&self) -> Vec<WaveGroup> {
        let prefixes = self.prefixes();
        let of = |name: &str| prefixes.iter().position(|prefix| name.starts_with(prefix));
        let mut groups: Vec<WaveGroup> = Vec::new();
        for (index, prefix) in prefixes.iter().enumerate() {
            let mut ports: Vec<_> = self.ports.iter().filter(|(name, _)| of(name) == Some(index)).collect();
            ports.sort_by_key(|(name, _)| {
                let part = name[prefix.len()..].trim_start_matches('t');
                HANDSHAKE.iter().position(|known| *known == part).unwrap_or(HANDSHAKE.len())
            });
            groups.push(group(prefix.trim_end_matches('_'), ports.into_iter().map(|(_, path)| path.clone())));
        }
        let rest = self.ports.iter().filter(|(name, _)| of(name).is_none());
        groups.push(group("ports", rest.map(|(_, path)| path.clone())));
        groups
    }

    /// What the names of each handshake begin with, `_` included.
    fn prefixes(&self) -> Vec<&str> {
        let has = |name: String| self.ports.iter().any(|(other, _)| *other == name);
        let mut prefixes = Vec::new();
        for (name, _) in &self.ports {
            for t in ["t", ""] {
                let Some(prefix) = name.strip_suffix("valid").and_then(|name| name.strip_suffix(t)) else {
                    continue;
                };
                if prefix.ends_with('_') && has(format!("{prefix}{t}ready")) && !prefixes.contains(&prefix) {
                    prefixes.push(prefix);
                }
            }
        }
        prefixes
    }

    fn has(&self, name: &str) -> bool {
        self.ports.iter().any(|(port, _)| port == name)
    }
}

/// Every output port as each engine gave it, one below the other.
fn side_by_side(root: &Folder) -> WaveGroup {
    let engines: Vec<&Folder> = root.children.iter().filter(|child| !child.module).collect();
    let ports = engines[0].variables.iter().filter(|port| !port.has_label());
    let of = |port: &Variable| {
        let path = |engine: &&Folder| format!("{ROOT}.{}.{}", engine.name, port.name);
        engines.iter().map(path).collect::<Vec<_>>()
    };
    group("engines", ports.flat_map(of))
}

/// The group of an instance; what the top shares with the groups of its ports is left out.
fn instance(path: &str, folder: &Folder, ports: &Ports) -> WaveGroup {
    let level = path.matches('.').count();
    let is_port = |variable: &Variable| level == 1 && ports.has(&variable.of);
    let shown = folder.variables.iter().filter(|variable| !variable.has_label() && !is_port(variable));
    // What one section makes can stand apart in the source: wires are declared before they are driven.
    let mut sections: Vec<(&str, Vec<&Variable>)> = vec![("", Vec::new())];
    for variable in shown {
        match sections.iter_mut().find(|(title, _)| *title == variable.section) {
            Some((_, variables)) => variables.push(variable),
            None => sections.push((&variable.section, vec![variable])),
        }
    }
    let mut items = Vec::new();
    for (title, variables) in sections {
        if !title.is_empty() {
            items.push(WaveItem::Heading(title.to_owned()));
        }
        items.extend(variables.iter().map(|variable| WaveItem::Signal(format!("{path}.{}", variable.name))));
    }
    let title = path[ROOT.len() + 1..].to_owned();
    WaveGroup { title, folded: level > 2, items }
}
