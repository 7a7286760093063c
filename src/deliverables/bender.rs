//! A package for Bender.

use super::{Package, TextFile, testbench};

pub fn files(package: &Package) -> Vec<TextFile> {
    let module = package.module;
    let head = package.head("#", &format!("{module} for Bender. The target `test` adds the bench."));
    let text = format!(
        "{head}
package:
  name: {module}

sources:
  - {module}.v
  - target: test
    files:
      - {bench}
",
        bench = testbench::path(module),
    );
    vec![TextFile { path: "Bender.yml".to_owned(), text, about: "a package for Bender" }]
}
