//! Random designs: every operator, register kind and way through a hierarchy, always passing the netlist's checks.
//!
//! A [`Recipe`] is plain data, and every recipe gives a sound design: a [`Step`] picks its operands by counting back
//! among the signals that there are, and cuts or extends them to the width that it needs. Recipes therefore shrink
//! well, and any part of a recipe is a recipe.

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
