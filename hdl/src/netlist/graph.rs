//! The graph of a module that is being built, and the signals that refer to its nodes.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::folded::Folded;
use super::module::{Module, Node, NodeId, Op};

/// A register that delays a signal: its enable, and whether reset clears it.
pub(super) struct Delay {
    pub(super) enable: NodeId,
    pub(super) is_flag: bool,
    pub(super) register: NodeId,
}

/// A module that is being built.
pub struct Builder {
    pub(super) module: RefCell<Module>,
    pub(super) group: RefCell<String>,
    /// The registers that delay each signal, and what those are named after.
    pub(super) delays: RefCell<HashMap<NodeId, Vec<Delay>>>,
    pub(super) called: RefCell<HashMap<NodeId, String>>,
    /// The enables of the stages of each [pipeline](Self::pipeline).
    pub(super) pipelines: RefCell<Vec<Vec<NodeId>>>,
    /// Stages without registers of their own.
    pub(super) folded: Cell<Folded>,
    /// Stages of registers before those that sections count from 1.
    pub(super) stages_before: Cell<u32>,
    /// Signals in place of registers that are left out, and the names of those.
    pub(super) left_out: RefCell<Vec<(NodeId, String)>>,
}

/// A signal of a module that is being built. A signal is a handle that is cheap to copy. Widths are checked where a signal
/// is made; see the table in [the module's documentation](super).
#[derive(Clone, Copy)]
pub struct Signal<'m> {
    pub(super) builder: &'m Builder,
    pub(super) id: NodeId,
    pub(super) width: u32,
}

impl Builder {
    pub(super) fn node(&self, op: Op, width: u32) -> Signal<'_> {
        let mut module = self.module.borrow_mut();
        let id = NodeId(u32::try_from(module.nodes.len()).expect("fewer than 2^32 nodes"));
        let section = module.sections.len() - 1;
        module.nodes.push(Node { op, width, name: None, note: None, labels: None, section });
        Signal { builder: self, id, width }
    }

    #[track_caller]
    pub(super) fn same_width(&self, what: &str, a: Signal<'_>, b: Signal<'_>) {
        self.owns(a);
        self.owns(b);
        assert!(
            a.width == b.width,
            "width mismatch in `{what}` of module `{}`: {} has {} bits, {} has {}",
            self.module.borrow().name,
            a.describe(),
            a.width,
            b.describe(),
            b.width
        );
    }

    #[track_caller]
    pub(super) fn owns(&self, signal: Signal<'_>) {
        assert!(
            std::ptr::eq(self, signal.builder),
            "{} belongs to module `{}`, not to `{}`",
            signal.describe(),
            signal.builder.module.borrow().name,
            self.module.borrow().name
        );
    }
}

impl Signal<'_> {
    /// The name of the signal, or its operation, for messages.
    pub(super) fn describe(self) -> String {
        let module = self.builder.module.borrow();
        format!("`{}`", module.describe(self.id, 3))
    }
}
