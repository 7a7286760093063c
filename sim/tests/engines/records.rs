//! How ports are packed into records.

use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};
use utfhdl_sim::{Layout, PortSlot};

/// A register between ports of these widths, named `i0`, `o0`, and so on.
fn layout(widths: &[u32], reset: ResetStyle) -> Layout {
    let m = Builder::new("ports", "Ports of all widths.");
    for (index, &width) in widths.iter().enumerate() {
        let held = m.reg(&format!("held{index}"), width).reset(0);
        held.next(m.input(&format!("i{index}"), width, ""));
        m.output(&format!("o{index}"), held.q, "");
    }
    Layout::new(&Design { top: m.built(), reset })
}

fn places(slots: &[PortSlot]) -> Vec<(&str, usize, u32)> {
    slots.iter().map(|slot| (slot.name.as_str(), slot.word, slot.shift)).collect()
}

#[test]
fn reset_comes_first_and_the_clock_is_implied() {
    let layout = layout(&[8, 60, 65, 63], ResetStyle::AsyncLow);
    let inputs = [("rst_n", 0, 0), ("i0", 0, 1), ("i1", 1, 0), ("i2", 2, 0), ("i3", 4, 0)];
    assert_eq!(places(&layout.inputs), inputs);
    assert_eq!(places(&layout.outputs), [("o0", 0, 0), ("o1", 1, 0), ("o2", 2, 0), ("o3", 4, 0)]);
    assert_eq!((layout.input_words, layout.output_words), (5, 5));
    assert_eq!(layout.input("clk"), None);
    assert_eq!(layout.output("o2").map(PortSlot::words), Some(2));
}

#[test]
fn a_full_word_is_followed_by_the_next() {
    let layout = layout(&[63, 64, 1], ResetStyle::SyncHigh);
    assert_eq!(places(&layout.inputs), [("rst", 0, 0), ("i0", 0, 1), ("i1", 1, 0), ("i2", 2, 0)]);
    assert_eq!(layout.input_words, 3);
    assert_eq!(places(&layout.outputs), [("o0", 0, 0), ("o1", 1, 0), ("o2", 2, 0)]);
}

#[test]
fn a_wide_port_is_written_and_read_whole_beside_its_neighbours() {
    let layout = layout(&[5, 130, 7], ResetStyle::SyncHigh);
    let mut record = vec![u64::MAX; layout.input_words];
    let wide = layout.input("i1").expect("the port");
    wide.write(&mut record, &[1, 2, 3]);
    assert_eq!(record, [u64::MAX, 1, 2, 3, u64::MAX]);
    layout.input("i2").expect("the port").set(&mut record, 0);
    assert_eq!(record[4], u64::MAX << 7, "only its own bits");
    let mut value = [0; 3];
    wide.read(&record, &mut value);
    assert_eq!(value, [1, 2, 3]);
}

#[test]
#[should_panic(expected = "port `i0` has 65 bits")]
fn a_wide_port_has_no_value_of_one_word() {
    let layout = layout(&[65], ResetStyle::SyncHigh);
    layout.inputs[1].get(&vec![0; layout.input_words]);
}

#[test]
fn records_are_counted() {
    let layout = layout(&[65], ResetStyle::SyncHigh);
    assert_eq!((layout.input_words, layout.output_words), (3, 2));
    assert_eq!(layout.cycles(&[0; 12], &[0; 8]), 4);
}

#[test]
#[should_panic(expected = "words of 4 output records")]
fn outputs_for_another_number_of_cycles_are_refused() {
    layout(&[65], ResetStyle::SyncHigh).cycles(&[0; 12], &[0; 6]);
}

#[test]
#[should_panic(expected = "words of 3 input records")]
fn half_an_input_record_is_refused() {
    layout(&[65], ResetStyle::SyncHigh).cycles(&[0; 11], &[0; 6]);
}
