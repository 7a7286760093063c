//! The drawing of a trace: waves as in a viewer, where each sequence has one colour from its first unit to its slot.

use std::fmt::Write;

use super::cells::{Cell, Cells};
use super::{Base, Kind, MOST_DRAWN, Row, Sequence, Trace, TraceError, waits};
use crate::page::escaped;

/// The width of a cycle in a core of one lane and of several. All lengths are in pixels.
const CYCLE: f64 = 37.0;
const WIDE_CYCLE: f64 = 66.0;
/// The height of a wave, and the distance from one wave to the next.
const WAVE: f64 = 18.0;
const ROW: f64 = 26.0;
/// Height of a group's heading.
const HEADING: f64 = 34.0;
/// A sequence's card.
const CARD_WIDTH: f64 = 78.0;
const CARD_HEIGHT: f64 = 58.0;
const CARD_GAP: f64 = 8.0;
/// Slant of a cell where it changes.
const SLANT: f64 = 4.0;
/// The width of a character of names and of values.
const NAME_CHARACTER: f64 = 6.7;
const VALUE_CHARACTER: f64 = 6.1;
/// The width of a character of small values, and the least width to which a character is squeezed.
const SMALL_CHARACTER: f64 = 4.6;
const LEAST_CHARACTER: f64 = 3.3;
/// The width of a character of labels.
const LABEL_CHARACTER: f64 = 6.2;
/// The first of the characters that are mostly twice as wide as a letter.
const FIRST_WIDE: char = '\u{1100}';
/// The most lanes that have rows of their own where nothing else is asked for.
const MOST_LANES: usize = 8;
/// The most characters of a stage's name.
const STAGE_CHARACTERS: usize = 40;
/// Left of the names, and between them and the waves.
const MARGIN: f64 = 12.0;
/// Classes of the colours of code points.
const COLOURS: u32 = 6;

