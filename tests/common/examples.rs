//! The examples of the package, as several tests run them.

use std::fs;
use std::path::{Path, PathBuf};

/// The program of an example, which is newer than the sources in its folder. Cargo builds it with all tests, but not with those of one
/// file alone.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test, in the folder `deps`");
    let built =
        test.parent().and_then(Path::parent).expect("the folder of the profile").join("examples").join(name);
    let time = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let sources =
        fs::read_dir(folder(name)).expect("the folder of the example").map(|entry| entry.unwrap().path());
    let newest = sources
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .filter_map(|path| time(&path))
        .max();
    let is_new = time(&built) > newest;
    assert!(is_new, "{} is missing or old: `cargo build --example {name}` makes it", built.display());
    built
}

/// Checks that a file that the program of an example has written equals the text that this test makes from the same
/// sources.
pub fn assert_is_written(path: &Path, expected: &str, name: &str) {
    let written = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(
        written == expected,
        "the program is not that of the sources: `cargo build --example {name}` makes it"
    );
}

/// The folder of an example.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// The blocks of an example's README.md in a language, without the marks.
pub fn blocks(name: &str, language: &str) -> Vec<String> {
    let readme = fs::read_to_string(folder(name).join("README.md")).expect("it has a README.md");
    let parts = readme.split("```").skip(1).step_by(2);
    parts.filter_map(|block| Some(block.strip_prefix(language)?.trim().to_owned())).collect()
}

/// Expects the code that README.md shows to be in a file of the example, but for white space. `// ...` stands for any code.
pub fn assert_shows_code_of(name: &str, file: &str) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let source = words(&fs::read_to_string(folder(name).join(file)).expect("a file of the example"));
    let code = blocks(name, "rust");
    assert!(!code.is_empty());
    for part in code.iter().flat_map(|block| block.split("// ...")) {
        assert!(source.contains(&words(part)), "{file} has no\n{part}");
    }
}

/// The commands of the `console` blocks of README.md, with the lines shown as their output. See tools/check-docs.
pub fn commands(name: &str) -> Vec<(String, String)> {
    let blocks = blocks(name, "console");
    let commands = blocks.iter().flat_map(|block| block.strip_prefix("$ ").expect("a command").split("\n$ "));
    let split = commands.map(|command| command.split_once('\n').unwrap_or((command, "")));
    split.map(|(command, shown)| (command.to_owned(), shown.to_owned())).collect()
}
