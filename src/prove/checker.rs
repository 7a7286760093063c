//! The checkers: programs that decide a problem in an AIGER file, and their verdicts.
//!
//! A program's verdict counts only if its output is understood completely. Any other output, such as an error, leaves the
//! problem undecided, with the program's words. A counterexample is run here, on the same problem, before it is believed.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use utfhdl_sim::aig::Aiger;
use utfhdl_sim::scratch::ScratchFolder;
use utfhdl_sim::tool::ToolError;

use super::program::{Ended, Limits, is_installed, run};
use super::verdict::{Counterexample, Verdict, undecided};

/// A program that decides problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checker {
    /// `pdr` of Yosys's abc, after `scorr` or `lcorr` and `dc2`, which make problems smaller.
    Abc,
    /// rIC3, if it is on the path.
    Ric3,
}

/// How abc merges registers that hold the same, before it decides a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// abc merges none: with many lanes, merging takes longer than the proof of a rule about the handshake alone.
    None,
    /// abc merges registers of the problem as it is.
    Plain,
    /// abc first merges signals that are the same for any values of the registers.
    Swept,
    /// abc first makes decision diagrams of all failures. Those of sums are small, and to a SAT solver sums are hard.
    Collapsed,
    /// Registers that random inputs do not tell apart are there once, so that most failures are decided by the logic of one cycle, as for `Swept`. If that is no
    /// proof, abc gets the problem as it is.
    InOneState,
}

/// The file of the problem in the folder that a checker runs in.
const PROBLEM: &str = "problem.aig";
/// The commands by which abc merges signals that are the same in one cycle. Pairs that are easy to merge make the others easier.
const SWEEP: &str = "&get; &fraig -x -C 1000; &fraig -x -C 10000; &put";
/// The commands by which abc makes decision diagrams, of any number of nodes, in the order of the inputs. The search for a better order takes abc longer than the
/// diagrams.
const COLLAPSE: &str = "collapse -r -B 1000000000; strash";
/// The file of a counterexample.
const TRACE: &str = "trace.txt";

impl Checker {
    /// All of them, the first choice first.
    pub const ALL: [Self; 2] = [Self::Abc, Self::Ric3];

