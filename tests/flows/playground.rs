//! The playground: its server, and in a browser what one does there, compared with the command line.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::browser::Browser;
use crate::common::command::in_shell;

const WIDE: (u32, u32) = (1400, 1000);
const NARROW: (u32, u32) = (400, 800);
const READY: &str = "document.body.dataset.ready === 'true'";

/// A server of a folder.
struct Served {
    server: Child,
    /// `127.0.0.1:PORT`
    address: String,
}

impl Served {
    #[track_caller]
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(cargo_bin("utfhdl"));
        let command = command.args(["playground", "--port", "0", "--dir"]).arg(folder);
        let mut server = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split('/').nth(2).unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { server, address }
    }

    /// The head and the body of the answer to some bytes.
    #[track_caller]
    fn answer(&self, request: &[u8]) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }
}

#[test]
fn a_folder_is_served_and_nothing_outside_of_it() {
    let folder = TempDir::new().unwrap();
    let root = folder.path().join("served");
    fs::create_dir_all(root.join("part")).unwrap();
    for (path, text) in [
        ("secret", "secret"),
        ("served/index.html", "index"),
        ("served/.hidden", "secret"),
        ("served/part/index.html", "part"),
        ("served/a.js", "script"),
        ("served/a.wasm", "module"),
    ] {
        fs::write(folder.path().join(path), text).unwrap();
    }
    std::os::unix::fs::symlink("../secret", root.join("link")).unwrap();
    let served = Served::start(&root);
    for (target, kind, body) in [
        ("/", "text/html; charset=utf-8", "index"),
        ("/?x=1", "text/html; charset=utf-8", "index"),
        ("/part/", "text/html; charset=utf-8", "part"),
        ("/a.js", "text/javascript; charset=utf-8", "script"),
        ("/a.wasm", "application/wasm", "module"),
    ] {
        let (head, found) = served.answer(format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes());
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{target}: {head}");
        assert!(head.contains(&format!("Content-Type: {kind}\r\n")), "{target}: {head}");
        assert!(head.contains("Content-Security-Policy: default-src 'self'; "), "{target}: {head}");
        assert_eq!(found, body, "{target}");
    }
    let (head, body) = served.answer(b"HEAD /a.js HTTP/1.1\r\n\r\n");
    assert!(head.contains("Content-Length: 6\r\n") && body.is_empty(), "{head}{body}");
    for target in [
        "/../secret",
        "/part/../../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "/..\\secret",
        "//etc/passwd",
        "/../../../../etc/passwd",
        "/.hidden",
        "/link",
        "/part",
        "/missing",
        "secret",
        "http://127.0.0.1/secret",
        "/a.js\0",
    ] {
        let (head, body) = served.answer(format!("GET {target} HTTP/1.1\r\n\r\n").as_bytes());
        assert!(head.starts_with("HTTP/1.1 404 "), "{target}: {head}");
        assert_eq!(body, "404 Not Found\n", "{target}");
    }
    for (request, status) in [
        (&b"POST / HTTP/1.1\r\n\r\n"[..], "405"),
        (b"GET /\r\n\r\n", "400"),
        (b"\xff\xfe\0\r\n\r\n", "400"),
        (b"GET / HTTP/1.1 more\r\n\r\n", "400"),
        (b"\r\n\r\n", "400"),
    ] {
        let (head, _) = served.answer(request);
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {head}");
    }
    // A client that says nothing holds up nobody.
    let silent = TcpStream::connect(&served.address).unwrap();
    assert_eq!(served.answer(b"GET / HTTP/1.0\r\n\r\n").1, "index");
    drop(silent);
}

#[test]
fn a_server_that_can_not_be_says_why() {
    let folder = TempDir::new().unwrap();
    let (code, out, err) = in_shell(folder.path(), "$UTFHDL playground");
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(
        err,
        "utfhdl: target/playground holds no playground: build it with tools/playground in a checkout of utfhdl, or name its \
         folder with --dir\n"
    );
    fs::write(folder.path().join("index.html"), "index").unwrap();
    let served = Served::start(folder.path());
    let port = served.address.split(':').nth(1).unwrap();
    let (code, _, err) = in_shell(folder.path(), &format!("$UTFHDL playground --dir . --port {port}"));
    assert_eq!(code, 2);
    let expected = format!(
        "utfhdl: cannot listen on port {port} of 127.0.0.1: choose another one with --port, or a free one with --port 0: Address already in use"
    );
    assert!(err.starts_with(&expected), "{err}");
}

