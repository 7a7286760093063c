//! The scopes and variables of a dump, and where their values come from.

use std::collections::HashSet;
use std::sync::Arc;

use utfhdl_hdl::netlist::{Labels, Section};

use super::source::WaveSource;
use crate::flat::Scope;
use crate::layout::PortSlot;

/// Name of the outermost scope.
pub(super) const ROOT: &str = "tb";

/// The end of the name of a text that is UTF-8.
pub(super) const UTF8: &str = "_utf8";

/// The source of a variable's value. Variables of one origin are one signal of the dump under several names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// The clock.
    Clock,
    /// The number of the cycle.
    Cycle,
    /// Whether some engine's outputs differ from the first's.
    Differ,
    /// The ASCII part of a text of the caller's, by its index.
    Text(usize),
    /// A text of the caller's as escaped UTF-8, by its index.
    Utf8(usize),
    /// An input port, by index in the layout.
    Input(usize),
    /// An output port of an engine, by indices.
    Output(usize, usize),
    /// A signal of the netlist, by its flat index.
    Signal(usize),
    /// The name of a signal's value: where the signal comes from, and what is named.
    Label(Box<Origin>, String),
}

/// A variable: a name in a scope.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Name of the signal, port or text that it shows. Only that of a label, or of a text as UTF-8, is another than its own.
    pub(super) of: String,
    /// Width in bits; of text, 0.
    pub(super) width: u32,
    pub(super) origin: Origin,
    pub(super) register: bool,
    /// Index in [`Folder::sections`].
    pub(super) section: usize,
    /// The names of the values, both of a number and of its label.
    pub(super) labels: Option<Arc<Labels>>,
}

impl Variable {
    fn new(name: &str, width: u32, origin: Origin) -> Self {
        let (name, of) = (name.to_owned(), name.to_owned());
        Self { name, of, width, origin, register: false, section: 0, labels: None }
    }

    /// The variable, then the variable that names its values, if it has labels.
    fn with_label(self, taken: &HashSet<&str>) -> impl Iterator<Item = Self> {
        let label = self.labels.as_ref().map(|labels| Self {
            name: free_name(format!("{}_label", self.name), taken),
            width: 0,
            origin: Origin::Label(Box::new(self.origin.clone()), labels.name.clone()),
            ..self.clone()
        });
        [Some(self), label].into_iter().flatten()
    }

    /// Whether a reader is shown the label in place of the number.
    pub(super) fn has_label(&self) -> bool {
        self.labels.is_some() && !self.is_text()
    }

    pub(super) fn is_text(&self) -> bool {
        self.width == 0
    }
}

/// A scope of the dump.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    pub(super) name: String,
    /// Headings; an empty one is not shown.
    pub(super) sections: Vec<String>,
    pub(super) variables: Vec<Variable>,
    pub(super) children: Vec<Folder>,
    /// Whether it is a module of the netlist.
    pub(super) module: bool,
}

impl Folder {
    /// The root scope of the dump, with the signals that are wanted.
    pub(super) fn of(source: &WaveSource) -> Self {
        let mut root = Self::of_all(source);
        if !source.globs.is_empty() {
            root.retain(ROOT, source.globs);
        }
        root
    }

    /// The root scope with all signals there are.
    pub(super) fn of_all(source: &WaveSource) -> Self {
        let mut variables =
            vec![Variable::new("clk", 1, Origin::Clock), Variable::new("cycle", 64, Origin::Cycle)];
        if source.engines.len() > 1 {
            variables.push(Variable::new("engines_differ", 1, Origin::Differ));
        }
        for (index, name) in source.texts.iter().enumerate() {
            variables.push(Variable::new(name, 0, Origin::Text(index)));
            let of = (*name).to_owned();
            let utf8 = Variable::new(&format!("{name}{UTF8}"), 0, Origin::Utf8(index));
            variables.push(Variable { of, ..utf8 });
        }
        variables.extend(ports(&source.layout.inputs, source.scope, Origin::Input));
        let engines = source.engines.iter().enumerate().map(|(engine, name)| Self {
            // A viewer takes `-` in a name for an operator.
            name: name.replace('-', "_"),
            sections: vec![String::new()],
            variables: ports(&source.layout.outputs, source.scope, |port| Origin::Output(engine, port)),
            children: Vec::new(),
            module: false,
        });
        let children = engines.chain(source.scope.map(Self::module)).collect();
        let sections = vec![String::new()];
        Self { name: ROOT.to_owned(), sections, variables, children, module: false }
    }

