//! A headless Chromium, driven by its DevTools protocol over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The longest that a page may take to be ready.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    calls: u64,
    session: Option<String>,
    /// The page's output to its console, and uncaught exceptions.
    pub complaints: Vec<String>,
    /// The addresses that the page has loaded, once the domain `Network` is enabled.
    pub requests: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    pub fn start() -> Self {
        let profile = TempDir::new().unwrap();
        // The protocol is on file descriptors 3 and 4. Root has no sandbox.
        let script = "exec chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
                      --disable-background-networking --disable-component-update --disable-extensions \
                      --remote-debugging-pipe --user-data-dir=\"$0\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null";
        let mut command = Command::new("sh");
        let command = command.args(["-c", script]).arg(profile.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (complaints, requests, session) = (Vec::new(), Vec::new(), None);
        let mut browser =
            Self { child, to, from, calls: 0, session, complaints, requests, _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Runtime", "Page", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method of the protocol, and waits for its result.
    #[track_caller]
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut call = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = &self.session {
            call["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{call}\0").as_bytes()).unwrap();
        self.to.flush().unwrap();
        loop {
            let mut message = Vec::new();
            self.from.read_until(0, &mut message).unwrap();
            assert!(!message.is_empty(), "chromium has ended; is it installed?");
            message.pop();
            let message: Value = serde_json::from_slice(&message).unwrap();
            if message["id"] == self.calls {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            let is_complaint = match message["method"].as_str() {
                Some("Runtime.exceptionThrown" | "Runtime.consoleAPICalled") => true,
                Some("Log.entryAdded") => message["params"]["entry"]["level"] == "error",
                _ => false,
            };
            if let Some(address) = message["params"]["request"]["url"].as_str() {
                self.requests.push(address.to_owned());
            }
            if is_complaint {
                self.complaints.push(message["params"].to_string());
            }
        }
    }

    /// The value of an expression, or what its promise becomes.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// The text of the first element that a selector finds.
    #[track_caller]
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap().to_owned()
    }

    /// Opens a file in a window of this size, and waits until `ready` is true.
    #[track_caller]
    pub fn open(&mut self, file: &Path, fragment: &str, size: (u32, u32), ready: &str) {
        self.open_address(&format!("file://{}{fragment}", file.display()), size, ready);
    }

    /// Opens a page in a window of this size, and waits until `ready` is true.
    #[track_caller]
    pub fn open_address(&mut self, address: &str, (width, height): (u32, u32), ready: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size);
        // Another fragment alone loads nothing.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": address }));
        self.wait(&format!(
            "location.protocol !== 'about:' && document.readyState === 'complete' && ({ready})"
        ));
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait(&mut self, expression: &str) {
        let began = Instant::now();
        while self.value(expression) != true {
            assert!(began.elapsed() < PATIENCE, "it never came true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until what was asked for is drawn.
    #[track_caller]
    pub fn drawn(&mut self) {
        self.value(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
        );
    }

    /// Clicks at a point of the window.
    pub fn click(&mut self, x: f64, y: f64) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let params = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Moves the pointer to a point of the window.
    pub fn hover(&mut self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    /// Drags from a point of the window to another one.
    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        for (kind, (x, y)) in
            [("mouseMoved", from), ("mousePressed", from), ("mouseMoved", to), ("mouseReleased", to)]
        {
            let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Clicks on the first element that a selector finds.
    #[track_caller]
    pub fn click_on(&mut self, selector: &str) {
        let middle = format!(
            "(box => [box.x + box.width / 2, box.y + box.height / 2])(document.querySelector({}).getBoundingClientRect())",
            json!(selector)
        );
        let at = self.value(&middle);
        self.click(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            key if key.len() == 1 => key,
            _ => "",
        };
        let code = if key == "Enter" { 13 } else { 0 };
        let down = json!({ "type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code });
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
    }

    /// Types a text where the focus is.
    pub fn insert(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// The colors of some points of a screenshot, each as `r,g,b`.
    #[track_caller]
    pub fn colors(&mut self, points: &[(f64, f64)]) -> Vec<String> {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let read = format!(
            "(async () => {{
                const image = new Image();
                image.src = 'data:image/png;base64,' + {};
                await image.decode();
                const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
                context.drawImage(image, 0, 0);
                return {}.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)].join(','));
            }})()",
            shot["data"],
            json!(points)
        );
        let colors = self.value(&read);
        colors.as_array().unwrap().iter().map(|color| color.as_str().unwrap().to_owned()).collect()
    }

    /// The roles and names of the controls, as assistive software gets them.
    pub fn controls(&mut self) -> Vec<(String, String)> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let roles = [
            "button",
            "searchbox",
            "checkbox",
            "spinbutton",
            "textbox",
            "link",
            "group",
            "DisclosureTriangle",
        ];
        let nodes = tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] != true);
        nodes
            .filter_map(|node| {
                let role = node["role"]["value"].as_str()?;
                let name = node["name"]["value"].as_str().unwrap_or_default();
                roles.contains(&role).then(|| (role.to_owned(), name.to_owned()))
            })
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
