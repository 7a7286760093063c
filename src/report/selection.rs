//! Which cores a report is about: `utf-8 hunk-5 decoder`.

use std::str::FromStr;

use crate::cores::core_system;
use utfhdl_hdl::core::{
    Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, LAST_OF_UNICODE, Role, System as CoreSystem,
};
use utfhdl_hdl::netlist::ResetStyle;

use super::ReportError;
use utfhdl_codec::System;

/// A choice of cores: those of the systems that are named, or of all where none is, in the roles that are named, or in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    systems: Vec<CoreSystem>,
    roles: Vec<Choice>,
}

/// A role, or all the transcoders that the tables show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Decoder,
    Encoder,
    SomeTranscoders,
    TranscoderTo(CoreSystem),
}

/// A word that is neither a system nor a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is no role (decoder, encoder, transcoder or transcoder:SYSTEM) and no system: {reason}")]
pub struct ParseSelectionError {
    word: String,
    /// Why it is no system.
    reason: String,
}

impl Selection {
    /// Of these words, systems and roles in any order.
    ///
    /// # Errors
    /// If one is neither.
    pub fn of(words: &[impl AsRef<str>]) -> Result<Self, ParseSelectionError> {
        let mut selection = Self::default();
        for word in words.iter().map(AsRef::as_ref) {
            let system = |name: &str| match name.parse::<System>() {
                Ok(system) => Ok(core_system(system)),
                Err(error) => Err(ParseSelectionError { word: word.to_owned(), reason: error.to_string() }),
            };
            match (word, word.strip_prefix("transcoder:")) {
                ("decoder", _) => selection.roles.push(Choice::Decoder),
                ("encoder", _) => selection.roles.push(Choice::Encoder),
                ("transcoder", _) => selection.roles.push(Choice::SomeTranscoders),
                (_, Some(to)) => selection.roles.push(Choice::TranscoderTo(system(to)?)),
                (_, None) => selection.systems.push(system(word)?),
            }
        }
        Ok(selection)
    }

    /// The cores there are, in the order of the tables: decoders, encoders, transcoders.
    ///
    /// # Errors
    /// If one can't be had for its options.
    pub fn cores(&self) -> Result<Vec<Core>, ReportError> {
        self.specs().into_iter().map(|spec| Ok(Core::new(spec)?)).collect()
    }

    fn specs(&self) -> Vec<CoreSpec> {
        let systems =
            if self.systems.is_empty() { CoreSystem::variants().collect() } else { self.systems.clone() };
        let all = [Choice::Decoder, Choice::Encoder, Choice::SomeTranscoders];
        let roles = if self.roles.is_empty() { all.to_vec() } else { self.roles.clone() };
        let mut specs = Vec::new();
        for role in roles {
            for &from in &systems {
                match role {
                    Choice::Decoder => specs.push(CoreSpec::new(from, Role::Decoder)),
                    Choice::Encoder => specs.push(CoreSpec::new(from, Role::Encoder)),
                    Choice::SomeTranscoders => specs.extend(transcoders(from)),
                    Choice::TranscoderTo(to) => specs.push(CoreSpec::new(from, Role::Transcoder { to })),
                }
                if (from, role) == (CoreSystem::Utf8, Choice::Decoder) {
                    specs.extend(options_of_one());
                }
            }
        }
        specs
    }
}

impl FromStr for Selection {
    type Err = ParseSelectionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::of(&text.split_whitespace().collect::<Vec<_>>())
    }
}

/// The transcoders from `from` that stand for all: to and from `utf-8`, which is what people have, and `utf-8` to itself.
fn transcoders(from: CoreSystem) -> Vec<CoreSpec> {
    let partners = [
        CoreSystem::Utf8,
        CoreSystem::Utf8Rfc2279,
        CoreSystem::Hunk(5),
        CoreSystem::UtfInf8 { digits: DEFAULT_DIGITS },
        CoreSystem::Utf9 { max: LAST_OF_UNICODE },
        CoreSystem::Utf18,
        CoreSystem::CorrectedUtf8 { document: false },
    ];
    let to: &[CoreSystem] = match from {
        CoreSystem::Utf8 => &partners,
        _ if partners.contains(&from) => &[CoreSystem::Utf8],
        _ => &[],
    };
    to.iter().map(|&to| CoreSpec::new(from, Role::Transcoder { to })).collect()
}

/// What options cost, shown on one core.
fn options_of_one() -> [CoreSpec; 2] {
    let core = CoreSpec::new(CoreSystem::Utf8, Role::Decoder);
    [CoreSpec { on_error: ErrorMode::Drop, ..core }, CoreSpec { reset: ResetStyle::AsyncLow, ..core }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(words: &str) -> Vec<CoreSpec> {
        words.parse::<Selection>().unwrap().specs()
    }

    #[test]
    fn names_narrow_the_choice() {
        let decoder = |system| CoreSpec::new(system, Role::Decoder);
        let encoder = |system| CoreSpec::new(system, Role::Encoder);
        let (hunk, utf_18) = (CoreSystem::Hunk(3), CoreSystem::Utf18);
        assert_eq!(specs("hunk-3 encoder"), [encoder(hunk)]);
        assert_eq!(
            specs("decoder utf-18 encoder hunk-3"),
            [utf_18, hunk].map(decoder).into_iter().chain([utf_18, hunk].map(encoder)).collect::<Vec<_>>()
        );
        assert_eq!(
            specs("utf-18 transcoder"),
            [CoreSpec::new(utf_18, Role::Transcoder { to: CoreSystem::Utf8 })]
        );
        assert_eq!(specs("hunk-3 transcoder:utf-18"), [CoreSpec::new(hunk, Role::Transcoder { to: utf_18 })]);
        assert_eq!(specs("hunk-3 transcoder"), []);
        let scrubber = CoreSpec::new(CoreSystem::Utf8, Role::Transcoder { to: CoreSystem::Utf8 });
        assert_eq!(specs("utf-8 transcoder:utf-8"), [scrubber]);
        assert!(specs("utf-8 transcoder").contains(&scrubber));
    }

    #[test]
    fn without_names_every_system_is_there_in_both_roles() {
        let all = specs("");
        for system in CoreSystem::variants() {
            for role in [Role::Decoder, Role::Encoder] {
                assert!(all.contains(&CoreSpec::new(system, role)), "{system} {role}");
            }
        }
        assert!(all.iter().any(|spec| matches!(spec.role, Role::Transcoder { .. })));
    }

    #[test]
    fn what_is_no_name_is_an_error() {
        let error = "utf-8 decodr".parse::<Selection>().unwrap_err().to_string();
        assert!(error.contains("\"decodr\" is no role") && error.contains("no system"), "{error}");
        assert!("transcoder:utf-5".parse::<Selection>().is_err());
    }
}
