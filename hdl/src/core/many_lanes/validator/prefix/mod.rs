//! Validators of several lanes for the systems whose lead units give the length.
//!
//! Each lane finds what its unit is to the units before it in the same beat. What is open after a beat follows from its last unit, or,
//! where a sequence of earlier beats reaches through all of it, from what was open before. That is the one loop, of a few bits: the
//! trailing units that the last unit accepts, and how many are due. It changes the marks of a few lanes only, since a sequence is short.
//!
//! ```text
//!  beat             9F 98 80 41 E2 82          F0 is the last unit before
//!  in the beat      t  t  t  .  l  1           t: trailing, and nothing before it accepts it; l: lead; 1: first after a lead
//!  from before      1  2  3                    9F is the first of three that F0 accepts
//!  open after                        1 due     E2 82 asks for one more
//! ```

mod nul;
mod open;
mod values;

use std::rc::Rc;
use std::sync::Arc;

use super::gather;
use super::pattern::PatternPorts;
use super::{Marked, Marks, PassedPorts};
use crate::core::Verdict;
use crate::core::lanes::scan;
use crate::core::lanes::{At, Beat, Cell, Heard, Instances, Lane, LaneModule, Told, section};
use crate::core::many_lanes::decoder::prefix::{Class, Shape, has_wrong_units, unit};
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::Module;
use nul::{Nul, NulPorts};
use open::Open;
use values::Values;

/// The stages of a validator.
#[derive(Clone, Copy)]
struct Stages {
    /// The beat comes in.
    first: u32,
    /// The class of each unit is known.
    class: u32,
    /// Neighbours are compared.
    near: u32,
    /// The trailing units that are due after each unit are known, as far as the beat decides that.
    due: u32,
    /// The trailing units that are due are known for the beat together with the beats before it.
    state: u32,
    /// Runs that are one error are known, and sequences after FF of UTF-∞-8; where there are such.
    swallowed: u32,
    /// Which units are errors is decided.
    flags: u32,
}

/// The number of steps that find how many trailing units are due after a unit: each step looks back twice as far as the step before.
fn doublings(longest: usize) -> u32 {
    longest.saturating_sub(1).next_power_of_two().trailing_zeros()
}

impl Stages {
    fn new(shape: &Shape, beat: &Beat<'_>) -> Self {
        let first = beat.stage();
        let (class, near) = (first + 2, first + 3);
        let due = near + doublings(shape.longest);
        if !shape.has_sequences() {
            return Self { first, class, near, due, state: class, swallowed: class, flags: near };
        }
        let state = due + gather::stages(beat.lanes());
        let swallowed = match &shape.tails {
            Some(tails) => tails.standing(beat.lanes()),
            None if shape.has_runs() => class + scan::stages(beat.lanes()),
            None => class,
        };
        // An occurrence of a pattern is known when the state is.
        Self { first, class, near, due, state, swallowed, flags: swallowed.max(state + 1) + 1 }
    }
}

/// The ports of a lane.
struct Ports {
    passed: PassedPorts,
    unit_1: Option<[Told; 2]>,
    sequence: Option<SequencePorts>,
    newline: Option<PatternPorts>,
    nul: Option<NulPorts>,
}

/// Ports of a system in which some sequence has more than one unit.
struct SequencePorts {
    /// The sequence that is open after the unit.
    state: Told,
    trailing: Told,
    region: Told,
    /// A trailing unit is due after the unit; where leads ask for more than one.
    due_after: Option<Told>,
    /// The kind of error of the unit, which the next lane asks for; and that of the unit before.
    kind: Option<(Told, Heard)>,
    due_before: Heard,
    cut_before: Heard,
    ends_open: Heard,
    runs: Option<RunPorts>,
    tail: Option<TailPorts>,
    pair: Option<PatternPorts>,
}

/// Ports of a lane for runs of units that are one error: the unit of the lane opens a run, is a trailing unit, is in a run; the unit before
/// that unit is in a run.
struct RunPorts {
    opener: Told,
    trailing: Told,
    in_run: Heard,
    before_in_run: Heard,
}

/// Ports about sequences that begin with FF: the unit continues such a sequence; such a sequence is open before the unit; the kind of error
/// if the unit breaks it.
struct TailPorts {
    continues: Heard,
    open_before: Heard,
    kind: Option<Heard>,
}

