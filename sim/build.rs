//! Sets `compiles` where the `native` engine can compile: with the feature `jit`, on processors that Cranelift knows.

/// Processors that Cranelift knows. Cargo.toml has the same list.
const PROCESSORS: [&str; 4] = ["x86_64", "aarch64", "riscv64", "s390x"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(compiles)");
    let processor = std::env::var("CARGO_CFG_TARGET_ARCH").expect("cargo names the processor");
    if std::env::var_os("CARGO_FEATURE_JIT").is_some() && PROCESSORS.contains(&processor.as_str()) {
        println!("cargo::rustc-cfg=compiles");
    }
}
