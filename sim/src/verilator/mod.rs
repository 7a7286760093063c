//! The `verilator` engine runs the emitted Verilog, compiled by Verilator and loaded at run time.
//!
//! The text is what users will put into their designs, so the engine checks the emitter. A design is compiled once: the
//! shared object is kept in a cache under a hash of the text, the C++ shim, the options and the versions of the tools.

mod build;
mod shim;
mod tool;

use crate::shown::Shown as _;
use std::ffi::{c_int, c_void};
use std::path::Path;

use libloading::Library;
use utfhdl_hdl::netlist::Design;

use crate::layout::Layout;
use crate::{Engine, EngineError};

pub use crate::tool::Cache;
pub use tool::Toolchain;

/// How much the C++ compiler optimises a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effort {
    /// `-O1`: a model is ready in about a second.
    #[default]
    Quick,
    /// `-O3`: for measuring.
    Full,
}

/// The engine; see [the module](self).
pub struct Verilator {
    layout: Layout,
    model: Model,
    /// A remark of the cache from which the model was taken.
    remark: Option<String>,
}

type NewFn = unsafe extern "C" fn(c_int) -> *mut c_void;
type RunFn = unsafe extern "C" fn(*mut c_void, *const u64, *mut u64, u64);
type DeleteFn = unsafe extern "C" fn(*mut c_void);

impl Verilator {
    /// Compiles `text`, the Verilog of `design`, or takes the model from `cache`.
    ///
    /// # Errors
    /// If a tool is missing, too old, or fails; if the cache can't be written; if the model can't be loaded.
    pub fn new(design: &Design, text: &str, cache: &Cache, effort: Effort) -> Result<Self, EngineError> {
        Self::started(design, text, cache, effort, 0)
    }

    /// [Compiles](Self::new) `text` for a run in which registers have random values before the first cycle.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn with_random_start(
        design: &Design,
        text: &str,
        cache: &Cache,
        effort: Effort,
        seed: u64,
    ) -> Result<Self, EngineError> {
        // Verilator takes a positive seed of 31 bits.
        let seed = (seed % (i32::MAX as u64 - 1)) as c_int + 1;
        Self::started(design, text, cache, effort, seed)
    }

    fn started(
        design: &Design,
        text: &str,
        cache: &Cache,
        effort: Effort,
        seed: c_int,
    ) -> Result<Self, EngineError> {
        let layout = Layout::new(design);
        let build = || build::model(design, &layout, text, cache, effort);
        let object = build()?;
        // A model that was built where other libraries are installed may be useless here.
        let loaded = Model::load(&object, seed).or_else(|_| {
            cache.forget(&object);
            Model::load(&build()?, seed)
        });
        Ok(Self { layout, model: loaded?, remark: cache.remark() })
    }
}

/// A model, loaded from its shared object.
struct Model {
    bench: *mut c_void,
    run: RunFn,
    delete: DeleteFn,
}

impl Model {
    fn load(object: &Path, seed: c_int) -> Result<Self, EngineError> {
        let failed =
            |error: libloading::Error| EngineError::Load { path: object.shown(), reason: error.to_string() };
        // SAFETY: the object was built from the shim of this crate, and `Cache` makes sure that it is complete and that
        // only this user could write it since. Its initialisers are those of the Verilator runtime, which have no
        // preconditions.
        let library = unsafe { Library::new(object) }.map_err(failed)?;
        // The library is never unloaded, since the runtime registers handlers that outlive the model.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: the shim defines these functions with these types.
        let (new, run, delete) = unsafe {
            (
                *library.get::<NewFn>(shim::NEW).map_err(failed)?,
                *library.get::<RunFn>(shim::RUN).map_err(failed)?,
                *library.get::<DeleteFn>(shim::DELETE).map_err(failed)?,
            )
        };
        // SAFETY: the function makes a model of its own, with a context of its own.
        let bench = unsafe { new(seed) };
        Ok(Self { bench, run, delete })
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: the bench was made by the same object and is not used again.
        unsafe { (self.delete)(self.bench) };
    }
}

impl Engine for Verilator {
    fn name(&self) -> &'static str {
        "verilator"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        let cycles = self.layout.cycles(inputs, outputs) as u64;
        // SAFETY: the bench is alive until the model is dropped, and the slices hold records for all cycles that the
        // shim runs: `Layout::cycles` has checked that.
        unsafe { (self.model.run)(self.model.bench, inputs.as_ptr(), outputs.as_mut_ptr(), cycles) };
        Ok(())
    }

    fn remark(&self) -> Option<String> {
        self.remark.clone()
    }
}
