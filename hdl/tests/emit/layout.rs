//! The order of the text: declarations, blocks, instances, headings.

use std::sync::Arc;

use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle, Row};
use utfhdl_hdl::stream::skid_buffer;

use crate::{body, text};

fn block(name: &str, make: impl FnOnce(&Builder)) -> Arc<Module> {
    let m = Builder::new(name, "A block.");
    make(&m);
    m.built()
}

#[test]
fn what_is_used_once_stands_where_it_is_used_and_what_is_used_twice_has_a_name() {
    let text = body(|m| {
        let (a, b) = (m.input("a", 4, ""), m.input("b", 4, ""));
        let sum = a + b;
        m.output("once", a ^ b, "");
        m.output("odd", sum.parity(), "");
        m.output("any", sum.any(), "");
    });
    let expected = "    wire [3:0] value_0 = a + b;\n\n    \
                    assign once = a ^ b;\n    \
                    assign odd  = ^value_0;\n    \
                    assign any  = value_0 != 4'd0;\n";
    assert_eq!(text, expected);
}

#[test]
fn a_made_up_name_gives_way_to_the_sources() {
    let text = body(|m| {
        let (a, b) = (m.input("value_0", 4, ""), m.input("b", 4, ""));
        m.output("y", (a + b).bit(0), "");
    });
    assert_eq!(text, "    wire [3:0] value_1 = value_0 + b;\n\n    assign y = value_1[0];\n");
}

#[test]
fn parameters_are_declared_and_read_by_name() {
    let text = body(|m| {
        let a = m.input("a", 5, "");
        let (first, other) = (m.lit(5, 1).named("FIRST"), m.lit(5, 30).named("OTHER").note("even"));
        m.output("y", a.eq(first) | a.eq(other), "");
    });
    let expected = "    localparam [4:0] FIRST = 5'd1;\n    \
                    localparam [4:0] OTHER = 5'd30;  // even\n\n    \
                    assign y = a == FIRST || a == OTHER;\n";
    assert_eq!(text, expected);
}

#[test]
fn a_selection_of_many_cases_is_a_case() {
    let text = body(|m| {
        let (key, a) = (m.input("key", 3, ""), m.input("a", 8, ""));
        let chosen = key.case([(&[1, 2], a), (&[5], m.lit(8, 0x3f))], !a);
        m.output("y", chosen.named("chosen").note("by key"), "");
    });
    let expected = "    reg [7:0] chosen;  // by key\n    \
                    always @* begin\n        \
                    case (key)\n            \
                    3'd1, 3'd2: chosen = a;\n            \
                    3'd5: chosen = 8'h3F;\n            \
                    default: chosen = ~a;\n        \
                    endcase\n    \
                    end\n\n    \
                    assign y = chosen;\n";
    assert_eq!(text, expected);
}

/// A table has a line and a comment a row; its columns share one block.
/// The text of a look-up by a key of so many bits.
fn look_up(key_bits: u32, words: &[u64]) -> String {
    body(|m| m.output("y", m.input("key", key_bits, "").lookup(words, 8).named("found"), ""))
}

/// Yosys 0.23 makes a memory of a case with rows for a quarter of its keys, if no attribute says that it is logic: "not enough density" in the log
/// of `debug proc_rom`, below that.
#[test]
fn small_look_ups_are_logic_and_sparse_ones_have_rows_for_a_quarter_of_their_keys() {
    let rows =
        |text: &str| text.lines().filter(|line| line.contains("'h") && !line.contains("default")).count();
    let small = look_up(8, &[0, 1, 2]);
    assert!(
        small.contains("(* logic_block *)\n        case (key)\n            8'h01: found = 8'h01;\n"),
        "{small}"
    );
    assert_eq!(rows(&small), 2);
    for (others, expected) in [(63, 63), (64, 257), (256, 257), (300, 300), (1024, 1024)] {
        let text = look_up(10, &vec![5; others]);
        assert!(!text.contains("logic_block"), "{text}");
        assert_eq!(rows(&text), expected, "{others} words");
    }
}

