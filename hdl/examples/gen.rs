use utfhdl_hdl::core::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let system = System::variants().find(|s| s.to_string() == args[1]).unwrap();
    let lanes: u32 = args[2].parse().unwrap();
    let mut spec = CoreSpec { lanes, ..CoreSpec::new(system, Role::Decoder) };
    if args.len() > 3 && args[3] == "drop" { spec.on_error = ErrorMode::Drop; }
    let t = std::time::Instant::now();
    let core = Core::new(spec).unwrap();
    let t1 = t.elapsed();
    let text = core.verilog();
    eprintln!("latency {} build {:?} verilog {:?}", core.latency, t1, t.elapsed() - t1);
    print!("{text}");
}
