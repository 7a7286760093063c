//! Vectors and loops: what is the same in all lanes is written once.

use std::sync::Arc;

use utfhdl_hdl::emit::register_names;
use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle, Signal};

use crate::body;

/// A register of a lane that loads `next` where `enable` is 1.
fn register<'m>(m: &'m Builder, name: &str, lane: usize, enable: Signal<'m>, next: Signal<'m>) -> Signal<'m> {
    let register = m.reg(name, next.width()).in_lane(lane);
    register.next_when(enable, next);
    register.q
}

#[test]
fn registers_of_lanes_are_a_vector_that_a_loop_loads() {
    let text = body(|m| {
        let (go, data, mask) = (m.input("go", 1, ""), m.input("data", 20, ""), m.input("mask", 5, ""));
        let of_lane = |lane: u32| {
            let next = data.bits(4 * lane..4 * lane + 4) & mask.bit(lane).repeat(4);
            register(m, &format!("slot_{lane}_reg"), lane as usize, go, next)
        };
        let all: Vec<Signal> = (0..5).map(of_lane).collect();
        m.output("y", m.concat(all.into_iter().rev()), "");
    });
    let expected = "    genvar i;\n\n    \
                    reg [19:0] slot_reg;\n\n    \
                    generate\n        \
                    for (i = 0; i <= 4; i = i + 1) begin : each_slot_reg\n            \
                    always @(posedge clk) begin\n                \
                    if (go) begin\n                    \
                    slot_reg[4*i +: 4] <= data[4*i +: 4] & {4{mask[i]}};\n                \
                    end\n            \
                    end\n        \
                    end\n    \
                    endgenerate\n\n    \
                    assign y = slot_reg;\n";
    assert_eq!(text, expected);
}

/// Of bits no loop is needed. The last lane has no next one, and the vector begins with the number of its first element.
#[test]
fn bits_of_lanes_are_assigned_side_by_side() {
    let text = body(|m| {
        let (a, b) = (m.input("a", 8, ""), m.input("b", 1, ""));
        let of_lane = |lane: u32| {
            let next = if lane < 7 { !a.bit(lane + 1) } else { m.lit(1, 0) };
            ((a.bit(lane) & next) ^ b).named(&format!("ends_of_lane_{lane}"))
        };
        let all: Vec<Signal> = (2..8).map(of_lane).collect();
        m.output("y", m.concat(all.iter().rev().copied()), "");
        m.output("z", all[1] & all[2], "");
    });
    let expected = "    wire [7:2] ends;\n\n    \
                    assign ends[6:2] = (a[6:2] & ~a[7:3]) ^ {5{b}};\n    \
                    assign ends[7] = (a[7] && 1'b0) ^ b;\n\n    \
                    assign y = ends;\n    \
                    assign z = ends[3] && ends[4];\n";
    assert_eq!(text.replace("(a[7] && 1'b0)", "(a[7] && 1'b0)"), expected);
}

/// Lanes in groups that share an enable are in one loop.
#[test]
fn an_enable_of_each_group_is_selected_by_the_number_of_the_group() {
    let text = body(|m| {
        let (go, data) = (m.input("go", 2, ""), m.input("data", 32, ""));
        let of_lane = |lane: u32| {
            register(m, &format!("x_{lane}_reg"), lane as usize, go.bit(lane / 16), data.bit(lane))
        };
        let all: Vec<Signal> = (0..32).map(of_lane).collect();
        m.output("y", m.concat(all.into_iter().rev()), "");
    });
    assert!(text.contains("for (i = 0; i <= 31; i = i + 1) begin : each_x_reg\n"), "{text}");
    assert!(text.contains("if (go[i/16]) begin\n                    x_reg[i] <= data[i];\n"), "{text}");
}

/// A lane that passes its bit on to the next one.
fn link() -> Arc<Module> {
    let m = Builder::new("link", "A lane.");
    let (unit, below) = (m.input("unit", 2, ""), m.input("below", 1, ""));
    let held = m.reg("held_reg", 2);
    held.next(unit);
    let open = m.reg("open_reg", 1);
    open.next(held.q.any() ^ below);
    m.output("open", open.q, "");
    m.output("held", held.q, "");
    m.built()
}

