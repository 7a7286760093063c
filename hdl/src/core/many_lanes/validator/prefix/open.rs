//! Finds the sequence that is open before each beat, and how that sequence marks the units of the first lanes.

use super::super::gather::{self, gather};
use super::{SequencePorts, Stages};
use crate::core::lanes::scan::Carries;
use crate::core::lanes::{At, Beat, Instances, Lanes, Told, history, section};
use crate::core::many_lanes::decoder::prefix::Shape;
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::many_lanes::decoder::utf_inf_8::Units;

/// The part of a validator that knows which sequence is open before each beat.
pub(super) struct Open<'a, 'm> {
    pub(super) shape: &'a Shape,
    pub(super) stages: Stages,
    pub(super) beat: &'a Beat<'m>,
    pub(super) lanes: &'a Instances<'a, 'm>,
    pub(super) last_unit: At<'m>,
    pub(super) ports: &'a SequencePorts,
    pub(super) unit_1: Option<&'a [Told; 2]>,
}

/// The fields of what is open after a unit.
#[derive(Clone)]
struct State<'m> {
    accepts: At<'m>,
    longer: Vec<At<'m>>,
    due: Vec<At<'m>>,
}

impl<'m> State<'m> {
    fn of(shape: &Shape, bits: At<'m>) -> Self {
        let (regions, more) = (shape.regions.len() as u32, shape.longest as u32 - 1);
        let field = |low: u32| (low..low + more).map(|bit| bits.bit(bit)).collect();
        Self { accepts: bits.bits(0..regions), longer: field(regions), due: field(regions + more) }
    }

    fn packed(&self) -> At<'m> {
        let more = self.longer.iter().chain(&self.due).copied();
        At::concat([self.accepts].into_iter().chain(more).collect::<Vec<_>>().into_iter().rev())
    }

    /// The state after a beat, with names for the fields that two registers load.
    fn named(&self) -> Self {
        let due = |(index, due): (usize, &At<'m>)| due.named(&format!("due_{}_after_beat", index + 1));
        let due = self.due.iter().enumerate().map(due).collect();
        Self { accepts: self.accepts.named("accepted_after_beat"), due, ..self.clone() }
    }

    /// The bits of both.
    fn with(&self, other: &Self, join: impl Fn(At<'m>, At<'m>) -> At<'m>) -> Self {
        let all =
            |own: &[At<'m>], other: &[At<'m>]| own.iter().zip(other).map(|(&a, &b)| join(a, b)).collect();
        Self {
            accepts: join(self.accepts, other.accepts),
            longer: all(&self.longer, &other.longer),
            due: all(&self.due, &other.due),
        }
    }
}

/// The first unit of a beat, compared with the sequence that is open before the beat. Both bits are 0 if that sequence is of an earlier frame.
#[derive(Clone, Copy)]
struct First<'m> {
    /// The unit is a trailing unit that the lead accepts.
    fits: At<'m>,
    /// The unit is a trailing unit; `None` in systems whose sequences have at most two units.
    trails: Option<At<'m>>,
}

