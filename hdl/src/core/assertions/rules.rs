//! The rules, each with its name.

use std::ops::RangeInclusive;

use super::{Interface, assumption, each_lane, promise, section};
use crate::core::ranges::code_points;
use crate::core::{ErrorMode, Role, System, Verdict, is_long};
use crate::emit::comment;

/// The most cycles that a core without input needs to write all held data, if the output is always taken.
const CYCLES_TO_END: u32 = 256;

/// The handshake of both sides, and what holds of every beat that goes out.
pub(super) fn handshake(interface: &Interface) -> String {
    let (input, output) = (interface.beat("s_axis"), interface.beat("m_axis"));
    let several = interface.lanes > 1;
    let contiguous = |side: &str, held: &str| format!("{side}_tvalid |-> ({held} & ({held} + 1'b1)) == '0");
    let mut text = section("Handshake");
    text += &assumption(
        "The source offers a beat, unchanged, until the core takes the beat.",
        "s_axis_waits",
        &format!("s_axis_tvalid && !s_axis_tready\n        |=> s_axis_tvalid && $stable({input})"),
    );
    if interface.lanes_in > 1 {
        text += &assumption(
            "The lanes that hold something are the first ones.",
            "s_axis_tkeep_is_contiguous",
            &contiguous("s_axis", "input_held"),
        );
    }
    text += &promise(
        "A beat that is offered stays offered until it is taken.",
        "m_axis_tvalid_stays",
        "m_axis_tvalid && !m_axis_tready |=> m_axis_tvalid",
    );
    text += &promise(
        "A beat that waits does not change.",
        "m_axis_beat_is_stable",
        &format!("m_axis_tvalid && !m_axis_tready\n        |=> $stable({output})"),
    );
    text += &promise(
        "A beat that holds nothing goes out only to end a frame.",
        "no_empty_beat",
        "m_axis_tvalid && output_held == '0 |-> m_axis_tlast",
    );
    if several {
        text += &promise(
            "The lanes that hold something are the first ones.",
            "m_axis_tkeep_is_contiguous",
            &contiguous("m_axis", "output_held"),
        );
    }
    if several && interface.is_dense() {
        text += &promise(
            "A beat that does not end its frame is full.",
            "m_axis_is_dense",
            "m_axis_tvalid && !m_axis_tlast |-> &output_held",
        );
    }
    text += "
    // In reset nothing is offered and nothing is taken.
    quiet_in_reset: assert property (@(posedge clk)
        in_reset |=> !s_axis_tready && !m_axis_tvalid);
";
    text
}

/// The rules for every lane of the output, whatever the lane holds.
fn lane(interface: &Interface) -> String {
    let keep_bits = interface.width("m_axis_tkeep") / interface.lanes;
    let mut text = promise(
        "The data of a lane that holds nothing is zero.",
        "unused_tdata_is_zero",
        "m_axis_tvalid && !output_held[lane] |-> tdata == '0",
    );
    if keep_bits > 1 {
        let keep = format!("m_axis_tkeep[{keep_bits}*lane +: {keep_bits}]");
        text += &promise(
            "The bytes of a lane belong together.",
            "tkeep_of_a_lane_is_alike",
            &format!("m_axis_tvalid |-> {keep} == {{{keep_bits}{{output_held[lane]}}}}"),
        );
    }
    text
}

/// The declaration of the data of an output lane.
fn tdata(interface: &Interface) -> String {
    let bits = interface.width("m_axis_tdata") / interface.lanes;
    format!("        wire [{}:0] tdata = m_axis_tdata[{bits}*lane +: {bits}];\n", bits - 1)
}

