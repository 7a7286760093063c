//! The files for the viewers.

use super::super::plan::Window;
use super::super::{gtkwave, surfer};
use super::read::Read;
use super::*;

/// A dump with its viewers' files as text.
fn dumped(cycles: Range<u64>) -> (Read, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, _) = dump(&folder.path().join("run.vcd"), cycles);
    let text = |path: &Path| std::fs::read_to_string(path).expect("text");
    (Read::of(&files.dump), text(&files.gtkw), text(&files.sucl))
}

/// The viewers' files of a dump with a plan of two groups, the first of four signals.
fn with_plan(folded: bool) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = Layout::new(&design());
    let source = WaveSource { layout: &layout, engines: &ENGINES, scope: None, texts: &TEXTS, globs: &[] };
    let signal = |path: &str| WaveItem::Signal(path.to_owned());
    let items = vec![
        signal("tb.decoded"),
        WaveItem::Heading("to compare".into()),
        signal("tb.native.beats"),
        signal("tb.rust_hdl.beats"),
        signal("tb.s_axis_tvalid"),
    ];
    let next = WaveGroup { title: "next".into(), folded: false, items: vec![signal("tb.cycle")] };
    let plan = WavePlan {
        groups: vec![WaveGroup { title: "my group".into(), folded, items }, next],
        is_dense: false,
    };
    let waves = WaveWriter::create(&folder.path().join("run.vcd"), WaveFormat::Vcd, &source, &plan)
        .expect("a writable path");
    let files = waves.finish().expect("a writable folder");
    [files.gtkw, files.sucl].map(|path| std::fs::read_to_string(path).expect("text")).into()
}

#[test]
fn gtkwave_opens_the_dump_beside_the_save_file_with_the_groups_of_the_plan() {
    let (text, _) = with_plan(true);
    let expected = "\
[*] Made by utfhdl: gtkwave run.gtkw
[dumpfile] \"././run.vcd\"
[savefile] \"././run.gtkw\"
[timestart] 0
[size] 1600 1000
[pos] -1 -1
*-4.906891 0
[sst_width] 20
[signals_width] 420
[sst_expanded] 0
@c00200
-my group
@820
[color] 7
+{decoded} tb.decoded_utf8
@200
-to compare
@22
[color] 4
+{native/beats[15:0]} tb.native.beats[15:0]
@22
[color] 4
+{rust_hdl/beats[15:0]} tb.rust_hdl.beats[15:0]
@28
[color] 3
tb.s_axis_tvalid
@1401200
-my group
@800200
-next
@24
[color] 6
tb.cycle
@1000200
-next
";
    assert_eq!(text, expected);
}

#[test]
fn what_gtkwave_is_told_to_show_is_in_the_dump_under_that_name_and_range() {
    let (read, text, _) = dumped(5..50);
    assert!(text.contains("\n[timestart] 50\n"));
    let traces: Vec<&str> =
        text.lines().filter(|line| line.starts_with("tb.") || line.starts_with('+')).collect();
    assert_eq!(traces.len(), 41, "{traces:?}");
    for trace in traces {
        let trace = trace.rsplit(' ').next().expect("a path");
        let (path, range) = trace.split_once('[').unwrap_or((trace, ""));
        let (_, _, declared) = read.variable(path);
        let declared = declared.map_or(String::new(), |(high, low)| format!("{high}:{low}]"));
        assert_eq!(range, declared, "{path}");
    }
}

/// Surfer, as far as these command files go; lines are title or path, and level.
#[derive(Default)]
struct Surfer {
    lines: Vec<Line>,
    focus: Option<usize>,
    /// The range in view, as fractions of the whole.
    view: (f64, f64),
    cursor: Option<u64>,
    marker: Option<(String, u64)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Line {
    name: String,
    level: usize,
    group: bool,
    folded: bool,
    format: Option<String>,
    color: Option<String>,
}

impl Surfer {
    fn run(text: &str) -> Self {
        let mut surfer = Self { view: (0.0, 1.0), ..Self::default() };
        for command in text.lines().filter(|line| !line.starts_with('#')) {
            let (verb, argument) = command.split_once(' ').unwrap_or((command, ""));
            surfer.command(verb, argument);
        }
        surfer
    }

    fn command(&mut self, verb: &str, argument: &str) {
        let word = argument.chars().all(|c| c.is_alphanumeric() || c == '_') && !argument.is_empty();
        match verb {
            "variable_add" => self.add(argument),
            "divider_add" if word => self.add(argument),
            "item_focus" => self.focus = Some(self.visible(argument)),
            "item_unfocus" => self.focus = None,
            "item_set_format" => self.focused().format = Some(argument.to_owned()),
            "item_set_color" => self.focused().color = Some(argument.to_owned()),
            "group_marked" if word => {
                let at = self.focus.expect("a focus");
                let level = self.lines[at].level;
                self.lines[at].level += 1;
                self.lines
                    .insert(at, Line { name: argument.to_owned(), level, group: true, ..Line::default() });
            }
            "group_fold_recursive" => self.focused().folded = true,
            "zoom_fit" => self.view = (0.0, 1.0),
            "zoom_in" => {
                let (middle, half) = ((self.view.0 + self.view.1) / 2.0, (self.view.1 - self.view.0) / 4.0);
                self.view = (middle - half, middle + half);
            }
            "goto_start" => self.view = (0.0, self.view.1 - self.view.0),
            "cursor_set" => self.cursor = Some(argument.parse().expect("a time")),
            "marker_set" => {
                let (name, time) = argument.split_once(' ').expect("a name and a time");
                self.marker = Some((name.to_owned(), time.parse().expect("a time")));
            }
            _ => panic!("Surfer does not know `{verb} {argument}`"),
        }
    }

