//! The compiler, and the memory it puts its code in.

use cranelift_codegen::ir::{AbiParam, types::I64};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, ModuleError, default_libcall_names};

use super::translate::Translator;
use crate::layout::Layout;
use crate::logic::Logic;
use crate::native::form::Reason;

/// Input records, output records, number of cycles (at least 1), state.
type Cycles = unsafe extern "C" fn(*const u64, *mut u64, u64, *mut u64);

/// A compiled design.
pub(super) struct Code {
    cycles: Cycles,
    /// Owns the memory; taken when that is freed.
    module: Option<JITModule>,
    words: Words,
}

/// How many words of each the code reads and writes a cycle.
#[derive(Clone, Copy, Debug)]
struct Words {
    inputs: usize,
    outputs: usize,
    state: usize,
}

impl Code {
    /// Compiles `logic`, unless the compiler does not know this processor, or the system gives no memory for code.
    pub(super) fn new(logic: &Logic, layout: &Layout) -> Result<Self, Reason> {
        let mut flags = settings::builder();
        for (name, value) in [
            // The logic is simplified already; the order in which it is written is better than what "speed" makes of it.
            ("opt_level", "none"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
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
            Words { inputs: layout.input_words, outputs: layout.output_words, state: logic.state.len() };
        match made {
            Ok(cycles) => Ok(Self { cycles, module: Some(module), words }),
            Err(reason) => {
                free(module);
                Err(reason)
            }
        }
    }

    /// Runs `cycles` cycles, at least one.
    ///
    /// # Panics
    /// If the slices do not fit the design.
    pub(super) fn run(&self, inputs: &[u64], outputs: &mut [u64], cycles: usize, state: &mut [u64]) {
        let Words { inputs: input_words, outputs: output_words, state: state_words } = self.words;
        assert!(cycles > 0 && inputs.len() == cycles * input_words && outputs.len() == cycles * output_words);
        assert!(state.len() == state_words);
        // SAFETY: the code is made by `define` from a logic with these numbers of words, and reads and writes nothing
        // but as many words of each slice, as just checked; its memory lives as long as `self.module`.
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

/// Gives the memory of the code back, which a module alone does not.
fn free(module: JITModule) {
    // SAFETY: nothing runs or points into the module's code: the one pointer into it is in the `Code` that is dropped,
    // or was not made.
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
    // SAFETY: the function has just been defined with five words as parameters and nothing to return, in the calling
    // convention of the system's C.
    Ok(unsafe { std::mem::transmute::<*const u8, Cycles>(code) })
}
