//! The traces of the timing rules, on the ports of cores: monitor and scoreboard have to judge them as the schedule alone does.

use utfhdl_sim::Layout;

use super::set_outputs;
use crate::cosim::failure::Failure;
use crate::cosim::monitor::Monitor;
use crate::cosim::prediction::{Place, Prediction};
use crate::cosim::scoreboard::Scoreboard;
use crate::cosim::streams::References;
use crate::cosim::supply::Portion;
use crate::promise::drawn::{Cycle, Drawn};
use crate::promise::rules::{Rule, judge_all};
use crate::promise::{Ports, hollow};

/// The cycle in which a trace breaks a rule, and the failure. The core has been idle for long before.
pub(super) fn judge(rule: &Rule, trace: &Drawn) -> Option<(usize, Failure)> {
    let core = hollow::core(rule.spec(), rule.latency);
    let (ports, layout) = (Ports::new(&core), Layout::new(&core.design));
    let (mut monitor, mut scoreboard) = (Monitor::new(&core), Scoreboard::new(&core, 0));
    let (mut reference, mut prediction) = (References::new(&core), Prediction::default());
    let mut place = Place::default();
    let mut outputs = vec![0; layout.output_words];
    let idle = Cycle { input_ready: true, output_ready: true, ..Cycle::default() };
    let before = rule.latency as usize + 2;
    let behind = rule.latency as usize + 4;
    let cycles = (0..before).map(|_| &idle).chain(&trace.cycles).chain((0..behind).map(|_| &idle));
    for (now, cycle) in cycles.enumerate() {
        let Cycle { input, input_ready, output, amiss, output_ready } = cycle;
        set_outputs(&layout, &ports, &mut outputs, output.as_ref(), *amiss, *input_ready);
        let now_expected = scoreboard.is_expected(now as u64, &outputs);
        let checked = monitor.check(&ports, now as u64, &outputs, *output_ready, now_expected);
        let checked = checked.and_then(|()| {
            scoreboard.seen(&ports, &prediction, now as u64, &outputs, *output_ready, now_expected, false)
        });
        if let Err(failure) = checked {
            return Some((now - before, failure));
        }
        if let Some(beat) = input.as_ref().filter(|_| *input_ready) {
            let mut portion = Portion::default();
            portion.add(beat, 0);
            portion.predict(&mut reference);
            prediction.add(&portion);
            scoreboard.taken(now as u64, prediction.next(&mut place));
        }
    }
    assert!(scoreboard.is_empty(), "what is owed for so long is late");
    None
}

#[test]
fn monitor_and_scoreboard_keep_to_the_contract() {
    judge_all(|rule, trace| judge(rule, trace).map(|(cycle, failure)| (cycle, failure.port)));
}