/// Passes a beat on, with its marks.
pub(super) fn marked<'m>(shape: Shape, verdict: Verdict, beat: &Beat<'m>) -> Marked<'m> {
    let shape = Rc::new(shape.for_validator(verdict));
    let stages = Stages::new(&shape, beat);
    let values = Values::new(&shape, stages);
    let classify = unit(beat.builder(), &shape, stages.class);
    let (module, ports) = LaneModule::build(
        beat,
        "A unit on its way from the bus to the output: its class, what it is to the units before it, and its marks.",
        |lane| {
            let kinds = Kinds::new(lane.registers(), &shape.layout);
            let making = Making { lane, shape: &shape, stages, values: &values, kinds, verdict };
            making.ports(&classify)
        },
    );
    let lanes = Instances::new(beat, &module, &ports.passed.unit);
    lanes.link_within_beat();
    let last_unit = gather::last_unit(beat);
    if let Some(sequence) = &ports.sequence {
        Open {
            shape: &shape,
            stages,
            beat,
            lanes: &lanes,
            last_unit,
            ports: sequence,
            unit_1: ports.unit_1.as_ref(),
        }
        .connect();
    }
    if let Some(newline) = &ports.newline {
        newline.connect("newline", beat, &lanes, last_unit);
    }
    if let Some(nul) = &ports.nul {
        nul.connect(beat, &lanes, [stages.near, stages.flags]);
    }
    section(beat.builder(), stages.flags + 1, "the marks");
    ports.passed.marked(&lanes)
}

/// A lane that is being built.
struct Making<'a, 'm> {
    lane: &'a Lane<'m>,
    shape: &'a Shape,
    stages: Stages,
    values: &'a Values,
    kinds: Kinds<'m>,
    verdict: Verdict,
}

/// The units of U+000A; `None` if it is one unit of that value.
fn line_feed(shape: &Shape) -> Option<Vec<u64>> {
    const LINE_FEED: u128 = 0xa;
    let forms = &shape.leads.forms;
    let form = forms.forms.iter().find(|form| form.first <= LINE_FEED && LINE_FEED <= form.last)?;
    let trailing = forms.trailing.filter(|_| form.trailing > 0)?;
    let bits = trailing.data_bits;
    let below = |at: u32| (LINE_FEED >> (at * bits)) as u64;
    let units = (0..form.trailing).rev().map(|at| trailing.marker | (below(at) & ((1 << bits) - 1)));
    Some([form.lead.marker | below(form.trailing)].into_iter().chain(units).collect())
}

