//! Registers that delay a signal by a pipeline stage: made once, shared by all that ask for them, and named after the signal.

use super::graph::{Builder, Delay, Signal};
use super::module::Op;
use super::registers::Stage;

impl<'m> Signal<'m> {
    /// Says what registers that [delay](Stage::delayed) the signal are named after; the signal itself gets no name. The first call counts.
    pub fn called(self, name: &str) -> Self {
        self.builder.called.borrow_mut().entry(self.id).or_insert_with(|| name.to_owned());
        self
    }

    /// The operand of a complement that neither has a name nor is called something: a delay of the operand serves both.
    pub fn of_complement(self) -> Option<Self> {
        let module = self.builder.module.borrow();
        let node = module.node(self.id);
        let is_unnamed = node.name.is_none() && !self.builder.called.borrow().contains_key(&self.id);
        match node.op {
            Op::Not(id) if is_unnamed => Some(Self { id, ..self }),
            _ => None,
        }
    }

    /// The name for registers that delay the signal.
    #[track_caller]
    fn name_of_delays(self) -> String {
        if let Some(name) = self.builder.called.borrow().get(&self.id) {
            return name.clone();
        }
        let module = self.builder.module.borrow();
        let node = module.node(self.id);
        let name = match (&node.name, &node.op) {
            (Some(name), _) => Some(name.clone()),
            (None, &Op::InstanceOutput(instance, port)) => {
                module.instances[instance].module.outputs().nth(port).map(|port| port.name.clone())
            }
            _ => None,
        };
        drop(module);
        let name = name.unwrap_or_else(|| panic!("{} has no name for its registers", self.describe()));
        name.strip_suffix("_reg").map(str::to_owned).unwrap_or(name)
    }
}

impl<'m> Stage<'m> {
    /// The module that the registers are in.
    pub fn builder(self) -> &'m Builder {
        self.builder
    }

    /// `signal` in a register of stage `at`; where `is_flag` says so, reset clears that register. `signal` itself, if that stage is
    /// [folded](Builder::fold).
    ///
    /// # Panics
    /// If neither the signal has a name nor is it [`called`](Signal::called) something.
    #[track_caller]
    pub fn delayed(self, signal: Signal<'m>, at: u32, is_flag: bool) -> Signal<'m> {
        let stage = self.at(at);
        if stage.is_folded {
            return self.builder.without_register(&signal.name_of_delays(), signal);
        }
        let mut delays = self.builder.delays.borrow_mut();
        let known = delays.entry(signal.id).or_default();
        let same = |delay: &&Delay| delay.enable == stage.enable.id && delay.is_flag == is_flag;
        if let Some(delay) = known.iter().find(same) {
            return Signal { id: delay.register, ..signal };
        }
        // Groups of lanes have enables of their own: a value that two groups read can have registers in each.
        let base = match known.is_empty() {
            true => signal.name_of_delays(),
            false => format!("{}_by_{}", signal.name_of_delays(), stage.enable.name_of_delays()),
        };
        let name = format!("{base}_{}_reg", self.builder.folded().number(at));
        let register = if is_flag { stage.flag(&name, signal) } else { stage.data(&name, signal) };
        known.push(Delay { enable: stage.enable.id, is_flag, register: register.id });
        register.called(&base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_of_two_enables_have_two_names() {
        let m = Builder::new("delays", "A signal that two stages delay.");
        let unit = m.input("unit", 4, "");
        let stages = ["advance_0", "advance_1"].map(|name| m.stage(m.input(name, 1, "")));
        let [first, second] = stages.map(|stage| stage.delayed(unit, 1, false));
        assert_eq!(stages[0].delayed(unit, 1, false).id, first.id, "one register serves all that ask for it");
        let later = stages[0].delayed(first, 2, false) ^ stages[1].delayed(second, 2, false);
        m.output("later", later, "");
        let module = m.built();
        let names =
            module.registers().iter().map(|register| module.node(register.node).name.clone().unwrap());
        assert_eq!(
            names.collect::<Vec<_>>(),
            ["unit_1_reg", "unit_by_advance_1_1_reg", "unit_2_reg", "unit_by_advance_1_2_reg"]
        );
    }
}