#[test]
fn a_table_is_a_casez() {
    let text = body(|m| {
        let (unit, a) = (m.input("unit", 8, ""), m.input("a", 8, ""));
        let (none, some) = (m.lit(4, 0).named("NONE"), m.lit(4, 10).named("SOME"));
        let row =
            |patterns, note, first, count, kind| Row::new(patterns, note, [first, m.lit(2, count), kind]);
        let [first, count, kind] = unit.table(
            ["first", "count", "kind"],
            [
                row("0xxxxxxx", "00 to 7F: by itself", unit, 0, none),
                row("110xxxxx", "C0 to DF: one more", a, 1, some),
                row("111xxxx0, 11101111", "of the rest some", unit, 3, some),
            ],
            [m.lit(8, 0), m.lit(2, 0), none],
        );
        m.output("y", m.concat([first, count, kind]), "");
        let [only] = unit.table(["only"], [Row::new("1xxxxxxx", "", [a])], [unit]);
        m.output("z", only, "");
    });
    let expected = "    localparam [3:0] NONE = 4'd0;\n    \
                    localparam [3:0] SOME = 4'd10;\n\n    \
                    reg [7:0] first;\n    \
                    reg [1:0] count;\n    \
                    reg [3:0] kind;\n    \
                    always @* begin\n        \
                    casez (unit)\n            \
                    8'b0???????:        {first, count, kind} = {unit, 2'd0, NONE};  // 00 to 7F: by itself\n            \
                    8'b110?????:        {first, count, kind} = {a,    2'd1, SOME};  // C0 to DF: one more\n            \
                    8'b111????0, 8'hEF: {first, count, kind} = {unit, 2'd3, SOME};  // of the rest some\n            \
                    default:            {first, count, kind} = {8'd0, 2'd0, NONE};\n        \
                    endcase\n    \
                    end\n\n    \
                    reg [7:0] only;\n    \
                    always @* begin\n        \
                    casez (unit)\n            \
                    8'b1???????: only = a;\n            \
                    default: only = unit;\n        \
                    endcase\n    \
                    end\n\n    \
                    assign y = {first, count, kind};\n    \
                    assign z = only;\n";
    assert_eq!(text, expected);
}

/// Verilator warns of labels that meet, so a row has what rows before it leave.
#[test]
fn rows_that_meet_are_parted() {
    let text = body(|m| {
        let unit = m.input("unit", 8, "");
        let rows = [
            Row::new("1100000x", "", [m.lit(2, 1)]),
            Row::new("110xxxxx", "", [m.lit(2, 2)]),
            Row::new("1xxxxxxx", "", [m.lit(2, 3)]),
        ];
        let [kind] = unit.table(["kind"], rows, [m.lit(2, 0)]);
        m.output("y", kind, "");
    });
    let expected = "            8'b1100000?: kind = 2'd1;\n            \
                    8'b1101????, 8'b11001???, 8'b110001??, 8'b1100001?: kind = 2'd2;\n            \
                    8'b10??????, 8'b111?????: kind = 2'd3;\n            \
                    default: kind = 2'd0;\n";
    assert!(text.contains(expected), "{text}");
}

/// Rows of a wide key may overlap: even if they match as many keys as there are, counted with repetition, some keys
/// may match no row.
#[test]
fn rows_of_a_wide_key_that_meet_keep_the_default() {
    for (width, rows) in [(17, 2), (127, 4)] {
        let text = body(|m| {
            let key = m.input("key", width, "");
            let patterns = (0..rows).map(|row| {
                let bit = |index| if index == row { '0' } else { 'x' };
                (0..width).map(bit).collect::<String>()
            });
            let rows: Vec<Row<1>> =
                patterns.zip(1..).map(|(pattern, value)| Row::new(&pattern, "", [m.lit(4, value)])).collect();
            let [first] = key.table(["first_zero"], rows, [m.lit(4, 9)]);
            m.output("y", first, "");
        });
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!(": first_zero = 4'd{rows}; default: first_zero = 4'd9;")), "{text}");
    }
}

