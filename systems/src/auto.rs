//! Systems that are chosen for each frame, while a core or a decoder runs: `auto:utf-8+utf-16le+latin-1`.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::ParseSystemError;
use crate::{ByteOrder, System};

/// The text before the systems of the list.
pub(crate) const PREFIX: &str = "auto:";

/// The text between two systems of the list.
const SEPARATOR: char = '+';

/// The most systems of a list.
const MOST: usize = 16;

/// The choice of the system of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choose {
    /// The byte order mark at the start of the frame. A frame without a mark is of the first system of the list.
    Mark,
    /// The number of the system in the list, which comes with the first unit of the frame.
    Port,
}

impl Choose {
    /// Both.
    pub const ALL: [Choose; 2] = [Choose::Mark, Choose::Port];

    /// The name: `bom` or `port`.
    pub fn name(self) -> &'static str {
        match self {
            Choose::Mark => "bom",
            Choose::Port => "port",
        }
    }
}

/// A list of systems of octets, and how one of them is chosen for each frame.
#[derive(Clone, Copy)]
pub struct Auto(&'static Source);

struct Source {
    /// The text that names the list: the only name of the system.
    names: [&'static str; 1],
    among: Vec<System>,
    choose: Choose,
}

/// A list that is still to be given.
static OPEN: Source = Source { names: ["auto"], among: Vec::new(), choose: Choose::Port };

impl Auto {
    /// The list of the name `auto` alone, which has no systems yet: the command line gives them apart from the name. No decoder and no core
    /// is made of it.
    pub fn open() -> Auto {
        Auto(&OPEN)
    }

    /// A list of systems, which is kept in memory for good.
    ///
    /// # Errors
    /// The reason why the systems cannot be in a list, and what would be right.
    pub fn new(among: Vec<System>, choose: Choose) -> Result<Auto, String> {
        check(&among, choose)?;
        let list: Vec<String> = among.iter().map(ToString::to_string).collect();
        let option = match choose {
            Choose::Port => String::new(),
            Choose::Mark => format!(",choose={}", choose.name()),
        };
        let name = format!("{PREFIX}{}{option}", list.join("+"));
        let name: &'static str = Box::leak(name.into_boxed_str());
        Ok(Auto(Box::leak(Box::new(Source { names: [name], among, choose }))))
    }

    /// Reads the text after `auto:`; `None` if `text` does not begin so.
    pub(crate) fn parse(text: &str) -> Option<Result<Auto, ParseSystemError>> {
        let (prefix, list) = text.split_at_checked(PREFIX.len())?;
        prefix.eq_ignore_ascii_case(PREFIX).then(|| Auto::of_list(list))
    }

    fn of_list(list: &str) -> Result<Auto, ParseSystemError> {
        let failed = |reason: String| ParseSystemError::Auto { reason };
        let (list, choose) = match list.rsplit_once(",choose=") {
            None => (list, Choose::Port),
            Some((list, value)) => {
                let found = Choose::ALL.into_iter().find(|choose| choose.name() == value);
                let found =
                    found.ok_or_else(|| failed(format!("choose={value:?} is not a choice: use bom or port")));
                (list, found?)
            }
        };
        let among = list.split(SEPARATOR).map(str::parse).collect::<Result<Vec<System>, _>>()?;
        Auto::new(among, choose).map_err(failed)
    }

    pub(crate) fn names(self) -> &'static [&'static str] {
        &self.0.names
    }

    /// The systems, 2 to 16; none of an [open](Self::open) list.
    pub fn among(self) -> &'static [System] {
        &self.0.among
    }

    /// How the system of a frame is chosen.
    pub fn choose(self) -> Choose {
        self.0.choose
    }

    /// Bits of the number of a system: 1 to 4.
    pub fn number_bits(self) -> u32 {
        usize::BITS - self.0.among.len().saturating_sub(1).leading_zeros()
    }

    /// The system with this number in the list, from 0 on. A number past the end of the list means the first system.
    pub fn with_number(self, number: usize) -> System {
        *self.0.among.get(number).unwrap_or(&self.0.among[0])
    }
}

/// The words whose byte order mark can open frames of a system: their bits and the order of their octets, without an order for
/// `utf-8`. `None` of systems without a mark.
fn words_of_mark(system: System) -> Option<(u32, Option<ByteOrder>)> {
    match system {
        System::Utf8 => Some((8, None)),
        System::Utf16Octets { order, .. } | System::Ucs2Octets { order, .. } => Some((16, Some(order))),
        System::Utf32Octets { order, .. } => Some((32, Some(order))),
        _ => None,
    }
}

