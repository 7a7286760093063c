//! The tables of reports in Markdown files. A table stands between
//!
//! ```text
//! <!-- utfhdl report utf-8 utf-9 decoder: begin -->
//! <!-- utfhdl report: end -->
//! ```
//!
//! The names and options in the first choose the rows, as they do on the command line, with semicolons between the arguments of several
//! commands. The head of the table that is there chooses the columns; where there is no table yet, it gets them all.
//!
//! A line `<!-- utfhdl report --plot area.svg -->` says that the file `area.svg`, in the folder of the page, is the picture of the
//! page's tables.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};
use utfhdl_sim::shown::Shown as _;

use utfhdl_sim::tool::ToolError;

use super::block::Block;
use super::plot::plot;
use super::table::{CORE, markdown};
use super::{Column, ReportError, Request, Row, Tools};

const BEGIN: &str = "<!-- utfhdl report";
const BEGIN_TAIL: &str = ": begin -->";
const PLOT: &str = "<!-- utfhdl report --plot ";
const PLOT_TAIL: &str = " -->";
const END: &str = "<!-- utfhdl report: end -->";

/// A Markdown file with tables of reports.
#[derive(Clone, Debug)]
pub struct Page {
    path: String,
    lines: Vec<String>,
    sections: Vec<Section>,
    /// The lines that name pictures, and the names.
    plots: Vec<(usize, String)>,
}

/// The part of a page between two markers, with its table.
#[derive(Clone, Debug)]
struct Section {
    /// The lines between the markers.
    lines: Range<usize>,
    requests: Vec<Request>,
    columns: Vec<Column>,
    rows: Vec<Shown>,
}

/// A row as on a page.
#[derive(Clone, Debug)]
struct Shown {
    line: usize,
    core: String,
    cells: Vec<String>,
}

