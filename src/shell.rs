//! Commands as a user pastes them into a shell.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;

/// The words of a command, each quoted where a POSIX shell would read it as anything but itself.
pub fn command<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| quoted(word.as_ref())).collect();
    quoted.join(" ")
}

/// One word of a command.
pub fn quoted(word: &OsStr) -> String {
    let plain = word.to_str().filter(|word| !word.chars().any(char::is_control));
    match plain.map(shlex::try_quote) {
        Some(Ok(quoted)) => Cow::into_owned(quoted),
        // A terminal shows control characters and ill-formed text as something else: each of their bytes is escaped.
        _ => word.as_encoded_bytes().iter().fold("$'".to_owned(), escape) + "'",
    }
}

fn escape(mut text: String, &byte: &u8) -> String {
    match byte {
        b'\'' | b'\\' => text.extend(['\\', byte.into()]),
        b' '..=b'~' => text.push(byte.into()),
        _ => write!(text, "\\{byte:03o}").expect("writing to a string"),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_stay_as_they_are() {
        assert_eq!(
            command(["utfhdl", "cosim", "a/b.units", "--fault", "inverted@x.y"]),
            "utfhdl cosim a/b.units --fault inverted@x.y"
        );
    }

    /// The shell itself says what it reads.
    #[cfg(unix)]
    #[test]
    fn a_shell_reads_back_every_word() {
        use std::os::unix::ffi::OsStrExt;
        let words: [&[u8]; 11] = [
            b"",
            b"two words",
            b"it's",
            b"$HOME `id` \"x\" \\ !",
            b"a;b&c|d>e<f(g)*?[h]#~{i}",
            b"-n",
            "é€😀".as_bytes(),
            b"line\nline\ttab",
            b"not \xff\xfe UTF-8, it's \\ a 'quote'",
            b"escape \x1b[31m",
            b"=assigned",
        ];
        let words = words.map(OsStr::from_bytes);
        let script = command([OsStr::new("printf"), OsStr::new("%s\\0")].iter().chain(&words));
        assert!(!script.chars().any(char::is_control), "{script}");
        let output = std::process::Command::new("bash").args(["-c", &script]).output().expect("bash runs");
        let expected: Vec<u8> = words.iter().flat_map(|word| [word.as_bytes(), b"\0"].concat()).collect();
        assert_eq!(output.stdout, expected, "{script}");
    }
}