    /// The program that runs.
    pub fn program(self) -> &'static str {
        match self {
            Self::Abc => "yosys-abc",
            Self::Ric3 => "rIC3",
        }
    }

    /// The checkers that are installed.
    pub fn installed() -> Vec<Self> {
        Self::ALL.into_iter().filter(|checker| is_installed(checker.program())).collect()
    }

    /// Decides whether a bad state of `problem` can be reached.
    ///
    /// # Errors
    /// If the program can't be started, or a file not be written.
    pub fn check(self, problem: &Aiger, merging: Merging, limits: Limits) -> Result<Verdict, ToolError> {
        // With its default limit of conflicts, abc gives up on many pairs in encoders of eight lanes, and has no answer.
        let merge = match merging {
            Merging::None => "strash",
            Merging::Plain => "scorr -C 10000; dc2",
            Merging::Collapsed => COLLAPSE,
            Merging::Swept | Merging::InOneState => &format!("{SWEEP}; scorr -C 10000; dc2"),
        };
        self.decide(problem, limits, merge)
    }

    /// Whether abc finds that each output of `problem`, which has no latches, is 0 for all inputs. If the time runs out, or the checker is another one, no output counts as 0.
    ///
    /// # Errors
    /// If the program can't be started, or a file not be written.
    pub fn zeros(self, problem: &Aiger, limits: Limits) -> Result<Vec<bool>, ToolError> {
        const SWEPT: &str = "swept.aig";
        let none = vec![false; problem.outputs.len()];
        if self != Self::Abc {
            return Ok(none);
        }
        let folder = in_folder(problem)?;
        let folder = folder.path();
        let script = format!("read_aiger {PROBLEM}; strash; {SWEEP}; write_aiger {SWEPT}");
        Ok(match run(self.program(), &["-s", "-q", &script], folder, limits)? {
            Ended::Well(_) => fs::read(folder.join(SWEPT)).ok().and_then(|file| zeros_in(&file, none.len())),
            _ => None,
        }
        .unwrap_or(none))
    }

    /// Decides whether two designs in `problem`, most registers of which have a twin, differ.
    ///
    /// # Errors
    /// If the program can't be started, or a file not be written.
    pub fn compare(self, problem: &Aiger, limits: Limits) -> Result<Verdict, ToolError> {
        assert_eq!(problem.bad.len(), 1, "one problem at a time");
        // Registers that are the same for a cycle, and then what is the same for four.
        self.decide(problem, limits, "lcorr; scorr -F 4 -C 10000; dc2")
    }

    /// Decides whether the first bad state of `problem` can be reached. The others are lemmas: some are never reached, and abc finds which,
    /// and uses them.
    ///
    /// # Errors
    /// If the program can't be started, or a file not be written.
    pub fn check_with_lemmas(self, problem: &Aiger, limits: Limits) -> Result<Verdict, ToolError> {
        if self == Self::Abc && problem.bad.len() > 1 {
            let merge = "scorr -F 2 -C 10000; cone -s -O 0; dc2";
            return self.decide_by(problem, &first_only(problem), limits, merge);
        }
        self.check(&first_only(problem), Merging::Plain, limits)
    }

    /// Decides a problem. `merge` are the commands by which abc makes it smaller.
    fn decide(self, problem: &Aiger, limits: Limits, merge: &str) -> Result<Verdict, ToolError> {
        match self {
            // abc proves all bad states together: an invariant that it finds for one serves the others.
            Self::Abc => self.decide_by(problem, problem, limits, merge),
            Self::Ric3 => self.decide_by(&in_one(problem), problem, limits, merge),
        }
    }

    /// Decides `problem`. The checker reads `given`: the same problem in another form, or with lemmas, which `merge` then drops.
    fn decide_by(
        self,
        given: &Aiger,
        problem: &Aiger,
        limits: Limits,
        merge: &str,
    ) -> Result<Verdict, ToolError> {
        if problem.bad.iter().all(|bad| bad.literal == 0) {
            return Ok(Verdict::Proved { how: "constant".to_owned() });
        }
        let folder = in_folder(given)?;
        let folder = folder.path();
        let (arguments, exit_is_result) = match self {
            Self::Abc => {
                // abc ends by itself a little earlier, and prints how far it came.
                let seconds = limits.time.as_secs().max(1);
                let script = format!("read_aiger {PROBLEM}; {merge}; pdr -T {seconds}; write_cex {TRACE}");
                (vec!["-s".to_owned(), "-q".to_owned(), script], false)
            }
            Self::Ric3 => (vec!["-e".to_owned(), "ic3".to_owned(), PROBLEM.to_owned()], true),
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let seconds = limits.time.as_secs();
        let limits = Limits { time: limits.time + Duration::from_secs(1), ..limits };
        let said = match run(self.program(), &arguments, folder, limits)? {
            Ended::Well(said) => said,
            Ended::Failed(failed) if exit_is_result => failed.printed,
            Ended::Failed(failed) => return Ok(undecided(format!("{self} {failed}"))),
            Ended::OutOfTime => return Ok(undecided(format!("no answer in {seconds} s"))),
            Ended::Stopped => return Ok(undecided("stopped")),
        };
        Ok(match self {
            Self::Abc => of_abc(&said, problem, folder),
            Self::Ric3 => of_ric3(&said),
        })
    }
}

impl fmt::Display for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Abc => "abc pdr",
            Self::Ric3 => "rIC3",
        })
    }
}

/// A problem with its first bad state alone.
fn first_only(problem: &Aiger) -> Aiger {
    Aiger { bad: problem.bad[..1].to_vec(), ..problem.clone() }
}

/// A problem with one bad state, which is reached where any of them is.
fn in_one(problem: &Aiger) -> Aiger {
    let mut one = problem.clone();
    let none = problem.bad.iter().map(|bad| bad.literal ^ 1).reduce(|none, good| one.and(none, good));
    one.bad.truncate(1);
    one.bad[0].literal = none.expect("a problem has a bad state") ^ 1;
    one
}