/// The playground, built anew if anything has changed.
fn built() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new(root.join("tools/playground")).arg("--build-only").output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    root.join("target/playground")
}

/// Sets a control, and waits until the page has run what is chosen then.
#[track_caller]
fn set(browser: &mut Browser, control: &str, value: &str) {
    browser.value(&format!(
        "(() => {{
            const control = document.getElementById({});
            control.value = {};
            control.dispatchEvent(new Event('input', {{ bubbles: true }}));
        }})()",
        json!(control),
        json!(value)
    ));
    browser.wait(READY);
    browser.drawn();
}

/// The value of an expression about the viewer, whose elements `view` finds.
#[track_caller]
fn in_view(browser: &mut Browser, expression: &str) -> Value {
    browser.value(&format!(
        "(view => {expression})(id => document.getElementById('picture').shadowRoot.getElementById(id))"
    ))
}

/// The files that the module makes: the answer's text, with the bytes as `base64`.
#[track_caller]
fn asked(browser: &mut Browser, ask: &str, state: &Value, input: &str) -> Value {
    browser.value(&format!(
        "(async () => {{
            const {{ Engine }} = await import('/engine.js');
            window.asking ??= new Engine();
            const answer = await window.asking.ask({}, {state}, new TextEncoder().encode({}));
            const digits = Array.from(new Uint8Array(answer.bytes), byte => String.fromCharCode(byte));
            return {{ ...answer, bytes: undefined, verilog: undefined, base64: btoa(digits.join('')) }};
        }})()",
        json!(ask),
        json!(input)
    ))
}

/// Cores and texts: system, role, lanes, other options as JSON, stalls, the text.
type Configuration = (&'static str, &'static str, u32, &'static str, [u8; 2], &'static str);

