//! Validators of several lanes for the systems in which each unit is a code point or an error by itself: Latin-1, ASCII, UCS-2 and
//! UTF-32.

use super::{Marked, Marks, PassedPorts};
use crate::core::Verdict;
use crate::core::lanes::{At, Beat, Instances, LaneModule};
use crate::core::many_lanes::decoder::slot::{Kinds, Layout};
use crate::core::shared::single::Words;

/// Passes a beat on, with its marks.
pub(super) fn marked<'m>(words: Words, verdict: Verdict, beat: &Beat<'m>) -> Marked<'m> {
    let at = beat.stage() + 1;
    let (module, ports) =
        LaneModule::build(beat, "A unit on its way from the bus to the output, and its marks.", |lane| {
            let (unit, valid, heard) = lane.hear_unit(words.bits, beat.stage());
            lane.section(at, "what is wrong with the unit");
            let none = lane.lit(1, 0);
            let (now, there) = (unit.at(at), valid.at(at));
            let bad = wrong(words, now, there, verdict).unwrap_or((none, None));
            let marks = Marks {
                cut: (none, None),
                bad,
                start: verdict.start.then_some(there),
                newline: verdict.newline.then(|| match words.is_line_feed(now.signal()) {
                    Some(is) => (there & At::new(now.registers(), is, at)).called("is_newline"),
                    None => none,
                }),
            };
            PassedPorts::new(lane, heard, [unit, valid], marks, verdict, at)
        });
    let lanes = Instances::new(beat, &module, &ports.unit);
    ports.marked(&lanes)
}

/// Whether the word is an error, and the kind of that, where kinds are given; `None` if every word is a code point.
pub(super) fn wrong<'m>(
    words: Words,
    word: At<'m>,
    there: At<'m>,
    verdict: Verdict,
) -> Option<(At<'m>, Option<At<'m>>)> {
    let faults = words.faults(word.signal(), there.signal());
    let faults: Vec<_> =
        faults.into_iter().map(|(kind, is)| (kind, At::new(word.registers(), is, word.stage()))).collect();
    let wrong = At::any_of(faults.iter().map(|&(_, is)| is))?.called("is_wrong");
    let (last, others) = faults.split_last()?;
    let kind = verdict.kinds.then(|| {
        let kinds = Kinds::new(word.registers(), &layout(words));
        others
            .iter()
            .fold(kinds.code(last.0), |kind, &(other, is)| is.mux(kinds.code(other), kind))
            .called("kind")
    });
    Some((wrong, kind))
}

/// The layout of kinds.
pub(super) fn layout(words: Words) -> Layout {
    let truncated = words.octets.map(|_| crate::core::ErrorKind::Truncated);
    Layout::new(words.code_bits(), &truncated.into_iter().chain(words.kinds()).collect::<Vec<_>>(), false)
}
