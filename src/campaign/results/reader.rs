//! Reads the lines of a file of results, one at a time.

use std::io::{BufRead, Read};

use super::error::ResultsError;
use super::line::Line;

/// The most bytes of a line. The lines of campaigns are a hundredth of that.
const MOST_BYTES: u64 = 1 << 16;

/// The lines of a file, with their numbers, which count from 1.
///
/// A last line without a line feed that ends in the middle of its JSON is [torn](ResultsError::Torn): whoever wrote the file
/// was stopped there, and the part of that line is not done. All lines before it count.
pub struct Reader<R> {
    file: String,
    text: R,
    number: u64,
}

impl<R: BufRead> Reader<R> {
    /// Reads `text`, which errors call `file`.
    pub fn new(file: impl Into<String>, text: R) -> Self {
        Self { file: file.into(), text, number: 0 }
    }

    fn error(&self, reason: String) -> ResultsError {
        ResultsError::Line { file: self.file.clone(), line: self.number, reason }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<(u64, Line), ResultsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut text = Vec::new();
        if let Err(error) = self.text.by_ref().take(MOST_BYTES).read_until(b'\n', &mut text) {
            return Some(Err(ResultsError::Read { file: self.file.clone(), error }));
        }
        if text.is_empty() {
            return None;
        }
        self.number += 1;
        let is_whole = text.pop_if(|last| *last == b'\n').is_some();
        if !is_whole && text.len() as u64 == MOST_BYTES {
            let reason = format!("this is no result of a campaign: it has more than {MOST_BYTES} bytes");
            return Some(Err(self.error(reason)));
        }
        match Line::from_text(&text) {
            Ok(line) => Some(Ok((self.number, line))),
            Err(_) if !is_whole && Line::is_only_begun(&text) => {
                Some(Err(ResultsError::Torn { file: self.file.clone(), line: self.number }))
            }
            Err(reason) => Some(Err(self.error(reason))),
        }
    }
}