#[test]
fn a_wide_table_has_a_statement_a_column() {
    let text = body(|m| {
        let key = m.input("key", 2, "");
        let [a, b] =
            ["first", "second"].map(|name| m.input(&format!("{name}_value_of_rather_many_bits"), 8, ""));
        let names = ["a_column_of_a_long_name", "another_column"];
        let [one, other] = key.table(names, [Row::new("1x", "the upper half", [a, b])], [b, a]);
        m.output("y", one ^ other, "");
        let rows = [Row::new("1x", "a note for which there is no room behind the value of this row", [a])];
        let [noted] = key.table(["a_column_with_a_note"], rows, [b]);
        m.output("z", noted, "");
    });
    let expected = "            2'b1?: begin\n                \
                    a_column_of_a_long_name = first_value_of_rather_many_bits;\n                \
                    another_column = second_value_of_rather_many_bits;\n            \
                    end\n            \
                    default: begin\n                \
                    a_column_of_a_long_name = second_value_of_rather_many_bits;\n                \
                    another_column = first_value_of_rather_many_bits;\n            \
                    end\n";
    assert!(text.contains(&format!("            // the upper half\n{expected}")), "{text}");
    let expected = "            // a note for which there is no room behind the value of this row\n            \
                    2'b1?:   a_column_with_a_note = first_value_of_rather_many_bits;\n            \
                    default: a_column_with_a_note = second_value_of_rather_many_bits;\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
}

/// One column depends on the other, through a wire: as one block, the two would be a loop to some tools.
#[test]
fn cases_that_depend_on_each_other_have_blocks_of_their_own() {
    let text = body(|m| {
        let key = m.input("key", 2, "");
        let wire = m.wire("wire_of_first", 1);
        let [low, high] = [key.bit(0), key.bit(1)];
        let rows = [Row::new("1x", "", [low, wire])];
        let [first, second] = key.table(["first", "second"], rows, [high, low]);
        m.drive(wire, first);
        m.output("y", second, "");
    });
    assert_eq!(text.matches("always @*").count(), 2, "{text}");
}

/// `always @*` runs when a signal changes that it reads: never, if it reads none.
#[test]
fn a_case_between_constants_is_no_block() {
    let text = body(|m| {
        let key = (!m.lit(2, 1)).named("key");
        let chosen = key.case([(&[0, 1], m.lit(4, 3)), (&[2], m.lit(4, 5))], m.lit(4, 9)).named("chosen");
        m.output("y", chosen, "");
        m.output("z", chosen, "");
    });
    let expected = "    wire [1:0] key = ~2'd1;\n    \
                    wire [3:0] chosen = (key == 2'd0 || key == 2'd1) ? 4'd3 : key == 2'd2 ? 4'd5 : 4'd9;\n\n    \
                    assign y = chosen;\n    \
                    assign z = chosen;\n";
    assert_eq!(text, expected);
}

