//! The `rust-hdl` engine: runs a design as a block in rust-hdl's own loop.

use rust_hdl_core::block::Block;
use rust_hdl_core::clock::Clock;
use rust_hdl_core::simulate::simulate;
use utfhdl_hdl::netlist::Design;

use super::NetlistBlock;
use crate::layout::{Layout, PortSlot};
use crate::{Engine, EngineError};

/// The engine; see [the module](super).
pub struct RustHdl {
    layout: Layout,
    block: NetlistBlock,
    reset: Option<PortSlot>,
    /// The inputs without reset.
    inputs: Vec<PortSlot>,
    /// Room for the value of one port.
    scratch: Vec<u64>,
    max_updates: usize,
    /// Whether a cycle was run whose clock edge is still to come.
    is_edge_due: bool,
}

impl RustHdl {
    /// An engine for `design`.
    pub fn new(design: &Design) -> Self {
        let layout = Layout::new(design);
        let mut block = NetlistBlock::new(design, "");
        block.connect_all();
        let slots = layout.inputs.iter().chain(&layout.outputs);
        let (reset, inputs) = layout.split_reset(design);
        Self {
            reset: reset.cloned(),
            inputs: inputs.to_vec(),
            scratch: vec![0; slots.map(PortSlot::words).max().unwrap_or(0)],
            max_updates: block.updates_to_settle(),
            layout,
            block,
            is_edge_due: false,
        }
    }

    fn cycle(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        // The clock edge at the end of the last cycle comes together with the inputs of this cycle, so that the
        // logic settles only once a cycle. Registers load the values from before both.
        self.block.clk.next = Clock { clk: std::mem::replace(&mut self.is_edge_due, true) };
        if let Some(reset) = &self.reset {
            self.block.rst.next = reset.get(inputs) == 1;
        }
        for (slot, port) in self.inputs.iter().zip(&mut self.block.inputs) {
            let value = &mut self.scratch[..slot.words()];
            slot.read(inputs, value);
            port.set_next(value);
        }
        self.settle()?;
        for (slot, port) in self.layout.outputs.iter().zip(&self.block.outputs) {
            slot.write(outputs, port.val());
        }
        self.block.clk.next = Clock { clk: false };
        self.settle()
    }

    fn settle(&mut self) -> Result<(), EngineError> {
        match simulate(&mut self.block, self.max_updates) {
            true => Ok(()),
            false => Err(EngineError::Unsettled { engine: self.name(), iterations: self.max_updates }),
        }
    }
}

impl Engine for RustHdl {
    fn name(&self) -> &'static str {
        "rust-hdl"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        let (input_words, output_words) = (self.layout.input_words, self.layout.output_words);
        for cycle in 0..self.layout.cycles(inputs, outputs) {
            self.cycle(
                &inputs[cycle * input_words..][..input_words],
                &mut outputs[cycle * output_words..][..output_words],
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::{Builder, ResetStyle};

    use super::*;

    #[test]
    fn what_does_not_settle_is_an_error() {
        let builder = Builder::new("inverter", "Inverts.");
        let a = builder.input("a", 1, "");
        builder.output("b", !a, "");
        let design = Design { top: builder.finish().expect("a sound module"), reset: ResetStyle::default() };
        let mut engine = RustHdl::new(&design);
        // One update takes the input in, another makes the output, and a third is needed to see that all is quiet.
        engine.max_updates = 2;
        let error = engine.run(&[1], &mut [0]).expect_err("it has no time to settle");
        assert!(matches!(error, EngineError::Unsettled { engine: "rust-hdl", iterations: 2 }), "{error}");
    }
}
