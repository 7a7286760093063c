//! Draws a short run of the UTF-8 decoder as the picture of the README.
//!
//! ```text
//! cargo run --release --example trace [docs/trace.svg]
//! ```

mod drawing;
mod run;

use std::path::PathBuf;

fn main() -> anyhow::Result<()> {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/trace.svg");
    let path = std::env::args_os().nth(1).map_or_else(|| PathBuf::from(docs), PathBuf::from);
    std::fs::write(&path, drawing::svg(&run::Trace::record()?))?;
    println!("wrote {}", path.display());
    Ok(())
}
