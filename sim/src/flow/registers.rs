//! The registers of a design, with their names and where their bits stand.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use utfhdl_hdl::netlist::Labels;

use crate::flat::{Flat, FlatRegister, Scope, Template};

/// A register.
#[derive(Clone, Debug)]
pub struct FlowRegister {
    /// The names of the instances around the register and of the register, joined by dots.
    pub path: String,
    /// The section of the register in its module, such as a pipeline stage; the path of an instance whose sections are no stages.
    pub section: String,
    /// The template, which the register shares with those of the same role in other lanes.
    pub template: Template,
    /// The pipeline stage.
    pub stage: Option<u32>,
    /// The lane.
    pub lane: Option<u32>,
    /// The comment on the register in the source.
    pub note: Option<String>,
    /// Names of the values.
    pub labels: Option<Arc<Labels>>,
    /// The bits of the register among those of all registers, the lowest first.
    pub bits: Range<usize>,
}

/// The registers with a name, in the order of the source.
pub(super) fn named(flat: &Flat) -> Vec<FlowRegister> {
    let mut first = 0;
    let mut places = HashMap::new();
    for register in &flat.registers {
        let width = flat.signals[register.value].width as usize;
        places.insert(register.value, (first..first + width, register));
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
    places: &mut HashMap<usize, (Range<usize>, &FlatRegister)>,
    found: &mut Vec<FlowRegister>,
) {
    let mut of_scope = Vec::new();
    for signal in scope.signals.iter().filter(|signal| signal.register) {
        let Some((bits, of_register)) = places.remove(&signal.signal) else { continue };
        let of = &scope.sections[signal.section];
        // The stages of instances that stand side by side are the same.
        let is_own = above.is_empty() || of.stages.is_some();
        let section = if is_own { of.heading() } else { above.trim_end_matches('.').to_owned() };
        let register = FlowRegister {
            path: format!("{above}{}", signal.name),
            section,
            template: of_register.template,
            stage: of_register.stage,
            lane: of_register.lane,
            note: signal.note.clone(),
            labels: signal.labels.clone(),
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