const CONFIGURATIONS: [Configuration; 20] = [
    ("utf-8", "decoder", 1, "", [0, 0], "aé€😀"),
    ("utf-8", "decoder", 1, r#""on-error": "drop", "reset": "async-low""#, [30, 40], "Zürich 東京"),
    ("utf-8", "decoder", 1, r#""bus": "short", "name": "mine""#, [0, 50], "it's \"quoted\" $HOME `id`\\"),
    ("utf-8", "decoder", 4, r#""pack": "dense", "frames": "3,0,2+1""#, [0, 0], "aé€😀aé€😀"),
    ("utf-8", "decoder", 8, r#""pipeline": "3""#, [10, 10], "<script>alert(1)</script>]]>"),
    ("utf-8", "encoder", 1, r#""tid": 3, "tdest": 2, "tuser": 5"#, [0, 0], "aé€😀"),
    ("utf-8", "encoder", 4, r#""reset": "sync-low", "timescale": "1ns/1ps""#, [0, 20], "aé€😀aé€😀"),
    ("utf-8", "validator", 1, r#""kinds": true"#, [0, 0], "aé€😀"),
    ("utf-8", "validator", 4, r#""axis": "strict", "mark": ["start", "newline"]"#, [0, 0], "aé\n€😀"),
    ("utf-8", "transcoder:utf-16", 1, r#""axis": "strict", "x-interface": true"#, [0, 0], "aé€😀"),
    ("utf-8", "transcoder:utf-9", 2, r#""on-error": "drop", "frames": "random""#, [20, 0], "aé€😀"),
    ("utf-9", "decoder", 1, r#""position": 16, "line": 8, "column": 6"#, [0, 0], "aé€😀"),
    ("utf-18", "decoder", 2, r#""tid": 8"#, [0, 0], "aé€😀"),
    ("utf-16", "decoder", 2, r#""axis": "strict""#, [0, 0], "aé€😀"),
    ("utf-16be", "decoder", 1, "", [0, 0], "aé€😀"),
    ("utf-32", "encoder", 2, "", [0, 0], "aé€😀"),
    ("utf-inf-8", "decoder", 1, "", [15, 15], "aé€😀"),
    ("corrected-utf-8", "decoder", 1, "", [0, 0], "aé€"),
    ("cesu-8", "decoder", 4, "", [0, 0], "aé€😀"),
    ("latin-1", "encoder", 1, "", [0, 0], "né"),
];

/// Everything that is downloaded is what the command line writes: Verilog, the lines of `decode`, the page of the command that the
/// playground shows; and of one core all files and the waves.
#[test]
#[ignore = "needs chromium and Rust's target for browsers"]
fn what_is_taken_home_is_what_the_command_line_writes() {
    let served = Served::start(&built());
    let mut browser = Browser::start();
    browser.open_address(&format!("http://{}/", served.address), WIDE, READY);
    let folder = TempDir::new().unwrap();
    let run = |script: &str| {
        let ran = in_shell(folder.path(), &script.replace("utfhdl ", "$UTFHDL "));
        assert_eq!(ran.0, 0, "{script}: {}", ran.2);
    };
    let same = |command: &str, answer: &Value, file: &str| {
        let found = fs::read(folder.path().join(file)).unwrap();
        assert_eq!(answer["problem"], Value::Null, "{answer}");
        assert!(answer["base64"] == utfhdl::page::base64(&found).as_str(), "{command}: {file} differs");
    };
    for (at, (system, role, lanes, options, stall, text)) in CONFIGURATIONS.into_iter().enumerate() {
        let mut state =
            json!({ "system": system, "role": role, "lanes": lanes, "stall": stall, "seed": at + 1 });
        let options: Value = serde_json::from_str(&format!("{{{options}}}")).unwrap();
        for (option, value) in options.as_object().unwrap() {
            state[option] = value.clone();
        }
        let shown = asked(&mut browser, "run", &state, text);
        let generate = shown["generate"].as_str().unwrap();
        run(&format!("{generate} -o ."));
        let verilog = asked(&mut browser, "verilog", &state, text);
        same(generate, &verilog, verilog["name"].as_str().unwrap());
        let command = shown["command"].as_str().unwrap();
        // The page says which command has made it, so the name of the tool stays.
        fs::write(folder.path().join("command"), command).unwrap();
        run("utfhdl() { \"$UTFHDL\" \"$@\"; }; . ./command");
        same(command, &asked(&mut browser, "page", &state, text), "run.html");
        if role != "encoder" {
            fs::write(folder.path().join("text"), text).unwrap();
            run(&format!(
                "utfhdl encode {system} <(utfhdl decode utf-8 text) > units; utfhdl decode {system} units > events"
            ));
            same(command, &asked(&mut browser, "events", &state, text), "events");
        }
    }
    let state = json!({ "system": "utf-8", "role": "decoder" });
    for (ask, made) in [
        ("zip", "utfhdl generate utf-8 decoder --with all -o all/utf_8_decoder_x1"),
        (
            "vcd",
            "mkdir all; printf 'A\\303\\251' | utfhdl cosim utf-8 decoder - --vcd all/utf_8_decoder_x1.vcd",
        ),
        (
            "fst",
            "mkdir all; printf 'A\\303\\251' | utfhdl cosim utf-8 decoder - --wave all/utf_8_decoder_x1.fst",
        ),
    ] {
        let answer = asked(&mut browser, ask, &state, "Aé");
        fs::write(folder.path().join("zip.base64"), answer["base64"].as_str().unwrap()).unwrap();
        run("rm -rf all found; base64 -d zip.base64 > found.zip; python3 -m zipfile -e found.zip found");
        run(made);
        run("diff -r all found");
    }
    assert_eq!(browser.complaints, [] as [String; 0]);
}

/// A user's steps through the page: types a text, follows it through the core, and breaks the core.
#[test]
#[ignore = "needs chromium and Rust's target for browsers"]
fn a_text_is_typed_followed_and_broken() {
    let served = Served::start(&built());
    let address = format!("http://{}/", served.address);
    let mut browser = Browser::start();
    browser.call("Network.enable", json!({}));
    browser.open_address(&address, WIDE, READY);
    set(&mut browser, "content", "aé€");
    assert_eq!(in_view(&mut browser, "view('module').textContent"), "utf_8_decoder_x1");
    let events = "[...document.querySelectorAll('#events .line')].map(line => line.textContent).join('\\n')";
    browser.drawn();
    let found = browser.value(events);
    for part in ["1U+00E9 éC3 A9", "3U+20AC €E2 82 AC"] {
        assert!(found.as_str().unwrap().contains(part), "{found}");
    }
    // An event is followed from its units to its slot, and explained bit by bit.
    browser.click_on("#events .line:nth-child(3)");
    browser.wait("document.querySelector('#explained h2')?.textContent === 'U+20AC €'");
    let status = in_view(&mut browser, "view('status').textContent");
    assert!(status.as_str().unwrap().contains("U+20AC €: E2 82 AC (frame 0, items 3 to 5"), "{status}");
    // A register in the Verilog leads to its row.
    let over = "(() => {
        const word = [...document.querySelectorAll('#verilog b')].find(word => word.textContent === 'payload_reg');
        word.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        const root = document.getElementById('picture').shadowRoot;
        return [...root.querySelectorAll('.row.marked bdi')].map(name => name.textContent).join();
    })()";
    browser.wait(
        "[...document.querySelectorAll('#verilog b')].some(word => word.textContent === 'payload_reg')",
    );
    assert_eq!(browser.value(over), "payload_reg");
    // And a register in the picture leads to its line.
    let place = "(() => {
        const name = [...view('names').querySelectorAll('bdi')].find(name => name.textContent === 'payload_reg');
        name.scrollIntoView({ block: 'center' });
        const { right, top, height } = name.closest('.row').getBoundingClientRect();
        return [right + 100, top + height / 2];
    })()";
    in_view(&mut browser, place);
    browser.drawn();
    let place = in_view(&mut browser, place);
    browser.hover(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    browser.drawn();
    browser.wait("document.querySelector('#verilog .line.marked')?.textContent.includes('payload_reg')");
    // Stalls, by dragging, make the run longer, and change nothing else.
    let cycles = |browser: &mut Browser| in_view(browser, "Number(view('cycle').max)").as_u64().unwrap();
    let before = cycles(&mut browser);
    let place = browser.value(
        "(() => {
            const slider = document.getElementById('sink');
            slider.scrollIntoView();
            const { left, top, width, height } = slider.getBoundingClientRect();
            return [left + 8, top + height / 2, left + width * 0.8];
        })()",
    );
    let [from, y, to] = [0, 1, 2].map(|at| place[at].as_f64().unwrap());
    browser.drag((from, y), (to, y));
    browser.wait("document.getElementById('sink').value >= 60");
    set(&mut browser, "sink", "80");
    assert!(cycles(&mut browser) > before + 3);
    assert!(browser.text("#figures").contains("agrees with the reference"));
    set(&mut browser, "sink", "0");
    // ED A0 80: three errors, each with its rule.
    set(&mut browser, "input", "units");
    set(&mut browser, "content", "41 ED A0 80");
    browser.drawn();
    let found = browser.value(events);
    assert_eq!(found.as_str().unwrap().matches("RFC 3629").count(), 3, "{found}");
    set(&mut browser, "content", "41 GG");
    assert!(browser.text("#problem-input").contains("`GG` is no hexadecimal number"));
    // A fault is found, as on the command line.
    set(&mut browser, "content", "41 ED A0 80");
    set(&mut browser, "fault-kind", "stuck-at-0");
    set(&mut browser, "fault-signal", "payload_rg");
    assert!(browser.text("#problem-fault").contains("the nearest: payload_reg"));
    set(&mut browser, "fault-signal", "payload_reg");
    let folder = TempDir::new().unwrap();
    let script = "printf 'A\\355\\240\\200' | $UTFHDL trace utf-8 decoder - --fault stuck-at-0@payload_reg -o run.html";
    let (code, _, err) = in_shell(folder.path(), script);
    assert_eq!(code, 1);
    let failure = err.lines().next().unwrap().strip_prefix("utf_8_decoder_x1: ").unwrap().to_owned();
    assert_eq!(in_view(&mut browser, "view('failure-text').textContent"), failure);
    // The address has the whole state, for another page.
    browser.wait("location.hash.length > 10");
    let hash = browser.value("new Promise(done => setTimeout(() => done(location.hash), 700))");
    browser.open_address(&format!("{address}{}", hash.as_str().unwrap()), WIDE, READY);
    assert_eq!(in_view(&mut browser, "view('failure-text').textContent"), failure);
    assert_eq!(browser.value("document.getElementById('content').value"), "41 ED A0 80");
    // A file that is dropped is run.
    let dropped = "(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['\\u20ac!'], 'euro.txt'));
        document.getElementById('drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    })()";
    browser.value(dropped);
    browser.wait("document.getElementById('command').textContent.startsWith(\"printf '\\\\342\\\\202\\\\254\\\\041'\")");
    // Other roles, and lanes.
    set(&mut browser, "fault-kind", "");
    for role in ["transcoder", "validator", "decoder"] {
        set(&mut browser, "role", role);
        assert!(browser.text("#figures").contains("agrees with the reference"), "{role}");
    }
    set(&mut browser, "lanes", "8");
    assert_eq!(in_view(&mut browser, "view('module').textContent"), "utf_8_decoder_x8");
    let elsewhere: Vec<&String> = browser
        .requests
        .iter()
        .filter(|request| !request.starts_with(&address) && *request != "about:blank")
        .collect();
    assert!(browser.requests.len() > 10 && elsewhere.is_empty(), "{:?}", browser.requests);
    assert_eq!(browser.complaints, [] as [String; 0]);
}

#[test]
#[ignore = "needs chromium and Rust's target for browsers"]
fn hostile_input_is_harmless() {
    let served = Served::start(&built());
    let address = format!("http://{}/", served.address);
    let mut browser = Browser::start();
    // An address that holds no state opens the page all the same.
    browser.open_address(&format!("{address}#AAAA%00<script>"), NARROW, READY);
    let hostile =
        "<img src=x onerror=alert(1)></textarea></script><script>document.title='x'</script>]]>\u{0}\u{202e}";
    set(&mut browser, "content", hostile);
    assert!(browser.text("#figures").contains("agrees with the reference"));
    let names = browser.value("document.querySelectorAll('img, main script').length");
    assert_eq!((names, browser.text("title")), (json!(0), "utfhdl: a playground".to_owned()));
    // A lone surrogate stays one in a text of JavaScript, and no text of Unicode has it.
    set(&mut browser, "system", "wtf-8");
    let lone = "(() => {
        const control = document.getElementById('content');
        control.value = 'a\\ud800b';
        control.dispatchEvent(new Event('input', { bubbles: true }));
    })()";
    browser.value(lone);
    browser
        .wait("document.getElementById('problem-input').textContent.startsWith('U+D800 is half of a pair')");
    set(&mut browser, "system", "utf-8");
    // A megabyte in one line: as much of it is run as is shown.
    let line = "'€'.repeat(350000)";
    browser.value(&format!(
        "(() => {{
            const control = document.getElementById('content');
            control.value = {line};
            control.dispatchEvent(new Event('input', {{ bubbles: true }}));
        }})()"
    ));
    browser
        .wait("document.getElementById('note').textContent.startsWith('the first 100000 of 1050000 units')");
    assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true);
    assert!(browser.value("document.querySelectorAll('*').length").as_u64().unwrap() < 1000);
    // Every control has a name.
    for (role, name) in browser.controls() {
        assert!(name.chars().any(char::is_alphabetic), "{role} {name:?}");
    }
    assert_eq!(browser.complaints, [] as [String; 0]);
}

/// How long the page takes, in milliseconds: prints what docs/performance.md has. The limits are a multiple of that.
#[test]
#[ignore = "needs chromium and Rust's target for browsers"]
fn the_page_is_quick() {
    let served = Served::start(&built());
    let mut browser = Browser::start();
    let address = format!("http://{}/", served.address);
    browser.open_address(&address, WIDE, READY);
    let since = |browser: &mut Browser, began: f64, until: &str| {
        browser.wait(until);
        browser.value("performance.now()").as_f64().unwrap() - began
    };
    let change = |browser: &mut Browser, script: &str| {
        let began = browser.value(&format!(
            "(() => {{
                const by = id => document.getElementById(id);
                {script}
                by('controls').dispatchEvent(new Event('input', {{ bubbles: true }}));
                return performance.now();
            }})()"
        ));
        began.as_f64().unwrap()
    };
    // A second time, with the module in the browser's cache.
    browser.open_address(&address, WIDE, READY);
    let first = since(&mut browser, 0.0, READY);
    let began = change(&mut browser, "by('lanes').value = '64';");
    let of_64_lanes = since(&mut browser, began, READY);
    let began = change(
        &mut browser,
        "by('lanes').value = '1'; by('content').value = 'aé€😀 zwölf, 東京\\n'.repeat(3845);",
    );
    let of_long_run = since(&mut browser, began, READY);
    assert!(browser.text("#figures").contains("the first 2000 cycles"));
    let of_whole = since(&mut browser, began, "document.body.dataset.whole === 'true'");
    assert!(browser.text("#figures").contains("agrees with the reference"));
    let cycles = in_view(&mut browser, "Number(view('cycle').max)").as_u64().unwrap();
    assert!(cycles > 99_000, "{cycles}");
    // Frames while the picture is scrolled from its first cycle to its last.
    let frames = in_view(
        &mut browser,
        "new Promise(done => {
            const box = view('view'), far = box.scrollWidth - box.clientWidth, began = performance.now();
            let longest = 0, frames = 0, before = began;
            const step = now => {
                longest = Math.max(longest, now - before);
                before = now;
                box.scrollLeft = far * (now - began) / 2000;
                if ((frames += 1) && now - began < 2000) requestAnimationFrame(step);
                else done([Math.round(frames * 1000 / (now - began)), Math.round(longest)]);
            };
            requestAnimationFrame(step);
        })",
    );
    println!(
        "first picture {first:.0} ms; 64 lanes {of_64_lanes:.0} ms; {cycles} cycles: the first {of_long_run:.0} ms, all \
         {of_whole:.0} ms, {} frames a second while scrolling, the longest of {} ms",
        frames[0], frames[1]
    );
    assert!(first < 10_000.0 && of_64_lanes < 20_000.0 && of_long_run < 10_000.0 && of_whole < 60_000.0);
    assert_eq!(browser.complaints, [] as [String; 0]);
}

