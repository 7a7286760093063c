//! The texts of a dump: each as its ASCII part, and as a whole.

use super::format::{Changes, Id};

/// The texts that are in a dump, with what was shown last.
#[derive(Default)]
pub(super) struct Texts(Vec<Text>);

/// A text under one of its two names.
struct Text {
    id: Id,
    /// Which of the caller's texts.
    index: usize,
    is_ascii: bool,
    /// The text as the caller gave it last, and as it was shown. Different texts can have the same ASCII part.
    given: String,
    shown: Option<String>,
}

impl Texts {
    /// Adds the caller's text with this index, as its ASCII part or as a whole.
    pub(super) fn add(&mut self, index: usize, id: Id, is_ascii: bool) {
        self.0.push(Text { id, index, is_ascii, given: String::new(), shown: None });
    }

    /// Whether the caller's text with this index is in the dump.
    pub(super) fn has(&self, index: usize) -> bool {
        self.0.iter().any(|text| text.index == index)
    }

    /// Writes what changed.
    pub(super) fn write(&mut self, changes: &mut Changes, texts: &[&str]) {
        for Text { id, index, is_ascii, given, shown } in &mut self.0 {
            let now = texts[*index];
            if shown.is_some() && given == now {
                continue;
            }
            now.clone_into(given);
            let text = if *is_ascii { printed(&ascii(now)) } else { printed(now) };
            if shown.as_ref() != Some(&text) {
                changes.string(*id, &text);
                *shown = Some(text);
            }
        }
    }
}

/// The ASCII part of a text, without the separator before the rest: `U+20AC` of `U+20AC_€`.
pub(super) fn ascii(text: &str) -> String {
    let kept: String = text.chars().filter(|c| c.is_ascii() || c.is_whitespace()).collect();
    if kept.len() == text.len() {
        kept
    } else {
        kept.trim_end_matches(|c: char| c == '_' || c.is_whitespace()).to_owned()
    }
}

/// A text as a dump can hold it: no spaces, no controls.
pub(super) fn printed(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}
