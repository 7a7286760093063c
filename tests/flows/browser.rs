//! The pages in a browser: clicks, typing, and the visible result.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::common::browser::Browser;
use crate::common::command::in_shell;

const READY: &str = "document.body.dataset.ready === 'true'";
const WIDE: (u32, u32) = (1300, 900);
const NARROW: (u32, u32) = (400, 800);

/// Runs a script that makes a page, with this exit code.
#[track_caller]
fn made(folder: &TempDir, code: i32, script: &str, page: &str) -> PathBuf {
    let ran = in_shell(folder.path(), script);
    assert_eq!(ran.0, code, "{}", ran.2);
    folder.path().join(page)
}

/// The middle of a cell: of a row, by name, in a cycle.
#[track_caller]
fn cell(browser: &mut Browser, row: &str, cycle: u64) -> (f64, f64) {
    let place = format!(
        "(() => {{
            const rows = [...document.querySelectorAll('.row')];
            const row = rows.find(row => row.querySelector('bdi').textContent === {row:?}).getBoundingClientRect();
            const view = document.getElementById('view'), sheet = document.getElementById('sheet');
            const cycles = Number(document.getElementById('cycle').max) - Number(document.getElementById('cycle').min) + 1;
            const zoom = 40, first = Number(document.getElementById('cycle').min);
            return [row.right + ({cycle} - first + .75) * zoom - view.scrollLeft, row.top + 8, cycles];
        }})()"
    );
    let place = browser.value(&place);
    (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
}

#[track_caller]
fn no_complaints(browser: &Browser) {
    assert_eq!(browser.complaints, [] as [String; 0]);
}

/// The cycles of the handshakes are those of the contract: with latency 3, a unit taken in cycle c comes out in c + 3.
#[test]
#[ignore = "needs chromium"]
fn a_code_point_is_followed_found_and_told() {
    let folder = TempDir::new().unwrap();
    let script = r"printf '\303\251\342\202\254\355' | $UTFHDL trace utf-8 decoder - -o run.html";
    let page = made(&folder, 0, script, "run.html");
    let mut browser = Browser::start();
    browser.open(&page, "", WIDE, READY);
    assert_eq!(browser.text("h1"), "utf_8_decoder_x1");

    // A search finds a code point, and the line above the waves describes it.
    browser.click_on("#search");
    browser.insert("U+20AC");
    browser.press("Enter");
    let status = browser.text("#status");
    assert!(status.contains("U+20AC €: E2 82 AC (frame 0, items 2 to 4"), "{status}");
    let taken: u64 = browser.value("Number(document.getElementById('cycle').value)").as_u64().unwrap();
    assert!(
        status.contains(&format!("taken in cycle {taken} to {}, out in cycle {}", taken + 2, taken + 5)),
        "{status}"
    );

    // The unit that is taken, in the row of the port.
    let value = |browser: &mut Browser, row: &str| {
        browser.value(&format!(
            "[...document.querySelectorAll('.row')].find(row => row.querySelector('bdi').textContent === {row:?}).querySelector('.at').textContent"
        ))
    };
    assert_eq!(value(&mut browser, "s_axis_tdata"), "E2");
    assert_eq!(value(&mut browser, "s_axis_tvalid"), "1");

    // A click on the slot tells the same code point.
    browser.click_on("#view");
    browser.press("Escape");
    assert!(!browser.text("#status").contains("U+20AC"));
    browser.drawn();
    let slot = cell(&mut browser, "m_axis_tdata", taken + 5);
    browser.value("document.getElementById('view').scrollTop = 10000");
    browser.drawn();
    let slot = (slot.0, cell(&mut browser, "m_axis_tdata", taken + 5).1);
    browser.click(slot.0, slot.1);
    assert!(browser.text("#status").contains("U+20AC €"), "{}", browser.text("#status"));
    assert_eq!(value(&mut browser, "m_axis_tdata"), "20AC");

    // Keys move the cursor, and find the error.
    browser.press("ArrowRight");
    assert_eq!(browser.value("document.getElementById('cycle').value"), (taken + 6).to_string());
    browser.press("e");
    let status = browser.text("#status");
    assert!(status.contains("error truncated: ED") && status.contains("cut short"), "{status}");

    // Search that finds nothing says so.
    browser.click_on("#search");
    browser.value("document.getElementById('search').value = ''");
    browser.insert("U+1F600");
    browser.press("Enter");
    assert_eq!(browser.text("#status"), "There is none.");
    no_complaints(&browser);
}

