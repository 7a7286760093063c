//! Instructions of a processor with vector registers, before they are encoded.

/// A location in memory that holds a vector of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// A bit of the input record.
    Input(u32),
    /// A bit of the output record.
    Output(u32),
    /// A bit of a register of the design.
    State(u32),
    /// A value that had to make room.
    Spill(u32),
    /// All bits 1.
    Ones,
}

/// The number of a vector register.
pub(super) type Vector = u8;

/// The last operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Vector(Vector),
    Memory(Location),
}

/// An instruction of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    Load(Vector, Location),
    Store(Location, Vector),
    Move {
        to: Vector,
        from: Vector,
    },
    /// All bits 0, or all bits 1.
    Fill(Vector, bool),
    /// `to` becomes a function of `b` and of `c`: bit `2 * b + c` of `table`.
    Binary {
        to: Vector,
        b: Vector,
        c: Operand,
        table: u8,
    },
    /// `to` becomes a function of itself, of `b` and of `c`: bit `4 * to + 2 * b + c` of `table`.
    Ternary {
        to: Vector,
        b: Vector,
        c: Operand,
        table: u8,
    },
}

/// A cycle as instructions.
#[derive(Debug)]
pub(super) struct Program {
    /// Pieces of code that run one after the other. No value is in a vector register from one piece to the next.
    pub(super) pieces: Vec<Vec<Instruction>>,
    /// How many locations there are for spilled values.
    pub(super) spills: u32,
}
