//! Systems as text: `utf-9,max=7fffffff`.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::ParseSystemError;
use crate::options::set_option;
use crate::table::PREFIX;
use crate::{Auto, NAMES, System, Table};

impl fmt::Display for System {
    /// The name, and the options that differ from the default: `utf-9,max=7fffffff`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.changed_options().iter().try_for_each(|option| write!(f, ",{option}"))
    }
}

impl System {
    /// The name of the character set in `table:NAME`, which can be a file; `None` of other systems.
    pub fn table_in(text: &str) -> Option<&str> {
        table_name(text)
    }

    /// Parses as [`str::parse`], but `corrected-utf-8` is a document unless the option says otherwise, as files of it are.
    ///
    /// # Errors
    ///
    /// Unknown names and options, as for [`str::parse`].
    pub fn parse_for_files(text: &str) -> Result<System, ParseSystemError> {
        parse(text, |system| match system {
            System::CorrectedUtf8 { .. } => System::CorrectedUtf8 { document: true, private: false },
            other => other,
        })
    }
}

impl FromStr for System {
    type Err = ParseSystemError;

    /// Reads a name or an alias, and options after commas. Case does not matter, and `_` stands for `-`. No file is read: of
    /// `table:FILE`, see [`Table::of_file`].
    fn from_str(text: &str) -> Result<System, ParseSystemError> {
        parse(text, |system| system)
    }
}

/// Reads a name and options after commas. `defaults` sets the options that the text does not name.
fn parse(text: &str, defaults: impl Fn(System) -> System) -> Result<System, ParseSystemError> {
    if let Some(auto) = Auto::parse(text) {
        return auto.map(System::Auto);
    }
    if let Some(name) = table_name(text) {
        let unknown = || ParseSystemError::Unknown { name: text.to_owned() };
        return Table::named(name).map(System::Table).ok_or_else(unknown);
    }
    let (name, options) = text.split_once(',').unwrap_or((text, ""));
    let system = defaults(find(name)?);
    // The order of octets tells which system the other options are of.
    let options = options.split(',').filter(|_| text.len() > name.len());
    let mut keys = BTreeSet::new();
    let key_of = |option: &str| option.split('=').next().unwrap_or_default().to_owned();
    if let Some(option) = options.clone().map(key_of).find(|key| !keys.insert(key.clone())) {
        return Err(ParseSystemError::OptionTwice { system: system.name(), option });
    }
    let (orders, others): (Vec<&str>, Vec<&str>) = options.partition(|option| option.starts_with("order="));
    orders.into_iter().chain(others).try_fold(system, set_option)
}

/// The name after `table:`, which has no options: a file name can hold commas.
fn table_name(text: &str) -> Option<&str> {
    let (prefix, name) = text.split_at_checked(PREFIX.len())?;
    prefix.eq_ignore_ascii_case(PREFIX).then_some(name)
}

