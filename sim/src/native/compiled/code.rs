//! Compiles a design, and owns the memory of its code.

use std::sync::Arc;

use cranelift_codegen::ir::{AbiParam, types::I64};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, ModuleError, default_libcall_names};

use super::translate::Translator;
use crate::layout::Layout;
use crate::logic::Logic;
use crate::native::mode::Reason;

/// The compiled function: input records, output records, number of cycles (at least 1), state.
type Cycles = unsafe extern "C" fn(*const u64, *mut u64, u64, *mut u64);

/// A compiled design.
pub(super) struct Code {
    cycles: Cycles,
    /// Owns the memory of the code. Taken out only to free it.
    module: Option<JITModule>,
    /// The tables that the code has the addresses of.
    _tables: Vec<Arc<[u64]>>,
    words: Words,
}

/// How many words of inputs, outputs and state the code reads and writes in a cycle.
#[derive(Clone, Copy, Debug)]
struct Words {
    inputs: usize,
    outputs: usize,
    state: usize,
}

impl Code {
    /// Compiles `logic`. Fails if the compiler does not know this processor or the system gives no memory for code.
    pub(super) fn new(logic: &Logic, layout: &Layout) -> Result<Self, Reason> {
        let mut flags = settings::builder();
        for (name, value) in [
            // The logic is simplified already, and with "speed" Cranelift changes the order of instructions for the
            // worse.
            ("opt_level", "none"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            // A tenth of the time that a design takes to compile.
            ("enable_verifier", if cfg!(test) { "true" } else { "false" }),
            ("enable_probestack", "false"),
        ] {
            flags.set(name, value).expect("settings that Cranelift has");
        }
        let builder = cranelift_native::builder().map_err(|why| Reason::Processor(why.to_owned()))?;
        let isa = builder.finish(settings::Flags::new(flags));
        let isa = isa.map_err(|error| Reason::Processor(error.to_string()))?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let made = define(&mut module, logic, layout);
        let words =
            Words { inputs: layout.input_words, outputs: logic.outputs.len(), state: logic.state.len() };
        match made {
            Ok(cycles) => Ok(Self { cycles, module: Some(module), _tables: logic.tables.clone(), words }),
            Err(reason) => {
                free(module);
                Err(reason)
            }
        }
    }

    /// Runs `cycles` cycles, at least one.
    ///
    /// # Panics
    /// If the lengths of the slices are not those of the design's records and state.
    pub(super) fn run(&self, inputs: &[u64], outputs: &mut [u64], cycles: usize, state: &mut [u64]) {
        let Words { inputs: input_words, outputs: output_words, state: state_words } = self.words;
        assert!(cycles > 0 && inputs.len() == cycles * input_words && outputs.len() == cycles * output_words);
        assert!(state.len() == state_words);
        // SAFETY: the code was made by `define` from a logic with these numbers of words. It reads `cycles` records
        // of inputs and writes as many of outputs, and reads and writes the words of the state: the slices have just
        // that many, as checked above. Its memory lives as long as `self.module`.
        unsafe {
            (self.cycles)(inputs.as_ptr(), outputs.as_mut_ptr(), cycles as u64, state.as_mut_ptr());
        }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            free(module);
        }
    }
}

/// Gives the memory of the code back, which dropping a module does not.
fn free(module: JITModule) {
    // SAFETY: nothing runs the module's code any more. The only pointer into it is in the `Code` that is being
    // dropped, or was never made.
    unsafe { module.free_memory() }
}

fn define(module: &mut JITModule, logic: &Logic, layout: &Layout) -> Result<Cycles, Reason> {
    let refused = |error: ModuleError| Reason::Refused(error.to_string());
    let mut context = module.make_context();
    context.func.signature.params = vec![AbiParam::new(I64); 4];
    let mut frontend = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
    Translator::new(logic, builder).translate(layout);
    let id = module.declare_function("cycles", Linkage::Local, &context.func.signature).map_err(refused)?;
    module.define_function(id, &mut context).map_err(refused)?;
    module.finalize_definitions().map_err(refused)?;
    let code = module.get_finalized_function(id);
    // SAFETY: the function has just been defined with four parameters of 64 bits (two pointers, a number, a pointer)
    // and nothing to return, in the calling convention of the system's C.
    Ok(unsafe { std::mem::transmute::<*const u8, Cycles>(code) })
}