#[test]
#[ignore = "needs chromium"]
fn a_code_point_has_one_color_at_two_widths_and_in_the_dark() {
    let folder = TempDir::new().unwrap();
    let page = made(&folder, 0, "$UTFHDL trace utf-8 decoder --text 'é€' -o run.html", "run.html");
    let mut browser = Browser::start();
    let mut papers = Vec::new();
    for (size, scheme) in [(WIDE, "light"), (NARROW, "light"), (WIDE, "dark")] {
        let features =
            serde_json::json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.call("Emulation.setEmulatedMedia", features);
        browser.open(&page, "", size, READY);
        browser.click_on("#search");
        browser.insert("€");
        browser.press("Enter");
        browser.value("document.activeElement.blur()");
        let taken: u64 = browser.value("Number(document.getElementById('cycle').value)").as_u64().unwrap();
        browser.click_on("#view");
        browser.press("Escape");
        browser.drawn();
        // Cells that are out of view are scrolled to, and checked one by one.
        let mut look = |row: &str, cycle: u64| {
            browser.value(&format!("document.getElementById('view').scrollLeft = ({cycle} - 2) * 40"));
            browser.value(&format!(
                "[...document.querySelectorAll('.row')].find(row => row.querySelector('bdi').textContent === {row:?}).scrollIntoView({{ block: 'center', inline: 'nearest' }})"
            ));
            browser.drawn();
            let at = cell(&mut browser, row, cycle);
            browser.colors(&[(at.0.floor(), at.1.floor() - 3.0)])[0].clone()
        };
        let unit = look("s_axis_tdata", taken + 1);
        let payload = look("payload_reg", taken + 2);
        let slot = look("m_axis_tdata", taken + 5);
        let other = look("s_axis_tdata", taken - 1);
        assert_eq!((&unit, &unit), (&payload, &slot), "{size:?}, {scheme}");
        assert_ne!(unit, other, "{size:?}, {scheme}");
        papers.push(browser.value("getComputedStyle(document.body).backgroundColor").to_string());
        // Nothing but the view scrolls sideways.
        assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true, "{size:?}");
    }
    assert!(papers[0] == papers[1] && papers[0] != papers[2], "{papers:?}");
    no_complaints(&browser);
}

#[test]
#[ignore = "needs chromium"]
fn every_control_has_a_name() {
    let folder = TempDir::new().unwrap();
    let page = made(&folder, 0, "$UTFHDL trace utf-8 decoder --text 'é€' -o run.html", "run.html");
    let mut browser = Browser::start();
    browser.open(&page, "", WIDE, READY);
    let controls = browser.controls();
    assert!(controls.iter().filter(|(role, _)| role == "button").count() >= 7, "{controls:?}");
    for role in ["searchbox", "checkbox", "spinbutton", "group"] {
        assert!(controls.iter().any(|(found, _)| found == role), "{role}: {controls:?}");
    }
    for (role, name) in &controls {
        assert!(name.chars().any(char::is_alphabetic), "{role} {name:?}");
    }
    no_complaints(&browser);
}

/// Zooming shows the whole run, or little of it; what is folded is gone.
#[test]
#[ignore = "needs chromium"]
fn a_long_run_of_a_wide_core_is_zoomed_scrolled_and_folded() {
    let folder = TempDir::new().unwrap();
    let script = "$UTFHDL trace utf-8 decoder --lanes 4 --random 4000 --stall 10 -o run.html";
    let page = made(&folder, 0, script, "run.html");
    let mut browser = Browser::start();
    browser.open(&page, "#cycle=700", WIDE, READY);
    assert!(browser.text("#status").starts_with("Cycle 700"), "{}", browser.text("#status"));
    let width = "document.getElementById('sheet').offsetWidth";
    let before = browser.value(width).as_f64().unwrap();
    browser.click_on("#zoom-in");
    assert!(browser.value(width).as_f64().unwrap() > before * 1.3);
    browser.click_on("#zoom-fit");
    browser.drawn();
    assert!(browser.value(width).as_f64().unwrap() <= f64::from(WIDE.0));
    let rows = "document.querySelectorAll('.row').length";
    let shown = browser.value(rows).as_u64().unwrap();
    // Of the ports the handshake is shown, of the stages nothing but the text that each holds.
    let names =
        browser.value("[...document.querySelectorAll('.row bdi')].map(name => name.textContent).join()");
    let handshake = |side| ["tvalid", "tready", "tlast"].map(|port| format!("{side}_{port}")).join(",");
    let expected = format!("text in,text out,{},{}", handshake("s_axis"), handshake("m_axis"));
    assert!(names.as_str().unwrap().starts_with(&expected), "{names}");
    assert!(!names.as_str().unwrap().contains("lane_"), "{names}");
    // tdata with its four lanes.
    browser.click_on("button.group[aria-expanded='false']");
    assert_eq!(browser.value(rows).as_u64().unwrap() - shown, 5);
    browser.click_on("button.group:nth-of-type(2)");
    assert_eq!(browser.value(rows), shown);
    no_complaints(&browser);
}