/// The sizes of the cores on the site: the rows of docs/performance.md, with scripts off, too.
#[test]
#[ignore = "needs chromium"]
fn sizes_are_cards_that_are_sorted_and_filtered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("sizes.html");
    let ran = Command::new(root.join("tools/site")).arg("--sizes").arg(&page).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let table = fs::read_to_string(root.join("docs/performance.md")).unwrap();
    let (_, of_lanes) = table.split_once("### Cores of several lanes").unwrap();
    let row = of_lanes.lines().find(|line| line.starts_with("| `utf-8 decoder --lanes 2` |")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let mut browser = Browser::start();
    browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.open(&page, "", NARROW, "true");
    let cards =
        "[...document.querySelectorAll('li')].filter(card => !card.hidden).map(card => card.innerText)";
    let all = browser.value(cards);
    let all = all.as_array().unwrap();
    let card = |core: &str, device: &str| {
        let begin = format!("{core}\n{device}\n");
        all.iter()
            .map(|card| card.as_str().unwrap())
            .find(|card| card.starts_with(&begin))
            .unwrap()
            .to_owned()
    };
    // Latency, LUT4, FF, MHz and MB/s are columns 2, 4, 5, 6 and 8.
    let found = card("utf-8 decoder --lanes 2", "hx8k").replace('\n', " ").replace("  ", " ");
    let [latency, lut4, ff, mhz, mbs] = [2, 4, 5, 6, 8].map(|at| cells[at]);
    assert_eq!(
        found,
        format!("utf-8 decoder --lanes 2 hx8k latency {latency} LUT4 {lut4} FF {ff} MHz {mhz} MB/s {mbs}")
    );
    assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true);
    browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": false }));
    browser.open(&page, "", WIDE, "true");
    let choose = |browser: &mut Browser, name: &str, value: &str| {
        browser.value(&format!(
            "(form => {{ form[{0}].value = {1}; form.dispatchEvent(new Event('input')); }})(document.getElementById('choose'))",
            json!(name),
            json!(value)
        ));
    };
    choose(&mut browser, "system", "utf-8");
    choose(&mut browser, "role", "decoder");
    choose(&mut browser, "device", "ECP5");
    choose(&mut browser, "sort", "MB/s");
    let shown = browser.value(cards);
    let shown = shown.as_array().unwrap();
    assert!(shown.len() > 5 && shown.len() < all.len() / 4, "{}", shown.len());
    assert!(shown.iter().all(|card| card.as_str().unwrap().starts_with("utf-8 decoder")));
    assert!(shown[0].as_str().unwrap().starts_with("utf-8 decoder --lanes 64"), "{}", shown[0]);
    assert_eq!(browser.complaints, [] as [String; 0]);
}

/// The page's files name no other host.
#[test]
fn the_page_names_no_other_host() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("playground/page");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for loads in ["http:", "https:", "@import", "url(", "//cdn"] {
            assert!(!text.contains(loads), "{}: {loads}", path.display());
        }
    }
}
