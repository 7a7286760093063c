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

use std::rc::Rc;
use std::sync::Arc;

use super::gather::{self, gather};
use super::pattern::PatternPorts;
use super::{Marked, Marks, PassedPorts};
use crate::core::Verdict;
use crate::core::lanes::scan::{self, Carries};
use crate::core::lanes::{
    At, Beat, Cell, Heard, Instances, Lane, LaneModule, Lanes, Told, Value, history, section,
};
use crate::core::many_lanes::decoder::prefix::{Class, Shape, has_wrong_units, unit};
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::many_lanes::decoder::utf_inf_8::Units;
use crate::core::many_lanes::logic::blocks;
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::Module;

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

/// Steps in which what is due after a unit is found from the units before it, each twice as far as the one before.
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

/// Values of a unit that the units after it need.
struct Values {
    trailing: Value,
    /// Bit per region: a trailing unit of it.
    region: Value,
    accepts: Value,
    lead: Value,
    /// Entry n: of a lead, that n + 2 trailing units at least follow.
    longer: Vec<Value>,
    /// A trailing unit that the lead before it accepts.
    fits: Value,
    /// Entry n: after the unit, which is a trailing unit, n + 1 further ones at least are due.
    due: Vec<Value>,
    kind: Value,
}

/// A value that one unit asks for of the unit `back` before.
fn asked(value: Value, back: usize) -> Value {
    value.widths((1..=back).map(|at| u32::from(at == back)))
}

impl Values {
    fn new(shape: &Rc<Shape>, stages: Stages) -> Self {
        let Stages { class, near, .. } = stages;
        let regions = shape.regions.len() as u32;
        let of_class = |name: &str, note: &'static str, make: fn(Class<'_>) -> At<'_>| {
            Value::new(name, note, move |cell| make(Class::of(cell, class))).at(class)
        };
        let trailing = of_class("trailing", "a trailing unit", |class| class.trailing());
        let accepts =
            of_class("accepts", "of a lead: the trailing units that it accepts", |class| class.accepts())
                .widths([regions]);
        let lead = of_class("lead", "a lead that sequences begin with", |class| class.lead());
        let region = {
            let (shape, trailing) = (Rc::clone(shape), trailing.clone());
            Value::new("region", "bit per region: a trailing unit of it", move |cell| {
                let is_trailing = cell.of(0, &trailing);
                if shape.regions.len() == 1 {
                    return is_trailing;
                }
                let data = cell.unit().at(class).bits(0..shape.leads.forms.trailing_bits());
                let width = data.width();
                // Tests of the upper bits: a comparison would become a carry chain.
                let of = |range: &std::ops::Range<u64>| {
                    let blocks = blocks(width, &|data| range.contains(&data));
                    let is_in = blocks.into_iter().map(|(low, block)| data.bits(low..width).is(block));
                    At::any_of(is_in).expect("a region has units")
                };
                let regions = At::concat(shape.regions.iter().rev().map(of));
                regions.masked(is_trailing)
            })
            .at(class)
            .named()
        };
        let fits = {
            let (region, accepts) = (region.clone(), accepts.clone());
            Value::new("fits", "a trailing unit that the lead before accepts", move |cell| {
                (cell.of(0, &region) & cell.of(1, &accepts)).any()
            })
            .named()
        };
        let longer = |least: usize| {
            let note = "of a lead: that number of trailing units at least";
            Value::new(format!("longer_{least}"), note, move |cell| Class::of(cell, class).longer(least))
                .at(class)
        };
        let longer: Vec<Value> = (2..=shape.longest).map(longer).collect();
        let due = due(&fits, &longer, &trailing, near);
        let kind =
            of_class("kind", "of a lead: the kind of error with a unit that it does not accept", |class| {
                class.kind()
            })
            .widths([shape.layout.kind_bits]);
        Self { trailing, region, accepts, lead, longer, fits, due, kind }
    }
}

/// How many trailing units are due after a unit, as far as its beat decides that.
fn due(fits: &Value, longer: &[Value], trailing: &Value, near: u32) -> Vec<Value> {
    let note = "after it, that number of trailing units at least is due";
    let first = |(index, longer): (usize, &Value)| {
        let (fits, longer) = (fits.clone(), longer.clone());
        let value = Value::new(format!("due_{}", index + 1), note, move |cell| {
            cell.of(0, &fits) & cell.of(1, &longer)
        });
        asked(value.at(near), 1)
    };
    let mut due: Vec<Value> = longer.iter().enumerate().map(first).collect();
    let mut run = {
        let trailing = trailing.clone();
        let value = Value::new("run_of_1", "a trailing unit", move |cell| cell.of(0, &trailing));
        asked(value.at(near), 1)
    };
    let mut reach = 1;
    let mut at = near;
    while reach < due.len() {
        let next = |index: usize| {
            let (own, before, run) = (due[index].clone(), due.get(index + reach).cloned(), run.clone());
            let name = format!("due_{}_of_{}", index + 1, 2 * reach);
            let value = Value::new(name, note, move |cell| match &before {
                Some(before) => cell.of(0, &own) | (cell.of(0, &run) & cell.of(reach, before)),
                None => cell.of(0, &own),
            });
            asked(value.at(at + 1), 2 * reach)
        };
        let doubled: Vec<Value> = (0..due.len()).map(next).collect();
        let value = {
            let run = run.clone();
            Value::new(format!("run_of_{}", 2 * reach), "so are the units before it", move |cell| {
                cell.of(0, &run) & cell.of(reach, &run)
            })
        };
        run = asked(value.at(at + 1), 2 * reach);
        due = doubled;
        reach *= 2;
        at += 1;
    }
    due
}

