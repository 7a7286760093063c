//! The number of a task in an array: how its command gets it.

use std::str::FromStr;

/// The place in which a task finds its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TaskIndex {
    /// In this variable of the environment.
    Variable(String),
    /// In place of this text, such as `{}`, which the scheduler replaces.
    Text(String),
}

impl TaskIndex {
    /// The number in the syntax of a shell.
    pub(super) fn in_shell(&self) -> String {
        match self {
            Self::Variable(name) => format!("\"${name}\""),
            Self::Text(text) => text.clone(),
        }
    }
}

impl FromStr for TaskIndex {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() || text.contains(char::is_control) {
            return Err("expected the name of a variable, or a text such as {}");
        }
        let is_name = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && text.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
        Ok(if is_name { Self::Variable(text.to_owned()) } else { Self::Text(text.to_owned()) })
    }
}
