//! The schedule of a module: what each pipeline stage does, and the registers that it begins with.

use super::Module;

/// A pipeline stage of a module and of the instances in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledStage {
    /// The instance whose stages are numbered on their own; `None` for the module itself.
    pub part: Option<String>,
    /// Number: the stage works on what was taken `stage` cycles ago, where nothing waited. It begins with the registers of this number.
    pub stage: u32,
    /// Titles of the sections that do its work, each once.
    pub work: Vec<String>,
    /// Number of its registers.
    pub registers: u32,
    /// Bits of its registers.
    pub bits: u32,
}

impl Module {
    /// The pipeline stages of the module and of the modules in it: those of parts of its pipeline first, in the order of their numbers;
    /// none if the module is no pipeline.
    pub fn schedule(&self) -> Vec<ScheduledStage> {
        let mut stages = Stages { found: Vec::new(), spans: Vec::new() };
        stages.collect(self, None);
        let Stages { mut found, spans } = stages;
        for (part, (first, last), title) in spans {
            let untitled = found
                .iter_mut()
                .filter(|of| of.part == part && (first..=last).contains(&of.stage) && of.work.is_empty());
            untitled.for_each(|stage| stage.work.push(title.clone()));
        }
        // `None`, the module itself, is the last part that data goes through.
        found.sort_by_key(|stage| (stage.part.is_none(), stage.part.clone(), stage.stage));
        found
    }
}

struct Stages {
    found: Vec<ScheduledStage>,
    /// Sections of several stages: the part, the first and the last stage, and the title.
    spans: Vec<(Option<String>, (u32, u32), String)>,
}

impl Stages {
    fn collect(&mut self, module: &Module, part: Option<&str>) {
        for section in module.sections() {
            match (section.stage(), section.stages) {
                (Some(stage), _) => {
                    let work = &mut self.stage(part, stage).work;
                    if !work.contains(&section.title) {
                        work.push(section.title.clone());
                    }
                }
                (None, Some(span)) => {
                    self.spans.push((part.map(str::to_owned), span, section.title.clone()));
                }
                (None, None) => {}
            }
        }
        for register in module.registers() {
            // An enable of a stage is part of the pace.
            if let Some(stage) = register.stage.filter(|_| !register.role.is_pace()) {
                let stage = self.stage(part, stage);
                stage.registers += 1;
                stage.bits += module.node(register.node).width;
            }
        }
        for instance in module.instances() {
            let part = if instance.is_part { Some(instance.name.as_str()) } else { part };
            self.collect(&instance.module, part);
        }
    }

    fn stage(&mut self, part: Option<&str>, stage: u32) -> &mut ScheduledStage {
        let known = self.found.iter().position(|of| of.part.as_deref() == part && of.stage == stage);
        let at = known.unwrap_or_else(|| {
            let part = part.map(str::to_owned);
            self.found.push(ScheduledStage { part, stage, work: Vec::new(), registers: 0, bits: 0 });
            self.found.len() - 1
        });
        &mut self.found[at]
    }
}
