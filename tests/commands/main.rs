//! Commands as users run them, with files, terminals and signals: the texts and files that they write, and what they refuse.

#[path = "../common/mod.rs"]
mod common;

mod arguments;
mod backends;
mod campaign;
mod campaign_command;
mod campaign_failures;
mod campaign_tasks;
mod completions;
mod convert;
mod cosim_command;
mod decode;
mod encode;
mod explain;
mod hardware_commands;
mod hostile;
mod json_strings;
mod no_code;
mod output;
mod prove_command;
mod renamed;
mod report;
mod signals;
mod test_programs;
mod trace;
mod validate;
mod wave_options;
