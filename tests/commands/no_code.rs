//! If the system lets no program make machine code, slower implementations do the same, and say so.
#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::process::Command;

use utfhdl_sim::batch::Backend;

/// Memory that could be written can't be made executable any more (Linux 6.3, prctl(2)).
const PR_SET_MDWE: i32 = 65;
const PR_MDWE_REFUSE_EXEC_GAIN: u64 = 1;

unsafe extern "C" {
    fn prctl(option: i32, ...) -> i32;
}

/// Exit code, standard output and standard error; `None` on a system that is too old to refuse machine code.
fn utfhdl_without_code(backend: &str, arguments: &str) -> Option<(i32, String, String)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_utfhdl"));
    command.env("UTFHDL_BATCH", backend).args(arguments.split(' '));
    // SAFETY: between fork and exec there is one system call, with the arguments that it takes; nothing is allocated.
    let command = unsafe {
        command.pre_exec(|| match prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0_u64, 0_u64, 0_u64) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        })
    };
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
            eprintln!("not run: this Linux is older than 6.3 and can't refuse machine code");
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Some((output.status.code().unwrap(), text(output.stdout), text(output.stderr)))
}

#[test]
#[ignore = "needs Linux 6.3"]
fn a_campaign_is_interpreted() {
    let campaign = "campaign utf-8 decoder --exhaustive 2 --json";
    let Some((code, out, err)) = utfhdl_without_code("", campaign) else { return };
    assert_eq!((code, out.contains("65536")), (0, true), "{err}");
    // A user who asks for machine code gets the reason why there is none.
    for backend in Backend::available().into_iter().filter(|backend| *backend != Backend::Portable) {
        let (code, out, err) = utfhdl_without_code(&backend.to_string(), campaign).expect("Linux as before");
        assert_eq!((code, out.as_str()), (2, ""), "{backend}");
        assert!(err.contains("there is no memory that can hold machine code"), "{backend}: {err}");
    }
}

#[test]
#[ignore = "needs Linux 6.3"]
fn the_native_engine_is_interpreted_and_says_so() {
    // Long enough that compiling the design would pay.
    let Some((code, _, err)) = utfhdl_without_code("", "cosim utf-8 decoder --random 20000") else { return };
    assert_eq!(code, 0, "{err}");
    let reason = if cfg!(feature = "jit") { "the compiler failed: " } else { "this build has no compiler" };
    assert!(err.contains(&format!("native: the design is interpreted, which is slow: {reason}")), "{err}");
}
