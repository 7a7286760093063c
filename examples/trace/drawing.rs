//! The drawing: waves as in a viewer, where each sequence has one colour from its octets to its slot.

use std::fmt::Write;

use utfhdl_codec::Slot;

use super::run::{SOURCE_STALL, Trace};

/// The left edge of the waves, and the width of a cycle. All lengths are in pixels.
const LEFT: f64 = 130.0;
const CYCLE: f64 = 37.0;
/// The height of a wave, and the distance from one wave to the next.
const WAVE: f64 = 18.0;
const ROW: f64 = 26.0;
/// Height of a group's heading.
const HEADING: f64 = 34.0;
/// An event's card.
const CARD_WIDTH: f64 = 78.0;
const CARD_HEIGHT: f64 = 58.0;
/// Slant of a bus where it changes.
const SLANT: f64 = 4.0;

const STYLE: &str = "\
text{font-family:ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;font-size:11px;fill:#57606a}
.name,.value{font-family:ui-monospace,'DejaVu Sans Mono',monospace;fill:#1f2328}
.value,.mid{text-anchor:middle}
.value{font-size:10px}
.head{font-weight:600;fill:#1f2328}
.glyph{font-size:20px;fill:#1f2328;text-anchor:middle}
.paper{fill:#ffffff;stroke:#d0d7de}
.grid{stroke:#d0d7de;stroke-width:.6;fill:none}
.wave{stroke:#1f2328;stroke-width:1.4;fill:none;stroke-linejoin:round}
.rest{stroke:#afb8c1;stroke-width:1.2;fill:none}
.arrow{stroke:#57606a;fill:none}
.plain{fill:#f6f8fa;stroke:#57606a}
.stall{fill:#d4a72c;fill-opacity:.22}
.k0{fill:#cfe6ff;stroke:#0969da}
.k1{fill:#ccf0d4;stroke:#1a7f37}
.k2{fill:#ead9ff;stroke:#8250df}
.bad{fill:#ffd8d3;stroke:#cf222e}
.lead{fill:none;stroke-width:1.4}
@media(prefers-color-scheme:dark){
text{fill:#9198a1}
.name,.value,.head,.glyph{fill:#e6edf3}
.paper{fill:#0d1117;stroke:#30363d}
.grid{stroke:#30363d}
.wave{stroke:#e6edf3}
.rest{stroke:#59636e}
.arrow{stroke:#9198a1}
.plain{fill:#161b22;stroke:#9198a1}
.k0{fill:#0c2d5c;stroke:#58a6ff}
.k1{fill:#0f3d1e;stroke:#3fb950}
.k2{fill:#341a66;stroke:#a371f7}
.bad{fill:#5c1512;stroke:#f85149}
.lead{fill:none}
}
";

/// The trace as an SVG.
pub fn svg(trace: &Trace) -> String {
    let mut drawing = Drawing { trace, svg: String::new(), y: 12.0 };
    drawing.clock();
    drawing.encoded_side();
    drawing.decoding();
    drawing.decoded_side();
    drawing.events();
    let (width, height) = (x(trace.cycles()) + 14.0, drawing.y + 12.0);
    let body = drawing.grid() + &drawing.svg;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>A run of utf_8_decoder_x1, cycle by cycle</title>\n\
         <style>\n{STYLE}</style>\n<rect class=\"paper\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n\
         {body}</svg>\n",
        width - 1.0,
        height - 1.0
    )
}

struct Drawing<'t> {
    trace: &'t Trace,
    svg: String,
    /// The top of the next element.
    y: f64,
}

/// What a bus shows in a cycle: a text, the class of its colours, and a number that tells one beat from the next. Equal
/// neighbours are one cell.
type Cell = Option<(String, &'static str, usize)>;

/// The left edge of a cycle.
fn x(cycle: usize) -> f64 {
    LEFT + cycle as f64 * CYCLE
}

/// The colours of an event.
fn class(event: usize, what: Slot) -> &'static str {
    match what {
        Slot::Error(_) => "bad",
        _ => ["k0", "k1", "k2"][event % 3],
    }
}

impl Drawing<'_> {
    fn add(&mut self, element: std::fmt::Arguments) {
        writeln!(self.svg, "{element}").expect("writing to a string");
    }

    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.add(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"));
    }

    fn grid(&self) -> String {
        let lines = (0..=self.trace.cycles())
            .map(|cycle| format!("M{} 28V{}", x(cycle), self.y - CARD_HEIGHT - 44.0));
        format!("<path class=\"grid\" d=\"{}\"/>\n", lines.collect::<String>())
    }

    fn clock(&mut self) {
        self.text("head", 12.0, self.y + 10.0, "cycle");
        for cycle in 0..self.trace.cycles() {
            self.text("mid", x(cycle) + CYCLE / 2.0, self.y + 10.0, &cycle.to_string());
        }
        self.y += 20.0;
        self.label("clk");
        let (high, low) = (self.y, self.y + WAVE);
        let half = CYCLE / 2.0;
        let path =
            format!("M{LEFT} {low}") + &format!("V{high}h{half}V{low}h{half}").repeat(self.trace.cycles());
        self.add(format_args!("<path class=\"wave\" d=\"{path}\"/>"));
        self.y += ROW;
    }

    fn encoded_side(&mut self) {
        self.heading("encoded side");
        self.stall(SOURCE_STALL, "no octet", 4);
        self.stalls("s_axis_tvalid", "s_axis_tready", 4);
        self.bit("s_axis_tvalid");
        self.bit("s_axis_tready");
        let cells = self.streamed("s_axis_tvalid", "s_axis_tready", |trace, cycle, at| {
            let event = event_of_unit(trace, at);
            (format!("{:02X}", trace.value("s_axis_tdata", cycle)), event)
        });
        self.bus("s_axis_tdata", &cells);
        self.bit("s_axis_tlast");
    }

    fn decoding(&mut self) {
        self.heading("inside");
        let units = self.streamed("unit_valid_reg", "advance", |trace, cycle, at| {
            (format!("{:02X}", trace.value("payload_reg", cycle)), event_of_unit(trace, at))
        });
        self.bus("payload_reg", &units);
        self.bit("open_reg");
        self.register("missing_reg");
        self.register("gathered_reg");
        self.bit("held_reg");
        let slots = self.streamed("slot_valid_reg", "advance", |trace, cycle, at| {
            (format!("{:X}", trace.value("slot_data_reg", cycle)), at)
        });
        self.bus("slot_data_reg", &slots);
    }

    fn decoded_side(&mut self) {
        self.heading("decoded side");
        self.latency();
        self.stalls("m_axis_tvalid", "m_axis_tready", 5);
        self.bit("m_axis_tvalid");
        self.bit("m_axis_tready");
        for signal in ["m_axis_tdata", "m_axis_tuser"] {
            let cells = self.streamed("m_axis_tvalid", "m_axis_tready", |trace, cycle, at| {
                (format!("{:X}", trace.value(signal, cycle)), at)
            });
            self.bus(signal, &cells);
        }
        self.bit("m_axis_tlast");
    }

    /// A card for each event, with a line from its slot.
    fn events(&mut self) {
        let taken: Vec<usize> = (0..self.trace.cycles())
            .filter(|&cycle| self.transfers("m_axis_tvalid", "m_axis_tready", cycle))
            .collect();
        let (top, gap) = (self.y + 34.0, 8.0);
        let mut left = x(self.trace.cycles()) + gap;
        let mut cards: Vec<f64> = Vec::new();
        for &cycle in taken.iter().rev() {
            left = (x(cycle) + CYCLE / 2.0 - CARD_WIDTH / 2.0).min(left - gap - CARD_WIDTH);
            cards.push(left);
        }
        cards.reverse();
        let events = self.trace.events.clone();
        for (index, ((event, cycle), left)) in events.iter().zip(taken).zip(cards).enumerate() {
            let (from, to, class) =
                (x(cycle) + CYCLE / 2.0, left + CARD_WIDTH / 2.0, class(index, event.what));
            let (start, bend) = (self.y - 4.0, self.y + 14.0);
            self.add(format_args!(
                "<path class=\"{class} lead\" d=\"M{from} {start}C{from} {bend} {to} {bend} {to} {top}\"/>\n\
                 <rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{CARD_WIDTH}\" height=\"{CARD_HEIGHT}\" rx=\"5\"/>",
            ));
            let (name, glyph) = match event.what {
                Slot::CodePoint(code_point) => (
                    format!("U+{code_point:04X}"),
                    char::from_u32(code_point).map(String::from).unwrap_or_default(),
                ),
                Slot::Error(kind) => (kind.to_string(), "\u{FFFD}".to_owned()),
                _ => unreachable!("utf-8 has no limbs"),
            };
            self.text("glyph", to, top + 26.0, &glyph);
            self.text("value", to, top + 47.0, &name);
        }
        self.y = top + CARD_HEIGHT;
    }

    fn label(&mut self, name: &str) {
        self.text("name", 12.0, self.y + 13.0, name);
    }

    fn heading(&mut self, title: &str) {
        self.text("head", 12.0, self.y + HEADING - 10.0, title);
        self.y += HEADING;
    }

    /// Shades the cycles in which a beat is offered and not taken, over the next `rows`.
    fn stalls(&mut self, valid: &str, ready: &str, rows: usize) {
        for cycle in 0..self.trace.cycles() {
            if self.trace.value(valid, cycle) > self.trace.value(ready, cycle) {
                self.stall(cycle, "not ready", rows);
            }
        }
    }

    fn stall(&mut self, cycle: usize, why: &str, rows: usize) {
        let (left, top, height) = (x(cycle), self.y - 3.0, rows as f64 * ROW - 2.0);
        self.add(format_args!(
            "<rect class=\"stall\" x=\"{left}\" y=\"{top}\" width=\"{CYCLE}\" height=\"{height}\"/>"
        ));
        self.text("mid", left + CYCLE / 2.0, self.y - 8.0, why);
    }

    /// An arrow from the cycle that takes the first sequence's last octet to that of its slot.
    fn latency(&mut self) {
        let slot = (0..self.trace.cycles()).find(|&cycle| self.trace.value("m_axis_tvalid", cycle) == 1);
        let slot = slot.expect("something comes out");
        let (from, to) = (x(slot - self.trace.latency) + CYCLE / 2.0, x(slot) + CYCLE / 2.0);
        let (y, above) = (self.y - 8.0, self.y - 13.0);
        self.add(format_args!(
            "<path class=\"arrow\" d=\"M{from} {}v8M{from} {y}H{to}m-5 -3l5 3l-5 3M{to} {}v8\"/>",
            y - 4.0,
            y - 4.0
        ));
        let text = format!("{} cycles", self.trace.latency);
        self.text("mid", (from + to) / 2.0, above, &text);
    }

    fn transfers(&self, valid: &str, ready: &str, cycle: usize) -> bool {
        self.trace.value(valid, cycle) & self.trace.value(ready, cycle) == 1
    }

    /// The cells of a bus that moves with a handshake. `cell` is called with the cycle and with the number of transfers before it.
    fn streamed(
        &self,
        valid: &str,
        ready: &str,
        cell: impl Fn(&Trace, usize, usize) -> (String, usize),
    ) -> Vec<Cell> {
        let mut moved = 0;
        let cell = |cycle| {
            let offered = self.trace.value(valid, cycle) == 1;
            let shown = offered.then(|| {
                let (text, event) = cell(self.trace, cycle, moved);
                (text, class(event, self.trace.events[event].what), moved)
            });
            moved += usize::from(self.transfers(valid, ready, cycle));
            shown
        };
        (0..self.trace.cycles()).map(cell).collect()
    }

    /// A register that holds something of the open sequence, in the cycles in which a sequence is open.
    fn register(&mut self, name: &str) {
        let cell = |cycle| {
            let open = self.trace.value("open_reg", cycle) == 1;
            open.then(|| (format!("{:X}", self.trace.value(name, cycle)), "plain", 0))
        };
        let cells: Vec<Cell> = (0..self.trace.cycles()).map(cell).collect();
        self.bus(name, &cells);
    }

    fn bit(&mut self, name: &str) {
        self.label(name);
        let level = |value| if value == 1 { self.y } else { self.y + WAVE };
        let mut path = format!("M{LEFT} {}", level(self.trace.value(name, 0)));
        for cycle in 0..self.trace.cycles() {
            write!(path, "V{}H{}", level(self.trace.value(name, cycle)), x(cycle + 1))
                .expect("writing to a string");
        }
        self.add(format_args!("<path class=\"wave\" d=\"{path}\"/>"));
        self.y += ROW;
    }

    fn bus(&mut self, name: &str, cells: &[Cell]) {
        self.label(name);
        let (top, middle, bottom) = (self.y, self.y + WAVE / 2.0, self.y + WAVE);
        let mut start = 0;
        for run in cells.chunk_by(|a, b| a == b) {
            let (from, to) = (x(start), x(start + run.len()));
            start += run.len();
            let Some((text, class, _)) = &run[0] else {
                self.add(format_args!("<path class=\"rest\" d=\"M{from} {middle}H{to}\"/>"));
                continue;
            };
            self.add(format_args!(
                "<path class=\"{class}\" d=\"M{from} {middle}L{} {top}H{}L{to} {middle}L{} {bottom}H{}Z\"/>",
                from + SLANT,
                to - SLANT,
                to - SLANT,
                from + SLANT
            ));
            self.text("value", (from + to) / 2.0, middle + 4.0, text);
        }
        self.y += ROW;
    }
}

/// The event that a unit of the text belongs to.
fn event_of_unit(trace: &Trace, unit: usize) -> usize {
    let within = |event: &utfhdl_codec::Event| (unit as u64) < event.offset + event.length;
    trace.events.iter().position(within).expect("events tile the text")
}