impl Page {
    /// Reads a page.
    ///
    /// # Errors
    /// If the file cannot be read, has no table, or has one that cannot be understood.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let text = std::fs::read_to_string(path).map_err(|error| ToolError::io(path, error))?;
        Self::parse(path.shown(), &text)
    }

    fn parse(path: String, text: &str) -> Result<Self, ReportError> {
        let lines = text.lines().map(str::to_owned).collect();
        let mut page = Self { path, lines, sections: Vec::new(), plots: Vec::new() };
        let mut at = 0;
        while at < page.lines.len() {
            if let Some(name) = page.lines[at].strip_prefix(PLOT) {
                let name = name.strip_suffix(PLOT_TAIL);
                let name = name.ok_or_else(|| page.wrong(at, format!("expected `{PLOT}FILE{PLOT_TAIL}`")))?;
                page.plots.push((at, name.to_owned()));
            } else if page.lines[at].starts_with(BEGIN) && page.lines[at] != END {
                let section = page.section(at)?;
                at = section.lines.end;
                page.sections.push(section);
            }
            at += 1;
        }
        match page.sections.is_empty() {
            true => Err(page.wrong(
                0,
                format!("there is no table: put `{BEGIN}{BEGIN_TAIL}` and `{END}` around its place"),
            )),
            false => Ok(page),
        }
    }

    /// The section that begins on a line, counted from 0.
    fn section(&self, begin: usize) -> Result<Section, ReportError> {
        let names = self.lines[begin].strip_prefix(BEGIN).and_then(|line| line.strip_suffix(BEGIN_TAIL));
        let names =
            names.ok_or_else(|| self.wrong(begin, format!("expected `{BEGIN} NAMES{BEGIN_TAIL}`")))?;
        let requests = Request::all(names).map_err(|error| self.wrong(begin, error.to_string()))?;
        let length = self.lines[begin + 1..].iter().position(|line| line == END);
        let end =
            begin + 1 + length.ok_or_else(|| self.wrong(begin, format!("expected `{END}` further down")))?;
        let mut table = (begin + 1..end).filter(|&at| self.lines[at].starts_with('|'));
        let columns = match table.next() {
            Some(head) => self.columns(head, &requests)?,
            None => columns_of(&requests),
        };
        let rows = table.skip(1).map(|at| self.row(at, columns.len())).collect::<Result<_, ReportError>>()?;
        Ok(Section { lines: begin + 1..end, requests, columns, rows })
    }

    fn columns(&self, head: usize, requests: &[Request]) -> Result<Vec<Column>, ReportError> {
        let mut heads = cells(&self.lines[head]).into_iter();
        if heads.next().as_deref() != Some(CORE) {
            return Err(self.wrong(head, format!("the first column must be `{CORE}`")));
        }
        let columns = columns_of(requests);
        let known = || columns.iter().map(|column| column.head()).collect::<Vec<_>>().join(", ");
        heads
            .map(|name| {
                let column = columns.iter().find(|column| column.head() == name).copied();
                column.ok_or_else(|| {
                    self.wrong(head, format!("there is no column `{name}`: there are {}", known()))
                })
            })
            .collect()
    }

    fn row(&self, line: usize, columns: usize) -> Result<Shown, ReportError> {
        let mut cells = cells(&self.lines[line]).into_iter();
        let core = cells.next().unwrap_or_default().trim_matches('`').to_owned();
        let cells: Vec<String> = cells.collect();
        if cells.len() != columns {
            return Err(self.wrong(line, format!("expected {} cells as in the head", columns + 1)));
        }
        Ok(Shown { line, core, cells })
    }

    fn wrong(&self, line: usize, what: String) -> ReportError {
        ReportError::Page { path: self.path.clone(), line: line + 1, what }
    }

    /// The path that the page was read from.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The rows of all tables, each core once, with the figures of all its rows. The number of placements is left out, since it can differ
    /// from table to table.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for section in &self.sections {
            for core in section.cores() {
                if !rows.iter().any(|row| row.core == core.in_short()) {
                    rows.push(Row::new(core));
                }
            }
        }
        for (shown, column, cell) in self.sections.iter().flat_map(Section::cells) {
            let row = rows.iter_mut().find(|row| row.core == shown.core);
            if let Some((row, figure)) = row.zip(cell.parse().ok()).filter(|_| column != Column::Seeds) {
                row.figures.entry(column).or_insert(figure);
            }
        }
        rows
    }

    /// The columns of all tables, in the order of a full table, and those of devices after them.
    pub fn columns_shown(&self) -> Vec<Column> {
        let mut columns = Column::each_once(self.sections.iter().flat_map(|section| section.columns.clone()));
        let place = |column: &Column| Column::of_tables().iter().position(|other| other == column);
        columns.sort_by_key(|column| place(column).unwrap_or(usize::MAX));
        columns
    }

    /// The pictures of the page's tables: their paths, and their expected contents.
    ///
    /// # Errors
    /// If the tables have nothing to draw.
    pub fn plots(&self) -> Result<Vec<(PathBuf, String)>, ReportError> {
        let folder = Path::new(&self.path).parent().unwrap_or(Path::new(""));
        let drawn = |(line, name): &(usize, String)| {
            let text = plot(&self.rows()).map_err(|error| self.wrong(*line, error.to_string()))?;
            Ok((folder.join(name), text))
        };
        self.plots.iter().map(drawn).collect()
    }

    /// The requests of all tables, in the order of the page.
    pub fn requests(&self) -> impl Iterator<Item = &Request> {
        self.sections.iter().flat_map(|section| &section.requests)
    }

    /// The text of the page with the rows that `measure` gives for each request in place of those of its tables. `measure` gets the columns
    /// of the table, and says which tools it ran.
    ///
    /// # Errors
    /// Those of `measure`.
    pub fn updated<E>(
        &self,
        mut measure: impl FnMut(&Request, &[Column]) -> Result<(Vec<Row>, Tools), E>,
    ) -> Result<String, E> {
        let mut lines = self.lines.clone();
        for section in self.sections.iter().rev() {
            let (mut rows, mut ran) = (Vec::new(), Tools::default());
            for request in &section.requests {
                let (measured, tools) = measure(request, &section.columns)?;
                rows.extend(measured);
                ran = ran.and(tools);
            }
            let text = format!("\n{}\n\n{}\n", ran.versions(), markdown(&rows, &section.columns));
            lines.splice(section.lines.clone(), text.lines().map(str::to_owned));
        }
        Ok(lines.join("\n") + "\n")
    }

    /// The faults in the tables of the page: cells that differ from `rows`, latencies that are not those of the cores, cores without a row, and rows
    /// without a core.
    pub fn differences(&self, rows: &[Row]) -> Vec<String> {
        let mut found = Vec::new();
        for section in &self.sections {
            let names: Vec<String> = section.cores().map(Block::in_short).collect();
            let shown: Vec<&str> = section.rows.iter().map(|row| row.core.as_str()).collect();
            for name in names.iter().filter(|name| !shown.contains(&name.as_str())) {
                found.push(format!("{}:{}: there is no row `{name}`", self.path, section.lines.start));
            }
            for row in section.rows.iter().filter(|row| !names.contains(&row.core)) {
                found.push(format!("{}:{}: there is no core `{}`", self.path, row.line + 1, row.core));
            }
            // Latency and units a cycle are known of all cores without a measurement.
            let cores: Vec<Row> = section.cores().map(Row::new).collect();
            for (shown, column, cell) in section.cells() {
                let area = column.of_family();
                let is_known = |row: &&Row| row.core == shown.core && row.figures.contains_key(&area);
                let known = rows.iter().chain(&cores).find(is_known).map(|row| row.cell(area));
                if let Some(known) = known.filter(|known| known != cell) {
                    let (path, line, head) = (&self.path, shown.line + 1, column.head());
                    found.push(format!(
                        "{path}:{line}: `{}` has {head} {cell}, but {known} is right",
                        shown.core
                    ));
                }
            }
        }
        found
    }

    /// The cores for which two tables, of one page or of two, show different figures; of a clock, with the same number of placements.
    pub fn contradictions(pages: &[Self]) -> Vec<String> {
        let mut said = BTreeMap::new();
        let mut found = Vec::new();
        for page in pages {
            let cells =
                page.sections.iter().flat_map(|section| section.cells().map(move |cell| (section, cell)));
            for (section, (shown, column, cell)) in cells {
                let place = format!("{}:{}", page.path, shown.line + 1);
                let seeds = if column.is_placed() { section.seeds(&shown.core) } else { None };
                let (first, there) =
                    said.entry((&shown.core, column, seeds)).or_insert((cell, place.clone()));
                if *first != cell {
                    let (core, head) = (&shown.core, column.head());
                    found.push(format!("{place}: `{core}` has {head} {cell}, but {first} at {there}"));
                }
            }
        }
        found
    }
}

