//! Systems that are chosen for each frame: on the command line, and their cores.

use utfhdl::cosim::{Cosim, Framing, Source};
use utfhdl_hdl::core::{Core, CoreSpec, Packing, Role, Stall, Storage, System};
use utfhdl_hdl::netlist::Fault;

use crate::common::command::in_shell;
use crate::common::hardware::{NATIVE, Verdicts, core, cosim, signal_paths, verdict};
use crate::common::samples::{is_all, one_in};

/// Lists with each kind of front: sequences, pairs, words in both orders, words in one, code points by themselves and by a table, sets of several octets.
const LISTS: [&str; 12] = [
    "auto:utf-8+utf-16le+utf-16be+latin-1",
    "auto:cesu-8+utf-32le+utf-32be+ucs-2le+wtf-8+ascii+table:windows-1252+utf-ebcdic-i8+mutf-8+utf-8-rfc2279",
    "auto:latin-1+table:koi8-r",
    "auto:ascii+utf-8",
    "auto:ucs-2be+utf-32le+utf-32be+utf-32le,max=7fffffff+utf-32be,max=7fffffff+ucs-2le",
    "auto:gb18030+utf-8+table:windows-1252",
    "auto:utf-16le+utf-16be+big5+euc-jp+latin-1+cesu-8",
    "auto:latin-1+utf-8+utf-16le+utf-16be+utf-32le+utf-32be,choose=bom",
    "auto:utf-16be+utf-8,choose=bom",
    "auto:ascii+ucs-2le,choose=bom",
    "auto:utf-32le+utf-16le,choose=bom",
    "auto:gb18030+utf-8+utf-16le+utf-16be,choose=bom",
];

/// The lists that have character sets of several octets.
const LISTS_WITH_SETS: [&str; 3] = [LISTS[5], LISTS[6], LISTS[11]];

fn list(text: &str) -> System {
    text.parse().unwrap()
}

/// Python: "€é".encode(name), with the mark in front.
#[test]
fn files_are_decoded_by_their_mark() {
    let folder = tempfile::tempdir().unwrap();
    let systems = "auto:latin-1+utf-8+utf-16le+utf-16be+utf-32le+utf-32be,choose=bom";
    for (octets, offset) in [
        (r"\357\273\277\342\202\254\303\251", 3),
        (r"\377\376\254\040\351\000", 2),
        (r"\376\377\040\254\000\351", 2),
        (r"\377\376\000\000\254\040\000\000\351\000\000\000", 4),
        (r"\000\000\376\377\000\000\040\254\000\000\000\351", 4),
    ] {
        let (_, out, err) = in_shell(folder.path(), &format!("printf '{octets}' | $UTFHDL decode {systems}"));
        let columns: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(columns.len(), 2, "{octets}: {out}{err}");
        assert_eq!((columns[0][0], columns[0][2], columns[1][2]), (&*offset.to_string(), "U+20AC", "U+E9"));
        let script = format!("printf '{octets}' | $UTFHDL convert -f {systems} -t utf-8");
        assert_eq!(in_shell(folder.path(), &script).1, "€é", "{octets}");
    }
}

/// A unit in a file is two bytes: the octet, and the number of the system.
#[test]
fn units_of_a_file_have_the_number_of_their_system() {
    let folder = tempfile::tempdir().unwrap();
    for (octets, out) in [
        (r"\303\000\251\000", "0\t2\tU+E9\n"),
        (r"\303\001\251\001", "0\t2\tU+A9C3\n"),
        (r"\303\002\251\000", "0\t1\tU+C3\n1\t1\tU+A9\n"),
    ] {
        let script = format!("printf '{octets}' | $UTFHDL decode auto:utf-8+utf-16le+latin-1");
        assert_eq!(in_shell(folder.path(), &script).1, out);
        let script =
            format!("printf '{octets}' | $UTFHDL decode auto:utf-8+utf-16le+latin-1 --engine native");
        let slots: Vec<&str> = out.lines().map(|line| line.rsplit('\t').next().unwrap()).collect();
        let found = in_shell(folder.path(), &script).1;
        assert!(found.lines().map(|line| line.rsplit('\t').next().unwrap()).eq(slots), "{found}");
    }
}

