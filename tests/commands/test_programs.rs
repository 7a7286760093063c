//! Every file of the test programs is compiled: one that no `main.rs` declares would be skipped without a word.

use std::fs;
use std::path::Path;

#[test]
fn every_file_is_a_module_of_its_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages = ["tests", "codec/tests", "hdl/tests", "sim/tests"].map(|tests| root.join(tests));
    let folders = packages.iter().flat_map(|tests| fs::read_dir(tests).unwrap());
    let mut modules = 0;
    for folder in folders.map(|entry| entry.unwrap().path()) {
        let Ok(main) = fs::read_to_string(folder.join("main.rs")) else { continue };
        for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.file_stem().unwrap().to_str().unwrap();
            let is_module =
                file.join("mod.rs").is_file() || file.extension().is_some_and(|ending| ending == "rs");
            if is_module && name != "main" {
                assert!(main.contains(&format!("\nmod {name};")), "{} is not compiled", file.display());
                modules += 1;
            }
        }
    }
    assert!(modules > 100, "{modules} modules");
}
