//! Scans: what is known of each unit becomes what is known of all units up to it. Each level of logic reaches twice as far as the one
//! before it.
//!
//! ```text
//!  lane            0     1     2     3     4     5     6     7
//!  units           1     0     2     0     0     3     1     0       to be added up
//!  level 0         1     1     2     2     0     3     1     1       odd lanes add the lane below
//!  level 1         1     1     3     3     0     3     4     4       upper halves of four add the end of the lower half
//!  level 2         1     1     3     3     3     6     7     7
//! ```
//!
//! Cost: log2(lanes) levels of one `join` each, [`LEVELS_A_STAGE`] of them between registers.

use super::lane::section;
use super::{At, Lanes};

/// Levels of logic in a stage.
const LEVELS_A_STAGE: u32 = 2;

/// Levels of a tree with this number of leaves.
pub(in crate::core) fn levels(leaves: usize) -> u32 {
    leaves.next_power_of_two().trailing_zeros()
}

/// Stages that a scan of `lanes` lanes takes.
pub(in crate::core) fn stages(lanes: usize) -> u32 {
    levels(lanes).div_ceil(LEVELS_A_STAGE)
}

/// Scans `units`, all of one stage, whose signals are called `fields`; the result is [`stages`] later. `join` gets a name for what it makes,
/// what is known of some units, and what is known of those after them; it gives what is known of both.
pub(in crate::core) fn scan<'m, const N: usize>(
    name: &str,
    fields: [&str; N],
    mut units: Vec<[At<'m>; N]>,
    join: impl Fn(&str, [At<'m>; N], [At<'m>; N]) -> [At<'m>; N],
) -> Vec<[At<'m>; N]> {
    let lanes = units.len();
    let begin = units.iter().flatten().map(|signal| signal.stage()).max().expect("a lane");
    let m = units[0][0].builder();
    for level in 0..levels(lanes) {
        let stage = begin + level / LEVELS_A_STAGE;
        if level % LEVELS_A_STAGE == 0 {
            section(m, stage, &format!("{name}, over {} units", 2 << level));
        }
        let is_registered = level % LEVELS_A_STAGE == LEVELS_A_STAGE - 1 || level + 1 == levels(lanes);
        let step = 1usize << level;
        let reached = |lane: usize| {
            let own = units[lane].map(|signal| signal.at(stage));
            let is_joined = lane & step > 0;
            let known = match is_joined {
                true => {
                    let below = units[(lane & !(step - 1)) - 1].map(|signal| signal.at(stage));
                    join(&format!("{name}_of_lane_{lane}_level_{level}"), below, own)
                }
                false => own,
            };
            std::array::from_fn(|at| {
                let signal = known[at].on(own[at].registers());
                let name = format!("{name}_{}_of_lane_{lane}", fields[at]);
                match (is_registered && !signal.is_fixed(), is_joined) {
                    (true, _) => signal.called(&name).at(stage + 1),
                    (false, true) => signal.named(&format!("{name}_level_{level}")),
                    (false, false) => signal,
                }
            })
        };
        units = (0..lanes).map(reached).collect();
    }
    units
}

/// For each lane: some unit of the beat up to its own has a value, and the value of the last that has.
#[derive(Clone)]
pub(in crate::core) struct Copies<'m> {
    pub(in crate::core) some: Lanes<'m>,
    pub(in crate::core) values: Lanes<'m>,
}

impl<'m> Copies<'m> {
    /// Copies of the last value to all units after it, [`stages`] later. A lane without a unit has none.
    ///
    /// ```text
    ///  some      0 1 0 0 1 0 0 0
    ///  values    . a . . b . . .
    ///  copies    . a a a b b b b
    /// ```
    pub(in crate::core) fn copied(self, name: &str) -> Self {
        self.combined(name, |_, value, _| value)
    }

