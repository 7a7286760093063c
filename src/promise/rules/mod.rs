//! The timing rules of docs/interface.md. For each rule there are two traces drawn by hand: the first keeps the rule, and
//! the second, hardly different, breaks it.
//!
//! The traces were drawn from the text of the contract, not from the behaviour of a core. They are judged twice: here by the
//! [`Schedule`](super::Schedule) alone, and in co-simulation by all its checks.

mod decoder;
mod encoder;
mod judge;
mod transcoder;
mod validator;
mod wide_decoder;
mod wide_encoder;
mod wide_transcoder;

use utfhdl_hdl::core::{CoreSpec, ErrorMode, Role, Verdict};

use super::drawn::Drawn;
pub(super) use judge::Judge;

/// A rule of the contract.
pub(crate) struct Rule {
    /// The rule.
    pub(crate) says: &'static str,
    /// The core, as on the command line, with `--lanes`, `--pack` and `--on-error` where they matter.
    pub(crate) core: &'static str,
    /// The latency of that core.
    pub(crate) latency: u32,
    /// Traces that keep the rule.
    pub(crate) kept: &'static [&'static str],
    /// Traces that break it.
    pub(crate) broken: &'static [&'static str],
}

/// The rules of each kind of core.
const RULES: &[&[Rule]] = &[
    decoder::RULES,
    wide_decoder::RULES,
    encoder::RULES,
    wide_encoder::RULES,
    transcoder::RULES,
    validator::RULES,
    wide_transcoder::RULES,
];

impl Rule {
    /// The specification of the core.
    pub(crate) fn spec(&self) -> CoreSpec {
        spec(self.core)
    }
}

/// The specification of a core, given as on the command line.
pub(super) fn spec(core: &str) -> CoreSpec {
    let mut words = core.split(' ');
    let mut word = || words.next().expect("a word");
    let system = |text: &str| text.parse().expect("a system");
    let from = system(word());
    let role = match word() {
        "decoder" => Role::Decoder,
        "encoder" => Role::Encoder,
        "validator" => Role::Validator(Verdict::default()),
        other => Role::Transcoder { to: system(other.strip_prefix("transcoder:").expect("a role")) },
    };
    let mut spec = CoreSpec::new(from, role);
    while let Some(option) = words.next() {
        let value = words.next().expect("a value");
        match option {
            "--lanes" => spec.lanes = value.parse().expect("a number"),
            "--pack" => spec.pack = value.parse().expect("a packing"),
            "--on-error" => spec.on_error = value.parse().expect("a treatment of errors"),
            _ => panic!("option {option}"),
        }
    }
    assert!(spec.on_error != ErrorMode::Flag || !role.has_encoder());
    spec
}

/// Judges all traces of all rules with `judge`, which returns the cycle and the port of a violation.
pub(crate) fn judge_all(judge: impl Fn(&Rule, &Drawn) -> Option<(usize, String)>) {
    let mut wrong = String::new();
    for rule in RULES.iter().copied().flatten() {
        for (traces, are_broken) in [(rule.kept, false), (rule.broken, true)] {
            for text in traces {
                let trace = Drawn::read(text);
                assert_eq!(trace.fails.is_some(), are_broken, "{text}");
                let found = judge(rule, &trace);
                if found != trace.fails {
                    wrong += &format!("\n{}: {}\n{text}\nfound {found:?}\n", rule.core, rule.says);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_schedule_keeps_to_the_contract() {
    judge_all(|rule, trace| Judge::run(rule.spec(), rule.latency, trace, |_, _| {}));
}
