//! An explanation as text.

use std::fmt::Write;

use crate::explain::{Meaning, Sequence, Use, Written};
use crate::input::is_octal;
use crate::printable::printable;
use utfhdl_codec::{System, Whole};

/// Colours of the terminal.
mod color {
    pub const LENGTH: &str = "\x1b[1;36m";
    pub const TRAILING: &str = "\x1b[34m";
    pub const PAYLOAD: &str = "\x1b[32m";
    pub const ERROR: &str = "\x1b[1;31m";
    pub const STRONG: &str = "\x1b[1m";
    pub const END: &str = "\x1b[0m";
}

/// Writes text with colours, or without.
struct Pen {
    text: String,
    is_colored: bool,
}

impl Pen {
    fn colored(&mut self, color: &str, text: &str) {
        if self.is_colored {
            self.text.extend([color, text, color::END]);
        } else {
            self.text.push_str(text);
        }
    }

    fn plain(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// The most character sets by table that are named in a line.
const MOST_TABLES: usize = 6;

/// The sequence as text.
pub fn sequence(sequence: &Sequence, bits: u32, is_colored: bool) -> String {
    let mut pen = Pen { text: String::new(), is_colored };
    write_sequence(&mut pen, sequence, bits);
    pen.text
}

/// The units of a code point in other systems, as text.
pub fn elsewhere(
    whole: &Whole,
    (written, lacking): &(Vec<Written>, Vec<System>),
    is_colored: bool,
) -> String {
    let mut pen = Pen { text: "\n".to_owned(), is_colored };
    pen.colored(color::STRONG, &character(whole));
    pen.plain(" in other systems\n");
    let shown = |written: &Written| units(&written.units, written.unit_bits).join(" ");
    let width = written.iter().map(|written| shown(written).len()).max().unwrap_or_default();
    for written in written {
        pen.plain(&format!("  {:width$}  {}\n", shown(written), names_of(&written.systems)));
    }
    if !lacking.is_empty() {
        let names: Vec<&str> = lacking.iter().map(|system| system.name()).collect();
        pen.plain(&format!("  {:width$}  {}\n", "none", names.join(", ")));
    }
    pen.text
}

/// The names of systems; of many character sets by table, their number.
fn names_of(systems: &[System]) -> String {
    let is_table = |system: &System| matches!(system, System::Table(_));
    let tables = systems.iter().filter(|system| is_table(system)).count();
    let is_named = |system: &&System| tables <= MOST_TABLES || !is_table(system);
    let mut names: Vec<String> =
        systems.iter().filter(is_named).map(|system| system.name().to_owned()).collect();
    names.extend((tables > MOST_TABLES).then(|| format!("{tables} sets by table")));
    names.join(", ")
}

fn write_sequence(pen: &mut Pen, sequence: &Sequence, bits: u32) {
    pen.plain(&format!("at {}: ", sequence.offset));
    match &sequence.what {
        Meaning::CodePoint(whole) => pen.colored(color::STRONG, &character(whole)),
        Meaning::Mark => pen.plain("a mark, which is no text"),
        Meaning::Change => pen.plain("a change of the state, which is no text"),
        Meaning::Error(kind, _) => pen.colored(color::ERROR, &format!("error {kind}")),
    }
    pen.plain("\n");
    for (index, (unit, name)) in sequence.units.iter().zip(units(&sequence.units, bits)).enumerate() {
        pen.plain(&format!("  {name}  "));
        let uses = sequence.uses.get(index).map_or(&[][..], Vec::as_slice);
        write_bits(pen, *unit, bits, uses);
        if matches!(sequence.what, Meaning::CodePoint(_)) {
            match (index, sequence.units.len()) {
                (0, 1) => {}
                (0, count) => pen.plain(&format!("  first of {count}")),
                _ => pen.plain("  trailing"),
            }
        }
        pen.plain("\n");
    }
    if sequence.left_out > 0 {
        pen.plain(&format!("  ... and {} more units\n", sequence.left_out));
    }
    if let Meaning::Error(_, rule) = &sequence.what {
        pen.plain(&format!("  {rule}\n"));
    }
}

/// The bits of a unit, with those in brackets that are structure.
fn write_bits(pen: &mut Pen, unit: u32, bits: u32, uses: &[Use]) {
    for (what, run) in runs(unit, bits, uses) {
        match what {
            None => pen.plain(&run),
            Some(Use::Payload) => pen.colored(color::PAYLOAD, &run),
            Some(Use::Length) => pen.colored(color::LENGTH, &format!("[{run}]")),
            Some(Use::Trailing) => pen.colored(color::TRAILING, &format!("[{run}]")),
        }
    }
}

/// The bits of a unit, cut where their use changes; `None` where no use is known.
pub fn runs(unit: u32, bits: u32, uses: &[Use]) -> Vec<(Option<Use>, String)> {
    let digits = format!("{unit:0width$b}", width = bits as usize);
    if uses.is_empty() {
        return vec![(None, digits)];
    }
    let mut start = 0;
    let run = |same: &[Use]| {
        let end = start + same.len();
        let run = digits[start..end].to_owned();
        start = end;
        (Some(same[0]), run)
    };
    uses.chunk_by(|a, b| a == b).map(run).collect()
}

/// The bits of each unit without colours.
pub fn plain_bits(sequence: &Sequence, bits: u32) -> Vec<String> {
    let of_unit = |(index, unit): (usize, &u32)| {
        let mut pen = Pen { text: String::new(), is_colored: false };
        write_bits(&mut pen, *unit, bits, sequence.uses.get(index).map_or(&[][..], Vec::as_slice));
        pen.text
    };
    sequence.units.iter().enumerate().map(of_unit).collect()
}

/// Units as the documents print them.
pub fn units(units: &[u32], bits: u32) -> Vec<String> {
    let width = bits as usize;
    let shown = |unit: &u32| {
        if is_octal(bits) {
            format!("{unit:03o}")
        } else {
            format!("{unit:0width$X}", width = width.div_ceil(4))
        }
    };
    units.iter().map(shown).collect()
}

/// A code point in hexadecimal.
pub fn number(whole: &Whole) -> String {
    match whole {
        Whole::CodePoint(code_point) => format!("{code_point:X}"),
        Whole::Long(value) => format!("{value:X}"),
        Whole::TooLong { digits } => format!("({digits} digits)"),
        Whole::Error(kind) => kind.name().to_owned(),
    }
}

/// A code point, with its character if that can be shown.
pub fn character(whole: &Whole) -> String {
    let mut text = format!("U+{:0>4}", number(whole));
    if let Whole::CodePoint(code_point) = whole
        && let Some(character) = printable(*code_point)
    {
        let _ = write!(text, " {character}");
    }
    text
}
