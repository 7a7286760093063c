//! The byte order mark of UTF-8 at the start of a frame: three units, which may be in several beats.

use crate::core::shared::magic_number::UTF_8_MARK;
use crate::core::shared::ports::UnitsIn;
use crate::netlist::{Builder, Signal};

/// Bits of a unit.
const OCTET: u32 = 8;

/// Whether the beat completes the mark of its frame, if it is `taken`.
///
/// The state is the number of units of the mark that are before the beat, if the frame has no others: 3 otherwise.
pub(super) fn ends_with_mark<'m>(m: &'m Builder, input: &UnitsIn<'m>, taken: Signal<'m>) -> Signal<'m> {
    m.section("The byte order mark at the start of a frame");
    let lanes = input.tkeep.width();
    let most = UTF_8_MARK.len() as u32;
    let state =
        m.reg("mark_reg", 2).reset(0).note("units of the mark before the beat; 3: the frame has others");
    let is_unit = |lane: u32, of_mark: u32| {
        let unit = input.tdata.bits(lane * OCTET..(lane + 1) * OCTET);
        input.tkeep.bit(lane) & unit.is(UTF_8_MARK[of_mark as usize])
    };
    // The beat begins with `count` units of the mark, from number `from` on.
    let matches =
        |from: u32, count: u32| (0..count).map(|lane| is_unit(lane, from + lane)).reduce(|a, b| a & b);
    let any = |all: Vec<Signal<'m>>| all.into_iter().reduce(|a, b| a | b).expect("a mark can come");
    let begins: Vec<Signal> = (0..most).map(|from| state.q.is(from.into())).collect();
    let ends = (0..most).filter(|from| most - from <= lanes);
    let ends = ends.filter_map(|from| Some(begins[from as usize] & matches(from, most - from)?));
    let ends = any(ends.collect());
    // The beat has no other units, and the mark may go on: the number of its units after the beat.
    let after = |number: u32| {
        let from = (0..=number).filter(|from| number - from <= lanes).map(|from| {
            let count = number - from;
            let is_all = (count < lanes).then(|| !input.tkeep.bit(count));
            let all = [Some(begins[from as usize]), matches(from, count), is_all];
            all.into_iter().flatten().reduce(|a, b| a & b).expect("a state")
        });
        any(from.collect())
    };
    let others = !any((0..most).map(after).collect());
    let bit = |bit: u32| {
        any((0..most).filter(|number| number >> bit & 1 == 1).map(after).chain([others]).collect())
    };
    let next = m.concat([bit(1), bit(0)]).when(!input.tlast);
    state.next_when(taken, next.named("mark_next"));
    (ends & taken).named("ends_with_mark")
}