/// The ports of a lane.
struct Ports {
    passed: PassedPorts,
    unit_1: Option<[Told; 2]>,
    sequence: Option<SequencePorts>,
    newline: Option<PatternPorts>,
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

/// Ports for runs of units that are one error. They say that the unit opens a run, that it is a trailing unit, that it is in a run, and
/// that the unit before it is in one.
struct RunPorts {
    opener: Told,
    trailing: Told,
    in_run: Heard,
    before_in_run: Heard,
}

/// Of sequences after FF: the unit continues one; one is open before the unit; the kind of error if the unit breaks one.
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
        lane.set_class(instance.input("unit", unit_1.signal()));

        lane.section(class, "the unit beside the one before it");
        let of_class = Class::of(lane, class);
        let known = valid.at(class);
        let wrong = has_wrong_units(shape).then(|| (of_class.wrong() & known).called("is_wrong").at(near));
        let newline = verdict.newline.then(|| self.newline(unit.at(class), known)).unzip();
        let (marks, sequence) = if shape.has_sequences() {
            let (marks, sequence) = self.sequence(known, wrong, newline.0);
            (marks, Some(sequence))
        } else {
            let none = lane.lit(1, 0);
            let kind = wrong.filter(|_| verdict.kinds).map(|_| of_class.kind().called("kind"));
            let start = verdict.start.then_some(valid);
            let bad = (wrong.unwrap_or(none), kind);
            (Marks { cut: (none, None), bad, start, newline: newline.0 }, None)
        };
        let passed = PassedPorts::new(lane, unit_heard, [unit, valid], marks, verdict, flags);
        Ports { passed, unit_1: told_1, sequence, newline: newline.1.flatten() }
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
    ) -> (Marks<'m>, SequencePorts) {
        let Self { lane, shape, stages: Stages { near, due, state, flags, .. }, values, verdict, .. } = *self;
        let (trailing, fits) = (lane.own(&values.trailing), lane.own(&values.fits));
        let refused = valid & lane.of(1, &values.lead) & !fits;
        let refused = refused.called("cuts_lead").note("the lead before does not accept it").at(near);
        let stray = (valid & trailing & !fits).called("may_be_stray").at(near);
        let fits = verdict.start.then(|| fits.called("is_first").at(near));
        let note = "bit per region: a trailing unit of it";
        let region = lane.tell("region_out", lane.own(&values.region).at(state), note);
        let told_trailing = lane.tell("unit_trails", trailing.at(state), "it is a trailing unit");
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
        let stray = stray & !due_before;
        let stray = swallowed.as_ref().map_or(stray, |of| stray & !of.continues);
        let bad =
            At::any_of([Some(stray), wrong, pair, Some(ends_open)].into_iter().flatten()).expect("some");
        let start = fits.map(|fits| {
            let continues = fits | (trailing & due_before);
            let continues = swallowed.as_ref().map_or(continues, |of| continues | of.continues);
            valid & !continues
        });
        let (kinds, kind) = verdict
            .kinds
            .then(|| {
                let (told, heard, before) = self.kind_before();
                let truncated = self.kinds.code(ErrorKind::Truncated);
                let of_cut = (trailing & valid).mux(before, truncated);
                let of_cut = match &swallowed {
                    Some(Swallowed { kind: Some(kind), before, .. }) => before.mux(*kind, of_cut),
                    _ => of_cut,
                };
                let of_end = match &swallowed {
                    Some(Swallowed { in_run: Some(in_run), kind: Some(kind), .. }) => {
                        in_run.at(flags).mux(*kind, truncated)
                    }
                    _ => truncated,
                };
                let own = lane.own(&values.kind).at(flags);
                let own =
                    pair.map_or(own, |pair| pair.at(flags).mux(self.kinds.code(ErrorKind::Surrogate), own));
                ((of_cut, ends_open.mux(of_end, own)), (told, heard))
            })
            .unzip();
        let (of_cut, of_bad) = kinds.unzip();
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

/// What is open before each beat.
struct Open<'a, 'm> {
    shape: &'a Shape,
    stages: Stages,
    beat: &'a Beat<'m>,
    lanes: &'a Instances<'a, 'm>,
    last_unit: At<'m>,
    ports: &'a SequencePorts,
    unit_1: Option<&'a [Told; 2]>,
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

impl<'m> Open<'_, 'm> {
    /// Follows the sequence that is open from beat to beat, and tells the lanes of it.
    fn connect(&self) {
        let Self { shape, stages: Stages { state: at, flags, .. }, beat, lanes, last_unit, ports, .. } =
            *self;
        let m = beat.builder();
        let none = beat.is_empty();
        let after = gather("open", last_unit, &lanes.all(&ports.state));
        let region = lanes.first(&ports.region);

        section(m, at, "the sequence that is open before the beat");
        let registers = beat.valid.registers();
        let register = registers.state("open_before_reg", after.width());
        let register = register.note(
            "what a lead as its last unit asks for, in the low bits; above, trailing units that are due",
        );
        let register = register.carried(at);
        let before = At::new(registers, register.q, at).called("open_before");
        let open = State::of(shape, before);
        let fits = (region & open.accepts).any().named("first_fits").called("is_first_fit");
        let next = self.next(&State::of(shape, after), &open, fits);
        // The stage before decides everything that does not depend on the loop, so that few LUTs are in the loop.
        let (valid, last) = (beat.valid.at(at - 1), beat.last.at(at - 1));
        // Also the register of this bit is cleared after reset: it would load what the stages held before.
        let continues = (valid & !last).called("frame_continues").flag().at(at);
        let keeps = (!(valid & (last | !none.at(at - 1)))).called("stays_open").at(at);
        let kept = next.with(&open, |next, now| next.masked(continues) | now.masked(keeps));
        registers.load(register, kept.packed().signal());
        let after = next.with(&open, |next, now| next | now.masked(none.at(at)));
        let is_open = after.due.first().map_or(after.accepts, |&due| At::concat([due, after.accepts]));
        let is_open = is_open.registered("open_after");

        let at = at + 1;
        section(m, at, "the first lanes, and the end of the frame");
        let (fits, open) = (fits.at(at), State::of(shape, before.at(at)));
        let swallowed = self.swallowed(none);
        let is_open =
            swallowed.map_or(is_open.any(), |swallowed| is_open.any().called("is_short_open") | swallowed);
        let ends_open = (beat.last & is_open).named("frame_ends_open");
        let refused = (open.accepts.any() & !none & !fits).called("cuts_lead_before");
        let cut = (refused | (none & ends_open)).called("cut_before").at(flags);
        lanes.connect(&ports.cut_before, |lane| if lane == 0 { cut } else { cut.lit(1, 0) });
        let ends_open = ends_open.called("ends_open").at(flags);
        lanes.connect(&ports.ends_open, |lane| ends_open & last_unit.at(flags).bit(lane as u32));
        let dues = ports.due_after.as_ref().map(|told| lanes.all(told));
        let from_before = self.due_before(&open, fits);
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

    /// After the first unit of the beat, the sequence that was open before the beat has at least `index` + 1 units due.
    fn due_after_first(&self, open: &State<'m>, fits: At<'m>, index: usize) -> At<'m> {
        let of_lead = fits & open.longer[index];
        match open.due.get(index + 1) {
            Some(&due) => of_lead | (self.trailing()[0] & due),
            None => of_lead,
        }
    }

    /// Whether the units from the second to that of the lane are trailing units; the lane is not the first.
    fn run(&self, lane: usize, stage: u32) -> At<'m> {
        let trailing = self.trailing().at(stage);
        (2..=lane).fold(trailing[1], |run, lane| run & trailing[lane])
    }

    /// The sequence that is open after a beat with units.
    fn next(&self, fresh: &State<'m>, open: &State<'m>, fits: At<'m>) -> State<'m> {
        let Self { stages: Stages { state: at, .. }, beat, last_unit, .. } = *self;
        let due = |index: usize| {
            let after = |lane: usize| {
                let ends = last_unit.at(at).bit(lane as u32);
                let due = self.due_after_first(open, fits, index + lane) & ends;
                if lane == 0 { due } else { due & self.run(lane, at) }
            };
            let lanes = (open.due.len() - index).min(beat.lanes());
            let remains = At::any_of((0..lanes).map(after)).expect("after the first unit");
            (fresh.due[index] | remains).named(&format!("due_{}_after_beat", index + 1))
        };
        State { due: (0..open.due.len()).map(due).collect(), ..fresh.clone() }
    }

    /// For each of the first lanes: a trailing unit is due before its unit, in the sequence before the beat.
    fn due_before(&self, open: &State<'m>, fits: At<'m>) -> Vec<At<'m>> {
        let first = open.due.first().map_or(fits, |&due| due | fits);
        let later = (1..=open.due.len()).take(self.beat.lanes() - 1).map(|lane| {
            let due = self.due_after_first(open, fits, lane - 1);
            if lane == 1 { due } else { due & self.run(lane - 1, fits.stage()) }
        });
        [first].into_iter().chain(later).collect()
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