#[test]
fn cores_that_there_are_not_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let among = "decoder --among utf-8,latin-1";
    for (arguments, message) in [
        ("auto decoder".to_owned(), "auto: name the systems to choose among: --among utf-8,utf-16le,latin-1"),
        (format!("utf-8 {among}"), "--among is for the system auto, and this is utf-8"),
        (format!("auto {among} --lanes 16"), "decoder of 16 lanes: --lanes can be 1, 2, 4 or 8"),
        (
            "auto decoder --among latin-1,utf-8 --choose bom --lanes 2".to_owned(),
            "decoder of 2 lanes: --lanes can be 1, 4 or 8",
        ),
        (format!("auto {among} --lanes 8 --pipeline 2"), "have a step in each stage: leave --pipeline out"),
        (format!("auto {among} --axis strict"), "do not have --axis strict yet: leave it out"),
        (format!("auto {among} --status"), "do not have --status yet: leave it out"),
        (format!("auto {among} --tid 4"), "do not have --tid, --tdest and --tuser yet: leave it out"),
        (
            format!("auto {among} --position 8"),
            "--position 8: decoders that choose their system do not have it yet",
        ),
        (format!("auto {among},corrected-utf-8"), "cannot read corrected-utf-8 yet"),
        (format!("auto {among},big5 --lanes 4 --pack dense"), "do not have --pack dense yet"),
        (format!("auto {among} --choose bom"), "latin-1 has no byte order mark that could choose it"),
        (
            "auto encoder --among utf-8,latin-1".to_owned(),
            "there is no auto:utf-8+latin-1 encoder in hardware yet",
        ),
        (
            "auto validator --among utf-8,ascii".to_owned(),
            "there is no auto:utf-8+ascii validator in hardware yet",
        ),
        (
            "auto decoder --among utf-8,utf-16".to_owned(),
            "systems of octets, and utf-16 has units of 16 bits",
        ),
    ] {
        let (code, out, err) = in_shell(folder.path(), &format!("$UTFHDL generate {arguments}"));
        assert_eq!((code, &*out), (2, ""), "{arguments}: {err}");
        assert!(err.contains(message), "{arguments}: {err}");
    }
}

#[test]
fn both_spellings_generate_the_same_core() {
    let folder = tempfile::tempdir().unwrap();
    let script = "$UTFHDL generate auto decoder --among utf-8,utf-32le,max=7fffffff --name core -o a &&
        $UTFHDL generate auto:utf-8+utf-32le,max=7fffffff decoder --name core -o b && cmp a/core.v b/core.v && cmp a/core.json b/core.json";
    let (code, _, err) = in_shell(folder.path(), script);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn noise_through_decoders_and_transcoders() {
    let mut verdicts = Verdicts::default();
    for system in LISTS.map(list) {
        for role in
            [Role::Decoder, Role::Transcoder { to: System::Utf8 }, Role::Transcoder { to: System::Utf16 }]
        {
            for &on_error in role.on_error() {
                let core = core(CoreSpec { on_error, ..CoreSpec::new(system, role) });
                let source = Source::Random { count: 20_000 };
                for stall in [0, 30] {
                    verdicts.run(&cosim(core.clone(), source.clone(), Framing::Random, stall), NATIVE);
                }
            }
        }
    }
    verdicts.finish();
}

/// The cores of several lanes of a list, with a number of lanes that the list can have.
fn of_lanes(system: System, role: Role, at: usize) -> CoreSpec {
    let lanes = &role.lanes(system)[1..];
    CoreSpec { lanes: lanes[at % lanes.len()], ..CoreSpec::new(system, role) }
}

#[test]
fn noise_through_decoders_and_transcoders_of_several_lanes() {
    let mut verdicts = Verdicts::default();
    let roles =
        [Role::Decoder, Role::Transcoder { to: System::Utf8 }, Role::Transcoder { to: System::Utf16 }];
    let in_roles = |of_list| roles.map(|role| (of_list, role));
    let all = LISTS.map(list).into_iter().enumerate().flat_map(in_roles);
    for ((at, system), role) in one_in(3, is_all("UTFHDL_PAIRS"), all) {
        // Transcoders of several lanes that read sets of several octets do not drop errors.
        let has_sets = LISTS_WITH_SETS.contains(&LISTS[at]) && role != Role::Decoder;
        let modes = if has_sets { &role.on_error()[..1] } else { role.on_error() };
        for (of_mode, &on_error) in modes.iter().enumerate() {
            let core = core(CoreSpec { on_error, ..of_lanes(system, role, at + of_mode) });
            let source = Source::Random { count: 6_000 };
            for stall in [0, 30] {
                verdicts.run(&cosim(core.clone(), source.clone(), Framing::Random, stall), NATIVE);
            }
        }
    }
    for system in [LISTS[0], LISTS[7]].map(list) {
        let spec = CoreSpec { lanes: 8, ..CoreSpec::new(system, Role::Decoder) };
        for spec in [
            CoreSpec { pack: Packing::Dense, ..spec },
            CoreSpec { stall: Stall::Credit(Storage::Ram), ..spec },
        ] {
            let source = Source::Random { count: 6_000 };
            verdicts.run(&cosim(core(spec), source, Framing::Random, 30), NATIVE);
        }
    }
    verdicts.finish();
}

/// Frames of one to four octets, each of another system than the one before: what a frame leaves in a front must not show in another.
#[test]
fn short_frames_follow_one_another() {
    const OCTETS: [u32; 8] = [0x41, 0xE2, 0x82, 0xD8, 0xDC, 0x00, 0xFF, 0x30];
    let count = OCTETS.len();
    let octets: Vec<u32> =
        (0..count.pow(3)).flat_map(|number| [1, 8, 64].map(|place| OCTETS[number / place % count])).collect();
    let mut verdicts = Verdicts::default();
    for system in [LISTS[0], LISTS[1], LISTS[5], LISTS[6]].map(list) {
        let System::Auto(auto) = system else { unreachable!() };
        let number = |unit: usize| (unit * 5 / 3) as u32 % auto.among().len() as u32;
        let items: Vec<u32> = octets.iter().enumerate().map(|(at, octet)| number(at) << 8 | octet).collect();
        for length in 1..=4 {
            let lengths = vec![length; items.len() / length as usize];
            for lanes in [1, 2, 8] {
                let core = core(CoreSpec { lanes, ..CoreSpec::new(system, Role::Decoder) });
                let source = Source::given(items[..lengths.len() * length as usize].iter().copied());
                verdicts.run(&cosim(core, source, Framing::Lengths(lengths.clone()), 0), NATIVE);
            }
        }
    }
    verdicts.finish();
}

/// All frames of this length of octets of marks and a letter, one after the other.
fn openings(length: u32) -> impl Iterator<Item = u32> {
    const OCTETS: [u32; 7] = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x41];
    (0..OCTETS.len().pow(length))
        .flat_map(move |frame| (0..length).map(move |at| OCTETS[frame / OCTETS.len().pow(at) % OCTETS.len()]))
}

