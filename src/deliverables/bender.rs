//! A package for Bender.

use super::{Deliverable, Package, TextFile, testbench, verification};

pub fn files(package: &Package) -> Vec<TextFile> {
    let module = package.module;
    let has_assertions = package.wanted.contains(&Deliverable::Assertions);
    let of_assertions = if has_assertions { ", and `assertions` what is bound to the core" } else { "" };
    let about = format!("{module} for Bender. The target `test` adds the bench{of_assertions}.");
    let head = package.head("#", &about);
    let assertions = match has_assertions {
        true => {
            format!("  - target: assertions\n    files:\n      - {}\n", verification::assertions_path(module))
        }
        false => String::new(),
    };
    let text = format!(
        "{head}
package:
  name: {module}

sources:
  - {module}.v
  - target: test
    files:
      - {bench}
{assertions}",
        bench = testbench::path(module),
    );
    vec![TextFile { path: "Bender.yml".to_owned(), text, about: "a package for Bender" }]
}