#[test]
fn registers_of_one_enable_share_a_block_and_only_those_with_a_value_are_reset() {
    let make = |m: &Builder| {
        let (a, go) = (m.input("a", 2, ""), m.input("go", 1, ""));
        let [kept, also, free, plain] = ["kept", "also", "free", "plain"].map(|name| m.reg(name, 2));
        kept.reset(2).next_when(go, a);
        free.next_when(go, a);
        also.reset(0).next_when(go, kept.q);
        plain.reset(1).next(a);
        m.output("y", m.concat([kept.q, also.q, free.q, plain.q]), "");
    };
    let expected = "    reg [1:0] kept;\n    \
                    reg [1:0] also;\n    \
                    reg [1:0] free;\n    \
                    reg [1:0] plain;\n\n    \
                    always @(posedge clk) begin\n        \
                    if (rst) begin\n            \
                    kept <= 2'd2;\n            \
                    also <= 2'd0;\n        \
                    end else if (go) begin\n            \
                    kept <= a;\n            \
                    also <= kept;\n        \
                    end\n    \
                    end\n\n    \
                    always @(posedge clk) begin\n        \
                    if (go) begin\n            \
                    free <= a;\n        \
                    end\n    \
                    end\n\n    \
                    always @(posedge clk) begin\n        \
                    if (rst) begin\n            \
                    plain <= 2'd1;\n        \
                    end else begin\n            \
                    plain <= a;\n        \
                    end\n    \
                    end\n\n    \
                    assign y = {kept, also, free, plain};\n";
    assert_eq!(body(make), expected);
}

#[test]
fn every_style_of_reset_has_its_port_its_edge_and_its_level() {
    let counter = block("counter", |m| {
        let count = m.reg("count", 2).reset(0);
        count.next(count.q + m.lit(2, 1));
        m.output("y", count.q, "");
    });
    for (style, port, edges, condition) in [
        (ResetStyle::SyncHigh, "rst", "posedge clk", "rst"),
        (ResetStyle::SyncLow, "rst_n", "posedge clk", "!rst_n"),
        (ResetStyle::AsyncHigh, "rst", "posedge clk or posedge rst", "rst"),
        (ResetStyle::AsyncLow, "rst_n", "posedge clk or negedge rst_n", "!rst_n"),
    ] {
        let text = text(&counter, style);
        let block = format!(
            "    always @({edges}) begin\n        if ({condition}) begin\n            count <= 2'd0;\n"
        );
        assert!(text.contains(&block), "{style}: {text}");
        assert!(text.contains(&format!("    input  wire        {port}")), "{style}: {text}");
    }
}

#[test]
fn a_module_without_registers_has_no_clock() {
    let text = text(&block("gate", |m| m.output("y", !m.input("a", 1, ""), "")), ResetStyle::SyncHigh);
    assert!(!text.contains("clk") && !text.contains("rst"), "{text}");
}

#[test]
fn a_wire_against_the_order_of_the_text_is_declared_where_it_is_read_and_driven_below_its_driver() {
    let skid = skid_buffer(2);
    let text = body(|m| {
        let (valid, payload) = (m.input("valid", 1, ""), m.input("payload", 2, ""));
        let go = m.wire("go", 1).note("room ahead");
        let first = m.instance("first", &skid);
        first.input("s_valid", valid).input("s_payload", payload).input("m_ready", go);
        let second = m.instance("second", &skid);
        second.input("s_valid", first.output("m_valid")).input("s_payload", first.output("m_payload"));
        second.input("m_ready", m.input("ready", 1, ""));
        m.drive(go, second.output("s_ready"));
        m.output("y", m.concat([first.output("s_ready"), second.output("m_payload")]), "");
        m.output("v", second.output("m_valid"), "");
    });
    let (head, rest) = text.split_once("\n\n").expect("paragraphs");
    assert_eq!(head, "    // Read here, and driven further down.\n    wire go;");
    let first = rest.find("m_skid_buffer_w2 first (").expect("the first instance");
    let second = rest.find("m_skid_buffer_w2 second (").expect("the second instance");
    let driven = rest.find("    assign go = second_s_ready;  // room ahead\n").expect("the wire is driven");
    assert!(first < second && second < driven, "{text}");
}

