//! A dump as wellen reads it, which is what Surfer reads with.

use wellen::{SignalValueRef, VarType};

use super::*;

/// A dump as wellen reads it: for each variable by path its changes as time and value.
pub(super) struct Read {
    pub(super) waves: wellen::simple::Waveform,
    pub(super) changes: BTreeMap<String, Vec<(u64, String)>>,
}

impl Read {
    /// Reads all of it.
    pub(super) fn of(path: &Path) -> Self {
        let mut waves = wellen::simple::read(path).expect("a VCD file");
        let all: Vec<_> = waves.hierarchy().signals().collect();
        waves.load_signals(&all);
        let mut changes = BTreeMap::new();
        for variable in waves.hierarchy().all_vars() {
            let variable = &waves.hierarchy()[variable];
            let signal = waves.get_signal(variable.signal_ref()).expect("a signal");
            let read = signal.iter_changes().map(|(index, value)| {
                let value = match value {
                    SignalValueRef::BitVec(bits) => bits.bit_string(),
                    SignalValueRef::String(text) => text.to_owned(),
                    other => panic!("{other:?}"),
                };
                (waves.time_table()[index as usize], value)
            });
            let name = variable.full_name(waves.hierarchy());
            assert!(changes.insert(name.clone(), read.collect()).is_none(), "{name} stands there twice");
        }
        Self { waves, changes }
    }

    /// The value at a time in nanoseconds.
    pub(super) fn at(&self, path: &str, time: u64) -> &str {
        let before = self.changes[path].iter().take_while(|(change, _)| *change <= time);
        before.last().map_or("not yet written", |(_, value)| value)
    }

    /// Compares every signal in every cycle, at its start and at its end.
    pub(super) fn check(&self, first: u64, expected: &[Shown]) {
        for (index, shown) in expected.iter().enumerate() {
            let start = (first + index as u64) * CYCLE_NS;
            for (path, value) in shown {
                assert_eq!(self.at(path, start), value, "{path} at the start of cycle {index} after {first}");
                assert_eq!(self.at(path, start + CYCLE_NS - 1), value, "{path} at the end of cycle {index}");
            }
        }
    }

    /// Kind, width in bits and declared range of a variable.
    pub(super) fn variable(&self, path: &str) -> (VarType, Option<u32>, Option<(i64, i64)>) {
        let names: Vec<&str> = path.split('.').collect();
        let (name, scopes) = names.split_last().expect("a name");
        let hierarchy = self.waves.hierarchy();
        let variable = &hierarchy[hierarchy.lookup_var(scopes, name).expect("a variable")];
        let range = variable.index().map(|index| (index.msb(), index.lsb()));
        (variable.var_type(), variable.length(hierarchy), range)
    }
}
