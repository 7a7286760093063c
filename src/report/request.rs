//! A request for rows of a table: the cores, the devices that they are measured in, and the number of placements.

use std::num::NonZeroU32;
use std::str::FromStr;

use utfhdl_sim::tool::ToolError;

use super::block::Block;
use super::selection::ParseSelectionError;
use super::{Column, Device, Flow, ReportError, Selection, Tools};

/// The arguments of one `utfhdl report`: which cores, in which devices, with how many placements.
#[derive(Clone, Debug)]
pub struct Request {
    /// The cores, in the order of their rows.
    pub cores: Vec<Block>,
    /// The FPGAs; none for the technologies of the tables.
    pub devices: Vec<Device>,
    /// The number of placements, where it is given.
    pub seeds: Option<NonZeroU32>,
}

impl Request {
    /// Reads requests with a semicolon between them: `--device hx8k --seeds 3 utf-8 decoder; --lanes 8 utf-8 encoder`. A request without
    /// devices or placements has those of the request before it.
    ///
    /// # Errors
    /// If a word is none that `utfhdl report` has, or there is no such core.
    pub(super) fn all(text: &str) -> Result<Vec<Self>, ReportError> {
        let mut requests: Vec<Self> = Vec::new();
        for text in text.split(';') {
            let (mut devices, mut seeds) = match requests.last() {
                Some(before) => (before.devices.clone(), before.seeds),
                None => (Vec::new(), None),
            };
            let mut chosen = Vec::new();
            let mut words = text.split_whitespace();
            while let Some(word) = words.next() {
                match word {
                    "--device" => {
                        devices = value(word, words.next(), |list| {
                            list.split(',').map(Device::from_str).collect::<Result<_, _>>()
                        })?;
                    }
                    "--seeds" => seeds = Some(value(word, words.next(), NonZeroU32::from_str)?),
                    _ => chosen.push(word),
                }
            }
            let selection = Selection::of(&chosen).map_err(said)?;
            requests.push(Self { cores: selection.cores()?, devices, seeds });
        }
        Ok(requests)
    }

    /// The columns that a table of the request can have.
    pub(super) fn columns(&self) -> Vec<Column> {
        match self.devices.as_slice() {
            [] => Column::of_tables(),
            devices => Column::of_choice(devices, false),
        }
    }

    /// The flows that give what stands in `columns`.
    pub fn flows(&self, columns: &[Column]) -> Vec<Flow> {
        let mut flows = match self.devices.as_slice() {
            [] => Flow::of_tables(),
            devices => Flow::of_choice(devices, None),
        };
        let needed = Column::with_sources(columns);
        flows.retain(|flow| flow.columns().iter().any(|column| needed.contains(column)));
        flows
    }

    /// Looks for the tools that the request needs.
    ///
    /// # Errors
    /// If a tool is installed but does not print its version.
    pub fn tools(&self) -> Result<Tools, ToolError> {
        match self.devices.as_slice() {
            [] => Tools::find(),
            devices => Tools::find_for(devices, None),
        }
    }
}

/// Reads the value of an option.
fn value<T, E: std::fmt::Display>(
    option: &str,
    value: Option<&str>,
    read: impl Fn(&str) -> Result<T, E>,
) -> Result<T, ReportError> {
    let value = value.unwrap_or_default();
    let wrong = |reason: E| {
        let (option, value) = (option.to_owned(), value.to_owned());
        said(ParseSelectionError::Option { option, value, reason: reason.to_string() })
    };
    read(value).map_err(wrong)
}

fn said(error: ParseSelectionError) -> ReportError {
    ReportError::Selection(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_what_the_one_before_them_has() {
        let text =
            " --device hx8k,xc7 --seeds 3 utf-8 decoder; --lanes 2,4 utf-9 decoder;--seeds 1 utf-9 encoder";
        let requests = Request::all(text).unwrap();
        let names = |request: &Request| request.cores.iter().map(Block::in_short).collect::<Vec<_>>();
        assert_eq!(names(&requests[1]), ["utf-9 decoder --lanes 2", "utf-9 decoder --lanes 4"]);
        assert_eq!(requests[0].devices, ["hx8k", "xc7"].map(|name| name.parse().unwrap()));
        assert_eq!(requests[2].devices, requests[0].devices);
        let seeds: Vec<u32> = requests.iter().map(|request| request.seeds.unwrap().get()).collect();
        assert_eq!(seeds, [3, 3, 1]);
    }

    #[test]
    fn what_a_table_does_not_show_is_not_measured() {
        let request = &Request::all("--device hx8k,xc7 utf-8 decoder --lanes 2").unwrap()[0];
        let count = |heads: &[&str]| {
            let shown = |column: &Column| heads.contains(&column.head().as_str());
            request.flows(&request.columns().into_iter().filter(shown).collect::<Vec<_>>()).len()
        };
        assert_eq!(count(&["latency"]), 0);
        assert_eq!(count(&["hx8k LUT4", "xc7 FF", "xc7 LUT"]), 2);
        assert_eq!(count(&["hx8k LUT4", "hx8k MB/s"]), 2);
        assert_eq!(count(&["hx8k LUT4", "hx8k MHz", "hx8k ceiling", "xc7 LUT"]), 4);
        let of_tables = &Request::all("utf-8 decoder --lanes 2").unwrap()[0];
        assert_eq!(of_tables.flows(&[Column::Ecp5MbpsPerLut4]).len(), 2);
        assert_eq!(of_tables.flows(&Column::of_tables()).len(), 9);
    }

    #[test]
    fn words_that_say_nothing_are_errors() {
        for (text, said) in [
            ("--device hx2k utf-8", "--device hx2k: there is no device \"hx2k\""),
            ("--seeds 0 utf-8", "--seeds 0: "),
            ("utf-8 decoder; utf-8 decodr", "\"decodr\" is neither a role"),
        ] {
            let error = Request::all(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
