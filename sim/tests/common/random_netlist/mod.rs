//! Random designs: every operator, register kind and way through a hierarchy, always passing the netlist's checks.
//!
//! A [`Recipe`] is plain data that can't be wrong: a [`Step`] picks its operands by counting back among the signals
//! there are, and cuts or extends them to the width it needs. So it shrinks well, and any part of it is a design.

mod build;
mod recipe;

pub use recipe::{
    MAX_WIDTH, ModuleRecipe, Recipe, RegisterRecipe, Step, StepKind, recipe_from_seed, recipes,
};

/// How many random designs to try: what the variable `UTFHDL_RANDOM_DESIGNS` says, or `usual`.
pub fn designs(usual: u32) -> u32 {
    match std::env::var("UTFHDL_RANDOM_DESIGNS") {
        Ok(number) => number.parse().expect("UTFHDL_RANDOM_DESIGNS is a number"),
        Err(_) => usual,
    }
}
