//! Liberty files, as far as a report needs them: groups and attributes, with the line where something is wrong.

/// A group: `cell (NAND2X1) { ... }`.
#[derive(Debug, Default)]
pub(super) struct Group<'a> {
    pub kind: &'a str,
    /// The text in the group's parentheses.
    pub name: &'a str,
    /// `area : 24;`, and `capacitive_load_unit (1,pf);` with the text in parentheses.
    attributes: Vec<(&'a str, &'a str)>,
    groups: Vec<Group<'a>>,
}

impl<'a> Group<'a> {
    /// The groups in it of a kind.
    pub fn groups(&self, kind: &'a str) -> impl Iterator<Item = &Group<'a>> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// An attribute in it.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// An attribute in it that is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.attribute(name)?.parse().ok()
    }
}

/// Reads the library of a file.
///
/// # Errors
/// The line, counted from 1, and what is wrong there.
pub(super) fn parse(text: &str) -> Result<Group<'_>, (usize, String)> {
    let mut reader = Reader { text, at: 0 };
    let wrong = |at, what| (text[..at].matches('\n').count() + 1, what);
    let begin = "expected `library (NAME) {`, with which a liberty file begins".to_owned();
    let library = match reader.statement() {
        Ok(Statement::Group(library)) if library.kind == "library" => library,
        Ok(_) => return Err((1, begin)),
        Err(_) if reader.at == 0 || !text.contains("library") => return Err((1, begin)),
        Err(what) => return Err(wrong(reader.at, what)),
    };
    Ok(library)
}

enum Statement<'a> {
    Group(Group<'a>),
    Attribute(&'a str, &'a str),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes over spaces, comments, and the `\` at the end of a line.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank =
                rest.len() - rest.trim_start_matches(|next: char| next.is_whitespace() || next == '\\').len();
            let comment = match rest[blank..].get(..2) {
                Some("/*") => rest[blank..].find("*/").map_or(rest.len() - blank, |end| end + 2),
                Some("//") => rest[blank..].find('\n').unwrap_or(rest.len() - blank),
                _ => 0,
            };
            self.at += blank + comment;
            if comment == 0 {
                return;
            }
        }
    }

    fn take(&mut self, symbol: char) -> bool {
        self.skip();
        let found = self.rest().starts_with(symbol);
        self.at += if found { symbol.len_utf8() } else { 0 };
        found
    }

    fn expected(&mut self, what: &str) -> String {
        self.skip();
        match self.rest().chars().next() {
            Some(found) => format!("expected {what}, but found {found:?}"),
            None => format!("expected {what}, but the file ends"),
        }
    }

    fn statement(&mut self) -> Result<Statement<'a>, String> {
        self.skip();
        let rest = self.rest();
        let length =
            rest.find(|next: char| !(next.is_alphanumeric() || "_.".contains(next))).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.expected("a name or `}`"));
        }
        let kind = &rest[..length];
        self.at += length;
        if self.take(':') {
            let value = self.value(&[';', '\n', '}'])?;
            self.take(';');
            return Ok(Statement::Attribute(kind, value));
        }
        if !self.take('(') {
            return Err(self.expected(&format!("`:` or `(` behind `{kind}`")));
        }
        let name = self.value(&[')'])?;
        if !self.take(')') {
            return Err(self.expected("`)`"));
        }
        if !self.take('{') {
            self.take(';');
            return Ok(Statement::Attribute(kind, name));
        }
        let mut group = Group { kind, name, ..Group::default() };
        while !self.take('}') {
            match self.statement()? {
                Statement::Group(inner) => group.groups.push(inner),
                Statement::Attribute(name, value) => group.attributes.push((name, value)),
            }
            while self.take(';') {}
        }
        Ok(Statement::Group(group))
    }

    /// The text up to one of `ends`, which do not count in quotes; without the quotes around all of it.
    fn value(&mut self, ends: &[char]) -> Result<&'a str, String> {
        self.skip();
        let (rest, mut quoted) = (self.rest(), false);
        for (at, next) in rest.char_indices() {
            if next == '"' {
                quoted = !quoted;
            } else if !quoted && ends.contains(&next) {
                self.at += at;
                let value = rest[..at].trim();
                return Ok(value
                    .strip_prefix('"')
                    .and_then(|value| value.strip_suffix('"'))
                    .unwrap_or(value));
            }
        }
        Err(if quoted {
            "a quote is not closed".to_owned()
        } else {
            format!("expected {:?} further down", ends[0])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"/* A library. */
library (small) {
  time_unit : "1ns"; // as most
  capacitive_load_unit (1,pf);
  cell (NAND2) {
    area : 24
    pin (Y) { direction : output; function : "(!(A B))";
      timing () { values ("1, 2", \
                          "3, 4"); } }
  } ;
}
"#;

    #[test]
    fn groups_and_attributes_are_found() {
        let library = parse(TEXT).unwrap();
        assert_eq!((library.name, library.attribute("time_unit")), ("small", Some("1ns")));
        assert_eq!(library.attribute("capacitive_load_unit"), Some("1,pf"));
        let cell = library.groups("cell").next().unwrap();
        assert_eq!((cell.name, cell.number("area")), ("NAND2", Some(24.0)));
        let pin = cell.groups("pin").next().unwrap();
        assert_eq!((pin.name, pin.attribute("function")), ("Y", Some("(!(A B))")));
        assert_eq!(pin.groups("timing").count(), 1);
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let begin = "expected `library (NAME) {`, with which a liberty file begins";
        for (text, line, said) in [
            ("", 1, begin),
            ("module x;\nendmodule\n", 1, begin),
            ("cell (x) { }", 1, begin),
            ("library (x) {\n", 2, "expected a name or `}`, but the file ends"),
            ("library (x) {\n  area = 3;\n}", 2, "expected `:` or `(` behind `area`, but found '='"),
            ("library (x) {\n  cell (y {\n}", 2, "expected ')' further down"),
            ("library (x) {\n  a : \"b;\n}", 2, "a quote is not closed"),
        ] {
            assert_eq!(parse(text).unwrap_err(), (line, said.to_owned()), "{text}");
        }
    }
}
