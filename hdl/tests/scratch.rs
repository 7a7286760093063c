use utfhdl_hdl::core::*;
#[test]
fn all() {
    let mut bad = std::collections::BTreeMap::<String, Vec<String>>::new();
    std::panic::set_hook(Box::new(|_| {}));
    let mut n = 0;
    let lanes: Vec<u32> =
        std::env::var("LANES").unwrap_or("2,4,8,16".into()).split(',').map(|x| x.parse().unwrap()).collect();
    for system in System::variants() {
        for &lanes in &lanes {
            for role in
                [Role::Decoder, Role::Transcoder { to: System::Utf8 }, Role::Transcoder { to: System::Utf16 }]
            {
                for on_error in role.on_error() {
                    for (pack, pipeline) in [
                        (Packing::default(), Steps::Auto),
                        (Packing::Dense, Steps::Auto),
                        (Packing::default(), Steps::Number(2)),
                        (Packing::Dense, Steps::Number(3)),
                    ] {
                        let mut spec = CoreSpec::new(system, role);
                        spec.lanes = lanes;
                        spec.on_error = on_error;
                        spec.pack = pack;
                        spec.pipeline = pipeline;
                        n += 1;
                        let result =
                            std::panic::catch_unwind(|| Core::new(spec).map(|core| core.verilog().len()));
                        if let Err(e) = result {
                            let text = e
                                .downcast_ref::<String>()
                                .cloned()
                                .or(e.downcast_ref::<&str>().map(|s| s.to_string()))
                                .unwrap_or_default();
                            bad.entry(text.chars().take(180).collect()).or_default().push(spec.module_name());
                        }
                    }
                }
            }
        }
    }
    for (text, specs) in bad.iter().take(40) {
        println!("== {} times, {}: {text}", specs.len(), specs[0]);
    }
    println!("{n} tried, {} kinds of failure", bad.len());
}
