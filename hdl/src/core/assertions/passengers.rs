//! The rules of TID, TDEST and the user's bits of TUSER.

use super::{Interface, section};
use crate::core::Passengers;
use crate::emit::comment;

/// A passenger: its name in the rules, and its bits on both sides, as the ports have them.
struct Passenger {
    name: &'static str,
    bits: u32,
    /// The bits that come in, and those that go out.
    input: String,
    output: String,
    /// Whether it is the frame's, on all its beats.
    is_of_frame: bool,
}

/// The passengers of a core.
fn passengers(interface: &Interface) -> Vec<Passenger> {
    let spec = interface.core.spec;
    let Passengers { tid, tdest, tuser } = spec.passengers;
    let (low_in, low_out) = spec.own_user_bits();
    [("tid", tid, 0, 0), ("tdest", tdest, 0, 0), ("tuser", tuser, low_in, low_out)]
        .into_iter()
        .filter(|&(_, bits, ..)| bits > 0)
        .map(|(name, bits, low_in, low_out)| {
            let part = |side: &str, low: u32| {
                let port = format!("{side}_{name}");
                if interface.width(&port) == bits { port } else { format!("{port}[{low} +: {bits}]") }
            };
            let (input, output) = (part("s_axis", low_in), part("m_axis", low_out));
            let is_of_frame = name != "tuser" && spec.streams == 0;
            Passenger { name, bits, input, output, is_of_frame }
        })
        .collect()
}

/// The rules, with a queue of what is owed for each passenger; nothing without passengers.
pub(super) fn rules(interface: &Interface) -> String {
    let passengers = passengers(interface);
    if passengers.is_empty() {
        return String::new();
    }
    let mut text = section("Passengers");
    text += "\n";
    let of_beats = interface.core.spec.has_user_of_beats();
    let about = if of_beats {
        "those of the beat"
    } else {
        "those of its last beat, on the last beat that goes out, and 0 before"
    };
    let all = match interface.core.spec.streams {
        0 => format!(
            "TID and TDEST of a frame are those of its first beat, on all beats that go out. The user's bits of TUSER are {about}."
        ),
        _ if interface.core.spec.has_slots_of_streams() => {
            "TID, TDEST and the user's bits of TUSER are those of a beat, after that of the slots before: a beat without slots goes nowhere.".to_owned()
        }
        _ => "TID, TDEST and the user's bits of TUSER are those of the beat.".to_owned(),
    };
    text += &comment(&all, 4);
    let (mut clears, mut checks, mut pops, mut pushes) = Default::default();
    let add = |all: &mut String, line: String| *all += &format!("            {line}\n");
    for Passenger { name, bits, input, output, is_of_frame } in &passengers {
        text += &format!("    logic [{}:0] {name}_due [$];\n", bits - 1);
        add(&mut clears, format!("{name}_due.delete();"));
        let is_of_beat = of_beats && !is_of_frame;
        let due = match *is_of_frame || is_of_beat {
            true => format!("{name}_due.size() != 0 && {output} == {name}_due[0]"),
            false => {
                format!("m_axis_tlast ? {name}_due.size() != 0 && {output} == {name}_due[0] : {output} == '0")
            }
        };
        if interface.core.spec.has_slots_of_streams() {
            add(&mut checks, "if (m_axis_tvalid)".to_owned());
            add(
                &mut checks,
                format!(
                    "    while ({name}_due.size() != 0 && {output} != {name}_due[0]) void'({name}_due.pop_front());"
                ),
            );
        }
        add(&mut checks, format!("if (m_axis_tvalid) {name}_is_of_its_frame: assert ({due});"));
        let ends = if is_of_beat { "" } else { " && m_axis_tlast" };
        add(&mut pops, format!("if (output_taken{ends}) void'({name}_due.pop_front());"));
        let when = match is_of_frame {
            true => "frame_begins",
            false if of_beats => "(s_axis_tkeep != '0 || s_axis_tlast)",
            false => "s_axis_tlast",
        };
        add(&mut pushes, format!("if (input_taken && {when}) {name}_due.push_back({input});"));
    }
    let begins = passengers.iter().any(|passenger| passenger.is_of_frame);
    let (declared, reset, next) = match begins {
        true => (
            "    logic frame_begins;\n",
            "            frame_begins <= 1'b1;\n",
            "            if (input_taken) frame_begins <= s_axis_tlast;\n",
        ),
        false => ("", "", ""),
    };
    text + &format!(
        "{declared}    always @(posedge clk) begin\n        if (off) begin\n{clears}{reset}        end else begin\n{checks}{pops}{pushes}{next}        \
         end\n    end\n"
    )
}