/// The columns that a table of these requests can have.
fn columns_of(requests: &[Request]) -> Vec<Column> {
    Column::each_once(requests.iter().flat_map(Request::columns))
}

impl Section {
    fn cores(&self) -> impl Iterator<Item = &Block> {
        self.requests.iter().flat_map(|request| &request.cores)
    }

    /// The number of placements that is asked for a core; `None` where it is left to the command.
    fn seeds(&self, core: &str) -> Option<NonZeroU32> {
        let of_core = |request: &&Request| request.cores.iter().any(|other| other.in_short() == core);
        self.requests.iter().find(of_core).and_then(|request| request.seeds)
    }

    fn cells(&self) -> impl Iterator<Item = (&Shown, Column, &String)> {
        self.rows.iter().flat_map(|row| {
            let cells = self.columns.iter().zip(&row.cells);
            cells.map(move |(&column, cell)| (row, column, cell))
        })
    }
}

/// The cells of a line such as `| a | b |`.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    line.split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# Cores

<!-- utfhdl report utf-8 decoder: begin -->

Yosys 0.1

| core | latency | LUT4 | hx8k MHz |
| --- | --- | --- | --- |
| `utf-8 decoder` | 1 | 2 | 3 |
| `utf-5 decoder` | 1 | 2 | 3 |

<!-- utfhdl report: end -->

