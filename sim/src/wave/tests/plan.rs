//! The lines of the plan, and their order.

use super::*;
use crate::flat::NamedSignal;
use utfhdl_hdl::netlist::Section;

fn plan(engines: &[&str], scope: Option<&Scope>) -> WavePlan {
    let layout = Layout::new(&design());
    WavePlan::new(&WaveSource { layout: &layout, engines, scope, texts: &TEXTS, globs: &[] })
}

/// A group's lines, headings in brackets.
fn lines(plan: &WavePlan, title: &str) -> Vec<String> {
    let group = plan.groups.iter().find(|group| group.title == title).expect("a group");
    let line = |item: &WaveItem| match item {
        WaveItem::Signal(path) => path.clone(),
        WaveItem::Heading(heading) => format!("[{heading}]"),
    };
    group.items.iter().map(line).collect()
}

fn titles(plan: &WavePlan) -> Vec<&str> {
    plan.groups.iter().map(|group| group.title.as_str()).collect()
}

#[test]
fn text_stands_on_top_then_handshakes_then_the_inside() {
    let native = Native::new(&design()).expect("room for it");
    let plan = plan(&ENGINES, native.probe().map(|probe| probe.scope()));
    let expected =
        ["text", "clock_and_reset", "s_axis", "m_axis", "ports", "engines", "widener", "widener.hold"];
    assert_eq!(titles(&plan), expected);
    assert_eq!(lines(&plan, "text"), ["tb.decoded", "tb.note"]);
    assert_eq!(lines(&plan, "clock_and_reset"), ["tb.clk", "tb.cycle", "tb.engines_differ", "tb.rst"]);
}

#[test]
fn a_handshake_is_read_from_valid_to_data() {
    let plan = plan(&ENGINES, None);
    let expected = ["tb.native.m_axis_tvalid", "tb.m_axis_tready", "tb.native.m_axis_tdata"];
    assert_eq!(lines(&plan, "m_axis"), expected);
    assert_eq!(lines(&plan, "ports"), ["tb.mode", "tb.native.beats", "tb.native.last_kind"]);
}

#[test]
fn engines_are_shown_port_by_port_where_there_are_several() {
    let side_by_side = lines(&plan(&ENGINES, None), "engines");
    assert_eq!(side_by_side[..2], ["tb.native.s_axis_tready", "tb.rust_hdl.s_axis_tready"]);
    assert_eq!(side_by_side.len(), 10);
    assert!(!titles(&plan(&ENGINES[..1], None)).contains(&"engines"));
}

#[test]
fn an_instance_is_shown_by_section_with_names_for_values_and_without_ports_shown_above() {
    let native = Native::new(&design()).expect("room for it");
    let plan = plan(&ENGINES, native.probe().map(|probe| probe.scope()));
    let expected = [
        "[Stage 1: classify]",
        "tb.widener.kind_label",
        "tb.widener.wide",
        "[Stage 2: hold]",
        "tb.widener.taken",
        "tb.widener.count",
        "tb.widener.hold_s_ready",
        "tb.widener.hold_m_valid",
        "tb.widener.hold_m_data",
    ];
    assert_eq!(lines(&plan, "widener"), expected);
    assert_eq!(lines(&plan, "ports")[2], "tb.native.last_kind_label");
    assert!(lines(&plan, "widener.hold").contains(&"tb.widener.hold.data".to_owned()));
}

#[test]
fn without_an_engine_the_ports_are_shown_in_the_design() {
    let native = Native::new(&design()).expect("room for it");
    let plan = plan(&[], native.probe().map(|probe| probe.scope()));
    assert!(lines(&plan, "widener").contains(&"tb.widener.m_axis_tdata".to_owned()));
}

#[test]
fn instances_below_the_top_are_folded() {
    let signal = NamedSignal {
        name: "x".into(),
        signal: 0,
        width: 1,
        note: None,
        labels: None,
        register: false,
        section: 0,
    };
    let scope = |name: &str, children| Scope {
        name: name.into(),
        sections: vec![Section::default()],
        signals: vec![signal.clone()],
        children,
    };
    let top = scope("top", vec![scope("lane", vec![scope("slice", vec![])])]);
    let plan = plan(&[], Some(&top));
    let folded: Vec<_> =
        plan.groups.iter().rev().take(3).map(|group| (&*group.title, group.folded)).collect();
    assert_eq!(folded, [("top.lane.slice", true), ("top.lane", true), ("top", false)]);
}

#[test]
fn texts_of_lanes_come_with_their_handshake_and_the_inside_is_folded() {
    let native = Native::new(&design()).expect("room for it");
    let layout = Layout::new(&design());
    let plan = |lanes: usize| {
        let names: Vec<String> = (0..lanes).map(|lane| format!("m_axis_lane_{lane}")).collect();
        let texts: Vec<&str> = ["decoded"].into_iter().chain(names.iter().map(String::as_str)).collect();
        let scope = native.probe().map(|probe| probe.scope());
        WavePlan::new(&WaveSource { layout: &layout, engines: &["native"], scope, texts: &texts, globs: &[] })
    };
    let few = plan(2);
    assert_eq!(lines(&few, "text"), ["tb.decoded"]);
    let expected = ["tb.native.m_axis_tvalid", "tb.m_axis_tready", "tb.m_axis_lane_0", "tb.m_axis_lane_1"];
    assert_eq!(lines(&few, "m_axis"), expected);
    assert_eq!(lines(&few, "packed_ports"), ["tb.native.m_axis_tdata"]);
    let folded = |plan: &WavePlan| -> Vec<String> {
        plan.groups.iter().filter(|group| group.folded).map(|group| group.title.clone()).collect()
    };
    let inside = ["packed_ports", "Stage 1: classify", "Stage 2: hold", "widener.hold"];
    assert_eq!(folded(&few), inside);
    assert!(few.is_dense);
    // More lanes than a window has room for.
    let many = plan(9);
    assert_eq!(folded(&many)[0], "m_axis_lanes");
    assert_eq!(lines(&many, "m_axis_lanes").len(), 9);
}

#[test]
fn a_long_title_is_shortened_between_words() {
    let native = Native::new(&design()).expect("room for it");
    let mut scope = native.probe().expect("a probe").scope().clone();
    let title = "A stage with a title, longer than the column of names".to_owned();
    scope.sections[1] = Section { stages: None, title };
    let shown = lines(&plan(&ENGINES, Some(&scope)), "widener");
    assert_eq!(shown[0], "[A stage with a title, longer than...]");
}

#[test]
fn a_label_gives_way_to_a_signal_of_its_name() {
    let native = Native::new(&design()).expect("room for it");
    let mut scope = native.probe().expect("a probe").scope().clone();
    let mut other = scope.signals[0].clone();
    other.name = "kind_label".into();
    scope.signals.push(other);
    let shown = lines(&plan(&ENGINES, Some(&scope)), "widener");
    assert_eq!(shown[..3], ["tb.widener.kind_label", "[Stage 1: classify]", "tb.widener.kind_label_"]);
}
