//! Instances of modules: how inputs are connected and outputs are read.

use std::sync::Arc;

use super::module::{Direction, Instance, Module, Op};
use super::{Builder, Signal};

impl Builder {
    /// An instance of `module`. Connect all its inputs; read the outputs that are needed. A [design](super::Design) of its own, such
    /// as a core, is instantiated by its [`part`](super::Design::part).
    pub fn instance(&self, name: &str, module: &Arc<Module>) -> InstanceHandle<'_> {
        let mut mine = self.module.borrow_mut();
        let section = mine.sections.len() - 1;
        mine.instances.push(Instance {
            name: name.to_owned(),
            module: Arc::clone(module),
            inputs: vec![None; module.inputs().count()],
            outputs: vec![None; module.outputs().count()],
            section,
            lane: None,
        });
        InstanceHandle { builder: self, index: mine.instances.len() - 1 }
    }
}

/// An instance that is being connected.
#[derive(Clone, Copy)]
pub struct InstanceHandle<'m> {
    builder: &'m Builder,
    index: usize,
}

impl<'m> InstanceHandle<'m> {
    /// The module that is instantiated.
    pub fn module(self) -> Arc<Module> {
        Arc::clone(&self.builder.module.borrow().instances[self.index].module)
    }

    /// Says that all registers in the instance belong to a lane of the beat.
    pub fn lane(self, lane: usize) -> Self {
        self.builder.module.borrow_mut().instances[self.index].lane = Some(lane as u32);
        self
    }

    /// Connects the input `port` to `driver`.
    ///
    /// # Panics
    /// If there is no such input, the input is connected already, or the widths differ.
    #[track_caller]
    pub fn input(self, port: &str, driver: Signal<'m>) -> Self {
        self.builder.owns(driver);
        let (index, width) = self.find(port, Direction::Input);
        assert!(
            width == driver.width,
            "width mismatch at {}: the port has {width} bits, {} has {}",
            self.port_name(port),
            driver.describe(),
            driver.width
        );
        let already =
            self.builder.module.borrow_mut().instances[self.index].inputs[index].replace(driver.id).is_some();
        assert!(!already, "{} is connected already", self.port_name(port));
        self
    }

    /// The output `port` as a signal. The signal is called after instance and port unless it is [`named`](Signal::named).
    ///
    /// # Panics
    /// If there is no such output.
    #[track_caller]
    pub fn output(self, port: &str) -> Signal<'m> {
        let (index, width) = self.find(port, Direction::Output);
        let known = self.builder.module.borrow().instances[self.index].outputs[index];
        if let Some(id) = known {
            return Signal { builder: self.builder, id, width };
        }
        let signal = self.builder.node(Op::InstanceOutput(self.index, index), width);
        self.builder.module.borrow_mut().instances[self.index].outputs[index] = Some(signal.id);
        signal
    }

    #[track_caller]
    fn find(self, port: &str, direction: Direction) -> (usize, u32) {
        let module = self.module();
        let found = module.ports().iter().filter(|p| p.direction == direction).enumerate();
        match found.into_iter().find(|(_, p)| p.name == port) {
            Some((index, found)) => (index, found.width),
            None => panic!("module `{}` has no {direction:?} port `{port}`", module.name()),
        }
    }

    fn port_name(self, port: &str) -> String {
        let module = self.builder.module.borrow();
        let instance = &module.instances[self.index];
        format!("port `{port}` of instance `{}` (module `{}`)", instance.name, instance.module.name())
    }
}
