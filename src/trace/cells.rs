//! The values of a signal: cells, each of which lasts some cycles.

use std::collections::HashMap;

/// The values of a signal, one cell after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// Words of a value.
    pub words: usize,
    /// The cycle, counted from the first shown, in which each cell begins.
    pub starts: Vec<u32>,
    /// The value of each, the lowest word first.
    pub values: Vec<u32>,
    /// The colour of each: [`IDLE`](Self::IDLE), [`PLAIN`](Self::PLAIN), a sequence from [`FIRST`](Self::FIRST) on, or from
    /// [`MIXED`](Self::MIXED) on a [`Mix`].
    pub colours: Vec<u32>,
}

/// A cell of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'c> {
    /// The first cycle.
    pub start: usize,
    /// The cycle after the last.
    pub end: usize,
    /// The value.
    pub value: &'c [u32],
    /// The colour.
    pub colour: u32,
}

impl Cells {
    /// Nothing is there.
    pub const IDLE: u32 = 0;
    /// There is a value, which is part of no sequence.
    pub const PLAIN: u32 = 1;
    /// The first sequence.
    pub const FIRST: u32 = 2;
    /// The first mix.
    pub const MIXED: u32 = 1 << 31;

    /// An empty row for values of `width` bits.
    pub fn new(width: u32) -> Self {
        let words = width.div_ceil(32) as usize;
        Self { words, starts: Vec::new(), values: Vec::new(), colours: Vec::new() }
    }

    /// Goes on with a value: in a new cell, if it is another, or if `is_new`.
    pub fn push(&mut self, cycle: usize, value: &[u32], colour: u32, is_new: bool) {
        let last = self.values.len().checked_sub(self.words).map(|at| &self.values[at..]);
        if !is_new && last == Some(value) && self.colours.last() == Some(&colour) {
            return;
        }
        self.starts.push(cycle as u32);
        self.values.extend_from_slice(value);
        self.colours.push(colour);
    }

    /// The cells of a run of `cycles` cycles.
    pub fn iter(&self, cycles: usize) -> impl Iterator<Item = Cell<'_>> {
        let ends =
            self.starts[1.min(self.starts.len())..].iter().map(|start| *start as usize).chain([cycles]);
        let values = self.values.chunks(self.words);
        self.starts.iter().zip(ends).zip(values.zip(&self.colours)).map(|((start, end), (value, colour))| {
            Cell { start: *start as usize, end, value, colour: *colour }
        })
    }

    /// The cells in order of time, after they were pushed from last to first, each with its first cycle.
    pub(super) fn reversed(mut self) -> Self {
        self.starts.reverse();
        self.colours.reverse();
        let values = self.values.chunks(self.words).rev().flatten().copied().collect();
        Self { values, ..self }
    }
}

/// The parts of a value that are parts of different sequences: the highest bit first, each with the number of bits and a colour.
pub type Mix = Vec<(u32, u32)>;

/// The mixes of a trace, each once.
#[derive(Clone, Debug, Default)]
pub struct Mixes {
    known: HashMap<Mix, u32>,
    list: Vec<Mix>,
}

impl Mixes {
    /// The colour of a value with these parts.
    pub fn colour(&mut self, mix: Mix) -> u32 {
        match mix[..] {
            [] => Cells::PLAIN,
            [(_, colour)] => colour,
            _ => {
                let list = &mut self.list;
                *self.known.entry(mix).or_insert_with_key(|mix| {
                    list.push(mix.clone());
                    Cells::MIXED + list.len() as u32 - 1
                })
            }
        }
    }

    /// The parts of a colour, if it is a mix.
    pub fn parts(&self, colour: u32) -> Option<&[(u32, u32)]> {
        colour.checked_sub(Cells::MIXED).map(|mix| &*self.list[mix as usize])
    }

    /// All of them, in the order of their colours.
    pub fn into_list(self) -> Vec<Mix> {
        self.list
    }
}
