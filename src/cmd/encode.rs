//! `utfhdl encode`: code points, one a line, to a file of units.

use std::io::{self, BufRead, BufReader, BufWriter, Read};
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use num_bigint::BigUint;
use serde::Deserialize;
use utfhdl::codec::{OnError, Refused, Whole};
use utfhdl::system::System;
use utfhdl::units::UnitFormat;

use super::encoding::{EncodedFile, refusal, report};
use super::{Outcome, files};

const EXAMPLES: &str = "\
Examples:
  printf '20AC\\nU+1F600\\n' | utfhdl encode utf-8
  utfhdl decode utf-8 page.html | utfhdl encode utf-9 --units packed > page.utf9
  utfhdl decode utf-8 page.html --json | jq -c 'select(.cp)' | utfhdl encode utf-8";

/// Encode code points, one a line, as a file of units on standard output
///
/// A line is a code point in hexadecimal, with U+ in front or without, or a line that `utfhdl decode` prints, in either
/// of its formats; offsets and lengths are passed over. Anything else stops with exit code 2 and the number of the line.
///
/// The exit code is 1 if a line was an error or a code point that the system does not have.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// System to encode in, with options behind commas: utf-8, utf-9,max=7fffffff
    system: System,

    /// File of lines; standard input if it is missing or -
    file: Option<PathBuf>,

    /// How the units are to stand in the output [default: u8 for units of up to 8 bits, u16le above]
    #[arg(long, value_enum)]
    units: Option<UnitFormat>,

    /// What becomes of errors and of code points that the system does not have
    #[arg(long, value_enum, default_value_t = OnError::Replace)]
    on_error: OnError,
}

/// A line may be as long as this, in bytes: sixteen times what `decode` prints.
const LONGEST_LINE: u64 = 1 << 24;

/// Encodes as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let input = files::open(args.file.as_deref())?;
    let out = BufWriter::new(io::stdout().lock());
    let mut encoded =
        EncodedFile::new(args.system, args.on_error, files::STANDARD_OUTPUT.to_owned(), out, args.units)?;
    let mut lines = BufReader::with_capacity(1 << 16, input.file);
    let mut line = Vec::new();
    let mut number = 0_u64;
    loop {
        line.clear();
        let read = lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        let last = read.map_err(|error| files::in_file(&input.name, error))? == 0;
        let slots = if last {
            vec![]
        } else {
            number += 1;
            parse(&line)
                .map_err(|error| files::in_file(format!("{}: line {number}", input.name), error))?
                .slots()
        };
        if let Err(Refused { kind, .. }) = encoded.put(&slots, last)? {
            let why = refusal(kind, slots.first().copied(), args.system);
            eprintln!("utfhdl: {}: line {number}: {why}", input.name);
            encoded.finish()?;
            return Ok(Outcome::Amiss);
        }
        if last {
            break;
        }
    }
    let (_, errors) = encoded.finish()?;
    report(errors, args.on_error);
    Ok(if errors == 0 { Outcome::Well } else { Outcome::Amiss })
}

/// What a line says, with its line end or, if it is too long, without.
fn parse(line: &[u8]) -> anyhow::Result<Whole> {
    if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
        bail!("longer than {LONGEST_LINE} bytes");
    }
    let text = str::from_utf8(line).unwrap_or_default().trim_ascii();
    let whole = if text.starts_with('{') { from_json(text) } else { from_text(text) };
    whole.ok_or_else(|| {
        let start: String = String::from_utf8_lossy(&line[..line.len().min(40)]).trim_ascii().to_owned();
        anyhow!("{start:?} is no code point in hexadecimal, and no line of `utfhdl decode`")
    })
}

/// `U+20AC`, `20ac`, or a line of `decode --format text`.
fn from_text(line: &str) -> Option<Whole> {
    let mut fields = line.split('\t');
    let word = match (fields.next()?, fields.next(), fields.next(), fields.next()) {
        (word, None, None, None) => word,
        (offset, Some(length), Some(word), None) => {
            let _: (u64, u64) = (offset.parse().ok()?, length.parse().ok()?);
            word
        }
        _ => return None,
    };
    if let Some(digits) = word.strip_suffix(" digits") {
        return digits.parse().ok().map(|digits| Whole::TooLong { digits });
    }
    code_point(word).or_else(|| word.parse().map(Whole::Error).ok())
}

/// A line of `decode --format jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonLine {
    #[serde(rename = "offset")]
    _offset: Option<u64>,
    #[serde(rename = "length")]
    _length: Option<u64>,
    cp: Option<String>,
    error: Option<String>,
    digits: Option<u64>,
}

fn from_json(line: &str) -> Option<Whole> {
    let line: JsonLine = serde_json::from_str(line).ok()?;
    match (line.cp, line.error, line.digits) {
        (Some(digits), None, None) => code_point(&digits),
        (None, Some(kind), None) => kind.parse().ok().map(Whole::Error),
        (None, None, Some(digits)) => Some(Whole::TooLong { digits }),
        _ => None,
    }
}

fn code_point(word: &str) -> Option<Whole> {
    let digits = word.strip_prefix("U+").or_else(|| word.strip_prefix("u+")).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    match u32::from_str_radix(digits, 16) {
        Ok(code_point) => Some(Whole::CodePoint(code_point)),
        Err(_) => BigUint::parse_bytes(digits.as_bytes(), 16).map(Whole::from),
    }
}