/// An instance stands where its outputs are first read, even if something that is made later goes into it.
#[test]
fn what_is_made_after_the_instance_that_reads_it_is_declared_once() {
    let pass = block("pass", |m| {
        let [a, b, c] = ["a", "b", "c"].map(|name| m.input(name, 2, ""));
        let held = m.reg("held", 2);
        held.next(a ^ b ^ c);
        m.output("y", held.q, "");
    });
    let text = body(|m| {
        let u = m.instance("u", &pass);
        let fed = u.output("y").named("fed");
        let held = m.reg("held", 2).note("one later");
        held.next(fed);
        let chosen = fed.case([(&[1], held.q)], !held.q).named("chosen");
        u.input("a", held.q).input("b", chosen).input("c", m.lit(2, 3).named("THREE"));
        m.output("z", fed, "");
    });
    let expected = "    // Read here, and driven further down.\n    \
                    reg [1:0] chosen;\n\n    \
                    localparam [1:0] THREE = 2'd3;\n\n    \
                    reg [1:0] held;  // one later\n\n    \
                    wire [1:0] fed;\n    \
                    m_pass u (\n        \
                    .clk (clk),\n        \
                    .a   (held),\n        \
                    .b   (chosen),\n        \
                    .c   (THREE),\n        \
                    .y   (fed)\n    \
                    );\n\n    \
                    always @* begin\n        \
                    case (fed)\n            \
                    2'd1: chosen = held;\n            \
                    default: chosen = ~held;\n        \
                    endcase\n    \
                    end\n\n    \
                    always @(posedge clk) begin\n        \
                    held <= fed;\n    \
                    end\n\n    \
                    assign z = fed;\n";
    assert_eq!(text, expected);
}

#[test]
fn an_output_that_nobody_reads_is_left_open() {
    let both = block("both", |m| {
        let a = m.input("a", 1, "");
        m.output("same", a, "");
        m.output("other", !a, "");
    });
    let text = body(|m| {
        let u = m.instance("u", &both).input("a", m.input("x", 1, ""));
        m.output("y", u.output("other"), "");
    });
    assert!(text.contains(".same  (),\n        .other (u_other)\n"), "{text}");
    assert!(!text.contains("u_same"), "{text}");
}

/// A packed word that is taken apart once never shows up as a whole.
#[test]
fn fields_stand_in_the_place_of_a_packed_output() {
    let skid = skid_buffer(8);
    let text = |read_whole: bool| {
        body(|m| {
            let (valid, ready) = (m.input("valid", 1, ""), m.input("ready", 1, ""));
            let (last, data) = (m.input("last", 1, ""), m.input("data", 7, ""));
            let buffer = m.instance("buffer", &skid).input("s_valid", valid).input("m_ready", ready);
            buffer.input("s_payload", m.concat([last, data]));
            let payload = buffer.output("m_payload");
            let (last, data) = (payload.bit(7).named("buffer_last"), payload.bits(0..7).named("buffer_data"));
            m.output("y", m.concat([buffer.output("s_ready"), buffer.output("m_valid"), last, data]), "");
            if read_whole {
                m.output("z", payload, "");
            }
        })
    };
    let packed = text(false);
    let wires = "    wire       buffer_s_ready;\n    wire       buffer_m_valid;\n    \
                 wire       buffer_last;\n    wire [6:0] buffer_data;\n";
    for part in [wires, "        .m_payload ({buffer_last, buffer_data})\n"] {
        assert!(packed.contains(part), "{packed}");
    }
    assert!(!packed.contains("buffer_m_payload"), "{packed}");
    let whole = text(true);
    assert!(
        whole.contains(".m_payload (buffer_m_payload)") && whole.contains("= buffer_m_payload[7];"),
        "{whole}"
    );
}

#[test]
fn sections_have_headings_and_empty_ones_none() {
    let text = body(|m| {
        let a = m.input("a", 1, "");
        m.section("First: a heading of so many words that it takes more than the one line of a hundred columns that it would have");
        let b = (!a).named("b");
        m.section("Empty");
        m.section("Last");
        m.output("y", (b & a).named("c"), "");
    });
    let rule = format!("    // {}", "-".repeat(93));
    let expected = format!(
        "{rule}\n    // First: a heading of so many words that it takes more than the one line of a hundred columns\n    \
         // that it would have\n{rule}\n    wire b = !a;\n\n{rule}\n    // Last\n{rule}\n    wire c = b && a;\n\n    \
         assign y = c;\n"
    );
    assert_eq!(text, expected);
}

