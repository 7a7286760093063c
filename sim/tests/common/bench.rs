//! An engine with its ports by name, for tests whose inputs and expected outputs are written by hand.

use utfhdl_hdl::netlist::Design;
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;

/// The `native` engine for `design`, compiled if the build has a compiler, since otherwise a test would show less
/// than it says.
pub fn native(design: &Design) -> Native {
    let engine = Native::new(design).expect("room for the design").compiled();
    assert_eq!(engine.is_compiled(), cfg!(feature = "jit"), "`{}`", design.top.name());
    engine
}

/// The `native` engine for `design`, interpreted.
pub fn interpreted(design: &Design) -> Native {
    let engine = Native::interpreted(design).expect("room for the design");
    assert!(!engine.is_compiled());
    engine
}

/// Runs an engine a cycle at a time.
pub struct Bench<E> {
    engine: E,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl<E: Engine> Bench<E> {
    /// All inputs are 0 until they are set.
    pub fn new(engine: E) -> Self {
        let (inputs, outputs) = (engine.layout().input_words, engine.layout().output_words);
        Self { engine, inputs: vec![0; inputs], outputs: vec![0; outputs] }
    }

    /// Sets an input, which stays.
    pub fn set(&mut self, port: &str, value: &[u64]) {
        let slot = self.engine.layout().input(port).unwrap_or_else(|| panic!("no input `{port}`"));
        slot.write(&mut self.inputs, value);
    }

    /// Runs one cycle.
    pub fn cycle(&mut self) {
        self.engine.run(&self.inputs, &mut self.outputs).expect("the engine runs");
    }

    /// Runs one cycle with inputs of at most 64 bits set before.
    pub fn cycle_with(&mut self, inputs: &[(&str, u64)]) {
        inputs.iter().for_each(|(port, value)| self.set(port, &[*value]));
        self.cycle();
    }

    /// An output of the last cycle.
    pub fn get(&self, port: &str) -> Vec<u64> {
        let slot = self.engine.layout().output(port).unwrap_or_else(|| panic!("no output `{port}`"));
        let mut value = vec![0; slot.words()];
        slot.read(&self.outputs, &mut value);
        value
    }
}

/// The output records of `engine`.
pub fn outputs(engine: &mut dyn Engine, inputs: &[u64]) -> Vec<u64> {
    let layout = engine.layout();
    let cycles = inputs.len() / layout.input_words;
    let mut outputs = vec![0; cycles * layout.output_words];
    engine.run(inputs, &mut outputs).expect("the engine runs");
    outputs
}
