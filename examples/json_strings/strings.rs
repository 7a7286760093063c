//! The design of the example: a decoder of eight octets a cycle, and a block that finds the string literals of JSON in what it decodes.
//!
//! ```text
//! octets -> decoder -> mark_strings -> code points with marks
//! ```

use std::sync::Arc;

use utfhdl_hdl::core::{Core, CoreError, CoreSpec, Role, System};
use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle, Signal};
use utfhdl_hdl::stream::AxiBeat;

/// Name of the top module.
pub const NAME: &str = "json_strings";

/// Octets, and code points, of a beat.
pub const LANES: u32 = 8;

/// Bits of a lane: of its code point, of what the decoder says of it, and of its marks.
const DATA_BITS: u32 = 32;
const USER_BITS: u32 = 4;

/// The marks of a code point: bits of `m_axis_tuser`, four for each lane.
pub mod mark {
    /// The code point is a part of a string literal, its quotes included.
    pub const IN_STRING: u64 = 1;
    /// The code point is the quote that ends a literal.
    pub const CLOSES: u64 = 2;
    /// The code point is a control character within a literal, which JSON forbids.
    pub const CONTROL: u64 = 4;
    /// The code point stands for octets that are no UTF-8.
    pub const ILL_FORMED: u64 = 8;
}

/// The state of a code point: outside any literal, inside a literal, or inside and after a backslash.
const OUTSIDE: u64 = 0;
const INSIDE: u64 = 1;
const ESCAPED: u64 = 2;
const STATE_BITS: u32 = 2;

/// The effect of a run of code points: for each state before the run, the state after it.
#[derive(Clone, Copy)]
struct Change<'m> {
    outside: Signal<'m>,
    inside: Signal<'m>,
    escaped: Signal<'m>,
}

impl<'m> Change<'m> {
    /// The effect of one lane; a lane without code point changes nothing.
    fn of_lane(m: &'m Builder, is_kept: Signal<'m>, is_quote: Signal<'m>, is_backslash: Signal<'m>) -> Self {
        let state = |state| m.lit(STATE_BITS, state);
        Self {
            outside: is_quote.mux(state(INSIDE), state(OUTSIDE)),
            inside: is_quote.mux(state(OUTSIDE), is_backslash.mux(state(ESCAPED), state(INSIDE))),
            escaped: is_kept.mux(state(INSIDE), state(ESCAPED)),
        }
    }

