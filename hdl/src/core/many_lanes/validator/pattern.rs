//! Occurrences of a short pattern of units, across beats: the end of a pair of surrogates, or of a code point of several units.
//!
//! ```text
//!  pattern          x y z
//!  units            . x y | z x y z .      the beat begins after y
//!  matched before       2 |
//!  ends             . . . | 1 . . 1 .
//! ```

use super::gather::gather;
use crate::core::lanes::{At, Beat, Heard, Instances, Lane, Lanes, Told, section};

/// The ports of a lane.
pub(super) struct PatternPorts {
    /// For each place of the pattern: the unit can be there.
    parts: Vec<Told>,
    ends: Heard,
}

impl PatternPorts {
    /// Declares the ports. `parts` are, for each place of the pattern, a name and whether the unit can be there; parts of one name are the
    /// same. Gives whether the unit ends an occurrence, in stage `at`.
    pub(super) fn new<'m>(
        lane: &Lane<'m>,
        name: &str,
        parts: Vec<(String, At<'m>)>,
        at: u32,
    ) -> (At<'m>, Self) {
        let mut told: Vec<(String, Told)> = Vec::new();
        let parts = parts.into_iter().map(|(name, is)| match told.iter().find(|(known, _)| *known == name) {
            Some((_, port)) => port.clone(),
            None => {
                let port = lane.tell(&name, is, "the unit can be in that place of a pattern");
                told.push((name, port.clone()));
                port
            }
        });
        let parts = parts.collect();
        let (ends, heard) = lane.hear(&format!("ends_{name}"), 1, at, "it ends an occurrence of the pattern");
        (ends, Self { parts, ends: heard })
    }

    /// Connects the lanes.
    pub(super) fn connect<'m>(
        &self,
        name: &str,
        beat: &Beat<'m>,
        lanes: &Instances<'_, 'm>,
        last_unit: At<'m>,
    ) {
        let parts: Vec<Lanes> = self.parts.iter().map(|part| lanes.all(part)).collect();
        let length = parts.len();
        let begin = parts[0][0].stage();
        section(beat.builder(), begin, &format!("occurrences of the pattern of {name}"));
        // Entry n of a lane: the n + 1 units up to its own are the first of the pattern, all in the beat.
        let mut within: Vec<Vec<At>> = Vec::new();
        for lane in 0..beat.lanes() {
            let matched = (0..length.min(lane + 1)).map(|index| match index {
                0 => parts[0][lane],
                _ if index + 1 < length => (within[lane - 1][index - 1] & parts[index][lane])
                    .named(&format!("{name}_matches_{}_up_to_lane_{lane}", index + 1)),
                _ => within[lane - 1][index - 1] & parts[index][lane],
            });
            let matched: Vec<At> = matched.collect();
            within.push(matched);
        }
        let states = within.iter().map(|matched| {
            let bits = (0..length - 1)
                .rev()
                .map(|index| matched.get(index).copied().unwrap_or(parts[0][0].lit(1, 0)));
            At::concat(bits).on(matched[0].registers())
        });
        let states = Lanes::new(&format!("{name}_matched"), states).at(begin + 1);
        let fresh = gather(&format!("{name}_matched"), last_unit, &states);
        let at = fresh.stage();

        section(beat.builder(), at, &format!("the pattern of {name} before the beat"));
        let registers = beat.valid.registers();
        let register = registers.state(&format!("{name}_before_reg"), length as u32 - 1);
        let register = register.note("bit n: the last n + 1 units are the first of the pattern").carried(at);
        let before = At::new(registers, register.q, at);
        let none = beat.is_empty();
        // The pattern goes on from the beat before: `count` units of it, then those up to the lane.
        let continued = |count: usize, lane: usize| {
            let matched = before.bit(count as u32 - 1);
            (0..=lane).fold(matched, |all, lane| all & parts[count + lane][lane])
        };
        let after = |index: usize| {
            let counted = (0..index.min(beat.lanes()))
                .map(|lane| continued(index - lane, lane) & last_unit.at(at).bit(lane as u32));
            let kept = before.bit(index as u32) & none;
            At::any_of([fresh.bit(index as u32), kept].into_iter().chain(counted)).expect("some")
        };
        let after = At::concat((0..length - 1).rev().map(after));
        let (valid, last) = (beat.valid.at(at), beat.last.at(at));
        registers.load(register, valid.mux(after.masked(!last), before).signal());
        lanes.connect(&self.ends, |lane| {
            let ends = match within[lane].get(length - 1) {
                Some(&ends) => ends,
                None => continued(length - 1 - lane, lane),
            };
            ends.called(&format!("{name}_ends_in_lane_{lane}"))
        });
    }
}
