//! The table of what was proved.

use serde::Serialize;
use utfhdl::prove::run::Finding;
use utfhdl::prove::verdict::Verdict;

/// The result of a problem.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    property: String,
    rule: &'static str,
    says: &'static str,
    /// `proved`, `fails` or `undecided`.
    pub(super) result: &'static str,
    by: String,
    /// The basis of the proof, the failure, or the reason why the problem is undecided.
    detail: String,
    seconds: f64,
    /// The files of the certificate: of the problem and the invariant, or of each of its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) certificate: Vec<String>,
    /// The command that repeats what fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<String>,
}

impl Row {
    pub(super) fn new(finding: &Finding) -> Self {
        let (result, detail) = match &finding.verdict {
            Verdict::Proved { how } => ("proved", how.clone()),
            Verdict::Differs { how } => ("fails", how.clone()),
            Verdict::Refuted(found) => ("fails", format!("in cycle {}", found.cycle)),
            Verdict::Undecided { why } => ("undecided", why.clone()),
        };
        Self {
            property: finding.property.to_string(),
            rule: finding.name,
            says: finding.says,
            result,
            by: finding.by.clone(),
            detail,
            seconds: (finding.seconds * 100.0).round() / 100.0,
            certificate: Vec::new(),
            command: None,
        }
    }

    /// The basis of the proof, the failure or the reason, and whether there is a certificate.
    fn detail(&self) -> String {
        match self.certificate.len() {
            0 => self.detail.clone(),
            _ => format!("{}; certified", self.detail),
        }
    }

    /// The result in one line.
    pub(super) fn in_words(&self) -> String {
        format!("{} {} by {} in {:.2} s: {}", self.rule, self.result, self.by, self.seconds, self.detail)
    }

    /// Whether it is the row of a finding.
    pub(super) fn is_of(&self, finding: &Finding) -> bool {
        self.property == finding.property.to_string() && self.rule == finding.name
    }
}

/// The rows as a table.
pub(super) fn table(rows: &[Row]) -> String {
    let head = ["property", "rule", "result", "by", "detail", "seconds"].map(str::to_owned);
    let cells = rows.iter().map(|row| {
        let seconds = format!("{:.2}", row.seconds);
        [
            row.property.clone(),
            row.rule.to_owned(),
            row.result.to_owned(),
            row.by.clone(),
            row.detail(),
            seconds,
        ]
    });
    let lines: Vec<[String; 6]> = std::iter::once(head).chain(cells).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let text = |line: &[String; 6]| {
        let cells: Vec<String> = line
            .iter()
            .zip(widths)
            .enumerate()
            .map(
                |(column, (cell, width))| {
                    if column == 5 { format!("{cell:>width$}") } else { format!("{cell:width$}") }
                },
            )
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    lines.iter().map(text).collect()
}
