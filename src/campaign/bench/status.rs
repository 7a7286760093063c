//! The status of a frame in a bench: one for each frame, offered no later than the frame's last beat is taken.

use utfhdl_hdl::core::{Core, STATUS_BITS};
use utfhdl_hdl::netlist::{Builder, InstanceHandle, Signal};

use super::{differ, port, stall_input};

/// The status of the frame under way.
pub(super) struct OfFrame<'m> {
    /// The core offers a status.
    pub(super) valid: Signal<'m>,
    /// The status is wrong, or comes too late.
    pub(super) wrong: Signal<'m>,
    /// The status is still to be taken after this cycle.
    pub(super) open: Signal<'m>,
}

/// Compares the status with that of the frame; `last_taken` says that the frame's last beat is taken. `None` for a core without a status.
pub(super) fn checker<'m>(
    m: &'m Builder,
    (core, inner): (&Core, InstanceHandle<'m>),
    begin: Signal<'m>,
    last_taken: Signal<'m>,
    stalls: bool,
) -> Option<OfFrame<'m>> {
    if !core.spec.status {
        return None;
    }
    m.section("The status of the frame");
    let expected = m.input(port::STATUS, STATUS_BITS, "the status that is due");
    let take = stall_input(m, port::TAKE_STATUS, stalls);
    inner.input("status_tready", take);
    let due = m.reg("status_due_reg", 1);
    let due_now = (begin | due.q).named("status_due");
    let valid = inner.output("status_tvalid");
    let open = (due_now & !(valid & take)).named("status_open");
    due.next(open);
    let late = last_taken & due_now & !valid;
    let waits = m.reg("status_waits_reg", 1);
    waits.next(valid & !take);
    let withdrawn = !begin & waits.q & !valid;
    let wrong = valid & (!due_now | differ(inner.output("status_tdata"), expected)) | late | withdrawn;
    Some(OfFrame { valid, wrong: wrong.named("wrong_status"), open })
}
