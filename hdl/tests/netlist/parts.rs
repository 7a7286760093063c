//! Designs as parts of larger ones.

use std::sync::Arc;

use super::panic_message;
use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle};
use utfhdl_hdl::stream::AxiBeat;

fn names(top: &Arc<Module>) -> Vec<String> {
    let design = Design { top: Arc::clone(top), reset: ResetStyle::SyncHigh };
    let mut names: Vec<String> = design.modules().iter().map(|module| module.name().to_owned()).collect();
    names.sort();
    names
}

fn core(system: System, role: Role, lanes: u32) -> Design {
    Core::new(CoreSpec { lanes, ..CoreSpec::new(system, role) }).expect("there is such a core").design
}

#[test]
fn what_is_below_a_part_has_the_name_of_the_part_in_front() {
    let design = core(System::Utf8, Role::Decoder, 4);
    let (top, part) = (design.top.name(), names(&design.part()));
    let mut expected: Vec<String> = names(&design.top);
    for name in &mut expected {
        if name != top {
            *name = format!("{top}_{name}");
        }
    }
    expected.sort();
    assert!(expected.len() > 2, "{expected:?}");
    assert_eq!(part, expected);
}

/// A module that is used often is one module in the part, too.
#[test]
fn a_part_has_each_module_once() {
    let design = core(System::Utf8, Role::Decoder, 4);
    let lanes = |top: &Arc<Module>| {
        let of =
            |module: &Module| module.instances().iter().map(|i| Arc::as_ptr(&i.module)).collect::<Vec<_>>();
        let mut all = of(top);
        let instances = all.len();
        all.sort();
        all.dedup();
        (instances, all.len())
    };
    let (instances, modules) = lanes(&design.top);
    assert!(instances > modules);
    assert_eq!(lanes(&design.part()), (instances, modules));
}

/// Two decoders, as parts or not.
fn pair(part: fn(&Design) -> Arc<Module>) -> Result<Arc<Module>, String> {
    let m = Builder::new("pair", "Decodes by two rules.");
    for (name, system) in [("a", System::Utf8), ("b", System::Wtf8)] {
        let instance = m.instance(name, &part(&core(system, Role::Decoder, 4)));
        let octet = AxiBeat {
            tdata: m.input(&format!("{name}_octets"), 32, ""),
            tkeep: m.lit(4, 15),
            tuser: None,
            tvalid: m.input(&format!("{name}_valid"), 1, ""),
            tlast: m.lit(1, 0),
        };
        m.output(&format!("{name}_ready"), octet.offer_to(instance), "");
        instance.input("m_axis_tready", m.lit(1, 1));
        m.output(&format!("{name}_slots"), instance.output("m_axis_tdata"), "");
    }
    m.finish().map_err(|errors| errors.to_string())
}

#[test]
fn cores_whose_modules_share_a_name_stand_side_by_side_as_parts() {
    let errors = pair(|design| Arc::clone(&design.top)).expect_err("both have a module `lane`");
    assert!(errors.contains("two different modules are called `lane`"), "{errors}");
    let together = pair(Design::part).expect("parts have names of their own");
    assert!(names(&together).contains(&"utf_8_decoder_x4_lane".to_owned()), "{:?}", names(&together));
}

#[test]
fn slots_need_a_tuser() {
    let encoder = core(System::Utf8, Role::Encoder, 1).part();
    let message = panic_message(|| {
        let m = Builder::new("m", "Offers slots without tuser.");
        let bit = m.input("bit", 1, "");
        let slot = AxiBeat { tdata: m.lit(32, 0x41), tkeep: bit, tuser: None, tvalid: bit, tlast: bit };
        slot.offer_to(m.instance("encode", &encoder));
    });
    assert_eq!(message, "module `utf_8_encoder_x1` needs the tuser of what is offered to it");
}