/// A folder with a problem in it.
fn in_folder(problem: &Aiger) -> Result<ScratchFolder, ToolError> {
    let parent = std::env::temp_dir();
    let folder = ScratchFolder::create_in(&parent).map_err(|error| ToolError::io(&parent, error))?;
    let path = folder.path().join(PROBLEM);
    let cannot = |error| ToolError::io(&path, error);
    let mut file = BufWriter::new(File::create(&path).map_err(cannot)?);
    problem.write(&mut file).and_then(|()| file.flush()).map_err(cannot)?;
    Ok(folder)
}

/// The invariant of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// All states but those in a file of products of latches, in the form of espresso's PLA.
    Excluded(String),
    /// All states: the problem needs none to be excluded.
    AllStates,
    /// There is none, for this reason.
    None(String),
}

/// The invariant by which abc proves that no bad state of `problem` is reached. The latches stay as they are, unlike in [`Checker::check`]: the invariant
/// is about the latches of `problem`.
///
/// # Errors
/// If abc can't be started, or a file not be written.
pub fn invariant(problem: &Aiger, limits: Limits) -> Result<Found, ToolError> {
    const INVARIANT: &str = "invariant.pla";
    let folder = in_folder(problem)?;
    let folder = folder.path();
    let seconds = limits.time.as_secs().max(1);
    let script = format!("read_aiger {PROBLEM}; pdr -T {seconds} -d -I {INVARIANT}");
    let limits = Limits { time: limits.time + Duration::from_secs(1), ..limits };
    let said = match run(Checker::Abc.program(), &["-s", "-q", &script], folder, limits)? {
        Ended::Well(said) => said,
        Ended::Failed(failed) => return Ok(Found::None(format!("abc {failed}"))),
        Ended::OutOfTime => return Ok(Found::None(format!("no invariant in {seconds} s"))),
        Ended::Stopped => return Ok(Found::None("stopped".to_owned())),
    };
    let path = folder.join(INVARIANT);
    Ok(match fs::read_to_string(&path) {
        Ok(text) => Found::Excluded(text),
        Err(_) if said.contains("Property proved.") => Found::AllStates,
        Err(_) => Found::None(format!("no invariant in {seconds} s")),
    })
}

/// Whether each of the `count` outputs of an AIGER file without latches is constant 0; `None` if the file is another one.
fn zeros_in(file: &[u8], count: usize) -> Option<Vec<bool>> {
    let mut lines = file.split(|byte| *byte == b'\n').map(|line| std::str::from_utf8(line).ok());
    let numbers: Vec<usize> = lines
        .next()??
        .strip_prefix("aig ")?
        .split(' ')
        .map(|number| number.parse().ok())
        .collect::<Option<_>>()?;
    if numbers[..].get(2..4)? != [0, count] {
        return None;
    }
    let zeros: Vec<bool> = lines.take(count).map(|line| Some(line? == "0")).collect::<Option<_>>()?;
    (zeros.len() == count).then_some(zeros)
}

/// Reads the verdict of abc's `pdr`.
fn of_abc(said: &str, problem: &Aiger, folder: &Path) -> Verdict {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let find = |start: &str| lines.iter().find(|line| line.starts_with(start)).copied();
    let (proved, asserted) = (find("Property proved."), find("Output "));
    match (proved, asserted) {
        (Some(_), None) => match find("Verification of invariant with")
            .filter(|line| line.contains("was successful"))
        {
            Some(line) => {
                let clauses = line.split(' ').nth(4).unwrap_or("some");
                Verdict::Proved { how: format!("{clauses} clauses") }
            }
            // Without registers there is no invariant.
            None if find("Invariant").is_none() => Verdict::Proved { how: "no invariant needed".to_owned() },
            None => undecided(format!("abc said: {}", lines.join("; "))),
        },
        (None, Some(line)) => {
            let trace = fs::read_to_string(folder.join(TRACE)).unwrap_or_default();
            match asserted_in(line).and_then(|frame| trace_of(&trace, frame, problem)) {
                Some(found) => Verdict::Refuted(found),
                None => undecided(format!("abc has a counterexample that does not fail here: {line}")),
            }
        }
        _ => {
            let why: Vec<&str> =
                lines.iter().copied().filter(|line| !line.starts_with("Counter-example")).collect();
            undecided(format!("abc said: {}", why.join("; ")))
        }
    }
}

