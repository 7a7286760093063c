//! `utfhdl playground`: the playground, served to browsers on this machine.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use clap::ValueHint;

use super::Outcome;
use super::output::message;

const EXAMPLES: &str = "\
Examples:
  tools/playground                        in a checkout of utfhdl: build the playground, and serve it
  utfhdl playground                       serve what was built there
  utfhdl playground --dir public --port 0";

/// The page that a request for a folder gets.
const INDEX: &str = "index.html";
/// The most bytes of a request's head.
const MOST_HEAD: u64 = 16 * 1024;
/// The policy of every file, workers included: nothing from other hosts.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";
/// How long a client may take for its request, and for each part of the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serve the playground: cores in a browser, on 127.0.0.1 only
///
/// The playground is a folder of files that any web server can serve: tools/playground in a checkout of utfhdl builds it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folder of the playground
    #[arg(long, value_name = "DIR", default_value = "target/playground", value_hint = ValueHint::DirPath)]
    dir: PathBuf,

    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 8417)]
    port: u16,
}

/// Serves until the process is ended.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let name = args.dir.shown();
    if !args.dir.join(INDEX).is_file() {
        bail!(
            "{name} holds no playground: build it with tools/playground in a checkout of utfhdl, or name its folder with --dir"
        );
    }
    let root = args.dir.canonicalize().with_context(|| format!("cannot read {name}"))?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).with_context(|| {
        format!(
            "cannot listen on port {} of 127.0.0.1: choose another one with --port, or a free one with --port 0",
            args.port
        )
    })?;
    message(format!("http://{}/ shows the playground of {name}; Ctrl-C ends it", listener.local_addr()?));
    for stream in listener.incoming() {
        // A client that went away, or one that is slow, is no reason to end the others.
        let Ok(stream) = stream else { continue };
        let root = root.clone();
        let _ = thread::Builder::new().spawn(move || serve(&stream, &root));
    }
    Ok(Outcome::Well)
}

/// Answers one request.
fn serve(mut stream: &TcpStream, root: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(MOST_HEAD));
    let mut request = Vec::new();
    lines.read_until(b'\n', &mut request)?;
    // The rest of the head says nothing of interest, but a client may wait until it is read.
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 2 {
        line.clear();
    }
    let request = String::from_utf8_lossy(&request);
    let (method, target) = match request.split_ascii_whitespace().collect::<Vec<_>>()[..] {
        [method, target, version] if version.starts_with("HTTP/1.") => (method, target),
        _ => return refuse(stream, "400 Bad Request"),
    };
    if method != "GET" && method != "HEAD" {
        return refuse(stream, "405 Method Not Allowed");
    }
    let Some((path, bytes)) = file(root, target) else { return refuse(stream, "404 Not Found") };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\nContent-Security-Policy: {POLICY}\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        content_type(&path),
        bytes.len()
    );
    stream.write_all(head.as_bytes())?;
    if method == "GET" {
        stream.write_all(&bytes)?;
    }
    stream.flush()
}

fn refuse(mut stream: &TcpStream, status: &str) -> io::Result<()> {
    let length = status.len() + 1;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{status}\n"
    )
}

/// The file that a request asks for: only one whose path is made of plain names, and which is in the folder, links included.
fn file(root: &Path, target: &str) -> Option<(PathBuf, Vec<u8>)> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let is_plain = |name: &str| {
        let is_of_names = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        !name.is_empty() && !name.starts_with('.') && name.chars().all(is_of_names)
    };
    let mut found = root.to_owned();
    for name in path.split('/').filter(|name| !name.is_empty()) {
        if !is_plain(name) {
            return None;
        }
        found.push(name);
    }
    if found.is_dir() {
        // Links of the page are those of a folder.
        if !path.is_empty() && !path.ends_with('/') {
            return None;
        }
        found.push(INDEX);
    }
    let found = found.canonicalize().ok().filter(|found| found.starts_with(root) && found.is_file())?;
    let bytes = fs::read(&found).ok()?;
    Some((found, bytes))
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}
