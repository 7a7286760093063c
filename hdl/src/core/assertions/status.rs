//! The rules of the status.

use super::{Interface, promise, section};
use crate::core::status_fields;
use crate::emit::comment;

/// The rules; nothing for a core without a status.
pub(super) fn rules(interface: &Interface) -> String {
    if !interface.core.spec.status {
        return String::new();
    }
    let part = |name: &str| {
        let field = status_fields().into_iter().find(|field| field.name == name).expect("a field");
        match field.bits {
            1 => format!("status_tdata[{}]", field.low),
            bits => format!("status_tdata[{} +: {bits}]", field.low),
        }
    };
    let mut text = section("Status");
    text += &promise(
        "A status that is offered stays offered until it is taken.",
        "status_tvalid_stays",
        "status_tvalid && !status_tready |=> status_tvalid",
    );
    text += &promise(
        "A status that waits does not change.",
        "status_is_stable",
        "status_tvalid && !status_tready |=> $stable(status_tdata)",
    );
    if interface.core.spec.streams > 0 {
        text += &promise(
            "The stream of a status that waits does not change either.",
            "status_tid_is_stable",
            "status_tvalid && !status_tready |=> $stable(status_tid)",
        );
    }
    for (says, name, field) in [
        ("A text is ill-formed if it has errors.", "ill_formed_has_errors", "errors"),
        ("An error has a kind.", "ill_formed_has_a_kind", "kind"),
    ] {
        let holds = format!("status_tvalid |-> {} == ({} != '0)", part("ill_formed"), part(field));
        text += &promise(says, name, &holds);
    }
    text += "
    // In reset no status is offered.
    status_is_quiet_in_reset: assert property (@(posedge clk)
        in_reset |=> !status_tvalid);

";
    text += &comment(
        "Each frame has one status, which is offered after the frame has ended on the input, and no later than the frame's last beat \
         is taken.",
        4,
    );
    text + "    longint signed statuses_due;
    longint signed statuses_ahead;
    logic          status_waits;
    always_ff @(posedge clk) begin
        automatic longint signed due = statuses_due;
        automatic longint signed ahead = statuses_ahead;
        if (status_tvalid && !status_waits) begin
            due = due - 1;
            ahead = ahead + 1;
        end
        if (output_taken && m_axis_tlast) ahead = ahead - 1;
        if (!off) status_is_of_a_frame: assert (due >= 0);
        if (!off) status_is_in_time: assert (ahead >= 0);
        if (input_taken && s_axis_tlast) due = due + 1;
        statuses_due <= off ? 64'sd0 : due;
        statuses_ahead <= off ? 64'sd0 : ahead;
        status_waits <= !off && status_tvalid && !status_tready;
    end
"
}
