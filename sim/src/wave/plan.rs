//! The contents of a viewer: the signals in their order and colours, and the cycles in view.

use std::collections::HashMap;

use super::catalogue::{Origin, Variable};
use super::error::WaveError;

/// The groups that a viewer opens with, from top to bottom.
///
/// [`new`](Self::new) derives them from what there is to see; change, add or take away what a run needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WavePlan {
    /// The groups.
    pub groups: Vec<WaveGroup>,
    /// Whether the window shows a third more cycles at first, with less room for each: for cores whose latency is long.
    pub is_dense: bool,
}

/// Signals under a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveGroup {
    /// The title. Surfer takes one word: what is not a letter, a digit or `_` becomes `_` there.
    pub title: String,
    /// Whether its signals are hidden until the reader opens it.
    pub folded: bool,
    /// The lines of the group.
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

impl WavePlan {
    /// The plan with the variables it names, which are given by path.
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

/// The cycles of a dump, and where a viewer opens it.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    /// The first cycle of the dump.
    pub(super) first: u64,
    /// The cycle after the last.
    pub(super) end: u64,
    /// A cycle to be marked, and the name of the marker. Viewers open there.
    pub(super) mark: Option<(u64, String)>,
    /// Without a mark, the cycle that viewers open with, else the first.
    pub(super) open_at: Option<u64>,
    /// [`WavePlan::is_dense`].
    pub(super) is_dense: bool,
}

/// A group with its signals found.
pub(super) struct Resolved<'v> {
    pub(super) title: String,
    pub(super) folded: bool,
    pub(super) lines: Vec<Line<'v>>,
}

impl<'v> Resolved<'v> {
    /// The signals of the group with their paths.
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

/// The kinds of signals that have colours of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Clock, cycle and reset.
    Frame,
    /// A signal that is 1 where something is wrong.
    Alarm,
    Text,
    Input,
    Output,
    Register,
    Wire,
}

impl Variable {
    pub(super) fn kind(&self) -> Kind {
        if self.register { Kind::Register } else { kind(&self.origin) }
    }
}

fn kind(origin: &Origin) -> Kind {
    match origin {
        Origin::Clock | Origin::Cycle => Kind::Frame,
        Origin::Differ => Kind::Alarm,
        Origin::Text(_) | Origin::Utf8(_) => Kind::Text,
        Origin::Input(_) => Kind::Input,
        Origin::Output(..) => Kind::Output,
        Origin::Signal(_) => Kind::Wire,
        Origin::Label(of, _) => kind(of),
    }
}