fn find(name: &str) -> Result<System, ParseSystemError> {
    let folded = name.to_lowercase().replace('_', "-");
    let found = NAMES.iter().find(|(_, names)| names.contains(&folded.as_str()));
    found.map(|&(system, _)| system).ok_or_else(|| ParseSystemError::Unknown { name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_are_all_different_and_name_their_system() {
        let mut seen = std::collections::HashSet::new();
        for (system, names) in NAMES {
            for name in names {
                assert!(seen.insert(name), "{name} twice");
                assert_eq!(find(name), Ok(system));
                assert_eq!(find(&name.to_uppercase().replace('-', "_")), Ok(system));
            }
        }
    }

    /// Widths from the documents: octets, the nonets of RFC 4042, Barber's hunks, the words of UTF-16, UCS-2, UTF-32 and UCS-4.
    #[test]
    fn units_are_as_wide_as_the_documents_say() {
        let of_bits = |bits| -> Vec<&str> {
            System::variants().filter(|system| system.unit_bits() == bits).map(System::name).collect()
        };
        for (bits, names) in [
            (1, &["hunk-1"][..]),
            (5, &["hunk-5"]),
            (9, &["hunk-9", "utf-9", "utf-18", "utf-9"]),
            (16, &["utf-16", "ucs-2"]),
            (32, &["utf-32", "utf-32"]),
        ] {
            assert_eq!(of_bits(bits), names, "{bits} bits");
        }
    }

    #[test]
    fn aliases_are_of_a_system_and_its_options() {
        let aliases = |text: &str| text.parse::<System>().unwrap().aliases();
        assert_eq!(aliases("utf-32"), ["utf32"]);
        assert_eq!(aliases("utf-32,max=7fffffff"), ["ucs-4"]);
        assert_eq!(aliases("utf-9,max=7fffffff"), [""; 0]);
        assert_eq!(aliases("utf-8,bom=add"), [""; 0]);
    }

    #[test]
    fn recodes_names_for_utf_8_are_the_six_octet_form() {
        for name in ["UTF-2", "UTF-FSS", "FSS_UTF", "TF-8", "u8"] {
            assert_eq!(find(name), Ok(System::Utf8Rfc2279), "{name}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let message = |name: &str| name.parse::<System>().unwrap_err().to_string();
        assert_eq!(message("utf-88"), r#"there is no system "utf-88""#);
        assert_eq!(message("table:koi8,x"), r#"there is no system "table:koi8,x""#);
        assert_eq!(message("utf-8,max=1"), r#"utf-8 has no option "max": it has bom"#);
        assert_eq!(message("utf-18,max=1"), r#"utf-18 has no option "max": it has none"#);
    }

    #[test]
    fn options_are_read_and_printed() {
        let set = |system, option| set_option(find(system).unwrap(), option).map(|system| system.to_string());
        assert_eq!(set("utf-9", "max=7FFFFFFF").as_deref(), Ok("utf-9,max=7fffffff"));
        assert_eq!(set("utf-9", "max=10ffff").as_deref(), Ok("utf-9"));
        assert_eq!(set("utf-∞-8", "digits=4096").as_deref(), Ok("utf-inf-8,digits=4096"));
        assert_eq!(set("corrected-utf-8", "document=on").as_deref(), Ok("corrected-utf-8,document=on"));
        for (text, name) in [
            ("utf-16,order=le", "utf-16le"),
            ("utf-16,order=native", "utf-16"),
            ("utf-16,bom=on,order=le", "utf-16le,bom=on"),
            ("UTF-16,bom=on", "utf-16be,bom=on"),
            ("utf-16,bom=off", "utf-16"),
            ("ucs-4", "utf-32,max=7fffffff"),
            ("UCS_4,order=be", "utf-32be,max=7fffffff"),
            ("ucs-4,bom=on,order=le", "utf-32le,bom=on,max=7fffffff"),
            ("utf-32le,max=7FFFFFFF", "utf-32le,max=7fffffff"),
            ("ucs-4,max=10ffff", "utf-32"),
            ("ucs-2,order=le", "ucs-2le"),
            ("ucs-2,bom=on", "ucs-2be,bom=on"),
            ("utf-ebcdic-i8,max=7fffffff", "utf-ebcdic-i8,max=7fffffff"),
            ("utf-32,bom=on", "utf-32be,bom=on"),
            ("utf-32le,bom=on", "utf-32le,bom=on"),
            ("utf-8,bom=keep", "utf-8"),
            ("utf-8,bom=strip", "utf-8,bom=strip"),
            ("iso_8859_1", "latin-1"),
            ("US-ASCII", "ascii"),
            ("modified-utf-8", "mutf-8"),
            ("Table:CP1252", "table:windows-1252"),
            ("table:iso_8859_8_I", "table:iso-8859-8"),
            ("table:ibm037", "table:ebcdic-037"),
        ] {
            assert_eq!(
                text.parse::<System>().map(|system| system.to_string()).as_deref(),
                Ok(name),
                "{text}"
            );
        }
        for (text, name, option) in [
            ("utf-8,bom=strip,bom=add", "utf-8", "bom"),
            ("utf-16,bom=on,order=le,bom=on", "utf-16", "bom"),
            ("utf-16,order=le,order=be", "utf-16", "order"),
            ("utf-inf-8,digits=18,digits=19", "utf-inf-8", "digits"),
        ] {
            let expected = format!("{name} has the option {option:?} twice: give it once");
            assert_eq!(text.parse::<System>().map_err(|error| error.to_string()), Err(expected), "{text}");
        }
        assert_eq!("corrected-utf-8".parse(), Ok(System::CorrectedUtf8 { document: false, private: false }));
        let for_files = System::parse_for_files;
        assert_eq!(
            for_files("corrected-utf-8"),
            Ok(System::CorrectedUtf8 { document: true, private: false })
        );
        assert_eq!(
            for_files("corrected-utf-8,document=off"),
            Ok(System::CorrectedUtf8 { document: false, private: false })
        );
        let message = |system, option| set(system, option).unwrap_err().to_string();
        assert_eq!(message("utf-9", "max=1"), r#"max="1" is not a value for utf-9: use 10ffff or 7fffffff"#);
        assert_eq!(
            message("utf-16", "order=x"),
            r#"order="x" is not a value for utf-16: use native, be or le"#
        );
        assert_eq!(message("utf-16be", "order=le"), r#"utf-16be has no option "order": it has bom"#);
        assert_eq!(message("utf-32le", "bom=add"), r#"bom="add" is not a value for utf-32le: use on or off"#);
        assert_eq!(
            message("utf-8", "bom=on"),
            r#"bom="on" is not a value for utf-8: use keep, strip or add"#
        );
        assert_eq!(message("utf-9", "mix=1"), r#"utf-9 has no option "mix": it has max"#);
        assert!(message("utf-inf-8", "digits=17").contains("from 18 to 34359738360"));
        assert!(message("utf-inf-8", "digits=34359738361").contains("from 18 to 34359738360"));
    }
}