    /// The state after the run, from the state before it.
    fn behind(self, state: Signal<'m>) -> Signal<'m> {
        state.case([(&[INSIDE], self.inside), (&[ESCAPED], self.escaped)], self.outside)
    }

    /// The effect of this run followed by the next one.
    fn then(self, next: Self) -> Self {
        self.map(|_, state| next.behind(state))
    }

    /// Maps each of the three states with `each`, which also gets the state's name.
    fn map(self, each: impl Fn(&str, Signal<'m>) -> Signal<'m>) -> Self {
        Self {
            outside: each("outside", self.outside),
            inside: each("inside", self.inside),
            escaped: each("escaped", self.escaped),
        }
    }
}

/// For each lane, what the lanes up to and including it do together. Each round doubles the lanes that a run covers, so that three
/// rounds do for eight lanes.
fn up_to_each(mut changes: Vec<Change>) -> Vec<Change> {
    let mut reach = 1;
    while reach < changes.len() {
        let join = |lane: usize| match lane.checked_sub(reach) {
            Some(before) => changes[before].then(changes[lane]),
            None => changes[lane],
        };
        changes = (0..changes.len()).map(join).collect();
        reach *= 2;
    }
    changes
}

/// The bits of each lane, lane 0 in the low bits.
fn lanes(of: Signal<'_>) -> Vec<Signal<'_>> {
    let bits = of.width() / LANES;
    (0..LANES).map(|lane| of.bits(lane * bits..(lane + 1) * bits)).collect()
}

/// Lanes side by side, lane 0 in the low bits.
fn beside<'m>(m: &'m Builder, lanes: impl DoubleEndedIterator<Item = Signal<'m>>) -> Signal<'m> {
    m.concat(lanes.rev())
}

/// The block: slots in, code points with their marks out, three cycles later.
pub fn mark_strings() -> Arc<Module> {
    let m =
        Builder::new("mark_strings", "Marks the code points of JSON text that belong to string literals.");
    m.port_group("Slots of a decoder");
    let slots = AxiBeat {
        tdata: m.input("s_axis_tdata", LANES * DATA_BITS, "the code point of each lane"),
        tkeep: m.input("s_axis_tkeep", LANES, "the lane holds a slot"),
        tuser: Some(m.input(
            "s_axis_tuser",
            LANES * USER_BITS,
            "0 for a code point, else the kind of an error",
        )),
        tvalid: m.input("s_axis_tvalid", 1, "a beat is offered"),
        tlast: m.input("s_axis_tlast", 1, "the beat ends its frame"),
    };
    m.port_group("Code points with marks");
    let m_ready = m.input("m_axis_tready", 1, "the beat is taken");

    // All stages move together, unless the last of them holds a beat that is not taken.
    let moves = m.wire("moves", 1);
    let stage = m.stage(moves);

    m.section("Stage 1: what each code point is by itself");
    let valid_1 = stage.flag("valid_1_reg", slots.tvalid);
    let last_1 = stage.data("last_1_reg", slots.tlast);
    let data_1 = stage.data("data_1_reg", slots.tdata);
    let keep_1 = stage.data("keep_1_reg", slots.tkeep);
    let kept = |what: &dyn Fn(Signal) -> Signal| {
        let lanes = lanes(slots.tdata).into_iter().zip(lanes(slots.tkeep));
        beside(&m, lanes.map(|(code_point, is_kept)| is_kept & what(code_point)))
    };
    let quote_1 = stage.data("quote_1_reg", kept(&|code_point| code_point.is(u64::from('"'))));
    let backslash_1 = stage.data("backslash_1_reg", kept(&|code_point| code_point.is(u64::from('\\'))));
    let control_1 = stage.data("control_1_reg", kept(&|code_point| code_point.within(0, 0x1f)));
    let kinds = lanes(slots.tuser.expect("slots have tuser")).into_iter();
    let ill_formed_1 = stage.data("ill_formed_1_reg", beside(&m, kinds.map(Signal::any)));

    m.section("Stage 2: what each lane makes of the state in front of the beat, with all lanes before it");
    let valid_2 = stage.flag("valid_2_reg", valid_1);
    let last_2 = stage.data("last_2_reg", last_1);
    let data_2 = stage.data("data_2_reg", data_1);
    let keep_2 = stage.data("keep_2_reg", keep_1);
    let quote_2 = stage.data("quote_2_reg", quote_1);
    let control_2 = stage.data("control_2_reg", control_1);
    let ill_formed_2 = stage.data("ill_formed_2_reg", ill_formed_1);
    let by_lane = lanes(keep_1).into_iter().zip(lanes(quote_1)).zip(lanes(backslash_1));
    let changes = by_lane.map(|((is_kept, quote), backslash)| Change::of_lane(&m, is_kept, quote, backslash));
    let runs = up_to_each(changes.collect()).into_iter().enumerate();
    let runs_2: Vec<Change> = runs
        .map(|(lane, run)| run.map(|from, state| stage.data(&format!("behind_{lane}_if_{from}_reg"), state)))
        .collect();

    m.section("Stage 3: the state in front of the beat is known, and so is that of each lane");
    let state =
        m.reg("state_reg", STATE_BITS).reset(OUTSIDE).note("the state in front of the beat in stage 2");
    let in_front = |lane: usize| match lane.checked_sub(1) {
        Some(before) => runs_2[before].behind(state.q).named(&format!("in_front_of_{lane}")),
        None => state.q,
    };
    let behind = runs_2[LANES as usize - 1].behind(state.q).named("behind_the_beat");
    state.next_when(moves & valid_2, last_2.mux(m.lit(STATE_BITS, OUTSIDE), behind));
    let marks = (0..LANES).map(|lane| {
        let state = in_front(lane as usize);
        let is_within = state.ne(m.lit(STATE_BITS, OUTSIDE));
        let in_string = keep_2.bit(lane) & (is_within | quote_2.bit(lane));
        let closes = quote_2.bit(lane) & state.is(INSIDE);
        let control = control_2.bit(lane) & is_within;
        m.concat([ill_formed_2.bit(lane), control, closes, in_string])
    });
    let marks_3 = stage.data("marks_3_reg", beside(&m, marks));
    let open_3 = stage.data("open_3_reg", last_2 & behind.ne(m.lit(STATE_BITS, OUTSIDE)));
    let valid_3 = stage.flag("valid_3_reg", valid_2);
    let last_3 = stage.data("last_3_reg", last_2);
    let data_3 = stage.data("data_3_reg", data_2);
    let keep_3 = stage.data("keep_3_reg", keep_2);
    m.drive(moves, !valid_3 | m_ready);

    m.port_group("Slots of a decoder");
    m.output("s_axis_tready", moves, "the beat is taken");
    m.port_group("Code points with marks");
    m.output("m_axis_tdata", data_3, "the code point of each lane");
    m.output("m_axis_tkeep", keep_3, "the lane holds a code point");
    m.output(
        "m_axis_tuser",
        marks_3,
        "marks of each lane: bit 0 in a string literal, 1 ends it, 2 control character in it, 3 ill-formed text",
    );
    m.output("m_axis_tvalid", valid_3, "a beat is offered");
    m.output("m_axis_tlast", last_3, "the beat ends its frame");
    m.output("open", open_3, "with m_axis_tlast: the frame ends within a string literal");
    m.built()
}

/// The decoder with the block at its output.
///
/// # Errors
/// If there is no such core, which would be a mistake here.
pub fn design() -> Result<Design, CoreError> {
    let decoder = Core::new(CoreSpec { lanes: LANES, ..CoreSpec::new(System::Utf8, Role::Decoder) })?;
    let m = Builder::new(NAME, "JSON text in UTF-8, eight octets a cycle, to code points with marks.");

    m.port_group("Octets");
    let octets = AxiBeat {
        tdata: m.input("s_axis_tdata", LANES * 8, "the octet of each lane"),
        tkeep: m.input("s_axis_tkeep", LANES, "the lane holds an octet"),
        tuser: None,
        tvalid: m.input("s_axis_tvalid", 1, "a beat is offered"),
        tlast: m.input("s_axis_tlast", 1, "the beat ends its frame"),
    };
    let decode = m.instance("decode", &decoder.design.part());
    m.output("s_axis_tready", octets.offer_to(decode), "the beat is taken");

    let mark = m.instance("mark", &mark_strings());
    decode.input("m_axis_tready", AxiBeat::offered_by(decode).offer_to(mark));

    m.port_group("Code points with marks");
    mark.input("m_axis_tready", m.input("m_axis_tready", 1, "the beat is taken"));
    for port in mark.module().outputs().filter(|port| port.name != "s_axis_tready") {
        m.output(&port.name, mark.output(&port.name), &port.note);
    }
    Ok(Design { top: m.built(), reset: ResetStyle::SyncHigh })
}