/// The handshake and the text stay in sight while the stages scroll, and a click on a unit leads to its slot.
#[test]
#[ignore = "needs chromium"]
fn ports_stay_in_sight_and_a_unit_leads_to_its_slot() {
    let folder = TempDir::new().unwrap();
    let script = "$UTFHDL trace utf-8 decoder --text 'Zürich é€' -o run.html";
    let page = made(&folder, 0, script, "run.html");
    let mut browser = Browser::start();
    browser.open(&page, "", WIDE, READY);
    let top = "document.querySelector('.pinned').getBoundingClientRect().top";
    let before = browser.value(top);
    browser.value("document.getElementById('view').scrollTop = 10000");
    browser.drawn();
    assert!(browser.value("document.getElementById('view').scrollTop").as_f64().unwrap() > 0.0);
    assert_eq!(browser.value(top), before);
    browser.click_on("#search");
    browser.insert("ü");
    browser.press("Enter");
    let cycle = "Number(document.getElementById('cycle').value)";
    let taken = browser.value(cycle).as_u64().unwrap();
    let unit = cell(&mut browser, "s_axis_tdata", taken);
    browser.click(unit.0, unit.1);
    let status = browser.text("#status");
    assert!(status.contains("U+00FC ü: C3 BC"), "{status}");
    browser.click_on("#cross");
    // Two octets, and a latency of 3.
    assert_eq!(browser.value(cycle), taken + 1 + 3);
    browser.click_on("#cross");
    assert_eq!(browser.value(cycle), taken);
    no_complaints(&browser);
}

#[test]
#[ignore = "needs chromium"]
fn a_failure_opens_where_it_is_with_both_sides() {
    let folder = TempDir::new().unwrap();
    let script = "$UTFHDL cosim utf-8 decoder --random 3000 --fault stuck-at-0@held_reg --html run.html --failure-dir left";
    let page = made(&folder, 1, script, "run.html");
    let failed = in_shell(folder.path(), script).2;
    let cycle = failed.split("cycle ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    let mut browser = Browser::start();
    browser.open(&page, "", WIDE, READY);
    assert_eq!(browser.value("document.getElementById('cycle').value"), cycle);
    let text = browser.text("#failure");
    assert!(text.contains("expected") && text.contains("actual"), "{text}");
    assert_eq!(browser.value("document.getElementById('failure').hidden"), false);
    let groups =
        browser.value("[...document.querySelectorAll('.group')].map(group => group.textContent).join()");
    assert!(groups.as_str().unwrap().contains("Expected by the reference"), "{groups}");
    no_complaints(&browser);
}

#[test]
#[ignore = "needs chromium"]
fn explanations_are_pages_too() {
    let folder = TempDir::new().unwrap();
    let page = made(&folder, 1, "$UTFHDL explain utf-8 E2 82 AC C0 --html text.html", "text.html");
    let mut browser = Browser::start();
    for size in [WIDE, NARROW] {
        browser.open(&page, "", size, "true");
        assert_eq!(browser.text("h2"), "U+20AC €");
        assert_eq!(browser.text("tbody tr td"), "11100010");
        assert_eq!(browser.text("tbody tr .length"), "1110");
        assert_eq!(browser.text(".error h2"), "error overlong");
        assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true, "{size:?}");
    }
    no_complaints(&browser);
}

/// The pages load nothing, and name no place to load from.
#[test]
fn pages_stand_alone() {
    let folder = TempDir::new().unwrap();
    made(&folder, 0, "$UTFHDL trace utf-8 decoder --text 'é' -o run.html", "run.html");
    made(&folder, 0, "$UTFHDL explain utf-8 --text 'é' --html text.html", "text.html");
    let check = |page: &Path| {
        let text = std::fs::read_to_string(page).unwrap();
        for loads in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!text.contains(loads), "{}: {loads}", page.display());
        }
        assert!(text.contains("default-src 'none'"));
    };
    check(&folder.path().join("run.html"));
    check(&folder.path().join("text.html"));
}
