//! The backends of the batch engine, as the user of a campaign chooses them.

use assert_cmd::Command;
use utfhdl_sim::batch::Backend;

/// Exit code, standard output and standard error.
fn campaign(backend: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    command.env("UTFHDL_BATCH", backend).args([
        "campaign",
        "utf-8",
        "decoder",
        "--exhaustive",
        "2",
        "--json",
    ]);
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_campaign_comes_to_the_same_on_every_backend() {
    let sum = |backend: &str| -> serde_json::Value {
        let (code, out, err) = campaign(backend);
        assert_eq!(code, 0, "{backend}: {err}");
        serde_json::from_str(&out).unwrap()
    };
    let mut expected = sum("");
    assert_eq!(expected["inputs"], 65536);
    assert_eq!(expected["backends"], serde_json::json!([Backend::best().to_string()]));
    for backend in Backend::available() {
        expected["backends"] = serde_json::json!([backend.to_string()]);
        assert_eq!(sum(&backend.to_string()), expected);
    }
}

#[test]
fn a_backend_that_there_is_not_is_exit_2() {
    let (code, out, err) = campaign("avx1024");
    assert_eq!((code, out.as_str()), (2, ""));
    let expected = "there is no backend \"avx1024\" of the batch engine: choose avx512, avx2, portable";
    assert!(err.contains(expected), "{err}");
}