#[test]
fn ready_follows_what_it_answers() {
    let m = Builder::new("m", "Ports in two groups.");
    m.port_group("In");
    let (data, valid) = (m.input("s_data", 8, "a byte"), m.input("s_valid", 1, "it is offered"));
    m.port_group("Out");
    let ready = m.input("m_ready", 1, "it is taken");
    m.output("m_data", data, "a byte");
    m.output("m_valid", valid, "it is offered");
    m.port_group("In");
    m.output("s_ready", ready, "it is taken");
    let expected = "module m (\n    \
                    // In\n    \
                    input  wire [7:0]  s_data,  // a byte\n    \
                    input  wire        s_valid, // it is offered\n    \
                    output wire        s_ready, // it is taken\n\n    \
                    // Out\n    \
                    output wire [7:0]  m_data,  // a byte\n    \
                    output wire        m_valid, // it is offered\n    \
                    input  wire        m_ready  // it is taken\n\
                    );\n";
    let text = text(&m.built(), ResetStyle::SyncHigh);
    assert!(text.contains(expected), "{text}");
}

/// One file, the top first, that leaves nothing set for what a tool reads next.
#[test]
fn nets_are_never_implicit_and_the_default_is_restored() {
    let text = text(&skid_buffer(3), ResetStyle::SyncHigh);
    let none = text.find("`default_nettype none\n").expect("implicit nets are off");
    assert!(none < text.find("\nmodule ").expect("a module"));
    assert!(text.ends_with(&format!("endmodule\n{END}")));
    assert_eq!(text.matches("verilator lint_off").count(), 1);
}

/// The last lines of a file without a timescale.
const END: &str = "\n/* verilator lint_on TIMESCALEMOD */\n\n`default_nettype wire\n";

/// A file that has a timescale needs no waiver for the lack of one.
#[test]
fn a_timescale_is_in_front_of_all_modules() {
    let design = Design { top: skid_buffer(3), reset: ResetStyle::SyncHigh };
    let header = Header { timescale: Some("1ns / 1ps".to_owned()), ..Header::default() };
    let text = verilog(&design, &header);
    assert!(text.contains("\n`timescale 1ns / 1ps\n`default_nettype none\n\nmodule "), "{text}");
    assert!(text.ends_with("endmodule\n\n`default_nettype wire\n") && !text.contains("verilator"), "{text}");
}

/// Tools point at the lines of the file there is; a waiver is for sub-modules, where there are any.
#[test]
fn sub_modules_follow_the_top_under_a_waiver() {
    let skid = skid_buffer(2);
    let m = Builder::new("top", "With a part.");
    let (valid, ready) = (m.input("valid", 1, ""), m.input("ready", 1, ""));
    let part = m.instance("part", &skid).input("s_valid", valid).input("m_ready", ready);
    let part = part.input("s_payload", m.lit(2, 1));
    m.output("y", m.concat(["s_ready", "m_valid", "m_payload"].map(|port| part.output(port))), "");
    let text = text(&m.built(), ResetStyle::SyncHigh);
    let waiver = "endmodule\n\n\
                  // The modules below are parts of the one above and share its file.\n\
                  /* verilator lint_off DECLFILENAME */\n\n// Two registers";
    assert!(text.contains(waiver), "{text}");
    assert!(text.ends_with(&format!("endmodule\n\n/* verilator lint_on DECLFILENAME */\n{END}")));
    assert!(!text.contains("`line"));
}

#[test]
fn no_line_ends_in_blanks_and_no_two_are_empty() {
    for width in [1, 40] {
        let text = text(&skid_buffer(width), ResetStyle::AsyncLow);
        assert!(!text.contains("\n\n\n") && !text.contains(" \n") && !text.contains('\t'), "{text}");
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }
}