/// Says why the systems cannot be in a list.
fn check(among: &[System], choose: Choose) -> Result<(), String> {
    if !(2..=MOST).contains(&among.len()) {
        let count = among.len();
        return Err(format!(
            "a choice is among 2 to {MOST} systems, not {count}: auto:utf-8+utf-16le+utf-16be"
        ));
    }
    for (at, &system) in among.iter().enumerate() {
        if among[..at].contains(&system) {
            return Err(format!("{system} is in the list twice: name it once"));
        }
        if system.unit_bits() != 8 {
            let bits = system.unit_bits();
            return Err(format!(
                "a choice is among systems of octets, and {system} has units of {bits} bits"
            ));
        }
        match system {
            System::Auto(_) => return Err("a list cannot hold another list: name the systems".to_owned()),
            System::Table(table) if table.is_of_user() => {
                return Err(format!(
                    "{system} is a table of a file, which a list cannot hold: use a set by its name"
                ));
            }
            _ if system.options().iter().any(|(name, value)| is_opening(name, value)) => {
                return Err(format!(
                    "{system} has an opening of its own: leave bom and document out; with choose=bom, marks are taken away"
                ));
            }
            _ => {}
        }
    }
    if choose == Choose::Mark { check_marks(among) } else { Ok(()) }
}

/// Whether an option says that frames open with something that is no text.
fn is_opening(name: &str, value: &str) -> bool {
    name == "bom" && !matches!(value, "keep" | "off") || name == "document" && value == "on"
}

/// Says which systems a byte order mark cannot choose.
fn check_marks(among: &[System]) -> Result<(), String> {
    for (at, &system) in among.iter().enumerate() {
        let Some(words) = words_of_mark(system) else {
            if at == 0 {
                continue;
            }
            return Err(format!(
                "{system} has no byte order mark that could choose it: name it first, as the system of frames without a mark, or use \
                 choose=port"
            ));
        };
        let same = among[..at].iter().find(|&&other| words_of_mark(other) == Some(words));
        if let Some(other) = same {
            return Err(format!(
                "{other} and {system} have the same byte order mark: name one of them, or use choose=port"
            ));
        }
    }
    Ok(())
}

impl PartialEq for Auto {
    fn eq(&self, other: &Auto) -> bool {
        self.0.names == other.0.names
    }
}

impl Eq for Auto {}

impl Hash for Auto {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.names.hash(state);
    }
}

impl fmt::Debug for Auto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Auto").field(&self.0.names[0]).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    fn read(text: &str) -> Result<String, String> {
        text.parse::<System>().map(|system| system.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_are_read_and_printed() {
        for (text, name) in [
            ("auto:utf-8+utf-16le+UTF_16BE", "auto:utf-8+utf-16le+utf-16be"),
            ("AUTO:latin-1+utf8,choose=bom", "auto:latin-1+utf-8,choose=bom"),
            ("auto:latin-1+cesu-8,choose=port", "auto:latin-1+cesu-8"),
            (
                "auto:table:koi8-r+utf-32le,max=7fffffff,choose=port",
                "auto:table:koi8-r+utf-32le,max=7fffffff",
            ),
        ] {
            assert_eq!(read(text).as_deref(), Ok(name), "{text}");
            assert_eq!(read(name).as_deref(), Ok(name));
        }
        let Ok(System::Auto(auto)) = "auto:utf-8+ascii+latin-1,choose=port".parse() else { panic!("a list") };
        assert_eq!((auto.number_bits(), System::Auto(auto).unit_bits()), (2, 10));
        let systems = [0, 1, 2, 3].map(|number| auto.with_number(number));
        assert_eq!(systems, [System::Utf8, System::Ascii, System::Latin1, System::Utf8]);
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_would_be_right() {
        for (text, message) in [
            ("auto:utf-8", "auto: a choice is among 2 to 16 systems, not 1: auto:utf-8+utf-16le+utf-16be"),
            ("auto:utf-8+utf8", "auto: utf-8 is in the list twice: name it once"),
            ("auto:utf-8+utf-9", "auto: a choice is among systems of octets, and utf-9 has units of 9 bits"),
            ("auto:utf-8+ascii,choose=x", r#"auto: choose="x" is not a choice: use bom or port"#),
            ("auto:utf-8+klingon", r#"there is no system "klingon""#),
        ] {
            assert_eq!(read(text), Err(message.to_owned()));
        }
        for (text, part) in [
            (
                "auto:utf-8+latin-1,choose=bom",
                "latin-1 has no byte order mark that could choose it: name it first",
            ),
            ("auto:ucs-2le+utf-16le,choose=bom", "ucs-2le and utf-16le have the same byte order mark"),
            ("auto:utf-8+utf-16le,bom=on", "utf-16le,bom=on has an opening of its own"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
