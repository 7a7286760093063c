//! Recipes, and strategies for them.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use utfhdl_hdl::netlist::ResetStyle;

/// Widest signal, in bits.
pub const MAX_WIDTH: u32 = 200;

/// How to make a design. The last module is the top; each may instantiate those before it.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub modules: Vec<ModuleRecipe>,
    pub reset: ResetStyle,
}

/// How to make a module.
#[derive(Clone, Debug)]
pub struct ModuleRecipe {
    /// Width of each input.
    pub inputs: Vec<u32>,
    pub registers: Vec<RegisterRecipe>,
    pub steps: Vec<Step>,
}

/// How to make a register.
#[derive(Clone, Debug)]
pub struct RegisterRecipe {
    pub width: u32,
    pub next: u16,
    pub enable: Option<u16>,
    pub reset: Option<u64>,
}

/// How to make a signal, or an instance with its outputs.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: StepKind,
    /// Operands, counted back from the latest signal.
    pub picks: [u16; 4],
    /// A width, where the operands leave it open.
    pub width: u32,
    /// A constant, a position or a number, where one is needed.
    pub value: u64,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    Name,
    Constant,
    Not,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Eq,
    Ne,
    Lt,
    Le,
    Shl,
    Shr,
    All,
    Any,
    Parity,
    Slice,
    Concat,
    Zext,
    Repeat,
    Mux,
    Case,
    Lookup,
    Table,
    Section,
    Wire,
    Instance,
    Memory,
}

impl StepKind {
    /// Every kind.
    pub const ALL: [Self; 29] = [
        Self::Name,
        Self::Constant,
        Self::Not,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Add,
        Self::Sub,
        Self::Eq,
        Self::Ne,
        Self::Lt,
        Self::Le,
        Self::Shl,
        Self::Shr,
        Self::All,
        Self::Any,
        Self::Parity,
        Self::Slice,
        Self::Concat,
        Self::Zext,
        Self::Repeat,
        Self::Mux,
        Self::Case,
        Self::Lookup,
        Self::Table,
        Self::Section,
        Self::Wire,
        Self::Instance,
        Self::Memory,
    ];
}

/// Any recipe: up to three modules of up to forty steps each.
pub fn recipes() -> impl Strategy<Value = Recipe> {
    let modules = prop::collection::vec(module_recipes(), 1..=3);
    (modules, select(&ResetStyle::ALL[..])).prop_map(|(modules, reset)| Recipe { modules, reset })
}

/// The recipe that `seed` stands for, the same each time.
pub fn recipe_from_seed(seed: u64) -> Recipe {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    recipes().new_tree(&mut runner).expect("no recipe is rejected").current()
}

fn module_recipes() -> impl Strategy<Value = ModuleRecipe> {
    let inputs = prop::collection::vec(widths(), 1..=6);
    let registers = prop::collection::vec(register_recipes(), 0..=6);
    let steps = prop::collection::vec(steps(), 0..=40);
    (inputs, registers, steps).prop_map(|(inputs, registers, steps)| ModuleRecipe {
        inputs,
        registers,
        steps,
    })
}

fn register_recipes() -> impl Strategy<Value = RegisterRecipe> {
    (widths(), any::<u16>(), any::<Option<u16>>(), any::<Option<u64>>())
        .prop_map(|(width, next, enable, reset)| RegisterRecipe { width, next, enable, reset })
}

fn steps() -> impl Strategy<Value = Step> {
    // Near signals make deep logic, far ones wide logic.
    let pick = prop_oneof![0..4_u16, 0..64_u16];
    let value = prop_oneof![0..8_u64, any::<u64>()];
    (select(&StepKind::ALL[..]), [pick.clone(), pick.clone(), pick.clone(), pick], widths(), value)
        .prop_map(|(kind, picks, width, value)| Step { kind, picks, width, value })
}

/// Mostly few bits, often around a word's boundary.
fn widths() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => 1..=8_u32,
        2 => 1..=64_u32,
        1 => select(&[63, 64, 65, 127, 128, 129, 192, MAX_WIDTH][..]),
        1 => 1..=MAX_WIDTH,
    ]
}
