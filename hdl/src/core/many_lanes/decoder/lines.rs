//! The lines and columns of slots: the number of U+000A in the frame before a slot, and the number of slots since.
//!
//! ```text
//!  slots       A  \n B  C  \n \n D  .      a line and a column before each beat: 4, 7
//!  lines       4  4  5  5  5  6  7  .      plus the number of line feeds in the lanes below
//!  columns     7  8  0  1  2  0  0  .      from the last of them, or else plus the number of the lane
//! ```
//!
//! Both are scans of one bit a lane over a beat of compacted slots. Only the line and the column before the beat depend on earlier beats.

use super::gearbox::Beat;
use super::pipeline::Pipeline;
use super::positions::{Base, bits_for, truncated};
use super::slot::Layout;
use crate::core::CoreSpec;
use crate::core::lanes::scan::{Copies, scan};
use crate::core::lanes::{At, Lanes, section};
use crate::core::shared::code_points::LINE_FEED;
use crate::netlist::{Builder, Signal};

/// A beat of compacted slots, whose lines and columns are to be added.
pub(super) struct Lines<'a, 'm> {
    pub(super) spec: &'a CoreSpec,
    pub(super) layout: &'a Layout,
    pub(super) beat: Beat<'m>,
    pub(super) pipeline: &'a Pipeline<'m>,
}

/// The facts of a beat from which its columns follow.
struct Columns<'m> {
    /// The lane after the last U+000A up to each lane, if there is one.
    begins: Copies<'m>,
    /// The number of slots.
    count: At<'m>,
}