/// The frame of a line such as `Output 0 of miter "problem" was asserted in frame 4.  Time = 0.01 sec`.
fn asserted_in(line: &str) -> Option<usize> {
    let (_, rest) = line.split_once("was asserted in frame ")?;
    rest.split('.').next()?.parse().ok()
}

/// Reads a counterexample of abc: the initial values of the latches, then the inputs of each cycle in their order, as 0 and
/// 1. The run is checked by simulating the problem.
fn trace_of(text: &str, frame: usize, problem: &Aiger) -> Option<Counterexample> {
    let text = text.split('#').next().unwrap_or_default();
    let bits: Vec<bool> = text.bytes().filter(|byte| b"01".contains(byte)).map(|byte| byte == b'1').collect();
    let inputs = problem.inputs.len();
    // abc has left out some latches, and all start as 0.
    let latches = bits.len().checked_sub(inputs * (frame + 1))?;
    if latches > problem.latches.len() || bits[..latches].contains(&true) {
        return None;
    }
    let inputs: Vec<Vec<bool>> = match inputs {
        0 => vec![Vec::new(); frame + 1],
        _ => bits[latches..].chunks(inputs).map(<[bool]>::to_vec).collect(),
    };
    let run = Counterexample { cycle: frame, inputs };
    let is_bad = run.cycles(problem).last().is_some_and(|(_, is_bad)| is_bad);
    is_bad.then_some(run)
}

/// Reads the verdict of rIC3; its counterexamples are not read.
fn of_ric3(said: &str) -> Verdict {
    let words: Vec<&str> = said.split_whitespace().collect();
    if words.contains(&"UNSAT") && !words.contains(&"SAT") {
        return Verdict::Proved { how: "by rIC3".to_owned() };
    }
    undecided(format!("rIC3 said: {}", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use utfhdl_sim::aig::Named;

    use super::*;

    /// Two inputs and a latch that loads the first one. Bad are the second input, both inputs at once, and the latch.
    fn problem() -> Aiger {
        let bad = |(at, literal)| Named { name: format!("bad[{at}]"), literal };
        Aiger {
            inputs: vec!["first".to_owned(), "second".to_owned()],
            latches: vec![Named { name: "latch".to_owned(), literal: 2 }],
            bad: (0..).zip([4, 8, 6]).map(bad).collect(),
            ands: vec![(2, 4)],
            ..Aiger::default()
        }
    }

    #[test]
    fn one_bad_state_stands_for_all() {
        let (problem, one) = (problem(), in_one(&problem()));
        // Eight runs at once, one for all values of the inputs and the latch.
        let (inputs, state) = ([0b1010_1010, 0b1100_1100], [0b1111_0000]);
        let of_all = problem.run(&mut state.clone(), &inputs);
        let of_one = one.run(&mut state.clone(), &inputs);
        assert_eq!(of_one, [0b1111_1100]);
        assert_eq!(of_one, [of_all[0] | of_all[1] | of_all[2]]);
    }

    #[test]
    fn a_counterexample_fails_in_any_bad_state() {
        // The latch starts as 0. In the second cycle it holds the first input, while both inputs are 0.
        let said = "Output 2 of miter \"problem\" was asserted in frame 1.  Time = 0.01 sec";
        let frame = asserted_in(said).expect("a frame");
        let found = trace_of("0 10 00 # DONE", frame, &problem()).expect("it fails");
        assert_eq!((found.cycle, found.inputs), (1, vec![vec![true, false], vec![false, false]]));
        assert_eq!(trace_of("0 00 00", frame, &problem()), None);
        // The lemmas of a problem are no failures.
        assert_eq!(trace_of("0 10 00", frame, &first_only(&problem())), None);
    }

    #[test]
    fn zeros_are_read_from_a_file_without_latches() {
        assert_eq!(zeros_in(b"aig 3 2 0 3 1\n0\n6\n0\n\x02\x02", 3), Some(vec![true, false, true]));
        assert_eq!(zeros_in(b"aig 3 1 1 1 1\n4\n0\n\x02\x02", 1), None, "it has a latch");
        assert_eq!(zeros_in(b"aig 2 2 0 1 0\n0\n", 2), None, "an output is missing");
        assert_eq!(zeros_in(b"", 1), None);
    }
}
