//! The errors that a unit makes certain, for a validator.
//!
//! A unit makes at most two errors certain. Both are before the unit where it breaks four octets of `gb18030` and is no character after the
//! third of them: then the second error takes the place of the unit's own.

use super::slots::OfPair;
use super::{Units, Window, tags};
use crate::core::one_lane::decoder::judge::Judged;
use crate::core::one_lane::decoder::unit::OneUnitBeat;
use crate::core::shared::code_points::LINE_FEED;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::index_tables::Words;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle};
use crate::core::{MultiOctet, Verdict};
use crate::netlist::{Builder, Signal};

/// Makes the stages before the output of a validator. `is_interleaved` says that beats of several streams come in any order.
pub(in crate::core::one_lane::decoder) fn judge<'m>(
    m: &'m Builder,
    set: MultiOctet,
    verdict: Verdict,
    beat: OneUnitBeat<'m>,
    pace: &Pace<'m>,
    is_interleaved: bool,
) -> Judged<'m> {
    let tags = tags(m, set, TagStyle::Errors { kinds: verdict.kinds });
    let window = match is_interleaved {
        true => Window::interleaved(m, beat, pace),
        false => Window::new(m, beat, pace, 0),
    };
    let units = Units::new(m, set, Words::Presence, window, None, pace);
    m.section("Errors that the unit makes certain");
    let slots = units.slots(m, set, &tags, None);
    let OfPair { rereads, of_bad_pair, is_error, own, .. } = slots.of_pair();
    let error = |tag: Tag<'m>, is: Signal<'m>| {
        let bits = if verdict.kinds { tag.user } else { tag.error };
        bits.expect("there are errors").when(is).zext(verdict.error_bits())
    };
    let of_lead = error(of_bad_pair, rereads).named("error_of_lead");
    let of_unit = error(own, is_error);
    let (before, own) = match slots.breaks() {
        None => (of_lead, of_unit),
        Some((breaks, _)) => {
            let of_first = error(tags.error(ErrorKind::Truncated), breaks);
            (of_first | of_lead.when(!breaks), of_unit | of_lead.when(breaks))
        }
    };
    let window = &units.window;
    let has_start = !matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030);
    let continues = (units.state.open & !rereads).named("is_in_sequence");
    Judged {
        stages: window.stages(),
        unit: Some(window.moved_unit),
        unit_valid: Some(window.unit_valid),
        frame_ends: window.frame_ends,
        before: Some(before.named("error_before")),
        own: Some(own.named("error_of_unit")),
        begins: has_start.then(|| window.unit_valid & !continues),
        // U+000A is one octet, which leads and trails nothing.
        is_line_feed: verdict.newline.then(|| window.unit_valid & window.moved_unit.is(LINE_FEED)),
    }
}
