//! Character sets of single octets, by a table: `table:windows-1252`, and `table:FILE` of a user's own.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::hash::{Hash, Hasher};

/// The start of the names of these systems.
pub(crate) const PREFIX: &str = "table:";

/// A character set of single octets. It has a mapping file in the format of the Unicode Consortium, `0xA4 0x20AC # EURO SIGN`, and says
/// nothing of how the file is read.
#[derive(Clone, Copy)]
pub struct Table(&'static Source);

struct Source {
    /// The name of the system, and its aliases: `table:windows-1252`.
    names: &'static [&'static str],
    mapping: &'static str,
    is_of_user: bool,
}

/// Sets that come with the package, each with its mapping file. The names in brackets are aliases.
macro_rules! sets {
    ($($name:literal $([$($alias:literal),+])?),+ $(,)?) => {
        &[$(Table(&Source {
            names: &[concat!("table:", $name), $($(concat!("table:", $alias)),+)?],
            mapping: include_str!(concat!("../data/", $name, ".txt")),
            is_of_user: false,
        })),+]
    };
}

static SETS: &[Table] = sets![
    "windows-874" ["cp874"],
    "windows-1250" ["cp1250"],
    "windows-1251" ["cp1251"],
    "windows-1252" ["cp1252"],
    "windows-1253" ["cp1253"],
    "windows-1254" ["cp1254"],
    "windows-1255" ["cp1255"],
    "windows-1256" ["cp1256"],
    "windows-1257" ["cp1257"],
    "windows-1258" ["cp1258"],
    "iso-8859-2" ["latin-2"],
    "iso-8859-3" ["latin-3"],
    "iso-8859-4" ["latin-4"],
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8" ["iso-8859-8-i"],
    "iso-8859-10" ["latin-6"],
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15" ["latin-9"],
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh" ["x-mac-roman"],
    "x-mac-cyrillic" ["x-mac-ukrainian"],
    "ibm866" ["cp866"],
    "ebcdic-037" ["ibm037", "cp037"],
    "ebcdic-273" ["ibm273", "cp273"],
    "ebcdic-500" ["ibm500", "cp500"],
    "ebcdic-1026" ["ibm1026", "cp1026"],
    "ebcdic-1047" ["ibm1047", "cp1047"],
    "ebcdic-1140" ["ibm1140", "cp1140"],
];

impl Table {
    /// The sets that come with the package.
    pub fn all() -> impl Iterator<Item = Table> {
        SETS.iter().copied()
    }

    /// The set that has this name or alias, without `table:`. Case does not matter, and `_` means `-`.
    pub fn named(name: &str) -> Option<Table> {
        let folded = format!("{PREFIX}{}", name.to_lowercase().replace('_', "-"));
        Table::all().find(|set| set.names().contains(&folded.as_str()))
    }

    /// A set of a user's own, which keeps its file name and its mapping file in memory for good. `utfhdl_codec::check_mapping` says
    /// whether the mapping is one.
    pub fn of_file(path: &str, mapping: String) -> Table {
        let name: &'static str = Box::leak(format!("{PREFIX}{path}").into_boxed_str());
        let names: &'static [&'static str] = Box::leak(Box::new([name]));
        let mapping = Box::leak(mapping.into_boxed_str());
        Table(Box::leak(Box::new(Source { names, mapping, is_of_user: true })))
    }

    /// The name of the system, and its aliases: `table:windows-1252`.
    pub(crate) fn names(self) -> &'static [&'static str] {
        self.0.names
    }

    /// The text of the mapping file.
    pub fn mapping(self) -> &'static str {
        self.0.mapping
    }

    /// Whether the set is a user's own.
    pub fn is_of_user(self) -> bool {
        self.0.is_of_user
    }

    /// The name of the set, or that of its file without folders and extension: `windows-1252`.
    pub fn stem(self) -> &'static str {
        let name = &self.0.names[0][PREFIX.len()..];
        if !self.0.is_of_user {
            return name;
        }
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        match file.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => file,
        }
    }

    /// The set as a reader knows it: the [`stem`](Self::stem), without characters that could end a comment of a program.
    pub(crate) fn title(self) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | '-');
        self.stem().chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        let is_same = core::ptr::eq(self.0, other.0);
        is_same || self.0.names == other.0.names && self.0.mapping == other.0.mapping
    }
}

impl Eq for Table {}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.names.hash(state);
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Table").field(&self.0.names[0]).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::ToOwned;

    use super::*;

    #[test]
    fn sets_are_found_by_every_name() {
        for set in Table::all() {
            for name in set.names() {
                let name = name.strip_prefix(PREFIX).unwrap();
                assert_eq!(Table::named(name), Some(set), "{name}");
                assert_eq!(Table::named(&name.to_uppercase().replace('-', "_")), Some(set), "{name}");
            }
        }
        assert_eq!(Table::named("iso-8859-1"), None);
    }

    #[test]
    fn a_set_of_a_file_has_the_name_of_the_file() {
        let of = |path| Table::of_file(path, "0x41 0x41".to_owned());
        for (path, stem) in [
            ("a/b/Own.set.TXT", "Own.set"),
            ("C:\\sets\\own.txt", "own"),
            (".hidden", ".hidden"),
            ("own", "own"),
            ("koi8-r", "koi8-r"),
        ] {
            assert_eq!(of(path).stem(), stem);
        }
        assert_eq!(of("a\nb*/Größe").title(), "Gr__e");
        assert_eq!(of("own\n`x.txt").title(), "own__x");
        assert_eq!(of("own"), of("own"));
        assert_ne!(of("own"), of("other"));
        assert_ne!(of("own"), Table::of_file("own", "0x41 0x42".to_owned()));
    }
}
