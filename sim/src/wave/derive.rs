//! The plan that suits a source, if the caller has none of its own.

use super::catalogue::{Folder, Origin, ROOT, Variable};
use super::plan::{Kind, WaveGroup, WaveItem, WavePlan};
use super::source::WaveSource;

/// What a handshake consists of, in the order in which it is read. A port `x_tvalid` (or `x_valid`) with its ready
/// makes a handshake of all ports that begin with `x_`.
const HANDSHAKE: [&str; 6] = ["valid", "ready", "last", "keep", "data", "user"];

/// Most characters of a heading made from a section's title.
const HEADING_CHARACTERS: usize = 36;

impl WavePlan {
    /// The plan that suits `source`: text; clock, reset and cycle; a group a handshake; the other ports; the outputs
    /// of all engines port by port, where there are several; a group an instance, its signals under the headings of
    /// its sections, shortened. Signals with labels are shown by name. Instances two or more levels below the top are
    /// folded.
    pub fn new(source: &WaveSource) -> Self {
        let root = Folder::of(source);
        let mut groups = vec![group("text", texts(&root)), group("clock_and_reset", clock_and_reset(&root))];
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
}

fn group(title: &str, paths: impl IntoIterator<Item = String>) -> WaveGroup {
    let items = paths.into_iter().map(WaveItem::Signal).collect();
    WaveGroup { title: title.to_owned(), folded: false, items }
}

fn is_reset(name: &str) -> bool {
    matches!(name, "rst" | "rst_n")
}

/// The texts under the names of their ASCII parts: viewers find the other by that name.
fn texts(root: &Folder) -> Vec<String> {
    let shown = root.variables.iter().filter(|variable| matches!(variable.origin, Origin::Text(_)));
    shown.map(|variable| format!("{ROOT}.{}", variable.name)).collect()
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
    let ports = engines.iter().flat_map(|engine| &engine.variables).filter(|port| !port.has_label());
    let mut names: Vec<&str> = Vec::new();
    for port in ports {
        if !names.contains(&port.name.as_str()) {
            names.push(&port.name);
        }
    }
    let of = |name: &str| {
        let has = |engine: &&&Folder| engine.variables.iter().any(|port| port.name == name);
        let path = |engine: &&Folder| format!("{ROOT}.{}.{name}", engine.name);
        engines.iter().filter(has).map(path).collect::<Vec<_>>()
    };
    group("engines", names.into_iter().flat_map(of))
}

/// The group of an instance; what the top shares with the groups of its ports is left out.
fn instance(path: &str, folder: &Folder, ports: &Ports) -> WaveGroup {
    let level = path.matches('.').count();
    let is_port = |variable: &Variable| level == 1 && ports.has(&variable.of);
    let mut items = Vec::new();
    for (section, heading) in folder.sections.iter().enumerate() {
        let shown = folder
            .variables
            .iter()
            .filter(|variable| variable.section == section && !variable.has_label() && !is_port(variable));
        let signals: Vec<_> =
            shown.map(|variable| WaveItem::Signal(format!("{path}.{}", variable.name))).collect();
        if !heading.is_empty() && !signals.is_empty() {
            items.push(WaveItem::Heading(shortened(heading)));
        }
        items.extend(signals);
    }
    let title = path[ROOT.len() + 1..].to_owned();
    WaveGroup { title, folded: level > 2, items }
}

/// A title as far as it leaves the column of names narrow.
fn shortened(title: &str) -> String {
    if title.chars().count() <= HEADING_CHARACTERS {
        return title.to_owned();
    }
    let start: String = title.chars().take(HEADING_CHARACTERS).collect();
    let words = start.rsplit_once(' ').map_or(&*start, |(words, _)| words);
    format!("{}...", words.trim_end_matches([',', ':', ';', '-', ' ']))
}
