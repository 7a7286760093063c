//! The cores in a browser: the page writes a request into the memory of this module, and reads the answer there.
//!
//! ```text
//! page ──> worker ──> request_room, answer ──> Request ──> Setup ──> run: the trace of a co-simulation, and the Verilog
//!                     (plain functions)                        └───> files: what the page offers for download
//! ```
//!
//! The functions for JavaScript take and return numbers only. A generator of bindings would be a second program, built for minutes
//! before the first page is served; a request and an answer are a few lines without it. Both are a JSON text and bytes after it: the
//! length of the text in 32 bits, low byte first, the text, and the bytes.

mod files;
mod run;
mod setup;
mod zip;

use std::cell::RefCell;

use serde::Deserialize;
use serde_json::{Value, json};
use utfhdl::cosim::WaveFormat;

use self::setup::{Problem, Setup, State};

/// A question of the page.
#[derive(Deserialize)]
struct Request {
    /// The question.
    ask: Ask,
    /// The inputs of the page.
    state: State,
    /// The number of cycles of a run that are wanted, from the first on; all, if there is none.
    #[serde(default)]
    cycles: Option<usize>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Ask {
    /// All that the page shows of a run.
    Run,
    /// The systems and the choices of options.
    Choices,
    /// The signals that can have a fault.
    Signals,
    /// The units of a sequence bit by bit, as HTML.
    Explain,
    /// The Verilog.
    Verilog,
    /// The core with all that `generate --with all` writes.
    Zip,
    /// Waves, with the files of viewers.
    Vcd,
    /// The same, compressed.
    Fst,
    /// The lines of `decode`.
    Events,
    /// The page of `trace`.
    Page,
    /// The input as a file.
    Input,
}

/// The answer to a request: a JSON text, which has `problem` if there is no other answer, and bytes.
pub fn answer_to(request: &[u8]) -> Vec<u8> {
    let (text, bytes) = answer(request).unwrap_or_else(|problem| (json!({ "problem": problem }), Vec::new()));
    let mut text = text.to_string();
    // Words after the text are aligned.
    while !text.len().is_multiple_of(4) {
        text.push(' ');
    }
    let mut answer = (text.len() as u32).to_le_bytes().to_vec();
    answer.extend_from_slice(text.as_bytes());
    answer.extend_from_slice(&bytes);
    answer
}

fn answer(request: &[u8]) -> Result<(Value, Vec<u8>), Problem> {
    let no_request = |what: &str| Problem::page(format!("the request is {what}"));
    let (length, rest) = request.split_first_chunk().ok_or_else(|| no_request("empty"))?;
    let length = u32::from_le_bytes(*length) as usize;
    let (text, input) = rest.split_at_checked(length).ok_or_else(|| no_request("cut short"))?;
    let request: Request = serde_json::from_slice(text).map_err(|error| no_request(&error.to_string()))?;
    if request.ask == Ask::Choices {
        return Ok((setup::choices(&request.state)?, Vec::new()));
    }
    let setup = Setup::new(request.state, input, request.cycles)?;
    match request.ask {
        Ask::Choices | Ask::Run => run::answer(&setup, request.cycles),
        Ask::Explain => run::explain(&setup).map(|html| (json!({ "html": html }), Vec::new())),
        Ask::Signals => Ok((json!({ "signals": setup.signals() }), Vec::new())),
        Ask::Verilog => Ok(files::verilog(&setup)),
        Ask::Zip => Ok(files::zip(&setup)),
        Ask::Vcd => files::waves(&setup, WaveFormat::Vcd),
        Ask::Fst => files::waves(&setup, WaveFormat::Fst),
        Ask::Events => files::events(&setup),
        Ask::Page => files::page(&setup),
        Ask::Input => files::input(&setup),
    }
}

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for a request of this length in bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn request_room(length: usize) -> *mut u8 {
    std::panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request, and returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_request() -> *const u8 {
    let request = REQUEST.take();
    ANSWER.set(answer_to(&request));
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// The length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// After a panic: makes its message the answer, and returns the address.
#[unsafe(no_mangle)]
pub extern "C" fn panic_message() -> *const u8 {
    ANSWER.set(PANIC.take().into_bytes());
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
