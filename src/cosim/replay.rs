//! The command that repeats a run.

use std::ffi::OsString;
use std::path::Path;
use std::str::FromStr;

use super::driver::Stalls;
use super::setup::Cosim;
use super::source::Source;
use super::stimulus::Framing;
use crate::engines::EngineKind;
use crate::shell;

impl Cosim {
    /// The command, quoted for a shell, that repeats the run in these engines, with every option spelled out. `None` if the
    /// items came from a program. A fault in the core is not part of the command.
    pub fn replay(&self, engines: &[EngineKind]) -> Option<String> {
        let words = self.replay_words(engines)?;
        Some(shell::command(words))
    }

    /// The words of [`replay`](Self::replay), for who has some to add.
    pub fn replay_words(&self, engines: &[EngineKind]) -> Option<Vec<OsString>> {
        let mut words = Words(vec!["utfhdl".into(), "cosim".into()]);
        words.0.extend(self.core.spec.to_string().split(' ').map(OsString::from));
        match &self.source {
            Source::Units { path, format } => {
                words.add_path(path);
                words.add(["--units".to_owned(), format.name().to_owned()]);
            }
            Source::Lines { path } => words.add_path(path),
            Source::Random { count } => words.add(["--random".to_owned(), count.to_string()]),
            Source::Given(_) => return None,
        }
        words.add(["--seed".to_owned(), self.seed.to_string()]);
        words.add(["--stall".to_owned(), self.stalls.to_string()]);
        words.add(["--frames".to_owned(), self.framing.to_string()]);
        if self.resets > 0 {
            words.add(["--resets".to_owned(), self.resets.to_string()]);
        }
        for engine in engines {
            words.add(["--engine".to_owned(), engine.to_string()]);
        }
        Some(words.0)
    }
}

/// The words of a command.
struct Words(Vec<OsString>);

impl Words {
    fn add<const N: usize>(&mut self, words: [String; N]) {
        self.0.extend(words.map(OsString::from));
    }

    /// A path, which must not look like an option.
    fn add_path(&mut self, path: &Path) {
        let looks_like_option = path.as_os_str().as_encoded_bytes().first() == Some(&b'-');
        let path = if looks_like_option { Path::new(".").join(path) } else { path.to_owned() };
        self.0.push(path.into());
    }
}

/// The rates as `--stall` takes them: one for both ends, or that of the source and that of the sink with a comma.
impl std::fmt::Display for Stalls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { source, sink } = self;
        if source == sink { write!(f, "{source}") } else { write!(f, "{source},{sink}") }
    }
}

impl FromStr for Framing {
    type Err = String;

    /// Parses what `--frames` takes.
    fn from_str(text: &str) -> Result<Self, String> {
        let lengths: Result<Vec<u64>, _> = text.split(',').map(str::parse).collect();
        let beats = |frame: &str| frame.split('+').map(str::parse).collect();
        let beats: Result<Vec<Vec<u64>>, _> = text.split(',').map(beats).collect();
        let has_any = |frames: &[Vec<u64>]| frames.iter().flatten().any(|length| *length > 0);
        match (text, lengths, beats) {
            ("whole", ..) => Ok(Self::Whole),
            ("random", ..) => Ok(Self::Random),
            (_, Ok(lengths), _) if lengths.iter().any(|length| *length > 0) => Ok(Self::Lengths(lengths)),
            (.., Ok(frames)) if has_any(&frames) => Ok(Self::Beats(frames)),
            _ => {
                Err("expected whole, random, or numbers of units with commas, such as 3 or 2,0,5".to_owned())
            }
        }
    }
}

/// The framing as `--frames` takes it.
impl std::fmt::Display for Framing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::Random => f.write_str("random"),
            Self::Lengths(lengths) => {
                f.write_str(&lengths.iter().map(u64::to_string).collect::<Vec<_>>().join(","))
            }
            Self::Beats(frames) => {
                let frame = |beats: &Vec<u64>| match beats[..] {
                    [] => "0".to_owned(),
                    _ => beats.iter().map(u64::to_string).collect::<Vec<_>>().join("+"),
                };
                f.write_str(&frames.iter().map(frame).collect::<Vec<_>>().join(","))
            }
        }
    }
}