    /// Copies, where a unit without a value of its own changes the value that is copied. `join` makes the value after a run of units from the value before
    /// the run and from the run's own value, and gets a name for the result.
    pub(in crate::core) fn combined(self, name: &str, join: impl Fn(&str, At<'m>, At<'m>) -> At<'m>) -> Self {
        let units = self.some.iter().zip(self.values.iter()).map(|(&some, &value)| [some, value]).collect();
        let found = scan(name, ["is_known", "value"], units, |name, below, own| {
            let value = join(name, below[1], own[1]);
            [own[0] | below[0], own[0].mux(own[1], value)]
        });
        let field = |at: usize| found.iter().map(move |fields| fields[at]);
        Self {
            some: Lanes::new(&format!("{name}_is_known"), field(0)),
            values: Lanes::new(&format!("{name}_value"), field(1)),
        }
    }
}

/// A bit that runs through the units of a frame, like the carry of an adder: each unit sets, keeps, inverts or clears it.
pub(in crate::core) struct Carries<'m> {
    /// For each lane: its unit sets the bit.
    pub(in crate::core) sets: Lanes<'m>,
    /// For each lane: its unit keeps the bit. A lane without a unit must do so, too.
    pub(in crate::core) keeps: Lanes<'m>,
    /// A unit that does both inverts the bit. Else it sets it.
    pub(in crate::core) invert: bool,
    /// There is a beat, and it ends its frame, after which the bit is clear.
    pub(in crate::core) valid: At<'m>,
    pub(in crate::core) last: At<'m>,
}

/// The bit before the beat, and after each of its units, [`stages`] later than what the units do is known.
pub(in crate::core) struct Carried<'m> {
    pub(in crate::core) before: At<'m>,
    pub(in crate::core) after: Lanes<'m>,
}

