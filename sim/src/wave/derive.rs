//! The plan that suits a source, if the caller has none of its own.

use super::catalogue::{Folder, Origin, ROOT, Variable};
use super::plan::{Kind, WaveGroup, WaveItem, WavePlan};
use super::source::WaveSource;

/// The ports of a handshake, in the order in which people read them. A port `x_tvalid` (or `x_valid`) with its ready
/// makes a handshake of all ports that begin with `x_`.
const HANDSHAKE: [&str; 6] = ["valid", "ready", "last", "keep", "data", "user"];

/// Ports of a handshake with a field for each lane. Where each lane has a text, they are folded.
const PACKED: [&str; 3] = ["keep", "data", "user"];

/// The most lanes whose texts are not folded.
const LANES_SHOWN: usize = 8;

/// Most characters of a heading made from a section's title.
const HEADING_CHARACTERS: usize = 36;

impl WavePlan {
    /// The plan for `source`: text; clock, reset and cycle; a group for each handshake; the other ports; with several engines, their
    /// outputs port by port; the inside of the design. Signals with labels are shown by name.
    ///
    /// The top has a group, with signals under the shortened headings of their sections. Each instance has a folded group.
    ///
    /// A text is shown with the ports of a handshake whose prefix begins its name: one for each lane, such as `m_axis_lane_3`. A source
    /// with such texts has several lanes and a deep pipeline. The plan then shows more cycles, folds ports with a field for each lane into
    /// a group, and makes each section of the top a folded group.
    pub fn new(source: &WaveSource) -> Self {
        let root = Folder::of(source);
        let ports = Ports::of(&root);
        let (on_top, lanes) = texts(&root, &ports);
        let has_lanes = !lanes.is_empty();
        let mut groups = vec![group("text", on_top), group("clock_and_reset", clock_and_reset(&root))];
        groups.extend(ports.groups(&lanes));
        if let [_, _, ..] = source.engines {
            groups.push(side_by_side(&root));
        }
        root.walk("", &mut |path, folder| {
            if folder.module && level(path) == 1 && has_lanes {
                groups.extend(stages(path, folder, &ports));
            } else if folder.module {
                groups.push(instance(path, folder, &ports));
            }
        });
        groups.retain(|group| !group.items.is_empty());
        Self { groups, is_dense: has_lanes }
    }
}

fn group(title: &str, paths: impl IntoIterator<Item = String>) -> WaveGroup {
    let items = paths.into_iter().map(WaveItem::Signal).collect();
    WaveGroup { title: title.to_owned(), folded: false, items }
}

fn folded(title: &str, paths: impl IntoIterator<Item = String>) -> WaveGroup {
    WaveGroup { folded: true, ..group(title, paths) }
}

fn is_reset(name: &str) -> bool {
    matches!(name, "rst" | "rst_n")
}

/// The texts under the names of their ASCII parts, by which viewers find the other: those on top, and those of a handshake.
fn texts(root: &Folder, ports: &Ports) -> (Vec<String>, Vec<String>) {
    let prefixes = ports.prefixes();
    let shown = root.variables.iter().filter(|variable| matches!(variable.origin, Origin::Text(_)));
    let of_handshake = |name: &&str| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let (lanes, on_top): (Vec<&str>, Vec<&str>) =
        shown.map(|variable| variable.name.as_str()).partition(of_handshake);
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    (on_top.into_iter().map(|name| format!("{ROOT}.{name}")).collect(), owned(lanes))
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

    /// A group a handshake, with the texts of its lanes, and one of what is left.
    fn groups(&self, lanes: &[String]) -> Vec<WaveGroup> {
        let prefixes = self.prefixes();
        let of = |name: &str| prefixes.iter().position(|prefix| name.starts_with(prefix));
        let (mut groups, mut packed) = (Vec::new(), Vec::new());
        for (index, prefix) in prefixes.iter().enumerate() {
            let part = |name: &str| name[prefix.len()..].trim_start_matches('t').to_owned();
            let mut ports: Vec<_> = self.ports.iter().filter(|(name, _)| of(name) == Some(index)).collect();
            ports.sort_by_key(|(name, _)| {
                HANDSHAKE.iter().position(|known| *known == part(name)).unwrap_or(HANDSHAKE.len())
            });
            let texts: Vec<String> = lanes
                .iter()
                .filter(|name| of(name) == Some(index))
                .map(|name| format!("{ROOT}.{name}"))
                .collect();
            let is_packed =
                |(name, _): &&(String, String)| !texts.is_empty() && PACKED.contains(&part(name).as_str());
            let (fields, ports): (Vec<_>, Vec<_>) = ports.into_iter().partition(is_packed);
            packed.extend(fields.into_iter().map(|(_, path)| path.clone()));
            let ports = ports.into_iter().map(|(_, path)| path.clone());
            let title = prefix.trim_end_matches('_');
            if texts.len() > LANES_SHOWN {
                groups.push(group(title, ports));
                groups.push(folded(&format!("{title}_lanes"), texts));
            } else {
                groups.push(group(title, ports.chain(texts)));
            }
        }
        let rest = self.ports.iter().filter(|(name, _)| of(name).is_none());
        groups.push(group("ports", rest.map(|(_, path)| path.clone())));
        groups.push(folded("packed_ports", packed));
        groups
    }

    /// The prefix of the names of each handshake, `_` included.
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

/// The group of an instance, folded below the top.
fn instance(path: &str, folder: &Folder, ports: &Ports) -> WaveGroup {
    let mut items = Vec::new();
    for (heading, signals) in sections(path, folder, ports) {
        if !heading.is_empty() && !signals.is_empty() {
            items.push(WaveItem::Heading(shortened(heading)));
        }
        items.extend(signals.into_iter().map(WaveItem::Signal));
    }
    let title = path[ROOT.len() + 1..].to_owned();
    WaveGroup { title, folded: level(path) > 1, items }
}

/// A folded group for each section of the top.
fn stages(path: &str, folder: &Folder, ports: &Ports) -> Vec<WaveGroup> {
    let title = |heading: &str| if heading.is_empty() { folder.name.clone() } else { shortened(heading) };
    sections(path, folder, ports).map(|(heading, signals)| folded(&title(heading), signals)).collect()
}

/// How many scopes a path is below the root.
fn level(path: &str) -> usize {
    path.matches('.').count()
}

/// The headings of a scope's sections with the paths of their signals; what the top shares with the groups of its ports is left
/// out.
fn sections<'f>(
    path: &'f str,
    folder: &'f Folder,
    ports: &'f Ports,
) -> impl Iterator<Item = (&'f str, Vec<String>)> {
    let is_port = move |variable: &Variable| level(path) == 1 && ports.has(&variable.of);
    folder.sections.iter().enumerate().map(move |(section, heading)| {
        let shown = folder
            .variables
            .iter()
            .filter(|variable| variable.section == section && !variable.has_label() && !is_port(variable));
        (heading.as_str(), shown.map(|variable| format!("{path}.{}", variable.name)).collect())
    })
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
