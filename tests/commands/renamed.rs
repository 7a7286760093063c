//! Names of registers and instances say nothing to any tool: with other names, the same registers are packed together, proofs find
//! the same pipeline, and pictures have the same rows in the same order.

use utfhdl::cosim::{Cosim, Framing, Source, Stalls};
use utfhdl::promise::Item;
use utfhdl::prove::lanes;
use utfhdl::trace::{Cells, Recorder, Trace};
use utfhdl_hdl::core::{Core, CoreSpec, Packing, Role, System};
use utfhdl_sim::aig::{Start, blast};
use utfhdl_sim::flat::Flat;
use utfhdl_sim::logic::{Logic, Packed};
use utfhdl_sim::native::Native;
use utfhdl_sim::{Engine, Layout};

/// The letters of a name from the last to the first, and its numbers in letters: no part of a name is left, and no number.
fn scrambled(name: &str) -> String {
    let letter = |c: char| match c {
        '0'..='9' => char::from(b'q' + (c as u8 - b'0') / 2).to_string().repeat(2 + (c as usize) % 2),
        'a'..='z' => char::from(b'a' + (c as u8 - b'a' + 11) % 26).to_string(),
        other => other.to_string(),
    };
    let turned: String = name.chars().rev().map(letter).collect();
    format!("z{}", turned.replace('_', "x"))
}

fn core(system: System, role: Role, lanes: u32) -> Core {
    Core::new(CoreSpec { lanes, ..CoreSpec::new(system, role) }).expect("there is such a core")
}

fn cores() -> Vec<Core> {
    let dense = CoreSpec { lanes: 8, pack: Packing::Dense, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    vec![
        core(System::Utf8, Role::Decoder, 1),
        core(System::Utf8, Role::Decoder, 8),
        core(System::Utf8, Role::Encoder, 8),
        core(System::Utf18, Role::Transcoder { to: System::Utf8 }, 4),
        Core::new(dense).expect("there is such a core"),
    ]
}

fn renamed(core: &Core) -> Core {
    Core { design: core.design.renamed(&scrambled), ..core.clone() }
}

/// The values of the logic and the words of the state, as the compiled engine has them.
fn packed(core: &Core) -> (usize, usize, String) {
    let (flat, layout) = (Flat::new(&core.design), Layout::new(&core.design));
    let Packed { logic, .. } = Packed::new(Logic::new(&core.design, &flat, &layout), &flat);
    (logic.values().len(), logic.state.len(), format!("{:?}", logic.values()))
}

#[test]
fn the_same_registers_share_words() {
    for core in cores() {
        let (plain, other) = (packed(&core), packed(&renamed(&core)));
        assert!(plain == other, "{}: {:?} and {:?}", core.spec, (plain.0, plain.1), (other.0, other.1));
    }
}

#[test]
fn proofs_find_the_same_pipeline() {
    let core = core(System::Utf8, Role::Decoder, 4);
    let problem = |core: &Core| {
        let (how, parts) = lanes::parts(core).expect("a pipeline");
        let size = |part: &lanes::Part| {
            let logic = blast(&part.design, Start::Zero).expect("a problem of some size");
            (part.name, logic.aig.nodes().to_vec(), logic.next)
        };
        (how, parts.iter().map(size).collect::<Vec<_>>())
    };
    let (plain, other) = (problem(&core), problem(&renamed(&core)));
    assert_eq!(plain.0, other.0);
    assert!(plain.1 == other.1, "the problems differ");
}

/// The rows of each group: the bits of a row, and its cells.
fn picture(core: Core) -> Vec<Vec<(u32, bool, Cells)>> {
    let text = "aé€𝄞".repeat(20);
    let source = Source::Given(text.bytes().map(|unit| Item::from(u32::from(unit))).collect());
    let cosim =
        Cosim { core, source, framing: Framing::Whole, stalls: Stalls::default(), resets: 0, seed: 3 };
    let mut recorder = Recorder::new(&cosim.core, 0..=u64::MAX).expect("a core of some size");
    let mut engines: Vec<Box<dyn Engine>> =
        vec![Box::new(Native::new(&cosim.core.design).expect("a core of some size"))];
    cosim.run(&mut engines, Some(&mut recorder), &mut |_| {}).expect("the core is right");
    let trace = Trace::new(&cosim.core, recorder, None).expect("a run that was recorded");
    let rows = |group: utfhdl::trace::Group| {
        group.rows.into_iter().map(|row| (row.width, row.is_register, row.cells)).collect()
    };
    trace.groups.into_iter().map(rows).collect()
}

#[test]
fn pictures_have_the_same_rows_in_the_same_order() {
    for core in cores().into_iter().filter(|core| core.spec.role == Role::Decoder) {
        let other = renamed(&core);
        assert!(picture(core) == picture(other), "rows differ");
    }
}
