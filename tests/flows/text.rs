//! Rules for the text of every core. A run takes a third of them, which the commit draws; all with `UTFHDL_VERILOG=all`.

use utfhdl_hdl::core::{Core, CoreSpec, MultiOctet, Packing, Role, System, Verdict};

use crate::common::samples::{is_all, one_in};

/// The most lanes of cores of every system; those of `utf-8` have more.
const LANES: u32 = 8;

/// The cores that `utfhdl list` allows; of those with many lanes, some.
fn cores() -> impl Iterator<Item = CoreSpec> {
    let several = CoreSpec::of_several_lanes().into_iter();
    let several = several.filter(|spec| spec.lanes <= LANES || spec.system == System::Utf8);
    let dense = [2, 8].map(|lanes| CoreSpec {
        lanes,
        pack: Packing::Dense,
        ..CoreSpec::new(System::Utf8, Role::Decoder)
    });
    let encoders = CoreSpec::encoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 4);
    let transcoders = CoreSpec::transcoders_of_several_lanes().into_iter();
    let transcoders = transcoders.filter(|spec| spec.lanes <= LANES).step_by(97);
    let shared_stages = [2, 4].map(|lanes| CoreSpec {
        lanes,
        pipeline: "2".parse().expect("steps"),
        ..CoreSpec::new(System::UtfInf8 { digits: 21 }, Role::Encoder)
    });
    let is_taken = |spec: &CoreSpec| spec.lanes <= 4 || spec.system == System::Utf18 && spec.lanes <= LANES;
    let validators = CoreSpec::validators_of_several_lanes().into_iter().filter(is_taken);
    let several =
        several.chain(dense).chain(shared_stages).chain(encoders).chain(transcoders).chain(validators);
    let specs = CoreSpec::all().into_iter().chain(several).chain(CoreSpec::transcoders());
    // A comparison with these limits has one result.
    let limits = [33, 65, 129].map(|digits| CoreSpec::new(System::UtfInf8 { digits }, Role::Decoder));
    let chosen: System = "auto:utf-8+utf-16le+utf-16be+latin-1".parse().expect("a list");
    let by_mark: System = "auto:latin-1+utf-8+utf-16le+utf-32le,choose=bom".parse().expect("a list");
    let with_set: System = "auto:gb18030+utf-8+table:windows-1252".parse().expect("a list");
    let chosen = [(chosen, 1), (chosen, 4), (by_mark, 4), (with_set, 1), (with_set, 4)];
    let chosen = chosen.into_iter().flat_map(|(chosen, lanes)| {
        [Role::Decoder, Role::Transcoder { to: System::Utf8 }]
            .map(|role| CoreSpec { lanes, ..CoreSpec::new(chosen, role) })
    });
    specs.chain(CoreSpec::validators()).chain(limits).chain(of_several_octets()).chain(chosen)
}

/// Cores of sets of several octets: those with four octets, with three, and with pairs of code points.
fn of_several_octets() -> impl Iterator<Item = CoreSpec> {
    let sets = [MultiOctet::Gb18030, MultiOctet::EucJp, MultiOctet::Big5].map(System::MultiOctet);
    sets.into_iter().flat_map(|system| {
        let verdict = Verdict { kinds: true, newline: true, ..Verdict::default() };
        let roles = [Role::Encoder, Role::Transcoder { to: system }, Role::Validator(verdict)];
        let decoder = CoreSpec::new(system, Role::Decoder);
        let decoders = [decoder, CoreSpec { position: 16, ..decoder }];
        let of_lanes = [Role::Decoder, roles[0], Role::Transcoder { to: System::Utf8 }, roles[2]];
        let of_lanes = of_lanes.map(|role| CoreSpec {
            lanes: 4,
            on_error: role.on_error()[0],
            ..CoreSpec::new(system, role)
        });
        roles.into_iter().map(move |role| CoreSpec::new(system, role)).chain(decoders).chain(of_lanes)
    })
}

/// The identifiers in a text, comments included.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

/// A line of more than a hundred columns. It can be broken between words, not in the name of a module, which has all options of both
/// systems in it.
fn is_too_long(line: &str) -> bool {
    let words = line.trim_start();
    line.chars().count() > 100 && words.strip_prefix("module ").unwrap_or(words).contains(' ')
}

/// A value that is used twice and has no name, which the emitter calls `value_0`, `value_1`, and so on.
fn has_a_nameless_value(line: &str) -> bool {
    words(line).any(|word| {
        word.strip_prefix("value_").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// A field of a packed beat that is not taken apart into a wire with a name.
fn has_a_nameless_field(line: &str) -> bool {
    let is_field = line.trim_start().starts_with("wire ") && line.trim_end().ends_with("];");
    let selects = || {
        ["beat[", "output_beat["].iter().any(|beat| {
            line.match_indices(beat).any(|(at, _)| {
                !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            })
        })
    };
    !is_field && selects()
}

/// A rule's name, and whether a line breaks it.
type Rule = (&'static str, fn(&str) -> bool);

#[test]
fn every_line_keeps_the_rules() {
    let rules: [Rule; 3] = [
        ("a line fits in a hundred columns", is_too_long),
        ("a value that is used twice has a name", has_a_nameless_value),
        ("the fields of a packed beat have names", has_a_nameless_field),
    ];
    let mut found = Vec::new();
    for spec in one_in(6, is_all("UTFHDL_VERILOG"), cores()) {
        let core = Core::new(spec).expect("a core that is listed");
        let (command, text) = (core.command(), core.verilog());
        for (rule, is_broken) in rules {
            let line = text.lines().find(|line| is_broken(line));
            found.extend(line.map(|line| format!("{rule}: {command}: {}", line.trim())));
        }
    }
    assert!(found.is_empty(), "{} cores, such as {:#?}", found.len(), &found[..found.len().min(20)]);
}
