//! Co-simulation of adapters: a core that changes the beats of a stream, against a model in software.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `beat` | beats, and how they stand on the ports |
//! | `model` | the beats that an adapter owes for those that came in |
//! | `stimulus` | random frames |
//! | `run` | the run: stalls, rules of the handshake, time |

mod beat;
mod model;
mod run;
mod stimulus;

pub use beat::Beat;
pub use model::{Model, Owed};
pub use run::{AdapterFailure, AdapterReport, AdapterRun, RunError};
