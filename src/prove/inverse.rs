//! Round trips: decoding and encoding again gives back well-formed text, and encoding and decoding again gives back every code point
//! that can be encoded.
//!
//! Two pipelines in series are too much for a checker. Each core is therefore proved against its own description, by [`spec`], and
//! the problems here connect the descriptions in series: a state machine of some ten bits, and the writer, which has no state. Both
//! problems hold for texts of any length.

use utfhdl_hdl::core::{Core, CoreSpec, Passengers, Role};
use utfhdl_hdl::netlist::{Builder, Design, Signal};

use super::bench::BAD;
use super::spec::{self, Machine, Part, State, Unit, Writer, Written, machine_of};

/// The decoder that belongs to an encoder.
fn decoder(encoder: &Core) -> CoreSpec {
    let spec = encoder.spec;
    let role = Role::Decoder;
    CoreSpec { role, on_error: role.on_error()[0], passengers: Passengers::default(), ..spec }
}

/// Whether it is about a core: an encoder for which, and for whose decoder, there is a `spec`.
pub fn is_there(core: &Core) -> bool {
    let is_encoder = core.spec.role == Role::Encoder && spec::is_there(core);
    is_encoder && Core::new(decoder(core)).is_ok_and(|decoder| spec::is_there(&decoder))
}

/// The problems of an encoder beside its `spec`, that of its decoder first.
pub fn parts(encoder: &Core) -> Option<Vec<Part>> {
    let decoder = Core::new(decoder(encoder)).ok().filter(|_| is_there(encoder))?;
    let system = encoder.spec.system;
    let (machine, writer, bits) = (machine_of(system)?, Writer::of(system)?, system.unit_bits());
    let alone = |build: &dyn for<'m> Fn(&'m Builder) -> Signal<'m>| {
        let m = Builder::new("problem", "Two descriptions of a system, one behind the other.");
        m.output(BAD, build(&m), "the property does not hold");
        Design { top: m.built_with_unused(), reset: encoder.design.reset }
    };
    Some(vec![
        ("decoder", "the decoder makes the slots of the system's definition", spec::design(&decoder)?),
        (
            "encoder",
            "the encoder writes code points as the system's definition has it",
            spec::design(encoder)?,
        ),
        (
            "there",
            "each well-formed sequence is what is written for its code point",
            alone(&|m| there(m, machine, writer, bits)),
        ),
        ("back", "what is written for a code point is read as that", alone(&|m| back(m, machine, writer))),
    ])
}

/// The failure: a sequence that the machine finds well-formed, after any others, is not the one that the writer gives for its code
/// point, or the writer cannot write the code point.
fn there<'m>(m: &'m Builder, machine: Machine, writer: Writer, bits: u32) -> Signal<'m> {
    let bits = m.input("unit", bits, "a unit");
    let unit = Unit { is_there: m.lit(1, 1), bits };
    let step = machine.keep(m, &unit);
    let is_whole = machine.ends_slot(m, &step) & !step.own.is_error();
    let code_point = step.own.code_point().zext(writer.code_bits());
    let written = writer.write(m, code_point);

    // The units of the open sequence, the latest first, and a flag for each that it is part of the sequence.
    let goes_on = machine.is_open(step.next);
    let is_first = step.cut.is_there;
    let (mut row, mut holds) = (vec![bits], vec![m.lit(1, 1)]);
    for index in 1..written.len() {
        let unit = m.reg(&format!("unit_before_{index}_reg"), bits.width());
        let held = m.reg(&format!("holds_{index}_reg"), 1).reset(0);
        unit.next(row[index - 1]);
        // The flags are cleared after the end of a sequence, and before the units that cut it short.
        held.next(goes_on & holds[index - 1]);
        row.push(unit.q);
        holds.push(if index > machine.units_before_cut() { held.q & !is_first } else { held.q });
    }
    let differs = written.iter().rev().zip(row.iter().zip(&holds)).map(|(written, (unit, holds))| {
        let Written { is_there, bits } = *written;
        is_there ^ *holds | is_there & bits.ne(*unit)
    });
    let differs = differs.reduce(|a, b| a | b).expect("there are units");
    is_whole & (differs | !writer.has(m, code_point))
}

/// The failure: the machine, starting between sequences, reads the units of a code point as anything else, or leaves a
/// sequence open after them.
fn back<'m>(m: &'m Builder, machine: Machine, writer: Writer) -> Signal<'m> {
    let code_point = m.input("code_point", writer.code_bits(), "a code point");
    let written = writer.write(m, code_point);
    let (mut state, mut wrong) = (machine.start(m), m.lit(1, 0));
    let count = written.len();
    for (index, Written { is_there, bits }) in written.into_iter().enumerate() {
        let step = machine.step(m, state, &Unit { is_there, bits });
        let is_last = index + 1 == count;
        wrong = wrong | step.cut.is_there;
        wrong = wrong
            | match is_last {
                true => {
                    let is_read = step.own.is_there & !step.own.is_error();
                    let is_same = step.own.code_point().zext(writer.code_bits()).eq(code_point);
                    !(is_read & is_same) | machine.is_open(step.next)
                }
                false => machine.ends_slot(m, &step),
            };
        state = State {
            position: is_there.mux(step.next.position, state.position),
            value: is_there.mux(step.next.value, state.value),
        };
    }
    writer.has(m, code_point) & wrong
}