The end.
";

    fn page(text: &str) -> Page {
        Page::parse("page.md".to_owned(), text).unwrap()
    }

    fn rows(figures: &[(Column, f64)]) -> Vec<Row> {
        let page = page(PAGE);
        let mut rows: Vec<Row> = page.requests().flat_map(|request| &request.cores).map(Row::new).collect();
        for row in &mut rows {
            row.figures = figures.iter().copied().collect();
        }
        rows
    }

    /// The page with these figures in each row.
    fn updated(text: &str, figures: &[(Column, f64)]) -> String {
        let measure =
            |_: &Request, _: &[Column]| Ok::<_, std::convert::Infallible>((rows(figures), Tools::default()));
        page(text).updated(measure).unwrap_or_else(|never| match never {})
    }

    #[test]
    fn columns_stay_and_rows_are_those_of_the_cores() {
        let figures = [(Column::Latency, 4.0), (Column::Ice40Lut4, 88.6), (Column::Ice40Ff, 7.0)];
        let updated = updated(PAGE, &figures);
        let expected = "\
# Cores

<!-- utfhdl report utf-8 decoder: begin -->



| core | latency | LUT4 | hx8k MHz |
| --- | --- | --- | --- |
| `utf-8 decoder` | 4 | 89 |  |
| `utf-8 decoder --on-error drop` | 4 | 89 |  |
| `utf-8 decoder --reset async-low` | 4 | 89 |  |

<!-- utfhdl report: end -->

The end.
";
        assert_eq!(updated, expected);
        assert_eq!(page(&updated).differences(&rows(&figures)), [""; 0]);
    }

    #[test]
    fn a_section_without_a_table_gets_every_column() {
        let empty = "<!-- utfhdl report utf-8 decoder: begin -->\n<!-- utfhdl report: end -->\n";
        let updated = updated(empty, &[]);
        for column in Column::of_tables() {
            assert!(updated.contains(&format!("| {} |", column.head())), "{updated}");
        }
    }

    #[test]
    fn what_differs_is_named_with_its_place() {
        let figures = [(Column::Latency, 1.0), (Column::Ice40Lut4, 5.0)];
        let expected = [
            "page.md:3: there is no row `utf-8 decoder --on-error drop`",
            "page.md:3: there is no row `utf-8 decoder --reset async-low`",
            "page.md:10: there is no core `utf-5 decoder`",
            "page.md:9: `utf-8 decoder` has LUT4 2, but 5 is right",
        ];
        assert_eq!(page(PAGE).differences(&rows(&figures)), expected);
        // The latency of a core is known without a measurement.
        let expected =
            [&expected[..3], &["page.md:9: `utf-8 decoder` has latency 1, but 3 is right"]].concat();
        assert_eq!(page(PAGE).differences(&[]), expected);
    }

    #[test]
    fn pages_that_say_different_things_are_found() {
        let other = PAGE.replace("| 1 | 2 | 3 |", "| 1 | 2 | 4 |");
        let expected = [
            "page.md:9: `utf-8 decoder` has hx8k MHz 4, but 3 at page.md:9",
            "page.md:10: `utf-5 decoder` has hx8k MHz 4, but 3 at page.md:10",
        ];
        assert_eq!(Page::contradictions(&[page(PAGE), page(&other)]), expected);
        assert_eq!(Page::contradictions(&[page(PAGE), page(PAGE)]), [""; 0]);
    }

    #[test]
    fn rows_of_all_tables_are_read() {
        let lanes = "<!-- utfhdl report --lanes 2 utf-8 decoder: begin -->\n| core | ECP5 LUT4 | ECP5 MB/s |\n| --- | --- | --- |\n\
                     | `utf-8 decoder --lanes 2` | 520 | 646 |\n<!-- utfhdl report: end -->\n";
        let page = page(&(PAGE.to_owned() + lanes));
        let rows = page.rows();
        let row = |name: &str| rows.iter().find(|row| row.core == name).unwrap();
        assert_eq!((rows.len(), row("utf-8 decoder").figures[&Column::Hx8kMhz]), (4, 3.0));
        assert_eq!(row("utf-8 decoder --lanes 2").figures[&Column::Ecp5Mbps], 646.0);
        assert!(!row("utf-8 decoder --on-error drop").figures.contains_key(&Column::Hx8kMhz));
        let heads: Vec<String> = page.columns_shown().into_iter().map(Column::head).collect();
        assert_eq!(heads, ["latency", "LUT4", "hx8k MHz", "ECP5 LUT4", "ECP5 MB/s"]);
    }

    #[test]
    fn pages_that_make_no_sense_say_where() {
        let cases = [
            ("# Cores\n".to_owned(), "page.md:1: there is no table"),
            (PAGE.replace("decoder: begin", "decoder begin"), "page.md:3: expected"),
            (PAGE.replace("utf-8 decoder: begin", "utf-5: begin"), "page.md:3: \"utf-5\" is neither a role"),
            (PAGE.replace("utf-8 decoder: begin", "scsu: begin"), "page.md:3: there are no cores of scsu"),
            (
                PAGE.replace("report: end", "report: start"),
                "page.md:3: expected `<!-- utfhdl report: end -->`",
            ),
            (
                PAGE.replace("| LUT4 |", "| LUT5 |"),
                "page.md:7: there is no column `LUT5`: there are latency, ",
            ),
            (
                PAGE.to_owned() + "<!-- utfhdl report --plot x.svg\n",
                "page.md:15: expected `<!-- utfhdl report --plot FILE -->`",
            ),
            (PAGE.replace("| core |", "| name |"), "page.md:7: the first column must be `core`"),
            (PAGE.replacen("| 1 | 2 | 3 |", "| 1 | 2 |", 1), "page.md:9: expected 4 cells"),
        ];
        for (text, message) in cases {
            let error = Page::parse("page.md".to_owned(), &text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }
}