/// Six lanes, of which the first and the last are not as the others are.
fn lanes(m: &Builder) {
    let link = link();
    let units = m.input("units", 12, "");
    let all: Vec<_> = (0..6).map(|lane| m.instance(&format!("lane_{lane}"), &link).lane(lane)).collect();
    for (lane, instance) in all.iter().enumerate() {
        let below = match lane {
            0 => m.lit(1, 0),
            _ => all[lane - 1].output("open"),
        };
        instance.input("unit", units.bits(2 * lane as u32..2 * lane as u32 + 2)).input("below", below);
    }
    m.output("y", m.concat(all.iter().rev().map(|lane| lane.output("held"))), "");
}

#[test]
fn instances_of_lanes_are_made_in_a_loop() {
    let text = body(lanes);
    let expected = "    generate\n        \
                    for (i = 1; i <= 4; i = i + 1) begin : lanes\n            \
                    m_link lane (\n                \
                    .clk   (clk),\n                \
                    .unit  (units[2*i +: 2]),\n                \
                    .below (lane_open[i - 1]),\n                \
                    .open  (lane_open[i]),\n                \
                    .held  (lane_held[2*i +: 2])\n            \
                    );\n        \
                    end\n    \
                    endgenerate\n";
    assert!(text.contains("    wire [4:0]  lane_open;\n    wire [11:0] lane_held;\n"), "{text}");
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("m_link lane_0 (") && text.contains("m_link lane_5 ("), "{text}");
    assert!(text.contains(".open  (),\n        .held  (lane_held[11:10])"), "{text}");
}

#[test]
fn registers_in_loops_are_found_by_their_names_in_the_netlist() {
    let m = Builder::new("m", "A module.");
    lanes(&m);
    let names = register_names(&Design { top: m.built(), reset: ResetStyle::SyncHigh });
    assert_eq!(names["lane_3.held_reg[1]"], "lanes[3].lane.held_reg[1]");
    assert_eq!(names["lane_3.open_reg"], "lanes[3].lane.open_reg");
    assert_eq!(names.get("lane_0.open_reg"), None, "its name is the same");

    let m = Builder::new("m", "A module.");
    let (go, data) = (m.input("go", 1, ""), m.input("data", 10, ""));
    for lane in 0..5 {
        let x = register(&m, &format!("x_{lane}_reg"), lane as usize, go, data.bits(2 * lane..2 * lane + 2));
        m.output(&format!("y_{lane}"), x, "");
    }
    let names = register_names(&Design { top: m.built(), reset: ResetStyle::SyncHigh });
    assert_eq!(names["x_3_reg[1]"], "x_reg[7]");
}

/// Simulators evaluate a vector as a whole, so that bits that depend on each other would be a loop.
#[test]
fn bits_that_run_through_all_lanes_are_no_vector() {
    let text = body(|m| {
        let a = m.input("a", 8, "");
        let mut carry = m.input("carry", 1, "");
        for lane in 0..8 {
            carry = (carry & a.bit(lane)).named(&format!("carry_{lane}"));
            m.output(&format!("y_{lane}"), carry, "");
        }
    });
    assert!(text.contains("wire carry_3 = carry_2 && a[3];\n") && !text.contains("wire [7:0]"), "{text}");
}

/// The index of loops is a name as all others are.
#[test]
fn a_module_with_a_signal_of_the_name_of_the_index_has_no_loops() {
    let text = body(|m| {
        let (i, data) = (m.input("i", 1, ""), m.input("data", 20, ""));
        for lane in 0..5 {
            let next = data.bits(4 * lane..4 * lane + 4);
            let x = register(m, &format!("x_{lane}_reg"), lane as usize, i, next);
            m.output(&format!("y_{lane}"), x, "");
        }
    });
    assert!(text.contains("reg [3:0] x_3_reg;\n") && !text.contains("genvar"), "{text}");
}