/// Frames that begin with all combinations of octets of marks and a letter, up to five octets: whole marks, parts of marks, and marks that begin a longer one, each at
/// the end of its frame and before text.
#[test]
fn every_opening_of_a_frame() {
    let mut verdicts = Verdicts::default();
    for system in LISTS[7..].iter().map(|text| list(text)) {
        for length in 1..=5_u32 {
            for (role, stall) in
                [(Role::Decoder, 0), (Role::Decoder, 20), (Role::Transcoder { to: System::Utf8 }, 20)]
            {
                let source = Source::given(openings(length));
                for spec in [CoreSpec::new(system, role), of_lanes(system, role, length as usize)] {
                    let framing = Framing::Lengths(vec![length.into()]);
                    verdicts.run(&cosim(core(spec), source.clone(), framing, stall), NATIVE);
                }
            }
        }
    }
    verdicts.finish();
}

/// Python: "é".encode("utf-16"), is the mark of `utf-16le` and E9 00. A frame without a mark is Latin-1 here.
#[test]
fn a_core_takes_the_mark_away() {
    let folder = tempfile::tempdir().unwrap();
    let systems = "auto:latin-1+utf-8+utf-16le+utf-32le,choose=bom";
    for (octets, slots) in [
        (r"\377\376\351\000", "U+E9\n"),
        (r"\377\376\000\000\351\000\000\000", "U+E9\n"),
        (r"\357\273\277\303\251", "U+E9\n"),
        (r"\377\351", "U+FF\nU+E9\n"),
        (r"\377\376", ""),
    ] {
        let script = format!("printf '{octets}' | $UTFHDL decode {systems} --engine native");
        assert_eq!(in_shell(folder.path(), &script).1, slots, "{octets}");
    }
}

/// Faults in the choice of the system and of its slots: outside of the fronts, which the cores of single systems have, too.
#[test]
fn faults_in_the_choice_are_found() {
    let mut unnoticed = Vec::new();
    for core in [LISTS[0], LISTS[7]].map(|text| core(CoreSpec::new(list(text), Role::Decoder))) {
        for path in signal_paths(&core).into_iter().filter(|path| !path.contains('.')) {
            for fault in [Fault::StuckAtZero, Fault::StuckAtOne, Fault::Inverted] {
                let Ok(design) = fault.inject(&core.design, &path) else { continue };
                let faulty = Core { design, ..core.clone() };
                let run = |count| cosim(faulty.clone(), Source::Random { count }, Framing::Random, 20);
                // Random frames seldom begin as one mark and continue as another.
                let of_marks =
                    || cosim(faulty.clone(), Source::given(openings(3)), Framing::Lengths(vec![3]), 0);
                let is_well = |run: Cosim| verdict(&run, NATIVE).is_ok();
                if [2000, 100_000].into_iter().all(|count| is_well(run(count)))
                    && (core.latency == 3 || is_well(of_marks()))
                {
                    unnoticed.push(format!("{path} {fault:?}"));
                }
            }
        }
    }
    assert_eq!(unnoticed, [""; 0]);
}