impl<'m> Carries<'m> {
    /// The bit. What all units of a beat do is known at once, so it is found in a few levels of logic, and the loop over beats is one gate.
    ///
    /// ```text
    ///  sets      0 1 0 0 0 0 1 0     the bit before the beat is 0
    ///  keeps     1 0 1 1 0 0 0 0
    ///  after     0 1 1 1 0 0 1 0
    /// ```
    pub(in crate::core) fn carried(self, name: &str) -> Carried<'m> {
        let after = |sets: At<'m>, keeps: At<'m>, before: At<'m>| match self.invert {
            true => sets ^ (keeps & before),
            false => sets | (keeps & before),
        };
        let units = self.sets.iter().zip(self.keeps.iter()).map(|(&sets, &keeps)| [sets, keeps]).collect();
        let found = scan(name, ["set", "keep"], units, |_, below, own| {
            [after(own[0], own[1], below[0]), own[1] & below[1]]
        });
        let stage = found[0][0].stage();
        let (valid, last) = (self.valid.at(stage), self.last.at(stage));
        let registers = valid.registers();
        section(valid.builder(), stage, name);
        let register = registers.state(&format!("{name}_reg"), 1).carried(stage);
        let before = At::new(registers, register.q, stage);
        let after_units = found.iter().enumerate().map(|(lane, &[sets, keeps])| {
            let own = sets.registers();
            after(sets, keeps, before).on(own).named(&format!("{name}_after_lane_{lane}"))
        });
        let all = Lanes::new(name, after_units);
        registers.load(register, valid.mux(all.end() & !last, before).signal());
        Carried { before, after: all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::Builder;
    use crate::netlist::evaluator::{Evaluator, Random};

    const LANES: [usize; 6] = [2, 4, 8, 16, 32, 64];

    /// Signals of all lanes as inputs of stage 0.
    fn inputs<'m>(m: &'m Builder, name: &str, width: u32, lanes: usize) -> Lanes<'m> {
        let registers = m.stage(m.lit(1, 1)).flushed_by(m.lit(1, 0));
        let input = |lane| At::new(registers, m.input(&format!("{name}_{lane}"), width, ""), 0);
        Lanes::new(name, (0..lanes).map(input))
    }

    fn outputs(m: &Builder, name: &str, lanes: &Lanes<'_>) {
        for (lane, signal) in lanes.iter().enumerate() {
            m.output(&format!("{name}_{lane}"), signal.signal(), "");
        }
    }

    #[test]
    fn each_lane_copies_the_last_value_up_to_it() {
        for lanes in LANES {
            let m = Builder::new("block", "");
            let said = Copies { some: inputs(&m, "some", 1, lanes), values: inputs(&m, "value", 5, lanes) };
            let found = said.copied("last");
            assert_eq!(found.some[0].stage(), stages(lanes), "the latency of {lanes} lanes");
            outputs(&m, "found", &found.some);
            outputs(&m, "copy", &found.values);
            drop(found);
            let mut block = Evaluator::new(&m.built_with_unused());
            let mut random = Random::new(lanes as u64);
            for _ in 0..40 {
                let mut last = None;
                let mut expected = Vec::new();
                for lane in 0..lanes {
                    let (some, value) = (random.one_in(4), random.below(32));
                    block.set(&format!("some_{lane}"), some.into());
                    block.set(&format!("value_{lane}"), value);
                    last = if some { Some(value) } else { last };
                    expected.push(last);
                }
                (0..stages(lanes)).for_each(|_| block.clock());
                for (lane, expected) in expected.into_iter().enumerate() {
                    let found = block.get(&format!("found_{lane}")) == 1;
                    let copy = found.then(|| block.get(&format!("copy_{lane}")));
                    assert_eq!(copy, expected, "lane {lane} of {lanes}");
                }
            }
        }
    }

    /// The bit after a unit that sets it and keeps it, in plain Rust.
    fn after(sets: bool, keeps: bool, before: bool, invert: bool) -> bool {
        match (sets, keeps) {
            (true, true) if invert => !before,
            (true, _) => true,
            (false, keeps) => keeps && before,
        }
    }

    #[test]
    fn a_bit_runs_through_the_units_of_a_frame() {
        for (lanes, invert) in LANES.into_iter().flat_map(|lanes| [(lanes, false), (lanes, true)]) {
            let m = Builder::new("block", "");
            let [sets, keeps] = ["sets", "keeps"].map(|name| inputs(&m, name, 1, lanes));
            let of_beat = |name: &str| At::new(sets[0].registers(), m.input(name, 1, ""), 0);
            let (valid, last) = (of_beat("valid").flag(), of_beat("last"));
            let found = Carries { sets, keeps, invert, valid, last }.carried("bit");
            m.output("bit_before", found.before.signal(), "");
            outputs(&m, "after", &found.after);
            drop(found);
            let mut block = Evaluator::new(&m.built_with_unused());
            let mut random = Random::new(lanes as u64);
            let (mut bit, mut expected) = (false, Vec::new());
            for cycle in 0..60 {
                let (valid, last) = (!random.one_in(4), random.one_in(5));
                block.set("valid", valid.into());
                block.set("last", last.into());
                let (before, mut now, mut of_lanes) = (bit, bit, Vec::new());
                for lane in 0..lanes {
                    let (sets, keeps) = (random.one_in(4), !random.one_in(4));
                    block.set(&format!("sets_{lane}"), sets.into());
                    block.set(&format!("keeps_{lane}"), keeps.into());
                    now = after(sets, keeps, now, invert);
                    of_lanes.push(now);
                }
                bit = if valid { now && !last } else { bit };
                expected.push((before, of_lanes));
                // Outputs of a cycle are of the beat that came in `stages` cycles before.
                if let Some(at) = (cycle as usize).checked_sub(stages(lanes) as usize) {
                    let (before, of_lanes) = &expected[at];
                    assert_eq!(block.get("bit_before") == 1, *before, "beat {at} of {lanes} lanes");
                    for (lane, &expected) in of_lanes.iter().enumerate() {
                        let found = block.get(&format!("after_{lane}")) == 1;
                        assert_eq!(found, expected, "lane {lane} of {lanes}, beat {at}");
                    }
                }
                block.clock();
            }
        }
    }
}
