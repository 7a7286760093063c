//! Values of options that several commands take, and messages about wrong values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use utfhdl::cores::nearest_names;
use utfhdl::prove::property::Property;
use utfhdl::tables::{self, SystemError};
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{Auto, Choose, OnError, ParseSystemError, System};

/// The system of cores that choose among others.
const AUTO: &str = "auto";

/// Parses the name of a system and its options. An unknown name is answered with the names nearest to it.
pub fn system(text: &str) -> Result<System, String> {
    if text.starts_with("adapter:") {
        return Err("adapters are for the commands generate, cosim, prove and report".to_owned());
    }
    if text.eq_ignore_ascii_case(AUTO) {
        return Err("auto is a list of systems: name them, as in auto:utf-8+utf-16le+utf-16be".to_owned());
    }
    tables::system(text).map_err(explain)
}

/// Parses the system of a core like [`system`]. `auto` is a list of systems that another argument names.
pub fn system_of_core(text: &str) -> Result<System, String> {
    if text.eq_ignore_ascii_case(AUTO) { Ok(System::Auto(Auto::open())) } else { system(text) }
}

/// Parses the systems of a list, with commas between them. What has `=` in it is an option of the system before.
pub fn among(text: &str) -> Result<Vec<System>, String> {
    let mut names: Vec<String> = Vec::new();
    for part in text.split(',') {
        match names.last_mut() {
            Some(name) if part.contains('=') && !part.contains(':') => *name = format!("{name},{part}"),
            _ => names.push(part.to_owned()),
        }
    }
    names.iter().map(|name| system(name)).collect()
}

/// Parses how the system of a frame is chosen.
pub fn choose(text: &str) -> Result<Choose, String> {
    let found = Choose::ALL.into_iter().find(|choose| choose.name() == text);
    found.ok_or_else(|| "expected bom or port".to_owned())
}

/// Parses a system like [`system`], with the defaults of files: `corrected-utf-8` is a document.
pub fn system_of_file(text: &str) -> Result<System, String> {
    tables::system_of_file(text).map_err(explain)
}

fn explain(error: SystemError) -> String {
    match &error {
        SystemError::Parse(ParseSystemError::Unknown { name }) => match nearest_names(name).as_slice() {
            [] => format!("{error}; `utfhdl list` shows all systems"),
            near => format!("{error}; did you mean {}?", near.join(" or ")),
        },
        SystemError::NoTable { name } => match nearest_names(&format!("table:{name}")).as_slice() {
            [] => error.to_string(),
            near => format!(
                "there is no character set {name:?}, and no file: did you mean {}?",
                near.join(" or ")
            ),
        },
        _ => error.to_string(),
    }
}

/// Parses the format of a file of units.
pub fn unit_format() -> impl TypedValueParser<Value = UnitFormat> {
    let values = UnitFormat::ALL.map(|format| {
        PossibleValue::new(format.name()).help(match format {
            UnitFormat::U8 => {
                "A byte a unit, units of fewer than 8 bits right-aligned; the default up to 8 bits"
            }
            UnitFormat::U16Le => "Two bytes a unit, the low one first; the default for 9 and 16 bits",
            UnitFormat::U16Be => "Two bytes a unit, the high one first",
            UnitFormat::U32Le => "Four bytes a unit, the low one first; the default for 32 bits",
            UnitFormat::U32Be => "Four bytes a unit, the high one first",
            UnitFormat::Packed => {
                "Units without gaps, most significant bits first, zero bits at the end; 8 and 9 bits only"
            }
            UnitFormat::Octal => "Text, one unit a line in octal digits",
            UnitFormat::Hex => "Text, one unit a line in hexadecimal digits",
        })
    });
    PossibleValuesParser::new(values).map(|name| named(&UnitFormat::ALL, &name, |format| format.name()))
}

/// Parses what an encoder does about what it cannot write.
pub fn on_error() -> impl TypedValueParser<Value = OnError> {
    let values = OnError::ALL.map(|choice| {
        PossibleValue::new(choice.name()).help(match choice {
            OnError::Replace => {
                "Write U+FFFD, or U+003F where the system lacks it, or else its last code point"
            }
            OnError::Drop => "Write nothing",
            OnError::Strict => "Stop at the first",
        })
    });
    PossibleValuesParser::new(values).map(|name| named(&OnError::ALL, &name, |choice| choice.name()))
}

/// Parses a property to prove.
pub fn property() -> impl TypedValueParser<Value = Property> {
    let values = Property::ALL.map(|property| {
        PossibleValue::new(property.name()).help(match property {
            Property::Emitted => "The emitted Verilog does what the netlist does",
            Property::Stream => "Handshake, frames and counts are as docs/interface.md has them",
            Property::Spec => "A core makes the slots or units that the definition of its system asks for",
            Property::Elastic => "The same units make the same slots, however both sides stall",
            Property::Lanes => {
                "A core of several lanes makes the slots, units or marks that the definitions of its systems ask for"
            }
            Property::Apart => "What comes out of one stream does not depend on the beats of the others",
            Property::Inverse => "Decoder and encoder, in both orders, give back what is well-formed",
        })
    });
    PossibleValuesParser::new(values).map(|name| named(&Property::ALL, &name, Property::name))
}

/// The value of this name, which clap has found among the possible ones.
fn named<T: Copy>(all: &[T], name: &str, name_of: impl Fn(T) -> &'static str) -> T {
    let found = all.iter().copied().find(|&value| name_of(value) == name);
    found.expect("clap lets only these names pass")
}