impl<'m> Lines<'_, 'm> {
    /// The beat in a later stage, with lines and columns above the slots; the same beat if slots have neither.
    pub(super) fn added(self, m: &'m Builder) -> Beat<'m> {
        let CoreSpec { line, column, .. } = *self.spec;
        if line + column == 0 {
            return self.beat;
        }
        let at = self.beat.present.stage();
        section(m, at, "which slots are U+000A");
        let keep = self.of_lanes("kept", |(keep, _)| keep);
        let slots = self.of_lanes("lined_slot", |(_, slot)| slot);
        let feeds = keep.iter().zip(slots.iter()).enumerate().map(|(lane, (&keep, &slot))| {
            let data = slot.bits(0..self.layout.data_bits);
            let is_code_point = match self.layout.has_errors() {
                true => keep & !slot.bit(self.layout.data_bits),
                false => keep,
            };
            (is_code_point & data.is(LINE_FEED)).registered(&format!("is_line_feed_{lane}"))
        });
        let feeds = Lanes::new("is_line_feed", feeds);
        let counts = (line > 0).then(|| counts(&feeds));
        let columns = (column > 0).then(|| Columns { begins: begins(&feeds), count: self.count(&keep) });

        let to = counts.as_ref().map_or_else(
            || columns.as_ref().map(|of| of.begins.some.end().stage()),
            |of| Some(of.end().stage()),
        );
        let to = to.expect("one of them is counted");
        section(m, to, "the line and the column of each slot");
        let (present, last) = (self.beat.present.at(to), self.beat.last.at(to));
        let kept: Vec<Signal> = keep.at(to).iter().map(|keep| keep.signal()).collect();
        let moves = [present.signal(), last.signal()];
        let columns = columns.map(|columns| self.columns(m, &columns, &kept, moves, to));
        let lines = counts.map(|counts| self.lines(m, &counts, &kept, moves, to));

        let slot = |(lane, slot): (usize, &At<'m>)| {
            let stage = self.pipeline.stage_of_slots_at(lane).at(to + 1);
            let places = [&columns, &lines].into_iter().flatten().map(|of_lanes| of_lanes[lane]);
            let slot = m.concat(places.chain([slot.at(to).signal()]));
            let register = |name: &str, signal| stage.data(&format!("{name}_{lane}_reg"), signal);
            (register("placed", kept[lane]), register("placed_slot", slot))
        };
        let slots = slots.iter().enumerate().map(slot).collect();
        Beat { present: present.at(to + 1), last: last.at(to + 1), slots }
    }

    fn of_lanes(&self, name: &str, field: impl Fn((Signal<'m>, Signal<'m>)) -> Signal<'m>) -> Lanes<'m> {
        let at = self.beat.present.stage();
        let of_lane = |(lane, &placed): (usize, &(Signal<'m>, Signal<'m>))| {
            At::new(self.pipeline.stage_of_slots_at(lane), field(placed), at)
                .called(&format!("{name}_{lane}"))
        };
        Lanes::new(name, self.beat.slots.iter().enumerate().map(of_lane))
    }

    /// The number of slots of the beat.
    fn count(&self, keep: &Lanes<'m>) -> At<'m> {
        let bits = bits_for(keep.len());
        let up_to = |lane: usize| {
            let is_last = match keep.get(lane + 1) {
                Some(&next) => keep[lane] & !next,
                None => keep[lane],
            };
            is_last.lit(bits, lane as u64 + 1).masked(is_last)
        };
        let count = At::any_of((0..keep.len()).map(up_to)).expect("there are lanes");
        count.on(self.pipeline.stage_of_slots()).registered("slots_of_beat")
    }

    /// The columns of the slots, in stage `at`. `moves`: the beat is present, and ends its frame.
    fn columns(
        &self,
        m: &'m Builder,
        Columns { begins, count }: &Columns<'m>,
        kept: &[Signal<'m>],
        [present, last]: [Signal<'m>; 2],
        at: u32,
    ) -> Vec<Signal<'m>> {
        let (stage, width) = (self.pipeline.stage_of_slots(), self.spec.column);
        let register = stage.state("column_reg", width).carried(at).note("the column before the beat");
        let (some, values) = (&begins.some, &begins.values);
        let bits = values.end().width();
        let base = Base::new(m, "column", register.q, bits);
        let since = |number: Signal<'m>, begin: At<'m>| truncated(number - begin.signal(), width);
        let column = |lane: usize| {
            let number = m.lit(bits, lane as u64);
            let Some(below) = lane.checked_sub(1) else { return register.q.masked(kept[lane]) };
            let known = some[below].signal();
            base.plus(number, kept[lane] & !known) | since(number, values[below]).masked(kept[lane] & known)
        };
        let columns = (0..kept.len()).map(column).collect();
        let count = count.at(some.end().stage()).signal();
        let known = some.end().signal();
        let next = known.mux(since(count, values.end()), register.q + truncated(count, width));
        stage.load(register, present.mux(next.masked(!last), register.q));
        columns
    }

    /// The lines of the slots in stage `at`, from the number of line feeds up to each lane.
    fn lines(
        &self,
        m: &'m Builder,
        counts: &Lanes<'m>,
        kept: &[Signal<'m>],
        [present, last]: [Signal<'m>; 2],
        at: u32,
    ) -> Vec<Signal<'m>> {
        let (stage, width) = (self.pipeline.stage_of_slots(), self.spec.line);
        let register = stage.state("line_reg", width).carried(at).note("the line before the beat");
        let base = Base::new(m, "line", register.q, counts.end().width());
        let line = |lane: usize| match lane.checked_sub(1) {
            Some(below) => base.plus(counts[below].signal(), kept[lane]),
            None => register.q.masked(kept[lane]),
        };
        let lines = (0..kept.len()).map(line).collect();
        let next = register.q + truncated(counts.end().signal(), width);
        stage.load(register, present.mux(next.masked(!last), register.q));
        lines
    }
}

/// For each lane, the number of line feeds up to it.
fn counts<'m>(feeds: &Lanes<'m>) -> Lanes<'m> {
    let bits = bits_for(feeds.len());
    let units = feeds.iter().map(|feed| [feed.zext(bits)]).collect();
    let counts = scan("line_feeds", ["count"], units, |_, below, own| [below[0] + own[0]]);
    Lanes::new("line_feeds", counts.iter().map(|&[count]| count))
}

/// For each lane, the lane after the last line feed up to it.
fn begins<'m>(feeds: &Lanes<'m>) -> Copies<'m> {
    let bits = bits_for(feeds.len());
    let after = feeds.iter().enumerate().map(|(lane, feed)| feed.lit(bits, lane as u64 + 1));
    let begins = Copies {
        some: Lanes::new("line_ends", feeds.iter().copied()),
        values: Lanes::new("line_begin", after),
    };
    begins.copied("begin_of_line")
}
