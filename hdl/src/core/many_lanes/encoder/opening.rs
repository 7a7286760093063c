//! The opening of a frame: units that are written in front of every frame, an empty one included.
//!
//! A frame begins in the first lane of an output beat, since no units are left over of the frame before. So the position of the opening is fixed,
//! and that of a replacement between the opening and the units, too.

use super::movement::Movement;
use super::output::{Begins, Front};
use super::sizes::Sizes;
use super::windows::InWindows;
use crate::core::lanes::At;
use crate::netlist::Builder;

/// The opening precedes the units of the beat.
pub(super) struct Opening<'m> {
    /// The opening directly precedes the units.
    alone: At<'m>,
    /// The replacement is between the opening and the units; `None` where that cannot be.
    with_cut: Option<At<'m>>,
}

impl<'m> Opening<'m> {
    /// Finds the beats that the opening precedes: the first of each frame. In a transcoder that drops errors, these are the first of which
    /// something is written, or else the last. `present`: there is a beat. `writes`: something is written of the beat. `cut`: the replacement
    /// precedes its units; it is left for beats without the opening only.
    pub(super) fn new(
        m: &'m Builder,
        [present, last]: [At<'m>; 2],
        writes: Option<At<'m>>,
        cut: &mut Option<At<'m>>,
        sizes: &Sizes,
        movement: &Movement<'m>,
    ) -> Self {
        let at = last.stage();
        m.stage_section(at, "the opening of the frame");
        let register = m.reg("opened_reg", 1).note("the opening of the frame has been written");
        let opened = movement.of_beat(register.q, at);
        let comes = writes.map_or(present, |writes| present & (writes | last));
        let now = (comes & !opened).named("opens_frame");
        let goes_on = !last & !movement.flushes(at);
        movement.load(register, (opened | now) & goes_on);
        // On the bus, what the first beat of a frame cuts is of no frame.
        let with_cut = cut.filter(|_| sizes.source.is_half() && sizes.replaces);
        let Some(with_cut) = with_cut else { return Self { alone: now, with_cut: None } };
        *cut = Some((with_cut & !now).named("cut_behind_opening"));
        let alone = (now & !with_cut).named("opens_alone");
        Self { alone, with_cut: Some((now & with_cut).named("opens_with_cut")) }
    }

    /// The conditions under which units precede those of the first lane, each with their number.
    pub(super) fn lengths(&self, sizes: &Sizes) -> impl Iterator<Item = (At<'m>, usize)> {
        let with_cut =
            self.with_cut.map(|with_cut| (with_cut, sizes.opening_units + sizes.replacement_units));
        [(self.alone, sizes.opening_units)].into_iter().chain(with_cut)
    }

    /// The units of the opening, in the windows, up to stage `to`. `ahead`: the window is the one ahead of the first; `None` where windows are
    /// not shared.
    pub(super) fn shown(
        self,
        m: &'m Builder,
        [opening, replacement]: [&[u64]; 2],
        ahead: Option<At<'m>>,
        to: u32,
        sizes: &Sizes,
        movement: &Movement<'m>,
    ) -> Vec<Front<'m>> {
        m.stage_section(movement.windows(), "the opening in the window");
        let with_cut: Vec<u64> = opening.iter().chain(replacement).copied().collect();
        let fronts = [
            Some(("opening", self.alone, opening.to_vec())),
            self.with_cut.map(|now| ("opening_and_cut", now, with_cut)),
        ];
        let front = |(name, now, units): (&'static str, At<'m>, Vec<u64>)| {
            let now = now.delayed(name, movement.windows() - 1);
            let reach = units.iter().rposition(|&unit| unit > 0).expect("no opening is all zeros") + 1;
            let windows = (reach.div_ceil(sizes.lanes) - 1).max(1);
            let InWindows { shown, ahead } = InWindows::follow(m, name, now, windows, ahead, movement);
            let begins =
                |window: &str, shown: At<'m>| vec![Some(shown.delayed(&format!("{name}_{window}"), to))];
            // An opening in two output beats is presented in the first window.
            let ahead = ahead.filter(|_| units.len() <= sizes.lanes);
            let ahead = ahead.map(|ahead| begins("ahead", ahead));
            // Windows after the first one add their second half.
            let has_units = |window: usize| match window {
                0 => true,
                _ => units.iter().skip((window + 1) * sizes.lanes).take(sizes.lanes).any(|&unit| unit > 0),
            };
            let in_window = shown.into_iter().enumerate().map(|(window, shown)| match has_units(window) {
                true => begins(&format!("shown_{window}"), shown),
                false => Vec::new(),
            });
            let in_window = in_window.collect();
            Front { name, begins: Begins { in_window, ahead }, units }
        };
        fronts.into_iter().flatten().map(front).collect()
    }
}