impl<'m> Making<'_, 'm> {
    fn ports(&self, classify: &Arc<Module>) -> Ports {
        let Self { lane, shape, stages: Stages { first, class, near, flags, .. }, verdict, .. } = *self;
        let (nul, nul_ports) = shape.leads.nul_is_error().then(|| Nul::new(lane, near, flags)).unzip();
        let bits = shape.leads.forms.unit_bits;
        let (unit, valid, unit_heard) = lane.hear_unit(bits, first);
        lane.section(first + 1, "the unit, and its class");
        let unit_1 = unit.at(first + 1);
        let told_1 = shape.tails.is_some().then(|| {
            let unit = lane.tell("unit_1", unit_1, "the unit");
            [unit, lane.tell("unit_valid_1", valid.at(first + 1), "there is one")]
        });
        lane.set_unit(unit_1, valid);
        let instance =
            lane.builder().instance("unit_class", classify).input("advance", lane.registers().enable);
        lane.set_class(instance.input("unit", unit.signal()));

        lane.section(class, "the unit beside the one before it");
        let of_class = Class::of(lane, class);
        let known = valid.at(class);
        let wrong = has_wrong_units(shape).then(|| (of_class.wrong() & known).called("is_wrong").at(near));
        let wrong = nul.map_or(wrong, |nul| wrong.map(|wrong| (wrong & !nul.withheld).called("is_error")));
        let newline = verdict.newline.then(|| self.newline(unit.at(class), known)).unzip();
        let (marks, sequence) = if shape.has_sequences() {
            let (marks, sequence) = self.sequence(known, wrong, newline.0, nul);
            (marks, Some(sequence))
        } else {
            let none = lane.lit(1, 0);
            let kind = wrong.filter(|_| verdict.kinds).map(|_| of_class.kind().called("kind"));
            let start = verdict.start.then_some(valid);
            let bad = (wrong.unwrap_or(none), kind);
            (Marks { cut: (none, None), bad, start, newline: newline.0 }, None)
        };
        let passed = PassedPorts::new(lane, unit_heard, [unit, valid], marks, verdict, flags);
        Ports { passed, unit_1: told_1, sequence, newline: newline.1.flatten(), nul: nul_ports }
    }

    /// Whether the unit completes U+000A.
    fn newline(&self, unit: At<'m>, valid: At<'m>) -> (At<'m>, Option<PatternPorts>) {
        let Self { lane, shape, stages: Stages { state, .. }, .. } = *self;
        match line_feed(shape) {
            None => ((valid & unit.is(0xa)).called("is_newline"), None),
            Some(units) => {
                let parts = units.iter().map(|&value| (format!("is_{value:b}"), unit.is(value)));
                let (is, ports) = PatternPorts::new(lane, "newline", parts.collect(), state);
                ((is & valid).called("is_newline"), Some(ports))
            }
        }
    }

    /// The marks where sequences have more than one unit.
    fn sequence(
        &self,
        valid: At<'m>,
        wrong: Option<At<'m>>,
        newline: Option<At<'m>>,
        nul: Option<Nul<'m>>,
    ) -> (Marks<'m>, SequencePorts) {
        let Self { lane, shape, stages: Stages { near, due, state, flags, .. }, values, verdict, .. } = *self;
        let (trailing, fits) = (lane.own(&values.trailing), lane.own(&values.fits));
        let refused = valid & lane.of(1, &values.lead) & !fits;
        let refused = refused.called("cuts_lead").note("the lead before does not accept it").at(near);
        let stray = (valid & trailing & !fits).called("may_be_stray").at(near);
        let fits = verdict.start.then(|| fits.called("is_first").at(near));
        let note = "bit per region: a trailing unit of it";
        let region = lane.tell("region_out", lane.own(&values.region).at(state - 1), note);
        let told_trailing = lane.tell("unit_trails", trailing.at(state - 1), "it is a trailing unit");
        let longer = values.longer.iter().map(|value| lane.own(value));
        let dues = values.due.iter().map(|value| lane.own(value));
        let open: Vec<At> = [lane.own(&values.accepts)].into_iter().chain(longer).chain(dues).collect();
        let open = At::concat(open.into_iter().rev().map(|bits| bits.at(due)));
        let note = "what is open after it: units that are due, in the low bits what a lead asks for";
        let open = lane.tell("open", open, note);
        let due_after = values.due.first().map(|due| {
            lane.tell("due_after", lane.own(due).called("due").at(state), "a trailing unit is due after it")
        });
        let (pair, pair_ports) = shape.has_pairs().then(|| self.pair(valid, trailing)).unzip();
        let (swallowed, runs, tail) = self.swallowed(trailing & valid);

        lane.section(flags, "the marks");
        let (due_before, due_heard) = lane.hear("due_before", 1, flags, "a trailing unit is due before it");
        let (cut_before, cut_heard) =
            lane.hear("cut_before", 1, flags, "the sequence before the beat is cut short by it");
        let (ends_open, ends_heard) =
            lane.hear("ends_open", 1, flags, "the frame ends with it, in a sequence");
        let (valid, trailing) = (valid.at(flags), trailing.at(flags));
        let cut = refused | cut_before | (due_before & valid & !trailing);
        let cut = swallowed.as_ref().map_or(cut, |of| cut | (of.before & valid & !of.continues));
        let cut = nul.map_or(cut, |nul| cut | nul.before);
        let stray = stray & !due_before;
        let stray = swallowed.as_ref().map_or(stray, |of| stray & !of.continues);
        let bad =
            At::any_of([Some(stray), wrong, pair, Some(ends_open)].into_iter().flatten()).expect("some");
        let start = fits.map(|fits| {
            let continues = fits | (trailing & due_before);
            let continues = swallowed.as_ref().map_or(continues, |of| continues | of.continues);
            valid & !continues
        });
        let kinds = verdict.kinds.then(|| self.kinds_of_marks(trailing & valid, ends_open, pair, &swallowed));
        let (kinds, kind) = kinds.unzip();
        let (of_cut, of_bad) = kinds.unzip();
        let of_cut = match (of_cut, nul) {
            (Some(kind), Some(nul)) => Some(nul.before.mux(self.kinds.code(ErrorKind::Nul), kind)),
            _ => of_cut,
        };
        let marks = Marks { cut: (cut, of_cut), bad: (bad, of_bad), start, newline };
        let ports = SequencePorts {
            state: open,
            trailing: told_trailing,
            region,
            due_after,
            kind,
            due_before: due_heard,
            cut_before: cut_heard,
            ends_open: ends_heard,
            runs,
            tail,
            pair: pair_ports,
        };
        (marks, ports)
    }

    /// The kinds of the errors that `cut` and `bad` stand for, and the ports. `trailing`: there is a unit, a trailing one.
    fn kinds_of_marks(
        &self,
        trailing: At<'m>,
        ends_open: At<'m>,
        pair: Option<At<'m>>,
        swallowed: &Option<Swallowed<'m>>,
    ) -> ((At<'m>, At<'m>), (Told, Heard)) {
        let Self { lane, stages: Stages { flags, .. }, values, .. } = *self;
        let (told, heard, before) = self.kind_before();
        let truncated = self.kinds.code(ErrorKind::Truncated);
        let of_cut = trailing.mux(before, truncated);
        let of_cut = match swallowed {
            Some(Swallowed { kind: Some(kind), before, .. }) => before.mux(*kind, of_cut),
            _ => of_cut,
        };
        let of_end = match swallowed {
            Some(Swallowed { in_run: Some(in_run), kind: Some(kind), .. }) => {
                in_run.at(flags).mux(*kind, truncated)
            }
            _ => truncated,
        };
        let own = lane.own(&values.kind).at(flags);
        let own = pair.map_or(own, |pair| pair.at(flags).mux(self.kinds.code(ErrorKind::Surrogate), own));
        ((of_cut, ends_open.mux(of_end, own)), (told, heard))
    }

    /// The kind of error of the unit before, which cuts the unit off; and the ports.
    fn kind_before(&self) -> (Told, Heard, At<'m>) {
        let Self { lane, shape, stages: Stages { due, flags, .. }, values, .. } = *self;
        let note = "if it is refused, or a lead before refuses the next, the kind of error";
        let told = lane.tell("kind_out", lane.own(&values.kind).at(due), note);
        let bits = shape.layout.kind_bits;
        let (before, heard) = lane.hear("kind_before", bits, flags, "the same of the unit before");
        (told, heard, before)
    }

    /// Whether the unit ends a pair of surrogates, which is an error.
    fn pair(&self, valid: At<'m>, trailing: At<'m>) -> (At<'m>, PatternPorts) {
        let Self { lane, stages: Stages { class, state, .. }, .. } = *self;
        let unit = lane.unit().at(class);
        let upper = |value: u64| unit.bits(4..8).is(value);
        let (lead, second) = (unit.is(0xed), |half| upper(half));
        let parts = [
            ("is_ed", lead),
            ("is_second_of_high", second(0xa)),
            ("is_third", trailing),
            ("is_ed", lead),
            ("is_second_of_low", second(0xb)),
            ("is_third", trailing),
        ];
        let parts = parts.map(|(name, is)| (name.to_owned(), is)).into();
        let (is, ports) = PatternPorts::new(lane, "pair", parts, state);
        ((is & valid).called("ends_valid_pair"), ports)
    }

    /// The state at the unit of a run that is one error, or of a sequence after FF.
    fn swallowed(&self, trailing: At<'m>) -> (Option<Swallowed<'m>>, Option<RunPorts>, Option<TailPorts>) {
        let Self { lane, shape, stages: Stages { class, swallowed, .. }, verdict, .. } = *self;
        let of_class = Class::of(lane, class);
        if shape.has_runs() {
            let opener = lane.tell("opener", of_class.opener(), "it opens a run that is one error");
            let told = lane.tell("trailing_at_class", of_class.trailing(), "it is a trailing unit");
            let (in_run, heard) = lane.hear("in_run", 1, swallowed, "it is in a run that is one error");
            let (before, before_heard) = lane.hear("before_in_run", 1, swallowed, "the unit before it is");
            let kind = verdict.kinds.then(|| self.kinds.code(shape.leads.kind_of_neither()));
            let continues = (in_run & before).named("continues_run");
            let ports = RunPorts { opener, trailing: told, in_run: heard, before_in_run: before_heard };
            return (Some(Swallowed { continues, before, in_run: Some(in_run), kind }), Some(ports), None);
        }
        if shape.tails.is_some() {
            let (continues, heard) =
                lane.hear("tail_continues", 1, swallowed, "it continues a sequence after FF");
            let (before, before_heard) =
                lane.hear("tail_before", 1, swallowed, "a sequence after FF is open before it");
            let (kind, kind_heard) = verdict
                .kinds
                .then(|| {
                    let note = "if it breaks that, the kind of error";
                    let (kind, heard) = lane.hear("tail_kind", shape.layout.kind_bits, swallowed, note);
                    let trails = trailing.called("valid_trailing").at(swallowed);
                    (trails.mux(kind, self.kinds.code(ErrorKind::Truncated)).called("kind_of_tail"), heard)
                })
                .unzip();
            let ports = TailPorts { continues: heard, open_before: before_heard, kind: kind_heard };
            return (Some(Swallowed { continues, before, in_run: None, kind }), None, Some(ports));
        }
        (None, None, None)
    }
}

/// A run that is one error, or a sequence after FF, at a unit.
struct Swallowed<'m> {
    /// The unit continues it.
    continues: At<'m>,
    /// One is open before the unit.
    before: At<'m>,
    /// The unit is in a run.
    in_run: Option<At<'m>>,
    /// The kind of the error, if the unit ends it; where kinds are given.
    kind: Option<At<'m>>,
}