impl<'m> Open<'_, 'm> {
    /// Follows the sequence that is open from beat to beat, and tells the lanes of it.
    pub(super) fn connect(&self) {
        let Self { shape, stages: Stages { state: at, flags, .. }, beat, lanes, last_unit, ports, .. } =
            *self;
        let m = beat.builder();
        let none = beat.is_empty();
        let after = gather("open", last_unit, &lanes.all(&ports.state));

        section(m, at - 1, "whether what earlier beats left open is of the frame of the beat");
        // The stage before decides everything that does not depend on the loop, so that few LUTs are in the loop.
        let registers = beat.valid.registers();
        let goes_on = self.goes_on(at - 1);
        let region = lanes.first(&ports.region).masked(goes_on).called("first_region").at(at);
        let first_trails = (shape.longest > 2).then(|| (self.trailing()[0] & goes_on).named("first_trails"));
        let has_units = beat.valid.at(at - 1) & !none.at(at - 1);
        let keeps = (goes_on & !has_units).called("stays_open").at(at);

        section(m, at, "the sequence that is open before the beat");
        let register = m.reg("open_before_reg", after.width()).at_stage(at).carried(at);
        let register = register.note(
            "what a lead as its last unit asks for, in the low bits; above, trailing units that are due",
        );
        let before = At::new(registers, register.q, at);
        let open = State::of(shape, before);
        let fits = (region & open.accepts).any().named("first_fits").called("is_first_fit");
        let next = self.next(&State::of(shape, after), &open, fits, first_trails);
        let after = next.with(&open, |next, now| next | now.masked(keeps)).named();
        register.next_when(registers.enable, after.packed().signal());
        let is_open = after.due.first().map_or(after.accepts, |&due| At::concat([due, after.accepts]));
        let is_open = is_open.registered("open_after");
        let before = before.masked(goes_on.at(at)).registered("open_before");

        let at = at + 1;
        section(m, at, "the first lanes, and the end of the frame");
        let first = First { fits: fits.at(at), trails: first_trails.map(|trails| trails.at(at)) };
        let open = State::of(shape, before);
        let swallowed = self.swallowed(none);
        let is_open =
            swallowed.map_or(is_open.any(), |swallowed| is_open.any().called("is_short_open") | swallowed);
        let ends_open = (beat.last & is_open).named("frame_ends_open");
        let refused = (open.accepts.any() & !none & !first.fits).called("cuts_lead_before");
        let cut = (refused | (none & ends_open)).called("cut_before").at(flags);
        lanes.connect(&ports.cut_before, |lane| if lane == 0 { cut } else { cut.lit(1, 0) });
        let ends_open = ends_open.called("ends_open").at(flags);
        lanes.connect(&ports.ends_open, |lane| ends_open & last_unit.at(flags).bit(lane as u32));
        let dues = ports.due_after.as_ref().map(|told| lanes.all(told));
        let from_before = self.due_before(&open, first);
        lanes.connect(&ports.due_before, |lane| {
            let of_beat = lane.checked_sub(1).and_then(|below| Some(dues.as_ref()?[below]));
            let due = At::any_of(of_beat.into_iter().chain(from_before.get(lane).copied()));
            due.unwrap_or(cut.lit(1, 0)).called(&format!("due_before_lane_{lane}"))
        });
        if let Some((told, heard)) = &ports.kind {
            let kinds = lanes.all(told);
            let before = gather::unit_before("kind", beat, last_unit, &kinds).before;
            lanes.connect_all(heard, &kinds.before(before));
        }
        if let Some(pair) = &ports.pair {
            pair.connect("pair", beat, lanes, last_unit);
        }
    }

    /// Bits of trailing units, of the first lanes.
    fn trailing(&self) -> Lanes<'m> {
        self.lanes.all(&self.ports.trailing)
    }

    /// Whether the beat of stage `at` continues the frame of the beat before. Reset clears this bit, so the state of the open sequence needs no reset.
    fn goes_on(&self, at: u32) -> At<'m> {
        let [valid, last] = [self.beat.valid, self.beat.last].map(|of_beat| of_beat.at(at));
        let registers = valid.registers();
        let register = registers.state("frame_goes_on_reg", 1).carried(at);
        let register = register.note("the frame of the beats before goes on");
        let goes_on = At::new(registers, register.q, at).called("frame_goes_on");
        registers.load(register, (valid & !last | goes_on & !valid).signal());
        goes_on
    }

    /// After the first unit of the beat, the sequence that was open before the beat has at least `index` + 1 units due.
    fn due_after_first(&self, open: &State<'m>, first: First<'m>, index: usize) -> At<'m> {
        let of_lead = first.fits & open.longer[index];
        match open.due.get(index + 1).zip(first.trails) {
            Some((&due, trails)) => of_lead | (trails & due),
            None => of_lead,
        }
    }

    /// Whether the units from the second to that of the lane are trailing units; the lane is not the first.
    fn run(&self, lane: usize, stage: u32) -> At<'m> {
        let trailing = self.trailing().at(stage);
        (2..=lane).fold(trailing[1], |run, lane| run & trailing[lane])
    }

    /// The state after a beat with units. `fits` and `trails` belong to the first unit, and `trails` is a signal of the stage before.
    fn next(&self, fresh: &State<'m>, open: &State<'m>, fits: At<'m>, trails: Option<At<'m>>) -> State<'m> {
        let Self { stages: Stages { state: at, .. }, beat, last_unit, .. } = *self;
        // The unit of the lane is the last of the beat, and all units after the first one are trailing units.
        let ends = |lane: usize| {
            let of_stage = |stage: u32| last_unit.at(stage).bit(lane as u32);
            let ends = match lane {
                0 => of_stage(at - 1),
                _ => (of_stage(at - 1) & self.run(lane, at - 1)).named(&format!("ends_in_lane_{lane}")),
            };
            let trails = trails.map(|trails| (ends & trails).called(&format!("trails_to_lane_{lane}")));
            (if lane == 0 { of_stage(at) } else { ends.at(at) }, trails)
        };
        let ends: Vec<_> = (0..open.due.len().min(beat.lanes())).map(ends).collect();
        let due = |index: usize| {
            let after = |(lane, &(ends, trails)): (usize, &(At<'m>, Option<At<'m>>))| {
                let of_lead = fits & open.longer[index + lane] & ends;
                match open.due.get(index + lane + 1).zip(trails) {
                    Some((&due, trails)) => of_lead | (due & trails.at(at)),
                    None => of_lead,
                }
            };
            let lanes = ends.iter().enumerate().take(open.due.len() - index);
            fresh.due[index] | At::any_of(lanes.map(after)).expect("after the first unit")
        };
        State { due: (0..open.due.len()).map(due).collect(), ..fresh.clone() }
    }

    /// For each of the first lanes: a trailing unit is due before its unit, in the sequence before the beat.
    fn due_before(&self, open: &State<'m>, first: First<'m>) -> Vec<At<'m>> {
        let of_first = open.due.first().map_or(first.fits, |&due| due | first.fits);
        let later = (1..=open.due.len()).take(self.beat.lanes() - 1).map(|lane| {
            let due = self.due_after_first(open, first, lane - 1);
            if lane == 1 { due } else { due & self.run(lane - 1, first.fits.stage()) }
        });
        [of_first].into_iter().chain(later).collect()
    }

    /// Connects runs that are one error, or sequences after FF. Whether one is open after the beat.
    fn swallowed(&self, none: At<'m>) -> Option<At<'m>> {
        let Self { shape, beat, lanes, ports, last_unit, .. } = *self;
        if let Some(ports) = &ports.runs {
            let trailing = lanes.all(&ports.trailing);
            let valid = beat.held("unit_held");
            let keeps = trailing.iter().zip(valid.iter()).map(|(&trailing, &valid)| trailing | !valid);
            let keeps = keeps.enumerate().map(|(lane, is)| is.named(&format!("keeps_run_of_lane_{lane}")));
            let keeps = Lanes::new("run_keeps", keeps);
            let opener = lanes.all(&ports.opener);
            let sets = opener.iter().zip(valid.iter()).map(|(&opener, &valid)| opener & valid);
            let sets = sets.enumerate().map(|(lane, is)| is.named(&format!("opens_run_of_lane_{lane}")));
            let sets = Lanes::new("run_opens", sets);
            let carries = Carries { sets, keeps, invert: false, valid: beat.valid, last: beat.last };
            let runs = carries.carried("run");
            lanes.connect_all(&ports.in_run, &runs.after);
            lanes.connect_all(&ports.before_in_run, &runs.after.before(runs.before));
            return Some(runs.after.end().called("open_run"));
        }
        let (ports, [unit_1, valid_1]) = (ports.tail.as_ref()?, self.unit_1?);
        let tails = shape.tails.as_ref().expect("sequences after FF");
        let unit_1 = lanes.all(unit_1);
        let widths = vec![shape.leads.forms.unit_bits; tails.units_before()];
        let units = history(beat, &unit_1, &widths);
        let kinds = Kinds::new(beat.valid.registers(), &shape.layout);
        let position = tails.decode(beat, Units::new(unit_1, lanes.all(valid_1), &units), &kinds);
        lanes.connect_all(&ports.continues, &position.continues);
        lanes.connect_all(&ports.open_before, &position.open.before(position.open_before));
        if let Some(heard) = &ports.kind {
            lanes.connect_all(heard, &position.kind);
        }
        let at = position.open_before.stage();
        section(beat.builder(), at, "whether a sequence after FF is open after the beat");
        let last_unit = last_unit.at(at);
        let open = position.open.iter().enumerate().map(|(lane, &open)| open & last_unit.bit(lane as u32));
        let open = At::any_of(open).expect("a lane") | (none & position.open_before);
        Some(open.named("tail_open_after"))
    }
}