    fn module(scope: &Scope) -> Self {
        let taken = scope.signals.iter().map(|signal| signal.name.as_str()).collect();
        let signals = scope.signals.iter().map(|signal| Variable {
            register: signal.register,
            section: signal.section,
            labels: signal.labels.clone(),
            ..Variable::new(&signal.name, signal.width, Origin::Signal(signal.signal))
        });
        let variables = signals.flat_map(|signal| signal.with_label(&taken)).collect();
        let children = scope.children.iter().map(Self::module).collect();
        let (name, sections) = (scope.name.clone(), scope.sections.iter().map(Section::heading).collect());
        Self { name, sections, variables, children, module: true }
    }

    /// Keeps the clock, and the variables that a glob matches. A label is also kept if the name of its signal matches.
    fn retain(&mut self, path: &str, globs: &[&str]) {
        let wanted = |name: &str| globs.iter().any(|glob| selects(glob, &format!("{path}.{name}")));
        let wanted: HashSet<String> = self
            .variables
            .iter()
            .filter(|variable| variable.origin == Origin::Clock || wanted(&variable.name))
            .map(|variable| variable.of.clone())
            .collect();
        self.variables.retain(|variable| wanted.contains(&variable.of));
        for child in &mut self.children {
            child.retain(&format!("{path}.{}", child.name), globs);
        }
        self.children.retain(|child| !child.module || !child.is_empty());
    }

    /// Whether there is no variable in it or below it.
    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.children.iter().all(Self::is_empty)
    }

    /// Calls `visit` with every variable and its path.
    pub(super) fn for_each<'f>(&'f self, visit: &mut impl FnMut(String, &'f Variable)) {
        self.walk("", &mut |path, folder| {
            for variable in &folder.variables {
                visit(format!("{path}.{}", variable.name), variable);
            }
        });
    }

    /// Calls `visit` with every scope and its path, outer ones first.
    pub(super) fn walk<'f>(&'f self, above: &str, visit: &mut impl FnMut(&str, &'f Folder)) {
        let path = if above.is_empty() { self.name.clone() } else { format!("{above}.{}", self.name) };
        visit(&path, self);
        self.children.iter().for_each(|child| child.walk(&path, visit));
    }
}

/// Whether a glob matches a path, with the outermost scope or without it.
pub(super) fn selects(glob: &str, path: &str) -> bool {
    let below_root = path.strip_prefix(ROOT).and_then(|path| path.strip_prefix('.'));
    glob_matches(glob, path) || below_root.is_some_and(|path| glob_matches(glob, path))
}

/// Whether a glob matches a text: `*` matches any characters, `?` one.
pub fn glob_matches(glob: &str, text: &str) -> bool {
    matches(glob.as_bytes(), text.as_bytes())
}

fn matches(glob: &[u8], text: &[u8]) -> bool {
    let (mut at_glob, mut at_text) = (0, 0);
    // The last `*`, and the position in the text after the characters that it matches.
    let mut star: Option<(usize, usize)> = None;
    while at_text < text.len() {
        match glob.get(at_glob) {
            Some(b'*') => {
                star = Some((at_glob, at_text));
                at_glob += 1;
            }
            Some(&wanted) if wanted == b'?' || wanted == text[at_text] => {
                (at_glob, at_text) = (at_glob + 1, at_text + 1);
            }
            _ => {
                let Some((behind, from)) = star else { return false };
                star = Some((behind, from + 1));
                (at_glob, at_text) = (behind + 1, from + 1);
            }
        }
    }
    glob[at_glob..].iter().all(|&rest| rest == b'*')
}

/// The variables of ports, with the labels that the netlist has for them.
fn ports(slots: &[PortSlot], top: Option<&Scope>, origin: impl Fn(usize) -> Origin) -> Vec<Variable> {
    let signals = || top.iter().flat_map(|top| &top.signals);
    let taken = slots.iter().map(|slot| slot.name.as_str()).collect();
    let ports = slots.iter().enumerate().map(|(index, slot)| Variable {
        labels: signals().find(|signal| signal.name == slot.name).and_then(|signal| signal.labels.clone()),
        ..Variable::new(&slot.name, slot.width, origin(index))
    });
    ports.flat_map(|port| port.with_label(&taken)).collect()
}

fn free_name(mut name: String, taken: &HashSet<&str>) -> String {
    while taken.contains(name.as_str()) {
        name.push('_');
    }
    name
}
