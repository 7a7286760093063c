//! A dump as FST, the format of GTKWave that compresses the changes of each signal by themselves.
//!
//! A file is blocks, each of a type, a length and its contents: a header with counts and times, the changes, the lengths of the
//! signals, and the hierarchy. The changes stand in blocks of their own, each with some megabytes of them.

mod block;
mod encoding;

use std::io::{self, Seek, SeekFrom, Write};

use super::absent::Absent;
use super::catalogue::{Folder, Origin};
use super::changes::{Format, Prepared};
use super::format::{Id, Ids};
use block::ChangeBlock;
use encoding::{c_string, deflated_or_plain, gzip, varint};

/// Types of blocks.
const HEADER: u8 = 0;
const GEOMETRY: u8 = 3;
const HIERARCHY: u8 = 4;
const CHANGES: u8 = 8;

/// Bytes of the header after its type; the length includes the field of the length.
const HEADER_LENGTH: u64 = 329;
/// Room for the name of the writer and for a date, which is left empty so that the same run gives the same file.
const WRITER_LENGTH: usize = 128;
const DATE_LENGTH: usize = 119;

/// The length of a signal that is text, among the lengths in bits of the others.
const TEXT_LENGTH: u64 = 0xffff_ffff;

/// Bytes of changes that are gathered before they are compressed and written.
const ENOUGH: usize = 1 << 24;

/// Codes of the hierarchy.
mod codes {
    pub const SCOPE: u8 = 254;
    pub const UP_SCOPE: u8 = 255;
    pub const MODULE: u8 = 0;
    pub const INTEGER: u8 = 1;
    pub const REG: u8 = 5;
    pub const WIRE: u8 = 16;
    pub const STRING: u8 = 21;
}

/// A dump as FST.
pub(super) struct Fst {
    block: ChangeBlock,
    counts: Counts,
    /// The first moment and the last one.
    times: Option<(u64, u64)>,
}

/// The counts in the header.
#[derive(Clone, Copy, Default)]
struct Counts {
    scopes: u64,
    variables: u64,
    signals: u64,
    blocks: u64,
}

impl Fst {
    /// Writes a header, which is written again at the end, and what does not change: lengths and hierarchy.
    pub(super) fn declare(root: &Folder, file: &mut (impl Write + Seek)) -> io::Result<(Self, Ids)> {
        let mut tree = Tree::default();
        tree.add(root);
        let Tree { hierarchy, widths, counts, ids } = tree;
        write_header(file, (0, 0), counts)?;
        let mut lengths = Vec::new();
        for &width in &widths {
            varint(&mut lengths, if width == 0 { TEXT_LENGTH } else { width.into() });
        }
        let packed = deflated_or_plain(&lengths);
        let head = [24 + packed.len(), lengths.len(), widths.len()];
        write_block(file, GEOMETRY, &head, &packed)?;
        let packed = gzip(&hierarchy);
        write_block(file, HIERARCHY, &[16 + packed.len(), hierarchy.len()], &packed)?;
        Ok((Self { block: ChangeBlock::new(&widths), counts, times: None }, ids))
    }

    pub(super) fn time(&mut self, nanoseconds: u64) {
        let first = self.times.map_or(nanoseconds, |(first, _)| first);
        self.times = Some((first, nanoseconds));
        self.block.time(nanoseconds);
    }

    /// Writes a block of changes, if there are many.
    pub(super) fn write_enough(&mut self, file: &mut impl Write) -> io::Result<()> {
        if self.block.size() < ENOUGH { Ok(()) } else { self.write_changes(file) }
    }

    /// Writes the last block of changes, and the header once more.
    pub(super) fn finish(&mut self, file: &mut (impl Write + Seek)) -> io::Result<()> {
        self.write_changes(file)?;
        file.seek(SeekFrom::Start(0))?;
        write_header(file, self.times.unwrap_or_default(), self.counts)?;
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }

    fn write_changes(&mut self, file: &mut impl Write) -> io::Result<()> {
        if let Some(contents) = self.block.take() {
            write_block(file, CHANGES, &[8 + contents.len()], &contents)?;
            self.counts.blocks += 1;
        }
        Ok(())
    }
}

