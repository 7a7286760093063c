//! The sequence that is open before a unit.

use super::window::Window;
use crate::core::MultiOctet;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::octet_class::Class;
use crate::core::shared::pace::Pace;
use crate::netlist::{Builder, Reg, Signal};

/// The state before the unit, one bit each; none of them is set between sequences.
pub(super) struct State<'m> {
    /// The unit before leads.
    pub(super) after_lead: Signal<'m>,
    /// The two units before are a lead and a digit, or the three are a lead, a digit and a lead.
    pub(super) after_two: Option<Signal<'m>>,
    pub(super) after_three: Option<Signal<'m>>,
    /// The two units before lead three octets of `euc-jp`.
    pub(super) after_8f: Option<Signal<'m>>,
    /// The unit is the first of a sequence.
    pub(super) begins: Signal<'m>,
    /// The unit leaves a sequence open, or opens one.
    pub(super) continues: Signal<'m>,
    /// The sequence is open before the unit.
    pub(super) open: Signal<'m>,
    /// The first octet of four.
    pub(super) first: Option<Signal<'m>>,
}

impl<'m> State<'m> {
    pub(super) fn new(
        m: &'m Builder,
        set: MultiOctet,
        window: &Window<'m>,
        class: &Class<'m>,
        pace: &Pace<'m>,
    ) -> Self {
        m.section("The open sequence");
        let present = (window.unit_valid | window.frame_ends).named("present");
        let loads = (pace.take & present).named("state_loads");
        let goes_on = (window.unit_valid & !window.frame_ends).named("goes_on");
        let carried = |register: Reg<'m>| match window.is_interleaved {
            true => register.carried(window.stages()),
            false => register,
        };
        let after = |name: &str, note: &str| carried(m.reg(name, 1).reset(0)).note(note);
        let has_four = matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030);
        let lead = after("after_lead_reg", "the unit before leads");
        let two = has_four.then(|| after("after_two_reg", "a lead and a digit come before"));
        let three = has_four.then(|| after("after_three_reg", "a lead, a digit and a lead come before"));
        let set_8f = (set == MultiOctet::EucJp).then(|| after("after_8f_reg", "8F and a lead come before"));
        let later = [two, three, set_8f].into_iter().flatten().map(|register| register.q);
        let open = later.fold(lead.q, |open, state| open | state).named("open");
        let begins = (!open & class.is_lead).named("begins");
        lead.next_when(loads, goes_on & begins);
        let mut continues = begins;
        let mut first = None;
        if let (Some(two), Some(three)) = (two, three) {
            let is_two = (lead.q & class.is_digit).named("is_two");
            let is_three = (two.q & class.is_lead).named("is_three");
            two.next_when(loads, goes_on & is_two);
            three.next_when(loads, goes_on & is_three);
            continues = continues | is_two | is_three;
            let register = carried(m.reg("first_reg", OCTET)).note("the lead of the open sequence");
            match window.is_interleaved {
                // All states of a stream are loaded together.
                true => register.next_when(loads, begins.mux(window.moved_unit, register.q)),
                false => register.next_when((loads & begins).named("first_loads"), window.moved_unit),
            }
            first = Some(register.q);
        }
        if let Some(register) = set_8f {
            let is_8f = (lead.q & window.before[0].is(0x8f) & class.is_trail).named("is_8f");
            register.next_when(loads, goes_on & is_8f);
            continues = continues | is_8f;
        }
        Self {
            after_lead: lead.q,
            after_two: two.map(|register| register.q),
            after_three: three.map(|register| register.q),
            after_8f: set_8f.map(|register| register.q),
            begins,
            continues: continues.named("continues"),
            open,
            first,
        }
    }
}