const STYLE: &str = "\
text{font-family:ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;font-size:11px;fill:#57606a}
.name,.value{font-family:ui-monospace,'DejaVu Sans Mono',monospace;fill:#1f2328}
.value,.mid{text-anchor:middle}
.value{font-size:10px}
.small{font-size:7.6px}
.dim{fill:#8c959f}
.head{font-weight:600;fill:#1f2328}
.glyph{font-size:20px;fill:#1f2328;text-anchor:middle}
.paper{fill:#ffffff;stroke:#d0d7de}
.grid{stroke:#d0d7de;stroke-width:.6;fill:none}
.wave{stroke:#1f2328;stroke-width:1.4;fill:none;stroke-linejoin:round}
.rest{stroke:#afb8c1;stroke-width:1.2;fill:none}
.plain{fill:none;stroke:#d0d7de}
.stall{fill:#d4a72c;fill-opacity:.22}
.k0{fill:#cfe6ff;stroke:#0969da}
.k1{fill:#ccf0d4;stroke:#1a7f37}
.k2{fill:#ead9ff;stroke:#8250df}
.k3{fill:#fff1c2;stroke:#9a6700}
.k4{fill:#cdf3f3;stroke:#1b7c83}
.k5{fill:#ffdff0;stroke:#bf3989}
.bad{fill:#ffd8d3;stroke:#cf222e}
.lead{fill:none;stroke-width:1.4}
@media(prefers-color-scheme:dark){
text{fill:#9198a1}
.name,.value,.head,.glyph{fill:#e6edf3}
.dim{fill:#6e7681}
.paper{fill:#0d1117;stroke:#30363d}
.grid{stroke:#30363d}
.wave{stroke:#e6edf3}
.rest{stroke:#59636e}
.plain{fill:none;stroke:#30363d}
.k0{fill:#0c2d5c;stroke:#58a6ff}
.k1{fill:#0f3d1e;stroke:#3fb950}
.k2{fill:#341a66;stroke:#a371f7}
.k3{fill:#4b3600;stroke:#d29922}
.k4{fill:#0b3b3f;stroke:#39c5cf}
.k5{fill:#551a3b;stroke:#f778ba}
.bad{fill:#5c1512;stroke:#f85149}
.lead{fill:none}
}
";

impl Trace {
    /// The trace as an SVG from the end of reset to the last beat: the text, the ports and, of a core of one lane, all registers
    /// that hold more than one bit of a sequence; of a core of several lanes, a row for each pipeline stage. With `all`, all
    /// registers that are [kept](Self::keep_registers).
    ///
    /// # Errors
    /// If the run is too long.
    pub fn svg(&self, all: bool) -> Result<String, TraceError> {
        let first =
            self.waits.iter().position(|why| why & waits::RESET == 0).unwrap_or_default().saturating_sub(1);
        let spans = self.sequences.iter().flat_map(|sequence| [sequence.taken, sequence.given]);
        let last = spans.flatten().map(|(_, last)| last as usize).max().unwrap_or(first);
        let end = (last + 2).min(self.cycles);
        let cycles = end - first;
        if cycles > MOST_DRAWN {
            return Err(TraceError::TooLongToDraw { cycles });
        }
        let groups = self.drawn(all);
        let longest = groups.iter().flat_map(|group| &group.rows).map(|(name, _)| name.chars().count()).max();
        let left = MARGIN + longest.unwrap_or_default() as f64 * NAME_CHARACTER + MARGIN;
        let cycle = if self.lanes > 1 { WIDE_CYCLE } else { CYCLE };
        let mut drawing = Drawing { trace: self, svg: String::new(), y: 12.0, left, cycle, first, end };
        drawing.clock();
        for DrawnGroup { title, rows } in &groups {
            drawing.heading(title);
            drawing.stalls(rows);
            rows.iter().for_each(|(name, row)| drawing.row(name, row));
        }
        let bottom = drawing.y;
        // The text on top says the same for several lanes.
        if self.lanes == 1 {
            drawing.cards();
        }
        let (width, height) = (drawing.x(end) + 14.0, drawing.y + 12.0);
        let body = drawing.grid(bottom) + &drawing.svg;
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\">\n<title>A run of {}, cycle by cycle</title>\n\
             <style>\n{STYLE}</style>\n<rect class=\"paper\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n\
             {body}</svg>\n",
            escaped(&self.module),
            width - 1.0,
            height - 1.0
        ))
    }

    /// The groups that are drawn, with the names of their rows.
    fn drawn(&self, all: bool) -> Vec<DrawnGroup<'_>> {
        let is_wide = self.lanes > 1;
        let is_shown = |row: &&Row| match row.is_register {
            true => all || row.base != Base::Wave && row.has_sequences(),
            // The lanes side by side in one number, and the kinds, which the slots have in words.
            false if is_wide && row.base != Base::Wave && row.base != Base::Text => {
                row.is_lane && self.lanes <= MOST_LANES && !row.name.contains("tuser")
            }
            false => true,
        };
        let mut groups: Vec<DrawnGroup> = Vec::new();
        for group in &self.groups {
            let of_stages = group.lanes.as_ref().filter(|lanes| !all && lanes.has_sequences());
            if let Some(lanes) = of_stages {
                let name = shortened(&group.title, STAGE_CHARACTERS);
                match groups.last_mut() {
                    Some(last) if last.title == PIPELINE => last.rows.push((name, lanes)),
                    _ => groups.push(DrawnGroup { title: PIPELINE, rows: vec![(name, lanes)] }),
                }
                continue;
            }
            let is_inside = group.rows.iter().all(|row| row.is_register);
            let rows: Vec<_> =
                group.rows.iter().filter(is_shown).map(|row| (row.name.clone(), row)).collect();
            if !rows.is_empty() && (all || !is_wide || !is_inside) {
                groups.push(DrawnGroup { title: &group.title, rows });
            }
        }
        groups
    }
}

/// The title over the stages of a core of several lanes.
const PIPELINE: &str = "Pipeline: what each lane holds a part of, lane 0 on the left";

struct DrawnGroup<'t> {
    title: &'t str,
    rows: Vec<(String, &'t Row)>,
}

struct Drawing<'t> {
    trace: &'t Trace,
    svg: String,
    /// The top of the next element.
    y: f64,
    /// The left edge of the waves.
    left: f64,
    /// The width of a cycle.
    cycle: f64,
    /// The first cycle that is drawn, and the cycle after the last.
    first: usize,
    end: usize,
}

impl Drawing<'_> {
    /// The left edge of a cycle.
    fn x(&self, cycle: usize) -> f64 {
        round(self.left + (cycle - self.first) as f64 * self.cycle)
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        writeln!(self.svg, "{element}").expect("writing to a string");
    }

    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let (x, y, text) = (round(x), round(y), escaped(text));
        self.add(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"));
    }

    fn grid(&self, bottom: f64) -> String {
        let lines = (self.first..=self.end).map(|cycle| format!("M{} 28V{bottom}", self.x(cycle)));
        format!("<path class=\"grid\" d=\"{}\"/>\n", lines.collect::<String>())
    }

    fn clock(&mut self) {
        self.text("head", MARGIN, self.y + 10.0, "cycle");
        for cycle in self.first..self.end {
            let number = self.trace.first + cycle as u64;
            self.text("mid", self.x(cycle) + self.cycle / 2.0, self.y + 10.0, &number.to_string());
        }
        self.y += 20.0;
    }

    fn heading(&mut self, title: &str) {
        self.text("head", MARGIN, self.y + HEADING - 10.0, title);
        self.y += HEADING;
    }

    /// Shades the cycles in which a side of the core waits, over the rows of that side, and says why, once for cycles side by side.
    fn stalls(&mut self, rows: &[(String, &Row)]) {
        let (mask, names) = match rows[0].0.as_str() {
            "s_axis_tvalid" => (waits::NO_INPUT | waits::INPUT_WAITS, ["no input", "not ready"]),
            "m_axis_tvalid" => (waits::OUTPUT_WAITS, ["", "not ready"]),
            _ => return,
        };
        let (top, height) = (self.y - 3.0, rows.len() as f64 * ROW - 2.0);
        let why = |cycle: usize| self.trace.waits[cycle] & mask;
        let cycles: Vec<(usize, u8)> = (self.first..self.end).map(|cycle| (cycle, why(cycle))).collect();
        let mut behind = 0.0;
        let mut is_raised = false;
        for run in cycles.chunk_by(|(_, a), (_, b)| a == b).filter(|run| run[0].1 != 0) {
            let (left, right) = (self.x(run[0].0), self.x(run[0].0 + run.len()));
            let width = round(right - left);
            self.add(format_args!(
                "<rect class=\"stall\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>"
            ));
            let name = names[usize::from(run[0].1 & waits::NO_INPUT == 0)];
            let (middle, half) = ((left + right) / 2.0, name.len() as f64 * LABEL_CHARACTER / 2.0);
            // A label that would run into the one before it is raised.
            is_raised = middle - half < behind && !is_raised;
            behind = middle + half;
            self.text("mid", middle, self.y - if is_raised { 19.0 } else { 8.0 }, name);
        }
    }

    fn row(&mut self, name: &str, row: &Row) {
        self.text("name", MARGIN, self.y + 13.0, name);
        let (first, end) = (self.first, self.end);
        let cells = row.cells.iter(self.trace.cycles).filter(|cell| cell.end > first && cell.start < end);
        let cells: Vec<Cell> =
            cells.map(|cell| Cell { start: cell.start.max(first), end: cell.end.min(end), ..cell }).collect();
        match row.base {
            Base::Wave => self.wave(&cells),
            Base::Text => cells.iter().for_each(|cell| self.lanes(row, cell)),
            Base::Hexadecimal | Base::Octal | Base::Slots => {
                cells.iter().for_each(|cell| self.cell(row, cell))
            }
        }
        self.y += ROW;
    }

    /// The characters of a cell, each in its lanes.
    fn lanes(&mut self, row: &Row, cell: &Cell) {
        let (top, middle) = (self.y, self.y + WAVE / 2.0);
        let (from, to) = (self.x(cell.start), self.x(cell.end));
        let whole = vec![(row.width, cell.colour)];
        let parts = if cell.colour < Cells::MIXED {
            &whole
        } else {
            &self.trace.mixes[(cell.colour - Cells::MIXED) as usize]
        };
        if parts.iter().all(|(_, colour)| *colour < Cells::FIRST) {
            self.add(format_args!("<path class=\"rest\" d=\"M{from} {middle}H{to}\"/>"));
            return;
        }
        let lane = (to - from - 2.0) / f64::from(row.width);
        let mut left = from + 1.0;
        for &(lanes, colour) in parts {
            let width = lane * f64::from(lanes);
            if colour >= Cells::FIRST {
                let sequence = &self.trace.sequences[(colour - Cells::FIRST) as usize];
                let (class, x, wide) = (self.class(colour), round(left), round(width));
                self.add(format_args!(
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{wide}\" height=\"{WAVE}\"/>"
                ));
                let is_wide = sequence.glyph().chars().any(|glyph| glyph >= FIRST_WIDE);
                let class = if is_wide && width < 2.0 * VALUE_CHARACTER { "value small" } else { "value" };
                if width >= SMALL_CHARACTER {
                    self.text(class, left + width / 2.0, middle + 4.0, sequence.glyph());
                }
            }
            left += width;
        }
    }

    fn wave(&mut self, cells: &[Cell]) {
        let level = |value: u32| if value == 1 { self.y } else { self.y + WAVE };
        let mut path = format!("M{} {}", self.left, level(cells.first().map_or(0, |cell| cell.value[0])));
        for cell in cells {
            write!(path, "V{}H{}", level(cell.value[0]), self.x(cell.end)).expect("writing to a string");
        }
        self.add(format_args!("<path class=\"wave\" d=\"{path}\"/>"));
    }

    fn cell(&mut self, row: &Row, cell: &Cell) {
        let (top, middle, bottom) = (self.y, self.y + WAVE / 2.0, self.y + WAVE);
        let (from, to) = (self.x(cell.start), self.x(cell.end));
        if cell.colour == Cells::IDLE {
            self.add(format_args!("<path class=\"rest\" d=\"M{from} {middle}H{to}\"/>"));
            return;
        }
        if cell.colour >= Cells::MIXED {
            let mix = &self.trace.mixes[(cell.colour - Cells::MIXED) as usize];
            let bits: u32 = mix.iter().map(|part| part.0).sum();
            let mut left = from;
            for (part, colour) in mix.clone() {
                let width = (to - from) * f64::from(part) / f64::from(bits);
                let class = self.class(colour);
                let (x, width) = (round(left), round(width));
                self.add(format_args!(
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{WAVE}\"/>"
                ));
                left += width;
            }
            return;
        }
        let class = self.class(cell.colour);
        self.add(format_args!(
            "<path class=\"{class}\" d=\"M{from} {middle}L{} {top}H{}L{to} {middle}L{} {bottom}H{}Z\"/>",
            from + SLANT,
            to - SLANT,
            to - SLANT,
            from + SLANT
        ));
        let class = if cell.colour == Cells::PLAIN { "value dim" } else { "value" };
        self.value(class, from, to, middle + 4.0, &self.in_words(row, cell));
    }

    /// Writes a value into the middle of a cell, with its base line at `y`: smaller, closer together, or only its start, where it
    /// has little room.
    fn value(&mut self, class: &str, from: f64, to: f64, y: f64, text: &str) {
        let (room, count) = (to - from - SLANT, text.chars().count() as f64);
        let x = (from + to) / 2.0;
        if count * VALUE_CHARACTER <= room {
            self.text(class, x, y, text);
        } else if count * SMALL_CHARACTER <= room {
            self.text(&format!("{class} small"), x, y - 1.0, text);
        } else {
            let most = (room / LEAST_CHARACTER) as usize;
            let (x, y, room, text) = (round(x), round(y - 1.0), round(room), escaped(&shortened(text, most)));
            self.add(format_args!(
                "<text class=\"{class} small\" x=\"{x}\" y=\"{y}\" textLength=\"{room}\" \
                 lengthAdjust=\"spacingAndGlyphs\">{text}</text>"
            ));
        }
    }

    /// The value of a cell as its row writes it.
    fn in_words(&self, row: &Row, cell: &Cell) -> String {
        let sequence = cell.colour.checked_sub(Cells::FIRST).map(|at| &self.trace.sequences[at as usize]);
        match sequence.filter(|sequence| row.base == Base::Slots && sequence.kind == Kind::Error) {
            Some(error) => error.name.clone(),
            None => value_in_words(row, cell.value),
        }
    }

    /// The class of a colour.
    fn class(&self, colour: u32) -> String {
        match colour {
            Cells::IDLE | Cells::PLAIN => "plain".to_owned(),
            _ => class_of(colour - Cells::FIRST, &self.trace.sequences),
        }
    }

    /// A card for each sequence that comes out, with a line from where it does.
    fn cards(&mut self) {
        let shown: Vec<(usize, u32)> = self
            .trace
            .sequences
            .iter()
            .enumerate()
            .filter_map(|(index, sequence)| Some((index, sequence.given?.0)))
            .collect();
        let room = (self.end - self.first) as f64 * self.cycle + self.left - MARGIN;
        let of_line = (room / (CARD_WIDTH + CARD_GAP)).max(1.0) as usize;
        let lines = shown.len().div_ceil(of_line).max(1);
        let top = self.y + 34.0;
        let mut lefts = vec![self.x(self.end) + CARD_GAP; lines];
        for (number, (index, cycle)) in shown.iter().enumerate().rev() {
            let line = number % lines;
            let from = self.x(*cycle as usize) + self.cycle / 2.0;
            let left = (from - CARD_WIDTH / 2.0).min(lefts[line] - CARD_GAP - CARD_WIDTH);
            lefts[line] = left;
            self.card(*index, from, round(left), top + line as f64 * (CARD_HEIGHT + CARD_GAP));
        }
        self.y = top + lines as f64 * (CARD_HEIGHT + CARD_GAP);
    }

    fn card(&mut self, index: usize, from: f64, left: f64, top: f64) {
        let sequence = &self.trace.sequences[index];
        let class = class_of(index as u32, &self.trace.sequences);
        let (start, to) = (self.y - 4.0, round(left + CARD_WIDTH / 2.0));
        let bend = start + 18.0;
        self.add(format_args!(
            "<path class=\"{class} lead\" d=\"M{from} {start}C{from} {bend} {to} {bend} {to} {top}\"/>\n\
             <rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{CARD_WIDTH}\" height=\"{CARD_HEIGHT}\" rx=\"5\"/>",
        ));
        self.text("glyph", to, top + 26.0, sequence.glyph());
        self.value("value", left, left + CARD_WIDTH, top + 47.0, &sequence.name);
    }
}

/// The class of a sequence's colours.
fn class_of(sequence: u32, sequences: &[Sequence]) -> String {
    match sequences[sequence as usize].kind {
        Kind::Error => "bad".to_owned(),
        Kind::CodePoint | Kind::Mark => format!("k{}", sequence % COLOURS),
    }
}

/// A value as its row writes it.
fn value_in_words(row: &Row, value: &[u32]) -> String {
    let name = row.labels.as_ref().filter(|_| value.len() == 1).and_then(|labels| {
        labels
            .values
            .iter()
            .find(|(labelled, _)| *labelled == u64::from(value[0]))
            .map(|(_, name)| name.clone())
    });
    name.unwrap_or_else(|| match row.base {
        Base::Octal => format!("{:03o}", value[0]),
        Base::Wave | Base::Hexadecimal | Base::Slots | Base::Text => {
            let digits: String = value.iter().rev().map(|word| format!("{word:08X}")).collect();
            let significant = digits.trim_start_matches('0');
            // Units have all their digits, as documents write them.
            let least = if row.width <= 8 && !row.is_register { row.width.div_ceil(4) as usize } else { 1 };
            format!("{significant:0>least$}")
        }
    })
}

/// Cuts a text to this number of characters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

fn round(length: f64) -> f64 {
    (length * 100.0).round() / 100.0
}
