//! The registers of a design, with their names and where their bits stand.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use utfhdl_hdl::netlist::Labels;

use crate::flat::{Flat, FlatRegister, Scope};

/// A register.
#[derive(Clone, Debug)]
pub struct FlowRegister {
    /// Its name, behind those of the instances that it is in, with dots.
    pub path: String,
    /// The section of its module, such as a pipeline stage; in an instance whose sections are no stages, the path of the instance.
    pub section: String,
    /// The comment on it in the source.
    pub note: Option<String>,
    /// Names of its values.
    pub labels: Option<Arc<Labels>>,
    /// The pipeline stage of its value, if it is of one.
    pub stage: Option<u32>,
    /// The lane of the beat that its value belongs to, if there are several and it is one of them.
    pub lane: Option<u32>,
    /// Its bits among those of all registers, the lowest first.
    pub bits: Range<usize>,
}

/// The registers with a name, in the order of the source.
pub(super) fn named(flat: &Flat) -> Vec<FlowRegister> {
    let mut first = 0;
    let mut places = HashMap::new();
    for register in &flat.registers {
        let width = flat.signals[register.value].width as usize;
        places.insert(register.value, (register, first..first + width));
        first += width;
    }
    let mut found = Vec::new();
    collect(&flat.scope, "", &mut places, &mut found);
    found
}

/// Takes the registers of a scope out of `places`, each under one name.
fn collect(
    scope: &Scope,
    above: &str,
    places: &mut HashMap<usize, (&FlatRegister, Range<usize>)>,
    found: &mut Vec<FlowRegister>,
) {
    let mut of_scope = Vec::new();
    for signal in scope.signals.iter().filter(|signal| signal.register) {
        let Some((register, bits)) = places.remove(&signal.signal) else { continue };
        let title = scope.sections.get(signal.section).cloned().unwrap_or_default();
        // A stage is the same in all instances.
        let is_own = above.is_empty() || register.stage.is_some();
        let section = if is_own { title } else { above.trim_end_matches('.').to_owned() };
        let register = FlowRegister {
            path: format!("{above}{}", signal.name),
            section,
            note: signal.note.clone(),
            labels: signal.labels.clone(),
            stage: register.stage,
            lane: register.lane,
            bits,
        };
        of_scope.push((signal.section, register));
    }
    // Sections follow each other as data does; a register may be declared before its section.
    of_scope.sort_by_key(|(section, _)| *section);
    found.extend(of_scope.into_iter().map(|(_, register)| register));
    for child in &scope.children {
        collect(child, &format!("{above}{}.", child.name), places, found);
    }
}