/// The rules for the slots of a decoder.
pub(super) fn slots(interface: &Interface) -> String {
    let core = interface.core;
    let spec = core.spec;
    let is_long = is_long(spec.system);
    let drops = spec.on_error == ErrorMode::Drop;
    let mut lanes = lane(interface);
    lanes += &promise(
        "The code of a lane that holds nothing is zero.",
        "unused_tuser_is_zero",
        "m_axis_tvalid && !output_held[lane] |-> tuser == 4'd0",
    );
    let ranges = core.slot_kinds().into_iter().map(|kind| kind.codes);
    let legal: Vec<String> = runs(ranges).into_iter().map(|codes| is_in("tuser", 4, codes)).collect();
    let legal = if legal.len() == 1 { legal[0].clone() } else { format!("({})", legal.join(" || ")) };
    lanes += &promise(
        "The code of a slot is one that this decoder has.",
        "tuser_is_legal",
        &format!("m_axis_tvalid && output_held[lane] |-> {legal}"),
    );
    lanes += &code_point_rules(spec.system, spec.bus.data_bits());
    let (stride, user_bits) = (spec.lane_user_stride(), spec.slot_user_bits());
    if stride > user_bits {
        lanes += &promise(
            "The bits above a code are zero.",
            "tuser_padding_is_zero",
            &format!(
                "m_axis_tvalid |-> m_axis_tuser[{stride}*lane+{user_bits} +: {}] == '0",
                stride - user_bits
            ),
        );
    }
    if is_long || !drops {
        lanes += &promise(
            "An error shows U+FFFD.",
            "error_is_replacement",
            &format!(
                "m_axis_tvalid && output_held[lane] && is_error |-> tdata == {}'hFFFD",
                spec.bus.data_bits()
            ),
        );
    }
    if is_long {
        lanes += &promise(
            "A head announces two limbs at least.",
            "head_announces_limbs",
            "m_axis_tvalid && output_held[lane] && tuser == 4'd14 |-> tdata >= 32'd2",
        );
    }
    let is_error =
        if is_long || !drops { "        wire is_error = tuser >= 4'd1 && tuser <= 4'd10;\n" } else { "" };
    let signals = format!(
        "{}        wire [3:0] tuser = m_axis_tuser[{stride}*lane +: 4];\n{is_error}",
        tdata(interface)
    );
    let mut text = section("Slots") + &each_lane(&signals, &lanes);
    // Beats of other streams come between a head and its limbs.
    if is_long && spec.streams == 0 {
        text += &groups(drops);
    }
    text + OUTNUMBERED
}

/// The rules for the code points that slots hold.
fn code_point_rules(system: System, bits: u32) -> String {
    let (last, gaps) = code_points(system);
    let rule = |says: &str, name: &str, holds: &str| {
        promise(says, name, &format!("m_axis_tvalid && output_held[lane] && tuser == 4'd0 |-> {holds}"))
    };
    let mut text = String::new();
    if last < u32::MAX {
        let says = format!("No code point is past U+{last:X}, the last one of {system}.");
        text += &rule(&says, "code_point_is_not_past_the_last", &format!("tdata <= {bits}'h{last:X}"));
    }
    for gap in gaps {
        let (start, end) = (*gap.start(), *gap.end());
        let name = match start {
            0xd800 => "code_point_is_no_surrogate".to_owned(),
            0 => "code_point_is_not_zero".to_owned(),
            _ => format!("code_point_is_not_{start:x}_to_{end:x}"),
        };
        let says = match (start, end) {
            (0, 0) => format!("{system} has no U+0000."),
            _ => format!("{system} has none of U+{start:X} to U+{end:X}."),
        };
        let outside = match start {
            0 => format!("tdata > {bits}'h{end:X}"),
            _ => format!("(tdata < {bits}'h{start:X} || tdata > {bits}'h{end:X})"),
        };
        text += &rule(&says, &name, &outside);
    }
    text
}

/// The ranges, adjacent ones joined.
fn runs(ranges: impl Iterator<Item = RangeInclusive<u8>>) -> Vec<RangeInclusive<u8>> {
    let mut runs: Vec<RangeInclusive<u8>> = Vec::new();
    for range in ranges {
        match runs.last_mut() {
            Some(last) if last.end() + 1 == *range.start() => *last = *last.start()..=*range.end(),
            _ => runs.push(range),
        }
    }
    runs
}

