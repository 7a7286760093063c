//! Stages and lanes of registers, and the schedule of a module.

use std::sync::Arc;

use utfhdl_hdl::netlist::{Builder, Module, ScheduledStage};

/// A lane of two stages: what it registers in stage 2 says so itself, the other register has the stage of its section.
fn lane() -> Arc<Module> {
    let m = Builder::new("lane", "A lane.");
    let stage = m.stage(m.input("enable", 1, ""));
    let unit = m.input("unit", 8, "");
    m.stage_section(1, "the unit");
    let first = stage.data("unit_reg", unit);
    let sum = first.bits(0..3) + first.bits(3..6) + first.bits(6..8).zext(3);
    let second = stage.at(2).data("later_reg", sum);
    m.output("later", second, "");
    m.built()
}

fn two_lanes() -> Arc<Module> {
    let (m, lane) = (Builder::new("two_lanes", "Two lanes and what follows them."), lane());
    let (enable, units) = (m.input("enable", 1, ""), m.input("units", 16, ""));
    let later: Vec<_> = (0..2)
        .map(|index| {
            let unit = units.bits(8 * index..8 * index + 8);
            let lane = m.instance(&format!("lane_{index}"), &lane).lane(index as usize);
            lane.input("enable", enable).input("unit", unit).output("later")
        })
        .collect();
    m.stage_section(2, "the sum");
    let sum = m.stage(enable).at(3).lane(1).data("sum_reg", later[0] + later[1]);
    m.stages_section(2, 3, "further work");
    let state = m.reg("state_reg", 1);
    state.next(sum.any());
    m.section("The output");
    let held = m.reg("held_reg", 3).at_stage(4).in_lane(0);
    held.next(sum);
    m.output("held", held.q, "");
    m.output("state", state.q, "");
    m.built()
}

#[test]
fn a_register_has_the_stage_that_it_is_given_or_that_of_its_section() {
    let of = |module: &Module| -> Vec<_> {
        module.registers().iter().map(|register| (register.stage, register.lane)).collect()
    };
    assert_eq!(of(&lane()), [(Some(1), None), (Some(2), None)]);
    assert_eq!(of(&two_lanes()), [(Some(3), Some(1)), (None, None), (Some(4), Some(0))]);
    let lanes: Vec<_> = two_lanes().instances().iter().map(|instance| instance.lane).collect();
    assert_eq!(lanes, [Some(0), Some(1)]);
}

#[test]
fn the_schedule_counts_the_registers_of_all_lanes() {
    let stage = |stage, work: &[&str], registers, bits| {
        let work = work.iter().map(|&title| title.to_owned()).collect();
        ScheduledStage { part: None, stage, work, registers, bits }
    };
    let expected = [
        stage(1, &["the unit"], 2, 16),
        stage(2, &["the sum"], 2, 6),
        stage(3, &["further work"], 1, 3),
        stage(4, &[], 1, 3),
    ];
    assert_eq!(two_lanes().schedule(), expected);
}

#[test]
fn a_part_of_the_pipeline_has_stages_of_its_own() {
    let m = Builder::new("whole", "A part, and a stage after it.");
    let inner = two_lanes();
    let part = m.instance("front", &inner).part();
    part.input("enable", m.input("enable", 1, "")).input("units", m.input("units", 16, ""));
    m.stage_section(1, "what comes from the front");
    let held = m.reg("held_reg", 3);
    held.next(part.output("held"));
    m.output("held", held.q, "");
    m.output("state", part.output("state"), "");
    let schedule = m.built().schedule();
    let stages: Vec<_> = schedule.iter().map(|of| (of.part.as_deref(), of.stage, of.registers)).collect();
    let front = Some("front");
    assert_eq!(stages, [(front, 1, 2), (front, 2, 2), (front, 3, 1), (front, 4, 1), (None, 1, 1)]);
}

#[test]
fn other_names_change_nothing_else() {
    use utfhdl_hdl::netlist::{Design, ResetStyle};
    let design = Design { top: two_lanes(), reset: ResetStyle::SyncHigh };
    let other = design.renamed(&|name| format!("other_{name}"));
    assert_eq!(other.top.instances()[1].name, "other_lane_1");
    let names: Vec<_> = other.top.registers().iter().map(|of| other.top.node(of.node).name.clone()).collect();
    assert_eq!(
        names,
        ["other_sum_reg", "other_state_reg", "other_held_reg"].map(|name| Some(name.to_owned()))
    );
    assert_eq!(other.top.schedule(), design.top.schedule());
}
