//! GTKWave's save file.

use std::fmt::Write;

use super::catalogue::{Origin, UTF8, Variable};
use super::plan::{Kind, Line, Resolved, Window};
use super::source::CYCLE_NS;

/// The look of a trace: bits of the number after `@`, as in GTKWave's `analyzer.h`.
mod flags {
    pub const HEX: u32 = 1 << 1;
    pub const DECIMAL: u32 = 1 << 2;
    pub const BINARY: u32 = 1 << 3;
    pub const RIGHT_JUSTIFIED: u32 = 1 << 5;
    pub const BLANK: u32 = 1 << 9;
    pub const ASCII: u32 = 1 << 11;
    /// The end of a closed group, which takes no line.
    pub const COLLAPSED: u32 = 1 << 12;
    pub const CLOSED: u32 = 1 << 22;
    pub const GROUP_BEGIN: u32 = 1 << 23;
    pub const GROUP_END: u32 = 1 << 24;
}

/// Nanoseconds that the 200 pixels from tick to tick stand for at first: 67 pixels a cycle, room for `U+1F600_x`, or 59, room for
/// `é_U+00E9`.
const TICK_NS: f64 = 3.0 * CYCLE_NS as f64;
const DENSE_TICK_NS: f64 = 3.4 * CYCLE_NS as f64;

/// Cycles that are shown before the one with which the window opens, of about 17 and 20.
const CYCLES_BEFORE: u64 = 11;
const DENSE_CYCLES_BEFORE: u64 = 15;

/// Cycles that are shown before a marker.
const CYCLES_BEFORE_MARK: u64 = 8;

/// The text of a save file called `name` for the dump called `dump`.
pub(super) fn save_file(dump: &str, name: &str, window: &Window, groups: &[Resolved]) -> String {
    let (tick_ns, cycles_before) =
        if window.is_dense { (DENSE_TICK_NS, DENSE_CYCLES_BEFORE) } else { (TICK_NS, CYCLES_BEFORE) };
    let (marked, before) = match (&window.mark, window.open_at) {
        (Some((cycle, _)), _) => (*cycle, CYCLES_BEFORE_MARK),
        (None, Some(cycle)) => (cycle, cycles_before),
        (None, None) => (window.first, 0),
    };
    let start = marked.saturating_sub(before).max(window.first) * CYCLE_NS;
    // The primary marker, and for a mark the named marker A, too: the primary one moves with each click.
    let primary = marked * CYCLE_NS;
    let (markers, marker_name) = match &window.mark {
        Some((_, name)) => (format!("{primary} {primary}"), format!("[markername] A{name}\n")),
        None => (primary.to_string(), String::new()),
    };
    // GTKWave counts how often it has zoomed in by two from a nanosecond a tick.
    let zoom = -tick_ns.log2();
    // GTKWave finds a name with a folder in it from any working directory, beside the save file.
    let mut text = format!(
        "[*] Made by utfhdl: gtkwave {name}\n\
         [dumpfile] \"././{dump}\"\n\
         [savefile] \"././{name}\"\n\
         [timestart] {start}\n\
         [size] 1600 1000\n\
         [pos] -1 -1\n\
         *{zoom:.6} {markers}\n\
         {marker_name}\
         [sst_width] 20\n\
         [signals_width] 420\n\
         [sst_expanded] 0\n"
    );
    for group in groups {
        write_group(&mut text, group);
    }
    text
}

fn write_group(text: &mut String, group: &Resolved) {
    let folded = if group.folded { flags::CLOSED } else { 0 };
    let _ = writeln!(text, "@{:x}\n-{}", flags::BLANK | flags::GROUP_BEGIN | folded, group.title);
    for line in &group.lines {
        match line {
            Line::Heading(heading) => {
                let _ = writeln!(text, "@{:x}\n-{heading}", flags::BLANK);
            }
            Line::Signal(path, variable) => {
                let _ = writeln!(text, "@{:x}\n[color] {}", format(variable), color(variable.kind()));
                let _ = writeln!(text, "{}", trace(group, path, variable));
            }
        }
    }
    let folded = if group.folded { flags::CLOSED | flags::COLLAPSED } else { 0 };
    let _ = writeln!(text, "@{:x}\n-{}", flags::BLANK | flags::GROUP_END | folded, group.title);
}

/// A signal by its path, which GTKWave shows the last name of, or by a name to be shown and the path.
fn trace(group: &Resolved, path: &str, variable: &Variable) -> String {
    let range = match variable.width {
        0 | 1 => String::new(),
        _ if variable.origin == Origin::Cycle => String::new(),
        width => format!("[{}:0]", width - 1),
    };
    if let Origin::Text(_) = variable.origin {
        return format!("+{{{}}} {path}{UTF8}", variable.name);
    }
    // Scopes distinguish signals of one name.
    if group.signals().filter(|(_, other)| other.name == variable.name).count() > 1 {
        let scope = path.rsplit('.').nth(1).expect("a signal stands in a scope");
        return format!("+{{{scope}/{}{range}}} {path}{range}", variable.name);
    }
    format!("{path}{range}")
}

fn format(variable: &Variable) -> u32 {
    flags::RIGHT_JUSTIFIED
        | match variable.width {
            0 => flags::ASCII,
            1 => flags::BINARY,
            _ if variable.origin == Origin::Cycle => flags::DECIMAL,
            _ if variable.name.ends_with("keep") => flags::BINARY,
            _ => flags::HEX,
        }
}

/// GTKWave's colours: 0 as the user has it, 1 red, 2 orange, 3 yellow, 4 green, 5 blue, 6 indigo, 7 violet. The last
/// three are dark on its black: they are for what is not read by its edges.
fn color(kind: Kind) -> u32 {
    match kind {
        Kind::Frame => 6,
        Kind::Alarm => 1,
        Kind::Text => 7,
        Kind::Input => 3,
        Kind::Output => 4,
        Kind::Register => 2,
        Kind::Wire => 0,
    }
}