impl Format for Fst {
    #[inline]
    fn number(&mut self, id: Id, width: u32, value: u64) {
        match width {
            1 => self.block.bit(id.index(), value != 0),
            _ => self.block.vector(id.index(), &[value]),
        }
    }

    fn vector(&mut self, id: Id, value: &[u64]) {
        self.block.vector(id.index(), value);
    }

    fn absent(&mut self, id: Id, width: u32, absent: Absent) {
        self.block.absent(id.index(), width, absent);
    }

    fn string(&mut self, id: Id, text: &str) {
        // An empty text is a space, as in VCD.
        self.block.string(id.index(), if text.is_empty() { b" " } else { text.as_bytes() });
    }

    fn bytes_of(&mut self, _id: Id, text: &str) -> Vec<u8> {
        text.as_bytes().to_vec()
    }

    fn prepared(&mut self, id: Id, text: &Prepared) {
        self.block.string(id.index(), text.bytes());
    }
}

/// Writes a block: its type, numbers of eight bytes, and the contents. The first number is the length of all after the type.
fn write_block(file: &mut impl Write, kind: u8, numbers: &[usize], contents: &[u8]) -> io::Result<()> {
    file.write_all(&[kind])?;
    for &number in numbers {
        file.write_all(&(number as u64).to_be_bytes())?;
    }
    file.write_all(contents)
}

fn write_header(file: &mut impl Write, (first, last): (u64, u64), counts: Counts) -> io::Result<()> {
    let mut header = vec![HEADER];
    let number = |header: &mut Vec<u8>, value: u64| header.extend_from_slice(&value.to_be_bytes());
    number(&mut header, HEADER_LENGTH);
    number(&mut header, first);
    number(&mut header, last);
    // Readers detect the byte order of real numbers from this number.
    header.extend_from_slice(&std::f64::consts::E.to_le_bytes());
    let Counts { scopes, variables, signals, blocks } = counts;
    // The first number is the memory that the writer took.
    for count in [0, scopes, variables, signals, blocks] {
        number(&mut header, count);
    }
    // Times are in units of 10^-9 s.
    header.push((-9_i8).to_be_bytes()[0]);
    let mut writer = concat!("utfhdl ", env!("CARGO_PKG_VERSION")).as_bytes().to_vec();
    writer.resize(WRITER_LENGTH, 0);
    header.extend(writer);
    header.extend([0; DATE_LENGTH]);
    // The source is Verilog, and no time is added to those in the file.
    header.push(0);
    number(&mut header, 0);
    debug_assert_eq!(header.len() as u64, 1 + HEADER_LENGTH);
    file.write_all(&header)
}

/// The hierarchy, and the width in bits of each signal; of text, 0.
#[derive(Default)]
struct Tree {
    hierarchy: Vec<u8>,
    widths: Vec<u32>,
    counts: Counts,
    ids: Ids,
}

impl Tree {
    fn add(&mut self, folder: &Folder) {
        if folder.is_empty() {
            return;
        }
        self.counts.scopes += 1;
        self.hierarchy.extend([codes::SCOPE, codes::MODULE]);
        c_string(&mut self.hierarchy, &folder.name);
        // The name of its module.
        c_string(&mut self.hierarchy, "");
        for variable in &folder.variables {
            self.counts.variables += 1;
            let kind = match variable.origin {
                Origin::Cycle => codes::INTEGER,
                _ if variable.is_text() => codes::STRING,
                _ if variable.register => codes::REG,
                _ => codes::WIRE,
            };
            // No direction.
            self.hierarchy.extend([kind, 0]);
            match variable.width {
                2.. if kind != codes::INTEGER => {
                    let range = format!("{} [{}:0]", variable.name, variable.width - 1);
                    c_string(&mut self.hierarchy, &range);
                }
                _ => c_string(&mut self.hierarchy, &variable.name),
            }
            varint(&mut self.hierarchy, variable.width.into());
            // A second name of a signal says which signal; the first name says nothing.
            let (id, is_new) = self.ids.add(&variable.origin);
            varint(&mut self.hierarchy, if is_new { 0 } else { u64::from(id.0) + 1 });
            if is_new {
                self.widths.push(variable.width);
                self.counts.signals += 1;
            }
        }
        folder.children.iter().for_each(|child| self.add(child));
        self.hierarchy.push(codes::UP_SCOPE);
    }
}