/// The expression that a signal of `bits` bits is in a range, without a comparison that always holds.
fn is_in(signal: &str, bits: u32, range: RangeInclusive<u8>) -> String {
    let (first, last) = (*range.start(), *range.end());
    let has_end = u32::from(last) + 1 < 1 << bits;
    match (first, last) {
        _ if first == last => format!("{signal} == {bits}'d{first}"),
        (0, _) => format!("{signal} <= {bits}'d{last}"),
        _ if !has_end => format!("{signal} >= {bits}'d{first}"),
        _ => format!("({signal} >= {bits}'d{first} && {signal} <= {bits}'d{last})"),
    }
}

/// No more slots than units.
const OUTNUMBERED: &str = "
    // A unit makes one slot at most.
    longint signed units_ahead;
    always_ff @(posedge clk) begin
        automatic longint signed ahead = units_ahead;
        if (output_taken) ahead = ahead - 64'($countones(output_held));
        if (!off) slots_never_outnumber_units: assert (ahead >= 0);
        if (input_taken) ahead = ahead + 64'($countones(input_held));
        units_ahead <= off ? 64'sd0 : ahead;
    end
";

/// A head and its limbs, or the error that takes the place of a limb.
fn groups(drops: bool) -> String {
    let only_in_groups = match drops {
        true => "                    error_only_in_a_group: assert (!is_error || left != 32'd0);\n",
        false => "",
    };
    format!(
        "
{comment}    logic [31:0] limbs_left;
    logic        limb_is_first;
    always_ff @(posedge clk) begin
        automatic logic [31:0] left = limbs_left;
        automatic logic        first = limb_is_first;
        if (!off && output_taken) begin
            for (int lane = 0; lane < LANES; lane++) begin
                automatic logic [31:0] tdata = m_axis_tdata[32*lane +: 32];
                automatic logic [3:0]  tuser = m_axis_tuser[4*lane +: 4];
                automatic logic        is_limb = tuser == 4'd15;
                automatic logic        is_error = tuser >= 4'd1 && tuser <= 4'd10;
                if (output_held[lane]) begin
                    limbs_are_whole: assert (left == 32'd0 || is_limb || is_error);
                    limb_has_a_head: assert (!is_limb || left != 32'd0);
                    first_limb_is_not_zero: assert (!is_limb || !first || tdata != 32'd0);
{only_in_groups}                    first = tuser == 4'd14;
                    left = first ? tdata : is_limb ? left - 32'd1 : 32'd0;
                end
            end
            group_ends_in_its_frame: assert (!m_axis_tlast || left == 32'd0);
        end
        limbs_left <= off ? 32'd0 : left;
        limb_is_first <= !off && first;
    end
",
        comment = comment(
            "A head is followed by as many limbs as it announces, the first of which is not zero. In the place of any of \
             them an error may end the group; the end of the frame may not.",
            4
        ),
    )
}

/// The rules for the units of an encoder or transcoder.
pub(super) fn units(interface: &Interface) -> String {
    let spec = interface.core.spec;
    let system = match spec.role {
        Role::Transcoder { to } => to,
        Role::Decoder | Role::Encoder | Role::Validator(_) => spec.system,
    };
    let mut text = section("Units");
    text += &promise(
        "Only the end of a frame says that something in it could not be written.",
        "tuser_only_with_tlast",
        "m_axis_tvalid && !m_axis_tlast |-> m_axis_tuser == '0",
    );
    let user_bits = interface.width("m_axis_tuser");
    if user_bits > 1 && spec.passengers.tuser == 0 {
        text += &promise(
            "The bits of tuser are alike.",
            "tuser_is_alike",
            &format!("m_axis_tvalid |-> m_axis_tuser == {{{user_bits}{{m_axis_tuser[0]}}}}"),
        );
    }
    let lanes = lane(interface) + &padding(interface, system);
    text + &each_lane(&tdata(interface), &lanes)
}

/// The rule for the bits of a lane above its unit, if there are any.
fn padding(interface: &Interface, system: System) -> String {
    let (bits, unit_bits) = (interface.width("m_axis_tdata") / interface.lanes, system.unit_bits());
    if bits <= unit_bits {
        return String::new();
    }
    promise(
        "The bits above a unit are zero.",
        "padding_is_zero",
        &format!("m_axis_tvalid |-> tdata[{}:{unit_bits}] == '0", bits - 1),
    )
}

/// The rules for the units of a validator and their marks.
pub(super) fn marks(interface: &Interface, verdict: Verdict) -> String {
    let core = interface.core;
    let mut lanes = lane(interface) + &padding(interface, core.spec.system);
    lanes += &promise(
        "A lane that holds nothing has no marks, except that the end of a frame on a beat without units can have errors in lane 0.",
        "unused_tuser_is_zero",
        "m_axis_tvalid && !output_held[lane] && (lane != 0 || output_held != '0) |-> tuser == '0",
    );
    let (bits, used) = (interface.width("m_axis_tuser") / interface.lanes, verdict.lane_bits());
    if bits > used {
        let says = "The bits above the marks are zero.";
        let above = format!("m_axis_tvalid |-> tuser[{}:{used}] == '0", bits - 1);
        lanes += &promise(says, "tuser_padding_is_zero", &above);
    }
    for field in verdict.fields() {
        if field.bits == 1 && !["cut", "bad"].contains(&field.name) {
            let says = format!("Only a unit has the mark {}.", field.name);
            let holds = format!("m_axis_tvalid && !output_held[lane] |-> !tuser[{}]", field.low);
            lanes += &promise(&says, &format!("{}_is_of_a_unit", field.name), &holds);
        }
        if field.bits > 1 {
            let kinds = core.slot_kinds().into_iter().map(|kind| kind.codes);
            let signal = format!("tuser[{}:{}]", field.low + field.bits - 1, field.low);
            let legal: Vec<String> =
                runs(kinds).into_iter().map(|codes| is_in(&signal, field.bits, codes)).collect();
            let says = format!("The kind of {} is one that this system has.", field.name);
            let holds = format!("m_axis_tvalid |-> ({})", legal.join(" || "));
            lanes += &promise(&says, &format!("{}_is_legal", field.name), &holds);
        }
    }
    let tuser = format!("        wire [{}:0] tuser = m_axis_tuser[{bits}*lane +: {bits}];\n", bits - 1);
    section("Units and marks") + &each_lane(&(tdata(interface) + &tuser), &lanes) + SAME_UNITS
}

/// As many units as came in.
const SAME_UNITS: &str = "
    // No unit goes out that has not come in.
    longint signed units_inside;
    always_ff @(posedge clk) begin
        automatic longint signed inside_now = units_inside;
        if (output_taken) inside_now = inside_now - 64'($countones(output_held));
        if (!off) units_come_from_the_input: assert (inside_now >= 0);
        if (input_taken) inside_now = inside_now + 64'($countones(input_held));
        units_inside <= off ? 64'sd0 : inside_now;
    end
";

/// The ends of frames.
pub(super) fn frames(interface: &Interface) -> String {
    let cycles = interface.core.latency + CYCLES_TO_END;
    let or_status_waits = if interface.core.spec.status { " || !status_tready" } else { "" };
    format!(
        "{title}
{comment}    longint signed frames_open;
    integer        cycles_at_rest;
    always_ff @(posedge clk) begin
        automatic longint signed open = frames_open;
        if (output_taken && m_axis_tlast) open = open - 1;
        if (!off) tlast_is_of_a_frame: assert (open >= 0);
        if (!off) every_frame_ends: assert (cycles_at_rest < {cycles} || open == 0);
        if (input_taken && s_axis_tlast) open = open + 1;
        frames_open <= off ? 64'sd0 : open;
        if (off || s_axis_tvalid || !m_axis_tready{or_status_waits}) cycles_at_rest <= 0;
        else if (cycles_at_rest < {cycles}) cycles_at_rest <= cycles_at_rest + 1;
    end
",
        title = section("Frames"),
        comment = comment(
            "As many frames end on the output as on the input: none ends before it has ended on the input, and where the \
             source rests and the output is taken, all of them do.",
            4
        ),
    )
}
