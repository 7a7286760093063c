//! The texts of a dump: each as its ASCII part, and as a whole.

use super::changes::Format;
use super::format::Id;

/// The texts that are in a dump, with what was shown last.
#[derive(Default)]
pub(super) struct Texts {
    texts: Vec<Text>,
    /// For each of the caller's texts, whether it is in the dump.
    wanted: Vec<bool>,
}

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
        self.texts.push(Text { id, index, is_ascii, given: String::new(), shown: None });
        self.wanted.resize(self.wanted.len().max(index + 1), false);
        self.wanted[index] = true;
    }

    /// Whether the caller's text with this index is in the dump.
    pub(super) fn has(&self, index: usize) -> bool {
        self.wanted.get(index).copied().unwrap_or_default()
    }

    /// Writes what changed.
    pub(super) fn write(&mut self, changes: &mut impl Format, texts: &[&str]) {
        for Text { id, index, is_ascii, given, shown } in &mut self.texts {
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

/// The ASCII part of a text. A word of one character above ASCII is left out: `U+20AC €` becomes `U+20AC`. In longer words such a
/// character becomes a dot: `café` becomes `caf.`.
pub(super) fn ascii(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let is_one = |word: &&str| word.chars().nth(1).is_none() && !word.is_empty() && !word.is_ascii();
    let words = text.split(' ').filter(|word| !is_one(word)).collect::<Vec<_>>().join(" ");
    words.chars().map(|c| if c.is_ascii() { c } else { '.' }).collect()
}

/// A text as a dump can hold it: no spaces, no controls.
pub(super) fn printed(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ascii_part_of_a_text_has_no_holes() {
        for (text, expected) in [
            ("U+20AC €", "U+20AC"),
            ("é U+00E9", "U+00E9"),
            ("U+005A Z U+00FC ü end", "U+005A Z U+00FC end"),
            ("Zürich", "Z.rich"),
            ("very large", "very large"),
            ("", ""),
        ] {
            assert_eq!(ascii(text), expected);
        }
    }
}
