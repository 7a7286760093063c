use utfhdl_hdl::core::*;
fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let only: Option<String> = std::env::args().nth(1);
    let dir = std::env::args().nth(2);
    for system in System::variants() {
        if only.as_ref().is_some_and(|only| !system.to_string().starts_with(only.as_str())) { continue }
        if matches!(system, System::UtfInf8 { .. }) { continue }
        let mut line = format!("{system:20}");
        for on_error in [ErrorMode::Flag, ErrorMode::Drop] {
            for lanes in [2, 4, 8, 16, 32, 64] {
                let spec = CoreSpec { lanes, on_error, ..CoreSpec::new(system, Role::Decoder) };
                match std::panic::catch_unwind(|| Core::new(spec).unwrap()) {
                    Ok(core) => {
                        line += &format!(" {}", core.latency);
                        if let Some(dir) = &dir { std::fs::write(format!("{dir}/{}.v", spec.module_name()), core.verilog()).unwrap(); }
                    }
                    Err(e) => {
                        let text = e.downcast_ref::<String>().cloned().or(e.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default();
                        line += &format!("\n   x{lanes} {on_error}: {}\n", text.lines().take(3).map(|l| l.chars().take(140).collect::<String>()).collect::<Vec<_>>().join("\n      "));
                    }
                }
            }
        }
        println!("{line}");
    }
}
