//! How an octet stands to the few before it, as far as that tells it.
//!
//! What it does not tell is whether ED begins a sequence or is the lead of a low surrogate. In `ED A0 80 ED A0 80 ED B0 80` the second
//! ED is that of a low surrogate, for the first three octets are a high one; the A0 behind it breaks the pair. So the third ED begins a
//! sequence, and B0 is not allowed behind it. Where such a row begins can lie any number of octets back. So one bit runs through the
//! lanes, which is set in each octet that *goes on* with a sequence in which ED stands:
//!
//! | octet | the bit |
//! | --- | --- |
//! | ED behind the three octets of a high surrogate | as it was: it is the lead of the low one, if they are one |
//! | 80..AF behind ED | inverted: it goes on if ED is a lead of its own |
//! | B0..BF behind ED | as it was: it goes on if ED is the lead of a low surrogate |
//! | the trailing octet behind such a one | as it was |
//! | any other | clear |

use crate::netlist::Signal;

/// The class of an octet and of those before it: of the one so many octets before, an output of its class.
pub(super) type ClassOf<'a, 'm> = &'a dyn Fn(usize, &str) -> Signal<'m>;

/// Whether the octet is the first trailing one behind a lead other than ED, which accepts it.
pub(super) fn fits<'m>(of: ClassOf<'_, 'm>, nul_is_pair: bool) -> Signal<'m> {
    let accepted = of(1, "lead") | of(1, "lead_e0") & (of(0, "high") | of(0, "low"));
    let accepted = if nul_is_pair { accepted | of(1, "lead_of_nul") & of(0, "is_80") } else { accepted };
    of(0, "trailing") & accepted
}

/// Whether the octet is a trailing one behind ED.
pub(super) fn second_of_ed<'m>(of: ClassOf<'_, 'm>) -> Signal<'m> {
    of(0, "trailing") & of(1, "lead_ed")
}

/// Whether the octet is the third of three that ED begins.
pub(super) fn third_of_ed<'m>(of: ClassOf<'_, 'm>) -> Signal<'m> {
    of(0, "trailing") & of(1, "trailing") & of(2, "lead_ed")
}

/// Whether the octet is the third of a high surrogate, or where `half` is `low`, of a low one.
pub(super) fn third_of<'m>(of: ClassOf<'_, 'm>, half: &str) -> Signal<'m> {
    of(0, "trailing") & of(1, half) & of(2, "lead_ed")
}

/// What an octet does to the bit that runs through sequences with ED: it sets it, and it hands it on; both invert it.
pub(super) fn carries<'m>(of: ClassOf<'_, 'm>, third_of_ed: Signal<'m>) -> [Signal<'m>; 2] {
    let second = second_of_ed(of).named("second_of_ed");
    let behind_high = of(0, "lead_ed") & of(1, "trailing") & of(2, "high") & of(3, "lead_ed");
    [second & !of(0, "low"), second | third_of_ed | behind_high]
}
