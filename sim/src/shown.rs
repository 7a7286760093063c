//! Names of files, as messages show them.

use std::path::Path;

/// Shows a text that others chose without the characters that a terminal obeys.
pub trait Shown {
    /// The text, in which control characters, line separators and characters that change the direction of writing are
    /// escapes: `\n`, `\u{1b}`.
    fn shown(&self) -> String;
}

impl Shown for str {
    fn shown(&self) -> String {
        let mut text = String::with_capacity(self.len());
        for character in self.chars() {
            if is_obeyed(character) {
                text.extend(character.escape_default());
            } else {
                text.push(character);
            }
        }
        text
    }
}

impl Shown for Path {
    fn shown(&self) -> String {
        self.to_string_lossy().shown()
    }
}

/// Whether a terminal does something else than to show the character.
pub fn is_obeyed(character: char) -> bool {
    let is_mark = matches!(
        character,
        '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || is_mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped_and_nothing_else() {
        for (name, shown) in [
            ("plain name.txt", "plain name.txt"),
            ("é€😀 'quoted' \\n", "é€😀 'quoted' \\n"),
            ("a\nb\tc", r"a\nb\tc"),
            ("\u{1b}[31mred\u{7}", r"\u{1b}[31mred\u{7}"),
            ("\u{9b}31m", r"\u{9b}31m"),
            ("txt.\u{202E}exe", r"txt.\u{202e}exe"),
        ] {
            assert_eq!(Path::new(name).shown(), shown);
        }
    }
}