    fn focused(&mut self) -> &mut Line {
        &mut self.lines[self.focus.expect("a focus")]
    }

    fn add(&mut self, name: &str) {
        let (at, level) = match self.focus {
            Some(at) => (at + 1, self.lines[at].level + usize::from(self.lines[at].group)),
            None => (self.lines.len(), 0),
        };
        self.lines.insert(at, Line { name: name.to_owned(), level, ..Line::default() });
        self.focus = self.focus.map(|_| at);
    }

    /// The line of that number, of those not hidden in a folded group, given as letters, `_` and its name.
    fn visible(&self, argument: &str) -> usize {
        let (letters, name) = argument.split_once('_').expect("letters and a name");
        let number = letters.bytes().fold(0, |number, letter| number * 16 + usize::from(letter - b'a'));
        let mut hidden = false;
        let visible = self.lines.iter().enumerate().filter(|(_, line)| {
            let shown = line.level == 0 || !hidden;
            hidden = if line.level == 0 { line.folded } else { hidden };
            shown
        });
        let (index, line) = visible.into_iter().nth(number).expect("a line");
        assert_eq!(line.name, name, "line {number} of {:?}", self.lines);
        index
    }
}

fn line(name: &str, format: Option<&str>, color: Option<&str>) -> Line {
    let [format, color] = [format, color].map(|text| text.map(str::to_owned));
    Line { name: name.into(), level: 1, format, color, ..Line::default() }
}

#[test]
fn surfer_shows_the_groups_of_the_plan() {
    for folded in [false, true] {
        let (_, text) = with_plan(folded);
        let group = Line { name: "my_group".into(), group: true, folded, ..Line::default() };
        let hexadecimal = Some("Hexadecimal");
        let expected = [
            group,
            line("tb.decoded", None, Some("Yellow")),
            line("to_compare", None, None),
            line("tb.native.beats", hexadecimal, None),
            line("tb.rust_hdl.beats", hexadecimal, None),
            line("tb.s_axis_tvalid", None, Some("Blue")),
            Line { name: "next".into(), group: true, ..Line::default() },
            line("tb.cycle", Some("Unsigned"), Some("Gray")),
        ];
        assert_eq!(Surfer::run(&text).lines, expected);
    }
}

#[test]
fn surfer_finds_every_line_it_is_told_to_format_and_every_signal_in_the_dump() {
    let (read, _, text) = dumped(0..50);
    let lines = Surfer::run(&text).lines;
    let signals: Vec<&Line> = lines.iter().filter(|line| line.name.starts_with("tb.")).collect();
    assert_eq!((signals.len(), lines.iter().filter(|line| line.group).count()), (41, 8), "{lines:?}");
    for signal in signals {
        let (_, width, _) = read.variable(&signal.name);
        assert_eq!(signal.format.is_some(), width.is_some_and(|width| width > 1), "{signal:?}");
        assert_eq!(signal.level, 1);
    }
    let color =
        |name: &str| lines.iter().find(|line| line.name == name).and_then(|line| line.color.as_deref());
    assert_eq!(color("tb.widener.count"), Some("Orange"));
    assert_eq!(color("tb.widener.wide"), None);
}

fn window(cycles: Range<u64>) -> Window {
    Window { first: cycles.start, end: cycles.end, ..Window::default() }
}

#[test]
fn surfer_shows_the_first_cycles() {
    for (cycles, shown) in [(0..19, 19.0), (0..600, 37.5), (99_500..100_000, 24.4140625)] {
        let surfer = Surfer::run(&surfer::command_file(&window(cycles.clone()), &[]));
        let whole = (cycles.end * CYCLE_NS) as f64;
        let width = (surfer.view.1 - surfer.view.0) * whole;
        assert_eq!(width / CYCLE_NS as f64, shown);
        match surfer.cursor {
            None => assert_eq!((cycles.start, surfer.view.0), (0, 0.0)),
            Some(middle) => {
                let left = middle as f64 - width / 2.0;
                assert!((left - (cycles.start * CYCLE_NS) as f64).abs() < 1.0, "{left}");
            }
        }
    }
}

#[test]
fn viewers_open_at_the_mark() {
    let window =
        Window { first: 100, end: 500, mark: Some((417, "what failed".to_owned())), ..Window::default() };
    let surfer = Surfer::run(&surfer::command_file(&window, &[]));
    assert_eq!(surfer.cursor, Some(4170));
    assert_eq!(surfer.marker, Some(("what_failed".to_owned(), 4170)));

    let text = gtkwave::save_file("run.vcd", "run.gtkw", &window, &[]);
    let lines: Vec<&str> = text.lines().collect();
    // Some cycles before it can be seen. The primary marker comes first, then the named ones from A on.
    assert!(lines.contains(&"[timestart] 4090"), "{text}");
    assert!(lines.contains(&"*-4.906891 4170 4170"), "{text}");
    assert!(lines.contains(&"[markername] Awhat failed"), "{text}");
    let opened = Window { mark: None, open_at: Some(417), ..window.clone() };
    let text = gtkwave::save_file("run.vcd", "run.gtkw", &opened, &[]);
    assert!(text.contains("\n[timestart] 4060\n") && text.contains("\n*-4.906891 4170\n"), "{text}");
    let early = Window { mark: Some((102, "x".to_owned())), ..window };
    assert!(gtkwave::save_file("run.vcd", "run.gtkw", &early, &[]).contains("\n[timestart] 1000\n"));
}
